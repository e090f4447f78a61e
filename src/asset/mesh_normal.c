#include <math.h>

#include "asset/algebra.h"
#include "asset/mesh_stage.h"
#include "base/assert.h"

// Normal of a face and twice its area (0 for a degenerate one, whose normal keeps its length).
static double faceNormal(double normal[3], const snMesh* mesh, int face) {
  SN_ASSERT_INDEX(face, mesh->nface);
  const int* corner = mesh->face + 3 * (size_t)face;
  const double* a = mesh->vert + 3 * (size_t)corner[0];
  double ab[3], ac[3];
  sn_sub3(ab, mesh->vert + 3 * (size_t)corner[1], a);
  sn_sub3(ac, mesh->vert + 3 * (size_t)corner[2], a);
  sn_cross3(normal, ab, ac);
  return sn_normalizeVec(normal, 3);
}

// What to take away from each normal: faces that differ too much from it.
static void collectSharp(const snMesh* mesh, float* removal) {
  SN_ASSERT(mesh->nnormal == mesh->nvert);
  for (int i = 0; i < mesh->nface; i++) {
    double normal[3];
    double area = faceNormal(normal, mesh, i);
    for (int j = 0; j < 3; j++) {
      size_t v = 3 * (size_t)mesh->face[3 * (size_t)i + (size_t)j];
      double mean[3] = {mesh->normal[v], mesh->normal[v + 1], mesh->normal[v + 2]};
      sn_normalizeVec(mean, 3);
      if (sn_dot3(normal, mean) < 0.8) {
        for (int k = 0; k < 3; k++) {
          removal[v + (size_t)k] = (float)(removal[v + (size_t)k] + normal[k] * area);
        }
      }
    }
  }
}

int sn_makeNormals(snWork* work, snMesh* mesh, int smooth) {
  size_t count = 3 * (size_t)mesh->nvert;
  mesh->nnormal = mesh->nvert;
  mesh->normal = SN_KEEP(work, float, count);
  mesh->facenormal = SN_KEEP(work, int, 3 * (size_t)mesh->nface);
  float* removal = smooth ? NULL : SN_SCRATCH(work, float, count);
  if (!mesh->normal || !mesh->facenormal || (!smooth && !removal)) return -1;

  for (int i = 0; i < mesh->nface; i++) {
    double normal[3];
    double area = faceNormal(normal, mesh, i);
    for (int j = 0; j < 3; j++) {
      int v = mesh->face[3 * (size_t)i + (size_t)j];
      for (int k = 0; k < 3; k++) {
        float* n = mesh->normal + 3 * (size_t)v + k;
        *n = (float)(*n + normal[k] * area);
      }
      mesh->facenormal[3 * (size_t)i + (size_t)j] = v;
    }
  }
  if (!smooth) {
    collectSharp(mesh, removal);
    for (size_t i = 0; i < count; i++) mesh->normal[i] -= removal[i];
  }
  for (size_t i = 0; i < count; i += 3) {
    float* n = mesh->normal + i;
    float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (length > (float)snMINVAL) {
      for (int k = 0; k < 3; k++) n[k] /= length;
    } else {
      n[0] = n[1] = 0;
      n[2] = 1;
    }
  }
  return 0;
}

void sn_transformNormals(snMesh* mesh, const double mat[9], const double scale[3]) {
  for (int i = 0; i < mesh->nnormal; i++) {
    float* n = mesh->normal + 3 * (size_t)i;
    if (mat) {
      double v[3] = {n[0], n[1], n[2]};
      sn_mulMatTVec(v, mat, v);
      for (int k = 0; k < 3; k++) n[k] = (float)v[k];
    }
    if (scale) {
      for (int k = 0; k < 3; k++) n[k] = (float)(n[k] * scale[k]);
    }
  }
}
