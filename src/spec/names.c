// Index of names: one open-addressed table for all types of a spec.

#include <string.h>

#include "base/assert.h"
#include "spec/element.h"

typedef struct snNameTable_ {
  snElem** slots;  // NULL: free; &tomb: removed
  int capacity;    // power of two
  int used;        // slots that are not free
} snNameTable;

static snElem tomb;

static unsigned hash(snObj type, const char* name) {
  unsigned h = 2166136261u ^ (unsigned)type;
  for (; *name; name++) h = (h ^ (unsigned char)*name) * 16777619u;
  return h ^ (h >> 15);
}

static int grow(snNameTable* table) {
  SN_ASSERT((table->capacity & (table->capacity - 1)) == 0);
  int capacity = table->capacity ? table->capacity : 64;
  int live = 0;
  for (int i = 0; i < table->capacity; i++) live += table->slots[i] && table->slots[i] != &tomb;
  while (3 * capacity < 8 * (live + 1)) capacity *= 2;
  snElem** slots = (snElem**)snu_malloc((size_t)capacity * sizeof(snElem*));
  if (!slots) return 0;
  memset(slots, 0, (size_t)capacity * sizeof(snElem*));
  for (int i = 0; i < table->capacity; i++) {
    snElem* e = table->slots[i];
    if (!e || e == &tomb) continue;
    unsigned at = hash(e->head.elemtype, sn_elemName(e));
    while (slots[at & (unsigned)(capacity - 1)]) at++;
    slots[at & (unsigned)(capacity - 1)] = e;
  }
  snu_free(table->slots);
  table->slots = slots;
  table->capacity = capacity;
  table->used = live;
  return 1;
}

int sn_nameAdd(snElem* e) {
  snSpecData* data = sn_specData(e->spec);
  if (!e->name.size) return 1;
  if (!data->names) {
    data->names = (snNameTable*)snu_malloc(sizeof(snNameTable));
    if (!data->names) return 0;
    memset(data->names, 0, sizeof(snNameTable));
  }
  snNameTable* table = data->names;
  if (4 * (table->used + 1) > 3 * table->capacity && !grow(table)) return 0;
  unsigned mask = (unsigned)(table->capacity - 1);
  unsigned at = hash(e->head.elemtype, sn_elemName(e));
  while (table->slots[at & mask]) at++;
  table->slots[at & mask] = e;
  table->used++;
  SN_ASSERT(table->used < table->capacity);
  return 1;
}

void sn_nameRemove(snElem* e) {
  snNameTable* table = sn_specData(e->spec)->names;
  if (!table || !e->name.size) return;
  unsigned mask = (unsigned)(table->capacity - 1);
  unsigned at = hash(e->head.elemtype, sn_elemName(e));
  for (int i = 0; i < table->capacity && table->slots[at & mask]; i++, at++) {
    if (table->slots[at & mask] == e) {
      table->slots[at & mask] = &tomb;
      return;
    }
  }
}

void sn_namesFollow(const snSpec* spec) {
  const snNameTable* table = sn_specData(spec)->names;
  for (int i = 0; table && i < table->capacity; i++) {
    snElem* e = table->slots[i];
    if (e && e != &tomb && e->moved) table->slots[i] = e->moved;
  }
}

snElem* sn_findName(const snSpec* spec, snObj type, const char* name) {
  const snNameTable* table = sn_specData(spec)->names;
  if (!table || !name || !*name || !table->capacity) return NULL;
  if (type == snOBJ_XBODY) type = snOBJ_BODY;
  unsigned mask = (unsigned)(table->capacity - 1);
  unsigned at = hash(type, name);
  for (int i = 0; i < table->capacity && table->slots[at & mask]; i++, at++) {
    snElem* e = table->slots[at & mask];
    if (e != &tomb && e->head.elemtype == type && !strcmp(sn_elemName(e), name)) return e;
  }
  return NULL;
}

void sn_offerNames(snSuggestion* s, const snSpec* spec, snObj type) {
  const snNameTable* table = sn_specData(spec)->names;
  if (type == snOBJ_XBODY) type = snOBJ_BODY;
  for (int i = 0; table && i < table->capacity; i++) {
    const snElem* e = table->slots[i];
    if (e && e != &tomb && e->head.elemtype == type) sn_offer(s, sn_elemName(e));
  }
}

static int comesBefore(const snElem* a, const snElem* b) {
  SN_ASSERT(a->name.size && b->name.size);
  if (a->head.elemtype != b->head.elemtype) return a->head.elemtype < b->head.elemtype;
  return strcmp(sn_elemName(a), sn_elemName(b)) < 0;
}

const snElem* sn_findRepeatedName(const snSpec* spec) {
  const snNameTable* table = sn_specData(spec)->names;
  const snElem* found = NULL;
  for (int i = 0; table && i < table->capacity; i++) {
    const snElem* e = table->slots[i];
    if (!e || e == &tomb || e->head.elemtype == snOBJ_DEFAULT) continue;
    if (sn_findName(spec, e->head.elemtype, sn_elemName(e)) == e) continue;
    if (!found || comesBefore(e, found)) found = e;
  }
  return found;
}

// ---- names that elements had ----

struct snFormerName_ {
  snFormerName* next;
  snObj type;
  char name[];
};

static void freeFormer(snSpecData* data) {
  while (data->former) {
    snFormerName* former = data->former;
    data->former = former->next;
    snu_free(former);
  }
}

void sn_namesSettle(snSpec* spec) { freeFormer(sn_specData(spec)); }

void sn_nameWas(const snElem* e) {
  snSpecData* data = sn_specData(e->spec);
  if (!data->structure || !e->name.size) return;
  size_t size = strlen(sn_elemName(e)) + 1;
  snFormerName* former = (snFormerName*)snu_malloc(sizeof(snFormerName) + size);
  if (!former) return;  // what has the name is kept then
  former->next = data->former;
  former->type = e->head.elemtype;
  memcpy(former->name, sn_elemName(e), size);
  data->former = former;
}

int sn_wasName(const snSpec* spec, snObj type, const char* name) {
  if (type == snOBJ_XBODY) type = snOBJ_BODY;
  const snFormerName* former = sn_specData(spec)->former;
  while (former && (former->type != type || strcmp(former->name, name))) former = former->next;
  return former != NULL;
}

void sn_namesFree(snSpec* spec) {
  snSpecData* data = sn_specData(spec);
  freeFormer(data);
  if (data->names) snu_free(data->names->slots);
  snu_free(data->names);
  data->names = NULL;
}
