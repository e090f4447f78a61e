#include "engine/actuate/hill.h"

#include "base/assert.h"
#include "math/math.h"

#define MINVAL ((snReal)snMINVAL)

// shape factors of the curves
#define PASSIVE_SHAPE ((snReal)4)
#define TENDON_SHAPE ((snReal)3)
#define HYPERBOLA ((snReal)0.25)
#define SHORTEST ((snReal)0.01)

// Parameters with their defaults, see the header.
typedef struct Hill_ {
  snReal force, optimal, slack, thickness, vmax, passive, width, eccentric, strain, damping;
} Hill;

static snReal orDefault(snReal value, snReal standard) { return value > 0 ? value : standard; }

static void readParameters(const snReal prm[10], Hill* hill) {
  hill->force = orDefault(prm[0], 1000);
  hill->optimal = orDefault(prm[1], (snReal)0.1);
  hill->slack = orDefault(prm[2], (snReal)0.2);
  hill->thickness = snu_sin(prm[3]);
  hill->vmax = orDefault(prm[4], 10);
  hill->passive = orDefault(prm[5], (snReal)0.6);
  hill->width = orDefault(prm[6], (snReal)0.45);
  hill->eccentric = orDefault(prm[7], (snReal)1.4);
  hill->strain = prm[8] > 0 ? prm[8] : 0;
  hill->damping = orDefault(prm[9], (snReal)0.1);
}

// ---- curves

static snReal forceLength(snReal length, snReal width) {
  return snu_exp(-(length - 1) * (length - 1) / width);
}

// shortening: (1+v)/(1-v/A); lengthening: a hyperbola with the same slope at zero
static snReal forceVelocity(snReal velocity, snReal eccentric) {
  if (velocity <= -1) return 0;
  if (velocity <= 0) return (1 + velocity) / (1 - velocity / HYPERBOLA);
  snReal slope = 1 + 1 / HYPERBOLA, extra = eccentric - 1;
  return 1 + extra * velocity / (velocity + snu_max(MINVAL, extra / slope));
}

static snReal forceVelocitySlope(snReal velocity, snReal eccentric) {
  snReal slope = 1 + 1 / HYPERBOLA;
  if (velocity <= -1) return 0;
  if (velocity <= 0) {
    snReal down = 1 - velocity / HYPERBOLA;
    return slope / (down * down);
  }
  snReal extra = eccentric - 1, half = snu_max(MINVAL, extra / slope);
  return extra * half / ((velocity + half) * (velocity + half));
}

static snReal passiveForce(snReal length, snReal strain) {
  if (length <= 1) return 0;
  return (snu_exp(PASSIVE_SHAPE * (length - 1) / strain) - 1) / (snu_exp(PASSIVE_SHAPE) - 1);
}

static snReal passiveSlope(snReal length, snReal strain) {
  if (length <= 1) return 0;
  snReal shape = PASSIVE_SHAPE / strain;
  return shape * snu_exp(shape * (length - 1)) / (snu_exp(PASSIVE_SHAPE) - 1);
}

static snReal tendonCurve(snReal strain, snReal peak) {
  if (strain <= 0) return 0;
  snReal scale = snu_exp(TENDON_SHAPE) - 1;
  if (strain <= peak) return (snu_exp(TENDON_SHAPE * strain / peak) - 1) / scale;
  return 1 + (scale + 1) / scale * TENDON_SHAPE * (strain / peak - 1);
}

// ---- geometry

// extent of the fibres along the tendon, in optimal lengths
static snReal alongTendon(const Hill* hill, snReal length) {
  snReal square = length * length - hill->thickness * hill->thickness;
  return snu_sqrt(snu_max(0, square));
}

// fibre length, cosine of the pennation angle and velocity when the tendon is rigid
static snReal rigidFibre(const Hill* hill, snReal len, snReal vel, snReal* cosine, snReal* rate) {
  snReal along = snu_max(SHORTEST, (len - hill->slack) / hill->optimal);
  snReal length = snu_sqrt(along * along + hill->thickness * hill->thickness);
  *cosine = along / length;
  *rate = vel / (hill->optimal * hill->vmax) * *cosine;
  return length;
}

static snReal tendonForce(const Hill* hill, snReal len, snReal length) {
  snReal tendon = len - alongTendon(hill, length) * hill->optimal;
  return tendonCurve(tendon / hill->slack - 1, hill->strain);
}

// ---- equilibrium of fibres and elastic tendon

// force of the fibres along the tendon less the tendon's, increasing in length and velocity
static snReal imbalance(const Hill* hill, snReal act, snReal len, snReal length, snReal velocity) {
  snReal fibre = act * forceLength(length, hill->width) * forceVelocity(velocity, hill->eccentric) +
                 passiveForce(length, hill->passive) + hill->damping * velocity;
  snReal cosine = alongTendon(hill, length) / snu_max(SHORTEST, length);
  return fibre * cosine - tendonForce(hill, len, length);
}

// shortest fibre length that the geometry allows
static snReal shortest(const Hill* hill) {
  return snu_max(SHORTEST, hill->thickness * (snReal)1.01);
}

// Fibre length at which fibre and tendon balance: at rest (start < 0), or at the end of a backward
// Euler step of length h from start. Bisection: it is safe and takes the same path everywhere.
static snReal balance(const Hill* hill, snReal act, snReal len, snReal start, snReal h) {
  snReal low = shortest(hill), high = 2;
  int moving = start >= 0;
  if (moving) {
    // no fibre is faster than three times vmax
    snReal reach = 3 * hill->vmax * h;
    low = snu_max(low, start - reach);
    high = snu_max(low, start + reach);
  }
  for (int iteration = 0; iteration < 60; iteration++) {
    snReal length = (snReal)0.5 * (low + high);
    snReal velocity = moving ? (length - start) / (h * hill->vmax) : 0;
    if (imbalance(hill, act, len, length, velocity) > 0) {
      high = length;
    } else {
      low = length;
    }
  }
  return (snReal)0.5 * (low + high);
}

// ---- actuators

static int isElastic(const snModel* m, int i, const Hill* hill) {
  return hill->strain > 0 && m->actuator_actadr[i] >= 0 && m->actuator_actnum[i] >= 2;
}

static snReal activation(const snModel* m, const snData* d, int i) {
  return snu_clip(d->act[m->actuator_actadr[i] + m->actuator_actnum[i] - 1], 0, 1);
}

// state of the fibre; not yet set: its length at rest
static snReal fibreLength(const snModel* m, const snData* d, int i, const Hill* hill) {
  SN_ASSERT_INDEX(i, m->nu);
  snReal length = d->act[m->actuator_actadr[i]];
  if (length > 0) return length;
  return balance(hill, activation(m, d, i), d->actuator_length[i], -1, 0);
}

// Isometric force of fully active fibres along a rigid tendon, with the cosine of their pennation
// and their velocity; 0 when the tendon is elastic.
static snReal isometricForce(const snModel* m, const snData* d, int actuator, Hill* hill,
                             snReal* cosine, snReal* rate) {
  SN_ASSERT_INDEX(actuator, m->nu);
  readParameters(m->actuator_gainprm + snNGAIN * actuator, hill);
  *cosine = *rate = 0;
  if (isElastic(m, actuator, hill)) return 0;
  snReal len = d->actuator_length[actuator], vel = d->actuator_velocity[actuator];
  snReal length = rigidFibre(hill, len, vel, cosine, rate);
  return -hill->force * forceLength(length, hill->width);
}

snReal sn_hillGain(const snModel* m, const snData* d, int actuator) {
  SN_ASSERT_INDEX(actuator, m->nu);
  Hill hill;
  snReal cosine, rate, force = isometricForce(m, d, actuator, &hill, &cosine, &rate);
  return force * forceVelocity(rate, hill.eccentric) * cosine;
}

snReal sn_hillGainVel(const snModel* m, const snData* d, int actuator) {
  SN_ASSERT_INDEX(actuator, m->nu);
  Hill hill;
  snReal cosine, rate, force = isometricForce(m, d, actuator, &hill, &cosine, &rate);
  return force * forceVelocitySlope(rate, hill.eccentric) * cosine * cosine /
         (hill.optimal * hill.vmax);
}

snReal sn_hillBias(const snModel* m, const snData* d, int actuator) {
  SN_ASSERT_INDEX(actuator, m->nu);
  Hill hill;
  readParameters(m->actuator_biasprm + snNBIAS * actuator, &hill);
  snReal len = d->actuator_length[actuator];
  if (isElastic(m, actuator, &hill)) {
    return -hill.force * tendonForce(&hill, len, fibreLength(m, d, actuator, &hill));
  }
  snReal cosine, rate,
      length = rigidFibre(&hill, len, d->actuator_velocity[actuator], &cosine, &rate);
  return -hill.force * (passiveForce(length, hill.passive) + hill.damping * rate) * cosine;
}

snReal sn_hillBiasVel(const snModel* m, const snData* d, int actuator) {
  SN_ASSERT_INDEX(actuator, m->nu);
  Hill hill;
  readParameters(m->actuator_biasprm + snNBIAS * actuator, &hill);
  if (isElastic(m, actuator, &hill)) return 0;
  snReal cosine, rate;
  rigidFibre(&hill, d->actuator_length[actuator], 0, &cosine, &rate);
  return -hill.force * hill.damping * cosine * cosine / (hill.optimal * hill.vmax);
}

snReal sn_hillFibreRate(const snModel* m, const snData* d, int actuator) {
  SN_ASSERT_INDEX(actuator, m->nu);
  Hill hill;
  readParameters(m->actuator_biasprm + snNBIAS * actuator, &hill);
  if (!isElastic(m, actuator, &hill)) return 0;
  snReal h = m->opt.timestep, length = fibreLength(m, d, actuator, &hill);
  snReal end = d->actuator_length[actuator] + h * d->actuator_velocity[actuator];
  snReal next = balance(&hill, activation(m, d, actuator), end, length, h);
  return (next - d->act[m->actuator_actadr[actuator]]) / h;
}

// With a = (len - slack) / optimal, l = sqrt(a^2 + t^2), c = a / l and w = u c, where u is the velocity of a in
// units of vmax: dl/da = c, dc/da = t^2 / l^3 = (1 - c^2) / l, dw/da = u dc/da.
void sn_hillLength(const snModel* m, const snData* d, int actuator, snReal slope[2]) {
  SN_ASSERT_INDEX(actuator, m->nu);
  Hill hill;
  readParameters(m->actuator_gainprm + snNGAIN * actuator, &hill);
  slope[0] = slope[1] = 0;
  snReal len = d->actuator_length[actuator], vel = d->actuator_velocity[actuator], cosine, rate;
  if (isElastic(m, actuator, &hill) || len - hill.slack < SHORTEST * hill.optimal) return;
  snReal length = rigidFibre(&hill, len, vel, &cosine, &rate), scale = -hill.force / hill.optimal;
  snReal turn = (1 - cosine * cosine) / length, change = vel / (hill.optimal * hill.vmax) * turn;
  snReal active = forceLength(length, hill.width), fv = forceVelocity(rate, hill.eccentric);
  snReal activeSlope = active * -2 * (length - 1) / hill.width;
  slope[0] = scale * (activeSlope * cosine * fv * cosine +
                      active * forceVelocitySlope(rate, hill.eccentric) * change * cosine +
                      active * fv * turn);
  snReal passive = passiveForce(length, hill.passive) + hill.damping * rate;
  slope[1] =
      scale * ((passiveSlope(length, hill.passive) * cosine + hill.damping * change) * cosine +
               passive * turn);
}

snReal sn_hillFloor(const snModel* m, int actuator, int adr, snReal act) {
  SN_ASSERT_INDEX(actuator, m->nu);
  int last = m->actuator_actadr[actuator] + m->actuator_actnum[actuator] - 1;
  return adr == last ? snu_max(act, m->actuator_dynprm[snNDYN * actuator + 3]) : act;
}
