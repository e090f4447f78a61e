// Specs: making, copying, deleting.

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "model/plugin.h"
#include "spec/element.h"

static const char* const kModelName = "MuJoCo Model";

static void defaultCompiler(snsCompiler* compiler) {
  memset(compiler, 0, sizeof(*compiler));
  compiler->autolimits = 1;
  compiler->settotalmass = -1;
  compiler->degree = 1;
  memcpy(compiler->eulerseq, "xyz", 3);
  compiler->usethread = 1;
  compiler->inertiafromgeom = snINERTIAFROMGEOM_AUTO;
  compiler->inertiagrouprange[1] = snNGROUP - 1;
  sn_defaultLROpt(&compiler->LRopt);
}

void sns_defaultSpec(snSpec* spec) {
  memset(spec, 0, sizeof(*spec));
  defaultCompiler(&spec->compiler);
  sn_defaultOption(&spec->option);
  sn_defaultVisual(&spec->visual);
  spec->stat.meaninertia = NAN;
  spec->stat.meanmass = NAN;
  spec->stat.meansize = NAN;
  spec->stat.extent = NAN;
  spec->stat.center[0] = NAN;
  spec->memory = -1;
  spec->njmax = -1;
  spec->nconmax = -1;
  spec->nstack = -1;
  spec->nuser_body = -1;
  spec->nuser_jnt = -1;
  spec->nuser_geom = -1;
  spec->nuser_site = -1;
  spec->nuser_cam = -1;
  spec->nuser_tendon = -1;
  spec->nuser_actuator = -1;
  spec->nuser_sensor = -1;
  spec->deformable_repeats = 1;
  spec->xpbd_substeps = 1;
}

// strings of the spec and vectors of its private part, in the order of their boxes
enum {
  BOX_NAME,
  BOX_COMMENT,
  BOX_FOLDER,
  BOX_MESHDIR,
  BOX_TEXTUREDIR,
  BOX_MODELS,
  BOX_PLUGINS,
  NBOX
};

typedef struct SpecBlock_ {
  snSpecData data;
  snElem element;
  snBox boxes[NBOX];
} SpecBlock;

static snBoxKind boxKind(int i) { return i < BOX_MODELS ? snBOX_STRING : snBOX_STRINGVEC; }

static void bind(SpecBlock* block) {
  snSpecData* data = &block->data;
  snSpec* spec = &data->spec;
  data->element = &block->element;
  spec->element = &block->element.head;
  spec->modelname = (snString*)&block->boxes[BOX_NAME];
  spec->comment = (snString*)&block->boxes[BOX_COMMENT];
  spec->modelfiledir = (snString*)&block->boxes[BOX_FOLDER];
  spec->compiler.meshdir = (snString*)&block->boxes[BOX_MESHDIR];
  spec->compiler.texturedir = (snString*)&block->boxes[BOX_TEXTUREDIR];
  data->models = (snStringVec*)&block->boxes[BOX_MODELS];
  data->plugins = (snStringVec*)&block->boxes[BOX_PLUGINS];
}

// a spec without world and classes
static SpecBlock* newBlock(void) {
  SpecBlock* block = (SpecBlock*)snu_malloc(sizeof(SpecBlock));
  if (!block) return NULL;
  memset(block, 0, sizeof(*block));
  snSpec* spec = &block->data.spec;
  sns_defaultSpec(spec);
  block->element.head.elemtype = snOBJ_MODEL;
  block->element.spec = spec;
  block->element.object = spec;
  block->element.id = -1;
  bind(block);
  return block;
}

snSpec* sn_specNew(const snSpec* other) {
  SN_ASSERT(other->element && other->element->elemtype == snOBJ_MODEL);
  SpecBlock* block = newBlock();
  if (!block) return NULL;
  const SpecBlock* source = (const SpecBlock*)other;
  snSpec* spec = &block->data.spec;
  *spec = *other;
  bind(block);
  // model assets name themselves when they are copied
  for (int i = 0; i < NBOX; i++) {
    if (i != BOX_MODELS && !sn_boxCopy(block->boxes + i, source->boxes + i, boxKind(i))) {
      sn_deleteSpec(spec);
      return NULL;
    }
  }
  block->data.deepcopy = source->data.deepcopy;
  block->data.iswarning = source->data.iswarning;
  block->data.structure = source->data.structure;
  block->element.head.signature = source->element.head.signature;
  memcpy(block->data.error, source->data.error, sizeof(block->data.error));
  return spec;
}

snSpec* sn_makeSpec(void) {
  SpecBlock* block = newBlock();
  if (!block) return NULL;
  snSpec* spec = &block->data.spec;
  snSpecData* data = &block->data;
  sns_setString(spec->modelname, kModelName);
  snsDefault* main = sns_addDefault(spec, "main", NULL);
  if (main) data->main = sn_elem(main->element);
  data->world = main ? sn_elemNew(spec, snOBJ_BODY) : NULL;
  if (!data->world || sns_setName(&data->world->head, "world")) {
    sn_deleteSpec(spec);
    return NULL;
  }
  data->world->def = data->main;
  data->world->id = 0;
  sns_setString(((snsBody*)data->world->object)->childclass, "main");
  return spec;
}

static void freeOrigins(snSpecData* data) {
  while (data->origins) {
    snOrigin* origin = data->origins;
    data->origins = origin->next;
    sn_boxFree((snBox*)&origin->meshdir, snBOX_STRING);
    sn_boxFree((snBox*)&origin->texturedir, snBOX_STRING);
    sn_boxFree((snBox*)&origin->modelfiledir, snBOX_STRING);
    snu_free(origin);
  }
}

static void forgetResolved(const snElemList* list) { SN_EACH(e, list) e->resolved = NULL; }

void sn_forgetResolved(snSpec* spec) {
  snSpecData* data = sn_specData(spec);
  for (snElem* body = data->world; body; body = sn_nextBody(body)) {
    body->resolved = NULL;
    for (int k = 0; k < sn_kind(snOBJ_BODY)->nlist; k++) forgetResolved(body->lists + k);
  }
  for (int type = 0; type < snNLIST; type++) forgetResolved(data->lists + type);
  data->sizes = NULL;
  data->layout = NULL;
  sn_poolRelease(&data->resolved);
}

void sn_deleteSpec(snSpec* s) {
  if (!s) return;
  SpecBlock* block = (SpecBlock*)s;
  snSpecData* data = &block->data;
  if (data->holders-- > 0) return;
  for (int i = 0; i < data->nabsorbed; i++) {
    snSpecData* held = sn_specData(data->absorbed[i]);
    SN_ASSERT(held != data);
    if (held->absorber == s) held->absorber = NULL;
    sn_deleteSpec(data->absorbed[i]);
  }
  snu_free(data->absorbed);
  sn_poolRelease(&data->resolved);
  sn_namesFree(s);
  if (data->world) sn_elemFree(data->world);
  if (data->main) sn_elemFree(data->main);
  for (int i = 0; i < snNLIST; i++) {
    while (data->lists[i].first) {
      snElem* e = data->lists[i].first;
      sn_listRemove(data->lists + i, e);
      sn_elemFree(e);
    }
  }
  while (data->graveyard) {
    snElem* e = data->graveyard;
    data->graveyard = e->next;
    snu_free(e);
  }
  for (int i = 0; i < data->nchild; i++) sn_deleteSpec(data->children[i]);
  snu_free(data->children);
  for (int i = 0; i < data->nfile; i++) snu_free(data->files[i]);
  snu_free(data->files);
  freeOrigins(data);
  for (int i = 0; i < NBOX; i++) sn_boxFree(block->boxes + i, boxKind(i));
  while (block->element.user) sns_deleteUserValue(&block->element.head, block->element.user->key);
  snu_free(block);
}

const char* sns_getError(snSpec* s) { return s ? sn_specData(s)->error : ""; }
int sns_isWarning(snSpec* s) { return s ? sn_specData(s)->iswarning : 0; }

void sn_keepDeleted(snSpec* spec) { sn_specData(spec)->keepdead = 1; }

static void forgetList(const snElemList* list, const snSpec* other) {
  SN_EACH(e, list) {
    if (e->moved && e->moved->spec == other) e->moved = NULL;
    if (e->head.elemtype == snOBJ_TENDON) {
      SN_EACH(wrap, e->lists) {
        if (wrap->moved && wrap->moved->spec == other) wrap->moved = NULL;
      }
    }
  }
}

void sn_forgetMoved(snSpec* spec, const snSpec* other) {
  for (snElem* body = sn_world(spec); body; body = sn_nextBody(body)) {
    if (body->moved && body->moved->spec == other) body->moved = NULL;
    for (int k = 0; k < sn_kind(snOBJ_BODY)->nlist; k++) forgetList(body->lists + k, other);
  }
  for (int type = 0; type < snNLIST; type++) forgetList(sn_specData(spec)->lists + type, other);
}

// ---- structure ----

static uint64_t mix(uint64_t hash, uint64_t value) { return (hash ^ value) * 1099511628211ull; }

uint64_t sn_specSignature(const snSpec* spec) {
  uint64_t hash = 14695981039346656037ull;
  for (const snElem* body = sn_world(spec); body; body = sn_nextBody(body)) {
    int depth = 0;
    for (const snElem* up = body->parent; up; up = up->parent) depth++;
    hash = mix(hash, (uint64_t)depth);
    for (int k = 0; k < sn_kind(snOBJ_BODY)->nlist; k++)
      hash = mix(hash, (uint64_t)body->lists[k].size);
  }
  for (int type = 0; type < snNLIST; type++) {
    hash = mix(hash, (uint64_t)sn_specData(spec)->lists[type].size);
  }
  return hash;
}

int sns_setDeepCopy(snSpec* s, int deepcopy) {
  if (!s) return -1;
  sn_specData(s)->deepcopy = (snByte)(deepcopy != 0);
  return 0;
}

int sn_specAppend(snSpec*** list, int* count, snSpec* spec) {
  SN_ASSERT(spec && *count >= 0 && (*count == 0) == (*list == NULL));
  snSpec** longer = (snSpec**)snu_malloc(((size_t)*count + 1) * sizeof(snSpec*));
  if (!longer) return 0;
  if (*count) memcpy(longer, *list, (size_t)*count * sizeof(snSpec*));
  snu_free(*list);
  *list = longer;
  longer[(*count)++] = spec;
  return 1;
}

int sn_specAddChild(snSpec* spec, snSpec* child) {
  snSpecData* data = sn_specData(spec);
  if (!sn_specAppend(&data->children, &data->nchild, child)) return 0;
  sns_appendString(data->models, sns_getString(child->modelname));
  return data->models->size == data->nchild;
}

int sns_activatePlugin(snSpec* s, const char* name) {
  if (!s) return -1;
  int slot = sn_pluginSlot(name);
  if (slot < 0) {
    sn_specError(s, 0, "plugin '%s' not found", name ? name : "");
    return -1;
  }
  snStringVec* plugins = sn_specData(s)->plugins;
  for (int k = 0; k < plugins->size; k++) {
    if (sn_pluginSlot(sns_getString(plugins->data + k)) == slot) return 0;
  }
  sns_appendString(plugins, name);
  return 0;
}
