// Plugins: instances, their settings, and the elements that refer to them.

#include "model/plugin.h"
#include "base/assert.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/compiler.h"
#include "sinew/plugin.h"

// ---- instances

static const snPluginObject* instanceObject(const snElem* elem) {
  return (const snPluginObject*)elem->object;
}

static int slotOf(const snElem* elem) {
  return sn_pluginSlot(sns_getString(instanceObject(elem)->plugin.plugin_name));
}

// text of a setting, empty when it is missing
static const char* setting(const snElem* elem, const char* attribute) {
  const snPluginObject* object = instanceObject(elem);
  for (int i = 0; i < object->key->size; i++) {
    if (!strcmp(sns_getString(object->key->data + i), attribute)) {
      return sns_getString(object->value->data + i);
    }
  }
  return "";
}

// letter case is free where a plugin is declared, and counts where it is used
static int isExact(const char* name, int slot) { return !strcmp(name, sn_pluginName(slot)); }

static int isActive(const snCompiler* c, int slot) {
  const snStringVec* active = c->data->plugins;
  for (int i = 0; i < active->size; i++) {
    if (sn_pluginSlot(sns_getString(active->data + i)) == slot) return 1;
  }
  return 0;
}

// the element that an instance without a name belongs to
static const snElem* ownerOf(const snCompiler* c, const snElem* instance) {
#define OWNS(item)                                                                  \
  if ((item)->spec.plugin.active && (item)->spec.plugin.element == &instance->head) \
  return (item)->elem
  if (*sn_elemName(instance)) return instance;
  for (int i = 0; i < c->nbody; i++) OWNS(c->bodies[i]);
  for (int i = 0; i < c->ngeom; i++) OWNS(c->geoms[i]);
  for (int i = 0; i < c->nmesh; i++) OWNS(c->meshes + i);
  for (int i = 0; i < c->nu; i++) OWNS(c->actuators + i);
  for (int i = 0; i < c->nsensor; i++) OWNS(c->sensors + i);
#undef OWNS
  return instance;
}

static int isUsable(const snCompiler* c, const char* name) {
  int slot = sn_pluginSlot(name);
  return slot >= 0 && isExact(name, slot) && isActive(c, slot);
}

static int checkInstance(snCompiler* c, const snElem* elem) {
  const snPluginObject* object = instanceObject(elem);
  const char* name = sns_getString(object->plugin.plugin_name);
  if (!isUsable(c, name)) {
    return sn_itemError(c, ownerOf(c, elem), "unrecognized plugin '%s'", name);
  }
  for (int i = 0; i < object->key->size; i++) {
    const char *key = sns_getString(object->key->data + i), *attribute;
    int known = 0;
    for (int k = 0; (attribute = sn_pluginAttribute(slotOf(elem), k)); k++) {
      known |= !strcmp(attribute, key);
    }
    if (!known) {
      return sn_itemError(c, ownerOf(c, elem), "unrecognized attribute 'plugin:%s' for plugin %s'",
                          key, name);
    }
  }
  return 0;
}

// ---- references

// instance that an element refers to: by name, or its own
static const snElem* findInstance(const snCompiler* c, const snsPlugin* plugin) {
  if (sn_stringEmpty(plugin->name)) return plugin->element ? sn_elem(plugin->element) : NULL;
  SN_EACH(e, sn_specList(c->spec, snOBJ_PLUGIN)) {
    if (!strcmp(sn_elemName(e), sns_getString(plugin->name))) return e;
  }
  return NULL;
}

static int instanceId(const snCompiler* c, const snsPlugin* plugin) {
  const snElem* instance = plugin->active ? findInstance(c, plugin) : NULL;
  int id = 0;
  if (!instance) return -1;
  SN_EACH(e, sn_specList(c->spec, snOBJ_PLUGIN)) {
    if (e == instance) return id;
    id++;
  }
  return -1;
}

// An instance without a plugin of its own takes that of the element that refers to it.
static void adoptPlugin(const snElem* elem) {
  const snsPlugin* plugin = sn_elemPlugin(elem);
  if (!plugin || !plugin->active || !sn_stringEmpty(plugin->name)) return;
  const snElem* own = plugin->element ? sn_elem(plugin->element) : NULL;
  if (!own || sn_stringEmpty(plugin->plugin_name)) return;
  if (!sn_stringEmpty(instanceObject(own)->plugin.plugin_name)) return;
  sns_setString(instanceObject(own)->plugin.plugin_name, sns_getString(plugin->plugin_name));
}

void sn_adoptPlugins(snCompiler* c) {
  for (int i = 0; i < c->nbody; i++) adoptPlugin(c->bodies[i]->elem);
  for (int i = 0; i < c->ngeom; i++) adoptPlugin(c->geoms[i]->elem);
  for (int i = 0; i < c->nmesh; i++) adoptPlugin(c->meshes[i].elem);
  for (int i = 0; i < c->nu; i++) adoptPlugin(c->actuators[i].elem);
  for (int i = 0; i < c->nsensor; i++) adoptPlugin(c->sensors[i].elem);
}

static int namelessReference(snCompiler* c, const snElem* elem) {
  snObj type = elem->head.elemtype;
  if (type == snOBJ_SENSOR || type == snOBJ_GEOM) {
    return sn_itemError(c, elem, "neither 'plugin' nor 'instance' is specified for %s",
                        sn_typeName(type));
  }
  return sn_itemError(c, elem,
                      "neither 'plugin' nor 'instance' is specified for %s '%s', (id = %d)",
                      sn_typeName(type), sn_elemName(elem), elem->id);
}

int sn_checkPluginUse(snCompiler* c, const snElem* elem, const snsPlugin* plugin, int capability,
                      const char* what) {
  if (!plugin->active) return 0;
  const char* name = sns_getString(plugin->plugin_name);
  if (sn_stringEmpty(plugin->name) && !*name) return namelessReference(c, elem);
  const snElem* instance = findInstance(c, plugin);
  if (*name && !isUsable(c, name)) {
    return sn_itemError(c, elem, "unrecognized plugin '%s'", name);
  }
  if (!instance) {
    return sn_itemError(c, elem, "unrecognized name '%s' for plugin instance",
                        sns_getString(plugin->name));
  }
  const char* own = sns_getString(instanceObject(instance)->plugin.plugin_name);
  if (!isUsable(c, own)) return sn_itemError(c, elem, "unrecognized plugin '%s'", own);
  if (!*name) name = own;
  if (!(sn_pluginCapability(sn_pluginSlot(name)) & capability)) {
    return sn_itemError(c, elem, "plugin '%s' does not support %s", name, what);
  }
  if (sn_pluginSlot(name) != slotOf(instance)) {
    return sn_itemError(c, elem, "'plugin' attribute does not match that of the instance");
  }
  return 0;
}

// ---- the user's plugins: sizes that depend on their settings

static void countSettings(const snCompiler* c, snModel* sizes) {
  SN_EACH(e, sn_specList(c->spec, snOBJ_PLUGIN)) {
    const char* attribute;
    e->id = (int)sizes->nplugin++;
    for (int k = 0; (attribute = sn_pluginAttribute(slotOf(e), k)); k++) {
      sizes->npluginattr += (snSize)strlen(setting(e, attribute)) + 1;
    }
  }
}

// slots and settings of all instances
static void fillInstances(const snCompiler* c, snModel* m) {
  int id = 0, next = 0;
  SN_EACH(e, sn_specList(c->spec, snOBJ_PLUGIN)) {
    const char* attribute;
    int slot = slotOf(e);
    m->plugin[id] = slot;
    m->plugin_attradr[id] = next;
    for (int k = 0; (attribute = sn_pluginAttribute(slot, k)); k++) {
      const char* text = setting(e, attribute);
      size_t length = strlen(text) + 1;
      memcpy(m->plugin_attr + next, text, length);
      next += (int)length;
    }
    id++;
  }
  SN_ASSERT(id == m->nplugin && next == m->npluginattr);
}

// A plugin says how many numbers it needs when it sees its settings, which are read from a model:
// here from one that has nothing else. sensor < 0: the state of the instance; else the data of a
// sensor.
static int sizeOf(const snCompiler* c, int id, int sensor) {
  snModel part = {0};
  countSettings(c, &part);
  if (id < 0 || id >= (int)part.nplugin) return 0;
  size_t count = (size_t)part.nplugin, bytes = 2 * count * sizeof(int) + (size_t)part.npluginattr;
  char* memory = (char*)snu_malloc(bytes + 1);
  if (!memory) return 0;
  part.plugin = (int*)memory;
  part.plugin_attradr = part.plugin + count;
  part.plugin_attr = (char*)(part.plugin_attradr + count);
  fillInstances(c, &part);
  const snpPlugin* user = sn_userPlugin(part.plugin[id]);
  int size = 0;
  if (user && sensor < 0 && user->nstate) size = user->nstate(&part, id);
  if (user && sensor >= 0 && user->nsensordata) size = user->nsensordata(&part, id, sensor);
  snu_free(memory);
  return size;
}

static int isUser(const snElem* instance) { return sn_userPlugin(slotOf(instance)) != NULL; }

// ---- actuators and sensors

int sn_checkPluginActuator(snCompiler* c, const snElem* elem, snsActuator* spec) {
  SN_TRY(sn_checkPluginUse(c, elem, &spec->plugin, snCAP_ACTUATOR, "actuators"));
  if (spec->actdim < 0) spec->actdim = spec->dyntype != snDYN_NONE;
  return 0;
}

// MuJoCo's controller warns and then fails to start: the engine's error, and the warning twice
static int startError(snCompiler* c, int id, const char* warning) {
  return sn_itemError(c, NULL,
                      "engine error: mj_initPlugin: plugin->init failed for plugin id %d\n%s\n%s",
                      id, warning, warning);
}

// Activations of a PID controller: integral, last setpoint, native dynamics.
static int controllerSize(const snElem* instance, const snsActuator* spec) {
  int dynamics = spec->dyntype == snDYN_FILTER || spec->dyntype == snDYN_FILTEREXACT ||
                 spec->dyntype == snDYN_INTEGRATOR;
  return (strtod(setting(instance, "ki"), NULL) != 0) + (*setting(instance, "slewmax") != 0) +
         dynamics;
}

static int startController(snCompiler* c, const snElem* instance, int id) {
  double ki = strtod(setting(instance, "ki"), NULL), imax = strtod(setting(instance, "imax"), NULL);
  char warning[200] = "";
  int used = 0;
  if (ki != 0 && imax / ki < 0) return startError(c, id, "negative imax");
  if (strtod(setting(instance, "slewmax"), NULL) < 0) {
    return startError(c, id, "slewmax must be non-negative");
  }
  for (int i = 0; i < c->nu; i++) {
    const snsActuator* spec = &c->actuators[i].spec;
    if (!spec->plugin.active || findInstance(c, &spec->plugin) != instance) continue;
    int expected = controllerSize(instance, spec);
    used = 1;
    if (spec->actdim == expected) continue;
    snprintf(warning, sizeof(warning),
             "actuator %d has actdim %d, expected %d. Add actdim=\"%d\" to the actuator plugin "
             "element.",
             i, spec->actdim, expected, expected);
    return startError(c, id, warning);
  }
  if (used) return 0;
  snprintf(warning, sizeof(warning), "actuator not found for plugin instance %d", id);
  return startError(c, id, warning);
}

// Reads a number and leaves the value as it is when the setting is empty; returns -1 when it is not a number.
static int numberOf(const snElem* instance, const char* attribute, double* value) {
  const char* text = setting(instance, attribute);
  char* end;
  text += strspn(text, " \t\r\n");
  if (!*text) return 0;
  double number = strtod(text, &end);
  int empty = end == text;
  end += strspn(end, " \t\r\n");
  if (empty || *end) return -1;
  *value = number;
  return 0;
}

// ---- grids of touch sensors

typedef struct snGrid {
  double nchannel, size[2], fov[2], gamma;
  int nsize, nfov, valid;  // pieces of size and fov; whether the single numbers are numbers
} snGrid;

// Numbers between single spaces, as MuJoCo splits them; text that is not a number counts as zero.
static int piecesOf(const char* text, double value[2]) {
  int n = 0;
  while (*text) {
    if (n < 2) value[n] = *text == ' ' ? 0 : strtod(text, NULL);
    text += strcspn(text, " ");
    text += *text == ' ';
    n++;
  }
  return n;
}

static int singleOf(const char* text, double* value) {
  char* end;
  if (!*text) return 1;
  *value = strtod(text, &end);
  return end != text;
}

static snGrid gridOf(const snElem* instance) {
  snGrid grid = {.nchannel = 1};
  grid.nsize = piecesOf(setting(instance, "size"), grid.size);
  grid.nfov = piecesOf(setting(instance, "fov"), grid.fov);
  grid.valid = singleOf(setting(instance, "nchannel"), &grid.nchannel);
  grid.valid &= singleOf(setting(instance, "gamma"), &grid.gamma);
  if (trunc(grid.nchannel) == 0) grid.nchannel = 1;
  return grid;
}

static double gridCells(const snGrid* grid) {
  return trunc(grid->nchannel) * trunc(grid->size[0]) * trunc(grid->size[1]);
}

static int gridFits(const snGrid* grid) {
  double cells = gridCells(grid);
  return cells >= 0 && cells < 1e9;
}

// MuJoCo's sensor reports an error of the engine, which names no element
static const char* gridProblem(const snGrid* grid) {
  if (!grid->valid) return "Invalid or missing parameters in touch_grid sensor plugin";
  if (!(grid->nchannel >= 1 && grid->nchannel < 7)) return "nchannel must be between 1 and 6";
  if (grid->nsize != 2) return "Both horizontal and vertical resolutions must be specified";
  if (!(grid->size[0] >= 1 && grid->size[1] >= 1)) {
    return "Horizontal and vertical resolutions must be positive";
  }
  if (grid->nfov != 2) return "Both horizontal and vertical fields of view must be specified";
  if (!(grid->fov[0] > 0 && grid->fov[0] <= 180)) {
    return "`fov[0]` must be a float between (0, 180] degrees";
  }
  if (!(grid->fov[1] > 0 && grid->fov[1] <= 90)) {
    return "`fov[1]` must be a float between (0, 90] degrees";
  }
  if (!(grid->gamma >= 0 && grid->gamma <= 1)) {
    return "`gamma` must be a nonnegative float between [0, 1]";
  }
  return NULL;
}

static int startGrid(snCompiler* c, const snElem* instance) {
  snGrid grid = gridOf(instance);
  const char* problem = gridProblem(&grid);
  if (problem) return sn_itemError(c, NULL, "engine error: %s", problem);
  for (int i = 0; i < c->nsensor; i++) {
    const snsSensor* spec = &c->sensors[i].spec;
    if (!spec->plugin.active || findInstance(c, &spec->plugin) != instance) continue;
    if (spec->objtype != snOBJ_SITE) {
      return sn_itemError(c, NULL, "engine error: Touch Grid sensor must be attached to a site");
    }
  }
  return 0;
}

int sn_fitPlugins(snCompiler* c) {
  for (int i = 0; i < c->nsensor; i++) {
    const snsPlugin* plugin = &c->sensors[i].spec.plugin;
    const snElem* instance = plugin->active ? findInstance(c, plugin) : NULL;
    if (!instance || isUser(instance) || slotOf(instance) != snPLUGIN_TOUCHGRID) continue;
    snGrid grid = gridOf(instance);
    if (gridFits(&grid)) continue;
    return sn_itemError(c, NULL, "could not create mjData\nInvalid data: sensordata too large.");
  }
  return 0;
}

static int startCable(snCompiler* c, const snElem* instance, int id) {
  double value;
  int last = -1;
  if (numberOf(instance, "twist", &value) || numberOf(instance, "bend", &value)) {
    return sn_itemError(c, NULL,
                        "engine error: mj_initPlugin: plugin->init failed for plugin id %d", id);
  }
  for (int i = 0; i < c->nbody; i++) {
    const snsPlugin* plugin = &c->bodies[i]->spec.plugin;
    if (!plugin->active || findInstance(c, plugin) != instance) continue;
    if (last >= 0 && last != i - 1) {
      return sn_itemError(c, NULL,
                          "engine error: This body does not have the requested plugin instance");
    }
    last = i;
  }
  return 0;
}

int sn_startPlugins(snCompiler* c) {
  int id = 0;
  SN_EACH(e, sn_specList(c->spec, snOBJ_PLUGIN)) {
    int slot = isUser(e) ? -1 : slotOf(e);
    if (slot == snPLUGIN_PID) SN_TRY(startController(c, e, id));
    if (slot == snPLUGIN_CABLE) SN_TRY(startCable(c, e, id));
    if (slot == snPLUGIN_TOUCHGRID) SN_TRY(startGrid(c, e));
    id++;
  }
  return 0;
}

// ---- built-in plugins: settings

static int shapeOf(snCompiler* c, const snElem* instance, snShape* shape, double half[3]) {
  int kind = slotOf(instance) - snPLUGIN_SHAPE;
  const snShapeInfo* info = sn_shapeInfo(kind);
  snReal param[snNSHAPEPARAM], extent[3];
  for (int k = 0; k < snNSHAPEPARAM; k++) {
    double value = (double)info->value[k];
    if (info->param[k] && numberOf(instance, info->param[k], &value)) {
      return sn_itemError(c, NULL, "engine error: invalid attribute value for '%s'",
                          info->param[k]);
    }
    param[k] = (snReal)value;
  }
  sn_makeShape(shape, kind, param);
  sn_shapeExtent(extent, kind, param);
  for (int k = 0; k < 3; k++) half[k] = (double)extent[k];
  return 0;
}

// the user's plugin turns its settings into numbers, from which its static functions work
static int userField(snCompiler* c, const snElem* instance, snMeshField* field) {
  const snpPlugin* plugin = sn_userPlugin(slotOf(instance));
  if (!plugin->sdf_staticdistance || !plugin->sdf_attribute || !plugin->sdf_aabb) {
    return sn_itemError(c, instance, "plugin '%s' has no functions for the surface of its field",
                        plugin->name);
  }
  size_t n = (size_t)plugin->nattribute;
  snReal aabb[6], *attribute = SN_ITEMS(c, snReal, n + 1);
  const char** name = SN_ITEMS(c, const char*, n + 1);
  const char** value = SN_ITEMS(c, const char*, n + 1);
  if (!attribute || !name || !value) return -1;
  for (size_t k = 0; k < n; k++) {
    name[k] = plugin->attributes[k];
    value[k] = setting(instance, name[k]);
  }
  plugin->sdf_attribute(attribute, name, value);
  plugin->sdf_aabb(aabb, attribute);
  for (int k = 0; k < 3; k++) {
    field->center[k] = (double)aabb[k];
    field->half[k] = (double)aabb[3 + k];
  }
  field->distance = plugin->sdf_staticdistance;
  field->attribute = attribute;
  return 0;
}

int sn_makeMeshShape(snCompiler* c, snMeshItem* mesh) {
  if (!mesh->spec.plugin.active) return 0;
  SN_TRY(sn_checkPluginUse(c, mesh->elem, &mesh->spec.plugin, snCAP_SDF, "signed distance fields"));
  const snElem* instance = findInstance(c, &mesh->spec.plugin);
  mesh->field = SN_ITEMS(c, snMeshField, 1);
  if (!mesh->field) return -1;
  if (isUser(instance)) return userField(c, instance, mesh->field);
  return shapeOf(c, instance, &mesh->field->shape, mesh->field->half);
}

static int checkSettings(snCompiler* c, const snElem* instance) {
  snShape shape;
  double half[3];
  if (isUser(instance)) return 0;
  switch (slotOf(instance)) {
    case snPLUGIN_PID:
    case snPLUGIN_CABLE:
    case snPLUGIN_TOUCHGRID: return 0;  // when everything else is known: sn_startPlugins
    default: return shapeOf(c, instance, &shape, half);
  }
}

int sn_compilePlugins(snCompiler* c) {
  SN_EACH(e, sn_specList(c->spec, snOBJ_PLUGIN)) SN_TRY(checkInstance(c, e));
  SN_EACH(e, sn_specList(c->spec, snOBJ_PLUGIN)) SN_TRY(checkSettings(c, e));
  return 0;
}

int sn_checkPluginSensor(snCompiler* c, const snElem* elem, snsSensor* spec) {
  SN_TRY(sn_checkPluginUse(c, elem, &spec->plugin, snCAP_SENSOR, "sensors"));
  if (!spec->plugin.active) return namelessReference(c, elem);
  const snElem* instance = findInstance(c, &spec->plugin);
  if (isUser(instance)) {
    int sensor = 0;
    while (sensor < c->nsensor && c->sensors[sensor].elem != elem) sensor++;
    spec->needstage = (snStage)sn_userPlugin(slotOf(instance))->needstage;
    spec->datatype = snDATATYPE_REAL;
    spec->dim = sizeOf(c, instanceId(c, &spec->plugin), sensor);
    return spec->dim >= 0 ? 0
                          : sn_itemError(c, elem, "the plugin gives a negative size of its data");
  }
  snGrid grid = gridOf(instance);
  spec->needstage = snSTAGE_ACC;
  spec->datatype = snDATATYPE_REAL;
  spec->dim = gridFits(&grid) ? (int)gridCells(&grid) : 0;  // refused by sn_startPlugins otherwise
  return 0;
}

// ---- the model

void sn_countPlugins(const snCompiler* c, snModel* sizes) {
  int id = 0;
  countSettings(c, sizes);
  SN_EACH(e, sn_specList(c->spec, snOBJ_PLUGIN)) {
    int size = isUser(e) ? sizeOf(c, id, -1) : 0;
    sizes->npluginstate += size > 0 ? size : 0;
    id++;
  }
}

static void fillStates(const snCompiler* c, snModel* m) {
  int next = 0;
  for (int i = 0; i < (int)m->nplugin; i++) {
    int size = sn_userPlugin(m->plugin[i]) ? sizeOf(c, i, -1) : 0;
    if (size < 0 || next + size > (int)m->npluginstate) size = 0;
    m->plugin_stateadr[i] = next;
    m->plugin_statenum[i] = size;
    next += size;
  }
}

void sn_fillPlugins(snCompiler* c) {
  snModel* m = c->m;
  if (!m->nplugin) return;
  fillInstances(c, m);
  fillStates(c, m);
  for (int i = 0; i < m->nbody; i++) m->body_plugin[i] = instanceId(c, &c->bodies[i]->spec.plugin);
  for (int i = 0; i < m->ngeom; i++) m->geom_plugin[i] = instanceId(c, &c->geoms[i]->spec.plugin);
  for (int i = 0; i < m->nu; i++) {
    m->actuator_plugin[i] = instanceId(c, &c->actuators[i].spec.plugin);
  }
  for (int i = 0; i < m->nsensor; i++) {
    m->sensor_plugin[i] = instanceId(c, &c->sensors[i].spec.plugin);
  }
}

// name of an instance by index
const char* sn_pluginInstanceName(const snCompiler* c, int i) {
  SN_EACH(e, sn_specList(c->spec, snOBJ_PLUGIN)) {
    if (i-- == 0) return sn_elemName(e);
  }
  return "";
}
