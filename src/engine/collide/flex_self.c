// A flex with itself: vertices and elements that are neighbours (internal contacts), then pairs of elements
// found by comparing all, by descending its tree against itself, or by sweep and prune.

#include "base/arena.h"
#include "base/assert.h"
#include "engine/collide/flex.h"
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
    snContactPoint points[snMAXCONPAIR];
    if (!sn_hasRoomForPair(d)) return;
    if (own && !sn_boxesApart(sn_elementBox(m, d, flex, element), box, 0)) {
      n = sn_collideVertexElement(m, d, points, flex, vertex, element);
    }
    sn_addFlexContacts(m, d, points, n, &sides, 0, 0);
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

// Lanes of a team look for pairs in the same way at the same time; each keeps one of as many pairs as there
// are lanes, and then they are collided together.
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

// An end of the interval of an element along the axis of the sweep.
typedef struct End_ {
  float key;
  int place;  // 2 times the rank of the element, plus 1 at the upper end
} End;

static void mergeEnds(const End* end, End* other, int begin, int middle, int last) {
  for (int i = begin, j = middle, k = begin; k < last; k++) {
    int first = i < middle && (j == last || !(end[j].key < end[i].key));
    other[k] = end[first ? i++ : j++];
  }
}

// stable, by merging; a lane takes a pair of runs
static End* sortEnds(End* end, End* other, int n) {
  for (int width = 1; width < n; width *= 2) {
    SN_FOR(run, (n + 2 * width - 1) / (2 * width)) {
      int begin = 2 * width * run, middle = begin + width < n ? begin + width : n;
      mergeEnds(end, other, begin, middle, middle + width < n ? middle + width : n);
    }
    SN_SYNC();
    End* sorted = other;
    other = end;
    end = sorted;
  }
  return end;
}

// Elements that the sweep has entered, in the order in which it entered them; -1: one that was left, until the list
// is packed.
typedef struct Open_ {
  int n, left;
  int* rank;
  int* place;  // of an element in this list, by its rank
} Open;

static int sweepAxis(const snReal half[3]) {
  return half[0] > half[1] && half[0] > half[2] ? 0 : half[1] > half[2] ? 1 : 2;
}

// apart along one of the two axes that are not swept
static int isPruned(const snReal a[6], const snReal b[6], int axis) {
  int apart = 0;
  for (int k = 0; k < 3; k++) {
    apart |=
        (k != axis) & ((a[k] - a[3 + k] > b[k] + b[3 + k]) | (b[k] - b[3 + k] > a[k] + a[3 + k]));
  }
  return apart;
}

static void enterElement(Open* open, int rank) {
  open->place[rank] = open->n;
  open->rank[open->n++] = rank;
}

// An interval whose ends are no numbers, or in the wrong order, may be left before it is entered.
static void leaveElement(Open* open, int rank) {
  if (open->place[rank] < 0) return;
  open->rank[open->place[rank]] = -1;
  if (2 * ++open->left < open->n) return;
  int n = 0;
  for (int k = 0; k < open->n; k++) {
    if (open->rank[k] < 0) continue;
    open->rank[n] = open->rank[k];
    open->place[open->rank[n]] = n;
    n++;
  }
  open->n = n;
  open->left = 0;
}

// The elements of a flex that are swept: ids, and which of those entered may meet the next one.
typedef struct Sweep_ {
  int flex, axis;
  int allowed;  // pairs that may still be found
  const int* element;
  Open open;
  Collector collector;
} Sweep;

static void addSwept(const snModel* m, snData* d, Sweep* s, int k, int rank) {
  if (s->allowed-- > 0) addPair(m, d, &s->collector, s->element[s->open.rank[k]], s->element[rank]);
}

// Pairs of an element that is entered with those entered before, in their order; a lane tests one of these.
static void shareOpen(const snModel* m, snData* d, Sweep* s, const snReal box[6], int rank) {
  const Open* open = &s->open;
  for (int first = 0; first < open->n; first += SN_LANES) {
    int k = first + SN_LANE, hit = 0;
    if (k < open->n && open->rank[k] >= 0) {
      hit = !isPruned(sn_elementBox(m, d, s->flex, s->element[open->rank[k]]), box, s->axis);
    }
    for (unsigned hits = sn_warpBallot(hit); hits; hits &= hits - 1) {
      addSwept(m, d, s, first + sn_firstBit(hits), rank);
    }
  }
}

// Lanes know how long the list is; its arrays are written by the first one.
static void sweep(const snModel* m, snData* d, Sweep* s, const End* end, int n) {
  if (SN_LANE == 0) {
    for (int k = 0; k < n; k++) s->open.place[k] = -1;
  }
  SN_SYNC();
  for (int i = 0; i < 2 * n && s->allowed > 0; i++) {
    int rank = end[i].place / 2, is_upper = end[i].place & 1;
    const snReal* box = sn_elementBox(m, d, s->flex, s->element[rank]);
    if (!is_upper) shareOpen(m, d, s, box, rank);
    SN_SYNC();
    if (SN_LANE == 0) {
      if (is_upper) {
        leaveElement(&s->open, rank);
      } else {
        enterElement(&s->open, rank);
      }
    }
    s->open.n = sn_teamFromInt(s->open.n, 0);
    SN_SYNC();
  }
  collidePairs(m, d, &s->collector);
}

// ---- the sweep by a team -------------------------------------------------------------------------
//
// Element p, in the order in which they are entered, meets those of [first open, p) that are left after it is
// entered. As many elements as there are lanes count their pairs, a prefix sum gives these their places in a list,
// and the list is collided; pairs are in the order in which one lane finds them.

enum { PAIRS_PER_LANE = 64, WIDEST = 512 };

typedef struct Entries_ {
  int* rank;   // by the order in which they are entered
  int* until;  // elements that are entered before this one is left
} Entries;

// In the order of the ends; one that is left before it is entered stays.
static void listEntries(const End* end, int n, Entries* entries, int* place) {
  int entered = 0, total;
  for (int first = 0; first < 2 * n; first += SN_LANES) {
    int i = first + SN_LANE, own = i < 2 * n, is_lower = own && !(end[i].place & 1);
    int before = entered + sn_teamRank(is_lower, &total);
    if (is_lower) {
      entries->rank[before] = end[i].place / 2;
      place[end[i].place / 2] = before;
    }
    entered += total;
  }
  SN_SYNC();
  entered = 0;
  for (int first = 0; first < 2 * n; first += SN_LANES) {
    int i = first + SN_LANE, own = i < 2 * n, is_lower = own && !(end[i].place & 1);
    int before = entered + sn_teamRank(is_lower, &total);
    if (own && !is_lower) {
      int p = place[end[i].place / 2];
      entries->until[p] = before > p ? before : n;
    }
    entered += total;
  }
  SN_SYNC();
}

// The most elements that are entered while one is open.
static int longestStay(const Entries* entries, int n) {
  int most = 0;
  SN_FOR(p, n) most = entries->until[p] - p > most ? entries->until[p] - p : most;
  return sn_teamMaxInt(most);
}

// pairs that the list of a team has room for: those of one element at least
static int listRoom(void) {
  int lanes = SN_LANES;
  return PAIRS_PER_LANE * lanes > WIDEST + lanes ? PAIRS_PER_LANE * lanes : WIDEST + lanes;
}

// Pairs of element p with those from first on: written from place on, if there is a list. Returns their number.
static int pairsOf(const snModel* m, const snData* d, const Sweep* s, const Entries* entries, int p,
                   int first, int (*list)[2], int place) {
  int n = 0, element = s->element[entries->rank[p]];
  const snReal* box = sn_elementBox(m, d, s->flex, element);
  for (int q = first; q < p; q++) {
    int other = s->element[entries->rank[q]];
    if (entries->until[q] <= p || isPruned(sn_elementBox(m, d, s->flex, other), box, s->axis)) {
      continue;
    }
    if (list) {
      list[place + n][0] = other;
      list[place + n][1] = element;
    }
    n++;
  }
  return n;
}

// Elements [base, base + lanes); first: of those that are open.
static void touchEntered(const snModel* m, snData* d, Sweep* s, const Entries* entries, int base,
                         int n, int first, int (*list)[2]) {
  int p = base + SN_LANE, lanes = SN_LANES, total;
  int count = p < n ? pairsOf(m, d, s, entries, p, first, NULL, 0) : 0;
  int place = sn_teamScan(count, &total), most = listRoom();
  for (int begin = 0; begin < total && s->allowed > 0;) {
    // lanes whose pairs fit into the list; those of one lane always do
    int fits = place >= begin && place + count - begin <= most;
    int end = sn_teamMaxInt(fits ? place + count : begin);
    if (fits && count) pairsOf(m, d, s, entries, p, first, list, place - begin);
    SN_SYNC();
    int here = end - begin < s->allowed ? end - begin : s->allowed;
    for (int k = 0; k < here; k += lanes) {
      int i = k + SN_LANE, own = i < here;
      sn_touchElements(m, d, s->flex, own ? list[i][0] : -1, s->flex, own ? list[i][1] : -1);
    }
    s->allowed -= end - begin;
    begin = end;
    SN_SYNC();
  }
}

// returns 0 when there is no room, or too many are open at a time
static int shareSweep(const snModel* m, snData* d, Sweep* s, const End* end, int n) {
  int done = 0;
  sn_markStack(d);
  int* ints = SN_STACK(d, int, 3 * n);
  int(*list)[2] = (int(*)[2])SN_STACK(d, int, 2 * listRoom());
  if (ints && list) {
    Entries entries = {ints, ints + n};
    listEntries(end, n, &entries, ints + 2 * n);
    int stay = longestStay(&entries, n);
    done = stay <= WIDEST;
    for (int base = 0; done && base < n && s->allowed > 0; base += SN_LANES) {
      touchEntered(m, d, s, &entries, base, n, base < stay ? 0 : base - stay + 1, list);
    }
  }
  SN_SYNC();
  sn_freeStack(d);
  return done;
}

// ends of the intervals of the elements that collide, along the axis; returns how many elements these are
static int listEnds(const snModel* m, const snData* d, int flex, int axis, int* element, End* end) {
  SN_ASSERT_INDEX(flex, m->nflex);
  int n = 0, total, count = m->flex_elemnum[flex];
  for (int first = 0; first < count; first += SN_LANES) {
    int e = first + SN_LANE, own = e < count && sn_isActive(m, flex, e);
    int rank = n + sn_teamRank(own, &total);
    if (own) {
      const snReal* box = sn_elementBox(m, d, flex, e);
      End lower = {(float)(box[axis] - box[3 + axis]), 2 * rank};
      End upper = {(float)(box[axis] + box[3 + axis]), 2 * rank + 1};
      // a negative radius turns boxes inside out: an element is entered before it is left all the same
      if (upper.key < lower.key) upper.key = lower.key;
      end[2 * rank] = lower;
      end[2 * rank + 1] = upper;
      element[rank] = e;
    }
    n += total;
  }
  SN_SYNC();
  return n;
}

static int shareSwept(const snModel* m, snData* d, int flex, int axis) {
  SN_ASSERT_INDEX(flex, m->nflex);
  int most = m->flex_elemnum[flex];
  int* element = SN_STACK(d, int, most);
  End *end = SN_STACK(d, End, 2 * most), *other = SN_STACK(d, End, 2 * most);
  int* ranks = SN_STACK(d, int, 2 * most);
  if (!element || !end || !other || !ranks) return 0;
  Sweep s = {flex, axis, 0, element, {0, 0, ranks, ranks + most}, {flex, 0, -1, -1}};
  int n = listEnds(m, d, flex, axis, element, end),
      limited = n >= 2000 || n * (n - 1) / 2 >= MOST_PAIRS;
  s.allowed = limited ? MOST_PAIRS : n * (n - 1) / 2;
  end = sortEnds(end, other, 2 * n);
  if (n > 1 && !shareSweep(m, d, &s, end, n)) sweep(m, d, &s, end, n);
  SN_SYNC();
  return 1;
}

static void collideSwept(const snModel* m, snData* d, int flex) {
  SN_ASSERT_INDEX(flex, m->nflex);
  int axis = sweepAxis(d->bvh_aabb_dyn + 6 * (m->flex_bvhadr[flex] - m->nbvhstatic) + 3), done = 0;
  sn_markStack(d);
  if (m->flex_elemnum[flex] <= MOST_SWEPT) {
    done = SN_LANES > 1 ? shareSwept(m, d, flex, axis) : sn_sweepFlex(m, d, flex, axis, MOST_PAIRS);
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
