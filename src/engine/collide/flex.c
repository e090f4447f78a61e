// A flex with the geoms of a body, and with another flex.

#include "engine/collide/flex.h"

#include "base/arena.h"
#include "math/math.h"
#include "sinew/sinew.h"

// ---- elements in reach of a box ------------------------------------------------------------------

// Elements of a flex whose boxes come within margin of a box, in ascending order.
typedef struct Near_ {
  int* element;
  int n;
} Near;

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

// Descend the tree of the flex; list has room for all elements, twice.
static Near nearElements(const snModel* m, const snData* d, int flex, const snReal box[6],
                         snReal margin, int* list) {
  int pending[2 * snMAXTREEDEPTH], count = 1, root = m->flex_bvhadr[flex];
  const snReal* boxes = d->bvh_aabb_dyn + 6 * (root - m->nbvhstatic);
  Near near_box = {list, 0};
  pending[0] = 0;
  while (count) {
    int node = pending[--count];
    const int* child = m->bvh_child + 2 * (snSize)(root + node);
    if (sn_boxesApart(box, boxes + 6 * (snSize)node, margin)) continue;
    if (child[0] < 0) {
      list[near_box.n++] = m->bvh_nodeid[root + node];
    } else if (count + 2 <= 2 * snMAXTREEDEPTH) {
      pending[count++] = child[1];
      pending[count++] = child[0];
    }
  }
  sortElements(list, list + m->flex_elemnum[flex], near_box.n);
  return near_box;
}

static int usesTrees(const snModel* m, int flex) {
  return !(m->opt.disableflags & snDSBL_MIDPHASE) && m->flex_bvhadr[flex] >= 0;
}

static int* takeList(const snModel* m, snData* d, int flex) {
  int* list = SN_STACK(d, int, 2 * m->flex_elemnum[flex]);
  if (!list) sn_warning(d, snWARN_CONTACTFULL, d->ncon);
  return list;
}

// ---- plane and vertices --------------------------------------------------------------------------

static void touchPlane(const snModel* m, snData* d, snContactPoint* point, int geom, int flex) {
  const snReal *origin = d->geom_xpos + 3 * geom, *mat = d->geom_xmat + 9 * geom;
  const snReal* x = d->flexvert_xpos + 3 * m->flex_vertadr[flex];
  snReal radius = m->flex_radius[flex], normal[3] = {mat[2], mat[5], mat[8]};
  snReal margin = sn_overrideMargin(m, m->geom_margin[geom] + m->flex_margin[flex]);
  snSides sides = {{geom, -1}, {-1, flex}, {-1, -1}, {-1, -1}};
  for (int i = 0; i < m->flex_vertnum[flex]; i++, x += 3) {
    snReal offset[3];
    snu_sub3(offset, x, origin);
    snReal height = snu_dot3(normal, offset);
    if (height > margin + radius) continue;
    point->dist = height - radius;
    snu_addScl3(point->pos, x, normal, -point->dist / 2 - radius);
    snu_copy3(point->normal, normal);
    snu_zero3(point->tangent);
    sides.vertex[1] = i;
    int before = d->ncon;
    sn_addFlexContacts(m, d, point, 1, &sides, margin, 0);
    if (d->ncon == before) return;
  }
}

// ---- geom and elements ---------------------------------------------------------------------------

// does the element hang on the geom's own body?
static int isAttached(const snModel* m, int geom, int flex, int element) {
  const int* vertex = sn_elementVertices(m, flex, element);
  const int* body = m->flex_vertbodyid + m->flex_vertadr[flex];
  for (int i = 0; i <= m->flex_dim[flex]; i++) {
    if (body[vertex[i]] == m->geom_bodyid[geom]) return 1;
  }
  return 0;
}

static void touchElement(const snModel* m, snData* d, snContactPoint* points, int geom, int flex,
                         int element, snReal margin) {
  if (isAttached(m, geom, flex, element)) return;
  if (!sn_hasContactRoom(d)) {
    sn_warning(d, snWARN_CONTACTFULL, d->ncon);
    return;
  }
  snSides sides = {{geom, -1}, {-1, flex}, {-1, element}, {-1, -1}};
  int n = sn_collideGeomElement(m, d, points, geom, flex, element, margin);
  sn_addFlexContacts(m, d, points, n, &sides, margin, 0);
}

// box of the sphere around a geom
static void sphereBox(const snModel* m, const snData* d, int geom, snReal margin, snReal box[6]) {
  for (int k = 0; k < 3; k++) {
    box[k] = d->geom_xpos[3 * geom + k];
    box[3 + k] = m->geom_rbound[geom] + margin;
  }
}

// Do the sphere around a geom and its oriented box come within margin of the box of an element?
static int isNearBox(const snModel* m, const snData* d, int geom, const snReal box[6],
                     snReal margin) {
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

static void touchGeom(const snModel* m, snData* d, snContactPoint* points, int geom, int flex,
                      int* list) {
  snReal margin = sn_overrideMargin(m, m->geom_margin[geom] + m->flex_margin[flex]), box[6];
  if (!sn_masksMeet(m->geom_contype[geom], m->geom_conaffinity[geom], m->flex_contype[flex],
                    m->flex_conaffinity[flex])) {
    return;
  }
  sphereBox(m, d, geom, margin, box);
  if (list) {
    Near near_geom = nearElements(m, d, flex, box, 0, list);
    for (int i = 0; i < near_geom.n; i++) {
      int element = near_geom.element[i];
      if (!isNearBox(m, d, geom, sn_elementBox(m, d, flex, element), margin)) continue;
      touchElement(m, d, points, geom, flex, element, margin);
    }
    return;
  }
  for (int element = 0; element < m->flex_elemnum[flex]; element++) {
    if (sn_boxesApart(box, sn_elementBox(m, d, flex, element), 0)) continue;
    touchElement(m, d, points, geom, flex, element, margin);
  }
}

void sn_collideBodyFlex(const snModel* m, snData* d, snContactPoint* points, int body, int flex) {
  int trees = usesTrees(m, flex) && m->body_bvhadr[body] >= 0;
  int begin = m->body_geomadr[body], end = begin + m->body_geomnum[body];
  sn_markStack(d);
  int* list = trees ? takeList(m, d, flex) : NULL;
  for (int geom = begin; geom < end && (list || !trees); geom++) {
    if (m->geom_type[geom] == snGEOM_PLANE) {
      // trees lead to planes whatever their own masks say
      if (trees || sn_masksMeet(m->geom_contype[geom], m->geom_conaffinity[geom],
                                m->flex_contype[flex], m->flex_conaffinity[flex])) {
        touchPlane(m, d, points, geom, flex);
      }
    } else {
      touchGeom(m, d, points, geom, flex, list);
    }
  }
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

void sn_touchElements(const snModel* m, snData* d, snContactPoint* points, int flex1, int element1,
                      int flex2, int element2) {
  snReal margin = 0;
  if (flex1 != flex2) margin = sn_overrideMargin(m, m->flex_margin[flex1] + m->flex_margin[flex2]);
  if (sn_boxesApart(sn_elementBox(m, d, flex1, element1), sn_elementBox(m, d, flex2, element2),
                    margin) ||
      shareBody(m, flex1, element1, flex2, element2)) {
    return;
  }
  if (!sn_hasContactRoom(d)) {
    sn_warning(d, snWARN_CONTACTFULL, d->ncon);
    return;
  }
  snSides sides = {{-1, -1}, {flex1, flex2}, {element1, element2}, {-1, -1}};
  int n = sn_collideElements(m, d, points, flex1, element1, flex2, element2, margin);
  sn_addFlexContacts(m, d, points, n, &sides, margin, 0);
}

void sn_collideFlexes(const snModel* m, snData* d, snContactPoint* points, int flex1, int flex2) {
  int trees = usesTrees(m, flex1) && usesTrees(m, flex2);
  snReal margin = sn_overrideMargin(m, m->flex_margin[flex1] + m->flex_margin[flex2]);
  sn_markStack(d);
  int* list = trees ? takeList(m, d, flex2) : NULL;
  for (int e1 = 0; e1 < m->flex_elemnum[flex1] && (list || !trees); e1++) {
    if (list) {
      if (!sn_isActive(m, flex1, e1)) continue;
      Near near_box = nearElements(m, d, flex2, sn_elementBox(m, d, flex1, e1), margin, list);
      for (int i = 0; i < near_box.n; i++) {
        sn_touchElements(m, d, points, flex1, e1, flex2, near_box.element[i]);
      }
    } else {
      for (int e2 = 0; e2 < m->flex_elemnum[flex2]; e2++) {
        sn_touchElements(m, d, points, flex1, e1, flex2, e2);
      }
    }
  }
  sn_freeStack(d);
}
