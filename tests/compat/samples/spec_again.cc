// What a spec keeps from one compilation to the next, and through edits: hulls and distance fields of meshes, order of
// children, keyframes, masses in the text, ids of plugin instances; which of two errors is reported.
#include "sample.h"

static void showText(mjSpec* s) {
  static char text[100000];
  char error[500] = "";
  int result = mj_saveXMLString(s, text, sizeof(text), error, sizeof(error));
  std::printf("%d %s\n%s\n", result, error, result ? "" : text);
}

static void showNames(mjSpec* s) {
  for (mjtObj type : {mjOBJ_BODY, mjOBJ_GEOM, mjOBJ_SITE, mjOBJ_CAMERA, mjOBJ_FRAME, mjOBJ_KEY}) {
    for (mjsElement* e = mjs_firstElement(s, type); e; e = mjs_nextElement(s, e)) {
      std::printf(" '%s'", nameOf(e));
    }
    std::printf(" |");
  }
  std::printf("\n");
}

// ---- meshes ----

static void showMeshes(const char* what, const mjModel* m) {
  std::printf("%s octree %d ", what, m ? (int)m->noct : -1);
  if (m) show("graph", m->mesh_graphadr, m->nmesh);
}

static mjsGeom* theGeom(mjSpec* s) { return mjs_asGeom(mjs_findElement(s, mjOBJ_GEOM, "g")); }

static void meshesKeepWhatTheyHad(const std::string& geom, bool compiled) {
  std::string xml =
      "<mujoco><asset><mesh name='used' builtin='sphere' params='1'/><mesh name='other' "
      "builtin='hemisphere' params='1'/></asset><worldbody><geom name='g' " +
      geom + "/><body name='b'><geom size='.1'/></body></worldbody></mujoco>";
  Spec s = parse(xml.c_str());
  if (compiled) showMeshes("first", compile(s.get()).get());
  theGeom(s.get())->contype = theGeom(s.get())->conaffinity = 0;
  showMeshes("without contacts", compile(s.get()).get());
  theGeom(s.get())->type = mjGEOM_SPHERE;
  theGeom(s.get())->size[0] = 1;
  mjs_setString(theGeom(s.get())->meshname, "");
  showMeshes("sphere", compile(s.get()).get());
  for (int deep = 0; deep < 2; deep++) {
    Spec child = parse(xml.c_str()), parent(mj_makeSpec());
    if (compiled) compile(child.get());
    mjs_setDeepCopy(parent.get(), deep);
    mjsFrame* frame = mjs_addFrame(mjs_findBody(parent.get(), "world"), nullptr);
    mjs_attach(frame->element, mjs_findBody(child.get(), "b")->element, "p_", "");
    showMeshes("attached", compile(parent.get()).get());
    Spec copy(mj_copySpec(parent.get()));
    showMeshes("copy", compile(copy.get()).get());
  }
  std::printf("needsdf %d\n", mjs_asMesh(mjs_findElement(s.get(), mjOBJ_MESH, "used"))->needsdf);
}

// ---- bodies that become frames ----

static const char* const kTree = R"(<mujoco><worldbody><body name="p"><geom name="p0" size="1"/>
<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><body name="b1"><geom name="b10" size="1"/><body name="b1a">
<geom name="b1a0" size="1"/></body><camera name="c"/></body><geom name="p2" size="1"/><frame name="f"><body name="b2">
<geom name="b20" size="1"/><site name="s2"/><body name="b2a"/><body name="b2b"/></body><geom name="p3" size="1"/></frame>
<body name="b3"><joint/><geom name="b30" size="1"/></body></body></worldbody><keyframe><key name="k" qpos="1"/><key/>
</keyframe></mujoco>)";

static void bodiesToFrames(const std::vector<const char*>& bodies) {
  Spec s = parse(kTree);
  for (const char* name : bodies) {
    mjsBody* body = mjs_findBody(s.get(), name);
    mjs_bodyToFrame(&body);
    showNames(s.get());
  }
  showText(s.get());
  Model m = compile(s.get());
  showNames(s.get());
  if (m) showText(s.get());
}

// ---- keyframes that do not fit ----

static void deleteWithKey(const char* key) {
  Spec s = parse(
      (std::string("<mujoco><worldbody><body name='b'><joint/><geom size='.1'/></body></worldbody>"
                   "<keyframe><key name='k' ") +
       key + "/></keyframe></mujoco>")
          .c_str());
  show("delete", mjs_delete(s.get(), mjs_findBody(s.get(), "b")->element));
  show("error", mjs_getError(s.get()));
}

// ---- masses ----

static void massesInTheText(const char* compiler, const char* inertial, const char* joint) {
  std::string xml =
      std::string("<mujoco><compiler ") + compiler +
      "/><worldbody><geom size='.1' mass='3'/><body>" + inertial + joint +
      "<geom size='.1' mass='2'/><geom size='.1' mass='0'/><geom size='.1' density='5'/>"
      "<geom size='.1' group='2' mass='4'/></body></worldbody></mujoco>";
  Spec s = parse(xml.c_str());
  if (compile(s.get())) showText(s.get());
}

// ---- which error comes first ----

struct Fault {
  const char *option, *body, *actuator, *tendon;
};

static void errorsTogether() {
  static const Fault kFaults[] = {
      {"", "<body><joint name='l'/><geom size='.1'/></body>", "<muscle joint='l'/>", ""},
      {"", "", "<muscle site='s' lengthrange='0 0'/>", ""},
      {"",
       "<body sleep='allowed'><joint name='a'/><geom size='.1'/></body><body><joint "
       "name='b'/><geom size='.1'/></body>",
       "", "<fixed stiffness='1'><joint joint='a' coef='1'/><joint joint='b' coef='1'/></fixed>"},
      {"timestep='0'", "", "<motor joint='j' nsample='3'/>", ""}};
  for (const Fault& a : kFaults) {
    for (const Fault& b : kFaults) {
      if (&a > &b) continue;
      bool both = &a != &b;
      tryModel(std::string("<option ") + a.option + (both ? b.option : "") +
               "/><worldbody><body><joint name='j'/><geom size='.1'/><site name='s'/></body>" +
               a.body + (both ? b.body : "") + "</worldbody><tendon>" + a.tendon +
               (both ? b.tendon : "") + "</tendon><actuator>" + a.actuator +
               (both ? b.actuator : "") + "</actuator>");
    }
  }
}

int main() {
  catchMessages();
  title("meshes");
  for (const char* geom :
       {"type='mesh' mesh='used'", "type='mesh' mesh='used' contype='0' conaffinity='0'",
        "type='sdf' mesh='used'", "type='box' mesh='used'"}) {
    for (bool compiled : {false, true}) meshesKeepWhatTheyHad(geom, compiled);
  }
  title("bodies to frames");
  for (const auto& bodies : std::vector<std::vector<const char*>>{
           {"b1"}, {"b2"}, {"b3"}, {"b2", "b1"}, {"b1", "b1a"}, {"b3", "b2", "b1"}}) {
    bodiesToFrames(bodies);
  }
  title("keyframes");
  for (const char* key :
       {"qpos='1 2' ctrl='1'", "ctrl='1' mpos='1 2 3'", "mquat='1 2 3 4' ctrl='1'",
        "act='1' ctrl='2'", "mpos='1 2 3' mquat='1 0 0 0'"}) {
    deleteWithKey(key);
  }
  title("masses");
  for (const char* compiler :
       {"inertiafromgeom='false'", "inertiafromgeom='auto'", "inertiafromgeom='true'",
        "discardvisual='true'", "inertiagrouprange='2 3'"}) {
    for (const char* inertial : {"", "<inertial mass='1' pos='0 0 0' diaginertia='1 1 1'/>"}) {
      for (const char* joint : {"", "<freejoint/>"}) massesInTheText(compiler, inertial, joint);
    }
  }
  title("errors");
  errorsTogether();
}
