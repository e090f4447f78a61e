// Cameras as matrices from the world to the pixels of a viewport.

#include <math.h>
#include <string.h>

#include "render/render.h"

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(double out[3], const double a[3], const double b[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

static void normalize(double a[3]) {
  double length = sqrt(dot(a, a));
  for (int i = 0; i < 3; i++) a[i] /= length > 0 ? length : 1;
}

// rows for the given axes in a frustum whose rectangle lies on the near plane
static void setRows(View* v, const double axis[3][3], const double frustum[4]) {
  double eye[3][4], n = v->near, f = v->far;
  for (int i = 0; i < 3; i++) {
    memcpy(eye[i], axis[i], 3 * sizeof(double));
    eye[i][3] = -dot(axis[i], v->eye);
  }
  double left = frustum[0], right = frustum[1], bottom = frustum[2], top = frustum[3];
  // z = n (f-D) / (D (f-n)) = d/D - c, in the single precision with which programs turn it back into D
  float nf = (float)n, ff = (float)f;
  float c = -0.5f * (-(ff + nf) / (ff - nf)) - 0.5f, d = -0.5f * (-(2 * ff * nf) / (ff - nf));
  double scale[2] = {v->width / (right - left), v->height / (top - bottom)};
  double low[2] = {left, bottom};
  for (int j = 0; j < 4; j++) {
    double one = j == 3, distance = eye[2][j];
    for (int i = 0; i < 2; i++) {
      // perspective: pixel = (n s/D - low) scale, orthographic: (s - low) scale
      v->row[i][j] = v->orthographic ? (eye[i][j] - low[i] * one) * scale[i]
                                     : (n * eye[i][j] - low[i] * distance) * scale[i];
    }
    v->row[2][j] = v->orthographic ? (f * one - distance) / (f - n) : d * one - c * distance;
    v->row[3][j] = v->orthographic ? one : distance;
  }
}

// the scene's transformation of the model, x <- translate + scale R x, in front of the rows
static void applyTransform(View* v, const snvScene* scn) {
  double rotation[9], quat[4];
  for (int i = 0; i < 4; i++) quat[i] = scn->rotate[i];
  double w = quat[0], x = quat[1], y = quat[2], z = quat[3];
  double values[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                      2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                      2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
  memcpy(rotation, values, sizeof(rotation));
  for (int i = 0; i < 4; i++) {
    double old[4], *row = v->row[i];
    memcpy(old, row, sizeof(old));
    for (int j = 0; j < 3; j++) {
      row[j] =
          scn->scale * (old[0] * rotation[j] + old[1] * rotation[3 + j] + old[2] * rotation[6 + j]);
      row[3] += old[j] * scn->translate[j];
    }
  }
  double from[3], turned[3];
  for (int i = 0; i < 3; i++) from[i] = (v->eye[i] - scn->translate[i]) / scn->scale;
  for (int i = 0; i < 3; i++) {
    turned[i] = rotation[i] * from[0] + rotation[3 + i] * from[1] + rotation[6 + i] * from[2];
  }
  double f[3];
  memcpy(f, v->forward, sizeof(f));
  for (int i = 0; i < 3; i++) {
    v->eye[i] = turned[i];
    v->forward[i] = rotation[i] * f[0] + rotation[3 + i] * f[1] + rotation[6 + i] * f[2];
  }
}

void snr_setView(View* v, const snvScene* scn, const snvGLCamera* camera, int width, int height) {
  memset(v, 0, sizeof(*v));
  double axis[3][3], up[3];
  for (int i = 0; i < 3; i++) {
    v->eye[i] = camera->pos[i];
    axis[2][i] = camera->forward[i];
    up[i] = camera->up[i];
  }
  normalize(axis[2]);
  cross(axis[0], axis[2], up);
  normalize(axis[0]);
  cross(axis[1], axis[0], axis[2]);
  memcpy(v->forward, axis[2], sizeof(v->forward));
  v->width = width;
  v->height = height;
  v->near = camera->frustum_near;
  v->far = camera->frustum_far;
  v->orthographic = camera->orthographic;
  double bottom = camera->frustum_bottom, top = camera->frustum_top;
  double half = camera->frustum_width;
  if (half == 0) half = 0.5 * ((double)width / height) * (top - bottom);
  double frustum[4] = {camera->frustum_center - half, camera->frustum_center + half, bottom, top};
  setRows(v, (const double(*)[3])axis, frustum);
  if (scn && scn->enabletransform) applyTransform(v, scn);
}

void snr_mirrorView(View* v, const View* from, const double normal[3], const double point[3]) {
  *v = *from;
  double height = dot(normal, point);
  // x <- x - 2 n (n.x - h), in front of the rows
  for (int i = 0; i < 4; i++) {
    double* row = v->row[i];
    double along = dot(row, normal);
    row[3] += 2 * along * height;
    for (int j = 0; j < 3; j++) row[j] -= 2 * along * normal[j];
  }
  double over = dot(normal, v->eye) - height, turned = dot(normal, v->forward);
  for (int i = 0; i < 3; i++) {
    v->eye[i] -= 2 * over * normal[i];
    v->forward[i] -= 2 * turned * normal[i];
    v->clip[i] = normal[i];
  }
  v->clip[3] = -height;
  v->has_clip = 1;
  v->flipped = 1;
}

void snr_project(const View* v, const float pos[3], double out[4]) {
  double x = pos[0], y = pos[1], z = pos[2];
  for (int i = 0; i < 4; i++) {
    const double* row = v->row[i];
    out[i] = row[0] * x + row[1] * y + row[2] * z + row[3];
  }
}

// X and Y lie within R |row| of what they are at the centre, and W as well: the least and greatest quotients follow.
int snr_boundSphere(const View* v, const float center[3], double radius, Box* box) {
  double h[4], reach[4], low[2], high[2];
  snr_project(v, center, h);
  for (int i = 0; i < 4; i++) {
    const double* row = v->row[i];
    reach[i] = radius * sqrt(row[0] * row[0] + row[1] * row[1] + row[2] * row[2]);
  }
  double nearest = h[3] - reach[3], farthest = h[3] + reach[3];
  if (!(nearest > 1e-6 * farthest)) return 0;
  for (int i = 0; i < 2; i++) {
    double from = h[i] - reach[i], to = h[i] + reach[i];
    low[i] = from / (from < 0 ? nearest : farthest);
    high[i] = to / (to > 0 ? nearest : farthest);
    if (!(low[i] > -1e6 && high[i] < 1e6)) return 0;
  }
  box->x0 = (int)floor(low[0]) - 1;
  box->y0 = (int)floor(low[1]) - 1;
  box->x1 = (int)floor(high[0]) + 1;
  box->y1 = (int)floor(high[1]) + 1;
  return 1;
}

// D from Z = d - c D, W = D (setRows)
float snr_metres(const View* v, float z) {
  float n = (float)v->near, f = (float)v->far;
  double c = -0.5f * (-(f + n) / (f - n)) - 0.5f, d = -0.5f * (-(2 * f * n) / (f - n));
  return (float)(v->orthographic ? f - z * (f - n) : d / (z + c));
}
