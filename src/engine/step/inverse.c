// Inverse dynamics: forces that produce given accelerations.

#include "base/arena.h"
#include "base/misuse.h"
#include "engine/differentiate/velocity_derivative.h"
#include "engine/smooth/inertia.h"
#include "engine/smooth/tendon.h"
#include "engine/solve/solver.h"
#include "engine/step/integrate.h"
#include "engine/step/timer.h"
#include "math/decomp.h"
#include "math/math.h"

static int enabled(const snModel* m, snEnableBit bit) { return (m->opt.enableflags & bit) != 0; }

// The position stage without what only forward dynamics needs: waking, islands, projection.
void sn_invPosition(const snModel* m, snData* d) {
  snReal start = sn_now(d), lap = start;
  d->flg_energypos = 0;
  sn_kinematics(m, d);
  sn_comPos(m, d);
  sn_camlight(m, d);
  sn_flex(m, d);
  sn_tendon(m, d);
  sn_stopTimer(d, snTIMER_POS_KINEMATICS, lap);
  sn_makeM(m, d);
  sn_factorM(m, d);
  sn_collision(m, d);

  lap = sn_now(d);
  sn_makeConstraint(m, d);
  sn_stopTimer(d, snTIMER_POS_MAKE, lap);
  lap = sn_now(d);
  sn_transmission(m, d);
  d->timer[snTIMER_POS_KINEMATICS].duration += sn_now(d) - lap;
  if (m->opt.integrator == snINT_IMPLICITSPRINGDAMPER) sn_makeSpringDamperInertia(m, d);
  sn_stopTimer(d, snTIMER_POSITION, start);
}

void sn_invVelocity(const snModel* m, snData* d) { sn_fwdVelocity(m, d); }

// The constraint force is an explicit function of the acceleration.
void sn_invConstraint(const snModel* m, snData* d) {
  snReal start = sn_now(d);
  if (!d->nefc) {
    snu_zero(d->qfrc_constraint, (int)m->nv);
  } else {
    sn_markStack(d);
    snReal* jar = SN_STACK(d, snReal, d->nefc);
    if (jar) {
      sn_mulJacVec(m, d, jar, d->qacc);
      snu_subFrom(jar, d->efc_aref, d->nefc);
      sn_constraintUpdate(m, d, jar, NULL, 0);
      sn_limitForces(m, d);
    } else {
      sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
    }
    sn_freeStack(d);
  }
  sn_stopTimer(d, snTIMER_CONSTRAINT, start);
}

// ---- accelerations of the discrete step

// (qvel_next - qvel) / h to the acceleration of continuous time: M qacc <- A qacc, where A is the
// matrix that the integrator solves with
static void discreteAcc(const snModel* m, snData* d, snReal* force) {
  switch (m->opt.integrator) {
    case snINT_EULER:
      if (!sn_hasImplicitDamping(m, d, 0)) return;
      sn_mulM(m, d, force, d->qacc);
      SN_FOR(dof, m->nv) force[dof] += m->opt.timestep * m->dof_damping[dof] * d->qacc[dof];
      SN_SYNC();
      break;
    case snINT_IMPLICIT:
      sn_derivSmoothVel(m, d, 1);
      sn_makeImplicitM(m, d);
      sn_mulMatVecSparse(force, d->qLU, d->qacc, (int)m->nv, m->D_rownnz, m->D_rowadr, m->D_colind);
      break;
    case snINT_IMPLICITFAST:
      sn_derivSmoothVel(m, d, 0);
      sn_makeImplicitFastM(m, d);
      sn_mulTree(force, d->qH, d->qacc, (int)m->nv, m->M_rownnz, m->M_rowadr, m->M_colind);
      break;
    case snINT_IMPLICITSPRINGDAMPER: return;  // the forward stages know no other acceleration
    default:
      snu_error("sn_discreteAcc: discrete inverse dynamics is not supported by RK4 integrator");
      return;
  }
  sn_solveM(m, d, d->qacc, force, 1);
}

// ---- inverse dynamics

// M qacc; of the discrete step of implicitspringdamper (M + h D + h^2 K) qacc + h K qvel
static void inertialForce(const snModel* m, snData* d, int discrete, snReal* force) {
  if (discrete && m->opt.integrator == snINT_IMPLICITSPRINGDAMPER) {
    sn_mulInertia(m, d, force, d->qacc);
    sn_addSpringRate(m, d, d->qvel, 1, force);
  } else {
    sn_mulM(m, d, force, d->qacc);
  }
}

static void inverseAcceleration(const snModel* m, snData* d, int skipsensor, snReal* scratch) {
  int nv = (int)m->nv;
  snReal *force = scratch, *qacc = scratch + nv;
  int discrete = enabled(m, snENBL_INVDISCRETE);
  if (discrete) {
    snu_copy(qacc, d->qacc, nv);
    discreteAcc(m, d, force);
  }

  sn_invConstraint(m, d);
  sn_rne(m, d, 0, d->qfrc_inverse);
  sn_tendonBias(m, d, d->qfrc_inverse);
  if (!skipsensor) {
    d->flg_rnepost = 0;
    sn_sensorAcc(m, d);
  }

  // qfrc_inverse = M qacc + bias - passive - constraint
  inertialForce(m, d, discrete, force);
  SN_FOR(dof, nv) {
    d->qfrc_inverse[dof] += force[dof] - d->qfrc_passive[dof] - d->qfrc_constraint[dof];
  }
  SN_SYNC();
  if (discrete) snu_copy(d->qacc, qacc, nv);
}

void sn_inverseSkip(const snModel* m, snData* d, int skipstage, int skipsensor) {
  if (!SN_IS_DATA_OF(m, d, "sn_inverseSkip")) return;
  snReal start = sn_now(d);
  if (skipstage < snSTAGE_POS) {
    sn_invPosition(m, d);
    if (!skipsensor) sn_sensorPos(m, d);
    if (enabled(m, snENBL_ENERGY) && !d->flg_energypos) sn_energyPos(m, d);
  }
  if (skipstage < snSTAGE_VEL) sn_stageVelocity(m, d, skipsensor);

  sn_markStack(d);
  snReal* scratch = SN_STACK(d, snReal, 2 * m->nv);
  if (scratch) {
    inverseAcceleration(m, d, skipsensor, scratch);
  } else {
    sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
  }
  sn_freeStack(d);
  sn_stopTimer(d, snTIMER_INVERSE, start);
}

void sn_inverse(const snModel* m, snData* d) { sn_inverseSkip(m, d, snSTAGE_NONE, 0); }
