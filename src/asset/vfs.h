// The virtual file system: files that live in memory under names.
//
// Names are paths with '/' between the parts and '.' and '..' resolved. A file owns its full name and
// every path below it. Where no file and no folder that a program mounted owns a name, it is looked for
// by its last part, ignoring case, so that a model with directories loads from a flat set of buffers and
// the other way round: of several files the one that shares most parts at the end of the name, and of
// those the one that was added last.

#ifndef SINEW_ASSET_VFS_H_
#define SINEW_ASSET_VFS_H_

#include "asset/work.h"
#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// The contents of the file that owns a normal name; the length of the file's name, 0 when vfs is NULL or
// no file does. The bytes stay valid while the file is in the file system.
SN_API int sn_ownerVFS(const snVFS* vfs, const char* name, snBytes* bytes);

// The contents of the file that is nearest to a normal name by its end; 0 when there is none.
SN_API int sn_findVFS(const snVFS* vfs, const char* name, snBytes* bytes);

// The path of a file of the disk that may be opened, links resolved where sn_limitFilesVFS set limits,
// to be freed; NULL when it may not be, or does not exist.
char* sn_allowedPath(const snVFS* vfs, const char* path);

// A copy of a name with '\' as '/' and without '.' and '..'; NULL when memory is short.
SN_API char* sn_normalName(const char* name);

// Place for what serves folders of a file system instead of files in it; release is called with it
// when the file system is deleted. NULL when memory is short, or without release and nothing there.
SN_API void** sn_mountsVFS(snVFS* vfs, void (*release)(void* mounts));

SN_EXTERN_C_END

#endif  // SINEW_ASSET_VFS_H_
