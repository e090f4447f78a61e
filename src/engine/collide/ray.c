#include "engine/collide/ray.h"

#include "base/arena.h"
#include "base/assert.h"
#include "base/misuse.h"
#include "math/four.h"
#include "math/math.h"
#include "model/object_types.h"
#include "sinew/sinew.h"

// ---- which geoms ---------------------------------------------------------------------------------

struct RayFilter_ {
  const snByte* group;
  int use_static;
  int bodyexclude;
};
typedef struct RayFilter_ RayFilter;

static int isEliminated(const snModel* m, const RayFilter* filter, int g) {
  SN_ASSERT_INDEX(g, m->ngeom);
  int body = m->geom_bodyid[g], material = m->geom_matid[g];
  if (body == filter->bodyexclude) return 1;
  if (material < 0 ? m->geom_rgba[4 * g + 3] == 0 : m->mat_rgba[4 * material + 3] == 0) return 1;
  if (!filter->use_static && m->body_weldid[body] == 0) return 1;
  if (!filter->group) return 0;
  int group = m->geom_group[g];
  group = group < 0 ? 0 : (group > snNGROUP - 1 ? snNGROUP - 1 : group);
  return !filter->group[group];
}

// radius around the geom's origin that holds all that a ray can hit; negative: unbounded
static snReal boundingRadius(const snModel* m, int g) {
  SN_ASSERT_INDEX(g, m->ngeom);
  const snReal* size = m->geom_size + 3 * g;
  switch (m->geom_type[g]) {
    case snGEOM_SPHERE: return size[0];
    case snGEOM_CAPSULE: return size[0] + size[1];
    case snGEOM_ELLIPSOID: return snu_max(size[0], snu_max(size[1], size[2]));
    case snGEOM_CYLINDER: return size[0] + size[1];
    case snGEOM_BOX:
    case snGEOM_MESH: return size[0] + size[1] + size[2];
    default: return -1;
  }
}

// The ray passes the bounding sphere at a distance, or enters it behind the nearest hit. Cheap and
// generous: the exact tests decide what is close.
static int isPassed(const snModel* m, const snData* d, int g, const snReal pnt[3],
                    const snReal vec[3], snReal square, snReal nearest) {
  snReal radius = boundingRadius(m, g), offset[3];
  if (radius < 0) return 0;
  snu_sub3(offset, d->geom_xpos + 3 * g, pnt);
  snReal along = snu_dot3(offset, vec), away = snu_dot3(offset, offset);
  snReal reach = radius * radius;
  // |offset - vec along / square|^2 > radius^2, with room for rounding
  if (away * square - along * along > reach * square + (snReal)1e-9 * away * square) return 1;
  if (away > reach * (snReal)1.000001 && along < 0) return 1;
  if (nearest < 0) return 0;
  snReal entry = along - nearest * square;  // centre beyond the nearest hit, times |vec|
  return entry > 0 && entry * entry > reach * square * (snReal)1.000001;
}

static snReal rayAny(const snModel* m, const snData* d, int g, const snReal pnt[3],
                     const snReal vec[3], snReal normal[3]) {
  SN_ASSERT_INDEX(g, m->ngeom);
  switch (m->geom_type[g]) {
    case snGEOM_MESH: return sn_rayMesh(m, d, g, pnt, vec, normal);
    case snGEOM_HFIELD: return sn_rayHfield(m, d, g, pnt, vec, normal);
    case snGEOM_SDF: return sn_raySDF(m, d, g, pnt, vec, normal);
    default:
      return snu_rayGeom(d->geom_xpos + 3 * g, d->geom_xmat + 9 * g, m->geom_size + 3 * g, pnt, vec,
                         m->geom_type[g], normal);
  }
}

// nearest hit so far
struct Nearest_ {
  snReal x;
  int geom;
  snReal normal[3];
};
typedef struct Nearest_ Nearest;

static void tryGeom(const snModel* m, const snData* d, int g, const snReal pnt[3],
                    const snReal vec[3], snReal square, int want_normal, Nearest* nearest) {
  SN_ASSERT_INDEX(g, m->ngeom);
  snReal normal[3];
  if (isPassed(m, d, g, pnt, vec, square, nearest->x)) return;
  snReal x = rayAny(m, d, g, pnt, vec, want_normal ? normal : NULL);
  if (x >= 0 && (nearest->x < 0 || x < nearest->x)) {
    nearest->x = x;
    nearest->geom = g;
    if (want_normal) snu_copy3(nearest->normal, normal);
  }
}

// Which of geoms [g, g + 4) may the ray hit? One bit for each. The test is isPassed with a radius that
// holds for every bounded shape, the sum of the sizes: tryGeom repeats it with the shape's own.
#if SN_HAS_FOUR
SN_KERNEL int candidates(const snModel* m, const snData* d, int g, const snReal pnt[3],
                         const snReal vec[3], snReal square, snReal nearest) {
  const snReal *x = d->geom_xpos + 3 * (snSize)g, *size = m->geom_size + 3 * (snSize)g;
  snFour along = {0, 0, 0, 0}, away = along, radius = along, zero = along;
  snFour minus = {-(snReal)0, -(snReal)0, -(snReal)0, -(snReal)0};
  for (int k = 0; k < 3; k++) {
    snFour offset = {x[k] - pnt[k], x[3 + k] - pnt[k], x[6 + k] - pnt[k], x[9 + k] - pnt[k]};
    snFour part = {size[k], size[3 + k], size[6 + k], size[9 + k]};
    along += offset * vec[k];
    away += offset * offset;
    radius += (snFour)((__typeof__(zero < zero))part & ~(__typeof__(zero < zero))minus);  // |part|
  }
  snFour reach = radius * radius * (snReal)1.000001, scaled = away * square;
  __typeof__(zero < zero) passed = scaled - along * along > reach * square + (snReal)1e-9 * scaled;
  passed |= (away > reach) & (along < zero);
  if (nearest >= 0) {
    snFour entry = along - nearest * square;
    passed |= (entry > zero) & (entry * entry > reach * square);
  }
  int bits = 0;
  for (int i = 0; i < 4; i++) {
    bits |= (!sn_isConvexGeom(m->geom_type[g + i]) || !passed[i]) << i;
  }
  return bits;
}
#else
SN_KERNEL int candidates(const snModel* m, const snData* d, int g, const snReal pnt[3],
                         const snReal vec[3], snReal square, snReal nearest) {
  (void)m, (void)d, (void)g, (void)pnt, (void)vec, (void)square, (void)nearest;
  return 15;
}
#endif

SN_WIDE(static, void, nearestGeom,
        (const snModel* m, const snData* d, const RayFilter* filter, const snReal pnt[3],
         const snReal vec[3], snReal square, int want_normal, Nearest* nearest),
        (m, d, filter, pnt, vec, square, want_normal, nearest)) {
  int ngeom = (int)m->ngeom;
  for (int first = 0; first < ngeom; first += 4) {
    int bits = 15;
    if (first + 4 <= ngeom) bits = candidates(m, d, first, pnt, vec, square, nearest->x);
    for (int g = first; bits && g < ngeom; g++, bits >>= 1) {
      if (!(bits & 1) || isEliminated(m, filter, g)) continue;
      tryGeom(m, d, g, pnt, vec, square, want_normal, nearest);
    }
  }
}

snReal sn_ray(const snModel* m, const snData* d, const snReal pnt[3], const snReal vec[3],
              const snByte* geomgroup, snByte flg_static, int bodyexclude, int geomid[1],
              snReal normal[3]) {
  if (!SN_IS_DATA_OF(m, d, "sn_ray")) return -1;
  RayFilter filter = {geomgroup, flg_static, bodyexclude};
  Nearest nearest = {-1, -1, {0, 0, 0}};
  if (geomid) *geomid = -1;
  if (normal) snu_zero3(normal);
  snReal square = snu_dot3(vec, vec);
  if (snu_sqrt(square) < (snReal)snMINVAL) {
    snu_error("sn_ray: vector length is too small");
    return -1;
  }
  nearestGeom(m, d, &filter, pnt, vec, square, normal != NULL, &nearest);
  if (geomid) *geomid = nearest.geom;
  if (normal) snu_copy3(normal, nearest.normal);
  return nearest.x;
}

// ---- many rays from one point --------------------------------------------------------------------

// directions in which a geom may be hit
struct Cone_ {
  snReal azimuth[2], polar[2];
  int eliminated;
};
typedef struct Cone_ Cone;

static snReal azimuthOf(const snReal v[3]) { return snu_atan2(v[1], v[0]); }

static snReal polarOf(const snReal v[3]) {
  return snu_atan2(snu_sqrt(v[0] * v[0] + v[1] * v[1]), v[2]);
}

static void everyDirection(Cone* cone) {
  cone->azimuth[0] = -(snReal)snPI;
  cone->azimuth[1] = (snReal)snPI;
  cone->polar[0] = 0;
  cone->polar[1] = (snReal)snPI;
}

// angles of the corners of the geom's box, widened by the angle of its largest half size
static void boundDirections(const snModel* m, const snData* d, int g, const snReal pnt[3],
                            Cone* cone) {
  SN_ASSERT_INDEX(g, m->ngeom);
  const snReal *aabb = m->geom_aabb + 6 * g, *pos = d->geom_xpos + 3 * g;
  const snReal* mat = d->geom_xmat + 9 * g;
  snReal offset[3], local[3];
  everyDirection(cone);
  snu_sub3(offset, pnt, pos);
  snu_mulMatTVec3(local, mat, offset);
  int inside = 1;
  for (int k = 0; k < 3; k++) {
    if (snu_abs(local[k] - aabb[k]) > aabb[3 + k]) inside = 0;
  }
  if (inside) return;

  snReal azimuth[2] = {(snReal)snMAXVAL, -(snReal)snMAXVAL};
  snReal polar[2] = {(snReal)snMAXVAL, -(snReal)snMAXVAL};
  for (int i = 0; i < 8; i++) {
    snReal corner[3];
    for (int k = 0; k < 3; k++) local[k] = aabb[k] + (i & (1 << k) ? aabb[3 + k] : -aabb[3 + k]);
    snu_mulMatVec3(corner, mat, local);
    snu_addTo3(corner, pos);
    snu_subFrom3(corner, pnt);
    snReal a = azimuthOf(corner), p = polarOf(corner);
    azimuth[0] = snu_min(azimuth[0], a);
    azimuth[1] = snu_max(azimuth[1], a);
    polar[0] = snu_min(polar[0], p);
    polar[1] = snu_max(polar[1], p);
  }
  snReal distance = snu_norm3(offset);
  if (distance > (snReal)snMINVAL) {
    snReal size = snu_max(aabb[3], snu_max(aabb[4], aabb[5]));
    snReal angle = snu_atan2(size, distance);
    azimuth[0] -= angle;
    azimuth[1] += angle;
    polar[0] -= angle;
    polar[1] += angle;
  }
  if (azimuth[1] - azimuth[0] > (snReal)snPI || polar[1] - polar[0] > (snReal)snPI) return;
  for (int k = 0; k < 2; k++) {
    cone->azimuth[k] = azimuth[k];
    cone->polar[k] = polar[k];
  }
}

static int isOutside(const Cone* cone, snReal azimuth, snReal polar) {
  if (polar < cone->polar[0] || polar > cone->polar[1]) return 1;
  snReal middle = (cone->azimuth[0] + cone->azimuth[1]) * (snReal)0.5;
  snReal half = (cone->azimuth[1] - cone->azimuth[0]) * (snReal)0.5;
  snReal turn = azimuth - middle;  // less than a turn and a half
  if (turn > (snReal)snPI) turn -= 2 * (snReal)snPI;
  if (turn < -(snReal)snPI) turn += 2 * (snReal)snPI;
  return snu_abs(turn) > half;
}

static void prepareCones(const snModel* m, const snData* d, const snReal pnt[3],
                         const RayFilter* filter, snReal cutoff, Cone* cones) {
  for (int g = 0; g < m->ngeom; g++) {
    cones[g].eliminated = isEliminated(m, filter, g);
    if (cones[g].eliminated || m->body_bvhadr[m->geom_bodyid[g]] < 0) {
      everyDirection(cones + g);
    } else if (snu_dist3(d->geom_xpos + 3 * g, pnt) > cutoff + m->geom_rbound[g]) {
      cones[g].eliminated = 1;
    } else {
      boundDirections(m, d, g, pnt, cones + g);
    }
  }
}

// a body that may be hit, with the sphere around the root of its tree as seen from the rays' origin
struct Target_ {
  int body;
  int bounded;
  snReal offset[3];  // origin minus centre; the centre is not rotated with the body
  snReal outside;    // squared distance from the centre minus squared radius
};
typedef struct Target_ Target;

static int prepareTargets(const snModel* m, const snData* d, const snReal pnt[3], const Cone* cones,
                          Target* targets) {
  int n = 0;
  for (int body = 0; body < m->nbody; body++) {
    int start = m->body_geomadr[body], end = start + m->body_geomnum[body], live = 0;
    for (int g = start; g < end; g++) live |= !cones[g].eliminated;
    if (!live) continue;
    Target* target = targets + n++;
    target->body = body;
    target->bounded = m->body_bvhadr[body] >= 0;
    if (!target->bounded) continue;
    const snReal* aabb = m->bvh_aabb + 6 * (snSize)m->body_bvhadr[body];
    snReal center[3], radius = snu_norm3(aabb + 3);
    snu_add3(center, d->xipos + 3 * body, aabb);
    snu_sub3(target->offset, pnt, center);
    target->outside = snu_dot3(target->offset, target->offset) - radius * radius;
  }
  return n;
}

// no root of square x^2 + 2 b x + outside = 0 that is not negative
static int misses(const Target* target, const snReal vec[3], snReal square) {
  snReal b = snu_dot3(vec, target->offset);
  return b * b - square * target->outside < 0 || (b > 0 && target->outside > 0);
}

static void castRay(const snModel* m, const snData* d, const snReal pnt[3], const snReal vec[3],
                    const Cone* cones, const Target* targets, int ntarget, int want_normal,
                    Nearest* nearest) {
  snReal azimuth = azimuthOf(vec), polar = polarOf(vec), square = snu_dot3(vec, vec);
  for (int i = 0; i < ntarget; i++) {
    const Target* target = targets + i;
    if (target->bounded && misses(target, vec, square)) continue;
    int start = m->body_geomadr[target->body], end = start + m->body_geomnum[target->body];
    for (int g = start; g < end; g++) {
      if (cones[g].eliminated) continue;
      if (target->bounded && isOutside(cones + g, azimuth, polar)) continue;
      tryGeom(m, d, g, pnt, vec, square, want_normal, nearest);
    }
  }
}

void sn_multiRay(const snModel* m, snData* d, const snReal pnt[3], const snReal* vec,
                 const snByte* geomgroup, snByte flg_static, int bodyexclude, int* geomid,
                 snReal* dist, snReal* normal, int nray, snReal cutoff) {
  if (!SN_IS_DATA_OF(m, d, "sn_multiRay")) return;
  RayFilter filter = {geomgroup, flg_static, bodyexclude};
  sn_markStack(d);
  Cone* cones = (Cone*)sn_stackAlloc(d, sizeof(Cone) * (size_t)m->ngeom, sizeof(snReal));
  Target* targets = (Target*)sn_stackAlloc(d, sizeof(Target) * (size_t)m->nbody, sizeof(snReal));
  if ((!cones && m->ngeom) || !targets) {
    snu_error("sn_multiRay: arena is full, increase size/memory");
    sn_freeStack(d);
    return;
  }
  prepareCones(m, d, pnt, &filter, cutoff, cones);
  int ntarget = prepareTargets(m, d, pnt, cones, targets);
  SN_FOR(i, nray) {
    const snReal* v = vec + 3 * (snSize)i;
    Nearest nearest = {-1, -1, {0, 0, 0}};
    if (snu_dot3(v, v) < (snReal)snMINVAL) {
      dist[i] = -1;
      continue;
    }
    castRay(m, d, pnt, v, cones, targets, ntarget, normal != NULL, &nearest);
    dist[i] = nearest.x;
    if (geomid) geomid[i] = nearest.geom;
    if (normal) snu_copy3(normal + 3 * (snSize)i, nearest.normal);
  }
  sn_freeStack(d);
}
