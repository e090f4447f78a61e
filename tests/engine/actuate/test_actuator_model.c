// Laws of actuators that a C program registers by name.

#include "harness.h"

#include "sinew/derivatives.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// the example of docs/actuator-models.md
static void pneumatic(void* user, const snActuatorState* s, snActuatorForce* f) {
  if (user) ++*(int*)user;
  f->gain = s->params[0];
  f->bias = -s->params[1] * s->length;
  f->bias_length = -s->params[1];
}

static void damper(void* user, const snActuatorState* s, snActuatorForce* f) {
  (void)user;
  f->gain = s->params[0] * s->velocity;
}

static void nothing(void* user, const snActuatorState* s, snActuatorForce* f) {
  (void)user;
  (void)s;
  (void)f;
}

static int calls;
static const snActuatorModel kPneumatic = {"lab.pneumatic", 2, 2, 1, pneumatic, &calls};
static const snActuatorModel kDamper = {"lab.damper", 1, 1, 0, damper, NULL};

static snModel* load(const char* actuator) {
  char xml[1000];
  snprintf(
      xml, sizeof(xml),
      "<mujoco><option timestep='.05' integrator='implicitfast' gravity='0 0 0'/><worldbody><body>"
      "<joint name='j' type='slide'/><geom size='.1' mass='.02'/></body></worldbody><actuator>"
      "<general joint='j' %s/></actuator></mujoco>",
      actuator);
  return loadXML(xml);
}

static snReal speedAfterSteps(const char* actuator, int steps) {
  snModel* m = load(actuator);
  assert_non_null(m);
  snData* d = sn_makeData(m);
  d->qvel[0] = 1;
  d->ctrl[0] = 1;
  for (int i = 0; i < steps; i++) sn_step(m, d);
  snReal speed = d->qvel[0];
  sn_deleteData(d);
  sn_deleteModel(m);
  return speed;
}

// spec 42D: 5
static void registeredLawMovesAsTheSameLawBuiltIn(void** state) {
  (void)state;
  assert_true(sn_registerActuatorModel(&kPneumatic) >= 0);
  assert_true(sn_registerActuatorModel(&kDamper) >= 0);
  calls = 0;
  snReal user = speedAfterSteps("sinew:gain_model='lab.pneumatic' sinew:gain_params='2 3'", 20);
  snReal own = speedAfterSteps("gainprm='2' biastype='affine' biasprm='0 -3 0'", 20);
  assert_true(calls > 0);
  assert_true(user == own);
  user = speedAfterSteps("sinew:gain_model='lab.damper' sinew:gain_params='-10'", 1);
  own = speedAfterSteps("gaintype='affine' gainprm='0 0 -10'", 1);
  assert_true(fabs((double)(user - own)) < 1e-9);
}

static snReal callbackGain(const snModel* m, const snData* d, int id) {
  (void)m;
  return -10 * d->actuator_velocity[id];
}

static snReal callbackOfJoint(const snModel* m, const snData* d, int id) {
  (void)m, (void)id;
  return -10 * d->qvel[0];
}

// spec 42D: 5. Callbacks without a derivative are differenced, and velocities are what they were.
static void callbackMovesAsTheSameLawBuiltIn(void** state) {
  (void)state;
  const snfAct gains[] = {callbackGain, callbackOfJoint};
  snModel* m = load("gaintype='user'");
  snData* d = sn_makeData(m);
  for (int i = 0; i < 2; i++) {
    sn_resetData(m, d);
    d->callback.act_gain = gains[i];
    d->qvel[0] = d->ctrl[0] = 1;
    sn_forward(m, d);
    snd_smoothVel(m, d);
    assert_true(d->qvel[0] == 1 && d->actuator_velocity[0] == 1);
    sn_step(m, d);
    assert_true(fabs((double)(d->qvel[0] - (snReal)1 / 26)) < 1e-7);
    assert_true(fabs((double)(d->qDeriv[0] + 10)) < 1e-5);
  }
  sn_deleteData(d);
  sn_deleteModel(m);
}

static void sameDefinitionHasOneSlotAndAnotherIsRefused(void** state) {
  (void)state;
  int slot = sn_registerActuatorModel(&kPneumatic);
  assert_true(slot >= 0);
  assert_int_equal(sn_registerActuatorModel(&kPneumatic), slot);
  assert_string_equal(sn_getActuatorModel(slot)->name, "lab.pneumatic");
  snActuatorModel other = kPneumatic;
  other.law = nothing;
  assert_int_equal(sn_registerActuatorModel(&other), -1);
  assert_non_null(strstr(sn_lastError(), "'lab.pneumatic' is already registered"));
  assert_null(sn_getActuatorModel(sn_actuatorModelCount()));
  assert_null(sn_getActuatorModel(-1));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(registeredLawMovesAsTheSameLawBuiltIn),
      cmocka_unit_test(callbackMovesAsTheSameLawBuiltIn),
      cmocka_unit_test(sameDefinitionHasOneSlotAndAnotherIsRefused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
