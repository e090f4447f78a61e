// The state of a world, kept while a function steps or moves it.
//
// Finite differences work on the data of the user and leave it in the state that they found, whatever
// happens in between: bad numbers that reset the world, a full arena, callbacks that write to it.

#ifndef SINEW_ENGINE_DIFFERENTIATE_KEPT_H_
#define SINEW_ENGINE_DIFFERENTIATE_KEPT_H_

#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

typedef struct snKept_ {
  snReal* state;  // of snSTATE_INTEGRATION
  snReal* rates;  // qacc, qacc_smooth, qfrc_smooth: those of a tree that sleeps are its last
  int* asleep;    // tree_asleep, ntree
} snKept;

// Store the state on the stack of d (the caller marks and frees); 0 when the arena is full.
int sn_keepState(const snModel* m, snData* d, snKept* kept);

// Restore the state between trials. Trees that woke stay awake, as in MuJoCo.
void sn_restoreState(const snModel* m, snData* d, const snKept* kept);

// Restore the state and which trees are asleep, at the end. Where some were, forward dynamics are
// computed once more.
void sn_giveBackState(const snModel* m, snData* d, const snKept* kept);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_DIFFERENTIATE_KEPT_H_
