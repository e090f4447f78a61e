// The command line as a program of its own.

#include "command.h"

int main(int argc, char** argv) { return runProgram(argc, argv); }
