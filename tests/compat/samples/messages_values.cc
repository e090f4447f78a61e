// Values of attributes that are odd but not unheard of: what is taken for absent, what is refused and with which words.
#include "sample.h"

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

// orientations: which count, and what is reported first
static const char* const kTags[] = {"geom size='1'", "site", "camera", "body", "frame"};
static const char* const kOrientations[] = {"quat='1 0 0 0' axisangle='1 x'",
                                            "quat='1 0 0 0' euler=''",
                                            "quat='1 0 0 0' axisangle='1 0 0 1'",
                                            "euler='' zaxis='0 0 1'",
                                            "quat='' euler='0 0 1'",
                                            "quat='1' euler='0 0 1'",
                                            "quat='1 0 0 0' euler='0 0 1' user='x'",
                                            "euler='0 0 1' quat='1 0 0 0' pos='x'"};

static const char* const kInertials[] = {
    "quat='1 0 0 0' euler='x' diaginertia='1 1 1'",
    "fullinertia='1 1 1 0 0 0' quat='1 0 0 0' euler='0 0 0'",
    "fullinertia='1 1 1 0 0 0' quat=''",
    "fullinertia='1 1 1 0 0 0' euler=''",
    "fullinertia='' quat='1 0 0 0' diaginertia='1 1 1'",
    "fullinertia='x' quat='1 0 0 0'",
};

// inside of frames MuJoCo does not look at the names of attributes, but a class is one
static const char* const kClasses[] = {
    "<frame class='zz'/>",
    "<frame class='k'><geom size='1'/><body><geom size='1'/></body></frame>",
    "<frame childclass='q' class='k'><geom size='1'/></frame>",
    "<frame><body class='k'><geom size='1'/></body></frame>",
    "<frame><body class='zz'/></frame>",
    "<frame><body class='k' childclass='q'><geom size='1'/></body></frame>",
    "<frame childclass='q'><replicate count='1' class='k'><geom size='1'/></replicate></frame>",
    "<frame childclass='q'><frame class='k'><geom size='1'/></frame></frame>",
    "<frame childclass='q'><body><freejoint class='k'/><geom size='1'/></body></frame>",
    "<frame><body zz='1'><inertial class='zz'/></body></frame>",
    "<frame zz='1'><geom size='1' zz='1'/></frame>",
};

static void classes() {
  const std::string head =
      "<mujoco><default><default class='k'><geom rgba='1 0 0 1'/></default><default class='q'>"
      "<geom rgba='0 1 0 1'/></default></default><worldbody>";
  for (const char* content : kClasses) {
    Spec spec = parse((head + content + "</worldbody></mujoco>").c_str());
    Model m = spec ? compile(spec.get()) : nullptr;
    char xml[3000] = "", error[500] = "";
    if (m) mj_saveXMLString(spec.get(), xml, sizeof(xml), error, sizeof(error));
    std::printf("%s\n", xml);
  }
}

static const char* const kRobots[] = {
    "<material name='r'><color rgba='1 0 0 1'/><color rgba='1 0 0 1'/></material>",
    "<link name='b'/><link name='b'/>",
    "<mujoco/><mujoco/>",
    "<mujoco><size njmax='5'/><size njmax='6'/></mujoco>",
    "<joint name='j' type='fixed'><parent link='a'/><child link='w'/><axis/></joint>",
    "<joint type='fixed'><parent link='a'/><child link='w'/></joint>",
    "<link name='b'><collision><geometry><sphere radius='1'/><box/></geometry></collision></link>",
    "<link name='b'><collision><geometry><sphere radius='1'/><capsule radius='1' length='2'/>"
    "<cylinder radius='2' length='1'/></geometry></collision></link>",
    "<link name='b'><collision><geometry><zz/><sphere radius='1'/></geometry></collision></link>",
    "<link name='b'><collision><geometry><zz/></geometry></collision></link>",
    "<link name='b'><visual><geometry><sphere radius='1'/></geometry><material/></visual></link>",
    "<link name='b'><visual><geometry><sphere radius='1'/></geometry><material><color/></material>"
    "</visual></link>",
    "<link name='b'><visual><geometry><sphere radius='1'/></geometry><material><color "
    "rgba='1 0 0 1'/></material></visual></link>",
    "<link name='b'><inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' "
    "izz='1'/></inertial><inertial/></link>",
};

static void robots() {
  for (const char* content : kRobots) {
    Spec spec = parse(
        (std::string("<robot name='r'><link name='a'/><link name='w'/>") + content + "</robot>")
            .c_str());
    Model m = spec ? compile(spec.get()) : nullptr;
    if (m) show("geoms", m->geom_type, m->ngeom);
  }
}

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
  for (const std::string tag : kTags) {
    for (const std::string way : kOrientations) {
      tryModel("<worldbody><" + tag + " " + way + "/></worldbody>");
    }
  }
  for (const std::string way : kInertials) {
    tryModel("<worldbody><body><inertial pos='0 0 0' mass='1' " + way + "/></body></worldbody>");
  }
  classes();
  robots();
  pixels();
}
