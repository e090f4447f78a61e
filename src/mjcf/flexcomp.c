#include "mjcf/flexcomp.h"

#include <string.h>

#include "asset/algebra.h"
#include "base/error.h"
#include "mjcf/schema_maps.h"

// ---- reading ----

static int readContact(snFlexcomp* f, const snXmlNode* node) {
  snsFlex* flex = f->flex;
  sn_mjcfContactGroup(f->r, node, sn_attrFlexContact, flex, &flex->margin, &flex->gap);
  sn_mjcfKeyword(f->r, node, "vertcollide", sn_mapBool, &f->flex->vertcollide);
  sn_mjcfKeyword(f->r, node, "passive", sn_mapBool, &f->flex->passive);
  return !f->r->failed;
}

static int readEdge(snFlexcomp* f, const snXmlNode* node) {
  sn_mjcfGroup(f->r, node, sn_attrFlexcompEdge, f);
  return sn_mjcfGroup(f->r, node, sn_attrFlexEdge, f->flex);
}

// Pins of all elements add up.
static int readPin(snFlexcomp* f, const snXmlNode* node) {
  static const char* const names[snFLEXPIN_KINDS] = {"id", "range", "grid", "gridrange"};
  for (int kind = 0; kind < snFLEXPIN_KINDS; kind++) {
    snIntVec more = {0};
    snIntVec* pin = f->pin + kind;
    sn_mjcfIntVec(f->r, node, names[kind], &more);
    if (!f->r->failed && !sn_boxReserve((snBox*)pin, snBOX_INT, more.size)) {
      sn_mjcfFail(f->r, node, "out of memory");
    }
    for (int i = 0; i < more.size && !f->r->failed; i++) pin->data[pin->size++] = more.data[i];
    sn_boxFree((snBox*)&more, snBOX_INT);
  }
  return !f->r->failed;
}

static int readElasticity(snFlexcomp* f, const snXmlNode* node) {
  return sn_mjcfGroup(f->r, node, sn_attrFlexElasticity, f->flex);
}

static int keepPlugin(snFlexcomp* f, const snXmlNode* node) {
  f->plugin = node;
  return 1;
}

// Kind by kind, whatever their order.
static int readChildren(snFlexcomp* f) {
  static const struct {
    const char* name;
    int (*read)(snFlexcomp* f, const snXmlNode* node);
  } kinds[] = {{"edge", readEdge},
               {"elasticity", readElasticity},
               {"contact", readContact},
               {"pin", readPin},
               {"plugin", keepPlugin}};
  for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
    for (const snXmlNode* n = f->node->first; n && !f->r->failed; n = n->next) {
      if (!strcmp(n->name, kinds[k].name)) kinds[k].read(f, n);
    }
  }
  return !f->r->failed;
}

static int readElement(snFlexcomp* f) {
  snReader* r = f->r;
  f->name = sn_mjcfNeeded(r, f->node, "name");
  sn_mjcfGroup(r, f->node, sn_attrFlexcomp, f);
  sn_mjcfGroup(r, f->node, sn_attrFlexcompFlex, f->flex);
  int centred = sn_mjcfGroup(r, f->node, sn_attrFlexcompOrigin, f);
  if (centred && f->type == snFLEXCOMP_MESH && f->flex->dim == 3 &&
      !sn_xmlAttr(f->node, "origin")) {
    return sn_mjcfFail(r, f->node, "origin must be specified for mesh flexcomps if dim=3");
  }
  sn_mjcfGroup(r, f->node, sn_attrFlexcompPose, f);
  sn_mjcfGroup(r, f->node, sn_attrFlexcompPoint, f->flex);
  sn_mjcfGroup(r, f->node, sn_attrFlexcompDof, f);
  sn_mjcfGroup(r, f->node, sn_attrFlexLaw, f->flex);
  sn_mjcfOneOrientation(r, f->node);
  if (!readChildren(f)) return 0;
  if (f->flex->elastic2d >= 2 && f->equality) {
    return sn_mjcfFail(r, f->node, "elasticity and edge constraints cannot both be present");
  }
  return 1;
}

// ---- checks ----

static int checkNumbers(snFlexcomp* f) {
  snReader* r = f->r;
  const snsFlex* flex = f->flex;
  if (sn_stringEmpty(&sn_elem(f->parent->element)->name)) {
    return sn_mjcfFail(r, f->node, "Parent body must have name");
  }
  if (flex->dim < 1 || flex->dim > 3) {
    return sn_mjcfFail(r, f->node, "Invalid dim, must be between 1 and 3");
  }
  int least = f->dof == snFLEXDOF_RADIAL && flex->dim == 3 ? 2 : 1;
  for (int k = 0; k < 3; k++) {
    if (f->count[k] < least) return sn_mjcfFail(r, f->node, "Count too small");
  }
  double room = 2 * flex->radius + flex->margin - (r->outergap ? flex->gap : 0);
  for (int k = 0; k < 3 && !sn_flexcompIsDirect(f); k++) {
    if (f->spacing[k] < room) {
      return sn_mjcfFail(r, f->node, "Spacing must be larger than geometry size");
    }
  }
  for (int k = 0; k < 3; k++) {
    if (f->scale[k] < snMINVAL) {
      return sn_mjcfFail(r, f->node, "Scale must be larger than mjMINVAL");
    }
  }
  if (f->mass < snMINVAL || f->inertiabox < snMINVAL) {
    return sn_mjcfFail(r, f->node, "Mass and inertiabox must be larger than mjMINVAL");
  }
  const char* problem = sns_resolveOrientation(f->quat, r->spec->compiler.degree,
                                               r->spec->compiler.eulerseq, &f->alt);
  return !problem || sn_mjcfFail(r, f->node, "%s", problem);
}

static int checkPins(snFlexcomp* f) {
  snReader* r = f->r;
  int dim = f->flex->dim;
  int ngrid = f->pin[snFLEXPIN_GRID].size, nrange = f->pin[snFLEXPIN_GRIDRANGE].size;
  if (f->pin[snFLEXPIN_RANGE].size % 2) {
    return sn_mjcfFail(r, f->node, "Pin range number must be multiple of 2");
  }
  if (ngrid % dim) return sn_mjcfFail(r, f->node, "Pin grid number must be multiple of dim");
  if (nrange % (2 * dim)) {
    return sn_mjcfFail(r, f->node, "Pin grid range number of must be multiple of 2*dim");
  }
  if (!ngrid && !nrange) return 1;
  if (f->type != snFLEXCOMP_GRID && !sn_flexcompNodes(f)) {
    return sn_mjcfFail(r, f->node, "Pin grid(range) can only be used with grid or interpolated");
  }
  return dim > 1 || sn_mjcfFail(r, f->node, "Pin grid(range) cannot be used with dim=1");
}

static int checkElements(snFlexcomp* f) {
  snReader* r = f->r;
  const snIntVec* elem = f->flex->elem;
  int size = f->flex->vert->size, npoint = size / 3;
  if (!size || !elem->size) return sn_mjcfFail(r, f->node, "Point and element required");
  if (size % 3) return sn_mjcfFail(r, f->node, "Point size must be a multiple of 3");
  if (elem->size % (f->flex->dim + 1)) {
    return sn_mjcfFail(r, f->node, "Element size must be a multiple of dim+1");
  }
  for (int i = 0; i < elem->size; i++) {
    if (elem->data[i] < 0 || elem->data[i] >= npoint) {
      return sn_mjcfFail(r, f->node, "element %d has point id %d, number of points is %d", i,
                         elem->data[i], npoint);
    }
  }
  return 1;
}

// ---- points ----

// Scale given points, move all of them to the pose, and find their box.
static void placePoints(snFlexcomp* f) {
  double* point = f->flex->vert->data;
  int npoint = sn_flexcompPoints(f), direct = sn_flexcompIsDirect(f);
  for (int i = 0; i < npoint; i++) {
    double* p = point + 3 * (size_t)i;
    for (int k = 0; k < 3 && direct; k++) p[k] *= f->scale[k];
    sn_rotateVec(p, p, f->quat);
    for (int k = 0; k < 3; k++) {
      p[k] += f->pos[k];
      if (i == 0 || p[k] < f->lower[k]) f->lower[k] = p[k];
      if (i == 0 || p[k] > f->upper[k]) f->upper[k] = p[k];
    }
  }
}

// Keep the pairs of texture coordinates of used points, by their index, also where the elements have
// ids of their own. Pairs that are missing, which MuJoCo reads from beyond the list, are zero.
static int dropTexcoord(snFlexcomp* f, const int* used, int npoint, int kept) {
  snFloatVec* texcoord = f->flex->texcoord;
  int size = texcoord->size, at = 0;
  if (!size || kept == npoint) return 1;
  if (2 * kept > size && !sn_boxReserve((snBox*)texcoord, snBOX_FLOAT, 2 * kept - size)) {
    return sn_mjcfFail(f->r, f->node, "out of memory");
  }
  for (int i = 0; i < npoint; i++) {
    if (!used[i]) continue;
    for (int k = 2 * i; k < 2 * i + 2; k++, at++)
      texcoord->data[at] = k < size ? texcoord->data[k] : 0;
  }
  texcoord->size = at;
  return 1;
}

// Drop points that no element has. The flags of those that stay move to the front of their array,
// whose end is left as it is.
static int dropUnused(snFlexcomp* f) {
  snIntVec* elem = f->flex->elem;
  snDoubleVec* point = f->flex->vert;
  int npoint = sn_flexcompPoints(f), used = 0, kept = 0;
  int* index = SN_TAKE(&f->r->pool, int, npoint);
  if (!index) return sn_mjcfFail(f->r, f->node, "out of memory");
  for (int i = 0; i < elem->size; i++) index[elem->data[i]] = 1;
  for (int i = 0; i < npoint; i++) used += index[i];
  if (!dropTexcoord(f, index, npoint, used)) return 0;
  for (int i = 0; i < npoint; i++) {
    if (!index[i]) continue;
    for (int k = 0; k < 3; k++) point->data[3 * (size_t)kept + k] = point->data[3 * (size_t)i + k];
    f->pinned[kept] = f->pinned[i];
    index[i] = kept++;
  }
  if (kept == npoint) return 1;
  for (int i = 0; i < elem->size; i++) elem->data[i] = index[elem->data[i]];
  point->size = 3 * kept;
  return 1;
}

// ---- the flex and its equality ----

void sn_flexcompSource(const snFlexcomp* f, snElem* e) {
  sn_elemSetSource(e, f->node->file, sn_plainMessages() ? 0 : f->node->line);
}

static int nameFlex(snFlexcomp* f) {
  snElem* e = sn_elem(f->flex->element);
  sn_flexcompSource(f, e);
  sns_setName(&e->head, f->name);  // repeated names are found by the compiler
  return 1;
}

// Nothing but what the element says: classes do not matter.
static int addEquality(snFlexcomp* f) {
  if (!f->equality) return 1;
  snsEquality* eq = sns_addEquality(f->r->spec, NULL);
  snElem* plain = sn_elemNew(f->r->spec, snOBJ_EQUALITY);
  int ok = eq && plain && sn_elemAssign(sn_elem(eq->element), plain);
  if (plain) sn_elemFree(plain);
  if (!ok) return sn_mjcfFail(f->r, f->node, "out of memory");
  sn_flexcompSource(f, sn_elem(eq->element));
  eq->type = f->equality == 1 ? snEQ_FLEX : snEQ_FLEXVERT;
  eq->active = 1;
  memcpy(eq->solref, f->solref, sizeof(f->solref));
  memcpy(eq->solimp, f->solimp, sizeof(f->solimp));
  sns_setString(eq->name1, f->name);
  return 1;
}

void sn_defaultFlexcomp(snFlexcomp* f) {
  snsEquality plain;
  sns_defaultEquality(&plain);
  memcpy(f->solref, plain.solref, sizeof(f->solref));
  memcpy(f->solimp, plain.solimp, sizeof(f->solimp));
  sns_defaultOrientation(&f->alt);
  for (int k = 0; k < 3; k++) {
    f->count[k] = 10;
    f->spacing[k] = 0.02;
    f->scale[k] = 1;
  }
  f->mass = 1;
  f->inertiabox = 0.005;
  f->quat[0] = 1;
}

static int makeFlex(snFlexcomp* f) {
  if (!sn_flexcompShape(f)) return 0;
  if (f->type == snFLEXCOMP_BOX || f->type == snFLEXCOMP_CYLINDER ||
      (f->type == snFLEXCOMP_GRID && f->flex->dim == 3)) {
    f->flex->flatskin = 1;
  }
  if (!checkPins(f) || !checkElements(f)) return 0;
  placePoints(f);
  if (!sn_flexcompPins(f)) return 0;
  if (sn_flexcompIsDirect(f) && !dropUnused(f)) return 0;
  if (!nameFlex(f) || !sn_flexcompBodies(f)) return 0;
  return f->rigid || addEquality(f);
}

void sn_mjcfFlexcomp(snReader* r, const snXmlNode* node, snsBody* body) {
  snFlexcomp comp = {.r = r, .node = node, .parent = body};
  snFlexcomp* f = &comp;
  f->flex = sns_addFlex(r->spec);
  if (!f->flex) {
    sn_mjcfFail(r, node, "out of memory");
    return;
  }
  sn_defaultFlexcomp(f);
  if (readElement(f) && checkNumbers(f)) makeFlex(f);
  for (int kind = 0; kind < snFLEXPIN_KINDS; kind++) sn_boxFree((snBox*)(f->pin + kind), snBOX_INT);
}
