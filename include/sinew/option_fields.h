// The tables of snOption and snStatistic: every field is one entry, in the order of the struct.
//
// R(name) is a real, V(name, count) are reals, I(name) is an integer. The structs, their text and
// their copies on a GPU come from here.

#ifndef SINEW_OPTION_FIELDS_H_
#define SINEW_OPTION_FIELDS_H_

// clang-format off
#define SN_OPTION_FIELDS(R, V, I) \
  R(timestep) R(impratio) R(tolerance) R(ls_tolerance) R(noslip_tolerance) R(ccd_tolerance) \
  R(sleep_tolerance) V(gravity, 3) V(wind, 3) V(magnetic, 3) R(density) R(viscosity) R(o_margin) \
  V(o_solref, 2) V(o_solimp, 5) V(o_friction, 5) I(integrator) I(cone) I(jacobian) I(solver) \
  I(iterations) I(ls_iterations) I(noslip_iterations) I(ccd_iterations) I(disableflags) \
  I(enableflags) I(disableactuator) I(sdf_initpoints) I(sdf_iterations)
#define SN_STATISTIC_FIELDS(R, V) \
  R(meaninertia) R(meanmass) R(meansize) R(extent) V(center, 3)
// clang-format on

#endif  // SINEW_OPTION_FIELDS_H_
