// Defaults, shapes, scenes without contents, and the maps between the space of a room and that of a model.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/sinew.h"
#include "sinew/visual.h"
#include "visual/names.h"
#include "visual/scene.h"

static const char* const kVisual[snNVISFLAG][3] = {SN_VISUAL_NAMES};
static const char* const kRender[snNRNDFLAG][3] = {SN_RENDER_NAMES};

// ---- defaults ----

void snv_defaultCamera(snvCamera* cam) {
  memset(cam, 0, sizeof(*cam));
  cam->type = snCAMERA_FREE;
  cam->fixedcamid = cam->trackbodyid = -1;
  cam->distance = 2;
  cam->azimuth = 90;
  cam->elevation = -45;
}

void snv_defaultFreeCamera(const snModel* m, snvCamera* cam) {
  snv_defaultCamera(cam);
  snu_copy3(cam->lookat, m->stat.center);
  cam->distance = 1.5 * m->stat.extent;
  cam->azimuth = m->vis.global.azimuth;
  cam->elevation = m->vis.global.elevation;
  cam->orthographic = m->vis.global.orthographic;
}

void snv_defaultPerturb(snvPerturb* pert) {
  memset(pert, 0, sizeof(*pert));
  pert->flexselect = pert->skinselect = -1;
  pert->refquat[0] = 1;
  pert->scale = 1;
}

void snv_defaultOption(snvOption* opt) {
  memset(opt, 0, sizeof(*opt));
  snByte* groups[] = {opt->geomgroup,     opt->sitegroup, opt->jointgroup, opt->tendongroup,
                      opt->actuatorgroup, opt->flexgroup, opt->skingroup};
  for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) memset(groups[i], 1, 3);
  for (int i = 0; i < snNVISFLAG; i++) opt->flags[i] = kVisual[i][1][0] == '1';
  opt->bvh_depth = 1;
}

void snv_defaultFigure(snvFigure* fig) {
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
    for (int line = 0; line < snMAXLINE; line++) {
      fig->linergb[line][i] =
          line < 8 ? kLines[line][i] : (float)(0.1 + 0.8 * snu_Halton(line, kBase[i]));
    }
  }
  fig->range[0][1] = fig->range[1][1] = 1;
  strcpy(fig->xformat, "%.0f");
  strcpy(fig->yformat, "%.2g");
  strcpy(fig->minwidth, "XXX");
  fig->highlightid = -1;
}

// ---- shapes ----

void snv_initGeom(snvGeom* geom, int type, const snReal size[3], const snReal pos[3],
                  const snReal mat[9], const float rgba[4]) {
  memset(geom, 0, sizeof(*geom));
  geom->type = type;
  geom->dataid = geom->matid = -1;
  geom->specular = geom->shininess = 0.5f;
  int round = type == snGEOM_CAPSULE || type == snGEOM_CYLINDER;
  for (int i = 0; i < 3; i++) {
    int from = type == snGEOM_SPHERE ? 0 : (round && i ? i - 1 : i);
    geom->size[i] = size ? (float)size[from] : 0.1f;
    geom->pos[i] = pos ? (float)pos[i] : 0;
  }
  for (int i = 0; i < 9; i++) geom->mat[i] = mat ? (float)mat[i] : (float)(i % 4 == 0);
  for (int i = 0; i < 4; i++) geom->rgba[i] = rgba ? rgba[i] : (i < 3 ? 0.5f : 1);
}

void snv_connector(snvGeom* geom, int type, snReal width, const snReal from[3],
                   const snReal to[3]) {
  int centred = type == snGEOM_CAPSULE || type == snGEOM_CYLINDER;
  if (!centred && type != snGEOM_ARROW && type != snGEOM_ARROW1 && type != snGEOM_ARROW2 &&
      type != snGEOM_LINE) {
    snu_error("snv_connector: invalid geom type %d for connector", type);
    return;
  }
  snReal axis[3], quat[4], mat[9];
  snu_sub3(axis, to, from);
  snReal length = snu_norm3(axis);
  snu_quatZ2Vec(quat, axis);
  snu_quat2Mat(mat, quat);
  geom->type = type;
  geom->size[0] = geom->size[1] = (float)width;
  geom->size[2] = (float)(centred ? 0.5 * length : length);
  for (int i = 0; i < 3; i++) geom->pos[i] = (float)(from[i] + (centred ? 0.5 * axis[i] : 0));
  for (int i = 0; i < 9; i++) geom->mat[i] = (float)mat[i];
}

// ---- scenes ----

void snv_defaultScene(snvScene* scn) { memset(scn, 0, sizeof(*scn)); }

// one array of each flex or skin
void* makeArray(snSize count, size_t size) {
  size_t bytes = (size_t)(count > 0 ? count : 1) * size;
  void* memory = snu_malloc(bytes);
  if (memory) memset(memory, 0, bytes);
  return memory;
}
static int* makeInts(snSize count) { return (int*)makeArray(count, sizeof(int)); }
static float* makeFloats(snSize count) { return (float*)makeArray(count, sizeof(float)); }

// a scene that could not be made whole is empty: nothing is drawn into it
static int dropUnlessWhole(snvScene* scn, int whole) {
  if (whole) return 1;
  snv_freeScene(scn);
  snu_error("snv_makeScene: could not allocate memory");
  return 0;
}

void snv_makeScene(const snModel* m, snvScene* scn, int maxgeom) {
  snv_freeScene(scn);
  scn->maxgeom = maxgeom > 0 ? maxgeom : 0;
  scn->geoms = (snvGeom*)makeArray((snSize)scn->maxgeom + 1, sizeof(snvGeom));
  scn->geomorder = makeInts(maxgeom);
  scn->scale = scn->rotate[0] = 1;
  for (int i = 0; i < snNRNDFLAG; i++) scn->flags[i] = kRender[i][1][0] == '1';
  if (!m) {
    dropUnlessWhole(scn, scn->geoms && scn->geomorder);
    return;
  }
  int flexes = makeFlexes(m, scn);
  scn->nskin = (int)m->nskin;
  scn->skinfacenum = makeInts(m->nskin);
  scn->skinvertadr = makeInts(m->nskin);
  scn->skinvertnum = makeInts(m->nskin);
  scn->skinvert = makeFloats(3 * m->nskinvert);
  scn->skinnormal = makeFloats(3 * m->nskinvert);
  if (!dropUnlessWhole(scn, flexes && scn->geoms && scn->geomorder && scn->skinfacenum &&
                                scn->skinvertadr && scn->skinvertnum && scn->skinvert &&
                                scn->skinnormal)) {
    return;
  }
  for (int i = 0; i < scn->nskin; i++) {
    scn->skinfacenum[i] = m->skin_facenum[i];
    scn->skinvertadr[i] = m->skin_vertadr[i];
    scn->skinvertnum[i] = m->skin_vertnum[i];
  }
}

int sn_sceneFits(const snModel* m, const snvScene* scn) {
  if (scn->nflex != (int)(m->nflex + m->ndeformable) || scn->nskin != (int)m->nskin) return 0;
  int same = 1;
  for (int i = 0; i < scn->nskin; i++) {
    same &= scn->skinvertadr[i] == m->skin_vertadr[i] && scn->skinvertnum[i] == m->skin_vertnum[i];
  }
  for (int i = 0; i < (int)m->nflex; i++) {
    same &= scn->flexvertadr[i] == m->flex_vertadr[i] && scn->flexvertnum[i] == m->flex_vertnum[i];
    same &= scn->flexedgeadr[i] == m->flex_edgeadr[i] && scn->flexedgenum[i] == m->flex_edgenum[i];
  }
  return same && deformablesFit(m, scn);
}

void snv_freeScene(snvScene* scn) {
  void* arrays[] = {scn->geoms,        scn->geomorder,    scn->flexedgeadr, scn->flexedgenum,
                    scn->flexvertadr,  scn->flexvertnum,  scn->flexfaceadr, scn->flexfacenum,
                    scn->flexfaceused, scn->flexedge,     scn->flexvert,    scn->flexface,
                    scn->flexnormal,   scn->flextexcoord, scn->skinfacenum, scn->skinvertadr,
                    scn->skinvertnum,  scn->skinvert,     scn->skinnormal};
  for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++) snu_free(arrays[i]);
  snv_defaultScene(scn);
}

// ---- room and model ----

// pose of the scene's transform, and whether there is one
static int transform(const snvScene* scn, snReal translate[3], snReal rotate[4]) {
  for (int i = 0; i < 3; i++) translate[i] = scn->enabletransform ? scn->translate[i] : 0;
  for (int i = 0; i < 4; i++) rotate[i] = scn->enabletransform ? scn->rotate[i] : (i == 0);
  return scn->enabletransform;
}

// the scale of the room; 1 after the error that there is none
static snReal scaleOf(const snvScene* scn, int transformed, const char* function) {
  if (!transformed || scn->scale >= snMINVAL) return transformed ? scn->scale : 1;
  snu_error("%s: mjvScene scale too small", function);
  return 1;
}

// cameras that were never set see nothing
static int hasFrustum(const snvScene* scn, const char* function) {
  if (scn->camera[0].frustum_near >= snMINVAL && scn->camera[1].frustum_near >= snMINVAL) return 1;
  snu_error("%s: mjvScene frustum_near too small", function);
  return 0;
}

void snv_room2model(snReal modelpos[3], snReal modelquat[4], const snReal roompos[3],
                    const snReal roomquat[4], const snvScene* scn) {
  snReal translate[3], rotate[4], inverse[4], diff[3];
  snReal scale = scaleOf(scn, transform(scn, translate, rotate), "snv_room2model");
  snu_negQuat(inverse, rotate);
  snu_sub3(diff, roompos, translate);
  snu_rotVecQuat(modelpos, diff, inverse);
  snu_scl3(modelpos, modelpos, 1 / scale);
  snu_mulQuat(modelquat, inverse, roomquat);
}

void snv_model2room(snReal roompos[3], snReal roomquat[4], const snReal modelpos[3],
                    const snReal modelquat[4], const snvScene* scn) {
  snReal translate[3], rotate[4], turned[3];
  snReal scale = scaleOf(scn, transform(scn, translate, rotate), "snv_model2room");
  snu_rotVecQuat(turned, modelpos, rotate);
  snu_add3(roompos, turned, translate);
  snu_scl3(roompos, roompos, scale);
  snu_mulQuat(roomquat, rotate, modelquat);
}

// mean of two vectors, of unit length if asked
static void mean(snReal res[3], const float a[3], const float b[3], int unit) {
  for (int i = 0; i < 3; i++) res[i] = 0.5 * ((snReal)a[i] + (snReal)b[i]);
  if (unit) snu_normalize3(res);
}

static void meanCamera(snReal headpos[3], snReal forward[3], snReal up[3], const snvScene* scn) {
  const snvGLCamera *a = &scn->camera[0], *b = &scn->camera[1];
  mean(headpos, a->pos, b->pos, 0);
  mean(forward, a->forward, b->forward, 1);
  mean(up, a->up, b->up, 1);
}

void snv_cameraInRoom(snReal headpos[3], snReal forward[3], snReal up[3], const snvScene* scn) {
  hasFrustum(scn, "snv_cameraInRoom");
  meanCamera(headpos, forward, up, scn);
}

void snv_cameraInModel(snReal headpos[3], snReal forward[3], snReal up[3], const snvScene* scn) {
  snReal translate[3], rotate[4], inverse[4], pos[3], quat[4], identity[4] = {1, 0, 0, 0};
  hasFrustum(scn, "snv_cameraInModel");
  meanCamera(pos, forward, up, scn);
  snv_room2model(headpos, quat, pos, identity, scn);
  transform(scn, translate, rotate);
  snu_negQuat(inverse, rotate);
  snu_rotVecQuat(forward, forward, inverse);
  snu_rotVecQuat(up, up, inverse);
}

snReal snv_frustumHeight(const snvScene* scn) {
  const snvGLCamera* camera = &scn->camera[0];
  if (!hasFrustum(scn, "snv_frustumHeight")) return 0;
  if (camera->orthographic) return camera->frustum_top - camera->frustum_bottom;
  return (camera->frustum_top - camera->frustum_bottom) / camera->frustum_near;
}

void snv_alignToCamera(snReal res[3], const snReal vec[3], const snReal forward[3]) {
  snReal y[2] = {forward[0], forward[1]};
  snu_normalize(y, 2);
  res[0] = vec[0] * y[1] + vec[1] * y[0];
  res[1] = vec[1] * y[1] - vec[0] * y[0];
  res[2] = vec[2];
}

snvGLCamera snv_averageCamera(const snvGLCamera* cam1, const snvGLCamera* cam2) {
  snvGLCamera camera = *cam1;
  snReal pos[3], forward[3], up[3];
  mean(pos, cam1->pos, cam2->pos, 0);
  mean(forward, cam1->forward, cam2->forward, 1);
  mean(up, cam1->up, cam2->up, 1);
  snu_n2f(camera.pos, pos, 3);
  snu_n2f(camera.forward, forward, 3);
  snu_n2f(camera.up, up, 3);
  camera.frustum_center = 0.5f * (cam1->frustum_center + cam2->frustum_center);
  camera.frustum_width = 0.5f * (cam1->frustum_width + cam2->frustum_width);
  camera.frustum_bottom = 0.5f * (cam1->frustum_bottom + cam2->frustum_bottom);
  camera.frustum_top = 0.5f * (cam1->frustum_top + cam2->frustum_top);
  camera.frustum_near = 0.5f * (cam1->frustum_near + cam2->frustum_near);
  camera.frustum_far = 0.5f * (cam1->frustum_far + cam2->frustum_far);
  return camera;
}

// ---- cameras ----

void snv_cameraFrame(snReal headpos[3], snReal forward[3], snReal up[3], snReal right[3],
                     const snData* d, const snvCamera* cam) {
  snReal look[3], top[3], side[3], pos[3];
  if (cam->type == snCAMERA_FIXED) {
    const snReal* mat = d->cam_xmat + 9 * cam->fixedcamid;
    snu_copy3(pos, d->cam_xpos + 3 * cam->fixedcamid);
    for (int i = 0; i < 3; i++) {
      side[i] = mat[3 * i];
      top[i] = mat[3 * i + 1];
      look[i] = -mat[3 * i + 2];
    }
  } else {
    snReal azimuth = cam->azimuth / 180 * snPI, elevation = cam->elevation / 180 * snPI;
    snReal ca = cos(azimuth), sa = sin(azimuth);
    snReal ce = cos(elevation), se = sin(elevation);
    snReal direction[3] = {ce * ca, ce * sa, se}, above[3] = {-se * ca, -se * sa, ce};
    snu_copy3(look, direction);
    snu_copy3(top, above);
    snu_cross(side, look, top);
    snu_addScl3(pos, cam->lookat, look, -cam->distance);
  }
  if (headpos) snu_copy3(headpos, pos);
  if (forward) snu_copy3(forward, look);
  if (up) snu_copy3(up, top);
  if (right) snu_copy3(right, side);
}
