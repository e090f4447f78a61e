// Images of worlds where they are stepped: by teams of lanes, in memory of the device.
//
// Every image that is being drawn has an easel, its memory: scene, frame and band. Shapes and textures are there once, for
// all. An image is drawn in phases, one launch each, so that teams which share it wait for one another between two of them, and
// all that run at a time have the same instructions. The kernels (kernel.cu) and the driver without a GPU (tests/gpu) both
// call snr_drawPhase.

#ifndef SINEW_RENDER_EASEL_H_
#define SINEW_RENDER_EASEL_H_

#include <stdint.h>

#include "gpu/worlds.h"
#include "render/fill.h"

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
  int phase;
  int world;        // of the first easel
  int y0;           // first row of the band
  int segment;      // objects and depth instead of colours
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
size_t snr_layEasel(Easel* e, const Limits* limits, void* memory);

// The phases of an image, in their order: name, teams that share it, whether they need fast memory for triangles. The
// first one is for all of it, the others for each of its bands in turn.
#define SNR_PHASES(X) \
  X(Scene, 1, 0)      \
  X(Clear, 2, 0)      \
  X(Triangles, 4, 1)  \
  X(Lights, 4, 0)     \
  X(Colors, 4, 0)     \
  X(Queries, 2, 0)    \
  X(Shadows, 4, 1)    \
  X(Pixels, 4, 0)

#define SNR_PHASE(name, teams, fast) kDraw##name,
enum { SNR_PHASES(SNR_PHASE) kDrawPhases };
#undef SNR_PHASE

enum { kMostTeams = 4, kDrawThreads = 256 };  // of a phase; threads of a block

static inline int snr_phaseTeams(int phase) {
#define SNR_PHASE(name, teams, fast) teams,
  const int number[kDrawPhases] = {SNR_PHASES(SNR_PHASE)};
#undef SNR_PHASE
  return number[phase];
}

// bytes of fast memory of a team
static inline int snr_phaseFast(int phase) {
#define SNR_PHASE(name, teams, fast) fast,
  const int needs[kDrawPhases] = {SNR_PHASES(SNR_PHASE)};
#undef SNR_PHASE
  return needs[phase] ? (int)(sizeof(Verts) + kQueue * sizeof(Ready)) : 0;
}

// A team's part of a phase. Teams are numbered through all easels, those of an image one after the other.
#ifndef SN_DEVICE  // part of the kernels
void snr_drawPhase(const snWorlds* worlds, const RenderCall* call, int phase, int team);
#endif

SN_EXTERN_C_END

#endif  // SINEW_RENDER_EASEL_H_
