// Flexes: checks of their attributes, bodies, flags, positions at rest.

#include "compile/flex.h"

#include <math.h>
#include <string.h>

#include "spec/flex_law.h"

static int isInterpolated(const snFlexItem* flex) { return flex->spec.nodebody->size > 0; }

// ---- checks ----

static int checkMesh(snCompiler* c, snFlexItem* flex) {
  const snsFlex* spec = &flex->spec;
  const snElem* elem = flex->elem;
  if (spec->dim < 1 || spec->dim > 3) return sn_itemError(c, elem, "dim must be 1, 2 or 3");
  if (!spec->elem->size) return sn_itemError(c, elem, "elem is empty");
  if (spec->elem->size % (spec->dim + 1)) {
    return sn_itemError(c, elem, "elem size must be multiple of (dim+1)");
  }
  if (!spec->vertbody->size && !spec->nodebody->size) {
    return sn_itemError(c, elem, "vertbody and nodebody are both empty");
  }
  if (spec->vert->size % 3) return sn_itemError(c, elem, "vert size must be a multiple of 3");
  if (spec->edgestiffness > 0 && spec->dim > 1) {
    return sn_itemError(c, elem,
                        "edge stiffness only available for dim=1, please use elasticity plugins");
  }
  flex->nelem = spec->elem->size / (spec->dim + 1);
  flex->nvert = spec->vert->size ? spec->vert->size / 3 : spec->vertbody->size;
  return 0;
}

static int checkNodes(snCompiler* c, snFlexItem* flex) {
  const snsFlex* spec = &flex->spec;
  const snElem* elem = flex->elem;
  if (isInterpolated(flex) && spec->selfcollide != snFLEXSELF_NONE) {
    return sn_itemError(c, elem, "trilinear interpolation cannot do self-collision");
  }
  if (isInterpolated(flex) && spec->internal) {
    return sn_itemError(c, elem, "trilinear interpolation cannot do internal collisions");
  }
  if (spec->vert->size && spec->vertbody->size != 1 && spec->vertbody->size != flex->nvert) {
    return sn_itemError(c, elem, "vertbody size must be 1 or nvert");
  }
  if (flex->nvert < spec->dim + 1) return sn_itemError(c, elem, "not enough vertices");
  int n = flex->nnode = spec->nodebody->size;
  if (!n) return 0;
  // the root of a larger cube rounds down: only 8 and 27 pass
  int order = flex->order = (int)pow(n, 1.0 / 3) - 1;
  if (n != (order + 1) * (order + 1) * (order + 1)) {
    return sn_itemError(c, elem, "number of nodes must be %d^3 but it is %d", order, n);
  }
  if (n != 8 && n != snMAXFLEXNODES) {
    return sn_itemError(c, elem, "number of nodes must be 8 or 27 but it is %d", n);
  }
  return 0;
}

static int checkElements(snCompiler* c, snFlexItem* flex) {
  const snsFlex* spec = &flex->spec;
  for (int i = 0; i < spec->elem->size; i++) {
    int vertex = spec->elem->data[i];
    if (vertex < 0 || vertex >= flex->nvert) {
      return sn_itemError(c, flex->elem, "elem vertex id out of range");
    }
  }
  flex->ntexcoord = spec->texcoord->size / 2;
  if (spec->texcoord->size && !spec->elemtexcoord->size &&
      spec->texcoord->size != 2 * flex->nvert) {
    return sn_itemError(c, flex->elem, "two texture coordinates per vertex expected");
  }
  return 0;
}

static int checkDistinct(snCompiler* c, const snFlexItem* flex) {
  int n = flex->spec.dim + 1;
  for (int i = 0; i < flex->nelem; i++) {
    const int* vertex = flex->spec.elem->data + (size_t)n * i;
    for (int a = 0; a < n; a++) {
      for (int b = a + 1; b < n; b++) {
        if (vertex[a] == vertex[b]) {
          return sn_itemError(c, flex->elem, "repeated vertex in element");
        }
      }
    }
  }
  return 0;
}

// ---- names to objects ----

static int findMaterial(snCompiler* c, snFlexItem* flex) {
  flex->matid = -1;
  const char* name = sns_getString(flex->spec.material);
  if (!*name || sn_isDiscarded(c, flex->elem, snOBJ_MATERIAL, flex->spec.material)) return 0;
  const void* material = sn_findItem(c, snOBJ_MATERIAL, name);
  if (!material) return sn_itemError(c, flex->elem, "unknown material '%s' in flex", name);
  flex->matid = sn_itemId(snOBJ_MATERIAL, material);
  return 0;
}

static int isBent(const snFlexItem* flex) {
  return flex->spec.dim == 2 && flex->spec.elastic2d & 1;
}

// bodies by name; one name for all of them or one each
static int findBodies(snCompiler* c, const snFlexItem* flex, const snStringVec* names, int n,
                      snBodyItem*** bodies) {
  *bodies = SN_ITEMS(c, snBodyItem*, n);
  if (!*bodies) return -1;
  for (int i = 0; i < n; i++) {
    if (i && names->size == 1) {
      (*bodies)[i] = (*bodies)[0];
      continue;
    }
    const char* name = sns_getString(names->data + i);
    snBodyItem* body = (*bodies)[i] = (snBodyItem*)sn_findItem(c, snOBJ_BODY, name);
    if (!body) return sn_itemError(c, flex->elem, "unknown body '%s' in flex", name);
    // bending takes the dofs of a vertex for its coordinates
    if (names == flex->spec.vertbody && isBent(flex) && body->njoint != 3) {
      return sn_itemError(c, flex->elem, "pins are not supported for bending");
    }
  }
  return 0;
}

// ---- flags ----

static int allZero(const snDoubleVec* values) {
  for (int i = 0; i < values->size; i++) {
    if (values->data[i] != 0) return 0;
  }
  return 1;
}

static void setFlags(snFlexItem* flex) {
  const snsFlex* spec = &flex->spec;
  flex->centered = (snByte)allZero(isInterpolated(flex) ? spec->node : spec->vert);
  flex->rigid = !isInterpolated(flex);
  for (int i = 1; i < flex->nvert && flex->rigid; i++) {
    flex->rigid = flex->vertbody[i] == flex->vertbody[0];
  }
}

// ---- positions at rest ----

typedef struct Pose_ {
  double pos[3];
  double quat[4];
} Pose;

// poses of all bodies in the world, joints at their reference
static Pose* restPoses(snCompiler* c) {
  Pose* poses = SN_ITEMS(c, Pose, c->nbody);
  if (!poses) return NULL;
  poses[0].quat[0] = 1;
  for (int i = 1; i < c->nbody; i++) {
    const snBodyItem* body = c->bodies[i];
    poses[i] = poses[body->parent->id];
    sn_frameAccum(poses[i].pos, poses[i].quat, body->spec.pos, body->spec.quat);
  }
  return poses;
}

// local is NULL where all points are at the origins of their bodies
static double* restPositions(snCompiler* c, const Pose* poses, snBodyItem* const* bodies,
                             const double* local, int n) {
  double* result = SN_ITEMS(c, double, 3 * (size_t)n);
  for (int i = 0; result && i < n; i++) {
    const Pose* pose = poses + bodies[i]->id;
    double offset[3] = {0, 0, 0};
    if (local) sn_rotateVec(offset, local + 3 * (size_t)i, pose->quat);
    for (int k = 0; k < 3; k++) result[3 * (size_t)i + k] = pose->pos[k] + offset[k];
  }
  return result;
}

static int setRest(snCompiler* c, snFlexItem* flex, const Pose* poses) {
  const snsFlex* spec = &flex->spec;
  const double* local =
      spec->vert->size && (isInterpolated(flex) || !flex->centered) ? spec->vert->data : NULL;
  flex->vert = restPositions(c, poses, flex->vertbody, local, flex->nvert);
  if (!flex->vert) return -1;
  local = spec->node->size >= 3 * flex->nnode && !flex->centered ? spec->node->data : NULL;
  flex->node = restPositions(c, poses, flex->nodebody, local, flex->nnode);
  return flex->node ? 0 : -1;
}

// Numbers that MuJoCo takes as they are and a step could not live with.
static int checkSettings(snCompiler* c, const snFlexItem* flex) {
  const snsFlex* spec = &flex->spec;
  if (spec->condim < 1 || spec->condim > 6) {
    return sn_itemError(c, flex->elem, "invalid condim in flex");
  }
  if (spec->selfcollide < snFLEXSELF_NONE || spec->selfcollide > snFLEXSELF_AUTO) {
    return sn_itemError(c, flex->elem, "invalid selfcollide in flex");
  }
  if (spec->elastic2d < 0 || spec->elastic2d > 3) {
    return sn_itemError(c, flex->elem, "invalid elastic2d in flex");
  }
  return 0;
}

// ---- one flex ----

static int compileFlex(snCompiler* c, snFlexItem* flex, const Pose* poses) {
  SN_TRY(checkMesh(c, flex));
  SN_TRY(checkNodes(c, flex));
  SN_TRY(checkElements(c, flex));
  SN_TRY(findMaterial(c, flex));
  SN_TRY(sn_findFlexLaws(c, flex));
  SN_TRY(findBodies(c, flex, flex->spec.vertbody, flex->nvert, &flex->vertbody));
  SN_TRY(findBodies(c, flex, flex->spec.nodebody, flex->nnode, &flex->nodebody));
  SN_TRY(checkDistinct(c, flex));
  SN_TRY(checkSettings(c, flex));
  setFlags(flex);
  SN_TRY(setRest(c, flex, poses));
  SN_TRY(sn_makeFlexTopology(c, flex));
  SN_TRY(sn_makeFlexBox(c, flex));
  return sn_makeFlexStiffness(c, flex);
}

int sn_compileFlexes(snCompiler* c) {
  if (!c->nflex) return 0;
  const Pose* poses = restPoses(c);
  if (!poses) return -1;
  for (int i = 0; i < c->nflex; i++) SN_TRY(compileFlex(c, c->flexes + i, poses));
  return 0;
}

const snElem* sn_flexElem(const snCompiler* c, int i) { return c->flexes[i].elem; }

// A flex obeys the first equality that names it.
int sn_checkFlexEquality(snCompiler* c, const snEqualityItem* equality) {
  snFlexItem* flex = c->flexes + equality->obj1id;
  if (flex->rigid) {
    return sn_itemError(c, equality->elem, "rigid flex '%s' in equality constraint %d",
                        sn_elemName(flex->elem), equality->elem->id);
  }
  if (!flex->equality) flex->equality = equality->spec.type == snEQ_FLEX ? 1 : 2;
  return 0;
}

// ---- what a writer sees ----

static snIntVec* intVec(snPool* pool, const int* source, int n) {
  snIntVec* vec = SN_TAKE(pool, snIntVec, 1);
  int* data = SN_TAKE(pool, int, n);
  if (!vec || !data) return NULL;
  memcpy(data, source, (size_t)n * sizeof(int));
  *vec = (snIntVec){data, n, n};
  return vec;
}

// the element as it was resolved: tetrahedra turned, and the indices of texture coordinates that
// the model has where none are given: three for each element
int sn_captureFlexes(snCompiler* c) {
  for (int i = 0; i < c->nflex; i++) {
    const snFlexItem* flex = c->flexes + i;
    snPool* pool = &c->data->resolved;
    snsFlex* spec = SN_TAKE(pool, snsFlex, 1);
    if (!spec) return 0;
    *spec = flex->spec;
    const snIntVec* given = spec->elem;
    spec->elem = intVec(pool, flex->element, given->size);
    if (spec->texcoord->size && !spec->elemtexcoord->size) {
      int n = 3 * flex->nelem;
      spec->elemtexcoord = intVec(pool, given->data, n < given->size ? n : given->size);
    }
    if (!spec->elem || !spec->elemtexcoord) return 0;
    flex->elem->resolved = spec;
  }
  return 1;
}
