#include "engine/smooth/fluid.h"

#include "base/arena.h"
#include "base/assert.h"
#include "engine/smooth/force.h"
#include "math/math.h"

#define MINVAL ((snReal)snMINVAL)
#define PI ((snReal)snPI)

static snReal pow2(snReal x) { return x * x; }
static snReal pow4(snReal x) { return (x * x) * (x * x); }

// ---- geometry

int sn_usesEllipsoids(const snModel* m, int body) {
  SN_ASSERT_INDEX(body, m->nbody);
  int first = m->body_geomadr[body];
  for (int geom = first; geom < first + m->body_geomnum[body]; geom++) {
    if (m->geom_fluid[snNFLUID * geom] > 0) return 1;
  }
  return 0;
}

void sn_inertiaBox(const snModel* m, int body, snReal box[3]) {
  SN_ASSERT_INDEX(body, m->nbody);
  const snReal* I = m->body_inertia + 3 * body;
  for (int k = 0; k < 3; k++) {
    snReal other = snu_max(MINVAL, I[(k + 1) % 3] + I[(k + 2) % 3] - I[k]);
    box[k] = snu_sqrt(other / m->body_mass[body] * 6);
  }
}

// semi-axes of the ellipsoid that stands for a geom
static void geomSemiAxes(const snModel* m, int geom, snReal axes[3]) {
  SN_ASSERT_INDEX(geom, m->ngeom);
  const snReal* size = m->geom_size + 3 * geom;
  switch (m->geom_type[geom]) {
    case snGEOM_SPHERE: axes[0] = axes[1] = axes[2] = size[0]; break;
    case snGEOM_CAPSULE:
      axes[0] = axes[1] = size[0];
      axes[2] = size[1] + size[0];
      break;
    case snGEOM_CYLINDER:
      axes[0] = axes[1] = size[0];
      axes[2] = size[1];
      break;
    default: snu_copy3(axes, size); break;
  }
}

void sn_velocityInFluid(const snModel* m, const snData* d, int objtype, int id, snReal lvel[6]) {
  const snReal* mat = objtype == snOBJ_GEOM ? d->geom_xmat + 9 * id : d->ximat + 9 * id;
  snReal wind[3];
  sn_objectVelocity(m, d, objtype, id, lvel, 1);
  snu_mulMatTVec3(wind, mat, m->opt.wind);
  snu_subFrom3(lvel + 3, wind);
}

// ---- inertia box

static void inertiaBoxForce(const snModel* m, const snReal box[3], const snReal lvel[6],
                            snReal lfrc[6]) {
  snReal density = m->opt.density, viscosity = m->opt.viscosity;
  for (int k = 0; k < 6; k++) lfrc[k] = 0;
  if (viscosity > 0) {
    // drag of the sphere with the mean size
    snReal diameter = (box[0] + box[1] + box[2]) / 3;
    snu_scl3(lfrc, lvel, -PI * diameter * diameter * diameter * viscosity);
    snu_scl3(lfrc + 3, lvel + 3, -3 * PI * diameter * viscosity);
  }
  if (density > 0) {
    for (int k = 0; k < 3; k++) {
      snReal b1 = box[(k + 1) % 3], b2 = box[(k + 2) % 3], w = lvel[k], v = lvel[3 + k];
      lfrc[3 + k] -= (snReal)0.5 * density * b1 * b2 * snu_abs(v) * v;
      lfrc[k] -= density * box[k] * (pow4(b1) + pow4(b2)) * snu_abs(w) * w / 64;
    }
  }
}

void sn_inertiaBoxDerivative(const snModel* m, const snReal box[3], const snReal lvel[6],
                             snReal B[36]) {
  snReal density = m->opt.density, viscosity = m->opt.viscosity;
  snu_zero(B, 36);
  snReal diameter = (box[0] + box[1] + box[2]) / 3;
  for (int k = 0; k < 3; k++) {
    snReal b1 = box[(k + 1) % 3], b2 = box[(k + 2) % 3];
    snReal *angular = B + 7 * k, *linear = B + 7 * (k + 3);
    if (viscosity > 0) {
      *angular -= PI * diameter * diameter * diameter * viscosity;
      *linear -= 3 * PI * diameter * viscosity;
    }
    if (density > 0) {
      *angular -= density * box[k] * (pow4(b1) + pow4(b2)) * 2 * snu_abs(lvel[k]) / 64;
      *linear -= (snReal)0.5 * density * b1 * b2 * 2 * snu_abs(lvel[3 + k]);
    }
  }
}

// ---- ellipsoid

// Quantities of a geom from which both the force and its derivative follow.
typedef struct Ellipsoid_ {
  snReal s[3];        // semi-axes
  snReal volume;      // 4/3 pi s0 s1 s2
  snReal areaMax;     // largest projected area
  snReal diameter;    // of the sphere of equal mean size
  snReal inertiaMax;  // largest moment of the swept volume
  snReal inertia[3];  // moments of the swept volumes about the axes
  snReal blunt, slender, angular, kutta, magnus;
  const snReal* mass;     // virtual mass (3)
  const snReal* moments;  // virtual inertia (3)
} Ellipsoid;

static void makeEllipsoid(const snModel* m, int geom, Ellipsoid* e) {
  SN_ASSERT_INDEX(geom, m->ngeom);
  const snReal* coef = m->geom_fluid + snNFLUID * geom;
  geomSemiAxes(m, geom, e->s);
  const snReal* s = e->s;
  snReal largest = snu_max(snu_max(s[0], s[1]), s[2]);
  snReal smallest = snu_min(snu_min(s[0], s[1]), s[2]);
  snReal middle = s[0] + s[1] + s[2] - largest - smallest;
  e->volume = (snReal)4 / 3 * PI * s[0] * s[1] * s[2];
  e->areaMax = PI * largest * middle;
  e->diameter = (snReal)2 / 3 * (s[0] + s[1] + s[2]);
  e->inertiaMax = (snReal)8 / 15 * PI * middle * pow4(largest);
  for (int k = 0; k < 3; k++) {
    e->inertia[k] = (snReal)8 / 15 * PI * s[k] * pow4(snu_max(s[(k + 1) % 3], s[(k + 2) % 3]));
  }
  e->blunt = coef[1];
  e->slender = coef[2];
  e->angular = coef[3];
  e->kutta = coef[4];
  e->magnus = coef[5];
  e->mass = coef + 6;
  e->moments = coef + 9;
}

// gyroscopic forces of the fluid that is dragged along: p x v, h x w and p x w
static void addedMassForce(snReal density, const Ellipsoid* e, const snReal* w, const snReal* v,
                           snReal* torque, snReal* force) {
  snReal p[3], h[3], part[3];
  for (int k = 0; k < 3; k++) {
    p[k] = density * e->mass[k] * v[k];
    h[k] = density * e->moments[k] * w[k];
  }
  snu_cross(part, p, v);
  snu_addTo3(torque, part);
  snu_cross(part, h, w);
  snu_addTo3(torque, part);
  snu_cross(part, p, w);
  snu_addTo3(force, part);
}

// lift by rotation (Magnus) and by circulation (Kutta), drag by pressure and by viscosity
static void viscousForce(const snModel* m, const Ellipsoid* e, const snReal* w, const snReal* v,
                         snReal* torque, snReal* force) {
  snReal density = m->opt.density, viscosity = m->opt.viscosity, part[3];
  const snReal* s = e->s;
  snReal a[3] = {pow2(s[1] * s[2]), pow2(s[2] * s[0]), pow2(s[0] * s[1])};

  snu_cross(part, w, v);
  snu_addToScl3(force, part, e->magnus * density * e->volume);

  // projected area and angle between the velocity and the normal there
  snReal speed = snu_norm3(v);
  snReal den = pow2(a[0]) * pow2(v[0]) + pow2(a[1]) * pow2(v[1]) + pow2(a[2]) * pow2(v[2]);
  snReal num = a[0] * pow2(v[0]) + a[1] * pow2(v[1]) + a[2] * pow2(v[2]);
  snReal area = PI * snu_sqrt(den / snu_max(MINVAL, num));
  snReal normal[3] = {a[0] * v[0], a[1] * v[1], a[2] * v[2]};
  snReal cosine = num / snu_max(MINVAL, speed * den);

  snReal circulation[3];
  snu_cross(circulation, normal, v);
  snu_scl3(circulation, circulation, e->kutta * density * cosine * area);
  snu_cross(part, circulation, v);
  snu_addTo3(force, part);

  snReal drag = viscosity * 3 * PI * e->diameter +
                density * speed * (area * e->blunt + e->slender * (e->areaMax - area));
  snu_addToScl3(force, v, -drag);

  snReal moment[3];
  for (int k = 0; k < 3; k++) {
    moment[k] = w[k] * (e->angular * e->inertia[k] + e->slender * (e->inertiaMax - e->inertia[k]));
  }
  snReal spin =
      viscosity * PI * e->diameter * e->diameter * e->diameter + density * snu_norm3(moment);
  snu_addToScl3(torque, w, -spin);
}

static void ellipsoidForce(const snModel* m, int geom, const snReal lvel[6], snReal lfrc[6]) {
  Ellipsoid e;
  makeEllipsoid(m, geom, &e);
  for (int k = 0; k < 6; k++) lfrc[k] = 0;
  addedMassForce(m->opt.density, &e, lvel, lvel + 3, lfrc, lfrc + 3);
  viscousForce(m, &e, lvel, lvel + 3, lfrc, lfrc + 3);
  snu_scl(lfrc, lfrc, m->geom_fluid[snNFLUID * geom], 6);
}

// ---- wrench on a body

// The force of the fluid on a body, or on one of its geoms, in a frame of its own.
typedef struct LocalForce_ {
  int begun;
  int geom;  // the next one to look at
  snReal lfrc[6];
  const snReal *mat, *pos;
} LocalForce;

// The next force on a body: that on its inertia box, or one for each of its geoms that are ellipsoids to the
// fluid. Returns 0 when there are no more.
static int nextForce(const snModel* m, const snData* d, int body, LocalForce* f) {
  SN_ASSERT_INDEX(body, m->nbody);
  int first = m->body_geomadr[body], end = first + m->body_geomnum[body];
  snReal lvel[6];
  if (!f->begun) {
    f->begun = 1;
    f->geom = first;
    if (!sn_usesEllipsoids(m, body)) {
      snReal box[3];
      sn_inertiaBox(m, body, box);
      sn_velocityInFluid(m, d, snOBJ_BODY, body, lvel);
      inertiaBoxForce(m, box, lvel, f->lfrc);
      f->geom = end;
      f->mat = d->ximat + 9 * body, f->pos = d->xipos + 3 * body;
      return 1;
    }
  }
  while (f->geom < end && m->geom_fluid[snNFLUID * f->geom] == 0) f->geom++;
  if (f->geom >= end) return 0;
  int geom = f->geom++;
  sn_velocityInFluid(m, d, snOBJ_GEOM, geom, lvel);
  ellipsoidForce(m, geom, lvel, f->lfrc);
  f->mat = d->geom_xmat + 9 * geom, f->pos = d->geom_xpos + 3 * geom;
  return 1;
}

// the same in the world
static void turnForce(const LocalForce* f, snReal force[3], snReal torque[3]) {
  snu_mulMatVec3(torque, f->mat, f->lfrc);
  snu_mulMatVec3(force, f->mat, f->lfrc + 3);
}

void sn_bodyFluidWrench(const snModel* m, const snData* d, int body, snReal wrench[6]) {
  const snReal* com = d->subtree_com + 3 * m->body_rootid[body];
  snReal force[3], torque[3], arm[3], part[3];
  LocalForce f;
  f.begun = 0;
  sn_zero6(wrench);
  while (nextForce(m, d, body, &f)) {
    turnForce(&f, force, torque);
    snu_sub3(arm, f.pos, com);
    snu_cross(part, arm, force);
    snu_addTo3(wrench, torque);
    snu_addTo3(wrench, part);
    snu_addTo3(wrench + 3, force);
  }
}

// ---- the stage

static void fluidForcesTeam(const snModel* m, snData* d) {
  snReal* wrench = sn_takeWrenches(m, d);
  SN_FOR(body, wrench ? m->nbody : 0) {
    int acts = d->body_awake[body] != snS_ASLEEP && !(m->body_mass[body] < MINVAL);
    sn_zero6(wrench + 6 * body);
    if (acts) sn_bodyFluidWrench(m, d, body, wrench + 6 * body);
  }
  sn_addWrenches(m, d, wrench, d->qfrc_fluid);
}

void sn_fluidForces(const snModel* m, snData* d) {
  if (SN_LANES > 1) {
    fluidForcesTeam(m, d);
    return;
  }
  for (int i = 0; i < d->nbody_awake; i++) {
    int body = d->body_awake_ind[i];
    snReal force[3], torque[3];
    LocalForce f;
    f.begun = 0;
    if (m->body_mass[body] < MINVAL) continue;
    while (nextForce(m, d, body, &f)) {
      turnForce(&f, force, torque);
      sn_addWrench(m, d, force, torque, f.pos, body, d->qfrc_fluid);
    }
  }
}

// ---- derivatives of the ellipsoid's force

// add scale * [x]x to the 3x3 block of B at (row, column)
static void addCross(snReal B[36], int row, int column, const snReal x[3], snReal scale) {
  SN_ASSERT(row % 3 == 0 && row < 6 && column % 3 == 0 && column < 6);
  snReal* b = B + 6 * row + column;
  b[1] -= scale * x[2];
  b[2] += scale * x[1];
  b[6] += scale * x[2];
  b[8] -= scale * x[0];
  b[12] -= scale * x[1];
  b[13] += scale * x[0];
}

// add -[x]x diag(y) to the 3x3 block of B at (row, column)
static void subCrossDiagonal(snReal B[36], int row, int column, const snReal x[3],
                             const snReal y[3]) {
  SN_ASSERT(row % 3 == 0 && row < 6 && column % 3 == 0 && column < 6);
  snReal* b = B + 6 * row + column;
  b[1] += x[2] * y[1];
  b[2] -= x[1] * y[2];
  b[6] -= x[2] * y[0];
  b[8] += x[0] * y[2];
  b[12] += x[1] * y[0];
  b[13] -= x[0] * y[1];
}

static void addedMassDerivative(snReal density, const Ellipsoid* e, const snReal* w,
                                const snReal* v, snReal B[36]) {
  snReal p[3], h[3], mass[3], moments[3];
  for (int k = 0; k < 3; k++) {
    mass[k] = density * e->mass[k];
    moments[k] = density * e->moments[k];
    p[k] = mass[k] * v[k];
    h[k] = moments[k] * w[k];
  }
  addCross(B, 0, 0, h, 1);
  subCrossDiagonal(B, 0, 0, w, moments);
  addCross(B, 0, 3, p, 1);
  subCrossDiagonal(B, 0, 3, v, mass);
  addCross(B, 3, 0, p, 1);
  subCrossDiagonal(B, 3, 3, w, mass);
}

// circulation: P = sum a v^2, Q = sum a^2 v^2, N = |v|^2
static void kuttaDerivative(snReal scale, const snReal a[3], const snReal* v, snReal P, snReal Q,
                            snReal N, snReal B[36]) {
  snReal g = PI * scale / snu_max(MINVAL, snu_sqrt(Q * P * N));
  for (int i = 0; i < 3; i++) {
    snReal c = 0;
    for (int j = 0; j < 3; j++) c += v[j] * v[j] * (a[i] - a[j]);
    for (int j = 0; j < 3; j++) {
      snReal e = a[j] * a[j] * P / snu_max(MINVAL, Q) - a[j] + P / snu_max(MINVAL, N);
      snReal value = (2 * P * (a[j] - a[i]) + c * e) * v[i] * v[j];
      if (i == j) value -= c * P;
      B[6 * (3 + i) + 3 + j] += g * value;
    }
  }
}

static void dragDerivative(const snModel* m, const Ellipsoid* e, const snReal a[3], const snReal* v,
                           snReal P, snReal Q, snReal N, snReal B[36]) {
  snReal density = m->opt.density, speed = snu_sqrt(N);
  snReal area = PI * snu_sqrt(Q / snu_max(MINVAL, P));
  snReal q = density * (area * e->blunt + e->slender * (e->areaMax - area));
  snReal scale = q / snu_max(MINVAL, speed);
  snReal viscous = 3 * PI * m->opt.viscosity * e->diameter;
  snReal slope =
      density * speed * (e->blunt - e->slender) * PI / snu_max(MINVAL, snu_sqrt(P * P * P * Q));
  for (int j = 0; j < 3; j++) {
    snReal sum = 0;
    for (int k = 0; k < 3; k++) sum += a[k] * v[k] * v[k] * (a[j] - a[k]);
    snReal alpha = slope * a[j] * v[j] * sum;
    for (int i = 0; i < 3; i++) {
      snReal value = -scale * v[i] * v[j] - v[i] * alpha;
      if (i == j) value -= scale * N + viscous;
      B[6 * (3 + i) + 3 + j] += value;
    }
  }
}

static void spinDerivative(const snModel* m, const Ellipsoid* e, const snReal* w, snReal B[36]) {
  snReal c[3], moment[3], r[3];
  for (int k = 0; k < 3; k++) {
    c[k] = e->angular * e->inertia[k] + e->slender * (e->inertiaMax - e->inertia[k]);
    moment[k] = w[k] * c[k];
  }
  snReal delta = m->opt.density / snu_max(MINVAL, snu_norm3(moment));
  for (int k = 0; k < 3; k++) r[k] = -delta * w[k] * c[k] * c[k];
  snReal diagonal =
      snu_dot3(w, r) - m->opt.viscosity * PI * e->diameter * e->diameter * e->diameter;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) B[6 * i + j] += w[i] * r[j] + (i == j ? diagonal : 0);
  }
}

void sn_ellipsoidDerivative(const snModel* m, int geom, const snReal lvel[6], snReal B[36]) {
  SN_ASSERT_INDEX(geom, m->ngeom);
  Ellipsoid e;
  makeEllipsoid(m, geom, &e);
  const snReal *w = lvel, *v = lvel + 3, *s = e.s;
  snReal density = m->opt.density;
  snReal a[3] = {pow2(s[1] * s[2]), pow2(s[2] * s[0]), pow2(s[0] * s[1])};
  snReal P = 0, Q = 0, N = snu_dot3(v, v);
  for (int k = 0; k < 3; k++) {
    P += a[k] * v[k] * v[k];
    Q += a[k] * a[k] * v[k] * v[k];
  }
  snu_zero(B, 36);

  // Magnus: c w x v
  snReal c = e.magnus * density * e.volume;
  addCross(B, 3, 0, v, -c);
  addCross(B, 3, 3, w, c);
  kuttaDerivative(e.kutta * density, a, v, P, Q, N, B);
  dragDerivative(m, &e, a, v, P, Q, N, B);
  spinDerivative(m, &e, w, B);
  addedMassDerivative(density, &e, w, v, B);
}
