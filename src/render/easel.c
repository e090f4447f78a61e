// Images of worlds by teams of lanes, phase by phase: see easel.h.

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

size_t snr_layEasel(Easel* e, const Limits* l, void* memory) {
  char* from = (char*)memory;
  size_t used = 0;
  BandKind kind = {1, kMostTeams, l->traced};
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

// ---- phases ----

static const snModel* modelOf(const snWorlds* worlds, int world) {
  return (const snModel*)(uintptr_t)(worlds->model + (uint64_t)(world * worlds->model_stride));
}

static snData* dataOf(const snWorlds* worlds, int world) {
  return (snData*)(uintptr_t)(worlds->blocks + (uint64_t)(world * worlds->stride));
}

// An image with rows downwards: the first row of the frame is the last one of the image.
static void turnOver(const RenderCall* call, Easel* e, int world) {
  const Limits* l = &call->limits;
  size_t pixels = (size_t)l->width * l->height, last = pixels - l->width, at = pixels * world;
  Frame* f = &e->frame;
  snByte* rgb = call->segment ? e->rgb : (snByte*)(uintptr_t)call->rgb + 3 * at;
  f->rgb = rgb + 3 * last;
  f->depth = call->segment && call->depth ? (float*)(uintptr_t)call->depth + at + last : NULL;
  f->stride = -l->width;
}

static void startEasel(const snModel* m, snData* d, const RenderCall* call, Easel* e, int world) {
  memset(e, 0, sizeof(*e));
  e->scene = *(const snvScene*)(uintptr_t)call->scene;
  snr_layEasel(e, &call->limits, e);
  fillScene(m, d, call, e);
  turnOver(call, e, world);
  prepare(call, e, call->segment);
}

static void drawScene(const snWorlds* worlds, const RenderCall* call, Easel* e, int world) {
  const snModel* m = modelOf(worlds, world);
  snData* d = dataOf(worlds, world);
  sn_planNothing();
  sn_kinematics(m, d);
  sn_comPos(m, d);
  sn_camlight(m, d);
  sn_flex(m, d);
  sn_tendon(m, d);
  SN_SYNC();
  SN_SOLO(startEasel(m, d, call, e, world));
  if (!e->ready) return;
  for (int pass = 1; pass < e->frame.npass; pass++) snr_boundShadow(&e->frame, pass);
}

// Vertices and triangles on their way to the screen lie where a team reaches them fastest, when there is room.
static void useFastMemory(const snData* d, Band* band) {
  size_t bytes = sizeof(Verts) + kQueue * sizeof(Ready);
  char* fast = SN_LANES > 1 ? (char*)sn_unusedStack(d, bytes) : NULL;
  band->verts = fast ? (Verts*)fast : band->verts + band->team;
  band->queue = fast ? (Ready*)(fast + sizeof(Verts)) : band->queue + kQueue * band->team;
}

// what a pixel of a finished frame is in the units of the caller
static void convertPixel(const RenderCall* call, const Easel* e, int world, size_t at) {
  size_t place = (size_t)call->limits.width * call->limits.height * world + at;
  float* depth = (float*)(uintptr_t)call->depth;
  int* ids = (int*)(uintptr_t)call->ids;
  if (depth) depth[place] = snr_metres(&e->frame.view, depth[place]);
  if (ids) snr_objectOf(&e->scene, e->rgb + 3 * at, ids + 2 * place);
}

static void finishImage(const RenderCall* call, const Easel* e, Band* band, int world) {
  int width = call->limits.width, pixels = (band->y1 - band->y0) * width;
  if (!snr_finishBand(band) || !call->segment) return;
  SNR_FOR(k, band, pixels) {
    int y = call->limits.height - 1 - band->y0 - k / width;
    convertPixel(call, e, world, (size_t)y * width + k % width);
  }
  SN_SYNC();
}

// an image of nothing
static void blank(const RenderCall* call, const Easel* e, const Band* band, int world) {
  size_t pixels = (size_t)call->limits.width * call->limits.height, first = pixels * world;
  snByte* rgb = call->segment ? e->rgb : (snByte*)(uintptr_t)call->rgb + 3 * first;
  float* depth = (float*)(uintptr_t)call->depth;
  SNR_FOR(k, band, pixels) {
    for (int c = 0; c < 3; c++) rgb[3 * (size_t)k + c] = 0;
    if (call->segment && depth) depth[first + k] = 0;
    if (call->segment) convertPixel(call, e, world, (size_t)k);
  }
  SN_SYNC();
}

static SN_STAGE void drawBand(const snData* d, const RenderCall* call, int phase, const Easel* e,
                              Band* band, int world) {
  switch (phase) {
    case kDrawClear: snr_clearBand(band); return;
    case kDrawTriangles:
      useFastMemory(d, band);
      snr_findTriangles(band);
      return;
    case kDrawLights: snr_lightBand(band); return;
    case kDrawColors: snr_colorBand(band); return;
    case kDrawQueries: snr_sortBand(band); return;
    case kDrawShadows:
      useFastMemory(d, band);
      snr_traceBand(band);
      return;
    default: finishImage(call, e, band, world);
  }
}

#ifdef SN_DEVICE
static
#endif
    SN_STAGE void
    snr_drawPhase(const snWorlds* worlds, const RenderCall* call, int phase, int team) {
  int teams = snr_phaseTeams(phase), slot = team / teams, world = call->world + slot;
  const Limits* l = &call->limits;
  Easel* e = (Easel*)(uintptr_t)(call->easels + (uint64_t)(slot * call->easel_bytes));
  if (phase == kDrawScene) {
    drawScene(worlds, call, e, world);
    return;
  }
  Band band = e->band;
  band.team = team % teams;
  band.teams = teams;
  band.fragment += kFragments * band.team;
  band.y0 = call->y0;
  band.y1 = call->y0 + l->rows < l->height ? call->y0 + l->rows : l->height;
  if (e->ready)
    drawBand(dataOf(worlds, world), call, phase, e, &band, world);
  else if (phase == kDrawPixels)
    blank(call, e, &band, world);
}
