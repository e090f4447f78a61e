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

// ---- finding elements ----

static snElem* firstUnnamed(mjSpec* s, mjtObj type) {
  snsElement* e = sns_firstElement((snSpec*)s, (snObj)type);
  while (e && sn_elemName(sn_elem(e))[0]) e = sns_nextElement((snSpec*)s, e);
  return e ? sn_elem(e) : NULL;
}

// no name is a name, too: that of the first element without one
static snElem* findElement(mjSpec* s, mjtObj type, const char* name) {
  if (name && !name[0]) return firstUnnamed(s, type);
  snsElement* e = sns_findElement((snSpec*)s, (snObj)type, name);
  return e ? sn_elem(e) : NULL;
}

MJAPI mjsElement* mjs_findElement(mjSpec* s, mjtObj type, const char* name) {
  snElem* e = findElement(s, type, name);
  return e ? (mjsElement*)&e->head : NULL;
}

MJAPI mjsBody* mjs_findBody(mjSpec* s, const char* name) {
  snElem* e = findElement(s, mjOBJ_BODY, name);
  return e ? (mjsBody*)e->object : NULL;
}

MJAPI mjsFrame* mjs_findFrame(mjSpec* s, const char* name) {
  snElem* e = findElement(s, mjOBJ_FRAME, name);
  return e ? (mjsFrame*)e->object : NULL;
}

MJAPI mjsBody* mjs_findChild(mjsBody* body, const char* name) {
  if (!body || !name || name[0]) return (mjsBody*)sns_findChild((snsBody*)body, name);
  snsElement* e = sns_firstChild((snsBody*)body, snOBJ_BODY, 1);
  while (e && sn_elemName(sn_elem(e))[0]) e = sns_nextChild((snsBody*)body, e, 1);
  return e ? (mjsBody*)sn_elem(e)->object : NULL;
}

// ---- going through elements ----

// what a body holds; bodies are also known by the frame of their inertia
static int isChildType(const snElem* body, mjtObj type) {
  if (type == mjOBJ_UNKNOWN) {
    sn_elemError(body, "child type must be specified if no child element is given");
    return 0;
  }
  if (type == mjOBJ_XBODY || sn_isTreeType((snObj)type)) return 1;
  sn_elemError(body, "Body.NextChild supports the types: body, frame, geom, site, light, camera");
  return 0;
}

MJAPI mjsElement* mjs_firstChild(mjsBody* body, mjtObj type, int recurse) {
  if (!body || !isChildType(sn_elem((const snsElement*)body->element), type)) return NULL;
  return (mjsElement*)sns_firstChild((snsBody*)body, (snObj)type, recurse);
}

MJAPI mjsElement* mjs_nextChild(mjsBody* body, mjsElement* child, int recurse) {
  if (!body || !child) return NULL;
  const snElem *root = sn_elem((const snsElement*)body->element),
               *e = sn_elem((const snsElement*)child);
  if (!isChildType(root, child->elemtype) || !sn_isBelow(e->parent, root)) return NULL;
  return (mjsElement*)sns_nextChild((snsBody*)body, (snsElement*)child, recurse);
}

// classes are found by name only
MJAPI mjsElement* mjs_firstElement(mjSpec* s, mjtObj type) {
  if (type == mjOBJ_XBODY || type == mjOBJ_DEFAULT) return NULL;
  return (mjsElement*)sns_firstElement((snSpec*)s, (snObj)type);
}

// an element that is in a frame leaves it for another one only
MJAPI int mjs_setFrame(mjsElement* dest, mjsFrame* frame) {
  return frame ? sns_setFrame((snsElement*)dest, (snsFrame*)frame) : -1;
}

// ---- writing ----

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
