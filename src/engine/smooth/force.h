// Cartesian forces mapped to generalised ones.

#ifndef SINEW_ENGINE_SMOOTH_FORCE_H_
#define SINEW_ENGINE_SMOOTH_FORCE_H_

#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// qfrc += J' [torque; force] of a wrench at a point of a body.
void sn_addWrench(const snModel* m, const snData* d, const snReal force[3], const snReal torque[3],
                  const snReal point[3], int body, snReal* qfrc);

// Wrenches of bodies at the com of their tree: what children carry is added to their parents, the
// world excepted. The bodies of an ascending list (all when it is NULL).
void sn_sumWrenches(const snModel* m, snReal* wrench, int n, const int* bodies);

// qfrc += generalised force of wrenches of all bodies at the coms of their trees, which are summed.
void sn_addWrenches(const snModel* m, const snData* d, snReal* wrench, snReal* qfrc);

// A force at a point of a body as a wrench at the com of its tree.
void sn_wrenchAtCom(const snModel* m, const snData* d, const snReal force[3],
                    const snReal torque[3], const snReal point[3], int body, snReal wrench[6]);

// qfrc += generalised force of xfrc_applied.
void sn_xfrcAccumulate(const snModel* m, snData* d, snReal* qfrc);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_SMOOTH_FORCE_H_
