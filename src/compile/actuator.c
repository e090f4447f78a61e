#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "compile/compiler.h"

enum { MAX_SAMPLES = 1 << 24 };

// ---- transmission ----

static const char kJointMissing[] = "unknown transmission target '%s' for actuator id = %d";
static const char kTargetMissing[] = "transmission target '%s' not found in actuator %d";
static const char kSliderMissing[] = "base site '%s' not found for actuator %d";
static const char kReferenceMissing[] = "reference site '%s' not found for actuator %d";

// the names of joints, and of all other targets, are refused in different words, as in MuJoCo
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static int findTarget(snCompiler* c, snActuatorItem* actuator, snObj type, const snString* name,
                      const char* format, int* id) {
  const void* item = sn_findItem(c, type, sns_getString(name));
  if (!item) return sn_itemError(c, actuator->elem, format, sns_getString(name), actuator->id);
  *id = sn_itemId(type, item);
  return 0;
}
#pragma GCC diagnostic pop

static int compileTransmission(snCompiler* c, snActuatorItem* actuator) {
  snsActuator* spec = &actuator->spec;
  int* id = actuator->trnid;
  id[0] = id[1] = -1;
  if (sn_stringEmpty(spec->target)) {
    return sn_itemError(c, actuator->elem, "missing transmission target for actuator");
  }
  switch (spec->trntype) {
    case snTRN_JOINT:
    case snTRN_JOINTINPARENT:
      return findTarget(c, actuator, snOBJ_JOINT, spec->target, kJointMissing, id);
    case snTRN_TENDON:
      return findTarget(c, actuator, snOBJ_TENDON, spec->target, kTargetMissing, id);
    case snTRN_SLIDERCRANK:
      if (sn_stringEmpty(spec->slidersite)) {
        return sn_itemError(c, actuator->elem, "missing base site for slider-crank '%s' (id = %d)",
                            sn_elemName(actuator->elem), actuator->elem->id);
      }
      if (!(spec->cranklength > 0)) {
        return sn_itemError(c, actuator->elem,
                            "crank length must be positive in actuator '%s' (id = %d)",
                            sn_elemName(actuator->elem), actuator->elem->id);
      }
      SN_TRY(findTarget(c, actuator, snOBJ_SITE, spec->slidersite, kSliderMissing, id + 1));
      return findTarget(c, actuator, snOBJ_SITE, spec->target, kTargetMissing, id);
    case snTRN_SITE:
      if (!sn_stringEmpty(spec->refsite)) {
        SN_TRY(findTarget(c, actuator, snOBJ_SITE, spec->refsite, kReferenceMissing, id + 1));
      }
      return findTarget(c, actuator, snOBJ_SITE, spec->target, kTargetMissing, id);
    case snTRN_BODY: return findTarget(c, actuator, snOBJ_BODY, spec->target, kTargetMissing, id);
    default: return sn_itemError(c, actuator->elem, "invalid transmission type in actuator");
  }
}

// ---- ranges ----

// position and integrated-velocity servos may take their range from what they act on
static int inheritRange(snCompiler* c, snActuatorItem* actuator) {
  snsActuator* spec = &actuator->spec;
  if (spec->gaintype != snGAIN_FIXED || spec->biastype != snBIAS_AFFINE ||
      spec->gainprm[0] != -spec->biasprm[1] || !(spec->inheritrange > 0)) {
    return 0;
  }
  double* range;
  if (spec->dyntype == snDYN_NONE || spec->dyntype == snDYN_FILTEREXACT) {
    range = spec->ctrlrange;
  } else if (spec->dyntype == snDYN_INTEGRATOR) {
    range = spec->actrange;
  } else {
    return sn_itemError(c, actuator->elem,
                        "inheritrange only available for position and intvelocity "
                        "actuators");
  }
  const double* source = NULL;
  if (spec->trntype == snTRN_JOINT) {
    const snJointItem* joint = c->joints[actuator->trnid[0]];
    if (joint->spec.type != snJNT_HINGE && joint->spec.type != snJNT_SLIDE) {
      return sn_itemError(c, actuator->elem,
                          "inheritrange can only be used with hinge and slide joints, actuator");
    }
    source = joint->spec.range;
  } else if (spec->trntype == snTRN_TENDON) {
    source = c->tendons[actuator->trnid[0]].spec.range;
  } else {
    return sn_itemError(
        c, actuator->elem,
        "inheritrange can only be used with joint and tendon transmission, actuator");
  }
  if (source[0] == source[1]) {
    return sn_itemError(c, actuator->elem,
                        "inheritrange used but target '%s' has no range defined in actuator %d",
                        sns_getString(spec->target), actuator->id);
  }
  double mean = 0.5 * (source[1] + source[0]), radius = 0.5 * (source[1] - source[0]);
  range[0] = mean - radius * spec->inheritrange;
  range[1] = mean + radius * spec->inheritrange;
  return 0;
}

static int compileLimits(snCompiler* c, snActuatorItem* actuator) {
  snsActuator* spec = &actuator->spec;
  const snElem* elem = actuator->elem;
  SN_TRY(sn_limited(c, elem, &spec->forcelimited, spec->forcerange, "forcelimited", "forcerange"));
  SN_TRY(sn_limited(c, elem, &spec->ctrllimited, spec->ctrlrange, "ctrllimited", "ctrlrange"));
  SN_TRY(sn_limited(c, elem, &spec->actlimited, spec->actrange, "actlimited", "actrange"));
  if (spec->forcelimited && spec->forcerange[0] >= spec->forcerange[1]) {
    return sn_itemError(c, elem, "invalid force range for actuator");
  }
  if (spec->ctrllimited && spec->ctrlrange[0] >= spec->ctrlrange[1]) {
    return sn_itemError(c, elem, "invalid control range for actuator");
  }
  if (spec->actlimited && spec->actrange[0] >= spec->actrange[1]) {
    return sn_itemError(c, elem, "invalid actrange for actuator");
  }
  if (spec->actlimited && spec->dyntype == snDYN_NONE) {
    return sn_itemError(c, elem, "actrange specified but dyntype is 'none' in actuator");
  }
  return 0;
}

// ---- activations, muscles, history ----

static int compileActivation(snCompiler* c, snActuatorItem* actuator) {
  snsActuator* spec = &actuator->spec;
  if (spec->plugin.active) return sn_checkPluginActuator(c, actuator->elem, spec);
  if (spec->actdim > 1 && spec->dyntype != snDYN_USER && spec->dyntype != snDYN_HILL) {
    return sn_itemError(c, actuator->elem,
                        "actdim > 1 is only allowed for dyntype 'user' in actuator");
  }
  if (spec->actdim == 1 && spec->dyntype == snDYN_NONE) {
    return sn_itemError(c, actuator->elem, "invalid actdim 1 in stateless actuator");
  }
  if (spec->actdim == 0 && spec->dyntype != snDYN_NONE) {
    return sn_itemError(c, actuator->elem, "invalid actdim 0 in stateful actuator");
  }
  if (spec->actdim > 1 << 20)
    return sn_itemError(c, actuator->elem, "actdim too large in actuator");
  if (spec->actdim < 0) spec->actdim = spec->dyntype != snDYN_NONE;
  return 0;
}

static int checkMuscle(snCompiler* c, const snActuatorItem* actuator, const double* prm) {
  if (!(prm[0] < prm[1])) {
    return sn_itemError(c, actuator->elem, "range[0]<range[1] required in muscle");
  }
  if (!(prm[4] < 1 && 1 < prm[5])) {
    return sn_itemError(c, actuator->elem, "lmin<1<lmax required in muscle");
  }
  if (!(prm[3] > 0 && prm[6] > 0 && prm[7] > 0 && prm[8] > 0)) {
    return sn_itemError(c, actuator->elem,
                        "positive scale, vmax, fpmax, fvmax required in muscle '%s' (id = %d)",
                        sn_elemName(actuator->elem), actuator->elem->id);
  }
  return 0;
}

int sn_checkHistory(snCompiler* c, const snElem* elem, double delay, int nsample) {
  const char* kind = elem->head.elemtype == snOBJ_SENSOR ? "sensor " : "";
  if (delay > 0 && nsample <= 0) {
    return sn_itemError(c, elem, "setting delay > 0 without a history buffer");
  }
  if (nsample > MAX_SAMPLES) {
    return sn_itemError(c, elem, "at most 2^24 samples in %shistory buffer, got %d", kind, nsample);
  }
  return 0;
}

static int compileActuator(snCompiler* c, snActuatorItem* actuator) {
  snsActuator* spec = &actuator->spec;
  SN_TRY(sn_checkUser(c, actuator->elem));
  SN_TRY(compileTransmission(c, actuator));
  SN_TRY(sn_compileActuatorModel(c, actuator));
  SN_TRY(inheritRange(c, actuator));
  SN_TRY(compileLimits(c, actuator));
  SN_TRY(compileActivation(c, actuator));
  if (spec->gaintype == snGAIN_MUSCLE) SN_TRY(checkMuscle(c, actuator, spec->gainprm));
  if (spec->biastype == snBIAS_MUSCLE) SN_TRY(checkMuscle(c, actuator, spec->biasprm));
  return sn_checkHistory(c, actuator->elem, spec->delay, spec->nsample);
}

int sn_compileActuators(snCompiler* c) {
  for (int i = 0; i < c->nu; i++) SN_TRY(compileActuator(c, c->actuators + i));
  return 0;
}

// numbers of a history buffer: user value, cursor, times and values
snSize sn_historySize(int nsample, int dim) {
  return nsample > 0 ? 2 + (snSize)nsample * (1 + dim) : 0;
}

void sn_fillActuators(snCompiler* c) {
  snModel* m = c->m;
  int activation = 0;
  snSize history = 0;
  for (int i = 0; i < c->nu; i++) {
    const snActuatorItem* actuator = c->actuators + i;
    const snsActuator* spec = &actuator->spec;
    sn_fillCopied(m, snOBJ_ACTUATOR, i, spec);
    m->actuator_trnid[2 * i] = actuator->trnid[0];
    m->actuator_trnid[2 * i + 1] = actuator->trnid[1];
    m->actuator_actadr[i] = spec->actdim ? activation : -1;
    activation += spec->actdim;
    m->actuator_history[2 * i] = spec->nsample;
    m->actuator_history[2 * i + 1] = spec->interp;
    m->actuator_historyadr[i] = spec->nsample > 0 ? (int)history : -1;
    history += sn_historySize(spec->nsample, 1);
    m->actuator_plugin[i] = -1;
    sn_fillActuatorModel(m, actuator);
  }
}
