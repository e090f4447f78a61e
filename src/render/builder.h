// Collects triangles into a shape: equal vertices of a cluster are shared.

#ifndef SINEW_RENDER_BUILDER_H_
#define SINEW_RENDER_BUILDER_H_

#include "render/render.h"

typedef struct Vertex_ {
  float pos[3], normal[3], tex[2];
} Vertex;

typedef struct Builder_ {
  Vertex* vertex;
  int* corner;
  Cluster* cluster;
  int nvert, ntri, ncluster;
  int maxvert, maxtri, maxcluster;
  int textured;
  int quads;   // has quads
  int failed;  // out of memory
} Builder;

void snr_addTriangle(Builder* b, const Vertex* v0, const Vertex* v1, const Vertex* v2);
// A quad, cut along the diagonal from v1 to v3.
void snr_addQuad(Builder* b, const Vertex* v0, const Vertex* v1, const Vertex* v2,
                 const Vertex* v3);
// A triangle with the normal of its plane.
void snr_addFacet(Builder* b, const float p0[3], const float p1[3], const float p2[3]);
// The shape, with memory of its own (one block that starts at pos); the builder is emptied. 0 on failure.
int snr_finishShape(Builder* b, Shape* shape);
void snr_releaseShape(Shape* shape);

// shapes of unit size
void snr_buildUnit(Builder* b, int kind, int slices, int stacks, int quads);
// rectangle with the given lines, at z = 0
void snr_buildGrid(Builder* b, const float* x, int nx, const float* y, int ny);

#endif  // SINEW_RENDER_BUILDER_H_
