// The language as one table.
//
// A tag lists its attributes and the tags it may contain. An attribute says how its text is read
// (type, number of values, keywords) and where the value goes (offset and storage in the public
// struct of the element). Reading, validation, writing and the printed schema all go through this
// table; what an attribute does beyond being stored (snSTORE_NONE) is code in the reader and the
// writer.

#ifndef SINEW_MJCF_SCHEMA_H_
#define SINEW_MJCF_SCHEMA_H_

#include "sinew/spec.h"

SN_EXTERN_C_BEGIN

typedef struct snKeyword_ {
  const char* name;  // NULL ends a list
  int value;
} snKeyword;

// how the text is read
typedef enum snAttrType_ {
  snATTR_REAL,      // numbers
  snATTR_QUAT,      // four numbers, not all zero
  snATTR_INT,       // integers; a single one is a scalar
  snATTR_KEYWORD,   // one keyword
  snATTR_KEYWORDS,  // distinct keywords, stored as a mask of 1 << value
  snATTR_TEXT,      // verbatim
  snATTR_FILE,      // name of a file
  snATTR_TEXTS,     // words
  snATTR_BYTES      // integer with a suffix K, M, G, T, P, E
} snAttrType;

// where the value goes
typedef enum snAttrStore_ {
  snSTORE_NONE,  // read by code
  snSTORE_DOUBLE,
  snSTORE_FLOAT,
  snSTORE_INT,
  snSTORE_BYTE,
  snSTORE_LONG,         // snSize
  snSTORE_STRING,       // snString*
  snSTORE_STRINGVEC,    // snStringVec*
  snSTORE_DOUBLEVEC,    // snDoubleVec*
  snSTORE_FLOATVEC,     // snFloatVec*
  snSTORE_INTVEC,       // snIntVec*
  snSTORE_ORIENTATION,  // snsOrientation; bit is the snOrientation
  snSTORE_ENABLE,       // bit of an int that the second keyword sets
  snSTORE_DISABLE       // bit of an int that the first keyword sets
} snAttrStore;

// Is the value kept in a container that the struct points to?
static inline int sn_isContainer(snAttrStore store) {
  return store == snSTORE_STRING || store == snSTORE_STRINGVEC || store == snSTORE_DOUBLEVEC ||
         store == snSTORE_FLOATVEC || store == snSTORE_INTVEC;
}

enum { snATTR_REQUIRED = 1, snATTR_UPTO = 2 };  // flags: must be there; fewer values are fine

typedef struct snAttr_ {
  const char* name;  // NULL ends a list
  snAttrType type;
  int count;  // values; 0: any number
  int flags;
  const snKeyword* keywords;
  snAttrStore store;
  int offset;
  int bit;
} snAttr;

enum { snTAG_GROUPS = 10 };

typedef struct snTag_ {
  const char* name;
  char repeat;  // '!' once, '?' at most once, '*' any number, 'R' also in itself
  const snAttr* groups[snTAG_GROUPS];    // attributes; NULL ends
  const struct snTag_* const* children;  // NULL: none; NULL ends
} snTag;

extern const snTag sn_tagMujoco;

// groups of attributes that the writer walks by itself
extern const snAttr sn_attrCompiler[], sn_attrLengthRange[], sn_attrOption[], sn_attrFlag[],
    sn_attrSize[], sn_attrStatistic[], sn_attrVisualGlobal[], sn_attrVisualQuality[],
    sn_attrVisualHeadlight[], sn_attrVisualMap[], sn_attrVisualScale[], sn_attrVisualRgba[],
    sn_attrMesh[], sn_attrMaterial[], sn_attrMeshOwn[], sn_attrJoint[], sn_attrFreeJoint[],
    sn_attrGeom[], sn_attrSite[], sn_attrCamera[], sn_attrCameraOwn[], sn_attrLight[],
    sn_attrLightOwn[], sn_attrPair[], sn_attrPairOwn[], sn_attrEquality[], sn_attrTendon[],
    sn_attrTendonVisual[], sn_attrTendonOwn[], sn_attrActuator[], sn_attrActuatorCtrl[],
    sn_attrActuatorGear[], sn_attrActuatorLength[], sn_attrActuatorAct[], sn_attrActuatorDyn[],
    sn_attrActuatorGain[], sn_attrActuatorModel[], sn_attrActuatorInherit[], sn_attrBody[],
    sn_attrFrame[], sn_attrInertial[], sn_attrHField[], sn_attrTexture[], sn_attrSkin[],
    sn_attrFlex[], sn_attrFlexContact[], sn_attrFlexEdge[], sn_attrFlexElasticity[],
    sn_attrFlexLaw[], sn_attrFlexOwn[], sn_attrDeformShape[], sn_attrDeformable[],
    sn_attrFlexcomp[], sn_attrFlexcompFlex[], sn_attrFlexcompOrigin[], sn_attrFlexcompPose[],
    sn_attrFlexcompPoint[], sn_attrFlexcompDof[], sn_attrFlexcompEdge[], sn_attrExclude[],
    sn_attrSensor[], sn_attrSensorNoise[], sn_attrKey[], sn_attrEqJoint[], sn_attrEqTendon[],
    sn_attrEqFlex[];

// sections of the visual settings
typedef struct snVisualPart_ {
  const char* name;  // NULL ends the list
  const snAttr* group;
} snVisualPart;
extern const snVisualPart sn_visualParts[];

extern const snKeyword sn_mapBool[], sn_mapTriState[], sn_mapAngle[], sn_mapEnable[],
    sn_mapCoordinate[], sn_mapStage[], sn_mapDataType[], sn_mapContactData[], sn_mapRayData[],
    sn_mapReduce[], sn_mapEquality[], sn_mapTexRole[], sn_mapMeshBuiltin[], sn_mapLightType[];

// Child tag by name, NULL when there is none. A body may contain bodies, a class classes.
const snTag* sn_tagChild(const snTag* tag, const char* name);
// Attribute of a tag by name, NULL when there is none.
const snAttr* sn_tagAttr(const snTag* tag, const char* name);
// Value of a keyword; 0 when there is none. Name of a value, NULL when there is none.
int sn_keywordValue(const snKeyword* map, const char* name, int* value);
const char* sn_keywordName(const snKeyword* map, int value);

SN_EXTERN_C_END

#endif  // SINEW_MJCF_SCHEMA_H_
