// Reductions, scans and shuffles of a team on a GPU (base/team.h has the same for threads of a CPU, and for one lane).
//
// A team is a whole warp, a part of one, or a single lane. Files in which lanes work together are compiled for
// teams of SN_TEAM_LANES, once for each size that needs them (tools/gpu_build.py).
//
// A shuffle or vote takes a mask of the lanes that take part. For a whole warp the mask is a constant. For a part
// it is not, which costs a few instructions before each shuffle, and the parts of a warp vote one after the
// other. In return the parts may diverge at any time; they converge where their paths join, at the latest at the end of
// a phase.

#ifndef SINEW_BASE_WARP_H_
#define SINEW_BASE_WARP_H_

#ifndef SN_DEVICE
#error "base/team.h includes this file on a device"
#endif

extern __shared__ int sn_team_views[];  // of the threads of the block
static inline int sn_teamView(void) { return sn_team_views[threadIdx.x]; }
static inline void sn_setTeamView(int view) { sn_team_views[threadIdx.x] = view; }

#define SN_WARP_LANES SN_TEAM_LANES

#define SN_WARP_MASK 0xffffffffu

// the first lane of the warp that belongs to this lane's part
static inline int sn_partBegin(int lanes) { return (int)(threadIdx.x & 31u) & -lanes; }

static inline unsigned sn_partMask(int lanes) {
  return ((1u << lanes) - 1u) << sn_partBegin(lanes);
}

// ---- by the lanes of a mask, which belong to one team of `lanes` lanes

// n sums by butterfly reduction
static inline void sn_sumsOf(unsigned mask, int lanes, snReal* x, int n) {
#pragma unroll
  for (int k = lanes / 2; k; k >>= 1) {
#pragma unroll
    for (int i = 0; i < n; i++) x[i] += __shfl_xor_sync(mask, x[i], k, lanes);
  }
}

static inline int sn_scanOf(unsigned mask, int lanes, int x, int* total) {
  int sum = x, lane = SN_LANE;
#pragma unroll
  for (int k = 1; k < lanes; k <<= 1) {
    int other = __shfl_up_sync(mask, sum, k, lanes);
    if (lane >= k) sum += other;
  }
  *total = __shfl_sync(mask, sum, lanes - 1, lanes);
  return sum - x;
}

static inline int sn_rankOf(unsigned mask, int, int yes, int* total) {
  unsigned set = __ballot_sync(mask, yes), before;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(before));
  *total = __popc(set);
  return __popc(set & before);
}

static inline void sn_syncOf(unsigned mask, int, int) { __syncwarp(mask); }
static inline int sn_sumIntOf(unsigned mask, int, int x) { return __reduce_add_sync(mask, x); }
static inline int sn_maxIntOf(unsigned mask, int, int x) { return __reduce_max_sync(mask, x); }
static inline unsigned sn_orOf(unsigned mask, int, unsigned x) { return __reduce_or_sync(mask, x); }
static inline int sn_anyOf(unsigned mask, int, int x) { return __any_sync(mask, x); }
static inline int sn_fromIntOf(unsigned mask, int lanes, int x, int lane) {
  return __shfl_sync(mask, x, lane, lanes);
}
static inline snReal sn_fromOf(unsigned mask, int lanes, snReal x, int lane) {
  return __shfl_sync(mask, x, lane, lanes);
}
static inline void* sn_firstOf(unsigned mask, int lanes, void* x) {
  return (void*)__shfl_sync(mask, (unsigned long long)x, 0, lanes);
}

// ---- by a team: function(mask, lanes, ...); both are constants where the team is a warp

#define SN_BY_TEAM(function, ...)                                \
  (SN_WARP_LANES == 32 ? function(SN_WARP_MASK, 32, __VA_ARGS__) \
                       : function(sn_partMask(SN_WARP_LANES), SN_WARP_LANES, __VA_ARGS__))

static inline void sn_teamSync(void) {
  if (SN_LANES > 1) SN_BY_TEAM(sn_syncOf, 0);
}

static inline snReal sn_teamSum(snReal x) {
  if (SN_LANES > 1) SN_BY_TEAM(sn_sumsOf, &x, 1);
  return x;
}

// three sums at once
static inline void sn_teamSum3(snReal* x, snReal* y, snReal* z) {
  if (SN_LANES == 1) return;
  snReal sums[3] = {*x, *y, *z};
  SN_BY_TEAM(sn_sumsOf, sums, 3);
  *x = sums[0], *y = sums[1], *z = sums[2];
}

static inline int sn_teamSumInt(int x) { return SN_LANES > 1 ? SN_BY_TEAM(sn_sumIntOf, x) : x; }
static inline int sn_teamMaxInt(int x) { return SN_LANES > 1 ? SN_BY_TEAM(sn_maxIntOf, x) : x; }
static inline int sn_teamAny(int x) { return SN_LANES > 1 ? SN_BY_TEAM(sn_anyOf, x) : x != 0; }
static inline unsigned sn_teamOr(unsigned x) { return SN_LANES > 1 ? SN_BY_TEAM(sn_orOf, x) : x; }

// Exclusive prefix sum over the lanes; *total: the sum over all.
static inline int sn_teamScan(int x, int* total) {
  if (SN_LANES > 1) return SN_BY_TEAM(sn_scanOf, x, total);
  *total = x;
  return 0;
}

// How many lanes before this one pass a yes; *total: how many of all.
static inline int sn_teamRank(int yes, int* total) {
  if (SN_LANES > 1) return SN_BY_TEAM(sn_rankOf, yes, total);
  *total = yes != 0;
  return 0;
}

// shuffle: x of the given lane
static inline snReal sn_teamFrom(snReal x, int lane) {
  return SN_LANES > 1 ? SN_BY_TEAM(sn_fromOf, x, lane) : x;
}

static inline int sn_teamFromInt(int x, int lane) {
  return SN_LANES > 1 ? SN_BY_TEAM(sn_fromIntOf, x, lane) : x;
}

static inline void* sn_teamFirst(void* x) { return SN_LANES > 1 ? SN_BY_TEAM(sn_firstOf, x) : x; }

// ---- the same for teams that are known to have SN_WARP_LANES lanes: the number is not looked up

static inline void sn_warpSync(void) { SN_BY_TEAM(sn_syncOf, 0); }
static inline int sn_warpAny(int x) { return SN_BY_TEAM(sn_anyOf, x); }
static inline int sn_warpMaxInt(int x) { return SN_BY_TEAM(sn_maxIntOf, x); }
static inline int sn_warpRank(int yes, int* total) { return SN_BY_TEAM(sn_rankOf, yes, total); }
static inline int sn_warpFromInt(int x, int lane) { return SN_BY_TEAM(sn_fromIntOf, x, lane); }
static inline snReal sn_warpFrom(snReal x, int lane) { return SN_BY_TEAM(sn_fromOf, x, lane); }
static inline void sn_warpSums(snReal* x, int n) { SN_BY_TEAM(sn_sumsOf, x, n); }

// Bit k: lane k of the team passes a yes.
static inline unsigned sn_warpBallot(int yes) {
  if (SN_WARP_LANES == 32) return __ballot_sync(SN_WARP_MASK, yes);
  return __ballot_sync(sn_partMask(SN_WARP_LANES), yes) >> sn_partBegin(SN_WARP_LANES);
}

// The team is divided into parts of `width` lanes (a power of two): x of the given lane of this lane's part.
static inline snReal sn_warpFromPart(snReal x, int lane, int width) {
  return __shfl_sync(SN_WARP_LANES == 32 ? SN_WARP_MASK : sn_partMask(SN_WARP_LANES), x, lane,
                     width);
}

#endif  // SINEW_BASE_WARP_H_
