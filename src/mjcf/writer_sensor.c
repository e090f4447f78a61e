// Writing sensors.

#include <string.h>

#include "mjcf/writer.h"
#include "model/sensor_types.h"

#define GROUPS(...) ((const snAttr* const[]){__VA_ARGS__, NULL})

// attribute of one side of a sensor of two things
static const char* sideName(snObj type, int second) {
  static const char* const names[4][2] = {
      {"body1", "body2"}, {"geom1", "geom2"}, {"subtree1", "subtree2"}, {"site", "site"}};
  int kind = type == snOBJ_GEOM ? 1 : type == snOBJ_XBODY ? 2 : type == snOBJ_SITE ? 3 : 0;
  return names[kind][second];
}

static void writeObject(snWriter* w, const snsSensor* s) {
  if (s->objtype == snOBJ_UNKNOWN && sn_stringEmpty(s->objname)) return;
  sn_writeText(w, "objtype", sn_typeName(s->objtype));
  sn_writeText(w, "objname", sns_getString(s->objname));
}

static void writeReferenceObject(snWriter* w, const snsSensor* s) {
  if (s->reftype == snOBJ_UNKNOWN) return;
  sn_writeText(w, "reftype", sn_typeName(s->reftype));
  sn_writeText(w, "refname", sns_getString(s->refname));
}

static void writeSides(snWriter* w, const snsSensor* s) {
  sn_writeName(w, sideName(s->objtype, 0), s->objname);
  sn_writeName(w, sideName(s->reftype, 1), s->refname);
  if (s->type != snSENS_CONTACT) return;
  if (s->intprm[2] != 1) sn_writeInts(w, "num", &s->intprm[2], 1);
  if (s->intprm[0] != 1 << snCONDATA_FOUND) {
    sn_writeWords(w, "data", sn_mapContactData, s->intprm[0], 1);
  }
  if (s->intprm[1]) sn_writeText(w, "reduce", sn_keywordName(sn_mapReduce, s->intprm[1]));
}

static void writeUserSensor(snWriter* w, const snsSensor* s) {
  writeObject(w, s);
  sn_writeInts(w, "dim", &s->dim, 1);
  sn_writeText(w, "needstage", sn_keywordName(sn_mapStage, (int)s->needstage));
  sn_writeText(w, "datatype", sn_keywordName(sn_mapDataType, (int)s->datatype));
}

static void writeObjects(snWriter* w, const snsSensor* s, snSensorTarget target) {
  const char* attribute = sn_targetAttribute(target);
  if (attribute) sn_writeText(w, attribute, sns_getString(s->objname));
  switch (target) {
    case snTARGET_CAMERA_OF_SITE:
      sn_writeName(w, "site", s->objname);
      sn_writeName(w, "camera", s->refname);
      break;
    case snTARGET_RAY:
      sn_writeName(w, s->objtype == snOBJ_CAMERA ? "camera" : "site", s->objname);
      if (s->intprm[0] != 1 << snRAYDATA_DIST) {
        sn_writeWords(w, "data", sn_mapRayData, s->intprm[0], 1);
      }
      break;
    case snTARGET_FRAME_IN_SITE:
      writeObject(w, s);
      sn_writeName(w, "site", s->refname);
      break;
    case snTARGET_MESH_OF_GEOM:
      sn_writeName(w, "geom", s->refname);
      sn_writeName(w, "mesh", s->objname);
      break;
    case snTARGET_FRAME:
    case snTARGET_PLUGIN:
      writeObject(w, s);
      writeReferenceObject(w, s);
      break;
    case snTARGET_FRAME_ALONE: writeObject(w, s); break;
    case snTARGET_USER: writeUserSensor(w, s); break;
    case snTARGET_TWO_GEOMS:
    case snTARGET_CONTACT: writeSides(w, s); break;
    default: break;
  }
}

static void writeSensor(snWriter* w, const snElem* e, const snsSensor* plain) {
  const snsSensor* sensor = (const snsSensor*)sn_resolved(e);
  const snSensorType* row = sn_sensorType(sensor->type);
  if (!row) return;
  int plugin = row->target == snTARGET_PLUGIN;
  sn_writeOpen(w, row->tag);
  writeObjects(w, sensor, row->target);
  if (plugin) sn_writePluginReference(w, &sensor->plugin);
  sn_writeName(w, "name", &e->name);
  sn_writeList(w, GROUPS(sn_attrSensor, sn_attrSensorNoise),
               "cutoff noise nsample interp delay interval", sensor, plain);
  sn_writeUser(w, sensor->userdata, NULL, w->sizes->nuser_sensor);
  if (plugin) sn_writePluginConfig(w, &sensor->plugin);
  sn_writeClose(w, row->tag);
}

void sn_writeSensors(snWriter* w) {
  snElem* plain = sn_elemNew(w->plain, snOBJ_SENSOR);
  if (!plain) {
    w->failed = 1;
    return;
  }
  sn_writeOpen(w, "sensor");
  SN_EACH(e, sn_specList(w->spec, snOBJ_SENSOR)) {
    writeSensor(w, e, (const snsSensor*)plain->object);
  }
  sn_writeClose(w, "sensor");
  sn_elemFree(plain);
}
