#include "gpu/driver.h"

#include <dlfcn.h>
#include <pthread.h>

#include "base/error.h"

static snDriver driver;
static char failure[256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static int loadFunctions(void) {
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    sn_formatError(failure, sizeof(failure), "no NVIDIA driver is installed (libcuda.so.1)");
    return 0;
  }
#define F(symbol, name, parameters)                                                        \
  *(void**)&driver.name = dlsym(library, #symbol);                                         \
  if (!driver.name) {                                                                      \
    sn_formatError(failure, sizeof(failure), "the NVIDIA driver is too old: no " #symbol); \
    return 0;                                                                              \
  }
  SN_DRIVER_FUNCTIONS(F)
#undef F
  return 1;
}

static void openDevice(void) {
  if (!loadFunctions()) return;
  int count = 0, major = 0, minor = 0;
  int code = driver.init(0);
  if (!code) code = driver.deviceCount(&count);
  if (code || !count) {
    sn_formatError(failure, sizeof(failure), "no NVIDIA GPU is available (driver error %d)", code);
    return;
  }
  code = driver.getVersion(&driver.version);
  if (!code) code = driver.deviceGet(&driver.device, 0);
  if (!code) code = driver.deviceName(driver.name, sizeof(driver.name), driver.device);
  if (!code) code = driver.deviceAttribute(&major, CU_COMPUTE_MAJOR, driver.device);
  if (!code) code = driver.deviceAttribute(&minor, CU_COMPUTE_MINOR, driver.device);
  if (!code) code = driver.retainContext(&driver.context, driver.device);
  driver.arch = 10 * major + minor;
  if (code) sn_formatError(failure, sizeof(failure), "the GPU does not answer (error %d)", code);
}

const snDriver* sn_driver(char* error, int error_sz) {
  pthread_once(&once, openDevice);
  if (failure[0]) {
    sn_formatError(error, error_sz, "%s", failure);
    return NULL;
  }
  driver.setContext(driver.context);
  return &driver;
}
