#include "engine/smooth/capstan.h"

#include "base/arena.h"
#include "base/assert.h"
#include "base/warning.h"
#include "engine/smooth/tendon.h"
#include "engine/smooth/wrap.h"
#include "engine/step/sleep.h"
#include "math/math.h"

#define MINVAL ((snReal)snMINVAL)

// ---- parts of the Jacobian

// A walk along a tendon: its present place, and sums over what it has passed.
typedef struct Walk_ {
  int tendon;
  int capstan;      // the next one
  snReal divisor;   // of the pulleys so far
  snReal* row;      // of the present zone
  snReal* angle;    // that the tendon turns around the next capstan
  const int* type;  // pieces of the path
  const int* id;
  const snReal* prm;
} Walk;

// row += (Jb - Ja)' e / divisor
static void addSegment(const snModel* m, const snData* d, const Walk* walk, const snReal a[3],
                       int bodya, const snReal b[3], int bodyb) {
  if (bodya == bodyb) return;
  snReal direction[3], opposite[3];
  snu_sub3(direction, b, a);
  snu_normalize3(direction);
  snu_scl3(direction, direction, 1 / walk->divisor);
  snu_scl3(opposite, direction, -1);
  int common = sn_commonDof(m, bodya, bodyb);
  sn_addWrenchBelow(m, d, direction, NULL, b, bodyb, common, walk->row);
  sn_addWrenchBelow(m, d, opposite, NULL, a, bodya, common, walk->row);
}

// is piece j of the path the next capstan?
static int isCapstan(const snModel* m, const Walk* walk, int j) {
  int k = walk->capstan;
  return k < (int)m->ncapstan && m->capstan_wrap[k] == m->tendon_adr[walk->tendon] + j;
}

static void passCapstan(const snModel* m, Walk* walk, snReal angle) {
  *walk->angle++ = angle;
  walk->row += m->nv;
  walk->capstan++;
}

// The angle that a path turns on a sphere or a cylinder: the curvature of a helix of the length s that turns by
// phi around the axis is phi^2 r / s^2, so it turns by phi^2 r / s, phi itself without a pitch.
static snReal turn(const snData* d, int geom, int type, const snReal tangent[6], snReal length,
                   snReal radius) {
  if (length <= 0 || radius <= 0) return 0;
  if (type == snWRAP_SPHERE) return length / radius;
  snReal step[3], axis[3];
  const snReal* mat = d->geom_xmat + 9 * geom;
  snu_sub3(step, tangent + 3, tangent);
  for (int k = 0; k < 3; k++) axis[k] = mat[3 * k + 2];
  snReal along = snu_dot3(step, axis);
  return snu_max(0, length * length - along * along) / (radius * length);
}

// from site j over an optional geom to the next site, whose index it returns
static int spanSites(const snModel* m, const snData* d, Walk* walk, int j) {
  const int *type = walk->type, *id = walk->id;
  int geom = type[j + 1] == snWRAP_SITE ? -1 : id[j + 1], next = geom < 0 ? j + 1 : j + 2;
  const snReal *x0 = d->site_xpos + 3 * id[j], *x1 = d->site_xpos + 3 * id[next];
  int body0 = m->site_bodyid[id[j]], body1 = m->site_bodyid[id[next]];
  snReal tangent[6], length = -1, radius = geom < 0 ? 0 : m->geom_size[3 * geom];
  if (geom >= 0) {
    int side = walk->prm[j + 1] < 0 ? -1 : (int)(walk->prm[j + 1] + (snReal)0.5);
    if (side >= (int)m->nsite) side = -1;
    length = sn_wrap(tangent, x0, x1, d->geom_xpos + 3 * geom, d->geom_xmat + 9 * geom, radius,
                     type[j + 1], side >= 0 ? d->site_xpos + 3 * side : NULL);
  }
  int capstan = geom >= 0 && isCapstan(m, walk, j + 1);
  if (length < 0) {
    addSegment(m, d, walk, x0, body0, x1, body1);
    if (capstan) passCapstan(m, walk, 0);
    return next;
  }
  addSegment(m, d, walk, x0, body0, tangent, m->geom_bodyid[geom]);
  if (capstan) passCapstan(m, walk, turn(d, geom, type[j + 1], tangent, length, radius));
  addSegment(m, d, walk, tangent + 3, m->geom_bodyid[geom], x1, body1);
  return next;
}

static void walkTendon(const snModel* m, const snData* d, Walk* walk) {
  int num = m->tendon_num[walk->tendon], j = 0;
  while (j < num - 1) {
    if (walk->type[j] == snWRAP_PULLEY) {
      walk->divisor = walk->prm[j];
      if (isCapstan(m, walk, j)) {
        passCapstan(m, walk, m->capstan_prm[snNCAPSTAN * walk->capstan + 2]);
      }
      j++;
    } else if (walk->type[j + 1] == snWRAP_PULLEY) {
      j++;
    } else {
      j = spanSites(m, d, walk, j);
    }
  }
}

// ---- ratios of tensions

// capstan by capstan: the rate of the path behind it, and the tension there
static void findRatios(const snModel* m, const snData* d, const snCapstans* c,
                       const snReal* angle) {
  int nv = (int)m->nv;
  c->ratio[0] = 1;
  for (int k = 0; k < c->count; k++) {
    const snReal* prm = m->capstan_prm + snNCAPSTAN * (c->first + k);
    snReal rate = 0, scale = snu_max(MINVAL, prm[1]), log = prm[0] * angle[k];
    for (int z = k + 1; z <= c->count; z++) rate += snu_dot(c->zone + z * nv, d->qvel, nv);
    snReal sense = snu_tanh(rate / scale);
    c->ratio[k + 1] = c->ratio[k] * snu_exp(log * sense);
    c->slope[k] = log * (1 - sense * sense) / scale;
  }
}

int sn_capstans(const snModel* m, snData* d, int first, snCapstans* c) {
  SN_ASSERT_INDEX(first, m->ncapstan);
  int nv = (int)m->nv, tendon = m->capstan_tendon[first], adr = m->tendon_adr[tendon];
  c->first = first;
  c->count = 1;
  while (first + c->count < (int)m->ncapstan && m->capstan_tendon[first + c->count] == tendon) {
    c->count++;
  }
  int rows = (c->count + 1) * nv;
  c->zone = SN_STACK(d, snReal, rows + 3 * c->count + 1);
  if (!c->zone) return 0;
  c->ratio = c->zone + rows;
  c->slope = c->ratio + c->count + 1;
  snReal* angle = c->slope + c->count;
  snu_zero(c->zone, rows + 3 * c->count + 1);
  Walk walk = {tendon,           first, 1, c->zone, angle, m->wrap_type + adr, m->wrap_objid + adr,
               m->wrap_prm + adr};
  walkTendon(m, d, &walk);
  findRatios(m, d, c, angle);
  return 1;
}

// ---- tensions and forces

snReal sn_tension(const snModel* m, const snData* d, int tendon, int actuators) {
  SN_ASSERT_INDEX(tendon, m->ntendon);
  snReal force = d->ten_force[tendon];
  for (int i = 0; actuators && i < (int)m->nu; i++) {
    if (m->actuator_trntype[i] == snTRN_TENDON && m->actuator_trnid[2 * i] == tendon) {
      force += m->actuator_gear[6 * i] * d->actuator_force[i];
    }
  }
  return snu_max(0, -force);
}

// force += -T sum of (ratio - 1) Z of all tendons
static void addFriction(const snModel* m, snData* d, int actuators, snReal* force) {
  int nv = (int)m->nv, asleep = sn_someAsleep(m, d);
  snCapstans c;
  for (int first = 0; first < (int)m->ncapstan; first += c.count) {
    sn_markStack(d);
    if (!sn_capstans(m, d, first, &c)) {
      sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
      sn_freeStack(d);
      return;
    }
    int tendon = m->capstan_tendon[first];
    int rests = asleep && sn_sleepState(m, d, snOBJ_TENDON, tendon) == snS_ASLEEP;
    snReal tension = sn_tension(m, d, tendon, actuators);
    if (actuators) tension -= sn_tension(m, d, tendon, 0);
    for (int z = 1; z <= c.count && tension != 0 && !rests; z++) {
      snu_addToScl(force, c.zone + z * nv, -tension * (c.ratio[z] - 1), nv);
    }
    sn_freeStack(d);
  }
}

void sn_capstanPassive(const snModel* m, snData* d) {
  if (m->ncapstan) SN_SOLO(addFriction(m, d, 0, d->qfrc_passive));
}

void sn_capstanActuators(const snModel* m, snData* d) {
  if (m->ncapstan) SN_SOLO(addFriction(m, d, 1, d->qfrc_actuator));
}
