#include <math.h>
#include <string.h>

#include "compile/compiler.h"
#include "model/object_types.h"

// which: 0 the first object, 1 the second one, whose message carries the number of the constraint
static int findObject(snCompiler* c, const snEqualityItem* equality, snObj type, int which,
                      int* id) {
  const char* name = sns_getString(which ? equality->spec.name2 : equality->spec.name1);
  const void* item = sn_findItem(c, type, name);
  if (!item && which) {
    return sn_itemError(c, equality->elem, "unknown element '%s' in equality constraint %d", name,
                        equality->elem->id);
  }
  if (!item) {
    return sn_itemError(c, equality->elem, "unknown element '%s' in equality constraint", name);
  }
  *id = sn_itemId(type, item);
  if (type == snOBJ_JOINT) {
    snJoint joint = ((const snJointItem*)item)->spec.type;
    if (joint != snJNT_HINGE && joint != snJNT_SLIDE) {
      return sn_itemError(c, equality->elem, "only HINGE and SLIDE joint allowed in constraint");
    }
  }
  return 0;
}

static int compileEquality(snCompiler* c, snEqualityItem* equality) {
  snsEquality* spec = &equality->spec;
  snObj type = sn_equalityObject(spec->type, spec->objtype);
  equality->obj1id = equality->obj2id = -1;
  if (type == snOBJ_UNKNOWN) {
    return sn_itemError(c, equality->elem, "invalid type in equality constraint");
  }
  int joins = spec->type == snEQ_CONNECT || spec->type == snEQ_WELD;
  if (joins && spec->objtype != snOBJ_BODY && spec->objtype != snOBJ_SITE) {
    return sn_itemError(c, equality->elem, "%s constraint supports only sites and bodies",
                        spec->type == snEQ_WELD ? "weld" : "connect");
  }
  SN_TRY(findObject(c, equality, type, 0, &equality->obj1id));
  if (!sn_stringEmpty(spec->name2)) {
    SN_TRY(findObject(c, equality, type, 1, &equality->obj2id));
  } else if (type == snOBJ_BODY) {
    equality->obj2id = 0;
  } else if (type == snOBJ_SITE) {
    return sn_itemError(c, equality->elem, "second site missing in equality constraint");
  }
  if (spec->type == snEQ_DISTANCE && !isfinite(spec->data[0])) {
    return sn_itemError(c, equality->elem,
                        "distance must be a finite number in equality constraint");
  }
  if (type == snOBJ_FLEX) SN_TRY(sn_checkFlexEquality(c, equality));
  if (equality->obj1id == equality->obj2id) {
    return sn_itemError(c, equality->elem, "element '%s' is repeated in equality constraint %d",
                        sns_getString(spec->name1), equality->elem->id);
  }
  // connect and weld say what they join, the others keep what the program said
  if (type == snOBJ_BODY || type == snOBJ_SITE) spec->objtype = type;
  return 0;
}

int sn_compileEqualities(snCompiler* c) {
  for (int i = 0; i < c->neq; i++) SN_TRY(compileEquality(c, c->equalities + i));
  return 0;
}

void sn_fillEqualities(snCompiler* c) {
  snModel* m = c->m;
  for (int i = 0; i < c->neq; i++) {
    const snEqualityItem* equality = c->equalities + i;
    sn_fillCopied(m, snOBJ_EQUALITY, i, &equality->spec);
    m->eq_obj1id[i] = equality->obj1id;
    m->eq_obj2id[i] = equality->obj2id;
  }
}
