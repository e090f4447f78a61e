// Deformables: cloth, soft bodies and chains that extended position-based dynamics (XPBD) moves beside
// the rigid bodies of the same step. Not in MuJoCo.
//
// A deformable is an element of a spec, from MJCF (<sinew:cloth>, <sinew:softbody>, <sinew:chain>) or from
// sns_addDeformable. A program that has a model already registers one with sn_addDeformable. Positions
// and velocities of the vertices are arrays of snData (deformvert_xpos, deformvert_xvel).

#ifndef SINEW_DEFORMABLE_H_
#define SINEW_DEFORMABLE_H_

#include "sinew/data.h"
#include "sinew/sinew.h"
#include "sinew/spec.h"

SN_EXTERN_C_BEGIN

// One deformable of a world: pointers into the model and the data, with nvert rows each.
struct snDeformableView_ {
  snDeformable type;
  int nvert;
  const snReal* invmass;    // 1 / mass, 0: pinned
  const snByte* colliding;  // the vertex touches a geom
  snReal* xpos;             // positions, 3 numbers each
  snReal* xvel;             // velocities, 3 numbers each
};
typedef struct snDeformableView_ snDeformableView;

// Add a deformable to a spec. Returns NULL when memory ran out.
SN_API snsDeformable* sns_addDeformable(snSpec* s);

// Initialise a deformable to defaults.
SN_API void sns_defaultDeformable(snsDeformable* deformable);

// Set substeps, repeats, damping and sleeping by name: "default", "realtime", "accurate". Returns 0 for
// any other name.
SN_API int sns_setDeformableSolver(snsDeformable* deformable, const char* name);

// Cast element to deformable or null.
SN_API snsDeformable* sns_asDeformable(snsElement* element);

// Register a deformable of the spec with a model and data that were compiled from it: both are compiled
// again and keep their state. Returns its index, or -1 with the reason in sns_getError. Nullable: vfs, d.
SN_API int sn_addDeformable(snSpec* s, snsDeformable* deformable, const snVFS* vfs, snModel* m,
                            snData* d);

// Deformable by index. Returns 0, or -1 and an error when there is none of that index.
SN_API int sn_getDeformable(const snModel* m, snData* d, int index, snDeformableView* view);

// Force that contact i of deformables (deformcon_vert, deformcon_geom) put on its vertex in the last
// step: along the normal, and the two components of friction, in the frame whose first row is the normal.
// Returns 0, or -1 and an error when there is none of that index.
SN_API int sn_deformContactForce(const snModel* m, const snData* d, int index, snReal force[3]);

SN_EXTERN_C_END

#endif  // SINEW_DEFORMABLE_H_
