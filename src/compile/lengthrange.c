// Length range of an actuator: the lengths that it reaches when pulled and pushed to its ends.

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/error.h"
#include "compile/constants.h"
#include "math/math.h"

static int isWanted(const snModel* m, int index, int mode) {
  int muscle =
      m->actuator_gaintype[index] == snGAIN_MUSCLE || m->actuator_biastype[index] == snBIAS_MUSCLE;
  int user =
      m->actuator_gaintype[index] == snGAIN_USER || m->actuator_biastype[index] == snBIAS_USER;
  switch (mode) {
    case snLRMODE_ALL: return 1;
    case snLRMODE_MUSCLE: return muscle;
    case snLRMODE_MUSCLEUSER: return muscle || user;
    default: return 0;
  }
}

// limits of the joint or tendon that the actuator acts on; 0 when there are none. The target is
// read at the place where MuJoCo reads it, entry `index` of the flat array. There may be no object there (-1),
// which has no limits, or one of another kind, in whose place we take the actuator's own.
static int rangeFromLimit(snModel* m, int index) {
  snReal* range = m->actuator_lengthrange + 2 * index;
  int type = m->actuator_trntype[index], tendon = type == snTRN_TENDON;
  if (type != snTRN_JOINT && type != snTRN_JOINTINPARENT && !tendon) return 0;
  snSize count = tendon ? m->ntendon : m->njnt;
  int id = m->actuator_trnid[index];
  if (id == -1) return 0;
  if (id < 0 || id >= count) id = m->actuator_trnid[2 * index];
  SN_ASSERT_INDEX(id, count);
  if (!(tendon ? m->tendon_limited[id] : m->jnt_limited[id])) return 0;
  const snReal* limit = (tendon ? m->tendon_range : m->jnt_range) + 2 * id;
  range[0] = limit[0];
  range[1] = limit[1];
  return 1;
}

// force along the moment that gives the wanted acceleration, limited in size
static void applyForce(const snModel* m, snData* d, int index, int side, const snLROpt* opt,
                       snReal* scratch) {
  int nv = (int)m->nv, address = d->moment_rowadr[index];
  SN_ASSERT_PART(address, d->moment_rownnz[index], m->nJmom);
  snu_zero(d->qfrc_applied, nv);
  for (int k = address; k < address + d->moment_rownnz[index]; k++) {
    d->qfrc_applied[d->moment_colind[k]] = d->actuator_moment[k];
  }
  sn_solveM(m, d, scratch, d->qfrc_applied, 1);
  snReal scale = opt->accel / snu_max(snMINVAL, snu_norm(scratch, nv));
  snu_scl(d->qfrc_applied, d->qfrc_applied, side ? scale : -scale, nv);
  snReal force = snu_norm(d->qfrc_applied, nv);
  if (opt->maxforce > 0 && force > opt->maxforce) {
    snu_scl(d->qfrc_applied, d->qfrc_applied, opt->maxforce / force, nv);
  }
}

// pull (side 0) or push (side 1); eval is the interval in which the length moves at the end
static int simulateSide(snModel* m, snData* d, int index, int side, const snLROpt* opt,
                        snReal eval[2], char* error, int error_sz) {
  snReal low = snMAXVAL, high = -snMAXVAL;
  snReal decay = snu_exp(-m->opt.timestep / snu_max((snReal)0.01, opt->timeconst));
  sn_resetData(m, d);
  while (d->time < opt->inttotal) {
    snReal before = d->time;
    snu_scl(d->qvel, d->qvel, decay, (int)m->nv);
    sn_step1(m, d);
    sn_markStack(d);
    snReal* scratch = SN_STACK(d, snReal, m->nv + 1);
    if (!scratch) {
      sn_freeStack(d);
      sn_formatError(error, error_sz, "arena too small for the length range of actuator %d", index);
      return 0;
    }
    applyForce(m, d, index, side, opt, scratch);
    sn_freeStack(d);
    sn_step2(m, d);
    snReal length = d->actuator_length[index];
    if (!(d->time > before)) {  // either half of the step may have started anew
      sn_formatError(error, error_sz, "Unstable lengthrange simulation in actuator %d", index);
      return 0;
    }
    if (d->time > opt->inttotal - opt->interval) {
      low = snu_min(low, length);
      high = snu_max(high, length);
    }
  }
  m->actuator_lengthrange[2 * index + side] = side ? high : low;
  eval[0] = low;
  eval[1] = high;
  return 1;
}

static int simulateRange(snModel* m, snData* d, int index, const snLROpt* opt, char* error,
                         int error_sz) {
  snReal eval[2][2];
  for (int side = 0; side < 2; side++) {
    if (!simulateSide(m, d, index, side, opt, eval[side], error, error_sz)) return 0;
  }
  const snReal* range = m->actuator_lengthrange + 2 * index;
  snReal width = range[1] - range[0];
  if (!(width > 0)) {
    sn_formatError(error, error_sz, "Invalid lengthrange (%g, %g) in actuator %d", (double)range[0],
                   (double)range[1], index);
    return 0;
  }
  for (int side = 0; side < 2; side++) {
    if (eval[side][1] - eval[side][0] > opt->tolrange * width) {
      sn_formatError(error, error_sz,
                     "Lengthrange computation did not converge in actuator %d:\n  eval (%g, %g)\n"
                     "%s range (%g, %g)",
                     index, (double)eval[side][0], (double)eval[side][1], side ? "" : " ",
                     (double)range[0], (double)range[1]);
      return 0;
    }
  }
  return 1;
}

int sn_setLengthRange(snModel* m, snData* d, int index, const snLROpt* opt, char* error,
                      int error_sz) {
  if (index < 0 || index >= m->nu) {
    snu_error("sn_setLengthRange: invalid actuator index");
    return 0;
  }
  const snReal* range = m->actuator_lengthrange + 2 * index;
  if (!isWanted(m, index, opt->mode)) return 1;
  if (opt->useexisting && range[0] < range[1]) return 1;
  if (opt->uselimit && rangeFromLimit(m, index)) return 1;
  if (!(opt->inttotal > 0) || !isfinite(opt->inttotal)) {
    sn_formatError(error, error_sz, "Invalid lengthrange (0, 0) in actuator %d", index);
    return 0;
  }
  if (m->opt.timestep > 0 && opt->inttotal / m->opt.timestep <= 2e5) {
    return simulateRange(m, d, index, opt, error, error_sz);
  }
  sn_formatError(error, error_sz, "lengthrange: more than 2e5 steps of size %g",
                 (double)m->opt.timestep);
  return 0;
}
