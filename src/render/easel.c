// Images of worlds by teams of lanes: see easel.h.

#include "render/easel.h"

#include <string.h>

#include "base/arena.h"
#include "base/team.h"
#include "engine/step/plan.h"
#include "render/fill.h"

// ---- memory ----

static void* take(char* memory, size_t* used, size_t bytes) {
  char* at = memory ? memory + *used : NULL;
  *used += (bytes + 63) / 64 * 64;
  return at;
}

// what changes of a scene; the rest is shared
static void layScene(snvScene* scn, const Limits* l, char* memory, size_t* used) {
  scn->maxgeom = l->maxgeom;
  scn->geoms = (snvGeom*)take(memory, used, ((size_t)l->maxgeom + 1) * sizeof(snvGeom));
  scn->geomorder = (int*)take(memory, used, (size_t)l->maxgeom * sizeof(int));
  scn->flexfaceused = (int*)take(memory, used, (size_t)scn->nflex * sizeof(int));
  scn->flexvert = (float*)take(memory, used, 3 * (size_t)l->nflexvert * sizeof(float));
  scn->flexface = (float*)take(memory, used, 9 * (size_t)l->nflexface * sizeof(float));
  scn->flexnormal = (float*)take(memory, used, 9 * (size_t)l->nflexface * sizeof(float));
  scn->flextexcoord = (float*)take(memory, used, 6 * (size_t)l->nflexface * sizeof(float));
  scn->skinvert = (float*)take(memory, used, 3 * (size_t)l->nskinvert * sizeof(float));
  scn->skinnormal = (float*)take(memory, used, 3 * (size_t)l->nskinvert * sizeof(float));
}

static void layFrame(Frame* f, const snvScene* scn, const Limits* l, char* memory, size_t* used) {
  size_t shapes = (size_t)scn->nflex + scn->nskin;
  f->dynamic = (Shape*)take(memory, used, shapes * sizeof(Shape));
  f->paint = (Paint*)take(memory, used, (size_t)l->maxgeom * sizeof(Paint));
  f->instance = (Instance*)take(memory, used, (size_t)l->ninstance * sizeof(Instance));
  f->line = (Line*)take(memory, used, (size_t)l->nline * sizeof(Line));
  f->first = (int*)take(memory, used, ((size_t)l->maxgeom + 1) * sizeof(int));
}

size_t snr_layEasel(Easel* e, const Limits* l, void* memory, int team) {
  char* from = (char*)memory;
  size_t used = 0;
  BandKind kind = {1, team, l->traced};
  take(from, &used, sizeof(Easel));
  layScene(&e->scene, l, from, &used);
  layFrame(&e->frame, &e->scene, l, from, &used);
  e->rgb = (snByte*)take(from, &used, 3 * (size_t)l->width * l->height);
  e->frame.view.width = l->width;
  e->frame.nsample = l->nsample;
  return used + snr_layBand(&e->band, &e->frame, from ? from + used : NULL, l->rows, kind);
}

// ---- one image ----

static void complain(const RenderCall* call, Easel* e, int bit) {
  int* trouble = (int*)(uintptr_t)call->trouble;
  *trouble |= bit;  // another team may do the same: one of the bits is enough
  e->ready = 0;
}

// what the camera of a call sees of a world
static void fillScene(const snModel* m, snData* d, const RenderCall* call, Easel* e) {
  snvCamera camera;
  snv_defaultFreeCamera(m, &camera);
  if (call->camera >= 0) {
    camera.type = snCAMERA_FIXED;
    camera.fixedcamid = call->camera;
  }
  snv_updateScene(m, d, &call->option, NULL, &camera, snCAT_ALL, &e->scene);
}

// all that comes before the first triangle
static void prepare(const RenderCall* call, Easel* e, int segment) {
  const Limits* l = &call->limits;
  snvScene* scn = &e->scene;
  Frame* f = &e->frame;
  int nline;
  scn->flags[snRND_SEGMENT] = scn->flags[snRND_IDCOLOR] = (snByte)segment;
  snvGLCamera camera = snv_averageCamera(scn->camera, scn->camera + 1);
  e->ready = camera.frustum_near >= 1e-15f;
  f->assets = (const Assets*)(uintptr_t)call->assets;
  f->scene = scn;
  f->nsample = segment ? 1 : l->nsample;
  f->shadow = l->traced && scn->flags[snRND_SHADOW] ? e->shadow : NULL;
  for (int i = 0; i < kMaxLamps; i++) e->shadow[i].size = l->shadow_size;
  snr_setView(&f->view, scn, &camera, l->width, l->height);
  if (scn->status) complain(call, e, kTooManyGeoms);
  if (snr_countInstances(scn, f->assets, &nline) > l->ninstance || nline > l->nline)
    complain(call, e, kTooManyShapes);
  int casting = 0;
  for (int i = 0; i < scn->nlight && i < kMaxLamps; i++) casting += scn->lights[i].castshadow;
  if (f->shadow && casting > l->traced) complain(call, e, kTooManyPasses);
  if (!e->ready) return;
  snr_prepareFrame(f);
  for (int pass = 1; pass < f->npass; pass++) snr_aimShadow(f, pass);
}

// An image with rows downwards: the first row of the frame is the last one of the image.
static void drawImage(const RenderCall* call, Easel* e, int segment, snByte* rgb, float* depth) {
  const Limits* l = &call->limits;
  size_t pixels = (size_t)l->width * l->height, last = pixels - l->width;
  SN_SOLO(prepare(call, e, segment));
  if (!e->ready) {
    SN_FOR(k, 3 * pixels) rgb[k] = 0;
    SN_FOR(k, depth ? pixels : 0) depth[k] = 0;
    SN_SYNC();
    return;
  }
  SN_ONE {
    e->frame.rgb = rgb + 3 * last;
    e->frame.depth = depth ? depth + last : NULL;
    e->frame.stride = -l->width;
  }
  SN_SYNC();
  for (int y = 0; y < l->height; y += l->rows) {
    SN_ONE {
      e->band.y0 = y;
      e->band.y1 = y + l->rows < l->height ? y + l->rows : l->height;
    }
    SN_SYNC();
    snr_drawBand(&e->band);
    SN_SYNC();
  }
}

// Vertices and triangles on their way to the screen lie where a team reaches them fastest, when there is room.
static void useFastMemory(const snData* d, Easel* e, Verts* verts, Ready* queue) {
  char* fast = SN_LANES > 1 ? (char*)sn_stackFree(d, sizeof(Verts) + kQueue * sizeof(Ready)) : NULL;
  SN_ONE {
    e->band.verts = fast ? (Verts*)fast : verts;
    e->band.queue = fast ? (Ready*)(fast + sizeof(Verts)) : queue;
  }
  SN_SYNC();
}

static void drawWorld(const snModel* m, snData* d, const RenderCall* call, Easel* e, int world,
                      Verts* verts, Ready* queue) {
  size_t pixels = (size_t)call->limits.width * call->limits.height, first = pixels * world;
  snByte* rgb = (snByte*)(uintptr_t)call->rgb;
  float* depth = (float*)(uintptr_t)call->depth;
  int* ids = (int*)(uintptr_t)call->ids;
  sn_planNothing();
  sn_kinematics(m, d);
  sn_comPos(m, d);
  sn_camlight(m, d);
  sn_flex(m, d);
  sn_tendon(m, d);
  SN_SYNC();
  useFastMemory(d, e, verts, queue);
  SN_SOLO(fillScene(m, d, call, e));
  if (rgb) drawImage(call, e, 0, rgb + 3 * first, NULL);
  if (!depth && !ids) return;
  if (depth) depth += first;
  drawImage(call, e, 1, e->rgb, depth);
  SN_FOR(k, pixels) {
    if (depth) depth[k] = snr_metres(&e->frame.view, depth[k]);
    if (ids) snr_objectOf(&e->scene, e->rgb + 3 * (size_t)k, ids + 2 * (first + k));
  }
  SN_SYNC();
}

void snr_drawSlot(const snWorlds* worlds, int slot, const RenderCall* call) {
  char* memory = (char*)(uintptr_t)(call->easels + (uint64_t)(slot * call->easel_bytes));
  Easel* e = (Easel*)memory;
  int team = SN_LANES > 1;
  SN_ONE {
    memset(e, 0, sizeof(*e));
    e->scene = *(const snvScene*)(uintptr_t)call->scene;
    snr_layEasel(e, &call->limits, memory, team);
  }
  SN_SYNC();
  Verts* verts = e->band.verts;
  Ready* queue = e->band.queue;
  SN_SYNC();
  for (int i = slot; i < worlds->nworld; i += worlds->count) {
    const snModel* m =
        (const snModel*)(uintptr_t)(worlds->model + (uint64_t)(i * worlds->model_stride));
    snData* d = (snData*)(uintptr_t)(worlds->blocks + (uint64_t)(i * worlds->stride));
    drawWorld(m, d, call, e, i, verts, queue);
  }
}
