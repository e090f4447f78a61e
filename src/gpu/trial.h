// Derivatives of a step by differences on a device: the work of a kernel on one trial, a perturbed copy of a world.
//
// sn_tryWorld copies a world and moves one of its numbers, the step kernel steps the copy as any world, and
// sn_differenceWorld makes a column of A or B of the outcomes: the differences of engine/differentiate/trial.c, but
// all trials of a launch at a time. The worlds themselves are only read.

#ifndef SINEW_GPU_TRIAL_H_
#define SINEW_GPU_TRIAL_H_

#include "base/arena.h"
#include "engine/differentiate/trial.h"
#include "gpu/world.h"

#ifdef SN_DEVICE
#define SN_JOIN_BITS(x, bits) atomicOr(&(x), bits)
#else
#define SN_JOIN_BITS(x, bits) ((x) |= (bits))
#endif

// The world that column number k of a launch belongs to; returns which of its columns it is, -1 for a nominal step.
static inline int sn_columnOf(const snTrials* t, int64_t k, int* world) {
  SN_ASSERT(k >= 0);
  *world = (int)(t->sides ? k / t->columns : k);
  return t->sides ? t->begin + (int)(k % t->columns) : -1;
}

// ---- before the step

static inline void sn_copyWords(int64_t* SN_RESTRICT to, const int64_t* SN_RESTRICT from,
                                int64_t n) {
  SN_UNROLL4
  for (int64_t k = SN_LANE; k < n; k += SN_LANES) to[k] = from[k];
}

// Corrects the pointers of a block that was copied `shift` bytes farther, and empties its arena.
static inline void sn_rebaseTrial(snData* d, int64_t shift, int64_t narena) {
  d->narena = narena;
  sn_shiftArrays(d, shift);
  sn_emptyArena(d);
}

// Perturbs one number of the trial by eps.
static inline void sn_moveTrial(const snModel* m, snData* d, const snTrials* t, int column,
                                snReal eps) {
  int nv = (int)m->nv, na = (int)m->na;
  if (column < nv) {
    SN_FOR(k, nv) d->qfrc_inverse[k] = k == column;  // nobody needs it in a trial
    SN_SYNC();
    sn_integratePos(m, d->qpos, d->qfrc_inverse, eps);
  } else if (SN_LANE == 0 && column < 2 * nv) {
    d->qvel[column - nv] += eps;
  } else if (SN_LANE == 0 && column < 2 * nv + na) {
    d->act[column - 2 * nv] += eps;
  } else if (SN_LANE == 0) {
    int i = column - 2 * nv - na, both = t->sides == 2;
    int sides = sn_controlSides(m, d, i, (snReal)t->eps, both);
    if (!both && !(sides & snSIDE_FORWARD)) eps = -eps;  // at the upper limit
    if (sides & (eps > 0 ? snSIDE_FORWARD : snSIDE_BACKWARD)) d->ctrl[i] += eps;
  }
  SN_SYNC();
}

// Makes a trial: the copy of a world with one number perturbed. By a team.
static inline void sn_tryWorld(const snWorlds* slots, int slot, const snTrials* t) {
  int world, both = t->sides == 2;
  int column = sn_columnOf(t, t->first + (both ? slot / 2 : slot), &world);
  snData* d = sn_worldData(slots, slot);
  const snData* source = sn_worldData(&t->worlds, world);
  if (slots->model_stride) {
    sn_copyWords((int64_t*)(uintptr_t)sn_worldModel(slots, slot),
                 (const int64_t*)(uintptr_t)sn_worldModel(&t->worlds, world), t->header_bytes / 8);
  }
  sn_copyWords((int64_t*)(void*)d, (const int64_t*)(const void*)source, t->bytes / 8);
  SN_SYNC();
  SN_SOLO(sn_rebaseTrial(d, (char*)d - (const char*)source, t->narena));
  if (column < 0) return;
  sn_moveTrial(sn_worldModel(slots, slot), d, t, column,
               (snReal)(both && slot % 2 ? -t->eps : t->eps));
}

// ---- after the step

// A state after a step; columns of A and B are differences of two such states.
typedef struct snOutcomeAt_ {
  const snReal *qpos, *qvel, *act;
} snOutcomeAt;

static inline snOutcomeAt sn_outcomeOf(const snData* d) {
  snOutcomeAt at = {d->qpos, d->qvel, d->act};
  return at;
}

static inline snReal* sn_nominalOf(const snModel* m, const snTrials* t, int world) {
  return (snReal*)(uintptr_t)t->nominal + (int64_t)world * (m->nq + m->nv + m->na);
}

static inline void sn_keepNominal(const snModel* m, const snData* d, snReal* state) {
  for (int k = 0; k < (int)m->nq; k++) state[k] = d->qpos[k];
  for (int k = 0; k < (int)m->nv; k++) state[m->nq + k] = d->qvel[k];
  for (int k = 0; k < (int)m->na; k++) state[m->nq + m->nv + k] = d->act[k];
}

// (second - first) / h in the tangent space; scratch has nv numbers
static inline void sn_writeColumn(const snModel* m, snOutcomeAt first, snOutcomeAt second, snReal h,
                                  snReal* scratch, snReal* column, int stride) {
  int nv = (int)m->nv;
  sn_differentiatePos(m, scratch, h, first.qpos, second.qpos);
  for (int k = 0; k < nv; k++) column[(int64_t)k * stride] = scratch[k];
  column += (int64_t)nv * stride;
  for (int k = 0; k < nv; k++) column[(int64_t)k * stride] = (second.qvel[k] - first.qvel[k]) / h;
  column += (int64_t)nv * stride;
  for (int k = 0; k < (int)m->na; k++) {
    column[(int64_t)k * stride] = (second.act[k] - first.act[k]) / h;
  }
}

// Column number k of a launch, of the trials that were made for it. By one lane.
static inline void sn_differenceWorld(const snWorlds* slots, int k, const snTrials* t) {
  int world, both = t->sides == 2, column = sn_columnOf(t, t->first + k, &world);
  int slot = both ? 2 * k : k;
  const snModel* m = sn_worldModel(slots, slot);
  snData* d = sn_worldData(slots, slot);
  int* status = (int*)(uintptr_t)t->status + world;
  SN_JOIN_BITS(*status, d->status);
  if (column < 0) {
    sn_keepNominal(m, d, sn_nominalOf(m, t, world));
    return;
  }
  snOutcomeAt first, second = sn_outcomeOf(d);
  if (both) {
    const snData* minus = sn_worldData(slots, slot + 1);
    SN_JOIN_BITS(*status, minus->status);
    first = sn_outcomeOf(minus);
  } else {
    const snReal* nominal = sn_nominalOf(m, t, world);
    first.qpos = nominal, first.qvel = nominal + m->nq, first.act = nominal + m->nq + m->nv;
  }
  int ndx = (int)(2 * m->nv + m->na), nu = (int)m->nu;
  snReal eps = (snReal)t->eps, h = both ? 2 * eps : eps;
  if (column < ndx) {
    snReal* A = (snReal*)(uintptr_t)t->A + (int64_t)world * ndx * ndx;
    sn_writeColumn(m, first, second, h, d->qfrc_inverse, A + column, ndx);
    return;
  }
  int i = column - ndx;
  int sides = sn_controlSides(m, sn_worldData(&t->worlds, world), i, eps, both);
  if (both && sides != (snSIDE_FORWARD | snSIDE_BACKWARD)) h = eps;
  if (!both && !(sides & snSIDE_FORWARD)) {  // the trial lies on the other side
    snOutcomeAt nominal = first;
    first = second;
    second = nominal;
  }
  snReal* B = (snReal*)(uintptr_t)t->B + (int64_t)world * ndx * nu;
  sn_writeColumn(m, first, second, h, d->qfrc_inverse, B + i, nu);
}

#endif  // SINEW_GPU_TRIAL_H_
