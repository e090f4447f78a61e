#include "engine/sensor.h"

#include "engine/history.h"
#include "engine/plugin.h"
#include "engine/sleep.h"
#include "math/math.h"

// ---- one sensor

static void limitValue(const snModel* m, snData* d, int i, int type, const snReal* rows,
                       snReal* out) {
  int row = sn_sensorLimitRow(m, d, i, type);
  *out = row < 0 ? 0 : rows[row];
}

// distance beyond the margin
static void limitPosition(const snModel* m, snData* d, int i, int type, snReal* out) {
  int row = sn_sensorLimitRow(m, d, i, type);
  *out = row < 0 ? 0 : d->efc_pos[row] - d->efc_margin[row];
}

static void invalidType(const snModel* m, int i) {
  snu_error("sensor %d: type %d does not belong to stage %d", i, m->sensor_type[i],
            m->sensor_needstage[i]);
}

// clang-format off
static void positionSensor(const snModel* m, snData* d, int i, snReal* out) {
  int id = m->sensor_objid[i];
  switch (m->sensor_type[i]) {
    case snSENS_MAGNETOMETER:   sn_sensorMagnetometer(m, d, i, out); break;
    case snSENS_RANGEFINDER:    sn_sensorRangefinder(m, d, i, out); break;
    case snSENS_CAMPROJECTION:  sn_sensorCamProjection(m, d, i, out); break;
    case snSENS_JOINTPOS:       sn_sensorJointPos(m, d, i, out); break;
    case snSENS_TENDONPOS:      *out = d->ten_length[id]; break;
    case snSENS_ACTUATORPOS:    *out = d->actuator_length[id]; break;
    case snSENS_BALLQUAT:       sn_sensorBallQuat(m, d, i, out); break;
    case snSENS_JOINTLIMITPOS:  limitPosition(m, d, i, snCNSTR_LIMIT_JOINT, out); break;
    case snSENS_TENDONLIMITPOS: limitPosition(m, d, i, snCNSTR_LIMIT_TENDON, out); break;
    case snSENS_FRAMEPOS:       sn_sensorFramePos(m, d, i, out); break;
    case snSENS_FRAMEQUAT:      sn_sensorFrameQuat(m, d, i, out); break;
    case snSENS_FRAMEXAXIS:
    case snSENS_FRAMEYAXIS:
    case snSENS_FRAMEZAXIS:     sn_sensorFrameAxis(m, d, i, out); break;
    case snSENS_SUBTREECOM:     snu_copy3(out, d->subtree_com + 3 * id); break;
    case snSENS_INSIDESITE:     sn_sensorInsideSite(m, d, i, out); break;
    case snSENS_GEOMDIST:
    case snSENS_GEOMNORMAL:
    case snSENS_GEOMFROMTO:     sn_sensorGeomDistance(m, d, i, out); break;
    case snSENS_E_POTENTIAL:    sn_sensorPotential(m, d, i, out); break;
    case snSENS_E_KINETIC:      sn_sensorKinetic(m, d, i, out); break;
    case snSENS_CLOCK:          *out = d->time; break;
    default:                    invalidType(m, i); break;
  }
}

static void velocitySensor(const snModel* m, snData* d, int i, snReal* out) {
  int id = m->sensor_objid[i];
  switch (m->sensor_type[i]) {
    case snSENS_VELOCIMETER:    sn_sensorVelocimeter(m, d, i, out); break;
    case snSENS_GYRO:           sn_sensorGyro(m, d, i, out); break;
    case snSENS_JOINTVEL:
    case snSENS_BALLANGVEL:     sn_sensorJointVel(m, d, i, out); break;
    case snSENS_TENDONVEL:      *out = d->ten_velocity[id]; break;
    case snSENS_ACTUATORVEL:    *out = d->actuator_velocity[id]; break;
    case snSENS_JOINTLIMITVEL:  limitValue(m, d, i, snCNSTR_LIMIT_JOINT, d->efc_vel, out); break;
    case snSENS_TENDONLIMITVEL: limitValue(m, d, i, snCNSTR_LIMIT_TENDON, d->efc_vel, out); break;
    case snSENS_FRAMELINVEL:    sn_sensorFrameLinVel(m, d, i, out); break;
    case snSENS_FRAMEANGVEL:    sn_sensorFrameAngVel(m, d, i, out); break;
    case snSENS_SUBTREELINVEL:  sn_sensorSubtreeLinVel(m, d, i, out); break;
    case snSENS_SUBTREEANGMOM:  sn_sensorSubtreeAngMom(m, d, i, out); break;
    default:                    invalidType(m, i); break;
  }
}

static void accelerationSensor(const snModel* m, snData* d, int i, snReal* out) {
  int id = m->sensor_objid[i];
  switch (m->sensor_type[i]) {
    case snSENS_TOUCH:          sn_sensorTouch(m, d, i, out); break;
    case snSENS_ACCELEROMETER:  sn_sensorAccelerometer(m, d, i, out); break;
    case snSENS_FORCE:          sn_sensorForce(m, d, i, out); break;
    case snSENS_TORQUE:         sn_sensorTorque(m, d, i, out); break;
    case snSENS_ACTUATORFRC:    *out = d->actuator_force[id]; break;
    case snSENS_JOINTACTFRC:    *out = d->qfrc_actuator[m->jnt_dofadr[id]]; break;
    case snSENS_TENDONACTFRC:   sn_sensorTendonActFrc(m, d, i, out); break;
    case snSENS_JOINTLIMITFRC:  limitValue(m, d, i, snCNSTR_LIMIT_JOINT, d->efc_force, out); break;
    case snSENS_TENDONLIMITFRC: limitValue(m, d, i, snCNSTR_LIMIT_TENDON, d->efc_force, out); break;
    case snSENS_FRAMELINACC:    sn_sensorFrameLinAcc(m, d, i, out); break;
    case snSENS_FRAMEANGACC:    sn_sensorFrameAngAcc(m, d, i, out); break;
    case snSENS_CONTACT:        sn_sensorContact(m, d, i, out); break;
    case snSENS_TACTILE:        sn_sensorTactile(m, d, i, out); break;
    default:                    invalidType(m, i); break;
  }
}
// clang-format on

static void applyCutoff(const snModel* m, int i, snReal* out) {
  snReal cutoff = m->sensor_cutoff[i];
  int type = m->sensor_type[i], dim = m->sensor_dim[i];
  if (!(cutoff > 0) || type == snSENS_CONTACT || type == snSENS_GEOMFROMTO) return;
  switch (m->sensor_datatype[i]) {
    case snDATATYPE_REAL:
      for (int k = 0; k < dim; k++) out[k] = snu_clip(out[k], -cutoff, cutoff);
      break;
    case snDATATYPE_POSITIVE:
      for (int k = 0; k < dim; k++) out[k] = snu_min(cutoff, out[k]);
      break;
    default: break;
  }
}

void sn_computeSensor(const snModel* m, snData* d, int sensor, snReal* result) {
  switch (m->sensor_needstage[sensor]) {
    case snSTAGE_POS: positionSensor(m, d, sensor, result); break;
    case snSTAGE_VEL: velocitySensor(m, d, sensor, result); break;
    case snSTAGE_ACC: accelerationSensor(m, d, sensor, result); break;
    default: invalidType(m, sensor); return;
  }
  applyCutoff(m, sensor, result);
}

// ---- one stage

// delayed sensors read their history, sensors with an interval read it between their samples
static void computeOrRead(const snModel* m, snData* d, int i, snReal* out) {
  int n = m->sensor_history[2 * i];
  snReal delay = m->sensor_delay[i], period = m->sensor_interval[2 * i];
  if (n > 0 && (delay > 0 || period > 0)) {
    const snReal* buffer = d->history + m->sensor_historyadr[i];
    if (delay > 0 || buffer[0] + period > d->time) {
      const snReal* stored = sn_readSensor(m, d, i, d->time, out, -1);
      if (stored) snu_copy(out, stored, m->sensor_dim[i]);
      return;
    }
  }
  sn_computeSensor(m, d, i, out);
}

// what a user's sensor may read beyond the results of the stage itself
static void prepareUser(const snModel* m, snData* d, snStage stage) {
  if (stage == snSTAGE_VEL && !d->flg_subtreevel) sn_subtreeVel(m, d);
  if (stage == snSTAGE_ACC && !d->flg_rnepost) sn_rnePostConstraint(m, d);
}

static void userSensors(const snModel* m, snData* d, snStage stage) {
  if (d->callback.sensor) d->callback.sensor(m, d, stage);
  for (int i = 0; i < (int)m->nsensor; i++) {
    if (m->sensor_type[i] != snSENS_USER || m->sensor_needstage[i] != (int)stage) continue;
    applyCutoff(m, i, d->sensordata + m->sensor_adr[i]);
  }
}

// all built-in sensor plugins belong to the acceleration stage
static void pluginSensors(const snModel* m, snData* d, snStage stage) {
  if (stage == snSTAGE_ACC) sn_pluginSensors(m, d);
  sn_userCompute(m, d, snPLUGIN_SENSOR, stage);
  for (int i = 0; i < (int)m->nsensor; i++) {
    if (m->sensor_type[i] == snSENS_PLUGIN && m->sensor_needstage[i] == (int)stage)
      applyCutoff(m, i, d->sensordata + m->sensor_adr[i]);
  }
}

static void sensorStage(const snModel* m, snData* d, snStage stage) {
  if (m->opt.disableflags & snDSBL_SENSOR) return;
  int filter = sn_someAsleep(m, d), user = 0;
  for (int i = 0; i < (int)m->nsensor; i++) {
    if (m->sensor_needstage[i] != (int)stage || m->sensor_type[i] == snSENS_PLUGIN) continue;
    if (filter && sn_sleepState(m, d, snOBJ_SENSOR, i) == snS_ASLEEP) continue;
    snReal* out = d->sensordata + m->sensor_adr[i];
    if (m->sensor_type[i] == snSENS_USER) {
      if (!user) prepareUser(m, d, stage);
      snu_zero(out, m->sensor_dim[i]);
      user = 1;
    } else {
      computeOrRead(m, d, i, out);
    }
  }
  if (user) userSensors(m, d, stage);
  if (m->nplugin) pluginSensors(m, d, stage);
}

void sn_sensorPos(const snModel* m, snData* d) { sensorStage(m, d, snSTAGE_POS); }
void sn_sensorVel(const snModel* m, snData* d) { sensorStage(m, d, snSTAGE_VEL); }
void sn_sensorAcc(const snModel* m, snData* d) { sensorStage(m, d, snSTAGE_ACC); }
