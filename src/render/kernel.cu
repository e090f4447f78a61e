// The kernels that draw worlds, one for each phase of an image (easel.h), as one unit with all that draws: a function that is
// called rather than built in would cost as in the kernel that steps worlds (gpu/step_kernel.cu), and every kernel has the
// registers that suit it. Each file stands in a namespace of its own, and the headers before them.

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/team.h"
#include "engine/step/plan.h"
#include "gpu/kernels.h"
#include "render/easel.h"
#include "render/fill.h"
#include "render/render.h"
#include "render/shade.h"

// clang-format off
#define SN_FILE(name) namespace file_##name { extern "C" {
#define SN_END_FILE }}

SN_FILE(view)
#include "render/view.c"
SN_END_FILE
SN_FILE(texture)
#include "render/texture.c"
SN_END_FILE
SN_FILE(frame)
#include "render/frame.c"
SN_END_FILE
SN_FILE(fill)
#include "render/fill.c"
SN_END_FILE
SN_FILE(raster)
#include "render/raster.c"
SN_END_FILE
SN_FILE(shadow)
#include "render/shadow.c"
SN_END_FILE
SN_FILE(run)
#include "render/run.c"
SN_END_FILE
SN_FILE(shade)
#include "render/shade.c"
SN_END_FILE
SN_FILE(line)
#include "render/line.c"
SN_END_FILE
SN_FILE(sky)
#include "render/sky.c"
SN_END_FILE
SN_FILE(band)
#include "render/band.c"
SN_END_FILE
SN_FILE(easel)
#include "render/easel.c"
SN_END_FILE
// clang-format on

using file_easel::snr_drawPhase;

// blocks of a processor, at least: the more, the fewer registers a thread has
#define KERNEL(name, blocks)                                         \
  extern "C" __global__ void __launch_bounds__(kDrawThreads, blocks) \
      sn_kernelDraw##name(snWorlds worlds, RenderCall call) {        \
    int team = teamWorld(worlds, worlds.lanes);                      \
    if (team >= 0) snr_drawPhase(&worlds, &call, kDraw##name, team); \
  }

KERNEL(Scene, 2)
KERNEL(Clear, 8)
KERNEL(Triangles, 2)
KERNEL(Lights, 2)
KERNEL(Colors, 2)
KERNEL(Queries, 6)
KERNEL(Shadows, 2)
KERNEL(Pixels, 2)

// Scenes and images of a device are laid out by its easels; its models have no names.
extern "C" void* snu_malloc(size_t) { return 0; }
extern "C" void snu_free(void*) {}
extern "C" const char* sn_id2name(const snModel*, int, int) { return 0; }
extern "C" const char* snu_type2Str(int) { return ""; }
extern "C" const struct snpPlugin_* snp_getPluginAtSlot(int) { return 0; }
