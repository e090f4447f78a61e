// Attaching what is there already: XML moves a body of the same name into the frame, programs find the repeated name
// when they compile.
#include "sample.h"

static std::string line(std::string text) {
  for (char& c : text) c = c == '\n' ? '~' : c;
  return text;
}

static void dump(mjSpec* spec, const mjVFS* vfs) {
  Model m(mj_compile(spec, vfs));
  if (!m) {
    std::printf("compile: %s\n", line(mjs_getError(spec)).c_str());
    return;
  }
  for (int i = 0; i < m->nbody; i++) {
    std::printf(" %s(%d; %g)", m->names + m->name_bodyadr[i], m->body_parentid[i],
                m->body_pos[3 * i]);
  }
  for (int i = 0; i < m->ngeom; i++) std::printf(" %s", m->names + m->name_geomadr[i]);
  std::printf("\n");
}

static const char kChild[] =
    "<mujoco model='k'><default><default class='d'><geom size='.3'/></default></default><asset>"
    "<material name='mat'/></asset><worldbody><site name='ws'/><body name='v' pos='1 0 0'><geom "
    "name='g' class='d' material='mat'/><body name='w'><geom name='gw' size='1'/></body></body>"
    "</worldbody></mujoco>";

static const char* const kXml[] = {
    "<body name='pv' pos='7 0 0'/><attach model='k' body='v' prefix='p'/>",
    "<body name='pv'><geom name='own' size='1'/></body><frame pos='3 0 0'><attach model='k' "
    "body='v' prefix='p'/></frame>",
    "<body name='o'><body name='pv'/></body><attach model='k' body='v' prefix='p'/>",
    "<body name='pw'/><attach model='k' body='v' prefix='p'/>",
    "<body name='pv'/><body name='o'><attach model='k' body='v' prefix='p'/></body>",
    "<geom name='pg' size='1'/><attach model='k' body='v' prefix='p'/>",
    "<geom name='pgw' size='1'/><attach model='k' prefix='p'/>",
    "<body name='pv'/><attach model='k' prefix='p'/>",
    "<site name='pws'/><attach model='k' prefix='p'/>",
    "<attach model='k' body='v' prefix='p'/><attach model='k' body='w' prefix='p'/>",
    "<attach model='k' body='w' prefix='p'/><attach model='k' body='v' prefix='p'/>",
    "<attach model='k' body='v' prefix='p'/><attach model='k' prefix='p'/>",
    "<attach model='k' prefix='p'/><attach model='k' prefix='p'/>",
    "<attach model='k' prefix='p'/><attach model='k' prefix='q'/>",
    "<attach model='k' prefix='p'/><attach model='k' body='v' prefix='p'/>",
    "<attach model='k' prefix='p'/><attach model='k' body='v' prefix='q'/>",
    "<attach model='k' body='v' prefix='p'/><frame pos='5 0 0'><attach model='k' body='v' "
    "prefix='p'/></frame><frame pos='6 0 0'><frame pos='1 0 0'><attach model='k' body='v' "
    "prefix='p'/></frame></frame>"};

static void inXml() {
  title("XML");
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "k.xml", kChild, sizeof(kChild) - 1);
  for (const char* content : kXml) {
    for (const char* asset : {"", "<material name='pmat'/>"}) {
      std::string xml = std::string("<mujoco><asset><model name='k' file='k.xml'/>") + asset +
                        "</asset><worldbody>" + content + "</worldbody></mujoco>";
      char error[1000] = "";
      Spec spec(mj_parseXMLString(xml.c_str(), &vfs, error, sizeof(error)));
      if (spec) {
        dump(spec.get(), &vfs);
      } else {
        std::printf("%s\n", line(error).c_str());
      }
    }
  }
  mj_deleteVFS(&vfs);
}

static void inProgram(int deep, const char* there, int how) {
  Spec spec = parse((std::string("<mujoco><worldbody>") + there + "</worldbody></mujoco>").c_str());
  Spec child = parse(kChild);
  mjs_setDeepCopy(spec.get(), deep);
  mjsBody *world = mjs_findBody(spec.get(), "world"), *v = mjs_findBody(child.get(), "v");
  mjsElement* place =
      how == 2 ? mjs_addSite(world, nullptr)->element : mjs_addFrame(world, nullptr)->element;
  if (how == 2) mjs_setName(place, "place");
  mjsElement* what = how == 1 ? child->element : v->element;
  show("attached", mjs_attach(place, what, "p", "") != nullptr);
  show("error", mjs_getError(spec.get()));
  dump(spec.get(), nullptr);
}

int main() {
  catchMessages();
  inXml();
  title("programs");
  for (int deep = 0; deep < 2; deep++) {
    for (const char* there :
         {"<body name='pv' pos='7 0 0'/>", "<body name='o'><body name='pv'/></body>",
          "<geom name='pg' size='1'/>", "<body name='pw'/>", "<site name='pws'/>"}) {
      for (int how = 0; how < 3; how++) inProgram(deep, there, how);
    }
  }
}
