// Shadow maps: depth as a light sees it.

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/team.h"
#include "render/render.h"

static void cross(double out[3], const double a[3], const double b[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

// a camera at the light, in the part of the map that is not its border
static void lightView(const Frame* f, const Lamp* lamp, const snvLight* light, ShadowMap* map) {
  snvGLCamera camera;
  double dir[3] = {lamp->dir[0], lamp->dir[1], lamp->dir[2]}, up[3];
  double away[3] = {-1, 0, 0}, side[3] = {0, 1, 0};
  memset(&camera, 0, sizeof(camera));
  cross(up, dir, away);
  if (up[0] * up[0] + up[1] * up[1] + up[2] * up[2] <= 0.01) cross(up, dir, side);
  for (int i = 0; i < 3; i++) {
    camera.pos[i] = lamp->pos[i];
    camera.forward[i] = lamp->dir[i];
    camera.up[i] = (float)up[i];
  }
  double half = f->assets->shadow_clip, near = f->view.near;
  if (lamp->type == snLIGHT_SPOT) {
    double angle = 2 * light->cutoff * f->assets->shadow_scale;
    if (angle > 160) angle = 160;
    half = near * tan(0.5 * angle * 3.14159265358979323846 / 180);
  }
  camera.orthographic = lamp->type != snLIGHT_SPOT;
  camera.frustum_near = (float)near;
  camera.frustum_far = (float)f->view.far;
  camera.frustum_top = camera.frustum_width = (float)half;
  camera.frustum_bottom = (float)-half;
  snr_setView(&map->view, NULL, &camera, map->size - 2, map->size - 2);
  for (int j = 0; j < 4; j++) {  // by one texel, off the border
    map->view.row[0][j] += map->view.row[3][j];
    map->view.row[1][j] += map->view.row[3][j];
  }
}

// An infinite floor shades nothing that a camera on the light's side of it sees.
static int isFloor(const Frame* f, const Lamp* lamp, const snvGeom* g) {
  if (g->type != snGEOM_PLANE || g->size[0] > 0 || g->size[1] > 0) return 0;
  double light = 0, eye = 0;
  for (int i = 0; i < 3; i++) {
    double n = g->mat[3 * i + 2];
    light += n * (lamp->type == snLIGHT_SPOT ? lamp->pos[i] - g->pos[i] : -lamp->dir[i]);
    eye += n * (f->view.eye[i] - g->pos[i]);
  }
  return light > 0 && eye > 0;
}

// Of a closed shape, what faces the light is nearer than what does not.
static int isClosed(int type) {
  return type == snGEOM_SPHERE || type == snGEOM_CAPSULE || type == snGEOM_ELLIPSOID ||
         type == snGEOM_CYLINDER || type == snGEOM_BOX;
}

static const Lamp* lampOf(const Frame* f, int pass) {
  const Lamp* lamp = f->lamp;
  SN_ASSERT(pass > 0 && pass < f->npass);
  while (lamp->pass != pass) lamp++;
  return lamp;
}

void snr_aimShadow(const Frame* f, int pass) {
  const Lamp* lamp = lampOf(f, pass);
  lightView(f, lamp, f->scene->lights + (lamp - f->lamp), f->shadow + pass - 1);
}

static int casts(const Frame* f, const Lamp* lamp, const Instance* in) {
  SN_ASSERT_INDEX(in->geom, f->scene->ngeom);
  const snvGeom* g = f->scene->geoms + in->geom;
  return g->category != snCAT_DECOR && !isFloor(f, lamp, g);
}

static void castShadows(const Frame* f, int pass, Raster* r) {
  const Lamp* lamp = lampOf(f, pass);
  for (int first = 0; first < f->ninstance; first += SN_LANES) {
    int i = first + SN_LANE, part = i < f->ninstance && casts(f, lamp, f->instance + i);
    part = part && snr_hasPart(r, f->instance + i);
    for (unsigned set = sn_teamBallot(part); set; set &= set - 1) {
      const Instance* in = f->instance + first + sn_firstBit(set);
      snr_rasterInstance(r, in, isClosed(f->scene->geoms[in->geom].type));
    }
  }
  snr_finishRaster(r);
}

static void startRaster(Raster* r, ShadowMap* map) {
  memset(r, 0, sizeof(*r));
  r->view = &map->view;
  r->y0 = 1;
  r->y1 = map->size - 1;
  r->width = map->size;
  r->inset = 1;
  r->shadow = map;
  r->teams = 1;
  snr_setSamples(r, 0, 1, 1);
}

void snr_drawShadow(const Frame* f, int pass) {
  SN_ASSERT(pass > 0 && pass < f->npass);
  ShadowMap* map = f->shadow + pass - 1;
  Raster r;
  map->current++;
  map->box[0] = map->box[1] = map->size;
  map->box[2] = map->box[3] = 0;
  startRaster(&r, map);
  castShadows(f, pass, &r);
}

int snr_shadowTexel(const ShadowMap* map, const double h[4], int* x, int* y, double* z) {
  if (!(h[3] > 0)) return 0;
  // coordinates over the whole map, although the view leaves out its border
  double inverse = 1 / h[3], stretch = (double)map->size / (map->size - 2);
  double u = (h[0] * inverse - 1) * stretch, v = (h[1] * inverse - 1) * stretch;
  if (!(u >= 0 && v >= 0 && u < map->size && v < map->size)) return 0;
  SN_ASSERT(map->size > 2);
  *x = (int)u;
  *y = (int)v;
  double depth = h[2] * inverse;
  *z = (depth < 0 ? 0 : depth > 1 ? 1 : depth) * 16777215;
  return 1;
}

// the map has 24 bits
static double quantize(float depth) { return (double)(int)(depth * 16777215.0 + 0.5); }

// whether a point sees the light, from its place in the view of the light; beyond the map it does
int snr_isLit(const ShadowMap* map, const double h[4]) {
  int x, y, across = (map->size + kShadowTile - 1) / kShadowTile;
  double z;
  if (!snr_shadowTexel(map, h, &x, &y, &z)) return 1;
  if (map->stamp[y / kShadowTile * across + x / kShadowTile] != map->current) return 1;
  return z >= quantize(map->depth[(size_t)y * map->size + x]);
}

// ---- shadows of small images ----
//
// A map has 16 million texels; an image of 64 x 64 pixels looks at 4096 of them. There the fragments ask first, their
// questions are sorted by tile of the map, and every triangle answers those in the tiles that it touches. What they learn
// is what a map would hold, to the bit.

static void growWindow(int window[4], const Box* box) {
  if (box->x0 < window[0]) window[0] = box->x0;
  if (box->y0 < window[1]) window[1] = box->y0;
  if (box->x1 >= window[2]) window[2] = box->x1 + 1;
  if (box->y1 >= window[3]) window[3] = box->y1 + 1;
}

// The part of the map that what casts shadows may cover.
void snr_boundShadow(const Frame* f, int pass) {
  const Lamp* lamp = lampOf(f, pass);
  ShadowMap* map = f->shadow + pass - 1;
  int most = map->size - 1, window[4] = {most, most, 0, 0}, shift = 0;
  const Box whole = {0, 0, most, most};
  SN_FOR(i, f->ninstance) {
    const Instance* in = f->instance + i;
    Box box;
    if (!casts(f, lamp, in)) continue;
    if (!snr_boundSphere(&map->view, in->center, in->radius, &box)) box = whole;
    growWindow(window, &box);
  }
  for (int k = 0; k < 2; k++) {
    window[k] = -sn_teamMaxInt(-window[k]);
    window[2 + k] = sn_teamMaxInt(window[2 + k]);
    if (window[k] < 0) window[k] = 0;
    if (window[2 + k] > map->size) window[2 + k] = map->size;
  }
  while ((window[2] - window[0] - 1) >> shift >= kTraceTiles ||
         (window[3] - window[1] - 1) >> shift >= kTraceTiles) {
    shift++;
  }
  SN_ONE {
    memcpy(map->window, window, sizeof(window));
    map->shift = shift;
  }
  SN_SYNC();
}

// which tiles have queries, before their counts become places
static void markTiles(const int* count, unsigned long long* row) {
  SN_FOR(y, kTraceTiles) {
    unsigned long long set = 0;
    for (int x = 0; x < kTraceTiles; x++) {
      set |= (unsigned long long)(count[y * kTraceTiles + x] != 0) << x;
    }
    row[y] = set;
  }
  SN_SYNC();
}

// Counting sort of the queries by tile: shading has counted them.
void snr_sortQueries(const Band* band, int pass) {
  SN_ASSERT(band->query && pass > 0 && pass < band->frame->npass);
  size_t count = snr_countSamples(band), first = (pass - 1) * count;
  const ShadowMap* map = band->frame->shadow + pass - 1;
  int *end = band->query_end + (pass - 1) * kTraceEnds, sum = 0, total;
  markTiles(end, band->query_row + (pass - 1) * kTraceTiles);
  for (int i = SN_LANE; i - SN_LANE < kTraceEnds; i += SN_LANES) {
    int own = i < kTraceEnds ? end[i] : 0, before = sn_teamScan(own, &total);
    if (i < kTraceEnds) end[i] = sum + before;
    sum += total;
  }
  SN_SYNC();
  SN_FOR(k, count) {
    const Query* q = band->query + first + k;
    if (band->query_state[first + k] != kAsks) continue;
    int place = SN_NEXT(end[snr_tileOf(map, q->x, q->y)]);
    Asked* asked = band->query_list + first + place;
    SN_ASSERT_INDEX(place, (int)count);
    asked->x = q->x;
    asked->y = q->y;
    asked->query = k;
  }
  SN_SYNC();
}

void snr_traceShadow(const Band* band, int pass) {
  SN_ASSERT(band->query && pass > 0 && pass < band->frame->npass);
  const Frame* f = band->frame;
  ShadowMap* map = f->shadow + pass - 1;
  size_t first = (pass - 1) * snr_countSamples(band);
  Trace trace = {band->query + first, band->query_list + first,
                 band->query_end + (pass - 1) * kTraceEnds,
                 band->query_row + (pass - 1) * kTraceTiles, map};
  Raster r;
  if (!trace.end[kTraceEnds - 1]) return;  // there are no queries
  startRaster(&r, map);
  r.trace = &trace;
  r.verts = band->verts;
  r.queue = band->queue;
  r.team = band->team;
  r.teams = band->teams;
  castShadows(f, pass, &r);
  SN_SYNC();
}

int snr_seesLight(const Query* q) {
  int bits = -q->depth;
  float depth;
  memcpy(&depth, &bits, sizeof(depth));
  return q->z >= quantize(depth);
}
