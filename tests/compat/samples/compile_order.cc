// What a compilation shows beside the model: where plugins, masses and user data are checked, the
// warning of the step that it takes at its end, and what saved classes, textures and joints say.
#include "sample.h"

static void compileIt(const std::string& content) {
  char error[1000] = "";
  Spec spec(mj_parseXMLString(("<mujoco>" + content + "</mujoco>").c_str(), nullptr, error, 1000));
  std::string text = error;
  if (spec) {
    Model m(mj_compile(spec.get(), nullptr));
    text = mjs_getError(spec.get());
    text = (m ? "compiles " : "fails ") + text + (mjs_isWarning(spec.get()) ? " (warning)" : "");
  }
  for (char& c : text) c = c == '\n' ? '~' : c;
  std::printf("%s\n", text.c_str());
}

static const std::string kJoint =
    "<worldbody><body name='a'><joint name='j'/><geom size='.1'/><site "
    "name='s'/></body></worldbody>";

static void plugins() {
  title("plugins");
  for (const char* use : {"plugin='zz'", "instance='zz'", ""}) {
    std::string plugin = std::string("<plugin ") + use + "/>",
                named = std::string("<plugin ") + use;
    for (const char* item : {"<geom size='-1'/>", "<joint range='1 0' limited='true'/>",
                             "<site type='box' size='-1'/>", "<light dir='0 0 0'/>", "<joint/>"}) {
      compileIt("<worldbody><body name='b'>" + plugin + item + "</body></worldbody>");
    }
    for (const char* geom : {"size='1'", "size='-1'", "size='1' material='zz'", "type='mesh'"}) {
      compileIt(std::string("<worldbody><geom name='g' ") + geom + ">" + plugin +
                "</geom></worldbody>");
    }
    compileIt("<asset><mesh name='m'>" + plugin + "</mesh></asset>");
    for (const char* rest : {"joint='j'", "joint='zz'", "", "joint='j' actdim='3'",
                             "joint='j' dyntype='integrator' actlimited='true'"}) {
      compileIt(kJoint + "<actuator>" + named + " name='A' " + rest + "/></actuator>");
    }
    for (const char* rest : {"", "objtype='site' objname='zz'", "cutoff='-1'", "noise='-1'",
                             "objtype='site' objname='s' reftype='body' refname='zz'"}) {
      compileIt(kJoint + "<sensor>" + named + " name='S' " + rest + "/></sensor>");
    }
  }
}

static void masses() {
  title("masses");
  for (const char* bodies :
       {"<body name='a'><joint/><body name='b'><joint/></body></body>",
        "<body name='a'><joint/></body><body name='c'><freejoint/></body>",
        "<body name='a'><joint/><geom size='1'/><body name='b'><joint/></body></body>"
        "<body name='c'><joint/></body>"}) {
    compileIt(std::string("<worldbody>") + bodies + "</worldbody>");
  }
  title("user data");
  compileIt("<size nuser_geom='1'/><worldbody><geom name='q' size='1' user='1 2'/></worldbody>");
  compileIt("<size nuser_site='1'/><worldbody><site name='q' user='1 2'/></worldbody>");
  compileIt("<size nuser_actuator='0'/>" + kJoint +
            "<actuator><motor joint='j' user='1 2'/></actuator>");
  compileIt("<size nuserdata='-1'/>");
  title("small texts");
  compileIt("<custom><tuple name='t'><element objtype='zz' objname='a'/></tuple></custom>");
  compileIt("<worldbody><geom class='' size='1'/></worldbody>");
  compileIt(
      "<worldbody><site type='capsule' size='1' pos='1 0 0' fromto='0 0 0 0 0 1'/></worldbody>");
  compileIt(kJoint + "<actuator><muscle name='A' joint='j' timeconst='-1 0'/></actuator>");
  compileIt("<worldbody><geom size='nan' type='zz'/></worldbody>");
  show("empty", mj_parseXMLString("", nullptr, nullptr, 0) == nullptr);
}

static void step() {
  title("step");
  compileIt(
      "<option gravity='0 0 1e12'/><worldbody><body><freejoint/><geom "
      "size='1'/></body></worldbody>");
  compileIt(
      "<worldbody><body><joint stiffness='1e20' springref='1'/><geom "
      "size='1'/></body></worldbody>");
}

static void save(const std::string& content) {
  Spec spec = parse(("<mujoco>" + content + "</mujoco>").c_str());
  compile(spec.get());
  static char text[20000];
  char error[300] = "";
  mj_saveXMLString(spec.get(), text, sizeof(text), error, sizeof(error));
  std::printf("%s%s", error, text);
}

static void saved() {
  title("saved");
  save(
      "<default><geom user='1 2'/><default class='c'/><default class='d'><geom user='3'/>"
      "</default></default><worldbody><geom size='1'/><geom size='1' class='d'/></worldbody>");
  save(
      "<asset><texture name='t' type='2d' builtin='flat' width='4' height='4' hflip='true' "
      "vflip='true'/></asset>");
  save(
      "<compiler fusestatic='true'/><worldbody><geom name='f' type='plane' size='1 1 1'/><body "
      "name='a' pos='0 0 1'><freejoint/><geom name='g' size='.1'/></body><body><geom name='h' "
      "size='.1'/></body></worldbody><contact><pair geom1='g' geom2='f'/></contact>");
  for (const char* type : {"ball", "free", "hinge"}) {
    save(
        std::string("<worldbody><body><joint type='") + type +
        "' actuatorfrclimited='true' actuatorfrcrange='-2 1'/><geom size='1'/></body></worldbody>");
  }
}

// elements that are made from others, and those of other files, have no lines
static void generated() {
  title("generated");
  compileIt(
      "<worldbody><composite prefix='q' type='cable' count='5 1 1' size='1' curve='cos(s)' "
      "initial='ball'><geom type='box' size='.02 .01 .01'/></composite></worldbody>");
  Spec spec = parse(
      "<robot name='r'><link name='a'/><link name='b'/><joint name='j' type='revolute'><parent "
      "link='a'/><child link='b'/></joint></robot>");
  compile(spec.get());
  spec = parse(
      "<robot name='r'><link name='a'/><link name='b'><inertial><mass value='1'/><inertia ixx='1' "
      "iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link><joint name='j' type='floating'>"
      "<parent link='a'/><child link='b'/><limit lower='-1' upper='1' "
      "effort='10'/></joint></robot>");
  Model m = compile(spec.get());
  show("limited", m->jnt_limited, 1);
  show("range", m->jnt_range, 2);
  show("force", m->jnt_actfrcrange, 2);
}

int main() {
  catchMessages();
  generated();
  plugins();
  masses();
  step();
  saved();
}
