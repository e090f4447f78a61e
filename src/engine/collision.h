// Collision detection.
//
// sn_collision (collision.c) runs in three phases. The broad phase (collision_broad.c) lists the
// pairs of bodies whose bounds may touch; the mid phase (collision.c) descends the bodies' bounding
// volume trees to pairs of geoms; the narrow phase calls one collider per pair of geom types.
//
// A collider sees two geoms ordered by type and writes at most snMAXCONPAIR lean contact points:
// distance, position, normal from geom 1 to geom 2 and, where the shape prefers one, a tangent. The
// driver turns them into snContact: it mixes the parameters, completes the frame and adds the ids.
// Colliders may use the stack of d for scratch and write nothing else in d.
//
//   collision_primitive.c   closed-form pairs of plane, sphere, capsule, cylinder, box; plane-convex
//   collision_box.c         capsule-box and box-box
//   collision_convex.c      every other convex pair, iteratively
//   collision_hfield.c      height field against convex geoms
//   collision_sdf.c         signed distance fields against everything but planes and height fields

#ifndef SINEW_ENGINE_COLLISION_H_
#define SINEW_ENGINE_COLLISION_H_

#include "base/team.h"
#include "sinew/data.h"

SN_EXTERN_C_BEGIN

// What a collider reports of one contact.
struct snContactPoint_ {
  snReal dist;        // negative: penetration
  snReal pos[3];      // halfway between the two surfaces
  snReal normal[3];   // unit, from geom 1 to geom 2
  snReal tangent[3];  // preferred second axis of the contact frame; zero: any
};
typedef struct snContactPoint_ snContactPoint;

// One pair of geoms, type(g1) <= type(g2): contacts closer than margin; returns their number.
SN_FN int sn_collideGeoms(const snModel* m, snData* d, snContactPoint* points, int g1, int g2,
                          snReal margin);

// Distance within which the narrow phase looked for the contacts of a pair of geoms.
SN_FN snReal sn_contactMargin(const snModel* m, const snContact* con);

// Contacts of the pairs of geoms that touch now, at the geoms' present poses: updated in place.
// Returns 0 when a pair has another number of contacts; they are then partly updated.
SN_FN int sn_collideAgain(const snModel* m, snData* d);

// Is there a collider for this ordered pair of geom types?
SN_FN int sn_hasCollider(int type1, int type2);

// Drop contacts of two boxes that lie outside of both or repeat; returns how many remain.
SN_FN int sn_filterBoxes(const snModel* m, const snData* d, snContactPoint* points, int n, int g1,
                         int g2, snReal margin);

// ---- colliders of geoms, all with the same signature --------------------------------------------

#define SN_COLLIDER(name) \
  SN_FN int name(const snModel* m, snData* d, snContactPoint* points, int g1, int g2, snReal margin)

SN_COLLIDER(sn_collidePlaneSphere);
SN_COLLIDER(sn_collidePlaneCapsule);
SN_COLLIDER(sn_collidePlaneCylinder);
SN_COLLIDER(sn_collidePlaneBox);
SN_COLLIDER(sn_collidePlaneConvex);  // ellipsoid, mesh, SDF
SN_COLLIDER(sn_collideSphereSphere);
SN_COLLIDER(sn_collideSphereCapsule);
SN_COLLIDER(sn_collideSphereCylinder);
SN_COLLIDER(sn_collideSphereBox);
SN_COLLIDER(sn_collideCapsuleCapsule);
SN_COLLIDER(sn_collideCapsuleBox);
SN_COLLIDER(sn_collideBoxBox);  // not yet filtered
SN_COLLIDER(sn_collideConvex);  // sphere .. mesh, where no closed form is listed above
SN_COLLIDER(sn_collideHfield);  // g1 height field, g2 sphere .. mesh
SN_COLLIDER(sn_collideSDF);     // g2 SDF, g1 sphere .. SDF

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_COLLISION_H_
