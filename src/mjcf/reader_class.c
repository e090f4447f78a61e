// Default classes.

#include <stdio.h>
#include <string.h>

#include "mjcf/reader.h"

// reads the settings of one kind of elements; returns where their place in the file is kept
static snString* readDummy(snReader* r, const snXmlNode* node, const snsDefault* def) {
  const char* name = node->name;
  if (!strcmp(name, "mesh")) {
    sn_mjcfMeshElement(r, node, def->mesh);
    return def->mesh->info;
  }
  if (!strcmp(name, "material")) {
    sn_mjcfMaterialElement(r, node, def->material);
    return def->material->info;
  }
  if (!strcmp(name, "joint")) {
    sn_mjcfJointElement(r, node, def->joint);
    return def->joint->info;
  }
  if (!strcmp(name, "geom")) {
    sn_mjcfGeomElement(r, node, def->geom);
    return def->geom->info;
  }
  if (!strcmp(name, "site")) {
    sn_mjcfSiteElement(r, node, def->site);
    return def->site->info;
  }
  if (!strcmp(name, "camera")) {
    sn_mjcfCameraElement(r, node, def->camera);
    return def->camera->info;
  }
  if (!strcmp(name, "light")) {
    sn_mjcfLightElement(r, node, def->light);
    return def->light->info;
  }
  if (!strcmp(name, "pair")) {
    sn_mjcfContactGroup(r, node, sn_attrPair, def->pair, &def->pair->margin, &def->pair->gap);
    return def->pair->info;
  }
  if (!strcmp(name, "equality")) {
    sn_mjcfGroup(r, node, sn_attrEquality, def->equality);
    return def->equality->info;
  }
  if (!strcmp(name, "tendon")) {
    sn_mjcfTendonElement(r, node, def->tendon);
    return def->tendon->info;
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
