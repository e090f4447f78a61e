// Integration of positions, joint by joint.

#ifndef SINEW_ENGINE_STEP_POSITION_H_
#define SINEW_ENGINE_STEP_POSITION_H_

#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// Advance one joint's part of qpos by dt at velocity qvel.
void sn_integrateJoint(const snModel* m, int joint, snReal* qpos, const snReal* qvel, snReal dt);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_STEP_POSITION_H_
