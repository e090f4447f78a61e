// Points and elements of a flexcomp from files: triangles of OBJ and STL, elements of Gmsh.

#include <string.h>

#include "asset/algebra.h"
#include "asset/gmsh.h"
#include "asset/mesh_file.h"
#include "asset/resource.h"
#include "base/error.h"
#include "mjcf/flexcomp.h"

enum { PATH_SIZE = 4096, TEXT_SIZE = 700 };

// The file, relative to the folder of meshes; 0 after an error.
static int openFile(snFlexcomp* f, const char* file, snResource* resource) {
  snReader* r = f->r;
  char includedir[PATH_SIZE] = "", error[TEXT_SIZE] = "";
  int included = f->node->file && r->file && strcmp(f->node->file, r->file) != 0;
  if (included) sn_pathDirectory(f->node->file, includedir, sizeof(includedir));
  snAssetPath path = {r->folder, sns_getString(r->spec->compiler.meshdir), file, includedir, NULL,
                      1};
  if (!sn_openAsset(resource, r->vfs, &path, error, sizeof(error))) return 1;
  return sn_mjcfFail(r, f->node, "Error: %s", error);
}

// ---- surfaces ----

// Six times the volume of the tetrahedron of a face with the origin.
static double volume(const double* o, const double* a, const double* b, const double* c) {
  double oa[3], ob[3], oc[3], normal[3];
  sn_sub3(oa, a, o);
  sn_sub3(ob, b, o);
  sn_sub3(oc, c, o);
  sn_cross3(normal, oa, ob);
  return sn_dot3(normal, oc);
}

// Faces are the elements of a surface. Those of a volume are completed by the origin, its point 0;
// those that do not see it from inside are left out.
static int addFaces(snFlexcomp* f, const snMeshArrays* mesh) {
  int solid = f->flex->dim == 3;
  if (solid && !sn_flexcompAddPoint(f, f->origin[0], f->origin[1], f->origin[2])) return 0;
  for (int i = 0; i + 2 < mesh->nvert; i += 3) {
    const float* v = mesh->vert + i;
    if (!sn_flexcompAddPoint(f, (double)v[0], (double)v[1], (double)v[2])) return 0;
  }
  int npoint = sn_flexcompPoints(f);
  for (int i = 0; i + 2 < mesh->nface; i += 3) {
    const int* face = mesh->face + i;
    if (!solid) {
      if (!sn_flexcompAddElement(f, 3, face)) return 0;
      continue;
    }
    int element[4] = {0, face[0] + 1, face[1] + 1, face[2] + 1}, exist = 1;
    for (int k = 1; k < 4; k++) exist &= element[k] >= 1 && element[k] < npoint;
    const double* p = f->flex->vert->data;
    if (exist && volume(p, p + 3 * (size_t)element[1], p + 3 * (size_t)element[2],
                        p + 3 * (size_t)element[3]) < snMINVAL) {
      continue;
    }
    if (!sn_flexcompAddElement(f, 4, element)) return 0;
  }
  return 1;
}

// Texture coordinates of the file replace those of the element.
static int setTexcoord(snFlexcomp* f, const snMeshArrays* mesh) {
  if (!mesh->ntexcoord) return 1;
  sns_setFloat(f->flex->texcoord, mesh->texcoord, mesh->ntexcoord);
  if (mesh->nfacetexcoord) {
    sns_setInt(f->flex->elemtexcoord, mesh->facetexcoord, mesh->nfacetexcoord);
  }
  return 1;
}

static int readSurface(snFlexcomp* f, const char* type, snBytes bytes, snWork* work) {
  snMeshArrays mesh;
  if (sn_readMesh(work, &mesh, bytes, work->file, type, 1) || sn_mergeVertices(work, &mesh)) {
    return sn_mjcfFail(f->r, f->node, "Error: %s\nElement name '', id -1", work->error);
  }
  if (!mesh.nvert || !mesh.nface) {
    return sn_mjcfFail(f->r, f->node, "Vertex and face data required");
  }
  return addFaces(f, &mesh) && setTexcoord(f, &mesh);
}

// ---- Gmsh ----

static int readGmsh(snFlexcomp* f, snBytes bytes, snWork* work) {
  snGmsh mesh;
  if (sn_readGmsh(work, &mesh, bytes)) {
    if (sn_plainMessages()) return sn_mjcfFail(f->r, f->node, "Error: %s", work->error);
    return sn_mjcfFail(f->r, f->node, "Error: %s\nGMSH file '%.300s', line %d", work->error,
                       work->file, sn_lineOf(bytes, mesh.where));
  }
  if (mesh.dim) f->flex->dim = mesh.dim;
  for (int i = 0; i < mesh.npoint; i++) {
    const double* p = mesh.point + 3 * (size_t)i;
    if (!sn_flexcompAddPoint(f, p[0], p[1], p[2])) return 0;
  }
  for (int i = 0; i < mesh.nelem; i++) {
    if (!sn_flexcompAddElement(f, mesh.dim + 1, mesh.elem + (size_t)(mesh.dim + 1) * i)) return 0;
  }
  return 1;
}

int sn_flexcompFile(snFlexcomp* f) {
  const char* text = sn_xmlAttr(f->node, "file");
  if (!text || !*text) return sn_mjcfFail(f->r, f->node, "File is required");
  const char* file = sn_mjcfPath(f->r, text);
  if (f->r->spec->strippath) file = sn_pathFile(file);
  char type[64] = "";
  sn_contentType(NULL, file, type, sizeof(type));
  if (f->type == snFLEXCOMP_MESH && f->flex->dim < 2) {
    return sn_mjcfFail(f->r, f->node, "Flex dim must be at least 2 for mesh");
  }
  if (f->type == snFLEXCOMP_MESH && !strcmp(type, "model/vnd.mujoco.msh")) {
    return sn_mjcfFail(f->r, f->node, "legacy MSH files are not supported in flexcomp");
  }
  snResource resource = {0};
  char error[TEXT_SIZE] = "";
  snPool keep = {0};
  snWork work = {.keep = &keep, .error = error, .error_sz = sizeof(error), .file = file};
  if (!openFile(f, file, &resource)) return 0;
  if (resource.path) work.file = resource.path;
  int ok = f->type == snFLEXCOMP_MESH ? readSurface(f, type, resource.bytes, &work)
                                      : readGmsh(f, resource.bytes, &work);
  sn_closeResource(&resource);
  sn_poolRelease(&work.scratch);
  sn_poolRelease(&keep);
  return ok;
}
