// Prints the language as the reader's table has it, for tools/mjcf_page.py, one line each:
//
//   path <tab> how often an element may stand in its parent
//   <tab> attribute <tab> how its text is read <tab> default; empty where code, not the table, has it

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mjcf/flexcomp.h"
#include "mjcf/schema.h"
#include "sinew/deformable.h"

// ---- defaults ----

// structs as the compiler fills them before it reads attributes
static struct {
  snSpec* spec;
  snFlexcomp flexcomp;
  snsMesh mesh;
  snsMaterial material;
  snsJoint joint;
  snsGeom geom;
  snsSite site;
  snsCamera camera;
  snsLight light;
  snsPair pair;
  snsEquality equality;
  snsTendon tendon;
  snsActuator actuator;
  snsBody body;
  snsFrame frame;
  snsHField hfield;
  snsTexture texture;
  snsSkin skin;
  snsFlex flex;
  snsDeformable deformable;
  snsSensor sensor;
  snsKey key;
  snsExclude exclude;
} plain;

static void fillPlain(void) {
  plain.spec = sn_makeSpec();
  sn_defaultFlexcomp(&plain.flexcomp);
  sns_defaultMesh(&plain.mesh);
  sns_defaultMaterial(&plain.material);
  sns_defaultJoint(&plain.joint);
  sns_defaultGeom(&plain.geom);
  sns_defaultSite(&plain.site);
  sns_defaultCamera(&plain.camera);
  sns_defaultLight(&plain.light);
  sns_defaultPair(&plain.pair);
  sns_defaultEquality(&plain.equality);
  sns_defaultTendon(&plain.tendon);
  sns_defaultActuator(&plain.actuator);
  sns_defaultBody(&plain.body);
  sns_defaultFrame(&plain.frame);
  sns_defaultHField(&plain.hfield);
  sns_defaultTexture(&plain.texture);
  sns_defaultSkin(&plain.skin);
  sns_defaultFlex(&plain.flex);
  sns_defaultDeformable(&plain.deformable);
  sns_defaultSensor(&plain.sensor);
  sns_defaultKey(&plain.key);
}

// the struct that a group of attributes is read into; those of schema.c itself with a place are of actuators and sensors
static const void* structOf(const snAttr* group, const char* path) {
  const struct {
    const snAttr* group;
    const void* base;
  } table[] = {{sn_attrCompiler, &plain.spec->compiler},
               {sn_attrLengthRange, &plain.spec->compiler.LRopt},
               {sn_attrOption, &plain.spec->option},
               {sn_attrFlag, &plain.spec->option},
               {sn_attrSize, plain.spec},
               {sn_attrStatistic, &plain.spec->stat},
               {sn_attrVisualGlobal, &plain.spec->visual},
               {sn_attrVisualQuality, &plain.spec->visual},
               {sn_attrVisualHeadlight, &plain.spec->visual},
               {sn_attrVisualMap, &plain.spec->visual},
               {sn_attrVisualScale, &plain.spec->visual},
               {sn_attrVisualRgba, &plain.spec->visual},
               {sn_attrMesh, &plain.mesh},
               {sn_attrMeshOwn, &plain.mesh},
               {sn_attrMaterial, &plain.material},
               {sn_attrJoint, &plain.joint},
               {sn_attrFreeJoint, &plain.joint},
               {sn_attrGeom, &plain.geom},
               {sn_attrSite, &plain.site},
               {sn_attrCamera, &plain.camera},
               {sn_attrCameraOwn, &plain.camera},
               {sn_attrLight, &plain.light},
               {sn_attrLightOwn, &plain.light},
               {sn_attrPair, &plain.pair},
               {sn_attrPairOwn, &plain.pair},
               {sn_attrEquality, &plain.equality},
               {sn_attrEqJoint, &plain.equality},
               {sn_attrEqTendon, &plain.equality},
               {sn_attrEqFlex, &plain.equality},
               {sn_attrTendon, &plain.tendon},
               {sn_attrTendonVisual, &plain.tendon},
               {sn_attrTendonOwn, &plain.tendon},
               {sn_attrBody, &plain.body},
               {sn_attrInertial, &plain.body},
               {sn_attrFrame, &plain.frame},
               {sn_attrHField, &plain.hfield},
               {sn_attrTexture, &plain.texture},
               {sn_attrSkin, &plain.skin},
               {sn_attrFlex, &plain.flex},
               {sn_attrFlexContact, &plain.flex},
               {sn_attrFlexEdge, &plain.flex},
               {sn_attrFlexElasticity, &plain.flex},
               {sn_attrFlexLaw, &plain.flex},
               {sn_attrFlexOwn, &plain.flex},
               {sn_attrFlexcompFlex, &plain.flex},
               {sn_attrFlexcomp, &plain.flexcomp},
               {sn_attrFlexcompOrigin, &plain.flexcomp},
               {sn_attrFlexcompPose, &plain.flexcomp},
               {sn_attrFlexcompPoint, &plain.flex},
               {sn_attrFlexcompDof, &plain.flexcomp},
               {sn_attrFlexcompEdge, &plain.flexcomp},
               {sn_attrDeformShape, &plain.flexcomp},
               {sn_attrDeformable, &plain.deformable},
               {sn_attrExclude, &plain.exclude},
               {sn_attrKey, &plain.key}};
  for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
    if (table[i].group == group) return table[i].base;
  }
  if (!strncmp(path, "mujoco/sensor", 13)) return &plain.sensor;
  return &plain.actuator;
}

// numbers, zeros at the end left out where fewer are fine
static void printNumbers(const double* values, int n, int upto) {
  while (upto && n > 1 && values[n - 1] == 0) n--;
  for (int i = 0; i < n; i++) printf("%s%g", i ? " " : "", values[i]);
}

static void printKeyword(const snAttr* attr, int value) {
  const char* name = sn_keywordName(attr->keywords, value);
  if (attr->type == snATTR_KEYWORDS) {
    for (const snKeyword* word = attr->keywords; word->name; word++) {
      if (value == 1 << word->value) name = word->name;
    }
  }
  printf("%s", name ? name : "");
}

static void printDefault(const snAttr* attr, const char* base) {
  const char* at = base + attr->offset;
  double values[64];
  int n = attr->count > 0 && attr->count <= 64 ? attr->count : 1, number = 0;
  for (int i = 0; i < n; i++) {
    values[i] = 0;
    switch (attr->store) {
      case snSTORE_DOUBLE: values[i] = ((const double*)at)[i]; break;
      case snSTORE_FLOAT: values[i] = (double)((const float*)at)[i]; break;
      case snSTORE_INT: values[i] = ((const int*)at)[i]; break;
      case snSTORE_BYTE: values[i] = ((const snByte*)at)[i]; break;
      case snSTORE_LONG: values[i] = (double)((const snSize*)at)[i]; break;
      case snSTORE_ENABLE: values[i] = (*(const int*)at & attr->bit) != 0; break;
      case snSTORE_DISABLE: values[i] = (*(const int*)at & attr->bit) == 0; break;
      case snSTORE_ORIENTATION:
      case snSTORE_STRING: printf("none"); return;
      default: printf("empty"); return;
    }
    number |= !isnan(values[i]);
  }
  if (!number || isnan(values[0])) {
    printf("none");
  } else if (attr->keywords) {
    printKeyword(attr, (int)values[0]);
  } else {
    printNumbers(values, n, attr->flags & snATTR_UPTO);
  }
}

// ---- the language ----

static const char* typeName(snAttrType type) {
  switch (type) {
    case snATTR_REAL: return "real";
    case snATTR_QUAT: return "quaternion";
    case snATTR_INT: return "int";
    case snATTR_KEYWORD: return "one of";
    case snATTR_KEYWORDS: return "some of";
    case snATTR_TEXT: return "text";
    case snATTR_FILE: return "file";
    case snATTR_TEXTS: return "words";
    default: return "bytes, with K, M, G, T, P or E";
  }
}

static const char* repeatName(char repeat) {
  switch (repeat) {
    case '!': return "once";
    case '?': return "at most once";
    case 'R': return "any number, also inside itself";
    default: return "any number";
  }
}

static void printAttr(const snAttr* attr, const void* base) {
  printf("\t%s\t%s", attr->name, typeName(attr->type));
  for (const snKeyword* word = attr->keywords; word && word->name; word++) {
    printf("%s `%s`", word == attr->keywords ? "" : ",", word->name);
  }
  int numbers = attr->type == snATTR_REAL || attr->type == snATTR_INT;
  if (numbers && attr->count == 0) printf(", any number");
  if (numbers && attr->count > 1) {
    printf(", %s%d", attr->flags & snATTR_UPTO ? "up to " : "", attr->count);
  }
  printf("\t");
  if (attr->flags & snATTR_REQUIRED) {
    printf("required");
  } else if (attr->store != snSTORE_NONE) {
    printDefault(attr, (const char*)base);
  }
  printf("\n");
}

static void printTag(const snTag* tag, const char* parents) {
  char path[200];
  snprintf(path, sizeof(path), "%s%s%s", parents, *parents ? "/" : "", tag->name);
  printf("%s\t%s\n", path, repeatName(tag->repeat));
  for (int i = 0; i < snTAG_GROUPS && tag->groups[i]; i++) {
    const void* base = structOf(tag->groups[i], path);
    for (const snAttr* attr = tag->groups[i]; attr->name; attr++) printAttr(attr, base);
  }
  for (const snTag* const* child = tag->children; child && *child; child++) printTag(*child, path);
}

int main(void) {
  fillPlain();
  printTag(&sn_tagMujoco, "");
  sn_deleteSpec(plain.spec);
  return 0;
}
