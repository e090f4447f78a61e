// Batches in C: the same bits for any number of threads, no allocation in a step, rewards and
// callbacks, failed worlds, devices.

#define _POSIX_C_SOURCE 200112L
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "harness.h"
#include "heap.h"
#include "sinew/batch.h"
#include "sinew/gpu.h"

static const char* XML =
    "<mujoco><option timestep='0.002'/><worldbody><geom type='plane' size='2 2 .1'/>"
    "<body pos='0 0 .3'><freejoint/><geom type='capsule' size='.1 .2'/>"
    "<body pos='0 0 .2'><joint name='j' axis='0 1 0' damping='.1' range='-60 60' limited='true'/>"
    "<geom type='capsule' size='.05' fromto='0 0 0 .3 0 0'/></body></body></worldbody>"
    "<actuator><motor joint='j'/></actuator></mujoco>";

enum { NWORLD = 37, NSTEP = 60 };

static snBatch* make(const snModel* m, int nworld, int nthread) {
  snBatchOptions options;
  char error[300] = "";
  sn_defaultBatchOptions(&options);
  options.nthread = nthread;
  snBatch* b = sn_makeBatch(m, nworld, &options, error, sizeof(error));
  if (!b) fail_msg("%s", error);
  sn_batchPerturb(b, NULL, 5, 0.05);
  return b;
}

static void test_threads_1_2_16_have_the_same_bits(void** state) {
  (void)state;
  snModel* m = loadXML(XML);
  int size = sn_stateSize(m, snSTATE_INTEGRATION), threads[] = {1, 2, 16};
  size_t bytes = sizeof(snReal) * (size_t)(size * NWORLD);
  snReal *first = (snReal*)malloc(bytes), *other = (snReal*)malloc(bytes);
  for (int k = 0; k < 3; k++) {
    snBatch* b = make(m, NWORLD, threads[k]);
    sn_batchStep(b, NSTEP);
    sn_batchGetState(b, k ? other : first, snSTATE_INTEGRATION);
    if (k) assert_memory_equal(first, other, bytes);
    sn_deleteBatch(b);
  }
  free(first);
  free(other);
  sn_deleteModel(m);
}

static void test_no_allocation_while_stepping(void** state) {
  (void)state;
  snModel* m = loadXML(XML);
  int list[] = {3, 30, 7, 3, 30, 3, -1, 1000};
  snReal* ctrl = (snReal*)malloc(sizeof(snReal) * (size_t)(20 * NWORLD * m->nu));
  for (int k = 0; k < 20 * NWORLD * m->nu; k++) ctrl[k] = 0.1;
  snBatch* b = make(m, NWORLD, 4);
  sn_batchStep(b, 1);
  allocations = 0;
  sn_batchStep(b, NSTEP);
  sn_batchStepControls(b, 20, ctrl);
  sn_batchStepSubset(b, list, 8, 5);
  assert_close(sn_batchData(b, 3)->time - sn_batchData(b, 4)->time, 0.01, 1e-12);
  sn_batchReset(b, NULL, -1);
  sn_batchForward(b);
  assert_int_equal(allocations, 0);
  sn_deleteBatch(b);
  free(ctrl);
  sn_deleteModel(m);
}

// ---- functions of the user ----

static snReal height(const snModel* m, const snData* d, void* user) {
  (void)m;
  return d->qpos[2] * *(const snReal*)user;
}

static int low(const snModel* m, const snData* d, void* user) {
  (void)m, (void)user;
  return d->qpos[2] < 0.25;
}

static void push(const snModel* m, snData* d) {
  (void)m;
  d->qfrc_applied[0] = 1;
}

static void test_rewards_ends_and_callbacks(void** state) {
  (void)state;
  snModel* m = loadXML(XML);
  snReal factor = 2;
  snCallbacks callbacks;
  memset(&callbacks, 0, sizeof(callbacks));
  callbacks.control = push;
  snBatchOptions options;
  sn_defaultBatchOptions(&options);
  options.nthread = 2;
  options.max_steps = 40;
  options.reward = height;
  options.terminated = low;
  options.user = &factor;
  options.callbacks = &callbacks;
  char error[300] = "";
  snBatch* b = sn_makeBatch(m, 3, &options, error, sizeof(error));
  assert_non_null(b);
  sn_batchData(b, 1)->qpos[2] = 0.2;
  sn_batchStep(b, 1);
  assert_int_equal(sn_batchTerminated(b)[0], 0);
  assert_int_equal(sn_batchTerminated(b)[1], 1);
  sn_batchStep(b, 38);
  snData* alone = sn_makeData(m);
  alone->callback = callbacks;
  for (int i = 0; i < 39; i++) sn_step(m, alone);
  assert_true(alone->qpos[0] > 1e-4);
  assert_memory_equal(sn_batchData(b, 0)->qpos, alone->qpos, sizeof(snReal) * (size_t)m->nq);
  assert_true(sn_batchRewards(b)[0] == 2 * alone->qpos[2]);
  assert_int_equal(sn_batchTerminated(b)[0], alone->qpos[2] < 0.25);
  assert_int_equal(sn_batchTruncated(b)[0], 0);
  sn_batchStep(b, 1);
  assert_int_equal(sn_batchTruncated(b)[0], 1);

  // what a GPU cannot call is refused, or left to the CPU, before any driver is looked for
  options.device = snDEVICE_GPU;
  assert_null(sn_makeBatch(m, 3, &options, error, sizeof(error)));
  assert_non_null(strstr(error, "a reward function"));
  options.reward = NULL;
  assert_null(sn_makeBatch(m, 3, &options, error, sizeof(error)));
  assert_non_null(strstr(error, "a termination function"));
  options.terminated = NULL;
  assert_null(sn_makeBatch(m, 3, &options, error, sizeof(error)));
  assert_non_null(strstr(error, "user callbacks"));
  sn_deleteData(alone);
  sn_deleteBatch(b);
  sn_deleteModel(m);
}

// adds the difference between the height that a sensor has and that of the body
static int sensorLags(const snModel* m, const snData* d, void* user) {
  (void)m;
  *(snReal*)user += fabs(d->sensordata[2] - d->xpos[5]);
  return 0;
}

static void test_a_function_of_the_user_sees_the_sensors_of_every_step(void** state) {
  (void)state;
  snModel* m = loadXML(
      "<mujoco><worldbody><body name='b'><freejoint/><geom size='.1'/></body></worldbody>"
      "<sensor><framepos objtype='body' objname='b'/></sensor></mujoco>");
  snReal lag = 0;
  snBatchOptions options;
  sn_defaultBatchOptions(&options);
  options.terminated = sensorLags;
  options.user = &lag;
  snBatch* b = sn_makeBatch(m, 1, &options, NULL, 0);
  assert_non_null(b);
  sn_batchStep(b, 50);
  const snData* d = sn_batchData(b, 0);
  assert_true(d->xpos[5] < -0.01);
  assert_true(lag == 0);
  sn_deleteBatch(b);
  sn_deleteModel(m);
}

static void test_failed_worlds(void** state) {
  (void)state;
  snModel* m = loadXML(XML);
  snBatch *b = make(m, 5, 2), *healthy = make(m, 5, 2);
  sn_batchData(b, 2)->qvel[1] = NAN;
  for (int k = 0; k < 2; k++) {
    sn_batchStep(b, 1);
    sn_batchStep(healthy, 1);
    for (int i = 0; i < 5; i++) {
      assert_int_equal(sn_batchTerminated(b)[i], k == 0 && i == 2);
      assert_int_equal(sn_batchFailures(b)[i], i == 2);
      assert_int_equal(sn_batchStatus(b)[i] != 0, k == 0 && i == 2);
      if (i == 2) continue;
      assert_memory_equal(sn_batchData(b, i)->qpos, sn_batchData(healthy, i)->qpos,
                          sizeof(snReal) * (size_t)m->nq);
    }
  }
  assert_true(isfinite(sn_batchData(b, 2)->qpos[0]));
  sn_deleteBatch(b);
  sn_deleteBatch(healthy);
  sn_deleteModel(m);
}

static void test_views_and_copies(void** state) {
  (void)state;
  snModel* m = loadXML(XML);
  snBatch* b = make(m, 4, 1);
  snBatchView view;
  snReal values[4 * 7];
  assert_int_equal(sn_batchField(b, "qvel", &view), 1);
  assert_int_equal(view.rows, m->nv);
  assert_int_equal(view.on_gpu, 0);
  for (int k = 0; k < 28; k++) values[k] = k;
  assert_int_equal(sn_batchWrite(b, &view, values), 0);
  assert_true(sn_batchData(b, 2)->qvel[1] == 15);
  memset(values, 0, sizeof(values));
  assert_int_equal(sn_batchRead(b, &view, values), 0);
  assert_true(values[27] == 27);
  assert_int_equal(sn_batchField(b, "nothing", &view), 0);
  snData* d = sn_makeData(m);
  assert_int_equal(sn_batchCopyWorld(b, 3, d), 0);
  assert_true(d->qvel[6] == 27);
  sn_deleteData(d);
  sn_deleteBatch(b);
  sn_deleteModel(m);
}

static void test_transitions_predict_the_next_step(void** state) {
  (void)state;
  snModel* m = loadXML(XML);
  enum { N = 6, NV = 7 };
  static snReal A[N][2 * NV][2 * NV], B[N][2 * NV][1];
  snReal before[N][NV], eps = 1e-5;
  snBatch* b = make(m, N, 2);
  int size = sn_stateSize(m, snSTATE_INTEGRATION);
  snReal* start = (snReal*)malloc(sizeof(snReal) * (size_t)(size * N));
  sn_batchStep(b, 10);
  sn_batchGetState(b, start, snSTATE_INTEGRATION);
  assert_int_equal(sn_batchTransition(b, snTRANSITION_ANALYTIC, NULL, A[0][0], B[0][0]), 0);
  sn_batchStep(b, 1);
  for (int i = 0; i < N; i++) memcpy(before[i], sn_batchData(b, i)->qvel, sizeof(before[i]));
  sn_batchSetState(b, start, snSTATE_INTEGRATION);
  for (int i = 0; i < N; i++) sn_batchData(b, i)->qvel[6] += eps;
  sn_batchStep(b, 1);
  for (int i = 0; i < N; i++) {
    for (int k = 0; k < NV; k++) {
      snReal change = (sn_batchData(b, i)->qvel[k] - before[i][k]) / eps;
      assert_close(change, A[i][NV + k][NV + 6], 1e-4);
    }
  }
  assert_int_equal(sn_batchTransition(b, 7, NULL, A[0][0], NULL), -1);
  assert_non_null(strstr(sn_lastError(), "no such method"));
  free(start);
  sn_deleteBatch(b);
  sn_deleteModel(m);
}

// height of the last state of each world under controls
static snReal lastHeights(snBatch* b, int nstep, const snBatchPath* start, const snReal* ctrl,
                          const snBatchPath* path, snReal* states) {
  enum { N = 4, NQ = 8 };
  assert_int_equal(sn_batchRollout(b, nstep, start, ctrl, path, states), 0);
  snReal sum = 0;
  for (int i = 0; i < N; i++) sum += path->qpos[((nstep - 1) * N + i) * NQ + 2];
  return sum;
}

static void test_gradients_of_a_rollout_are_those_of_differences(void** state) {
  (void)state;
  enum { N = 4, T = 5, NQ = 8, NV = 7 };
  snModel* m = loadXML(XML);
  snBatch* b = make(m, N, 2);
  int size = sn_stateSize(m, snSTATE_INTEGRATION);
  snReal qpos[N][NQ], qvel[N][NV], none[1] = {0}, ctrl[T][N] = {{0}};
  static snReal path_q[T][N][NQ], path_v[T][N][NV], by_q[T][N][NQ], by_v[T][N][NV];
  snReal start_q[N][NQ], start_v[N][NV], by_ctrl[T][N], eps = 1e-5;
  snReal* states = (snReal*)malloc(sizeof(snReal) * (size_t)(size * N * T));
  sn_batchStep(b, 120);  // onto the floor
  for (int i = 0; i < N; i++) {
    memcpy(qpos[i], sn_batchData(b, i)->qpos, sizeof(qpos[i]));
    memcpy(qvel[i], sn_batchData(b, i)->qvel, sizeof(qvel[i]));
    by_q[T - 1][i][2] = 1;
  }
  snBatchPath start = {qpos[0], qvel[0], none}, path = {path_q[0][0], path_v[0][0], none};
  snBatchPath gradient = {by_q[0][0], by_v[0][0], none}, found = {start_q[0], start_v[0], none};
  lastHeights(b, T, &start, ctrl[0], &path, states);
  assert_int_equal(sn_batchRolloutBack(b, snTRANSITION_ANALYTIC, T, states, ctrl[0], &path,
                                       &gradient, &found, by_ctrl[0]),
                   0);
  for (int i = 0; i < N; i++) {
    ctrl[1][i] = eps;
    snReal up = lastHeights(b, T, &start, ctrl[0], &path, NULL);
    ctrl[1][i] = -eps;
    snReal down = lastHeights(b, T, &start, ctrl[0], &path, NULL);
    ctrl[1][i] = 0;
    assert_close(by_ctrl[1][i], (up - down) / (2 * eps), 1e-7);
    qvel[i][2] += eps;
    up = lastHeights(b, T, &start, ctrl[0], &path, NULL);
    qvel[i][2] -= 2 * eps;
    down = lastHeights(b, T, &start, ctrl[0], &path, NULL);
    qvel[i][2] += eps;
    assert_close(start_v[i][2], (up - down) / (2 * eps), 1e-5);
  }
  assert_int_equal(sn_batchRollout(b, -1, &start, ctrl[0], &path, NULL), -1);
  free(states);
  sn_deleteBatch(b);
  sn_deleteModel(m);
}

static void test_devices(void** state) {
  (void)state;
  snModel* m = loadXML(XML);
  snBatchOptions options;
  char error[300] = "";
  sn_defaultBatchOptions(&options);
  assert_null(sn_makeBatch(m, 0, &options, error, sizeof(error)));
  assert_non_null(strstr(error, "at least one world"));
  options.single = 1;
  assert_null(sn_makeBatch(m, 2, &options, error, sizeof(error)));
  assert_non_null(strstr(error, "single precision"));
  assert_true(sn_batchBytes(m, 1000) > 999 * (sn_batchBytes(m, 2) - sn_batchBytes(m, 1)));
  if (!sn_gpuName(error, sizeof(error))) {
    options.single = 0;
    options.device = snDEVICE_AUTO;
    snBatch* b = sn_makeBatch(m, 2, &options, error, sizeof(error));
    assert_non_null(b);
    assert_string_equal(sn_batchDevice(b), "cpu");
    assert_int_equal(sn_batchOnGpu(b), 0);
    assert_non_null(strstr(sn_batchFallback(b), "NVIDIA"));
    sn_deleteBatch(b);
    options.device = snDEVICE_GPU;
    assert_null(sn_makeBatch(m, 2, &options, error, sizeof(error)));
    assert_non_null(strstr(error, "no batch on a GPU: "));
  }
  sn_deleteModel(m);
}

// ---- items handed out to workers ----

enum { ITEMS = 1000 };
typedef struct Visits_ {
  int count, least;
  int visits[ITEMS];
} Visits;

static void visit(void* context, int begin, int end) {
  Visits* v = (Visits*)context;
  for (int i = begin; i < end; i++) v->visits[i] += 1;
  if (end - begin < v->least && end < v->count) v->visits[begin] += 100;  // too small a chunk
}

static void test_every_item_is_handed_out_once(void** state) {
  (void)state;
  static const int counts[] = {0, 1, 2, 7, 64, 999, ITEMS};
  static Visits v;
  for (int threads = 1; threads <= 16; threads += 5) {
    snWorkers* workers = sn_workersCreate(threads);
    for (int k = 0; k < 7; k++) {
      for (int chunk = 0; chunk < 40; chunk += 13) {
        memset(&v, 0, sizeof(v));
        v.count = counts[k];
        v.least = chunk;
        sn_parallelFor(workers, v.count, chunk, visit, &v);
        for (int i = 0; i < ITEMS; i++) assert_int_equal(v.visits[i], i < v.count);
      }
    }
    sn_workersDelete(workers);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_threads_1_2_16_have_the_same_bits),
      cmocka_unit_test(test_no_allocation_while_stepping),
      cmocka_unit_test(test_rewards_ends_and_callbacks),
      cmocka_unit_test(test_a_function_of_the_user_sees_the_sensors_of_every_step),
      cmocka_unit_test(test_failed_worlds),
      cmocka_unit_test(test_views_and_copies),
      cmocka_unit_test(test_transitions_predict_the_next_step),
      cmocka_unit_test(test_gradients_of_a_rollout_are_those_of_differences),
      cmocka_unit_test(test_devices),
      cmocka_unit_test(test_every_item_is_handed_out_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
