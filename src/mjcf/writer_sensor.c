// Writing sensors.

#include <string.h>

#include "mjcf/sensor_tags.h"
#include "mjcf/writer.h"

#define GROUPS(...) ((const snAttr* const[]){__VA_ARGS__, NULL})

static const snSensorTag* findTag(const snSensorTag* tags, snSensor type) {
  for (; tags->tag; tags++) {
    if (tags->type == type) return tags;
  }
  return NULL;
}

static const char* sensorTag(snSensor type) {
  const snSensorTag* tag = findTag(sn_sensorTags, type);
  if (!tag) tag = findTag(sn_sensorFrameTags, type);
  if (tag) return tag->tag;
  switch (type) {
    case snSENS_CAMPROJECTION: return "camprojection";
    case snSENS_RANGEFINDER: return "rangefinder";
    case snSENS_INSIDESITE: return "insidesite";
    case snSENS_GEOMDIST: return "distance";
    case snSENS_GEOMNORMAL: return "normal";
    case snSENS_GEOMFROMTO: return "fromto";
    case snSENS_CONTACT: return "contact";
    case snSENS_TACTILE: return "tactile";
    case snSENS_USER: return "user";
    default: return NULL;
  }
}

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

static void writeSpecialObjects(snWriter* w, const snsSensor* s) {
  switch (s->type) {
    case snSENS_CAMPROJECTION:
      sn_writeName(w, "site", s->objname);
      sn_writeName(w, "camera", s->refname);
      break;
    case snSENS_RANGEFINDER:
      sn_writeName(w, s->objtype == snOBJ_CAMERA ? "camera" : "site", s->objname);
      if (s->intprm[0] != 1 << snRAYDATA_DIST) {
        sn_writeWords(w, "data", sn_mapRayData, s->intprm[0], 1);
      }
      break;
    case snSENS_INSIDESITE:
      writeObject(w, s);
      sn_writeName(w, "site", s->refname);
      break;
    case snSENS_TACTILE:
      sn_writeName(w, "geom", s->refname);
      sn_writeName(w, "mesh", s->objname);
      break;
    case snSENS_PLUGIN:
      writeObject(w, s);
      writeReferenceObject(w, s);
      break;
    case snSENS_USER: writeUserSensor(w, s); break;
    default: writeSides(w, s); break;
  }
}

static void writeObjects(snWriter* w, const snsSensor* s) {
  const snSensorTag* simple = findTag(sn_sensorTags, s->type);
  const snSensorTag* frame = findTag(sn_sensorFrameTags, s->type);
  if (simple) {
    if (simple->attribute) sn_writeText(w, simple->attribute, sns_getString(s->objname));
  } else if (frame) {
    writeObject(w, s);
    if (frame->attribute) writeReferenceObject(w, s);
  } else {
    writeSpecialObjects(w, s);
  }
}

static void writeSensor(snWriter* w, const snElem* e, const snsSensor* plain) {
  const snsSensor* sensor = (const snsSensor*)sn_resolved(e);
  int plugin = sensor->type == snSENS_PLUGIN;
  const char* tag = plugin ? "plugin" : sensorTag(sensor->type);
  if (!tag) return;
  sn_writeOpen(w, tag);
  writeObjects(w, sensor);
  if (plugin) sn_writePluginReference(w, &sensor->plugin);
  sn_writeName(w, "name", &e->name);
  sn_writeList(w, GROUPS(sn_attrSensor, sn_attrSensorNoise),
               "cutoff noise nsample interp delay interval", sensor, plain);
  sn_writeUser(w, sensor->userdata, NULL, w->sizes->nuser_sensor);
  if (plugin) sn_writePluginConfig(w, &sensor->plugin);
  sn_writeClose(w, tag);
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
