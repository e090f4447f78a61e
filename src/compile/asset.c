// Assets: reading their files and handing them to the asset layer; links from geoms to them.

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "asset/resource.h"
#include "base/error.h"
#include "compile/compiler.h"

enum { PATH_SIZE = 4096, TYPE_SIZE = 128 };

// File name as it is stored and looked up; the model that holds the element says whether paths are stripped, not the
// one that it was attached from.
const char* sn_assetFile(const snElem* elem, const snString* file) {
  const char* name = sns_getString(file);
  return elem->spec->strippath ? sn_pathFile(name) : name;
}

const char* sn_storedFile(const snElem* elem, const snString* file, char* buffer, int size) {
  const char* name = sn_assetFile(elem, file);
  char folder[PATH_SIZE], path[PATH_SIZE];
  if (!*name || !elem->beside) return name;
  sn_pathDirectory(elem->file, folder, sizeof(folder));
  if (!sn_pathJoin(folder, name, path, sizeof(path)) ||
      !sn_pathReduce(path, buffer, (size_t)size)) {
    return name;
  }
  return buffer;
}

int sn_openElemAsset(const snVFS* vfs, const snElem* elem, const char* file,
                     const snString* directory, snResource* resource, char* error, int error_sz) {
  char includedir[PATH_SIZE] = "";
  if (elem->included) sn_pathDirectory(elem->file, includedir, sizeof(includedir));
  snByte* beside = &((snElem*)(uintptr_t)elem)->beside;
  snAssetPath path = {sn_elemFolder(elem), sns_getString(directory), file, includedir, beside, 0};
  *beside = 0;
  return sn_openAsset(resource, vfs, &path, error, error_sz);
}

// MuJoCo does not say which element a missing file belongs to
static int assetError(snCompiler* c, const snElem* elem, const char* error) {
  int missing = sn_plainMessages() && !strncmp(error, "Error opening file", 18);
  return sn_itemError(c, missing ? NULL : elem, "%s", error);
}

// ---- names and links ----

static int nameAsset(snCompiler* c, snElem* elem, const snString* file, int needed) {
  char stem[256];
  if (sn_stringEmpty(&elem->name) && !sn_stringEmpty(file)) {
    sn_pathStem(sns_getString(file), stem, sizeof(stem));
    if (sns_setName(&elem->head, stem)) {
      return sn_itemError(c, sn_plainMessages() ? NULL : elem, "repeated name '%s' in %s", stem,
                          sn_typeName(elem->head.elemtype));
    }
  }
  if (needed && sn_stringEmpty(&elem->name)) {
    return sn_itemError(
        c, elem, "empty name in %s",
        elem->head.elemtype == snOBJ_HFIELD ? "height field" : sn_typeName(elem->head.elemtype));
  }
  return 0;
}

static void setUserArrays(snMeshArrays* user, const snsMesh* spec);

// as MuJoCo checks before anything else
static int checkMeshArrays(snCompiler* c, const snMeshItem* item) {
  char error[200] = "";
  snMeshArrays user;
  memset(&user, 0, sizeof(user));
  setUserArrays(&user, &item->spec);
  if (!sn_checkMeshArrays(&user, error, sizeof(error))) return 0;
  return sn_itemError(c, item->elem, "%s", error);
}

int sn_nameAssets(snCompiler* c) {
  for (int i = 0; i < c->nmesh; i++) SN_TRY(checkMeshArrays(c, c->meshes + i));
  for (int i = 0; i < c->nmesh; i++)
    SN_TRY(nameAsset(c, c->meshes[i].elem, c->meshes[i].spec.file, 1));
  for (int i = 0; i < c->nskin; i++)
    SN_TRY(nameAsset(c, c->skins[i].elem, c->skins[i].spec.file, 0));
  for (int i = 0; i < c->nhfield; i++) {
    SN_TRY(nameAsset(c, c->hfields[i].elem, c->hfields[i].spec.file, 1));
  }
  for (int i = 0; i < c->nmat; i++) SN_TRY(nameAsset(c, c->materials[i].elem, NULL, 1));
  for (int i = 0; i < c->ntex; i++) {
    const snTextureItem* texture = c->textures + i;
    SN_TRY(nameAsset(c, texture->elem, texture->spec.file, texture->spec.type != snTEXTURE_SKYBOX));
  }
  return 0;
}

// MuJoCo reports an element that names a material or texture which discardvisual drops as an internal error, and as unknown
// where it never was; geoms and meshes may name anything. Here the reference goes with what it names.
int sn_isDiscarded(const snCompiler* c, const snElem* elem, snObj type, const snString* name) {
  if (!c->settings->discardvisual) return 0;
  return elem->head.elemtype == snOBJ_GEOM || sn_findName(c->spec, type, sns_getString(name));
}

// number of the material of an element; -1 for none
static int findMaterial(snCompiler* c, const snElem* elem, const snString* name, int* id) {
  *id = -1;
  if (sn_stringEmpty(name) || sn_isDiscarded(c, elem, snOBJ_MATERIAL, name)) return 0;
  const void* material = sn_findItem(c, snOBJ_MATERIAL, sns_getString(name));
  if (!material) {
    return sn_itemError(c, elem, "material '%s' not found in %s %d", sns_getString(name),
                        sn_typeName(elem->head.elemtype), elem->id);
  }
  *id = sn_itemId(snOBJ_MATERIAL, material);
  return 0;
}

static int linkGeom(snCompiler* c, snGeomItem* geom) {
  const snsGeom* spec = &geom->spec;
  if (!sn_stringEmpty(spec->meshname)) {
    geom->mesh = (snMeshItem*)sn_findItem(c, snOBJ_MESH, sns_getString(spec->meshname));
    if (!geom->mesh) {
      return sn_itemError(c, geom->elem, "mesh '%s' not found in geom %d",
                          sns_getString(spec->meshname), geom->id);
    }
  }
  const snString* material = spec->material;
  if (sn_stringEmpty(material) && geom->mesh) material = geom->mesh->spec.material;
  SN_TRY(findMaterial(c, geom->elem, material, &geom->matid));
  if (!sn_stringEmpty(spec->hfieldname)) {
    geom->hfield = (snHFieldItem*)sn_findItem(c, snOBJ_HFIELD, sns_getString(spec->hfieldname));
    if (!geom->hfield) {
      return sn_itemError(c, geom->elem, "hfield '%s' not found in geom %d",
                          sns_getString(spec->hfieldname), geom->id);
    }
  }
  return 0;
}

int sn_linkAssets(snCompiler* c) {
  for (int i = 0; i < c->ngeom; i++) SN_TRY(linkGeom(c, c->geoms[i]));
  for (int i = 0; i < c->nskin; i++) {
    snSkinItem* skin = c->skins + i;
    skin->matid = -1;
    if (c->settings->discardvisual) continue;  // see compileSkin
    SN_TRY(findMaterial(c, skin->elem, skin->spec.material, &skin->matid));
  }
  return 0;
}

int sn_linkMaterials(snCompiler* c) {
  for (int i = 0; i < c->nsite; i++) {
    snSiteItem* site = c->sites[i];
    SN_TRY(findMaterial(c, site->elem, site->spec.material, &site->matid));
  }
  for (int i = 0; i < c->ntendon; i++) {
    snTendonItem* tendon = c->tendons + i;
    SN_TRY(findMaterial(c, tendon->elem, tendon->spec.material, &tendon->matid));
  }
  return 0;
}

int sn_linkTextures(snCompiler* c) {
  for (int i = 0; i < c->nmat; i++) {
    snMaterialItem* material = c->materials + i;
    const snStringVec* names = material->spec.textures;
    for (int k = 0; k < snNTEXROLE; k++) {
      material->texid[k] = -1;
      if (k >= names->size || sn_stringEmpty(names->data + k)) continue;
      const char* name = sns_getString(names->data + k);
      const void* texture = sn_findItem(c, snOBJ_TEXTURE, name);
      if (!texture) {
        return sn_itemError(c, material->elem, "texture '%s' not found in material %d", name, i);
      }
      material->texid[k] = sn_itemId(snOBJ_TEXTURE, texture);
    }
  }
  return 0;
}

// ---- meshes ----

// Hulls are built where a mesh can collide or its inertia needs one. What a mesh once had it keeps when its spec is compiled again.
static void requestHulls(snCompiler* c) {
  for (int i = 0; i < c->ngeom; i++) {
    const snGeomItem* geom = c->geoms[i];
    snGeom type = geom->spec.type;
    if (!geom->mesh || (type != snGEOM_MESH && type != snGEOM_SDF)) continue;
    if (geom->spec.contype || geom->spec.conaffinity || geom->referenced ||
        geom->mesh->spec.inertia == snMESH_INERTIA_CONVEX) {
      geom->mesh->needhull = 1;
    }
    if (type == snGEOM_SDF) geom->mesh->needsdf = 1;
  }
  for (int i = 0; i < c->nmesh; i++) {
    snMeshItem* mesh = c->meshes + i;
    mesh->needhull = mesh->elem->hulled |= (snByte)mesh->needhull;
    if (mesh->needsdf) ((snsMesh*)mesh->elem->object)->needsdf = 1;
  }
}

static void setUserArrays(snMeshArrays* user, const snsMesh* spec) {
  user->vert = spec->uservert->data;
  user->nvert = spec->uservert->size;
  user->normal = spec->usernormal->data;
  user->nnormal = spec->usernormal->size;
  user->texcoord = spec->usertexcoord->data;
  user->ntexcoord = spec->usertexcoord->size;
  user->face = spec->userface->data;
  user->nface = spec->userface->size;
  user->facenormal = spec->userfacenormal->data;
  user->nfacenormal = spec->userfacenormal->size;
  user->facetexcoord = spec->userfacetexcoord->data;
  user->nfacetexcoord = spec->userfacetexcoord->size;
}

static int contentType(const snString* attribute, const char* file, char* type, char* error,
                       int error_sz) {
  if (!sn_contentType(sns_getString(attribute), file, type, TYPE_SIZE)) return 0;
  snprintf(error, (size_t)error_sz, "invalid content type: '%s'", sns_getString(attribute));
  return -1;
}

// Type of an image: one of the given, or none; known before the file is opened.
static int imageType(const snString* attribute, const char* file, const char* const* known,
                     char* type, char* error, int error_sz) {
  if (sn_contentType(sns_getString(attribute), file, type, TYPE_SIZE)) type[0] = 0;
  if (!type[0]) return 0;
  for (; *known; known++) {
    if (!strcmp(*known, type)) return 0;
  }
  snprintf(error, (size_t)error_sz, "unsupported content type: '%s'", type);
  return -1;
}

// runs on any thread: touches the item and reads the rest
static int compileMesh(snCompiler* c, snMeshItem* item) {
  const snsMesh* spec = &item->spec;
  const char* file = sn_assetFile(item->elem, spec->file);
  char type[TYPE_SIZE] = "";
  snResource resource = {0};
  snMeshInput input;
  sn_defaultMeshInput(&input);
  input.name = sn_elemName(item->elem);
  setUserArrays(&input.user, spec);
  if (item->field && (spec->scale[0] != 1 || spec->scale[1] != 1 || spec->scale[2] != 1)) {
    snprintf(item->error, sizeof(item->error),
             "attribute scale is not compatible with SDFs in mesh '%s', (id = %d)", input.name,
             (int)(item - c->meshes));
    return -1;
  }
  if (*file) {
    if (sn_openElemAsset(c->vfs, item->elem, file, sn_elemCompiler(item->elem)->meshdir, &resource,
                         item->error, sizeof(item->error))) {
      return -1;
    }
    if (contentType(spec->content_type, file, type, item->error, sizeof(item->error))) {
      sn_closeResource(&resource);
      return -1;
    }
    input.file = resource.bytes;
    input.file_name = resource.path ? resource.path : file;
    input.content_type = type;
  }
  memcpy(input.scale, spec->scale, sizeof(input.scale));
  memcpy(input.refpos, spec->refpos, sizeof(input.refpos));
  memcpy(input.refquat, spec->refquat, sizeof(input.refquat));
  input.inertia = spec->inertia;
  input.smoothnormal = spec->smoothnormal;
  input.maxhullvert = spec->maxhullvert;
  input.needhull = item->needhull;
  input.needsdf = item->needsdf || spec->needsdf;
  input.field = item->field;
  int result = sn_compileMesh(&item->mesh, &input, item->error, sizeof(item->error));
  sn_closeResource(&resource);
  return result;
}

typedef struct MeshWork_ {
  snCompiler* compiler;
  atomic_int next;
  atomic_int failed;
} MeshWork;

static void* compileSomeMeshes(void* argument) {
  MeshWork* work = (MeshWork*)argument;
  for (;;) {
    int i = atomic_fetch_add(&work->next, 1);
    if (i >= work->compiler->nmesh) return NULL;
    snMeshItem* item = work->compiler->meshes + i;
    if (compileMesh(work->compiler, item)) atomic_store(&work->failed, 1);
    item->compiled = 1;
  }
}

int sn_compileMeshes(snCompiler* c) {
  enum { NTHREAD = 8 };
  pthread_t threads[NTHREAD];
  MeshWork work = {c, 0, 0};
  int nthread = 0, wanted = c->settings->usethread ? c->nmesh - 1 : 0;
  if (wanted > NTHREAD) wanted = NTHREAD;
  requestHulls(c);
  for (int i = 0; i < c->nmesh; i++) SN_TRY(sn_makeMeshShape(c, c->meshes + i));
  for (; nthread < wanted; nthread++) {
    if (pthread_create(threads + nthread, NULL, compileSomeMeshes, &work)) break;
  }
  compileSomeMeshes(&work);
  for (int i = 0; i < nthread; i++) pthread_join(threads[i], NULL);
  if (!atomic_load(&work.failed)) return 0;
  for (int i = 0; i < c->nmesh; i++) {
    if (c->meshes[i].error[0]) {
      return assetError(c, c->meshes[i].elem, c->meshes[i].error);
    }
  }
  return sn_itemError(c, NULL, "a mesh could not be compiled");
}

// ---- textures ----

static int openTextureFile(snCompiler* c, const snTextureItem* item, const snString* name,
                           snTextureFile* file, snResource* resource, char* type, char* error,
                           int error_sz) {
  const char* path = sn_assetFile(item->elem, name);
  if (!*path) return 0;
  static const char* const known[] = {"image/png", "image/ktx", "image/vnd.mujoco.texture", NULL};
  if (imageType(item->spec.content_type, path, known, type, error, error_sz)) return -1;
  if (sn_openElemAsset(c->vfs, item->elem, path, sn_elemCompiler(item->elem)->texturedir, resource,
                       error, error_sz)) {
    return -1;
  }
  file->bytes = resource->bytes;
  file->name = resource->path ? resource->path : path;
  file->content_type = type;
  return 0;
}

static int compileTexture(snCompiler* c, snTextureItem* item) {
  char types[7][TYPE_SIZE], error[512] = "could not read texture";
  snResource resources[7];
  snTextureInput input;
  memset(resources, 0, sizeof(resources));
  memset(&input, 0, sizeof(input));
  input.spec = &item->spec;
  if (sn_hasOwnPixels(item->elem)) {
    input.data = item->spec.data->data;
    input.ndata = (size_t)item->spec.data->size;
  }
  int failed = 0;
  if (!input.data && item->spec.builtin == snBUILTIN_NONE) {
    const snStringVec* cube = item->spec.cubefiles;
    if (item->spec.type != snTEXTURE_2D && !sn_stringEmpty(item->spec.file) &&
        !sn_isTextureGrid(&item->spec)) {
      return sn_itemError(c, item->elem,
                          "gridsize must be non-zero and no more than 12 squares in texture");
    }
    failed = openTextureFile(c, item, item->spec.file, &input.file, resources, types[0], error,
                             sizeof(error));
    for (int k = 0; k < 6 && k < cube->size && !failed; k++) {
      failed = openTextureFile(c, item, cube->data + k, input.cubefiles + k, resources + 1 + k,
                               types[1 + k], error, sizeof(error));
    }
  }
  if (!failed) failed = sn_compileTexture(&item->texture, &input, error, sizeof(error));
  for (int k = 0; k < 7; k++) sn_closeResource(resources + k);
  return failed ? assetError(c, item->elem, error) : 0;
}

int sn_compileTextures(snCompiler* c) {
  for (int i = 0; i < c->ntex; i++) SN_TRY(compileTexture(c, c->textures + i));
  return 0;
}

// ---- height fields ----

static int compileHField(snCompiler* c, snHFieldItem* item) {
  const snsHField* spec = &item->spec;
  char type[TYPE_SIZE] = "", error[512] = "could not read hfield";
  snResource resource = {0};
  snHFieldInput input;
  memset(&input, 0, sizeof(input));
  const char* file = sn_assetFile(item->elem, spec->file);
  for (int i = 0; i < 4; i++) {
    if (spec->size[i] > 0) continue;
    return sn_itemError(c, item->elem, "size parameter is not positive in hfield");
  }
  if (*file) {
    static const char* const known[] = {"image/png", "image/vnd.mujoco.hfield", NULL};
    if (imageType(spec->content_type, file, known, type, error, sizeof(error)) ||
        sn_openElemAsset(c->vfs, item->elem, file, sn_elemCompiler(item->elem)->meshdir, &resource,
                         error, sizeof(error))) {
      return assetError(c, item->elem, error);
    }
    input.file = resource.bytes;
    input.file_name = resource.path ? resource.path : file;
    input.content_type = type;
  }
  input.nrow = spec->nrow;
  input.ncol = spec->ncol;
  input.elevation = spec->userdata->size ? spec->userdata->data : NULL;
  input.nelevation = spec->userdata->size;
  memcpy(input.size, spec->size, sizeof(input.size));
  int failed = sn_compileHField(&item->hfield, &input, error, sizeof(error));
  sn_closeResource(&resource);
  return failed ? assetError(c, item->elem, error) : 0;
}

int sn_compileHFields(snCompiler* c) {
  for (int i = 0; i < c->nhfield; i++) SN_TRY(compileHField(c, c->hfields + i));
  return 0;
}

// ---- skins ----

// the element's own bones
static int elementBones(snCompiler* c, const snSkinItem* item, snSkin* skin) {
  const snsSkin* spec = &item->spec;
  int n = spec->bodyname->size;
  skin->vert = spec->vert->data;
  skin->nvert = spec->vert->size;
  skin->texcoord = spec->texcoord->data;
  skin->ntexcoord = spec->texcoord->size;
  skin->face = spec->face->data;
  skin->nface = spec->face->size;
  if (spec->bindpos->size != 3 * n || spec->bindquat->size != 4 * n || spec->vertid->size != n ||
      spec->vertweight->size != n) {
    return sn_itemError(c, item->elem, "all bone attributes must have the same size in skin");
  }
  snSkinBone* bones = SN_ITEMS(c, snSkinBone, n);
  if (!bones) return -1;
  for (int k = 0; k < n; k++) {
    snSkinBone* bone = bones + k;
    bone->body = sns_getString(spec->bodyname->data + k);
    memcpy(bone->bindpos, spec->bindpos->data + 3 * k, sizeof(bone->bindpos));
    memcpy(bone->bindquat, spec->bindquat->data + 4 * k, sizeof(bone->bindquat));
    bone->vertid = spec->vertid->data[k].data;
    bone->nvertid = spec->vertid->data[k].size;
    bone->vertweight = spec->vertweight->data[k].data;
    bone->nvertweight = spec->vertweight->data[k].size;
  }
  skin->bones = bones;
  skin->nbone = n;
  return 0;
}

static int readSkin(snCompiler* c, snSkinItem* item) {
  const snsSkin* spec = &item->spec;
  const char* file = sn_assetFile(item->elem, spec->file);
  char error[512] = "could not read skin";
  snResource resource = {0};
  snSkin element;
  memset(&element, 0, sizeof(element));
  SN_TRY(elementBones(c, item, &element));
  if (sn_checkSkinFile(&element, file, error, sizeof(error)) ||
      (*file && sn_openElemAsset(c->vfs, item->elem, file, sn_elemCompiler(item->elem)->meshdir,
                                 &resource, error, sizeof(error)))) {
    return assetError(c, item->elem, error);
  }
  if (resource.path) file = resource.path;
  int failed = sn_readSkin(&item->skin, &element, resource.bytes, file, error, sizeof(error));
  item->read = 1;
  sn_closeResource(&resource);
  return failed ? assetError(c, item->elem, error) : 0;
}

int sn_readSkins(snCompiler* c) {
  for (int i = 0; i < c->nskin; i++) {
    if (!c->skins[i].read) SN_TRY(readSkin(c, c->skins + i));
  }
  return 0;
}

static int compileSkin(snCompiler* c, snSkinItem* item) {
  char error[512] = "could not compile skin";
  if (!item->read) SN_TRY(readSkin(c, item));
  const snString* material = item->spec.material;
  if (c->settings->discardvisual && !sn_stringEmpty(material) &&
      !sn_isDiscarded(c, item->elem, snOBJ_MATERIAL, material)) {
    return sn_itemError(c, item->elem, "unknown material '%s' in skin", sns_getString(material));
  }
  const char* file = sn_assetFile(item->elem, item->spec.file);
  if (sn_checkSkin(&item->skin, file, error, sizeof(error))) {
    return assetError(c, item->elem, error);
  }
  item->body = SN_ITEMS(c, int, item->skin.nbone);
  if (!item->body) return -1;
  for (int k = 0; k < item->skin.nbone; k++) {
    const char* name = item->skin.bones[k].body;
    const void* body = sn_findItem(c, snOBJ_BODY, name);
    if (!body) return sn_itemError(c, item->elem, "unknown body '%s' in skin", name);
    item->body[k] = sn_itemId(snOBJ_BODY, body);
  }
  int failed = sn_compileSkin(&item->skin, file, error, sizeof(error));
  return failed ? assetError(c, item->elem, error) : 0;
}

int sn_compileSkins(snCompiler* c) {
  for (int i = 0; i < c->nskin; i++) SN_TRY(compileSkin(c, c->skins + i));
  return 0;
}

void sn_freeAssets(snCompiler* c) {
  for (int i = 0; i < c->nmesh; i++) sn_freeMesh(&c->meshes[i].mesh);
  for (int i = 0; i < c->nhfield; i++) sn_freeHField(&c->hfields[i].hfield);
  for (int i = 0; i < c->ntex; i++) sn_freeTexture(&c->textures[i].texture);
  for (int i = 0; i < c->nskin; i++) sn_freeSkin(&c->skins[i].skin);
}
