// Collision detection by a team of lanes: the same contacts in the same order as the driver that goes
// from pair to pair (collision.c).
//
// Pairs that may touch stand in a list of 64-bit entries that increase at the end: index of the pair
// of bodies, kind, and two geoms, two nodes of bounding volume trees, or the number of an explicit
// pair. It starts with one entry per pair of bodies; while it has nodes a pass replaces each by the
// pairs that follow from it. Lanes take entries in turn; where an entry goes is the sum over the lanes
// before.

#include "base/arena.h"
#include "engine/ccd.h"
#include "engine/collision.h"
#include "math/math.h"
#include "sinew/sinew.h"

// explicit pairs come before the others of their bodies; pairs of geoms that are known to be near
enum { KIND_EXPLICIT, KIND_NODES, KIND_GEOMS, KIND_NEAR };

enum {
  MOST_GEOMS = 32768,  // twice as many nodes have numbers of 16 bits
  PAIRS_PER_GEOM = 16
};

struct List_ {
  uint64_t* entry;
  uint64_t* other;  // where the next pass writes
  int n, capacity;
};
typedef struct List_ List;

static uint64_t makeEntry(int index, int kind, int first, int second) {
  return (uint64_t)(((uint32_t)index << 2) + (uint32_t)kind) << 32 |
         (((uint32_t)first << 16) + (uint32_t)second);
}

static int indexOf(uint64_t entry) { return (int)(entry >> 34); }
static int kindOf(uint64_t entry) { return (int)(entry >> 32 & 3); }
static int firstOf(uint64_t entry) { return (int)(entry >> 16 & 0xffff); }
static int secondOf(uint64_t entry) { return (int)(entry & 0xffff); }

static void swapBuffers(List* list, int n) {
  uint64_t* entry = list->entry;
  list->entry = list->other;
  list->other = entry;
  list->n = n;
}

// first of n increasing numbers that is not below
#define LOWER_BOUND(name, type)                      \
  static int name(const type* list, int n, type x) { \
    int low = 0, high = n;                           \
    while (low < high) {                             \
      int middle = (low + high) / 2;                 \
      if (list[middle] < x) {                        \
        low = middle + 1;                            \
      } else {                                       \
        high = middle;                               \
      }                                              \
    }                                                \
    return low;                                      \
  }
LOWER_BOUND(findEntry, uint64_t)
LOWER_BOUND(findSignature, uint32_t)

// an explicit pair of the same geoms stands for this one
static int hasTwin(const snModel* m, uint32_t signature, int g1, int g2) {
  int npair = (int)m->npair;
  const uint32_t* signatures = (const uint32_t*)m->pair_signature;
  for (int p = findSignature(signatures, npair, signature); p < npair; p++) {
    if (signatures[p] != signature) break;
    int p1 = m->pair_geom1[p], p2 = m->pair_geom2[p];
    if ((p1 == g1 && p2 == g2) || (p1 == g2 && p2 == g1)) return 1;
  }
  return 0;
}

// ---- the list ------------------------------------------------------------------------------------

// how many entries a pair of bodies starts with
static int countEntries(const snModel* m, snData* d, const snBroad* broad, int i, int* kind) {
  uint32_t signature = broad->pairs[i];
  if (i && broad->pairs[i - 1] == signature) return 0;
  int count = sn_pairsOfBodies(m, d, signature);
  *kind = count < 0 ? KIND_NODES : count == 1 ? KIND_NEAR : KIND_GEOMS;
  return count < 0 ? 1 : count;
}

static void writeEntries(const snModel* m, uint32_t signature, int i, int kind, int count,
                         uint64_t* entry) {
  int a = (int)(signature >> 16), b = (int)(signature & 0xffff);
  if (kind == KIND_NODES) {
    entry[0] = makeEntry(i, kind, m->body_bvhadr[a], m->body_bvhadr[b]);
    return;
  }
  int g1 = m->body_geomadr[a], g2 = m->body_geomadr[b], num2 = m->body_geomnum[b];
  SN_PLAIN_LOOP for (int k = 0; k < count; k++) entry[k] =
      makeEntry(i, kind, g1 + k / num2, g2 + k % num2);
}

// Returns whether nodes are among the entries; -1 when the list is too short.
static int listBodies(const snModel* m, snData* d, const snBroad* broad, List* list) {
  int nodes = 0, n = 0, lanes = SN_LANES;
  for (int first = 0; first < broad->npair; first += lanes) {
    int i = first + SN_LANE, kind = 0, total;
    int count = i < broad->npair ? countEntries(m, d, broad, i, &kind) : 0;
    int place = n + sn_teamScan(count, &total);
    n += total;
    if (n > list->capacity) return -1;
    if (count) writeEntries(m, broad->pairs[i], i, kind, count, list->entry + place);
    nodes |= count && kind == KIND_NODES;
  }
  list->n = n;
  SN_SYNC();
  return sn_teamAny(nodes);
}

// One pass over the list: pairs of nodes are replaced by what follows from them. Returns as above.
static int descend(const snModel* m, snData* d, const snBroad* broad, List* list) {
  int nodes = 0, n = 0, lanes = SN_LANES;
  for (int first = 0; first < list->n; first += lanes) {
    int k = first + SN_LANE, count = k < list->n, total, doubles;
    uint64_t entry = count ? list->entry[k] : 0, second = 0;
    if (count && kindOf(entry) == KIND_NODES) {
      int i = indexOf(entry), next[4] = {0, 0, 0, 0};
      uint32_t signature = broad->pairs[i];
      count = sn_visitNodes(m, d, (int)(signature >> 16), (int)(signature & 0xffff), firstOf(entry),
                            secondOf(entry), next);
      entry = makeEntry(i, count == 1 ? KIND_NEAR : KIND_NODES, next[0], next[1]);
      second = makeEntry(i, KIND_NODES, next[2], next[3]);
      nodes |= count == 2;
    }
    int place = n + sn_teamRank(count, &total) + sn_teamRank(count > 1, &doubles);
    n += total + doubles;
    if (n > list->capacity) return -1;
    if (count) list->other[place] = entry;
    if (count > 1) list->other[place + 1] = second;
  }
  SN_SYNC();
  swapBuffers(list, n);
  return sn_teamAny(nodes);
}

// trees know no order of geoms: sort the entries of each pair of bodies
static void sortList(List* list) {
  int unsorted = 0;
  SN_FOR(k, list->n - 1) unsorted |= list->entry[k] > list->entry[k + 1];
  if (!sn_teamAny(unsorted)) return;
  SN_FOR(k, list->n) {
    uint64_t entry = list->entry[k];
    int place = k;
    for (int i = k - 1; i >= 0 && indexOf(list->entry[i]) == indexOf(entry); i--) {
      place -= list->entry[i] > entry;
    }
    for (int i = k + 1; i < list->n && indexOf(list->entry[i]) == indexOf(entry); i++) {
      place += list->entry[i] < entry;
    }
    list->other[place] = entry;
  }
  SN_SYNC();
  swapBuffers(list, list->n);
}

static int isAwake(const snModel* m, const snData* d, int p) {
  if (!(m->opt.enableflags & snENBL_SLEEP)) return 1;
  return d->body_awake[m->geom_bodyid[m->pair_geom1[p]]] == snS_AWAKE ||
         d->body_awake[m->geom_bodyid[m->pair_geom2[p]]] == snS_AWAKE;
}

// Explicit pairs stand before the first pair of bodies with a signature that is not smaller. Returns
// 0 when they are not sorted or the list is too short.
static SN_OUTLINE int mergeExplicit(const snModel* m, snData* d, const snBroad* broad, List* list) {
  int npair = (int)m->npair, n = 0, unsorted = 0, lanes = SN_LANES;
  const uint32_t* signatures = (const uint32_t*)m->pair_signature;
  uint64_t* explicits = list->other + list->capacity - npair;  // behind what is merged
  if (list->n + 2 * npair > list->capacity) return 0;
  for (int first = 0; first < npair; first += lanes) {
    int p = first + SN_LANE, total, takes_part = 0;
    if (p < npair) {
      unsorted |= p && signatures[p - 1] > signatures[p];
      takes_part = isAwake(m, d, p) && sn_isNear(m, d, m->pair_geom1[p], m->pair_geom2[p], p);
    }
    int place = n + sn_teamRank(takes_part, &total);
    if (takes_part) {
      int i = findSignature(broad->pairs, broad->npair, signatures[p]);
      explicits[place] = makeEntry(i, KIND_EXPLICIT, 0, 0) + (uint64_t)p;
    }
    n += total;
  }
  SN_SYNC();
  if (sn_teamAny(unsorted)) return 0;
  if (!n) return 1;
  // the place of each is its own among its kind and the one it would have among the others
  SN_FOR(k, list->n) list->other[k + findEntry(explicits, n, list->entry[k])] = list->entry[k];
  SN_FOR(k, n) list->other[k + findEntry(list->entry, list->n, explicits[k])] = explicits[k];
  SN_SYNC();
  swapBuffers(list, list->n + n);
  return 1;
}

// ---- contacts ------------------------------------------------------------------------------------

static int findNear(const snModel* m, snData* d, const snBroad* broad, uint64_t entry,
                    snNear* near_pair) {
  int p = -1, g1, g2, kind = kindOf(entry);
  if (kind == KIND_EXPLICIT) {
    p = (int)(entry & 0xffffffff);
    g1 = m->pair_geom1[p];
    g2 = m->pair_geom2[p];
  } else {
    g1 = firstOf(entry);
    g2 = secondOf(entry);
    if (m->npair && hasTwin(m, broad->pairs[indexOf(entry)], g1, g2)) return 0;
  }
  near_pair->g1 = g1;
  near_pair->g2 = g2;
  near_pair->p = p;
  return kind != KIND_GEOMS || sn_isNear(m, d, g1, g2, p);
}

// room for the most contacts that one collider makes, after so many others
static int hasRoom(const snData* d, int before) {
  size_t used = d->parena + d->pstack + (size_t)(before + snMAXCONPAIR + 1) * sizeof(snContact);
  return used <= (size_t)d->narena;
}

// As many entries as there are lanes: returns how many contacts they add.
static int collideSome(const snModel* m, snData* d, snBroad* broad, const List* list, int k,
                       int ncon) {
  snContactPoint points[snMAXCONPAIR];
  snNear pair = {0, 0, 0, 0};
  int n = 0, total, full = 0;
  uint64_t entry = k < list->n ? list->entry[k] : 0;
  int is_near = k < list->n && findNear(m, d, broad, entry, &pair);
  if (is_near) {
    uint32_t signature = pair.p < 0 ? broad->pairs[indexOf(entry)] : 0;
    n = sn_collideNear(m, d, broad, signature, points, &pair);
  }
  int place = sn_teamScan(n, &total);
  if (is_near) full = !hasRoom(d, place);
  int lost = sn_teamSumInt(full);
  if (lost) {
    if (full) n = 0;
    place = sn_teamScan(n, &total);
    SN_ONE for (int i = 0; i < lost; i++) sn_warning(d, snWARN_CONTACTFULL, ncon + total);
  }
  if (!total) return 0;
  snContact* con = (snContact*)sn_arenaAlloc(d, (size_t)total * sizeof(snContact), sizeof(snReal));
  if (!con) return 0;
  SN_PLAIN_LOOP for (int i = 0; i < n; i++) {
    sn_beginContact(con + place + i, points + i, pair.g1, pair.g2, pair.p, pair.margin);
  }
  return total;
}

static void collideList(const snModel* m, snData* d, snBroad* broad, const List* list) {
  int ncon = 0, lanes = SN_LANES;
  for (int first = 0; first < list->n; first += lanes) {
    ncon += collideSome(m, d, broad, list, first + SN_LANE, ncon);
  }
  SN_SYNC();
  snContact* contact = d->contact;
  SN_FOR(i, ncon) sn_completeContact(m, contact + i);
  if (SN_LANE == 0) d->ncon = ncon;
}

// ---- driver --------------------------------------------------------------------------------------

// all pairs that may touch, in order; returns 0 when the list is too short
static int makeList(const snModel* m, snData* d, const snBroad* broad, List* list) {
  snSize ngeom = m->ngeom, capacity = 64 + PAIRS_PER_GEOM * ngeom;
  if (capacity > ngeom * ngeom) capacity = ngeom * ngeom;
  list->capacity = (int)(capacity + 2 * m->npair);
  list->n = 0;
  list->entry = SN_STACK(d, uint64_t, 2 * list->capacity);
  if (!list->entry) return 0;
  list->other = list->entry + list->capacity;
  int nodes = listBodies(m, d, broad, list), trees = nodes;
  while (nodes > 0) nodes = descend(m, d, broad, list);
  if (nodes < 0) return 0;
  if (trees) sortList(list);
  return !m->npair || mergeExplicit(m, d, broad, list);
}

int sn_collideAsTeam(const snModel* m, snData* d) {
  // filters of the user's are called in order, and long iterations need the stack
  if (d->callback.contactfilter || m->opt.ccd_iterations > SN_CCD_LOCAL) return 0;
  if (m->ngeom > MOST_GEOMS) return 0;
  snBroad broad;
  List list;
  sn_markStack(d);
  sn_broadphase(m, d, &broad);
  int ok = makeList(m, d, &broad, &list);
  if (ok) collideList(m, d, &broad, &list);
  sn_freeStack(d);
  SN_SYNC();
  return ok;
}
