#include "model/rule.h"

#include <stddef.h>

#include "base/assert.h"
#include "model/flex_lists.h"
#include "model/validate.h"

#define PLACE(member) offsetof(snModel, member)

// the rules by name: kind, low, high, size, other, bound, check
#define INT_FREE snRULE_FREE, 0, 0, 0, 0, 0, NULL
#define INT_BOOL INT_RANGE(0, 1)
#define INT_RANGE(low, high) snRULE_RANGE, low, high, 0, 0, 0, NULL
#define INT_CONDIM snRULE_CONDIM, 0, 0, 0, 0, 0, NULL
#define INT_COUNT snRULE_RANGE, 0, INT64_MAX, 0, 0, 0, NULL
#define INT_ID(size) snRULE_BELOW, 0, 0, PLACE(size), 0, 0, NULL
#define INT_ID_OR_NONE(size) snRULE_BELOW, -1, 0, PLACE(size), 0, 0, NULL
#define INT_BEFORE(low) snRULE_BEFORE, low, 0, 0, 0, 0, NULL
#define INT_SUM(size) snRULE_SUM, 0, 0, PLACE(size), 0, 0, NULL
#define INT_SLICE(num, size) snRULE_SLICE, 0, snPER_ONE, PLACE(size), PLACE(num), 1, NULL
#define INT_SLICE_OR_NONE(num, size) snRULE_SLICE, 1, snPER_ONE, PLACE(size), PLACE(num), 1, NULL
#define INT_SLICE_OF(times, num, size) \
  snRULE_SLICE, 0, snPER_ONE, PLACE(size), PLACE(num), times, NULL
#define INT_FLEX_SLICE(num, per, size) \
  snRULE_SLICE, 0, snPER_##per, PLACE(size), PLACE(num), 1, NULL
#define INT_MEMBER(adr) snRULE_MEMBER, 0, 0, 0, PLACE(adr), 0, NULL
#define INT_LOCAL(adr, low, bound) snRULE_LOCAL, low, 0, 0, PLACE(adr), PLACE(bound), NULL
#define INT_COLUMNS(adr, size) snRULE_COLUMNS, 0, 0, PLACE(size), PLACE(adr), 0, NULL
#define INT_SEE(function) snRULE_SEE, 0, 0, 0, 0, 0, function
#define REAL_FREE INT_FREE
#define REAL_UNIT snRULE_UNIT, 0, 0, 0, 0, 0, NULL
#define CHAR_TEXT snRULE_TEXT, 0, 0, 0, 0, 0, NULL

// one row of the table of fields, by type
#define ROW_int(name, rows, columns, rule) \
  {#name, 'i', columns, PLACE(name), PLACE(rows), 0, INT_##rule},
#define ROW_byte(name, rows, columns, rule) \
  {#name, 'b', columns, PLACE(name), PLACE(rows), 0, INT_##rule},
#define ROW_size(name, rows, columns, rule) \
  {#name, 's', columns, PLACE(name), PLACE(rows), 0, INT_##rule},
#define ROW_real(name, rows, columns, rule) \
  {#name, 'r', 4, PLACE(name), PLACE(rows), 0, REAL_##rule},
#define ROW_float(name, rows, columns, rule) \
  {#name, 'f', 1, PLACE(name), PLACE(rows), 0, REAL_##rule},
#define ROW_char(name, rows, columns, rule) \
  {#name, 'c', columns, PLACE(name), PLACE(rows), 0, CHAR_##rule},

// sizes are single numbers of 64 bits; addresses and ids of 32 bits must reach all that they count
#define SIZE_COUNT INT_RANGE(0, INT32_MAX)
// a limit below 0 is none, as in MuJoCo
#define SIZE_LIMIT INT_RANGE(INT32_MIN, INT32_MAX)
#define SIZE_BYTES INT_RANGE(0, (snSize)1 << 46)
#define SIZE_SEE(function) INT_SEE(function)

static const snRule kRules[] = {
#define X(name, rule, meaning) {#name, 's', 1, PLACE(name), 0, 1, SIZE_##rule},
    SN_MODEL_SIZES(X)
#undef X
#define X(type, name, rows, columns, stage, rule, meaning) ROW_##type(name, rows, columns, rule)
        SN_MODEL_FIELDS(X)
#undef X
#define NOTHING(...)
#define I(name, rule) {"opt." #name, 'i', 1, PLACE(opt.name), 0, 1, INT_##rule},
            SN_OPTION_FIELDS(NOTHING, NOTHING, I)
#undef I
#undef NOTHING
};

const snRule* sn_rules(int* count) {
  *count = (int)(sizeof(kRules) / sizeof(kRules[0]));
  return kRules;
}

const snRule* sn_ruleAt(size_t field) {
  int count;
  const snRule* rules = sn_rules(&count);
  for (int i = 0; i < count; i++) {
    if (rules[i].field == field) return rules + i;
  }
  return NULL;
}

static const void* at(const snModel* m, size_t place) { return (const char*)m + place; }

snSize sn_ruleEntries(const snModel* m, const snRule* rule) {
  return rule->single ? 1 : *(const snSize*)at(m, rule->rows) * rule->columns;
}

snSize sn_ruleEntry(const snModel* m, const snRule* rule, snSize i) {
  const void* field = at(m, rule->field);
  const void* entries = rule->single ? field : *(void* const*)field;
  SN_ASSERT_INDEX(i, sn_ruleEntries(m, rule));
  switch (rule->type) {
    case 'b': return ((const snByte*)entries)[i];
    case 's': return ((const snSize*)entries)[i];
    default: return ((const int*)entries)[i];
  }
}

// entries per unit of length in the slices of a flex
static snSize entriesPer(const snModel* m, snSize per, snSize i) {
  if (per == snPER_ONE) return 1;
  int dim = m->flex_dim[i];
  if (dim < 1 || dim > 3) return -1;
  return per == snPER_CORNERS ? dim + 1 : per == snPER_EDGES ? sn_flexEdgeNum[dim] : dim;
}

snSlice sn_ruleSlice(const snModel* m, const snRule* rule, snSize i) {
  SN_ASSERT(rule->kind == snRULE_SLICE);
  const int* length = *(int* const*)at(m, rule->other);
  snSlice slice = {sn_ruleEntry(m, rule, i), length[i] * entriesPer(m, rule->high, i)};
  return slice;
}
