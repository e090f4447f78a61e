// Blocks of models and data: layout from the table, copies that share nothing, impossible sizes.

#include "harness.h"

#include "model/memory.h"

static void arraysAreAlignedAndInside(void** state) {
  (void)state;
  snModel sizes = {0};
  sizes.nbody = 5;
  sizes.nq = 9;
  sizes.nv = 8;
  snModel* m = sn_allocModel(&sizes);
  assert_non_null(m);
  const char* begin = (const char*)m->buffer;
#define X(type, name, rows, columns, stage, rule, meaning) \
  assert_int_equal((uintptr_t)m->name % 64, 0);            \
  assert_true((const char*)m->name >= begin);              \
  assert_true((const char*)m->name <= begin + m->nbuffer);
  SN_MODEL_FIELDS(X)
#undef X
  sn_deleteModel(m);
}

static void copiesShareNothing(void** state) {
  (void)state;
  snModel sizes = {0};
  sizes.nq = 4;
  snModel* m = sn_allocModel(&sizes);
  m->qpos0[3] = 7;
  m->opt.timestep = 0.25;
  snModel* copy = sn_copyModel(NULL, m);
  m->qpos0[3] = 8;
  assert_close(copy->qpos0[3], 7, 0);
  assert_close(copy->opt.timestep, 0.25, 0);
  assert_true((char*)copy->qpos0 > (char*)copy);
  assert_true((char*)copy->qpos0 < (char*)copy + sizeof(snModel) + copy->nbuffer + 64);
  sn_deleteModel(copy);
  sn_deleteModel(m);
}

static void impossibleSizesAreRefused(void** state) {
  (void)state;
  snModel sizes = {0};
  sizes.nbody = -1;
  assert_null(sn_allocModel(&sizes));
  sizes.nbody = INT64_MAX;
  assert_null(sn_allocModel(&sizes));
  sizes.nbody = INT64_MAX / 16;
  assert_null(sn_allocModel(&sizes));
  sizes.nbody = 1;
  sizes.nkey = (snSize)1 << 40;
  sizes.nq = (snSize)1 << 40;
  assert_null(sn_allocModel(&sizes));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arraysAreAlignedAndInside),
      cmocka_unit_test(copiesShareNothing),
      cmocka_unit_test(impossibleSizesAreRefused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
