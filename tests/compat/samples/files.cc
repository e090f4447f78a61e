// Virtual files: a model, an included file and a mesh, all from memory; what the errors say.
#include <mujoco/mujoco.h>

#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

static void add(mjVFS* vfs, const char* name, const std::string& text) {
  std::printf("add %s: %d\n", name,
              mj_addBufferVFS(vfs, name, text.data(), static_cast<int>(text.size())));
}

int main() {
  auto vfs = std::make_unique<mjVFS>();
  mj_defaultVFS(vfs.get());
  add(vfs.get(), "tetra.obj",
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  add(vfs.get(), "assets.xml",
      "<mujoco><asset><mesh name='tetra' file='tetra.obj' scale='.2 .2 .2'/></asset></mujoco>");
  add(vfs.get(), "main.xml",
      "<mujoco><include file='assets.xml'/><worldbody><body><freejoint/>"
      "<geom type='mesh' mesh='tetra'/></body></worldbody></mujoco>");
  add(vfs.get(), "main.xml", "again");
  char error[1024] = "";
  mjModel* m = mj_loadXML("main.xml", vfs.get(), error, sizeof(error));
  std::printf("%d %s\n", m != nullptr, error);
  std::printf("vertices %d mass %.6f\n", (int)m->nmeshvert, m->body_mass[1]);
  mj_deleteModel(m);
  std::printf("delete %d %d\n", mj_deleteFileVFS(vfs.get(), "tetra.obj"),
              mj_deleteFileVFS(vfs.get(), "tetra.obj"));
  m = mj_loadXML("main.xml", vfs.get(), error, sizeof(error));
  std::printf("%d %d\n", m != nullptr, std::strstr(error, "tetra.obj") != nullptr);
  mj_deleteVFS(vfs.get());
  m = mj_loadXML("main.xml", nullptr, error, 30);
  std::printf("%d %d\n", m != nullptr, (int)(std::strlen(error) < 30));
  mjSpec* spec = mj_parseXMLString("<mujoco><worldbody><geom foo='1'/></worldbody></mujoco>",
                                   nullptr, error, sizeof(error));
  std::printf("%d %d\n", spec != nullptr,
              std::strstr(error, "unrecognized attribute: 'foo'") != nullptr);
  spec = mj_parseXMLString("<mujoco><worldbody><geom type='box'/></worldbody></mujoco>", nullptr,
                           error, sizeof(error));
  m = mj_compile(spec, nullptr);
  std::printf("%d %d %d\n", m != nullptr, std::strstr(mjs_getError(spec), "size") != nullptr,
              mjs_isWarning(spec));
  mj_deleteSpec(spec);
  return 0;
}
