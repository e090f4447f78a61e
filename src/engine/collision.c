#include "engine/collision.h"

#include "base/arena.h"
#include "engine/collision_broad.h"
#include "engine/constraint.h"
#include "engine/timer.h"
#include "math/math.h"
#include "sinew/sinew.h"

enum {
  NODE_PAIRS = 4 * snMAXTREEDEPTH  // pending pairs of tree nodes: a pop adds at most one more
};

// boxes of the mid phase closer to separation than this are tested to the last bit
#define GRAZING ((snReal)1e-9)

// what the driver carries through one call of sn_collision
struct Driver_ {
  snBroad broad;
  snContactPoint* points;
  int a, b;        // bodies at hand
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

int sn_hasCollider(int type1, int type2) {
  return type2 >= snGEOM_SPHERE && type2 <= snGEOM_SDF && type1 >= snGEOM_PLANE && type1 <= type2;
}

#define PAIR(a, b) ((a)*snNGEOMTYPES + (b))

int sn_collideGeoms(const snModel* m, snData* d, snContactPoint* points, int g1, int g2,
                    snReal margin) {
  int type1 = m->geom_type[g1], type2 = m->geom_type[g2];
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

static snReal heightOverPlane(const snData* d, int plane, int g) {
  const snReal *mat = d->geom_xmat + 9 * plane, *pos = d->geom_xpos + 3 * plane;
  const snReal* x = d->geom_xpos + 3 * g;
  return (x[0] - pos[0]) * mat[2] + (x[1] - pos[1]) * mat[5] + (x[2] - pos[2]) * mat[8];
}

// bounding spheres (planes: half space) of two geoms are farther apart than margin
static int filterSphere(const snModel* m, const snData* d, int g1, int g2, snReal margin) {
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

// ---- contact parameters --------------------------------------------------------------------------

// parameters shared by the contacts of one pair of geoms
struct Mixed_ {
  int condim;
  snReal gap;
  snReal friction[5], solref[2], solreffriction[2], solimp[5];
};
typedef struct Mixed_ Mixed;

static void unpackFriction(snReal friction[5], const snReal f[3]) {
  friction[0] = friction[1] = f[0];
  friction[2] = f[1];
  friction[3] = friction[4] = f[2];
}

static void copyGeom(const snModel* m, int g, Mixed* mixed) {
  mixed->condim = m->geom_condim[g];
  unpackFriction(mixed->friction, m->geom_friction + 3 * g);
  for (int k = 0; k < snNREF; k++) mixed->solref[k] = m->geom_solref[snNREF * g + k];
  for (int k = 0; k < snNIMP; k++) mixed->solimp[k] = m->geom_solimp[snNIMP * g + k];
}

// weight of geom 1
static snReal mixWeight(snReal mix1, snReal mix2) {
  int small1 = mix1 < (snReal)snMINVAL, small2 = mix2 < (snReal)snMINVAL;
  if (!small1 && !small2) return mix1 / (mix1 + mix2);
  if (small1 && small2) return (snReal)0.5;
  return small1 ? 0 : 1;
}

static void mixGeoms(const snModel* m, int g1, int g2, Mixed* mixed) {
  mixed->gap = m->geom_gap[g1] + m->geom_gap[g2];
  for (int k = 0; k < snNREF; k++) mixed->solreffriction[k] = 0;
  if (m->geom_priority[g1] != m->geom_priority[g2]) {
    copyGeom(m, m->geom_priority[g1] > m->geom_priority[g2] ? g1 : g2, mixed);
    return;
  }

  const snReal *ref1 = m->geom_solref + snNREF * g1, *ref2 = m->geom_solref + snNREF * g2;
  const snReal *imp1 = m->geom_solimp + snNIMP * g1, *imp2 = m->geom_solimp + snNIMP * g2;
  snReal weight = mixWeight(m->geom_solmix[g1], m->geom_solmix[g2]), friction[3];
  mixed->condim = m->geom_condim[g1] > m->geom_condim[g2] ? m->geom_condim[g1] : m->geom_condim[g2];
  for (int k = 0; k < 3; k++) {
    friction[k] = snu_max(m->geom_friction[3 * g1 + k], m->geom_friction[3 * g2 + k]);
  }
  unpackFriction(mixed->friction, friction);
  int blend = ref1[0] > 0 && ref2[0] > 0;
  for (int k = 0; k < snNREF; k++) {
    mixed->solref[k] =
        blend ? weight * ref1[k] + (1 - weight) * ref2[k] : snu_min(ref1[k], ref2[k]);
  }
  for (int k = 0; k < snNIMP; k++) mixed->solimp[k] = weight * imp1[k] + (1 - weight) * imp2[k];
}

static void copyPair(const snModel* m, int p, Mixed* mixed) {
  mixed->condim = m->pair_dim[p];
  mixed->gap = m->pair_gap[p];
  for (int k = 0; k < 5; k++) mixed->friction[k] = m->pair_friction[5 * p + k];
  for (int k = 0; k < snNREF; k++) {
    mixed->solref[k] = m->pair_solref[snNREF * p + k];
    mixed->solreffriction[k] = m->pair_solreffriction[snNREF * p + k];
  }
  for (int k = 0; k < snNIMP; k++) mixed->solimp[k] = m->pair_solimp[snNIMP * p + k];
}

static void overrideMixed(const snModel* m, Mixed* mixed) {
  if (m->opt.enableflags & snENBL_OVERRIDE) {
    for (int k = 0; k < 5; k++) mixed->friction[k] = m->opt.o_friction[k];
    for (int k = 0; k < snNREF; k++) {
      mixed->solref[k] = mixed->solreffriction[k] = m->opt.o_solref[k];
    }
    for (int k = 0; k < snNIMP; k++) mixed->solimp[k] = m->opt.o_solimp[k];
  }
  for (int k = 0; k < 5; k++) {
    mixed->friction[k] = snu_max((snReal)snMINMU, mixed->friction[k]);
  }
}

static void fillContact(snContact* con, const snContactPoint* point, const Mixed* mixed,
                        snReal includemargin, int g1, int g2) {
  con->dist = point->dist;
  snu_copy3(con->pos, point->pos);
  con->includemargin = includemargin;
  for (int k = 0; k < 5; k++) {
    con->friction[k] = mixed->friction[k];
    con->solimp[k] = mixed->solimp[k];
  }
  for (int k = 0; k < 2; k++) {
    con->solref[k] = mixed->solref[k];
    con->solreffriction[k] = mixed->solreffriction[k];
    con->flex[k] = con->elem[k] = con->vert[k] = -1;
  }
  con->mu = 0;
  snu_zero(con->H, 36);
  con->dim = mixed->condim;
  con->geom1 = con->geom[0] = g1;
  con->geom2 = con->geom[1] = g2;
  con->exclude = point->dist >= includemargin;
  con->efc_address = -1;
}

static int isEqual3(const snReal a[3], const snReal b[3]) {
  return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

// contacts of one pair often share their frame
static void fillFrame(snContact* con, const snContactPoint* point, int index) {
  if (index && isEqual3(point->normal, point[-1].normal) &&
      isEqual3(point->tangent, point[-1].tangent)) {
    for (int k = 0; k < 9; k++) con->frame[k] = con[-1].frame[k];
    return;
  }
  snu_copy3(con->frame, point->normal);
  snu_copy3(con->frame + 3, point->tangent);
  sn_makeFrame(con->frame);
}

// ---- one pair of geoms ---------------------------------------------------------------------------

static int masksMeet(int contype1, int conaffinity1, int contype2, int conaffinity2) {
  return (contype1 & conaffinity2) || (contype2 & conaffinity1);
}

// room for the most contacts that one collider makes
static int hasRoom(const snData* d) {
  size_t used = d->parena + d->pstack + (snMAXCONPAIR + 1) * sizeof(snContact);
  return used <= (size_t)d->narena;
}

// would the reference engine's sweep have lost a pair that touches? Only if bounding spheres graze.
static int isLost(const snModel* m, const snData* d, Driver* driver, int g1, int g2,
                  snReal margin) {
  const snReal *x1 = d->geom_xpos + 3 * g1, *x2 = d->geom_xpos + 3 * g2;
  snReal reach = m->geom_rbound[g1] + m->geom_rbound[g2] + margin, size = reach;
  for (int k = 0; k < 3; k++) size += snu_abs(x1[k]) + snu_abs(x2[k]);
  snReal between[3], sure = reach - (snReal)1e-5 * size;
  snu_sub3(between, x1, x2);
  if (sure > 0 && snu_dot3(between, between) < sure * sure) return 0;
  return !sn_sweepKeeps(m, d, &driver->broad, driver->a, driver->b);
}

// pair p >= 0 is explicit; otherwise the geoms' own masks and parameters count
static void collidePair(const snModel* m, snData* d, Driver* driver, int g1, int g2, int p) {
  if (m->geom_type[g1] > m->geom_type[g2]) {
    int swap = g1;
    g1 = g2;
    g2 = swap;
  }
  if (!sn_hasCollider(m->geom_type[g1], m->geom_type[g2])) return;
  snReal margin;
  if (p < 0) {
    if (d->callback.contactfilter) {
      if (d->callback.contactfilter(m, d, g1, g2)) return;
    } else if (!masksMeet(m->geom_contype[g1], m->geom_conaffinity[g1], m->geom_contype[g2],
                          m->geom_conaffinity[g2])) {
      return;
    }
    margin = overrideMargin(m, m->geom_margin[g1] + m->geom_margin[g2]);
  } else {
    margin = overrideMargin(m, m->pair_margin[p]);
  }
  if (filterSphere(m, d, g1, g2, margin)) return;
  if (!hasRoom(d)) {
    sn_warning(d, snWARN_CONTACTFULL, d->ncon);
    return;
  }

  int n = sn_collideGeoms(m, d, driver->points, g1, g2, margin);
  if (n && m->geom_type[g1] == snGEOM_BOX && m->geom_type[g2] == snGEOM_BOX) {
    n = sn_filterBoxes(m, d, driver->points, n, g1, g2, margin);
  }
  if (!n) return;
  if (p < 0 && !driver->always && isLost(m, d, driver, g1, g2, margin)) return;

  Mixed mixed;
  if (p < 0) {
    mixGeoms(m, g1, g2, &mixed);
  } else {
    copyPair(m, p, &mixed);
  }
  overrideMixed(m, &mixed);
  snContact* con = (snContact*)sn_arenaAlloc(d, (size_t)n * sizeof(snContact), sizeof(snReal));
  if (!con) return;
  for (int i = 0; i < n; i++) {
    fillContact(con + i, driver->points + i, &mixed, margin - mixed.gap, g1, g2);
    fillFrame(con + i, driver->points + i, i);
  }
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
    int n = sn_collideGeoms(m, d, points, g1, g2, margin);
    if (n && m->geom_type[g1] == snGEOM_BOX && m->geom_type[g2] == snGEOM_BOX) {
      n = sn_filterBoxes(m, d, points, n, g1, g2, margin);
    }
    same = n == end - begin;
    for (int i = 0; same && i < n; i++) {
      con[i].dist = points[i].dist;
      snu_copy3(con[i].pos, points[i].pos);
      con[i].exclude = points[i].dist >= con[i].includemargin;
      con[i].efc_address = -1;
      fillFrame(con + i, points + i, i);
    }
  }
  sn_freeStack(d);
  return same;
}

// an explicit pair, unless both bodies sleep
static void collideExplicit(const snModel* m, snData* d, Driver* driver, int p) {
  int g1 = m->pair_geom1[p], g2 = m->pair_geom2[p];
  if ((m->opt.enableflags & snENBL_SLEEP) && d->body_awake[m->geom_bodyid[g1]] != snS_AWAKE &&
      d->body_awake[m->geom_bodyid[g2]] != snS_AWAKE) {
    return;
  }
  collidePair(m, d, driver, g1, g2, p);
}

// a dynamic pair, unless an explicit one of the same geoms was handled with these bodies
static void collideDynamic(const snModel* m, snData* d, Driver* driver, int g1, int g2) {
  for (int p = driver->pair_begin; p < driver->pair_end; p++) {
    int p1 = m->pair_geom1[p], p2 = m->pair_geom2[p];
    if ((p1 == g1 && p2 == g2) || (p1 == g2 && p2 == g1)) return;
  }
  collidePair(m, d, driver, g1, g2, -1);
}

// ---- mid phase -----------------------------------------------------------------------------------

// a box: aabb is (centre, half sizes) in the frame of pos and mat
struct OrientedBox_ {
  const snReal *aabb, *pos, *mat;
};
typedef struct OrientedBox_ OrientedBox;

static int isUnbounded(const snReal aabb[6]) {
  snReal most = (snReal)snMAXVAL;
  return aabb[3] >= most || aabb[4] >= most || aabb[5] >= most;
}

// Slack of two boxes along the face normals of both: negative where they are farther apart than
// margin along one of them; rounding differs from the reference engine's.
static snReal boxSlack(const OrientedBox* box1, const OrientedBox* box2, snReal margin) {
  const snReal *half1 = box1->aabb + 3, *half2 = box2->aabb + 3;
  snReal center1[3], center2[3], offset[3], rot[9], reach[9];
  snu_mulMatVec3(center1, box1->mat, box1->aabb);
  snu_mulMatVec3(center2, box2->mat, box2->aabb);
  for (int k = 0; k < 3; k++) {
    offset[k] = (box2->pos[k] - box1->pos[k]) + (center2[k] - center1[k]);
  }
  // face normals of box 1
  sn_mulMatTMat3(rot, box1->mat, box2->mat);
  for (int k = 0; k < 9; k++) reach[k] = snu_abs(rot[k]);
  snu_mulMatTVec3(center1, box1->mat, offset);
  snReal slack = (snReal)snMAXVAL;
  for (int k = 0; k < 3; k++) {
    snReal radius = half1[k] + snu_dot3(reach + 3 * k, half2);
    slack = snu_min(slack, radius + margin - snu_abs(center1[k]));
  }
  if (slack < -GRAZING) return slack;
  // face normals of box 2
  snu_mulMatTVec3(center2, rot, center1);
  snu_mulMatTVec3(center1, reach, half1);
  for (int k = 0; k < 3; k++) {
    slack = snu_min(slack, half2[k] + center1[k] + margin - snu_abs(center2[k]));
  }
  return slack;
}

// Are two boxes farther apart than margin along a face normal of one of them? Boxes that graze and
// unbounded ones (planes) are tested in the order of the reference engine: its rounding decides
// whether boxes that just touch collide, and, at magnitudes of 1e10, whether contacts within 1e-6
// of a tilted plane are found.
static int areSeparated(const OrientedBox* box1, const OrientedBox* box2, snReal margin) {
  const OrientedBox* box[2] = {box1, box2};
  snReal center[2][3];
  int unbounded[2] = {isUnbounded(box1->aabb), isUnbounded(box2->aabb)};
  if (!unbounded[0] && !unbounded[1]) {
    snReal slack = boxSlack(box1, box2, margin);
    if (snu_abs(slack) > GRAZING) return slack < 0;
  }
  for (int i = 0; i < 2; i++) {
    const snReal* aabb = box[i]->aabb;
    snReal most = (snReal)snMAXVAL;
    if (aabb[3] >= most && aabb[4] >= most && aabb[5] >= most) return 0;
    snu_mulMatVec3(center[i], box[i]->mat, aabb);
    snu_addTo3(center[i], box[i]->pos);
  }
  for (int j = 0; j < 2; j++) {
    if (unbounded[1 - j]) continue;
    for (int k = 0; k < 3; k++) {
      const snReal* mat = box[j]->mat;
      if (box[j]->aabb[3 + k] >= (snReal)snMAXVAL) continue;  // nothing lies beyond it
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

static OrientedBox nodeBox(const snModel* m, const snData* d, int body, int node) {
  OrientedBox box = {m->bvh_aabb + 6 * node, d->xipos + 3 * body, d->ximat + 9 * body};
  return box;
}

static OrientedBox geomBox(const snModel* m, const snData* d, int g) {
  OrientedBox box = {m->geom_aabb + 6 * g, d->geom_xpos + 3 * g, d->geom_xmat + 9 * g};
  return box;
}

// how much a node is worth splitting, from its stored numbers
static snReal splitSize(const snReal aabb[6]) {
  snReal x = aabb[3] - aabb[0], y = aabb[4] - aabb[1], z = aabb[5] - aabb[2];
  return x * y + y * z + z * x;
}

static int collideLeaves(const snModel* m, snData* d, Driver* driver, int g1, int g2) {
  snReal margin = overrideMargin(m, m->geom_margin[g1] + m->geom_margin[g2]);
  if (filterSphere(m, d, g1, g2, margin)) return 0;
  OrientedBox box1 = geomBox(m, d, g1), box2 = geomBox(m, d, g2);
  if (areSeparated(&box1, &box2, margin)) return 0;
  collideDynamic(m, d, driver, g1, g2);
  return 1;
}

// descend the trees of the two bodies together
static void collideTrees(const snModel* m, snData* d, Driver* driver) {
  int a = driver->a, b = driver->b, n = 0;
  int mark = m->vis.global.bvactive;
  int pending[NODE_PAIRS][2];
  snReal margin = overrideMargin(m, m->body_margin[a] + m->body_margin[b]);
  pending[n][0] = m->body_bvhadr[a];
  pending[n++][1] = m->body_bvhadr[b];
  while (n) {
    int node1 = pending[--n][0], node2 = pending[n][1], visited;
    // fused bodies have inner nodes that name a geom, so the children tell what a leaf is
    int leaf1 = m->bvh_child[2 * node1] < 0, leaf2 = m->bvh_child[2 * node2] < 0;
    if (leaf1 && leaf2) {
      visited = collideLeaves(m, d, driver, m->bvh_nodeid[node1], m->bvh_nodeid[node2]);
    } else {
      OrientedBox box1 = nodeBox(m, d, a, node1), box2 = nodeBox(m, d, b, node2);
      visited = !areSeparated(&box1, &box2, margin);
      if (visited && n + 2 <= NODE_PAIRS) {
        int split1 = !leaf1 && (leaf2 || splitSize(box1.aabb) > splitSize(box2.aabb));
        const int* child = m->bvh_child + 2 * (split1 ? node1 : node2);
        for (int c = 0; c < 2; c++) {
          pending[n][0] = split1 ? m->body_bvhadr[a] + child[c] : node1;
          pending[n++][1] = split1 ? node2 : m->body_bvhadr[b] + child[c];
        }
      }
    }
    if (visited && mark) d->bvh_active[node1] = d->bvh_active[node2] = 1;
  }
}

// stable sort of the contacts from start on by (geom 1, geom 2)
static void sortContacts(snData* d, int start) {
  for (int i = start + 1; i < d->ncon; i++) {
    const snContact* con = d->contact + i;
    int g1 = con->geom[0], g2 = con->geom[1], j = i;
    while (j > start && (d->contact[j - 1].geom[0] > g1 ||
                         (d->contact[j - 1].geom[0] == g1 && d->contact[j - 1].geom[1] > g2))) {
      j--;
    }
    if (j == i) continue;
    snContact moved = *con;
    for (int k = i; k > j; k--) d->contact[k] = d->contact[k - 1];
    d->contact[j] = moved;
  }
}

// all pairs of geoms of two bodies
static void collideBodies(const snModel* m, snData* d, Driver* driver) {
  int a = driver->a, b = driver->b;
  int start1 = m->body_geomadr[a], end1 = start1 + m->body_geomnum[a];
  int start2 = m->body_geomadr[b], end2 = start2 + m->body_geomnum[b];
  int single = m->body_geomnum[a] == 1 && m->body_geomnum[b] == 1;
  if (!single && !(m->opt.disableflags & snDSBL_MIDPHASE) && m->body_bvhadr[a] >= 0 &&
      m->body_bvhadr[b] >= 0) {
    int before = d->ncon;
    collideTrees(m, d, driver);
    sortContacts(d, before);
    return;
  }
  for (int g1 = start1; g1 < end1; g1++) {
    for (int g2 = start2; g2 < end2; g2++) collideDynamic(m, d, driver, g1, g2);
  }
}

// ---- driver --------------------------------------------------------------------------------------

static int isExcluded(const snModel* m, uint32_t signature) {
  int low = 0, high = (int)m->nexclude;
  while (low < high) {
    int middle = (low + high) / 2;
    uint32_t here = (uint32_t)m->exclude_signature[middle];
    if (here == signature) return 1;
    if (here < signature) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return 0;
}

// pairs of bodies in order of their signature, explicit pairs before the first larger one
static void narrowphase(const snModel* m, snData* d, Driver* driver) {
  const snBroad* broad = &driver->broad;
  int next = 0;
  for (int i = 0; i < broad->npair; i++) {
    uint32_t signature = broad->pairs[i];
    if (i && broad->pairs[i - 1] == signature) continue;
    int a = driver->a = (int)(signature >> 16), b = driver->b = (int)(signature & 0xffff);
    driver->always = a == 0 || sn_alwaysCollides(m, a) || sn_alwaysCollides(m, b);

    int merged = 0;
    driver->pair_begin = next;
    while (next < m->npair && (uint32_t)m->pair_signature[next] <= signature) {
      if ((uint32_t)m->pair_signature[next] == signature) merged = 1;
      collideExplicit(m, d, driver, next++);
    }
    driver->pair_end = merged ? next : driver->pair_begin;

    if (!masksMeet(m->body_contype[a], m->body_conaffinity[a], m->body_contype[b],
                   m->body_conaffinity[b]) ||
        isExcluded(m, signature)) {
      continue;
    }
    collideBodies(m, d, driver);
  }
  while (next < m->npair) collideExplicit(m, d, driver, next++);
}

// Only nodes of bodies are ever flagged, and they come first: the trees of meshes can be long.
static void clearActive(const snModel* m, snData* d) {
  int last = (int)m->nbody - 1;
  while (last >= 0 && m->body_bvhadr[last] < 0) last--;
  if (last >= 0) {
    memset(d->bvh_active, 0, (size_t)m->body_bvhadr[last] + (size_t)m->body_bvhnum[last]);
  }
}

snReal sn_collisionTimed(const snModel* m, snData* d, snReal start) {
  Driver driver;
  d->ncon = 0;
  sn_clearConstraints(d);
  d->contact = (snContact*)d->arena;
  if (m->vis.global.bvactive && m->nbvh) clearActive(m, d);
  if ((m->opt.disableflags & (snDSBL_CONSTRAINT | snDSBL_CONTACT)) || m->nbody + m->nflex < 2) {
    return start;
  }

  sn_markStack(d);
  driver.points = SN_STACK(d, snContactPoint, snMAXCONPAIR);
  if (!driver.points) {
    sn_warning(d, snWARN_CONTACTFULL, 0);
    sn_freeStack(d);
    return start;
  }
  sn_broadphase(m, d, &driver.broad);
  snReal lap = sn_stopTimer(d, snTIMER_COL_BROAD, start);

  // flex elements will join here: pairs of bodies and flexes, then flexes with themselves
  narrowphase(m, d, &driver);
  sn_freeStack(d);
  lap = sn_stopTimer(d, snTIMER_COL_NARROW, lap);
  sn_addTimer(d, snTIMER_POS_COLLISION, lap - start);
  return lap;
}

void sn_collision(const snModel* m, snData* d) { sn_collisionTimed(m, d, sn_now(d)); }
