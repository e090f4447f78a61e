// Many worlds of one model for Python; batch.py dresses this up.

#include "batch/batch.h"

#include <nanobind/stl/optional.h>

#include <algorithm>

#include "arrays.h"
#include "guard.h"
#include "sinew/derivatives.h"

namespace {

struct Batch {
  snBatch* b;
  nb::object memory;  // frees the batch; held by every view
};

// functions of the GPU's driver report failure by -1
void check(int code) {
  if (code) throw std::runtime_error(sn_lastError());
}

std::string noWorld(int world, int count) {
  return "no world " + std::to_string(world) + ": there are " + std::to_string(count);
}

int deviceNumber(const std::string& device) {
  if (device == "cpu") return snDEVICE_CPU;
  if (device == "gpu") return snDEVICE_GPU;
  if (device == "auto") return snDEVICE_AUTO;
  const char* hint =
      device.compare(0, 4, "cuda") ? "" : "; CUDA_VISIBLE_DEVICES chooses among several GPUs";
  throw nb::value_error(("device should be cpu, gpu or auto, got " + device + hint).c_str());
}

void initBatch(Batch* self, Model& model, int nworld, const std::string& device, bool single,
               int nthread, int keyframe, int max_steps) {
  if (nworld < 1) throw nb::value_error("a batch needs at least one world");
  if (keyframe >= model.m->nkey) throw nb::index_error("no such keyframe");
  snBatchOptions options;
  sn_defaultBatchOptions(&options);
  options.device = deviceNumber(device);
  options.single = single;
  options.nthread = nthread;
  options.keyframe = keyframe;
  options.max_steps = max_steps;
  char error[500] = "";
  snBatch* b;
  {
    nb::gil_scoped_release released;
    b = sn_makeBatch(model.m, nworld, &options, error, sizeof(error));
  }
  if (!b) throw std::runtime_error(error);
  sn_batchKeepRetired(b);
  new (self) Batch{b, nb::capsule(b, [](void* p) noexcept { sn_deleteBatch((snBatch*)p); })};
}

// ---- views ----

// A field in the memory of a GPU; device_array.py makes an array of it.
struct DeviceView {
  snBatch* b;
  nb::object batch;   // lives as long as this
  nb::object memory;  // that the data lies in
  snBatchView view;
  size_t ndim, shape[4];
  int64_t strides[4];  // in entries
  int element_bytes;
  nb::object (*capsule)(const DeviceView&);  // for DLPack

  snSize bytes() const { return b->nworld * view.rows * view.columns * element_bytes; }
};

template <typename T>
nb::object dlpackCapsule(const DeviceView& v) {
  return nb::cast(nb::ndarray<T>(v.view.data, v.ndim, v.shape, v.memory, v.strides, nb::dtype<T>(),
                                 nb::device::cuda::value, 0),
                  nb::rv_policy::reference);
}

template <typename T>
nb::object asTuple(const T* values, size_t count, size_t factor) {
  nb::list list;
  for (size_t i = 0; i < count; i++) list.append(values[i] * (T)factor);
  return nb::tuple(list);
}

// world x rows x columns, axes of one entry dropped as in the fields of a single world
template <typename T>
nb::object strided(const Batch& self, const snBatchView& view, bool scalar) {
  DeviceView v = {self.b, self.memory,    self.memory,     view, 0, {},
                  {},     (int)sizeof(T), dlpackCapsule<T>};
  size_t shape[3] = {(size_t)self.b->nworld, (size_t)view.rows, (size_t)view.columns};
  int64_t strides[3] = {(int64_t)(view.stride / (snSize)sizeof(T)), (int64_t)view.columns, 1};
  v.ndim = scalar && view.rows == 1 ? 1 : view.columns == 1 ? 2 : 3;
  memcpy(v.shape, shape, sizeof(shape));
  memcpy(v.strides, strides, sizeof(strides));
  if (view.on_gpu) return nb::cast(v);
  return nb::cast(nb::ndarray<nb::numpy, T>(view.data, v.ndim, shape, self.memory, strides),
                  nb::rv_policy::reference);
}

void readView(const DeviceView& self, nb::ndarray<nb::c_contig, nb::device::cpu> values) {
  if ((snSize)values.nbytes() != self.bytes()) throw nb::value_error("another number of bytes");
  void* target = values.data();
  nb::gil_scoped_release released;
  check(sn_batchRead(self.b, &self.view, target));
}

void writeView(const DeviceView& self, nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu> values) {
  if ((snSize)values.nbytes() != self.bytes()) throw nb::value_error("another number of bytes");
  const void* source = values.data();
  nb::gil_scoped_release released;
  check(sn_batchWrite(self.b, &self.view, source));
}

void writeViewAt(const DeviceView& self, uint64_t address, int64_t pitch) {
  nb::gil_scoped_release released;
  check(sn_gpuBatchWriteAt(self.b->gpu, &self.view, address, pitch));
}

// a copy of the field without gaps, in memory of its own
DeviceView packView(const DeviceView& self) {
  uint64_t memory = sn_gpuReserve(self.b->gpu, (size_t)self.bytes());
  if (!memory) throw std::runtime_error(sn_lastError());
  DeviceView packed = self;
  packed.memory =
      nb::capsule((void*)memory, [](void* p) noexcept { sn_gpuRelease((uint64_t)(uintptr_t)p); });
  int64_t pitch = self.view.rows * self.view.columns * self.element_bytes;
  check(sn_gpuBatchReadAt(self.b->gpu, &self.view, memory, pitch));
  packed.view.data = (void*)memory;
  packed.view.stride = pitch;
  packed.strides[0] = self.view.rows * self.view.columns;
  return packed;
}

// memory of the device for images, or matrices, of all worlds
template <typename T>
DeviceView deviceArrayOf(const Batch& self, size_t height, size_t width, size_t channels,
                         char type) {
  DeviceView v = {self.b, self.memory,    self.memory,     {}, channels > 1 ? 4u : 3u, {},
                  {},     (int)sizeof(T), dlpackCapsule<T>};
  size_t shape[4] = {(size_t)self.b->nworld, height, width, channels};
  int64_t row = (int64_t)(width * channels);
  int64_t strides[4] = {(int64_t)height * row, row, (int64_t)channels, 1};
  memcpy(v.shape, shape, sizeof(shape));
  memcpy(v.strides, strides, sizeof(strides));
  v.view.stride = strides[0] * (int64_t)sizeof(T);
  v.view.rows = (snSize)height;
  v.view.columns = row;
  v.view.type = type;
  v.view.on_gpu = 1;
  uint64_t memory = sn_gpuReserve(self.b->gpu, (size_t)v.bytes());
  if (!memory) throw std::runtime_error(sn_lastError());
  v.memory =
      nb::capsule((void*)memory, [](void* p) noexcept { sn_gpuRelease((uint64_t)(uintptr_t)p); });
  v.view.data = (void*)memory;
  return v;
}

DeviceView makeImage(const Batch& self, const std::string& mode, size_t height, size_t width) {
  if (!self.b->gpu) throw std::runtime_error("the batch is not on a GPU");
  if (mode == "rgb") return deviceArrayOf<uint8_t>(self, height, width, 3, 'B');
  if (mode == "depth") return deviceArrayOf<float>(self, height, width, 1, 'f');
  return deviceArrayOf<int>(self, height, width, 2, 'i');
}

// memory of the device for a matrix of each world
DeviceView makeMatrix(const Batch& self, size_t rows, size_t columns) {
  if (!self.b->gpu) throw std::runtime_error("the batch is not on a GPU");
  return self.b->options.single ? deviceArrayOf<float>(self, rows, columns, 1, 'f')
                                : deviceArrayOf<double>(self, rows, columns, 1, 'd');
}

nb::object toArray(const Batch& self, const snBatchView& view, bool scalar) {
  switch (view.type) {
    case 'd': return strided<double>(self, view, scalar);
    case 'f': return strided<float>(self, view, scalar);
    case 'i': return strided<int>(self, view, scalar);
    case 'B': return strided<snByte>(self, view, scalar);
    case 'b': return strided<signed char>(self, view, scalar);
    case 'q': return strided<int64_t>(self, view, scalar);
    default: return strided<uint64_t>(self, view, scalar);
  }
}

bool isScalar(const std::string& name) {
  return name == "time" || name == "ncon" || name == "nefc" || name == "status" ||
         name.compare(0, 5, "stat.") == 0 || name.compare(0, 4, "opt.") == 0;
}

nb::object dataField(const Batch& self, const std::string& name) {
  snBatchView view;
  if (!sn_batchField(self.b, name.c_str(), &view))
    throw nb::attribute_error(("no data field " + name).c_str());
  return toArray(self, view, isScalar(name));
}

nb::object modelField(const Batch& self, const std::string& name) {
  snBatchView view;
  if (!sn_batchModelField(self.b, name.c_str(), &view)) {
    throw nb::attribute_error(("no model field " + name).c_str());
  }
  return toArray(self, view, isScalar(name));
}

template <typename T>
nb::object perWorld(const Batch& self, const T* values) {
  return view(const_cast<T*>(values), self.b->nworld, 1, self.memory);
}

// ---- work ----

// Calls with a part of the steps at a time, each about 50 ms long, between which a call can end; on a GPU with all.
template <typename F>
void stepInParts(bool parts, int nstep, F call) {
  int begin = 0, count = parts && nstep > 16 ? 16 : nstep;
  do {
    auto start = std::chrono::steady_clock::now();
    call(begin, count);
    begin += count;
    bool quick = std::chrono::steady_clock::now() - start < std::chrono::milliseconds(25);
    count = std::min(quick && count < 1 << 20 ? 2 * count : count, nstep - begin);
  } while (begin < nstep);
}

void step(Batch& self, int nstep, InOptional<double> ctrl) {
  if (nstep < 0) throw nb::value_error("nstep is negative");
  expect(ctrl, (snSize)nstep * self.b->nworld * self.b->model->nu, "ctrl", "(nstep, nworld, nu)");
  nb::gil_scoped_release released;
  size_t row = (size_t)self.b->nworld * (size_t)self.b->model->nu;
  Interrupts interrupts;
  stepInParts(!sn_batchOnGpu(self.b), nstep, [&](int begin, int count) {
    check(sn_batchStepControls(self.b, count,
                               ctrl.none() ? nullptr : ctrl.data + row * (size_t)begin));
    if (begin + count < nstep) interrupts.ask();
  });
}

void stepAt(Batch& self, int nstep, uint64_t ctrl) {
  if (nstep < 0) throw nb::value_error("nstep is negative");
  nb::gil_scoped_release released;
  check(sn_batchStepControlsAt(self.b, nstep, ctrl));
}

// a call that is put into a stream of the GPU
template <typename F>
void queued(Batch& self, F call) {
  nb::gil_scoped_release released;
  check(call(self.b));
}

void stepOn(Batch& self, int nstep, uint64_t ctrl, uint64_t stream) {
  if (nstep < 0) throw nb::value_error("nstep is negative");
  queued(self, [=](snBatch* b) { return sn_batchStepOn(b, nstep, ctrl, stream); });
}

void resetOn(Batch& self, uint64_t mask, int keyframe, uint64_t stream) {
  if (keyframe >= self.b->model->nkey) throw nb::index_error("no such keyframe");
  queued(self, [=](snBatch* b) { return sn_batchResetOn(b, mask, keyframe, stream); });
}

void forwardOn(Batch& self, uint64_t stream) {
  queued(self, [=](snBatch* b) { return sn_batchForwardOn(b, stream); });
}

void rnePostConstraintOn(Batch& self, uint64_t stream) {
  queued(self, [=](snBatch* b) { return sn_batchRnePostConstraintOn(b, stream); });
}

void stepSubset(Batch& self, In<int> worlds, int nstep) {
  for (size_t i = 0; i < worlds.size; i++) {
    if (worlds.data[i] < 0 || worlds.data[i] >= self.b->nworld)
      throw nb::index_error(noWorld(worlds.data[i], self.b->nworld).c_str());
  }
  nb::gil_scoped_release released;
  check(sn_batchStepSubset(self.b, worlds.data, (int)worlds.size, nstep));
}

snTransition transitionOption(const Batch& self, std::optional<double> eps, bool centered) {
  snTransition option = sn_batchStandardTransition(self.b);
  if (eps) option.eps = *eps;
  option.centered = (snByte)centered;
  return option;
}

void transitionAt(Batch& self, std::optional<double> eps, bool centered, uint64_t A, uint64_t B) {
  snTransition option = transitionOption(self, eps, centered);
  nb::gil_scoped_release released;
  if (sn_batchTransitionAt(self.b, &option, A, B)) throw nb::value_error(sn_lastError());
}

void transition(Batch& self, int method, std::optional<double> eps, bool centered, Out<double> A,
                Out<double> B) {
  snSize ndx = 2 * self.b->model->nv + self.b->model->na;
  expect(A, self.b->nworld * ndx * ndx, "A", "(nworld, ndx, ndx)");
  expect(B, self.b->nworld * ndx * self.b->model->nu, "B", "(nworld, ndx, nu)");
  snTransition option = transitionOption(self, eps, centered);
  nb::gil_scoped_release released;
  if (sn_batchTransition(self.b, method, &option, A.data, B.data))
    throw nb::value_error(sn_lastError());
}

// arrays of a rollout at so many times, as pointers
snBatchPath pathOf(const Batch& self, int times, double* qpos, snSize nqpos, double* qvel,
                   snSize nqvel, double* act, snSize nact) {
  const snModel* m = self.b->model;
  snSize rows = (snSize)times * self.b->nworld;
  if (nqpos != rows * m->nq || nqvel != rows * m->nv || nact != rows * m->na)
    throw nb::value_error("qpos, qvel and act do not have the sizes of the batch");
  return {qpos, qvel, act};
}

#define PATH(times, a)                                                           \
  pathOf(self, times, const_cast<double*>(a##_qpos.data), (snSize)a##_qpos.size, \
         const_cast<double*>(a##_qvel.data), (snSize)a##_qvel.size,              \
         const_cast<double*>(a##_act.data), (snSize)a##_act.size)

void rollout(Batch& self, In<double> start_qpos, In<double> start_qvel, In<double> start_act,
             int nstep, In<double> ctrl, Out<double> path_qpos, Out<double> path_qvel,
             Out<double> path_act, Out<double> states) {
  snBatchPath start = PATH(1, start), path = PATH(nstep, path);
  snSize rows = (snSize)nstep * self.b->nworld;
  expect(ctrl, rows * self.b->model->nu, "ctrl", "(nstep, nworld, nu)");
  expect(states, rows * self.b->state_size, "states", "(nstep, nworld, mj_stateSize)");
  nb::gil_scoped_release released;
  check(sn_batchRollout(self.b, nstep, &start, ctrl.data, &path, states.data));
}

void rolloutBack(Batch& self, int method, int nstep, In<double> states, In<double> ctrl,
                 In<double> path_qpos, In<double> by_qpos, In<double> by_qvel, In<double> by_act,
                 Out<double> start_qpos, Out<double> start_qvel, Out<double> start_act,
                 Out<double> by_ctrl) {
  snSize rows = (snSize)nstep * self.b->nworld;
  snBatchPath gradient = PATH(nstep, by), start = PATH(1, start);
  expect(path_qpos, rows * self.b->model->nq, "path", "(nstep, nworld, nq)");
  expect(ctrl, rows * self.b->model->nu, "ctrl", "(nstep, nworld, nu)");
  expect(by_ctrl, rows * self.b->model->nu, "by_ctrl", "(nstep, nworld, nu)");
  expect(states, rows * self.b->state_size, "states", "(nstep, nworld, mj_stateSize)");
  snBatchPath path = {const_cast<double*>(path_qpos.data), nullptr, nullptr};
  nb::gil_scoped_release released;
  if (sn_batchRolloutBack(self.b, method, nstep, states.data, ctrl.data, &path, &gradient, &start,
                          by_ctrl.data))
    throw nb::value_error(sn_lastError());
}

#undef PATH

void reset(Batch& self, InOptional<snByte> mask, int keyframe) {
  expect(mask, self.b->nworld, "mask", "nworld");
  if (keyframe >= self.b->model->nkey) throw nb::index_error("no such keyframe");
  nb::gil_scoped_release released;
  check(sn_batchReset(self.b, mask.data, keyframe));
}

void perturb(Batch& self, uint64_t seed, double scale, InOptional<snByte> mask) {
  expect(mask, self.b->nworld, "mask", "nworld");
  nb::gil_scoped_release released;
  check(sn_batchPerturb(self.b, mask.data, seed, scale));
}

void perturbSeeds(Batch& self, nb::ndarray<const uint64_t, nb::ndim<1>, nb::c_contig> seeds,
                  double scale, InOptional<snByte> mask) {
  expect(mask, self.b->nworld, "mask", "nworld");
  if ((int)seeds.size() != self.b->nworld) throw nb::value_error("seeds should be one per world");
  const uint64_t* values = seeds.data();
  nb::gil_scoped_release released;
  check(sn_batchPerturbSeeds(self.b, mask.data, values, scale));
}

void getState(const Batch& self, Out<double> state, int sig) {
  expect(state, (snSize)self.b->nworld * sn_stateSize(self.b->model, sig), "state",
         "(nworld, mj_stateSize)");
  nb::gil_scoped_release released;
  check(sn_batchGetState(self.b, state.data, sig));
}

void contacts(const Batch& self, int room, Out<int> geoms, Out<double> distances) {
  expect(geoms, (snSize)self.b->nworld * room * 2, "geoms", "(nworld, room, 2)");
  expect(distances, (snSize)self.b->nworld * room, "distances", "(nworld, room)");
  nb::gil_scoped_release released;
  check(sn_batchContacts(self.b, room, geoms.data, distances.data));
}

void setState(Batch& self, In<double> state, int sig) {
  expect(state, (snSize)self.b->nworld * sn_stateSize(self.b->model, sig), "state",
         "(nworld, mj_stateSize)");
  nb::gil_scoped_release released;
  check(sn_batchSetState(self.b, state.data, sig));
}

// copy one world into a data of its own, for drawing and debugging
void copyWorld(Batch& self, int world, Data& data) {
  if (world < 0 || world >= self.b->nworld)
    throw nb::index_error(noWorld(world, self.b->nworld).c_str());
  Guard guard;
  check(sn_batchCopyWorld(self.b, world, data.d));
  data.callbacks_seen = -1;
}

void bindQueuedCalls(nb::class_<Batch>& cls) {
  cls.def("step_on", &stepOn, nb::arg("nstep"), nb::arg("ctrl"), nb::arg("stream"));
  cls.def("reset_on", &resetOn, nb::arg("mask"), nb::arg("keyframe"), nb::arg("stream"));
  cls.def("forward_on", &forwardOn, nb::arg("stream"));
  cls.def("rne_post_constraint_on", &rnePostConstraintOn, nb::arg("stream"));
}

void bindDerivatives(nb::class_<Batch>& cls) {
  cls.def("transition", &transition, nb::arg("method"), nb::arg("eps").none(), nb::arg("centered"),
          nb::arg("A"), nb::arg("B"));
  cls.def("transition_at", &transitionAt, nb::arg("eps").none(), nb::arg("centered"), nb::arg("A"),
          nb::arg("B"));
  cls.def_prop_ro("transition_status", [](const Batch& self) {
    return perWorld(self, sn_batchTransitionStatus(self.b));
  });
  cls.def("matrix", &makeMatrix, nb::arg("rows"), nb::arg("columns"));
  cls.def("rollout", &rollout, nb::arg("qpos"), nb::arg("qvel"), nb::arg("act"), nb::arg("nstep"),
          nb::arg("ctrl"), nb::arg("path_qpos"), nb::arg("path_qvel"), nb::arg("path_act"),
          nb::arg("states"));
  cls.def("rollout_back", &rolloutBack, nb::arg("method"), nb::arg("nstep"), nb::arg("states"),
          nb::arg("ctrl"), nb::arg("path_qpos"), nb::arg("by_qpos"), nb::arg("by_qvel"),
          nb::arg("by_act"), nb::arg("start_qpos"), nb::arg("start_qvel"), nb::arg("start_act"),
          nb::arg("by_ctrl"));
}

void bindViews(nb::module_& module) {
  nb::class_<DeviceView>(module, "_DeviceView")
      .def("dlpack", [](const DeviceView& self) { return self.capsule(self); })
      .def_prop_ro("shape",
                   [](const DeviceView& self) { return asTuple(self.shape, self.ndim, 1); })
      .def_prop_ro("strides",
                   [](const DeviceView& self) {
                     return asTuple(self.strides, self.ndim, (size_t)self.element_bytes);
                   })
      .def_prop_ro("type", [](const DeviceView& self) { return std::string(1, self.view.type); })
      .def_prop_ro("address", [](const DeviceView& self) { return (uintptr_t)self.view.data; })
      .def("read", &readView, nb::arg("values"))
      .def("write", &writeView, nb::arg("values"))
      .def("write_at", &writeViewAt, nb::arg("address"), nb::arg("pitch"))
      .def("packed", &packView);
}

void bindProperties(nb::class_<Batch>& cls) {
  cls.def_prop_ro("address", [](const Batch& self) { return reinterpret_cast<uintptr_t>(self.b); });
  cls.def_prop_ro("device", [](const Batch& self) { return sn_batchDevice(self.b); });
  cls.def_prop_ro("on_gpu", [](const Batch& self) { return sn_batchOnGpu(self.b) != 0; });
  cls.def_prop_ro("gpu_bytes", [](const Batch& self) {
    return self.b->gpu ? sn_gpuBatchBytes(self.b->gpu) : 0;
  });
  cls.def_prop_ro("fallback", [](const Batch& self) { return sn_batchFallback(self.b); });
  cls.def_prop_ro("nworld", [](const Batch& self) { return self.b->nworld; });
  cls.def_prop_ro("generation", [](const Batch& self) { return sn_batchGeneration(self.b); });
  cls.def_prop_ro("rewards",
                  [](const Batch& self) { return perWorld(self, sn_batchRewards(self.b)); });
  cls.def_prop_ro("terminated",
                  [](const Batch& self) { return perWorld(self, sn_batchTerminated(self.b)); });
  cls.def_prop_ro("truncated",
                  [](const Batch& self) { return perWorld(self, sn_batchTruncated(self.b)); });
  cls.def_prop_ro("status",
                  [](const Batch& self) { return perWorld(self, sn_batchStatus(self.b)); });
  cls.def_prop_ro("failures",
                  [](const Batch& self) { return perWorld(self, sn_batchFailures(self.b)); });
}

// what can be asked without a batch
void bindQuestions(nb::module_& module) {
  module.def(
      "_batch_bytes", [](Model& model, int nworld) { return sn_batchBytes(model.m, nworld); },
      nb::arg("model"), nb::arg("nworld"));
  module.def(
      "_gpu_bytes",
      [](Model& model, int nworld, bool single) { return sn_gpuBytes(model.m, nworld, single); },
      nb::arg("model"), nb::arg("nworld"), nb::arg("single"));
  module.def("_gpu_refusal", [](Model& model) {
    const char* reason = sn_gpuRefusal(model.m);
    return std::string(reason ? reason : "");
  });
  module.def("_gpu_name", []() {
    char error[500] = "";
    const char* name = sn_gpuName(error, sizeof(error));
    return nb::make_tuple(name ? name : "", error);
  });
}

}  // namespace

void bindBatch(nb::module_& module) {
  bindViews(module);
  nb::class_<Batch> cls(module, "_Batch");
  cls.def("__init__", &initBatch, nb::arg("model"), nb::arg("nworld"), nb::arg("device") = "cpu",
          nb::arg("single") = false, nb::arg("nthread") = 0, nb::arg("keyframe") = -1,
          nb::arg("max_steps") = 0);
  cls.def("image", &makeImage, nb::arg("mode"), nb::arg("height"), nb::arg("width"));
  cls.def("data_field", &dataField, nb::arg("name"));
  cls.def("model_field", &modelField, nb::arg("name"));
  cls.def("step", &step, nb::arg("nstep"), nb::arg("ctrl").none());
  cls.def("step_at", &stepAt, nb::arg("nstep"), nb::arg("ctrl"));
  bindQueuedCalls(cls);
  cls.def("step_subset", &stepSubset, nb::arg("worlds"), nb::arg("nstep"));
  cls.def("forward", [](Batch& self) {
    nb::gil_scoped_release released;
    check(sn_batchForward(self.b));
  });
  cls.def(
      "forward_subset",
      [](Batch& self, In<int> worlds) {
        nb::gil_scoped_release released;
        check(sn_batchForwardSubset(self.b, worlds.data, (int)worlds.size));
      },
      nb::arg("worlds"));
  cls.def("rne_post_constraint", [](Batch& self) {
    nb::gil_scoped_release released;
    check(sn_batchRnePostConstraint(self.b));
  });
  bindDerivatives(cls);
  cls.def("reset", &reset, nb::arg("mask").none(), nb::arg("keyframe"));
  cls.def("perturb", &perturb, nb::arg("seed"), nb::arg("scale"), nb::arg("mask").none());
  cls.def("perturb_seeds", &perturbSeeds, nb::arg("seeds"), nb::arg("scale"),
          nb::arg("mask").none());
  cls.def("set_const", [](Batch& self) {
    nb::gil_scoped_release released;
    check(sn_batchSetConst(self.b));
  });
  cls.def("get_state", &getState, nb::arg("state"), nb::arg("sig"));
  cls.def("set_state", &setState, nb::arg("state"), nb::arg("sig"));
  cls.def("contacts", &contacts, nb::arg("room"), nb::arg("geoms"), nb::arg("distances"));
  cls.def("copy_world", &copyWorld, nb::arg("world"), nb::arg("data"));
  bindProperties(cls);
  bindQuestions(module);
}
