// Images of the worlds of a batch: every thread has a context, a scene and data of its own; shapes and
// textures are shared.

#include "base/assert.h"
#include "sinew/batch_render.h"

#include <string.h>

#include "base/error.h"
#include "base/parallel.h"
#include "render/context.h"
#include "render/device.h"

typedef struct Artist_ {
  snrContext con;
  snvScene scene;
  snData* d;
  char failure[snMESSAGE_SIZE];  // of the last images; empty: none
} Artist;

struct snBatchRenderer_ {
  int width, height;
  int nartist;
  Artist* artist;
  snWorkers* workers;
  snReal* state;  // of all worlds
  int state_size, nworld;
  DeviceRenderer* device;  // of a batch on a GPU, in place of artists
};

// what the threads share while they draw
typedef struct Job_ {
  snBatchRenderer* r;
  const snBatch* b;
  const snvOption* option;
  int camera;
  unsigned char* rgb;
  float* depth;
  int* ids;
} Job;

static int makeArtist(Artist* a, const snModel* m, Artist* first, int width, int height) {
  snv_defaultScene(&a->scene);
  a->d = sn_makeData(m);
  if (!a->d) return 0;
  snv_makeScene(m, &a->scene,
                m->ngeom + m->nsite + m->nskin + m->nflex + m->ndeformable + 4 * m->nwrap + 1000);
  if (!a->scene.maxgeom) return 0;
  return snr_makeShared(m, &a->con, first == a ? NULL : &first->con, width, height);
}

// all that a renderer owns; 0 when there is no memory
static int fill(snBatchRenderer* r, const snBatch* b, int nthread) {
  const snModel* m = sn_batchModel(b, 0);
  r->workers = sn_workersCreate(nthread);
  if (!r->workers) return 0;
  r->nartist = sn_workersCount(r->workers);
  if (r->nartist > r->nworld) r->nartist = r->nworld;
  r->artist = snu_malloc(r->nartist * sizeof(Artist));
  r->state = snu_malloc((size_t)r->nworld * r->state_size * sizeof(snReal) + 1);
  if (r->artist) memset(r->artist, 0, r->nartist * sizeof(Artist));
  int ok = r->artist && r->state;
  for (int i = 0; ok && i < r->nartist; i++) {
    ok = makeArtist(r->artist + i, m, r->artist, r->width, r->height);
  }
  return ok;
}

// what is wrong with a request for a renderer, in words; 0: nothing
static int isRefused(const snBatch* b, int width, int height, int nthread, char* error,
                     int error_sz) {
  if (!b || nthread < 0) {
    sn_formatError(error, error_sz, b ? "a number of threads is negative" : "there is no batch");
    return 1;
  }
  if (width < 1 || height < 1 || width > snr_mostPixels() || height > snr_mostPixels()) {
    sn_formatError(error, error_sz, "images of %d x %d pixels: sizes from 1 to %d are possible",
                   width, height, snr_mostPixels());
    return 1;
  }
  return 0;
}

snBatchRenderer* sn_makeBatchRenderer(const snBatch* b, int width, int height, int nthread,
                                      char* error, int error_sz) {
  char problem[snMESSAGE_SIZE], warning[snMESSAGE_SIZE];
  if (isRefused(b, width, height, nthread, error, error_sz)) return NULL;
  snBatchRenderer* r = snu_malloc(sizeof(*r));
  int ok = 0, on_gpu = sn_batchOnGpu(b);
  if (r) {
    memset(r, 0, sizeof(*r));
    r->width = width;
    r->height = height;
    r->nworld = sn_batchWorlds(b);
    r->state_size = sn_stateSize(sn_batchModel(b, 0), snSTATE_INTEGRATION);
    sn_holdMessages(problem, warning);  // a handler might leave with what is half made
    if (on_gpu) r->device = snr_makeDevice(b, width, height, error, error_sz);
    ok = on_gpu ? r->device != NULL : fill(r, b, nthread);
    sn_releaseMessages();
  }
  if (ok) return r;
  if (!r || !on_gpu)
    sn_formatError(error, error_sz, "no memory for images of %d x %d pixels", width, height);
  sn_deleteBatchRenderer(r);
  return NULL;
}

void sn_deleteBatchRenderer(snBatchRenderer* r) {
  if (!r) return;
  for (int i = r->artist ? r->nartist - 1 : -1; i >= 0; i--) {
    Artist* a = r->artist + i;
    snr_freeContext(&a->con);
    snv_freeScene(&a->scene);
    sn_deleteData(a->d);
  }
  snr_deleteDevice(r->device);
  sn_workersDelete(r->workers);
  snu_free(r->artist);
  snu_free(r->state);
  snu_free(r);
}

// ---- images ----

// positions of everything that is drawn, from the state
static void place(const snModel* m, snData* d, const snReal* state) {
  sn_setState(m, d, state, snSTATE_INTEGRATION);
  sn_kinematics(m, d);
  sn_comPos(m, d);
  sn_camlight(m, d);
  sn_flex(m, d);
  sn_tendon(m, d);
}

static void copyColors(const State* s, unsigned char* rgb) {
  for (int y = 0; y < s->height; y++) {
    memcpy(rgb + 3 * (size_t)y * s->width, s->rgb + 3 * (size_t)(s->height - 1 - y) * s->width,
           3 * (size_t)s->width);
  }
}

static void copyDepth(const State* s, float* depth) {
  for (int y = 0; y < s->height; y++) {
    const float* from = s->depth + (size_t)(s->height - 1 - y) * s->width;
    float* to = depth + (size_t)y * s->width;
    for (int x = 0; x < s->width; x++) to[x] = snr_metres(&s->frame.view, from[x]);
  }
}

static void copyIds(const State* s, const snvScene* scn, int* ids) {
  for (int y = 0; y < s->height; y++) {
    const snByte* from = s->rgb + 3 * (size_t)(s->height - 1 - y) * s->width;
    int* to = ids + 2 * (size_t)y * s->width;
    for (int x = 0; x < s->width; x++) snr_objectOf(scn, from + 3 * x, to + 2 * x);
  }
}

static void drawWorld(const Job* job, Artist* a, int world) {
  SN_ASSERT_INDEX(world, job->r->nworld);
  SN_ASSERT(a->con.state);
  snBatchRenderer* r = job->r;
  const snModel* m = sn_batchModel(job->b, world);
  size_t pixels = (size_t)r->width * r->height * world;
  snvCamera camera;
  snrRect rect = {0, 0, r->width, r->height};
  place(m, a->d, r->state + (size_t)world * r->state_size);
  snv_defaultFreeCamera(m, &camera);
  if (job->camera >= 0) {
    camera.type = snCAMERA_FIXED;
    camera.fixedcamid = job->camera;
  }
  snv_updateScene(m, a->d, job->option, NULL, &camera, snCAT_ALL, &a->scene);
  const State* s = a->con.state;
  if (job->rgb) {
    a->scene.flags[snRND_SEGMENT] = 0;
    snr_render(rect, &a->scene, &a->con);
    if (a->failure[0]) return;
    copyColors(s, job->rgb + 3 * pixels);
  }
  if (!job->depth && !job->ids) return;
  a->scene.flags[snRND_SEGMENT] = a->scene.flags[snRND_IDCOLOR] = 1;
  snr_render(rect, &a->scene, &a->con);
  if (a->failure[0]) return;  // what is there are colours, not numbers of objects
  if (job->depth) copyDepth(s, job->depth + pixels);
  if (job->ids) copyIds(s, &a->scene, job->ids + 2 * pixels);
}

// Artist i draws the worlds i, i + n, i + 2n, ... Handlers belong to the thread that asked for the images:
// it hears of errors when all are done.
static void drawRange(void* context, int begin, int end) {
  SN_ASSERT_PART(begin, end - begin, ((const Job*)context)->r->nartist);
  const Job* job = context;
  char warning[snMESSAGE_SIZE];
  for (int i = begin; i < end; i++) {
    Artist* a = job->r->artist + i;
    sn_holdMessages(a->failure, warning);
    for (int world = i; world < job->r->nworld && !a->failure[0]; world += job->r->nartist) {
      drawWorld(job, a, world);
    }
    warning[0] = 0;
    sn_releaseMessages();
  }
}

// whether a renderer can draw what a camera of a batch sees
static int canDraw(const snBatchRenderer* r, const snBatch* b, int camera) {
  const snModel* m = b ? sn_batchModel(b, 0) : NULL;
  if (!r || !m) {
    snu_error("sn_batchRender: there is no %s", r ? "batch" : "renderer");
    return 0;
  }
  if (camera < -1 || camera >= m->ncam) {
    snu_error("The camera id %d is out of range [-1, %d).", camera, (int)m->ncam);
    return 0;
  }
  if (sn_batchWorlds(b) != r->nworld || sn_stateSize(m, snSTATE_INTEGRATION) != r->state_size ||
      sn_batchOnGpu(b) != (r->device != NULL)) {
    snu_error("the renderer was made for another batch");
    return 0;
  }
  return 1;
}

int sn_batchRender(snBatchRenderer* r, const snBatch* b, int camera, const snvOption* option,
                   unsigned char* rgb, float* depth, int* ids) {
  snvOption usual;
  if (!canDraw(r, b, camera)) return -1;
  snv_defaultOption(&usual);
  if (!option) option = &usual;
  if (r->device) return snr_drawDeviceToHost(r->device, b, camera, option, rgb, depth, ids);
  if (sn_batchGetState(b, r->state, snSTATE_INTEGRATION)) return -1;
  Job job = {r, b, option, camera, rgb, depth, ids};
  sn_parallelFor(r->workers, r->nartist, 1, drawRange, &job);
  for (int i = 0; i < r->nartist; i++) {
    if (!r->artist[i].failure[0]) continue;
    snu_error("%s", r->artist[i].failure);
    return -1;
  }
  return 0;
}

int sn_batchRenderAt(snBatchRenderer* r, const snBatch* b, int camera, const snvOption* option,
                     uint64_t rgb, uint64_t depth, uint64_t ids) {
  snvOption usual;
  if (!canDraw(r, b, camera)) return -1;
  if (!r->device) {
    snu_error("sn_batchRenderAt: the batch is not on a GPU");
    return -1;
  }
  snv_defaultOption(&usual);
  DeviceImages images = {camera, option ? option : &usual, rgb, depth, ids};
  return snr_drawDevice(r->device, b, &images);
}
