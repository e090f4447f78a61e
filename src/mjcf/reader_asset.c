// Assets: meshes, height fields, skins, textures, materials, models.

#include <string.h>

#include "mjcf/order.h"
#include "mjcf/reader.h"

// ---- meshes ----

void sn_mjcfMeshElement(snReader* r, const snXmlNode* node, snsMesh* mesh) {
  sn_mjcfGroup(r, node, sn_attrMesh, mesh);
  if (mesh->maxhullvert != -1 && mesh->maxhullvert <= 3 &&
      !sn_mjcfEarlierFault(r, node, "maxhullvert")) {
    sn_mjcfFail(r, node, "maxhullvert must be larger than 3");
  }
}

static void readBuiltin(snReader* r, const snXmlNode* node, snsMesh* mesh) {
  int builtin;
  if (!sn_mjcfKeyword(r, node, "builtin", sn_mapMeshBuiltin, &builtin)) return;
  enum { MAX = 100 };
  double params[MAX];
  int count = sn_mjcfDoubles(r, node, "params", params, MAX, 1);
  if (!count) {
    sn_mjcfFail(r, node, "required attribute missing: 'params'");
  } else if (sns_getString(mesh->file)[0]) {
    sn_mjcfFail(r, node, "builtin cannot be used with a mesh file");
  } else if (mesh->uservert->size) {
    sn_mjcfFail(r, node, "builtin mesh cannot be used with user vertex data");
  } else if (sns_makeMesh(mesh, (snMeshBuiltin)builtin, params, count)) {
    sn_mjcfFail(r, node, "%s", sns_getError(r->spec));
  }
}

static void readMesh(snReader* r, const snXmlNode* node) {
  const snsDefault* def = sn_mjcfClass(r, node, sns_getSpecDefault(r->spec));
  SN_MJCF_NEW(snsMesh, mesh, sns_addMesh(r->spec, def));
  sn_mjcfName(r, node, sn_elem(mesh->element), mesh->info);
  sn_mjcfMeshElement(r, node, mesh);
  sn_mjcfGroup(r, node, sn_attrMeshOwn, mesh);
  readBuiltin(r, node, mesh);
  for (const snXmlNode* child = node->first; child && !r->failed; child = child->next) {
    if (!strcmp(child->name, "plugin")) sn_mjcfPlugin(r, child, &mesh->plugin);
  }
}

// ---- height fields ----

// the first row in the file is the far side of the field, the last row of the data
static void readElevation(snReader* r, const snXmlNode* node, snsHField* hfield) {
  if (hfield->nrow <= 0 || hfield->ncol <= 0) return;  // the compiler says so
  snFloatVec read = {0};
  int count = sn_mjcfFloatVec(r, node, "elevation", &read);
  int64_t size = (int64_t)hfield->nrow * hfield->ncol;
  if (count && size != count) {
    sn_mjcfFail(r, node, "elevation data length must match nrow*ncol");
  } else if (count && sn_boxReserve((snBox*)hfield->userdata, snBOX_FLOAT, count)) {
    int ncol = hfield->ncol;
    for (int row = 0; row < hfield->nrow; row++) {
      memcpy(hfield->userdata->data + (size_t)row * ncol,
             read.data + (size_t)(hfield->nrow - 1 - row) * ncol, sizeof(float) * (size_t)ncol);
    }
    hfield->userdata->size = count;
  }
  sn_boxFree((snBox*)&read, snBOX_FLOAT);
}

static void readHField(snReader* r, const snXmlNode* node) {
  SN_MJCF_NEW(snsHField, hfield, sns_addHField(r->spec));
  sn_mjcfName(r, node, sn_elem(hfield->element), hfield->info);
  sn_mjcfGroup(r, node, sn_attrHField, hfield);
  if (sn_stringEmpty(hfield->file)) readElevation(r, node, hfield);
}

// ---- skins ----

static void readBone(snReader* r, const snXmlNode* node, snsSkin* skin) {
  float pos[3], quat[4];
  snIntVec id = {0};
  snFloatVec weight = {0};
  const char* body = sn_mjcfNeeded(r, node, "body");
  static const char* const needed[] = {"bindpos", "bindquat", "vertid", "vertweight"};
  for (int i = 0; i < 4; i++) {
    int count = i == 0   ? sn_mjcfFloats(r, node, needed[i], pos, 3, 0)
                : i == 1 ? sn_mjcfFloats(r, node, needed[i], quat, 4, 0)
                : i == 2 ? sn_mjcfIntVec(r, node, needed[i], &id)
                         : sn_mjcfFloatVec(r, node, needed[i], &weight);
    if (!count) sn_mjcfFail(r, node, "required attribute missing: '%s'", needed[i]);
  }
  if (!r->failed && sn_boxReserve((snBox*)skin->bindpos, snBOX_FLOAT, 3) &&
      sn_boxReserve((snBox*)skin->bindquat, snBOX_FLOAT, 4)) {
    memcpy(skin->bindpos->data + skin->bindpos->size, pos, sizeof(pos));
    memcpy(skin->bindquat->data + skin->bindquat->size, quat, sizeof(quat));
    skin->bindpos->size += 3;
    skin->bindquat->size += 4;
    sns_appendString(skin->bodyname, body);
    sns_appendIntVec(skin->vertid, id.data, id.size);
    sns_appendFloatVec(skin->vertweight, weight.data, weight.size);
  }
  sn_boxFree((snBox*)&id, snBOX_INT);
  sn_boxFree((snBox*)&weight, snBOX_FLOAT);
}

void sn_mjcfSkin(snReader* r, const snXmlNode* node) {
  SN_MJCF_NEW(snsSkin, skin, sns_addSkin(r->spec));
  sn_mjcfName(r, node, sn_elem(skin->element), skin->info);
  sn_mjcfGroup(r, node, sn_attrSkin, skin);
  if (skin->group < 0 || skin->group >= snNGROUP) {
    sn_mjcfFail(r, node, "skin group must be between 0 and 5");
  }
  for (const snXmlNode* child = node->first; child && !r->failed; child = child->next) {
    if (!strcmp(child->name, "bone")) readBone(r, child, skin);
  }
}

// ---- textures and materials ----

static void readGrid(snReader* r, const snXmlNode* node, snsTexture* texture) {
  const char* layout = sn_xmlAttr(node, "gridlayout");
  if (!layout) return;
  size_t length = strlen(layout);
  if (length > sizeof(texture->gridlayout)) {
    sn_mjcfFail(r, node, "gridlayout length cannot exceed 12 characters");
  } else if ((int64_t)length != (int64_t)texture->gridsize[0] * texture->gridsize[1]) {
    sn_mjcfFail(r, node, "gridlayout length must match gridsize");
  } else {
    memcpy(texture->gridlayout, layout, length);
  }
}

static void readTexture(snReader* r, const snXmlNode* node) {
  SN_MJCF_NEW(snsTexture, texture, sns_addTexture(r->spec));
  sn_mjcfName(r, node, sn_elem(texture->element), texture->info);
  sn_mjcfGroup(r, node, sn_attrTexture, texture);
  readGrid(r, node, texture);
  static const char* const sides[] = {"fileright", "fileleft",  "fileup",
                                      "filedown",  "filefront", "fileback"};
  for (int i = 0; i < 6; i++) {
    const char* file = sn_xmlAttr(node, sides[i]);
    if (file) sns_setInStringVec(texture->cubefiles, i, sn_mjcfPath(r, file));
  }
}

void sn_mjcfMaterialElement(snReader* r, const snXmlNode* node, snsMaterial* material) {
  sn_mjcfGroup(r, node, sn_attrMaterial, material);
  const char* texture = sn_xmlAttr(node, "texture");
  if (texture) sns_setInStringVec(material->textures, snTEXROLE_RGB, texture);
  for (const snXmlNode* child = node->first; child && !r->failed; child = child->next) {
    if (texture) {
      sn_mjcfFail(r, child, "A material with a texture attribute cannot have layer sub-elements");
      return;
    }
    int role = 0;
    sn_mjcfNeeded(r, child, "role");
    const char* name = sn_mjcfNeeded(r, child, "texture");
    sn_mjcfKeyword(r, child, "role", sn_mapTexRole, &role);
    sns_setInStringVec(material->textures, role, name);
  }
}

static void readMaterial(snReader* r, const snXmlNode* node) {
  const snsDefault* def = sn_mjcfClass(r, node, sns_getSpecDefault(r->spec));
  SN_MJCF_NEW(snsMaterial, material, sns_addMaterial(r->spec, def));
  sn_mjcfName(r, node, sn_elem(material->element), material->info);
  sn_mjcfMaterialElement(r, node, material);
}

// ---- models ----

static void readModelAsset(snReader* r, const snXmlNode* node) {
  const char* file = sn_mjcfNeeded(r, node, "file");
  snSpec* child = r->failed ? NULL : sn_mjcfModel(r, node, file);
  if (!child) return;
  const char* name = sn_xmlAttr(node, "name");
  if (name) sns_setString(child->modelname, name);
  if (!sn_specAddChild(r->spec, child)) {
    sn_deleteSpec(child);
    sn_mjcfFail(r, node, "out of memory");
  }
}

void sn_mjcfAsset(snReader* r, const snXmlNode* node) {
  for (const snXmlNode* child = node->first; child && !r->failed; child = child->next) {
    if (!strcmp(child->name, "mesh")) readMesh(r, child);
    if (!strcmp(child->name, "hfield")) readHField(r, child);
    if (!strcmp(child->name, "skin")) sn_mjcfSkin(r, child);
    if (!strcmp(child->name, "texture")) readTexture(r, child);
    if (!strcmp(child->name, "material")) readMaterial(r, child);
    if (!strcmp(child->name, "model")) readModelAsset(r, child);
  }
}
