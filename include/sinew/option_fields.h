// The tables of snOption and snStatistic: every field is one entry, in the order of the struct.
//
// R(name) is a real, V(name, count) are reals, I(name, rule) is an integer and what it may be
// (the rules of model_fields.h; counts of iterations may be anything, negative ones are none). The
// structs, their text, their copies on a GPU and their validation come from here.

#ifndef SINEW_OPTION_FIELDS_H_
#define SINEW_OPTION_FIELDS_H_

// clang-format off
#define SN_OPTION_FIELDS(R, V, I) \
  R(timestep) R(impratio) R(tolerance) R(ls_tolerance) R(noslip_tolerance) R(ccd_tolerance) \
  R(sleep_tolerance) V(gravity, 3) V(wind, 3) V(magnetic, 3) R(density) R(viscosity) R(o_margin) \
  V(o_solref, 2) V(o_solimp, 5) V(o_friction, 5) \
  I(integrator, RANGE(snINT_EULER, snINT_IMPLICITSPRINGDAMPER)) \
  I(cone, RANGE(snCONE_PYRAMIDAL, snCONE_ELLIPTIC)) \
  I(jacobian, RANGE(snJAC_DENSE, snJAC_AUTO)) I(solver, RANGE(snSOL_PGS, snSOL_XPBD)) \
  I(iterations, FREE) I(ls_iterations, FREE) I(noslip_iterations, FREE) I(ccd_iterations, FREE) \
  I(disableflags, FREE) I(enableflags, FREE) I(disableactuator, FREE) \
  I(sdf_initpoints, FREE) I(sdf_iterations, FREE)
#define SN_STATISTIC_FIELDS(R, V) \
  R(meaninertia) R(meanmass) R(meansize) R(extent) V(center, 3)
// clang-format on

#endif  // SINEW_OPTION_FIELDS_H_
