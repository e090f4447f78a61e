#include "engine/constrain/resize.h"

#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "engine/constrain/constraint.h"

int sn_reallocRows(const snModel* m, snData* d, int ncon, int nefc, int nJ) {
  int entries = nJ < 0 ? d->nJ : nJ;
  sn_clearContacts(d);
  d->contact = (snContact*)sn_arenaAlloc(d, (size_t)ncon * sizeof(snContact), sizeof(snReal));
  if (d->contact) {
    char* place = (char*)d->arena + d->parena;
    d->ncon = ncon;
    d->nefc = nefc;
    d->nJ = entries;
    SN_DATA_ARENA_ROWS(SN_ARENA_PLACE)
    if (sn_arenaTakeUpTo(d, place)) return 1;
  }
  sn_clearContacts(d);
  return 0;
}

// contacts lie together at the start of the arena
static int raiseContacts(snData* d, int count) {
  sn_clearConstraints(d);
  int more = count - d->ncon;
  snContact* added = (snContact*)sn_arenaAlloc(d, (size_t)more * sizeof(snContact), sizeof(snReal));
  if (!added) return 0;
  memset(added, 0, (size_t)more * sizeof(snContact));
  for (int k = 0; k < more; k++) added[k].efc_address = -1;
  if (!d->ncon) d->contact = added;
  d->ncon = count;
  return 1;
}

// Enlarges an array: old bytes are copied, the rest is zero. Returns 0 when the arena is full.
static int growArray(snData* d, void** array, size_t before, size_t after) {
  if (after <= before) return 1;
  char* grown = (char*)sn_arenaAlloc(d, after, sizeof(snReal));
  if (!grown) return 0;
  size_t kept = *array ? before : 0;
  if (kept) memcpy(grown, *array, kept);
  memset(grown + kept, 0, after - kept);
  *array = grown;
  return 1;
}

// The sizes in the table depend on the counter: it is set to the old and the new value in turn for each array.
static int growArrays(const snModel* m, snData* d, int* counter, int count) {
  int old = *counter;
#define X(type, name, rows, columns, stage, meaning)                     \
  {                                                                      \
    size_t width = (size_t)(columns) * sizeof(sn_type_##type);           \
    *counter = old;                                                      \
    size_t before = (size_t)(rows)*width;                                \
    *counter = count;                                                    \
    size_t after = (size_t)(rows)*width;                                 \
    if (!growArray(d, (void**)(void*)&d->name, before, after)) return 0; \
  }
  SN_DATA_ARENA(X)
#undef X
  return 1;
}

int sn_raiseCount(const snModel* m, snData* d, int* counter, int count) {
  SN_ASSERT(count >= *counter);
  if (counter == &d->ncon) return raiseContacts(d, count);
  snData before = *d;
  if (!growArrays(m, d, counter, count)) {
    *d = before;
    return 0;
  }
  if (before.efc_Js == before.efc_J) d->efc_Js = d->efc_J;
  if (before.iefc_Js == before.iefc_J) d->iefc_Js = d->iefc_J;
  return 1;
}
