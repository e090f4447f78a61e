// libFuzzer target: files of every asset format. The first byte chooses the format, the rest is the file.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/sinew.h"

typedef struct Format_ {
  const char* file;
  const char* model;  // that loads the file
} Format;

#define WORLD(asset, world) \
  "<mujoco><asset>" asset "</asset><worldbody>" world "</worldbody></mujoco>"
#define MESH(file, more)                             \
  WORLD("<mesh name='m' file='" file "' " more "/>", \
        "<body><freejoint/><geom type='mesh' mesh='m'/></body>")
#define FLEX(file, dim)                                                         \
  "<mujoco><worldbody><flexcomp name='f' type='gmsh' file='" file "' dim='" dim \
  "'/>"                                                                         \
  "</worldbody></mujoco>"

static const Format kFormats[] = {
    {"a.obj", MESH("a.obj", "")},
    {"a.obj", MESH("a.obj", "inertia='exact' maxhullvert='8'")},
    {"a.stl", MESH("a.stl", "")},
    {"a.stl", MESH("a.stl", "inertia='shell'")},
    {"a.msh", MESH("a.msh", "")},
    {"a.msh", FLEX("a.msh", "2")},
    {"a.msh", FLEX("a.msh", "3")},
    {"a.png", WORLD("<texture name='t' type='2d' file='a.png'/>", "")},
    {"a.png", WORLD("<texture name='t' type='cube' file='a.png' gridsize='3 4' "
                    "gridlayout='.U..LFRB.D..'/>",
                    "")},
    {"a.png",
     WORLD("<hfield name='h' file='a.png' size='1 1 1 1'/>", "<geom type='hfield' hfield='h'/>")},
    {"a.bin",
     WORLD("<hfield name='h' file='a.bin' size='1 1 1 1'/>", "<geom type='hfield' hfield='h'/>")},
    {"a.skn",
     "<mujoco><asset><skin name='s' file='a.skn'/></asset><worldbody><body name='a'/>"
     "<body name='b'/></worldbody></mujoco>"},
    {"a.obj",
     "<mujoco><worldbody><flexcomp name='f' type='mesh' file='a.obj' dim='2'/>"
     "</worldbody></mujoco>"},
};

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  if (size < 1) return 0;
  const Format* format = kFormats + bytes[0] % (sizeof(kFormats) / sizeof(kFormats[0]));
  snVFS vfs;
  char error[500] = "";
  sn_defaultVFS(&vfs);
  if (!sn_addBufferVFS(&vfs, format->file, bytes + 1, (int)(size - 1))) {
    snSpec* spec = sn_parseXMLString(format->model, &vfs, error, sizeof(error));
    snModel* m = spec ? sn_compile(spec, &vfs) : NULL;
    if (!spec && !error[0]) abort();  // refused without a message
    if (spec && !m && !sns_getError(spec)[0]) abort();
    snData* d = m ? sn_makeData(m) : NULL;
    if (d) sn_step(m, d);
    sn_deleteData(d);
    sn_deleteModel(m);
    sn_deleteSpec(spec);
  }
  sn_deleteVFS(&vfs);
  sn_clearCache(sn_getCache());  // every input has the same file names
  return 0;
}
