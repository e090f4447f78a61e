// URDF: shapes, joints and faults of a robot, the arrays of the model and the saved text.
#include "sample.h"

static std::string line(std::string text) {
  for (char& c : text) c = c == '\n' ? '~' : c;
  return text;
}

static void showNames(const mjModel* m, mjtObj type, int64_t n) {
  std::printf("%s:", mju_type2Str(type));
  for (int i = 0; i < n; i++)
    std::printf(" '%s'", mj_id2name(m, type, i) ? mj_id2name(m, type, i) : "");
  std::printf("\n");
}

static void showModel(const mjModel* m) {
  int nbody = (int)m->nbody, njnt = (int)m->njnt, ngeom = (int)m->ngeom, nv = (int)m->nv;
  showNames(m, mjOBJ_BODY, nbody);
  showNames(m, mjOBJ_JOINT, njnt);
  showNames(m, mjOBJ_GEOM, ngeom);
  show("body_pos", m->body_pos, 3 * nbody);
  show("body_quat", m->body_quat, 4 * nbody);
  show("body_mass", m->body_mass, nbody);
  show("body_inertia", m->body_inertia, 3 * nbody);
  show("body_ipos", m->body_ipos, 3 * nbody);
  show("body_iquat", m->body_iquat, 4 * nbody);
  show("jnt_type", m->jnt_type, njnt);
  show("jnt_limited", m->jnt_limited, njnt);
  show("jnt_range", m->jnt_range, 2 * njnt);
  show("jnt_axis", m->jnt_axis, 3 * njnt);
  show("jnt_actfrcrange", m->jnt_actfrcrange, 2 * njnt);
  show("dof_damping", m->dof_damping, nv);
  show("dof_frictionloss", m->dof_frictionloss, nv);
  show("geom_type", m->geom_type, ngeom);
  show("geom_size", m->geom_size, 3 * ngeom);
  show("geom_pos", m->geom_pos, 3 * ngeom);
  show("geom_quat", m->geom_quat, 4 * ngeom);
  show("geom_group", m->geom_group, ngeom);
  show("geom_contype", m->geom_contype, ngeom);
  show("geom_rgba", m->geom_rgba, 4 * ngeom);
}

static void tryRobot(const std::string& content) {
  char error[1000] = "";
  std::string xml = "<robot name='r'>" + content + "</robot>";
  Spec spec(mj_parseXMLString(xml.c_str(), nullptr, error, sizeof(error)));
  Model m(spec ? mj_compile(spec.get(), nullptr) : nullptr);
  std::printf("%s\n", m ? "compiles" : line(spec ? mjs_getError(spec.get()) : error).c_str());
  if (!m) return;
  showModel(m.get());
  std::vector<char> text(20000);
  mj_saveXMLString(spec.get(), text.data(), 20000, error, sizeof(error));
  std::printf("%s", text.data());
}

static std::string linkOf(const std::string& name, const std::string& content = "") {
  return "<link name='" + name +
         "'><inertial><origin xyz='0.1 0 0' rpy='0 .1 0'/><mass value='2'/><inertia ixx='1' "
         "iyy='1.1' izz='1.2' "
         "ixy='.01' ixz='0' iyz='0'/></inertial>" +
         content + "</link>";
}

static std::string joint(const std::string& type, const std::string& parent,
                         const std::string& child, const std::string& content = "") {
  return "<joint name='" + parent + child + "' type='" + type + "'><parent link='" + parent +
         "'/><child link='" + child + "'/>" + content + "</joint>";
}

static void shapes() {
  title("shapes");
  for (const char* shape :
       {"<box size='1 2 3'/>", "<sphere radius='.5'/>", "<cylinder radius='.1' length='.5'/>",
        "<capsule radius='.1' length='.5'/>", "<mesh filename='none.obj'/>", "<mesh/>", "<cone/>",
        "", "<box/>", "<box size='1 2'/>"}) {
    for (const char* kind : {"visual", "collision"}) {
      std::string tag = kind;
      tryRobot(linkOf(
          "a", "<" + tag + " name='n'><origin xyz='1 2 3' rpy='.1 .2 .3'/><geometry>" + shape +
                   "</geometry><material name='red'><color rgba='1 0 0 1'/></material></" + tag +
                   ">"));
    }
  }
}

static void joints() {
  title("joints");
  for (const char* type :
       {"revolute", "continuous", "prismatic", "fixed", "floating", "planar", "ball", "zz"}) {
    for (const char* content :
         {"",
          "<origin xyz='1 0 0' rpy='0 0 1.57'/><axis xyz='0 1 0'/><limit lower='-1' upper='2' "
          "effort='10' "
          "velocity='3'/><dynamics damping='.5' friction='.2'/>",
          "<limit lower='0' upper='0' effort='0' velocity='0'/>", "<axis xyz='0 0 0'/>"}) {
      tryRobot(linkOf("a") + linkOf("b") + joint(type, "a", "b", content));
    }
  }
}

static void trees() {
  title("trees");
  const std::string all[] = {
      "",
      "<link/>",
      linkOf("a") + linkOf("b"),
      linkOf("a") + joint("fixed", "a", "zz"),
      linkOf("a") + joint("fixed", "zz", "a"),
      linkOf("a") + linkOf("b") + joint("revolute", "a", "b") + joint("revolute", "b", "a"),
      linkOf("a") + linkOf("b") + linkOf("c") + joint("revolute", "a", "c") +
          joint("revolute", "b", "c"),
      linkOf("world") + linkOf("b") + joint("revolute", "world", "b"),
      "<mujoco><compiler discardvisual='false' fusestatic='false' balanceinertia='true' "
      "strippath='false' "
      "meshdir='.'/><option timestep='.01'/></mujoco>" +
          linkOf("a", "<visual><geometry><box size='1 1 1'/></geometry></visual>") + linkOf("b") +
          joint("fixed", "a", "b"),
      "<material name='blue'><color rgba='0 0 1 1'/></material>" +
          linkOf("a",
                 "<collision><geometry><sphere "
                 "radius='1'/></geometry></collision><visual><geometry><sphere "
                 "radius='1'/></geometry><material name='blue'/></visual><visual><geometry><sphere "
                 "radius='1'/>"
                 "</geometry><material name='nope'/></visual>") +
          "<transmission name='t'/><gazebo/>",
      linkOf("a") + linkOf("b") + "<joint name='j' type='revolute'><parent link='a'/></joint>",
      linkOf("a") + linkOf("b") + "<joint name='j'><parent link='a'/><child link='b'/></joint>",
      "<link name='a'><inertial><mass value='1'/></inertial></link>",
      "<mujoco><compiler balanceinertia='true' boundmass='.1' boundinertia='.01'/></mujoco><link "
      "name='a'/><link "
      "name='b'/>" +
          joint("revolute", "a", "b", "<mimic joint='k'/>")};
  for (const std::string& content : all) tryRobot(content);
}

int main() {
  catchMessages();
  shapes();
  joints();
  trees();
}
