// Which vertices and faces touch which geoms.
//
// Geoms near a deformable are listed first. Every vertex, then every face, is tested against those twice: to count its
// contacts, and to write them at the place given by a prefix sum of the counts. Contacts stand in the order of their
// vertices or faces, then geoms. A pair is a contact when it may touch within the time h: XPBD then holds the vertex on
// its side of the tangent plane, whatever happens in the substeps.

#include "base/arena.h"
#include "base/assert.h"
#include "engine/collide/collision.h"
#include "engine/deform/deform.h"
#include "math/math.h"
#include "sinew/sinew.h"

static int* nearList(const snModel* m, const snDetection* s, int deform) {
  return s->geoms + (m->ngeom + 1) * deform;
}

// Does a deformable collide with a geom at all? Planes and static geoms count as any other.
static int masksMeet(const snModel* m, int deform, int geom) {
  SN_ASSERT_INDEX(deform, m->ndeformable);
  SN_ASSERT_INDEX(geom, m->ngeom);
  return sn_masksMeet(m->geom_contype[geom], m->geom_conaffinity[geom],
                      m->deformable_contype[deform], m->deformable_conaffinity[deform]);
}

// how far a body's point at distance r from its centre of mass may come in a step
static snReal bodyReach(const snDetection* s, int body, snReal radius) {
  const snMover* b = s->mover + body;
  return s->h * (snu_norm3(b->vel) + snu_norm3(b->spin) * radius) + snu_norm3(b->shift) +
         snu_norm3(b->turn) * radius;
}

// box of the vertices; returns their largest speed
static snReal measure(const snModel* m, const snDetection* s, int deform, snReal low[3],
                      snReal high[3]) {
  SN_ASSERT_INDEX(deform, m->ndeformable);
  int adr = m->deformable_vertadr[deform], n = m->deformable_vertnum[deform];
  SN_ASSERT_PART(adr, n, m->ndeformvert);
  snReal square = 0;
  for (int k = 0; k < 3; k++) low[k] = snMAXVAL, high[k] = -snMAXVAL;
  for (int i = adr; i < adr + n; i++) {
    for (int k = 0; k < 3; k++) {
      low[k] = snu_min(low[k], s->x[3 * i + k]);
      high[k] = snu_max(high[k], s->x[3 * i + k]);
    }
    square = snu_max(square, snu_dot3(s->v + 3 * i, s->v + 3 * i));
  }
  return snu_sqrt(square);
}

// geoms whose bounding spheres come near the box of the deformable; those of planes and height fields
// are always near
static void nearGeoms(const snModel* m, const snData* d, const snDetection* s, int deform) {
  snReal low[3], high[3], fastest = measure(m, s, deform, low, high);
  int n = 0, *list = nearList(m, s, deform);
  for (int geom = 0; geom < (int)m->ngeom; geom++) {
    if (!masksMeet(m, deform, geom)) continue;
    const snReal* center = d->geom_xpos + 3 * geom;
    snReal radius = m->geom_rbound[geom], square = 0;
    int body = m->geom_bodyid[geom];
    snReal reach = radius + sn_deformSlack(m, s, deform) + m->deformable_margin[deform] +
                   s->h * fastest +
                   bodyReach(s, body, 2 * radius + snu_dist3(center, d->xipos + 3 * body));
    for (int k = 0; k < 3; k++) {
      snReal out = snu_max(snu_max(low[k] - center[k], center[k] - high[k]), 0);
      square += out * out;
    }
    if (radius > 0 && square > reach * reach) continue;
    list[++n] = geom;
  }
  list[0] = n;
}

// The contact of a vertex with a geom, if they may touch. A geom that a mover displaced stays where it
// was, and the vertex is displaced the other way.
static int look(const snModel* m, snData* d, const snDetection* s, int vertex, int geom,
                snDeformTouch* f) {
  SN_ASSERT_INDEX(vertex, m->ndeformvert);
  SN_ASSERT_INDEX(geom, m->ngeom);
  int deform = m->deformvert_deformid[vertex], body = m->geom_bodyid[geom];
  snReal x[3], reach, margin = m->deformable_margin[deform];
  snu_copy3(x, s->x + 3 * vertex);
  reach = margin + sn_deformSlack(m, s, deform) + s->h * snu_norm3(s->v + 3 * vertex);
  const snMover* b = s->mover + body;
  snReal arm[3], turned[3];
  snu_sub3(arm, x, d->xipos + 3 * body);
  snu_cross(turned, b->turn, arm);
  reach += s->h * (snu_norm3(b->vel) + snu_norm3(b->spin) * snu_norm3(arm));
  for (int k = 0; k < 3; k++) x[k] -= b->shift[k] + turned[k];
  snReal radius = m->geom_rbound[geom];
  if (radius > 0 && snu_dist3(x, d->geom_xpos + 3 * geom) > radius + reach) return 0;
  f->geom = geom;
  f->vertex = vertex;
  f->face = -1;
  for (int k = 0; k < 3; k++) f->coef[k] = k == 0;
  f->dist = sn_deformDistance(m, d, geom, x, reach, f->pos, f->normal);
  if (!(f->dist < reach)) return 0;
  f->dist -= margin;
  return 1;
}

// geometric mean of the coefficients of sliding; none without friction
static snReal mixFriction(const snModel* m, int deform, int geom) {
  if (m->deformable_condim[deform] == 1) return 0;
  return snu_sqrt(m->deformable_friction[3 * deform] * m->geom_friction[3 * geom]);
}

static void writeContact(const snModel* m, snData* d, int place, const snDeformTouch* f) {
  SN_ASSERT_INDEX(place, d->ndeformcon);
  SN_ASSERT_INDEX(f->vertex, m->ndeformvert);
  d->deformcon_vert[place] = f->vertex;
  d->deformcon_face[place] = f->face;
  d->deformcon_geom[place] = f->geom;
  d->deformcon_dist[place] = f->dist;
  d->deformcon_friction[place] = mixFriction(m, m->deformvert_deformid[f->vertex], f->geom);
  snu_copy3(d->deformcon_coef + 3 * place, f->coef);
  snu_copy3(d->deformcon_pos + 3 * place, f->pos);
  snu_copy3(d->deformcon_normal + 3 * place, f->normal);
  snu_zero3(d->deformcon_force + 3 * place);
}

// pinned vertices have no contacts, attached ones none with their own body
static int mayTouch(const snModel* m, int vertex, int geom) {
  int body = m->deformvert_bodyid[vertex];
  return body < 0 || m->body_weldid[body] != m->body_weldid[m->geom_bodyid[geom]];
}

// A vertex touches what it overlaps. One that a contact held in the last step is at its margin, on one side
// of it or the other: it touches while it is within a hundredth of it.
static void countContacts(const snModel* m, snData* d, const snDetection* s, int deform,
                          int* count) {
  const snReal kTouch = (snReal)0.01;
  int adr = m->deformable_vertadr[deform];
  const int* list = nearList(m, s, deform);
  SN_FOR(k, m->deformable_vertnum[deform]) {
    int vertex = adr + k, n = 0, touches = 0;
    const snReal* force = d->deformvert_xfrc + 3 * vertex;
    int pushed = force[0] != 0 || force[1] != 0 || force[2] != 0;
    snDeformTouch f;
    for (int i = 1; i <= list[0] && m->deformvert_invmass[vertex] > 0; i++) {
      if (!mayTouch(m, vertex, list[i]) || !look(m, d, s, vertex, list[i], &f)) continue;
      n++;
      touches |= f.dist < (pushed ? kTouch * m->deformable_margin[deform] : 0);
    }
    count[vertex] = n;
    if (s->report) d->deformvert_colliding[vertex] = (snByte)touches;
  }
}

// Divide the force that the vertex felt in the last step among its contacts [first, end). Each gets the part of the
// residual that pushes along its normal; the last one gets what remains.
static void shareForce(snData* d, int vertex, int first, int end) {
  snReal residual[3];
  snu_copy3(residual, d->deformvert_xfrc + 3 * vertex);
  for (int i = first; i < end; i++) {
    snReal *force = d->deformcon_force + 3 * i, *normal = d->deformcon_normal + 3 * i;
    if (i == end - 1) {
      snu_copy3(force, residual);
    } else {
      snu_scl3(force, normal, snu_max(0, snu_dot3(residual, normal)));
      snu_subFrom3(residual, force);
    }
  }
}

static void fillContacts(const snModel* m, snData* d, const snDetection* s, int deform,
                         const int* first) {
  int adr = m->deformable_vertadr[deform];
  const int* list = nearList(m, s, deform);
  SN_FOR(k, m->deformable_vertnum[deform]) {
    int vertex = adr + k, place = first[vertex], end = first[vertex + 1];
    SN_ASSERT(place <= end && end <= d->ndeformcon);
    snDeformTouch f;
    for (int i = 1; i <= list[0] && place < end; i++) {
      if (!mayTouch(m, vertex, list[i]) || !look(m, d, s, vertex, list[i], &f)) continue;
      writeContact(m, d, place++, &f);
    }
    if (s->report) shareForce(d, vertex, first[vertex], end);
  }
}

// ---- faces

enum { KEPT = 2 };  // geoms that are kept for a face while candidates are counted

// Faces and geoms that are near: few of all pairs, so that lanes share what takes long among these alone.
typedef struct Candidates_ {
  int n;
  int* item;     // face and geom
  int* meets;    // do they touch? Later the place of the contact
  snReal* coef;  // where (3)
} Candidates;

// The geoms that are near a face: how many, and the first of them, at most so many.
static int nearFace(const snModel* m, const snData* d, const snDetection* s, int face, int most,
                    int* geom) {
  const int* list = nearList(m, s, m->deformvert_deformid[m->deformface_vert[3 * face]]);
  int n = 0;
  for (int i = 1; i <= list[0]; i++) {
    if (!sn_faceIsNearGeom(m, d, s, face, list[i])) continue;
    if (n < most) geom[n] = list[i];
    n++;
  }
  return n;
}

// kept: by face, its first geoms
static void writeCandidates(const snModel* m, const snData* d, const snDetection* s,
                            const int* count, const int* kept, const Candidates* c) {
  SN_FOR(face, m->ndeformface) {
    int first = count[face], n = count[face + 1] - first, *geom = c->meets + first;
    if (n > KEPT) nearFace(m, d, s, face, n, geom);
    for (int i = 0; i < n; i++) {
      c->item[2 * (first + i)] = face;
      c->item[2 * (first + i) + 1] = n > KEPT ? geom[i] : kept[KEPT * face + i];
    }
  }
  SN_SYNC();
}

static int findCandidates(const snModel* m, snData* d, const snDetection* s, Candidates* c) {
  int n = (int)m->ndeformface;
  int *count = SN_STACK(d, int, n + 1), *kept = SN_STACK(d, int, KEPT*n + 1);
  if (!count || !kept) return 0;
  SN_FOR(face, n) count[face] = nearFace(m, d, s, face, KEPT, kept + KEPT * face);
  SN_SYNC();
  c->n = sn_deformPlaces(count, n);
  c->item = SN_STACK(d, int, 2 * c->n + 1);
  c->meets = SN_STACK(d, int, c->n + 1);
  c->coef = SN_STACK(d, snReal, 3 * c->n + 1);
  if (!c->item || !c->meets || !c->coef) return 0;
  writeCandidates(m, d, s, count, kept, c);
  SN_FOR(i, c->n) {
    c->meets[i] = sn_faceMeetsGeom(m, d, s, c->item[2 * i], c->item[2 * i + 1], c->coef + 3 * i);
  }
  SN_SYNC();
  return 1;
}

// contacts from place first on
static void fillFaces(const snModel* m, snData* d, const snDetection* s, int first,
                      const Candidates* c) {
  SN_FOR(i, c->n) {
    if (c->meets[i + 1] == c->meets[i]) continue;
    snDeformTouch f;
    sn_faceTouch(m, d, s, c->item[2 * i], c->item[2 * i + 1], c->coef + 3 * i, &f);
    writeContact(m, d, first + c->meets[i], &f);
  }
}

// The nearest that a geom comes to the faces around a vertex.
typedef struct Nearest_ {
  int geom;
  snReal dist;
} Nearest;

// A contact on an edge is dropped if the geom is nearer to the neighbouring face across the edge. The faces around both
// ends of the edge stand for that neighbour.
static int isBetter(const snModel* m, const snData* d, const Nearest* nearest, int i) {
  const snReal kEdge = (snReal)1e-3, kNearer = (snReal)1e-3;
  const int* vert = m->deformface_vert + 3 * d->deformcon_face[i];
  snReal dist = d->deformcon_dist[i],
         far = kNearer * m->deformable_margin[m->deformvert_deformid[vert[0]]];
  int inside = vert[2] >= 0, best = 1;
  for (int c = 0; c < 3 && vert[c] >= 0; c++) {
    if (d->deformcon_coef[3 * i + c] < kEdge) {
      inside = 0;
      continue;
    }
    const Nearest* here = nearest + vert[c];
    best &= here->geom == d->deformcon_geom[i] && here->dist < dist - far;
  }
  return inside || !best;
}

static void moveContact(snData* d, int to, int from) {
  d->deformcon_vert[to] = d->deformcon_vert[from];
  d->deformcon_face[to] = d->deformcon_face[from];
  d->deformcon_geom[to] = d->deformcon_geom[from];
  d->deformcon_dist[to] = d->deformcon_dist[from];
  d->deformcon_friction[to] = d->deformcon_friction[from];
  snu_copy3(d->deformcon_coef + 3 * to, d->deformcon_coef + 3 * from);
  snu_copy3(d->deformcon_pos + 3 * to, d->deformcon_pos + 3 * from);
  snu_copy3(d->deformcon_normal + 3 * to, d->deformcon_normal + 3 * from);
}

// By one lane: leave out contacts on edges whose neighbours are nearer.
static void dropEdges(const snModel* m, snData* d, int begin, Nearest* nearest) {
  int kept = begin;
  for (int pass = 0; pass < 2; pass++) {
    for (int i = begin; i < d->ndeformcon; i++) {
      const int* vert = m->deformface_vert + 3 * d->deformcon_face[i];
      for (int c = 0; c < 3 && vert[c] >= 0; c++) {
        Nearest* here = nearest + vert[c];
        int nearer = pass && (here->geom < 0 || d->deformcon_dist[i] < here->dist);
        if (!pass) here->geom = -1;
        if (nearer) here->geom = d->deformcon_geom[i], here->dist = d->deformcon_dist[i];
      }
    }
  }
  for (int i = begin; i < d->ndeformcon; i++) {
    if (isBetter(m, d, nearest, i)) moveContact(d, kept++, i);
  }
  d->ndeformcon = kept;
}

// The force that a vertex without contacts of its own felt in the last step is that of its faces, by their
// coefficients. total: by vertex, for their sum. By one lane.
static void shareFaceForces(const snModel* m, snData* d, const int* first, snReal* total) {
  int begin = first[m->ndeformvert];
  SN_ASSERT(SN_LANES == 1 && begin <= d->ndeformcon);
  for (int pass = 0; pass < 3; pass++) {
    for (int i = begin; i < d->ndeformcon; i++) {
      const int* vert = m->deformface_vert + 3 * d->deformcon_face[i];
      for (int c = 0; c < 3 && vert[c] >= 0; c++) {
        snReal coef = d->deformcon_coef[3 * i + c];
        if (pass == 0) total[vert[c]] = 0;
        if (pass == 1) total[vert[c]] += coef;
        if (pass < 2 || !(coef > 0)) continue;
        if (d->deformcon_dist[i] < 0) d->deformvert_colliding[vert[c]] = 1;
        if (first[vert[c] + 1] > first[vert[c]]) continue;
        snu_addToScl3(d->deformcon_force + 3 * i, d->deformvert_xfrc + 3 * vert[c],
                      coef / total[vert[c]]);
      }
    }
  }
}

// ---- all of them

static int takeContacts(snData* d) {
#define X SN_ARENA_ROW
  SN_DATA_ARENA_DEFORM(X)
#undef X
  return 1;
}

static void allocateContacts(snData* d, int n) {
  SN_ASSERT(n >= 0 && SN_LANES == 1);
  d->ndeformcon = n;
  if (n && !takeContacts(d)) {
    sn_warning(d, snWARN_CONTACTFULL, n);
    d->ndeformcon = 0;
  }
}

// contacts of vertices, then of faces; 0: there is no memory
static int detectAll(const snModel* m, snData* d, snDetection* s) {
  int nvert = (int)m->ndeformvert, ndeform = (int)m->ndeformable;
  int* count = SN_STACK(d, int, nvert + 1);
  Nearest* nearest = SN_STACK(d, Nearest, nvert);
  snReal* total = SN_STACK(d, snReal, s->report ? nvert : 1);
  Candidates c;
  s->geoms = SN_STACK(d, int, m->ndeformable*(m->ngeom + 1));
  if (!count || !nearest || !total || !s->geoms) return 0;
  SN_FOR(deform, ndeform) nearGeoms(m, d, s, deform);
  SN_SYNC();
  for (int deform = 0; deform < ndeform; deform++) countContacts(m, d, s, deform, count);
  if (!findCandidates(m, d, s, &c)) return 0;
  int first = sn_deformPlaces(count, nvert), faces = sn_deformPlaces(c.meets, c.n);
  SN_SOLO(allocateContacts(d, first + faces));
  if (!d->ndeformcon) return 1;
  for (int deform = 0; deform < ndeform; deform++) fillContacts(m, d, s, deform, count);
  fillFaces(m, d, s, first, &c);
  SN_SYNC();
  if (faces) SN_SOLO(dropEdges(m, d, first, nearest));
  if (faces && s->report) SN_SOLO(shareFaceForces(m, d, count, total));
  return 1;
}

void sn_deformDetect(const snModel* m, snData* d, const snReal* x, const snReal* v,
                     const snMover* mover, snReal h, snReal part, snDeformWatch* watch,
                     int report) {
  SN_ASSERT(x && v && mover && h >= 0);
  snDetection s = {x, v, mover, h, 2 * h * h * snu_norm3(m->opt.gravity), report, NULL};
  if (m->opt.disableflags & (snDSBL_CONTACT | snDSBL_CONSTRAINT)) {
    SN_FOR(i, m->ndeformvert) d->deformvert_colliding[i] = 0;
    SN_SOLO(d->ndeformcon = d->ndeformpair = 0);
    return;
  }
  sn_markStack(d);
  if (!detectAll(m, d, &s)) {
    SN_SOLO((d->ndeformcon = 0, sn_warning(d, snWARN_CONTACTFULL, (int)d->narena)));
  }
  sn_freeStack(d);
  sn_deformDetectPairs(m, d, x, v, part, watch, report);
}

// what the first part of the step needs
static void detectFirst(const snModel* m, snData* d, const snReal* x, const snReal* v,
                        const snMover* mover) {
  snReal h = snu_max(m->opt.timestep, 0);
  int substeps, parts = sn_deformParts(m, v, &substeps);
  sn_deformDetect(m, d, x, v, mover, h, h * sn_deformPartEnd(substeps, parts, 0) / substeps, NULL,
                  1);
}

// positions and velocities of the vertices, with those of flexes behind them
static int detectWithFlexes(const snModel* m, snData* d, const snMover* mover) {
  int own = (int)m->ndeformvert, n = sn_surfaceVertices(m);
  snReal* x = SN_STACK(d, snReal, 3 * n);
  snReal* v = SN_STACK(d, snReal, 3 * n);
  if (!x || !v) return 0;
  SN_FOR(i, 3 * own) {
    x[i] = d->deformvert_xpos[i];
    v[i] = d->deformvert_xvel[i];
  }
  sn_placeFlexVertices(m, d, mover, x + 3 * own, v + 3 * own, NULL);
  detectFirst(m, d, x, v, mover);
  return 1;
}

void sn_deformCollision(const snModel* m, snData* d) {
  sn_markStack(d);
  snMover* mover = SN_STACK(d, snMover, m->nbody);
  int enough = mover != NULL;
  if (enough) sn_deformMovers(m, d, mover);
  if (enough && sn_deformMeetsFlex(m)) {
    enough = detectWithFlexes(m, d, mover);
  } else if (enough) {
    detectFirst(m, d, d->deformvert_xpos, d->deformvert_xvel, mover);
  }
  if (!enough) {
    SN_SOLO(
        (d->ndeformcon = d->ndeformpair = 0, sn_warning(d, snWARN_CONTACTFULL, (int)d->narena)));
  }
  sn_freeStack(d);
}
