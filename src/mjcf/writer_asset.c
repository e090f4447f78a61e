// Writing assets and custom fields.

#include <math.h>
#include <string.h>

#include "mjcf/writer.h"
#include "spec/deform_kind.h"

#define GROUPS(...) ((const snAttr* const[]){__VA_ARGS__, NULL})

// ---- files ----

// path of a file of an attached model, which has folders of its own
static void attachedFile(const snElem* e, int texture, snString* file) {
  if (!e->origin || sn_stringEmpty(file)) return;
  const snString* folder = texture ? &e->origin->texturedir : &e->origin->meshdir;
  const char* parts[2] = {sns_getString(&e->origin->modelfiledir), sns_getString(folder)};
  const char* name = sns_getString(file);
  snString path = {0};
  if (name[0] != '/') {
    for (int i = 0; i < 2; i++) {
      if (i == 1 && parts[1][0] == '/') sns_setString(&path, "");
      sn_stringAppend(&path, parts[i], (int)strlen(parts[i]));
      if (path.size && path.data[path.size - 1] != '/') sn_stringAppend(&path, "/", 1);
    }
  }
  sn_stringAppend(&path, name, (int)strlen(name));
  sn_boxFree((snBox*)file, snBOX_STRING);
  *file = path;
}

static void writeFile(snWriter* w, const snElem* e, const char* name, const snString* file,
                      int texture) {
  if (w->source) {
    sn_writeSourceFile(w, e, name, file, texture);
    return;
  }
  snString path = {0};
  sns_setString(&path, sns_getString(file));
  attachedFile(e, texture, &path);
  sn_writeName(w, name, &path);
  sn_boxFree((snBox*)&path, snBOX_STRING);
}

// ---- assets ----

void sn_writeMeshPart(snWriter* w, snPart part) {
  const snsMesh* mesh = (const snsMesh*)part.object;
  const snAttr* const* groups = GROUPS(sn_attrMeshOwn, sn_attrMesh);
  if (part.elem) {
    sn_writeName(w, "content_type", mesh->content_type);
    writeFile(w, part.elem, "file", mesh->file, 0);
    sn_writeList(w, groups, "vertex normal texcoord face", mesh, part.reference);
  }
  sn_writeList(w, groups, "inertia", mesh, part.reference);
  if (part.elem) sn_writeList(w, groups, "refpos refquat", mesh, part.reference);
  sn_writeList(w, groups, w->source ? "scale maxhullvert" : "scale", mesh, part.reference);
  if (part.elem) sn_writeList(w, groups, "smoothnormal", mesh, part.reference);
  if (part.elem && w->source) sn_writeList(w, groups, "material", mesh, part.reference);
}

static void writeMesh(snWriter* w, const snElem* e) {
  const snsMesh* mesh = (const snsMesh*)sn_writeGiven(w, e);
  sn_writeOpen(w, "mesh");
  sn_writeIdentity(w, e, NULL);
  sn_writeMeshPart(w, (snPart){e, mesh, sn_writeReference(w, e)});
  sn_writePlugin(w, &mesh->plugin);
  sn_writeClose(w, "mesh");
}

static void writeElevation(snWriter* w, const snsHField* hfield) {
  const snFloatVec* data = hfield->userdata;
  size_t ncol = (size_t)hfield->ncol, nrow = (size_t)hfield->nrow;
  float* flipped = (float*)snu_malloc((nrow * ncol + 1) * sizeof(float));
  if (!flipped) {
    w->failed = 1;
    return;
  }
  memset(flipped, 0, (nrow * ncol + 1) * sizeof(float));
  for (size_t row = 0; row < nrow && (size_t)data->size == nrow * ncol; row++) {
    memcpy(flipped + row * ncol, data->data + (nrow - 1 - row) * ncol, ncol * sizeof(float));
  }
  sn_writeRows(w, "elevation", flipped, hfield->nrow, hfield->ncol);
  snu_free(flipped);
}

static void writeHField(snWriter* w, const snElem* e) {
  const snsHField* hfield = (const snsHField*)sn_writeGiven(w, e);
  sn_writeOpen(w, "hfield");
  sn_writeName(w, "name", &e->name);
  sn_writeDoubles(w, "size", hfield->size, 4);
  sn_writeName(w, "content_type", hfield->content_type);
  writeFile(w, e, "file", hfield->file, 0);
  if (sn_stringEmpty(hfield->file)) {
    sn_writeInts(w, "nrow", &hfield->nrow, 1);
    sn_writeInts(w, "ncol", &hfield->ncol, 1);
    writeElevation(w, hfield);
  }
  sn_writeClose(w, "hfield");
}

static void writeGridLayout(snWriter* w, const snsTexture* texture) {
  char layout[sizeof(texture->gridlayout) + 1] = "";
  int cells = texture->gridsize[0] * texture->gridsize[1];
  if (cells <= 1 || cells > (int)sizeof(texture->gridlayout)) return;
  sn_writeInts(w, "gridsize", texture->gridsize, 2);
  memcpy(layout, texture->gridlayout, (size_t)cells);
  sn_writeText(w, "gridlayout", layout);
}

static void writeTextureFiles(snWriter* w, const snElem* e, const snsTexture* texture) {
  static const char* const sides[] = {"fileright", "fileleft",  "fileup",
                                      "filedown",  "filefront", "fileback"};
  sn_writeName(w, "content_type", texture->content_type);
  writeFile(w, e, "file", texture->file, 1);
  if (!sn_stringEmpty(texture->file) || w->source) writeGridLayout(w, texture);
  if (!sn_stringEmpty(texture->file) && !w->source) return;
  for (int i = 0; i < 6 && i < texture->cubefiles->size; i++) {
    writeFile(w, e, sides[i], texture->cubefiles->data + i, 1);
  }
}

static void writeTexture(snWriter* w, const snElem* e, const snsTexture* plain) {
  const snsTexture* texture = (const snsTexture*)sn_writeGiven(w, e);
  const snAttr* const* groups = GROUPS(sn_attrTexture);
  sn_writeOpen(w, "texture");
  sn_writeList(w, groups, "type! colorspace!", texture, plain);
  sn_writeName(w, "name", &e->name);
  if (w->source) {
    sn_writeList(w, groups, "builtin mark rgb1 rgb2 markrgb random width height", texture, plain);
    writeTextureFiles(w, e, texture);
    if (sn_hasOwnPixels(e)) w->problem = "pixels of a texture that are in memory";
  } else if (texture->builtin != snBUILTIN_NONE) {
    sn_writeList(w, groups, "builtin mark rgb1 rgb2 markrgb random width! height!", texture, plain);
  } else {
    int empty =
        sn_stringEmpty(texture->file) && texture->gridsize[0] == 1 && texture->gridsize[1] == 1;
    for (int i = 0; i < texture->cubefiles->size; i++) {
      empty = empty && sn_stringEmpty(texture->cubefiles->data + i);
    }
    if (empty) w->refused = "no support for buffer textures.";
    writeTextureFiles(w, e, texture);
  }
  int drawn = !w->source && texture->builtin != snBUILTIN_NONE;  // flipping is for files
  sn_writeList(w, groups, drawn ? "nchannel" : "hflip vflip nchannel", texture, plain);
  sn_writeClose(w, "texture");
}

// names of the textures of a material, by role
static const char* textureName(const snsMaterial* material, int role) {
  const snStringVec* names = material->textures;
  return role < names->size ? sns_getString(names->data + role) : "";
}

static int hasLayers(const snsMaterial* material) {
  for (int role = 0; role < material->textures->size; role++) {
    if (role != snTEXROLE_RGB && *textureName(material, role)) return 1;
  }
  return 0;
}

void sn_writeMaterialPart(snWriter* w, snPart part) {
  const snsMaterial* mine = (const snsMaterial*)part.object;
  const snsMaterial* theirs = (const snsMaterial*)part.reference;
  const char* texture = textureName(mine, snTEXROLE_RGB);
  int layers = hasLayers(mine);
  if (!layers && strcmp(texture, textureName(theirs, snTEXROLE_RGB))) {
    sn_writeText(w, "texture", texture);
  }
  sn_writeList(w, GROUPS(sn_attrMaterial),
               "texuniform texrepeat emission specular shininess reflectance metallic roughness "
               "rgba",
               mine, theirs);
  for (int role = 0; layers && role < mine->textures->size; role++) {
    const char* name = textureName(mine, role);
    const char* word = sn_keywordName(sn_mapTexRole, role);
    if (!*name || !word) continue;
    sn_writeOpen(w, "layer");
    sn_writeText(w, "texture", name);
    sn_writeText(w, "role", word);
    sn_writeClose(w, "layer");
  }
}

static void writeMaterial(snWriter* w, const snElem* e) {
  sn_writeOpen(w, "material");
  sn_writeIdentity(w, e, NULL);
  sn_writeMaterialPart(w, (snPart){e, sn_writeGiven(w, e), sn_writeReference(w, e)});
  sn_writeClose(w, "material");
}

void sn_writeAssets(snWriter* w) {
  snElem* plain = sn_elemNew(w->plain, snOBJ_TEXTURE);
  if (!plain) {
    w->failed = 1;
    return;
  }
  sn_writeOpen(w, "asset");
  SN_EACH(e, sn_specList(w->spec, snOBJ_TEXTURE)) {
    writeTexture(w, e, (const snsTexture*)plain->object);
  }
  SN_EACH(e, sn_specList(w->spec, snOBJ_MATERIAL)) writeMaterial(w, e);
  SN_EACH(e, sn_specList(w->spec, snOBJ_MESH)) writeMesh(w, e);
  SN_EACH(e, sn_specList(w->spec, snOBJ_HFIELD)) writeHField(w, e);
  sn_writeClose(w, "asset");
  sn_elemFree(plain);
}

// ---- deformables ----

static void writeBones(snWriter* w, const snsSkin* skin) {
  for (int i = 0; i < skin->bodyname->size; i++) {
    sn_writeOpen(w, "bone");
    sn_writeText(w, "body", sns_getString(skin->bodyname->data + i));
    sn_writeFloats(w, "bindpos", skin->bindpos->data + 3 * i, 3);
    sn_writeFloats(w, "bindquat", skin->bindquat->data + 4 * i, 4);
    sn_writeInts(w, "vertid", skin->vertid->data[i].data, skin->vertid->data[i].size);
    sn_writeFloats(w, "vertweight", skin->vertweight->data[i].data, skin->vertweight->data[i].size);
    sn_writeClose(w, "bone");
  }
}

static void writeSkin(snWriter* w, const snElem* e, const snsSkin* plain) {
  const snsSkin* skin = (const snsSkin*)sn_writeGiven(w, e);
  const snAttr* const* groups = GROUPS(sn_attrSkin);
  sn_writeOpen(w, "skin");
  sn_writeName(w, "name", &e->name);
  writeFile(w, e, "file", skin->file, 0);
  sn_writeList(w, groups, "material group rgba inflate", skin, plain);
  if (sn_stringEmpty(skin->file)) {
    sn_writeList(w, groups, "vertex texcoord face", skin, plain);
    writeBones(w, skin);
  }
  sn_writeClose(w, "skin");
}

// a part of a flex, left out when it says nothing
static void writeFlexPart(snWriter* w, const char* tag, const snAttr* group, const char* names,
                          const snsFlex* flex, const snsFlex* plain) {
  w->settings = 1;
  sn_writeOpen(w, tag);
  sn_writeList(w, GROUPS(group), names, flex, plain);
  sn_writeClose(w, tag);
  w->settings = 0;
}

static void writeFlex(snWriter* w, const snElem* e) {
  const snsFlex* flex = (const snsFlex*)sn_writeGiven(w, e);
  const snsFlex* plain = (const snsFlex*)sn_classDummy(w->base, snOBJ_FLEX)->object;
  sn_writeOpen(w, "flex");
  sn_writeName(w, "name", &e->name);
  sn_writeList(w, GROUPS(sn_attrFlex),
               "radius material rgba flatskin dim group body vertex element texcoord elemtexcoord "
               "node",
               flex, plain);
  sn_writeAll(w, sn_attrFlexLaw, flex, plain);
  if (w->source) sn_writeAll(w, sn_attrFlexOwn, flex, plain);
  writeFlexPart(w, "contact", sn_attrFlexContact,
                "contype conaffinity condim priority friction solmix solref solimp margin gap "
                "internal selfcollide activelayers",
                flex, plain);
  sn_writeOpen(w, "elasticity");
  sn_writeList(w, GROUPS(sn_attrFlexElasticity), "young poisson thickness damping elastic2d", flex,
               plain);
  sn_writeClose(w, "elasticity");
  writeFlexPart(w, "edge", sn_attrFlexEdge, "stiffness damping", flex, plain);
  sn_writeClose(w, "flex");
}

// numbers that are not given are NaN, which differs from itself
static void hideUnknown(snsDeformable* body) {
  double* const numbers[] = {&body->young,
                             &body->poisson,
                             &body->density,
                             &body->thickness,
                             &body->radius,
                             &body->mass,
                             &body->margin,
                             &body->damping,
                             &body->friction[0],
                             &body->stretch_compliance,
                             &body->shear_compliance,
                             &body->bend_compliance,
                             &body->volume_compliance,
                             &body->twist_compliance};
  for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
    if (isnan(*numbers[i])) *numbers[i] = -1;
  }
}

static void writeDeformableBody(snWriter* w, const snElem* e, const snElem* plain) {
  snsDeformable body = *(const snsDeformable*)e->object,
                reference = *(const snsDeformable*)plain->object;
  const snDeformKind* kind = sn_deformKind(body.type);
  const char* tag = (kind ? kind : sn_deformKind(snDEFORMABLE_CLOTH))->tag;
  hideUnknown(&body);
  hideUnknown(&reference);
  sn_writeOpen(w, tag);
  sn_writeName(w, "name", &e->name);
  sn_writeAll(w, sn_attrDeformable, &body, &reference);
  sn_writeClose(w, tag);
}

static void writeDeformableBodies(snWriter* w) {
  snElem* plain = sn_elemNew(w->plain, snOBJ_DEFORMABLE);
  if (!plain) {
    w->failed = 1;
    return;
  }
  SN_EACH(e, sn_specList(w->spec, snOBJ_DEFORMABLE)) writeDeformableBody(w, e, plain);
  sn_elemFree(plain);
}

void sn_writeDeformable(snWriter* w) {
  snElem* plain = sn_elemNew(w->plain, snOBJ_SKIN);
  if (!plain) {
    w->failed = 1;
    return;
  }
  sn_writeOpen(w, "deformable");
  SN_EACH(e, sn_specList(w->spec, snOBJ_FLEX)) writeFlex(w, e);
  SN_EACH(e, sn_specList(w->spec, snOBJ_SKIN)) writeSkin(w, e, (const snsSkin*)plain->object);
  writeDeformableBodies(w);
  sn_writeClose(w, "deformable");
  sn_elemFree(plain);
}

// ---- custom fields ----

static void writeNumeric(snWriter* w, const snElem* e) {
  const snsNumeric* numeric = (const snsNumeric*)sn_writeGiven(w, e);
  int given = numeric->data->size, size = numeric->size > given ? numeric->size : given;
  double* values = (double*)snu_malloc(((size_t)size + 1) * sizeof(double));
  if (!values) {
    w->failed = 1;
    return;
  }
  memset(values, 0, ((size_t)size + 1) * sizeof(double));
  if (given) memcpy(values, numeric->data->data, (size_t)given * sizeof(double));
  sn_writeOpen(w, "numeric");
  sn_writeName(w, "name", &e->name);
  sn_writeInts(w, "size", &size, 1);
  sn_writeDoubles(w, "data", values, size);
  sn_writeClose(w, "numeric");
  snu_free(values);
}

static void writeTuple(snWriter* w, const snElem* e) {
  const snsTuple* tuple = (const snsTuple*)sn_writeGiven(w, e);
  sn_writeOpen(w, "tuple");
  sn_writeName(w, "name", &e->name);
  for (int i = 0; i < tuple->objname->size; i++) {
    sn_writeOpen(w, "element");
    sn_writeText(w, "objtype", sn_typeName((snObj)tuple->objtype->data[i]));
    sn_writeText(w, "objname", sns_getString(tuple->objname->data + i));
    if (tuple->objprm->data[i] != 0) sn_writeDoubles(w, "prm", tuple->objprm->data + i, 1);
    sn_writeClose(w, "element");
  }
  sn_writeClose(w, "tuple");
}

void sn_writeCustom(snWriter* w) {
  sn_writeOpen(w, "custom");
  SN_EACH(e, sn_specList(w->spec, snOBJ_NUMERIC)) writeNumeric(w, e);
  SN_EACH(e, sn_specList(w->spec, snOBJ_TEXT)) {
    sn_writeOpen(w, "text");
    sn_writeName(w, "name", &e->name);
    sn_writeText(w, "data", sns_getString(((const snsText*)e->object)->data));
    sn_writeClose(w, "text");
  }
  SN_EACH(e, sn_specList(w->spec, snOBJ_TUPLE)) writeTuple(w, e);
  sn_writeClose(w, "custom");
}
