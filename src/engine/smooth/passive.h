// Passive forces that other files contribute.

#ifndef SINEW_ENGINE_SMOOTH_PASSIVE_H_
#define SINEW_ENGINE_SMOOTH_PASSIVE_H_

#include "base/team.h"
#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// Whether gravity compensation acts. The model counts positive values alone, as MuJoCo's does, which
// therefore ignores models that have only negative ones: here they count as well.
static inline int sn_hasGravcomp(const snModel* m) {
  if (m->opt.disableflags & snDSBL_GRAVITY) return 0;
  if (m->ngravcomp) return 1;
  int some = 0, positive = 0, negative = 0;
  SN_FOR(i, m->nbody - 1) {
    if ((some = m->body_gravcomp[1 + i] != 0)) break;
  }
  if (!sn_teamAny(some)) return 0;
  SN_FOR(i, m->nbody) {
    if (!i) continue;
    positive |= m->body_gravcomp[i] > 0;
    negative |= m->body_gravcomp[i] < 0;
  }
  return sn_teamAny(negative) && !sn_teamAny(positive);
}

// Elasticity and damping of flexes: into qfrc_spring and qfrc_damper.
void sn_flexPassive(const snModel* m, snData* d, int hasSpring, int hasDamper);

// Contacts of passive flexes: springs along the normal, into qfrc_spring.
void sn_flexPassiveContacts(const snModel* m, snData* d);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_SMOOTH_PASSIVE_H_
