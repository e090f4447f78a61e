// Sets of up to 64 numbers as the bits of a word.

#ifndef SINEW_BASE_BITS_H_
#define SINEW_BASE_BITS_H_

#include <stdint.h>

enum { snBITS = 64 };

// The least and the largest member of a set that is not empty.
static inline int sn_lowestBit(uint64_t set) {
#ifdef __CUDA_ARCH__
  return __ffsll((long long)set) - 1;
#else
  return __builtin_ctzll(set);
#endif
}

static inline int sn_highestBit(uint64_t set) {
#ifdef __CUDA_ARCH__
  return 63 - __clzll((long long)set);
#else
  return 63 - __builtin_clzll(set);
#endif
}

// How many members a set has. Without an instruction: by pairs, by fours, by bytes, and the sum of the bytes.
static inline int sn_countMembers(uint64_t set) {
#ifdef __CUDA_ARCH__
  return __popcll(set);
#else
  set -= (set >> 1) & 0x5555555555555555u;
  set = (set & 0x3333333333333333u) + ((set >> 2) & 0x3333333333333333u);
  set = (set + (set >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return (int)((set * 0x0101010101010101u) >> 56);
#endif
}

#endif  // SINEW_BASE_BITS_H_
