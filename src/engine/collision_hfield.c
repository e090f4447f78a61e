// Height fields: each triangle of the grid is the top of a prism that reaches down to the base, and
// every prism under a geom is a convex object of its own.

#include "engine/ccd.h"
#include "engine/collision.h"
#include "engine/mpr.h"
#include "sinew/sinew.h"

// Range of grid cells below an object, and the heights to compare with.
typedef struct Patch_ {
  int cmin, cmax, rmin, rmax;
  snReal zmin;
} Patch;

// box of an object in the frame of the field: lowest and highest support along each axis
static void bounds(snReal low[3], snReal high[3], snConvex* object) {
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
static int findPatch(Patch* patch, const snModel* m, int field, snConvex* object, snReal margin) {
  const snReal* size = m->hfield_size + 4 * field;
  snReal low[3], high[3];
  bounds(low, high, object);
  // written so that a NaN misses
  if (!(low[0] - margin <= size[0] && high[0] + margin >= -size[0] && low[1] - margin <= size[1] &&
        high[1] + margin >= -size[1] && low[2] - margin <= size[2] &&
        high[2] + margin >= -size[3])) {
    return 0;
  }
  gridRange(&patch->cmin, &patch->cmax, low[0], high[0], size[0], m->hfield_ncol[field]);
  gridRange(&patch->rmin, &patch->rmax, low[1], high[1], size[1], m->hfield_nrow[field]);
  patch->zmin = low[2];
  return 1;
}

// append a grid point to a prism, dropping the oldest
static void addGridPoint(snConvex* prism, const snModel* m, int field, int r, int c,
                         snReal margin) {
  const snReal* size = m->hfield_size + 4 * field;
  int ncol = m->hfield_ncol[field], nrow = m->hfield_nrow[field];
  snReal dx = 2 * size[0] / (ncol - 1), dy = 2 * size[1] / (nrow - 1);
  for (int i = 0; i < 5; i++) {
    if (i != 2) snu_copy3(prism->point[i], prism->point[i + 1]);
  }
  snReal* bottom = prism->point[2];
  snReal* top = prism->point[5];
  bottom[0] = top[0] = c * dx - size[0];
  bottom[1] = top[1] = r * dy - size[1];
  bottom[2] = -size[3];
  top[2] = (snReal)m->hfield_data[m->hfield_adr[field] + r * ncol + c] * size[2] + margin;
}

// Is the box around a prism out of reach of a sphere around the object? Meshes are never skipped:
// each query leaves them a vertex from which the next one starts.
static int isFar(const snConvex* prism, const snConvex* object, snReal radius) {
  if (object->nvert > 0) return 0;
  snReal square = 0;
  for (int i = 0; i < 3; i++) {
    const snReal* first = prism->point[i < 2 ? 0 : 3] + i;
    snReal low = first[0], high = first[0];
    for (int j = 1; j < 3; j++) {
      low = snu_min(low, first[3 * j]);
      high = snu_max(high, first[3 * j]);
    }
    if (i == 2) low = prism->point[0][2];
    snReal excess = snu_max(low - object->pos[i], object->pos[i] - high);
    if (excess > 0) square += excess * excess;
  }
  return square > radius * radius;
}

static int isBelow(const snConvex* prism, snReal z) {
  return prism->point[3][2] < z && prism->point[4][2] < z && prism->point[5][2] < z;
}

// Is the object on the outer side of the plane of a prism's top, by more than the tolerance of a
// query? One support point tells what the query would find out with several.
static int isAbove(const snCcd* ccd) {
  const snConvex* prism = ccd->object1;
  if (ccd->object2->nvert > 0 || (ccd->m->opt.disableflags & snDSBL_NATIVECCD)) return 0;
  snReal edge1[3], edge2[3], down[3], point[3];
  snu_sub3(edge1, prism->point[4], prism->point[3]);
  snu_sub3(edge2, prism->point[5], prism->point[3]);
  snu_cross(down, edge1, edge2);
  snReal norm = snu_norm3(down);
  if (norm < (snReal)snMINVAL) return 0;
  snu_scl3(down, down, (down[2] > 0 ? -1 : 1) / norm);
  sn_convexSupport(point, ccd->object2, down);
  snu_subFrom3(point, prism->point[3]);
  return snu_dot3(point, down) < -10 * ccd->tolerance;
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

static int collidePatch(snCcd* ccd, snContactPoint* points, int field, const Patch* patch,
                        snReal margin, snReal rbound) {
  snConvex* prism = ccd->object1;
  // a little more than the inflated object, so that what is skipped is safely apart
  snReal radius = (rbound + (snReal)0.5 * margin) * (1 + (snReal)1e-6);
  int n = 0;
  for (int r = patch->rmin; r < patch->rmax; r++) {
    int count = 0;
    for (int c = patch->cmin; c <= patch->cmax; c++) {
      for (int up = 1; up >= 0; up--) {
        addGridPoint(prism, ccd->m, field, r + up, c, margin);
        if (++count < 3 || isBelow(prism, patch->zmin)) continue;
        if (isFar(prism, ccd->object2, radius) || isAbove(ccd)) continue;
        n += collidePrism(ccd, points + n);
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

static int collideField(snCcd* ccd, snContactPoint* points, int g1, int g2, snReal margin,
                        const snReal pos[3], const snReal mat[9]) {
  Patch patch;
  int field = ccd->m->geom_dataid[g1];
  ccd->object2->margin = 0;
  if (!findPatch(&patch, ccd->m, field, ccd->object2, margin)) return 0;
  ccd->object2->margin = margin;
  int n = collidePatch(ccd, points, field, &patch, margin, ccd->m->geom_rbound[g2]);
  for (int i = 0; i < n; i++) {
    snu_mulMatVec3(points[i].normal, mat, points[i].normal);
    snu_mulMatVec3(points[i].pos, mat, points[i].pos);
    snu_addTo3(points[i].pos, pos);
  }
  return n;
}

int sn_collideHfield(const snModel* m, snData* d, snContactPoint* points, int g1, int g2,
                     snReal margin) {
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
    n = collideField(&ccd, points, g1, g2, margin, pos, mat);
  } else {
    sn_warning(d, snWARN_CONTACTFULL, d->ncon);
  }
  sn_ccdEnd(&ccd, d);
  if (m->opt.disableflags & snDSBL_NATIVECCD) {
    for (int i = 0; i < n; i++) sn_fixNormal(points[i].normal, points[i].pos, NULL, &world);
  }
  return n;
}
