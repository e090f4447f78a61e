// Skybox and haze: what is seen behind everything.

#include <math.h>
#include <string.h>

#include "base/team.h"
#include "render/render.h"

// direction and position of the ray through the centre of a pixel, per unit of distance along the axis
typedef struct Rays_ {
  double base[3], dx[3], dy[3];  // direction = base + x dx + y dy
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
  for (int i = 0; i < 3; i++) {
    r->dx[i] = inverse[i][0] * scale;
    r->dy[i] = inverse[i][1] * scale;
    r->base[i] = inverse[i][2] * scale + 0.5 * (r->dx[i] + r->dy[i]);
    if (v->orthographic) {
      r->dx[i] = r->dy[i] = 0;
      r->base[i] = v->forward[i];
    }
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

// Rows are drawn in pieces. A lane alone skips those to which nothing behind a depth can be added.
enum { kPiece = 64 };

SN_WIDE static int isCovered(const Band* band, size_t k, size_t layer, float limit) {
  int open = 0;
  for (int s = 0; s < band->frame->nsample; s++) {
    const float* z = band->z + s * layer + k;
    for (int i = 0; i < kPiece; i++) open |= z[i] <= limit;
  }
  return !open;
}

// the next piece from pixel k on that is not skipped: its pixels, and where it begins
static int nextPiece(const Band* band, size_t* k, size_t layer, float limit) {
  while (SN_LANES == 1 && *k + kPiece <= layer && isCovered(band, *k, layer, limit)) *k += kPiece;
  return *k >= layer ? 0 : layer - *k < kPiece ? (int)(layer - *k) : kPiece;
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
      float dx[3] = {(float)rays->dx[0], (float)rays->dx[2], (float)-rays->dx[1]};
      float dy[3] = {(float)rays->dy[0], (float)rays->dy[2], (float)-rays->dy[1]};
      snr_sampleTexture(t, st, snr_textureLevel(t, st, dx, dy), rgba);
      for (int c = 0; c < 3; c++) rgb[c] = (snByte)(255 * (rgba[c] > 1 ? 1 : rgba[c]) + 0.5f);
      made = 1;
    }
    memcpy(band->color + 3 * at, rgb, 3);
    band->z[at] = z;
  }
}

void snr_drawSky(Band* band) {
  const Frame* f = band->frame;
  int texture = skyTexture(f), count;
  size_t layer = (size_t)(band->y1 - band->y0) * f->view.width;
  if (texture < 0) return;
  Rays rays;
  findRays(&f->view, &rays);
  for (size_t k = 0; (count = nextPiece(band, &k, layer, 1e-3f)); k += kPiece) {
    SN_FOR(i, count) skyPixel(band, f->assets->texture + texture, &rays, k + i, layer);
  }
  SN_SYNC();
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
  for (size_t k = 0; (count = nextPiece(band, &k, layer, limit)); k += kPiece) {
    SN_FOR(i, count) hazePixel(band, &haze, k + i, layer);
  }
  SN_SYNC();
}
