// What must hold after each stage of a step, whatever the model and the state: checked in test builds.
//
// A stage that leaves its arrays inconsistent (an index out of range, a row that overlaps the next one,
// maps that are not each other's inverse) is found where it happens, not where a later stage reads them.
// Only the structure is checked: numbers may be anything, for the user may have put NaN into the state.

#ifndef SINEW_ENGINE_STEP_CONSISTENT_H_
#define SINEW_ENGINE_STEP_CONSISTENT_H_

#include "base/assert.h"
#include "base/team.h"
#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

#if defined(SN_ASSERTS) && !defined(SN_DEVICE)

void sn_assertAwake(const snModel* m, const snData* d);     // sn_updateSleep
void sn_assertTendons(const snModel* m, const snData* d);   // sn_tendon
void sn_assertContacts(const snModel* m, const snData* d);  // sn_collision
void sn_assertRows(const snModel* m, const snData* d);      // sn_makeConstraint
void sn_assertIslands(const snModel* m, const snData* d);   // sn_island
void sn_assertMoments(const snModel* m, const snData* d);   // sn_transmission

// Run by one lane, between two barriers.
#define SN_CONSISTENT(what, m, d)   \
  do {                              \
    SN_SYNC();                      \
    SN_SOLO(sn_assert##what(m, d)); \
  } while (0)

#else
#define SN_CONSISTENT(what, m, d) ((void)0)
#endif

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_STEP_CONSISTENT_H_
