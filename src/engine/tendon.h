// Tendons beyond their public stage: what armature needs.

#ifndef SINEW_ENGINE_TENDON_H_
#define SINEW_ENGINE_TENDON_H_

#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// qfrc += armature (Jdot . qvel) J of every tendon with armature.
void sn_tendonBias(const snModel* m, snData* d, snReal* qfrc);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_TENDON_H_
