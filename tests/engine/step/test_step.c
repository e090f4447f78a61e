// Properties of the step that need C: no allocation, an empty stack, a full arena, callbacks.

#define _POSIX_C_SOURCE 200112L
#include <stdlib.h>

#include "harness.h"
#include "heap.h"

static const char* XML =
    "<mujoco><option timestep='0.002'/><worldbody><geom type='plane' size='2 2 .1'/>"
    "<body pos='0 0 .3'><freejoint/><geom type='capsule' size='.1 .2'/>"
    "<body pos='0 0 .2'><joint name='j' axis='0 1 0' damping='.1' stiffness='1'/>"
    "<geom type='capsule' size='.05' fromto='0 0 0 .3 0 0'/></body></body></worldbody>"
    "<tendon><fixed name='t' stiffness='2' damping='.1'><joint joint='j' "
    "coef='1'/></fixed></tendon>"
    "<actuator><motor joint='j'/></actuator></mujoco>";

static void* countedAllocate(size_t bytes) {
  allocations++;
  void* memory = NULL;
  return posix_memalign(&memory, 64, bytes) ? NULL : memory;
}

// spec 004-1: 1 2 4; spec 004-2: 6; spec 004-8: 7
static void test_no_allocation_in_a_step(void** state) {
  (void)state;
  allocations = 0;
  snModel* m = loadXML(XML);
  snData* d = sn_makeData(m);
  assert_true(allocations > 0);  // they are seen
  for (int integrator = snINT_EULER; integrator <= snINT_IMPLICITSPRINGDAMPER; integrator++) {
    m->opt.integrator = integrator;
    sn_resetData(m, d);
    allocations = 0;
    sn_setAllocator(countedAllocate, free);
    for (int i = 0; i < 50; i++) {
      d->ctrl[0] = 1;
      sn_step(m, d);
      assert_int_equal(d->pstack, 0);
      assert_int_equal(d->pbase, 0);
    }
    sn_step1(m, d);
    sn_step2(m, d);
    sn_inverse(m, d);
    sn_setAllocator(NULL, NULL);
    assert_int_equal(allocations, 0);
    assert_int_equal(d->status, 0);
  }
  sn_deleteData(d);
  sn_deleteModel(m);
}

// the same start gives the same bits, also from a copy in the middle of a run
static void test_same_bits(void** state) {
  (void)state;
  snModel* m = loadXML(XML);
  snData *a = sn_makeData(m), *b = NULL;
  for (int i = 0; i < 100; i++) sn_step(m, a);
  b = sn_copyData(NULL, m, a);
  for (int i = 0; i < 100; i++) {
    sn_step(m, a);
    sn_step(m, b);
  }
  assert_memory_equal(a->qpos, b->qpos, (size_t)m->nq * sizeof(snReal));
  assert_memory_equal(a->qvel, b->qvel, (size_t)m->nv * sizeof(snReal));
  sn_deleteData(a);
  sn_deleteData(b);
  sn_deleteModel(m);
}

// an arena that is too small, whatever its size, costs work and a warning bit, never a crash
static void test_full_arena(void** state) {
  (void)state;
  snModel* m = loadXML(XML);
  snSize whole = m->narena;
  int warned = 0;
  for (snSize bytes = 0; bytes < 20000; bytes = bytes * 5 / 4 + 64) {
    m->narena = bytes;
    for (int integrator = snINT_EULER; integrator <= snINT_IMPLICITSPRINGDAMPER; integrator++) {
      m->opt.integrator = integrator;
      snData* d = sn_makeData(m);
      for (int i = 0; i < 3; i++) {
        sn_step(m, d);
        warned += d->status != 0;
      }
      sn_inverse(m, d);
      sn_subtreeVel(m, d);
      sn_deleteData(d);
    }
  }
  assert_true(warned > 0);
  m->narena = whole;
  sn_deleteModel(m);
}

// ---- callbacks

static int controls, passives;
static snReal clock_ms;

static void countControl(const snModel* m, snData* d) {
  (void)m;
  controls++;
  d->ctrl[0] = 1;
}
static void countPassive(const snModel* m, snData* d) {
  (void)m;
  passives++;
  d->qfrc_passive[0] += 1;
}
static snReal tick(void) { return clock_ms += 1; }

static void test_callbacks(void** state) {
  (void)state;
  snModel* m = loadXML(XML);
  snData* d = sn_makeData(m);
  d->callback.control = countControl;
  d->callback.passive = countPassive;
  d->callback.time = tick;

  sn_step(m, d);
  assert_int_equal(controls, 1);
  assert_int_equal(passives, 1);
  assert_true(d->timer[snTIMER_STEP].duration > d->timer[snTIMER_FORWARD].duration);
  assert_true(d->timer[snTIMER_POSITION].duration > 0);

  m->opt.integrator = snINT_RK4;  // four evaluations
  sn_step(m, d);
  assert_int_equal(controls, 5);
  assert_int_equal(passives, 5);

  // without actuation forward does not ask for controls, step1 does
  m->opt.integrator = snINT_EULER;
  m->opt.disableflags |= snDSBL_ACTUATION;
  sn_forward(m, d);
  assert_int_equal(controls, 5);
  sn_step1(m, d);
  assert_int_equal(controls, 6);

  // both spring and damper off: no passive callback
  m->opt.disableflags |= snDSBL_SPRING | snDSBL_DAMPER;
  sn_forward(m, d);
  assert_int_equal(passives, 7);
  sn_resetData(m, d);
  assert_true(d->callback.control == countControl);
  sn_deleteData(d);
  sn_deleteModel(m);
}

// A formulation of one's own: springs and dampers in place of the rows' solver, in the normal direction
// of contacts alone.
static int prepared;
static void prepareSprings(const snModel* m, snData* d) {
  (void)m;
  prepared += d->nefc > 0;
}
static void solveSprings(const snModel* m, snData* d) {
  snReal force[3] = {0}, torque[3] = {0}, vel[6];
  for (int i = 0; i < m->nv; i++) d->qfrc_constraint[i] = 0;
  for (int k = 0; k < d->ncon; k++) {
    const snContact* con = d->contact + k;
    int body = m->geom_bodyid[con->geom[1]];
    sn_objectVelocity(m, d, snOBJ_BODY, body, vel, 0);
    for (int i = 0; i < 3; i++) force[i] = con->frame[i] * (-4e3 * con->dist - 50 * vel[5]);
    sn_applyFT(m, d, force, torque, con->pos, body, d->qfrc_constraint);
  }
  for (int i = 0; i < m->nv; i++) d->qacc[i] = d->qfrc_smooth[i] + d->qfrc_constraint[i];
  sn_solveM(m, d, d->qacc, d->qacc, 1);
}

// the table replaces the built-in solvers between any two steps
// spec 42E: 1 5
static void test_own_contact_solver_replaces_the_built_in(void** state) {
  (void)state;
  const snContactSolver springs = {prepareSprings, solveSprings};
  snModel* m = loadXML(XML);
  snData* d = sn_makeData(m);
  d->callback.contactsolver = &springs;
  for (int i = 0; i < 2000; i++) sn_step(m, d);
  assert_true(prepared > 100);
  assert_true(d->ncon > 0 && d->qpos[2] > 0.05 && d->qpos[2] < 0.3);  // it lies on its springs
  assert_int_equal(d->status, 0);

  prepared = 0;
  d->callback.contactsolver = NULL;
  for (int i = 0; i < 100; i++) sn_step(m, d);
  assert_int_equal(prepared, 0);
  assert_true(d->solver_niter[0] > 0);
  sn_deleteData(d);
  sn_deleteModel(m);
}

// what cannot be done is refused and nothing changes
static void test_refusals(void** state) {
  (void)state;
  snModel* m = loadXML(XML);
  snData* d = sn_makeData(m);
  snReal qfrc[7] = {0}, point[3] = {0}, vel[6];
  sn_applyFT(m, d, point, NULL, point, 99, qfrc);
  sn_objectVelocity(m, d, snOBJ_ACTUATOR, 0, vel, 0);
  sn_implicit(m, d);
  sn_setKeyframe(m, d, 0);
  assert_int_equal(sn_stateSize(m, -1), 0);
  assert_int_equal(sn_stateSize(m, 1 << snNSTATE), 0);
  assert_true(d->time == 0);
  m->opt.integrator = 17;
  sn_step(m, d);
  assert_true(d->time == 0);
  sn_warning(d, 99, 0);
  sn_deleteData(d);
  sn_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_no_allocation_in_a_step),
      cmocka_unit_test(test_same_bits),
      cmocka_unit_test(test_full_arena),
      cmocka_unit_test(test_callbacks),
      cmocka_unit_test(test_own_contact_solver_replaces_the_built_in),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
