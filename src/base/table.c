#include "base/table.h"

#include <string.h>

// FNV-1a
static unsigned hash(const char* name) {
  unsigned h = 2166136261u;
  for (; *name; name++) h = (h ^ (unsigned char)*name) * 16777619u;
  return h ^ (h >> 15);
}

int sn_tableMake(snTable* table, snPool* pool, int count) {
  unsigned slots = 16;
  while (slots < 2u * (unsigned)count) slots *= 2;
  table->names = SN_TAKE(pool, const char*, slots);
  table->values = SN_TAKE(pool, int, slots);
  table->mask = slots - 1;
  return table->names && table->values;
}

// slot of a name: its own, or the free one where it would be
static unsigned slotOf(const snTable* table, const char* name) {
  unsigned at = hash(name) & table->mask;
  while (table->names[at] && strcmp(table->names[at], name)) at = (at + 1) & table->mask;
  return at;
}

int sn_tableFind(const snTable* table, const char* name) {
  unsigned at = slotOf(table, name);
  return table->names[at] ? table->values[at] : -1;
}

void sn_tableSet(snTable* table, const char* name, int value) {
  unsigned at = slotOf(table, name);
  table->names[at] = name;
  table->values[at] = value;
}
