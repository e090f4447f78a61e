// Derivatives of inverse dynamics: finite differences, closed forms.

#include "base/arena.h"
#include "base/assert.h"
#include "base/misuse.h"
#include "engine/differentiate/acceleration_derivative.h"
#include "engine/differentiate/kept.h"
#include "engine/differentiate/position_derivative.h"
#include "math/math.h"

// ---- differences

// what the differences are taken of, at the state itself
typedef struct Nominal_ {
  snReal eps;
  int actuation;
  int skipsensor;
  snReal *force, *sensor, *inertia;
} Nominal;

// rows of the outputs that one input fills, each nullable
typedef struct Rows_ {
  snReal *force, *sensor, *inertia;
} Rows;

// qfrc_inverse, less what the actuators give
static void evaluate(const snModel* m, snData* d, const Nominal* nominal, int skipstage) {
  sn_inverseSkip(m, d, skipstage, nominal->skipsensor);
  if (!nominal->actuation) return;
  sn_fwdActuation(m, d);
  snu_subFrom(d->qfrc_inverse, d->qfrc_actuator, (int)m->nv);
}

static void row(snReal* out, const snReal* moved, const snReal* still, snReal eps, int n) {
  SN_ASSERT(eps != 0 && n >= 0);
  if (!out) return;
  for (int k = 0; k < n; k++) out[k] = (moved[k] - still[k]) / eps;
}

static void difference(const snModel* m, snData* d, const Nominal* nominal, int skipstage, int i,
                       Rows rows) {
  int nv = (int)m->nv, ns = (int)m->nsensordata, nM = (int)m->nM;
  evaluate(m, d, nominal, skipstage);
  if (rows.force) row(rows.force + i * nv, d->qfrc_inverse, nominal->force, nominal->eps, nv);
  if (rows.sensor) row(rows.sensor + i * ns, d->sensordata, nominal->sensor, nominal->eps, ns);
  if (rows.inertia) row(rows.inertia + i * nM, d->qM, nominal->inertia, nominal->eps, nM);
}

static int isNeeded(Rows rows) { return rows.force || rows.sensor || rows.inertia; }

// a number at a time: accelerations or velocities
static void byNumber(const snModel* m, snData* d, const Nominal* nominal, snReal* numbers,
                     int skipstage, Rows rows) {
  for (int i = 0; isNeeded(rows) && i < (int)m->nv; i++) {
    snReal number = numbers[i];
    numbers[i] += nominal->eps;
    difference(m, d, nominal, skipstage, i, rows);
    numbers[i] = number;
  }
}

static void byPosition(const snModel* m, snData* d, const Nominal* nominal, snReal* qpos,
                       snReal* move, Rows rows) {
  if (!isNeeded(rows)) return;
  snu_copy(qpos, d->qpos, (int)m->nq);
  snu_zero(move, (int)m->nv);
  for (int i = 0; i < (int)m->nv; i++) {
    move[i] = 1;
    sn_integratePos(m, d->qpos, move, nominal->eps);
    move[i] = 0;
    difference(m, d, nominal, snSTAGE_NONE, i, rows);
    snu_copy(d->qpos, qpos, (int)m->nq);
  }
}

static int supported(const snModel* m) {
  if (m->opt.integrator == snINT_RK4) {
    snu_error("snd_inverseFD: RK4 integrator is not supported");
    return 0;
  }
  if (m->opt.noslip_iterations) {
    snu_error("snd_inverseFD: noslip solver is not supported");
    return 0;
  }
  return 1;
}

void snd_inverseFD(const snModel* m, snData* d, snReal eps, snByte flg_actuation, snReal* DfDq,
                   snReal* DfDv, snReal* DfDa, snReal* DsDq, snReal* DsDv, snReal* DsDa,
                   snReal* DmDq) {
  if (!SN_IS_DATA_OF(m, d, "snd_inverseFD")) return;
  if (!supported(m)) return;
  int nq = (int)m->nq, nv = (int)m->nv, ns = (int)m->nsensordata, nM = (int)m->nM;
  Rows position = {DfDq, DsDq, DmDq}, velocity = {DfDv, DsDv, NULL},
       acceleration = {DfDa, DsDa, NULL};
  sn_markStack(d);
  snReal* block = SN_STACK(d, snReal, nq + 2 * nv + ns + nM);
  snKept start;
  if (!block || !sn_keepState(m, d, &start)) {
    sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
    sn_freeStack(d);
    return;
  }
  snReal *qpos = block, *move = qpos + nq;
  Nominal nominal = {eps,       flg_actuation, !(DsDq || DsDv || DsDa),
                     move + nv, move + 2 * nv, move + 2 * nv + ns};
  evaluate(m, d, &nominal, snSTAGE_NONE);
  snu_copy(nominal.force, d->qfrc_inverse, nv);
  snu_copy(nominal.sensor, d->sensordata, ns);
  snu_copy(nominal.inertia, d->qM, nM);

  byNumber(m, d, &nominal, d->qacc, snSTAGE_VEL, acceleration);
  byNumber(m, d, &nominal, d->qvel, snSTAGE_POS, velocity);
  byPosition(m, d, &nominal, qpos, move, position);
  sn_giveBackState(m, d, &start);
  sn_freeStack(d);
}

// ---- closed forms

static int analytic(const snModel* m, snData* d, int actuators, snReal* DfDq, snReal* DfDv,
                    snReal* DfDa) {
  int nv = (int)m->nv, size = nv * nv;
  snReal* block = SN_STACK(d, snReal, 3 * size + nv + 1);
  if (!block) return 0;
  snReal *velocity = block, *acc = velocity + size, *matrix = acc + size, *qacc = matrix + size;
  snu_copy(qacc, d->qacc, nv);
  if (!sn_inverseRates(m, d, actuators, velocity, acc)) return 0;
  if (DfDq) {
    if (!sn_inverseTangent(m, d, qacc, (snReal)1e-6, actuators, matrix)) return 0;
    snu_scl(DfDq, matrix, -1, size);
  }
  if (DfDv) snu_copy(DfDv, velocity, size);
  if (DfDa) snu_copy(DfDa, acc, size);
  return 1;
}

int snd_inverseAnalytic(const snModel* m, snData* d, snByte flg_actuation, snReal* DfDq,
                        snReal* DfDv, snReal* DfDa) {
  int integrator = m->opt.integrator, needed = snCOLUMNS_POSITION | snCOLUMNS_VELOCITY;
  if (integrator == snINT_IMPLICITSPRINGDAMPER) return -1;
  if (m->opt.enableflags & snENBL_INVDISCRETE) return -1;
  sn_markStack(d);
  snKept start;
  int kept = sn_keepState(m, d, &start), closed = 0, done = 0;
  if (kept) {
    sn_inverseSkip(m, d, snSTAGE_NONE, 1);
    sn_fwdActuation(m, d);
    closed = (sn_closedForms(m, d) & needed) == needed;
    done = closed && analytic(m, d, flg_actuation, DfDq, DfDv, DfDa);
    sn_giveBackState(m, d, &start);
  }
  if (!kept || (closed && !done)) sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
  sn_freeStack(d);
  return done ? 0 : -1;
}
