// Sensors of a model: what they observe fits their type, what they write fits their place.

#include "base/assert.h"
#include "model/names.h"
#include "model/plugin.h"
#include "model/sensor_types.h"
#include "model/validate.h"

// an object of the type, or none
static int refersInside(const snModel* m, int type, int id) {
  return id == -1 || (id >= 0 && id < sn_objectCount(m, type));
}

// what a contact sensor looks for on one side: anything, or an object
static int isSide(int type, int id) {
  return type == snOBJ_UNKNOWN || (id >= 0 && (type == snOBJ_SITE || type == snOBJ_BODY ||
                                               type == snOBJ_XBODY || type == snOBJ_GEOM));
}

// numbers that a sensor writes, -1: any, -2: none that could be
static snSize sensorSize(const snModel* m, int i, const snSensorType* row) {
  SN_ASSERT((int)row->type == m->sensor_type[i]);
  const int* prm = m->sensor_intprm + snNSENS * i;
  int id = m->sensor_objid[i];
  switch (row->target) {
    case snTARGET_RAY: {
      const int* resolution = m->cam_resolution + 2 * id;
      if (m->sensor_objtype[i] != snOBJ_CAMERA) return sn_rayDataSize(prm[0]);
      if (resolution[0] < 0 || resolution[1] < 0) return -2;
      return sn_rayDataSize(prm[0]) * (snSize)resolution[0] * resolution[1];
    }
    case snTARGET_CONTACT: return sn_contactDataSize(prm[0]) * (snSize)prm[2];
    case snTARGET_MESH_OF_GEOM: return 3 * (snSize)m->mesh_vertnum[id];
    default: return row->dim;
  }
}

static int isGeomOrBody(int type, int id) {
  return id >= 0 && (type == snOBJ_BODY || type == snOBJ_GEOM);
}

// does the type of the object fit? The ids themselves have been checked
static int objectFits(const snModel* m, int i, snSensorTarget target) {
  SN_ASSERT_INDEX(i, m->nsensor);
  int objtype = m->sensor_objtype[i], id = m->sensor_objid[i];
  int reftype = m->sensor_reftype[i], refid = m->sensor_refid[i];
  int frame = id >= 0 && sn_isFrameType(objtype);
  switch (target) {
    case snTARGET_NOTHING:
    case snTARGET_USER: return 1;
    case snTARGET_FRAME:
    case snTARGET_FRAME_ALONE: return frame && (refid < 0 || sn_isFrameType(reftype));
    case snTARGET_FRAME_IN_SITE: return frame && reftype == snOBJ_SITE && refid >= 0;
    case snTARGET_RAY: return (objtype == snOBJ_SITE || objtype == snOBJ_CAMERA) && id >= 0;
    case snTARGET_CAMERA_OF_SITE:
      return objtype == snOBJ_SITE && id >= 0 && reftype == snOBJ_CAMERA && refid >= 0;
    case snTARGET_TWO_GEOMS: return isGeomOrBody(objtype, id) && isGeomOrBody(reftype, refid);
    case snTARGET_CONTACT:
      return isSide(objtype, id) && isSide(reftype, refid) && reftype != snOBJ_SITE;
    case snTARGET_MESH_OF_GEOM:
      return objtype == snOBJ_MESH && id >= 0 && reftype == snOBJ_GEOM && refid >= 0 &&
             m->mesh_normalnum[id] >= 3 * (snSize)m->mesh_vertnum[id];
    case snTARGET_PLUGIN:
      return m->sensor_plugin[i] >= 0 && (m->plugin[m->sensor_plugin[i]] != snPLUGIN_TOUCHGRID ||
                                          (objtype == snOBJ_SITE && id >= 0));
    case snTARGET_BALL_JOINT:
      if (objtype == snOBJ_JOINT && id >= 0 && m->jnt_type[id] != snJNT_BALL) return 0;
      break;
    default: break;
  }
  return objtype == (int)sn_targetObject(target) && id >= 0;
}

// bits of the data of rays and contacts: at least one, and none that is unknown
static int parametersFit(const snModel* m, int i) {
  const int* prm = m->sensor_intprm + snNSENS * i;
  switch (m->sensor_type[i]) {
    case snSENS_RANGEFINDER: return prm[0] > 0 && prm[0] < 1 << snNRAYDATA;
    case snSENS_CONTACT:
      return prm[0] > 0 && prm[0] < 1 << snNCONDATA && prm[1] >= 0 && prm[1] <= 3 && prm[2] > 0;
    default: return 1;
  }
}

const char* sn_validateSensors(const snModel* m) {
  for (int i = 0; i < m->nsensor; i++) {
    if (!refersInside(m, m->sensor_objtype[i], m->sensor_objid[i]))
      return "sensor_objid out of bounds";
    if (!refersInside(m, m->sensor_reftype[i], m->sensor_refid[i]))
      return "sensor_refid out of bounds";
    const snSensorType* row = sn_sensorType(m->sensor_type[i]);
    if (!row) return "sensor_type out of bounds";
    if (!objectFits(m, i, row->target)) return "sensor_objtype does not fit sensor_type";
    snSize size = sensorSize(m, i, row);
    if (size != -1 && size != m->sensor_dim[i]) return "sensor_dim does not fit sensor_type";
    if (!parametersFit(m, i)) return "sensor_intprm does not fit sensor_type";
  }
  return NULL;
}

// ---- delay buffers ----

// Buffer of n samples of dim numbers: a user number, a cursor, times and values; n <= 0: none. 0 when it
// does not lie inside of the buffers of all, to whose size it is added.
static int bufferFits(const snModel* m, int n, snSize adr, snSize dim, snSize* total) {
  if (adr < -1 || (n <= 0 && adr != -1)) return 0;
  snSize size = n > 0 ? 2 + n * (1 + dim) : 0;
  *total += size;
  return n <= 0 || (adr >= 0 && adr + size <= m->nhistory);
}

const char* sn_validateHistory(const snModel* m) {
  snSize total = 0;
  for (int i = 0; i < m->nu; i++) {
    if (!bufferFits(m, m->actuator_history[2 * i], m->actuator_historyadr[i], 1, &total))
      return "actuator_historyadr out of bounds";
  }
  for (int i = 0; i < m->nsensor; i++) {
    snSize dim = m->sensor_dim[i];
    if (!bufferFits(m, m->sensor_history[2 * i], m->sensor_historyadr[i], dim, &total))
      return "sensor_historyadr out of bounds";
  }
  return total == m->nhistory ? NULL : "nhistory is not that of the delay buffers";
}
