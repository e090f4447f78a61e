// Deformables in a scene: shapes as those of flexes, behind them in the arrays of the scene. Cloth has both
// sides, a soft body its border, with the normals of the vertices; pieces of chains are edges.

#include "base/assert.h"
#include "visual/scene.h"

// Faces that are drawn of a deformable: both sides of cloth, none of a chain.
static snSize deformFaceRoom(const snModel* m, int i) {
  SN_ASSERT_INDEX(i, m->ndeformable);
  int kind = m->deformable_type[i];
  return kind == snDEFORMABLE_CHAIN
             ? 0
             : (kind == snDEFORMABLE_CLOTH ? 2 : 1) * m->deformable_facenum[i];
}

snSize deformEdgeRoom(const snModel* m) {
  snSize n = 0;
  for (int i = 0; i < (int)m->ndeformable; i++) {
    if (m->deformable_type[i] == snDEFORMABLE_CHAIN) n += m->deformable_facenum[i];
  }
  return n;
}

void placeDeformables(const snModel* m, snvScene* scn, snSize* nface) {
  snSize nedge = m->nflexedge;
  for (int i = 0; i < (int)m->ndeformable; i++) {
    int slot = (int)m->nflex + i;
    int pieces = m->deformable_type[i] == snDEFORMABLE_CHAIN ? m->deformable_facenum[i] : 0;
    scn->flexedgeadr[slot] = (int)nedge;
    scn->flexedgenum[slot] = pieces;
    scn->flexvertadr[slot] = (int)m->nflexvert + m->deformable_vertadr[i];
    scn->flexvertnum[slot] = m->deformable_vertnum[i];
    scn->flexfaceadr[slot] = (int)*nface;
    scn->flexfacenum[slot] = (int)deformFaceRoom(m, i);
    *nface += deformFaceRoom(m, i);
    nedge += pieces;
  }
}

void fillDeformEdges(const snModel* m, snvScene* scn) {
  for (int i = 0; i < (int)m->ndeformable; i++) {
    int slot = (int)m->nflex + i, *edge = scn->flexedge + 2 * (snSize)scn->flexedgeadr[slot];
    const int* face = m->deformface_vert + 3 * (snSize)m->deformable_faceadr[i];
    for (int k = 0; k < scn->flexedgenum[slot]; k++) {
      for (int c = 0; c < 2; c++) edge[2 * k + c] = face[3 * k + c] - m->deformable_vertadr[i];
    }
  }
}

int deformablesFit(const snModel* m, const snvScene* scn) {
  int same = 1;
  for (int i = 0; i < (int)m->ndeformable; i++) {
    int slot = (int)m->nflex + i;
    same &= scn->flexvertadr[slot] == (int)m->nflexvert + m->deformable_vertadr[i];
    same &= scn->flexvertnum[slot] == m->deformable_vertnum[i];
    same &= scn->flexfacenum[slot] == (int)deformFaceRoom(m, i);
  }
  return same;
}

// normals of vertices: mean of those of the faces around, by their areas
static void smoothNormals(const Drawing* w, int i, snReal* normal) {
  const snModel* m = w->m;
  const snReal* x = w->d->deformvert_xpos;
  int first = m->deformable_vertadr[i];
  for (int k = 0; k < m->deformable_facenum[i]; k++) {
    const int* vert = m->deformface_vert + 3 * (snSize)(m->deformable_faceadr[i] + k);
    snReal u[3], v[3], own[3];
    snu_sub3(u, x + 3 * vert[1], x + 3 * vert[0]);
    snu_sub3(v, x + 3 * vert[2], x + 3 * vert[0]);
    snu_cross(own, u, v);
    for (int c = 0; c < 3; c++) snu_addTo3(normal + 3 * (vert[c] - first), own);
  }
  for (int k = 0; k < m->deformable_vertnum[i]; k++) snu_normalize3(normal + 3 * k);
}

// one side of the faces; seen from behind, the last two corners change places
static void addSide(const Drawing* w, int i, const snReal* normal, snReal radius, int back) {
  const snModel* m = w->m;
  snvScene* scn = w->scene;
  int slot = (int)m->nflex + i, first = m->deformable_vertadr[i];
  snReal side = back ? -1 : 1;
  for (int k = 0; k < m->deformable_facenum[i]; k++) {
    const int* vert = m->deformface_vert + 3 * (snSize)(m->deformable_faceadr[i] + k);
    snSize at = 9 * (snSize)(scn->flexfaceadr[slot] + scn->flexfaceused[slot]++);
    for (int c = 0; c < 3; c++) {
      int vertex = vert[back && c ? 3 - c : c];
      SN_ASSERT_PART(vertex - first, 1, m->deformable_vertnum[i]);
      for (int a = 0; a < 3; a++) {
        snReal n = side * normal[3 * (vertex - first) + a];
        scn->flexface[at + 3 * c + a] = (float)(w->d->deformvert_xpos[3 * vertex + a] + radius * n);
        scn->flexnormal[at + 3 * c + a] = (float)n;
      }
    }
  }
}

static void updateFaces(const Drawing* w, int i, snReal radius) {
  const snModel* m = w->m;
  const snByte* flags = w->option->flags;
  w->scene->flexfaceused[m->nflex + i] = 0;
  if (m->deformable_type[i] == snDEFORMABLE_CHAIN) return;
  if (!flags[snVIS_FLEXFACE] && !flags[snVIS_FLEXSKIN]) return;
  snReal* normal = takeScratch(w, 3 * (snSize)m->deformable_vertnum[i]);
  if (normal) {
    smoothNormals(w, i, normal);
    addSide(w, i, normal, radius, 0);
    if (m->deformable_type[i] == snDEFORMABLE_CLOTH) addSide(w, i, normal, radius, 1);
    SN_ASSERT(w->scene->flexfaceused[m->nflex + i] == w->scene->flexfacenum[m->nflex + i]);
  } else {
    snu_error("snv_updateScene: could not allocate memory");
  }
  giveScratch(w, normal);
}

void drawDeformable(Drawing* w, int i) {
  SN_ASSERT_INDEX(i, w->m->ndeformable);
  const snModel* m = w->m;
  const snByte* flags = w->option->flags;
  int slot = (int)m->nflex + i, first = m->deformable_vertadr[i];
  if (!isGroupShown(w->option->flexgroup, m->deformable_group[i])) return;
  if (!flags[snVIS_FLEXVERT] && !flags[snVIS_FLEXEDGE] && !flags[snVIS_FLEXFACE] &&
      !flags[snVIS_FLEXSKIN]) {
    return;
  }
  snvGeom* shape = nextShape(w, snOBJ_DEFORMABLE, i, snCAT_DYNAMIC);
  if (!shape) return;
  snReal radius = m->deformable_type[i] == snDEFORMABLE_SOFT ? 0 : m->deformable_margin[i];
  const snReal* x = w->d->deformvert_xpos + 3 * (snSize)first;
  float* vert = w->scene->flexvert + 3 * (snSize)w->scene->flexvertadr[slot];
  for (int k = 0; k < 3 * m->deformable_vertnum[i]; k++) vert[k] = (float)x[k];
  updateFaces(w, i, radius);
  shape->type = snGEOM_FLEX;
  shape->dataid = slot;
  shape->size[0] = (float)radius;
  for (int k = 0; k < 3; k++) shape->pos[k] = (float)x[k];
  paintShape(w, shape, m->deformable_rgba + 4 * i, -1);
  if (w->option->label == snLABEL_FLEX) labelShape(w, shape, snOBJ_DEFORMABLE, i);
  fadeShape(w, shape);
  keepShape(w);
}
