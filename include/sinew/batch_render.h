// Images of all worlds of a batch, drawn where they are stepped: by threads of the CPU, or on the GPU.

#ifndef SINEW_BATCH_RENDER_H_
#define SINEW_BATCH_RENDER_H_

#include "sinew/batch.h"
#include "sinew/render.h"

SN_EXTERN_C_BEGIN

// Draw the images of a context by several threads, 0: one per processor. They are the same for any number.
SN_API void snr_setThreads(int nthread, snrContext* con);

typedef struct snBatchRenderer_ snBatchRenderer;

// Make a renderer of images of one size; shapes and textures are copied from the batch's model.
// nthread: worker threads, 0: one per processor. Nullable: error. NULL with a message on failure.
SN_API snBatchRenderer* sn_makeBatchRenderer(const snBatch* b, int width, int height, int nthread,
                                             char* error, int error_sz);

// Release a renderer. Nullable: r.
SN_API void sn_deleteBatchRenderer(snBatchRenderer* r);

// Draw the present state of every world as a camera sees it; -1: the free camera. rgb: nworld x height x
// width x 3, depth in metres: nworld x height x width, object id and type: nworld x height x width x 2; rows
// run downwards. Images are the same for any number of threads. Nullable: option, rgb, depth, ids.
// 0, or -1 on failure (see sn_lastError).
SN_API int sn_batchRender(snBatchRenderer* r, const snBatch* b, int camera, const snvOption* option,
                          unsigned char* rgb, float* depth, int* ids);

// The same for a batch on a GPU, into packed memory of the device (addresses, 0: not wanted); no copies are made. Positions
// of its worlds (xpos, geom_xpos, ...) are then those of the present state.
SN_API int sn_batchRenderAt(snBatchRenderer* r, const snBatch* b, int camera,
                            const snvOption* option, uint64_t rgb, uint64_t depth, uint64_t ids);

SN_EXTERN_C_END

#endif  // SINEW_BATCH_RENDER_H_
