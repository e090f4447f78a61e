// Prints the instruction set whose kernels the library uses here: x86-64-v3, for instance; "one" where there is
// nothing to choose.

#include <stdio.h>

#include "base/instructions.h"

int main(void) {
  const char* name = sn_instructions();
  printf("%s\n", *name ? name : "one");
  return 0;
}
