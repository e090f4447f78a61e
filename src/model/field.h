// The tables of fields (sinew/model_fields.h, sinew/data_fields.h) at run time: where each array's pointer and sizes lie.
// What treats all arrays alike is a loop over them.

#ifndef SINEW_MODEL_FIELD_H_
#define SINEW_MODEL_FIELD_H_

#include <string.h>

#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

typedef struct snField_ {
  const char* name;
  const char* rows_name;  // of the size that counts the rows
  const char* stage;      // that writes it
  int pointer;            // offset of the pointer to the array, in snModel or snData
  int rows;               // offset in snModel of the size that counts the rows
  int columns;            // their number, or so many times a size of the model (sn_fieldColumns)
  int bytes;              // of an entry
  char letter;            // type of the entries (base/letter.h)
  char is_real;           // snReal, which depends on the precision
} snField;

enum {
#define X(...) +1
  snMODEL_FIELDS = 0 SN_MODEL_FIELDS(X),
  snDATA_FIELDS = 0 SN_DATA_FIELDS(X),
#undef X
  // columns = times * (snCOLUMNS_PER_SIZE + offset of a size in snModel)
  snCOLUMNS_PER_SIZE = 1 << 20
};

extern const snField sn_modelFields[snMODEL_FIELDS];
extern const snField sn_dataFields[snDATA_FIELDS];

SN_EXTERN_C_END

static inline snSize sn_sizeAt(const snModel* m, int offset) {
  snSize size;
  memcpy(&size, (const char*)m + offset, sizeof(size));
  return size;
}

static inline snSize sn_fieldRows(const snField* f, const snModel* m) {
  return sn_sizeAt(m, f->rows);
}

static inline snSize sn_fieldColumns(const snField* f, const snModel* m) {
  int times = f->columns / snCOLUMNS_PER_SIZE;
  return times ? times * sn_sizeAt(m, f->columns % snCOLUMNS_PER_SIZE / times) : f->columns;
}

static inline snSize sn_fieldCount(const snField* f, const snModel* m) {
  return sn_fieldRows(f, m) * sn_fieldColumns(f, m);
}

static inline snSize sn_fieldBytes(const snField* f, const snModel* m) {
  return sn_fieldCount(f, m) * f->bytes;
}

// the array of a field of *block, an snModel or snData
static inline void* sn_fieldArray(const snField* f, const void* block) {
  void* array;
  memcpy(&array, (const char*)block + f->pointer, sizeof(array));
  return array;
}

static inline void sn_setFieldArray(const snField* f, void* block, void* array) {
  memcpy((char*)block + f->pointer, &array, sizeof(array));
}

// the field of that name; NULL when the table has none
static inline const snField* sn_findField(const snField* fields, int count, const char* name) {
  for (int i = 0; i < count; i++) {
    if (!strcmp(fields[i].name, name)) return fields + i;
  }
  return NULL;
}

#endif  // SINEW_MODEL_FIELD_H_
