#include <mujoco/mjexport.h>

typedef double mjtNum;
typedef unsigned char mjtByte;
typedef int64_t mjtSize;
typedef int mjtBool;
