// How the small functions of the maths layer are inlined under their public names.
//
// A header defines each small public function with SN_INLINE, after its exported declaration in
// sinew.h. Everywhere the body serves inlining alone and emits no symbol (GNU's "extern inline");
// inline.c includes the same headers with SN_INLINE empty and so emits each symbol exactly once.
// A CUDA compiler gets static functions for both sides instead.

#ifndef SINEW_MATH_INLINE_H_
#define SINEW_MATH_INLINE_H_

#include "base/team.h"
#include "sinew/sinew.h"

#ifndef SN_INLINE
#if defined(__CUDACC__)
#define SN_INLINE static inline __host__ __device__
#else
#define SN_INLINE extern inline __attribute__((gnu_inline))
#endif
#endif

#endif  // SINEW_MATH_INLINE_H_
