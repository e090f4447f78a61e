#include "base/arena.h"

#include "sinew/sinew.h"

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
  size_t end = (size_t)d->narena;
  if (bytes > end - d->pstack) return NULL;
  uintptr_t top = (uintptr_t)d->arena + (end - d->pstack - bytes);
  uintptr_t aligned = top - excess(top, alignment);
  if (aligned < (uintptr_t)d->arena + d->parena) return NULL;
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
  Frame* frame = (Frame*)stackTake(d, sizeof(Frame), sizeof(size_t));
  if (!frame) {
    snu_error("sn_stackAlloc: out of memory, stack overflow, max = %lld, increase size/memory", (long long)d->narena);
    return;
  }
  frame->pbase = pbase;
  frame->pstack = pstack;
  d->pbase = (size_t)((char*)frame - (char*)d->arena) + 1;  // 0 means no frame
}

void sn_freeStack(snData* d) {
  if (!d->pbase) {
    snu_error("sn_freeStack: no frame is open");
    return;
  }
  const Frame* frame = (const Frame*)((const char*)d->arena + d->pbase - 1);
  d->pstack = frame->pstack;
  d->pbase = frame->pbase;
}

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
