// Surface of a distance field: marching cubes.
//
// The field is sampled on a regular grid. Each cell of eight samples has one of 256 patterns of
// corners inside (negative) and outside; a table lists for each the triangles that separate them,
// as edges of the cell. A vertex lies on each edge whose ends differ, where the linear
// interpolation of the field vanishes (in single precision, as in MuJoCo), and is shared by the
// cells around the edge.
//
// Corner c of a cell has offset (c & 1, c >> 1 & 1, c >> 2 & 1). Edge 4 a + i is parallel to axis
// a; i numbers its place in the two other axes, the lower one first. Faces with two opposite
// corners inside keep these apart, in both cells that share the face: the surface has no holes.

#include <math.h>
#include <string.h>

#include "asset/mesh_stage.h"
#include "base/assert.h"

enum { SAMPLES = 300, NONE = 0xf };

// triangles of a pattern: edges in hexadecimal digits, the first in the lowest digit
static const uint64_t kTriangles[256] = {
    0xffffffffff231321, 0xfffffffffffff840, 0xfffffffffffff905, 0xffffffffff984594,
    0xfffffffffffff4a1, 0xffffffffff8a1081, 0xffffffffff0594a1, 0xfffffff8a99a5a15,
    0xfffffffffffff51b, 0xffffffffff4081b5, 0xffffffffffb901b0, 0xfffffff98bb81841,
    0xffffffffff54ab5a, 0xfffffffab88b0b50, 0xfffffffb9aa94904, 0xffffffffffb98ab8,
    0xfffffffffffff682, 0xffffffffff640260, 0xffffffffff826059, 0xfffffff456652592,
    0xffffffffff682a14, 0xfffffff02112a26a, 0xfffffff4a1268590, 0xffff592152126a16,
    0xffffffffffb51682, 0xfffffff51b026406, 0xfffffff82601b90b, 0xffffb91921261641,
    0xfffffff682ab54a5, 0xffff2606a0ab0b50, 0xffff90494ab9a682, 0xfffffffab9a926a2,
    0xfffffffffffff729, 0xffffffffff297840, 0xffffffffff572052, 0xfffffff574478728,
    0xffffffffff9724a1, 0xfffffff2978a1081, 0xfffffff14a572052, 0xffff5717212818a1,
    0xffffffffff97251b, 0xfffffff9721b5840, 0xfffffff0122171b7, 0xffffb71721124284,
    0xfffffff97254ab5a, 0xffffb50b08ab8297, 0xffff4a0ab0b70720, 0xfffffff8ab8b7287,
    0xffffffffff768978, 0xfffffff647749409, 0xfffffff765560680, 0xffffffffff574764,
    0xfffffff4a1897687, 0xffff109619a16697, 0xffff68060576514a, 0xfffffff57656a15a,
    0xfffffffb51768978, 0xffff409497647b51, 0xffffb0176bb60680, 0xfffffff764741b71,
    0xffff976896b54ab4, 0xf0970b506a0ab076, 0xf04a0680b70760ab, 0xffffffffffab6b76,
    0xfffffffffffffa63, 0xffffffffff84063a, 0xffffffffff590a63, 0xfffffffa63459849,
    0xffffffffff463143, 0xfffffff103306086, 0xfffffff059463143, 0xffff591981861631,
    0xffffffffff1b5a63, 0xfffffffa63084b51, 0xfffffff3a6b901b0, 0xffff84181b98b3a6,
    0xfffffff46556b63b, 0xffffb503b0308638, 0xffff4606303b0b90, 0xfffffffb98b863b6,
    0xffffffffffa823a2, 0xfffffff2300343a4, 0xfffffff90523a82a, 0xffff392459493a43,
    0xfffffff312218148, 0xffffffffff230310, 0xffff148182312905, 0xfffffff231215925,
    0xfffffff1b5a823a2, 0xffff3a434023051b, 0xffff901b91823a83, 0xf41b43a4924234b9,
    0xffff23b42b8244b5, 0xfffffff02303b50b, 0xf48249043b4b9423, 0xffffffffffb93923,
    0xffffffffff63a297, 0xfffffff8403a6972, 0xfffffff63a205725, 0xffff728784574a63,
    0xfffffff729314634, 0xffff086063103729, 0xffff720570631461, 0xf863872815857831,
    0xfffffffb51297a63, 0xffffa63972b51840, 0xffff1b717201263a, 0xfa63b71721281841,
    0xffff63b6b5465972, 0xf9728606303b0b50, 0xfb72b63b04b46b20, 0xffff8626323b2b72,
    0xfffffff89aa93973, 0xffff97309303a40a, 0xffff5707303a0a80, 0xfffffff457473a43,
    0xffff481891971731, 0xfffffff310309739, 0xf805814873831857, 0xffffffffff571731,
    0xffff97393a89a1b5, 0xfb519707303a0a40, 0xf73a71b7807017a8, 0xffffb717313a1a41,
    0xf3b5397348389354, 0xffff9707303b0b50, 0xffffffffffb73480, 0xfffffffffffff3b7,
    0xfffffffffffffb37, 0xffffffffff7b3840, 0xffffffffff7b3905, 0xfffffff7b3984594,
    0xffffffffffa1437b, 0xfffffffb37108a18, 0xfffffff59037b4a1, 0xffffa15a598a97b3,
    0xffffffffff751371, 0xfffffff408137517, 0xfffffff130039379, 0xffff371791981841,
    0xfffffff5477434a3, 0xffff8a0a30370750, 0xffff79390330a04a, 0xfffffff98a9a3793,
    0xffffffffff37b682, 0xfffffff37b640260, 0xfffffff7b3059682, 0xffff59252645637b,
    0xfffffff68214a7b3, 0xffff26a2a1021b37, 0xffff7b36824a1590, 0xf7b35919212616a1,
    0xfffffff268751371, 0xffff513753402642, 0xffff379390130826, 0xf926937941913964,
    0xffff4a3437547268, 0xfa37a26a50a02a75, 0xf6824a0a30370790, 0xffff6a2a32372792,
    0xffffffffff9b3293, 0xfffffff0849b3293, 0xfffffff20330b05b, 0xffff32b24b284b45,
    0xfffffffa14329b39, 0xffffb329b2a108a0, 0xffff05b0b3203a14, 0xf5b35a152858a532,
    0xfffffff321125295, 0xffff295251321408, 0xffffffffff320130, 0xfffffff132128418,
    0xffff9325499434a3, 0xf5085295a353258a, 0xfffffff320304a34, 0xffffffffff8a2a32,
    0xfffffff9b88b6b36, 0xffff9b0b30360640, 0xffff5b0b30038368, 0xfffffff64565b36b,
    0xffffb36b689b84a1, 0xf6a16b360969b610, 0xf4a15b0b30360680, 0xffff5b1b313616a1,
    0xffff361681891951, 0xf951940936964913, 0xfffffff013036806, 0xffffffffff643413,
    0xf36834a395354389, 0xffffffffff9506a3, 0xffff4a3043803836, 0xfffffffffffff6a3,
    0xffffffffffba67b6, 0xfffffff84067ba6b, 0xfffffff590ba67b6, 0xffff7ba67a598458,
    0xfffffff6744717b1, 0xffff0b167b6b0860, 0xffff7b1714674059, 0xf15917b186167198,
    0xfffffff75665a51a, 0xffff51a5a6756840, 0xffff0191691a6967, 0xf1a6184179198167,
    0xffffffffff754674, 0xfffffff675650860, 0xfffffff467479049, 0xffffffffff678798,
    0xfffffffa8bb87827, 0xffff2707b0ba0a40, 0xffff82787ba8b590, 0xf27b2592a42452ba,
    0xffff7b1271214824, 0xfffffff102127b17, 0xf4818212717b1590, 0xffff7b1271921915,
    0xffffa81821271751, 0xfa40a51a27a75a02, 0xf79078271a7a8701, 0xffffffffff792a41,
    0xfffffff754748278, 0xffffffffff752502, 0xffff480820270790, 0xfffffffffffff279,
    0xfffffffba99a2a62, 0xffffa62a29ba9084, 0xffff5b0ba0a60620, 0xf2842a625b2ba245,
    0xffff4616212919b1, 0xf6296086b161069b, 0xfb14b05b62b20b46, 0xffffffffff5b1862,
    0xffff9525122161a6, 0xfa61621291951840, 0xfffffff20121a62a, 0xffffa61621281841,
    0xfffffff546562952, 0xffff860620290950, 0xffffffffff460620, 0xfffffffffffff862,
    0xffffffffff9b8ba8, 0xfffffff9ba9a4094, 0xfffffffba8b805b0, 0xffffffffff45a5ba,
    0xfffffff89b8b1481, 0xffffffffff9b0b10, 0xffff5b0b10140480, 0xfffffffffffff15b,
    0xfffffffa89a951a5, 0xffff9505101a0a40, 0xffffffffffa81801, 0xfffffffffffffa41,
    0xffffffffff894954, 0xfffffffffffff095, 0xfffffffffffff480, 0xffffffffffffffff,
};

typedef struct Grid_ {
  int n[3];  // samples
  const snMeshField* field;
  float* value;  // x fastest
  int* vertex;   // of the edges that start at each sample, one per axis; -1: none yet
  float* vert;   // 3 per vertex, in units of the grid while marching
  int nvert;
  int* face;
  int nface;
} Grid;

static size_t sampleIndex(const Grid* g, int x, int y, int z) {
  SN_ASSERT_INDEX(x, g->n[0]);
  SN_ASSERT_INDEX(y, g->n[1]);
  SN_ASSERT_INDEX(z, g->n[2]);
  return ((size_t)z * (size_t)g->n[1] + (size_t)y) * (size_t)g->n[0] + (size_t)x;
}

static double coordinate(const Grid* g, int axis, double i) {
  SN_ASSERT(g->n[axis] > 1);
  const double *center = g->field->center, *half = g->field->half;
  return center[axis] - half[axis] + 2 * half[axis] * i / (g->n[axis] - 1);
}

static snReal fieldAt(const snMeshField* field, const snReal point[3]) {
  return field->distance ? field->distance(point, field->attribute)
                         : sn_shapeDistance(&field->shape, point);
}

static int sampleField(snWork* work, Grid* g) {
  size_t count = (size_t)g->n[0] * (size_t)g->n[1] * (size_t)g->n[2];
  g->value = SN_SCRATCH(work, float, count);
  g->vertex = SN_SCRATCH(work, int, 3 * count);
  if (!g->value || !g->vertex) return -1;
  memset(g->vertex, -1, 3 * count * sizeof(int));
  float* value = g->value;
  for (int z = 0; z < g->n[2]; z++) {
    for (int y = 0; y < g->n[1]; y++) {
      for (int x = 0; x < g->n[0]; x++) {
        snReal point[3] = {(snReal)coordinate(g, 0, x), (snReal)coordinate(g, 1, y),
                           (snReal)coordinate(g, 2, z)};
        *value++ = (float)fieldAt(g->field, point);
      }
    }
  }
  return 0;
}

static int cellPattern(const Grid* g, const int cell[3]) {
  int pattern = 0;
  for (int c = 0; c < 8; c++) {
    size_t i = sampleIndex(g, cell[0] + (c & 1), cell[1] + (c >> 1 & 1), cell[2] + (c >> 2 & 1));
    pattern |= (g->value[i] < 0) << c;
  }
  return pattern;
}

// where the field vanishes on an edge of a cell; made when the edge is first met
static int edgeVertex(Grid* g, const int cell[3], int edge) {
  SN_ASSERT_INDEX(edge, 12);
  int axis = edge / 4, side = edge % 4;
  int first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
  int start[3] = {cell[0], cell[1], cell[2]}, end[3];
  start[first] += side & 1;
  start[second] += side >> 1;
  memcpy(end, start, sizeof(end));
  end[axis]++;
  size_t a = sampleIndex(g, start[0], start[1], start[2]);
  size_t b = sampleIndex(g, end[0], end[1], end[2]);
  int* vertex = g->vertex + 3 * a + axis;
  if (*vertex >= 0) return *vertex;
  float fraction = g->value[a] / (g->value[a] - g->value[b]);
  if (g->vert) {
    float* v = g->vert + 3 * (size_t)g->nvert;
    for (int k = 0; k < 3; k++) v[k] = (float)start[k] + (k == axis ? fraction : 0);
  }
  return *vertex = g->nvert++;
}

static void marchCell(Grid* g, const int cell[3]) {
  int pattern = cellPattern(g, cell);
  if (pattern == 0 || pattern == 255) return;
  // vertices of a cell are numbered in the order of its edges, not of its triangles
  for (int edge = 0; edge < 12; edge++) {
    int axis = edge / 4, side = edge % 4;
    int start = axis == 0 ? side << 1 : axis == 1 ? (side & 1) | (side & 2) << 1 : side;
    if ((pattern >> start & 1) != (pattern >> (start | 1 << axis) & 1)) edgeVertex(g, cell, edge);
  }
  for (uint64_t edges = kTriangles[pattern]; (edges & 0xf) != NONE; edges >>= 12) {
    for (int k = 0; k < 3; k++) {
      int vertex = edgeVertex(g, cell, (int)(edges >> 4 * k & 0xf));
      if (g->face) g->face[3 * (size_t)g->nface + (size_t)k] = vertex;
    }
    g->nface++;
  }
}

static void march(Grid* g) {
  int cell[3];
  g->nvert = g->nface = 0;
  for (cell[2] = 0; cell[2] < g->n[2] - 1; cell[2]++) {
    for (cell[1] = 0; cell[1] < g->n[1] - 1; cell[1]++) {
      for (cell[0] = 0; cell[0] < g->n[0] - 1; cell[0]++) marchCell(g, cell);
    }
  }
}

// Unit normals, weighted by area in units of the grid. MuJoCo's bits follow from single precision, edges
// from the second corner and division by the length.
static float* gridNormals(snWork* work, const Grid* g) {
  float* normal = SN_SCRATCH(work, float, 3 * (size_t)g->nvert);
  for (int i = 0; normal && i < g->nface; i++) {
    const int* f = g->face + 3 * (size_t)i;
    const float *v0 = g->vert + 3 * (size_t)f[1], *v1 = g->vert + 3 * (size_t)f[2];
    const float* v2 = g->vert + 3 * (size_t)f[0];
    for (int k = 0; k < 3; k++) {
      int p = (k + 1) % 3, q = (k + 2) % 3;
      float cross = (v1[p] - v0[p]) * (v2[q] - v0[q]) - (v1[q] - v0[q]) * (v2[p] - v0[p]);
      for (int j = 0; j < 3; j++) normal[3 * (size_t)f[j] + (size_t)k] += cross;
    }
  }
  for (int i = 0; normal && i < g->nvert; i++) {
    float* n = normal + 3 * (size_t)i;
    float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int k = 0; length > 0 && k < 3; k++) n[k] /= length;
  }
  return normal;
}

int sn_fieldMesh(snWork* work, snMeshArrays* arrays, const snMeshField* field) {
  Grid grid;
  const double* half = field->half;
  memset(&grid, 0, sizeof(grid));
  grid.field = field;
  memset(arrays, 0, sizeof(*arrays));
  double total = half[0] + half[1] + half[2];
  for (int k = 0; k < 3; k++) {
    if (!(half[k] > 0) || !isfinite(total)) return sn_fail(work, "empty signed distance field");
    grid.n[k] = (int)floor(SAMPLES / total * half[k]) + 1;
  }
  if (sampleField(work, &grid)) return -1;
  march(&grid);  // count
  size_t count = (size_t)grid.n[0] * (size_t)grid.n[1] * (size_t)grid.n[2];
  memset(grid.vertex, -1, 3 * count * sizeof(int));
  grid.vert = SN_SCRATCH(work, float, 3 * (size_t)grid.nvert);
  grid.face = SN_SCRATCH(work, int, 3 * (size_t)grid.nface);
  if (!grid.vert || !grid.face) return -1;
  march(&grid);  // fill
  arrays->normal = gridNormals(work, &grid);
  if (!arrays->normal) return -1;
  arrays->nnormal = 3 * grid.nvert;
  for (size_t i = 0; i < 3 * (size_t)grid.nvert; i++) {
    grid.vert[i] = (float)coordinate(&grid, (int)(i % 3), grid.vert[i]);
  }
  arrays->vert = grid.vert;
  arrays->nvert = 3 * grid.nvert;
  arrays->face = grid.face;
  arrays->nface = 3 * grid.nface;
  return 0;
}
