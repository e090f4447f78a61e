// Contacts of deformables with one another and with themselves.
//
// A pair keeps the sum of coefficient times position, along its normal, at the distance of the gap or more.
// Pairs share vertices. So that lanes may solve them at the same time, and in any order with the same
// result, each vertex is split into as many equal parts as it has active pairs, each pair moves its own
// parts, and the vertex goes to the mean of its parts (R. Tonge et al., Mass splitting for jitter-free
// parallel rigid body simulation, SIGGRAPH 2012). With n parts of inverse mass n w:
//
//   impulse of a pair p = C / sum(n_i w_i c_i^2), vertex: dx_i = w_i sum over its pairs (c_i p normal).
//
// Both sides of a pair receive opposite impulses: momentum is conserved. Positions are solved again while
// some pair is too deep: what would be on the wrong side at the end of the substep has passed. A pair is active
// while it overlaps; when velocities are solved, if it pushed in this substep. Most are not: each pass lists
// the active ones of every vertex, and leaves the others alone.

#include "base/arena.h"
#include "base/assert.h"
#include "engine/deform/deform.h"
#include "math/math.h"

// ---- which pairs a vertex has

// By one lane: places 4 pair + k in deformpair_vert by vertex, of the vertices that have any. active serves as
// the number of a vertex in that list.
static void listPairs(const snData* d, snDeform* s) {
  snDeformPairs* p = &s->pairs;
  int n = 4 * d->ndeformpair, sum = 0;
  for (int i = 0; i < s->nvert; i++) p->active[i] = 0;
  for (int i = 0; i < n; i++) {
    if (d->deformpair_coef[i] == 0) continue;  // the side has fewer vertices
    SN_ASSERT_INDEX(d->deformpair_vert[i], s->nvert);
    p->active[d->deformpair_vert[i]]++;
  }
  p->ntouch[0] = 0;
  for (int i = 0; i < s->nvert; i++) {
    int here = p->active[i];
    if (!here) continue;
    p->touch[p->ntouch[0]] = i;
    p->start[p->ntouch[0]] = sum;
    p->active[i] = p->ntouch[0]++;
    sum += here;
  }
  p->start[p->ntouch[0]] = sum;
  for (int i = 0; i < n; i++) {
    if (d->deformpair_coef[i] != 0) p->place[p->start[p->active[d->deformpair_vert[i]]]++] = i;
  }
  for (int i = p->ntouch[0]; i > 0; i--) p->start[i] = p->start[i - 1];
  p->start[0] = 0;
}

int sn_beginDeformPairs(snData* d, snDeform* s) {
  snDeformPairs* p = &s->pairs;
  int n = d->ndeformpair;
  if (!n) return 1;
  p->ntouch = SN_STACK(d, int, 1);
  p->touch = SN_STACK(d, int, s->nvert);
  p->start = SN_STACK(d, int, s->nvert + 1);
  p->place = SN_STACK(d, int, 4 * n);
  p->push = SN_STACK(d, int, 4 * n);
  p->active = SN_STACK(d, int, s->nvert);
  p->pressure = SN_STACK(d, snReal, n);
  p->depth = SN_STACK(d, snReal, n);
  p->offset = SN_STACK(d, snReal, 3 * n);
  p->before = SN_STACK(d, snReal, 3 * n);
  p->impulse = SN_STACK(d, snReal, 3 * n);
  p->total = SN_STACK(d, snReal, 3 * n);
  if (!p->ntouch || !p->touch || !p->start || !p->place || !p->push || !p->active) return 0;
  if (!p->pressure || !p->depth || !p->offset || !p->before || !p->impulse || !p->total) return 0;
  SN_FOR(i, 3 * n) p->total[i] = 0;
  SN_SOLO(listPairs(d, s));
  return 1;
}

// ---- one pair

// the deformable whose solref and solimp hold: the first side's, of a flex the second's
static int deformOf(const snModel* m, const snData* d, int i) {
  SN_ASSERT_INDEX(i, d->ndeformpair);
  const int* vert = d->deformpair_vert + 4 * i;
  return m->deformvert_deformid[vert[0] < (int)m->ndeformvert ? vert[0] : vert[2]];
}

// offset between the two sides where the vertices are now, and by how much they overlap
static void setDepth(const snData* d, const snDeform* s, int i) {
  snReal* offset = s->pairs.offset + 3 * i;
  sn_pairSum(s->x, d->deformpair_vert + 4 * i, d->deformpair_coef + 4 * i, offset);
  s->pairs.depth[i] = d->deformpair_gap[i] - snu_dot3(offset, d->deformpair_normal + 3 * i);
}

// sum of n_i w_i c_i^2
static snReal pairWeight(const snData* d, const snDeform* s, int i) {
  SN_ASSERT_INDEX(i, d->ndeformpair);
  snReal weight = 0;
  for (int k = 0; k < 4; k++) {
    int vertex = d->deformpair_vert[4 * i + k];
    snReal coef = d->deformpair_coef[4 * i + k];
    if (coef != 0) weight += s->pairs.active[vertex] * s->w[vertex] * coef * coef;
  }
  return weight;
}

// how the one side moved against the other in the substep; where they were before is computed at the first push
static void relativePath(const snData* d, const snDeform* s, int i, snReal path[3]) {
  snReal* before = s->pairs.before + 3 * i;
  if (!(s->pairs.pressure[i] > 0)) {
    sn_pairSum(s->before, d->deformpair_vert + 4 * i, d->deformpair_coef + 4 * i, before);
  }
  snu_sub3(path, s->pairs.offset + 3 * i, before);
}

// impulse times the substep: out of the overlap, and against sliding by at most friction times that
static void pushApart(const snModel* m, const snData* d, const snDeform* s, int i) {
  const snReal* normal = d->deformpair_normal + 3 * i;
  snReal path[3], *p = s->pairs.impulse;
  snu_zero3(p + 3 * i);
  snReal weight = pairWeight(d, s, i);
  if (!(weight > 0)) return;
  relativePath(d, s, i, path);
  int deform = deformOf(m, d, i);
  snReal along = snu_dot3(path, normal);
  snReal push = sn_deformPush(m, s, deform, s->pairs.depth[i], along, weight);
  s->pairs.pressure[i] += push;
  snu_scl3(p + 3 * i, normal, push);
  snu_addToScl3(path, normal, -along);
  snReal length = snu_normalize3(path);
  if (length < snMINVAL) return;
  snu_addToScl3(p + 3 * i, path, -snu_min(length / weight, d->deformpair_friction[i] * push));
}

// the two sides part with no speed along the normal; the sum of the impulses of the substep is a push
static void calm(const snModel* m, const snData* d, const snDeform* s, int i) {
  const snReal* normal = d->deformpair_normal + 3 * i;
  snReal velocity[3];
  snu_zero3(s->pairs.impulse + 3 * i);
  if (sn_deformIsSpring(m, deformOf(m, d, i))) return;
  snReal weight = pairWeight(d, s, i);
  sn_pairSum(s->v, d->deformpair_vert + 4 * i, d->deformpair_coef + 4 * i, velocity);
  snReal push = -snu_dot3(velocity, normal) / weight;
  snu_scl3(s->pairs.impulse + 3 * i, normal, snu_max(push, -s->pairs.pressure[i] / s->h));
}

// ---- all of them

// to[vertex] += w sum of coef * impulse over the vertex's active pairs
static void gather(const snData* d, const snDeform* s, snReal* to) {
  const snDeformPairs* p = &s->pairs;
  SN_FOR(i, p->ntouch[0]) {
    int vertex = p->touch[i], end = p->start[i] + p->active[vertex];
    SN_ASSERT(end <= p->start[i + 1]);  // no more pairs push than there are
    for (int k = p->start[i]; k < end; k++) {
      int at = p->push[k];
      snu_addToScl3(to + 3 * vertex, p->impulse + 3 * (at / 4),
                    s->w[vertex] * d->deformpair_coef[at]);
    }
  }
  SN_SYNC();
}

// list the active pairs of each vertex: those with a positive entry in pushes
static void listActive(const snDeform* s, const snReal* pushes) {
  const snDeformPairs* p = &s->pairs;
  SN_FOR(i, p->ntouch[0]) {
    int active = 0, *push = p->push + p->start[i];
    for (int k = p->start[i]; k < p->start[i + 1]; k++) {
      push[active] = p->place[k];
      active += pushes[p->place[k] / 4] > 0;
    }
    p->active[p->touch[i]] = active;
  }
  SN_SYNC();
}

// once over all active pairs; are any still too deep?
static int pass(const snModel* m, snData* d, const snDeform* s, int velocities) {
  const snReal kClose = (snReal)0.1;  // of the gap
  const snReal* pushes = velocities ? s->pairs.pressure : s->pairs.depth;
  snReal time = velocities ? 1 : 1 / s->h;
  int deep = 0;
  listActive(s, pushes);
  SN_FOR(i, d->ndeformpair) {
    if (!(pushes[i] > 0)) continue;
    if (velocities) {
      calm(m, d, s, i);
    } else {
      pushApart(m, d, s, i);
    }
    snu_addToScl3(s->pairs.total + 3 * i, s->pairs.impulse + 3 * i, time);
  }
  SN_SYNC();
  gather(d, s, velocities ? s->v : s->x);
  if (velocities) return 0;
  SN_FOR(i, d->ndeformpair) {
    setDepth(d, s, i);
    deep |= s->pairs.pressure[i] > 0 && s->pairs.depth[i] > kClose * d->deformpair_gap[i];
  }
  SN_SYNC();
  return sn_teamAny(deep);
}

void sn_solveDeformPairs(const snModel* m, snData* d, const snDeform* s, int velocities) {
  enum { PASSES = 8 };
  if (!velocities) {
    SN_FOR(i, d->ndeformpair) {
      s->pairs.pressure[i] = 0;
      setDepth(d, s, i);
    }
    SN_SYNC();
  }
  for (int i = 0; i < PASSES && pass(m, d, s, velocities); i++) continue;
}

// by one lane: what vertices of flexes received
static void pushFlexes(const snModel* m, const snData* d, const snDeform* s) {
  for (int i = 0; i < 4 * d->ndeformpair; i++) {
    int vertex = d->deformpair_vert[i] - (int)m->ndeformvert;
    snReal impulse[3];
    if (vertex < 0 || d->deformpair_coef[i] == 0) continue;
    snu_scl3(impulse, s->pairs.total + 3 * (i / 4), d->deformpair_coef[i]);
    sn_pushFlexVertex(m, d, s->mover, vertex, impulse);
  }
}

void sn_endDeformPairs(const snModel* m, snData* d, const snDeform* s) {
  SN_FOR(i, d->ndeformpair) {
    snu_scl3(d->deformpair_force + 3 * i, s->pairs.total + 3 * i, 1 / m->opt.timestep);
  }
  SN_SYNC();
  if (d->ndeformpair && s->nvert > (int)m->ndeformvert) SN_SOLO(pushFlexes(m, d, s));
}
