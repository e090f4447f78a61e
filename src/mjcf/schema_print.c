// The language as a page: elements with their attributes, in the layout of MuJoCo's mj_printSchema.

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "mjcf/schema.h"
#include "sinew/sinew.h"

enum { NAME_WIDTH = 30, LINE = 30, MAX_NAMES = 128 };

typedef struct Print_ {
  char* buffer;
  int size;
  int used;
  int html;
  int pad;  // HTML only: levels by padding instead of spaces
} Print;

static void put(Print* print, const char* text) {
  int n = (int)strlen(text), room = print->size - print->used - 1;
  if (room >= 0) {
    int kept = n < room ? n : room;
    memcpy(print->buffer + print->used, text, (size_t)kept);
    print->buffer[print->used + kept] = 0;
  }
  print->used += n;
}

// programs of MuJoCo see the language of 3.5.0, others also what it lacks or has had before
static int isHidden(const char* tag, const char* name) {
  int former = !strcmp(tag, "flag") && !strcmp(name, "passive");
  return sn_plainMessages() && (former || !strncmp(name, "sinew:", 6));
}

static int sortedNames(const snTag* tag, const char** names) {
  int n = 0;
  for (int i = 0; i < snTAG_GROUPS && tag->groups[i]; i++) {
    for (const snAttr* attr = tag->groups[i]; attr->name && n < MAX_NAMES; attr++) {
      if (isHidden(tag->name, attr->name)) continue;
      int k = n++;
      for (; k && strcmp(names[k - 1], attr->name) > 0; k--) names[k] = names[k - 1];
      names[k] = attr->name;
    }
  }
  return n;
}

static void printHtml(Print* print, const snTag* tag, const char* name, int level) {
  char text[80] = "";
  const char* names[MAX_NAMES];
  int n = sortedNames(tag, names);
  if (print->pad) snprintf(text, sizeof(text), "style=\"padding-left:%d\" ", 5 + 15 * level);
  put(print, "<tr>\n\t<td ");
  put(print, text);
  put(print, "bgcolor=\"#EEEEEE\" class=\"el\">");
  for (int i = 0; i < level && !print->pad; i++) put(print, "&nbsp;&nbsp;&nbsp;&nbsp;");
  put(print, name);
  snprintf(text, sizeof(text), "</td>\n\t<td class=\"ty\">%c</td>\n\t<td class=\"at\">",
           tag->repeat);
  put(print, text);
  for (int i = 0; i < n; i++) {
    put(print, names[i]);
    put(print, " ");
  }
  if (!n) put(print, "<span style=\"color:black\"><i>no attributes</i></span>");
  put(print, "</td>\n</tr>\n");
}

static void printText(Print* print, const snTag* tag, const char* name, int level) {
  char head[80];
  const char* names[MAX_NAMES];
  int n = sortedNames(tag, names), length = 0;
  snprintf(head, sizeof(head), "%*s%s (%c)", 3 * level, "", name, tag->repeat);
  char line[120];
  snprintf(line, sizeof(line), "%-*s", NAME_WIDTH, head);
  put(print, line);
  for (int i = 0; i < n; i++) {
    put(print, names[i]);
    put(print, " ");
    length += (int)strlen(names[i]) + 1;
    if (length > LINE && i < n - 1) {
      snprintf(line, sizeof(line), "\n%*s", NAME_WIDTH, "");
      put(print, line);
      length = 0;
    }
  }
  put(print, "\n");
}

static void printTag(Print* print, const snTag* tag, int level) {
  const char* name = level == 1 && !strcmp(tag->name, "body") ? "(world)body" : tag->name;
  if (isHidden("", tag->name)) return;
  (print->html ? printHtml : printText)(print, tag, name, level);
  for (const snTag* const* child = tag->children; child && *child; child++) {
    printTag(print, *child, level + 1);
  }
}

int sn_printSchema(const char* filename, char* buffer, int buffer_sz, int flg_html, int flg_pad) {
  Print print = {buffer, buffer ? buffer_sz : 0, 0, flg_html, flg_pad};
  char* own = NULL;
  enum { LARGE = 1 << 17 };
  if (filename) {
    own = (char*)snu_malloc(LARGE);
    if (!own) return -1;
    print.buffer = own;
    print.size = LARGE;
  }
  if (flg_html) put(&print, "<table border=\"1\">\n");
  printTag(&print, &sn_tagMujoco, 0);
  if (flg_html) put(&print, "</table>\n");
  int result = print.used;  // what fits is in the buffer
  if (filename) {
    FILE* file = fopen(filename, "w");
    if (!file || fwrite(own, 1, (size_t)print.used, file) != (size_t)print.used) result = -1;
    if (file && fclose(file)) result = -1;
  }
  snu_free(own);
  return result;
}
