#include "model/memory.h"

#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/crew.h"
#include "base/memory.h"
#include "base/misuse.h"
#include "model/field.h"
#include "model/plugin.h"
#include "sinew/plugin.h"

// arrays start on cache lines, of a GPU on the sectors of a line
#ifdef SN_DEVICE_LAYOUT
enum { ALIGNMENT = 32 };
#else
enum { ALIGNMENT = 64 };
#endif
static const snSize MAX_BYTES = (snSize)1 << 46;

static snSize alignUp(snSize bytes) { return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

// add rows * columns * size bytes to *total; 0 when any factor is out of range
static int addArray(snSize* total, snSize rows, snSize columns, snSize size) {
  SN_ASSERT(*total >= 0 && size > 0);
  if (rows < 0 || columns < 0 || *total > MAX_BYTES) return 0;
  if (rows && columns > MAX_BYTES / size / rows) return 0;
  *total = alignUp(*total + rows * columns * size);
  return *total <= MAX_BYTES;
}

snSize sn_modelArrayBytes(const snModel* m) {
  snSize total = 0;
  // a few times a size is still a number
#define X(name, rule, meaning) \
  if (m->name > MAX_BYTES || m->name < -MAX_BYTES) return -1;
  SN_MODEL_SIZES(X)
#undef X
  for (int i = 0; i < snMODEL_FIELDS; i++) {
    const snField* f = sn_modelFields + i;
    if (!addArray(&total, sn_fieldRows(f, m), sn_fieldColumns(f, m), f->bytes)) return -1;
  }
  return total;
}

// Lays out the arrays of *owner, an snModel or snData, from next on; returns where they end.
static char* setPointers(const snModel* m, void* owner, const snField* fields, int count,
                         char* next) {
  for (int i = 0; i < count; i++) {
    sn_setFieldArray(fields + i, owner, next);
    next += alignUp(sn_fieldBytes(fields + i, m));
  }
  return next;
}

static void setModelPointers(snModel* m) {
  char* next = (m->moved ? (char*)m->moved : (char*)m) + alignUp(sizeof(snModel));
  m->buffer = next;
  next = setPointers(m, m, sn_modelFields, snMODEL_FIELDS, next);
  SN_ASSERT(next == (char*)m->buffer + m->nbuffer);
  (void)next;
}

snModel* sn_allocModel(const snModel* sizes) {
  snSize bytes = sn_modelArrayBytes(sizes);
  if (bytes < 0) return NULL;
  snSize header = alignUp(sizeof(snModel));
  snModel* m = (snModel*)snu_malloc((size_t)(header + bytes));
  if (!m) return NULL;
  memset(m, 0, (size_t)(header + bytes));
#define X(name, rule, meaning) m->name = sizes->name;
  SN_MODEL_SIZES(X)
#undef X
  m->nbuffer = bytes;
  setModelPointers(m);
  return m;
}

snModel* sn_copyModel(snModel* dest, const snModel* src) {
  if (!src) {
    snu_error("sn_copyModel: the model is NULL");
    return NULL;
  }
  if (!dest) dest = sn_allocModel(src);
  if (!dest) return NULL;
  if (dest->nbuffer != src->nbuffer) {
    snu_error("sn_copyModel: dest and src models have different buffer size");
    return dest;
  }
  void* moved = dest->moved;
  memcpy(dest, src, sizeof(snModel));
  dest->moved = moved;
  setModelPointers(dest);
  memcpy(dest->buffer, src->buffer, (size_t)src->nbuffer);
  return dest;
}

void sn_deleteModel(snModel* m) {
  if (m && m->moved) snu_free(m->moved);
  snu_free(m);
}

void sn_takeModel(snModel* dest, snModel* src) {
  SN_ASSERT(dest != src && !src->moved);
  if (dest->moved) snu_free(dest->moved);
  memcpy(dest, src, sizeof(snModel));
  dest->moved = src;
}

// bytes of the arrays of data; -1 when one does not fit, which is told
static snSize dataArrayBytes(const snModel* m, const char** large) {
  snSize total = 0;
  for (int i = 0; i < snDATA_FIELDS; i++) {
    const snField* f = sn_dataFields + i;
    if (addArray(&total, sn_fieldRows(f, m), sn_fieldColumns(f, m), f->bytes)) continue;
    *large = f->name;
    return -1;
  }
  return total;
}

static void setDataPointers(const snModel* m, snData* d) {
  char* next = (d->moved ? (char*)d->moved : (char*)d) + alignUp(sizeof(snData));
  d->buffer = next;
  next = setPointers(m, d, sn_dataFields, snDATA_FIELDS, next);
  SN_ASSERT(next == (char*)d->buffer + d->nbuffer);
  d->arena = next;
}

snSize sn_dataBlockBytes(const snModel* m) {
  const char* large;
  snSize bytes = dataArrayBytes(m, &large);
  if (bytes < 0 || m->narena < 0 || m->narena > MAX_BYTES) return -1;
  return alignUp(sizeof(snData)) + bytes + alignUp(m->narena);
}

snData* sn_placeData(const snModel* m, void* block) {
  SN_ASSERT((uintptr_t)block % sizeof(snReal) == 0);
  snData* d = (snData*)block;
  const char* large;
  snSize bytes = dataArrayBytes(m, &large);
  memset(d, 0, (size_t)(alignUp(sizeof(snData)) + bytes));
  d->nbuffer = bytes;
  d->narena = m->narena;
  d->nplugin = (int)m->nplugin;
  d->signature = m->signature;
  setDataPointers(m, d);
  if (m->ndeformvert) {  // a reset may leave them where they are
    memcpy(d->deformvert_xpos, m->deformvert_pos, 3 * (size_t)m->ndeformvert * sizeof(snReal));
  }
  return d;
}

// The arena is as large as it may ever get: of a large one only what is used is taken.
snData* sn_allocData(const snModel* m) {
  snSize bytes = sn_dataBlockBytes(m);
  size_t reserved = 0;
  void* block = bytes < 0 ? NULL : sn_takeBlock((size_t)bytes, &reserved);
  if (bytes < 0) {
    const char* large = "arena";
    dataArrayBytes(m, &large);
    snu_warning("Invalid data: %s too large.", large);
    return NULL;
  }
  if (!block) {
    snu_error("could not allocate %lld MB for the data, of which %lld MB are its arena",
              (long long)(bytes >> 20), (long long)(m->narena >> 20));
    return NULL;
  }
  snData* d = sn_placeData(m, block);
  d->reserved = reserved;
  return d;
}

static void freeData(snData* d) {
  if (d) sn_giveBlock(d, d->reserved);
}

// the user's plugins get their memory, copy it and give it back
static int initPlugins(const snModel* m, snData* d) {
  memcpy(d->plugin, m->plugin, (size_t)m->nplugin * sizeof(int));
  for (int i = 0; i < (int)m->nplugin; i++) {
    const snpPlugin* plugin = sn_userPlugin(m->plugin[i]);
    if (!plugin || !plugin->init || plugin->init(m, d, i) >= 0) continue;
    snu_error("mj_initPlugin: plugin->init failed for plugin id %d", i);
    return 0;
  }
  return 1;
}

static void copyPlugins(snData* dest, const snModel* m, const snData* src) {
  SN_ASSERT(dest->nplugin == (int)m->nplugin);
  for (int i = 0; i < (int)m->nplugin; i++) {
    const snpPlugin* plugin = sn_userPlugin(m->plugin[i]);
    if (plugin && plugin->copy) plugin->copy(dest, m, src, i);
  }
}

static void destroyPlugins(snData* d) {
  for (int i = 0; i < d->nplugin; i++) {
    const snpPlugin* plugin = sn_userPlugin(d->plugin[i]);
    if (plugin && plugin->destroy) plugin->destroy(d, i);
  }
}

snData* sn_makeData(const snModel* m) {
  if (!m) {
    snu_error("sn_makeData: the model is NULL");
    return NULL;
  }
  snData* d = sn_allocData(m);
  if (d && !initPlugins(m, d)) {
    freeData(d);
    return NULL;
  }
  if (d) sn_resetData(m, d);
  return d;
}

// all of src but what belongs to the block and its threads
static void copyHeader(snData* dest, const snData* src) {
  size_t reserved = dest->reserved;
  uintptr_t threadpool = dest->threadpool;
  void* crew = dest->crew;
  memcpy(dest, src, sizeof(snData));
  dest->reserved = reserved;
  dest->threadpool = threadpool;
  dest->crew = crew;
}

void sn_moveData(snData* dest, const snModel* m, const snData* src) {
  SN_ASSERT(!src->pstack && src->parena <= (size_t)dest->narena && dest->nbuffer == src->nbuffer);
  snSize narena = dest->narena;
  void* moved = dest->moved;
  copyHeader(dest, src);
  dest->narena = narena;
  dest->moved = moved;
  setDataPointers(m, dest);
  memcpy(dest->buffer, src->buffer, (size_t)src->nbuffer);
  sn_forgetArena(dest);
  memcpy(dest->arena, src->arena, src->parena);
#define X(type, name, rows, columns, stage, meaning)                                             \
  dest->name =                                                                                   \
      src->name ? (sn_type_##type*)((char*)dest->arena + ((char*)src->name - (char*)src->arena)) \
                : NULL;
  SN_DATA_ARENA(X)
#undef X
}

// What plugins of the user hold for a data stays with it: their copy function fills it.
static void moveKeepingPlugins(snData* dest, const snModel* m, const snData* src) {
  enum { FEW = 16 };
  uintptr_t few[FEW], *held = few;
  size_t bytes = (size_t)m->nplugin * sizeof(uintptr_t);
  if (m->nplugin > FEW) held = (uintptr_t*)snu_malloc(bytes);
  if (held && bytes) memcpy(held, dest->plugin_data, bytes);
  sn_moveData(dest, m, src);
  if (held && bytes) memcpy(dest->plugin_data, held, bytes);
  if (held != few) snu_free(held);
}

snData* sn_copyData(snData* dest, const snModel* m, const snData* src) {
  if (!SN_IS_DATA_OF(m, src, "sn_copyData")) return dest;
  if (src->pstack) {
    snu_error("sn_copyDataVisual: attempting to copy snData while stack is in use");
    return dest;
  }
  if (!dest) {
    dest = sn_allocData(m);
    if (dest && !initPlugins(m, dest)) {
      freeData(dest);
      return NULL;
    }
  }
  if (!dest) return NULL;
  if (dest->nbuffer != src->nbuffer || dest->narena != src->narena) {
    snu_error("sn_copyDataVisual: dest and src data buffers have different size");
    return dest;
  }
  moveKeepingPlugins(dest, m, src);
  copyPlugins(dest, m, src);
  return dest;
}

void sn_deleteData(snData* d) {
  if (d) destroyPlugins(d);
  if (d) sn_deleteCrew(d);
  if (d && d->moved) freeData((snData*)d->moved);
  freeData(d);
}

void sn_takeData(snData* dest, snData* src) {
  SN_ASSERT(dest != src && !src->moved && !src->pstack);
  snCallbacks callback = dest->callback;
  if (dest->moved) freeData((snData*)dest->moved);
  copyHeader(dest, src);
  dest->moved = src;
  dest->callback = callback;
}
