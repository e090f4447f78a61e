// Colours of samples. Light is computed at the corners of triangles and interpolated with perspective;
// every pass is rounded to 8 bits, as in a frame buffer of bytes.

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/team.h"
#include "render/shade.h"

static snByte addByte(int a, int b) { return (snByte)(a + b > 255 ? 255 : a + b); }

// ---- corners ----

static void textureCorner(const Paint* p, const Shape* s, int vertex, float tex[3]) {
  const float* local = s->pos + 3 * (size_t)vertex;
  memset(tex, 0, 3 * sizeof(float));
  if (p->map == kMapStored && s->texcoord) {
    tex[0] = s->texcoord[2 * (size_t)vertex];
    tex[1] = s->texcoord[2 * (size_t)vertex + 1];
  } else if (p->map == kMapPlane) {
    for (int i = 0; i < 2; i++) tex[i] = p->scale[i] * local[i] + p->offset[i];
  } else if (p->map == kMapCube) {
    for (int i = 0; i < 3; i++) tex[i] = p->scale[i] * local[i];
  }
}

static void makeCorner(const Shader* w, const Instance* in, const Paint* paint, int vertex,
                       Corner* c) {
  const Shape* s = in->shape;
  const Frame* f = w->band->frame;
  float normal[3], length;
  double h[4];
  mulMat3f(c->pos, in->mat, s->pos + 3 * (size_t)vertex);
  for (int i = 0; i < 3; i++) c->pos[i] += in->pos[i];
  snr_project(w->view, c->pos, h);
  c->x = h[0];
  c->y = h[1];
  c->w = h[3];
  mulMat3f(normal, in->normal, s->normal + 3 * (size_t)vertex);
  length = dot3f(normal, normal);
  length = length > 0 ? 1 / sqrtf(length) : 0;
  for (int i = 0; i < 3; i++) normal[i] *= length;
  if (paint->texture) textureCorner(paint, s, vertex, c->tex);
  snr_light(f, w->view, paint, w->reduce, w->passes, c->pos, normal, c->lit);
}

// corner from the cache: a vertex has one place there
static const Corner* findCorner(const Shader* w, const Instance* in, const Paint* paint,
                                int vertex) {
  SN_ASSERT_INDEX(vertex, in->shape->nvert);
  unsigned key = in->vert + (unsigned)vertex + 1;
  Corner* c = w->band->corner + (key * 2654435761u >> 22) % kCorners;
  if (c->key != key) {
    makeCorner(w, in, paint, vertex, c);
    c->key = key;
  }
  return c;
}

static void forgetTriangles(Band* band) {
  for (int i = 0; band->corner && i < kCorners; i++) band->corner[i].key = 0;
  for (int i = 0; band->setup && i < kSetups; i++) band->setup[i].tri = kNoTriangle;
}

// instance of a triangle; neighbours mostly have the same
static const Instance* findInstance(const Frame* f, const Instance* last, unsigned tri) {
  SN_ASSERT(f->ninstance > 0);
  if (last && tri >= last->tri && tri - last->tri < (unsigned)last->shape->ntri) return last;
  int low = 0, high = f->ninstance - 1;
  while (low < high) {
    int middle = (low + high + 1) / 2;
    if (f->instance[middle].tri <= tri)
      low = middle;
    else
      high = middle - 1;
  }
  return f->instance + low;
}

// corners as the lamps with shadows see them
static void projectLights(const Shader* w, const float pos[3][3], Setup* s) {
  const Frame* f = w->band->frame;
  SN_PLAIN_LOOP for (int p = 1; p < w->passes; p++) {
    Lit* pass = s->pass + p;
    const float* rgb = pass->rgb[0];
    float sum = 0;
    for (int i = 0; i < 9; i++) sum += rgb[i];
    pass->dark = sum < 1e-4f;
    if (pass->dark) continue;
    for (int k = 0; k < 3; k++) snr_project(&f->shadow[p - 1].view, pos[k], pass->from[k]);
  }
}

// planes of the corners' weights over the screen, from their places there and their distances
static void setWeights(Setup* s, const double x[3], const double y[3], const double d[3]) {
  double det = x[0] * (y[1] * d[2] - d[1] * y[2]) + y[0] * (d[1] * x[2] - x[1] * d[2]) +
               d[0] * (x[1] * y[2] - y[1] * x[2]);
  double inverse = det != 0 ? 1 / det : 0;
  for (int k = 0; k < 3; k++) {
    int a = (k + 1) % 3, b = (k + 2) % 3;
    double* e = s->e[k];
    e[0] = (y[a] * d[b] - d[a] * y[b]) * inverse;
    e[1] = (d[a] * x[b] - x[a] * d[b]) * inverse;
    e[2] = (x[a] * y[b] - y[a] * x[b]) * inverse + 0.5 * (e[0] + e[1]);  // centres of pixels
  }
}

static void forgetDetail(Detail* d) { d->block[0] = d->block[1] = -1; }

static SN_OUTLINE void makeSetup(Shader* w, int tri, Setup* s) {
  SN_ASSERT(tri != kNoTriangle);
  const Frame* f = w->band->frame;
  s->tri = tri;
  forgetDetail(&s->detail);
  w->instance = s->instance = findInstance(f, w->instance, (unsigned)tri);
  s->paint = f->paint + s->instance->geom;
  const Shape* shape = s->instance->shape;
  SN_ASSERT((unsigned)tri - s->instance->tri < (unsigned)shape->ntri);
  size_t local = 3 * (size_t)((unsigned)tri - s->instance->tri);
  double x[3], y[3], d[3];
  float pos[3][3];
  Corner own;
  SN_PLAIN_LOOP for (int k = 0; k < 3; k++) {
    int vertex = shape->corner ? shape->corner[local + k] : (int)local + k;
    const Corner* c = w->band->corner ? findCorner(w, s->instance, s->paint, vertex) : &own;
    if (c == &own) makeCorner(w, s->instance, s->paint, vertex, &own);
    x[k] = c->x;
    y[k] = c->y;
    d[k] = c->w;
    memcpy(pos[k], c->pos, sizeof(c->pos));
    if (s->paint->texture) memcpy(s->tex[k], c->tex, sizeof(c->tex));
    for (int p = 0; p < w->passes; p++) memcpy(s->pass[p].rgb[k], c->lit[p], sizeof(c->lit[p]));
  }
  projectLights(w, (const float(*)[3])pos, s);
  setWeights(s, x, y, d);
}

// ---- triangles that teams share ----
//
// Most fragments lie in few triangles. Before they are shaded, the light at the corners of these is computed, once for
// all teams. A triangle has one of the next places from where its number leads to; when others have all of them, lanes
// make what they need on their own.

enum { kTries = 8 };

static inline unsigned placeOf(const Shared* all, int tri, int attempt) {
  return (((unsigned)tri * 2654435761u >> 12) + (unsigned)attempt) & ((unsigned)all->count - 1);
}

static Setup* setupAt(const Shared* all, unsigned place) {
  return (Setup*)(all->setup + place * all->size);
}

// Take a place that nobody has: what was there is 0.
static int takePlace(int* owner, int mine) {
#if defined(SN_DEVICE)
  return atomicCAS(owner, 0, mine);
#elif defined(SN_TEAM)
  int before = 0;
  __atomic_compare_exchange_n(owner, &before, mine, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return before;
#else
  int before = *owner;
  if (!before) *owner = mine;
  return before;
#endif
}

// A place for a triangle; -1: it has one already, or there is none.
static int claimPlace(const Shared* all, int tri) {
  for (int k = 0; k < kTries; k++) {
    unsigned place = placeOf(all, tri, k);
    int before = SN_PEEK(all->owner[place]);
    if (!before) before = takePlace(all->owner + place, tri + 1);
    if (!before) return (int)place;
    if (before == tri + 1) return -1;
  }
  return -1;
}

static Setup* findShared(const Shared* all, int tri) {
  for (int k = 0; k < kTries; k++) {
    unsigned place = placeOf(all, tri, k);
    int owner = all->owner[place];
    if (owner == tri + 1) return setupAt(all, place);
    if (!owner) break;
  }
  return NULL;
}

static void setTriangle(Shader* w, int tri) {
  Setup* s = w->shared ? findShared(w->shared, tri) : NULL;
  if (s) {
    w->setup = s;
    w->detail = &w->own.detail;
    forgetDetail(w->detail);
    return;
  }
  s = w->band->setup ? w->band->setup + ((unsigned)tri & (kSetups - 1)) : &w->own;
  w->setup = s;
  w->detail = &s->detail;
  if (s->tri != tri) makeSetup(w, tri, s);
}

// ---- fragments ----

typedef struct Fragment_ {
  float weight[3];  // of the corners
  double inverse;   // 1/W, W the distance from the camera
  float texel[4];
} Fragment;

static void weigh(const Setup* s, int x, int y, Fragment* g) {
  double e[3], sum = 0;
  for (int k = 0; k < 3; k++) {
    e[k] = s->e[k][0] * x + s->e[k][1] * y + s->e[k][2];
    sum += e[k];
  }
  g->inverse = sum;
  double scale = sum != 0 ? 1 / sum : 0;
  for (int k = 0; k < 3; k++) g->weight[k] = (float)(e[k] * scale);
}

static void coordinates(const Setup* s, const float weight[3], float st[3]) {
  int count = s->paint->map == kMapCube ? 3 : 2;
  st[2] = 0;
  for (int i = 0; i < count; i++) {
    st[i] = weight[0] * s->tex[0][i] + weight[1] * s->tex[1][i] + weight[2] * s->tex[2][i];
  }
}

// Texel of a fragment. The level of detail comes from differences inside of its block of 2 x 2 pixels, whichever of them asks first.
static void fetchTexel(const Setup* s, Detail* d, int x, int y, Fragment* g) {
  for (int c = 0; c < 4; c++) g->texel[c] = 1;
  if (!s->paint->texture || (s->paint->map == kMapStored && !s->instance->shape->texcoord)) return;
  float st[3];
  coordinates(s, g->weight, st);
  if (d->block[0] != x >> 1 || d->block[1] != y >> 1) {
    float block[3][3], dx[3], dy[3];
    SN_PLAIN_LOOP for (int k = 0; k < 3; k++) {
      Fragment corner;
      weigh(s, (x & ~1) + (k == 1), (y & ~1) + (k == 2), &corner);
      coordinates(s, corner.weight, block[k]);
    }
    for (int i = 0; i < 3; i++) {
      dx[i] = block[1][i] - block[0][i];
      dy[i] = block[2][i] - block[0][i];
    }
    d->level = snr_textureLevel(s->paint->texture, block[0], dx, dy);
    d->block[0] = x >> 1;
    d->block[1] = y >> 1;
  }
  snr_sampleTexture(s->paint->texture, st, d->level, g->texel);
}

static float fogFactor(const Shader* w, const Fragment* g) {
  const Frame* f = w->band->frame;
  if (!f->fog) return 1;
  float start = f->assets->fog_start, end = f->assets->fog_end;
  float distance = g->inverse != 0 ? (float)(1 / g->inverse) : 0;
  float part = end != start ? (end - distance) / (end - start) : 1;
  return part < 0 ? 0 : part > 1 ? 1 : part;
}

// colour of one pass, with fog of the given brightness
static void passColor(const Setup* s, const Fragment* g, int pass, float fog, const float* fog_rgb,
                      float rgb[3]) {
  for (int c = 0; c < 3; c++) {
    float v = 0;
    for (int k = 0; k < 3; k++) v += g->weight[k] * s->pass[pass].rgb[k][c];
    v *= g->texel[c];
    rgb[c] = fog < 1 ? fog * v + (1 - fog) * (fog_rgb ? fog_rgb[c] : 0) : v;
  }
}

// a fragment as the lamp of a pass sees it
static void lightPlace(const Shader* w, const Fragment* g, int pass, double h[4]) {
  const double(*light)[4] = w->setup->pass[pass].from;
  for (int i = 0; i < 4; i++) {
    h[i] = g->weight[0] * light[0][i] + g->weight[1] * light[1][i] + g->weight[2] * light[2][i];
  }
}

static int seesLight(const Shader* w, const Fragment* g, int pass) {
  double h[4];
  lightPlace(w, g, pass, h);
  return snr_isLit(w->band->frame->shadow + pass - 1, h);
}

// the query of a sample to the lamp of a pass
static size_t queryOf(const Band* band, int pass, size_t at) {
  SN_ASSERT(pass > 0 && pass < band->frame->npass && at < snr_countSamples(band));
  return (pass - 1) * snr_countSamples(band) + at;
}

static int askLight(const Shader* w, const Fragment* g, int pass, Query* q) {
  const ShadowMap* map = w->band->frame->shadow + pass - 1;
  double h[4];
  int x, y;
  lightPlace(w, g, pass, h);
  q->depth = 0;
  if (!snr_shadowTexel(map, h, &x, &y, &q->z)) return kLit;
  int tile = snr_tileOf(map, x, y);
  if (tile < 0) return snr_seesLight(q) ? kLit : kDark;
  q->x = (short)x;
  q->y = (short)y;
  SN_NEXT(w->band->query_end[(pass - 1) * kTraceEnds + tile]);
  return kAsks;
}

// Opaque colour of a pixel in the current triangle, for a sample. What shadows may take away is added later where they are
// traced.
static SN_OUTLINE void shadePixel(Shader* w, int x, int y, size_t at, snByte out[3]) {
  const Setup* s = w->setup;
  Fragment g;
  float rgb[3];
  weigh(s, x, y, &g);
  fetchTexel(s, w->detail, x, y, &g);
  float fog = fogFactor(w, &g);
  passColor(s, &g, 0, fog, w->band->frame->assets->fog_rgb, rgb);
  for (int c = 0; c < 3; c++) out[c] = snr_toByte(rgb[c]);
  for (int p = 1; p < w->passes; p++) {
    size_t number = queryOf(w->band, p, at);
    Query* q = w->band->query ? w->band->query + number : NULL;
    int dark = s->pass[p].dark || g.texel[3] * s->paint->rgba[3] < 0.99f;
    if (q) w->band->query_state[number] = (snByte)(dark ? kDark : askLight(w, &g, p, q));
    if (dark || (!q && !seesLight(w, &g, p))) continue;
    passColor(s, &g, p, fog, NULL, rgb);
    for (int c = 0; c < 3; c++) {
      if (q)
        q->rgb[c] = snr_toByte(rgb[c]);
      else
        out[c] = addByte(out[c], snr_toByte(rgb[c]));
    }
  }
}

// ---- a band ----

static void startShader(Shader* w, Band* band, const View* view, int passes, float reduce) {
  memset(w, 0, offsetof(Shader, own));
  w->band = band;
  w->view = view;
  w->passes = passes;
  w->reduce = reduce;
  w->setup = &w->own;
  w->own.tri = kNoTriangle;
  forgetTriangles(band);
}

// whether a triangle belongs to the mirror: all of a plane, the upper face of a box
static int isMirror(const Frame* f, unsigned tri) {
  if (f->reflector < 0) return 0;
  const Instance* in = f->instance + f->first[f->reflector];
  if (f->first[f->reflector] == f->first[f->reflector + 1] || tri < in->tri) return 0;
  unsigned local = tri - in->tri, count = (unsigned)in->shape->ntri;
  if (f->scene->geoms[f->reflector].type != snGEOM_BOX) return local < count;
  return local >= count / 6 * 4 && local < count / 6 * 5;
}

static void blendMirror(Band* band);

// ---- fragments by teams ----
//
// Lanes that shade different numbers of fragments would wait for one another: so they are listed first, and shaded by all lanes
// at a time.

// the samples of a pixel to be shaded: bits
static int samplesToShade(const Band* band, int mirror, size_t pixel, size_t layer) {
  const Frame* f = band->frame;
  int found = 0;
  for (int s = 0; s < f->nsample; s++) {
    int tri = band->tri[s * layer + pixel], seen = tri != kNoTriangle;
    if (mirror)
      seen =
          seen && band->mirror_tri[s * layer + pixel] != kNoTriangle && isMirror(f, (unsigned)tri);
    found |= seen << s;
  }
  return found;
}

// before the first fragment of a pixel is shaded
static void clearPixel(const Band* band, int mirror, size_t pixel, size_t layer) {
  const Frame* f = band->frame;
  for (int s = 0; s < f->nsample; s++) {
    size_t at = s * layer + pixel;
    int fresh = mirror || f->reflector < 0 || band->tri[at] == kNoTriangle;
    for (int c = 0; fresh && c < 3; c++) band->color[3 * at + c] = 0;
    for (int p = 1; !mirror && band->query && p < f->npass; p++)
      band->query_state[queryOf(band, p, at)] = kDark;
  }
}

// a fragment: its pixel, the first of its samples, and bits of all of them
static int packFragment(int pixel, int sample, int samples) {
  return pixel << 8 | sample << 4 | samples;
}

static void shadeFragment(Shader* w, int mirror, size_t layer, int fragment) {
  Band* band = w->band;
  int pixel = fragment >> 8, first = fragment >> 4 & 3, width = band->frame->view.width;
  size_t at = first * layer + pixel;
  int adds = !mirror && isMirror(band->frame, (unsigned)band->tri[at]);
  snByte own[3];
  setTriangle(w, mirror ? band->mirror_tri[at] : band->tri[at]);
  shadePixel(w, pixel % width, band->y0 + pixel / width, at, own);
  for (int s = first; s < band->frame->nsample; s++) {
    snByte* out = band->color + 3 * (s * layer + pixel);
    if (!(fragment >> s & 1)) continue;
    for (int c = 0; c < 3; c++) out[c] = adds ? addByte(out[c], own[c]) : own[c];
  }
}

// The next fragment of a pixel whose samples are left: those in the same triangle as the first of them.
static int takeFragment(const int* tri, int nsample, size_t layer, int pixel, int* left) {
  int first = sn_firstBit((unsigned)*left), samples = 0;
  for (int s = first; s < nsample; s++) {
    int same = tri[s * layer + pixel] == tri[first * layer + pixel];
    samples |= (same & *left >> s) << s;
  }
  *left &= ~samples;
  return packFragment(pixel, first, samples);
}

static void shadeFragments(Band* band, Shader* w, int mirror) {
  const Frame* f = band->frame;
  w->shared = band->shared + mirror;
  const int* tri = mirror ? band->mirror_tri : band->tri;
  int pixels = (band->y1 - band->y0) * f->view.width, waiting = 0, total;
  int *list = band->fragment, step = band->teams * SN_LANES;
  size_t layer = (size_t)pixels;
  for (int begin = band->team * SN_LANES; begin < pixels; begin += step) {
    int pixel = begin + SN_LANE, left = 0;
    if (pixel < pixels) {
      clearPixel(band, mirror, (size_t)pixel, layer);
      left = samplesToShade(band, mirror, (size_t)pixel, layer);
    }
    while (sn_teamAny(left)) {
      int some = left != 0, before = sn_teamRank(some, &total);
      if (some) list[waiting + before] = takeFragment(tri, f->nsample, layer, pixel, &left);
      waiting += total;
      SN_SYNC();
      if (waiting < SN_LANES) continue;
      waiting -= SN_LANES;
      shadeFragment(w, mirror, layer, list[waiting + SN_LANE]);
      SN_SYNC();
    }
  }
  if (SN_LANE < waiting) shadeFragment(w, mirror, layer, list[SN_LANE]);
  SN_SYNC();
}

// The next triangle of a pixel for which this lane finds a place: that, or -1 when no sample is left.
static int claimNext(const Shared* all, const int* tri, size_t layer, int pixel, int* left) {
  int place = -1;
  while (*left && place < 0) {
    int sample = sn_firstBit((unsigned)*left);
    *left &= *left - 1;
    place = claimPlace(all, tri[sample * layer + pixel]);
  }
  return place;
}

// A lane makes a setup in its own memory, whose words lie beside those of its neighbours, and then copies it: to write
// many small pieces of 32 setups, in places far from one another, takes longer.
static void lightSome(Shader* w, const Shared* all, int place) {
  Setup* to = setupAt(all, (unsigned)place);
  makeSetup(w, all->owner[place] - 1, &w->own);
#ifdef SN_DEVICE
  const int4* from = (const int4*)&w->own;
  SN_PLAIN_LOOP for (size_t i = 0; i < all->size / sizeof(int4); i++)((int4*)to)[i] = from[i];
#else
  memcpy(to, &w->own, all->size);
#endif
}

// Setups of the triangles of a view: as with fragments, all lanes work on one each.
static void shareTriangles(Band* band, Shader* w, int mirror) {
  const Frame* f = band->frame;
  const Shared* all = band->shared + mirror;
  const int* tri = mirror ? band->mirror_tri : band->tri;
  int pixels = (band->y1 - band->y0) * f->view.width, waiting = 0, total;
  int *list = band->fragment, step = band->teams * SN_LANES;
  size_t layer = (size_t)pixels;
  for (int begin = band->team * SN_LANES; begin < pixels; begin += step) {
    int pixel = begin + SN_LANE,
        left = pixel < pixels ? samplesToShade(band, mirror, (size_t)pixel, layer) : 0;
    while (sn_teamAny(left)) {
      int place = claimNext(all, tri, layer, pixel, &left);
      int before = sn_teamRank(place >= 0, &total);
      if (place >= 0) list[waiting + before] = place;
      waiting += total;
      SN_SYNC();
      if (waiting < SN_LANES) continue;
      waiting -= SN_LANES;
      lightSome(w, all, list[waiting + SN_LANE]);
      SN_SYNC();
    }
  }
  if (SN_LANE < waiting) lightSome(w, all, list[SN_LANE]);
  SN_SYNC();
}

void snr_lightTriangles(Band* band) {
  const Frame* f = band->frame;
  Shader w;
  startShader(&w, band, &f->view, f->npass, 1);
  shareTriangles(band, &w, 0);
  if (f->reflector < 0) return;
  startShader(&w, band, &f->mirror, 1, f->paint[f->reflector].reflectance);
  shareTriangles(band, &w, 1);
}

// what the mirror shows, at the samples where it is seen
static void shadeMirror(Band* band) {
  const Frame* f = band->frame;
  Shader w;
  startShader(&w, band, &f->mirror, 1, f->paint[f->reflector].reflectance);
  if (SNR_DEALT(band)) {
    shadeFragments(band, &w, 1);
    blendMirror(band);
    return;
  }
  int width = f->view.width, rows = band->y1 - band->y0;
  for (int sample = 0; sample < f->nsample; sample++) {
    for (int k = 0; k < rows * width; k++) {
      size_t at = (size_t)sample * rows * width + k;
      int tri = band->tri[at], seen = band->mirror_tri[at];
      memset(band->color + 3 * at, 0, 3);
      if (tri == kNoTriangle || seen == kNoTriangle || !isMirror(f, (unsigned)tri)) continue;
      setTriangle(&w, seen);
      shadePixel(&w, k % width, band->y0 + k / width, at, band->color + 3 * at);
    }
  }
  blendMirror(band);
}

// The samples of one pixel: those of one triangle share their colour, to which a mirror adds what each of them reflects. (Sums
// that stop at 255 do not depend on their order.)
static void shadeSamples(Shader* w, int x, int y) {
  Band* band = w->band;
  const Frame* f = band->frame;
  size_t layer = (size_t)(band->y1 - band->y0) * f->view.width;
  size_t at = (size_t)(y - band->y0) * f->view.width + x;
  int shaded = kNoTriangle;
  snByte own[3] = {0, 0, 0};
  for (int sample = 0; sample < f->nsample; sample++, at += layer) {
    int tri = band->tri[at], mirror = tri != kNoTriangle && isMirror(f, (unsigned)tri);
    snByte* out = band->color + 3 * at;
    for (int p = 1; band->query && p < f->npass; p++)
      band->query_state[queryOf(band, p, at)] = kDark;
    if (tri == kNoTriangle) {
      memset(out, 0, 3);
      continue;
    }
    if (tri != shaded) {
      setTriangle(w, tri);
      shadePixel(w, x, y, at, own);
      shaded = tri;
    }
    for (int c = 0; c < 3; c++) out[c] = mirror ? addByte(out[c], own[c]) : own[c];
  }
}

// what the lamps add to a sample, of which another one has asked
static void addQueries(const Band* band, size_t asked, size_t at) {
  snByte* out = band->color + 3 * at;
  for (int p = 1; p < band->frame->npass; p++) {
    size_t number = queryOf(band, p, asked);
    const Query* q = band->query + number;
    int state = band->query_state[number];
    if (state == kDark || (state == kAsks && !snr_seesLight(q))) continue;
    for (int c = 0; c < 3; c++) out[c] = addByte(out[c], q->rgb[c]);
  }
}

// Light that was found to reach the samples of a pixel: the first one in a triangle has asked for all others.
void snr_addTraced(Band* band, size_t pixel) {
  enum { kMost = 4 };
  int tri[kMost], n = band->frame->nsample;
  size_t layer = (size_t)(band->y1 - band->y0) * band->frame->view.width;
  SN_UNROLL for (int s = 0; s < kMost; s++) {
    tri[s] = s < n ? band->tri[s * layer + pixel] : kNoTriangle;
  }
  SN_UNROLL for (int s = 0; s < kMost; s++) {
    int first = s;
    SN_UNROLL for (int k = kMost - 1; k >= 0; k--) first = k < s && tri[k] == tri[s] ? k : first;
    if (tri[s] != kNoTriangle) addQueries(band, first * layer + pixel, s * layer + pixel);
  }
}

// how many pixels from a place on lie in a triangle, with all their samples; at most as many as are given, and kRun
static int countWhole(const Band* band, size_t at, size_t layer, int tri, int most) {
  int differ[kRun], any = 0, count = 0;
  if (most < kRun) {  // at the end of a row
    while (count < most) {
      for (int sample = 0; sample < band->frame->nsample; sample++) {
        if (band->tri[at + count + sample * layer] != tri) return count;
      }
      count++;
    }
    return count;
  }
  for (int i = 0; i < kRun; i++) differ[i] = band->tri[at + i] ^ tri;
  for (int sample = 1; sample < band->frame->nsample; sample++) {
    const int* other = band->tri + at + sample * layer;
    for (int i = 0; i < kRun; i++) differ[i] |= other[i] ^ tri;
  }
  for (int i = 0; i < kRun; i++) any |= differ[i];
  if (!any) return kRun;
  while (count < kRun && !differ[count]) count++;
  return count;
}

// pixels of a row from x on that lie in one triangle: shaded together; their number, 0 where they are too few
static int shadeTogether(Shader* w, int x, int y) {
  Band* band = w->band;
  const Frame* f = band->frame;
  size_t layer = (size_t)(band->y1 - band->y0) * f->view.width;
  size_t at = (size_t)(y - band->y0) * f->view.width + x;
  int tri = band->tri[at], count;
  snByte own[3 * kRun];
  // most pixels that do not begin a run are seen by their neighbour already
  if (tri == kNoTriangle || (f->view.width - x > 1 && band->tri[at + 1] != tri)) return 0;
  count = countWhole(band, at, layer, tri, f->view.width - x);
  if (count > kRun - (x & 1)) count = kRun - (x & 1);
  if (count < 2) return 0;
  setTriangle(w, tri);
  if (!snr_canRun(w)) return 0;
  snr_shadeRun(w, x, y, count, own);
  int mirror = isMirror(f, (unsigned)tri);
  for (int sample = 0; sample < f->nsample; sample++) {
    snByte* out = band->color + 3 * (at + sample * layer);
    if (!mirror && count == kRun)
      memcpy(out, own, sizeof(own));
    else if (!mirror)
      memcpy(out, own, 3 * (size_t)count);
    for (int k = 0; mirror && k < 3 * count; k++) out[k] = addByte(out[k], own[k]);
  }
  return count;
}

SN_WIDE_PIXELS(static, void, shadeRows, (Band * band), (band)) {
  const Frame* f = band->frame;
  Shader w;
  startShader(&w, band, &f->view, f->npass, 1);
  for (int y = band->y0; y < band->y1; y++) {
    for (int x = 0; x < f->view.width;) {
      int count = shadeTogether(&w, x, y);
      if (!count) shadeSamples(&w, x, y);
      x += count ? count : 1;
    }
  }
}

// pixel by pixel
static void shadePixels(Band* band) {
  const Frame* f = band->frame;
  int width = f->view.width, pixels = (band->y1 - band->y0) * width;
  Shader w;
  startShader(&w, band, &f->view, f->npass, 1);
  if (SNR_DEALT(band)) {
    shadeFragments(band, &w, 0);
    return;
  }
  for (int k = 0; k < pixels; k++) shadeSamples(&w, k % width, band->y0 + k / width);
}

void snr_shadeOpaque(Band* band) {
  if (band->frame->reflector >= 0) shadeMirror(band);
  if (SNR_DEALT(band) || band->query)
    shadePixels(band);
  else
    shadeRows(band);
}

// ---- transparent spans ----

SN_OUTLINE void snr_blendSpan(Blend* blend, int tri, int y, int x0, int x1) {
  Shader* w = (Shader*)blend->shader;
  Band* band = blend->band;
  const Frame* f = band->frame;
  setTriangle(w, tri);
  size_t row = ((size_t)blend->sample * (band->y1 - band->y0) + (y - band->y0)) * f->view.width;
  for (int x = x0; x <= x1; x++) {
    snByte* out = band->color + 3 * (row + x);
    Fragment g;
    float rgb[3];
    weigh(w->setup, x, y, &g);
    fetchTexel(w->setup, w->detail, x, y, &g);
    passColor(w->setup, &g, 0, fogFactor(w, &g), f->assets->fog_rgb, rgb);
    float alpha = snr_toByte(g.texel[3] * w->setup->paint->rgba[3]) / 255.0f;
    for (int c = 0; c < 3; c++) {
      float source = snr_toByte(rgb[c]) / 255.0f, old = out[c] / 255.0f;
      out[c] = snr_toByte(alpha * source + (blend->additive ? old : (1 - alpha) * old));
    }
  }
}

static void blendGeom(Band* band, Raster* r, int geom) {
  const Frame* f = band->frame;
  for (int i = f->first[geom]; i < f->first[geom + 1]; i++) {
    const Instance* in = f->instance + i;
    if (snr_hasPart(r, in)) snr_rasterInstance(r, in, f->paint[geom].cull);
  }
}

// transparent geoms over some rows of one sample of a view
static SN_OUTLINE void blendRows(Band* band, Shader* w, float* z, int sample, int y0, int y1) {
  const Frame* f = band->frame;
  int n = f->has_transparent, additive = f->scene->flags[snRND_ADDITIVE], width = f->view.width;
  Blend blend = {band, sample, additive, w};
  Raster r;
  memset(&r, 0, sizeof(r));
  r.view = w->view;
  r.y0 = y0;
  r.y1 = y1;
  r.width = width;
  r.z = z + ((size_t)sample * (band->y1 - band->y0) + (y0 - band->y0)) * width;
  r.blend = &blend;
  r.wire = f->wire;
  r.teams = 1;
  snr_setSamples(&r, sample, 1, f->nsample);
  // near to far, then far to near
  for (int i = 0; i < n; i++) blendGeom(band, &r, f->scene->geomorder[i]);
  for (int i = n - 1; !additive && i >= 0; i--) blendGeom(band, &r, f->scene->geomorder[i]);
}

// Transparent geoms over the image of a view. Their order counts, so that every lane draws all of them, in rows of its own.
static void blendView(Band* band, const View* view, float reduce, float* z) {
  int rows = band->y1 - band->y0, parts = SN_LANES, part = (rows + parts - 1) / parts;
  Shader w;
  if (!band->frame->has_transparent) return;
  startShader(&w, band, view, 1, reduce);
  SN_FOR(i, parts) {
    int y0 = band->y0 + i * part, y1 = y0 + part < band->y1 ? y0 + part : band->y1;
    for (int sample = 0; y0 < y1 && sample < band->frame->nsample; sample++) {
      SN_ALONE blendRows(band, &w, z, sample, y0, y1);
    }
  }
  SN_SYNC();
}

void snr_blendTransparent(Band* band) { blendView(band, &band->frame->view, 1, band->z); }

// Beside the mirror, what this draws is drawn over: opaque pixels come after it.
static void blendMirror(Band* band) {
  const Frame* f = band->frame;
  blendView(band, &f->mirror, f->paint[f->reflector].reflectance, band->mirror_z);
}

// ---- ids ----

void snr_idColor(const snvScene* scn, int geom, snByte rgb[3]) {
  static const int kBase[3] = {2, 3, 5};
  int segid = scn->geoms[geom].segid;
  for (int c = 0; c < 3; c++) {
    rgb[c] = scn->flags[snRND_IDCOLOR]
                 ? (snByte)((segid + 1) >> (8 * c) & 255)
                 : snr_toByte((float)(0.1 + 0.8 * snu_Halton(segid + 10, kBase[c])));
  }
}

void snr_objectOf(const snvScene* scn, const snByte rgb[3], int object[2]) {
  int geom = (rgb[0] | rgb[1] << 8 | rgb[2] << 16) - 1;
  object[0] = geom >= 0 ? scn->geoms[geom].objid : -1;
  object[1] = geom >= 0 ? scn->geoms[geom].objtype : -1;
}

void snr_shadeSegment(Band* band) {
  const Frame* f = band->frame;
  const Instance* last = NULL;
  snByte rgb[3] = {0, 0, 0};
  int before = kNoTriangle, geom = -1;
  SNR_FOR(k, band, (band->y1 - band->y0) * f->view.width) {
    int tri = band->tri[k];
    if (tri == kNoTriangle) {
      memset(band->color + 3 * (size_t)k, 0, 3);
      continue;
    }
    if (tri != before) {
      last = findInstance(f, last, (unsigned)tri);
      if (last->geom != geom) snr_idColor(f->scene, last->geom, rgb);
      geom = last->geom;
      before = tri;
    }
    memcpy(band->color + 3 * (size_t)k, rgb, 3);
  }
  SN_SYNC();
}
