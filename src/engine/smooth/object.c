// Velocity and acceleration of bodies, geoms, sites and cameras.

#include "engine/smooth/object.h"

#include "base/assert.h"
#include "base/misuse.h"
#include "math/math.h"

static int isObject(const snModel* m, const snData* d, int type, int id, const char* function) {
  if (!SN_IS_DATA_OF(m, d, function)) return 0;
  switch (type) {
    case snOBJ_BODY:
    case snOBJ_XBODY: return SN_IS_INDEX(id, m->nbody, function);
    case snOBJ_GEOM: return SN_IS_INDEX(id, m->ngeom, function);
    case snOBJ_SITE: return SN_IS_INDEX(id, m->nsite, function);
    case snOBJ_CAMERA: return SN_IS_INDEX(id, m->ncam, function);
    default: snu_error("%s: invalid object type %d", function, type); return 0;
  }
}

void sn_objectVelocity(const snModel* m, const snData* d, int objtype, int objid, snReal res[6],
                       int flg_local) {
  if (!isObject(m, d, objtype, objid, "sn_objectVelocity")) return;
  snPlace place = sn_objectPlace(m, d, objtype, objid);
  sn_vectorAt(m, d, &place, d->cvel, res, flg_local);
}

void sn_objectAcceleration(const snModel* m, const snData* d, int objtype, int objid, snReal res[6],
                           int flg_local) {
  if (!isObject(m, d, objtype, objid, "sn_objectAcceleration")) return;
  snPlace place = sn_objectPlace(m, d, objtype, objid);
  sn_accelerationAt(m, d, &place, res, flg_local);
}
