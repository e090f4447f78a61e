// mujoco.pid: force = kp e + kd de/dt + ki I, with e the distance of the actuator from its
// setpoint.
//
// Activations of the actuator, in order: the integral (ki other than 0), the last setpoint (with a
// slew rate), the native activation (with dynamics).

#include "engine/actuate/actuation.h"
#include "engine/plugin/plugin.h"
#include "math/math.h"

enum { KP, KI, KD, IMAX, SLEWMAX, TEXTS };

typedef struct Pid_ {
  snReal kp, ki, kd;
  int bounded;  // the integral has a bound
  snReal bound;
  int slewing;  // the setpoint has a largest rate
  snReal slew;
  int integral;  // activations, -1: none
  int setpoint;
  int native;
} Pid;

static snReal numberOf(const char* text) {
  snReal value = 0;
  if (*text) sn_readNumbers(text, &value, 1);
  return value;
}

// The controller of an actuator; 0: it has none, or not the activations that its settings need.
static int makePid(const snModel* m, int i, Pid* pid) {
  int instance = m->actuator_plugin[i], adr = m->actuator_actadr[i];
  if (instance < 0 || m->plugin[instance] != snPLUGIN_PID) return 0;
  const char* text[TEXTS];
  sn_pluginTexts(m, instance, text, TEXTS);
  pid->kp = numberOf(text[KP]);
  pid->ki = numberOf(text[KI]);
  pid->kd = numberOf(text[KD]);
  pid->bounded = *text[IMAX] && pid->ki != 0;
  pid->bound = pid->bounded ? numberOf(text[IMAX]) / pid->ki : 0;
  pid->slewing = *text[SLEWMAX] != 0;
  pid->slew = numberOf(text[SLEWMAX]);
  pid->integral = pid->ki != 0 ? adr++ : -1;
  pid->setpoint = pid->slewing ? adr++ : -1;
  pid->native = m->actuator_dyntype[i] == snDYN_NONE ? -1 : adr++;
  return m->actuator_actnum[i] >= adr - m->actuator_actadr[i];
}

// where the actuator should be
static snReal desired(const snModel* m, const snData* d, const Pid* pid, int i, int early) {
  snReal u;
  if (pid->native < 0) {
    const snReal* range = m->actuator_ctrlrange + 2 * i;
    u = m->actuator_ctrllimited[i] ? snu_clip(d->ctrl[i], range[0], range[1]) : d->ctrl[i];
  } else if (early) {
    u = sn_nextActivation(m, d, i, pid->native, d->act_dot[pid->native]);
  } else {
    u = d->act[pid->native];
  }
  if (!pid->slewing || !(d->time > 0)) return u;
  snReal last = d->act[pid->setpoint], reach = pid->slew * m->opt.timestep;
  return snu_clip(u, last - reach, last + reach);
}

// the integral at the end of the step
static snReal integral(const snModel* m, const snData* d, const Pid* pid, snReal error) {
  snReal sum = d->act[pid->integral] + error * m->opt.timestep;
  return pid->bounded ? snu_clip(sum, -pid->bound, pid->bound) : sum;
}

void sn_pluginActDot(const snModel* m, snData* d) {
  snReal h = m->opt.timestep;
  for (int i = 0; i < (int)m->nu; i++) {
    Pid pid;
    if (!makePid(m, i, &pid)) continue;
    snReal u = desired(m, d, &pid, i, 0), error = u - d->actuator_length[i];
    if (pid.integral >= 0) {
      d->act_dot[pid.integral] = (integral(m, d, &pid, error) - d->act[pid.integral]) / h;
    }
    if (pid.setpoint >= 0) d->act_dot[pid.setpoint] = (u - d->act[pid.setpoint]) / h;
  }
}

void sn_pluginForces(const snModel* m, snData* d) {
  for (int i = 0; i < (int)m->nu; i++) {
    Pid pid;
    if (!makePid(m, i, &pid)) continue;
    snReal u = desired(m, d, &pid, i, m->actuator_actearly[i]), error = u - d->actuator_length[i];
    snReal rate = (pid.native < 0 ? 0 : d->act_dot[pid.native]) - d->actuator_velocity[i];
    snReal sum = pid.integral < 0 ? 0 : integral(m, d, &pid, error);
    d->actuator_force[i] = pid.kp * error + pid.kd * rate + pid.ki * sum;
  }
}
