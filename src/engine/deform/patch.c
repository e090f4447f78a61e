// Which vertices may touch anything, and how fast they move past what is near.
//
// Space is cut into cells. A vertex belongs to the cells that a box around it meets, which is as wide as what is
// near, and wider by the path of the vertex: any two vertices that come near within the time share a cell. Most
// vertices have eight. Of the vertices of a cell the mean velocity and the range of positions at rest are kept.
// Two that share a cell pass each other no faster than the sum of their speeds past its mean: what moves
// together is slow, however fast it is. Where all vertices of a cell are of one deformable and were as near at rest, the cell holds one patch of
// a surface, and nothing there can touch but neighbours.
//
// A cell is known by a hash of its numbers, and stands in the first free bucket from there on. Cells of the
// same hash are one: bounds get larger, never smaller.

#include "base/arena.h"
#include "base/assert.h"
#include "engine/deform/deform.h"
#include "math/math.h"

enum {
  RANGE = 6,     // numbers of a range: lower and upper corner
  MEAN = 4,      // a sum of vectors, and how many
  SEVERAL = -2,  // an owner that is none
  TRIES = 32,    // buckets that a cell may stand in
  MOST_CELLS = 5
};

typedef struct Cells_ {
  int nbucket;
  unsigned* key;     // by bucket: of its cell, 0: free
  snReal scale;      // 1 / width of a cell
  snReal* velocity;  // by bucket: of its vertices
  snReal* rest;      // by bucket: range of positions at rest
  int* owner;        // by bucket: of all vertices, or SEVERAL
} Cells;

static int floorOf(snReal x) {
  const snReal kMost = (snReal)1e9;
  if (!(x > -kMost && x < kMost)) return 0;  // far away, or no number
  int whole = (int)x;
  return whole - (x < whole);
}

// key of a cell: a sum in which small numbers do not meet, then well mixed bits
static unsigned keyOf(int x, int y, int z) {
  unsigned key = (unsigned)x * 2654435761u + (unsigned)y * 2246822519u + (unsigned)z * 3266489917u;
  key ^= key >> 15;
  key *= 739982445u;
  return (key ^ key >> 12) | 1;
}

// first and last cells of vertex i
static void cellsOf(const Cells* c, const snDeformNear* near, int i, int cell[6]) {
  snReal half = near->width / 2 + near->path[i];
  for (int k = 0; k < 3; k++) {
    cell[k] = floorOf((near->x[3 * i + k] - half) * c->scale);
    cell[3 + k] = floorOf((near->x[3 * i + k] + half) * c->scale);
    if (cell[3 + k] > cell[k] + MOST_CELLS) cell[3 + k] = cell[k] + MOST_CELLS;
  }
}

// bucket of a key, or the one where it may be put; -1: there are too many
static int find(const Cells* c, unsigned key) {
  unsigned mask = (unsigned)(c->nbucket - 1), at = key >> 1;
  for (int i = 0; i < TRIES; i++, at++) {
    unsigned here = c->key[at & mask];
    if (!here || here == key) return (int)(at & mask);
  }
  return -1;
}

static void widen(snReal* range, const snReal x[3]) {
  for (int k = 0; k < 3; k++) {
    range[k] = snu_min(range[k], x[k]);
    range[3 + k] = snu_max(range[3 + k], x[k]);
  }
}

static void addTo(const snModel* m, const Cells* c, const snDeformNear* near, int i, unsigned key,
                  int owner) {
  int b = find(c, key);
  if (b < 0) return;
  c->owner[b] = !c->key[b] || c->owner[b] == owner ? owner : SEVERAL;
  c->key[b] = key;
  snu_addTo3(c->velocity + MEAN * b, near->v + 3 * i);
  c->velocity[MEAN * b + 3] += 1;
  if (i < (int)m->ndeformvert) widen(c->rest + RANGE * b, m->deformvert_pos + 3 * i);
}

// by one lane
static void addVertices(const snModel* m, const Cells* c, const snDeformNear* near) {
  for (int i = 0; i < near->n; i++) {
    int owner = sn_surfaceOwner(m, i), cell[6];
    cellsOf(c, near, i, cell);
    for (int z = cell[2]; z <= cell[5]; z++) {
      for (int y = cell[1]; y <= cell[4]; y++) {
        for (int x = cell[0]; x <= cell[3]; x++) addTo(m, c, near, i, keyOf(x, y, z), owner);
      }
    }
  }
}

// Does the cell hold one patch of a surface, which was no wider at rest? A line may touch itself anywhere.
static int isPatch(const snModel* m, const Cells* c, int bucket, snReal width) {
  const snReal* rest = c->rest + RANGE * bucket;
  int owner = c->owner[bucket];
  if (owner == SEVERAL) return 0;
  if (owner >= (int)m->ndeformable || !m->deformable_selfcollide[owner]) return 1;
  if (sn_ownerIsLine(m, owner)) return 0;
  return rest[3] - rest[0] < width && rest[4] - rest[1] < width && rest[5] - rest[2] < width;
}

// squared speed of vertex i past the mean of a cell; sets active where the cell is no patch
static snReal readCell(const snModel* m, const Cells* c, const snDeformNear* near, int i,
                       unsigned key, snByte* active) {
  int b = find(c, key);
  snReal out[3] = {near->fastest, 0, 0};
  *active |= b < 0 || !isPatch(m, c, b, near->patch);
  if (b >= 0) {
    snu_addScl3(out, near->v + 3 * i, c->velocity + MEAN * b, -1 / c->velocity[MEAN * b + 3]);
  }
  return snu_dot3(out, out);
}

static void readVertex(const snModel* m, const Cells* c, const snDeformNear* near, int i,
                       snReal* speed, snByte* active) {
  snReal square = 0;
  int cell[6];
  cellsOf(c, near, i, cell);
  *active = 0;
  for (int z = cell[2]; z <= cell[5]; z++) {
    for (int y = cell[1]; y <= cell[4]; y++) {
      for (int x = cell[0]; x <= cell[3]; x++) {
        square = snu_max(square, readCell(m, c, near, i, keyOf(x, y, z), active));
      }
    }
  }
  *speed = snu_sqrt(square);
}

int sn_deformPatches(const snModel* m, snData* d, const snDeformNear* near, snReal* speed,
                     snByte* active) {
  Cells c;
  snReal mean = 0;
  for (int i = 0; i < near->n; i++) mean += near->path[i] / near->n;
  snReal width = near->width + 4 * mean;  // twice the path of most
  c.scale = width > 0 ? 1 / width : 1;
  for (c.nbucket = 16; c.nbucket < 4 * near->n; c.nbucket *= 2) continue;
  sn_markStack(d);
  c.velocity = SN_STACK(d, snReal, MEAN * c.nbucket);
  c.rest = SN_STACK(d, snReal, RANGE * c.nbucket);
  c.owner = SN_STACK(d, int, c.nbucket);
  c.key = SN_STACK(d, unsigned, c.nbucket);
  int enough = c.velocity && c.rest && c.owner && c.key;
  if (enough) {
    SN_FOR(i, MEAN * c.nbucket) c.velocity[i] = 0;
    SN_FOR(i, RANGE * c.nbucket) c.rest[i] = i % RANGE < 3 ? snMAXVAL : -snMAXVAL;
    SN_FOR(i, c.nbucket) c.key[i] = 0;
    SN_SYNC();
    SN_SOLO(addVertices(m, &c, near));
    SN_FOR(i, near->n) readVertex(m, &c, near, i, speed + i, active + i);
    SN_SYNC();
  }
  sn_freeStack(d);
  return enough;
}
