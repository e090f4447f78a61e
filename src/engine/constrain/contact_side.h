// Which bodies a contact pushes: one for a geom or a vertex of a flex; for an element of a flex those of its
// vertices, or of its nodes where the flex is interpolated, with weights that sum to one.

#ifndef SINEW_ENGINE_CONSTRAIN_CONTACT_SIDE_H_
#define SINEW_ENGINE_CONSTRAIN_CONTACT_SIDE_H_

#include "base/team.h"
#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

struct snContactSide_ {
  int n;
  int body[snMAXFLEXNODES];
  snReal weight[snMAXFLEXNODES];
};
typedef struct snContactSide_ snContactSide;

// The bodies of side s (0 or 1).
SN_FN void sn_contactSide(const snModel* m, const snData* d, const snContact* con, int s,
                          snContactSide* side);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_CONSTRAIN_CONTACT_SIDE_H_
