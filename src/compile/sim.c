// Simulators composed of models by name: choices become attributes of a copy of the spec.

#include "sinew/sim.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/suggest.h"
#include "model/actuator_model.h"
#include "sinew/sinew.h"
#include "spec/container.h"
#include "spec/flex_law.h"

static const struct {
  const char* name;
  int solver;
} kSolvers[] = {
    {"newton", snSOL_NEWTON}, {"cg", snSOL_CG}, {"pgs", snSOL_PGS}, {"xpbd", snSOL_XPBD}};
enum { SOLVERS = sizeof(kSolvers) / sizeof(kSolvers[0]) };

static const struct {
  const char *name, *bending, *elasticity, *contact;
} kPresets[] = {{"mujoco", NULL, NULL, NULL},
                {"animation", "bridson", NULL, "xpbd"},
                {"softbody", NULL, "neo_hookean", NULL}};
enum { PRESETS = sizeof(kPresets) / sizeof(kPresets[0]) };

void sn_defaultSimBuilder(snSimBuilder* builder) {
  memset(builder, 0, sizeof(*builder));
  builder->compliance = NAN;
}

int sn_simPreset(snSimBuilder* builder, const char* preset) {
  sn_defaultSimBuilder(builder);
  for (int i = 0; i < PRESETS; i++) {
    if (strcmp(kPresets[i].name, preset)) continue;
    builder->bending = kPresets[i].bending;
    builder->elasticity = kPresets[i].elasticity;
    builder->contact = kPresets[i].contact;
    return 0;
  }
  return -1;
}

// ---- names ----

int sn_simNames(const char* kind, char* buffer, int buffer_sz) {
  if (buffer_sz < 1) return -1;
  buffer[0] = 0;
  if (!strcmp(kind, "preset")) {
    for (int i = 0; i < PRESETS; i++) sn_addToList(buffer, (size_t)buffer_sz, kPresets[i].name);
  } else if (!strcmp(kind, "contact")) {
    for (int i = 0; i < SOLVERS; i++) sn_addToList(buffer, (size_t)buffer_sz, kSolvers[i].name);
  } else if (!strcmp(kind, "bending")) {
    sn_listFlexLaws(sn_bendingLaws, buffer, (size_t)buffer_sz);
  } else if (!strcmp(kind, "elasticity")) {
    sn_listFlexLaws(sn_elasticLaws, buffer, (size_t)buffer_sz);
  } else if (!strcmp(kind, "actuator")) {
    sn_listActuatorLaws(buffer, (size_t)buffer_sz);
  } else {
    return -1;
  }
  return 0;
}

static int unknown(const char* kind, const char* name, char* error, int error_sz) {
  char names[300];
  sn_simNames(kind, names, sizeof(names));
  sn_formatError(error, error_sz, "unknown %s model '%s'; there are: %s", kind, name, names);
  return -1;
}

// ---- choices ----

static int findSolver(const snSimBuilder* builder, int* solver, char* error, int error_sz) {
  for (int i = 0; i < SOLVERS; i++) {
    if (strcmp(kSolvers[i].name, builder->contact)) continue;
    *solver = kSolvers[i].solver;
    return 0;
  }
  return unknown("contact", builder->contact, error, error_sz);
}

static int checkNumbers(const snSimBuilder* builder, char* error, int error_sz) {
  const char* wrong = NULL;
  if (builder->nbending < 0 || builder->nbending > snNFLEXPARAM) wrong = "nbending";
  if (builder->nelasticity < 0 || builder->nelasticity > snNFLEXPARAM) wrong = "nelasticity";
  if (builder->nactuator < 0 || builder->nactuator > snNGAIN) wrong = "nactuator";
  if (builder->iterations < 0) wrong = "iterations";
  if (builder->substeps < 0 || builder->substeps > 1000) wrong = "substeps";
  if (builder->compliance < 0) wrong = "compliance";
  if (wrong) sn_formatError(error, error_sz, "%s of the builder is out of range", wrong);
  return wrong ? -1 : 0;
}

// Laws that act on this kind of flex. Interpolated flexes follow MuJoCo's.
static void applyToFlex(const snSimBuilder* builder, const snFlexLaw* material, snsFlex* flex) {
  if (flex->nodebody->size) return;
  if (builder->bending && flex->dim == 2) {
    sns_setString(flex->bending_model, builder->bending);
    sns_setDouble(flex->bending_param, builder->bending_param, builder->nbending);
  }
  int acts = flex->dim == 3 || (flex->dim == 2 && material && material->membranes);
  if (builder->elasticity && acts) {
    sns_setString(flex->elasticity_model, builder->elasticity);
    sns_setDouble(flex->elasticity_param, builder->elasticity_param, builder->nelasticity);
  }
}

// the law of gain and bias, with the actuator's own parameters where the builder has none
static void applyToActuator(const snSimBuilder* builder, snsActuator* actuator) {
  if (actuator->plugin.active) return;
  actuator->gaintype = snGAIN_FIXED;
  actuator->biastype = snBIAS_NONE;
  sns_setString(actuator->gain_model, builder->actuator);
  if (builder->nactuator) {
    sns_setDouble(actuator->gain_params, builder->actuator_param, builder->nactuator);
  }
}

int sn_simApply(const snSimBuilder* builder, snSpec* spec, char* error, int error_sz) {
  const snFlexLaw* material = NULL;
  int solver = spec->option.solver;
  if (checkNumbers(builder, error, error_sz)) return -1;
  if (builder->contact && findSolver(builder, &solver, error, error_sz)) return -1;
  if (builder->bending && !sn_findFlexLaw(sn_bendingLaws, builder->bending)) {
    return unknown("bending", builder->bending, error, error_sz);
  }
  if (builder->elasticity && !(material = sn_findFlexLaw(sn_elasticLaws, builder->elasticity))) {
    return unknown("elasticity", builder->elasticity, error, error_sz);
  }
  if (builder->actuator && !sn_isActuatorLaw(builder->actuator)) {
    return unknown("actuator", builder->actuator, error, error_sz);
  }
  spec->option.solver = solver;
  if (builder->iterations) spec->option.iterations = builder->iterations;
  if (builder->substeps) spec->xpbd_substeps = builder->substeps;
  if (!isnan(builder->compliance)) spec->xpbd_compliance = builder->compliance;
  snsElement* element = sns_firstElement(spec, snOBJ_FLEX);
  for (; element; element = sns_nextElement(spec, element)) {
    applyToFlex(builder, material, sns_asFlex(element));
  }
  element = builder->actuator ? sns_firstElement(spec, snOBJ_ACTUATOR) : NULL;
  for (; element; element = sns_nextElement(spec, element)) {
    applyToActuator(builder, sns_asActuator(element));
  }
  return 0;
}

// ---- build ----

// a simulator that owns the model; NULL deletes it
static snSim* makeSim(snModel* m, char* error, int error_sz) {
  snSim* sim = (snSim*)snu_malloc(sizeof(snSim));
  snData* d = sim ? sn_makeData(m) : NULL;
  if (!d) {
    sn_formatError(error, error_sz, "could not allocate memory for the data");
    sn_deleteModel(m);
    snu_free(sim);
    return NULL;
  }
  sim->model = m;
  sim->data = d;
  return sim;
}

snSim* sn_buildSim(const snSimBuilder* builder, const snSpec* spec, const snVFS* vfs, char* error,
                   int error_sz) {
  if (error && error_sz > 0) error[0] = 0;
  snSpec* copy = sn_copySpec(spec);
  snModel* m = NULL;
  if (!copy) {
    sn_formatError(error, error_sz, "could not copy the spec");
  } else if (!sn_simApply(builder, copy, error, error_sz)) {
    m = sn_compile(copy, vfs);
    if (!m) sn_formatError(error, error_sz, "%s", sns_getError(copy));
  }
  sn_deleteSpec(copy);
  return m ? makeSim(m, error, error_sz) : NULL;
}

int sn_simApplyModel(const snSimBuilder* builder, snModel* m, char* error, int error_sz) {
  if (builder->bending || builder->elasticity || builder->actuator) {
    sn_formatError(error, error_sz,
                   "laws of flexes and actuators are compiled: build from the spec, not the model");
    return -1;
  }
  if (checkNumbers(builder, error, error_sz)) return -1;
  if (builder->contact && findSolver(builder, &m->opt.solver, error, error_sz)) return -1;
  if (builder->iterations) m->opt.iterations = builder->iterations;
  if (!m->nxpbd && (builder->substeps > 1 || builder->compliance > 0)) {
    sn_formatError(
        error, error_sz,
        "the model has no options of XPBD: give it sinew:solver, or build from the spec");
    return -1;
  }
  if (builder->substeps && m->nxpbd) m->xpbd_substeps[0] = builder->substeps;
  if (!isnan(builder->compliance) && m->nxpbd) {
    m->xpbd_compliance[0] = (snReal)builder->compliance;
  }
  return 0;
}

snSim* sn_buildSimFromModel(const snSimBuilder* builder, const snModel* m, char* error,
                            int error_sz) {
  if (error && error_sz > 0) error[0] = 0;
  snModel* copy = sn_copyModel(NULL, m);
  if (!copy) {
    sn_formatError(error, error_sz, "could not allocate memory for the model");
    return NULL;
  }
  if (sn_simApplyModel(builder, copy, error, error_sz)) {
    sn_deleteModel(copy);
    return NULL;
  }
  return makeSim(copy, error, error_sz);
}

void sn_stepSim(snSim* sim) { sn_step(sim->model, sim->data); }

void sn_deleteSim(snSim* sim) {
  if (!sim) return;
  sn_deleteData(sim->data);
  sn_deleteModel(sim->model);
  snu_free(sim);
}
