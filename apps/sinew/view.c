// sinew view: the viewer in the browser, which is a program in Python.

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"

int commandView(int argc, char** argv) {
  Option options[] = {{"port", NULL}, {"host", NULL}};
  const char* path;
  if (parseArguments(argc, argv, options, 2, &path, 1) != 1) return EXIT_USAGE;
  if (options[0].value && optionNumber(options, 0) < 0) return EXIT_USAGE;
  const char* python = getenv("SINEW_PYTHON");
  if (!python || !*python) python = "python3";
  // the model may begin with a dash, so the options come first and "--" ends them
  char* words[10] = {(char*)python, "-m", "sinew.viewer"};
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
