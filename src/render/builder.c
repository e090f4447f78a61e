// Triangles to shapes (host side: takes memory).

#include "render/builder.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"

// room for one more item of the given size; 0 on failure
static int grow(void** array, int count, int* max, size_t size) {
  SN_ASSERT(count >= 0 && count <= *max);
  if (count < *max) return 1;
  int more = *max ? 2 * *max : 256;
  void* fresh = snu_malloc(more * size);
  if (!fresh) return 0;
  if (count) memcpy(fresh, *array, count * size);
  snu_free(*array);
  *array = fresh;
  *max = more;
  return 1;
}

static int startCluster(Builder* b) {
  if (!grow((void**)&b->cluster, b->ncluster, &b->maxcluster, sizeof(Cluster))) return 0;
  Cluster* c = b->cluster + b->ncluster++;
  memset(c, 0, sizeof(*c));
  c->vert = b->nvert;
  c->tri = b->ntri;
  return 1;
}

static int addCorner(Builder* b, const Vertex* v) {
  SN_ASSERT(b->ncluster > 0);
  Cluster* c = b->cluster + b->ncluster - 1;
  for (int i = b->nvert - 1; i >= c->vert; i--) {
    if (!memcmp(b->vertex + i, v, sizeof(*v))) return i;
  }
  if (!grow((void**)&b->vertex, b->nvert, &b->maxvert, sizeof(Vertex))) return -1;
  b->vertex[b->nvert] = *v;
  c->nvert++;
  return b->nvert++;
}

void snr_addTriangle(Builder* b, const Vertex* v0, const Vertex* v1, const Vertex* v2) {
  const Vertex* vertex[3] = {v0, v1, v2};
  if (b->failed) return;
  int full = !b->ncluster || b->cluster[b->ncluster - 1].nvert > kClusterVerts - 3;
  if (full && !startCluster(b)) {
    b->failed = 1;
    return;
  }
  int max = 3 * b->maxtri;  // corners lie in threes
  if (b->ntri >= b->maxtri) {
    int more = b->maxtri ? 2 * b->maxtri : 256;
    int* fresh = snu_malloc(3 * (size_t)more * sizeof(int));
    if (!fresh) {
      b->failed = 1;
      return;
    }
    if (max) memcpy(fresh, b->corner, max * sizeof(int));
    snu_free(b->corner);
    b->corner = fresh;
    b->maxtri = more;
  }
  for (int i = 0; i < 3; i++) {
    int at = addCorner(b, vertex[i]);
    if (at < 0) {
      b->failed = 1;
      return;
    }
    b->corner[3 * b->ntri + i] = at;
  }
  b->ntri++;
  b->cluster[b->ncluster - 1].ntri++;
  SN_ASSERT(b->cluster[b->ncluster - 1].nvert <= kClusterVerts);
}

void snr_addQuad(Builder* b, const Vertex* v0, const Vertex* v1, const Vertex* v2,
                 const Vertex* v3) {
  b->quads = 1;
  snr_addTriangle(b, v0, v1, v3);
  snr_addTriangle(b, v1, v2, v3);
}

void snr_addFacet(Builder* b, const float p0[3], const float p1[3], const float p2[3]) {
  const float* p[3] = {p0, p1, p2};
  double u[3], w[3], n[3];
  for (int i = 0; i < 3; i++) {
    u[i] = (double)p1[i] - p0[i];
    w[i] = (double)p2[i] - p0[i];
  }
  n[0] = u[1] * w[2] - u[2] * w[1];
  n[1] = u[2] * w[0] - u[0] * w[2];
  n[2] = u[0] * w[1] - u[1] * w[0];
  double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  Vertex v[3];
  memset(v, 0, sizeof(v));
  for (int k = 0; k < 3; k++) {
    memcpy(v[k].pos, p[k], sizeof(v[k].pos));
    for (int i = 0; i < 3; i++) v[k].normal[i] = (float)(length > 0 ? n[i] / length : i == 2);
  }
  snr_addTriangle(b, v, v + 1, v + 2);
}

// sphere around vertices: centre of their box
static float boundVertices(const Vertex* vertex, int count, float center[3]) {
  SN_ASSERT(count > 0);
  float low[3], high[3], radius = 0;
  for (int i = 0; i < 3; i++) low[i] = high[i] = vertex[0].pos[i];
  for (int k = 0; k < count; k++) {
    const float* p = vertex[k].pos;
    for (int i = 0; i < 3; i++) {
      if (p[i] < low[i]) low[i] = p[i];
      if (p[i] > high[i]) high[i] = p[i];
    }
  }
  for (int i = 0; i < 3; i++) center[i] = 0.5f * (low[i] + high[i]);
  for (int k = 0; k < count; k++) {
    const float* p = vertex[k].pos;
    float d[3] = {p[0] - center[0], p[1] - center[1], p[2] - center[2]};
    float square = dot3f(d, d);
    if (square > radius) radius = square;
  }
  return 1.0001f * sqrtf(radius);
}

static void packCorners(const Cluster* c, const int* corner, unsigned* packed) {
  for (int t = c->tri; t < c->tri + c->ntri; t++) {
    const int* at = corner + 3 * (size_t)t;
    packed[t] = (unsigned)(at[0] - c->vert) | (unsigned)(at[1] - c->vert) << 8 |
                (unsigned)(at[2] - c->vert) << 16;
  }
}

int snr_finishShape(Builder* b, Shape* shape) {
  memset(shape, 0, sizeof(*shape));
  int nv = b->nvert, nt = b->ntri, nc = b->ncluster, ok = !b->failed;
  size_t floats = (size_t)nv * (b->textured ? 8 : 6), ints = 4 * (size_t)nt;
  if (ok && nt) {
    char* block = snu_malloc(floats * sizeof(float) + ints * sizeof(int) + nc * sizeof(Cluster));
    ok = block != NULL;
    if (ok) {
      float *pos = (float*)block, *normal = pos + 3 * nv, *tex = normal + 3 * nv;
      int* corner = (int*)(pos + floats);
      unsigned* packed = (unsigned*)(corner + 3 * (size_t)nt);
      Cluster* cluster = (Cluster*)(corner + ints);
      for (int i = 0; i < nv; i++) {
        memcpy(pos + 3 * i, b->vertex[i].pos, 3 * sizeof(float));
        memcpy(normal + 3 * i, b->vertex[i].normal, 3 * sizeof(float));
        if (b->textured) memcpy(tex + 2 * i, b->vertex[i].tex, 2 * sizeof(float));
      }
      memcpy(corner, b->corner, 3 * (size_t)nt * sizeof(int));
      for (int i = 0; i < nc; i++) {
        Cluster* c = b->cluster + i;
        c->radius = boundVertices(b->vertex + c->vert, c->nvert, c->center);
        packCorners(c, corner, packed);
      }
      memcpy(cluster, b->cluster, nc * sizeof(Cluster));
      Shape made = {nv,     nt,      nc,  pos, normal, b->textured ? tex : NULL,
                    corner, cluster, {0}, 0,   packed, b->quads};
      made.radius = boundVertices(b->vertex, nv, made.center);
      *shape = made;
    }
  }
  snu_free(b->vertex);
  snu_free(b->corner);
  snu_free(b->cluster);
  memset(b, 0, sizeof(*b));
  return ok;
}

void snr_releaseShape(Shape* shape) {
  snu_free((void*)shape->pos);
  memset(shape, 0, sizeof(*shape));
}
