// Names, mounts and time stamps of virtual file systems; models and their files from providers.
#include <functional>
#include <map>

#include "sample.h"

static std::map<std::string, std::string> content;  // what the provider serves
static bool speak = true;

static mjpResourceProvider makeProvider(const char* prefix) {
  mjpResourceProvider provider;
  mjp_defaultResourceProvider(&provider);
  provider.prefix = prefix;
  provider.open = +[](mjResource* r) {
    int known = content.count(r->name);
    if (speak) std::printf("  open %s %d data %d\n", r->name, known, r->data != nullptr);
    return known;
  };
  provider.read = +[](mjResource* r, const void** buffer) {
    *buffer = content[r->name].data();
    return static_cast<int>(content[r->name].size());
  };
  provider.close = +[](mjResource* r) {
    if (speak) std::printf("  close %s\n", r->name);
  };
  provider.mount = +[](mjResource* r) {
    if (speak) std::printf("  mount %s\n", r->name);
    return 1;
  };
  provider.unmount = +[](mjResource* r) {
    if (speak) std::printf("  unmount %s\n", r->name);
    r->data = nullptr;
    return 1;
  };
  return provider;
}

static void tryOpen(const char* dir, const char* name, const mjVFS* vfs) {
  char error[300] = "before";
  mjResource* r = mju_openResource(dir, name, vfs, error, sizeof(error));
  std::printf("%s + %s: ", dir ? dir : "(null)", name);
  if (!r) {
    std::printf("%s\n", error);
    return;
  }
  const void* buffer = nullptr;
  int n = mju_readResource(r, &buffer);
  const char* folder = nullptr;
  int nfolder = 0;
  mju_getResourceDir(r, &folder, &nfolder);
  std::printf("'%s' name %s dir '%.*s' error '%s' own vfs %d\n",
              std::string(static_cast<const char*>(buffer), n > 0 ? n : 0).c_str(), r->name,
              nfolder, folder ? folder : "", error, !vfs || r->vfs == vfs);
  mju_closeResource(r);
}

static void put(const char* name, const char* text) {
  std::FILE* file = std::fopen(name, "w");
  std::fputs(text, file);
  std::fclose(file);
}

static void names() {
  title("names");
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  put("One.txt", "one");
  put("two.txt", "two");
  show("file", mj_addFileVFS(&vfs, nullptr, "One.txt"));
  show("other case", mj_addFileVFS(&vfs, "none", "one.txt"));
  show("other case", mj_addFileVFS(&vfs, nullptr, "ONE.TXT"));
  show("buffer", mj_addBufferVFS(&vfs, "d/Mod.xml", "mod", 3));
  show("buffer", mj_addBufferVFS(&vfs, "x/../d/Mod.xml", "mod", 3));
  show("buffer", mj_addBufferVFS(&vfs, "d\\Mod.xml", "mod", 3));
  show("buffer", mj_addBufferVFS(&vfs, "d/mod.xml", "small", 5));
  show("empty", mj_addBufferVFS(&vfs, "empty", "", 0));
  show("buffer of file", mj_addBufferVFS(&vfs, "one.txt", "x", 1));
  tryOpen("a", "b\\One.txt", &vfs);
  tryOpen("/q", "ONE.TXT", &vfs);
  tryOpen("", "one.txt", &vfs);
  tryOpen(nullptr, "one.txt", &vfs);
  tryOpen("d", "Mod.xml", &vfs);
  tryOpen("d", "mod.xml", &vfs);
  tryOpen("d/mod.xml", "deeper/file", &vfs);
  tryOpen("", "d/./e/../mod.xml", &vfs);
  tryOpen("", "two.txt", &vfs);
  tryOpen("", "empty", &vfs);
  tryOpen("", "none", &vfs);
  tryOpen("dir", "none", nullptr);
  show("delete", mj_deleteFileVFS(&vfs, "other/mod.xml"));
  show("delete", mj_deleteFileVFS(&vfs, "other/ONE.txt"));
  show("delete", mj_deleteFileVFS(&vfs, "d\\mod.xml"));
  show("delete", mj_deleteFileVFS(&vfs, nullptr));
  mj_deleteVFS(&vfs);
}

static void mounting() {
  title("mounts");
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mjpResourceProvider outer = makeProvider("outer"), inner = makeProvider("inner");
  inner.mount = +[](mjResource* r) {
    r->data = &content;
    return std::printf("  inner mount %s\n", r->name);
  };
  content = {{"/a/b/c/d/x", "dx"}, {"/a/b/c/x", "cx"}, {"/a/b/x", "bx"}, {"/a/b", "b"}};
  show("null", mj_mountVFS(&vfs, nullptr, &outer));
  show("null", mj_mountVFS(&vfs, "/a", nullptr));
  show("outer", mj_mountVFS(&vfs, "/a/b", &outer));
  show("inner", mj_mountVFS(&vfs, "/a/b/c/d", &inner));
  show("twice", mj_mountVFS(&vfs, "/a/b/c/d", &outer));
  const char* const all[] = {"/a/b/c/d/x", "/a/b/c/x", "/a/b/x", "/a/b", "/a/bb/x", "/a/b/none"};
  for (const char* name : all) tryOpen("", name, &vfs);
  show("below", mj_addBufferVFS(&vfs, "/a/b/c/x", "buffer", 6));
  tryOpen("", "/a/b/c/x", &vfs);
  tryOpen("/a/b", "c/x", &vfs);
  show("unmount", mj_unmountVFS(&vfs, "/a/b/c/d"));
  tryOpen("", "/a/b/c/d/x", &vfs);
  show("unmount", mj_unmountVFS(&vfs, "/a/b/c/d"));
  show("trailing", mj_mountVFS(&vfs, "/tr/", &outer));
  tryOpen("", "/tr/x", &vfs);
  mj_deleteVFS(&vfs);
  mj_defaultVFS(&vfs);
  show("outer", mj_mountVFS(&vfs, "/a/b", &outer));
  mju_openResource("", "/a/b/x", &vfs, nullptr, 0);
  mj_deleteVFS(&vfs);
}

// A mount is found under the last part of a name; deleting a file by its name takes a mount away, unmounting only what is
// mounted under exactly that path.
static void lastParts() {
  title("last parts");
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mjpResourceProvider provider = makeProvider("last");
  content = {{"d/One.xml", "one"}, {"/e/one.xml", "other"}, {"one.xml", "plain"}};
  show("mount", mj_mountVFS(&vfs, "/abs/One.xml", &provider));
  tryOpen("d", "One.xml", &vfs);
  tryOpen("/e", "one.xml", &vfs);
  tryOpen("", "one.xml", &vfs);
  tryOpen("", "two.xml", &vfs);
  show("unmount", mj_unmountVFS(&vfs, "One.xml"));
  show("unmount", mj_unmountVFS(&vfs, "/abs/one.xml"));
  show("delete", mj_deleteFileVFS(&vfs, "One.xml"));
  show("delete", mj_deleteFileVFS(&vfs, "/abs/x/../One.xml"));
  show("delete", mj_deleteFileVFS(&vfs, "/abs/One.xml"));
  show("mount", mj_mountVFS(&vfs, "one.xml", &provider));
  show("delete", mj_deleteFileVFS(&vfs, "else/ONE.xml"));
  show("buffer", mj_addBufferVFS(&vfs, "a.xml", "text", 4));
  show("unmount", mj_unmountVFS(&vfs, "A.xml"));
  show("unmount", mj_unmountVFS(&vfs, "b/a.xml"));
  show("unmount", mj_unmountVFS(&vfs, "./a.xml"));
  tryOpen("", "a.xml", &vfs);
  mj_deleteVFS(&vfs);
}

static void stamps() {
  title("time stamps");
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "a", "hello", 5);
  mj_addBufferVFS(&vfs, "b", "hello", 5);
  mj_addBufferVFS(&vfs, "c", "other", 5);
  mj_addBufferVFS(&vfs, "e", "", 0);
  put("disk.txt", "disk");
  mjResource *a = mju_openResource("", "a", &vfs, nullptr, 0),
             *b = mju_openResource("", "b", &vfs, nullptr, 0);
  mjResource *c = mju_openResource("", "c", &vfs, nullptr, 0),
             *e = mju_openResource("", "e", &vfs, nullptr, 0);
  mjResource* d = mju_openResource("", "disk.txt", &vfs, nullptr, 0);
  for (mjResource* r : {a, b, c, d, e}) {
    show("itself", mju_isModifiedResource(r, r->timestamp));
    show("AAAA", mju_isModifiedResource(r, "AAAA"));
    show("nothing", mju_isModifiedResource(r, ""));
    show("length", std::strlen(r->timestamp));
    show("zeros", mju_isModifiedResource(r, "AAAAAAAAAAA="));
    show("ones", mju_isModifiedResource(r, "//////////8="));
    show("far future", mju_isModifiedResource(r, "AAAAAAAAAH8="));
  }
  show("same", mju_isModifiedResource(a, b->timestamp));
  show("differs", mju_isModifiedResource(a, c->timestamp));
  for (mjResource* r : {a, b, c, d, e}) mju_closeResource(r);
  mj_deleteVFS(&vfs);
}

static void registered() {
  title("registered");
  mjpResourceProvider provider = makeProvider("corn");
  show("count", mjp_registerResourceProvider(&provider) == mjp_resourceProviderCount());
  show("again", mjp_registerResourceProvider(&provider) == mjp_resourceProviderCount());
  content = {{"corn:f.txt", "f"}, {"corn:dir/sub/f.txt", "sub"}, {"corn:/f.txt", "rooted"}};
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  tryOpen("", "corn:f.txt", &vfs);
  tryOpen("", "corn:dir/sub/f.txt", &vfs);
  tryOpen("corn:", "f.txt", &vfs);
  tryOpen("", "CORN:f.txt", &vfs);
  tryOpen("folder", "corn:f.txt", &vfs);
  tryOpen("", "corn:none.txt", &vfs);
  mj_deleteVFS(&vfs);
  tryOpen("", "corn:f.txt", nullptr);
  tryOpen("", "corn:none.txt", nullptr);
}

static void loadFrom(const char* name, const mjVFS* vfs = nullptr) {
  char error[600] = "";
  Model m(mj_loadXML(name, vfs, error, sizeof(error)));
  std::string text = m ? "" : error;
  for (size_t at; (at = text.find('\n')) != std::string::npos;) text.replace(at, 1, "~");
  std::printf("%s: %s", name, text.c_str());
  if (m) std::printf("nbody %d ngeom %d nmesh %d", (int)m->nbody, (int)m->ngeom, (int)m->nmesh);
  std::printf("\n");
}

static const char kMesh[] =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

static std::string include(const std::string& file, const std::string& more = "") {
  return "<mujoco><include file='" + file + "'/>" + more + "</mujoco>";
}
static std::string body(const std::string& name, const std::string& more = "") {
  return "<mujoco><worldbody><body name='" + name + "'/></worldbody>" + more + "</mujoco>";
}

static void fromProvider() {
  title("models from a provider");
  speak = false;
  mjpResourceProvider provider = makeProvider("prov");
  mjp_registerResourceProvider(&provider);
  const std::string geom = "<worldbody><geom type='mesh' mesh='m'/></worldbody>";
  content = {{"prov:main.xml", include("as/a.xml")},
             {"prov:/as/a.xml", body("a", "<include file='more/b.xml'/>")},
             {"prov:/as/more/b.xml", body("b")}};
  loadFrom("prov:main.xml");
  content = {
      {"prov:main.xml", include("s/a.xml")},
      {"prov:/s/a.xml",
       "<mujoco><compiler meshdir='md'/><asset><mesh file='m.obj'/></asset>" + geom + "</mujoco>"},
      {"prov:/s/m.obj", kMesh}};
  loadFrom("prov:main.xml");
  content.erase("prov:/s/m.obj");
  content["prov:/md/m.obj"] = kMesh;
  loadFrom("prov:main.xml");
  content.erase("prov:/md/m.obj");
  content["prov:/s/md/m.obj"] = kMesh;
  loadFrom("prov:main.xml");
  content = {{"prov:main.xml",
              "<mujoco><compiler meshdir='prov:/md'/><asset><mesh file='m.obj'/></asset>" + geom +
                  "</mujoco>"},
             {"prov:/md/m.obj", kMesh}};
  loadFrom("prov:main.xml");
  content = {
      {"prov:d/main.xml", "<mujoco><asset><mesh file='m.obj'/></asset>" + geom + "</mujoco>"},
      {"prov:d/m.obj", kMesh}};
  loadFrom("prov:d/main.xml");
  content = {{"prov:main.xml", include("a.xml")}};
  loadFrom("prov:main.xml");
  content["prov:/a.xml"] = "";
  loadFrom("prov:main.xml");
  content["prov:/a.xml"] = "<mujoco/>";
  loadFrom("prov:main.xml");
  content["prov:/a.xml"] = include("a.xml");
  loadFrom("prov:main.xml");
  content["prov:main.xml"] = include("a.xml", "<include file='a.xml'/>");
  content["prov:/a.xml"] = body("a");
  loadFrom("prov:main.xml");
  content["prov:main.xml"] = "<mujoco><include file='a.xml'><a/></include></mujoco>";
  loadFrom("prov:main.xml");
  content["prov:main.xml"] = "<mujoco><include/></mujoco>";
  loadFrom("prov:main.xml");
}

static void fromMemory() {
  title("models from memory");
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  auto add = [&](const char* name, const std::string& text) {
    mj_addBufferVFS(&vfs, name, text.data(), static_cast<int>(text.size()));
  };
  add("a.xml", include("s/a.xml"));
  add("s/a.xml", include("s/t/a.xml", "<worldbody><body name='one'/></worldbody>"));
  add("s/t/a.xml", body("two"));
  loadFrom("a.xml", &vfs);
  mj_deleteVFS(&vfs);
  mj_defaultVFS(&vfs);
  add("main.xml", include("q/a.xml"));
  loadFrom("main.xml", &vfs);
  add("q/a.xml", "<mujoco><worldbody>\n\n<geom size='-1'/></worldbody></mujoco>");
  loadFrom("main.xml", &vfs);
  mj_deleteFileVFS(&vfs, "q/a.xml");
  add("q/a.xml", "<mujoco><worldbody>\n\n<geom foo='-1'/></worldbody></mujoco>");
  loadFrom("main.xml", &vfs);
  mj_deleteVFS(&vfs);
}

static void contentTypes() {
  title("content types");
  const char* const all[] = {
      "<hfield name='h' size='1 1 1 1' file='no.png' content_type='image/gif'/>",
      "<hfield name='h' size='1 1 1 1' file='no.png' content_type='IMAGE/PNG'/>",
      "<hfield name='h' size='1 1 1 1' file='no.png' content_type='gif'/>",
      "<hfield name='h' size='1 1 1 1' file='no.jpg'/>",
      "<hfield name='h' size='1 1 1 1' file='no.obj'/>",
      "<hfield name='h' size='1 1 1 1' file='no.obj' content_type='image/png;a=b'/>",
      "<texture name='h' type='2d' file='no.png' content_type='image/gif'/>",
      "<texture name='h' type='2d' file='no.png' content_type='image/vnd.mujoco.texture'/>",
      "<texture name='h' type='2d' file='no.jpg'/>",
      "<texture name='h' type='2d' file='no.stl'/>",
      "<mesh name='h' file='no.stl' content_type='image/gif'/>",
      "<mesh name='h' file='no.gif'/>",
  };
  for (const char* text : all) {
    Model m = load((std::string("<mujoco><asset>") + text + "</asset></mujoco>").c_str());
    show("compiles", m != nullptr);
  }
}

static void decoders() {
  title("decoders");
  char error[300] = "";
  auto parseIt = [&](const char* file, const char* type) {
    error[0] = 0;
    Spec spec(mj_parse(file, type, nullptr, error, sizeof(error)));
    std::printf("%s %s: %s '%s'\n", file, type, spec ? mjs_getString(spec->modelname) : "-", error);
  };
  parseIt("k9.foo", "");
  parseIt("none.xml", "");
  parseIt("none.foo", "text/xml");
  mjpDecoder decoder;
  mjp_defaultDecoder(&decoder);
  mjp_registerDecoder(&decoder);
  decoder.can_decode = +[](const mjResource* r) {
    std::printf("  asked %s provider %d\n", r->name, r->provider != nullptr);
    return std::strstr(r->name, "not") ? 0 : 1;
  };
  decoder.decode = +[](mjResource* r, const mjVFS*) {
    mjSpec* spec = mj_makeSpec();
    mjs_setString(spec->modelname, r->name);
    mjs_setName(mjs_addBody(mjs_findBody(spec, "world"), nullptr)->element, "made");
    return spec;
  };
  mjp_registerDecoder(&decoder);
  decoder.content_type = "model/foo";
  decoder.extension = ".foo|.bar";
  mjp_registerDecoder(&decoder);
  mjp_registerDecoder(&decoder);
  parseIt("k9.foo", "");
  parseIt("k9.BAR", "");
  parseIt("k9.baz", "");
  parseIt("k9.baz", "model/FOO");
  parseIt("not.foo", "");
  parseIt("not.foo", "model/foo");
  Model m = load(
      "<mujoco><asset><model name='k' file='k9.foo'/></asset><worldbody><attach model='k' "
      "body='made' prefix='p'/></worldbody></mujoco>");
  show("attached", m && mj_name2id(m.get(), mjOBJ_BODY, "pmade") > 0);
  load("<mujoco><asset><model name='k' file='k9.baz'/></asset></mujoco>");
  m = load(
      "<mujoco><asset><model name='k' file='k9.baz' content_type='model/foo'/></asset></mujoco>");
  show("by type", m != nullptr);
}

int main() {
  catchMessages();
  names();
  mounting();
  lastParts();
  stamps();
  registered();
  fromProvider();
  fromMemory();
  contentTypes();
  decoders();
}
