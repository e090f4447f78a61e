// Tendons beyond their public stage, and forces along chains of dofs.
//
// A force along the line between points of two bodies does no work on motions common to both bodies: rows of
// Jacobians are built from the dofs below the last common one.

#ifndef SINEW_ENGINE_SMOOTH_TENDON_H_
#define SINEW_ENGINE_SMOOTH_TENDON_H_

#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// Last dof that moves both bodies, -1 when there is none.
int sn_commonDof(const snModel* m, int body1, int body2);

// row[dof] += cdof . wrench for the dofs that move a body and come below stop in its chain (-1: all
// of them); the wrench acts at a point of the body. Nullable: torque.
void sn_addWrenchBelow(const snModel* m, const snData* d, const snReal force[3],
                       const snReal* torque, const snReal point[3], int body, int stop,
                       snReal* row);

// Row of ten_J: values, columns (NULL when the row is dense) and number of entries.
const snReal* sn_tendonRow(const snModel* m, const snData* d, int tendon, const int** colind,
                           int* nnz);

// Speed of a tendon whose dofs move with velocity qvel.
snReal sn_tendonSpeed(const snModel* m, const snData* d, int tendon, const snReal* qvel);

// vec += scale * row of ten_J.
void sn_addTendonForce(const snModel* m, const snData* d, int tendon, snReal scale, snReal* vec);

// Forces of a spring and of a damper along a tendon, in qfrc_spring and qfrc_damper; sparse: are rows of ten_J?
void sn_addTendonSprings(const snModel* m, snData* d, int tendon, int sparse, snReal spring,
                         snReal damper);

// qfrc += armature (Jdot . qvel) J of every tendon with armature.
void sn_tendonBias(const snModel* m, snData* d, snReal* qfrc);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_SMOOTH_TENDON_H_
