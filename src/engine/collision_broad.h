// Broad phase: which pairs of bodies may touch.
//
// The reference engine sweeps the bodies' boxes along the principal axis of all geoms, with end
// points rounded to single precision. The narrow phase repeats a finer test per pair of geoms, so
// the sweep is visible in the results only where bounding spheres graze within the rounding. We are
// therefore free to find the pairs in any way that misses none (here: a sweep over cells of the
// longest world axis with tight boxes), and ask sn_sweepKeeps only about grazing contacts. What we
// do not visit is not flagged in bvh_active, which serves visualisation alone.

#ifndef SINEW_ENGINE_COLLISION_BROAD_H_
#define SINEW_ENGINE_COLLISION_BROAD_H_

#include "base/team.h"
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

#endif  // SINEW_ENGINE_COLLISION_BROAD_H_
