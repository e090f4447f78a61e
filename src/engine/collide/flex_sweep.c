// Sweep and prune of the elements of one flex, by one lane.
//
// Elements are swept in the order of their lower ends along the sweep axis; an element is open from its lower to its
// upper end. Most open elements are far from the current one along a second axis. Space is therefore divided into
// strips along that axis: a strip lists the elements that reach into it, in the order of the sweep, and an element is
// tested against the lists of its own strips, eight at a time.

#include "engine/collide/flex_sweep.h"
#include "base/arena.h"
#include "base/assert.h"
#include "base/bits.h"
#include "math/four.h"
#include "math/math.h"
#include "sinew/sinew.h"

enum { BLOCK = 8, MOST_STRIPS = 32, CORNERS = 4 };

// Upper end along the axis of the sweep, sides along the other axes, and along the two diagonals between the axis
// of the sweep and that of the strips: sheets that lie flat are told apart there.
enum { UPPER, LOW1, HIGH1, LOW2, HIGH2, LOW3, HIGH3, LOW4, HIGH4, SIDES };

// An element that is swept. Ends along the axis of the sweep are rounded to single precision, sides outwards.
typedef struct Item_ {
  float lower, side[SIDES];
  int element;
  int first, last;    // strips
  int body[CORNERS];  // of its vertices
} Item;

// Lists of entries, contiguous in memory.
typedef struct Strips_ {
  int count;
  int begin[MOST_STRIPS];  // of each list: the first that may still be open, behind the last
  int end[MOST_STRIPS];
  int* item;
  int* body[CORNERS];
  float* side[SIDES];
} Strips;

typedef struct Sweep_ {
  int flex, axis, across;  // axis of the sweep, axis along which strips follow one another
  int n;
  Item* item;  // in the order in which they are entered
  int* found;  // those that an element meets
  Strips strips;
  int counted, met;      // if pairs are limited: pairs found, possibly a few too many
  int limited, allowed;  // are pairs limited? how many more are allowed
} Sweep;

// ---- order ---------------------------------------------------------------------------------------

// Radix sort by the bytes of the keys, which is stable; count has room for RADIX * DIGITS numbers.
enum { RADIX = 256, DIGITS = 4 };
static void radixSort(snSweepKey* key, snSweepKey* other, int n, int* count) {
  for (int k = 0; k < RADIX * DIGITS; k++) count[k] = 0;
  for (int i = 0; i < n; i++) {
    for (int digit = 0; digit < DIGITS; digit++) {
      count[RADIX * digit + (key[i].order >> 8 * digit & 255)]++;
    }
  }
  for (int digit = 0; digit < DIGITS; digit++, count += RADIX) {
    for (int k = 0, place = 0, here; k < RADIX; k++, place += here) {
      here = count[k];
      count[k] = place;
    }
    for (int i = 0; i < n; i++) other[count[key[i].order >> 8 * digit & 255]++] = key[i];
    snSweepKey* sorted = other;
    other = key;
    key = sorted;
  }
}

int sn_listSweepKeys(const snModel* m, const snData* d, int flex, int axis, snSweepKey* key) {
  SN_ASSERT_INDEX(flex, m->nflex);
  int n = 0, total, count = m->flex_elemnum[flex];
  for (int first = 0; first < count; first += SN_LANES) {
    int e = first + SN_LANE, own = e < count && sn_isActive(m, flex, e);
    snSweepKey* next = key + n + sn_teamRank(own, &total);
    if (own) {
      float lower, upper;
      sn_sweepEnds(sn_elementBox(m, d, flex, e), axis, &lower, &upper);
      next->order = sn_sweepOrder(lower);
      next->element = e;
    }
    n += total;
  }
  SN_SYNC();
  return n;
}

// ---- items ---------------------------------------------------------------------------------------

// Bodies of the vertices of an element; a vertex without a body gets a negative number that no other vertex has.
static void elementBodies(const snModel* m, int flex, int element, int body[CORNERS]) {
  const int* vertex = sn_elementVertices(m, flex, element);
  const int* vertbody = m->flex_vertbodyid + m->flex_vertadr[flex];
  for (int i = 0; i < CORNERS; i++) {
    int own = i <= m->flex_dim[flex] ? vertbody[vertex[i]] : -1;
    body[i] = own >= 0 ? own : -1 - (CORNERS * element + i);
  }
}

// sides along a sum or a difference of two axes, of spheres around the vertices
static void setDiagonals(const snModel* m, const snData* d, const Sweep* s, Item* item) {
  const int* vertex = sn_elementVertices(m, s->flex, item->element);
  const snReal* xpos = d->flexvert_xpos + 3 * (snSize)m->flex_vertadr[s->flex];
  const snReal doubt = sizeof(snReal) == 4 ? (snReal)1e-4 : (snReal)1e-5;
  const snReal* x = xpos + 3 * (snSize)vertex[0];
  snReal low[2] = {x[s->axis] + x[s->across], x[s->axis] - x[s->across]},
         high[2] = {low[0], low[1]};
  snReal radius = m->flex_radius[s->flex];
  for (int i = 1; i <= m->flex_dim[s->flex]; i++) {
    x = xpos + 3 * (snSize)vertex[i];
    snReal along[2] = {x[s->axis] + x[s->across], x[s->axis] - x[s->across]};
    for (int k = 0; k < 2; k++) {
      low[k] = low[k] < along[k] ? low[k] : along[k];
      high[k] = high[k] > along[k] ? high[k] : along[k];
    }
  }
  for (int k = 0; k < 2; k++) {
    snReal room = doubt * (snu_abs(low[k]) + snu_abs(high[k]) + snu_abs(radius));
    room += doubt * (high[k] - low[k]) + (snReal)1.4142135623730951 * radius;
    item->side[LOW3 + 2 * k] = (float)(low[k] - room);
    item->side[HIGH3 + 2 * k] = (float)(high[k] + room);
  }
}

static void setItem(const snModel* m, const snData* d, const Sweep* s, int element, Item* item) {
  const snReal* box = sn_elementBox(m, d, s->flex, element);
  int axes[2] = {s->across, 3 - s->axis - s->across};
  item->element = element;
  sn_sweepEnds(box, s->axis, &item->lower, &item->side[UPPER]);
  for (int k = 0; k < 2; k++) {
    snReal low = box[axes[k]] - box[3 + axes[k]], high = box[axes[k]] + box[3 + axes[k]];
    snReal pad = (snReal)1e-6 * (snu_abs(low) + snu_abs(high));
    item->side[LOW1 + 2 * k] = (float)(low - pad);
    item->side[HIGH1 + 2 * k] = (float)(high + pad);
  }
  setDiagonals(m, d, s, item);
  elementBodies(m, s->flex, element, item->body);
}

// ---- strips --------------------------------------------------------------------------------------

static int stripOf(float x, float low, float scale, int count) {
  float at = (x - low) * scale;
  return at >= (float)count ? count - 1 : at > 0 ? (int)at : 0;  // NaN: the first
}

// Strips twice as wide as elements are in the mean: most elements have one entry or two. Where positions are
// NaN there is one strip. Returns the number of entries.
static int cutStrips(Sweep* s) {
  Strips* strips = &s->strips;
  float low = s->item[0].side[LOW1], high = s->item[0].side[HIGH1], sum = 0;
  int begin = 0;
  for (int p = 0; p < s->n; p++) {
    float l = s->item[p].side[LOW1], h = s->item[p].side[HIGH1];
    low = l < low ? l : low;
    high = h > high ? h : high;
    sum += h > l ? h - l : 0;
  }
  float size = high - low, width = 2 * sum / (float)s->n, most = (float)MOST_STRIPS;
  int some = size > width && width > 0 && size < (float)1e6 * width;
  strips->count = some ? (int)(size / width < most ? size / width : most) : 1;
  float scale = some ? (float)strips->count / size : 0;
  for (int k = 0; k < strips->count; k++) strips->end[k] = 0;
  for (int p = 0; p < s->n; p++) {
    Item* item = s->item + p;
    item->first = stripOf(item->side[LOW1], low, scale, strips->count);
    item->last = stripOf(item->side[HIGH1], low, scale, strips->count);
    if (item->last < item->first) item->last = item->first;  // inside out
    for (int k = item->first; k <= item->last; k++) strips->end[k]++;
  }
  for (int k = 0; k < strips->count; k++) {
    int here = strips->end[k];
    strips->begin[k] = strips->end[k] = begin;
    begin += here;
  }
  return begin;
}

static int takeEntries(snData* d, Strips* strips, int count) {
  int room = count + BLOCK;  // a block reaches beyond the end
  strips->item = SN_STACK(d, int, (1 + CORNERS) * (size_t)room);
  float* sides = SN_STACK(d, float, SIDES*(size_t)room);
  if (!strips->item || !sides) return 0;
  for (int i = 0; i < CORNERS; i++) strips->body[i] = strips->item + (1 + i) * (snSize)room;
  for (int k = 0; k < SIDES; k++) strips->side[k] = sides + k * (snSize)room;
  return 1;
}

static void enter(Strips* strips, const Item* item, int p) {
  for (int k = item->first; k <= item->last; k++) {
    int at = strips->end[k]++;
    strips->item[at] = p;
    for (int i = 0; i < CORNERS; i++) strips->body[i][at] = item->body[i];
    for (int i = 0; i < SIDES; i++) strips->side[i][at] = item->side[i];
  }
}

// ---- pairs ---------------------------------------------------------------------------------------

// Which of the block of entries from k on have a box that meets the item's? A bit for each.
SN_KERNEL unsigned meetsBoxes(const Strips* strips, const Item* item, int k) {
  const float* upper = strips->side[UPPER] + k;
  const float *low1 = strips->side[LOW1] + k, *high1 = strips->side[HIGH1] + k;
  const float *low2 = strips->side[LOW2] + k, *high2 = strips->side[HIGH2] + k;
  const float* own = item->side;
#if SN_HAS_FOUR
  snEightInts apart = ((SN_LOAD8(upper) < item->lower) | (SN_LOAD8(low1) > own[HIGH1]) |
                       (SN_LOAD8(high1) < own[LOW1]) | (SN_LOAD8(low2) > own[HIGH2]) |
                       (SN_LOAD8(high2) < own[LOW2]));
  return sn_falseBits8(&apart);
#else
  unsigned bits = 0;
  for (int i = 0; i < BLOCK; i++) {
    int apart = (upper[i] < item->lower) | (low1[i] > own[HIGH1]) | (high1[i] < own[LOW1]) |
                (low2[i] > own[HIGH2]) | (high2[i] < own[LOW2]);
    bits |= (unsigned)!apart << i;
  }
  return bits;
#endif
}

// Which of the same block share no body with the item and overlap it along both diagonals? A bit for each.
SN_KERNEL unsigned unrelatedNear(const Strips* strips, const Item* item, int k, int corners) {
  const float *low3 = strips->side[LOW3] + k, *high3 = strips->side[HIGH3] + k;
  const float *low4 = strips->side[LOW4] + k, *high4 = strips->side[HIGH4] + k;
  const float* own = item->side;
#if SN_HAS_FOUR
  snEightInts out = ((SN_LOAD8(low3) > own[HIGH3]) | (SN_LOAD8(high3) < own[LOW3]) |
                     (SN_LOAD8(low4) > own[HIGH4]) | (SN_LOAD8(high4) < own[LOW4]));
  for (int i = 0; i < corners; i++) {
    snEightInts body = *(const snEightInts*)(strips->body[i] + k);
    for (int j = 0; j < corners; j++) out |= body == item->body[j];
  }
  return sn_falseBits8(&out);
#else
  unsigned bits = 0;
  for (int n = 0; n < BLOCK; n++) {
    int out = (low3[n] > own[HIGH3]) | (high3[n] < own[LOW3]) | (low4[n] > own[HIGH4]) |
              (high4[n] < own[LOW4]);
    for (int i = 0; i < corners; i++) {
      for (int j = 0; j < corners; j++) out |= strips->body[i][k + n] == item->body[j];
    }
    bits |= (unsigned)!out << n;
  }
  return bits;
#endif
}

// Finds the items before item p in the sweep that it forms a pair with, in any order; returns their number. Two items
// that share several strips are paired in the first of these. Of two equal ends that of the smaller element comes
// first. Where the number of pairs is limited, a pair is one whose boxes overlap in double precision, as it is for the
// reference engine; else only pairs that come near are kept.
SN_KERNEL int meetOpen(const snModel* m, const snData* d, Sweep* s, int p, int corners) {
  Strips* strips = &s->strips;
  const Item* item = s->item + p;
  const snReal* box = sn_elementBox(m, d, s->flex, item->element);
  int n = 0;
  for (int strip = item->first; strip <= item->last; strip++) {
    int begin = strips->begin[strip], end = strips->end[strip];
    while (begin < end && strips->side[UPPER][begin] < item->lower) begin++;
    strips->begin[strip] = begin;
    for (int k = begin; k < end; k += BLOCK) {
      unsigned hits = meetsBoxes(strips, item, k);
      if (end - k < BLOCK) hits &= (1u << (end - k)) - 1;
      if (s->counted) s->met += sn_countBits(hits);
      if (!s->limited && hits) hits &= unrelatedNear(strips, item, k, corners);
      for (; hits; hits &= hits - 1) {
        int q = strips->item[k + sn_lowestBit(hits)];
        const Item* other = s->item + q;
        if (strip != item->first && strip != other->first) continue;
        if (other->side[UPPER] == item->lower && item->element > other->element) continue;
        s->found[n] = q;
        n += s->limited ? !sn_isPruned(box, sn_elementBox(m, d, s->flex, other->element), s->axis)
                        : sn_areNear(m, d, s->flex, other->element, item->element);
      }
    }
  }
  return n;
}

SN_WIDE(static, int, meetTriangles, (const snModel* m, const snData* d, Sweep* s, int p),
        (m, d, s, p)) {
  return meetOpen(m, d, s, p, 3);
}

SN_WIDE(static, int, meetTetrahedra, (const snModel* m, const snData* d, Sweep* s, int p),
        (m, d, s, p)) {
  return meetOpen(m, d, s, p, 4);
}

// In the order in which they were entered (insertion sort: what one strip gave is in order already).
static void sortFound(int* found, int n) {
  for (int i = 1; i < n; i++) {
    int next = found[i], k = i;
    for (; k > 0 && next < found[k - 1]; k--) found[k] = found[k - 1];
    found[k] = next;
  }
}

// Enters the elements; those from begin on are collided. Returns where it stopped: pairs may be too many.
static int sweep(const snModel* m, snData* d, Sweep* s, int begin, int mostPairs) {
  int p = 0;
  s->met = 0;
  s->allowed = mostPairs;
  for (; p < s->n; p++) {
    const Item* item = s->item + p;
    int count = m->flex_dim[s->flex] < 3 ? meetTriangles(m, d, s, p) : meetTetrahedra(m, d, s, p);
    if (!s->limited && s->met > mostPairs) return p;
    sortFound(s->found, count);
    for (int i = 0; i < count; i++) {
      const Item* other = s->item + s->found[i];
      if (s->limited && (s->allowed-- <= 0)) return s->n;
      if (p < begin) continue;
      if (s->limited && (sn_shareFour(other->body, item->body) ||
                         !sn_areNear(m, d, s->flex, other->element, item->element))) {
        continue;
      }
      sn_touchNear(m, d, s->flex, other->element, item->element);
    }
    enter(&s->strips, item, p);
  }
  return p;
}

// the two axes that are not swept, the one along which the flex is longer first
static int axisAcross(const snReal half[3], int axis) {
  int other1 = axis == 0 ? 1 : 0, other2 = 3 - axis - other1;
  return half[other1] > half[other2] ? other1 : other2;
}

int sn_sweepFlex(const snModel* m, snData* d, int flex, int axis, int mostPairs) {
  SN_ASSERT_INDEX(flex, m->nflex);
  SN_ASSERT(SN_LANES == 1);
  int most = m->flex_elemnum[flex];
  Sweep s;
  s.flex = flex;
  s.axis = axis;
  s.across = axisAcross(d->bvh_aabb_dyn + 6 * (m->flex_bvhadr[flex] - m->nbvhstatic) + 3, axis);
  s.item = SN_STACK(d, Item, most);
  s.found = SN_STACK(d, int, most);
  snSweepKey* key = SN_STACK(d, snSweepKey, 2 * (size_t)most);
  int* count = SN_STACK(d, int, RADIX* DIGITS);
  if (!s.item || !s.found || !key || !count) return 0;
  int n = s.n = sn_listSweepKeys(m, d, flex, axis, key);
  if (n < 2) return 1;
  radixSort(key, key + most, n, count);
  for (int p = 0; p < n; p++) setItem(m, d, &s, key[p].element, s.item + p);
  if (!takeEntries(d, &s.strips, cutStrips(&s))) return 0;
  s.counted = n >= 2000 || n * (n - 1) / 2 >= mostPairs;
  s.limited = 0;
  int done = sweep(m, d, &s, 0, mostPairs);
  if (done < n) {  // once more, with an exact count
    s.limited = 1;
    cutStrips(&s);
    sweep(m, d, &s, done, mostPairs);
  }
  return 1;
}
