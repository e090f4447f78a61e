// The step: one page of named stages.

#include "base/arena.h"
#include "engine/force.h"
#include "engine/inertia.h"
#include "engine/integrate.h"
#include "engine/phases.h"
#include "engine/sleep.h"
#include "engine/tendon.h"
#include "engine/timer.h"
#include "math/decomp.h"
#include "math/math.h"

static int enabled(const snModel* m, snEnableBit bit) { return (m->opt.enableflags & bit) != 0; }
static int disabled(const snModel* m, snDisableBit bit) { return (m->opt.disableflags & bit) != 0; }

// ---- step

void sn_step(const snModel* m, snData* d) {
  snReal start = sn_now(d);
  size_t frame = d->pbase, stack = d->pstack;
  sn_beginStep(m, d);
  sn_forward(m, d);
  sn_endStep(m, d);
  sn_checkStack(d, frame, stack, "sn_step");  // every stage gave its scratch back
  sn_stopTimer(d, snTIMER_STEP, start);
}

void sn_step1(const snModel* m, snData* d) {
  snReal start = sn_now(d);
  d->status = 0;
  sn_checkPos(m, d);
  sn_checkVel(m, d);
  sn_stagePosition(m, d, 0);
  sn_stageVelocity(m, d, 0);
  if (d->callback.control) d->callback.control(m, d);
  sn_stopTimer(d, snTIMER_STEP, start);
}

// d->flg_rnepost stays as it is: MuJoCo keeps sensors of the first second half, and so do we
void sn_step2(const snModel* m, snData* d) {
  snReal start = sn_now(d);
  sn_fwdActuation(m, d);
  sn_fwdAcceleration(m, d);
  sn_fwdConstraint(m, d);
  sn_sensorAcc(m, d);
  sn_checkAcc(m, d);
  if (enabled(m, snENBL_FWDINV)) sn_compareFwdInv(m, d);
  sn_integrate(m, d, 1);
  sn_extendTimer(d, snTIMER_STEP, sn_now(d) - start);
}

// ---- forward dynamics

static snReal positionTimed(const snModel* m, snData* d, snReal start);
static snReal velocityTimed(const snModel* m, snData* d, snReal start);

// the last reading, or a new one when work was done since
static snReal readAgain(const snModel* m, const snData* d, int skipsensor, snReal last) {
  return (m->nsensor && !skipsensor) || enabled(m, snENBL_ENERGY) ? sn_now(d) : last;
}

static snReal stagePosition(const snModel* m, snData* d, int skipsensor, snReal start) {
  start = positionTimed(m, d, start);
  sn_positionSensors(m, d, skipsensor);
  return readAgain(m, d, skipsensor, start);
}

static snReal stageVelocity(const snModel* m, snData* d, int skipsensor, snReal start) {
  start = velocityTimed(m, d, start);
  sn_velocitySensors(m, d, skipsensor);
  return readAgain(m, d, skipsensor, start);
}

void sn_stagePosition(const snModel* m, snData* d, int skipsensor) {
  stagePosition(m, d, skipsensor, sn_now(d));
}

void sn_stageVelocity(const snModel* m, snData* d, int skipsensor) {
  stageVelocity(m, d, skipsensor, sn_now(d));
}

void sn_forwardSkip(const snModel* m, snData* d, int skipstage, int skipsensor) {
  snReal start = sn_now(d), lap = start;
  if (skipstage < snSTAGE_POS) lap = stagePosition(m, d, skipsensor, lap);
  if (skipstage < snSTAGE_VEL) lap = stageVelocity(m, d, skipsensor, lap);
  if (d->callback.control && !disabled(m, snDSBL_ACTUATION)) {
    d->callback.control(m, d);
    lap = sn_now(d);
  }

  sn_actuationTimed(m, d, lap);
  sn_fwdAcceleration(m, d);
  lap = sn_constraintTimed(m, d, sn_now(d));
  if (!skipsensor) {
    sn_accelerationSensors(m, d);
    if (m->nsensor) lap = sn_now(d);
  }
  sn_addTimer(d, snTIMER_FORWARD, lap - start);
}

void sn_forward(const snModel* m, snData* d) { sn_forwardSkip(m, d, snSTAGE_NONE, 0); }

// ---- position

void sn_fwdKinematics(const snModel* m, snData* d) {
  sn_kinematics(m, d);
  sn_massesAndPaths(m, d);
}

// collide once more with the trees that contacts woke
void sn_wakeTouched(const snModel* m, snData* d) {
  if (sn_wakeCollision(m, d)) {
    sn_updateSleep(m, d);
    sn_collision(m, d);
  }
  if (sn_wakeEquality(m, d)) sn_updateSleep(m, d);
}

static snReal positionTimed(const snModel* m, snData* d, snReal start) {
  snReal lap = start, next;
  if (SN_LANE == 0) d->flg_energypos = 0;
  sn_fwdKinematics(m, d);
  lap = sn_stopTimer(d, snTIMER_POS_KINEMATICS, lap);
  lap = sn_inertiaTimed(m, d, lap);
  lap = sn_collide(m, d, lap);

  sn_makeRows(m, d);
  lap = sn_stopTimer(d, snTIMER_POS_MAKE, lap);

  sn_transmission(m, d);
  next = sn_now(d);
  sn_extendTimer(d, snTIMER_POS_KINEMATICS, next - lap);

  sn_projectConstraint(m, d);
  lap = sn_stopTimer(d, snTIMER_POS_PROJECT, next);
  sn_addTimer(d, snTIMER_POSITION, lap - start);
  return lap;
}

void sn_fwdPosition(const snModel* m, snData* d) { positionTimed(m, d, sn_now(d)); }

// ---- velocity

// velocities of edges, tendons and actuators
static SN_OUTLINE void pathVelocities(const snModel* m, snData* d) {
  sn_mulMatVecSparse(d->flexedge_velocity, d->flexedge_J, d->qvel, (int)m->nflexedge,
                     m->flexedge_J_rownnz, m->flexedge_J_rowadr, m->flexedge_J_colind);
  if (sn_isSparse(m)) {
    sn_mulMatVecSparse(d->ten_velocity, d->ten_J, d->qvel, (int)m->ntendon, d->ten_J_rownnz,
                       d->ten_J_rowadr, d->ten_J_colind);
  } else {
    SN_FOR(i, m->ntendon) {
      d->ten_velocity[i] = snu_dot(d->ten_J + (size_t)i * (size_t)m->nv, d->qvel, (int)m->nv);
    }
    SN_SYNC();
  }
  if (disabled(m, snDSBL_ACTUATION)) {
    sn_zeroShared(d->actuator_velocity, (int)m->nu);
    SN_SYNC();
  } else {
    sn_mulMatVecSparse(d->actuator_velocity, d->actuator_moment, d->qvel, (int)m->nu,
                       d->moment_rownnz, d->moment_rowadr, d->moment_colind);
  }
}

// tendons whose Jacobians a lane asks for at once
enum { TENDONS = 4 };

// The same with a lane for each dof, for few tendons and actuators of one dof each. Returns 0 when
// there are others, having done nothing.
static int pathVelocitiesLanes(const snModel* m, snData* d) {
  int lane = SN_LANE, nu = (int)m->nu, nv = (int)m->nv, ntendon = (int)m->ntendon;
  if (!sn_laneForAll(m, d) || m->nflexedge || nu > SN_LANES || nu > m->nJmom || !nu ||
      ntendon > TENDONS || sn_isSparse(m) || disabled(m, snDSBL_ACTUATION)) {
    return 0;
  }
  int dof = lane < nv ? lane : 0, i = lane < nu ? lane : 0;
  int nnz = d->moment_rownnz[i], adr = d->moment_rowadr[i], column = d->moment_colind[i];
  snReal speed = d->qvel[dof], moment = d->actuator_moment[i], sum[TENDONS], own = 0;
  if (ntendon) {
    SN_UNROLL
    for (int k = 0; k < TENDONS; k++) sum[k] = d->ten_J[(k < ntendon ? k : 0) * nv + dof];
  }
  if (sn_warpAny(nnz != 1 || adr != i)) return 0;
  if (lane >= nv) speed = 0;
  snReal along = moment * sn_warpFrom(speed, column);
  if (lane < nu) d->actuator_velocity[lane] = along;
  SN_UNROLL
  for (int k = 0; k < TENDONS; k++) {
    if (k >= ntendon) break;
    snReal total = sn_teamSum(sum[k] * speed);
    if (lane == k) own = total;
  }
  if (lane < ntendon) d->ten_velocity[lane] = own;
  SN_SYNC();
  return 1;
}

void sn_pathVelocities(const snModel* m, snData* d) {
  if (SN_LANES == 1 || !pathVelocitiesLanes(m, d)) pathVelocities(m, d);
}

void sn_forceVelocities(const snModel* m, snData* d) { sn_bodyVelocities(m, d); }

static snReal velocityTimed(const snModel* m, snData* d, snReal start) {
  sn_bodyVelocities(m, d);
  sn_bias(m, d);
  return sn_stopTimer(d, snTIMER_VELOCITY, start);
}

void sn_fwdVelocity(const snModel* m, snData* d) { velocityTimed(m, d, sn_now(d)); }

// ---- acceleration

SN_OUTLINE void sn_fwdAcceleration(const snModel* m, snData* d) {
  SN_FOR(k, d->nv_awake) {
    int dof = d->dof_awake_ind[k];
    d->qfrc_smooth[dof] =
        d->qfrc_passive[dof] - d->qfrc_bias[dof] + d->qfrc_applied[dof] + d->qfrc_actuator[dof];
  }
  SN_SYNC();
  sn_xfrcAccumulate(m, d, d->qfrc_smooth);

  if (m->opt.integrator == snINT_IMPLICITSPRINGDAMPER) {
    sn_addSpringRate(m, d, d->qvel, -1, d->qfrc_smooth);
  }

  snInertia inertia = sn_systemInertia(m, d);
  if (SN_LANES > 1 && inertia.LD == d->qLD && sn_factorsAhead(m, d)) {
    int dof = SN_LANE, nv = (int)m->nv;
    snReal value = dof < nv ? d->qfrc_smooth[dof] : 0;
    value = sn_solveTreeOf(value, d->qLD, d->qLDiagInv, nv, m->M_rownnz, m->M_rowadr, m->M_colind);
    if (dof < nv) d->qacc_smooth[dof] = value;
    SN_SYNC();
    return;
  }
  SN_FOR(k, d->nv_awake) {
    int dof = d->dof_awake_ind[k];
    d->qacc_smooth[dof] = d->qfrc_smooth[dof];
  }
  SN_SYNC();
  sn_solveTree(d->qacc_smooth, inertia.LD, inertia.LDiagInv, d->nv_awake, (int)m->nv, 1,
               inertia.rownnz, inertia.rowadr, inertia.colind, d->dof_awake_ind);
}
