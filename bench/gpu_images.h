// Images per second of the worlds of a GPU.

#ifndef SINEW_BENCH_GPU_IMAGES_H_
#define SINEW_BENCH_GPU_IMAGES_H_

#include "sinew/sinew.h"

// Print a line: square images of so many pixels a side, after steps that make the worlds fall.
void measureImages(const snModel* m, const char* name, int nworld, int single, int side);

#endif  // SINEW_BENCH_GPU_IMAGES_H_
