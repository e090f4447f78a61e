// State vectors: parts of the data, packed in the order of their bits.

#include "base/assert.h"
#include "base/misuse.h"
#include "math/math.h"
#include "model/state_parts.h"

// An array of the state; one of the pointers is not NULL unless only the size is wanted.
typedef struct Piece_ {
  int size;
  snReal* reals;
  snByte* bytes;
  int* ints;
} Piece;

enum { MOST_PIECES = 5 };

static void addReals(Piece* pieces, int* n, snSize size, const snReal* values) {
  SN_ASSERT(*n < MOST_PIECES);
  pieces[*n].size = (int)size;
  pieces[(*n)++].reals = (snReal*)values;
}

// positions and velocities of deformables follow those of joints; what acts on bodies in the next step and
// what sleeps goes with the velocities
static void addDeformables(const snModel* m, const snData* d, int bit, Piece* pieces, int* n) {
  if (bit == snSTATE_QPOS) {
    addReals(pieces, n, 3 * m->ndeformvert, d ? d->deformvert_xpos : NULL);
  } else if (bit == snSTATE_QVEL) {
    addReals(pieces, n, 3 * m->ndeformvert, d ? d->deformvert_xvel : NULL);
    addReals(pieces, n, 3 * m->ndeformvert, d ? d->deformvert_xfrc : NULL);
    addReals(pieces, n, 6 * m->ndeformbody, d ? d->deformable_xfrc : NULL);
    pieces[*n].size = (int)m->ndeformable;
    pieces[(*n)++].ints = d ? d->deformable_asleep : NULL;
  }
}

// Arrays of part number bit; returns how many. d may be NULL when only the sizes are wanted.
static int partPieces(const snModel* m, const snData* d, int bit, Piece pieces[MOST_PIECES]) {
  SN_ASSERT_INDEX(bit, snNSTATE);
  int n = 0;
  memset(pieces, 0, MOST_PIECES * sizeof(Piece));
#define REALS(flag, count, field)                  \
  case snSTATE_##flag:                             \
    addReals(pieces, &n, count, d ? field : NULL); \
    break;
#define BYTES(flag, count, field)         \
  case snSTATE_##flag:                    \
    pieces[n].size = (int)(count);        \
    pieces[n++].bytes = d ? field : NULL; \
    break;
  switch (1 << bit) {
    SN_STATE_PARTS(REALS, BYTES)
    default: break;
  }
#undef REALS
#undef BYTES
  if (m->ndeformable) addDeformables(m, d, 1 << bit, pieces, &n);
  SN_ASSERT(n <= MOST_PIECES);
  return n;
}

static int partSize(const snModel* m, int bit) {
  Piece pieces[MOST_PIECES];
  int n = partPieces(m, NULL, bit, pieces), size = 0;
  for (int i = 0; i < n; i++) size += pieces[i].size;
  return size;
}

static int validNamed(const char* function, const char* what, int sig) {
  if (sig >= 0 && sig < (1 << snNSTATE)) return 1;
  if (sig < 0) {
    snu_error("%s: invalid %s %d < 0", function, what, sig);
  } else {
    snu_error("%s: invalid %s %d >= 2^mjNSTATE", function, what, sig);
  }
  return 0;
}

static int validSignature(const char* function, int sig) {
  return validNamed(function, "state signature", sig);
}

int sn_stateSize(const snModel* m, int sig) {
  if (!validSignature("sn_stateSize", sig)) return 0;
  int size = 0;
  for (int bit = 0; bit < snNSTATE; bit++) {
    if (sig & (1 << bit)) size += partSize(m, bit);
  }
  return size;
}

static void readPiece(snReal* state, const Piece* piece) {
  SN_ASSERT(!piece->size || piece->reals || piece->bytes || piece->ints);
  if (piece->reals) snu_copy(state, piece->reals, piece->size);
  for (int i = 0; piece->bytes && i < piece->size; i++) state[i] = piece->bytes[i];
  for (int i = 0; piece->ints && i < piece->size; i++) state[i] = (snReal)piece->ints[i];
}

void sn_getState(const snModel* m, const snData* d, snReal* state, int sig) {
  if (!SN_IS_DATA_OF(m, d, "sn_getState")) return;
  if (!validSignature("sn_getState", sig)) return;
  for (int bit = 0; bit < snNSTATE; bit++) {
    Piece pieces[MOST_PIECES];
    int n = sig & (1 << bit) ? partPieces(m, d, bit, pieces) : 0;
    for (int i = 0; i < n; i++) {
      readPiece(state, pieces + i);
      state += pieces[i].size;
    }
  }
}

// low eight bits of the integer part; a number that is no integer at all is off
static snByte toByte(snReal x) {
  if (!(x > -9e15 && x < 9e15)) return 0;
  return (snByte)(int64_t)x;
}

// the integer part of a number; 0 where an int cannot hold it
static int toInt(snReal x) { return x > -1e9 && x < 1e9 ? (int)x : 0; }

static void writePiece(const Piece* piece, const snReal* state) {
  SN_ASSERT(!piece->size || piece->reals || piece->bytes || piece->ints);
  if (piece->reals) snu_copy(piece->reals, state, piece->size);
  for (int i = 0; piece->bytes && i < piece->size; i++) piece->bytes[i] = toByte(state[i]);
  for (int i = 0; piece->ints && i < piece->size; i++) piece->ints[i] = toInt(state[i]);
}

void sn_setState(const snModel* m, snData* d, const snReal* state, int sig) {
  if (!SN_IS_DATA_OF(m, d, "sn_setState")) return;
  if (!validSignature("sn_setState", sig)) return;
  for (int bit = 0; bit < snNSTATE; bit++) {
    Piece pieces[MOST_PIECES];
    int n = sig & (1 << bit) ? partPieces(m, d, bit, pieces) : 0;
    for (int i = 0; i < n; i++) {
      writePiece(pieces + i, state);
      state += pieces[i].size;
    }
  }
}

void sn_extractState(const snModel* m, const snReal* src, int srcsig, snReal* dst, int dstsig) {
  if (!validNamed("sn_extractState", "srcsig", srcsig)) return;
  if ((srcsig & dstsig) != dstsig) {
    snu_error("sn_extractState: dstsig is not a subset of srcsig");
    return;
  }
  for (int bit = 0; bit < snNSTATE; bit++) {
    if (!(srcsig & (1 << bit))) continue;
    int size = partSize(m, bit);
    if (dstsig & (1 << bit)) {
      snu_copy(dst, src, size);
      dst += size;
    }
    src += size;
  }
}

static void copyPiece(const Piece* to, const Piece* from) {
  SN_ASSERT(to->size == from->size);
  size_t n = (size_t)from->size;
  if (from->reals) memcpy(to->reals, from->reals, n * sizeof(snReal));
  if (from->bytes) memcpy(to->bytes, from->bytes, n);
  if (from->ints) memcpy(to->ints, from->ints, n * sizeof(int));
}

void sn_copyState(const snModel* m, const snData* src, snData* dst, int sig) {
  if (!SN_IS_DATA_OF(m, src, "sn_copyState") || !SN_IS_DATA_OF(m, dst, "sn_copyState")) return;
  if (!validSignature("sn_copyState", sig)) return;
  for (int bit = 0; bit < snNSTATE; bit++) {
    Piece from[MOST_PIECES], to[MOST_PIECES];
    if (!(sig & (1 << bit))) continue;
    int n = partPieces(m, src, bit, from);
    partPieces(m, dst, bit, to);
    for (int i = 0; i < n; i++) copyPiece(to + i, from + i);
  }
}
