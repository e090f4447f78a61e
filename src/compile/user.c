// User data of elements: how many numbers, and the numbers.

#include "base/assert.h"
#include "compile/compiler.h"

static const snDoubleVec* userData(const snElem* elem) {
  switch (elem->head.elemtype) {
    case snOBJ_BODY: return ((const snsBody*)elem->object)->userdata;
    case snOBJ_JOINT: return ((const snsJoint*)elem->object)->userdata;
    case snOBJ_GEOM: return ((const snsGeom*)elem->object)->userdata;
    case snOBJ_SITE: return ((const snsSite*)elem->object)->userdata;
    case snOBJ_CAMERA: return ((const snsCamera*)elem->object)->userdata;
    case snOBJ_TENDON: return ((const snsTendon*)elem->object)->userdata;
    case snOBJ_ACTUATOR: return ((const snsActuator*)elem->object)->userdata;
    default: return ((const snsSensor*)elem->object)->userdata;
  }
}

// X(size of the spec and the model, count, element of an index, array)
#define USER_KINDS(X)                                        \
  X(nuser_body, nbody, c->bodies[i]->elem, body_user)        \
  X(nuser_jnt, njnt, c->joints[i]->elem, jnt_user)           \
  X(nuser_geom, ngeom, c->geoms[i]->elem, geom_user)         \
  X(nuser_site, nsite, c->sites[i]->elem, site_user)         \
  X(nuser_cam, ncam, c->cameras[i]->elem, cam_user)          \
  X(nuser_tendon, ntendon, c->tendons[i].elem, tendon_user)  \
  X(nuser_actuator, nu, c->actuators[i].elem, actuator_user) \
  X(nuser_sensor, nsensor, c->sensors[i].elem, sensor_user)

int sn_measureUser(snCompiler* c) {
#define X(nuser, count, item, array)                                              \
  if (c->spec->nuser < -1) return sn_itemError(c, NULL, #nuser " must be >= -1"); \
  c->nuser = c->spec->nuser < 0 ? 0 : c->spec->nuser;                             \
  for (int i = 0; c->spec->nuser < 0 && i < c->count; i++) {                      \
    if (userData(item)->size > c->nuser) c->nuser = userData(item)->size;         \
  }
  USER_KINDS(X)
#undef X
  return 0;
}

// how many numbers an element may have, and the name of the setting that says so
static int allowed(const snSpec* spec, snObj type, const char** name) {
  switch (type) {
#define CASE(TYPE, size) \
  case snOBJ_##TYPE: *name = #size; return spec->size;
    CASE(BODY, nuser_body)
    CASE(JOINT, nuser_jnt)
    CASE(GEOM, nuser_geom)
    CASE(SITE, nuser_site)
    CASE(CAMERA, nuser_cam)
    CASE(TENDON, nuser_tendon)
    CASE(ACTUATOR, nuser_actuator)
    CASE(SENSOR, nuser_sensor)
#undef CASE
    default: return -1;
  }
}

int sn_checkUser(snCompiler* c, const snElem* elem) {
  snObj type = elem->head.elemtype;
  const char* name = "";
  int most = allowed(c->spec, type, &name);
  if (most < 0 || userData(elem)->size <= most) return 0;
  if (type != snOBJ_GEOM && type != snOBJ_ACTUATOR) {
    return sn_itemError(c, elem, "user has more values than %s in %s", name, sn_typeName(type));
  }
  return sn_itemError(c, elem, "user has more values than %s in %s '%s' (id = %d)", name,
                      sn_typeName(type), sn_elemName(elem), elem->id);
}

void sn_countUser(const snCompiler* c, snModel* sizes) {
#define X(nuser, count, item, array) sizes->nuser = c->nuser;
  USER_KINDS(X)
#undef X
}

void sn_fillUser(snCompiler* c) {
  snModel* m = c->m;
#define X(nuser, count, item, array)                                    \
  for (int i = 0; i < c->count; i++) {                                  \
    const snDoubleVec* data = userData(item);                           \
    SN_ASSERT(data->size <= c->nuser);                                  \
    sn_toReal(m->array + (snSize)i * c->nuser, data->data, data->size); \
  }
  USER_KINDS(X)
#undef X
}
