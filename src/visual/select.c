// What lies under the mouse.

#include <string.h>

#include "base/assert.h"
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
  SN_ASSERT_INDEX(skin, m->nskin);
  SN_ASSERT_INDEX(vertex, m->skin_vertnum[skin]);
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

// body that moves a vertex of a flex, or its nearest node, and where it is
static int bodyOfFlex(const snModel* m, const snData* d, int flex, int vertex, snReal point[3]) {
  SN_ASSERT_INDEX(flex, m->nflex);
  SN_ASSERT_INDEX(vertex, m->flex_vertnum[flex]);
  const snReal* at = d->flexvert_xpos + 3 * (m->flex_vertadr[flex] + vertex);
  int first = m->flex_nodeadr[flex], nearest = -1;
  snReal least = 0;
  if (!m->flex_interp[flex]) {
    snu_copy3(point, at);
    return m->flex_vertbodyid[m->flex_vertadr[flex] + vertex];
  }
  for (int i = 0; i < m->flex_nodenum[flex]; i++) {
    int body = m->flex_nodebodyid[first + i];
    snReal node[3], distance;
    snu_mulMatVec3(node, d->xmat + 9 * body, m->flex_node + 3 * (first + i));
    snu_add3(node, node, d->xpos + 3 * body);
    distance = snu_dist3(node, at);
    if (nearest >= 0 && distance >= least) continue;
    nearest = body;
    least = distance;
    snu_copy3(point, node);
  }
  return nearest;
}

int snv_select(const snModel* m, const snData* d, const snvOption* vopt, snReal aspectratio,
               snReal relx, snReal rely, const snvScene* scn, snReal selpnt[3], int geomid[1],
               int flexid[1], int skinid[1]) {
  snReal pos[3], ray[3];
  int geom = -1, flex = -1, skin = -1, vertex = -1, body = -1;
  mouseRay(pos, ray, aspectratio, relx, rely, scn);
  snReal best = sn_ray(m, d, pos, ray, vopt->geomgroup, vopt->flags[snVIS_STATIC], -1, &geom, NULL);
  if (geom >= 0) {
    body = m->geom_bodyid[geom];
    snu_addScl3(selpnt, pos, ray, best);
  }
  const snByte* show = vopt->flags;
  for (int i = 0; i < m->nflex; i++) {
    int group = m->flex_group[i] < 0           ? 0
                : m->flex_group[i] >= snNGROUP ? snNGROUP - 1
                                               : m->flex_group[i];
    if (!vopt->flexgroup[group]) continue;
    snReal x = sn_rayFlex(m, d, vopt->flex_layer, show[snVIS_FLEXVERT], show[snVIS_FLEXEDGE],
                          show[snVIS_FLEXFACE], show[snVIS_FLEXSKIN], i, pos, ray, &vertex, NULL);
    if (x < 0 || (best >= 0 && x >= best)) continue;
    best = x;
    flex = i;
    geom = -1;
    body = bodyOfFlex(m, d, i, vertex, selpnt);
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
    geom = flex = -1;
    body = bodyOfVertex(m, i, vertex);
    snu_f2n(selpnt, vert + 3 * vertex, 3);
  }
  if (geomid) *geomid = geom;
  if (flexid) *flexid = flex;
  if (skinid) *skinid = skin;
  return body;
}
