// for dladdr
#define _GNU_SOURCE

#include "gpu/engine.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/error.h"
#include "sinew/sinew.h"

// The file: a header, a table, the images. All numbers are 64 bits, offsets count from the start.
typedef struct Header_ {
  char magic[8];
  int64_t toolkit;  // version of CUDA that made the images, 13040 for 13.4
  int64_t count;
} Header;

// machine code; or texts, each ended by a zero, that the driver compiles and links
enum ImageKind { CUBIN, PTX };

typedef struct Image_ {
  int64_t real_bytes;
  int64_t arch;  // compute capability, 90 for 9.0
  int64_t kind;
  int64_t offset, size;
  int64_t unpacked;  // bytes after zlib has unpacked it; 0: it is stored as it is
} Image;

enum { MAX_UNPACKED = 1 << 30 };

static const char MAGIC[8] = "SNGPU 2";

typedef struct File_ {
  const char* begin;
  int64_t size;
} File;

#ifdef SN_GPU_EMBEDDED
extern const char sn_gpu_engine_begin[], sn_gpu_engine_end[];
#endif

static File mapFile(const char* path) {
  File file = {NULL, 0};
  struct stat status;
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return file;
  if (!fstat(descriptor, &status) && status.st_size > 0) {
    void* memory = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (memory != MAP_FAILED) {
      file.begin = (const char*)memory;
      file.size = status.st_size;
    }
  }
  close(descriptor);
  return file;
}

static void libraryFolder(char* folder, size_t size) {
  Dl_info info;
  const char* path = dladdr((const void*)MAGIC, &info) ? info.dli_fname : "./";
  const char* slash = strrchr(path, '/');
  snprintf(folder, size, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
}

// beside the library or the Python package, or in the folder that they were built in
static File findFile(char* folder, size_t size) {
  static const char* const places[] = {"sinew.gpu", "gpu/sinew.gpu", "../gpu/sinew.gpu",
                                       "../../gpu/sinew.gpu"};
  libraryFolder(folder, size);
  File file = {NULL, 0};
  const char* named = getenv("SINEW_GPU_ENGINE");
  if (named) return mapFile(named);
#ifdef SN_GPU_EMBEDDED
  file.begin = sn_gpu_engine_begin;
  file.size = sn_gpu_engine_end - sn_gpu_engine_begin;
#endif
  for (int i = 0; !file.begin && i < 4; i++) {
    char path[4200];
    snprintf(path, sizeof(path), "%s/%s", folder, places[i]);
    file = mapFile(path);
  }
  const char* package = getenv("SINEW_GPU_PACKAGE");
  if (!file.begin && package) file = mapFile(package);
  return file;
}

static int soundFile(File file) {
  const Header* header = (const Header*)file.begin;
  if (file.size < (int64_t)sizeof(Header) || memcmp(header->magic, MAGIC, sizeof(MAGIC))) return 0;
  int64_t room = (file.size - (int64_t)sizeof(Header)) / (int64_t)sizeof(Image);
  if (header->count < 1 || header->count > room) return 0;
  const Image* images = (const Image*)(header + 1);
  for (int64_t i = 0; i < header->count; i++) {
    if (images[i].offset < 0 || images[i].size < 1 || images[i].offset > file.size ||
        images[i].size > file.size - images[i].offset || images[i].unpacked < 0 ||
        images[i].unpacked > MAX_UNPACKED) {
      return 0;
    }
  }
  return 1;
}

// The newest image of a kind that a device can run: machine code of the same generation that is not newer than the
// device, or portable code (PTX) that is not newer. NULL: there is none.
static const Image* chooseImage(const Header* header, int kind, int arch, int real_bytes) {
  const Image *images = (const Image*)(header + 1), *best = NULL;
  for (int64_t i = 0; i < header->count; i++) {
    const Image* image = images + i;
    if (image->kind != kind || image->real_bytes != real_bytes || image->arch > arch) continue;
    if (kind == CUBIN && image->arch / 10 != arch / 10) continue;
    if (!best || image->arch > best->arch) best = image;
  }
  return best;
}

static int loadTexts(const snDriver* driver, const char* begin, const char* end, CUmodule* module) {
  CUlinkState link = NULL;
  size_t size = 0;
  int option = CU_JIT_MAX_REGISTERS;
  void *value = (void*)(uintptr_t)snREGISTERS, *image = NULL;
  int code = driver->createLink(1, &option, &value, &link);
  for (const char* text = begin; !code && text < end;) {
    size_t length = strnlen(text, (size_t)(end - text));
    if (length) {
      code = driver->addLink(link, CU_INPUT_PTX, (void*)(uintptr_t)text, length + 1, "engine", 0,
                             NULL, NULL);
    }
    text += length + 1;
  }
  if (!code) code = driver->completeLink(link, &image, &size);
  if (!code) code = driver->loadModule(module, image);
  if (link) driver->destroyLink(link);
  return code;
}

// the bytes of an image, to be freed; NULL when they cannot be unpacked
static char* unpack(const char* file, const Image* image) {
  uLongf size = (uLongf)(image->unpacked ? image->unpacked : image->size);
  char* bytes = (char*)snu_malloc((size_t)size);
  if (!bytes) return NULL;
  if (!image->unpacked) {
    memcpy(bytes, file + image->offset, (size_t)size);
    return bytes;
  }
  int code =
      uncompress((Bytef*)bytes, &size, (const Bytef*)(file + image->offset), (uLong)image->size);
  if (code == Z_OK && (int64_t)size == image->unpacked) return bytes;
  snu_free(bytes);
  return NULL;
}

// the driver's error code, 0: the module is loaded
static int loadImage(const snDriver* driver, const char* file, const Image* image, CUmodule* module,
                     char* error, int error_sz) {
  char* bytes = unpack(file, image);
  if (!bytes) {
    sn_formatError(error, error_sz,
                   "the file of the GPU engine is damaged: an image cannot be read");
    return -1;
  }
  const char *end = bytes + (image->unpacked ? image->unpacked : image->size), *reason = NULL;
  int code = image->kind == CUBIN ? driver->loadModule(module, bytes)
                                  : loadTexts(driver, bytes, end, module);
  snu_free(bytes);
  if (!code) return 0;
  driver->errorString(code, &reason);
  sn_formatError(error, error_sz, "GPU: loading the engine failed: %s",
                 reason ? reason : "unknown error");
  return code;
}

// machine code, or portable code where there is none or the device does not take it
static CUmodule loadEngine(const snDriver* driver, const char* file, int real_bytes, char* error,
                           int error_sz) {
  int found = 0;
  for (int kind = CUBIN; kind <= PTX; kind++) {
    CUmodule module = NULL;
    const Image* image = chooseImage((const Header*)file, kind, driver->arch, real_bytes);
    if (!image) continue;
    found = 1;
    int code = loadImage(driver, file, image, &module, error, error_sz);
    if (!code) return module;
    if (code != CU_NO_IMAGE) return NULL;
  }
  if (!found) {
    sn_formatError(error, error_sz, "the GPU engine has no %s-precision image for %s (sm_%d)",
                   real_bytes == 4 ? "single" : "double", driver->name, driver->arch);
  }
  return NULL;
}

CUmodule sn_gpuEngine(const snDriver* driver, int real_bytes, char* error, int error_sz) {
  char folder[4096];
  File file = findFile(folder, sizeof(folder));
  if (!file.begin || !soundFile(file)) {
    const char* named = getenv("SINEW_GPU_ENGINE");
    sn_formatError(
        error, error_sz,
        "%s: install the wheel sinew-physics-gpu, build it with \"pip install nvidia-cuda-nvrtc "
        "nvidia-nvjitlink; python "
        "tools/gpu_build.py --out %s\", or name it in SINEW_GPU_ENGINE%s%s",
        file.begin ? "the file of the GPU engine is damaged" : "the GPU engine is missing", folder,
        named ? ", which is now " : "", named ? named : "");
    return NULL;
  }
  const Header* header = (const Header*)file.begin;
  if (driver->version / 1000 < header->toolkit / 1000) {
    sn_formatError(error, error_sz,
                   "the NVIDIA driver is too old: it supports CUDA %d.%d, the GPU engine was built "
                   "with CUDA %d.%d",
                   driver->version / 1000, driver->version % 1000 / 10,
                   (int)(header->toolkit / 1000), (int)(header->toolkit % 1000 / 10));
    return NULL;
  }
  return loadEngine(driver, file.begin, real_bytes, error, error_sz);
}
