// Plugins. None of the reference's plugins is part of the engine yet: their declarations are
// accepted, what uses them is refused by name.

#include "compile/compiler.h"

static int refuse(snCompiler* c, const snElem* elem, const snsPlugin* plugin) {
  if (!plugin->active) return 0;
  if (sn_stringEmpty(plugin->plugin_name)) {
    return sn_itemError(c, elem, "plugin of instance '%s' is not available",
                        sns_getString(plugin->name));
  }
  return sn_itemError(c, elem, "plugin '%s' is not available", sns_getString(plugin->plugin_name));
}

int sn_checkPlugins(snCompiler* c) {
  const snElemList* instances = sn_specList(c->spec, snOBJ_PLUGIN);
  for (int i = 0; i < c->nbody; i++) {
    SN_TRY(refuse(c, c->bodies[i]->elem, &c->bodies[i]->spec.plugin));
  }
  for (int i = 0; i < c->ngeom; i++) {
    SN_TRY(refuse(c, c->geoms[i]->elem, &c->geoms[i]->spec.plugin));
  }
  for (int i = 0; i < c->nmesh; i++)
    SN_TRY(refuse(c, c->meshes[i].elem, &c->meshes[i].spec.plugin));
  for (int i = 0; i < c->nu; i++) {
    SN_TRY(refuse(c, c->actuators[i].elem, &c->actuators[i].spec.plugin));
  }
  for (int i = 0; i < c->nsensor; i++) {
    SN_TRY(refuse(c, c->sensors[i].elem, &c->sensors[i].spec.plugin));
  }
  SN_EACH(e, instances) {
    const snsPlugin* plugin = (const snsPlugin*)e->object;
    return sn_itemError(c, e, "plugin '%s' is not available", sns_getString(plugin->plugin_name));
  }
  const snElemList* flexes = sn_specList(c->spec, snOBJ_FLEX);
  if (flexes->first) return sn_itemError(c, flexes->first, "flex is not supported yet");
  return 0;
}
