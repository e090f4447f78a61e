// Mouse, camera and perturbation of MuJoCo's abstract visualisation: numbers only, no graphics.

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "sinew/sinew.h"
#include "sinew/visual.h"

// ---- cameras ----

void snv_cameraFrustum(float zver[2], float zhor[2], float zclip[2], const snModel* m,
                       const snvCamera* cam) {
  snReal near = m->vis.map.znear * m->stat.extent, far = m->vis.map.zfar * m->stat.extent;
  snReal ver[2], hor[2] = {0, 0}, fovy = m->vis.global.fovy;
  int orthographic = m->vis.global.orthographic, camera = -1;
  if (cam->type == snCAMERA_FIXED) {
    camera = cam->fixedcamid;
    if (camera < 0 || camera >= m->ncam) {
      snu_error("snv_cameraFrustum: fixed camera id is outside valid range");
      return;
    }
    fovy = m->cam_fovy[camera];
    orthographic = m->cam_projection[camera] == snPROJ_ORTHOGRAPHIC;
  }
  const float* sensor = camera >= 0 ? m->cam_sensorsize + 2 * camera : NULL;
  if (orthographic) {
    ver[0] = ver[1] = fovy / 2;
  } else if (sensor && sensor[0] && sensor[1]) {
    const float* intrinsic = m->cam_intrinsic + 4 * camera;
    for (int i = 0; i < 2; i++) {
      int sign = i ? 1 : -1;
      hor[i] = near / intrinsic[0] * (sensor[0] / 2 + sign * intrinsic[2]);
      ver[i] = near / intrinsic[1] * (sensor[1] / 2 + sign * intrinsic[3]);
    }
  } else {
    ver[0] = ver[1] = near * tan(fovy * snPI / 360);
  }
  for (int i = 0; i < 2; i++) {
    if (zver) zver[i] = (float)ver[i];
    if (zhor) zhor[i] = (float)hor[i];
    if (zclip) zclip[i] = (float)(i ? far : near);
  }
}

void snv_updateCamera(const snModel* m, const snData* d, snvCamera* cam, snvScene* scn) {
  if (cam->type == snCAMERA_USER) return;
  if (cam->type == snCAMERA_TRACKING) {
    if (cam->trackbodyid < 0 || cam->trackbodyid >= m->nbody) {
      snu_error("snv_updateCamera: track body id is outside valid range");
      return;
    }
    snu_copy3(cam->lookat, d->subtree_com + 3 * cam->trackbodyid);
  }
  float zver[2] = {0, 0}, zhor[2] = {0, 0}, zclip[2] = {0, 0};
  snReal head[3], forward[3], up[3], right[3];
  snv_cameraFrustum(zver, zhor, zclip, m, cam);
  if (cam->type == snCAMERA_FIXED && (cam->fixedcamid < 0 || cam->fixedcamid >= m->ncam)) return;
  snv_cameraFrame(head, forward, up, right, d, cam);
  int fixed = cam->type == snCAMERA_FIXED;
  snReal ipd = fixed ? m->cam_ipd[cam->fixedcamid] : m->vis.global.ipd;
  int orthographic = fixed ? m->cam_projection[cam->fixedcamid] == snPROJ_ORTHOGRAPHIC
                           : m->vis.global.orthographic;
  for (int eye = 0; eye < 2; eye++) {
    snvGLCamera* camera = &scn->camera[eye];
    for (int i = 0; i < 3; i++) {
      camera->pos[i] = (float)(head[i] + (eye ? 0.5 : -0.5) * ipd * right[i]);
    }
    snu_n2f(camera->forward, forward, 3);
    snu_n2f(camera->up, up, 3);
    camera->frustum_center = 0.5f * (zhor[1] - zhor[0]);
    camera->frustum_width = 0.5f * (zhor[1] + zhor[0]);
    camera->frustum_bottom = -zver[0];
    camera->frustum_top = zver[1];
    camera->frustum_near = zclip[0];
    camera->frustum_far = zclip[1];
    camera->orthographic = orthographic;
  }
  scn->enabletransform = 0;  // a camera of the model shows the model where it is
}

// ---- mouse ----

// Motion of the mouse as a vector in the model, x to the right of the camera and z up; reversed for
// what moves against the mouse.
static void alignMotion(snReal res[3], int action, snReal dx, snReal dy, const snReal forward[3]) {
  snReal motion[3] = {dx, action == snMOUSE_MOVE_H ? -dy : 0, action == snMOUSE_MOVE_H ? 0 : -dy};
  snv_alignToCamera(res, motion, forward);
}

static int isMotion(const char* function, int action) {
  switch (action) {
    case snMOUSE_ROTATE_V:
    case snMOUSE_ROTATE_H:
    case snMOUSE_MOVE_V:
    case snMOUSE_MOVE_H:
    case snMOUSE_ZOOM:
    case snMOUSE_MOVE_V_REL:
    case snMOUSE_MOVE_H_REL: return 1;
    default: snu_error("%s: unexpected action %d", function, action); return 0;
  }
}

static snReal wrapAngle(snReal angle) {
  if (angle > 180) return angle - 360;
  return angle < -180 ? angle + 360 : angle;
}

// what a camera looks at moves with the mouse, at the depth where it is, or by whole units
static void moveLookat(int action, snReal reldx, snReal reldy, const snvScene* scn,
                       snvCamera* cam) {
  snReal head[3], forward[3], up[3], right[3], motion[3], toward[3];
  snv_cameraInModel(head, forward, up, scn);
  if (action == snMOUSE_MOVE_V || action == snMOUSE_MOVE_H) {
    alignMotion(motion, action, reldx, reldy, forward);
    snu_sub3(toward, cam->lookat, head);
    snu_addToScl3(cam->lookat, motion, -snv_frustumHeight(scn) * snu_dot3(toward, forward));
    return;
  }
  snu_cross(right, forward, up);
  snu_addToScl3(cam->lookat, right, reldx);
  snu_addToScl3(cam->lookat, action == snMOUSE_MOVE_V_REL ? up : forward, reldy);
}

void snv_moveCamera(const snModel* m, int action, snReal reldx, snReal reldy, const snvScene* scn,
                    snvCamera* cam) {
  if (cam->type == snCAMERA_FIXED || !isMotion("snv_moveCamera", action)) return;
  snReal extent = m->stat.extent;
  switch (action) {
    case snMOUSE_ROTATE_V:
    case snMOUSE_ROTATE_H:
      cam->azimuth = wrapAngle(cam->azimuth - reldx * 180);
      cam->elevation = snu_clip(cam->elevation - reldy * 180, -89, 89);
      break;
    case snMOUSE_ZOOM: {
      snReal nearer = log(1 + cam->distance / extent / 3) * reldy * 9 * extent;
      cam->distance = snu_clip(cam->distance - nearer, 0.01 * extent, 100 * extent);
      break;
    }
    default:
      if (cam->type != snCAMERA_TRACKING) moveLookat(action, reldx, reldy, scn, cam);
  }
}

// pose of the inertial frame of a body
static void inertialQuat(snReal quat[4], const snModel* m, const snData* d, int body) {
  SN_ASSERT_INDEX(body, m->nbody);
  snu_mulQuat(quat, d->xquat + 4 * body, m->body_iquat + 4 * body);
}

// The reference stays within a quarter turn of the body.
static void limitTurn(const snModel* m, const snData* d, snvPerturb* pert) {
  if (pert->select <= 0 || pert->select >= m->nbody) return;
  snReal quat[4], inverse[4], turn[4], axis[3];
  inertialQuat(quat, m, d, pert->select);
  snu_negQuat(inverse, quat);
  snu_mulQuat(turn, inverse, pert->refquat);
  snu_quat2Vel(axis, turn, 1);
  snReal angle = snu_normalize3(axis);
  if (angle <= snPI / 2) return;
  snu_axisAngle2Quat(turn, axis, snPI / 2);
  snu_mulQuat(pert->refquat, quat, turn);
}

void snv_movePerturb(const snModel* m, const snData* d, int action, snReal reldx, snReal reldy,
                     const snvScene* scn, snvPerturb* pert) {
  snReal head[3], forward[3], up[3], motion[3], quat[4];
  snv_cameraInModel(head, forward, up, scn);
  if (!isMotion("snv_movePerturb", action)) return;
  switch (action) {
    case snMOUSE_MOVE_V:
    case snMOUSE_MOVE_H: alignMotion(motion, action, reldx, reldy, forward); break;
    case snMOUSE_ROTATE_V:
    case snMOUSE_ROTATE_H: {
      int vertical = action == snMOUSE_ROTATE_V;
      snReal turn[3] = {reldy, vertical ? 0 : reldx, vertical ? reldx : 0};
      snv_alignToCamera(motion, turn, forward);
      snReal angle = 2 * snPI * snu_normalize3(motion);
      snu_axisAngle2Quat(quat, motion, angle);
      snu_mulQuat(pert->refquat, quat, pert->refquat);
      snu_normalize4(pert->refquat);
      limitTurn(m, d, pert);
      return;
    }
    case snMOUSE_MOVE_V_REL:
    case snMOUSE_MOVE_H_REL: {
      int vertical = action == snMOUSE_MOVE_V_REL;
      snReal local[3] = {vertical ? 0 : reldy, reldx, vertical ? reldy : 0};
      snu_mulMatVec3(motion, d->xmat + 9 * pert->select, local);
      break;
    }
    default: return;
  }
  snu_addToScl3(pert->refpos, motion, pert->scale);
  snu_addToScl3(pert->refselpos, motion, pert->scale);
}

// ---- perturbation ----

// mass that a point of a body opposes to a force: 3 / tr(J M^-1 J')
static snReal localMass(const snModel* m, snData* d, const snReal point[3], int body) {
  SN_ASSERT_INDEX(body, m->nbody);
  int nv = (int)m->nv;
  snReal trace = 0;
  sn_markStack(d);
  snReal* jacobian = nv ? sn_stackAllocNum(d, (size_t)(6 * nv)) : NULL;
  if (jacobian) {
    snReal* solved = jacobian + 3 * nv;
    sn_jac(m, d, jacobian, NULL, point, body);
    sn_solveM(m, d, solved, jacobian, 3);
    trace = snu_dot(jacobian, solved, 3 * nv);
  }
  sn_freeStack(d);
  return trace > 0 ? 3 / trace : 1;
}

void snv_initPerturb(const snModel* m, snData* d, const snvScene* scn, snvPerturb* pert) {
  int body = pert->select;
  if (body <= 0 || body >= m->nbody) return;
  snReal head[3], forward[3], up[3], point[3];
  snu_mulMatVec3(point, d->xmat + 9 * body, pert->localpos);
  snu_addTo3(point, d->xpos + 3 * body);
  snu_copy3(pert->refselpos, point);
  snu_copy3(pert->refpos, d->xipos + 3 * body);
  inertialQuat(pert->refquat, m, d, body);
  pert->localmass = localMass(m, d, point, body);
  snv_cameraInModel(head, forward, up, scn);
  snu_subFrom3(point, head);
  pert->scale = snv_frustumHeight(scn) * snu_dot3(point, forward);
}

// pose of a body whose inertial frame has a given pose
static void bodyPose(snReal pos[3], snReal quat[4], const snModel* m, int body,
                     const snReal refpos[3], const snReal refquat[4]) {
  SN_ASSERT_INDEX(body, m->nbody);
  snReal inverse_pos[3], inverse_quat[4];
  snu_negPose(inverse_pos, inverse_quat, m->body_ipos + 3 * body, m->body_iquat + 4 * body);
  snu_mulPose(pos, quat, refpos, refquat, inverse_pos, inverse_quat);
}

void snv_applyPerturbPose(const snModel* m, snData* d, const snvPerturb* pert, int flg_paused) {
  int body = pert->select;
  if (body <= 0 || body >= m->nbody || !(pert->active | pert->active2)) return;
  snReal pos[3], quat[4], inverse_pos[3], inverse_quat[4];
  bodyPose(pos, quat, m, body, pert->refpos, pert->refquat);
  int mocap = m->body_mocapid[body];
  if (mocap >= 0) {
    snu_copy3(d->mocap_pos + 3 * mocap, pos);
    snu_copy4(d->mocap_quat + 4 * mocap, quat);
    return;
  }
  // the tree of a free body moves along as it is
  int root = m->body_rootid[body];
  if (!flg_paused || m->body_jntnum[root] != 1) return;
  int joint = m->body_jntadr[root];
  if (m->jnt_type[joint] != snJNT_FREE) return;
  snu_negPose(inverse_pos, inverse_quat, d->xpos + 3 * body, d->xquat + 4 * body);
  snu_mulPose(inverse_pos, inverse_quat, inverse_pos, inverse_quat, d->xpos + 3 * root,
              d->xquat + 4 * root);
  snReal* qpos = d->qpos + m->jnt_qposadr[joint];
  snu_mulPose(qpos, qpos + 3, pos, quat, inverse_pos, inverse_quat);
  snu_normalize4(qpos + 3);
}

void snv_applyPerturbForce(const snModel* m, snData* d, const snvPerturb* pert) {
  int body = pert->select, active = pert->active | pert->active2;
  if (body < 0 || body >= m->nbody || !active) return;
  snReal *force = d->xfrc_applied + 6 * body, *torque = force + 3, velocity[6], arm[3], point[3];
  snReal weight = m->body_invweight0[2 * body + 1], inertia = weight > 0 ? 1 / weight : 1;
  snReal damping = sqrt(m->vis.map.stiffnessrot) * inertia;
  sn_objectVelocity(m, d, snOBJ_BODY, body, velocity, 0);
  if (active & snPERT_TRANSLATE) {
    snReal stiffness = m->vis.map.stiffness, speed[3], dif[3];
    snu_mulMatVec3(point, d->xmat + 9 * body, pert->localpos);
    snu_addTo3(point, d->xpos + 3 * body);
    snu_sub3(arm, point, d->xipos + 3 * body);
    snu_cross(speed, velocity, arm);
    snu_addTo3(speed, velocity + 3);
    snu_sub3(dif, pert->refselpos, point);
    snu_scl3(force, dif, stiffness * pert->localmass);
    snu_addToScl3(force, speed, -sqrt(stiffness) * pert->localmass);
    snu_cross(torque, arm, force);
    // spinning about the line of the force is damped
    snu_normalize3(dif);
    snu_addToScl3(torque, dif, -damping * snu_dot3(velocity, dif));
  }
  if (active & snPERT_ROTATE) {
    snReal stiffness = m->vis.map.stiffnessrot, quat[4], dif[3];
    inertialQuat(quat, m, d, body);
    snu_subQuat(dif, pert->refquat, quat);
    snu_rotVecQuat(torque, dif, quat);
    snu_scl3(torque, torque, stiffness * inertia);
    snu_addToScl3(torque, velocity, -damping);
  }
}

// ---- the model in the room ----

void snv_moveModel(const snModel* m, int action, snReal reldx, snReal reldy, const snReal roomup[3],
                   snvScene* scn) {
  if (!scn->enabletransform || !isMotion("snv_moveModel", action)) return;
  snReal head[3], forward[3], up[3], right[3], motion[3], quat[4], rotate[4];
  snv_cameraInRoom(head, forward, up, scn);
  snu_cross(right, forward, roomup);
  snu_normalize3(right);
  snu_cross(forward, roomup, right);
  int turn = action == snMOUSE_ROTATE_V || action == snMOUSE_ROTATE_H;
  int vertical = action == snMOUSE_MOVE_V || action == snMOUSE_MOVE_V_REL;
  if (turn) {
    const snReal* axis = action == snMOUSE_ROTATE_V ? roomup : forward;
    snu_scl3(motion, right, reldy);
    snu_addToScl3(motion, axis, reldx);
    snReal angle = snPI * snu_normalize3(motion);
    snu_axisAngle2Quat(quat, motion, angle);
    snu_f2n(rotate, scn->rotate, 4);
    snu_mulQuat(rotate, quat, rotate);
    snu_normalize4(rotate);
    snu_n2f(scn->rotate, rotate, 4);
  } else if (action == snMOUSE_ZOOM) {
    snReal scale = scn->scale + reldy * 3 * log(1 + scn->scale / 3.0);
    scn->scale = (float)snu_clip(scale, 0.01, 100);
  } else {
    snu_scl3(motion, right, reldx * m->stat.extent);
    snu_addToScl3(motion, vertical ? roomup : forward, -reldy * m->stat.extent);
    for (int i = 0; i < 3; i++) scn->translate[i] += (float)motion[i];
  }
}
