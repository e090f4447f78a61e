// Writing models: copy back, frames, classes, statistics, height fields, textures, and when it fails.
#include "sample.h"

static void save(const mjSpec* spec) {
  std::vector<char> text(50000);
  char error[300] = "";
  int code =
      mj_saveXMLString(spec, text.data(), static_cast<int>(text.size()), error, sizeof(error));
  if (code) {
    std::printf("code %d %s\n", code, error);
  } else {
    std::printf("%s", text.data());
  }
}

static void copyBack() {
  title("copy back");
  Spec spec = parse(
      "<mujoco model='m'><compiler angle='degree'/><asset><material name='mat'/><hfield name='h' "
      "nrow='2' ncol='2' "
      "size='1 1 1 1' elevation='0 1 2 3'/></asset><worldbody><frame name='f' pos='1 0 0' euler='0 "
      "0 90'><geom "
      "name='g' size='1'/><body name='b'><joint name='j' range='-10 20'/><geom size='1' "
      "material='mat'/><site "
      "name='s'/><camera name='c'/><light name='l'/></body></frame></worldbody><actuator><motor "
      "joint='j'/>"
      "</actuator><equality><joint joint1='j'/></equality></mujoco>");
  show("before", mj_copyBack(spec.get(), nullptr));
  show("error", mjs_getError(spec.get()));
  Model m = compile(spec.get()), other = load("<mujoco/>");
  show("null", mj_copyBack(spec.get(), nullptr));
  show("error", mjs_getError(spec.get()));
  show("other", mj_copyBack(spec.get(), other.get()));
  show("error", mjs_getError(spec.get()));
  m->geom_size[0] = 5;
  m->opt.timestep = 0.25;
  m->stat.extent = 17;
  m->stat.center[1] = 3;
  m->jnt_range[0] = -1;
  m->site_size[0] = 0.5;
  m->cam_fovy[0] = 30;
  m->light_diffuse[0] = 0.125;
  m->mat_rgba[0] = 0.5;
  m->actuator_gear[0] = 9;
  m->eq_data[0] = 0.75;
  m->hfield_data[0] = 0.25;
  m->hfield_data[1] = 0.75;
  m->hfield_data[2] = 0;
  m->hfield_data[3] = 1;
  show("code", mj_copyBack(spec.get(), m.get()));
  save(spec.get());
  mjsGeom* geom = mjs_asGeom(mjs_findElement(spec.get(), mjOBJ_GEOM, "g"));
  show("size", geom->size, 1);
  show("pos", geom->pos, 3);
  show("timestep", spec->option.timestep);
  m = compile(spec.get());
  show("size", m->geom_size, 1);
  show("timestep", m->opt.timestep);
  geom->size[0] = 7;
  spec->stat.extent = 3;
  save(spec.get());
  mjs_addGeom(mjs_findBody(spec.get(), "b"), nullptr)->size[0] = 1;
  show("edited", mj_copyBack(spec.get(), m.get()));
  show("error", mjs_getError(spec.get()));
}

static void frames() {
  title("frames");
  Spec spec = parse(
      "<mujoco model='m'><default><default class='c'><geom rgba='1 0 0 "
      "1'/></default></default><worldbody>"
      "<geom name='w0' size='1'/><frame name='A' pos='1 0 0' euler='0 0 90'><geom name='w1' "
      "size='1' pos='0 1 0'/>"
      "<body name='b1'><geom size='1'/></body></frame><frame pos='0 0 1'><geom name='w2' "
      "size='1'/><body name='b2'/>"
      "</frame><frame name='empty'/><frame childclass='c'><geom name='w3' size='1'/><frame "
      "name='in'><geom name='w4' "
      "size='1'/></frame></frame><body name='b3' childclass='c'><frame childclass='c'><geom "
      "name='w5' size='1'/></frame>"
      "<frame><site name='s'/></frame></body></worldbody></mujoco>");
  compile(spec.get());
  save(spec.get());
}

static void failures() {
  title("failures");
  save(nullptr);
  Spec spec = parse("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>");
  save(spec.get());
  compile(spec.get());
  char text[10], error[300] = "";
  show("short", mj_saveXMLString(spec.get(), text, sizeof(text), error, sizeof(error)));
  show("error", error);
  mjsGeom* geom = mjs_asGeom(mjs_firstElement(spec.get(), mjOBJ_GEOM));
  geom->size[0] = -1;
  compile(spec.get());
  save(spec.get());
  Spec buffer = parse("<mujoco/>");
  mjsTexture* texture = mjs_addTexture(buffer.get());
  mjs_setName(texture->element, "t");
  texture->type = mjTEXTURE_2D;
  texture->width = texture->height = 2;
  texture->nchannel = 3;
  unsigned char pixels[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  mjs_setBuffer(texture->data, pixels, sizeof(pixels));
  Model m = compile(buffer.get());
  if (m) show("pixels", m->tex_data, 12);
  save(buffer.get());
}

static void last() {
  title("last");
  char error[300] = "";
  show("nothing", mj_saveLastXML("a.xml", nullptr, error, sizeof(error)));
  show("error", error);
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  const char xml[] = "<mujoco model='last'><worldbody><geom size='1'/></worldbody></mujoco>";
  mj_addBufferVFS(&vfs, "a.xml", xml, sizeof(xml) - 1);
  Model m(mj_loadXML("a.xml", &vfs, error, sizeof(error)));
  show("output", mj_saveLastXML(nullptr, m.get(), error, sizeof(error)));
  m->geom_size[0] = 3;
  show("output", mj_saveLastXML("", m.get(), error, sizeof(error)));
  show("folder", mj_saveLastXML("none/such/a.xml", m.get(), error, sizeof(error)));
  show("error", error);
  mj_deleteVFS(&vfs);
  mj_freeLastXML();
}

int main() {
  catchMessages();
  copyBack();
  frames();
  failures();
  last();
}
