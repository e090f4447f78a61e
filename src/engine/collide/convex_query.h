// Distance and penetration of two convex objects.
//
// The Minkowski difference A - B of two convex sets is convex; the sets intersect where it contains
// the origin, their distance is that of the origin from it, and when they intersect the penetration
// is the distance of the origin from its boundary. GJK (collide/gjk.c) walks a simplex of support points of
// A - B towards the origin; it gives the distance of separate objects, or a simplex around the
// origin. EPA (collide/epa.c) grows that simplex into a polytope until the face nearest to the origin lies
// on the boundary. Where that face lies on flat features of boxes or meshes, the features are
// clipped against each other for several contact points (collide/multicontact.c).
//
// Spheres and capsules are treated as a point and a segment with a radius as long as these stay
// outside of the other object: GJK alone then gives the exact answer.
//
// References: E. G. Gilbert, D. W. Johnson, S. S. Keerthi, A fast procedure for computing the
// distance between complex objects in three-dimensional space, IEEE J. Robotics and Automation 4
// (1988); M. Montanari, N. Petrinic, E. Barbieri, Improving the GJK algorithm for faster and more
// reliable distance queries between convex objects, ACM Trans. Graphics 36 (2017) (signed volumes);
// G. van den Bergen, Proximity queries and penetration depth computation on 3D game objects, Game
// Developers Conference 2001 (EPA).
//
// Near convergence a simplex is so small that its areas keep few digits, and on flat features many
// answers tie: the order of operations in these files is part of the behaviour.

#ifndef SINEW_ENGINE_COLLIDE_CONVEX_QUERY_H_
#define SINEW_ENGINE_COLLIDE_CONVEX_QUERY_H_

#include <float.h>

#include "engine/collide/support.h"

SN_EXTERN_C_BEGIN

#ifdef SN_SINGLE
#define SN_CCD_FAR FLT_MAX
#else
#define SN_CCD_FAR DBL_MAX
#endif

// most iterations that a model's option may ask for, and most witness pairs
#define SN_CCD_MOST 100000
#define SN_CCD_POINTS 4

// A point of the Minkowski difference and where it comes from.
struct snMinkowski_ {
  snReal v[3];   // s1 - s2
  snReal s1[3];  // support point of object 1
  snReal s2[3];  // support point of object 2
  int id1, id2;  // their vertex indices
};
typedef struct snMinkowski_ snMinkowski;

// A query and its answer.
struct snCcd_ {
  // the question
  snConvex* object1;
  snConvex* object2;
  snReal tolerance;
  snReal cutoff;  // distances beyond need not be known; 0: only penetration matters
  int iterations;
  int maxpoints;  // witness pairs wanted, SN_CCD_POINTS or fewer; 0: distance of separate objects only
  const snModel* m;  // for the polygons of meshes
  snData* d;         // whose stack may have to give memory
  size_t
      bytes;  // of memory for penetration, aligned to 8 bytes: the same for all queries of a model
  // the answer
  snReal dist;  // SN_CCD_FAR: beyond the cutoff
  int npoint;   // witness pairs
  int full;     // penetration is not known: there was no memory
  int nsimplex;
  snMinkowski simplex[4];
  snReal x1[SN_CCD_POINTS][3];  // witness points on object 1
  snReal x2[SN_CCD_POINTS][3];  // witness points on object 2
};
typedef struct snCcd_ snCcd;

// Fill in the question with a model's options.
void sn_ccdBegin(snCcd* ccd, const snModel* m, snData* d, snConvex* object1, snConvex* object2);

// Answer a query. Returns the signed distance, also left in ccd->dist.
snReal sn_ccd(snCcd* ccd);

struct snContactPoint_;

// Contacts of two objects that penetrate when each is enlarged by half the margin (collide/convex_pair.c),
// at most ccd->maxpoints: distance without the margin, middle, normal from object 1 to object 2.
int sn_penetrate(snCcd* ccd, struct snContactPoint_* points, snReal margin);

// ---- parts

// Closest points of separate objects, or a simplex around the origin.
void sn_gjk(snCcd* ccd);

// Penetration, from the simplex that GJK left, with memory of so many bytes, aligned to 8. Returns snEPA_FOUND and the
// face of the Minkowski difference nearest to the origin, snEPA_NONE when the polytope degenerates, or snEPA_MORE when
// the memory is less than sn_epaBytes of all iterations, and they are needed.
typedef enum snEpaResult_ { snEPA_NONE, snEPA_FOUND, snEPA_MORE } snEpaResult;
snEpaResult sn_epa(snCcd* ccd, void* memory, size_t bytes, snMinkowski face[3]);
size_t sn_epaBytes(int iterations);

// Spread one witness pair over the touching features of boxes and meshes, with memory of SN_MANIFOLD_BYTES.
void sn_manifold(snCcd* ccd, void* memory, const snMinkowski face[3]);
enum {
  SN_MANIFOLD_CORNERS = 308,
  SN_MANIFOLD_BYTES = 2 * SN_MANIFOLD_CORNERS * 3 * sizeof(snReal)
};

// Both objects are polytopes, whose support points are finitely many.
int sn_ccdDiscrete(const snCcd* ccd);

// Support point of the Minkowski difference (collide/support.c), of objects in their place (sn_convexPlace).
void sn_minkowskiSupport(snMinkowski* point, snConvex* object1, snConvex* object2,
                         const snReal direction[3]);

// Projection of the origin on the plane of three points; 0: they are collinear. The plane is taken
// at v2, or at the other corners when its offset or its normal vanishes there.
int sn_projectOriginSlow(snReal point[3], const snReal v1[3], const snReal v2[3],
                         const snReal v3[3]);
static inline int sn_projectOrigin(snReal point[3], const snReal v1[3], const snReal v2[3],
                                   const snReal v3[3]) {
  snReal d21[3], d32[3], n[3];
  snu_sub3(d21, v2, v1);
  snu_sub3(d32, v3, v2);
  snu_cross(n, d32, d21);
  snReal offset = snu_dot3(n, v2);
  snReal square = snu_dot3(n, n);
  if (!(offset != 0 && square > snMINVAL)) return sn_projectOriginSlow(point, v1, v2, v3);
  snu_scl3(point, n, offset / square);
  return 1;
}

// Signed areas, up to a common factor, of the three triangles that p forms with the edges of abc,
// and of abc itself (returned), measured in the coordinate plane where abc is largest.
snReal sn_triangleAreas(snReal area[3], const snReal p[3], const snReal a[3], const snReal b[3],
                        const snReal c[3]);

// p0 (q1 r2 - q2 r1) + ...
static inline snReal sn_tripleProduct(const snReal p[3], const snReal q[3], const snReal r[3]) {
  return p[0] * (q[1] * r[2] - q[2] * r[1]) + p[1] * (q[2] * r[0] - q[0] * r[2]) +
         p[2] * (q[0] * r[1] - q[1] * r[0]);
}

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_COLLIDE_CONVEX_QUERY_H_
