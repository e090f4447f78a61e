// Extensions and custom fields.

#include <string.h>

#include "base/error.h"
#include "mjcf/reader.h"

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
        sn_mjcfFail(r, item,
                    "explicit plugin instance must appear before implicit plugin elements");
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
    int type = (int)sn_objectType(typename);
    if (type == snOBJ_UNKNOWN && sn_plainMessages()) sn_mjcfFail(r, child, "unknown object type");
    if (type == snOBJ_UNKNOWN) sn_mjcfFail(r, child, "unknown object type '%s'", typename);
    const char* name = sn_mjcfNeeded(r, child, "objname");
    double prm = 0;
    sn_mjcfDoubles(r, child, "prm", &prm, 1, 0);
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
