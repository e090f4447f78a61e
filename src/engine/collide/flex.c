// A flex with the geoms of a body, and with another flex.

#include "engine/collide/flex.h"

#include "base/arena.h"
#include "base/assert.h"
#include "engine/collide/primitive.h"
#include "math/math.h"
#include "sinew/sinew.h"

// ---- elements in reach of a box ------------------------------------------------------------------

// ascending order; lists are short, or nearly in order
static void sortElements(int* element, int* other, int n) {
  for (int width = 1; width < n; width *= 2) {
    for (int begin = 0; begin < n; begin += 2 * width) {
      int middle = begin + width < n ? begin + width : n;
      int end = begin + 2 * width < n ? begin + 2 * width : n;
      for (int i = begin, j = middle, k = begin; k < end; k++) {
        other[k] =
            i < middle && (j == end || element[i] < element[j]) ? element[i++] : element[j++];
      }
    }
    for (int k = 0; k < n; k++) element[k] = other[k];
  }
}

// one lane descends the tree of the flex
static int descend(const snModel* m, const snData* d, int flex, const snReal box[6], snReal margin,
                   int* list) {
  SN_ASSERT_INDEX(flex, m->nflex);
  int pending[2 * snMAXTREEDEPTH], count = 1, n = 0, root = m->flex_bvhadr[flex];
  const snReal* boxes = d->bvh_aabb_dyn + 6 * (root - m->nbvhstatic);
  snReal low[3], high[3];
  for (int k = 0; k < 3; k++) {
    low[k] = box[k] - box[3 + k];
    high[k] = box[k] + box[3 + k] + margin;
  }
  pending[0] = 0;
  while (count) {
    int node = pending[--count];
    const int* child = m->bvh_child + 2 * (snSize)(root + node);
    const snReal* other = boxes + 6 * (snSize)node;
    int apart = 0;  // sn_boxesApart
    for (int k = 0; k < 3; k++) {
      apart |= (high[k] < other[k] - other[3 + k]) | (other[k] + other[3 + k] + margin < low[k]);
    }
    if (apart) continue;
    if (child[0] < 0) {
      list[n++] = m->bvh_nodeid[root + node];
    } else if (count + 2 <= 2 * snMAXTREEDEPTH) {
      pending[count++] = child[1];
      pending[count++] = child[0];
    }
  }
  sortElements(list, list + m->flex_elemnum[flex], n);
  return n;
}

// A team tests all elements, each lane its share, which lists them in order.
static int filter(const snModel* m, const snData* d, int flex, const snReal box[6], snReal margin,
                  int* list) {
  SN_ASSERT_INDEX(flex, m->nflex);
  int n = 0, total, count = m->flex_elemnum[flex];
  for (int first = 0; first < count; first += SN_LANES) {
    int e = first + SN_LANE;
    int is_near = e < count && sn_isActive(m, flex, e) &&
                  !sn_boxesApart(box, sn_elementBox(m, d, flex, e), margin);
    int place = n + sn_teamRank(is_near, &total);
    if (is_near) list[place] = e;
    n += total;
  }
  SN_SYNC();
  return n;
}

// Elements of a flex that collide and whose boxes come within margin of a box, in ascending order. Returns
// their number; list has room for all elements, twice.
static int nearElements(const snModel* m, const snData* d, int flex, const snReal box[6],
                        snReal margin, int* list) {
  SN_ASSERT_INDEX(flex, m->nflex);
  if (SN_LANES > 1) return filter(m, d, flex, box, margin, list);
  return descend(m, d, flex, box, margin, list);
}

static int usesTrees(const snModel* m, int flex) {
  return !(m->opt.disableflags & snDSBL_MIDPHASE) && m->flex_bvhadr[flex] >= 0;
}

static int* takeList(const snModel* m, snData* d, int flex) {
  SN_ASSERT_INDEX(flex, m->nflex);
  int* list = SN_STACK(d, int, 2 * m->flex_elemnum[flex]);
  if (!list) SN_SOLO(sn_warning(d, snWARN_CONTACTFULL, d->ncon));
  return list;
}

// ---- plane and vertices --------------------------------------------------------------------------

// is a point higher over a plane than reach?
static inline int isOver(const snReal x[3], const snReal origin[3], const snReal normal[3],
                         snReal reach) {
  snReal offset[3];
  snu_sub3(offset, x, origin);
  return snu_dot3(offset, normal) > reach;
}

static void touchPlane(const snModel* m, snData* d, int geom, int flex) {
  SN_ASSERT_INDEX(geom, m->ngeom);
  SN_ASSERT_INDEX(flex, m->nflex);
  const snReal *origin = d->geom_xpos + 3 * geom, *mat = d->geom_xmat + 9 * geom;
  const snReal* x = d->flexvert_xpos + 3 * m->flex_vertadr[flex];
  snReal radius = m->flex_radius[flex], normal[3] = {mat[2], mat[5], mat[8]};
  snReal margin = sn_overrideMargin(m, m->geom_margin[geom] + m->flex_margin[flex]);
  for (int first = 0; first < m->flex_vertnum[flex]; first += SN_LANES) {
    int i = first + SN_LANE, own = i < m->flex_vertnum[flex], n = 0, total;
    sn_teamRank(own && !isOver(x + 3 * i, origin, normal, margin + radius), &total);
    if (!total) continue;
    snSides sides = {{geom, -1}, {-1, flex}, {-1, -1}, {-1, i}};
    snContactPoint point;
    if (own) n = sn_planeSphere(&point, margin, origin, normal, x + 3 * i, radius);
    if (!sn_addFlexContacts(m, d, &point, n, &sides, margin, 0)) return;
  }
}

// ---- geom and elements ---------------------------------------------------------------------------

// does the element hang on the geom's own body?
static int isAttached(const snModel* m, int geom, int flex, int element) {
  SN_ASSERT_INDEX(geom, m->ngeom);
  SN_ASSERT_INDEX(flex, m->nflex);
  const int* vertex = sn_elementVertices(m, flex, element);
  const int* body = m->flex_vertbodyid + m->flex_vertadr[flex];
  for (int i = 0; i <= m->flex_dim[flex]; i++) {
    if (body[vertex[i]] == m->geom_bodyid[geom]) return 1;
  }
  return 0;
}

// Each lane passes an element, or none (negative).
static void touchElement(const snModel* m, snData* d, int geom, int flex, int element,
                         snReal margin) {
  SN_ASSERT_INDEX(geom, m->ngeom);
  SN_ASSERT_INDEX(flex, m->nflex);
  snSides sides = {{geom, -1}, {-1, flex}, {-1, element}, {-1, -1}};
  snContactPoint points[snMAXCONPAIR];
  int n = 0;
  if (!sn_hasRoomForPair(d)) return;
  if (element >= 0 && !isAttached(m, geom, flex, element)) {
    n = sn_collideGeomElement(m, d, points, geom, flex, element, margin);
  }
  sn_addFlexContacts(m, d, points, n, &sides, margin, 0);
}

// box of the sphere around a geom
static void sphereBox(const snModel* m, const snData* d, int geom, snReal margin, snReal box[6]) {
  SN_ASSERT_INDEX(geom, m->ngeom);
  for (int k = 0; k < 3; k++) {
    box[k] = d->geom_xpos[3 * geom + k];
    box[3 + k] = m->geom_rbound[geom] + margin;
  }
}

// Do the sphere around a geom and its oriented box come within margin of the box of an element?
static int isNearBox(const snModel* m, const snData* d, int geom, const snReal box[6],
                     snReal margin) {
  SN_ASSERT_INDEX(geom, m->ngeom);
  const snReal* center = d->geom_xpos + 3 * geom;
  snReal reach = m->geom_rbound[geom] + margin, square = 0;
  if (m->geom_type[geom] == snGEOM_SPHERE) return 1;  // its collider is as quick
  if (m->geom_rbound[geom] > 0) {
    for (int k = 0; k < 3; k++) {
      snReal outside = snu_abs(center[k] - box[k]) - box[3 + k];
      if (outside > 0) square += outside * outside;
    }
    if (square > reach * reach) return 0;
  }
  return sn_geomMeetsBox(m, d, geom, box, margin);
}

// Shrinks a box around a geom to that of its oriented box, padded for rounding. isNearBox decides about what remains.
static void shrinkToGeom(const snModel* m, const snData* d, int geom, snReal margin,
                         snReal box[6]) {
  SN_ASSERT_INDEX(geom, m->ngeom);
  const snReal *aabb = m->geom_aabb + 6 * geom, *mat = d->geom_xmat + 9 * geom;
  snReal center[3], most = (snReal)snMAXVAL,
                    room = sizeof(snReal) == 4 ? (snReal)1e-4 : (snReal)1e-9;
  if (!(aabb[3] < most && aabb[4] < most && aabb[5] < most)) return;
  snu_mulMatVec3(center, mat, aabb);
  for (int k = 0; k < 3; k++) {
    snReal middle = center[k] + d->geom_xpos[3 * geom + k], half = margin;
    for (int l = 0; l < 3; l++) half += snu_abs(mat[3 * k + l]) * aabb[3 + l];
    half += room * (1 + half + snu_abs(middle));
    snReal low = snu_max(box[k] - box[3 + k], middle - half);
    snReal high = snu_min(box[k] + box[3 + k], middle + half);
    box[k] = (snReal)0.5 * (low + high);
    box[3 + k] = (snReal)0.5 * (high - low) * (1 + room);
  }
}

// the geom and the elements that trees have found
static void touchList(const snModel* m, snData* d, int geom, int flex, const int* list, int n,
                      snReal margin) {
  SN_ASSERT_INDEX(geom, m->ngeom);
  SN_ASSERT_INDEX(flex, m->nflex);
  for (int first = 0; first < n; first += SN_LANES) {
    int i = first + SN_LANE, element = i < n ? list[i] : -1, total;
    if (element >= 0 && !isNearBox(m, d, geom, sn_elementBox(m, d, flex, element), margin)) {
      element = -1;
    }
    sn_teamRank(element >= 0, &total);
    if (total) touchElement(m, d, geom, flex, element, margin);
  }
}

// the geom and all elements, without trees
static void touchAll(const snModel* m, snData* d, int geom, int flex, const snReal box[6],
                     snReal margin) {
  SN_ASSERT_INDEX(geom, m->ngeom);
  SN_ASSERT_INDEX(flex, m->nflex);
  int count = m->flex_elemnum[flex];
  for (int first = 0; first < count; first += SN_LANES) {
    int element = first + SN_LANE, total;
    if (element >= count || sn_boxesApart(box, sn_elementBox(m, d, flex, element), 0)) element = -1;
    sn_teamRank(element >= 0, &total);
    if (total) touchElement(m, d, geom, flex, element, margin);
  }
}

static void touchGeom(const snModel* m, snData* d, int geom, int flex, int* list) {
  SN_ASSERT_INDEX(geom, m->ngeom);
  SN_ASSERT_INDEX(flex, m->nflex);
  snReal margin = sn_overrideMargin(m, m->geom_margin[geom] + m->flex_margin[flex]), box[6];
  if (!sn_masksMeet(m->geom_contype[geom], m->geom_conaffinity[geom], m->flex_contype[flex],
                    m->flex_conaffinity[flex])) {
    return;
  }
  sphereBox(m, d, geom, margin, box);
  if (list) {
    if (m->geom_type[geom] != snGEOM_SPHERE) shrinkToGeom(m, d, geom, margin, box);
    int n = nearElements(m, d, flex, box, 0, list);
    touchList(m, d, geom, flex, list, n, margin);
    SN_SYNC();
  } else {
    touchAll(m, d, geom, flex, box, margin);
  }
}

void sn_collideBodyFlex(const snModel* m, snData* d, int body, int flex) {
  SN_ASSERT_INDEX(body, m->nbody);
  SN_ASSERT_INDEX(flex, m->nflex);
  int trees = usesTrees(m, flex) && m->body_bvhadr[body] >= 0;
  int begin = m->body_geomadr[body], end = begin + m->body_geomnum[body];
  sn_markStack(d);
  int* list = trees ? takeList(m, d, flex) : NULL;
  for (int geom = begin; geom < end && (list || !trees); geom++) {
    if (m->geom_type[geom] != snGEOM_PLANE) {
      touchGeom(m, d, geom, flex, list);
    } else if (trees || sn_masksMeet(m->geom_contype[geom], m->geom_conaffinity[geom],
                                     m->flex_contype[flex], m->flex_conaffinity[flex])) {
      // trees lead to planes whatever their own masks say
      touchPlane(m, d, geom, flex);
    }
  }
  SN_SYNC();
  sn_freeStack(d);
}

// ---- element and element -------------------------------------------------------------------------

static int shareBody(const snModel* m, int flex1, int element1, int flex2, int element2) {
  const int *v1 = sn_elementVertices(m, flex1, element1),
            *v2 = sn_elementVertices(m, flex2, element2);
  const int* body1 = m->flex_vertbodyid + m->flex_vertadr[flex1];
  const int* body2 = m->flex_vertbodyid + m->flex_vertadr[flex2];
  for (int i = 0; i <= m->flex_dim[flex1]; i++) {
    for (int j = 0; j <= m->flex_dim[flex2]; j++) {
      if (body1[v1[i]] >= 0 && body1[v1[i]] == body2[v2[j]]) return 1;
    }
  }
  return 0;
}

// vertices of two elements: where the positions of a flex begin, which they are, how many
typedef struct Corners_ {
  const snReal* xpos;
  const int* vertex;
  int n;
} Corners;

static inline Corners cornersOf(const snModel* m, const snData* d, int flex, int element) {
  SN_ASSERT_INDEX(flex, m->nflex);
  Corners corners = {d->flexvert_xpos + 3 * (snSize)m->flex_vertadr[flex],
                     sn_elementVertices(m, flex, element), m->flex_dim[flex] + 1};
  return corners;
}

static inline void meanOf(const Corners* corners, int n, snReal mean[3]) {
  snu_copy3(mean, corners->xpos + 3 * corners->vertex[0]);
  for (int i = 1; i < n; i++) snu_addTo3(mean, corners->xpos + 3 * corners->vertex[i]);
  snu_scl3(mean, mean, 1 / (snReal)n);
}

// the largest of the vertices along an axis, or the least of them (sign -1)
static inline snReal farthest(const Corners* corners, int n, const snReal axis[3], int sign) {
  snReal most = sign * snu_dot3(axis, corners->xpos + 3 * corners->vertex[0]);
  for (int i = 1; i < n; i++) {
    snReal x = sign * snu_dot3(axis, corners->xpos + 3 * corners->vertex[i]);
    most = x > most ? x : most;
  }
  return sign * most;
}

// Are n1 and n2 vertices farther apart than their elements reach, along the line between their means?
static inline int areBeyond(const Corners* corners1, int n1, const Corners* corners2, int n2,
                            snReal reach) {
  const snReal doubt = sizeof(snReal) == 4 ? (snReal)1e-4 : (snReal)1e-6;
  snReal axis[3], mean1[3], mean2[3];
  meanOf(corners1, n1, mean1);
  meanOf(corners2, n2, mean2);
  snu_sub3(axis, mean2, mean1);
  snReal gap = farthest(corners2, n2, axis, -1) - farthest(corners1, n1, axis, 1);
  if (!(gap > 0)) return 0;
  snReal length = snu_norm3(axis);
  return gap > (reach + doubt * (snu_abs(reach) + length)) * length;
}

// Returns 0 when in doubt: then the collider decides.
static int areApart(const snModel* m, const snData* d, int flex1, int element1, int flex2,
                    int element2, snReal margin) {
  Corners corners1 = cornersOf(m, d, flex1, element1), corners2 = cornersOf(m, d, flex2, element2);
  snReal reach = m->flex_radius[flex1] + m->flex_radius[flex2] + margin;
  if (corners1.n == 3 && corners2.n == 3) return areBeyond(&corners1, 3, &corners2, 3, reach);
  return areBeyond(&corners1, corners1.n, &corners2, corners2.n, reach);
}

// Contacts of a pair of elements of each lane. All lanes call it; those with is_near set have a pair that may touch.
static inline void touchNear(const snModel* m, snData* d, int flex1, int element1, int flex2,
                             int element2, snReal margin, int is_near) {
  int n = 0, total;
  sn_teamRank(is_near, &total);
  if (!total || !sn_hasRoomForPair(d)) return;
  snSides sides = {{-1, -1}, {flex1, flex2}, {element1, element2}, {-1, -1}};
  snContactPoint points[2];  // two capsules make as many, others one
  if (is_near) n = sn_collideElements(m, d, points, flex1, element1, flex2, element2, margin);
  sn_addFlexContacts(m, d, points, n, &sides, margin, 0);
}

void sn_touchElements(const snModel* m, snData* d, int flex1, int element1, int flex2,
                      int element2) {
  snReal margin = 0;
  int is_near = element1 >= 0;
  if (flex1 != flex2) margin = sn_overrideMargin(m, m->flex_margin[flex1] + m->flex_margin[flex2]);
  if (is_near) {
    const snReal* box1 = sn_elementBox(m, d, flex1, element1);
    const snReal* box2 = sn_elementBox(m, d, flex2, element2);
    is_near = !sn_boxesApart(box1, box2, margin) &&
              !shareBody(m, flex1, element1, flex2, element2) &&
              !areApart(m, d, flex1, element1, flex2, element2, margin);
  }
  touchNear(m, d, flex1, element1, flex2, element2, margin, is_near);
}

int sn_areNear(const snModel* m, const snData* d, int flex, int element1, int element2) {
  const snReal* box1 = sn_elementBox(m, d, flex, element1);
  const snReal* box2 = sn_elementBox(m, d, flex, element2);
  return !sn_boxesApart(box1, box2, 0) && !areApart(m, d, flex, element1, flex, element2, 0);
}

void sn_touchNear(const snModel* m, snData* d, int flex, int element1, int element2) {
  touchNear(m, d, flex, element1, flex, element2, 0, 1);
}

// one element of the first flex and those of the second: of a list, or all of them
static void touchRow(const snModel* m, snData* d, int flex1, int element1, int flex2,
                     const int* list, int n) {
  for (int first = 0; first < n; first += SN_LANES) {
    int i = first + SN_LANE;
    sn_touchElements(m, d, flex1, i < n ? element1 : -1, flex2, list && i < n ? list[i] : i);
  }
}

void sn_collideFlexes(const snModel* m, snData* d, int flex1, int flex2) {
  int trees = usesTrees(m, flex1) && usesTrees(m, flex2);
  snReal margin = sn_overrideMargin(m, m->flex_margin[flex1] + m->flex_margin[flex2]);
  sn_markStack(d);
  int* list = trees ? takeList(m, d, flex2) : NULL;
  for (int e1 = 0; e1 < m->flex_elemnum[flex1] && (list || !trees); e1++) {
    int n = m->flex_elemnum[flex2];
    if (list && !sn_isActive(m, flex1, e1)) continue;
    if (list) n = nearElements(m, d, flex2, sn_elementBox(m, d, flex1, e1), margin, list);
    touchRow(m, d, flex1, e1, flex2, list, n);
    SN_SYNC();
  }
  sn_freeStack(d);
}
