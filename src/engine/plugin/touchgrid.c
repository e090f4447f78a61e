// mujoco.sensor.touch_grid: forces and torques of contacts, summed in bins of the direction in
// which a site sees them. The bins are finer in the centre: their edges follow a quintic.

#include "base/arena.h"
#include "base/assert.h"
#include "engine/plugin/plugin.h"
#include "math/math.h"

enum { NCHANNEL, SIZE, FOV, GAMMA };

typedef struct Grid_ {
  int nchannel;
  int size[2];
  snReal* edges[2];
} Grid;

// size + 1 angles from -fov to fov
static void makeEdges(snReal* edges, int size, snReal fov, snReal gamma) {
  snReal x = -1, step = 2 / (snReal)size;
  for (int k = 0; k <= size; k++, x += step) {
    snReal bent = gamma != 0 ? gamma * x * x * x * x * x + (1 - gamma) * x : x;
    edges[k] = bent * fov * (snReal)snPI / 180;
  }
}

static int makeGrid(const snModel* m, snData* d, int instance, Grid* grid) {
  SN_ASSERT_INDEX(instance, m->nplugin);
  snReal size[2] = {0, 0}, fov[2] = {0, 0};
  snReal gamma = sn_pluginNumber(m, instance, GAMMA, 0);
  grid->nchannel = (int)sn_pluginNumber(m, instance, NCHANNEL, 1);
  if (grid->nchannel <= 0) grid->nchannel = 1;
  sn_readNumbers(sn_pluginText(m, instance, SIZE), size, 2);
  sn_readNumbers(sn_pluginText(m, instance, FOV), fov, 2);
  for (int k = 0; k < 2; k++) {
    if (!(size[k] >= 1 && size[k] <= 10000)) return 0;
    grid->size[k] = (int)size[k];
    grid->edges[k] = SN_STACK(d, snReal, grid->size[k] + 1);
    if (!grid->edges[k]) {
      sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
      return 0;
    }
    makeEdges(grid->edges[k], grid->size[k], fov[k], gamma);
  }
  return 1;
}

// bin of an angle, -1 outside of all
static int findBin(const snReal* edges, int size, snReal angle) {
  int k = 0;
  while (k <= size && edges[k] < angle) k++;
  return k == 0 || k > size ? -1 : k - 1;
}

// wrench of a contact in the frame of the site, z first
static void siteWrench(const snModel* m, const snData* d, int contact, const snReal* mat, int sign,
                       snReal wrench[6]) {
  SN_ASSERT_INDEX(contact, d->ncon);
  snReal local[6], world[3], site[3];
  sn_contactForce(m, d, contact, local);
  for (int half = 0; half < 6; half += 3) {
    snu_mulMatTVec3(world, d->contact[contact].frame, local + half);
    snu_mulMatTVec3(site, mat, world);
    wrench[half] = sign * site[2];
    wrench[half + 1] = sign * site[0];
    wrench[half + 2] = sign * site[1];
  }
}

static void addContact(const snModel* m, const snData* d, const Grid* grid, int site, int contact,
                       int sign, snReal* out) {
  SN_ASSERT_INDEX(site, m->nsite);
  SN_ASSERT_INDEX(contact, d->ncon);
  const snReal* mat = d->site_xmat + 9 * site;
  snReal offset[3], l[3], wrench[6];
  snu_sub3(offset, d->contact[contact].pos, d->site_xpos + 3 * site);
  snu_mulMatTVec3(l, mat, offset);
  snReal azimuth = snu_atan2(l[0], -l[2]);
  snReal elevation = snu_atan2(l[1], snu_sqrt(l[0] * l[0] + l[2] * l[2]));
  int column = findBin(grid->edges[0], grid->size[0], azimuth);
  int row = findBin(grid->edges[1], grid->size[1], elevation);
  if (column < 0 || row < 0) return;
  siteWrench(m, d, contact, mat, sign, wrench);
  int cells = grid->size[0] * grid->size[1];
  for (int k = 0; k < grid->nchannel && k < 6; k++) {
    out[k * cells + row * grid->size[0] + column] += wrench[k];
  }
}

static int fits(const snModel* m, const Grid* grid, int sensor) {
  return (snSize)grid->nchannel * grid->size[0] * grid->size[1] <= m->sensor_dim[sensor];
}

static void touchGrid(const snModel* m, snData* d, int sensor) {
  SN_ASSERT_INDEX(sensor, m->nsensor);
  Grid grid;
  if (m->sensor_objtype[sensor] != snOBJ_SITE || m->sensor_objid[sensor] < 0) return;
  int site = m->sensor_objid[sensor], weld = m->body_weldid[m->site_bodyid[site]];
  snReal* out = d->sensordata + m->sensor_adr[sensor];
  snu_zero(out, m->sensor_dim[sensor]);
  sn_markStack(d);
  if (makeGrid(m, d, m->sensor_plugin[sensor], &grid) && fits(m, &grid, sensor)) {
    for (int k = 0; k < d->ncon; k++) {
      const int* geom = d->contact[k].geom;
      if (geom[0] < 0 || geom[1] < 0) continue;
      int body1 = m->geom_bodyid[geom[0]], body2 = m->geom_bodyid[geom[1]];
      if (m->body_weldid[body1] != weld && m->body_weldid[body2] != weld) continue;
      int largest = body1 > body2 ? body1 : body2;
      addContact(m, d, &grid, site, k, weld < largest ? -1 : 1, out);
    }
  }
  sn_freeStack(d);
}

// the first sensor of each instance
void sn_pluginSensors(const snModel* m, snData* d) {
  for (int instance = 0; instance < (int)m->nplugin; instance++) {
    if (m->plugin[instance] != snPLUGIN_TOUCHGRID) continue;
    for (int i = 0; i < (int)m->nsensor; i++) {
      if (m->sensor_type[i] != snSENS_PLUGIN || m->sensor_plugin[i] != instance) continue;
      touchGrid(m, d, i);
      break;
    }
  }
}
