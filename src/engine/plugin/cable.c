// mujoco.elasticity.cable: inextensible elastic cables, after the discrete Kirchhoff rod.
//
// Consecutive bodies are joined by ball joints. The rotation between neighbours, less that of the
// rest shape, over their distance is the curvature; times the stiffness of the section (torsion
// G J, bending E I) it is the moment that one body exerts on the next, and the reverse.

#include "base/arena.h"
#include "base/assert.h"
#include "engine/plugin/plugin.h"
#include "math/math.h"

enum { TWIST, BEND, FLAT };

static int instanceOf(const snModel* m, int body) {
  if (body <= 0 || body >= (int)m->nbody) return -1;
  int instance = m->body_plugin[body];
  return instance >= 0 && m->plugin[instance] == snPLUGIN_CABLE ? instance : -1;
}

static int isFlat(const snModel* m, int instance) {
  SN_ASSERT_INDEX(instance, m->nplugin);
  const char *text = sn_pluginText(m, instance, FLAT), *word = "true";
  for (; *word && *text == *word; word++) text++;
  return !*word && !*text;
}

// second moments of a section times the moduli: torsion, bending about y and z
static void sectionStiffness(const snModel* m, int body, snReal K[3]) {
  SN_ASSERT_INDEX(body, m->nbody);
  int instance = m->body_plugin[body], geom = m->body_geomadr[body];
  const snReal pi = (snReal)snPI;
  snReal G = sn_pluginNumber(m, instance, TWIST, 0), E = sn_pluginNumber(m, instance, BEND, 0);
  snReal J = 0, Iy = 0, Iz = 0;
  if (geom >= 0) {
    const snReal* size = m->geom_size + 3 * geom;
    int type = m->geom_type[geom];
    if (type == snGEOM_CAPSULE || type == snGEOM_CYLINDER) {
      snReal r4 = size[0] * size[0] * size[0] * size[0];
      J = pi * r4 / 2;
      Iy = Iz = pi * r4 / 4;
    } else if (type == snGEOM_BOX) {
      snReal h = size[1], w = size[2], a = snu_max(h, w), c = snu_min(h, w);
      snReal ratio = c * c * c * c / (12 * a * a * a * a);
      J = a * c * c * c * ((snReal)16 / 3 - (snReal)3.36 * (c / a) * (1 - ratio));
      Iy = 8 * w * w * w * 2 * h / 12;
      Iz = 8 * h * h * h * 2 * w / 12;
    }
  }
  K[0] = G * J;
  K[1] = E * Iy;
  K[2] = E * Iz;
}

// quaternion of a body's ball or free joint, in a position vector
static void jointQuat(const snModel* m, const snReal* qpos, int body, snReal quat[4]) {
  SN_ASSERT_INDEX(body, m->nbody);
  quat[0] = 1;
  snu_zero3(quat + 1);
  if (!m->body_jntnum[body]) return;
  int joint = m->body_jntadr[body], type = m->jnt_type[joint];
  if (type == snJNT_BALL) snu_copy4(quat, qpos + m->jnt_qposadr[joint]);
  if (type == snJNT_FREE) snu_copy4(quat, qpos + m->jnt_qposadr[joint] + 3);
}

// place of a body in the world at qpos0
static void restPlace(const snModel* m, int body, snReal pos[3]) {
  SN_ASSERT_INDEX(body, m->nbody);
  snu_copy3(pos, m->body_pos + 3 * body);
  for (int b = m->body_parentid[body]; b > 0; b = m->body_parentid[b]) {
    snu_rotVecQuat(pos, pos, m->body_quat + 4 * b);
    snu_addTo3(pos, m->body_pos + 3 * b);
  }
}

// distance of a body from the one before it, at qpos0
static snReal segmentLength(const snModel* m, int body) {
  SN_ASSERT_INDEX(body, m->nbody);
  if (m->body_parentid[body] == body - 1) return snu_norm3(m->body_pos + 3 * body);
  snReal here[3], before[3];
  restPlace(m, body, here);
  restPlace(m, body - 1, before);
  snu_subFrom3(here, before);
  return snu_norm3(here);
}

// moment that a body feels from the one before it, in the frame of the latter; and the rotation
// between the two
static void moment(const snModel* m, const snData* d, int body, snReal S[3], snReal turn[4]) {
  SN_ASSERT_INDEX(body, m->nbody);
  const snReal *frame = m->body_quat + 4 * body, unit = 1;
  snReal joint[4], rest[3] = {0, 0, 0}, now[3], K[3], length = segmentLength(m, body);
  if (!isFlat(m, m->body_plugin[body])) {
    jointQuat(m, m->qpos0, body, joint);
    snu_subQuat(rest, frame, joint);
  }
  jointQuat(m, d->qpos, body, joint);
  snu_mulQuat(turn, frame, joint);
  snu_quat2Vel(now, turn, unit);
  sectionStiffness(m, body, K);
  for (int k = 0; k < 3; k++) S[k] = -K[k] * (now[k] - rest[k]) / length;
}

// torque on a body from both of its neighbours, in the world
static void bodyTorque(const snModel* m, const snData* d, int body, snReal torque[3]) {
  SN_ASSERT_INDEX(body, m->nbody);
  int instance = m->body_plugin[body];
  snReal K[3], S[3], turn[4], local[3] = {0, 0, 0};
  snu_zero3(torque);
  sectionStiffness(m, body, K);
  if (snu_isZero(K, 3)) return;
  if (instanceOf(m, body - 1) == instance) {
    moment(m, d, body, S, turn);
    snu_negQuat(turn, turn);
    snu_rotVecQuat(local, S, turn);
  }
  if (instanceOf(m, body + 1) == instance) {
    moment(m, d, body + 1, S, turn);
    snu_subFrom3(local, S);
  }
  snu_rotVecQuat(torque, local, d->xquat + 4 * body);
}

static int hasCable(const snModel* m) {
  for (int i = 0; i < (int)m->nplugin; i++) {
    if (m->plugin[i] == snPLUGIN_CABLE) return 1;
  }
  return 0;
}

// torques are summed towards the root, so that each dof needs one product
void sn_pluginPassive(const snModel* m, snData* d) {
  if (!hasCable(m)) return;
  int nbody = (int)m->nbody;
  sn_markStack(d);
  snReal* torque = SN_STACK(d, snReal, 3 * nbody);
  if (!torque) {
    sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
    sn_freeStack(d);
    return;
  }
  snu_zero(torque, 3 * nbody);
  for (int body = 1; body < nbody; body++) {
    if (instanceOf(m, body) >= 0) bodyTorque(m, d, body, torque + 3 * body);
  }
  for (int body = nbody - 1; body > 0; body--) {
    snu_addTo3(torque + 3 * m->body_parentid[body], torque + 3 * body);
  }
  SN_FOR(dof, m->nv) {
    d->qfrc_passive[dof] += snu_dot3(d->cdof + 6 * dof, torque + 3 * m->dof_bodyid[dof]);
  }
  SN_SYNC();
  sn_freeStack(d);
}
