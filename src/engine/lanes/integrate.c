// Euler's step with a lane for each dof, joint and coordinate of qpos: see step/integrate.c.
//
// A lane keeps the acceleration and the velocity of its dof; the damped inertia was factored in the
// position stage. Nothing sleeps, and there are no plugins.

#include "engine/step/integrate.h"
#include "base/assert.h"
#include "engine/actuate/actuation.h"
#include "engine/lanes/lanes.h"
#include "engine/smooth/joint.h"
#include "engine/step/plan.h"
#include "math/decomp.h"
#include "math/math.h"
#include "model/object_types.h"

// qpos advances by dt, where the velocity is that of the lane's dof.
SN_KERNEL void advancePositions(const snModel* m, snReal* qpos, snReal velocity, snReal dt) {
  SN_ASSERT(m->njnt <= SN_LANES && m->nq <= SN_LANES);
  int lane = SN_LANE, own = lane < (int)m->njnt, joint = own ? lane : 0;
  int type = m->jnt_type[joint], adr = m->jnt_qposadr[joint], dof = m->jnt_dofadr[joint];
  snReal coordinate = qpos[lane < (int)m->nq ? lane : 0], q[7], v[6];
  int count = sn_jointPositions(type);
  q[0] = sn_warpFrom(coordinate, adr);
  v[0] = sn_warpFrom(velocity, dof);
  if (sn_warpAny(count > 1)) {
    SN_UNROLL
    for (int c = 1; c < 7; c++) q[c] = sn_warpFrom(coordinate, adr + c);
    SN_UNROLL
    for (int c = 1; c < 6; c++) v[c] = sn_warpFrom(velocity, dof + c);
  }
  sn_advanceJoint(type, q, v, dt);
  SN_UNROLL
  for (int c = 0; c < 7; c++) {
    if (own && c < count) qpos[adr + c] = q[c];
  }
}

SN_STAGE void sn_EulerLanes(const snModel* m, snData* d) {
  SN_ASSERT(m->nv > 0 && m->nv <= SN_LANES && !m->nplugin);
  int dof = SN_LANE, nv = (int)m->nv, own = dof < nv;
  snReal qacc = 0, velocity = 0, force = 0, inverse = 1, time = d->time;
  if (own) {
    qacc = d->qacc[dof], velocity = d->qvel[dof];
    force = d->qfrc_smooth[dof] + d->qfrc_constraint[dof];
    inverse = d->qHDiagInv[dof];
  }
  snReal solved = qacc;
  if (sn_plans(m, d, snPLAN_DAMPED_FACTOR)) {
    if (sn_teamAny(!(inverse > 0))) {
      SN_ONE d->status |= snSTATUS_NOTPOSDEF;
    }
    solved = sn_solveTreeOf(force, d->qH, d->qHDiagInv, nv, m->M_rownnz, m->M_rowadr, m->M_colind);
  }
  if (m->nhistory) sn_advanceHistory(m, d);
  if (m->na) sn_advanceActivations(m, d, d->act_dot);
  velocity += m->opt.timestep * solved;
  if (own) {
    d->qvel[dof] = velocity;
    d->qacc_warmstart[dof] = qacc;
  }
  advancePositions(m, d->qpos, velocity, m->opt.timestep);
  if (!dof) d->time = time + m->opt.timestep;
  SN_SYNC();
}
