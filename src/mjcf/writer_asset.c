// Writing classes and assets.

#include <string.h>

#include "mjcf/writer.h"

// ---- classes ----

static void writeDummy(snWriter* w, const snElem* def, const snElem* parent, snObj type,
                       const char* tag, const snAttr* group, const snAttr* second) {
  const void* object = sn_classDummy(def, type)->object;
  const void* reference = sn_classDummy(parent, type)->object;
  sn_writeOpen(w, tag);
  sn_writeGroup(w, group, object, reference);
  if (second) sn_writeGroup(w, second, object, reference);
  sn_writeClose(w, tag);
}

static void writeMaterialTextures(snWriter* w, const snStringVec* mine, const snStringVec* theirs) {
  int layers = 0;
  for (int i = 0; i < mine->size; i++) {
    const char* other = theirs && i < theirs->size ? sns_getString(theirs->data + i) : "";
    if (sn_stringIs(mine->data + i, other)) continue;
    if (i == snTEXROLE_RGB && !layers) {
      int more = 0;
      for (int k = i + 1; k < mine->size; k++) {
        more |= !sn_stringIs(mine->data + k, theirs ? sns_getString(theirs->data + k) : "");
      }
      if (!more) {
        sn_writeText(w, "texture", sns_getString(mine->data + i));
        return;
      }
    }
    const char* role = sn_keywordName(sn_mapTexRole, i);
    if (!role) continue;
    sn_writeOpen(w, "layer");
    sn_writeText(w, "texture", sns_getString(mine->data + i));
    sn_writeText(w, "role", role);
    sn_writeClose(w, "layer");
    layers = 1;
  }
}

static void writeMaterialClass(snWriter* w, const snElem* def, const snElem* parent) {
  const snsMaterial* mine = (const snsMaterial*)sn_classDummy(def, snOBJ_MATERIAL)->object;
  const snsMaterial* theirs = (const snsMaterial*)sn_classDummy(parent, snOBJ_MATERIAL)->object;
  sn_writeOpen(w, "material");
  sn_writeGroup(w, sn_attrMaterial, mine, theirs);
  writeMaterialTextures(w, mine->textures, theirs->textures);
  sn_writeClose(w, "material");
}

static void writeTendonClass(snWriter* w, const snElem* def, const snElem* parent) {
  const snsTendon* mine = (const snsTendon*)sn_classDummy(def, snOBJ_TENDON)->object;
  const snsTendon* theirs = (const snsTendon*)sn_classDummy(parent, snOBJ_TENDON)->object;
  sn_writeOpen(w, "tendon");
  sn_writeGroup(w, sn_attrTendon, mine, theirs);
  sn_writeGroup(w, sn_attrTendonVisual, mine, theirs);
  if (memcmp(mine->springlength, theirs->springlength, sizeof(mine->springlength))) {
    sn_writeDoubles(w, "springlength", mine->springlength, 2);
  }
  sn_writeClose(w, "tendon");
}

static void writeActuatorClass(snWriter* w, const snElem* def, const snElem* parent) {
  const snsActuator* mine = (const snsActuator*)sn_classDummy(def, snOBJ_ACTUATOR)->object;
  const snsActuator* theirs = (const snsActuator*)sn_classDummy(parent, snOBJ_ACTUATOR)->object;
  // what the general actuator cannot say in a class
  if (mine->inheritrange != theirs->inheritrange || mine->trntype != theirs->trntype ||
      memcmp(mine->lengthrange, theirs->lengthrange, sizeof(mine->lengthrange))) {
    w->conflict = 1;
  }
  sn_writeOpen(w, "general");
  sn_writeGroup(w, sn_attrActuator, mine, theirs);
  sn_writeGroup(w, sn_attrActuatorCtrl, mine, theirs);
  sn_writeGroup(w, sn_attrActuatorGear, mine, theirs);
  sn_writeGroup(w, sn_attrActuatorAct, mine, theirs);
  sn_writeGroup(w, sn_attrActuatorDyn, mine, theirs);
  sn_writeGroup(w, sn_attrActuatorGain, mine, theirs);
  sn_writeClose(w, "general");
}

static void openClass(snWriter* w, const snElem* def) {
  const snElem* parent = def->parent ? def->parent : w->base;
  sn_writeOpen(w, "default");
  if (def->parent) sn_writeText(w, "class", sn_elemName(def));
  writeDummy(w, def, parent, snOBJ_MESH, "mesh", sn_attrMesh, NULL);
  writeMaterialClass(w, def, parent);
  writeDummy(w, def, parent, snOBJ_JOINT, "joint", sn_attrJoint, NULL);
  writeDummy(w, def, parent, snOBJ_GEOM, "geom", sn_attrGeom, NULL);
  writeDummy(w, def, parent, snOBJ_SITE, "site", sn_attrSite, NULL);
  writeDummy(w, def, parent, snOBJ_CAMERA, "camera", sn_attrCamera, NULL);
  writeDummy(w, def, parent, snOBJ_LIGHT, "light", sn_attrLight, NULL);
  writeDummy(w, def, parent, snOBJ_PAIR, "pair", sn_attrPair, NULL);
  writeDummy(w, def, parent, snOBJ_EQUALITY, "equality", sn_attrEquality, NULL);
  writeTendonClass(w, def, parent);
  writeActuatorClass(w, def, parent);
}

void sn_writeClasses(snWriter* w) {
  const snElem* def = sn_specData(w->spec)->main;
  openClass(w, def);
  for (;;) {
    if (def->lists->first) {
      def = def->lists->first;
      openClass(w, def);
      continue;
    }
    while (def && !def->next) {
      sn_writeClose(w, "default");
      def = def->parent;
    }
    if (!def) return;
    sn_writeClose(w, "default");
    def = def->next;
    openClass(w, def);
  }
}

// ---- assets ----

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
  snString path = {0};
  sns_setString(&path, sns_getString(file));
  attachedFile(e, texture, &path);
  sn_writeName(w, name, &path);
  sn_boxFree((snBox*)&path, snBOX_STRING);
}

static void writeMesh(snWriter* w, const snElem* e) {
  snsMesh mesh = *(const snsMesh*)e->object;
  const snsMesh* reference = (const snsMesh*)sn_writeReference(w, e);
  sn_writeOpen(w, "mesh");
  sn_writeIdentity(w, e, 1);
  writeFile(w, e, "file", mesh.file, 0);
  mesh.file = reference->file;
  sn_writeGroup(w, sn_attrMeshOwn, &mesh, reference);
  sn_writeGroup(w, sn_attrMesh, &mesh, reference);
  sn_writePlugin(w, &((const snsMesh*)e->object)->plugin);
  sn_writeClose(w, "mesh");
}

static void writeElevation(snWriter* w, const snsHField* hfield) {
  const snFloatVec* data = hfield->userdata;
  float* flipped = (float*)snu_malloc((size_t)data->size * sizeof(float));
  if (!flipped) {
    w->failed = 1;
    return;
  }
  for (int row = 0; row < hfield->nrow; row++) {
    memcpy(flipped + (size_t)row * hfield->ncol,
           data->data + (size_t)(hfield->nrow - 1 - row) * hfield->ncol,
           (size_t)hfield->ncol * sizeof(float));
  }
  sn_writeFloats(w, "elevation", flipped, data->size);
  snu_free(flipped);
}

static void writeHField(snWriter* w, const snElem* e) {
  const snsHField* hfield = (const snsHField*)e->object;
  sn_writeOpen(w, "hfield");
  sn_writeIdentity(w, e, 0);
  sn_writeName(w, "content_type", hfield->content_type);
  writeFile(w, e, "file", hfield->file, 0);
  sn_writeDoubles(w, "size", hfield->size, 4);
  if (hfield->nrow) sn_writeInts(w, "nrow", &hfield->nrow, 1);
  if (hfield->ncol) sn_writeInts(w, "ncol", &hfield->ncol, 1);
  if (hfield->userdata->size && hfield->userdata->size == hfield->nrow * hfield->ncol) {
    writeElevation(w, hfield);
  }
  sn_writeClose(w, "hfield");
}

static void writeTexture(snWriter* w, const snElem* e) {
  snsTexture texture = *(const snsTexture*)e->object;
  static const char* const sides[] = {"fileright", "fileleft",  "fileup",
                                      "filedown",  "filefront", "fileback"};
  snElem* plain = sn_elemNew(w->spec, snOBJ_TEXTURE);
  if (!plain) {
    w->failed = 1;
    return;
  }
  sn_writeOpen(w, "texture");
  sn_writeIdentity(w, e, 0);
  writeFile(w, e, "file", texture.file, 1);
  texture.file = ((snsTexture*)plain->object)->file;
  sn_writeGroup(w, sn_attrTexture, &texture, plain->object);
  for (int i = 0; i < 6 && i < texture.cubefiles->size; i++) {
    writeFile(w, e, sides[i], texture.cubefiles->data + i, 1);
  }
  char layout[sizeof(texture.gridlayout) + 1] = "";
  int cells = texture.gridsize[0] * texture.gridsize[1];
  if (cells > 1 && cells <= (int)sizeof(texture.gridlayout)) {
    memcpy(layout, texture.gridlayout, (size_t)cells);
    sn_writeText(w, "gridlayout", layout);
  }
  sn_writeClose(w, "texture");
  sn_elemFree(plain);
}

static void writeMaterial(snWriter* w, const snElem* e) {
  const snsMaterial* mine = (const snsMaterial*)e->object;
  const snsMaterial* theirs = (const snsMaterial*)sn_writeReference(w, e);
  sn_writeOpen(w, "material");
  sn_writeIdentity(w, e, 1);
  sn_writeGroup(w, sn_attrMaterial, mine, theirs);
  writeMaterialTextures(w, mine->textures, theirs->textures);
  sn_writeClose(w, "material");
}

static void writeSkin(snWriter* w, const snElem* e) {
  snsSkin skin = *(const snsSkin*)e->object;
  snElem* plain = sn_elemNew(w->spec, snOBJ_SKIN);
  if (!plain) {
    w->failed = 1;
    return;
  }
  sn_writeOpen(w, "skin");
  sn_writeIdentity(w, e, 0);
  writeFile(w, e, "file", skin.file, 0);
  skin.file = ((snsSkin*)plain->object)->file;
  sn_writeGroup(w, sn_attrSkin, &skin, plain->object);
  for (int i = 0; i < skin.bodyname->size; i++) {
    sn_writeOpen(w, "bone");
    sn_writeText(w, "body", sns_getString(skin.bodyname->data + i));
    sn_writeFloats(w, "bindpos", skin.bindpos->data + 3 * i, 3);
    sn_writeFloats(w, "bindquat", skin.bindquat->data + 4 * i, 4);
    sn_writeInts(w, "vertid", skin.vertid->data[i].data, skin.vertid->data[i].size);
    sn_writeFloats(w, "vertweight", skin.vertweight->data[i].data, skin.vertweight->data[i].size);
    sn_writeClose(w, "bone");
  }
  sn_writeClose(w, "skin");
  sn_elemFree(plain);
}

// ---- custom fields ----

static void writeTuple(snWriter* w, const snElem* e) {
  const snsTuple* tuple = (const snsTuple*)e->object;
  sn_writeOpen(w, "tuple");
  sn_writeIdentity(w, e, 0);
  for (int i = 0; i < tuple->objname->size; i++) {
    sn_writeOpen(w, "element");
    sn_writeText(w, "objtype", sn_typeName((snObj)tuple->objtype->data[i]));
    sn_writeText(w, "objname", sns_getString(tuple->objname->data + i));
    sn_writeDoubles(w, "prm", tuple->objprm->data + i, 1);
    sn_writeClose(w, "element");
  }
  sn_writeClose(w, "tuple");
}

static void writeCustom(snWriter* w) {
  sn_writeOpen(w, "custom");
  SN_EACH(e, sn_specList(w->spec, snOBJ_NUMERIC)) {
    const snsNumeric* numeric = (const snsNumeric*)e->object;
    sn_writeOpen(w, "numeric");
    sn_writeIdentity(w, e, 0);
    if (numeric->size > numeric->data->size) sn_writeInts(w, "size", &numeric->size, 1);
    sn_writeDoubles(w, "data", numeric->data->data, numeric->data->size);
    sn_writeClose(w, "numeric");
  }
  SN_EACH(e, sn_specList(w->spec, snOBJ_TEXT)) {
    sn_writeOpen(w, "text");
    sn_writeIdentity(w, e, 0);
    sn_writeText(w, "data", sns_getString(((const snsText*)e->object)->data));
    sn_writeClose(w, "text");
  }
  SN_EACH(e, sn_specList(w->spec, snOBJ_TUPLE)) writeTuple(w, e);
  sn_writeClose(w, "custom");
}

void sn_writeAssets(snWriter* w) {
  writeCustom(w);
  sn_writeOpen(w, "asset");
  SN_EACH(e, sn_specList(w->spec, snOBJ_TEXTURE)) writeTexture(w, e);
  SN_EACH(e, sn_specList(w->spec, snOBJ_MATERIAL)) writeMaterial(w, e);
  SN_EACH(e, sn_specList(w->spec, snOBJ_MESH)) writeMesh(w, e);
  SN_EACH(e, sn_specList(w->spec, snOBJ_HFIELD)) writeHField(w, e);
  SN_EACH(e, sn_specList(w->spec, snOBJ_SKIN)) writeSkin(w, e);
  sn_writeClose(w, "asset");
}
