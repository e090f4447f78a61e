// Abstract scenes: shared by the parts that fill them.
//
// A scene is a list of shapes with poses and colours, in a fixed order: skins, geoms, sites, tendons,
// and then what explains the simulation (inertias, joints, contacts, ...), each if its flag is set.

#ifndef SINEW_COMPAT_SCENE_H_
#define SINEW_COMPAT_SCENE_H_

#include "compat/compat.h"

// what every part needs
typedef struct Drawing_ {
  const mjModel* m;
  mjData* d;
  const mjvOption* option;
  const mjvPerturb* perturb;  // may be NULL
  int categories;
  mjvScene* scene;
} Drawing;

// Next shape of the scene, white and of size 0.1; NULL when the scene is full.
mjvGeom* nextShape(Drawing* w, int objtype, int objid, int category);
// Keep the shape that nextShape gave.
void keepShape(Drawing* w);

// Shape with a pose; NULL when the scene is full. Types of one or two sizes take them from the front.
mjvGeom* drawShape(Drawing* w, int type, int objtype, int objid, const mjtNum size[3],
                   const mjtNum pos[3], const mjtNum mat[9], const float rgba[4]);
// Connector between two points, as decoration.
mjvGeom* drawConnector(Drawing* w, int type, int objtype, int objid, mjtNum width,
                       const mjtNum from[3], const mjtNum to[3], const float rgba[4]);
// Name of an element, or its type and number, as the label of a shape.
void labelShape(const Drawing* w, mjvGeom* shape, int type, int id);
// Path of a tendon.
void drawTendon(Drawing* w, int tendon, int objtype, int objid, int category, mjtNum width,
                const float rgba[4], int material);

// Everything that is decoration.
void drawDecoration(Drawing* w);

// Whether the mouse has picked a body.
static inline int isSelected(const Drawing* w, int body) {
  return w->perturb && body > 0 && w->perturb->select == body;
}

static inline int isGroupShown(const mjtByte groups[mjNGROUP], int group) {
  return groups[group < 0 ? 0 : group < mjNGROUP ? group : mjNGROUP - 1];
}

#endif  // SINEW_COMPAT_SCENE_H_
