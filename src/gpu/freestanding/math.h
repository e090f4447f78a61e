#pragma once
#define HUGE_VAL (__int_as_float(0x7f800000))
#define HUGE_VALF HUGE_VAL
#define INFINITY HUGE_VAL
#define NAN (__int_as_float(0x7fffffff))
