// Laws of actuators by name: sinew:gain_model and its parameters.

#include <math.h>
#include <string.h>

#include "compile/compiler.h"
#include "model/actuator_laws.h"
#include "model/actuator_model.h"

// ---- parameters ----

// name of the k-th word of a list
static void parameterName(const char* list, int k, char* name, size_t size) {
  for (; k > 0; k--) list += strcspn(list, " ") + 1;
  size_t length = strcspn(list, " ");
  if (length >= size) length = size - 1;
  memcpy(name, list, length);
  name[length] = 0;
}

static int countError(snCompiler* c, const snActuatorItem* actuator, const char* name, int least,
                      int most, int given) {
  if (least == most) {
    return sn_itemError(c, actuator->elem, "gain model '%s' has %d parameters, got %d in actuator",
                        name, most, given);
  }
  return sn_itemError(c, actuator->elem,
                      "gain model '%s' has %d to %d parameters, got %d in actuator", name, least,
                      most, given);
}

static int checkParameters(snCompiler* c, const snActuatorItem* actuator,
                           const snActuatorLaw* law) {
  const snDoubleVec* given = actuator->spec.gain_params;
  if (given->size < law->least || given->size > law->most) {
    int code = countError(c, actuator, law->name, law->least, law->most, given->size);
    return code;
  }
  for (int i = 0; i < given->size; i++) {
    double value = given->data[i];
    char sign = law->signs[i], name[40];
    int sound = isfinite(value) && (sign == '.' || value > 0 || (sign == '0' && value == 0));
    if (sound) continue;
    parameterName(law->parameters, i, name, sizeof(name));
    return sn_itemError(c, actuator->elem, "%s of gain model '%s' must be %s in actuator", name,
                        law->name,
                        sign == '+'   ? "positive"
                        : sign == '0' ? "zero or more"
                                      : "a finite number");
  }
  return 0;
}

// ---- laws ----

// The motor of a series elastic actuator is an activation: its position follows the control. Without a
// dyntype it does so within the time constant, at least a step.
static void driveMotor(snCompiler* c, snsActuator* spec) {
  const snDoubleVec* given = spec->gain_params;
  if (spec->dyntype != snDYN_NONE) return;
  double step = (double)c->spec->option.timestep, constant = given->size > 3 ? given->data[3] : 0;
  spec->dyntype = snDYN_FILTER;
  spec->dynprm[0] = constant > step ? constant : step;
}

static int useLaw(snCompiler* c, snActuatorItem* actuator, const snActuatorLaw* law) {
  snsActuator* spec = &actuator->spec;
  SN_TRY(checkParameters(c, actuator, law));
  actuator->law = law->id;
  if (law->id != snLAW_SERIES_ELASTIC) return 0;
  if (spec->dyntype == snDYN_USER || spec->dyntype == snDYN_MUSCLE || spec->dyntype == snDYN_HILL) {
    return sn_itemError(c, actuator->elem,
                        "gain model 'series_elastic' needs dyntype 'filter', 'filterexact' or "
                        "'integrator' in actuator");
  }
  driveMotor(c, spec);
  if (spec->gain_params->size < 3) actuator->params[2] = 1;  // ratio
  actuator->params[3] = 0;                                   // kept in dynprm
  return 0;
}

static int useModel(snCompiler* c, snActuatorItem* actuator, int slot) {
  const snActuatorModel* model = sn_getActuatorModel(slot);
  int given = actuator->spec.gain_params->size;
  if (given < model->least || given > model->most) {
    return countError(c, actuator, model->name, model->least, model->most, given);
  }
  actuator->slot = slot;
  actuator->law = snUSER_LAW;
  for (int i = 0; i < actuator->id; i++) {
    if (c->actuators[i].slot == slot) {
      actuator->law = c->actuators[i].law;
      return 0;
    }
  }
  actuator->law += c->nactmodel++;
  return 0;
}

// laws with a type of their own: their parameters are gainprm
static int useType(snActuatorItem* actuator, const char* name) {
  static const char* const names[] = {"fixed", "affine", "muscle"};
  for (int i = 0; i < 3; i++) {
    if (strcmp(names[i], name)) continue;
    actuator->spec.gaintype = (snGain)i;
    return 1;
  }
  if (strcmp(name, "hill")) return 0;
  actuator->spec.gaintype = snGAIN_HILL;
  actuator->spec.biastype = snBIAS_HILL;
  return 1;
}

static int unknownModel(snCompiler* c, const snActuatorItem* actuator, const char* name) {
  char known[600];
  sn_listActuatorLaws(known, sizeof(known));
  return sn_itemError(c, actuator->elem, "unknown gain model '%.100s' in actuator; there are: %s",
                      name, known);
}

int sn_compileActuatorModel(snCompiler* c, snActuatorItem* actuator) {
  snsActuator* spec = &actuator->spec;
  const snDoubleVec* given = spec->gain_params;
  const char* name = sns_getString(spec->gain_model);
  actuator->slot = -1;
  if (!name || !*name) {
    if (spec->gaintype == snGAIN_MODEL || spec->biastype == snBIAS_MODEL) {
      return sn_itemError(c, actuator->elem, "gain type 'model' without a gain model in actuator");
    }
    return given->size
               ? sn_itemError(c, actuator->elem, "gain_params without a gain_model in actuator")
               : 0;
  }
  if (spec->plugin.active) {
    return sn_itemError(c, actuator->elem, "a plugin actuator has no gain model");
  }
  if (given->size > snNGAIN) return countError(c, actuator, name, 0, snNGAIN, given->size);
  for (int i = 0; i < given->size; i++) actuator->params[i] = given->data[i];
  if (useType(actuator, name)) {
    for (int i = 0; i < given->size; i++) {
      spec->gainprm[i] = given->data[i];
      if (spec->gaintype == snGAIN_HILL) spec->biasprm[i] = given->data[i];
    }
    return 0;
  }
  const snActuatorLaw* law = sn_findActuatorLaw(name);
  int slot = law ? -1 : sn_findActuatorModel(name);
  if (!law && slot < 0) return unknownModel(c, actuator, name);
  int plain = (spec->gaintype == snGAIN_FIXED || spec->gaintype == snGAIN_MODEL) &&
              (spec->biastype == snBIAS_NONE || spec->biastype == snBIAS_MODEL);
  if (!plain) {
    return sn_itemError(c, actuator->elem,
                        "gain model '%s' gives gain and bias: gaintype and biastype are not for it "
                        "in actuator",
                        name);
  }
  return law ? useLaw(c, actuator, law) : useModel(c, actuator, slot);
}

// ---- the model ----

void sn_fillActuatorModel(snModel* m, const snActuatorItem* actuator) {
  int i = actuator->id, user = actuator->law - snUSER_LAW;
  m->actuator_model[i] = actuator->law;
  if (!actuator->law) return;
  m->actuator_gaintype[i] = snGAIN_MODEL;
  m->actuator_biastype[i] = snBIAS_MODEL;
  sn_toReal(m->actuator_gainprm + snNGAIN * i, actuator->params, snNGAIN);
  sn_toReal(m->actuator_biasprm + snNBIAS * i, actuator->params, snNBIAS);
  if (user < 0) return;
  m->actmodel_slot[user] = actuator->slot;
  strncpy(m->actmodel_name + snNMODELNAME * user, sn_getActuatorModel(actuator->slot)->name,
          snNMODELNAME - 1);
}
