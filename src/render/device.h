// Images of the worlds of a GPU, drawn there.

#ifndef SINEW_RENDER_DEVICE_H_
#define SINEW_RENDER_DEVICE_H_

#include "sinew/batch_render.h"

typedef struct DeviceRenderer_ DeviceRenderer;

// what to draw, and where to: addresses of the device, 0: not wanted
typedef struct DeviceImages_ {
  int camera;
  const snvOption* option;
  uint64_t rgb, depth, ids;
} DeviceImages;

// Renderer of images of one size for a batch on a GPU; NULL with a message on failure. Nullable for sn_: error.
DeviceRenderer* snr_makeDevice(const snBatch* b, int width, int height, char* error, int error_sz);
void snr_deleteDevice(DeviceRenderer* r);

// Draw all worlds; 0, or -1 on failure (see sn_lastError).
int snr_drawDevice(DeviceRenderer* r, const snBatch* b, const DeviceImages* images);
// The same to the memory of the host.
int snr_drawDeviceToHost(DeviceRenderer* r, const snBatch* b, int camera, const snvOption* option,
                         unsigned char* rgb, float* depth, int* ids);

#endif  // SINEW_RENDER_DEVICE_H_
