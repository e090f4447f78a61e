// The parts of MuJoCo's visualisation that copy, or return structs by value.

#include <string.h>

#include "compat/compat.h"
#include "sinew/visual.h"

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

// ---- rendering contexts: empty ones can be made and dropped ----

MJAPI void mjr_defaultContext(mjrContext* con) { memset(con, 0, sizeof(*con)); }
MJAPI void mjr_freeContext(mjrContext* con) { mjr_defaultContext(con); }
