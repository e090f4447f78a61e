// The virtual file system: files that live in memory under names.
//
// Names are paths with '/' between the parts and '.' and '..' resolved. A file is found by its full
// name; failing that, by the last part of its name, first exactly and then ignoring case, so that a
// model with directories loads from a flat set of buffers and the other way round.

#ifndef SINEW_ASSET_VFS_H_
#define SINEW_ASSET_VFS_H_

#include "asset/work.h"
#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// The contents of a virtual file; 0 when vfs is NULL or has no such file. The bytes stay valid
// while the file is in the file system.
int sn_findVFS(const snVFS* vfs, const char* name, snBytes* bytes);

// A copy of a name with '\' as '/' and without '.' and '..'; NULL when memory is short.
SN_API char* sn_normalName(const char* name);

// Place for what serves folders of a file system instead of files in it; release is called with it
// when the file system is deleted. NULL when memory is short, or without release and nothing there.
SN_API void** sn_mountsVFS(snVFS* vfs, void (*release)(void* mounts));

SN_EXTERN_C_END

#endif  // SINEW_ASSET_VFS_H_
