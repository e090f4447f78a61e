// Deformables: presets, checks, pins and attachments.

#include <math.h>
#include <string.h>

#include "compile/deform.h"
#include "spec/deform_kind.h"
#include "spec/deform_preset.h"

// ---- material and solver ----

static void fill(double* value, double otherwise) {
  if (isnan(*value)) *value = otherwise;
}

static int findMaterial(snCompiler* c, snDeformItem* item) {
  snsDeformable* spec = &item->spec;
  char names[300];
  const char *wanted = sns_getString(spec->preset), *named = sns_getString(spec->substance);
  const snDeformPreset* preset = sn_findDeformPreset(spec->type, wanted);
  if (!preset) {
    sn_listDeformPresets(spec->type, names, sizeof(names));
    return sn_itemError(c, item->elem, "unknown preset '%s' of deformable; there are: %s", wanted,
                        names);
  }
  const snSubstance* substance = sn_findSubstance(*named ? named : preset->substance);
  if (!substance) {
    sn_listSubstances(names, sizeof(names));
    return sn_itemError(c, item->elem, "unknown substance '%s' of deformable; there are: %s", named,
                        names);
  }
  fill(&spec->young, substance->young);
  fill(&spec->poisson, substance->poisson);
  fill(&spec->density, substance->density);
  fill(&spec->friction[0], substance->friction);
  fill(&spec->damping, 0);
  if (!spec->repeats) spec->repeats = c->spec->deformable_repeats;
  if (spec->type == snDEFORMABLE_CLOTH) fill(&spec->thickness, preset->size);
  if (spec->type == snDEFORMABLE_CHAIN) fill(&spec->radius, preset->size);
  const double margins[] = {0.5 * spec->thickness, 0.005, spec->radius};
  fill(&spec->margin, margins[spec->type]);
  return 0;
}

static int checkNumbers(snCompiler* c, const snDeformItem* item) {
  const snsDeformable* s = &item->spec;
  const double* compliance[] = {&s->stretch_compliance, &s->shear_compliance, &s->bend_compliance,
                                &s->volume_compliance, &s->twist_compliance};
  const char* problem = NULL;
  if (!(s->young > 0 && isfinite(s->young))) problem = "young must be positive";
  if (!(s->poisson > -1 && s->poisson < 0.5)) problem = "poisson must be between -1 and 0.5";
  if (!(s->density > 0 && isfinite(s->density))) problem = "density must be positive";
  for (int k = 0; k < 3; k++) {
    if (!(s->friction[k] >= 0 && isfinite(s->friction[k]))) problem = "friction must be >= 0";
  }
  if (s->type == snDEFORMABLE_CLOTH && !(s->thickness > 0)) problem = "thickness must be positive";
  if (s->type == snDEFORMABLE_CHAIN && !(s->radius > 0)) problem = "radius must be positive";
  if (!isnan(s->mass) && !(s->mass > 0 && isfinite(s->mass))) problem = "mass must be positive";
  for (int k = 0; k < 5; k++) {
    if (*compliance[k] < 0) problem = "compliance must be >= 0";
  }
  if (!(s->damping >= 0 && isfinite(s->damping))) problem = "damping must be >= 0";
  if (!(s->sleep >= 0 && isfinite(s->sleep))) problem = "sleep must be >= 0";
  if (!(s->margin >= 0 && isfinite(s->margin))) problem = "margin must be >= 0";
  if (s->substeps < 1 || s->substeps > 1000) problem = "substeps must be between 1 and 1000";
  if (s->repeats < 1 || s->repeats > 4) problem = "repeats must be between 1 and 4";
  if (s->tethers < 0 || s->tethers > 1000) problem = "tethers must be between 0 and 1000";
  if (s->condim != 1 && s->condim != 3 && s->condim != 4 && s->condim != 6) {
    problem = "condim must be 1, 3, 4 or 6";
  }
  return problem ? sn_itemError(c, item->elem, "%s in deformable", problem) : 0;
}

// ---- vertices and elements ----

static int checkShape(snCompiler* c, snDeformItem* item) {
  const snsDeformable* spec = &item->spec;
  const snDeformKind* kind = sn_deformKind(spec->type);
  if (!kind) return sn_itemError(c, item->elem, "unknown type of deformable");
  item->corners = kind->dim + 1;
  if (!spec->vert->size || !spec->elem->size) {
    return sn_itemError(c, item->elem, "vertices and elements required in deformable");
  }
  if (spec->vert->size % 3) {
    return sn_itemError(c, item->elem, "vertex size must be a multiple of 3 in deformable");
  }
  if (spec->elem->size % item->corners) {
    return sn_itemError(c, item->elem, "element size must be a multiple of %d in deformable",
                        item->corners);
  }
  item->nvert = spec->vert->size / 3;
  item->nelem = spec->elem->size / item->corners;
  for (int i = 0; i < spec->vert->size; i++) {
    if (!(fabs(spec->vert->data[i]) < 1e10)) {
      return sn_itemError(c, item->elem, "vertex %d of deformable is not finite", i / 3);
    }
  }
  for (int i = 0; i < spec->elem->size; i++) {
    int vertex = spec->elem->data[i];
    if (vertex < 0 || vertex >= item->nvert) {
      return sn_itemError(c, item->elem, "element %d has vertex %d, number of vertices is %d",
                          i / item->corners, vertex, item->nvert);
    }
    for (int k = i - i % item->corners; k < i; k++) {
      if (spec->elem->data[k] == vertex) {
        return sn_itemError(c, item->elem, "element %d has vertex %d twice", i / item->corners,
                            vertex);
      }
    }
  }
  return 0;
}

static int checkVertex(snCompiler* c, const snDeformItem* item, int vertex, const char* what) {
  if (vertex >= 0 && vertex < item->nvert) return 0;
  return sn_itemError(c, item->elem, "%s vertex %d of deformable out of range", what, vertex);
}

static int findPins(snCompiler* c, snDeformItem* item) {
  const snIntVec* pin = item->spec.pin;
  item->pinned = SN_ITEMS(c, snByte, item->nvert);
  if (!item->pinned) return -1;
  for (int i = 0; i < pin->size; i++) {
    SN_TRY(checkVertex(c, item, pin->data[i], "pinned"));
    item->pinned[pin->data[i]] = 1;
  }
  return 0;
}

static int findAttachments(snCompiler* c, snDeformItem* item) {
  const snIntVec* vert = item->spec.attachvert;
  const snStringVec* names = item->spec.attachbody;
  item->body = SN_ITEMS(c, int, item->nvert);
  if (!item->body) return -1;
  for (int i = 0; i < item->nvert; i++) item->body[i] = -1;
  if (vert->size != names->size) {
    return sn_itemError(c, item->elem, "attached vertices and their bodies differ in number");
  }
  for (int i = 0; i < vert->size; i++) {
    const char* name = sns_getString(names->data + i);
    SN_TRY(checkVertex(c, item, vert->data[i], "attached"));
    const snBodyItem* body = (const snBodyItem*)sn_findItem(c, snOBJ_BODY, name);
    if (!body) return sn_itemError(c, item->elem, "unknown body '%s' in deformable", name);
    if (item->pinned[vert->data[i]]) {
      return sn_itemError(c, item->elem, "vertex %d is both pinned and attached", vert->data[i]);
    }
    item->body[vert->data[i]] = sn_itemId(snOBJ_BODY, body);
  }
  return 0;
}

int sn_compileDeformables(snCompiler* c) {
  for (int i = 0; i < c->ndeformable; i++) {
    snDeformItem* item = c->deformables + i;
    SN_TRY(checkShape(c, item));
    SN_TRY(findMaterial(c, item));
    SN_TRY(checkNumbers(c, item));
    SN_TRY(findPins(c, item));
    SN_TRY(findAttachments(c, item));
    SN_TRY(sn_measureDeformable(c, item));
    SN_TRY(sn_makeDeformConstraints(c, item));
    SN_TRY(sn_makeDeformTethers(c, item));
    SN_TRY(sn_makeDeformFaces(c, item));
    SN_TRY(sn_makeDeformSides(c, item));
  }
  return c->ndeformable ? sn_colorDeformables(c) : 0;
}

const snElem* sn_deformElem(const snCompiler* c, int i) { return c->deformables[i].elem; }
