// How the engine spreads work over the team that steps one world.
//
// A team is one thread on a CPU, and on a GPU one thread or, with SN_WARP_TEAM, one warp. SN_FOR runs independent iterations, shared
// among the team's lanes; SN_SYNC stands between a producer and its consumer; SN_ONE runs a
// statement on a single lane. Code outside of these runs on every lane alike.

#ifndef SINEW_BASE_TEAM_H_
#define SINEW_BASE_TEAM_H_

#if defined(__CUDA_ARCH__) && defined(SN_WARP_TEAM)
#define SN_LANES 32
#define SN_LANE ((int)(threadIdx.x & 31))
#define SN_SYNC() __syncwarp()
#else
#define SN_LANES 1
#define SN_LANE 0
#define SN_SYNC() ((void)0)
#endif

#define SN_FOR(i, n) for (int i = SN_LANE; i < (int)(n); i += SN_LANES)
#define SN_ONE if (SN_LANE == 0)

#ifdef __CUDACC__
#define SN_FN __host__ __device__
#else
#define SN_FN
#endif

// A dense kernel compiled for wide vectors as well, chosen when the library is loaded. Nothing is
// contracted and no sum reordered: both give the same bits. SN_NO_DISPATCH leaves the plain one.
#if !defined(SN_NO_DISPATCH) && defined(__x86_64__) && defined(__gnu_linux__) && \
    defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__) &&          \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define SN_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define SN_WIDE
#endif

// built with the address sanitizer
#if defined(__SANITIZE_ADDRESS__)
#define SN_ASAN
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SN_ASAN
#endif
#endif

// What such a kernel calls must become part of it: compiled on its own it would have narrow vectors.
#if defined(__GNUC__) && !defined(__CUDACC__)
#define SN_KERNEL static inline __attribute__((always_inline))
#else
#define SN_KERNEL static inline
#endif

#if defined(__GNUC__) || defined(__CUDACC__)
#define SN_RESTRICT __restrict__
#else
#define SN_RESTRICT
#endif

#endif  // SINEW_BASE_TEAM_H_
