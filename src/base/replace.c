// rename, fsync and realpath are POSIX
#define _POSIX_C_SOURCE 200809L
#define _XOPEN_SOURCE 700

#include "base/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int writeAll(int file, const char* data, size_t bytes) {
  while (bytes) {
    ssize_t written = write(file, data, bytes);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return 0;
    data += written;
    bytes -= (size_t)written;
  }
  return 1;
}

static int closeFile(int file, int sound) {
  int code = errno;
  if (close(file) && sound) return 0;
  errno = code;
  return sound;
}

static int writeInPlace(const char* path, const void* data, size_t bytes) {
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  return file >= 0 && closeFile(file, writeAll(file, (const char*)data, bytes));
}

// a new file beside the old one, with its rights
static int writeBeside(const char* path, const struct stat* old, const void* data, size_t bytes) {
  static atomic_uint count;
  char beside[4200];
  int length = snprintf(beside, sizeof(beside), "%s.%ld-%u.tmp", path, (long)getpid(), count++);
  if (length < 0 || (size_t)length >= sizeof(beside)) {
    errno = ENAMETOOLONG;
    return 0;
  }
  int file = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) return 0;
  int sound = !old || !fchmod(file, old->st_mode & 07777);
  sound = sound && writeAll(file, (const char*)data, bytes) && !fsync(file);
  sound = closeFile(file, sound);
  if (sound && !rename(beside, path)) return 1;
  int code = errno;
  unlink(beside);
  errno = code;
  return 0;
}

int sn_replaceFile(const char* path, const void* data, size_t bytes) {
  struct stat old;
  if (stat(path, &old)) {
    if (errno != ENOENT) return 0;
    struct stat link;  // one that leads nowhere yet
    if (!lstat(path, &link)) return writeInPlace(path, data, bytes);
    return writeBeside(path, NULL, data, bytes);
  }
  if (!S_ISREG(old.st_mode)) return writeInPlace(path, data, bytes);
  if (access(path, W_OK)) return 0;     // a file that may not be written is not replaced either
  char* target = realpath(path, NULL);  // behind links
  int sound = target && writeBeside(target, &old, data, bytes);
  // a folder that takes no new files
  if (target && !sound && (errno == EACCES || errno == EPERM || errno == EROFS)) {
    sound = writeInPlace(target, data, bytes);
  }
  free(target);
  return sound;
}
