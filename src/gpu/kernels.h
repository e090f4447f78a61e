// Which world a thread of the device works on.

#ifndef SINEW_GPU_KERNELS_H_
#define SINEW_GPU_KERNELS_H_

#include "base/arena.h"
#include "gpu/worlds.h"

// The world of this thread's team, which has so many lanes; -1 when there are fewer worlds. Also sets the view of each
// lane (base/team.h) and empties the team's fast memory (base/arena.c).
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
