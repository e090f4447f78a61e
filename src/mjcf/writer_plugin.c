// Plugins: named instances in the extension section, all others where they are used.

#include <string.h>

#include "mjcf/writer.h"
#include "model/plugin.h"

static void writePair(snWriter* w, const snPluginObject* object, int i) {
  sn_writeOpen(w, "config");
  sn_writeText(w, "key", sns_getString(object->key->data + i));
  sn_writeText(w, "value", sns_getString(object->value->data + i));
  sn_writeClose(w, "config");
}

// in the order in which the plugin names its attributes
static void writeConfig(snWriter* w, const snElem* instance) {
  const snPluginObject* object = (const snPluginObject*)instance->object;
  int slot = sn_pluginSlot(sns_getString(object->plugin.plugin_name));
  const char* attribute;
  for (int k = 0; (attribute = sn_pluginAttribute(slot, k)) != NULL; k++) {
    for (int i = 0; i < object->key->size; i++) {
      if (sn_stringIs(object->key->data + i, attribute)) writePair(w, object, i);
    }
  }
}

static int isNamedInstanceOf(const snElem* e, const char* plugin) {
  const snPluginObject* object = (const snPluginObject*)e->object;
  return !sn_stringEmpty(&e->name) && !strcmp(sns_getString(object->plugin.plugin_name), plugin);
}

static void openPlugin(snWriter* w, const char* name) {
  sn_writeOpen(w, "plugin");
  sn_writeText(w, "plugin", name);
}

// instances with names in their order: neighbours of one plugin share its element
static void writeInstances(snWriter* w) {
  const char* open = NULL;
  SN_EACH(e, sn_specList(w->spec, snOBJ_PLUGIN)) {
    if (sn_stringEmpty(&e->name)) continue;
    const char* name = sns_getString(((const snPluginObject*)e->object)->plugin.plugin_name);
    if (!open || strcmp(open, name)) {
      if (open) sn_writeClose(w, "plugin");
      openPlugin(w, name);
    }
    open = name;
    sn_writeOpen(w, "instance");
    sn_writeName(w, "name", &e->name);
    writeConfig(w, e);
    sn_writeClose(w, "instance");
  }
  if (open) sn_writeClose(w, "plugin");
}

static int hasNamedInstance(const snSpec* s, const char* plugin) {
  SN_EACH(e, sn_specList(s, snOBJ_PLUGIN)) {
    if (isNamedInstanceOf(e, plugin)) return 1;
  }
  return 0;
}

void sn_writeExtension(snWriter* w) {
  const snStringVec* plugins = sn_specData(w->spec)->plugins;
  if (!plugins->size) return;
  sn_writeOpen(w, "extension");
  writeInstances(w);
  for (int i = 0; i < plugins->size; i++) {
    const char* name = sns_getString(plugins->data + i);
    if (hasNamedInstance(w->spec, name)) continue;
    openPlugin(w, name);
    sn_writeClose(w, "plugin");
  }
  sn_writeClose(w, "extension");
}

void sn_writePluginReference(snWriter* w, const snsPlugin* plugin) {
  const snElem* own = plugin->element ? sn_elem(plugin->element) : NULL;
  const snString* instance = own && !sn_stringEmpty(&own->name) ? &own->name : plugin->name;
  if (sn_stringEmpty(instance)) {
    sn_writeName(w, "plugin", plugin->plugin_name);
  } else {
    sn_writeName(w, "instance", instance);
  }
}

void sn_writePluginConfig(snWriter* w, const snsPlugin* plugin) {
  const snElem* own = plugin->element ? sn_elem(plugin->element) : NULL;
  if (own && sn_stringEmpty(&own->name) && sn_stringEmpty(plugin->name)) writeConfig(w, own);
}

void sn_writePlugin(snWriter* w, const snsPlugin* plugin) {
  if (!plugin->active) return;
  sn_writeOpen(w, "plugin");
  sn_writePluginReference(w, plugin);
  sn_writePluginConfig(w, plugin);
  sn_writeClose(w, "plugin");
}
