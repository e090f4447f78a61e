// Which vertices of deformables touch which faces of deformables, and which pieces of chains touch.
//
// Faces are sorted into cells of space by their centres. A cell is as wide as the largest distance that a
// centre in reach may have, so that whoever looks for faces finds them in its own cell and the 26 around.
// Cells are found by hashing their numbers (M. Teschner et al., Optimized spatial hashing for collision
// detection of deformable objects, VMV 2003); cells that share a bucket are told apart by their numbers.
//
// Vertices look for faces; pieces of chains look for later pieces instead of the vertices of both. Each
// keeps the nearest few. They are found once and kept in scratch memory, counted, and written at the place
// that the counts of those before leave.

#include "base/arena.h"
#include "engine/collide/collision.h"
#include "engine/deform/deform.h"
#include "math/math.h"
#include "sinew/sinew.h"

enum { NEAREST = 4 };  // pairs that one vertex or piece takes part in, as the one that looks

typedef struct Grid_ {
  const snReal *x, *v;
  snReal h;          // time for which pairs are found
  snReal width;      // of a cell
  snReal reach;      // largest distance from which two may touch
  snReal slack;      // distance for what speeds up within the time
  int nbucket;       // a power of two
  snReal* centre;    // by face
  snReal* velocity;  // by face, of its centre
  snReal* radius;    // by face
  int* cell;         // by face: three numbers
  int* bucket;       // by face
  int* start;        // by bucket: first of its faces
  int* face;         // faces by bucket
  int* found;        // by seeker: NEAREST faces, -1: none
  int* first;        // by seeker: number of its pairs, later the place of the first
} Grid;

// ---- who may touch whom

static int deformOfFace(const snModel* m, int face) {
  return m->deformvert_deformid[m->deformface_vert[3 * face]];
}

static int mayMeet(const snModel* m, int a, int b) {
  if (a == b) return m->deformable_selfcollide[a];
  return sn_masksMeet(m->deformable_contype[a], m->deformable_conaffinity[a],
                      m->deformable_contype[b], m->deformable_conaffinity[b]);
}

int sn_deformMayPair(const snModel* m) {
  for (int a = 0; a < (int)m->ndeformable; a++) {
    for (int b = a; b < (int)m->ndeformable; b++) {
      if (mayMeet(m, a, b)) return 1;
    }
  }
  return 0;
}

// ---- cells

static int cellOf(const Grid* g, snReal x) {
  const snReal kMost = (snReal)1e9;
  snReal cell = snu_floor(x / g->width);
  return cell > -kMost && cell < kMost ? (int)cell
                                       : 0;  // all that is far away, and what is no number
}

static int bucketOf(const Grid* g, const int cell[3]) {
  unsigned hash =
      (unsigned)cell[0] * 73856093u ^ (unsigned)cell[1] * 19349663u ^ (unsigned)cell[2] * 83492791u;
  return (int)(hash & (unsigned)(g->nbucket - 1));
}

static void measureFace(const snModel* m, const Grid* g, int face) {
  const int* vert = m->deformface_vert + 3 * face;
  int n = vert[2] < 0 ? 2 : 3;
  snReal *centre = g->centre + 3 * face, *velocity = g->velocity + 3 * face, square = 0;
  snu_zero3(centre);
  snu_zero3(velocity);
  for (int k = 0; k < n; k++) {
    snu_addToScl3(centre, g->x + 3 * vert[k], (snReal)1 / n);
    snu_addToScl3(velocity, g->v + 3 * vert[k], (snReal)1 / n);
  }
  for (int k = 0; k < n; k++) {
    snReal out[3];
    snu_sub3(out, g->x + 3 * vert[k], centre);
    square = snu_max(square, snu_dot3(out, out));
  }
  g->radius[face] = snu_sqrt(square);
}

// Speeds count from the mean of all vertices: what falls together does not collide.
static snReal fastest(const snModel* m, const snReal* v) {
  snReal mean[3] = {0, 0, 0}, square = 0;
  int n = (int)m->ndeformvert;
  for (int i = 0; i < n; i++) snu_addToScl3(mean, v + 3 * i, (snReal)1 / n);
  for (int i = 0; i < n; i++) {
    snReal out[3];
    snu_sub3(out, v + 3 * i, mean);
    square = snu_max(square, snu_dot3(out, out));
  }
  return snu_sqrt(square);
}

static snReal widest(const snModel* m) {
  snReal margin = 0;
  for (int i = 0; i < (int)m->ndeformable; i++) margin = snu_max(margin, m->deformable_margin[i]);
  return margin;
}

static int hasChains(const snModel* m) {
  int chains = 0;
  for (int i = 0; i < (int)m->ndeformable; i++) {
    chains |= m->deformable_type[i] == snDEFORMABLE_CHAIN;
  }
  return chains;
}

// by one lane: buckets list their faces in order
static void fillBuckets(const snModel* m, const Grid* g) {
  int n = (int)m->ndeformface, sum = 0;
  for (int i = 0; i <= g->nbucket; i++) g->start[i] = 0;
  for (int i = 0; i < n; i++) g->start[g->bucket[i]]++;
  for (int i = 0; i <= g->nbucket; i++) {
    int here = g->start[i];
    g->start[i] = sum;
    sum += here;
  }
  for (int i = 0; i < n; i++) g->face[g->start[g->bucket[i]]++] = i;
  for (int i = g->nbucket; i > 0; i--) g->start[i] = g->start[i - 1];
  g->start[0] = 0;
}

static void buildGrid(const snModel* m, Grid* g) {
  snReal radius = 0;
  SN_FOR(face, m->ndeformface) measureFace(m, g, face);
  SN_SYNC();
  for (int face = 0; face < (int)m->ndeformface; face++) {
    radius = snu_max(radius, g->radius[face]);
  }
  // what moves farther than a face is wide is looked for again before the step is over
  snReal path = snu_min(2 * g->h * fastest(m, g->v), radius), margin = widest(m);
  g->slack = margin + g->h * g->h * snu_norm3(m->opt.gravity);  // which one of the two may not feel
  g->reach = 2 * margin + g->slack + path;
  g->width = (hasChains(m) ? 2 : 1) * radius + g->reach;
  SN_FOR(face, m->ndeformface) {
    int* cell = g->cell + 3 * face;
    for (int k = 0; k < 3; k++) cell[k] = cellOf(g, g->centre[3 * face + k]);
    g->bucket[face] = bucketOf(g, cell);
  }
  SN_SYNC();
  SN_SOLO(fillBuckets(m, g));
}

// ---- pairs

typedef struct Pair_ {
  int vert[4];
  snReal coef[4], gap, dist, normal[3];
} Pair;

static int isPiece(const snModel* m, int face) { return m->deformface_vert[3 * face + 2] < 0; }

// Seekers are vertices, then faces. A vertex of a chain leaves pieces of chains to its own pieces.
static int mayTouch(const snModel* m, int seeker, int face) {
  const int* other = m->deformface_vert + 3 * face;
  int nvert = (int)m->ndeformvert;
  if (seeker >= nvert) {
    int own = seeker - nvert;
    const int* vert = m->deformface_vert + 3 * own;
    if (face <= own || !isPiece(m, face)) return 0;
    for (int k = 0; k < 2; k++) {
      if (vert[k] == other[0] || vert[k] == other[1]) return 0;
    }
    return mayMeet(m, deformOfFace(m, own), deformOfFace(m, face));
  }
  int deform = m->deformvert_deformid[seeker];
  if (seeker == other[0] || seeker == other[1] || seeker == other[2]) return 0;
  if (isPiece(m, face) && m->deformable_type[deform] == snDEFORMABLE_CHAIN) return 0;
  return mayMeet(m, deform, deformOfFace(m, face));
}

// vertices and coefficients of the nearest points at these positions
static void nearest(const snModel* m, const snReal* x, int seeker, int face, Pair* p) {
  const int* other = m->deformface_vert + 3 * face;
  int nvert = (int)m->ndeformvert;
  if (seeker >= nvert) {
    const int* own = m->deformface_vert + 3 * (seeker - nvert);
    snReal s, t;
    sn_nearestSegments(x + 3 * own[0], x + 3 * own[1], x + 3 * other[0], x + 3 * other[1], &s, &t);
    for (int k = 0; k < 2; k++) p->vert[k] = own[k], p->vert[2 + k] = other[k];
    p->coef[0] = 1 - s, p->coef[1] = s, p->coef[2] = t - 1, p->coef[3] = -t;
    return;
  }
  const snReal* corner[3] = {x + 3 * other[0], x + 3 * other[1], NULL};
  if (other[2] >= 0) corner[2] = x + 3 * other[2];
  sn_nearestOnFace(x + 3 * seeker, corner, p->coef + 1);
  p->vert[0] = seeker;
  p->coef[0] = 1;
  for (int k = 0; k < 3; k++) {
    p->vert[1 + k] = other[k];
    p->coef[1 + k] = -p->coef[1 + k];
  }
}

void sn_pairSum(const snReal* x, const int vert[4], const snReal coef[4], snReal sum[3]) {
  snu_zero3(sum);
  for (int k = 0; k < 4; k++) {
    if (vert[k] >= 0) snu_addToScl3(sum, x + 3 * vert[k], coef[k]);
  }
}

static snReal restDistance(const snModel* m, int seeker, int face) {
  Pair p;
  snReal offset[3];
  nearest(m, m->deformvert_pos, seeker, face, &p);
  sn_pairSum(m->deformvert_pos, p.vert, p.coef, offset);
  return snu_norm3(offset);
}

static snReal margins(const snModel* m, const Pair* p, int face) {
  return m->deformable_margin[m->deformvert_deformid[p->vert[0]]] +
         m->deformable_margin[deformOfFace(m, face)];
}

// Parts of one deformable that were nearer at rest than their margins keep that distance.
static snReal gapOf(const snModel* m, const Pair* p, int seeker, int face) {
  int own = m->deformvert_deformid[p->vert[0]] == deformOfFace(m, face);
  snReal gap = margins(m, p, face);
  return own ? snu_min(gap, restDistance(m, seeker, face)) : gap;
}

// Direction between the nearest points; where they meet, one across the face or across both pieces.
static void setNormal(const snModel* m, const Grid* g, int seeker, int face, Pair* p) {
  const int* other = m->deformface_vert + 3 * face;
  snReal u[3], v[3];
  sn_pairSum(g->x, p->vert, p->coef, p->normal);
  p->dist = snu_norm3(p->normal);
  if (p->dist > snMINVAL) {
    snu_scl3(p->normal, p->normal, 1 / p->dist);
    return;
  }
  int second = seeker >= (int)m->ndeformvert ? p->vert[0] : other[2];
  int third = seeker >= (int)m->ndeformvert ? p->vert[1] : other[0];
  snu_sub3(u, g->x + 3 * other[1], g->x + 3 * other[0]);
  snu_zero3(v);
  if (second >= 0) snu_sub3(v, g->x + 3 * second, g->x + 3 * third);
  snu_cross(p->normal, u, v);
  if (snu_normalize3(p->normal) < snMINVAL) p->normal[0] = p->normal[1] = 0, p->normal[2] = 1;
}

// may the seeker touch the face within the time?
static int look(const snModel* m, const Grid* g, int seeker, int face, Pair* p) {
  snReal apart[3];
  nearest(m, g->x, seeker, face, p);
  setNormal(m, g, seeker, face, p);
  sn_pairSum(g->v, p->vert, p->coef, apart);
  snReal reach = margins(m, p, face) + g->slack + g->h * snu_norm3(apart);
  if (!(p->dist < snu_min(reach, g->reach))) return 0;
  p->gap = gapOf(m, p, seeker, face);
  p->dist -= p->gap;
  return 1;
}

// keep the nearest, in order of distance, then of face
static void keep(int* found, snReal* dist, int face, snReal here) {
  int at = NEAREST;
  while (at > 0 && (found[at - 1] < 0 || here < dist[at - 1] ||
                    (here == dist[at - 1] && face < found[at - 1]))) {
    at--;
  }
  if (at == NEAREST) return;
  for (int k = NEAREST - 1; k > at; k--) found[k] = found[k - 1], dist[k] = dist[k - 1];
  found[at] = face;
  dist[at] = here;
}

// who looks for faces: a vertex, or a piece of a chain
typedef struct Seeker_ {
  int number;
  const snReal *x, *v;
  snReal radius;
} Seeker;

// nearer than spheres around both may come, with the velocities of their centres
static int isNear(const Grid* g, const Seeker* s, int face) {
  snReal out[3], apart[3], far = s->radius + g->radius[face] + g->reach;
  snu_sub3(out, s->x, g->centre + 3 * face);
  snReal square = snu_dot3(out, out);
  if (square > far * far) return 0;
  snu_sub3(apart, s->v, g->velocity + 3 * face);
  // a face may turn about its centre as fast as that
  snReal near = s->radius + g->radius[face] + 2 * g->slack + 2 * g->h * snu_norm3(apart);
  return square < near * near;
}

static void searchCell(const snModel* m, const Grid* g, const Seeker* s, const int cell[3],
                       int* found, snReal* dist) {
  int bucket = bucketOf(g, cell);
  for (int i = g->start[bucket]; i < g->start[bucket + 1]; i++) {
    int face = g->face[i];
    const int* own = g->cell + 3 * face;
    Pair p;
    if (own[0] != cell[0] || own[1] != cell[1] || own[2] != cell[2]) continue;
    if (!isNear(g, s, face) || !mayTouch(m, s->number, face)) continue;
    if (look(m, g, s->number, face, &p)) keep(found, dist, face, p.dist);
  }
}

static void search(const snModel* m, const Grid* g, int seeker) {
  int nvert = (int)m->ndeformvert, *found = g->found + NEAREST * seeker, middle[3];
  snReal dist[NEAREST];
  Seeker s = {seeker, g->x + 3 * seeker, g->v + 3 * seeker, 0};
  for (int k = 0; k < NEAREST; k++) found[k] = -1, dist[k] = 0;
  if (seeker >= nvert) {
    if (!isPiece(m, seeker - nvert)) return;
    s.x = g->centre + 3 * (seeker - nvert);
    s.v = g->velocity + 3 * (seeker - nvert);
    s.radius = g->radius[seeker - nvert];
  }
  for (int k = 0; k < 3; k++) middle[k] = cellOf(g, s.x[k]);
  for (int i = 0; i < 27; i++) {
    int cell[3] = {middle[0] + i % 3 - 1, middle[1] + i / 3 % 3 - 1, middle[2] + i / 9 - 1};
    searchCell(m, g, &s, cell, found, dist);
  }
}

static snReal mixFriction(const snModel* m, int a, int b) {
  if (m->deformable_condim[a] == 1 || m->deformable_condim[b] == 1) return 0;
  return snu_sqrt(m->deformable_friction[3 * a] * m->deformable_friction[3 * b]);
}

static void writePair(const snModel* m, snData* d, const Grid* g, int seeker, int face, int place) {
  Pair p;
  look(m, g, seeker, face, &p);
  for (int k = 0; k < 4; k++) {
    d->deformpair_vert[4 * place + k] = p.vert[k];
    d->deformpair_coef[4 * place + k] = p.vert[k] < 0 ? 0 : p.coef[k];
  }
  d->deformpair_dist[place] = p.dist;
  d->deformpair_gap[place] = p.gap;
  snu_copy3(d->deformpair_normal + 3 * place, p.normal);
  d->deformpair_friction[place] =
      mixFriction(m, m->deformvert_deformid[p.vert[0]], deformOfFace(m, face));
  snu_zero3(d->deformpair_force + 3 * place);
}

// ---- all of them

static int takePairs(snData* d) {
#define X SN_ARENA_ROW
  SN_DATA_ARENA_DEFORMPAIR(X)
#undef X
  return 1;
}

// by one lane: counts become places, and memory for as many is taken
static void allocatePairs(snData* d, int* first, int n) {
  int sum = 0;
  for (int i = 0; i <= n; i++) {
    int here = i < n ? first[i] : 0;
    first[i] = sum;
    sum += here;
  }
  d->ndeformpair = sum;
  if (sum && !takePairs(d)) {
    sn_warning(d, snWARN_CONTACTFULL, sum);
    d->ndeformpair = 0;
  }
}

// by one lane
static void flagColliding(const snModel* m, snData* d) {
  (void)m;
  for (int i = 0; i < 4 * d->ndeformpair; i++) {
    int vertex = d->deformpair_vert[i];
    if (vertex >= 0 && d->deformpair_coef[i] != 0 && d->deformpair_dist[i / 4] < 0) {
      d->deformvert_colliding[vertex] = 1;
    }
  }
}

static void findPairs(const snModel* m, snData* d, Grid* g, int report) {
  int nseeker = (int)(m->ndeformvert + m->ndeformface);
  buildGrid(m, g);
  SN_FOR(seeker, nseeker) {
    int n = 0;
    search(m, g, seeker);
    while (n < NEAREST && g->found[NEAREST * seeker + n] >= 0) n++;
    g->first[seeker] = n;
  }
  SN_SYNC();
  SN_SOLO(allocatePairs(d, g->first, nseeker));
  if (!d->ndeformpair) return;
  SN_FOR(seeker, nseeker) {
    for (int place = g->first[seeker], k = 0; place < g->first[seeker + 1]; place++, k++) {
      writePair(m, d, g, seeker, g->found[NEAREST * seeker + k], place);
    }
  }
  SN_SYNC();
  if (report) SN_SOLO(flagColliding(m, d));
}

void sn_deformDetectPairs(const snModel* m, snData* d, const snReal* x, const snReal* v, snReal h,
                          int report) {
  int nface = (int)m->ndeformface, nseeker = (int)m->ndeformvert + nface;
  Grid g = {x, v, h, 0, 0, 0, 16, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL};
  SN_SOLO(d->ndeformpair = 0);
  if (!sn_deformMayPair(m)) return;
  while (g.nbucket < nface) g.nbucket *= 2;
  sn_markStack(d);
  g.centre = SN_STACK(d, snReal, 3 * nface);
  g.velocity = SN_STACK(d, snReal, 3 * nface);
  g.radius = SN_STACK(d, snReal, nface);
  g.cell = SN_STACK(d, int, 3 * nface);
  g.bucket = SN_STACK(d, int, nface);
  g.start = SN_STACK(d, int, g.nbucket + 1);
  g.face = SN_STACK(d, int, nface);
  g.found = SN_STACK(d, int, NEAREST* nseeker);
  g.first = SN_STACK(d, int, nseeker + 1);
  if (g.centre && g.velocity && g.radius && g.cell && g.bucket && g.start && g.face && g.found &&
      g.first) {
    findPairs(m, d, &g, report);
  } else {
    SN_SOLO(sn_warning(d, snWARN_CONTACTFULL, (int)d->narena));
  }
  sn_freeStack(d);
}

int sn_deformPairParts(const snModel* m, const snData* d) {
  snReal size = 0;
  for (int i = 0; i < (int)m->ndeformedge; i++) size += m->deformedge_rest[i];
  if (!m->ndeformedge || !sn_deformMayPair(m)) return 1;
  snReal paths = 4 * m->opt.timestep * fastest(m, d->deformvert_xvel) * m->ndeformedge / size;
  return paths < 1 ? 1 : paths < 1000 ? (int)snu_ceil(paths) : 1000;
}
