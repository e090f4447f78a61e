// Forges the fields of real models: what the validator lets through must step and be drawn.
//
//   forge [--every N] [--draw N] [--case C] FILE...
//
// Every integer of a model (up to ENTRIES entries of each field), of its sizes and of its options
// becomes -1, the least and the greatest number, its neighbours, and each bound of its rule and one
// past it; every real becomes NaN, infinite, huge, denormal, zero and negative. A model that passes
// sn_validateModel is stepped ten times and its scene is made; each 16th scene is drawn, for an image takes ten
// times as long as all else. Model and data are taken apart, each
// array in a block of its own, so that the address sanitizer sees a step over the end of any of them.
// --every N runs each N-th case, --draw N draws each N-th scene, --case C runs and draws the one that a failure
// named.

#define _GNU_SOURCE
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/team.h"
#include "guard.h"
#include "model/binary.h"
#include "model/memory.h"
#include "model/rule.h"
#include "sinew/page.h"
#include "sinew/render.h"
#include "sinew/sinew.h"
#include "sinew/visual.h"

enum { ENTRIES = 64, REALS = 8, STEPS = 10, LIMIT_SECONDS = 60, ARENA = 1 << 21, VALUES = 400 };

// ---- which cases run

static long every = 1, wanted = -1, drawEvery = 16, cases, refused, stepped, drawn;
static char current[400];

// Does the next case run? Its number is kept for the message of a failure.
static int isDue(void) {
  long number = cases++;
  if (wanted >= 0) return number == wanted;
  // not each N-th: entries and values have periods of their own
  uint64_t mixed = (uint64_t)number * 0x9e3779b97f4a7c15u;
  return (mixed >> 33) % (uint64_t)every == 0;
}

static void failed(const char* what) {
  char line[600];
  int length =
      snprintf(line, sizeof(line), "\nforge: %s: --case %ld: %s\n", what, cases - 1, current);
  if (write(STDERR_FILENO, line, (size_t)length) < 0) _exit(3);
}

// ---- arrays in blocks of their own

#define SN_M(size) m->size

static void* ownBlock(const void* array, snSize count, size_t size) {
  size_t bytes = (size_t)count * size;
  void* block = malloc(bytes ? bytes : 1);
  if (bytes) memcpy(block, array, bytes);
  return block;
}

static snModel* scatterModel(const snModel* source) {
  snModel* m = (snModel*)malloc(sizeof(snModel));
  *m = *source;
#define X(type, name, rows, columns, stage, rule, meaning) \
  m->name = (sn_type_##type*)ownBlock(m->name, m->rows * (columns), sizeof(sn_type_##type));
  SN_MODEL_FIELDS(X)
#undef X
  return m;
}

static void freeModel(snModel* m) {
#define X(type, name, rows, columns, stage, rule, meaning) free(m->name);
  SN_MODEL_FIELDS(X)
#undef X
  free(m);
}

// data whose arrays stand apart; the block that they come from is kept in moved
static snData* scatterData(const snModel* m) {
  snData* block = sn_makeData(m);
  if (!block) return NULL;
  snData* d = (snData*)malloc(sizeof(snData));
  *d = *block;
#define X(type, name, rows, columns, stage, meaning) \
  d->name = (sn_type_##type*)ownBlock(d->name, m->rows * (columns), sizeof(sn_type_##type));
  SN_DATA_FIELDS(X)
#undef X
  d->moved = block;
  return d;
}

static void freeData(snData* d) {
#define X(type, name, rows, columns, stage, meaning) free(d->name);
  SN_DATA_FIELDS(X)
#undef X
  snData* block = (snData*)d->moved;
  free(d);
  sn_deleteData(block);
}

// ---- one case

static uint32_t noise = 1;
static snReal draw(void) {
  noise = noise * 1664525u + 1013904223u;
  return (snReal)(noise >> 8) / (1 << 23) - 1;
}

// an image of the scene, where the model does not ask for a large one
static void drawImage(const snModel* m, snvScene* scene) {
  const snrRect rect = {0, 0, 32, 24};
  int width = m->vis.global.offwidth, height = m->vis.global.offheight;
  snrContext con;
  if (width < rect.width || height < rect.height || width > 2000 || height > 2000) return;
  // shapes of 500 x 500 parts: bounded work, but minutes of it under sanitizers
  if (m->vis.quality.numslices > 100 || m->vis.quality.numstacks > 100 ||
      m->vis.quality.numquads > 100) {
    return;
  }
  snr_defaultContext(&con);
  snr_makeContext(m, &con, snFONTSCALE_100);
  snr_render(rect, scene, &con);
  scene->flags[snRND_SEGMENT] = 1;
  snr_render(rect, scene, &con);
  snr_freeContext(&con);
}

// a page that replays two moments
static void recordPage(const snModel* m, snData* d) {
  snPage* page = sn_makePage(m, NULL, 30, NULL, 0);
  for (int i = 0; page && i < 2; i++) sn_addPageFrame(page, m, d);
  char* text = page ? sn_finishPage(page, m, NULL) : NULL;
  snu_free(text);
  sn_deletePage(page);
}

static void showScene(const snModel* m, snData* d) {
  snvScene scene;
  snvOption option;
  snvCamera camera;
  snv_defaultScene(&scene);
  snv_makeScene(m, &scene, 500);
  snv_defaultOption(&option);
  for (int i = 0; i < snNVISFLAG; i++) option.flags[i] = 1;
  option.label = snLABEL_BODY;
  option.frame = snFRAME_GEOM;
  snv_defaultFreeCamera(m, &camera);
  snv_updateScene(m, d, &option, NULL, &camera, snCAT_ALL, &scene);
  if (wanted >= 0 || stepped % drawEvery == 0) {
    drawImage(m, &scene);
    recordPage(m, d);
    drawn++;
  }
  snv_freeScene(&scene);
}

// validate, step, draw; whatever the model holds by now
static void tryModel(snModel* m, snSize size) {
  char reason[300];
  if (sn_modelArrayBytes(m) < 0 || sn_sizeModel(m) != size ||
      sn_validateModel(m, reason, sizeof(reason))) {
    refused++;
    return;
  }
  setTimer(LIMIT_SECONDS);
  snData* d = sn_dataBlockBytes(m) < (snSize)1 << 32 ? scatterData(m) : NULL;
  for (int step = 0; d && step < STEPS; step++) {
    for (int i = 0; i < m->nu; i++) d->ctrl[i] = draw();
    for (int i = 0; step == 5 && i < m->nv; i++) d->qvel[i] += draw();
    sn_step(m, d);
  }
  if (d) showScene(m, d);
  if (d) freeData(d);
  setTimer(0);
  stepped++;
}

// ---- values of an integer

typedef struct Values_ {
  snSize value[VALUES];
  int n;
} Values;

// a value, and those beside it
static void addAround(Values* v, snSize value) {
  for (int k = -1; k <= 1; k++) {
    int known = (k < 0 && value == INT64_MIN) || (k > 0 && value == INT64_MAX) || v->n == VALUES;
    for (int i = 0; i < v->n && !known; i++) known = v->value[i] == value + k;
    if (!known) v->value[v->n++] = value + k;
  }
}

static snSize sizeAt(const snModel* m, size_t place) {
  return *(const snSize*)((const char*)m + place);
}

static void addSizes(Values* v, const snModel* m) {
#define X(name, rule, meaning) addAround(v, m->name);
  SN_MODEL_SIZES(X)
#undef X
}

// bounds of the rule of a field at its i-th entry
static void addBounds(Values* v, const snModel* m, const snRule* rule, snSize i) {
  switch (rule->kind) {
    case snRULE_RANGE:
      addAround(v, rule->low);
      addAround(v, rule->high);
      break;
    case snRULE_BEFORE: addAround(v, i); break;
    case snRULE_BELOW:
    case snRULE_SUM:
    case snRULE_COLUMNS: addAround(v, sizeAt(m, rule->size)); break;
    case snRULE_SLICE:
      addAround(v, sizeAt(m, rule->size));
      addAround(v, sizeAt(m, rule->size) - sn_ruleSlice(m, rule, i).count);
      break;
    case snRULE_MEMBER: addAround(v, sn_ruleEntries(m, sn_ruleAt(rule->other))); break;
    case snRULE_LOCAL: {
      const snRule* bound = sn_ruleAt(rule->bound);
      addAround(v, rule->low);
      for (snSize k = 0; k < sn_ruleEntries(m, bound) && k < 8; k++) {
        addAround(v, sn_ruleEntry(m, bound, k));
      }
      break;
    }
    case snRULE_CONDIM: addAround(v, 6); break;
    case snRULE_SEE: addSizes(v, m); break;
    default: break;
  }
}

static void setEntry(snModel* m, const snRule* rule, snSize i, snSize value) {
  void* field = (char*)m + rule->field;
  void* entries = rule->single ? field : *(void**)field;
  switch (rule->type) {
    case 'b': ((snByte*)entries)[i] = (snByte)value; break;
    case 's': ((snSize*)entries)[i] = value; break;
    default: ((int*)entries)[i] = (int)value; break;
  }
}

static int fits(const snRule* rule, snSize value) {
  if (rule->type == 's') return 1;
  if (rule->type == 'b') return value >= 0 && value <= 255;
  return value >= INT_MIN && value <= INT_MAX;
}

// k-th of the entries that are tried: all of a short field, the ends and some between of a long one
static snSize chosen(snSize n, int k) {
  if (n <= ENTRIES || k < ENTRIES / 3) return k;
  if (k < 2 * ENTRIES / 3) return n - 1 - (k - ENTRIES / 3);
  return (snSize)((uint64_t)(k + 1) * 0x9e3779b9u % (uint64_t)n);
}

static void forgeIntegers(snModel* m, snSize size, const char* file) {
  int count;
  const snRule* rules = sn_rules(&count);
  for (const snRule* rule = rules; rule < rules + count; rule++) {
    if (!strchr("ibs", rule->type)) continue;
    snSize n = sn_ruleEntries(m, rule);
    for (int k = 0; k < n && k < ENTRIES; k++) {
      snSize i = chosen(n, k), kept = sn_ruleEntry(m, rule, i);
      Values v = {{-1, INT_MIN, INT_MAX, 0, 1, 255, INT64_MIN, INT64_MAX}, 8};
      addAround(&v, kept);
      addBounds(&v, m, rule, i);
      for (int j = 0; j < v.n; j++) {
        if (v.value[j] == kept || !fits(rule, v.value[j]) || !isDue()) continue;
        snprintf(current, sizeof(current), "%s: %s[%lld] = %lld", file, rule->name, (long long)i,
                 (long long)v.value[j]);
        setEntry(m, rule, i, v.value[j]);
        tryModel(m, size);
        setEntry(m, rule, i, kept);
      }
    }
  }
}

// ---- values of a real

static const double kReals[] = {NAN, INFINITY, -INFINITY, 1e300, -1e300, 1e-310, 0, -1, 1e9, 1e-9};

// entries of double (8 bytes) or float (4)
static void forgeReals(snModel* m, snSize size, const char* file, const char* name, void* entries,
                       snSize n, size_t bytes) {
  for (int k = 0; k < n && k < REALS; k++) {
    char* entry = (char*)entries + bytes * (size_t)(n <= REALS ? k : (n - 1) * k / (REALS - 1));
    char kept[8];
    memcpy(kept, entry, bytes);
    for (size_t j = 0; j < sizeof(kReals) / sizeof(kReals[0]); j++) {
      if (!isDue()) continue;
      float narrow = (float)kReals[j];
      memcpy(entry, bytes == 8 ? (const void*)&kReals[j] : (const void*)&narrow, bytes);
      snprintf(current, sizeof(current), "%s: %s[%lld] = %g", file, name,
               (long long)((entry - (char*)entries) / (long)bytes), kReals[j]);
      tryModel(m, size);
    }
    memcpy(entry, kept, bytes);
  }
}

static void forgeFields(snModel* m, snSize size, const char* file) {
#define FORGE_real(name, n) forgeReals(m, size, file, #name, m->name, n, sizeof(snReal));
#define FORGE_float(name, n) forgeReals(m, size, file, #name, m->name, n, sizeof(float));
#define FORGE_int(name, n)
#define FORGE_byte(name, n)
#define FORGE_size(name, n)
#define FORGE_char(name, n)
#define X(type, name, rows, columns, stage, rule, meaning) FORGE_##type(name, m->rows*(columns))
  SN_MODEL_FIELDS(X)
#undef X
#define R(name) forgeReals(m, size, file, "opt." #name, &m->opt.name, 1, sizeof(snReal));
#define V(name, count) forgeReals(m, size, file, "opt." #name, m->opt.name, count, sizeof(snReal));
#define NOTHING(...)
  SN_OPTION_FIELDS(R, V, NOTHING)
#undef R
#undef V
#define R(name) forgeReals(m, size, file, "stat." #name, &m->stat.name, 1, sizeof(snReal));
#define V(name, count) \
  forgeReals(m, size, file, "stat." #name, m->stat.name, count, sizeof(snReal));
  SN_STATISTIC_FIELDS(R, V)
#undef R
#undef V
}

// the struct of visual settings is made of integers and floats: every word becomes either
static void forgeVisual(snModel* m, snSize size, const char* file) {
  static const int kIntegers[] = {-1, 0, 1, 2, INT_MIN, INT_MAX};
  for (size_t k = 0; k < sizeof(snVisual) / sizeof(int); k++) {
    int *word = (int*)&m->vis + k, kept = *word;
    for (size_t j = 0; j < sizeof(kIntegers) / sizeof(int); j++) {
      if (!isDue()) continue;
      snprintf(current, sizeof(current), "%s: word %zu of vis = %d", file, k, kIntegers[j]);
      *word = kIntegers[j];
      tryModel(m, size);
    }
    *word = kept;
    forgeReals(m, size, file, "vis", word, 1, sizeof(float));
  }
}

// ---- models

static snModel* load(const char* path, char* error, int error_sz) {
  size_t length = strlen(path);
  if (length < 4 || strcmp(path + length - 4, ".xml")) return sn_loadModel(path, NULL);
  return sn_loadXML(path, NULL, error, error_sz);
}

static int forge(const char* path) {
  char error[1000] = "not a model", reason[300];
  snModel* loaded = load(path, error, sizeof(error));
  if (!loaded) {
    fprintf(stderr, "forge: %s: %s\n", path, error);
    return 0;
  }
  if (loaded->narena > ARENA) loaded->narena = ARENA;
  snModel* m = scatterModel(loaded);
  snSize size = sn_sizeModel(m);
  int sound = !sn_validateModel(m, reason, sizeof(reason));
  if (!sound) fprintf(stderr, "forge: %s is refused as it is: %s\n", path, reason);
  if (sound) {
    forgeIntegers(m, size, path);
    forgeFields(m, size, path);
    forgeVisual(m, size, path);
  }
  freeModel(m);
  sn_deleteModel(loaded);
  return sound;
}

int main(int argc, char** argv) {
  int files = 0, sound = 0;
  guard();
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--every") && i + 1 < argc) {
      every = atol(argv[++i]) > 0 ? atol(argv[i]) : 1;
    } else if (!strcmp(argv[i], "--draw") && i + 1 < argc) {
      drawEvery = atol(argv[++i]) > 0 ? atol(argv[i]) : 1;
    } else if (!strcmp(argv[i], "--case") && i + 1 < argc) {
      wanted = atol(argv[++i]);
    } else {
      files++;
      sound += forge(argv[i]);
    }
  }
  printf(
      "forge: %ld cases of %d models: %ld refused, %ld stepped, %ld of them drawn, nothing found\n",
      refused + stepped, files, refused, stepped, drawn);
  return files == 0 || sound < files;
}
