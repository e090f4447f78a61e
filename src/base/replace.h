// Files that are replaced whole: a process that is killed while it writes, or a disk that is full, leaves the old
// file as it was.

#ifndef SINEW_BASE_REPLACE_H_
#define SINEW_BASE_REPLACE_H_

#include <stddef.h>

#include "sinew/types.h"

SN_EXTERN_C_BEGIN

// Write bytes to a file beside the one of that name, and put it in its place when they are on the disk. What is
// not a plain file (a pipe, a device) is written to. Returns 0 with errno when that fails.
int sn_replaceFile(const char* path, const void* data, size_t bytes);

// The same for what is written piece by piece: the file of that path, which is there and empty, takes the place
// of the old one when it is kept.
struct snDraft_ {
  char path[4200];
  char target[4096];  // what it replaces; empty: it is written in place
};
typedef struct snDraft_ snDraft;

int sn_startDraft(snDraft* draft, const char* path);
int sn_keepDraft(snDraft* draft);
void sn_dropDraft(snDraft* draft);

SN_EXTERN_C_END

#endif  // SINEW_BASE_REPLACE_H_
