// The stages of a step from finer ones, and a step in phases.
//
// Inline, so that a kernel of a GPU calls the finer stages itself: it has no caller whose registers
// it would have to save, and what it keeps for itself costs nothing.

#ifndef SINEW_ENGINE_STEP_PHASES_H_
#define SINEW_ENGINE_STEP_PHASES_H_

#include "base/team.h"
#include "engine/lanes/lanes.h"
#include "engine/smooth/inertia.h"
#include "engine/smooth/tendon.h"
#include "engine/step/integrate.h"
#include "engine/step/sleep.h"
#include "engine/step/timer.h"
#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// Finer stages that are not public.
void sn_checkState(const snModel* m, snData* d);
void sn_wakeTouched(const snModel* m, snData* d);
void sn_pathVelocities(const snModel* m, snData* d);

// sn_comVel and the bias force, where sn_laneForAll holds (smooth/bias.c).
void sn_velocityLanes(const snModel* m, snData* d);

SN_EXTERN_C_END

// ---- the ends of a step

// RK4 needs evaluations of its own: the second half of a split step cannot offer them
SN_STAGE static inline void sn_integrate(const snModel* m, snData* d, int split) {
  switch (m->opt.integrator) {
    case snINT_EULER: sn_Euler(m, d); break;
    case snINT_RK4:
      if (split) {
        sn_Euler(m, d);
      } else {
        sn_RungeKutta(m, d, 4);
      }
      break;
    case snINT_IMPLICIT:
    case snINT_IMPLICITFAST: sn_implicit(m, d); break;
    case snINT_IMPLICITSPRINGDAMPER: sn_implicitSpringDamper(m, d); break;
    default: snu_error("sn_step: invalid integrator"); break;
  }
}

SN_STAGE static inline void sn_beginStep(const snModel* m, snData* d) {
  if (SN_LANE == 0) d->status = 0;
  SN_SYNC();
  sn_checkState(m, d);
}

SN_STAGE static inline void sn_endStep(const snModel* m, snData* d) {
  sn_checkAcc(m, d);
  if (m->opt.enableflags & snENBL_FWDINV) SN_SOLO(sn_compareFwdInv(m, d));
  sn_integrate(m, d, 0);
}

// ---- position

// what follows from the poses of bodies
SN_STAGE static inline void sn_massesAndPaths(const snModel* m, snData* d) {
  sn_comPos(m, d);
  sn_camlight(m, d);
  if (m->nflex) sn_flex(m, d);
  sn_tendon(m, d);
  if (sn_someAsleep(m, d)) {
    SN_SYNC();
    SN_SOLO(if (sn_wakeTendon(m, d)) sn_updateSleep(m, d));
  }
}

// contacts; returns the time
SN_STAGE static inline snReal sn_collide(const snModel* m, snData* d, snReal start) {
  start = sn_collisionTimed(m, d, start);
  if (!sn_someAsleep(m, d)) return start;
  SN_SYNC();
  SN_SOLO(sn_wakeTouched(m, d));
  return sn_now(d);
}

SN_STAGE static inline void sn_makeRows(const snModel* m, snData* d) {
  sn_makeConstraint(m, d);
  if (m->opt.integrator == snINT_IMPLICITSPRINGDAMPER) SN_SOLO(sn_makeSpringDamperInertia(m, d));
  sn_island(m, d);
}

SN_STAGE static inline void sn_positionSensors(const snModel* m, snData* d, int skipsensor) {
  if (m->nsensor + m->nplugin && !skipsensor) sn_sensorPos(m, d);
  if (m->opt.enableflags & snENBL_ENERGY) {
    if (!d->flg_energypos) sn_energyPos(m, d);
  } else {
    if (SN_LANE == 0 && !d->flg_energypos) d->energy[0] = d->energy[1] = 0;
    SN_SYNC();
  }
}

// ---- velocity

// a team with enough lanes finds the bias force along with the velocities
SN_STAGE static inline void sn_bodyVelocities(const snModel* m, snData* d) {
  if (SN_LANE == 0) d->flg_subtreevel = d->flg_energyvel = 0;
  sn_pathVelocities(m, d);
  if (sn_laneForAll(m, d)) {
    sn_velocityLanes(m, d);
  } else {
    sn_comVel(m, d);
  }
  sn_passive(m, d);
  sn_referenceConstraint(m, d);
}

SN_STAGE static inline void sn_bias(const snModel* m, snData* d) {
  if (!sn_laneForAll(m, d)) sn_rne(m, d, 0, d->qfrc_bias);
  if (m->ntendon) sn_tendonBias(m, d, d->qfrc_bias);
}

SN_STAGE static inline void sn_velocitySensors(const snModel* m, snData* d, int skipsensor) {
  if (m->nsensor + m->nplugin && !skipsensor) sn_sensorVel(m, d);
  if ((m->opt.enableflags & snENBL_ENERGY) && !d->flg_energyvel) sn_energyVel(m, d);
}

// ---- acceleration

SN_STAGE static inline void sn_accelerationSensors(const snModel* m, snData* d) {
  if (SN_LANE == 0) d->flg_rnepost = 0;
  SN_SYNC();
  if (m->nsensor + m->nplugin) sn_sensorAcc(m, d);
}

// ---- a step in phases

// sn_step without callbacks and timers: teams of a GPU that go from one phase to the next together
// share the instructions that they fetch. A phase leaves the team to be synchronised.
enum { snSTEP_PHASES = 13 };

SN_STAGE static inline void sn_stepPhase(const snModel* m, snData* d, int phase) {
  switch (phase) {
    case 0: sn_beginStep(m, d); break;
    case 1:
      if (SN_LANE == 0) d->flg_energypos = 0;
      sn_kinematics(m, d);
      break;
    case 2: sn_massesAndPaths(m, d); break;
    case 3: sn_inertiaTimed(m, d, 0); break;
    case 4: sn_collide(m, d, 0); break;
    case 5: sn_makeRows(m, d); break;
    case 6:
      sn_transmission(m, d);
      sn_projectConstraint(m, d);
      sn_positionSensors(m, d, 0);
      break;
    case 7: sn_bodyVelocities(m, d); break;
    case 8:
      sn_bias(m, d);
      sn_velocitySensors(m, d, 0);
      break;
    case 9: sn_fwdActuation(m, d); break;
    case 10: sn_fwdAcceleration(m, d); break;
    case 11:
      sn_fwdConstraint(m, d);
      sn_accelerationSensors(m, d);
      break;
    default: sn_endStep(m, d); break;
  }
}

#endif  // SINEW_ENGINE_STEP_PHASES_H_
