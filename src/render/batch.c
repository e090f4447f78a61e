// Images of the worlds of a batch: every thread has a context, a scene and data of its own; shapes and
// textures are shared.

#include "sinew/batch_render.h"

#include <string.h>

#include "base/error.h"
#include "base/parallel.h"
#include "render/context.h"

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
  r->nworld = sn_batchWorlds(b);
  r->state_size = sn_stateSize(m, snSTATE_INTEGRATION);
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

snBatchRenderer* sn_makeBatchRenderer(const snBatch* b, int width, int height, int nthread,
                                      char* error, int error_sz) {
  char problem[snMESSAGE_SIZE], warning[snMESSAGE_SIZE];
  if (!b || nthread < 0) {
    sn_formatError(error, error_sz, b ? "a number of threads is negative" : "there is no batch");
    return NULL;
  }
  if (width < 1 || height < 1 || width > snr_mostPixels() || height > snr_mostPixels()) {
    sn_formatError(error, error_sz, "images of %d x %d pixels: sizes from 1 to %d are possible",
                   width, height, snr_mostPixels());
    return NULL;
  }
  snBatchRenderer* r = snu_malloc(sizeof(*r));
  if (r) {
    memset(r, 0, sizeof(*r));
    r->width = width;
    r->height = height;
    sn_holdMessages(problem, warning);  // a handler might leave with what is half made
    int ok = fill(r, b, nthread);
    sn_releaseMessages();
    if (ok) return r;
  }
  sn_deleteBatchRenderer(r);
  sn_formatError(error, error_sz, "no memory for images of %d x %d pixels", width, height);
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

// D from Z = d - c D, W = D: see view.c
static void copyDepth(const State* s, float* depth) {
  const View* v = &s->frame.view;
  float n = (float)v->near, f = (float)v->far;
  double c = -0.5f * (-(f + n) / (f - n)) - 0.5f, d = -0.5f * (-(2 * f * n) / (f - n));
  for (int y = 0; y < s->height; y++) {
    const float* from = s->depth + (size_t)(s->height - 1 - y) * s->width;
    for (int x = 0; x < s->width; x++) {
      double z = from[x];
      depth[(size_t)y * s->width + x] = (float)(v->orthographic ? f - z * (f - n) : d / (z + c));
    }
  }
}

static void copyIds(const State* s, const snvScene* scn, int* ids) {
  for (int y = 0; y < s->height; y++) {
    const snByte* from = s->rgb + 3 * (size_t)(s->height - 1 - y) * s->width;
    for (int x = 0; x < s->width; x++, from += 3) {
      int geom = (from[0] | from[1] << 8 | from[2] << 16) - 1;
      int* out = ids + 2 * ((size_t)y * s->width + x);
      out[0] = geom >= 0 ? scn->geoms[geom].objid : -1;
      out[1] = geom >= 0 ? scn->geoms[geom].objtype : -1;
    }
  }
}

static void drawWorld(const Job* job, Artist* a, int world) {
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

int sn_batchRender(snBatchRenderer* r, const snBatch* b, int camera, const snvOption* option,
                   unsigned char* rgb, float* depth, int* ids) {
  const snModel* m = b ? sn_batchModel(b, 0) : NULL;
  snvOption usual;
  if (!r || !m) {
    snu_error("sn_batchRender: there is no %s", r ? "batch" : "renderer");
    return -1;
  }
  if (camera < -1 || camera >= m->ncam) {
    snu_error("The camera id %d is out of range [-1, %d).", camera, (int)m->ncam);
    return -1;
  }
  if (sn_batchWorlds(b) != r->nworld || sn_stateSize(m, snSTATE_INTEGRATION) != r->state_size) {
    snu_error("the renderer was made for another batch");
    return -1;
  }
  if (sn_batchGetState(b, r->state, snSTATE_INTEGRATION)) return -1;
  snv_defaultOption(&usual);
  Job job = {r, b, option ? option : &usual, camera, rgb, depth, ids};
  sn_parallelFor(r->workers, r->nartist, 1, drawRange, &job);
  for (int i = 0; i < r->nartist; i++) {
    if (!r->artist[i].failure[0]) continue;
    snu_error("%s", r->artist[i].failure);
    return -1;
  }
  return 0;
}
