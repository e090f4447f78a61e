// Writing a spec as MJCF.
//
// Attributes are written where they differ from the class of the element, so the text stays close
// to what a person would write. Some differences cannot be written: an attribute that a class gives
// and the element lacks. Then everything is written again without classes (plain), every attribute
// in full.

#ifndef SINEW_MJCF_WRITER_H_
#define SINEW_MJCF_WRITER_H_

#include "mjcf/schema.h"
#include "sinew/sinew.h"
#include "spec/element.h"

SN_EXTERN_C_BEGIN

typedef struct snWriter_ {
  snSpec* spec;
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
  int plain;     // without classes
  int conflict;  // something cannot be written with classes
  int failed;    // out of memory
  snElem* base;  // class with MJCF's own defaults
} snWriter;

// ---- text (writer.c) ----

void sn_writeOpen(snWriter* w, const char* tag);
void sn_writeClose(snWriter* w, const char* tag);
void sn_writeText(snWriter* w, const char* name, const char* value);
void sn_writeName(snWriter* w, const char* name, const snString* value);  // nothing when empty
void sn_writeDoubles(snWriter* w, const char* name, const double* values, int n);
void sn_writeFloats(snWriter* w, const char* name, const float* values, int n);
void sn_writeInts(snWriter* w, const char* name, const int* values, int n);

// Attributes of a group that differ from a reference object.
void sn_writeGroup(snWriter* w, const snAttr* group, const void* object, const void* reference);
// Reference of an element: the dummy of its class, or MJCF's defaults.
const void* sn_writeReference(snWriter* w, const snElem* e);
// Name and class.
void sn_writeIdentity(snWriter* w, const snElem* e, int hasClass);

// ---- sections ----

void sn_writeClasses(snWriter* w);
void sn_writeAssets(snWriter* w);
void sn_writeWorld(snWriter* w);
void sn_writeConstraints(snWriter* w);
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
