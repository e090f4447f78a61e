// The engine compiled for devices: one file with an image per architecture and precision.
//
// tools/gpu_build.py writes the file. It is embedded in the library (SN_GPU=ON), or lies beside it as
// sinew.gpu, or is named by the environment variable SINEW_GPU_ENGINE. Last of all it may come from the
// Python distribution sinew-physics-gpu, whose file the package names in SINEW_GPU_PACKAGE when it is
// imported.

#ifndef SINEW_GPU_ENGINE_H_
#define SINEW_GPU_ENGINE_H_

#include "gpu/driver.h"

// Load the engine in a precision; NULL with the reason and how to get one. Portable code is compiled
// for the device by its driver, which takes minutes the first time.
CUmodule sn_gpuEngine(const snDriver* driver, int real_bytes, char* error, int error_sz);

#endif  // SINEW_GPU_ENGINE_H_
