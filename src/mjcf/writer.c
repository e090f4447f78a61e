#include "mjcf/writer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
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
    put(w, piece);
  }
}

enum { MAXPRUNED = 16 };

void sn_writeOpen(snWriter* w, const char* tag) {
  if (w->depth < MAXPRUNED) {
    w->before[w->depth].size = w->out.size;
    w->before[w->depth].open = w->open;
    w->before[w->depth].bare = w->bare;
  }
  if (w->open) {
    put(w, ">\n");
  } else if (w->depth == 1) {
    put(w, "\n");  // sections stand apart
  }
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

void sn_writeText(snWriter* w, const char* name, const char* value) {
  w->bare = 0;
  put(w, " ");
  put(w, name);
  put(w, "=\"");
  putEscaped(w, value);
  put(w, "\"");
}

void sn_writeName(snWriter* w, const char* name, const snString* value) {
  if (!sn_stringEmpty(value)) sn_writeText(w, name, sns_getString(value));
}

#define WRITE(Name, type, format)                                       \
  void Name(snWriter* w, const char* name, const type* values, int n) { \
    char number[32];                                                    \
    w->bare = 0;                                                        \
    put(w, " ");                                                        \
    put(w, name);                                                       \
    put(w, "=\"");                                                      \
    for (int i = 0; i < n; i++) {                                       \
      format;                                                           \
      if (i) put(w, " ");                                               \
      put(w, number);                                                   \
    }                                                                   \
    put(w, "\"");                                                       \
  }

WRITE(sn_writeDoubles, double, sn_formatDouble(number, values[i]))
WRITE(sn_writeFloats, float, sn_formatFloat(number, values[i]))
WRITE(sn_writeInts, int, snprintf(number, sizeof(number), "%d", values[i]))

// ---- attributes ----

static int loadInt(const void* source, snAttrStore store) {
  switch (store) {
    case snSTORE_BYTE: return *(const snByte*)source;
    case snSTORE_DOUBLE: return (int)*(const double*)source;
    case snSTORE_FLOAT: return (int)*(const float*)source;
    default: return *(const int*)source;
  }
}

static void writeKeyword(snWriter* w, const snAttr* attr, const void* value,
                         const void* reference) {
  int mine = loadInt(value, attr->store);
  if (mine == loadInt(reference, attr->store)) return;
  if (attr->type == snATTR_KEYWORDS) {
    snString words = {0};
    for (const snKeyword* word = attr->keywords; word->name; word++) {
      if (!(mine & word->value)) continue;
      if (words.size) sn_stringAppend(&words, " ", 1);
      sn_stringAppend(&words, word->name, (int)strlen(word->name));
    }
    sn_writeText(w, attr->name, sns_getString(&words));
    sn_boxFree((snBox*)&words, snBOX_STRING);
    return;
  }
  const char* name = sn_keywordName(attr->keywords, mine);
  if (name) sn_writeText(w, attr->name, name);
}

static void writeFlag(snWriter* w, const snAttr* attr, const int* value, const int* reference) {
  if ((*value & attr->bit) == (*reference & attr->bit)) return;
  int set = (*value & attr->bit) != 0;
  sn_writeText(w, attr->name, attr->keywords[attr->store == snSTORE_ENABLE ? set : !set].name);
}

static void writeOrientation(snWriter* w, const snAttr* attr, const snsOrientation* value,
                             const snsOrientation* reference) {
  if (value->type == snORIENTATION_QUAT && reference->type != snORIENTATION_QUAT) w->conflict = 1;
  if ((int)value->type != attr->bit) return;
  const double* mine = attr->bit == snORIENTATION_AXISANGLE ? value->axisangle
                       : attr->bit == snORIENTATION_XYAXES  ? value->xyaxes
                       : attr->bit == snORIENTATION_ZAXIS   ? value->zaxis
                                                            : value->euler;
  size_t offset = (size_t)((const char*)mine - (const char*)value);
  if (reference->type == value->type &&
      !memcmp(mine, (const char*)reference + offset, (size_t)attr->count * sizeof(double))) {
    return;
  }
  sn_writeDoubles(w, attr->name, mine, attr->count);
}

static void writeReals(snWriter* w, const snAttr* attr, const void* value, const void* reference) {
  int same = 1, unset = 0, given = 0;
  for (int i = 0; i < attr->count; i++) {
    int single = attr->store == snSTORE_FLOAT;
    double a = single ? (double)((const float*)value)[i] : ((const double*)value)[i];
    double b = single ? (double)((const float*)reference)[i] : ((const double*)reference)[i];
    same &= a == b || (isnan(a) && isnan(b));
    unset |= isnan(a);
    given |= isnan(a) && !isnan(b);
  }
  if (same) return;
  if (unset) {
    w->conflict |= given;
    return;
  }
  if (attr->store == snSTORE_FLOAT) {
    sn_writeFloats(w, attr->name, (const float*)value, attr->count);
  } else {
    sn_writeDoubles(w, attr->name, (const double*)value, attr->count);
  }
}

static void writeIntegers(snWriter* w, const snAttr* attr, const void* value,
                          const void* reference) {
  if (attr->store == snSTORE_LONG) {
    char number[32];
    snSize mine = *(const snSize*)value;
    if (mine == *(const snSize*)reference) return;
    snprintf(number, sizeof(number), "%lld", (long long)mine);
    sn_writeText(w, attr->name, number);
  } else if (memcmp(value, reference, (size_t)attr->count * sizeof(int))) {
    sn_writeInts(w, attr->name, (const int*)value, attr->count);
  }
}

static void writeVector(snWriter* w, const snAttr* attr, const snBox* value,
                        const snBox* reference) {
  snBoxKind kind = attr->store == snSTORE_DOUBLEVEC   ? snBOX_DOUBLE
                   : attr->store == snSTORE_FLOATVEC  ? snBOX_FLOAT
                   : attr->store == snSTORE_INTVEC    ? snBOX_INT
                   : attr->store == snSTORE_STRINGVEC ? snBOX_STRINGVEC
                                                      : snBOX_STRING;
  if (sn_boxEqual(value, reference, kind)) return;
  switch (kind) {
    case snBOX_STRING: sn_writeText(w, attr->name, sns_getString((const snString*)value)); return;
    case snBOX_STRINGVEC: {
      snString words = {0};
      const snStringVec* vec = (const snStringVec*)value;
      for (int i = 0; i < vec->size; i++) {
        if (i) sn_stringAppend(&words, " ", 1);
        sn_stringAppend(&words, sns_getString(vec->data + i), vec->data[i].size);
      }
      sn_writeText(w, attr->name, sns_getString(&words));
      sn_boxFree((snBox*)&words, snBOX_STRING);
      return;
    }
    default: break;
  }
  if (!value->size) {
    w->conflict = 1;  // a blank attribute counts as absent
  } else if (kind == snBOX_DOUBLE) {
    sn_writeDoubles(w, attr->name, (const double*)value->data, value->size);
  } else if (kind == snBOX_FLOAT) {
    sn_writeFloats(w, attr->name, (const float*)value->data, value->size);
  } else {
    sn_writeInts(w, attr->name, (const int*)value->data, value->size);
  }
}

static void writeAttribute(snWriter* w, const snAttr* attr, const void* value,
                           const void* reference) {
  switch (attr->store) {
    case snSTORE_NONE: return;
    case snSTORE_ORIENTATION:
      writeOrientation(w, attr, (const snsOrientation*)value, (const snsOrientation*)reference);
      return;
    case snSTORE_ENABLE:
    case snSTORE_DISABLE: writeFlag(w, attr, (const int*)value, (const int*)reference); return;
    case snSTORE_STRING:
    case snSTORE_STRINGVEC:
    case snSTORE_DOUBLEVEC:
    case snSTORE_FLOATVEC:
    case snSTORE_INTVEC:
      writeVector(w, attr, *(snBox* const*)value, *(snBox* const*)reference);
      return;
    default: break;
  }
  if (attr->keywords) {
    writeKeyword(w, attr, value, reference);
  } else if (attr->store == snSTORE_DOUBLE || attr->store == snSTORE_FLOAT) {
    writeReals(w, attr, value, reference);
  } else {
    writeIntegers(w, attr, value, reference);
  }
}

void sn_writeGroup(snWriter* w, const snAttr* group, const void* object, const void* reference) {
  // a quaternion beside another form of orientation means nothing
  int alternative = 0;
  for (const snAttr* attr = group; attr->name; attr++) {
    if (attr->store != snSTORE_ORIENTATION) continue;
    const snsOrientation* alt = (const snsOrientation*)((const char*)object + attr->offset);
    alternative |= alt->type != snORIENTATION_QUAT;
  }
  for (const snAttr* attr = group; attr->name; attr++) {
    if (attr->type == snATTR_QUAT && alternative) continue;
    writeAttribute(w, attr, (const char*)object + attr->offset,
                   (const char*)reference + attr->offset);
  }
}

const void* sn_writeReference(snWriter* w, const snElem* e) {
  snElem* dummy = sn_classDummy(w->plain || !e->def ? w->base : e->def, e->head.elemtype);
  return dummy ? dummy->object : NULL;
}

void sn_writeIdentity(snWriter* w, const snElem* e, int hasClass) {
  sn_writeName(w, "name", &e->name);
  if (hasClass && !w->plain && e->def && e->def != sn_specData(w->spec)->main) {
    sn_writeText(w, "class", sn_elemName(e->def));
  }
}

// ---- settings ----

static void writeCompiler(snWriter* w, const snSpec* plain) {
  const snsCompiler* compiler = &w->spec->compiler;
  sn_writeOpen(w, "compiler");
  sn_writeGroup(w, sn_attrCompiler, compiler, &plain->compiler);
  if (w->spec->strippath) sn_writeText(w, "strippath", "true");
  if (memcmp(compiler->eulerseq, plain->compiler.eulerseq, 3)) {
    char sequence[4] = {compiler->eulerseq[0], compiler->eulerseq[1], compiler->eulerseq[2], 0};
    sn_writeText(w, "eulerseq", sequence);
  }
  sn_writeOpen(w, "lengthrange");
  sn_writeGroup(w, sn_attrLengthRange, &compiler->LRopt, &plain->compiler.LRopt);
  sn_writeClose(w, "lengthrange");
  sn_writeClose(w, "compiler");
}

static void writeOption(snWriter* w, const snSpec* plain) {
  const snOption* option = &w->spec->option;
  sn_writeOpen(w, "option");
  sn_writeGroup(w, sn_attrOption, option, &plain->option);
  int groups[31], count = 0;
  for (int i = 0; i < 31; i++) {
    if (option->disableactuator & (1 << i)) groups[count++] = i;
  }
  if (count) sn_writeInts(w, "actuatorgroupdisable", groups, count);
  sn_writeOpen(w, "flag");
  sn_writeGroup(w, sn_attrFlag, option, &plain->option);
  sn_writeClose(w, "flag");
  sn_writeClose(w, "option");
}

static void writeVisual(snWriter* w, const snSpec* plain) {
  static const struct {
    const char* name;
    const snAttr* group;
  } parts[] = {{"global", sn_attrVisualGlobal},       {"quality", sn_attrVisualQuality},
               {"headlight", sn_attrVisualHeadlight}, {"map", sn_attrVisualMap},
               {"scale", sn_attrVisualScale},         {"rgba", sn_attrVisualRgba}};
  sn_writeOpen(w, "visual");
  for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
    sn_writeOpen(w, parts[i].name);
    sn_writeGroup(w, parts[i].group, &w->spec->visual, &plain->visual);
    sn_writeClose(w, parts[i].name);
  }
  sn_writeClose(w, "visual");
}

static void writeSettings(snWriter* w, const snSpec* plain) {
  writeCompiler(w, plain);
  writeOption(w, plain);
  sn_writeOpen(w, "size");
  sn_writeGroup(w, sn_attrSize, w->spec, plain);
  sn_writeClose(w, "size");
  writeVisual(w, plain);
  sn_writeOpen(w, "statistic");
  sn_writeGroup(w, sn_attrStatistic, &w->spec->stat, &plain->stat);
  sn_writeClose(w, "statistic");
}

// attached models with other units or rules for angles cannot share classes with the main model
static int needsPlain(const snSpec* spec) {
  for (const snOrigin* o = sn_specData(spec)->origins; o; o = o->next) {
    if (o->compiler.degree != spec->compiler.degree ||
        memcmp(o->compiler.eulerseq, spec->compiler.eulerseq, 3)) {
      return 1;
    }
  }
  return 0;
}

static void writeModel(snWriter* w, const snSpec* plain) {
  sn_writeOpen(w, "mujoco");
  sn_writeName(w, "model", w->spec->modelname);
  w->settings = 1;
  writeSettings(w, plain);
  sn_writeExtension(w);
  if (!w->plain) sn_writeClasses(w);
  w->settings = 0;
  sn_writeAssets(w);
  sn_writeWorld(w);
  sn_writeConstraints(w);
  sn_writeActuators(w);
  sn_writeSensors(w);
  sn_writeKeys(w);
  sn_writeClose(w, "mujoco");
}

static int writeSpec(snWriter* w, char* error, int error_sz) {
  snSpec* plain = sn_makeSpec();
  if (!plain) {
    sn_formatError(error, error_sz, "out of memory");
    return 0;
  }
  w->base = sn_specData(plain)->main;
  w->plain = needsPlain(w->spec);
  writeModel(w, plain);
  if (w->conflict && !w->plain) {
    sn_boxFree((snBox*)&w->out, snBOX_STRING);
    w->plain = 1;
    w->depth = w->open = 0;
    writeModel(w, plain);
  }
  sn_deleteSpec(plain);
  if (w->failed) {
    sn_boxFree((snBox*)&w->out, snBOX_STRING);
    sn_formatError(error, error_sz, "out of memory");
  }
  return !w->failed;
}

int sn_saveXMLString(const snSpec* s, char* xml, int xml_sz, char* error, int error_sz) {
  if (error && error_sz > 0) error[0] = 0;
  if (!s) {
    sn_formatError(error, error_sz, "no spec");
    return -1;
  }
  snWriter w = {.spec = (snSpec*)s};
  if (!writeSpec(&w, error, error_sz)) return -1;
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

int sn_saveXML(const snSpec* s, const char* filename, char* error, int error_sz) {
  if (error && error_sz > 0) error[0] = 0;
  if (!s || !filename) {
    sn_formatError(error, error_sz, "spec and file name are needed");
    return -1;
  }
  snWriter w = {.spec = (snSpec*)s};
  if (!writeSpec(&w, error, error_sz)) return -1;
  FILE* file = fopen(filename, "wb");
  int ok = file && fwrite(w.out.data, 1, (size_t)w.out.size, file) == (size_t)w.out.size;
  if (file && fclose(file)) ok = 0;
  if (!ok) sn_formatError(error, error_sz, "could not write file '%s'", filename);
  sn_boxFree((snBox*)&w.out, snBOX_STRING);
  return ok ? 0 : -1;
}
