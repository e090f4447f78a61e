// Images of worlds where they are stepped: by a team of lanes, in memory of the device.
//
// Every team has an easel, the memory of one image: scene, frame and band. It draws one world after the other. Shapes and
// textures are there once, for all. The kernel (kernel.cu) and the driver without a GPU (tests/gpu) both call
// snr_drawSlot.

#ifndef SINEW_RENDER_EASEL_H_
#define SINEW_RENDER_EASEL_H_

#include <stdint.h>

#include "gpu/worlds.h"
#include "render/render.h"

SN_EXTERN_C_BEGIN

// what an easel has room for
typedef struct Limits_ {
  int width, height;
  int rows;  // of a band
  int nsample;
  int maxgeom, ninstance, nline;
  int nflexvert, nflexface, nskinvert;
  int traced;       // passes with shadows
  int shadow_size;  // texels of a map along a side
} Limits;

// what was too small: bits
enum { kTooManyGeoms = 1, kTooManyShapes = 2, kTooManyPasses = 4 };

// A call of the kernel; addresses are those of the device.
typedef struct RenderCall_ {
  uint64_t assets;  // Assets
  uint64_t scene;   // snvScene without contents: sizes and places of flexes and skins
  uint64_t easels;
  int64_t easel_bytes;
  uint64_t rgb, depth, ids;  // of all worlds, rows downwards; 0: not wanted
  uint64_t trouble;          // an int
  Limits limits;
  snvOption option;
  int camera;  // -1: the free one
} RenderCall;

typedef struct Easel_ {
  snvScene scene;
  Frame frame;
  Band band;
  ShadowMap shadow[kMaxLamps];
  snByte* rgb;  // colours of objects, before they become numbers
  int ready;    // the frame can be drawn
} Easel;

// Lay an easel out in memory, which may be NULL: the bytes that it takes.
size_t snr_layEasel(Easel* e, const Limits* limits, void* memory, int team);

// Draw the worlds of an easel: number `slot`, and every count-th after it.
void snr_drawSlot(const snWorlds* worlds, int slot, const RenderCall* call);

SN_EXTERN_C_END

#endif  // SINEW_RENDER_EASEL_H_
