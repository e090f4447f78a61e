// Poses of cameras and lights with a lane for each: see smooth/camlight.c.

#include "engine/smooth/camlight.h"
#include "base/assert.h"
#include "engine/lanes/lanes.h"

// Two rounds of loads: by the lane's number, then by the bodies that those name.
SN_STAGE void sn_camlightLanes(const snModel* m, snData* d) {
  SN_ASSERT(m->ncam + m->nlight <= SN_LANES);
  int lane = SN_LANE, ncam = (int)m->ncam, n = ncam + (int)m->nlight;
  if (!n) return;
  int light = lane < n ? lane >= ncam : !ncam, i = lane >= n ? 0 : light ? lane - ncam : lane;
  int body = light ? m->light_bodyid[i] : m->cam_bodyid[i];
  int mode = light ? m->light_mode[i] : m->cam_mode[i];
  int target = light ? m->light_targetbodyid[i] : m->cam_targetbodyid[i];
  SN_ASSERT_INDEX(body, m->nbody);
  SN_ASSERT_REFERENCE(target, m->nbody);
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
    if (looks) sn_lookAt(mat, pos, aim);
    SN_UNROLL
    for (int c = 0; c < 9; c++) d->cam_xmat[9 * i + c] = follows || followsCom ? mat0[c] : mat[c];
    snu_copy3(d->cam_xpos + 3 * i, pos);
  }
}
