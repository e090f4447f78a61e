// Instruction sets of one processor family, chosen at run time.
//
// A kernel (SN_WIDE) is compiled once for each set that makes it faster, and every call goes to the copy for the best set
// of the machine. No copy has fused operations and no sum is reordered: all give the same bits. On x86-64 the
// sets are the levels of its ABI: 1 (SSE2), 2 (SSE4.2), 3 (AVX2) and 4 (AVX-512). Other processors have one
// set, that of the compiler's target: on aarch64 the vectors are NEON's.
//
// The environment variable SINEW_INSTRUCTIONS (v1, v2, v3 or v4), read when the library is loaded, asks for
// a lower level than the machine has, to compare or to test.

#ifndef SINEW_BASE_INSTRUCTIONS_H_
#define SINEW_BASE_INSTRUCTIONS_H_

// SN_NO_DISPATCH: the compiler's target alone
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__CUDACC__) && !defined(SN_NO_DISPATCH)
#define SN_DISPATCH 1

// The set in use. Written once, before main or by dlopen; until then, and where it never is, the lowest.
extern int sn_level __attribute__((visibility("hidden")));

// Features by name instead of arch=x86-64-v3: compilers that switch features off on their command line (zig)
// would switch those off. FMA is left out on purpose.
#define SN_TARGET2 "sse3,ssse3,sse4.1,sse4.2,popcnt"
#define SN_TARGET3 SN_TARGET2 ",avx,avx2,bmi,bmi2,lzcnt"
#define SN_TARGET4 SN_TARGET3 ",avx512f,avx512bw,avx512cd,avx512dq,avx512vl"

#define SN_COPY(level, features, flags, type, name, params, args)                        \
  __attribute__((target(features), noinline)) flags static type name##_v##level params { \
    return name##_body args;                                                             \
  }

// SN_WIDE(static, type, name, (parameters), (their names)) { body }: a kernel of the engine. Level 2 makes none of
// them faster, level 4 some slower (docs/performance.md).
#define SN_WIDE(linkage, type, name, params, args)                                     \
  SN_KERNEL type name##_body params;                                                   \
  SN_COPY(1, "sse2", , type, name, params, args)                                       \
  SN_COPY(3, SN_TARGET3, , type, name, params, args)                                   \
  linkage type name params { return sn_level >= 3 ? name##_v3 args : name##_v1 args; } \
  SN_KERNEL type name##_body params

// The same for pixels, which gain by every level; all that such a kernel calls becomes part of its copies.
#define SN_WIDE_PIXELS(linkage, type, name, params, args)      \
  SN_KERNEL type name##_body params;                           \
  SN_COPY(1, "sse2", SN_FLATTEN, type, name, params, args)     \
  SN_COPY(2, SN_TARGET2, SN_FLATTEN, type, name, params, args) \
  SN_COPY(3, SN_TARGET3, SN_FLATTEN, type, name, params, args) \
  SN_COPY(4, SN_TARGET4, SN_FLATTEN, type, name, params, args) \
  linkage type name params {                                   \
    if (sn_level >= 4) return name##_v4 args;                  \
    if (sn_level == 3) return name##_v3 args;                  \
    return sn_level == 2 ? name##_v2 args : name##_v1 args;    \
  }                                                            \
  SN_KERNEL type name##_body params
#define SN_FLATTEN __attribute__((flatten))
#else
#define SN_DISPATCH 0
#define SN_WIDE(linkage, type, name, params, args) linkage type name params
#define SN_WIDE_PIXELS(linkage, type, name, params, args) linkage type name params
#endif

// What a kernel calls must become part of it: compiled on its own it would have narrow vectors.
#if defined(__GNUC__) && !defined(__CUDACC__)
#define SN_KERNEL static inline __attribute__((always_inline))
#else
#define SN_KERNEL static inline
#endif

// name of the set in use: "x86-64-v3", for instance; "" where nothing is chosen
const char* sn_instructions(void);

#endif  // SINEW_BASE_INSTRUCTIONS_H_
