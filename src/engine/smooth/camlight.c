// Poses of cameras and lights.

#include "engine/step/plan.h"
#include "engine/step/sleep.h"
#include "math/math.h"

// a camera or light is updated when its body or its target is awake
static int needsUpdate(const snModel* m, const snData* d, int body, int target) {
  if (!sn_sleepEnabled(m)) return 1;
  return d->body_awake[body] == snS_AWAKE || (target >= 0 && d->body_awake[target] == snS_AWAKE);
}

// columns x, y, z of a camera frame that looks at a point; world z is up
static void lookAt(snReal xmat[9], const snReal pos[3], const snReal target[3]) {
  snReal x[3], y[3], z[3];
  snReal up[3] = {0, 0, 1};
  snu_sub3(z, pos, target);
  snu_normalize3(z);
  snu_cross(x, up, z);
  snu_normalize3(x);
  snu_cross(y, z, x);
  snu_normalize3(y);
  for (int k = 0; k < 3; k++) {
    xmat[3 * k] = x[k];
    xmat[3 * k + 1] = y[k];
    xmat[3 * k + 2] = z[k];
  }
}

static void cameraPose(const snModel* m, snData* d, int camera) {
  int body = m->cam_bodyid[camera], target = m->cam_targetbodyid[camera];
  snReal *xpos = d->cam_xpos + 3 * camera, *xmat = d->cam_xmat + 9 * camera;
  if (!needsUpdate(m, d, body, target)) return;

  sn_local2Global(d, xpos, xmat, m->cam_pos + 3 * camera, m->cam_quat + 4 * camera, body,
                  snSAMEFRAME_NONE);
  switch (m->cam_mode[camera]) {
    case snCAMLIGHT_TRACK:
      snu_copy(xmat, m->cam_mat0 + 9 * camera, 9);
      snu_add3(xpos, d->xpos + 3 * body, m->cam_pos0 + 3 * camera);
      break;
    case snCAMLIGHT_TRACKCOM:
      snu_copy(xmat, m->cam_mat0 + 9 * camera, 9);
      snu_add3(xpos, d->subtree_com + 3 * body, m->cam_poscom0 + 3 * camera);
      break;
    case snCAMLIGHT_TARGETBODY:
      if (target >= 0) lookAt(xmat, xpos, d->xpos + 3 * target);
      break;
    case snCAMLIGHT_TARGETBODYCOM:
      if (target >= 0) lookAt(xmat, xpos, d->subtree_com + 3 * target);
      break;
  }
}

static void lightPose(const snModel* m, snData* d, int light) {
  int body = m->light_bodyid[light], target = m->light_targetbodyid[light];
  snReal *xpos = d->light_xpos + 3 * light, *xdir = d->light_xdir + 3 * light;
  if (!needsUpdate(m, d, body, target)) return;

  sn_local2Global(d, xpos, NULL, m->light_pos + 3 * light, NULL, body, snSAMEFRAME_NONE);
  snu_rotVecQuat(xdir, m->light_dir + 3 * light, d->xquat + 4 * body);
  switch (m->light_mode[light]) {
    case snCAMLIGHT_TRACK:
      snu_copy3(xdir, m->light_dir0 + 3 * light);
      snu_add3(xpos, d->xpos + 3 * body, m->light_pos0 + 3 * light);
      break;
    case snCAMLIGHT_TRACKCOM:
      snu_copy3(xdir, m->light_dir0 + 3 * light);
      snu_add3(xpos, d->subtree_com + 3 * body, m->light_poscom0 + 3 * light);
      break;
    case snCAMLIGHT_TARGETBODY:
      if (target >= 0) snu_sub3(xdir, d->xpos + 3 * target, xpos);
      break;
    case snCAMLIGHT_TARGETBODYCOM:
      if (target >= 0) snu_sub3(xdir, d->subtree_com + 3 * target, xpos);
      break;
  }
  snu_normalize3(xdir);
}

// By a team with a lane for each camera and each light: all that is needed is asked for in two rounds.
static void camlightLanes(const snModel* m, snData* d) {
  int lane = SN_LANE, ncam = (int)m->ncam, n = ncam + (int)m->nlight;
  if (!n) return;
  int light = lane < n ? lane >= ncam : !ncam, i = lane >= n ? 0 : light ? lane - ncam : lane;
  int body = light ? m->light_bodyid[i] : m->cam_bodyid[i];
  int mode = light ? m->light_mode[i] : m->cam_mode[i];
  int target = light ? m->light_targetbodyid[i] : m->cam_targetbodyid[i];
  int atBody = mode == snCAMLIGHT_TARGETBODY && target >= 0;
  int looks = atBody || (mode == snCAMLIGHT_TARGETBODYCOM && target >= 0);
  const snReal* fixed = light ? m->light_pos : m->cam_pos;
  const snReal* track = light ? m->light_pos0 : m->cam_pos0;
  const snReal* trackcom = light ? m->light_poscom0 : m->cam_poscom0;
  snReal pos[3], pos0[3], poscom0[3], quat[4] = {1, 0, 0, 0}, mat0[9], xpos[3], xquat[4], com[3];
  snReal aim[3];
  snu_copy3(pos, fixed + 3 * i);
  snu_copy3(pos0, track + 3 * i);
  snu_copy3(poscom0, trackcom + 3 * i);
  if (light) {  // a direction and the one that is kept
    snu_copy3(quat + 1, m->light_dir + 3 * i);
    snu_copy3(mat0, m->light_dir0 + 3 * i);
  } else {
    snu_copy4(quat, m->cam_quat + 4 * i);
    snu_copy(mat0, m->cam_mat0 + 9 * i, 9);
  }
  snu_copy3(xpos, d->xpos + 3 * body);
  snu_copy4(xquat, d->xquat + 4 * body);
  snu_copy3(com, d->subtree_com + 3 * body);
  snu_copy3(aim, (atBody ? d->xpos : d->subtree_com) + 3 * (looks ? target : 0));

  int follows = mode == snCAMLIGHT_TRACK, followsCom = mode == snCAMLIGHT_TRACKCOM;
  snu_rotVecQuat(pos, pos, xquat);
  SN_UNROLL
  for (int c = 0; c < 3; c++) {
    pos[c] = followsCom ? com[c] + poscom0[c] : xpos[c] + (follows ? pos0[c] : pos[c]);
  }
  if (lane >= n) return;
  if (light) {
    snReal dir[3];
    snu_rotVecQuat(dir, quat + 1, xquat);
    if (follows || followsCom) snu_copy3(dir, mat0);
    if (looks) snu_sub3(dir, aim, pos);
    snu_normalize3(dir);
    snu_copy3(d->light_xpos + 3 * i, pos);
    snu_copy3(d->light_xdir + 3 * i, dir);
  } else {
    snReal mat[9];
    snu_mulQuat(quat, xquat, quat);
    snu_quat2Mat(mat, quat);
    if (looks) lookAt(mat, pos, aim);
    SN_UNROLL
    for (int c = 0; c < 9; c++) d->cam_xmat[9 * i + c] = follows || followsCom ? mat0[c] : mat[c];
    snu_copy3(d->cam_xpos + 3 * i, pos);
  }
}

static SN_OUTLINE void camlight(const snModel* m, snData* d) {
  SN_FOR(camera, m->ncam) cameraPose(m, d, camera);
  SN_FOR(light, m->nlight) lightPose(m, d, light);
}

SN_STAGE void sn_camlight(const snModel* m, snData* d) {
  if (sn_plans(m, d, snPLAN_CAMERAS)) {
    camlightLanes(m, d);
  } else {
    camlight(m, d);
  }
  SN_SYNC();
}
