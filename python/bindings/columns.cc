// Numbers of every world, gathered into the rows of one array: what an environment observes.

#include <math.h>

#include <vector>

#include "arrays.h"
#include "batch/batch.h"

namespace {

enum Operation { COPY, COSINE, SINE, CLIP, SQUARES, WEIGHTED, INSIDE, AND_INSIDE, LENGTH };

// Some numbers of a field, and what becomes of them.
struct Part {
  std::string field;
  int operation;
  int first, count;             // entries of the field in one world
  double low, high;             // CLIP, SQUARES: clipped to this range; INSIDE: within it, open
  std::vector<double> weights;  // WEIGHTED, LENGTH: of the field's rows; count is that of columns
  int width;                    // columns of the result
};

struct Columns {
  snBatch* b;
  int generation;  // of the batch that the views belong to
  std::vector<Part> parts;
  std::vector<snBatchView> views;
  int width;
};

double clip(double value, const Part& part) {
  // as NumPy does, NaN stays NaN
  return value < part.low ? part.low : value > part.high ? part.high : value;
}

double inside(const double* in, const Part& part) {
  int all = 1;
  for (int k = 0; k < part.count; k++) all &= in[k] > part.low && in[k] < part.high;
  return all;
}

void weigh(const Part& part, const double* in, snSize row, double* out) {
  for (int c = 0; c < part.count; c++) out[c] = 0;
  for (size_t r = 0; r < part.weights.size(); r++) {
    for (int c = 0; c < part.count; c++) out[c] += part.weights[r] * in[(snSize)r * row + c];
  }
}

double lengthOf(const Part& part, const double* in, snSize row) {
  double v[3] = {0, 0, 0};
  weigh(part, in, row, v);
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

void gather(const Part& part, const double* field, snSize row, double* out) {
  const double* in = field + part.first;
  switch (part.operation) {
    case COPY: memcpy(out, in, (size_t)part.count * sizeof(double)); break;
    case COSINE:
      for (int k = 0; k < part.count; k++) out[k] = cos(in[k]);
      break;
    case SINE:
      for (int k = 0; k < part.count; k++) out[k] = sin(in[k]);
      break;
    case CLIP:
      for (int k = 0; k < part.count; k++) out[k] = clip(in[k], part);
      break;
    case SQUARES:
      out[0] = 0;
      for (int k = 0; k < part.count; k++) out[0] += clip(in[k], part) * clip(in[k], part);
      break;
    case INSIDE: out[0] = inside(in, part); break;
    case AND_INSIDE: out[-1] *= inside(in, part); break;
    case WEIGHTED: weigh(part, in, row, out); break;
    default: out[0] = lengthOf(part, in, row);
  }
}

struct GatherJob {
  const Columns* columns;
  double* out;
  bool by_column;  // out is width x nworld, else nworld x width
};

enum { WIDEST = 64 };  // columns that are gathered before they are spread

void gatherWorld(const Columns& columns, int i, double* row) {
  for (size_t k = 0; k < columns.parts.size(); k++) {
    const snBatchView& view = columns.views[k];
    const double* field = (const double*)((const char*)view.data + i * view.stride);
    gather(columns.parts[k], field, view.columns, row);
    row += columns.parts[k].width;
  }
}

void gatherRange(void* context, int begin, int end) {
  const GatherJob* job = (const GatherJob*)context;
  const Columns& columns = *job->columns;
  size_t width = (size_t)columns.width, nworld = (size_t)columns.b->nworld;
  for (int i = begin; i < end; i++) {
    if (!job->by_column) {
      gatherWorld(columns, i, job->out + (size_t)i * width);
      continue;
    }
    double row[WIDEST];
    gatherWorld(columns, i, row);
    for (size_t k = 0; k < width; k++) job->out[k * nworld + (size_t)i] = row[k];
  }
}

void findViews(Columns& self) {
  for (size_t k = 0; k < self.parts.size(); k++) {
    const Part& part = self.parts[k];
    snBatchView& view = self.views[k];
    if (!sn_batchField(self.b, part.field.c_str(), &view) || view.type != 'd' || view.on_gpu)
      throw nb::value_error(("no field of real numbers on the CPU: " + part.field).c_str());
    bool weighted = part.operation == WEIGHTED || part.operation == LENGTH;
    snSize entries = weighted ? (snSize)part.weights.size() * view.columns : part.count;
    if (weighted && part.count > view.columns) throw nb::index_error("more columns than the field");
    if (part.first < 0 || part.count < 0 || part.first + entries > view.rows * view.columns)
      throw nb::index_error(("the field has fewer entries: " + part.field).c_str());
  }
  self.generation = sn_batchGeneration(self.b);
}

int widthOf(const Part& part) {
  switch (part.operation) {
    case SQUARES:
    case INSIDE:
    case LENGTH: return 1;
    case AND_INSIDE: return 0;
    default: return part.count;
  }
}

void makeColumns(Columns* self, uintptr_t batch, nb::list parts) {
  new (self) Columns{reinterpret_cast<snBatch*>(batch), 0, {}, {}, 0};
  for (nb::handle item : parts) {
    nb::tuple given = nb::cast<nb::tuple>(item);
    Part part = {nb::cast<std::string>(given[0]),
                 nb::cast<int>(given[1]),
                 nb::cast<int>(given[2]),
                 nb::cast<int>(given[3]),
                 nb::cast<double>(given[4]),
                 nb::cast<double>(given[5]),
                 {},
                 0};
    if (part.operation < COPY || part.operation > LENGTH)
      throw nb::value_error("no such operation");
    for (nb::handle weight : nb::cast<nb::list>(given[6]))
      part.weights.push_back(nb::cast<double>(weight));
    part.width = widthOf(part);
    if (part.operation == LENGTH && part.count > 3) throw nb::value_error("lengths are of vectors");
    if (part.operation == AND_INSIDE && !self->width) throw nb::value_error("and of nothing");
    self->width += part.width;
    self->parts.push_back(part);
  }
  self->views.resize(self->parts.size());
  findViews(*self);
}

// The numbers of all worlds; the GIL is not held.
void fillColumns(const Columns& self, double* out, bool by_column) {
  GatherJob job = {&self, out, by_column};
  sn_parallelFor(self.b->workers, self.b->nworld, 64, gatherRange, &job);
}

void prepare(Columns& self, const Out<double>& out, bool by_column) {
  expect(out, (snSize)self.b->nworld * self.width, "out", "(nworld, width)");
  if (by_column && self.width > WIDEST) throw nb::value_error("too many columns");
}

void refresh(Columns& self) {
  if (self.generation != sn_batchGeneration(self.b)) findViews(self);
}

void fill(Columns& self, Out<double> out, bool by_column) {
  prepare(self, out, by_column);
  refresh(self);
  nb::gil_scoped_release released;
  fillColumns(self, out.data, by_column);
}

// ---- actions ----

// Controls of a world from an action; one that is not finite becomes zero, which is what a step would make of it.
template <typename T>
bool setControls(snData* d, const T* action, snSize nu) {
  for (snSize k = 0; k < nu; k++) {
    if (!isfinite((double)action[k])) {
      for (snSize c = 0; c < nu; c++) d->ctrl[c] = 0;
      return false;
    }
  }
  for (snSize k = 0; k < nu; k++) d->ctrl[k] = action[k];
  return true;
}

// The sum of squares in the order of numpy.sum, so that costs of actions are Gymnasium's to the last bit: eight sums side
// by side where there are as many numbers, one otherwise.
template <typename T>
T sumOfSquares(const T* a, snSize n) {
  snSize k = 0;
  T sum = 0;
  if (n >= 8) {
    T r[8];
    for (int c = 0; c < 8; c++) r[c] = a[c] * a[c];
    for (k = 8; k + 8 <= n; k += 8) {
      for (int c = 0; c < 8; c++) r[c] += a[k + c] * a[k + c];
    }
    sum = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
  }
  for (; k < n; k++) sum += a[k] * a[k];
  return sum;
}

template <typename T>
using Actions = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Actions of one step: what becomes of them.
template <typename T>
struct Act {
  snBatch* b;
  const T* actions;
  int nstep;
  InOptional<int>& worlds;
  snByte* flags;  // 2 x nworld: whether an action was bad, and whether the world failed
  T* effort;      // nworld: sums of squares

  Act(uintptr_t batch, const Actions<T>& given, int n, InOptional<int>& list, Out<snByte>& marks,
      Out<T>& squares)
      : b(reinterpret_cast<snBatch*>(batch)),
        actions(given.data()),
        nstep(n),
        worlds(list),
        flags(marks.data),
        effort(squares.data) {
    if ((snSize)given.shape(0) != b->nworld || (snSize)given.shape(1) != b->model->nu)
      throw nb::value_error("actions should be of shape (nworld, nu)");
    expect(marks, 2 * (snSize)b->nworld, "flags", "(2, nworld)");
    expect(squares, b->nworld, "effort", "nworld");
  }

  int count() const { return worlds.none() ? b->nworld : (int)worlds.size; }
  int world(int k) const { return worlds.none() ? k : worlds.data[k]; }

  // step the worlds of the list, all when it is None; whether there is anything to say of any
  bool run() {
    snSize nu = b->model->nu;
    snByte *bad = flags, *failed = flags + b->nworld;
    int any = 0;
    memset(flags, 0, 2 * (size_t)b->nworld);
    for (int k = 0; k < count(); k++) {
      int i = world(k);
      if (i < 0 || i >= b->nworld) continue;
      bad[i] = !setControls(b->worlds[i].data, actions + i * nu, nu);
      effort[i] = bad[i] ? 0 : sumOfSquares(actions + i * nu, nu);
      failed[i] = (snByte)(b->failures[i] & 255);
      any |= bad[i];
    }
    if (worlds.none()) {
      sn_batchStep(b, nstep);
    } else {
      sn_batchStepSubset(b, worlds.data, count(), nstep);
    }
    for (int k = 0; k < count(); k++) {
      int i = world(k);
      if (i < 0 || i >= b->nworld) continue;
      failed[i] = failed[i] != (snByte)(b->failures[i] & 255);
      any |= failed[i];
    }
    return any != 0;
  }
};

template <typename T>
bool act(uintptr_t batch, Actions<T> actions, int nstep, InOptional<int> worlds, Out<snByte> flags,
         Out<T> effort) {
  Act<T> step(batch, actions, nstep, worlds, flags, effort);
  nb::gil_scoped_release released;
  return step.run();
}

// A whole step of an environment: all worlds, forces of bodies where they are asked for, observations, measures.
template <typename T>
bool play(Columns& observe, Columns& measure, Actions<T> actions, int nstep, bool forces,
          Out<snByte> flags, Out<T> effort, Out<double> observations, Out<double> measures) {
  InOptional<int> all;
  Act<T> step(reinterpret_cast<uintptr_t>(observe.b), actions, nstep, all, flags, effort);
  prepare(observe, observations, false);
  prepare(measure, measures, true);
  nb::gil_scoped_release released;
  bool any = step.run();
  if (forces) sn_batchRnePostConstraint(observe.b);
  if (observe.generation != sn_batchGeneration(observe.b)) {
    nb::gil_scoped_acquire held;
    refresh(observe);
    refresh(measure);
  }
  fillColumns(observe, observations.data, false);
  fillColumns(measure, measures.data, true);
  return any;
}

template <typename T>
void bindActions(nb::module_& module, nb::class_<Columns>& columns) {
  module.def("_act", &act<T>, nb::arg("batch"), nb::arg("actions").noconvert(), nb::arg("nstep"),
             nb::arg("worlds").none(), nb::arg("flags"), nb::arg("effort"));
  columns.def("play", &play<T>, nb::arg("measure"), nb::arg("actions").noconvert(),
              nb::arg("nstep"), nb::arg("forces"), nb::arg("flags"), nb::arg("effort"),
              nb::arg("observations"), nb::arg("measures"));
}

}  // namespace

void bindColumns(nb::module_& module) {
  nb::class_<Columns> columns(module, "_Columns");
  columns.def("__init__", &makeColumns, nb::arg("batch"), nb::arg("parts"));
  columns.def_prop_ro("width", [](const Columns& self) { return self.width; });
  columns.def("fill", &fill, nb::arg("out"), nb::arg("by_column"));
  bindActions<float>(module, columns);
  bindActions<double>(module, columns);
}
