// Skybox and haze: what is seen behind everything.

#include <math.h>
#include <string.h>

#include "base/team.h"
#include "render/render.h"

// direction and position of the ray through the centre of a pixel, per unit of distance along the axis
typedef struct Rays_ {
  double base[3], dx[3], dy[3];  // direction = base + x dx + y dy
  float step;                    // largest part of dx and dy
} Rays;

// the inverse of the view's rows X, Y, W without translation
static void findRays(const View* v, Rays* r) {
  double m[3][3], inverse[3][3], det = 0;
  for (int j = 0; j < 3; j++) {
    m[0][j] = v->row[0][j];
    m[1][j] = v->row[1][j];
    m[2][j] = v->row[3][j];
  }
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
      inverse[j][i] = m[a][c] * m[b][d] - m[a][d] * m[b][c];
    }
  }
  for (int j = 0; j < 3; j++) det += m[0][j] * inverse[j][0];
  double scale = det != 0 ? 1 / det : 0;
  r->step = 0;
  for (int i = 0; i < 3; i++) {
    r->dx[i] = inverse[i][0] * scale;
    r->dy[i] = inverse[i][1] * scale;
    r->base[i] = inverse[i][2] * scale + 0.5 * (r->dx[i] + r->dy[i]);
    if (v->orthographic) {
      r->dx[i] = r->dy[i] = 0;
      r->base[i] = v->forward[i];
    }
    r->step = fmaxf(r->step, fmaxf(fabsf((float)r->dx[i]), fabsf((float)r->dy[i])));
  }
}

static void rayAt(const Rays* r, int x, int y, double d[3]) {
  for (int i = 0; i < 3; i++) d[i] = r->base[i] + x * r->dx[i] + y * r->dy[i];
}

// reversed depth at a distance along the optical axis
static double depthAt(const View* v, double distance) {
  double n = v->near, f = v->far;
  return v->orthographic ? (f - distance) / (f - n) : n * (f - distance) / (distance * (f - n));
}

static int skyTexture(const Frame* f) {
  return f->scene->flags[snRND_SKYBOX] && !f->segment ? f->assets->skybox : -1;
}

// cylinder around the head, of radius and half height 0.7 far: depth where a ray meets it
static double skyDepth(const View* v, const double d[3]) {
  double reach = 0.7 * v->far, flat = sqrt(d[0] * d[0] + d[1] * d[1]), up = fabs(d[2]);
  double most = flat > up ? flat : up;
  return most > 0 ? depthAt(v, reach / most) : 0;
}

// A lane alone draws rows in pieces, and skips those to which nothing behind a depth can be added.
enum { kPiece = 64 };

SN_WIDE_PIXELS(static, int, isCovered, (const Band* band, size_t k, size_t layer, float limit),
               (band, k, layer, limit)) {
  int open = 0;
  for (int s = 0; s < band->frame->nsample; s++) {
    const float* z = band->z + s * layer + k;
    for (int i = 0; i < kPiece; i++) open |= z[i] <= limit;
  }
  return !open;
}

// the next piece from pixel k on that is not skipped: its pixels, and where it begins
static int nextPiece(const Band* band, size_t* k, size_t layer, float limit) {
  while (*k + kPiece <= layer && isCovered(band, *k, layer, limit)) *k += kPiece;
  return *k >= layer ? 0 : layer - *k < kPiece ? (int)(layer - *k) : kPiece;
}

// whether nothing has been drawn in a piece, in any sample
SN_WIDE_PIXELS(static, int, isEmpty, (const Band* band, size_t k, size_t layer), (band, k, layer)) {
  int drawn = 0;
  for (int s = 0; s < band->frame->nsample; s++) {
    const float* z = band->z + s * layer + k;
    for (int i = 0; i < kPiece; i++) drawn |= z[i] != 0;
  }
  return !drawn;
}

// Level of detail of the sky's texture. A step s of a direction, whose largest part is m, moves less than 2 s / (m - s) on a face
// of size 2 in each of two directions: where that is less than a texel, the level is the first.
static float skyLevel(const Texture* t, const Rays* rays, const float st[3]) {
  float most = fmaxf(fmaxf(fabsf(st[0]), fabsf(st[1])), fabsf(st[2]));
  if (t->width * rays->step <= 0.6f * (most - rays->step)) return 0;
  float dx[3] = {(float)rays->dx[0], (float)rays->dx[2], (float)-rays->dx[1]};
  float dy[3] = {(float)rays->dy[0], (float)rays->dy[2], (float)-rays->dy[1]};
  return snr_textureLevel(t, st, dx, dy);
}

// the sky at a pixel, where no sample of it is nearer
static void skyPixel(Band* band, const Texture* t, const Rays* rays, size_t k, size_t layer) {
  const Frame* f = band->frame;
  int width = f->view.width, made = 0, open = 0;
  snByte rgb[3] = {0, 0, 0};
  double d[3];
  for (int s = 0; s < f->nsample; s++) open |= band->z[s * layer + k] < 1e-3f;
  if (!open) return;
  rayAt(rays, (int)(k % width), band->y0 + (int)(k / width), d);
  float z = (float)skyDepth(&f->view, d);
  for (int s = 0; s < f->nsample; s++) {
    size_t at = s * layer + k;
    if (z < band->z[at]) continue;
    if (!made) {
      float st[3] = {(float)d[0], (float)d[2], (float)-d[1]}, rgba[4];
      snr_sampleTexture(t, st, skyLevel(t, rays, st), rgba);
      for (int c = 0; c < 3; c++) rgb[c] = snr_toByte(rgba[c]);
      made = 1;
    }
    memcpy(band->color + 3 * at, rgb, 3);
    band->z[at] = z;
  }
}

// Pixels of a row before which there is nothing, a piece of them at a time, without branches: directions, then places on the faces
// of the cube, then texels. The arithmetic is that of single pixels (skyPixel, texture.c), operation by operation.
typedef struct SkyPiece_ {
  float z[kPiece];
  float st[3][kPiece];
  float u[kPiece], v[kPiece];  // on the face, in texels
  int face[kPiece];
  snByte rgb[3 * kPiece];
} SkyPiece;

SN_KERNEL void skyRays(const View* view, const Rays* rays, int x0, int y, SkyPiece* p) {
  double reach = 0.7 * view->far, n = view->near, f = view->far;
  for (int i = 0; i < kPiece; i++) {
    double x = x0 + i;
    double d0 = rays->base[0] + x * rays->dx[0] + y * rays->dy[0];
    double d1 = rays->base[1] + x * rays->dx[1] + y * rays->dy[1];
    double d2 = rays->base[2] + x * rays->dx[2] + y * rays->dy[2];
    double flat = sqrt(d0 * d0 + d1 * d1), up = fabs(d2), most = flat > up ? flat : up;
    double distance = reach / (most > 0 ? most : 1);
    double depth = n * (f - distance) / (distance * (f - n));
    p->z[i] = (float)(most > 0 ? depth : 0);
    p->st[0][i] = (float)d0;
    p->st[1][i] = (float)d2;
    p->st[2][i] = (float)-d1;
  }
}

SN_KERNEL void skyFaces(float size, SkyPiece* p) {
  for (int i = 0; i < kPiece; i++) {
    float a = p->st[0][i], b = p->st[1][i], c = p->st[2][i];
    float x = fabsf(a), y = fabsf(b), z = fabsf(c);
    int first = (x >= y) & (x >= z), second = !first & (y >= z);
    float ma = first ? x : second ? y : z, along = first ? a : second ? b : c;
    int behind = !(along >= 0);
    float sc = first ? (behind ? c : -c) : second ? a : behind ? -a : a;
    float tc = second ? (behind ? -c : c) : -b;
    float u = sc / (ma > 0 ? ma : 1), v = tc / (ma > 0 ? ma : 1);
    p->face[i] = (first ? 0 : second ? 2 : 4) + behind;
    p->u[i] = 0.5f * ((ma > 0 ? u : 0) + 1) * size - 0.5f;
    p->v[i] = 0.5f * ((ma > 0 ? v : 0) + 1) * size - 0.5f;
  }
}

// texels at places that are not at the border of their face; 0: one is
SN_KERNEL int skyTexels(const Texture* t, SkyPiece* p) {
  int n = t->width, x[kPiece], y[kPiece], inside = 1;
  float value[3][kPiece];
  for (int i = 0; i < kPiece; i++) {
    x[i] = (int)p->u[i];
    y[i] = (int)p->v[i];
    inside &= (p->u[i] >= 0) & (p->v[i] >= 0) & (x[i] + 1 < n) & (y[i] + 1 < n);
  }
  if (!inside) return 0;
  for (int i = 0; i < kPiece; i++) {
    const snByte* at = t->texel[p->face[i]][0] + 4 * (y[i] * n + x[i]);
    float a = p->u[i] - x[i], b = p->v[i] - y[i];
    float share[4] = {(1 - a) * (1 - b), a * (1 - b), (1 - a) * b, a * b};
    for (int c = 0; c < 3; c++) {
      value[c][i] = (share[0] * at[c] + share[1] * at[4 + c] + share[2] * at[4 * n + c] +
                     share[3] * at[4 * n + 4 + c]) *
                    (1 / 255.0f);
    }
  }
  for (int i = 0; i < kPiece; i++) {
    for (int c = 0; c < 3; c++) {
      float v = value[c][i];
      p->rgb[3 * i + c] = (snByte)(255 * (v > 1 ? 1 : v) + 0.5f);
    }
  }
  return 1;
}

// 0: the pixels have to be drawn one by one
SN_WIDE_PIXELS(static, int, skyPiece,
               (Band * band, const Texture* t, const Rays* rays, size_t k, size_t layer),
               (band, t, rays, k, layer)) {
  const Frame* f = band->frame;
  int width = f->view.width, x = (int)(k % width), plain = 1;
  SkyPiece p;
  if (x + kPiece > width || f->view.orthographic || t->type == snTEXTURE_2D || t->srgb) return 0;
  skyRays(&f->view, rays, x, band->y0 + (int)(k / width), &p);
  for (int i = 0; i < kPiece; i++) {
    float a = fabsf(p.st[0][i]), b = fabsf(p.st[1][i]), c = fabsf(p.st[2][i]);
    float most = a > b ? a : b;
    most = most > c ? most : c;
    plain &= (t->width * rays->step <= 0.6f * (most - rays->step)) & (p.z[i] >= 0);
  }
  if (!plain) return 0;  // other levels of detail, or NaN
  skyFaces((float)t->width, &p);
  if (!skyTexels(t, &p)) return 0;
  for (int s = 0; s < f->nsample; s++) {
    memcpy(band->z + s * layer + k, p.z, sizeof(p.z));
    memcpy(band->color + 3 * (s * layer + k), p.rgb, sizeof(p.rgb));
  }
  return 1;
}

void snr_drawSky(Band* band) {
  const Frame* f = band->frame;
  int texture = skyTexture(f), count;
  size_t layer = (size_t)(band->y1 - band->y0) * f->view.width;
  if (texture < 0) return;
  Rays rays;
  findRays(&f->view, &rays);
  const Texture* t = f->assets->texture + texture;
  if (SNR_DEALT(band)) {
    SNR_FOR(k, band, layer) skyPixel(band, t, &rays, (size_t)k, layer);
    SN_SYNC();
    return;
  }
  for (size_t k = 0; (count = nextPiece(band, &k, layer, 1e-3f)); k += kPiece) {
    if (count == kPiece && isEmpty(band, k, layer) && skyPiece(band, t, &rays, k, layer)) continue;
    for (int i = 0; i < count; i++) skyPixel(band, t, &rays, k + i, layer);
  }
}

// ---- haze ----

static int findFloor(const snvScene* scn) {
  for (int i = 0; i < scn->ngeom; i++) {
    const snvGeom* g = scn->geoms + i;
    if (g->type == snGEOM_PLANE && g->size[0] <= 0 && g->size[1] <= 0) return i;
  }
  return -1;
}

// share of haze on a ray, and the depth of the cone that carries it
static double hazeAt(const Frame* f, const double d[3], double e, double* depth) {
  double r = f->assets->haze, flat = sqrt(d[0] * d[0] + d[1] * d[1]), reach = 0.7 * f->view.far;
  if (!(flat > 0)) return 0;
  double T = -d[2] / flat / e, u = T / (1 + r * T), h = 1 - u, crest = r / (1 + r), share = 0;
  if (T < 0 || h < 0 || h > 1) return 0;
  share = h <= crest ? (crest > 0 ? h / crest : 1) : (1 - h) / (1 - crest);
  // the point of the cone lies at radius reach (1 - r u)
  *depth = depthAt(&f->view, reach * (1 - r * u) / flat);
  return share;
}

// depth of the nearest point that haze may have: the cone is narrowest where it ends
static double hazeNearest(const Frame* f, const Rays* rays) {
  double longest = 0, r = f->assets->haze, reach = 0.7 * f->view.far;
  for (int k = 0; k < 4; k++) {
    double d[3];
    rayAt(rays, k & 1 ? f->view.width : -1, k & 2 ? f->view.height : -1, d);
    double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    if (square > longest) longest = square;
  }
  return r < 1 && longest > 0 ? depthAt(&f->view, reach * (1 - r) / sqrt(longest)) : 1;
}

// the floor under the haze, and what is nearer than it
typedef struct Haze_ {
  Rays rays;
  const snvGeom* floor;
  double e;        // height over the floor, in units of the sky's distance
  double nearest;  // depth
} Haze;

static void hazePixel(Band* band, const Haze* haze, size_t k, size_t layer) {
  const Frame* f = band->frame;
  const float* mat = haze->floor->mat;
  double d[3], local[3], depth = 0;
  int open = 0, width = f->view.width;
  for (int s = 0; s < f->nsample; s++) open |= band->z[s * layer + k] <= haze->nearest;
  if (!open) return;
  rayAt(&haze->rays, (int)(k % width), band->y0 + (int)(k / width), d);
  for (int j = 0; j < 3; j++) local[j] = mat[j] * d[0] + mat[3 + j] * d[1] + mat[6 + j] * d[2];
  if (local[2] > 0) return;
  double share = hazeAt(f, local, haze->e, &depth);
  if (!(share > 0)) return;
  for (int s = 0; s < f->nsample; s++) {
    size_t at = s * layer + k;
    if (depth < band->z[at]) continue;
    for (int c = 0; c < 3; c++) {
      double old = band->color[3 * at + c],
             v = share * 255 * f->assets->haze_rgb[c] + (1 - share) * old;
      band->color[3 * at + c] = (snByte)(v < 0 ? 0 : v > 255 ? 255 : v + 0.5);
    }
  }
}

void snr_drawHaze(Band* band) {
  const Frame* f = band->frame;
  const snvScene* scn = f->scene;
  int ground = findFloor(scn), count;
  size_t layer = (size_t)(band->y1 - band->y0) * f->view.width;
  if (!scn->flags[snRND_HAZE] || ground < 0 || skyTexture(f) < 0) return;
  const snvGeom* g = scn->geoms + ground;
  double height = 0;
  for (int i = 0; i < 3; i++) height += g->mat[3 * i + 2] * (f->view.eye[i] - g->pos[i]);
  Haze haze;
  haze.floor = g;
  haze.e = height / (0.7 * f->view.far);
  if (!(haze.e > 0)) return;
  findRays(&f->view, &haze.rays);
  haze.nearest = hazeNearest(f, &haze.rays);
  float limit = (float)haze.nearest * 1.000001f;
  if (SNR_DEALT(band)) {
    SNR_FOR(k, band, layer) hazePixel(band, &haze, (size_t)k, layer);
    SN_SYNC();
    return;
  }
  for (size_t k = 0; (count = nextPiece(band, &k, layer, limit)); k += kPiece) {
    for (int i = 0; i < count; i++) hazePixel(band, &haze, k + i, layer);
  }
}
