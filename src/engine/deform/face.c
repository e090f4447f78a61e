// Where geoms touch faces of deformables between their vertices, and pieces of chains between their ends.
//
// With contacts of vertices only, a small ball would fall through a coarse cloth. A face is tested where the geom may
// come in between its vertices by more than the margin, which planes and balls that are large compared with the face do
// not. The point of the face that is nearest to the geom is found by projecting in turn: from the face to the nearest
// point of the geom, and from there, or from as deep inside as the geom is thick, to the nearest point of the face. Of
// a sphere the second point is its centre, and the first round exact. The face has a contact where that point is
// nearer, by the margin, than its corners, which have contacts of their own: no point of the face is inside of the geom
// then.

#include "base/assert.h"
#include "engine/deform/deform.h"
#include "math/math.h"

typedef struct Face_ {
  int n;                           // corners: 3, or 2 of a piece of a chain
  snReal x[3][3];                  // as seen from the geom before its mover displaced it
  snReal centre[3], radius;        // the corners are no farther from the centre
  snReal coef[3], point[3];        // the nearest point
  snReal dist, pos[3], normal[3];  // its distance, the nearest point of the geom
} Face;

// ---- where the face is

static void load(const snModel* m, const snData* d, const snDetection* s, int face, int body,
                 Face* f) {
  SN_ASSERT_INDEX(face, m->ndeformface);
  const int* vert = m->deformface_vert + 3 * face;
  const snMover* b = s->mover + body;
  f->n = vert[2] < 0 ? 2 : 3;
  snu_zero3(f->centre);
  for (int c = 0; c < f->n; c++) {
    snReal arm[3], turned[3];
    snu_sub3(arm, s->x + 3 * vert[c], d->xipos + 3 * body);
    snu_cross(turned, b->turn, arm);
    for (int k = 0; k < 3; k++) f->x[c][k] = s->x[3 * vert[c] + k] - b->shift[k] - turned[k];
    snu_addToScl3(f->centre, f->x[c], (snReal)1 / f->n);
  }
  snReal square = 0;
  for (int c = 0; c < f->n; c++) {
    snReal out[3];
    snu_sub3(out, f->x[c], f->centre);
    square = snu_max(square, snu_dot3(out, out));
  }
  f->radius = snu_sqrt(square);
}

// how far the face and the geom may come towards each other, with the margin
static snReal reachOf(const snModel* m, const snData* d, const snDetection* s, int face, int body,
                      const Face* f) {
  const int* vert = m->deformface_vert + 3 * face;
  const snMover* b = s->mover + body;
  snReal square = 0, arm = snu_dist3(f->centre, d->xipos + 3 * body) + f->radius;
  int deform = m->deformvert_deformid[vert[0]];
  for (int c = 0; c < f->n; c++) {
    const snReal* v = s->v + 3 * vert[c];
    square = snu_max(square, snu_dot3(v, v));
  }
  return m->deformable_margin[deform] + sn_deformSlack(m, s, deform) +
         s->h * (snu_sqrt(square) + snu_norm3(b->vel) + snu_norm3(b->spin) * arm);
}

// ---- which geoms come in between vertices

// Radius of the sharpest curve of a geom, 0: it has edges; negative: it has no curve. Height fields are as sharp as
// their cells are wide.
static snReal curveOf(const snModel* m, int geom) {
  const snReal* size = m->geom_size + 3 * geom;
  switch (m->geom_type[geom]) {
    case snGEOM_PLANE: return -1;
    case snGEOM_SPHERE:
    case snGEOM_CAPSULE: return size[0];
    case snGEOM_ELLIPSOID: {
      snReal least = snu_min(size[0], snu_min(size[1], size[2]));
      return least * least / snu_max(size[0], snu_max(size[1], size[2]));
    }
    default: return 0;
  }
}

// how deep inside of the geom the point is that is projected on the face
static snReal thicknessOf(const snModel* m, int geom, const Face* f) {
  const snReal* size = m->geom_size + 3 * geom;
  switch (m->geom_type[geom]) {
    case snGEOM_SPHERE:
    case snGEOM_CAPSULE: return size[0];
    case snGEOM_CYLINDER: return snu_min(size[0], size[1]);
    case snGEOM_BOX:
    case snGEOM_ELLIPSOID: return snu_min(size[0], snu_min(size[1], size[2]));
    default: return f->radius / 2;
  }
}

// May the geom come in between the corners by more than tolerance? By R^2 / 2r at most, where it is round with r.
static int comesBetween(const snModel* m, int geom, const Face* f, snReal tolerance) {
  snReal curve = curveOf(m, geom);
  if (curve < 0) return 0;
  if (m->geom_type[geom] == snGEOM_HFIELD) {
    const snReal* size = m->hfield_size + 4 * m->geom_dataid[geom];
    snReal width = snu_min(2 * size[0] / m->hfield_ncol[m->geom_dataid[geom]],
                           2 * size[1] / m->hfield_nrow[m->geom_dataid[geom]]);
    return f->radius > width / 2;
  }
  return f->radius * f->radius > 2 * curve * tolerance;
}

// The same from the longest edge alone, of which no corner is farther from the centre than two thirds.
static int mayComeBetween(const snModel* m, const snDetection* s, const int vert[3], int geom,
                          snReal tolerance) {
  snReal curve = curveOf(m, geom), longest = 0;
  if (!(curve > 0)) return curve == 0;
  for (int c = 0; c < 3 && vert[c] >= 0; c++) {
    int next = c < 2 && vert[c + 1] >= 0 ? vert[c + 1] : vert[0];
    snReal side[3];
    snu_sub3(side, s->x + 3 * vert[c], s->x + 3 * next);
    longest = snu_max(longest, snu_dot3(side, side));
  }
  return 4 * longest > 18 * curve * tolerance;
}

// ---- the nearest point

// distance at the point with these coefficients; keeps it when it is the nearest so far
static int tryPoint(const snModel* m, snData* d, int geom, const snReal coef[3], snReal reach,
                    Face* f) {
  snReal point[3] = {0, 0, 0}, pos[3], normal[3];
  for (int c = 0; c < f->n; c++) snu_addToScl3(point, f->x[c], coef[c]);
  snReal dist = sn_deformDistance(m, d, geom, point, reach, pos, normal);
  if (!(dist < f->dist) || !(dist < reach)) return 0;
  f->dist = dist;
  snu_copy3(f->coef, coef);
  snu_copy3(f->point, point);
  snu_copy3(f->pos, pos);
  snu_copy3(f->normal, normal);
  return 1;
}

// Of a sphere the first round leaves the smallest distance, but for rounding: is the face out of reach, or a corner as
// near, whatever other rounds find? Coefficients of a needle are too inexact to tell.
static int isHopeless(const snModel* m, snData* d, int geom, snReal tolerance, snReal reach,
                      const Face* f) {
  const snReal kRounding = (snReal)(sizeof(snReal) == 4 ? 1e-5 : 1e-13), kNeedle = (snReal)0.01;
  snReal u[3], w[3], size = snu_norm3(d->geom_xpos + 3 * geom) + m->geom_size[3 * geom];
  snReal least = f->dist - kRounding * (size + f->radius + snu_abs(f->dist));
  if (f->n == 3) {
    snu_sub3(u, f->x[1], f->x[0]);
    snu_sub3(w, f->x[2], f->x[0]);
    snReal uu = snu_dot3(u, u), uw = snu_dot3(u, w), ww = snu_dot3(w, w);
    if (!(uu * ww - uw * uw > kNeedle * uu * ww)) return 0;
  }
  int hopeless = least > reach;
  for (int c = 0; c < f->n && !hopeless; c++) {
    snReal pos[3], normal[3];
    snReal dist = sn_deformDistance(m, d, geom, f->x[c], reach + 2 * f->radius, pos, normal);
    hopeless = dist < least + tolerance;
  }
  return hopeless;
}

static int nearestPoint(const snModel* m, snData* d, int geom, snReal tolerance, snReal reach,
                        Face* f) {
  enum { ROUNDS = 6 };
  const snReal* corner[3] = {f->x[0], f->x[1], f->n == 3 ? f->x[2] : NULL};
  snReal third = (snReal)1 / f->n, coef[3] = {third, third, f->n == 3 ? third : 0};
  snReal deep = thicknessOf(m, geom, f);
  f->dist = snMAXVAL;
  if (!tryPoint(m, d, geom, coef, reach + f->radius, f)) return 0;
  for (int i = 0; i < ROUNDS; i++) {
    snReal inside[3], before = f->dist;
    snu_addScl3(inside, f->pos, f->normal, -deep);
    sn_nearestOnFace(inside, corner, coef);
    if (!tryPoint(m, d, geom, coef, reach + f->radius, f)) {
      deep /= 2;
    } else if (before - f->dist < (snReal)1e-6 * f->radius) {
      break;
    }
    if (!i && m->geom_type[geom] == snGEOM_SPHERE && isHopeless(m, d, geom, tolerance, reach, f)) {
      return 0;
    }
  }
  return f->dist < reach;
}

// Is the point between the corners, and nearer than all of them?
static int isBetween(const snModel* m, snData* d, int geom, snReal tolerance, snReal reach,
                     const Face* f) {
  const snReal kCorner = (snReal)0.999;
  for (int c = 0; c < f->n; c++) {
    snReal pos[3], normal[3], far = reach + 2 * f->radius;
    if (f->coef[c] > kCorner) return 0;
    snReal dist = sn_deformDistance(m, d, geom, f->x[c], far, pos, normal);
    if (dist < f->dist + tolerance) return 0;
  }
  return 1;
}

// Inside of a triangle its own normal is that of the contact, on the side of the geom; on its edges, and of lines, the
// normal of the geom.
static void setNormal(const snModel* m, const snData* d, int geom, Face* f) {
  const snReal kEdge = (snReal)1e-3;
  snReal u[3], w[3], normal[3], out[3];
  if (f->n < 3 || f->coef[0] < kEdge || f->coef[1] < kEdge || f->coef[2] < kEdge) return;
  snu_sub3(u, f->x[1], f->x[0]);
  snu_sub3(w, f->x[2], f->x[0]);
  snu_cross(normal, u, w);
  if (snu_normalize3(normal) < snMINVAL) return;
  int convex = m->geom_type[geom] != snGEOM_HFIELD && m->geom_type[geom] != snGEOM_SDF;
  snu_copy3(out, f->normal);
  if (f->dist <= 0 && convex) snu_sub3(out, f->point, d->geom_xpos + 3 * geom);
  if (snu_dot3(out, normal) < 0) snu_scl3(normal, normal, -1);
  snu_copy3(f->normal, normal);
  snu_addScl3(f->pos, f->point, normal, -f->dist);
}

static int isAttachedTo(const snModel* m, const int vert[3], int n, int geom) {
  int attached = 0;
  for (int c = 0; c < n; c++) {
    int body = m->deformvert_bodyid[vert[c]];
    attached |= body >= 0 && m->body_weldid[body] == m->body_weldid[m->geom_bodyid[geom]];
  }
  return attached;
}

int sn_faceIsNearGeom(const snModel* m, const snData* d, const snDetection* s, int face, int geom) {
  const int* vert = m->deformface_vert + 3 * face;
  int body = m->geom_bodyid[geom];
  Face f;
  snReal margin = m->deformable_margin[m->deformvert_deformid[vert[0]]];
  if (!mayComeBetween(m, s, vert, geom, margin)) return 0;
  load(m, d, s, face, body, &f);
  if (!comesBetween(m, geom, &f, margin)) return 0;
  snReal reach = reachOf(m, d, s, face, body, &f), bound = m->geom_rbound[geom];
  if (bound > 0 && snu_dist3(f.centre, d->geom_xpos + 3 * geom) > bound + f.radius + reach)
    return 0;
  return !isAttachedTo(m, vert, f.n, geom);
}

int sn_faceMeetsGeom(const snModel* m, snData* d, const snDetection* s, int face, int geom,
                     snReal coef[3]) {
  const int* vert = m->deformface_vert + 3 * face;
  int body = m->geom_bodyid[geom];
  Face f;
  snReal margin = m->deformable_margin[m->deformvert_deformid[vert[0]]];
  load(m, d, s, face, body, &f);
  snReal reach = reachOf(m, d, s, face, body, &f);
  if (!nearestPoint(m, d, geom, margin, reach, &f)) return 0;
  if (!isBetween(m, d, geom, margin, reach, &f)) return 0;
  snu_copy3(coef, f.coef);
  return 1;
}

void sn_faceTouch(const snModel* m, snData* d, const snDetection* s, int face, int geom,
                  const snReal coef[3], snDeformTouch* touch) {
  const int* vert = m->deformface_vert + 3 * face;
  int body = m->geom_bodyid[geom];
  Face f;
  load(m, d, s, face, body, &f);
  f.dist = snMAXVAL;
  tryPoint(m, d, geom, coef, reachOf(m, d, s, face, body, &f) + f.radius, &f);
  setNormal(m, d, geom, &f);
  touch->geom = geom;
  touch->face = face;
  touch->vertex = vert[f.coef[1] > f.coef[0] ? (f.coef[2] > f.coef[1] ? 2 : 1)
                                             : (f.coef[2] > f.coef[0] ? 2 : 0)];
  touch->dist = f.dist - m->deformable_margin[m->deformvert_deformid[vert[0]]];
  snu_copy3(touch->coef, f.coef);
  snu_copy3(touch->pos, f.pos);
  snu_copy3(touch->normal, f.normal);
}
