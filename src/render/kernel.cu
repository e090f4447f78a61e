// The kernel that draws worlds: a team for each easel.

#include "gpu/kernels.h"
#include "render/easel.h"

extern "C" __global__ void sn_kernelRender(snWorlds worlds, RenderCall call) {
  int slot = teamWorld(worlds, worlds.lanes);
  if (slot >= 0) snr_drawSlot(&worlds, slot, &call);
}

// Scenes and images of a device are laid out by its easels; its models have no names.
extern "C" void* snu_malloc(size_t) { return 0; }
extern "C" void snu_free(void*) {}
extern "C" const char* sn_id2name(const snModel*, int, int) { return 0; }
extern "C" const char* snu_type2Str(int) { return ""; }
extern "C" const struct snpPlugin_* snp_getPluginAtSlot(int) { return 0; }
