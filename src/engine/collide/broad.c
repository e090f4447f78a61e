#include "engine/collide/broad.h"

#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/bits.h"
#include "base/crew.h"
#include "math/four.h"
#include "math/math.h"
#include "sinew/sinew.h"

enum {
  CELLS = 1024,  // cells along the sweep axis
  SMALL = 48,    // fewer bodies than this are tested all against all
  BLOCK = 8,     // boxes that are tested together
  MANY = 64,     // boxes whose tests fit one word, a bit each
  PAIRS_PER_BODY = 32,
  TEAM_MOST = 256  // up to so many bodies a team tests all against all
};

// bodies that take part, in id order, then flexes, whose numbers come after those of the bodies
struct Bodies_ {
  int n;
  int* id;
  int* contype;  // union over the body's geoms, as they are now
  int* conaffinity;
  int* always;      // of them the static bodies that meet all that can move
  int nalways;      // their number
  int sleeping;     // some bodies are asleep
  float* lower[3];  // conservative boxes, one array per axis; that of the world touches nothing
  float* upper[3];
};
typedef struct Bodies_ Bodies;

// pairs found so far
struct PairList_ {
  uint32_t* pair;
  int n, capacity;
  int full;
};
typedef struct PairList_ PairList;

static int isCollidable(const snModel* m, int body) {
  return m->body_contype[body] || m->body_conaffinity[body];
}

static int hasPlane(const snModel* m, int body) {
  SN_ASSERT_INDEX(body, m->nbody);
  int start = m->body_geomadr[body], end = start + m->body_geomnum[body];
  for (int g = start; g < end; g++) {
    if (m->geom_type[g] == snGEOM_PLANE) return 1;
  }
  return 0;
}

int sn_alwaysCollides(const snModel* m, int body) {
  SN_ASSERT_INDEX(body, m->nbody);
  if (body == 0) return m->body_geomnum[0] > 0;
  return m->body_weldid[body] == 0 && hasPlane(m, body);
}

static int isAsleep(const Bodies* bodies, const snData* d, int body) {
  return bodies->sleeping && d->body_awake[body] == snS_ASLEEP;
}

// same weld group, sleeping, parent and child
static int isFiltered(const snModel* m, int weld1, int asleep1, int weld2, int asleep2) {
  SN_ASSERT_INDEX2(weld1, weld2, m->nbody);
  if (weld1 == weld2) return 1;
  if (asleep1 && asleep2) return 1;
  if ((asleep1 && weld2 == 0) || (asleep2 && weld1 == 0)) return 1;
  if (weld1 == 0 || weld2 == 0 || (m->opt.disableflags & snDSBL_FILTERPARENT)) return 0;
  int parent1 = m->body_weldid[m->body_parentid[weld1]];
  int parent2 = m->body_weldid[m->body_parentid[weld2]];
  return weld1 == parent2 || weld2 == parent1;
}

static void addPair(PairList* list, int a, int b) {
  SN_ASSERT(a >= 0 && b >= 0 && a != b && a < 65536 &&
            b < 65536);  // a signature has 16 bits for each
  if (list->n == list->capacity) {
    list->full = 1;
    return;
  }
  list->pair[list->n++] =
      a < b ? ((uint32_t)a << 16) + (uint32_t)b : ((uint32_t)b << 16) + (uint32_t)a;
}

// ---- bodies and their boxes ----------------------------------------------------------------------

// pad of a coordinate that covers rounding to single precision
static snReal roundingPad(snReal lower, snReal upper) {
  return (snReal)1e-6 * (snu_abs(lower) + snu_abs(upper));
}

SN_KERNEL void geomExtent(const snModel* m, const snData* d, int g, snReal extent[3]) {
  SN_ASSERT_INDEX(g, m->ngeom);
  sn_geomExtent(m->geom_type[g], m->geom_size + 3 * g, m->geom_rbound[g], d->geom_xmat + 9 * g,
                extent);
}

// Can the geom collide with any other by its masks? Visual geoms cannot, unless a user's filter decides.
static inline int touches(const snModel* m, const snData* d, int g) {
  return (m->geom_contype[g] | m->geom_conaffinity[g]) != 0 || d->callback.contactfilter;
}

// conservative box of those geoms of a body that can collide, and the union of their present masks
struct Box_ {
  float lower[3], upper[3];
  int contype, conaffinity;
};
typedef struct Box_ Box;

SN_KERNEL Box bodyBox(const snModel* m, const snData* d, int body) {
  SN_ASSERT_INDEX(body, m->nbody);
  int start = m->body_geomadr[body], end = start + m->body_geomnum[body];
  snReal lower[3], upper[3];
  Box box;
  box.contype = box.conaffinity = 0;
  if (!body) {  // the world needs no box: it is paired with all that can move
    for (int g = start; g < end; g++) {
      box.contype |= m->geom_contype[g];
      box.conaffinity |= m->geom_conaffinity[g];
    }
    for (int k = 0; k < 3; k++) {
      box.lower[k] = HUGE_VALF;
      box.upper[k] = -HUGE_VALF;
    }
    return box;
  }
  for (int k = 0; k < 3; k++) {
    lower[k] = (snReal)HUGE_VALF;
    upper[k] = -(snReal)HUGE_VALF;
  }
  SN_PLAIN_LOOP for (int g = start; g < end; g++) {
    if (!touches(m, d, g)) continue;
    const snReal* pos = d->geom_xpos + 3 * g;
    snReal margin = sn_ownMargin(m, m->geom_margin[g]);
    snReal extent[3];
    geomExtent(m, d, g, extent);
    box.contype |= m->geom_contype[g];
    box.conaffinity |= m->geom_conaffinity[g];
    for (int k = 0; k < 3; k++) {  // NaN replaces any bound, so that the box meets everything
      snReal reach = extent[k] + margin, low = pos[k] - reach, high = pos[k] + reach;
      lower[k] = lower[k] < low ? lower[k] : low;
      upper[k] = upper[k] > high ? upper[k] : high;
    }
  }
  for (int k = 0; k < 3; k++) {
    snReal pad = roundingPad(lower[k], upper[k]);
    box.lower[k] = (float)(lower[k] - pad);
    box.upper[k] = (float)(upper[k] + pad);
  }
  return box;
}

// the box of a flex from that of its vertices: with radius and margin
static Box boxOfFlex(const snModel* m, int flex, const snReal lower[3], const snReal upper[3]) {
  snReal reach = m->flex_radius[flex] + sn_ownMargin(m, m->flex_margin[flex]);
  Box box;
  box.contype = m->flex_contype[flex];
  box.conaffinity = m->flex_conaffinity[flex];
  for (int k = 0; k < 3; k++) {
    snReal pad = reach + roundingPad(lower[k] - reach, upper[k] + reach);
    box.lower[k] = (float)(lower[k] - pad);
    box.upper[k] = (float)(upper[k] + pad);
  }
  return box;
}

// Lanes of a team share the vertices.
static Box flexBox(const snModel* m, const snData* d, int flex) {
  SN_ASSERT_INDEX(flex, m->nflex);
  const snReal* x = d->flexvert_xpos + 3 * (snSize)m->flex_vertadr[flex];
  int count = m->flex_vertnum[flex];
  snReal lower[3] = {0, 0, 0}, upper[3] = {0, 0, 0};
  for (int i = SN_LANE; i < count || i == SN_LANE; i += SN_LANES) {
    int own = i < count ? i : 0, first = i == SN_LANE;
    for (int k = 0; k < 3 && count; k++) {
      snReal value = x[3 * own + k];
      if (first || value < lower[k]) lower[k] = value;
      if (first || value > upper[k]) upper[k] = value;
    }
  }
  for (int apart = 1; apart < SN_LANES; apart *= 2) {
    for (int k = 0; k < 3; k++) {
      snReal low = sn_teamFrom(lower[k], SN_LANE ^ apart);
      snReal high = sn_teamFrom(upper[k], SN_LANE ^ apart);
      lower[k] = low < lower[k] ? low : lower[k];
      upper[k] = high > upper[k] ? high : upper[k];
    }
  }
  return boxOfFlex(m, flex, lower, upper);
}

// a box that touches nothing
static void emptyBox(Bodies* bodies, int k, int i) {
  bodies->lower[k][i] = HUGE_VALF;
  bodies->upper[k][i] = -HUGE_VALF;
}

SN_KERNEL void setBox(const Bodies* bodies, int i, const Box* box) {
  bodies->contype[i] = box->contype;
  bodies->conaffinity[i] = box->conaffinity;
  for (int k = 0; k < 3; k++) {
    bodies->lower[k][i] = box->lower[k];
    bodies->upper[k][i] = box->upper[k];
  }
}

// bodies with geoms that collide, in order
static void listBodies(const snModel* m, Bodies* bodies) {
  int n = 0, nalways = 0;
  for (int body = 0; body < (int)m->nbody; body++) {
    if (!isCollidable(m, body) || !m->body_geomnum[body]) continue;
    if (m->body_weldid[body] == 0 && sn_alwaysCollides(m, body)) bodies->always[nalways++] = n;
    bodies->id[n++] = body;
  }
  bodies->n = n;
  bodies->nalways = nalways;
}

// boxes of the listed bodies from begin to end
SN_WIDE(static, void, setBoxes,
        (const snModel* m, const snData* d, const Bodies* bodies, int begin, int end),
        (m, d, bodies, begin, end)) {
  for (int i = begin; i < end; i++) {
    Box box = bodyBox(m, d, bodies->id[i]);
    setBox(bodies, i, &box);
  }
}

static void addFlexes(const snModel* m, const snData* d, Bodies* bodies) {
  for (int flex = 0; flex < (int)m->nflex; flex++) {
    Box box = flexBox(m, d, flex);
    if (!box.contype && !box.conaffinity) continue;
    bodies->id[bodies->n] = (int)m->nbody + flex;
    setBox(bodies, bodies->n++, &box);
  }
}

enum { BODIES_AT_ONCE = 32 };

static void boxesOfSome(const snModel* m, snData* view, void* context, int begin, int end) {
  setBoxes(m, view, (const Bodies*)context, begin, end);
}

// boxes by several threads (base/crew.h); returns 0 when it was not done
static int boxesShared(const snModel* m, snData* d, Bodies* bodies) {
  return bodies->n >= 3 * BODIES_AT_ONCE && sn_hasCrew(d) &&
         sn_share(m, d, bodies->n, BODIES_AT_ONCE, boxesOfSome, bodies);
}

// returns 0 when the stack is full
static int collectBodies(const snModel* m, snData* d, Bodies* bodies) {
  int nbody = (int)m->nbody, width = nbody + (int)m->nflex + BLOCK;
  int* integers = SN_STACK(d, int, 10 * width);
  if (!integers) return 0;
  float* floats = (float*)(integers + 4 * width);  // of the same size
  bodies->id = integers;
  bodies->contype = integers + width;
  bodies->conaffinity = integers + 2 * width;
  bodies->always = integers + 3 * width;
  for (int k = 0; k < 3; k++) {
    bodies->lower[k] = floats + 2 * k * width;
    bodies->upper[k] = floats + (2 * k + 1) * width;
  }
  listBodies(m, bodies);
  if (!boxesShared(m, d, bodies)) setBoxes(m, d, bodies, 0, bodies->n);
  addFlexes(m, d, bodies);
  int n = bodies->n;
  SN_ASSERT(n <= nbody + m->nflex);
  bodies->sleeping = (m->opt.enableflags & snENBL_SLEEP) && d->nbody_awake < nbody;
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < BLOCK; i++) emptyBox(bodies, k, n + i);
  }
  return 1;
}

// ---- pairs ---------------------------------------------------------------------------------------

static int masksMeet(const Bodies* bodies, int i, int j) {
  return (bodies->contype[i] & bodies->conaffinity[j]) ||
         (bodies->contype[j] & bodies->conaffinity[i]);
}

// The planes of a static body that has no other geoms: above all of them nothing touches it.
struct Planes_ {
  int n;  // 0: there are other geoms, or too many
  snReal normal[4][3];
  snReal height[4];  // along the normal, with the margin
};
typedef struct Planes_ Planes;

static Planes planesOf(const snModel* m, const snData* d, int body) {
  SN_ASSERT_INDEX(body, m->nbody);
  int start = m->body_geomadr[body];
  Planes planes;
  planes.n = d->callback.contactfilter ? 0 : m->body_geomnum[body];  // a user's filter sees all
  if (planes.n > 4) planes.n = 0;
  for (int i = 0; i < planes.n; i++) {
    const snReal *pos = d->geom_xpos + 3 * (start + i), *mat = d->geom_xmat + 9 * (start + i);
    snReal margin = sn_ownMargin(m, m->geom_margin[start + i]);
    if (m->geom_type[start + i] != snGEOM_PLANE) {
      planes.n = 0;
      break;
    }
    for (int k = 0; k < 3; k++) planes.normal[i][k] = mat[3 * k + 2];
    planes.height[i] = snu_dot3(planes.normal[i], pos) + margin;
  }
  return planes;
}

// Is the box of a body above all planes? Bodies with meshes are never taken to be: a program may have moved their
// vertices. Nor are bodies whose bounding volume trees the viewer shows (bvactive): the descent sets their flags.
static int isAbove(const snModel* m, const snData* d, const Bodies* bodies, int i,
                   const Planes* planes) {
  int body = bodies->id[i];
  if (!planes->n || body >= (int)m->nbody) return 0;
  if (m->vis.global.bvactive && (planes->n > 1 || m->body_bvhnum[body] > 1)) return 0;
  for (int k = 0; k < planes->n; k++) {
    const snReal* normal = planes->normal[k];
    snReal lowest = 0;
    for (int c = 0; c < 3; c++) {
      lowest += normal[c] * (snReal)(normal[c] > 0 ? bodies->lower[c][i] : bodies->upper[c][i]);
    }
    if (!(lowest > planes->height[k])) return 0;
  }
  int start = m->body_geomadr[body], end = start + m->body_geomnum[body];
  for (int g = start; g < end; g++) {
    if (!touches(m, d, g)) continue;
    if (m->geom_type[g] == snGEOM_MESH || m->geom_type[g] == snGEOM_SDF) return 0;
  }
  return 1;
}

// the world and static bodies with planes meet every body, of [begin, end), that can move and is not above them
static void addStatic(const snModel* m, const snData* d, const Bodies* bodies, int begin, int end,
                      PairList* list) {
  for (int k = 0; k < bodies->nalways; k++) {
    int i = bodies->always[k], b1 = bodies->id[i];
    Planes planes = planesOf(m, d, b1);
    for (int j = begin; j < end; j++) {
      int b2 = bodies->id[j];
      if (b2 < (int)m->nbody && isFiltered(m, 0, 1, m->body_weldid[b2], isAsleep(bodies, d, b2))) {
        continue;
      }
      if (masksMeet(bodies, i, j) && !isAbove(m, d, bodies, j, &planes)) addPair(list, b1, b2);
    }
  }
}

static void addFiltered(const snModel* m, const snData* d, const Bodies* bodies, int i, int j,
                        PairList* list) {
  SN_ASSERT_INDEX2(i, j, bodies->n);
  int b1 = bodies->id[i], b2 = bodies->id[j];
  if (!masksMeet(bodies, i, j)) return;
  int bodies_only = b1 < (int)m->nbody && b2 < (int)m->nbody;
  if (bodies_only && isFiltered(m, m->body_weldid[b1], isAsleep(bodies, d, b1), m->body_weldid[b2],
                                isAsleep(bodies, d, b2))) {
    return;
  }
  addPair(list, b1, b2);
}

// boxes in the order of the sweep, padded to whole blocks with boxes that touch nothing
struct Boxes_ {
  int n;
  const int* order;  // index of the body; NULL: the same
  const float *lower[3], *upper[3];
};
typedef struct Boxes_ Boxes;

// Bit i of eight: box p meets box q + i.
#if SN_HAS_FOUR
SN_KERNEL unsigned meetsEight(const Boxes* boxes, int p, int q) {
  snEightInts apart = {0, 0, 0, 0, 0, 0, 0, 0};
#pragma GCC unroll 3
  for (int k = 0; k < 3; k++) {
    apart |= SN_LOAD8(boxes->lower[k] + q) > boxes->upper[k][p];
    apart |= boxes->lower[k][p] > SN_LOAD8(boxes->upper[k] + q);
  }
  return sn_falseBits8(&apart);
}
#else
SN_KERNEL unsigned meetsEight(const Boxes* boxes, int p, int q) {
  unsigned meets = 0;
  for (int i = 0; i < 8; i++) {
    int apart = 0;
    for (int k = 0; k < 3; k++) {
      apart |= boxes->lower[k][q + i] > boxes->upper[k][p];
      apart |= boxes->lower[k][p] > boxes->upper[k][q + i];
    }
    meets |= (unsigned)!apart << i;
  }
  return meets;
}
#endif

// Bit i: box p meets box q + i, of as many as there are bits, before end.
SN_WIDE(static, uint64_t, meetsMany, (const Boxes* boxes, int p, int q, int end),
        (boxes, p, q, end)) {
  uint64_t meets = 0;
  int count = end - q < MANY ? end - q : MANY;
  for (int i = 0; i < count; i += 8) meets |= (uint64_t)meetsEight(boxes, p, q + i) << i;
  return count < MANY ? meets & (((uint64_t)1 << count) - 1) : meets;
}

// box p against its successors up to end
static void addSuccessors(const snModel* m, const snData* d, const Bodies* bodies,
                          const Boxes* boxes, int p, int end, PairList* list) {
  SN_ASSERT(p >= 0 && end <= boxes->n);
  for (int q = p + 1; q < end; q += MANY) {
    for (uint64_t meets = meetsMany(boxes, p, q, end); meets; meets &= meets - 1) {
      int i = q + sn_lowestBit(meets);
      int b1 = boxes->order ? boxes->order[p] : p, b2 = boxes->order ? boxes->order[i] : i;
      addFiltered(m, d, bodies, b1, b2, list);
    }
  }
}

// The cells of n coordinates; NaN is in the first.
SN_WIDE(static, void, cellsOf,
        (const float* SN_RESTRICT x, int n, float lower, float scale, int* SN_RESTRICT cell),
        (x, n, lower, scale, cell)) {
  for (int i = 0; i < n; i++) {
    float place = (x[i] - lower) * scale;
    place = place > 0 ? place : 0;
    place = place < CELLS - 1 ? place : CELLS - 1;
    cell[i] = (int)place;
  }
}

// The least and the greatest of n numbers, eight at a time. NaN is treated as the first number, if that is one.
SN_WIDE(static, void, rangeOf, (const float* x, int n, float* lower, float* upper),
        (x, n, lower, upper)) {
  float low[BLOCK], high[BLOCK];
  int i = 0;
  for (int k = 0; k < BLOCK; k++) low[k] = high[k] = x[0];
  for (; i + BLOCK <= n; i += BLOCK) {
    for (int k = 0; k < BLOCK; k++) low[k] = x[i + k] < low[k] ? x[i + k] : low[k];
    for (int k = 0; k < BLOCK; k++) high[k] = x[i + k] > high[k] ? x[i + k] : high[k];
  }
  for (; i < n; i++) {
    low[0] = x[i] < low[0] ? x[i] : low[0];
    high[0] = x[i] > high[0] ? x[i] : high[0];
  }
  *lower = low[0];
  *upper = high[0];
  for (int k = 1; k < BLOCK; k++) {
    *lower = low[k] < *lower ? low[k] : *lower;
    *upper = high[k] > *upper ? high[k] : *upper;
  }
}

// axis along which the boxes are spread most, with its range
static int sweepAxis(const Bodies* bodies, float* lower, float* upper) {
  int axis = 0;
  float widest = -1;
  for (int k = 0; k < 3; k++) {
    int first = bodies->id[0] == 0;
    float low, high;
    rangeOf(bodies->lower[k] + first, bodies->n - first, &low, &high);
    if (high - low > widest) {
      widest = high - low;
      axis = k;
      *lower = low;
      *upper = high;
    }
  }
  return axis;
}

// Boxes in the order of the sweep, and for each the end of the successors that it may overlap.
struct Sweep_ {
  const Bodies* bodies;
  Boxes boxes;
  const int* end;
};
typedef struct Sweep_ Sweep;

// Pairs of boxes [begin, end) of the sweep with their successors, and of bodies [begin, end) with static ones.
static void sweepRows(const snModel* m, const snData* d, const Sweep* sweep, int begin, int end,
                      PairList* list) {
  addStatic(m, d, sweep->bodies, begin, end, list);
  for (int p = begin; p < end; p++) {
    addSuccessors(m, d, sweep->bodies, &sweep->boxes, p, sweep->end[p], list);
  }
}

enum { ROWS_AT_ONCE = 32 };

// Runs of boxes that threads share: each run has its own part of the list for its pairs.
struct SweepRuns_ {
  const Sweep* sweep;
  uint32_t* pair;
  int* count;  // of each run; -1: there are more than its part holds
  int room;
};
typedef struct SweepRuns_ SweepRuns;

static void sweepSome(const snModel* m, snData* view, void* context, int begin, int end) {
  const SweepRuns* runs = (const SweepRuns*)context;
  int n = runs->sweep->boxes.n;
  for (int run = begin; run < end; run++) {
    int first = run * ROWS_AT_ONCE, last = first + ROWS_AT_ONCE < n ? first + ROWS_AT_ONCE : n;
    PairList list = {runs->pair + (size_t)run * runs->room, 0, runs->room, 0};
    sweepRows(m, view, runs->sweep, first, last, &list);
    runs->count[run] = list.full ? -1 : list.n;
  }
}

// The sweep by several threads, with pairs in the same order; returns 0 when it was not done.
static int sweepShared(const snModel* m, snData* d, const Sweep* sweep, PairList* list) {
  int n = sweep->boxes.n, nrun = (n + ROWS_AT_ONCE - 1) / ROWS_AT_ONCE, done = 0;
  if (nrun < 4 || !sn_hasCrew(d)) return 0;
  sn_markStack(d);
  SweepRuns runs = {sweep, list->pair + list->n, SN_STACK(d, int, nrun),
                    (list->capacity - list->n) / nrun};
  done = runs.count && sn_share(m, d, nrun, 1, sweepSome, &runs);
  for (int run = 0; done && run < nrun; run++) done = runs.count[run] >= 0;
  for (int run = 0; done && run < nrun; run++) {
    size_t bytes = (size_t)runs.count[run] * sizeof(uint32_t);
    memmove(list->pair + list->n, runs.pair + (size_t)run * runs.room, bytes);
    list->n += runs.count[run];
  }
  sn_freeStack(d);
  return done;
}

// Bodies sorted by the cell of their lower end; each is tested against its successors up to the
// cell of its upper end. Returns 0 when the stack is full.
static int addBySweep(const snModel* m, snData* d, const Bodies* bodies, PairList* list) {
  int n = bodies->n, width = n + BLOCK;
  int* start = SN_STACK(d, int, CELLS + 1);
  int* order = SN_STACK(d, int, n);
  int* cell = SN_STACK(d, int, n);
  float* sorted = SN_STACK(d, float, 6 * width);
  if (!start || !order || !cell || !sorted) return 0;

  float lower = 0, upper = 0;
  int axis = sweepAxis(bodies, &lower, &upper);
  float scale = upper > lower ? CELLS / (upper - lower) : 0;

  // counting sort
  for (int c = 0; c <= CELLS; c++) start[c] = 0;
  cellsOf(bodies->lower[axis], n, lower, scale, cell);
  for (int i = 0; i < n; i++) start[cell[i] + 1]++;
  for (int c = 0; c < CELLS; c++) start[c + 1] += start[c];
  for (int i = 0; i < n; i++) order[start[cell[i]]++] = i;
  SN_ASSERT(start[CELLS - 1] == n);
  // start[c] is now the end of cell c

  Sweep sweep = {bodies, {n, order, {NULL, NULL, NULL}, {NULL, NULL, NULL}}, cell};
  for (int k = 0; k < 3; k++) {
    float *lower_k = sorted + 2 * k * width, *upper_k = lower_k + width;
    for (int p = 0; p < n; p++) {
      lower_k[p] = bodies->lower[k][order[p]];
      upper_k[p] = bodies->upper[k][order[p]];
    }
    for (int p = n; p < width; p++) {
      lower_k[p] = HUGE_VALF;
      upper_k[p] = -HUGE_VALF;
    }
    sweep.boxes.lower[k] = lower_k;
    sweep.boxes.upper[k] = upper_k;
  }
  // from here on `cell` holds the end of the successors of each box
  cellsOf(sweep.boxes.upper[axis], n, lower, scale, cell);
  for (int p = 0; p < n; p++) cell[p] = start[cell[p]];
  if (!sweepShared(m, d, &sweep, list)) sweepRows(m, d, &sweep, 0, n, list);
  return 1;
}

// all against all, in order
static void addByPairs(const snModel* m, const snData* d, const Bodies* bodies, PairList* list) {
  Boxes boxes = {bodies->n, NULL, {NULL, NULL, NULL}, {NULL, NULL, NULL}};
  for (int k = 0; k < 3; k++) {
    boxes.lower[k] = bodies->lower[k];
    boxes.upper[k] = bodies->upper[k];
  }
  addStatic(m, d, bodies, 0, bodies->n, list);
  for (int p = 0; p < bodies->n; p++) {
    addSuccessors(m, d, bodies, &boxes, p, bodies->n, list);
  }
}

// ---- order ---------------------------------------------------------------------------------------

static int isSorted(const PairList* list) {
  for (int i = 1; i < list->n; i++) {
    if (list->pair[i - 1] > list->pair[i]) return 0;
  }
  return 1;
}

// two passes of counting sort: by the larger body, then by the smaller one
static int sortPairs(const snModel* m, snData* d, PairList* list) {
  if (isSorted(list)) return 1;
  int nbody = (int)(m->nbody + m->nflex);
  sn_markStack(d);
  int* start = SN_STACK(d, int, nbody + 1);
  uint32_t* other = SN_STACK(d, uint32_t, list->n);
  int ok = start && other;
  for (int pass = 0; ok && pass < 2; pass++) {
    int shift = 16 * pass;
    uint32_t *from = pass ? other : list->pair, *to = pass ? list->pair : other;
    for (int b = 0; b <= nbody; b++) start[b] = 0;
    for (int i = 0; i < list->n; i++) start[((from[i] >> shift) & 0xffff) + 1]++;
    for (int b = 0; b < nbody; b++) start[b + 1] += start[b];
    for (int i = 0; i < list->n; i++) to[start[(from[i] >> shift) & 0xffff]++] = from[i];
    SN_ASSERT(start[nbody - 1] == list->n);
  }
  sn_freeStack(d);
  return ok;
}

// Is every body asleep or static? No pair is tested then.
static int allAsleep(const snModel* m, const snData* d) {
  return (m->opt.enableflags & snENBL_SLEEP) && m->ntree && !d->ntree_awake && !m->nflex;
}

// all pairs into the list; returns 0 when the stack is full
static int findPairs(const snModel* m, snData* d, PairList* list) {
  Bodies bodies;
  list->n = list->full = 0;
  if (allAsleep(m, d)) return 1;
  sn_markStack(d);
  int ok = collectBodies(m, d, &bodies);
  if (ok) {
    if (bodies.n < SMALL) {
      addByPairs(m, d, &bodies, list);
    } else {
      ok = addBySweep(m, d, &bodies, list);
    }
  }
  sn_freeStack(d);
  return ok;
}

static SN_OUTLINE void listInOrder(const snModel* m, snData* d, snBroad* broad) {
  snSize nbody = m->nbody + m->nflex, most = nbody * nbody;
  if (nbody > 65536) {
    snu_error("collision detection supports at most 65536 bodies");
    return;
  }

  // few bodies touch many others: start with a short list, enlarge it when it overflows
  snSize capacity = 64 + PAIRS_PER_BODY * nbody;
  if (capacity > most) capacity = most;
  for (;;) {
    PairList list;
    list.pair = SN_STACK(d, uint32_t, capacity);
    list.capacity = (int)capacity;
    if (!list.pair || !findPairs(m, d, &list)) break;
    if (!list.full) {
      if (!sortPairs(m, d, &list)) break;
      SN_ASSERT(isSorted(&list) && list.n <= list.capacity);
      broad->pairs = list.pair;
      broad->npair = list.n;
      return;
    }
    capacity *= 8;
    if (capacity > most) capacity = most;
    if (capacity > 0x3fffffff) break;
  }
  sn_warning(d, snWARN_CONTACTFULL, d->ncon);
}

// ---- pairs, by a team ----------------------------------------------------------------------------

// a body or flex, as lanes test it
struct TeamBody_ {
  Box box;
  int id, weld, parent;  // weld group, and that of its parent
  int always, asleep;
  int unused[3];  // 16 words
};
typedef struct TeamBody_ TeamBody;

// flexes after the bodies: with weld groups of their own, never asleep
static int describeFlexes(const snModel* m, const snData* d, TeamBody* list, int n) {
  for (int flex = 0; flex < (int)m->nflex; flex++) {
    if (!m->flex_contype[flex] && !m->flex_conaffinity[flex]) continue;
    TeamBody body;
    body.box = flexBox(m, d, flex);
    body.id = (int)m->nbody + flex;
    body.weld = -1 - flex;
    body.parent = -1 - (int)m->nflex;
    body.always = body.asleep = 0;
    if (SN_LANE == 0) list[n] = body;
    n++;
  }
  SN_SYNC();
  return n;
}

// how many bodies and flexes can collide
static int countBodies(const snModel* m) {
  int n = 0;
  SN_FOR(id, m->nbody) n += isCollidable(m, id) && m->body_geomnum[id];
  SN_FOR(flex, m->nflex) n += m->flex_contype[flex] || m->flex_conaffinity[flex];
  return sn_teamSumInt(n);
}

static int describeBodies(const snModel* m, const snData* d, TeamBody* list) {
  int n = 0, total, nbody = (int)m->nbody;
  int sleeping = (m->opt.enableflags & snENBL_SLEEP) && d->nbody_awake < nbody;
  for (int first = 0; first < nbody; first += SN_LANES) {
    int id = first + SN_LANE;
    int takes_part = id < nbody && isCollidable(m, id) && m->body_geomnum[id];
    TeamBody* body = list + n + sn_teamRank(takes_part, &total);
    if (takes_part) {
      Box box = bodyBox(m, d, id);
      int weld = m->body_weldid[id];
      body->box = box;
      body->id = id;
      body->weld = weld;
      body->parent = m->body_weldid[m->body_parentid[weld]];
      body->always = weld == 0 && sn_alwaysCollides(m, id);
      body->asleep = sleeping && d->body_awake[id] == snS_ASLEEP;
    }
    n += total;
  }
  SN_SYNC();
  return m->nflex ? describeFlexes(m, d, list, n) : n;
}

static int boxesMeet(const Box* a, const Box* b) {
  int apart = 0;
  for (int k = 0; k < 3; k++) apart |= (a->lower[k] > b->upper[k]) | (b->lower[k] > a->upper[k]);
  return !apart;
}

// Would addStatic or addFiltered list the pair? Body a comes before body b.
static int isListed(const TeamBody* a, const TeamBody* b, int parents) {
  const Box *box1 = &a->box, *box2 = &b->box;
  int weld1 = a->weld, weld2 = b->weld, asleep1 = a->asleep, asleep2 = b->asleep;
  int masks = (box1->contype & box2->conaffinity) | (box2->contype & box1->conaffinity);
  int always = (a->always && weld2 && !asleep2) || (b->always && weld1 && !asleep1);
  int filtered = weld1 == weld2 || (asleep1 && (asleep2 || !weld2)) || (asleep2 && !weld1) ||
                 (parents && weld1 && weld2 && (weld1 == b->parent || weld2 == a->parent));
  return masks && (always || (!filtered && boxesMeet(box1, box2)));
}

// All against all: lanes take the pairs (p, q), p < q, row by row of the triangle.
static void listTriangle(const snModel* m, const TeamBody* bodies, int n, PairList* list) {
  int count = n * (n - 1) / 2, lanes = SN_LANES, total, p = 0, q = 1 + SN_LANE;
  int parents = !(m->opt.disableflags & snDSBL_FILTERPARENT);
  for (int first = 0; first < count; first += lanes, q += lanes) {
    SN_PLAIN_LOOP for (; q >= n && p < n; p++) q += p + 2 - n;
    int hit = p < n - 1 && isListed(bodies + p, bodies + q, parents);
    int place = list->n + sn_teamRank(hit, &total);
    if (hit && place < list->capacity) {
      list->pair[place] = ((uint32_t)bodies[p].id << 16) + (uint32_t)bodies[q].id;
    }
    list->n += total;
  }
}

// All against all by a team; returns 0 when there are too many bodies or pairs.
static int listAsTeam(const snModel* m, snData* d, snBroad* broad) {
  PairList list;
  int nbody = countBodies(m), most = nbody * (nbody - 1) / 2;
  if (nbody > TEAM_MOST) return 0;
  list.n = 0;
  list.capacity = 64 + PAIRS_PER_BODY * nbody < most ? 64 + PAIRS_PER_BODY * nbody : most;
  list.pair = SN_STACK(d, uint32_t, list.capacity);
  sn_markStack(d);
  TeamBody* bodies = SN_STACK(d, TeamBody, nbody);
  int ok = list.pair && bodies;
  if (ok) {
    listTriangle(m, bodies, describeBodies(m, d, bodies), &list);
    ok = list.n <= list.capacity;
    broad->pairs = list.pair;
    broad->npair = list.n;
  }
  sn_freeStack(d);
  return ok;
}

SN_STAGE void sn_broadphase(const snModel* m, snData* d, snBroad* broad) {
  broad->pairs = NULL;
  broad->npair = broad->has_frame = 0;
  if (SN_LANES > 1 && m->nbody + m->nflex <= 65536 && listAsTeam(m, d, broad)) return;
  SN_ONE {
    broad->npair = 0;
    listInOrder(m, d, broad);
  }
  broad->pairs = (const uint32_t*)sn_teamFirst((void*)broad->pairs);
  broad->npair = sn_teamFromInt(broad->npair, 0);
  SN_SYNC();
}
