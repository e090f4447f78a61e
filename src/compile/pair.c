// Contact pairs and excluded pairs of bodies, sorted by signature.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "compile/compiler.h"

static int checkDim(snCompiler* c, const snPairItem* pair) {
  int condim = pair->spec.condim;
  if (condim == 1 || condim == 3 || condim == 4 || condim == 6) return 0;
  return sn_itemError(c, pair->elem, "invalid condim in contact pair");
}

static snGeomItem* findGeom(snCompiler* c, const snPairItem* pair, const snString* name) {
  snGeomItem* geom = (snGeomItem*)sn_findItem(c, snOBJ_GEOM, sns_getString(name));
  if (!geom && !checkDim(c, pair)) {
    sn_itemError(c, pair->elem, "geom '%s' not found in collision %d", sns_getString(name),
                 pair->elem->id);
  }
  return geom;
}

int sn_resolvePairs(snCompiler* c) {
  for (int i = 0; i < c->npair; i++) {
    snPairItem* pair = c->pairs + i;
    pair->geom1 = findGeom(c, pair, pair->spec.geomname1);
    if (!pair->geom1) return -1;
    pair->geom2 = findGeom(c, pair, pair->spec.geomname2);
    if (!pair->geom2) return -1;
    pair->geom1->referenced = pair->geom2->referenced = 1;
  }
  return 0;
}

// weight of the first geom when parameters are mixed
static double mixWeight(const snsGeom* first, const snsGeom* second) {
  if (first->priority != second->priority) return first->priority > second->priority;
  if (first->solmix < SN_EPS && second->solmix < SN_EPS) return 0.5;
  if (first->solmix < SN_EPS) return 0;
  if (second->solmix < SN_EPS) return 1;
  return first->solmix / (first->solmix + second->solmix);
}

// values that were left undefined by a program come from the geoms
static void inheritFromGeoms(snPairItem* pair) {
  snsPair* spec = &pair->spec;
  const snsGeom *first = &pair->geom1->spec, *second = &pair->geom2->spec;
  int equal = first->priority == second->priority;
  const snsGeom* strong = first->priority > second->priority ? first : second;
  double weight = mixWeight(first, second);
  if (isnan(spec->margin)) spec->margin = fmax(first->margin, second->margin);
  if (isnan(spec->gap)) spec->gap = fmax(first->gap, second->gap);
  if (isnan(spec->friction[0])) {
    double friction[3];
    for (int k = 0; k < 3; k++) {
      friction[k] = equal ? fmax(first->friction[k], second->friction[k]) : strong->friction[k];
    }
    spec->friction[0] = spec->friction[1] = friction[0];
    spec->friction[2] = friction[1];
    spec->friction[3] = spec->friction[4] = friction[2];
  }
  if (isnan(spec->solref[0])) {
    for (int k = 0; k < snNREF; k++) {
      snReal smaller = first->solref[k] < second->solref[k] ? first->solref[k] : second->solref[k];
      spec->solref[k] = equal ? smaller : strong->solref[k];
    }
  }
  if (isnan(spec->solimp[0])) {
    for (int k = 0; k < snNIMP; k++) {
      spec->solimp[k] = (snReal)(weight * first->solimp[k] + (1 - weight) * second->solimp[k]);
    }
  }
}

static int signature(int body1, int body2) {
  return (int)(((unsigned)body1 << 16) + (unsigned)body2);
}

static int compilePair(snCompiler* c, snPairItem* pair) {
  SN_TRY(checkDim(c, pair));
  if (pair->geom1->body->id > pair->geom2->body->id) {
    snGeomItem* swap = pair->geom1;
    pair->geom1 = pair->geom2;
    pair->geom2 = swap;
    snString* name = pair->spec.geomname1;
    pair->spec.geomname1 = pair->spec.geomname2;
    pair->spec.geomname2 = name;
  }
  pair->signature = signature(pair->geom1->body->id, pair->geom2->body->id);
  inheritFromGeoms(pair);
  return 0;
}

static int compileExclude(snCompiler* c, snExcludeItem* exclude) {
  const snsExclude* spec = (const snsExclude*)exclude->elem->object;
  const snString* names[2] = {spec->bodyname1, spec->bodyname2};
  int body[2];
  for (int k = 0; k < 2; k++) {
    const void* item = sn_findItem(c, snOBJ_BODY, sns_getString(names[k]));
    if (!item) {
      return sn_itemError(c, exclude->elem, "body '%s' not found in bodypair %d",
                          sns_getString(names[k]), exclude->elem->id);
    }
    body[k] = sn_itemId(snOBJ_BODY, item);
  }
  exclude->signature =
      body[0] < body[1] ? signature(body[0], body[1]) : signature(body[1], body[0]);
  return 0;
}

static int compare(int signature1, int signature2, const snElem* elem1, const snElem* elem2) {
  if (signature1 != signature2) return signature1 < signature2 ? -1 : 1;
  return elem1->id < elem2->id ? -1 : 1;
}

static int comparePairs(const void* a, const void* b) {
  const snPairItem *x = (const snPairItem*)a, *y = (const snPairItem*)b;
  return compare(x->signature, y->signature, x->elem, y->elem);
}

static int compareExcludes(const void* a, const void* b) {
  const snExcludeItem *x = (const snExcludeItem*)a, *y = (const snExcludeItem*)b;
  return compare(x->signature, y->signature, x->elem, y->elem);
}

// the place of an element in the model, and in the list of the spec
static void place(const snCompiler* c, snElem* elem, int id, void* item) {
  elem->id = id;
  elem->scratch = item;
  if (c->data->whole) return;
  snElemList* list = sn_listOf(elem);
  sn_listRemove(list, elem);
  sn_listInsert(list, elem, NULL);
}

int sn_compilePairs(snCompiler* c) {
  SN_TRY(sn_resolvePairs(c));
  for (int i = 0; i < c->npair; i++) SN_TRY(compilePair(c, c->pairs + i));
  for (int i = 0; i < c->nexclude; i++) SN_TRY(compileExclude(c, c->excludes + i));
  if (c->npair) qsort(c->pairs, (size_t)c->npair, sizeof(*c->pairs), comparePairs);
  if (c->nexclude) qsort(c->excludes, (size_t)c->nexclude, sizeof(*c->excludes), compareExcludes);
  for (int i = 0; i < c->npair; i++) place(c, c->pairs[i].elem, i, c->pairs + i);
  for (int i = 0; i < c->nexclude; i++) place(c, c->excludes[i].elem, i, c->excludes + i);
  return 0;
}

void sn_fillPairs(snCompiler* c) {
  snModel* m = c->m;
  for (int i = 0; i < c->npair; i++) {
    const snPairItem* pair = c->pairs + i;
    SN_ASSERT_INDEX2(pair->geom1->id, pair->geom2->id, m->ngeom);
    sn_fillCopied(m, snOBJ_PAIR, i, &pair->spec);
    m->pair_geom1[i] = pair->geom1->id;
    m->pair_geom2[i] = pair->geom2->id;
    m->pair_signature[i] = pair->signature;
  }
  for (int i = 0; i < c->nexclude; i++) m->exclude_signature[i] = c->excludes[i].signature;
}
