#include "model/binary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "base/replace.h"
#include "model/actuator_model.h"
#include "model/field.h"
#include "model/memory.h"

static const char MAGIC[8] = {'S', 'I', 'N', 'E', 'W', 'M', 'D', 'L'};
enum { FORMAT_VERSION = 2 };

typedef struct Header_ {
  char magic[8];
  uint32_t version;
  uint32_t real_bytes;
  uint64_t layout;
  uint64_t total_bytes;   // of the whole image, header and bundle included
  uint64_t bundle_bytes;  // of the bundle behind the arrays; 0: none
  uint64_t checksum;      // of everything after the header
} Header;

// FNV-1a over a text, its terminator included
static uint64_t hashText(uint64_t hash, const char* text) {
  do {
    hash = (hash ^ (unsigned char)*text) * 1099511628211u;
  } while (*text++);
  return hash;
}

// the same over bytes, eight at a time: any single changed byte changes the result
static uint64_t hashBytes(const char* bytes, size_t count) {
  uint64_t hash = 14695981039346656037u, word = 0;
  while (count >= sizeof(word)) {
    memcpy(&word, bytes, sizeof(word));
    hash = (hash ^ word) * 1099511628211u;
    bytes += sizeof(word);
    count -= sizeof(word);
  }
  word = 0;
  memcpy(&word, bytes, count);
  return (hash ^ word) * 1099511628211u;
}

// hash of the field table of this build
static uint64_t layoutHash(void) {
  uint64_t hash = 14695981039346656037u;
#define X(name, rule, meaning) hash = hashText(hash, #name);
  SN_MODEL_SIZES(X)
#undef X
#define X(type, name, rows, columns, stage, rule, meaning) \
  hash = hashText(hash, #type " " #name " " #rows " " #columns);
  SN_MODEL_FIELDS(X)
#undef X
  uint64_t structs[3] = {sizeof(snOption), sizeof(snVisual), sizeof(snStatistic)};
  for (int i = 0; i < 3; i++) hash = (hash ^ structs[i]) * 1099511628211u;
  return hash;
}

// ---- the image, in the order in which it lies in a file ----

// Called for each piece of the image; returns 0 to stop.
typedef int (*PieceVisitor)(void* context, void* piece, size_t bytes);

static int visitHead(snModel* m, PieceVisitor visit, void* context) {
#define X(name, rule, meaning) \
  if (!visit(context, &m->name, sizeof(m->name))) return 0;
  SN_MODEL_SIZES(X)
#undef X
  return visit(context, &m->opt, sizeof(m->opt)) && visit(context, &m->vis, sizeof(m->vis)) &&
         visit(context, &m->stat, sizeof(m->stat));
}

static int visitArrays(snModel* m, PieceVisitor visit, void* context) {
  for (int i = 0; i < snMODEL_FIELDS; i++) {
    const snField* f = sn_modelFields + i;
    if (!visit(context, sn_fieldArray(f, m), (size_t)sn_fieldBytes(f, m))) return 0;
  }
  return 1;
}

// ---- writing ----

static int countBytes(void* context, void* piece, size_t bytes) {
  (void)piece;
  *(size_t*)context += bytes;
  return 1;
}

static int appendBytes(void* context, void* piece, size_t bytes) {
  char** next = (char**)context;
  if (bytes) memcpy(*next, piece, bytes);
  *next += bytes;
  return 1;
}

snSize sn_sizeModel(const snModel* m) {
  size_t bytes = sizeof(Header);
  visitHead((snModel*)m, countBytes, &bytes);
  visitArrays((snModel*)m, countBytes, &bytes);
  return (snSize)bytes;
}

static void writeImage(const snModel* m, snBundle bundle, char* image, size_t bytes) {
  Header header;
  memcpy(header.magic, MAGIC, sizeof(MAGIC));
  header.version = FORMAT_VERSION;
  header.real_bytes = sizeof(snReal);
  header.layout = layoutHash();
  header.total_bytes = bytes;
  header.bundle_bytes = bundle.bytes;
  char* next = image + sizeof(header);
  visitHead((snModel*)m, appendBytes, &next);
  visitArrays((snModel*)m, appendBytes, &next);
  SN_ASSERT(next + bundle.bytes == image + bytes);
  if (bundle.bytes) memcpy(next, bundle.data, bundle.bytes);
  header.checksum = hashBytes(image + sizeof(header), bytes - sizeof(header));
  memcpy(image, &header, sizeof(header));
}

void sn_saveModel(const snModel* m, const char* filename, void* buffer, int buffer_sz) {
  snBundle none = {NULL, 0};
  size_t bytes = (size_t)sn_sizeModel(m);
  if (!buffer) {
    sn_saveModelBundle(m, none, filename);
  } else if (buffer_sz < 0 || (size_t)buffer_sz < bytes) {
    snu_error("bufwrite: attempting to write outside model buffer");
  } else {
    writeImage(m, none, (char*)buffer, bytes);
  }
}

void sn_saveModelBundle(const snModel* m, snBundle bundle, const char* filename) {
  SN_ASSERT(!bundle.bytes || bundle.data);
  size_t bytes = (size_t)sn_sizeModel(m) + bundle.bytes;
  char* image = filename ? (char*)snu_malloc(bytes) : NULL;
  if (!image) {
    snu_error("sn_saveModel: %s", filename ? "out of memory" : "neither file nor buffer is given");
    return;
  }
  writeImage(m, bundle, image, bytes);
  int written = sn_replaceFile(filename, image, bytes);
  snu_free(image);
  if (!written) snu_warning("Could not open file '%s'", filename);
}

// ---- reading ----

typedef struct Reader_ {
  const char* next;
  size_t left;
} Reader;

static int takeBytes(void* context, void* piece, size_t bytes) {
  Reader* reader = (Reader*)context;
  if (bytes > reader->left) return 0;
  if (bytes) memcpy(piece, reader->next, bytes);
  reader->next += bytes;
  reader->left -= bytes;
  return 1;
}

void sn_sealModel(void* image, size_t bytes) {
  Header header;
  if (bytes < sizeof(header)) return;
  memcpy(&header, image, sizeof(header));
  header.total_bytes = bytes;
  header.checksum = hashBytes((const char*)image + sizeof(header), bytes - sizeof(header));
  memcpy(image, &header, sizeof(header));
}

static const char* checkHeader(const Header* header, const char* image, size_t bytes) {
  if (memcmp(header->magic, MAGIC, sizeof(MAGIC))) return "Model missing header ID";
  if (header->version != FORMAT_VERSION) return "Model has another version of the format";
  if (header->real_bytes != sizeof(snReal)) return "Model has another floating point precision";
  if (header->layout != layoutHash()) return "Model has other fields";
  if (header->total_bytes != bytes) {
    return header->total_bytes > bytes ? "Truncated model file - ran out of data"
                                       : "Model file is too large";
  }
  if (header->bundle_bytes > bytes - sizeof(Header)) return "Model file has an impossible bundle";
  if (header->checksum != hashBytes(image + sizeof(Header), bytes - sizeof(Header))) {
    return "Model file is damaged: its checksum is wrong";
  }
  return NULL;
}

// Header, sizes and settings; NULL, or what is wrong with them. Arrays and bundle fill a sound file
// exactly: nothing is allocated before that is known.
static const char* readHead(Reader* reader, Header* header, snModel* head) {
  const char* image = reader->next;
  size_t bytes = reader->left;
  if (!takeBytes(reader, header, sizeof(*header))) return "Model file has an incomplete header";
  const char* foreign = checkHeader(header, image, bytes);
  if (foreign) return foreign;
  memset(head, 0, sizeof(*head));
  if (!visitHead(head, takeBytes, reader) || sn_modelArrayBytes(head) < 0 ||
      (size_t)sn_sizeModel(head) != bytes - (size_t)header->bundle_bytes) {
    return "Invalid model: impossible or inconsistent sizes";
  }
  return NULL;
}

snModel* sn_readModel(const void* buffer, size_t bytes, char* error, int error_sz) {
  Reader reader = {(const char*)buffer, bytes};
  Header header;
  snModel head;
  const char* wrong = readHead(&reader, &header, &head);
  if (wrong) {
    sn_formatError(error, error_sz, "%s", wrong);
    return NULL;
  }
  snModel* m = sn_allocModel(&head);
  if (!m) {
    sn_formatError(error, error_sz, "Invalid model: out of memory");
    return NULL;
  }
  m->opt = head.opt;
  m->vis = head.vis;
  m->stat = head.stat;
  visitArrays(m, takeBytes, &reader);
  SN_ASSERT(reader.left == header.bundle_bytes);

  const char* missing = sn_findActuatorSlots(m);
  if (missing) {
    char known[400];
    sn_listActuatorLaws(known, sizeof(known));
    sn_formatError(error, error_sz,
                   "Invalid model: actuator model '%s' is not registered; there are: %s", missing,
                   known);
    sn_deleteModel(m);
    return NULL;
  }
  char reason[200];
  if (sn_validateModel(m, reason, sizeof(reason))) {
    sn_formatError(error, error_sz, "Invalid model: %s", reason);
    sn_deleteModel(m);
    return NULL;
  }
  return m;
}

snBundle sn_modelBundle(const void* buffer, size_t bytes) {
  Reader reader = {(const char*)buffer, bytes};
  Header header;
  snModel head;
  snBundle bundle = {NULL, 0};
  if (!readHead(&reader, &header, &head) && header.bundle_bytes) {
    bundle.bytes = (size_t)header.bundle_bytes;
    bundle.data = (const char*)buffer + (bytes - bundle.bytes);
  }
  return bundle;
}

snModel* sn_loadModelBuffer(const void* buffer, int buffer_sz) {
  char reason[256];
  snModel* m = sn_readModel(buffer, buffer_sz < 0 ? 0 : (size_t)buffer_sz, reason, sizeof(reason));
  if (!m) snu_warning("%s", reason);
  return m;
}
