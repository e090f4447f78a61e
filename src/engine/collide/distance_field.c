#include "engine/collide/distance_field.h"

#include "base/assert.h"
#include "base/instructions.h"
#include "math/four.h"
#include "math/math.h"
#include "model/plugin.h"
#include "sinew/plugin.h"
#include "sinew/sinew.h"

// ---- parameters of plugin shapes

static void makePluginShape(snShape* shape, const snModel* m, int instance) {
  SN_ASSERT_INDEX(instance, m->nplugin);
  const snShapeInfo* info = sn_shapeInfo(m->plugin[instance] - snSHAPE_SLOT);
  shape->shape = -1;
  if (!info) return;
  snReal param[snNSHAPEPARAM];
  for (int i = 0; i < snNSHAPEPARAM; i++) {
    param[i] = info->value[i];
    if (info->param[i]) param[i] = sn_pluginNumber(m, instance, i, info->value[i]);
  }
  sn_makeShape(shape, m->plugin[instance] - snSHAPE_SLOT, param);
}

// MuJoCo looks up the octree of a mesh geom by the id of the geom instead of the mesh. Beyond the last mesh it
// thereby reads the tables that follow in its memory, each of which begins at a multiple of 16 entries. We read the
// same: entry `index` counted from the start of a table, 0 in the gaps between them.
static int tableEntry(const snModel* m, int table, int index) {
  const int* const tables[] = {m->mesh_octadr,    m->mesh_octnum,      m->mesh_normaladr,
                               m->mesh_normalnum, m->mesh_texcoordadr, m->mesh_texcoordnum,
                               m->mesh_graphadr};
  int stride = ((int)m->nmesh + 15) / 16 * 16;
  table += index / stride;
  index %= stride;
  return table < 7 && index < m->nmesh ? tables[table][index] : 0;
}

static int octreeOfMeshGeom(const snModel* m, int geom) {
  if (m->nmesh == 0 || tableEntry(m, 1, geom) == 0) return -1;
  int octree = tableEntry(m, 0, geom);
  return octree < m->noct ? octree : -1;
}

void sn_makeField(snField* field, const snModel* m, const snData* d, int geom) {
  SN_ASSERT_INDEX(geom, m->ngeom);
  field->kind = m->geom_type[geom];
  field->geom = geom;
  field->size = m->geom_size + 3 * geom;
  field->octree = -1;
  field->leaf = NULL;
  field->shape.shape = -1;
  field->user = NULL;
  field->m = m;
  field->d = d;
  if (field->kind == snGEOM_MESH) field->octree = octreeOfMeshGeom(m, geom);
  if (field->kind == snGEOM_SDF) {
    if (m->geom_plugin[geom] >= 0) {
      field->instance = m->geom_plugin[geom];
      const snpPlugin* user = sn_userPlugin(m->plugin[field->instance]);
      if (user && user->sdf_distance && user->sdf_gradient) field->user = user;
      if (!user) makePluginShape(&field->shape, m, field->instance);
      return;
    }
    int mesh = m->geom_dataid[geom];
    if (mesh >= 0 && m->mesh_octnum[mesh] > 0) field->octree = m->mesh_octadr[mesh];
  }
}

// ---- octrees

// move a point that lies outside of a box just inside; returns its distance from the box
static snReal clampToBox(snReal x[3], const snReal box[6]) {
  snReal square = 0;
  for (int i = 0; i < 3; i++) {
    snReal offset = x[i] - box[i];
    snReal excess = snu_abs(offset) - box[3 + i];
    if (!(excess >= 0)) continue;
    square += excess * excess;
    x[i] -= (offset < 0 ? -1 : 1) * (excess + (snReal)1e-6);
  }
  return snu_sqrt(square);
}

static int isInLeaf(const snLeaf* leaf, const snReal x[3]) {
  int inside = leaf->node >= 0;
  for (int i = 0; i < 3; i++) inside &= (x[i] >= leaf->least[i]) & (x[i] <= leaf->most[i]);
  return inside;
}

// From the root to the leaf around a point: its number, the point from its lowest corner, its size.
#if SN_HAS_FOUR
// Whether a coordinate is above the middle of a node changes once along an axis, and rounding moves that place by less
// than the slack: with it the bounds in `leaf` are certain.
SN_WIDE(static, int, searchLeaf,
        (const snField* field, const snReal x[3], snReal coord[3], snReal size[3], snLeaf* leaf),
        (field, x, coord, size, leaf)) {
  const snModel* m = field->m;
  const snReal rounding = sizeof(snReal) == 4 ? (snReal)1e-5 : (snReal)1e-12;
  snFour point = {x[0], x[1], x[2], 0}, zero = {0, 0, 0, 0}, sign = -zero, sizes = zero;
  snFour along = zero, least = zero - (snReal)snMAXVAL, most = zero + (snReal)snMAXVAL;
  typedef __typeof__(point >= zero) Bits;
  int node = field->octree;
  leaf->node = -1;
  for (int depth = 0; depth < snMAXTREEDEPTH; depth++) {
    const snReal* box = m->oct_aabb + 6 * node;
    snFour centre = SN_LOAD4(box), radius = {box[3], box[4], box[5], 0};
    snFour low = centre - radius;
    sizes = centre + radius - low;
    along = point - low;
    snFour half = (snReal)0.5 * sizes, middle = low + half;
    snFour slack = rounding * ((snFour)((Bits)low & ~(Bits)sign) + half);
    snFour up = middle + slack, down = middle - slack;
    Bits above = along >= half, raise = above & (up > least), lower = ~above & (down < most);
    least = (snFour)(((Bits)up & raise) | ((Bits)least & ~raise));
    most = (snFour)(((Bits)down & lower) | ((Bits)most & ~lower));
    int octant = (int)((above[0] & 1) | (above[1] & 2) | (above[2] & 4));
    int child = m->oct_child[8 * node + octant];
    if (child < 0 || field->octree + child >= m->noct) {
      leaf->node = node;
      break;
    }
    node = field->octree + child;
  }
  for (int i = 0; i < 3; i++) {
    leaf->least[i] = least[i];
    leaf->most[i] = most[i];
    size[i] = sizes[i];
    coord[i] = along[i];
  }
  return node;
}
#else
static int searchLeaf(const snField* field, const snReal x[3], snReal coord[3], snReal size[3],
                      snLeaf* leaf) {
  const snModel* m = field->m;
  int node = field->octree;
  leaf->node = -1;
  for (int depth = 0; depth < snMAXTREEDEPTH; depth++) {
    const snReal* box = m->oct_aabb + 6 * node;
    int octant = 0;
    for (int i = 0; i < 3; i++) {
      snReal low = box[i] - box[3 + i], high = box[i] + box[3 + i];
      size[i] = high - low;
      coord[i] = x[i] - low;
      octant |= (coord[i] >= (snReal)0.5 * size[i]) << i;
    }
    int child = m->oct_child[8 * node + octant];
    if (child < 0 || field->octree + child >= m->noct) break;
    node = field->octree + child;
  }
  return node;
}
#endif

// leaf around a point, and the point in the leaf's own coordinates
static int findLeaf(const snField* field, snReal coord[3], const snReal x[3]) {
  snReal size[3];
  snLeaf own, *leaf = field->leaf ? field->leaf : &own;
  int node;
  if (field->leaf && isInLeaf(leaf, x)) {
    node = leaf->node;
    const snReal* box = field->m->oct_aabb + 6 * node;
    for (int i = 0; i < 3; i++) {
      snReal low = box[i] - box[3 + i], high = box[i] + box[3 + i];
      size[i] = high - low;
      coord[i] = x[i] - low;
    }
  } else {
    node = searchLeaf(field, x, coord, size, leaf);
  }
  for (int i = 0; i < 3; i++) coord[i] /= size[i];
  return node;
}

static snReal octreeDistance(const snField* field, const snReal x[3]) {
  snReal point[3] = {x[0], x[1], x[2]}, coord[3];
  snReal outside = clampToBox(point, field->m->oct_aabb + 6 * field->octree);
  const snReal* corner = field->m->oct_coeff + 8 * findLeaf(field, coord, point);
  snReal dist = 0;
  for (int j = 0; j < 8; j++) {
    dist += (j & 1 ? coord[0] : 1 - coord[0]) * (j & 2 ? coord[1] : 1 - coord[1]) *
            (j & 4 ? coord[2] : 1 - coord[2]) * corner[j];
  }
  return outside > 0 ? dist + outside : dist;
}

static void octreeGradient(snReal gradient[3], const snField* field, const snReal x[3]) {
  snReal point[3] = {x[0], x[1], x[2]}, coord[3];
  if (clampToBox(point, field->m->oct_aabb + 6 * field->octree) > 0) {
    const snReal kStep = (snReal)1e-8;
    snReal here = octreeDistance(field, x);
    for (int i = 0; i < 3; i++) {
      snReal moved[3] = {x[0], x[1], x[2]};
      moved[i] += kStep;
      gradient[i] = (octreeDistance(field, moved) - here) / kStep;
    }
    return;
  }
  const snReal* corner = field->m->oct_coeff + 8 * findLeaf(field, coord, point);
  snu_zero3(gradient);
  for (int j = 0; j < 8; j++) {
    snReal wx = j & 1 ? coord[0] : 1 - coord[0];
    snReal wy = j & 2 ? coord[1] : 1 - coord[1];
    snReal wz = j & 4 ? coord[2] : 1 - coord[2];
    gradient[0] += (j & 1 ? 1 : -1) * wy * wz * corner[j];
    gradient[1] += wx * (j & 2 ? 1 : -1) * wz * corner[j];
    gradient[2] += wx * wy * (j & 4 ? 1 : -1) * corner[j];
  }
}

// ---- meshes without octree

// Rays between the point and the origin of the world, in units of their distance. This is no
// distance field, but what the reference engine uses: a hit at a parameter above the distance is
// taken to mean that the point is inside, and the surface is then looked for in the opposite
// direction. Sets the sign of the gradient.
static snReal meshDistance(const snField* field, const snReal x[3], snReal* sign) {
  snReal point[3], inward[3];
  snu_mulMatVec3(point, field->d->geom_xmat + 9 * field->geom, x);
  snu_addTo3(point, field->d->geom_xpos + 3 * field->geom);
  snu_scl3(inward, point, -1);
  *sign = 1;
  if (snu_norm3(point) < snMINVAL) return snMAXVAL;
  snReal hit = sn_rayMesh(field->m, field->d, field->geom, point, inward, NULL);
  if (hit > snu_norm3(point)) {
    return -sn_rayMesh(field->m, field->d, field->geom, point, point, NULL);
  }
  *sign = -1;
  return hit;
}

// ---- primitives

static void divideByLength(snReal v[3]) {
  snReal length = snu_norm3(v);
  for (int i = 0; i < 3; i++) v[i] /= length;
}

SN_KERNEL snReal capsuleDistance(const snReal x[3], const snReal size[3]) {
  snReal a[3] = {x[0], x[1], x[2] - snu_clip(x[2], -size[1], size[1])};
  return snu_norm3(a) - size[0];
}

// a = x / size, b = a / size and their lengths
SN_KERNEL void scaleToSphere(const snReal x[3], const snReal size[3], snReal b[3], snReal* k0,
                             snReal* k1) {
  snReal a[3];
  for (int i = 0; i < 3; i++) {
    a[i] = x[i] / size[i];
    b[i] = a[i] / size[i];
  }
  *k0 = snu_norm3(a), *k1 = snu_norm3(b);
}

SN_KERNEL snReal ellipsoidDistance(const snReal x[3], const snReal size[3]) {
  snReal b[3], k0, k1;
  scaleToSphere(x, size, b, &k0, &k1);
  return k0 * (k0 - 1) / k1;
}

static void ellipsoidGradient(snReal gradient[3], const snReal x[3], const snReal size[3]) {
  snReal b[3], k0, k1;
  scaleToSphere(x, size, b, &k0, &k1);
  snReal inverse0 = 1 / k0, inverse1 = 1 / k1;
  for (int i = 0; i < 3; i++) {
    snReal d0 = b[i] * inverse0;
    snReal d1 = b[i] * inverse1 / (size[i] * size[i]);
    gradient[i] = (2 * k0 - 1) * inverse1 * d0 - k0 * (k0 - 1) * inverse1 * inverse1 * d1;
  }
  snu_normalize3(gradient);
}

SN_KERNEL snReal cylinderDistance(const snReal x[3], const snReal size[3]) {
  snReal a0 = snu_sqrt(x[0] * x[0] + x[1] * x[1]) - size[0];
  snReal a1 = snu_abs(x[2]) - size[1];
  snReal b0 = snu_max(a0, 0), b1 = snu_max(a1, 0);
  return snu_min(snu_max(a0, a1), 0) + snu_sqrt(b0 * b0 + b1 * b1);
}

static void cylinderGradient(snReal gradient[3], const snReal x[3], const snReal size[3]) {
  const snReal kSmall = (snReal)1e-10;
  snReal rho = snu_sqrt(x[0] * x[0] + x[1] * x[1]);
  snReal z = snu_abs(x[2]);
  snReal a0 = rho - size[0], a1 = z - size[1];
  snReal unit[3] = {x[0] / snu_max(rho, kSmall), x[1] / snu_max(rho, kSmall),
                    x[2] / snu_max(z, kSmall)};
  int radial = a0 > a1;
  if ((radial ? a0 : a1) < 0) {
    gradient[0] = radial ? unit[0] : 0;
    gradient[1] = radial ? unit[1] : 0;
    gradient[2] = radial ? 0 : unit[2];
    return;
  }
  snReal b0 = snu_max(a0, 0), b1 = snu_max(a1, 0);
  snReal length = snu_max(snu_sqrt(b0 * b0 + b1 * b1), kSmall);
  gradient[0] = unit[0] * b0 / length;
  gradient[1] = unit[1] * b0 / length;
  gradient[2] = unit[2] * b1 / length;
}

// inside of a box: direction of the field, away from the faces by their relative distance
static void boxDirection(snReal b[3], const snReal a[3], const snReal x[3], const snReal size[3]) {
  for (int i = 0; i < 3; i++) b[i] = -size[i] / a[i];
  snu_normalize3(b);
  for (int i = 0; i < 3; i++) {
    if (x[i] < 0) b[i] = -b[i];
  }
}

static snReal boxDistance(const snReal x[3], const snReal size[3]) {
  snReal a[3], b[3];
  for (int i = 0; i < 3; i++) a[i] = snu_abs(x[i]) - size[i];
  if (a[0] >= 0 || a[1] >= 0 || a[2] >= 0) {
    snReal out[3] = {snu_max(a[0], 0), snu_max(a[1], 0), snu_max(a[2], 0)};
    return snu_norm3(out) + snu_min(snu_max(a[0], snu_max(a[1], a[2])), 0);
  }
  boxDirection(b, a, x, size);
  snReal nearest = -a[0] / snu_abs(b[0]);
  for (int i = 1; i < 3; i++) nearest = snu_min(nearest, -a[i] / snu_abs(b[i]));
  return -nearest * snu_norm3(b);
}

static void boxGradient(snReal gradient[3], const snReal x[3], const snReal size[3]) {
  snReal a[3];
  for (int i = 0; i < 3; i++) a[i] = snu_abs(x[i]) - size[i];
  if (a[0] < 0 && a[1] < 0 && a[2] < 0) {
    boxDirection(gradient, a, x, size);
    return;
  }
  snReal out[3] = {snu_max(a[0], 0), snu_max(a[1], 0), snu_max(a[2], 0)};
  snReal length = snu_norm3(out);
  for (int i = 0; i < 3; i++) {
    gradient[i] = a[i] > 0 ? out[i] / length * (x[i] < 0 ? -1 : 1) : 0;
  }
}

// ---- any field

snReal sn_fieldDistance(const snField* field, const snReal x[3]) {
  snReal sign;
  switch (field->kind) {
    case snGEOM_PLANE: return x[2];  // without bounds
    case snGEOM_SPHERE: return snu_norm3(x) - field->size[0];
    case snGEOM_CAPSULE: return capsuleDistance(x, field->size);
    case snGEOM_ELLIPSOID: return ellipsoidDistance(x, field->size);
    case snGEOM_CYLINDER: return cylinderDistance(x, field->size);
    case snGEOM_BOX: return boxDistance(x, field->size);
    default:
      if (field->user) return field->user->sdf_distance(x, field->d, field->instance);
      if (field->shape.shape >= 0) return sn_shapeDistance(&field->shape, x);
      if (field->octree >= 0) return octreeDistance(field, x);
      return field->kind == snGEOM_MESH ? meshDistance(field, x, &sign) : snMAXVAL;
  }
}

void sn_fieldGradient(snReal gradient[3], const snField* field, const snReal x[3]) {
  switch (field->kind) {
    case snGEOM_PLANE:
      gradient[0] = gradient[1] = 0;
      gradient[2] = 1;
      return;
    case snGEOM_SPHERE:
      snu_copy3(gradient, x);
      snu_normalize3(gradient);
      return;
    case snGEOM_CAPSULE:
      snu_copy3(gradient, x);
      gradient[2] -= snu_clip(x[2], -field->size[1], field->size[1]);
      divideByLength(gradient);
      return;
    case snGEOM_ELLIPSOID: ellipsoidGradient(gradient, x, field->size); return;
    case snGEOM_CYLINDER: cylinderGradient(gradient, x, field->size); return;
    case snGEOM_BOX: boxGradient(gradient, x, field->size); return;
    default: break;
  }
  if (field->user) {
    field->user->sdf_gradient(gradient, x, field->d, field->instance);
  } else if (field->shape.shape >= 0) {
    sn_shapeGradient(gradient, &field->shape, x);
  } else if (field->octree >= 0) {
    octreeGradient(gradient, field, x);
  } else {
    snReal sign = 1;
    if (field->kind == snGEOM_MESH) meshDistance(field, x, &sign);
    for (int i = 0; i < 3; i++) gradient[i] = sign;
  }
}

// ---- several points at once

int sn_fieldIsRound(const snField* field) {
  switch (field->kind) {
    case snGEOM_PLANE:
    case snGEOM_SPHERE:
    case snGEOM_CAPSULE:
    case snGEOM_ELLIPSOID:
    case snGEOM_CYLINDER: return 1;
    default: return !field->user && field->shape.shape >= 0 && sn_shapeIsRound(&field->shape);
  }
}

#define EACH_POINT(distance)                       \
  for (int k = 0; k < snNPOINTSATONCE; k++) {      \
    snReal point[3] = {x[0][k], x[1][k], x[2][k]}; \
    dist[k] = (distance);                          \
  }

SN_WIDE(static, void, primitiveDistances,
        (snReal * SN_RESTRICT dist, int kind, const snReal* SN_RESTRICT size,
         const snReal (*SN_RESTRICT x)[snNPOINTSATONCE]),
        (dist, kind, size, x)) {
  switch (kind) {
    case snGEOM_PLANE: EACH_POINT(point[2]) break;
    case snGEOM_SPHERE: EACH_POINT(snu_norm3(point) - size[0]) break;
    case snGEOM_CAPSULE: EACH_POINT(capsuleDistance(point, size)) break;
    case snGEOM_ELLIPSOID: EACH_POINT(ellipsoidDistance(point, size)) break;
    default: EACH_POINT(cylinderDistance(point, size)) break;
  }
}

void sn_fieldDistances(snReal dist[snNPOINTSATONCE], const snField* field,
                       const snReal x[3][snNPOINTSATONCE]) {
  if (field->shape.shape >= 0) {
    sn_shapeDistances(dist, &field->shape, x);
  } else {
    primitiveDistances(dist, field->kind, field->size, x);
  }
}

// ---- by plugin and instance

static void describeField(snField* field, const snModel* m, const snData* d,
                          const snpPlugin* plugin, int id, int geomtype) {
  if (!plugin) {
    sn_makeField(field, m, d, id);
    field->kind = geomtype;
    return;
  }
  field->kind = snGEOM_SDF;
  field->octree = -1;
  field->leaf = NULL;
  field->shape.shape = -1;
  field->user = plugin->sdf_distance && plugin->sdf_gradient ? plugin : NULL;
  field->instance = id;
  field->m = m;
  field->d = d;
  if (!field->user) makePluginShape(&field->shape, m, id);
}

snReal sn_sdfDistance(const snModel* m, const snData* d, const snpPlugin* plugin, int id,
                      int geomtype, const snReal x[3]) {
  snField field;
  describeField(&field, m, d, plugin, id, geomtype);
  return sn_fieldDistance(&field, x);
}

void sn_sdfGradient(const snModel* m, const snData* d, const snpPlugin* plugin, int id,
                    int geomtype, snReal gradient[3], const snReal x[3]) {
  snField field;
  describeField(&field, m, d, plugin, id, geomtype);
  sn_fieldGradient(gradient, &field, x);
}
