// Functions that step on the user's data leave its state as they found it, whatever happens: bad
// numbers that reset the world, a full arena, callbacks that write. A reset keeps open stack frames.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness.h"

#include "sinew/contactsolver.h"
#include "sinew/derivatives.h"

static const char* XML =
    "<mujoco><option timestep='0.005'><flag sleep='%s'/></option><size nuserdata='2'/><worldbody>"
    "<geom type='plane' size='5 5 .1'/>"
    "<body name='hand' mocap='true' pos='3 0 1'><geom size='.1' contype='0' "
    "conaffinity='0'/></body>"
    "<body name='box' pos='1 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
    "<body name='brick' pos='2 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
    "<body name='arm' pos='0 0 .3'><freejoint/><geom type='capsule' size='.1 .2'/>"
    "<body pos='0 0 .2'><joint name='j' axis='0 1 0' damping='.1' range='-1 1' limited='true'/>"
    "<geom type='capsule' size='.05' fromto='0 0 0 .3 0 0'/><site name='s' pos='.3 0 0'/></body>"
    "</body></worldbody><equality><connect body1='arm' anchor='0 0 0' active='false'/></equality>"
    "<actuator><motor joint='j'/><general joint='j' dyntype='user' gaintype='user' "
    "biastype='user' actdim='1'/></actuator>"
    "<sensor><framepos objtype='site' objname='s'/><user dim='1' "
    "needstage='acc'/></sensor></mujoco>";

enum { STATE = snSTATE_INTEGRATION, MOST = 200 };

typedef struct World_ {
  snModel* m;
  snData* d;
  snReal before[MOST], after[MOST];
  int asleep[8];
} World;

static World makeWorld(const char* sleep) {
  char xml[4000];
  World w;
  snprintf(xml, sizeof(xml), XML, sleep);
  w.m = loadXML(xml);
  w.d = sn_makeData(w.m);
  assert_true(sn_stateSize(w.m, STATE) <= MOST && w.m->ntree <= 8);
  return w;
}

static void deleteWorld(World* w) {
  sn_deleteData(w->d);
  sn_deleteModel(w->m);
}

// a state in which every part differs from that of a reset
static void disturb(World* w) {
  snData* d = w->d;
  for (int i = 0; i < 5; i++) sn_step(w->m, d);
  d->userdata[0] = 3;
  d->userdata[1] = 4;
  d->eq_active[0] = 1;
  d->mocap_pos[1] = 5;
  d->mocap_quat[0] = 0;
  d->mocap_quat[3] = 1;
  d->qfrc_applied[0] = .25;
  d->xfrc_applied[9] = .5;
  d->ctrl[0] = .75;
  d->act[0] = .125;
}

static void remember(World* w) {
  sn_getState(w->m, w->d, w->before, STATE);
  memcpy(w->asleep, w->d->tree_asleep, (size_t)w->m->ntree * sizeof(int));
}

static void assertUntouched(World* w) {
  size_t bytes = (size_t)sn_stateSize(w->m, STATE) * sizeof(snReal);
  sn_getState(w->m, w->d, w->after, STATE);
  assert_memory_equal(w->before, w->after, bytes);
  assert_memory_equal(w->asleep, w->d->tree_asleep, (size_t)w->m->ntree * sizeof(int));
  assert_int_equal(w->d->pstack, 0);
  assert_int_equal(w->d->pbase, 0);
  assert_int_equal(w->d->nlostframe, 0);
}

// ---- every function that steps or moves the data ----------------------------------------------------

enum { FUNCTIONS = 9 };

static void differentiate(const snModel* m, snData* d, int function) {
  static snReal A[40 * 40], B[40 * 4], C[4 * 40], D[4 * 4], F[3][20 * 20], S[3][20 * 4];
  static snReal M[20 * 200], error[2];
  assert_true(2 * m->nv + m->na <= 40 && m->nv <= 20 && m->nsensordata <= 4 && m->nM <= 200);
  switch (function) {
    case 0: snd_transitionFD(m, d, 1e-6, 1, A, B, C, D); break;
    case 1: snd_transitionFD(m, d, 1e-6, 0, A, NULL, NULL, NULL); break;
    case 2: snd_transitionDifference(m, d, NULL, A, B); break;
    case 3: snd_transitionHybrid(m, d, NULL, A, B); break;
    case 4: snd_transitionAnalytic(m, d, NULL, A, B); break;
    case 5: snd_validateTransition(m, d, error); break;
    case 6: snd_checkConvergence(m, d, 1e-6, 1e-3); break;
    case 7: snd_inverseFD(m, d, 1e-6, 1, F[0], F[1], F[2], S[0], S[1], S[2], M); break;
    default: snd_inverseAnalytic(m, d, 1, F[0], F[1], F[2]); break;
  }
}

// ---- bad numbers ------------------------------------------------------------------------------------

static snReal* badPlace(snData* d, int which) {
  switch (which) {
    case 0: return d->qpos + 1;
    case 1: return d->qvel;
    case 2: return d->qfrc_applied;
    case 3: return d->ctrl;
    case 4: return d->act;
    default: return d->xfrc_applied + 6;
  }
}

static void test_bad_numbers_leave_the_state(void** state) {
  (void)state;
  const snReal values[] = {1e9, 1e12, 1e30, NAN, -INFINITY};
  World w = makeWorld("disable");
  for (int auto_reset = 0; auto_reset < 2; auto_reset++) {
    w.m->opt.disableflags = auto_reset ? 0 : snDSBL_AUTORESET;
    for (int integrator = snINT_EULER; integrator <= snINT_IMPLICITSPRINGDAMPER; integrator++) {
      for (int k = integrator; k < 6 * 5 * FUNCTIONS; k += 7) {
        w.m->opt.integrator = snINT_EULER;
        sn_resetData(w.m, w.d);
        disturb(&w);
        w.m->opt.integrator = integrator;
        *badPlace(w.d, k % 6) = values[k / 6 % 5];
        remember(&w);
        differentiate(w.m, w.d, k / 30);
        assertUntouched(&w);
      }
    }
  }
  deleteWorld(&w);
}

// A trial that resets itself does not lead into the next: all steps from a state that is reset end in
// the same one, so that the derivative is zero, and it is the right one once the state is good again.
static void test_after_a_reset_derivatives_are_right(void** state) {
  (void)state;
  World w = makeWorld("disable");
  enum { N = 2 * 19 + 1 };
  static snReal expected[N * N], bad[N * N], again[N * N];
  disturb(&w);
  snd_transitionFD(w.m, w.d, 1e-6, 1, expected, NULL, NULL, NULL);
  snReal good = w.d->qvel[0];
  w.d->qvel[0] = 1e12;
  snd_transitionFD(w.m, w.d, 1e-6, 1, bad, NULL, NULL, NULL);
  for (int i = 0; i < N * N; i++) assert_close(bad[i], 0, 1e-12);
  assert_int_equal(w.d->warning[snWARN_BADQVEL].number, 1);
  w.d->qvel[0] = good;
  snd_transitionFD(w.m, w.d, 1e-6, 1, again, NULL, NULL, NULL);
  assert_memory_equal(expected, again, sizeof(expected));
  deleteWorld(&w);
}

// ---- a full arena -----------------------------------------------------------------------------------

static void test_a_full_arena_leaves_the_state(void** state) {
  (void)state;
  World w = makeWorld("disable");
  for (snSize narena = 4096; narena < 160000; narena += 5000) {
    w.m->narena = narena;
    snData* d = sn_makeData(w.m);
    sn_deleteData(w.d);
    w.d = d;
    for (int function = 0; function < FUNCTIONS; function++) {
      sn_resetData(w.m, w.d);
      disturb(&w);
      if (function == 2) w.d->qvel[3] = NAN;  // a reset in a full arena
      remember(&w);
      differentiate(w.m, w.d, function);
      assertUntouched(&w);
    }
  }
  deleteWorld(&w);
}

// ---- sleeping ---------------------------------------------------------------------------------------

static void test_trees_that_sleep_are_left_asleep(void** state) {
  (void)state;
  World w = makeWorld("enable");
  int box = w.m->body_treeid[sn_name2id(w.m, snOBJ_BODY, "box")];
  for (int i = 0; i < 2000 && w.d->tree_asleep[box] < 0; i++) sn_step(w.m, w.d);
  assert_true(w.d->tree_asleep[box] >= 0);
  for (int bad = 0; bad < 2; bad++) {
    for (int function = 0; function < FUNCTIONS; function++) {
      snReal* velocity = w.d->qvel + w.m->nv - 1;
      snReal good = *velocity, expected[MOST], found[MOST];
      size_t bytes = (size_t)sn_stateSize(w.m, STATE) * sizeof(snReal);
      snData* copy = sn_copyData(NULL, w.m, w.d);
      if (bad) *velocity = 1e12;
      remember(&w);
      differentiate(w.m, w.d, function);
      assertUntouched(&w);
      // and the world goes on as if nothing had happened
      *velocity = good;
      for (int i = 0; i < 3; i++) {
        sn_step(w.m, w.d);
        sn_step(w.m, copy);
      }
      sn_getState(w.m, copy, expected, STATE);
      sn_getState(w.m, w.d, found, STATE);
      assert_memory_equal(expected, found, bytes);
      assert_memory_equal(copy->tree_asleep, w.d->tree_asleep, (size_t)w.m->ntree * sizeof(int));
      sn_deleteData(copy);
    }
  }
  deleteWorld(&w);
}

// ---- callbacks --------------------------------------------------------------------------------------

enum { WRITE, RESET, NESTED };
static int mischief, depth, happened;

static void misbehave(const snModel* m, snData* d) {
  if (depth) return;
  depth = 1;
  happened = 1;
  switch (mischief) {
    case WRITE:
      d->userdata[0] += 1;
      d->ctrl[0] = .1;
      d->qfrc_applied[0] += .1;
      d->xfrc_applied[7] += .1;
      d->mocap_pos[0] += 1;
      d->eq_active[0] = 0;
      d->qacc_warmstart[0] += .1;
      break;
    case RESET: sn_resetData(m, d); break;
    default: sn_step(m, d); break;
  }
  depth = 0;
}

static void general(const snModel* m, snData* d) { misbehave(m, d); }
static void sensor(const snModel* m, snData* d, int stage) {
  (void)stage;
  misbehave(m, d);
}
static int filter(const snModel* m, snData* d, int geom1, int geom2) {
  (void)geom1, (void)geom2;
  misbehave(m, d);
  return 0;
}
static snReal act(const snModel* m, const snData* d, int i) {
  (void)i;
  misbehave(m, (snData*)d);
  return 1;
}
static void prepare(const snModel* m, snData* d) {
  sn_builtinContactSolver()->prepare(m, d);
  misbehave(m, d);
}
static void solve(const snModel* m, snData* d) {
  misbehave(m, d);
  sn_builtinContactSolver()->solve(m, d);
}
static const snContactSolver solver = {prepare, solve};

enum { CALLBACKS = 8 };

static void install(snData* d, int which) {
  memset(&d->callback, 0, sizeof(d->callback));
  switch (which) {
    case 0: d->callback.control = general; break;
    case 1: d->callback.passive = general; break;
    case 2: d->callback.sensor = sensor; break;
    case 3: d->callback.contactfilter = filter; break;
    case 4: d->callback.act_dyn = act; break;
    case 5: d->callback.act_gain = act; break;
    case 6: d->callback.act_bias = act; break;
    default: d->callback.contactsolver = &solver; break;
  }
}

static void test_callbacks_may_write_reset_and_step(void** state) {
  (void)state;
  for (int sleep = 0; sleep < 2; sleep++) {
    World w = makeWorld(sleep ? "enable" : "disable");
    for (mischief = WRITE; mischief <= NESTED; mischief++) {
      for (int k = 0; k < CALLBACKS * FUNCTIONS; k++) {
        install(w.d, CALLBACKS);
        w.d->callback.contactsolver = NULL;
        sn_resetData(w.m, w.d);
        disturb(&w);
        install(w.d, k % CALLBACKS);
        remember(&w);
        happened = 0;
        differentiate(w.m, w.d, k / CALLBACKS);
        assertUntouched(&w);
        for (int integrator = snINT_EULER; integrator <= snINT_IMPLICITSPRINGDAMPER; integrator++) {
          w.m->opt.integrator = integrator;
          for (int i = 0; i < 3; i++) sn_step(w.m, w.d);
          assert_int_equal(w.d->pstack, 0);
          assert_int_equal(w.d->pbase, 0);
        }
        w.m->opt.integrator = snINT_EULER;
        assert_true(happened);
      }
    }
    deleteWorld(&w);
  }
}

// ---- reset ------------------------------------------------------------------------------------------

static void test_a_reset_keeps_open_frames(void** state) {
  (void)state;
  World w = makeWorld("disable");
  sn_markStack(w.d);
  snReal* scratch = sn_stackAllocNum(w.d, 1000);
  assert_non_null(scratch);
  for (int i = 0; i < 1000; i++) scratch[i] = i;
  size_t base = w.d->pbase, stack = w.d->pstack;
  sn_resetData(w.m, w.d);
  for (int i = 0; i < 10; i++) sn_step(w.m, w.d);
  assert_int_equal(w.d->pbase, base);
  assert_int_equal(w.d->pstack, stack);
  for (int i = 0; i < 1000; i++) assert_close(scratch[i], i, 0);
  sn_freeStack(w.d);
  assert_int_equal(w.d->pstack, 0);
  deleteWorld(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bad_numbers_leave_the_state),
      cmocka_unit_test(test_after_a_reset_derivatives_are_right),
      cmocka_unit_test(test_a_full_arena_leaves_the_state),
      cmocka_unit_test(test_trees_that_sleep_are_left_asleep),
      cmocka_unit_test(test_callbacks_may_write_reset_and_step),
      cmocka_unit_test(test_a_reset_keeps_open_frames),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
