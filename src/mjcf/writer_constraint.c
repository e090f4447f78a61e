// Writing pairs, equalities, tendons and actuators.

#include <string.h>

#include "mjcf/writer.h"

#define GROUPS(...) ((const snAttr* const[]){__VA_ARGS__, NULL})

// ---- contact ----

// elements of a list in the order of the model; in the lossless form, of the list
static const snElem** sorted(snWriter* w, const snElemList* list) {
  const snElem** order =
      (const snElem**)snu_malloc(((size_t)list->size + 1) * sizeof(const snElem*));
  if (!order) {
    w->failed = 1;
    return NULL;
  }
  memset(order, 0, ((size_t)list->size + 1) * sizeof(const snElem*));
  int count = 0;
  SN_EACH(e, list) {
    if (w->source) {
      order[count++] = e;
    } else if (e->id >= 0 && e->id < list->size) {
      order[e->id] = e;
    }
  }
  return order;
}

void sn_writePairPart(snWriter* w, snPart part) {
  sn_writeList(w, GROUPS(sn_attrPair), "condim margin gap solref* solreffriction* solimp* friction",
               part.object, part.reference);
}

static void writePair(snWriter* w, const snElem* e) {
  const snsPair* pair = (const snsPair*)sn_writeGiven(w, e);
  sn_writeOpen(w, "pair");
  sn_writeClass(w, e, NULL);
  sn_writeText(w, "geom1", sns_getString(pair->geomname1));
  sn_writeText(w, "geom2", sns_getString(pair->geomname2));
  sn_writeName(w, "name", &e->name);
  sn_writePairPart(w, (snPart){e, pair, sn_writeReference(w, e)});
  sn_writeClose(w, "pair");
}

static void writeExclude(snWriter* w, const snElem* e) {
  const snsExclude* exclude = (const snsExclude*)sn_writeGiven(w, e);
  sn_writeOpen(w, "exclude");
  sn_writeName(w, "name", &e->name);
  sn_writeText(w, "body1", sns_getString(exclude->bodyname1));
  sn_writeText(w, "body2", sns_getString(exclude->bodyname2));
  sn_writeClose(w, "exclude");
}

void sn_writeContact(snWriter* w) {
  const snElemList* pairs = sn_specList(w->spec, snOBJ_PAIR);
  const snElemList* excludes = sn_specList(w->spec, snOBJ_EXCLUDE);
  const snElem** pair = sorted(w, pairs);
  const snElem** exclude = sorted(w, excludes);
  if (pair && exclude) {
    sn_writeOpen(w, "contact");
    for (int i = 0; i < pairs->size; i++) {
      if (pair[i]) writePair(w, pair[i]);
    }
    for (int i = 0; i < excludes->size; i++) {
      if (exclude[i]) writeExclude(w, exclude[i]);
    }
    sn_writeClose(w, "contact");
  }
  snu_free(pair);
  snu_free(exclude);
}

// ---- equality ----

static void writeNames(snWriter* w, const snsEquality* eq, const char* first, const char* second) {
  sn_writeText(w, first, sns_getString(eq->name1));
  if (second) sn_writeName(w, second, eq->name2);
}

static void writeEqualityData(snWriter* w, const snsEquality* eq) {
  int site = eq->objtype == snOBJ_SITE;
  switch (eq->type) {
    case snEQ_CONNECT:
      writeNames(w, eq, site ? "site1" : "body1", site ? "site2" : "body2");
      if (!site) sn_writeDoubles(w, "anchor", eq->data, 3);
      break;
    case snEQ_WELD:
      writeNames(w, eq, site ? "site1" : "body1", site ? "site2" : "body2");
      if (!site) sn_writeDoubles(w, "anchor", eq->data, 3);
      if (!site) sn_writeDoubles(w, "relpose", eq->data + 3, 7);
      sn_writeDoubles(w, "torquescale", eq->data + 10, 1);
      break;
    case snEQ_JOINT:
      writeNames(w, eq, "joint1", "joint2");
      sn_writeDoubles(w, "polycoef", eq->data, 5);
      break;
    case snEQ_DISTANCE:
      writeNames(w, eq, "site1", "site2");
      if (eq->data[0] >= 0) sn_writeDoubles(w, "distance", eq->data, 1);
      break;
    case snEQ_TENDON:
      writeNames(w, eq, "tendon1", "tendon2");
      sn_writeDoubles(w, "polycoef", eq->data, 5);
      break;
    default: writeNames(w, eq, "flex", NULL); break;
  }
}

void sn_writeEqualityPart(snWriter* w, snPart part) {
  sn_writeList(w, GROUPS(sn_attrEquality), "active solref* solimp*", part.object, part.reference);
}

void sn_writeEqualities(snWriter* w) {
  sn_writeOpen(w, "equality");
  SN_EACH(e, sn_specList(w->spec, snOBJ_EQUALITY)) {
    const snsEquality* eq = (const snsEquality*)sn_resolved(e);
    const char* tag = sn_keywordName(sn_mapEquality, (int)eq->type);
    if (!tag) continue;
    sn_writeOpen(w, tag);
    sn_writeIdentity(w, e, NULL);
    writeEqualityData(w, eq);
    sn_writeEqualityPart(w, (snPart){e, eq, sn_writeReference(w, e)});
    sn_writeClose(w, tag);
  }
  sn_writeClose(w, "equality");
}

// ---- tendon ----

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
  const double* friction = wrap->wrap.friction;
  if (friction[0] != 0) sn_writeDoubles(w, "sinew:friction", friction, friction[1] != 0 ? 2 : 1);
  if (wrap->wrap.angle != 0) sn_writeDoubles(w, "sinew:angle", &wrap->wrap.angle, 1);
  if (wrap->wrap.inertia != 0) sn_writeDoubles(w, "sinew:inertia", &wrap->wrap.inertia, 1);
  if (wrap->wrap.radius != 0) sn_writeDoubles(w, "sinew:radius", &wrap->wrap.radius, 1);
  sn_writeClose(w, tag);
}

static int isFixed(const snElem* tendon) {
  const snElem* first = sn_wrapList(tendon)->first;
  return first && ((const snWrapObject*)first->object)->wrap.type == snWRAP_JOINT;
}

void sn_writeTendonPart(snWriter* w, snPart part) {
  const snsTendon* tendon = (const snsTendon*)part.object;
  const snsTendon* reference = (const snsTendon*)part.reference;
  const snAttr* const* groups = GROUPS(sn_attrTendon, sn_attrTendonVisual, sn_attrTendonOwn);
  sn_writeList(w, groups,
               "group solreflimit* solimplimit* solreffriction* solimpfriction* limited "
               "actuatorfrclimited range actuatorfrcrange margin stiffness damping armature "
               "frictionloss",
               tendon, reference);
  // one number when there is no dead band, here and in the class
  const double *length = tendon->springlength, *other = reference->springlength;
  if (memcmp(length, other, sizeof(tendon->springlength))) {
    sn_writeDoubles(w, "springlength", length,
                    length[0] == length[1] && other[0] == other[1] ? 1 : 2);
  }
  int seen = !part.elem || !isFixed(part.elem);  // a fixed tendon is not drawn
  if (seen) sn_writeList(w, groups, "material width rgba", tendon, reference);
  sn_writeUser(w, tendon->userdata, part.elem ? reference->userdata : NULL, w->sizes->nuser_tendon);
}

static void writeTendon(snWriter* w, const snElem* e) {
  const snsTendon* tendon = (const snsTendon*)sn_resolved(e);
  const char* tag = isFixed(e) ? "fixed" : "spatial";
  sn_writeOpen(w, tag);
  sn_writeIdentity(w, e, NULL);
  sn_writeTendonPart(w, (snPart){e, tendon, sn_writeReference(w, e)});
  SN_EACH(wrap, sn_wrapList(e)) writeWrap(w, wrap);
  sn_writeClose(w, tag);
}

void sn_writeTendons(snWriter* w) {
  sn_writeOpen(w, "tendon");
  SN_EACH(e, sn_specList(w->spec, snOBJ_TENDON)) writeTendon(w, e);
  sn_writeClose(w, "tendon");
}

// ---- actuators ----

static void writeTransmission(snWriter* w, const snsActuator* actuator) {
  const char* attribute = NULL;
  switch (actuator->trntype) {
    case snTRN_JOINT: attribute = "joint"; break;
    case snTRN_JOINTINPARENT: attribute = "jointinparent"; break;
    case snTRN_TENDON: attribute = "tendon"; break;
    case snTRN_SLIDERCRANK: attribute = "cranksite"; break;
    case snTRN_SITE: attribute = "site"; break;
    case snTRN_BODY: attribute = "body"; break;
    default: break;
  }
  if (attribute) sn_writeText(w, attribute, sns_getString(actuator->target));
  if (actuator->trntype == snTRN_SLIDERCRANK) sn_writeName(w, "slidersite", actuator->slidersite);
  if (actuator->trntype == snTRN_SITE) sn_writeName(w, "refsite", actuator->refsite);
}

void sn_writeActuatorPart(snWriter* w, snPart part) {
  const snsActuator* actuator = (const snsActuator*)part.object;
  const snsActuator* reference = (const snsActuator*)part.reference;
  const snAttr* const* groups =
      GROUPS(sn_attrActuator, sn_attrActuatorCtrl, sn_attrActuatorGear, sn_attrActuatorLength,
             sn_attrActuatorAct, sn_attrActuatorDyn, sn_attrActuatorGain, sn_attrActuatorModel);
  sn_writeList(w, groups,
               "group nsample interp delay ctrllimited ctrlrange forcelimited forcerange "
               "actlimited actrange",
               actuator, reference);
  if (part.elem || w->source) sn_writeList(w, groups, "lengthrange", actuator, reference);
  sn_writeList(w, groups, "gear cranklength actearly", actuator, reference);
  // activations that the dynamics do not say
  int implied = actuator->dyntype != snDYN_NONE;
  if (w->source && reference->actdim >= 0) implied = reference->actdim;
  if (actuator->actdim != (part.elem ? implied : reference->actdim)) {
    sn_writeInts(w, "actdim", &actuator->actdim, 1);
  }
  sn_writeList(w, groups, "dyntype dynprm", actuator, reference);
  if (!actuator->plugin.active) {
    sn_writeList(w, groups, "gaintype biastype gainprm* biasprm*", actuator, reference);
    sn_writeList(w, groups, "sinew:gain_model sinew:gain_params", actuator, reference);
  }
  sn_writeUser(w, actuator->userdata, part.elem ? reference->userdata : NULL,
               w->sizes->nuser_actuator);
}

static void writeActuator(snWriter* w, const snElem* e) {
  const snsActuator* actuator = (const snsActuator*)sn_resolved(e);
  const char* tag = actuator->plugin.active ? "plugin" : "general";
  sn_writeOpen(w, tag);
  sn_writeIdentity(w, e, NULL);
  writeTransmission(w, actuator);
  sn_writeActuatorPart(w, (snPart){e, actuator, sn_writeReference(w, e)});
  if (actuator->plugin.active) {
    sn_writePluginReference(w, &actuator->plugin);
    sn_writePluginConfig(w, &actuator->plugin);
  }
  sn_writeClose(w, tag);
}

void sn_writeActuators(snWriter* w) {
  sn_writeOpen(w, "actuator");
  SN_EACH(e, sn_specList(w->spec, snOBJ_ACTUATOR)) writeActuator(w, e);
  sn_writeClose(w, "actuator");
}
