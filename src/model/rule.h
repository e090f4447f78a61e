// Rules: what the entries of the model's fields may be, as the column of the field table says it.
//
// One row per field of sinew/model_fields.h and per integer of the options, with places of members in
// snModel in place of their names. The generic checks (validate.c) and the test that forges every
// field (tests/fuzz/forge.c) read it.

#ifndef SINEW_MODEL_RULE_H_
#define SINEW_MODEL_RULE_H_

#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// Kinds of rules, those first that need no other field to be sound.
typedef enum snRuleKind_ {
  snRULE_FREE,     // anything
  snRULE_RANGE,    // low <= entry <= high
  snRULE_BELOW,    // low <= entry < size
  snRULE_CONDIM,   // 1, 3, 4 or 6
  snRULE_BEFORE,   // low <= entry < own row
  snRULE_SUM,      // entries >= 0 that add up to size
  snRULE_SLICE,    // start of a slice: other is the field of lengths
  snRULE_UNIT,     // unit quaternions
  snRULE_TEXT,     // ends in zero
  snRULE_MEMBER,   // row whose slice holds this one: other is the field of starts
  snRULE_LOCAL,    // low <= entry < bound of the row whose slice holds it
  snRULE_COLUMNS,  // ascending in each slice, 0 <= entry < size
  snRULE_SEE,      // a function of its own
} snRuleKind;

// Entries of a slice for each unit of its length.
enum { snPER_ONE, snPER_CORNERS, snPER_EDGES, snPER_SHELL };

// NULL when this part of a model is sound, else what is wrong. Runs when all other kinds of rules hold.
typedef const char* (*snRuleCheck)(const snModel* m);

typedef struct snRule_ {
  const char* name;
  char type;          // letter of the entries: i int, b byte, s size, r real, f float, c char
  int columns;        // of a field of integers or bytes; 4 for unit quaternions
  size_t field;       // place of the pointer to the entries; of an option: of the integer itself
  size_t rows;        // place of the number of rows
  int single;         // the field is one integer, not an array
  snRuleKind kind;    //
  snSize low, high;   // constants; SLICE: 1 when empty ones are -1, entries per unit of length
  size_t size;        // place of the size
  size_t other;       // place of the field of lengths (SLICE) or of starts (MEMBER, LOCAL, COLUMNS)
  size_t bound;       // place of the field of bounds (LOCAL); SLICE: entries per unit of the size
  snRuleCheck check;  // SEE
} snRule;

// All rules; the number of them is stored in count.
const snRule* sn_rules(int* count);

// The rule of the field at a place of snModel; NULL: none.
const snRule* sn_ruleAt(size_t field);

// Number of entries of a field, and the i-th entry of a field of integers.
snSize sn_ruleEntries(const snModel* m, const snRule* rule);
snSize sn_ruleEntry(const snModel* m, const snRule* rule, snSize i);

// First entry and number of entries of slice i of a field with the rule SLICE; -1 entries: impossible.
typedef struct snSlice_ {
  snSize begin, count;
} snSlice;
snSlice sn_ruleSlice(const snModel* m, const snRule* rule, snSize i);

SN_EXTERN_C_END

#endif  // SINEW_MODEL_RULE_H_
