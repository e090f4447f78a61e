// Shadow maps: depth as a light sees it.

#include <math.h>
#include <string.h>

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

void snr_drawShadow(const Frame* f, int pass) {
  ShadowMap* map = f->shadow + pass - 1;
  const Lamp* lamp = f->lamp;
  while (lamp->pass != pass) lamp++;
  lightView(f, lamp, f->scene->lights + (lamp - f->lamp), map);
  map->current++;
  map->box[0] = map->box[1] = map->size;
  map->box[2] = map->box[3] = 0;
  Raster r;
  memset(&r, 0, sizeof(r));
  r.view = &map->view;
  r.y0 = 1;
  r.y1 = map->size - 1;
  r.width = map->size;
  r.inset = 1;
  r.shadow = map;
  for (int i = 0; i < f->ninstance; i++) {
    const Instance* in = f->instance + i;
    const snvGeom* g = f->scene->geoms + in->geom;
    if (g->category == snCAT_DECOR || isFloor(f, lamp, g)) continue;
    snr_rasterInstance(&r, in, isClosed(g->type));
  }
}

// whether a point sees the light, from its place in the view of the light; beyond the map it does
int snr_isLit(const ShadowMap* map, const double h[4]) {
  if (!(h[3] > 0)) return 1;
  // coordinates over the whole map, although the view leaves out its border
  double inverse = 1 / h[3], stretch = (double)map->size / (map->size - 2);
  double u = (h[0] * inverse - 1) * stretch, v = (h[1] * inverse - 1) * stretch;
  if (!(u >= 0 && v >= 0 && u < map->size && v < map->size)) return 1;
  int x = (int)u, y = (int)v, across = (map->size + kShadowTile - 1) / kShadowTile;
  if (map->stamp[y / kShadowTile * across + x / kShadowTile] != map->current) return 1;
  double z = h[2] * inverse;
  z = z < 0 ? 0 : z > 1 ? 1 : z;
  // the map has 24 bits
  double texel = (double)(int)(map->depth[(size_t)y * map->size + x] * 16777215.0 + 0.5);
  return z * 16777215 >= texel;
}
