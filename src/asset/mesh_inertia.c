#include <math.h>

#include "asset/algebra.h"
#include "asset/hull.h"
#include "asset/mesh_stage.h"
#include "base/assert.h"

static const double* vertex(const snMesh* mesh, int index) {
  SN_ASSERT_INDEX(index, mesh->nvert);
  return mesh->vert + 3 * (size_t)index;
}

// ---- user transforms ----

// squared length > 1e-15: unit; else z
static void normalizeNormals(snMesh* mesh) {
  for (int i = 0; i < mesh->nnormal; i++) {
    float* n = mesh->normal + 3 * (size_t)i;
    float square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    if (square > (float)snMINVAL) {
      float inverse = 1 / sqrtf(square);
      for (int k = 0; k < 3; k++) n[k] *= inverse;
    } else {
      n[0] = n[1] = 0;
      n[2] = 1;
    }
  }
}

// v' = S R(refquat)' (v - refpos)
static void applyUserFrame(snMesh* mesh, const snMeshInput* input) {
  const double* p = input->refpos;
  const double* q = input->refquat;
  const double* s = input->scale;
  size_t count = 3 * (size_t)mesh->nvert;
  if (p[0] != 0 || p[1] != 0 || p[2] != 0) {
    for (size_t i = 0; i < count; i++) mesh->vert[i] -= p[i % 3];
  }
  if (q[0] != 1 || q[1] != 0 || q[2] != 0 || q[3] != 0) {
    double quat[4] = {q[0], q[1], q[2], q[3]}, mat[9];
    sn_normalizeVec(quat, 4);
    sn_quatMat(mat, quat);
    for (size_t i = 0; i < count; i += 3) sn_mulMatTVec(mesh->vert + i, mat, mesh->vert + i);
    sn_transformNormals(mesh, mat, NULL);
  }
  if (s[0] != 1 || s[1] != 1 || s[2] != 1) {
    for (size_t i = 0; i < count; i++) mesh->vert[i] *= s[i % 3];
    sn_transformNormals(mesh, NULL, s);
  }
  normalizeNormals(mesh);
}

// ---- volume, centre of mass, inertia ----

static const char* nameOf(const snWork* work) { return work->name ? work->name : ""; }

// Area-weighted mean of the centres of the mesh faces.
static int faceCentroid(snWork* work, const snMesh* mesh, double centroid[3]) {
  double total = 0;
  for (int k = 0; k < 3; k++) centroid[k] = 0;
  for (int i = 0; i < mesh->nface; i++) {
    const int* f = mesh->face + 3 * (size_t)i;
    double normal[3], center[3];
    double area =
        sn_triangle(normal, center, vertex(mesh, f[0]), vertex(mesh, f[1]), vertex(mesh, f[2]));
    for (int k = 0; k < 3; k++) centroid[k] += area * center[k];
    total += area;
  }
  if (total < snMINVAL) return sn_fail(work, "mesh surface area is too small: %s", nameOf(work));
  for (int k = 0; k < 3; k++) centroid[k] /= total;
  return 0;
}

// Weight of a face: its area, or the volume of the tetrahedron that it forms with a point.
static double faceWeight(snMeshInertia mode, double area, const double normal[3],
                         const double center[3]) {
  if (mode == snMESH_INERTIA_SHELL) return area;
  double volume = sn_dot3(center, normal) * area / 3;
  return mode == snMESH_INERTIA_LEGACY ? fabs(volume) : volume;
}

static int centerOfMass(snWork* work, snMesh* mesh, snMeshInertia mode, const int* face, int nface,
                        const double centroid[3]) {
  double total = 0;
  double* com = mesh->pos;
  for (int k = 0; k < 3; k++) com[k] = 0;
  for (int i = 0; i < nface; i++) {
    const int* f = face + 3 * (size_t)i;
    double normal[3], center[3], relative[3];
    double area =
        sn_triangle(normal, center, vertex(mesh, f[0]), vertex(mesh, f[1]), vertex(mesh, f[2]));
    sn_sub3(relative, center, centroid);
    double weight = faceWeight(mode, area, normal, relative);
    for (int k = 0; k < 3; k++) com[k] += weight * (center[k] * 3.0 / 4.0 + centroid[k] / 4.0);
    total += weight;
  }
  if (mode == snMESH_INERTIA_SHELL) {
    if (total < snMINVAL) return sn_fail(work, "mesh surface area is too small: %s", nameOf(work));
  } else if (total < 0) {
    return sn_fail(work, "mesh volume is negative (misoriented triangles): %s", nameOf(work));
  } else if (total < snMINVAL) {
    return sn_fail(work, "mesh volume is too small: %s . Try setting inertia to shell",
                   nameOf(work));
  }
  for (int k = 0; k < 3; k++) com[k] /= total;
  return 0;
}

// Second moments about the origin, at unit density; also the final volume.
static void inertiaMatrix(snMesh* mesh, snMeshInertia mode, const int* face, int nface,
                          double mat[9]) {
  static const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  double divisor = mode == snMESH_INERTIA_SHELL ? 12 : 20;
  double moment[6] = {0};
  mesh->volume = 0;
  for (int i = 0; i < nface; i++) {
    const int* f = face + 3 * (size_t)i;
    const double *D = vertex(mesh, f[0]), *E = vertex(mesh, f[1]), *F = vertex(mesh, f[2]);
    double normal[3], center[3];
    double area = sn_triangle(normal, center, D, E, F);
    double weight = faceWeight(mode, area, normal, center);
    mesh->volume += weight;
    for (int n = 0; n < 6; n++) {
      int p = pair[n][0], q = pair[n][1];
      moment[n] += weight / divisor *
                   (2 * (D[p] * D[q] + E[p] * E[q] + F[p] * F[q]) + D[p] * E[q] + D[q] * E[p] +
                    D[p] * F[q] + D[q] * F[p] + E[p] * F[q] + E[q] * F[p]);
    }
  }
  mat[0] = moment[1] + moment[2];
  mat[4] = moment[0] + moment[2];
  mat[8] = moment[0] + moment[1];
  mat[1] = mat[3] = -moment[3];
  mat[2] = mat[6] = -moment[4];
  mat[5] = mat[7] = -moment[5];
}

// Principal axes, and the box with the same inertia.
static int principalAxes(snWork* work, snMesh* mesh, const double mat[9]) {
  double e[3];
  sn_eigen3(e, mesh->quat, mat);
  if (e[2] <= 0) return sn_fail(work, "eigenvalue of mesh inertia must be positive");
  for (int i = 0; i < 3; i++) {
    double a = e[(i + 1) % 3], b = e[(i + 2) % 3];
    if (a + b < e[i] * (1 - 1e-6) - 1e-9) {
      return sn_fail(work, "eigenvalues of mesh inertia violate A + B >= C");
    }
  }
  double volume = mesh->volume;
  mesh->boxsz[0] = 0.5 * sqrt(6 * (e[1] + e[2] - e[0]) / volume);
  mesh->boxsz[1] = 0.5 * sqrt(6 * (e[0] + e[2] - e[1]) / volume);
  mesh->boxsz[2] = 0.5 * sqrt(6 * (e[0] + e[1] - e[2]) / volume);
  return 0;
}

static void setBounds(snMesh* mesh) {
  for (int k = 0; k < 3; k++) {
    mesh->aabb[k] = 1e10;
    mesh->aabb[k + 3] = -1e10;
  }
  size_t count = 3 * (size_t)mesh->nvert;
  for (size_t i = 0; i < count; i++) {
    size_t k = i % 3;
    mesh->aabb[k] = fmin(mesh->aabb[k], mesh->vert[i]);
    mesh->aabb[k + 3] = fmax(mesh->aabb[k + 3], mesh->vert[i]);
  }
}

// the surface of a distance field stays where the field is
static void keepPlace(snMesh* mesh) {
  size_t count = 3 * (size_t)mesh->nvert;
  for (size_t i = 0; i < count; i++) mesh->vert[i] += mesh->pos[i % 3];
  for (int k = 0; k < 3; k++) {
    mesh->pos[k] = 0;
    mesh->quat[1 + k] = 0;
  }
  mesh->quat[0] = 1;
  setBounds(mesh);
}

int sn_alignMesh(snWork* work, snMesh* mesh, const snMeshInput* input) {
  applyUserFrame(mesh, input);

  // hull faces or mesh faces
  const int* face = mesh->face;
  int nface = mesh->nface;
  if (input->inertia == snMESH_INERTIA_CONVEX) {
    if (!mesh->graph)
      return sn_fail(work, "inertia='convex' needs a convex hull, which nothing uses");
    face = sn_hullFaces(mesh->graph, &nface);
  }

  double centroid[3], mat[9];
  if (faceCentroid(work, mesh, centroid)) return -1;
  if (centerOfMass(work, mesh, input->inertia, face, nface, centroid)) return -1;
  size_t count = 3 * (size_t)mesh->nvert;
  for (size_t i = 0; i < count; i++) mesh->vert[i] -= mesh->pos[i % 3];
  inertiaMatrix(mesh, input->inertia, face, nface, mat);
  if (principalAxes(work, mesh, mat)) return -1;
  if (input->field) {
    keepPlace(mesh);
    return 0;
  }

  // align
  sn_quatMat(mat, mesh->quat);
  sn_transformNormals(mesh, mat, NULL);
  for (size_t i = 0; i < count; i += 3) sn_mulMatTVec(mesh->vert + i, mat, mesh->vert + i);
  setBounds(mesh);
  return 0;
}

// ---- fitting ----

static void fitInertia(snGeom type, const double b[3], double size[3]) {
  switch (type) {
    case snGEOM_SPHERE: size[0] = (b[0] + b[1] + b[2]) / 3; break;
    case snGEOM_CAPSULE:
      size[0] = (b[0] + b[1]) / 2;
      size[1] = fmax(0, b[2] - size[0] / 2);
      break;
    case snGEOM_CYLINDER:
      size[0] = (b[0] + b[1]) / 2;
      size[1] = b[2];
      break;
    default:
      for (int k = 0; k < 3; k++) size[k] = b[k];
  }
}

static void fitBox(snGeom type, const double h[3], double size[3]) {
  switch (type) {
    case snGEOM_SPHERE: size[0] = fmax(fmax(h[0], h[1]), h[2]); break;
    case snGEOM_CAPSULE:
      size[0] = fmax(h[0], h[1]);
      size[1] = h[2] - size[0];
      break;
    case snGEOM_CYLINDER:
      size[0] = fmax(h[0], h[1]);
      size[1] = h[2];
      break;
    default:
      for (int k = 0; k < 3; k++) size[k] = h[k];
  }
}

int sn_fitMesh(const snMesh* mesh, snGeom type, int fitaabb, double fitscale, double size[3],
               double center[3], char* error, int error_sz) {
  if (type != snGEOM_SPHERE && type != snGEOM_CAPSULE && type != snGEOM_CYLINDER &&
      type != snGEOM_ELLIPSOID && type != snGEOM_BOX) {
    snWork work = {.error = error, .error_sz = error_sz};
    return sn_fail(&work,
                   fitaabb ? "invalid fittype in mesh" : "invalid geom type in fitting mesh");
  }
  for (int k = 0; k < 3; k++) center[k] = 0;
  if (fitaabb) {
    double half[3];
    for (int k = 0; k < 3; k++) {
      center[k] = (mesh->aabb[k] + mesh->aabb[k + 3]) / 2;
      half[k] = (mesh->aabb[k + 3] - mesh->aabb[k]) / 2;
    }
    fitBox(type, half, size);
  } else {
    fitInertia(type, mesh->boxsz, size);
  }
  for (int k = 0; k < 3; k++) size[k] *= fitscale;
  return 0;
}
