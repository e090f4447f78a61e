// Poses of cameras and lights.
//
// The inputs of a pose are pointers, which are read only where the mode needs them.

#include "base/assert.h"
#include "engine/step/sleep.h"
#include "math/math.h"
#include "sinew/sinew.h"

// A camera or a light: its mode, and the data from model and body.
typedef struct View_ {
  int mode, body, target;
  const snReal* pos;      // in the body
  const snReal* pos0;     // kept from the body
  const snReal* poscom0;  // kept from the centre of mass of its subtree
} View;

SN_KERNEL View viewAt(const snModel* m, int i, int light) {
  View view;
  view.body = light ? m->light_bodyid[i] : m->cam_bodyid[i];
  view.mode = light ? m->light_mode[i] : m->cam_mode[i];
  view.target = light ? m->light_targetbodyid[i] : m->cam_targetbodyid[i];
  view.pos = (light ? m->light_pos : m->cam_pos) + 3 * i;
  view.pos0 = (light ? m->light_pos0 : m->cam_pos0) + 3 * i;
  view.poscom0 = (light ? m->light_poscom0 : m->cam_poscom0) + 3 * i;
  SN_ASSERT_INDEX(view.body, m->nbody);
  SN_ASSERT_REFERENCE(view.target, m->nbody);
  return view;
}

static int tracks(const View* view) {
  return view->mode == snCAMLIGHT_TRACK || view->mode == snCAMLIGHT_TRACKCOM;
}

// what it looks at; NULL: nothing
SN_KERNEL const snReal* aimOf(const snData* d, const View* view) {
  int atBody = view->mode == snCAMLIGHT_TARGETBODY;
  if ((!atBody && view->mode != snCAMLIGHT_TARGETBODYCOM) || view->target < 0) return NULL;
  return (atBody ? d->xpos : d->subtree_com) + 3 * view->target;
}

// Does it stand still in the world?
SN_KERNEL int isStill(const View* view) { return !view->body && view->mode == snCAMLIGHT_FIXED; }

// In tracking modes it keeps its orientation in the world; in the others it moves with the body.
SN_KERNEL void positionOf(const snData* d, const View* view, snReal pos[3]) {
  const snReal* xpos = d->xpos + 3 * view->body;
  switch (view->mode) {
    case snCAMLIGHT_TRACK: snu_add3(pos, xpos, view->pos0); break;
    case snCAMLIGHT_TRACKCOM: snu_add3(pos, d->subtree_com + 3 * view->body, view->poscom0); break;
    default:
      if (isStill(view)) {
        snu_copy3(pos, view->pos);
        break;
      }
      snu_mulMatVec3(pos, d->xmat + 9 * view->body, view->pos);
      snu_addTo3(pos, xpos);
      break;
  }
}

// columns x, y, z of a camera frame that looks at a point; world z is up
SN_KERNEL void lookAt(snReal xmat[9], const snReal pos[3], const snReal target[3]) {
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

SN_KERNEL void placeCamera(const snModel* m, snData* d, const View* view, int cam) {
  snReal pos[3], quat[4], *xmat = d->cam_xmat + 9 * cam;
  const snReal* aim = aimOf(d, view);
  positionOf(d, view, pos);
  snu_copy3(d->cam_xpos + 3 * cam, pos);
  if (tracks(view)) {
    snu_copy(xmat, m->cam_mat0 + 9 * cam, 9);
  } else if (aim) {
    lookAt(xmat, pos, aim);
  } else if (isStill(view)) {
    snu_quat2Mat(xmat, m->cam_quat + 4 * cam);
  } else {
    snu_mulQuat(quat, d->xquat + 4 * view->body, m->cam_quat + 4 * cam);
    snu_quat2Mat(xmat, quat);
  }
}

SN_KERNEL void placeLight(const snModel* m, snData* d, const View* view, int light) {
  snReal pos[3], dir[3];
  const snReal* aim = aimOf(d, view);
  positionOf(d, view, pos);
  if (tracks(view)) {
    snu_copy3(dir, m->light_dir0 + 3 * light);
  } else if (aim) {
    snu_sub3(dir, aim, pos);
  } else {
    snu_rotVecQuat(dir, m->light_dir + 3 * light, d->xquat + 4 * view->body);
  }
  snu_normalize3(dir);
  snu_copy3(d->light_xpos + 3 * light, pos);
  snu_copy3(d->light_xdir + 3 * light, dir);
}

static int isAwake(const snData* d, int body) {
  return body >= 0 && d->body_awake[body] == snS_AWAKE;
}

// those whose body and whose target are asleep stay as they are
static int staysAsleep(const snData* d, const View* view) {
  return !isAwake(d, view->body) && !isAwake(d, view->target);
}

SN_KERNEL void placeView(const snModel* m, snData* d, int i, int light, int sleep) {
  View view = viewAt(m, i, light);
  if (sleep && staysAsleep(d, &view)) return;
  if (light) {
    placeLight(m, d, &view, i);
  } else {
    placeCamera(m, d, &view, i);
  }
}

SN_WIDE(static, void, placeViews, (const snModel* m, snData* d, int sleep), (m, d, sleep)) {
  for (int i = 0; i < (int)m->ncam; i++) placeView(m, d, i, 0, sleep);
  for (int i = 0; i < (int)m->nlight; i++) placeView(m, d, i, 1, sleep);
}

SN_STAGE void sn_camlight(const snModel* m, snData* d) {
  // where all are awake, all move: those of the world, too
  int sleep = sn_someAsleep(m, d), ncam = (int)m->ncam;
  if (SN_LANES == 1) {
    placeViews(m, d, sleep);
    return;
  }
  SN_FOR(number, m->ncam + m->nlight) {
    int light = number >= ncam;
    placeView(m, d, light ? number - ncam : number, light, sleep);
  }
  SN_SYNC();
}
