// Collision detection.
//
// sn_collision (collide/collision.c) runs in three phases. The broad phase (collide/broad.c) lists the
// pairs of bodies whose bounds may touch; the mid phase (collide/collision.c) descends the bodies' bounding
// volume trees to pairs of geoms; the narrow phase calls one collider per pair of geom types.
//
// A collider sees two geoms ordered by type and writes at most snMAXCONPAIR lean contact points:
// distance, position, normal from geom 1 to geom 2 and, where the shape prefers one, a tangent. The
// driver turns them into snContact: it mixes the parameters, completes the frame and adds the ids.
// Colliders may use the stack of d for scratch and write nothing else in d.
//
// A team of lanes first lists and tests pairs of geoms and then collides them, each lane a share
// (lanes/collision.c): the same contacts in the same order.
//
//   collide/primitive.c   closed-form pairs of plane, sphere, capsule, cylinder, box; plane-convex
//   collide/box.c         capsule-box and box-box
//   collide/convex_pair.c      every other convex pair, iteratively
//   collide/hfield.c      height field against convex geoms
//   collide/sdf.c         signed distance fields against everything but planes and height fields

#ifndef SINEW_ENGINE_COLLIDE_COLLISION_H_
#define SINEW_ENGINE_COLLIDE_COLLISION_H_

#include "base/assert.h"
#include "base/team.h"
#include "engine/collide/broad.h"
#include "model/object_types.h"
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

// Drop contacts of two boxes that lie outside of both or repeat; returns how many remain.
SN_FN int sn_filterBoxes(const snModel* m, const snData* d, snContactPoint* points, int n, int g1,
                         int g2, snReal margin);

// ---- contacts from points (collide/contact.c) -------------------------------------------------------------

// Fill the n contacts of a pair of geoms, explicit when p >= 0.
SN_FN void sn_fillContacts(const snModel* m, snContact* con, const snContactPoint* points, int n,
                           int g1, int g2, int p, snReal margin);

// Distance, position and frame alone; index is that of the point among those of the pair.
SN_FN void sn_placeContact(snContact* con, const snContactPoint* point, int index);

// sn_fillContacts in two steps: the results of the collider, then all the rest.
static inline void sn_beginContact(snContact* con, const snContactPoint* found, int g1, int g2,
                                   int p, snReal margin);
SN_FN void sn_completeContacts(const snModel* m, snContact* con, int n);  // by a team

// Reports a contact that was not found for lack of memory. A lane of a team notes it, and the team warns after all
// pairs.
SN_FN void sn_missContact(snData* d);
SN_FN void sn_warnOfMissed(snData* d);

// ---- the team's driver (lanes/collision.c) and what it takes from the other one (collide/collision.c) -------

// No node of a tree was visited.
SN_FN void sn_clearActive(const snModel* m, snData* d);

// Contacts of all pairs, by a team of lanes. Returns 0 when the pairs have to be collided one after the other.
SN_FN int sn_collideAsTeam(const snModel* m, snData* d);

// Two geoms that the narrow phase looks at, of an explicit pair when p >= 0.
struct snNear_ {
  int g1, g2, p;
  snReal margin;
};
typedef struct snNear_ snNear;

// Does the narrow phase have to look at two geoms? Pair p >= 0 is explicit.
SN_FN int sn_isNear(const snModel* m, snData* d, int g1, int g2, int p);

// Do the boxes of two geoms show that they are apart, by more than rounding?
SN_FN int sn_geomsApart(const snModel* m, const snData* d, int g1, int g2, snReal margin);

// Contacts of two such geoms of bodies with this signature: orders them by type and adds the margin.
SN_FN int sn_collideNear(const snModel* m, snData* d, snBroad* broad, uint32_t signature,
                         snContactPoint* points, snNear* near_pair);

// The same as sn_collideGeoms where the types are known.
SN_FN int sn_collideTypes(const snModel* m, snData* d, snContactPoint* points, int type1, int type2,
                          int g1, int g2, snReal margin);

// Do bounding volume trees lead to the geoms of two bodies, unless told not to?
SN_FN int sn_haveTrees(const snModel* m, int a, int b);

// Two geoms whose pair was found without sweep and trees have contacts, the deepest at dist: would sweep and trees have
// found the pair, too?
SN_FN int sn_isFound(const snModel* m, snData* d, snBroad* broad, uint32_t signature, int g1,
                     int g2, snReal margin, snReal dist);

// How many pairs of geoms two bodies have: 0 when masks, an exclusion or, of two single geoms, their distance rule out
// contacts; -1 when their trees have to be descended.
SN_FN int sn_pairsOfBodies(const snModel* m, snData* d, uint32_t signature);

// Visit nodes of the trees of bodies a and b: returns how many pairs follow, 0 when nothing touches,
// 1 with a pair of geoms that the narrow phase has to look at, ordered by type, 2 with pairs of nodes.
SN_FN int sn_visitNodes(const snModel* m, snData* d, int a, int b, int node1, int node2,
                        int next[4]);

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

// A height field and an element of a flex, given in the world (collide/hfield.c).
struct snConvex_;
SN_FN int sn_collideHfieldConvex(const snModel* m, snData* d, snContactPoint* points, int geom,
                                 const struct snConvex_* world, snReal margin);

// Does the oriented box of a geom come within margin of a box along the world's axes (centre, half sizes)?
SN_FN int sn_geomMeetsBox(const snModel* m, const snData* d, int g, const snReal box[6],
                          snReal margin);

SN_EXTERN_C_END

// ---- contacts

// Ids of the pair are stored in fields that sn_completeContacts overwrites. The point is read before the contact is
// written, so that a GPU waits once.
static inline void sn_beginContact(snContact* con, const snContactPoint* found, int g1, int g2,
                                   int p, snReal margin) {
  snContactPoint point = *found;
  con->dist = point.dist;
  SN_UNROLL for (int k = 0; k < 3; k++) {
    con->pos[k] = point.pos[k];
    con->frame[k] = point.normal[k];
    con->frame[k + 3] = point.tangent[k];
  }
  con->includemargin = margin;
  con->geom[0] = g1;
  con->geom[1] = g2;
  con->exclude = p;
}

// ---- explicit pairs

// A pair takes part unless both of its bodies sleep.
static inline int sn_pairIsAwake(const snModel* m, const snData* d, int p) {
  SN_ASSERT_INDEX(p, m->npair);
  if (!(m->opt.enableflags & snENBL_SLEEP)) return 1;
  return d->body_awake[m->geom_bodyid[m->pair_geom1[p]]] == snS_AWAKE ||
         d->body_awake[m->geom_bodyid[m->pair_geom2[p]]] == snS_AWAKE;
}

// Is it the pair of these geoms, in either order?
static inline int sn_isPairOf(const snModel* m, int p, int g1, int g2) {
  int p1 = m->pair_geom1[p], p2 = m->pair_geom2[p];
  return (p1 == g1 && p2 == g2) || (p1 == g2 && p2 == g1);
}

// Is there room in the arena for the most contacts that one collider makes?
static inline int sn_hasContactRoom(const snData* d) {
  size_t used = d->parena + d->pstack + (snMAXCONPAIR + 1) * sizeof(snContact);
  return used <= (size_t)d->narena;
}

// ---- which pairs collide --------------------------------------------------------------------------

// Is there a collider for this pair of geom types, given with the smaller number first? Planes and height fields do not
// meet one another.
static inline int sn_hasCollider(int type1, int type2) {
  return sn_isGeomOf(type2, snFAMILY_BODY) && sn_isGeomOf(type1, snFAMILY_ANY) && type1 <= type2;
}

static inline int sn_masksMeet(int contype1, int conaffinity1, int contype2, int conaffinity2) {
  return (contype1 & conaffinity2) || (contype2 & conaffinity1);
}

static inline int sn_isExcluded(const snModel* m, uint32_t signature) {
  int low = 0, high = (int)m->nexclude;
  while (low < high) {
    int middle = (low + high) / 2;
    uint32_t here = (uint32_t)m->exclude_signature[middle];
    if (here == signature) return 1;
    if (here < signature) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return 0;
}

// May two bodies collide, by masks and exclusions?
static inline int sn_bodiesCollide(const snModel* m, uint32_t signature) {
  int a = (int)(signature >> 16), b = (int)(signature & 0xffff);
  return sn_masksMeet(m->body_contype[a], m->body_conaffinity[a], m->body_contype[b],
                      m->body_conaffinity[b]) &&
         !(m->nexclude && sn_isExcluded(m, signature));
}

#endif  // SINEW_ENGINE_COLLIDE_COLLISION_H_
