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
  snReal slack;        // what must be between the object and a prism that is out of its reach
  int skips;           // prisms out of reach are skipped
  int skipped;         // one was, since the last query
  int wrong;           // one was, and it would have mattered to a later query
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

// How far an object reaches from its centre against a vector, times the vector's length. The search on a mesh starts at
// the vertex of the last query, and does not change it.
static snReal reachAgainst(snConvex* object, const snReal vector[3]) {
  const snReal* size = object->size;
  snReal along[3], flat;
  if (object->kind == snGEOM_MESH) {
    int vertex = object->vertex, start = object->start;
    snReal point[3], norm = snu_norm3(vector);
    snu_scl3(along, vector, -1 / norm);
    sn_convexSupport(point, object, along);
    object->vertex = vertex;
    object->start = start;
    snu_subFrom3(point, object->pos);
    return norm * snu_dot3(along, point);
  }
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

// Every prism will be looked at.
static void lookAtAll(Patch* patch) {
  patch->radius = patch->dmax = SN_CCD_FAR;
  patch->dmin = -SN_CCD_FAR;
  patch->diagonal[0] = patch->diagonal[1] = 0;
  patch->skips = patch->skipped = patch->wrong = 0;
}

// Measure the object for the tests of prisms. They must be sure: what they skip is apart by more than
// the tolerance of a query. Nothing is skipped in the legacy pipeline.
static void measure(Patch* patch, const snCcd* ccd, snReal rbound) {
  const snModel* m = ccd->m;
  snConvex* object = ccd->object2;
  snReal slack = (snReal)0.5 * patch->margin + 10 * ccd->tolerance + (snReal)1e-6 * rbound;
  patch->slack = slack;
  lookAtAll(patch);
  patch->skips = (sn_isGeomOf(object->kind, snFAMILY_SOLID) || object->kind == snGEOM_MESH) &&
                 !(m->opt.disableflags & snDSBL_NATIVECCD);
  if (!patch->skips) return;

  // the diagonal of a cell has the direction (dx, dy)
  const snReal* size = m->hfield_size + 4 * patch->field;
  snReal normal[3] = {size[1] / (m->hfield_nrow[patch->field] - 1),
                      -size[0] / (m->hfield_ncol[patch->field] - 1), 0};
  snu_normalize3(normal);
  patch->diagonal[0] = normal[0];
  patch->diagonal[1] = normal[1];
  snReal middle = snu_dot3(normal, object->pos);
  patch->dmin = middle - reachAgainst(object, normal) - slack;
  snu_scl3(normal, normal, -1);
  patch->dmax = middle + reachAgainst(object, normal) + slack;
  patch->radius = rbound + slack;
}

// Is the object above the plane of a prism's top, z = height - slope . (x, y)? Prisms end there.
static inline int isAbove(const Patch* patch, snConvex* object, snReal x, snReal y, snReal height,
                          snReal slopex, snReal slopey) {
  if (!patch->skips) return 0;
  const snReal* center = object->pos;
  snReal normal[3] = {slopex, slopey, 1};
  snReal above = (center[0] - x) * slopex + (center[1] - y) * slopey + (center[2] - height);
  return above >
         reachAgainst(object, normal) + patch->slack * (1 + snu_abs(slopex) + snu_abs(slopey));
}

// the offset to a point from the nearest point of the edges of a triangle; no branches, which would be taken at random
static void offsetFromEdges(snReal offset[3], const snReal corner[3][3], const snReal point[3]) {
  snReal from[3][3], best = SN_CCD_FAR;
  int nearest = 0;
  for (int i = 0; i < 3; i++) {
    snReal edge[3];
    snu_sub3(edge, corner[i == 2 ? 0 : i + 1], corner[i]);
    snu_sub3(from[i], point, corner[i]);
    snReal along = snu_dot3(from[i], edge) / snu_dot3(edge, edge);
    // 0 below 0, 1 above 1
    along = (snReal)0.5 * (snu_abs(along) + 1 - snu_abs(along - 1));
    snu_addToScl3(from[i], edge, -along);
    snReal square = snu_dot3(from[i], from[i]);
    nearest = square < best ? i : nearest;
    best = square < best ? square : best;
  }
  snu_copy3(offset, from[nearest]);
}

// The same for an ellipsoid, where distances are measured in the coordinates that make it a ball: along the vector,
// which is one of the field's frame again, the ellipsoid begins farthest from the edges.
static void offsetFromEdgesOfBall(snReal offset[3], const snReal corner[3][3],
                                  const snConvex* ellipsoid) {
  static const snReal kCenter[3] = {0, 0, 0};
  const snReal* size = ellipsoid->size;
  snReal scaled[3][3], local[3];
  for (int i = 0; i < 3; i++) {
    snu_sub3(local, corner[i], ellipsoid->pos);
    snu_mulMatTVec3(local, ellipsoid->mat, local);
    for (int k = 0; k < 3; k++) scaled[i][k] = local[k] / size[k];
  }
  offsetFromEdges(local, (const snReal(*)[3])scaled, kCenter);
  for (int k = 0; k < 3; k++) local[k] /= size[k];
  snu_mulMatVec3(offset, ellipsoid->mat, local);
}

// Does the object end before a prism along the line from the nearest edge of its top to the object's centre? A
// capsule's line is that to the point of its segment which is nearest to the edge.
static int isBeside(const Patch* patch, const snConvex* prism, snConvex* object) {
  if (!patch->skips) return 0;
  const snReal(*top)[3] = prism->point + 3;
  snReal normal[3] = {0, 0, 0}, point[3];
  if (object->kind == snGEOM_ELLIPSOID) {
    offsetFromEdgesOfBall(normal, top, object);
  } else {
    offsetFromEdges(normal, top, object->pos);
  }
  if (object->kind == snGEOM_CAPSULE) {
    snReal axis[3] = {object->mat[2], object->mat[5], object->mat[8]};
    snReal half = object->size[1];
    snu_addScl3(point, object->pos, axis, snu_clip(-snu_dot3(axis, normal), -half, half));
    offsetFromEdges(normal, top, point);
  }
  snReal end = -SN_CCD_FAR;
  for (int i = 0; i < 3; i++) {
    snReal z = normal[2] < 0 ? prism->point[i][2] : top[i][2];
    end = snu_max(end, normal[0] * top[i][0] + normal[1] * top[i][1] + normal[2] * z);
  }
  snReal size = snu_abs(normal[0]) + snu_abs(normal[1]) + snu_abs(normal[2]);
  return snu_dot3(normal, object->pos) - end > reachAgainst(object, normal) + patch->slack * size;
}

static void setCorner(snConvex* prism, int i, snReal x, snReal y, snReal z, snReal base) {
  snReal* bottom = prism->point[i];
  snReal* top = prism->point[i + 3];
  bottom[0] = top[0] = x;
  bottom[1] = top[1] = y;
  bottom[2] = base;
  top[2] = z;
}

// Is the first support vertex of a query independent of the vertex at which the last query ended?
static int startsAnew(const snCcd* ccd) {
  snReal center[3], direction[3];
  if (ccd->object2->kind != snGEOM_MESH) return 1;
  sn_convexCenter(direction, ccd->object1);
  sn_convexCenter(center, ccd->object2);
  snu_subFrom3(direction, center);
  snReal norm = snu_norm3(direction);
  if (ccd->iterations == 0 || norm < snMINVAL) return 0;
  snu_scl3(direction, direction, 1 / norm);
  return sn_convexIsSure(ccd->m, ccd->object2, direction);
}

// one prism against the object, in the frame of the field
static int collidePrism(snCcd* ccd, Patch* patch, snContactPoint* point) {
  if (isBeside(patch, ccd->object1, ccd->object2)) {
    patch->skipped = 1;
    return 0;
  }
  if (patch->skipped && !startsAnew(ccd)) patch->wrong = 1;
  patch->skipped = 0;
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
static int collideRow(snCcd* ccd, snContactPoint* points, int n, Patch* patch, int r) {
  const snModel* m = ccd->m;
  snConvex *prism = ccd->object1, *object = ccd->object2;
  const snReal* size = m->hfield_size + 4 * patch->field;
  const snReal* center = object->pos;
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
    if (!(top < patch->zmin)) {
      if ((patch->dmin > diagonal) | (squaredExcess(center[2], base, top) > reachz) ||
          isAbove(patch, object, xold, y1, zold1, (zold1 - z1) / dx, (zold0 - zold1) / dy)) {
        patch->skipped = 1;
      } else {
        setCorner(prism, 0, xold, y1, zold1, base);
        setCorner(prism, 1, xold, y0, zold0, base);
        setCorner(prism, 2, x, y1, z1, base);
        n += collidePrism(ccd, patch, points + n);
        if (n == snMAXCONPAIR) return n;
      }
    }
    top = edge > z0 ? edge : z0;
    if (!(top < patch->zmin)) {
      if ((patch->dmax < diagonal) | (squaredExcess(center[2], base, top) > reachz) ||
          isAbove(patch, object, x, y0, z0, (zold0 - z0) / dx, (z0 - z1) / dy)) {
        patch->skipped = 1;
      } else {
        setCorner(prism, 0, xold, y0, zold0, base);
        setCorner(prism, 1, x, y1, z1, base);
        setCorner(prism, 2, x, y0, z0, base);
        n += collidePrism(ccd, patch, points + n);
        if (n == snMAXCONPAIR) return n;
      }
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

static int collideRows(snCcd* ccd, snContactPoint* points, Patch* patch) {
  int n = 0;
  for (int r = patch->rmin; r < patch->rmax && n < snMAXCONPAIR && !patch->wrong; r++) {
    n = collideRow(ccd, points, n, patch, r);
  }
  return n;
}

// The cells are those below the object without margin, of a flex element without its radius.
static int collideField(snCcd* ccd, snContactPoint* points, int g1, snReal rbound, snReal margin,
                        const snReal pos[3], const snReal mat[9]) {
  static const snReal kNoRadius[1] = {0};
  snConvex* object = ccd->object2;
  const snReal* size = object->size;
  Patch patch;
  patch.field = ccd->m->geom_dataid[g1];
  patch.margin = margin;
  object->margin = 0;
  if (object->kind == snCONVEX_FLEX) object->size = kNoRadius;
  if (!findPatch(&patch, ccd->m, object)) return 0;
  object->size = size;
  measure(&patch, ccd, rbound);
  object->margin = margin;
  int vertex = object->vertex, start = object->start;
  int n = collideRows(ccd, points, &patch);
  if (patch.wrong) {
    object->vertex = vertex;
    object->start = start;
    lookAtAll(&patch);
    n = collideRows(ccd, points, &patch);
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

  sn_ccdBegin(&ccd, m, d, &prism, &object);
  int n = collideField(&ccd, points, g1, m->geom_rbound[g2], margin, pos, mat);
  if (ccd.full) sn_missContact(d);
  if (m->opt.disableflags & snDSBL_NATIVECCD) {
    for (int i = 0; i < n; i++) sn_fixNormal(points[i].normal, points[i].pos, NULL, &world);
  }
  return n;
}

int sn_collideHfieldConvex(const snModel* m, snData* d, snContactPoint* points, int geom,
                           const snConvex* world, snReal margin) {
  SN_ASSERT_INDEX(geom, m->ngeom);
  const snReal *pos = d->geom_xpos + 3 * geom, *mat = d->geom_xmat + 9 * geom;
  snConvex prism, object = *world;
  snReal center[3], offset[3];
  snCcd ccd;
  int field = m->geom_dataid[geom];
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
  sn_ccdBegin(&ccd, m, d, &prism, &object);
  int n = collideField(&ccd, points, geom, 0, margin, pos, mat);
  if (ccd.full) sn_missContact(d);
  return n;
}
