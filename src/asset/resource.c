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

static snResourceHook scheme_hook;

void sn_setResourceHook(const snResourceHook* hook) {
  scheme_hook = hook ? *hook : (snResourceHook){0};
}

// whether a path begins with a scheme that the hook serves
static int hasScheme(const char* path) { return scheme_hook.serves && scheme_hook.serves(path); }

// whether a path starts at a root: of the disk, of a drive, of a scheme
static int isAbsolute(const char* path) {
  if (!path || !path[0]) return 0;
  return isSeparator(path[0]) || path[1] == ':' || strstr(path, ":/") || strstr(path, ":\\") ||
         hasScheme(path);
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
  const char* file = sn_pathFile(path);
  if (file == path && hasScheme(path)) file = strchr(path, ':') + 1;
  return copyText(path, (size_t)(file - path), buffer, size);
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

// Read a regular file of known size; NULL on failure. Anything else, and a file that is too large, is
// taken as empty, as in MuJoCo: what reads it says what is missing.
static unsigned char* readFile(FILE* file, const char* path, size_t* size) {
  struct stat info;
  if (fstat(fileno(file), &info)) return NULL;
  int readable = S_ISREG(info.st_mode) && info.st_size >= 0 && info.st_size <= INT32_MAX;
  if (!readable) {
    snu_warning("'%s' is %s: it is read as an empty file", path,
                S_ISDIR(info.st_mode)   ? "a folder"
                : S_ISREG(info.st_mode) ? "larger than 2 GB"
                                        : "not a regular file");
  }
  *size = readable ? (size_t)info.st_size : 0;
  unsigned char* data = (unsigned char*)snu_malloc(*size ? *size : 1);
  if (data && fread(data, 1, *size, file) != *size) {
    snu_free(data);
    return NULL;
  }
  return data;
}

// From memory, from a folder that a program serves, from a scheme: 1 when found, -1 when whoever owns the
// name does not have it, 0 when nobody owns it.
static int openVirtual(snResource* resource, const snVFS* vfs, const char* path) {
  if (!scheme_hook.open && !(vfs && vfs->impl_)) return 0;
  char* name = sn_normalName(path);
  if (!name) return -1;
  int length = sn_ownerVFS(vfs, name, &resource->bytes), found = 0;
  if (scheme_hook.open) {
    found = scheme_hook.open(name, vfs, length, &resource->bytes, &resource->handle);
  }
  if (!found) found = length > 0 || sn_findVFS(vfs, name, &resource->bytes);
  snu_free(name);
  return found;
}

int sn_openResource(snResource* resource, const snVFS* vfs, const char* directory, const char* name,
                    char* error, int error_sz) {
  memset(resource, 0, sizeof(*resource));
  char path[PATH_SIZE];
  if (!sn_pathJoin(directory, name, path, sizeof(path))) {
    sn_formatError(error, error_sz, "file name is too long: '%.100s...'", name);
    return -1;
  }
  int opened = openVirtual(resource, vfs, path);
  if (opened > 0) return 0;
  if (opened < 0) {
    sn_formatError(error, error_sz, "Error opening file '%s'", path);
    return -1;
  }

  // as in MuJoCo, names are reduced as text: either separator, and folders that ".." leaves need not exist
  char reduced[PATH_SIZE];
  sn_pathReduce(path, reduced, sizeof(reduced));
  char* allowed = sn_allowedPath(vfs, reduced);
  FILE* file = allowed ? fopen(allowed, "rb") : NULL;
  snu_free(allowed);
  if (!file) {
    sn_formatError(error, error_sz, "Error opening file '%s'", path);
    return -1;
  }
  size_t size = 0;
  unsigned char* data = readFile(file, path, &size);
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

// ---- time stamps ----

static const char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// eight bytes as eleven digits of six bits and a filler
static void encodeStamp(uint64_t value, char* text, size_t size) {
  char digits[13] = "AAAAAAAAAAA=";
  for (int i = 0; i < 8; i++) {
    unsigned byte = (unsigned)(value >> (8 * i)) & 255;
    for (int bit = 0; bit < 8; bit++) {
      int at = 8 * i + bit;
      const char* digit = strchr(kDigits, digits[at / 6]);
      if (byte >> (7 - bit) & 1) digits[at / 6] = kDigits[(digit - kDigits) | 1 << (5 - at % 6)];
    }
  }
  copyText(digits, strlen(digits), text, size);
}

static int decodeStamp(const char* text, uint64_t* value) {
  *value = 0;
  if (!text || strlen(text) != 12 || text[11] != '=') return 0;
  for (int at = 0; at < 66; at++) {
    const char* digit = strchr(kDigits, text[at / 6]);
    if (!digit) return 0;
    uint64_t bit = (uint64_t)((digit - kDigits) >> (5 - at % 6)) & 1;
    if (at < 64) *value |= bit << (8 * (at / 8) + 7 - at % 8);
  }
  return 1;
}

// FNV-1a; nothing for nothing
static uint64_t hashBytes(snBytes bytes) {
  uint64_t hash = 14695981039346656037u;
  for (size_t i = 0; i < bytes.size; i++) hash = (hash ^ bytes.data[i]) * 1099511628211u;
  return bytes.size ? hash : 0;
}

void sn_resourceStamp(const snResource* resource, const char* path, char* text, size_t size) {
  struct stat info;
  if (!resource->owned) {
    encodeStamp(hashBytes(resource->bytes), text, size);
  } else if (!stat(path, &info)) {
    encodeStamp((uint64_t)info.st_mtime, text, size);
  } else {
    copyText("", 0, text, size);
  }
}

int sn_compareStamps(const char* stamp, const char* other, int hashes) {
  uint64_t mine, theirs;
  if (!decodeStamp(stamp, &mine) || (!decodeStamp(other, &theirs) && !hashes)) return 1;
  if (mine == theirs) return 0;
  return hashes || (int64_t)mine > (int64_t)theirs ? 1 : -1;
}

// Where the file of an asset was found: what messages about its contents name.
static int keepPath(snResource* resource, const char* directory, const char* name) {
  char path[PATH_SIZE], reduced[PATH_SIZE];
  if (!sn_pathJoin(directory, name, path, sizeof(path)) ||
      !sn_pathReduce(path, reduced, sizeof(reduced))) {
    return 0;
  }
  size_t size = strlen(reduced) + 1;
  resource->path = (char*)snu_malloc(size);
  if (resource->path) memcpy(resource->path, reduced, size);
  return 0;
}

// MuJoCo names a missing file as the model does; the folder of the model goes into a line of its own.
static int missing(const snAssetPath* path, const char* name, char* error, int error_sz) {
  char beside[PATH_SIZE], reduced[PATH_SIZE];
  const char* folder = path->modeldir ? path->modeldir : "";
  if (path->includedir && path->includedir[0]) {
    sn_pathJoin(path->includedir, path->file, beside, sizeof(beside));
    name = beside;
  }
  if (!path->written && sn_pathReduce(name, reduced, sizeof(reduced))) name = reduced;
  int plain = sn_plainMessages() || !folder[0];
  sn_formatError(error, error_sz, "Error opening file '%.300s'%s%.300s%s", name,
                 plain ? "" : "\nin folder '", plain ? "" : folder, plain ? "" : "'");
  return -1;
}

int sn_openAsset(snResource* resource, const snVFS* vfs, const snAssetPath* path, char* error,
                 int error_sz) {
  char name[PATH_SIZE];
  memset(resource, 0, sizeof(*resource));
  if (!sn_pathJoin(path->assetdir, path->file, name, sizeof(name))) {
    sn_formatError(error, error_sz, "file name is too long: '%.100s...'", path->file);
    return -1;
  }
  if (!sn_openResource(resource, vfs, path->modeldir, name, error, error_sz)) {
    return keepPath(resource, path->modeldir, name);
  }
  if (path->includedir && path->includedir[0] &&
      !sn_openResource(resource, vfs, path->includedir, path->file, NULL, 0)) {
    if (error && error_sz > 0) error[0] = '\0';
    if (path->beside) *path->beside = 1;
    return keepPath(resource, path->includedir, path->file);
  }
  static const char opening[] = "Error opening file";
  if (error && strncmp(error, opening, strlen(opening))) return -1;
  return missing(path, name, error, error_sz);
}

void sn_closeResource(snResource* resource) {
  if (resource->owned) snu_free(resource->owned);
  if (resource->path) snu_free(resource->path);
  if (resource->handle && scheme_hook.close) scheme_hook.close(resource->handle);
  memset(resource, 0, sizeof(*resource));
}
