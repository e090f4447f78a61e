// Bodies and what is in them.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mjcf/composite.h"
#include "mjcf/flexcomp.h"
#include "mjcf/hint.h"
#include "mjcf/number.h"
#include "mjcf/order.h"
#include "spec/attach.h"

// where children of an XML element go
typedef struct Place_ {
  snsBody* body;
  snsFrame* frame;        // NULL: none
  const snsDefault* def;  // class of elements that name none
} Place;

static void readContents(snReader* r, const snXmlNode* node, Place place);

// ---- single elements ----

void sn_mjcfJointElement(snReader* r, const snXmlNode* node, snsJoint* joint) {
  sn_mjcfGroup(r, node, sn_attrJoint, joint);
}

void sn_mjcfGeomElement(snReader* r, const snXmlNode* node, snsGeom* geom) {
  sn_mjcfOneOrientation(r, node);
  sn_mjcfContactGroup(r, node, sn_attrGeom, geom, &geom->margin, &geom->gap);
}

void sn_mjcfSiteElement(snReader* r, const snXmlNode* node, snsSite* site) {
  sn_mjcfOneOrientation(r, node);
  sn_mjcfGroup(r, node, sn_attrSite, site);
}

void sn_mjcfCameraElement(snReader* r, const snXmlNode* node, snsCamera* camera) {
  sn_mjcfOneOrientation(r, node);
  // user values are not inherited by cameras
  sns_setDouble(camera->userdata, NULL, 0);
  sn_mjcfGroup(r, node, sn_attrCamera, camera);
  const char* size = sn_xmlAttr(node, "sensorsize");
  if (sn_xmlAttr(node, "fovy") && size && !sn_isBlank(size)) {
    sn_mjcfFail(r, node, "either 'fovy' or 'sensorsize' attribute can be specified, not both");
  }
}

void sn_mjcfLightElement(snReader* r, const snXmlNode* node, snsLight* light) {
  int directional, given = sn_mjcfKeyword(r, node, "directional", sn_mapBool, &directional);
  if (given && sn_xmlAttr(node, "type") && !sn_mjcfEarlierFault(r, node, "castshadow")) {
    sn_mjcfFail(r, node, "type and directional cannot both be defined");
  }
  sn_mjcfGroup(r, node, sn_attrLight, light);
  if (!given) return;
  light->type = directional ? snLIGHT_DIRECTIONAL : snLIGHT_SPOT;
}

static int isWorld(const snReader* r, const snsBody* body) {
  return sn_elem(body->element) == sn_world(r->spec);
}

static void readInertial(snReader* r, const snXmlNode* node, const Place* place) {
  if (isWorld(r, place->body)) sn_mjcfFail(r, node, "World body cannot have inertia");
  sn_mjcfNeeded(r, node, "pos");
  sn_mjcfOneOrientation(r, node);
  place->body->explicitinertial = 1;
  sn_mjcfGroup(r, node, sn_attrInertial, place->body);
  const char* full = sn_xmlAttr(node, "fullinertia");
  if (full && !sn_isBlank(full) && sn_mjcfOrientations(node)) {
    sn_mjcfFail(r, node, "fullinertia and inertial orientation cannot both be specified");
  }
}

// ---- adding elements ----

static snElem* settle(snReader* r, const snXmlNode* node, const Place* place, snsElement* element,
                      snString* info) {
  snElem* e = sn_elem(element);
  if (place->frame) e->frame = sn_elem(place->frame->element);
  sn_mjcfName(r, node, e, info);
  return e;
}

#define ADD(Name, object)                                                            \
  sns##Name* object = sns_add##Name(place->body, sn_mjcfClass(r, node, place->def)); \
  if (!object) {                                                                     \
    sn_mjcfFail(r, node, "out of memory");                                           \
    return;                                                                          \
  }                                                                                  \
  settle(r, node, place, object->element, object->info)

static void readJoint(snReader* r, const snXmlNode* node, const Place* place) {
  if (isWorld(r, place->body) && sn_mjcfClass(r, node, place->def)) {
    sn_mjcfFail(r, node, "World body cannot have joints");
  }
  ADD(Joint, joint);
  sn_mjcfJointElement(r, node, joint);
}

static void readFreeJoint(snReader* r, const snXmlNode* node, const Place* place) {
  if (isWorld(r, place->body)) sn_mjcfFail(r, node, "World body cannot have joints");
  snsJoint* joint = sns_addFreeJoint(place->body);
  if (!joint) {
    sn_mjcfFail(r, node, "out of memory");
    return;
  }
  sns_setDefault(joint->element, place->def);  // for writing: it takes nothing from the class
  settle(r, node, place, joint->element, joint->info);
  sn_mjcfGroup(r, node, sn_attrFreeJoint, joint);
}

static void readGeom(snReader* r, const snXmlNode* node, const Place* place) {
  ADD(Geom, geom);
  sn_mjcfGeomElement(r, node, geom);
  for (const snXmlNode* child = node->first; child && !r->failed; child = child->next) {
    if (!strcmp(child->name, "plugin")) sn_mjcfPlugin(r, child, &geom->plugin);
  }
}

static void readSite(snReader* r, const snXmlNode* node, const Place* place) {
  ADD(Site, site);
  sn_mjcfSiteElement(r, node, site);
}

static void readCamera(snReader* r, const snXmlNode* node, const Place* place) {
  ADD(Camera, camera);
  sn_mjcfCameraElement(r, node, camera);
  sn_mjcfGroup(r, node, sn_attrCameraOwn, camera);
}

static void readLight(snReader* r, const snXmlNode* node, const Place* place) {
  ADD(Light, light);
  sn_mjcfLightElement(r, node, light);
  sn_mjcfGroup(r, node, sn_attrLightOwn, light);
}

// ---- elements that contain others ----

static const snsDefault* readChildClass(snReader* r, const snXmlNode* node,
                                        const snsDefault* other) {
  const char* name = sn_xmlAttr(node, "childclass");
  if (!name) return other;
  const snsDefault* def = sns_findDefault(r->spec, name);
  if (!def) {
    sn_hintName(r, snOBJ_DEFAULT, name);
    sn_mjcfFail(r, node, "unknown default childclass");
  }
  return def ? def : other;
}

static void readBody(snReader* r, const snXmlNode* node, const Place* place) {
  const snsDefault* def = readChildClass(r, node, place->def);
  snsBody* body = sns_addBody(place->body, def);
  if (!body) {
    sn_mjcfFail(r, node, "out of memory");
    return;
  }
  settle(r, node, place, body->element, body->info);
  sn_mjcfOneOrientation(r, node);
  sn_mjcfGroup(r, node, sn_attrBody, body);
  readContents(r, node, (Place){body, NULL, def});
}

static void readFrame(snReader* r, const snXmlNode* node, const Place* place) {
  const snsDefault* def = readChildClass(r, node, place->def);
  snsFrame* frame = sns_addFrame(place->body, place->frame);
  if (!frame) {
    sn_mjcfFail(r, node, "out of memory");
    return;
  }
  snElem* e = settle(r, node, place, frame->element, frame->info);
  e->def = sn_elem(def->element);
  sns_setString(frame->childclass, sn_elemName(e->def));
  sn_mjcfOneOrientation(r, node);
  sn_mjcfGroup(r, node, sn_attrFrame, frame);
  readContents(r, node, (Place){place->body, frame, def});
}

static void readBodyPlugin(snReader* r, const snXmlNode* node, const Place* place) {
  sn_mjcfPlugin(r, node, &place->body->plugin);
}

// ---- replicate ----

// Copy i stands at P_i with the orientation of i times the Euler angles; P_{i+1} = P_i + R_i
// offset.
static void placeCopy(const snReader* r, snsFrame* frame, int i, const double offset[3],
                      const double euler[3], double pos[3]) {
  snsOrientation alt;
  sns_defaultOrientation(&alt);
  alt.type = snORIENTATION_EULER;
  for (int k = 0; k < 3; k++) alt.euler[k] = i * euler[k];
  memcpy(frame->pos, pos, 3 * sizeof(double));
  // MuJoCo does not ask whether the sequence of axes is sound
  sns_resolveOrientation(frame->quat, r->spec->compiler.degree, r->spec->compiler.eulerseq, &alt);
  const double* q = frame->quat;
  // R v = v + 2 u x (w v + u x v)
  double t[3];
  for (int k = 0; k < 3; k++) {
    int a = (k + 1) % 3, b = (k + 2) % 3;
    t[k] = q[0] * offset[k] + q[1 + a] * offset[b] - q[1 + b] * offset[a];
  }
  for (int k = 0; k < 3; k++) {
    int a = (k + 1) % 3, b = (k + 2) % 3;
    pos[k] += offset[k] + 2 * (q[1 + a] * t[b] - q[1 + b] * t[a]);
  }
}

// Every copy takes memory (some kilobytes for a body with its parts) and looks at all elements
// that may refer to its contents: a bound on both, at 150,000 copies of something small. Keyframes
// are copied as a whole.
enum { MOST_WORK = 3000000 };

static int payCopy(snReader* r, const snXmlNode* node, snSize inside, const int* originals) {
  static const snObj kinds[] = {snOBJ_PAIR,     snOBJ_EXCLUDE, snOBJ_TENDON, snOBJ_EQUALITY,
                                snOBJ_ACTUATOR, snOBJ_SENSOR,  snOBJ_TUPLE};
  enum { COPY = 20, MOST = 200000 };
  r->copies += 1 + inside;
  r->work += COPY * (1 + inside) + sn_specList(r->spec, snOBJ_KEY)->size;
  for (int i = 0; i < 7; i++) r->work += originals[kinds[i]];
  if (sn_specList(r->spec, snOBJ_SENSOR)->size > MOST) r->work = MOST_WORK;
  return r->work < MOST_WORK || sn_mjcfFail(r, node, "too many copies");
}

static void readReplicate(snReader* r, const snXmlNode* node, const Place* place) {
  int count = 0;
  double offset[3] = {0, 0, 0}, euler[3] = {0, 0, 0}, pos[3] = {0, 0, 0};
  if (!sn_mjcfInts(r, node, "count", &count, 1, 0)) {
    sn_mjcfFail(r, node, "required attribute missing: 'count'");
  }
  sn_mjcfDoubles(r, node, "offset", offset, 3, 0);
  sn_mjcfDoubles(r, node, "euler", euler, 3, 0);
  const char* sep = sn_xmlAttr(node, "sep");
  const snsDefault* def = readChildClass(r, node, place->def);
  if (r->failed) return;
  // the contents are read once into a template, which the copies replace
  snsBody* template = sns_addBody(place->body, def);
  snsFrame* frame = template ? sns_addFrame(template, NULL) : NULL;
  if (!frame) {
    sn_mjcfFail(r, node, "out of memory");
    return;
  }
  sn_elemSetSource(sn_elem(template->element), node->file, node->line);
  sn_elem(frame->element)->def = sn_elem(def->element);
  sns_setString(frame->childclass, sn_elemName(sn_elem(def->element)));
  snSize before = r->copies;
  readContents(r, node, (Place){template, frame, def});
  snSize inside = r->copies - before;
  char number[16];
  int digits = snprintf(number, sizeof(number), "%d", count);
  snElem* outer = place->frame ? sn_elem(place->frame->element) : NULL;
  int originals[snNOBJECT];  // what is there before the first copy may refer to the contents
  for (int type = 0; type < snNOBJECT; type++) {
    const snElemList* list = sn_specList(r->spec, (snObj)type);
    originals[type] = list ? list->size : 0;
  }
  for (int i = 0; i < count && !r->failed; i++) {
    char suffix[256];
    snprintf(suffix, sizeof(suffix), "%s%0*d", sep ? sep : "", digits, i);
    if (!payCopy(r, node, inside, originals)) return;
    placeCopy(r, frame, i, offset, euler, pos);
    if (!sn_replicate(sn_elem(place->body->element), outer, sn_elem(frame->element), suffix,
                      originals)) {
      sn_mjcfFail(r, node, "%s", sns_getError(r->spec));
    }
  }
  if (!r->failed) sn_endReplicate(sn_elem(template->element));
}

// ---- attach ----

// The world of another model, when it is attached as a body, becomes one; its contents go into a
// frame in it.
static snsFrame* addWorldOf(const Place* place, const snsFrame* frame, const char* prefix) {
  char name[1000];
  snsBody* body = sns_addBody(place->body, place->def);
  if (!body) return NULL;
  sn_elem(body->element)->frame = sn_elem(frame->element);
  snprintf(name, sizeof(name), "%sworld", prefix);
  return sns_setName(body->element, name) ? NULL : sns_addFrame(body, NULL);
}

// Models that attach models that attach models grow with every level: 24,000 bodies, or 700,000 elements.
static int payAttach(snReader* r, const snXmlNode* node, const snSpec* child) {
  enum { BODY = 120, ELEMENT = 4 };
  for (const snElem* body = sn_world(child); body; body = sn_nextBody(body)) {
    r->work += BODY;
    for (int type = 0; type < snNOBJECT; type++) {
      const snElemList* list = type == snOBJ_BODY ? NULL : sn_bodyList(body, (snObj)type);
      r->work += list ? ELEMENT * (snSize)list->size : 0;
    }
  }
  for (int type = 0; type < snNOBJECT; type++) {
    const snElemList* list = sn_specList(child, (snObj)type);
    r->work += list ? ELEMENT * (snSize)list->size : 0;
  }
  return r->work < MOST_WORK || sn_mjcfFail(r, node, "too many elements are attached");
}

// A body that is there already, from an earlier attachment or not, only moves into the frame.
static int moveBody(snReader* r, const snXmlNode* node, const char* prefix, const char* name,
                    snsFrame* frame) {
  snString joined = {0};
  snsBody* body = sn_stringJoin(&joined, prefix, name, "")
                      ? sns_findBody(r->spec, sns_getString(&joined))
                      : NULL;
  sn_boxFree((snBox*)&joined, snBOX_STRING);
  if (body && sns_setFrame(body->element, frame)) {
    sn_mjcfFail(r, node, "%s", sns_getError(r->spec));
  }
  return body != NULL;
}

static void readAttach(snReader* r, const snXmlNode* node, const Place* place) {
  const char* name = sn_mjcfNeeded(r, node, "model");
  const char* bodyname = sn_xmlAttr(node, "body");
  const char* prefix = sn_mjcfNeeded(r, node, "prefix");
  snSpec* child = r->failed ? NULL : sns_findSpec(r->spec, name);
  if (!child) {
    sn_mjcfFail(r, node, "could not find model '%s'", name);
    return;
  }
  if (!payAttach(r, node, child)) return;
  snsFrame* frame = place->frame ? place->frame : sns_addFrame(place->body, NULL);
  if (!frame) {
    sn_mjcfFail(r, node, "out of memory");
    return;
  }
  const snsElement* what = child->element;
  if (bodyname && *bodyname) {
    snsBody* body = sns_findBody(child, bodyname);
    if (!body) {
      // MuJoCo prints a name that it does not have
      snprintf(r->hint, sizeof(r->hint), "there is none of that name in model '%.100s'\n", name);
      sn_mjcfFail(r, node, "could not find body '%s''(null)'", bodyname);
      return;
    }
    if (sn_elem(body->element) != sn_world(child)) {
      if (moveBody(r, node, prefix, bodyname, frame)) return;
      what = body->element;
    } else if (!(frame = addWorldOf(place, frame, prefix))) {
      sn_mjcfFail(r, node, "out of memory");
      return;
    }
  }
  if (!sns_attach(frame->element, what, prefix, "")) {
    sn_mjcfFail(r, node, "%s", sns_getError(r->spec));
  }
}

static void readComposite(snReader* r, const snXmlNode* node, const Place* place) {
  sn_mjcfComposite(r, node, place->body, place->frame);
}

// what it makes belongs to the body, whatever frame it stands in: pose and class of frames are void
static void readFlexcomp(snReader* r, const snXmlNode* node, const Place* place) {
  sn_mjcfFlexcomp(r, node, place->body);
}

// ---- contents ----

static const struct {
  const char* name;
  void (*read)(snReader*, const snXmlNode*, const Place*);
} readers[] = {
    {"geom", readGeom},           {"body", readBody},         {"joint", readJoint},
    {"site", readSite},           {"inertial", readInertial}, {"freejoint", readFreeJoint},
    {"camera", readCamera},       {"light", readLight},       {"frame", readFrame},
    {"replicate", readReplicate}, {"attach", readAttach},     {"plugin", readBodyPlugin},
    {"composite", readComposite}, {"flexcomp", readFlexcomp},
};

static void readContents(snReader* r, const snXmlNode* node, Place place) {
  enum { COUNT = sizeof(readers) / sizeof(readers[0]) };
  for (const snXmlNode* child = node->first; child && !r->failed; child = child->next) {
    int i = 0;
    while (i < COUNT && strcmp(readers[i].name, child->name)) i++;
    if (i == COUNT) {
      sn_hintElement(r, child, sn_tagChild(&sn_tagMujoco, "body"));
      sn_mjcfFail(r, child, "unrecognized model element '%s'", child->name);
      return;
    }
    // the class of a body or frame is that of what it holds, unless it has a childclass
    Place inner = {place.body, place.frame, sn_mjcfClass(r, child, place.def)};
    readers[i].read(r, child, &inner);
  }
}

void sn_mjcfWorld(snReader* r, const snXmlNode* node) {
  if (node->attr) {
    sn_mjcfFail(r, node, "World body cannot have attributes");
    return;
  }
  snsBody* world = (snsBody*)sn_world(r->spec)->object;
  readContents(r, node, (Place){world, NULL, sns_getSpecDefault(r->spec)});
}
