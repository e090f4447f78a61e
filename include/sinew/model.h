// snModel: everything that is constant while stepping, in one contiguous block.

#ifndef SINEW_MODEL_H_
#define SINEW_MODEL_H_

#include "sinew/model_fields.h"
#include "sinew/structs.h"

// C types of the table's type names
typedef snReal sn_type_real;
typedef int sn_type_int;
typedef snByte sn_type_byte;
typedef float sn_type_float;
typedef snSize sn_type_size;
typedef char sn_type_char;
typedef uintptr_t sn_type_ptr;
typedef snContact sn_type_contact;

#define SN_MODEL_SIZE(name, rule, meaning) snSize name;
#define SN_MODEL_POINTER(type, name, rows, columns, stage, rule, meaning) sn_type_##type* name;

struct snModel_ {
  // MuJoCo's members, at its places
  SN_MUJOCO_MODEL_SIZES(SN_MODEL_SIZE)
  snOption opt;
  snVisual vis;
  snStatistic stat;
  void* buffer;  // first array; all arrays lie in [buffer, buffer + nbuffer)
  SN_MUJOCO_MODEL_FIELDS(SN_MODEL_POINTER)
  uint64_t signature;  // layout signature of the spec that the model was compiled from

  // our own
  SN_OWN_MODEL_SIZES(SN_MODEL_SIZE)
  SN_OWN_MODEL_FIELDS(SN_MODEL_POINTER)
  void* moved;  // block that holds the arrays after a recompilation, else NULL
};
typedef struct snModel_ snModel;

#endif  // SINEW_MODEL_H_
