#include "engine/sense/sensor.h"

#include "base/arena.h"
#include "base/assert.h"
#include "base/crew.h"
#include "engine/actuate/history.h"
#include "engine/collide/convex_query.h"
#include "engine/plugin/plugin.h"
#include "engine/smooth/force.h"
#include "engine/step/sleep.h"
#include "math/math.h"
#include "model/sensor_types.h"

// ---- one sensor

static void invalidType(const snModel* m, int i) {
  snu_error("sensor %d: type %d does not belong to stage %d", i, m->sensor_type[i],
            m->sensor_needstage[i]);
}

// those of the user and of plugins are computed by others, for all sensors of a stage
static void sn_sensorElsewhere(const snModel* m, snData* d, int i, snReal* out) {
  (void)d;
  (void)out;
  invalidType(m, i);
}

// the row of a sensor in the table: the stage it belongs to, whether its result is clipped
static int stageOf(int type) {
  switch (type) {
#define X(type, tag, target, dim, stage, datatype, cutoff, needs, function) \
  case snSENS_##type: return snSTAGE_##stage;
    SN_SENSORS(X)
#undef X
    default: return snSTAGE_NONE;
  }
}

enum { CUTOFF_CLIP, CUTOFF_OWN };
static int cutoffOf(int type) {
  switch (type) {
#define X(type, tag, target, dim, stage, datatype, cutoff, needs, function) \
  case snSENS_##type: return CUTOFF_##cutoff;
    SN_SENSORS(X)
#undef X
    default: return CUTOFF_OWN;
  }
}

static void applyCutoff(const snModel* m, int i, snReal* out) {
  SN_ASSERT_INDEX(i, m->nsensor);
  snReal cutoff = m->sensor_cutoff[i];
  int dim = m->sensor_dim[i];
  if (!(cutoff > 0) || cutoffOf(m->sensor_type[i]) == CUTOFF_OWN) return;
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
  SN_ASSERT_INDEX(sensor, m->nsensor);
  if (stageOf(m->sensor_type[sensor]) != m->sensor_needstage[sensor]) {
    invalidType(m, sensor);
    return;
  }
  switch (m->sensor_type[sensor]) {
#define X(type, tag, target, dim, stage, datatype, cutoff, needs, function) \
  case snSENS_##type: function(m, d, sensor, result); break;
    SN_SENSORS(X)
#undef X
    default: invalidType(m, sensor); return;
  }
  if (m->sensor_cutoff[sensor] > 0) applyCutoff(m, sensor, result);
}

// ---- one stage

// delayed sensors read their history, sensors with an interval read it between their samples
static int readsHistory(const snModel* m, const snData* d, int i) {
  SN_ASSERT_INDEX(i, m->nsensor);
  snReal delay = m->sensor_delay[i], period = m->sensor_interval[2 * i];
  if (m->sensor_history[2 * i] <= 0 || !(delay > 0 || period > 0)) return 0;
  return delay > 0 || d->history[m->sensor_historyadr[i]] + period > d->time;
}

static void computeOrRead(const snModel* m, snData* d, int i, snReal* out) {
  SN_ASSERT_PART(m->sensor_adr[i], m->sensor_dim[i], m->nsensordata);
  if (!m->nhistory || !readsHistory(m, d, i)) {
    sn_computeSensor(m, d, i, out);
    return;
  }
  const snReal* stored = sn_readSensor(m, d, i, d->time, out, -1);
  if (stored) snu_copy(out, stored, m->sensor_dim[i]);
}

// what a sensor of a user or a plugin may read beyond the results of the stage itself
static void prepareUser(const snModel* m, snData* d, snStage stage) {
  if (stage == snSTAGE_VEL && !d->flg_subtreevel) sn_subtreeVel(m, d);
  if (stage == snSTAGE_ACC && !d->flg_rnepost) sn_rnePostConstraint(m, d);
}

static void userSensors(const snModel* m, snData* d, snStage stage) {
  SN_ASSERT(SN_LANES == 1);
  if (d->callback.sensor) d->callback.sensor(m, d, stage);
  for (int i = 0; i < (int)m->nsensor; i++) {
    if (m->sensor_type[i] != snSENS_USER || m->sensor_needstage[i] != (int)stage) continue;
    applyCutoff(m, i, d->sensordata + m->sensor_adr[i]);
  }
}

// all built-in sensor plugins belong to the acceleration stage
static void pluginSensors(const snModel* m, snData* d, snStage stage) {
  SN_ASSERT(SN_LANES == 1);
  if (sn_hasPluginSensor(m, stage)) prepareUser(m, d, stage);
  if (stage == snSTAGE_ACC) sn_pluginSensors(m, d);
  sn_userCompute(m, d, snPLUGIN_SENSOR, stage);
  for (int i = 0; i < (int)m->nsensor; i++) {
    if (m->sensor_type[i] == snSENS_PLUGIN && m->sensor_needstage[i] == (int)stage)
      applyCutoff(m, i, d->sensordata + m->sensor_adr[i]);
  }
}

// does the sensor belong to the stage, and is it awake?
static int isDue(const snModel* m, const snData* d, int i, snStage stage, int asleep) {
  SN_ASSERT_INDEX(i, m->nsensor);
  if (m->sensor_needstage[i] != (int)stage || m->sensor_type[i] == snSENS_PLUGIN) return 0;
  return !asleep || sn_sleepState(m, d, snOBJ_SENSOR, i) != snS_ASLEEP;
}

// returns 1 for a user's sensor
static int oneSensor(const snModel* m, snData* d, int i, snStage stage, int user) {
  SN_ASSERT_INDEX(i, m->nsensor);
  SN_ASSERT(SN_LANES == 1);
  snReal* out = d->sensordata + m->sensor_adr[i];
  if (m->sensor_type[i] != snSENS_USER) {
    computeOrRead(m, d, i, out);
    return user;
  }
  if (!user) prepareUser(m, d, stage);
  snu_zero(out, m->sensor_dim[i]);
  return 1;
}

// ---- touch sensors together

// a touch sensor that is computed now
static int isTouch(const snModel* m, const snData* d, int i, int asleep) {
  return m->sensor_type[i] == snSENS_TOUCH && isDue(m, d, i, snSTAGE_ACC, asleep) &&
         !(m->nhistory && readsHistory(m, d, i));
}

enum { FEW_SENSORS = 8 };

// Lists of contacts by body for many touch sensors, each of which would look through all contacts. Returns 0 where they
// are few, or the stack is full.
static int listTouches(const snModel* m, snData* d, snContactLists* lists) {
  enum { LEAST_LOOKS = 512 };
  int touches = 0, nsensor = (int)m->nsensor;
  if (d->ncon < FEW_SENSORS) return 0;
  for (int i = 0; i < nsensor; i++) touches += m->sensor_type[i] == snSENS_TOUCH;
  return (long)touches * d->ncon >= LEAST_LOOKS && sn_listContacts(m, d, lists);
}

static void touchListed(const snModel* m, snData* d, const snContactLists* lists, int i) {
  snReal* out = d->sensordata + m->sensor_adr[i];
  sn_sensorTouchListed(m, d, lists, i, out);
  applyCutoff(m, i, out);
}

// ---- by a team: what several sensors need comes first

enum {
  NEEDS_NOTHING = 0,
  NEEDS_POTENTIAL = 1,
  NEEDS_KINETIC = 2,
  NEEDS_SUBTREES = 4,
  NEEDS_FORCES = 8,
  NEEDS_MEMORY = 16,  // from the arena: not for a lane among others
  // memory, depending on the sensor
  NEEDS_CONTACTS = 32,  // when it reports more than one
  NEEDS_RAYS = 64       // of a camera
};

static int rowNeeds(int type) {
  switch (type) {
#define X(type, tag, target, dim, stage, datatype, cutoff, needs, function) \
  case snSENS_##type: return NEEDS_##needs;
    SN_SENSORS(X)
#undef X
    default: return NEEDS_NOTHING;
  }
}

static int needsOf(const snModel* m, const snData* d, int i) {
  int needs = rowNeeds(m->sensor_type[i]);
  switch (needs) {
    case NEEDS_MEMORY: return NEEDS_MEMORY;
    case NEEDS_CONTACTS: return m->sensor_intprm[snNSENS * i + 2] > 1 ? NEEDS_MEMORY : 0;
    case NEEDS_RAYS: return m->sensor_objtype[i] == snOBJ_SITE ? 0 : NEEDS_MEMORY;
    default: return readsHistory(m, d, i) ? 0 : needs;
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

// ---- by a crew: sensors of accelerations, which are the most work

// What threads share: sensors with these contacts (NULL: no lists). They leave those that need memory.
typedef struct Shared_ {
  const snContactLists* touches;
  int asleep, left;
} Shared;

static void someSensors(const snModel* m, snData* view, void* context, int begin, int end) {
  Shared* shared = (Shared*)context;
  for (int i = begin; i < end; i++) {
    if (!isDue(m, view, i, snSTAGE_ACC, shared->asleep)) continue;
    if (shared->touches && isTouch(m, view, i, shared->asleep)) {
      touchListed(m, view, shared->touches, i);
    } else if (needsOf(m, view, i) & NEEDS_MEMORY) {
      SN_RAISE(shared->left);
    } else {
      oneSensor(m, view, i, snSTAGE_ACC, 0);
    }
  }
}

// Returns whether sensors that need memory are left, -1: all sensors are.
static int sensorsShared(const snModel* m, snData* d, const snContactLists* touches, int asleep) {
  enum { MANY = 128, AT_ONCE = 16 };
  Shared shared = {touches, asleep, 0};
  if (m->nsensor < MANY || !sn_hasCrew(d)) return -1;
  for (int i = 0; !d->flg_rnepost && i < (int)m->nsensor; i++) {
    if (rowNeeds(m->sensor_type[i]) == NEEDS_FORCES && isDue(m, d, i, snSTAGE_ACC, asleep)) {
      if (!touches || !sn_shareForces(m, d, touches)) sn_rnePostConstraint(m, d);
    }
  }
  if (!sn_share(m, d, (int)m->nsensor, AT_ONCE, someSensors, &shared)) return -1;
  return shared.left;
}

// ---- the stage

// One lane; returns 1 when there are sensors of the user.
static __attribute__((noinline)) int accelerationSensors(const snModel* m, snData* d, int asleep) {
  snContactLists lists;
  sn_markStack(d);
  int user = 0, listed = listTouches(m, d, &lists);
  int left = sensorsShared(m, d, listed ? &lists : NULL, asleep);
  for (int i = 0; left && i < (int)m->nsensor; i++) {
    if (!isDue(m, d, i, snSTAGE_ACC, asleep)) continue;
    if (left == 1 && !(needsOf(m, d, i) & NEEDS_MEMORY)) continue;
    if (listed && isTouch(m, d, i, asleep)) {
      touchListed(m, d, &lists, i);
    } else {
      user = oneSensor(m, d, i, snSTAGE_ACC, user);
    }
  }
  sn_freeStack(d);
  return user;
}

static SN_OUTLINE void sensorStage(const snModel* m, snData* d, snStage stage) {
  int asleep = sn_someAsleep(m, d), user = 0;
  if (SN_LANES > 1) {
    user = sensorsTeam(m, d, stage, asleep);
  } else if (stage == snSTAGE_ACC && m->nsensor >= FEW_SENSORS) {
    user = accelerationSensors(m, d, asleep);
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
