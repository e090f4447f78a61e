// The table of registered laws. Entries are added under a lock and never removed or moved, so that reading
// needs none: the count is raised when the entry is complete.

#include "model/actuator_model.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/suggest.h"
#include "model/actuator_laws.h"
#include "sinew/sinew.h"

enum { MAX_MODEL = 256 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static snActuatorModel table[MAX_MODEL];
static char names[MAX_MODEL][snNMODELNAME];
static int count;

#define X(id, name, function, least, parameters, signs) \
  {#name, id, least, (int)sizeof(signs) - 1, parameters, signs},
static const snActuatorLaw kLaws[] = {SN_ACTUATOR_LAWS(X){NULL, 0, 0, 0, NULL, NULL}};
#undef X

// laws with a gaintype of their own
static const char* const kinds[] = {"fixed", "affine", "muscle", "hill", NULL};

int sn_actuatorModelCount(void) { return __atomic_load_n(&count, __ATOMIC_ACQUIRE); }

const snActuatorModel* sn_getActuatorModel(int slot) {
  return slot >= 0 && slot < sn_actuatorModelCount() ? table + slot : NULL;
}

const snActuatorLaw* sn_findActuatorLaw(const char* name) {
  for (const snActuatorLaw* law = kLaws; law->name; law++) {
    if (!strcmp(law->name, name)) return law;
  }
  return NULL;
}

int sn_findActuatorModel(const char* name) {
  for (int slot = 0; slot < sn_actuatorModelCount(); slot++) {
    if (!strcmp(names[slot], name)) return slot;
  }
  return -1;
}

static int isBuiltIn(const char* name) {
  for (int i = 0; kinds[i]; i++) {
    if (!strcmp(kinds[i], name)) return 1;
  }
  return sn_findActuatorLaw(name) != NULL;
}

static int isSound(const snActuatorModel* model) {
  if (!model || !model->name || !model->name[0] || strlen(model->name) >= snNMODELNAME) {
    snu_error("an actuator model needs a name of 1 to %d bytes", snNMODELNAME - 1);
  } else if (!model->law) {
    snu_error("actuator model '%s' has no function", model->name);
  } else if (model->least < 0 || model->most < model->least || model->most > snNGAIN) {
    snu_error("actuator model '%s' takes from %d to %d parameters; up to %d are possible",
              model->name, model->least, model->most, snNGAIN);
  } else if (isBuiltIn(model->name)) {
    snu_error("actuator model '%s' is built in", model->name);
  } else {
    return 1;
  }
  return 0;
}

int sn_registerActuatorModel(const snActuatorModel* model) {
  if (!isSound(model)) return -1;
  pthread_mutex_lock(&lock);
  int slot = sn_findActuatorModel(model->name), known = slot >= 0;
  if (known) {
    const snActuatorModel* old = table + slot;
    int same = old->law == model->law && old->user == model->user && old->least == model->least &&
               old->most == model->most && old->slopes == model->slopes;
    if (!same) slot = -1;
  } else if (count < MAX_MODEL) {
    slot = count;
    table[slot] = *model;
    snprintf(names[slot], snNMODELNAME, "%s", model->name);
    table[slot].name = names[slot];
    __atomic_store_n(&count, slot + 1, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&lock);
  if (slot < 0) {
    snu_error(known ? "actuator model '%s' is already registered"
                    : "too many actuator models: '%s' is not registered",
              model->name);
  }
  return slot;
}

int sn_isActuatorLaw(const char* name) {
  for (int i = 0; kinds[i]; i++) {
    if (!strcmp(name, kinds[i])) return 1;
  }
  return sn_findActuatorLaw(name) || sn_findActuatorModel(name) >= 0;
}

void sn_listActuatorLaws(char* buffer, size_t size) {
  SN_ASSERT(buffer && size > 0);
  buffer[0] = 0;
  for (int i = 0; kinds[i]; i++) sn_addToList(buffer, size, kinds[i]);
  for (const snActuatorLaw* law = kLaws; law->name; law++) {
    sn_addToList(buffer, size, law->name);
  }
  for (int slot = 0; slot < sn_actuatorModelCount(); slot++) {
    sn_addToList(buffer, size, names[slot]);
  }
}

const char* sn_findActuatorSlots(snModel* m) {
  for (int i = 0; i < (int)m->nactmodel; i++) {
    char* name = m->actmodel_name + snNMODELNAME * i;
    name[snNMODELNAME - 1] = 0;
    m->actmodel_slot[i] = sn_findActuatorModel(name);
    if (m->actmodel_slot[i] < 0) return name;
  }
  return NULL;
}
