// Flexcomps: which of two errors comes first, points that are appended, pins of interpolated dofs, GMSH files; a
// copy of the spec and a second compilation give the same model to the bit.
#include <algorithm>

#include "sample.h"

static std::string line(std::string text) {
  for (char& c : text) c = c == '\n' ? '~' : c;
  return text;
}

static void put(const char* name, const std::string& text) {
  std::FILE* file = std::fopen(name, "w");
  std::fwrite(text.data(), 1, text.size(), file);
  std::fclose(file);
}

static void showFlex(const mjModel* m) {
  int sizes[] = {(int)m->nflex,     (int)m->nflexvert,   (int)m->nflexnode,      (int)m->nflexedge,
                 (int)m->nflexelem, (int)m->nflexevpair, (int)m->nflexshelldata, (int)m->nbody,
                 (int)m->neq,       (int)m->njnt};
  show("sizes", sizes, 10);
  show("vertices", m->flex_vert0, 3 * (int)m->nflexvert);
  show("elements", m->flex_elem, (int)m->nflexelemdata);
  show("edges", m->flex_edge, 2 * (int)m->nflexedge);
  show("bodies", m->flex_vertbodyid, (int)m->nflexvert);
  show("node bodies", m->flex_nodebodyid, (int)m->nflexnode);
  show("nodes", m->flex_node, 3 * (int)m->nflexnode);
  show("stiffness", m->flex_stiffness, std::min(40, 21 * (int)m->nflexelem));
  show("positions", m->body_pos, 3 * (int)m->nbody);
  show("masses", m->body_mass, (int)m->nbody);
}

static void tryWorld(const std::string& content, bool simulate) {
  std::string xml = "<mujoco><worldbody>\n" + content + "</worldbody></mujoco>";
  char error[1000] = "";
  Spec spec(mj_parseXMLString(xml.c_str(), nullptr, error, sizeof(error)));
  Model m(spec ? mj_compile(spec.get(), nullptr) : nullptr);
  std::printf("%s\n", m ? "compiles" : line(spec ? mjs_getError(spec.get()) : error).c_str());
  if (!m || !simulate) return;
  showFlex(m.get());
  Spec copy(mj_copySpec(spec.get()));
  Model other(mj_compile(copy.get(), nullptr)), again(mj_compile(spec.get(), nullptr));
  show("copy", std::memcmp(m->buffer, other->buffer, m->nbuffer));
  show("again", std::memcmp(m->buffer, again->buffer, m->nbuffer));
  Data d(mj_makeData(m.get()));
  for (int i = 0; i < 5; i++) mj_step(m.get(), d.get());
  mj_forward(m.get(), d.get());
  show("rows", d->nefc);
  show("contacts", d->ncon);
  show("moved", d->flexvert_xpos, std::min(30, 3 * (int)m->nflexvert));
}

static const char* const kRefused[] = {
    "<flexcomp/>",
    "<flexcomp name='f'/>",
    "<flexcomp name='f' type='grid'/>",
    "<flexcomp name='f' type='grid' count='0 1 1'/>",
    "<flexcomp name='f' type='grid' count='3 3 1' spacing='-1 1 1'/>",
    "<flexcomp name='f' type='grid' count='3 3 1' spacing='1 1 1' dim='0'/>",
    "<flexcomp name='f' type='grid' count='3 3 1' spacing='1 1 1' dim='4'/>",
    "<flexcomp name='f' type='grid' count='3 3 3' spacing='1 1 1' dim='2'/>",
    "<flexcomp name='f' type='grid' count='3 3 1' spacing='1 1 1' dim='1'/>",
    "<flexcomp name='f' type='grid' count='3 3 1' spacing='1 1 1' dim='3'/>",
    "<flexcomp name='f' type='grid' count='3 3 1' spacing='1 1 1' mass='0'/>",
    "<flexcomp name='f' type='grid' count='3 3 1' spacing='1 1 1' mass='-1'/>",
    "<flexcomp name='f' type='grid' count='3 3 1' spacing='1 1 1' inertiabox='0'/>",
    "<flexcomp name='f' type='grid' count='3 3 1' spacing='1 1 1' radius='-1'/>",
    "<flexcomp name='f' type='grid' count='3 3 1' spacing='1 1 1' scale='0 0 0'/>",
    "<flexcomp name='f' type='direct'/>",
    "<flexcomp name='f' type='direct' point='0 0 0'/>",
    "<flexcomp name='f' type='direct' point='0 0 0 1 0 0 0 1 0'/>",
    "<flexcomp name='f' type='direct' point='0 0' element='0 1 2'/>",
    "<flexcomp name='f' type='direct' point='0 0 0 1 0 0 0 1 0' element='0 1'/>",
    "<flexcomp name='f' type='direct' point='0 0 0 1 0 0 0 1 0' element='0 1 3'/>",
    "<flexcomp name='f' type='direct' point='0 0 0 1 0 0 0 1 0' element='0 1 -1'/>",
    "<flexcomp name='f' type='direct' point='0 0 0 1 0 0 0 1 0' element='0 1 1' mass='1'/>",
    "<flexcomp name='f' type='direct' point='0 0 0 1 0 0 0 1 0' element='0 1 2' texcoord='0 0'/>",
    "<flexcomp name='f' type='grid' count='3 3 1' spacing='1 1 1'><pin id='99'/></flexcomp>",
    "<flexcomp name='f' type='grid' count='3 3 1' spacing='1 1 1'><pin id='-1'/></flexcomp>",
    "<flexcomp name='f' type='grid' count='3 3 1' spacing='1 1 1'><pin range='0'/></flexcomp>",
    "<flexcomp name='f' type='grid' count='3 3 1' spacing='1 1 1'><pin range='5 99'/></flexcomp>",
    "<flexcomp name='f' type='grid' count='3 3 1' spacing='1 1 1'><pin grid='0 0'/></flexcomp>",
    "<flexcomp name='f' type='grid' count='3 3 1' spacing='1 1 1'><pin grid='9 9 9'/></flexcomp>",
    "<flexcomp name='f' type='grid' count='3 3 1' spacing='1 1 1'><pin gridrange='0 0 9 "
    "9'/></flexcomp>",
    "<flexcomp name='f' type='grid' count='3 3 1' spacing='1 1 1' dof='trilinear'/>",
    "<flexcomp name='f' type='grid' count='3 3 1' spacing='1 1 1' dof='radial'/>",
    "<flexcomp name='f' type='grid' count='3 3 1' spacing='1 1 1' dof='zz'/>",
    "<flexcomp name='f' type='grid' count='3 3 3' spacing='1 1 1' dim='3' dof='quadratic' mass='1' "
    "radius='.1'/>",
    "<flexcomp name='f' type='grid' count='3 3 1' spacing='1 1 1' rigid='true'><edge "
    "equality='true'/></flexcomp>",
    "<flexcomp name='f' type='grid' count='3 3 1' spacing='1 1 1'><elasticity young='1' "
    "poisson='.5'/></flexcomp>",
    "<flexcomp name='f' type='grid' count='3 3 1' spacing='1 1 1'><elasticity "
    "young='-1'/></flexcomp>",
    "<flexcomp name='f' type='grid' count='3 3 1' spacing='1 1 1'><elasticity young='1' "
    "thickness='-1'/></flexcomp>",
    "<flexcomp name='f' type='grid' count='3 3 1' spacing='1 1 1'><elasticity young='1' "
    "elastic2d='zz'/></flexcomp>",
    "<flexcomp name='f' type='grid' count='3 3 1' spacing='1 1 1'><elasticity young='1' "
    "elastic2d='bend'/></flexcomp>",
    "<flexcomp name='f' type='grid' count='3 3 1' spacing='1 1 1'><edge stiffness='1'/><elasticity "
    "young='1'/></flexcomp>",
    "<flexcomp name='f' type='grid' count='3 3 1' spacing='1 1 1'><plugin plugin='zz'/></flexcomp>",
    "<flexcomp name='f' type='grid' count='3 3 1' spacing='1 1 1'><contact "
    "selfcollide='zz'/></flexcomp>",
    "<flexcomp name='f' type='grid' count='3 3 1' spacing='1 1 1' material='zz'/>",
    "<flexcomp name='f' type='grid' count='3 3 1' spacing='1 1 1' group='9'/>",
    "<flexcomp name='f' type='circle' count='2 1 1' spacing='1 1 1' dim='1'/>",
    "<flexcomp name='f' type='circle' count='5 1 1' spacing='.1 1 1' dim='2'/>",
    "<flexcomp name='f' type='box' count='2 2 2' spacing='1 1 1' dim='2'/>",
    "<flexcomp name='f' type='square' count='3 3 1' spacing='1 1 1' dim='2' mass='1' "
    "radius='.01'/>",
    "<flexcomp name='f' type='disc' count='3 3 1' spacing='1 1 1' dim='2' mass='1' radius='.01'/>",
    "<flexcomp name='f' type='mesh' dim='2'/>",
    "<flexcomp name='f' type='mesh' file='none.obj' dim='1'/>",
    "<flexcomp name='f' type='gmsh'/>",
    "<flexcomp name='f' type='gmsh' file='none.msh' dim='3'/>",
    "<flexcomp name='f' type='grid' count='3 3 1' spacing='1 1 1' origin='0 0 0'/>",
    "<flexcomp name='f' type='grid' count='3 3 1' spacing='1 1 1' mass='1' radius='.1'/><flexcomp "
    "name='f' type='grid' count='3 3 1' spacing='1 1 1' mass='1' radius='.1'/>",
};

static const char* const kAppended[] = {
    "<flexcomp name='f' type='grid' count='2 2 1' spacing='.1 .1 .1' point='9 9 9' radius='.01' "
    "mass='1'/>",
    "<flexcomp name='f' type='grid' count='2 2 1' spacing='.1 .1 .1' element='0 1 2' radius='.01' "
    "mass='1'/>",
    "<flexcomp name='f' type='grid' count='2 2 1' spacing='.1 .1 .1' point='1 2' radius='.01' "
    "mass='1'/>",
    "<flexcomp name='f' type='grid' count='2 2 2' spacing='.1 .1 .1' dim='3' element='0' "
    "radius='.01' mass='1'/>",
    "<flexcomp name='f' type='box' count='3 3 3' spacing='.1 .1 .1' dim='3' radius='.01' "
    "mass='1'/>",
    "<flexcomp name='f' type='cylinder' count='3 3 3' spacing='.1 .1 .1' dim='3' radius='.01' "
    "mass='1'/>",
    "<flexcomp name='f' type='ellipsoid' count='3 3 3' spacing='.1 .1 .1' dim='3' radius='.01' "
    "mass='1'/>",
    "<flexcomp name='f' type='circle' count='5 1 1' spacing='.1 .1 .1' dim='1' radius='.01' "
    "mass='1'/>",
};

static const char* const kForms[] = {
    "<geom type='plane' size='1 1 1'/><flexcomp name='f' type='grid' count='3 3 3' spacing='.1 .1 "
    ".1'dim='3'pos='0 0 .1' radius='.02' mass='1'><elasticity young='1e3' poisson='.1' "
    "damping='.01'/></flexcomp>",
    "<geom type='plane' size='1 1 1'/><flexcomp name='f' type='grid' count='3 3 1' spacing='.1 .1 "
    ".1' dim='2' pos='0 0 .01' radius='.02' mass='1'><elasticity young='1e3' poisson='.1' "
    "thickness='.01' elastic2d='both'/><contact selfcollide='none' condim='3'/></flexcomp>",
    "<flexcomp name='f' type='grid' count='3 3 1' spacing='.1 .1 .1' dim='2' radius='.02' mass='1' "
    "rigid='true'/>",
    "<flexcomp name='f' type='grid' count='3 3 1' spacing='.1 .1 .1' dim='2' radius='.02' "
    "mass='1'><edge equality='vert'/></flexcomp>",
    "<flexcomp name='f' type='grid' count='3 3 1' spacing='.1 .1 .1' dim='2' radius='.02' mass='1' "
    "dof='2d'><edge equality='true'/></flexcomp>",
};

static void interpolated() {
  title("interpolated");
  for (const char* dof : {"trilinear", "quadratic"}) {
    for (const char* pin : {"", "0", "1 3", "4", "5", "7", "8"}) {
      std::string start =
          std::string("<flexcomp name='f' dim='3' mass='1' radius='.01' dof='") + dof + "' ";
      std::string inside = *pin ? std::string("<pin id='") + pin + "'/>" : "";
      tryWorld(start + "type='direct' point='0 0 0 1 0 0 0 1 0 0 0 1 5 5 5' element='0 1 2 3'>" +
                   inside + "</flexcomp>",
               true);
      tryWorld(start + "type='direct' point='5 5 5 0 0 0 1 0 0 0 1 0 0 0 1' element='1 2 3 4'>" +
                   inside + "</flexcomp>",
               true);
      tryWorld("<body pos='0 0 1'>" + start +
                   "type='grid' count='3 3 3' spacing='.1 .1 .1'><elasticity "
                   "young='100' poisson='.2' damping='.01'/>" +
                   inside + "</flexcomp></body>",
               true);
    }
  }
}

static const std::string kHead = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n";
static const std::string kNodes =
    "$Nodes\n1 3 1 3\n2 1 0 3\n1\n2\n3\n0 0 0\n1 0 0\n0 1 0\n$EndNodes\n";
static const std::string kElements = "$Elements\n1 1 1 1\n2 1 2 1\n1 1 2 3\n$EndElements\n";

static void gmsh() {
  title("gmsh");
  const std::string all[] = {
      kHead + kNodes + kElements,
      kNodes + kElements,
      kHead + kElements,
      kHead + kNodes,
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n"
      "$Elements\n1\n1 2 2 1 1 1 2 3\n$EndElements\n",
      "$MeshFormat\n1.0 0 8\n$EndMeshFormat\n",
      kHead + "$Nodes\n1 3 1 3\n2 1 0 3\n1\n3\n2\n0 0 0\n1 0 0\n0 1 0\n$EndNodes\n" + kElements,
      kHead + kNodes + "$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 1\n$EndElements\n",
      "$MeshFormat\n4.1 1 8\n",
      kHead + "$Nodes\n1 3 1 3\n2 1 0 3\n1\n2\n",
      kHead,
      kHead + "$Nodes\n1 3 1 3\n2 1 1 3\n1\n2\n3\n0 0 0\n1 0 0\n0 1 0\n$EndNodes\n" + kElements,
      "$MeshFormat\n4.1 0 4\n$EndMeshFormat\n" + kNodes + kElements,
      kHead + "$Nodes\n1 4 1 4\n2 1 0 3\n1\n2\n3\n0 0 0\n1 0 0\n0 1 0\n$EndNodes\n" + kElements,
      kHead + kNodes + "$Elements\n1 2 1 2\n2 1 2 1\n1 1 2 3\n$EndElements\n",
      kHead + kNodes + "$Elements\n1 1 1 1\n2 1 15 1\n1 1\n$EndElements\n",
      kHead + kNodes + "$Elements\n1 1 1 1\n2 1 2 1\n5 1 2 3\n$EndElements\n",
      kHead + kNodes + "$Elements\n1 1 1 1\n2 1 2 1\n1 1 2 9\n$EndElements\n",
      "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\nx y z\n"};
  for (const std::string& content : all) {
    put("q.msh", content);
    tryWorld("<flexcomp name='f' type='gmsh' file='q.msh' dim='2' mass='1' radius='.01'/>", false);
  }
}

int main() {
  catchMessages();
  title("refused");
  for (const char* content : kRefused) tryWorld(content, false);
  title("appended");
  for (const char* content : kAppended) tryWorld(content, true);
  title("forms");
  for (const char* content : kForms) tryWorld(content, true);
  interpolated();
  gmsh();
}
