#include "math/sdf.h"

#include "base/assert.h"
#include "base/instructions.h"
#include "math/math.h"

static const snShapeInfo kShapes[snNSHAPE] = {
    {"mujoco.sdf.bolt", {"radius", NULL, NULL, NULL, NULL}, {(snReal)0.26, 0, 0, 0, 0}},
    {"mujoco.sdf.bowl",
     {"height", "radius", "thickness", NULL, NULL},
     {(snReal)0.4, 1, (snReal)0.02, 0, 0}},
    {"mujoco.sdf.gear",
     {"alpha", "diameter", "teeth", "thickness", "innerdiameter"},
     {0, (snReal)2.8, 25, (snReal)0.2, -1}},
    {"mujoco.sdf.nut", {"radius", NULL, NULL, NULL, NULL}, {(snReal)0.26, 0, 0, 0, 0}},
    {"mujoco.sdf.torus",
     {"radius1", "radius2", NULL, NULL, NULL},
     {(snReal)0.35, (snReal)0.15, 0, 0, 0}}};

static const snReal kSqrtHalf = (snReal)0.70710678118654752440;

const snShapeInfo* sn_shapeInfo(int shape) {
  return shape >= 0 && shape < snNSHAPE ? kShapes + shape : NULL;
}

SN_KERNEL snReal radius2(const snReal x[3]) { return snu_sqrt(x[0] * x[0] + x[1] * x[1]); }

// nearest integer
static inline snReal nearest(snReal x) { return snu_floor(x + (snReal)0.5); }

// ---- bolt and nut

// distance from a 45 degree thread: helix of triangular section, twelve turns per unit
static snReal thread(const snReal x[3], snReal rho, snReal radius) {
  const snReal kTurns = 12;
  snReal turn = x[2] * kTurns - snu_atan2(x[1], x[0]) / (2 * (snReal)snPI);
  snReal height = snu_abs(turn - snu_floor(turn) - (snReal)0.5) / kTurns;
  return (rho - radius - height) * kSqrtHalf;
}

// Distance along the normal of the nearest side of a hexagon. The gradients of bolts and nuts are
// differences over 1e-8, which make a unit in the last place visible: the cosines and sines of the
// normals at -180, -120, ... 180 degrees are rounded as in the reference.
static snReal hexagonDistance(snReal x, snReal y) {
  static const snReal kNormal[7][2] = {{-1, (snReal)-1.2246467991473532e-16},
                                       {(snReal)-0.4999999999999997, (snReal)-0.8660254037844387},
                                       {(snReal)0.5000000000000003, (snReal)-0.8660254037844386},
                                       {1, 0},
                                       {(snReal)0.5, (snReal)0.8660254037844386},
                                       {(snReal)-0.49999999999999983, (snReal)0.8660254037844387},
                                       {-1, (snReal)1.2246467991473532e-16}};
  snReal turn = nearest(snu_atan2(y, x) / ((snReal)snPI / 3));
  int side = turn >= -3 && turn <= 3 ? (int)turn + 3 : 3;
  return kNormal[side][0] * x + kNormal[side][1] * y;
}

// hexagonal prism between z = -0.5 and 0, its upper corners cut by a cone
static snReal hexagon(const snReal x[3], snReal rho, snReal radius) {
  snReal side = hexagonDistance(x[0], x[1]) - (snReal)0.5;
  snReal cap = snu_abs(x[2] + (snReal)0.25) - (snReal)0.25;
  snReal cone = (rho - radius + x[2] - (snReal)0.22) * kSqrtHalf;
  return snu_max(side, snu_max(cap, cone));
}

static snReal boltDistance(const snReal x[3], snReal radius) {
  snReal rho = radius2(x);
  snReal cap = snu_abs(x[2] + (snReal)0.5) - (snReal)0.5;
  snReal tip = (rho - radius - x[2]) * kSqrtHalf - kSqrtHalf;
  snReal screw = snu_max(thread(x, rho, radius), snu_max(tip, cap));
  return snu_min(screw, hexagon(x, rho, radius));
}

static snReal nutDistance(const snReal x[3], snReal radius) {
  snReal rho = radius2(x);
  snReal cone = (rho - radius - x[2]) * kSqrtHalf;
  snReal lower = cone - (snReal)0.5 * kSqrtHalf;
  snReal upper = cone - (snReal)0.05 * kSqrtHalf;
  snReal hole = snu_min(snu_max(thread(x, rho, radius), lower), upper);
  return snu_max(hexagon(x, rho, radius), -hole);
}

// ---- bowl: number = height, radius, thickness, radius of the rim

SN_KERNEL snReal bowlDistance(const snReal x[3], const snReal number[4]) {
  snReal height = number[0], rim = number[3];
  snReal rho = radius2(x);
  snReal edge = snu_sqrt((rho - rim) * (rho - rim) + (x[2] - height) * (x[2] - height));
  snReal shell = snu_abs(snu_sqrt(rho * rho + x[2] * x[2]) - number[1]);
  return (height * rho < rim * x[2] ? edge : shell) - number[2];
}

// ---- gear

enum {
  kAlpha,     // angle of the gear
  kPitch,     // angle from tooth to tooth
  kWidth,     // angle of a tooth at the base circle
  kBase,      // radii: base circle, from which the involutes start,
  kOuter,     //   tips of the teeth,
  kRoot,      //   bottom of the gaps,
  kBore,      //   and bore
  kRounding,  // of the tips
  kFillet,    // of the gaps
  kHalf       // half of the thickness
};

static void makeGear(snReal number[snNSHAPECONST], const snReal param[snNSHAPEPARAM]) {
  snReal diameter = param[1], teeth = param[2];
  snReal module = diameter / teeth;
  // pressure angle, chosen by the number of teeth
  snReal pressure = (snReal)3.096e-5 * teeth * teeth - (snReal)6.557e-3 * teeth + (snReal)0.551;
  number[kAlpha] = param[0];
  number[kPitch] = 2 * (snReal)snPI / teeth;
  number[kWidth] = (snReal)snPI / teeth + 2 * (snu_tan(pressure) - pressure);
  number[kBase] = diameter / 2 * snu_cos(pressure);
  number[kOuter] = diameter / 2 + module;
  number[kRoot] = number[kOuter] - (snReal)2.2 / (teeth / diameter);  // rounded as in the reference
  number[kBore] = param[4] >= 0 ? param[4] / 2 : number[kRoot] - (snReal)0.14 * diameter;
  number[kRounding] = (snReal)0.0035 * diameter;
  number[kFillet] = number[kBase] - number[kRoot];
  number[kHalf] = param[3] / 2;
}

// parabolic blend of two values that differ by less than k
static inline snReal blend(snReal a, snReal b, snReal k) {
  snReal h = k - snu_abs(a - b);
  return h > 0 ? h * h / (4 * k) : 0;
}

// one tooth: two involutes, radial below the base circle, and a rounded tip
static snReal tooth(const snReal number[snNSHAPECONST], snReal rho, snReal angle) {
  snReal base = number[kBase];
  snReal middle = angle - number[kWidth] / 2;
  middle -= number[kPitch] * nearest(middle / number[kPitch]);
  snReal edge = number[kWidth] / 2 - snu_abs(middle);
  snReal flank = -edge;
  if (rho >= base) {
    snReal involute = snu_sqrt(rho * rho - base * base) - base * (snu_acos(base / rho) + edge);
    flank = snu_max(flank, involute);
  }
  snReal tip = rho - number[kOuter];
  snReal round = blend(flank, tip, number[kRounding]);
  snReal outer = snu_max(flank, tip);
  return snu_max(outer, snu_min(outer, snu_max(-flank, -tip)) + round);
}

static snReal gearSection(const snReal number[snNSHAPECONST], const snReal x[3]) {
  const snReal kNear = (snReal)0.2;
  snReal rho = radius2(x);
  if (rho - number[kOuter] > kNear) return rho - number[kOuter];
  snReal teeth = tooth(number, rho, snu_atan2(x[1], x[0]) + number[kAlpha]);
  snReal disc = rho - number[kRoot];
  snReal gear = snu_min(teeth, disc) - blend(teeth, disc, number[kFillet]);
  return snu_max(gear, number[kBore] - rho);
}

static snReal gearDistance(const snReal number[snNSHAPECONST], const snReal x[3]) {
  snReal section = gearSection(number, x);
  snReal height = snu_abs(x[2]) - number[kHalf];
  snReal outside[2] = {snu_max(section, 0), snu_max(height, 0)};
  return snu_min(snu_max(section, height), 0) +
         snu_sqrt(outside[0] * outside[0] + outside[1] * outside[1]);
}

// ---- torus

SN_KERNEL snReal torusDistance(const snReal x[3], const snReal number[2]) {
  snReal ring = radius2(x) - number[0];
  return snu_sqrt(ring * ring + x[2] * x[2]) - number[1];
}

static void torusGradient(snReal gradient[3], const snReal x[3], const snReal number[2]) {
  snReal rho = radius2(x);
  snReal ring = rho - number[0];
  snReal length = snu_max(snu_sqrt(ring * ring + x[2] * x[2]), (snReal)snMINVAL);
  rho = snu_max(rho, (snReal)snMINVAL);
  gradient[0] = x[0] / rho * ring / length;
  gradient[1] = x[1] / rho * ring / length;
  gradient[2] = x[2] / length;
}

// ---- all shapes

void sn_makeShape(snShape* shape, int kind, const snReal param[snNSHAPEPARAM]) {
  SN_ASSERT_INDEX(kind, snNSHAPE);
  shape->shape = kind;
  snu_zero(shape->number, snNSHAPECONST);
  if (kind == snSHAPE_GEAR) {
    makeGear(shape->number, param);
    return;
  }
  snu_copy(shape->number, param, snNSHAPEPARAM);
  if (kind == snSHAPE_BOWL) {
    shape->number[3] = snu_sqrt(snu_max(0, param[1] * param[1] - param[0] * param[0]));
  }
}

void sn_shapeExtent(snReal half[3], int kind, const snReal param[snNSHAPEPARAM]) {
  SN_ASSERT_INDEX(kind, snNSHAPE);
  switch (kind) {
    case snSHAPE_BOWL: half[0] = half[1] = half[2] = param[1] + param[2]; break;
    case snSHAPE_GEAR:
      half[0] = half[1] = (snReal)1.25 * param[1] / 2;
      half[2] = (snReal)1.1 * param[3] / 2;
      break;
    case snSHAPE_TORUS:
      half[0] = half[1] = param[0] + param[1];
      half[2] = param[1];
      break;
    default:
      half[0] = half[1] = (snReal)0.6;
      half[2] = 1;
      break;
  }
}

snReal sn_shapeDistance(const snShape* shape, const snReal x[3]) {
  SN_ASSERT_INDEX(shape->shape, snNSHAPE);
  switch (shape->shape) {
    case snSHAPE_BOLT: return boltDistance(x, shape->number[0]);
    case snSHAPE_BOWL: return bowlDistance(x, shape->number);
    case snSHAPE_GEAR: return gearDistance(shape->number, x);
    case snSHAPE_NUT: return nutDistance(x, shape->number[0]);
    default: return torusDistance(x, shape->number);
  }
}

int sn_shapeIsRound(const snShape* shape) {
  return shape->shape == snSHAPE_BOWL || shape->shape == snSHAPE_TORUS;
}

SN_WIDE(static, void, roundDistances,
        (snReal * SN_RESTRICT dist, const snShape* SN_RESTRICT shape,
         const snReal (*SN_RESTRICT x)[snNPOINTSATONCE]),
        (dist, shape, x)) {
  if (shape->shape == snSHAPE_BOWL) {
    for (int k = 0; k < snNPOINTSATONCE; k++) {
      snReal point[3] = {x[0][k], x[1][k], x[2][k]};
      dist[k] = bowlDistance(point, shape->number);
    }
  } else {
    for (int k = 0; k < snNPOINTSATONCE; k++) {
      snReal point[3] = {x[0][k], x[1][k], x[2][k]};
      dist[k] = torusDistance(point, shape->number);
    }
  }
}

void sn_shapeDistances(snReal dist[snNPOINTSATONCE], const snShape* shape,
                       const snReal x[3][snNPOINTSATONCE]) {
  SN_ASSERT(sn_shapeIsRound(shape));
  roundDistances(dist, shape, x);
}

void sn_shapeGradient(snReal gradient[3], const snShape* shape, const snReal x[3]) {
  if (shape->shape == snSHAPE_TORUS) {
    torusGradient(gradient, x, shape->number);
    return;
  }
  const snReal kStep = (snReal)1e-8;
  snReal here = sn_shapeDistance(shape, x);
  for (int i = 0; i < 3; i++) {
    snReal moved[3] = {x[0], x[1], x[2]};
    moved[i] += kStep;
    gradient[i] = (sn_shapeDistance(shape, moved) - here) / kStep;
  }
}
