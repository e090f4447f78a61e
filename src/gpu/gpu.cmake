# The engine for NVIDIA GPUs: images compiled from the same sources, embedded in the library. Built
# where NVRTC and nvJitLink are found (a CUDA toolkit or the PyPI wheels); no GPU is needed.
find_program(Python3_EXECUTABLE python3 REQUIRED)
set(SN_GPU_PYTHON ${Python3_EXECUTABLE} CACHE FILEPATH "Python that finds the CUDA wheels")
set(SN_GPU_ARCHS 80 86 89 90 100 120 CACHE STRING "GPU architectures to compile for")
set(SN_GPU_PRECISIONS double single CACHE STRING "Precisions to compile")
enable_language(ASM)

set(gpu_dir ${PROJECT_BINARY_DIR}/gpu)
set(gpu_build ${PROJECT_SOURCE_DIR}/tools/gpu_build.py)
file(GLOB gpu_inputs CONFIGURE_DEPENDS engine/*/*.[ch] math/*.[ch] base/*.[ch] model/*.[ch] gpu/*.cu
     gpu/*.h gpu/freestanding/*.h visual/*.[ch] render/*.[ch] render/*.cu ${PROJECT_SOURCE_DIR}/include/sinew/*.h)
add_custom_command(
  OUTPUT ${gpu_dir}/engine.S
  COMMAND ${SN_GPU_PYTHON} ${gpu_build} --out ${gpu_dir} --archs ${SN_GPU_ARCHS}
          --precision ${SN_GPU_PRECISIONS}
  DEPENDS ${gpu_build} ${gpu_inputs}
  COMMENT "Compiling the engine for GPUs")
target_sources(sinew_objects PRIVATE ${gpu_dir}/engine.S)
set_source_files_properties(gpu/engine.c PROPERTIES COMPILE_DEFINITIONS SN_GPU_EMBEDDED)
