// Sweep and prune of the elements of one flex by a team: the same pairs in the same order as collide/flex_sweep.c.
//
// Elements are sorted by the lower ends of their boxes along the sweep axis. Element p overlaps those elements before
// it that end after p begins. Each lane counts the pairs of one element, a prefix sum places them in a list, and the
// lanes collide the list, one pair each.

#include "engine/collide/flex_sweep.h"
#include "base/arena.h"
#include "base/assert.h"
#include "engine/lanes/lanes.h"

enum { PAIRS_PER_LANE = 64 };

// The elements that are swept.
typedef struct Sweep_ {
  int flex, axis, n;
  int allowed;      // how many more pairs may be collided
  snSweepKey* key;  // sorted by lower ends
  int* until;       // of each element: how many elements begin before it ends
  int (*list)[2];   // pairs of elements
} Sweep;

static void mergeRuns(const snSweepKey* key, snSweepKey* merged, int begin, int middle, int end) {
  for (int i = begin, j = middle, k = begin; k < end; k++) {
    int first = i < middle && (j == end || key[i].order <= key[j].order);
    merged[k] = key[first ? i++ : j++];
  }
}

// Merge sort, which is stable; a lane takes a pair of runs.
static void mergeSort(Sweep* s, snSweepKey* other) {
  for (int width = 1; width < s->n; width *= 2) {
    SN_FOR(run, (s->n + 2 * width - 1) / (2 * width)) {
      int begin = 2 * width * run, middle = begin + width < s->n ? begin + width : s->n;
      mergeRuns(s->key, other, begin, middle, middle + width < s->n ? middle + width : s->n);
    }
    SN_SYNC();
    snSweepKey* sorted = other;
    other = s->key;
    s->key = sorted;
  }
}

// How many elements begin before element p ends (binary search). Of two ends at the same place that of the element
// with the smaller number comes first.
static int countUntil(const snModel* m, const snData* d, const Sweep* s, int p) {
  int element = s->key[p].element, low = p + 1, high = s->n;
  float lower, upper;
  sn_sweepEnds(sn_elementBox(m, d, s->flex, element), s->axis, &lower, &upper);
  unsigned order = sn_sweepOrder(upper);
  while (low < high) {
    int middle = (low + high) / 2;
    const snSweepKey* key = s->key + middle;
    if (key->order < order || (key->order == order && key->element < element)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// Pairs of element p with elements [first, p); returns their number. Pair i is stored at list[place + i], if that is
// one of the first `room` places.
static int pairsOf(const snModel* m, const snData* d, const Sweep* s, int p, int first, int place,
                   int room) {
  int n = 0, element = s->key[p].element;
  const snReal* box = sn_elementBox(m, d, s->flex, element);
  for (int q = first; q < p; q++) {
    int other = s->key[q].element;
    if (s->until[q] <= p || sn_isPruned(sn_elementBox(m, d, s->flex, other), box, s->axis)) {
      continue;
    }
    int at = place + n++;
    if (at < 0 || at >= room) continue;
    s->list[at][0] = other;
    s->list[at][1] = element;
  }
  return n;
}

// Collides elements [base, base + lanes) with those before them, of which `first` is the first.
static void collideBlock(const snModel* m, snData* d, Sweep* s, int base, int first) {
  int p = base + SN_LANE, lanes = SN_LANES, room = PAIRS_PER_LANE * lanes, total;
  int count = p < s->n ? pairsOf(m, d, s, p, first, 0, 0) : 0;
  int place = sn_teamScan(count, &total);
  if (total > s->allowed) total = s->allowed;
  for (int begin = 0; begin < total; begin += room) {
    if (count && place < begin + room && place + count > begin) {
      pairsOf(m, d, s, p, first, place - begin, room);
    }
    SN_SYNC();
    for (int k = 0; k < room && begin + k < total; k += lanes) {
      int i = k + SN_LANE, own = i < room && begin + i < total;
      sn_touchElements(m, d, s->flex, own ? s->list[i][0] : -1, s->flex, own ? s->list[i][1] : -1);
    }
    SN_SYNC();
  }
  s->allowed -= total;
}

int sn_sweepFlexLanes(const snModel* m, snData* d, int flex, int axis, int mostPairs) {
  SN_ASSERT_INDEX(flex, m->nflex);
  int most = m->flex_elemnum[flex], mostOpen = 0;
  Sweep s = {flex, axis, 0, mostPairs, NULL, NULL, NULL};
  s.key = SN_STACK(d, snSweepKey, 2 * (size_t)most);
  s.until = SN_STACK(d, int, most);
  s.list = (int(*)[2])SN_STACK(d, int, 2 * PAIRS_PER_LANE * SN_LANES);
  if (!s.key || !s.until || !s.list) return 0;
  s.n = sn_listSweepKeys(m, d, flex, axis, s.key);
  mergeSort(&s, s.key + most);
  SN_FOR(p, s.n) {
    s.until[p] = countUntil(m, d, &s, p);
    mostOpen = s.until[p] - p > mostOpen ? s.until[p] - p : mostOpen;
  }
  mostOpen = sn_teamMaxInt(mostOpen);  // the most elements that begin before one ends
  SN_SYNC();
  for (int base = 0; base < s.n && s.allowed > 0; base += SN_LANES) {
    collideBlock(m, d, &s, base, base < mostOpen ? 0 : base - mostOpen + 1);
  }
  SN_SYNC();
  return 1;
}
