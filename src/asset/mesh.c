#include "asset/mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "asset/algebra.h"
#include "asset/cache.h"
#include "asset/hull.h"
#include "asset/mesh_file.h"
#include "asset/mesh_stage.h"
#include "asset/polygon.h"
#include "base/assert.h"
#include "sinew/sinew.h"

void sn_defaultMeshInput(snMeshInput* input) {
  memset(input, 0, sizeof(*input));
  for (int k = 0; k < 3; k++) input->scale[k] = 1;
  input->refquat[0] = 1;
  input->inertia = snMESH_INERTIA_LEGACY;
  input->maxhullvert = -1;
}

int sn_readMesh(snWork* work, snMeshArrays* arrays, snBytes file, const char* file_name,
                const char* content_type, int right) {
  memset(arrays, 0, sizeof(*arrays));
  if (!strcmp(content_type, "model/obj")) {
    return sn_readObj(work, arrays, file, file_name, right);
  } else if (!strcmp(content_type, "model/stl")) {
    return sn_readStl(work, arrays, file, right) ? -1 : sn_mergeVertices(work, arrays);
  } else if (!strcmp(content_type, "model/vnd.mujoco.msh")) {
    return sn_readMsh(work, arrays, file, right);
  }
  return content_type[0] ? sn_fail(work, "unsupported mesh type: '%s'", content_type)
                         : sn_fail(work, "unknown or unsupported mesh file: '%s'", file_name);
}

// ---- arrays from file and element ----

// Each array may come from one place only.
static int mergeSources(snWork* work, snMeshArrays* file, const snMeshArrays* user) {
  struct {
    const char* name;
    int in_file, in_user;
  } sources[6] = {
      {"normal", file->nnormal, user->nnormal},
      {"texcoord", file->ntexcoord, user->ntexcoord},
      {"face", file->nface, user->nface},
      {"vertex", file->nvert, user->nvert},
      {"facenormal", file->nfacenormal, user->nnormal},
      {"facetexcoord", file->nfacetexcoord, user->nfacetexcoord},
  };
  for (int i = 0; i < 6; i++) {
    if (sources[i].in_file && sources[i].in_user) {
      return sn_fail(work, "repeated %s specification", sources[i].name);
    }
  }
#define TAKE_USER(array, count) \
  if (user->count) {            \
    file->array = user->array;  \
    file->count = user->count;  \
  }
  TAKE_USER(vert, nvert)
  TAKE_USER(normal, nnormal)
  TAKE_USER(texcoord, ntexcoord)
  TAKE_USER(face, nface)
  TAKE_USER(facenormal, nfacenormal)
  TAKE_USER(facetexcoord, nfacetexcoord)
#undef TAKE_USER
  return 0;
}

static int checkCounts(snWork* work, const snMeshArrays* a) {
  if (a->nvert % 3) return sn_fail(work, "vertex data must be a multiple of 3");
  if (a->nface % 3) return sn_fail(work, "face data must be a multiple of 3");
  return 0;
}

int sn_checkMeshArrays(const snMeshArrays* arrays, char* error, int error_sz) {
  snWork work = {.error = error, .error_sz = error_sz};
  return checkCounts(&work, arrays);
}

static int checkArrays(snWork* work, const snMeshArrays* a, int is_obj) {
  if (checkCounts(work, a)) return -1;
  if (a->nvert < 12) return sn_fail(work, "at least 4 vertices required");
  if (a->nnormal % 3) return sn_fail(work, "normal data must be a multiple of 3");
  if (a->ntexcoord % 2) return sn_fail(work, "texcoord must be a multiple of 2");
  for (int i = 0; i < a->nvert; i++) {
    if (!isfinite(a->vert[i])) return sn_fail(work, "vertex coordinate %d is not finite", i / 3);
  }
  if (a->ntexcoord && !a->nfacetexcoord && !is_obj && a->ntexcoord / 2 != a->nvert / 3) {
    return sn_fail(
        work, "texcoord must be 2*nv if face texcoord indices are not provided in an OBJ file");
  }
  for (int i = 0; i < a->nface; i++) {
    if (a->face[i] < 0 || a->face[i] >= a->nvert / 3) {
      return sn_fail(work, "in face %d, vertex index %d does not exist", i / 3, a->face[i]);
    }
  }
  return 0;
}

static void* copyArray(snWork* work, const void* source, int count, size_t size) {
  SN_ASSERT(count >= 0 && (source || !count));
  void* copy = sn_keep(work, (size_t)count, size);
  if (copy && count) memcpy(copy, source, (size_t)count * size);
  return copy;
}

static int loadArrays(snWork* work, snMesh* mesh, const snMeshArrays* a) {
  SN_ASSERT(a->nvert % 3 == 0 && a->nface % 3 == 0 && a->nnormal % 3 == 0);
  mesh->nvert = a->nvert / 3;
  mesh->nnormal = a->nnormal / 3;
  mesh->ntexcoord = a->ntexcoord / 2;
  mesh->nface = a->nface / 3;
  mesh->vert = SN_KEEP(work, double, a->nvert);
  mesh->normal = copyArray(work, a->normal, a->nnormal, sizeof(float));
  mesh->texcoord = copyArray(work, a->texcoord, a->ntexcoord, sizeof(float));
  mesh->face = copyArray(work, a->face, a->nface, sizeof(int));
  if (!mesh->vert || !mesh->normal || !mesh->texcoord || !mesh->face) return -1;
  for (int i = 0; i < a->nvert; i++) mesh->vert[i] = a->vert[i];
  return 0;
}

// ---- half-edges ----

typedef struct HalfEdge_ {
  int from, to;
} HalfEdge;

static int compareEdges(const void* a, const void* b) {
  const HalfEdge *x = a, *y = b;
  if (x->from != y->from) return x->from < y->from ? -1 : 1;
  return x->to < y->to ? -1 : x->to > y->to;
}

// With inertia="exact" no directed edge may occur twice.
static int checkOrientation(snWork* work, const snMesh* mesh, const char* name) {
  HalfEdge* edges = SN_SCRATCH(work, HalfEdge, 3 * (size_t)mesh->nface);
  if (!edges) return -1;
  size_t count = 0;
  for (int i = 0; i < mesh->nface; i++) {
    const int* f = mesh->face + 3 * (size_t)i;
    double normal[3];
    double area = sn_triangle(normal, NULL, mesh->vert + 3 * (size_t)f[0],
                              mesh->vert + 3 * (size_t)f[1], mesh->vert + 3 * (size_t)f[2]);
    if (!(area > 3.1622776601683795e-8)) continue;
    for (int k = 0; k < 3; k++) {
      HalfEdge edge = {f[k], f[(k + 1) % 3]};
      edges[count++] = edge;
    }
  }
  qsort(edges, count, sizeof(HalfEdge), compareEdges);
  for (size_t i = 1; i < count; i++) {
    if (!compareEdges(edges + i - 1, edges + i)) {
      return sn_fail(work,
                     "faces of mesh '%s' have inconsistent orientation. Please check the faces "
                     "containing the vertices %d and %d.",
                     name ? name : "", edges[i].from + 1, edges[i].to + 1);
    }
  }
  return 0;
}

// ---- stages ----

// Faces of a mesh that came without: those of its hull.
static int facesFromHull(snWork* work, snMesh* mesh) {
  SN_ASSERT(mesh->graph && !mesh->nface);
  int nface;
  const int* face = sn_hullFaces(mesh->graph, &nface);
  mesh->nface = nface;
  mesh->face = copyArray(work, face, 3 * nface, sizeof(int));
  return mesh->face ? 0 : -1;
}

// Indices of normals and texture coordinates per corner.
static int cornerIndices(snWork* work, snMesh* mesh, const snMeshArrays* a) {
  SN_ASSERT(mesh->nvert > 0 && mesh->face);
  int count = 3 * mesh->nface;
  if (!mesh->facenormal) {
    if (a->nfacenormal) {
      if (a->nfacenormal != count) {
        return sn_fail(work, "face data must have the same size as face normal data");
      }
      mesh->facenormal = copyArray(work, a->facenormal, count, sizeof(int));
      if (!mesh->facenormal) return -1;
    } else {
      // several normals per vertex: the first of them
      int per_vertex = mesh->nnormal / mesh->nvert;
      mesh->facenormal = SN_KEEP(work, int, count);
      if (!mesh->facenormal) return -1;
      for (int i = 0; i < count; i++) mesh->facenormal[i] = per_vertex * mesh->face[i];
    }
  }
  mesh->facetexcoord = SN_KEEP(work, int, count);
  if (!mesh->facetexcoord) return -1;
  if (a->nfacetexcoord) {
    if (a->nfacetexcoord != count) {
      return sn_fail(work, "face data must have the same size as face texcoord data");
    }
    memcpy(mesh->facetexcoord, a->facetexcoord, sizeof(int) * (size_t)count);
  } else if (mesh->ntexcoord) {
    memcpy(mesh->facetexcoord, mesh->face, sizeof(int) * (size_t)count);
  }
  return 0;
}

// centre = ((|a|^2 b - |b|^2 a) x n) / (2 |n|^2) + v2, with a = v0-v2, b = v1-v2, n = a x b
static void circumcenter(double center[3], const double v0[3], const double v1[3],
                         const double v2[3]) {
  double a[3], b[3], n[3], mix[3];
  sn_sub3(a, v0, v2);
  sn_sub3(b, v1, v2);
  sn_cross3(n, a, b);
  double length = sqrt(sn_dot3(n, n)), aa = sn_dot3(a, a), bb = sn_dot3(b, b);
  for (int k = 0; k < 3; k++) mix[k] = aa * b[k] - bb * a[k];
  sn_cross3(center, mix, n);
  for (int k = 0; k < 3; k++) center[k] = center[k] / (2 * (length * length)) + v2[k];
}

static int faceTree(snWork* work, snMesh* mesh) {
  SN_ASSERT(mesh->nface > 0);
  snBvhLeaf* leaves = SN_SCRATCH(work, snBvhLeaf, mesh->nface);
  if (!leaves) return -1;
  for (int i = 0; i < mesh->nface; i++) {
    const int* f = mesh->face + 3 * (size_t)i;
    const double* v[3];
    for (int j = 0; j < 3; j++) v[j] = mesh->vert + 3 * (size_t)f[j];
    // through centre and half size, whose rounding shows in the boxes of the tree
    for (int k = 0; k < 3; k++) {
      double min = fmin(fmin(v[0][k], v[1][k]), v[2][k]);
      double max = fmax(fmax(v[0][k], v[1][k]), v[2][k]);
      double center = (max + min) / 2, half = (max - min) / 2;
      leaves[i].min[k] = center - half;
      leaves[i].max[k] = center + half;
    }
    circumcenter(leaves[i].key, v[0], v[1], v[2]);
    leaves[i].id = i;
  }
  return sn_buildBvh(work, &mesh->bvh, leaves, mesh->nface);
}

static int compileStages(snWork* work, snMesh* mesh, const snMeshInput* input) {
  snMeshArrays arrays = {0};
  const double* s = input->scale;
  int has_file = input->file_name && input->file_name[0];
  const char* type = input->content_type ? input->content_type : "";
  if (has_file &&
      sn_readMesh(work, &arrays, input->file, input->file_name, type, s[0] * s[1] * s[2] > 0)) {
    return -1;
  }
  if (input->field) {
    if (has_file || input->user.nvert) {
      return sn_fail(work, "a signed distance field and vertices are both given");
    }
    if (s[0] != 1 || s[1] != 1 || s[2] != 1) {
      return sn_fail(work, "attribute scale is not compatible with SDFs");
    }
    if (sn_fieldMesh(work, &arrays, input->field)) return -1;
  } else if (mergeSources(work, &arrays, &input->user)) {
    return -1;
  }
  if (checkArrays(work, &arrays, has_file && !strcmp(type, "model/obj"))) return -1;
  if (loadArrays(work, mesh, &arrays)) return -1;

  // on raw vertices: hull, faces, normals, polygons
  if (input->inertia == snMESH_INERTIA_EXACT && checkOrientation(work, mesh, input->name)) {
    return -1;
  }
  if (input->needhull || !mesh->nface) {
    if (sn_buildHull(work, &mesh->graph, &mesh->ngraph, mesh->vert, mesh->nvert,
                     input->maxhullvert)) {
      return -1;
    }
  }
  if (!mesh->nface && facesFromHull(work, mesh)) return -1;
  if (!mesh->nnormal && sn_makeNormals(work, mesh, input->smoothnormal)) return -1;
  if (cornerIndices(work, mesh, &arrays)) return -1;
  const int* face = mesh->face;
  int nface = mesh->nface;
  if (mesh->graph) face = sn_hullFaces(mesh->graph, &nface);
  if (sn_buildPolygons(work, mesh, face, nface)) return -1;

  // on final vertices
  if (sn_alignMesh(work, mesh, input)) return -1;
  for (int k = 0; k < 3; k++) mesh->scale[k] = s[k];
  sn_polygonNormals(mesh);
  if (faceTree(work, mesh)) return -1;
  if (input->needsdf && !input->field) {
    return sn_buildOctree(work, &mesh->octree, mesh->vert, mesh->nvert, mesh->face, mesh->nface,
                          mesh->aabb);
  }
  return 0;
}

// ---- cache ----

// Everything that a mesh with a file is compiled from, but for names.
static void makeKey(snCacheKey* key, const snMeshInput* in, snMeshInput* scalars) {
  // attributes with the pointers cleared; padding is zero since the copy starts from zero
  memset(scalars, 0, sizeof(*scalars));
  memcpy(scalars->scale, in->scale, sizeof(in->scale));
  memcpy(scalars->refpos, in->refpos, sizeof(in->refpos));
  memcpy(scalars->refquat, in->refquat, sizeof(in->refquat));
  scalars->inertia = in->inertia;
  scalars->smoothnormal = in->smoothnormal;
  scalars->maxhullvert = in->maxhullvert;
  scalars->needhull = in->needhull;
  scalars->needsdf = in->needsdf;
  sn_cacheKeyAdd(key, "mesh", 4);
  sn_cacheKeyAdd(key, scalars, sizeof(*scalars));
  sn_cacheKeyAdd(key, in->content_type, in->content_type ? strlen(in->content_type) : 0);
  sn_cacheKeyAdd(key, in->file.data, in->file.size);
  const snMeshArrays* user = &in->user;
  sn_cacheKeyAdd(key, user->vert, sizeof(float) * (size_t)user->nvert);
  sn_cacheKeyAdd(key, user->normal, sizeof(float) * (size_t)user->nnormal);
  sn_cacheKeyAdd(key, user->texcoord, sizeof(float) * (size_t)user->ntexcoord);
  sn_cacheKeyAdd(key, user->face, sizeof(int) * (size_t)user->nface);
  sn_cacheKeyAdd(key, user->facenormal, sizeof(int) * (size_t)user->nfacenormal);
  sn_cacheKeyAdd(key, user->facetexcoord, sizeof(int) * (size_t)user->nfacetexcoord);
}

static void releaseMesh(void* value) {
  sn_freeMesh((snMesh*)value);
  snu_free(value);
}

// Hand the arrays of a mesh to the cache; without room they stay with the mesh.
static void shareMesh(snMesh* mesh, const snCacheKey* key) {
  SN_ASSERT(!mesh->shared);
  snMesh* copy = (snMesh*)snu_malloc(sizeof(snMesh));
  if (!copy) return;
  *copy = *mesh;
  mesh->shared = sn_cacheStore(key, copy, mesh->pool.bytes, releaseMesh);
  if (mesh->shared) {
    memset(&mesh->pool, 0, sizeof(mesh->pool));
  } else {
    snu_free(copy);
  }
}

int sn_compileMesh(snMesh* mesh, const snMeshInput* input, char* error, int error_sz) {
  memset(mesh, 0, sizeof(*mesh));
  int has_file = input->file_name && input->file_name[0];
  snCacheKey key = {0};
  snMeshInput scalars;
  makeKey(&key, input, &scalars);
  snCacheEntry* entry = has_file ? sn_cacheFind(&key) : NULL;
  if (entry) {
    *mesh = *(const snMesh*)sn_cacheValue(entry);
    memset(&mesh->pool, 0, sizeof(mesh->pool));
    mesh->shared = entry;
    return 0;
  }

  snWork work = {.keep = &mesh->pool, .error = error, .error_sz = error_sz};
  work.name = input->name;
  work.file = input->file_name;
  int status = compileStages(&work, mesh, input);
  sn_poolRelease(&work.scratch);
  if (status) {
    sn_freeMesh(mesh);
  } else if (has_file) {
    shareMesh(mesh, &key);
  }
  return status;
}

void sn_freeMesh(snMesh* mesh) {
  sn_cacheDrop(mesh->shared);
  sn_poolRelease(&mesh->pool);
  memset(mesh, 0, sizeof(*mesh));
}
