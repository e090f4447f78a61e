// The laws that a flex can follow in place of MuJoCo's: a law is one row.
//
// SN_MATERIALS: X(id, name, function, parameters, membranes)
//   id          flex_elasticmodel; 0 is MuJoCo's law of squared edge lengths ("linear")
//   name        in sinew:elasticity_model
//   function    of the principal stretches (engine/flex/material.h)
//   parameters  how many numbers sinew:elasticity_param has; without any they come from young and poisson
//   membranes   1: triangles too, 0: tetrahedra alone
//
// SN_BENDERS: X(id, name, spring, damper): flex_bendingmodel, sinew:bending_model, and functions of
// the four corners of a flap (engine/flex/law.h)

#ifndef SINEW_MODEL_FLEX_LAWS_H_
#define SINEW_MODEL_FLEX_LAWS_H_

// clang-format off
#define SN_MATERIALS(X) \
  X(1, neo_hookean,   sn_neoHookean,          2, 1) \
  X(2, stvk,          sn_saintVenantKirchhoff, 2, 1) \
  X(3, corotated,     sn_corotated,           2, 1) \
  X(4, mooney_rivlin, sn_mooneyRivlin,        3, 0)

#define SN_BENDERS(X) \
  X(0, cotangent, sn_cotangentSpring, sn_cotangentDamper) \
  X(1, bridson,   sn_hingeSpring,     sn_hingeDamper)
// clang-format on

#endif  // SINEW_MODEL_FLEX_LAWS_H_
