// How the engine spreads work over the team that steps one world.
//
// A team is one thread on a CPU; on a GPU it is a warp, a part of one, or one thread. All lanes of a team call the same
// functions of the engine. Every lane may read all memory, but each address is written by one lane only, between
// two barriers. Loops and atomics:
//
//   SN_FOR(i, n)  a loop of independent iterations: lane k of L takes iterations k, k + L, k + 2 L ...
//   SN_SYNC()     a barrier. Needed between a write and a read by another lane, and between a read and the next
//                 write by another lane. All lanes of a team enter and leave a stage at the same barrier.
//   SN_RAISE(x)   sets a flag (a byte) that several lanes may set.
//   SN_LOWER(x, value)  atomic minimum of an int; returns the old value. SN_PEEK(x) reads such an int.
//   SN_NEXT(x)    atomic increment; returns the old value.
//   SN_SET_BITS(x, bits), SN_CLEAR_BITS(x, bits)  a lock of several bits in an int: atomic or, which returns the old
//                 value and acquires; atomic and, which releases.
//
// There are three ways to work outside the team. In them a lane is a team of one (SN_LANES is 1, the plan is empty): it
// may call any function of the engine and runs its SN_FOR loops whole. They differ in who runs:
//
//   SN_ALONE statement  every lane, each by itself: in the body of an SN_FOR that calls functions which have
//                       SN_FOR loops of their own;
//   SN_ONE statement    the first lane; the others go on at once, without waiting;
//   SN_SOLO(call)       the first lane, and the others wait (SN_ONE, then SN_SYNC): a stage that is not worth sharing.
//
// Do not leave these statements by return, break or goto.
//
// Local variables are private to a lane. Either all lanes of a team call the arena's functions together, or one lane
// calls them inside SN_ONE, SN_SOLO or SN_ALONE while no other one does (base/arena.h).
//
// With SN_TEAM_THREADS the lanes are threads of a CPU (tests/engine/lanes): tests compare teams of any size with a
// single lane, and the thread sanitizer finds addresses that two lanes write.

#ifndef SINEW_BASE_TEAM_H_
#define SINEW_BASE_TEAM_H_

#include "base/instructions.h"
#include "sinew/types.h"

#ifndef __cplusplus
#define alignas _Alignas
#endif

#if defined(SN_DEVICE) || defined(SN_TEAM_THREADS)
#define SN_TEAM

// What a lane knows of its team, in one int ("view"). From the lowest bit: its number (5 bits); log2 of the lanes that
// the kernel gave the team, which a lane that works alone keeps (3 bits); the number of lanes, a power of two (6 bits);
// and the plan of the step (engine/step/plan.h), which is empty for a lane that works alone.
enum {
  SN_VIEW_LOG = 5,
  SN_VIEW_LOGS = 7 << SN_VIEW_LOG,
  SN_VIEW_ALONE = 1 << 8,
  SN_VIEW_PLAN = 14
};
#define SN_LANE (sn_teamView() & 31)
#define SN_LANES (sn_teamView() >> 8 & 63)
#define SN_PLAN (sn_teamView() >> SN_VIEW_PLAN)
#define SN_SET_PLAN(plan) \
  sn_setTeamView((sn_teamView() & ((1 << SN_VIEW_PLAN) - 1)) | (plan) << SN_VIEW_PLAN)
#ifdef SN_DEVICE  // a lane has few iterations: the code before an unrolled loop would take longer than they do
#define SN_PLAIN_LOOP _Pragma("unroll 1")
#else
#define SN_PLAIN_LOOP
#endif
#define SN_FOR(i, n) \
  SN_PLAIN_LOOP for (int i = SN_LANE, i##_lanes = SN_LANES; i < (int)(n); i += i##_lanes)
#define SN_SYNC() sn_teamSync()
#define SN_ALONE for (int sn_view = sn_enterAlone(1); sn_view; sn_view = sn_leaveAlone(sn_view))
#define SN_ONE \
  for (int sn_view = sn_enterAlone(SN_LANE == 0); sn_view; sn_view = sn_leaveAlone(sn_view))
#ifdef SN_DEVICE
#define SN_RAISE(x) ((x) = 1)
#define SN_LOWER(x, value) atomicMin(&(x), value)
#define SN_PEEK(x) (*(const volatile int*)&(x))
#define SN_NEXT(x) atomicAdd(&(x), 1)
#define SN_SET_BITS(x, bits) atomicOr(&(x), bits)
#define SN_CLEAR_BITS(x, bits) (__threadfence_block(), atomicAnd(&(x), ~(bits)))
#else
#define SN_RAISE(x) __atomic_store_n(&(x), 1, __ATOMIC_RELAXED)
#define SN_LOWER(x, value) sn_lower(&(x), value)
#define SN_PEEK(x) __atomic_load_n(&(x), __ATOMIC_RELAXED)
#define SN_NEXT(x) __atomic_fetch_add(&(x), 1, __ATOMIC_RELAXED)
#define SN_SET_BITS(x, bits) __atomic_fetch_or(&(x), bits, __ATOMIC_ACQUIRE)
#define SN_CLEAR_BITS(x, bits) __atomic_fetch_and(&(x), ~(bits), __ATOMIC_RELEASE)
static inline int sn_lower(int* x, int value) {
  int before = __atomic_load_n(x, __ATOMIC_RELAXED);
  while (value < before &&
         !__atomic_compare_exchange_n(x, &before, value, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return before;
}
#endif
#define SN_SOLO(call) \
  do {                \
    SN_ONE { call; }  \
    SN_SYNC();        \
  } while (0)

#else
#define SN_LANE 0
#define SN_LANES 1
#define SN_PLAIN_LOOP
#define SN_FOR(i, n) for (int i = 0; i < (int)(n); i++)
#define SN_SYNC() ((void)0)
#define SN_ALONE
#define SN_ONE
#define SN_RAISE(x) __atomic_store_n(&(x), 1, __ATOMIC_RELAXED)  // threads share pairs of bodies
#define SN_LOWER(x, value) sn_lower(&(x), value)
#define SN_PEEK(x) (x)
#define SN_NEXT(x) ((x)++)
static inline int sn_lower(int* x, int value) {
  int before = *x;
  if (value < before) *x = value;
  return before;
}
#define SN_SOLO(call) \
  do {                \
    call;             \
  } while (0)
#endif

// A function that is too long to be inlined: a GPU would fetch the instructions of every copy.
#ifdef SN_DEVICE
#define SN_OUTLINE __noinline__
#else
#define SN_OUTLINE
#endif

// A stage of a step, or a large part of one: inlined in the kernel that steps worlds on a GPU (gpu/step_kernel.cu lists
// the files). A function that is called has to save registers of its caller, and NVRTC loads the
// descriptor of global memory before each of its accesses.
#ifdef SN_DEVICE
#define SN_STAGE __attribute__((always_inline))
#else
#define SN_STAGE
#endif

// Loops that a GPU has to unroll, because arrays in registers cannot be indexed at run time.
#ifdef SN_DEVICE
#define SN_UNROLL _Pragma("unroll")
#define SN_UNROLL4 _Pragma("unroll 4")
#else
#define SN_UNROLL
#define SN_UNROLL4
#endif

// ---- reductions, scans and shuffles: every lane calls, and every lane gets the result ----------------

#if defined(SN_DEVICE)

#include "base/warp.h"

#elif defined(SN_TEAM_THREADS)

SN_EXTERN_C_BEGIN
int sn_teamView(void);
void sn_setTeamView(int view);
void sn_teamSync(void);
snReal sn_teamSum(snReal x);
void sn_teamSum3(snReal* x, snReal* y, snReal* z);
int sn_teamSumInt(int x);
int sn_teamMaxInt(int x);
int sn_teamAny(int x);
int sn_teamScan(int x, int* total);
snReal sn_teamFrom(snReal x, int lane);
int sn_teamFromInt(int x, int lane);
void* sn_teamFirst(void* x);

// Take the poses of single precision on GPUs, snPLAN_QUICK_POSES (engine/step/plan.c).
extern int sn_team_quick_poses;

// Run the work on so many threads, each of which is a lane.
void sn_teamRun(int lanes, void (*work)(void*), void* argument);
SN_EXTERN_C_END

#else

static inline snReal sn_teamSum(snReal x) { return x; }
static inline void sn_teamSum3(snReal* x, snReal* y, snReal* z) { (void)x, (void)y, (void)z; }
static inline int sn_teamSumInt(int x) { return x; }
static inline int sn_teamMaxInt(int x) { return x; }
static inline int sn_teamAny(int x) { return x != 0; }
static inline int sn_teamScan(int x, int* total) {
  *total = x;
  return 0;
}
static inline snReal sn_teamFrom(snReal x, int lane) {
  (void)lane;
  return x;
}
static inline int sn_teamFromInt(int x, int lane) {
  (void)lane;
  return x;
}
static inline void* sn_teamFirst(void* x) { return x; }

#endif

// log2 of the lanes of the largest team
#if defined(SN_TEAM_LANES) && SN_TEAM_LANES == 16
#define SN_LOG_LANES 4
#else
#define SN_LOG_LANES 5
#endif

#ifndef SN_DEVICE
#define SN_WARP_LANES SN_LANES
#define sn_warpSync() SN_SYNC()
#define sn_warpRank(yes, total) sn_teamRank(yes, total)
#define sn_warpAny(x) sn_teamAny(x)
#define sn_warpMaxInt(x) sn_teamMaxInt(x)
#define sn_warpFromInt(x, lane) sn_teamFromInt(x, (lane) & (SN_LANES - 1))
#define sn_warpFrom(x, lane) sn_teamFrom(x, (lane) & (SN_LANES - 1))
#define sn_warpFromPart(x, lane, width) sn_teamFrom(x, (SN_LANE & -(width)) + (lane))
static inline int sn_teamRank(int yes, int* total) { return sn_teamScan(yes != 0, total); }
static inline unsigned sn_warpBallot(int yes) {
  return (unsigned)sn_teamSumInt(yes ? (int)(1u << SN_LANE) : 0);
}
static inline unsigned sn_teamOr(unsigned x) {
  unsigned all = 0;
  for (int lane = 0; lane < SN_LANES; lane++) all |= (unsigned)sn_teamFromInt((int)x, lane);
  return all;
}
static inline void sn_warpSums(snReal* x, int n) {
  for (int i = 0; i < n; i++) x[i] = sn_teamSum(x[i]);
}
#endif

// Bit k: lane k of the team passes a yes. The team is a warp or one lane.
static inline unsigned sn_teamBallot(int yes) {
  return SN_LANES > 1 ? sn_warpBallot(yes) : (unsigned)(yes != 0);
}

// A set of lanes, one bit each: how many there are, and the first one of a set that is not empty.
static inline int sn_countBits(unsigned set) {
#ifdef SN_DEVICE
  return __popc(set);
#else
  int n = 0;
  for (; set; set &= set - 1) n++;
  return n;
#endif
}

static inline int sn_firstBit(unsigned set) {
#ifdef SN_DEVICE
  return __ffs((int)set) - 1;
#else
  return sn_countBits((set & (0u - set)) - 1u);
#endif
}

// This lane's share of n components: [*begin, returned end). Each lane then sums its own components over all terms in
// their order. A team of one has all of them.
static inline int sn_shareOf(int n, int* begin) {
  int lanes = SN_LANES, part = lanes >= n ? 1 : (n + lanes - 1) / lanes, first = SN_LANE * part;
  *begin = first < n ? first : n;
  return first + part < n ? first + part : n;
}

// Does a pointer lead to the fast (shared) memory of the team? SN_FAST tells the compiler that it does: a load then
// takes one instruction instead of three.
#if defined(SN_DEVICE)
static inline int sn_isFast(const void* x) { return __isShared(x); }
static inline const void* sn_fast(const void* x) {
  __builtin_assume(__isShared(x));
  return x;
}
#define SN_FAST(type, x) ((type*)sn_fast(x))
#else
static inline int sn_isFast(const void* x) { return x != NULL; }
#define SN_FAST(type, x) ((type*)(x))
#endif

#ifdef SN_TEAM
// Makes this lane a team of one; returns the view to restore. 0: the lane does not run the statement.
static inline int sn_enterAlone(int meant) {
  int view = sn_teamView();
  if (!meant) return 0;
  sn_setTeamView(SN_VIEW_ALONE | (view & SN_VIEW_LOGS));
  return view;
}

static inline int sn_leaveAlone(int view) {
  sn_setTeamView(view);
  return 0;
}
#endif

#ifdef __CUDACC__
#define SN_FN __host__ __device__
#else
#define SN_FN
#endif

// built with the address sanitizer
#if defined(__SANITIZE_ADDRESS__)
#define SN_ASAN
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SN_ASAN
#endif
#endif

#if defined(__GNUC__) || defined(__CUDACC__)
#define SN_RESTRICT __restrict__
#else
#define SN_RESTRICT
#endif

#endif  // SINEW_BASE_TEAM_H_
