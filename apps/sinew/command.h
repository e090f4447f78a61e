// The commands of `sinew`: each parses its own arguments and returns an exit code.

#ifndef SINEW_APPS_COMMAND_H_
#define SINEW_APPS_COMMAND_H_

#include "sinew/sinew.h"

enum { EXIT_OK = 0, EXIT_ERROR = 1, EXIT_USAGE = 2 };

SN_EXTERN_C_BEGIN

// The whole command line; argv[0] is the name of the program.
int runProgram(int argc, char** argv);

int commandRun(int argc, char** argv);
int commandInfo(int argc, char** argv);
int commandBench(int argc, char** argv);
int commandView(int argc, char** argv);
int commandCompile(int argc, char** argv);

// One option of a command line: "--name value".
typedef struct Option_ {
  const char* name;
  const char* value;  // NULL until given
} Option;

// Sort arguments into options and at most max_positional others; returns their number, or -1 after
// a message when an option is unknown, lacks its value, or there are too many others.
int parseArguments(int argc, char** argv, Option* options, int option_count,
                   const char** positional, int max_positional);

// Non-negative number of an option, fallback when it was not given; -1 after a message when bad.
double optionNumber(const Option* option, double fallback);

// Is it the binary form of a model, by extension?
int isBinary(const char* path);

// Load a model from XML or from its binary form, by extension; prints the reason when it fails.
snModel* loadModel(const char* path);

// Load a binary model and keep the bytes of its file, which the caller frees in any case.
snModel* loadBinary(const char* path, char** bytes, size_t* size);

// Seconds on a steady clock.
double secondsNow(void);

SN_EXTERN_C_END

#endif  // SINEW_APPS_COMMAND_H_
