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
//   deform/level.c       which contacts of faces a team solves at the same time
//   deform/detect.c      which vertices touch which geoms
//   deform/face.c        which faces touch geoms between their vertices
//   deform/distance.c    nearest point of a geom
//   deform/surface.c     vertices, faces and edges of deformables, and of flexes that may touch them
//   deform/grid.c        boxes of faces and edges in cells of space
//   deform/patch.c       which vertices may touch anything
//   deform/pair_detect.c which deformables touch one another, themselves or flexes
//   deform/pair.c        those contacts
//   deform/nearest.c     nearest points of faces and of pieces of chains
//   deform/force.c       forces on rigid bodies

#ifndef SINEW_ENGINE_DEFORM_DEFORM_H_
#define SINEW_ENGINE_DEFORM_DEFORM_H_

#include "base/team.h"
#include "math/math.h"
#include "sinew/data.h"

SN_EXTERN_C_BEGIN

// ---- stages, by a team

// Contacts of vertices and faces with geoms that they can reach within the step: deformcon_*, deformvert_colliding;
// contacts of deformables with one another, with themselves and with flexes: deformpair_*.
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
  int *ntouch, *touch;  // how many vertices have pairs, and which
  int *start, *place;   // by these: their places in deformpair_vert
  int *active, *push;   // by vertex: how many of its pairs push; their places, from start on
  snReal* pressure;     // by pair: multiplier of the substep
  snReal* depth;        // by pair: overlap where the vertices are now
  snReal* offset;       // by pair: from one side to the other now (3)
  snReal* before;       // by pair that pushed: the same before the substep (3)
  snReal* impulse;      // by pair: what is applied now (3)
  snReal* total;        // by pair: sum of impulses on the first side (3)
};
typedef struct snDeformPairs_ snDeformPairs;

// The plane of a contact. With a fixed body it is the same in all substeps.
struct snDeformPlane_ {
  int still;  // is its body fixed? Otherwise point and normal are not set
  snReal margin, point[3], normal[3];
};
typedef struct snDeformPlane_ snDeformPlane;

// Contacts of faces in levels, for a team: those of one level share no vertex and no body that they move.
struct snDeformLevels_ {
  int *n, *start, *item;  // how many levels; by level: where its contacts begin in the list
  int* level;             // by contact
  int* last;              // by vertex, then by body: the level after its last contact
};
typedef struct snDeformLevels_ snDeformLevels;

// State that the substeps of one step share.
struct snDeform_ {
  int nvert;             // with those of flexes that may touch deformables
  snReal *x, *v;         // positions and velocities of the vertices
  snReal* before;        // positions before the substep
  snReal* w;             // inverse masses; 0: pinned or asleep
  snMover* mover;        // by body
  snReal* pressure;      // by contact: multiplier of the substep
  snReal* total;         // by contact: sum of impulses on the vertex (3)
  snReal h;              // of a substep
  int attached, moving;  // some vertex is attached; some contact is with a body that moves
  int nvertcon;          // contacts of vertices; those of faces follow
  snDeformPlane* plane;  // by contact
  snDeformLevels levels;
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

// Vertices, faces and edges that may touch (deform/surface.c). Owners are deformables, then flexes.
struct snSurface_ {
  int nvert, nface, nside;
  const int *face, *side;  // three vertices (of a piece of a line two, then -1), and two
};
typedef struct snSurface_ snSurface;

int sn_surfaceOwner(const snModel* m, int vertex);
int sn_ownersMeet(const snModel* m, int a, int b);  // an owner itself: may it touch itself?
int sn_ownerIsLine(const snModel* m, int owner);
snReal sn_ownerMargin(const snModel* m, int owner);
snReal sn_mixOwnerFriction(const snModel* m, int a, int b);  // geometric mean
// May any flex touch a deformable? Number of vertices that take part in contacts.
int sn_deformMeetsFlex(const snModel* m);
int sn_surfaceVertices(const snModel* m);
// The lists, in scratch memory where flexes take part; 0: there is none. By a team.
int sn_takeSurface(const snModel* m, snData* d, snSurface* s);
// Positions, velocities and inverse masses of the vertices of flexes, displaced by movers. By a team.
// Nullable: w.
void sn_placeFlexVertices(const snModel* m, const snData* d, const snMover* mover, snReal* x,
                          snReal* v, snReal* w);
// An impulse on a vertex of a flex, for the bodies that carry it. By one lane.
void sn_pushFlexVertex(const snModel* m, const snData* d, snMover* mover, int vertex,
                       const snReal impulse[3]);

// Boxes in cells of space.
struct snDeformGrid_ {
  int n;         // boxes; those that are empty are in no cell
  int nbucket;   // a power of two
  snReal width;  // of a cell
  float* box;    // by box: lower and upper corner
  int* cell;     // by box: its first and last cell
  int* start;    // by bucket: first of its boxes
  int* item;     // boxes by bucket
};
typedef struct snDeformGrid_ snDeformGrid;

// Take scratch memory for n boxes; set the width of cells by them; sort them. 0: there is no memory. By a team.
int sn_takeGrid(snData* d, snDeformGrid* g, int n);
void sn_setGridWidth(snDeformGrid* g);
int sn_fillGrid(snData* d, snDeformGrid* g);
// First and last cell of a box; bucket of a cell.
void sn_gridCells(const snDeformGrid* g, const float box[6], int cell[6]);
int sn_gridBucket(const snDeformGrid* g, int x, int y, int z);

// Pairs: take scratch memory (0: there is none), solve positions or velocities, set the forces. By a team.
int sn_beginDeformPairs(snData* d, snDeform* s);
void sn_solveDeformPairs(const snModel* m, snData* d, const snDeform* s, int velocities);
void sn_endDeformPairs(const snModel* m, snData* d, const snDeform* s);

// sum of coefficient times row over the vertices of a pair
static inline void sn_pairSum(const snReal* x, const int vert[4], const snReal coef[4],
                              snReal sum[3]) {
  snu_zero3(sum);
  for (int k = 0; k < 4; k++) {
    if (vert[k] >= 0) snu_addToScl3(sum, x + 3 * vert[k], coef[k]);
  }
}

// Input of sn_deformPatches.
struct snDeformNear_ {
  int n;  // vertices
  const snReal *x, *v;
  snReal half;         // half of the time
  const snReal* path;  // by vertex: how far it comes in that, from the mean of all
  snReal width;        // vertices that are nearer are near
  snReal patch;        // parts of a surface that were nearer at rest are neighbours
  snReal fastest;      // bound of these speeds
};
typedef struct snDeformNear_ snDeformNear;

// By vertex: a speed, such that the sum of two of them bounds the relative velocity of vertices that come near, and
// whether it may touch anything: it may not where only neighbours are near. Returns 0 when there is no memory. By a
// team.
int sn_deformPatches(const snModel* m, snData* d, const snDeformNear* near, snReal* speed,
                     snByte* active);

// Results that the detections of one step share, since little changes between them.
struct snDeformWatch_ {
  int left;      // detections for which it still holds
  snReal since;  // time since it was measured
  snReal edge;   // length of the longest edge
  snReal *speed, *path,
      *v;          // by vertex: speed past others, how far it comes from the mean, velocity
  snByte* active;  // by vertex: may it touch anything?
};
typedef struct snDeformWatch_ snDeformWatch;

// Take its memory (0: there is none). By a team.
int sn_takeDeformWatch(const snModel* m, snData* d, snDeformWatch* watch);

// In how many parts the substeps are cut, with new contacts in each, so that no vertex passes a face unseen;
// how many substeps there are. v as below. By a team.
int sn_deformParts(const snModel* m, const snReal* v, int* substeps);
// Of as many substeps, the first that does not belong to a part.
static inline int sn_deformPartEnd(int substeps, int parts, int part) {
  return (int)((long long)substeps * (part + 1) / parts);
}
// Pairs of the vertices at positions x within the time h; x and v go on with the vertices of flexes where
// these may touch deformables. report: set deformvert_colliding. By a team. Nullable: watch.
void sn_deformDetectPairs(const snModel* m, snData* d, const snReal* x, const snReal* v, snReal h,
                          snDeformWatch* watch, int report);

// Coefficients of the point of a face that is nearest to x; v[2] is NULL: of the segment v[0] v[1].
void sn_nearestOnFace(const snReal x[3], const snReal* const v[3], snReal coef[3]);
// Nearest points of two segments: a0 + s (a1 - a0) and b0 + t (b1 - b0).
void sn_nearestSegments(const snReal* a0, const snReal* a1, const snReal* b0, const snReal* b1,
                        snReal* s, snReal* t);

// State of the detection of contacts with geoms.
struct snDetection_ {
  const snReal *x, *v;
  const snMover* mover;
  snReal h;     // time for which contacts are found
  snReal fall;  // how far gravity may bring a vertex and a body together within it
  int report;   // set deformvert_colliding and deformcon_force
  int* geoms;   // by deformable: how many geoms are near, and which
};
typedef struct snDetection_ snDetection;

// A contact with a geom.
struct snDeformTouch_ {
  int geom, vertex, face;  // face: -1 of a vertex
  snReal coef[3];
  snReal dist, pos[3], normal[3];
};
typedef struct snDeformTouch_ snDeformTouch;

// Margin, and a distance for accelerations within the time: gravity, and an unknown elastic acceleration.
static inline snReal sn_deformSlack(const snModel* m, const snDetection* s, int deform) {
  return m->deformable_margin[deform] + s->fall;
}

// Is the geom so near the face, and so sharp, that it may come in between the vertices within the time? If so, the next two
// functions find whether and where it touches the face there, and fill the contact at that point.
int sn_faceIsNearGeom(const snModel* m, const snData* d, const snDetection* s, int face, int geom);
int sn_faceMeetsGeom(const snModel* m, snData* d, const snDetection* s, int face, int geom,
                     snReal coef[3]);
void sn_faceTouch(const snModel* m, snData* d, const snDetection* s, int face, int geom,
                  const snReal coef[3], snDeformTouch* touch);

// Planes of all contacts; levels of those of faces, with the memory for them (0: there is none). By a team.
void sn_setDeformPlanes(const snModel* m, const snData* d, const snDeform* s);
int sn_takeDeformLevels(const snModel* m, snData* d, snDeform* s);

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
// h, and with one another within the time of a part; report: set deformvert_colliding. Nullable: watch.
void sn_deformDetect(const snModel* m, snData* d, const snReal* x, const snReal* v,
                     const snMover* mover, snReal h, snReal part, snDeformWatch* watch, int report);

SN_EXTERN_C_END

// By a team: n counts become places, the last one is their number, which is returned.
static inline int sn_deformPlaces(int* count, int n) {
  int sum = 0;
  for (int first = 0; first < n; first += SN_LANES) {
    int i = first + SN_LANE, total, before = sn_teamScan(i < n ? count[i] : 0, &total);
    if (i < n) count[i] = sum + before;
    sum += total;
  }
  SN_ONE count[n] = sum;
  SN_SYNC();
  return sum;
}

// number of the cell that a coordinate lies in, in units of the width of cells; 0: far away, or NaN
static inline int sn_deformCell(snReal x) {
  const snReal kMost = (snReal)1e9;
  if (!(x > -kMost && x < kMost)) return 0;
  int whole = (int)x;
  return whole - (x < whole);
}

#endif  // SINEW_ENGINE_DEFORM_DEFORM_H_
