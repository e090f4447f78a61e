#define _GNU_SOURCE  // realpath
#include "asset/vfs.h"

#include <stdlib.h>
#include <string.h>

#include "asset/resource.h"
#include "base/assert.h"

// what the functions of the public interface return
enum { SUCCESS = 0, REPEATED = 2, FAILED = -1 };

typedef struct Entry_ {
  char* name;
  unsigned char* data;
  size_t size;
} Entry;

typedef struct Files_ {
  Entry* entries;
  int count;
  int capacity;
  int limited;     // files of the disk must lie below one of the folders
  char** folders;  // resolved, without a separator at the end
  int nfolder;
  void* mounts;  // of whoever serves folders, see sn_mountsVFS
  void (*release)(void* mounts);
} Files;

static int lower(int c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; }

char* sn_normalName(const char* name) {
  size_t size = strlen(name) + 1;
  char* result = (char*)snu_malloc(size);
  if (!result) return NULL;
  size_t length = 0;
  const char* at = name;
  while (*at) {
    size_t part = strcspn(at, "/\\");
    int more = at[part] != '\0';
    if (part == 1 && at[0] == '.') {
      // nothing
    } else if (part == 2 && at[0] == '.' && at[1] == '.' && length > 1 &&
               strcmp(result, "../") != 0 &&
               !(length >= 4 && !strncmp(result + length - 4, "/../", 4))) {
      // back to the separator before the last one
      length--;
      while (length && result[length - 1] != '/') length--;
    } else {
      memcpy(result + length, at, part);
      length += part;
      if (more) result[length++] = '/';
    }
    result[length] = '\0';
    at += part + (size_t)more;
  }
  result[length] = '\0';
  return result;
}

static int findExact(const Files* files, const char* name) {
  for (int i = 0; i < files->count; i++) {
    if (!strcmp(files->entries[i].name, name)) return i;
  }
  return -1;
}

static int setBytes(const Files* files, int index, snBytes* bytes) {
  SN_ASSERT(index < 0 || (files && index < files->count));
  if (index < 0) return 0;
  bytes->data = files->entries[index].data;
  bytes->size = files->entries[index].size;
  return 1;
}

int sn_ownerVFS(const snVFS* vfs, const char* name, snBytes* bytes) {
  const Files* files = vfs ? (const Files*)vfs->impl_ : NULL;
  int best = -1;
  size_t longest = 0;
  for (int i = 0; files && i < files->count; i++) {
    size_t length = strlen(files->entries[i].name);
    if (length <= longest || strncmp(name, files->entries[i].name, length)) continue;
    if (name[length] && name[length] != '/') continue;
    best = i;
    longest = length;
  }
  return setBytes(files, best, bytes) ? (int)longest : 0;
}

// start of the last part of the first n characters of a name
static size_t partStart(const char* name, size_t n) {
  while (n && name[n - 1] != '/') n--;
  return n;
}

// how many parts two names have in common at their ends, ignoring case
static int commonParts(const char* a, const char* b) {
  size_t i = strlen(a), j = strlen(b);
  for (int parts = 0;; parts++) {
    size_t p = partStart(a, i), q = partStart(b, j);
    if (i - p != j - q) return parts;
    for (size_t k = 0; p + k < i; k++) {
      if (lower((unsigned char)a[p + k]) != lower((unsigned char)b[q + k])) return parts;
    }
    if (!p || !q) return parts + 1;
    i = p - 1;
    j = q - 1;
  }
}

int sn_findVFS(const snVFS* vfs, const char* name, snBytes* bytes) {
  const Files* files = vfs ? (const Files*)vfs->impl_ : NULL;
  int best = -1, most = 0;
  for (int i = 0; files && i < files->count; i++) {
    int parts = commonParts(files->entries[i].name, name);
    if (!parts || parts < most) continue;
    most = parts;
    best = i;
  }
  return setBytes(files, best, bytes);
}

// what a file system holds, made when it is needed; NULL when memory is short
static Files* filesOf(snVFS* vfs) {
  if (!vfs->impl_) {
    vfs->impl_ = snu_malloc(sizeof(Files));
    if (vfs->impl_) memset(vfs->impl_, 0, sizeof(Files));
  }
  return (Files*)vfs->impl_;
}

void** sn_mountsVFS(snVFS* vfs, void (*release)(void* mounts)) {
  Files* files = vfs && release ? filesOf(vfs) : vfs ? (Files*)vfs->impl_ : NULL;
  if (!files) return NULL;
  if (release) files->release = release;
  return &files->mounts;
}

// Add a file; takes ownership of name and data whatever happens.
static int addEntry(snVFS* vfs, char* name, unsigned char* data, size_t size) {
  Files* files = name && data ? filesOf(vfs) : NULL;
  int status = FAILED;
  if (!name || !data || !files) {
    // out of memory
  } else if (findExact(files, name) >= 0) {
    status = REPEATED;
  } else {
    if (files->count == files->capacity) {
      int capacity = 2 * files->capacity + 8;
      Entry* entries = (Entry*)snu_malloc(sizeof(Entry) * (size_t)capacity);
      if (entries) {
        if (files->count) memcpy(entries, files->entries, sizeof(Entry) * (size_t)files->count);
        snu_free(files->entries);
        files->entries = entries;
        files->capacity = capacity;
      }
    }
    if (files->count < files->capacity) {
      Entry entry = {name, data, size};
      files->entries[files->count++] = entry;
      SN_ASSERT(files->count <= files->capacity);
      return SUCCESS;
    }
  }
  snu_free(name);
  snu_free(data);
  return status;
}

static unsigned char* copyBytes(const void* data, size_t size) {
  unsigned char* copy = (unsigned char*)snu_malloc(size ? size : 1);
  if (copy && size) memcpy(copy, data, size);
  return copy;
}

// ---- files of the disk ----

int sn_limitFilesVFS(snVFS* vfs, const char* folder) {
  Files* files = vfs ? filesOf(vfs) : NULL;
  if (!files) return FAILED;
  files->limited = 1;
  if (!folder) return SUCCESS;
  char* resolved = realpath(folder[0] ? folder : ".", NULL);
  size_t count = (size_t)files->nfolder;
  char** folders = (char**)snu_malloc((count + 1) * sizeof(char*));
  char* copy = resolved ? (char*)copyBytes(resolved, strlen(resolved) + 1) : NULL;
  free(resolved);  // realpath has taken it from the C library
  if (!folders || !copy) {
    snu_free(folders);
    snu_free(copy);
    return FAILED;
  }
  if (count) memcpy(folders, files->folders, count * sizeof(char*));
  folders[count] = copy;
  snu_free(files->folders);
  files->folders = folders;
  files->nfolder++;
  return SUCCESS;
}

static int isBelow(const char* path, const char* folder) {
  size_t length = strlen(folder);
  if (length == 1) return 1;  // the root
  return !strncmp(path, folder, length) && path[length] == '/';
}

char* sn_allowedPath(const snVFS* vfs, const char* path) {
  const Files* files = vfs ? (const Files*)vfs->impl_ : NULL;
  if (!files || !files->limited) return (char*)copyBytes(path, strlen(path) + 1);
  char* resolved = files->nfolder ? realpath(path, NULL) : NULL;
  char* allowed = NULL;
  for (int i = 0; resolved && !allowed && i < files->nfolder; i++) {
    if (!isBelow(resolved, files->folders[i])) continue;
    allowed = (char*)copyBytes(resolved, strlen(resolved) + 1);
  }
  free(resolved);
  return allowed;
}

// ---- interface ----

void sn_defaultVFS(snVFS* vfs) {
  if (vfs) vfs->impl_ = NULL;
}

int sn_unmountVFS(snVFS* vfs, const char* filename) { return sn_deleteFileVFS(vfs, filename); }

int sn_addBufferVFS(snVFS* vfs, const char* name, const void* buffer, int nbuffer) {
  if (!vfs || !name || nbuffer < 0 || (!buffer && nbuffer)) return FAILED;
  return addEntry(vfs, sn_normalName(name), copyBytes(buffer, (size_t)nbuffer), (size_t)nbuffer);
}

int sn_addFileVFS(snVFS* vfs, const char* directory, const char* filename) {
  if (!vfs || !filename) return FAILED;
  snResource resource;
  // files from disk are known by the last part of their name, in small letters; a name that is taken
  // is refused before the file is looked for
  char* name = sn_normalName(sn_pathFile(filename));
  if (!name) return FAILED;
  for (char* c = name; *c; c++) *c = (char)lower((unsigned char)*c);
  int status = vfs->impl_ && findExact((const Files*)vfs->impl_, name) >= 0 ? REPEATED : SUCCESS;
  if (status == SUCCESS && sn_openResource(&resource, NULL, directory, filename, NULL, 0)) {
    status = FAILED;
  }
  if (status != SUCCESS) {
    snu_free(name);
    return status;
  }
  unsigned char* data = copyBytes(resource.bytes.data, resource.bytes.size);
  status = addEntry(vfs, name, data, resource.bytes.size);
  sn_closeResource(&resource);
  return status;
}

int sn_deleteFileVFS(snVFS* vfs, const char* filename) {
  Files* files = vfs ? (Files*)vfs->impl_ : NULL;
  if (!files || !filename) return FAILED;
  char* name = sn_normalName(filename);
  if (!name) return FAILED;
  int index = findExact(files, name);
  if (index < 0) {  // as files from disk are named
    for (char* c = name; *c; c++) *c = (char)lower((unsigned char)*c);
    index = findExact(files, sn_pathFile(name));
  }
  snu_free(name);
  if (index < 0) return FAILED;
  snu_free(files->entries[index].name);
  snu_free(files->entries[index].data);
  memmove(files->entries + index, files->entries + index + 1,
          sizeof(Entry) * (size_t)(files->count - index - 1));
  files->count--;
  return SUCCESS;
}

void sn_deleteVFS(snVFS* vfs) {
  Files* files = vfs ? (Files*)vfs->impl_ : NULL;
  if (!files) return;
  if (files->mounts) files->release(files->mounts);
  for (int i = 0; i < files->count; i++) {
    snu_free(files->entries[i].name);
    snu_free(files->entries[i].data);
  }
  for (int i = 0; i < files->nfolder; i++) snu_free(files->folders[i]);
  snu_free(files->folders);
  snu_free(files->entries);
  snu_free(files);
  vfs->impl_ = NULL;
}
