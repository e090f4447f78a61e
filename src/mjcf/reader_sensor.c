// Sensors.

#include <stdio.h>
#include <string.h>

#include "mjcf/reader.h"
#include "mjcf/sensor_tags.h"

// sensors of one object that one attribute names
const snSensorTag sn_sensorTags[] = {
    {"touch", snSENS_TOUCH, snOBJ_SITE, "site"},
    {"accelerometer", snSENS_ACCELEROMETER, snOBJ_SITE, "site"},
    {"velocimeter", snSENS_VELOCIMETER, snOBJ_SITE, "site"},
    {"gyro", snSENS_GYRO, snOBJ_SITE, "site"},
    {"force", snSENS_FORCE, snOBJ_SITE, "site"},
    {"torque", snSENS_TORQUE, snOBJ_SITE, "site"},
    {"magnetometer", snSENS_MAGNETOMETER, snOBJ_SITE, "site"},
    {"jointpos", snSENS_JOINTPOS, snOBJ_JOINT, "joint"},
    {"jointvel", snSENS_JOINTVEL, snOBJ_JOINT, "joint"},
    {"jointactuatorfrc", snSENS_JOINTACTFRC, snOBJ_JOINT, "joint"},
    {"jointlimitpos", snSENS_JOINTLIMITPOS, snOBJ_JOINT, "joint"},
    {"jointlimitvel", snSENS_JOINTLIMITVEL, snOBJ_JOINT, "joint"},
    {"jointlimitfrc", snSENS_JOINTLIMITFRC, snOBJ_JOINT, "joint"},
    {"ballquat", snSENS_BALLQUAT, snOBJ_JOINT, "joint"},
    {"ballangvel", snSENS_BALLANGVEL, snOBJ_JOINT, "joint"},
    {"tendonpos", snSENS_TENDONPOS, snOBJ_TENDON, "tendon"},
    {"tendonvel", snSENS_TENDONVEL, snOBJ_TENDON, "tendon"},
    {"tendonactuatorfrc", snSENS_TENDONACTFRC, snOBJ_TENDON, "tendon"},
    {"tendonlimitpos", snSENS_TENDONLIMITPOS, snOBJ_TENDON, "tendon"},
    {"tendonlimitvel", snSENS_TENDONLIMITVEL, snOBJ_TENDON, "tendon"},
    {"tendonlimitfrc", snSENS_TENDONLIMITFRC, snOBJ_TENDON, "tendon"},
    {"actuatorpos", snSENS_ACTUATORPOS, snOBJ_ACTUATOR, "actuator"},
    {"actuatorvel", snSENS_ACTUATORVEL, snOBJ_ACTUATOR, "actuator"},
    {"actuatorfrc", snSENS_ACTUATORFRC, snOBJ_ACTUATOR, "actuator"},
    {"subtreecom", snSENS_SUBTREECOM, snOBJ_BODY, "body"},
    {"subtreelinvel", snSENS_SUBTREELINVEL, snOBJ_BODY, "body"},
    {"subtreeangmom", snSENS_SUBTREEANGMOM, snOBJ_BODY, "body"},
    {"e_potential", snSENS_E_POTENTIAL, snOBJ_UNKNOWN, NULL},
    {"e_kinetic", snSENS_E_KINETIC, snOBJ_UNKNOWN, NULL},
    {"clock", snSENS_CLOCK, snOBJ_UNKNOWN, NULL},
    {NULL, snSENS_TOUCH, snOBJ_UNKNOWN, NULL},
};

// sensors of the pose of an object, some of them relative to another
const snSensorTag sn_sensorFrameTags[] = {
    {"framepos", snSENS_FRAMEPOS, snOBJ_UNKNOWN, "refname"},
    {"framequat", snSENS_FRAMEQUAT, snOBJ_UNKNOWN, "refname"},
    {"framexaxis", snSENS_FRAMEXAXIS, snOBJ_UNKNOWN, "refname"},
    {"frameyaxis", snSENS_FRAMEYAXIS, snOBJ_UNKNOWN, "refname"},
    {"framezaxis", snSENS_FRAMEZAXIS, snOBJ_UNKNOWN, "refname"},
    {"framelinvel", snSENS_FRAMELINVEL, snOBJ_UNKNOWN, "refname"},
    {"frameangvel", snSENS_FRAMEANGVEL, snOBJ_UNKNOWN, "refname"},
    {"framelinacc", snSENS_FRAMELINACC, snOBJ_UNKNOWN, NULL},
    {"frameangacc", snSENS_FRAMEANGACC, snOBJ_UNKNOWN, NULL},
    {NULL, snSENS_TOUCH, snOBJ_UNKNOWN, NULL},
};

static int readSimple(snReader* r, const snXmlNode* node, snsSensor* sensor) {
  for (const snSensorTag* tag = sn_sensorTags; tag->tag; tag++) {
    if (strcmp(node->name, tag->tag)) continue;
    sensor->type = tag->type;
    sensor->objtype = tag->objtype;
    if (tag->attribute) sns_setString(sensor->objname, sn_mjcfNeeded(r, node, tag->attribute));
    return 1;
  }
  return 0;
}

static void readObject(snReader* r, const snXmlNode* node, snsSensor* sensor) {
  sensor->objtype = sn_objectType(sn_mjcfNeeded(r, node, "objtype"));
  sns_setString(sensor->objname, sn_mjcfNeeded(r, node, "objname"));
}

static int readFrame(snReader* r, const snXmlNode* node, snsSensor* sensor) {
  for (const snSensorTag* tag = sn_sensorFrameTags; tag->tag; tag++) {
    if (strcmp(node->name, tag->tag)) continue;
    sensor->type = tag->type;
    readObject(r, node, sensor);
    if (!tag->attribute) return 1;
    const char* reftype = sn_xmlAttr(node, "reftype");
    const char* refname = sn_xmlAttr(node, "refname");
    if (reftype) {
      // an unknown type counts as no reference
      sensor->reftype = sn_objectType(reftype);
      const char* name = sn_mjcfNeeded(r, node, "refname");
      if (sensor->reftype != snOBJ_UNKNOWN) sns_setString(sensor->refname, name);
    } else if (refname) {
      sn_mjcfFail(r, node, "refname '%s' given but reftype is missing", refname);
    }
    return 1;
  }
  return 0;
}

// keywords in the order of their values, as a mask
static int readData(snReader* r, const snXmlNode* node, const snKeyword* map, int fallback) {
  int values[16];
  int count = sn_mjcfKeywords(r, node, "data", map, values, 16);
  if (!count) return 1 << fallback;
  int mask = 0;
  for (int i = 0; i < count; i++) {
    if (i && values[i] < values[i - 1]) {
      char order[128] = "";
      for (const snKeyword* word = map; word->name; word++) {
        size_t used = strlen(order);
        snprintf(order + used, sizeof(order) - used, "%s%s", used ? ", " : "", word->name);
      }
      sn_mjcfFail(r, node, "data attributes must be in order: %s", order);
    }
    mask |= 1 << values[i];
  }
  return mask;
}

static void readRangefinder(snReader* r, const snXmlNode* node, snsSensor* sensor) {
  const char* site = sn_xmlAttr(node, "site");
  const char* camera = sn_xmlAttr(node, "camera");
  sensor->type = snSENS_RANGEFINDER;
  if (!site == !camera) {
    sn_mjcfFail(r, node, "rangefinder requires exactly one of 'site' or 'camera'");
  }
  sensor->objtype = site ? snOBJ_SITE : snOBJ_CAMERA;
  sns_setString(sensor->objname, site ? site : camera);
  sensor->intprm[0] = readData(r, node, sn_mapRayData, snRAYDATA_DIST);
}

// the object or reference of a sensor by one of several attributes; returns how many there are
static int readChoice(const snXmlNode* node, const char* const* names, const snObj* types, int n,
                      snObj* type, snString* name) {
  int count = 0;
  for (int i = 0; i < n; i++) {
    const char* text = sn_xmlAttr(node, names[i]);
    if (!text) continue;
    count++;
    *type = types[i];
    sns_setString(name, text);
  }
  return count;
}

static void readDistance(snReader* r, const snXmlNode* node, snsSensor* sensor) {
  static const char* const first[] = {"body1", "geom1"};
  static const char* const second[] = {"body2", "geom2"};
  static const snObj types[] = {snOBJ_BODY, snOBJ_GEOM};
  sensor->type = !strcmp(node->name, "distance") ? snSENS_GEOMDIST
                 : !strcmp(node->name, "normal") ? snSENS_GEOMNORMAL
                                                 : snSENS_GEOMFROMTO;
  if (readChoice(node, first, types, 2, &sensor->objtype, sensor->objname) != 1) {
    sn_mjcfFail(r, node, "exactly one of (geom1, body1) must be specified");
  }
  if (readChoice(node, second, types, 2, &sensor->reftype, sensor->refname) != 1) {
    sn_mjcfFail(r, node, "exactly one of (geom2, body2) must be specified");
  }
}

static void readContactSensor(snReader* r, const snXmlNode* node, snsSensor* sensor) {
  static const char* const first[] = {"site", "body1", "subtree1", "geom1"};
  static const snObj firstTypes[] = {snOBJ_SITE, snOBJ_BODY, snOBJ_XBODY, snOBJ_GEOM};
  static const char* const second[] = {"body2", "subtree2", "geom2"};
  static const snObj secondTypes[] = {snOBJ_BODY, snOBJ_XBODY, snOBJ_GEOM};
  sensor->type = snSENS_CONTACT;
  if (readChoice(node, first, firstTypes, 4, &sensor->objtype, sensor->objname) > 1) {
    sn_mjcfFail(r, node, "at most one of (geom1, body1, subtree1, site) can be specified");
  }
  if (readChoice(node, second, secondTypes, 3, &sensor->reftype, sensor->refname) > 1) {
    sn_mjcfFail(r, node, "at most one of (geom2, body2, subtree2) can be specified");
  }
  sensor->intprm[0] = readData(r, node, sn_mapContactData, snCONDATA_FOUND);
  sensor->intprm[1] = 0;
  sn_mjcfKeyword(r, node, "reduce", sn_mapReduce, &sensor->intprm[1]);
  sensor->intprm[2] = 1;
  sn_mjcfInt(r, node, "num", &sensor->intprm[2]);
  if (sensor->intprm[2] <= 0) sn_mjcfFail(r, node, "'num' must be positive in sensor");
}

static void readUserSensor(snReader* r, const snXmlNode* node, snsSensor* sensor) {
  const char* objtype = sn_xmlAttr(node, "objtype");
  const char* objname = sn_xmlAttr(node, "objname");
  int value;
  sensor->type = snSENS_USER;
  if (objtype) sensor->objtype = sn_objectType(objtype);
  if (objname && sensor->objtype != snOBJ_UNKNOWN) sns_setString(sensor->objname, objname);
  if (objtype && !objname) {
    sn_mjcfFail(r, node, "objtype '%s' given but objname is missing", objtype);
  } else if (objname && !objtype) {
    sn_mjcfFail(r, node, "objname '%s' given but objtype is missing", objname);
  }
  if (sn_mjcfKeyword(r, node, "needstage", sn_mapStage, &value)) sensor->needstage = (snStage)value;
  if (sn_mjcfKeyword(r, node, "datatype", sn_mapDataType, &value)) {
    sensor->datatype = (snDataType)value;
  }
  if (!sn_mjcfInt(r, node, "dim", &sensor->dim)) {
    sn_mjcfFail(r, node, "required attribute missing: 'dim'");
  }
}

static void readPair(snReader* r, const snXmlNode* node, const char* kind, snObj* type,
                     snString* name) {
  char typeAttr[16], nameAttr[16];
  snprintf(typeAttr, sizeof(typeAttr), "%stype", kind);
  snprintf(nameAttr, sizeof(nameAttr), "%sname", kind);
  const char* typeText = sn_xmlAttr(node, typeAttr);
  const char* nameText = sn_xmlAttr(node, nameAttr);
  if (typeText && !nameText) {
    sn_mjcfFail(r, node, "%s is specified but %s is not", typeAttr, nameAttr);
  } else if (nameText && !typeText) {
    sn_mjcfFail(r, node, "%s is specified but %s is not", nameAttr, typeAttr);
  } else if (typeText) {
    *type = sn_objectType(typeText);
    sns_setString(name, nameText);
  }
}

static void readPluginSensor(snReader* r, const snXmlNode* node, snsSensor* sensor) {
  sensor->type = snSENS_PLUGIN;
  sn_mjcfPlugin(r, node, &sensor->plugin);
  readPair(r, node, "obj", &sensor->objtype, sensor->objname);
  readPair(r, node, "ref", &sensor->reftype, sensor->refname);
}

static void readKind(snReader* r, const snXmlNode* node, snsSensor* sensor) {
  const char* tag = node->name;
  if (readSimple(r, node, sensor) || readFrame(r, node, sensor)) return;
  if (!strcmp(tag, "camprojection")) {
    sensor->type = snSENS_CAMPROJECTION;
    sensor->objtype = snOBJ_SITE;
    sensor->reftype = snOBJ_CAMERA;
    sns_setString(sensor->objname, sn_mjcfNeeded(r, node, "site"));
    sns_setString(sensor->refname, sn_mjcfNeeded(r, node, "camera"));
  } else if (!strcmp(tag, "insidesite")) {
    sensor->type = snSENS_INSIDESITE;
    sensor->reftype = snOBJ_SITE;
    sns_setString(sensor->refname, sn_mjcfNeeded(r, node, "site"));
    readObject(r, node, sensor);
  } else if (!strcmp(tag, "tactile")) {
    sensor->type = snSENS_TACTILE;
    sensor->objtype = snOBJ_MESH;
    sensor->reftype = snOBJ_GEOM;
    sns_setString(sensor->refname, sn_mjcfNeeded(r, node, "geom"));
    sns_setString(sensor->objname, sn_mjcfNeeded(r, node, "mesh"));
  } else if (!strcmp(tag, "rangefinder")) {
    readRangefinder(r, node, sensor);
  } else if (!strcmp(tag, "contact")) {
    readContactSensor(r, node, sensor);
  } else if (!strcmp(tag, "user")) {
    readUserSensor(r, node, sensor);
  } else if (!strcmp(tag, "plugin")) {
    readPluginSensor(r, node, sensor);
  } else {
    readDistance(r, node, sensor);
  }
}

void sn_mjcfSensor(snReader* r, const snXmlNode* section) {
  for (const snXmlNode* node = section->first; node && !r->failed; node = node->next) {
    snsSensor* sensor = sns_addSensor(r->spec);
    if (!sensor) {
      sn_mjcfFail(r, node, "out of memory");
      return;
    }
    sn_mjcfName(r, node, sn_elem(sensor->element), sensor->info);
    sn_mjcfGroup(r, node, sn_attrSensor, sensor);
    sn_mjcfGroup(r, node, sn_attrSensorNoise, sensor);
    readKind(r, node, sensor);
  }
}
