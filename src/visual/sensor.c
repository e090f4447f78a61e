// What sensors see and feel: the rays of rangefinders, segments between nearest points, taxels.

#include "engine/sense/sensor.h"

#include "base/assert.h"
#include "math/math.h"
#include "visual/scene.h"

// the part of a reading that is in a bit, NULL if it is not there; parts follow one another
static const snReal* partOf(const snReal** at, int bits, int part, int size) {
  const snReal* found = bits & 1 << part ? *at : NULL;
  if (found) *at += size;
  return found;
}

// One ray: a line as far as it goes, the point where it ends, and the normal there. Returns the reading of the next one.
static const snReal* drawRay(Drawing* w, int sensor, const snReal origin[3], const snReal dir[3],
                             const snReal* value) {
  SN_ASSERT_INDEX(sensor, w->m->nsensor);
  const snModel* m = w->m;
  int bits = m->sensor_intprm[snNSENS * sensor];
  snReal unit = m->vis.scale.framewidth * m->stat.meansize, end[3], size[3];
  const float* rgba = m->vis.rgba.rangefinder;
  const snReal* dist = partOf(&value, bits, snRAYDATA_DIST, 1);
  partOf(&value, bits, snRAYDATA_DIR, 3);
  partOf(&value, bits, snRAYDATA_ORIGIN, 3);
  const snReal* point = partOf(&value, bits, snRAYDATA_POINT, 3);
  const snReal* normal = partOf(&value, bits, snRAYDATA_NORMAL, 3);
  partOf(&value, bits, snRAYDATA_DEPTH, 1);
  // a ray that meets nothing has distance -1, or a point of zeros
  if (dist ? *dist < 0 : !point || snu_isZero(point, 3)) return value;
  if (dist) {
    snu_addScl3(end, origin, dir, *dist);
    drawConnector(w, snGEOM_LINE, snOBJ_SENSOR, sensor, 3, origin, end, rgba);
  } else {
    snu_copy3(end, point);
  }
  if (point) {
    size[0] = size[1] = size[2] = (m->sensor_objtype[sensor] == snOBJ_SITE ? 1.5 : 1.3) * unit;
    drawShape(w, snGEOM_SPHERE, snOBJ_SENSOR, sensor, size, point, NULL, rgba);
  }
  if (normal) {
    snReal tip[3];
    snu_addScl3(tip, end, normal, 2 * m->vis.scale.framelength * m->stat.meansize);
    drawConnector(w, snGEOM_ARROW1, snOBJ_SENSOR, sensor, unit, end, tip, rgba);
  }
  return value;
}

static void drawRays(Drawing* w, int sensor) {
  const snModel* m = w->m;
  const snData* d = w->d;
  int id = m->sensor_objid[sensor];
  const snReal* value = d->sensordata + m->sensor_adr[sensor];
  snReal origin[3], dir[3];
  if (m->sensor_objtype[sensor] == snOBJ_SITE) {
    const snReal* mat = d->site_xmat + 9 * id;
    for (int k = 0; k < 3; k++) dir[k] = mat[3 * k + 2];
    drawRay(w, sensor, d->site_xpos + 3 * id, dir, value);
    return;
  }
  int nray = m->cam_resolution[2 * id] * m->cam_resolution[2 * id + 1];
  for (int pixel = 0; pixel < nray; pixel++) {
    sn_pixelRay(m, d, id, pixel, origin, dir);
    value = drawRay(w, sensor, origin, dir, value);
  }
}

void drawSensors(Drawing* w) {
  const snModel* m = w->m;
  for (int i = 0; w->option->flags[snVIS_RANGEFINDER] && i < m->nsensor; i++) {
    const snReal* value = w->d->sensordata + m->sensor_adr[i];
    if (m->sensor_type[i] == snSENS_RANGEFINDER) drawRays(w, i);
    if (m->sensor_type[i] == snSENS_GEOMFROMTO && !snu_isZero(value, 6)) {
      drawConnector(w, snGEOM_LINE, snOBJ_SENSOR, i, 3, value, value + 3, m->vis.rgba.rangefinder);
    }
  }
}

// ---- taxels ----

// The colour of a face: red, green and blue for the normal and the two tangential values, each the mean of those at the
// corners that are not zero, compared with the largest normal value. A face that feels nothing is black and faint.
static void taxelColor(const int face[3], const snReal* value, int nvert, snReal largest,
                       float rgba[4]) {
  rgba[3] = 0.1f;
  for (int channel = 0; channel < 3; channel++) {
    snReal sum = 0;
    int count = 0;
    for (int k = 0; k < 3; k++) {
      snReal size = snu_abs(value[channel * nvert + face[k]]);
      sum += size;
      count += size != 0;
    }
    rgba[channel] = (float)(sum / largest / snu_max(count, 1));
    if (count) rgba[3] = 1;
  }
}

// a sensor without normal values shows nothing
static void drawTaxelsOf(Drawing* w, int sensor) {
  SN_ASSERT_INDEX(sensor, w->m->nsensor);
  const snModel* m = w->m;
  int mesh = m->sensor_objid[sensor], geom = m->sensor_refid[sensor], n = m->mesh_vertnum[mesh];
  const snReal *pos = w->d->geom_xpos + 3 * geom, *mat = w->d->geom_xmat + 9 * geom;
  const snReal* value = w->d->sensordata + m->sensor_adr[sensor];
  snReal largest = 0;
  for (int i = 0; i < n; i++) largest = snu_max(largest, snu_abs(value[i]));
  for (int i = 0; largest > 0 && i < m->mesh_facenum[mesh]; i++) {
    const int* face = m->mesh_face + 3 * (m->mesh_faceadr[mesh] + i);
    snReal corner[3][3];
    float rgba[4];
    for (int k = 0; k < 3; k++) {
      const float* vert = m->mesh_vert + 3 * (m->mesh_vertadr[mesh] + face[k]);
      snReal local[3] = {vert[0], vert[1], vert[2]};
      snu_mulMatVec3(corner[k], mat, local);
      snu_addTo3(corner[k], pos);
    }
    taxelColor(face, value, n, largest, rgba);
    drawTriangle(w, snOBJ_SENSOR, sensor, corner[0], corner[1], corner[2], rgba);
  }
}

void drawTaxels(Drawing* w) {
  const snModel* m = w->m;
  for (int i = 0; w->option->flags[snVIS_CONTACTPOINT] && i < m->nsensor; i++) {
    if (m->sensor_type[i] == snSENS_TACTILE) drawTaxelsOf(w, i);
  }
}
