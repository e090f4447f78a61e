// The arena at the end of snData.
//
// Two regions share it: results that vary in size (contacts, constraint rows, islands) grow upwards
// from its start, the stack of temporaries grows downwards from its end in mark/free frames. Every
// allocation can fail: the caller checks for NULL, drops the work and raises a warning bit.
//
// In test builds (SN_ASSERTS) every piece of the stack carries the name of the function that took it:
// sn_stackPieces lists what is held, a step that does not give all of it back says whose it is, and a
// frame must be closed by the function that opened it. Under the address sanitizer pieces stand between
// red zones and are poisoned once freed.

#ifndef SINEW_BASE_ARENA_H_
#define SINEW_BASE_ARENA_H_

#include "base/assert.h"
#include "base/team.h"
#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// Take bytes from the growing region; NULL when the arena is full. Freed by resetting d->parena.
SN_FN void* sn_arenaAlloc(snData* d, size_t bytes, size_t alignment);

// Take bytes from the stack; NULL when the arena is full. Freed by sn_freeStack.
SN_FN void* sn_stackAlloc(snData* d, size_t bytes, size_t alignment);

// Memory of the stack that stays free, for what takes none before it is done with it: nothing to give
// back. NULL when there is not as much, on a GPU of the fast memory. All lanes of a team ask together: the
// first one may have changed the stack just before, or will just after.
SN_FN void* sn_stackFree(const snData* d, size_t bytes);

// Make the whole arena accessible again: before it is copied over or given back.
SN_FN void sn_forgetArena(snData* d);

#ifdef SN_DEVICE
// Give back all fast memory of this warp.
void sn_emptyFastMemory(void);
#endif

#ifdef SN_TEAM
// Scratch for lanes by themselves ("slots"): the free part of the arena in pieces of equal size, and that of the fast
// memory in small ones. Lanes that hold slots at a time ask for the same sizes, and nobody takes memory of the arena
// meanwhile. Is there a slot in the arena?
SN_FN int sn_hasSlot(const snData* d, size_t bytes);

// Take a slot of *size bytes, or a small one, of so many bytes, and say in *size which it is (small = 0: not a small
// one). It is given back by its number. NULL when other lanes hold all of them: try again.
SN_FN void* sn_takeSlot(snData* d, size_t* size, size_t small, int* slot);
SN_FN void sn_giveSlot(snData* d, int slot);
#endif

// A piece of the stack in a test build: who took it, and how much was asked for.
typedef struct snStackPiece_ {
  const char* owner;
  size_t bytes;
} snStackPiece;

// The pieces now held, the latest first (frames included): writes at most max of them and returns
// how many there are; 0 in a release build.
int sn_stackPieces(const snData* d, snStackPiece* pieces, int max);

// Test builds: a failed assertion that names the owner unless the stack is where it was.
#ifdef SN_ASSERTS
void sn_checkStack(const snData* d, size_t pbase, size_t pstack, const char* where);
SN_FN void* sn_stackAllocFor(snData* d, size_t bytes, size_t alignment, const char* owner);
SN_FN void sn_markStackFor(snData* d, const char* owner);
SN_FN void sn_freeStackFor(snData* d, const char* owner);
#define sn_stackAlloc(d, bytes, alignment) sn_stackAllocFor(d, bytes, alignment, __func__)
#define sn_markStack(d) sn_markStackFor(d, __func__)
#define sn_freeStack(d) sn_freeStackFor(d, __func__)
#define sn_freeStackOf(d, opener) sn_freeStackFor(d, opener)
#else
#define sn_freeStackOf(d, opener) \
  sn_freeStack(d)  // of a function that opens a frame for its caller
#define sn_checkStack(d, pbase, pstack, where) ((void)(pbase), (void)(pstack))
#endif

// header of a stack frame: what to go back to
typedef struct snStackFrame_ {
  size_t pbase;
  size_t pstack;
  size_t fast;  // of the fast memory of a GPU
#ifdef SN_ASSERTS
  const char* owner;
#endif
} snStackFrame;

// A step takes and gives back scratch some forty times. Where one thread works and nobody keeps notes, what
// happens when there is room is inline; the rest is in arena.c.
#if !defined(SN_ASSERTS) && !defined(SN_ASAN) && !defined(SN_TEAM)
static inline void* sn_stackAllocQuick(snData* d, size_t bytes, size_t alignment) {
  size_t top = (size_t)d->narena - d->pstack, room = top - d->parena;
  if (alignment < 8) alignment = 8;
  if (alignment & (alignment - 1) || d->nlostframe || room < alignment ||
      bytes > room - alignment) {
    return sn_stackAlloc(d, bytes, alignment);
  }
  uintptr_t start = ((uintptr_t)d->arena + top - bytes) & ~(uintptr_t)(alignment - 1);
  d->pstack = (uintptr_t)d->arena + (size_t)d->narena - start;
  snSize stack = (snSize)d->pstack, total = (snSize)(d->pstack + d->parena);
  if (stack > d->maxuse_stack) d->maxuse_stack = stack;
  if (total > d->maxuse_arena) d->maxuse_arena = total;
  return (void*)start;
}

static inline void sn_markStackQuick(snData* d) {
  size_t top = (size_t)d->narena - d->pstack, room = top - d->parena;
  if (d->nlostframe || room < sizeof(snStackFrame) + 8) {
    sn_markStack(d);
    return;
  }
  size_t pstack = d->pstack;
  snStackFrame* frame = (snStackFrame*)sn_stackAllocQuick(d, sizeof(snStackFrame), 8);
  frame->pbase = d->pbase;
  frame->pstack = pstack;
  frame->fast = 0;
  d->pbase = (size_t)((char*)frame - (char*)d->arena) + 1;  // 0 means no frame
}

static inline void sn_freeStackQuick(snData* d) {
  if (d->nlostframe || !d->pbase) {
    sn_freeStack(d);
    return;
  }
  const snStackFrame* frame = (const snStackFrame*)((const char*)d->arena + d->pbase - 1);
  d->pstack = frame->pstack;
  d->pbase = frame->pbase;
}

#define sn_stackAlloc(d, bytes, alignment) sn_stackAllocQuick(d, bytes, alignment)
#define sn_markStack(d) sn_markStackQuick(d)
#define sn_freeStack(d) sn_freeStackQuick(d)
#endif

// Typed stack allocation: snReal* x = SN_STACK(d, snReal, n);
#define SN_STACK(d, type, n) ((type*)sn_stackAlloc(d, sizeof(type) * (size_t)(n), sizeof(type)))

// Nothing has been found yet: no contacts, no rows, no islands. The stack stays as it is.
static inline void sn_emptyArena(snData* d) {
  d->parena = 0;
#define X(type, name, rows, columns, stage, meaning) d->name = NULL;
  SN_DATA_ARENA(X)
#undef X
  d->contact = (snContact*)d->arena;
  d->ncon = d->ne = d->nf = d->nl = d->nefc = d->nJ = d->nA = d->nisland = d->nidof = 0;
  d->nJs = d->nMs = d->niM = d->ndeformcon = d->ndeformpair = 0;
}

// One row of a table of arena arrays (sinew/data_fields.h), where the model is called m and the data
// d: allocate d->name, or leave the function with 0 when the arena is full.
#define SN_M(size) m->size
#define SN_D(size) d->size
#define SN_ARENA_ROW(type, name, rows, columns, stage, meaning)                                \
  d->name = (sn_type_##type*)sn_arenaAlloc(d, (size_t)(rows)*columns * sizeof(sn_type_##type), \
                                           sizeof(sn_type_##type));                            \
  if (!d->name) return 0;

// The same for many at once: give d->name its place at the end of those before, where place is a pointer
// into the arena that began at d->parena. What was placed is taken by sn_arenaTakeUpTo(d, place); when
// that fails, the pointers are void. Arrays of the arena are all of four or eight bytes.
#define SN_ARENA_PLACE(type, name, rows, columns, stage, meaning)              \
  if (sizeof(sn_type_##type) > 4) place += (size_t)(0 - (uintptr_t)place) & 7; \
  d->name = (sn_type_##type*)place;                                            \
  place += (size_t)(rows) * (columns) * sizeof(sn_type_##type);

// Take what lies before the place; 0 when the arena is too short. For one lane.
static inline int sn_arenaTakeUpTo(snData* d, const char* place) {
  const char* top = (const char*)d->arena + d->parena;
  return sn_arenaAlloc(d, (size_t)(place - top), 1) != NULL;
}

SN_EXTERN_C_END

#endif  // SINEW_BASE_ARENA_H_
