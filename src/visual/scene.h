// Abstract scenes: shared by the parts that fill them.
//
// A scene is a list of shapes with poses and colours, in a fixed order: flexes, skins, geoms, sites,
// tendons, and then what explains the simulation (inertias, joints, contacts, ...), each if its flag is set.

#ifndef SINEW_VISUAL_SCENE_H_
#define SINEW_VISUAL_SCENE_H_

#include "base/arena.h"
#include "sinew/sinew.h"
#include "sinew/visual.h"

// what every part needs
typedef struct Drawing_ {
  const snModel* m;
  snData* d;
  const snvOption* option;
  const snvPerturb* perturb;  // may be NULL
  int categories;
  snvScene* scene;
} Drawing;

// Next shape of the scene, white and of size 0.1; NULL when the scene is full.
snvGeom* nextShape(Drawing* w, int objtype, int objid, int category);
// Keep the shape that nextShape gave.
void keepShape(Drawing* w);

// Shape with a pose; NULL when the scene is full. Types of one or two sizes take them from the front.
snvGeom* drawShape(Drawing* w, int type, int objtype, int objid, const snReal size[3],
                   const snReal pos[3], const snReal mat[9], const float rgba[4]);
// Connector between two points, as decoration.
snvGeom* drawConnector(Drawing* w, int type, int objtype, int objid, snReal width,
                       const snReal from[3], const snReal to[3], const float rgba[4]);
// Triangle with a corner and the other two, seen from where they go round to the left, as decoration.
void drawTriangle(Drawing* w, int objtype, int objid, const snReal corner[3], const snReal first[3],
                  const snReal second[3], const float rgba[4]);
// Name of an element, or its type and number, as the label of a shape.
void labelShape(const Drawing* w, snvGeom* shape, int type, int id);
// Colour and material: an element's own colour counts when it is not the default one.
void paintShape(const Drawing* w, snvGeom* shape, const float rgba[4], int material);
// Weighted mean of two colours.
static inline void mixColors(float res[4], const float a[4], const float b[4], snReal weight) {
  for (int i = 0; i < 4; i++) res[i] = (float)((1 - weight) * a[i] + weight * b[i]);
}
// Row of the limit of a joint or tendon that is felt, -1 when there is none.
int limitRow(const snData* d, int type, int id);
// Island of a body, -1 when it is in none.
int islandOf(const Drawing* w, int body);
// Colours a shape by the island of a constraint row, grey without one: that of a tendon's first row, of a contact.
void paintRowIsland(const Drawing* w, snvGeom* shape, int row);
// The category of the body is asked for, and the group of the geom or site.
int isBodyShown(const Drawing* w, int body);
int isGeomShown(const Drawing* w, int geom);
int isSiteShown(const Drawing* w, int site);
// Points of the curve of a tendon that hangs between two sites; 0: it is drawn straight.
#define SLACK_POINTS 29
int slackTendon(const snModel* m, const snData* d, int tendon, snReal point[SLACK_POINTS][3]);
int isGeomVisible(const Drawing* w, int geom);
int isSiteVisible(const Drawing* w, int site);
// What moves is faint when the option asks for it.
void fadeShape(const Drawing* w, snvGeom* shape);
// A flex: its shape, vertices and faces (visual/flex.c).
void drawFlex(Drawing* w, int i);
// Room for the flexes of a scene; 0: there is no memory for them.
int makeFlexes(const snModel* m, snvScene* scn);

// Deformables, behind the flexes (visual/deform.c): edges that they have, their places in the
// arrays, edges of chains, whether the scene was made for them, and one as a shape.
snSize deformEdgeRoom(const snModel* m);
void placeDeformables(const snModel* m, snvScene* scn, snSize* nface);
void fillDeformEdges(const snModel* m, snvScene* scn);
int deformablesFit(const snModel* m, const snvScene* scn);
void drawDeformable(Drawing* w, int i);

// Whether a scene has room for the flexes and skins of a model: it was made for it, or for one of the same
// vertices. One of another model, or an empty one, shows neither.
int sn_sceneFits(const snModel* m, const snvScene* scn);

// Zeros; never NULL but for want of memory. Given back by snu_free.
void* makeArray(snSize count, size_t size);

// Zeros for as long as a shape is made, given back by giveScratch; NULL for want of memory. They come from the heap,
// and on a GPU, which has none, from the arena of the world.
static inline snReal* takeScratch(const Drawing* w, snSize count) {
#ifdef SN_DEVICE
  sn_markStack(w->d);
  snReal* scratch = SN_STACK(w->d, snReal, count);
  if (scratch) snu_zero(scratch, (int)count);
  return scratch;
#else
  (void)w;
  return (snReal*)makeArray(count, sizeof(snReal));
#endif
}

static inline void giveScratch(const Drawing* w, snReal* scratch) {
#ifdef SN_DEVICE
  (void)scratch;
  sn_freeStack(w->d);
#else
  (void)w;
  snu_free(scratch);
#endif
}
// Path of a tendon.
void drawTendon(Drawing* w, int tendon, int objtype, int objid, int category, snReal width,
                const float rgba[4], int material);

// Rays of rangefinders and segments between nearest points (visual/sensor.c).
void drawSensors(Drawing* w);
// What tactile sensors feel, on the faces of their meshes.
void drawTaxels(Drawing* w);
// Everything that is decoration.
void drawDecoration(Drawing* w);

// Whether the mouse has picked a body.
static inline int isSelected(const Drawing* w, int body) {
  return w->perturb && body > 0 && w->perturb->select == body;
}

static inline int isGroupShown(const snByte groups[snNGROUP], int group) {
  return groups[group < 0 ? 0 : group < snNGROUP ? group : snNGROUP - 1];
}

#endif  // SINEW_VISUAL_SCENE_H_
