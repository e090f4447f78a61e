// Names and paths of the items, as the model's text buffers.

#include "model/names.h"
#include "base/assert.h"

#include <string.h>

#include "compile/compiler.h"

// element of a named kind by index, NULL for objects without an element
static const snElem* namedElement(const snCompiler* c, snObj type, int i) {
  switch (type) {
    case snOBJ_BODY: return c->bodies[i]->elem;
    case snOBJ_JOINT: return c->joints[i]->elem;
    case snOBJ_GEOM: return c->geoms[i]->elem;
    case snOBJ_SITE: return c->sites[i]->elem;
    case snOBJ_CAMERA: return c->cameras[i]->elem;
    case snOBJ_LIGHT: return c->lights[i]->elem;
    case snOBJ_FLEX: return sn_flexElem(c, i);
    case snOBJ_DEFORMABLE: return sn_deformElem(c, i);
    case snOBJ_MESH: return c->keptmeshes[i]->elem;
    case snOBJ_SKIN: return c->skins[i].elem;
    case snOBJ_HFIELD: return c->hfields[i].elem;
    case snOBJ_TEXTURE: return c->textures[i].elem;
    case snOBJ_MATERIAL: return c->materials[i].elem;
    case snOBJ_PAIR: return c->pairs[i].elem;
    case snOBJ_EXCLUDE: return c->excludes[i].elem;
    case snOBJ_EQUALITY: return c->equalities[i].elem;
    case snOBJ_TENDON: return c->tendons[i].elem;
    case snOBJ_ACTUATOR: return c->actuators[i].elem;
    case snOBJ_SENSOR: return c->sensors[i].elem;
    case snOBJ_NUMERIC: return c->numerics[i].elem;
    case snOBJ_TEXT: return c->texts[i].elem;
    case snOBJ_TUPLE: return c->tuples[i].elem;
    case snOBJ_KEY: return c->keys[i].elem;
    default: return NULL;
  }
}

static const char* nameOf(const snCompiler* c, snObj type, int i) {
  if (type == snOBJ_PLUGIN) return sn_pluginInstanceName(c, i);
  const snElem* elem = namedElement(c, type, i);
  return elem ? sn_elemName(elem) : "";
}

enum { PATH_SIZE = 4096 };

// files in the order of the buffer
static snSize countPaths(const snCompiler* c) {
  snSize count = 0;
  char buffer[PATH_SIZE];
#define X(n, item)                                                                       \
  for (int i = 0; i < n; i++) {                                                          \
    const char* path = sn_storedFile(item.elem, item.spec.file, buffer, sizeof(buffer)); \
    if (*path) count += (snSize)strlen(path) + 1;                                        \
  }
  X(c->nhfield, c->hfields[i])
  X(c->nkeptmesh, (*c->keptmeshes[i]))
  X(c->nskin, c->skins[i])
  X(c->ntex, c->textures[i])
#undef X
  return count ? count : 1;
}

void sn_countNames(const snCompiler* c, snModel* sizes) {
  snSize count = (snSize)strlen(sns_getString(c->spec->modelname)) + 1;
#define X(type, size, address) \
  for (int i = 0; i < sizes->size; i++) count += (snSize)strlen(nameOf(c, type, i)) + 1;
  SN_NAMED(X)
#undef X
  sizes->nnames = count;
  sizes->nnames_map = sn_countNamesMap(sizes);
  sizes->npaths = countPaths(c);
}

static void fillPath(snModel* m, const char* path, int* address, snSize* next) {
  *address = -1;
  if (!*path) return;
  size_t length = strlen(path) + 1;
  memcpy(m->paths + *next, path, length);
  *address = (int)*next;
  *next += (snSize)length;
}

void sn_fillNames(snCompiler* c) {
  snModel* m = c->m;
  const char* modelname = sns_getString(c->spec->modelname);
  snSize next = (snSize)strlen(modelname) + 1;
  memcpy(m->names, modelname, (size_t)next);
#define X(type, size, address)             \
  for (int i = 0; i < m->size; i++) {      \
    const char* name = nameOf(c, type, i); \
    size_t length = strlen(name) + 1;      \
    memcpy(m->names + next, name, length); \
    m->address[i] = (int)next;             \
    next += (snSize)length;                \
  }
  SN_NAMED(X)
#undef X
  SN_ASSERT(next == m->nnames);
  sn_setNamesMap(m);

  next = 0;
  char buffer[PATH_SIZE];
#define X(n, item, address)                                                              \
  for (int i = 0; i < n; i++) {                                                          \
    const char* path = sn_storedFile(item.elem, item.spec.file, buffer, sizeof(buffer)); \
    fillPath(m, path, m->address + i, &next);                                            \
  }
  X(c->nhfield, c->hfields[i], hfield_pathadr)
  X(c->nkeptmesh, (*c->keptmeshes[i]), mesh_pathadr)
  X(c->nskin, c->skins[i], skin_pathadr)
  X(c->ntex, c->textures[i], tex_pathadr)
#undef X
  SN_ASSERT(next <= m->npaths);
}
