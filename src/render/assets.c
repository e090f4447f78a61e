// What a model gives to all of its images: shapes and textures, copied when a context is made (host
// side: takes memory).

#include <math.h>
#include <string.h>

#include "render/builder.h"

// Parts of a shape, as the model's quality says. MuJoCo sets no bound; a file could ask for as many triangles
// as there is memory for.
static int between(int value, int least) {
  enum { kMostParts = 500 };
  return value < least ? least : value > kMostParts ? kMostParts : value;
}

// ---- planes ----

enum { kGridMost = snMAXPLANEGRID };

// lines of a finite plane along one axis (half size s, distance of lines from size[2])
static int finiteLines(float* line, double s, double spacing) {
  double g = spacing > s / (kGridMost - 2) ? spacing : s / (kGridMost - 2);
  double parts = floor(s / g);
  int n = parts > 0 && parts <= kGridMost - 2 ? (int)parts : 0;  // not when it is not a number
  n -= n % 2;
  double pad = s - n * g;
  int count = 0;
  line[count++] = (float)-s;
  for (int i = 0; i <= n; i++) line[count++] = (float)(-s + pad + 2 * g * i);
  line[count++] = (float)s;
  return count;
}

// lines of an infinite plane: as far as a camera sees, and a step more
static int infiniteLines(float* line, double zfar, double half_step) {
  double d = (2.1 * zfar + 2 * half_step) / kGridMost;
  for (int i = 0; i <= kGridMost; i++) line[i] = (float)(d * (i - kGridMost / 2));
  return kGridMost + 1;
}

static int makePlane(Assets* assets, const snModel* m, int geom) {
  float line[2][kGridMost + 4];
  int count[2], material = m->geom_matid[geom];
  double zfar = m->vis.map.zfar * m->stat.extent;
  for (int k = 0; k < 2; k++) {
    double s = m->geom_size[3 * geom + k], spacing = m->geom_size[3 * geom + 2];
    if (s > 0) {
      count[k] = finiteLines(line[k], s, spacing);
      continue;
    }
    double repeat = material >= 0 ? m->mat_texrepeat[2 * material + k] : 0;
    double half_step = repeat > 0 ? 2 / repeat : 2.1 * zfar / (kGridMost - 2);
    count[k] = infiniteLines(line[k], zfar, half_step);
  }
  Builder b;
  memset(&b, 0, sizeof(b));
  snr_buildGrid(&b, line[0], count[0], line[1], count[1]);
  return snr_finishShape(&b, assets->plane + geom);
}

// ---- meshes ----

// corner normals: the stored one when there are texture coordinates or when it is close to the face's
static void cornerNormal(float out[3], const float stored[3], const float face[3], int textured) {
  int keep = textured || dot3f(stored, face) >= 0.8f;
  memcpy(out, keep ? stored : face, 3 * sizeof(float));
}

static void faceNormal(float out[3], const float* const p[3]) {
  double u[3], w[3];
  for (int i = 0; i < 3; i++) {
    u[i] = (double)p[1][i] - p[0][i];
    w[i] = (double)p[2][i] - p[0][i];
  }
  double n[3] = {u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]};
  double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  for (int i = 0; i < 3; i++) out[i] = (float)(length > 0 ? n[i] / length : i == 2);
}

static void buildMesh(Builder* b, const snModel* m, int mesh) {
  const float* vert = m->mesh_vert + 3 * m->mesh_vertadr[mesh];
  const float* normal = m->mesh_normal + 3 * m->mesh_normaladr[mesh];
  int textured = m->mesh_texcoordadr[mesh] >= 0;
  const float* texcoord = textured ? m->mesh_texcoord + 2 * m->mesh_texcoordadr[mesh] : NULL;
  b->textured = textured;
  for (int f = 0; f < m->mesh_facenum[mesh]; f++) {
    int at = 3 * (m->mesh_faceadr[mesh] + f);
    const float* p[3];
    float flat[3];
    Vertex v[3];
    memset(v, 0, sizeof(v));
    for (int k = 0; k < 3; k++) p[k] = vert + 3 * m->mesh_face[at + k];
    faceNormal(flat, p);
    for (int k = 0; k < 3; k++) {
      memcpy(v[k].pos, p[k], sizeof(v[k].pos));
      // files may name normals and texture coordinates that they do not have
      int n = m->mesh_facenormal[at + k], t = textured ? m->mesh_facetexcoord[at + k] : -1;
      int has_normal = n >= 0 && n < m->mesh_normalnum[mesh];
      cornerNormal(v[k].normal, has_normal ? normal + 3 * n : flat, flat, textured);
      if (t >= 0 && t < m->mesh_texcoordnum[mesh])
        memcpy(v[k].tex, texcoord + 2 * t, sizeof(v[k].tex));
    }
    snr_addTriangle(b, v, v + 1, v + 2);
  }
}

// graph of a hull: numvert, numface, vert_edgeadr[nv], vert_globalid[nv], edge_localid[nv+3nf], face_globalid[3nf]
static void buildHull(Builder* b, const snModel* m, int mesh) {
  if (m->mesh_graphadr[mesh] < 0) return;
  const int* graph = m->mesh_graph + m->mesh_graphadr[mesh];
  int nv = graph[0], nf = graph[1];
  const int* face = graph + 2 + 3 * nv + 3 * nf;
  const float* vert = m->mesh_vert + 3 * m->mesh_vertadr[mesh];
  for (int f = 0; f < nf; f++) {
    snr_addFacet(b, vert + 3 * face[3 * f], vert + 3 * face[3 * f + 1], vert + 3 * face[3 * f + 2]);
  }
}

int snr_loadMesh(Assets* assets, const snModel* m, int mesh) {
  for (int hull = 0; hull < 2; hull++) {
    Builder b;
    memset(&b, 0, sizeof(b));
    Shape* shape = assets->mesh + 2 * mesh + hull;
    snr_releaseShape(shape);
    if (hull) {
      buildHull(&b, m, mesh);
    } else {
      buildMesh(&b, m, mesh);
    }
    if (!snr_finishShape(&b, shape)) return 0;
  }
  return 1;
}

// ---- height fields ----

typedef struct Field_ {
  const float* data;
  int nrow, ncol;
  double size[4];
} Field;

static void fieldPoint(float p[3], const Field* h, int r, int c, int bottom) {
  p[0] = (float)(h->size[0] * (2.0 * c / (h->ncol - 1) - 1));
  p[1] = (float)(h->size[1] * (2.0 * r / (h->nrow - 1) - 1));
  p[2] = (float)(bottom ? -h->size[3] : h->data[r * h->ncol + c] * h->size[2]);
}

// wall under the border from one sample to the next, with the normal of the side
static void addWall(Builder* b, const Field* h, int r0, int c0, int r1, int c1, double nx,
                    double ny) {
  Vertex v[4];
  memset(v, 0, sizeof(v));
  fieldPoint(v[0].pos, h, r0, c0, 1);
  fieldPoint(v[1].pos, h, r1, c1, 1);
  fieldPoint(v[2].pos, h, r1, c1, 0);
  fieldPoint(v[3].pos, h, r0, c0, 0);
  for (int k = 0; k < 4; k++) {
    v[k].normal[0] = (float)nx;
    v[k].normal[1] = (float)ny;
  }
  snr_addQuad(b, v, v + 1, v + 2, v + 3);
}

static void buildWalls(Builder* b, const Field* h) {
  int R = h->nrow - 1, C = h->ncol - 1;
  for (int c = 0; c < C; c++) {
    addWall(b, h, 0, c, 0, c + 1, 0, -1);
    addWall(b, h, R, c + 1, R, c, 0, 1);
  }
  for (int r = 0; r < R; r++) {
    addWall(b, h, r + 1, 0, r, 0, -1, 0);
    addWall(b, h, r, C, r + 1, C, 1, 0);
  }
}

static void buildBottom(Builder* b, const Field* h, int quads) {
  for (int i = 0; i < quads; i++) {
    for (int j = 0; j < quads; j++) {
      Vertex v[4];
      memset(v, 0, sizeof(v));
      for (int k = 0; k < 4; k++) {
        double s = -1 + 2.0 * (j + (k >= 2)) / quads,
               t = -1 + 2.0 * (i + (k == 1 || k == 2)) / quads;
        v[k].pos[0] = (float)(s * h->size[0]);
        v[k].pos[1] = (float)(t * h->size[1]);
        v[k].pos[2] = (float)-h->size[3];
        v[k].normal[2] = -1;
      }
      snr_addQuad(b, v, v + 1, v + 2, v + 3);
    }
  }
}

static void buildSurface(Builder* b, const Field* h) {
  enum { kBlock = 6 };
  for (int br = 0; br < h->nrow - 1; br += kBlock) {
    for (int bc = 0; bc < h->ncol - 1; bc += kBlock) {
      for (int r = br; r < br + kBlock && r < h->nrow - 1; r++) {
        for (int c = bc; c < bc + kBlock && c < h->ncol - 1; c++) {
          float p[4][3];
          fieldPoint(p[0], h, r, c, 0);
          fieldPoint(p[1], h, r, c + 1, 0);
          fieldPoint(p[2], h, r + 1, c + 1, 0);
          fieldPoint(p[3], h, r + 1, c, 0);
          snr_addFacet(b, p[0], p[2], p[3]);
          snr_addFacet(b, p[0], p[1], p[2]);
        }
      }
    }
  }
}

int snr_loadHeightField(Assets* assets, const snModel* m, int hfield) {
  Field h = {
      m->hfield_data + m->hfield_adr[hfield], m->hfield_nrow[hfield], m->hfield_ncol[hfield], {0}};
  for (int i = 0; i < 4; i++) h.size[i] = m->hfield_size[4 * hfield + i];
  Builder b;
  memset(&b, 0, sizeof(b));
  buildSurface(&b, &h);
  buildWalls(&b, &h);
  buildBottom(&b, &h, between(m->vis.quality.numquads, 1));
  snr_releaseShape(assets->hfield + hfield);
  return snr_finishShape(&b, assets->hfield + hfield);
}

// ---- skins: corners and texture coordinates; the vertices move ----

static int makeSkin(Assets* assets, const snModel* m, int skin) {
  int nv = m->skin_vertnum[skin], nf = m->skin_facenum[skin];
  int textured = m->skin_texcoordadr[skin] >= 0;
  size_t floats = textured ? 2 * (size_t)nv : 0;
  // the block begins where a shape has its positions, so that it is released in the same way
  float* block = snu_malloc(floats * sizeof(float) + 3 * (size_t)nf * sizeof(int) + 1);
  if (!block) return 0;
  int* corner = (int*)(block + floats);
  if (textured) {
    memcpy(block, m->skin_texcoord + 2 * m->skin_texcoordadr[skin], floats * sizeof(float));
  }
  memcpy(corner, m->skin_face + 3 * m->skin_faceadr[skin], 3 * (size_t)nf * sizeof(int));
  Shape made = {nv, nf, 0, block, NULL, textured ? block : NULL, corner, NULL, {0}, 0, NULL, 0};
  assets->skin[skin] = made;
  return 1;
}

// ---- all of it ----

static int makeUnits(Assets* assets, const snModel* m) {
  int slices = between(m->vis.quality.numslices, 3), stacks = between(m->vis.quality.numstacks, 2);
  int quads = between(m->vis.quality.numquads, 1);
  for (int kind = 0; kind < kUnitShapes; kind++) {
    Builder b;
    memset(&b, 0, sizeof(b));
    snr_buildUnit(&b, kind, slices, stacks, quads);
    if (!snr_finishShape(&b, assets->unit + kind)) return 0;
  }
  return 1;
}

static void copySettings(Assets* a, const snModel* m) {
  double extent = m->stat.extent;
  a->haze = m->vis.map.haze;
  a->fog_start = (float)(m->vis.map.fogstart * extent);
  a->fog_end = (float)(m->vis.map.fogend * extent);
  memcpy(a->haze_rgb, m->vis.rgba.haze, sizeof(a->haze_rgb));
  memcpy(a->fog_rgb, m->vis.rgba.fog, sizeof(a->fog_rgb));
  a->shadow_clip = (float)(m->vis.map.shadowclip * extent);
  a->shadow_scale = m->vis.map.shadowscale;
  a->line_width = m->vis.global.linewidth;
  for (int i = 0; i < m->nmat; i++) a->mat_texid[i] = m->mat_texid[i * snNTEXROLE + snTEXROLE_RGB];
  memcpy(a->mat_texuniform, m->mat_texuniform, m->nmat);
  memcpy(a->mat_texrepeat, m->mat_texrepeat, 2 * (size_t)m->nmat * sizeof(float));
}

// arrays by model element, all zero
static int layArrays(Assets* a, const snModel* m) {
  size_t shapes = (size_t)m->ngeom + 2 * (size_t)m->nmesh + m->nhfield + m->nskin;
  size_t bytes = shapes * sizeof(Shape) + m->ntex * sizeof(Texture) +
                 2 * (size_t)m->nmat * sizeof(float) + m->nmat * (sizeof(int) + 1) + 1;
  char* block = a->block = snu_malloc(bytes);
  if (!block) return 0;
  memset(block, 0, bytes);
  a->plane = (Shape*)block;
  a->mesh = a->plane + m->ngeom;
  a->hfield = a->mesh + 2 * (size_t)m->nmesh;
  a->skin = a->hfield + m->nhfield;
  a->texture = (Texture*)(a->skin + m->nskin);
  a->mat_texrepeat = (float*)(a->texture + m->ntex);
  a->mat_texid = (int*)(a->mat_texrepeat + 2 * (size_t)m->nmat);
  a->mat_texuniform = (snByte*)(a->mat_texid + m->nmat);
  a->nplane = m->ngeom;
  a->nmesh = m->nmesh;
  a->nhfield = m->nhfield;
  a->nskin = m->nskin;
  a->ntex = m->ntex;
  a->nmat = m->nmat;
  return 1;
}

static int loadAll(Assets* a, const snModel* m) {
  int ok = layArrays(a, m) && makeUnits(a, m);
  if (ok) copySettings(a, m);
  for (int i = 0; ok && i < m->ngeom; i++) {
    if (m->geom_type[i] == snGEOM_PLANE) ok = makePlane(a, m, i);
  }
  for (int i = 0; ok && i < m->nmesh; i++) ok = snr_loadMesh(a, m, i);
  for (int i = 0; ok && i < m->nhfield; i++) ok = snr_loadHeightField(a, m, i);
  for (int i = 0; ok && i < m->nskin; i++) ok = makeSkin(a, m, i);
  for (int i = 0; ok && i < m->ntex; i++) ok = snr_loadTexture(a, m, i);
  a->skybox = -1;
  for (int i = m->ntex - 1; ok && i >= 0; i--) {
    if (m->tex_type[i] == snTEXTURE_SKYBOX) a->skybox = i;
  }
  return ok;
}

Assets* snr_makeAssets(const snModel* m) {
  Assets* assets = snu_malloc(sizeof(*assets));
  if (!assets) return NULL;
  memset(assets, 0, sizeof(*assets));
  if (loadAll(assets, m)) return assets;
  snr_freeAssets(assets);
  return NULL;
}

void snr_freeAssets(Assets* assets) {
  if (!assets) return;
  for (int i = 0; i < kUnitShapes; i++) snr_releaseShape(assets->unit + i);
  int shapes =
      assets->block ? assets->nplane + 2 * assets->nmesh + assets->nhfield + assets->nskin : 0;
  for (int i = 0; i < shapes; i++) snr_releaseShape(assets->plane + i);  // all lie in one array
  for (int i = 0; assets->block && i < assets->ntex; i++)
    snu_free((void*)assets->texture[i].texel[0][0]);
  snu_free(assets->block);
  snu_free(assets);
}
