// The maths layer under one name: include this.

#ifndef SINEW_MATH_MATH_H_
#define SINEW_MATH_MATH_H_

#include "math/decomp.h"
#include "math/libm.h"
#include "math/mat.h"
#include "math/quat.h"
#include "math/sparse.h"
#include "math/spatial.h"
#include "math/vec.h"

#endif  // SINEW_MATH_MATH_H_
