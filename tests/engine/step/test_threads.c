// Threads that share the steps of one world: the same bits as one thread, in every array.

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "harness.h"

// ---- scenes --------------------------------------------------------------------------------------

#define FIGURE                                                                                     \
  "<body pos='0 0 .45'><freejoint/><geom type='capsule' size='.06 .1'/><site name='top'/>"         \
  "<body pos='.1 0 0'><joint name='a' axis='0 1 0' damping='.2' range='-60 60'/>"                  \
  "<geom type='capsule' size='.03' fromto='0 0 0 .2 0 -.1'/>"                                      \
  "<body pos='.2 0 -.1'><joint name='b' type='ball' damping='.1'/>"                                \
  "<geom type='capsule' size='.03' fromto='0 0 0 .1 0 -.2'/></body></body>"                        \
  "<body pos='-.1 0 0'><joint name='c' axis='0 1 0' stiffness='2' frictionloss='.1'/>"             \
  "<geom type='box' size='.08 .03 .03' pos='-.08 0 0'/><geom type='sphere' size='.04' pos='-.2 0 " \
  "0'/>"                                                                                           \
  "</body></body>"

#define CROWD(option, extra)                                                               \
  "<mujoco>" option                                                                        \
  "<worldbody><geom type='plane' size='9 9 .1'/>"                                          \
  "<replicate count='6' offset='.35 0 .02'><replicate count='4' offset='0 .3 .05'>" FIGURE \
  "</replicate></replicate></worldbody>" extra "</mujoco>"

// as many as it takes to share rows, islands and actuators too
#define THRONG                                                                              \
  "<mujoco><worldbody><geom type='plane' size='9 9 .1'/>"                                   \
  "<replicate count='12' offset='.35 0 .02'><replicate count='9' offset='0 .3 .05'>" FIGURE \
  "</replicate></replicate></worldbody><actuator>"                                          \
  "<motor joint='a' gear='3' ctrllimited='true' ctrlrange='-1 1' forcelimited='true' "      \
  "forcerange='-.2 .2'/><position joint='c' kp='4' forcerange='-1 1'/></actuator>"          \
  "<sensor><touch site='top'/><accelerometer site='top'/></sensor></mujoco>"

#define PILE(option, shape)                                                            \
  "<mujoco>" option                                                                    \
  "<worldbody><geom type='plane' size='9 9 .1'/>"                                      \
  "<replicate count='5' offset='.21 0 .01'><replicate count='4' offset='.02 .21 .01'>" \
  "<replicate count='3' offset='.01 .02 .22'><body pos='0 0 .12'><freejoint/>"         \
  "<geom " shape " condim='4'/></body></replicate></replicate></replicate></worldbody></mujoco>"

static const char* const SCENES[] = {
    CROWD("", ""),
    CROWD("<option integrator='implicitfast' cone='elliptic' jacobian='sparse'/>", ""),
    CROWD("<option solver='CG' integrator='RK4'><flag energy='enable'/></option>", ""),
    CROWD("<option solver='PGS' noslip_iterations='2'/>", ""),
    CROWD("<option jacobian='dense'><flag island='disable'/></option>", ""),
    CROWD("<option integrator='implicit'/>", "<sensor><subtreecom body='world'/></sensor>"),
    PILE("<option sleep_tolerance='1'><flag sleep='enable'/></option>",
         "type='box' size='.1 .1 .1'"),
    PILE("", "type='ellipsoid' size='.1 .11 .1'"),
    // boxes of bodies that all meet: more pairs than a share of the list holds
    "<mujoco><worldbody><replicate count='110' offset='.004 -.004 0'><body><freejoint/>"
    "<geom type='capsule' size='.001' fromto='0 0 0 1 1 "
    "1'/></body></replicate></worldbody></mujoco>",
    PILE("<option cone='elliptic'><flag multiccd='enable'/></option>",
         "type='cylinder' size='.1 .1'"),
    // trees on a static body, on a mocap body and on the world, pairs, sensors, a tendon with armature
    "<mujoco><option density='1.2' wind='1 0 0'/><worldbody><geom type='plane' size='9 9 .1'/>"
    "<body name='table' pos='0 0 1'><geom type='box' size='2 2 .1'/><replicate count='12' "
    "offset='.2 0 0'>"
    "<body pos='-1 0 .3'><joint type='slide' axis='0 0 1'/><joint axis='1 0 0'/>"
    "<geom type='ellipsoid' size='.09 .1 .2'/><body pos='0 0 .3'><joint axis='0 1 0'/>"
    "<geom type='sphere' size='.1'/></body></body></replicate></body>"
    "<body mocap='true' pos='0 3 1'><geom type='sphere' size='.3'/></body>"
    "<replicate count='24' offset='0 .09 .05'><body name='p' pos='0 2 .2'><freejoint name='f'/>"
    "<geom name='g' type='box' size='.06 .05 .05'/><site name='s'/></body></replicate></worldbody>"
    "<tendon><spatial armature='.1' stiffness='3'><site site='s00'/><site "
    "site='s05'/></spatial></tendon>"
    "<contact><pair geom1='g00' geom2='g01' margin='.02'/><pair geom1='g03' geom2='g02' "
    "condim='1'/>"
    "<exclude body1='p07' body2='p08'/></contact>"
    "<sensor><touch site='s00'/><accelerometer site='s04'/><framepos objtype='site' objname='s09'/>"
    "<subtreeangmom body='table'/></sensor></mujoco>",
    THRONG,
    // a cloth over a crowd of boxes
    "<mujoco><option timestep='.002'/><worldbody><geom type='plane' size='9 9 .1'/>"
    "<replicate count='20' offset='.15 .02 .01'><body pos='-1 0 .1'><freejoint/>"
    "<geom type='box' size='.06 .06 .06'/></body></replicate>"
    "<flexcomp name='cloth' type='grid' count='8 8 1' spacing='.1 .1 .1' pos='-.3 0 .5' "
    "radius='.02' mass='1'>"
    "<edge equality='true'/><contact selfcollide='none'/></flexcomp></worldbody></mujoco>",
};
enum { NSCENE = sizeof(SCENES) / sizeof(SCENES[0]) };

// ---- comparison ----------------------------------------------------------------------------------

static void checkSame(const snModel* m, const snData* a, const snData* b) {
#define X(type, name, rows, columns, stage, meaning)                                     \
  if (memcmp(a->name, b->name, (size_t)(m->rows * (columns)) * sizeof(*a->name)) != 0) { \
    fail_msg(#name " differs at %g", (double)a->time);                                   \
  }
  SN_DATA_FIELDS(X)
#undef X
  assert_int_equal(a->ncon, b->ncon);
  assert_int_equal(a->nefc, b->nefc);
  assert_int_equal(a->nisland, b->nisland);
  assert_int_equal(a->status, b->status);
  assert_memory_equal(a->energy, b->energy, sizeof(a->energy));
  assert_memory_equal(a->warning, b->warning, sizeof(a->warning));
  assert_memory_equal(a->solver, b->solver, sizeof(a->solver));
  assert_memory_equal(a->solver_niter, b->solver_niter, sizeof(a->solver_niter));
  assert_memory_equal(a->solver_nnz, b->solver_nnz, sizeof(a->solver_nnz));
  for (int i = 0; i < a->ncon; i++) {
    const snContact *x = a->contact + i, *y = b->contact + i;
    assert_int_equal(x->geom[0], y->geom[0]);
    assert_int_equal(x->geom[1], y->geom[1]);
    assert_int_equal(x->efc_address, y->efc_address);
    assert_int_equal(x->exclude, y->exclude);
    assert_memory_equal(&x->dist, &y->dist, sizeof(x->dist));
    assert_memory_equal(x->pos, y->pos, sizeof(x->pos));
    assert_memory_equal(x->frame, y->frame, sizeof(x->frame));
  }
  if (!a->nefc) return;
  assert_memory_equal(a->efc_force, b->efc_force, (size_t)a->nefc * sizeof(snReal));
  assert_memory_equal(a->efc_type, b->efc_type, (size_t)a->nefc * sizeof(int));
  assert_memory_equal(a->efc_J, b->efc_J, (size_t)a->nJ * sizeof(snReal));
}

static int islands_seen, contacts_seen, rows_seen, asleep_seen;

static void compareRun(const snModel* m, int threads, int steps) {
  snData *one = sn_makeData(m), *many = sn_makeData(m);
  assert_int_equal(sn_threads(many), 1);
  assert_int_equal(sn_setThreads(many, threads), threads);
  for (int k = 0; k < m->nu; k++) one->ctrl[k] = many->ctrl[k] = k % 7 - 3;
  for (int i = 0; i < steps; i++) {
    sn_step(m, one);
    sn_step(m, many);
    checkSame(m, one, many);
    if (one->nisland > islands_seen) islands_seen = one->nisland;
    if (one->ncon > contacts_seen) contacts_seen = one->ncon;
    if (one->nefc > rows_seen) rows_seen = one->nefc;
    asleep_seen |= one->ntree_awake < (int)m->ntree;
  }
  sn_deleteData(one);
  sn_deleteData(many);
}

static void test_any_number_of_threads_gives_the_same_bits(void** state) {
  (void)state;
  static const int counts[] = {2, 3, 4, 7};
  for (int scene = 0; scene < NSCENE; scene++) {
    snModel* m = loadXML(SCENES[scene]);
    for (int k = 0; k < 4; k++) compareRun(m, counts[k], k ? 15 : 100);
    sn_deleteModel(m);
  }
  assert_true(islands_seen > 5 && contacts_seen > 300 && rows_seen > 1000 && asleep_seen);
}

// ---- a full arena, messages ----------------------------------------------------------------------

enum { TEXT = 2000 };
static char messages[TEXT];
static pthread_t stepper;
static int elsewhere;  // calls on another thread than that of the step

static void keepMessage(const char* text) {
  size_t used = strlen(messages);
  snprintf(messages + used, TEXT - used, "%s\n", text);
  elsewhere += !pthread_equal(stepper, pthread_self());
}

static void runSmall(const snModel* m, int threads, char text[TEXT], snReal* qpos,
                     snWarningStat* warning) {
  snData* d = sn_makeData(m);
  messages[0] = 0;
  sn_setThreads(d, threads);
  for (int i = 0; i < 60; i++) sn_step(m, d);
  memcpy(text, messages, TEXT);
  memcpy(qpos, d->qpos, (size_t)m->nq * sizeof(snReal));
  memcpy(warning, d->warning, sizeof(d->warning));
  assert_int_equal(d->pstack, 0);
  sn_deleteData(d);
}

// Is it the same with two, three and four threads? Returns whether there were messages.
static int compareSmall(const char* scene, int kilobytes) {
  char xml[5000], size[100], first[TEXT], other[TEXT];
  snprintf(size, sizeof(size), "<mujoco><size memory='%dK'/>", kilobytes);
  snprintf(xml, sizeof(xml), "%s%s", size, scene + strlen("<mujoco>"));
  snModel* m = loadXML(xml);
  snReal *x = malloc((size_t)m->nq * sizeof(snReal)), *y = malloc((size_t)m->nq * sizeof(snReal));
  snWarningStat a[snNWARNING], b[snNWARNING];
  runSmall(m, 1, first, x, a);
  for (int threads = 2; threads <= 4; threads++) {
    runSmall(m, threads, other, y, b);
    assert_string_equal(first, other);
    assert_memory_equal(x, y, (size_t)m->nq * sizeof(snReal));
    assert_memory_equal(a, b, sizeof(a));
  }
  free(x);
  free(y);
  sn_deleteModel(m);
  return first[0] != 0;
}

static void test_a_small_arena_gives_the_same_bits_and_messages(void** state) {
  (void)state;
  static const int few[] = {40, 80, 120, 160, 200, 300, 400, 600, 900};
  static const int more[] = {900, 1500, 2000, 2500, 3000, 4000, 6000};
  int warned = 0, warned_more = 0, nfew = sizeof(few) / sizeof(int);
  int nmore = sizeof(more) / sizeof(int);
  stepper = pthread_self();
  sn_setWarningHandler(keepMessage);
  sn_setErrorHandler(keepMessage);
  for (int k = 0; k < nfew; k++) warned += compareSmall(SCENES[0], few[k]);
  for (int k = 0; k < nmore; k++) warned_more += compareSmall(THRONG, more[k]);
  sn_setWarningHandler(NULL);
  sn_setErrorHandler(NULL);
  assert_true(warned > 0 && warned < nfew && warned_more > 0 && warned_more < nmore);
  assert_int_equal(elsewhere, 0);
}

// one bad control: all count as zero, and the message is that of one thread
static void test_a_bad_control_is_reported_as_by_one_thread(void** state) {
  (void)state;
  snModel* m = loadXML(THRONG);
  char first[TEXT];
  snReal force[200];
  assert_true(m->nu > 200);
  stepper = pthread_self();
  sn_setWarningHandler(keepMessage);
  for (int threads = 1; threads <= 3; threads++) {
    snData* d = sn_makeData(m);
    messages[0] = 0;
    sn_setThreads(d, threads);
    for (int i = 0; i < m->nu; i++) d->ctrl[i] = 1;
    d->ctrl[150] = d->ctrl[20] = HUGE_VAL;
    m->actuator_ctrllimited[150] = m->actuator_ctrllimited[20] = 0;
    sn_forward(m, d);
    if (threads == 1) {
      memcpy(first, messages, TEXT);
      memcpy(force, d->actuator_force, sizeof(force));
    }
    assert_true(first[0] != 0);
    assert_string_equal(first, messages);
    assert_memory_equal(force, d->actuator_force, sizeof(force));
    assert_int_equal(d->warning[snWARN_BADCTRL].number, 1);
    sn_deleteData(d);
  }
  sn_setWarningHandler(NULL);
  sn_deleteModel(m);
}

static int filterCalls;
static int filter(const snModel* m, snData* d, int g1, int g2) {
  (void)m, (void)d;
  filterCalls++;
  elsewhere += !pthread_equal(stepper, pthread_self());
  return (g1 + g2) % 3 == 0;
}

static void test_callbacks_run_on_the_thread_of_the_step(void** state) {
  (void)state;
  snModel* m = loadXML(SCENES[0]);
  snData* d = sn_makeData(m);
  stepper = pthread_self();
  elsewhere = 0;
  d->callback.contactfilter = filter;
  sn_setThreads(d, 3);
  for (int i = 0; i < 50; i++) sn_step(m, d);
  assert_true(filterCalls > 0);
  assert_int_equal(elsewhere, 0);
  sn_deleteData(d);
  sn_deleteModel(m);
}

// ---- life ----------------------------------------------------------------------------------------

static void* refuseMemory(size_t bytes) {
  (void)bytes;
  return NULL;
}

static void test_without_memory_there_is_one_thread(void** state) {
  (void)state;
  snModel* m = loadXML(SCENES[0]);
  snData* d = sn_makeData(m);
  sn_setAllocator(refuseMemory, free);
  assert_int_equal(sn_setThreads(d, 4), 1);
  sn_setAllocator(NULL, NULL);
  sn_step(m, d);
  assert_int_equal(sn_setThreads(d, 4), 4);
  assert_int_equal(sn_setThreads(d, 2), 2);
  assert_true(sn_setThreads(d, 0) >= 1);
  assert_int_equal(sn_setThreads(d, 1), 1);
  sn_deleteData(d);
  sn_deleteModel(m);
}

static void test_a_copy_has_no_threads(void** state) {
  (void)state;
  snModel* m = loadXML(SCENES[0]);
  snData *d = sn_makeData(m), *kept = sn_makeData(m);
  sn_setThreads(d, 3);
  sn_setThreads(kept, 2);
  for (int i = 0; i < 10; i++) sn_step(m, d);
  snData* copy = sn_copyData(NULL, m, d);
  assert_int_equal(sn_threads(copy), 1);
  sn_copyData(kept, m, d);
  assert_int_equal(sn_threads(kept), 2);
  sn_resetData(m, d);
  assert_int_equal(sn_threads(d), 3);
  sn_deleteData(d);
  for (int i = 0; i < 10; i++) {
    sn_step(m, copy);
    sn_step(m, kept);
  }
  assert_memory_equal(copy->qpos, kept->qpos, (size_t)m->nq * sizeof(snReal));
  sn_deleteData(copy);
  sn_deleteData(kept);
  sn_deleteModel(m);
}

static void* stepOften(void* argument) {
  snData* d = (snData*)argument;
  const snModel* m = (const snModel*)d->callback.user;
  for (int i = 0; i < 40; i++) sn_step(m, d);
  return NULL;
}

// data that share a pool take turns, also in tasks of the pool itself and where several threads step
static void test_a_bound_pool_shares_steps(void** state) {
  (void)state;
  snModel* m = loadXML(SCENES[0]);
  snThreadPool* pool = snu_threadPoolCreate(3);
  snData *alone = sn_makeData(m), *data[3];
  snTask task;
  pthread_t thread;
  alone->callback.user = m;
  stepOften(alone);
  for (int k = 0; k < 3; k++) {
    data[k] = sn_makeData(m);
    data[k]->callback.user = m;
    snu_bindThreadPool(data[k], pool);
    assert_int_equal(sn_threads(data[k]), 3);
  }
  snu_defaultTask(&task);
  task.func = stepOften;
  task.args = data[0];
  snu_threadPoolEnqueue(pool, &task);
  assert_int_equal(pthread_create(&thread, NULL, stepOften, data[1]), 0);
  stepOften(data[2]);
  pthread_join(thread, NULL);
  snu_taskJoin(&task);
  sn_deleteData(data[2]);
  snu_threadPoolDestroy(pool);
  for (int k = 0; k < 2; k++) {
    assert_memory_equal(alone->qpos, data[k]->qpos, (size_t)m->nq * sizeof(snReal));
    sn_deleteData(data[k]);
  }
  sn_deleteData(alone);
  sn_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_any_number_of_threads_gives_the_same_bits),
      cmocka_unit_test(test_a_small_arena_gives_the_same_bits_and_messages),
      cmocka_unit_test(test_a_bad_control_is_reported_as_by_one_thread),
      cmocka_unit_test(test_callbacks_run_on_the_thread_of_the_step),
      cmocka_unit_test(test_without_memory_there_is_one_thread),
      cmocka_unit_test(test_a_copy_has_no_threads),
      cmocka_unit_test(test_a_bound_pool_shares_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
