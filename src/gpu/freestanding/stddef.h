// What the engine takes from the C library, for a device compiler that has none.
#pragma once
typedef unsigned long size_t;
typedef long ptrdiff_t;
#ifndef NULL
#define NULL 0
#endif
#define offsetof(type, member) ((size_t) & (((type*)0)->member))
