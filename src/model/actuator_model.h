// Laws of actuators by name: those of model/actuator_laws.h and those that a program registered.

#ifndef SINEW_MODEL_ACTUATOR_MODEL_H_
#define SINEW_MODEL_ACTUATOR_MODEL_H_

#include "sinew/actuator.h"
#include "sinew/model.h"

SN_EXTERN_C_BEGIN

// A built-in law, see model/actuator_laws.h.
typedef struct snActuatorLaw_ {
  const char* name;  // NULL ends the list
  int id;
  int least, most;         // parameters
  const char* parameters;  // their names
  const char* signs;
} snActuatorLaw;

// Built-in law, or slot of a registered one; NULL or -1 when there is none.
const snActuatorLaw* sn_findActuatorLaw(const char* name);
int sn_findActuatorModel(const char* name);

// Is there a law of this name, of MuJoCo, built in or registered?
int sn_isActuatorLaw(const char* name);

// The names of all laws, those of MuJoCo and registered ones included, separated by commas; cut to the size
// of the buffer.
void sn_listActuatorLaws(char* buffer, size_t size);

// Find the slots of the registered laws of a model that was loaded; returns the name of one that this
// process does not have, else NULL.
const char* sn_findActuatorSlots(snModel* m);

SN_EXTERN_C_END

#endif  // SINEW_MODEL_ACTUATOR_MODEL_H_
