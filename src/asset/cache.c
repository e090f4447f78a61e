#include "asset/cache.h"

#include <pthread.h>
#include <string.h>

#include "base/assert.h"
#include "sinew/sinew.h"

enum { BUCKETS = 1024 };

struct snCacheEntry_ {
  snCacheEntry* next;   // in the bucket
  snCacheEntry* newer;  // in the order of use
  snCacheEntry* older;
  uint64_t hash;
  int holders;  // callers, plus one while it is in the cache
  void* value;
  void (*release)(void* value);
  size_t bytes;
  int npart;
  size_t sizes[snCACHE_PARTS];
  unsigned char key[];  // parts, one after the other
};

typedef struct Store_ {
  pthread_mutex_t lock;
  snCacheEntry* buckets[BUCKETS];
  snCacheEntry* newest;
  snCacheEntry* oldest;
  size_t bytes;
  size_t capacity;
} Store;

static Store store = {.lock = PTHREAD_MUTEX_INITIALIZER, .capacity = 500 * (size_t)(1 << 20)};
static snCache handle = {&store};

// ---- keys ----

void sn_cacheKeyAdd(snCacheKey* key, const void* data, size_t size) {
  if (key->npart >= snCACHE_PARTS) return;
  snBytes part = {(const unsigned char*)data, size};
  key->parts[key->npart++] = part;
}

static uint64_t mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
  return hash ^ hash >> 29;
}

static uint64_t hashKey(const snCacheKey* key, size_t* total) {
  uint64_t hash = 0x243F6A8885A308D3u;
  *total = 0;
  for (int i = 0; i < key->npart; i++) {
    const unsigned char* data = key->parts[i].data;
    size_t size = key->parts[i].size, at = 0;
    *total += size;
    hash = mix(hash, size);
    for (; at + 8 <= size; at += 8) {
      uint64_t word;
      memcpy(&word, data + at, 8);
      hash = mix(hash, word);
    }
    for (; at < size; at++) hash = mix(hash, data[at]);
  }
  return hash;
}

static int sameKey(const snCacheEntry* entry, const snCacheKey* key, uint64_t hash) {
  if (entry->hash != hash || entry->npart != key->npart) return 0;
  for (int i = 0; i < key->npart; i++) {
    if (entry->sizes[i] != key->parts[i].size) return 0;
  }
  const unsigned char* at = entry->key;
  for (int i = 0; i < key->npart; at += entry->sizes[i++]) {
    if (entry->sizes[i] && memcmp(at, key->parts[i].data, entry->sizes[i])) return 0;
  }
  return 1;
}

// ---- entries; the lock is held ----

static void unlinkUse(snCacheEntry* entry) {
  SN_ASSERT(entry->newer || store.newest == entry);
  SN_ASSERT(entry->older || store.oldest == entry);
  *(entry->newer ? &entry->newer->older : &store.newest) = entry->older;
  *(entry->older ? &entry->older->newer : &store.oldest) = entry->newer;
}

static void linkNewest(snCacheEntry* entry) {
  entry->newer = NULL;
  entry->older = store.newest;
  *(store.newest ? &store.newest->newer : &store.oldest) = entry;
  store.newest = entry;
}

static snCacheEntry* findEntry(const snCacheKey* key, uint64_t hash) {
  snCacheEntry* entry = store.buckets[hash % BUCKETS];
  while (entry && !sameKey(entry, key, hash)) entry = entry->next;
  return entry;
}

// Take an entry out of the cache; returns it when nobody holds it, chained to the list of the dead.
static snCacheEntry* evict(snCacheEntry* entry, snCacheEntry* dead) {
  SN_ASSERT(entry->holders > 0 && entry->bytes <= store.bytes);
  snCacheEntry** link = &store.buckets[entry->hash % BUCKETS];
  while (*link != entry) link = &(*link)->next;
  *link = entry->next;
  unlinkUse(entry);
  store.bytes -= entry->bytes;
  if (--entry->holders) return dead;
  entry->next = dead;
  return entry;
}

static snCacheEntry* shrink(size_t capacity, snCacheEntry* dead) {
  while (store.oldest && store.bytes > capacity) dead = evict(store.oldest, dead);
  return dead;
}

// without the lock: releasing may take time
static void destroy(snCacheEntry* dead) {
  while (dead) {
    snCacheEntry* next = dead->next;
    SN_ASSERT(!dead->holders);
    dead->release(dead->value);
    snu_free(dead);
    dead = next;
  }
}

// ---- use ----

snCacheEntry* sn_cacheFind(const snCacheKey* key) {
  size_t total;
  uint64_t hash = hashKey(key, &total);
  pthread_mutex_lock(&store.lock);
  snCacheEntry* entry = findEntry(key, hash);
  if (entry) {
    entry->holders++;
    unlinkUse(entry);
    linkNewest(entry);
  }
  pthread_mutex_unlock(&store.lock);
  return entry;
}

snCacheEntry* sn_cacheStore(const snCacheKey* key, void* value, size_t bytes,
                            void (*release)(void* value)) {
  size_t total;
  uint64_t hash = hashKey(key, &total);
  bytes += total + sizeof(snCacheEntry);
  pthread_mutex_lock(&store.lock);
  int fits = bytes <= store.capacity;
  pthread_mutex_unlock(&store.lock);
  snCacheEntry* entry = fits ? (snCacheEntry*)snu_malloc(sizeof(snCacheEntry) + total) : NULL;
  if (!entry) return NULL;
  memset(entry, 0, sizeof(*entry));
  entry->hash = hash;
  entry->holders = 2;
  entry->value = value;
  entry->release = release;
  entry->bytes = bytes;
  entry->npart = key->npart;
  unsigned char* at = entry->key;
  for (int i = 0; i < key->npart; at += entry->sizes[i++]) {
    entry->sizes[i] = key->parts[i].size;
    if (entry->sizes[i]) memcpy(at, key->parts[i].data, entry->sizes[i]);
  }

  pthread_mutex_lock(&store.lock);
  snCacheEntry* dead = NULL;
  snCacheEntry* same = findEntry(key, hash);
  if (same) dead = evict(same, dead);  // another thread was faster
  entry->next = store.buckets[hash % BUCKETS];
  store.buckets[hash % BUCKETS] = entry;
  linkNewest(entry);
  store.bytes += bytes;
  dead = shrink(store.capacity, dead);
  pthread_mutex_unlock(&store.lock);
  destroy(dead);
  return entry;
}

void* sn_cacheValue(const snCacheEntry* entry) { return entry->value; }

void sn_cacheDrop(snCacheEntry* entry) {
  if (!entry) return;
  pthread_mutex_lock(&store.lock);
  int last = !--entry->holders;
  SN_ASSERT(entry->holders >= 0);
  pthread_mutex_unlock(&store.lock);
  if (last) {
    entry->next = NULL;
    destroy(entry);
  }
}

// ---- public interface ----

snCache* sn_getCache(void) { return &handle; }

size_t sn_getCacheSize(const snCache* cache) {
  if (!cache) return 0;
  pthread_mutex_lock(&store.lock);
  size_t bytes = store.bytes;
  pthread_mutex_unlock(&store.lock);
  return bytes;
}

size_t sn_getCacheCapacity(const snCache* cache) {
  if (!cache) return 0;
  pthread_mutex_lock(&store.lock);
  size_t capacity = store.capacity;
  pthread_mutex_unlock(&store.lock);
  return capacity;
}

size_t sn_setCacheCapacity(snCache* cache, size_t size) {
  if (!cache) return 0;
  pthread_mutex_lock(&store.lock);
  store.capacity = size;
  snCacheEntry* dead = shrink(size, NULL);
  pthread_mutex_unlock(&store.lock);
  destroy(dead);
  return size;
}

void sn_clearCache(snCache* cache) {
  if (!cache) return;
  pthread_mutex_lock(&store.lock);
  snCacheEntry* dead = shrink(0, NULL);
  pthread_mutex_unlock(&store.lock);
  destroy(dead);
}
