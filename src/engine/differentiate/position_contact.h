// How a contact answers small motions of what touches (differentiate/position_contact.c): its position, normal,
// tangent and distance as a collider reports them.

#ifndef SINEW_ENGINE_DIFFERENTIATE_POSITION_CONTACT_H_
#define SINEW_ENGINE_DIFFERENTIATE_POSITION_CONTACT_H_

#include "engine/collide/collision.h"
#include "engine/constrain/contact_side.h"
#include "engine/differentiate/position_derivative.h"

SN_EXTERN_C_BEGIN

struct snContactChange_ {
  snReal pos[3], normal[3], tangent[3], dist;
};
typedef struct snContactChange_ snContactChange;

// The contact among n points that is nearest to another, -1: none within reach.
int sn_nearestPoint(const snContactPoint* points, int n, const snReal pos[3],
                    const snReal normal[3], snReal reach);

// How the point of the first geom, an ellipsoid or a cylinder, turns with the normal: the Hessian of its support
// function, and whether it slides along the third axis of the geom. 0: it is not smooth there.
int sn_smoothGeom(const snModel* m, const snData* d, const snContact* con, snReal support[9],
                  int* slides);

// ---- flexes (differentiate/position_element.c)

enum { snMAXTOUCHED = 8 };

// Vertices of a contact of which one side at least is an element or a vertex of a flex, and the answer to
// motions of each along the axes of the world.
struct snFlexTouch_ {
  int n;
  int side[snMAXTOUCHED], vertex[snMAXTOUCHED];  // over all flexes
  snReal weight[snMAXTOUCHED];                   // share of the contact's force on its side
  snReal tangent[3];                             // preferred by the collider, zero: none
  snContactChange response[snMAXTOUCHED][3];
};
typedef struct snFlexTouch_ snFlexTouch;

// plane: the other side is a plane, whose responses are not wanted.
void sn_touchFlex(const snModel* m, snData* d, const snTangent* t, const snContact* con, int plane,
                  snFlexTouch* touch);

// Changes of the weights, where the contact moves by shift and vertex v by move[v].
void sn_weightRates(const snData* d, const snContact* con, const snFlexTouch* touch,
                    const snReal shift[3], const snReal move[snMAXTOUCHED][3],
                    snReal rate[snMAXTOUCHED]);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_DIFFERENTIATE_POSITION_CONTACT_H_
