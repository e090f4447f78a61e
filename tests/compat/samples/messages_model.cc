// Models that reader and compiler refuse: exact messages and which of two errors comes first.
#include "sample.h"

// the message of a model, newlines shown
static void refuse(const char* xml, const mjVFS* vfs = nullptr) {
  char error[1000] = "";
  Spec spec(mj_parseXMLString(xml, vfs, error, sizeof(error)));
  std::string text = error;
  if (spec) {
    Model m(mj_compile(spec.get(), vfs));
    text = m ? "compiles" : mjs_getError(spec.get());
  }
  for (size_t at; (at = text.find('\n')) != std::string::npos;) text.replace(at, 1, "~");
  std::printf("%s\n", text.c_str());
}

static void inWorld(const std::string& content) {
  refuse(("<mujoco><worldbody>" + content + "</worldbody></mujoco>").c_str());
}

static void inWorldAsleep(const std::string& content) {
  refuse(("<mujoco><option><flag sleep='enable'/></option><worldbody>" + content +
          "</worldbody></mujoco>")
             .c_str());
}

static const char* const kJoint =
    "<worldbody><body name='b'><joint name='j'/><geom name='g' size='1'/><site name='s'/></body>"
    "<camera name='c'/></worldbody>";

static void withJoint(const std::string& content) {
  refuse((std::string("<mujoco>") + kJoint + content + "</mujoco>").c_str());
}

static void names() {
  title("names");
  inWorld("<geom name='g' size='1'/><geom name='g' size='1'/>");
  refuse("<mujoco><asset><mesh file='a.obj'/><mesh file='a.obj'/></asset></mujoco>");
  refuse("<mujoco><asset><mesh file='a.obj'/><mesh file='b/a.obj'/></asset></mujoco>");
  refuse(
      "<mujoco><asset><hfield size='1 1 1 1' file='a.png'/><hfield size='1 1 1 1' "
      "file='a.png'/></asset></mujoco>");
  refuse(
      "<mujoco><asset><texture type='2d' file='a.png'/><texture type='2d' "
      "file='a.png'/></asset></mujoco>");
  refuse("<mujoco><asset><mesh/></asset></mujoco>");
  refuse("<mujoco><asset><texture builtin='flat' width='2' height='2'/></asset></mujoco>");
  refuse("<mujoco><asset><material/></asset></mujoco>");
  refuse("<mujoco><asset><hfield size='1 1 1 1' nrow='2' ncol='2'/></asset></mujoco>");
  refuse("<foo/>");
  refuse("<mujoco><asset><mesh name='m' file='dir/f.obj'/></asset></mujoco>");
  refuse("<mujoco><compiler meshdir='md'/><asset><mesh name='m' file='f.obj'/></asset></mujoco>");
}

static void order() {
  title("order");
  inWorld("<body><body name='c'><freejoint/></body></body>");
  inWorld("<body><geom size='1'/><body name='c'><freejoint/><geom size='1'/></body></body>");
  inWorld("<body name='a'><joint/><joint/><joint/><joint/><joint/><joint/><joint/></body>");
  inWorld("<body name='a'><joint/><body><body><body><geom size='1'/></body></body></body></body>");
  inWorld("<body name='a'><joint/><body><body><body/></body></body></body>");
  inWorld("<joint/>");
}

static void actuators() {
  title("actuators");
  const char* const all[] = {
      "<general joint='j' dyntype='integrator' actlimited='true' actrange='1 0'/>",
      "<general joint='j' dyntype='integrator' actlimited='true'/>",
      "<intvelocity joint='j'/>",
      "<intvelocity joint='j' actrange='1 1'/>",
      "<general joint='j' ctrllimited='true' ctrlrange='1 0'/>",
      "<general joint='j' forcelimited='true' forcerange='1 0'/>",
      "<general joint='j' actrange='0 1'/>",
      "<general joint='j' actlimited='true' actrange='0 1'/>",
      "<general joint='j' actdim='1'/>",
      "<general joint='j' dyntype='integrator' actdim='0'/>",
      "<general joint='j' dyntype='integrator' actdim='2'/>",
      "<general joint='j' delay='1'/>",
      "<motor joint='k'/>",
      "<motor name='a' tendon='k'/>",
      "<motor/>",
      "<general/>",
  };
  for (const char* text : all) withJoint(std::string("<actuator>") + text + "</actuator>");
}

static void sensors() {
  title("sensors");
  const char* const all[] = {
      "<jointpos joint='x'/>",
      "<touch site='x'/>",
      "<framepos objtype='body' objname='x'/>",
      "<framepos objtype='body' objname='b' reftype='body' refname='x'/>",
      "<framepos objtype='body' objname='b' reftype='body' refname=''/>",
      "<framepos objtype='body' objname='b' reftype='joint' refname='j'/>",
      "<framepos objtype='body' objname='b' reftype='foo' refname='x'/>",
      "<framepos objtype='joint' objname='j'/>",
      "<framepos objtype='foo' objname='j'/>",
      "<framepos objtype='body' objname='b' refname='b'/>",
      "<framepos objname='b'/>",
      "<framepos objtype='body'/>",
      "<distance geom1='x' geom2='g'/>",
      "<distance geom1='g' geom2='x'/>",
      "<distance body1='b' body2='x'/>",
      "<camprojection site='s' camera='x'/>",
      "<camprojection site='x' camera='c'/>",
      "<insidesite objtype='body' objname='b' site='x'/>",
      "<insidesite objtype='body' objname='x' site='s'/>",
      "<user dim='0'/>",
      "<user dim='1' objtype='body'/>",
      "<user dim='1' objname='b'/>",
      "<contact geom1='x' num='1' data='found'/>",
      "<contact geom1='g' geom2='x' num='1' data='found'/>",
      "<tactile geom='g' mesh='x'/>",
  };
  for (const char* text : all) withJoint(std::string("<sensor>") + text + "</sensor>");
}

static void builtinMeshes() {
  title("builtin meshes");
  const char* const all[] = {
      "builtin='sphere'",
      "builtin='sphere' params=''",
      "builtin='sphere' params='1 2'",
      "builtin='hemisphere' params='1 2'",
      "builtin='cone' params='1'",
      "builtin='cone' params='1 2 3'",
      "builtin='supersphere' params='1'",
      "builtin='supertorus' params='1'",
      "builtin='supertorus' params='1 2 3 4 5'",
      "builtin='wedge' params='1'",
      "builtin='wedge' params='1 2 3 4 5 6'",
      "builtin='plate' params='1'",
      "builtin='plate' params='1 2 3'",
      "builtin='sphere' params='5'",
      "builtin='hemisphere' params='11'",
      "builtin='supersphere' params='2 1 1'",
      "builtin='supersphere' params='5 -1 1'",
      "builtin='supertorus' params='3 .5 1 1'",
      "builtin='supertorus' params='5 2 1 1'",
      "builtin='supertorus' params='5 .5 0 1'",
      "builtin='supertorus' params='5 .5 1 0'",
      "builtin='wedge' params='0 2 60 60 0'",
      "builtin='plate' params='0 2'",
      "builtin='wedge' params='2 2 0 60 0'",
      "builtin='wedge' params='2 2 60 100 0'",
      "builtin='wedge' params='2 2 60 60 2'",
      "builtin='foo' params='2'",
      "builtin='sphere' params='1' vertex='0 0 0 1 0 0 0 1 0 0 0 1'",
      "builtin='sphere' params='1' file='a.obj'",
      "builtin='cone' params='0 1'",
      "builtin='cone' params='2 1'",
      "builtin='cone' params='5 2'",
      "builtin='cone' params='5 -1'",
      "builtin='hemisphere' params='0'",
      "builtin='hemisphere' params='-1'",
      "builtin='sphere' params='-1'",
      "builtin='supersphere' params='5 1 -1'",
  };
  for (const char* text : all) {
    refuse((std::string("<mujoco><asset><mesh name='m' ") + text + "/></asset></mujoco>").c_str());
  }
}

static void skinsAndComposites() {
  title("skins and composites");
  refuse(
      "<mujoco><deformable><skin name='s' group='7' vertex='0 0 0' face='0 0 "
      "0'/></deformable></mujoco>");
  inWorld(
      "<body><composite type='cable' count='3 1 1' size='1' curve='s'><skin group='9'/><geom "
      "type='box' size='.1 .1 .1'/></composite></body>");
  inWorld(
      "<body><composite type='cloth' count='3 1 1' size='1'><skin group='9'/></composite></body>");
  inWorld(
      "<body><composite type='grid' count='3 1 1' size='1'><joint kind='foo'/></composite></body>");
  inWorld("<body><composite type='grid' count='3 1 1' size='1'/></body>");
  inWorld(
      "<body><composite type='cloth' count='3 1 1'><plugin "
      "plugin='mujoco.elasticity.cable'/></composite></body>");
  inWorld(
      "<body><composite type='cable' count='3 1 1' curve='s' size='1'><plugin "
      "plugin='mujoco.pid'/></composite></body>");
  inWorld("<body><composite type='cable' count='0 1 1' curve='s' size='1'/></body>");
  inWorld("<body><composite type='cloth' count='0 1 1'/></body>");
}

static void attachments() {
  title("attach");
  inWorld("<attach model='zz' body='b' prefix='p'/>");
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  const char* child = "<mujoco model='k'><worldbody><body name='v'/></worldbody></mujoco>";
  mj_addBufferVFS(&vfs, "k.xml", child, static_cast<int>(std::strlen(child)));
  mj_addBufferVFS(&vfs, "bad.xml", "<mujoco><worldbody><geom type='foo'/></worldbody></mujoco>",
                  58);
  refuse(
      "<mujoco><asset><model file='k.xml'/></asset><worldbody><attach model='k' body='v' "
      "prefix='p'/>"
      "<body><attach model='k' body='v' prefix='p'/></body></worldbody></mujoco>",
      &vfs);
  refuse(
      "<mujoco><asset><model file='k.xml'/></asset><worldbody><attach model='k' body='v' "
      "prefix='p'/>"
      "<attach model='k' body='v' prefix='p'/></worldbody></mujoco>",
      &vfs);
  refuse(
      "<mujoco><asset><model file='k.xml'/></asset><worldbody><attach model='k' body='none' "
      "prefix='p'/></worldbody></mujoco>",
      &vfs);
  refuse("<mujoco><asset><model file='bad.xml'/></asset></mujoco>", &vfs);
  refuse("<mujoco><asset><model file='none.xml'/></asset></mujoco>", &vfs);
  refuse("<mujoco><asset><model file='none.foo'/></asset></mujoco>", &vfs);
  mj_deleteVFS(&vfs);
}

static void write(const char* name, const char* text) {
  FILE* file = std::fopen(name, "w");
  if (file) std::fputs(text, file);
  if (file) std::fclose(file);
}

static void flexcomps() {
  title("flexcomp");
  static const char nodes[] = "$Nodes\n1 3 1 3\n2 1 0 3\n1\n2\n3\n0 0 0\n1 0 0\n0 1 0\n$EndNodes\n";
  static const char elements[] = "$Elements\n1 1 1 1\n2 1 2 1\n1 1 2 9\n$EndElements\n";
  std::string head = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n";
  write("empty.msh", "");
  write("version.msh", "$MeshFormat\n3.0 0 8\n$EndMeshFormat\n");
  write("cut.msh", (head + nodes).c_str());
  write("blocks.msh", (head + "$Nodes\n2 3 1 3\n2 1 0 3\n$EndNodes\n" + elements).c_str());
  write("tag.msh", (head + nodes + elements).c_str());
  for (const char* name : {"none", "empty", "version", "cut", "blocks", "tag"}) {
    inWorld("<flexcomp name='f' type='gmsh' file='" + std::string(name) + ".msh'/>");
  }
  write("empty.stl", "");
  write("empty.obj", "");
  inWorld("<flexcomp name='f' type='mesh' file='empty.stl'/>");
  inWorld("<flexcomp name='f' type='mesh' file='empty.obj'/>");
  inWorld("<flexcomp name='f' type='mesh' file='none.obj'/>");
  inWorld("<flexcomp name='f' type='mesh' dim='3' file='none.obj'/>");
  inWorld("<body><flexcomp name='f'/></body>");
  inWorld("<flexcomp name='f' count='3 3 1' spacing='1 1 1'><edge stiffness='1'/></flexcomp>");
}

static void equalities() {
  title("equality");
  for (int type : {mjEQ_CONNECT, mjEQ_WELD}) {
    for (int object : {mjOBJ_UNKNOWN, mjOBJ_GEOM, mjOBJ_BODY, mjOBJ_SITE}) {
      Spec spec = parse("<mujoco><worldbody><body name='b'/></worldbody></mujoco>");
      mjsEquality* eq = mjs_addEquality(spec.get(), nullptr);
      eq->type = static_cast<mjtEq>(type);
      eq->objtype = static_cast<mjtObj>(object);
      mjs_setString(eq->name1, "t");
      compile(spec.get());
      mjs_setString(eq->name1, "b");
      mjs_setString(eq->name2, "t");
      compile(spec.get());
    }
  }
  withJoint("<equality><joint joint1='j' joint2='k'/></equality>");
  withJoint("<equality><joint joint1='k'/></equality>");
  withJoint("<equality><weld body1='k'/></equality>");
  withJoint("<equality><connect body1='k' anchor='0 0 0'/></equality>");
  withJoint("<equality><connect body1='b' body2='k' anchor='0 0 0'/></equality>");
}

static void plugins() {
  title("plugin references");
  inWorld("<body name='q'><plugin/></body>");
  inWorld("<plugin/>");
  withJoint("<actuator><plugin name='p' joint='j'/></actuator>");
  withJoint("<sensor><plugin/></sensor>");
  withJoint("<actuator><plugin plugin='x' joint='j'/></actuator>");
  withJoint("<extension><plugin plugin='x'/></extension>");
  withJoint("<actuator><plugin instance='x' joint='j'/></actuator>");
}

static void sleeping() {
  title("sleep");
  const char* base =
      "<mujoco><option><flag sleep='enable'/></option><worldbody>"
      "<body name='a'><freejoint/><geom size='.1'/><site name='sa'/></body>"
      "<body name='b' pos='1 0 0' sleep='%s'><freejoint/><geom size='.1'/><site name='sb'/></body>"
      "<body name='c' pos='2 0 0'><freejoint/><geom size='.1'/><site name='sc'/></body></worldbody>"
      "<tendon><spatial %s><site site='sa'/><site site='sb'/>%s</spatial></tendon></mujoco>";
  const char* const policies[] = {"auto", "never", "allowed", "init"};
  for (const char* policy : policies) {
    char text[2000];
    std::snprintf(text, sizeof(text), base, policy, "", "<site site='sc'/>");
    refuse(text);
    std::snprintf(text, sizeof(text), base, policy, "stiffness='1'", "");
    refuse(text);
    std::snprintf(text, sizeof(text), base, policy, "", "");
    refuse(text);
  }
}

// a reset puts trees to sleep before it places mocap bodies
static void sleepingBesideMocap() {
  title("sleep beside mocap");
  for (const char* pos : {"5 0 0", "0 0 0"}) {
    inWorldAsleep(std::string("<body mocap='true' pos='") + pos +
                  "'><body pos='.2 0 0'><joint/><geom size='.1'/></body></body>"
                  "<body name='q' sleep='init' pos='.3 0 0'><freejoint/><geom size='.1'/></body>"
                  "<body name='r' sleep='init' pos='3 0 0'><freejoint/><geom size='.1'/></body>");
  }
}

static void opening() {
  title("main file");
  const char* const all[] = {"f.xml", "", "d/f.xml"};
  for (const char* name : all) {
    char error[1000] = "";
    Model m(mj_loadXML(name, nullptr, error, sizeof(error)));
    std::printf("%s\n", error);
  }
  char error[1000] = "";
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "e.xml", "", 0);
  mj_loadXML("e.xml", &vfs, error, sizeof(error));
  std::printf("%s\n", error);
  mj_deleteVFS(&vfs);
}

static void compileAfter(const char* what, void (*edit)(mjSpec*, mjsBody*)) {
  Spec spec = parse(
      "<mujoco><worldbody><body name='b'><joint name='j' type='slide'/><geom name='g' "
      "size='1'/><site "
      "name='s'/></body></worldbody></mujoco>");
  edit(spec.get(), mjs_findBody(spec.get(), "b"));
  std::printf("%s: ", what);
  if (compile(spec.get())) std::printf("compiles\n");
}

// what no XML can say
static void edited() {
  title("edited");
  compileAfter("joint", [](mjSpec*, mjsBody* b) {
    mjs_addJoint(b, nullptr)->type = static_cast<mjtJoint>(9);
  });
  compileAfter("joint of the world",
               [](mjSpec* s, mjsBody*) { mjs_addJoint(mjs_findBody(s, "world"), nullptr); });
  compileAfter("sensor", [](mjSpec* s, mjsBody*) { mjs_addSensor(s)->type = mjSENS_PLUGIN; });
  compileAfter("actuator", [](mjSpec* s, mjsBody*) {
    mjs_setString(mjs_addActuator(s, nullptr)->target, "j");
  });
  compileAfter("fixed tendon", [](mjSpec* s, mjsBody*) {
    mjsTendon* t = mjs_addTendon(s, nullptr);
    mjs_setName(t->element, "t");
    mjs_wrapJoint(t, "j", 1);
    mjs_wrapSite(t, "s");
  });
  compileAfter("spatial tendon", [](mjSpec* s, mjsBody*) {
    mjsTendon* t = mjs_addTendon(s, nullptr);
    mjs_setName(t->element, "t");
    mjs_wrapSite(t, "s");
    mjs_wrapJoint(t, "j", 1);
  });
  compileAfter("texture", [](mjSpec* s, mjsBody*) {
    mjsTexture* t = mjs_addTexture(s);
    mjs_setName(t->element, "t");
    t->type = mjTEXTURE_2D;
    t->width = t->height = 2;
    mjs_setBuffer(t->data, "12345", 5);
  });
  compileAfter("numeric", [](mjSpec* s, mjsBody*) { mjs_addNumeric(s); });
  compileAfter("small numeric", [](mjSpec* s, mjsBody*) {
    double data[2] = {1, 2};
    mjsNumeric* n = mjs_addNumeric(s);
    n->size = 1;
    mjs_setDouble(n->data, data, 2);
  });
  compileAfter("text", [](mjSpec* s, mjsBody*) { mjs_addText(s); });
  compileAfter("tuple", [](mjSpec* s, mjsBody*) {
    int types[2] = {mjOBJ_BODY, mjOBJ_BODY};
    mjsTuple* t = mjs_addTuple(s);
    mjs_setInt(t->objtype, types, 2);
    mjs_appendString(t->objname, "b");
  });
  compileAfter("keyframes", [](mjSpec* s, mjsBody*) { s->nkey = -3; });
}

static void attributes() {
  title("attributes");
  withJoint("<equality><joint name='e' joint1='j'/></equality>");
  inWorld("<frame zaxis='0 0 0'><geom size='1'/></frame>");
  const std::string ball = "<body><joint name='ball' type='ball'/><geom size='1'/></body>";
  for (const char* rest :
       {"<equality><joint name='e' joint1='ball'/></equality>",
        "<actuator><position joint='ball' inheritrange='1'/></actuator>",
        "<actuator><muscle name='m' joint='ball' vmax='0'/></actuator>",
        "<asset><texture name='t' type='cube' gridsize='30 30' file='none.png'/></asset>",
        "<deformable><skin name='s' vertex='0 0 0 1' face='0 1 2'><bone body='world' bindpos='0 0 "
        "0' "
        "bindquat='1 0 0 0' vertid='0' vertweight='1'/></skin></deformable>",
        "<deformable><skin name='s' vertex='0 0 0' face='0 0'><bone body='world' bindpos='0 0 0' "
        "bindquat='1 0 0 0' vertid='0' vertweight='1'/></skin></deformable>"}) {
    refuse(("<mujoco><worldbody>" + ball + "</worldbody>" + rest + "</mujoco>").c_str());
  }
}

int main() {
  catchMessages();
  edited();
  attributes();
  names();
  order();
  actuators();
  sensors();
  builtinMeshes();
  skinsAndComposites();
  attachments();
  flexcomps();
  equalities();
  plugins();
  sleeping();
  sleepingBesideMocap();
  opening();
}
