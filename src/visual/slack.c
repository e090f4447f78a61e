// The curve of a slack tendon: a chain of fixed length between two points.

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "visual/scene.h"

// A rope: between two sites, with nothing but an upper limit, and not actuated.
static int isRope(const snModel* m, int tendon) {
  const int* wrap = m->wrap_type + m->tendon_adr[tendon];
  if (m->tendon_num[tendon] != 2 || wrap[0] != snWRAP_SITE || wrap[1] != snWRAP_SITE) return 0;
  if (m->tendon_stiffness[tendon] != 0 || m->tendon_damping[tendon] != 0) return 0;
  if (m->tendon_frictionloss[tendon] != 0 || !m->tendon_limited[tendon]) return 0;
  if (m->tendon_range[2 * tendon] != 0) return 0;
  for (int i = 0; i < m->nu; i++) {
    if (m->actuator_trntype[i] == snTRN_TENDON && m->actuator_trnid[2 * i] == tendon) return 0;
  }
  return 1;
}

// u > 0 with sinh(u) = s u, for s > 1, by Newton from above: sinh(u) / u >= 1 + u^2 / 6, and u = asinh(s u).
static snReal halfSpan(snReal s) {
  snReal u = sqrt(6 * (s - 1));
  for (int i = 0; i < 3; i++) u = snu_min(u, asinh(s * u));
  for (int i = 0; i < 50; i++) {
    snReal slope = cosh(u) - s, change = (sinh(u) - s * u) / snu_max(slope, snMINVAL);
    u -= change;
    if (fabs(change) < 1e-14 * u) break;
  }
  return u;
}

// A chain of length L whose ends are h apart along the ground and v in height has z(x) = b cosh((x - p) / b) + q. Its
// length gives sqrt(L^2 - v^2) = 2 b sinh(h / 2b), its ends p = h / 2 - b atanh(v / L).
int slackTendon(const snModel* m, const snData* d, int tendon, snReal point[SLACK_POINTS][3]) {
  SN_ASSERT_INDEX(tendon, m->ntendon);
  const snReal* start = d->wrap_xpos + 3 * d->ten_wrapadr[tendon];
  snReal length = m->tendon_range[2 * tendon + 1], up[3], across[3];
  if (!isRope(m, tendon)) return 0;
  snu_scl3(up, m->opt.gravity, -1);
  if (snu_normalize3(up) < snMINVAL) return 0;
  snu_sub3(across, start + 3, start);
  if (snu_norm3(across) >= length) return 0;
  snReal rise = snu_dot3(across, up);
  snu_addToScl3(across, up, -rise);
  snReal reach = snu_norm3(across);
  int last = 100 * reach < length ? 2 : SLACK_POINTS - 1;
  snu_copy3(point[0], start);
  snu_copy3(point[last], start + 3);
  if (last == 2) {  // steep: straight down and up again, with the same slope
    snReal height = sqrt(length * length - reach * reach), fall = 0.5 * (height - rise);
    snu_addScl3(point[1], start, across, fall / height);
    snu_addToScl3(point[1], up, -fall);
    return 3;
  }
  snReal b = 0.5 * reach / halfSpan(sqrt(length * length - rise * rise) / reach);
  snReal p = 0.5 * reach - b * atanh(rise / length);
  for (int i = 1; i < last; i++) {
    // MuJoCo leaves out the last but one of the points that divide the ground into equal parts
    snReal x = (snReal)i / SLACK_POINTS;
    snu_addScl3(point[i], start, across, x);
    snu_addToScl3(point[i], up, b * (cosh((x * reach - p) / b) - cosh(p / b)));
  }
  return SLACK_POINTS;
}
