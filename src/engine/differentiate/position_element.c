// How contacts of flexes follow their vertices (see differentiate/position_contact.h).
//
// A contact with elements lies between two points of cores: c1 = pos - n o1 and c2 = pos + n o2, where o is the
// radius of a side plus half the distance. The core of an element is a simplex, c = sum b_i x_i, and c stays on
// the face of it whose weights b are not zero: it slides along the edges a of that face, to which n is normal.
// The core of a sphere is a point, that of a capsule a segment or one of its ends; a box is its own core, and so are
// an ellipsoid and a cylinder, whose point turns with the normal by the Hessian S of the support function. With
// c2 - c1 = (o1 + o2) n = L n,
//
//   (L + S1) dn + a1 ds1 - a2 ds2 + dL n = sum b2 dx2 - sum b1 dx1,   a . dn = -n . da,   dL = n . (dc2 - dc1).
//
// Other geoms, and pairs whose cores cross, are differenced in the narrow phase, where one vertex moves along
// one axis at a time.

#include <string.h>

#include "base/arena.h"
#include "engine/collide/flex.h"
#include "engine/differentiate/position_contact.h"
#include "math/decomp.h"
#include "math/math.h"

// how far a contact may move in units of the step of a difference; the larger of two steps
static const snReal REACH = 1000, COARSE = 100;

// ---- vertices ------------------------------------------------------------------------------------

// vertices of one side; those of an element that are the other side have no weight and come with that
static void addSide(const snModel* m, const snData* d, const snContact* con, int s,
                    snFlexTouch* touch) {
  int vertex[4] = {0, 0, 0, 0};
  snReal weight[4] = {0, 0, 0, 0};
  if (con->geom[s] >= 0) return;
  int n = sn_contactVertices(m, d, con, s, vertex, weight), first = m->flex_vertadr[con->flex[s]];
  for (int k = 0; k < n; k++) {
    touch->side[touch->n] = s;
    touch->vertex[touch->n] = first + vertex[k];
    touch->weight[touch->n++] = weight[k];
  }
}

// w_i = r_i / sum r with r_i = 1 / |pos - x_i|, so d(log r_i) = -r_i^2 (pos - x_i) . (dpos - dx_i)
void sn_weightRates(const snData* d, const snContact* con, const snFlexTouch* touch,
                    const snReal shift[3], const snReal move[snMAXTOUCHED][3],
                    snReal rate[snMAXTOUCHED]) {
  snReal mean[2] = {0, 0};
  for (int i = 0; i < touch->n; i++) {
    snReal arm[3], relative[3];
    snu_sub3(arm, con->pos, d->flexvert_xpos + 3 * touch->vertex[i]);
    snu_sub3(relative, shift, move[i]);
    snReal square = snu_dot3(arm, arm);
    rate[i] = square > (snReal)snMINVAL * snMINVAL ? -snu_dot3(arm, relative) / square : 0;
    mean[touch->side[i]] += touch->weight[i] * rate[i];
  }
  for (int i = 0; i < touch->n; i++) {
    rate[i] = touch->weight[i] * (rate[i] - mean[touch->side[i]]);
  }
}

// ---- closed forms ----------------------------------------------------------------------------------

// The point of a side's core: a fixed point, or one of a simplex of vertices.
typedef struct Feature_ {
  int n, at[4];      // vertices, places in the touch
  snReal weight[4];  // the point is their sum
  int nslide;        // directions in which it slides
  int end[2][2];     // their ends, places in the touch; -1: none, the axis of a capsule
  snReal slide[2][3];
  int turns;  // the point turns with the normal
  snReal support[9];
} Feature;

// A contact between two features.
typedef struct Pair_ {
  Feature side[2];
  snReal offset[2];  // of the points behind the contact
  int size, pivot[4];
  snReal lu[16];
} Pair;

// Weights of a point as a sum of the vertices of a simplex, by least squares; returns the distance between the
// point and the sum, in units of the longest edge.
static snReal barycentric(const snReal point[3], const snReal* const* x, int n, snReal weight[4]) {
  snReal edge[3][3], from[3], gram[9], longest = 0;
  int pivot[3], size = n - 1;
  snu_sub3(from, point, x[0]);
  for (int i = 0; i < size; i++) {
    snu_sub3(edge[i], x[i + 1], x[0]);
    longest = snu_max(longest, snu_norm3(edge[i]));
  }
  for (int i = 0; i < size; i++) {
    weight[i + 1] = snu_dot3(edge[i], from);
    for (int j = 0; j < size; j++) gram[size * i + j] = snu_dot3(edge[i], edge[j]);
  }
  if (size && !sn_luFactor(gram, pivot, size)) return (snReal)snMAXVAL;
  if (size) sn_luSolve(weight + 1, gram, pivot, size);
  weight[0] = 1;
  for (int i = 0; i < size; i++) {
    weight[0] -= weight[i + 1];
    snu_addToScl3(from, edge[i], -weight[i + 1]);
  }
  return snu_norm3(from) / snu_max((snReal)snMINVAL, longest);
}

// The face of a side's simplex that the contact lies on; 0: it lies on none. Weights below level are none.
static int simplexFeature(const snData* d, const snFlexTouch* touch, int s, const snReal point[3],
                          snReal level, Feature* feature) {
  const snReal* x[4];
  int at[4], n = 0;
  snReal weight[4], sum = 0;
  for (int i = 0; i < touch->n && n < 4; i++) {
    if (touch->side[i] != s) continue;
    x[n] = d->flexvert_xpos + 3 * touch->vertex[i];
    at[n++] = i;
  }
  if (!n) return 0;
  snReal apart = barycentric(point, x, n, weight);
  if (n > 1 && !(apart < level)) return 0;
  for (int i = 0; i < n; i++) {
    if (weight[i] < -level) return 0;
    if (weight[i] <= level) continue;
    feature->at[feature->n] = at[i];
    feature->weight[feature->n++] = weight[i];
    sum += weight[i];
  }
  if (!feature->n || feature->n > 3) return 0;
  for (int i = 0; i < feature->n; i++) feature->weight[i] /= sum;
  for (int i = 1; i < feature->n; i++) {
    feature->end[i - 1][0] = feature->at[0];
    feature->end[i - 1][1] = feature->at[i];
    snu_sub3(feature->slide[i - 1], d->flexvert_xpos + 3 * touch->vertex[feature->at[i]],
             d->flexvert_xpos + 3 * touch->vertex[feature->at[0]]);
  }
  feature->nslide = feature->n - 1;
  return 1;
}

static void addSlide(Feature* feature, const snReal mat[9], int axis) {
  int k = feature->nslide++;
  for (int r = 0; r < 3; r++) feature->slide[k][r] = mat[3 * r + axis];
  feature->end[k][0] = feature->end[k][1] = -1;
}

// the ends of the sides of a box at which a point is; 0: inside
static int boxFeature(const snReal size[3], const snReal mat[9], const snReal local[3],
                      snReal level, Feature* feature) {
  for (int k = 0; k < 3; k++) {
    if (snu_abs(snu_abs(local[k]) - size[k]) <= level * size[k]) continue;
    if (feature->nslide == 2) return 0;
    addSlide(feature, mat, k);
  }
  return 1;
}

// Where a geom touches; 0: not known. Contacts of triangles have another normal where geoms are smooth.
static int geomFeature(const snModel* m, const snData* d, const snContact* con,
                       const snReal point[3], snReal level, Feature* feature) {
  int geom = con->geom[0], slides;
  const snReal *size = m->geom_size + 3 * geom, *mat = d->geom_xmat + 9 * geom;
  snReal from[3], local[3];
  snu_sub3(from, point, d->geom_xpos + 3 * geom);
  snu_mulMatTVec3(local, mat, from);
  switch (m->geom_type[geom]) {
    case snGEOM_SPHERE: return 1;
    case snGEOM_CAPSULE:
      if (snu_abs(local[2]) < size[1] * (1 - level)) addSlide(feature, mat, 2);
      return 1;
    case snGEOM_BOX: return boxFeature(size, mat, local, level, feature);
    case snGEOM_ELLIPSOID:
    case snGEOM_CYLINDER:
      if (m->flex_dim[con->flex[1]] == 2 || !sn_smoothGeom(m, d, con, feature->support, &slides)) {
        return 0;
      }
      feature->turns = 1;
      if (slides) addSlide(feature, mat, 2);
      return 1;
    default: return 0;
  }
}

static int isRoundGeom(const snModel* m, int geom) {
  return m->geom_type[geom] == snGEOM_SPHERE || m->geom_type[geom] == snGEOM_CAPSULE;
}

// Are pairs like this one collided in closed form? Others are known up to the tolerance of the convex collider.
static int isExact(const snModel* m, const snContact* con) {
  int geom = con->geom[0];
  if (geom >= 0 && !isRoundGeom(m, geom) && m->geom_type[geom] != snGEOM_BOX) return 0;
  for (int s = 0; s < 2; s++) {
    if (con->flex[s] >= 0 && con->vert[s] < 0 && m->flex_dim[con->flex[s]] == 3) return 0;
  }
  int elements = con->geom[0] < 0 && con->vert[0] < 0 && con->vert[1] < 0;
  return !elements || (m->flex_dim[con->flex[0]] == 1 && m->flex_dim[con->flex[1]] == 1);
}

// features of both sides, to which the normal must be normal; 0: they are not known
static int findFeatures(const snModel* m, const snData* d, const snContact* con,
                        const snFlexTouch* touch, Pair* pair) {
  snReal level = isExact(m, con) ? (snReal)1e-7 : (snReal)1e-3, point[3];
  for (int s = 0; s < 2; s++) {
    Feature* feature = pair->side + s;
    int geom = con->geom[s];
    snReal radius = geom < 0               ? m->flex_radius[con->flex[s]]
                    : isRoundGeom(m, geom) ? m->geom_size[3 * geom]
                                           : 0;
    pair->offset[s] = radius + con->dist / 2;
    snu_addScl3(point, con->pos, con->frame, s ? pair->offset[s] : -pair->offset[s]);
    feature->n = feature->nslide = feature->turns = 0;
    int known = geom >= 0 ? geomFeature(m, d, con, point, level, feature)
                          : simplexFeature(d, touch, s, point, level, feature);
    if (!known) return 0;
    for (int k = 0; k < feature->nslide; k++) {
      snReal along = snu_dot3(feature->slide[k], con->frame);
      if (snu_abs(along) > 20 * level * snu_norm3(feature->slide[k])) return 0;
    }
  }
  return pair->side[0].nslide + pair->side[1].nslide <= 2;
}

// coefficients of dn along the tangents and of the slides
static int factorPair(const snContact* con, Pair* pair) {
  int n = pair->size = 2 + pair->side[0].nslide + pair->side[1].nslide, next = 2;
  memset(pair->lu, 0, sizeof(pair->lu));
  for (int a = 0; a < 2; a++) {
    snReal part[3];
    pair->lu[a * n + a] = pair->offset[0] + pair->offset[1];
    if (!pair->side[0].turns) continue;
    snu_mulMatVec3(part, pair->side[0].support, con->frame + 3 * (1 + a));
    for (int b = 0; b < 2; b++) {
      pair->lu[a * n + b] += snu_dot3(part, con->frame + 3 * (1 + b));
    }
  }
  for (int s = 0; s < 2; s++) {
    for (int k = 0; k < pair->side[s].nslide; k++, next++) {
      for (int a = 0; a < 2; a++) {
        snReal along = snu_dot3(con->frame + 3 * (1 + a), pair->side[s].slide[k]);
        pair->lu[a * n + next] = s ? -along : along;
        pair->lu[next * n + a] = along;
      }
    }
  }
  return sn_luFactor(pair->lu, pair->pivot, n);
}

// what the motion of a vertex does: the weight of the vertex, and its place among the ends of a slide
static snReal weightOf(const Feature* feature, int i) {
  for (int k = 0; k < feature->n; k++) {
    if (feature->at[k] == i) return feature->weight[k];
  }
  return 0;
}

static void pairResponse(const snContact* con, const Pair* pair, int i, int s, int axis,
                         snContactChange* change) {
  const snReal* n = con->frame;
  const Feature* first = pair->side;
  snReal weight = weightOf(pair->side + s, i), x[4], move[3];
  int next = 2;
  sn_unitAxis(move, axis);
  snu_scl3(move, move, weight);
  change->dist = s ? snu_dot3(n, move) : -snu_dot3(n, move);
  for (int a = 0; a < 2; a++) {
    snReal along = snu_dot3(con->frame + 3 * (1 + a), move);
    x[a] = s ? along : -along;
  }
  for (int side = 0; side < 2; side++) {
    for (int k = 0; k < pair->side[side].nslide; k++) {
      const int* end = pair->side[side].end[k];
      x[next++] = side != s ? 0 : end[1] == i ? -n[axis] : end[0] == i ? n[axis] : 0;
    }
  }
  sn_luSolve(x, pair->lu, pair->pivot, pair->size);
  snu_zero3(change->normal);
  for (int a = 0; a < 2; a++) snu_addToScl3(change->normal, con->frame + 3 * (1 + a), x[a]);
  snu_scl3(change->pos, change->normal, pair->offset[0]);
  snu_addToScl3(change->pos, n, change->dist / 2);
  if (!s) snu_addTo3(change->pos, move);
  if (first->turns) {
    snReal turned[3];
    snu_mulMatVec3(turned, first->support, change->normal);
    snu_addTo3(change->pos, turned);
  }
  for (int k = 0; k < first->nslide; k++) snu_addToScl3(change->pos, first->slide[k], x[2 + k]);
}

// 0: the pair has no closed form
static int solveTouch(const snModel* m, const snData* d, const snContact* con, snFlexTouch* touch) {
  Pair pair;
  if (!findFeatures(m, d, con, touch, &pair) || !factorPair(con, &pair)) return 0;
  for (int i = 0; i < touch->n; i++) {
    for (int axis = 0; axis < 3; axis++) {
      pairResponse(con, &pair, i, touch->side[i], axis, touch->response[i] + axis);
    }
  }
  return 1;
}

// ---- differences of the narrow phase -------------------------------------------------------------

// contacts of the pair, with the vertices where they are
static int collideAgain(const snModel* m, snData* d, const snContact* con, snContactPoint* points) {
  int f1 = con->flex[0], f2 = con->flex[1];
  if (f1 < 0) {
    snReal margin = sn_overrideMargin(m, m->geom_margin[con->geom[0]] + m->flex_margin[f2]);
    return sn_collideGeomElement(m, d, points, con->geom[0], f2, con->elem[1], margin);
  }
  if (con->vert[0] >= 0) {
    return sn_collideVertexElement(m, d, points, f1, con->vert[0], con->elem[1]);
  }
  if (con->vert[1] >= 0) return sn_collideFaceVertex(m, d, points, f1, con->elem[0], con->vert[1]);
  snReal margin = f1 == f2 ? 0 : sn_overrideMargin(m, m->flex_margin[f1] + m->flex_margin[f2]);
  return sn_collideElements(m, d, points, f1, con->elem[0], f2, con->elem[1], margin);
}

// Response to the motion of a vertex along an axis; a side on which the contact is lost is not used. 0: both are.
static int differenceAxis(const snModel* m, snData* d, const snContact* con, snReal eps,
                          const snContactPoint* still, snContactPoint* points, int vertex, int axis,
                          snContactChange* response) {
  snContactPoint end[2] = {*still, *still};
  snReal* x = d->flexvert_xpos + 3 * vertex + axis;
  snReal width = 0, place = *x;
  for (int side = 0; side < 2; side++) {
    *x = place + (side ? eps : -eps);
    int n = collideAgain(m, d, con, points);
    int found = sn_nearestPoint(points, n, still->pos, still->normal, REACH * eps);
    if (found < 0) continue;
    end[side] = points[found];
    width += eps;
  }
  *x = place;
  if (width == 0) return 0;
  for (int k = 0; k < 3; k++) {
    response->pos[k] = (end[1].pos[k] - end[0].pos[k]) / width;
    response->normal[k] = (end[1].normal[k] - end[0].normal[k]) / width;
    response->tangent[k] = (end[1].tangent[k] - end[0].tangent[k]) / width;
  }
  response->dist = (end[1].dist - end[0].dist) / width;
  return 1;
}

static snReal sizeOf(const snContactChange* response, snReal length) {
  return snu_norm3(response->pos) + length * snu_norm3(response->normal);
}

static int isSmooth(const snModel* m, const snContact* con) {
  int geom = con->geom[0];
  return geom >= 0 &&
         (m->geom_type[geom] == snGEOM_ELLIPSOID || m->geom_type[geom] == snGEOM_CYLINDER);
}

// Small steps magnify where a collider that iterates stops, large ones see it jump from one face to another: the
// smaller answer counts, for a smooth geom only where it is much smaller than that of the large step.
static void differenceVertex(const snModel* m, snData* d, const snContact* con, snReal eps,
                             const snContactPoint* still, snContactPoint* points, int vertex,
                             snContactChange response[3]) {
  snReal length = snu_dist3(con->pos, d->flexvert_xpos + 3 * vertex);
  snReal large = snu_min(COARSE * eps, (snReal)1e-3);
  snReal least = isSmooth(m, con) ? (snReal)0.3 : 1;
  int exact = isExact(m, con);
  for (int axis = 0; axis < 3; axis++) {
    snContactChange coarse;
    differenceAxis(m, d, con, eps, still, points, vertex, axis, response + axis);
    if (exact || !differenceAxis(m, d, con, large, still, points, vertex, axis, &coarse)) continue;
    if (least * sizeOf(&coarse, length) < sizeOf(response + axis, length)) response[axis] = coarse;
  }
}

static void differenceTouch(const snModel* m, snData* d, const snTangent* t, const snContact* con,
                            snFlexTouch* touch) {
  sn_markStack(d);
  snContactPoint* points = SN_STACK(d, snContactPoint, snMAXCONPAIR);
  int n = points ? collideAgain(m, d, con, points) : 0;
  int found = sn_nearestPoint(points, n, con->pos, con->frame, REACH * t->eps);
  if (found >= 0) {
    snContactPoint still = points[found];
    snu_copy3(touch->tangent, still.tangent);
    for (int i = 0; i < touch->n; i++) {
      differenceVertex(m, d, con, t->eps, &still, points, touch->vertex[i], touch->response[i]);
    }
  }
  sn_freeStack(d);
}

void sn_touchFlex(const snModel* m, snData* d, const snTangent* t, const snContact* con, int plane,
                  snFlexTouch* touch) {
  touch->n = 0;
  snu_zero3(touch->tangent);
  memset(touch->response, 0, sizeof(touch->response));
  for (int s = 0; s < 2; s++) addSide(m, d, con, s, touch);
  if (plane || solveTouch(m, d, con, touch)) return;
  differenceTouch(m, d, t, con, touch);
}
