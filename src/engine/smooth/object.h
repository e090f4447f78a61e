// Objects that have a place in the world: bodies, geoms, sites and cameras.

#ifndef SINEW_ENGINE_SMOOTH_OBJECT_H_
#define SINEW_ENGINE_SMOOTH_OBJECT_H_

#include "base/assert.h"
#include "math/math.h"
#include "sinew/sinew.h"

// Where an object is: its body (-1: objects of this type have no place), position, orientation.
struct snPlace_ {
  int body;
  const snReal* pos;
  const snReal* mat;
};
typedef struct snPlace_ snPlace;

SN_KERNEL snPlace sn_placeAt(int body, const snReal* pos, const snReal* mat, int id) {
  SN_ASSERT(body >= -1 && id >= 0);
  snPlace place;
  place.body = body;
  place.pos = pos + 3 * id;
  place.mat = mat + 9 * id;
  return place;
}

SN_KERNEL snPlace sn_objectPlace(const snModel* m, const snData* d, int type, int id) {
  switch (type) {
    case snOBJ_BODY: return sn_placeAt(id, d->xipos, d->ximat, id);
    case snOBJ_XBODY: return sn_placeAt(id, d->xpos, d->xmat, id);
    case snOBJ_GEOM: return sn_placeAt(m->geom_bodyid[id], d->geom_xpos, d->geom_xmat, id);
    case snOBJ_SITE: return sn_placeAt(m->site_bodyid[id], d->site_xpos, d->site_xmat, id);
    case snOBJ_CAMERA: return sn_placeAt(m->cam_bodyid[id], d->cam_xpos, d->cam_xmat, id);
    default: return sn_placeAt(-1, d->xpos, d->xmat, 0);
  }
}

// A com-based vector of the object's body (cvel, cacc), moved to the object; zero for bodies that are
// welded to the world, and for objects without a place.
SN_KERNEL void sn_vectorAt(const snModel* m, const snData* d, const snPlace* place,
                           const snReal* vectors, snReal res[6], int flg_local) {
  if (place->body < 0 || m->body_weldid[place->body] == 0) {
    sn_zero6(res);
    return;
  }
  snu_transformSpatial(res, vectors + 6 * place->body, 0, place->pos,
                       d->subtree_com + 3 * m->body_rootid[place->body],
                       flg_local ? place->mat : NULL);
}

// linear acceleration: that of the body, moved, and the centripetal part
SN_KERNEL void sn_accelerationAt(const snModel* m, const snData* d, const snPlace* place,
                                 snReal res[6], int flg_local) {
  snReal vel[6], centripetal[3];
  sn_vectorAt(m, d, place, d->cacc, res, flg_local);
  sn_vectorAt(m, d, place, d->cvel, vel, flg_local);
  snu_cross(centripetal, vel, vel + 3);
  snu_addTo3(res + 3, centripetal);
}

#endif  // SINEW_ENGINE_SMOOTH_OBJECT_H_
