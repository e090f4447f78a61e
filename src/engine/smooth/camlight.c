// Poses of cameras and lights.
//
// Each loads all that any mode may need before the first use: on a GPU the loads are in flight together, in
// two rounds, by its own number and then by the bodies that those name.

#include "base/assert.h"
#include "engine/step/sleep.h"
#include "math/math.h"
#include "sinew/sinew.h"

// A camera or a light as the model and its body give it.
typedef struct View_ {
  int light, i;  // number i of its kind
  int mode, body, target;
  int looks;          // at a body or its subtree
  snReal pos[3];      // in the body
  snReal pos0[3];     // kept from the body
  snReal poscom0[3];  // kept from the centre of mass of its subtree
  snReal quat[4];     // in the body; of a light its direction, in the last three
  snReal mat0[9];     // kept; of a light its direction
  snReal xpos[3], xquat[4], xmat[9], com[3];  // of the body
  snReal aim[3];                              // what it looks at
} View;

SN_KERNEL void loadView(const snModel* m, const snData* d, int number, View* view) {
  int ncam = (int)m->ncam, light = number >= ncam, i = light ? number - ncam : number;
  int body = light ? m->light_bodyid[i] : m->cam_bodyid[i];
  int mode = light ? m->light_mode[i] : m->cam_mode[i];
  int target = light ? m->light_targetbodyid[i] : m->cam_targetbodyid[i];
  int atBody = mode == snCAMLIGHT_TARGETBODY, atSubtree = mode == snCAMLIGHT_TARGETBODYCOM;
  SN_ASSERT_INDEX(body, m->nbody);
  SN_ASSERT_REFERENCE(target, m->nbody);
  view->light = light, view->i = i, view->mode = mode, view->body = body, view->target = target;
  view->looks = (atBody || atSubtree) && target >= 0;
  snu_copy3(view->pos, (light ? m->light_pos : m->cam_pos) + 3 * i);
  snu_copy3(view->pos0, (light ? m->light_pos0 : m->cam_pos0) + 3 * i);
  snu_copy3(view->poscom0, (light ? m->light_poscom0 : m->cam_poscom0) + 3 * i);
  if (light) {
    view->quat[0] = 0;
    snu_zero(view->mat0, 9);
    snu_copy3(view->quat + 1, m->light_dir + 3 * i);
    snu_copy3(view->mat0, m->light_dir0 + 3 * i);
  } else {
    snu_copy4(view->quat, m->cam_quat + 4 * i);
    snu_copy(view->mat0, m->cam_mat0 + 9 * i, 9);
  }
  snu_copy3(view->xpos, d->xpos + 3 * body);
  snu_copy4(view->xquat, d->xquat + 4 * body);
  snu_copy(view->xmat, d->xmat + 9 * body, 9);
  snu_copy3(view->com, d->subtree_com + 3 * body);
  snu_copy3(view->aim, (atBody ? d->xpos : d->subtree_com) + 3 * (view->looks ? target : 0));
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

// one that is fixed turns with its body, one that tracks follows it as it is
SN_KERNEL void storeView(snData* d, const View* view) {
  int tracksBody = view->mode == snCAMLIGHT_TRACK, tracksCom = view->mode == snCAMLIGHT_TRACKCOM;
  snReal pos[3];
  snu_mulMatVec3(pos, view->xmat, view->pos);
  snu_addTo3(pos, view->xpos);
  if (tracksBody) snu_add3(pos, view->xpos, view->pos0);
  if (tracksCom) snu_add3(pos, view->com, view->poscom0);
  if (view->light) {
    snReal dir[3];
    snu_rotVecQuat(dir, view->quat + 1, view->xquat);
    if (tracksBody || tracksCom) snu_copy3(dir, view->mat0);
    if (view->looks) snu_sub3(dir, view->aim, pos);
    snu_normalize3(dir);
    snu_copy3(d->light_xpos + 3 * view->i, pos);
    snu_copy3(d->light_xdir + 3 * view->i, dir);
  } else {
    snReal quat[4], mat[9];
    snu_mulQuat(quat, view->xquat, view->quat);
    snu_quat2Mat(mat, quat);
    if (view->looks) lookAt(mat, pos, view->aim);
    SN_UNROLL
    for (int c = 0; c < 9; c++) {
      d->cam_xmat[9 * view->i + c] = tracksBody || tracksCom ? view->mat0[c] : mat[c];
    }
    snu_copy3(d->cam_xpos + 3 * view->i, pos);
  }
}

static int isAwake(const snData* d, int body) {
  return body >= 0 && d->body_awake[body] == snS_AWAKE;
}

// those whose body and whose target are asleep stay as they are
SN_STAGE void sn_camlight(const snModel* m, snData* d) {
  int sleep = sn_sleepEnabled(m);
  SN_FOR(number, m->ncam + m->nlight) {
    View view;
    loadView(m, d, number, &view);
    if (sleep && !isAwake(d, view.body) && !isAwake(d, view.target)) continue;
    storeView(d, &view);
  }
  SN_SYNC();
}
