#include "base/instructions.h"

#if SN_DISPATCH

#include <cpuid.h>
#include <stdlib.h>

int sn_level = 1;

// registers that the system saves for a process, a bit each: 1 and 2 are those of AVX, 5 to 7 of AVX-512
static unsigned savedRegisters(void) {
  unsigned low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

static int levelOfMachine(void) {
  const unsigned v2 = bit_SSE3 | bit_SSSE3 | bit_SSE4_1 | bit_SSE4_2 | bit_POPCNT;
  const unsigned v3 = bit_BMI | bit_AVX2 | bit_BMI2;
  const unsigned v4 = bit_AVX512F | bit_AVX512DQ | bit_AVX512CD | bit_AVX512BW | bit_AVX512VL;
  unsigned a, b, c, d, more_b;
  if (!__get_cpuid(1, &a, &b, &c, &d) || (c & v2) != v2) return 1;
  if (!(c & bit_OSXSAVE) || !(c & bit_AVX) || (savedRegisters() & 6) != 6) return 2;
  if (!__get_cpuid_count(7, 0, &a, &more_b, &c, &d) || (more_b & v3) != v3) return 2;
  if (!__get_cpuid(0x80000001, &a, &b, &c, &d) || !(c & bit_LZCNT)) return 2;
  return (more_b & v4) == v4 && (savedRegisters() & 0xe6) == 0xe6 ? 4 : 3;
}

static __attribute__((constructor)) void chooseLevel(void) {
  const char* wish = getenv("SINEW_INSTRUCTIONS");
  int level = levelOfMachine();
  if (wish && wish[0] == 'v' && wish[1] >= '1' && wish[1] <= '4' && !wish[2] &&
      wish[1] - '0' < level)
    level = wish[1] - '0';
  sn_level = level;
}

const char* sn_instructions(void) {
  static const char* const name[] = {"x86-64-v1", "x86-64-v2", "x86-64-v3", "x86-64-v4"};
  return name[sn_level - 1];
}

#else

const char* sn_instructions(void) { return ""; }

#endif
