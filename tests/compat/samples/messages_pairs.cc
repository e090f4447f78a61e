// Elements with one or two bad attributes: the exact message, and which of two errors comes first.
#include "sample.h"

// an element between what stands before and behind it, with every pair of attributes
struct Place {
  const char* kind;
  std::string before, tag, fixed, inside, behind;
};

static std::string messageOf(const std::string& xml) {
  char error[500] = "";
  Spec spec(mj_parseXMLString(xml.c_str(), nullptr, error, sizeof(error)));
  std::string text = error;
  if (spec) {
    Model m(mj_compile(spec.get(), nullptr));
    text = m ? "ok" : mjs_getError(spec.get());
  }
  for (char& c : text) c = c == '\n' ? '~' : c;
  return text;
}

static std::string attributeName(const std::string& text) { return text.substr(0, text.find('=')); }

static void pairs(const Place& place, const std::vector<std::string>& attributes) {
  for (size_t i = 0; i < attributes.size(); i++) {
    for (size_t k = i; k < attributes.size(); k++) {
      const std::string &a = attributes[i], &b = attributes[k];
      if (i != k && attributeName(a) == attributeName(b)) continue;
      std::string xml = "<mujoco>" + place.before + "<" + place.tag + " " + place.fixed + " " + a +
                        " " + (i == k ? "" : b);
      xml += place.inside.empty() ? "/>" : ">" + place.inside + "</" + place.tag + ">";
      xml += place.behind + "</mujoco>";
      std::printf("%s %s %s: %s\n", place.kind, a.c_str(), b.c_str(), messageOf(xml).c_str());
    }
  }
}

static const std::string kBody =
    "<worldbody><body name='a'><joint name='j'/><geom name='g' size='.1'/><site name='s'/><site "
    "name='t' pos='0 0 1'/>";
static const std::string kEnd = "</body></worldbody>";

static void inBodies() {
  pairs({"geom", kBody, "geom", "", "", kEnd}, {"size='-1'",
                                                "type='plane'",
                                                "type='mesh'",
                                                "type='hfield'",
                                                "type='zz'",
                                                "mass='-1'",
                                                "density='-1'",
                                                "fromto='0 0 0 0 0 1'",
                                                "fromto='0 0 0 0 0 0'",
                                                "type='capsule'",
                                                "condim='2'",
                                                "mesh='zz'",
                                                "material='zz'",
                                                "class='zz'",
                                                "friction='-1'",
                                                "xyaxes='1 0 0 1 0 0'",
                                                "zaxis='0 0 0'",
                                                "hfield='zz'",
                                                "group='9'",
                                                "fluidshape='zz'",
                                                "user='1'",
                                                "name='g'",
                                                "shellinertia='true'",
                                                "solimp='1 2 3 4 5 6'",
                                                "gap='-1'",
                                                "rgba='1'",
                                                "type='sdf'"});
  pairs({"joint", kBody, "joint", "", "", kEnd}, {"type='zz'",
                                                  "type='free'",
                                                  "type='ball'",
                                                  "axis='0 0 0'",
                                                  "range='1 0'",
                                                  "limited='true'",
                                                  "limited='zz'",
                                                  "springdamper='-1 1'",
                                                  "springdamper='1 0'",
                                                  "actuatorfrcrange='1 0'",
                                                  "actuatorfrclimited='true'",
                                                  "armature='-1'",
                                                  "damping='-1'",
                                                  "frictionloss='-1'",
                                                  "stiffness='-1'",
                                                  "margin='-1'",
                                                  "ref='x'",
                                                  "name='j'",
                                                  "class='zz'",
                                                  "group='9'",
                                                  "user='1'",
                                                  "align='zz'"});
  pairs({"camera", kBody, "camera", "", "", kEnd}, {"fovy='-1'",
                                                    "fovy='200'",
                                                    "mode='targetbody'",
                                                    "mode='zz'",
                                                    "target='zz'",
                                                    "focal='1 1'",
                                                    "focalpixel='1 1'",
                                                    "principal='1 1'",
                                                    "resolution='1 1'",
                                                    "resolution='-1 1'",
                                                    "resolution='0 0'",
                                                    "sensorsize='1 1'",
                                                    "sensorsize='-1 1'",
                                                    "sensorsize='0 0'",
                                                    "orthographic='true'",
                                                    "projection='zz'",
                                                    "xyaxes='1 0 0 1 0 0'",
                                                    "ipd='-1'",
                                                    "user='1'",
                                                    "name='s'"});
  pairs({"light", kBody, "light", "", "", kEnd},
        {"dir='0 0 0'", "mode='targetbody'", "target='zz'", "type='zz'", "texture='zz'",
         "attenuation='1'", "cutoff='-1'", "directional='true'", "type='spot'", "bulbradius='-1'",
         "range='-1'", "name='l'"});
  pairs({"site", kBody, "site", "", "", kEnd},
        {"type='zz'", "type='mesh'", "type='plane'", "type='box'", "size='-1'", "size='.1'",
         "fromto='0 0 0 0 0 1'", "fromto='0 0 0 0 0 0'", "material='zz'", "zaxis='0 0 0'",
         "group='9'", "user='1'", "name='s'", "class='zz'"});
  pairs({"body", kBody, "body", "", "<geom size='1'/>", kEnd},
        {"mocap='true'", "childclass='zz'", "zaxis='0 0 0'", "pos='x'", "user='1'", "name='a'",
         "gravcomp='x'", "sleep='zz'", "sleep='never'"});
  pairs({"inertial", kBody + "<body name='q'><joint/>", "inertial", "pos='0 0 0' mass='1'", "",
         "</body>" + kEnd},
        {"diaginertia='1 1 1'", "diaginertia='1 1 5'", "diaginertia='-1 1 1'",
         "diaginertia='0 0 0'", "fullinertia='1 1 1 0 0 0'", "fullinertia='1 1 1 5 0 0'",
         "fullinertia='1 1 9 0 0 0'", "euler='1 0 0'"});
}

static void outside() {
  pairs({"actuator", kBody + kEnd + "<actuator>", "general", "", "", "</actuator>"},
        {"joint='zz'",         "joint='j'",          "tendon='zz'",          "site='s'",
         "site='zz'",          "body='zz'",          "cranksite='s'",        "slidersite='t'",
         "ctrllimited='true'", "ctrlrange='1 0'",    "forcerange='1 0'",     "forcelimited='true'",
         "actrange='1 0'",     "actlimited='true'",  "dyntype='integrator'", "dyntype='muscle'",
         "gaintype='muscle'",  "biastype='muscle'",  "actdim='0'",           "actdim='3'",
         "group='9'",          "gear='x'",           "lengthrange='1 0'",    "delay='1'",
         "nsample='-1'",       "nsample='99999999'", "interp='zz'",          "cranklength='-1'",
         "user='1'",           "class='zz'"});
  pairs({"spatial", kBody + kEnd + "<tendon>", "spatial", "", "<site site='s'/><site site='t'/>",
         "</tendon>"},
        {"range='1 0'", "limited='true'", "actuatorfrcrange='1 0'", "actuatorfrclimited='true'",
         "material='zz'", "springlength='2 1'", "width='-1'", "group='9'", "stiffness='-1'",
         "damping='-1'", "frictionloss='-1'", "armature='-1'", "user='1'", "class='zz'",
         "margin='-1'", "solreflimit='x'"});
  pairs({"pair", kBody + kEnd + "<contact>", "pair", "", "", "</contact>"},
        {"geom1='g'", "geom1='zz'", "geom2='zz'", "geom2='g'", "condim='2'", "friction='-1'",
         "margin='-1'", "gap='-1'", "class='zz'", "name='p'"});
}

static void assets() {
  pairs({"mesh", "<asset>", "mesh", "name='m'", "", "</asset>"},
        {"vertex='0 0 0'",      "vertex='0 0 0 1 0 0 0 1 0 0 0 1'",
         "vertex='0 0'",        "face='0 1 2'",
         "face='0 1 9'",        "face='0 1'",
         "normal='1 0 0'",      "texcoord='0 0'",
         "file='none.obj'",     "file='none.zz'",
         "scale='0 1 1'",       "refquat='0 0 0 0'",
         "inertia='zz'",        "inertia='shell'",
         "inertia='exact'",     "maxhullvert='2'",
         "builtin='sphere'",    "params='1'",
         "class='zz'",          "material='zz'",
         "smoothnormal='zz'",   "content_type='zz'",
         "octree_maxdepth='-1'"});
  pairs({"texture", "<asset>", "texture", "name='t'", "", "</asset>"},
        {"type='2d'",       "type='cube'",       "type='zz'",
         "builtin='flat'",  "builtin='checker'", "builtin='zz'",
         "width='4'",       "width='-4'",        "height='4'",
         "height='24'",     "file='none.png'",   "file='none.zz'",
         "gridsize='1 1'",  "gridsize='3 4'",    "gridlayout='FR'",
         "gridlayout='.Q'", "nchannel='9'",      "colorspace='zz'",
         "mark='edge'",     "random='2'",        "content_type='image/gif'"});
  pairs({"hfield", "<asset>", "hfield", "name='h'", "", "</asset>"},
        {"size='1 1 1 1'", "size='-1 1 1 1'", "size='0 0 0 0'", "nrow='2'", "nrow='-1'", "ncol='2'",
         "ncol='1'", "file='none.png'", "file='none.zz'", "elevation='1 2 3 4'", "elevation='1'",
         "content_type='image/gif'"});
  pairs({"material", "<asset>", "material", "name='m'", "", "</asset>"},
        {"texture='zz'", "texrepeat='-1 1'", "emission='-1'", "class='zz'", "rgba='1'",
         "reflectance='9'", "texuniform='zz'", "metallic='9'"});
  pairs({"skin", "<deformable>", "skin", "name='k'", "", "</deformable>"},
        {"file='none.skn'", "vertex='0 0 0'", "vertex='0 0'", "face='0 0 0'", "face='0 0'",
         "face='0 0 9'", "texcoord='0 0'", "texcoord='0'", "material='zz'", "group='9'"});
  pairs({"flex", "<deformable>", "flex", "name='k'", "", "</deformable>"},
        {"dim='2'", "dim='9'", "body='world'", "body='zz'", "vertex='0 0 0 1 0 0 0 1 0'",
         "vertex='0 0'", "element='0 1 2'", "element='0 1'", "element='0 1 9'", "node='zz'",
         "material='zz'", "radius='-1'", "group='9'", "texcoord='0 0'", "elemtexcoord='0'",
         "flatskin='zz'"});
}

int main() {
  catchMessages();
  inBodies();
  outside();
  assets();
}
