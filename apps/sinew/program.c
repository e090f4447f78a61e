// sinew: the command line.

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/suggest.h"
#include "command.h"
#include "model/binary.h"

typedef struct Command_ {
  const char* name;
  int (*run)(int argc, char** argv);
  const char* usage;
  const char* help;
} Command;

static int commandVersion(int argc, char** argv) {
  (void)argv;
  if (argc > 0) return EXIT_USAGE;
  printf("sinew %s (interface of MuJoCo %s)\n", SN_VERSION, sn_versionString());
  return EXIT_OK;
}

static const Command COMMANDS[] = {
    {"run", commandRun,
     "run MODEL [--steps N | --time T] [--keyframe NAME] [--seed S] [--out FILE.csv]\n"
     "            [--record FILE.html|gif|mp4|png] [--camera NAME] [--size WIDTHxHEIGHT]",
     "simulate a model; with a seed, under random controls; --out writes time, qpos and qvel; "
     "--record "
     "films it (a .html replays in any browser; a .png shows the end; an .mp4 needs ffmpeg)"},
    {"view", commandView, "view MODEL [--port N] [--host ADDRESS]",
     "look at a model in the browser, on this machine unless --host says otherwise; needs Python "
     "with "
     "the package sinew-physics[view] (SINEW_PYTHON names it, python3 otherwise)"},
    {"info", commandInfo, "info MODEL", "print sizes, the kinematic tree and warnings"},
    {"bench", commandBench, "bench MODEL [--steps N]", "measure steps per second"},
    {"compile", commandCompile, "compile IN OUT",
     "XML to a binary model (.snb, .mjb) and back, or to the XML of the compiled model (.xml); an "
     "XML "
     "file in another folder gets the files of its assets beside it, in NAME_assets"},
    {"version", commandVersion, "version", "print the version"},
};
enum { COMMAND_COUNT = sizeof(COMMANDS) / sizeof(COMMANDS[0]) };

static void printHelp(FILE* file) {
  fprintf(file, "usage: sinew COMMAND ...\n\n");
  for (int i = 0; i < COMMAND_COUNT; i++) {
    fprintf(file, "  sinew %s\n      %s\n", COMMANDS[i].usage, COMMANDS[i].help);
  }
}

static void printUnknown(const char* what, const char* word, const char* dashes,
                         const snSuggestion* s) {
  fprintf(stderr, "sinew: unknown %s '%s'", what, word);
  if (s->best) fprintf(stderr, ": did you mean '%s%s'?", dashes, s->best);
  fprintf(stderr, "\n");
}

int parseArguments(int argc, char** argv, Option* options, int option_count,
                   const char** positional, int max_positional) {
  int count = 0;
  for (int i = 0; i < argc; i++) {
    if (strncmp(argv[i], "--", 2)) {
      if (count == max_positional) {
        fprintf(stderr, "sinew: unexpected argument '%s'\n", argv[i]);
        return -1;
      }
      positional[count++] = argv[i];
      continue;
    }
    Option* option = NULL;
    snSuggestion s = sn_suggestFor(argv[i] + 2);
    for (int k = 0; k < option_count; k++) {
      if (!strcmp(argv[i] + 2, options[k].name)) option = options + k;
      sn_offer(&s, options[k].name);
    }
    if (!option) {
      printUnknown("option", argv[i], "--", &s);
      return -1;
    }
    if (i + 1 == argc) {
      fprintf(stderr, "sinew: missing value of '%s'\n", argv[i]);
      return -1;
    }
    option->value = argv[++i];
  }
  return count;
}

double optionNumber(const Option* option, double fallback) {
  if (!option->value) return fallback;
  char* end;
  double value = strtod(option->value, &end);
  if (*end || end == option->value || !(value >= 0 && value < 1e15)) {
    fprintf(stderr, "sinew: --%s expects a non-negative number, got '%s'\n", option->name,
            option->value);
    return -1;
  }
  return value;
}

static char* readBytes(const char* path, size_t* size, char* error, int error_sz) {
  FILE* file = fopen(path, "rb");
  if (!file) {
    sn_formatError(error, error_sz, "could not open file: %s", strerror(errno));
    return NULL;
  }
  fseek(file, 0, SEEK_END);
  long length = ftell(file);
  rewind(file);
  char* bytes = length > 0 ? (char*)malloc((size_t)length) : NULL;
  *size = (size_t)length;
  if (!bytes || fread(bytes, 1, *size, file) != *size) {
    sn_formatError(error, error_sz, "could not read file");
    free(bytes);
    bytes = NULL;
  }
  fclose(file);
  return bytes;
}

int isBinary(const char* path) {
  const char* dot = strrchr(path, '.');
  return dot && (!strcmp(dot, ".snb") || !strcmp(dot, ".mjb"));
}

snModel* loadBinary(const char* path, char** bytes, size_t* size) {
  char error[1024] = "";
  *bytes = readBytes(path, size, error, sizeof(error));
  snModel* m = *bytes ? sn_readModel(*bytes, *size, error, sizeof(error)) : NULL;
  if (!m) fprintf(stderr, "sinew: %s: %s\n", path, error);
  return m;
}

snModel* loadModel(const char* path) {
  char error[1024] = "";
  if (isBinary(path)) {
    char* bytes;
    size_t size;
    snModel* m = loadBinary(path, &bytes, &size);
    free(bytes);
    return m;
  }
  snModel* m = sn_loadXML(path, NULL, error, sizeof(error));
  if (!m) fprintf(stderr, "sinew: %s: %s\n", path, error);
  return m;
}

double secondsNow(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int runProgram(int argc, char** argv) {
  if (argc < 2) {
    printHelp(stderr);
    return EXIT_USAGE;
  }
  if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "help")) {
    printHelp(stdout);
    return EXIT_OK;
  }
  if (!strcmp(argv[1], "--version")) return commandVersion(argc - 2, argv + 2);
  snSuggestion s = sn_suggestFor(argv[1]);
  for (int i = 0; i < COMMAND_COUNT; i++) {
    const Command* command = COMMANDS + i;
    sn_offer(&s, command->name);
    if (strcmp(argv[1], command->name)) continue;
    int help = 0;
    for (int k = 2; k < argc; k++) help |= !strcmp(argv[k], "--help");
    if (help) {
      printf("usage: sinew %s\n\n%s\n", command->usage, command->help);
      return EXIT_OK;
    }
    int code = command->run(argc - 2, argv + 2);
    if (code == EXIT_USAGE) fprintf(stderr, "usage: sinew %s\n", command->usage);
    return code;
  }
  printUnknown("command", argv[1], "", &s);
  if (!s.best) printHelp(stderr);
  return EXIT_USAGE;
}
