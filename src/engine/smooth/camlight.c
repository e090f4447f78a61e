// Poses of cameras and lights.

#include "engine/smooth/camlight.h"
#include "base/assert.h"
#include "engine/lanes/lanes.h"
#include "engine/step/plan.h"
#include "engine/step/sleep.h"
#include "math/math.h"

// a camera or light is updated when its body or its target is awake
static int needsUpdate(const snModel* m, const snData* d, int body, int target) {
  SN_ASSERT_INDEX(body, m->nbody);
  SN_ASSERT_REFERENCE(target, m->nbody);
  if (!sn_sleepEnabled(m)) return 1;
  return d->body_awake[body] == snS_AWAKE || (target >= 0 && d->body_awake[target] == snS_AWAKE);
}

static void cameraPose(const snModel* m, snData* d, int camera) {
  SN_ASSERT_INDEX(camera, m->ncam);
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
      if (target >= 0) sn_lookAt(xmat, xpos, d->xpos + 3 * target);
      break;
    case snCAMLIGHT_TARGETBODYCOM:
      if (target >= 0) sn_lookAt(xmat, xpos, d->subtree_com + 3 * target);
      break;
  }
}

static void lightPose(const snModel* m, snData* d, int light) {
  SN_ASSERT_INDEX(light, m->nlight);
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

static SN_OUTLINE void camlight(const snModel* m, snData* d) {
  SN_FOR(camera, m->ncam) cameraPose(m, d, camera);
  SN_FOR(light, m->nlight) lightPose(m, d, light);
}

SN_STAGE void sn_camlight(const snModel* m, snData* d) {
  if (sn_plans(m, d, snPLAN_CAMERAS)) {
    sn_camlightLanes(m, d);
  } else {
    camlight(m, d);
  }
  SN_SYNC();
}
