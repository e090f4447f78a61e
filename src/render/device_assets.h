// Shapes, textures and an empty scene of a model as one image for a device.

#ifndef SINEW_RENDER_DEVICE_ASSETS_H_
#define SINEW_RENDER_DEVICE_ASSETS_H_

#include <stdint.h>

#include "render/render.h"

// Bytes of the image, which begins with the Assets; where in it the scene lies. With bytes it is written, with pointers
// that hold at its address on the device. Nullable: bytes.
size_t snr_packAssets(const Assets* a, const snvScene* scn, void* bytes, uint64_t address,
                      uint64_t* scene);

#endif  // SINEW_RENDER_DEVICE_ASSETS_H_
