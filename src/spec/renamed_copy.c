#include "spec/renamed_copy.h"

#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "model/sensor_types.h"

int sn_copyFail(snCopy* c, const char* what) {
  if (!c->failed) sn_specError(c->to, 0, "%s", what);
  c->failed = 1;
  return 0;
}

static void renameText(const snCopy* c, snString* name) {
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
static void renameClass(const snCopy* c, snString* name) {
  if (strcmp(sns_getString(name), "main")) renameText(c, name);
}

static void renameAll(const snCopy* c, snStringVec* names) {
  for (int i = 0; i < names->size; i++) renameText(c, names->data + i);
}

snElem* sn_copyFind(const snCopy* c, snObj type, const char* name) {
  snString renamed = {0};
  snElem* e = NULL;
  if (sn_stringJoin(&renamed, c->prefix, name, c->suffix)) {
    e = sn_findName(c->to, type, sns_getString(&renamed));
  }
  sn_boxFree((snBox*)&renamed, snBOX_STRING);
  return e;
}

// ---- settings of the model that elements came from ----

static snOrigin* newOrigin(snCopy* c, const snsCompiler* compiler, const snString* folder) {
  snSpecData* data = sn_specData(c->to);
  snOrigin* origin = (snOrigin*)snu_malloc(sizeof(snOrigin));
  if (!origin) {
    sn_copyFail(c, "out of memory");
    return NULL;
  }
  memset(origin, 0, sizeof(*origin));
  origin->compiler = *compiler;
  sns_setString(&origin->meshdir, sns_getString(compiler->meshdir));
  sns_setString(&origin->texturedir, sns_getString(compiler->texturedir));
  sns_setString(&origin->modelfiledir, sns_getString(folder));
  origin->compiler.meshdir = &origin->meshdir;
  origin->compiler.texturedir = &origin->texturedir;
  origin->next = data->origins;
  data->origins = origin;
  return origin;
}

static int sameOrigin(const snOrigin* a, const snsCompiler* compiler, const char* folder) {
  const snsCompiler* mine = &a->compiler;
  return mine->autolimits == compiler->autolimits && mine->boundmass == compiler->boundmass &&
         mine->boundinertia == compiler->boundinertia &&
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

static snOrigin* mapOrigin(snCopy* c, const snElem* source) {
  if (!sn_copyIsOther(c)) return source->origin;
  const snsCompiler* compiler = sn_elemCompiler(source);
  const char* folder = sn_elemFolder(source);
  for (snOrigin* o = sn_specData(c->to)->origins; o; o = o->next) {
    if (sameOrigin(o, compiler, folder)) return o;
  }
  snString text = {0};
  sns_setString(&text, folder);
  snOrigin* origin = newOrigin(c, compiler, &text);
  sn_boxFree((snBox*)&text, snBOX_STRING);
  return origin;
}

// ---- single elements ----

static snElem* mapClass(const snCopy* c, snElem* def) {
  if (!def || !sn_copyIsOther(c)) return def;
  if (def == sn_specData(c->from)->main) return sn_specData(c->to)->main;
  snElem* mapped = sn_copyFind(c, snOBJ_DEFAULT, sn_elemName(def));
  return mapped ? mapped : sn_specData(c->to)->main;
}

snElem* sn_copyElem(snCopy* c, const snElem* source) {
  SN_ASSERT(source->spec == c->from);
  snElem* e = c->failed ? NULL : sn_elemNew(c->to, source->head.elemtype);
  if (!e || !sn_elemAssign(e, source)) {
    if (e) sn_elemFree(e);
    sn_copyFail(c, "out of memory");
    return NULL;
  }
  e->origin = mapOrigin(c, source);
  if (sn_copyIsOther(c) && !sn_specData(c->to)->deepcopy) ((snElem*)source)->moved = e;
  e->def = mapClass(c, source->def);
  e->line = source->line;
  e->file = sn_specFile(c->to, source->file);
  e->included = source->included;
  e->hulled = source->hulled;
  return e;
}

// Plugin instances come along with what refers to them, once each: their scratch leads to the copy.
static void mapPlugin(snCopy* c, snElem* e) {
  snsPlugin* plugin = sn_copyIsOther(c) ? sn_elemPlugin(e) : NULL;
  if (!plugin || !plugin->active) return;
  const char* name = sns_getString(plugin->name);
  snElem* source = *name             ? sn_findName(c->from, snOBJ_PLUGIN, name)
                   : plugin->element ? sn_elem(plugin->element)
                                     : NULL;
  plugin->element = NULL;
  if (!source || source->spec != c->from) return;
  snElem* copy = (snElem*)source->scratch;
  if (!copy && *name) copy = sn_copyFind(c, snOBJ_PLUGIN, name);
  if (!copy) {
    copy = sn_copyElem(c, source);
    if (!copy) return;
    sn_listInsert(sn_specList(c->to, snOBJ_PLUGIN), copy, NULL);
    if (!sn_copyName(c, copy, sn_elemName(source))) return;
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

// Names of bodies, of what they hold and of keyframes may be repeated until the model is compiled.
int sn_copyName(snCopy* c, snElem* e, const char* name) {
  SN_ASSERT(e->spec == c->to);
  snObj type = e->head.elemtype;
  if (!*name && (type != snOBJ_KEY || (!*c->prefix && !*c->suffix))) return 1;
  snString renamed = {0};
  int ok = sn_stringJoin(&renamed, c->prefix, name, c->suffix);
  if (ok && (sn_isTreeType(type) || type == snOBJ_KEY)) {
    sn_nameRemove(e);
    sns_setString(&e->name, sns_getString(&renamed));
    if (!sn_nameAdd(e)) sn_copyFail(c, "out of memory");
  } else if (ok && sn_findName(c->to, type, sns_getString(&renamed))) {
    if (!c->failed) {
      sn_specError(c->to, 0, "Error: repeated name '%s' in %s", sns_getString(&renamed),
                   sn_typeName(type));
    }
    c->failed = 1;
  } else if (!ok || sns_setName(&e->head, sns_getString(&renamed))) {
    sn_copyFail(c, "out of memory");
  }
  sn_boxFree((snBox*)&renamed, snBOX_STRING);
  return !c->failed;
}

// names of assets change only when they come from another model
static void renameTree(const snCopy* c, snElem* e) {
  switch (e->head.elemtype) {
    case snOBJ_GEOM: {
      snsGeom* geom = (snsGeom*)e->object;
      if (!sn_copyIsOther(c)) return;
      renameText(c, geom->material);
      renameText(c, geom->meshname);
      renameText(c, geom->hfieldname);
      return;
    }
    case snOBJ_SITE:
      if (sn_copyIsOther(c)) renameText(c, ((snsSite*)e->object)->material);
      return;
    case snOBJ_CAMERA: renameText(c, ((snsCamera*)e->object)->targetbody); return;
    case snOBJ_LIGHT:
      renameText(c, ((snsLight*)e->object)->targetbody);
      renameText(c, ((snsLight*)e->object)->texture);
      return;
    case snOBJ_BODY:
      if (sn_copyIsOther(c)) renameClass(c, ((snsBody*)e->object)->childclass);
      return;
    case snOBJ_FRAME:
      if (sn_copyIsOther(c)) renameClass(c, ((snsFrame*)e->object)->childclass);
      return;
    default: return;
  }
}

snElem* sn_copyInto(snCopy* c, snElem* source, snElem* body, snElem* frame) {
  SN_ASSERT(body->spec == c->to && body->head.elemtype == snOBJ_BODY);
  SN_ASSERT(!frame || frame->head.elemtype == snOBJ_FRAME);
  snElem* e = sn_copyElem(c, source);
  if (!e) return NULL;
  e->parent = body;
  e->frame = frame;
  sn_listInsert(sn_bodyList(body, e->head.elemtype), e, NULL);
  renameTree(c, e);
  sn_copyName(c, e, sn_elemName(source));
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
static void copyLevel(snCopy* c, snElem* body, const snElem* inside, snElem* target, snElem* top) {
  SN_EACH(f, sn_bodyList(body, snOBJ_FRAME)) {
    if (isInFrame(f, inside)) sn_copyInto(c, f, target, NULL);
  }
  SN_EACH(f, sn_bodyList(body, snOBJ_FRAME)) {
    if (f->scratch && f != inside) ((snElem*)f->scratch)->frame = mapFrame(f, top);
  }
  for (int k = 0; k < 5; k++) {
    SN_EACH(e, sn_bodyList(body, kLeaves[k])) {
      if (!isInFrame(e, inside)) continue;
      sn_copyInto(c, e, target, mapFrame(e, top));
    }
  }
}

snElem* sn_copyBody(snCopy* c, snElem* root, snElem* target, snElem* frame) {
  for (snElem* b = root; b && !c->failed; b = sn_nextBelow(b, root)) {
    snElem* parent = b == root ? target : (snElem*)b->parent->scratch;
    snElem* inside = b == root ? frame : mapFrame(b, NULL);
    snElem* e = sn_copyInto(c, b, parent, inside);
    if (e) copyLevel(c, b, NULL, e, NULL);
  }
  return (snElem*)root->scratch;
}

static void clearLevel(snElem* body) {
  for (int k = 0; k < sn_kind(snOBJ_BODY)->nlist; k++) {
    SN_EACH(e, body->lists + k) e->scratch = NULL;
  }
}

void sn_copyForget(snElem* root) {
  SN_ASSERT(root->head.elemtype == snOBJ_BODY);
  root->scratch = NULL;
  for (snElem* b = root; b; b = sn_nextBelow(b, root)) clearLevel(b);
}

void sn_copyContents(snCopy* c, snElem* body, const snElem* inside, snElem* target, snElem* top) {
  copyLevel(c, body, inside, target, top);
  SN_EACH(b, sn_bodyList(body, snOBJ_BODY)) {
    if (isInFrame(b, inside) && !c->failed) sn_copyBody(c, b, target, mapFrame(b, top));
  }
}

// ---- elements outside of the tree ----

// the new form of a name where it exists
static int renameRef(const snCopy* c, const snRef* ref) {
  if (!sn_copyFind(c, ref->type, sns_getString(ref->name))) return 0;
  renameText(c, ref->name);
  return 1;
}

// pairs, excludes and sensors with two references: one of them may be outside of the copy
static int renameTwo(const snCopy* c, const snRef* refs, int n) {
  SN_ASSERT(n >= 0 && n <= 2);
  int found[2] = {0, 0};
  if (n == 0) return 1;
  for (int i = 0; i < n; i++) found[i] = renameRef(c, refs + i);
  if (n == 1) return found[0];
  if (!found[0] && !found[1]) return 0;
  for (int i = 0; i < 2; i++) {
    if (!found[i] && !sn_findName(c->to, refs[i].type, sns_getString(refs[i].name))) return 0;
  }
  return 1;
}

static int renameEvery(const snCopy* c, const snRef* refs, int n) {
  for (int i = 0; i < n; i++) {
    if (!renameRef(c, refs + i)) return 0;
  }
  return 1;
}

// A geom and its side site are both of the copy or both of the model around it.
static int renameWrap(const snCopy* c, const snRef* refs, int n) {
  int copies = 0;
  for (int i = 0; i < n; i++) {
    copies += sn_copyFind(c, refs[i].type, sns_getString(refs[i].name)) != NULL;
  }
  for (int i = 0; i < n; i++) {
    if (copies == n) {
      renameText(c, refs[i].name);
    } else if (!sn_findName(c->to, refs[i].type, sns_getString(refs[i].name))) {
      return 0;
    }
  }
  return copies == n ? 2 : 1;
}

static int renameTendon(const snCopy* c, snElem* e) {
  int found = 0;
  snRef refs[snMAXREF];
  if (sn_copyIsOther(c)) renameText(c, ((snsTendon*)e->object)->material);
  SN_EACH(wrap, sn_wrapList(e)) {
    int n = sn_elemRefs(wrap, refs), how = n ? renameWrap(c, refs, n) : 1;
    if (!how) return 0;
    found |= how == 2;
  }
  return found;
}

static int renameBodies(const snCopy* c, snStringVec* names) {
  for (int i = 0; i < names->size; i++) {
    if (!sn_copyFind(c, snOBJ_BODY, sns_getString(names->data + i))) return 0;
  }
  renameAll(c, names);
  return 1;
}

// A sensor stays behind when it names nothing, while its type or objtype says that there is something; what has no type
// counts as a word.
static int renameSensor(const snCopy* c, const snsSensor* sensor) {
  const snSensorType* type = sn_sensorType(sensor->type);
  snSensorTarget target = type ? type->target : snTARGET_NOTHING;
  int needed = target != snTARGET_NOTHING && target != snTARGET_CONTACT &&
               target != snTARGET_USER && target != snTARGET_PLUGIN;
  const snRef all[2] = {{sensor->objtype, sensor->objname}, {sensor->reftype, sensor->refname}};
  snRef refs[2];
  int n = 0;
  if (needed && sensor->objtype == snOBJ_UNKNOWN) return 0;
  for (int i = 0; i < 2; i++) {
    if (all[i].type != snOBJ_UNKNOWN && sn_stringEmpty(all[i].name)) return 0;
    if (all[i].type != snOBJ_UNKNOWN)
      refs[n++] = all[i];
    else
      renameText(c, all[i].name);
  }
  return renameTwo(c, refs, n);
}

// MuJoCo leaves out a tuple that is empty or whose lists are not equally long.
static int renameTuple(const snCopy* c, snsTuple* tuple) {
  int size = tuple->objname->size;
  if (!size || tuple->objtype->size != size || tuple->objprm->size != size) return 0;
  for (int i = 0; i < size; i++) {
    snRef ref = {(snObj)tuple->objtype->data[i], tuple->objname->data + i};
    if (!renameRef(c, &ref)) return 0;
  }
  return 1;
}

// MuJoCo also leaves out a sheet that bends when one of its bodies has not three joints.
static int canBend(const snCopy* c, const snsFlex* flex) {
  for (int i = 0; flex->dim == 2 && (flex->elastic2d & 1) && i < flex->vertbody->size; i++) {
    const char* name = sns_getString(flex->vertbody->data + i);
    if (sn_bodyList(sn_findName(c->to, snOBJ_BODY, name), snOBJ_JOINT)->size != 3) return 0;
  }
  return 1;
}

// change the references of a copy; 0 when it has nothing to hold on to
static int renameRefs(const snCopy* c, snElem* e) {
  snRef refs[snMAXREF];
  int n = sn_elemRefs(e, refs);
  switch (e->head.elemtype) {
    case snOBJ_PAIR:
    case snOBJ_EXCLUDE: return n == 2 && renameTwo(c, refs, n);
    case snOBJ_SENSOR: return renameSensor(c, (snsSensor*)e->object);
    case snOBJ_TENDON: return renameTendon(c, e);
    case snOBJ_TUPLE: return renameTuple(c, (snsTuple*)e->object);
    case snOBJ_FLEX: {
      snsFlex* flex = (snsFlex*)e->object;
      if (sn_copyIsOther(c)) renameText(c, flex->material);
      return renameBodies(c, flex->vertbody) && renameBodies(c, flex->nodebody) && canBend(c, flex);
    }
    case snOBJ_SKIN: return renameBodies(c, ((snsSkin*)e->object)->bodyname);
    default:
      // within one model, what refers to nothing has no share in the copy
      return (n || sn_copyIsOther(c)) && renameEvery(c, refs, n);
  }
}

static int copyWraps(snCopy* c, const snElem* source, snElem* tendon) {
  SN_ASSERT(source->head.elemtype == snOBJ_TENDON && tendon->head.elemtype == snOBJ_TENDON);
  SN_EACH(wrap, sn_wrapList(source)) {
    snElem* e = sn_copyElem(c, wrap);
    if (!e) return 0;
    e->parent = tendon;
    sn_listInsert(sn_wrapList(tendon), e, NULL);
  }
  return 1;
}

// names of flexes and skins stay as they are
static int keepsName(snObj type) { return type == snOBJ_FLEX || type == snOBJ_SKIN; }

// a copy that has nothing to hold on to goes again
static void dropCopy(snCopy* c, const snElem* source, snElem* copy) {
  if (sn_copyIsOther(c)) {
    ((snElem*)source)->moved = NULL;
    if (source->head.elemtype == snOBJ_TENDON) {
      SN_EACH(wrap, sn_wrapList(source)) wrap->moved = NULL;
    }
  }
  sn_elemFree(copy);
}

// Actuators and equalities that do not name what they act on stay where they are.
static int lacksTarget(const snElem* e) {
  snRef refs[snMAXREF];
  int needed = e->head.elemtype == snOBJ_ACTUATOR || e->head.elemtype == snOBJ_EQUALITY;
  if (e->head.elemtype == snOBJ_ACTUATOR) {
    needed += ((const snsActuator*)e->object)->trntype == snTRN_SLIDERCRANK;
  }
  return needed && sn_elemRefs(e, refs) < needed;
}

static void copyOne(snCopy* c, const snElem* source) {
  snObj type = source->head.elemtype;
  if (lacksTarget(source)) return;
  snElem* e = sn_copyElem(c, source);
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
    sn_copyName(c, e, sn_elemName(source));
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
static int mayRefer(const snCopy* c, const snElem* e) {
  snObj type = e->head.elemtype;
  if (sn_copyIsOther(c) || type == snOBJ_TENDON || type == snOBJ_TUPLE || keepsName(type)) return 1;
  snRef refs[snMAXREF];
  int n = sn_elemRefs(e, refs);
  for (int i = 0; i < n; i++) {
    if (sn_copyFind(c, refs[i].type, sns_getString(refs[i].name))) return 1;
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

// Copies that a replicate made before may have a share in the next one: of a tendon over "a" and "b", when the model
// around has an "a0" and a "b1". In long lists, where looking at all copies again takes long, that is left out.
enum { MOST_COPIES = 500 };

static void copyKind(snCopy* c, snObj type) {
  snElemList* list = sn_specList(c->from, type);
  int count = list->size;  // copies may be appended to the same list
  if (c->originals && count > c->originals[type] + MOST_COPIES &&
      !hasFree(list, c->originals[type])) {
    count = c->originals[type];
  }
  for (snElem* e = list->first; count-- > 0 && !c->failed; e = e->next) {
    if (mayRefer(c, e)) copyOne(c, e);
  }
}

void sn_copyReferring(snCopy* c) {
  if (sn_copyIsOther(c) && sn_specList(c->from, snOBJ_DEFORMABLE)->size) {
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

static void copyAsset(snCopy* c, const snElem* source) {
  snObj type = source->head.elemtype;
  snElem* e = sn_copyElem(c, source);
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
  sn_copyName(c, e, sns_getString(&name));
  sn_boxFree((snBox*)&name, snBOX_STRING);
  mapPlugin(c, e);
}

void sn_copyAssets(snCopy* c) {
  static const snObj kinds[] = {snOBJ_MESH,     snOBJ_HFIELD,  snOBJ_TEXTURE,
                                snOBJ_MATERIAL, snOBJ_NUMERIC, snOBJ_TEXT};
  for (int k = 0; k < 6; k++) {
    SN_EACH(e, sn_specList(c->from, kinds[k])) {
      if (!c->failed) copyAsset(c, e);
    }
  }
  copyKind(c, snOBJ_SKIN);
}

void sn_copyClasses(snCopy* c) {
  for (snElem* def = sn_specData(c->from)->main; def && !c->failed; def = sn_nextClass(def)) {
    if (sn_copyFind(c, snOBJ_DEFAULT, sn_elemName(def))) continue;
    snElem* parent = def->parent ? sn_copyFind(c, snOBJ_DEFAULT, sn_elemName(def->parent)) : NULL;
    snElem* e = sn_elemNew(c->to, snOBJ_DEFAULT);
    if (!e || !sn_elemAssign(e, def)) {
      if (e) sn_elemFree(e);
      sn_copyFail(c, "out of memory");
      return;
    }
    e->parent = parent ? parent : sn_specData(c->to)->main;
    sn_listInsert(e->parent->lists, e, NULL);
    sn_copyName(c, e, sn_elemName(def));
  }
}
