// Forces of a surrounding fluid on moving bodies.

#ifndef SINEW_ENGINE_SMOOTH_FLUID_H_
#define SINEW_ENGINE_SMOOTH_FLUID_H_

#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// Is there a fluid?
static inline int sn_hasFluid(const snModel* m) {
  return m->opt.viscosity != 0 || m->opt.density != 0;
}

// Does a body use the ellipsoid model (any of its geoms asks for it) or the inertia box?
int sn_usesEllipsoids(const snModel* m, int body);

// Side lengths of the box with a body's mass and inertia.
void sn_inertiaBox(const snModel* m, int body, snReal box[3]);

// Velocity [w; v] of a body's inertial frame or of a geom relative to the wind, in its own axes.
void sn_velocityInFluid(const snModel* m, const snData* d, int objtype, int id, snReal lvel[6]);

// qfrc_fluid += forces of the fluid on all awake bodies.
void sn_fluidForces(const snModel* m, snData* d);

// Wrench of the fluid on one body, about the com of its tree.
void sn_bodyFluidWrench(const snModel* m, const snData* d, int body, snReal wrench[6]);

// Velocity derivatives in the same local axes: 6 x 6, rows [torque; force], columns [w; v].
void sn_inertiaBoxDerivative(const snModel* m, const snReal box[3], const snReal lvel[6],
                             snReal B[36]);
void sn_ellipsoidDerivative(const snModel* m, int geom, const snReal lvel[6], snReal B[36]);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_SMOOTH_FLUID_H_
