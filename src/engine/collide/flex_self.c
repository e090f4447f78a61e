// A flex with itself: vertices and elements that are neighbours (internal contacts), then pairs of elements
// found by comparing all, by descending its tree against itself, or by sweep and prune.

#include "base/arena.h"
#include "base/assert.h"
#include "engine/collide/flex_sweep.h"
#include "math/math.h"
#include "sinew/sinew.h"

// ---- internal contacts ---------------------------------------------------------------------------

// Vertices against the elements across an edge or a point (flex_evpair), of lines and triangles.
static void touchNeighbours(const snModel* m, snData* d, int flex) {
  SN_ASSERT_INDEX(flex, m->nflex);
  const int* pair = m->flex_evpair + 2 * (snSize)m->flex_evpairadr[flex];
  snReal reach = sn_overrideMargin(m, m->flex_margin[flex]) + m->flex_radius[flex];
  int count = m->flex_evpairnum[flex];
  for (int first = 0; first < count; first += SN_LANES) {
    int i = first + SN_LANE, n = 0, own = i < count;
    int element = own ? pair[2 * i] : 0, vertex = own ? pair[2 * i + 1] : 0;
    const snReal* x = d->flexvert_xpos + 3 * (m->flex_vertadr[flex] + vertex);
    snReal box[6] = {x[0], x[1], x[2], reach, reach, reach};
    snSides sides = {{-1, -1}, {flex, flex}, {-1, element}, {vertex, -1}};
    snContactPoint point;
    if (!sn_hasRoomForPair(d)) return;
    if (own && !sn_boxesApart(sn_elementBox(m, d, flex, element), box, 0)) {
      n = sn_collideVertexElement(m, d, &point, flex, vertex, element);
    }
    sn_addFlexContacts(m, d, &point, n, &sides, 0, 0);
  }
}

// A face of a tetrahedron and the vertex opposite to it, which comes too near or has passed it.
static int faceVertex(snContactPoint* point, const snReal* xpos, const int vertex[4], int face,
                      snReal radius, int* opposite) {
  static const int kFace[4][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}};
  const snReal *a = xpos + 3 * vertex[kFace[face][0]], *b = xpos + 3 * vertex[kFace[face][1]];
  const snReal *c = xpos + 3 * vertex[kFace[face][2]], *x = xpos + 3 * vertex[kFace[face][3]];
  snReal ab[3], ac[3], ax[3], normal[3];
  snu_sub3(ab, b, a);
  snu_sub3(ac, c, a);
  snu_sub3(ax, x, a);
  snu_cross(normal, ab, ac);
  snu_normalize3(normal);
  snReal height = snu_dot3(normal, ax);  // negative in a tetrahedron that is not inverted
  if (height <= -2 * radius) return 0;
  point->dist = -height - 2 * radius;
  snu_scl3(point->normal, normal, -1);
  snu_addScl3(point->pos, x, normal, -(snReal)0.5 * height);
  snu_zero3(point->tangent);
  *opposite = vertex[kFace[face][3]];
  return 1;
}

int sn_collideFaceVertex(const snModel* m, const snData* d, snContactPoint* point, int flex,
                         int element, int vertex) {
  SN_ASSERT_INDEX(flex, m->nflex);
  const snReal* xpos = d->flexvert_xpos + 3 * m->flex_vertadr[flex];
  for (int face = 0, opposite; face < 4; face++) {
    int n = faceVertex(point, xpos, sn_elementVertices(m, flex, element), face,
                       m->flex_radius[flex], &opposite);
    if (n && opposite == vertex) return n;
  }
  return 0;
}

static void touchFaces(const snModel* m, snData* d, int flex) {
  SN_ASSERT_INDEX(flex, m->nflex);
  const snReal* xpos = d->flexvert_xpos + 3 * m->flex_vertadr[flex];
  int count = 4 * m->flex_elemnum[flex];
  for (int first = 0; first < count; first += SN_LANES) {
    int i = first + SN_LANE, n = 0, opposite = -1;
    snContactPoint point;
    if (i < count) {
      n = faceVertex(&point, xpos, sn_elementVertices(m, flex, i / 4), i % 4, m->flex_radius[flex],
                     &opposite);
    }
    snSides sides = {{-1, -1}, {flex, flex}, {i / 4, -1}, {-1, opposite}};
    if (!sn_addFlexContacts(m, d, &point, n, &sides, 0, 1)) return;
  }
}

// ---- all pairs -----------------------------------------------------------------------------------

static void collideAllPairs(const snModel* m, snData* d, int flex) {
  SN_ASSERT_INDEX(flex, m->nflex);
  int n = m->flex_elemnum[flex];
  for (int e1 = 0; e1 < n; e1++) {
    if (!sn_isActive(m, flex, e1)) continue;
    for (int first = e1 + 1; first < n; first += SN_LANES) {
      int e2 = first + SN_LANE, own = e2 < n && sn_isActive(m, flex, e2);
      sn_touchElements(m, d, flex, own ? e1 : -1, flex, e2);
    }
  }
}

// ---- pairs one after the other -------------------------------------------------------------------

// All lanes of a team run the same search for pairs. Lane k keeps every pair number k of a round, and when each lane
// has one they are collided together.
typedef struct Collector_ {
  int flex, n;
  int element1, element2;  // the pair of this lane
} Collector;

static void collidePairs(const snModel* m, snData* d, Collector* collector) {
  if (!collector->n) return;
  int own = SN_LANE < collector->n;
  sn_touchElements(m, d, collector->flex, own ? collector->element1 : -1, collector->flex,
                   collector->element2);
  collector->n = 0;
}

static void addPair(const snModel* m, snData* d, Collector* collector, int element1, int element2) {
  if (collector->n == SN_LANE) {
    collector->element1 = element1;
    collector->element2 = element2;
  }
  if (++collector->n == SN_LANES) collidePairs(m, d, collector);
}

// ---- the tree against itself ---------------------------------------------------------------------

// How much a node is worth splitting. The reference engine takes half sizes minus centres, which decides
// the order of the contacts.
static snReal splitSize(const snReal box[6]) {
  snReal x = box[3] - box[0], y = box[4] - box[1], z = box[5] - box[2];
  return x * y + y * z + z * x;
}

// pairs of nodes that are still to be visited, the next one last
enum { NODE_PAIRS = 4 * snMAXTREEDEPTH };

static void collideTree(const snModel* m, snData* d, int flex) {
  SN_ASSERT_INDEX(flex, m->nflex);
  Collector collector = {flex, 0, -1, -1};
  int pending[NODE_PAIRS][2], count = 1, root = m->flex_bvhadr[flex];
  const snReal* boxes = d->bvh_aabb_dyn + 6 * (root - m->nbvhstatic);
  snReal margin = sn_overrideMargin(m, 2 * m->flex_margin[flex]);
  pending[0][0] = pending[0][1] = 0;
  while (count) {
    int node1 = pending[--count][0], node2 = pending[count][1];
    if (node1 > node2) continue;
    const int* child1 = m->bvh_child + 2 * (snSize)(root + node1);
    const int* child2 = m->bvh_child + 2 * (snSize)(root + node2);
    const snReal *box1 = boxes + 6 * (snSize)node1, *box2 = boxes + 6 * (snSize)node2;
    int leaf1 = child1[0] < 0, leaf2 = child2[0] < 0;
    if (leaf1 && leaf2) {
      addPair(m, d, &collector, m->bvh_nodeid[root + node1], m->bvh_nodeid[root + node2]);
      continue;
    }
    if (sn_boxesApart(box1, box2, margin) || count + 2 > NODE_PAIRS) continue;
    int split1 = !leaf1 && (leaf2 || splitSize(box1) > splitSize(box2));
    for (int c = 0; c < 2; c++, count++) {
      pending[count][0] = split1 ? child1[c] : node1;
      pending[count][1] = split1 ? node2 : child2[c];
    }
  }
  collidePairs(m, d, &collector);
}

// ---- sweep and prune -----------------------------------------------------------------------------

enum { MOST_PAIRS = 1000000, MOST_SWEPT = 65535 };

static int sweepAxis(const snReal half[3]) {
  return half[0] > half[1] && half[0] > half[2] ? 0 : half[1] > half[2] ? 1 : 2;
}

static void collideSwept(const snModel* m, snData* d, int flex) {
  SN_ASSERT_INDEX(flex, m->nflex);
  int axis = sweepAxis(d->bvh_aabb_dyn + 6 * (m->flex_bvhadr[flex] - m->nbvhstatic) + 3), done = 0;
  sn_markStack(d);
  if (m->flex_elemnum[flex] <= MOST_SWEPT) {
    done = SN_LANES > 1 ? sn_sweepFlexLanes(m, d, flex, axis, MOST_PAIRS)
                        : sn_sweepFlex(m, d, flex, axis, MOST_PAIRS);
  }
  if (!done) SN_SOLO(sn_warning(d, snWARN_CONTACTFULL, d->ncon));
  sn_freeStack(d);
}

// ---- choice --------------------------------------------------------------------------------------

void sn_collideFlexSelf(const snModel* m, snData* d, int flex) {
  SN_ASSERT_INDEX(flex, m->nflex);
  int how = m->flex_selfcollide[flex];
  if (m->flex_rigid[flex] || !(m->flex_contype[flex] & m->flex_conaffinity[flex])) return;
  if (m->flex_internal[flex]) {
    if (m->flex_dim[flex] < 3) {
      touchNeighbours(m, d, flex);
    } else {
      touchFaces(m, d, flex);
    }
  }
  if (how == snFLEXSELF_NONE) return;
  if ((m->opt.disableflags & snDSBL_MIDPHASE) || how == snFLEXSELF_NARROW ||
      m->flex_bvhadr[flex] < 0) {
    collideAllPairs(m, d, flex);
  } else if (how == snFLEXSELF_BVH || (how == snFLEXSELF_AUTO && m->flex_dim[flex] == 3)) {
    collideTree(m, d, flex);
  } else {
    collideSwept(m, d, flex);
  }
}
