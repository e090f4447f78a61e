// The parts of MuJoCo's visualisation that copy, or return structs by value.

#include <string.h>

#include "compat/compat.h"
#include "sinew/render.h"

MJAPI void mjv_copyModel(mjModel* dest, const mjModel* src) { mj_copyModel(dest, src); }
MJAPI mjData* mjv_copyData(mjData* dest, const mjModel* m, const mjData* src) {
  return mj_copyData(dest, m, src);
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
