// Names of files in the lossless form.
//
// A model keeps the names of its files as they were given, so they are written as they were given
// wherever the folders of the text lead to them. Files of attached models and files beside an
// included text lie elsewhere: they are named from the root. So are the folders when the text
// itself goes to another place than the model it was read from.

#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "asset/resource.h"
#include "asset/vfs.h"
#include "compile/compiler.h"
#include "mjcf/writer.h"

enum { PATH_SIZE = 4096 };

// the path from the root when the file exists, else the path as it is
static void writePath(snWriter* w, const char* name, const char* path) {
  char* full = realpath(path, NULL);
  sn_writeText(w, name, full ? full : path);
  free(full);
}

void sn_writeSourceFolder(snWriter* w, const char* name, const snString* folder) {
  char path[PATH_SIZE];
  const char* given = sns_getString(folder);
  if (!w->absolute) {
    if (*given) sn_writeText(w, name, given);
    return;
  }
  const char* base = sns_getString(w->spec->modelfiledir);
  if (sn_pathJoin(*base ? base : "./", given, path, sizeof(path))) writePath(w, name, path);
}

static int exists(const snWriter* w, const char* path) {
  snBytes bytes;
  char* name = sn_normalName(path);
  int virtual = name && (sn_ownerVFS(w->vfs, name, &bytes) || sn_findVFS(w->vfs, name, &bytes));
  snu_free(name);
  return virtual || strchr(path, ':') || !access(path, R_OK);
}

void sn_writeSourceFile(snWriter* w, const snElem* e, const char* name, const snString* file,
                        int texture) {
  char place[PATH_SIZE], path[PATH_SIZE], beside[PATH_SIZE];
  const char* given = sn_assetFile(e, file);
  const snsCompiler* settings = sn_elemCompiler(e);
  const snString* folder = texture ? settings->texturedir : settings->meshdir;
  if (w->bundled) {
    sn_writeName(w, name, file);
    return;
  }
  if (!*given) return;
  if (!sn_pathJoin(sns_getString(folder), given, place, sizeof(place)) ||
      !sn_pathJoin(sn_elemFolder(e), place, path, sizeof(path))) {
    w->problem = "a file name that is too long";
    return;
  }
  int elsewhere = e->origin != NULL;
  if (e->included && !exists(w, path) && sn_pathDirectory(e->file, beside, sizeof(beside)) &&
      beside[0]) {
    elsewhere = sn_pathJoin(beside, given, path, sizeof(path));
  }
  if (elsewhere) {
    writePath(w, name, path);
  } else {
    sn_writeText(w, name, given);
  }
}
