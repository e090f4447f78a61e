// Arguments of the kernels: where the worlds of a batch lie on a device, and what a call has to do.
//
// Filled in by the host, read by the kernels. Addresses are those of the device; reals are in its
// precision.

#ifndef SINEW_GPU_WORLDS_H_
#define SINEW_GPU_WORLDS_H_

#include <stdint.h>

typedef struct snWorlds_ {
  uint64_t model;        // snModel of the first world
  int64_t model_stride;  // bytes to the header of the next world's model; 0: all share one
  uint64_t blocks;       // snData of the first world
  int64_t stride;        // bytes to the next world's data
  uint64_t list;         // indices of the worlds to work on, ints; 0: all
  int count;             // worlds to work on
  int nworld;            // worlds that there are
  int lanes;             // threads that work on a world together
  int step_lanes;        // threads that step a world together: fewer where models are small
  int meetings;  // bits of the phases of a step before which the teams of a block wait for one another
} snWorlds;

// Memory in which the states of all worlds are saved (engine/step/recover.h): state_size reals and
// ntree ints for each.
typedef struct snSavedWorlds_ {
  uint64_t states;
  uint64_t sleeps;
  int state_size;
} snSavedWorlds;

// Events of a call that the host has to handle: some world overflowed its arena, some world failed (bits of
// snData.status). queued: a queued call has run since the host last checked, possibly as part of a CUDA graph that the
// host cannot see.
typedef struct snEvents_ {
  int overflow, failure, queued;
} snEvents;

// A call of steps.
typedef struct snStepCall_ {
  int nstep;
  int careful;  // "with care": a world that fails is restored to the state before that step, and reset before the next
  int queued;  // with care: the host checks nothing between calls, so that a world which failed in the last
      // call is reset first, and one whose arena is full goes on without the contacts that did not fit
  uint64_t ctrl;    // nstep x nworld x nu reals; 0: the controls stay as they are
  uint64_t status;  // 4 x nworld ints: warnings of the last step, warnings of all; and with care:
                    // failures, and steps since the last reset
  uint64_t events;  // snEvents of all worlds, in memory of the host
  snSavedWorlds start;   // without care: for the state before the call
  snSavedWorlds before;  // with care: for the state before each step
  int keyframe;          // with care: to be reset to
} snStepCall;

// Derivatives of a step by differences: trials are copies of worlds with one number moved (gpu/trial.h). A column
// belongs to one number of one world: an entry of x = (dq, qvel, act), or a control; these come after x.
typedef struct snTrials_ {
  snWorlds worlds;              // the worlds that are copied
  int64_t bytes, header_bytes;  // of a world up to its arena, and of a model's header
  int64_t narena;               // of a trial
  int64_t first;                // column of the first trial of a launch
  int begin, columns;           // of each world: its first column, and how many
  int sides;         // trials of a column: 2, or 1 against the nominal step; 0: the nominal steps
  double eps;        // size of the perturbation
  uint64_t nominal;  // qpos, qvel and act of each world after the nominal step; sides 0 or 1
  uint64_t A, B;     // of all worlds, by rows
  uint64_t status;   // of each world: the status bits of its trials
} snTrials;

#endif  // SINEW_GPU_WORLDS_H_
