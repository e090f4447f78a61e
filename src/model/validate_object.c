// Objects of a model that refer to others by type and number: equalities, tendons, actuators, tuples,
// names and plugins.

#include "base/assert.h"
#include "model/actuator_laws.h"
#include "model/actuator_model.h"
#include "model/names.h"
#include "model/object_types.h"
#include "model/plugin.h"
#include "model/validate.h"
#include "sinew/plugin.h"

static int isOne(const snModel* m, int type, snSize id) {
  return id >= 0 && id < sn_objectCount(m, type);
}

// ---- equalities ----

const char* sn_validateEqualities(const snModel* m) {
  for (int i = 0; i < m->neq; i++) {
    int type = m->eq_type[i], objtype = m->eq_objtype[i], second = m->eq_obj2id[i];
    int object = (int)sn_equalityObject(type, objtype);
    int isPose = sn_isPoseEquality(type) || type == snEQ_DISTANCE;
    if (isPose && object != objtype) return "eq_objtype does not fit eq_type";
    if (!isOne(m, object, m->eq_obj1id[i])) return "eq_obj1id out of bounds";
    if ((second != -1 || isPose) && !isOne(m, object, second)) return "eq_obj2id out of bounds";
  }
  return NULL;
}

// ---- tendons ----

static int wrapObject(int type) {
  switch (type) {
    case snWRAP_JOINT: return snOBJ_JOINT;
    case snWRAP_SITE: return snOBJ_SITE;
    case snWRAP_SPHERE:
    case snWRAP_CYLINDER: return snOBJ_GEOM;
    default: return snOBJ_UNKNOWN;
  }
}

// a path runs over joints alone, or from site to site, over at most one geom at a time
static const char* checkPath(const snModel* m, snSize adr, snSize num) {
  SN_ASSERT(num > 0 && adr >= 0 && adr + num <= m->nwrap);
  for (snSize j = adr; j < adr + num; j++) {
    int type = m->wrap_type[j], object = wrapObject(type);
    if ((type == snWRAP_JOINT) != (m->wrap_type[adr] == snWRAP_JOINT)) return "wrap_type is mixed";
    if (object && !isOne(m, object, m->wrap_objid[j])) return "wrap_objid out of bounds";
    if (object != snOBJ_GEOM) continue;
    if (j == adr || j == adr + num - 1 || m->wrap_type[j - 1] != snWRAP_SITE ||
        m->wrap_type[j + 1] != snWRAP_SITE) {
      return "a wrapping geom is not between sites";
    }
    if (!(m->wrap_prm[j] >= -1 && m->wrap_prm[j] < (snReal)m->nsite))
      return "wrap_prm out of bounds";
  }
  return NULL;
}

const char* sn_validateTendons(const snModel* m) {
  for (int i = 0; i < m->ntendon; i++) {
    if (!m->tendon_num[i]) return "tendon_num is 0";
    const char* problem = checkPath(m, m->tendon_adr[i], m->tendon_num[i]);
    if (problem) return problem;
    if (m->tendon_treenum[i] < 0) return "tendon_treenum is negative";
    for (int k = 0; k < 2 && k < m->tendon_treenum[i]; k++) {
      if (m->tendon_treeid[2 * i + k] < 0) return "tendon_treeid out of bounds";
    }
  }
  return NULL;
}

// ---- actuators ----

// most entries of the row of an actuator's moment arm
static snSize momentWidth(const snModel* m, int i) {
  SN_ASSERT_INDEX(i, m->nu);
  int isJoint = sn_transmissionObject(m->actuator_trntype[i]) == snOBJ_JOINT;
  return isJoint ? sn_jointDofs(m->jnt_type[m->actuator_trnid[2 * i]]) : m->nv;
}

const char* sn_validateActuators(const snModel* m) {
  snSize entries = 0;
  for (int i = 0; i < m->nu; i++) {
    int type = m->actuator_trntype[i], object = (int)sn_transmissionObject(type);
    int first = m->actuator_trnid[2 * i], second = m->actuator_trnid[2 * i + 1];
    if (!object && type != snTRN_UNDEFINED) return "actuator_trntype out of bounds";
    if (object && !isOne(m, object, first)) return "actuator_trnid out of bounds";
    // a second site: the slider of a crank, the reference of a site
    if (!isOne(m, snOBJ_SITE, second) && (second != -1 || type == snTRN_SLIDERCRANK))
      return "actuator_trnid out of bounds";
    entries += momentWidth(m, i);
  }
  return m->nJmom < entries                               ? "nJmom is less than the actuators need"
         : m->nJmom > m->nu * m->nv && m->nJmom > entries ? "nJmom is larger than a full matrix"
                                                          : NULL;
}

// a law is built in, or one of those that are named; gain and bias follow it together
const char* sn_validateActuatorModels(const snModel* m) {
  for (int i = 0; i < (int)m->nu; i++) {
    int law = m->actuator_model[i];
    int known =
        (law >= 0 && law <= snLAST_LAW) || (law >= snUSER_LAW && law - snUSER_LAW < m->nactmodel);
    if (!known) return "actuator_model out of bounds";
    int gain = m->actuator_gaintype[i] == snGAIN_MODEL,
        bias = m->actuator_biastype[i] == snBIAS_MODEL;
    if ((gain || bias) && !law) return "actuator_gaintype asks for a law that actuator_model lacks";
  }
  for (int i = 0; i < (int)m->nactmodel; i++) {
    if (!sn_getActuatorModel(m->actmodel_slot[i])) return "actmodel_slot is not registered";
  }
  return NULL;
}

// pieces of spatial paths with geoms or pulleys, in the order of the paths
const char* sn_validateCapstans(const snModel* m) {
  for (int i = 0; i < (int)m->ncapstan; i++) {
    int tendon = m->capstan_tendon[i], wrap = m->capstan_wrap[i], first = m->tendon_adr[tendon];
    if (wrap < first || wrap >= first + m->tendon_num[tendon]) return "capstan_wrap out of bounds";
    if (i && wrap <= m->capstan_wrap[i - 1]) return "capstan_wrap is not ascending";
    int type = m->wrap_type[wrap];
    if (type != snWRAP_PULLEY && type != snWRAP_SPHERE && type != snWRAP_CYLINDER)
      return "capstan_wrap is neither a geom nor a pulley";
  }
  return NULL;
}

// ---- custom objects and names ----

const char* sn_validateTuples(const snModel* m) {
  for (snSize i = 0; i < m->ntupledata; i++) {
    if (!isOne(m, m->tuple_objtype[i], m->tuple_objid[i])) return "tuple_objid out of bounds";
  }
  return NULL;
}

const char* sn_validateNames(const snModel* m) {
  const int* section = m->names_map;
  if (m->nnames_map != sn_countNamesMap(m)) return "nnames_map is not that of the objects";
#define X(type, size, address)                                                      \
  for (snSize i = 0; i < 2 * m->size; i++) {                                        \
    if (section[i] < -1 || section[i] >= m->size) return "names_map out of bounds"; \
  }                                                                                 \
  section += 2 * m->size;
  SN_NAMED(X)
#undef X
  return NULL;
}

// ---- plugins ----

static int canServe(const snModel* m, const int* plugin, snSize n, int capability) {
  for (snSize i = 0; i < n; i++) {
    if (plugin[i] >= 0 && !(sn_pluginCapability(m->plugin[plugin[i]]) & capability)) return 0;
  }
  return 1;
}

// settings: one text per attribute, all of them inside of plugin_attr
static int settingsFit(const snModel* m, int instance) {
  SN_ASSERT_INDEX(instance, m->nplugin);
  snSize next = m->plugin_attradr[instance];
  if (next < 0) return 0;
  for (int k = 0; sn_pluginAttribute(m->plugin[instance], k); k++) {
    while (next < m->npluginattr && m->plugin_attr[next]) next++;
    if (next++ >= m->npluginattr) return 0;
  }
  return 1;
}

// a plugin of the user tells how much it will write
static const char* askUser(const snModel* m, int instance) {
  const snpPlugin* user = sn_userPlugin(m->plugin[instance]);
  if (!user) return NULL;
  if (user->nstate && user->nstate(m, instance) > m->plugin_statenum[instance])
    return "plugin_statenum is less than the plugin needs";
  for (int i = 0; i < m->nsensor && user->nsensordata; i++) {
    if (m->sensor_type[i] == snSENS_PLUGIN && m->sensor_plugin[i] == instance &&
        user->nsensordata(m, instance, i) > m->sensor_dim[i])
      return "sensor_dim is less than the plugin needs";
  }
  return NULL;
}

const char* sn_validatePlugins(const snModel* m) {
  if (!canServe(m, m->body_plugin, m->nbody, snCAP_PASSIVE)) return "body_plugin cannot do this";
  if (!canServe(m, m->geom_plugin, m->ngeom, snCAP_SDF)) return "geom_plugin cannot do this";
  if (!canServe(m, m->actuator_plugin, m->nu, snCAP_ACTUATOR))
    return "actuator_plugin cannot do this";
  if (!canServe(m, m->sensor_plugin, m->nsensor, snCAP_SENSOR))
    return "sensor_plugin cannot do this";
  for (int i = 0; i < m->nplugin; i++) {
    if (m->plugin[i] < 0 || m->plugin[i] >= snp_pluginCount()) return "plugin is not registered";
    if (!settingsFit(m, i)) return "plugin_attradr out of bounds";
    const char* problem = askUser(m, i);
    if (problem) return problem;
  }
  return NULL;
}
