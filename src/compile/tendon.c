#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "compile/compiler.h"

// ---- path objects ----

static int resolveWrap(snCompiler* c, const snTendonItem* tendon, const snElem* elem, int index,
                       snWrapItem* wrap) {
  const snWrapObject* object = (const snWrapObject*)elem->object;
  const char* name = sns_getString(object->target);
  int id = tendon->id;
  wrap->type = object->wrap.type;
  wrap->prm = object->prm;
  switch (wrap->type) {
    case snWRAP_JOINT:
      wrap->object = sn_findItem(c, snOBJ_JOINT, name);
      if (!wrap->object) {
        return sn_wrapError(c, elem, index, "joint '%s' not found in tendon %d, wrap %d", name, id,
                            index);
      }
      return 0;
    case snWRAP_SITE:
      wrap->object = sn_findItem(c, snOBJ_SITE, name);
      if (!wrap->object) {
        return sn_wrapError(c, elem, index, "site '%s' not found in wrap %d", name, index);
      }
      return 0;
    case snWRAP_SPHERE:
    case snWRAP_CYLINDER: {
      snGeomItem* geom = (snGeomItem*)sn_findItem(c, snOBJ_GEOM, name);
      if (!geom) {
        return sn_wrapError(c, elem, index, "geom '%s' not found in tendon %d, wrap %d", name, id,
                            index);
      }
      if (geom->spec.type != snGEOM_SPHERE && geom->spec.type != snGEOM_CYLINDER) {
        return sn_wrapError(c, elem, index,
                            "geom '%s' in tendon %d, wrap %d is not sphere or cylinder", name, id,
                            index);
      }
      geom->referenced = 1;
      wrap->object = geom;
      wrap->type = geom->spec.type == snGEOM_SPHERE ? snWRAP_SPHERE : snWRAP_CYLINDER;
      ((snWrapObject*)elem->object)->wrap.type = wrap->type;
      if (sn_stringEmpty(object->sidesite)) return 0;
      wrap->sidesite = (snSiteItem*)sn_findItem(c, snOBJ_SITE, sns_getString(object->sidesite));
      if (!wrap->sidesite && sn_plainMessages() && wrap->type == snWRAP_CYLINDER) {
        return sn_wrapError(c, elem, index, "unknown wrap type in tendon %d, wrap %d", id, index);
      }
      if (!wrap->sidesite) {
        return sn_wrapError(c, elem, index, "side site '%s' not found in tendon %d, wrap %d",
                            sns_getString(object->sidesite), id, index);
      }
      return 0;
    }
    case snWRAP_PULLEY:
      if (wrap->prm < 0) {
        return sn_wrapError(c, elem, index, "pulley has negative divisor in tendon %d, wrap %d", id,
                            index);
      }
      return 0;
    default:
      return sn_wrapError(c, elem, index, "invalid wrap object in tendon %d, wrap %d", id, index);
  }
}

// ---- friction and wheels ----

enum { FRICTION, SPEED, ANGLE };

// geoms and pulleys may rub: friction, the speed at which it is nearly full (0: 1 cm/s), and the angle around
// a pulley (0: half a turn)
static int resolveFriction(snCompiler* c, const snTendonItem* tendon, const snElem* elem, int index,
                           snWrapItem* wrap) {
  const snsWrap* spec = &((const snWrapObject*)elem->object)->wrap;
  const double values[5] = {spec->friction[0], spec->friction[1], spec->angle, spec->inertia,
                            spec->radius};
  static const char* const names[5] = {"friction", "speed of friction", "angle", "inertia",
                                       "radius"};
  int pulley = wrap->type == snWRAP_PULLEY, some = 0;
  for (int i = 0; i < 5; i++) {
    if (!(values[i] >= 0 && isfinite(values[i]))) {
      return sn_wrapError(c, elem, index, "%s must be zero or more in tendon %d, wrap %d", names[i],
                          tendon->id, index);
    }
    some |=
        values[i] > 0 && (i > 1 || (wrap->type != snWRAP_SPHERE && wrap->type != snWRAP_CYLINDER));
  }
  if (some && !pulley) {
    return sn_wrapError(
        c, elem, index,
        "friction is of geoms and pulleys, a wheel of pulleys in tendon %d, wrap %d", tendon->id,
        index);
  }
  if (spec->inertia > 0 && !(spec->radius > 0)) {
    return sn_wrapError(c, elem, index, "inertia needs a radius in tendon %d, wrap %d", tendon->id,
                        index);
  }
  wrap->capstan[FRICTION] = values[0];
  wrap->capstan[SPEED] = values[1] > 0 ? values[1] : 0.01;
  wrap->capstan[ANGLE] = !pulley ? 0 : values[2] > 0 ? values[2] : snPI;
  return 0;
}

// What the wheels of pulleys add to the armature. The rope on a wheel of divisor n moves n times as fast as
// the tendon's length.
static double wheelArmature(const snTendonItem* tendon) {
  double sum = 0;
  SN_EACH(e, sn_wrapList(tendon->elem)) {
    const snWrapObject* object = (const snWrapObject*)e->object;
    if (object->wrap.type != snWRAP_PULLEY || !(object->wrap.inertia > 0)) continue;
    double ratio = object->prm / object->wrap.radius;
    sum += object->wrap.inertia * ratio * ratio;
  }
  return sum;
}

int sn_countCapstans(const snTendonItem* tendon) {
  int count = 0;
  for (int i = 0; i < tendon->nwrap; i++) count += tendon->wraps[i].capstan[FRICTION] > 0;
  return count;
}

// ---- path checks ----

// what is wrong with the path, with the tendon in front
static int pathError(snCompiler* c, const snTendonItem* tendon, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
static int pathError(snCompiler* c, const snTendonItem* tendon, const char* format, ...) {
  char message[200];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof(message), format, args);
  va_end(args);
  return sn_itemError(c, tendon->elem, "tendon '%.100s' (id = %d): %s", sn_elemName(tendon->elem),
                      tendon->id, message);
}

// Of a ball or free joint the first coordinate and the first dof count, as in MuJoCo (DT-28).
static int checkFixed(snCompiler* c, const snTendonItem* tendon) {
  for (int i = 0; i < tendon->nwrap; i++) {
    if (tendon->wraps[i].type != snWRAP_JOINT) {
      return pathError(c, tendon, "spatial object found in fixed path at pos %d", i);
    }
  }
  return 0;
}

static int isGeomWrap(snWrap type) { return type == snWRAP_SPHERE || type == snWRAP_CYLINDER; }

// type of the neighbour at an index, PULLEY beyond the ends
static snWrap neighbour(const snTendonItem* tendon, int i) {
  return i < 0 || i >= tendon->nwrap ? snWRAP_PULLEY : tendon->wraps[i].type;
}

static int checkSpatialObject(snCompiler* c, const snTendonItem* tendon, int i) {
  const snWrapItem* wrap = tendon->wraps + i;
  snWrap before = neighbour(tendon, i - 1), after = neighbour(tendon, i + 1);
  if (wrap->type == snWRAP_JOINT) {
    return sn_itemError(c, tendon->elem,
                        "tendon '%.100s (id = %d)': joint wrap found in spatial path at pos %d",
                        sn_elemName(tendon->elem), tendon->id, i);
  }
  if (wrap->type == snWRAP_PULLEY) {
    if (i + 1 == tendon->nwrap) return pathError(c, tendon, "path ends with pulley");
    if (i > 0 && before == snWRAP_PULLEY) {
      return pathError(c, tendon, "consecutive pulleys (pos %d)", i);
    }
  } else if (wrap->type == snWRAP_SITE) {
    if (before == snWRAP_PULLEY && after == snWRAP_PULLEY) {
      return pathError(c, tendon, "site %d needs a neighbor that is not a pulley", i);
    }
    if (i + 1 < tendon->nwrap && tendon->wraps[i + 1].object == wrap->object) {
      return pathError(c, tendon, "site %d is repeated", i);
    }
  } else if (isGeomWrap(wrap->type)) {
    if (before != snWRAP_SITE || after != snWRAP_SITE) {
      return pathError(c, tendon, "geom at pos %d not bracketed by sites", i);
    }
    if (tendon->spec.armature > 0 || wheelArmature(tendon) > 0) {
      return pathError(c, tendon, "geom wrapping not supported by tendon armature");
    }
  }
  return 0;
}

static int checkPath(snCompiler* c, const snTendonItem* tendon) {
  if (!tendon->nwrap) return pathError(c, tendon, "path cannot be empty");
  if (tendon->wraps[0].type == snWRAP_JOINT) return checkFixed(c, tendon);
  if (tendon->nwrap < 2) {
    return pathError(c, tendon, "spatial path must contain at least two objects");
  }
  if (!(tendon->spec.width > 0))
    return sn_itemError(c, tendon->elem, "tendon '%.100s' (id = %d) must have positive width",
                        sn_elemName(tendon->elem), tendon->id);
  if (tendon->spec.armature < 0) {
    return pathError(c, tendon, "tendon armature cannot be negative");
  }
  for (int i = 0; i < tendon->nwrap; i++) SN_TRY(checkSpatialObject(c, tendon, i));
  return 0;
}

static int compileTendon(snCompiler* c, snTendonItem* tendon) {
  snsTendon* spec = &tendon->spec;
  const snElemList* list = sn_wrapList(tendon->elem);
  SN_TRY(sn_checkUser(c, tendon->elem));
  tendon->wraps = SN_ITEMS(c, snWrapItem, list->size);
  if (!tendon->wraps) return -1;
  SN_EACH(e, list) {
    snWrapItem* wrap = tendon->wraps + tendon->nwrap;
    SN_TRY(resolveWrap(c, tendon, e, tendon->nwrap, wrap));
    SN_TRY(resolveFriction(c, tendon, e, tendon->nwrap, wrap));
    tendon->nwrap++;
  }
  SN_TRY(checkPath(c, tendon));
  SN_TRY(sn_limited(c, tendon->elem, &spec->limited, spec->range, "limited", "range"));
  SN_TRY(sn_limited(c, tendon->elem, &spec->actfrclimited, spec->actfrcrange, "actuatorfrclimited",
                    "actuatorfrcrange"));
  if (spec->limited && spec->range[0] >= spec->range[1]) {
    return sn_itemError(c, tendon->elem, "invalid limits in tendon");
  }
  const double* force = spec->actfrcrange;
  if (spec->actfrclimited && (force[0] >= force[1] || force[0] > 0 || force[1] < 0)) {
    return sn_itemError(c, tendon->elem, "invalid actuatorfrcrange in tendon");
  }
  if (spec->springlength[0] > spec->springlength[1]) {
    return sn_itemError(c, tendon->elem, "invalid springlength in tendon");
  }
  return 0;
}

int sn_compileTendons(snCompiler* c) {
  for (int i = 0; i < c->ntendon; i++) SN_TRY(compileTendon(c, c->tendons + i));
  return 0;
}

static void fillWrap(snModel* m, int i, const snWrapItem* wrap) {
  SN_ASSERT_INDEX(i, m->nwrap);
  m->wrap_type[i] = wrap->type;
  m->wrap_objid[i] = -1;
  m->wrap_prm[i] = (snReal)wrap->prm;
  if (wrap->type == snWRAP_JOINT) m->wrap_objid[i] = sn_itemId(snOBJ_JOINT, wrap->object);
  if (wrap->type == snWRAP_SITE) {
    m->wrap_objid[i] = sn_itemId(snOBJ_SITE, wrap->object);
    m->wrap_prm[i] = 0;
  }
  if (isGeomWrap(wrap->type)) {
    m->wrap_objid[i] = sn_itemId(snOBJ_GEOM, wrap->object);
    m->wrap_prm[i] = (snReal)sn_itemId(snOBJ_SITE, wrap->sidesite);
  }
}

void sn_fillTendons(snCompiler* c) {
  snModel* m = c->m;
  int address = 0, capstan = 0;
  for (int i = 0; i < c->ntendon; i++) {
    const snTendonItem* tendon = c->tendons + i;
    const snsTendon* spec = &tendon->spec;
    m->tendon_adr[i] = address;
    m->tendon_num[i] = tendon->nwrap;
    m->tendon_matid[i] = tendon->matid;
    sn_fillCopied(m, snOBJ_TENDON, i, spec);
    m->tendon_armature[i] = (snReal)(spec->armature + wheelArmature(tendon));
    for (int k = 0; k < tendon->nwrap; k++) {
      const snWrapItem* wrap = tendon->wraps + k;
      if (wrap->capstan[FRICTION] > 0) {
        m->capstan_tendon[capstan] = i;
        m->capstan_wrap[capstan] = address;
        sn_toReal(m->capstan_prm + snNCAPSTAN * capstan++, wrap->capstan, snNCAPSTAN);
      }
      fillWrap(m, address++, wrap);
    }
  }
  SN_ASSERT(address == m->nwrap);
}
