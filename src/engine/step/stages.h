// The step as one list of stages.
//
// SN_STEP is the only place that states the order of a step. sn_step, sn_forward, their halves and their variants that
// skip parts (forward.c), the kernel of a GPU (gpu/world.h), the teams of threads (tests/engine/lanes) and the driver
// without a GPU (tests/gpu) all expand it. In a row
//
//   PHASE(name)        begins a phase. Between phases all teams of a block of a GPU wait for one another, so that they
//                      run the same instructions at the same time. Phases mean nothing else.
//   STAGE(part, call)  is a stage of that part of the step. The call may use the model m, the data d, skip (bits of
//                      what is left out), split (this is the second half of a split step), lap (clock reading at the
//                      start of the stage, timer.h) and start (clock reading at the start of the position part).
//
// A stage begins and ends with the lanes of a team at the same point. Stages are inline functions, so that a kernel calls
// the functions in them directly.

#ifndef SINEW_ENGINE_STEP_STAGES_H_
#define SINEW_ENGINE_STEP_STAGES_H_

#include "base/team.h"
#include "engine/deform/deform.h"
#include "engine/lanes/lanes.h"
#include "engine/smooth/inertia.h"
#include "engine/smooth/tendon.h"
#include "engine/step/consistent.h"
#include "engine/step/integrate.h"
#include "engine/step/plan.h"
#include "engine/step/sleep.h"
#include "engine/step/timer.h"
#include "sinew/sinew.h"

// clang-format off
#define SN_STEP(PHASE, STAGE)                                                                      \
  PHASE(BEGIN)        STAGE(BEGIN, sn_beginStep(m, d))                                             \
                      STAGE(PLAN, sn_planStep(m, d))                                               \
  PHASE(POSES)        STAGE(POSITION, start = lap)                                                 \
                      STAGE(POSITION, sn_poses(m, d))                                              \
  PHASE(PATHS)        STAGE(POSITION, lap = sn_pathsTimed(m, d, skip, lap))                        \
  PHASE(INERTIA)      STAGE(POSITION, lap = sn_inertiaTimed(m, d, lap))                            \
  PHASE(COLLISION)    STAGE(POSITION, lap = sn_collide(m, d, lap))                                 \
  PHASE(ROWS)         STAGE(POSITION, lap = sn_rowsTimed(m, d, lap))                               \
  PHASE(PROJECTION)   STAGE(POSITION, lap = sn_transmissionTimed(m, d, lap))                       \
                      STAGE(POSITION, lap = sn_projectTimed(m, d, lap))                            \
                      STAGE(POSITION, sn_touchDeformables(m, d))                                   \
                      STAGE(POSITION, sn_addTimer(d, snTIMER_POSITION, lap - start))               \
                      STAGE(POSITION_SENSORS, lap = sn_positionSensors(m, d, skip, lap))           \
  PHASE(VELOCITY)     STAGE(VELOCITY, sn_bodyVelocities(m, d))                                     \
  PHASE(BIAS)         STAGE(VELOCITY, lap = sn_biasTimed(m, d, lap))                               \
                      STAGE(VELOCITY_SENSORS, lap = sn_velocitySensors(m, d, skip, lap))           \
  PHASE(ACTUATION)    STAGE(CONTROL, lap = sn_control(m, d, lap))                                  \
                      STAGE(ACCELERATION, sn_actuationTimed(m, d, lap))                            \
  PHASE(ACCELERATION) STAGE(ACCELERATION, sn_fwdAcceleration(m, d))                                \
  PHASE(CONSTRAINT)   STAGE(ACCELERATION, lap = sn_constraintTimed(m, d, sn_now(d)))               \
                      STAGE(FORGET_FORCES, sn_forgetForces(d))                                     \
                      STAGE(ACCELERATION_SENSORS, lap = sn_accelerationSensors(m, d, skip, lap))   \
  PHASE(END)          STAGE(END, sn_endStep(m, d, split))                                          \
                      STAGE(END, sn_moveDeformables(m, d, split))

// the phases, in the order of the step
#define SN_IGNORE(...)
#define PHASE(name) snPHASE_##name,
enum { SN_STEP(PHASE, SN_IGNORE) snPHASES };
#undef PHASE

// the parts, in the order of the step
#define SN_STEP_PARTS(X)                                                                           \
  X(BEGIN) X(PLAN) X(POSITION) X(POSITION_SENSORS) X(VELOCITY) X(VELOCITY_SENSORS) X(CONTROL)      \
  X(ACCELERATION) X(FORGET_FORCES) X(ACCELERATION_SENSORS) X(END)
// clang-format on

enum {
#define X(part) snPART_NUMBER_##part,
  SN_STEP_PARTS(X)
#undef X
};

enum {
#define X(part) snPART_##part = 1 << snPART_NUMBER_##part,
  SN_STEP_PARTS(X)
#undef X
};

// What a step may leave out. Nothing that moves depends on it.
enum {
  snSKIP_SENSORS = 1,
  snSKIP_VIEWS = 2,  // poses of cameras and lights
  snSKIP_UNSEEN = snSKIP_SENSORS | snSKIP_VIEWS
};

SN_EXTERN_C_BEGIN

// A step that leaves out parts (bits snSKIP_*).
void sn_stepSkip(const snModel* m, snData* d, int skip);

// Finer stages that are not public.
void sn_checkState(const snModel* m, snData* d);
void sn_wakeTouched(const snModel* m, snData* d);
void sn_pathVelocities(const snModel* m, snData* d);

SN_EXTERN_C_END

// ---- the ends of a step

// The second half of a split step cannot evaluate forces anew, as RK4 has to: it steps as Euler then.
SN_STAGE static inline void sn_integrate(const snModel* m, snData* d, int split) {
  switch (sn_integratorOf(m)) {
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

SN_STAGE static inline void sn_endStep(const snModel* m, snData* d, int split) {
  sn_checkAcc(m, d);
  if (m->opt.enableflags & snENBL_FWDINV) SN_SOLO(sn_compareFwdInv(m, d));
  if (SN_LANE == 0 && d->calm < 2) d->calm++;
  sn_integrate(m, d, split);
}

// Deformables need the poses at the beginning of the step; Runge-Kutta leaves those of its last evaluation.
SN_STAGE static inline void sn_moveDeformables(const snModel* m, snData* d, int split) {
  if (!m->ndeformable) return;
  sn_deformStep(m, d, sn_integratorOf(m) == snINT_RK4 && !split ? m->opt.timestep : 0);
}

// ---- position

SN_STAGE static inline void sn_poses(const snModel* m, snData* d) {
  if (SN_LANE == 0) d->flg_energypos = 0;
  sn_kinematics(m, d);
}

// what follows from the poses of bodies: centres of mass, cameras and lights, flexes, tendons
SN_STAGE static inline void sn_finishKinematics(const snModel* m, snData* d, int skip) {
  sn_comPos(m, d);
  if (!(skip & snSKIP_VIEWS)) sn_camlight(m, d);
  if (m->nflex) sn_flex(m, d);
  sn_tendon(m, d);
  if (sn_someAsleep(m, d)) {
    SN_SYNC();
    SN_SOLO(if (sn_wakeTendon(m, d)) sn_updateSleep(m, d));
  }
}

SN_STAGE static inline snReal sn_pathsTimed(const snModel* m, snData* d, int skip, snReal start) {
  sn_finishKinematics(m, d, skip);
  SN_CONSISTENT(Tendons, m, d);
  return sn_stopTimer(d, snTIMER_POS_KINEMATICS, start);
}

SN_STAGE static inline snReal sn_collide(const snModel* m, snData* d, snReal start) {
  start = sn_collisionTimed(m, d, start);
  SN_CONSISTENT(Contacts, m, d);
  if (!sn_someAsleep(m, d)) return start;
  SN_SYNC();
  SN_SOLO(sn_wakeTouched(m, d));
  return sn_now(d);
}

// Contacts of deformables lie after the rows in the arena: making rows frees all that is after the contacts.
SN_STAGE static inline void sn_touchDeformables(const snModel* m, snData* d) {
  if (m->ndeformable) sn_deformCollision(m, d);
}

SN_STAGE static inline snReal sn_rowsTimed(const snModel* m, snData* d, snReal start) {
  sn_makeConstraint(m, d);
  SN_CONSISTENT(Rows, m, d);
  sn_lateInertia(m, d);
  if (m->opt.integrator == snINT_IMPLICITSPRINGDAMPER) SN_SOLO(sn_makeSpringDamperInertia(m, d));
  sn_island(m, d);
  SN_CONSISTENT(Islands, m, d);
  return sn_stopTimer(d, snTIMER_POS_MAKE, start);
}

SN_STAGE static inline snReal sn_transmissionTimed(const snModel* m, snData* d, snReal start) {
  sn_transmission(m, d);
  SN_CONSISTENT(Moments, m, d);
  snReal stop = sn_now(d);
  sn_extendTimer(d, snTIMER_POS_KINEMATICS, stop - start);
  return stop;
}

SN_STAGE static inline snReal sn_projectTimed(const snModel* m, snData* d, snReal start) {
  sn_projectConstraint(m, d);
  return sn_stopTimer(d, snTIMER_POS_PROJECT, start);
}

// ---- velocity

// A team with enough lanes computes the bias force together with the velocities (sn_biasTimed then skips it).
SN_STAGE static inline void sn_bodyVelocities(const snModel* m, snData* d) {
  if (SN_LANE == 0) d->flg_subtreevel = d->flg_energyvel = 0;
  sn_pathVelocities(m, d);
  if (sn_plans(m, d, snPLAN_TREE)) {
    sn_velocityLanes(m, d);
  } else {
    sn_comVel(m, d);
  }
  sn_passive(m, d);
  sn_referenceConstraint(m, d);
}

SN_STAGE static inline snReal sn_biasTimed(const snModel* m, snData* d, snReal start) {
  if (!sn_plans(m, d, snPLAN_TREE)) sn_rne(m, d, 0, d->qfrc_bias);
  if (m->ntendon) sn_tendonBias(m, d, d->qfrc_bias);
  return sn_stopTimer(d, snTIMER_VELOCITY, start);
}

// ---- control

// teams have no callbacks
SN_STAGE static inline snReal sn_control(const snModel* m, snData* d, snReal start) {
#ifndef SN_TEAM
  if (d->callback.control && !(m->opt.disableflags & snDSBL_ACTUATION)) {
    d->callback.control(m, d);
    return sn_now(d);
  }
#endif
  (void)m, (void)d;
  return start;
}

// ---- sensors and energies

// the last clock reading, or a new one when sensors or energies were computed since
static inline snReal sn_readAgain(const snModel* m, const snData* d, int skip, snReal last) {
  return (m->nsensor && !(skip & snSKIP_SENSORS)) || (m->opt.enableflags & snENBL_ENERGY)
             ? sn_now(d)
             : last;
}

SN_STAGE static inline snReal sn_positionSensors(const snModel* m, snData* d, int skip,
                                                 snReal start) {
  if (m->nsensor + m->nplugin && !(skip & snSKIP_SENSORS)) sn_sensorPos(m, d);
  if (m->opt.enableflags & snENBL_ENERGY) {
    if (!d->flg_energypos) sn_energyPos(m, d);
  } else {
    if (SN_LANE == 0 && !d->flg_energypos) d->energy[0] = d->energy[1] = 0;
    SN_SYNC();
  }
  return sn_readAgain(m, d, skip, start);
}

SN_STAGE static inline snReal sn_velocitySensors(const snModel* m, snData* d, int skip,
                                                 snReal start) {
  if (m->nsensor + m->nplugin && !(skip & snSKIP_SENSORS)) sn_sensorVel(m, d);
  if ((m->opt.enableflags & snENBL_ENERGY) && !d->flg_energyvel) sn_energyVel(m, d);
  return sn_readAgain(m, d, skip, start);
}

// cacc, cfrc_int and cfrc_ext are computed again when a sensor or the user asks for them
SN_STAGE static inline void sn_forgetForces(snData* d) {
  if (SN_LANE == 0) d->flg_rnepost = 0;
  SN_SYNC();
}

SN_STAGE static inline snReal sn_accelerationSensors(const snModel* m, snData* d, int skip,
                                                     snReal start) {
  if (skip & snSKIP_SENSORS) return start;
  if (m->nsensor + m->nplugin) sn_sensorAcc(m, d);
  return m->nsensor ? sn_now(d) : start;
}

#endif  // SINEW_ENGINE_STEP_STAGES_H_
