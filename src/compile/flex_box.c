// Boxes of a flex at rest: the bounding volume tree of its active elements, and the coordinates of
// its vertices in the root box.

#include "compile/flex.h"

static int isActive(const snFlexItem* flex, int elem) {
  return flex->spec.dim < 3 || flex->layer[elem] < flex->spec.activelayers;
}

// Bounds of the vertices, enlarged by the radius; the sums are in the reference's order, because
// flat meshes end up with rounding residues.
static void elementBox(const snFlexItem* flex, int elem, snBvhLeaf* leaf) {
  int n = flex->spec.dim + 1;
  const int* vertex = flex->element + (size_t)n * (size_t)elem;
  leaf->id = elem;
  for (int k = 0; k < 3; k++) {
    double low = flex->vert[3 * (size_t)vertex[0] + (size_t)k], high = low;
    for (int i = 1; i < n; i++) {
      double x = flex->vert[3 * (size_t)vertex[i] + (size_t)k];
      if (x < low) low = x;
      if (x > high) high = x;
    }
    double center = 0.5 * (high + low), half = 0.5 * (high - low) + flex->spec.radius;
    if (half < 0) half = -half;  // a negative radius is no error
    leaf->key[k] = center;
    leaf->min[k] = center - half;
    leaf->max[k] = center + half;
  }
}

static int buildTree(snCompiler* c, snFlexItem* flex) {
  int count = 0;
  char error[200] = "could not allocate memory";
  snWork work = {.keep = &c->pool, .error = error, .error_sz = sizeof(error)};
  snBvhLeaf* leaves = SN_SCRATCH(&work, snBvhLeaf, flex->nelem);
  for (int i = 0; leaves && i < flex->nelem; i++) {
    if (isActive(flex, i)) elementBox(flex, i, leaves + count++);
  }
  int failed = !leaves || sn_buildBvh(&work, &flex->bvh, leaves, count);
  sn_poolRelease(&work.scratch);
  return failed ? sn_itemError(c, flex->elem, "%s", error) : 0;
}

int sn_makeFlexBox(snCompiler* c, snFlexItem* flex) {
  SN_TRY(buildTree(c, flex));
  flex->vert0 = SN_ITEMS(c, double, 3 * (size_t)flex->nvert);
  if (!flex->vert0) return -1;
  for (int k = 0; k < 3; k++) {
    double center = flex->bvh.nnode ? flex->bvh.aabb[k] : 0;
    double size = flex->bvh.nnode ? flex->bvh.aabb[k + 3] - flex->spec.radius : 0;
    flex->size[k] = size;
    for (int i = 0; i < flex->nvert; i++) {
      size_t at = 3 * (size_t)i + (size_t)k;
      flex->vert0[at] = size > snMINVAL ? (flex->vert[at] - center) / (2 * size) + 0.5 : 0.5;
    }
  }
  return 0;
}
