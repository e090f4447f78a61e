// Sweep and prune of the elements of one flex, along an axis: by one lane (collide/flex_sweep.c) or by a team
// (lanes/flex_sweep.c). Elements are taken in the order of their lower ends. Each is paired with those before it whose
// upper end lies behind its lower end and that overlap it along the other two axes.

#ifndef SINEW_ENGINE_COLLIDE_FLEX_SWEEP_H_
#define SINEW_ENGINE_COLLIDE_FLEX_SWEEP_H_

#include "engine/collide/flex.h"

SN_EXTERN_C_BEGIN

// Collides at most so many pairs; scratch comes from the stack. Returns 0 when it is full.
int sn_sweepFlex(const snModel* m, snData* d, int flex, int axis, int mostPairs);
int sn_sweepFlexLanes(const snModel* m, snData* d, int flex, int axis, int mostPairs);

// An end of an element along the axis; order: the end as a whole number, see sn_sweepOrder.
struct snSweepKey_ {
  unsigned order;
  int element;
};
typedef struct snSweepKey_ snSweepKey;

// Lower ends of the elements that collide, by element; returns their number. By a team.
int sn_listSweepKeys(const snModel* m, const snData* d, int flex, int axis, snSweepKey* key);

SN_EXTERN_C_END

// Lower and upper end of a box along an axis, in single precision as in the reference engine.
static inline void sn_sweepEnds(const snReal box[6], int axis, float* lower, float* upper) {
  *lower = (float)(box[axis] - box[3 + axis]);
  *upper = (float)(box[axis] + box[3 + axis]);
  // a negative radius turns boxes inside out: the lower end still comes first
  if (*upper < *lower) *upper = *lower;
}

// Whole numbers in the order of floats: the bits of the float, all of them inverted where it is negative.
static inline unsigned sn_sweepOrder(float end) {
  union {
    float real;
    unsigned bits;
  } u;
  u.real = end + 0.0f;  // one zero
  return u.bits >> 31 ? ~u.bits : u.bits | 0x80000000u;
}

// Are two boxes apart along one of the two axes that are not swept?
static inline int sn_isPruned(const snReal a[6], const snReal b[6], int axis) {
  int apart = 0;
  for (int k = 0; k < 3; k++) {
    apart |=
        (k != axis) & ((a[k] - a[3 + k] > b[k] + b[3 + k]) | (b[k] - b[3 + k] > a[k] + a[3 + k]));
  }
  return apart;
}

#endif  // SINEW_ENGINE_COLLIDE_FLEX_SWEEP_H_
