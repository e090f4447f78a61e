// Sleeping: which trees are at rest, and the index lists that every loop of the engine runs over.
//
// The unit of sleep is a kinematic tree. tree_asleep is the state: negative counts down to sleep,
// otherwise the tree is asleep and the value is the next tree of its cycle. Everything else is
// derived by sn_updateSleep: tree_awake, body_awake (snSleepState) and the ascending lists
// body_awake_ind (awake and static bodies, world first), parent_awake_ind (bodies >= 1 whose parent
// is not asleep) and dof_awake_ind. Nothing asleep: the lists are the identity, so a stage has one
// loop over a list and no second branch.
//
// The functions that return int return the number of trees that changed; the caller then calls
// sn_updateSleep.

#ifndef SINEW_ENGINE_STEP_SLEEP_H_
#define SINEW_ENGINE_STEP_SLEEP_H_

#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// Is sleeping enabled, and is any tree asleep?
static inline int sn_sleepEnabled(const snModel* m) {
  return (m->opt.enableflags & snENBL_SLEEP) != 0;
}
static inline int sn_someAsleep(const snModel* m, const snData* d) {
  return sn_sleepEnabled(m) && d->ntree_awake < (int)m->ntree;
}

// Has a whole step passed since trees last fell asleep or woke? Results of sleeping trees that a step copies or sums need
// not be computed again then. At the end of a step d->calm counts that step already, and must be one more.
static inline int sn_isCalm(const snModel* m, const snData* d) {
  return sn_someAsleep(m, d) && d->calm > 0;
}
static inline int sn_wasCalm(const snModel* m, const snData* d) {
  return sn_someAsleep(m, d) && d->calm > 1;
}

// Rebuild the derived arrays from tree_asleep. The second form marks static bodies awake too, so
// that a reset fills their poses.
void sn_updateSleep(const snModel* m, snData* d);
void sn_updateSleepInit(const snModel* m, snData* d, int flg_staticawake);

// State of an object: static, asleep or awake.
snSleepState sn_sleepState(const snModel* m, const snData* d, snObj type, int id);

// Put to sleep the trees that start asleep, by a forward pass from a state that was reset. Returns
// how many could be; *tree is the first one that could not, -1 when there is none.
int sn_sleepInitially(const snModel* m, snData* d, int* tree);

// Put to sleep what has been at rest long enough; zeroes qvel and qacc of these trees.
int sn_sleep(const snModel* m, snData* d);

// Wake sleeping trees: those flagged in moved[ntree] (nullable) or pushed or given a velocity;
// those at the limit of a tendon, in contact with or tied by an equality to an awake tree.
int sn_wake(const snModel* m, snData* d, const int* moved);
int sn_wakeTendon(const snModel* m, snData* d);
int sn_wakeCollision(const snModel* m, snData* d);
int sn_wakeEquality(const snModel* m, snData* d);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_STEP_SLEEP_H_
