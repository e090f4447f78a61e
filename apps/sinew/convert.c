// sinew compile: from XML to the binary form, and to the XML of the compiled model.

#include <stdio.h>
#include <string.h>

#include "command.h"

static int writeXML(const char* in, const char* out) {
  char error[1024] = "";
  snSpec* spec = sn_parseXML(in, NULL, error, sizeof(error));
  if (!spec) {
    fprintf(stderr, "sinew: %s: %s\n", in, error);
    return EXIT_ERROR;
  }
  snModel* m = sn_compile(spec, NULL);
  sn_setXMLPrecision(0);  // the file is to give the same model
  int failed = !m || sn_saveXML(spec, out, error, sizeof(error));
  if (failed) fprintf(stderr, "sinew: %s: %s\n", m ? out : in, m ? error : sns_getError(spec));
  sn_deleteModel(m);
  sn_deleteSpec(spec);
  return failed ? EXIT_ERROR : EXIT_OK;
}

static int write_failed;
static void noteWarning(const char* text) {
  fprintf(stderr, "sinew: %s\n", text);
  write_failed = 1;
}

int commandCompile(int argc, char** argv) {
  const char* paths[2];
  if (parseArguments(argc, argv, NULL, 0, paths, 2) != 2) return EXIT_USAGE;
  const char* dot = strrchr(paths[1], '.');
  if (dot && !strcmp(dot, ".xml")) {
    if (!isBinary(paths[0])) return writeXML(paths[0], paths[1]);
    fprintf(stderr, "sinew: %s: expected XML, a binary model keeps no elements\n", paths[0]);
    return EXIT_ERROR;
  }
  snModel* m = loadModel(paths[0]);
  if (!m) return EXIT_ERROR;
  sn_setWarningHandler(noteWarning);
  sn_saveModel(m, paths[1], NULL, 0);
  sn_setWarningHandler(NULL);
  sn_deleteModel(m);
  return write_failed ? EXIT_ERROR : EXIT_OK;
}
