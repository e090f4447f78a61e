// Sensors: one row of a table per type.

#include <string.h>

#include "compile/compiler.h"

// what a sensor observes
typedef enum Target_ {
  NOTHING,
  SITE,
  CAMERA_OF_SITE,  // a site, seen by a camera
  RAY,             // site or camera
  SCALAR_JOINT,
  BALL_JOINT,
  LIMITED_JOINT,
  TENDON,
  LIMITED_TENDON,
  ACTUATOR,
  FRAME,        // body, xbody, geom, site or camera
  FRAME_ALONE,  // the same without a reference
  FRAME_IN_SITE,
  SUBTREE,
  TWO_GEOMS,  // geoms or bodies
  CONTACT,
  MESH_OF_GEOM,
  USER,
  PLUGIN
} Target;

typedef struct Row_ {
  Target target;
  int dim;  // -1: depends on the element
  snStage stage;
  snDataType datatype;
} Row;

// clang-format off
static const Row kRows[] = {
  [snSENS_TOUCH]          = {SITE, 1, snSTAGE_ACC, snDATATYPE_POSITIVE},
  [snSENS_ACCELEROMETER]  = {SITE, 3, snSTAGE_ACC, snDATATYPE_REAL},
  [snSENS_VELOCIMETER]    = {SITE, 3, snSTAGE_VEL, snDATATYPE_REAL},
  [snSENS_GYRO]           = {SITE, 3, snSTAGE_VEL, snDATATYPE_REAL},
  [snSENS_FORCE]          = {SITE, 3, snSTAGE_ACC, snDATATYPE_REAL},
  [snSENS_TORQUE]         = {SITE, 3, snSTAGE_ACC, snDATATYPE_REAL},
  [snSENS_MAGNETOMETER]   = {SITE, 3, snSTAGE_POS, snDATATYPE_REAL},
  [snSENS_RANGEFINDER]    = {RAY, -1, snSTAGE_POS, snDATATYPE_REAL},
  [snSENS_CAMPROJECTION]  = {CAMERA_OF_SITE, 2, snSTAGE_POS, snDATATYPE_REAL},
  [snSENS_JOINTPOS]       = {SCALAR_JOINT, 1, snSTAGE_POS, snDATATYPE_REAL},
  [snSENS_JOINTVEL]       = {SCALAR_JOINT, 1, snSTAGE_VEL, snDATATYPE_REAL},
  [snSENS_TENDONPOS]      = {TENDON, 1, snSTAGE_POS, snDATATYPE_REAL},
  [snSENS_TENDONVEL]      = {TENDON, 1, snSTAGE_VEL, snDATATYPE_REAL},
  [snSENS_ACTUATORPOS]    = {ACTUATOR, 1, snSTAGE_POS, snDATATYPE_REAL},
  [snSENS_ACTUATORVEL]    = {ACTUATOR, 1, snSTAGE_VEL, snDATATYPE_REAL},
  [snSENS_ACTUATORFRC]    = {ACTUATOR, 1, snSTAGE_ACC, snDATATYPE_REAL},
  [snSENS_JOINTACTFRC]    = {SCALAR_JOINT, 1, snSTAGE_ACC, snDATATYPE_REAL},
  [snSENS_TENDONACTFRC]   = {TENDON, 1, snSTAGE_ACC, snDATATYPE_REAL},
  [snSENS_BALLQUAT]       = {BALL_JOINT, 4, snSTAGE_POS, snDATATYPE_QUATERNION},
  [snSENS_BALLANGVEL]     = {BALL_JOINT, 3, snSTAGE_VEL, snDATATYPE_REAL},
  [snSENS_JOINTLIMITPOS]  = {LIMITED_JOINT, 1, snSTAGE_POS, snDATATYPE_REAL},
  [snSENS_JOINTLIMITVEL]  = {LIMITED_JOINT, 1, snSTAGE_VEL, snDATATYPE_REAL},
  [snSENS_JOINTLIMITFRC]  = {LIMITED_JOINT, 1, snSTAGE_ACC, snDATATYPE_REAL},
  [snSENS_TENDONLIMITPOS] = {LIMITED_TENDON, 1, snSTAGE_POS, snDATATYPE_REAL},
  [snSENS_TENDONLIMITVEL] = {LIMITED_TENDON, 1, snSTAGE_VEL, snDATATYPE_REAL},
  [snSENS_TENDONLIMITFRC] = {LIMITED_TENDON, 1, snSTAGE_ACC, snDATATYPE_REAL},
  [snSENS_FRAMEPOS]       = {FRAME, 3, snSTAGE_POS, snDATATYPE_REAL},
  [snSENS_FRAMEQUAT]      = {FRAME, 4, snSTAGE_POS, snDATATYPE_QUATERNION},
  [snSENS_FRAMEXAXIS]     = {FRAME, 3, snSTAGE_POS, snDATATYPE_AXIS},
  [snSENS_FRAMEYAXIS]     = {FRAME, 3, snSTAGE_POS, snDATATYPE_AXIS},
  [snSENS_FRAMEZAXIS]     = {FRAME, 3, snSTAGE_POS, snDATATYPE_AXIS},
  [snSENS_FRAMELINVEL]    = {FRAME, 3, snSTAGE_VEL, snDATATYPE_REAL},
  [snSENS_FRAMEANGVEL]    = {FRAME, 3, snSTAGE_VEL, snDATATYPE_REAL},
  [snSENS_FRAMELINACC]    = {FRAME_ALONE, 3, snSTAGE_ACC, snDATATYPE_REAL},
  [snSENS_FRAMEANGACC]    = {FRAME_ALONE, 3, snSTAGE_ACC, snDATATYPE_REAL},
  [snSENS_SUBTREECOM]     = {SUBTREE, 3, snSTAGE_POS, snDATATYPE_REAL},
  [snSENS_SUBTREELINVEL]  = {SUBTREE, 3, snSTAGE_VEL, snDATATYPE_REAL},
  [snSENS_SUBTREEANGMOM]  = {SUBTREE, 3, snSTAGE_VEL, snDATATYPE_REAL},
  [snSENS_INSIDESITE]     = {FRAME_IN_SITE, 1, snSTAGE_POS, snDATATYPE_POSITIVE},
  [snSENS_GEOMDIST]       = {TWO_GEOMS, 1, snSTAGE_POS, snDATATYPE_REAL},
  [snSENS_GEOMNORMAL]     = {TWO_GEOMS, 3, snSTAGE_POS, snDATATYPE_AXIS},
  [snSENS_GEOMFROMTO]     = {TWO_GEOMS, 6, snSTAGE_POS, snDATATYPE_REAL},
  [snSENS_CONTACT]        = {CONTACT, -1, snSTAGE_ACC, snDATATYPE_REAL},
  [snSENS_E_POTENTIAL]    = {NOTHING, 1, snSTAGE_POS, snDATATYPE_REAL},
  [snSENS_E_KINETIC]      = {NOTHING, 1, snSTAGE_POS, snDATATYPE_REAL},
  [snSENS_CLOCK]          = {NOTHING, 1, snSTAGE_POS, snDATATYPE_REAL},
  [snSENS_TACTILE]        = {MESH_OF_GEOM, -1, snSTAGE_ACC, snDATATYPE_REAL},
  [snSENS_PLUGIN]         = {PLUGIN, -1, snSTAGE_ACC, snDATATYPE_REAL},
  [snSENS_USER]           = {USER, -1, snSTAGE_ACC, snDATATYPE_REAL},
};
// clang-format on

// ---- dimensions ----

static int fieldSize(int bits, const int* sizes, int n) {
  int size = 0;
  for (int k = 0; k < n; k++) size += bits >> k & 1 ? sizes[k] : 0;
  return size;
}

static int contactFields(int bits) {
  static const int sizes[snNCONDATA] = {1, 3, 3, 1, 3, 3, 3};
  return fieldSize(bits, sizes, snNCONDATA);
}

static int rayFields(int bits) {
  static const int sizes[snNRAYDATA] = {1, 3, 3, 3, 3, 1};
  return fieldSize(bits, sizes, snNRAYDATA);
}

// numbers of a sensor that observes what the arguments describe
static snSize sensorSize(const snsSensor* spec, const snsCamera* camera, int nvert) {
  switch (spec->type) {
    case snSENS_RANGEFINDER: {
      snSize rays = camera ? (snSize)camera->resolution[0] * camera->resolution[1] : 1;
      return rayFields(spec->intprm[0]) * rays;
    }
    case snSENS_CONTACT: return (snSize)contactFields(spec->intprm[0]) * spec->intprm[2];
    case snSENS_TACTILE: return 3 * (snSize)nvert;
    case snSENS_USER:
    case snSENS_PLUGIN: return spec->dim;
    default: return kRows[spec->type].dim;
  }
}

static int isSensor(const snsSensor* spec) {
  return (int)spec->type >= 0 && (size_t)spec->type < sizeof(kRows) / sizeof(kRows[0]);
}

int sns_sensorDim(const snsSensor* sensor) {
  if (!sensor || !isSensor(sensor)) return 0;
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

static int isFrameType(snObj type) {
  return type == snOBJ_BODY || type == snOBJ_XBODY || type == snOBJ_GEOM || type == snOBJ_SITE ||
         type == snOBJ_CAMERA;
}

// object and reference by name
static int findObjects(snCompiler* c, snSensorItem* sensor) {
  const snsSensor* spec = &sensor->spec;
  const char *object = sns_getString(spec->objname), *reference = sns_getString(spec->refname);
  if (*object) {
    if (spec->objtype == snOBJ_UNKNOWN) {
      return sn_itemError(c, sensor->elem, "objname '%s' without objtype in sensor", object);
    }
    sensor->object = sn_findItem(c, spec->objtype, object);
    if (!sensor->object) {
      return sn_itemError(c, sensor->elem, "unrecognized name '%s' of sensorized object", object);
    }
    if (spec->objtype == snOBJ_GEOM) ((snGeomItem*)sensor->object)->referenced = 1;
  } else if (spec->objtype != snOBJ_UNKNOWN) {
    return sn_itemError(c, sensor->elem, "missing name of sensorized object in sensor");
  }
  if (*reference) {
    sensor->reference = sn_findItem(c, spec->reftype, reference);
    if (!sensor->reference) {
      return sn_itemError(c, sensor->elem, "unrecognized name '%s' of reference frame object",
                          reference);
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

static int checkFrame(snCompiler* c, const snSensorItem* sensor, int reference) {
  if (!sensor->object || !isFrameType(sensor->spec.objtype)) {
    return sn_itemError(c, sensor->elem,
                        "sensor must be attached to (x)body, geom, site or camera");
  }
  if (sensor->reference && (!reference || !isFrameType(sensor->spec.reftype))) {
    return sn_itemError(c, sensor->elem,
                        "reference frame object must be (x)body, geom, site or camera in sensor");
  }
  return 0;
}

static int checkJoint(snCompiler* c, const snSensorItem* sensor, Target target) {
  SN_TRY(need(c, sensor, snOBJ_JOINT));
  const snsJoint* joint = &((const snJointItem*)sensor->object)->spec;
  if (target == SCALAR_JOINT && joint->type != snJNT_HINGE && joint->type != snJNT_SLIDE) {
    return sn_itemError(c, sensor->elem, "joint must be slide or hinge in sensor");
  }
  if (target == BALL_JOINT && joint->type != snJNT_BALL) {
    return sn_itemError(c, sensor->elem, "joint must be ball in sensor");
  }
  if (target == LIMITED_JOINT && !joint->limited) {
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

static int checkTarget(snCompiler* c, snSensorItem* sensor, Target target) {
  switch (target) {
    case SITE: return need(c, sensor, snOBJ_SITE);
    case CAMERA_OF_SITE: return checkCamera(c, sensor);
    case RAY: return checkRay(c, sensor);
    case SCALAR_JOINT:
    case BALL_JOINT:
    case LIMITED_JOINT: return checkJoint(c, sensor, target);
    case TENDON: return need(c, sensor, snOBJ_TENDON);
    case LIMITED_TENDON:
      SN_TRY(need(c, sensor, snOBJ_TENDON));
      if (((const snTendonItem*)sensor->object)->spec.limited) return 0;
      return sn_itemError(c, sensor->elem, "tendon must be limited in sensor");
    case ACTUATOR: return need(c, sensor, snOBJ_ACTUATOR);
    case FRAME: return checkFrame(c, sensor, 1);
    case FRAME_ALONE: return checkFrame(c, sensor, 0);
    case FRAME_IN_SITE:
      SN_TRY(checkFrame(c, sensor, 1));
      if (sensor->reference && sensor->spec.reftype == snOBJ_SITE) return 0;
      return sn_itemError(c, sensor->elem, "sensor must be associated with a site");
    case SUBTREE: return need(c, sensor, snOBJ_BODY);
    case TWO_GEOMS: return checkTwoGeoms(c, sensor);
    case CONTACT: return checkContact(c, sensor);
    case MESH_OF_GEOM:
      SN_TRY(need(c, sensor, snOBJ_MESH));
      if (sensor->reference && sensor->spec.reftype == snOBJ_GEOM) return 0;
      return sn_itemError(c, sensor->elem, "sensor must be associated with a geom");
    case USER: return checkUser(c, sensor);
    case PLUGIN: return sn_checkPluginSensor(c, sensor->elem, &sensor->spec);
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
  if (!isSensor(spec)) return sn_itemError(c, sensor->elem, "invalid type in sensor");
  const Row* row = &kRows[spec->type];
  SN_TRY(findObjects(c, sensor));
  SN_TRY(checkTarget(c, sensor, row->target));
  if (row->target != USER) {
    spec->needstage = row->stage;
    spec->datatype = row->datatype;
  }
  int directional = spec->datatype == snDATATYPE_AXIS || spec->datatype == snDATATYPE_QUATERNION;
  if (spec->cutoff > 0 && directional && spec->type != snSENS_GEOMNORMAL) {
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
  return checkAttributes(c, sensor);
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
    m->sensor_type[i] = spec->type;
    m->sensor_datatype[i] = spec->datatype;
    m->sensor_needstage[i] = spec->needstage;
    m->sensor_objtype[i] = spec->objtype;
    m->sensor_objid[i] = sn_itemId(spec->objtype, sensor->object);
    m->sensor_reftype[i] = spec->reftype;
    m->sensor_refid[i] = sn_itemId(spec->reftype, sensor->reference);
    memcpy(m->sensor_intprm + snNSENS * i, spec->intprm, sizeof(spec->intprm));
    m->sensor_dim[i] = spec->dim;
    m->sensor_adr[i] = address;
    address += spec->dim;
    m->sensor_cutoff[i] = (snReal)spec->cutoff;
    m->sensor_noise[i] = (snReal)spec->noise;
    m->sensor_history[2 * i] = spec->nsample;
    m->sensor_history[2 * i + 1] = spec->interp;
    m->sensor_historyadr[i] = spec->nsample > 0 ? (int)history : -1;
    history += sn_historySize(spec->nsample, spec->dim);
    m->sensor_delay[i] = (snReal)spec->delay;
    sn_toReal(m->sensor_interval + 2 * i, spec->interval, 2);
    m->sensor_plugin[i] = -1;
  }
}
