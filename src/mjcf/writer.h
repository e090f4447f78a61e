// Writing a spec as MJCF, with the text that MuJoCo writes for the same model.
//
// What is written is the compiled model: poses in their bodies as quaternions, angles in radians,
// automatic values resolved (snElem.resolved), generated elements in full. Frames stay where they
// have a name or a class. Attributes are written where they differ from the element's class; which
// ones, in which order and how many of their numbers is said by a list of names per element:
//
//   "type group solref* pos!"    solref without the last numbers that agree; pos in any case
//
// The names lead to the rows of the schema, which say where the values are and what they mean.
//
// The lossless form (source) is another text: elements of the tree as they were given, in their
// frames and in document order, with the settings of the compiler and every digit, so that
// compiling repeats what it did. It is what a program wants to keep; MuJoCo's text is what it
// compares.

#ifndef SINEW_MJCF_WRITER_H_
#define SINEW_MJCF_WRITER_H_

#include "mjcf/schema.h"
#include "sinew/sinew.h"
#include "spec/element.h"

SN_EXTERN_C_BEGIN

typedef struct snWriter_ {
  const snSpec* spec;
  const snSpec* sizes;  // as compiled: sizes of user data
  snSpec* plain;        // MJCF's defaults
  snElem* base;         // class with MJCF's own defaults
  snString out;
  int depth;
  int open;      // an opening tag waits for its end
  int bare;      // and has no attributes yet
  int settings;  // inside of sections whose empty elements say nothing
  struct {
    int size;  // of the text before the tag
    int open;
    int bare;
  } before[16];  // for elements that turn out to be empty, by depth
  int source;    // the lossless form
  int given;     // of its bodies: inertias as they were given, not as they were resolved
  int align;     // of its free joints: what they do unless they say otherwise
  int bundled;   // it names all files relative to its folders
  int absolute;  // it lies in another folder: names of files begin at the root
  const snVFS* vfs;
  const char* problem;  // what the language cannot say
  const char* refused;  // MuJoCo's words for something that it does not write either
  int failed;           // out of memory
} snWriter;

// Write a spec that was compiled, the lossless form one that kept everything; 0 with the reason.
int sn_writeSpec(snWriter* w, char* error, int error_sz);
// A copy of a spec for the lossless form, compiled with everything kept, and its model; NULL with
// the reason.
snSpec* sn_compileWhole(const snSpec* s, const snVFS* vfs, snModel** model, char* error,
                        int error_sz);

// What is written of an element outside of the tree: the lossless form has assets as given.
static inline const void* sn_writeGiven(const snWriter* w, const snElem* e) {
  return w->source ? e->object : sn_resolved(e);
}

// ---- text (writer.c) ----

void sn_writeOpen(snWriter* w, const char* tag);
void sn_writeClose(snWriter* w, const char* tag);
void sn_writeText(snWriter* w, const char* name, const char* value);
void sn_writeName(snWriter* w, const char* name, const snString* value);  // nothing when empty
void sn_writeDoubles(snWriter* w, const char* name, const double* values, int n);
void sn_writeFloats(snWriter* w, const char* name, const float* values, int n);
// Data of meshes: tiny numbers are not rounded to zero.
void sn_writeData(snWriter* w, const char* name, const float* values, int n);
void sn_writeNumbers(snWriter* w, const char* name, const double* values, int n);
void sn_writeInts(snWriter* w, const char* name, const int* values, int n);
// Keywords whose values are bits of a mask, or numbers of bits (indexed).
void sn_writeWords(snWriter* w, const char* name, const snKeyword* map, int mask, int indexed);
void sn_writeRows(snWriter* w, const char* name, const float* values, int nrow, int ncol);

// ---- attributes (writer_attr.c) ----

// Attributes of an object that differ from a reference, by a list of their names.
void sn_writeList(snWriter* w, const snAttr* const* groups, const char* names, const void* object,
                  const void* reference);
// All attributes of a group that differ, in the order of the schema.
void sn_writeAll(snWriter* w, const snAttr* group, const void* object, const void* reference);
// Whether an object has the same attributes as another, bit for bit.
int sn_sameAttributes(const snAttr* group, const void* object, const void* other);
// User data, completed with zeros to the model's size, where it differs from the class.
void sn_writeUser(snWriter* w, const snDoubleVec* user, const snDoubleVec* reference, int size);
// Reference of an element: the dummy of its class.
const void* sn_writeReference(snWriter* w, const snElem* e);
// Class of an element in a surrounding where another class holds.
void sn_writeClass(snWriter* w, const snElem* e, const snElem* around);
void sn_writeIdentity(snWriter* w, const snElem* e, const snElem* around);

// ---- elements that classes have as well: the part after the name and the pose ----

typedef struct snPart_ {
  const snElem* elem;  // NULL in a class
  const void* object;
  const void* reference;
} snPart;

void sn_writeMeshPart(snWriter* w, snPart part);
void sn_writeMaterialPart(snWriter* w, snPart part);
void sn_writeJointPart(snWriter* w, snPart part);
void sn_writeGeomPart(snWriter* w, snPart part);
void sn_writeSitePart(snWriter* w, snPart part);
void sn_writeCameraPart(snWriter* w, snPart part);
void sn_writeLightPart(snWriter* w, snPart part);
void sn_writePairPart(snWriter* w, snPart part);
void sn_writeEqualityPart(snWriter* w, snPart part);
void sn_writeTendonPart(snWriter* w, snPart part);
void sn_writeActuatorPart(snWriter* w, snPart part);

// ---- pieces of the tree (writer_body.c) ----

// Bodies and frames are only opened. MuJoCo dissolves frames, unless they have a name or a class.
void sn_writeLeaf(snWriter* w, const snElem* e);
void sn_openBody(snWriter* w, const snElem* e);
void sn_openFrame(snWriter* w, const snElem* e);
int sn_isFrameWritten(const snWriter* w, const snElem* frame);

// ---- the lossless form (writer_source.c, writer_file.c) ----

// The settings of the compiler that hold for the whole text.
void sn_planSource(snWriter* w);
void sn_writeSourceCompiler(snWriter* w);
// Elements of the tree, opened and closed; bodies and frames are only opened.
void sn_writeSourceLeaf(snWriter* w, const snElem* e, const snElem* around);
void sn_writeSourceBody(snWriter* w, const snElem* e, const snElem* around);
void sn_writeSourceFrame(snWriter* w, const snElem* e, const snElem* around, int again);
// The same for the elements of a class.
void sn_writeSourcePart(snWriter* w, snObj type, snPart part);
// Folder of files, and the name of a file that is in the folder or elsewhere.
void sn_writeSourceFolder(snWriter* w, const char* name, const snString* folder);
void sn_writeSourceFile(snWriter* w, const snElem* e, const char* name, const snString* file,
                        int texture);

// ---- sections ----

void sn_writeSettings(snWriter* w);
void sn_writeClasses(snWriter* w);
void sn_writeCustom(snWriter* w);
void sn_writeAssets(snWriter* w);
void sn_writeWorld(snWriter* w);
void sn_writeContact(snWriter* w);
void sn_writeDeformable(snWriter* w);
void sn_writeEqualities(snWriter* w);
void sn_writeTendons(snWriter* w);
void sn_writeActuators(snWriter* w);
void sn_writeSensors(snWriter* w);
void sn_writeKeys(snWriter* w);
void sn_writeExtension(snWriter* w);

// ---- plugins of elements (writer_plugin.c) ----

// A child element plugin, if the element has one; or its attributes and its settings for elements
// whose tag is plugin itself.
void sn_writePlugin(snWriter* w, const snsPlugin* plugin);
void sn_writePluginReference(snWriter* w, const snsPlugin* plugin);
void sn_writePluginConfig(snWriter* w, const snsPlugin* plugin);

SN_EXTERN_C_END

#endif  // SINEW_MJCF_WRITER_H_
