// Pins of a flexcomp, and the bodies of its points or nodes.

#include <stdio.h>
#include <string.h>

#include "asset/algebra.h"
#include "base/assert.h"
#include "mjcf/flexcomp.h"

enum { MAX_BODIES = 65534 };

// ---- pins ----

static int pin(snFlexcomp* f, int i, int end, const char* kind) {
  SN_ASSERT(f->pinned && end <= f->npinned);
  if (i < 0 || i >= end) return sn_mjcfFail(f->r, f->node, "%s out of range", kind);
  f->pinned[i] = 1;
  return 1;
}

static int pinRanges(snFlexcomp* f, int npoint) {
  SN_ASSERT(npoint <= f->npinned);
  const snIntVec* range = f->pin + snFLEXPIN_RANGE;
  for (int i = 0; i + 1 < range->size; i += 2) {
    int first = range->data[i], last = range->data[i + 1];
    if (first < 0 || first >= npoint || last < 0 || last >= npoint) {
      return sn_mjcfFail(f->r, f->node, "pinrange out of range");
    }
    for (int k = first; k <= last; k++) f->pinned[k] = 1;
  }
  return 1;
}

// Whether coordinates lie in a grid; counts of the element, or those of the nodes.
static int isInGrid(const snFlexcomp* f, const int* at, int nodes) {
  for (int k = 0; k < f->flex->dim; k++) {
    if (at[k] < 0 || at[k] >= (nodes ? nodes : f->count[k])) return 0;
  }
  return 1;
}

static int gridId(const snFlexcomp* f, const int* at) {
  SN_ASSERT(f->flex->dim >= 2 && f->flex->dim <= 3);
  int id = at[0] * f->count[1] + at[1];
  return f->flex->dim == 3 ? id * f->count[2] + at[2] : id;
}

// Points of a grid by their coordinates. What is no grid has those of its nodes, numbered as if
// they were points of a grid with the counts of the element.
static int pinGrid(snFlexcomp* f) {
  const snIntVec* grid = f->pin + snFLEXPIN_GRID;
  int dim = f->flex->dim, nodes = f->type == snFLEXCOMP_GRID ? 0 : sn_flexcompNodes(f);
  for (int i = 0; i + dim <= grid->size; i += dim) {
    const int* at = grid->data + i;
    if (!isInGrid(f, at, nodes)) return sn_mjcfFail(f->r, f->node, "pingrid out of range");
    if (!pin(f, gridId(f, at), f->npinned, "pingrid")) return 0;
  }
  return 1;
}

static int pinGridRanges(snFlexcomp* f) {
  const snIntVec* range = f->pin + snFLEXPIN_GRIDRANGE;
  int dim = f->flex->dim;
  for (int i = 0; i + 2 * dim <= range->size; i += 2 * dim) {
    const int *low = range->data + i, *high = low + dim;
    if (!isInGrid(f, low, 0) || !isInGrid(f, high, 0)) {
      return sn_mjcfFail(f->r, f->node, "pingridrange out of range");
    }
    int at[3];
    for (at[0] = low[0]; at[0] <= high[0]; at[0]++) {
      for (at[1] = low[1]; at[1] <= high[1]; at[1]++) {
        for (at[2] = dim == 3 ? low[2] : 0; at[2] <= (dim == 3 ? high[2] : 0); at[2]++) {
          if (!pin(f, gridId(f, at), f->npinned, "pingridrange")) return 0;
        }
      }
    }
  }
  return 1;
}

int sn_flexcompPins(snFlexcomp* f) {
  int npoint = sn_flexcompPoints(f), side = sn_flexcompNodes(f), nnode = side * side * side;
  f->npinned = npoint > nnode ? npoint : nnode;
  f->pinned = SN_TAKE(&f->r->pool, snByte, f->npinned);
  if (!f->pinned) return sn_mjcfFail(f->r, f->node, "out of memory");
  if (f->rigid) return 1;
  const snIntVec* id = f->pin + snFLEXPIN_ID;
  for (int i = 0; i < id->size; i++) {
    if (!pin(f, id->data[i], npoint, "pinid")) return 0;
  }
  if (!pinRanges(f, npoint) || !pinGrid(f) || !pinGridRanges(f)) return 0;
  if (f->dof == snFLEXDOF_RADIAL) f->pinned[0] = 1;
  int count = 0;
  for (int i = 0; i < npoint; i++) count += f->pinned[i];
  f->rigid = count == npoint;
  f->centered = count == 0;
  return 1;
}

// ---- bodies ----

static int addJoint(snFlexcomp* f, snsBody* body, const double axis[3]) {
  snsJoint* joint = sns_addJoint(body, NULL);
  if (!joint) return sn_mjcfFail(f->r, f->node, "out of memory");
  sn_flexcompSource(f, sn_elem(joint->element));
  joint->type = snJNT_SLIDE;
  for (int k = 0; k < 3; k++) {
    joint->pos[k] = 0;
    joint->axis[k] = axis[k];
  }
  return 1;
}

static int addGeom(snFlexcomp* f, snsBody* body) {
  snsGeom* geom = sns_addGeom(body, NULL);
  if (!geom) return sn_mjcfFail(f->r, f->node, "out of memory");
  sn_flexcompSource(f, sn_elem(geom->element));
  geom->type = snGEOM_SPHERE;
  geom->size[0] = f->flex->radius;
  if (!sn_flexcompNodes(f)) geom->group = 4;
  return 1;
}

// The first body reads the plugin, the others share its instance.
static int addPlugin(snFlexcomp* f, snsBody* body) {
  if (!f->plugin) return 1;
  if (!f->shared) {
    sn_mjcfPlugin(f->r, f->plugin, &body->plugin);
    snElem* instance = f->r->failed ? NULL : sn_elem(body->plugin.element);
    if (instance && sn_stringEmpty(&instance->name)) {
      snString name = {0};
      sn_stringJoin(&name, "flexcomp_", f->name, "");
      sns_setName(&instance->head, sns_getString(&name));
      sn_boxFree((snBox*)&name, snBOX_STRING);
    }
    f->shared = body;
    return !f->r->failed;
  }
  if (body == f->shared) return 1;
  body->plugin.active = f->shared->plugin.active;
  body->plugin.element = f->shared->plugin.element;
  sns_setString(body->plugin.name, sns_getString(f->shared->plugin.name));
  sns_setString(body->plugin.plugin_name, sns_getString(f->shared->plugin.plugin_name));
  return 1;
}

// A body at a point with the joints of the kind that is asked for.
static snsBody* addBody(snFlexcomp* f, const char* name, const double pos[3], double mass) {
  static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  snsBody* body = sns_addBody(f->parent, NULL);
  if (!body || ++f->nbody >= MAX_BODIES) {
    sn_mjcfFail(f->r, f->node, body ? "too many bodies in flexcomp" : "out of memory");
    return NULL;
  }
  sn_flexcompSource(f, sn_elem(body->element));
  sns_setName(body->element, name);  // repeated names are found by the compiler
  body->explicitinertial = 1;
  body->mass = mass;
  for (int k = 0; k < 3; k++) {
    body->pos[k] = pos[k];
    body->ipos[k] = 0;
    body->inertia[k] = mass * (2 * f->inertiabox * f->inertiabox) / 3;
  }
  int ok = addPlugin(f, body) && (!f->flex->vertcollide || addGeom(f, body));
  if (f->dof == snFLEXDOF_RADIAL) {
    double axis[3] = {pos[0], pos[1], pos[2]};
    sn_normalizeVec(axis, 3);
    ok = ok && addJoint(f, body, axis);
  } else {
    for (int k = 0; k < 3; k++) ok = ok && addJoint(f, body, axes[k]);
  }
  return ok ? body : NULL;
}

// Name of a generated body in the memory of the reader.
static char* makeName(snFlexcomp* f, const char* format, const int index[3]) {
  size_t size = strlen(f->name) + 48;
  char* name = SN_TAKE(&f->r->pool, char, size);
  if (!name) {
    sn_mjcfFail(f->r, f->node, "out of memory");
    return NULL;
  }
  int used = snprintf(name, size, "%s_", f->name);
  if (!strcmp(format, "point")) {
    snprintf(name + used, size - (size_t)used, "%d", index[0]);
  } else {
    snprintf(name + used, size - (size_t)used, "%d_%d_%d", index[0], index[1], index[2]);
  }
  return name;
}

static int addPoints(snFlexcomp* f) {
  const char* parent = sn_elemName(sn_elem(f->parent->element));
  int npoint = sn_flexcompPoints(f), nodes = sn_flexcompNodes(f);
  for (int i = 0; i < npoint; i++) {
    double* p = f->flex->vert->data + 3 * (size_t)i;
    if (nodes || f->pinned[i]) {
      sns_appendString(f->flex->vertbody, parent);
      if (!nodes && !addPlugin(f, f->parent)) return 0;
      continue;
    }
    int index[3] = {i, 0, 0};
    char* name = makeName(f, "point", index);
    if (!name || !addBody(f, name, p, f->mass / npoint)) return 0;
    sns_appendString(f->flex->vertbody, name);
    for (int k = 0; k < 3; k++) p[k] = 0;
  }
  return 1;
}

// Nodes of the box of the points, x slowest, with the share of the mass of the quadrature of their
// order: all equal, or 1/6, 2/3, 1/6 along each axis.
static int addNodes(snFlexcomp* f) {
  static const double weight[3] = {1.0 / 6, 2.0 / 3, 1.0 / 6};
  const char* parent = sn_elemName(sn_elem(f->parent->element));
  int n = sn_flexcompNodes(f), id = 0, at[3];
  snDoubleVec* node = f->flex->node;
  if (!sn_boxReserve((snBox*)node, snBOX_DOUBLE, 3 * n * n * n)) {
    return sn_mjcfFail(f->r, f->node, "out of memory");
  }
  for (at[0] = 0; at[0] < n; at[0]++) {
    for (at[1] = 0; at[1] < n; at[1]++) {
      for (at[2] = 0; at[2] < n; at[2]++, id++) {
        double pos[3], mass = f->mass;
        for (int k = 0; k < 3; k++) {
          pos[k] = f->lower[k] + at[k] / (double)(n - 1) * (f->upper[k] - f->lower[k]);
          mass *= n == 2 ? 0.5 : weight[at[k]];
        }
        char* name = NULL;
        if (!f->pinned[id]) {
          name = makeName(f, "node", at);
          if (!name || !addBody(f, name, pos, mass)) return 0;
        }
        sns_appendString(f->flex->nodebody, name ? name : parent);
        for (int k = 0; k < 3; k++) node->data[node->size++] = name ? 0 : pos[k];
      }
    }
  }
  if (f->centered) node->size = 0;
  return 1;
}

int sn_flexcompBodies(snFlexcomp* f) {
  snsFlex* flex = f->flex;
  if (f->rigid) {
    sns_appendString(flex->vertbody, sn_elemName(sn_elem(f->parent->element)));
    return 1;
  }
  if (!addPoints(f)) return 0;
  if (sn_flexcompNodes(f)) return addNodes(f);
  if (f->centered) flex->vert->size = 0;
  return 1;
}
