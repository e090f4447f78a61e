// Editing a model under MuJoCo's names, where its programs rely on the identity of elements.

#include <stdio.h>

#include "compat/compat.h"
#include "compile/compiler.h"
#include "spec/element.h"

// Without deep copies the elements of the child go into the parent's model themselves.
MJAPI mjsElement* mjs_attach(mjsElement* parent, const mjsElement* child, const char* prefix,
                             const char* suffix) {
  if (!parent || !child) return NULL;
  snElem* what = sn_elem((const snsElement*)child);
  snSpec *from = what->spec, *to = sn_elem((const snsElement*)parent)->spec;
  snsElement* made = sns_attach((snsElement*)parent, &what->head, prefix, suffix);
  if (from == to || sn_specData(to)->deepcopy) return (mjsElement*)made;
  if (!made) {
    sn_forgetMoved(from, to);
    return NULL;
  }
  int moves = what->moved == sn_elem(made);
  if (!sn_absorbSpec(from, to)) return NULL;
  return (mjsElement*)(moves ? &what->head : made);
}

// Only what is written changes, not what the program sees of the elements.
MJAPI int mj_copyBack(mjSpec* s, const mjModel* m) {
  return sn_copyBackCompiled((snSpec*)s, (const snModel*)m);
}

// only what was compiled can be written
static int isCompiled(const mjSpec* s, char* error, int error_sz) {
  if (!s || sn_specData((const snSpec*)s)->structure) return 1;
  if (error && error_sz > 0) {
    snprintf(error, (size_t)error_sz, "XML Write error: Only compiled model can be written");
  }
  return 0;
}

static int isPending(const mjSpec* s, char* error, int error_sz) {
  int pending = 0;
  SN_EACH(key, sn_specList((const snSpec*)s, snOBJ_KEY)) {
    pending |= ((const snKeyObject*)key->object)->stored;
  }
  if (pending && error && error_sz > 0) {
    snprintf(error, (size_t)error_sz,
             "XML Error: Model has pending keyframes. It must be (re)compiled before writing XML.");
  }
  return pending;
}

MJAPI int mj_saveXMLString(const mjSpec* s, char* xml, int xml_sz, char* error, int error_sz) {
  if (!isCompiled(s, error, error_sz) || (s && isPending(s, error, error_sz))) return -1;
  return sn_saveXMLString((const snSpec*)s, xml, xml_sz, error, error_sz);
}

MJAPI int mj_saveXML(const mjSpec* s, const char* filename, char* error, int error_sz) {
  if (!isCompiled(s, error, error_sz) || (s && isPending(s, error, error_sz))) return -1;
  return sn_saveXML((const snSpec*)s, filename, error, error_sz);
}
