// Sensors.

#include <stdio.h>

#include "base/suggest.h"
#include "mjcf/reader.h"
#include "model/sensor_types.h"

// sensors of one object that one attribute names, or of nothing
static void readSimple(snReader* r, const snXmlNode* node, snSensorTarget target,
                       snsSensor* sensor) {
  const char* attribute = sn_targetAttribute(target);
  sensor->objtype = sn_targetObject(target);
  if (attribute) sns_setString(sensor->objname, sn_mjcfNeeded(r, node, attribute));
}

static void readObject(snReader* r, const snXmlNode* node, snsSensor* sensor) {
  sensor->objtype = sn_objectType(sn_mjcfNeeded(r, node, "objtype"));
  sns_setString(sensor->objname, sn_mjcfNeeded(r, node, "objname"));
}

// sensors of the pose of an object relative to another
static void readFrame(snReader* r, const snXmlNode* node, snsSensor* sensor) {
  readObject(r, node, sensor);
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
}

// object and reference, each of one type
static void readTwo(snReader* r, const snXmlNode* node, const char* object, snObj objtype,
                    const char* reference, snObj reftype, snsSensor* sensor) {
  sensor->objtype = objtype;
  sensor->reftype = reftype;
  sns_setString(sensor->refname, sn_mjcfNeeded(r, node, reference));
  sns_setString(sensor->objname, sn_mjcfNeeded(r, node, object));
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
        sn_addToList(order, sizeof(order), word->name);
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
  if (objtype) sensor->objtype = sn_objectType(objtype);
  if (objname && sensor->objtype != snOBJ_UNKNOWN) sns_setString(sensor->objname, objname);
  if (objtype && !objname) {
    sn_mjcfFail(r, node, "objtype '%s' given but objname is missing", objtype);
  } else if (objname && !objtype) {
    sn_mjcfFail(r, node, "objname '%s' given but objtype is missing", objname);
  }
  if (!sn_mjcfInt(r, node, "dim", &sensor->dim)) {
    sn_mjcfFail(r, node, "required attribute missing: 'dim'");
  }
  if (sn_mjcfKeyword(r, node, "needstage", sn_mapStage, &value)) sensor->needstage = (snStage)value;
  if (sn_mjcfKeyword(r, node, "datatype", sn_mapDataType, &value)) {
    sensor->datatype = (snDataType)value;
  }
}

static void readPair(snReader* r, const snXmlNode* node, const char* kind, snObj* type,
                     snString* name) {
  char typeAttr[16], nameAttr[16];
  snprintf(typeAttr, sizeof(typeAttr), "%stype", kind);
  snprintf(nameAttr, sizeof(nameAttr), "%sname", kind);
  const char* typeText = sn_xmlAttr(node, typeAttr);
  if (typeText && sn_objectType(typeText) == snOBJ_UNKNOWN) typeText = NULL;  // as if not given
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
  sn_mjcfPlugin(r, node, &sensor->plugin);
  readPair(r, node, "obj", &sensor->objtype, sensor->objname);
  readPair(r, node, "ref", &sensor->reftype, sensor->refname);
}

static void readKind(snReader* r, const snXmlNode* node, snsSensor* sensor) {
  const snSensorType* row = sn_sensorWithTag(node->name);
  if (!row) {
    sn_mjcfFail(r, node, "unrecognized element");
    return;
  }
  sensor->type = row->type;
  switch (row->target) {
    case snTARGET_FRAME: readFrame(r, node, sensor); break;
    case snTARGET_FRAME_ALONE: readObject(r, node, sensor); break;
    case snTARGET_FRAME_IN_SITE:
      sensor->reftype = snOBJ_SITE;
      sns_setString(sensor->refname, sn_mjcfNeeded(r, node, "site"));
      readObject(r, node, sensor);
      break;
    case snTARGET_CAMERA_OF_SITE:
      (void)sn_mjcfNeeded(r, node, "site");  // this error comes before that of the camera
      readTwo(r, node, "site", snOBJ_SITE, "camera", snOBJ_CAMERA, sensor);
      break;
    case snTARGET_MESH_OF_GEOM:
      readTwo(r, node, "mesh", snOBJ_MESH, "geom", snOBJ_GEOM, sensor);
      break;
    case snTARGET_RAY: readRangefinder(r, node, sensor); break;
    case snTARGET_TWO_GEOMS: readDistance(r, node, sensor); break;
    case snTARGET_CONTACT: readContactSensor(r, node, sensor); break;
    case snTARGET_USER: readUserSensor(r, node, sensor); break;
    case snTARGET_PLUGIN: readPluginSensor(r, node, sensor); break;
    default: readSimple(r, node, row->target, sensor); break;
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
    sn_mjcfGroup(r, node, sn_attrSensorNoise, sensor);  // MuJoCo's order
    sn_mjcfGroup(r, node, sn_attrSensor, sensor);
    readKind(r, node, sensor);
  }
}
