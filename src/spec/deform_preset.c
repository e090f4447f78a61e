#include "spec/deform_preset.h"

#include <string.h>

#include "base/suggest.h"
#include "sinew/deformable.h"

// Young's modulus (Pa), Poisson's ratio, density (kg/m^3), friction
static const snSubstance kSubstances[] = {{"cotton", 5e7, 0.3, 600, 0.6},
                                          {"silk", 1e8, 0.3, 1300, 0.3},
                                          {"leather", 1e8, 0.4, 900, 0.6},
                                          {"rubber", 1e7, 0.48, 1100, 0.8},
                                          {"paper", 2e9, 0.2, 800, 0.4},
                                          {"membrane", 2e6, 0.45, 1000, 0.5},
                                          {"gelatin", 1e4, 0.45, 1000, 0.3},
                                          {"soft_tissue", 2e4, 0.45, 1050, 0.4},
                                          {"muscle", 5e4, 0.45, 1060, 0.4},
                                          {"foam", 1e5, 0.2, 100, 0.6},
                                          {"plastic", 1e8, 0.35, 1200, 0.4},
                                          {"nylon", 2e9, 0.35, 1150, 0.5},
                                          {"steel", 2e11, 0.3, 7850, 0.4},
                                          {"hair", 3e9, 0.38, 1300, 0.3},
                                          {NULL, 0, 0, 0, 0}};

static const snDeformPreset kPresets[] = {{"cotton", snDEFORMABLE_CLOTH, "cotton", 0.001},
                                          {"silk", snDEFORMABLE_CLOTH, "silk", 0.0003},
                                          {"leather", snDEFORMABLE_CLOTH, "leather", 0.002},
                                          {"rubber", snDEFORMABLE_CLOTH, "rubber", 0.002},
                                          {"paper", snDEFORMABLE_CLOTH, "paper", 0.0001},
                                          {"membrane", snDEFORMABLE_CLOTH, "membrane", 0.0005},
                                          {"rubber", snDEFORMABLE_SOFT, "rubber", 0},
                                          {"gelatin", snDEFORMABLE_SOFT, "gelatin", 0},
                                          {"soft_tissue", snDEFORMABLE_SOFT, "soft_tissue", 0},
                                          {"muscle", snDEFORMABLE_SOFT, "muscle", 0},
                                          {"foam", snDEFORMABLE_SOFT, "foam", 0},
                                          {"stiff", snDEFORMABLE_SOFT, "plastic", 0},
                                          {"rope", snDEFORMABLE_CHAIN, "nylon", 0.01},
                                          {"steel_cable", snDEFORMABLE_CHAIN, "steel", 0.005},
                                          {"hair", snDEFORMABLE_CHAIN, "hair", 5e-5},
                                          {"chain", snDEFORMABLE_CHAIN, "steel", 0.008},
                                          {NULL, snDEFORMABLE_CLOTH, NULL, 0}};

const snSubstance* sn_findSubstance(const char* name) {
  for (const snSubstance* s = kSubstances; s->name; s++) {
    if (!strcmp(s->name, name)) return s;
  }
  return NULL;
}

const snDeformPreset* sn_findDeformPreset(snDeformable type, const char* name) {
  for (const snDeformPreset* p = kPresets; p->name; p++) {
    if (p->type == type && (!*name || !strcmp(p->name, name))) return p;
  }
  return NULL;
}

void sn_listSubstances(char* buffer, size_t size) {
  buffer[0] = 0;
  for (const snSubstance* s = kSubstances; s->name; s++) sn_addToList(buffer, size, s->name);
}

void sn_listDeformPresets(snDeformable type, char* buffer, size_t size) {
  buffer[0] = 0;
  for (const snDeformPreset* p = kPresets; p->name; p++) {
    if (p->type == type) sn_addToList(buffer, size, p->name);
  }
}

int sns_setDeformableSolver(snsDeformable* deformable, const char* name) {
  static const struct {
    const char* name;
    int substeps, repeats, tethers;
    double damping, sleep;
  } kSettings[] = {
      {"default", 10, 0, 0, 0, 0}, {"realtime", 8, 0, 8, 0.5, 0.01}, {"accurate", 40, 4, 0, 0, 0}};
  for (size_t i = 0; deformable && name && i < sizeof(kSettings) / sizeof(kSettings[0]); i++) {
    if (strcmp(kSettings[i].name, name) != 0) continue;
    deformable->substeps = kSettings[i].substeps;
    deformable->repeats = kSettings[i].repeats;
    deformable->tethers = kSettings[i].tethers;
    deformable->damping = kSettings[i].damping;
    deformable->sleep = kSettings[i].sleep;
    return 1;
  }
  return 0;
}
