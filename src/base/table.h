// A table of names, each with a number: finding one takes the same time in a large table as in a small.

#ifndef SINEW_BASE_TABLE_H_
#define SINEW_BASE_TABLE_H_

#include "base/pool.h"

SN_EXTERN_C_BEGIN

typedef struct snTable_ {
  const char** names;  // NULL: a free slot; the texts stay where they are
  int* values;
  unsigned mask;  // number of slots less one, a power of two less one
} snTable;

// Room for a number of names, in a pool. Returns 0 when memory is short.
int sn_tableMake(snTable* table, snPool* pool, int count);

// Value of a name, -1 when it is not in the table.
int sn_tableFind(const snTable* table, const char* name);

// Give a name a value, another one when it has one already. No more names than there is room for.
void sn_tableSet(snTable* table, const char* name, int value);

SN_EXTERN_C_END

#endif  // SINEW_BASE_TABLE_H_
