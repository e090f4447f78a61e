// Mutation fuzzer: damaged copies of real models are loaded, and stepped when they load.
//
//   mutate [--seconds S] [--count N] [--seed SEED] [--out FILE] FILE-OR-FOLDER...
//
// Case number i depends on SEED + i and the list of files alone: a failure names its seed, and
// `--seed SEED --count 1 --out FILE` writes the model that caused it. A case may take LIMIT_SECONDS
// of processor time and LIMIT_MEGABYTES of memory; more counts as a failure.

#define _GNU_SOURCE
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/team.h"
#include "guard.h"
#include "model/binary.h"
#include "sinew/sinew.h"

enum { LIMIT_SECONDS = 30, LIMIT_MEGABYTES = 3000, MAX_FILES = 4000, MAX_TEXT = 1 << 18 };

// ---- random numbers (splitmix64)

static uint64_t random_state;

static uint64_t draw(void) {
  uint64_t z = (random_state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}
static int below(int n) { return n > 0 ? (int)(draw() % (uint64_t)n) : 0; }

// ---- files

static char* files[MAX_FILES];
static int file_count;

static int byName(const void* a, const void* b) {
  return strcmp(*(char* const*)a, *(char* const*)b);
}

static void collect(const char* path) {
  struct stat info;
  if (stat(path, &info)) return;
  size_t length = strlen(path);
  if (!S_ISDIR(info.st_mode)) {
    int xml = length > 4 && !strcmp(path + length - 4, ".xml");
    if (xml && info.st_size < MAX_TEXT && file_count < MAX_FILES)
      files[file_count++] = strdup(path);
    return;
  }
  DIR* folder = opendir(path);
  for (struct dirent* entry; folder && (entry = readdir(folder));) {
    char child[4096];
    if (entry->d_name[0] == '.') continue;
    if (snprintf(child, sizeof(child), "%s/%s", path, entry->d_name) < (int)sizeof(child)) {
      collect(child);
    }
  }
  if (folder) closedir(folder);
}

typedef struct Text_ {
  char* bytes;  // zero at the end
  int size;
} Text;

static Text readText(const char* path) {
  Text text = {NULL, 0};
  FILE* file = fopen(path, "rb");
  if (!file) return text;
  text.bytes = (char*)calloc(1, MAX_TEXT);
  text.size = (int)fread(text.bytes, 1, MAX_TEXT - 1, file);
  fclose(file);
  return text;
}

// ---- mutations

// replace removed bytes at place by others
static void splice(Text* text, int place, int removed, const char* with, int size) {
  if (place > text->size) place = text->size;
  if (removed > text->size - place) removed = text->size - place;
  char* made = (char*)malloc((size_t)(text->size - removed + size) + 1);
  memcpy(made, text->bytes, (size_t)place);
  memcpy(made + place, with, (size_t)size);
  int rest = text->size - place - removed;
  memcpy(made + place + size, text->bytes + place + removed, (size_t)rest);
  text->size += size - removed;
  made[text->size] = 0;
  free(text->bytes);
  text->bytes = made;
}

static void spliceCopy(Text* text, int place, int removed, const char* with, int size) {
  char* copy = (char*)malloc((size_t)size + 1);
  memcpy(copy, with, (size_t)size);
  splice(text, place, removed, copy, size);
  free(copy);
}

// a random place that holds the character, -1 when there is none nearby
static int seek(const Text* text, char wanted) {
  int start = below(text->size);
  for (int i = 0; i < text->size; i++) {
    int place = (start + i) % text->size;
    if (text->bytes[place] == wanted) return place;
  }
  return -1;
}

// quoted value: place of the first character after the quote, and its length
static int seekValue(const Text* text, int* length) {
  int equals = seek(text, '=');
  if (equals < 0 || equals + 1 >= text->size) return -1;
  char quote = text->bytes[equals + 1];
  if (quote != '"' && quote != '\'') return -1;
  const char* start = text->bytes + equals + 2;
  const char* end = strchr(start, quote);
  if (!end) return -1;
  *length = (int)(end - start);
  return equals + 2;
}

// element or tag: from '<' to the '>' after it
static int seekTag(const Text* text, int* length) {
  int start = seek(text, '<');
  if (start < 0) return -1;
  const char* end = strchr(text->bytes + start, '>');
  if (!end) return -1;
  *length = (int)(end - text->bytes) - start + 1;
  return start;
}

static const char* const NUMBERS[] = {"0",           "-1",         "1",
                                      "2",           "3",          "7",
                                      "100",         "1e-9",       "-0.5",
                                      "1e-300",      "1e30",       "-1e30",
                                      "1e308",       "nan",        "inf",
                                      "-inf",        "2147483647", "-2147483648",
                                      "99999999999", "4294967296", "65536",
                                      "0.001",       "1e10",       "",
                                      " ",           "0 0 0",      "1 2 3 4 5 6 7 8 9 10 11 12",
                                      "0x10",        "1e",         "--1",
                                      "1 nan 1",     "1000000"};
static const char* const WORDS[] = {
    "true",   "false",   "auto",      "world", "mesh",         "hfield",     "sdf",
    "plane",  "sphere",  "ellipsoid", "free",  "ball",         "slide",      "hinge",
    "body",   "geom",    "site",      "joint", "elliptic",     "pyramidal",  "PGS",
    "CG",     "Newton",  "implicit",  "RK4",   "implicitfast", "dense",      "sparse",
    "enable", "disable", "muscle",    "user",  "none",         "../..",      "/",
    "x.obj",  "1K",      "100G",      "&amp;", "trackcom",     "targetbody", "frame"};
static const char* const PIECES[] = {
    "<body/>",
    "<geom size='.1'/>",
    "<freejoint/>",
    "<joint/>",
    "<joint type='ball'/>",
    "<site/>",
    "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>",
    "<replicate count='3' offset='1 0 0'>",
    "</replicate>",
    "<body><joint/><geom size='1'/></body>",
    "</body>",
    "<frame>",
    "</frame>",
    "<!--",
    "]]>",
    "<![CDATA[",
    "&#0;",
    "&lt;",
    "<include file='x.xml'/>",
    "<worldbody>",
    "</worldbody>",
    "<default>",
    "</default>",
    "<option timestep='0.01' integrator='RK4'/>",
    "<size memory='1K'/>",
    "<size nuserdata='100000'/>",
    "<option><flag sleep='enable' multiccd='enable'/></option>",
    "<geom type='box' size='1 1 1'/>",
    "<geom type='plane' size='1 1 1' pos='0 0 -1'/>",
    "<compiler fusestatic='true' discardvisual='true'/>",
    "<compiler inertiafromgeom='true'/>",
    "<compiler balanceinertia='true' boundmass='.1' boundinertia='.1'/>",
    "\xff\xfe",
    "<",
    ">",
    "'",
    "<composite type='cable' count='5 1 1' curve='s' size='1'><geom size='.01'/></composite>",
    "<flexcomp name='x' type='grid' count='3 3 1' spacing='.1 .1 .1' dim='2' mass='1'/>",
    "<flexcomp name='y' type='box' count='3 3 3' spacing='.1 .1 .1' dim='3' mass='1'/>",
    "<deformable>",
    "</deformable>",
    "<deformable><sinew:cloth name='x' count='3 3 1' spacing='.1 .1 .1'/></deformable>",
    "<deformable><sinew:softbody name='y' count='2 2 2' spacing='.1 .1 .1'/></deformable>",
    "<deformable><sinew:chain name='z' count='4 1 1' spacing='.1 1 1'/></deformable>",
    "<pin id='0'/>"};
#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

static void mutateBytes(Text* text) {
  int place = below(text->size), length = below(1 + below(200));
  switch (below(4)) {
    case 0: text->bytes[place] = (char)(1 + below(255)); break;
    case 1: splice(text, place, length, "", 0); break;
    case 2:
      if (length > text->size - place) length = text->size - place;
      spliceCopy(text, below(text->size), 0, text->bytes + place, length);
      break;
    default: {
      const char* piece = PIECES[below(COUNT(PIECES))];
      splice(text, place, 0, piece, (int)strlen(piece));
    }
  }
}

// one number of a value becomes another, or a value takes the place of another
static void mutateValue(Text* text) {
  int length, other_length, place = seekValue(text, &length);
  if (place < 0) return;
  int other = seekValue(text, &other_length), kind = below(4);
  const char* number = NUMBERS[below(COUNT(NUMBERS))];
  const char* word = WORDS[below(COUNT(WORDS))];
  if (kind == 0 && other >= 0) {
    spliceCopy(text, place, length, text->bytes + other, other_length);
  } else if (kind == 1) {
    splice(text, place, length, word, (int)strlen(word));
  } else if (kind == 2) {
    splice(text, place, length, number, (int)strlen(number));
  } else {
    int skip = below(length);
    while (skip > 0 && text->bytes[place + skip - 1] != ' ') skip--;
    int old = (int)strcspn(text->bytes + place + skip, " \"'");
    splice(text, place + skip, old, number, (int)strlen(number));
  }
}

// tags are copied, moved, removed; attributes lost; elements inserted where an element may stand
static void mutateStructure(Text* text) {
  int length, place = seekTag(text, &length);
  if (place < 0) return;
  int target = seek(text, '<');
  const char* piece = PIECES[below(COUNT(PIECES))];
  switch (below(5)) {
    case 0: splice(text, place, length, "", 0); break;
    case 1: spliceCopy(text, target, 0, text->bytes + place, length); break;
    case 2: splice(text, target, 0, piece, (int)strlen(piece)); break;
    case 3: {  // from a tag to a later one
      int span = 1 + below(2000);
      if (span > text->size - place) span = text->size - place;
      spliceCopy(text, target, 0, text->bytes + place, span);
      break;
    }
    default: {  // without an attribute
      int value = seekValue(text, &length);
      if (value < 0) return;
      int start = value - 2;
      while (start > 0 && text->bytes[start - 1] != ' ' && text->bytes[start - 1] != '<') start--;
      splice(text, start, value + length + 1 - start, "", 0);
    }
  }
}

static void mutate(Text* text) {
  int count = 1 + below(4);
  for (int i = 0; i < count && text->size > 0; i++) {
    int kind = below(10);
    if (kind < 2) {
      mutateBytes(text);
    } else if (kind < 6) {
      mutateValue(text);
    } else {
      mutateStructure(text);
    }
  }
}

// ---- one case

static uint64_t current_seed;
static const char* current_file;

static void failed(const char* what) {
  char line[4300];
  int length = snprintf(line, sizeof(line), "\nfuzz: %s: --seed %llu (%s)\n", what,
                        (unsigned long long)current_seed, current_file);
  if (write(STDERR_FILENO, line, (size_t)length) < 0) _exit(3);
}

static void limitMemory(void) {
#if !defined(SN_ASAN)  // which reserves more addresses than there is memory
  struct rlimit limit = {(rlim_t)16 << 30, (rlim_t)16 << 30};
  setrlimit(RLIMIT_AS, &limit);
#endif
}

static double processorSeconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

// a few steps under random controls, a round trip through the binary form
static void exercise(snModel* m) {
  if ((double)m->nbuffer > 5e8 || (double)m->narena > 4e9) return;
  snData* d = sn_makeData(m);
  double start = processorSeconds();
  for (int step = 0; d && step < 8 && processorSeconds() - start < 0.3; step++) {
    for (int i = 0; i < m->nu; i++) d->ctrl[i] = (snReal)(below(2001) - 1000) / 500;
    if (step == 4) {
      for (int i = 0; i < m->nv; i++) d->qvel[i] += (snReal)(below(2001) - 1000) / 200;
    }
    sn_step(m, d);
  }
  if (d && below(4) == 0) sn_inverse(m, d);
  sn_deleteData(d);
  snSize size = sn_sizeModel(m);
  if (below(4) || size > 20000000) return;
  char* bytes = (char*)malloc((size_t)size);
  sn_saveModel(m, NULL, bytes, (int)size);
  char reason[300] = "";
  if (sn_validateModel(m, reason, sizeof(reason))) {
    failed(reason);
    abort();
  }
  snModel* back = sn_readModel(bytes, (size_t)size, reason, sizeof(reason));
  free(bytes);
  if (!back) {
    failed(reason);
    abort();
  }
  sn_deleteModel(back);
}

static int runCase(uint64_t seed, const char* out) {
  random_state = current_seed = seed;
  draw();
  current_file = files[below(file_count)];
  Text text = readText(current_file);
  if (!text.bytes) return 0;
  mutate(&text);
  if (out) {
    FILE* file = fopen(out, "wb");
    if (file && fwrite(text.bytes, 1, (size_t)text.size, file)) fclose(file);
  }
  char error[1000] = "";
  snVFS vfs;
  sn_defaultVFS(&vfs);
  sn_addBufferVFS(&vfs, current_file, text.bytes, text.size);
  setTimer(LIMIT_SECONDS);
  snModel* m = sn_loadXML(current_file, &vfs, error, sizeof(error));
  if (!m && !error[0]) {
    failed("refused without a message");
    abort();
  }
  int loaded = m != NULL;
  if (m) exercise(m);
  sn_deleteModel(m);
  setTimer(0);
  sn_deleteVFS(&vfs);
  free(text.bytes);
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  if (usage.ru_maxrss / 1024 > LIMIT_MEGABYTES) {
    failed("too much memory");
    abort();
  }
  if (out && !loaded) printf("refused: %s\n", error);
  return loaded;
}

int main(int argc, char** argv) {
  double seconds = 1e9;
  long count = 0;
  uint64_t seed = 1;
  const char* out = NULL;
  for (int i = 1; i < argc; i++) {
    if (argv[i][0] != '-' || i + 1 == argc) {
      collect(argv[i]);
      continue;
    }
    const char* value = argv[++i];
    if (!strcmp(argv[i - 1], "--seconds")) seconds = strtod(value, NULL);
    if (!strcmp(argv[i - 1], "--count")) count = strtol(value, NULL, 10);
    if (!strcmp(argv[i - 1], "--seed")) seed = strtoull(value, NULL, 10);
    if (!strcmp(argv[i - 1], "--out")) out = value;
  }
  if (!file_count) {
    fprintf(stderr, "usage: mutate [--seconds S] [--count N] [--seed N] [--out FILE] PATH...\n");
    return 2;
  }
  qsort(files, (size_t)file_count, sizeof(files[0]), byName);
  guard();
  limitMemory();
  long done = 0, loaded = 0;
  time_t start = time(NULL);
  while ((!count || done < count) && difftime(time(NULL), start) < seconds) {
    loaded += runCase(seed + (uint64_t)done++, out);
  }
  printf("fuzz: %ld cases from %d files, %ld loaded, nothing found\n", done, file_count, loaded);
  for (int i = 0; i < file_count; i++) free(files[i]);
  return 0;
}
