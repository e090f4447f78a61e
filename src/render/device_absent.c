// A library in single precision has no batches on a GPU, and so no images of them.

#include "base/error.h"
#include "render/device.h"

DeviceRenderer* snr_makeDevice(const snBatch* b, int width, int height, char* error, int error_sz) {
  (void)b, (void)width, (void)height;
  sn_formatError(error, error_sz, "this library was built in single precision, without GPUs");
  return NULL;
}

void snr_deleteDevice(DeviceRenderer* r) { (void)r; }

int snr_drawDevice(DeviceRenderer* r, const snBatch* b, const DeviceImages* images) {
  return (void)r, (void)b, (void)images, -1;
}

int snr_drawDeviceToHost(DeviceRenderer* r, const snBatch* b, int camera, const snvOption* option,
                         unsigned char* rgb, float* depth, int* ids) {
  return (void)r, (void)b, (void)camera, (void)option, (void)rgb, (void)depth, (void)ids, -1;
}
