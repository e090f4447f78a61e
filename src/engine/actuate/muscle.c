// The muscle of the reference engine: activation dynamics, force-length-velocity gain, passive
// force.
//
// prm: range (2), force, scale, lmin, lmax, vmax, fpmax, fvmax. Lengths are in units of the optimal
// length L0, velocities in units of L0 vmax.

#include "engine/actuate/muscle.h"

#include "base/instructions.h"
#include "math/math.h"
#include "sinew/sinew.h"

#define MINVAL ((snReal)snMINVAL)

// peak active force; a negative setting derives it from the acceleration that a unit force causes
SN_KERNEL snReal peakForce(snReal acc0, const snReal prm[9]) {
  return prm[2] < 0 ? prm[3] / snu_max(MINVAL, acc0) : prm[2];
}

SN_KERNEL snReal optimalLength(const snReal lengthrange[2], const snReal prm[9]) {
  return (lengthrange[1] - lengthrange[0]) / snu_max(MINVAL, prm[1] - prm[0]);
}

SN_KERNEL snReal normalLength(snReal len, const snReal lengthrange[2], const snReal prm[9]) {
  return prm[0] + (len - lengthrange[0]) / snu_max(MINVAL, optimalLength(lengthrange, prm));
}

// active force-length curve: four parabolas between lmin and lmax, 1 at length 1
SN_KERNEL snReal forceLength(snReal length, snReal lmin, snReal lmax) {
  snReal half = (snReal)0.5, a = half * (lmin + 1), b = half * (1 + lmax);
  int foot = length <= a, rising = length <= 1, falling = length <= b;
  snReal from = foot ? length - lmin : rising ? 1 - length : falling ? length - 1 : lmax - length;
  snReal width = foot ? a - lmin : rising ? 1 - a : falling ? b - 1 : lmax - b;
  snReal x = from / snu_max(MINVAL, width), y = half * x * x;
  snReal force = (foot | !(rising | falling)) ? y : 1 - y;
  return ((length >= lmin) & (length <= lmax)) ? force : 0;  // what is not a number is outside
}

// its slope; zero outside, where the curve jumps to zero at neither end
static snReal forceLengthSlope(snReal length, snReal lmin, snReal lmax) {
  if (!(length >= lmin && length <= lmax)) return 0;
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

SN_KERNEL snReal forceVelocity(snReal V, snReal fvmax) {
  snReal y = fvmax - 1;
  snReal stretched = fvmax - (y - V) * (y - V) / snu_max(MINVAL, y);
  return V <= -1 ? 0 : V <= 0 ? (V + 1) * (V + 1) : V <= y ? stretched : fvmax;
}

// At length L and velocity V in their units; peak: of the active force.
SN_KERNEL snReal gainAt(snReal L, snReal V, snReal peak, const snReal prm[9]) {
  return -peak * forceLength(L, prm[4], prm[5]) * forceVelocity(V, prm[8]);
}

SN_KERNEL snReal biasAt(snReal L, snReal peak, const snReal prm[9]) {
  snReal most = -peak * prm[7], half = (snReal)0.5, b = half * (1 + prm[5]);
  int parabola = L <= b;
  snReal x = (L - (parabola ? 1 : b)) / snu_max(MINVAL, b - 1);
  return L <= 1 ? 0 : parabola ? most * half * x * x : most * (half + x);
}

snReal snu_muscleGain(snReal len, snReal vel, const snReal lengthrange[2], snReal acc0,
                      const snReal prm[9]) {
  snReal V = vel / snu_max(MINVAL, optimalLength(lengthrange, prm) * prm[6]);
  return gainAt(normalLength(len, lengthrange, prm), V, peakForce(acc0, prm), prm);
}

snReal snu_muscleBias(snReal len, const snReal lengthrange[2], snReal acc0, const snReal prm[9]) {
  return biasAt(normalLength(len, lengthrange, prm), peakForce(acc0, prm), prm);
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

snReal sn_muscleBiasLen(snReal len, const snReal lengthrange[2], snReal acc0, const snReal prm[9]) {
  snReal L = normalLength(len, lengthrange, prm), force = peakForce(acc0, prm);
  snReal b = (snReal)0.5 * (1 + prm[5]), w = snu_max(MINVAL, b - 1);
  snReal unit = snu_max(MINVAL, optimalLength(lengthrange, prm));
  if (L <= 1) return 0;
  return -force * prm[7] * (L <= b ? (L - 1) / (w * w) : 1 / w) / unit;
}

// the time constants of rising and falling, by slowing s = 0.5 + 1.5 act
SN_KERNEL void timeConstants(snReal tau[2], snReal act, const snReal prm[3]) {
  snReal slowing = (snReal)0.5 + (snReal)1.5 * snu_clip(act, 0, 1);
  tau[0] = prm[0] * slowing;
  tau[1] = prm[1] / slowing;
}

// without a smooth transition between the two
SN_KERNEL snReal sharpRate(snReal ctrl, snReal act, const snReal prm[3]) {
  snReal tau[2], rise = snu_clip(ctrl, 0, 1) - act;
  timeConstants(tau, act, prm);
  return rise / snu_max(MINVAL, rise > 0 ? tau[0] : tau[1]);
}

snReal snu_muscleDynamics(snReal ctrl, snReal act, const snReal prm[3]) {
  if (prm[2] < MINVAL) return sharpRate(ctrl, act, prm);
  snReal tau[2], rise = snu_clip(ctrl, 0, 1) - act;
  timeConstants(tau, act, prm);
  snReal mixed = tau[1] + (tau[0] - tau[1]) * snu_sigmoid(rise / prm[2] + (snReal)0.5);
  return rise / snu_max(MINVAL, mixed);
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

// ---- several muscles at once

// n numbers of each muscle, side by side
SN_KERNEL void sideBySide(snReal (*SN_RESTRICT to)[snNMUSCLES], const snReal* SN_RESTRICT from,
                          int stride, int n) {
  for (int j = 0; j < n; j++) {
    for (int k = 0; k < snNMUSCLES; k++) to[j][k] = from[stride * k + j];
  }
}

// whether gain and bias of all have the same parameters
SN_WIDE(static, int, areEqual, (const snReal* gain, const snReal* bias), (gain, bias)) {
  int64_t differ = 0;
  for (int j = 0; j < snNMUSCLES * snNGAIN; j++) differ |= -(int64_t)(gain[j] != bias[j]);
  return !differ;
}

// Gain and bias have the same parameters, as those of every muscle in a file, and much in common.
SN_WIDE(static, void, forcesFrom,
        (snReal * SN_RESTRICT force, const snModel* m, const snData* d, int first,
         const snReal* SN_RESTRICT peak, const snReal* SN_RESTRICT input),
        (force, m, d, first, peak, input)) {
  const snReal* SN_RESTRICT len = d->actuator_length + first;
  const snReal* SN_RESTRICT vel = d->actuator_velocity + first;
  snReal range[2][snNMUSCLES], p[9][snNMUSCLES];
  sideBySide(range, m->actuator_lengthrange + 2 * first, 2, 2);
  sideBySide(p, m->actuator_gainprm + snNGAIN * first, snNGAIN, 9);
  for (int k = 0; k < snNMUSCLES; k++) {
    snReal own[2] = {range[0][k], range[1][k]};
    snReal prm[9] = {p[0][k], p[1][k], p[2][k], p[3][k], p[4][k],
                     p[5][k], p[6][k], p[7][k], p[8][k]};
    snReal L = normalLength(len[k], own, prm);
    snReal V = vel[k] / snu_max(MINVAL, optimalLength(own, prm) * prm[6]);
    force[k] = gainAt(L, V, peak[k], prm) * input[k] + biasAt(L, peak[k], prm);
  }
}

SN_WIDE(static, void, ratesFrom,
        (snReal * SN_RESTRICT rate, const snReal* SN_RESTRICT ctrl, const snReal* SN_RESTRICT act,
         const snReal* SN_RESTRICT dynprm),
        (rate, ctrl, act, dynprm)) {
  snReal prm[2][snNMUSCLES];
  sideBySide(prm, dynprm, snNDYN, 2);
  for (int k = 0; k < snNMUSCLES; k++) {
    snReal own[3] = {prm[0][k], prm[1][k], 0};
    rate[k] = sharpRate(ctrl[k], act[k], own);
  }
}

int sn_muscleForces(snReal force[snNMUSCLES], const snModel* m, const snData* d, int first,
                    const snReal input[snNMUSCLES]) {
  if (first + snNMUSCLES > (int)m->nu) return 0;
  const snReal *gain = m->actuator_gainprm + snNGAIN * first, *acc0 = m->actuator_acc0 + first;
  const snReal* bias = m->actuator_biasprm + snNBIAS * first;
  snReal peak[snNMUSCLES];
  for (int k = 0, i = first; k < snNMUSCLES; k++, i++) {
    if (m->actuator_gaintype[i] != snGAIN_MUSCLE || m->actuator_biastype[i] != snBIAS_MUSCLE) {
      return 0;
    }
    peak[k] = peakForce(acc0[k], gain + snNGAIN * k);
  }
  if (!areEqual(gain, bias)) return 0;
  forcesFrom(force, m, d, first, peak, input);
  return 1;
}

int sn_muscleRates(const snModel* m, snData* d, int first, const snReal ctrl[snNMUSCLES]) {
  if (first + snNMUSCLES > (int)m->nu) return 0;
  const snReal* prm = m->actuator_dynprm + snNDYN * first;
  int act = m->actuator_actadr[first];
  for (int k = 0, i = first; k < snNMUSCLES; k++, i++) {
    if (m->actuator_dyntype[i] != snDYN_MUSCLE || m->actuator_actnum[i] != 1 ||
        m->actuator_actadr[i] != act + k || !(prm[snNDYN * k + 2] < MINVAL)) {
      return 0;
    }
  }
  ratesFrom(d->act_dot + act, ctrl, d->act + act, prm);
  return 1;
}
