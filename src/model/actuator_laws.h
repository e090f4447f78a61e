// The laws of gain and bias that an actuator can follow in place of MuJoCo's: a law is one row.
//
// SN_ACTUATOR_LAWS: X(id, name, function, least, parameters, signs)
//   id          actuator_model; 0: none
//   name        in sinew:gain_model
//   function    of length, velocity and rate (engine/actuate/law.h)
//   least       how many of the parameters must be given
//   parameters  their names, in the order of sinew:gain_params
//   signs       one letter each: + positive, 0 not negative, . any number
//
// Laws that a program registered have the numbers snUSER_LAW + k, where k counts the names in
// actmodel_name.

#ifndef SINEW_MODEL_ACTUATOR_LAWS_H_
#define SINEW_MODEL_ACTUATOR_LAWS_H_

// clang-format off
#define SN_ACTUATOR_LAWS(X) \
  X(1, series_elastic, sn_seriesElastic, 2, "stiffness damping ratio timeconst",                   "00.0") \
  X(2, dc_motor,       sn_dcMotor,       3, "resistance torque_constant back_emf cogging periods phase", "+.0...")
// clang-format on

enum { snLAW_SERIES_ELASTIC = 1, snLAST_LAW = 2, snUSER_LAW = 1000 };

#endif  // SINEW_MODEL_ACTUATOR_LAWS_H_
