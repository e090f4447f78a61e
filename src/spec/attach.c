#include "spec/attach.h"

#include <stdio.h>
#include <string.h>

// one copy of a part of a model
typedef struct Copy_ {
  snSpec* from;
  snSpec* to;
  const char* prefix;
  const char* suffix;
  int failed;
  const int* originals;  // within one model: how many elements of each type may refer to the source
} Copy;

static int fail(Copy* c, const char* what) {
  if (!c->failed) sn_specError(c->to, 0, "%s", what);
  c->failed = 1;
  return 0;
}

static int isOther(const Copy* c) { return c->from != c->to; }

static void renameText(const Copy* c, snString* name) {
  if (sn_stringEmpty(name)) return;
  snString old = *name;
  memset(name, 0, sizeof(*name));
  if (!sn_stringJoin(name, c->prefix, sns_getString(&old), c->suffix)) {
    *name = old;
    return;
  }
  sn_boxFree((snBox*)&old, snBOX_STRING);
}

// what has the main class of the child has that of the parent afterwards
static void renameClass(const Copy* c, snString* name) {
  if (strcmp(sns_getString(name), "main")) renameText(c, name);
}

static void renameAll(const Copy* c, snStringVec* names) {
  for (int i = 0; i < names->size; i++) renameText(c, names->data + i);
}

// element of the new model with the new form of a name
static snElem* findRenamed(const Copy* c, snObj type, const char* name) {
  snString renamed = {0};
  snElem* e = NULL;
  if (sn_stringJoin(&renamed, c->prefix, name, c->suffix)) {
    e = sn_findName(c->to, type, sns_getString(&renamed));
  }
  sn_boxFree((snBox*)&renamed, snBOX_STRING);
  return e;
}

// ---- settings of the model that elements came from ----

static snOrigin* newOrigin(Copy* c, const snsCompiler* compiler, const snString* folder,
                           snByte strippath) {
  snSpecData* data = sn_specData(c->to);
  snOrigin* origin = (snOrigin*)snu_malloc(sizeof(snOrigin));
  if (!origin) {
    fail(c, "out of memory");
    return NULL;
  }
  memset(origin, 0, sizeof(*origin));
  origin->compiler = *compiler;
  sns_setString(&origin->meshdir, sns_getString(compiler->meshdir));
  sns_setString(&origin->texturedir, sns_getString(compiler->texturedir));
  sns_setString(&origin->modelfiledir, sns_getString(folder));
  origin->compiler.meshdir = &origin->meshdir;
  origin->compiler.texturedir = &origin->texturedir;
  origin->strippath = strippath;
  origin->next = data->origins;
  data->origins = origin;
  return origin;
}

static int sameOrigin(const snOrigin* a, const snsCompiler* compiler, const char* folder,
                      snByte strippath) {
  const snsCompiler* mine = &a->compiler;
  return a->strippath == strippath && mine->autolimits == compiler->autolimits &&
         mine->boundmass == compiler->boundmass && mine->boundinertia == compiler->boundinertia &&
         mine->balanceinertia == compiler->balanceinertia && mine->degree == compiler->degree &&
         !memcmp(mine->eulerseq, compiler->eulerseq, 3) &&
         mine->inertiafromgeom == compiler->inertiafromgeom &&
         mine->inertiagrouprange[0] == compiler->inertiagrouprange[0] &&
         mine->inertiagrouprange[1] == compiler->inertiagrouprange[1] &&
         mine->alignfree == compiler->alignfree && mine->fitaabb == compiler->fitaabb &&
         sn_stringIs(&a->meshdir, sns_getString(compiler->meshdir)) &&
         sn_stringIs(&a->texturedir, sns_getString(compiler->texturedir)) &&
         sn_stringIs(&a->modelfiledir, folder);
}

static snOrigin* mapOrigin(Copy* c, const snElem* source) {
  if (!isOther(c)) return source->origin;
  const snsCompiler* compiler = sn_elemCompiler(source);
  const char* folder = sn_elemFolder(source);
  snByte strippath = (snByte)sn_elemStrippath(source);
  for (snOrigin* o = sn_specData(c->to)->origins; o; o = o->next) {
    if (sameOrigin(o, compiler, folder, strippath)) return o;
  }
  snString text = {0};
  sns_setString(&text, folder);
  snOrigin* origin = newOrigin(c, compiler, &text, strippath);
  sn_boxFree((snBox*)&text, snBOX_STRING);
  return origin;
}

// ---- single elements ----

static snElem* mapClass(const Copy* c, snElem* def) {
  if (!def || !isOther(c)) return def;
  if (def == sn_specData(c->from)->main) return sn_specData(c->to)->main;
  snElem* mapped = findRenamed(c, snOBJ_DEFAULT, sn_elemName(def));
  return mapped ? mapped : sn_specData(c->to)->main;
}

// a copy in no list, without a name
static snElem* copyElem(Copy* c, const snElem* source) {
  snElem* e = c->failed ? NULL : sn_elemNew(c->to, source->head.elemtype);
  if (!e || !sn_elemAssign(e, source)) {
    if (e) sn_elemFree(e);
    fail(c, "out of memory");
    return NULL;
  }
  e->origin = mapOrigin(c, source);
  if (isOther(c) && !sn_specData(c->to)->deepcopy) ((snElem*)source)->moved = e;
  e->def = mapClass(c, source->def);
  e->line = source->line;
  e->file = sn_specFile(c->to, source->file);
  e->included = source->included;
  return e;
}

static int nameCopy(Copy* c, snElem* e, const char* name);

// Plugin instances come along with what refers to them, once each: their scratch leads to the copy.
static void mapPlugin(Copy* c, snElem* e) {
  snsPlugin* plugin = isOther(c) ? sn_elemPlugin(e) : NULL;
  if (!plugin || !plugin->active) return;
  const char* name = sns_getString(plugin->name);
  snElem* source = *name             ? sn_findName(c->from, snOBJ_PLUGIN, name)
                   : plugin->element ? sn_elem(plugin->element)
                                     : NULL;
  plugin->element = NULL;
  if (!source || source->spec != c->from) return;
  snElem* copy = (snElem*)source->scratch;
  if (!copy && *name) copy = findRenamed(c, snOBJ_PLUGIN, name);
  if (!copy) {
    copy = copyElem(c, source);
    if (!copy) return;
    sn_listInsert(sn_specList(c->to, snOBJ_PLUGIN), copy, NULL);
    if (!nameCopy(c, copy, sn_elemName(source))) return;
    snsPlugin* own = (snsPlugin*)copy->object;
    own->element = &copy->head;
    sns_setString(own->name, sn_elemName(copy));
    if (sns_activatePlugin(c->to, sns_getString(own->plugin_name))) c->failed = 1;
    source->scratch = copy;
  }
  if (*name) {
    sns_setString(plugin->name, sn_elemName(copy));
  } else {
    plugin->element = &copy->head;
  }
}

// Give a linked copy its new name; keyframes that had none get one, too. A copy of a replicate may have the
// name of something in the template, which goes in the end: the compiler tells of names that stay repeated.
static int nameCopy(Copy* c, snElem* e, const char* name) {
  snObj type = e->head.elemtype;
  if (!*name && (type != snOBJ_KEY || (!*c->prefix && !*c->suffix))) return 1;
  snString renamed = {0};
  int ok = sn_stringJoin(&renamed, c->prefix, name, c->suffix);
  if (ok && c->originals && (sn_isTreeType(type) || type == snOBJ_KEY)) {
    sn_nameRemove(e);
    sns_setString(&e->name, sns_getString(&renamed));
    if (!sn_nameAdd(e)) fail(c, "out of memory");
  } else if (ok && sn_findName(c->to, type, sns_getString(&renamed))) {
    if (!c->failed) {
      sn_specError(c->to, 0, "Error: repeated name '%s' in %s", sns_getString(&renamed),
                   sn_typeName(type));
    }
    c->failed = 1;
  } else if (!ok || sns_setName(&e->head, sns_getString(&renamed))) {
    fail(c, "out of memory");
  }
  sn_boxFree((snBox*)&renamed, snBOX_STRING);
  return !c->failed;
}

// names of assets change only when they come from another model
static void renameTree(const Copy* c, snElem* e) {
  switch (e->head.elemtype) {
    case snOBJ_GEOM: {
      snsGeom* geom = (snsGeom*)e->object;
      if (!isOther(c)) return;
      renameText(c, geom->material);
      renameText(c, geom->meshname);
      renameText(c, geom->hfieldname);
      return;
    }
    case snOBJ_SITE:
      if (isOther(c)) renameText(c, ((snsSite*)e->object)->material);
      return;
    case snOBJ_CAMERA: renameText(c, ((snsCamera*)e->object)->targetbody); return;
    case snOBJ_LIGHT:
      renameText(c, ((snsLight*)e->object)->targetbody);
      renameText(c, ((snsLight*)e->object)->texture);
      return;
    case snOBJ_BODY:
      if (isOther(c)) renameClass(c, ((snsBody*)e->object)->childclass);
      return;
    case snOBJ_FRAME:
      if (isOther(c)) renameClass(c, ((snsFrame*)e->object)->childclass);
      return;
    default: return;
  }
}

// copy into a body; the scratch of the source leads to the copy
static snElem* copyTo(Copy* c, snElem* source, snElem* body, snElem* frame) {
  snElem* e = copyElem(c, source);
  if (!e) return NULL;
  e->parent = body;
  e->frame = frame;
  sn_listInsert(sn_bodyList(body, e->head.elemtype), e, NULL);
  renameTree(c, e);
  nameCopy(c, e, sn_elemName(source));
  mapPlugin(c, e);
  source->scratch = e;
  return e;
}

// ---- subtrees ----

static const snObj kLeaves[] = {snOBJ_GEOM, snOBJ_JOINT, snOBJ_SITE, snOBJ_CAMERA, snOBJ_LIGHT};

static int isInFrame(const snElem* e, const snElem* frame) {
  const snElem* at = e->frame;
  while (at && at != frame) at = at->frame;
  return at == frame;
}

// what a source's frame has become; frames outside of the copy become the top frame
static snElem* mapFrame(const snElem* source, snElem* top) {
  return source->frame && source->frame->scratch ? (snElem*)source->frame->scratch : top;
}

// copy frames and leaves of one body; with a frame only what is inside of it
static void copyLevel(Copy* c, snElem* body, const snElem* inside, snElem* target, snElem* top) {
  SN_EACH(f, sn_bodyList(body, snOBJ_FRAME)) {
    if (isInFrame(f, inside)) copyTo(c, f, target, NULL);
  }
  SN_EACH(f, sn_bodyList(body, snOBJ_FRAME)) {
    if (f->scratch && f != inside) ((snElem*)f->scratch)->frame = mapFrame(f, top);
  }
  for (int k = 0; k < 5; k++) {
    SN_EACH(e, sn_bodyList(body, kLeaves[k])) {
      if (!isInFrame(e, inside)) continue;
      copyTo(c, e, target, mapFrame(e, top));
    }
  }
}

static snElem* nextBelow(const snElem* body, const snElem* root) {
  snElem* child = sn_bodyList(body, snOBJ_BODY)->first;
  return child ? child : sn_nextBodySkip(body, root);
}

static snElem* copyBody(Copy* c, snElem* root, snElem* target, snElem* frame) {
  for (snElem* b = root; b && !c->failed; b = nextBelow(b, root)) {
    snElem* parent = b == root ? target : (snElem*)b->parent->scratch;
    snElem* inside = b == root ? frame : mapFrame(b, NULL);
    snElem* e = copyTo(c, b, parent, inside);
    if (e) copyLevel(c, b, NULL, e, NULL);
  }
  return (snElem*)root->scratch;
}

static void clearLevel(snElem* body) {
  for (int k = 0; k < sn_kind(snOBJ_BODY)->nlist; k++) {
    SN_EACH(e, body->lists + k) e->scratch = NULL;
  }
}

static void clearScratch(snElem* root) {
  root->scratch = NULL;
  for (snElem* b = root; b; b = nextBelow(b, root)) clearLevel(b);
}

// everything in a body (inside of a frame) goes into another, into a top frame
static void copyContents(Copy* c, snElem* body, const snElem* inside, snElem* target, snElem* top) {
  copyLevel(c, body, inside, target, top);
  SN_EACH(b, sn_bodyList(body, snOBJ_BODY)) {
    if (isInFrame(b, inside) && !c->failed) copyBody(c, b, target, mapFrame(b, top));
  }
}

// ---- elements outside of the tree ----

// try the new form of a name, then the plain one; 2: new form exists, 1: plain one does
static int renameRef(const Copy* c, const snRef* ref, int plain) {
  if (findRenamed(c, ref->type, sns_getString(ref->name))) {
    renameText(c, ref->name);
    return 2;
  }
  return plain && sn_findName(c->to, ref->type, sns_getString(ref->name)) ? 1 : 0;
}

// pairs, excludes and sensors with two references: one of them may be outside of the copy
static int renameTwo(const Copy* c, const snRef* refs, int n) {
  int found[2] = {0, 0};
  if (n == 0) return 1;
  for (int i = 0; i < n; i++) found[i] = renameRef(c, refs + i, 0);
  if (n == 1) return found[0];
  if (!found[0] && !found[1]) return 0;
  for (int i = 0; i < 2; i++) {
    if (!found[i] && !sn_findName(c->to, refs[i].type, sns_getString(refs[i].name))) return 0;
  }
  return 1;
}

static int renameEvery(const Copy* c, const snRef* refs, int n) {
  for (int i = 0; i < n; i++) {
    if (!renameRef(c, refs + i, 0)) return 0;
  }
  return 1;
}

static int renameTendon(const Copy* c, snElem* e) {
  int found = 0;
  snRef refs[snMAXREF];
  if (isOther(c)) renameText(c, ((snsTendon*)e->object)->material);
  SN_EACH(wrap, sn_wrapList(e)) {
    int n = sn_elemRefs(wrap, refs);
    for (int i = 0; i < n; i++) {
      int how = renameRef(c, refs + i, 1);
      if (!how) return 0;
      found |= how == 2;
    }
  }
  return found;
}

static int renameBodies(const Copy* c, snStringVec* names) {
  for (int i = 0; i < names->size; i++) {
    if (!findRenamed(c, snOBJ_BODY, sns_getString(names->data + i))) return 0;
  }
  renameAll(c, names);
  return 1;
}

static int renameTuple(const Copy* c, snsTuple* tuple) {
  for (int i = 0; i < tuple->objname->size; i++) {
    snRef ref = {(snObj)tuple->objtype->data[i], tuple->objname->data + i};
    if (!renameRef(c, &ref, 0)) return 0;
  }
  return 1;
}

// MuJoCo also leaves out a sheet that bends when one of its bodies has not three joints.
static int canBend(const Copy* c, const snsFlex* flex) {
  for (int i = 0; flex->dim == 2 && (flex->elastic2d & 1) && i < flex->vertbody->size; i++) {
    const char* name = sns_getString(flex->vertbody->data + i);
    if (sn_bodyList(sn_findName(c->to, snOBJ_BODY, name), snOBJ_JOINT)->size != 3) return 0;
  }
  return 1;
}

// change the references of a copy; 0 when it has nothing to hold on to
static int renameRefs(const Copy* c, snElem* e) {
  snRef refs[snMAXREF];
  int n = sn_elemRefs(e, refs);
  switch (e->head.elemtype) {
    case snOBJ_PAIR:
    case snOBJ_EXCLUDE: return n == 2 && renameTwo(c, refs, n);
    case snOBJ_SENSOR: return renameTwo(c, refs, n);
    case snOBJ_TENDON: return renameTendon(c, e);
    case snOBJ_TUPLE: return renameTuple(c, (snsTuple*)e->object);
    case snOBJ_FLEX: {
      snsFlex* flex = (snsFlex*)e->object;
      if (isOther(c)) renameText(c, flex->material);
      return renameBodies(c, flex->vertbody) && renameBodies(c, flex->nodebody) && canBend(c, flex);
    }
    case snOBJ_SKIN: return renameBodies(c, ((snsSkin*)e->object)->bodyname);
    default:
      // within one model, what refers to nothing has no share in the copy
      return (n || isOther(c)) && renameEvery(c, refs, n);
  }
}

static int copyWraps(Copy* c, const snElem* source, snElem* tendon) {
  SN_EACH(wrap, sn_wrapList(source)) {
    snElem* e = copyElem(c, wrap);
    if (!e) return 0;
    e->parent = tendon;
    sn_listInsert(sn_wrapList(tendon), e, NULL);
  }
  return 1;
}

// names of flexes and skins stay as they are
static int keepsName(snObj type) { return type == snOBJ_FLEX || type == snOBJ_SKIN; }

// a copy that has nothing to hold on to goes again
static void dropCopy(Copy* c, const snElem* source, snElem* copy) {
  if (isOther(c)) {
    ((snElem*)source)->moved = NULL;
    if (source->head.elemtype == snOBJ_TENDON) {
      SN_EACH(wrap, sn_wrapList(source)) wrap->moved = NULL;
    }
  }
  sn_elemFree(copy);
}

static void copyOne(Copy* c, const snElem* source) {
  snObj type = source->head.elemtype;
  snElem* e = copyElem(c, source);
  if (!e) return;
  if ((type == snOBJ_TENDON && !copyWraps(c, source, e)) || !renameRefs(c, e)) {
    dropCopy(c, source, e);
    return;
  }
  snElemList* list = sn_specList(c->to, type);
  e->id = list->size;
  sn_listInsert(list, e, NULL);
  mapPlugin(c, e);
  if (!keepsName(type)) {
    nameCopy(c, e, sn_elemName(source));
  } else if (sn_findName(c->to, type, sn_elemName(source))) {
    sn_specError(c->to, 0, "Error: repeated name '%s' in %s", sn_elemName(source),
                 sn_typeName(type));
    c->failed = 1;
  } else {
    sns_setName(&e->head, sn_elemName(source));
  }
}

// Whether an element may have a share in a copy within one model: some name of it has a copy. Lists
// of names are looked at when the element is copied.
static int mayRefer(const Copy* c, const snElem* e) {
  snObj type = e->head.elemtype;
  if (isOther(c) || type == snOBJ_TENDON || type == snOBJ_TUPLE || keepsName(type)) return 1;
  snRef refs[snMAXREF];
  int n = sn_elemRefs(e, refs);
  for (int i = 0; i < n; i++) {
    if (findRenamed(c, refs[i].type, sns_getString(refs[i].name))) return 1;
  }
  return !n;
}

// Sensors that refer to nothing are copied every time, and their copies too, as in MuJoCo.
static int hasFree(const snElemList* list, int count) {
  snRef refs[snMAXREF];
  for (const snElem* e = list->first; e && count-- > 0; e = e->next) {
    if (e->head.elemtype == snOBJ_SENSOR && !sn_elemRefs(e, refs)) return 1;
  }
  return 0;
}

static void copyKind(Copy* c, snObj type) {
  snElemList* list = sn_specList(c->from, type);
  int count = list->size;  // copies may be appended to the same list
  if (c->originals && !hasFree(list, c->originals[type]) && c->originals[type] < count) {
    count = c->originals[type];
  }
  for (snElem* e = list->first; count-- > 0 && !c->failed; e = e->next) {
    if (mayRefer(c, e)) copyOne(c, e);
  }
}

static void copyReferring(Copy* c) {
  if (isOther(c) && sn_specList(c->from, snOBJ_DEFORMABLE)->size) {
    sn_specError(c->to, 0, "Error: a model with deformables cannot be attached");
    c->failed = 1;
    return;
  }
  static const snObj kinds[] = {snOBJ_FLEX,     snOBJ_PAIR,     snOBJ_EXCLUDE, snOBJ_TENDON,
                                snOBJ_EQUALITY, snOBJ_ACTUATOR, snOBJ_SENSOR,  snOBJ_TUPLE};
  for (int k = 0; k < 8; k++) copyKind(c, kinds[k]);
}

// ---- what another model brings along ----

// file name without directory and extension: the name of an asset that has none
static void defaultName(snString* name, const char* file) {
  const char* start = file;
  for (const char* at = file; *at; at++) {
    if (*at == '/' || *at == '\\') start = at + 1;
  }
  const char* dot = strrchr(start, '.');
  sn_stringAppend(name, start, (int)(dot ? (size_t)(dot - start) : strlen(start)));
}

static void copyAsset(Copy* c, const snElem* source) {
  snObj type = source->head.elemtype;
  snElem* e = copyElem(c, source);
  if (!e) return;
  const snString* file = NULL;
  switch (type) {
    case snOBJ_MESH:
      file = ((snsMesh*)e->object)->file;
      renameText(c, ((snsMesh*)e->object)->material);
      break;
    case snOBJ_HFIELD: file = ((snsHField*)e->object)->file; break;
    case snOBJ_TEXTURE: file = ((snsTexture*)e->object)->file; break;
    case snOBJ_MATERIAL: renameAll(c, ((snsMaterial*)e->object)->textures); break;
    default: break;
  }
  snElemList* list = sn_specList(c->to, type);
  e->id = list->size;
  sn_listInsert(list, e, NULL);
  snString name = {0};
  sns_setString(&name, sn_elemName(source));
  if (!name.size && file) defaultName(&name, sns_getString(file));
  nameCopy(c, e, sns_getString(&name));
  sn_boxFree((snBox*)&name, snBOX_STRING);
  mapPlugin(c, e);
}

static void copyAssets(Copy* c) {
  static const snObj kinds[] = {snOBJ_MESH,     snOBJ_HFIELD,  snOBJ_TEXTURE,
                                snOBJ_MATERIAL, snOBJ_NUMERIC, snOBJ_TEXT};
  for (int k = 0; k < 6; k++) {
    SN_EACH(e, sn_specList(c->from, kinds[k])) {
      if (!c->failed) copyAsset(c, e);
    }
  }
  copyKind(c, snOBJ_SKIN);
}

static snElem* nextClass(const snElem* def) {
  if (def->lists->first) return def->lists->first;
  while (def && !def->next) def = def->parent;
  return def ? def->next : NULL;
}

static void copyClasses(Copy* c) {
  for (snElem* def = sn_specData(c->from)->main; def && !c->failed; def = nextClass(def)) {
    if (findRenamed(c, snOBJ_DEFAULT, sn_elemName(def))) continue;
    snElem* parent = def->parent ? findRenamed(c, snOBJ_DEFAULT, sn_elemName(def->parent)) : NULL;
    snElem* e = sn_elemNew(c->to, snOBJ_DEFAULT);
    if (!e || !sn_elemAssign(e, def)) {
      if (e) sn_elemFree(e);
      fail(c, "out of memory");
      return;
    }
    e->parent = parent ? parent : sn_specData(c->to)->main;
    sn_listInsert(e->parent->lists, e, NULL);
    nameCopy(c, e, sn_elemName(def));
  }
}

// ---- keyframes ----

static int isChild(const Copy* c) {
  const snSpecData* data = sn_specData(c->to);
  for (int i = 0; i < data->nchild; i++) {
    if (data->children[i] == c->from) return 1;
  }
  return 0;
}

// A keyframe that an earlier attachment or replicate brought keeps its name and goes along once, as in MuJoCo.
static int isPending(const snElem* key) { return ((const snKeyObject*)key->object)->stored == 2; }

static int isHanded(const snElem* key) { return ((const snKeyObject*)key->object)->handed; }

static snElem* newKey(Copy* c, const snElem* source, const snElem* before) {
  snElem* key = copyElem(c, source);
  if (!key) return NULL;
  snKeyObject* object = (snKeyObject*)key->object;
  object->stored = 1;
  memcpy(object->present, ((snKeyObject*)source->object)->present, sizeof(object->present));
  sn_listInsert(sn_specList(c->to, snOBJ_KEY), key, (snElem*)before);
  if (!isOther(c) || !isPending(source)) {
    nameCopy(c, key, sn_elemName(source));
  } else if (sns_setName(&key->head, sn_elemName(source))) {
    c->failed = 1;
  }
  return key;
}

// A value goes to the copy of its owner in the new keyframe. It also goes to the keyframes of
// earlier attachments of the same model that did not take the owner along, since the last one that
// did: the model that is attached part by part has its keyframes in each of their names.
static void copyPart(Copy* c, const snElem* source, snKeyPart* part, snElem* owner) {
  SN_EACH(key, sn_specList(c->to, snOBJ_KEY)) {
    const snKeyObject* object = (const snKeyObject*)key->object;
    if (object->source != source || object->attachment <= part->attachment) continue;
    if (!sn_keyAddPart(key, owner, part->vector, part->value, part->size)) {
      fail(c, "out of memory");
      return;
    }
  }
}

// Owners in the tree lead to their copies by scratch, actuators are found by name or, without one,
// are lost.
static void copyKeysThat(Copy* c, int pending, int attachment) {
  SN_EACH(source, sn_specList(c->from, snOBJ_KEY)) {
    if (isPending(source) != pending || isHanded(source)) continue;
    snKeyObject* object = (snKeyObject*)source->object;
    snElem* key = newKey(c, source, NULL);
    if (!key) return;
    object->handed = (snByte)pending;
    snKeyObject* made = (snKeyObject*)key->object;
    made->stored = 2;
    made->source = source;
    made->attachment = attachment;
    for (snKeyPart* part = object->parts; part && !c->failed; part = part->next) {
      snElem* owner = (snElem*)part->owner->scratch;
      if (!owner) continue;
      copyPart(c, source, part, owner);
      part->attachment = attachment;
    }
    // a model that does not stay with this one may be gone when another comes to its place
    if (!isChild(c)) made->source = NULL;
  }
}

static void copyKeys(Copy* c) {
  int attachment = ++sn_specData(c->from)->attachments, pending = 0;
  SN_EACH(source, sn_specList(c->from, snOBJ_KEY))
  pending |= isPending(source) && !isHanded(source);
  if (pending) {
    snu_warning("%s",
                "Child model has pending keyframes. They will not be namespaced correctly. To "
                "prevent this, compile the child model before attaching it again.");
  }
  copyKeysThat(c, 0, attachment);
  if (pending) copyKeysThat(c, 1, attachment);
}

// ---- keyframes of a model that is attached to itself ----

// Copies of all keyframes, in parts, in no list; before anything is added to the model.
static snElem* splitKeys(Copy* c) {
  snElem *first = NULL, **tail = &first;
  SN_EACH(source, sn_specList(c->to, snOBJ_KEY)) {
    if (((const snKeyObject*)source->object)->stored) continue;
    snElem* key = copyElem(c, source);
    if (!key) break;
    *tail = key;
    tail = &key->next;
    if (!sn_keyStore(c->to, key)) {
      fail(c, sns_getError(c->to));
      break;
    }
    key->scratch = source;
  }
  return first;
}

// The values of what was copied go to the copies; the originals take reference values.
static void placeKeys(Copy* c, snElem* key) {
  for (snElem* next; key; key = next) {
    next = key->next;
    key->next = NULL;
    if (c->failed) {
      sn_elemFree(key);
      continue;
    }
    snKeyObject* object = (snKeyObject*)key->object;
    const snElem* source = (const snElem*)key->scratch;
    key->scratch = NULL;
    object->stored = 2;
    for (snKeyPart* part = object->parts; part; part = part->next) {
      if (part->owner->scratch) part->owner = (snElem*)part->owner->scratch;
    }
    sn_listInsert(sn_specList(c->to, snOBJ_KEY), key, NULL);
    nameCopy(c, key, sn_elemName(source));
  }
}

// pair actuators with their copies for copyKeys: copies were appended in order
static void linkActuators(Copy* c, const snElem* lastBefore) {
  snElem* copy = lastBefore ? lastBefore->next : sn_specList(c->to, snOBJ_ACTUATOR)->first;
  SN_EACH(e, sn_specList(c->from, snOBJ_ACTUATOR)) {
    e->scratch = NULL;
    if (!copy) continue;
    snRef mine[snMAXREF], theirs[snMAXREF];
    if (!sn_elemRefs(e, mine) || !sn_elemRefs(copy, theirs)) continue;
    if (findRenamed(c, mine[0].type, sns_getString(mine[0].name)) !=
        sn_findName(c->to, theirs[0].type, sns_getString(theirs[0].name))) {
      continue;
    }
    e->scratch = copy;
    copy = copy->next;
  }
}

// ---- replicate ----

// value of a joint in a keyframe that was written before the joint existed: its reference, as given
static int addReference(snElem* key, snElem* joint) {
  const snsJoint* j = (const snsJoint*)joint->object;
  double value[7] = {0};
  if (j->type == snJNT_HINGE || j->type == snJNT_SLIDE) value[0] = j->ref;
  return sn_keyAddPart(key, joint, snKEY_QPOS, value, sn_keySize(joint, snKEY_QPOS));
}

// A keyframe for this copy: values outside of the template as they are, those of the template for
// the copy. The original keeps the references of the copy, and comes last.
static void replicateKeys(Copy* c, const snElem* template) {
  snElemList* list = sn_specList(c->to, snOBJ_KEY);
  int count = 0;
  SN_EACH(key, list) count += ((snKeyObject*)key->object)->stored == 1;
  snElem* first = list->first;
  while (first && ((snKeyObject*)first->object)->stored != 1) first = first->next;
  snElem* next = first;
  for (snElem* source = first; source && count-- > 0 && !c->failed; source = next) {
    next = source->next;
    snElem* key = newKey(c, source, first);
    if (!key) return;
    ((snKeyObject*)key->object)->stored = 2;
    for (snKeyPart* part = ((snKeyObject*)source->object)->parts; part; part = part->next) {
      if (part->vector == snKEY_CTRL || part->vector == snKEY_ACT) continue;  // not taken along
      snElem* copy = (snElem*)part->owner->scratch;
      snElem* owner = copy ? copy : part->owner;
      if (!sn_keyAddPart(key, owner, part->vector, part->value, part->size))
        fail(c, "out of memory");
    }
    if (!((snKeyObject*)source->object)->present[snKEY_QPOS]) continue;
    for (snElem* b = (snElem*)template; b; b = nextBelow(b, template)) {
      SN_EACH(joint, sn_bodyList(b, snOBJ_JOINT)) {
        if (joint->scratch && !addReference(source, (snElem*)joint->scratch)) {
          fail(c, "out of memory");
        }
      }
    }
  }
}

// Keyframes that came with an attached model, or from a replicate inside of this one, stay with the
// first copy of their owners.
static void moveKeys(Copy* c) {
  SN_EACH(key, sn_specList(c->to, snOBJ_KEY)) {
    const snKeyObject* object = (const snKeyObject*)key->object;
    if (object->stored != 2) continue;
    for (snKeyPart* part = object->parts; part; part = part->next) {
      if (part->owner->scratch) part->owner = (snElem*)part->owner->scratch;
    }
  }
}

int sn_replicate(snElem* body, snElem* frame, snElem* source, const char* suffix,
                 const int* originals) {
  Copy c = {body->spec, body->spec, "", suffix, 0, originals};
  snElem* template = source->parent;
  if (!sn_keysStore(c.to)) return 0;
  snElem* top = copyTo(&c, source, body, frame);
  if (top) copyContents(&c, template, source, body, top);
  if (!c.failed) moveKeys(&c);
  if (!c.failed) replicateKeys(&c, template);
  clearScratch(template);
  if (!c.failed) copyReferring(&c);
  return !c.failed;
}

// Keyframes of one replicate are no business of the next. Those that were in parts before it lose
// what they say of actuators.
void sn_endReplicate(snElem* body) {
  SN_EACH(key, sn_specList(body->spec, snOBJ_KEY)) {
    snKeyObject* object = (snKeyObject*)key->object;
    if (object->stored == 2) sn_keyForgetActuators(key);
    object->stored = 2;
  }
  sn_elemDelete(body);
}

// ---- attach ----

static snElem* attachFrame(Copy* c, snElem* child, snElem* target, snElem* frame) {
  snElem* top = copyTo(c, child, target, frame);
  if (top) copyContents(c, child->parent, child, target, top);
  return top;
}

static snElem* attachModel(Copy* c, snElem* world, snElem* target, snElem* frame) {
  snElem* top = sn_elemNew(c->to, snOBJ_FRAME);
  if (!top) {
    fail(c, "out of memory");
    return NULL;
  }
  top->parent = target;
  top->frame = frame;
  sn_listInsert(sn_bodyList(target, snOBJ_FRAME), top, NULL);
  copyContents(c, world, NULL, target, top);
  return top;
}

// a frame where a site is
static snElem* frameAtSite(const snElem* site) {
  snsFrame* frame = sns_addFrame((snsBody*)site->parent->object,
                                 site->frame ? (snsFrame*)site->frame->object : NULL);
  if (!frame) return NULL;
  const snsSite* s = (const snsSite*)site->object;
  memcpy(frame->pos, s->pos, sizeof(frame->pos));
  memcpy(frame->quat, s->quat, sizeof(frame->quat));
  frame->alt = s->alt;
  return sn_elem(frame->element);
}

static int isBelow(const snElem* e, const snElem* body) {
  while (e && e != body) e = e->parent;
  return e != NULL;
}

// whether a place lies in a frame: itself, or one of the bodies around it
static int isInside(const snElem* body, const snElem* frame, const snElem* container) {
  while (body) {
    for (; frame; frame = frame->frame) {
      if (frame == container) return 1;
    }
    frame = body->frame;
    body = body->parent;
  }
  return 0;
}

static snElem* attach(Copy* c, snElem* child, snElem* target, snElem* frame) {
  snObj type = child->head.elemtype;
  snElem* root = type == snOBJ_MODEL   ? sn_world(c->from)
                 : type == snOBJ_FRAME ? child->parent
                                       : child;
  if (!isOther(c) &&
      (type == snOBJ_BODY ? isBelow(target, child) : isInside(target, frame, child))) {
    fail(c, "cannot attach an element to a part of itself");
    return NULL;
  }
  snElem* split = isOther(c) ? NULL : splitKeys(c);
  if (isOther(c) && !sn_keysStore(c->from)) fail(c, sns_getError(c->from));
  if (c->failed) {
    placeKeys(c, split);
    return NULL;
  }
  sn_specData(c->to)->received = 1;
  if (isOther(c)) copyClasses(c);
  snElem* result = c->failed             ? NULL
                   : type == snOBJ_BODY  ? copyBody(c, child, target, frame)
                   : type == snOBJ_FRAME ? attachFrame(c, child, target, frame)
                                         : attachModel(c, root, target, frame);
  if (isOther(c) && !c->failed) copyAssets(c);
  const snElem* last = sn_specList(c->to, snOBJ_ACTUATOR)->last;
  if (!c->failed) copyReferring(c);
  if (!c->failed) {
    linkActuators(c, last);
    if (isOther(c)) copyKeys(c);
  }
  placeKeys(c, split);
  if (!c->failed) {
    SN_EACH(e, sn_specList(c->from, snOBJ_ACTUATOR)) e->scratch = NULL;
  }
  SN_EACH(e, sn_specList(c->from, snOBJ_PLUGIN)) e->scratch = NULL;
  clearScratch(root);
  if (isOther(c) && !c->failed) sn_keysComplete(c->to);
  if (isOther(c)) sn_world(c->from)->moved = NULL;  // it stays, whatever becomes of its contents
  return c->failed ? NULL : result;
}

// an attached body that is there already moves into the frame, within its parent
static snElem* moveBody(Copy* c, const snElem* child, const snElem* target, snElem* frame) {
  snElem* e = child->head.elemtype == snOBJ_BODY && isOther(c)
                  ? findRenamed(c, snOBJ_BODY, sn_elemName(child))
                  : NULL;
  if (!e || child->moved != e) return NULL;
  if (e->parent == target) {
    e->frame = frame;
    return e;
  }
  char place[40] = "";
  if (e->line) snprintf(place, sizeof(place), ", line %d", e->line);
  sn_specError(c->to, 0,
               "Error: Frame and body '%s' have mismatched parents\nElement name '%s', id %d%s",
               sn_elemName(e), sn_elemName(e), e->id, place);
  c->failed = 1;
  return NULL;
}

// a model is attached to itself as it was before
static snsElement* attachSelf(snsElement* parent, const snSpec* spec, const char* prefix,
                              const char* suffix) {
  snSpec* copy = sn_copySpec(spec);
  if (!copy) return NULL;
  snsElement* result = sns_attach(parent, copy->element, prefix, suffix);
  sn_deleteSpec(copy);
  return result;
}

snsElement* sns_attach(snsElement* parent, const snsElement* child, const char* prefix,
                       const char* suffix) {
  if (!parent || !child) return NULL;
  snElem* place = sn_elem(parent);
  snElem* what = sn_elem(child);
  Copy c = {what->spec, place->spec, prefix ? prefix : "", suffix ? suffix : "", 0, NULL};
  snElem* target = NULL;
  snElem* frame = NULL;
  switch (parent->elemtype) {
    case snOBJ_FRAME:
      frame = place;
      target = place->parent;
      break;
    case snOBJ_BODY: target = place; break;
    case snOBJ_SITE:
      frame = frameAtSite(place);
      target = frame ? place->parent : NULL;
      break;
    default: break;
  }
  snObj type = child->elemtype;
  if (!target) {
    fail(&c, "Error: parent element is not a frame, body or site");
    return NULL;
  }
  if (type != snOBJ_FRAME && type != snOBJ_MODEL && (type != snOBJ_BODY || !frame)) {
    fail(&c, frame ? "Error: child element is not a body or frame"
                   : "Error: child element is not a frame");
    return NULL;
  }
  if (!isOther(&c) && (what->head.elemtype == snOBJ_MODEL || what == sn_world(c.from)))
    return attachSelf(parent, c.from, prefix, suffix);
  snElem* result = moveBody(&c, what, target, frame);
  if (!result && !c.failed) result = attach(&c, what, target, frame);
  return result ? &result->head : NULL;
}
