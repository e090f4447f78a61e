// Mouse, camera and perturbation of MuJoCo's abstract visualisation: numbers only, no graphics.

#include <math.h>
#include <string.h>

#include "compat/compat.h"

// ---- cameras ----

MJAPI void mjv_cameraFrustum(float zver[2], float zhor[2], float zclip[2], const mjModel* m,
                             const mjvCamera* cam) {
  mjtNum near = m->vis.map.znear * m->stat.extent, far = m->vis.map.zfar * m->stat.extent;
  mjtNum ver[2], hor[2] = {0, 0}, fovy = m->vis.global.fovy;
  int orthographic = m->vis.global.orthographic, camera = -1;
  if (cam->type == mjCAMERA_FIXED) {
    camera = cam->fixedcamid;
    if (camera < 0 || camera >= m->ncam) {
      mju_error("mjv_cameraFrustum: fixed camera id is outside valid range");
      return;
    }
    fovy = m->cam_fovy[camera];
    orthographic = m->cam_projection[camera] == mjPROJ_ORTHOGRAPHIC;
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
    ver[0] = ver[1] = near * mju_tan(fovy * mjPI / 360);
  }
  for (int i = 0; i < 2; i++) {
    if (zver) zver[i] = (float)ver[i];
    if (zhor) zhor[i] = (float)hor[i];
    if (zclip) zclip[i] = (float)(i ? far : near);
  }
}

MJAPI void mjv_updateCamera(const mjModel* m, const mjData* d, mjvCamera* cam, mjvScene* scn) {
  if (cam->type == mjCAMERA_USER) return;
  if (cam->type == mjCAMERA_TRACKING) {
    if (cam->trackbodyid < 0 || cam->trackbodyid >= m->nbody) {
      mju_error("mjv_updateCamera: track body id is outside valid range");
      return;
    }
    mju_copy3(cam->lookat, d->subtree_com + 3 * cam->trackbodyid);
  }
  float zver[2] = {0, 0}, zhor[2] = {0, 0}, zclip[2] = {0, 0};
  mjtNum head[3], forward[3], up[3], right[3];
  mjv_cameraFrustum(zver, zhor, zclip, m, cam);
  if (cam->type == mjCAMERA_FIXED && (cam->fixedcamid < 0 || cam->fixedcamid >= m->ncam)) return;
  mjv_cameraFrame(head, forward, up, right, d, cam);
  int fixed = cam->type == mjCAMERA_FIXED;
  mjtNum ipd = fixed ? m->cam_ipd[cam->fixedcamid] : m->vis.global.ipd;
  int orthographic = fixed ? m->cam_projection[cam->fixedcamid] == mjPROJ_ORTHOGRAPHIC
                           : m->vis.global.orthographic;
  for (int eye = 0; eye < 2; eye++) {
    mjvGLCamera* camera = &scn->camera[eye];
    for (int i = 0; i < 3; i++) {
      camera->pos[i] = (float)(head[i] + (eye ? 0.5 : -0.5) * ipd * right[i]);
    }
    mju_n2f(camera->forward, forward, 3);
    mju_n2f(camera->up, up, 3);
    camera->frustum_center = 0.5f * (zhor[1] - zhor[0]);
    camera->frustum_width = 0.5f * (zhor[1] + zhor[0]);
    camera->frustum_bottom = -zver[0];
    camera->frustum_top = zver[1];
    camera->frustum_near = zclip[0];
    camera->frustum_far = zclip[1];
    camera->orthographic = orthographic;
  }
}

// ---- mouse ----

// Motion of the mouse as a vector in the model, x to the right of the camera and z up; reversed for
// what moves against the mouse.
static void alignMotion(mjtNum res[3], int action, mjtNum dx, mjtNum dy, const mjtNum forward[3]) {
  mjtNum motion[3] = {dx, action == mjMOUSE_MOVE_H ? -dy : 0, action == mjMOUSE_MOVE_H ? 0 : -dy};
  mjv_alignToCamera(res, motion, forward);
}

static int isMotion(const char* function, int action) {
  if (action >= mjMOUSE_ROTATE_V && action <= mjMOUSE_MOVE_H_REL) return 1;
  mju_error("%s: unexpected action %d", function, action);
  return 0;
}

static mjtNum wrapAngle(mjtNum angle) {
  if (angle > 180) return angle - 360;
  return angle < -180 ? angle + 360 : angle;
}

MJAPI void mjv_moveCamera(const mjModel* m, int action, mjtNum reldx, mjtNum reldy,
                          const mjvScene* scn, mjvCamera* cam) {
  if (!isMotion("mjv_moveCamera", action) || cam->type == mjCAMERA_FIXED) return;
  mjtNum head[3], forward[3], up[3], right[3], motion[3];
  mjv_cameraInModel(head, forward, up, scn);
  mju_cross(right, forward, up);
  mjtNum extent = m->stat.extent;
  switch (action) {
    case mjMOUSE_ROTATE_V:
    case mjMOUSE_ROTATE_H:
      cam->azimuth = wrapAngle(cam->azimuth - reldx * 180);
      cam->elevation = mju_clip(cam->elevation - reldy * 180, -89, 89);
      break;
    case mjMOUSE_MOVE_V:
    case mjMOUSE_MOVE_H:
      if (cam->type == mjCAMERA_TRACKING) break;
      alignMotion(motion, action, reldx, reldy, forward);
      mju_addToScl3(cam->lookat, motion, -mjv_frustumHeight(scn) * cam->distance);
      break;
    case mjMOUSE_ZOOM: {
      mjtNum speed = 9 * extent * log(1 + cam->distance / extent / 3);
      cam->distance = mju_clip(cam->distance - reldy * speed, 0.01 * extent, 100 * extent);
      break;
    }
    default:
      if (cam->type == mjCAMERA_TRACKING) break;
      mju_addToScl3(cam->lookat, right, reldx);
      mju_addToScl3(cam->lookat, action == mjMOUSE_MOVE_V_REL ? up : forward, reldy);
  }
}

// pose of the inertial frame of a body
static void inertialQuat(mjtNum quat[4], const mjModel* m, const mjData* d, int body) {
  mju_mulQuat(quat, d->xquat + 4 * body, m->body_iquat + 4 * body);
}

MJAPI void mjv_movePerturb(const mjModel* m, const mjData* d, int action, mjtNum reldx,
                           mjtNum reldy, const mjvScene* scn, mjvPerturb* pert) {
  (void)m;
  if (!isMotion("mjv_movePerturb", action)) return;
  mjtNum head[3], forward[3], up[3], motion[3], quat[4];
  mjv_cameraInModel(head, forward, up, scn);
  switch (action) {
    case mjMOUSE_MOVE_V:
    case mjMOUSE_MOVE_H: alignMotion(motion, action, reldx, reldy, forward); break;
    case mjMOUSE_ROTATE_V:
    case mjMOUSE_ROTATE_H: {
      int vertical = action == mjMOUSE_ROTATE_V;
      mjtNum turn[3] = {reldy, vertical ? 0 : reldx, vertical ? reldx : 0};
      mjv_alignToCamera(motion, turn, forward);
      mjtNum angle = 2 * mjPI * mju_normalize3(motion);
      mju_axisAngle2Quat(quat, motion, angle);
      mju_mulQuat(pert->refquat, quat, pert->refquat);
      mju_normalize4(pert->refquat);
      return;
    }
    case mjMOUSE_MOVE_V_REL:
    case mjMOUSE_MOVE_H_REL: {
      int vertical = action == mjMOUSE_MOVE_V_REL;
      mjtNum local[3] = {vertical ? 0 : reldy, reldx, vertical ? reldy : 0};
      mju_mulMatVec3(motion, d->xmat + 9 * pert->select, local);
      break;
    }
    default: return;
  }
  mju_addToScl3(pert->refpos, motion, pert->scale);
  mju_addToScl3(pert->refselpos, motion, pert->scale);
}

// ---- perturbation ----

// mass that a point of a body opposes to a force: 3 / tr(J M^-1 J')
static mjtNum localMass(const mjModel* m, mjData* d, const mjtNum point[3], int body) {
  int nv = (int)m->nv;
  mjtNum trace = 0;
  mj_markStack(d);
  mjtNum* jacobian = nv ? mj_stackAllocNum(d, (size_t)(6 * nv)) : NULL;
  if (jacobian) {
    mjtNum* solved = jacobian + 3 * nv;
    mj_jac(m, d, jacobian, NULL, point, body);
    mj_solveM(m, d, solved, jacobian, 3);
    trace = mju_dot(jacobian, solved, 3 * nv);
  }
  mj_freeStack(d);
  return trace > 0 ? 3 / trace : 1;
}

MJAPI void mjv_initPerturb(const mjModel* m, mjData* d, const mjvScene* scn, mjvPerturb* pert) {
  int body = pert->select;
  if (body <= 0 || body >= m->nbody) return;
  mjtNum head[3], forward[3], up[3], point[3];
  mju_mulMatVec3(point, d->xmat + 9 * body, pert->localpos);
  mju_addTo3(point, d->xpos + 3 * body);
  mju_copy3(pert->refselpos, point);
  mju_copy3(pert->refpos, d->xipos + 3 * body);
  inertialQuat(pert->refquat, m, d, body);
  pert->localmass = localMass(m, d, point, body);
  mjv_cameraInModel(head, forward, up, scn);
  mju_subFrom3(point, head);
  pert->scale = mjv_frustumHeight(scn) * mju_dot3(point, forward);
}

// pose of a body whose inertial frame has a given pose
static void bodyPose(mjtNum pos[3], mjtNum quat[4], const mjModel* m, int body,
                     const mjtNum refpos[3], const mjtNum refquat[4]) {
  mjtNum inverse_pos[3], inverse_quat[4];
  mju_negPose(inverse_pos, inverse_quat, m->body_ipos + 3 * body, m->body_iquat + 4 * body);
  mju_mulPose(pos, quat, refpos, refquat, inverse_pos, inverse_quat);
}

MJAPI void mjv_applyPerturbPose(const mjModel* m, mjData* d, const mjvPerturb* pert,
                                int flg_paused) {
  int body = pert->select;
  if (body <= 0 || body >= m->nbody || !(pert->active | pert->active2)) return;
  mjtNum pos[3], quat[4], inverse_pos[3], inverse_quat[4];
  bodyPose(pos, quat, m, body, pert->refpos, pert->refquat);
  int mocap = m->body_mocapid[body];
  if (mocap >= 0) {
    mju_copy3(d->mocap_pos + 3 * mocap, pos);
    mju_copy4(d->mocap_quat + 4 * mocap, quat);
    return;
  }
  // the tree of a free body moves along as it is
  int root = m->body_rootid[body];
  if (!flg_paused || m->body_jntnum[root] != 1) return;
  int joint = m->body_jntadr[root];
  if (m->jnt_type[joint] != mjJNT_FREE) return;
  mju_negPose(inverse_pos, inverse_quat, d->xpos + 3 * body, d->xquat + 4 * body);
  mju_mulPose(inverse_pos, inverse_quat, inverse_pos, inverse_quat, d->xpos + 3 * root,
              d->xquat + 4 * root);
  mjtNum* qpos = d->qpos + m->jnt_qposadr[joint];
  mju_mulPose(qpos, qpos + 3, pos, quat, inverse_pos, inverse_quat);
  mju_normalize4(qpos + 3);
}

MJAPI void mjv_applyPerturbForce(const mjModel* m, mjData* d, const mjvPerturb* pert) {
  int body = pert->select, active = pert->active | pert->active2;
  if (body <= 0 || body >= m->nbody || !active) return;
  mjtNum *force = d->xfrc_applied + 6 * body, *torque = force + 3, velocity[6], arm[3], point[3];
  mjtNum weight = m->body_invweight0[2 * body + 1], inertia = weight > 0 ? 1 / weight : 1;
  mjtNum damping = mju_sqrt(m->vis.map.stiffnessrot) * inertia;
  mju_zero(force, 6);
  mj_objectVelocity(m, d, mjOBJ_BODY, body, velocity, 0);
  if (active & mjPERT_TRANSLATE) {
    mjtNum stiffness = m->vis.map.stiffness, speed[3], dif[3];
    mju_mulMatVec3(point, d->xmat + 9 * body, pert->localpos);
    mju_addTo3(point, d->xpos + 3 * body);
    mju_sub3(arm, point, d->xipos + 3 * body);
    mju_cross(speed, velocity, arm);
    mju_addTo3(speed, velocity + 3);
    mju_sub3(dif, pert->refselpos, point);
    mju_scl3(force, dif, stiffness * pert->localmass);
    mju_addToScl3(force, speed, -mju_sqrt(stiffness) * pert->localmass);
    mju_cross(torque, arm, force);
    // spinning about the line of the force is damped
    mju_normalize3(dif);
    mju_addToScl3(torque, dif, -damping * mju_dot3(velocity, dif));
  }
  if (active & mjPERT_ROTATE) {
    mjtNum stiffness = m->vis.map.stiffnessrot, quat[4], dif[3];
    inertialQuat(quat, m, d, body);
    mju_subQuat(dif, pert->refquat, quat);
    mju_rotVecQuat(torque, dif, quat);
    mju_scl3(torque, torque, stiffness * inertia);
    mju_addToScl3(torque, velocity, -damping);
  }
}
