// Sensors of joints, tendons, actuators, limits, energies.

#include "base/assert.h"
#include "engine/sense/sensor.h"
#include "math/math.h"

void sn_sensorJointPos(const snModel* m, snData* d, int i, snReal* out) {
  SN_ASSERT_INDEX(m->sensor_objid[i], m->njnt);
  *out = d->qpos[m->jnt_qposadr[m->sensor_objid[i]]];
}

void sn_sensorBallQuat(const snModel* m, snData* d, int i, snReal* out) {
  SN_ASSERT_INDEX(m->sensor_objid[i], m->njnt);
  snu_copy4(out, d->qpos + m->jnt_qposadr[m->sensor_objid[i]]);
  snu_normalize4(out);
}

// one number for hinges and slides, three for balls
void sn_sensorJointVel(const snModel* m, snData* d, int i, snReal* out) {
  SN_ASSERT_INDEX(m->sensor_objid[i], m->njnt);
  snu_copy(out, d->qvel + m->jnt_dofadr[m->sensor_objid[i]], m->sensor_dim[i]);
}

void sn_sensorTendonActFrc(const snModel* m, snData* d, int i, snReal* out) {
  SN_ASSERT_INDEX(m->sensor_objid[i], m->ntendon);
  snReal sum = 0;
  for (int k = 0; k < (int)m->nu; k++) {
    if (m->actuator_trntype[k] != snTRN_TENDON) continue;
    if (m->actuator_trnid[2 * k] == m->sensor_objid[i]) sum += d->actuator_force[k];
  }
  *out = sum;
}

void sn_sensorJointActFrc(const snModel* m, snData* d, int i, snReal* out) {
  SN_ASSERT_INDEX(m->sensor_objid[i], m->njnt);
  *out = d->qfrc_actuator[m->jnt_dofadr[m->sensor_objid[i]]];
}

void sn_sensorTendonPos(const snModel* m, snData* d, int i, snReal* out) {
  SN_ASSERT_INDEX(m->sensor_objid[i], m->ntendon);
  *out = d->ten_length[m->sensor_objid[i]];
}

void sn_sensorTendonVel(const snModel* m, snData* d, int i, snReal* out) {
  SN_ASSERT_INDEX(m->sensor_objid[i], m->ntendon);
  *out = d->ten_velocity[m->sensor_objid[i]];
}

void sn_sensorActuatorPos(const snModel* m, snData* d, int i, snReal* out) {
  SN_ASSERT_INDEX(m->sensor_objid[i], m->nu);
  *out = d->actuator_length[m->sensor_objid[i]];
}

void sn_sensorActuatorVel(const snModel* m, snData* d, int i, snReal* out) {
  SN_ASSERT_INDEX(m->sensor_objid[i], m->nu);
  *out = d->actuator_velocity[m->sensor_objid[i]];
}

void sn_sensorActuatorFrc(const snModel* m, snData* d, int i, snReal* out) {
  SN_ASSERT_INDEX(m->sensor_objid[i], m->nu);
  *out = d->actuator_force[m->sensor_objid[i]];
}

// ---- limits

// row of the first active limit of the sensor's joint or tendon, -1 when none is
static int limitRow(const snModel* m, const snData* d, int i) {
  SN_ASSERT_INDEX(i, m->nsensor);
  SN_ASSERT(d->ne + d->nf + d->nl <= d->nefc);
  int id = m->sensor_objid[i];
  int type = m->sensor_objtype[i] == snOBJ_JOINT ? snCNSTR_LIMIT_JOINT : snCNSTR_LIMIT_TENDON;
  for (int row = d->ne + d->nf; row < d->nefc; row++) {
    if (d->efc_type[row] == type && d->efc_id[row] == id) return row;
  }
  return -1;
}

// distance beyond the margin
void sn_sensorLimitPos(const snModel* m, snData* d, int i, snReal* out) {
  int row = limitRow(m, d, i);
  *out = row < 0 ? 0 : d->efc_pos[row] - d->efc_margin[row];
}

void sn_sensorLimitVel(const snModel* m, snData* d, int i, snReal* out) {
  int row = limitRow(m, d, i);
  *out = row < 0 ? 0 : d->efc_vel[row];
}

void sn_sensorLimitFrc(const snModel* m, snData* d, int i, snReal* out) {
  int row = limitRow(m, d, i);
  *out = row < 0 ? 0 : d->efc_force[row];
}

// ---- the clock

void sn_sensorClock(const snModel* m, snData* d, int i, snReal* out) {
  (void)m;
  (void)i;
  *out = d->time;
}

// ---- energies

void sn_sensorPotential(const snModel* m, snData* d, int i, snReal* out) {
  (void)i;
  if (!d->flg_energypos) sn_energyPos(m, d);
  *out = d->energy[0];
}

// The flag is cleared by the velocity stage: where energies are enabled, the position stage reads
// the energy of the previous evaluation, as in MuJoCo.
void sn_sensorKinetic(const snModel* m, snData* d, int i, snReal* out) {
  (void)i;
  if (!d->flg_energyvel) sn_energyVel(m, d);
  *out = d->energy[1];
}
