// The muscle of the reference engine: activation dynamics, force-length-velocity gain, passive
// force.
//
// prm: range (2), force, scale, lmin, lmax, vmax, fpmax, fvmax. Lengths are in units of the optimal
// length L0, velocities in units of L0 vmax.

#include "engine/actuate/muscle.h"

#include "math/math.h"

#define MINVAL ((snReal)snMINVAL)

// peak active force; a negative setting derives it from the acceleration that a unit force causes
static snReal peakForce(snReal acc0, const snReal prm[9]) {
  return prm[2] < 0 ? prm[3] / snu_max(MINVAL, acc0) : prm[2];
}

static snReal optimalLength(const snReal lengthrange[2], const snReal prm[9]) {
  return (lengthrange[1] - lengthrange[0]) / snu_max(MINVAL, prm[1] - prm[0]);
}

static snReal normalLength(snReal len, const snReal lengthrange[2], const snReal prm[9]) {
  return prm[0] + (len - lengthrange[0]) / snu_max(MINVAL, optimalLength(lengthrange, prm));
}

// active force-length curve: four parabolas between lmin and lmax, 1 at length 1
static snReal forceLength(snReal length, snReal lmin, snReal lmax) {
  if (length < lmin || length > lmax) return 0;
  snReal half = (snReal)0.5, a = half * (lmin + 1), b = half * (1 + lmax), x;
  if (length <= a) {
    x = (length - lmin) / snu_max(MINVAL, a - lmin);
    return half * x * x;
  }
  if (length <= 1) {
    x = (1 - length) / snu_max(MINVAL, 1 - a);
    return 1 - half * x * x;
  }
  if (length <= b) {
    x = (length - 1) / snu_max(MINVAL, b - 1);
    return 1 - half * x * x;
  }
  x = (lmax - length) / snu_max(MINVAL, lmax - b);
  return half * x * x;
}

// its slope; zero outside, where the curve jumps to zero at neither end
static snReal forceLengthSlope(snReal length, snReal lmin, snReal lmax) {
  if (length < lmin || length > lmax) return 0;
  snReal half = (snReal)0.5, a = half * (lmin + 1), b = half * (1 + lmax), w;
  if (length <= a) {
    w = snu_max(MINVAL, a - lmin);
    return (length - lmin) / (w * w);
  }
  if (length <= 1) {
    w = snu_max(MINVAL, 1 - a);
    return (1 - length) / (w * w);
  }
  w = length <= b ? snu_max(MINVAL, b - 1) : snu_max(MINVAL, lmax - b);
  return (length <= b ? 1 - length : length - lmax) / (w * w);
}

static snReal forceVelocity(snReal V, snReal fvmax) {
  snReal y = fvmax - 1;
  if (V <= -1) return 0;
  if (V <= 0) return (V + 1) * (V + 1);
  if (V <= y) return fvmax - (y - V) * (y - V) / snu_max(MINVAL, y);
  return fvmax;
}

snReal snu_muscleGain(snReal len, snReal vel, const snReal lengthrange[2], snReal acc0,
                      const snReal prm[9]) {
  snReal L = normalLength(len, lengthrange, prm);
  snReal V = vel / snu_max(MINVAL, optimalLength(lengthrange, prm) * prm[6]);
  return -peakForce(acc0, prm) * forceLength(L, prm[4], prm[5]) * forceVelocity(V, prm[8]);
}

snReal sn_muscleGainLen(snReal len, snReal vel, const snReal lengthrange[2], snReal acc0,
                        const snReal prm[9]) {
  snReal L = normalLength(len, lengthrange, prm), unit = optimalLength(lengthrange, prm);
  snReal V = vel / snu_max(MINVAL, unit * prm[6]);
  snReal slope = forceLengthSlope(L, prm[4], prm[5]) / snu_max(MINVAL, unit);
  return -peakForce(acc0, prm) * slope * forceVelocity(V, prm[8]);
}

snReal sn_muscleGainVel(snReal len, snReal vel, const snReal lengthrange[2], snReal acc0,
                        const snReal prm[9]) {
  snReal L = normalLength(len, lengthrange, prm);
  snReal unit = snu_max(MINVAL, optimalLength(lengthrange, prm) * prm[6]);
  snReal V = vel / unit, y = prm[8] - 1, dFV;
  if (V <= -1) {
    dFV = 0;
  } else if (V <= 0) {
    dFV = 2 * V + 2;
  } else if (V <= y) {
    dFV = (-2 * V + 2 * y) / snu_max(MINVAL, y);
  } else {
    dFV = 0;
  }
  return -peakForce(acc0, prm) * forceLength(L, prm[4], prm[5]) * dFV / unit;
}

void sn_muscleGainVelSlopes(snReal len, snReal vel, const snReal lengthrange[2], snReal acc0,
                            const snReal prm[9], snReal slope[2]) {
  snReal L = normalLength(len, lengthrange, prm), length = optimalLength(lengthrange, prm);
  snReal unit = snu_max(MINVAL, length * prm[6]), V = vel / unit, y = prm[8] - 1;
  snReal dFV = 0, curve = 0, force = -peakForce(acc0, prm);
  if (V > -1 && V <= 0) {
    dFV = 2 * V + 2;
    curve = 2;
  } else if (V > 0 && V <= y) {
    dFV = (-2 * V + 2 * y) / snu_max(MINVAL, y);
    curve = -2 / snu_max(MINVAL, y);
  }
  slope[0] = force * forceLengthSlope(L, prm[4], prm[5]) / snu_max(MINVAL, length) * dFV / unit;
  slope[1] = force * forceLength(L, prm[4], prm[5]) * curve / (unit * unit);
}

snReal snu_muscleBias(snReal len, const snReal lengthrange[2], snReal acc0, const snReal prm[9]) {
  snReal L = normalLength(len, lengthrange, prm), force = peakForce(acc0, prm);
  snReal b = (snReal)0.5 * (1 + prm[5]), fpmax = prm[7];
  if (L <= 1) return 0;
  if (L <= b) {
    snReal x = (L - 1) / snu_max(MINVAL, b - 1);
    return -force * fpmax * (snReal)0.5 * x * x;
  }
  snReal x = (L - b) / snu_max(MINVAL, b - 1);
  return -force * fpmax * ((snReal)0.5 + x);
}

snReal sn_muscleBiasLen(snReal len, const snReal lengthrange[2], snReal acc0, const snReal prm[9]) {
  snReal L = normalLength(len, lengthrange, prm), force = peakForce(acc0, prm);
  snReal b = (snReal)0.5 * (1 + prm[5]), w = snu_max(MINVAL, b - 1);
  snReal unit = snu_max(MINVAL, optimalLength(lengthrange, prm));
  if (L <= 1) return 0;
  return -force * prm[7] * (L <= b ? (L - 1) / (w * w) : 1 / w) / unit;
}

snReal snu_muscleDynamics(snReal ctrl, snReal act, const snReal prm[3]) {
  snReal ctrlClamped = snu_clip(ctrl, 0, 1), actClamped = snu_clip(act, 0, 1);
  snReal slowing = (snReal)0.5 + (snReal)1.5 * actClamped;
  snReal tauAct = prm[0] * slowing, tauDeact = prm[1] / slowing;
  snReal rise = ctrlClamped - act, tau;
  if (prm[2] < MINVAL) {
    tau = rise > 0 ? tauAct : tauDeact;
  } else {
    tau = tauDeact + (tauAct - tauDeact) * snu_sigmoid(rise / prm[2] + (snReal)0.5);
  }
  return rise / snu_max(MINVAL, tau);
}

// rate = rise / tau, with tau by slowing s = 0.5 + 1.5 act: ta s for rising, td / s for falling, or a
// smooth mix of both
int sn_muscleDynamicsSlopes(snReal ctrl, snReal act, const snReal prm[3], snReal slope[2]) {
  snReal inside = act > 0 && act<1, follows = ctrl> 0 && ctrl < 1;
  snReal slowing = (snReal)0.5 + (snReal)1.5 * snu_clip(act, 0, 1), growth = (snReal)1.5 * inside;
  snReal tauAct = prm[0] * slowing, tauDeact = prm[1] / slowing;
  snReal byAct = prm[0] * growth, byDeact = -prm[1] / (slowing * slowing) * growth;
  snReal rise = snu_clip(ctrl, 0, 1) - act, tau, byRise = 0, change;
  slope[0] = slope[1] = 0;
  if (act == 0 || act == 1 || ctrl == 0 || ctrl == 1) return 0;
  if (prm[2] < MINVAL) {
    if (rise == 0) return 0;
    tau = rise > 0 ? tauAct : tauDeact;
    change = rise > 0 ? byAct : byDeact;
  } else {
    snReal x = rise / prm[2] + (snReal)0.5, mix = snu_sigmoid(x);
    tau = tauDeact + (tauAct - tauDeact) * mix;
    change = byDeact + (byAct - byDeact) * mix;
    if (x > 0 && x < 1) {
      byRise = (tauAct - tauDeact) * 30 * x * x * (1 - x) * (1 - x) / prm[2];
    }
  }
  if (tau < MINVAL) return 0;
  snReal byTau = -rise / (tau * tau);
  slope[0] = -1 / tau + byTau * (change - byRise);
  slope[1] = follows * (1 / tau + byTau * byRise);
  return 1;
}
