// Soundness of a model: every index that the engine will follow stays inside its array.
//
// What an entry may be is a column of the field table (sinew/model_fields.h, model/rule.h). Here are
// the checks that the rules ask for, in 64 bits; what no rule can say is in validate_*.c.

#include "model/validate.h"

#include <math.h>

#include "base/assert.h"
#include "base/error.h"
#include "model/binary.h"
#include "model/rule.h"

// The model, and the first thing that is wrong with it.
typedef struct Inspection_ {
  const snModel* m;
  char* reason;
  int reason_sz;
} Inspection;

static const void* at(const snModel* m, size_t place) { return (const char*)m + place; }

static int misplaced(const Inspection* in, const snRule* rule, snSize i, snSize low, snSize end) {
  snSize entry = sn_ruleEntry(in->m, rule, i);
  if (entry >= low && entry < end) return 0;
  char place[40] = "";
  if (!rule->single) sn_formatError(place, sizeof(place), "[%lld]", (long long)i);
  sn_formatError(in->reason, in->reason_sz, "%s%s is out of bounds: %lld is not in [%lld, %lld)",
                 rule->name, place, (long long)entry, (long long)low, (long long)end);
  return 1;
}

static int wrong(const Inspection* in, const snRule* rule, const char* why) {
  sn_formatError(in->reason, in->reason_sz, "%s %s", rule->name, why);
  return 1;
}

// ---- one check per kind of rule: 1 when it does not hold ----

// entries in [low, end)
static int checkRange(const Inspection* in, const snRule* rule, snSize low, snSize end) {
  snSize n = sn_ruleEntries(in->m, rule);
  for (snSize i = 0; i < n; i++) {
    if (misplaced(in, rule, i, low, end)) return 1;
  }
  return 0;
}

static int checkContactDimension(const Inspection* in, const snRule* rule) {
  snSize n = sn_ruleEntries(in->m, rule);
  for (snSize i = 0; i < n; i++) {
    snSize dim = sn_ruleEntry(in->m, rule, i);
    if (dim != 1 && dim != 3 && dim != 4 && dim != 6) return wrong(in, rule, "is not 1, 3, 4 or 6");
  }
  return 0;
}

static int checkBefore(const Inspection* in, const snRule* rule) {
  snSize n = sn_ruleEntries(in->m, rule);
  for (snSize i = 0; i < n; i++) {
    if (misplaced(in, rule, i, rule->low, i || rule->low < 0 ? i : 1)) return 1;
  }
  return 0;
}

static int checkSum(const Inspection* in, const snRule* rule) {
  snSize n = sn_ruleEntries(in->m, rule), sum = 0;
  for (snSize i = 0; i < n; i++) {
    if (misplaced(in, rule, i, 0, (snSize)INT32_MAX + 1)) return 1;
    sum += sn_ruleEntry(in->m, rule, i);
  }
  return sum == *(const snSize*)at(in->m, rule->size)
             ? 0
             : wrong(in, rule, "does not add up to the size that it counts");
}

static int checkSlice(const Inspection* in, const snRule* rule) {
  snSize n = sn_ruleEntries(in->m, rule);
  snSize size = *(const snSize*)at(in->m, rule->size) * (snSize)rule->bound;
  for (snSize i = 0; i < n; i++) {
    snSlice slice = sn_ruleSlice(in->m, rule, i);
    if (slice.count < 0) return wrong(in, rule, "has a negative length");
    snSize low = slice.count ? 0 : -1, last = slice.count || !rule->low ? size - slice.count : -1;
    if (misplaced(in, rule, i, low, last + 1)) return 1;
  }
  return 0;
}

static int checkUnit(const Inspection* in, const snRule* rule) {
  SN_ASSERT(rule->type == 'r' && rule->columns == 4);
  const snReal* quat = *(snReal* const*)at(in->m, rule->field);
  snSize n = *(const snSize*)at(in->m, rule->rows);
  for (snSize i = 0; i < n; i++, quat += 4) {
    snReal square = quat[0] * quat[0] + quat[1] * quat[1] + quat[2] * quat[2] + quat[3] * quat[3];
    // files may say NaN, which MuJoCo takes as well
    if (square != 0 && fabs((double)square - 1) >= 1e-3) return wrong(in, rule, "is not unit");
  }
  return 0;
}

static int checkText(const Inspection* in, const snRule* rule) {
  const char* text = *(char* const*)at(in->m, rule->field);
  snSize n = *(const snSize*)at(in->m, rule->rows) * rule->columns;
  return n && text[n - 1] ? wrong(in, rule, "does not end in zero") : 0;
}

// Row i names the owner in whose slice it lies. Lengths add up to the number of rows, so no slices
// overlap and none is left out.
static int checkMember(const Inspection* in, const snRule* rule) {
  const snRule* starts = sn_ruleAt(rule->other);
  snSize n = sn_ruleEntries(in->m, rule), owners = sn_ruleEntries(in->m, starts);
  SN_ASSERT(starts->kind == snRULE_SLICE && rule->columns == 1);
  for (snSize i = 0; i < n; i++) {
    if (misplaced(in, rule, i, 0, owners)) return 1;
    snSlice slice = sn_ruleSlice(in->m, starts, sn_ruleEntry(in->m, rule, i));
    if (i < slice.begin || i >= slice.begin + slice.count) {
      sn_formatError(in->reason, in->reason_sz, "%s disagrees with %s", starts->name, rule->name);
      return 1;
    }
  }
  return 0;
}

static int checkLocal(const Inspection* in, const snRule* rule) {
  const snRule* starts = sn_ruleAt(rule->other);
  const int* bound = *(int* const*)at(in->m, rule->bound);
  snSize owners = sn_ruleEntries(in->m, starts), columns = rule->columns;
  SN_ASSERT(starts->kind == snRULE_SLICE && (bound || !owners));
  for (snSize owner = 0; owner < owners; owner++) {
    snSlice slice = sn_ruleSlice(in->m, starts, owner);
    for (snSize i = 0; i < slice.count * columns; i++) {
      if (misplaced(in, rule, slice.begin * columns + i, rule->low, bound[owner])) return 1;
    }
  }
  return 0;
}

static int checkColumns(const Inspection* in, const snRule* rule) {
  const snRule* starts = sn_ruleAt(rule->other);
  const int* column = *(int* const*)at(in->m, rule->field);
  SN_ASSERT(starts && starts->kind == snRULE_SLICE && rule->type == 'i');
  if (checkRange(in, rule, 0, *(const snSize*)at(in->m, rule->size))) return 1;
  snSize rows = sn_ruleEntries(in->m, starts);
  for (snSize row = 0; row < rows; row++) {
    snSlice slice = sn_ruleSlice(in->m, starts, row);
    for (snSize k = slice.begin; k < slice.begin + slice.count - 1; k++) {
      if (column[k] >= column[k + 1]) return wrong(in, rule, "is not increasing");
    }
  }
  return 0;
}

// a function is called for the first of the fields that refer to it
static int checkFunction(const Inspection* in, const snRule* rule) {
  SN_ASSERT(rule->kind == snRULE_SEE && rule->check);
  int count;
  const snRule* first = sn_rules(&count);
  while (first->kind != snRULE_SEE || first->check != rule->check) first++;
  const char* problem = first == rule ? rule->check(in->m) : NULL;
  if (problem) sn_formatError(in->reason, in->reason_sz, "%s", problem);
  return problem != NULL;
}

static int checkRule(const Inspection* in, const snRule* rule) {
  switch (rule->kind) {
    case snRULE_FREE: return 0;
    case snRULE_RANGE:
      return checkRange(in, rule, rule->low, rule->high < INT64_MAX ? rule->high + 1 : INT64_MAX);
    case snRULE_BELOW:
      return checkRange(in, rule, rule->low, *(const snSize*)at(in->m, rule->size));
    case snRULE_CONDIM: return checkContactDimension(in, rule);
    case snRULE_BEFORE: return checkBefore(in, rule);
    case snRULE_SUM: return checkSum(in, rule);
    case snRULE_SLICE: return checkSlice(in, rule);
    case snRULE_UNIT: return checkUnit(in, rule);
    case snRULE_TEXT: return checkText(in, rule);
    case snRULE_MEMBER: return checkMember(in, rule);
    case snRULE_LOCAL: return checkLocal(in, rule);
    case snRULE_COLUMNS: return checkColumns(in, rule);
    case snRULE_SEE: return checkFunction(in, rule);
  }
  return 0;
}

// sizes that are not said to be something else count things that have numbers of 32 bits
static int checkSizes(const Inspection* in) {
  int count;
  const snRule* rules = sn_rules(&count);
  for (int i = 0; i < count; i++) {
    if (rules[i].single && rules[i].kind == snRULE_SEE &&
        misplaced(in, rules + i, 0, 0, (snSize)INT32_MAX + 1)) {
      return 1;
    }
  }
  if (in->m->nbody < 1) sn_formatError(in->reason, in->reason_sz, "there is no world body");
  return in->m->nbody < 1;
}

const char* sn_validateModel(const snModel* m, char* reason, int reason_sz) {
  static const snRuleKind kLast[3] = {snRULE_TEXT, snRULE_COLUMNS, snRULE_SEE};
  Inspection in = {m, reason, reason_sz};
  int count, failed = checkSizes(&in), kind = 0;
  const snRule* rules = sn_rules(&count);
  for (int phase = 0; phase < 3 && !failed; kind = kLast[phase++] + 1) {
    for (int i = 0; i < count && !failed; i++) {
      int due = (int)rules[i].kind >= kind && rules[i].kind <= kLast[phase];
      if (due) failed = checkRule(&in, rules + i);
    }
  }
  return !failed ? NULL : reason ? reason : "the model is not sound";
}
