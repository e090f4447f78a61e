// Where the worlds of a batch lie on a device: what every kernel is told.
//
// Included by the host, which fills it in, and by the kernels. Addresses are those of the device.

#ifndef SINEW_GPU_WORLDS_H_
#define SINEW_GPU_WORLDS_H_

#include <stdint.h>

#include "base/team.h"

typedef struct snWorlds_ {
  uint64_t model;        // snModel of the first world
  int64_t model_stride;  // bytes to the header of the next world's model; 0: all share one
  uint64_t blocks;       // snData of the first world
  int64_t stride;        // bytes to the next world's data
  uint64_t list;         // numbers of the worlds to work on, ints; 0: all
  int count;             // worlds to work on
  int nworld;            // worlds that there are
  int lanes;             // threads that step a world together
} snWorlds;

#ifdef SN_DEVICE
#include "base/arena.h"
#include "sinew/sinew.h"

static inline snData* worldData(const snWorlds& worlds, int i) {
  return (snData*)(worlds.blocks + (uint64_t)(i * worlds.stride));
}

static inline const snModel* worldModel(const snWorlds& worlds, int i) {
  return (const snModel*)(worlds.model + (uint64_t)(i * worlds.model_stride));
}

// The world of this thread's team of so many lanes, -1 when there is none left for it. First of all
// each lane learns its place, and the warp's fast memory is empty (base/arena.c).
static inline int teamWorld(const snWorlds& worlds, int lanes) {
  int thread = (int)(blockIdx.x * blockDim.x + threadIdx.x), k = thread / lanes;
  sn_setTeamView(lanes << 8 | thread % lanes);
  sn_emptyFastMemory();
  __syncwarp();
  if (k >= worlds.count) return -1;
  return worlds.list ? ((const int*)worlds.list)[k] : k;
}

static inline int worldIndex(const snWorlds& worlds) { return teamWorld(worlds, 1); }
#endif

#endif  // SINEW_GPU_WORLDS_H_
