// Virtual files, resources, providers, decoders, the asset cache, parsing and saving.
#include "sample.h"

static const char kXml[] =
    "<mujoco model='m'><worldbody><body name='b'><freejoint/><geom name='g' "
    "size='.1'/></body></worldbody></mujoco>";

static void virtualFiles() {
  title("virtual files");
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  show("add", mj_addBufferVFS(&vfs, "model.xml", kXml, sizeof(kXml) - 1));
  show("twice", mj_addBufferVFS(&vfs, "model.xml", kXml, sizeof(kXml) - 1));
  show("in a folder", mj_addBufferVFS(&vfs, "folder/other.xml", kXml, sizeof(kXml) - 1));
  show("empty", mj_addBufferVFS(&vfs, "empty.xml", "", 0));
  char error[500] = "";
  Model m(mj_loadXML("model.xml", &vfs, error, sizeof(error)));
  show("loaded", m != nullptr);
  m.reset(mj_loadXML("other.xml", &vfs, error, sizeof(error)));
  show("without folder", m != nullptr);
  m.reset(mj_loadXML("folder/other.xml", &vfs, error, sizeof(error)));
  show("with folder", m != nullptr);
  m.reset(mj_loadXML("empty.xml", &vfs, error, sizeof(error)));
  show("empty", m != nullptr);
  std::FILE* file = std::fopen("disk.xml", "w");
  std::fputs(kXml, file);
  std::fclose(file);
  show("file", mj_addFileVFS(&vfs, "", "disk.xml"));
  show("file twice", mj_addFileVFS(&vfs, "", "disk.xml"));
  show("file in a folder", mj_addFileVFS(&vfs, ".", "disk.xml"));
  std::remove("disk.xml");
  m.reset(mj_loadXML("disk.xml", &vfs, error, sizeof(error)));
  show("from memory", m != nullptr);
  show("delete", mj_deleteFileVFS(&vfs, "model.xml"));
  show("delete again", mj_deleteFileVFS(&vfs, "model.xml"));
  m.reset(mj_loadXML("model.xml", &vfs, error, sizeof(error)));
  show("gone", m == nullptr);
  mj_deleteVFS(&vfs);
  m.reset(mj_loadXML("no_such_file.xml", nullptr, error, sizeof(error)));
  show("error", error);
  m.reset(mj_loadXML("no_such_file.xml", nullptr, nullptr, 0));
  show("no buffer", m == nullptr);
  m.reset(mj_loadModel("no_such_file.mjb", nullptr));
  show("no binary", m == nullptr);
}

static int opened, closed;

static mjpResourceProvider makeProvider(const char* prefix) {
  mjpResourceProvider provider;
  mjp_defaultResourceProvider(&provider);
  provider.prefix = prefix;
  provider.open = +[](mjResource* resource) {
    opened++;
    return std::strstr(resource->name, "missing") ? 0 : 1;
  };
  provider.read = +[](mjResource*, const void** buffer) {
    *buffer = kXml;
    return static_cast<int>(sizeof(kXml) - 1);
  };
  provider.close = +[](mjResource*) { closed++; };
  return provider;
}

static void providers() {
  title("providers");
  mjpResourceProvider provider = makeProvider("mine");
  int before = mjp_resourceProviderCount();
  int slot = mjp_registerResourceProvider(&provider);
  show("slot", slot == before + 1);
  show("count", mjp_resourceProviderCount() - before);
  show("again", mjp_registerResourceProvider(&provider) == slot);
  show("found", mjp_getResourceProvider("mine:file") == mjp_getResourceProviderAtSlot(slot));
  show("upper case", mjp_getResourceProvider("MINE:file") != nullptr);
  show("no colon", mjp_getResourceProvider("mine") == nullptr);
  show("other", mjp_getResourceProvider("other:file") == nullptr);
  show("slot 0", mjp_getResourceProviderAtSlot(0) == nullptr);
  show("slot beyond", mjp_getResourceProviderAtSlot(slot + 1) == nullptr);
  show("slot below", mjp_getResourceProviderAtSlot(-1) == nullptr);
  mjpResourceProvider bad = makeProvider("1bad");
  expectError("digit first", [&] { show("code", mjp_registerResourceProvider(&bad)); });
  bad = makeProvider("b_d");
  expectError("underscore", [&] { show("code", mjp_registerResourceProvider(&bad)); });
  bad = makeProvider("");
  expectError("empty", [&] { show("code", mjp_registerResourceProvider(&bad)); });
  bad = makeProvider("nothing");
  bad.read = nullptr;
  expectError("no reader", [&] { show("code", mjp_registerResourceProvider(&bad)); });
  char error[500] = "";
  mjResource* resource = mju_openResource("", "mine:dir/file.xml", nullptr, error, sizeof(error));
  show("opened", resource != nullptr);
  const void* buffer = nullptr;
  show("size", mju_readResource(resource, &buffer));
  const char* dir = nullptr;
  int ndir = -1;
  mju_getResourceDir(resource, &dir, &ndir);
  show("dir", std::string(dir ? dir : "", ndir).c_str());
  show("name", resource->name);
  show("modified", mju_isModifiedResource(resource, ""));
  mju_closeResource(resource);
  show("calls", opened);
  show("calls", closed);
  resource = mju_openResource("", "mine:missing", nullptr, error, sizeof(error));
  show("missing", resource == nullptr);
  show("error", error);
  Model m(mj_loadXML("mine:model.xml", nullptr, error, sizeof(error)));
  show("loaded", m != nullptr);
  m.reset(mj_loadXML("mine:missing.xml", nullptr, error, sizeof(error)));
  show("missing model", m == nullptr);
  show("error", error);
  mju_closeResource(nullptr);
}

static void resources() {
  title("resources");
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "a.txt", "hello", 5);
  char error[500] = "";
  mjResource* resource = mju_openResource("", "a.txt", &vfs, error, sizeof(error));
  const void* buffer = nullptr;
  int n = mju_readResource(resource, &buffer);
  show("text", std::string(static_cast<const char*>(buffer), n).c_str());
  const char* dir = nullptr;
  int ndir = -1;
  mju_getResourceDir(resource, &dir, &ndir);
  show("dir", ndir);
  mju_closeResource(resource);
  mj_deleteVFS(&vfs);
  resource = mju_openResource("", "no/such/file", nullptr, error, sizeof(error));
  show("missing", resource == nullptr);
  show("error", error);
  std::FILE* file = std::fopen("disk.txt", "w");
  std::fputs("disk", file);
  std::fclose(file);
  resource = mju_openResource("", "disk.txt", nullptr, error, sizeof(error));
  n = mju_readResource(resource, &buffer);
  show("text", std::string(static_cast<const char*>(buffer), n).c_str());
  mju_closeResource(resource);
  mju_getResourceDir(nullptr, &dir, &ndir);
  show("dir of nothing", ndir);
}

static void mounts() {
  title("mounts");
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mjpResourceProvider provider = makeProvider("mount");
  provider.mount = +[](mjResource* resource) { return std::printf("mount %s\n", resource->name); };
  provider.unmount =
      +[](mjResource* resource) { return std::printf("unmount %s\n", resource->name); };
  show("mount", mj_mountVFS(&vfs, "place", &provider));
  show("again", mj_mountVFS(&vfs, "place", &provider));
  char error[500] = "";
  int before = opened;
  Model m(mj_loadXML("place/model.xml", &vfs, error, sizeof(error)));
  show("loaded", m != nullptr);
  show("opened", opened > before);
  m.reset(mj_loadXML("elsewhere/model.xml", &vfs, error, sizeof(error)));
  show("elsewhere", m != nullptr);
  show("unmount", mj_unmountVFS(&vfs, "place"));
  show("unmount again", mj_unmountVFS(&vfs, "place"));
  m.reset(mj_loadXML("place/model.xml", &vfs, error, sizeof(error)));
  show("gone", m == nullptr);
  mj_deleteVFS(&vfs);
}

static void decoders() {
  title("decoders");
  mjpDecoder decoder;
  mjp_defaultDecoder(&decoder);
  show("blank", decoder.decode == nullptr && decoder.can_decode == nullptr);
  decoder.content_type = "text/mine";
  decoder.extension = ".mine";
  decoder.can_decode = +[](const mjResource* resource) {
    const char* dot = std::strrchr(resource->name, '.');
    return dot && !std::strcmp(dot, ".mine") ? 1 : 0;
  };
  decoder.decode =
      +[](mjResource*, const mjVFS*) { return mj_parseXMLString(kXml, nullptr, nullptr, 0); };
  mjp_registerDecoder(&decoder);
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "model.mine", "x", 1);
  char error[500] = "";
  mjResource* resource = mju_openResource("", "model.mine", &vfs, error, sizeof(error));
  show("found", mjp_findDecoder(resource, "text/mine") != nullptr);
  show("other type", mjp_findDecoder(resource, "text/other") == nullptr);
  Spec spec(mju_decodeResource(resource, "text/mine", &vfs));
  show("decoded", spec != nullptr);
  mju_closeResource(resource);
  Spec parsed(mj_parse("model.mine", "text/mine", &vfs, error, sizeof(error)));
  show("parsed", parsed != nullptr);
  if (!parsed) show("error", error);
  mj_deleteVFS(&vfs);
}

static void cache() {
  title("cache");
  mjCache* cache = mj_getCache();
  show("there", cache != nullptr);
  show("capacity", mj_getCacheCapacity(cache));
  show("size", mj_getCacheSize(cache));
  show("set", mj_setCacheCapacity(cache, 1000));
  show("capacity", mj_getCacheCapacity(cache));
  mj_clearCache(cache);
  show("size", mj_getCacheSize(cache));
  show("none", mj_getCacheSize(nullptr));
  show("none", mj_getCacheCapacity(nullptr));
  mj_setCacheCapacity(cache, 500 * 1024 * 1024);
}

static void saving() {
  title("saving");
  Spec spec = parse(kXml);
  char text[4000], error[500] = "", tiny[10];
  show("before compile", mj_saveXMLString(spec.get(), text, sizeof(text), error, sizeof(error)));
  show("error", error);
  Model m = compile(spec.get());
  int code = mj_saveXMLString(spec.get(), text, sizeof(text), error, sizeof(error));
  show("saved", code);
  code = mj_saveXMLString(spec.get(), tiny, sizeof(tiny), error, sizeof(error));
  show("too small", code > 10);
  show("error", std::string(error, std::strcspn(error, "0123456789")).c_str());
  show("file", mj_saveXML(spec.get(), "saved.xml", error, sizeof(error)));
  Model again(mj_loadXML("saved.xml", nullptr, error, sizeof(error)));
  show("again", again->nbody);
  again->body_mass[1] = 5;
  show("last", mj_saveLastXML("last.xml", again.get(), error, sizeof(error)));
  mj_freeLastXML();
  show("no last", mj_saveLastXML("last.xml", again.get(), error, sizeof(error)));
  show("error", error);
  mjStringVec* list = mjs_addTuple(spec.get())->objname;
  mju_getXMLDependencies("saved.xml", list);
  show("schema", mj_printSchema(nullptr, text, sizeof(text), 0, 0) != 0);
}

static void binary() {
  title("binary");
  Model m = load(kXml);
  int size = (int)mj_sizeModel(m.get());
  std::vector<char> buffer(size);
  mj_saveModel(m.get(), nullptr, buffer.data(), size);
  Model back(mj_loadModelBuffer(buffer.data(), size));
  show("back", back->nbody);
  show("short", mj_loadModelBuffer(buffer.data(), 10) == nullptr);
  buffer[0] ^= 1;
  show("damaged", mj_loadModelBuffer(buffer.data(), size) == nullptr);
  mj_saveModel(m.get(), "model.mjb", nullptr, 0);
  back.reset(mj_loadModel("model.mjb", nullptr));
  show("file", back->ngeom);
  mj_saveModel(m.get(), "/no/such/folder/x.mjb", nullptr, 0);
}

int main() {
  catchMessages();
  virtualFiles();
  providers();
  resources();
  mounts();
  decoders();
  cache();
  saving();
  binary();
}
