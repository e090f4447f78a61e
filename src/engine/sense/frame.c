// Sensors of frames and subtrees.

#include "base/assert.h"
#include "engine/sense/sensor.h"
#include "engine/smooth/object.h"
#include "math/math.h"

#define MINVAL ((snReal)snMINVAL)

static snPlace objectOf(const snModel* m, const snData* d, int i) {
  SN_ASSERT_INDEX(i, m->nsensor);
  return sn_objectPlace(m, d, m->sensor_objtype[i], m->sensor_objid[i]);
}

static snPlace referenceOf(const snModel* m, const snData* d, int i) {
  SN_ASSERT_INDEX(i, m->nsensor);
  return sn_objectPlace(m, d, m->sensor_reftype[i], m->sensor_refid[i]);
}

// ---- position

void sn_sensorMagnetometer(const snModel* m, snData* d, int i, snReal* out) {
  SN_ASSERT_INDEX(m->sensor_objid[i], m->nsite);
  snu_mulMatTVec3(out, d->site_xmat + 9 * m->sensor_objid[i], m->opt.magnetic);
}

void sn_sensorFramePos(const snModel* m, snData* d, int i, snReal* out) {
  snPlace object = objectOf(m, d, i);
  if (m->sensor_refid[i] < 0) {
    snu_copy3(out, object.pos);
    return;
  }
  snPlace reference = referenceOf(m, d, i);
  snReal offset[3];
  snu_sub3(offset, object.pos, reference.pos);
  snu_mulMatTVec3(out, reference.mat, offset);
}

void sn_sensorFrameAxis(const snModel* m, snData* d, int i, snReal* out) {
  int column = m->sensor_type[i] - snSENS_FRAMEXAXIS;
  const snReal* mat = objectOf(m, d, i).mat;
  snReal axis[3] = {mat[column], mat[3 + column], mat[6 + column]};
  if (m->sensor_refid[i] < 0) {
    snu_copy3(out, axis);
  } else {
    snu_mulMatTVec3(out, referenceOf(m, d, i).mat, axis);
  }
}

// orientation as composed from the body's; for a camera the mode does not matter
static void objectQuat(const snModel* m, const snData* d, int type, int id, snReal quat[4]) {
  const snReal* local = NULL;
  int body = sn_objectPlace(m, d, type, id).body;
  switch (type) {
    case snOBJ_BODY: local = m->body_iquat + 4 * id; break;
    case snOBJ_GEOM: local = m->geom_quat + 4 * id; break;
    case snOBJ_SITE: local = m->site_quat + 4 * id; break;
    case snOBJ_CAMERA: local = m->cam_quat + 4 * id; break;
    default: break;
  }
  if (local) {
    snu_mulQuat(quat, d->xquat + 4 * body, local);
  } else {
    snu_copy4(quat, d->xquat + 4 * body);
  }
}

void sn_sensorFrameQuat(const snModel* m, snData* d, int i, snReal* out) {
  snReal object[4], reference[4];
  objectQuat(m, d, m->sensor_objtype[i], m->sensor_objid[i], object);
  if (m->sensor_refid[i] < 0) {
    snu_copy4(out, object);
    return;
  }
  objectQuat(m, d, m->sensor_reftype[i], m->sensor_refid[i], reference);
  snu_negQuat(reference, reference);
  snu_mulQuat(out, reference, object);
}

int sn_insideSite(const snModel* m, const snData* d, int site, const snReal point[3]) {
  SN_ASSERT_INDEX(site, m->nsite);
  const snReal* s = m->site_size + 3 * site;
  snReal x[3], l[3];
  snu_sub3(x, point, d->site_xpos + 3 * site);
  snu_mulMatTVec3(l, d->site_xmat + 9 * site, x);
  switch (m->site_type[site]) {
    case snGEOM_PLANE: return l[2] < 0;
    case snGEOM_SPHERE: return snu_dot3(x, x) < s[0] * s[0];
    case snGEOM_CAPSULE: {
      snReal z = l[2] - snu_clip(l[2], -s[1], s[1]);
      return l[0] * l[0] + l[1] * l[1] + z * z < s[0] * s[0];
    }
    case snGEOM_ELLIPSOID:
      return l[0] * l[0] / (s[0] * s[0]) + l[1] * l[1] / (s[1] * s[1]) +
                 l[2] * l[2] / (s[2] * s[2]) <
             1;
    case snGEOM_CYLINDER: return snu_abs(l[2]) < s[1] && l[0] * l[0] + l[1] * l[1] < s[0] * s[0];
    case snGEOM_BOX: return snu_abs(l[0]) < s[0] && snu_abs(l[1]) < s[1] && snu_abs(l[2]) < s[2];
    default: return 0;
  }
}

void sn_sensorInsideSite(const snModel* m, snData* d, int i, snReal* out) {
  *out = sn_insideSite(m, d, m->sensor_refid[i], objectOf(m, d, i).pos);
}

// ---- camera

// focal lengths of a perspective camera; products of single precision, as the fields are
static void focalLengths(const snModel* m, int cam, snReal focal[2]) {
  SN_ASSERT_INDEX(cam, m->ncam);
  const float *sensor = m->cam_sensorsize + 2 * cam, *intrinsic = m->cam_intrinsic + 4 * cam;
  const int* resolution = m->cam_resolution + 2 * cam;
  if (sensor[0] != 0 && sensor[1] != 0) {
    for (int k = 0; k < 2; k++) focal[k] = intrinsic[k] / sensor[k] * (float)resolution[k];
  } else {
    snReal angle = m->cam_fovy[cam] * (snReal)snPI / 360;
    focal[0] = focal[1] = (snReal)0.5 / snu_tan(angle) * resolution[1];
  }
}

void sn_cameraIntrinsics(const snModel* m, int cam, snReal focal[2], snReal centre[2]) {
  SN_ASSERT_INDEX(cam, m->ncam);
  const float *sensor = m->cam_sensorsize + 2 * cam, *intrinsic = m->cam_intrinsic + 4 * cam;
  const int* resolution = m->cam_resolution + 2 * cam;
  for (int k = 0; k < 2; k++) centre[k] = resolution[k] / (snReal)2;
  if (m->cam_projection[cam] == snPROJ_ORTHOGRAPHIC) {
    focal[0] = centre[0];
    focal[1] = centre[1];
    return;
  }
  focalLengths(m, cam, focal);
  if (sensor[0] != 0 && sensor[1] != 0) {
    for (int k = 0; k < 2; k++) centre[k] = intrinsic[2 + k] / sensor[k] * (float)resolution[k];
  }
}

// Pixel of a site in a camera; the principal point is taken to be the centre of the image. The site
// and the camera are rotated one by one, R' x - R' c: in the plane of the camera, where these cancel,
// the pixel is a matter of their rounding.
void sn_sensorCamProjection(const snModel* m, snData* d, int i, snReal* out) {
  int cam = m->sensor_refid[i];
  const int* resolution = m->cam_resolution + 2 * cam;
  snReal c[3], l[3], focal[2];
  snu_mulMatTVec3(c, d->cam_xmat + 9 * cam, d->cam_xpos + 3 * cam);
  snu_mulMatTVec3(l, d->cam_xmat + 9 * cam, d->site_xpos + 3 * m->sensor_objid[i]);
  snu_sub3(l, l, c);
  focalLengths(m, cam, focal);
  snReal depth = l[2];
  if (snu_abs(depth) < MINVAL) depth = depth < 0 ? -MINVAL : MINVAL;
  out[0] = (-focal[0] * l[0] + resolution[0] / (snReal)2 * l[2]) / depth;
  out[1] = (focal[1] * l[1] + resolution[1] / (snReal)2 * l[2]) / depth;
}

// ---- velocity

static void siteVelocity(const snModel* m, const snData* d, int i, snReal vel[6]) {
  snPlace site = sn_objectPlace(m, d, snOBJ_SITE, m->sensor_objid[i]);
  sn_vectorAt(m, d, &site, d->cvel, vel, 1);
}

void sn_sensorVelocimeter(const snModel* m, snData* d, int i, snReal* out) {
  snReal vel[6];
  siteVelocity(m, d, i, vel);
  snu_copy3(out, vel + 3);
}

void sn_sensorGyro(const snModel* m, snData* d, int i, snReal* out) {
  snReal vel[6];
  siteVelocity(m, d, i, vel);
  snu_copy3(out, vel);
}

// velocity of the object, seen from the reference and in its axes
static void frameVelocity(const snModel* m, const snData* d, int i, snReal vel[6]) {
  SN_ASSERT_INDEX(i, m->nsensor);
  snPlace object = objectOf(m, d, i);
  sn_vectorAt(m, d, &object, d->cvel, vel, 0);
  if (m->sensor_refid[i] < 0) return;
  snPlace reference = referenceOf(m, d, i);
  snReal carrier[6], relative[6], offset[3], coriolis[3];
  sn_vectorAt(m, d, &reference, d->cvel, carrier, 0);
  snu_sub(relative, vel, carrier, 6);
  snu_sub3(offset, object.pos, reference.pos);
  snu_cross(coriolis, offset, carrier);
  snu_addTo3(relative + 3, coriolis);
  snu_mulMatTVec3(vel, reference.mat, relative);
  snu_mulMatTVec3(vel + 3, reference.mat, relative + 3);
}

void sn_sensorFrameLinVel(const snModel* m, snData* d, int i, snReal* out) {
  snReal vel[6];
  frameVelocity(m, d, i, vel);
  snu_copy3(out, vel + 3);
}

void sn_sensorFrameAngVel(const snModel* m, snData* d, int i, snReal* out) {
  snReal vel[6];
  frameVelocity(m, d, i, vel);
  snu_copy3(out, vel);
}

void sn_sensorSubtreeCom(const snModel* m, snData* d, int i, snReal* out) {
  SN_ASSERT_INDEX(m->sensor_objid[i], m->nbody);
  snu_copy3(out, d->subtree_com + 3 * m->sensor_objid[i]);
}

void sn_sensorSubtreeLinVel(const snModel* m, snData* d, int i, snReal* out) {
  if (!d->flg_subtreevel) sn_subtreeVel(m, d);
  snu_copy3(out, d->subtree_linvel + 3 * m->sensor_objid[i]);
}

void sn_sensorSubtreeAngMom(const snModel* m, snData* d, int i, snReal* out) {
  if (!d->flg_subtreevel) sn_subtreeVel(m, d);
  snu_copy3(out, d->subtree_angmom + 3 * m->sensor_objid[i]);
}

// ---- acceleration

static void acceleration(const snModel* m, snData* d, int i, int flg_local, snReal acc[6]) {
  if (!d->flg_rnepost) sn_rnePostConstraint(m, d);
  snPlace object = objectOf(m, d, i);
  sn_accelerationAt(m, d, &object, acc, flg_local);
}

void sn_sensorAccelerometer(const snModel* m, snData* d, int i, snReal* out) {
  snReal acc[6];
  acceleration(m, d, i, 1, acc);
  snu_copy3(out, acc + 3);
}

void sn_sensorFrameLinAcc(const snModel* m, snData* d, int i, snReal* out) {
  snReal acc[6];
  acceleration(m, d, i, 0, acc);
  snu_copy3(out, acc + 3);
}

void sn_sensorFrameAngAcc(const snModel* m, snData* d, int i, snReal* out) {
  snReal acc[6];
  acceleration(m, d, i, 0, acc);
  snu_copy3(out, acc);
}

// force that the site's body and its parent exchange, at the site
static void interaction(const snModel* m, snData* d, int i, snReal wrench[6]) {
  SN_ASSERT_INDEX(i, m->nsensor);
  if (!d->flg_rnepost) sn_rnePostConstraint(m, d);
  int site = m->sensor_objid[i], body = m->site_bodyid[site];
  snu_transformSpatial(wrench, d->cfrc_int + 6 * body, 1, d->site_xpos + 3 * site,
                       d->subtree_com + 3 * m->body_rootid[body], d->site_xmat + 9 * site);
}

void sn_sensorForce(const snModel* m, snData* d, int i, snReal* out) {
  snReal wrench[6];
  interaction(m, d, i, wrench);
  snu_copy3(out, wrench + 3);
}

void sn_sensorTorque(const snModel* m, snData* d, int i, snReal* out) {
  snReal wrench[6];
  interaction(m, d, i, wrench);
  snu_copy3(out, wrench);
}
