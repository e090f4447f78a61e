// Collision detection by a team of lanes: the same contacts in the same order as collide/collision.c, which goes from
// pair to pair.
//
// The broad phase makes a list of pairs that may touch. An entry has 64 bits: index of the pair of bodies, kind, and two
// geoms, two nodes of bounding volume trees, or the number of an explicit pair. The list starts with the pairs of bodies.
// Each pass replaces the pairs of nodes by those pairs of their children that overlap, until there are none. Lanes
// take entries in turn, prefix sums over the lanes place the results, and at the end the entries are in ascending order.
//
// Models with few geoms do without trees: see "few geoms" below.

#include "engine/collide/collision.h"
#include "base/arena.h"
#include "base/assert.h"
#include "engine/collide/convex_query.h"
#include "math/math.h"
#include "sinew/sinew.h"

// Kinds in the order in which the entries of a pair of bodies stand. Those of KIND_NEAR have passed sn_isNear already.
enum { KIND_EXPLICIT, KIND_NODES, KIND_GEOMS, KIND_NEAR };

enum {
  MOST_GEOMS = 32768,  // a tree has twice as many nodes, whose numbers have 16 bits
  PAIRS_PER_GEOM = 16
};

struct List_ {
  uint64_t* entry;
  uint64_t* other;  // where the next pass writes
  int n, capacity;
};
typedef struct List_ List;

static uint64_t makeEntry(int index, int kind, int first, int second) {
  SN_ASSERT(index >= 0 && kind >= KIND_EXPLICIT && kind <= KIND_NEAR);
  SN_ASSERT(first >= 0 && first <= 0xffff && second >= 0 && second <= 0xffff);
  return (uint64_t)(((uint32_t)index << 2) + (uint32_t)kind) << 32 |
         (((uint32_t)first << 16) + (uint32_t)second);
}

enum { INDEX_SHIFT = 34 };
static int indexOf(uint64_t entry) { return (int)(entry >> INDEX_SHIFT); }
static int kindOf(uint64_t entry) { return (int)(entry >> 32 & 3); }
static int firstOf(uint64_t entry) { return (int)(entry >> 16 & 0xffff); }
static int secondOf(uint64_t entry) { return (int)(entry & 0xffff); }

static void swapBuffers(List* list, int n) {
  SN_ASSERT(n >= 0 && n <= list->capacity);
  uint64_t* entry = list->entry;
  list->entry = list->other;
  list->other = entry;
  list->n = n;
}

// index of the first of n ascending numbers that is at least x (binary search)
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

// Is there an explicit pair of the same geoms? It replaces this one.
static int isReplaced(const snModel* m, uint32_t signature, int g1, int g2) {
  SN_ASSERT_INDEX2(g1, g2, m->ngeom);
  int npair = (int)m->npair;
  const uint32_t* signatures = (const uint32_t*)m->pair_signature;
  for (int p = findSignature(signatures, npair, signature); p < npair; p++) {
    if (signatures[p] != signature) break;
    if (sn_isPairOf(m, p, g1, g2)) return 1;
  }
  return 0;
}

// ---- the list ------------------------------------------------------------------------------------

// How many entries pair number i of bodies starts with.
static int countEntries(const snModel* m, snData* d, const snBroad* broad, int i, int* kind) {
  SN_ASSERT_INDEX(i, broad->npair);
  uint32_t signature = broad->pairs[i];
  if (i && broad->pairs[i - 1] == signature) return 0;
  int count = sn_pairsOfBodies(m, d, signature);
  *kind = count < 0 ? KIND_NODES : count == 1 ? KIND_NEAR : KIND_GEOMS;
  return count < 0 ? 1 : count;
}

static void writeEntries(const snModel* m, uint32_t signature, int i, int kind, int count,
                         uint64_t* entry) {
  SN_ASSERT(count > 0);
  int a = (int)(signature >> 16), b = (int)(signature & 0xffff);
  if (kind == KIND_NODES) {
    entry[0] = makeEntry(i, kind, m->body_bvhadr[a], m->body_bvhadr[b]);
    return;
  }
  int g1 = m->body_geomadr[a], g2 = m->body_geomadr[b], num2 = m->body_geomnum[b];
  SN_PLAIN_LOOP for (int k = 0; k < count; k++) entry[k] =
      makeEntry(i, kind, g1 + k / num2, g2 + k % num2);
}

// The list to start with. Returns whether it has pairs of nodes; -1 when the list is too short.
static int listBodies(const snModel* m, snData* d, const snBroad* broad, List* list) {
  SN_ASSERT(list->capacity > 0 && list->other == list->entry + list->capacity);
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

// One pass over the list: replaces pairs of nodes by pairs of their children, or of geoms. Returns as listBodies does.
static int descend(const snModel* m, snData* d, const snBroad* broad, List* list) {
  int nodes = 0, n = 0, lanes = SN_LANES;
  for (int first = 0; first < list->n; first += lanes) {
    int k = first + SN_LANE, count = k < list->n, total, doubles;
    uint64_t entry = count ? list->entry[k] : 0, second = 0;
    if (count && kindOf(entry) == KIND_NODES) {
      int i = indexOf(entry), next[4] = {0, 0, 0, 0};
      SN_ASSERT_INDEX(i, broad->npair);
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

// The index of key[k] among n keys that are sorted but within groups: keys next to one another that agree from bit
// `shift` on.
static int sortedPlace(const uint64_t* key, int n, int k, int shift) {
  uint64_t own = key[k], group = own >> shift;
  int place = k;
  for (int i = k - 1; i >= 0 && key[i] >> shift == group; i--) place -= key[i] > own;
  for (int i = k + 1; i < n && key[i] >> shift == group; i++) place += key[i] < own;
  SN_ASSERT_INDEX(place, n);
  return place;
}

// Trees give the pairs of geoms of two bodies in any order: sort the entries of each pair of bodies.
static void sortList(List* list) {
  int unsorted = 0;
  SN_FOR(k, list->n - 1) unsorted |= list->entry[k] > list->entry[k + 1];
  if (!sn_teamAny(unsorted)) return;
  SN_FOR(k, list->n) {
    list->other[sortedPlace(list->entry, list->n, k, INDEX_SHIFT)] = list->entry[k];
  }
  SN_SYNC();
  swapBuffers(list, list->n);
}

// Merges the explicit pairs into the list, each before the first pair of bodies whose signature is not smaller. Returns
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
      takes_part =
          sn_pairIsAwake(m, d, p) && sn_isNear(m, d, m->pair_geom1[p], m->pair_geom2[p], p);
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
  // merge by rank: index in the own list plus number of smaller entries in the other one
  SN_FOR(k, list->n) list->other[k + findEntry(explicits, n, list->entry[k])] = list->entry[k];
  SN_FOR(k, n) list->other[k + findEntry(list->entry, list->n, explicits[k])] = explicits[k];
  SN_SYNC();
  swapBuffers(list, list->n + n);
  return 1;
}

// ---- contacts ------------------------------------------------------------------------------------

// The pair of geoms of an entry. Returns whether they are near.
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
    if (m->npair && isReplaced(m, broad->pairs[indexOf(entry)], g1, g2)) return 0;
  }
  near_pair->g1 = g1;
  near_pair->g2 = g2;
  near_pair->p = p;
  SN_ASSERT_INDEX2(g1, g2, m->ngeom);
  return kind != KIND_GEOMS || sn_isNear(m, d, g1, g2, p);
}

// Each lane has a pair with a key and n contacts. Returns how many contacts belong to pairs with smaller keys.
static int placeByKey(int n, uint64_t key, int* total) {
  int place = 0, sum = 0;
  SN_PLAIN_LOOP for (unsigned left = sn_warpBallot(n > 0); left; left &= left - 1) {
    int lane = sn_firstBit(left), count = sn_warpFromInt(n, lane);
    uint32_t high = (uint32_t)sn_warpFromInt((int)(key >> 32), lane);
    uint32_t low = (uint32_t)sn_warpFromInt((int)key, lane);
    if (((uint64_t)high << 32 | low) < key) place += count;
    sum += count;
  }
  *total = sum;
  return place;
}

// Adds the contacts of a pair of each lane, in the order of the keys; returns how many are added.
static int addContacts(snData* d, const snContactPoint* points, int n, const snNear* pair,
                       int is_near, uint64_t key, int ncon) {
  SN_ASSERT(n >= 0 && n <= snMAXCONPAIR && ncon >= 0);
  snSize size = sizeof(snContact);
  // what collide/collision.c requires to be free before it adds the contacts of a pair
  snSize room = d->narena - (snSize)(d->parena + d->pstack) - (snMAXCONPAIR + 1) * size;
  int total, place = placeByKey(n, key, &total);
  if (total * size > room) {  // leave out the contacts of pairs for which there is no room
    int full = is_near && place * size > room, lost = sn_teamSumInt(full);
    if (full) n = 0;
    place = placeByKey(n, key, &total);
    SN_ONE SN_PLAIN_LOOP for (int i = 0; i < lost; i++)
        sn_warning(d, snWARN_CONTACTFULL, ncon + total);
  }
  if (!total) return 0;
  snContact* con = (snContact*)sn_arenaAlloc(d, (size_t)total * sizeof(snContact), sizeof(snReal));
  if (!con) return 0;
  SN_ASSERT(con == d->contact + ncon);
  SN_PLAIN_LOOP for (int i = 0; i < n; i++) {
    sn_beginContact(con + place + i, points + i, pair->g1, pair->g2, pair->p, pair->margin);
  }
  return total;
}

// Computes what contacts need beside their points, by lanes for all contacts.
static void endContacts(const snModel* m, snData* d, int ncon) {
  SN_SYNC();
  sn_completeContacts(m, d->contact, ncon);
  if (SN_LANE == 0) d->ncon = ncon;
}

static void collideList(const snModel* m, snData* d, snBroad* broad, const List* list) {
  int ncon = 0, lanes = SN_WARP_LANES;
  for (int first = 0; first < list->n; first += lanes) {
    snContactPoint points[snMAXCONPAIR];
    snNear pair = {0, 0, 0, 0};
    int n = 0, k = first + SN_LANE;
    uint64_t entry = k < list->n ? list->entry[k] : 0;
    int is_near = k < list->n && findNear(m, d, broad, entry, &pair);
    if (is_near) {
      uint32_t signature = pair.p < 0 ? broad->pairs[indexOf(entry)] : 0;
      n = sn_collideNear(m, d, broad, signature, points, &pair);
    }
    ncon += addContacts(d, points, n, &pair, is_near, (uint64_t)k, ncon);
  }
  endContacts(m, d, ncon);
}

// ---- few geoms -----------------------------------------------------------------------------------
//
// Up to FEW geoms are tested all against all, without bounding volumes of bodies. A pair goes to the narrow phase if
// masks and weld groups allow it and the bounding spheres and boxes of the two geoms overlap.

enum {
  FEW = 64,          // geoms
  FEW_PAIRS = 1024,  // pairs that are near
  NO_PARENT = 0xffff
};

// A geom that takes part, aligned so that four numbers are loaded at once.
struct Solid_ {
  alignas(4 * sizeof(snReal)) snReal pos[3];
  snReal radius;    // of the bounding sphere; 0: unbounded, -1: a plane
  snReal reach[3];  // half extents with the margin; of a plane its normal
  snReal margin;
  int contype, conaffinity;
  uint32_t weld;  // lower half: weld group; upper: that of the parent, NO_PARENT: not filtered
  uint32_t geom;  // lower half: the geom; upper: its body
};
typedef struct Solid_ Solid;

// Sets radius and reach. The box of an unbounded geom is infinite.
static void setReach(Solid* solid, int type, const snReal size[3], snReal bound,
                     const snReal mat[9]) {
  sn_geomExtent(type, size, bound, mat, solid->reach);
  SN_UNROLL for (int k = 0; k < 3; k++) {
    snReal reach = solid->reach[k] + solid->margin;
    reach += (snReal)2e-6 * (snu_abs(solid->pos[k]) + reach);  // covers rounding
    solid->reach[k] = bound > 0 ? reach : HUGE_VAL;
  }
  solid->radius = bound > 0 ? bound : 0;
  if (type == snGEOM_PLANE && !(bound > 0)) {
    solid->radius = -1;
    SN_UNROLL for (int k = 0; k < 3; k++) solid->reach[k] = mat[3 * k + 2];
  }
}

static Solid describeGeom(const snModel* m, const snData* d, int g) {
  SN_ASSERT_INDEX(g, m->ngeom);
  int body = m->geom_bodyid[g], type = m->geom_type[g];
  snReal size[3], mat[9], bound = m->geom_rbound[g];
  Solid solid;
  solid.margin = sn_ownMargin(m, m->geom_margin[g]);
  solid.contype = m->geom_contype[g];
  solid.conaffinity = m->geom_conaffinity[g];
  SN_UNROLL for (int k = 0; k < 3; k++) {
    solid.pos[k] = d->geom_xpos[3 * g + k];
    size[k] = m->geom_size[3 * g + k];
  }
  SN_UNROLL for (int k = 0; k < 9; k++) mat[k] = d->geom_xmat[9 * g + k];
  int weld = m->body_weldid[body], parent = m->body_weldid[m->body_parentid[weld]];
  if (!parent || (m->opt.disableflags & snDSBL_FILTERPARENT)) parent = NO_PARENT;
  solid.weld = (uint32_t)weld | (uint32_t)parent << 16;
  solid.geom = (uint32_t)g | (uint32_t)body << 16;
  setReach(&solid, type, size, bound, mat);
  return solid;
}

// Lists the geoms whose masks let them collide, in order. Returns how many there are; more than FEW are not all listed.
static int describeGeoms(const snModel* m, const snData* d, Solid* solids) {
  int n = 0, total, ngeom = (int)m->ngeom, lanes = SN_WARP_LANES;
  for (int first = 0; first < ngeom && n <= FEW; first += lanes) {
    int g = first + SN_LANE, is_there = g < ngeom;
    Solid solid = describeGeom(m, d, is_there ? g : 0);
    int takes_part = is_there && (solid.contype | solid.conaffinity);
    int place = n + sn_warpRank(takes_part, &total);
    if (takes_part && place < FEW) solids[place] = solid;
    n += total;
  }
  SN_SYNC();
  return n;
}

// Pairs with a plane or another unbounded geom: does the sphere or the box of the other geom reach the plane?
static int isNearPlane(const Solid* a, const Solid* b) {
  int first = a->radius < 0;  // is a the plane?
  snReal radius = first ? b->radius : a->radius, height = 0, reach = 0;
  if (!(radius > 0) || (!first && !(b->radius < 0))) return 1;
  SN_UNROLL for (int k = 0; k < 3; k++) {
    snReal normal = first ? a->reach[k] : b->reach[k];
    height += (a->pos[k] - b->pos[k]) * normal;
    reach += (first ? b->reach[k] : a->reach[k]) * snu_abs(normal);
  }
  snReal margin = a->margin + b->margin;
  return !((first ? -height : height) > margin + snu_min(radius, reach));
}

// Do bounding spheres and boxes overlap?
static int areNear(const Solid* a, const Solid* b) {
  snReal between[3], limit = a->radius + b->radius + (a->margin + b->margin);
  snu_sub3(between, a->pos, b->pos);
  int apart = snu_dot3(between, between) > limit * limit;
  SN_UNROLL for (int k = 0; k < 3; k++) {
    apart |= snu_abs(between[k]) > a->reach[k] + b->reach[k];
  }
  return !apart;
}

// May the pair collide, by masks, weld groups, and parent and child?
static int mayMeet(const Solid* a, const Solid* b) {
  uint32_t weld1 = a->weld & 0xffff, weld2 = b->weld & 0xffff;
  int masks = (a->contype & b->conaffinity) | (b->contype & a->conaffinity);
  int filtered = (weld1 == weld2) | (weld1 == b->weld >> 16) | (weld2 == a->weld >> 16);
  return masks != 0 && !filtered;
}

// Lists the pairs (p, q), p < q, that are near. Lanes take them row by row of the triangle. Returns how many there are;
// more than FEW_PAIRS are not all listed.
static int listNear(const Solid* solids, int n, uint16_t* list) {
  SN_ASSERT(n >= 0 && n <= FEW);
  int count = n * (n - 1) / 2, lanes = SN_WARP_LANES, total, found = 0, p = 0, q = 1 + SN_LANE;
  SN_PLAIN_LOOP for (int first = 0; first < count; first += lanes, q += lanes) {
    SN_PLAIN_LOOP for (; q >= n && p < n; p++) q += p + 2 - n;
    int inside = p < n - 1, hit;
    SN_ASSERT(!inside || (p < q && q < n));
    Solid a = solids[inside ? p : 0], b = solids[inside ? q : 0];
    if (a.radius > 0 && b.radius > 0) {
      hit = areNear(&a, &b);
    } else {
      hit = isNearPlane(&a, &b);
    }
    hit = hit & mayMeet(&a, &b);
    int place = found + sn_warpRank(hit, &total);
    if (hit && place < FEW_PAIRS) list[place] = (uint16_t)(p << 8 | q);
    found += total;
  }
  SN_SYNC();
  return found;
}

// The order of contacts: by bodies, then by geoms. Where the general driver finds the pair by trees, the geom with the
// smaller type counts as the first one.
static uint64_t keyOf(const snModel* m, int a, int b, int g1, int g2, int type1, int type2) {
  SN_ASSERT_INDEX2(a, b, m->nbody);
  SN_ASSERT_INDEX2(g1, g2, m->ngeom);
  uint64_t signature = ((uint32_t)a << 16) + (uint32_t)b;
  int swapped = type1 > type2 && sn_haveTrees(m, a, b), first = swapped ? g2 : g1;
  return signature << 32 | (((uint32_t)first << 16) + (uint32_t)(g1 + g2 - first));
}

static uint64_t keyAt(const snModel* m, const Solid* solids, int pair) {
  uint32_t geom1 = solids[pair >> 8].geom, geom2 = solids[pair & 0xff].geom;
  int g1 = (int)(geom1 & 0xffff), g2 = (int)(geom2 & 0xffff);
  return keyOf(m, (int)(geom1 >> 16), (int)(geom2 >> 16), g1, g2, m->geom_type[g1],
               m->geom_type[g2]);
}

// Sorts the list, where it has more pairs than there are lanes (addContacts sorts those of one round). Pairs with the
// same first body are next to one another already. Returns NULL when the stack is full.
static SN_OUTLINE const uint16_t* sortNear(const snModel* m, snData* d, const Solid* solids,
                                           const uint16_t* list, int n) {
  uint64_t* key = SN_STACK(d, uint64_t, n);
  uint16_t* sorted = SN_STACK(d, uint16_t, n);
  if (!key || !sorted) return NULL;
  SN_FOR(k, n) key[k] = keyAt(m, solids, list[k]);
  SN_SYNC();
  SN_FOR(k, n) sorted[sortedPlace(key, n, k, 48)] = list[k];
  SN_SYNC();
  return sorted;
}

// Is the pair collided by a convex query (GJK and EPA, or MPR)?
static int needsQuery(int type1, int type2) {
  const int round = 1 << snGEOM_ELLIPSOID | 1 << snGEOM_CYLINDER | 1 << snGEOM_MESH;
  int plane = type1 == snGEOM_PLANE || type2 == snGEOM_PLANE;
  return !plane && (round >> type1 & 1 || round >> type2 & 1);
}

// Does the narrow phase take longer than a test of oriented bounding boxes before it? So do queries, and a box with a
// capsule or a box. low <= high.
static int isExpensive(int low, int high) {
  if (low == snGEOM_HFIELD || high == snGEOM_SDF) return 0;
  return needsQuery(low, high) || (high == snGEOM_BOX && low >= snGEOM_CAPSULE);
}

// Deals the pairs of the lanes out again, so that the first lanes take the convex queries. A query works in local memory,
// of which eight neighbouring lanes share a cache line.
static int queriesFirst(const snModel* m, const Solid* solids, int is_there, int pair,
                        uint16_t* packed) {
  int g1 = (int)(solids[pair >> 8].geom & 0xffff), g2 = (int)(solids[pair & 0xff].geom & 0xffff);
  int asks = is_there && needsQuery(m->geom_type[g1], m->geom_type[g2]), nask, nother, nrest;
  int place = sn_warpRank(asks, &nask), other = sn_warpRank(is_there && !asks, &nother);
  if (!nask) return pair;
  int rest = sn_warpRank(!is_there, &nrest);
  if (!asks) place = is_there ? nask + other : nask + nother + rest;
  packed[place] = (uint16_t)pair;
  sn_warpSync();
  pair = packed[SN_LANE];
  sn_warpSync();
  return pair;
}

static snReal deepest(const snContactPoint* points, int n) {
  SN_ASSERT(n > 0 && n <= snMAXCONPAIR);
  snReal dist = points[0].dist;
  SN_PLAIN_LOOP for (int i = 1; i < n; i++) dist = snu_min(dist, points[i].dist);
  return dist;
}

// Collides a pair of each lane; returns how many contacts are added.
static int collideSome(const snModel* m, snData* d, const Solid* solids, int is_there, int pair,
                       int ncon) {
  SN_ASSERT_INDEX2(pair >> 8, pair & 0xff, FEW);
  snContactPoint points[snMAXCONPAIR];
  const Solid *solid1 = solids + (pair >> 8), *solid2 = solids + (pair & 0xff);
  int a = (int)(solid1->geom >> 16), b = (int)(solid2->geom >> 16), n = 0;
  int g1 = (int)(solid1->geom & 0xffff), g2 = (int)(solid2->geom & 0xffff);
  int type1 = m->geom_type[g1], type2 = m->geom_type[g2];
  uint64_t key = keyOf(m, a, b, g1, g2, type1, type2);
  uint32_t signature = (uint32_t)(key >> 32);
  int swapped = type1 > type2, low = swapped ? type2 : type1, high = swapped ? type1 : type2;
  snNear ordered = {swapped ? g2 : g1, swapped ? g1 : g2, -1, solid1->margin + solid2->margin};
  int is_near = is_there && sn_hasCollider(low, high) && sn_bodiesCollide(m, signature);
  if (is_near && isExpensive(low, high)) {
    is_near = !sn_geomsApart(m, d, ordered.g1, ordered.g2, ordered.margin);
  }
  if (is_near) {
    n = sn_collideTypes(m, d, points, low, high, ordered.g1, ordered.g2, ordered.margin);
    if (n && low == snGEOM_BOX && high == snGEOM_BOX) {
      n = sn_filterBoxes(m, d, points, n, ordered.g1, ordered.g2, ordered.margin);
    }
  }
  // Would the sweep and the trees of the general driver have found the pair? The sweep does not test the world; in
  // single precision the rounding of trees does not matter.
  if (n && (a || sizeof(snReal) >= sizeof(double))) {
    snBroad broad;
    broad.has_frame = 0;
    if (!sn_isFound(m, d, &broad, signature, ordered.g1, ordered.g2, ordered.margin,
                    deepest(points, n))) {
      n = 0;
    }
  }
  return addContacts(d, points, n, &ordered, is_near, key, ncon);
}

// Returns 0, having done nothing, when there are too many geoms or pairs, or too little memory.
static int collideFew(const snModel* m, snData* d) {
  int most = (int)m->ngeom < FEW ? (int)m->ngeom : FEW, lanes = SN_WARP_LANES, ncon = 0;
  int pairs = most * (most - 1) / 2 < FEW_PAIRS ? most * (most - 1) / 2 : FEW_PAIRS;
  size_t bytes = (size_t)most * sizeof(Solid) + (size_t)(pairs + lanes) * sizeof(uint16_t);
  // NVRTC 13.0 drops a check of the result of the allocation: it is made before
  if (!sn_unusedStack(d, bytes)) return 0;
  Solid* memory = (Solid*)sn_stackAlloc(d, bytes, sizeof(Solid));
  if (!memory) return 0;
  Solid* solids = SN_FAST(Solid, memory);
  uint16_t *packed = (uint16_t*)(solids + most), *near_list = packed + lanes;
  int n = describeGeoms(m, d, solids);
  if (n > most) return 0;
  int found = listNear(solids, n, near_list);
  if (found > pairs) return 0;
  const uint16_t* list = found > lanes ? sortNear(m, d, solids, near_list, found) : near_list;
  if (!list) return 0;
  SN_PLAIN_LOOP for (int first = 0; first < found; first += lanes) {
    int k = first + SN_LANE, is_there = k < found;
    int pair = queriesFirst(m, solids, is_there, list[is_there ? k : first], packed);
    ncon += collideSome(m, d, solids, is_there, pair, ncon);
  }
  endContacts(m, d, ncon);
  return 1;
}

// ---- driver --------------------------------------------------------------------------------------

// Lists all pairs that may touch, in order; returns 0 when the list is too short.
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

static SN_OUTLINE int collideMany(const snModel* m, snData* d) {
  snBroad broad;
  List list;
  sn_clearActive(m, d);
  sn_broadphase(m, d, &broad);
  int ok = makeList(m, d, &broad, &list);
  if (ok) collideList(m, d, &broad, &list);
  return ok;
}

SN_STAGE int sn_collideAsTeam(const snModel* m, snData* d) {
  if (d->callback.contactfilter || m->ngeom > MOST_GEOMS)
    return 0;  // a user's filter is called in the order of pairs
  int simple = !m->npair && m->nbody <= MOST_GEOMS && !(m->opt.enableflags & snENBL_SLEEP);
  sn_markStack(d);
  int ok = (simple && collideFew(m, d)) || collideMany(m, d);
  sn_freeStack(d);
  SN_SYNC();
  return ok;
}
