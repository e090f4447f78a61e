// Flexes in a scene: one shape each, with vertices, edges and triangles in the coordinates of the world.
//
// Faces are the triangles as they are, both sides of a surface and the four of a solid element, each moved
// outwards by the radius. The skin is the surface alone: triangles between vertices that are moved along
// their own normals, the mean of those of the faces around, and the strip along the border of a surface.

#include <string.h>

#include "base/assert.h"
#include "visual/scene.h"

// room for the faces of a flex
static int faceRoom(const snModel* m, int flex) {
  SN_ASSERT_INDEX(flex, m->nflex);
  int n = m->flex_elemnum[flex], most = 0;
  if (m->flex_dim[flex] == 1) return 4 * n;
  if (m->flex_dim[flex] == 2) return 2 * n + 2 * m->flex_shellnum[flex];
  for (int layer = 0, found = 1; found; layer++) {  // the largest layer, no more than one is drawn
    found = 0;
    for (int e = 0; e < n; e++) found += m->flex_elemlayer[m->flex_elemadr[flex] + e] == layer;
    if (found > most) most = found;
  }
  return 4 * most > m->flex_shellnum[flex] ? 4 * most : m->flex_shellnum[flex];
}

static int* makeInts(snSize count) { return (int*)makeArray(count, sizeof(int)); }
static float* makeFloats(snSize count) { return (float*)makeArray(count, sizeof(float)); }

int makeFlexes(const snModel* m, snvScene* scn) {
  snSize nface = 0, nflex = m->nflex + m->ndeformable;
  if (!nflex) return 1;
  scn->nflex = (int)nflex;
  int** ranges[] = {&scn->flexedgeadr, &scn->flexedgenum, &scn->flexvertadr, &scn->flexvertnum,
                    &scn->flexfaceadr, &scn->flexfacenum, &scn->flexfaceused};
  for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
    *ranges[i] = makeInts(nflex);
    if (!*ranges[i]) return 0;
  }
  for (int i = 0; i < (int)m->nflex; i++) {
    scn->flexedgeadr[i] = m->flex_edgeadr[i];
    scn->flexedgenum[i] = m->flex_edgenum[i];
    scn->flexvertadr[i] = m->flex_vertadr[i];
    scn->flexvertnum[i] = m->flex_vertnum[i];
    scn->flexfaceadr[i] = (int)nface;
    scn->flexfacenum[i] = faceRoom(m, i);
    nface += scn->flexfacenum[i];
  }
  placeDeformables(m, scn, &nface);
  scn->flexedge = makeInts(2 * (m->nflexedge + deformEdgeRoom(m)));
  scn->flexvert = makeFloats(3 * (m->nflexvert + m->ndeformvert));
  scn->flexface = makeFloats(9 * nface);
  scn->flexnormal = makeFloats(9 * nface);
  scn->flextexcoord = makeFloats(6 * nface);
  if (!scn->flexedge || !scn->flexvert || !scn->flexface || !scn->flexnormal ||
      !scn->flextexcoord) {
    return 0;
  }
  memcpy(scn->flexedge, m->flex_edge, 2 * (size_t)m->nflexedge * sizeof(int));
  fillDeformEdges(m, scn);
  return 1;
}

// ---- faces ----

// A flex while its faces are made.
typedef struct Faces_ {
  const snModel* m;
  int flex;
  const snReal* xpos;  // of its vertices
  snReal radius;
  int count;    // faces so far
  int room;     // for how many there is room
  float* face;  // from here on
  float* normal;
  float* texcoord;  // NULL: the flex has none
} Faces;

// a corner of a face: a vertex, where it is drawn, its normal
typedef struct Corner_ {
  int vertex;
  int texture;  // its texture coordinate
  snReal pos[3];
  snReal normal[3];
} Corner;

// Files may leave corners without texture coordinates, and may name ones that are not there.
static void copyTexcoord(const Faces* f, int id, float dest[2]) {
  snSize at = (snSize)f->m->flex_texcoordadr[f->flex] + id;
  int exists = id >= 0 && at < f->m->nflextexcoord;
  for (int k = 0; k < 2; k++) dest[k] = exists ? f->m->flex_texcoord[2 * at + k] : 0;
}

static void addFace(Faces* f, const Corner corner[3]) {
  if (f->count >= f->room) return;
  for (int c = 0; c < 3; c++) {
    for (int k = 0; k < 3; k++) {
      f->face[9 * f->count + 3 * c + k] = (float)corner[c].pos[k];
      f->normal[9 * f->count + 3 * c + k] = (float)corner[c].normal[k];
    }
    if (f->texcoord) copyTexcoord(f, corner[c].texture, f->texcoord + 6 * f->count + 2 * c);
  }
  f->count++;
}

static void faceNormal(const snReal a[3], const snReal b[3], const snReal c[3], snReal normal[3]) {
  snReal u[3], v[3];
  snu_sub3(u, b, a);
  snu_sub3(v, c, a);
  snu_cross(normal, u, v);
  snu_normalize3(normal);
}

static Corner cornerAt(const Faces* f, int vertex, int texture, const snReal normal[3],
                       snReal side) {
  SN_ASSERT_INDEX(vertex, f->m->flex_vertnum[f->flex]);
  Corner corner;
  corner.vertex = vertex;
  corner.texture = texture;
  snu_scl3(corner.normal, normal, side);
  snu_addScl3(corner.pos, f->xpos + 3 * vertex, corner.normal, f->radius);
  return corner;
}

// the triangle of three vertices of an element, moved outwards along its own normal
static void addFlat(Faces* f, const int* element, const int* texture, const int place[3],
                    snReal side) {
  Corner corner[3];
  snReal normal[3];
  int back = side < 0;  // seen from behind, the last two corners change places
  faceNormal(f->xpos + 3 * element[place[0]], f->xpos + 3 * element[place[1]],
             f->xpos + 3 * element[place[2]], normal);
  for (int c = 0; c < 3; c++) {
    int at = place[back && c ? 3 - c : c];
    corner[c] = cornerAt(f, element[at], texture[at], normal, side);
  }
  addFace(f, corner);
}

static void addFaces(Faces* f, int layer) {
  static const int kFace[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};
  const snModel* m = f->m;
  int dim = m->flex_dim[f->flex], adr = m->flex_elemdataadr[f->flex];
  for (int e = 0; e < m->flex_elemnum[f->flex]; e++, adr += dim + 1) {
    const int *element = m->flex_elem + adr, *texture = m->flex_elemtexcoord + adr;
    if (dim == 2) {
      addFlat(f, element, texture, kFace[0], 1);
      addFlat(f, element, texture, kFace[0], -1);
    } else if (m->flex_elemlayer[m->flex_elemadr[f->flex] + e] == layer) {
      for (int k = 0; k < 4; k++) addFlat(f, element, texture, kFace[k], 1);
    }
  }
}

// ---- skin ----

// the triangles of the surface: elements of a surface, shell of a solid
static int surface(const snModel* m, int flex, const int** triangle) {
  int solid = m->flex_dim[flex] == 3;
  *triangle =
      solid ? m->flex_shell + m->flex_shelldataadr[flex] : m->flex_elem + m->flex_elemdataadr[flex];
  return solid ? m->flex_shellnum[flex] : m->flex_elemnum[flex];
}

// normals of the vertices: mean of those of the faces around, each of unit length
static void smoothNormals(const Faces* f, snReal* normal) {
  const int* triangle;
  int n = surface(f->m, f->flex, &triangle), nvert = f->m->flex_vertnum[f->flex];
  for (int i = 0; i < n; i++, triangle += 3) {
    snReal own[3];
    faceNormal(f->xpos + 3 * triangle[0], f->xpos + 3 * triangle[1], f->xpos + 3 * triangle[2],
               own);
    for (int c = 0; c < 3; c++) snu_addTo3(normal + 3 * triangle[c], own);
  }
  for (int i = 0; i < nvert; i++) snu_normalize3(normal + 3 * i);
}

// A triangle of the skin. Flat shading gives both sides of a surface the normal of its front, as in MuJoCo.
static void addSkinFace(Faces* f, const int triangle[3], const int* texture, const snReal* normal,
                        snReal side) {
  Corner corner[3];
  snReal flat[3];
  int back = side < 0;
  faceNormal(f->xpos + 3 * triangle[0], f->xpos + 3 * triangle[1], f->xpos + 3 * triangle[2], flat);
  for (int c = 0; c < 3; c++) {
    int at = back && c ? 3 - c : c, vertex = triangle[at];
    corner[c] = cornerAt(f, vertex, texture[at], normal + 3 * vertex, side);
    if (f->m->flex_flatskin[f->flex]) snu_copy3(corner[c].normal, flat);
    // without thickness the front has the normal of the back, as in MuJoCo
    if (!(f->radius > 0) && !back) snu_scl3(corner[c].normal, corner[c].normal, -1);
  }
  addFace(f, corner);
}

// Two triangles between the front and the back of a border edge (a, b), with normals across the edge and
// across the normal of the end that has two corners in the triangle.
static void addStrip(Faces* f, const int edge[2], const snReal* normal) {
  const snReal *na = normal + 3 * edge[0], *nb = normal + 3 * edge[1];
  Corner a = cornerAt(f, edge[0], edge[0], na, 1), under_a = cornerAt(f, edge[0], edge[0], na, -1);
  Corner b = cornerAt(f, edge[1], edge[1], nb, 1), under_b = cornerAt(f, edge[1], edge[1], nb, -1);
  Corner face[2][3] = {{a, under_b, b}, {under_b, a, under_a}};
  snReal along[3];
  snu_sub3(along, f->xpos + 3 * edge[1], f->xpos + 3 * edge[0]);
  for (int k = 0; k < 2; k++) {
    snReal flat[3];
    snu_cross(flat, along, k ? na : nb);
    snu_normalize3(flat);
    if (k && !(f->radius > 0)) snu_scl3(flat, flat, -1);  // an empty triangle; its sign is MuJoCo's
    for (int c = 0; c < 3; c++) snu_copy3(face[k][c].normal, flat);
    addFace(f, face[k]);
  }
}

static void addSkin(Faces* f, const snReal* normal) {
  const snModel* m = f->m;
  const int* triangle;
  int n = surface(m, f->flex, &triangle), dim = m->flex_dim[f->flex];
  const int* texture = m->flex_elemtexcoord + m->flex_elemdataadr[f->flex];
  for (int i = 0; i < n; i++, triangle += 3, texture += 3) {
    addSkinFace(f, triangle, dim == 2 ? texture : triangle, normal, 1);
    if (dim == 2) addSkinFace(f, triangle, texture, normal, -1);
  }
  const int* edge = m->flex_shell + m->flex_shelldataadr[f->flex];
  for (int i = 0; dim == 2 && i < m->flex_shellnum[f->flex]; i++) addStrip(f, edge + 2 * i, normal);
}

// ---- update ----

static void updateFaces(const Drawing* w, int flex) {
  SN_ASSERT_INDEX(flex, w->m->nflex);
  const snModel* m = w->m;
  snvScene* scn = w->scene;
  int adr = scn->flexfaceadr[flex];
  Faces f = {m,
             flex,
             w->d->flexvert_xpos + 3 * m->flex_vertadr[flex],
             m->flex_radius[flex],
             0,
             scn->flexfacenum[flex],
             scn->flexface + 9 * adr,
             scn->flexnormal + 9 * adr,
             NULL};
  if (m->flex_texcoordadr[flex] >= 0) f.texcoord = scn->flextexcoord + 6 * adr;
  if (m->flex_dim[flex] > 1 && w->option->flags[snVIS_FLEXSKIN]) {
    snReal* normal = takeScratch(w, 3 * (snSize)m->flex_vertnum[flex]);
    if (normal) {
      smoothNormals(&f, normal);
      addSkin(&f, normal);
    } else {
      snu_error("snv_updateScene: could not allocate memory");
    }
    giveScratch(w, normal);
  } else if (m->flex_dim[flex] > 1 && w->option->flags[snVIS_FLEXFACE]) {
    addFaces(&f, w->option->flex_layer);
  }
  scn->flexfaceused[flex] = f.count;
}

void drawFlex(Drawing* w, int i) {
  SN_ASSERT_INDEX(i, w->m->nflex);
  const snModel* m = w->m;
  const snByte* flags = w->option->flags;
  if (i >= w->scene->nflex) return;
  // vertices and faces of what is hidden are there too
  const snReal* first = w->d->flexvert_xpos + 3 * m->flex_vertadr[i];
  for (int k = 0; k < 3 * m->flex_vertnum[i]; k++) {
    w->scene->flexvert[3 * m->flex_vertadr[i] + k] = (float)first[k];
  }
  updateFaces(w, i);
  if (!isGroupShown(w->option->flexgroup, m->flex_group[i])) return;
  if (!flags[snVIS_FLEXVERT] && !flags[snVIS_FLEXEDGE] && !flags[snVIS_FLEXFACE] &&
      !flags[snVIS_FLEXSKIN]) {
    return;
  }
  snvGeom* shape = nextShape(w, snOBJ_FLEX, i, snCAT_DYNAMIC);
  if (!shape) return;
  shape->type = snGEOM_FLEX;
  shape->size[0] = (float)m->flex_radius[i];
  for (int k = 0; k < 3; k++) shape->pos[k] = (float)first[k];
  paintShape(w, shape, m->flex_rgba + 4 * i, m->flex_matid[i]);
  if (m->flex_texcoordadr[i] >= 0) shape->texcoord = 1;
  if (w->perturb && w->perturb->select > 0 && w->perturb->flexselect == i) {
    shape->emission += m->vis.global.glow;
  }
  if (w->option->label == snLABEL_FLEX) labelShape(w, shape, snOBJ_FLEX, i);
  fadeShape(w, shape);
  keepShape(w);
}
