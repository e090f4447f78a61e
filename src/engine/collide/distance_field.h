// Distance fields of geoms.
//
// A field gives the signed distance of a point from a geom, in the geom's frame, and its gradient:
// in closed form for primitive geoms and for the shapes of math/sdf.h, interpolated from an octree
// for meshes. The gradients are those that the descent in collide/sdf.c is calibrated to; inside
// of an octree they are derivatives by the cell's own coordinates, which points the right way but
// is not of unit length.

#ifndef SINEW_ENGINE_COLLIDE_DISTANCE_FIELD_H_
#define SINEW_ENGINE_COLLIDE_DISTANCE_FIELD_H_

#include "math/sdf.h"
#include "sinew/data.h"

SN_EXTERN_C_BEGIN

// The leaf of an octree where the last search ended, and a box of points whose searches end there as well: the points of a
// descent are often neighbours.
struct snLeaf_ {
  int node;  // -1: none
  snReal least[3], most[3];
};
typedef struct snLeaf_ snLeaf;

struct snField_ {
  int kind;                       // geom type; snGEOM_SDF: shape or octree
  int geom;                       // geom id
  const snReal* size;             // geom size
  int octree;                     // first node; -1: none
  snLeaf* leaf;                   // memory of the search in the octree; NULL: none
  snShape shape;                  // shape.shape < 0: none
  const struct snpPlugin_* user;  // of the user, who has the field; NULL: none
  int instance;
  const snModel* m;
  const snData* d;
};
typedef struct snField_ snField;

// Describe the field of a geom.
SN_FN void sn_makeField(snField* field, const snModel* m, const snData* d, int geom);

// Signed distance of a point, and its gradient, in the frame of the geom.
SN_FN snReal sn_fieldDistance(const snField* field, const snReal x[3]);
SN_FN void sn_fieldGradient(snReal gradient[3], const snField* field, const snReal x[3]);

// The same for several points, whose coordinates are x[0], x[1] and x[2]: only of fields that are round, whose
// formulas have no branches.
SN_FN int sn_fieldIsRound(const snField* field);
SN_FN void sn_fieldDistances(snReal dist[snNPOINTSATONCE], const snField* field,
                             const snReal x[3][snNPOINTSATONCE]);

// Distance and gradient of a field by its plugin and instance or, without a plugin, its geom.
SN_API snReal sn_sdfDistance(const snModel* m, const snData* d, const struct snpPlugin_* plugin,
                             int id, int geomtype, const snReal x[3]);
SN_API void sn_sdfGradient(const snModel* m, const snData* d, const struct snpPlugin_* plugin,
                           int id, int geomtype, snReal gradient[3], const snReal x[3]);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_COLLIDE_DISTANCE_FIELD_H_
