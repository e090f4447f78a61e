// Edges that no other sample shows: broken documents, empty arguments, registration, dependencies, dofs of flexcomps.
#include <sys/wait.h>
#include <unistd.h>

#include "sample.h"

// An error that ends the program: in a process of its own.
template <typename F>
static void fatal(const char* what, F call) {
  std::fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    mju_user_error = [](const char* text) {
      std::printf("fatal: %s\n", text);
      std::fflush(stdout);
      _exit(0);
    };
    call();
    std::printf("%s: no error\n", what);
    std::fflush(stdout);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (status) std::printf("%s: status %d\n", what, status);
}

static std::string line(std::string text) {
  for (char& c : text) c = c == '\n' ? '~' : c;
  return text;
}

static void refuse(const std::string& xml, const mjVFS* vfs = nullptr) {
  char error[1000] = "";
  Spec spec(mj_parseXMLString(xml.c_str(), vfs, error, sizeof(error)));
  std::string text = error;
  if (spec) {
    Model m(mj_compile(spec.get(), vfs));
    text = m ? "compiles" : mjs_getError(spec.get());
  }
  std::printf("%s\n", line(text).c_str());
}

// the number of the fault and its line; the words are those of an XML library
static void broken() {
  title("broken documents");
  for (const char* xml : {"<mujoco",
                          "<mujoco><a></mujoco>",
                          "<mujoco></b>",
                          "<mujoco a=1/>",
                          "<mujoco a='1/>",
                          "<mujoco><!-- </mujoco>",
                          "",
                          " ",
                          "text",
                          "<mujoco/><mujoco/>",
                          "<mujoco a='1' a='2'/>",
                          "<?xml version='1.0'",
                          "<![CDATA[",
                          "<mujoco><![CDATA[x</mujoco>",
                          "<!DOCTYPE x",
                          "</mujoco>",
                          "<mujoco>\n\n<a\n",
                          "< mujoco/>",
                          "<mujoco><1/></mujoco>",
                          "<mujoco>\n<size\n nconmax='1'\n njmax\n=1/>\n</mujoco>",
                          "<mujoco>\n<size\n nconmax='1'\n njmax='1\n/>\n</mujoco>",
                          "<mujoco>\n<size\n nconmax='1'\n nconmax='1'/></mujoco>",
                          "<mujoco>\n<size\n nconmax='1'\n ! njmax='1'/></mujoco>",
                          "<mujoco>\n<size\n njmax='1'\n",
                          "<mujoco>\n<size\n njmax='1'\n /\n",
                          "<mujoco>\n<size\n njmax='1'\n />\n</mujoco",
                          "<mujoco>\n<size\n>\n</mujoco>\n",
                          "<mujoco>\n<size\n>\n\n",
                          "<mujoco>\n<size\n>",
                          "<mujoco>\n<size/>\n",
                          "<mujoco>\n<size/>\n</mujoco\n\nx>",
                          "<mujoco>\n<size/>\n</>",
                          "<mujoco>\n<size>\n</size/></mujoco>",
                          "<mujoco>\n<size>\n< /size></mujoco>",
                          "<mujoco>\n<size/>\n<\n\n</mujoco>",
                          "<mujoco>\n\n<!-- \n\n</mujoco>",
                          "<mujoco>\n\n<?xml x?>\n\n</mujoco>",
                          "<mujoco/>\n\ntext\n",
                          "<mujoco>\n\n text"}) {
    char error[1000] = "";
    Spec spec(mj_parseXMLString(xml, nullptr, error, sizeof(error)));
    std::printf("%s: %d %s\n", line(xml).c_str(), spec != nullptr, line(error).c_str());
  }
  char error[300] = "";
  show("null", mj_loadXML(nullptr, nullptr, error, sizeof(error)) == nullptr);
  std::printf("%s\n", line(error).c_str());
  show("null", mj_parseXML(nullptr, nullptr, error, sizeof(error)) == nullptr);
  std::printf("%s\n", line(error).c_str());
  refuse("<mujoco><worldbody><geom size='1'type='box'/></worldbody></mujoco>");
}

static void noFiles() {
  title("no virtual files");
  mjVFS vfs = {};
  mjpResourceProvider provider;
  mjp_defaultResourceProvider(&provider);
  for (mjVFS* none : {static_cast<mjVFS*>(nullptr), &vfs}) {
    fatal("mount", [&] { mj_mountVFS(none, "a", &provider); });
    fatal("unmount", [&] { mj_unmountVFS(none, "a"); });
    fatal("file", [&] { mj_addFileVFS(none, "", "a"); });
    fatal("buffer", [&] { mj_addBufferVFS(none, "a", "b", 1); });
  }
  mj_deleteVFS(nullptr);
}

static void registering() {
  title("registering");
  mjpResourceProvider provider;
  mjp_defaultResourceProvider(&provider);
  show("blank", provider.prefix == nullptr && !provider.open && !provider.mount && !provider.data);
  provider.prefix = "rest";
  show("no calls", mjp_registerResourceProvider(&provider));
  provider.open = +[](mjResource*) { return 1; };
  provider.read = +[](mjResource*, const void** buffer) {
    *buffer = "x";
    return 1;
  };
  show("no close", mjp_registerResourceProvider(&provider));
  provider.close = +[](mjResource*) {};
  for (const char* prefix : {"9x", "", "a_b", "a b", "a+.-9", "A", "rest"}) {
    provider.prefix = prefix;
    int before = mjp_resourceProviderCount();
    int slot = mjp_registerResourceProvider(&provider);
    std::printf("'%s' %d count %d\n", prefix, slot > 0 ? slot - before : slot,
                mjp_resourceProviderCount() - before);
  }
  provider.prefix = nullptr;
  show("null", mjp_registerResourceProvider(&provider));
  provider.prefix = "rest";
  int count = mjp_resourceProviderCount();
  show("again", mjp_registerResourceProvider(&provider) == count);
  provider.data = &provider;
  fatal("other", [&] { mjp_registerResourceProvider(&provider); });
  show("by name", mjp_getResourceProvider("rest:a/b") != nullptr);
  show("by name", mjp_getResourceProvider("REST:a/b") != nullptr);
  show("by name", mjp_getResourceProvider("rest") != nullptr);
  show("by name", mjp_getResourceProvider("none:a") != nullptr);
  show("by name", mjp_getResourceProvider("") != nullptr);
  show("by slot", mjp_getResourceProviderAtSlot(count)->prefix);
  show("by slot", mjp_getResourceProviderAtSlot(0) != nullptr);
  show("by slot", mjp_getResourceProviderAtSlot(-1) != nullptr);
  show("by slot", mjp_getResourceProviderAtSlot(count + 1) != nullptr);
}

static void put(const char* name, const std::string& text) {
  std::FILE* file = std::fopen(name, "w");
  std::fputs(text.c_str(), file);
  std::fclose(file);
}

static void dependencies() {
  title("dependencies");
  put("leaf.xml",
      "<mujoco><asset><mesh file='m.obj'/><texture type='2d' file='t.png'/></asset></mujoco>");
  put("root.xml",
      "<mujoco><compiler meshdir='md'/><include file='leaf.xml'/><asset><model file='k.xml'/>"
      "<hfield file='h.png' size='1 1 1 1'/><mesh file='m.obj'/><skin "
      "file='s.skn'/></asset></mujoco>");
  put("k.xml", "<mujoco><asset><mesh file='inner.stl'/></asset></mujoco>");
  Spec spec = parse("<mujoco/>");
  for (const char* name : {"root.xml", "leaf.xml", "none.xml"}) {
    mjStringVec* list = mjs_addTuple(spec.get())->objname;
    fatal(name, [&] { mju_getXMLDependencies(name, list); });
  }
}

static void plugins() {
  title("plugins keep their place");
  static char names[40][20];
  const mjpPlugin* first = nullptr;
  int start = mjp_pluginCount();
  for (int i = 0; i < 40; i++) {
    mjpPlugin plugin;
    mjp_defaultPlugin(&plugin);
    std::snprintf(names[i], sizeof(names[i]), "place.%d", i);
    plugin.name = names[i];
    plugin.capabilityflags = mjPLUGIN_PASSIVE;
    plugin.init = +[](const mjModel*, mjData*, int) { return 0; };
    plugin.nstate = +[](const mjModel*, int) { return 0; };
    plugin.compute = +[](const mjModel*, mjData*, int, int) {};
    int slot = mjp_registerPlugin(&plugin);
    if (!first) first = mjp_getPluginAtSlot(slot);
  }
  show("same", first == mjp_getPluginAtSlot(start));
  show("name", first->name);
  mjpPlugin plugin;
  mjp_defaultPlugin(&plugin);
  for (int step = 0; step < 6; step++) {
    if (step == 1) plugin.name = "";
    if (step == 2) plugin.name = "place.0";
    if (step == 3) plugin.name = "place.new";
    if (step == 4) plugin.capabilityflags = mjPLUGIN_SENSOR;
    if (step == 5) plugin.capabilityflags = mjPLUGIN_ACTUATOR;
    fatal("register", [&] { show("slot", mjp_registerPlugin(&plugin) - mjp_pluginCount()); });
  }
}

static void flexcomps() {
  title("flexcomp");
  auto inWorld = [](const std::string& content) {
    char error[500] = "";
    Spec spec(mj_parseXMLString(("<mujoco><worldbody>" + content + "</worldbody></mujoco>").c_str(),
                                nullptr, error, sizeof(error)));
    Model m(spec ? mj_compile(spec.get(), nullptr) : nullptr);
    std::printf("%s\n", line(m ? "compiles" : spec ? mjs_getError(spec.get()) : error).c_str());
    if (!m) return;
    show("vertices", m->flex_vert0, (int)(3 * m->nflexvert));
    show("elements", m->flex_elem, (int)m->nflexelemdata);
    show("bodies", (int)m->nbody);
    show("vertex bodies", m->flex_vertbodyid, (int)m->nflexvert);
    show("node bodies", m->flex_nodebodyid, (int)m->nflexnode);
  };
  inWorld("<flexcomp name='f' type='grid' count='3 3 1' spacing='1 1 1' point='1 2'/>");
  inWorld("<flexcomp name='f' type='grid' count='3 3 3' spacing='1 1 1' dim='3' element='0'/>");
  inWorld(
      "<flexcomp name='f' type='grid' count='2 2 1' spacing='1 1 1' point='9 9 9' radius='.01' "
      "mass='1'/>");
  inWorld("<flexcomp type='grid' count='2 2 1' spacing='1 1 1' dim='7'/>");
  inWorld("<flexcomp name='f' type='zz' count='2 2' spacing='1 1 1'/>");
  inWorld("<flexcomp name='f' type='grid' count='2 2' spacing='1 1 1'/>");
  inWorld(
      "<flexcomp name='f' type='direct' dim='2' point='0 0 0 1 0 0' element='0 1 2'><pin "
      "id='5'/></flexcomp>");
  inWorld("<flexcomp name='f' type='grid' count='3 3 3' spacing='1 1 1'dim='3'/>");
  const char* points[] = {"0 0 0 1 0 0 0 1 0 0 0 1 5 5 5", "5 5 5 0 0 0 1 0 0 0 1 0 0 0 1"};
  const char* elements[] = {"0 1 2 3", "1 2 3 4"};
  for (int unused = 0; unused < 2; unused++) {
    for (int pin : {0, 3, 4, 5}) {
      inWorld(
          std::string("<flexcomp name='f' type='direct' dof='trilinear' dim='3' mass='1' point='") +
          points[unused] + "' element='" + elements[unused] + "'><pin id='" + std::to_string(pin) +
          "'/></flexcomp>");
    }
  }
}

static const char* const kSensors[] = {"framepos", "framequat", "framelinvel"};

static void specSensors() {
  title("sensors of programs");
  for (int type : {mjOBJ_UNKNOWN, mjOBJ_BODY, mjOBJ_XBODY, mjOBJ_JOINT, mjOBJ_SITE, mjOBJ_TENDON}) {
    for (int ref : {mjOBJ_UNKNOWN, mjOBJ_BODY, mjOBJ_JOINT}) {
      for (const char* refname : {"", "b", "zz"}) {
        Spec spec = parse(
            "<mujoco><worldbody><body name='b'><joint name='b'/><geom size='1'/><site "
            "name='b'/></body></worldbody></mujoco>");
        mjsSensor* sensor = mjs_addSensor(spec.get());
        sensor->type = mjSENS_FRAMEPOS;
        sensor->objtype = static_cast<mjtObj>(type);
        sensor->reftype = static_cast<mjtObj>(ref);
        mjs_setString(sensor->objname, "b");
        mjs_setString(sensor->refname, refname);
        Model m(mj_compile(spec.get(), nullptr));
        std::printf("%s %d %d '%s': %s\n", kSensors[0], type, ref, refname,
                    line(m ? "ok" : mjs_getError(spec.get())).c_str());
      }
    }
  }
}

static void schema() {
  title("schema");
  std::vector<char> text(200000);
  for (int kind = 0; kind < 4; kind++) {
    show("length", mj_printSchema(nullptr, text.data(), 200000, kind & 1, kind >> 1));
    std::printf("%s", text.data());
  }
  show("short", mj_printSchema(nullptr, text.data(), 10, 0, 0));
  show("cut", text.data());
}

int main() {
  catchMessages();
  schema();
  broken();
  noFiles();
  registering();
  dependencies();
  plugins();
  flexcomps();
  specSensors();
}
