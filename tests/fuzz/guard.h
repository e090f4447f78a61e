// What a fuzzer does when a case crashes, trips a sanitizer or an assertion, or takes too long: it names the case, by
// failed(what) of the file that includes this one, and stops as it would have.

#ifndef SINEW_TESTS_FUZZ_GUARD_H_
#define SINEW_TESTS_FUZZ_GUARD_H_

#include <signal.h>
#include <sys/time.h>

static void failed(const char* what);

static void onSignal(int number) {
  failed(number == SIGPROF ? "too slow" : "crash");
  signal(number, SIG_DFL);
  raise(number == SIGPROF ? SIGABRT : number);
}

#if defined(SN_ASAN)
void __sanitizer_set_death_callback(void (*callback)(void));
const char* __asan_default_options(void);
const char* __asan_default_options(void) {
  return "allocator_may_return_null=1:detect_leaks=1:handle_abort=0:quarantine_size_mb=16";
}
static void onDeath(void) { failed("sanitizer"); }
#endif

static void guard(void) {
#if defined(SN_ASAN)
  __sanitizer_set_death_callback(onDeath);
#else
  signal(SIGSEGV, onSignal);
  signal(SIGFPE, onSignal);
#endif
  signal(SIGABRT, onSignal);  // an assertion
  signal(SIGPROF, onSignal);
}

// Processor time that a case may take from now on; 0: any.
static void setTimer(int seconds) {
  struct itimerval timer = {{0, 0}, {seconds, 0}};
  setitimer(ITIMER_PROF, &timer, NULL);
}

#endif  // SINEW_TESTS_FUZZ_GUARD_H_
