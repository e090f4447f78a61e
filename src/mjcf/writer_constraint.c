// Writing pairs, equalities, tendons, flexes, actuators, sensors.

#include <string.h>

#include "mjcf/sensor_tags.h"
#include "mjcf/writer.h"

// ---- contact, equality ----

static void writeContact(snWriter* w) {
  sn_writeOpen(w, "contact");
  SN_EACH(e, sn_specList(w->spec, snOBJ_PAIR)) {
    sn_writeOpen(w, "pair");
    sn_writeIdentity(w, e, 1);
    sn_writeGroup(w, sn_attrPairOwn, e->object, sn_writeReference(w, e));
    sn_writeGroup(w, sn_attrPair, e->object, sn_writeReference(w, e));
    sn_writeClose(w, "pair");
  }
  SN_EACH(e, sn_specList(w->spec, snOBJ_EXCLUDE)) {
    const snsExclude* exclude = (const snsExclude*)e->object;
    sn_writeOpen(w, "exclude");
    sn_writeIdentity(w, e, 0);
    sn_writeText(w, "body1", sns_getString(exclude->bodyname1));
    sn_writeText(w, "body2", sns_getString(exclude->bodyname2));
    sn_writeClose(w, "exclude");
  }
  sn_writeClose(w, "contact");
}

static void writeNames(snWriter* w, const snsEquality* eq, const char* first, const char* second) {
  sn_writeText(w, first, sns_getString(eq->name1));
  if (second) sn_writeName(w, second, eq->name2);
}

static void writeEqualityData(snWriter* w, const snsEquality* eq) {
  int site = eq->objtype == snOBJ_SITE;
  int posed = 0;
  switch (eq->type) {
    case snEQ_CONNECT:
      writeNames(w, eq, site ? "site1" : "body1", site ? "site2" : "body2");
      if (!site) sn_writeDoubles(w, "anchor", eq->data, 3);
      break;
    case snEQ_WELD:
      writeNames(w, eq, site ? "site1" : "body1", site ? "site2" : "body2");
      for (int i = 3; i < 10; i++) posed |= eq->data[i] != 0;
      if (!site) sn_writeDoubles(w, "anchor", eq->data, 3);
      if (!site && posed) sn_writeDoubles(w, "relpose", eq->data + 3, 7);
      sn_writeDoubles(w, "torquescale", eq->data + 10, 1);
      break;
    case snEQ_JOINT:
      writeNames(w, eq, "joint1", "joint2");
      sn_writeDoubles(w, "polycoef", eq->data, 5);
      break;
    case snEQ_TENDON:
      writeNames(w, eq, "tendon1", "tendon2");
      sn_writeDoubles(w, "polycoef", eq->data, 5);
      break;
    default: writeNames(w, eq, "flex", NULL); break;
  }
}

static void writeEqualities(snWriter* w) {
  static const char* const tags[] = {"connect", "weld", "joint", "tendon", "flex", "flexvert"};
  sn_writeOpen(w, "equality");
  SN_EACH(e, sn_specList(w->spec, snOBJ_EQUALITY)) {
    const snsEquality* eq = (const snsEquality*)e->object;
    if ((int)eq->type < 0 || eq->type > snEQ_FLEXVERT) continue;
    sn_writeOpen(w, tags[eq->type]);
    sn_writeIdentity(w, e, 1);
    writeEqualityData(w, eq);
    sn_writeGroup(w, sn_attrEquality, eq, sn_writeReference(w, e));
    sn_writeClose(w, tags[eq->type]);
  }
  sn_writeClose(w, "equality");
}

// ---- tendon, flex ----

static void writeWrap(snWriter* w, const snElem* e) {
  const snWrapObject* wrap = (const snWrapObject*)e->object;
  const char* tag = wrap->wrap.type == snWRAP_JOINT    ? "joint"
                    : wrap->wrap.type == snWRAP_SITE   ? "site"
                    : wrap->wrap.type == snWRAP_PULLEY ? "pulley"
                                                       : "geom";
  sn_writeOpen(w, tag);
  if (wrap->wrap.type != snWRAP_PULLEY) sn_writeText(w, tag, sns_getString(wrap->target));
  if (wrap->wrap.type == snWRAP_PULLEY) sn_writeDoubles(w, "divisor", &wrap->prm, 1);
  if (wrap->wrap.type == snWRAP_JOINT) sn_writeDoubles(w, "coef", &wrap->prm, 1);
  if (!strcmp(tag, "geom")) sn_writeName(w, "sidesite", wrap->sidesite);
  sn_writeClose(w, tag);
}

static void writeTendon(snWriter* w, const snElem* e) {
  const snsTendon* tendon = (const snsTendon*)e->object;
  const snsTendon* reference = (const snsTendon*)sn_writeReference(w, e);
  const snElem* first = sn_wrapList(e)->first;
  int fixed = first && ((const snWrapObject*)first->object)->wrap.type == snWRAP_JOINT;
  const char* tag = fixed ? "fixed" : "spatial";
  sn_writeOpen(w, tag);
  sn_writeIdentity(w, e, 1);
  sn_writeGroup(w, sn_attrTendon, tendon, reference);
  sn_writeGroup(w, sn_attrTendonOwn, tendon, reference);
  if (!fixed) sn_writeGroup(w, sn_attrTendonVisual, tendon, reference);
  if (memcmp(tendon->springlength, reference->springlength, sizeof(tendon->springlength))) {
    sn_writeDoubles(w, "springlength", tendon->springlength, 2);
  }
  SN_EACH(wrap, sn_wrapList(e)) writeWrap(w, wrap);
  sn_writeClose(w, tag);
}

static void writePart(snWriter* w, const char* tag, const snAttr* group, const snsFlex* flex,
                      const snsFlex* plain) {
  sn_writeOpen(w, tag);
  sn_writeGroup(w, group, flex, plain);
  sn_writeClose(w, tag);
}

static void writeFlexes(snWriter* w) {
  sn_writeOpen(w, "deformable");
  SN_EACH(e, sn_specList(w->spec, snOBJ_FLEX)) {
    const snsFlex* flex = (const snsFlex*)e->object;
    const snsFlex* plain = (const snsFlex*)sn_classDummy(w->base, snOBJ_FLEX)->object;
    sn_writeOpen(w, "flex");
    sn_writeIdentity(w, e, 0);
    sn_writeGroup(w, sn_attrFlex, flex, plain);
    writePart(w, "contact", sn_attrFlexContact, flex, plain);
    writePart(w, "edge", sn_attrFlexEdge, flex, plain);
    writePart(w, "elasticity", sn_attrFlexElasticity, flex, plain);
    sn_writeClose(w, "flex");
  }
  sn_writeClose(w, "deformable");
}

void sn_writeConstraints(snWriter* w) {
  writeContact(w);
  writeFlexes(w);
  writeEqualities(w);
  sn_writeOpen(w, "tendon");
  SN_EACH(e, sn_specList(w->spec, snOBJ_TENDON)) writeTendon(w, e);
  sn_writeClose(w, "tendon");
}

// ---- actuators ----

static void writeTransmission(snWriter* w, const snsActuator* actuator, const snsActuator* theirs) {
  const char* attribute = NULL;
  switch (actuator->trntype) {
    case snTRN_JOINT: attribute = "joint"; break;
    case snTRN_JOINTINPARENT: attribute = "jointinparent"; break;
    case snTRN_TENDON: attribute = "tendon"; break;
    case snTRN_SLIDERCRANK:
      attribute = "cranksite";
      sn_writeName(w, "slidersite", actuator->slidersite);
      sn_writeDoubles(w, "cranklength", &actuator->cranklength, 1);
      break;
    case snTRN_SITE:
      attribute = "site";
      sn_writeName(w, "refsite", actuator->refsite);
      break;
    case snTRN_BODY: attribute = "body"; break;
    default: break;
  }
  if (attribute) sn_writeText(w, attribute, sns_getString(actuator->target));
  if (memcmp(actuator->gear, theirs->gear, sizeof(actuator->gear))) {
    sn_writeDoubles(w, "gear", actuator->gear, 6);
  }
}

// a range that is inherited from the joint or tendon can only be said by the servos
static void writeServo(snWriter* w, const snsActuator* actuator) {
  double damping = actuator->biasprm[2];
  sn_writeDoubles(w, "kp", &actuator->gainprm[0], 1);
  if (damping < 0) {
    damping = -damping;
    sn_writeDoubles(w, "kv", &damping, 1);
  } else if (damping > 0) {
    sn_writeDoubles(w, "dampratio", &damping, 1);
  }
  if (actuator->dyntype == snDYN_FILTEREXACT) {
    sn_writeDoubles(w, "timeconst", actuator->dynprm, 1);
  }
  sn_writeDoubles(w, "inheritrange", &actuator->inheritrange, 1);
}

static void writeActuator(snWriter* w, const snElem* e) {
  const snsActuator* actuator = (const snsActuator*)e->object;
  const snsActuator* theirs = (const snsActuator*)sn_writeReference(w, e);
  int inherits = actuator->inheritrange != 0;
  const char* tag = !inherits                               ? "general"
                    : actuator->dyntype == snDYN_INTEGRATOR ? "intvelocity"
                                                            : "position";
  if (actuator->plugin.active) tag = "plugin";
  if (inherits && !w->plain) w->conflict = 1;
  sn_writeOpen(w, tag);
  sn_writeIdentity(w, e, 1);
  if (actuator->plugin.active) sn_writePluginReference(w, &actuator->plugin);
  writeTransmission(w, actuator, theirs);
  sn_writeGroup(w, sn_attrActuator, actuator, theirs);
  sn_writeGroup(w, sn_attrActuatorCtrl, actuator, theirs);
  sn_writeGroup(w, sn_attrActuatorLength, actuator, theirs);
  if (inherits) {
    writeServo(w, actuator);
  } else {
    sn_writeGroup(w, sn_attrActuatorAct, actuator, theirs);
    sn_writeGroup(w, sn_attrActuatorDyn, actuator, theirs);
    if (!actuator->plugin.active) sn_writeGroup(w, sn_attrActuatorGain, actuator, theirs);
  }
  if (actuator->plugin.active) sn_writePluginConfig(w, &actuator->plugin);
  sn_writeClose(w, tag);
}

void sn_writeActuators(snWriter* w) {
  sn_writeOpen(w, "actuator");
  SN_EACH(e, sn_specList(w->spec, snOBJ_ACTUATOR)) writeActuator(w, e);
  sn_writeClose(w, "actuator");
}

// ---- sensors ----

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

static void writeMask(snWriter* w, const snKeyword* map, int mask) {
  snString words = {0};
  for (; map->name; map++) {
    if (!(mask & (1 << map->value))) continue;
    if (words.size) sn_stringAppend(&words, " ", 1);
    sn_stringAppend(&words, map->name, (int)strlen(map->name));
  }
  sn_writeName(w, "data", &words);
  sn_boxFree((snBox*)&words, snBOX_STRING);
}

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

static void writeSensorObjects(snWriter* w, const snsSensor* s) {
  const snSensorTag* simple = findTag(sn_sensorTags, s->type);
  const snSensorTag* frame = findTag(sn_sensorFrameTags, s->type);
  if (simple) {
    if (simple->attribute) sn_writeText(w, simple->attribute, sns_getString(s->objname));
    return;
  }
  if (frame) {
    writeObject(w, s);
    if (frame->attribute && s->reftype != snOBJ_UNKNOWN) {
      sn_writeText(w, "reftype", sn_typeName(s->reftype));
      sn_writeText(w, "refname", sns_getString(s->refname));
    }
    return;
  }
  switch (s->type) {
    case snSENS_CAMPROJECTION:
      sn_writeName(w, "site", s->objname);
      sn_writeName(w, "camera", s->refname);
      break;
    case snSENS_RANGEFINDER:
      sn_writeName(w, s->objtype == snOBJ_CAMERA ? "camera" : "site", s->objname);
      writeMask(w, sn_mapRayData, s->intprm[0]);
      break;
    case snSENS_INSIDESITE:
      sn_writeName(w, "site", s->refname);
      writeObject(w, s);
      break;
    case snSENS_TACTILE:
      sn_writeName(w, "mesh", s->objname);
      sn_writeName(w, "geom", s->refname);
      break;
    case snSENS_USER:
      writeObject(w, s);
      sn_writeInts(w, "dim", &s->dim, 1);
      sn_writeText(w, "needstage", sn_keywordName(sn_mapStage, (int)s->needstage));
      sn_writeText(w, "datatype", sn_keywordName(sn_mapDataType, (int)s->datatype));
      break;
    default:
      sn_writeName(w, sideName(s->objtype, 0), s->objname);
      sn_writeName(w, sideName(s->reftype, 1), s->refname);
      if (s->type != snSENS_CONTACT) break;
      writeMask(w, sn_mapContactData, s->intprm[0]);
      sn_writeText(w, "reduce", sn_keywordName(sn_mapReduce, s->intprm[1]));
      sn_writeInts(w, "num", &s->intprm[2], 1);
      break;
  }
}

static void writePluginSensor(snWriter* w, const snElem* e, const snsSensor* plain) {
  const snsSensor* sensor = (const snsSensor*)e->object;
  sn_writeOpen(w, "plugin");
  sn_writeIdentity(w, e, 0);
  sn_writePluginReference(w, &sensor->plugin);
  if (sensor->objtype != snOBJ_UNKNOWN) writeObject(w, sensor);
  if (sensor->reftype != snOBJ_UNKNOWN) {
    sn_writeText(w, "reftype", sn_typeName(sensor->reftype));
    sn_writeText(w, "refname", sns_getString(sensor->refname));
  }
  if (sensor->cutoff != plain->cutoff) sn_writeDoubles(w, "cutoff", &sensor->cutoff, 1);
  if (sensor->userdata->size) {
    sn_writeDoubles(w, "user", sensor->userdata->data, sensor->userdata->size);
  }
  sn_writePluginConfig(w, &sensor->plugin);
  sn_writeClose(w, "plugin");
}

static void writeSensor(snWriter* w, const snElem* e, const snsSensor* plain) {
  const snsSensor* sensor = (const snsSensor*)e->object;
  if (sensor->type == snSENS_PLUGIN) {
    writePluginSensor(w, e, plain);
    return;
  }
  const char* tag = sensorTag(sensor->type);
  if (!tag) return;
  sn_writeOpen(w, tag);
  sn_writeIdentity(w, e, 0);
  writeSensorObjects(w, sensor);
  if (sensor->type != snSENS_USER) {
    sn_writeGroup(w, sn_attrSensor, sensor, plain);
  } else if (sensor->userdata->size) {
    sn_writeDoubles(w, "user", sensor->userdata->data, sensor->userdata->size);
  }
  if (sensor->type != snSENS_TACTILE) sn_writeGroup(w, sn_attrSensorNoise, sensor, plain);
  sn_writeClose(w, tag);
}

void sn_writeSensors(snWriter* w) {
  snElem* plain = sn_elemNew(w->spec, snOBJ_SENSOR);
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
