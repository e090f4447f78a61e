// Images of abstract scenes, by a software rasteriser.
//
// An image is drawn in bands of rows. A band reads the frame (scene, assets, shadow maps), which is
// constant meanwhile, and owns its rows of the image and its scratch memory: bands are independent and
// may be drawn by any number of threads in any order, with the same bits.
//
//   frame    what is constant for an image: views, lights, paints, instances of shapes
//   raster   shapes -> triangles on the screen: projected, clipped, culled
//   fill     triangles -> nearest depth and triangle of every sample of a band
//   shade    triangle of a sample -> colour (light at the vertices, interpolated; textures; shadows)
//   trace    which fragments of a small image see a light, without a shadow map
//   band     the passes in their order: opaque, mirror, sky, haze, transparent, lines
//
// Nothing here takes memory: assets are made once (assets.c), the context (context.c) owns the rest. The files
// named above are compiled for GPUs as well, where a team of lanes draws an image (base/team.h, easel.h).

#ifndef SINEW_RENDER_RENDER_H_
#define SINEW_RENDER_RENDER_H_

#include <math.h>
#include <stddef.h>

#include "sinew/sinew.h"
#include "sinew/visual.h"

SN_EXTERN_C_BEGIN

enum {
  kMaxLamps = 8,               // lights that count, the headlight included
  kMaxPasses = 1 + kMaxLamps,  // lights without shadow together, then every light with one
  kClusterVerts = 128,
  kNoTriangle = -1,
};

// ---- shapes ----

// Consecutive triangles whose vertices lie together, with a sphere around them.
typedef struct Cluster_ {
  float center[3];
  float radius;
  int vert, nvert;
  int tri, ntri;
} Cluster;

// Triangles in the coordinates of an object. Without corners, triangle t has the vertices 3t, 3t+1, 3t+2;
// without clusters the shape changes from image to image (skins and flexes).
typedef struct Shape_ {
  int nvert, ntri, ncluster;
  const float* pos;       // nvert x 3
  const float* normal;    // nvert x 3
  const float* texcoord;  // nvert x 2; NULL: made from the position
  const int* corner;      // ntri x 3, or NULL
  const Cluster* cluster;
  float center[3], radius;  // sphere around it
  const unsigned*
      packed;  // ntri, in clusters: corners from the first vertex of theirs on, 8 bits each
  int quads;   // has quads, as two triangles (a, b, c), (b, d, c) that follow each other
} Shape;

enum {
  kSphere,
  kCapTop,
  kCapBottom,
  kTube,  // side of a cylinder
  kDiskTop,
  kDiskBottom,
  kBox,
  kQuad,  // plane that does not belong to the model
  kCone,
  kConeBase,
  kTriangle,
  kUnitShapes
};

// ---- textures ----

enum { kMaxLevels = 16 };

typedef struct Texture_ {
  int type;           // snTexture
  int width, height;  // of a face, for cubes
  int nlevel;
  int srgb;                            // texels are decoded
  const snByte* texel[6][kMaxLevels];  // RGBA by rows; a 2d texture uses the first face
  int across[kMaxLevels], down[kMaxLevels],
      start[kMaxLevels];  // size and first texel of the levels of a face
} Texture;

// ---- what a model gives to all of its images ----

typedef struct Assets_ {
  Shape unit[kUnitShapes];
  int nplane, nmesh, nhfield, nskin, ntex, nmat;
  Shape* plane;  // by geom; empty for others
  Shape* mesh;   // 2 per mesh: itself, its convex hull
  Shape* hfield;
  Shape* skin;  // corners and texture coordinates; vertices come from the scene
  Texture* texture;
  int* mat_texid;
  snByte* mat_texuniform;
  float* mat_texrepeat;
  int skybox;  // texture, or -1
  float haze, haze_rgb[3];
  float fog_start, fog_end, fog_rgb[3];
  float shadow_clip, shadow_scale, line_width;
  void* block;  // pointers that belong to the assets (assets.c)
} Assets;

// ---- views ----

// World to screen: X/W, Y/W are pixels from the lower left corner, Z/W depth (1 near, 0 far).
typedef struct View_ {
  double row[4][4];  // X, Y, Z, W from (x, y, z, 1)
  double eye[3];     // in the space of the model
  double forward[3];
  double clip[4];  // keep what has clip . (x,y,z,1) >= 0; 0 when there is no such plane
  int has_clip;
  int flipped;  // a mirror turns the triangles round
  int width, height;
  double near, far;
  int orthographic;
} View;

// ---- paints, instances, lights ----

enum { kMapNone, kMapStored, kMapPlane, kMapCube };

typedef struct Paint_ {
  float rgba[4];
  float emission, specular, exponent;
  float reflectance;
  const Texture* texture;
  int map;
  float scale[3];  // texture coordinates are scale * position + offset
  float offset[2];
  int transparent;
  int cull;  // 1: back faces are not drawn, -1: front faces are not, 0: all are drawn
} Paint;

typedef struct Instance_ {
  const Shape* shape;
  int geom;
  unsigned tri;          // number of its first triangle in the frame
  unsigned vert;         // number of its first vertex in the frame
  float mat[9], pos[3];  // object to world
  float normal[9];       // same for normals, up to length
  float center[3], radius;
} Instance;

typedef struct Lamp_ {
  int type;
  int pass;
  float pos[3], dir[3];
  float attenuation[3];
  float cos_cutoff, exponent;
  float ambient[3], diffuse[3], specular[3];
} Lamp;

enum { kShadowTile = 64 };

// Depth from a light. Tiles whose stamp is not the frame's are empty.
typedef struct ShadowMap_ {
  View view;
  int size;
  float* depth;
  unsigned* stamp;
  unsigned current;
  int box
      [4];  // texels that may not be empty: from the lower left corner to before the upper right one
  // Where something may cast a shadow, in the same way; beyond it all is lit. Questions of fragments (Query) are
  // sorted by tiles of this window, which have 2^shift texels along a side.
  int window[4], shift;
} ShadowMap;

// ---- frame ----

typedef struct Line_ {
  float from[3], to[3];
  float width;
  int geom;
} Line;

typedef struct Frame_ {
  const Assets* assets;
  const snvScene* scene;
  View view, mirror;
  int reflector;  // geom, or -1
  int segment;    // ids instead of colours
  int fog;
  float wire;  // width of the edges of polygons, of which alone is drawn; 0: polygons are filled
  int nsample;
  int npass, nlamp;
  Lamp lamp[kMaxLamps];
  float glow;         // ambient light of scenes without lights
  ShadowMap* shadow;  // by pass - 1
  Paint* paint;       // by geom
  Instance* instance;
  int ninstance;
  Shape* dynamic;  // shapes of this image: flexes, skins
  int* first;      // ngeom + 1: instances of a geom
  Line* line;
  int nline;
  int has_transparent;
  snByte* rgb;   // image, rows upwards; NULL: colours are not wanted
  float* depth;  // NULL: not wanted
  int stride;    // pixels from row to row, negative where rows run downwards
} Frame;

// What one thread needs for a band.
typedef struct Corner_ {
  unsigned key;
  double x, y, w;
  float pos[3], tex[3];
  float lit[kMaxPasses][3];
} Corner;

enum { kCorners = 1024 };

// The vertices of a cluster as a view sees them.
typedef struct Verts_ {
  double x[kClusterVerts], y[kClusterVerts], z[kClusterVerts];  // divided by W
  int fx[kClusterVerts], fy[kClusterVerts];                     // x, y in 1/256 of a pixel
  int code[kClusterVerts];                                      // what they are outside of
} Verts;

// A question of a fragment to a light: what would a shadow map hold at its texel?
typedef struct Query_ {
  double z;       // of the fragment, in units of the map
  int depth;      // minus the bits of the map's depth, which lanes lower together
  short x, y;     // texel
  snByte rgb[3];  // what the light adds where it is seen
} Query;

// The texel of a query, and its number.
typedef struct Asked_ {
  short x, y;
  int query;
} Asked;

enum {
  kTraceTiles = 64,  // the window of a map is cut into at most as many times as many tiles
  kTraceEnds = kTraceTiles * kTraceTiles,
  // states of a query
  kDark = 0,        // nothing is added
  kLit = 1,         // no need to ask
  kAsks = 2,        // becomes one of the others
  kFragments = 64,  // twice as many as a team has lanes
};

// What shading knows of the visible triangles of a view, for all teams that share a band.
typedef struct Shared_ {
  int count;    // a power of two
  size_t size;  // bytes of one
  int* owner;   // of each the triangle plus one; 0: nobody has it
  char* setup;
} Shared;

// Several teams may share a band (easel.h): each has a copy of this, with a number of its own.
typedef struct Band_ {
  const Frame* frame;
  int y0, y1;
  int team, teams;  // of the teams that share it, which one this is
  float* z;         // nsample x rows x width
  int* tri;
  float* mirror_z;  // same for the mirror, or NULL
  int* mirror_tri;
  snByte* color;         // nsample x rows x width x 3
  Corner* corner;        // kCorners; NULL: corners are made whenever they are needed
  struct Setup_* setup;  // kSetups (shade.h), or NULL
  Verts* verts;          // for all lanes
  struct Ready_* queue;  // of teams: kQueue triangles that wait to be filled (fill.h)
  int* fragment;         // of teams: kFragments that wait to be shaded
  Shared shared[2];      // of teams: the view, its mirror
  unsigned long long *key, *mirror_key;  // of teams: depth and triangle of samples in one word
  Query* query;         // NULL: there are shadow maps; else shadowed passes x samples
  snByte* query_state;  // of each
  Asked* query_list;    // as many
  int* query_end;       // shadowed passes x kTraceEnds
  // shadowed passes x kTraceTiles: tiles of a row that have queries, a bit each
  unsigned long long* query_row;
} Band;

// Iterations of a loop over a band, dealt out to the lanes of all teams that share it: loops over pixels give each of
// them to the same lane, which needs to wait for no other.
#define SNR_FOR(i, band, n)                                     \
  SN_PLAIN_LOOP for (int i = (band)->team * SN_LANES + SN_LANE, \
                     i##_step = (band)->teams * SN_LANES;       \
                     i < (int)(n); i += i##_step)

// Whether teams draw the band, pixel by pixel: on a device they always do, and there is no other code.
#ifdef SN_DEVICE
#define SNR_DEALT(band) 1
#else
#define SNR_DEALT(band) ((band)->fragment != NULL)
#endif

static inline size_t snr_countSamples(const Band* band) {
  return (size_t)(band->y1 - band->y0) * band->frame->view.width * band->frame->nsample;
}

// the tile of a texel in the window of a map; -1: it lies beyond it
static inline int snr_tileOf(const ShadowMap* map, int x, int y) {
  const int* w = map->window;
  if (x < w[0] || y < w[1] || x >= w[2] || y >= w[3]) return -1;
  return ((y - w[1]) >> map->shift) * kTraceTiles + ((x - w[0]) >> map->shift);
}

// Which buffers a band needs beside those of every image.
typedef struct BandKind_ {
  int mirror;
  int teams;   // most that share it; 0: one lane draws it, in other ways
  int traced;  // passes whose shadows are traced
} BandKind;

// ---- raster.c ----

// The queries of a pass, by tile of the map: those of tile i end at end[i], where those of the next one begin.
typedef struct Trace_ {
  Query* query;
  const Asked* list;
  const int* end;
  const unsigned long long* row;  // tiles that have queries
  const ShadowMap* map;
} Trace;

// Pixels or texels, from the lower left one to the upper right one.
typedef struct Box_ {
  int x0, y0, x1, y1;
} Box;

// Where triangles go: into depth and triangle of samples, into a shadow map, or to the queries of one.
typedef struct Raster_ {
  const View* view;
  int y0, y1, width;  // rows; columns from 0
  int inset;          // no drawing closer than this to the border
  float* z;
  int* tri;                 // NULL: depth alone
  int nsample;              // of a pixel, one layer of z and tri after the other
  size_t layer;             // samples of one
  int offset[4][2];         // of the samples from the centre of a pixel, in 1/256 of it
  float wire;               // as in the frame
  ShadowMap* shadow;        // NULL: samples
  const Trace* trace;       // not NULL: in place of the map's depth
  struct Blend_* blend;     // not NULL: fragments are blended, depth stays
  unsigned long long* key;  // of teams: in place of z and tri
  Verts* verts;             // that the lanes share; NULL: a lane draws alone
  struct Ready_* queue;     // of teams: triangles that wait
  int waiting;
  int team, teams;  // as in the band: clusters are dealt out
} Raster;

enum { kQueue = 48 };  // at least as many as a team has lanes, and half of that
// Rows of samples are written in blocks: so many numbers behind the last one belong to them.
enum { kRowSlack = 8 };

// Where the samples of a pixel lie, in 1/256 of a pixel from its centre: one of them, or from the first of several on.
void snr_setSamples(Raster* r, int first, int count, int of);
// Whether an instance may be seen, and a team has a part in it; then the whole team draws its part.
int snr_hasPart(const Raster* r, const Instance* instance);
void snr_rasterInstance(Raster* r, const Instance* instance, int cull);
// After the last instance: what waits is filled.
void snr_finishRaster(Raster* r);

// ---- shade.c ----

typedef struct Blend_ {
  Band* band;
  int sample;
  int additive;
  void* shader;  // shade.c
} Blend;

// Of teams: what their keys say of samples, and light at the corners of the triangles there, for snr_shadeOpaque.
void snr_lightTriangles(Band* band);
// Colours of what is opaque, but for light that may be shadowed where shadows are traced.
void snr_shadeOpaque(Band* band);
// That light, at a pixel.
void snr_addTraced(Band* band, size_t pixel);
void snr_blendSpan(Blend* blend, int tri, int y, int x0, int x1);
void snr_shadeSegment(Band* band);
void snr_blendTransparent(Band* band);

// ---- others ----

void snr_setView(View* v, const snvScene* scn, const snvGLCamera* camera, int width, int height);
void snr_mirrorView(View* v, const View* from, const double normal[3], const double point[3]);
void snr_project(const View* v, const float pos[3], double out[4]);
// Pixels around all of a sphere; 0: there is no telling, because it reaches behind the eye or far away.
int snr_boundSphere(const View* v, const float center[3], double radius, Box* box);
// Distance along the optical axis from the depth of a sample.
float snr_metres(const View* v, float z);

int snr_countInstances(const snvScene* scn, const Assets* assets, int* nline);
void snr_prepareFrame(Frame* f);
void snr_light(const Frame* f, const View* view, const Paint* paint, float reduce, int passes,
               const float pos[3], const float normal[3], float lit[][3]);
// The light's view of the pass in its map; then the map, or the queries of a band by tile and the answers to them.
void snr_aimShadow(const Frame* f, int pass);
void snr_boundShadow(const Frame* f, int pass);  // its window, by a team
void snr_drawShadow(const Frame* f, int pass);
void snr_sortQueries(const Band* band, int pass);
void snr_traceShadow(const Band* band, int pass);
// Whether a query that was traced sees the light.
int snr_seesLight(const Query* q);
// Texel of a point as a light sees it, and its depth in units of the map; 0: it lies beyond the map, where all is lit.
int snr_shadowTexel(const ShadowMap* map, const double h[4], int* x, int* y, double* z);
int snr_isLit(const ShadowMap* map, const double h[4]);
// Colour at a coordinate, at a level of detail between two of the texture's.
void snr_sampleTexture(const Texture* t, const float st[3], float level, float rgba[4]);
// Level of detail from the differences of coordinates over a pixel in x and y.
float snr_textureLevel(const Texture* t, const float st[3], const float dx[3], const float dy[3]);
void snr_drawSky(Band* band);
void snr_drawHaze(Band* band);
void snr_drawLines(Band* band, int transparent);
void snr_idColor(const snvScene* scn, int geom, snByte rgb[3]);
// Object id and type from the colour of an id, -1 where there is nothing.
void snr_objectOf(const snvScene* scn, const snByte rgb[3], int object[2]);
// A band by one lane, or by a team alone.
void snr_drawBand(Band* band);
// What it consists of, in this order. Teams that share a band wait for one another between these; what one is to draw by
// itself, because the order counts, is left to the first.
void snr_clearBand(const Band* band);
void snr_findTriangles(const Band* band);
void snr_lightBand(Band* band);
void snr_colorBand(Band* band);
void snr_sortBand(const Band* band);
void snr_traceBand(const Band* band);
int snr_finishBand(Band* band);  // 0: the first team has done it
// Lay a band out in memory, which may be NULL: the bytes that it takes.
size_t snr_layBand(Band* band, const Frame* f, void* memory, int rows, BandKind kind);

Assets* snr_makeAssets(const snModel* m);
void snr_freeAssets(Assets* assets);
int snr_loadMesh(Assets* assets, const snModel* m, int mesh);
int snr_loadHeightField(Assets* assets, const snModel* m, int hfield);
int snr_loadTexture(Assets* assets, const snModel* m, int texture);

// ---- colours and geometry ----

// sRGB to linear
static inline double snr_decodeColor(double v) {
  return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

// a share within its bounds, and a colour as a byte; what is not a number counts as 0
static inline float snr_unit(float v) { return v > 0 ? (v < 1 ? v : 1) : 0; }
static inline snByte snr_toByte(float v) { return (snByte)(255 * snr_unit(v) + 0.5f); }

static inline float dot3f(const float a[3], const float b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void mulMat3f(float out[3], const float m[9], const float v[3]) {
  for (int i = 0; i < 3; i++) out[i] = m[3 * i] * v[0] + m[3 * i + 1] * v[1] + m[3 * i + 2] * v[2];
}

SN_EXTERN_C_END

#endif  // SINEW_RENDER_RENDER_H_
