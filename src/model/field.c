#include "model/field.h"

#include <stddef.h>

#include "base/letter.h"

#define SN_M(size) (snCOLUMNS_PER_SIZE + (int)offsetof(snModel, size))
#define IS_real 1
#define IS_int 0
#define IS_byte 0
#define IS_float 0
#define IS_size 0
#define IS_char 0
#define IS_ptr 0
#define FIELD(owner, type, name, rows, columns, stage) \
  {#name,                                              \
   #rows,                                              \
   #stage,                                             \
   (int)offsetof(owner, name),                         \
   (int)offsetof(snModel, rows),                       \
   columns,                                            \
   (int)sizeof(sn_type_##type),                        \
   SN_LETTER_##type,                                   \
   IS_##type},

const snField sn_modelFields[snMODEL_FIELDS] = {
#define X(type, name, rows, columns, stage, rule, meaning) \
  FIELD(snModel, type, name, rows, columns, stage)
    SN_MODEL_FIELDS(X)
#undef X
};

const snField sn_dataFields[snDATA_FIELDS] = {
#define X(type, name, rows, columns, stage, meaning) FIELD(snData, type, name, rows, columns, stage)
    SN_DATA_FIELDS(X)
#undef X
};

#undef SN_M
#undef FIELD
