// The arena at the end of snData.
//
// Two regions share it: results that vary in size (contacts, constraint rows, islands) grow upwards from its start; the
// stack of temporaries grows downwards from its end, in frames of sn_markStack and sn_freeStack. Every allocation
// can fail: the caller checks for NULL, drops the work and raises a warning bit.
//
// In test builds (SN_ASSERTS) every piece of the stack carries the name of the function that took it. sn_stackPieces
// lists the pieces, an assertion names the owner of a piece that a step has not freed, and a frame must be closed by the
// function that opened it. Under the address sanitizer pieces stand between red zones and are poisoned once freed.

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

// Scratch without a frame: the free memory at the top of the stack. It is valid until the next allocation and need not
// be freed. NULL when there is too little of it; on a GPU it is always fast memory. All lanes of a team call together;
// the barrier inside keeps the first lane's changes of the stack before and after apart.
SN_FN void* sn_unusedStack(const snData* d, size_t bytes);

// Lift the sanitizer's poison from the whole arena: before it is overwritten or freed.
SN_FN void sn_forgetArena(snData* d);

#ifdef SN_DEVICE
// Free all fast memory of this team.
void sn_emptyFastMemory(void);
#endif

#ifdef SN_TEAM
// Slots: scratch for single lanes of a team. The free part of the arena is divided into slots of equal size, that of the
// fast memory into small ones. As long as a lane holds a slot, all requests must be for the same sizes, and nobody
// may allocate from the arena. Is there room for a slot in the arena?
SN_FN int sn_hasSlot(const snData* d, size_t bytes);

// Take a slot of *size bytes, or a small one of `small` bytes (0: no small one); *size becomes the size taken, *slot the
// number by which the slot is given back. NULL when other lanes hold all slots: try again.
SN_FN void* sn_takeSlot(snData* d, size_t* size, size_t small, int* slot);
SN_FN void sn_giveSlot(snData* d, int slot);
#endif

// A piece of the stack in a test build: the function that took it, and the bytes that it asked for.
typedef struct snStackPiece_ {
  const char* owner;
  size_t bytes;
} snStackPiece;

// The pieces on the stack, the latest first (frames included): writes at most max of them and returns how many there are;
// 0 in a release build.
int sn_stackPieces(const snData* d, snStackPiece* pieces, int max);

// Test builds: asserts that the stack is where it was; the message names the owner of the latest piece.
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

// header of a stack frame: what sn_freeStack restores
typedef struct snStackFrame_ {
  size_t pbase;
  size_t pstack;
  size_t fast;  // of the fast memory of a GPU
#ifdef SN_ASSERTS
  const char* owner;
#endif
} snStackFrame;

// A step allocates and frees scratch some forty times. In release builds for one lane the usual case, in which there is
// room, is therefore inline; all other cases are in arena.c.
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

// Forget all contacts, rows and islands. The stack stays as it is.
static inline void sn_emptyArena(snData* d) {
  d->parena = 0;
#define X(type, name, rows, columns, stage, meaning) d->name = NULL;
  SN_DATA_ARENA(X)
#undef X
  d->contact = (snContact*)d->arena;
  d->ncon = d->ne = d->nf = d->nl = d->nefc = d->nJ = d->nA = d->nisland = d->nidof = 0;
  d->nJs = d->nMs = d->niM = d->ndeformcon = d->ndeformpair = 0;
}

// For one row of a table of arena arrays (sinew/data_fields.h), where the model is called m and the data d: allocate
// d->name, or return 0 from the function when the arena is full.
#define SN_M(size) m->size
#define SN_D(size) d->size
#define SN_ARENA_ROW(type, name, rows, columns, stage, meaning)                                \
  d->name = (sn_type_##type*)sn_arenaAlloc(d, (size_t)(rows)*columns * sizeof(sn_type_##type), \
                                           sizeof(sn_type_##type));                            \
  if (!d->name) return 0;

// The same for a whole table with one allocation: set d->name to `place`, aligned, and move `place` behind the array.
// `place` starts at d->parena; sn_arenaTakeUpTo(d, place) then allocates all arrays, and when it fails the pointers are not
// valid. Numbers in the arena have four or eight bytes.
#define SN_ARENA_PLACE(type, name, rows, columns, stage, meaning)              \
  if (sizeof(sn_type_##type) > 4) place += (size_t)(0 - (uintptr_t)place) & 7; \
  d->name = (sn_type_##type*)place;                                            \
  place += (size_t)(rows) * (columns) * sizeof(sn_type_##type);

// Allocate the memory before `place`; 0 when the arena is too small. For one lane.
static inline int sn_arenaTakeUpTo(snData* d, const char* place) {
  const char* top = (const char*)d->arena + d->parena;
  return sn_arenaAlloc(d, (size_t)(place - top), 1) != NULL;
}

SN_EXTERN_C_END

#endif  // SINEW_BASE_ARENA_H_
