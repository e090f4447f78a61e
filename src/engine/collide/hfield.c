// Height fields: each triangle of the grid is the top of a prism that reaches down to the base, and
// every prism under a geom is a convex object of its own.

#include "base/assert.h"
#include "engine/collide/collision.h"
#include "engine/collide/convex_query.h"
#include "engine/collide/mpr.h"
#include "sinew/sinew.h"

// Grid cells below an object, and what is known of the object: bounds by which prisms are told to be
// out of its reach.
typedef struct Patch_ {
  int field;
  int cmin, cmax, rmin, rmax;
  snReal margin;
  snReal zmin;         // lowest point
  snReal radius;       // of a sphere around it
  snReal diagonal[2];  // horizontal unit normal of the diagonals of the cells
  snReal dmin, dmax;   // extent along it
  snReal slack;        // what must be between the object and a top face that it is above
  int solid;           // the object's extent along any direction is known
} Patch;

// The same for what is symmetric about its centre: the support against an axis is the mirror image of that along it, to
// the last bit.
static void boundsOfSolid(snReal low[3], snReal high[3], snConvex* object) {
  static const snReal kOrigin[3] = {0, 0, 0};
  const snReal* center = object->pos;
  object->pos = kOrigin;
  for (int axis = 0; axis < 3; axis++) {
    snReal direction[3] = {0, 0, 0}, point[3];
    direction[axis] = 1;
    sn_convexSupport(point, object, direction);
    high[axis] = point[axis] + center[axis];
    low[axis] = -point[axis] + center[axis];
  }
  object->pos = center;
}

// box of an object in the frame of the field: lowest and highest support along each axis
static void bounds(snReal low[3], snReal high[3], snConvex* object) {
  if (sn_isGeomOf(object->kind, snFAMILY_SOLID)) {
    boundsOfSolid(low, high, object);
    return;
  }
  for (int axis = 0; axis < 3; axis++) {
    for (int sign = 1; sign >= -1; sign -= 2) {
      snReal direction[3] = {0, 0, 0}, point[3];
      direction[axis] = (snReal)sign;
      sn_convexSupport(point, object, direction);
      (sign > 0 ? high : low)[axis] = point[axis];
    }
  }
}

// first and last grid line that cover an interval of one axis
static void gridRange(int* first, int* last, snReal low, snReal high, snReal size, int n) {
  snReal from = snu_floor((low + size) / (2 * size) * (n - 1));
  snReal to = snu_ceil((high + size) / (2 * size) * (n - 1));
  *first = from > 0 ? (from < n - 1 ? (int)from : n - 1) : 0;
  *last = to < n - 1 ? (to > 0 ? (int)to : 0) : n - 1;
}

// Cells that an object may touch. Returns 0 when it misses the field.
static int findPatch(Patch* patch, const snModel* m, snConvex* object) {
  const snReal* size = m->hfield_size + 4 * patch->field;
  snReal low[3], high[3], margin = patch->margin;
  bounds(low, high, object);
  // written so that a NaN misses
  if (!(low[0] - margin <= size[0] && high[0] + margin >= -size[0] && low[1] - margin <= size[1] &&
        high[1] + margin >= -size[1] && low[2] - margin <= size[2] &&
        high[2] + margin >= -size[3])) {
    return 0;
  }
  gridRange(&patch->cmin, &patch->cmax, low[0], high[0], size[0], m->hfield_ncol[patch->field]);
  gridRange(&patch->rmin, &patch->rmax, low[1], high[1], size[1], m->hfield_nrow[patch->field]);
  patch->zmin = low[2];
  return 1;
}

// Measure the object for the tests of prisms. They must be sure: what they skip is apart by more than
// the tolerance of a query. Meshes are never skipped: each query leaves them a vertex from which the
// next one starts. Neither is anything in the legacy pipeline.
static void measure(Patch* patch, const snCcd* ccd, snReal rbound) {
  const snModel* m = ccd->m;
  snConvex* object = ccd->object2;
  snReal slack = (snReal)0.5 * patch->margin + 10 * ccd->tolerance + (snReal)1e-6 * rbound;
  patch->radius = patch->dmax = SN_CCD_FAR;
  patch->dmin = -SN_CCD_FAR;
  patch->diagonal[0] = patch->diagonal[1] = 0;
  patch->slack = slack;
  patch->solid = 0;
  if (object->nvert > 0 || (m->opt.disableflags & snDSBL_NATIVECCD)) return;

  // the diagonal of a cell has the direction (dx, dy)
  const snReal* size = m->hfield_size + 4 * patch->field;
  snReal normal[3] = {size[1] / (m->hfield_nrow[patch->field] - 1),
                      -size[0] / (m->hfield_ncol[patch->field] - 1), 0};
  snReal point[3];
  snu_normalize3(normal);
  sn_convexSupport(point, object, normal);
  patch->dmax = snu_dot3(normal, point) + slack;
  snu_scl3(normal, normal, -1);
  sn_convexSupport(point, object, normal);
  patch->dmin = -snu_dot3(normal, point) - slack;
  patch->diagonal[0] = -normal[0];
  patch->diagonal[1] = -normal[1];
  patch->radius = rbound + slack;
  patch->solid = sn_isGeomOf(object->kind, snFAMILY_SOLID);
}

// how far an object reaches from its centre along a vector, times the vector's length
static snReal reachAlong(const snConvex* object, const snReal vector[3]) {
  const snReal* size = object->size;
  snReal along[3], flat;
  snu_mulMatTVec3(along, object->mat, vector);
  flat = along[0] * along[0] + along[1] * along[1];
  switch (object->kind) {
    case snGEOM_SPHERE: return size[0] * snu_norm3(vector);
    case snGEOM_CAPSULE:
      return size[0] * snu_sqrt(flat + along[2] * along[2]) + size[1] * snu_abs(along[2]);
    case snGEOM_CYLINDER: return size[0] * snu_sqrt(flat) + size[1] * snu_abs(along[2]);
    case snGEOM_ELLIPSOID:
      for (int k = 0; k < 3; k++) along[k] *= size[k];
      return snu_norm3(along);
    default:
      return size[0] * snu_abs(along[0]) + size[1] * snu_abs(along[1]) +
             size[2] * snu_abs(along[2]);
  }
}

// Is the object above the plane of a prism's top, z = height - slope . (x, y)? Prisms end there.
static inline int isAbove(const Patch* patch, const snConvex* object, snReal x, snReal y,
                          snReal height, snReal slopex, snReal slopey) {
  if (!patch->solid) return 0;
  const snReal* center = object->pos;
  snReal normal[3] = {slopex, slopey, 1};
  snReal above = (center[0] - x) * slopex + (center[1] - y) * slopey + (center[2] - height);
  return above >
         reachAlong(object, normal) + patch->slack * (1 + snu_abs(slopex) + snu_abs(slopey));
}

static void setCorner(snConvex* prism, int i, snReal x, snReal y, snReal z, snReal base) {
  snReal* bottom = prism->point[i];
  snReal* top = prism->point[i + 3];
  bottom[0] = top[0] = x;
  bottom[1] = top[1] = y;
  bottom[2] = base;
  top[2] = z;
}

// one prism against the object, in the frame of the field
static int collidePrism(snCcd* ccd, snContactPoint* point) {
  snu_zero3(point->tangent);
  if (ccd->m->opt.disableflags & snDSBL_NATIVECCD) {
    snReal depth;
    if (!sn_mpr(ccd->object1, ccd->object2, ccd->tolerance, ccd->iterations, &depth, point->normal,
                point->pos)) {
      return 0;
    }
    point->dist = -depth;
    return 1;
  }
  if (!(sn_ccd(ccd) < 0)) return 0;
  point->dist = ccd->dist;
  snu_sub3(point->normal, ccd->x1[0], ccd->x2[0]);
  snu_normalize3(point->normal);
  snu_add3(point->pos, ccd->x1[0], ccd->x2[0]);
  snu_scl3(point->pos, point->pos, (snReal)0.5);
  return 1;
}

// squared distance of a number from an interval
static inline snReal squaredExcess(snReal x, snReal low, snReal high) {
  snReal below = low - x, above = x - high;
  snReal excess = below > above ? below : above;
  excess = excess > 0 ? excess : 0;
  return excess * excess;
}

// One row of cells. Each has two prisms, whose corners are taken in turn from the upper (1) and the
// lower (0) side of the row.
static int collideRow(snCcd* ccd, snContactPoint* points, int n, const Patch* patch, int r) {
  const snModel* m = ccd->m;
  snConvex* prism = ccd->object1;
  const snReal* size = m->hfield_size + 4 * patch->field;
  const snReal* center = ccd->object2->pos;
  int ncol = m->hfield_ncol[patch->field], nrow = m->hfield_nrow[patch->field];
  const float* data0 = m->hfield_data + m->hfield_adr[patch->field] + r * ncol;
  const float* data1 = data0 + ncol;
  snReal dx = 2 * size[0] / (ncol - 1), dy = 2 * size[1] / (nrow - 1);
  snReal y0 = r * dy - size[1], y1 = (r + 1) * dy - size[1], base = -size[3];
  snReal reach = patch->radius * patch->radius - squaredExcess(center[1], y0, y1);

  snReal x = patch->cmin * dx - size[0];
  snReal z0 = (snReal)data0[patch->cmin] * size[2] + patch->margin;
  snReal z1 = (snReal)data1[patch->cmin] * size[2] + patch->margin;
  for (int c = patch->cmin + 1; c <= patch->cmax; c++) {
    snReal xold = x, zold0 = z0, zold1 = z1;
    x = c * dx - size[0];
    z0 = (snReal)data0[c] * size[2] + patch->margin;
    z1 = (snReal)data1[c] * size[2] + patch->margin;
    snReal diagonal = patch->diagonal[0] * x + patch->diagonal[1] * y1;
    snReal reachz = reach - squaredExcess(center[0], xold, x);
    snReal edge = zold0 > z1 ? zold0 : z1;

    snReal top = edge > zold1 ? edge : zold1;
    if (!((top < patch->zmin) | (patch->dmin > diagonal) |
          (squaredExcess(center[2], base, top) > reachz)) &&
        !isAbove(patch, ccd->object2, xold, y1, zold1, (zold1 - z1) / dx, (zold0 - zold1) / dy)) {
      setCorner(prism, 0, xold, y1, zold1, base);
      setCorner(prism, 1, xold, y0, zold0, base);
      setCorner(prism, 2, x, y1, z1, base);
      n += collidePrism(ccd, points + n);
      if (n == snMAXCONPAIR) return n;
    }
    top = edge > z0 ? edge : z0;
    if (!((top < patch->zmin) | (patch->dmax < diagonal) |
          (squaredExcess(center[2], base, top) > reachz)) &&
        !isAbove(patch, ccd->object2, x, y0, z0, (zold0 - z0) / dx, (z0 - z1) / dy)) {
      setCorner(prism, 0, xold, y0, zold0, base);
      setCorner(prism, 1, x, y1, z1, base);
      setCorner(prism, 2, x, y0, z0, base);
      n += collidePrism(ccd, points + n);
      if (n == snMAXCONPAIR) return n;
    }
  }
  return n;
}

// bounding sphere of the geom against the box of the field
static int missesField(const snReal size[4], const snReal center[3], snReal radius) {
  return size[0] < center[0] - radius || -size[0] > center[0] + radius ||
         size[1] < center[1] - radius || -size[1] > center[1] + radius ||
         size[2] < center[2] - radius || -size[3] > center[2] + radius;
}

// The cells are those below the object without margin, of a flex element without its radius.
static int collideField(snCcd* ccd, snContactPoint* points, int g1, snReal rbound, snReal margin,
                        const snReal pos[3], const snReal mat[9]) {
  static const snReal kNoRadius[1] = {0};
  snConvex* object = ccd->object2;
  const snReal* size = object->size;
  Patch patch;
  int n = 0;
  patch.field = ccd->m->geom_dataid[g1];
  patch.margin = margin;
  object->margin = 0;
  if (object->kind == snCONVEX_FLEX) object->size = kNoRadius;
  if (!findPatch(&patch, ccd->m, object)) return 0;
  object->size = size;
  measure(&patch, ccd, rbound);
  object->margin = margin;
  for (int r = patch.rmin; r < patch.rmax && n < snMAXCONPAIR; r++) {
    n = collideRow(ccd, points, n, &patch, r);
  }
  for (int i = 0; i < n; i++) {
    snu_mulMatVec3(points[i].normal, mat, points[i].normal);
    snu_mulMatVec3(points[i].pos, mat, points[i].pos);
    snu_addTo3(points[i].pos, pos);
  }
  return n;
}

int sn_collideHfield(const snModel* m, snData* d, snContactPoint* points, int g1, int g2,
                     snReal margin) {
  SN_ASSERT_INDEX2(g1, g2, m->ngeom);
  double local[SN_CCD_LOCALSIZE];
  const snReal* pos = d->geom_xpos + 3 * g1;
  const snReal* mat = d->geom_xmat + 9 * g1;
  snConvex prism, object;
  snCcd ccd;
  snReal relative[3];
  int field = m->geom_dataid[g1];
  if (field < 0 || m->hfield_ncol[field] < 2 || m->hfield_nrow[field] < 2) return 0;
  snu_sub3(relative, d->geom_xpos + 3 * g2, pos);
  snu_mulMatTVec3(relative, mat, relative);
  if (missesField(m->hfield_size + 4 * field, relative, m->geom_rbound[g2] + margin)) return 0;

  // work in the frame of the field
  sn_convexGeom(&prism, m, d, g1, 0);
  prism.kind = snCONVEX_PRISM;
  sn_convexGeom(&object, m, d, g2, margin);
  snConvex world = object;
  snReal rotation[9];
  sn_mulMatTMat3(rotation, mat, world.mat);
  object.pos = relative;
  object.mat = rotation;

  int n = 0;
  sn_ccdBegin(&ccd, m, d, &prism, &object, local);
  if (ccd.scratch) {
    n = collideField(&ccd, points, g1, m->geom_rbound[g2], margin, pos, mat);
  } else {
    sn_warning(d, snWARN_CONTACTFULL, d->ncon);
  }
  sn_ccdEnd(&ccd, d);
  if (m->opt.disableflags & snDSBL_NATIVECCD) {
    for (int i = 0; i < n; i++) sn_fixNormal(points[i].normal, points[i].pos, NULL, &world);
  }
  return n;
}

int sn_collideHfieldConvex(const snModel* m, snData* d, snContactPoint* points, int geom,
                           const snConvex* world, snReal margin) {
  SN_ASSERT_INDEX(geom, m->ngeom);
  double local[SN_CCD_LOCALSIZE];
  const snReal *pos = d->geom_xpos + 3 * geom, *mat = d->geom_xmat + 9 * geom;
  snConvex prism, object = *world;
  snReal center[3], offset[3];
  snCcd ccd;
  int n = 0, field = m->geom_dataid[geom];
  if (field < 0 || m->hfield_ncol[field] < 2 || m->hfield_nrow[field] < 2) return 0;
  sn_convexGeom(&prism, m, d, geom, 0);
  prism.kind = snCONVEX_PRISM;
  snu_sub3(offset, world->pos, pos);
  snu_mulMatTVec3(center, mat, offset);
  object.pos = center;
  for (int i = 0; i < object.nvert; i++) {
    snu_sub3(offset, world->point[i], pos);
    snu_mulMatTVec3(object.point[i], mat, offset);
  }
  sn_ccdBegin(&ccd, m, d, &prism, &object, local);
  if (ccd.scratch) {
    n = collideField(&ccd, points, geom, 0, margin, pos, mat);
  } else {
    sn_warning(d, snWARN_CONTACTFULL, d->ncon);
  }
  sn_ccdEnd(&ccd, d);
  return n;
}
