// Attribute setters and getters, actuator shortcuts, tendon paths, meshes, sensors, plugins of a spec.
#include "sample.h"

static void containers() {
  title("containers");
  Spec spec(mj_makeSpec());
  mjsBody* body = mjs_addBody(mjs_findBody(spec.get(), "world"), nullptr);
  double numbers[3] = {1.5, 2.5, 3.5};
  mjs_setDouble(body->userdata, numbers, 3);
  int n = -1;
  const double* back = mjs_getDouble(body->userdata, &n);
  show("doubles", back, n);
  mjs_setDouble(body->userdata, numbers, 0);
  mjs_getDouble(body->userdata, &n);
  show("none", n);
  mjsMaterial* material = mjs_addMaterial(spec.get(), nullptr);
  show("replaced", mjs_setInStringVec(material->textures, mjTEXROLE_RGB, "wood"));
  mjs_setName(material->element, "material");
  mjsTexture* texture = mjs_addTexture(spec.get());
  mjs_setName(texture->element, "wood");
  texture->type = mjTEXTURE_2D;
  texture->width = texture->height = 2;
  unsigned char pixels[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  mjs_setBuffer(texture->data, pixels, sizeof(pixels));
  mjsHField* field = mjs_addHField(spec.get());
  mjs_setName(field->element, "field");
  float heights[4] = {0, 1, 2, 4};
  mjs_setFloat(field->userdata, heights, 4);
  field->nrow = field->ncol = 2;
  field->size[0] = field->size[1] = field->size[2] = field->size[3] = 1;
  mjsTuple* tuple = mjs_addTuple(spec.get());
  mjs_setName(tuple->element, "tuple");
  int types[2] = {mjOBJ_TEXTURE, mjOBJ_HFIELD};
  mjs_setInt(tuple->objtype, types, 2);
  mjs_setStringVec(tuple->objname, "wood");
  mjs_appendString(tuple->objname, "field");
  mjs_setDouble(tuple->objprm, numbers, 2);
  mjsText* text = mjs_addText(spec.get());
  mjs_setName(text->element, "text");
  mjs_setString(text->data, "some words");
  mjsNumeric* numeric = mjs_addNumeric(spec.get());
  mjs_setName(numeric->element, "numeric");
  mjs_setDouble(numeric->data, numbers, 3);
  numeric->size = 5;
  mjsKey* key = mjs_addKey(spec.get());
  mjs_setName(key->element, "key");
  key->time = 7;
  Model m = compile(spec.get());
  if (!m) return;
  show("texture", m->tex_data, (int)m->ntexdata);
  show("material", m->mat_texid, (int)m->nmat * mjNTEXROLE);
  show("heights", m->hfield_data, (int)m->nhfielddata);
  show("tuple", m->tuple_objid, (int)m->ntupledata);
  show("tuple", m->tuple_objprm, (int)m->ntupledata);
  show("text", static_cast<const char*>(m->text_data));
  show("numeric", m->numeric_data, (int)m->nnumericdata);
  show("key", m->key_time, (int)m->nkey);
}

static void showActuator(const char* what, const mjsActuator* a) {
  std::printf("%s: %d %d %d\n", what, a->gaintype, a->biastype, a->dyntype);
  show("gain", a->gainprm, 10);
  show("bias", a->biasprm, 10);
  show("dyn", a->dynprm, 10);
  show("range", a->ctrlrange, 2);
  show("act range", a->actrange, 2);
  std::printf("limited %d %d %d actdim %d early %d inherit %g\n", a->ctrllimited, a->actlimited,
              a->forcelimited, a->actdim, a->actearly, a->inheritrange);
}

static mjsActuator* addActuator(mjSpec* spec) {
  mjsActuator* actuator = mjs_addActuator(spec, nullptr);
  return actuator;
}

static void actuators() {
  title("actuators");
  Spec spec(mj_makeSpec());
  mjSpec* s = spec.get();
  mjsActuator* a = addActuator(s);
  showActuator("plain", a);
  show("motor", mjs_setToMotor(a));
  showActuator("motor", a);
  double kv = 2, ratio = 0.5, time = 0.1;
  a = addActuator(s);
  show("position", mjs_setToPosition(a, 10, &kv, nullptr, &time, 0));
  showActuator("position", a);
  a = addActuator(s);
  show("position", mjs_setToPosition(a, 10, nullptr, &ratio, nullptr, 1));
  showActuator("position", a);
  a = addActuator(s);
  show("position with both", mjs_setToPosition(a, 10, &kv, &ratio, nullptr, 0));
  showActuator("position", a);
  double negative = -1;
  a = addActuator(s);
  show("negative kv", mjs_setToPosition(a, 10, &negative, nullptr, nullptr, 0));
  a = addActuator(s);
  show("negative ratio", mjs_setToPosition(a, 10, nullptr, &negative, nullptr, 0));
  a = addActuator(s);
  show("negative time", mjs_setToPosition(a, 10, nullptr, nullptr, &negative, 0));
  a = addActuator(s);
  show("negative inherit", mjs_setToPosition(a, 10, nullptr, nullptr, nullptr, -1));
  showActuator("position", a);
  a = addActuator(s);
  a->ctrlrange[1] = 1;
  show("inherit and range", mjs_setToPosition(a, 10, nullptr, nullptr, nullptr, 1));
  a = addActuator(s);
  show("intvelocity", mjs_setToIntVelocity(a, 5, &kv, nullptr, nullptr, 0));
  showActuator("intvelocity", a);
  a = addActuator(s);
  show("intvelocity", mjs_setToIntVelocity(a, 5, nullptr, &ratio, &time, 0.9));
  showActuator("intvelocity", a);
  a = addActuator(s);
  show("velocity", mjs_setToVelocity(a, 3));
  showActuator("velocity", a);
  a = addActuator(s);
  show("damper", mjs_setToDamper(a, 4));
  showActuator("damper", a);
  a = addActuator(s);
  a->ctrlrange[0] = -1;
  a->ctrlrange[1] = 1;
  show("damper with range", mjs_setToDamper(a, 4));
  a = addActuator(s);
  show("negative damper", mjs_setToDamper(a, -4));
  a = addActuator(s);
  show("cylinder", mjs_setToCylinder(a, 0.1, 0.2, 0.3, -1));
  showActuator("cylinder", a);
  a = addActuator(s);
  show("cylinder", mjs_setToCylinder(a, 0.1, 0.2, 0.3, 2));
  showActuator("cylinder", a);
  double times[2] = {0.01, 0.04}, range[2] = {0.75, 1.05};
  a = addActuator(s);
  show("muscle", mjs_setToMuscle(a, times, 0.2, range, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2));
  showActuator("muscle", a);
  a = addActuator(s);
  double unset[2] = {-1, -1};
  show("muscle", mjs_setToMuscle(a, unset, 0, unset, 100, 300, 0.4, 1.7, 1.6, 1.4, 1.1));
  showActuator("muscle", a);
  a = addActuator(s);
  show("muscle", mjs_setToMuscle(a, times, -1, range, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2));
  a = addActuator(s);
  show("adhesion", mjs_setToAdhesion(a, 6));
  showActuator("adhesion", a);
  a = addActuator(s);
  show("negative adhesion", mjs_setToAdhesion(a, -6));
  a = addActuator(s);
  a->ctrlrange[0] = -1;
  show("adhesion with range", mjs_setToAdhesion(a, 6));
}

static void tendons() {
  title("tendons");
  Spec spec = parse(
      R"(<mujoco><worldbody><site name="s1"/><site name="s2" pos="1 0 0"/><site name="s3" pos="0 0 1"/>
    <site name="side" pos="0 1 0"/><body><joint name="j" type="slide"/><geom name="g" type="cylinder" size="0.1 0.2"/>
    <site name="s4" pos="0 0 2"/></body></worldbody></mujoco>)");
  mjsTendon* path = mjs_addTendon(spec.get(), nullptr);
  mjs_setName(path->element, "path");
  mjsWrap* w = mjs_wrapSite(path, "s1");
  show("type", w->type);
  mjs_wrapGeom(path, "g", "side");
  mjs_wrapSite(path, "s2");
  mjs_wrapPulley(path, 2);
  mjs_wrapSite(path, "s2");
  mjs_wrapSite(path, "s3");
  mjsTendon* fixed = mjs_addTendon(spec.get(), nullptr);
  mjs_wrapJoint(fixed, "j", 3);
  show("count", mjs_getWrapNum(path));
  Model m = compile(spec.get());
  for (int i = 0; i < mjs_getWrapNum(path); i++) {
    mjsWrap* wrap = mjs_getWrap(path, i);
    mjsElement* target = mjs_getWrapTarget(wrap);
    std::printf("wrap %d: %d %s\n", i, wrap->type, nameOf(target));
  }
  mjsSite* side = mjs_getWrapSideSite(mjs_getWrap(path, 1));
  show("side", side ? nameOf(side->element) : "");
  show("divisor", mjs_getWrapDivisor(mjs_getWrap(path, 3)));
  show("coefficient", mjs_getWrapCoef(mjs_getWrap(fixed, 0)));
  show("wrap", m->wrap_objid, (int)m->nwrap);
  show("wrap", m->wrap_prm, (int)m->nwrap);
  show("no side", mjs_getWrapSideSite(mjs_getWrap(path, 0)) == nullptr);
  show("divisor of a site", mjs_getWrapDivisor(mjs_getWrap(path, 0)));
  show("coefficient of a site", mjs_getWrapCoef(mjs_getWrap(path, 0)));
}

static void meshes() {
  title("meshes");
  struct Case {
    const char* name;
    mjtMeshBuiltin kind;
    std::vector<double> params;
  };
  const Case cases[] = {
      {"sphere", mjMESH_BUILTIN_SPHERE, {2}},
      {"sphere too fine", mjMESH_BUILTIN_SPHERE, {9}},
      {"sphere without", mjMESH_BUILTIN_SPHERE, {}},
      {"hemisphere", mjMESH_BUILTIN_HEMISPHERE, {4}},
      {"hemisphere of none", mjMESH_BUILTIN_HEMISPHERE, {0}},
      {"cone", mjMESH_BUILTIN_CONE, {6, 0.5}},
      {"cone count", mjMESH_BUILTIN_CONE, {6}},
      {"supersphere", mjMESH_BUILTIN_SUPERSPHERE, {8, 1, 0.5}},
      {"supersphere wrong", mjMESH_BUILTIN_SUPERSPHERE, {2, 1, 0.5}},
      {"supertorus", mjMESH_BUILTIN_SUPERTORUS, {8, 0.3, 1, 0.5}},
      {"supertorus wrong", mjMESH_BUILTIN_SUPERTORUS, {8, 1.5, 1, 0.5}},
      {"wedge", mjMESH_BUILTIN_WEDGE, {4, 4, 60, 60, 0}},
      {"wedge wrong", mjMESH_BUILTIN_WEDGE, {4, 4, 200, 60, 0}},
      {"plate", mjMESH_BUILTIN_PLATE, {4, 5}},
      {"plate wrong", mjMESH_BUILTIN_PLATE, {0, 5}},
      {"none", mjMESH_BUILTIN_NONE, {}},
  };
  for (const Case& c : cases) {
    Spec spec(mj_makeSpec());
    mjsMesh* mesh = mjs_addMesh(spec.get(), nullptr);
    mjs_setName(mesh->element, "mesh");
    std::vector<double> params = c.params;
    int code = mjs_makeMesh(mesh, c.kind, params.data(), (int)params.size());
    std::printf("%s: %d %s\n", c.name, code, code ? mjs_getError(spec.get()) : "");
    if (code) continue;
    if (c.kind == mjMESH_BUILTIN_PLATE) continue;  // flat: no hull
    mjsGeom* geom = mjs_addGeom(mjs_findBody(spec.get(), "world"), nullptr);
    geom->type = mjGEOM_MESH;
    mjs_setString(geom->meshname, "mesh");
    Model m = compile(spec.get());
    if (!m) continue;
    show("sizes", m->nmeshvert);
    show("sizes", m->nmeshface);
    show("first", m->mesh_vert, 6);
    show("faces", m->mesh_face, 6);
    show("size", m->geom_size, 3);
  }
}

static void sensors() {
  title("sensors");
  Spec spec(mj_makeSpec());
  for (int type = 0; type <= mjSENS_CLOCK; type++) {
    if (type == mjSENS_CONTACT || type == mjSENS_RANGEFINDER) continue;
    mjsSensor* sensor = mjs_addSensor(spec.get());
    sensor->type = static_cast<mjtSensor>(type);
    sensor->dim = 3;
    std::printf("sensor %d: %d\n", type, mjs_sensorDim(sensor));
  }
  mjsSensor* contact = mjs_addSensor(spec.get());
  contact->type = mjSENS_CONTACT;
  contact->intprm[0] = 1 << mjCONDATA_FOUND | 1 << mjCONDATA_FORCE | 1 << mjCONDATA_POS;
  contact->intprm[2] = 3;
  show("contact", mjs_sensorDim(contact));
}

static void plugins() {
  title("plugins");
  Spec spec(mj_makeSpec());
  show("unknown", mjs_activatePlugin(spec.get(), "no.such.plugin"));
  mjsPlugin* plugin = mjs_addPlugin(spec.get());
  mjs_setString(plugin->plugin_name, "no.such.plugin");
  mjs_setString(plugin->name, "instance");
  plugin->active = true;
  mjsBody* body = mjs_addBody(mjs_findBody(spec.get(), "world"), nullptr);
  mjs_setString(body->plugin.plugin_name, "no.such.plugin");
  body->plugin.active = true;
  Model m(mj_compile(spec.get(), nullptr));
  show("made", m != nullptr);
}

int main() {
  catchMessages();
  containers();
  actuators();
  tendons();
  meshes();
  sensors();
  plugins();
}
