// Ray casting.
//
// A ray is pnt + x * vec with x >= 0; vec need not be a unit vector, and x is what is returned, -1
// without a hit. normal (nullable) receives the outward normal of the surface hit, zero without a
// hit. Rays that start inside of a closed shape hit it from within; planes are hit from the front.
//
//   collide/ray.c        one ray and many rays against the geoms of a world: filters, bounds, nearest hit
//   collide/ray_geom.c   primitive shapes in closed form
//   collide/ray_mesh.c   triangles, meshes, height fields, distance fields and skins
//   flex/ray.c           flexes

#ifndef SINEW_ENGINE_COLLIDE_RAY_H_
#define SINEW_ENGINE_COLLIDE_RAY_H_

#include "base/team.h"
#include "sinew/data.h"

SN_EXTERN_C_BEGIN

// Hits of the six faces of a box centred at the origin, order -x, +x, -y, +y, -z, +z; -1 without.
// Returns the nearest; normal and all are nullable.
SN_FN snReal sn_rayBox(const snReal size[3], const snReal pnt[3], const snReal vec[3],
                       snReal normal[3], snReal all[6]);

// Two unit vectors across a ray, and a triangle seen from both sides in their plane. The result may be
// negative (behind the ray); -1 stands for a miss too, which leaves the normal alone. Nullable: normal.
SN_FN void sn_rayBasis(snReal basis[6], const snReal vec[3]);
SN_FN snReal sn_rayTriangle(const snReal vert[3][3], const snReal pnt[3], const snReal vec[3],
                            const snReal basis[6], snReal normal[3]);

// Geom with a distance field, in units of length.
SN_FN snReal sn_raySDF(const snModel* m, const snData* d, int geomid, const snReal pnt[3],
                       const snReal vec[3], snReal normal[3]);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_COLLIDE_RAY_H_
