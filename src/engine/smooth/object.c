// Velocity and acceleration of bodies, geoms, sites and cameras.

#include "engine/smooth/object.h"

#include "base/assert.h"
#include "base/misuse.h"
#include "math/math.h"

static snPlace placeAt(int body, const snReal* pos, const snReal* mat, int id) {
  SN_ASSERT(body >= 0 && id >= 0);
  snPlace place;
  place.body = body;
  place.pos = pos + 3 * id;
  place.mat = mat + 9 * id;
  return place;
}

snPlace sn_objectPlace(const snModel* m, const snData* d, int type, int id) {
  switch (type) {
    case snOBJ_BODY: return placeAt(id, d->xipos, d->ximat, id);
    case snOBJ_XBODY: return placeAt(id, d->xpos, d->xmat, id);
    case snOBJ_GEOM: return placeAt(m->geom_bodyid[id], d->geom_xpos, d->geom_xmat, id);
    case snOBJ_SITE: return placeAt(m->site_bodyid[id], d->site_xpos, d->site_xmat, id);
    case snOBJ_CAMERA: return placeAt(m->cam_bodyid[id], d->cam_xpos, d->cam_xmat, id);
    default: return placeAt(-1, d->xpos, d->xmat, 0);
  }
}

// move a com-based vector of the body to the object; zero for bodies that are welded to the world
static void atPlace(const snModel* m, const snData* d, const snPlace* place, const snReal* vectors,
                    snReal res[6], int flg_local) {
  if (m->body_weldid[place->body] == 0) {
    sn_zero6(res);
    return;
  }
  snu_transformSpatial(res, vectors + 6 * place->body, 0, place->pos,
                       d->subtree_com + 3 * m->body_rootid[place->body],
                       flg_local ? place->mat : NULL);
}

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
  atPlace(m, d, &place, d->cvel, res, flg_local);
}

void sn_objectAcceleration(const snModel* m, const snData* d, int objtype, int objid, snReal res[6],
                           int flg_local) {
  if (!isObject(m, d, objtype, objid, "sn_objectAcceleration")) return;
  snPlace place = sn_objectPlace(m, d, objtype, objid);
  snReal vel[6], centripetal[3];
  atPlace(m, d, &place, d->cacc, res, flg_local);
  atPlace(m, d, &place, d->cvel, vel, flg_local);
  snu_cross(centripetal, vel, vel + 3);
  snu_addTo3(res + 3, centripetal);
}
