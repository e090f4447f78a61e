// Open-loop rollouts of many trajectories, on one thread or several.

#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <memory>
#include <mutex>

#include "arrays.h"
#include "base/parallel.h"
#include "guard.h"

namespace {

// Threads that are kept between calls.
struct RolloutPool {
  snWorkers* workers;
  explicit RolloutPool(int nthread) : workers(sn_workersCreate(nthread)) {
    if (!workers) throw std::bad_alloc();
  }
  ~RolloutPool() { sn_workersDelete(workers); }
  RolloutPool(const RolloutPool&) = delete;
};

// What all trajectories of one call share; nullable arrays are NULL.
struct Job {
  std::vector<const snModel*> models;
  std::vector<snData*> data;  // one for each thread
  std::vector<std::unique_ptr<snData, void (*)(snData*)>> copies;
  int nbatch, nstep, control_spec;
  int chunk;  // trajectories to take at a time; 0: fewer towards the end, so that threads end at about the same time
  const snReal *initial, *warmstart, *control;
  snReal *state, *sensordata;

  PyObject* progress = nullptr;    // nullable: told about steps done, ten times a second
  std::atomic<int64_t> done{0};    // steps
  std::atomic<int64_t> told{0};    // when it was told last, nanoseconds
  std::atomic<int> next{0};        // trajectory that nobody has taken yet
  std::atomic<bool> ended{false};  // by an exception
  std::mutex mutex;
  std::exception_ptr problem;
};

// inputs that the controls do not name are cleared
void clearInputs(const snModel* m, snData* d, int control_spec) {
  if (!(control_spec & snSTATE_CTRL)) snu_zero(d->ctrl, (int)m->nu);
  if (!(control_spec & snSTATE_QFRC_APPLIED)) snu_zero(d->qfrc_applied, (int)m->nv);
  if (!(control_spec & snSTATE_XFRC_APPLIED)) snu_zero(d->xfrc_applied, 6 * (int)m->nbody);
}

// mocap bodies and equalities start every trajectory as the model has them
void resetInputs(const snModel* m, snData* d, int control_spec) {
  for (int body = 0; body < m->nbody; body++) {
    int id = m->body_mocapid[body];
    if (id < 0) continue;
    if (!(control_spec & snSTATE_MOCAP_POS))
      snu_copy3(d->mocap_pos + 3 * id, m->body_pos + 3 * body);
    if (!(control_spec & snSTATE_MOCAP_QUAT))
      snu_copy4(d->mocap_quat + 4 * id, m->body_quat + 4 * body);
  }
  if (!(control_spec & snSTATE_EQ_ACTIVE) && m->neq) {
    memcpy(d->eq_active, m->eq_active0, (size_t)m->neq);
  }
}

int64_t nanoseconds() {
  return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

void tell(Job& job, int64_t done) {
  nb::gil_scoped_acquire gil;
  nb::handle(job.progress)(done, (int64_t)job.nbatch * job.nstep);
}

// the first thread for which it is time reports progress; exceptions of the function end the rollout
void countStep(Job& job) {
  int64_t done = ++job.done, now = nanoseconds(), before = job.told;
  if (now - before > 100000000 && job.told.compare_exchange_strong(before, now)) tell(job, done);
}

bool warned(const snData* d) {
  for (int i = 0; i < snNWARNING; i++) {
    if (d->warning[i].number) return true;
  }
  return false;
}

void runTrajectory(Job& job, snData* d, size_t r, Interrupts* interrupts) {
  const snModel* m = job.models[job.models.size() == 1 ? 0 : r];
  size_t nstate = (size_t)sn_stateSize(m, snSTATE_FULLPHYSICS), nsensor = (size_t)m->nsensordata;
  size_t ncontrol = (size_t)sn_stateSize(m, job.control_spec), nstep = (size_t)job.nstep;
  resetInputs(m, d, job.control_spec);
  sn_setState(m, d, job.initial + r * nstate, snSTATE_FULLPHYSICS);
  if (job.warmstart) {
    snu_copy(d->qacc_warmstart, job.warmstart + r * (size_t)m->nv, (int)m->nv);
  } else {
    snu_zero(d->qacc_warmstart, (int)m->nv);
  }
  for (int i = 0; i < snNWARNING; i++) d->warning[i].number = 0;

  // a trajectory that has gone wrong stands still
  bool stopped = false;
  for (size_t t = 0; t < nstep && !job.ended; t++) {
    interrupts->ask();
    stopped = stopped || warned(d);
    size_t row = r * nstep + t;
    if (!stopped) {
      if (job.control) sn_setState(m, d, job.control + row * ncontrol, job.control_spec);
      sn_step(m, d);
    }
    if (job.progress) countStep(job);
    if (job.state) sn_getState(m, d, job.state + row * nstate, snSTATE_FULLPHYSICS);
    if (job.sensordata) snu_copy(job.sensordata + row * nsensor, d->sensordata, (int)nsensor);
  }
}

// the next trajectories from begin; 0 when none are left
int takeChunk(Job& job, int* begin) {
  *begin = job.next;
  for (;;) {
    int left = job.nbatch - *begin,
        size = job.chunk ? job.chunk : left / (4 * (int)job.data.size());
    if (left <= 0) return 0;
    size = size < 1 ? 1 : size < left ? size : left;
    if (job.next.compare_exchange_weak(*begin, *begin + size)) return size;
  }
}

// one worker: its own data, and chunks of trajectories until none is left
void runWorker(Job& job, int worker) {
  snData* d = job.data[(size_t)worker];
  StackGuard stack(d);
  Interrupts interrupts;
  int begin, size;
  while ((size = takeChunk(job, &begin)) > 0) {
    clearInputs(job.models[0], d, job.control_spec);
    for (int r = begin; r < begin + size; r++) runTrajectory(job, d, (size_t)r, &interrupts);
  }
}

// exceptions of engine errors, callbacks and Ctrl-C end the other threads' work and wait for them
void runWorkers(void* context, int begin, int end) {
  Job& job = *(Job*)context;
  guarded_calls++;
  for (int worker = begin; worker < end; worker++) {
    try {
      runWorker(job, worker);
    } catch (...) {
      std::lock_guard<std::mutex> lock(job.mutex);
      if (!job.problem) job.problem = std::current_exception();
      job.next = job.nbatch;
      job.ended = true;
    }
  }
  guarded_calls--;
}

void fillHandles(Job& job, const nb::list& models, const nb::list& data) {
  for (nb::handle model : models) job.models.push_back(nb::cast<Model&>(model).m);
  for (nb::handle item : data) {
    Data& handle = nb::cast<Data&>(item);
    for (nb::handle model : models) handle.of(nb::cast<Model&>(model));
    job.data.push_back(handle.ready());
    if (std::count(job.data.begin(), job.data.end(), handle.d) == 1) continue;
    // threads cannot share a data
    job.copies.emplace_back(sn_copyData(nullptr, job.models[0], handle.d), sn_deleteData);
    if (!job.copies.back()) throw std::bad_alloc();
    job.data.back() = job.copies.back().get();
  }
  if (job.models.empty() || job.data.empty()) throw nb::value_error("no model or no data");
  if (job.models.size() != 1 && (int)job.models.size() < job.nbatch) {
    throw nb::value_error("there are fewer models than trajectories");
  }
}

void checkArrays(const Job& job, const In<double>& initial, const InOptional<double>& warmstart,
                 const InOptional<double>& control, const OutOptional<double>& state,
                 const OutOptional<double>& sensordata) {
  const snModel* m = job.models[0];
  snSize nstate = sn_stateSize(m, snSTATE_FULLPHYSICS), nbatch = job.nbatch, nstep = job.nstep;
  expect(initial, nbatch * nstate, "initial_state", "(nbatch, nstate)");
  expect(warmstart, nbatch * m->nv, "initial_warmstart", "(nbatch, nv)");
  expect(control, nbatch * nstep * sn_stateSize(m, job.control_spec), "control",
         "(nbatch, nstep, ncontrol)");
  expect(state, nbatch * nstep * nstate, "state", "(nbatch, nstep, nstate)");
  expect(sensordata, nbatch * nstep * m->nsensordata, "sensordata", "(nbatch, nstep, nsensordata)");
}

void rollout(RolloutPool* pool, nb::list models, nb::list data, int nbatch, int nstep,
             int control_spec, int chunk, In<double> initial, InOptional<double> warmstart,
             InOptional<double> control, OutOptional<double> state, OutOptional<double> sensordata,
             nb::object progress) {
  Job job;
  job.nbatch = nbatch;
  job.nstep = nstep;
  job.control_spec = control_spec;
  if (nbatch < 0 || nstep < 0) throw nb::value_error("nbatch and nstep cannot be negative");
  fillHandles(job, models, data);
  checkArrays(job, initial, warmstart, control, state, sensordata);
  int nthread = pool ? (int)job.data.size() : 1;
  job.chunk = chunk > 0 ? chunk : 0;
  job.initial = initial.data;
  job.warmstart = warmstart.data;
  job.control = control.data;
  job.state = state.data;
  job.sensordata = sensordata.data;
  job.progress = progress.is_none() ? nullptr : progress.ptr();
  job.told = nanoseconds();
  {
    nb::gil_scoped_release released;
    if (pool) {
      sn_parallelFor(pool->workers, nthread, 1, runWorkers, &job);
    } else {
      runWorkers(&job, 0, 1);
    }
  }
  if (job.problem) std::rethrow_exception(job.problem);
  if (job.progress) tell(job, job.done);
}

}  // namespace

void bindRollout(nb::module_& module) {
  nb::class_<RolloutPool>(module, "_RolloutPool").def(nb::init<int>(), nb::arg("nthread"));
  module.def("_rollout", &rollout, nb::arg("pool").none(), nb::arg("models"), nb::arg("data"),
             nb::arg("nbatch"), nb::arg("nstep"), nb::arg("control_spec"), nb::arg("chunk"),
             nb::arg("initial_state"), nb::arg("initial_warmstart").none(),
             nb::arg("control").none(), nb::arg("state").none(), nb::arg("sensordata").none(),
             nb::arg("progress").none() = nb::none());
}
