// Deformables: <sinew:cloth>, <sinew:softbody>, <sinew:chain>.
//
// Their vertices and elements come from the generators of flexcomp, which work on a flex that is thrown
// away afterwards, or are given.

#include <string.h>

#include "asset/algebra.h"
#include "mjcf/deform.h"
#include "mjcf/flexcomp.h"
#include "mjcf/schema_maps.h"
#include "sinew/deformable.h"
#include "spec/deform_kind.h"

static void setDefaults(snFlexcomp* f) {
  for (int k = 0; k < 3; k++) {
    f->count[k] = 10;
    f->spacing[k] = 0.02;
    f->scale[k] = 1;
  }
  f->quat[0] = 1;
  sns_defaultOrientation(&f->alt);
}

// pins of all children add up
static int readPins(snFlexcomp* f) {
  static const char* const names[snFLEXPIN_KINDS] = {"id", "range", "grid", "gridrange"};
  for (const snXmlNode* n = f->node->first; n && !f->r->failed; n = n->next) {
    for (int kind = 0; kind < snFLEXPIN_KINDS; kind++) {
      snIntVec more = {0};
      snIntVec* pin = f->pin + kind;
      sn_mjcfIntVec(f->r, n, names[kind], &more);
      if (!sn_boxReserve((snBox*)pin, snBOX_INT, more.size)) {
        sn_mjcfFail(f->r, n, "out of memory");
        more.size = 0;
      }
      for (int i = 0; i < more.size; i++) pin->data[pin->size++] = more.data[i];
      sn_boxFree((snBox*)&more, snBOX_INT);
    }
  }
  return !f->r->failed;
}

static int checkPins(snFlexcomp* f) {
  int dim = f->flex->dim, grid = f->pin[snFLEXPIN_GRID].size,
      range = f->pin[snFLEXPIN_GRIDRANGE].size;
  if (f->pin[snFLEXPIN_RANGE].size % 2) {
    return sn_mjcfFail(f->r, f->node, "pin range must have a multiple of 2 numbers");
  }
  if ((grid || range) && (f->type != snFLEXCOMP_GRID || dim < 2)) {
    return sn_mjcfFail(f->r, f->node, "pin grid and gridrange need a grid of cells");
  }
  if (grid % dim || range % (2 * dim)) {
    return sn_mjcfFail(f->r, f->node, "pin grid and gridrange need %d or %d numbers each", dim,
                       2 * dim);
  }
  return 1;
}

static int checkNumbers(snFlexcomp* f) {
  snReader* r = f->r;
  for (int k = f->flex->dim; k < 3 && !sn_flexcompIsBoxed(f->type); k++) f->count[k] = 1;
  for (int k = 0; k < f->flex->dim && !sn_flexcompIsDirect(f); k++) {
    if (f->count[k] < 2) return sn_mjcfFail(r, f->node, "count must be at least 2");
    if (!(f->spacing[k] > 0)) return sn_mjcfFail(r, f->node, "spacing must be positive");
  }
  for (int k = 0; k < 3; k++) {
    if (f->count[k] < 1) return sn_mjcfFail(r, f->node, "count must be positive");
    if (!(f->scale[k] > 0)) return sn_mjcfFail(r, f->node, "scale must be positive");
  }
  const char* problem = sns_resolveOrientation(f->quat, r->spec->compiler.degree,
                                               r->spec->compiler.eulerseq, &f->alt);
  return !problem || sn_mjcfFail(r, f->node, "%s", problem);
}

static void placePoints(snFlexcomp* f) {
  int npoint = sn_flexcompPoints(f), direct = sn_flexcompIsDirect(f);
  for (int i = 0; i < npoint; i++) {
    double* p = f->flex->vert->data + 3 * (size_t)i;
    for (int k = 0; k < 3 && direct; k++) p[k] *= f->scale[k];
    sn_rotateVec(p, p, f->quat);
    for (int k = 0; k < 3; k++) p[k] += f->pos[k];
  }
}

static int addInt(snFlexcomp* f, snIntVec* vec, int value) {
  if (!sn_boxReserve((snBox*)vec, snBOX_INT, 1)) {
    return sn_mjcfFail(f->r, f->node, "out of memory");
  }
  vec->data[vec->size++] = value;
  return 1;
}

// cells of a grid of cloth are cut along diagonals, which resist shear
static int addDiagonals(snFlexcomp* f, snsDeformable* body) {
  if (f->type != snFLEXCOMP_GRID || f->flex->dim != 2 || body->shear->size) return 1;
  for (int i = 0; i + 1 < f->count[0]; i++) {
    for (int j = 0; j + 1 < f->count[1]; j++) {
      int first = i * f->count[1] + j;
      if (!addInt(f, body->shear, first)) return 0;
      if (!addInt(f, body->shear, first + f->count[1] + 1)) return 0;
    }
  }
  return 1;
}

static int takeShape(snFlexcomp* f, snsDeformable* body) {
  if (f->type == snFLEXCOMP_DIRECT) {
    sns_setDouble(f->flex->vert, body->vert->data, body->vert->size);
    sns_setInt(f->flex->elem, body->elem->data, body->elem->size);
    if (body->vert->size % 3) {
      return sn_mjcfFail(f->r, f->node, "vertex must have a multiple of 3 numbers");
    }
  } else if (body->vert->size || body->elem->size) {
    return sn_mjcfFail(f->r, f->node, "vertex and element need type 'direct'");
  }
  if (!checkPins(f) || !sn_flexcompShape(f)) return 0;
  placePoints(f);
  if (!sn_flexcompPins(f) || !addDiagonals(f, body)) return 0;
  int npoint = sn_flexcompPoints(f);
  for (int i = 0; i < npoint; i++) {
    if (f->pinned[i] && !addInt(f, body->pin, i)) return 0;
  }
  sns_setDouble(body->vert, f->flex->vert->data, f->flex->vert->size);
  sns_setInt(body->elem, f->flex->elem->data, f->flex->elem->size);
  return 1;
}

static int readNumbers(snFlexcomp* f, snsDeformable* body) {
  const char* solver = sn_xmlAttr(f->node, "solver");
  if (solver && !sns_setDeformableSolver(body, solver)) {
    return sn_mjcfFail(f->r, f->node, "unknown solver '%s'; there are: default, realtime, accurate",
                       solver);
  }
  if (sn_xmlAttr(f->node, "vertex")) f->type = snFLEXCOMP_DIRECT;
  sn_mjcfGroup(f->r, f->node, sn_attrDeformable, body);
  sn_mjcfGroup(f->r, f->node, sn_attrDeformShape, f);
  sn_mjcfOneOrientation(f->r, f->node);
  return !f->r->failed && readPins(f) && checkNumbers(f);
}

void sn_mjcfDeformableBody(snReader* r, const snXmlNode* node) {
  int type = 0;
  while (strcmp(sn_deformKind(type)->tag, node->name) != 0) type++;
  snsDeformable* body = sns_addDeformable(r->spec);
  snElem* shape = sn_elemNew(r->spec, snOBJ_FLEX);
  if (!body || !shape) {
    if (shape) sn_elemFree(shape);
    sn_mjcfFail(r, node, "out of memory");
    return;
  }
  snFlexcomp comp = {.r = r, .node = node, .flex = (snsFlex*)shape->object};
  body->type = (snDeformable)type;
  comp.flex->dim = sn_deformKind(type)->dim;
  setDefaults(&comp);
  sn_mjcfName(r, node, sn_elem(body->element), body->info);
  if (readNumbers(&comp, body)) takeShape(&comp, body);
  for (int i = 0; i < snFLEXPIN_KINDS; i++) sn_boxFree((snBox*)(comp.pin + i), snBOX_INT);
  sn_elemFree(shape);
}
