// Passive forces that other files contribute.

#ifndef SINEW_ENGINE_PASSIVE_H_
#define SINEW_ENGINE_PASSIVE_H_

#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// Elasticity and damping of flexes: into qfrc_spring and qfrc_damper.
void sn_flexPassive(const snModel* m, snData* d, int hasSpring, int hasDamper);

// Contacts of passive flexes: springs along the normal, into qfrc_spring.
void sn_flexPassiveContacts(const snModel* m, snData* d);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_PASSIVE_H_
