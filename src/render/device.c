// Images of the worlds of a GPU: memory and launches. The kernel is snr_drawSlot (easel.c).

#include "render/device.h"

#include <string.h>

#include "base/error.h"
#include "batch/batch.h"
#include "gpu/batch.h"
#include "render/device_assets.h"
#include "render/easel.h"

enum { kBandSamples = 1 << 16 };  // of a band: 128 x 128 pixels with four samples

struct DeviceRenderer_ {
  Limits limits;
  uint64_t assets, scene;  // on the device
  uint64_t easels, trouble;
  int64_t easel_bytes;
  int easel_count;
};

static void deviceError(char* error, int error_sz) {
  sn_formatError(error, error_sz, "%s", sn_lastError());
}

// ---- what an easel needs ----

// shapes of the first world as it is now, with room to spare; worlds that need more make it grow
static void countShapes(const snModel* m, const snvOption* option, snvScene* scn, Limits* l) {
  snvCamera camera;
  snData* d = sn_makeData(m);
  if (!d) return;
  sn_forward(m, d);
  snv_defaultFreeCamera(m, &camera);
  snv_updateScene(m, d, option, NULL, &camera, snCAT_ALL, scn);
  int nline = 0, ninstance = snr_countInstances(scn, NULL, &nline);
  l->maxgeom = scn->ngeom + scn->ngeom / 4 + 16;
  l->ninstance = ninstance + ninstance / 4 + 16;
  l->nline = nline;
  sn_deleteData(d);
}

static void setLimits(const snModel* m, const snvScene* scn, int width, int height, Limits* l) {
  l->width = width;
  l->height = height;
  l->nsample = m->vis.quality.offsamples > 0 ? 4 : 1;
  l->rows = kBandSamples / (width * l->nsample);
  l->rows = l->rows < 1 ? 1 : l->rows > height ? height : l->rows;
  l->nflexvert = (int)(m->nflexvert + m->ndeformvert);
  l->nflexface = 0;
  for (int i = 0; i < scn->nflex; i++) l->nflexface += scn->flexfacenum[i];
  l->nskinvert = (int)m->nskinvert;
  l->shadow_size = m->vis.quality.shadowsize;
  l->traced = 0;
  int usable = l->shadow_size >= 8 && l->shadow_size <= 1 << 14;
  for (int i = 0; usable && i < m->nlight; i++) l->traced += m->light_castshadow[i] != 0;
  if (l->traced > kMaxLamps) l->traced = kMaxLamps;
}

// ---- memory of the device ----

static int uploadAssets(DeviceRenderer* r, snGpuBatch* b, const snModel* m, const snvScene* scn) {
  Assets* assets = snr_makeAssets(m);
  if (!assets) {
    snu_error("no memory for the shapes and textures of a model");
    return 0;
  }
  size_t size = snr_packAssets(assets, scn, NULL, 0, &r->scene);
  char* bytes = (char*)snu_malloc(size);
  r->assets = bytes ? sn_gpuReserve(b, size) : 0;
  int done = 0;
  if (r->assets) {
    memset(bytes, 0, size);
    snr_packAssets(assets, scn, bytes, r->assets, &r->scene);
    done = !sn_gpuFailed(b, b->driver->upload(r->assets, bytes, size), "uploading shapes");
  }
  snu_free(bytes);
  snr_freeAssets(assets);
  return done;
}

// Easels for all teams that can work at a time, and for as many again so that the last ones of a launch fill the device
// less often, in no more than half of the memory that is left.
static int makeEasels(DeviceRenderer* r, snGpuBatch* b) {
  Easel plan;
  int processors = 0;
  size_t free_bytes = 0, total = 0;
  memset(&plan, 0, sizeof(plan));
  plan.scene.nflex = (int)(b->model->nflex + b->model->ndeformable);
  plan.scene.nskin = (int)b->model->nskin;
  r->easel_bytes = (int64_t)snr_layEasel(&plan, &r->limits, NULL);
  sn_gpuRelease(r->easels);
  r->easels = 0;
  b->driver->deviceAttribute(&processors, CU_PROCESSORS, b->driver->device);
  b->driver->memoryInfo(&free_bytes, &total);
  int64_t room = (int64_t)(free_bytes / 2) / r->easel_bytes;
  int64_t count = (int64_t)2 * snBLOCK_TEAMS * (processors > 0 ? processors : 1);
  if (count > b->worlds.nworld) count = b->worlds.nworld;
  if (count > room) count = room;
  r->easel_count = count > 1 ? (int)count : 1;
  r->easels = sn_gpuReserve(b, (size_t)r->easel_bytes * (size_t)r->easel_count);
  return r->easels != 0;
}

DeviceRenderer* snr_makeDevice(const snBatch* batch, int width, int height, char* error,
                               int error_sz) {
  snGpuBatch* b = batch->gpu;
  snvScene scn;
  DeviceRenderer* r = (DeviceRenderer*)snu_malloc(sizeof(*r));
  if (!r) {
    sn_formatError(error, error_sz, "no memory for images of %d x %d pixels", width, height);
    return NULL;
  }
  memset(r, 0, sizeof(*r));
  snv_defaultScene(&scn);
  snv_makeScene(b->model, &scn, 1);
  sn_gpuEnter(b);
  setLimits(b->model, &scn, width, height, &r->limits);
  r->trouble = sn_gpuReserve(b, sizeof(int));
  int made = r->trouble && scn.maxgeom && uploadAssets(r, b, b->model, &scn);
  snv_freeScene(&scn);
  if (made) return r;
  deviceError(error, error_sz);
  snr_deleteDevice(r);
  return NULL;
}

void snr_deleteDevice(DeviceRenderer* r) {
  if (!r) return;
  sn_gpuRelease(r->assets);
  sn_gpuRelease(r->easels);
  sn_gpuRelease(r->trouble);
  snu_free(r);
}

// ---- drawing ----

// Room for the shapes that an option shows; 0 on failure.
static int prepareEasels(DeviceRenderer* r, snGpuBatch* b, const snvOption* option) {
  Limits* l = &r->limits;
  if (l->maxgeom) return 1;
  snvScene scn;
  snv_defaultScene(&scn);
  snv_makeScene(b->model, &scn, 100000);
  if (!scn.maxgeom) return 0;
  countShapes(b->model, option, &scn, l);
  snv_freeScene(&scn);
  if (!l->maxgeom) {
    snu_error("no memory for the shapes of a scene");
    return 0;
  }
  return makeEasels(r, b);
}

// larger easels, after what the worlds complained about
static int growEasels(DeviceRenderer* r, snGpuBatch* b, int trouble) {
  Limits* l = &r->limits;
  if (trouble & kTooManyGeoms) l->maxgeom *= 2;
  if (trouble & (kTooManyGeoms | kTooManyShapes)) {
    l->ninstance *= 2;
    l->nline = 2 * l->nline + 100;
  }
  if (trouble & kTooManyPasses) l->traced = kMaxLamps;
  if (l->maxgeom > 1 << 22 || l->ninstance > 1 << 24) {
    snu_error("a scene has too many shapes to draw");
    return 0;
  }
  return makeEasels(r, b);
}

// one phase of the images on all easels that are in use
static int drawPhase(snGpuBatch* b, RenderCall* call, int phase, int easels) {
  snWorlds teams = b->worlds;
  void* arguments[] = {&teams, call};
  call->phase = phase;
  teams.count = easels * snr_phaseTeams(phase);
  return sn_gpuQueueTeams(b, snKERNEL_DRAW_SCENE + phase, &teams, kDrawThreads,
                          snr_phaseFast(phase), arguments, "drawing");
}

// images of all worlds, as many at a time as there are easels
static int drawWorlds(const DeviceRenderer* r, snGpuBatch* b, const DeviceImages* images) {
  const Limits* l = &r->limits;
  int nworld = b->worlds.nworld, colors = images->rgb != 0, objects = images->depth || images->ids;
  for (int segment = !colors; segment <= objects; segment++) {
    RenderCall call = {0,
                       0,
                       0,
                       segment,
                       r->assets,
                       r->scene,
                       r->easels,
                       r->easel_bytes,
                       images->rgb,
                       images->depth,
                       images->ids,
                       r->trouble,
                       *l,
                       *images->option,
                       images->camera};
    for (; call.world < nworld; call.world += r->easel_count) {
      int left = nworld - call.world, easels = left < r->easel_count ? left : r->easel_count;
      if (!drawPhase(b, &call, kDrawScene, easels)) return 0;
      for (call.y0 = 0; call.y0 < l->height; call.y0 += l->rows) {
        for (int phase = kDrawScene + 1; phase < kDrawPhases; phase++) {
          if (!drawPhase(b, &call, phase, easels)) return 0;
        }
      }
    }
  }
  return 1;
}

int snr_drawDevice(DeviceRenderer* r, const snBatch* batch, const DeviceImages* images) {
  snGpuBatch* b = batch->gpu;
  sn_gpuEnter(b);
  if (images->option->label) {
    snu_error("images drawn on a GPU have no labels");
    return -1;
  }
  if (!prepareEasels(r, b, images->option)) return -1;
  for (;;) {
    int trouble = 0;
    if (sn_gpuFailed(b, b->driver->upload(r->trouble, &trouble, sizeof(trouble)), "upload") ||
        !drawWorlds(r, b, images) ||
        sn_gpuFailed(b, b->driver->download(&trouble, r->trouble, sizeof(trouble)), "download")) {
      return -1;
    }
    if (!trouble) return 0;
    if (!growEasels(r, b, trouble)) return -1;
  }
}

// one kind of image by way of memory of the device
static int drawOne(DeviceRenderer* r, const snBatch* b, DeviceImages* images, uint64_t* place,
                   void* target, size_t bytes) {
  if (!target) return 0;
  *place = sn_gpuReserve(b->gpu, bytes);
  if (!*place) return -1;
  int code = snr_drawDevice(r, b, images);
  if (!code && sn_gpuFailed(b->gpu, b->gpu->driver->download(target, *place, bytes), "download"))
    code = -1;
  sn_gpuRelease(*place);
  *place = 0;
  return code;
}

int snr_drawDeviceToHost(DeviceRenderer* r, const snBatch* b, int camera, const snvOption* option,
                         unsigned char* rgb, float* depth, int* ids) {
  DeviceImages images = {camera, option, 0, 0, 0};
  size_t pixels = (size_t)b->nworld * r->limits.width * r->limits.height;
  if (drawOne(r, b, &images, &images.rgb, rgb, 3 * pixels)) return -1;
  if (drawOne(r, b, &images, &images.depth, depth, pixels * sizeof(float))) return -1;
  return drawOne(r, b, &images, &images.ids, ids, 2 * pixels * sizeof(int));
}
