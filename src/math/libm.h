// The one door to the C library's mathematics: every other file calls these names.
//
// sqrt, fabs, floor and ceil are exact everywhere; the transcendental functions are the platform's,
// as in the engine that we are compared with.

#ifndef SINEW_MATH_LIBM_H_
#define SINEW_MATH_LIBM_H_

#include <math.h>

#ifdef SN_SINGLE
#define snu_sqrt sqrtf
#define snu_exp expf
#define snu_sin sinf
#define snu_cos cosf
#define snu_tan tanf
#define snu_asin asinf
#define snu_acos acosf
#define snu_atan2 atan2f
#define snu_tanh tanhf
#define snu_pow powf
#define snu_abs fabsf
#define snu_log logf
#define snu_floor floorf
#define snu_ceil ceilf
#else
#define snu_sqrt sqrt
#define snu_exp exp
#define snu_sin sin
#define snu_cos cos
#define snu_tan tan
#define snu_asin asin
#define snu_acos acos
#define snu_atan2 atan2
#define snu_tanh tanh
#define snu_pow pow
#define snu_abs fabs
#define snu_log log
#define snu_floor floor
#define snu_ceil ceil
#endif

// sine and cosine; a GPU reduces the angle once for both
#if defined(SN_DEVICE) && defined(SN_SINGLE)
#define snu_sincos(x, sine, cosine) sincosf(x, sine, cosine)
#elif defined(SN_DEVICE)
#define snu_sincos(x, sine, cosine) sincos(x, sine, cosine)
#else
#define snu_sincos(x, sine, cosine) (*(sine) = snu_sin(x), *(cosine) = snu_cos(x))
#endif

#endif  // SINEW_MATH_LIBM_H_
