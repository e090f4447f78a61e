// Signed distance of two geoms.

#include "base/assert.h"
#include "base/misuse.h"
#include "engine/collide/collision.h"
#include "engine/collide/convex_query.h"
#include "model/object_types.h"
#include "sinew/sinew.h"

// pairs that have no closed form in the narrow phase, or whose closed form gives no distance
static int isConvexPair(int type1, int type2) {
  if (!sn_isConvexGeom(type1) || !sn_isConvexGeom(type2)) return 0;
  switch (type1) {
    case snGEOM_SPHERE: return type2 == snGEOM_ELLIPSOID || type2 == snGEOM_MESH;
    case snGEOM_CAPSULE:
      return type2 == snGEOM_ELLIPSOID || type2 == snGEOM_CYLINDER || type2 == snGEOM_MESH;
    default: return 1;
  }
}

static snReal convexDistance(const snModel* m, snData* d, int geom1, int geom2, snReal distmax,
                             snReal fromto[6]) {
  SN_ASSERT_INDEX2(geom1, geom2, m->ngeom);
  snConvex object1, object2;
  snCcd ccd;
  sn_convexGeom(&object1, m, d, geom1, 0);
  sn_convexGeom(&object2, m, d, geom2, 0);
  sn_ccdBegin(&ccd, m, d, &object1, &object2);
  ccd.cutoff = distmax;
  snReal dist = sn_ccd(&ccd);
  if (ccd.full) return distmax;
  if (fromto && ccd.npoint > 0) {
    snu_copy3(fromto, ccd.x1[0]);
    snu_copy3(fromto + 3, ccd.x2[0]);
  }
  return dist < distmax ? dist : distmax;
}

// by the collider of the pair, called with a margin that covers the distance
static snReal contactDistance(const snModel* m, snData* d, int g1, int g2, snReal distmax,
                              snReal fromto[6], int swapped) {
  SN_ASSERT_INDEX2(g1, g2, m->ngeom);
  snContactPoint points[snMAXCONPAIR];
  int n = sn_collideGeoms(m, d, points, g1, g2, distmax);
  snReal dist = distmax;
  int nearest = -1;
  for (int i = 0; i < n; i++) {
    if (points[i].dist < dist) {
      dist = points[i].dist;
      nearest = i;
    }
  }
  if (fromto && nearest >= 0) {
    const snContactPoint* point = points + nearest;
    snReal half = (swapped ? (snReal)-0.5 : (snReal)0.5) * dist;
    snu_addScl3(fromto, point->pos, point->normal, -half);
    snu_addScl3(fromto + 3, point->pos, point->normal, half);
  }
  return dist;
}

snReal sn_geomDistance(const snModel* m, const snData* d, int geom1, int geom2, snReal distmax,
                       snReal fromto[6]) {
  if (!SN_IS_DATA_OF(m, d, "sn_geomDistance")) return distmax;
  // the query leaves d as it is; scratch is taken from its stack and given back
  snData* scratch = (snData*)d;
  if (fromto) snu_zero(fromto, 6);
  if (geom1 < 0 || geom1 >= m->ngeom || geom2 < 0 || geom2 >= m->ngeom) {
    snu_error("sn_geomDistance: geom id out of range, expected 0 to %d", (int)m->ngeom - 1);
    return distmax;
  }
  int swapped = m->geom_type[geom1] > m->geom_type[geom2];
  int g1 = swapped ? geom2 : geom1, g2 = swapped ? geom1 : geom2;
  int type1 = m->geom_type[g1], type2 = m->geom_type[g2];
  if (!sn_hasCollider(type1, type2)) return distmax;
  if (!(m->opt.disableflags & snDSBL_NATIVECCD) && isConvexPair(type1, type2)) {
    return convexDistance(m, scratch, geom1, geom2, distmax, fromto);
  }
  return contactDistance(m, scratch, g1, g2, distmax, fromto, swapped);
}
