// Includes: the contents of other files in the places of the elements that name them.
//
// A file is looked for next to the main file, then next to the including one. MuJoCo keeps the names of what was included,
// and compares them as text: a file that the main one includes is kept under the name it was opened by, one that
// another file includes under the folder of that file in front of it. A second include of the first kind is therefore refused
// everywhere; one of the second kind is taken, unless both names happen to be the same, as where the main file has no
// folder. We keep the same names. What MuJoCo does not see, we do: a file that is being read is not included again.

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "asset/resource.h"
#include "mjcf/reader.h"

enum { PATH_SIZE = 2048, MAX_INCLUDED_FILES = 1 << 16, MAX_INCLUDED_BYTES = 1 << 28 };

// a name in the list of what was included
typedef struct Included_ {
  const char* name;
  struct Included_* next;
} Included;

// a file that is being read, within the one that includes it; the main file is the last
typedef struct Place_ {
  const char* path;
  const struct Place_* around;
} Place;

typedef struct Include_ {
  snReader* reader;
  Included* seen;
  size_t files, bytes;
} Include;

static int openFile(snReader* r, snResource* resource, const char* directory, const char* name,
                    char* path) {
  char joined[PATH_SIZE];
  if (!sn_pathJoin(directory, name, joined, PATH_SIZE)) return -1;
  if (!sn_pathReduce(joined, path, PATH_SIZE)) return -1;
  return sn_openResource(resource, r->vfs, NULL, path, NULL, 0);
}

// The file of an include, its path and the name that is looked up among those included.
static int openInclude(snReader* r, const snXmlNode* node, const char* file, snResource* resource,
                       char* path, char* name) {
  char folder[PATH_SIZE];
  int fits = sn_pathReduce(file, name, PATH_SIZE);
  if (fits && !openFile(r, resource, r->folder, name, path)) return 1;
  if (fits && node->file && sn_pathDirectory(node->file, folder, sizeof(folder)) &&
      !openFile(r, resource, folder, name, path)) {
    strcpy(name, path);
    return 1;
  }
  return sn_mjcfFail(r, node, "Error opening file '%s'", fits ? name : file);
}

static int isSeen(const Include* include, const char* name) {
  for (const Included* seen = include->seen; seen; seen = seen->next) {
    if (!strcmp(seen->name, name)) return 1;
  }
  return 0;
}

static int isOpen(const Place* place, const char* path) {
  for (; place; place = place->around) {
    if (place->path && !strcmp(place->path, path)) return 1;
  }
  return 0;
}

static int remember(Include* include, const char* name) {
  if (isSeen(include, name)) return 1;
  snPool* pool = &include->reader->pool;
  Included* seen = SN_TAKE(pool, Included, 1);
  char* copy = SN_TAKE(pool, char, strlen(name) + 1);
  if (!seen || !copy) return 0;
  memcpy(copy, name, strlen(name));
  seen->name = copy;
  seen->next = include->seen;
  include->seen = seen;
  return 1;
}

// Keep the name of a file that is included at a place, after the folder of the including file if that is not the main one.
static int rememberAt(Include* include, const Place* place, const char* name) {
  char folder[PATH_SIZE], joined[PATH_SIZE], reduced[PATH_SIZE];
  if (!place->around) return remember(include, name);
  return sn_pathDirectory(place->path, folder, sizeof(folder)) &&
         sn_pathJoin(folder, name, joined, sizeof(joined)) &&
         sn_pathReduce(joined, reduced, sizeof(reduced)) && remember(include, reduced);
}

// The tree of an included file, NULL with an error; `path` is where it was found.
static snXmlNode* parseIncluded(Include* include, const Place* place, const snXmlNode* node,
                                const char* file, char* path) {
  snReader* r = include->reader;
  char name[PATH_SIZE], error[600] = "";
  snResource resource = {0};
  snXmlNode* root = NULL;
  if (!openInclude(r, node, file, &resource, path, name)) return NULL;
  include->bytes += resource.bytes.size;
  if (isSeen(include, name) || isOpen(place, path)) {
    sn_mjcfFail(r, node, "File '%s' already included", name);
  } else if (!resource.bytes.size) {
    sn_mjcfFail(r, node, "Empty file '%s'", name);
  } else if (++include->files > MAX_INCLUDED_FILES || include->bytes > MAX_INCLUDED_BYTES ||
             !rememberAt(include, place, name)) {
    sn_mjcfFail(r, node, "included files are too large");
  } else {
    root = sn_xmlParse(&r->pool, (const char*)resource.bytes.data, resource.bytes.size, path, error,
                       sizeof(error));
    if (!root) sn_mjcfFail(r, node, "Include error: '%s'", error);
  }
  sn_closeResource(&resource);
  if (root && !root->first) sn_mjcfFail(r, node, "Empty include file '%s'", name);
  return r->failed ? NULL : root;
}

// Put the contents of included files in the place of the includes, theirs first.
static int expand(Include* include, const Place* place, snXmlNode* node, int depth) {
  snReader* r = include->reader;
  if (depth > snXML_MAXDEPTH) return sn_mjcfFail(r, node, "elements are nested too deeply");
  for (snXmlNode* child = node->first; child && !r->failed;) {
    snXmlNode* next = child->next;
    if (strcasecmp(child->name, "include")) {
      expand(include, place, child, depth + 1);
      child = next;
      continue;
    }
    char path[PATH_SIZE];
    const char* file = sn_mjcfNeeded(r, child, "file");
    if (child->first) return sn_mjcfFail(r, child, "Include element cannot have children");
    snXmlNode* root = r->failed ? NULL : parseIncluded(include, place, child, file, path);
    const Place inner = {path, place};
    if (!root || !expand(include, &inner, root, depth + 1)) return 0;
    sn_xmlReplace(child, root->first, root->last);
    child = next;
  }
  return !r->failed;
}

int sn_mjcfIncludes(snReader* r, snXmlNode* root, const char* mainfile) {
  Include include = {.reader = r};
  char path[PATH_SIZE];
  int known = mainfile && *mainfile && sn_pathReduce(mainfile, path, sizeof(path));
  if (known && !remember(&include, mainfile)) return sn_mjcfFail(r, root, "out of memory");
  const Place place = {known ? path : NULL, NULL};
  return expand(&include, &place, root, 0);
}
