// Values of attributes that are odd but not unheard of: what is taken for absent, what is refused and with which words.
#include "sample.h"

static void tryModel(const std::string& content) {
  char error[1000] = "";
  Spec spec(mj_parseXMLString(("<mujoco>" + content + "</mujoco>").c_str(), nullptr, error,
                              sizeof(error)));
  Model m(spec ? mj_compile(spec.get(), nullptr) : nullptr);
  std::string text = m ? "compiles" : spec ? mjs_getError(spec.get()) : error;
  for (char& c : text) c = c == '\n' ? '~' : c;
  std::printf("%s\n", text.c_str());
}

static std::string cable(const std::string& part) {
  return "<worldbody><body><composite type='cable' count='4 1 1' size='.5' curve='s'>" + part +
         "<geom type='capsule' size='.1'/></composite></body></worldbody>";
}

static const char* const kModels[] = {
    "<worldbody><camera pos='nan'/></worldbody>",
    "<worldbody><camera pos='nan nan nan'/></worldbody>",
    "<worldbody><camera fovy='40' sensorsize='' resolution='2 2'/></worldbody>",
    "<worldbody><camera fovy='40' sensorsize='1 1' resolution='2 2'/></worldbody>",
    "<worldbody><body childclass=''/></worldbody>",
    "<worldbody><body><joint name='j'/><geom size='1'/></body></worldbody>"
    "<actuator><motor joint='j' cranklength=''/></actuator>",
    "<worldbody><body><joint name='j'/><geom size='1'/></body></worldbody>"
    "<actuator><motor joint='j' cranklength='1'/></actuator>",
    "<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset>"
    "<worldbody><geom type='plane' mesh='m'/></worldbody>",
    "<compiler fitaabb='true'/><asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset>"
    "<worldbody><geom type='plane' mesh='m'/></worldbody>",
    "<worldbody><body name='b'/></worldbody><deformable><skin vertex='0 0 0' face='0 1 2'><bone "
    "body='b' bindpos='0 0 0' bindquat='1 0 0 0' vertid='0 1 2' vertweight='1 1 1'/></skin>"
    "</deformable>",
    "<worldbody><replicate count='2'><geom size='1'/></replicate></worldbody>"
    "<keyframe><key name='k' qpos='1'/></keyframe>",
    "<worldbody><replicate count='2'><geom size='1'/></replicate></worldbody>"
    "<keyframe><key name='k' qvel='1'/></keyframe>",
    "<worldbody><replicate count='2'><geom size='1'/></replicate></worldbody>"
    "<keyframe><key name='k' ctrl='1 2'/></keyframe>",
};

static const char* const kCables[] = {
    "<joint/>",
    "<joint/><joint/>",
    "<joint kind='main'/><joint kind='main'/>",
    "<joint kind='main' solreffix='1 2 3'/>",
    "<joint kind='main' solimpfix='a' damping='b'/>",
    "<skin inflate='a'/>",
    "<skin inflate='1 2' group='9'/>",
};

// whose pixels the next compilation takes
static void pixels() {
  title("pixels");
  Spec spec = parse(
      "<mujoco><asset><texture name='t' type='2d' builtin='flat' rgb1='1 0 0' "
      "width='2' height='1'/></asset></mujoco>");
  mjsTexture* texture = mjs_asTexture(mjs_findElement(spec.get(), mjOBJ_TEXTURE, "t"));
  Model first = compile(spec.get());
  texture->width = 4;
  texture->rgb1[1] = 1;
  Model second = compile(spec.get());
  show("painted", second->tex_data, 3);
  texture->builtin = mjBUILTIN_CHECKER;
  char xml[2000], error[500] = "";
  std::printf("%d\n%s\n", mj_saveXMLString(spec.get(), xml, sizeof(xml), error, sizeof(error)) > 0,
              xml);

  Spec own(mj_makeSpec());
  mjsTexture* given = mjs_addTexture(own.get());
  mjs_setName(given->element, "q");
  given->type = mjTEXTURE_2D;
  given->builtin = mjBUILTIN_FLAT;
  given->width = given->height = 1;
  const unsigned char bytes[3] = {1, 2, 3};
  mjs_setBuffer(given->data, bytes, 3);
  for (int i = 0; i < 2; i++) {
    Model m = compile(own.get());
    show("given", m->tex_data, 3);
  }
}

int main() {
  catchMessages();
  for (const char* model : kModels) tryModel(model);
  for (const char* part : kCables) tryModel(cable(part));
  pixels();
}
