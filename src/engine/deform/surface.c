// What deformables touch of one another and of flexes: vertices, faces and edges in one numbering.
//
// Vertices of deformables come first, then those of all flexes, where some flex may touch a deformable. In the
// substeps a vertex of a flex is a point mass of its own; the impulses that it received go to the bodies that
// carry it, its own or those of the nodes between which it is interpolated. Owners are numbered the same way:
// deformables, then flexes. Flexes touch one another by the contacts of the rigid engine, not here.

#include "base/arena.h"
#include "base/assert.h"
#include "engine/collide/collision.h"
#include "engine/constrain/contact_side.h"
#include "engine/deform/deform.h"
#include "math/math.h"

// ---- owners

static int flexOfVertex(const snModel* m, int vertex) {
  int flex = 0;
  while (flex + 1 < (int)m->nflex && vertex >= m->flex_vertadr[flex + 1]) flex++;
  return flex;
}

int sn_surfaceOwner(const snModel* m, int vertex) {
  int n = (int)m->ndeformvert;
  return vertex < n ? m->deformvert_deformid[vertex]
                    : (int)m->ndeformable + flexOfVertex(m, vertex - n);
}

int sn_ownersMeet(const snModel* m, int a, int b) {
  int n = (int)m->ndeformable, contype[2], conaffinity[2];
  SN_ASSERT_INDEX2(a, b, n + m->nflex);
  if (a >= n && b >= n) return 0;
  if (a == b) return m->deformable_selfcollide[a];
  for (int k = 0; k < 2; k++) {
    int owner = k ? b : a;
    contype[k] = owner < n ? m->deformable_contype[owner] : m->flex_contype[owner - n];
    conaffinity[k] = owner < n ? m->deformable_conaffinity[owner] : m->flex_conaffinity[owner - n];
  }
  return sn_masksMeet(contype[0], conaffinity[0], contype[1], conaffinity[1]);
}

snReal sn_ownerMargin(const snModel* m, int owner) {
  int n = (int)m->ndeformable;
  return owner < n ? m->deformable_margin[owner] : m->flex_radius[owner - n];
}

int sn_ownerIsLine(const snModel* m, int owner) {
  int n = (int)m->ndeformable;
  return owner < n ? m->deformable_type[owner] == snDEFORMABLE_CHAIN : m->flex_dim[owner - n] == 1;
}

// of sliding; none without friction
static snReal frictionOf(const snModel* m, int owner) {
  int n = (int)m->ndeformable;
  if (owner < n) return m->deformable_condim[owner] == 1 ? 0 : m->deformable_friction[3 * owner];
  return m->flex_condim[owner - n] == 1 ? 0 : m->flex_friction[3 * (owner - n)];
}

snReal sn_mixOwnerFriction(const snModel* m, int a, int b) {
  return snu_sqrt(frictionOf(m, a) * frictionOf(m, b));
}

static int meetsDeformable(const snModel* m, int owner) {
  for (int a = 0; a < (int)m->ndeformable; a++) {
    if (sn_ownersMeet(m, a, owner)) return 1;
  }
  return 0;
}

int sn_deformMeetsFlex(const snModel* m) {
  for (int flex = 0; flex < (int)m->nflex; flex++) {
    if (meetsDeformable(m, (int)m->ndeformable + flex)) return 1;
  }
  return 0;
}

int sn_surfaceVertices(const snModel* m) {
  return (int)m->ndeformvert + (sn_deformMeetsFlex(m) ? (int)m->nflexvert : 0);
}

// ---- faces and edges

// faces of a flex: pieces of lines, triangles, the border of a solid
static int flexFaces(const snModel* m, int flex) {
  return m->flex_dim[flex] == 3 ? m->flex_shellnum[flex] : m->flex_elemnum[flex];
}

// edges of a flex; those inside of a solid, which are in the same list, touch nothing
static int flexSides(const snModel* m, int flex) {
  return m->flex_dim[flex] == 3 ? 0 : m->flex_edgenum[flex];
}

static void countFlexes(const snModel* m, snSurface* s) {
  for (int flex = 0; flex < (int)m->nflex; flex++) {
    if (!meetsDeformable(m, (int)m->ndeformable + flex)) continue;
    s->nface += flexFaces(m, flex);
    s->nside += flexSides(m, flex);
  }
}

// by a team: copy the lists of a flex behind those that are there
static void addFlex(const snModel* m, int flex, int* face, int* side) {
  int dim = m->flex_dim[flex], corners = dim == 1 ? 2 : 3;
  int first = (int)m->ndeformvert + m->flex_vertadr[flex];
  const int* from = dim == 3 ? m->flex_shell + m->flex_shelldataadr[flex]
                             : m->flex_elem + m->flex_elemdataadr[flex];
  const int* edge = m->flex_edge + 2 * m->flex_edgeadr[flex];
  SN_FOR(i, flexFaces(m, flex)) {
    for (int k = 0; k < 3; k++) face[3 * i + k] = k < corners ? first + from[corners * i + k] : -1;
  }
  SN_FOR(i, 2 * flexSides(m, flex)) side[i] = first + edge[i];
}

int sn_takeSurface(const snModel* m, snData* d, snSurface* s) {
  s->nvert = sn_surfaceVertices(m);
  s->nface = (int)m->ndeformface;
  s->nside = (int)m->ndeformside;
  s->face = m->deformface_vert;
  s->side = m->deformside_vert;
  if (s->nvert == (int)m->ndeformvert) return 1;
  int nface = s->nface, nside = s->nside;
  countFlexes(m, s);
  int* face = SN_STACK(d, int, 3 * s->nface + 1);
  int* side = SN_STACK(d, int, 2 * s->nside + 1);
  if (!face || !side) return 0;
  SN_FOR(i, 3 * nface) face[i] = m->deformface_vert[i];
  SN_FOR(i, 2 * nside) side[i] = m->deformside_vert[i];
  for (int flex = 0; flex < (int)m->nflex; flex++) {
    if (!meetsDeformable(m, (int)m->ndeformable + flex)) continue;
    addFlex(m, flex, face + 3 * nface, side + 2 * nside);
    nface += flexFaces(m, flex);
    nside += flexSides(m, flex);
  }
  SN_SYNC();
  s->face = face;
  s->side = side;
  return 1;
}

// ---- vertices of flexes

// bodies that carry a vertex of a flex, and their shares
static void carriers(const snModel* m, const snData* d, int vertex, snContactSide* side) {
  SN_ASSERT_INDEX(vertex, m->nflexvert);
  snContact con;
  con.geom[0] = con.elem[0] = -1;
  con.flex[0] = flexOfVertex(m, vertex);
  con.vert[0] = vertex - m->flex_vertadr[con.flex[0]];
  sn_contactSide(m, d, &con, 0, side);
}

void sn_placeFlexVertices(const snModel* m, const snData* d, const snMover* mover, snReal* x,
                          snReal* v, snReal* w) {
  SN_FOR(i, m->nflexvert) {
    const snReal* pos = d->flexvert_xpos + 3 * i;
    snContactSide side;
    carriers(m, d, i, &side);
    snu_copy3(x + 3 * i, pos);
    snu_zero3(v + 3 * i);
    if (w) w[i] = 0;
    for (int k = 0; k < side.n; k++) {
      const snMover* body = mover + side.body[k];
      snReal arm[3], turned[3], spun[3], share = side.weight[k];
      snu_sub3(arm, pos, d->xipos + 3 * side.body[k]);
      snu_cross(turned, body->turn, arm);
      snu_cross(spun, body->spin, arm);
      for (int c = 0; c < 3; c++) {
        x[3 * i + c] += share * (body->shift[c] + turned[c]);
        v[3 * i + c] += share * (body->vel[c] + spun[c]);
      }
      if (w) w[i] += share * share * body->invmass;
    }
  }
  SN_SYNC();
}

// by one lane
void sn_pushFlexVertex(const snModel* m, const snData* d, snMover* mover, int vertex,
                       const snReal impulse[3]) {
  SN_ASSERT(SN_LANES == 1);
  snContactSide side;
  carriers(m, d, vertex, &side);
  for (int k = 0; k < side.n; k++) {
    snMover* body = mover + side.body[k];
    snReal arm[3], moment[3];
    snu_sub3(arm, d->flexvert_xpos + 3 * vertex, d->xipos + 3 * side.body[k]);
    snu_cross(moment, arm, impulse);
    snu_addToScl3(body->impulse, impulse, side.weight[k]);
    snu_addToScl3(body->moment, moment, side.weight[k]);
  }
}
