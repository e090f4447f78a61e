// Collisions of flexes: with the geoms of a body, with one another, with themselves.
//
// The driver (collide/collision.c) comes here with pairs of the broad phase, in which a flex has the number
// nbody + id, and then once for every flex. A geom meets an element of a flex, a plane meets the vertices,
// an element meets an element. Bounding volume trees only tell which of them are near: contacts stand in
// the order of their geoms, elements or vertices, whatever way they were found. Those of a flex with
// itself stand in the order in which the method of the flex (flex_selfcollide) finds the pairs.
//
// A team of lanes finds the pairs together and collides as many at a time as it has lanes; contacts are
// placed by a prefix sum over the lanes, so that their order is that of one lane.
//
//   collide/flex.c        pairs of a body and a flex, of two flexes
//   collide/flex_self.c   a flex with itself: internal contacts, all pairs, trees
//   collide/flex_sweep.c  a flex with itself by sweep and prune (of a team: lanes/flex_sweep.c)
//   collide/element.c     narrow phase: one element and a geom, a vertex or another element
//   collide/triangle.c    closed forms of a triangle

#ifndef SINEW_ENGINE_COLLIDE_FLEX_H_
#define SINEW_ENGINE_COLLIDE_FLEX_H_

#include "engine/collide/collision.h"

SN_EXTERN_C_BEGIN

// ---- driver

// Contacts of the geoms of a body with a flex, of two flexes, of a flex with itself. By a team.
void sn_collideBodyFlex(const snModel* m, snData* d, int body, int flex);
void sn_collideFlexes(const snModel* m, snData* d, int flex1, int flex2);
void sn_collideFlexSelf(const snModel* m, snData* d, int flex);

// ---- narrow phase; every function returns the number of contacts

// Normals from the geom, which is no plane, to the element.
int sn_collideGeomElement(const snModel* m, snData* d, snContactPoint* points, int geom, int flex,
                          int element, snReal margin);
int sn_collideElements(const snModel* m, snData* d, snContactPoint* points, int flex1, int element1,
                       int flex2, int element2, snReal margin);

// A vertex, which is a sphere, and an element of one flex of lines or triangles.
int sn_collideVertexElement(const snModel* m, snData* d, snContactPoint* points, int flex,
                            int vertex, int element);

// A vertex of a tetrahedron and the face opposite to it.
int sn_collideFaceVertex(const snModel* m, const snData* d, snContactPoint* point, int flex,
                         int element, int vertex);

// A height field and an element.
int sn_collideHfieldElement(const snModel* m, snData* d, snContactPoint* points, int geom, int flex,
                            int element, snReal margin);

// ---- contacts

// What touches what: geom, or flex with element or vertex; -1 where there is none.
struct snSides_ {
  int geom[2], flex[2], element[2], vertex[2];
};
typedef struct snSides_ snSides;

// Add the contacts of a pair of each lane, possibly none (collide/contact.c). condim 0: that of the sides. Returns 0
// when the arena is full. All lanes call it.
int sn_addFlexContacts(const snModel* m, snData* d, const snContactPoint* points, int n,
                       const snSides* sides, snReal margin, int condim);

// Is there room for the contacts of one more pair? Warns if not. All lanes call it.
int sn_hasRoomForPair(snData* d);

// Collide a pair of elements of each lane, of one flex or two, or none (element1 negative). All lanes call it.
void sn_touchElements(const snModel* m, snData* d, int flex1, int element1, int flex2,
                      int element2);

// One lane, two elements of one flex that are known to have no body in common: do they come near one another? Only
// those that do can touch.
int sn_areNear(const snModel* m, const snData* d, int flex, int element1, int element2);
void sn_touchNear(const snModel* m, snData* d, int flex, int element1, int element2);

SN_EXTERN_C_END

static inline snReal sn_overrideMargin(const snModel* m, snReal margin) {
  return m->opt.enableflags & snENBL_OVERRIDE ? m->opt.o_margin : margin;
}

// Vertices of an element, counted from the first of the flex.
static inline const int* sn_elementVertices(const snModel* m, int flex, int element) {
  return m->flex_elem + m->flex_elemdataadr[flex] + element * (m->flex_dim[flex] + 1);
}

static inline const snReal* sn_elementBox(const snModel* m, const snData* d, int flex,
                                          int element) {
  return d->flexelem_aabb + 6 * (m->flex_elemadr[flex] + element);
}

// Elements that collide: all lines and triangles, tetrahedra of the outer layers.
static inline int sn_isActive(const snModel* m, int flex, int element) {
  return m->flex_dim[flex] < 3 ||
         m->flex_elemlayer[m->flex_elemadr[flex] + element] < m->flex_activelayers[flex];
}

// Are two boxes (centre, half sizes) farther apart than margin along an axis?
static inline int sn_boxesApart(const snReal a[6], const snReal b[6], snReal margin) {
  int apart = 0;
  for (int k = 0; k < 3; k++) {
    apart |=
        (a[k] + a[3 + k] + margin < b[k] - b[3 + k]) | (b[k] + b[3 + k] + margin < a[k] - a[3 + k]);
  }
  return apart;
}

#endif  // SINEW_ENGINE_COLLIDE_FLEX_H_
