// Which vertices may touch anything, and their speed relative to what is near.
//
// Space is divided into cells. A vertex belongs to the cells that overlap a box around it, whose width is the distance
// that counts as near plus the path of the vertex: any two vertices that come near within the time share a cell. Most
// vertices have eight. Of the vertices of a cell the mean velocity and the range of positions at rest are kept. The
// relative speed of two that share a cell is at most the sum of their speeds relative to its mean, which is small for
// vertices that move together. Where all vertices of a cell are of one deformable and were as near at rest, the cell
// holds one patch of a surface, and nothing there can touch but neighbours.
//
// A cell is known by a hash of its numbers, and stands in the first free bucket from there on. Cells of the
// same hash are one: bounds get larger, never smaller.

#include "base/arena.h"
#include "base/assert.h"
#include "engine/deform/deform.h"
#include "math/math.h"

enum {
  SEVERAL = -2,  // in place of an owner: there are several
  TRIES = 32,    // buckets that a cell may stand in
  MOST_CELLS = 5
};

// What is known of a cell, in one line of the cache: single precision is enough for bounds that have slack.
typedef struct Cell_ {
  float velocity[3], count;  // sum over its vertices, and how many
  float low[3], high[3];     // range of positions at rest
  int owner;                 // of all vertices, or SEVERAL
} Cell;

typedef struct Cells_ {
  int nbucket;
  unsigned* key;  // by bucket: of its cell, 0: free
  Cell* cell;     // by bucket, set where it is not free
  snReal scale;   // 1 / width of a cell
} Cells;

// key of a cell: a sum in which small numbers do not meet, then well mixed bits
static unsigned keyOf(int x, int y, int z) {
  unsigned key = (unsigned)x * 2654435761u + (unsigned)y * 2246822519u + (unsigned)z * 3266489917u;
  key ^= key >> 15;
  key *= 739982445u;
  return (key ^ key >> 12) | 1;
}

// first and last cells of vertex i
static void cellsOf(const Cells* c, const snDeformNear* near, int i, int cell[6]) {
  SN_ASSERT_INDEX(i, near->n);
  snReal half = near->width / 2 + near->path[i];
  for (int k = 0; k < 3; k++) {
    snReal middle = near->x[3 * i + k] + near->half * near->v[3 * i + k];
    cell[k] = sn_deformCell((middle - half) * c->scale);
    cell[3 + k] = sn_deformCell((middle + half) * c->scale);
    if (cell[3 + k] > cell[k] + MOST_CELLS) cell[3 + k] = cell[k] + MOST_CELLS;
  }
}

// bucket of a key, or the one where it may be put; -1: there are too many
static int find(const Cells* c, unsigned key) {
  SN_ASSERT(key && (c->nbucket & (c->nbucket - 1)) == 0);
  unsigned mask = (unsigned)(c->nbucket - 1), at = key >> 1;
  for (int i = 0; i < TRIES; i++, at++) {
    unsigned here = c->key[at & mask];
    if (!here || here == key) return (int)(at & mask);
  }
  return -1;
}

static void clear(Cell* c, int owner) {
  c->count = 0;
  c->owner = owner;
  for (int k = 0; k < 3; k++)
    c->velocity[k] = 0, c->low[k] = (float)1e30, c->high[k] = (float)-1e30;
}

static void addTo(const snModel* m, const Cells* c, const snDeformNear* near, int i, unsigned key,
                  int owner) {
  int b = find(c, key), own = i < (int)m->ndeformvert;
  if (b < 0) return;
  Cell* cell = c->cell + b;
  if (!c->key[b]) clear(cell, owner);
  c->key[b] = key;
  if (cell->owner != owner) cell->owner = SEVERAL;
  cell->count += 1;
  for (int k = 0; k < 3; k++) {
    float rest = own ? (float)m->deformvert_pos[3 * i + k] : 0;
    cell->velocity[k] += (float)near->v[3 * i + k];
    cell->low[k] = own && rest < cell->low[k] ? rest : cell->low[k];
    cell->high[k] = own && rest > cell->high[k] ? rest : cell->high[k];
  }
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
static int isPatch(const snModel* m, const Cell* c, snReal width) {
  float most = (float)width;
  if (c->owner == SEVERAL) return 0;
  if (c->owner >= (int)m->ndeformable || !m->deformable_selfcollide[c->owner]) return 1;
  if (sn_ownerIsLine(m, c->owner)) return 0;
  return (c->high[0] - c->low[0] < most) & (c->high[1] - c->low[1] < most) &
         (c->high[2] - c->low[2] < most);
}

// squared speed of vertex i past the mean of a cell; sets active where the cell is no patch
static snReal readCell(const snModel* m, const Cells* c, const snDeformNear* near, int i,
                       unsigned key, snByte* active) {
  int b = find(c, key);
  if (b < 0) {
    *active = 1;
    return near->fastest * near->fastest;
  }
  const Cell* cell = c->cell + b;
  SN_ASSERT(cell->count > 0);  // vertex i is in it
  float share = 1 / cell->count;
  snReal square = 0;
  *active |= !isPatch(m, cell, near->patch);
  for (int k = 0; k < 3; k++) {
    snReal out = near->v[3 * i + k] - (snReal)(cell->velocity[k] * share);
    square += out * out;
  }
  return square;
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
  snReal width = near->width + 2 * mean;  // with the path of most
  c.scale = width > 0 ? 1 / width : 1;
  for (c.nbucket = 16; c.nbucket < 4 * near->n; c.nbucket *= 2) continue;
  sn_markStack(d);
  c.cell = SN_STACK(d, Cell, c.nbucket);
  c.key = SN_STACK(d, unsigned, c.nbucket);
  int enough = c.cell && c.key;
  if (enough) {
    SN_FOR(i, c.nbucket) c.key[i] = 0;
    SN_SYNC();
    SN_SOLO(addVertices(m, &c, near));
    SN_FOR(i, near->n) readVertex(m, &c, near, i, speed + i, active + i);
    SN_SYNC();
  }
  sn_freeStack(d);
  return enough;
}
