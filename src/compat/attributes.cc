// Configurations of plugins as MuJoCo's C++ programs hand them over: maps of the standard library.

#include <map>
#include <mutex>
#include <string>

#include "compat/compat.h"
#include "spec/element.h"

typedef std::map<std::string, std::string, std::less<>> Attributes;

extern "C" {
void sns_setPluginAttributes(snsPlugin* plugin, void* attributes);

MJAPI void mjs_setPluginAttributes(mjsPlugin* plugin, void* attributes) {
  mjStringVec pairs;
  if (!attributes) return;
  for (const auto& [key, value] : *static_cast<const Attributes*>(attributes)) {
    pairs.emplace_back(key);
    pairs.emplace_back(value);
  }
  sns_setPluginAttributes(reinterpret_cast<snsPlugin*>(plugin), &pairs);
}

// The map is made when it is asked for and kept until it is asked for again.
MJAPI const void* mjs_getPluginAttributes(const mjsPlugin* plugin) {
  static std::mutex lock;
  static std::map<const mjsPlugin*, Attributes> made;
  Attributes attributes;
  const char *key, *value;
  const snsPlugin* ours = reinterpret_cast<const snsPlugin*>(plugin);
  for (int i = 0; sn_pluginConfig(ours, i, &key, &value); i++) attributes[key] = value;
  std::lock_guard<std::mutex> guard(lock);
  return &(made[plugin] = attributes);
}
}
