// Rollouts of a batch, and their gradients, as functions that XLA calls on buffers of the host, and rollouts on buffers of
// a GPU; jax.py dresses this up.
//
// A compiled program of JAX may outlive a batch, and may call it from several threads at once: it knows the
// batch by a number, and calls of one batch wait for one another.

#include <string.h>

#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "batch/batch.h"
#include "bindings.h"
#include "xla_call.h"

namespace {

using namespace xla_call;

struct Entry {
  snBatch* b;  // NULL once it is gone
  std::mutex busy;
};

std::mutex table_lock;
std::map<int64_t, std::shared_ptr<Entry>> table;

int64_t admit(uintptr_t address) {
  static int64_t last = 0;
  auto entry = std::make_shared<Entry>();
  entry->b = (snBatch*)address;
  std::lock_guard<std::mutex> guard(table_lock);
  table[++last] = entry;
  return last;
}

std::shared_ptr<Entry> find(int64_t number) {
  std::lock_guard<std::mutex> guard(table_lock);
  auto found = table.find(number);
  return found == table.end() ? nullptr : found->second;
}

void forget(int64_t number) {
  auto entry = find(number);
  if (!entry) return;
  {
    std::lock_guard<std::mutex> guard(table_lock);
    table.erase(number);
  }
  std::lock_guard<std::mutex> guard(entry->busy);
  entry->b = nullptr;
}

// ---- reading a call ----

int64_t attribute(const Frame* frame, const char* name) {
  const Attributes& all = frame->attributes;
  for (int64_t i = 0; i < all.count; i++) {
    if (std::string(all.names[i]->data, all.names[i]->length) == name)
      return *(const int64_t*)((const Scalar*)all.values[i])->value;
  }
  throw std::runtime_error(std::string("the call has no attribute ") + name);
}

// a buffer of so many numbers; where: what it is one of, for the error
const Buffer* findBuffer(const Buffers& buffers, int64_t i, size_t count, const char* where) {
  if (i >= buffers.count) throw std::runtime_error("the call has too few buffers");
  const Buffer* buffer = (const Buffer*)buffers.values[i];
  size_t size = 1;
  for (int64_t k = 0; k < buffer->rank; k++) size *= (size_t)buffer->dims[k];
  if (size != count)
    throw std::runtime_error("buffer " + std::to_string(i) + where + " should have " +
                             std::to_string(count) + " numbers, has " + std::to_string(size));
  return buffer;
}

// A buffer as double precision: in place, or by a copy of single precision, written back for results.
class Array {
 public:
  Array(const Buffers& buffers, int64_t i, size_t count, bool result) : result_(result) {
    buffer_ = findBuffer(buffers, i, count, result ? " of the results" : "");
    if (buffer_->type == DOUBLE) {
      data = (snReal*)buffer_->data;
      return;
    }
    if (buffer_->type != FLOAT) throw std::runtime_error("buffers should be of float32 or float64");
    copy_.resize(count + 1);
    data = copy_.data();
    for (size_t k = 0; !result && k < count; k++)
      data[k] = (snReal)((const float*)buffer_->data)[k];
  }

  void finish() {
    for (size_t k = 0; result_ && k + 1 < copy_.size(); k++)
      ((float*)buffer_->data)[k] = (float)data[k];
  }

  snReal* data;

 private:
  const Buffer* buffer_;
  bool result_;
  std::vector<snReal> copy_;
};

// three buffers from the i-th on: qpos, qvel and act at so many times
struct Path {
  Array qpos, qvel, act;
  snBatchPath parts;

  Path(const snBatch* b, const Buffers& buffers, int64_t i, size_t times, bool result)
      : qpos(buffers, i, times * (size_t)b->nworld * (size_t)b->model->nq, result),
        qvel(buffers, i + 1, times * (size_t)b->nworld * (size_t)b->model->nv, result),
        act(buffers, i + 2, times * (size_t)b->nworld * (size_t)b->model->na, result),
        parts{qpos.data, qvel.data, act.data} {}

  void finish() {
    qpos.finish();
    qvel.finish();
    act.finish();
  }
};

// the controls are the fourth argument, (T, nworld, nu)
size_t stepCount(const Frame* frame) {
  const Buffer* ctrl =
      frame->arguments.count > 3 ? (const Buffer*)frame->arguments.values[3] : nullptr;
  if (!ctrl || ctrl->rank != 3)
    throw std::runtime_error("controls should be of shape (T, nworld, nu)");
  return (size_t)ctrl->dims[0];
}

void check(int code) {
  if (code) throw std::runtime_error(sn_lastError());
}

// ---- the two functions ----

// (qpos, qvel, act, ctrl) -> (qpos, qvel, act) after each step
void rollout(snBatch* b, const Frame* frame) {
  size_t times = stepCount(frame);
  Path start(b, frame->arguments, 0, 1, false), path(b, frame->results, 0, times, true);
  Array ctrl(frame->arguments, 3, times * (size_t)b->nworld * (size_t)b->model->nu, false);
  check(sn_batchRollout(b, (int)times, &start.parts, ctrl.data, &path.parts, nullptr));
  path.finish();
}

// (qpos, qvel, act, ctrl, gradients by qpos, qvel, act after each step) -> gradients by the first four
void rolloutBack(snBatch* b, const Frame* frame) {
  size_t times = stepCount(frame), n = times * (size_t)b->nworld;
  const snModel* m = b->model;
  Path start(b, frame->arguments, 0, 1, false), gradient(b, frame->arguments, 4, times, false);
  Path start_gradient(b, frame->results, 0, 1, true);
  Array ctrl(frame->arguments, 3, n * (size_t)m->nu, false),
      ctrl_gradient(frame->results, 3, n * (size_t)m->nu, true);
  std::vector<snReal> states(n * (size_t)b->state_size + 1);
  std::vector<snReal> qpos(n * (size_t)m->nq + 1), qvel(n * (size_t)m->nv + 1),
      act(n * (size_t)m->na + 1);
  snBatchPath path = {qpos.data(), qvel.data(), act.data()};
  check(sn_batchRollout(b, (int)times, &start.parts, ctrl.data, &path, states.data()));
  check(sn_batchRolloutBack(b, (int)attribute(frame, "method"), (int)times, states.data(),
                            ctrl.data, &path, &gradient.parts, &start_gradient.parts,
                            ctrl_gradient.data));
  start_gradient.finish();
  ctrl_gradient.finish();
}

// ---- on a GPU ----

// the address of a buffer of the device, whose numbers have the precision of the batch
uint64_t address(const snBatch* b, const Buffers& buffers, int64_t i, size_t count) {
  const Buffer* buffer = findBuffer(buffers, i, count, "");
  if (buffer->type != (b->options.single ? FLOAT : DOUBLE))
    throw std::runtime_error(b->options.single ? "buffers of this batch should be of float32"
                                               : "buffers of this batch should be of float64");
  return (uint64_t)(uintptr_t)buffer->data;
}

snBatchPathAt pathAt(const snBatch* b, const Buffers& buffers, size_t times) {
  const snModel* m = b->model;
  size_t n = times * (size_t)b->nworld;
  return {address(b, buffers, 0, n * (size_t)m->nq), address(b, buffers, 1, n * (size_t)m->nv),
          address(b, buffers, 2, n * (size_t)m->na)};
}

// rollout() where buffers and worlds lie on the device. XLA's stream needs no mention: the call waits for the whole device
// before it reads, and for its own steps before it returns.
void rolloutAt(snBatch* b, const Frame* frame) {
  size_t times = stepCount(frame);
  snBatchPathAt start = pathAt(b, frame->arguments, 1), path = pathAt(b, frame->results, times);
  uint64_t ctrl = address(b, frame->arguments, 3, times * (size_t)b->nworld * (size_t)b->model->nu);
  check(sn_batchRolloutAt(b, (int)times, &start, ctrl, &path));
}

// ---- what XLA sees ----

Error* fail(const Frame* frame, const char* message) {
  ErrorArguments arguments = {sizeof(arguments), nullptr, message, INVALID_ARGUMENT};
  return frame->interface->makeError(&arguments);
}

// whether XLA only asks which version of its interface this was written for
bool isQuestion(const Frame* frame) {
  Extension* extension = frame->extensions;
  if (!extension || extension->type != METADATA) return false;
  Metadata* metadata = ((MetadataExtension*)extension)->metadata;
  metadata->version.major = 0;
  metadata->version.minor = 1;
  metadata->traits = 0;
  return true;
}

template <void (*function)(snBatch*, const Frame*)>
Error* answer(Frame* frame) {
  if (isQuestion(frame)) return nullptr;
  try {
    auto entry = find(attribute(frame, "batch"));
    if (!entry) return fail(frame, "the batch of this function has been deleted");
    std::lock_guard<std::mutex> guard(entry->busy);
    if (!entry->b) return fail(frame, "the batch of this function has been deleted");
    function(entry->b, frame);
  } catch (const std::exception& error) {
    return fail(frame, error.what());
  }
  return nullptr;
}

// every member's place, for a comparison with XLA's own header
std::vector<size_t> layout() {
  return {sizeof(Extension),
          offsetof(Extension, next),
          offsetof(Version, major),
          offsetof(Version, minor),
          offsetof(Metadata, version),
          offsetof(Metadata, traits),
          offsetof(MetadataExtension, metadata),
          offsetof(Buffer, type),
          offsetof(Buffer, data),
          offsetof(Buffer, rank),
          offsetof(Buffer, dims),
          offsetof(Text, length),
          offsetof(Scalar, value),
          offsetof(Buffers, count),
          offsetof(Buffers, values),
          offsetof(Attributes, names),
          offsetof(Attributes, values),
          offsetof(ErrorArguments, message),
          offsetof(ErrorArguments, code),
          offsetof(Interface, makeError),
          offsetof(Frame, interface),
          offsetof(Frame, stage),
          offsetof(Frame, arguments),
          offsetof(Frame, results),
          offsetof(Frame, attributes),
          (size_t)METADATA,
          (size_t)EXECUTE,
          (size_t)INVALID_ARGUMENT,
          (size_t)FLOAT,
          (size_t)DOUBLE};
}

}  // namespace

void bindXla(nb::module_& module) {
  module.def("_xla_admit", &admit, nb::arg("address"));
  module.def("_xla_forget", [](int64_t number) {
    nb::gil_scoped_release released;
    forget(number);
  });
  module.def("_xla_targets", [] {
    nb::dict targets;
    targets["sinew_rollout"] = nb::capsule((void*)&answer<rollout>, "xla._CUSTOM_CALL_TARGET");
    targets["sinew_rollout_back"] =
        nb::capsule((void*)&answer<rolloutBack>, "xla._CUSTOM_CALL_TARGET");
    return targets;
  });
  module.def("_xla_gpu_targets", [] {
    nb::dict targets;
    targets["sinew_rollout_gpu"] =
        nb::capsule((void*)&answer<rolloutAt>, "xla._CUSTOM_CALL_TARGET");
    return targets;
  });
  module.def("_xla_layout", [] {
    nb::list places;
    for (size_t place : layout()) places.append(place);
    return places;
  });
}
