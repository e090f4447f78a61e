// Sections that set something of the whole model.

#include <string.h>

#include "mjcf/order.h"
#include "mjcf/reader.h"
#include "mjcf/schema_maps.h"

static const snXmlNode* directChild(const snXmlNode* node, const char* name) {
  for (const snXmlNode* child = node->first; child; child = child->next) {
    if (!strcmp(child->name, name) && !child->included) return child;
  }
  return NULL;
}

void sn_mjcfCompiler(snReader* r, const snXmlNode* node) {
  snsCompiler* compiler = &r->spec->compiler;
  const char* assetdir = sn_xmlAttr(node, "assetdir");
  if (assetdir) {
    sns_setString(compiler->meshdir, assetdir);
    sns_setString(compiler->texturedir, assetdir);
  }
  int value;
  if (sn_mjcfKeyword(r, node, "coordinate", sn_mapCoordinate, &value) && value &&
      !sn_mjcfEarlierFault(r, node, "coordinate")) {
    sn_mjcfFail(r, node,
                "global coordinates no longer supported. To convert existing models, load and save "
                "them in MuJoCo 2.3.3 or older");
  }
  const char* sequence = sn_xmlAttr(node, "eulerseq");
  if (sequence && strlen(sequence) != 3 && !sn_mjcfEarlierFault(r, node, "eulerseq")) {
    sn_mjcfFail(r, node, "euler format must have length 3");
  }
  if (r->failed) return;
  if (sequence) memcpy(compiler->eulerseq, sequence, 3);
  sn_mjcfGroup(r, node, sn_attrCompiler, compiler);
  if (sn_mjcfKeyword(r, node, "strippath", sn_mapBool, &value)) r->spec->strippath = (snByte)value;
  if (sn_mjcfKeyword(r, node, "sinew:margins", sn_mapMargins, &value)) r->outergap = value;
  const snXmlNode* range = directChild(node, "lengthrange");
  if (range) sn_mjcfGroup(r, range, sn_attrLengthRange, &compiler->LRopt);
}

static void readXpbd(snReader* r, const snXmlNode* node) {
  int* substeps = &r->spec->xpbd_substeps;
  if (sn_mjcfInts(r, node, "sinew:xpbd_substeps", substeps, 1, 1) &&
      (*substeps < 1 || *substeps > 1000)) {
    sn_mjcfFail(r, node, "sinew:xpbd_substeps must be between 1 and 1000");
  }
  double* compliance = &r->spec->xpbd_compliance;
  if (sn_mjcfDoubles(r, node, "sinew:xpbd_compliance", compliance, 1, 1) && !(*compliance >= 0)) {
    sn_mjcfFail(r, node, "sinew:xpbd_compliance must not be negative");
  }
}

void sn_mjcfOption(snReader* r, const snXmlNode* node) {
  snOption* option = &r->spec->option;
  sn_mjcfGroup(r, node, sn_attrOption, option);
  int groups[31];
  int count = sn_mjcfInts(r, node, "actuatorgroupdisable", groups, 31, 1);
  for (int i = 0; i < count; i++) {
    if (groups[i] < 0) {
      sn_mjcfFail(r, node, "disabled actuator group value must be non-negative");
    } else if (groups[i] > 30) {
      sn_mjcfFail(r, node, "disabled actuator group value cannot exceed 30");
    } else {
      option->disableactuator |= 1 << groups[i];
    }
  }
  int* repeats = &r->spec->deformable_repeats;
  if (sn_mjcfInts(r, node, "sinew:deformable_repeats", repeats, 1, 1) &&
      (*repeats < 1 || *repeats > 4)) {
    sn_mjcfFail(r, node, "sinew:deformable_repeats must be between 1 and 4");
  }
  readXpbd(r, node);
  const snXmlNode* flag = directChild(node, "flag");
  if (!flag) return;
  // of older files: springs and dampers at once
  int passive;
  if (sn_mjcfKeyword(r, flag, "passive", sn_mapEnable, &passive)) {
    int both = snDSBL_SPRING | snDSBL_DAMPER;
    option->disableflags = passive ? option->disableflags & ~both : option->disableflags | both;
  }
  sn_mjcfGroup(r, flag, sn_attrFlag, option);
}

static void checkSize(snReader* r, const snXmlNode* node, const char* name) {
  int value;
  if (!sn_mjcfInt(r, node, name, &value) || value >= -1) return;
  if (!sn_mjcfEarlierFault(r, node, name)) sn_mjcfFail(r, node, "%s must be >= -1", name);
}

// A size of the arena goes with none of its older parts, which may stand in an earlier element.
static void checkMemory(snReader* r, const snXmlNode* node, const char* other) {
  int value;
  if (r->spec->memory == -1 || !sn_mjcfInt(r, node, other, &value) || value == -1) return;
  if (sn_mjcfEarlierFault(r, node, other)) return;
  sn_mjcfFail(r, node, "either 'memory' and '%s' attribute can be specified, not both", other);
}

void sn_mjcfSize(snReader* r, const snXmlNode* node) {
  static const char* const users[] = {"nuser_body",     "nuser_jnt",   "nuser_geom",
                                      "nuser_site",     "nuser_cam",   "nuser_tendon",
                                      "nuser_actuator", "nuser_sensor"};
  snAttr memory[2] = {{0}};
  for (const snAttr* attr = sn_attrSize; attr->name; attr++) {
    if (!strcmp(attr->name, "memory")) memory[0] = *attr;
  }
  sn_mjcfGroup(r, node, memory, r->spec);
  checkSize(r, node, "nconmax");
  checkMemory(r, node, "nstack");
  checkMemory(r, node, "njmax");
  for (size_t i = 0; i < sizeof(users) / sizeof(users[0]); i++) checkSize(r, node, users[i]);
  if (r->failed) return;
  sn_mjcfGroup(r, node, sn_attrSize, r->spec);
  if (r->spec->nkey < 0) r->spec->nkey = 0;
}

void sn_mjcfStatistic(snReader* r, const snXmlNode* node) {
  sn_mjcfCheckPositive(r, node, "extent", 0, "extent must be strictly positive");
  sn_mjcfGroup(r, node, sn_attrStatistic, &r->spec->stat);
}

void sn_mjcfVisual(snReader* r, const snXmlNode* node) {
  snVisual* visual = &r->spec->visual;
  for (const snXmlNode* child = node->first; child; child = child->next) {
    if (!strcmp(child->name, "map")) {
      sn_mjcfCheckPositive(r, child, "znear", 1, "znear must be strictly positive");
    } else if (!strcmp(child->name, "global")) {
      sn_mjcfCheckPositive(r, child, "realtime", 1, "realtime must be greater than 0");
    }
    for (const snVisualPart* part = sn_visualParts; part->name; part++) {
      if (!strcmp(child->name, part->name)) sn_mjcfGroup(r, child, part->group, visual);
    }
  }
}
