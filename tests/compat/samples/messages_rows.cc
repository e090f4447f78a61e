// One row per rule: actuators, sensors, sizes and small models that are refused or not, with their exact messages.
#include "sample.h"

static const std::string kWorld =
    "<worldbody><body name='b'><joint name='j'/><geom name='g' size='1'/><site name='s'/><site "
    "name='s2' pos='1 0 "
    "0'/></body><body name='c'><freejoint name='fj'/><geom name='g2' size='1'/></body><camera "
    "name='cam' "
    "resolution='10 10'/></worldbody>";

static const char* const kActuators[] = {
    "<general joint='j' dyntype='user' actdim='0'/>",
    "<general joint='j' dyntype='user' actdim='2'/>",
    "<general joint='j' dyntype='none' actdim='2'/>",
    "<general joint='j' dyntype='filter' dynprm='1' actdim='2'/>",
    "<general joint='j' dyntype='integrator' actlimited='false'/>",
    "<general joint='j' dyntype='integrator' actrange='0 0' actlimited='true'/>",
    "<intvelocity joint='j' kp='1' actrange='-1 1'/>",
    "<intvelocity joint='j' inheritrange='1'/>",
    "<position joint='j' inheritrange='-1'/>",
    "<position joint='j' inheritrange='1'/>",
    "<position joint='j' inheritrange='1' ctrlrange='0 1'/>",
    "<position joint='j' kv='1' dampratio='1'/>",
    "<position joint='j' kv='-1'/>",
    "<position joint='j' dampratio='-1'/>",
    "<position joint='j' timeconst='-1'/>",
    "<damper joint='j' kv='1'/>",
    "<damper joint='j' kv='-1' ctrlrange='0 1'/>",
    "<damper joint='j' kv='1' ctrlrange='-1 1'/>",
    "<cylinder joint='j' timeconst='0'/>",
    "<cylinder joint='j' bias='1'/>",
    "<muscle joint='j' force='-2'/>",
    "<muscle joint='j' tausmooth='-1'/>",
    "<muscle joint='j' timeconst='0 0'/>",
    "<muscle joint='j' scale='0'/>",
    "<muscle joint='j' lmin='2' lmax='1'/>",
    "<muscle joint='j' range='1 0'/>",
    "<muscle joint='j' fpmax='-1'/>",
    "<adhesion body='b' ctrlrange='-1 1'/>",
    "<adhesion body='b' gain='-1' ctrlrange='0 1'/>",
    "<adhesion body='zz' ctrlrange='0 1'/>",
    "<adhesion body='b'/>",
    "<adhesion/>",
    "<motor joint='j' site='s'/>",
    "<motor joint='j' tendon='t'/>",
    "<motor site='s' refsite='zz'/>",
    "<motor site='s' refsite='s2'/>",
    "<motor cranksite='s' slidersite='zz' cranklength='1'/>",
    "<motor cranksite='s' slidersite='s2'/>",
    "<motor cranksite='s' slidersite='s2' cranklength='-1'/>",
    "<motor cranksite='s'/>",
    "<motor slidersite='s'/>",
    "<motor jointinparent='zz'/>",
    "<motor body='zz'/>",
    "<motor joint='j' delay='.1'/>",
    "<motor joint='j' delay='-.1' nsample='2'/>",
    "<motor joint='j' nsample='2'/>",
    "<motor joint='j' nsample='-2'/>",
    "<motor joint='j' delay='.1' nsample='2' interp='zz'/>",
    "<motor joint='j' delay='.1' nsample='2' interp='linear'/>",
    "<motor name='m' joint='j' ctrlrange='1 0'/>",
    "<motor joint='j' forcerange='1 0'/>",
    "<motor joint='j' ctrlrange='1 1' ctrllimited='true'/>",
    "<motor joint='j' lengthrange='1 0'/>",
    "<general joint='j' gaintype='zz'/>",
    "<general joint='j' dyntype='muscle'/>",
    "<general joint='j' gaintype='muscle'/>",
    "<motor joint='fj'/>",
    "<motor joint='j' class='zz'/>",
    "<motor joint='j' actearly='true'/>",
    "<motor joint='j' dyntype='none'/>",
    "<motor joint='j' armature='-1'/>",
    "<motor joint='j' user='1 2 3'/>",
    "<dcmotor joint='j'/>",
};

static const char* const kSensors[] = {
    "<framepos objtype='body' objname='b' reftype='' refname='b'/>",
    "<framepos objtype='' objname='b'/>",
    "<framepos objtype='tendon' objname='b'/>",
    "<framelinacc objtype='body' objname='b' reftype='body' refname='b'/>",
    "<user dim='2' needstage='zz'/>",
    "<user dim='2' datatype='quaternion'/>",
    "<user dim='4' datatype='quaternion'/>",
    "<user dim='2' datatype='axis'/>",
    "<user dim='-1'/>",
    "<user dim='1' objtype='body' objname='zz'/>",
    "<user dim='1' objtype='zz' objname='zz'/>",
    "<user/>",
    "<rangefinder site='s' camera='cam'/>",
    "<rangefinder/>",
    "<rangefinder site='zz'/>",
    "<rangefinder camera='zz'/>",
    "<rangefinder camera='cam' data='point dist'/>",
    "<rangefinder camera='cam' data='dist point'/>",
    "<contact/>",
    "<contact data='force found'/>",
    "<contact data='found force'/>",
    "<contact geom1='g' geom2='g2' site='s'/>",
    "<contact geom1='g' body1='b'/>",
    "<contact body1='b' subtree2='c'/>",
    "<contact geom1='g' num='0'/>",
    "<contact geom1='g' num='-2'/>",
    "<contact geom1='g' reduce='zz'/>",
    "<contact site='zz'/>",
    "<contact site='s' geom2='zz'/>",
    "<contact subtree1='zz'/>",
    "<jointpos/>",
    "<jointpos joint='fj'/>",
    "<jointvel joint='fj'/>",
    "<ballquat joint='j'/>",
    "<jointlimitpos joint='fj'/>",
    "<tendonpos tendon='zz'/>",
    "<actuatorpos actuator='zz'/>",
    "<jointactuatorfrc joint='fj'/>",
    "<distance geom1='g' geom2='g'/>",
    "<distance geom1='g' body1='b' geom2='g2'/>",
    "<distance geom1='g'/>",
    "<distance geom1='g' geom2='g2' cutoff='-1'/>",
    "<normal geom1='g' geom2='zz'/>",
    "<fromto geom1='zz' geom2='zz'/>",
    "<subtreecom body='zz'/>",
    "<clock cutoff='-1'/>",
    "<clock noise='-1'/>",
    "<clock delay='1'/>",
    "<clock nsample='2' delay='-1'/>",
    "<clock interval='-1'/>",
    "<clock interval='1 2 3'/>",
    "<clock interval='.1 -.2' nsample='3'/>",
    "<camprojection site='s' camera='cam'/>",
    "<camprojection site='s'/>",
    "<camprojection camera='cam'/>",
    "<magnetometer/>",
    "<e_potential cutoff='1'/>",
    "<insidesite objtype='body' objname='b'/>",
    "<insidesite site='s'/>",
    "<insidesite objtype='zz' objname='b' site='s'/>",
    "<tactile geom='zz' mesh='zz'/>",
    "<tactile geom='g'/>",
    "<tactile mesh='m'/>",
    "<plugin/>",
    "<plugin plugin='zz'/>",
    "<plugin instance='zz'/>",
};

static const char* const kSizes[] = {
    "memory='-2'",
    "memory='1Q'",
    "memory='1K'",
    "memory=''",
    "memory='1.5M'",
    "memory='1KK'",
    "memory='99999E'",
    "memory='16E'",
    "memory='1K' njmax='5'",
    "nstack='100' memory='1M'",
    "njmax='-2'",
    "nconmax='-5'",
    "nkey='-1'",
    "nuser_body='-2'",
    "nuserdata='-1'",
    "nuser_body='1.5'",
    "njmax='3000000000'",
    "memory='100M' nstack='3'",
    "nstack='-5'",
    "nstack='100'",
    "njmax='10'",
    "nconmax='10'",
    "memory='1 2'",
    "memory='-1'",
    "memory='1k'",
    "memory='2m'",
};

static const char* const kModels[] = {
    R"(<worldbody><site name="s"/><geom name="g" type="cylinder" size=".1 .1"/></worldbody><tendon><spatial><site site="s"/><geom geom="g" sidesite="no"/><site site="s"/></spatial></tendon>)",
    R"(<worldbody><site name="s"/><geom name="g" size=".1"/></worldbody><tendon><spatial><site site="s"/><geom geom="g" sidesite="no"/><site site="s"/></spatial></tendon>)",
    "<worldbody name='q'/>",
    "<worldbody><body pos='1 2'/></worldbody>",
    "<worldbody><plugin/></worldbody>",
    "<worldbody><body name='a'><body name='c'><freejoint/></body></body></worldbody>",
    "<worldbody><body name='a'><joint/><body name='c'><freejoint/><geom "
    "size='1'/></body></body></worldbody>",
    "<worldbody><body name='a'><joint/><body name='c'><inertial mass='0' pos='0 0 0' "
    "diaginertia='0 0 0'/><body name='d'><freejoint/><geom "
    "size='1'/></body></body></body></worldbody>",
    "<worldbody><body name='a'><freejoint/><joint/><geom size='1'/></body></worldbody>",
    "<worldbody><body name='a'><joint/><freejoint/><geom size='1'/></body></worldbody>",
    "<worldbody><body name='a'><freejoint/><freejoint/><geom size='1'/></body></worldbody>",
    "<worldbody><body name='a'><joint type='ball'/><joint type='ball'/><geom "
    "size='1'/></body></worldbody>",
    "<worldbody><body name='a'><joint type='ball'/><joint type='ball'/><joint type='ball'/><geom "
    "size='1'/></body></worldbody>",
    "<worldbody><body name='a'><joint type='ball'/><joint/><geom size='1'/></body></worldbody>",
    "<worldbody><body name='a' mocap='true'><joint/><geom size='1'/></body></worldbody>",
    "<worldbody><body name='a'><body name='b' mocap='true'><geom "
    "size='1'/></body></body></worldbody>",
    "<worldbody><body name='a'><joint/><body><body><body/></body></body></body></worldbody>",
    "<worldbody><body name='a'><joint/><geom size='1' mass='0'/><body name='z'><joint/><geom "
    "size='1' mass='0'/></body></body></worldbody>",
    "<compiler boundmass='1'/><worldbody><body name='a'><joint/></body></worldbody>",
    "<compiler boundmass='1' boundinertia='1'/><worldbody><body "
    "name='a'><joint/></body></worldbody>",
    "<worldbody><body name='a'><joint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 "
    "3'/></body></worldbody>",
    "<worldbody><body name='a'><joint/><inertial pos='0 0 0' mass='-1' diaginertia='1 1 "
    "1'/></body></worldbody>",
    "<worldbody><body name='a'><joint/><inertial pos='0 0 0' mass='1' fullinertia='1 1 1 5 0 "
    "0'/></body></worldbody>",
    "<worldbody><body name='a'><joint/><inertial pos='0 0 0' mass='1' fullinertia='1 1 1 0 0 0' "
    "diaginertia='1 1 1'/></body></worldbody>",
    "<worldbody><body name='a'><joint/><inertial pos='0 0 0' mass='1' fullinertia='1 1 1 0 0 0' "
    "quat='0 1 0 0'/></body></worldbody>",
    "<worldbody><body name='a'><joint/><inertial pos='0 0 0' mass='1'/></body></worldbody>",
    "<worldbody><body name='a'><joint/><inertial mass='1'/></body></worldbody>",
    "<deformable><skin/></deformable>",
    "<deformable><skin name='k'/></deformable>",
    "<deformable><flex/></deformable>",
    "<worldbody><body name='world'/></worldbody>",
    "<worldbody><frame name='f'/><frame name='f'/></worldbody>",
    "<worldbody><frame name='f'/><body name='f'/></worldbody>",
    "<default><default class='a'/><default class='a'/></default>",
    "<default class='main'><default class='main'/></default>",
    "<default><default/></default>",
    "<default><default class=''/></default>",
    "<custom><numeric name='a' data='1'/><numeric name='a' data='1'/></custom>",
    "<custom><text name='a' data='1'/><tuple name='a'/></custom>",
    "<custom><text name='a' data=''/></custom>",
    "<keyframe><key name='a'/><key name='a'/></keyframe>",
    "<worldbody>\n<geom name='g' size='1'/>\n<geom name='g' size='1'/></worldbody>",
    "<worldbody>\n<body name='g'/><body name='g'/></worldbody>",
    "<asset>\n<material name='g'/><material name='g'/></asset>",
    "<sensor>\n<clock name='g'/><clock name='g'/></sensor>",
    "<worldbody><replicate count='0'><geom size='1'/></replicate></worldbody>",
    "<worldbody><replicate count='2'><geom name='x' size='1'/></replicate></worldbody>",
    "<worldbody><replicate><geom name='x' size='1'/></replicate></worldbody>",
    "<worldbody><replicate count='2' sep='-'><body name='x'><joint/></body></replicate><body "
    "name='x-0'/></worldbody>",
    "<worldbody><flexcomp name='f' type='grid' count='1 1 1' spacing='1 1 1'/></worldbody>",
    "<worldbody><flexcomp name='f' type='grid' count='2 1 1' spacing='0 1 1' dim='1'/></worldbody>",
};

// what a program makes and leaves as it is
static void fresh(const char* what, void (*add)(mjSpec*, mjsBody*)) {
  Spec spec(mj_makeSpec());
  add(spec.get(), mjs_findBody(spec.get(), "world"));
  Model m(mj_compile(spec.get(), nullptr));
  std::string text = m ? "compiles" : mjs_getError(spec.get());
  for (char& c : text) c = c == '\n' ? '~' : c;
  std::printf("%s: %s\n", what, text.c_str());
}

static void programs() {
  title("fresh elements");
  fresh("mesh", [](mjSpec* s, mjsBody*) { mjs_addMesh(s, nullptr); });
  fresh("named mesh",
        [](mjSpec* s, mjsBody*) { mjs_setName(mjs_addMesh(s, nullptr)->element, "k"); });
  fresh("material", [](mjSpec* s, mjsBody*) { mjs_addMaterial(s, nullptr); });
  fresh("texture", [](mjSpec* s, mjsBody*) { mjs_addTexture(s); });
  fresh("hfield", [](mjSpec* s, mjsBody*) { mjs_addHField(s); });
  fresh("skin", [](mjSpec* s, mjsBody*) { mjs_addSkin(s); });
  fresh("flex", [](mjSpec* s, mjsBody*) { mjs_addFlex(s); });
  fresh("pair", [](mjSpec* s, mjsBody*) { mjs_addPair(s, nullptr); });
  fresh("exclude", [](mjSpec* s, mjsBody*) { mjs_addExclude(s); });
  fresh("tendon", [](mjSpec* s, mjsBody*) { mjs_addTendon(s, nullptr); });
  fresh("equality", [](mjSpec* s, mjsBody*) { mjs_addEquality(s, nullptr); });
  fresh("actuator", [](mjSpec* s, mjsBody*) { mjs_addActuator(s, nullptr); });
  fresh("sensor", [](mjSpec* s, mjsBody*) { mjs_addSensor(s); });
  fresh("key", [](mjSpec* s, mjsBody*) { mjs_addKey(s); });
  fresh("tuple", [](mjSpec* s, mjsBody*) { mjs_addTuple(s); });
  fresh("geom", [](mjSpec*, mjsBody* w) { mjs_addGeom(w, nullptr); });
  fresh("site", [](mjSpec*, mjsBody* w) { mjs_addSite(w, nullptr); });
  fresh("camera", [](mjSpec*, mjsBody* w) { mjs_addCamera(w, nullptr); });
  fresh("light", [](mjSpec*, mjsBody* w) { mjs_addLight(w, nullptr); });
  fresh("joint", [](mjSpec*, mjsBody* w) { mjs_addJoint(w, nullptr); });
  fresh("free joint", [](mjSpec*, mjsBody* w) { mjs_addFreeJoint(mjs_addBody(w, nullptr)); });
  fresh("info",
        [](mjSpec*, mjsBody* w) { mjs_setString(mjs_addGeom(w, nullptr)->info, "made here"); });
}

int main() {
  catchMessages();
  title("actuators");
  for (const char* row : kActuators) tryModel(kWorld + "<actuator>" + row + "</actuator>");
  title("sensors");
  for (const char* row : kSensors) tryModel(kWorld + "<sensor>" + row + "</sensor>");
  title("sizes");
  for (const char* row : kSizes) tryModel(std::string("<size ") + row + "/>");
  title("models");
  for (const char* row : kModels) tryModel(row);
  programs();
}
