// Derivatives of contact forces by positions (see differentiate/position_derivative.h).
//
// A contact between a plane and a sphere, capsule, box or mesh is one between the plane and a point
// fixed in the other body. One between two smooth convex geoms is one between the points c1 and c2 of
// their cores (centres of spheres, axes of capsules, surfaces of ellipsoids and cylinders) where the
// cores have the normals n and -n: c2 - c1 = L n. A core turns its point with the normal by the
// Hessian S of its support function, or lets it slide along an axis a that stays normal to n:
//
//   (L + S1 + S2) dn + a1 dx1 - a2 dx2 + dL n = v2 - v1 + S1 (w1 x n) + S2 (w2 x n),
//   a . dn = -n . (w x a),
//
// with v and w the motions of the two bodies at c1 and c2. This form is taken when one of the geoms is
// a sphere or capsule: two cores that overlap touch where the collider's polytopes do, whose normals
// move otherwise than those of the true surfaces. For all other pairs the collider itself is
// differenced, at most twelve times per contact: the second geom moves along three axes and turns
// about three, with the feature that touches held fixed; the first geom's motion is the opposite one,
// seen from the second.

#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "engine/collide/collision.h"
#include "engine/constrain/constraint.h"
#include "engine/differentiate/position_contact.h"
#include "engine/flex/flex.h"
#include "engine/smooth/jacobian.h"
#include "math/decomp.h"
#include "math/math.h"

enum { PLANE_POINT, SMOOTH, DIFFERENCED, FLEX };

typedef snContactChange Change;

typedef struct Shape_ {
  int kind;
  snReal offset[2];  // of the centres behind the surfaces: c1 = pos - n offset, c2 = pos + n offset
  int slides[2];     // along the axis of a capsule or cylinder
  snReal axis[2][3];
  int turns[2];          // the point turns with the normal
  snReal support[2][9];  // S
  int size, pivot[4];    // unknowns: dn along two tangents, dx of the sides that slide
  snReal lu[16];         // of their matrix
  snReal tangent[3];     // preferred by the collider, zero: none
  Change response[6];    // by unit motions [w; v] of geom 2 about pos
} Shape;

// ---- frames

// change of the second and third axis of a frame
static void frameChange(const snReal frame[9], const Shape* shape, Change* change, snReal rate[9]) {
  const snReal *n = frame, *y = frame + 3;
  snReal hint[3], turn[3], u[3], part[3];
  snu_copy3(hint, shape->tangent);
  snu_copy3(turn, change->tangent);
  if (snu_dot3(hint, hint) < (snReal)0.25) {
    snu_zero3(hint);
    snu_zero3(turn);
    hint[n[1] < (snReal)0.5 && n[1] > (snReal)-0.5 ? 1 : 2] = 1;
  }
  snReal along = snu_dot3(n, hint);
  snReal slope = snu_dot3(change->normal, hint) + snu_dot3(n, turn);
  snu_addScl3(u, hint, n, -along);
  snReal length = snu_norm3(u);
  snu_copy3(rate, change->normal);
  snu_addScl3(u, turn, change->normal, -along);
  snu_addToScl3(u, n, -slope);
  if (length < (snReal)1e-8) {
    // the tangent is along the normal: any will do
    snu_scl3(u, n, -snu_dot3(change->normal, y));
    length = 1;
  }
  snu_addScl3(rate + 3, u, y, -snu_dot3(y, u));
  snu_scl3(rate + 3, rate + 3, 1 / length);
  snu_cross(rate + 6, change->normal, y);
  snu_cross(part, n, rate + 3);
  snu_addTo3(rate + 6, part);
}

// ---- closed forms

// own is the motion [w; v] of the dof at the contact, moves tells which bodies it carries
static void planePoint(const snContact* con, const Shape* shape, const snReal own[6],
                       const int moves[2], Change* change) {
  const snReal* n = con->frame;
  snReal rho = shape->offset[1], point[3], lever[3];
  snu_scl3(lever, n, rho);
  snu_cross(point, own, lever);
  snu_addTo3(point, own + 3);
  memset(change, 0, sizeof(*change));
  if (moves[0]) snu_cross(change->normal, own, n);
  change->dist = (moves[1] - moves[0]) * snu_dot3(n, point);
  if (moves[1]) {
    snu_copy3(change->pos, point);
    snu_cross(change->tangent, own, shape->tangent);
  }
  snu_addToScl3(change->pos, change->normal, -rho);
  snu_addToScl3(change->pos, n, -change->dist / 2);
}

// coefficients of the unknowns in the tangent plane and in the conditions of the axes; 0: singular
static int factorSmooth(const snContact* con, Shape* shape) {
  snReal length = shape->offset[0] + shape->offset[1], part[3];
  int n = 2 + shape->slides[0] + shape->slides[1], next = 2;
  shape->size = n;
  memset(shape->lu, 0, sizeof(shape->lu));
  for (int a = 0; a < 2; a++) {
    const snReal* e = con->frame + 3 * (1 + a);
    shape->lu[a * n + a] = length;
    for (int s = 0; s < 2; s++) {
      if (!shape->turns[s]) continue;
      snu_mulMatVec3(part, shape->support[s], e);
      for (int b = 0; b < 2; b++) {
        shape->lu[a * n + b] += snu_dot3(part, con->frame + 3 * (1 + b));
      }
    }
  }
  for (int s = 0; s < 2; s++) {
    if (!shape->slides[s]) continue;
    for (int a = 0; a < 2; a++) {
      snReal along = snu_dot3(con->frame + 3 * (1 + a), shape->axis[s]);
      shape->lu[a * n + next] = s ? -along : along;
      shape->lu[next * n + a] = along;
    }
    next++;
  }
  return sn_luFactor(shape->lu, shape->pivot, n);
}

static void smooth(const snContact* con, const Shape* shape, const snReal own[6],
                   const int moves[2], Change* change) {
  const snReal *n = con->frame, *offset = shape->offset;
  snReal rate[2][3], lever[3], turned[3], part[3], x[4], between[3];
  memset(change, 0, sizeof(*change));
  snu_cross(turned, own, n);
  for (int s = 0; s < 2; s++) {
    snu_zero3(rate[s]);
    if (!moves[s]) continue;
    snu_scl3(lever, n, s ? offset[1] : -offset[0]);
    snu_cross(rate[s], own, lever);
    snu_addTo3(rate[s], own + 3);
  }
  snu_sub3(between, rate[1], rate[0]);
  change->dist = snu_dot3(n, between);
  for (int s = 0; s < 2; s++) {
    if (!moves[s] || !shape->turns[s]) continue;
    snu_mulMatVec3(part, shape->support[s], turned);
    snu_addTo3(between, part);
  }
  for (int a = 0; a < 2; a++) x[a] = snu_dot3(con->frame + 3 * (1 + a), between);
  for (int s = 0, next = 2; s < 2; s++) {
    if (!shape->slides[s]) continue;
    snu_cross(part, own, shape->axis[s]);
    x[next++] = moves[s] ? -snu_dot3(n, part) : 0;
  }
  sn_luSolve(x, shape->lu, shape->pivot, shape->size);

  // the point of side 1, then halfway to the other
  for (int a = 0; a < 2; a++) snu_addToScl3(change->normal, con->frame + 3 * (1 + a), x[a]);
  if (shape->turns[0]) {
    snu_addScl3(lever, change->normal, turned, -moves[0]);
    snu_mulMatVec3(part, shape->support[0], lever);
    snu_addTo3(rate[0], part);
  }
  if (shape->slides[0]) snu_addToScl3(rate[0], shape->axis[0], x[2]);
  snu_addScl3(change->pos, rate[0], change->normal, offset[0]);
  snu_addToScl3(change->pos, n, change->dist / 2);
}

// ---- differences of the narrow phase

// contacts of one pair with geom 2 moved by eps along a unit motion about a point
static int collideMoved(const snModel* m, snData* d, const snContact* con, int axis, snReal eps,
                        snContactPoint* points) {
  SN_ASSERT(axis < 6 && (axis < 0) == (eps == 0));
  int g1 = con->geom[0], g2 = con->geom[1];
  snReal *xpos = d->geom_xpos + 3 * g2, *xmat = d->geom_xmat + 9 * g2, pos[3], mat[9];
  snu_copy3(pos, xpos);
  snu_copy(mat, xmat, 9);
  if (axis >= 3) {
    xpos[axis - 3] += eps;
  } else if (axis >= 0) {
    snReal unit[3], quat[4], turn[9], arm[3], moved[3];
    sn_unitAxis(unit, axis);
    snu_axisAngle2Quat(quat, unit, eps);
    snu_quat2Mat(turn, quat);
    snu_sub3(arm, pos, con->pos);
    snu_mulMatVec3(moved, turn, arm);
    snu_add3(xpos, con->pos, moved);
    sn_mulMatMat3(xmat, turn, mat);
  }
  snReal margin = sn_contactMargin(m, con);
  int n = sn_collideGeoms(m, d, points, g1, g2, margin);
  if (m->geom_type[g1] == snGEOM_BOX && m->geom_type[g2] == snGEOM_BOX) {
    n = sn_filterBoxes(m, d, points, n, g1, g2, margin);
  }
  snu_copy3(xpos, pos);
  snu_copy(xmat, mat, 9);
  return n;
}

// the contact among n points that is nearest to another, -1: none within reach
int sn_nearestPoint(const snContactPoint* points, int n, const snReal pos[3],
                    const snReal normal[3], snReal reach) {
  SN_ASSERT(n >= 0 && n <= snMAXCONPAIR);
  int best = -1;
  for (int i = 0; i < n; i++) {
    snReal distance = snu_dist3(points[i].pos, pos) + snu_dist3(points[i].normal, normal);
    if (distance > reach) continue;
    reach = distance;
    best = i;
  }
  return best;
}

// what the change is when both sides move as one body
static void rigidChange(const snContact* con, const Shape* shape, const snReal own[6],
                        Change* change) {
  snu_copy3(change->pos, own + 3);
  snu_cross(change->normal, own, con->frame);
  snu_cross(change->tangent, own, shape->tangent);
  change->dist = 0;
}

// Responses to the six motions of geom 2; a side on which the contact is lost is not used.
static void differenceShape(const snModel* m, snData* d, const snTangent* t, const snContact* con,
                            Shape* shape) {
  snReal eps = t->eps, reach = 1000 * eps;
  snContactPoint* points = SN_STACK(d, snContactPoint, snMAXCONPAIR);
  memset(shape->response, 0, sizeof(shape->response));
  if (!points) return;
  int n = collideMoved(m, d, con, -1, 0, points);
  int found = sn_nearestPoint(points, n, con->pos, con->frame, reach);
  if (found < 0) return;
  snContactPoint still = points[found];
  snu_copy3(shape->tangent, still.tangent);
  for (int axis = 0; axis < 6; axis++) {
    snContactPoint end[2] = {still, still};
    snReal width = 0;
    for (int side = 0; side < 2; side++) {
      n = collideMoved(m, d, con, axis, side ? eps : -eps, points);
      found = sn_nearestPoint(points, n, still.pos, still.normal, reach);
      if (found < 0) continue;
      end[side] = points[found];
      width += eps;
    }
    if (width == 0) continue;
    Change* change = shape->response + axis;
    for (int k = 0; k < 3; k++) {
      change->pos[k] = (end[1].pos[k] - end[0].pos[k]) / width;
      change->normal[k] = (end[1].normal[k] - end[0].normal[k]) / width;
      change->tangent[k] = (end[1].tangent[k] - end[0].tangent[k]) / width;
    }
    change->dist = (end[1].dist - end[0].dist) / width;
  }
}

static void addChange(Change* sum, const Change* part, snReal scale) {
  snu_addToScl3(sum->pos, part->pos, scale);
  snu_addToScl3(sum->normal, part->normal, scale);
  snu_addToScl3(sum->tangent, part->tangent, scale);
  sum->dist += scale * part->dist;
}

static void differenced(const snContact* con, const Shape* shape, const snReal own[6],
                        const int moves[2], Change* change) {
  memset(change, 0, sizeof(*change));
  if (moves[0]) rigidChange(con, shape, own, change);
  if (moves[0] && moves[1]) return;
  for (int axis = 0; axis < 6; axis++) {
    addChange(change, shape->response + axis, moves[0] ? -own[axis] : own[axis]);
  }
}

// ---- which form

static void column(snReal axis[3], const snReal mat[9]) {
  axis[0] = mat[2];
  axis[1] = mat[5];
  axis[2] = mat[8];
}

// place of the core's point of side s along the axis of its geom
static snReal placeOnAxis(const snData* d, const snContact* con, const Shape* shape, int s) {
  SN_ASSERT(s == 0 || s == 1);
  snReal point[3], between[3];
  snu_addScl3(point, con->pos, con->frame, s ? shape->offset[1] : -shape->offset[0]);
  snu_sub3(between, point, d->geom_xpos + 3 * con->geom[s]);
  return snu_dot3(between, shape->axis[s]);
}

// S = A/h - (A n)(A n)'/h^3 with A = R diag(size^2) R' and h^2 = n' A n
static void ellipsoidSupport(const snReal* size, const snReal* mat, const snReal n[3],
                             snReal support[9]) {
  snReal local[3], scaled[3], An[3], height = 0;
  snu_mulMatTVec3(local, mat, n);
  for (int k = 0; k < 3; k++) {
    scaled[k] = size[k] * size[k] * local[k];
    height += scaled[k] * local[k];
  }
  height = snu_sqrt(snu_max((snReal)snMINVAL, height));
  snu_mulMatVec3(An, mat, scaled);
  for (int r = 0; r < 3; r++) {
    for (int c = 0; c < 3; c++) {
      snReal A = 0;
      for (int k = 0; k < 3; k++) A += mat[3 * r + k] * size[k] * size[k] * mat[3 * c + k];
      support[3 * r + c] = A / height - An[r] * An[c] / (height * height * height);
    }
  }
}

// Side of a cylinder: slides along the axis, S = r (1 - a a' - n n'). Rim: the point is at r u where
// u is the direction of n across the axis, S = r (1 - a a' - u u') / |n across|. 0: a cap.
static int cylinderSide(const snModel* m, const snData* d, const snContact* con, Shape* shape,
                        int s) {
  SN_ASSERT(s == 0 || s == 1);
  const snReal *size = m->geom_size + 3 * con->geom[s], *a = shape->axis[s], *n = con->frame;
  snReal place = placeOnAxis(d, con, shape, s), along = snu_dot3(n, a), across[3];
  const snReal level = (snReal)1e-4;
  int rim = snu_abs(snu_abs(place) - size[1]) < level * size[1];
  int side = !rim && snu_abs(place) < size[1] && snu_abs(along) < level;
  if (!side && !(rim && snu_abs(along) > level && snu_abs(along) < 1 - level)) return 0;
  snu_addScl3(across, n, a, -along);
  snReal length = snu_normalize3(across);
  for (int r = 0; r < 3; r++) {
    for (int c = 0; c < 3; c++) {
      snReal one = r == c ? 1 : 0;
      shape->support[s][3 * r + c] = size[0] / length * (one - a[r] * a[c] - across[r] * across[c]);
    }
  }
  shape->turns[s] = 1;
  shape->slides[s] = side;
  return 1;
}

// how the point of side s moves over its core; 0: not smooth there
static int smoothSide(const snModel* m, const snData* d, const snContact* con, Shape* shape,
                      int s) {
  SN_ASSERT(s == 0 || s == 1);
  int geom = con->geom[s];
  const snReal *size = m->geom_size + 3 * geom, *mat = d->geom_xmat + 9 * geom;
  column(shape->axis[s], mat);
  switch (m->geom_type[geom]) {
    case snGEOM_SPHERE: shape->offset[s] += size[0]; return 1;
    case snGEOM_CAPSULE:
      shape->offset[s] += size[0];
      shape->slides[s] = snu_abs(placeOnAxis(d, con, shape, s)) < size[1] - (snReal)1e-9;
      return 1;
    case snGEOM_ELLIPSOID:
      ellipsoidSupport(size, mat, con->frame, shape->support[s]);
      shape->turns[s] = 1;
      return 1;
    case snGEOM_CYLINDER: return cylinderSide(m, d, con, shape, s);
    default: return 0;
  }
}

int sn_smoothGeom(const snModel* m, const snData* d, const snContact* con, snReal support[9],
                  int* slides) {
  Shape shape;
  memset(&shape, 0, sizeof(shape));
  shape.offset[0] = con->dist / 2;
  if (!smoothSide(m, d, con, &shape, 0)) return 0;
  snu_copy(support, shape.support[0], 9);
  *slides = shape.slides[0];
  return 1;
}

// a pair that touches once
static int isAlone(const snData* d, int id) {
  SN_ASSERT_INDEX(id, d->ncon);
  const snContact* con = d->contact + id;
  for (int k = id - 1; k <= id + 1; k += 2) {
    if (k < 0 || k >= d->ncon) continue;
    if (d->contact[k].geom[0] == con->geom[0] && d->contact[k].geom[1] == con->geom[1]) return 0;
  }
  return 1;
}

static int isRound(const snModel* m, int geom) {
  SN_ASSERT_INDEX(geom, m->ngeom);
  return m->geom_type[geom] == snGEOM_SPHERE || m->geom_type[geom] == snGEOM_CAPSULE;
}

static int isVertexShape(const snModel* m, int geom) {
  SN_ASSERT_INDEX(geom, m->ngeom);
  return m->geom_type[geom] == snGEOM_BOX || m->geom_type[geom] == snGEOM_MESH;
}

// a vertex of a flex is a sphere to a plane
static void vertexShape(const snModel* m, const snContact* con, Shape* shape) {
  memset(shape, 0, sizeof(*shape));
  shape->kind = PLANE_POINT;
  shape->offset[1] = con->dist / 2 + m->flex_radius[con->flex[1]];
}

static void makeShape(const snModel* m, snData* d, const snTangent* t, const snContact* con,
                      Shape* shape) {
  int g1 = con->geom[0], g2 = con->geom[1], type2 = m->geom_type[g2];
  int id = (int)(con - d->contact), round1 = isRound(m, g1), round2 = isRound(m, g2);
  memset(shape, 0, sizeof(*shape));
  shape->kind = DIFFERENCED;
  for (int s = 0; s < 2; s++) shape->offset[s] = con->dist / 2;
  if (m->geom_type[g1] == snGEOM_PLANE) {
    if (round2 || isVertexShape(m, g2)) shape->kind = PLANE_POINT;
    if (round2) shape->offset[1] += m->geom_size[3 * g2];
    if (type2 == snGEOM_CAPSULE) column(shape->tangent, d->geom_xmat + 9 * g2);
  } else if ((round1 || round2) && isAlone(d, id) && smoothSide(m, d, con, shape, 0) &&
             smoothSide(m, d, con, shape, 1) && factorSmooth(con, shape)) {
    shape->kind = SMOOTH;
  }
  if (shape->kind == DIFFERENCED) differenceShape(m, d, t, con, shape);
}

// ---- contacts and what carries them

enum { MAX_CARRIERS = 1 + snMAXTOUCHED };

// A body that takes a share of the contact: all of it for a geom or a vertex, a weight for a vertex of an element.
typedef struct Carrier_ {
  int body;
  snReal share;         // negative on the first side
  snReal arm[3];        // contact from the com of its tree
  snReal motion[2][6];  // of each drive: [w; v] at the contact
} Carrier;

// A contact at one state: forces in its frame, motions of its bodies at its position.
typedef struct Touch_ {
  const snContact* con;
  int row, count, dim, pyramidal;  // row below 0: a spring
  int ndrive;             // elliptic friction may have a damping of its own: two drives a + B v
  snReal damping[2];      // B of the normal, of friction
  snReal relative[2][6];  // of each drive: sum of share and motion
  snReal lambda[6];       // forces along the axes of the frame: normal, tangents, spin, roll
  snReal force[3], torque[3];
  snReal inverse;  // approximate inverse inertia: weighted sum over the bodies
  int n, first;    // carriers, the first of a vertex
  Carrier carrier[MAX_CARRIERS];
  Shape shape;
  snFlexTouch flex;
} Touch;

// What changes with one position.
typedef struct Motion_ {
  int k;
  snReal own[6];              // [w; v] at the contact
  int moves[MAX_CARRIERS];    // carriers that it moves
  snReal rate[MAX_CARRIERS];  // of their shares
  Change change;
  snReal frame[9];
} Motion;

// A geom that moves takes everything along but the vertices.
static void flexChange(const snModel* m, const snData* d, const Touch* touch, Motion* motion) {
  const snFlexTouch* flex = &touch->flex;
  Change* change = &motion->change;
  snReal move[snMAXTOUCHED][3], weight[snMAXTOUCHED], still[3], arm[3], rate[6];
  int together = touch->first && motion->moves[0];
  memset(change, 0, sizeof(*change));
  if (together) rigidChange(touch->con, &touch->shape, motion->own, change);
  for (int i = 0; i < flex->n; i++) {
    const Carrier* carrier = touch->carrier + touch->first + i;
    const snReal* x = d->flexvert_xpos + 3 * flex->vertex[i];
    snu_zero3(move[i]);
    if (motion->moves[touch->first + i]) {
      sn_pointRate(m, d, motion->k, carrier->body, x, rate);
      snu_copy3(move[i], rate + 3);
    }
    snu_copy3(still, move[i]);
    if (together) {
      snu_sub3(arm, x, touch->con->pos);
      snu_cross(rate, motion->own, arm);
      snu_addTo3(rate, motion->own + 3);
      snu_subFrom3(still, rate);
    }
    for (int axis = 0; axis < 3; axis++) addChange(change, flex->response[i] + axis, still[axis]);
  }
  sn_weightRates(d, touch->con, flex, change->pos, move, weight);
  for (int i = 0; i < flex->n; i++) {
    motion->rate[touch->first + i] = flex->side[i] ? weight[i] : -weight[i];
  }
}

static void contactChange(const snModel* m, const snData* d, const Touch* touch, Motion* motion) {
  const Shape* shape = &touch->shape;
  for (int c = 0; c < touch->n; c++) motion->rate[c] = 0;
  switch (shape->kind) {
    case PLANE_POINT:
      planePoint(touch->con, shape, motion->own, motion->moves, &motion->change);
      break;
    case SMOOTH: smooth(touch->con, shape, motion->own, motion->moves, &motion->change); break;
    case FLEX: flexChange(m, d, touch, motion); break;
    default: differenced(touch->con, shape, motion->own, motion->moves, &motion->change); break;
  }
  frameChange(touch->con->frame, shape, &motion->change, motion->frame);
}

// forces of rows to forces along axes
static void axisForces(const Touch* touch, const snReal* rows, snReal* lambda) {
  if (!touch->pyramidal) {
    for (int r = 0; r < touch->dim; r++) lambda[r] = rows[r];
    return;
  }
  lambda[0] = 0;
  for (int j = 1; j < touch->dim; j++) {
    snReal plus = rows[2 * j - 2], minus = rows[2 * j - 1];
    lambda[0] += plus + minus;
    lambda[j] = touch->con->friction[j - 1] * (plus - minus);
  }
}

// sums over the axes of a frame: force of rows 0 to 2, torque of rows 3 to 5
static void addAxes(const Touch* touch, const snReal* lambda, const snReal frame[9],
                    snReal force[3], snReal torque[3]) {
  for (int r = 0; r < touch->dim; r++) {
    snu_addToScl3(r < 3 ? force : torque, frame + 3 * (r % 3), lambda[r]);
  }
}

// ---- a contact at one state

static void addCarrier(const snModel* m, const snData* d, const snTangent* t, Touch* touch,
                       int body, snReal share) {
  Carrier* carrier = touch->carrier + touch->n++;
  carrier->body = body;
  carrier->share = share;
  touch->inverse += snu_abs(share) * m->body_invweight0[2 * body];
  snu_sub3(carrier->arm, touch->con->pos, d->subtree_com + 3 * m->body_rootid[body]);
  for (int drive = 0; drive < touch->ndrive; drive++) {
    snReal sum[6];
    sn_copy6(sum, t->acc + 6 * body);
    sn_addToScl6(sum, d->cvel + 6 * body, touch->damping[drive]);
    sn_motionAt(sum, carrier->arm, carrier->motion[drive]);
    sn_addToScl6(touch->relative[drive], carrier->motion[drive], share);
  }
}

// shape of the contact, and what carries it
static void findCarriers(const snModel* m, snData* d, snTangent* t, Touch* touch) {
  const snContact* con = touch->con;
  const snFlexTouch* flex = &touch->flex;
  int isVertex = con->vert[1] >= 0 && con->geom[0] >= 0;  // on a plane
  for (int s = 0; s < 2; s++) {
    if (con->geom[s] < 0) continue;
    addCarrier(m, d, t, touch, m->geom_bodyid[con->geom[s]], s ? 1 : -1);
  }
  touch->first = touch->n;
  if (touch->n == 2) {
    makeShape(m, d, t, con, &touch->shape);
    return;
  }
  sn_touchFlex(m, d, t, con, isVertex, &touch->flex);
  for (int i = 0; i < flex->n; i++) {
    snReal share = flex->side[i] ? flex->weight[i] : -flex->weight[i];
    addCarrier(m, d, t, touch, m->flex_vertbodyid[flex->vertex[i]], share);
  }
  if (isVertex) {
    vertexShape(m, con, &touch->shape);
  } else {
    touch->shape.kind = FLEX;
    snu_copy3(touch->shape.tangent, flex->tangent);
  }
}

// f = -k dist along the normal
static void makeSpring(const snContact* con, Touch* touch) {
  touch->row = -1;
  touch->dim = 1;
  touch->count = touch->pyramidal = touch->ndrive = 0;
  touch->lambda[0] = -snCONTACT_STIFFNESS * con->dist;
}

static void makeRows(const snData* d, const snContact* con, Touch* touch) {
  touch->row = con->efc_address;
  touch->dim = con->dim;
  touch->pyramidal = d->efc_type[touch->row] == snCNSTR_CONTACT_PYRAMIDAL;
  touch->count = sn_contactRowCount(con->dim, touch->pyramidal);
  touch->damping[0] = d->efc_KBIP[4 * touch->row + 1];
  touch->damping[1] = d->efc_KBIP[4 * (touch->row + touch->count - 1) + 1];
  touch->ndrive = !touch->pyramidal && touch->damping[0] != touch->damping[1] ? 2 : 1;
  axisForces(touch, d->efc_force + touch->row, touch->lambda);
}

static void makeTouch(const snModel* m, snData* d, snTangent* t, int id, Touch* touch) {
  const snContact* con = d->contact + id;
  touch->con = con;
  touch->n = 0;
  touch->inverse = 0;
  for (int drive = 0; drive < 2; drive++) sn_zero6(touch->relative[drive]);
  if (con->exclude == snEXCLUDE_PASSIVE) {
    makeSpring(con, touch);
  } else {
    makeRows(d, con, touch);
  }
  findCarriers(m, d, t, touch);
  snu_zero3(touch->force);
  snu_zero3(touch->torque);
  addAxes(touch, touch->lambda, con->frame, touch->force, touch->torque);
  for (int c = 0; c < touch->n; c++) {
    const Carrier* carrier = touch->carrier + c;
    snReal part[3], *wrench = t->wrench + 6 * carrier->body;
    snu_cross(part, carrier->arm, touch->force);
    snu_addTo3(part, touch->torque);
    snu_addToScl3(wrench, part, carrier->share);
    snu_addToScl3(wrench + 3, touch->force, carrier->share);
  }
}

// ---- its change by one position

// change of the relative motion [w; v] at the contact, for one drive
static void motionChange(const snTangent* t, const Touch* touch, int drive, const Motion* motion,
                         snReal change[6]) {
  snReal before[6], at[6], part[6];
  sn_zero6(change);
  sn_copy6(before, t->accBefore + 6 * motion->k);
  sn_addToScl6(before, t->velBefore + 6 * motion->k, touch->damping[drive]);
  for (int c = 0; c < touch->n; c++) {
    const Carrier* carrier = touch->carrier + c;
    sn_addToScl6(change, carrier->motion[drive], motion->rate[c]);
    if (!motion->moves[c]) continue;
    sn_motionAt(before, carrier->arm, at);
    for (int r = 0; r < 6; r++) at[r] = carrier->motion[drive][r] - at[r];
    sn_crossMotion(part, motion->own, at);
    sn_addToScl6(change, part, carrier->share);
  }
  snu_cross(part, touch->relative[drive], motion->change.pos);
  snu_addTo3(change + 3, part);
}

// changes of the products of the axes' rows with a + B v
static void axisResiduals(const snTangent* t, const Touch* touch, const Motion* motion,
                          snReal* residual) {
  const snReal *frame = touch->con->frame, *rate = motion->frame;
  for (int drive = 0; drive < touch->ndrive; drive++) {
    const snReal* relative = touch->relative[drive];
    snReal turn[6];
    motionChange(t, touch, drive, motion, turn);
    for (int r = drive; r < touch->dim; r++) {
      int half = r < 3 ? 3 : 0, axis = 3 * (r % 3);
      residual[r] = snu_dot3(rate + axis, relative + half) + snu_dot3(frame + axis, turn + half);
    }
  }
}

// d(log D): D follows the distance, and the inverse of the inertia that the weights give
static snReal weightChange(const snModel* m, const snData* d, const Touch* touch,
                           const Motion* motion) {
  snReal sum = 0;
  if (d->efc_R[touch->row] <= (snReal)snMINVAL) return 0;
  for (int c = 0; c < touch->n; c++) {
    const Carrier* carrier = touch->carrier + c;
    sum += (carrier->share < 0 ? -motion->rate[c] : motion->rate[c]) *
           m->body_invweight0[2 * carrier->body];
  }
  snReal distance = sn_rowWeight(d, touch->row) * motion->change.dist;
  return touch->inverse > (snReal)snMINVAL ? distance - sum / touch->inverse : distance;
}

// changes of the forces along the axes
static void forceChange(const snModel* m, const snData* d, const snTangent* t, const Touch* touch,
                        const Motion* motion, snReal lambda[6]) {
  snReal axes[6], residual[10], rows[10];
  int row = touch->row;
  if (row < 0) {
    lambda[0] = -snCONTACT_STIFFNESS * motion->change.dist;
    return;
  }
  axisResiduals(t, touch, motion, axes);
  snReal push = sn_rowStiffness(d, row) * motion->change.dist;
  if (touch->pyramidal) {
    for (int j = 1; j < touch->dim; j++) {
      snReal mu = touch->con->friction[j - 1] * axes[j];
      residual[2 * j - 2] = axes[0] + mu + push;
      residual[2 * j - 1] = axes[0] - mu + push;
    }
  } else {
    for (int r = 0; r < touch->dim; r++) residual[r] = axes[r];
    residual[0] += push;
  }
  sn_tangentForces(d, row, touch->count, residual, weightChange(m, d, touch, motion), rows);
  axisForces(touch, rows, lambda);
}

// W = share (arm x f + torque, f)
static void contactColumn(const snModel* m, const snData* d, snTangent* t, const Touch* touch,
                          Motion* motion) {
  snReal lambda[6], force[3] = {0, 0, 0}, torque[3], part[3], wrench[6];
  contactChange(m, d, touch, motion);
  forceChange(m, d, t, touch, motion, lambda);
  snu_cross(torque, motion->change.pos, touch->force);
  addAxes(touch, lambda, touch->con->frame, force, torque);
  addAxes(touch, touch->lambda, motion->frame, force, torque);
  for (int c = 0; c < touch->n; c++) {
    const Carrier* carrier = touch->carrier + c;
    if (sn_lastDof(m, carrier->body) < 0) continue;
    snu_cross(part, carrier->arm, force);
    snu_add3(wrench, torque, part);
    snu_copy3(wrench + 3, force);
    snu_scl(wrench, wrench, carrier->share, 6);
    snu_cross(part, carrier->arm, touch->force);
    snu_addTo3(part, touch->torque);
    snu_addToScl3(wrench, part, motion->rate[c]);
    snu_addToScl3(wrench + 3, touch->force, motion->rate[c]);
    sn_tangentRate(t, carrier->body, motion->k, wrench);
  }
}

// every position that moves one of the carriers, from the last one on
static void contactColumns(const snModel* m, snData* d, snTangent* t, int id) {
  Touch touch;
  Motion motion;
  int at[MAX_CARRIERS], k;
  makeTouch(m, d, t, id, &touch);
  for (int c = 0; c < touch.n; c++) at[c] = sn_lastDof(m, touch.carrier[c].body);
  do {
    k = -1;
    for (int c = 0; c < touch.n; c++) k = at[c] > k ? at[c] : k;
    if (k < 0) break;
    motion.k = k;
    for (int c = 0; c < touch.n; c++) {
      motion.moves[c] = at[c] == k;
      if (!motion.moves[c]) continue;
      sn_motionAt(d->cdof + 6 * k, touch.carrier[c].arm, motion.own);
      at[c] = m->dof_parentid[k];
    }
    contactColumn(m, d, t, &touch, &motion);
  } while (k >= 0);
}

void sn_tangentContact(const snModel* m, snData* d, snTangent* t, int id) {
  SN_ASSERT_INDEX(id, d->ncon);
  int row = d->contact[id].efc_address, active = 0;
  int count = sn_blockRows(m, d, d->efc_type[row], id);
  for (int r = 0; r < count; r++) active |= d->efc_state[row + r] != snCNSTRSTATE_SATISFIED;
  if (!active) return;
  sn_markStack(d);
  contactColumns(m, d, t, id);
  sn_freeStack(d);
}

void sn_tangentSprings(const snModel* m, snData* d, snTangent* t) {
  if ((m->opt.disableflags & snDSBL_CONTACT) || !m->nflex) return;
  for (int id = 0; id < d->ncon; id++) {
    if (d->contact[id].exclude != snEXCLUDE_PASSIVE) continue;
    sn_markStack(d);
    contactColumns(m, d, t, id);
    sn_freeStack(d);
  }
}
