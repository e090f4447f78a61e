// Loading a model from a file: parse and compile.

#include <pthread.h>
#include <stdio.h>

#include "base/error.h"
#include "compile/compiler.h"
#include "sinew/sinew.h"

// The spec of the last model that was loaded, for sn_saveLastXML.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static snSpec* last;

void sn_keepLastXML(snSpec* spec) {
  pthread_mutex_lock(&lock);
  snSpec* old = last;
  last = spec;
  pthread_mutex_unlock(&lock);
  sn_deleteSpec(old);
}

snModel* sn_loadXML(const char* filename, const snVFS* vfs, char* error, int error_sz) {
  if (error && error_sz > 0) error[0] = 0;
  snSpec* spec = sn_parseXML(filename, vfs, error, error_sz);
  if (!spec) return NULL;
  snModel* m = sn_compile(spec, vfs);
  if (!m || sns_isWarning(spec)) sn_formatError(error, error_sz, "%s", sns_getError(spec));
  if (!m) {
    sn_deleteSpec(spec);
    return NULL;
  }
  sn_keepLastXML(spec);
  return m;
}

void sn_freeLastXML(void) { sn_keepLastXML(NULL); }

int sn_saveLastXML(const char* filename, const snModel* m, char* error, int error_sz) {
  pthread_mutex_lock(&lock);
  int result = 0;
  if (!last) {
    sn_formatError(error, error_sz, "No XML model loaded");
  } else {
    if (m) sn_refreshResolved(last, m);
    result = sn_saveXML(last, filename, error, error_sz) + 1;
  }
  pthread_mutex_unlock(&lock);
  return result;
}
