#include "base/pool.h"

#include <string.h>

#include "base/assert.h"
#include "sinew/sinew.h"

enum { ALIGNMENT = 16, BLOCK_SIZE = 1 << 16 };

struct snPoolBlock_ {
  snPoolBlock* next;
  size_t size;  // bytes behind the header
  size_t used;
};

static const size_t default_limit = (size_t)1 << 34;
static const size_t header_size = (sizeof(snPoolBlock) + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);

static snPoolBlock* newBlock(snPool* pool, size_t size) {
  size_t limit = pool->limit ? pool->limit : default_limit;
  size_t total = header_size + size;
  if (total > limit || pool->bytes > limit - total) return NULL;
  snPoolBlock* block = (snPoolBlock*)snu_malloc(total);
  if (!block) return NULL;
  block->next = NULL;
  block->size = size;
  block->used = 0;
  pool->bytes += total;
  return block;
}

void* sn_poolTake(snPool* pool, size_t count, size_t size) {
  if (size && count > (SIZE_MAX / 2) / size) return NULL;
  size_t bytes = (count * size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
  if (!bytes) bytes = ALIGNMENT;

  snPoolBlock* block = pool->blocks;
  if (!block || block->size - block->used < bytes) {
    // a big array gets a block of its own, behind the one that still has room
    int own = block && bytes > BLOCK_SIZE / 4;
    block = newBlock(pool, bytes > BLOCK_SIZE / 4 ? bytes : BLOCK_SIZE);
    if (!block) return NULL;
    if (own) {
      block->next = pool->blocks->next;
      pool->blocks->next = block;
    } else {
      block->next = pool->blocks;
      pool->blocks = block;
    }
  }
  SN_ASSERT(block->used <= block->size && bytes <= block->size - block->used);
  char* memory = (char*)block + header_size + block->used;
  block->used += bytes;
  memset(memory, 0, bytes);
  return memory;
}

void sn_poolRelease(snPool* pool) {
  snPoolBlock* block = pool->blocks;
  while (block) {
    snPoolBlock* next = block->next;
    snu_free(block);
    block = next;
  }
  pool->blocks = NULL;
  pool->bytes = 0;
}
