// Nearest point of a geom to a point.
//
// Plane, sphere, capsule, cylinder and box are exact, the ellipsoid is exact to first order in the
// distance. Meshes are their convex hulls, as for rigid bodies. A height field is a surface that is seen
// from above; a distance field is followed along its gradient.

#include "base/assert.h"
#include "engine/collide/collision.h"
#include "engine/collide/convex_query.h"
#include "engine/collide/distance_field.h"
#include "engine/deform/deform.h"
#include "math/math.h"

// the functions below work in the frame of the geom: signed distance and outward normal

static snReal fromPoint(const snReal offset[3], snReal radius, snReal normal[3]) {
  snReal length = snu_norm3(offset);
  if (length < snMINVAL) {
    normal[0] = normal[1] = 0, normal[2] = 1;
  } else {
    snu_scl3(normal, offset, 1 / length);
  }
  return length - radius;
}

static snReal capsule(const snReal* size, const snReal x[3], snReal normal[3]) {
  snReal offset[3] = {x[0], x[1], x[2] - snu_max(-size[1], snu_min(size[1], x[2]))};
  return fromPoint(offset, size[0], normal);
}

// inside: the nearest of barrel and caps; outside of both: the rim
static snReal cylinder(const snReal* size, const snReal x[3], snReal normal[3]) {
  snReal radial = snu_sqrt(x[0] * x[0] + x[1] * x[1]), side = x[2] < 0 ? -1 : 1;
  snReal out = radial - size[0], above = side * x[2] - size[1];
  snReal axis[2] = {1, 0};
  if (radial > snMINVAL) axis[0] = x[0] / radial, axis[1] = x[1] / radial;
  snReal a = out > 0 ? out : 0, b = above > 0 ? above : 0;
  if (a == 0 && b == 0) {
    if (out > above) {
      a = 1;
    } else {
      b = 1;
    }
    normal[0] = a * axis[0], normal[1] = a * axis[1], normal[2] = b * side;
    return snu_max(out, above);
  }
  snReal length = snu_sqrt(a * a + b * b);
  normal[0] = a / length * axis[0], normal[1] = a / length * axis[1], normal[2] = b / length * side;
  return length;
}

static snReal box(const snReal* size, const snReal x[3], snReal normal[3]) {
  snReal out[3], depth = -snMAXVAL;
  int nearest = 0, outside = 0;
  for (int k = 0; k < 3; k++) {
    snReal side = x[k] < 0 ? -1 : 1, beyond = side * x[k] - size[k];
    out[k] = beyond > 0 ? side * beyond : 0;
    outside |= beyond > 0;
    if (beyond > depth) depth = beyond, nearest = k;
  }
  if (outside) return fromPoint(out, 0, normal);
  snu_zero3(normal);
  normal[nearest] = x[nearest] < 0 ? -1 : 1;
  return depth;
}

// f = |x / r|: distance about (f - 1) f / |x / r^2|
static snReal ellipsoid(const snReal* size, const snReal x[3], snReal normal[3]) {
  snReal scaled[3], gradient[3];
  for (int k = 0; k < 3; k++) {
    scaled[k] = x[k] / size[k];
    gradient[k] = scaled[k] / size[k];
  }
  snReal f = snu_norm3(scaled), g = snu_norm3(gradient);
  if (g < snMINVAL) {
    normal[0] = normal[1] = 0, normal[2] = 1;
    return -size[2];
  }
  snu_scl3(normal, gradient, 1 / g);
  return (f - 1) * f / g;
}

// the triangle of the grid below or above the point; cells are cut as for rigid bodies
static snReal heightField(const snModel* m, int geom, const snReal x[3], snReal reach,
                          snReal normal[3]) {
  SN_ASSERT(m->geom_type[geom] == snGEOM_HFIELD);
  SN_ASSERT_INDEX(geom, m->ngeom);
  int field = m->geom_dataid[geom], nrow = m->hfield_nrow[field], ncol = m->hfield_ncol[field];
  const snReal* size = m->hfield_size + 4 * field;
  const float* height = m->hfield_data + m->hfield_adr[field];
  snReal dx = 2 * size[0] / (ncol - 1), dy = 2 * size[1] / (nrow - 1);
  snReal u = (x[0] + size[0]) / dx, v = (x[1] + size[1]) / dy;
  if (!(u >= 0 && v >= 0 && u <= ncol - 1 && v <= nrow - 1)) return reach;
  int c = u < ncol - 1 ? (int)u : ncol - 2, r = v < nrow - 1 ? (int)v : nrow - 2;
  snReal fu = u - c, fv = v - r;
  const float *low = height + r * ncol + c, *high = low + ncol;
  snReal h00 = size[2] * low[0], h10 = size[2] * low[1], h01 = size[2] * high[0],
         h11 = size[2] * high[1];
  int right = fu >= fv;  // of the diagonal from (0, 0) to (1, 1)
  snReal slopeU = right ? h10 - h00 : h11 - h01, slopeV = right ? h11 - h10 : h01 - h00;
  snReal z = h00 + slopeU * fu + slopeV * fv;
  snReal up[3] = {-slopeU / dx, -slopeV / dy, 1};
  snReal length = snu_norm3(up);
  if (x[2] < -size[3]) return reach;
  snu_scl3(normal, up, 1 / length);
  return (x[2] - z) / length;
}

static snReal distanceField(const snModel* m, const snData* d, int geom, const snReal x[3],
                            snReal normal[3]) {
  SN_ASSERT_INDEX(geom, m->ngeom);
  snField field;
  sn_makeField(&field, m, d, geom);
  snReal dist = sn_fieldDistance(&field, x);
  sn_fieldGradient(normal, &field, x);
  snu_normalize3(normal);
  return dist;
}

// convex hull of a mesh, by GJK and EPA, in the world
static snReal hull(const snModel* m, snData* d, int geom, const snReal x[3], snReal reach,
                   snReal normal[3]) {
  SN_ASSERT_INDEX(geom, m->ngeom);
  static const snReal kSize[3] = {0, 0, 0}, kMat[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  snConvex object, point;
  snCcd ccd;
  sn_convexGeom(&object, m, d, geom, 0);
  sn_convexGeom(&point, m, d, geom, 0);
  point.kind = snGEOM_SPHERE;
  point.pos = x;
  point.mat = kMat;
  point.size = kSize;
  point.mesh = point.vertex = point.start = -1;
  point.nvert = 0;
  sn_ccdBegin(&ccd, m, d, &object, &point);
  ccd.cutoff = reach;
  ccd.maxpoints = 1;
  snReal dist = sn_ccd(&ccd);
  if (ccd.npoint < 1 || ccd.full) dist = reach;
  if (dist < reach) {
    snu_sub3(normal, ccd.x2[0], ccd.x1[0]);
    if (dist < 0) snu_scl3(normal, normal, -1);
    if (snu_normalize3(normal) < snMINVAL) return reach;
  }
  return dist;
}

static snReal localDistance(const snModel* m, const snData* d, int geom, const snReal x[3],
                            snReal reach, snReal normal[3]) {
  const snReal* size = m->geom_size + 3 * geom;
  switch (m->geom_type[geom]) {
    case snGEOM_PLANE: normal[0] = normal[1] = 0, normal[2] = 1; return x[2];
    case snGEOM_SPHERE: return fromPoint(x, size[0], normal);
    case snGEOM_CAPSULE: return capsule(size, x, normal);
    case snGEOM_CYLINDER: return cylinder(size, x, normal);
    case snGEOM_BOX: return box(size, x, normal);
    case snGEOM_ELLIPSOID: return ellipsoid(size, x, normal);
    case snGEOM_HFIELD: return heightField(m, geom, x, reach, normal);
    case snGEOM_SDF: return distanceField(m, d, geom, x, normal);
    default: return reach;
  }
}

snReal sn_deformDistance(const snModel* m, snData* d, int geom, const snReal x[3], snReal reach,
                         snReal pos[3], snReal normal[3]) {
  SN_ASSERT_INDEX(geom, m->ngeom);
  const snReal *center = d->geom_xpos + 3 * geom, *mat = d->geom_xmat + 9 * geom;
  snReal offset[3], local[3], direction[3], dist;
  if (m->geom_type[geom] == snGEOM_MESH) {
    dist = hull(m, d, geom, x, reach, normal);
  } else {
    snu_sub3(offset, x, center);
    snu_mulMatTVec3(local, mat, offset);
    dist = localDistance(m, d, geom, local, reach, direction);
    if (!(dist < reach)) return reach;
    snu_mulMatVec3(normal, mat, direction);
  }
  if (!(dist < reach)) return reach;
  snu_addScl3(pos, x, normal, -dist);
  return dist;
}
