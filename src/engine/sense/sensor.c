#include "engine/sense/sensor.h"

#include "engine/actuate/history.h"
#include "engine/collide/convex_query.h"
#include "engine/plugin/plugin.h"
#include "engine/step/sleep.h"
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
static int readsHistory(const snModel* m, const snData* d, int i) {
  snReal delay = m->sensor_delay[i], period = m->sensor_interval[2 * i];
  if (m->sensor_history[2 * i] <= 0 || !(delay > 0 || period > 0)) return 0;
  return delay > 0 || d->history[m->sensor_historyadr[i]] + period > d->time;
}

static void computeOrRead(const snModel* m, snData* d, int i, snReal* out) {
  if (!readsHistory(m, d, i)) {
    sn_computeSensor(m, d, i, out);
    return;
  }
  const snReal* stored = sn_readSensor(m, d, i, d->time, out, -1);
  if (stored) snu_copy(out, stored, m->sensor_dim[i]);
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

// does the sensor belong to the stage, and is it awake?
static int isDue(const snModel* m, const snData* d, int i, snStage stage, int asleep) {
  if (m->sensor_needstage[i] != (int)stage || m->sensor_type[i] == snSENS_PLUGIN) return 0;
  return !asleep || sn_sleepState(m, d, snOBJ_SENSOR, i) != snS_ASLEEP;
}

// returns 1 for a user's sensor
static int oneSensor(const snModel* m, snData* d, int i, snStage stage, int user) {
  snReal* out = d->sensordata + m->sensor_adr[i];
  if (m->sensor_type[i] != snSENS_USER) {
    computeOrRead(m, d, i, out);
    return user;
  }
  if (!user) prepareUser(m, d, stage);
  snu_zero(out, m->sensor_dim[i]);
  return 1;
}

// ---- by a team: what several sensors need comes first

enum {
  NEEDS_POTENTIAL = 1,
  NEEDS_KINETIC = 2,
  NEEDS_SUBTREES = 4,
  NEEDS_FORCES = 8,
  NEEDS_MEMORY = 16  // from the arena: not for a lane among others
};

static int needsOf(const snModel* m, const snData* d, int i) {
  switch (m->sensor_type[i]) {
    case snSENS_USER:
    case snSENS_TACTILE: return NEEDS_MEMORY;
    case snSENS_CONTACT: return m->sensor_intprm[snNSENS * i + 2] > 1 ? NEEDS_MEMORY : 0;
    case snSENS_RANGEFINDER: return m->sensor_objtype[i] == snOBJ_SITE ? 0 : NEEDS_MEMORY;
    case snSENS_GEOMDIST:
    case snSENS_GEOMNORMAL:
    case snSENS_GEOMFROMTO: return m->opt.ccd_iterations > SN_CCD_LOCAL ? NEEDS_MEMORY : 0;
    default: break;
  }
  if (readsHistory(m, d, i)) return 0;
  switch (m->sensor_type[i]) {
    case snSENS_E_POTENTIAL: return NEEDS_POTENTIAL;
    case snSENS_E_KINETIC: return NEEDS_KINETIC;
    case snSENS_SUBTREELINVEL:
    case snSENS_SUBTREEANGMOM: return NEEDS_SUBTREES;
    case snSENS_ACCELEROMETER:
    case snSENS_FORCE:
    case snSENS_TORQUE:
    case snSENS_FRAMELINACC:
    case snSENS_FRAMEANGACC: return NEEDS_FORCES;
    default: return 0;
  }
}

static void prepare(const snModel* m, snData* d, snStage stage, int needs) {
  switch (stage) {
    case snSTAGE_POS:
      if (sn_teamAny(needs & NEEDS_POTENTIAL) && !d->flg_energypos) sn_energyPos(m, d);
      if (sn_teamAny(needs & NEEDS_KINETIC) && !d->flg_energyvel) sn_energyVel(m, d);
      break;
    case snSTAGE_VEL:
      if (sn_teamAny(needs & NEEDS_SUBTREES) && !d->flg_subtreevel) sn_subtreeVel(m, d);
      break;
    default:
      if (sn_teamAny(needs & NEEDS_FORCES) && !d->flg_rnepost) sn_rnePostConstraint(m, d);
      break;
  }
}

static int sensorsTeam(const snModel* m, snData* d, snStage stage, int asleep) {
  int needs = 0, user = 0;
  SN_FOR(i, m->nsensor) {
    if (isDue(m, d, i, stage, asleep)) needs |= needsOf(m, d, i);
  }
  prepare(m, d, stage, needs);
  SN_FOR(i, m->nsensor) {
    if (!isDue(m, d, i, stage, asleep) || (needsOf(m, d, i) & NEEDS_MEMORY)) continue;
    SN_ALONE oneSensor(m, d, i, stage, 0);
  }
  SN_SYNC();
  if (!sn_teamAny(needs & NEEDS_MEMORY)) return 0;
  SN_ONE for (int i = 0; i < (int)m->nsensor; i++) {
    if (!isDue(m, d, i, stage, asleep) || !(needsOf(m, d, i) & NEEDS_MEMORY)) continue;
    user = oneSensor(m, d, i, stage, user);
  }
  SN_SYNC();
  return sn_teamFromInt(user, 0);
}

// ---- the stage

static SN_OUTLINE void sensorStage(const snModel* m, snData* d, snStage stage) {
  int asleep = sn_someAsleep(m, d), user = 0;
  if (SN_LANES > 1) {
    user = sensorsTeam(m, d, stage, asleep);
  } else {
    for (int i = 0; i < (int)m->nsensor; i++) {
      if (isDue(m, d, i, stage, asleep)) user = oneSensor(m, d, i, stage, user);
    }
  }
  if (user) SN_SOLO(userSensors(m, d, stage));
  if (m->nplugin) SN_SOLO(pluginSensors(m, d, stage));
}

static int hasSensors(const snModel* m) {
  return !(m->opt.disableflags & snDSBL_SENSOR) && (m->nsensor || m->nplugin);
}

void sn_sensorPos(const snModel* m, snData* d) {
  if (hasSensors(m)) sensorStage(m, d, snSTAGE_POS);
}

void sn_sensorVel(const snModel* m, snData* d) {
  if (hasSensors(m)) sensorStage(m, d, snSTAGE_VEL);
}

void sn_sensorAcc(const snModel* m, snData* d) {
  if (hasSensors(m)) sensorStage(m, d, snSTAGE_ACC);
}
