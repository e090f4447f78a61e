#include "asset/resource.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "asset/vfs.h"
#include "base/error.h"

enum { PATH_SIZE = 4096 };

// ---- names ----

static int isSeparator(char c) { return c == '/' || c == '\\'; }

const char* sn_pathFile(const char* path) {
  const char* file = path;
  for (const char* at = path; *at; at++) {
    if (isSeparator(*at)) file = at + 1;
  }
  return file;
}

// whether a path starts at the root (or with a drive letter)
static int isAbsolute(const char* path) {
  if (!path || !path[0]) return 0;
  return isSeparator(path[0]) || path[1] == ':';
}

static int copyText(const char* text, size_t length, char* buffer, size_t size) {
  if (!size) return 0;
  int fits = length < size;
  if (!fits) length = size - 1;
  memmove(buffer, text, length);
  buffer[length] = '\0';
  return fits;
}

int sn_pathDirectory(const char* path, char* buffer, size_t size) {
  return copyText(path, (size_t)(sn_pathFile(path) - path), buffer, size);
}

int sn_pathJoin(const char* directory, const char* name, char* buffer, size_t size) {
  size_t length = directory ? strlen(directory) : 0;
  if (!length || isAbsolute(name)) return copyText(name, strlen(name), buffer, size);
  const char* separator = isSeparator(directory[length - 1]) ? "" : "/";
  int needed = snprintf(buffer, size, "%s%s%s", directory, separator, name);
  return needed >= 0 && (size_t)needed < size;
}

// the start of the last of the directories that a text ends with, separator included
static size_t lastDirectory(const char* text, size_t length) {
  size_t at = length ? length - 1 : 0;
  while (at > 0 && text[at - 1] != '/') at--;
  return at;
}

int sn_pathReduce(const char* path, char* buffer, size_t size) {
  int fits = copyText(path, strlen(path), buffer, size);
  if (!fits) return 0;
  for (char* c = buffer; *c; c++) *c = isSeparator(*c) ? '/' : *c;
  size_t root = buffer[0] == '/', length = root;
  const char* from = buffer + root;
  for (const char* end; (end = strchr(from, '/')); from = end + 1) {
    size_t part = (size_t)(end - from) + 1,
           last = root + lastDirectory(buffer + root, length - root);
    int up = part == 3 && !strncmp(from, "../", 3);
    if (up && length > root && strncmp(buffer + last, "../", 3)) {
      length = last;
    } else if (part != 2 || from[0] != '.') {
      memmove(buffer + length, from, part);
      length += part;
    }
  }
  memmove(buffer + length, from, strlen(from) + 1);
  return 1;
}

int sn_pathStem(const char* path, char* buffer, size_t size) {
  const char* file = sn_pathFile(path);
  const char* dot = strrchr(file, '.');
  return copyText(file, dot ? (size_t)(dot - file) : strlen(file), buffer, size);
}

// ---- content type ----

static int isToken(const char* text, size_t length) {
  for (size_t i = 0; i < length; i++) {
    unsigned char c = (unsigned char)text[i];
    int letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!letter && !strchr("!#$&-^_.+/", c)) return 0;
  }
  return length > 0;
}

// type/subtype, then any number of ;key=value
static int attributeType(const char* attribute, char* buffer, size_t size) {
  size_t length = strcspn(attribute, ";");
  size_t type = strcspn(attribute, "/");
  if (type == 0 || type + 1 >= length || !isToken(attribute, length)) return -1;
  for (const char* at = attribute + length; *at;) {
    const char* parameter = at + 1;
    size_t end = strcspn(parameter, ";"), equal = strcspn(parameter, "=");
    if (equal == 0 || equal + 1 >= end) return -1;
    at = parameter + end;
  }
  return copyText(attribute, length, buffer, size) ? 0 : -1;
}

int sn_contentType(const char* attribute, const char* file, char* buffer, size_t size) {
  static const char* const types[][2] = {
      {".stl", "model/stl"}, {".obj", "model/obj"},
      {".ply", "model/ply"}, {".msh", "model/vnd.mujoco.msh"},
      {".png", "image/png"},
  };
  if (attribute && attribute[0]) return attributeType(attribute, buffer, size);
  copyText("", 0, buffer, size);
  const char* dot = file ? strrchr(sn_pathFile(file), '.') : NULL;
  if (!dot) return 0;
  char extension[8];
  copyText(dot, strlen(dot), extension, sizeof(extension));
  for (char* c = extension; *c; c++) {
    if (*c >= 'A' && *c <= 'Z') *c = (char)(*c - 'A' + 'a');
  }
  for (size_t i = 0; strlen(dot) == 4 && i < sizeof(types) / sizeof(types[0]); i++) {
    if (!strcmp(extension, types[i][0])) copyText(types[i][1], strlen(types[i][1]), buffer, size);
  }
  return 0;
}

// ---- bytes ----

// Read a regular file of known size; NULL on failure.
static unsigned char* readFile(FILE* file, size_t* size) {
  struct stat info;
  if (fstat(fileno(file), &info) || !S_ISREG(info.st_mode)) return NULL;
  if (info.st_size < 0 || info.st_size > INT32_MAX) return NULL;
  *size = (size_t)info.st_size;
  unsigned char* data = (unsigned char*)snu_malloc(*size ? *size : 1);
  if (data && fread(data, 1, *size, file) != *size) {
    snu_free(data);
    return NULL;
  }
  return data;
}

static snResourceHook scheme_hook;

void sn_setResourceHook(const snResourceHook* hook) {
  scheme_hook = hook ? *hook : (snResourceHook){0};
}

int sn_openResource(snResource* resource, const snVFS* vfs, const char* directory, const char* name,
                    char* error, int error_sz) {
  memset(resource, 0, sizeof(*resource));
  char path[PATH_SIZE];
  if (!sn_pathJoin(directory, name, path, sizeof(path))) {
    sn_formatError(error, error_sz, "file name is too long: '%.100s...'", name);
    return -1;
  }
  if (sn_findVFS(vfs, path, &resource->bytes)) return 0;
  void** mounts = vfs ? sn_mountsVFS((snVFS*)vfs, NULL) : NULL;
  int opened = scheme_hook.open && (strchr(path, ':') || (mounts && *mounts))
                   ? scheme_hook.open(path, vfs, &resource->bytes, &resource->handle)
                   : 0;
  if (opened > 0) return 0;
  if (opened < 0) {
    sn_formatError(error, error_sz, "Error opening file '%s'", path);
    return -1;
  }

  FILE* file = fopen(path, "rb");
  if (!file) {
    sn_formatError(error, error_sz, "Error opening file '%s'", path);
    return -1;
  }
  size_t size = 0;
  unsigned char* data = readFile(file, &size);
  fclose(file);
  if (!data) {
    sn_formatError(error, error_sz, "could not read file '%s'", path);
    return -1;
  }
  resource->bytes.data = data;
  resource->bytes.size = size;
  resource->owned = data;
  return 0;
}

int sn_openAsset(snResource* resource, const snVFS* vfs, const snAssetPath* path, char* error,
                 int error_sz) {
  char name[PATH_SIZE];
  memset(resource, 0, sizeof(*resource));
  if (!sn_pathJoin(path->assetdir, path->file, name, sizeof(name))) {
    sn_formatError(error, error_sz, "file name is too long: '%.100s...'", path->file);
    return -1;
  }
  if (!sn_openResource(resource, vfs, path->modeldir, name, error, error_sz)) return 0;
  if (path->includedir && path->includedir[0] &&
      !sn_openResource(resource, vfs, path->includedir, path->file, NULL, 0)) {
    if (error && error_sz > 0) error[0] = '\0';
    return 0;
  }
  return -1;
}

void sn_closeResource(snResource* resource) {
  if (resource->owned) snu_free(resource->owned);
  if (resource->handle && scheme_hook.close) scheme_hook.close(resource->handle);
  memset(resource, 0, sizeof(*resource));
}
