// Sensors of a model: what they observe fits their type, what they write fits their place.

#include "model/names.h"
#include "model/plugin.h"
#include "model/validate.h"

// an object of the type, or none
static int refersInside(const snModel* m, int type, int id) {
  return id == -1 || (id >= 0 && id < sn_objectCount(m, type));
}

static int isFrame(int type) {
  return type == snOBJ_BODY || type == snOBJ_XBODY || type == snOBJ_GEOM || type == snOBJ_SITE ||
         type == snOBJ_CAMERA;
}

// what a contact sensor looks for on one side: anything, or an object
static int isSide(int type, int id) {
  return type == snOBJ_UNKNOWN || (id >= 0 && (type == snOBJ_SITE || type == snOBJ_BODY ||
                                               type == snOBJ_XBODY || type == snOBJ_GEOM));
}

static snSize fieldSize(int bits, const int* sizes, int n) {
  snSize size = 0;
  for (int k = 0; k < n; k++) size += bits >> k & 1 ? sizes[k] : 0;
  return size;
}

// numbers that a sensor writes, -1: any
static snSize sensorSize(const snModel* m, int i) {
  static const int contact[snNCONDATA] = {1, 3, 3, 1, 3, 3, 3};
  static const int ray[snNRAYDATA] = {1, 3, 3, 3, 3, 1};
  const int* prm = m->sensor_intprm + snNSENS * i;
  int type = m->sensor_type[i], id = m->sensor_objid[i];
  switch (type) {
    case snSENS_RANGEFINDER: {
      const int* resolution = m->cam_resolution + 2 * id;
      int isCamera = m->sensor_objtype[i] == snOBJ_CAMERA;
      return fieldSize(prm[0], ray, snNRAYDATA) *
             (isCamera ? (snSize)resolution[0] * resolution[1] : 1);
    }
    case snSENS_CONTACT: return fieldSize(prm[0], contact, snNCONDATA) * prm[2];
    case snSENS_TACTILE: return 3 * (snSize)m->mesh_vertnum[id];
    case snSENS_CAMPROJECTION: return 2;
    case snSENS_GEOMFROMTO: return 6;
    case snSENS_BALLQUAT:
    case snSENS_FRAMEQUAT: return 4;
    case snSENS_USER:
    case snSENS_PLUGIN: return -1;
    case snSENS_TOUCH:
    case snSENS_GEOMDIST:
    case snSENS_INSIDESITE: return 1;
    default: break;
  }
  if ((type >= snSENS_JOINTPOS && type <= snSENS_TENDONACTFRC) ||
      (type >= snSENS_JOINTLIMITPOS && type <= snSENS_TENDONLIMITFRC) ||
      (type >= snSENS_E_POTENTIAL && type <= snSENS_CLOCK)) {
    return 1;
  }
  return 3;
}

// does the type of the object fit? The ids themselves have been checked
static int objectFits(const snModel* m, int i) {
  int type = m->sensor_type[i], objtype = m->sensor_objtype[i], reftype = m->sensor_reftype[i];
  int id = m->sensor_objid[i], refid = m->sensor_refid[i];
  if (type <= snSENS_MAGNETOMETER) return objtype == snOBJ_SITE && id >= 0;
  if (type >= snSENS_FRAMEPOS && type <= snSENS_FRAMEANGACC) {
    return isFrame(objtype) && id >= 0 && (refid < 0 || isFrame(reftype));
  }
  switch (type) {
    case snSENS_RANGEFINDER: return (objtype == snOBJ_SITE || objtype == snOBJ_CAMERA) && id >= 0;
    case snSENS_CAMPROJECTION:
      return objtype == snOBJ_SITE && id >= 0 && reftype == snOBJ_CAMERA && refid >= 0;
    case snSENS_JOINTPOS:
    case snSENS_JOINTVEL:
    case snSENS_JOINTACTFRC:
    case snSENS_JOINTLIMITPOS:
    case snSENS_JOINTLIMITVEL:
    case snSENS_JOINTLIMITFRC: return objtype == snOBJ_JOINT && id >= 0;
    case snSENS_BALLQUAT:
    case snSENS_BALLANGVEL:
      return objtype == snOBJ_JOINT && id >= 0 && m->jnt_type[id] == snJNT_BALL;
    case snSENS_ACTUATORPOS:
    case snSENS_ACTUATORVEL:
    case snSENS_ACTUATORFRC: return objtype == snOBJ_ACTUATOR && id >= 0;
    case snSENS_TENDONPOS:
    case snSENS_TENDONVEL:
    case snSENS_TENDONACTFRC:
    case snSENS_TENDONLIMITPOS:
    case snSENS_TENDONLIMITVEL:
    case snSENS_TENDONLIMITFRC: return objtype == snOBJ_TENDON && id >= 0;
    case snSENS_SUBTREECOM:
    case snSENS_SUBTREELINVEL:
    case snSENS_SUBTREEANGMOM: return objtype == snOBJ_BODY && id >= 0;
    case snSENS_INSIDESITE:
      return isFrame(objtype) && id >= 0 && reftype == snOBJ_SITE && refid >= 0;
    case snSENS_GEOMDIST:
    case snSENS_GEOMNORMAL:
    case snSENS_GEOMFROMTO:
      return (objtype == snOBJ_BODY || objtype == snOBJ_GEOM) && id >= 0 &&
             (reftype == snOBJ_BODY || reftype == snOBJ_GEOM) && refid >= 0;
    case snSENS_CONTACT:
      return isSide(objtype, id) && isSide(reftype, refid) && reftype != snOBJ_SITE;
    case snSENS_PLUGIN:
      return m->sensor_plugin[i] >= 0 && (m->plugin[m->sensor_plugin[i]] != snPLUGIN_TOUCHGRID ||
                                          (objtype == snOBJ_SITE && id >= 0));
    case snSENS_TACTILE:
      return objtype == snOBJ_MESH && id >= 0 && reftype == snOBJ_GEOM && refid >= 0 &&
             m->mesh_normalnum[id] >= 3 * (snSize)m->mesh_vertnum[id];
    default: return 1;
  }
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
    if (!objectFits(m, i)) return "sensor_objtype does not fit sensor_type";
    snSize size = sensorSize(m, i);
    if (size >= 0 && size != m->sensor_dim[i]) return "sensor_dim does not fit sensor_type";
    if (!parametersFit(m, i)) return "sensor_intprm does not fit sensor_type";
  }
  return NULL;
}

// ---- delay buffers ----

// Buffer of n samples of dim numbers: a user number, a cursor, times and values. 0 when it does not lie
// inside of the buffers of all, to whose size it is added.
static int bufferFits(const snModel* m, int n, snSize adr, snSize dim, snSize* total) {
  if (n < 0 || adr < -1 || (n == 0 && adr != -1)) return 0;
  snSize size = n ? 2 + n * (1 + dim) : 0;
  *total += size;
  return n == 0 || (adr >= 0 && adr + size <= m->nhistory);
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
