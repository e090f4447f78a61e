// Recordings: one page of HTML that replays a simulation in any browser, without a network.
//
// Poses are kept as 16-bit numbers in the box that each shape moves in, and packed; the page carries the
// meshes and textures of the model and a small player. What default options show is recorded.

#ifndef SINEW_PAGE_H_
#define SINEW_PAGE_H_

#include "sinew/visual.h"

SN_EXTERN_C_BEGIN

typedef struct snPage_ snPage;

// Begin a recording with so many frames in a second. camera: where it is seen from at first; one of the
// model's is followed. Nullable: camera (the model's free one), error. NULL with a message on failure.
SN_API snPage* sn_makePage(const snModel* m, const snvCamera* camera, double rate, char* error,
                           int error_sz);

// Add the present state. 0, or -1 when there is no memory (see sn_lastError).
SN_API int sn_addPageFrame(snPage* page, const snModel* m, snData* d);

// The page as text, which the caller releases with snu_free. NULL when there is no frame or no memory
// (see sn_lastError). Nullable: size.
SN_API char* sn_finishPage(snPage* page, const snModel* m, size_t* size);

// Release a recording. Nullable: page.
SN_API void sn_deletePage(snPage* page);

SN_EXTERN_C_END

#endif  // SINEW_PAGE_H_
