// Deformables: cloth, soft bodies and chains that extended position-based dynamics moves.
//
// A deformable is a set of point masses (deformvert_*) and constraints between them: lengths, bending,
// volumes, torsion, coloured by the compiler so that no two of one colour share a vertex. After the rigid
// bodies have moved, the vertices take the same step in small substeps (sn_deformStep), each of them
//
//   x' = x + h v + h^2 g;  every constraint once: dx = -w grad C C / (sum w |grad C|^2 + compliance / h^2);
//   contacts; v = (x' - x) / h; contacts again, for the velocities.
//
// (M. Macklin et al., XPBD, MIG 2016; Small steps in physics simulation, SCA 2019.) A contact is a plane
// that the detection found at the surface of a geom (sn_deformCollision) and that moves with the body.
//
// The rigid bodies take part: in the substeps each has a velocity and a displacement of its own, with which
// contacts and attachments exchange momentum. What a body received in one step acts on it as a constant
// force during the next one (deformable_xfrc, added to qfrc_passive by sn_deformForces): forward dynamics
// only reads the state of deformables, and solvers, sensors and inverse dynamics see an ordinary force.
//
//   deform/step.c        substeps, sleeping
//   deform/constraint.c  constraints inside of a deformable
//   deform/contact.c     contacts with geoms, attachments to bodies
//   deform/detect.c      which vertices touch which geoms
//   deform/distance.c    nearest point of a geom
//   deform/pair_detect.c which deformables touch one another or themselves
//   deform/pair.c        those contacts
//   deform/nearest.c     nearest points of faces and of pieces of chains
//   deform/force.c       forces on rigid bodies

#ifndef SINEW_ENGINE_DEFORM_DEFORM_H_
#define SINEW_ENGINE_DEFORM_DEFORM_H_

#include "base/team.h"
#include "sinew/data.h"

SN_EXTERN_C_BEGIN

// ---- stages, by a team

// Contacts of vertices with geoms that they can reach within the step: deformcon_*, deformvert_colliding;
// contacts of deformables with one another and with themselves: deformpair_*.
void sn_deformCollision(const snModel* m, snData* d);
// qfrc_passive += generalised force of deformable_xfrc.
void sn_deformForces(const snModel* m, snData* d);
// Move the vertices by one time step. The rigid bodies have taken theirs: their poses are those of back
// seconds after the beginning of the step, their velocities those of its end.
void sn_deformStep(const snModel* m, snData* d, snReal back);

// ---- pieces

// A rigid body during the substeps, from the pose that the data have.
struct snMover_ {
  snReal vel[3], spin[3];    // velocity of the centre of mass, angular velocity
  snReal shift[3], turn[3];  // displacement of the centre of mass, small rotation
  snReal invmass, invinertia;
  snReal impulse[3], moment[3];  // received so far, about the centre of mass
};
typedef struct snMover_ snMover;

// Contacts of deformables with one another during the substeps.
struct snDeformPairs_ {
  int *start, *place;  // by vertex: its places in deformpair_vert
  int* active;         // by vertex: how many of its pairs push
  snReal* pressure;    // by pair: multiplier of the substep
  snReal* impulse;     // by pair: what is applied now (3)
  snReal* total;       // by pair: sum of impulses on the first side (3)
};
typedef struct snDeformPairs_ snDeformPairs;

// What the substeps of one step share.
struct snDeform_ {
  snReal *x, *v;         // positions and velocities of the vertices
  snReal* before;        // positions before the substep
  snReal* w;             // inverse masses; 0: pinned or asleep
  snMover* mover;        // by body
  snReal* pressure;      // by contact: multiplier of the substep
  snReal* total;         // by contact: sum of impulses on the vertex (3)
  snReal h;              // of a substep
  int attached, moving;  // some vertex is attached; some contact is with a body that moves
  snDeformPairs pairs;
};
typedef struct snDeform_ snDeform;

// One constraint of each kind: moves its vertices.
void sn_projectDeformConstraints(const snModel* m, const snDeform* s);

// Contacts and attachments: positions, and velocities.
void sn_solveDeformPositions(const snModel* m, snData* d, const snDeform* s);
void sn_solveDeformVelocities(const snModel* m, snData* d, const snDeform* s);

// Multiplier that pushes two surfaces apart, by the solref and solimp of a deformable: they overlap by
// depth and moved apart by path in this substep; weight is the sum of their inverse masses.
snReal sn_deformPush(const snModel* m, const snDeform* s, int deform, snReal depth, snReal path,
                     snReal weight);
// Is a contact of this deformable a spring (negative solref) that stores energy?
int sn_deformIsSpring(const snModel* m, int deform);

// Pairs: take scratch memory (0: there is none), solve positions or velocities, set the forces. By a team.
int sn_beginDeformPairs(const snModel* m, snData* d, snDeformPairs* p);
void sn_solveDeformPairs(const snModel* m, snData* d, const snDeform* s, int velocities);
void sn_endDeformPairs(const snModel* m, snData* d, const snDeform* s);

// sum of coefficient times row over the vertices of a pair
void sn_pairSum(const snReal* x, const int vert[4], const snReal coef[4], snReal sum[3]);

// May any two deformables, or one with itself, touch?
int sn_deformMayPair(const snModel* m);
// In how many parts the step is cut so that no vertex passes a face unseen.
int sn_deformPairParts(const snModel* m, const snData* d);
// Pairs of the vertices at positions x within the time h; report: set deformvert_colliding. By a team.
void sn_deformDetectPairs(const snModel* m, snData* d, const snReal* x, const snReal* v, snReal h,
                          int report);

// Coefficients of the point of a face that is nearest to x; v[2] is NULL: of the segment v[0] v[1].
void sn_nearestOnFace(const snReal x[3], const snReal* const v[3], snReal coef[3]);
// Nearest points of two segments: a0 + s (a1 - a0) and b0 + t (b1 - b0).
void sn_nearestSegments(const snReal* a0, const snReal* a1, const snReal* b0, const snReal* b1,
                        snReal* s, snReal* t);

// Does any contact move a body? By a team.
int sn_deformMovesBodies(const snModel* m, const snData* d, const snDeform* s);
// The forces of the contacts from their impulses; what pushed bodies that cannot move is added to theirs.
void sn_endDeformContacts(const snModel* m, snData* d, const snDeform* s);

// Nearest point of a geom to a point outside or inside, both in the world. Returns the signed distance, or
// reach or more where the geom is not in reach.
snReal sn_deformDistance(const snModel* m, snData* d, int geom, const snReal x[3], snReal reach,
                         snReal pos[3], snReal normal[3]);

// Movers at the poses of the data, with the velocities that qvel gives them there.
void sn_deformMovers(const snModel* m, const snData* d, snMover* mover);

// Contacts of the vertices at positions x with geoms that movers have displaced, in reach within the time
// h; report: set deformvert_colliding.
void sn_deformDetect(const snModel* m, snData* d, const snReal* x, const snReal* v,
                     const snMover* mover, snReal h, int report);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_DEFORM_DEFORM_H_
