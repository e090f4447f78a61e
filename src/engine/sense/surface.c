// Sensors of surfaces: distances of geoms, and tactile grids.

#include "base/arena.h"
#include "base/assert.h"
#include "engine/collide/distance_field.h"
#include "engine/sense/sensor.h"
#include "math/math.h"

#define MINVAL ((snReal)snMINVAL)

// ---- distances

static void geomsOf(const snModel* m, int type, int id, int* first, int* count) {
  *first = type == snOBJ_BODY ? m->body_geomadr[id] : id;
  *count = type == snOBJ_BODY ? m->body_geomnum[id] : 1;
}

// nearest pair of geoms of two bodies, or the two geoms, looked for up to the cutoff
static snReal nearestPair(const snModel* m, const snData* d, int i, snReal fromto[6]) {
  SN_ASSERT_INDEX(i, m->nsensor);
  snReal cutoff = m->sensor_cutoff[i], dist = cutoff;
  int first1, count1, first2, count2;
  geomsOf(m, m->sensor_objtype[i], m->sensor_objid[i], &first1, &count1);
  geomsOf(m, m->sensor_reftype[i], m->sensor_refid[i], &first2, &count2);
  snu_zero(fromto, 6);
  for (int g1 = first1; g1 < first1 + count1; g1++) {
    for (int g2 = first2; g2 < first2 + count2; g2++) {
      snReal segment[6], pair = sn_geomDistance(m, d, g1, g2, cutoff, segment);
      if (!(pair < dist)) continue;
      dist = pair;
      snu_copy(fromto, segment, 6);
    }
  }
  return dist;
}

void sn_sensorGeomDistance(const snModel* m, snData* d, int i, snReal* out) {
  snReal fromto[6], dist = nearestPair(m, d, i, fromto);
  switch (m->sensor_type[i]) {
    case snSENS_GEOMDIST: *out = dist; break;
    case snSENS_GEOMNORMAL:
      snu_sub3(out, fromto + 3, fromto);
      if (!snu_isZero(out, 3)) snu_normalize3(out);
      break;
    default: snu_copy(out, fromto, 6); break;
  }
}

// ---- tactile

static int addNew(int* list, int n, int geom) {
  if (geom < 0) return n;
  for (int k = 0; k < n; k++) {
    if (list[k] == geom) return n;
  }
  list[n] = geom;
  return n + 1;
}

// geoms in contact with anything that is welded to a body
static int touchingGeoms(const snModel* m, const snData* d, int weld, int* list) {
  SN_ASSERT_INDEX(weld, m->nbody);
  int n = 0;
  for (int k = 0; k < d->ncon; k++) {
    const int* geom = d->contact[k].geom;
    if (geom[0] >= 0 && m->body_weldid[m->geom_bodyid[geom[0]]] == weld) {
      n = addNew(list, n, geom[1]);
    }
    if (geom[1] >= 0 && m->body_weldid[m->geom_bodyid[geom[1]]] == weld) {
      n = addNew(list, n, geom[0]);
    }
  }
  return n;
}

// linear velocity of a body at a point
static void velocityAt(const snModel* m, const snData* d, int body, const snReal point[3],
                       snReal vel[3]) {
  SN_ASSERT_INDEX(body, m->nbody);
  snReal moved[6];
  snu_transformSpatial(moved, d->cvel + 6 * body, 0, point,
                       d->subtree_com + 3 * m->body_rootid[body], NULL);
  snu_copy3(vel, moved + 3);
}

// the field of a geom that presses, 0 when it has none
static int pressField(const snModel* m, const snData* d, int geom, snField* field) {
  SN_ASSERT_INDEX(geom, m->ngeom);
  sn_makeField(field, m, d, geom);
  int type = m->geom_type[geom], mesh = m->geom_dataid[geom];
  if (type == snGEOM_MESH) {
    field->octree = m->mesh_octnum[mesh] > 0 ? m->mesh_octadr[mesh] : -1;
    return field->octree >= 0;
  }
  if (type == snGEOM_SDF) return field->shape.shape >= 0;
  return type != snGEOM_HFIELD;
}

// depth of a point below the surface of a geom, not positive
static snReal depthIn(const snModel* m, const snData* d, const snField* field,
                      const snReal point[3]) {
  int geom = field->geom, mesh = m->geom_dataid[geom];
  snReal offset[3], local[3];
  snu_sub3(offset, point, d->geom_xpos + 3 * geom);
  snu_mulMatTVec3(local, d->geom_xmat + 9 * geom, offset);
  if (field->shape.shape >= 0 && mesh >= 0) {
    snu_rotVecQuat(local, local, m->mesh_quat + 4 * mesh);
    snu_addTo3(local, m->mesh_pos + 3 * mesh);
  }
  return snu_min(sn_fieldDistance(field, local), 0);
}

// pressure and slip that one geom exerts on the taxels: the vertices of a mesh, carried by a geom
static void pressTaxels(const snModel* m, const snData* d, int i, const snField* field,
                        snReal* out) {
  SN_ASSERT_INDEX(i, m->nsensor);
  int mesh = m->sensor_objid[i], carrier = m->sensor_refid[i], n = m->mesh_vertnum[mesh];
  int weld = m->body_weldid[m->geom_bodyid[carrier]], geom = field->geom;
  const float* vert = m->mesh_vert + 3 * m->mesh_vertadr[mesh];
  const float* normals = m->mesh_normal + 3 * m->mesh_normaladr[mesh];
  snReal pressing[3];
  velocityAt(m, d, m->geom_bodyid[geom], d->geom_xpos + 3 * geom, pressing);
  for (int k = 0; k < n; k++) {
    snReal local[3] = {vert[3 * k], vert[3 * k + 1], vert[3 * k + 2]}, point[3], slip[3];
    snu_mulMatVec3(point, d->geom_xmat + 9 * carrier, local);
    snu_addTo3(point, d->geom_xpos + 3 * carrier);
    snReal depth = depthIn(m, d, field, point);
    if (depth == 0) continue;
    velocityAt(m, d, weld, point, slip);
    snu_subFrom3(slip, pressing);

    // normal and two tangents of the taxel
    snReal axis[9];
    for (int a = 0; a < 9; a++) axis[a] = normals[9 * k + a];
    for (int a = 0; a < 3; a++) snu_rotVecQuat(axis + 3 * a, axis + 3 * a, m->mesh_quat + 4 * mesh);
    snReal pressure = depth / snu_max((snReal)0.05 - depth, MINVAL);
    out[k] = pressure * snu_dot3(axis, axis);
    out[n + k] = snu_abs(snu_dot3(slip, axis + 3));
    out[2 * n + k] = snu_abs(snu_dot3(slip, axis + 6));
  }
}

void sn_sensorTactile(const snModel* m, snData* d, int i, snReal* out) {
  SN_ASSERT_INDEX(i, m->nsensor);
  int weld = m->body_weldid[m->geom_bodyid[m->sensor_refid[i]]];
  snu_zero(out, m->sensor_dim[i]);
  if (!d->ncon) return;
  sn_markStack(d);
  int* list = SN_STACK(d, int, 2 * d->ncon);
  if (list) {
    int n = touchingGeoms(m, d, weld, list);
    for (int k = 0; k < n; k++) {
      snField field;
      if (pressField(m, d, list[k], &field)) pressTaxels(m, d, i, &field, out);
    }
  } else {
    sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
  }
  sn_freeStack(d);
}
