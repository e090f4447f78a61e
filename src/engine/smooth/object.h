// Objects that have a place in the world: bodies, geoms, sites and cameras.

#ifndef SINEW_ENGINE_SMOOTH_OBJECT_H_
#define SINEW_ENGINE_SMOOTH_OBJECT_H_

#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// Where an object is: its body (-1: objects of this type have no place), position, orientation.
struct snPlace_ {
  int body;
  const snReal* pos;
  const snReal* mat;
};
typedef struct snPlace_ snPlace;

snPlace sn_objectPlace(const snModel* m, const snData* d, int type, int id);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_SMOOTH_OBJECT_H_
