// Binary models from files, on disk or in memory.

#include "asset/resource.h"

snModel* sn_loadModel(const char* filename, const snVFS* vfs) {
  char error[300] = "";
  snResource resource;
  if (sn_openResource(&resource, vfs, NULL, filename, error, sizeof(error))) {
    snu_warning("Error opening file '%s'", filename);
    return NULL;
  }
  snModel* m = sn_loadModelBuffer(resource.bytes.data, (int)resource.bytes.size);
  sn_closeResource(&resource);
  return m;
}
