#include "asset/octree.h"

int sn_buildOctree(snWork* work, snOctree* octree, const double* vert, int nvert, const int* face,
                   int nface, const double bounds[6]) {
  (void)octree, (void)vert, (void)nvert, (void)face, (void)nface, (void)bounds;
  return sn_fail(work, "octrees are not built yet");
}
