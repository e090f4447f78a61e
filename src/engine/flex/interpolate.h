// Shape functions of interpolated flexes: tensor products of Lagrange polynomials on the unit interval,
// of order 1 (nodes at 0, 1) or 2 (nodes at 0, 1/2, 1). Node (ix, iy, iz) has the number
// (ix (n + 1) + iy) (n + 1) + iz.

#ifndef SINEW_ENGINE_FLEX_INTERPOLATE_H_
#define SINEW_ENGINE_FLEX_INTERPOLATE_H_

#include "base/team.h"
#include "sinew/sinew.h"

enum { snMAXINTERP = 2, snMAXSHAPE = snMAXINTERP + 1 };

// values of the order + 1 polynomials at s
SN_FN static inline void sn_shape(int order, snReal s, snReal value[snMAXSHAPE]) {
  if (order == 1) {
    value[0] = 1 - s;
    value[1] = s;
    value[2] = 0;
  } else {
    value[0] = 2 * s * s - 3 * s + 1;
    value[1] = 4 * (s - s * s);
    value[2] = 2 * s * s - s;
  }
}

// their derivatives
SN_FN static inline void sn_shapeSlope(int order, snReal s, snReal slope[snMAXSHAPE]) {
  if (order == 1) {
    slope[0] = -1;
    slope[1] = 1;
    slope[2] = 0;
  } else {
    slope[0] = 4 * s - 3;
    slope[1] = 4 * (1 - 2 * s);
    slope[2] = 4 * s - 1;
  }
}

static inline int sn_shapeNodes(int order) { return (order + 1) * (order + 1) * (order + 1); }

#endif  // SINEW_ENGINE_FLEX_INTERPOLATE_H_
