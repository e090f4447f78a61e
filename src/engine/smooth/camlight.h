// What cameras share with the version by lanes (lanes/camlight.c).

#ifndef SINEW_ENGINE_SMOOTH_CAMLIGHT_H_
#define SINEW_ENGINE_SMOOTH_CAMLIGHT_H_

#include "math/math.h"

// columns x, y, z of a camera frame that looks at a point; world z is up
SN_KERNEL void sn_lookAt(snReal xmat[9], const snReal pos[3], const snReal target[3]) {
  snReal x[3], y[3], z[3];
  snReal up[3] = {0, 0, 1};
  snu_sub3(z, pos, target);
  snu_normalize3(z);
  snu_cross(x, up, z);
  snu_normalize3(x);
  snu_cross(y, z, x);
  snu_normalize3(y);
  for (int k = 0; k < 3; k++) {
    xmat[3 * k] = x[k];
    xmat[3 * k + 1] = y[k];
    xmat[3 * k + 2] = z[k];
  }
}

#endif  // SINEW_ENGINE_SMOOTH_CAMLIGHT_H_
