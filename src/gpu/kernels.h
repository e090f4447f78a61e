// Which world a thread of the device works on.

#ifndef SINEW_GPU_KERNELS_H_
#define SINEW_GPU_KERNELS_H_

#include "base/arena.h"
#include "gpu/worlds.h"

// The world of this thread's team of so many lanes, -1 when there is none left for it. First of all
// each lane learns its place, and the team's fast memory is empty (base/arena.c).
static inline int teamWorld(const snWorlds& worlds, int lanes) {
  int thread = (int)(blockIdx.x * blockDim.x + threadIdx.x), k = thread / lanes;
  sn_setTeamView(lanes << 8 | (31 - __clz(lanes)) << SN_VIEW_LOG | thread % lanes);
  sn_emptyFastMemory();
  __syncwarp();
  if (k >= worlds.count) return -1;
  return worlds.list ? ((const int*)worlds.list)[k] : k;
}

static inline int worldIndex(const snWorlds& worlds) { return teamWorld(worlds, 1); }

#endif  // SINEW_GPU_KERNELS_H_
