// Functions of the engine.

#include "bindings.h"
#include "engine/derivative.h"

using Stage = void (*)(const snModel*, snData*);

static void bindStage(nb::module_& module, const char* name, Stage stage) {
  module.def(
      name,
      [stage](Model& m, Data& d) {
        nb::gil_scoped_release nogil;
        stage(m.m, d.d);
      },
      nb::arg("m"), nb::arg("d"));
}

void bindFunctions(nb::module_& module) {
  bindStage(module, "mj_step", sn_step);
  bindStage(module, "mj_step1", sn_step1);
  bindStage(module, "mj_step2", sn_step2);
  bindStage(module, "mj_forward", sn_forward);
  bindStage(module, "mj_inverse", sn_inverse);
  bindStage(module, "mj_resetData", sn_resetData);
  bindStage(module, "mj_fwdKinematics", sn_fwdKinematics);
  bindStage(module, "mj_fwdPosition", sn_fwdPosition);
  bindStage(module, "mj_fwdVelocity", sn_fwdVelocity);
  bindStage(module, "mj_fwdActuation", sn_fwdActuation);
  bindStage(module, "mj_fwdAcceleration", sn_fwdAcceleration);
  bindStage(module, "mj_fwdConstraint", sn_fwdConstraint);
  bindStage(module, "mj_Euler", sn_Euler);
  bindStage(module, "mj_implicit", sn_implicit);
  bindStage(module, "mj_invPosition", sn_invPosition);
  bindStage(module, "mj_invVelocity", sn_invVelocity);
  bindStage(module, "mj_invConstraint", sn_invConstraint);
  bindStage(module, "mj_compareFwdInv", sn_compareFwdInv);
  bindStage(module, "mj_sensorPos", sn_sensorPos);
  bindStage(module, "mj_sensorVel", sn_sensorVel);
  bindStage(module, "mj_sensorAcc", sn_sensorAcc);
  bindStage(module, "mj_energyPos", sn_energyPos);
  bindStage(module, "mj_energyVel", sn_energyVel);
  bindStage(module, "mj_checkPos", sn_checkPos);
  bindStage(module, "mj_checkVel", sn_checkVel);
  bindStage(module, "mj_checkAcc", sn_checkAcc);
  bindStage(module, "mj_kinematics", sn_kinematics);
  bindStage(module, "mj_comPos", sn_comPos);
  bindStage(module, "mj_camlight", sn_camlight);
  bindStage(module, "mj_flex", sn_flex);
  bindStage(module, "mj_tendon", sn_tendon);
  bindStage(module, "mj_transmission", sn_transmission);
  bindStage(module, "mj_crb", sn_crb);
  bindStage(module, "mj_makeM", sn_makeM);
  bindStage(module, "mj_factorM", sn_factorM);
  bindStage(module, "mj_comVel", sn_comVel);
  bindStage(module, "mj_passive", sn_passive);
  bindStage(module, "mj_subtreeVel", sn_subtreeVel);
  bindStage(module, "mj_rnePostConstraint", sn_rnePostConstraint);
  bindStage(module, "mj_collision", sn_collision);
  bindStage(module, "mj_makeConstraint", sn_makeConstraint);
  bindStage(module, "mj_island", sn_island);
  bindStage(module, "mj_projectConstraint", sn_projectConstraint);
  bindStage(module, "mj_referenceConstraint", sn_referenceConstraint);

  module.def("mj_setConst", [](Model& m, Data& d) { sn_setConst(m.m, d.d); });
  module.def("mj_forwardSkip",
             [](Model& m, Data& d, int stage, int sensor) { sn_forwardSkip(m.m, d.d, stage, sensor); });
  module.def("mj_inverseSkip",
             [](Model& m, Data& d, int stage, int sensor) { sn_inverseSkip(m.m, d.d, stage, sensor); });
  module.def("mj_resetDataKeyframe",
             [](Model& m, Data& d, int key) { sn_resetDataKeyframe(m.m, d.d, key); });
  module.def("_deriv_smooth_vel",
             [](Model& m, Data& d, bool bias) { sn_derivSmoothVel(m.m, d.d, bias); });
}
