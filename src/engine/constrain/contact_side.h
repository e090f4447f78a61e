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

// Vertices (ids in the flex) of a side that is a flex, weighted by the inverse distance to the contact; a vertex
// that is the other side of the contact is left out of its element. Returns their number.
SN_FN int sn_contactVertices(const snModel* m, const snData* d, const snContact* con, int side,
                             int vertex[4], snReal weight[4]);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_CONSTRAIN_CONTACT_SIDE_H_
