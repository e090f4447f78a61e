// Reading MJCF into a spec.
//
// The document is parsed, includes are put in their places, the tree is checked against the table
// of the language (validate.c), and the sections are read in a fixed order, whatever their order in
// the file: settings (reader_setting.c), classes and everything outside of the tree (reader_*.c),
// and the bodies last (reader_body.c).
//
// The first error is kept; every function does nothing after it, so that callers need not check
// each call.

#ifndef SINEW_MJCF_READER_H_
#define SINEW_MJCF_READER_H_

#include "mjcf/schema.h"
#include "mjcf/xml.h"
#include "sinew/sinew.h"
#include "spec/element.h"

SN_EXTERN_C_BEGIN

typedef struct snReader_ {
  snSpec* spec;
  const snVFS* vfs;
  snPool pool;         // the document
  const char* folder;  // of the main file, with its separator
  const char* file;    // the main file
  int depth;           // models within models
  int failed;
  int ordered;     // inside of sn_mjcfEarlierFault
  int nan;         // a NaN was read
  int outergap;    // gaps lie outside of margins, as from MuJoCo 3.9 on
  snSize copies;   // made by replicate, those inside of copies included
  snSize work;     // elements that they had to look at
  char hint[700];  // what the next error adds, whole lines (hint.h)
  char* error;
  int error_sz;
} snReader;

// Keep an error at an element, and the hint that was prepared for it: returns 0.
int sn_mjcfFail(snReader* r, const snXmlNode* node, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

// ---- attributes (attribute.c) ----

// Read all attributes of a group that have a place in the struct. Returns 0 after an error.
int sn_mjcfGroup(snReader* r, const snXmlNode* node, const snAttr* group, void* base);

// The same for a group that has a margin and a gap. Up to MuJoCo 3.8, which the engine follows, the gap is the outer
// part of the margin: a contact is listed below margin and pushes below margin - gap. From 3.9 on it lies outside:
// listed below margin + gap, pushes below margin. Adding the gap to such a margin gives the same contacts, so the
// spec holds margins of one meaning only, whatever the file says.
int sn_mjcfContactGroup(snReader* r, const snXmlNode* node, const snAttr* group, void* base,
                        double* margin, const double* gap);

// Fail if the quaternion of an attribute is zero; or a number must be positive and is not.
void sn_mjcfCheckQuat(snReader* r, const snXmlNode* node, const char* name, const double quat[4]);
void sn_mjcfCheckPositive(snReader* r, const snXmlNode* node, const char* name, int single,
                          const char* message);
// Up to or exactly n numbers. Returns how many there are: 0 when the attribute is absent or blank
// (or after an error).
int sn_mjcfDoubles(snReader* r, const snXmlNode* node, const char* name, double* values, int n,
                   int upto);
int sn_mjcfInts(snReader* r, const snXmlNode* node, const char* name, int* values, int n, int upto);
int sn_mjcfFloats(snReader* r, const snXmlNode* node, const char* name, float* values, int n,
                  int upto);
int sn_mjcfInt(snReader* r, const snXmlNode* node, const char* name, int* value);
// Any number of numbers.
int sn_mjcfDoubleVec(snReader* r, const snXmlNode* node, const char* name, snDoubleVec* values);
int sn_mjcfFloatVec(snReader* r, const snXmlNode* node, const char* name, snFloatVec* values);
int sn_mjcfIntVec(snReader* r, const snXmlNode* node, const char* name, snIntVec* values);
// A keyword: 1 when it was there.
int sn_mjcfKeyword(snReader* r, const snXmlNode* node, const char* name, const snKeyword* map,
                   int* value);
// Distinct keywords in any order as values; returns how many.
int sn_mjcfKeywords(snReader* r, const snXmlNode* node, const char* name, const snKeyword* map,
                    int* values, int n);
// The name of a file without the parts that lead nowhere; it lives as long as the reader.
const char* sn_mjcfPath(snReader* r, const char* text);

// Text; sn_mjcfNeeded fails when it is absent (and returns "").
const char* sn_mjcfNeeded(snReader* r, const snXmlNode* node, const char* name);
// How many forms of orientation the element has.
int sn_mjcfOrientations(const snXmlNode* node);
// At most one form of orientation.
int sn_mjcfOneOrientation(snReader* r, const snXmlNode* node);

// ---- elements ----

// Name, source and user's note of a new element.
void sn_mjcfName(snReader* r, const snXmlNode* node, snElem* e, snString* info);
// Class of an element: its attribute, else the given one.
const snsDefault* sn_mjcfClass(snReader* r, const snXmlNode* node, const snsDefault* other);
// Reference to a plugin with its configuration.
void sn_mjcfPlugin(snReader* r, const snXmlNode* node, snsPlugin* plugin);
// Type of object by its name, snOBJ_UNKNOWN when there is none.
snObj sn_objectType(const char* name);

// ---- sections ----

// Put the contents of included files in their places (include.c). Returns 0 after an error.
int sn_mjcfIncludes(snReader* r, snXmlNode* root, const char* mainfile);

int sn_validate(snReader* r, const snXmlNode* root);

void sn_mjcfCompiler(snReader* r, const snXmlNode* node);
void sn_mjcfOption(snReader* r, const snXmlNode* node);
void sn_mjcfSize(snReader* r, const snXmlNode* node);
void sn_mjcfVisual(snReader* r, const snXmlNode* node);
void sn_mjcfStatistic(snReader* r, const snXmlNode* node);
void sn_mjcfDefault(snReader* r, const snXmlNode* node);
void sn_mjcfExtension(snReader* r, const snXmlNode* node);
void sn_mjcfCustom(snReader* r, const snXmlNode* node);
void sn_mjcfAsset(snReader* r, const snXmlNode* node);
void sn_mjcfContact(snReader* r, const snXmlNode* node);
void sn_mjcfDeformable(snReader* r, const snXmlNode* node);
void sn_mjcfEquality(snReader* r, const snXmlNode* node);
void sn_mjcfTendon(snReader* r, const snXmlNode* node);
void sn_mjcfActuator(snReader* r, const snXmlNode* node);
void sn_mjcfSensor(snReader* r, const snXmlNode* node);
void sn_mjcfKeyframe(snReader* r, const snXmlNode* node);
void sn_mjcfWorld(snReader* r, const snXmlNode* node);

// One element, over what is in the struct already: from a class or from the tree.
void sn_mjcfMaterialElement(snReader* r, const snXmlNode* node, snsMaterial* material);
void sn_mjcfMeshElement(snReader* r, const snXmlNode* node, snsMesh* mesh);
void sn_mjcfSkin(snReader* r, const snXmlNode* node);
void sn_mjcfJointElement(snReader* r, const snXmlNode* node, snsJoint* joint);
void sn_mjcfGeomElement(snReader* r, const snXmlNode* node, snsGeom* geom);
void sn_mjcfSiteElement(snReader* r, const snXmlNode* node, snsSite* site);
void sn_mjcfCameraElement(snReader* r, const snXmlNode* node, snsCamera* camera);
void sn_mjcfLightElement(snReader* r, const snXmlNode* node, snsLight* light);
void sn_mjcfTendonElement(snReader* r, const snXmlNode* node, snsTendon* tendon);
void sn_mjcfActuatorElement(snReader* r, const snXmlNode* node, snsActuator* actuator);

// Whoever reads models that are not XML: a spec, or NULL with a message.
typedef snSpec* (*snDecodeHook)(const char* file, const char* content_type, const snVFS* vfs,
                                char* error, int error_sz);
SN_API void sn_setDecodeHook(snDecodeHook hook);

// A URDF document (urdf.c).
void sn_readUrdf(snReader* r, const snXmlNode* robot);

// A model inside of a model: the spec of a file, NULL with an error.
snSpec* sn_mjcfModel(snReader* r, const snXmlNode* node, const char* file);

// new element, or an error and return
#define SN_MJCF_NEW(Type, var, expr)       \
  Type* var = r->failed ? NULL : (expr);   \
  if (!var) {                              \
    sn_mjcfFail(r, node, "out of memory"); \
    return;                                \
  }

SN_EXTERN_C_END

#endif  // SINEW_MJCF_READER_H_
