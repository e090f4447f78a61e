// Random numbers that depend on their seed alone.

#ifndef SINEW_BASE_RANDOM_H_
#define SINEW_BASE_RANDOM_H_

#include <stdint.h>

// Next number of a stream, uniform in [-1, 1) (splitmix64).
static inline double sn_uniform(uint64_t* state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}

#endif  // SINEW_BASE_RANDOM_H_
