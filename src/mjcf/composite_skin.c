// The skin of a cable of boxes: two layers of a grid, joined at the rim, that follow the boxes'
// edges.

#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "mjcf/composite.h"

// Vertices of the grid: nx along the cable, ny across, in two layers.
typedef struct Grid_ {
  int nx, ny;
  int* face;
  int nface;  // ints
} Grid;

static int vertex(const Grid* g, int ix, int iy, int layer) {
  SN_ASSERT_INDEX(ix, g->nx);
  SN_ASSERT_INDEX(iy, g->ny);
  return (layer * g->nx + ix) * g->ny + iy;
}

static void addFace(Grid* g, int a, int b, int c) {
  g->face[g->nface++] = a;
  g->face[g->nface++] = b;
  g->face[g->nface++] = c;
}

static void addCells(Grid* g) {
  for (int layer = 0; layer < 2; layer++) {
    for (int ix = 0; ix < g->nx - 1; ix++) {
      for (int iy = 0; iy < g->ny - 1; iy++) {
        int v00 = vertex(g, ix, iy, layer), v10 = vertex(g, ix + 1, iy, layer);
        int v11 = vertex(g, ix + 1, iy + 1, layer), v01 = vertex(g, ix, iy + 1, layer);
        if (layer == 0) {
          addFace(g, v00, v10, v11);
          addFace(g, v00, v11, v01);
        } else {
          addFace(g, v00, v11, v10);
          addFace(g, v00, v01, v11);
        }
      }
    }
  }
}

// Two triangles between a rim edge from a to b and its twin on the other layer.
static void addRim(Grid* g, int a, int b, int flip) {
  int twin = g->nx * g->ny;
  if (flip) {
    addFace(g, a, b + twin, b);
    addFace(g, a, a + twin, b + twin);
  } else {
    addFace(g, a, b, b + twin);
    addFace(g, a, b + twin, a + twin);
  }
}

static void addRims(Grid* g) {
  for (int side = 0; side < 2; side++) {
    int iy = side ? g->ny - 1 : 0;
    for (int ix = 0; ix < g->nx - 1; ix++) {
      addRim(g, vertex(g, ix, iy, 0), vertex(g, ix + 1, iy, 0), !side);
    }
  }
  for (int side = 0; side < 2; side++) {
    int ix = side ? g->nx - 1 : 0;
    for (int iy = 0; iy < g->ny - 1; iy++) {
      addRim(g, vertex(g, ix, iy, 0), vertex(g, ix, iy + 1, 0), side);
    }
  }
}

// ---- bones ----

static void boneBody(const snCableSkin* cable, snsSkin* skin, int ix) {
  char name[300];
  if (ix == 0) {
    snprintf(name, sizeof(name), "%sB_first", cable->prefix);
  } else if (ix >= cable->count - 2) {
    snprintf(name, sizeof(name), "%sB_last", cable->prefix);
  } else {
    snprintf(name, sizeof(name), "%sB_%d", cable->prefix, ix);
  }
  sns_appendString(skin->bodyname, name);
}

// Cubic Hermite weights of the nodes of a row at place x in cell i of n nodes; slopes are half the
// difference of the neighbours inside of the row and plain differences at its ends.
static void rowWeights(double* weight, int n, int i, double x) {
  SN_ASSERT(i >= 0 && i + 1 < n);
  double x2 = x * x, x3 = x2 * x;
  double value0 = 2 * x3 - 3 * x2 + 1, value1 = -2 * x3 + 3 * x2;
  double slope0 = x3 - 2 * x2 + x, slope1 = x3 - x2;
  for (int k = 0; k < n; k++) weight[k] = 0;
  weight[i] += value0;
  weight[i + 1] += value1;
  int low0 = i > 0 ? i - 1 : i, high1 = i + 2 < n ? i + 2 : i + 1;
  double scale0 = i > 0 ? 0.5 : 1, scale1 = i + 2 < n ? 0.5 : 1;
  weight[i + 1] += scale0 * slope0;
  weight[low0] -= scale0 * slope0;
  weight[high1] += scale1 * slope1;
  weight[i] -= scale1 * slope1;
}

typedef struct Bones_ {
  int* vertid;  // per bone: count entries of its own region
  float* weight;
  int* count;
  int capacity;  // entries per bone
} Bones;

static void addWeight(Bones* b, int bone, int vertid, int twin, double weight) {
  if (weight == 0 || b->count[bone] + 2 > b->capacity) return;
  size_t at = (size_t)bone * (size_t)b->capacity + (size_t)b->count[bone];
  b->vertid[at] = vertid;
  b->vertid[at + 1] = vertid + twin;
  b->weight[at] = b->weight[at + 1] = (float)weight;
  b->count[bone] += 2;
}

// Weights of a refined grid: products of the weights along and across.
static void refinedWeights(const Grid* g, Bones* b, int nx, int ny, int sub, double* along) {
  int step = 1 + sub;
  for (int ix = 0; ix < nx - 1; ix++) {
    for (int iy = 0; iy < ny - 1; iy++) {
      int endx = ix == nx - 2 ? step : sub, endy = iy == ny - 2 ? step : sub;
      for (int dx = 0; dx <= endx; dx++) {
        for (int dy = 0; dy <= endy; dy++) {
          double across[3];
          rowWeights(along, nx, ix, (double)dx / step);
          rowWeights(across, ny, iy, (double)dy / step);
          int v = vertex(g, ix * step + dx, iy * step + dy, 0);
          int last = ix + 2 < nx ? ix + 2 : nx - 1;
          for (int i = ix > 0 ? ix - 1 : 0; i <= last; i++) {
            for (int j = 0; j < ny; j++) {
              addWeight(b, i * ny + j, v, g->nx * g->ny, along[i] * across[j]);
            }
          }
        }
      }
    }
  }
}

static int addBones(snPool* pool, const snCableSkin* cable, snsSkin* skin, const Grid* g, int sub) {
  int nx = cable->count, ny = sub ? 3 : 2, nbone = nx * ny;
  // a bone reaches two cells in each direction
  Bones b = {.capacity = sub ? 2 * (4 * (1 + sub) + 1) * (4 * (1 + sub) + 1) : 2};
  b.vertid = (int*)sn_poolTake(pool, (size_t)nbone * (size_t)b.capacity, sizeof(int));
  b.weight = (float*)sn_poolTake(pool, (size_t)nbone * (size_t)b.capacity, sizeof(float));
  b.count = (int*)sn_poolTake(pool, (size_t)nbone, sizeof(int));
  float* bindpos = (float*)sn_poolTake(pool, 3 * (size_t)nbone, sizeof(float));
  float* bindquat = (float*)sn_poolTake(pool, 4 * (size_t)nbone, sizeof(float));
  double* along = (double*)sn_poolTake(pool, (size_t)nx, sizeof(double));
  if (!b.vertid || !b.weight || !b.count || !bindpos || !bindquat || !along) return 0;
  if (sub) {
    refinedWeights(g, &b, nx, ny, sub, along);
  } else {
    for (int i = 0; i < nbone; i++) addWeight(&b, i, i, g->nx * g->ny, 1);
  }
  for (int ix = 0; ix < nx; ix++) {
    for (int iy = 0; iy < ny; iy++) {
      int bone = ix * ny + iy;
      size_t at = (size_t)bone * (size_t)b.capacity;
      boneBody(cable, skin, ix);
      bindpos[3 * bone] = ix == nx - 1 ? (float)(-2 * cable->size[0]) : 0;
      bindpos[3 * bone + 1] = (float)(cable->size[1] * (iy == 0 ? -1 : iy == ny - 1 ? 1 : 0));
      bindquat[4 * bone] = 1;
      sns_appendIntVec(skin->vertid, b.vertid + at, b.count[bone]);
      sns_appendFloatVec(skin->vertweight, b.weight + at, b.count[bone]);
    }
  }
  sns_setFloat(skin->bindpos, bindpos, 3 * nbone);
  sns_setFloat(skin->bindquat, bindquat, 4 * nbone);
  return 1;
}

static int fillSkin(snPool* pool, const snCableSkin* cable, snsSkin* skin) {
  int sub = cable->subgrid > 0 ? cable->subgrid : 0, n = cable->count;
  Grid g = {.nx = n + (n - 1) * sub, .ny = sub ? 3 + 2 * sub : 2};
  size_t count = (size_t)g.nx * (size_t)g.ny;
  g.face = (int*)sn_poolTake(pool, 12 * count + 12 * (size_t)(g.nx + g.ny), sizeof(int));
  float* zeros = (float*)sn_poolTake(pool, 6 * count, sizeof(float));
  float* texcoord = (float*)sn_poolTake(pool, 4 * count, sizeof(float));
  if (!g.face || !zeros || !texcoord) return 0;
  addCells(&g);
  addRims(&g);
  sns_setFloat(skin->vert, zeros, (int)(6 * count));
  sns_setInt(skin->face, g.face, g.nface);
  if (cable->texcoord) {
    for (size_t i = 0; i < 2 * count; i++) {
      size_t at = i % count;
      texcoord[2 * i] = (float)(at / (size_t)g.ny) / (float)(g.nx - 1);
      texcoord[2 * i + 1] = (float)(at % (size_t)g.ny) / (float)(g.ny - 1);
    }
    sns_setFloat(skin->texcoord, texcoord, (int)(4 * count));
  }
  return addBones(pool, cable, skin, &g, sub);
}

int sn_addCableSkin(snSpec* spec, const snCableSkin* cable) {
  if (cable->subgrid > 100) return 0;
  snsSkin* skin = sns_addSkin(spec);
  if (!skin) return 0;
  char name[300];
  snprintf(name, sizeof(name), "%sSkin", cable->prefix);
  sns_setName(skin->element, name);  // repeated names are found by the compiler
  if (cable->material) sns_setString(skin->material, cable->material);
  memcpy(skin->rgba, cable->rgba, sizeof(skin->rgba));
  skin->inflate = (float)(2 * cable->size[2]);
  skin->group = cable->group;
  snPool pool = {0};
  int filled = fillSkin(&pool, cable, skin);
  sn_poolRelease(&pool);
  return filled;
}
