// sinew compile: from XML to the binary form and back, and to one XML file that compiles to the same
// model.
//
// A binary model that is written here holds a bundle: its MJCF and the files of its assets.

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "mjcf/bundle.h"

static int fail(const char* path, const char* reason) {
  fprintf(stderr, "sinew: %s: %s\n", path, reason);
  return EXIT_ERROR;
}

static int write_failed;
static void noteWarning(const char* text) {
  fprintf(stderr, "sinew: %s\n", text);
  write_failed = 1;
}

static int writeBinary(const snModel* m, snBundle bundle, const char* path) {
  sn_setWarningHandler(noteWarning);
  sn_saveModelBundle(m, bundle, path);
  sn_setWarningHandler(NULL);
  return write_failed ? EXIT_ERROR : EXIT_OK;
}

static int hasExtension(const char* path, const char* extension) {
  const char* dot = strrchr(path, '.');
  return dot && !strcmp(dot, extension);
}

// the folder of a file, as the system names it; 0 when there is none
static int folderOf(const char* path, char folder[PATH_MAX]) {
  const char* slash = strrchr(path, '/');
  char name[PATH_MAX];
  size_t length = slash ? (size_t)(slash - path) + 1 : 0;
  if (length >= sizeof(name)) return 0;
  memcpy(name, path, length);
  name[length] = 0;
  return realpath(length ? name : ".", folder) != NULL;
}

// files are named relative to the folder of the XML
static int sameFolder(const char* a, const char* b) {
  char folder[PATH_MAX], other[PATH_MAX];
  return folderOf(a, folder) && folderOf(b, other) && !strcmp(folder, other);
}

static int convertSpec(const snSpec* spec, const char* in, const char* out) {
  char error[1024] = "";
  int xml = hasExtension(out, ".xml");
  if (xml && sameFolder(in, out)) {
    return sn_saveLosslessXML(spec, out, NULL, error, sizeof(error)) ? fail(in, error) : EXIT_OK;
  }
  snBundle bundle;
  snModel* m;
  if (sn_packBundle(spec, NULL, &bundle, &m, error, sizeof(error))) return fail(in, error);
  int code = EXIT_OK;
  if (!xml) {
    code = writeBinary(m, bundle, out);
  } else if (sn_unpackBundle(bundle, out, error, sizeof(error))) {
    code = fail(out, error);
  }
  sn_freeBundle(&bundle);
  sn_deleteModel(m);
  return code;
}

static int convertXML(const char* in, const char* out) {
  char error[1024] = "";
  snSpec* spec = sn_parseXML(in, NULL, error, sizeof(error));
  int code = spec ? convertSpec(spec, in, out) : fail(in, error);
  sn_deleteSpec(spec);
  return code;
}

static int convertBinary(const char* in, const char* out) {
  char error[1024] = "", *bytes;
  size_t size;
  snModel* m = loadBinary(in, &bytes, &size);
  int code = EXIT_ERROR;
  if (m) {
    snBundle bundle = sn_modelBundle(bytes, size);
    if (!hasExtension(out, ".xml")) {
      code = writeBinary(m, bundle, out);
    } else if (!bundle.bytes) {
      fail(in, "holds no XML: it was not written by 'sinew compile'");
    } else if (sn_unpackBundle(bundle, out, error, sizeof(error))) {
      fail(out, error);
    } else {
      code = EXIT_OK;
    }
  }
  free(bytes);
  sn_deleteModel(m);
  return code;
}

int commandCompile(int argc, char** argv) {
  const char* paths[2];
  if (parseArguments(argc, argv, NULL, 0, paths, 2) != 2) return EXIT_USAGE;
  if (!isBinary(paths[1]) && !hasExtension(paths[1], ".xml")) {
    return fail(paths[1], "the name of what is written should end in .xml, .snb or .mjb");
  }
  return isBinary(paths[0]) ? convertBinary(paths[0], paths[1]) : convertXML(paths[0], paths[1]);
}
