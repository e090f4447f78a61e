// Batches on a GPU in C, on the driver without a GPU of tests/gpu: the same bits as on the CPU, and
// memory that sanitizers watch. What Python sees of them is tested by tests/gpu/device_cases.py.

#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness.h"
#include "sinew/batch.h"
#include "sinew/gpu.h"

static const char* XML =
    "<mujoco><size memory='40K'/><worldbody><geom type='plane' size='2 2 .1'/>"
    "<body pos='0 0 .3'><freejoint/><geom type='capsule' size='.1 .2'/>"
    "<body pos='0 0 .2'><joint name='j' axis='0 1 0' damping='.1' range='-60 60' limited='true'/>"
    "<geom type='capsule' size='.05' fromto='0 0 0 .3 0 0'/></body></body>"
    "<body pos='.3 0 .3'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
    "<body pos='.3 0 .55'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
    "<body pos='.3 0 .8'><freejoint/><geom type='box' size='.1 .1 .1'/></body></worldbody>"
    "<actuator><motor joint='j'/></actuator></mujoco>";

enum { NWORLD = 6 };

// a file of images that the driver accepts, one per precision
static void writeEngine(char* path) {
  int64_t table[14] = {13000, 2, 8, 90, 0, 120, 8, 0, 4, 90, 0, 128, 8, 0};
  int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  FILE* file = fdopen(descriptor, "wb");
  fwrite("SNGPU 2", 1, 8, file);
  fwrite(table, 1, sizeof(table), file);
  fwrite("fake8\0\0\0fake4\0\0\0", 1, 16, file);
  fclose(file);
}

static snBatch* make(const snModel* m, int device, int single) {
  snBatchOptions options;
  char error[500] = "";
  sn_defaultBatchOptions(&options);
  options.device = device;
  options.single = single;
  options.nthread = 2;
  snBatch* b = sn_makeBatch(m, NWORLD, &options, error, sizeof(error));
  if (!b) fail_msg("%s", error);
  return b;
}

// everything that a batch does, once
static void exercise(snBatch* b, const snModel* m, snReal* states) {
  int list[] = {5, 1, 5, -3}, generation = sn_batchGeneration(b);
  snByte mask[NWORLD] = {0, 1, 0, 0, 1, 0};
  uint64_t seeds[NWORLD] = {1, 2, 3, 4, 5, 6};
  snReal ctrl[20 * NWORLD], mass[NWORLD * 16];
  snBatchView view;
  for (int k = 0; k < 20 * NWORLD; k++) ctrl[k] = 0.1 * sin(k);
  assert_int_equal(sn_batchPerturb(b, NULL, 5, 0.05), 0);
  assert_int_equal(sn_batchStepControls(b, 20, ctrl), 0);
  assert_int_equal(sn_batchStepSubset(b, list, 4, 3), 0);
  assert_int_equal(sn_batchReset(b, mask, -1), 0);
  assert_int_equal(sn_batchPerturbSeeds(b, mask, seeds, 0.01), 0);
  assert_int_equal(sn_batchModelField(b, "body_mass", &view), 1);
  if (view.type == 'd') {
    assert_int_equal(sn_batchRead(b, &view, mass), 0);
    for (int k = 0; k < NWORLD * m->nbody; k++) mass[k] *= 1 + 0.1 * (snReal)(k / m->nbody);
    assert_int_equal(sn_batchWrite(b, &view, mass), 0);
  }
  assert_int_equal(sn_batchModelField(b, "opt.gravity", &view), 1);
  assert_int_equal(sn_batchSetConst(b), 0);
  sn_batchGetState(b, states, snSTATE_INTEGRATION);
  states[3] = NAN;
  assert_int_equal(sn_batchSetState(b, states, snSTATE_INTEGRATION), 0);
  assert_int_equal(sn_batchStep(b, 200), 0);
  assert_int_equal(sn_batchForward(b), 0);
  assert_int_equal(sn_batchFailures(b)[0], 1);
  assert_int_equal(sn_batchFailures(b)[1], 0);
  assert_true(sn_batchGeneration(b) >= generation);
  int geoms[NWORLD * 20 * 2];
  snReal distances[NWORLD * 20];
  assert_int_equal(sn_batchContacts(b, 20, geoms, distances), 0);
  assert_true(geoms[0] >= 0);
  sn_batchGetState(b, states, snSTATE_INTEGRATION);
}

static void test_gpu_equals_cpu(void** state) {
  (void)state;
  snModel* m = loadXML(XML);
  int size = sn_stateSize(m, snSTATE_INTEGRATION);
  size_t bytes = sizeof(snReal) * (size_t)(size * NWORLD);
  snReal *ours = (snReal*)malloc(bytes), *theirs = (snReal*)malloc(bytes);
  snBatch *gpu = make(m, snDEVICE_AUTO, 0), *cpu = make(m, snDEVICE_CPU, 0);
  assert_int_equal(sn_batchOnGpu(gpu), 1);
  assert_string_equal(sn_batchDevice(gpu), "fake GPU 0");
  exercise(gpu, m, ours);
  exercise(cpu, m, theirs);
  assert_memory_equal(ours, theirs, bytes);
  assert_true(sn_batchGeneration(gpu) > 0);
  snData* d = sn_makeData(m);
  assert_int_equal(sn_batchCopyWorld(gpu, 2, d), 0);
  assert_memory_equal(d->qpos, ours + 2 * size + 1, sizeof(snReal) * (size_t)m->nq);
  assert_null(sn_batchData(gpu, 2));
  sn_deleteData(d);
  sn_deleteBatch(gpu);
  sn_deleteBatch(cpu);
  free(ours);
  free(theirs);
  sn_deleteModel(m);
}

static void test_single_precision(void** state) {
  (void)state;
  snModel* m = loadXML(XML);
  snReal* states =
      (snReal*)malloc(sizeof(snReal) * (size_t)(sn_stateSize(m, snSTATE_INTEGRATION) * NWORLD));
  snBatch* b = make(m, snDEVICE_GPU, 1);
  exercise(b, m, states);
  assert_true(isfinite(states[3]));
  sn_deleteBatch(b);
  free(states);
  sn_deleteModel(m);
}

static void test_device_memory(void** state) {
  (void)state;
  snModel* m = loadXML(XML);
  char error[500] = "";
  snGpuBatch* b = sn_makeGpuBatch(m, NWORLD, 0, error, sizeof(error));
  assert_non_null(b);
  assert_int_equal(sn_gpuBatchBytes(b), sn_gpuBytes(m, NWORLD, 0));
  snBatchView view;
  assert_int_equal(sn_gpuBatchField(b, "qvel", &view), 1);
  assert_int_equal(sn_gpuBatchField(b, "nothing", &view), 0);
  int64_t pitch = m->nv * (int64_t)sizeof(snReal);
  uint64_t memory = sn_gpuReserve(b, (size_t)(pitch * NWORLD));
  assert_int_equal(sn_gpuBatchReadAt(b, &view, memory, pitch), 0);
  assert_int_equal(sn_gpuBatchWriteAt(b, &view, memory, pitch), 0);
  assert_int_equal(sn_gpuBatchStepAt(b, 1, memory), 0);
  sn_deleteGpuBatch(b);
  sn_gpuRelease(memory);
  sn_deleteModel(m);
}

// ---- derivatives ----

static void test_derivatives_equal_those_of_the_cpu(void** state) {
  (void)state;
  snModel* m = loadXML(XML);
  int ndx = (int)(2 * m->nv + m->na), nu = (int)m->nu;
  size_t nA = (size_t)(NWORLD * ndx * ndx), nB = (size_t)(NWORLD * ndx * nu);
  snReal* matrices[2];
  for (int k = 0; k < 2; k++) {
    snBatch* b = make(m, k ? snDEVICE_CPU : snDEVICE_GPU, 0);
    snReal* A = matrices[k] = (snReal*)malloc((nA + nB) * sizeof(snReal));
    assert_int_equal(sn_batchPerturb(b, NULL, 5, 0.05), 0);
    assert_int_equal(sn_batchStep(b, 150), 0);
    assert_int_equal(sn_batchTransition(b, snTRANSITION_DIFFERENCE, NULL, A, A + nA), 0);
    for (int i = 0; i < NWORLD; i++) assert_int_equal(sn_batchTransitionStatus(b)[i], 0);
    assert_int_equal(sn_batchTransition(b, snTRANSITION_DIFFERENCE, NULL, NULL, A + nA), 0);
    assert_int_equal(sn_batchTransition(b, snTRANSITION_DIFFERENCE, NULL, A, NULL), 0);
    assert_int_equal(sn_batchTransitionAt(b, NULL, 0, 0), k ? -1 : 0);
    assert_int_equal(sn_batchTransition(b, snTRANSITION_HYBRID, NULL, A, NULL), k ? 0 : -1);
    if (!k) assert_non_null(strstr(sn_lastError(), "a GPU has differences alone"));
    if (k) sn_batchTransition(b, snTRANSITION_DIFFERENCE, NULL, A, NULL);
    sn_deleteBatch(b);
  }
  assert_memory_equal(matrices[0], matrices[1], (nA + nB) * sizeof(snReal));
  free(matrices[0]);
  free(matrices[1]);
  sn_deleteModel(m);
}

// ---- queued calls ----

enum { STREAM = 4711 };

// a number that the driver keeps for tests
static void* fakeSymbol(const char* name) {
  void* driver = dlopen("libcuda.so.1", RTLD_LAZY);
  assert_non_null(driver);
  void* symbol = dlsym(driver, name);
  assert_non_null(symbol);
  return symbol;
}

// one step with controls of the device, by a call that waits or by one that does not
static void stepOnce(snBatch* b, uint64_t ctrl, int queued) {
  const long* waits = (const long*)fakeSymbol("sn_fakeWaits");
  void* const* stream = (void* const*)fakeSymbol("sn_fakeStream");
  long before = *waits;
  if (!queued) {
    assert_int_equal(sn_batchStepControlsAt(b, 1, ctrl), 0);
    return;
  }
  assert_int_equal(sn_batchStepOn(b, 1, ctrl, STREAM), 0);
  assert_int_equal(*waits, before);
  assert_int_equal((uintptr_t)*stream, STREAM);
}

// states after steps in which a world fails and another is reset
static void runQueued(const snModel* m, int queued, snReal* states) {
  snBatch* b = make(m, snDEVICE_GPU, 0);
  snByte mask[NWORLD] = {0, 0, 1, 0, 0, 0};
  snReal ctrl[NWORLD];
  for (int k = 0; k < NWORLD; k++) ctrl[k] = 0.1 * k;
  assert_int_equal(sn_batchStep(b, 200), 0);  // arenas have grown
  assert_int_equal(sn_batchReset(b, NULL, -1), 0);
  assert_int_equal(sn_batchPerturb(b, NULL, 5, 0.05), 0);
  sn_batchGetState(b, states, snSTATE_INTEGRATION);
  states[3] = NAN;
  assert_int_equal(sn_batchSetState(b, states, snSTATE_INTEGRATION), 0);
  for (int step = 0; step < 10; step++) stepOnce(b, (uintptr_t)ctrl, queued);
  if (queued) {
    assert_int_equal(sn_batchResetOn(b, (uintptr_t)mask, -1, STREAM), 0);
    assert_int_equal(sn_batchForwardOn(b, STREAM), 0);
    assert_int_equal(sn_batchRnePostConstraintOn(b, STREAM), 0);
  } else {
    assert_int_equal(sn_batchReset(b, mask, -1), 0);
    assert_int_equal(sn_batchForward(b), 0);
    assert_int_equal(sn_batchRnePostConstraint(b), 0);
  }
  for (int step = 0; step < 5; step++) stepOnce(b, (uintptr_t)ctrl, queued);
  sn_batchGetState(b, states, snSTATE_INTEGRATION);
  sn_deleteBatch(b);
}

static void test_queued_calls_wait_for_nothing_and_give_the_same_states(void** state) {
  (void)state;
  snModel* m = loadXML(XML);
  size_t bytes = sizeof(snReal) * (size_t)(sn_stateSize(m, snSTATE_INTEGRATION) * NWORLD);
  snReal *waited = (snReal*)malloc(bytes), *queued = (snReal*)malloc(bytes);
  runQueued(m, 0, waited);
  runQueued(m, 1, queued);
  assert_memory_equal(waited, queued, bytes);
  free(waited);
  free(queued);
  sn_deleteModel(m);
}

static void test_failed_world_is_known_after_queued_calls(void** state) {
  (void)state;
  snModel* m = loadXML(XML);
  snGpuBatch* b = sn_makeGpuBatch(m, NWORLD, 0, NULL, 0);
  assert_non_null(b);
  snBatchView qvel, status;
  assert_int_equal(sn_gpuBatchField(b, "qvel", &qvel), 1);
  assert_int_equal(sn_gpuBatchField(b, "status", &status), 1);
  ((snReal*)((char*)qvel.data + 2 * qvel.stride))[0] = NAN;
  assert_int_equal(sn_gpuBatchStepOn(b, 1, 0, STREAM), 0);
  for (int i = 0; i < NWORLD; i++) {
    int bits = *(int*)((char*)status.data + i * status.stride);
    assert_int_equal(bits != 0, i == 2);
    assert_int_equal(sn_gpuBatchStatus(b)[i], bits);
    assert_int_equal(sn_gpuBatchFailures(b)[i], i == 2);
  }
  sn_deleteGpuBatch(b);
  sn_deleteModel(m);
}

// A queued call cannot enlarge arenas; the next one that waits does, and no world loses its state.
static void test_arena_that_was_full_in_queued_calls_grows(void** state) {
  (void)state;
  snModel* m = loadXML(XML);
  snGpuBatch* b = sn_makeGpuBatch(m, NWORLD, 0, NULL, 0);
  assert_non_null(b);
  int size = sn_stateSize(m, snSTATE_INTEGRATION), steps = 0, overflow = 0;
  snReal* states = (snReal*)malloc(sizeof(snReal) * (size_t)(size * NWORLD));
  snBatchView status;
  assert_int_equal(sn_gpuBatchField(b, "status", &status), 1);
  for (; steps < 300 && !overflow; steps++) {
    assert_int_equal(sn_gpuBatchStepOn(b, 1, 0, STREAM), 0);
    overflow = *(int*)status.data & (1 << snWARN_CONTACTFULL | 1 << snWARN_CNSTRFULL);
  }
  assert_true(overflow);
  assert_int_equal(sn_gpuBatchGeneration(b), 0);
  assert_int_equal(sn_gpuBatchStep(b, 1, NULL), 0);
  assert_true(sn_gpuBatchGeneration(b) > 0);
  assert_int_equal(sn_gpuBatchGetState(b, states, snSTATE_INTEGRATION), 0);
  assert_true(fabs(states[0] - (steps + 1) * m->opt.timestep) < 1e-9);
  sn_deleteGpuBatch(b);
  free(states);
  sn_deleteModel(m);
}

static void test_streams_are_refused_on_a_cpu(void** state) {
  (void)state;
  snModel* m = loadXML(XML);
  snBatch* b = make(m, snDEVICE_CPU, 0);
  assert_int_equal(sn_batchStepOn(b, 1, 0, STREAM), -1);
  assert_non_null(strstr(sn_lastError(), "the worlds lie on the CPU"));
  sn_deleteBatch(b);
  sn_deleteModel(m);
}

int main(void) {
  char path[] = "/tmp/sinew-gpu-XXXXXX", error[500] = "";
  const char* name = sn_gpuName(error, sizeof(error));
  if (!name || strncmp(name, "fake", 4)) {
    printf("skipped: the driver for tests is not found (%s)\n", name ? name : error);
    return 77;
  }
  writeEngine(path);
  setenv("SINEW_GPU_ENGINE", path, 1);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_gpu_equals_cpu),
      cmocka_unit_test(test_single_precision),
      cmocka_unit_test(test_device_memory),
      cmocka_unit_test(test_derivatives_equal_those_of_the_cpu),
      cmocka_unit_test(test_queued_calls_wait_for_nothing_and_give_the_same_states),
      cmocka_unit_test(test_failed_world_is_known_after_queued_calls),
      cmocka_unit_test(test_arena_that_was_full_in_queued_calls_grows),
      cmocka_unit_test(test_streams_are_refused_on_a_cpu),
  };
  int failures = cmocka_run_group_tests(tests, NULL, NULL);
  unlink(path);
  return failures;
}
