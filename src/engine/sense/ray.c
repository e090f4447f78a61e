// Rangefinders: one ray along the z axis of a site, or one ray per pixel of a camera.

#include "base/arena.h"
#include "base/assert.h"
#include "engine/sense/sensor.h"
#include "math/math.h"

// one ray and what it met
typedef struct Ray_ {
  snReal origin[3];
  snReal dir[3];
  snReal dist;  // negative: nothing
  snReal normal[3];
} Ray;

static snReal* writeIf(snReal* out, int condition, const snReal vec[3]) {
  if (condition) {
    snu_copy3(out, vec);
  } else {
    snu_zero3(out);
  }
  return out + 3;
}

// depth is the distance along the axis of the camera, or along the ray of a site
static snReal rayDepth(const snData* d, const Ray* ray, const snReal point[3], int cam) {
  if (ray->dist < 0) return -1;
  if (cam < 0) return ray->dist;
  const snReal* mat = d->cam_xmat + 9 * cam;
  snReal offset[3], axis[3] = {mat[2], mat[5], mat[8]};
  snu_sub3(offset, point, d->cam_xpos + 3 * cam);
  return -snu_dot3(offset, axis);
}

// the fields that are asked for, in the order of their bits; returns where the next ray goes
static snReal* writeRay(const snData* d, const Ray* ray, int bits, int cam, snReal* out) {
  int hit = ray->dist >= 0;
  snReal point[3];
  snu_addScl3(point, ray->origin, ray->dir, ray->dist);
  if (bits & 1 << snRAYDATA_DIST) *out++ = ray->dist;
  if (bits & 1 << snRAYDATA_DIR) out = writeIf(out, hit, ray->dir);
  if (bits & 1 << snRAYDATA_ORIGIN) out = writeIf(out, 1, ray->origin);
  if (bits & 1 << snRAYDATA_POINT) out = writeIf(out, hit, point);
  if (bits & 1 << snRAYDATA_NORMAL) out = writeIf(out, hit, ray->normal);
  if (bits & 1 << snRAYDATA_DEPTH) *out++ = rayDepth(d, ray, point, cam);
  return out;
}

static void castRay(const snModel* m, const snData* d, Ray* ray, int body, int want_normal) {
  SN_ASSERT_REFERENCE(body, m->nbody);
  ray->dist =
      sn_ray(m, d, ray->origin, ray->dir, NULL, 1, body, NULL, want_normal ? ray->normal : NULL);
}

static void siteRay(const snModel* m, const snData* d, int i, snReal* out) {
  SN_ASSERT_INDEX(m->sensor_objid[i], m->nsite);
  int site = m->sensor_objid[i], bits = m->sensor_intprm[snNSENS * i];
  const snReal* mat = d->site_xmat + 9 * site;
  Ray ray;
  snu_copy3(ray.origin, d->site_xpos + 3 * site);
  for (int k = 0; k < 3; k++) ray.dir[k] = mat[3 * k + 2];
  castRay(m, d, &ray, m->site_bodyid[site], bits & 1 << snRAYDATA_NORMAL);
  writeRay(d, &ray, bits, -1, out);
}

// ---- cameras

// parallel rays from a raster in the plane of the camera, or rays that spread from its position
void sn_pixelRay(const snModel* m, const snData* d, int cam, int pixel, snReal origin[3],
                 snReal dir[3]) {
  SN_ASSERT_INDEX(cam, m->ncam);
  int width = m->cam_resolution[2 * cam];
  const snReal* mat = d->cam_xmat + 9 * cam;
  snReal focal[2], centre[2], half = m->cam_fovy[cam] / 2;
  sn_cameraIntrinsics(m, cam, focal, centre);
  snReal column = pixel % width + (snReal)0.5, row = pixel / width + (snReal)0.5;
  if (m->cam_projection[cam] == snPROJ_ORTHOGRAPHIC) {
    snReal local[3] = {(column - centre[0]) / focal[0] * half, -(row - centre[1]) / focal[1] * half,
                       0};
    snu_mulMatVec3(origin, mat, local);
    snu_addTo3(origin, d->cam_xpos + 3 * cam);
    for (int k = 0; k < 3; k++) dir[k] = -mat[3 * k + 2];
  } else {
    snReal local[3] = {(column - centre[0]) / focal[0], -(row - centre[1]) / focal[1], -1};
    snu_copy3(origin, d->cam_xpos + 3 * cam);
    snu_mulMatVec3(dir, mat, local);
    snu_normalize3(dir);
  }
}

static void orthographicRays(const snModel* m, const snData* d, int i, snReal* out) {
  SN_ASSERT_INDEX(m->sensor_objid[i], m->ncam);
  int cam = m->sensor_objid[i], bits = m->sensor_intprm[snNSENS * i];
  int nray = m->cam_resolution[2 * cam] * m->cam_resolution[2 * cam + 1];
  Ray ray;
  for (int pixel = 0; pixel < nray; pixel++) {
    sn_pixelRay(m, d, cam, pixel, ray.origin, ray.dir);
    castRay(m, d, &ray, m->cam_bodyid[cam], bits & 1 << snRAYDATA_NORMAL);
    out = writeRay(d, &ray, bits, cam, out);
  }
}

static void perspectiveRays(const snModel* m, snData* d, int i, snReal* out) {
  SN_ASSERT_INDEX(m->sensor_objid[i], m->ncam);
  int cam = m->sensor_objid[i], bits = m->sensor_intprm[snNSENS * i];
  int nray = m->cam_resolution[2 * cam] * m->cam_resolution[2 * cam + 1];
  int normals = (bits & 1 << snRAYDATA_NORMAL) != 0;
  sn_markStack(d);
  snReal* dir = SN_STACK(d, snReal, 3 * nray);
  snReal* dist = SN_STACK(d, snReal, nray);
  snReal* normal = SN_STACK(d, snReal, normals ? 3 * nray : 1);
  if (!dir || !dist || !normal) {
    sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
    sn_freeStack(d);
    return;
  }
  Ray ray;
  for (int k = 0; k < nray; k++) sn_pixelRay(m, d, cam, k, ray.origin, dir + 3 * k);
  sn_multiRay(m, d, d->cam_xpos + 3 * cam, dir, NULL, 1, m->cam_bodyid[cam], NULL, dist,
              normals ? normal : NULL, nray, (snReal)snMAXVAL);
  snu_copy3(ray.origin, d->cam_xpos + 3 * cam);
  for (int k = 0; k < nray; k++) {
    snu_copy3(ray.dir, dir + 3 * k);
    ray.dist = dist[k];
    if (normals) snu_copy3(ray.normal, normal + 3 * k);
    out = writeRay(d, &ray, bits, cam, out);
  }
  sn_freeStack(d);
}

void sn_sensorRangefinder(const snModel* m, snData* d, int i, snReal* out) {
  int id = m->sensor_objid[i];
  if (m->sensor_objtype[i] == snOBJ_SITE) {
    siteRay(m, d, i, out);
  } else if (m->cam_projection[id] == snPROJ_ORTHOGRAPHIC) {
    orthographicRays(m, d, i, out);
  } else {
    perspectiveRays(m, d, i, out);
  }
}
