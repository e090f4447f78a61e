#include "mjcf/composite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "asset/algebra.h"
#include "base/assert.h"
#include "base/error.h"
#include "mjcf/schema_attr.h"
#include "mjcf/schema_maps.h"

enum { NAME_SIZE = 256, MAX_COUNT = 65534, CABLE = 4 };

typedef enum Curve_ { CURVE_ZERO, CURVE_LINE, CURVE_COS, CURVE_SIN } Curve;
typedef enum Initial_ { INITIAL_BALL, INITIAL_FREE, INITIAL_NONE } Initial;

typedef struct Cable_ {
  snReader* r;
  const snXmlNode* node;
  const char* prefix;
  int type;
  int counts[3];  // as given
  double size[3];
  double quat[4];
  Curve curve[3];
  snFloatVec vertex;  // given points
  int count;          // points; one more than bodies
  float* point;       // count x 3
  double offset[3];
  Initial initial;
  snElem* joint;  // templates, with the defaults of the language and not of the model
  snElem* geom;
  snElem* site;
  const snXmlNode* plugin;  // nullable
  snCableSkin skin;
} Cable;

// ---- attributes ----

static int readType(Cable* c) {
  c->type = CABLE;
  sn_mjcfNeeded(c->r, c->node, "type");
  sn_mjcfKeyword(c->r, c->node, "type", sn_mapComposite, &c->type);
  return !c->r->failed;
}

static int failType(Cable* c) {
  static const char* const successor[] = {"replicate", "flex", "cable", "flexcomp", "", "shell"};
  return sn_mjcfFail(c->r, c->node,
                     "The \"%s\" composite type is deprecated. Please use \"%s\" instead.",
                     sn_xmlAttr(c->node, "type"), successor[c->type]);
}

static int readCurve(snReader* r, const snXmlNode* node, Curve curve[3]) {
  static const struct {
    const char* word;
    Curve curve;
  } words[] = {{"s", CURVE_LINE}, {"cos(s)", CURVE_COS}, {"sin(s)", CURVE_SIN}, {"0", CURVE_ZERO}};
  const char* at = sn_xmlAttr(node, "curve");
  for (int n = 0; at; n++) {
    at += strspn(at, " \t\r\n");
    size_t length = strcspn(at, " \t\r\n");
    if (!length) break;
    if (n == 3) return sn_mjcfFail(r, node, "The curve array must have a maximum of 3 components");
    int found = -1;
    for (int i = 0; i < 4; i++) {
      if (strlen(words[i].word) == length && !strncmp(at, words[i].word, length)) found = i;
    }
    if (found < 0) return sn_mjcfFail(r, node, "The curve array contains an invalid shape");
    curve[n] = words[found].curve;
    at += length;
  }
  return 1;
}

static int readShape(Cable* c) {
  snReader* r = c->r;
  for (int k = 0; k < 3; k++) c->counts[k] = 1;
  c->size[0] = c->quat[0] = 1;
  sn_mjcfInts(r, c->node, "count", c->counts, 3, 1);
  sn_mjcfDoubles(r, c->node, "offset", c->offset, 3, 0);
  sn_mjcfDoubles(r, c->node, "size", c->size, 3, 1);
  sn_mjcfDoubles(r, c->node, "quat", c->quat, 4, 0);
  sn_mjcfFloatVec(r, c->node, "vertex", &c->vertex);
  return !r->failed && readCurve(r, c->node, c->curve);
}

// What the element says as a whole, in the order of MuJoCo's tests.
static int checkShape(Cable* c) {
  snReader* r = c->r;
  int* count = c->counts;
  const double* size = c->size;
  int nvertex = c->vertex.size / 3;
  if (count[0] < 1 || count[1] < 1 || count[2] < 1) {
    return sn_mjcfFail(r, c->node, "Positive counts expected in composite");
  }
  if (size[0] == 0 && size[1] == 0 && size[2] == 0 && !nvertex) {
    return sn_mjcfFail(r, c->node, "Positive spacing or length expected in composite");
  }
  if (c->vertex.size && count[0] > 1) {
    return sn_mjcfFail(r, c->node, "Either vertex or count can be specified, not both");
  }
  if (c->vertex.size) count[0] = nvertex;
  if ((count[0] == 1 && count[1] > 1) || (count[1] == 1 && count[2] > 1)) {
    return sn_mjcfFail(r, c->node, "Singleton counts must come last");
  }
  if (c->type != CABLE && c->skin.subgrid > 0 && (count[0] < 3 || count[1] < 3)) {
    return sn_mjcfFail(r, c->node, "At least 3x3 required for skin subgrid");
  }
  if (c->type != CABLE && c->plugin) {
    return sn_mjcfFail(r, c->node, "Only cable composite supports plugins");
  }
  if (c->type != CABLE) return failType(c);
  if (count[0] < 2 || count[1] > 1 || count[2] > 1) {
    return sn_mjcfFail(r, c->node, "Cable must be one-dimensional");
  }
  if (count[0] > MAX_COUNT) {
    return sn_mjcfFail(r, c->node, "count must be at most %d in composite", MAX_COUNT);
  }
  snGeom type = ((const snsGeom*)c->geom->object)->type;
  if (type != snGEOM_CAPSULE && type != snGEOM_CYLINDER && type != snGEOM_BOX) {
    return sn_mjcfFail(r, c->node, "Cable geom type must be sphere, capsule or box");
  }
  return 1;
}

// Points of the cable: those that are given, or those of its curve.
static int makePoints(Cable* c) {
  int n = c->count = c->counts[0], given = c->vertex.size > 0;
  const double* size = c->size;
  c->point = (float*)sn_poolTake(&c->r->pool, 3 * (size_t)n, sizeof(float));
  if (!c->point) return sn_mjcfFail(c->r, c->node, "out of memory");
  for (int i = 0; i < n; i++) {
    double p[3] = {0, 0, 0};
    for (int k = 0; k < 3 && !given; k++) {
      if (c->curve[k] == CURVE_LINE) p[k] = i * size[0] / (n - 1);
      if (c->curve[k] == CURVE_COS) p[k] = size[1] * cos(snPI * i * size[2] / (n - 1));
      if (c->curve[k] == CURVE_SIN) p[k] = size[1] * sin(snPI * i * size[2] / (n - 1));
    }
    if (!given) sn_rotateVec(p, p, c->quat);
    for (int k = 0; k < 3; k++)
      c->point[3 * i + k] = given ? c->vertex.data[3 * i + k] : (float)p[k];
  }
  return 1;
}

static void readSkin(Cable* c, const snXmlNode* node) {
  snReader* r = c->r;
  double inflate;  // cables have their own
  sn_mjcfKeyword(r, node, "texcoord", sn_mapBool, &c->skin.texcoord);
  const char* material = sn_xmlAttr(node, "material");
  if (material) c->skin.material = material;
  sn_mjcfFloats(r, node, "rgba", c->skin.rgba, 4, 0);
  sn_mjcfDoubles(r, node, "inflate", &inflate, 1, 0);
  sn_mjcfInt(r, node, "subgrid", &c->skin.subgrid);
  sn_mjcfInt(r, node, "group", &c->skin.group);
  if (c->skin.group < 0 || c->skin.group > 5) {
    sn_mjcfFail(r, node, "skin group must be between 0 and 5");
  }
}

// What only other kinds of composites had is checked and dropped.
static void readJoint(snReader* r, const snXmlNode* node, snsJoint* joint) {
  int limited = joint->limited, kind;
  double solref[snNREF], solimp[snNIMP];
  sn_mjcfNeeded(r, node, "kind");
  sn_mjcfKeyword(r, node, "kind", sn_mapJointKind, &kind);
  sn_mjcfDoubles(r, node, "solreffix", solref, snNREF, 1);
  sn_mjcfDoubles(r, node, "solimpfix", solimp, snNIMP, 1);
  sn_mjcfGroup(r, node, sn_attrJoint, joint);
  joint->limited = limited;  // limits follow from the range alone
}

// Templates from the children of the element.
static int readTemplates(Cable* c) {
  snReader* r = c->r;
  c->joint = sn_elemNew(r->spec, snOBJ_JOINT);
  c->geom = sn_elemNew(r->spec, snOBJ_GEOM);
  c->site = sn_elemNew(r->spec, snOBJ_SITE);
  if (!c->joint || !c->geom || !c->site) return sn_mjcfFail(r, c->node, "out of memory");
  snsJoint* joint = (snsJoint*)c->joint->object;
  snsGeom* geom = (snsGeom*)c->geom->object;
  snsSite* site = (snsSite*)c->site->object;
  joint->group = site->group = 3;
  for (int k = 0; k < 4; k++) c->skin.rgba[k] = 1;

  int njoint = 0;
  for (const snXmlNode* n = c->node->first; n && !r->failed; n = n->next) {
    if (!strcmp(n->name, "joint")) {
      readJoint(r, n, joint);
      if (++njoint > 1 && !r->failed) {
        sn_mjcfFail(r, c->node, "Only particles are allowed to have multiple joints");
      }
    } else if (!strcmp(n->name, "geom")) {
      sn_mjcfContactGroup(r, n, sn_attrGeom, geom, &geom->margin, &geom->gap);
    } else if (!strcmp(n->name, "site")) {
      sn_mjcfGroup(r, n, sn_attrSite, site);
    } else if (!strcmp(n->name, "skin")) {
      readSkin(c, n);
    } else if (!strcmp(n->name, "plugin")) {
      c->plugin = n;
    } else {
      sn_mjcfFail(r, n, "element '%s' of a composite is not supported yet", n->name);
    }
  }
  joint->type = snJNT_BALL;
  for (int k = 0; k < 3; k++) joint->pos[k] = 0;
  return !r->failed;
}

static int checkPlugin(Cable* c) {
  const char* plugin = c->plugin ? sn_xmlAttr(c->plugin, "plugin") : NULL;
  if (!c->plugin || c->type != CABLE || (plugin && !strcmp(plugin, "mujoco.elasticity.cable")))
    return 1;
  return sn_mjcfFail(c->r, c->node, "Only mujoco.elasticity.cable is supported by composites");
}

// ---- generation ----

// Quaternion of a matrix with given columns, by the trace; columns may be zero.
static void columnsQuat(double q[4], const double x[3], const double y[3], const double z[3]) {
  double m[3][3];
  for (int i = 0; i < 3; i++) {
    m[i][0] = x[i];
    m[i][1] = y[i];
    m[i][2] = z[i];
  }
  double trace = m[0][0] + m[1][1] + m[2][2];
  if (trace > 0) {
    q[0] = 0.5 * sqrt(1 + trace);
    for (int i = 0; i < 3; i++) {
      int j = (i + 1) % 3, k = (i + 2) % 3;
      q[i + 1] = 0.25 * (m[k][j] - m[j][k]) / q[0];
    }
  } else {
    int i = m[0][0] > m[1][1] && m[0][0] > m[2][2] ? 0 : m[1][1] > m[2][2] ? 1 : 2;
    int j = (i + 1) % 3, k = (i + 2) % 3;
    q[i + 1] = 0.5 * sqrt(1 + m[i][i] - m[j][j] - m[k][k]);
    q[0] = 0.25 * (m[k][j] - m[j][k]) / q[i + 1];
    q[j + 1] = 0.25 * (m[i][j] + m[j][i]) / q[i + 1];
    q[k + 1] = 0.25 * (m[i][k] + m[k][i]) / q[i + 1];
  }
  sn_normalizeVec(q, 4);
}

// The moving frame along the curve.
typedef struct Frame_ {
  double tangent[3];
  double normal[3];
  double length;   // of the segment
  double quat[4];  // global orientation
} Frame;

// Unit tangent and length of a segment; differences are those of the stored floats.
static double segment(const Cable* c, int i, double tangent[3]) {
  SN_ASSERT_INDEX(i, c->count - 1);
  for (int k = 0; k < 3; k++) {
    tangent[k] = (float)(c->point[3 * (i + 1) + k] - c->point[3 * i + k]);
  }
  double length = sqrt(sn_dot3(tangent, tangent));
  sn_normalizeVec(tangent, 3);
  return length;
}

static void moveFrame(const Cable* c, int i, Frame* frame) {
  double previous[3], binormal[3];
  memcpy(previous, frame->tangent, sizeof(previous));
  frame->length = segment(c, i, frame->tangent);
  if (i == 0) {
    double next[3] = {0, 0, 0};
    if (c->count > 2) segment(c, 1, next);
    sn_cross3(binormal, frame->tangent, next);
    sn_normalizeVec(binormal, 3);
    sn_cross3(frame->normal, binormal, frame->tangent);
    sn_normalizeVec(frame->normal, 3);
  } else {
    sn_cross3(binormal, previous, frame->tangent);
    double sine = sn_normalizeVec(binormal, 3);
    double angle = atan2(sine, sn_dot3(previous, frame->tangent));
    if (angle != 0) {
      double half = sin(angle / 2);
      double turn[4] = {cos(angle / 2), binormal[0] * half, binormal[1] * half, binormal[2] * half};
      sn_rotateVec(frame->normal, frame->normal, turn);
    }
    sn_normalizeVec(frame->normal, 3);
    sn_cross3(binormal, frame->tangent, frame->normal);
    sn_normalizeVec(binormal, 3);
  }
  columnsQuat(frame->quat, frame->tangent, frame->normal, binormal);
}

// Name of the i-th of n: kind_first, kind_1, ..., kind_last.
static void partName(const Cable* c, char* name, const char* kind, int i, int n) {
  if (i == 0) {
    snprintf(name, NAME_SIZE, "%s%s_first", c->prefix, kind);
  } else if (i == n - 1) {
    snprintf(name, NAME_SIZE, "%s%s_last", c->prefix, kind);
  } else {
    snprintf(name, NAME_SIZE, "%s%s_%d", c->prefix, kind, i);
  }
}

// Settle a new element: template, name, source.
static void settle(Cable* c, snElem* e, const snElem* source, const char* name) {
  if (c->r->failed) return;
  if (source && !sn_elemAssign(e, source)) sn_mjcfFail(c->r, c->node, "out of memory");
  sn_elemSetSource(e, c->node->file, sn_plainMessages() ? 0 : c->node->line);
  if (name) sns_setName(&e->head, name);  // repeated names are found by the compiler
}

static void addGeom(Cable* c, snsBody* body, int i, double length) {
  snsGeom* geom = sns_addGeom(body, NULL);
  if (!geom) return (void)sn_mjcfFail(c->r, c->node, "out of memory");
  char name[NAME_SIZE];
  snprintf(name, sizeof(name), "%sG%d", c->prefix, i);
  settle(c, sn_elem(geom->element), c->geom, name);
  if (geom->type == snGEOM_BOX) {
    geom->pos[0] = length / 2;
    geom->pos[1] = geom->pos[2] = 0;
    geom->size[0] = length / 2;
  } else {
    for (int k = 0; k < 6; k++) geom->fromto[k] = 0;
    geom->fromto[3] = length;
  }
}

static void addJoint(Cable* c, snsBody* body, int i, int n) {
  if (i == 0 && c->initial == INITIAL_NONE) return;
  snsJoint* joint = sns_addJoint(body, NULL);
  if (!joint) return (void)sn_mjcfFail(c->r, c->node, "out of memory");
  char name[NAME_SIZE];
  partName(c, name, "J", i, n);
  settle(c, sn_elem(joint->element), c->joint, name);
  if (i == 0 && c->initial == INITIAL_FREE) {
    joint->type = snJNT_FREE;
    joint->damping = joint->armature = joint->frictionloss = 0;
  }
}

// Sites at the two ends of the cable.
static void addSite(Cable* c, snsBody* body, int i, int n, double length) {
  if (i != 0 && i != n - 1) return;
  snsSite* site = sns_addSite(body, NULL);
  if (!site) return (void)sn_mjcfFail(c->r, c->node, "out of memory");
  char name[NAME_SIZE];
  partName(c, name, "S", i, n);
  settle(c, sn_elem(site->element), c->site, name);
  site->pos[0] = i == n - 1 ? length : 0;
  site->pos[1] = site->pos[2] = 0;
}

static void addExclude(Cable* c, const char* first, const char* second) {
  snsExclude* exclude = sns_addExclude(c->r->spec);
  if (!exclude) return (void)sn_mjcfFail(c->r, c->node, "out of memory");
  settle(c, sn_elem(exclude->element), NULL, NULL);
  sns_setString(exclude->bodyname1, first);
  sns_setString(exclude->bodyname2, second);
}

// The first body reads the reference to a plugin, the others share its instance.
static void addPlugin(Cable* c, snsBody* body, const snsBody* first) {
  if (!c->plugin) return;
  if (body == first) {
    sn_mjcfPlugin(c->r, c->plugin, &body->plugin);
    if (!body->plugin.element) return;
    char name[NAME_SIZE];
    snprintf(name, sizeof(name), "composite%s", c->prefix);
    settle(c, sn_elem(body->plugin.element), NULL, name);
    return;
  }
  body->plugin.active = first->plugin.active;
  body->plugin.element = first->plugin.element;
  sns_setString(body->plugin.name, sns_getString(first->plugin.name));
  sns_setString(body->plugin.plugin_name, sns_getString(first->plugin.plugin_name));
}

static void addBodies(Cable* c, snsBody* parent, snsFrame* place) {
  int n = c->count - 1;
  Frame frame = {.length = 0}, previous;
  char name[NAME_SIZE], before[NAME_SIZE] = "";
  const snsBody* first = NULL;
  for (int i = 0; i < n && !c->r->failed; i++) {
    previous = frame;
    moveFrame(c, i, &frame);
    snsBody* body = sns_addBody(parent, NULL);
    if (!body) {
      sn_mjcfFail(c->r, c->node, "out of memory");
      return;
    }
    partName(c, name, "B", i, n);
    settle(c, sn_elem(body->element), NULL, name);
    if (i == 0) first = body;
    addPlugin(c, body, first);
    if (i == 0) {
      if (place) sn_elem(body->element)->frame = sn_elem(place->element);
      for (int k = 0; k < 3; k++) body->pos[k] = c->offset[k] + c->point[k];
      memcpy(body->quat, frame.quat, sizeof(frame.quat));
    } else {
      double inverse[4] = {previous.quat[0], -previous.quat[1], -previous.quat[2],
                           -previous.quat[3]};
      body->pos[0] = previous.length;
      body->pos[1] = body->pos[2] = 0;
      sn_quatMul(body->quat, inverse, frame.quat);
      addExclude(c, before, name);
    }
    addGeom(c, body, i, frame.length);
    addJoint(c, body, i, n);
    addSite(c, body, i, n, frame.length);
    memcpy(before, name, sizeof(before));
    parent = body;
  }
}

static void addText(Cable* c) {
  snsText* text = sns_addText(c->r->spec);
  if (!text) return (void)sn_mjcfFail(c->r, c->node, "out of memory");
  char name[NAME_SIZE], value[NAME_SIZE];
  snprintf(name, sizeof(name), "composite_%s", c->prefix);
  snprintf(value, sizeof(value), "rope_%s", c->prefix);
  settle(c, sn_elem(text->element), NULL, name);
  sns_setString(text->data, value);
}

void sn_mjcfComposite(snReader* r, const snXmlNode* node, snsBody* body, snsFrame* frame) {
  Cable cable = {.r = r, .node = node};
  Cable* c = &cable;
  const char* prefix = sn_xmlAttr(node, "prefix");
  const char* initial = sn_xmlAttr(node, "initial");
  c->prefix = prefix ? prefix : "";
  if (strlen(c->prefix) > NAME_SIZE / 2) {
    sn_mjcfFail(r, node, "prefix of composite is too long");
    return;
  }
  if (initial && !strcmp(initial, "free")) c->initial = INITIAL_FREE;
  if (initial && !strcmp(initial, "none")) c->initial = INITIAL_NONE;
  if (readType(c) && readShape(c) && readTemplates(c) && checkPlugin(c) && checkShape(c) &&
      makePoints(c)) {
    const snsGeom* geom = (const snsGeom*)c->geom->object;
    addBodies(c, body, frame);
    if (!r->failed) addText(c);
    if (!r->failed && geom->type == snGEOM_BOX) {
      c->skin.prefix = c->prefix;
      c->skin.count = c->count;
      memcpy(c->skin.size, geom->size, sizeof(c->skin.size));
      if (!sn_addCableSkin(r->spec, &c->skin)) sn_mjcfFail(r, node, "out of memory");
    }
  }
  sn_boxFree((snBox*)&c->vertex, snBOX_FLOAT);
  if (c->joint) sn_elemFree(c->joint);
  if (c->geom) sn_elemFree(c->geom);
  if (c->site) sn_elemFree(c->site);
}
