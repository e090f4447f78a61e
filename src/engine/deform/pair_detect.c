// Which vertices of deformables touch which faces of deformables and flexes, and which edges touch.
//
// Faces and edges lie in boxes that hold where they may be within the time, sorted into cells of space. Vertices
// look for faces, edges for later edges. Edges of triangles count where they cross: where an end of one is
// nearest to the other, a vertex and a face see the same. Pieces of lines have no faces between them and count
// everywhere. Each keeps the nearest few. They are found once and kept in scratch memory, counted, and written at
// the place that the counts of those before leave.

#include <float.h>

#include "base/arena.h"
#include "base/assert.h"
#include "engine/deform/deform.h"
#include "math/math.h"
#include "sinew/sinew.h"

enum {
  NEAREST = 4
};  // pairs that one vertex or piece of a line takes part in, as the one that looks

// Seekers are vertices, then edges.
typedef struct Search_ {
  snSurface surface;
  int nside;  // edges that look for others: all or none
  snDeformGrid faces, sides;
  snDeformWatch* watch;
  const snReal *x, *v;
  snReal h;      // time for which pairs are found
  snReal slack;  // distance for what speeds up within the time
  snReal* room;  // by vertex: how far it reaches
  float* owned;  // by owner: box of all boxes of its vertices, faces and edges
  int* found;    // by seeker: NEAREST faces or edges, -1: none
  int* first;    // by seeker: number of its pairs, later the place of the first
} Search;

// ---- who may touch whom

// may any two touch, or one itself?
static int mayPair(const snModel* m) {
  for (int a = 0; a < (int)m->ndeformable; a++) {
    for (int b = a; b < (int)m->ndeformable; b++) {
      if (sn_ownersMeet(m, a, b)) return 1;
    }
  }
  return sn_deformMeetsFlex(m);
}

static int isSide(const Search* s, int seeker) { return seeker >= s->surface.nvert; }

static int mayTouchFace(const snModel* m, const Search* s, int vertex, int face) {
  const int* other = s->surface.face + 3 * face;
  if (vertex == other[0] || vertex == other[1] || vertex == other[2]) return 0;
  int own = sn_surfaceOwner(m, vertex), owner = sn_surfaceOwner(m, other[0]);
  if (other[2] < 0 && sn_ownerIsLine(m, own)) return 0;  // left to their pieces
  return sn_ownersMeet(m, own, owner);
}

// Edges of a surface touch its own edges where contacts are to be found more than once in a step: they cost
// more than all that vertices find.
static int edgesMeet(const snModel* m, int a, int b) {
  if (a == b && !sn_ownerIsLine(m, a) && m->deformable_repeats[a] < 2) return 0;
  return sn_ownersMeet(m, a, b);
}

static int seeksEdges(const snModel* m, const Search* s, int side) {
  int own = sn_surfaceOwner(m, s->surface.side[2 * side]), n = (int)(m->ndeformable + m->nflex);
  for (int owner = 0; owner < n; owner++) {
    if (own < (int)m->ndeformable || owner < (int)m->ndeformable) {
      if (edgesMeet(m, own, owner)) return 1;
    }
  }
  return 0;
}

static int mayTouchSide(const snModel* m, const Search* s, int side, int other) {
  const int *a = s->surface.side + 2 * side, *b = s->surface.side + 2 * other;
  if (a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1]) return 0;
  return edgesMeet(m, sn_surfaceOwner(m, a[0]), sn_surfaceOwner(m, b[0]));
}

static int mayTouch(const snModel* m, const Search* s, int seeker, int item) {
  return isSide(s, seeker) ? mayTouchSide(m, s, seeker - s->surface.nvert, item)
                           : mayTouchFace(m, s, seeker, item);
}

// ---- boxes

static snReal widestMargin(const snModel* m) {
  snReal margin = 0;
  for (int i = 0; i < (int)m->ndeformable; i++) margin = snu_max(margin, m->deformable_margin[i]);
  for (int i = 0; i < (int)m->nflex && sn_deformMeetsFlex(m); i++) {
    margin = snu_max(margin, m->flex_radius[i]);
  }
  return margin;
}

static snReal meanEdge(const snModel* m) {
  snReal sum = 0;
  for (int i = 0; i < (int)m->ndeformedge; i++) sum += m->deformedge_rest[i];
  return m->ndeformedge ? sum / m->ndeformedge : 0;
}

static snReal longestSide(const Search* s) {
  snReal square = 0;
  for (int i = 0; i < s->surface.nside; i++) {
    const int* end = s->surface.side + 2 * i;
    snReal out[3];
    snu_sub3(out, s->x + 3 * end[0], s->x + 3 * end[1]);
    square = snu_max(square, snu_dot3(out, out));
  }
  return snu_sqrt(square);
}

static void meanVelocity(const snReal* v, int n, snReal mean[3]) {
  snu_zero3(mean);
  for (int i = 0; i < n; i++) snu_addToScl3(mean, v + 3 * i, (snReal)1 / n);
}

// largest speed, from the mean of all: what falls together does not collide
static snReal fastest(const snReal* v, int n) {
  snReal mean[3], square = 0;
  meanVelocity(v, n, mean);
  for (int i = 0; i < n; i++) {
    snReal out[3];
    snu_sub3(out, v + 3 * i, mean);
    square = snu_max(square, snu_dot3(out, out));
  }
  return snu_sqrt(square);
}

// Distance for what speeds up within the time: gravity, which one of the two may not feel, and the rest, of
// which nothing is known.
static snReal slackOf(const snModel* m, snReal h) {
  return widestMargin(m) + h * h * snu_norm3(m->opt.gravity);
}

// Paths of the vertices within the time. What moves farther than an edge is long is looked for again before the
// step is over.
static void setPaths(const Search* s, snReal time, snReal most) {
  snReal mean[3];
  meanVelocity(s->v, s->surface.nvert, mean);
  SN_FOR(i, s->surface.nvert) {
    snReal out[3];
    snu_sub3(out, s->v + 3 * i, mean);
    s->watch->path[i] = snu_min(time * snu_norm3(out), most);
  }
  SN_SYNC();
}

// Which vertices may touch anything within the times of the next few detections, and their speed relative to what is
// near. A vertex and a face, or two edges, that touch have corners that are nearer than 0.71 times the longest edge.
static int watchVertices(const snModel* m, snData* d, Search* s, int detections) {
  int n = s->surface.nvert;
  snReal edge = longestSide(s), time = detections * s->h;
  snDeformWatch* watch = s->watch;
  snDeformNear near = {n, s->x, s->v, time / 2, watch->path, 0, 0, 2 * fastest(s->v, n)};
  near.width = (snReal)0.71 * edge + 2 * widestMargin(m) + slackOf(m, time);
  near.patch = 3 * snu_max(meanEdge(m), (snReal)0.7 * edge);
  setPaths(s, time / 2, edge);
  if (!sn_deformPatches(m, d, &near, watch->speed, watch->active)) return 0;
  SN_FOR(i, 3 * n) watch->v[i] = s->v[i];
  watch->left = detections;
  watch->since = 0;
  watch->edge = edge;
  SN_SYNC();
  return 1;
}

static snReal speedUp(const Search* s, int vertex) {
  snReal change[3];
  snu_sub3(change, s->v + 3 * vertex, s->watch->v + 3 * vertex);
  return snu_norm3(change);
}

// A vertex is measured again when a change of velocity has displaced it by a quarter of an edge.
static int stillHolds(const Search* s) {
  int changed = 0;
  if (!s->watch->left) return 0;
  snReal most = (snReal)0.25 * s->watch->edge;
  SN_FOR(i, s->surface.nvert) changed |= !(speedUp(s, i) * s->watch->since < most);
  return !sn_teamAny(changed);
}

// How far a vertex reaches: its margin, half of the slack, its path past what is near. One that may touch nothing
// is a corner of faces that may: its path alone.
static int measureVertices(const snModel* m, snData* d, Search* s, int detections) {
  s->slack = slackOf(m, s->h);
  if (!stillHolds(s) && !watchVertices(m, d, s, detections)) return 0;
  snDeformWatch* watch = s->watch;
  snReal edge = watch->edge;
  SN_FOR(i, s->surface.nvert) {
    s->room[i] = watch->path[i];
    if (!watch->active[i]) continue;
    snReal path = s->h * (watch->speed[i] + speedUp(s, i));
    s->room[i] = sn_ownerMargin(m, sn_surfaceOwner(m, i)) + s->slack / 2 + snu_min(path, edge);
  }
  watch->left--;
  watch->since += s->h;
  SN_SYNC();
  return 1;
}

static int isActive(const Search* s, const int* vertex, int n) {
  int active = 0;
  for (int i = 0; i < n; i++) active |= s->watch->active[vertex[i]];
  return active;
}

// Without branches, which would be unpredictable.
static int boxesMeet(const float* a, const float* b) {
  return (a[0] <= b[3]) & (b[0] <= a[3]) & (a[1] <= b[4]) & (b[1] <= a[4]) & (a[2] <= b[5]) &
         (b[2] <= a[5]);
}

static void setEmpty(float box[6]) {
  for (int k = 0; k < 6; k++) box[k] = k < 3;
}

// Box of n vertices and of what they reach, a little larger than the rounding of its numbers; empty where
// nothing may be touched.
static void setBox(const Search* s, const int* vertex, int n, float box[6]) {
  const snReal kRounding = (snReal)2e-7;
  if (!isActive(s, vertex, n)) {
    setEmpty(box);
    return;
  }
  for (int k = 0; k < 3; k++) {
    snReal low = snMAXVAL, high = -snMAXVAL;
    for (int i = 0; i < n; i++) {
      snReal x = s->x[3 * vertex[i] + k], room = s->room[vertex[i]];
      low = snu_min(low, x - room);
      high = snu_max(high, x + room);
    }
    box[k] = (float)(low - kRounding * snu_abs(low));
    box[3 + k] = (float)(high + kRounding * snu_abs(high));
  }
}

static int vertexOwner(const snModel* m, const int* vertex) { return sn_surfaceOwner(m, *vertex); }

static void addBox(float* sum, const float* box) {
  if (!(box[0] <= box[3])) return;
  for (int k = 0; k < 3; k++) {
    sum[k] = box[k] < sum[k] ? box[k] : sum[k];
    sum[3 + k] = box[3 + k] > sum[3 + k] ? box[3 + k] : sum[3 + k];
  }
}

// by one lane
static void boxOwners(const snModel* m, const Search* s) {
  int n = (int)(m->ndeformable + m->nflex);
  float box[6];
  for (int i = 0; i < 6 * n; i++) s->owned[i] = i % 6 < 3 ? FLT_MAX : -FLT_MAX;
  for (int i = 0; i < s->surface.nvert; i++) {
    setBox(s, &i, 1, box);
    addBox(s->owned + 6 * sn_surfaceOwner(m, i), box);
  }
  for (int i = 0; i < s->faces.n; i++) {
    addBox(s->owned + 6 * vertexOwner(m, s->surface.face + 3 * i), s->faces.box + 6 * i);
  }
  for (int i = 0; i < s->sides.n; i++) {
    addBox(s->owned + 6 * vertexOwner(m, s->surface.side + 2 * i), s->sides.box + 6 * i);
  }
}

// Is there anything in the box that something of this owner may touch?
static int isNearOwner(const snModel* m, const Search* s, int own, const float* box) {
  int n = (int)(m->ndeformable + m->nflex);
  for (int owner = 0; owner < n; owner++) {
    if (boxesMeet(box, s->owned + 6 * owner) && sn_ownersMeet(m, own, owner)) return 1;
  }
  return 0;
}

// Removes faces and edges from the grids that are far from every owner that they may touch, so that scenes at rest cost
// little. The width of the cells is kept, because it must fit the boxes that are looked up.
static void dropDistant(const snModel* m, const Search* s) {
  SN_SOLO(boxOwners(m, s));
  SN_FOR(i, s->faces.n) {
    float* box = s->faces.box + 6 * i;
    if (!isNearOwner(m, s, vertexOwner(m, s->surface.face + 3 * i), box)) setEmpty(box);
  }
  SN_FOR(i, s->sides.n) {
    float* box = s->sides.box + 6 * i;
    if (!isNearOwner(m, s, vertexOwner(m, s->surface.side + 2 * i), box)) setEmpty(box);
  }
  SN_SYNC();
}

static int buildGrids(const snModel* m, snData* d, Search* s, int detections) {
  if (!measureVertices(m, d, s, detections)) return 0;
  SN_FOR(i, s->surface.nface) {
    const int* vert = s->surface.face + 3 * i;
    setBox(s, vert, vert[2] < 0 ? 2 : 3, s->faces.box + 6 * i);
  }
  SN_FOR(i, s->nside) {
    setBox(s, s->surface.side + 2 * i, seeksEdges(m, s, i) ? 2 : 0, s->sides.box + 6 * i);
  }
  SN_SYNC();
  sn_setGridWidth(&s->faces);
  sn_setGridWidth(&s->sides);
  SN_SYNC();  // all lanes have read the boxes
  dropDistant(m, s);
  return sn_fillGrid(d, &s->faces) && sn_fillGrid(d, &s->sides);
}

// ---- pairs

typedef struct Pair_ {
  int vert[4], owner[2];
  snReal coef[4], gap, dist, normal[3];
} Pair;

static void nearestSides(const Search* s, const snReal* x, int side, int other, Pair* p) {
  const int *a = s->surface.side + 2 * side, *b = s->surface.side + 2 * other;
  snReal at, to;
  sn_nearestSegments(x + 3 * a[0], x + 3 * a[1], x + 3 * b[0], x + 3 * b[1], &at, &to);
  for (int k = 0; k < 2; k++) p->vert[k] = a[k], p->vert[2 + k] = b[k];
  p->coef[0] = 1 - at, p->coef[1] = at, p->coef[2] = to - 1, p->coef[3] = -to;
}

static void nearestFace(const Search* s, const snReal* x, int vertex, int face, Pair* p) {
  const int* other = s->surface.face + 3 * face;
  const snReal* corner[3] = {x + 3 * other[0], x + 3 * other[1], NULL};
  if (other[2] >= 0) corner[2] = x + 3 * other[2];
  sn_nearestOnFace(x + 3 * vertex, corner, p->coef + 1);
  p->vert[0] = vertex;
  p->coef[0] = 1;
  for (int k = 0; k < 3; k++) {
    p->vert[1 + k] = other[k];
    p->coef[1 + k] = -p->coef[1 + k];
  }
}

// vertices and coefficients of the nearest points at these positions
static void nearest(const Search* s, const snReal* x, int seeker, int item, Pair* p) {
  if (isSide(s, seeker)) {
    nearestSides(s, x, seeker - s->surface.nvert, item, p);
  } else {
    nearestFace(s, x, seeker, item, p);
  }
}

static snReal restDistance(const snModel* m, const Search* s, int seeker, int item) {
  Pair p;
  snReal offset[3];
  nearest(s, m->deformvert_pos, seeker, item, &p);
  sn_pairSum(m->deformvert_pos, p.vert, p.coef, offset);
  return snu_norm3(offset);
}

static snReal margins(const snModel* m, const Pair* p) {
  return sn_ownerMargin(m, p->owner[0]) + sn_ownerMargin(m, p->owner[1]);
}

// Parts of one deformable that were nearer at rest than their margins keep that distance.
static snReal gapOf(const snModel* m, const Search* s, const Pair* p, int seeker, int item) {
  snReal gap = margins(m, p);
  return p->owner[0] == p->owner[1] ? snu_min(gap, restDistance(m, s, seeker, item)) : gap;
}

// Direction between the nearest points; where they meet, one across the face or across both edges.
static void setNormal(const Search* s, int seeker, Pair* p) {
  snReal u[3], v[3];
  sn_pairSum(s->x, p->vert, p->coef, p->normal);
  p->dist = snu_norm3(p->normal);
  if (p->dist > snMINVAL) {
    snu_scl3(p->normal, p->normal, 1 / p->dist);
    return;
  }
  int from = isSide(s, seeker) ? 2 : 1, to = isSide(s, seeker) ? 0 : 1;
  int end = isSide(s, seeker) ? 1 : 3;
  snu_sub3(u, s->x + 3 * p->vert[from + 1], s->x + 3 * p->vert[from]);
  snu_zero3(v);
  if (p->vert[end] >= 0) snu_sub3(v, s->x + 3 * p->vert[end], s->x + 3 * p->vert[to]);
  snu_cross(p->normal, u, v);
  if (snu_normalize3(p->normal) < snMINVAL) p->normal[0] = p->normal[1] = 0, p->normal[2] = 1;
}

// edges of triangles count where they cross, pieces of lines everywhere
static int crosses(const snModel* m, const Pair* p) {
  if (sn_ownerIsLine(m, p->owner[0]) && sn_ownerIsLine(m, p->owner[1])) return 1;
  return p->coef[0] > 0 && p->coef[1] > 0 && p->coef[2] < 0 && p->coef[3] < 0;
}

// may the seeker touch the item within the time?
static int look(const snModel* m, const Search* s, int seeker, int item, Pair* p) {
  snReal apart[3];
  nearest(s, s->x, seeker, item, p);
  p->owner[0] = sn_surfaceOwner(m, p->vert[0]);
  p->owner[1] = sn_surfaceOwner(m, p->vert[2]);
  if (isSide(s, seeker) && !crosses(m, p)) return 0;
  setNormal(s, seeker, p);
  sn_pairSum(s->v, p->vert, p->coef, apart);
  snReal reach = margins(m, p) + s->slack + s->h * snu_norm3(apart);
  if (!(p->dist < reach)) return 0;
  p->gap = gapOf(m, s, p, seeker, item);
  p->dist -= p->gap;
  return 1;
}

// keep the nearest, in order of distance, then of number
static void keep(int* found, snReal* dist, int most, int item, snReal here) {
  int at = most;
  while (at > 0 && (found[at - 1] < 0 || here < dist[at - 1] ||
                    (here == dist[at - 1] && item < found[at - 1]))) {
    at--;
  }
  if (at == most) return;
  for (int k = most - 1; k > at; k--) found[k] = found[k - 1], dist[k] = dist[k - 1];
  found[at] = item;
  dist[at] = here;
}

// ---- search

// is this the cell in which two boxes count?
static int isFirstShared(const int* a, const int* b, int x, int y, int z) {
  return (a[0] > b[0] ? a[0] : b[0]) == x && (a[1] > b[1] ? a[1] : b[1]) == y &&
         (a[2] > b[2] ? a[2] : b[2]) == z;
}

// what looks, and what it has found
typedef struct Seeker_ {
  int number;
  int most;   // that it keeps
  int above;  // numbers that it looks for are larger
  int cell[6];
  float box[6];
  int* found;
  snReal dist[NEAREST];
} Seeker;

// look at what is in a cell and has a box that meets the seeker's
static void lookAt(const snModel* m, const Search* s, const snDeformGrid* g, Seeker* a, int item,
                   int x, int y, int z) {
  Pair p;
  if (!isFirstShared(a->cell, g->cell + 6 * item, x, y, z)) return;
  if (!mayTouch(m, s, a->number, item)) return;
  if (look(m, s, a->number, item, &p)) keep(a->found, a->dist, a->most, item, p.dist);
}

// Boxes are compared some at a time, and those that meet looked at afterwards.
static void searchCell(const snModel* m, const Search* s, const snDeformGrid* g, Seeker* a, int x,
                       int y, int z) {
  enum { BATCH = 16 };
  int bucket = sn_gridBucket(g, x, y, z), start = g->start[bucket], before = -1, meet[BATCH];
  int i = g->start[bucket + 1];
  while (i > start && g->item[i - 1] > a->above) {
    int n = 0, end = i - BATCH > start ? i - BATCH : start;
    for (; i > end; i--) {
      int item = g->item[i - 1];
      meet[n] = item;
      n += boxesMeet(a->box, g->box + 6 * item) & (item > a->above);
    }
    for (int k = 0; k < n; k++) {
      int again = meet[k] == before;  // two cells of a box may have one bucket
      before = meet[k];
      if (!again) lookAt(m, s, g, a, meet[k], x, y, z);
    }
  }
}

// how many a seeker has found
static int search(const snModel* m, const Search* s, int number) {
  Seeker a;
  const snDeformGrid* g = isSide(s, number) ? &s->sides : &s->faces;
  int side = number - s->surface.nvert, n = 0;
  a.number = number;
  a.found = s->found + NEAREST * number;
  if (isSide(s, number)) {
    int line = sn_ownerIsLine(m, sn_surfaceOwner(m, s->surface.side[2 * side]));
    for (int k = 0; k < 6; k++) a.box[k] = s->sides.box[6 * side + k];
    a.most = line ? NEAREST : 1;
    a.above = side;
  } else {
    setBox(s, &number, 1, a.box);
    if (!isNearOwner(m, s, sn_surfaceOwner(m, number), a.box)) return 0;
    a.most = NEAREST;
    a.above = -1;
  }
  if (a.box[0] > a.box[3]) return 0;
  sn_gridCells(g, a.box, a.cell);
  for (int k = 0; k < NEAREST; k++) a.found[k] = -1, a.dist[k] = 0;
  for (int z = a.cell[2]; z <= a.cell[5]; z++) {
    for (int y = a.cell[1]; y <= a.cell[4]; y++) {
      for (int x = a.cell[0]; x <= a.cell[3]; x++) searchCell(m, s, g, &a, x, y, z);
    }
  }
  while (n < a.most && a.found[n] >= 0) n++;
  return n;
}

static void writePair(const snModel* m, snData* d, const Search* s, int seeker, int item,
                      int place) {
  Pair p;
  look(m, s, seeker, item, &p);
  for (int k = 0; k < 4; k++) {
    d->deformpair_vert[4 * place + k] = p.vert[k];
    d->deformpair_coef[4 * place + k] = p.vert[k] < 0 ? 0 : p.coef[k];
  }
  d->deformpair_dist[place] = p.dist;
  d->deformpair_gap[place] = p.gap;
  snu_copy3(d->deformpair_normal + 3 * place, p.normal);
  d->deformpair_friction[place] = sn_mixOwnerFriction(m, p.owner[0], p.owner[1]);
  snu_zero3(d->deformpair_force + 3 * place);
}

// ---- all of them

static int takePairs(snData* d) {
#define X SN_ARENA_ROW
  SN_DATA_ARENA_DEFORMPAIR(X)
#undef X
  return 1;
}

// by one lane
static void allocatePairs(snData* d, int n) {
  d->ndeformpair = n;
  if (n && !takePairs(d)) {
    sn_warning(d, snWARN_CONTACTFULL, n);
    d->ndeformpair = 0;
  }
}

// by one lane
static void flagColliding(const snModel* m, snData* d) {
  for (int i = 0; i < 4 * d->ndeformpair; i++) {
    int vertex = d->deformpair_vert[i];
    if (vertex < 0 || vertex >= (int)m->ndeformvert || d->deformpair_coef[i] == 0) continue;
    if (d->deformpair_dist[i / 4] < 0) d->deformvert_colliding[vertex] = 1;
  }
}

static void findPairs(const snModel* m, snData* d, const Search* s, int report) {
  int nseeker = s->surface.nvert + s->nside;
  SN_FOR(seeker, nseeker) s->first[seeker] = search(m, s, seeker);
  SN_SYNC();
  int n = sn_deformPlaces(s->first, nseeker);
  SN_SOLO(allocatePairs(d, n));
  if (!d->ndeformpair) return;
  SN_FOR(seeker, nseeker) {
    for (int place = s->first[seeker], k = 0; place < s->first[seeker + 1]; place++, k++) {
      writePair(m, d, s, seeker, s->found[NEAREST * seeker + k], place);
    }
  }
  SN_SYNC();
  if (report) SN_SOLO(flagColliding(m, d));
}

// does any edge look for others?
static int someSeekEdges(const snModel* m) {
  int n = (int)(m->ndeformable + m->nflex), some = 0;
  for (int a = 0; a < n; a++) {
    for (int b = a; b < n && a < (int)m->ndeformable; b++) some |= edgesMeet(m, a, b);
  }
  return some;
}

int sn_takeDeformWatch(const snModel* m, snData* d, snDeformWatch* watch) {
  int n = sn_surfaceVertices(m);
  watch->left = 0;
  watch->since = watch->edge = 0;
  watch->speed = SN_STACK(d, snReal, n);
  watch->path = SN_STACK(d, snReal, n);
  watch->v = SN_STACK(d, snReal, 3 * n);
  watch->active = SN_STACK(d, snByte, n);
  return watch->speed && watch->path && watch->v && watch->active;
}

static int takeScratch(const snModel* m, snData* d, Search* s) {
  if (!sn_takeSurface(m, d, &s->surface)) return 0;
  s->nside = someSeekEdges(m) ? s->surface.nside : 0;
  int nseeker = s->surface.nvert + s->nside;
  if (!sn_takeGrid(d, &s->faces, s->surface.nface)) return 0;
  if (!sn_takeGrid(d, &s->sides, s->nside)) return 0;
  s->room = SN_STACK(d, snReal, s->surface.nvert);
  s->owned = SN_STACK(d, float, 6 * (m->ndeformable + m->nflex));
  s->found = SN_STACK(d, int, NEAREST* nseeker);
  s->first = SN_STACK(d, int, nseeker + 1);
  return s->room && s->owned && s->found && s->first;
}

void sn_deformDetectPairs(const snModel* m, snData* d, const snReal* x, const snReal* v, snReal h,
                          snDeformWatch* watch, int report) {
  enum { DETECTIONS = 2 };  // that share what is near
  Search s;
  snDeformWatch own;
  SN_SOLO(d->ndeformpair = 0);
  if (!mayPair(m)) return;
  s.x = x;
  s.v = v;
  s.h = h;
  s.watch = watch ? watch : &own;
  sn_markStack(d);
  int enough = watch || sn_takeDeformWatch(m, d, &own);
  if (enough && takeScratch(m, d, &s) && buildGrids(m, d, &s, watch ? DETECTIONS : 1)) {
    findPairs(m, d, &s, report);
  } else {
    SN_SOLO(sn_warning(d, snWARN_CONTACTFULL, (int)d->narena));
  }
  sn_freeStack(d);
}

// ---- parts of a step

// a path may be a mean edge
static int pairParts(const snModel* m, const snReal* v) {
  snReal edge = mayPair(m) ? meanEdge(m) : 0;
  if (!(edge > 0)) return 1;
  snReal paths = m->opt.timestep * fastest(v, sn_surfaceVertices(m)) / edge;
  return paths < 1 ? 1 : paths < 1000 ? (int)snu_ceil(paths) : 1000;
}

// deformables take the substeps together, as many as the one that needs most
int sn_deformParts(const snModel* m, const snReal* v, int* substeps) {
  int parts = 1;
  *substeps = 1;
  for (int deform = 0; deform < (int)m->ndeformable; deform++) {
    if (m->deformable_substeps[deform] > *substeps) *substeps = m->deformable_substeps[deform];
    if (m->deformable_repeats[deform] > parts) parts = m->deformable_repeats[deform];
  }
  int pairs = m->opt.timestep > 0 ? pairParts(m, v) : 1;
  if (pairs > parts) parts = pairs;
  return parts < *substeps ? parts : *substeps;
}
