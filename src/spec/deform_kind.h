// The kinds of deformables: what they are called in files, and what their elements are.

#ifndef SINEW_SPEC_DEFORM_KIND_H_
#define SINEW_SPEC_DEFORM_KIND_H_

#include <stddef.h>

#include "sinew/spec.h"

typedef struct snDeformKind_ {
  const char* tag;   // of its element in MJCF
  int dim;           // of its elements, which have one corner more
  double edgeshare;  // stiffness of an edge for a material, see compile/deform_shape.c
} snDeformKind;

// By type; NULL where there is none.
static inline const snDeformKind* sn_deformKind(int type) {
  static const snDeformKind kKinds[] = {[snDEFORMABLE_CLOTH] = {"sinew:cloth", 2, 8.0 / 9},
                                        [snDEFORMABLE_SOFT] = {"sinew:softbody", 3, 5.0 / 6},
                                        [snDEFORMABLE_CHAIN] = {"sinew:chain", 1, 1}};
  return type >= 0 && type < (int)(sizeof(kKinds) / sizeof(kKinds[0])) ? kKinds + type : NULL;
}

#endif  // SINEW_SPEC_DEFORM_KIND_H_
