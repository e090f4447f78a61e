// What lies under the mouse.

#include <string.h>

#include "sinew/sinew.h"
#include "sinew/visual.h"

// ray through a point of the window, relative coordinates from its lower left corner
static void mouseRay(snReal pos[3], snReal ray[3], snReal aspectratio, snReal relx, snReal rely,
                     const snvScene* scn) {
  snvGLCamera camera = snv_averageCamera(&scn->camera[0], &scn->camera[1]);
  snReal forward[3], up[3], right[3], height = camera.frustum_top - camera.frustum_bottom;
  snReal half = camera.frustum_width != 0 ? camera.frustum_width : 0.5 * aspectratio * height;
  snReal x = camera.frustum_center + (2 * relx - 1) * half;
  snReal y = camera.frustum_bottom + rely * height;
  snv_cameraInModel(pos, forward, up, scn);
  snu_cross(right, forward, up);
  if (camera.orthographic) {
    snu_copy3(ray, forward);
    snu_addToScl3(pos, right, x);
    snu_addToScl3(pos, up, y);
  } else {
    snu_scl3(ray, forward, camera.frustum_near);
    snu_addToScl3(ray, right, x);
    snu_addToScl3(ray, up, y);
    snu_normalize3(ray);
  }
}

// body that moves a vertex of a skin most
static int bodyOfVertex(const snModel* m, int skin, int vertex) {
  int body = -1;
  float best = 0;
  for (int k = 0; k < m->skin_bonenum[skin]; k++) {
    int bone = m->skin_boneadr[skin] + k;
    for (int j = 0; j < m->skin_bonevertnum[bone]; j++) {
      int at = m->skin_bonevertadr[bone] + j;
      if (m->skin_bonevertid[at] != vertex || !(m->skin_bonevertweight[at] > best)) continue;
      best = m->skin_bonevertweight[at];
      body = m->skin_bonebodyid[bone];
    }
  }
  return body;
}

int snv_select(const snModel* m, const snData* d, const snvOption* vopt, snReal aspectratio,
               snReal relx, snReal rely, const snvScene* scn, snReal selpnt[3], int geomid[1],
               int flexid[1], int skinid[1]) {
  snReal pos[3], ray[3];
  int geom = -1, skin = -1, vertex = -1, body = -1;
  mouseRay(pos, ray, aspectratio, relx, rely, scn);
  snReal best = sn_ray(m, d, pos, ray, vopt->geomgroup, vopt->flags[snVIS_STATIC], -1, &geom, NULL);
  if (geom >= 0) {
    body = m->geom_bodyid[geom];
    snu_addScl3(selpnt, pos, ray, best);
  }
  for (int i = 0; vopt->flags[snVIS_SKIN] && i < m->nskin && i < scn->nskin; i++) {
    int group = m->skin_group[i] < 0           ? 0
                : m->skin_group[i] >= snNGROUP ? snNGROUP - 1
                                               : m->skin_group[i];
    if (!vopt->skingroup[group]) continue;
    const float* vert = scn->skinvert + 3 * m->skin_vertadr[i];
    snReal x = snu_raySkin(m->skin_facenum[i], m->skin_vertnum[i],
                           m->skin_face + 3 * m->skin_faceadr[i], vert, pos, ray, &vertex);
    if (x < 0 || (best >= 0 && x >= best)) continue;
    best = x;
    skin = i;
    geom = -1;
    body = bodyOfVertex(m, i, vertex);
    snu_f2n(selpnt, vert + 3 * vertex, 3);
  }
  if (geomid) *geomid = geom;
  if (flexid) *flexid = -1;
  if (skinid) *skinid = skin;
  return body;
}
