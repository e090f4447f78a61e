// Deformables of scenes in a build without them (SN_DEFORM OFF).

#include "visual/scene.h"

snSize deformEdgeRoom(const snModel* m) { return (void)m, 0; }
void placeDeformables(const snModel* m, snvScene* scn, snSize* nface) {
  (void)m, (void)scn, (void)nface;
}
void fillDeformEdges(const snModel* m, snvScene* scn) { (void)m, (void)scn; }
int deformablesFit(const snModel* m, const snvScene* scn) { return (void)m, (void)scn, 1; }
void drawDeformable(Drawing* w, int i) { (void)w, (void)i; }
