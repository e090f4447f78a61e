// snData: the state of one world and everything computed from it, in one contiguous block.

#ifndef SINEW_DATA_H_
#define SINEW_DATA_H_

#include "sinew/data_fields.h"
#include "sinew/model.h"

// Data on a GPU keep the statistics of one iteration and of one thread: worlds lie closer together.
#if defined(SN_DEVICE) || defined(SN_DEVICE_LAYOUT)
#undef snNSOLVER
#define snNSOLVER 1
#undef snMAXTHREAD
#define snMAXTHREAD 1
#endif

typedef struct snData_ snData;

// User callbacks, attached to the data that they serve. Nullable, each of them.
typedef void (*snfGeneric)(const snModel* m, snData* d);
typedef int (*snfConFilt)(const snModel* m, snData* d, int geom1, int geom2);
typedef void (*snfSensor)(const snModel* m, snData* d, int stage);
typedef snReal (*snfTime)(void);
typedef snReal (*snfAct)(const snModel* m, const snData* d, int id);

// A constraint solver as a table of functions. prepare runs at the end of the position stage, when
// the rows are built; solve sets qacc, efc_force and qfrc_constraint from qacc_smooth.
struct snContactSolver_ {
  snfGeneric prepare;
  snfGeneric solve;
};
typedef struct snContactSolver_ snContactSolver;

struct snCallbacks_ {
  snfGeneric passive;                    // adds to qfrc_passive
  snfGeneric control;                    // sets ctrl, qfrc_applied or xfrc_applied
  snfConFilt contactfilter;              // non-zero: the pair of geoms does not collide
  snfSensor sensor;                      // fills user sensors of a stage
  snfTime time;                          // clock for the timers, milliseconds
  snfAct act_dyn;                        // activation rate of user actuators
  snfAct act_gain;                       // gain of user actuators
  snfAct act_bias;                       // bias of user actuators
  snfAct act_gain_vel;                   // their derivatives by velocity, for implicit integrators;
  snfAct act_bias_vel;                   // without them gain and bias are differenced there
  const snContactSolver* contactsolver;  // replaces Newton, CG and PGS
  void* user;                            // for the callbacks' own use
};
typedef struct snCallbacks_ snCallbacks;

#define SN_DATA_SCALAR(ctype, name, meaning) ctype name;
#define SN_DATA_ARRAY(ctype, name, count, meaning) ctype name[count];
#define SN_DATA_POINTER(type, name, rows, columns, stage, meaning) sn_type_##type* name;

struct snData_ {
  // MuJoCo's members, at its places
  SN_MUJOCO_DATA_SCALARS(SN_DATA_SCALAR, SN_DATA_ARRAY)
  void* buffer;  // first array; all arrays lie in [buffer, buffer + nbuffer)
  void* arena;   // contacts and constraint rows grow upwards, the stack grows down from its end
  SN_MUJOCO_DATA_FIELDS(SN_DATA_POINTER)
  SN_MUJOCO_DATA_ARENA(SN_DATA_POINTER)
  SN_MUJOCO_DATA_HANDLES(SN_DATA_SCALAR)

  // our own
  SN_OWN_DATA_ARENA(SN_DATA_POINTER)
  SN_OWN_DATA_FIELDS(SN_DATA_POINTER)
  SN_OWN_DATA_SCALARS(SN_DATA_SCALAR)
  snCallbacks callback;
  int status;       // bits 1 << snWarning raised by the last step
  void* moved;      // block that holds the arrays after a recompilation, else NULL
  size_t reserved;  // bytes of this block when they were reserved, 0: it is of the heap
  void* crew;       // threads that share a step (sn_setThreads), NULL: one
  int refused;      // times that the arena of a thread's view was too small
  int calm;         // steps since trees last woke or fell asleep, 2 at most
  int slots;        // pieces of the free arena that lanes of a team hold, a bit each (base/arena.h)
};

#endif  // SINEW_DATA_H_
