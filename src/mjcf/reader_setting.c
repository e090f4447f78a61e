// Sections that set something of the whole model.

#include <string.h>

#include "mjcf/reader.h"

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
  sn_mjcfGroup(r, node, sn_attrCompiler, compiler);
  int value;
  if (sn_mjcfKeyword(r, node, "strippath", sn_mapBool, &value)) r->spec->strippath = (snByte)value;
  if (sn_mjcfKeyword(r, node, "coordinate", sn_mapCoordinate, &value) && value) {
    sn_mjcfFail(r, node,
                "global coordinates no longer supported. To convert existing models, load and save "
                "them in MuJoCo 2.3.3 or older");
  }
  const char* sequence = sn_xmlAttr(node, "eulerseq");
  if (sequence) {
    if (strlen(sequence) != 3) {
      sn_mjcfFail(r, node, "euler format must have length 3");
      return;
    }
    memcpy(compiler->eulerseq, sequence, 3);
  }
  const snXmlNode* range = directChild(node, "lengthrange");
  if (range) sn_mjcfGroup(r, range, sn_attrLengthRange, &compiler->LRopt);
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
  const snXmlNode* flag = directChild(node, "flag");
  if (flag) sn_mjcfGroup(r, flag, sn_attrFlag, option);
}

void sn_mjcfSize(snReader* r, const snXmlNode* node) {
  snSpec* spec = r->spec;
  sn_mjcfGroup(r, node, sn_attrSize, spec);
  const struct {
    const char* name;
    int value;
  } sizes[] = {{"nuser_body", spec->nuser_body},         {"nuser_jnt", spec->nuser_jnt},
               {"nuser_geom", spec->nuser_geom},         {"nuser_site", spec->nuser_site},
               {"nuser_cam", spec->nuser_cam},           {"nuser_tendon", spec->nuser_tendon},
               {"nuser_actuator", spec->nuser_actuator}, {"nuser_sensor", spec->nuser_sensor},
               {"nconmax", spec->nconmax}};
  for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
    if (sizes[i].value < -1) sn_mjcfFail(r, node, "%s must be >= -1", sizes[i].name);
  }
  if (spec->nkey < 0) spec->nkey = 0;
  const char* other = spec->njmax != -1 ? "njmax" : spec->nstack != -1 ? "nstack" : NULL;
  if (spec->memory != -1 && other) {
    sn_mjcfFail(r, node, "either 'memory' and '%s' attribute can be specified, not both", other);
  }
}

void sn_mjcfStatistic(snReader* r, const snXmlNode* node) {
  snStatistic* stat = &r->spec->stat;
  sn_mjcfGroup(r, node, sn_attrStatistic, stat);
  if (stat->extent <= 0) sn_mjcfFail(r, node, "extent must be strictly positive");
}

void sn_mjcfVisual(snReader* r, const snXmlNode* node) {
  static const struct {
    const char* name;
    const snAttr* group;
  } parts[] = {{"global", sn_attrVisualGlobal}, {"quality", sn_attrVisualQuality},
               {"headlight", sn_attrVisualHeadlight}, {"map", sn_attrVisualMap},
               {"scale", sn_attrVisualScale}, {"rgba", sn_attrVisualRgba}};
  snVisual* visual = &r->spec->visual;
  for (const snXmlNode* child = node->first; child; child = child->next) {
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
      if (!strcmp(child->name, parts[i].name)) sn_mjcfGroup(r, child, parts[i].group, visual);
    }
    if (visual->map.znear <= 0) sn_mjcfFail(r, child, "znear must be strictly positive");
    if (visual->global.realtime <= 0) sn_mjcfFail(r, child, "realtime must be greater than 0");
  }
}

// ---- classes ----

static void readDummy(snReader* r, const snXmlNode* node, const snsDefault* def) {
  const char* name = node->name;
  if (!strcmp(name, "mesh")) {
    sn_mjcfMeshElement(r, node, def->mesh);
  } else if (!strcmp(name, "material")) {
    sn_mjcfMaterialElement(r, node, def->material);
  } else if (!strcmp(name, "joint")) {
    sn_mjcfJointElement(r, node, def->joint);
  } else if (!strcmp(name, "geom")) {
    sn_mjcfGeomElement(r, node, def->geom);
  } else if (!strcmp(name, "site")) {
    sn_mjcfSiteElement(r, node, def->site);
  } else if (!strcmp(name, "camera")) {
    sn_mjcfCameraElement(r, node, def->camera);
  } else if (!strcmp(name, "light")) {
    sn_mjcfLightElement(r, node, def->light);
  } else if (!strcmp(name, "pair")) {
    sn_mjcfGroup(r, node, sn_attrPair, def->pair);
  } else if (!strcmp(name, "equality")) {
    sn_mjcfGroup(r, node, sn_attrEquality, def->equality);
  } else if (!strcmp(name, "tendon")) {
    sn_mjcfTendonElement(r, node, def->tendon);
  } else {
    sn_mjcfActuatorElement(r, node, def->actuator);
  }
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
    if (strcmp(child->name, "default")) readDummy(r, child, def);
  }
  for (const snXmlNode* child = node->first; child && !r->failed; child = child->next) {
    if (!strcmp(child->name, "default")) readClass(r, child, def);
  }
}

void sn_mjcfDefault(snReader* r, const snXmlNode* node) { readClass(r, node, NULL); }

// ---- extension ----

static void readConfig(snReader* r, const snXmlNode* node, snsPlugin* plugin) {
  snPluginObject* object = (snPluginObject*)sn_elem(plugin->element)->object;
  for (const snXmlNode* child = node->first; child && !r->failed; child = child->next) {
    if (strcmp(child->name, "config")) continue;
    const char* key = sn_mjcfNeeded(r, child, "key");
    const char* value = sn_mjcfNeeded(r, child, "value");
    for (int i = 0; i < object->key->size; i++) {
      if (sn_stringIs(object->key->data + i, key)) {
        sn_mjcfFail(r, child, "duplicate config key: %s", key);
      }
    }
    sns_appendString(object->key, key);
    sns_appendString(object->value, value);
  }
}

void sn_mjcfExtension(snReader* r, const snXmlNode* node) {
  for (const snXmlNode* child = node->first; child && !r->failed; child = child->next) {
    const char* name = sn_mjcfNeeded(r, child, "plugin");
    if (!r->failed && sns_activatePlugin(r->spec, name)) {
      sn_mjcfFail(r, child, "plugin %s not found", name);
    }
    for (const snXmlNode* item = child->first; item && !r->failed; item = item->next) {
      snsPlugin* plugin = sns_addPlugin(r->spec);
      if (!plugin) {
        sn_mjcfFail(r, item, "out of memory");
        return;
      }
      sn_mjcfName(r, item, sn_elem(plugin->element), plugin->info);
      const char* instance = sn_mjcfNeeded(r, item, "name");
      sns_setString(plugin->name, instance);
      sns_setString(plugin->plugin_name, name);
      readConfig(r, item, plugin);
      if (!r->failed && r->spec->hasImplicitPluginElem) {
        sn_mjcfFail(r, item, "explicit plugin instance must appear before implicit plugin elements");
      }
    }
  }
}

void sn_mjcfPlugin(snReader* r, const snXmlNode* node, snsPlugin* plugin) {
  plugin->active = 1;
  const char* name = sn_xmlAttr(node, "plugin");
  const char* instance = sn_xmlAttr(node, "instance");
  if (name) sns_setString(plugin->plugin_name, name);
  if (instance && *instance) {
    sns_setString(plugin->name, instance);
    return;
  }
  r->spec->hasImplicitPluginElem = 1;
  snsPlugin* own = sns_addPlugin(r->spec);
  if (!own) {
    sn_mjcfFail(r, node, "out of memory");
    return;
  }
  sns_setString(own->plugin_name, name ? name : "");
  sn_elemSetSource(sn_elem(own->element), node->file, node->line);
  plugin->element = own->element;
  readConfig(r, node, own);
}

// ---- custom fields ----

static void readNumeric(snReader* r, const snXmlNode* node) {
  enum { MAX = 500 };
  double values[MAX];
  snsNumeric* numeric = sns_addNumeric(r->spec);
  if (!numeric) {
    sn_mjcfFail(r, node, "out of memory");
    return;
  }
  sn_mjcfNeeded(r, node, "name");
  sn_mjcfName(r, node, sn_elem(numeric->element), numeric->info);
  int size = 0;
  int given = sn_mjcfInt(r, node, "size", &size);
  int limit = given ? (size < 1 || size > MAX ? 0 : size) : MAX;
  int count = limit ? sn_mjcfDoubles(r, node, "data", values, limit, 1) : 0;
  if (!given) size = count;
  if (size < 1 || size > MAX) {
    sn_mjcfFail(r, node, "custom field size must be between 1 and 500");
    return;
  }
  for (int i = count; i < size; i++) values[i] = 0;
  numeric->size = size;
  sns_setDouble(numeric->data, values, size);
}

static void readText(snReader* r, const snXmlNode* node) {
  snsText* text = sns_addText(r->spec);
  if (!text) {
    sn_mjcfFail(r, node, "out of memory");
    return;
  }
  sn_mjcfNeeded(r, node, "name");
  sn_mjcfName(r, node, sn_elem(text->element), text->info);
  const char* data = sn_mjcfNeeded(r, node, "data");
  if (!*data) sn_mjcfFail(r, node, "text field cannot be empty");
  sns_setString(text->data, data);
}

static void readTuple(snReader* r, const snXmlNode* node) {
  snsTuple* tuple = sns_addTuple(r->spec);
  if (!tuple) {
    sn_mjcfFail(r, node, "out of memory");
    return;
  }
  sn_mjcfNeeded(r, node, "name");
  sn_mjcfName(r, node, sn_elem(tuple->element), tuple->info);
  for (const snXmlNode* child = node->first; child && !r->failed; child = child->next) {
    const char* typename = sn_mjcfNeeded(r, child, "objtype");
    const char* name = sn_mjcfNeeded(r, child, "objname");
    double prm = 0;
    sn_mjcfDoubles(r, child, "prm", &prm, 1, 0);
    int type = (int)sn_objectType(typename);
    if (type == snOBJ_UNKNOWN) sn_mjcfFail(r, child, "unknown object type '%s'", typename);
    if (!sn_boxReserve((snBox*)tuple->objtype, snBOX_INT, 1) ||
        !sn_boxReserve((snBox*)tuple->objprm, snBOX_DOUBLE, 1)) {
      sn_mjcfFail(r, child, "out of memory");
      return;
    }
    tuple->objtype->data[tuple->objtype->size++] = type;
    tuple->objprm->data[tuple->objprm->size++] = prm;
    sns_appendString(tuple->objname, name);
  }
}

void sn_mjcfCustom(snReader* r, const snXmlNode* node) {
  for (const snXmlNode* child = node->first; child && !r->failed; child = child->next) {
    if (!strcmp(child->name, "numeric")) readNumeric(r, child);
    if (!strcmp(child->name, "text")) readText(r, child);
    if (!strcmp(child->name, "tuple")) readTuple(r, child);
  }
}
