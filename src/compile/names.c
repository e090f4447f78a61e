#include "compile/names.h"

snSize sn_countNamesMap(const snModel* m) {
  snSize count = 0;
#define X(type, size, address) count += 2 * m->size;
  SN_NAMED(X)
#undef X
  return count;
}

static uint64_t hashName(const char* name) {
  uint64_t hash = 5381;
  for (; *name; name++) hash = ((hash << 5) + hash) ^ (uint64_t)(int64_t)(signed char)*name;
  return hash;
}

// open addressing with linear probing; unnamed objects are not inserted
static void fillSection(int* map, int n, const char* names, const int* address) {
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
#define X(type, size, address)                                        \
  fillSection(section, (int)m->size, m->names, m->address);           \
  section += 2 * m->size;
  SN_NAMED(X)
#undef X
}
