#include "engine/collide/collision.h"

#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/crew.h"
#include "engine/collide/broad.h"
#include "engine/collide/convex_query.h"
#include "engine/collide/flex.h"
#include "engine/constrain/constraint.h"
#include "engine/step/timer.h"
#include "math/math.h"
#include "math/three.h"
#include "sinew/sinew.h"

enum {
  NODE_PAIRS = 4 * snMAXTREEDEPTH  // pending pairs of tree nodes: a pop adds at most one more
};

// boxes of the mid phase closer to separation than this are tested to the last bit
#define GRAZING ((snReal)1e-9)
// the same of planes in double precision, whose boxes are so large that rounding is up to 1e-5
#define GRAZING_PLANE ((snReal)1e-4)

// A function that is rarely called: its caller should not save registers for it.
#if defined(__GNUC__) && !defined(SN_DEVICE)
#define SELDOM __attribute__((noinline))
#else
#define SELDOM SN_OUTLINE
#endif

// state of the driver during one call of sn_collision
struct Driver_ {
  snBroad broad;
  snContactPoint* points;
  int a, b;        // present pair of bodies
  int always;      // this pair of bodies is not subject to the sweep
  int pair_begin;  // explicit pairs of these bodies, which replace their dynamic twins
  int pair_end;
};
typedef struct Driver_ Driver;

static snReal overrideMargin(const snModel* m, snReal margin) {
  return m->opt.enableflags & snENBL_OVERRIDE ? m->opt.o_margin : margin;
}

snReal sn_contactMargin(const snModel* m, const snContact* con) {
  int g1 = con->geom[0], g2 = con->geom[1];
  for (int p = 0; p < (int)m->npair; p++) {
    int a = m->pair_geom1[p], b = m->pair_geom2[p];
    if ((a == g1 && b == g2) || (a == g2 && b == g1)) return overrideMargin(m, m->pair_margin[p]);
  }
  return overrideMargin(m, m->geom_margin[g1] + m->geom_margin[g2]);
}

// ---- dispatch ------------------------------------------------------------------------------------

#define PAIR(a, b) ((a)*snNGEOMTYPES + (b))

int sn_collideTypes(const snModel* m, snData* d, snContactPoint* points, int type1, int type2,
                    int g1, int g2, snReal margin) {
  SN_ASSERT_INDEX2(g1, g2, m->ngeom);
  switch (PAIR(type1, type2)) {
    case PAIR(snGEOM_PLANE, snGEOM_SPHERE):
      return sn_collidePlaneSphere(m, d, points, g1, g2, margin);
    case PAIR(snGEOM_PLANE, snGEOM_CAPSULE):
      return sn_collidePlaneCapsule(m, d, points, g1, g2, margin);
    case PAIR(snGEOM_PLANE, snGEOM_CYLINDER):
      return sn_collidePlaneCylinder(m, d, points, g1, g2, margin);
    case PAIR(snGEOM_PLANE, snGEOM_BOX): return sn_collidePlaneBox(m, d, points, g1, g2, margin);
    case PAIR(snGEOM_SPHERE, snGEOM_SPHERE):
      return sn_collideSphereSphere(m, d, points, g1, g2, margin);
    case PAIR(snGEOM_SPHERE, snGEOM_CAPSULE):
      return sn_collideSphereCapsule(m, d, points, g1, g2, margin);
    case PAIR(snGEOM_SPHERE, snGEOM_CYLINDER):
      return sn_collideSphereCylinder(m, d, points, g1, g2, margin);
    case PAIR(snGEOM_SPHERE, snGEOM_BOX): return sn_collideSphereBox(m, d, points, g1, g2, margin);
    case PAIR(snGEOM_CAPSULE, snGEOM_CAPSULE):
      return sn_collideCapsuleCapsule(m, d, points, g1, g2, margin);
    case PAIR(snGEOM_CAPSULE, snGEOM_BOX):
      return sn_collideCapsuleBox(m, d, points, g1, g2, margin);
    case PAIR(snGEOM_BOX, snGEOM_BOX): return sn_collideBoxBox(m, d, points, g1, g2, margin);
    default: break;
  }
  if (!sn_hasCollider(type1, type2)) return 0;
  if (type1 == snGEOM_PLANE) return sn_collidePlaneConvex(m, d, points, g1, g2, margin);
  if (type1 == snGEOM_HFIELD && type2 == snGEOM_SDF) {
    snu_warning("HField vs SDF collision not yet supported!");
    return 0;
  }
  if (type1 == snGEOM_HFIELD) return sn_collideHfield(m, d, points, g1, g2, margin);
  if (type2 == snGEOM_SDF) return sn_collideSDF(m, d, points, g1, g2, margin);
  return sn_collideConvex(m, d, points, g1, g2, margin);
}

int sn_collideGeoms(const snModel* m, snData* d, snContactPoint* points, int g1, int g2,
                    snReal margin) {
  return sn_collideTypes(m, d, points, m->geom_type[g1], m->geom_type[g2], g1, g2, margin);
}

static snReal heightOverPlane(const snData* d, int plane, int g) {
  const snReal *mat = d->geom_xmat + 9 * plane, *pos = d->geom_xpos + 3 * plane;
  const snReal* x = d->geom_xpos + 3 * g;
  return (x[0] - pos[0]) * mat[2] + (x[1] - pos[1]) * mat[5] + (x[2] - pos[2]) * mat[8];
}

// bounding spheres (planes: half space) of two geoms are farther apart than margin
SN_KERNEL int filterSphere(const snModel* m, const snData* d, int g1, int g2, snReal margin) {
  SN_ASSERT_INDEX2(g1, g2, m->ngeom);
  snReal r1 = m->geom_rbound[g1], r2 = m->geom_rbound[g2];
  if (r1 > 0 && r2 > 0) {
    snReal between[3], limit = r1 + r2 + margin;
    snu_sub3(between, d->geom_xpos + 3 * g1, d->geom_xpos + 3 * g2);
    return snu_dot3(between, between) > limit * limit;
  }
  if (m->geom_type[g1] == snGEOM_PLANE && r2 > 0) {
    return heightOverPlane(d, g1, g2) > margin + r2;
  }
  if (m->geom_type[g2] == snGEOM_PLANE && r1 > 0) {
    return heightOverPlane(d, g2, g1) > margin + r1;
  }
  return 0;
}

// ---- one pair of geoms ---------------------------------------------------------------------------

// Could the reference engine's sweep have missed a pair that touches? Only if bounding spheres graze: the ends of its
// intervals in single precision are wrong by 6e-8 of their size.
static int isLost(const snModel* m, const snData* d, snBroad* broad, int a, int b, int g1, int g2,
                  snReal margin) {
  const snReal *x1 = d->geom_xpos + 3 * g1, *x2 = d->geom_xpos + 3 * g2;
  snReal reach = m->geom_rbound[g1] + m->geom_rbound[g2] + margin, size = reach;
  for (int k = 0; k < 3; k++) size += snu_abs(x1[k]) + snu_abs(x2[k]);
  snReal between[3], rounding = sizeof(snReal) == 4 ? (snReal)1e-5 : (snReal)1e-6;
  snReal sure = reach - rounding * size;
  snu_sub3(between, x1, x2);
  if (sure > 0 && snu_dot3(between, between) < sure * sure) return 0;
  return !sn_sweepKeeps(m, d, broad, a, b);
}

static int isSwept(const snModel* m, const snData* d, snBroad* broad, uint32_t signature, int g1,
                   int g2, snReal margin) {
  int a = (int)(signature >> 16), b = (int)(signature & 0xffff);
  return sn_alwaysCollides(m, a) || sn_alwaysCollides(m, b) ||
         !isLost(m, d, broad, a, b, g1, g2, margin);
}

static void orderGeoms(const snModel* m, int* g1, int* g2) {
  if (m->geom_type[*g1] <= m->geom_type[*g2]) return;
  int first = *g2;
  *g2 = *g1;
  *g1 = first;
}

// pair p >= 0 is explicit; otherwise the geoms' own parameters count
static snReal pairMargin(const snModel* m, int g1, int g2, int p) {
  return overrideMargin(m, p < 0 ? m->geom_margin[g1] + m->geom_margin[g2] : m->pair_margin[p]);
}

// May two geoms, ordered by type, collide at all? Masks do not count for an explicit pair.
static int mayCollide(const snModel* m, snData* d, int g1, int g2, int p) {
  SN_ASSERT_INDEX2(g1, g2, m->ngeom);
  if (!sn_hasCollider(m->geom_type[g1], m->geom_type[g2])) return 0;
  if (p >= 0) return 1;
  if (d->callback.contactfilter) return !d->callback.contactfilter(m, d, g1, g2);
  return sn_masksMeet(m->geom_contype[g1], m->geom_conaffinity[g1], m->geom_contype[g2],
                      m->geom_conaffinity[g2]);
}

// Order two geoms by type. Does the narrow phase have to look at them, and within which margin? Trees of boxes have
// compared spheres already.
static int isNear(const snModel* m, snData* d, int* g1, int* g2, int p, int compared,
                  snReal* margin) {
  orderGeoms(m, g1, g2);
  if (!mayCollide(m, d, *g1, *g2, p)) return 0;
  *margin = pairMargin(m, *g1, *g2, p);
  return compared || !filterSphere(m, d, *g1, *g2, *margin);
}

// ---- boxes ---------------------------------------------------------------------------------------

// a box: aabb is (centre, half sizes) in the frame of pos and mat
struct OrientedBox_ {
  const snReal *aabb, *pos, *mat;
};
typedef struct OrientedBox_ OrientedBox;

static OrientedBox geomBox(const snModel* m, const snData* d, int g) {
  SN_ASSERT_INDEX(g, m->ngeom);
  OrientedBox box = {m->geom_aabb + 6 * g, d->geom_xpos + 3 * g, d->geom_xmat + 9 * g};
  return box;
}

typedef struct Offset_ {
  snReal x, y, z;
} Offset;

// a point in the frame of a box
static inline Offset boxPoint(const OrientedBox* box, const snReal local[3]) {
  const snReal* mat = box->mat;
  Offset p = {mat[0] * local[0] + mat[1] * local[1] + mat[2] * local[2],
              mat[3] * local[0] + mat[4] * local[1] + mat[5] * local[2],
              mat[6] * local[0] + mat[7] * local[1] + mat[8] * local[2]};
  return p;
}

// from the middle of one box to that of another
static inline Offset betweenBoxes(const OrientedBox* box1, const OrientedBox* box2) {
  const snReal *pos1 = box1->pos, *pos2 = box2->pos;
  Offset a = boxPoint(box1, box1->aabb), b = boxPoint(box2, box2->aabb);
  Offset between = {(pos2[0] - pos1[0]) + (b.x - a.x), (pos2[1] - pos1[1]) + (b.y - a.y),
                    (pos2[2] - pos1[2]) + (b.z - a.z)};
  return between;
}

static inline snReal leastHalf(const snReal half[3]) {
  return snu_min(half[0], snu_min(half[1], half[2]));
}

// axes of frame 2 in frame 1
SN_KERNEL void turnAxes(snReal axis[3][4], const snReal mat1[9], const snReal mat2[9]) {
  for (int l = 0; l < 3; l++) {
    sn_threeStoreOver(axis[l], sn_threeTurnBackOf(mat1, mat2[l], mat2[3 + l], mat2[6 + l]));
  }
}

// a vector of frame 2 in frame 1
SN_KERNEL snThree turn(const snReal axis[3][4], snReal x, snReal y, snReal z) {
  return sn_threeAdd(sn_threeAdd(sn_threeScl(sn_threeLoadOver(axis[0]), x),
                                 sn_threeScl(sn_threeLoadOver(axis[1]), y)),
                     sn_threeScl(sn_threeLoadOver(axis[2]), z));
}

SN_KERNEL snReal leastOf(snThree a) {
  return snu_min(SN_AT(a, 0), snu_min(SN_AT(a, 1), SN_AT(a, 2)));
}

// Slack along the face normals of box 1, in whose frame the axes of box 2 are given; inside is how deep the middle of
// box 2 lies in box 1.
SN_KERNEL snReal slackAlong(const snReal axis[3][4], snThree inside, const snReal half2[3],
                            snReal margin) {
  for (int l = 0; l < 3; l++) {
    snThree along = sn_threeAbs(sn_threeLoadOver(axis[l]));
    inside = sn_threeAdd(inside, sn_threeScl(along, half2[l]));
  }
  return margin + leastOf(inside);
}

// Slack of two boxes along the face normals of both: negative where they are farther apart than
// margin along one of them; rounding differs from the reference engine's. Boxes whose inner spheres meet overlap
// along all of them: any number above GRAZING will do.
SN_WIDE(static, snReal, boxSlack, (const OrientedBox* box1, const OrientedBox* box2, snReal margin),
        (box1, box2, margin)) {
  Offset offset = betweenBoxes(box1, box2);
  const snReal *half1 = box1->aabb + 3, *half2 = box2->aabb + 3;
  snReal axis[3][4], inner = leastHalf(half1) + leastHalf(half2) + margin - 2 * GRAZING;
  snReal square = offset.x * offset.x + offset.y * offset.y + offset.z * offset.z;
  if (inner > 0 && square < inner * inner) return 2 * GRAZING;
  turnAxes(axis, box1->mat, box2->mat);
  snThree away = sn_threeAbs(sn_threeTurnBackOf(box1->mat, offset.x, offset.y, offset.z));
  snReal slack = slackAlong(axis, sn_threeSub(sn_threeLoad(half1), away), half2, margin);
  if (slack < -GRAZING) return slack;
  turnAxes(axis, box2->mat, box1->mat);
  away = sn_threeAbs(sn_threeTurnBackOf(box2->mat, offset.x, offset.y, offset.z));
  return snu_min(slack, slackAlong(axis, sn_threeSub(sn_threeLoad(half2), away), half1, margin));
}

// The frames of two bodies relative to one another.
struct Frames_ {
  int known;
  snReal second[3][4], first[3][4];  // axes of frame 2 in frame 1 and the other way round
  snReal origin[4];                  // of frame 2 in frame 1
};
typedef struct Frames_ Frames;

SN_WIDE(static, void, relateFrames,
        (Frames * frames, const snReal pos1[3], const snReal mat1[9], const snReal pos2[3],
         const snReal mat2[9]),
        (frames, pos1, mat1, pos2, mat2)) {
  turnAxes(frames->second, mat1, mat2);
  turnAxes(frames->first, mat2, mat1);
  snThree origin =
      sn_threeTurnBackOf(mat1, pos2[0] - pos1[0], pos2[1] - pos1[1], pos2[2] - pos1[2]);
  sn_threeStoreOver(frames->origin, origin);
  frames->known = 1;
}

// The same slack for boxes (centre, half sizes) in these frames. If the middle of one box lies in the other they
// overlap as well.
SN_WIDE(static, snReal, nodeSlack,
        (const Frames* frames, const snReal aabb1[6], const snReal aabb2[6], snReal margin),
        (frames, aabb1, aabb2, margin)) {
  snThree half = sn_threeLoad(aabb1 + 3), origin = sn_threeLoadOver(frames->origin);
  snThree at = sn_threeAdd(turn(frames->second, aabb2[0], aabb2[1], aabb2[2]), origin);
  snThree offset = sn_threeSub(at, sn_threeLoadOver(aabb1));
  snThree inside = sn_threeSub(half, sn_threeAbs(offset));
  if (leastOf(inside) > 2 * GRAZING && margin >= 0) return 2 * GRAZING;
  snReal slack = slackAlong(frames->second, inside, aabb2 + 3, margin);
  if (slack < -GRAZING) return slack;
  snThree away =
      sn_threeAbs(turn(frames->first, SN_AT(offset, 0), SN_AT(offset, 1), SN_AT(offset, 2)));
  inside = sn_threeSub(sn_threeLoad(aabb2 + 3), away);
  return snu_min(slack, slackAlong(frames->first, inside, aabb1 + 3, margin));
}

// Slack along the third axis of frame 1, the normal of a plane.
static snReal planeSlack(const Frames* frames, const snReal aabb1[6], const snReal aabb2[6],
                         snReal margin) {
  snReal at = frames->origin[2] - aabb1[2], reach = aabb1[5] + margin;
  for (int l = 0; l < 3; l++) {
    snReal along = frames->second[l][2];
    at += along * aabb2[l];
    reach += snu_abs(along) * aabb2[3 + l];
  }
  return reach - snu_abs(at);
}

// A query of two meshes takes ten times as long.
SN_STAGE int sn_geomsApart(const snModel* m, const snData* d, int g1, int g2, snReal margin) {
  SN_ASSERT_INDEX2(g1, g2, m->ngeom);
  OrientedBox box1 = geomBox(m, d, g1), box2 = geomBox(m, d, g2);
  snReal rounding = sizeof(snReal) == 4 ? (snReal)1e-3 : (snReal)1e-6;
  return boxSlack(&box1, &box2, margin) < -rounding * (m->geom_rbound[g1] + m->geom_rbound[g2]);
}

// the same of geoms that no tree of boxes has compared
static int boxesApart(const snModel* m, const snData* d, int g1, int g2, snReal margin) {
  if (m->body_geomnum[m->geom_bodyid[g1]] > 1 || m->body_geomnum[m->geom_bodyid[g2]] > 1) return 0;
  return sn_geomsApart(m, d, g1, g2, margin);
}

// contacts of two geoms, those of boxes filtered
static int collideFiltered(const snModel* m, snData* d, snContactPoint* points, int g1, int g2,
                           snReal margin) {
  SN_ASSERT_INDEX2(g1, g2, m->ngeom);
  int type1 = m->geom_type[g1], type2 = m->geom_type[g2];
  if (sn_isConvexGeom(type1) && type2 == snGEOM_MESH && boxesApart(m, d, g1, g2, margin)) return 0;
  int n = sn_collideTypes(m, d, points, type1, type2, g1, g2, margin);
  if (n && type1 == snGEOM_BOX && type2 == snGEOM_BOX) {
    n = sn_filterBoxes(m, d, points, n, g1, g2, margin);
  }
  return n;
}

int sn_isNear(const snModel* m, snData* d, int g1, int g2, int p) {
  snReal margin;
  return isNear(m, d, &g1, &g2, p, 0, &margin);
}

int sn_collideNear(const snModel* m, snData* d, snBroad* broad, uint32_t signature,
                   snContactPoint* points, snNear* near_pair) {
  int g1 = near_pair->g1, g2 = near_pair->g2, p = near_pair->p;
  orderGeoms(m, &g1, &g2);
  snReal margin = pairMargin(m, g1, g2, p);
  near_pair->g1 = g1;
  near_pair->g2 = g2;
  near_pair->margin = margin;
  int n = collideFiltered(m, d, points, g1, g2, margin);
  if (!n || p >= 0) return n;
  return isSwept(m, d, broad, signature, g1, g2, margin) ? n : 0;
}

static void collidePair(const snModel* m, snData* d, Driver* driver, int g1, int g2, int p,
                        int compared) {
  SN_ASSERT_INDEX2(g1, g2, m->ngeom);
  snReal margin;
  if (!isNear(m, d, &g1, &g2, p, compared, &margin)) return;
  if (!sn_hasContactRoom(d)) {
    sn_warning(d, snWARN_CONTACTFULL, d->ncon);
    return;
  }

  int n = collideFiltered(m, d, driver->points, g1, g2, margin);
  if (!n) return;
  if (p < 0 && !driver->always &&
      isLost(m, d, &driver->broad, driver->a, driver->b, g1, g2, margin)) {
    return;
  }
  snContact* con = (snContact*)sn_arenaAlloc(d, (size_t)n * sizeof(snContact), sizeof(snReal));
  // contacts follow one another, unless a filter of the user has run a step of its own in between
  if (!con || con != d->contact + d->ncon) return;
  SN_ASSERT(n > 0 && n <= snMAXCONPAIR);
  sn_fillContacts(m, con, driver->points, n, g1, g2, p, margin);
  d->ncon += n;
}

int sn_collideAgain(const snModel* m, snData* d) {
  int same = 1;
  sn_clearConstraints(d);
  if (!d->ncon) return 1;
  sn_markStack(d);
  snContactPoint* points = SN_STACK(d, snContactPoint, snMAXCONPAIR);
  if (!points) same = 0;
  for (int begin = 0, end; same && begin < d->ncon; begin = end) {
    snContact* con = d->contact + begin;
    int g1 = con->geom[0], g2 = con->geom[1];
    for (end = begin + 1; end < d->ncon; end++) {
      if (d->contact[end].geom[0] != g1 || d->contact[end].geom[1] != g2) break;
    }
    if (g1 < 0 || g2 < 0) {
      same = 0;
      break;
    }
    snReal margin = sn_contactMargin(m, con);
    int n = collideFiltered(m, d, points, g1, g2, margin);
    same = n == end - begin;
    for (int i = 0; same && i < n; i++) {
      sn_placeContact(con + i, points + i, i);
      con[i].exclude = points[i].dist >= con[i].includemargin;
      con[i].efc_address = -1;
    }
  }
  sn_freeStack(d);
  return same;
}

static void collideExplicit(const snModel* m, snData* d, Driver* driver, int p) {
  if (!sn_pairIsAwake(m, d, p)) return;
  collidePair(m, d, driver, m->pair_geom1[p], m->pair_geom2[p], p, 0);
}

// a dynamic pair, unless an explicit one of the same geoms was handled with these bodies
static void collideDynamic(const snModel* m, snData* d, Driver* driver, int g1, int g2,
                           int compared) {
  for (int p = driver->pair_begin; p < driver->pair_end; p++) {
    if (sn_isPairOf(m, p, g1, g2)) return;
  }
  collidePair(m, d, driver, g1, g2, -1, compared);
}

// ---- mid phase -----------------------------------------------------------------------------------

static int isUnbounded(const snReal aabb[6]) {
  snReal most = (snReal)snMAXVAL;
  return aabb[3] >= most || aabb[4] >= most || aabb[5] >= most;
}

// Is a box unbounded in all directions, as that of planes with different normals? No other box is apart from it. In single
// precision a box that is unbounded in one direction counts: next to 1e10 no digits are left for the place of its face.
static inline int isEverywhere(const snReal aabb[6]) {
  snReal most = (snReal)snMAXVAL;
  if (sizeof(snReal) == 4) return isUnbounded(aabb);
  return aabb[3] >= most && aabb[4] >= most && aabb[5] >= most;
}

// Are two boxes farther apart than margin along a face normal of one of them? In the order of the reference engine: its
// rounding decides whether boxes that just touch collide, and, at magnitudes of 1e10, whether contacts within 1e-6 of a
// tilted plane are found.
static SELDOM int areSeparatedExactly(const OrientedBox* box1, const OrientedBox* box2,
                                      snReal margin) {
  const OrientedBox* box[2] = {box1, box2};
  snReal center[2][3];
  int unbounded[2] = {isUnbounded(box1->aabb), isUnbounded(box2->aabb)};
  for (int i = 0; i < 2; i++) {
    const snReal* aabb = box[i]->aabb;
    if (isEverywhere(aabb)) return 0;
    snu_mulMatVec3(center[i], box[i]->mat, aabb);
    snu_addTo3(center[i], box[i]->pos);
  }
  for (int j = 0; j < 2; j++) {
    if (unbounded[1 - j]) continue;
    for (int k = 0; k < 3; k++) {
      const snReal* mat = box[j]->mat;
      if (box[j]->aabb[3 + k] >= (snReal)snMAXVAL) continue;  // unbounded: no box lies beyond it
      snReal axis[3] = {mat[k], mat[3 + k], mat[6 + k]}, middle[2], radius[2];
      for (int i = 0; i < 2; i++) {
        const snReal *other = box[i]->mat, *half = box[i]->aabb + 3;
        middle[i] = snu_dot3(center[i], axis);
        radius[i] = 0;
        for (int l = 0; l < 3; l++) {
          snReal dot = other[l] * axis[0] + other[3 + l] * axis[1] + other[6 + l] * axis[2];
          radius[i] += snu_abs(half[l] * dot);
        }
      }
      if (radius[0] + radius[1] + margin < snu_abs(middle[1] - middle[0])) return 1;
    }
  }
  return 0;
}

// half sizes whose sum is bounded are
static inline int isBounded(const snReal aabb[6]) {
  return aabb[3] + aabb[4] + aabb[5] < (snReal)snMAXVAL;
}

// half sizes of a plane, or of a node with planes alike; never in single precision, where isEverywhere takes them
static inline int isSlab(const snReal aabb[6]) {
  snReal most = (snReal)snMAXVAL;
  return sizeof(snReal) == 8 && aabb[3] >= most && aabb[4] >= most && aabb[5] < most;
}

// The same result, faster: the order of operations matters only where boxes graze.
static int areSeparated(const OrientedBox* box1, const OrientedBox* box2, snReal margin) {
  if (isBounded(box1->aabb) && isBounded(box2->aabb)) {
    snReal slack = boxSlack(box1, box2, margin);
    if (snu_abs(slack) > GRAZING) return slack < 0;
  }
  return areSeparatedExactly(box1, box2, margin);
}

static OrientedBox nodeBox(const snModel* m, const snData* d, int body, int node) {
  SN_ASSERT_INDEX(body, m->nbody);
  OrientedBox box = {m->bvh_aabb + 6 * node, d->xipos + 3 * body, d->ximat + 9 * body};
  return box;
}

// The same for nodes of bodies a and b, the first of which is not everywhere. frames: relative frames of the bodies,
// NULL: not computed.
static int nodesAreSeparated(const snModel* m, const snData* d, int a, int b, int node1, int node2,
                             snReal margin, Frames* frames) {
  const snReal *aabb1 = m->bvh_aabb + 6 * node1, *aabb2 = m->bvh_aabb + 6 * node2;
  int bounded = isBounded(aabb1);
  if (frames && isBounded(aabb2) && (bounded || isSlab(aabb1))) {
    if (!frames->known)
      relateFrames(frames, d->xipos + 3 * a, d->ximat + 9 * a, d->xipos + 3 * b, d->ximat + 9 * b);
    snReal slack = bounded ? nodeSlack(frames, aabb1, aabb2, margin)
                           : planeSlack(frames, aabb1, aabb2, margin);
    if (snu_abs(slack) > (bounded ? GRAZING : GRAZING_PLANE)) return slack < 0;
  }
  OrientedBox box1 = nodeBox(m, d, a, node1), box2 = nodeBox(m, d, b, node2);
  return frames ? areSeparatedExactly(&box1, &box2, margin) : areSeparated(&box1, &box2, margin);
}

int sn_geomMeetsBox(const snModel* m, const snData* d, int g, const snReal box[6], snReal margin) {
  static const snReal kOrigin[3] = {0, 0, 0}, kUpright[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  OrientedBox box1 = geomBox(m, d, g), box2 = {box, kOrigin, kUpright};
  return !areSeparated(&box1, &box2, margin);
}

// how much a node is worth splitting, from its stored numbers
static snReal splitSize(const snReal aabb[6]) {
  snReal x = aabb[3] - aabb[0], y = aabb[4] - aabb[1], z = aabb[5] - aabb[2];
  return x * y + y * z + z * x;
}

// Slack of a box along the third axis of another, the normal of a plane.
static snReal slackOverPlane(const OrientedBox* plane, const OrientedBox* box, snReal margin) {
  const snReal *n = plane->mat, *mat = box->mat;
  Offset middle = boxPoint(box, box->aabb);
  snReal x = box->pos[0] - plane->pos[0] + middle.x, y = box->pos[1] - plane->pos[1] + middle.y;
  snReal z = box->pos[2] - plane->pos[2] + middle.z, reach = plane->aabb[5] + margin;
  for (int l = 0; l < 3; l++) {
    snReal along = n[2] * mat[l] + n[5] * mat[3 + l] + n[8] * mat[6 + l];
    reach += snu_abs(along) * box->aabb[3 + l];
  }
  return reach - snu_abs(n[2] * x + n[5] * y + n[8] * z - plane->aabb[2]);
}

SN_KERNEL int leavesMeet(const snModel* m, const snData* d, int g1, int g2) {
  snReal margin = overrideMargin(m, m->geom_margin[g1] + m->geom_margin[g2]);
  if (filterSphere(m, d, g1, g2, margin)) return 0;
  OrientedBox box1 = geomBox(m, d, g1), box2 = geomBox(m, d, g2);
  if (isSlab(box1.aabb) && isBounded(box2.aabb)) {
    snReal slack = slackOverPlane(&box1, &box2, margin);
    if (snu_abs(slack) > GRAZING_PLANE) return slack > 0;
  }
  return !areSeparated(&box1, &box2, margin);
}

// Visit nodes of the trees of bodies a and b: returns how many pairs follow, 0 when nothing touches,
// 1 with a pair of geoms, 2 with pairs of nodes.
SN_KERNEL int visitNodes(const snModel* m, snData* d, int a, int b, snReal margin, Frames* frames,
                         int node1, int node2, int next[4]) {
  // fused bodies have inner nodes that name a geom, so the children tell what a leaf is
  int leaf1 = m->bvh_child[2 * node1] < 0, leaf2 = m->bvh_child[2 * node2] < 0, count;
  if (leaf1 && leaf2) {
    next[0] = m->bvh_nodeid[node1];
    next[1] = m->bvh_nodeid[node2];
    if (!leavesMeet(m, d, next[0], next[1])) return 0;
    count = 1;
  } else {
    if (!isEverywhere(m->bvh_aabb + 6 * node1) &&
        nodesAreSeparated(m, d, a, b, node1, node2, margin, frames)) {
      return 0;
    }
    int split1 = !leaf1 &&
                 (leaf2 || splitSize(m->bvh_aabb + 6 * node1) > splitSize(m->bvh_aabb + 6 * node2));
    const int* child = m->bvh_child + 2 * (split1 ? node1 : node2);
    for (int c = 0; c < 2; c++) {
      next[2 * c] = split1 ? m->body_bvhadr[a] + child[c] : node1;
      next[2 * c + 1] = split1 ? node2 : m->body_bvhadr[b] + child[c];
    }
    count = 2;
  }
  if (m->vis.global.bvactive) {
    SN_RAISE(d->bvh_active[node1]);
    SN_RAISE(d->bvh_active[node2]);
  }
  return count;
}

static snReal treeMargin(const snModel* m, int a, int b) {
  return overrideMargin(m, m->body_margin[a] + m->body_margin[b]);
}

SN_STAGE int sn_visitNodes(const snModel* m, snData* d, int a, int b, int node1, int node2,
                           int next[4]) {
  int count = visitNodes(m, d, a, b, treeMargin(m, a, b), NULL, node1, node2, next);
  if (count != 1) return count;
  orderGeoms(m, next, next + 1);
  return mayCollide(m, d, next[0], next[1], -1);
}

// Simultaneous descent of the trees of two bodies: a stack of pairs of nodes that are still to be visited.
typedef struct Descent_ {
  int a, b, n;
  snReal margin;
  Frames frames;
  int pending[2 * NODE_PAIRS + 2];
} Descent;

static void beginDescent(const snModel* m, int a, int b, Descent* descent) {
  descent->a = a;
  descent->b = b;
  descent->margin = treeMargin(m, a, b);
  descent->frames.known = 0;
  descent->pending[0] = m->body_bvhadr[a];
  descent->pending[1] = m->body_bvhadr[b];
  descent->n = 1;
}

// the next two leaves that it reaches; 0 when there are no more
static int nextLeaves(const snModel* m, snData* d, Descent* descent, int leaves[2]) {
  int n = descent->n;
  while (n) {
    int* pair = descent->pending + 2 * --n;  // its children replace it
    int count = visitNodes(m, d, descent->a, descent->b, descent->margin, &descent->frames, pair[0],
                           pair[1], pair);
    if (count == 1) {
      descent->n = n;
      leaves[0] = pair[0];
      leaves[1] = pair[1];
      return 1;
    }
    if (count == 2 && n + 2 <= NODE_PAIRS) n += 2;
  }
  return 0;
}

static SN_OUTLINE void collideTrees(const snModel* m, snData* d, Driver* driver) {
  Descent descent;
  int leaves[2];
  beginDescent(m, driver->a, driver->b, &descent);
  while (nextLeaves(m, d, &descent, leaves)) {
    collideDynamic(m, d, driver, leaves[0], leaves[1], 1);
  }
}

// does the descent reach these two leaves?
static SN_OUTLINE int treesLeadTo(const snModel* m, snData* d, int a, int b, int g1, int g2) {
  Descent descent;
  int leaves[2];
  beginDescent(m, a, b, &descent);
  while (nextLeaves(m, d, &descent, leaves)) {
    if ((leaves[0] == g1 && leaves[1] == g2) || (leaves[0] == g2 && leaves[1] == g1)) return 1;
  }
  return 0;
}

// a contact's pair of geoms, and its old index
typedef struct Ranked_ {
  uint64_t pair;
  int place;
} Ranked;

static inline uint64_t pairOf(const snContact* con) {
  return ((uint64_t)(uint32_t)con->geom[0] << 32) + (uint32_t)con->geom[1];
}

// Permutes the contacts into the order of a list, which is overwritten. Contacts are large: each is moved once.
static void takeOrder(snContact* contact, Ranked* list, int n) {
  for (int i = 0; i < n; i++) {
    if (list[i].place == i) continue;
    snContact first = contact[i];
    int to = i, from = list[i].place;
    while (from != i) {
      contact[to] = contact[from];
      list[to].place = to;
      to = from;
      from = list[to].place;
    }
    contact[to] = first;
    list[to].place = to;
  }
}

// stable sort of the contacts from start on by (geom 1, geom 2)
static void sortContacts(snData* d, int start) {
  SN_ASSERT(start >= 0 && start <= d->ncon);
  snContact* contact = d->contact + start;
  int n = d->ncon - start, sorted = 1;
  for (int i = 1; i < n && sorted; i++) sorted = pairOf(contact + i - 1) <= pairOf(contact + i);
  if (sorted) return;
  sn_markStack(d);
  Ranked* list = SN_STACK(d, Ranked, n);
  for (int i = 0; list && i < n; i++) {
    uint64_t pair = pairOf(contact + i);
    int j = i;
    for (; j > 0 && list[j - 1].pair > pair; j--) list[j] = list[j - 1];
    list[j].pair = pair;
    list[j].place = i;
  }
  if (list) {
    takeOrder(contact, list, n);
  } else {
    sn_missContact(d);
  }
  sn_freeStack(d);
}

int sn_haveTrees(const snModel* m, int a, int b) {
  SN_ASSERT_INDEX2(a, b, m->nbody);
  int single = m->body_geomnum[a] == 1 && m->body_geomnum[b] == 1;
  return !single && !(m->opt.disableflags & snDSBL_MIDPHASE) && m->body_bvhadr[a] >= 0 &&
         m->body_bvhadr[b] >= 0;
}

// Bounding boxes of shapes that touch overlap at least as deeply as the shapes. Rounding of the tree tests therefore
// matters only for contacts at the margin, and only in double precision is it the reference engine's. The boxes of
// height fields and distance fields do not bound their shapes in this sense.
static int isDeep(const snModel* m, const snData* d, int a, int b, int g1, int g2, snReal margin,
                  snReal dist) {
  SN_ASSERT_INDEX2(g1, g2, m->ngeom);
  if (sizeof(snReal) < sizeof(double)) return 1;
  if (m->geom_type[g1] == snGEOM_HFIELD || m->geom_type[g2] == snGEOM_SDF) return 0;
  const snReal *x1 = d->geom_xpos + 3 * g1, *x2 = d->geom_xpos + 3 * g2;
  snReal size = 1 + m->geom_rbound[g1] + m->geom_rbound[g2];
  for (int k = 0; k < 3; k++) size += snu_abs(x1[k]) + snu_abs(x2[k]);
  return dist < snu_min(margin, treeMargin(m, a, b)) - (snReal)1e-5 * size;
}

int sn_isFound(const snModel* m, snData* d, snBroad* broad, uint32_t signature, int g1, int g2,
               snReal margin, snReal dist) {
  int a = (int)(signature >> 16), b = (int)(signature & 0xffff);
  if (!isSwept(m, d, broad, signature, g1, g2, margin)) return 0;
  return isDeep(m, d, a, b, g1, g2, margin, dist) || !sn_haveTrees(m, a, b) ||
         treesLeadTo(m, d, a, b, g1, g2);
}

// all pairs of geoms of two bodies
static void collideBodies(const snModel* m, snData* d, Driver* driver) {
  SN_ASSERT(driver->a < driver->b && driver->b < m->nbody);
  SN_ASSERT(driver->pair_begin <= driver->pair_end && driver->pair_end <= m->npair);
  int a = driver->a, b = driver->b;
  int start1 = m->body_geomadr[a], end1 = start1 + m->body_geomnum[a];
  int start2 = m->body_geomadr[b], end2 = start2 + m->body_geomnum[b];
  if (sn_haveTrees(m, a, b)) {
    int before = d->ncon;
    collideTrees(m, d, driver);
    sortContacts(d, before);
    return;
  }
  for (int g1 = start1; g1 < end1; g1++) {
    for (int g2 = start2; g2 < end2; g2++) collideDynamic(m, d, driver, g1, g2, 0);
  }
}

// ---- driver --------------------------------------------------------------------------------------

SN_STAGE int sn_pairsOfBodies(const snModel* m, snData* d, uint32_t signature) {
  int a = (int)(signature >> 16), b = (int)(signature & 0xffff);
  if (!sn_bodiesCollide(m, signature)) return 0;
  if (sn_haveTrees(m, a, b)) return -1;
  int count = m->body_geomnum[a] * m->body_geomnum[b];
  if (count > 1) return count;
  return sn_isNear(m, d, m->body_geomadr[a], m->body_geomadr[b], -1);
}

// the second of the pair is a flex, whose numbers come after those of the bodies
static void collideWithFlex(const snModel* m, snData* d, Driver* driver) {
  int flex1 = driver->a - (int)m->nbody, flex2 = driver->b - (int)m->nbody;
  if (flex1 < 0) {
    sn_collideBodyFlex(m, d, driver->a, flex2);
  } else {
    sn_collideFlexes(m, d, flex1, flex2);
  }
}

// Pairs begin to end of bodies and flexes in order of their signature, explicit pairs before the first larger one;
// those that remain after the last.
static void narrowphase(const snModel* m, snData* d, Driver* driver, int begin, int end) {
  const snBroad* broad = &driver->broad;
  int next = 0;
  while (begin && next < m->npair && (uint32_t)m->pair_signature[next] <= broad->pairs[begin - 1]) {
    next++;
  }
  for (int i = begin; i < end; i++) {
    uint32_t signature = broad->pairs[i];
    if (i && broad->pairs[i - 1] == signature) continue;
    SN_ASSERT(!i || broad->pairs[i - 1] < signature);  // in order
    int a = driver->a = (int)(signature >> 16), b = driver->b = (int)(signature & 0xffff);
    driver->always =
        a == 0 || (b < (int)m->nbody && (sn_alwaysCollides(m, a) || sn_alwaysCollides(m, b)));

    int merged = 0;
    driver->pair_begin = next;
    while (next < m->npair && (uint32_t)m->pair_signature[next] <= signature) {
      if ((uint32_t)m->pair_signature[next] == signature) merged = 1;
      SN_SOLO(collideExplicit(m, d, driver, next));
      next++;
    }
    driver->pair_end = merged ? next : driver->pair_begin;

    if (b >= (int)m->nbody) {
      collideWithFlex(m, d, driver);
    } else if (sn_bodiesCollide(m, signature)) {
      SN_SOLO(collideBodies(m, d, driver));
    }
  }
  if (end < broad->npair) return;
  for (; next < m->npair; next++) SN_SOLO(collideExplicit(m, d, driver, next));
}

enum { PAIRS_AT_ONCE = 4, LEAST_PAIRS = 24, RUNS_AT_ONCE = 4 };

// Runs of pairs that threads share. The contacts of a run stay in the memory of its thread until all are done.
struct Runs_ {
  const snBroad* broad;
  const int* order;            // in which they are handed out
  const snContact** contacts;  // of each run
  int* count;
  int* place;           // of the first of each run among all
  snContact* together;  // all of them
};
typedef struct Runs_ Runs;

static int runsOf(int npair) { return (npair + PAIRS_AT_ONCE - 1) / PAIRS_AT_ONCE; }

static void collideRuns(const snModel* m, snData* view, void* context, int begin, int end) {
  const Runs* runs = (const Runs*)context;
  Driver driver;
  driver.broad = *runs->broad;
  for (int k = begin; k < end; k++) {
    int run = runs->order[k], first = run * PAIRS_AT_ONCE, last = first + PAIRS_AT_ONCE;
    if (last > driver.broad.npair) last = driver.broad.npair;
    sn_markStack(view);
    driver.points = SN_STACK(view, snContactPoint, snMAXCONPAIR);
    view->ncon = 0;
    view->contact = (snContact*)((char*)view->arena + view->parena);
    if (driver.points) narrowphase(m, view, &driver, first, last);
    runs->contacts[run] = view->contact;
    runs->count[run] = view->ncon;
    sn_freeStack(view);
  }
}

static void collectSome(const snModel* m, snData* view, void* context, int begin, int end) {
  const Runs* runs = (const Runs*)context;
  (void)m, (void)view;
  for (int k = begin; k < end; k++) {
    int run = runs->order[k];
    memcpy(runs->together + runs->place[run], runs->contacts[run],
           (size_t)runs->count[run] * sizeof(snContact));
  }
}

// Copies the contacts of all runs, in order, from the upper half of the free arena, where threads put them, to its
// beginning. Returns 0 when there is less room than one thread might have used.
static int collectRuns(const snModel* m, snData* d, Runs* runs, int nrun) {
  size_t total = 0, room = ((size_t)d->narena - d->pstack - d->parena) / 2;
  for (int run = 0; run < nrun; run++) {
    runs->place[run] = (int)total;
    total += (size_t)runs->count[run];
  }
  if ((total + snMAXCONPAIR + 1) * sizeof(snContact) > room) return 0;
  runs->together = (snContact*)sn_arenaAlloc(d, total * sizeof(snContact), sizeof(snReal));
  if (!runs->together) return 0;
  SN_SHARE(m, d, nrun, RUNS_AT_ONCE, collectSome, runs);
  d->ncon = (int)total;
  return 1;
}

// Runs in the order of the bodies that move: pairs with the world come before all others, but threads are to have them
// with the other pairs of their trees.
static void orderRuns(const snModel* m, const snBroad* broad, int nrun, int* order) {
  enum { BUCKETS = 64 };
  int start[BUCKETS + 1] = {0};
  for (int pass = 0; pass < 2; pass++) {
    for (int run = 0; run < nrun; run++) {
      uint32_t signature = broad->pairs[run * PAIRS_AT_ONCE];
      uint32_t body = signature >> 16 ? signature >> 16 : signature & 0xffff;
      int bucket = (int)(body * BUCKETS / (uint32_t)m->nbody);
      if (pass) {
        order[start[bucket]++] = run;
      } else {
        start[bucket + 1]++;
      }
    }
    for (int k = 0; !pass && k < BUCKETS; k++) start[k + 1] += start[k];
  }
}

// The narrow phase by several threads; returns 0 when it was not done. A user's filter and plugins need one thread.
static int narrowphaseShared(const snModel* m, snData* d, const Driver* driver) {
  int nrun = runsOf(driver->broad.npair), done = 0;
  if (!sn_hasCrew(d) || driver->broad.npair < LEAST_PAIRS) return 0;
  if (m->nflex || m->nplugin || d->callback.contactfilter) return 0;
  sn_markStack(d);
  int* order = SN_STACK(d, int, nrun);
  Runs runs = {&driver->broad, order, NULL, SN_STACK(d, int, nrun), SN_STACK(d, int, nrun), NULL};
  runs.contacts = SN_STACK(d, const snContact*, nrun);
  if (order && runs.contacts && runs.count && runs.place) {
    orderRuns(m, &driver->broad, nrun, order);
    done = sn_share(m, d, nrun, 1, collideRuns, &runs) && collectRuns(m, d, &runs, nrun);
  }
  sn_freeStack(d);
  return done;
}

// Only nodes of bodies are flagged, and they come first; those of meshes, which may be many, are skipped.
void sn_clearActive(const snModel* m, snData* d) {
  if (!m->vis.global.bvactive || !m->nbvh) return;
  int last = (int)m->nbody - 1;
  while (last >= 0 && m->body_bvhadr[last] < 0) last--;
  int count = last >= 0 ? m->body_bvhadr[last] + m->body_bvhnum[last] : 0;
  SN_FOR(node, count) d->bvh_active[node] = 0;
}

// One pair after the other. A team comes here when there are flexes: its first lane collides bodies, and all lanes
// share the elements of flexes.
static SN_OUTLINE snReal collideInOrder(const snModel* m, snData* d, snReal start) {
  Driver driver;
  sn_markStack(d);
  driver.points = SN_STACK(d, snContactPoint, snMAXCONPAIR);
  if (!driver.points) {
    SN_SOLO(sn_warning(d, snWARN_CONTACTFULL, 0));
    sn_freeStack(d);
    return start;
  }
  sn_broadphase(m, d, &driver.broad);
  snReal lap = SN_LANES == 1 ? sn_stopTimer(d, snTIMER_COL_BROAD, start) : start;

  if (!narrowphaseShared(m, d, &driver)) narrowphase(m, d, &driver, 0, driver.broad.npair);
  for (int flex = 0; flex < (int)m->nflex; flex++) sn_collideFlexSelf(m, d, flex);
  SN_SYNC();
  sn_freeStack(d);
  if (SN_LANES > 1) return start;
  lap = sn_stopTimer(d, snTIMER_COL_NARROW, lap);
  sn_addTimer(d, snTIMER_POS_COLLISION, lap - start);
  return lap;
}

SN_STAGE snReal sn_collisionTimed(const snModel* m, snData* d, snReal start) {
  sn_clearContacts(d);
  if (SN_LANES == 1) sn_clearActive(m, d);
  SN_SYNC();
  if ((m->opt.disableflags & (snDSBL_CONSTRAINT | snDSBL_CONTACT)) || m->nbody + m->nflex < 2) {
    return start;
  }
  if (SN_LANES == 1) {
    start = collideInOrder(m, d, start);
  } else if (m->nflex || !sn_collideAsTeam(m, d)) {
    sn_clearActive(m, d);
    SN_SYNC();
    if (m->nflex) {
      collideInOrder(m, d, start);
    } else {
      SN_SOLO(collideInOrder(m, d, start));
    }
  }
  sn_warnOfMissed(d);
  return start;
}

void sn_collision(const snModel* m, snData* d) { sn_collisionTimed(m, d, sn_now(d)); }
