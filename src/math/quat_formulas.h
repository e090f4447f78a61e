// Formulas of quaternions, for numbers of type SN_NUMBER: as in spatial_formulas.h.

// product of quaternions; res aliases neither
SN_FORMULA(quatProduct)(SN_NUMBER res[4], const SN_NUMBER a[4], const SN_NUMBER b[4]) {
  res[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
  res[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
  res[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
  res[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

// rotation matrix of a quaternion
SN_FORMULA(quatMatrix)(SN_NUMBER res[9], const SN_NUMBER quat[4]) {
  SN_NUMBER q00 = quat[0] * quat[0], q01 = quat[0] * quat[1], q02 = quat[0] * quat[2];
  SN_NUMBER q03 = quat[0] * quat[3], q11 = quat[1] * quat[1], q12 = quat[1] * quat[2];
  SN_NUMBER q13 = quat[1] * quat[3], q22 = quat[2] * quat[2], q23 = quat[2] * quat[3];
  SN_NUMBER q33 = quat[3] * quat[3];
  res[0] = q00 + q11 - q22 - q33;
  res[4] = q00 - q11 + q22 - q33;
  res[8] = q00 - q11 - q22 + q33;
  res[1] = (snReal)2 * (q12 - q03);
  res[2] = (snReal)2 * (q13 + q02);
  res[3] = (snReal)2 * (q12 + q03);
  res[5] = (snReal)2 * (q23 - q01);
  res[6] = (snReal)2 * (q13 - q02);
  res[7] = (snReal)2 * (q23 + q01);
}
