#define _GNU_SOURCE
#include "mjcf/writer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asset/resource.h"
#include "base/assert.h"
#include "base/error.h"
#include "base/replace.h"
#include "mjcf/number.h"

// ---- text ----

static void put(snWriter* w, const char* text) {
  if (!sn_stringAppend(&w->out, text, (int)strlen(text))) w->failed = 1;
}

static void indent(snWriter* w) {
  for (int i = 0; i < w->depth; i++) put(w, "  ");
}

static void putEscaped(snWriter* w, const char* text) {
  for (; *text; text++) {
    char letter[2] = {*text, 0};
    const char* piece = letter;
    if (*text == '<') piece = "&lt;";
    if (*text == '>') piece = "&gt;";
    if (*text == '&') piece = "&amp;";
    if (*text == '"') piece = "&quot;";
    if (*text == '\'') piece = "&apos;";
    put(w, piece);
  }
}

// Sections stand apart. As in MuJoCo's files, so does whatever has a name that begins like that of
// some of the sections.
static int standsApart(const snWriter* w, const char* tag) {
  static const char* const alike[] = {"actuator", "tendon", "equality", "sensor", "keyframe"};
  if (w->depth == 1) return strcmp(tag, "compiler") != 0;
  for (size_t i = 0; i < sizeof(alike) / sizeof(alike[0]); i++) {
    if (!strncmp(tag, alike[i], strlen(alike[i]))) return 1;
  }
  return 0;
}

enum { MAXPRUNED = 16 };

void sn_writeOpen(snWriter* w, const char* tag) {
  if (w->depth < MAXPRUNED) {
    w->before[w->depth].size = w->out.size;
    w->before[w->depth].open = w->open;
    w->before[w->depth].bare = w->bare;
  }
  if (w->open) put(w, ">\n");
  if (standsApart(w, tag)) put(w, "\n");
  indent(w);
  put(w, "<");
  put(w, tag);
  w->open = 1;
  w->bare = 1;
  w->depth++;
}

// an empty section, or an empty part of the settings or of a class, is left out
static int prune(snWriter* w, const char* tag) {
  int depth = w->depth;
  if (!w->open || !w->bare || depth >= MAXPRUNED || !depth) return 0;
  if (!w->settings && (depth != 1 || !strcmp(tag, "worldbody"))) return 0;
  w->out.size = w->before[depth].size;
  w->out.data[w->out.size] = 0;
  w->open = w->before[depth].open;
  w->bare = w->before[depth].bare;
  return 1;
}

void sn_writeClose(snWriter* w, const char* tag) {
  SN_ASSERT(w->depth > 0);
  w->depth--;
  if (prune(w, tag)) return;
  if (w->open) {
    put(w, "/>\n");
  } else {
    indent(w);
    put(w, "</");
    put(w, tag);
    put(w, ">\n");
  }
  w->open = 0;
}

static void startValue(snWriter* w, const char* name) {
  SN_ASSERT(w->open);
  w->bare = 0;
  put(w, " ");
  put(w, name);
  put(w, "=\"");
}

void sn_writeText(snWriter* w, const char* name, const char* value) {
  startValue(w, name);
  putEscaped(w, value);
  put(w, "\"");
}

void sn_writeName(snWriter* w, const char* name, const snString* value) {
  if (!sn_stringEmpty(value)) sn_writeText(w, name, sns_getString(value));
}

static void formatDouble(const snWriter* w, char* number, double value, int rounded) {
  if (w->source) {
    sn_formatExact(number, value);
  } else if (rounded) {
    sn_formatRounded(number, value);
  } else {
    sn_formatNumber(number, value);
  }
}

static void formatFloat(const snWriter* w, char* number, float value, int rounded) {
  if (w->source) {
    sn_formatExactFloat(number, value);
  } else if (rounded) {
    sn_formatRounded(number, (double)value);
  } else {
    sn_formatNumber(number, (double)value);
  }
}

#define WRITE(Name, type, format)                                       \
  void Name(snWriter* w, const char* name, const type* values, int n) { \
    char number[40];                                                    \
    startValue(w, name);                                                \
    for (int i = 0; i < n; i++) {                                       \
      format;                                                           \
      if (i) put(w, " ");                                               \
      put(w, number);                                                   \
    }                                                                   \
    put(w, "\"");                                                       \
  }

WRITE(sn_writeDoubles, double, formatDouble(w, number, values[i], 1))
WRITE(sn_writeNumbers, double, formatDouble(w, number, values[i], 0))
WRITE(sn_writeFloats, float, formatFloat(w, number, values[i], 1))
WRITE(sn_writeData, float, formatFloat(w, number, values[i], 0))
WRITE(sn_writeInts, int, snprintf(number, sizeof(number), "%d", values[i]))

void sn_writeWords(snWriter* w, const char* name, const snKeyword* map, int mask, int indexed) {
  const char* separator = "";
  startValue(w, name);
  for (; map->name; map++) {
    if (!(mask & (indexed ? 1 << map->value : map->value))) continue;
    put(w, separator);
    put(w, map->name);
    separator = " ";
  }
  put(w, "\"");
}

void sn_writeRows(snWriter* w, const char* name, const float* values, int nrow, int ncol) {
  SN_ASSERT(nrow >= 0 && ncol > 0);
  char number[40];
  startValue(w, name);
  for (int row = 0; row < nrow; row++) {
    put(w, "\n            ");
    for (int i = 0; i < ncol; i++) {
      formatFloat(w, number, values[(size_t)row * ncol + i], 0);
      if (i) put(w, " ");
      put(w, number);
    }
  }
  put(w, "\"");
}

// ---- the model ----

static void writeModel(snWriter* w) {
  sn_writeOpen(w, "mujoco");
  sn_writeText(w, "model", sns_getString(w->spec->modelname));
  if (!sn_stringEmpty(w->spec->comment)) {
    put(w, ">\n  <!--");
    put(w, sns_getString(w->spec->comment));
    put(w, "-->\n");
    w->open = 0;
  }
  w->settings = 1;
  sn_writeSettings(w);
  sn_writeClasses(w);
  w->settings = 0;
  sn_writeExtension(w);
  sn_writeCustom(w);
  sn_writeAssets(w);
  sn_writeWorld(w);
  sn_writeContact(w);
  sn_writeDeformable(w);
  sn_writeEqualities(w);
  sn_writeTendons(w);
  sn_writeActuators(w);
  sn_writeSensors(w);
  sn_writeKeys(w);
  sn_writeClose(w, "mujoco");
}

int sn_writeSpec(snWriter* w, char* error, int error_sz) {
  w->sizes = sn_specData(w->spec)->sizes;
  if (!w->sizes) {
    sn_formatError(error, error_sz, "XML Write error: Only compiled model can be written");
    return 0;
  }
  w->plain = sn_makeSpec();
  if (w->plain) {
    w->base = sn_specData(w->plain)->main;
    if (w->source) sn_planSource(w);
    writeModel(w);
  }
  if (!w->plain || w->failed || w->problem || w->refused) {
    sn_boxFree((snBox*)&w->out, snBOX_STRING);
    if (w->refused && !w->failed) {
      sn_formatError(error, error_sz, "XML Error: %s", w->refused);
    } else if (w->problem && !w->failed) {
      sn_formatError(error, error_sz, "XML Write error: MJCF has no words for %s", w->problem);
    } else {
      sn_formatError(error, error_sz, "out of memory");
    }
    w->failed = 1;
  }
  sn_deleteSpec(w->plain);
  return !w->failed;
}

// the same of a program's spec, which may be missing
static int writeGiven(snWriter* w, char* error, int error_sz) {
  if (error && error_sz > 0) error[0] = 0;
  if (w->spec) return sn_writeSpec(w, error, error_sz);
  sn_formatError(error, error_sz, "Cannot write empty model");
  return 0;
}

int sn_saveXMLString(const snSpec* s, char* xml, int xml_sz, char* error, int error_sz) {
  snWriter w = {.spec = s};
  if (!writeGiven(&w, error, error_sz)) return -1;
  int length = w.out.size;
  int result = 0;
  if (xml && xml_sz > length) {
    memcpy(xml, w.out.data, (size_t)length + 1);
  } else {
    sn_formatError(error, error_sz, "Output string too short, should be at least %d", length + 1);
    result = length;
  }
  sn_boxFree((snBox*)&w.out, snBOX_STRING);
  return result;
}

// without a name: to the standard output
static int writeFile(const char* filename, const char* text, size_t size, char* error,
                     int error_sz) {
  if (!filename || !*filename) {
    int shown = fwrite(text, 1, size, stdout) == size && !fflush(stdout);
    if (!shown) sn_formatError(error, error_sz, "could not write to the standard output");
    return shown;
  }
  int ok = sn_replaceFile(filename, text, size), missing = errno == ENOENT || errno == ENOTDIR;
  if (!ok && missing) {
    sn_formatError(error, error_sz, "File not found");
  } else if (!ok) {
    sn_formatError(error, error_sz, "could not write file '%s': %s", filename, strerror(errno));
  }
  return ok;
}

int sn_saveXML(const snSpec* s, const char* filename, char* error, int error_sz) {
  snWriter w = {.spec = s};
  if (!writeGiven(&w, error, error_sz)) return -1;
  int ok = writeFile(filename, w.out.data, (size_t)w.out.size, error, error_sz);
  sn_boxFree((snBox*)&w.out, snBOX_STRING);
  return ok ? 0 : -1;
}

// ---- the lossless form ----

// whether a file goes to another folder than the one that the spec was read from
static int goesElsewhere(const snSpec* s, const char* filename) {
  char folder[4096];
  const char* base = sns_getString(s->modelfiledir);
  sn_pathDirectory(filename, folder, sizeof(folder));
  char* from = realpath(*base ? base : ".", NULL);
  char* to = realpath(folder[0] ? folder : ".", NULL);
  int elsewhere = !from || !to || strcmp(from, to) != 0;
  free(from);
  free(to);
  return elsewhere;
}

snSpec* sn_compileWhole(const snSpec* s, const snVFS* vfs, snModel** model, char* error,
                        int error_sz) {
  snSpec* copy = sn_copySpec(s);
  *model = NULL;
  if (!copy) {
    sn_formatError(error, error_sz, "out of memory");
    return NULL;
  }
  sn_specData(copy)->whole = 1;
  *model = sn_compile(copy, vfs);
  if (*model) return copy;
  sn_formatError(error, error_sz, "%s", sns_getError(copy));
  sn_deleteSpec(copy);
  return NULL;
}

// The text of a spec, to be released as a box; 0 on failure. It is compiled for the checks, for the
// names of assets and for what is written as it came out.
static int writeLossless(const snSpec* s, const snVFS* vfs, int absolute, snString* out,
                         char* error, int error_sz) {
  snModel* m;
  snSpec* copy = sn_compileWhole(s, vfs, &m, error, error_sz);
  if (!copy) return 0;
  snWriter w = {.spec = copy, .source = 1, .absolute = absolute, .vfs = vfs};
  int ok = sn_writeSpec(&w, error, error_sz);
  sn_deleteModel(m);
  sn_deleteSpec(copy);
  *out = w.out;
  return ok;
}

char* sn_losslessXML(const snSpec* s, const snVFS* vfs, char* error, int error_sz) {
  if (error && error_sz > 0) error[0] = 0;
  if (!s) {
    sn_formatError(error, error_sz, "no spec");
    return NULL;
  }
  snString out;
  if (!writeLossless(s, vfs, 0, &out, error, error_sz)) return NULL;
  char* text = (char*)snu_malloc((size_t)out.size + 1);
  if (text) {
    memcpy(text, out.data, (size_t)out.size + 1);
  } else {
    sn_formatError(error, error_sz, "out of memory");
  }
  sn_boxFree((snBox*)&out, snBOX_STRING);
  return text;
}

int sn_saveLosslessXML(const snSpec* s, const char* filename, const snVFS* vfs, char* error,
                       int error_sz) {
  if (error && error_sz > 0) error[0] = 0;
  if (!s || !filename) {
    sn_formatError(error, error_sz, "spec and file name are needed");
    return -1;
  }
  snString out;
  if (!writeLossless(s, vfs, goesElsewhere(s, filename), &out, error, error_sz)) return -1;
  int ok = writeFile(filename, out.data, (size_t)out.size, error, error_sz);
  sn_boxFree((snBox*)&out, snBOX_STRING);
  return ok ? 0 : -1;
}
