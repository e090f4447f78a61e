// The sweep of the reference engine, for contacts that it may have lost.

#include "base/assert.h"
#include "engine/collide/broad.h"
#include "math/math.h"
#include "sinew/sinew.h"

// rows of the matrix whose columns are the principal axes of all moving geoms' positions
static void sweepFrame(const snModel* m, const snData* d, snReal frame[9]) {
  snReal mean[3] = {0, 0, 0}, cov[9] = {0, 0, 0, 0, 0, 0, 0, 0, 0};
  snReal value[3], quat[4];
  int n = 0;
  for (int g = 0; g < m->ngeom; g++) {
    if (m->geom_bodyid[g] == 0) continue;
    snu_addTo3(mean, d->geom_xpos + 3 * g);
    n++;
  }
  for (int v = 0; v < m->nflexvert; v++) {
    if (m->flex_vertbodyid[v] == 0) continue;
    snu_addTo3(mean, d->flexvert_xpos + 3 * v);
    n++;
  }
  if (!n) n = 1;
  snu_scl3(mean, mean, 1 / (snReal)n);
  for (int g = 0; g < m->ngeom + m->nflexvert; g++) {
    snReal x[3];
    int v = g - (int)m->ngeom;
    if (v < 0 ? m->geom_bodyid[g] == 0 : m->flex_vertbodyid[v] == 0) continue;
    snu_sub3(x, v < 0 ? d->geom_xpos + 3 * g : d->flexvert_xpos + 3 * v, mean);
    for (int k = 0; k < 9; k++) cov[k] += x[k / 3] * x[k % 3];
  }
  for (int k = 0; k < 9; k++) cov[k] *= 1 / (snReal)n;
  snu_eig3(value, frame, quat, cov);
}

// interval of a body along an axis
static void interval(const snModel* m, const snData* d, const snReal axis[3], int body,
                     snReal range[2]) {
  SN_ASSERT_INDEX(body, m->nbody);
  int start = m->body_geomadr[body], end = start + m->body_geomnum[body];
  range[0] = (snReal)snMAXVAL;
  range[1] = -(snReal)snMAXVAL;
  for (int g = start; g < end; g++) {
    snReal x = snu_dot3(axis, d->geom_xpos + 3 * g);
    snReal margin = sn_ownMargin(m, m->geom_margin[g]);
    snReal reach = m->geom_rbound[g] + margin;
    range[0] = snu_min(range[0], x - reach);
    range[1] = snu_max(range[1], x + reach);
  }
}

int sn_sweepKeeps(const snModel* m, const snData* d, snBroad* broad, int a, int b) {
  if (!broad->has_frame) {
    sweepFrame(m, d, broad->frame);
    broad->has_frame = 1;
  }
  snReal range_a[2], range_b[2];
  interval(m, d, broad->frame, a, range_a);
  interval(m, d, broad->frame, b, range_b);
  // end points are single precision; at equal values the lower body's come first
  if (!((float)range_b[0] < (float)range_a[1] && (float)range_a[0] <= (float)range_b[1])) return 0;
  for (int k = 1; k < 3; k++) {
    interval(m, d, broad->frame + 3 * k, a, range_a);
    interval(m, d, broad->frame + 3 * k, b, range_b);
    if (range_a[0] > range_b[1] || range_b[0] > range_a[1]) return 0;
  }
  return 1;
}
