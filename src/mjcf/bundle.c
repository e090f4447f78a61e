#include "mjcf/bundle.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "asset/resource.h"
#include "base/assert.h"
#include "base/error.h"
#include "base/replace.h"
#include "compile/compiler.h"
#include "mjcf/writer.h"

enum { PATH_SIZE = 4096 };

// stands for the folder in the two attributes of the text that name it
static const char FOLDER[] = "sinew-assets-folder/";

// ---- the list of files ----

typedef struct Entry_ {
  const char* name;
  snBytes bytes;
} Entry;

static int append(snString* out, const char* name, snBytes bytes) {
  SN_ASSERT(bytes.data || !bytes.size);
  uint64_t sizes[2] = {strlen(name) + 1, bytes.size};
  if (bytes.size > INT32_MAX) return 0;
  return sn_stringAppend(out, (const char*)sizes, sizeof(sizes)) &&
         sn_stringAppend(out, name, (int)sizes[0]) &&
         (!bytes.size || sn_stringAppend(out, (const char*)bytes.data, (int)bytes.size));
}

// Take the first file off the list; 0 when it does not fit into what is left.
static int takeEntry(snBytes* list, Entry* entry) {
  uint64_t sizes[2];
  if (list->size < sizeof(sizes)) return 0;
  memcpy(sizes, list->data, sizeof(sizes));
  const unsigned char* name = list->data + sizeof(sizes);
  size_t left = list->size - sizeof(sizes);
  if (sizes[0] < 1 || sizes[0] > left || sizes[1] > left - sizes[0]) return 0;
  if (memchr(name, 0, (size_t)sizes[0]) != name + sizes[0] - 1) return 0;
  entry->name = (const char*)name;
  entry->bytes.data = name + sizes[0];
  entry->bytes.size = (size_t)sizes[1];
  list->data = entry->bytes.data + entry->bytes.size;
  list->size = left - (size_t)sizes[0] - (size_t)sizes[1];
  return 1;
}

// Does a name stay inside of the folder, on any system?
static int isInside(const char* name) {
  if (!*name || strlen(name) > PATH_SIZE / 4) return 0;
  for (const char* part = name; part; part = strchr(part, '/') ? strchr(part, '/') + 1 : NULL) {
    size_t length = strcspn(part, "/");
    if (!length || (length == 1 && part[0] == '.')) return 0;
    if (length == 2 && !strncmp(part, "..", 2)) return 0;
  }
  for (; *name; name++) {
    if ((unsigned char)*name < ' ' || strchr("\\:\"", *name)) return 0;
  }
  return 1;
}

// ---- packing ----

typedef struct Packer_ {
  const snVFS* vfs;
  snString files;  // the list, without the text
  char* error;
  int error_sz;
} Packer;

// The contents under a name so far; 0 when there is none.
static int findEntry(const snString* files, const char* name, snBytes* bytes) {
  snBytes list = {(const unsigned char*)files->data, (size_t)files->size};
  for (Entry entry; takeEntry(&list, &entry);) {
    if (strcmp(entry.name, name)) continue;
    *bytes = entry.bytes;
    return 1;
  }
  return 0;
}

static int isSame(snBytes a, snBytes b) {
  return a.size == b.size && (!a.size || !memcmp(a.data, b.data, a.size));
}

// Find a name for the contents and add them, unless they are there already.
static int addFile(Packer* p, const char* wanted, snBytes bytes, char* name, size_t size) {
  snBytes other;
  const char* last = sn_pathFile(wanted);
  int inside = isInside(wanted);
  if (inside) snprintf(name, size, "%s", wanted);
  for (int number = 1; !inside || findEntry(&p->files, name, &other); number++) {
    if (inside && isSame(bytes, other)) return 1;
    snprintf(name, size, "%d/%s", number, isInside(last) ? last : "file");
    inside = 1;
  }
  return append(&p->files, name, bytes);
}

static int packFile(Packer* p, const snElem* elem, snString* file, int texture) {
  const char* path = sn_assetFile(elem, file);
  if (!*path) return 0;
  const snsCompiler* compiler = sn_elemCompiler(elem);
  char name[PATH_SIZE];
  snResource resource;
  if (sn_openElemAsset(p->vfs, elem, path, texture ? compiler->texturedir : compiler->meshdir,
                       &resource, p->error, p->error_sz)) {
    return -1;
  }
  int added = addFile(p, path, resource.bytes, name, sizeof(name));
  sn_closeResource(&resource);
  if (!added) {
    sn_formatError(p->error, p->error_sz, "the files of the model are too large to be bundled");
    return -1;
  }
  sns_setString(file, name);
  return 0;
}

static int packFiles(Packer* p, snSpec* spec) {
  SN_EACH(e, sn_specList(spec, snOBJ_MESH)) SN_TRY(packFile(p, e, ((snsMesh*)e->object)->file, 0));
  SN_EACH(e, sn_specList(spec, snOBJ_HFIELD)) {
    SN_TRY(packFile(p, e, ((snsHField*)e->object)->file, 0));
  }
  SN_EACH(e, sn_specList(spec, snOBJ_SKIN)) SN_TRY(packFile(p, e, ((snsSkin*)e->object)->file, 0));
  SN_EACH(e, sn_specList(spec, snOBJ_TEXTURE)) {
    snsTexture* texture = (snsTexture*)e->object;
    if (texture->builtin != snBUILTIN_NONE) continue;
    SN_TRY(packFile(p, e, texture->file, 1));
    for (int i = 0; i < texture->cubefiles->size; i++) {
      SN_TRY(packFile(p, e, texture->cubefiles->data + i, 1));
    }
  }
  return 0;
}

// The folder in the text from a place on: behind the quote that opens the attribute.
static const char* findFolder(const char* text) {
  char quoted[sizeof(FOLDER) + 2];
  snprintf(quoted, sizeof(quoted), "\"%s\"", FOLDER);
  const char* found = strstr(text, quoted);
  return found ? found + 1 : NULL;
}

static int countFolders(const char* text) {
  int count = 0;
  while ((text = findFolder(text))) count++;
  return count;
}

// Pack a spec that was compiled and keeps everything: its assets get the names of the bundle.
static int pack(snSpec* spec, Packer* p, snString* out) {
  SN_TRY(packFiles(p, spec));
  sns_setString(spec->compiler.meshdir, p->files.size ? FOLDER : "");
  sns_setString(spec->compiler.texturedir, p->files.size ? FOLDER : "");
  snWriter w = {.spec = spec, .source = 1, .bundled = 1, .vfs = p->vfs};
  if (!sn_writeSpec(&w, p->error, p->error_sz)) return -1;
  int packed = 0;
  if (countFolders(w.out.data) != (p->files.size ? 2 : 0)) {
    sn_formatError(p->error, p->error_sz, "the text of the model holds \"%s\"", FOLDER);
  } else {
    snBytes bytes = {(const unsigned char*)w.out.data, (size_t)w.out.size};
    packed = append(out, "model.xml", bytes) &&
             (!p->files.size || sn_stringAppend(out, p->files.data, p->files.size));
    if (!packed) sn_formatError(p->error, p->error_sz, "out of memory");
  }
  sn_boxFree((snBox*)&w.out, snBOX_STRING);
  return packed ? 0 : -1;
}

int sn_packBundle(const snSpec* spec, const snVFS* vfs, snBundle* bundle, snModel** model,
                  char* error, int error_sz) {
  Packer p = {vfs, {0}, error, error_sz};
  snString out = {0};
  snModel* m = NULL;
  bundle->data = NULL;
  bundle->bytes = 0;
  snSpec* copy = sn_compileWhole(spec, vfs, &m, error, error_sz);
  int failed = !copy || pack(copy, &p, &out);
  sn_deleteSpec(copy);
  sn_boxFree((snBox*)&p.files, snBOX_STRING);
  if (failed || !model) {
    sn_deleteModel(m);
    m = NULL;
  }
  if (model) *model = m;
  if (failed) {
    sn_boxFree((snBox*)&out, snBOX_STRING);
    return -1;
  }
  bundle->data = out.data;
  bundle->bytes = (size_t)out.size;
  return 0;
}

void sn_freeBundle(snBundle* bundle) {
  snString out = {(char*)bundle->data, (int)bundle->bytes, (int)bundle->bytes};
  sn_boxFree((snBox*)&out, snBOX_STRING);
  bundle->data = NULL;
  bundle->bytes = 0;
}

// ---- unpacking ----

// The text first, then names inside of the folder: nothing else is a bundle.
static int isSound(snBytes list) {
  Entry entry;
  if (!takeEntry(&list, &entry) || strcmp(entry.name, "model.xml") ||
      memchr(entry.bytes.data, 0, entry.bytes.size)) {
    return 0;
  }
  while (list.size) {
    if (!takeEntry(&list, &entry) || !isInside(entry.name)) return 0;
  }
  return 1;
}

static int writeFile(const char* path, const void* data, size_t bytes, char* error, int error_sz) {
  int written = sn_replaceFile(path, data, bytes);
  if (!written) sn_formatError(error, error_sz, "could not write '%s': %s", path, strerror(errno));
  return written ? 0 : -1;
}

// the folders of a path, from a place in it on
static void makeFolders(char* path, size_t from) {
  for (char* slash = strchr(path + from, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    mkdir(path, 0777);  // what fails here fails again when the file is opened
    *slash = '/';
  }
}

static int writeAssets(snBytes list, const char* folder, char* error, int error_sz) {
  char path[2 * PATH_SIZE];
  for (Entry entry; takeEntry(&list, &entry);) {
    int length = snprintf(path, sizeof(path), "%s%s", folder, entry.name);
    if (length < 0 || (size_t)length >= sizeof(path)) {
      sn_formatError(error, error_sz, "file name is too long: '%.100s...'", entry.name);
      return -1;
    }
    makeFolders(path, strlen(folder) - 1);
    SN_TRY(writeFile(path, entry.bytes.data, entry.bytes.size, error, error_sz));
  }
  return 0;
}

static int appendEscaped(snString* out, const char* text) {
  for (; *text; text++) {
    const char* piece = *text == '&'   ? "&amp;"
                        : *text == '<' ? "&lt;"
                        : *text == '"' ? "&quot;"
                                       : NULL;
    if (!sn_stringAppend(out, piece ? piece : text, piece ? (int)strlen(piece) : 1)) return 0;
  }
  return 1;
}

// The text with the name of the folder in it.
static int nameFolder(const char* text, const char* folder, snString* out) {
  for (const char* at; (at = findFolder(text)); text = at + sizeof(FOLDER) - 1) {
    if (!sn_stringAppend(out, text, (int)(at - text)) || !appendEscaped(out, folder)) return 0;
  }
  return sn_stringAppend(out, text, (int)strlen(text));
}

int sn_unpackBundle(snBundle bundle, const char* filename, char* error, int error_sz) {
  snBytes list = {(const unsigned char*)bundle.data, bundle.bytes};
  char stem[PATH_SIZE], folder[PATH_SIZE], path[PATH_SIZE];
  Entry model;
  if (bundle.bytes > INT32_MAX || !isSound(list) || !takeEntry(&list, &model)) {
    sn_formatError(error, error_sz, "the bundle of the model is damaged");
    return -1;
  }
  int fits = sn_pathDirectory(filename, path, sizeof(path)) &&
             sn_pathStem(filename, stem, sizeof(stem) - 8) &&
             snprintf(folder, sizeof(folder), "%s_assets/", stem) > 0 &&
             strlen(path) + strlen(folder) < sizeof(path);
  if (!fits) {
    sn_formatError(error, error_sz, "file name is too long: '%.100s...'", filename);
    return -1;
  }
  strcat(path, folder);

  snString text = {0}, out = {0};
  int made = sn_stringAppend(&text, (const char*)model.bytes.data, (int)model.bytes.size) &&
             nameFolder(text.data, folder, &out);
  if (!made) sn_formatError(error, error_sz, "out of memory");
  int failed = !made || writeAssets(list, path, error, error_sz) ||
               writeFile(filename, out.data, (size_t)out.size, error, error_sz);
  sn_boxFree((snBox*)&text, snBOX_STRING);
  sn_boxFree((snBox*)&out, snBOX_STRING);
  return failed ? -1 : 0;
}
