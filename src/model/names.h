// Names and file paths of a model: text buffers, addresses, and the hash map that finds names.

#ifndef SINEW_MODEL_NAMES_H_
#define SINEW_MODEL_NAMES_H_

#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// Named kinds of objects in the order of the buffer and of the map's sections:
// X(object type, size, field of addresses).
#define SN_NAMED(X)                           \
  X(snOBJ_BODY, nbody, name_bodyadr)          \
  X(snOBJ_JOINT, njnt, name_jntadr)           \
  X(snOBJ_GEOM, ngeom, name_geomadr)          \
  X(snOBJ_SITE, nsite, name_siteadr)          \
  X(snOBJ_CAMERA, ncam, name_camadr)          \
  X(snOBJ_LIGHT, nlight, name_lightadr)       \
  X(snOBJ_FLEX, nflex, name_flexadr)          \
  X(snOBJ_MESH, nmesh, name_meshadr)          \
  X(snOBJ_SKIN, nskin, name_skinadr)          \
  X(snOBJ_HFIELD, nhfield, name_hfieldadr)    \
  X(snOBJ_TEXTURE, ntex, name_texadr)         \
  X(snOBJ_MATERIAL, nmat, name_matadr)        \
  X(snOBJ_PAIR, npair, name_pairadr)          \
  X(snOBJ_EXCLUDE, nexclude, name_excludeadr) \
  X(snOBJ_EQUALITY, neq, name_eqadr)          \
  X(snOBJ_TENDON, ntendon, name_tendonadr)    \
  X(snOBJ_ACTUATOR, nu, name_actuatoradr)     \
  X(snOBJ_SENSOR, nsensor, name_sensoradr)    \
  X(snOBJ_NUMERIC, nnumeric, name_numericadr) \
  X(snOBJ_TEXT, ntext, name_textadr)          \
  X(snOBJ_TUPLE, ntuple, name_tupleadr)       \
  X(snOBJ_KEY, nkey, name_keyadr)             \
  X(snOBJ_PLUGIN, nplugin, name_pluginadr)    \
  X(snOBJ_DEFORMABLE, ndeformable, name_deformableadr)

// Number of objects of a type, 0 for types that a model does not have.
snSize sn_objectCount(const snModel* m, int type);

// Number of slots of names_map: two for every object that can have a name.
snSize sn_countNamesMap(const snModel* m);

// Fill names_map from names and name_*adr.
void sn_setNamesMap(snModel* m);

SN_EXTERN_C_END

#endif  // SINEW_MODEL_NAMES_H_
