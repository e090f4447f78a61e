// structs as a device has them
#define SN_DEVICE_LAYOUT

#include "gpu/pack.h"

#include <string.h>

#include "base/letter.h"

// their memory layout, from the same source under other names
#ifdef SN_SINGLE
#define PACKER sn_packerSingle
#define NAMED(name) name##DeviceSingle
#else
#define PACKER sn_packerDouble
#define NAMED(name) name##DeviceDouble
#endif
#define sn_modelArrayBytes NAMED(sn_modelArrayBytes)
#define sn_allocModel NAMED(sn_allocModel)
#define sn_copyModel NAMED(sn_copyModel)
#define sn_deleteModel NAMED(sn_deleteModel)
#define sn_dataBlockBytes NAMED(sn_dataBlockBytes)
#define sn_placeData NAMED(sn_placeData)
#define sn_moveData NAMED(sn_moveData)
#define sn_allocData NAMED(sn_allocData)
#define sn_makeData NAMED(sn_makeData)
#define sn_copyData NAMED(sn_copyData)
#define sn_deleteData NAMED(sn_deleteData)
#define sn_takeModel NAMED(sn_takeModel)
#define sn_takeData NAMED(sn_takeData)
#define sn_modelFields NAMED(sn_modelFields)
#define sn_dataFields NAMED(sn_dataFields)
#include "model/field.c"
#include "model/memory.c"

#ifndef SN_SINGLE
void sn_takeApart(const void* model, snPieces* pieces) {
  const snModel* m = (const snModel*)model;
#define X(name, rule, meaning) pieces->sizes[snPIECE_##name] = m->name;
  SN_MODEL_SIZES(X)
#undef X
  for (int i = 0; i < snMODEL_FIELDS; i++) pieces->arrays[i] = sn_fieldArray(sn_modelFields + i, m);
  pieces->visual = &m->vis;
  double* real = pieces->option_reals;
  int* integer = pieces->option_ints;
#define R(name) *real++ = (double)m->opt.name;
#define V(name, count) \
  for (int k = 0; k < count; k++) *real++ = (double)m->opt.name[k];
#define I(name, rule) *integer++ = m->opt.name;
  SN_OPTION_FIELDS(R, V, I)
#undef R
#undef V
#undef I
  real = pieces->statistics;
#define R(name) *real++ = (double)m->stat.name;
#define V(name, count) \
  for (int k = 0; k < count; k++) *real++ = (double)m->stat.name[k];
  SN_STATISTIC_FIELDS(R, V)
#undef R
#undef V
}
#endif

// the array of a field, reals in this file's precision
static void copyArray(const snField* f, snModel* m, const void* from) {
  void* to = sn_fieldArray(f, m);
  snSize count = sn_fieldCount(f, m);
  if (f->is_real) {
    for (snSize k = 0; k < count; k++) ((snReal*)to)[k] = (snReal)((const double*)from)[k];
  } else if (count) {
    memcpy(to, from, (size_t)(count * f->bytes));
  }
}

static snModel* assemble(const snPieces* pieces) {
  snModel sizes;
  memset(&sizes, 0, sizeof(sizes));
#define X(name, rule, meaning) sizes.name = pieces->sizes[snPIECE_##name];
  SN_MODEL_SIZES(X)
#undef X
  snModel* m = sn_allocModel(&sizes);
  if (!m) return NULL;
  for (int i = 0; i < snMODEL_FIELDS; i++) copyArray(sn_modelFields + i, m, pieces->arrays[i]);
  memcpy(&m->vis, pieces->visual, sizeof(m->vis));
  const double* real = pieces->option_reals;
  const int* integer = pieces->option_ints;
#define R(name) m->opt.name = (snReal)*real++;
#define V(name, count) \
  for (int k = 0; k < count; k++) m->opt.name[k] = (snReal)*real++;
#define I(name, rule) m->opt.name = *integer++;
  SN_OPTION_FIELDS(R, V, I)
#undef R
#undef V
#undef I
  real = pieces->statistics;
#define R(name) m->stat.name = (snReal)*real++;
#define V(name, count) \
  for (int k = 0; k < count; k++) m->stat.name[k] = (snReal)*real++;
  SN_STATISTIC_FIELDS(R, V)
#undef R
#undef V
  return m;
}

// a pointer into a block, as it will be when the block lies at another address
static void* moved(const void* pointer, const void* block, uint64_t address) {
  return (void*)(uintptr_t)(address + (uint64_t)((const char*)pointer - (const char*)block));
}

static void moveArrays(const snField* fields, int count, void* block, uint64_t address) {
  for (int i = 0; i < count; i++) {
    sn_setFieldArray(fields + i, block, moved(sn_fieldArray(fields + i, block), block, address));
  }
}

static snImage packModel(const snPieces* pieces, uint64_t address) {
  snImage image = {NULL, 0};
  snModel* m = assemble(pieces);
  if (!m) return image;
  image.bytes = m;
  image.size = (snSize)((char*)m->buffer - (char*)m) + m->nbuffer;
  moveArrays(sn_modelFields, snMODEL_FIELDS, m, address);
  m->buffer = moved(m->buffer, m, address);
  return image;
}

static snImage packData(const snPieces* pieces, uint64_t address, int64_t narena, int64_t* stride) {
  snImage image = {NULL, 0};
  snModel* m = assemble(pieces);
  if (!m) return image;
  m->narena = narena;
  *stride = sn_dataBlockBytes(m);
  void* block = *stride < 0 ? NULL : snu_malloc((size_t)*stride);
  if (block) {
    snData* d = sn_placeData(m, block);
    image.bytes = block;
    image.size = (snSize)((char*)d->arena - (char*)d);
    moveArrays(sn_dataFields, snDATA_FIELDS, d, address);
    d->buffer = moved(d->buffer, d, address);
    d->arena = moved(d->arena, d, address);
  }
  sn_deleteModel(m);
  return image;
}

// ---- places of fields ----

static int setPlace(snPlace* place, const void* block, const void* values, int64_t pointer,
                    snSize rows, snSize columns, size_t element_bytes, char letter) {
  place->values = (const char*)values - (const char*)block;
  place->pointer = pointer;
  place->rows = rows;
  place->columns = columns;
  place->element_bytes = (int)element_bytes;
  place->type = letter;
  return 1;
}

static int setArrayPlace(snPlace* place, const snField* f, const snModel* m, const void* block) {
  return setPlace(place, block, sn_fieldArray(f, block), f->pointer, sn_fieldRows(f, m),
                  sn_fieldColumns(f, m), (size_t)f->bytes, f->letter);
}

static int findModelPlace(const snModel* m, const char* name, snPlace* place) {
  const snField* f = sn_findField(sn_modelFields, snMODEL_FIELDS, name);
  if (f) return setArrayPlace(place, f, m, m);
#define PLACE_OF(part, field, count, type, letter)                                 \
  if (!strcmp(name, #part "." #field)) {                                           \
    return setPlace(place, m, &m->part.field, -1, count, 1, sizeof(type), letter); \
  }
#define PLACE(part, field, count) PLACE_OF(part, field, count, snReal, SN_LETTER_real)
#define R(field) PLACE(opt, field, 1)
#define V(field, count) PLACE(opt, field, count)
#define I(field, rule) PLACE_OF(opt, field, 1, int, SN_LETTER_int)
  SN_OPTION_FIELDS(R, V, I)
#undef R
#undef V
#undef I
#define R(field) PLACE(stat, field, 1)
#define V(field, count) PLACE(stat, field, count)
  SN_STATISTIC_FIELDS(R, V)
#undef R
#undef V
#undef PLACE
#undef PLACE_OF
  return 0;
}

static int modelPlace(const snPieces* pieces, const char* name, snPlace* place) {
  snModel* m = assemble(pieces);
  int found = m ? findModelPlace(m, name, place) : 0;
  sn_deleteModel(m);
  return found;
}

static int findDataPlace(const snModel* m, const snData* d, const char* name, snPlace* place) {
  const snField* f = sn_findField(sn_dataFields, snDATA_FIELDS, name);
  if (f) return setArrayPlace(place, f, m, d);
#define SCALAR(field, count, type)                                                                \
  if (!strcmp(name, #field)) {                                                                    \
    return setPlace(place, d, &d->field, -1, count, 1, sizeof(sn_type_##type), SN_LETTER_##type); \
  }
  SCALAR(time, 1, real)
  SCALAR(energy, 2, real)
  SCALAR(ncon, 1, int)
  SCALAR(nefc, 1, int)
  SCALAR(status, 1, int)
  SCALAR(solver_niter, snNISLAND, int)
#undef SCALAR
  return 0;
}

static int dataPlace(const snPieces* pieces, const char* name, snPlace* place) {
  snModel* m = assemble(pieces);
  if (!m) return 0;
  m->narena = 0;
  snSize bytes = sn_dataBlockBytes(m);
  void* block = bytes < 0 ? NULL : snu_malloc((size_t)bytes);
  int found = block ? findDataPlace(m, sn_placeData(m, block), name, place) : 0;
  snu_free(block);
  sn_deleteModel(m);
  return found;
}

const snPacker PACKER = {sizeof(snReal), sizeof(snContact), sizeof(snModel), packModel,
                         packData,       modelPlace,        dataPlace};
