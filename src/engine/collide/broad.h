// Broad phase: which pairs of bodies and flexes may touch.
//
// The reference engine sweeps the bodies' boxes along the principal axis of all geoms, with end
// points rounded to single precision. The narrow phase repeats a finer test per pair of geoms, so
// the sweep is visible in the results only where bounding spheres graze within the rounding. We are
// therefore free to find the pairs in any way that misses none (here: a sweep over cells of the
// longest world axis with tight boxes), and ask sn_sweepKeeps only about grazing contacts. Nodes that we
// do not visit are not flagged in bvh_active, which is used only for drawing; a team visits no trees
// where geoms are few.

#ifndef SINEW_ENGINE_COLLIDE_BROAD_H_
#define SINEW_ENGINE_COLLIDE_BROAD_H_

#include "base/team.h"
#include "math/math.h"
#include "sinew/data.h"

SN_EXTERN_C_BEGIN

struct snBroad_ {
  const uint32_t* pairs;  // signatures (a << 16) + b, a < b, increasing; on the stack of d
  int npair;
  int has_frame;    // frame is computed
  snReal frame[9];  // rows: axes of the reference engine's sweep
};
typedef struct snBroad_ snBroad;

// List the pairs. The caller has marked the stack. Bodies beyond 65535 are not supported.
SN_FN void sn_broadphase(const snModel* m, snData* d, snBroad* broad);

// A pair of bodies collides without a test of bounds: the world, or static bodies with planes.
SN_FN int sn_alwaysCollides(const snModel* m, int body);

// Does the reference engine's sweep report the pair a < b? Only asked where bounds barely touch.
SN_FN int sn_sweepKeeps(const snModel* m, const snData* d, snBroad* broad, int a, int b);

SN_EXTERN_C_END

// Margin of a geom or a flex in a test of bounds: its own, or half of opt.o_margin, which overrides the sum of two
// margins.
static inline snReal sn_ownMargin(const snModel* m, snReal margin) {
  return m->opt.enableflags & snENBL_OVERRIDE ? (snReal)0.5 * m->opt.o_margin : margin;
}

// Half extents of a geom about its origin along the world's axes, not more than its bounding
// radius, which filters pairs later on; a little is added for colliders that iterate to a tolerance.
static inline void sn_geomExtent(int type, const snReal size[3], snReal bound, const snReal mat[9],
                                 snReal extent[3]) {
  switch (type) {
    case snGEOM_CAPSULE:
      for (int k = 0; k < 3; k++) extent[k] = size[0] + size[1] * snu_abs(mat[3 * k + 2]);
      break;
    case snGEOM_CYLINDER:
      for (int k = 0; k < 3; k++) {
        const snReal* row = mat + 3 * k;
        extent[k] = size[0] * (snu_abs(row[0]) + snu_abs(row[1])) + size[1] * snu_abs(row[2]);
      }
      break;
    case snGEOM_ELLIPSOID:
    case snGEOM_BOX:
    case snGEOM_MESH:
      for (int k = 0; k < 3; k++) {
        const snReal* row = mat + 3 * k;
        extent[k] =
            size[0] * snu_abs(row[0]) + size[1] * snu_abs(row[1]) + size[2] * snu_abs(row[2]);
      }
      break;
    case snGEOM_HFIELD:  // its contacts reach to one and a half margins
      extent[0] = extent[1] = extent[2] = 2 * bound;
      return;
    default: extent[0] = extent[1] = extent[2] = bound; return;
  }
  for (int k = 0; k < 3; k++) {
    extent[k] *= 1 + (snReal)1e-4;
    if (!(extent[k] < bound)) extent[k] = bound;
  }
}

#endif  // SINEW_ENGINE_COLLIDE_BROAD_H_
