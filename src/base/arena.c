#include "base/arena.h"

#include "sinew/sinew.h"

// Under the address sanitizer freed scratch is poisoned, and a red zone stands behind each piece.
#if defined(__SANITIZE_ADDRESS__) && !defined(__CUDACC__)
#include <sanitizer/asan_interface.h>
enum { RED_ZONE = 64 };
#define POISON(start, bytes) __asan_poison_memory_region(start, bytes)
#define UNPOISON(start, bytes) __asan_unpoison_memory_region(start, bytes)
#else
enum { RED_ZONE = 0 };
#define POISON(start, bytes) ((void)(start), (void)(bytes))
#define UNPOISON(start, bytes) ((void)(start), (void)(bytes))
#endif

// header of a stack frame: what to go back to
typedef struct Frame_ {
  size_t pbase;
  size_t pstack;
} Frame;

// remainder; alignments are powers of two but for some structs, and a division takes long
static uintptr_t excess(uintptr_t address, size_t alignment) {
  return alignment & (alignment - 1) ? address % alignment : address & (alignment - 1);
}

static void* stackTake(snData* d, size_t bytes, size_t alignment) {
  size_t end = (size_t)d->narena, room = end - d->pstack;
  if (bytes > room || bytes + RED_ZONE > room) return NULL;
  uintptr_t top = (uintptr_t)d->arena + (room - RED_ZONE - bytes);
  uintptr_t aligned = top - excess(top, alignment);
  if (aligned < (uintptr_t)d->arena + d->parena) return NULL;
  POISON((void*)aligned, (uintptr_t)d->arena + room - aligned);
  UNPOISON((void*)aligned, bytes);
  d->pstack = (uintptr_t)d->arena + end - aligned;

  snSize stack = (snSize)d->pstack, total = (snSize)(d->pstack + d->parena);
  if (stack > d->maxuse_stack) d->maxuse_stack = stack;
  if (total > d->maxuse_arena) d->maxuse_arena = total;
  return (void*)aligned;
}

void* sn_arenaAlloc(snData* d, size_t bytes, size_t alignment) {
  size_t start = d->parena + alignment - 1;
  start -= excess(start, alignment);
  size_t limit = (size_t)d->narena - d->pstack;
  if (start > limit || bytes > limit - start) return NULL;
  UNPOISON((char*)d->arena + d->parena, start + bytes - d->parena);
  d->parena = start + bytes;
  snSize total = (snSize)(d->pstack + d->parena);
  if (total > d->maxuse_arena) d->maxuse_arena = total;
  return (char*)d->arena + start;
}

void* sn_stackAlloc(snData* d, size_t bytes, size_t alignment) {
  return stackTake(d, bytes, alignment < 8 ? 8 : alignment);
}

void sn_markStack(snData* d) {
  size_t pbase = d->pbase, pstack = d->pstack;
  // inside a frame that could not be opened none can: sn_freeStack closes in the reverse order
  Frame* frame = d->nlostframe ? NULL : (Frame*)stackTake(d, sizeof(Frame), sizeof(size_t));
  if (!frame) {
    d->nlostframe++;
    snu_error("sn_stackAlloc: out of memory, stack overflow, max = %lld, increase size/memory",
              (long long)d->narena);
    return;
  }
  frame->pbase = pbase;
  frame->pstack = pstack;
  d->pbase = (size_t)((char*)frame - (char*)d->arena) + 1;  // 0 means no frame
}

void sn_freeStack(snData* d) {
  if (d->nlostframe) {
    d->nlostframe--;
    return;
  }
  if (!d->pbase) {
    snu_error("sn_freeStack: no frame is open");
    return;
  }
  const Frame* frame = (const Frame*)((const char*)d->arena + d->pbase - 1);
  size_t top = (size_t)d->narena - d->pstack, bytes = d->pstack - frame->pstack;
  d->pstack = frame->pstack;
  d->pbase = frame->pbase;
  POISON((char*)d->arena + top, bytes);
}

void sn_forgetArena(snData* d) { UNPOISON(d->arena, (size_t)d->narena); }

void* sn_stackAllocByte(snData* d, size_t bytes, size_t alignment) {
  void* memory = sn_stackAlloc(d, bytes, alignment);
  if (!memory && bytes) {
    snu_error("sn_stackAlloc: out of memory, stack overflow, max = %lld, requested = %zu",
              (long long)d->narena, bytes);
  }
  return memory;
}

snReal* sn_stackAllocNum(snData* d, size_t size) {
  return (snReal*)sn_stackAllocByte(d, size * sizeof(snReal), sizeof(snReal));
}

int* sn_stackAllocInt(snData* d, size_t size) {
  return (int*)sn_stackAllocByte(d, size * sizeof(int), sizeof(int));
}
