// Default classes.

#include <stdio.h>
#include <string.h>

#include "mjcf/reader.h"

// reads the settings of one kind of elements; returns where their place in the file is kept
static snString* readDummy(snReader* r, const snXmlNode* node, const snsDefault* def) {
  const char* name = node->name;
#define READ(kind, function)      \
  if (!strcmp(name, #kind)) {     \
    function(r, node, def->kind); \
    return def->kind->info;       \
  }
  READ(mesh, sn_mjcfMeshElement)
  READ(material, sn_mjcfMaterialElement)
  READ(joint, sn_mjcfJointElement)
  READ(geom, sn_mjcfGeomElement)
  READ(site, sn_mjcfSiteElement)
  READ(camera, sn_mjcfCameraElement)
  READ(light, sn_mjcfLightElement)
  READ(tendon, sn_mjcfTendonElement)
#undef READ
  if (!strcmp(name, "pair")) {
    sn_mjcfContactGroup(r, node, sn_attrPair, def->pair, &def->pair->margin, &def->pair->gap);
    return def->pair->info;
  }
  if (!strcmp(name, "equality")) {
    sn_mjcfGroup(r, node, sn_attrEquality, def->equality);
    return def->equality->info;
  }
  sn_mjcfActuatorElement(r, node, def->actuator);
  return def->actuator->info;
}

// own settings first, nested classes afterwards: they start as copies of the finished class
static void readClass(snReader* r, const snXmlNode* node, const snsDefault* parent) {
  const char* name = sn_xmlAttr(node, "class");
  const snsDefault* def = parent;
  if (parent) {
    if (!name || !*name) {
      sn_mjcfFail(r, node, "empty class name");
      return;
    }
    def = sns_addDefault(r->spec, name, parent);
    if (!def) {
      sn_mjcfFail(r, node, "repeated default class name");
      return;
    }
    sn_elemSetSource(sn_elem(def->element), node->file, node->line);
  } else {
    def = sns_getSpecDefault(r->spec);
    if (name && *name && strcmp(name, "main")) {
      sn_mjcfFail(r, node, "top-level default class 'main' cannot be renamed");
      return;
    }
  }
  for (const snXmlNode* child = node->first; child && !r->failed; child = child->next) {
    if (!strcmp(child->name, "default")) continue;
    char line[32];
    snprintf(line, sizeof(line), "line %d", child->line);
    sns_setString(readDummy(r, child, def), line);
  }
  for (const snXmlNode* child = node->first; child && !r->failed; child = child->next) {
    if (!strcmp(child->name, "default")) readClass(r, child, def);
  }
}

void sn_mjcfDefault(snReader* r, const snXmlNode* node) { readClass(r, node, NULL); }
