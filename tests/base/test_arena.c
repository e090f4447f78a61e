// The arena of snData: frames nest, overflow is an error and not a crash.

#include "harness.h"

#include "base/arena.h"
#include "base/error.h"
#include "model/memory.h"

static snModel* model;
static snData* data;

static int setUp(void** state) {
  (void)state;
  snModel sizes = {0};
  sizes.nv = 3;
  sizes.narena = 4096;
  model = sn_allocModel(&sizes);
  data = sn_allocData(model);
  return !(model && data);
}

static int tearDown(void** state) {
  (void)state;
  sn_deleteData(data);
  sn_deleteModel(model);
  return 0;
}

static char assertion[300];
static void keepAssertion(const char* condition, const char* file, int line) {
  (void)file, (void)line;
  strncpy(assertion, condition, sizeof(assertion) - 1);
}

static void framesNest(void** state) {
  (void)state;
  sn_markStack(data);
  size_t outer = data->pstack;
  snReal* a = SN_STACK(data, snReal, 10);
  a[9] = 1;
  sn_markStack(data);
  int* b = SN_STACK(data, int, 7);
  b[6] = 2;
  sn_freeStack(data);
  assert_close(a[9], 1, 0);
  assert_true(data->pstack >= outer + 10 * sizeof(snReal));
  sn_freeStack(data);
  assert_int_equal(data->pstack, 0);
  assert_int_equal(data->pbase, 0);
}

static void allocationsAreAligned(void** state) {
  (void)state;
  sn_markStack(data);
  for (int i = 0; i < 20; i++) {
    SN_STACK(data, char, i);
    assert_int_equal((uintptr_t)SN_STACK(data, snReal, 1) % sizeof(snReal), 0);
    assert_int_equal((uintptr_t)sn_stackAlloc(data, 8, 64) % 64, 0);
  }
  sn_freeStack(data);
}

static void overflowGivesNull(void** state) {
  (void)state;
  sn_markStack(data);
  assert_null(SN_STACK(data, snReal, 1000));
  assert_null(sn_stackAlloc(data, SIZE_MAX, 8));
  assert_null(sn_arenaAlloc(data, 5000, 8));
  assert_null(sn_arenaAlloc(data, SIZE_MAX, 8));
  assert_non_null(SN_STACK(data, snReal, 10));
  sn_freeStack(data);
}

static void regionsNeverOverlap(void** state) {
  (void)state;
  char* low = (char*)sn_arenaAlloc(data, 2000, 64);
  assert_non_null(low);
  sn_markStack(data);
  char* high = SN_STACK(data, char, 2000);
  assert_true(!high || high >= low + 2000);
  assert_null(SN_STACK(data, char, 2000));
  sn_freeStack(data);
  data->parena = 0;
}

// a frame that finds the arena full is closed by its own sn_freeStack, not the caller's
static void lostFramesKeepTheirPlace(void** state) {
  (void)state;
  sn_markStack(data);
  size_t base = data->pbase;
  while (SN_STACK(data, char, 1)) {
  }
  size_t stack = data->pstack;
  sn_markStack(data);
  sn_markStack(data);
  assert_int_equal(data->nlostframe, 2);
  sn_freeStack(data);
  sn_freeStack(data);
  assert_int_equal(data->nlostframe, 0);
  assert_int_equal(data->pbase, base);
  assert_int_equal(data->pstack, stack);
  sn_freeStack(data);
  assert_int_equal(data->pbase, 0);
  assert_int_equal(data->pstack, 0);
}

// what a lost frame would not give back is not handed out, even where it would fit
static void lostFramesHoldNothing(void** state) {
  (void)state;
  int lost = 0;
  for (size_t left = 0; left < 300; left += 4) {
    sn_markStack(data);
    size_t room = (size_t)data->narena - data->parena - data->pstack;
    SN_STACK(data, char, room - left);
    size_t stack = data->pstack;
    sn_markStack(data);
    if (data->nlostframe) {
      assert_null(SN_STACK(data, char, 1));
      assert_int_equal(data->pstack, stack);
      lost++;
    }
    sn_freeStack(data);
    assert_int_equal(data->pstack, stack);
    sn_freeStack(data);
  }
  assert_true(lost > 0);
}

static void unbalancedFreeIsAnError(void** state) {
  (void)state;
  sn_freeStack(data);
  assert_int_equal(data->pstack, 0);
}

// test builds know whose each piece is, the latest first; release builds keep no list
static void piecesAreNamedInTestBuilds(void** state) {
  (void)state;
  snStackPiece pieces[4];
  assert_int_equal(sn_stackPieces(data, pieces, 4), 0);
  sn_markStack(data);
  SN_STACK(data, snReal, 10);
  SN_STACK(data, char, 3);
  int count = sn_stackPieces(data, pieces, 2);
#ifdef SN_ASSERTS
  assert_int_equal(count, 3);  // the frame is one
  assert_int_equal(pieces[0].bytes, 3);
  assert_int_equal(pieces[1].bytes, 10 * sizeof(snReal));
  assert_string_equal(pieces[0].owner, "piecesAreNamedInTestBuilds");

  // what is not given back is reported with its name
  sn_setAssertHandler(keepAssertion);
  sn_checkStack(data, 0, 0, "a step");
  assert_non_null(strstr(assertion, "a step"));
  assert_non_null(strstr(assertion, "piecesAreNamedInTestBuilds"));
  sn_setAssertHandler(NULL);
#else
  assert_int_equal(count, 0);
#endif
  sn_freeStack(data);
  assert_int_equal(sn_stackPieces(data, pieces, 4), 0);
}

// a frame is closed by the function that opened it
static void openForTheCaller(void) { sn_markStack(data); }

static void framesHaveOwners(void** state) {
  (void)state;
  sn_setAssertHandler(keepAssertion);
  assertion[0] = 0;
  sn_markStack(data);
  sn_freeStack(data);
  assert_string_equal(assertion, "");
  openForTheCaller();
  sn_freeStack(data);
#ifdef SN_ASSERTS
  assert_non_null(strstr(assertion, "framesHaveOwners closes the stack frame of openForTheCaller"));
#else
  assert_string_equal(assertion, "");
#endif
  sn_setAssertHandler(NULL);
}

// an assertion that fails goes to the handler in a test build, and is not even computed in a release
static int computed;
static int compute(void) { return computed = 1; }

static void assertionsGoToTheHandler(void** state) {
  (void)state;
  sn_setAssertHandler(keepAssertion);
  assertion[0] = 0;
  SN_ASSERT(compute() == 2);
  SN_ASSERT_INDEX(3, 3);
#ifdef SN_ASSERTS
  assert_int_equal(computed, 1);
  assert_string_equal(assertion, "(3) >= 0 && (3) < (3)");
#else
  assert_int_equal(computed, 0);
  assert_string_equal(assertion, "");
#endif
  sn_setAssertHandler(NULL);
}

// an allocation that does not fit leaves everything as it was, whatever its size
static void everySizeFitsOrIsRefused(void** state) {
  (void)state;
  for (size_t bytes = 3600; bytes <= 4200; bytes++) {
    sn_markStack(data);
    size_t stack = data->pstack;
    char* piece = SN_STACK(data, char, bytes);
    if (piece) {
      memset(piece, 1, bytes);
      assert_true(piece >= (char*)data->arena);
      assert_true(piece + bytes <= (char*)data->arena + data->narena);
    } else {
      assert_int_equal(data->pstack, stack);
    }
    sn_freeStack(data);
    assert_int_equal(data->pstack, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(framesNest),
      cmocka_unit_test(allocationsAreAligned),
      cmocka_unit_test(overflowGivesNull),
      cmocka_unit_test(regionsNeverOverlap),
      cmocka_unit_test(lostFramesKeepTheirPlace),
      cmocka_unit_test(lostFramesHoldNothing),
      cmocka_unit_test(unbalancedFreeIsAnError),
      cmocka_unit_test(piecesAreNamedInTestBuilds),
      cmocka_unit_test(framesHaveOwners),
      cmocka_unit_test(assertionsGoToTheHandler),
      cmocka_unit_test(everySizeFitsOrIsRefused),
  };
  return cmocka_run_group_tests(tests, setUp, tearDown);
}
