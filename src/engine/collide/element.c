// One element of a flex against a geom, a vertex or another element.
//
// An element is a segment, a triangle or a tetrahedron with a radius: lines are capsules, triangles have
// closed forms with spheres, capsules and boxes, everything else is a convex object.

#include "base/assert.h"
#include "engine/collide/convex_query.h"
#include "engine/collide/flex.h"
#include "engine/collide/mpr.h"
#include "engine/collide/triangle.h"
#include "math/math.h"
#include "sinew/sinew.h"

static const snReal* vertexPos(const snModel* m, const snData* d, int flex, int vertex) {
  return d->flexvert_xpos + 3 * (m->flex_vertadr[flex] + vertex);
}

// ---- elements as shapes --------------------------------------------------------------------------

// the capsule of a line, with the memory that its shape points to
typedef struct Capsule_ {
  snReal pos[3], mat[9], size[3];
} Capsule;

static snPosedShape capsuleOf(const snModel* m, const snData* d, int flex, int element,
                              Capsule* capsule) {
  SN_ASSERT_INDEX(flex, m->nflex);
  const int* vertex = sn_elementVertices(m, flex, element);
  const snReal *a = vertexPos(m, d, flex, vertex[0]), *b = vertexPos(m, d, flex, vertex[1]);
  snReal axis[3], quat[4];
  snu_sub3(axis, a, b);
  capsule->size[0] = m->flex_radius[flex];
  capsule->size[1] = snu_normalize3(axis) / 2;
  capsule->size[2] = 0;
  snu_add3(capsule->pos, a, b);
  snu_scl3(capsule->pos, capsule->pos, (snReal)0.5);
  snu_quatZ2Vec(quat, axis);
  snu_quat2Mat(capsule->mat, quat);
  snPosedShape shape = {capsule->pos, capsule->mat, capsule->size};
  return shape;
}

static snTriangle triangleOf(const snModel* m, const snData* d, int flex, int element) {
  SN_ASSERT_INDEX(flex, m->nflex);
  const int* vertex = sn_elementVertices(m, flex, element);
  snTriangle triangle;
  for (int i = 0; i < 3; i++) triangle.vertex[i] = vertexPos(m, d, flex, vertex[i]);
  triangle.radius = m->flex_radius[flex];
  return triangle;
}

static void convexElement(snConvex* object, const snModel* m, const snData* d, int flex,
                          int element, snReal margin) {
  SN_ASSERT_INDEX(flex, m->nflex);
  const int* vertex = sn_elementVertices(m, flex, element);
  object->kind = snCONVEX_FLEX;
  object->vertex = object->start = object->mesh = -1;
  object->nvert = m->flex_dim[flex] + 1;
  object->margin = margin;
  object->pos = sn_elementBox(m, d, flex, element);
  object->mat = NULL;
  object->size = m->flex_radius + flex;
  object->vert = NULL;
  object->graph = NULL;
  for (int i = 0; i < object->nvert; i++) {
    snu_copy3(object->point[i], vertexPos(m, d, flex, vertex[i]));
  }
}

// ---- convex pairs --------------------------------------------------------------------------------

// one contact of two convex objects, one of them an element at least
static int collideObjects(const snModel* m, snData* d, snContactPoint* points, snConvex* object1,
                          snConvex* object2, snReal margin) {
  snCcd ccd;
  sn_ccdBegin(&ccd, m, d, object1, object2);
  int n = sn_penetrate(&ccd, points, margin);
  if (ccd.full) sn_missContact(d);
  return n;
}

// The normal of a contact with a triangle comes from the geom where its surface is smooth.
static int collideConvexGeom(const snModel* m, snData* d, snContactPoint* points, int geom,
                             int flex, int element, snReal margin) {
  SN_ASSERT_INDEX(geom, m->ngeom);
  SN_ASSERT_INDEX(flex, m->nflex);
  snConvex object1, object2;
  sn_convexGeom(&object1, m, d, geom, margin);
  convexElement(&object2, m, d, flex, element, margin);
  int n = collideObjects(m, d, points, &object1, &object2, margin);
  int native = !(m->opt.disableflags & snDSBL_NATIVECCD);
  if (n && native && m->flex_dim[flex] == 2) {
    sn_fixNormal(points->normal, points->pos, &object1, NULL);
  }
  return n;
}

int sn_collideHfieldElement(const snModel* m, snData* d, snContactPoint* points, int geom, int flex,
                            int element, snReal margin) {
  SN_ASSERT_INDEX(geom, m->ngeom);
  SN_ASSERT_INDEX(flex, m->nflex);
  snConvex object;
  convexElement(&object, m, d, flex, element, margin);
  return sn_collideHfieldConvex(m, d, points, geom, &object, margin);
}

// ---- element and geom ----------------------------------------------------------------------------

static int collideLine(const snModel* m, snData* d, snContactPoint* points, int geom, int flex,
                       int element, snReal margin) {
  SN_ASSERT_INDEX(geom, m->ngeom);
  SN_ASSERT_INDEX(flex, m->nflex);
  snPosedShape shape = {d->geom_xpos + 3 * geom, d->geom_xmat + 9 * geom, m->geom_size + 3 * geom};
  Capsule memory;
  snPosedShape capsule = capsuleOf(m, d, flex, element, &memory);
  int n;
  switch (m->geom_type[geom]) {
    case snGEOM_SPHERE: return sn_sphereCapsule(points, margin, &shape, &capsule);
    case snGEOM_CAPSULE: return sn_capsuleCapsule(points, margin, &shape, &capsule);
    case snGEOM_BOX:  // the capsule comes first there
      n = sn_capsuleBox(points, margin, &capsule, &shape);
      for (int i = 0; i < n; i++) snu_scl3(points[i].normal, points[i].normal, -1);
      return n;
    default: return collideConvexGeom(m, d, points, geom, flex, element, margin);
  }
}

static int collideTriangle(const snModel* m, snData* d, snContactPoint* points, int geom, int flex,
                           int element, snReal margin) {
  SN_ASSERT_INDEX(geom, m->ngeom);
  SN_ASSERT_INDEX(flex, m->nflex);
  snPosedShape shape = {d->geom_xpos + 3 * geom, d->geom_xmat + 9 * geom, m->geom_size + 3 * geom};
  snTriangle triangle = triangleOf(m, d, flex, element);
  switch (m->geom_type[geom]) {
    case snGEOM_SPHERE:
      return sn_sphereTriangle(points, margin, shape.pos, shape.size[0], &triangle);
    case snGEOM_CAPSULE: return sn_capsuleTriangle(points, margin, &shape, &triangle);
    case snGEOM_BOX: return sn_boxTriangle(points, margin, &shape, &triangle);
    default: return collideConvexGeom(m, d, points, geom, flex, element, margin);
  }
}

int sn_collideGeomElement(const snModel* m, snData* d, snContactPoint* points, int geom, int flex,
                          int element, snReal margin) {
  SN_ASSERT_INDEX(geom, m->ngeom);
  SN_ASSERT_INDEX(flex, m->nflex);
  if (m->geom_type[geom] == snGEOM_HFIELD) {
    return sn_collideHfieldElement(m, d, points, geom, flex, element, margin);
  }
  switch (m->flex_dim[flex]) {
    case 1: return collideLine(m, d, points, geom, flex, element, margin);
    case 2: return collideTriangle(m, d, points, geom, flex, element, margin);
    default: return collideConvexGeom(m, d, points, geom, flex, element, margin);
  }
}

// ---- element and element -------------------------------------------------------------------------

int sn_collideElements(const snModel* m, snData* d, snContactPoint* points, int flex1, int element1,
                       int flex2, int element2, snReal margin) {
  if (m->flex_dim[flex1] == 1 && m->flex_dim[flex2] == 1) {
    Capsule memory1, memory2;
    snPosedShape capsule1 = capsuleOf(m, d, flex1, element1, &memory1);
    snPosedShape capsule2 = capsuleOf(m, d, flex2, element2, &memory2);
    return sn_capsuleCapsule(points, margin, &capsule1, &capsule2);
  }
  snConvex object1, object2;
  convexElement(&object1, m, d, flex1, element1, margin);
  convexElement(&object2, m, d, flex2, element2, margin);
  return collideObjects(m, d, points, &object1, &object2, margin);
}

int sn_collideVertexElement(const snModel* m, snData* d, snContactPoint* points, int flex,
                            int vertex, int element) {
  SN_ASSERT_INDEX(flex, m->nflex);
  static const snReal kUpright[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const snReal* center = vertexPos(m, d, flex, vertex);
  if (m->flex_dim[flex] == 1) {
    snPosedShape sphere = {center, kUpright, m->flex_radius + flex};
    Capsule memory;
    snPosedShape capsule = capsuleOf(m, d, flex, element, &memory);
    return sn_sphereCapsule(points, 0, &sphere, &capsule);
  }
  snTriangle triangle = triangleOf(m, d, flex, element);
  return sn_sphereTriangle(points, 0, center, m->flex_radius[flex], &triangle);
}
