#include "model/names.h"

#include "base/assert.h"

#include <string.h>

snSize sn_countNamesMap(const snModel* m) {
  snSize count = 0;
#define X(type, size, address) count += 2 * m->size;
  SN_NAMED(X)
#undef X
  return count;
}

snSize sn_objectCount(const snModel* m, int type) {
  switch (type) {
#define X(object, size, address) \
  case object: return m->size;
    SN_NAMED(X)
#undef X
    case snOBJ_XBODY: return m->nbody;
    case snOBJ_DOF: return m->nv;
    default: return 0;
  }
}

static uint64_t hashName(const char* name) {
  uint64_t hash = 5381;
  for (; *name; name++) hash = ((hash << 5) + hash) ^ (uint64_t)(int64_t)(signed char)*name;
  return hash;
}

// open addressing with linear probing; unnamed objects are not inserted
static void fillSection(int* map, int n, const char* names, const int* address) {
  SN_ASSERT(n >= 0);
  uint64_t slots = 2 * (uint64_t)n;
  for (uint64_t i = 0; i < slots; i++) map[i] = -1;
  for (int i = 0; i < n; i++) {
    const char* name = names + address[i];
    if (!*name) continue;
    uint64_t slot = hashName(name) % slots;
    while (map[slot] >= 0) slot = slot + 1 == slots ? 0 : slot + 1;
    map[slot] = i;
  }
}

void sn_setNamesMap(snModel* m) {
  int* section = m->names_map;
#define X(type, size, address)                              \
  fillSection(section, (int)m->size, m->names, m->address); \
  section += 2 * m->size;
  SN_NAMED(X)
#undef X
  SN_ASSERT(section == m->names_map + m->nnames_map);
}

// find a name in the section of its type
static int lookUp(const int* map, int n, const char* names, const int* address, const char* name) {
  SN_ASSERT(n >= 0);
  uint64_t slots = 2 * (uint64_t)n;
  if (!n) return -1;
  uint64_t slot = hashName(name) % slots;
  for (uint64_t probe = 0; probe < slots && map[slot] >= 0; probe++) {
    int id = map[slot];
    if (id < n && strcmp(names + address[id], name) == 0) return id;
    slot = slot + 1 == slots ? 0 : slot + 1;
  }
  return -1;
}

int sn_name2id(const snModel* m, int type, const char* name) {
  if (!name || !*name) return -1;
  if (type == snOBJ_XBODY) type = snOBJ_BODY;
  const int* section = m->names_map;
#define X(object, size, address)                                                        \
  if (type == object) return lookUp(section, (int)m->size, m->names, m->address, name); \
  section += 2 * m->size;
  SN_NAMED(X)
#undef X
  return -1;
}

const char* sn_id2name(const snModel* m, int type, int id) {
  if (type == snOBJ_XBODY) type = snOBJ_BODY;
#define X(object, size, address)                                        \
  if (type == object) {                                                 \
    if (id < 0 || id >= (int)m->size) return NULL;                      \
    return m->names[m->address[id]] ? m->names + m->address[id] : NULL; \
  }
  SN_NAMED(X)
#undef X
  return NULL;
}
