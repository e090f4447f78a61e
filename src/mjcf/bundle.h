// Bundles: a spec as MJCF and the files of its assets, in one block of bytes.
//
// A bundle is a list of files, each as two 64-bit sizes, its name with a terminator, its contents.
// The first is the lossless MJCF of the model. It names the others relative to a folder that
// is chosen when the bundle is unpacked: "robot.xml" gets its files in "robot_assets" beside it, and
// the two can be moved together. An asset keeps the name it has in the model unless that is absolute,
// leads out of the folder or is taken; then its last part is kept, in a folder with a number.
//
// Whatever is unpacked was checked: sizes against the block, names against ways out of the folder.

#ifndef SINEW_MJCF_BUNDLE_H_
#define SINEW_MJCF_BUNDLE_H_

#include "model/binary.h"
#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// Pack a spec, which need not be compiled. Returns 0 and the compiled model, or -1 with the reason.
// The caller frees both. Nullable: vfs, model, error.
SN_API int sn_packBundle(const snSpec* spec, const snVFS* vfs, snBundle* bundle, snModel** model,
                         char* error, int error_sz);

// Free a bundle that was packed.
SN_API void sn_freeBundle(snBundle* bundle);

// Write the model of a bundle to an XML file and its assets beside it. Returns 0, or -1 with the
// reason; a damaged bundle writes nothing.
SN_API int sn_unpackBundle(snBundle bundle, const char* filename, char* error, int error_sz);

SN_EXTERN_C_END

#endif  // SINEW_MJCF_BUNDLE_H_
