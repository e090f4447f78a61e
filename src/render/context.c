// Contexts: the memory of rendering, and images of scenes in it.

#include <string.h>

#include "base/memory.h"
#include "render/context.h"
#include "sinew/batch_render.h"

enum { kMostPixels = 1 << 14, kGoodSamples = 1 << 17, kTracedPixels = 128 * 128 };

static _Thread_local State* current_state;

State* snr_currentState(void) { return current_state; }

State* snr_state(const snrContext* con, const char* caller) {
  State* s = con ? con->state : NULL;
  if (!s) snu_error("%s: the context has not been made", caller);
  if (s) current_state = s;
  return s;
}

// ---- making and freeing ----

void snr_defaultContext(snrContext* con) { memset(con, 0, sizeof(*con)); }

int snr_makeSurface(Surface* surface, int width, int height) {
  size_t pixels = (size_t)width * height;
  Surface made = {width, height, snu_malloc(3 * pixels), snu_malloc(pixels * sizeof(float))};
  if (!made.rgb || !made.depth) {
    snr_freeSurface(&made);
    return 0;
  }
  memset(made.rgb, 0, 3 * pixels);
  memset(made.depth, 0, pixels * sizeof(float));
  snr_freeSurface(surface);
  *surface = made;
  return 1;
}

void snr_freeSurface(Surface* surface) {
  snu_free(surface->rgb);
  snu_free(surface->depth);
  memset(surface, 0, sizeof(*surface));
}

void snr_target(State* s, const Surface* surface) {
  s->width = surface->width;
  s->height = surface->height;
  s->rgb = surface->rgb;
  s->depth = surface->depth;
}

// the offscreen image, which is drawn into; 0 when there is no memory
static int makeImage(State* s, int width, int height) {
  if (!snr_makeSurface(&s->offscreen, width, height)) return 0;
  snr_target(s, &s->offscreen);
  return 1;
}

// handlers of errors may leave the library: nothing is owned when one is raised
static int isSize(int width, int height) {
  if (width >= 1 && height >= 1 && width <= kMostPixels && height <= kMostPixels) return 1;
  snu_error("offscreen buffer of %d x %d pixels: sizes from 1 to %d are possible", width, height,
            kMostPixels);
  return 0;
}

static size_t shadowBytes(int size) { return (size_t)size * size * sizeof(float); }

static void freeShadowMap(ShadowMap* map) {
  if (map->depth) sn_unreserve(map->depth, shadowBytes(map->size));
  snu_free(map->stamp);
  map->depth = NULL;
  map->stamp = NULL;
}

static void freeState(State* s) {
  if (!s) return;
  if (current_state == s) current_state = NULL;
  if (s->owns_assets) snr_freeAssets(s->assets);
  for (int i = 0; i < kMaxLamps; i++) {
    freeShadowMap(s->shadow + i);
  }
  snr_freeSurface(&s->offscreen);
  for (int i = 0; i < snNAUX; i++) snr_freeSurface(s->aux + i);
  sn_workersDelete(s->workers);
  snu_free(s->geom_memory);
  snu_free(s->band_memory);
  snu_free(s);
}

static void copyMaterials(snrContext* con, const snModel* m) {
  int nmat = m->nmat < snMAXMATERIAL ? (int)m->nmat : snMAXMATERIAL;
  memcpy(con->mat_texid, m->mat_texid, (size_t)nmat * snNTEXROLE * sizeof(int));
  memcpy(con->mat_texrepeat, m->mat_texrepeat, (size_t)nmat * 2 * sizeof(float));
  for (int i = 0; i < nmat; i++) con->mat_texuniform[i] = m->mat_texuniform[i];
  con->ntexture = m->ntex < snMAXTEXTURE ? (int)m->ntex : snMAXTEXTURE;
  memcpy(con->textureType, m->tex_type, (size_t)con->ntexture * sizeof(int));
}

static void copySettings(snrContext* con, const snModel* m) {
  con->lineWidth = m->vis.global.linewidth;
  con->shadowClip = (float)(m->vis.map.shadowclip * m->stat.extent);
  con->shadowScale = m->vis.map.shadowscale;
  con->fogStart = (float)(m->vis.map.fogstart * m->stat.extent);
  con->fogEnd = (float)(m->vis.map.fogend * m->stat.extent);
  memcpy(con->fogRGBA, m->vis.rgba.fog, sizeof(con->fogRGBA));
  con->shadowSize = m->vis.quality.shadowsize;
  con->offWidth = m->vis.global.offwidth;
  con->offHeight = m->vis.global.offheight;
  con->offSamples = m->vis.quality.offsamples > 0 ? 4 : 0;
  con->offFBO = 1;
  copyMaterials(con, m);
}

// State with an image, on assets of its own unless some are given.
static State* makeState(const snModel* m, Assets* assets, int width, int height) {
  State* s = snu_malloc(sizeof(*s));
  if (!s) return NULL;
  memset(s, 0, sizeof(*s));
  s->assets = assets ? assets : snr_makeAssets(m);
  s->owns_assets = !assets;
  if (s->assets && makeImage(s, width, height)) return s;
  freeState(s);
  return NULL;
}

void snr_makeContext(const snModel* m, snrContext* con, int fontscale) {
  snr_freeContext(con);
  if (!m) {
    snu_error("snr_makeContext: a context needs a model");
    return;
  }
  if (m->ntex > snMAXTEXTURE) {
    snu_error("Maximum number of textures is %d", snMAXTEXTURE);
    return;
  }
  if (!isSize(m->vis.global.offwidth, m->vis.global.offheight)) return;
  State* s = makeState(m, NULL, m->vis.global.offwidth, m->vis.global.offheight);
  if (!s) {
    snu_error("no memory for the shapes, textures and image of a model");
    return;
  }
  copySettings(con, m);
  con->state = s;
  current_state = s;
  con->glInitialized = 1;
  con->currentBuffer = snFB_OFFSCREEN;
  con->readPixelFormat = 6407;  // RGB
  con->readDepthMap = snDEPTH_ZERONEAR;
  int scale = (fontscale + 25) / 50 * 50;
  snr_changeFont(scale < 100 ? 100 : scale > 300 ? 300 : scale, con);
}

int snr_makeShared(const snModel* m, snrContext* con, const snrContext* owner, int width,
                   int height) {
  snr_defaultContext(con);
  State* s = makeState(m, owner ? ((State*)owner->state)->assets : NULL, width, height);
  if (!s) return 0;
  copySettings(con, m);
  con->offWidth = width;
  con->offHeight = height;
  con->state = s;
  con->readDepthMap = snDEPTH_ZEROFAR;
  snr_changeFont(snFONTSCALE_100, con);
  return 1;
}

int snr_mostPixels(void) { return kMostPixels; }

void snr_freeContext(snrContext* con) {
  int keep[4] = {con->windowAvailable, con->windowSamples, con->windowStereo,
                 con->windowDoublebuffer};
  int ready = con->glInitialized;
  freeState(con->state);
  snr_defaultContext(con);
  con->glInitialized = ready;
  con->windowAvailable = keep[0];
  con->windowSamples = keep[1];
  con->windowStereo = keep[2];
  con->windowDoublebuffer = keep[3];
}

void snr_resizeOffscreen(int width, int height, snrContext* con) {
  State* s = snr_state(con, "snr_resizeOffscreen");
  if (!s || !isSize(width, height)) return;
  if (!makeImage(s, width, height)) {
    snu_error("no memory for an image of %d x %d pixels", width, height);
    return;
  }
  con->offWidth = width;
  con->offHeight = height;
}

// ---- assets that have changed ----

// is asset `id` of the model in the context, which has `own` of its kind?
static int isAsset(int id, int own, snSize all, const char* kind) {
  if (id >= 0 && id < own && own == all) return 1;
  snu_error("Invalid %s index %d", kind, id);
  return 0;
}

void snr_uploadTexture(const snModel* m, const snrContext* con, int texid) {
  State* s = snr_state(con, "snr_uploadTexture");
  if (!s || !isAsset(texid, s->assets->ntex, m->ntex, "texture")) return;
  if (!snr_loadTexture(s->assets, m, texid)) snu_error("no memory for a texture");
}

void snr_uploadMesh(const snModel* m, const snrContext* con, int meshid) {
  State* s = snr_state(con, "snr_uploadMesh");
  if (!s || !isAsset(meshid, s->assets->nmesh, m->nmesh, "mesh")) return;
  if (!snr_loadMesh(s->assets, m, meshid)) snu_error("no memory for a mesh");
}

void snr_uploadHField(const snModel* m, const snrContext* con, int hfieldid) {
  State* s = snr_state(con, "snr_uploadHField");
  if (!s || !isAsset(hfieldid, s->assets->nhfield, m->nhfield, "height field")) return;
  if (!snr_loadHeightField(s->assets, m, hfieldid)) snu_error("no memory for a height field");
}

// ---- frames ----

// memory by geom: paints, instances, lines, shapes of the image; grows with the scene
static int layGeoms(State* s, Frame* f) {
  const snvScene* scn = f->scene;
  int nline, ninstance = snr_countInstances(scn, f->assets, &nline);
  if (ninstance < 0) {
    snu_error("a scene of %d geoms has too many shapes to draw", scn->ngeom);
    return 0;
  }
  size_t ngeom = scn->ngeom, shapes = (size_t)scn->nflex + scn->nskin;
  size_t bytes = ngeom * sizeof(Paint) + (ngeom + 1) * sizeof(int) + ninstance * sizeof(Instance) +
                 nline * sizeof(Line) + shapes * sizeof(Shape) + 256;
  if (bytes > s->geom_bytes) {
    snu_free(s->geom_memory);
    s->geom_bytes = bytes + bytes / 2;
    s->geom_memory = snu_malloc(s->geom_bytes);
    if (!s->geom_memory) {
      s->geom_bytes = 0;
      snu_error("no memory to draw a scene of %d geoms", scn->ngeom);
      return 0;
    }
  }
  f->dynamic = s->geom_memory;
  f->paint = (Paint*)(f->dynamic + shapes);
  f->instance = (Instance*)(f->paint + ngeom);
  f->line = (Line*)(f->instance + ninstance);
  f->first = (int*)(f->line + nline);
  return 1;
}

// Small images ask a light for the texels that they look at; a map costs less where they look at many.
static int isTraced(const Frame* f) {
  return (size_t)f->view.width * f->view.height <= kTracedPixels;
}

static int makeShadowMaps(State* s, const snrContext* con, Frame* f) {
  int size = con->shadowSize, wanted = 0;
  f->shadow = NULL;
  if (size < 8 || size > kMostPixels || !f->scene->flags[snRND_SHADOW]) return 1;
  for (int i = 0; i < f->scene->nlight && i < kMaxLamps; i++)
    wanted += f->scene->lights[i].castshadow;
  int across = (size + kShadowTile - 1) / kShadowTile;
  for (int i = 0; i < wanted; i++) {
    ShadowMap* map = s->shadow + i;
    if (map->depth) continue;
    map->size = size;
    if (isTraced(f)) continue;
    map->depth = sn_reserve(shadowBytes(size));
    map->stamp = snu_malloc((size_t)across * across * sizeof(unsigned));
    if (!map->depth || !map->stamp) {
      freeShadowMap(map);
      snu_error("no memory for a shadow map of %d x %d texels", size, size);
      return 0;
    }
    memset(map->stamp, 0, (size_t)across * across * sizeof(unsigned));
  }
  if (wanted) f->shadow = s->shadow;
  return 1;
}

// ---- bands ----

// What threads share while they draw an image. Thread i has the memory of band i, and draws the bands i, i + n, i + 2n, ...
typedef struct Bands_ {
  Frame* f;
  BandKind kind;
  char* memory;
  size_t bytes;  // of one
  int rows, threads;
} Bands;

static void drawBands(void* context, int begin, int end) {
  const Bands* b = context;
  for (int i = begin; i < end; i++) {
    Band band;
    snr_layBand(&band, b->f, b->memory + i * b->bytes, b->rows, b->kind);
    for (int y = i * b->rows; y < b->f->view.height; y += b->threads * b->rows) {
      band.y0 = y;
      band.y1 = y + b->rows < b->f->view.height ? y + b->rows : b->f->view.height;
      snr_drawBand(&band);
    }
  }
}

static void drawShadows(void* context, int begin, int end) {
  const Bands* b = context;
  for (int pass = begin + 1; pass <= end; pass++) snr_drawShadow(b->f, pass);
}

// rows and memory of the bands; 0 when there is none
static int layBands(State* s, Frame* f, Bands* b) {
  int width = f->view.width, height = f->view.height, most = kGoodSamples / (width * f->nsample);
  BandKind kind = {f->reflector >= 0, 0, isTraced(f) ? f->npass - 1 : 0};
  Band band;
  b->f = f;
  b->kind = kind;
  b->threads = s->workers && !isTraced(f) ? sn_workersCount(s->workers) : 1;
  b->rows = most < 16 ? 16 : most;
  if (b->threads > 1 && b->rows > height / (3 * b->threads)) b->rows = height / (3 * b->threads);
  b->rows = b->rows < 8 ? 8 : b->rows;
  if (b->rows > height) b->rows = height;
  b->bytes = snr_layBand(&band, f, NULL, b->rows, kind);
  if (b->bytes * b->threads > s->band_bytes) {
    snu_free(s->band_memory);
    s->band_bytes = b->bytes * b->threads;
    s->band_memory = snu_malloc(s->band_bytes);
    if (!s->band_memory) {
      s->band_bytes = 0;
      snu_error("no memory to draw an image of %d x %d pixels", width, height);
      return 0;
    }
  }
  b->memory = s->band_memory;
  return 1;
}

static void inParallel(State* s, int threads, int count, snRangeFunction work, Bands* b) {
  if (threads > 1)
    sn_parallelFor(s->workers, count, 1, work, b);
  else
    work(b, 0, count);
}

void snr_setThreads(int nthread, snrContext* con) {
  State* s = snr_state(con, "snr_setThreads");
  if (!s) return;
  if (nthread < 0) {
    snu_error("snr_setThreads: %d threads", nthread);
    return;
  }
  sn_workersDelete(s->workers);
  s->workers = nthread == 1 ? NULL : sn_workersCreate(nthread);
  if (nthread != 1 && !s->workers) snu_error("snr_setThreads: no memory for threads");
}

// one view of a scene into a rectangle of the image
static void drawView(State* s, const snrContext* con, snvScene* scn, const snvGLCamera* camera,
                     snrRect rect) {
  Frame* f = &s->frame;
  memset(f, 0, sizeof(*f));
  f->assets = s->assets;
  f->scene = scn;
  f->nsample = con->offSamples > 0 && !scn->flags[snRND_SEGMENT] ? 4 : 1;
  f->stride = s->width;
  f->rgb = s->rgb + 3 * ((size_t)rect.bottom * s->width + rect.left);
  f->depth = s->depth + (size_t)rect.bottom * s->width + rect.left;
  snr_setView(&f->view, scn, camera, rect.width, rect.height);
  if (!layGeoms(s, f) || !makeShadowMaps(s, con, f)) return;
  snr_prepareFrame(f);
  Bands bands;
  if (!layBands(s, f, &bands)) return;
  for (int pass = 1; pass < f->npass; pass++) {
    snr_aimShadow(f, pass);
    if (bands.kind.traced) snr_boundShadow(f, pass);
  }
  if (!bands.kind.traced) inParallel(s, bands.threads, f->npass - 1, drawShadows, &bands);
  inParallel(s, bands.threads, bands.threads, drawBands, &bands);
}

// a border in the colour of the frame
static void drawBorder(State* s, const snvScene* scn, snrRect rect) {
  for (int y = 0; y < rect.height; y++) {
    for (int x = 0; x < rect.width; x++) {
      int w = scn->framewidth;
      if (x >= w && y >= w && x < rect.width - w && y < rect.height - w) continue;
      snByte* out = s->rgb + 3 * ((size_t)(rect.bottom + y) * s->width + rect.left + x);
      for (int c = 0; c < 3; c++) out[c] = snr_toByte(scn->framergb[c]);
    }
  }
}

// depth as a grey picture
static void showDepth(State* s, snrRect rect) {
  for (int y = 0; y < rect.height; y++) {
    for (int x = 0; x < rect.width; x++) {
      size_t at = (size_t)(rect.bottom + y) * s->width + rect.left + x;
      memset(s->rgb + 3 * at, (int)(255 * s->depth[at] + 0.5f), 3);
    }
  }
}

void snr_render(snrRect viewport, snvScene* scn, const snrContext* con) {
  State* s = snr_state(con, "snr_render");
  if (!s || viewport.width <= 0 || viewport.height <= 0) return;
  if (viewport.left < 0 || viewport.bottom < 0 || viewport.width > s->width - viewport.left ||
      viewport.height > s->height - viewport.bottom) {
    snu_error("viewport (%d, %d, %d, %d) is not inside of the buffer of %d x %d pixels",
              viewport.left, viewport.bottom, viewport.width, viewport.height, s->width, s->height);
    return;
  }
  snvGLCamera mean = snv_averageCamera(scn->camera, scn->camera + 1);
  if (mean.frustum_near < 1e-15f) {
    if (scn->ngeom) snu_error("mjvScene frustum_near too small in mjr_render");
    return;
  }
  if (scn->stereo != snSTEREO_NONE) {
    snrRect half = viewport;
    half.width /= 2;
    drawView(s, con, scn, scn->camera, half);
    half.left += half.width;
    drawView(s, con, scn, scn->camera + 1, half);
  } else {
    drawView(s, con, scn, &mean, viewport);
  }
  s->viewport = viewport;
  if (!scn->flags[snRND_SEGMENT]) snr_drawLabels(s, con, scn, viewport);
  if (scn->framewidth > 0) drawBorder(s, scn, viewport);
  if (scn->flags[snRND_DEPTH] && !scn->flags[snRND_SEGMENT]) showDepth(s, viewport);
}
