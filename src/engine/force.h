// Cartesian forces mapped to generalised ones.

#ifndef SINEW_ENGINE_FORCE_H_
#define SINEW_ENGINE_FORCE_H_

#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// qfrc += J' [torque; force] of a wrench at a point of a body.
void sn_addWrench(const snModel* m, const snData* d, const snReal force[3], const snReal torque[3],
                  const snReal point[3], int body, snReal* qfrc);

// qfrc += generalised force of xfrc_applied.
void sn_xfrcAccumulate(const snModel* m, snData* d, snReal* qfrc);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_FORCE_H_
