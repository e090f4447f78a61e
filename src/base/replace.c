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

// ---- drafts

// the file beside a target, with the rights of the old one; 0 with errno
static int createBeside(snDraft* draft, const char* target, const struct stat* old) {
  static atomic_uint count;
  int length =
      snprintf(draft->path, sizeof(draft->path), "%s.%ld-%u.tmp", target, (long)getpid(), count++);
  if (length < 0 || (size_t)length >= sizeof(draft->path)) {
    errno = ENAMETOOLONG;
    return 0;
  }
  int file = open(draft->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) return 0;
  snprintf(draft->target, sizeof(draft->target), "%s", target);
  int sound = closeFile(file, !old || !fchmod(file, old->st_mode & 07777));
  if (!sound) sn_dropDraft(draft);
  return sound;
}

static int startInPlace(snDraft* draft, const char* path) {
  int length = snprintf(draft->path, sizeof(draft->path), "%s", path);
  draft->target[0] = 0;
  if (length < 0 || (size_t)length >= sizeof(draft->path)) errno = ENAMETOOLONG;
  return length >= 0 && (size_t)length < sizeof(draft->path);
}

int sn_startDraft(snDraft* draft, const char* path) {
  draft->target[0] = 0;
  struct stat old, link;
  if (stat(path, &old)) {
    if (errno != ENOENT) return 0;
    if (!lstat(path, &link)) return startInPlace(draft, path);  // it leads nowhere yet
    return createBeside(draft, path, NULL);
  }
  if (!S_ISREG(old.st_mode)) return startInPlace(draft, path);
  if (access(path, W_OK)) return 0;     // a file that may not be written is not replaced either
  char* target = realpath(path, NULL);  // behind links
  int sound = target && createBeside(draft, target, &old);
  // a folder that takes no new files
  if (target && !sound && (errno == EACCES || errno == EPERM || errno == EROFS)) {
    sound = startInPlace(draft, target);
  }
  free(target);
  return sound;
}

int sn_keepDraft(snDraft* draft) {
  if (!draft->target[0]) return 1;
  int file = open(draft->path, O_WRONLY | O_CLOEXEC);
  if (file >= 0 && closeFile(file, !fsync(file)) && !rename(draft->path, draft->target)) return 1;
  sn_dropDraft(draft);
  return 0;
}

void sn_dropDraft(snDraft* draft) {
  int code = errno;
  if (draft->target[0]) unlink(draft->path);
  errno = code;
}

int sn_replaceFile(const char* path, const void* data, size_t bytes) {
  snDraft draft;
  if (!sn_startDraft(&draft, path)) return 0;
  int file = open(draft.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  int sound = file >= 0 && closeFile(file, writeAll(file, (const char*)data, bytes));
  if (sound) return sn_keepDraft(&draft);
  sn_dropDraft(&draft);
  return 0;
}
