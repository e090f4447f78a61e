// Files: names, directories, and bytes from the virtual file system or from disk.
//
// A name is looked up in the virtual file system first, then on disk. Resolution of an asset's
// file: its directory (meshdir, texturedir) is put before the name unless the name is absolute, and
// the result is taken relative to the directory of the model file; when that does not exist and the
// element came from an included file, the bare name next to that included file is tried.

#ifndef SINEW_ASSET_RESOURCE_H_
#define SINEW_ASSET_RESOURCE_H_

#include "asset/work.h"
#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// An open file. A zeroed resource is valid and empty.
typedef struct snResource_ {
  snBytes bytes;
  void* owned;   // the buffer when it was read from disk
  void* handle;  // of the hook that opened it
  char* path;    // of the file of an asset, as messages name it; may be NULL
} snResource;

// A program may serve schemes ("archive:model.xml") and folders of a virtual file system. open gets the normal
// name and how long the name of the virtual file is that owns it (0: none): folders count that are longer. It
// returns 1 and the bytes, 0 when the name is not the program's, -1 when it failed; close gets the handle back.
// serves says whether a name begins with a scheme of the program.
typedef struct snResourceHook_ {
  int (*open)(const char* name, const snVFS* vfs, int owned, snBytes* bytes, void** handle);
  void (*close)(void* handle);
  int (*serves)(const char* name);
} snResourceHook;
SN_API void sn_setResourceHook(const snResourceHook* hook);

// Open a file by name, in the virtual file system (may be NULL) or on disk, relative to a directory
// (may be NULL or empty). Returns 0, or -1 with the reason.
SN_API int sn_openResource(snResource* resource, const snVFS* vfs, const char* directory,
                           const char* name, char* error, int error_sz);

// Where to look for the file of an asset; every string may be NULL or empty.
typedef struct snAssetPath_ {
  const char* modeldir;    // directory of the main model file
  const char* assetdir;    // meshdir or texturedir
  const char* file;        // as written in the element, after strippath
  const char* includedir;  // directory of the included file that holds the element
  unsigned char* beside;   // set when the file was found there; nullable
  int written;  // whether the message about a missing file names it as written, not reduced
} snAssetPath;

// Open the file of an asset by the rules above. Returns 0, or -1 with the reason.
int sn_openAsset(snResource* resource, const snVFS* vfs, const snAssetPath* path, char* error,
                 int error_sz);

// A text that tells whether a file changed: of virtual files a hash of the contents, of files on disk the time of
// their last change; eight bytes in base 64.
SN_API void sn_resourceStamp(const snResource* resource, const char* path, char* text, size_t size);
// 0 when two stamps are equal. Otherwise 1, or, of files on disk, -1 when the file is older than the second one.
SN_API int sn_compareStamps(const char* stamp, const char* other, int hashes);

// Give the bytes back; safe to call twice.
SN_API void sn_closeResource(snResource* resource);

// Names. The results of the functions with a buffer are cut to its size; they return 0 when cut.

// The part behind the last directory separator.
const char* sn_pathFile(const char* path);

// Directory part including the last separator ("" when there is none).
int sn_pathDirectory(const char* path, char* buffer, size_t size);

// directory + name with one separator between; name alone when it is absolute.
SN_API int sn_pathJoin(const char* directory, const char* name, char* buffer, size_t size);

// The path with '/' between its parts, without "." and without directories that ".." leaves again.
int sn_pathReduce(const char* path, char* buffer, size_t size);

// The default name of an asset: file name without directory and without the last extension.
int sn_pathStem(const char* path, char* buffer, size_t size);

// Content type of an asset: the attribute when it is given (parameters after ';' cut off), else
// from the extension: "model/obj", "model/stl", "model/vnd.mujoco.msh", "model/ply", "image/png",
// "". Returns 0, or -1 when the attribute is not of the form type/subtype.
int sn_contentType(const char* attribute, const char* file, char* buffer, size_t size);

SN_EXTERN_C_END

#endif  // SINEW_ASSET_RESOURCE_H_
