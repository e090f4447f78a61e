// The editable model inside.
//
// Every object of a spec is one heap block: an snElem header, the public struct (snsGeom, snsBody,
// ...) and the containers that the public struct points to. The header knows the owner, the name,
// the place in the tree and the line of the file it came from. The public struct's `element` is the
// address of the header: sn_elem(geom->element) and (snsGeom*)elem->object go back and forth.
//
// A body owns ordered lists of its children, one per type. Frames do not own anything: an element
// inside of a frame stays in its body's list, in document order, and its header names the frame; a
// frame is itself an element of its body and may name an enclosing frame. The spec owns one list
// for each type outside of the tree, the world body and the tree of default classes.
//
// SN_EACH walks a list:
//
//   SN_EACH(e, sn_bodyList(body, snOBJ_GEOM)) { snsGeom* geom = (snsGeom*)e->object; ... }
//   SN_EACH(e, sn_specList(spec, snOBJ_ACTUATOR)) { ... }
//   for (snElem* b = sn_world(spec); b; b = sn_nextBody(b)) ...   // bodies, depth first

#ifndef SINEW_SPEC_ELEMENT_H_
#define SINEW_SPEC_ELEMENT_H_

#include "base/pool.h"
#include "base/suggest.h"
#include "sinew/sinew.h"
#include "sinew/spec.h"
#include "spec/container.h"

SN_EXTERN_C_BEGIN

typedef struct snElem_ snElem;

typedef struct snElemList_ {
  snElem* first;
  snElem* last;
  int size;
} snElemList;

// where an element was read: its compiler settings and the folder of its file. The spec's own
// origin is NULL in elements; attached models bring theirs.
typedef struct snOrigin_ {
  snsCompiler compiler;  // meshdir and texturedir point to the strings below
  snString meshdir;
  snString texturedir;
  snString modelfiledir;
  struct snOrigin_* next;
} snOrigin;

typedef struct snUserValue_ {
  char* key;
  const void* data;
  void (*cleanup)(const void* data);  // nullable
  struct snUserValue_* next;
} snUserValue;

// Attach a value that cleanup gives back when it is replaced, deleted, or its element goes.
SN_API void sns_setUserValueWithCleanup(snsElement* element, const char* key, const void* data,
                                        void (*cleanup)(const void* data));
// Give a value back and free its entry.
void sn_freeUserValue(snUserValue* value);

struct snElem_ {
  snsElement head;  // public view: elemtype, signature
  snSpec* spec;     // owner
  void* object;     // public struct: snsBody, snsGeom, ...
  snString name;    // set by sns_setName only (the spec keeps an index of names)
  snElem* parent;   // tree elements: body; wraps: tendon; default classes: enclosing class; dummies
                    // of a class: the class
  snElem* frame;    // enclosing frame, NULL when none
  snElem* def;  // default class that it was made from; bodies and frames: class of their children
  snOrigin* origin;  // NULL: the spec's own settings
  int id;            // index, -1 while unknown
  int built;         // index in the model that was compiled last, -1 when it has none
  int place
      [2];    // there: joints: qpos and qvel; actuators: act; bodies: mocap; deformables: vertices
  int order;  // of creation in the spec: document order across types
  int line;   // of the XML element, 0 when not read from a file
  const char* file;  // owned by the spec, NULL when unknown
  snByte included;   // the file was included by the model's own
  snByte painted;    // textures: the pixels are those that the last compilation made
  snByte beside;     // assets: the last compilation found the file next to the included one
  snByte hulled;     // meshes: a geom has needed the hull in some compilation, and it stays
  snElem* next;      // in the list that holds it
  snElem* prev;
  snElemList* lists;  // bodies: see sn_bodyList; tendons: wraps; classes: nested classes; else NULL
  snUserValue* user;  // values attached by the program
  void* scratch;      // free for the compiler, NULL outside of it
  void* resolved;     // public struct as the last compilation resolved it, NULL when there is none
  snElem* moved;      // what it became when its model was attached by reference, else NULL
  snByte summed;      // body that took the inertia of another: fullinertia and inertia say the same
  snByte dead;        // deleted, and kept for handles that may still name it
  snBox* boxes;       // containers of the public struct
};

// path element of a tendon: object of an snElem with elemtype snOBJ_UNKNOWN
typedef struct snWrapObject_ {
  snsWrap wrap;
  snString* target;    // site, geom or joint
  snString* sidesite;  // geom only
  double prm;          // joint: coefficient; pulley: divisor
} snWrapObject;

// plugin instance
typedef struct snPluginObject_ {
  snsPlugin plugin;
  snStringVec* key;  // configuration, as pairs in document order
  snStringVec* value;
} snPluginObject;

// The i-th pair of an instance's configuration; 0 beyond the last one.
SN_API int sn_pluginConfig(const snsPlugin* plugin, int i, const char** key, const char** value);

// value of a keyframe for one joint, actuator, mocap body or deformable
typedef struct snKeyPart_ {
  snElem* owner;
  int vector;  // snKEY_QPOS, ...
  int size;
  int attachment;  // the last one that took the owner along
  struct snKeyPart_* next;
  double value[];
} snKeyPart;

enum {
  snKEY_QPOS,
  snKEY_QVEL,
  snKEY_ACT,
  snKEY_MPOS,
  snKEY_MQUAT,
  snKEY_CTRL,
  snKEY_DEFORMPOS,
  snKEY_DEFORMVEL,
  snKEY_NVECTOR
};

// Keyframe. A keyframe of an attached or replicated model has parts instead of vectors: whatever
// has no part takes its reference value when the model is compiled; vectors that are not present
// are absent as a whole.
typedef struct snKeyObject_ {
  snsKey key;
  snKeyPart* parts;
  snByte stored;  // has parts; 2: and no replicate multiplies it any more
  snByte handed;  // to a model that this one was attached to, before it was compiled
  snByte present[snKEY_NVECTOR];
  const snElem* source;  // of the model asset that it came from, NULL when there is none
  int attachment;        // that it came with
} snKeyObject;

// Lists of a spec: one for every type below snNOBJECT, then those of the extensions.
enum { snLIST_DEFORMABLE = snNOBJECT, snNLIST };
static inline snObj sn_listType(int list) {
  return list < snNOBJECT ? (snObj)list : snOBJ_DEFORMABLE;
}

typedef struct snFormerName_ snFormerName;

typedef struct snSpecData_ {
  snSpec spec;  // first: an snSpec* is the address of this struct
  snElem* element;
  snElem* world;
  snElem* main;               // root of the default classes
  snElemList lists[snNLIST];  // by type, see sn_listType
  snOrigin* origins;
  char** files;  // names of the files that elements come from
  int nfile;
  snStringVec* models;  // names of model assets, parallel to children
  snSpec** children;    // specs of model assets, owned
  int nchild;
  int attachments;       // of this spec to others, so far
  snStringVec* plugins;  // activated plugins, in order of activation
  struct snNameTable_* names;
  snFormerName* former;  // see sn_nameWas
  int created;           // elements so far
  uint64_t structure;    // when the spec was last compiled: sn_specSignature
  snByte numbered;       // elements of the tree have ids
  snByte deepcopy;
  snByte iswarning;
  snSpec* absorber;  // the spec that this one was attached to by reference: it has the elements now
  snByte given;      // it was attached by reference, to a spec that may be gone by now
  snSpec** absorbed;  // such specs, held
  int nabsorbed;
  int holders;      // specs that hold this one beside its owner
  snByte whole;     // compiling leaves in the spec what the model does not need
  snByte keepdead;  // deleted elements stay in memory, marked, until the spec goes
  snElem* graveyard;
  snPool resolved;       // memory of the elements' resolved structs
  snSpec* sizes;         // settings as the last compilation resolved them, NULL when there is none
  snModel* layout;       // sizes of the model that it made, no arrays; NULL likewise
  snStatistic computed;  // what it found, before the user's numbers
  char error[1000];      // last message of the compiler
} snSpecData;

#define SN_EACH(e, list) for (snElem* e = (list)->first; e; e = e->next)

// ---- going back and forth ----

static inline snElem* sn_elem(const snsElement* element) { return (snElem*)element; }
static inline snSpecData* sn_specData(const snSpec* spec) { return (snSpecData*)spec; }
static inline snElem* sn_world(const snSpec* spec) { return sn_specData(spec)->world; }
static inline const char* sn_elemName(const snElem* e) { return sns_getString(&e->name); }

// Compiler settings and folder under which the element was read.
const snsCompiler* sn_elemCompiler(const snElem* e);
const char* sn_elemFolder(const snElem* e);

// ---- lists ----

// Children of a body by type: BODY, FRAME, JOINT, GEOM, SITE, CAMERA, LIGHT; NULL for other types.
snElemList* sn_bodyList(const snElem* body, snObj type);
// Elements outside of the tree by type; NULL for tree types.
SN_API snElemList* sn_specList(const snSpec* spec, snObj type);
// Wraps of a tendon.
snElemList* sn_wrapList(const snElem* tendon);
// Next body in depth-first order (ids grow along it), NULL at the end.
snElem* sn_nextBody(const snElem* body);
// Next body in depth-first order that is not below this one.
snElem* sn_nextBodySkip(const snElem* body, const snElem* root);
// Whether an element is another or lies in it, at any depth.
SN_API int sn_isBelow(const snElem* e, const snElem* body);
// Next default class, each before those nested in it; NULL at the end.
snElem* sn_nextClass(const snElem* def);
// Whether elements of a type live in bodies.
SN_API int sn_isTreeType(snObj type);
// Give the elements of the tree ids in the order of a model, or take them away: the world keeps 0.
void sn_specNumber(snSpec* spec);
void sn_specUnnumber(snSpec* spec);
// Remember the ids as those of the compiled model.
void sn_specBuilt(snSpec* spec);

// Append to, insert before (NULL: at the end), or unlink from a list.
void sn_listInsert(snElemList* list, snElem* e, snElem* before);
void sn_listRemove(snElemList* list, snElem* e);
// List that holds an element, NULL when it is in none.
snElemList* sn_listOf(const snElem* e);

// ---- life ----

// New element of a type, filled with MJCF's defaults, in no list. NULL when memory ran out.
snElem* sn_elemNew(snSpec* spec, snObj type);
// Fill the public struct from another of the same type: attributes and containers, not the name.
int sn_elemAssign(snElem* dest, const snElem* source);
// Exchange everything but the addresses and the user values of two elements of one type; whoever
// points to one of them has to be led to the other.
void sn_elemSwap(snElem* a, snElem* b);
// Free an element that is in no list, with its children.
void sn_elemFree(snElem* e);
// Dummy of a class for a type; NULL when classes have none.
snElem* sn_classDummy(const snElem* def, snObj type);
// Remember where an element comes from.
void sn_elemSetSource(snElem* e, const char* file, int line);
// The spec's copy of a file name (the same pointer for the same name).
const char* sn_specFile(snSpec* spec, const char* file);

// Whether a texture has pixels from the program, not from the last compilation.
SN_API int sn_hasOwnPixels(const snElem* texture);
// What the last compilation resolved is forgotten.
void sn_forgetResolved(snSpec* spec);
// The public struct as the last compilation resolved it, or as it is.
static inline const void* sn_resolved(const snElem* e) {
  return e->resolved ? e->resolved : e->object;
}

// ---- references between elements ----

typedef struct snRef_ {
  snObj type;
  snString* name;
} snRef;

enum { snMAXREF = 3 };

// Named elements that an element needs (actuators, sensors, pairs, ...); returns how many.
int sn_elemRefs(const snElem* e, snRef refs[snMAXREF]);
// Unlink and free an element with its subtree; of a body also what refers to it.
void sn_elemDelete(snElem* e);
// Take an element out of its list and free it, whatever refers to it.
void sn_elemUnlink(snElem* e);

// ---- keyframes in parts ----

// Turn the vectors of all keyframes into parts, by the present model. 0 with a message when sizes
// do not match.
int sn_keysStore(snSpec* spec);
// The same before a body goes: keyframes are not seen until the next compilation.
int sn_keysCut(snSpec* spec);
// Keyframes take the sizes of the model, with references where nothing is given; compiled: whether what came was.
void sn_keysComplete(snSpec* spec, int compiled);
// Turn the vectors of one keyframe into parts, as above.
int sn_keyStore(snSpec* spec, snElem* key);
// Add a part; 0 when memory ran out.
int sn_keyAddPart(snElem* key, snElem* owner, int vector, const double* value, int size);
// Forget parts of elements that lie in a body, or of one element.
void sn_keysForget(snSpec* spec, const snElem* owner);
// Forget all parts: the vectors are the keyframe.
void sn_keyForget(snElem* key);
// Is this an actuator that acts on an element of the model as it is now?
int sn_hasTarget(const snElem* e);
// Forget the parts of actuators that have a target.
void sn_keyForgetActuators(snElem* key);
// Numbers of a vector that belong to an element of the tree or an actuator.
int sn_keySize(const snElem* owner, int vector);

// ---- what a public struct owns ----

typedef struct snOwned_ {
  int offset;  // of the pointer in the public struct
  snBoxKind kind;
} snOwned;

typedef struct snKind_ {
  int size;  // of the public struct
  int nlist;
  int nowned;
  const snOwned* owned;
} snKind;

const snKind* sn_kind(snObj type);

// ---- names ----

// Element by type and name, NULL when there is none.
snElem* sn_findName(const snSpec* spec, snObj type, const char* name);
// Offer the names of a type of element to a word that is none of them.
void sn_offerNames(snSuggestion* s, const snSpec* spec, snObj type);
int sn_nameAdd(snElem* e);
// An element whose name another one of its type has, the first by type and name; NULL: all names are
// unique.
const snElem* sn_findRepeatedName(const snSpec* spec);
void sn_nameRemove(snElem* e);
// Exchange, in the index, elements for what `moved` names.
void sn_namesFollow(const snSpec* spec);
// In a spec that was compiled names that elements lose are remembered, until the next compilation, attachment or deletion
// (sn_namesSettle): a deletion takes what has such a name for a reference that broke, as MuJoCo does.
void sn_nameWas(const snElem* e);
void sn_namesSettle(snSpec* spec);
int sn_wasName(const snSpec* spec, snObj type, const char* name);
void sn_namesFree(snSpec* spec);
// "geom", "body", ... for messages; type of such a word (snOBJ_UNKNOWN when there is none).
const char* sn_typeName(snObj type);

// A spec with the settings of another, and no elements, world or classes. NULL when memory ran out.
snSpec* sn_specNew(const snSpec* other);
// Reference to a plugin in an element's public struct; NULL when the type has none.
snsPlugin* sn_elemPlugin(const snElem* e);

// Append to an array of specs; 0 when memory ran out.
int sn_specAppend(snSpec*** list, int* count, snSpec* spec);
// Take a model asset: the child belongs to the spec, under its model name. 0 when memory ran out.
int sn_specAddChild(snSpec* spec, snSpec* child);

// Hash of the structure: types and places of all elements, not their attributes.
uint64_t sn_specSignature(const snSpec* spec);
// Forget that elements became elements of another spec.
SN_API void sn_forgetMoved(snSpec* spec, const snSpec* other);
// After an attachment by reference: the elements themselves go to the new spec, where their copies
// were, and the copies go. The old spec stays for as long as the new one. 0 when memory ran out.
SN_API int sn_absorbSpec(snSpec* from, snSpec* to);
// Keep the memory of elements that are deleted from now on, for handles that may still name them.
void sn_keepDeleted(snSpec* spec);

// Message of the spec: kept for sns_getError.
void sn_specError(snSpec* spec, int warning, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
// The same about one element: "Error: ", the text, and the name, id and line of the element.
SN_API void sn_elemError(const snElem* e, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

SN_EXTERN_C_END

#endif  // SINEW_SPEC_ELEMENT_H_
