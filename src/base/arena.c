#include "base/arena.h"

#include "sinew/sinew.h"

// the names that the header adds are for callers
#undef sn_stackAlloc
#undef sn_markStack
#undef sn_freeStack

// Under the address sanitizer freed scratch is poisoned, and a red zone stands behind each piece.
#if defined(SN_ASAN) && !defined(__CUDACC__)
#include <sanitizer/asan_interface.h>
enum { RED_ZONE = 64 };
#define POISON(start, bytes) __asan_poison_memory_region(start, bytes)
#define UNPOISON(start, bytes) __asan_unpoison_memory_region(start, bytes)
#else
enum { RED_ZONE = 0 };
#define POISON(start, bytes) ((void)(start), (void)(bytes))
#define UNPOISON(start, bytes) ((void)(start), (void)(bytes))
#endif

// test builds: a note below each piece, at the top of the stack while the piece is the latest
#ifdef SN_ASSERTS
#include <stdio.h>
#include <string.h>

typedef struct Note_ {
  snStackPiece piece;
  size_t previous;  // size of the stack before
} Note;
enum { NOTE_ROOM = sizeof(Note) + sizeof(size_t) };  // with what aligning it takes

static uintptr_t writeNote(uintptr_t below, const char* owner, size_t bytes, size_t previous) {
  uintptr_t place = (below - sizeof(Note)) & ~(uintptr_t)(sizeof(size_t) - 1);
  Note* note = (Note*)place;
  UNPOISON(note, sizeof(Note));
  note->piece.owner = owner;
  note->piece.bytes = bytes;
  note->previous = previous;
  return place;
}
#else
enum { NOTE_ROOM = 0 };
#define writeNote(below, owner, bytes, previous) (below)
#endif

// On a GPU the stack begins in the fast (shared) memory of the team: what fits is allocated there. The shared memory of a
// block holds the views of its threads, then one Fast for each team, then the memory of the teams. Offsets count
// from the views. Pieces are multiples of 16 bytes, so that they are aligned for any type.
#ifdef SN_DEVICE
typedef struct Fast_ {
  int used, end;
  int unused[2];
} Fast;

// bytes of shared memory of the block
static unsigned sharedSize(void) {
  unsigned all;
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(all));
  return all;
}

// log2 of the lanes that the kernel gave the team
static unsigned logLanes(void) { return (unsigned)sn_teamView() >> SN_VIEW_LOG & 7u; }

// NULL when the kernel was launched without fast memory
static Fast* fastMemory(void) {
  unsigned views = blockDim.x * (unsigned)sizeof(int);
  if (sharedSize() <= views) return NULL;
  return (Fast*)(sn_team_views + blockDim.x) + (threadIdx.x >> logLanes());
}

void sn_emptyFastMemory(void) {
  Fast* fast = fastMemory();
  if (!fast || SN_LANE) return;
  unsigned teams = blockDim.x >> logLanes(), team = threadIdx.x >> logLanes();
  unsigned views = blockDim.x * 4u;
  unsigned part = ((sharedSize() - views) / teams & ~15u) - (unsigned)sizeof(Fast);
  fast->used = (int)(views + teams * (unsigned)sizeof(Fast) + team * part);
  fast->end = fast->used + (int)part;
}

static size_t fastUsed(void) {
  const Fast* fast = fastMemory();
  return fast ? (size_t)fast->used : 0;
}

static void setFastUsed(size_t used) {
  Fast* fast = fastMemory();
  if (fast) fast->used = (int)used;
}

static void* fastTake(size_t bytes) {
  Fast* fast = fastMemory();
  if (!fast) return NULL;
  int start = fast->used;
  if (bytes > (size_t)(fast->end - start)) return NULL;
  fast->used = start + (((int)bytes + 15) & ~15);
  return (char*)sn_team_views + start;
}

#define snu_error(...) ((void)0)  // a device has nowhere to print to
#else
static size_t fastUsed(void) { return 0; }
static void setFastUsed(size_t used) { (void)used; }
static void* fastTake(size_t bytes) {
  (void)bytes;
  return NULL;
}
#endif

// remainder; alignments are powers of two but for some structs, and a division takes long
static uintptr_t excess(uintptr_t address, size_t alignment) {
  return alignment & (alignment - 1) ? address % alignment : address & (alignment - 1);
}

static void* refuse(snData* d) {
  d->refused++;
  return NULL;
}

static void* stackTake(snData* d, size_t bytes, size_t alignment, const char* owner) {
  SN_ASSERT(alignment > 0 && d->pstack + d->parena <= (size_t)d->narena);
  void* fast = fastTake(bytes);
  if (fast) return fast;
  // all that is loaded is loaded at once: a GPU then waits for memory once
  size_t end = (size_t)d->narena, before = d->pstack, taken = d->parena;
  uintptr_t arena = (uintptr_t)d->arena;
  snSize most_stack = d->maxuse_stack, most = d->maxuse_arena;
  int lost = d->nlostframe;
  size_t room = end - before, more = RED_ZONE + NOTE_ROOM;
  if (lost) return refuse(d);  // the frame could not be opened: nothing would free the memory
  if (bytes > room || bytes + more > room) return refuse(d);
  uintptr_t start = arena + (room - RED_ZONE - bytes);
  uintptr_t aligned = start - excess(start, alignment);
  if (aligned < arena + taken + NOTE_ROOM) return refuse(d);
  POISON((void*)(aligned - NOTE_ROOM), arena + room - (aligned - NOTE_ROOM));
  UNPOISON((void*)aligned, bytes);
  uintptr_t top = writeNote(aligned, owner, bytes, before);
  (void)owner;
  d->pstack = arena + end - top;

  snSize stack = (snSize)(arena + end - top), total = stack + (snSize)taken;
  if (stack > most_stack) d->maxuse_stack = stack;
  if (total > most) d->maxuse_arena = total;
  return (void*)aligned;
}

static void* arenaTake(snData* d, size_t bytes, size_t alignment) {
  SN_ASSERT(alignment > 0 && d->pstack + d->parena <= (size_t)d->narena);
  // all that is loaded is loaded at once: a GPU then waits for memory once
  size_t start = d->parena + alignment - 1, stack = d->pstack;
  char* arena = (char*)d->arena;
  snSize most = d->maxuse_arena;
  start -= excess(start, alignment);
  size_t limit = (size_t)d->narena - stack;
  if (start > limit || bytes > limit - start) return refuse(d);
  UNPOISON(arena + d->parena, start + bytes - d->parena);
  d->parena = start + bytes;
  snSize total = (snSize)(stack + start + bytes);
  if (total > most) d->maxuse_arena = total;
  return arena + start;
}

#ifdef SN_DEVICE
void* sn_unusedStack(const snData* d, size_t bytes) {
  const Fast* fast = fastMemory();
  (void)d;
  if (!fast) return NULL;
  SN_SYNC();
  int start = fast->used;
  SN_SYNC();
  return bytes > (size_t)(fast->end - start) ? NULL : (char*)sn_team_views + start;
}
#else
void* sn_unusedStack(const snData* d, size_t bytes) {
  SN_SYNC();
  uintptr_t start = ((uintptr_t)d->arena + d->parena + 63) & ~(uintptr_t)63;
  uintptr_t end = (uintptr_t)d->arena + ((size_t)d->narena - d->pstack);
  SN_SYNC();
  if (start > end || bytes > end - start) return NULL;
  UNPOISON((void*)start, bytes);
  return (void*)start;
}
#endif

#ifdef SN_TEAM
enum { MOST_SLOTS = 24, MOST_FAST_SLOTS = 7, SLOT_ALIGNMENT = 64 };

// slots of the fast memory, whose numbers come after those of the arena; the first begins at *start
#ifdef SN_DEVICE
static int fastSlots(size_t bytes, char** start) {
  const Fast* fast = fastMemory();
  if (!fast) return 0;
  int n = (fast->end - fast->used) / (int)bytes;
  *start = (char*)sn_team_views + fast->used;
  return n < MOST_FAST_SLOTS ? n : MOST_FAST_SLOTS;
}
#else
static int fastSlots(size_t bytes, char** start) {
  (void)bytes, (void)start;
  return 0;
}
#endif

// slots of the arena; the first begins at *start
static int arenaSlots(const snData* d, size_t bytes, char** start) {
  uintptr_t mask = SLOT_ALIGNMENT - 1, begin = ((uintptr_t)d->arena + d->parena + mask) & ~mask;
  uintptr_t end = (uintptr_t)d->arena + ((size_t)d->narena - d->pstack);
  size_t n = begin < end ? (end - begin) / ((bytes + mask) & ~mask) : 0;
  *start = (char*)begin;
  return n < MOST_SLOTS ? (int)n : MOST_SLOTS;
}

int sn_hasSlot(const snData* d, size_t bytes) {
  char* start;
  return arenaSlots(d, bytes, &start) > 0;
}

void* sn_takeSlot(snData* d, size_t* size, size_t small, int* slot) {
  char *start, *fast = NULL;
  size_t piece = (small + 15) & ~(size_t)15, bytes = *size;
  unsigned free_slots = ~(unsigned)SN_PEEK(d->slots);
  unsigned slots = (1u << arenaSlots(d, bytes, &start)) - 1;
  unsigned fast_slots = small ? ((1u << fastSlots(piece, &fast)) - 1) << MOST_SLOTS : 0;
  unsigned left = free_slots & fast_slots ? free_slots & fast_slots : free_slots & slots;
  if (!left) return NULL;
  int k = sn_firstBit(left), bit = 1 << k;
  if (SN_SET_BITS(d->slots, bit) & bit) return NULL;  // another lane was faster
  *slot = k;
  if (k >= MOST_SLOTS) {
    *size = small;
    return fast + (size_t)(k - MOST_SLOTS) * piece;
  }
  size_t place = (size_t)k * ((bytes + SLOT_ALIGNMENT - 1) & ~(size_t)(SLOT_ALIGNMENT - 1));
  UNPOISON(start + place, bytes);
  return start + place;
}

void sn_giveSlot(snData* d, int slot) {
  SN_ASSERT_INDEX(slot, MOST_SLOTS + MOST_FAST_SLOTS);
  SN_CLEAR_BITS(d->slots, 1 << slot);
}
#endif

void* sn_arenaAlloc(snData* d, size_t bytes, size_t alignment) {
  void* memory = NULL;
  if (SN_LANE == 0) memory = arenaTake(d, bytes, alignment);
  return sn_teamFirst(memory);
}

static void* stackAllocFor(snData* d, size_t bytes, size_t alignment, const char* owner) {
  void* memory = NULL;
  if (SN_LANE == 0) memory = stackTake(d, bytes, alignment < 8 ? 8 : alignment, owner);
  return sn_teamFirst(memory);
}

static void openFrame(snData* d, const char* owner) {
  SN_ASSERT(!d->pbase || d->pstack);  // a frame lies on the stack
  size_t fast = fastUsed(), pbase = d->pbase, pstack = d->pstack;
  const char* arena = (const char*)d->arena;
  int lost = d->nlostframe;
  // inside a frame that could not be opened none can: sn_freeStack closes in the reverse order
  snStackFrame* frame =
      lost ? NULL : (snStackFrame*)stackTake(d, sizeof(snStackFrame), sizeof(size_t), owner);
  if (!frame) {
    d->nlostframe++;
    snu_error("%s: out of memory, stack overflow, max = %lld, increase size/memory", owner,
              (long long)d->narena);
    return;
  }
  frame->pbase = pbase;
  frame->pstack = pstack;
  frame->fast = fast;
#ifdef SN_ASSERTS
  frame->owner = owner;
#endif
  d->pbase = (size_t)((const char*)frame - arena) + 1;  // 0 means no frame
}

static void markStackFor(snData* d, const char* owner) {
  if (SN_LANE == 0) openFrame(d, owner);
}

void* sn_stackAlloc(snData* d, size_t bytes, size_t alignment) {
  return stackAllocFor(d, bytes, alignment, "sn_stackAlloc");
}

void sn_markStack(snData* d) { markStackFor(d, "sn_stackAlloc"); }

#ifdef SN_ASSERTS
void* sn_stackAllocFor(snData* d, size_t bytes, size_t alignment, const char* owner) {
  return stackAllocFor(d, bytes, alignment, owner);
}

void sn_markStackFor(snData* d, const char* owner) { markStackFor(d, owner); }

static void closeFrame(snData* d, const char* owner);

void sn_freeStackFor(snData* d, const char* owner) {
  SN_SYNC();
  if (SN_LANE == 0) closeFrame(d, owner);
}

int sn_stackPieces(const snData* d, snStackPiece* pieces, int max) {
  int count = 0;
  for (size_t stack = d->pstack; stack; count++) {
    const Note* note = (const Note*)((const char*)d->arena + (size_t)d->narena - stack);
    if (count < max) pieces[count] = note->piece;
    stack = note->previous;
  }
  return count;
}

void sn_checkStack(const snData* d, size_t pbase, size_t pstack, const char* where) {
  if (d->pbase == pbase && d->pstack == pstack) return;
  snStackPiece latest = {"?", 0};
  char text[200];
  sn_stackPieces(d, &latest, 1);
  snprintf(text, sizeof(text), "%s left the stack with %zu bytes instead of %zu, the latest of %s",
           where, d->pstack, pstack, latest.owner);
  sn_assertFailed(text, __FILE__, __LINE__);
}

// a frame is closed by the function that opened it
static void checkOwner(const snStackFrame* frame, const char* owner) {
  char text[200];
  if (!owner || !strcmp(owner, frame->owner)) return;  // NULL: closed by the user
  snprintf(text, sizeof(text), "%s closes the stack frame of %s", owner, frame->owner);
  sn_assertFailed(text, __FILE__, __LINE__);
}
#else
#define checkOwner(frame, owner) ((void)(owner))

int sn_stackPieces(const snData* d, snStackPiece* pieces, int max) {
  (void)d, (void)pieces, (void)max;
  return 0;
}
#endif

static void closeFrame(snData* d, const char* owner) {
  size_t pbase = d->pbase, pstack = d->pstack, end = (size_t)d->narena;
  char* arena = (char*)d->arena;
  int lost = d->nlostframe;
  if (lost) {
    d->nlostframe = lost - 1;
    return;
  }
  if (!pbase) return;
  const snStackFrame* frame = (const snStackFrame*)(arena + pbase - 1);
  checkOwner(frame, owner);
  SN_ASSERT(frame->pstack < pstack && pstack <= end);
  size_t top = end - pstack, bytes = pstack - frame->pstack;
  d->pstack = frame->pstack;
  d->pbase = frame->pbase;
  setFastUsed(frame->fast);
  POISON(arena + top, bytes);
}

void sn_freeStack(snData* d) {
  SN_SYNC();  // no lane still uses what is given back
  if (SN_LANE == 0) closeFrame(d, NULL);
}

void sn_forgetArena(snData* d) { UNPOISON(d->arena, (size_t)d->narena); }

void* sn_stackAllocByte(snData* d, size_t bytes, size_t alignment) {
  void* memory = bytes ? sn_stackAlloc(d, bytes, alignment) : NULL;
  if (!memory && bytes) {
    snu_error(
        "sn_stackAlloc: out of memory, stack overflow\n  max = %lld, available = %lld, "
        "requested = %zu\n nefc = %d, ncon = %d",
        (long long)d->narena, (long long)d->narena - (long long)(d->parena + d->pstack), bytes,
        d->nefc, d->ncon);
  }
  return memory;
}

static void* allocArray(snData* d, size_t size, size_t item, const char* name) {
  if (size <= SIZE_MAX / item) return sn_stackAllocByte(d, size * item, item);
  snu_error("%s: requested size is too large (more than 2^64 bytes).", name);
  return NULL;
}

snReal* sn_stackAllocNum(snData* d, size_t size) {
  return (snReal*)allocArray(d, size, sizeof(snReal), "sn_stackAllocNum");
}

int* sn_stackAllocInt(snData* d, size_t size) {
  return (int*)allocArray(d, size, sizeof(int), "sn_stackAllocInt");
}
