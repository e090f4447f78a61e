// The part of MuJoCo's abstract visualisation that is plain data: defaults, shapes, scenes without
// contents, and the maps between the space of a room and that of a model.

#include <stdlib.h>
#include <string.h>

#include "compat/compat.h"

// ---- defaults ----

MJAPI void mjv_defaultCamera(mjvCamera* cam) {
  memset(cam, 0, sizeof(*cam));
  cam->type = mjCAMERA_FREE;
  cam->fixedcamid = cam->trackbodyid = -1;
  cam->distance = 2;
  cam->azimuth = 90;
  cam->elevation = -45;
}

MJAPI void mjv_defaultFreeCamera(const mjModel* m, mjvCamera* cam) {
  mjv_defaultCamera(cam);
  mju_copy3(cam->lookat, m->stat.center);
  cam->distance = 1.5 * m->stat.extent;
  cam->azimuth = m->vis.global.azimuth;
  cam->elevation = m->vis.global.elevation;
  cam->orthographic = m->vis.global.orthographic;
}

MJAPI void mjv_defaultPerturb(mjvPerturb* pert) {
  memset(pert, 0, sizeof(*pert));
  pert->flexselect = pert->skinselect = -1;
  pert->refquat[0] = 1;
  pert->scale = 1;
}

MJAPI void mjv_defaultOption(mjvOption* opt) {
  memset(opt, 0, sizeof(*opt));
  mjtByte* groups[] = {opt->geomgroup,     opt->sitegroup, opt->jointgroup, opt->tendongroup,
                       opt->actuatorgroup, opt->flexgroup, opt->skingroup};
  for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) memset(groups[i], 1, 3);
  for (int i = 0; i < mjNVISFLAG; i++) opt->flags[i] = mjVISSTRING[i][1][0] == '1';
  opt->bvh_depth = 1;
}

MJAPI void mjv_defaultFigure(mjvFigure* fig) {
  static const float kLines[8][3] = {{1, 0.3f, 0.3f}, {0.1f, 1, 0.1f},   {0.3f, 0.3f, 1},
                                     {0.1f, 1, 1},    {1, 0.2f, 1},      {1, 1, 0.1f},
                                     {1, 0.6f, 0.2f}, {0.6f, 0.7f, 0.4f}};
  static const int kBase[3] = {2, 3, 5};
  memset(fig, 0, sizeof(*fig));
  fig->flg_legend = fig->flg_extend = fig->flg_ticklabel[0] = fig->flg_ticklabel[1] = 1;
  fig->linewidth = 3;
  fig->gridwidth = 1;
  fig->gridsize[0] = fig->gridsize[1] = 2;
  fig->figurergba[3] = fig->panergba[3] = 1;
  fig->legendrgba[3] = 0.3f;
  for (int i = 0; i < 3; i++) {
    fig->gridrgb[i] = 0.4f;
    fig->textrgb[i] = 1;
    for (int line = 0; line < mjMAXLINE; line++) {
      fig->linergb[line][i] =
          line < 8 ? kLines[line][i] : (float)(0.1 + 0.8 * mju_Halton(line, kBase[i]));
    }
  }
  fig->range[0][1] = fig->range[1][1] = 1;
  strcpy(fig->xformat, "%.0f");
  strcpy(fig->yformat, "%.2g");
  strcpy(fig->minwidth, "XXX");
  fig->highlightid = -1;
}

// ---- shapes ----

MJAPI void mjv_initGeom(mjvGeom* geom, int type, const mjtNum size[3], const mjtNum pos[3],
                        const mjtNum mat[9], const float rgba[4]) {
  memset(geom, 0, sizeof(*geom));
  geom->type = type;
  geom->dataid = geom->matid = -1;
  geom->specular = geom->shininess = 0.5f;
  int round = type == mjGEOM_CAPSULE || type == mjGEOM_CYLINDER;
  for (int i = 0; i < 3; i++) {
    int from = type == mjGEOM_SPHERE ? 0 : (round && i ? i - 1 : i);
    geom->size[i] = size ? (float)size[from] : 0.1f;
    geom->pos[i] = pos ? (float)pos[i] : 0;
  }
  for (int i = 0; i < 9; i++) geom->mat[i] = mat ? (float)mat[i] : (float)(i % 4 == 0);
  for (int i = 0; i < 4; i++) geom->rgba[i] = rgba ? rgba[i] : (i < 3 ? 0.5f : 1);
}

MJAPI void mjv_connector(mjvGeom* geom, int type, mjtNum width, const mjtNum from[3],
                         const mjtNum to[3]) {
  int centred = type == mjGEOM_CAPSULE || type == mjGEOM_CYLINDER;
  if (!centred && type != mjGEOM_ARROW && type != mjGEOM_ARROW1 && type != mjGEOM_ARROW2 &&
      type != mjGEOM_LINE) {
    mju_error("mjv_connector: invalid geom type %d for connector", type);
    return;
  }
  mjtNum axis[3], quat[4], mat[9];
  mju_sub3(axis, to, from);
  mjtNum length = mju_norm3(axis);
  mju_quatZ2Vec(quat, axis);
  mju_quat2Mat(mat, quat);
  geom->type = type;
  geom->size[0] = geom->size[1] = (float)width;
  geom->size[2] = (float)(centred ? 0.5 * length : length);
  for (int i = 0; i < 3; i++) geom->pos[i] = (float)(from[i] + (centred ? 0.5 * axis[i] : 0));
  for (int i = 0; i < 9; i++) geom->mat[i] = (float)mat[i];
}

// ---- scenes ----

MJAPI void mjv_defaultScene(mjvScene* scn) { memset(scn, 0, sizeof(*scn)); }

// one array of each flex or skin
static int* makeInts(mjtSize count) {
  return count ? (int*)calloc((size_t)count, sizeof(int)) : NULL;
}
static float* makeFloats(mjtSize count) {
  return count ? (float*)calloc((size_t)count, sizeof(float)) : NULL;
}

MJAPI void mjv_makeScene(const mjModel* m, mjvScene* scn, int maxgeom) {
  mjv_freeScene(scn);
  scn->maxgeom = maxgeom;
  scn->geoms = (mjvGeom*)calloc((size_t)maxgeom + 1, sizeof(mjvGeom));
  scn->geomorder = makeInts(maxgeom);
  scn->scale = scn->rotate[0] = 1;
  for (int i = 0; i < mjNRNDFLAG; i++) scn->flags[i] = mjRNDSTRING[i][1][0] == '1';
  if (!m) return;
  scn->nskin = (int)m->nskin;
  scn->skinfacenum = makeInts(m->nskin);
  scn->skinvertadr = makeInts(m->nskin);
  scn->skinvertnum = makeInts(m->nskin);
  scn->skinvert = makeFloats(3 * m->nskinvert);
  scn->skinnormal = makeFloats(3 * m->nskinvert);
  for (int i = 0; i < scn->nskin; i++) {
    scn->skinfacenum[i] = m->skin_facenum[i];
    scn->skinvertadr[i] = m->skin_vertadr[i];
    scn->skinvertnum[i] = m->skin_vertnum[i];
  }
}

MJAPI void mjv_freeScene(mjvScene* scn) {
  void* arrays[] = {scn->geoms,        scn->geomorder,    scn->flexedgeadr, scn->flexedgenum,
                    scn->flexvertadr,  scn->flexvertnum,  scn->flexfaceadr, scn->flexfacenum,
                    scn->flexfaceused, scn->flexedge,     scn->flexvert,    scn->flexface,
                    scn->flexnormal,   scn->flextexcoord, scn->skinfacenum, scn->skinvertadr,
                    scn->skinvertnum,  scn->skinvert,     scn->skinnormal};
  for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++) free(arrays[i]);
  mjv_defaultScene(scn);
}

// ---- room and model ----

// pose of the scene's transform, and whether there is one
static int transform(const mjvScene* scn, mjtNum translate[3], mjtNum rotate[4]) {
  for (int i = 0; i < 3; i++) translate[i] = scn->enabletransform ? scn->translate[i] : 0;
  for (int i = 0; i < 4; i++) rotate[i] = scn->enabletransform ? scn->rotate[i] : (i == 0);
  return scn->enabletransform;
}

MJAPI void mjv_room2model(mjtNum modelpos[3], mjtNum modelquat[4], const mjtNum roompos[3],
                          const mjtNum roomquat[4], const mjvScene* scn) {
  mjtNum translate[3], rotate[4], inverse[4], diff[3];
  mjtNum scale = transform(scn, translate, rotate) ? scn->scale : 1;
  mju_negQuat(inverse, rotate);
  mju_sub3(diff, roompos, translate);
  mju_rotVecQuat(modelpos, diff, inverse);
  mju_scl3(modelpos, modelpos, 1 / scale);
  mju_mulQuat(modelquat, inverse, roomquat);
}

MJAPI void mjv_model2room(mjtNum roompos[3], mjtNum roomquat[4], const mjtNum modelpos[3],
                          const mjtNum modelquat[4], const mjvScene* scn) {
  mjtNum translate[3], rotate[4], turned[3];
  mjtNum scale = transform(scn, translate, rotate) ? scn->scale : 1;
  mju_rotVecQuat(turned, modelpos, rotate);
  mju_add3(roompos, turned, translate);
  mju_scl3(roompos, roompos, scale);
  mju_mulQuat(roomquat, rotate, modelquat);
}

// mean of two vectors, of unit length if asked
static void mean(mjtNum res[3], const float a[3], const float b[3], int unit) {
  for (int i = 0; i < 3; i++) res[i] = 0.5 * ((mjtNum)a[i] + (mjtNum)b[i]);
  if (unit) mju_normalize3(res);
}

MJAPI void mjv_cameraInRoom(mjtNum headpos[3], mjtNum forward[3], mjtNum up[3],
                            const mjvScene* scn) {
  const mjvGLCamera *a = &scn->camera[0], *b = &scn->camera[1];
  mean(headpos, a->pos, b->pos, 0);
  mean(forward, a->forward, b->forward, 1);
  mean(up, a->up, b->up, 1);
}

MJAPI void mjv_cameraInModel(mjtNum headpos[3], mjtNum forward[3], mjtNum up[3],
                             const mjvScene* scn) {
  mjtNum translate[3], rotate[4], inverse[4], pos[3], quat[4], identity[4] = {1, 0, 0, 0};
  mjv_cameraInRoom(pos, forward, up, scn);
  mjv_room2model(headpos, quat, pos, identity, scn);
  transform(scn, translate, rotate);
  mju_negQuat(inverse, rotate);
  mju_rotVecQuat(forward, forward, inverse);
  mju_rotVecQuat(up, up, inverse);
}

MJAPI mjtNum mjv_frustumHeight(const mjvScene* scn) {
  const mjvGLCamera* camera = &scn->camera[0];
  if (camera->orthographic) return camera->frustum_top - camera->frustum_bottom;
  return (camera->frustum_top - camera->frustum_bottom) / camera->frustum_near;
}

MJAPI void mjv_alignToCamera(mjtNum res[3], const mjtNum vec[3], const mjtNum forward[3]) {
  mjtNum y[2] = {forward[0], forward[1]};
  mju_normalize(y, 2);
  res[0] = vec[0] * y[1] + vec[1] * y[0];
  res[1] = vec[1] * y[1] - vec[0] * y[0];
  res[2] = vec[2];
}

MJAPI mjvGLCamera mjv_averageCamera(const mjvGLCamera* cam1, const mjvGLCamera* cam2) {
  mjvGLCamera camera = *cam1;
  mjtNum pos[3], forward[3], up[3];
  mean(pos, cam1->pos, cam2->pos, 0);
  mean(forward, cam1->forward, cam2->forward, 1);
  mean(up, cam1->up, cam2->up, 1);
  mju_n2f(camera.pos, pos, 3);
  mju_n2f(camera.forward, forward, 3);
  mju_n2f(camera.up, up, 3);
  camera.frustum_center = 0.5f * (cam1->frustum_center + cam2->frustum_center);
  camera.frustum_width = 0.5f * (cam1->frustum_width + cam2->frustum_width);
  camera.frustum_bottom = 0.5f * (cam1->frustum_bottom + cam2->frustum_bottom);
  camera.frustum_top = 0.5f * (cam1->frustum_top + cam2->frustum_top);
  camera.frustum_near = 0.5f * (cam1->frustum_near + cam2->frustum_near);
  camera.frustum_far = 0.5f * (cam1->frustum_far + cam2->frustum_far);
  return camera;
}

// ---- copies ----

MJAPI void mjv_copyModel(mjModel* dest, const mjModel* src) { mj_copyModel(dest, src); }
MJAPI mjData* mjv_copyData(mjData* dest, const mjModel* m, const mjData* src) {
  return mj_copyData(dest, m, src);
}

// ---- cameras ----

MJAPI void mjv_cameraFrame(mjtNum headpos[3], mjtNum forward[3], mjtNum up[3], mjtNum right[3],
                           const mjData* d, const mjvCamera* cam) {
  mjtNum look[3], top[3], side[3], pos[3];
  if (cam->type == mjCAMERA_FIXED) {
    const mjtNum* mat = d->cam_xmat + 9 * cam->fixedcamid;
    mju_copy3(pos, d->cam_xpos + 3 * cam->fixedcamid);
    for (int i = 0; i < 3; i++) {
      side[i] = mat[3 * i];
      top[i] = mat[3 * i + 1];
      look[i] = -mat[3 * i + 2];
    }
  } else {
    mjtNum azimuth = cam->azimuth / 180 * mjPI, elevation = cam->elevation / 180 * mjPI;
    mjtNum ca = mju_cos(azimuth), sa = mju_sin(azimuth);
    mjtNum ce = mju_cos(elevation), se = mju_sin(elevation);
    mjtNum direction[3] = {ce * ca, ce * sa, se}, above[3] = {-se * ca, -se * sa, ce};
    mju_copy3(look, direction);
    mju_copy3(top, above);
    mju_cross(side, look, top);
    mju_addScl3(pos, cam->lookat, look, -cam->distance);
  }
  if (headpos) mju_copy3(headpos, pos);
  if (forward) mju_copy3(forward, look);
  if (up) mju_copy3(up, top);
  if (right) mju_copy3(right, side);
}
