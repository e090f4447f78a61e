#include "engine/collide/primitive.h"

#include "base/assert.h"
#include "engine/collide/support.h"
#include "math/math.h"
#include "sinew/sinew.h"

static snPosedShape shapeOf(const snModel* m, const snData* d, int g) {
  SN_ASSERT_INDEX(g, m->ngeom);
  snPosedShape shape = {d->geom_xpos + 3 * g, d->geom_xmat + 9 * g, m->geom_size + 3 * g};
  return shape;
}

static void column(snReal axis[3], const snReal mat[9], int k) {
  axis[0] = mat[k];
  axis[1] = mat[3 + k];
  axis[2] = mat[6 + k];
}

void sn_setPoint(snContactPoint* point, snReal dist, const snReal pos[3], const snReal normal[3]) {
  point->dist = dist;
  snu_copy3(point->pos, pos);
  snu_copy3(point->normal, normal);
  snu_zero3(point->tangent);
}

// ---- plane ---------------------------------------------------------------------------------------

int sn_planeSphere(snContactPoint* points, snReal margin, const snReal point[3],
                   const snReal normal[3], const snReal center[3], snReal radius) {
  snReal offset[3];
  snu_sub3(offset, center, point);
  snReal height = snu_dot3(offset, normal);
  if (height > margin + radius) return 0;

  points->dist = height - radius;
  snu_addScl3(points->pos, center, normal, -points->dist / 2 - radius);
  snu_copy3(points->normal, normal);
  snu_zero3(points->tangent);
  return 1;
}

int sn_collidePlaneSphere(const snModel* m, snData* d, snContactPoint* points, int g1, int g2,
                          snReal margin) {
  SN_ASSERT_INDEX2(g1, g2, m->ngeom);
  SN_ASSERT(m->geom_type[g1] == snGEOM_PLANE && m->geom_type[g2] == snGEOM_SPHERE);
  snReal normal[3];
  column(normal, d->geom_xmat + 9 * g1, 2);
  return sn_planeSphere(points, margin, d->geom_xpos + 3 * g1, normal, d->geom_xpos + 3 * g2,
                        m->geom_size[3 * g2]);
}

// the two end spheres; contacts prefer the capsule's axis as tangent
int sn_collidePlaneCapsule(const snModel* m, snData* d, snContactPoint* points, int g1, int g2,
                           snReal margin) {
  SN_ASSERT_INDEX2(g1, g2, m->ngeom);
  SN_ASSERT(m->geom_type[g1] == snGEOM_PLANE && m->geom_type[g2] == snGEOM_CAPSULE);
  const snReal *origin = d->geom_xpos + 3 * g1, *center = d->geom_xpos + 3 * g2;
  const snReal* size = m->geom_size + 3 * g2;
  snReal normal[3], axis[3], end[3];
  column(normal, d->geom_xmat + 9 * g1, 2);
  column(axis, d->geom_xmat + 9 * g2, 2);

  int n = 0;
  for (int side = 1; side >= -1; side -= 2) {
    snu_addScl3(end, center, axis, side * size[1]);
    int made = sn_planeSphere(points + n, margin, origin, normal, end, size[0]);
    if (made) snu_copy3(points[n].tangent, axis);
    n += made;
  }
  return n;
}

// write pos = sum - normal * dist / 2
static void planePoint(snContactPoint* point, const snReal surface[3], const snReal normal[3],
                       snReal dist) {
  point->dist = dist;
  snu_addScl3(point->pos, surface, normal, -dist * (snReal)0.5);
  snu_copy3(point->normal, normal);
  snu_zero3(point->tangent);
}

// lowest rim point of the near cap, the one above it on the far cap, two more on the near rim
int sn_collidePlaneCylinder(const snModel* m, snData* d, snContactPoint* points, int g1, int g2,
                            snReal margin) {
  SN_ASSERT_INDEX2(g1, g2, m->ngeom);
  SN_ASSERT(m->geom_type[g1] == snGEOM_PLANE && m->geom_type[g2] == snGEOM_CYLINDER);
  const snReal *center = d->geom_xpos + 3 * g2, *mat = d->geom_xmat + 9 * g2;
  snReal radius = m->geom_size[3 * g2], half = m->geom_size[3 * g2 + 1];
  snReal normal[3], axis[3], offset[3], rim[3], surface[3];
  column(normal, d->geom_xmat + 9 * g1, 2);
  column(axis, mat, 2);

  // axis towards the plane
  snReal slope = snu_dot3(normal, axis);
  if (slope > 0) {
    snu_scl3(axis, axis, -1);
    slope = -slope;
  }
  snu_sub3(offset, center, d->geom_xpos + 3 * g1);
  snReal height = snu_dot3(offset, normal);

  // radial direction that descends fastest; any when the disk lies flat
  for (int k = 0; k < 3; k++) rim[k] = axis[k] * slope - normal[k];
  snReal square = snu_dot3(rim, rim);
  if (square >= (snReal)(snMINVAL * snMINVAL)) {
    snu_scl3(rim, rim, radius / snu_sqrt(square));
  } else {
    column(rim, mat, 0);
    snu_scl3(rim, rim, radius);
  }
  snReal rim_rise = snu_dot3(normal, rim);
  snu_scl3(axis, axis, half);
  slope *= half;

  int n = 0;
  if (height + slope + rim_rise > margin) return 0;
  for (int k = 0; k < 3; k++) surface[k] = center[k] + rim[k] + axis[k];
  planePoint(points + n++, surface, normal, height + slope + rim_rise);

  if (height - slope + rim_rise <= margin) {
    for (int k = 0; k < 3; k++) surface[k] = center[k] + rim[k] - axis[k];
    planePoint(points + n++, surface, normal, height - slope + rim_rise);
  }

  // the other two corners of an equilateral triangle on the near rim
  snReal dist = height + slope - rim_rise * (snReal)0.5;
  if (dist <= margin) {
    snReal side[3];
    snu_cross(side, rim, axis);
    snu_normalize3(side);
    snu_scl3(side, side, radius * snu_sqrt((snReal)3) / 2);
    for (int k = 0; k < 3; k++) {
      surface[k] = center[k] + side[k] + axis[k] - rim[k] * (snReal)0.5;
    }
    planePoint(points + n++, surface, normal, dist);
    for (int k = 0; k < 3; k++) {
      surface[k] = center[k] - side[k] + axis[k] - rim[k] * (snReal)0.5;
    }
    planePoint(points + n++, surface, normal, dist);
  }
  return n;
}

// the first four corners below the margin, in bit order
int sn_collidePlaneBox(const snModel* m, snData* d, snContactPoint* points, int g1, int g2,
                       snReal margin) {
  SN_ASSERT_INDEX2(g1, g2, m->ngeom);
  SN_ASSERT(m->geom_type[g1] == snGEOM_PLANE && m->geom_type[g2] == snGEOM_BOX);
  const snReal *center = d->geom_xpos + 3 * g2, *mat = d->geom_xmat + 9 * g2;
  const snReal* size = m->geom_size + 3 * g2;
  snReal normal[3], offset[3];
  column(normal, d->geom_xmat + 9 * g1, 2);
  snu_sub3(offset, center, d->geom_xpos + 3 * g1);
  snReal height = snu_dot3(offset, normal);

  int n = 0;
  for (int i = 0; i < 8 && n < 4; i++) {
    snReal local[3], corner[3];
    for (int k = 0; k < 3; k++) local[k] = i & (1 << k) ? size[k] : -size[k];
    snu_mulMatVec3(corner, mat, local);
    snReal rise = snu_dot3(normal, corner);
    if (height + rise > margin || rise > 0) continue;
    snu_addTo3(corner, center);
    planePoint(points + n++, corner, normal, height + rise);
  }
  return n;
}

// ---- plane against ellipsoid, mesh, SDF ----------------------------------------------------------

// mesh vertex farthest along a local direction, climbing the hull graph from its first vertex;
// hull receives the vertex's index in the graph, -1 without a graph
static int farthestVertex(const snModel* m, int mesh, const snReal direction[3], int* hull) {
  SN_ASSERT_INDEX(mesh, m->nmesh);
  const float* vert = m->mesh_vert + 3 * (snSize)m->mesh_vertadr[mesh];
  int best = 0;
  *hull = -1;
  if (m->mesh_graphadr[mesh] < 0) {
    snReal most = -(snReal)snMAXVAL;
    for (int i = 0; i < m->mesh_vertnum[mesh]; i++) {
      snReal dot = direction[0] * vert[3 * i] + direction[1] * vert[3 * i + 1] +
                   direction[2] * vert[3 * i + 2];
      if (dot > most) {
        most = dot;
        best = i;
      }
    }
    return best;
  }

  const int* graph = m->mesh_graph + m->mesh_graphadr[mesh];
  int nvert = graph[0];
  const int *edgeadr = graph + 2, *globalid = graph + 2 + nvert, *edge = graph + 2 + 2 * nvert;
  *hull = sn_hullSummit(m, mesh, direction);
  if (*hull >= 0) return globalid[*hull];
  int previous = -1;
  const float* v = vert + 3 * globalid[0];
  snReal most = direction[0] * v[0] + direction[1] * v[1] + direction[2] * v[2];
  while (best != previous) {
    previous = best;
    for (int i = edgeadr[previous]; edge[i] >= 0; i++) {
      v = vert + 3 * globalid[edge[i]];
      snReal dot = direction[0] * v[0] + direction[1] * v[1] + direction[2] * v[2];
      if (dot > most) {
        most = dot;
        best = edge[i];
      }
    }
  }
  *hull = best;
  return globalid[best];
}

// a candidate vertex besides the deepest one: near enough to the plane, far enough from contact 0
struct Candidate_ {
  const snReal *origin, *normal, *pos, *mat;
  snReal down[3];    // direction into the plane, in the geom's frame
  snReal threshold;  // dot product with down that a vertex within the margin exceeds
  snReal spacing;    // least distance from contact 0
};
typedef struct Candidate_ Candidate;

static int addVertex(snContactPoint* points, int n, const Candidate* c, const float* v) {
  snReal local[3] = {v[0], v[1], v[2]}, world[3], offset[3];
  if (!(snu_dot3(c->down, local) > c->threshold)) return 0;
  snu_mulMatVec3(world, c->mat, local);
  snu_addTo3(world, c->pos);
  if (snu_dist3(points[0].pos, world) < c->spacing) return 0;
  snu_sub3(offset, world, c->origin);
  planePoint(points + n, world, c->normal, snu_dot3(c->normal, offset));
  return 1;
}

// contacts of further vertices of a mesh, up to three in all
static int addVertices(const snModel* m, snContactPoint* points, const Candidate* c, int mesh,
                       int vertex, int hull) {
  SN_ASSERT_INDEX(mesh, m->nmesh);
  const float* vert = m->mesh_vert + 3 * (snSize)m->mesh_vertadr[mesh];
  int n = 1;
  if (hull < 0) {
    for (int i = 0; i < m->mesh_vertnum[mesh] && n < 3; i++) {
      if (i != vertex) n += addVertex(points, n, c, vert + 3 * i);
    }
    return n;
  }
  const int* graph = m->mesh_graph + m->mesh_graphadr[mesh];
  int nvert = graph[0];
  const int *edgeadr = graph + 2, *globalid = graph + 2 + nvert, *edge = graph + 2 + 2 * nvert;
  for (int i = edgeadr[hull]; edge[i] >= 0 && n < 3; i++) {
    n += addVertex(points, n, c, vert + 3 * globalid[edge[i]]);
  }
  return n;
}

// Is the box of a geom over a plane by more than the margin and rounding? down: into the plane, in the geom's frame.
static int isBoxAbove(const snModel* m, int g, snReal height, const snReal down[3], snReal margin) {
  const snReal *center = m->geom_aabb + 6 * (snSize)g, *half = center + 3;
  snReal lowest = height - snu_dot3(down, center);
  for (int k = 0; k < 3; k++) lowest -= half[k] * snu_abs(down[k]);
  snReal rounding = sizeof(snReal) == 4 ? (snReal)1e-3 : (snReal)1e-6;
  return lowest > margin + rounding * m->geom_rbound[g];
}

int sn_collidePlaneConvex(const snModel* m, snData* d, snContactPoint* points, int g1, int g2,
                          snReal margin) {
  SN_ASSERT_INDEX2(g1, g2, m->ngeom);
  const snReal *origin = d->geom_xpos + 3 * g1, *pos = d->geom_xpos + 3 * g2;
  const snReal *mat = d->geom_xmat + 9 * g2, *size = m->geom_size + 3 * g2;
  snReal normal[3], into[3], local[3], surface[3], offset[3];
  Candidate c;
  column(normal, d->geom_xmat + 9 * g1, 2);
  snu_scl3(into, normal, -1);
  snu_mulMatTVec3(c.down, mat, into);

  int mesh = -1, vertex = -1, hull = -1;
  if (m->geom_type[g2] == snGEOM_ELLIPSOID) {
    for (int k = 0; k < 3; k++) local[k] = c.down[k] * size[k];
    snu_normalize3(local);
    for (int k = 0; k < 3; k++) local[k] *= size[k];
  } else {
    mesh = m->geom_dataid[g2];
    if (mesh < 0 || m->mesh_vertnum[mesh] < 1) return 0;
    snu_sub3(offset, pos, origin);
    if (isBoxAbove(m, g2, snu_dot3(normal, offset), c.down, margin)) return 0;
    vertex = farthestVertex(m, mesh, c.down, &hull);
    const float* v = m->mesh_vert + 3 * ((snSize)m->mesh_vertadr[mesh] + vertex);
    for (int k = 0; k < 3; k++) local[k] = v[k];
  }
  snu_mulMatVec3(surface, mat, local);
  snu_addTo3(surface, pos);

  snu_sub3(offset, surface, origin);
  snReal dist = snu_dot3(normal, offset);
  if (dist > margin) return 0;
  planePoint(points, surface, normal, dist);
  if (mesh < 0) return 1;

  snu_sub3(offset, pos, origin);
  c.threshold = snu_dot3(normal, offset) - margin;
  c.spacing = (snReal)0.3 * m->geom_rbound[g2];
  c.origin = origin;
  c.normal = normal;
  c.pos = pos;
  c.mat = mat;
  return addVertices(m, points, &c, mesh, vertex, hull);
}

// ---- sphere --------------------------------------------------------------------------------------

int sn_sphereSphere(snContactPoint* points, snReal margin, const snReal center1[3], snReal radius1,
                    const snReal mat1[9], const snReal center2[3], snReal radius2,
                    const snReal mat2[9]) {
  snReal between[3];
  snu_sub3(between, center1, center2);
  snReal square = snu_dot3(between, between), limit = margin + radius1 + radius2;
  if (square > limit * limit) return 0;

  points->dist = snu_sqrt(square) - radius1 - radius2;
  snu_sub3(points->normal, center2, center1);
  if (snu_normalize3(points->normal) < (snReal)snMINVAL) {
    snReal axis1[3], axis2[3];
    column(axis1, mat1, 2);
    column(axis2, mat2, 2);
    snu_cross(points->normal, axis1, axis2);
    snu_normalize3(points->normal);
  }
  snu_addScl3(points->pos, center1, points->normal, radius1 + points->dist / 2);
  snu_zero3(points->tangent);
  return 1;
}

int sn_collideSphereSphere(const snModel* m, snData* d, snContactPoint* points, int g1, int g2,
                           snReal margin) {
  SN_ASSERT_INDEX2(g1, g2, m->ngeom);
  SN_ASSERT(m->geom_type[g1] == snGEOM_SPHERE && m->geom_type[g2] == snGEOM_SPHERE);
  return sn_sphereSphere(points, margin, d->geom_xpos + 3 * g1, m->geom_size[3 * g1],
                         d->geom_xmat + 9 * g1, d->geom_xpos + 3 * g2, m->geom_size[3 * g2],
                         d->geom_xmat + 9 * g2);
}

int sn_sphereCapsule(snContactPoint* points, snReal margin, const snPosedShape* sphere,
                     const snPosedShape* capsule) {
  snReal axis[3], between[3], nearest[3];
  column(axis, capsule->mat, 2);
  snu_sub3(between, sphere->pos, capsule->pos);
  snReal x = snu_clip(snu_dot3(axis, between), -capsule->size[1], capsule->size[1]);
  snu_addScl3(nearest, capsule->pos, axis, x);
  return sn_sphereSphere(points, margin, sphere->pos, sphere->size[0], sphere->mat, nearest,
                         capsule->size[0], capsule->mat);
}

int sn_collideSphereCapsule(const snModel* m, snData* d, snContactPoint* points, int g1, int g2,
                            snReal margin) {
  SN_ASSERT_INDEX2(g1, g2, m->ngeom);
  SN_ASSERT(m->geom_type[g1] == snGEOM_SPHERE && m->geom_type[g2] == snGEOM_CAPSULE);
  snPosedShape sphere = shapeOf(m, d, g1), capsule = shapeOf(m, d, g2);
  return sn_sphereCapsule(points, margin, &sphere, &capsule);
}

// which of side, cap and rim is nearest to the centre decides the collider
int sn_collideSphereCylinder(const snModel* m, snData* d, snContactPoint* points, int g1, int g2,
                             snReal margin) {
  SN_ASSERT_INDEX2(g1, g2, m->ngeom);
  SN_ASSERT(m->geom_type[g1] == snGEOM_SPHERE && m->geom_type[g2] == snGEOM_CYLINDER);
  snPosedShape sphere = shapeOf(m, d, g1), cylinder = shapeOf(m, d, g2);
  snReal radius = cylinder.size[0], half = cylinder.size[1];
  snReal axis[3], between[3], radial[3], target[3];
  column(axis, cylinder.mat, 2);
  snu_sub3(between, sphere.pos, cylinder.pos);
  snReal x = snu_dot3(axis, between);
  for (int k = 0; k < 3; k++) radial[k] = between[k] - axis[k] * x;
  snReal square = snu_dot3(radial, radial);

  int side = snu_abs(x) < half, cap = square < radius * radius;
  if (side && cap) {
    if (half - snu_abs(x) < radius - snu_sqrt(square)) {
      side = 0;
    } else {
      cap = 0;
    }
  }

  if (side) {
    snu_addScl3(target, cylinder.pos, axis, x);
    return sn_sphereSphere(points, margin, sphere.pos, sphere.size[0], sphere.mat, target, radius,
                           cylinder.mat);
  }
  snReal end = x > 0 ? half : -half;
  snu_addScl3(target, cylinder.pos, axis, end);
  if (cap) {
    if (!(x > 0)) snu_scl3(axis, axis, -1);
    int n = sn_planeSphere(points, margin, target, axis, sphere.pos, sphere.size[0]);
    if (n) snu_scl3(points->normal, points->normal, -1);
    return n;
  }
  snu_addToScl3(target, radial, radius / snu_sqrt(square));
  return sn_sphereSphere(points, margin, sphere.pos, sphere.size[0], sphere.mat, target, 0,
                         cylinder.mat);
}

// ---- capsule -------------------------------------------------------------------------------------

// closest points of the two axis segments c1 + x1 A, c2 + x2 B with x in [-1, 1] minimise a
// quadratic with matrix [ma mb; mb mc] and linear term -(u, v)
int sn_capsuleCapsule(snContactPoint* points, snReal margin, const snPosedShape* capsule1,
                      const snPosedShape* capsule2) {
  snReal axis1[3], axis2[3], between[3], point1[3], point2[3];
  column(axis1, capsule1->mat, 2);
  column(axis2, capsule2->mat, 2);
  snu_scl3(axis1, axis1, capsule1->size[1]);
  snu_scl3(axis2, axis2, capsule2->size[1]);
  snu_sub3(between, capsule1->pos, capsule2->pos);
  snReal ma = snu_dot3(axis1, axis1), mb = -snu_dot3(axis1, axis2), mc = snu_dot3(axis2, axis2);
  snReal u = -snu_dot3(axis1, between), v = snu_dot3(axis2, between);
  snReal det = ma * mc - mb * mb;

  if (snu_abs(det) >= (snReal)snMINVAL) {
    snReal x1 = (mc * u - mb * v) / det, x2 = (ma * v - mb * u) / det;
    if (x1 > 1) {
      x1 = 1;
      x2 = (v - mb) / mc;
    } else if (x1 < -1) {
      x1 = -1;
      x2 = (v + mb) / mc;
    }
    if (x2 > 1) {
      x2 = 1;
      x1 = snu_clip((u - mb) / ma, -1, 1);
    } else if (x2 < -1) {
      x2 = -1;
      x1 = snu_clip((u + mb) / ma, -1, 1);
    }
    snu_addScl3(point1, capsule1->pos, axis1, x1);
    snu_addScl3(point2, capsule2->pos, axis2, x2);
    return sn_sphereSphere(points, margin, point1, capsule1->size[0], capsule1->mat, point2,
                           capsule2->size[0], capsule2->mat);
  }

  // parallel axes: try the four ends, stop at two contacts
  int n = 0;
  for (int i = 0; i < 4 && n < 2; i++) {
    snReal sign = i & 1 ? (snReal)-1 : (snReal)1, x1, x2;
    if (i < 2) {
      x1 = sign;
      x2 = snu_clip((v - sign * mb) / mc, -1, 1);
    } else {
      x2 = sign;
      x1 = snu_clip((u - sign * mb) / ma, -1, 1);
    }
    snu_addScl3(point1, capsule1->pos, axis1, x1);
    snu_addScl3(point2, capsule2->pos, axis2, x2);
    n += sn_sphereSphere(points + n, margin, point1, capsule1->size[0], capsule1->mat, point2,
                         capsule2->size[0], capsule2->mat);
  }
  return n;
}

int sn_collideCapsuleCapsule(const snModel* m, snData* d, snContactPoint* points, int g1, int g2,
                             snReal margin) {
  SN_ASSERT_INDEX2(g1, g2, m->ngeom);
  SN_ASSERT(m->geom_type[g1] == snGEOM_CAPSULE && m->geom_type[g2] == snGEOM_CAPSULE);
  snPosedShape capsule1 = shapeOf(m, d, g1), capsule2 = shapeOf(m, d, g2);
  return sn_capsuleCapsule(points, margin, &capsule1, &capsule2);
}

// ---- sphere and capsule against box --------------------------------------------------------------

int sn_sphereBox(snContactPoint* points, snReal margin, const snReal center[3], snReal radius,
                 const snPosedShape* box) {
  const snReal *mat = box->mat, *size = box->size;
  snReal offset[3], q[3], nearest[3], inward[3], local[3];
  snu_sub3(offset, center, box->pos);
  snu_mulMatTVec3(q, mat, offset);
  for (int k = 0; k < 3; k++) {
    nearest[k] = size[k] > 0 ? snu_clip(q[k], -size[k], size[k]) : q[k];
    inward[k] = nearest[k] - q[k];
  }
  snReal dist = snu_normalize3(inward);
  if (dist - radius > margin) return 0;

  if (dist <= (snReal)snMINVAL) {
    // centre inside: leave through the nearest face
    snReal closest = 2 * (size[0] + size[1] + size[2]);
    int face = 0;
    for (int i = 0; i < 6; i++) {
      snReal depth = snu_abs((i & 1 ? 1 : -1) * size[i / 2] - q[i / 2]);
      if (closest > depth) {
        closest = depth;
        face = i;
      }
    }
    snu_zero3(inward);
    inward[face / 2] = face & 1 ? -1 : 1;
    snu_addScl3(local, q, inward, (radius - closest) / 2);
    points->dist = -closest - radius;
  } else {
    for (int k = 0; k < 3; k++) {
      local[k] = nearest[k] * (snReal)0.5 + (q[k] + inward[k] * radius) * (snReal)0.5;
    }
    points->dist = dist - radius;
  }
  snu_mulMatVec3(points->normal, mat, inward);
  snu_mulMatVec3(points->pos, mat, local);
  snu_addTo3(points->pos, box->pos);
  snu_zero3(points->tangent);
  return 1;
}

int sn_collideSphereBox(const snModel* m, snData* d, snContactPoint* points, int g1, int g2,
                        snReal margin) {
  SN_ASSERT_INDEX2(g1, g2, m->ngeom);
  SN_ASSERT(m->geom_type[g1] == snGEOM_SPHERE && m->geom_type[g2] == snGEOM_BOX);
  snPosedShape box = shapeOf(m, d, g2);
  return sn_sphereBox(points, margin, d->geom_xpos + 3 * g1, m->geom_size[3 * g1], &box);
}

int sn_collideCapsuleBox(const snModel* m, snData* d, snContactPoint* points, int g1, int g2,
                         snReal margin) {
  SN_ASSERT_INDEX2(g1, g2, m->ngeom);
  SN_ASSERT(m->geom_type[g1] == snGEOM_CAPSULE && m->geom_type[g2] == snGEOM_BOX);
  snPosedShape capsule = shapeOf(m, d, g1), box = shapeOf(m, d, g2);
  return sn_capsuleBox(points, margin, &capsule, &box);
}
