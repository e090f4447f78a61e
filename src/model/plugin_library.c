// Plugins in libraries that are loaded while the program runs. A library registers its plugins when
// it is loaded, in a constructor.

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "sinew/plugin.h"

// Functions of this library must be the ones that the plugins find, also where this library itself
// was loaded for one user only, as Python does it.
static void offerSymbols(void) {
  Dl_info info;
  union {
    int (*function)(const snpPlugin*);
    const void* address;
  } own = {snp_registerPlugin};
  if (dladdr(own.address, &info) && info.dli_fname) {
    void* library = dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
    if (library) dlclose(library);
  }
}

// how many plugins came; 0 and *known when the library was loaded before, -1 with the reason
static int load(const char* path, int* known, char* error, int error_sz) {
  void* loaded = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
  *known = loaded != NULL;
  if (loaded) {
    dlclose(loaded);
    return 0;
  }
  offerSymbols();
  int before = snp_pluginCount();
  if (dlopen(path, RTLD_NOW | RTLD_LOCAL)) return snp_pluginCount() - before;
  sn_formatError(error, error_sz, "Error loading plugin library '%s': %s%s", path, dlerror(),
                 sn_plainMessages() ? "\n" : "");
  return -1;
}

int snp_loadLibrary(const char* path, char* error, int error_sz) {
  int known;
  if (error && error_sz > 0) error[0] = 0;
  if (!path || !*path) {
    sn_formatError(error, error_sz, "Error loading plugin library: no file name");
    return -1;
  }
  int added = load(path, &known, error, error_sz);
  if (added || known) return added;
  sn_formatError(error, error_sz,
                 "Error loading plugin library '%s': it registered no plugins (it must be built "
                 "with sinew/plugin.h)",
                 path);
  return -1;
}

int snp_loadAllLibraries(const char* directory, snfPluginLibrary callback, char* error,
                         int error_sz) {
  DIR* folder = directory ? opendir(directory) : NULL;
  int count = 0, known;
  if (error && error_sz > 0) error[0] = 0;
  for (struct dirent* entry; folder && (entry = readdir(folder));) {
    size_t length = strlen(entry->d_name);
    char path[4096];
    if (length < 4 || strcmp(entry->d_name + length - 3, ".so")) continue;
    if (snprintf(path, sizeof(path), "%s/%s", directory, entry->d_name) >= (int)sizeof(path)) {
      continue;
    }
    int before = snp_pluginCount(), added = load(path, &known, error, error_sz);
    if (added < 0) {
      count = -1;
      break;
    }
    if (callback && added) callback(entry->d_name, before, added);
    count += added;
  }
  if (folder) closedir(folder);
  return count;
}
