// Actuators.

#include <string.h>

#include "mjcf/number.h"
#include "mjcf/reader.h"
#include "spec/hill_preset.h"

// one number over an inherited value; NULL when it is not given
static double* readOne(snReader* r, const snXmlNode* node, const char* name, double* value) {
  return sn_mjcfDoubles(r, node, name, value, 1, 0) ? value : NULL;
}

static const char* readPosition(snReader* r, const snXmlNode* node, snsActuator* actuator,
                                int integrated) {
  double kp = actuator->gainprm[0], inherit = actuator->inheritrange;
  double kv, dampratio, timeconst;
  readOne(r, node, "kp", &kp);
  readOne(r, node, "inheritrange", &inherit);
  double* v = readOne(r, node, "kv", &kv);
  double* d = readOne(r, node, "dampratio", &dampratio);
  double* t = readOne(r, node, "timeconst", &timeconst);
  return integrated ? sns_setToIntVelocity(actuator, kp, v, d, NULL, inherit)
                    : sns_setToPosition(actuator, kp, v, d, t, inherit);
}

static const char* readCylinder(snReader* r, const snXmlNode* node, snsActuator* actuator) {
  double timeconst = actuator->dynprm[0], area = actuator->gainprm[0], diameter = -1;
  double bias[3] = {actuator->biasprm[0], 0, 0};
  readOne(r, node, "timeconst", &timeconst);
  sn_mjcfDoubles(r, node, "bias", bias, 3, 0);
  readOne(r, node, "area", &area);
  readOne(r, node, "diameter", &diameter);
  return sns_setToCylinder(actuator, timeconst, bias[0], area, diameter);
}

// sinew: attributes make a muscle one of Hill's type, as does a class that has them; 0: there are none
static int readHill(snReader* r, const snXmlNode* node, const snsActuator* actuator,
                    snsHill* hill) {
  struct {
    const char* name;
    double* value;
  } numbers[] = {{"sinew:optimal_length", &hill->optimal_length},
                 {"sinew:slack_length", &hill->slack_length},
                 {"sinew:pennation", &hill->pennation},
                 {"sinew:max_velocity", &hill->max_velocity},
                 {"sinew:passive_strain", &hill->passive_strain},
                 {"sinew:width", &hill->width},
                 {"sinew:max_eccentric", &hill->max_eccentric},
                 {"sinew:tendon_stiffness", &hill->tendon_stiffness},
                 {"sinew:damping", &hill->damping},
                 {"sinew:min_activation", &hill->min_activation}};
  const char* preset = sn_xmlAttr(node, "sinew:preset");
  int found = preset != NULL || actuator->gaintype == snGAIN_HILL;
  if (!sns_defaultHill(hill, preset)) {
    sn_mjcfFail(r, node, "unknown preset '%s' of a muscle; there are: %s", preset,
                sn_hillPresetNames());
    return 1;
  }
  for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
    if (readOne(r, node, numbers[i].name, numbers[i].value)) found = 1;
  }
  static const char* const other[] = {"range", "scale", "lmin", "lmax", "vmax", "fpmax", "fvmax"};
  for (size_t i = 0; found && i < sizeof(other) / sizeof(other[0]); i++) {
    if (sn_xmlAttr(node, other[i])) {
      sn_mjcfFail(r, node, "'%s' is of MuJoCo's muscle, not of a Hill muscle", other[i]);
    }
  }
  readOne(r, node, "force", &hill->force);
  sn_mjcfDoubles(r, node, "timeconst", hill->timeconst, 2, 0);
  return found;
}

static const char* readMuscle(snReader* r, const snXmlNode* node, snsActuator* actuator) {
  double tausmooth = actuator->dynprm[2];
  double timeconst[2] = {-1, -1}, range[2] = {-1, -1}, value[7] = {-1, -1, -1, -1, -1, -1, -1};
  static const char* const names[7] = {"force", "scale", "lmin", "lmax", "vmax", "fpmax", "fvmax"};
  readOne(r, node, "tausmooth", &tausmooth);
  snsHill hill;
  if (readHill(r, node, actuator, &hill)) {
    if (tausmooth < 0) return "muscle tausmooth cannot be negative";
    actuator->dynprm[2] = tausmooth;
    return sns_setToHill(actuator, &hill);
  }
  sn_mjcfDoubles(r, node, "timeconst", timeconst, 2, 0);
  sn_mjcfDoubles(r, node, "range", range, 2, 0);
  for (int i = 0; i < 7; i++) readOne(r, node, names[i], value + i);
  return sns_setToMuscle(actuator, timeconst, tausmooth, range, value[0], value[1], value[2],
                         value[3], value[4], value[5], value[6]);
}

static const char* readKind(snReader* r, const snXmlNode* node, snsActuator* actuator) {
  const char* kind = node->name;
  double value;
  if (!strcmp(kind, "general")) {
    sn_mjcfGroup(r, node, sn_attrActuatorDyn, actuator);
    sn_mjcfGroup(r, node, sn_attrActuatorGain, actuator);
    sn_mjcfGroup(r, node, sn_attrActuatorModel, actuator);
    return "";
  }
  if (!strcmp(kind, "motor")) return sns_setToMotor(actuator);
  if (!strcmp(kind, "position")) return readPosition(r, node, actuator, 0);
  if (!strcmp(kind, "intvelocity")) return readPosition(r, node, actuator, 1);
  if (!strcmp(kind, "velocity")) {
    value = actuator->gainprm[0];
    readOne(r, node, "kv", &value);
    return sns_setToVelocity(actuator, value);
  }
  if (!strcmp(kind, "damper")) {
    value = 0;
    readOne(r, node, "kv", &value);
    return sns_setToDamper(actuator, value);
  }
  if (!strcmp(kind, "cylinder")) return readCylinder(r, node, actuator);
  if (!strcmp(kind, "muscle")) return readMuscle(r, node, actuator);
  if (!strcmp(kind, "adhesion")) {
    value = actuator->gainprm[0];
    readOne(r, node, "gain", &value);
    return sns_setToAdhesion(actuator, value);
  }
  sn_mjcfGroup(r, node, sn_attrActuatorDyn, actuator);
  sn_mjcfPlugin(r, node, &actuator->plugin);
  return "";
}

// what the actuator acts on: at most one target
static void readTransmission(snReader* r, const snXmlNode* node, snsActuator* actuator) {
  static const snKeyword targets[] = {{"joint", snTRN_JOINT},
                                      {"jointinparent", snTRN_JOINTINPARENT},
                                      {"tendon", snTRN_TENDON},
                                      {"cranksite", snTRN_SLIDERCRANK},
                                      {"site", snTRN_SITE},
                                      {"body", snTRN_BODY},
                                      {NULL, 0}};
  int count = 0;
  for (const snKeyword* target = targets; target->name; target++) {
    const char* name = sn_xmlAttr(node, target->name);
    if (!name) continue;
    actuator->trntype = (snTrn)target->value;
    sns_setString(actuator->target, name);
    count++;
  }
  const char* slidersite = sn_xmlAttr(node, "slidersite");
  const char* refsite = sn_xmlAttr(node, "refsite");
  const char* length = sn_xmlAttr(node, "cranklength");
  int crank = slidersite || (length && !sn_isBlank(length));
  if (slidersite) sns_setString(actuator->slidersite, slidersite);
  if (refsite) sns_setString(actuator->refsite, refsite);
  if (count > 1) {
    sn_mjcfFail(r, node, "actuator can have at most one of transmission target");
  } else if (count && crank && actuator->trntype != snTRN_SLIDERCRANK) {
    sn_mjcfFail(r, node, "cranklength and slidersite can only be used in slidercrank transmission");
  } else if (count && refsite && actuator->trntype != snTRN_SITE) {
    sn_mjcfFail(r, node, "refsite can only be used with site transmission");
  }
}

void sn_mjcfActuatorElement(snReader* r, const snXmlNode* node, snsActuator* actuator) {
  sn_mjcfGroup(r, node, sn_attrActuator, actuator);
  sn_mjcfGroup(r, node, sn_attrActuatorCtrl, actuator);
  sn_mjcfGroup(r, node, sn_attrActuatorGear, actuator);
  sn_mjcfGroup(r, node, sn_attrActuatorLength, actuator);
  sn_mjcfGroup(r, node, sn_attrActuatorAct, actuator);
  readTransmission(r, node, actuator);
  const char* problem = readKind(r, node, actuator);
  if (*problem) sn_mjcfFail(r, node, "%s", problem);
}

void sn_mjcfActuator(snReader* r, const snXmlNode* section) {
  for (const snXmlNode* node = section->first; node && !r->failed; node = node->next) {
    const snsDefault* def = sn_mjcfClass(r, node, sns_getSpecDefault(r->spec));
    snsActuator* actuator = r->failed ? NULL : sns_addActuator(r->spec, def);
    if (!actuator) {
      sn_mjcfFail(r, node, "out of memory");
      return;
    }
    sn_mjcfName(r, node, sn_elem(actuator->element), actuator->info);
    sn_mjcfActuatorElement(r, node, actuator);
  }
}
