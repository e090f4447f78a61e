// The parts of MuJoCo's visualisation that copy, or return structs by value.

#include <string.h>

#include <mujoco/mjxmacro.h>

#include "compat/compat.h"
#include "sinew/render.h"

// ---- copies for drawing: without what is large, or what only the solver needs ----

MJAPI void mjv_copyModel(mjModel* dest, const mjModel* src) {
  if (!dest || dest->nbuffer != src->nbuffer) {
    mju_error("mjv_copyModel: dest and src models have different buffer size");
    return;
  }
  mjModel kept = *dest;
  memcpy(dest, src, sizeof(mjModel));
#undef MJ_M
#define MJ_M(n) src->n
#undef X
#undef XNV
#define X(type, name, rows, columns) \
  dest->name = kept.name;            \
  memcpy(dest->name, src->name, sizeof(type) * (size_t)(src->rows) * (size_t)(columns));
#define XNV(type, name, rows, columns) dest->name = kept.name;
  MJMODEL_POINTERS
#undef X
#undef XNV
  dest->buffer = kept.buffer;
  dest->moved = kept.moved;
}

// Matrices of data that a copy for drawing leaves alone: to a buffer, or back from it; numbers in all.
static size_t keepMatrices(const mjModel* m, mjData* d, mjtNum* buffer, int back) {
  mjtNum* const arrays[] = {d->crb, d->qM, d->M, d->qLD, d->qH, d->qDeriv, d->qLU};
  const mjtSize sizes[] = {10 * m->nbody, m->nM, m->nC, m->nC, m->nC, m->nD, m->nD};
  size_t total = 0;
  for (int i = 0; i < 7; i++) {
    size_t size = (size_t)sizes[i];
    if (buffer)
      memcpy(back ? arrays[i] : buffer + total, back ? buffer + total : arrays[i],
             size * sizeof(mjtNum));
    total += size;
  }
  return total;
}

MJAPI mjData* mjv_copyData(mjData* dest, const mjModel* m, const mjData* src) {
  mjtNum* kept = NULL;
  if (dest) {
    kept = (mjtNum*)mju_malloc(keepMatrices(m, dest, NULL, 0) * sizeof(mjtNum) + 1);
    keepMatrices(m, dest, kept, 0);
  }
  mjData* result = mj_copyData(dest, m, src);
  if (result && kept) keepMatrices(m, result, kept, 1);
  mju_free(kept);
  if (!result) return NULL;
#define X(type, name, rows, columns)
#define XNV(type, name, rows, columns) result->name = NULL;
  MJDATA_ARENA_POINTERS
#undef X
#undef XNV
  return result;
}

// ---- planes without end ----

// They follow the camera that the scene had before, in steps that leave their texture where it was.
static void followCamera(const mjModel* m, const mjData* d, const mjtNum camera[3],
                         mjvGeom* shape) {
  int geom = shape->objid, material = m->geom_matid[geom];
  const mjtNum* mat = d->geom_xmat + 9 * geom;
  mjtNum eye[3], local[3], zfar = m->vis.map.zfar * m->stat.extent;
  mju_sub3(eye, camera, d->geom_xpos + 3 * geom);
  mju_mulMatTVec3(local, mat, eye);
  for (int k = 0; k < 2; k++) {
    if (m->geom_size[3 * geom + k] > 0) continue;
    mjtNum repeat = material >= 0 ? (mjtNum)m->mat_texrepeat[2 * material + k] : 0;
    mjtNum step = 2 * (repeat > 0 ? 2 / repeat : 2.1 * zfar / 198);
    mjtNum shift = step * mju_round(local[k] / step);
    for (int i = 0; i < 3; i++) shape->pos[i] += (float)(shift * mat[3 * i + k]);
  }
}

MJAPI void mjv_updateScene(const mjModel* m, mjData* d, const mjvOption* opt,
                           const mjvPerturb* pert, mjvCamera* cam, int catmask, mjvScene* scn) {
  mjtNum camera[3];
  installCallbacks(d);
  for (int k = 0; k < 3; k++) camera[k] = (scn->camera[0].pos[k] + scn->camera[1].pos[k]) / 2;
  snv_updateScene((const snModel*)m, (snData*)d, (const snvOption*)opt, (const snvPerturb*)pert,
                  (snvCamera*)cam, catmask, (snvScene*)scn);
  for (int i = 0; i < scn->ngeom; i++) {
    mjvGeom* shape = scn->geoms + i;
    if (shape->type == mjGEOM_PLANE && shape->objtype == mjOBJ_GEOM) {
      followCamera(m, d, camera, shape);
    }
  }
}

MJAPI mjvGLCamera mjv_averageCamera(const mjvGLCamera* cam1, const mjvGLCamera* cam2) {
  snvGLCamera mean = snv_averageCamera((const snvGLCamera*)cam1, (const snvGLCamera*)cam2);
  mjvGLCamera camera;
  memcpy(&camera, &mean, sizeof(camera));
  return camera;
}

_Static_assert(sizeof(mjrContext) == sizeof(snrContext), "one layout of rendering contexts");

MJAPI mjrRect mjr_maxViewport(const mjrContext* con) {
  snrRect whole = snr_maxViewport((const snrContext*)con);
  mjrRect rect = {whole.left, whole.bottom, whole.width, whole.height};
  return rect;
}

// between window and offscreen buffer: there is no window
MJAPI void mjr_blitBuffer(mjrRect src, mjrRect dst, int flg_color, int flg_depth,
                          const mjrContext* con) {
  (void)src, (void)dst, (void)flg_color, (void)flg_depth, (void)con;
}

MJAPI void mjv_updateSkin(const mjModel* m, const mjData* d, mjvScene* scn) {
  mju_warning("mjv_updateSkin is deprecated, please use mjv_updateActiveSkin.");
  snv_updateSkin((const snModel*)m, (const snData*)d, (snvScene*)scn);
}
