// Files in memory and on disk are resources with providers, too; providers that lack callbacks or leave their data.
#include "sample.h"

static void put(const char* name, const char* text) {
  std::FILE* file = std::fopen(name, "w");
  std::fputs(text, file);
  std::fclose(file);
}

static void describe(const char* what, mjResource* r) {
  std::printf("%s: name %s provider %d vfs %d data %d stamp %d\n", what, r->name,
              r->provider != nullptr, r->vfs != nullptr, r->data != nullptr,
              (int)std::strlen(r->timestamp));
  const mjpResourceProvider* p = r->provider;
  std::printf("  prefix %d mount %d unmount %d open %d read %d close %d modified %d\n",
              p->prefix != nullptr, p->mount != nullptr, p->unmount != nullptr, p->open != nullptr,
              p->read != nullptr, p->close != nullptr, p->modified != nullptr);
  for (int i = 0; i < 2; i++) {
    const void* bytes = nullptr;
    int n = mju_readResource(r, &bytes);
    std::printf("  read %d '%.*s'\n", n, n, static_cast<const char*>(bytes));
  }
  show("  modified", mju_isModifiedResource(r, r->timestamp));
  mju_closeResource(r);
}

static void plain() {
  title("plain");
  put("f.txt", "file");
  put("e.txt", "");
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "b.txt", "buffer", 6);
  mj_addBufferVFS(&vfs, "z.txt", "", 0);
  mj_addFileVFS(&vfs, "", "f.txt");
  describe("disk", mju_openResource("", "f.txt", nullptr, nullptr, 0));
  describe("empty", mju_openResource("", "e.txt", nullptr, nullptr, 0));
  describe("beside", mju_openResource("", "e.txt", &vfs, nullptr, 0));
  describe("file", mju_openResource("", "f.txt", &vfs, nullptr, 0));
  describe("buffer", mju_openResource("", "b.txt", &vfs, nullptr, 0));
  describe("empty", mju_openResource("", "z.txt", &vfs, nullptr, 0));
  describe("elsewhere", mju_openResource("q", "B.txt", &vfs, nullptr, 0));
  show("nothing", mju_isModifiedResource(nullptr, "x"));
  mj_deleteVFS(&vfs);
}

static int tag, other;

static void partial() {
  title("partial providers");
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mjpResourceProvider p;
  mjp_defaultResourceProvider(&p);
  p.mount = +[](mjResource* r) {
    r->data = &tag;
    return 1;
  };
  p.open = +[](mjResource* r) {
    show("  data of the mount", r->data == &tag);
    return 1;
  };
  p.close = +[](mjResource*) {};
  show("mount", mj_mountVFS(&vfs, "/m", &p));
  mjResource* r = mju_openResource("", "/m/x", &vfs, nullptr, 0);
  const void* bytes = nullptr;
  show("data", r->data != nullptr);
  show("read", mju_readResource(r, &bytes));
  show("modified", mju_isModifiedResource(r, "x"));
  mju_closeResource(r);
  p.open = +[](mjResource* resource) {
    resource->data = &other;
    std::strcpy(resource->timestamp, "stamp");
    return 1;
  };
  p.modified = +[](const mjResource* resource, const char* stamp) {
    return std::strcmp(resource->timestamp, stamp) ? 7 : 0;
  };
  show("mount", mj_mountVFS(&vfs, "/k", &p));
  r = mju_openResource("", "/k/x", &vfs, nullptr, 0);
  show("own data", r->data == &other);
  show("modified", mju_isModifiedResource(r, "x"));
  show("modified", mju_isModifiedResource(r, "stamp"));
  mju_closeResource(r);
  p.mount = +[](mjResource*) { return 0; };
  show("mount that fails", mj_mountVFS(&vfs, "/f", &p));
  show("unmount", mj_unmountVFS(&vfs, "/f"));
  show("unmount nothing", mj_unmountVFS(&vfs, nullptr));
  show("unmount", mj_unmountVFS(&vfs, "/none"));
  show("buffer", mj_addBufferVFS(&vfs, "b.txt", "x", 1));
  show("mount at a buffer", mj_mountVFS(&vfs, "b.txt", &p));
  show("unmount a buffer", mj_unmountVFS(&vfs, "b.txt"));
  show("buffer at a mount", mj_addBufferVFS(&vfs, "/k", "x", 1));
  mj_deleteVFS(&vfs);
  mj_deleteVFS(&vfs);
}

static void cache() {
  title("cache");
  put("q.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  put("q.xml", "<mujoco><asset><mesh name='q' file='q.obj'/></asset></mujoco>");
  mjCache* assets = mj_getCache();
  mj_clearCache(assets);
  show("empty", mj_getCacheSize(assets));
  Model m(mj_loadXML("q.xml", nullptr, nullptr, 0));
  size_t size = mj_getCacheSize(assets);
  show("filled", size > 0);
  m.reset(mj_loadXML("q.xml", nullptr, nullptr, 0));
  show("once", mj_getCacheSize(assets) == size);
  show("none", mj_setCacheCapacity(assets, 0));
  show("size", mj_getCacheSize(assets));
  m.reset(mj_loadXML("q.xml", nullptr, nullptr, 0));
  show("size", mj_getCacheSize(assets));
  show("again", mj_setCacheCapacity(assets, 1000000));
  m.reset(mj_loadXML("q.xml", nullptr, nullptr, 0));
  show("filled", mj_getCacheSize(assets) > 0);
  mj_clearCache(assets);
  mj_clearCache(nullptr);
  show("size", mj_getCacheSize(assets));
  show("no cache", mj_setCacheCapacity(nullptr, 5));
}

int main() {
  catchMessages();
  plain();
  partial();
  cache();
}
