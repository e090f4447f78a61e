// Volumes, inertias and fluid coefficients of the primitive shapes.

#include <math.h>

#include "compile/compiler.h"

static double surfaceArea(snGeom type, const double size[3]) {
  double r = size[0], h = size[1];
  switch (type) {
    case snGEOM_SPHERE: return 4 * snPI * r * r;
    case snGEOM_CAPSULE: return 4 * snPI * r * r + 4 * snPI * r * h;
    case snGEOM_CYLINDER: return 2 * snPI * r * r + 4 * snPI * r * h;
    case snGEOM_ELLIPSOID: {
      // Thomsen's approximation
      const double p = 1.6075;
      double ab = pow(size[0] * size[1], p), bc = pow(size[1] * size[2], p);
      double ca = pow(size[2] * size[0], p);
      return 4 * snPI * pow((ab + bc + ca) / 3, 1 / p);
    }
    case snGEOM_HFIELD:
    case snGEOM_BOX: return 8 * (size[0] * size[1] + size[1] * size[2] + size[2] * size[0]);
    default: return 0;
  }
}

static double solidVolume(snGeom type, const double size[3]) {
  double r = size[0], height = 2 * size[1];
  switch (type) {
    case snGEOM_SPHERE: return 4 * snPI * r * r * r / 3;
    case snGEOM_CAPSULE: return snPI * (r * r * height + 4 * r * r * r / 3);
    case snGEOM_CYLINDER: return snPI * r * r * height;
    case snGEOM_ELLIPSOID: return 4 * snPI * size[0] * size[1] * size[2] / 3;
    case snGEOM_HFIELD:
    case snGEOM_BOX: return size[0] * size[1] * size[2] * 8;
    default: return 0;
  }
}

double sn_geomVolume(const snGeomItem* geom) {
  snGeom type = geom->spec.type;
  if (type == snGEOM_MESH || type == snGEOM_SDF) return geom->mesh->mesh.volume;
  return geom->spec.typeinertia == snINERTIA_SHELL ? surfaceArea(type, geom->spec.size)
                                                   : solidVolume(type, geom->spec.size);
}

static void solidInertia(snGeom type, const double size[3], double mass, double inertia[3]) {
  double r = size[0], height = 2 * size[1], a = size[0], b = size[1], c = size[2];
  switch (type) {
    case snGEOM_SPHERE: inertia[0] = inertia[1] = inertia[2] = 2 * mass * r * r / 5; break;
    case snGEOM_CAPSULE: {
      double sphere = mass * 4 * r / (4 * r + 3 * height), cylinder = mass - sphere;
      inertia[0] = inertia[1] = cylinder * (3 * r * r + height * height) / 12;
      inertia[2] = cylinder * r * r / 2;
      double ball = 2 * sphere * r * r / 5;
      inertia[0] += ball + sphere * height * (3 * r + 2 * height) / 8;
      inertia[1] += ball + sphere * height * (3 * r + 2 * height) / 8;
      inertia[2] += ball;
      break;
    }
    case snGEOM_CYLINDER:
      inertia[0] = inertia[1] = mass * (3 * r * r + height * height) / 12;
      inertia[2] = mass * r * r / 2;
      break;
    case snGEOM_ELLIPSOID:
      inertia[0] = mass * (b * b + c * c) / 5;
      inertia[1] = mass * (a * a + c * c) / 5;
      inertia[2] = mass * (a * a + b * b) / 5;
      break;
    case snGEOM_HFIELD:
    case snGEOM_BOX:
      inertia[0] = mass * (b * b + c * c) / 3;
      inertia[1] = mass * (a * a + c * c) / 3;
      inertia[2] = mass * (a * a + b * b) / 3;
      break;
    default: inertia[0] = inertia[1] = inertia[2] = 0; break;
  }
}

// the shell between two solid ellipsoids, the outer one a micrometre larger
static void ellipsoidShell(const double size[3], double mass, double inertia[3]) {
  double outer[3] = {size[0] + 1e-6, size[1] + 1e-6, size[2] + 1e-6}, small[3], large[3];
  double v0 = solidVolume(snGEOM_ELLIPSOID, size), v1 = solidVolume(snGEOM_ELLIPSOID, outer);
  double density = mass / (v1 - v0);
  solidInertia(snGEOM_ELLIPSOID, size, density * v0, small);
  solidInertia(snGEOM_ELLIPSOID, outer, density * v1, large);
  for (int k = 0; k < 3; k++) inertia[k] = large[k] - small[k];
}

static void boxShell(const double size[3], double mass, double inertia[3]) {
  double a = size[0], b = size[1], c = size[2], lx = 2 * a, ly = 2 * b, lz = 2 * c;
  double area0 = lx * ly, area1 = ly * lz, area2 = lz * lx, total = 2 * (area0 + area1 + area2);
  double m0 = mass * area0 / total, m1 = mass * area1 / total, m2 = mass * area2 / total;
  inertia[0] = 2 * (m0 * c * c + m2 * b * b + m0 * ly * ly / 12 + m1 * (ly * ly + lz * lz) / 12 +
                    m2 * lz * lz / 12);
  inertia[1] = 2 * (m0 * c * c + m1 * a * a + m0 * lx * lx / 12 + m1 * lz * lz / 12 +
                    m2 * (lx * lx + lz * lz) / 12);
  inertia[2] = 2 * (m1 * a * a + m2 * b * b + m0 * (lx * lx + ly * ly) / 12 + m1 * ly * ly / 12 +
                    m2 * lx * lx / 12);
}

static void shellInertia(snGeom type, const double size[3], double mass, double inertia[3]) {
  double r = size[0], h = size[1], height = 2 * h, area = surfaceArea(type, size);
  switch (type) {
    case snGEOM_SPHERE: inertia[0] = inertia[1] = inertia[2] = 2 * mass * r * r / 3; break;
    case snGEOM_CAPSULE: {
      double sphere = mass * 4 * snPI * r * r / area, cylinder = mass - sphere;
      double ball = 2 * sphere * r * r / 3;
      inertia[0] = cylinder * (6 * r * r + height * height) / 12 + ball +
                   sphere * ((h + r / 2) * (h + r / 2) - r / 2 * r / 2);
      inertia[1] = inertia[0];
      inertia[2] = cylinder * r * r + ball;
      break;
    }
    case snGEOM_CYLINDER: {
      double disk = mass * snPI * r * r / area, side = mass - 2 * disk;
      inertia[0] =
          side * (6 * r * r + height * height) / 12 + 2 * (disk * r * r / 4 + disk * h * h);
      inertia[1] = inertia[0];
      inertia[2] = side * r * r + disk * r * r;
      break;
    }
    case snGEOM_ELLIPSOID: ellipsoidShell(size, mass, inertia); break;
    case snGEOM_HFIELD:
    case snGEOM_BOX: boxShell(size, mass, inertia); break;
    default: inertia[0] = inertia[1] = inertia[2] = 0; break;
  }
}

void sn_geomInertia(const snGeomItem* geom, double mass, double inertia[3]) {
  snGeom type = geom->spec.type;
  if (type == snGEOM_MESH || type == snGEOM_SDF) {
    const double* box = geom->mesh->mesh.boxsz;
    for (int k = 0; k < 3; k++) {
      double y = box[(k + 1) % 3], z = box[(k + 2) % 3];
      inertia[k] = mass * (y * y + z * z) / 3;
    }
  } else if (geom->spec.typeinertia == snINERTIA_SHELL) {
    shellInertia(type, geom->spec.size, mass, inertia);
  } else {
    solidInertia(type, geom->spec.size, mass, inertia);
  }
}

// ---- fluid ----

// 15-point Gauss-Kronrod nodes of Tuck's integral after the substitution of the semi-axes' scale
enum { NKRONROD = 15 };
// clang-format off
static const double kWeight[NKRONROD] = {
    0.01146766, 0.03154605, 0.05239501, 0.07032663, 0.08450236, 0.09517529, 0.10221647, 0.10474107,
    0.10221647, 0.09517529, 0.08450236, 0.07032663, 0.05239501, 0.03154605, 0.01146766};
static const double kNode[NKRONROD] = {
    7.865151709349917e-08, 1.7347976913907274e-05, 0.0003548008144506193, 0.002846636252924549,
    0.014094260903596077, 0.053063261727396636, 0.17041978741317773, 0.5, 1.4036301548686991,
    3.9353484827022642, 11.644841677041734, 39.53187807410903, 177.5711362220801,
    1429.4772912937397, 54087.416549217705};
static const double kStretch[NKRONROD] = {
    5.538677720489877e-05, 0.002080868285293228, 0.016514126520723166, 0.07261900344370877,
    0.23985243401862602, 0.6868318249020725, 1.8551129519182894, 5.0, 14.060031152313941,
    43.28941239611009, 156.58546376397112, 747.9826085305024, 5827.4042950027115,
    116754.0197944512, 25482945.327264845};
// clang-format on

// shape factor of an ellipsoid along its axis a
static double kappa(double a, double b, double c) {
  double scale = pow(a * a * a * b * c, 0.4), sum = 0;
  for (int i = 0; i < NKRONROD; i++) {
    double l = scale * kNode[i], along = 1 + l / (a * a);
    double root = sqrt(along * (1 + l / (b * b)) * (1 + l / (c * c)));
    sum += scale * kStretch[i] * kWeight[i] / (along * root);
  }
  return sum / (a * a);
}

static double virtualInertia(double volume, double da, double db, double ka, double kb) {
  double difference = da * da - db * db;
  double denominator = fabs(2 * difference + (da * da + db * db) * (ka - kb));
  return volume / 5 * difference * difference * fabs(kb - ka) / fmax(SN_EPS, denominator);
}

void sn_fluidCoefficients(const snGeomItem* geom, double fluid[snNFLUID]) {
  const double* size = geom->spec.size;
  double d[3] = {size[0], size[1], size[2]}, k[3];
  if (geom->spec.type == snGEOM_SPHERE) {
    d[1] = d[2] = size[0];
  } else if (geom->spec.type == snGEOM_CAPSULE) {
    d[1] = size[0];
    d[2] = size[1] + size[0];
  } else if (geom->spec.type == snGEOM_CYLINDER) {
    d[1] = size[0];
    d[2] = size[1];
  }
  double volume = 4.0 / 3 * snPI * d[0] * d[1] * d[2];
  fluid[0] = 1;
  for (int i = 0; i < 5; i++) fluid[1 + i] = geom->spec.fluid_coefs[i];
  for (int i = 0; i < 3; i++) k[i] = kappa(d[i], d[(i + 1) % 3], d[(i + 2) % 3]);
  for (int i = 0; i < 3; i++) {
    int y = (i + 1) % 3, z = (i + 2) % 3;
    fluid[6 + i] = volume * k[i] / fmax(SN_EPS, 2 - k[i]);
    fluid[9 + i] = virtualInertia(volume, d[y], d[z], k[y], k[z]);
  }
}
