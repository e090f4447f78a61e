// sinew view: the viewer in the browser, which is a program in Python.

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"

// A Python without the package says how to get it.
static const char* const PROGRAM =
    "import sys\n"
    "try:\n"
    "    from sinew.viewer import main\n"
    "except ModuleNotFoundError as error:\n"
    "    if error.name != 'sinew': raise\n"
    "    sys.exit('sinew: the viewer is part of the Python package, which ' + sys.executable + ' "
    "does not have: '\n"
    "             \"pip install 'sinew-physics[view]' (SINEW_PYTHON names another Python)\")\n"
    "sys.exit(main(sys.argv[1:]))\n";

int commandView(int argc, char** argv) {
  Option options[] = {{"port", NULL}, {"host", NULL}};
  const char* path;
  if (parseArguments(argc, argv, options, 2, &path, 1) != 1) return EXIT_USAGE;
  if (options[0].value && optionNumber(options, 0) < 0) return EXIT_USAGE;
  const char* python = getenv("SINEW_PYTHON");
  if (!python || !*python) python = "python3";
  // the model may begin with a dash, so the options come first and "--" ends them
  char* words[10] = {(char*)python, "-c", (char*)PROGRAM};
  int count = 3;
  for (int i = 0; i < 2; i++) {
    if (!options[i].value) continue;
    words[count++] = i ? "--host" : "--port";
    words[count++] = (char*)options[i].value;
  }
  words[count++] = "--";
  words[count++] = (char*)path;
  words[count] = NULL;
  fflush(NULL);
  execvp(python, words);
  fprintf(stderr, "sinew: %s cannot be run: %s; the viewer needs Python (SINEW_PYTHON names it)\n",
          python, strerror(errno));
  return EXIT_ERROR;
}
