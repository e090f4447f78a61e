// The table of sensors: a type is one row.
//
// X(type, tag, target, dim, stage, datatype, cutoff, needs, function)
//   type      snSENS_type
//   tag       its element in MJCF
//   target    what it observes (snSensorTarget): the reader, the writer and the schema take the attributes
//             from it, the compiler and the validator what object and reference must be
//   dim       numbers that it gives; -1: depends on the element
//   stage     snSTAGE_stage, after which it can be computed
//   datatype  snDATATYPE_datatype
//   cutoff    CLIP: bounds the result as its datatype says; OWN: the function itself uses it, or nobody
//   needs     what a team of lanes prepares before its lanes compute sensors side by side
//             (engine/sense/sensor.c)
//   function  of the engine, void function(const snModel* m, snData* d, int sensor, snReal* out)
// A sensor of the user or of a plugin has its stage and datatype from its element; the row's hold else.

#ifndef SINEW_MODEL_SENSOR_TYPES_H_
#define SINEW_MODEL_SENSOR_TYPES_H_

#include "sinew/enums.h"

// clang-format off
#define SN_SENSORS(X) \
  X(TOUCH,          "touch",             SITE,           1,  ACC, POSITIVE,   CLIP, NOTHING,   sn_sensorTouch) \
  X(ACCELEROMETER,  "accelerometer",     SITE,           3,  ACC, REAL,       CLIP, FORCES,    sn_sensorAccelerometer) \
  X(VELOCIMETER,    "velocimeter",       SITE,           3,  VEL, REAL,       CLIP, NOTHING,   sn_sensorVelocimeter) \
  X(GYRO,           "gyro",              SITE,           3,  VEL, REAL,       CLIP, NOTHING,   sn_sensorGyro) \
  X(FORCE,          "force",             SITE,           3,  ACC, REAL,       CLIP, FORCES,    sn_sensorForce) \
  X(TORQUE,         "torque",            SITE,           3,  ACC, REAL,       CLIP, FORCES,    sn_sensorTorque) \
  X(MAGNETOMETER,   "magnetometer",      SITE,           3,  POS, REAL,       CLIP, NOTHING,   sn_sensorMagnetometer) \
  X(CAMPROJECTION,  "camprojection",     CAMERA_OF_SITE, 2,  POS, REAL,       CLIP, NOTHING,   sn_sensorCamProjection) \
  X(RANGEFINDER,    "rangefinder",       RAY,            -1, POS, REAL,       CLIP, RAYS,      sn_sensorRangefinder) \
  X(JOINTPOS,       "jointpos",          SCALAR_JOINT,   1,  POS, REAL,       CLIP, NOTHING,   sn_sensorJointPos) \
  X(JOINTVEL,       "jointvel",          SCALAR_JOINT,   1,  VEL, REAL,       CLIP, NOTHING,   sn_sensorJointVel) \
  X(TENDONPOS,      "tendonpos",         TENDON,         1,  POS, REAL,       CLIP, NOTHING,   sn_sensorTendonPos) \
  X(TENDONVEL,      "tendonvel",         TENDON,         1,  VEL, REAL,       CLIP, NOTHING,   sn_sensorTendonVel) \
  X(ACTUATORPOS,    "actuatorpos",       ACTUATOR,       1,  POS, REAL,       CLIP, NOTHING,   sn_sensorActuatorPos) \
  X(ACTUATORVEL,    "actuatorvel",       ACTUATOR,       1,  VEL, REAL,       CLIP, NOTHING,   sn_sensorActuatorVel) \
  X(ACTUATORFRC,    "actuatorfrc",       ACTUATOR,       1,  ACC, REAL,       CLIP, NOTHING,   sn_sensorActuatorFrc) \
  X(JOINTACTFRC,    "jointactuatorfrc",  SCALAR_JOINT,   1,  ACC, REAL,       CLIP, NOTHING,   sn_sensorJointActFrc) \
  X(TENDONACTFRC,   "tendonactuatorfrc", TENDON,         1,  ACC, REAL,       CLIP, NOTHING,   sn_sensorTendonActFrc) \
  X(BALLQUAT,       "ballquat",          BALL_JOINT,     4,  POS, QUATERNION, CLIP, NOTHING,   sn_sensorBallQuat) \
  X(BALLANGVEL,     "ballangvel",        BALL_JOINT,     3,  VEL, REAL,       CLIP, NOTHING,   sn_sensorJointVel) \
  X(JOINTLIMITPOS,  "jointlimitpos",     LIMITED_JOINT,  1,  POS, REAL,       CLIP, NOTHING,   sn_sensorLimitPos) \
  X(JOINTLIMITVEL,  "jointlimitvel",     LIMITED_JOINT,  1,  VEL, REAL,       CLIP, NOTHING,   sn_sensorLimitVel) \
  X(JOINTLIMITFRC,  "jointlimitfrc",     LIMITED_JOINT,  1,  ACC, REAL,       CLIP, NOTHING,   sn_sensorLimitFrc) \
  X(TENDONLIMITPOS, "tendonlimitpos",    LIMITED_TENDON, 1,  POS, REAL,       CLIP, NOTHING,   sn_sensorLimitPos) \
  X(TENDONLIMITVEL, "tendonlimitvel",    LIMITED_TENDON, 1,  VEL, REAL,       CLIP, NOTHING,   sn_sensorLimitVel) \
  X(TENDONLIMITFRC, "tendonlimitfrc",    LIMITED_TENDON, 1,  ACC, REAL,       CLIP, NOTHING,   sn_sensorLimitFrc) \
  X(FRAMEPOS,       "framepos",          FRAME,          3,  POS, REAL,       CLIP, NOTHING,   sn_sensorFramePos) \
  X(FRAMEQUAT,      "framequat",         FRAME,          4,  POS, QUATERNION, CLIP, NOTHING,   sn_sensorFrameQuat) \
  X(FRAMEXAXIS,     "framexaxis",        FRAME,          3,  POS, AXIS,       CLIP, NOTHING,   sn_sensorFrameAxis) \
  X(FRAMEYAXIS,     "frameyaxis",        FRAME,          3,  POS, AXIS,       CLIP, NOTHING,   sn_sensorFrameAxis) \
  X(FRAMEZAXIS,     "framezaxis",        FRAME,          3,  POS, AXIS,       CLIP, NOTHING,   sn_sensorFrameAxis) \
  X(FRAMELINVEL,    "framelinvel",       FRAME,          3,  VEL, REAL,       CLIP, NOTHING,   sn_sensorFrameLinVel) \
  X(FRAMEANGVEL,    "frameangvel",       FRAME,          3,  VEL, REAL,       CLIP, NOTHING,   sn_sensorFrameAngVel) \
  X(FRAMELINACC,    "framelinacc",       FRAME_ALONE,    3,  ACC, REAL,       CLIP, FORCES,    sn_sensorFrameLinAcc) \
  X(FRAMEANGACC,    "frameangacc",       FRAME_ALONE,    3,  ACC, REAL,       CLIP, FORCES,    sn_sensorFrameAngAcc) \
  X(SUBTREECOM,     "subtreecom",        SUBTREE,        3,  POS, REAL,       CLIP, NOTHING,   sn_sensorSubtreeCom) \
  X(SUBTREELINVEL,  "subtreelinvel",     SUBTREE,        3,  VEL, REAL,       CLIP, SUBTREES,  sn_sensorSubtreeLinVel) \
  X(SUBTREEANGMOM,  "subtreeangmom",     SUBTREE,        3,  VEL, REAL,       CLIP, SUBTREES,  sn_sensorSubtreeAngMom) \
  X(INSIDESITE,     "insidesite",        FRAME_IN_SITE,  1,  POS, POSITIVE,   CLIP, NOTHING,   sn_sensorInsideSite) \
  X(GEOMDIST,       "distance",          TWO_GEOMS,      1,  POS, REAL,       CLIP, NOTHING,   sn_sensorGeomDistance) \
  X(GEOMNORMAL,     "normal",            TWO_GEOMS,      3,  POS, AXIS,       OWN,  NOTHING,   sn_sensorGeomDistance) \
  X(GEOMFROMTO,     "fromto",            TWO_GEOMS,      6,  POS, REAL,       OWN,  NOTHING,   sn_sensorGeomDistance) \
  X(CONTACT,        "contact",           CONTACT,        -1, ACC, REAL,       OWN,  CONTACTS,  sn_sensorContact) \
  X(E_POTENTIAL,    "e_potential",       NOTHING,        1,  POS, REAL,       CLIP, POTENTIAL, sn_sensorPotential) \
  X(E_KINETIC,      "e_kinetic",         NOTHING,        1,  POS, REAL,       CLIP, KINETIC,   sn_sensorKinetic) \
  X(CLOCK,          "clock",             NOTHING,        1,  POS, REAL,       CLIP, NOTHING,   sn_sensorClock) \
  X(TACTILE,        "tactile",           MESH_OF_GEOM,   -1, ACC, REAL,       CLIP, MEMORY,    sn_sensorTactile) \
  X(USER,           "user",              USER,           -1, ACC, REAL,       CLIP, MEMORY,    sn_sensorElsewhere) \
  X(PLUGIN,         "plugin",            PLUGIN,         -1, ACC, REAL,       CLIP, MEMORY,    sn_sensorElsewhere)
// clang-format on

// What a sensor observes.
typedef enum snSensorTarget_ {
  snTARGET_NOTHING,
  snTARGET_SITE,
  snTARGET_CAMERA_OF_SITE,  // a site, seen by a camera
  snTARGET_RAY,             // site or camera
  snTARGET_SCALAR_JOINT,
  snTARGET_BALL_JOINT,
  snTARGET_LIMITED_JOINT,
  snTARGET_TENDON,
  snTARGET_LIMITED_TENDON,
  snTARGET_ACTUATOR,
  snTARGET_FRAME,        // body, xbody, geom, site or camera
  snTARGET_FRAME_ALONE,  // the same without a reference
  snTARGET_FRAME_IN_SITE,
  snTARGET_SUBTREE,
  snTARGET_TWO_GEOMS,  // geoms or bodies
  snTARGET_CONTACT,
  snTARGET_MESH_OF_GEOM,
  snTARGET_USER,
  snTARGET_PLUGIN
} snSensorTarget;

// A row of the table, for all but the engine, whose switches are made from it.
typedef struct snSensorType_ {
  const char* tag;
  snSensor type;
  snSensorTarget target;
  int dim;
  snStage stage;
  snDataType datatype;
  int ownCutoff;
} snSensorType;

#ifdef __cplusplus
extern "C" {
#endif

// The row of a type; NULL: there is no such type.
const snSensorType* sn_sensorType(int type);

// The row of an element's tag; NULL: not a sensor.
const snSensorType* sn_sensorWithTag(const char* tag);

// Type of the object of a sensor of one object, and the attribute that names it; snOBJ_UNKNOWN and NULL
// for all other targets.
snObj sn_targetObject(snSensorTarget target);
const char* sn_targetAttribute(snSensorTarget target);

// Does an object of this type have a frame: (x)body, geom, site or camera?
int sn_isFrameType(int type);

// Numbers that the data bits of a rangefinder or a contact sensor stand for.
int sn_rayDataSize(int bits);
int sn_contactDataSize(int bits);

#ifdef __cplusplus
}
#endif

#endif  // SINEW_MODEL_SENSOR_TYPES_H_
