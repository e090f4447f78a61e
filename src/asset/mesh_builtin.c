// Procedural meshes. Coordinates are computed in double and stored as float, but for the sphere,
// whose subdivision is float throughout.

#include <math.h>
#include <string.h>

#include "asset/algebra.h"
#include "asset/mesh.h"
#include "base/assert.h"
#include "sinew/sinew.h"
#include "spec/element.h"

typedef struct Shape_ {
  snWork work;
  float* vert;
  float* normal;
  int* face;
  int nvert, nnormal, nface;  // elements so far
} Shape;

static int reserve(Shape* s, int64_t nvert, int64_t nface, int64_t nnormal) {
  const int64_t most = 100000000;
  if (nvert > most || nface > most || nnormal > most) {
    return sn_fail(&s->work, "resolution of built-in mesh is too high");
  }
  s->vert = SN_KEEP(&s->work, float, 3 * nvert);
  s->face = SN_KEEP(&s->work, int, 3 * nface);
  s->normal = SN_KEEP(&s->work, float, 3 * nnormal);
  return s->vert && s->face && s->normal ? 0 : -1;
}

static void addVertex(Shape* s, double x, double y, double z) {
  float* v = s->vert + 3 * (size_t)s->nvert++;
  v[0] = (float)x;
  v[1] = (float)y;
  v[2] = (float)z;
}

static void addFace(Shape* s, int a, int b, int c) {
  int* f = s->face + 3 * (size_t)s->nface++;
  f[0] = a;
  f[1] = b;
  f[2] = c;
}

static void addNormal(Shape* s, const double n[3]) {
  for (int k = 0; k < 3; k++) s->normal[3 * (size_t)s->nnormal + (size_t)k] = (float)n[k];
  s->nnormal++;
}

// ---- sphere: subdivided icosahedron ----

typedef struct Midpoints_ {
  int64_t* key;
  int* vertex;
  size_t capacity;  // a power of two
} Midpoints;

// The vertex in the middle of an edge, made when it is first asked for.
static int midpoint(Shape* s, Midpoints* table, int a, int b) {
  SN_ASSERT_INDEX2(a, b, s->nvert);
  int64_t low = a < b ? a : b, high = a < b ? b : a, key = (low << 32 | high) + 1;
  size_t slot = ((uint64_t)key * 0x9E3779B97F4A7C15u >> 20) & (table->capacity - 1);
  while (table->key[slot] && table->key[slot] != key) slot = (slot + 1) & (table->capacity - 1);
  if (table->key[slot]) return table->vertex[slot];
  float m[3];
  for (int k = 0; k < 3; k++) {
    m[k] = (s->vert[3 * (size_t)a + (size_t)k] + s->vert[3 * (size_t)b + (size_t)k]) / 2;
  }
  float length = sqrtf(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
  table->key[slot] = key;
  table->vertex[slot] = s->nvert;
  addVertex(s, m[0] / length, m[1] / length, m[2] / length);
  return table->vertex[slot];
}

static int subdivide(Shape* s) {
  int n = s->nface;
  int* old = SN_SCRATCH(&s->work, int, 3 * n);
  Midpoints table = {NULL, NULL, 64};
  while (table.capacity < 4 * (size_t)n) table.capacity *= 2;
  table.key = SN_SCRATCH(&s->work, int64_t, table.capacity);
  table.vertex = SN_SCRATCH(&s->work, int, table.capacity);
  if (!old || !table.key || !table.vertex) return -1;
  memcpy(old, s->face, sizeof(int) * 3 * (size_t)n);
  s->nface = 0;
  for (int i = 0; i < n; i++) {
    int a = old[3 * i], b = old[3 * i + 1], c = old[3 * i + 2];
    int ab = midpoint(s, &table, a, b), bc = midpoint(s, &table, b, c);
    int ca = midpoint(s, &table, c, a);
    addFace(s, a, ab, ca);
    addFace(s, b, bc, ab);
    addFace(s, c, ca, bc);
    addFace(s, ab, bc, ca);
  }
  return 0;
}

static int makeSphere(Shape* s, const double* params) {
  static const signed char vertex[12][3] = {{-1, 2, 0}, {1, 2, 0}, {-1, -2, 0}, {1, -2, 0},
                                            {0, -1, 2}, {0, 1, 2}, {0, -1, -2}, {0, 1, -2},
                                            {2, 0, -1}, {2, 0, 1}, {-2, 0, -1}, {-2, 0, 1}};
  static const signed char face[20][3] = {
      {0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
      {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
      {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
  if (!(params[0] > -1)) return sn_fail(&s->work, "Sphere subdivision cannot be negative");
  if (params[0] >= 5) return sn_fail(&s->work, "Sphere subdivision cannot be greater than 4");
  int level = (int)params[0];
  int nface = 20 << 2 * level;
  if (reserve(s, nface / 2 + 2, nface, 0)) return -1;
  float golden = (float)((1 + sqrt(5.0)) / 2);
  double length = sqrt(1 + (double)(golden * golden));
  for (int i = 0; i < 12; i++) {
    double v[3];
    for (int k = 0; k < 3; k++) {
      int c = vertex[i][k];
      v[k] = (c == 2 ? golden : c == -2 ? -golden : c) / length;
    }
    addVertex(s, v[0], v[1], v[2]);
  }
  for (int i = 0; i < 20; i++) addFace(s, face[i][0], face[i][1], face[i][2]);
  for (int i = 0; i < level; i++) {
    if (subdivide(s)) return -1;
  }
  return 0;
}

// ---- hemisphere: rows of an octahedron's upper half ----

static void hemisphereVertices(Shape* s, int res) {
  static const double equator[5][3] = {{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}, {1, 0, 0}};
  static const double pole[3] = {0, 0, 1};
  addVertex(s, 0, 0, 1);
  for (int row = 0; row <= res; row++) {
    for (int side = 0; side < 4; side++) {
      for (int i = 0; i <= row; i++) {
        double t = (double)(row + 1) / (res + 1), v[3];
        for (int k = 0; k < 3; k++) {
          double start = pole[k] + t * (equator[side][k] - pole[k]);
          double end = pole[k] + t * (equator[side + 1][k] - pole[k]);
          v[k] = start + i * (end - start) / (row + 1);
        }
        double length = sqrt(sn_dot3(v, v));
        addVertex(s, v[0] / length, v[1] / length, v[2] / length);
      }
    }
  }
  addVertex(s, 0, 0, 0);
}

static int makeHemisphere(Shape* s, const double* params) {
  if (!(params[0] > -1)) return sn_fail(&s->work, "Hemisphere resolution cannot be negative");
  if (params[0] >= 11) {
    return sn_fail(&s->work, "Hemisphere resolution cannot be greater than 10");
  }
  int res = (int)params[0];
  int nvert = 2 + 2 * (res + 1) * (res + 2);
  if (reserve(s, nvert, 4 * (res + 1) * (res + 1) + 4 * (res + 1), 0)) return -1;
  hemisphereVertices(s, res);
  for (int i = 0; i < 4; i++) addFace(s, 0, 1 + i, 1 + (i + 1) % 4);
  for (int row = 0; row < res; row++) {
    int s0 = 2 * row * (row + 1) + 1, c0 = 4 * (row + 1), s1 = s0 + c0, c1 = 4 * (row + 2);
    for (int side = 0; side < 4; side++) {
      for (int i = 0; i <= row + 1; i++) {
        int a = i + (row + 1) * side, b = i + (row + 2) * side;
        addFace(s, s0 + a % c0, s1 + b % c1, s1 + (b + 1) % c1);
        if (i <= row) addFace(s, s0 + a % c0, s1 + (b + 1) % c1, s0 + (a + 1) % c0);
      }
    }
  }
  int start = 2 * res * (res + 1) + 1, count = 4 * (res + 1);
  for (int i = 0; i < count; i++) addFace(s, start + i, nvert - 1, start + (i + 1) % count);
  return 0;
}

// ---- cone ----

// the hull of a cone takes time quadratic in its edges: their number is bounded
static int makeCone(Shape* s, const double* params) {
  if (!(params[0] > -1 && params[0] < 1e4)) {
    return sn_fail(&s->work, "number of edges of cone must be between 3 and 10000");
  }
  int nedge = (int)params[0];
  double radius = params[1];
  if (reserve(s, 2 * (int64_t)nedge + 1, 0, 0)) return -1;
  for (int i = 0; i < nedge; i++) {
    addVertex(s, cos(2 * i * snPI / nedge), sin(2 * i * snPI / nedge), -1);
  }
  if (radius > 0) {
    for (int i = nedge; i < 2 * nedge; i++) {
      addVertex(s, radius * cos(2 * i * snPI / nedge), radius * sin(2 * i * snPI / nedge), 1);
    }
  } else {
    addVertex(s, 0, 0, 1);
  }
  return 0;
}

// ---- superquadrics ----

static double signedPower(double base, double exponent) {
  return (base < 0 ? -1 : 1) * pow(fabs(base), exponent);
}

static double powerCos(double angle, double exponent) { return signedPower(cos(angle), exponent); }
static double powerSin(double angle, double exponent) { return signedPower(sin(angle), exponent); }

static int makeSupersphere(Shape* s, const double* params) {
  if (!(params[0] >= 3)) return sn_fail(&s->work, "Supersphere resolution must be greater than 2");
  if (params[0] >= 5000) return sn_fail(&s->work, "Supersphere resolution must be less than 5000");
  int res = (int)params[0];
  double e = params[1], n = params[2];
  if (!(e >= 0)) return sn_fail(&s->work, "Supersphere 'e' cannot be negative");
  if (!(n >= 0)) return sn_fail(&s->work, "Supersphere 'n' cannot be negative");
  if (reserve(s, 2 + (int64_t)res * (res - 1), 2 * (int64_t)res * (res - 1), 0)) return -1;
  addVertex(s, 0, 0, -1);
  for (int i = 1; i < res; i++) {
    double v = -snPI / 2 + i * snPI / res;
    for (int j = 0; j < res; j++) {
      double u = -snPI + 2 * snPI * j / res;  // in this order: small powers of sin(pi) show
      addVertex(s, powerCos(v, n) * powerCos(u, e), powerCos(v, n) * powerSin(u, e),
                powerSin(v, n));
    }
  }
  addVertex(s, 0, 0, 1);
  for (int j = 0; j < res; j++) addFace(s, 0, 1 + (j + 1) % res, 1 + j);
  for (int i = 0; i < res - 2; i++) {
    for (int j = 0; j < res; j++) {
      int a = 1 + i * res + j, b = 1 + i * res + (j + 1) % res;
      addFace(s, a, b, a + res);
      addFace(s, b, b + res, a + res);
    }
  }
  int ring = 1 + (res - 2) * res;
  for (int j = 0; j < res; j++) addFace(s, ring + j, ring + (j + 1) % res, s->nvert - 1);
  return 0;
}

static int makeSupertorus(Shape* s, const double* params) {
  if (!(params[0] >= 3)) return sn_fail(&s->work, "Supertorus resolution must be greater than 2");
  if (params[0] >= 5000) return sn_fail(&s->work, "Supertorus resolution must be less than 5000");
  int res = (int)params[0];
  double radius = params[1], se = params[2], t = params[3];
  if (!(radius > 0 && radius <= 1)) {
    return sn_fail(&s->work, "Supertorus radius must be in (0, 1]");
  }
  if (!(se > 0)) return sn_fail(&s->work, "Supertorus 's' must be greater than 0");
  if (!(t > 0)) return sn_fail(&s->work, "Supertorus 't' must be greater than 0");
  if (reserve(s, (int64_t)res * res, 2 * (int64_t)res * res, 0)) return -1;
  for (int i = 0; i < res; i++) {
    double u = 2 * snPI * i / res;
    for (int j = 0; j < res; j++) {
      double v = 2 * snPI * j / res;
      double ring = 1 + radius * powerCos(v, se);
      addVertex(s, ring * powerCos(u, t), ring * powerSin(u, t), radius * powerSin(v, se));
    }
  }
  for (int i = 0; i < res; i++) {
    for (int j = 0; j < res; j++) {
      int in = (i + 1) % res, jn = (j + 1) % res;
      int a = i * res + j, b = in * res + j, c = in * res + jn, d = i * res + jn;
      addFace(s, a, b, d);
      addFace(s, b, c, d);
    }
  }
  return 0;
}

// ---- wedge and plate: sensor surfaces with a frame per vertex ----

// Edges of n bins from -1 to 1, bent towards the middle and scaled to the field of view.
static double* wedgeEdges(Shape* s, int n, double fov, double gamma) {
  double* edge = SN_SCRATCH(&s->work, double, n + 1);
  if (!edge) return NULL;
  edge[0] = -1;
  for (int i = 1; i <= n; i++) edge[i] = edge[i - 1] + 2.0 / n;
  for (int i = 0; i <= n; i++) {
    double x = edge[i];
    if (gamma != 0) x = gamma * pow(x, 5) + (1 - gamma) * x;
    edge[i] = x * (fov * snPI / 180);
  }
  return edge;
}

static int gridSize(Shape* s, const double* params, int n[2]) {
  for (int k = 0; k < 2; k++) {
    if (!(params[k] >= 1 && params[k] < 5000)) {
      return sn_fail(&s->work, "Horizontal and vertical resolutions must be positive%s",
                     params[k] >= 5000 ? " and less than 5000" : "");
    }
    n[k] = (int)params[k];
  }
  return 0;
}

static int makeWedge(Shape* s, const double* params) {
  int n[2] = {0, 0};
  if (gridSize(s, params, n)) return -1;
  double gamma = params[4];
  if (!(params[2] > 0 && params[2] <= 180)) {
    return sn_fail(&s->work, "fov[0] must be a float between (0, 180] degrees");
  }
  if (!(params[3] > 0 && params[3] <= 90)) {
    return sn_fail(&s->work, "`fov[1]` must be a float between (0, 90] degrees");
  }
  if (!(gamma >= 0 && gamma <= 1)) {
    return sn_fail(&s->work, "`gamma` must be a nonnegative float between [0, 1]");
  }
  if (reserve(s, (int64_t)n[0] * n[1], 0, 3 * (int64_t)n[0] * n[1])) return -1;
  double* edge0 = wedgeEdges(s, n[0], params[2], gamma);
  double* edge1 = wedgeEdges(s, n[1], params[3], gamma);
  if (!edge0 || !edge1) return -1;
  for (int i = 0; i < n[0]; i++) {
    for (int j = 0; j < n[1]; j++) {
      double a = 0.5 * (edge0[i] + edge0[i + 1]), e = 0.5 * (edge1[j] + edge1[j + 1]);
      addVertex(s, cos(e) * sin(a), sin(e), -cos(e) * cos(a));
      double ta[3] = {cos(e) * cos(a), 0, cos(e) * sin(a)};
      double te[3] = {-sin(e) * sin(a), cos(e), sin(e) * cos(a)};
      double normal[3];
      sn_normalizeVec(ta, 3);
      sn_normalizeVec(te, 3);
      sn_cross3(normal, te, ta);
      addNormal(s, normal);
      addNormal(s, ta);
      addNormal(s, te);
    }
  }
  return 0;
}

static int makePlate(Shape* s, const double* params) {
  static const double axis[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  int n[2] = {0, 0};
  if (gridSize(s, params, n)) return -1;
  int64_t count = (int64_t)n[0] * n[1];
  if (reserve(s, count, 2 * count, 3 * count)) return -1;
  for (int i = 0; i < n[0]; i++) {
    for (int j = 0; j < n[1]; j++) {
      addVertex(s, -1 + (i + 0.5) * 2 / n[0], -1 + (j + 0.5) * 2 / n[1], -1);
      for (int k = 0; k < 3; k++) addNormal(s, axis[k]);
      if (i && j) {
        int here = i * n[1] + j;
        addFace(s, here - n[1] - 1, here - 1, here - n[1]);
        addFace(s, here, here - n[1], here - 1);
      }
    }
  }
  return 0;
}

// ---- dispatch ----

typedef struct Kind_ {
  const char* needs;  // start of the message that says how many parameters it takes
  int nparams;
  int (*make)(Shape* s, const double* params);
} Kind;

static const Kind kinds[] = {
    {"none", 0, NULL},
    {"Sphere mesh type requires", 1, makeSphere},
    {"Hemisphere mesh type requires", 1, makeHemisphere},
    {"Cone mesh type requires", 2, makeCone},
    {"Supersphere mesh type requires", 3, makeSupersphere},
    {"Supertorus mesh type requires", 4, makeSupertorus},
    {"Wedge builtin mesh types require", 5, makeWedge},
    {"Plate builtin mesh type requires", 2, makePlate},
};

// arrays of a built-in mesh, from the pool. Returns 0, or -1 with the reason. shell is set when the
// type forces inertia="shell".
static int makeBuiltin(snPool* pool, snMeshArrays* arrays, int* shell, snMeshBuiltin builtin,
                       const double* params, int nparams, char* error, int error_sz) {
  memset(arrays, 0, sizeof(*arrays));
  *shell = builtin == snMESH_BUILTIN_PLATE;
  Shape shape = {.work = {.keep = pool, .error = error, .error_sz = error_sz}};
  int index = (int)builtin;
  if (index <= 0 || index >= (int)(sizeof(kinds) / sizeof(kinds[0]))) {
    return sn_fail(&shape.work, "Unsupported mesh type");
  }
  const Kind* kind = kinds + index;
  if (nparams != kind->nparams) {
    return sn_fail(&shape.work, "%s %d parameter%s", kind->needs, kind->nparams,
                   kind->nparams == 1 ? "" : "s");
  }
  int status = kind->make(&shape, params);
  sn_poolRelease(&shape.work.scratch);
  if (status) return -1;
  arrays->vert = shape.vert;
  arrays->nvert = 3 * shape.nvert;
  arrays->face = shape.face;
  arrays->nface = 3 * shape.nface;
  arrays->normal = shape.normal;
  arrays->nnormal = 3 * shape.nnormal;
  return 0;
}

int sns_makeMesh(snsMesh* mesh, snMeshBuiltin builtin, double* params, int nparams) {
  if (!mesh || (nparams && !params)) return -1;
  if (builtin == snMESH_BUILTIN_NONE) {
    sn_specError(sns_getSpec(mesh->element), 0, "Error: Unsupported mesh type");
    return 1;
  }
  snPool pool = {0};
  snMeshArrays arrays;
  int shell;
  char error[200] = "";
  int status = makeBuiltin(&pool, &arrays, &shell, builtin, params, nparams, error, sizeof(error));
  if (status) {
    sn_specError(sns_getSpec(mesh->element), 0, "Error: %s", error);
  } else {
    sns_setFloat(mesh->uservert, arrays.vert, arrays.nvert);
    sns_setInt(mesh->userface, arrays.face, arrays.nface);
    sns_setFloat(mesh->usernormal, arrays.normal, arrays.nnormal);
    if (shell) mesh->inertia = snMESH_INERTIA_SHELL;
  }
  sn_poolRelease(&pool);
  return status;
}
