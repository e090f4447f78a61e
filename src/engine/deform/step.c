// The step of deformables: substeps of XPBD, and sleeping.

#include <string.h>

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

static int isPairFast(const snData* d, const snReal* v, int pair, snReal tolerance) {
  int fast = 0;
  for (int k = 4 * pair; k < 4 * pair + 4; k++) {
    int vertex = d->deformpair_vert[k];
    fast |= vertex >= 0 && !(snu_norm3(v + 3 * vertex) <= tolerance);
  }
  return fast;
}

// Does a moving body or deformable touch the deformable, or is it attached to a body?
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
    int own = vertex >= adr && vertex < adr + m->deformable_vertnum[deform];
    pushed |= own && isPairFast(d, s->v, i / 4, tolerance);
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
  int own = 3 * (int)m->ndeformvert;  // flexes felt gravity in the rigid step
  SN_FOR(i, 3 * s->nvert - own) {
    s->before[own + i] = s->x[own + i];
    s->x[own + i] += s->h * s->v[own + i];
  }
  SN_FOR(body, m->nbody) {
    snMover* b = s->mover + body;
    snu_addToScl3(b->shift, b->vel, s->h);
    snu_addToScl3(b->turn, b->spin, s->h);
  }
  SN_SYNC();
}

static void setVelocities(const snDeform* s) {
  SN_ASSERT(s->h > 0);
  snReal rate = 1 / s->h;
  SN_FOR(i, 3 * s->nvert) s->v[i] = (s->x[i] - s->before[i]) * rate;
  SN_SYNC();
}

static void substep(const snModel* m, snData* d, const snDeform* s) {
  predict(m, s);
  sn_projectDeformConstraints(m, s);
  sn_solveDeformPositions(m, d, s);
  setVelocities(s);
  sn_solveDeformVelocities(m, d, s);
}

// ---- the step

// Vertices of deformables move in place; with those of flexes behind them they are copied.
static int takeScratch(const snModel* m, snData* d, snDeform* s) {
  s->nvert = sn_surfaceVertices(m);
  s->before = SN_STACK(d, snReal, 3 * s->nvert);
  s->w = SN_STACK(d, snReal, s->nvert);
  s->mover = SN_STACK(d, snMover, m->nbody);
  if (!s->before || !s->w || !s->mover) return 0;
  if (s->nvert == (int)m->ndeformvert) return 1;
  s->x = SN_STACK(d, snReal, 3 * s->nvert);
  s->v = SN_STACK(d, snReal, 3 * s->nvert);
  return s->x && s->v;
}

static void copyIn(const snModel* m, const snData* d, const snDeform* s) {
  int n = (int)m->ndeformvert;
  if (s->nvert == n) return;
  SN_FOR(i, 3 * n) {
    s->x[i] = d->deformvert_xpos[i];
    s->v[i] = d->deformvert_xvel[i];
  }
  sn_placeFlexVertices(m, d, s->mover, s->x + 3 * n, s->v + 3 * n, s->w + n);
}

static void copyOut(const snModel* m, snData* d, const snDeform* s) {
  if (s->nvert == (int)m->ndeformvert) return;
  SN_FOR(i, 3 * m->ndeformvert) {
    d->deformvert_xpos[i] = s->x[i];
    d->deformvert_xvel[i] = s->v[i];
  }
  SN_SYNC();
}

static void begin(const snModel* m, snData* d, snDeform* s, snReal back) {
  int attached = 0;
  sn_deformMovers(m, d, s->mover);
  SN_FOR(body, m->nbody) {
    snu_scl3(s->mover[body].shift, s->mover[body].vel, -back);
    snu_scl3(s->mover[body].turn, s->mover[body].spin, -back);
  }
  SN_SYNC();
  copyIn(m, d, s);
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
  s->plane = SN_STACK(d, snDeformPlane, d->ndeformcon + 1);
  s->nvertcon = d->ndeformcon;
  while (s->nvertcon && d->deformcon_face[s->nvertcon - 1] >= 0) s->nvertcon--;
  if (s->pressure && s->total && s->plane && sn_takeDeformLevels(m, d, s) &&
      sn_beginDeformPairs(d, s)) {
    SN_FOR(i, 3 * d->ndeformcon) s->total[i] = 0;
    sn_setDeformPlanes(m, d, s);
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
  int substeps, parts = sn_deformParts(m, s->v, &substeps);
  s->h = m->opt.timestep / substeps;
  size_t arena = d->parena;
  snDeformWatch watch;
  int watches = parts > 1 && sn_takeDeformWatch(m, d, &watch);
  SN_SYNC();
  SN_FOR(i, 3 * m->ndeformvert) d->deformvert_xfrc[i] = 0;
  for (int part = 0, done = 0; part < parts; part++) {
    int end = sn_deformPartEnd(substeps, parts, part);
    if (part) {
      snReal time = s->h * (end - done);
      SN_SOLO(d->parena = arena);  // in place of the contacts of the part before
      sn_deformDetect(m, d, s->x, s->v, s->mover, time, time, watches ? &watch : NULL, 0);
    }
    moveWithContacts(m, d, s, end - done);
    done = end;
  }
  setForces(m, d, s);
}

void sn_deformStep(const snModel* m, snData* d, snReal back) {
  snDeform s;
  memset(&s, 0, sizeof(s));
  s.x = d->deformvert_xpos;
  s.v = d->deformvert_xvel;
  if (!(m->opt.timestep > 0)) return;
  sn_markStack(d);
  if (takeScratch(m, d, &s)) {
    begin(m, d, &s, back);
    if (!allAsleep(m, d)) {
      move(m, d, &s);
      copyOut(m, d, &s);
      fallAsleep(m, d);
    }
  } else {
    SN_SOLO(sn_warning(d, snWARN_CONTACTFULL, (int)d->narena));
  }
  sn_freeStack(d);
}
