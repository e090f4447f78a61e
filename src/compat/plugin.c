// Plugins and collision functions under MuJoCo's names.

#include "sinew/plugin.h"

#include <math.h>

#include "compat/compat.h"
#include "engine/collide/distance_field.h"
#include "spec/element.h"

_Static_assert(sizeof(mjpPlugin) == sizeof(snpPlugin), "one layout of plugins");

MJAPI void mjp_defaultPlugin(mjpPlugin* plugin) { snp_defaultPlugin((snpPlugin*)plugin); }
MJAPI int mjp_registerPlugin(const mjpPlugin* plugin) {
  return snp_registerPlugin((const snpPlugin*)plugin);
}
MJAPI int mjp_pluginCount(void) { return snp_pluginCount(); }
MJAPI const mjpPlugin* mjp_getPlugin(const char* name, int* slot) {
  return (const mjpPlugin*)snp_getPlugin(name, slot);
}
MJAPI const mjpPlugin* mjp_getPluginAtSlot(int slot) {
  return (const mjpPlugin*)snp_getPluginAtSlot(slot);
}

MJAPI const mjpPlugin* mjc_getSDF(const mjModel* m, int id) {
  int instance = m->geom_plugin[id];
  if (instance < 0) return NULL;
  const mjpPlugin* plugin = mjp_getPluginAtSlot(m->plugin[instance]);
  return plugin && (plugin->capabilityflags & mjPLUGIN_SDF) ? plugin : NULL;
}

MJAPI void mj_loadPluginLibrary(const char* path) {
  char error[1000];
  if (snp_loadLibrary(path, error, sizeof(error)) < 0) mju_error("%s", error);
}

MJAPI void mj_loadAllPluginLibraries(const char* directory, mjfPluginLibraryLoadCallback callback) {
  char error[1000];
  if (snp_loadAllLibraries(directory, callback, error, sizeof(error)) < 0) mju_error("%s", error);
}

MJAPI void mjs_setUserValueWithCleanup(mjsElement* element, const char* key, const void* data,
                                       void (*cleanup)(const void*)) {
  sns_setUserValueWithCleanup((snsElement*)element, key, data, cleanup);
}

// ---- distance fields ----

// whether a field of the description has a distance
static int isField(const mjSDF* s, int i, const char* function) {
  mjtGeom type = s->geomtype[i];
  int known = type <= mjGEOM_SDF && type != mjGEOM_HFIELD;
  if (s->plugin[i] || known) return 1;
  mju_error("%s: sdf collisions not available for geom type %d", function, (int)type);
  return 0;
}

// One field of the description that the collision of fields works on.
static mjtNum fieldDistance(const mjModel* m, const mjData* d, const mjSDF* s, int i,
                            const mjtNum x[3]) {
  if (!isField(s, i, "geomDistance")) return 0;
  return sn_sdfDistance((const snModel*)m, (const snData*)d, (const snpPlugin*)s->plugin[i],
                        s->id[i], (int)s->geomtype[i], x);
}

static void fieldGradient(const mjModel* m, const mjData* d, const mjSDF* s, int i,
                          mjtNum gradient[3], const mjtNum x[3]) {
  if (!isField(s, i, "geomGradient")) return;
  sn_sdfGradient((const snModel*)m, (const snData*)d, (const snpPlugin*)s->plugin[i], s->id[i],
                 (int)s->geomtype[i], gradient, x);
}

// a point in the frame of the second field
static void toSecond(const mjSDF* s, mjtNum y[3], const mjtNum x[3]) {
  mju_mulMatVec3(y, s->relmat, x);
  mju_addTo3(y, s->relpos);
}

// max(A, B), A - B, or A + B + |max(A, B)|
MJAPI mjtNum mjc_distance(const mjModel* m, const mjData* d, const mjSDF* s, const mjtNum x[3]) {
  mjtNum y[3], a = fieldDistance(m, d, s, 0, x), b;
  if (s->type == mjSDFTYPE_SINGLE) return a;
  toSecond(s, y, x);
  b = fieldDistance(m, d, s, 1, y);
  if (s->type == mjSDFTYPE_INTERSECTION) return mju_max(a, b);
  if (s->type == mjSDFTYPE_MIDSURFACE) return a - b;
  return a + b + fabs(mju_max(a, b));
}

MJAPI void mjc_gradient(const mjModel* m, const mjData* d, const mjSDF* s, mjtNum gradient[3],
                        const mjtNum x[3]) {
  mjtNum y[3], ga[3], local[3], gb[3];
  fieldGradient(m, d, s, 0, ga, x);
  if (s->type == mjSDFTYPE_SINGLE) {
    mju_copy3(gradient, ga);
    return;
  }
  toSecond(s, y, x);
  fieldGradient(m, d, s, 1, local, y);
  mju_mulMatTVec3(gb, s->relmat, local);
  mjtNum a = fieldDistance(m, d, s, 0, x), b = fieldDistance(m, d, s, 1, y);
  const mjtNum* larger = a > b ? ga : gb;
  if (s->type == mjSDFTYPE_INTERSECTION) {
    mju_copy3(gradient, larger);
  } else if (s->type == mjSDFTYPE_MIDSURFACE) {
    mju_sub3(gradient, ga, gb);
    mju_normalize3(gradient);
  } else {
    mju_add3(gradient, ga, gb);
    mju_addToScl3(gradient, larger, mju_max(a, b) > 0 ? 1 : -1);
  }
}
