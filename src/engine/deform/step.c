// The step of deformables: substeps of XPBD, and sleeping.

#include "base/arena.h"
#include "base/assert.h"
#include "engine/deform/deform.h"
#include "math/math.h"
#include "sinew/sinew.h"

// ---- sleeping

static int isAsleep(const snData* d, int deform) {
  return d->deformable_asleep[deform] >= snMINAWAKE;
}

// Is some vertex faster than the tolerance? By a team; the vertex need not be free.
static int isFast(const snModel* m, const snData* d, int deform) {
  SN_ASSERT_INDEX(deform, m->ndeformable);
  int adr = m->deformable_vertadr[deform], fast = 0;
  snReal square = m->deformable_sleep[deform] * m->deformable_sleep[deform];
  SN_FOR(i, m->deformable_vertnum[deform]) {
    const snReal* v = d->deformvert_xvel + 3 * (adr + i);
    fast |= !(snu_dot3(v, v) <= square);
  }
  return sn_teamAny(fast);
}

static int isPairFast(const snData* d, int pair, snReal tolerance) {
  int fast = 0;
  for (int k = 4 * pair; k < 4 * pair + 4; k++) {
    int vertex = d->deformpair_vert[k];
    fast |= vertex >= 0 && !(snu_norm3(d->deformvert_xvel + 3 * vertex) <= tolerance);
  }
  return fast;
}

// Does a body or a deformable that moves touch the deformable, or a body hold it?
static int isPushed(const snModel* m, const snData* d, const snDeform* s, int deform) {
  SN_ASSERT_INDEX(deform, m->ndeformable);
  int adr = m->deformable_vertadr[deform], pushed = 0;
  snReal tolerance = m->deformable_sleep[deform];
  SN_FOR(i, d->ndeformcon) {
    const snMover* body = s->mover + m->geom_bodyid[d->deformcon_geom[i]];
    int own = m->deformvert_deformid[d->deformcon_vert[i]] == deform;
    pushed |= own && !(snu_norm3(body->vel) + snu_norm3(body->spin) <= tolerance);
  }
  SN_FOR(i, 4 * d->ndeformpair) {
    int vertex = d->deformpair_vert[i];
    int own = vertex >= 0 && m->deformvert_deformid[vertex] == deform;
    pushed |= own && isPairFast(d, i / 4, tolerance);
  }
  SN_FOR(i, m->deformable_vertnum[deform]) {
    int body = m->deformvert_bodyid[adr + i];
    pushed |= body >= 0 && !(snu_norm3(s->mover[body].vel) <= tolerance);
  }
  return sn_teamAny(pushed);
}

// wake what is pushed, and count the steps that each deformable has been at rest
static void wake(const snModel* m, snData* d, const snDeform* s) {
  for (int deform = 0; deform < (int)m->ndeformable; deform++) {
    if (m->deformable_sleep[deform] <= 0 || !d->deformable_asleep[deform]) continue;
    if (isFast(m, d, deform) || isPushed(m, d, s, deform)) {
      SN_SOLO(d->deformable_asleep[deform] = 0);
    }
  }
}

static void fallAsleep(const snModel* m, snData* d) {
  for (int deform = 0; deform < (int)m->ndeformable; deform++) {
    if (m->deformable_sleep[deform] <= 0 || isAsleep(d, deform)) continue;
    int fast = isFast(m, d, deform), adr = m->deformable_vertadr[deform];
    SN_SOLO(d->deformable_asleep[deform] = fast ? 0 : d->deformable_asleep[deform] + 1);
    if (!isAsleep(d, deform)) continue;
    SN_FOR(i, 3 * m->deformable_vertnum[deform]) d->deformvert_xvel[3 * adr + i] = 0;
    SN_SYNC();
  }
}

static int allAsleep(const snModel* m, const snData* d) {
  for (int deform = 0; deform < (int)m->ndeformable; deform++) {
    if (!isAsleep(d, deform)) return 0;
  }
  return 1;
}

// ---- substeps

static void predict(const snModel* m, const snDeform* s) {
  SN_ASSERT(s->h > 0);
  static const snReal kNone[3] = {0, 0, 0};
  const snReal* gravity = m->opt.disableflags & snDSBL_GRAVITY ? kNone : m->opt.gravity;
  SN_FOR(i, m->ndeformvert) {
    snReal *x = s->x + 3 * i, *v = s->v + 3 * i, *before = s->before + 3 * i;
    snReal keep = 1 / (1 + s->h * m->deformable_damping[m->deformvert_deformid[i]]);
    for (int k = 0; k < 3; k++) {
      before[k] = x[k];
      if (s->w[i] > 0) {
        v[k] = (v[k] + s->h * gravity[k]) * keep;
        x[k] += s->h * v[k];
      }
    }
  }
  SN_FOR(body, m->nbody) {
    snMover* b = s->mover + body;
    snu_addToScl3(b->shift, b->vel, s->h);
    snu_addToScl3(b->turn, b->spin, s->h);
  }
  SN_SYNC();
}

static void setVelocities(const snModel* m, const snDeform* s) {
  SN_ASSERT(s->h > 0);
  snReal rate = 1 / s->h;
  SN_FOR(i, 3 * m->ndeformvert) s->v[i] = (s->x[i] - s->before[i]) * rate;
  SN_SYNC();
}

static void substep(const snModel* m, snData* d, const snDeform* s) {
  predict(m, s);
  sn_projectDeformConstraints(m, s);
  sn_solveDeformPositions(m, d, s);
  setVelocities(m, s);
  sn_solveDeformVelocities(m, d, s);
}

// ---- the step

// what a step needs of each deformable; they take it together
static void countSubsteps(const snModel* m, int* substeps, int* repeats) {
  *substeps = *repeats = 1;
  for (int deform = 0; deform < (int)m->ndeformable; deform++) {
    if (m->deformable_substeps[deform] > *substeps) *substeps = m->deformable_substeps[deform];
    if (m->deformable_repeats[deform] > *repeats) *repeats = m->deformable_repeats[deform];
  }
}

static int takeScratch(const snModel* m, snData* d, snDeform* s) {
  s->before = SN_STACK(d, snReal, 3 * m->ndeformvert);
  s->w = SN_STACK(d, snReal, m->ndeformvert);
  s->mover = SN_STACK(d, snMover, m->nbody);
  return s->before && s->w && s->mover;
}

static void begin(const snModel* m, snData* d, snDeform* s, snReal back) {
  int attached = 0;
  sn_deformMovers(m, d, s->mover);
  SN_FOR(body, m->nbody) {
    snu_scl3(s->mover[body].shift, s->mover[body].vel, -back);
    snu_scl3(s->mover[body].turn, s->mover[body].spin, -back);
  }
  SN_SYNC();
  wake(m, d, s);
  SN_FOR(i, m->ndeformvert) {
    int deform = m->deformvert_deformid[i];
    s->w[i] = isAsleep(d, deform) ? 0 : m->deformvert_invmass[i];
    attached |= m->deformvert_bodyid[i] >= 0;
  }
  s->attached = sn_teamAny(attached);
  SN_SYNC();
}

// substeps with the contacts of one detection
static void moveWithContacts(const snModel* m, snData* d, snDeform* s, int substeps) {
  SN_ASSERT(substeps >= 0 && d->ndeformcon >= 0);
  sn_markStack(d);
  s->pressure = SN_STACK(d, snReal, d->ndeformcon + 1);
  s->total = SN_STACK(d, snReal, 3 * d->ndeformcon + 1);
  if (s->pressure && s->total && sn_beginDeformPairs(m, d, &s->pairs)) {
    SN_FOR(i, 3 * d->ndeformcon) s->total[i] = 0;
    SN_SYNC();
    s->moving = sn_deformMovesBodies(m, d, s);
    for (int i = 0; i < substeps; i++) substep(m, d, s);
    SN_SOLO(sn_endDeformContacts(m, d, s));
    sn_endDeformPairs(m, d, s);
  } else {
    SN_SOLO(sn_warning(d, snWARN_CONTACTFULL, (int)d->narena));
  }
  sn_freeStack(d);
}

// the force on each body is what it received, over the time step
static void setForces(const snModel* m, snData* d, const snDeform* s) {
  SN_FOR(body, m->nbody) {
    snReal* xfrc = d->deformable_xfrc + 6 * body;
    snu_scl3(xfrc, s->mover[body].impulse, 1 / m->opt.timestep);
    snu_scl3(xfrc + 3, s->mover[body].moment, 1 / m->opt.timestep);
  }
  SN_SYNC();
}

static void move(const snModel* m, snData* d, snDeform* s) {
  int substeps, repeats, done = 0;
  countSubsteps(m, &substeps, &repeats);
  s->h = m->opt.timestep / substeps;
  int parts = sn_deformPairParts(m, d);
  repeats = parts > repeats ? parts : repeats;
  repeats = repeats > substeps ? substeps : repeats;
  size_t arena = d->parena;
  SN_SYNC();
  SN_FOR(i, 3 * m->ndeformvert) d->deformvert_xfrc[i] = 0;
  for (int part = 0; part < repeats; part++) {
    int end = substeps * (part + 1) / repeats;
    if (part) {
      SN_SOLO(d->parena = arena);  // in place of the contacts of the part before
      sn_deformDetect(m, d, s->x, s->v, s->mover, s->h * (end - done), 0);
    }
    moveWithContacts(m, d, s, end - done);
    done = end;
  }
  setForces(m, d, s);
}

void sn_deformStep(const snModel* m, snData* d, snReal back) {
  snDeform s = {d->deformvert_xpos,
                d->deformvert_xvel,
                NULL,
                NULL,
                NULL,
                NULL,
                NULL,
                0,
                0,
                0,
                {NULL, NULL, NULL, NULL, NULL, NULL}};
  if (!(m->opt.timestep > 0)) return;
  sn_markStack(d);
  if (takeScratch(m, d, &s)) {
    begin(m, d, &s, back);
    if (!allAsleep(m, d)) {
      move(m, d, &s);
      fallAsleep(m, d);
    }
  } else {
    SN_SOLO(sn_warning(d, snWARN_CONTACTFULL, (int)d->narena));
  }
  sn_freeStack(d);
}
