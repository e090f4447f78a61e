// The polygons of MuJoCo's shapes, in unit coordinates. Light is computed at the vertices, so that the
// polygons are visible in the image: their number and diagonals belong to the answer.

#include <math.h>
#include <string.h>

#include "render/builder.h"

static const double kPi = 3.14159265358979323846;

static Vertex vertexAt(double x, double y, double z, double nx, double ny, double nz) {
  Vertex v;
  memset(&v, 0, sizeof(v));
  v.pos[0] = (float)x;
  v.pos[1] = (float)y;
  v.pos[2] = (float)z;
  double length = sqrt(nx * nx + ny * ny + nz * nz);
  v.normal[0] = (float)(nx / length);
  v.normal[1] = (float)(ny / length);
  v.normal[2] = (float)(nz / length);
  return v;
}

// point of the unit sphere; shift moves it along z but not its normal
static Vertex onSphere(double azimuth, double elevation, double shift) {
  double c = cos(elevation), x = cos(azimuth) * c, y = sin(azimuth) * c, z = sin(elevation);
  return vertexAt(x, y, z + shift, x, y, z);
}

// half of a sphere: sign 1 above, -1 below; rings from the equator to the pole
static void buildHalfSphere(Builder* b, int slices, int rings, int sign, double shift) {
  for (int i = 0; i < rings; i++) {
    double e0 = sign * 0.5 * kPi * i / rings, e1 = sign * 0.5 * kPi * (i + 1) / rings;
    for (int j = 0; j < slices; j++) {
      double a0 = 2 * kPi * j / slices, a1 = 2 * kPi * ((j + 1) % slices) / slices;
      Vertex near0 = onSphere(a0, e0, shift), near1 = onSphere(a1, e0, shift);
      Vertex far0 = onSphere(a0, e1, shift), far1 = onSphere(a1, e1, shift);
      if (i == rings - 1) {
        Vertex pole = vertexAt(0, 0, sign + shift, 0, 0, sign);
        if (sign > 0) {
          snr_addTriangle(b, &near0, &near1, &pole);
        } else {
          snr_addTriangle(b, &near1, &near0, &pole);
        }
      } else if (sign > 0) {
        snr_addQuad(b, &near0, &near1, &far1, &far0);
      } else {
        snr_addQuad(b, &near1, &near0, &far0, &far1);
      }
    }
  }
}

static void buildTube(Builder* b, int slices, int stacks) {
  for (int i = 0; i < stacks; i++) {
    double z0 = -1 + 2.0 * i / stacks, z1 = -1 + 2.0 * (i + 1) / stacks;
    for (int j = 0; j < slices; j++) {
      double a0 = 2 * kPi * j / slices, a1 = 2 * kPi * ((j + 1) % slices) / slices;
      double c0 = cos(a0), s0 = sin(a0), c1 = cos(a1), s1 = sin(a1);
      Vertex v0 = vertexAt(c0, s0, z0, c0, s0, 0), v1 = vertexAt(c1, s1, z0, c1, s1, 0);
      Vertex v2 = vertexAt(c1, s1, z1, c1, s1, 0), v3 = vertexAt(c0, s0, z1, c0, s0, 0);
      snr_addQuad(b, &v0, &v1, &v2, &v3);
    }
  }
}

// unit disk at a height, facing up (sign 1) or down
static void buildDisk(Builder* b, int slices, int rings, int sign, double z) {
  for (int i = 0; i < rings; i++) {
    double r0 = (double)i / rings, r1 = (double)(i + 1) / rings;
    for (int j = 0; j < slices; j++) {
      double a0 = sign * 2 * kPi * j / slices, a1 = sign * 2 * kPi * ((j + 1) % slices) / slices;
      double c0 = cos(a0), s0 = sin(a0), c1 = cos(a1), s1 = sin(a1);
      Vertex v0 = vertexAt(r0 * c0, r0 * s0, z, 0, 0, sign),
             v1 = vertexAt(r1 * c0, r1 * s0, z, 0, 0, sign);
      Vertex v2 = vertexAt(r1 * c1, r1 * s1, z, 0, 0, sign),
             v3 = vertexAt(r0 * c1, r0 * s1, z, 0, 0, sign);
      if (i == 0) {
        Vertex center = vertexAt(0, 0, z, 0, 0, sign);
        snr_addTriangle(b, &center, &v1, &v2);
      } else {
        snr_addQuad(b, &v0, &v1, &v2, &v3);
      }
    }
  }
}

// face of a box: u x v = normal
static void buildFace(Builder* b, int quads, const double u[3], const double v[3],
                      const double n[3]) {
  for (int i = 0; i < quads; i++) {
    for (int j = 0; j < quads; j++) {
      Vertex corner[4];
      for (int k = 0; k < 4; k++) {
        double s = -1 + 2.0 * (j + (k == 1 || k == 2)) / quads,
               t = -1 + 2.0 * (i + (k >= 2)) / quads;
        corner[k] = vertexAt(n[0] + s * u[0] + t * v[0], n[1] + s * u[1] + t * v[1],
                             n[2] + s * u[2] + t * v[2], n[0], n[1], n[2]);
      }
      snr_addQuad(b, corner, corner + 1, corner + 2, corner + 3);
    }
  }
}

static void buildBox(Builder* b, int quads) {
  static const double kFace[6][3][3] = {
      {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}, {{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}},
      {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}, {{1, 0, 0}, {0, 0, 1}, {0, -1, 0}},
      {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 0}, {1, 0, 0}, {0, 0, -1}},
  };
  for (int i = 0; i < 6; i++) buildFace(b, quads, kFace[i][0], kFace[i][1], kFace[i][2]);
}

// apex at z = 1, base at 0; the apex has the mean normal of its two neighbours
static void buildCone(Builder* b, int slices, int stacks) {
  for (int i = 0; i < stacks; i++) {
    double z0 = (double)i / stacks, z1 = (double)(i + 1) / stacks;
    for (int j = 0; j < slices; j++) {
      double a0 = 2 * kPi * j / slices, a1 = 2 * kPi * ((j + 1) % slices) / slices;
      double c0 = cos(a0), s0 = sin(a0), c1 = cos(a1), s1 = sin(a1), r0 = 1 - z0, r1 = 1 - z1;
      Vertex v0 = vertexAt(r0 * c0, r0 * s0, z0, c0, s0, 1),
             v1 = vertexAt(r0 * c1, r0 * s1, z0, c1, s1, 1);
      Vertex v2 = vertexAt(r1 * c1, r1 * s1, z1, c1, s1, 1),
             v3 = vertexAt(r1 * c0, r1 * s0, z1, c0, s0, 1);
      if (i == stacks - 1) {
        Vertex apex = vertexAt(0, 0, 1, c0 + c1, s0 + s1, 2);
        snr_addTriangle(b, &v0, &v1, &apex);
      } else {
        snr_addQuad(b, &v0, &v1, &v2, &v3);
      }
    }
  }
}

void snr_buildGrid(Builder* b, const float* x, int nx, const float* y, int ny) {
  enum { kBlock = 8 };  // cells of a block lie together in a cluster
  for (int bi = 0; bi < ny - 1; bi += kBlock) {
    for (int bj = 0; bj < nx - 1; bj += kBlock) {
      for (int i = bi; i < bi + kBlock && i < ny - 1; i++) {
        for (int j = bj; j < bj + kBlock && j < nx - 1; j++) {
          Vertex v0 = vertexAt(x[j], y[i], 0, 0, 0, 1), v1 = vertexAt(x[j + 1], y[i], 0, 0, 0, 1);
          Vertex v2 = vertexAt(x[j + 1], y[i + 1], 0, 0, 0, 1),
                 v3 = vertexAt(x[j], y[i + 1], 0, 0, 0, 1);
          snr_addQuad(b, &v0, &v1, &v2, &v3);
        }
      }
    }
  }
}

static void buildQuad(Builder* b, int quads) {
  enum { kMost = 200 };
  float line[kMost + 1];
  if (quads > kMost) quads = kMost;
  for (int i = 0; i <= quads; i++) line[i] = (float)(-1 + 2.0 * i / quads);
  snr_buildGrid(b, line, quads + 1, line, quads + 1);
}

void snr_buildUnit(Builder* b, int kind, int slices, int stacks, int quads) {
  int half = stacks / 2 > 0 ? stacks / 2 : 1;
  switch (kind) {
    case kSphere:
      buildHalfSphere(b, slices, half, 1, 0);
      buildHalfSphere(b, slices, half, -1, 0);
      break;
    case kCapTop: buildHalfSphere(b, slices, half, 1, 1); break;
    case kCapBottom: buildHalfSphere(b, slices, half, -1, -1); break;
    case kTube: buildTube(b, slices, stacks); break;
    case kDiskTop: buildDisk(b, slices, half, 1, 1); break;
    case kDiskBottom: buildDisk(b, slices, half, -1, -1); break;
    case kBox: buildBox(b, quads); break;
    case kQuad: buildQuad(b, quads); break;
    case kCone: buildCone(b, slices, stacks); break;
    case kConeBase: buildDisk(b, slices, stacks, -1, 0); break;
    default: {
      Vertex v0 = vertexAt(0, 0, 0, 0, 0, 1), v1 = vertexAt(1, 0, 0, 0, 0, 1),
             v2 = vertexAt(0, 1, 0, 0, 0, 1);
      snr_addTriangle(b, &v0, &v1, &v2);
    }
  }
}
