// Plugins and collision functions under MuJoCo's names.

#include "sinew/plugin.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "compat/compat.h"
#include "spec/element.h"

_Static_assert(sizeof(mjpPlugin) == sizeof(snpPlugin), "one layout of plugins");

MJAPI void mjp_defaultPlugin(mjpPlugin* plugin) { snp_defaultPlugin((snpPlugin*)plugin); }
MJAPI int mjp_registerPlugin(const mjpPlugin* plugin) {
  return snp_registerPlugin((const snpPlugin*)plugin);
}
MJAPI int mjp_pluginCount(void) { return snp_pluginCount(); }
MJAPI const mjpPlugin* mjp_getPlugin(const char* name, int* slot) {
  return (const mjpPlugin*)snp_getPlugin(name, slot);
}
MJAPI const mjpPlugin* mjp_getPluginAtSlot(int slot) {
  return (const mjpPlugin*)snp_getPluginAtSlot(slot);
}

MJAPI const mjpPlugin* mjc_getSDF(const mjModel* m, int id) {
  int instance = m->geom_plugin[id];
  if (instance < 0) return NULL;
  const mjpPlugin* plugin = mjp_getPluginAtSlot(m->plugin[instance]);
  return plugin && (plugin->capabilityflags & mjPLUGIN_SDF) ? plugin : NULL;
}

MJAPI void mj_loadPluginLibrary(const char* path) {
  if (!dlopen(path, RTLD_NOW | RTLD_LOCAL))
    mju_error("Error loading plugin library '%s': %s", path, dlerror());
}

MJAPI void mj_loadAllPluginLibraries(const char* directory, mjfPluginLibraryLoadCallback callback) {
  DIR* folder = opendir(directory);
  if (!folder) return;
  for (struct dirent* entry; (entry = readdir(folder));) {
    size_t length = strlen(entry->d_name);
    char path[2048];
    if (length < 4 || strcmp(entry->d_name + length - 3, ".so")) continue;
    snprintf(path, sizeof(path), "%s/%s", directory, entry->d_name);
    int before = mjp_pluginCount();
    mj_loadPluginLibrary(path);
    if (callback) callback(entry->d_name, before, mjp_pluginCount() - before);
  }
  closedir(folder);
}

MJAPI void mjs_setUserValueWithCleanup(mjsElement* element, const char* key, const void* data,
                                       void (*cleanup)(const void*)) {
  sns_setUserValueWithCleanup((snsElement*)element, key, data, cleanup);
}
