// A simulator composed of models that are chosen by name.
//
//   snSimBuilder builder;
//   sn_simPreset(&builder, "animation");              // hinges that bend, XPBD contacts
//   builder.substeps = 4;
//   snSim* sim = sn_buildSim(&builder, spec, NULL, error, sizeof(error));
//   sn_stepSim(sim);                                  // sn_step(sim->model, sim->data)
//   sn_deleteSim(sim);
//
// A choice that is NULL leaves what the spec says, element by element; so does the preset "mujoco", in which
// nothing is chosen. Choices are the attributes of MJCF (docs/builder.md), written into a copy of the spec: the
// engine knows no builders, and the plain functions (sn_loadXML, sn_makeData, sn_step) do without them. Built-in
// models are called directly.

#ifndef SINEW_SIM_H_
#define SINEW_SIM_H_

#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

struct snSimBuilder_ {
  // by name, each nullable
  const char* bending;  // law of bending of every flex of dim 2: cotangent, bridson
  const char*
      elasticity;  // law of stretch of every flex of dim 3, and of dim 2 where it acts on membranes
  const char* actuator;  // law of every actuator: see docs/builder.md
  const char* contact;   // constraint solver: newton, cg, pgs, xpbd

  // parameters of the laws; counts of 0: from the flex's young, poisson and thickness, the actuator's own
  int nbending, nelasticity, nactuator;
  double bending_param[snNFLEXPARAM];
  double elasticity_param[snNFLEXPARAM];
  double actuator_param[snNGAIN];

  // of the constraint solver; 0, or NaN: as the spec says
  int iterations;
  int substeps;       // xpbd
  double compliance;  // xpbd, in m/N
};
typedef struct snSimBuilder_ snSimBuilder;

struct snSim_ {
  snModel* model;
  snData* data;
};
typedef struct snSim_ snSim;

// Nothing chosen.
SN_API void sn_defaultSimBuilder(snSimBuilder* builder);

// Choices of a preset: "mujoco", "animation" (bridson, xpbd) or "softbody" (neo_hookean). 0, or -1 when there is
// no such preset, and then nothing is chosen.
SN_API int sn_simPreset(snSimBuilder* builder, const char* preset);

// The names that there are of a kind ("preset", "bending", "elasticity", "actuator", "contact"), separated by commas
// and cut to the size of the buffer. 0, or -1 when there is no such kind.
SN_API int sn_simNames(const char* kind, char* buffer, int buffer_sz);

// Write the choices into a spec: 0, or -1 with a message. Nullable: error.
SN_API int sn_simApply(const snSimBuilder* builder, snSpec* spec, char* error, int error_sz);

// The same for a compiled model: the constraint solver can be chosen; laws of flexes and actuators are compiled
// from the spec, and are refused.
SN_API int sn_simApplyModel(const snSimBuilder* builder, snModel* m, char* error, int error_sz);

// Model and data of a spec, which is left as it is, with the choices: NULL with a message when a name is unknown or
// the spec does not compile. Nullable: vfs, error.
SN_API snSim* sn_buildSim(const snSimBuilder* builder, const snSpec* spec, const snVFS* vfs,
                          char* error, int error_sz);

// The same from a copy of a compiled model.
SN_API snSim* sn_buildSimFromModel(const snSimBuilder* builder, const snModel* m, char* error,
                                   int error_sz);

// Hinges of the flexes of a model that bend by hinges (bending "bridson"), ascending by edge: the four vertices of
// each, both ends of its edge and the two opposite, counted over all flexes (n x 4); its angle at rest (n); its edge,
// in whose row of flex_bending its coefficients stand, the angle first (n). Returns n.
// Nullable: flexhinge_vert, flexhinge_angle0, flexhinge_edge.
SN_API int sn_flexHinges(const snModel* m, int* flexhinge_vert, snReal* flexhinge_angle0,
                         int* flexhinge_edge);

// sn_step(sim->model, sim->data).
SN_API void sn_stepSim(snSim* sim);

// Release a simulator with its model and data. Nullable: sim.
SN_API void sn_deleteSim(snSim* sim);

SN_EXTERN_C_END

#endif  // SINEW_SIM_H_
