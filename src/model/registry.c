// The table of the user's plugins, behind those of the library.
//
// Entries are added under a lock and never removed or moved, so that reading needs none: the count is
// raised when the entry is complete.

#include <pthread.h>
#include <string.h>

#include "base/assert.h"
#include "model/plugin.h"
#include "sinew/plugin.h"
#include "sinew/sinew.h"

enum { MAX_PLUGIN = 256 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static snpPlugin table[MAX_PLUGIN];
static int count;

static int size(void) { return __atomic_load_n(&count, __ATOMIC_ACQUIRE); }

const snpPlugin* sn_userPlugin(int slot) {
  return slot >= snNPLUGIN && slot < snNPLUGIN + size() ? &table[slot - snNPLUGIN] : NULL;
}

void snp_defaultPlugin(snpPlugin* plugin) { memset(plugin, 0, sizeof(*plugin)); }

int snp_pluginCount(void) { return snNPLUGIN + size(); }

// texts by value, functions by address
static int equal(const snpPlugin* a, const snpPlugin* b) {
  if (a->nattribute != b->nattribute) return 0;
  for (int i = 0; i < a->nattribute; i++) {
    if (strcmp(a->attributes[i], b->attributes[i])) return 0;
  }
  snpPlugin x = *a;
  x.name = b->name;
  x.attributes = b->attributes;
  return x.capabilityflags == b->capabilityflags && x.needstage == b->needstage &&
         x.nstate == b->nstate && x.nsensordata == b->nsensordata && x.init == b->init &&
         x.destroy == b->destroy && x.copy == b->copy && x.reset == b->reset &&
         x.compute == b->compute && x.advance == b->advance;
}

static char* duplicate(const char* text) {
  size_t length = strlen(text) + 1;
  char* copy = (char*)snu_malloc(length);
  if (copy) memcpy(copy, text, length);
  return copy;
}

// copy of a definition that owns its texts for as long as the process lives
static int copyPlugin(snpPlugin* dest, const snpPlugin* plugin) {
  *dest = *plugin;
  dest->name = duplicate(plugin->name);
  char** names = (char**)snu_malloc((size_t)(plugin->nattribute + 1) * sizeof(char*));
  if (!dest->name || !names) return 0;
  for (int i = 0; i < plugin->nattribute; i++) {
    names[i] = duplicate(plugin->attributes[i] ? plugin->attributes[i] : "");
    if (!names[i]) return 0;
  }
  dest->attributes = (const char* const*)names;
  return 1;
}

int snp_registerPlugin(const snpPlugin* plugin) {
  if (!plugin || !plugin->name || !plugin->name[0]) {
    snu_error(plugin && plugin->name ? "plugin->name is an empty string"
                                     : "plugin->name is a null pointer");
    return -1;
  }
  int slot = sn_pluginSlot(plugin->name);
  if (slot >= 0) {
    const snpPlugin* known = sn_userPlugin(slot);
    // MuJoCo's own libraries bring plugins that are built in here: ours stay
    if (!known || equal(known, plugin)) return slot;
    snu_error("plugin '%s' is already registered", plugin->name);
    return -1;
  }
  snpPlugin copy;
  if (!copyPlugin(&copy, plugin)) return -1;
  pthread_mutex_lock(&lock);
  int n = size(), added = n < MAX_PLUGIN;
  SN_ASSERT(n >= 0 && n <= MAX_PLUGIN);
  if (added) {
    table[n] = copy;
    __atomic_store_n(&count, n + 1, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&lock);
  if (!added) snu_error("more than %d plugins are registered", MAX_PLUGIN);
  return added ? snNPLUGIN + n : -1;
}

// What the library's own plugins show of themselves: name, attributes, capability. They stay where they are.
enum { MAX_ATTRIBUTE = 16 };
static snpPlugin infos[snNPLUGIN];
static const char* attributes[snNPLUGIN][MAX_ATTRIBUTE];

static void describeAll(void) {
  for (int slot = 0; slot < snNPLUGIN; slot++) {
    snpPlugin* info = infos + slot;
    info->name = sn_pluginName(slot);
    info->capabilityflags = sn_pluginCapability(slot);
    info->needstage = snSTAGE_ACC;
    while (info->nattribute < MAX_ATTRIBUTE && sn_pluginAttribute(slot, info->nattribute)) {
      attributes[slot][info->nattribute] = sn_pluginAttribute(slot, info->nattribute);
      info->nattribute++;
    }
    info->attributes = attributes[slot];
  }
}

static const snpPlugin* describe(int slot) {
  SN_ASSERT_INDEX(slot, snNPLUGIN);
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, describeAll);
  return infos + slot;
}

const snpPlugin* snp_getPluginAtSlot(int slot) {
  if (slot < 0 || slot >= snp_pluginCount()) return NULL;
  return slot < snNPLUGIN ? describe(slot) : sn_userPlugin(slot);
}

const snpPlugin* snp_getPlugin(const char* name, int* slot) {
  int found = sn_pluginSlot(name);
  if (slot) *slot = found;
  return snp_getPluginAtSlot(found);
}
