// Reading URDF into a spec.
//
// Links become bodies, joints become poses and joints of their child links. Unknown elements are
// ignored, as is everything that only other programs need (transmission, gazebo, safety limits).

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "asset/algebra.h"
#include "asset/resource.h"
#include "base/assert.h"
#include "base/error.h"
#include "base/table.h"
#include "mjcf/reader.h"

// MuJoCo's messages do not tell lines of these files
static int lineOf(const snXmlNode* node) { return sn_plainMessages() ? 0 : node->line; }

typedef struct Link_ {
  const snXmlNode* node;
  const char* name;
  const snXmlNode* joint;  // that leads to it, NULL for roots
  int parent;              // -1: none
  int first, last;         // links below it, in the order of the joints; -1: none
  int next;                // the next link below the same parent
  snsBody* body;           // NULL until it is added
} Link;

typedef struct Urdf_ {
  snReader* r;
  const snXmlNode* robot;
  Link* links;
  int nlink;
  snTable linknames;          // -> index of the link
  const snXmlNode** colours;  // of materials that have one
  snTable materials;          // -> index of the colour
  snTable stems;              // of mesh files -> number of their assets
  snTable scaled;             // stem and scale of every asset
  float rgba[4];              // colour of the last visual of the link
} Urdf;

static const snXmlNode* child(const snXmlNode* node, const char* name) {
  const snXmlNode* at = node ? node->first : NULL;
  while (at && strcmp(at->name, name)) at = at->next;
  return at;
}

// a child that may be there once
static const snXmlNode* onlyChild(Urdf* u, const snXmlNode* node, const char* name) {
  const snXmlNode* found = child(node, name);
  for (const snXmlNode* at = found ? found->next : NULL; at; at = at->next) {
    if (!strcmp(at->name, name)) sn_mjcfFail(u->r, found, "repeated element: '%s'", name);
  }
  return found;
}

static const snXmlNode* neededChild(Urdf* u, const snXmlNode* node, const char* name) {
  const snXmlNode* found = onlyChild(u, node, name);
  if (!found) sn_mjcfFail(u->r, node, "missing element: '%s'", name);
  return found;
}

static void neededNumbers(Urdf* u, const snXmlNode* node, const char* name, double* to, int count) {
  if (!sn_mjcfDoubles(u->r, node, name, to, count, 0)) {
    sn_mjcfFail(u->r, node, "required attribute missing: '%s'", name);
  }
}

// turns about fixed axes: R = Rz(yaw) Ry(pitch) Rx(roll)
static void quatFromRpy(double quat[4], const double rpy[3]) {
  double turn[3][4] = {{0}};
  for (int i = 0; i < 3; i++) {
    turn[i][0] = cos(rpy[i] / 2);
    turn[i][1 + i] = sin(rpy[i] / 2);
  }
  sn_quatMul(quat, turn[1], turn[0]);
  sn_quatMul(quat, turn[2], quat);
}

static void readOrigin(Urdf* u, const snXmlNode* node, double pos[3], double quat[4]) {
  const snXmlNode* origin = onlyChild(u, node, "origin");
  double rpy[3] = {0, 0, 0};
  if (!origin) return;
  sn_mjcfDoubles(u->r, origin, "xyz", pos, 3, 0);
  if (sn_mjcfDoubles(u->r, origin, "rpy", rpy, 3, 0)) quatFromRpy(quat, rpy);
}

// a message that names what it is about, unless it has to be the reference's
static void failNaming(Urdf* u, const snXmlNode* node, const char* text, const char* before,
                       const char* name, const char* behind) {
  if (sn_plainMessages()) {
    sn_mjcfFail(u->r, node, "%s", text);
  } else {
    sn_mjcfFail(u->r, node, "%s%s'%s'%s", text, before, name, behind);
  }
}

// ---- links ----

static void readInertial(Urdf* u, const snXmlNode* link, snsBody* body) {
  static const char* const names[] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
  const snXmlNode* node = onlyChild(u, link, "inertial");
  if (!node) return;
  const snXmlNode* mass = neededChild(u, node, "mass");
  const snXmlNode* inertia = neededChild(u, node, "inertia");
  if (!mass || !inertia) return;
  body->explicitinertial = 1;
  body->ipos[0] = 0;
  readOrigin(u, node, body->ipos, body->iquat);
  neededNumbers(u, mass, "value", &body->mass, 1);
  int zero = 1;
  for (int i = 0; i < 6; i++) {
    neededNumbers(u, inertia, names[i], &body->fullinertia[i], 1);
    zero &= body->fullinertia[i] == 0;
  }
  if (zero) {
    body->fullinertia[0] = NAN;
  } else {
    // the orientation of the origin has no effect on a full matrix
    static const double identity[4] = {1, 0, 0, 0};
    memcpy(body->iquat, identity, sizeof(identity));
  }
}

static void readRgba(Urdf* u, const snXmlNode* colour, float rgba[4]) {
  if (!sn_mjcfFloats(u->r, colour, "rgba", rgba, 4, 0)) {
    sn_mjcfFail(u->r, colour, "required attribute missing: 'rgba'");
  }
}

static void readColour(Urdf* u, const snXmlNode* visual) {
  const snXmlNode* material = onlyChild(u, visual, "material");
  if (!material) return;
  const snXmlNode* colour = onlyChild(u, material, "color");
  if (!colour) {
    int known = sn_tableFind(&u->materials, sn_mjcfNeeded(u->r, material, "name"));
    if (known >= 0) colour = u->colours[known];
  }
  if (colour) readRgba(u, colour, u->rgba);
}

static const char* copyText(Urdf* u, const char* text) {
  size_t size = strlen(text) + 1;
  char* copy = SN_TAKE(&u->r->pool, char, size);
  if (!copy) {
    sn_mjcfFail(u->r, u->robot, "out of memory");
    return NULL;
  }
  return (const char*)memcpy(copy, text, size);
}

// the asset of a file and a scale; a file with another scale is another asset
static void readMesh(Urdf* u, const snXmlNode* node, snsGeom* geom) {
  snReader* r = u->r;
  const char* file = sn_mjcfNeeded(r, node, "filename");
  double scale[3] = {1, 1, 1};
  sn_mjcfDoubles(r, node, "scale", scale, 3, 0);
  char stem[256], name[300];
  sn_pathStem(file, stem, sizeof(stem));
  geom->type = snGEOM_MESH;
  sns_setString(geom->meshname, stem);
  // a scale that is not the first is found, and the first is used
  char key[400];
  snprintf(key, sizeof(key), "%s/%a/%a/%a", stem, scale[0], scale[1], scale[2]);
  if (sn_tableFind(&u->scaled, key) >= 0) return;
  int variants = sn_tableFind(&u->stems, stem);
  if (variants < 0) variants = 0;
  const char *ownstem = copyText(u, stem), *ownkey = copyText(u, key);
  if (!ownstem || !ownkey) return;
  sn_tableSet(&u->stems, ownstem, variants + 1);
  sn_tableSet(&u->scaled, ownkey, 1);
  snprintf(name, sizeof(name), variants ? "%s%d" : "%s", stem, variants);
  snsMesh* mesh = sns_addMesh(r->spec, NULL);
  if (!mesh || sns_setName(mesh->element, name)) {
    sn_mjcfFail(r, node, "out of memory");
    return;
  }
  sn_elemSetSource(sn_elem(mesh->element), node->file, lineOf(node));
  sns_setString(mesh->file, r->spec->strippath ? sn_pathFile(file) : file);
  memcpy(mesh->scale, scale, sizeof(scale));
  sns_setString(geom->meshname, name);
}

// the first of the known shapes, in the order of this list and not of the file
static const snXmlNode* shapeOf(Urdf* u, const snXmlNode* geometry) {
  static const char* const names[] = {"box", "cylinder", "sphere", "capsule", "mesh"};
  const snXmlNode* found = NULL;
  for (int i = 0; i < 5 && !found; i++) found = onlyChild(u, geometry, names[i]);
  if (found) return found;
  const char* text = "visual geometry specification not found";
  if (geometry->first) {
    failNaming(u, geometry, text, ", ", geometry->first->name, " is none");
  } else {
    sn_mjcfFail(u->r, geometry, "%s", text);
  }
  return NULL;
}

static void readShape(Urdf* u, const snXmlNode* geometry, snsGeom* geom) {
  const snXmlNode* node = geometry ? shapeOf(u, geometry) : NULL;
  if (!node) return;
  double length = 0;
  if (!strcmp(node->name, "box")) {
    geom->type = snGEOM_BOX;
    neededNumbers(u, node, "size", geom->size, 3);
    for (int i = 0; i < 3; i++) geom->size[i] /= 2;
  } else if (!strcmp(node->name, "sphere")) {
    geom->type = snGEOM_SPHERE;
    neededNumbers(u, node, "radius", geom->size, 1);
  } else if (!strcmp(node->name, "mesh")) {
    readMesh(u, node, geom);
  } else {
    geom->type = !strcmp(node->name, "cylinder") ? snGEOM_CYLINDER : snGEOM_CAPSULE;
    neededNumbers(u, node, "radius", geom->size, 1);
    neededNumbers(u, node, "length", &length, 1);
    geom->size[1] = length / 2;
  }
}

static void readGeom(Urdf* u, const snXmlNode* node, snsBody* body, int visual) {
  snReader* r = u->r;
  if (visual) readColour(u, node);
  if (visual && r->spec->compiler.discardvisual) return;
  snsGeom* geom = sns_addGeom(body, NULL);
  if (!geom) {
    sn_mjcfFail(r, node, "out of memory");
    return;
  }
  sn_elemSetSource(sn_elem(geom->element), node->file, lineOf(node));
  const char* name = sn_xmlAttr(node, "name");
  if (name && *name && !sn_findName(r->spec, snOBJ_GEOM, name)) sns_setName(geom->element, name);
  if (visual) {
    geom->contype = geom->conaffinity = 0;
    geom->group = 1;
    geom->density = 0;
  }
  memcpy(geom->rgba, u->rgba, sizeof(geom->rgba));
  readOrigin(u, node, geom->pos, geom->quat);
  readShape(u, neededChild(u, node, "geometry"), geom);
}

static void readLink(Urdf* u, const snXmlNode* node, snsBody* body) {
  static const float grey[4] = {0.5f, 0.5f, 0.5f, 1};
  memcpy(u->rgba, grey, sizeof(grey));
  readInertial(u, node, body);
  for (const snXmlNode* at = node->first; at && !u->r->failed; at = at->next) {
    int visual = !strcmp(at->name, "visual");
    if (visual || !strcmp(at->name, "collision")) readGeom(u, at, body, visual);
  }
}

// ---- joints ----

static snsJoint* addJoint(Urdf* u, const snXmlNode* node, snsBody* body, snJoint type,
                          const char* suffix, const double axis[3]) {
  char name[300];
  snsJoint* joint = sns_addJoint(body, NULL);
  if (!joint) {
    sn_mjcfFail(u->r, node, "out of memory");
    return NULL;
  }
  snprintf(name, sizeof(name), "%s%s", sn_mjcfNeeded(u->r, node, "name"), suffix);
  sn_elemSetSource(sn_elem(joint->element), node->file, lineOf(node));
  sns_setName(joint->element, name);
  joint->type = type;
  memcpy(joint->axis, axis, sizeof(joint->axis));
  const snXmlNode* dynamics = onlyChild(u, node, "dynamics");
  if (dynamics) {
    sn_mjcfDoubles(u->r, dynamics, "damping", &joint->damping, 1, 0);
    sn_mjcfDoubles(u->r, dynamics, "friction", &joint->frictionloss, 1, 0);
  }
  return joint;
}

static void readLimit(Urdf* u, const snXmlNode* node, snsJoint* joint) {
  const snXmlNode* limit = onlyChild(u, node, "limit");
  if (!limit || !joint) return;
  int both = sn_mjcfDoubles(u->r, limit, "lower", joint->range, 1, 0) +
             sn_mjcfDoubles(u->r, limit, "upper", joint->range + 1, 1, 0);
  if (both == 1 || joint->range[0] > joint->range[1]) joint->limited = 0;
  double effort = 0;
  sn_mjcfDoubles(u->r, limit, "effort", &effort, 1, 0);
  if (fabs(effort) > 0) {
    joint->actfrcrange[0] = -fabs(effort);
    joint->actfrcrange[1] = fabs(effort);
  }
}

static void readPlanar(Urdf* u, const snXmlNode* node, snsBody* body, const double axis[3]) {
  snsOrientation alt = {.type = snORIENTATION_ZAXIS};
  double quat[4] = {1, 0, 0, 0}, mat[9];
  memcpy(alt.zaxis, axis, sizeof(alt.zaxis));
  sns_resolveOrientation(quat, 0, "xyz", &alt);
  sn_quatMat(mat, quat);
  const double x[3] = {mat[0], mat[3], mat[6]}, y[3] = {mat[1], mat[4], mat[7]};
  readLimit(u, node, addJoint(u, node, body, snJNT_SLIDE, "_TX", x));
  addJoint(u, node, body, snJNT_SLIDE, "_TY", y);
  addJoint(u, node, body, snJNT_HINGE, "_RZ", axis);
}

static void readJoint(Urdf* u, const snXmlNode* node, snsBody* body) {
  sn_mjcfNeeded(u->r, node, "name");
  const char* type = sn_mjcfNeeded(u->r, node, "type");
  double axis[3] = {1, 0, 0};
  const snXmlNode* axisNode = onlyChild(u, node, "axis");
  if (axisNode) neededNumbers(u, axisNode, "xyz", axis, 3);
  readOrigin(u, node, body->pos, body->quat);
  if (!strcmp(type, "revolute") || !strcmp(type, "continuous")) {
    readLimit(u, node, addJoint(u, node, body, snJNT_HINGE, "", axis));
  } else if (!strcmp(type, "prismatic")) {
    readLimit(u, node, addJoint(u, node, body, snJNT_SLIDE, "", axis));
  } else if (!strcmp(type, "floating")) {
    readLimit(u, node, addJoint(u, node, body, snJNT_FREE, "", axis));
  } else if (!strcmp(type, "spherical")) {
    readLimit(u, node, addJoint(u, node, body, snJNT_BALL, "", axis));
  } else if (!strcmp(type, "planar")) {
    readPlanar(u, node, body, axis);
  } else if (strcmp(type, "fixed")) {
    failNaming(u, node, "invalid joint type in URDF joint definition", ": ", type, "");
  }
}

// ---- tree ----

static void collectLinks(Urdf* u) {
  int count = 0;
  for (const snXmlNode* at = u->robot->first; at; at = at->next) count += !strcmp(at->name, "link");
  u->links = SN_TAKE(&u->r->pool, Link, count);
  if (!u->links || !sn_tableMake(&u->linknames, &u->r->pool, count)) {
    sn_mjcfFail(u->r, u->robot, "out of memory");
    return;
  }
  for (const snXmlNode* at = u->robot->first; at && !u->r->failed; at = at->next) {
    if (strcmp(at->name, "link")) continue;
    const char* name = sn_mjcfNeeded(u->r, at, "name");
    if (sn_tableFind(&u->linknames, name) >= 0) {
      const snXmlNode* place = sn_plainMessages() ? NULL : at;
      failNaming(u, place, "repeated URDF name: ", "link ", name, "");
    }
    sn_tableSet(&u->linknames, name, u->nlink);
    u->links[u->nlink++] = (Link){at, name, NULL, -1, -1, -1, -1, NULL};
  }
}

static int jointEnd(Urdf* u, const snXmlNode* node, const char* which) {
  const snXmlNode* end = neededChild(u, node, which);
  if (!end) return -1;
  const char* name = sn_mjcfNeeded(u->r, end, "link");
  int link = sn_tableFind(&u->linknames, name);
  if (link < 0) {
    char before[60];
    snprintf(before, sizeof(before), ": there is no %s link ", which);
    failNaming(u, node, "URDF joint parent or child missing", before, name, "");
  }
  return link;
}

static void collectJoints(Urdf* u) {
  for (const snXmlNode* at = u->robot->first; at && !u->r->failed; at = at->next) {
    if (strcmp(at->name, "joint")) continue;
    int parent = jointEnd(u, at, "parent");
    int below = jointEnd(u, at, "child");
    if (u->r->failed) return;
    SN_ASSERT_INDEX2(parent, below, u->nlink);
    if (u->links[below].joint) {
      failNaming(u, at, "URDF body has multiple parents:", " ", u->links[below].name, "");
      return;
    }
    u->links[below].joint = at;
    u->links[below].parent = parent;
    Link* above = u->links + parent;
    *(above->last < 0 ? &above->first : &u->links[above->last].next) = below;
    above->last = below;
  }
}

static void addLink(Urdf* u, int index, snsBody* parent, int depth) {
  SN_ASSERT_INDEX(index, u->nlink);
  Link* link = u->links + index;
  snReader* r = u->r;
  if (link->body || depth > snXML_MAXDEPTH) {
    sn_mjcfFail(r, link->node, "links are nested too deeply or in a loop");
    return;
  }
  snsBody* body = parent;
  if (strcmp(link->name, "world")) {
    body = sns_addBody(parent, NULL);
    if (!body) {
      sn_mjcfFail(r, link->node, "out of memory");
      return;
    }
    sn_mjcfName(r, link->node, sn_elem(body->element), body->info);
    if (sn_plainMessages()) {
      sn_elem(body->element)->line = 0;
      sns_setString(body->info, "");
    }
    if (link->joint) readJoint(u, link->joint, body);
  }
  link->body = body;
  for (int i = link->first; i >= 0 && !r->failed; i = u->links[i].next) {
    addLink(u, i, body, depth + 1);
  }
}

// the number of elements of a name below a node
static int countNamed(const snXmlNode* node, const char* name, int depth) {
  int count = 0;
  for (const snXmlNode* at = node->first; at && depth < 20; at = at->next) {
    count += !strcmp(at->name, name) + countNamed(at, name, depth + 1);
  }
  return count;
}

// colours of the materials that have a name, wherever they are; the first of a name counts
static void addColours(Urdf* u, const snXmlNode* node, int depth, int* count) {
  for (const snXmlNode* at = node->first; at && depth < 20; at = at->next) {
    const char* name = strcmp(at->name, "material") ? NULL : sn_xmlAttr(at, "name");
    int known = name && sn_tableFind(&u->materials, name) >= 0;
    const snXmlNode* colour = name && !known ? onlyChild(u, at, "color") : NULL;
    if (colour) {
      float rgba[4];  // is to be right, used or not
      readRgba(u, colour, rgba);
      sn_tableSet(&u->materials, name, *count);
      u->colours[(*count)++] = colour;
    }
    addColours(u, at, depth + 1, count);
  }
}

static void collectAssets(Urdf* u) {
  snPool* pool = &u->r->pool;
  int nmaterial = countNamed(u->robot, "material", 0), ncolour = 0;
  int nmesh = countNamed(u->robot, "mesh", 0);
  u->colours = SN_TAKE(pool, const snXmlNode*, nmaterial);
  if (!u->colours || !sn_tableMake(&u->materials, pool, nmaterial) ||
      !sn_tableMake(&u->stems, pool, nmesh) || !sn_tableMake(&u->scaled, pool, nmesh)) {
    sn_mjcfFail(u->r, u->robot, "out of memory");
    return;
  }
  addColours(u, u->robot, 0, &ncolour);
}

void sn_readUrdf(snReader* r, const snXmlNode* robot) {
  Urdf u = {.r = r, .robot = robot};
  snSpec* spec = r->spec;
  spec->strippath = 1;
  spec->compiler.fusestatic = 1;
  spec->compiler.discardvisual = 1;
  const char* name = sn_xmlAttr(robot, "name");
  if (name) sns_setString(spec->modelname, name);
  const snXmlNode* extension = onlyChild(&u, robot, "mujoco");
  const snXmlNode *compiler = onlyChild(&u, extension, "compiler"),
                  *option = onlyChild(&u, extension, "option"),
                  *size = onlyChild(&u, extension, "size");
  if (compiler) sn_mjcfCompiler(r, compiler);
  if (option) sn_mjcfOption(r, option);
  if (size) sn_mjcfSize(r, size);
  spec->compiler.degree = 0;
  collectAssets(&u);
  if (!r->failed) collectLinks(&u);
  if (!r->failed) collectJoints(&u);
  snsBody* world = (snsBody*)sn_world(spec)->object;
  for (int i = 0; i < u.nlink && !r->failed; i++) {
    if (!u.links[i].joint) addLink(&u, i, world, 0);
  }
  // what links hold, meshes among it, in the order of the file
  for (int i = 0; i < u.nlink && !r->failed; i++) {
    const Link* link = u.links + i;
    if (link->body) {
      readLink(&u, link->node, link->body);
    } else {
      failNaming(&u, link->node, "URDF body not found", ": link ", link->name, " is in a loop");
    }
  }
}
