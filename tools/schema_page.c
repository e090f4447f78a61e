// Prints docs/mjcf.md: every element and attribute of the language, from the table of the reader.

#include <stdio.h>
#include <string.h>

#include "mjcf/schema.h"

static const char* typeName(snAttrType type) {
  switch (type) {
    case snATTR_REAL: return "real";
    case snATTR_QUAT: return "quaternion";
    case snATTR_INT: return "int";
    case snATTR_KEYWORD: return "one of";
    case snATTR_KEYWORDS: return "some of";
    case snATTR_TEXT: return "text";
    case snATTR_FILE: return "file";
    case snATTR_TEXTS: return "words";
    default: return "bytes, with K, M, G, T, P or E";
  }
}

static const char* repeatName(char repeat) {
  switch (repeat) {
    case '!': return "once";
    case '?': return "at most once";
    case 'R': return "any number, also inside itself";
    default: return "any number";
  }
}

static void printAttr(const snAttr* attr) {
  printf("- `%s`: %s", attr->name, typeName(attr->type));
  for (const snKeyword* word = attr->keywords; word && word->name; word++) {
    printf("%s `%s`", word == attr->keywords ? "" : ",", word->name);
  }
  int numbers = attr->type == snATTR_REAL || attr->type == snATTR_INT;
  if (numbers && attr->count == 0) printf(", any number of values");
  if (numbers && attr->count > 1) {
    printf(", %s%d values", attr->flags & snATTR_UPTO ? "up to " : "", attr->count);
  }
  printf("%s\n", attr->flags & snATTR_REQUIRED ? "; required" : "");
}

static void printTag(const snTag* tag, const char* parents) {
  char path[200];
  snprintf(path, sizeof(path), "%s%s%s", parents, *parents ? "/" : "", tag->name);
  printf("\n## %s\n\n%s\n\n", path, repeatName(tag->repeat));
  for (int i = 0; i < snTAG_GROUPS && tag->groups[i]; i++) {
    for (const snAttr* attr = tag->groups[i]; attr->name; attr++) printAttr(attr);
  }
  for (const snTag* const* child = tag->children; child && *child; child++) printTag(*child, path);
}

int main(void) {
  printf(
      "# The language of models\n\n"
      "Generated from the table of the reader (`src/mjcf/schema.c`) by `make docs`. An attribute "
      "is\n"
      "listed with how its text is read; what is not listed is an error with file and line.\n");
  printTag(&sn_tagMujoco, "");
  return 0;
}
