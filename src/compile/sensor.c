// Sensors: what they observe is there and fits their row of model/sensor_types.h.

#include <string.h>

#include "base/assert.h"
#include "compile/compiler.h"
#include "model/sensor_types.h"

// ---- dimensions ----

// numbers of a sensor that observes what the arguments describe
static snSize sensorSize(const snsSensor* spec, const snsCamera* camera, int nvert) {
  switch (spec->type) {
    case snSENS_RANGEFINDER: {
      snSize rays = camera ? (snSize)camera->resolution[0] * camera->resolution[1] : 1;
      return sn_rayDataSize(spec->intprm[0]) * rays;
    }
    case snSENS_CONTACT: return (snSize)sn_contactDataSize(spec->intprm[0]) * spec->intprm[2];
    case snSENS_TACTILE: return 3 * (snSize)nvert;
    case snSENS_USER:
    case snSENS_PLUGIN: return spec->dim;
    default: return sn_sensorType(spec->type)->dim;
  }
}

int sns_sensorDim(const snsSensor* sensor) {
  if (!sensor || !sn_sensorType(sensor->type)) return 0;
  const snsCamera* camera = NULL;
  int nvert = 0;
  const snSpec* spec = sensor->element ? sn_elem(sensor->element)->spec : NULL;
  const snElem* object =
      spec ? sn_findName(spec, sensor->objtype, sns_getString(sensor->objname)) : NULL;
  if (object && sensor->objtype == snOBJ_CAMERA) camera = (const snsCamera*)object->object;
  if (object && sensor->objtype == snOBJ_MESH) {
    nvert = ((const snsMesh*)object->object)->uservert->size / 3;
  }
  return (int)sensorSize(sensor, camera, nvert);
}

// ---- objects ----

static int needsObject(snSensorTarget target) {
  return target != snTARGET_NOTHING && target != snTARGET_CONTACT && target != snTARGET_USER &&
         target != snTARGET_PLUGIN;
}

// object and reference by name
static int findObjects(snCompiler* c, snSensorItem* sensor, snSensorTarget target) {
  const snsSensor* spec = &sensor->spec;
  const char *object = sns_getString(spec->objname), *reference = sns_getString(spec->refname);
  if (*object) {
    if (spec->objtype == snOBJ_UNKNOWN) {
      return sn_itemError(c, sensor->elem, "invalid type in sensor");
    }
    sensor->object = sn_findItem(c, spec->objtype, object);
    if (!sensor->object) {
      return sn_itemError(c, sensor->elem, "unrecognized name '%s' of sensorized object", object);
    }
    if (spec->objtype == snOBJ_GEOM) ((snGeomItem*)sensor->object)->referenced = 1;
  } else if (spec->objtype != snOBJ_UNKNOWN) {
    return sn_itemError(c, sensor->elem, "missing name of sensorized object in sensor");
  } else if (needsObject(target)) {
    return sn_itemError(c, sensor->elem, "invalid type in sensor");
  }
  if (*reference && spec->reftype != snOBJ_UNKNOWN) {
    sensor->reference = sn_findItem(c, spec->reftype, reference);
    if (!sensor->reference) {
      return sn_itemError(c, sensor->elem, "unrecognized name '%s' of object", reference);
    }
    if (!sn_isFrameType(spec->reftype)) {
      return sn_itemError(c, sensor->elem,
                          "reference frame object must be (x)body, geom, site or camera in sensor");
    }
    if (spec->reftype == snOBJ_GEOM) ((snGeomItem*)sensor->reference)->referenced = 1;
  } else if (spec->reftype != snOBJ_UNKNOWN) {
    return sn_itemError(c, sensor->elem, "missing name of reference frame object in sensor");
  }
  return 0;
}

static int need(snCompiler* c, const snSensorItem* sensor, snObj type) {
  if (sensor->object && sensor->spec.objtype == type) return 0;
  return sn_itemError(c, sensor->elem, "sensor must be attached to %s", sn_typeName(type));
}

static int checkFrame(snCompiler* c, const snSensorItem* sensor) {
  if (!sensor->object || !sn_isFrameType(sensor->spec.objtype)) {
    return sn_itemError(c, sensor->elem,
                        "sensor must be attached to (x)body, geom, site or camera");
  }
  return 0;
}

static int checkJoint(snCompiler* c, const snSensorItem* sensor, snSensorTarget target) {
  SN_TRY(need(c, sensor, snOBJ_JOINT));
  const snsJoint* joint = &((const snJointItem*)sensor->object)->spec;
  if (target == snTARGET_SCALAR_JOINT && joint->type != snJNT_HINGE && joint->type != snJNT_SLIDE) {
    return sn_itemError(c, sensor->elem, "joint must be slide or hinge in sensor");
  }
  if (target == snTARGET_BALL_JOINT && joint->type != snJNT_BALL) {
    return sn_itemError(c, sensor->elem, "joint must be ball in sensor");
  }
  if (target == snTARGET_LIMITED_JOINT && !joint->limited) {
    return sn_itemError(c, sensor->elem, "joint must be limited in sensor");
  }
  return 0;
}

static int isHField(snObj type, const void* item) {
  return type == snOBJ_GEOM && ((const snGeomItem*)item)->spec.type == snGEOM_HFIELD;
}

static int checkTwoGeoms(snCompiler* c, const snSensorItem* sensor) {
  const snsSensor* spec = &sensor->spec;
  int known = spec->objtype == snOBJ_GEOM || spec->objtype == snOBJ_BODY;
  int knownref = spec->reftype == snOBJ_GEOM || spec->reftype == snOBJ_BODY;
  if (!sensor->object || !sensor->reference || !known || !knownref) {
    return sn_itemError(c, sensor->elem, "sensor must be attached to body or geom");
  }
  if (sensor->object == sensor->reference) {
    return sn_itemError(c, sensor->elem, "1st body/geom must be different from 2nd body/geom");
  }
  if (isHField(spec->objtype, sensor->object) || isHField(spec->reftype, sensor->reference)) {
    return sn_itemError(c, sensor->elem,
                        "height fields are not supported in geom distance sensors");
  }
  return 0;
}

// bits that say which fields a sensor reports
static int checkFields(snCompiler* c, const snElem* elem, int fields, int count,
                       const char* limit) {
  int mask = (1 << count) - 1;
  if (fields <= 0)
    return sn_itemError(c, elem, "data spec (intprm[0]) must be positive, got %d", fields);
  if (!(fields & mask)) {
    return sn_itemError(
        c, elem, "data spec intprm[0]=%d must have at least one bit set of the first %s bits",
        fields, limit);
  }
  if (fields & ~mask) {
    return sn_itemError(c, elem, "data spec intprm[0]=%d has bits set beyond the first %s bits",
                        fields, limit);
  }
  return 0;
}

static int checkContact(snCompiler* c, const snSensorItem* sensor) {
  const snsSensor* spec = &sensor->spec;
  snObj type = spec->objtype;
  if (type != snOBJ_UNKNOWN && type != snOBJ_SITE && type != snOBJ_BODY && type != snOBJ_XBODY &&
      type != snOBJ_GEOM) {
    return sn_itemError(c, sensor->elem,
                        "first matching criterion: if set, must be (x)body, geom or site");
  }
  type = spec->reftype;
  if (type != snOBJ_UNKNOWN && type != snOBJ_BODY && type != snOBJ_XBODY && type != snOBJ_GEOM) {
    return sn_itemError(c, sensor->elem,
                        "second matching criterion: if set, must be (x)body or geom");
  }
  SN_TRY(checkFields(c, sensor->elem, spec->intprm[0], snNCONDATA, "mjNCONDATA"));
  if (spec->intprm[1] < 0 || spec->intprm[1] > 3) {
    return sn_itemError(c, sensor->elem,
                        "unknown reduction criterion. got %d, expected one of {0, 1, 2, 3}",
                        spec->intprm[1]);
  }
  if (spec->intprm[2] <= 0) {
    return sn_itemError(c, sensor->elem, "num (intprm[2]) must be positive in sensor, got %d",
                        spec->intprm[2]);
  }
  return 0;
}

static int checkRay(snCompiler* c, const snSensorItem* sensor) {
  const snsSensor* spec = &sensor->spec;
  if (!sensor->object || (spec->objtype != snOBJ_SITE && spec->objtype != snOBJ_CAMERA)) {
    return sn_itemError(c, sensor->elem, "sensor must be attached to site or camera");
  }
  if (spec->objtype == snOBJ_CAMERA) {
    const int* resolution = ((const snCameraItem*)sensor->object)->spec.resolution;
    if (resolution[0] < 0 || resolution[1] < 0) {
      return sn_itemError(c, sensor->elem, "camera of a rangefinder has a negative resolution");
    }
  }
  return checkFields(c, sensor->elem, spec->intprm[0], snNRAYDATA, "mjNRAYDATA");
}

static int checkCamera(snCompiler* c, const snSensorItem* sensor) {
  SN_TRY(need(c, sensor, snOBJ_SITE));
  if (!sensor->reference || sensor->spec.reftype != snOBJ_CAMERA) {
    return sn_itemError(c, sensor->elem, "sensor must be associated with a camera");
  }
  const int* resolution = ((const snCameraItem*)sensor->reference)->spec.resolution;
  if (!resolution[0] || !resolution[1]) {
    return sn_itemError(c, sensor->elem, "camera projection sensor requires camera resolution");
  }
  return 0;
}

static int checkUser(snCompiler* c, const snSensorItem* sensor) {
  const snsSensor* spec = &sensor->spec;
  if (spec->dim < 0) {
    return sn_itemError(c, sensor->elem, "sensor dim must be non-negative in sensor");
  }
  if (spec->datatype == snDATATYPE_AXIS && spec->dim != 3) {
    return sn_itemError(c, sensor->elem, "datatype AXIS requires dim=3 in sensor");
  }
  if (spec->datatype == snDATATYPE_QUATERNION && spec->dim != 4) {
    return sn_itemError(c, sensor->elem, "datatype QUATERNION requires dim=4 in sensor");
  }
  return 0;
}

static int checkTarget(snCompiler* c, snSensorItem* sensor, snSensorTarget target) {
  switch (target) {
    case snTARGET_SITE:
    case snTARGET_TENDON:
    case snTARGET_ACTUATOR:
    case snTARGET_SUBTREE: return need(c, sensor, sn_targetObject(target));
    case snTARGET_CAMERA_OF_SITE: return checkCamera(c, sensor);
    case snTARGET_RAY: return checkRay(c, sensor);
    case snTARGET_SCALAR_JOINT:
    case snTARGET_BALL_JOINT:
    case snTARGET_LIMITED_JOINT: return checkJoint(c, sensor, target);
    case snTARGET_LIMITED_TENDON:
      SN_TRY(need(c, sensor, snOBJ_TENDON));
      if (((const snTendonItem*)sensor->object)->spec.limited) return 0;
      return sn_itemError(c, sensor->elem, "tendon must be limited in sensor");
    case snTARGET_FRAME:
    case snTARGET_FRAME_ALONE: return checkFrame(c, sensor);
    case snTARGET_FRAME_IN_SITE:
      SN_TRY(checkFrame(c, sensor));
      if (sensor->reference && sensor->spec.reftype == snOBJ_SITE) return 0;
      return sn_itemError(c, sensor->elem, "sensor must be associated with a site");
    case snTARGET_TWO_GEOMS: return checkTwoGeoms(c, sensor);
    case snTARGET_CONTACT: return checkContact(c, sensor);
    case snTARGET_MESH_OF_GEOM:
      if (!sensor->object || sensor->spec.objtype != snOBJ_MESH) {
        return sn_itemError(c, sensor->elem, "sensor must be associated with a mesh");
      }
      if (sensor->reference && sensor->spec.reftype == snOBJ_GEOM) return 0;
      return sn_itemError(c, sensor->elem, "sensor must be associated with a geom");
    case snTARGET_USER: return checkUser(c, sensor);
    case snTARGET_PLUGIN: return sn_checkPluginSensor(c, sensor->elem, &sensor->spec);
    default: return 0;
  }
}

// ---- attributes ----

static int checkAttributes(snCompiler* c, const snSensorItem* sensor) {
  const snsSensor* spec = &sensor->spec;
  const snElem* elem = sensor->elem;
  if (spec->noise < 0) return sn_itemError(c, elem, "negative noise in sensor");
  if (spec->cutoff < 0) return sn_itemError(c, elem, "negative cutoff in sensor");
  if (spec->interval[0] < 0) return sn_itemError(c, elem, "negative interval in sensor");
  if (spec->interval[1] > 0) return sn_itemError(c, elem, "positive phase in sensor");
  if (spec->interval[0] > 0 && spec->interval[1] <= -spec->interval[0]) {
    return sn_itemError(c, elem, "phase must be greater than -period in sensor");
  }
  return sn_checkHistory(c, elem, spec->delay, spec->nsample);
}

static int compileSensor(snCompiler* c, snSensorItem* sensor) {
  snsSensor* spec = &sensor->spec;
  const snSensorType* row = sn_sensorType(spec->type);
  SN_TRY(sn_checkUser(c, sensor->elem));
  if (!row) return sn_itemError(c, sensor->elem, "invalid type in sensor");
  SN_TRY(checkAttributes(c, sensor));
  SN_TRY(findObjects(c, sensor, row->target));
  SN_TRY(checkTarget(c, sensor, row->target));
  if (row->target != snTARGET_USER && spec->type != snSENS_PLUGIN) {
    spec->needstage = row->stage;
    spec->datatype = row->datatype;
  }
  int directional = spec->datatype == snDATATYPE_AXIS || spec->datatype == snDATATYPE_QUATERNION;
  if (spec->cutoff > 0 && directional && !row->ownCutoff) {
    return sn_itemError(c, sensor->elem, "cutoff applied to axis or quaternion datatype in sensor");
  }
  const snsCamera* camera = NULL;
  if (sensor->object && spec->objtype == snOBJ_CAMERA) {
    camera = &((const snCameraItem*)sensor->object)->spec;
  }
  int nvert = spec->type == snSENS_TACTILE ? ((const snMeshItem*)sensor->object)->mesh.nvert : 0;
  snSize dim = sensorSize(spec, camera, nvert);
  if (dim < 0 || dim > 1 << 28) return sn_itemError(c, sensor->elem, "sensor is too large");
  spec->dim = (int)dim;
  return 0;
}

int sn_compileSensors(snCompiler* c) {
  for (int i = 0; i < c->nsensor; i++) SN_TRY(compileSensor(c, c->sensors + i));
  return 0;
}

void sn_fillSensors(snCompiler* c) {
  snModel* m = c->m;
  int address = 0;
  snSize history = 0;
  for (int i = 0; i < c->nu; i++) history += sn_historySize(c->actuators[i].spec.nsample, 1);
  for (int i = 0; i < c->nsensor; i++) {
    const snSensorItem* sensor = c->sensors + i;
    const snsSensor* spec = &sensor->spec;
    sn_fillCopied(m, snOBJ_SENSOR, i, spec);
    m->sensor_objid[i] = sn_itemId(spec->objtype, sensor->object);
    m->sensor_refid[i] = sn_itemId(spec->reftype, sensor->reference);
    m->sensor_adr[i] = address;
    address += spec->dim;
    m->sensor_history[2 * i] = spec->nsample;
    m->sensor_history[2 * i + 1] = spec->interp;
    m->sensor_historyadr[i] = spec->nsample > 0 ? (int)history : -1;
    history += sn_historySize(spec->nsample, spec->dim);
    m->sensor_plugin[i] = -1;
  }
  SN_ASSERT(address == m->nsensordata && history == m->nhistory);
}
