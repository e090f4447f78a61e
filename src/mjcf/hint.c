#include "mjcf/hint.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "mjcf/versions.h"

__attribute__((format(printf, 2, 3))) static void add(snReader* r, const char* format, ...) {
  size_t used = strlen(r->hint);
  va_list args;
  va_start(args, format);
  vsnprintf(r->hint + used, sizeof(r->hint) - used, format, args);
  va_end(args);
}

static void addBest(snReader* r, const snSuggestion* s) {
  if (s->best) add(r, "did you mean '%s'?\n", s->best);
}

// ---- versions ----

typedef enum Change_ {
  ADDED,
  REMOVED,
  DEPRECATED,
  OPTIONAL,
  WIDENED,
  STRICTER,
  DEFAULT,
  MEANING
} Change;

typedef struct Row_ {
  const char *element, *attribute, *keyword;
  Change change;
  const char* version;
} Row;

#define X(element, attribute, keyword, change, version) \
  {element, attribute, keyword, change, version},
static const Row ROWS[] = {SN_LANGUAGE_CHANGES(X)};
#undef X
enum { ROW_COUNT = sizeof(ROWS) / sizeof(ROWS[0]) };

// name of an element in paths: what stands for a body is one
static const char* pathName(const snXmlNode* node) {
  const char* name = node->name;
  int body = !strcmp(name, "worldbody") || !strcmp(name, "replicate") || !strcmp(name, "frame");
  return body && node->parent ? "body" : name;
}

// Is the path of the element, from the root or from any element on, that of a row? Bodies inside of bodies and
// classes inside of classes count once.
static int hasPath(const snXmlNode* node, const char* path) {
  const char* end = path + strlen(path);
  const char* name = node->name;
  while (node && node->parent) {
    size_t length = strlen(name);
    if ((size_t)(end - path) < length || strncmp(end - length, name, length)) return 0;
    end -= length;
    if (end == path) return 1;
    if (*--end != '/') return 0;
    do node = node->parent;
    while (node && node->parent && node->parent->parent &&
           !strcmp(pathName(node), pathName(node->parent)));
    name = node ? pathName(node) : "";
  }
  return 0;
}

static int addVersion(snReader* r, const Row* row, const char* what) {
  switch (row->change) {
    case ADDED:
      add(r, "'%s' came with MuJoCo %s; this is the language of MuJoCo 3.5\n", what, row->version);
      return 1;
    case REMOVED: add(r, "'%s' was removed in MuJoCo %s\n", what, row->version); return 1;
    case OPTIONAL: add(r, "it is optional since MuJoCo %s\n", row->version); return 1;
    case WIDENED: add(r, "it takes more since MuJoCo %s\n", row->version); return 1;
    default: return 0;
  }
}

// what the table says of an element, an attribute of it (""), a keyword of that (""); first and last version
static int addChanges(snReader* r, const snXmlNode* node, const char* attribute,
                      const char* keyword) {
  const char* what = *keyword ? keyword : *attribute ? attribute : node->name;
  int found = 0;
  for (int i = 0; i < ROW_COUNT; i++) {
    const Row* row = ROWS + i;
    if (strcmp(row->attribute, attribute) || strcmp(row->keyword, keyword)) continue;
    if (hasPath(node, row->element)) found |= addVersion(r, row, what);
  }
  return found;
}

void sn_hintNumbers(snReader* r, const snXmlNode* node, const char* name, int n, int upto) {
  const char* text = r->failed ? NULL : sn_xmlAttr(node, name);
  if (!text || addChanges(r, node, name, "")) return;
  if (strchr(text, ',')) {
    add(r, "numbers are separated by spaces, not by commas\n");
  } else if (n) {
    add(r, "it takes %s%d number%s\n", upto && n > 1 ? "up to " : "", n, n == 1 ? "" : "s");
  }
}

void sn_hintVersion(snReader* r, const snXmlNode* node, const char* attribute) {
  if (!r->failed) addChanges(r, node, attribute, "");
}

// ---- names of the language ----

// extensions of a tag, when the name is like one of them
static int addExtensions(snReader* r, const snTag* tag, const char* name) {
  static const char prefix[] = "sinew:";
  int count = 0;
  if (strncmp(name, prefix, strlen(prefix))) return 0;
  for (int i = 0; i < snTAG_GROUPS && tag->groups[i]; i++) {
    for (const snAttr* attr = tag->groups[i]; attr->name; attr++) {
      if (strncmp(attr->name, prefix, strlen(prefix))) continue;
      add(r, "%s%s", count++ ? ", " : "there are: ", attr->name);
    }
  }
  if (count) add(r, "\n");
  return count;
}

void sn_hintAttribute(snReader* r, const snXmlNode* node, const snTag* tag, const char* name) {
  if (r->failed || addChanges(r, node, name, "") || addExtensions(r, tag, name)) return;
  snSuggestion s = sn_suggestFor(name);
  for (int i = 0; i < snTAG_GROUPS && tag->groups[i]; i++) {
    for (const snAttr* attr = tag->groups[i]; attr->name; attr++) sn_offer(&s, attr->name);
  }
  addBest(r, &s);
}

// elements that may contain one of this name, a few of them
static void addParents(snReader* r, const snTag* tag, const char* name, int* count) {
  enum { MOST = 5 };
  for (const snTag* const* child = tag->children; child && *child; child++) {
    if (!strcmp((*child)->name, name)) {
      if (*count < MOST) add(r, "%s'%s'", *count ? ", " : "it may stand in ", tag->name);
      if (*count == MOST) add(r, ", ...");
      (*count)++;
    }
    addParents(r, *child, name, count);
  }
}

void sn_hintElement(snReader* r, const snXmlNode* node, const snTag* parent) {
  if (r->failed || addChanges(r, node, "", "")) return;
  snSuggestion s = sn_suggestFor(node->name);
  for (const snTag* const* child = parent->children; child && *child; child++) {
    sn_offer(&s, (*child)->name);
  }
  if (!strcmp(parent->name, "body")) {
    sn_offer(&s, "body");
    sn_offer(&s, "frame");
    sn_offer(&s, "replicate");
  }
  if (!strcmp(parent->name, sn_tagMujoco.name)) sn_offer(&s, "worldbody");
  addBest(r, &s);
  if (s.best) return;
  int count = 0;
  addParents(r, &sn_tagMujoco, node->name, &count);
  if (count) add(r, "\n");
}

void sn_hintKeyword(snReader* r, const snXmlNode* node, const char* attribute, const snKeyword* map,
                    const char* word) {
  if (r->failed) return;
  if (!addChanges(r, node, attribute, word)) {
    snSuggestion s = sn_suggestFor(word);
    for (const snKeyword* key = map; key->name; key++) sn_offer(&s, key->name);
    addBest(r, &s);
  }
  add(r, "'%s' is one of:", attribute);
  for (const snKeyword* key = map; key->name; key++)
    add(r, "%s %s", key == map ? "" : ",", key->name);
  add(r, "\n");
}

void sn_hintName(snReader* r, snObj type, const char* name) {
  if (r->failed) return;
  snSuggestion s = sn_suggestFor(name);
  sn_offerNames(&s, r->spec, type);
  if (!s.best) return;
  add(r, "no %s is called '%.100s'\n", type == snOBJ_DEFAULT ? "default class" : sn_typeName(type),
      name);
  addBest(r, &s);
}
