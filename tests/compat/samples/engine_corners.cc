// Edges of the engine's interface: invalid sizes, arrays in the arena, copies for drawing, state texts, fields.
#include "sample.h"

static const char kModel[] =
    "<mujoco><option><flag sleep='disable'/></option><asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 "
    "0 0 0 1'/><hfield name='h' nrow='2' ncol='2' "
    "size='1 1 1 1'/><texture name='t' type='2d' builtin='flat' width='4' "
    "height='4'/></asset><worldbody>"
    "<geom type='plane' size='5 5 1'/><body pos='0 0 .05'><freejoint/><geom name='g' "
    "size='.1'/></body>"
    "<body pos='3 0 2'><joint/><geom type='mesh' mesh='m'/></body></worldbody></mujoco>";

static void invalidSizes() {
  title("invalid sizes");
  Model m = load(kModel);
  auto nbody = m->nbody;
  m->nbody = -1;
  show("data", mj_makeData(m.get()) == nullptr);
  m->nbody = nbody;
  auto nv = m->nv;
  m->nv = -1;
  show("data", mj_makeData(m.get()) == nullptr);
  m->nv = nv;
}

static void pointers(const char* what, const mjData* d) {
  std::printf(
      "%s: contact %d type %d id %d J %d rownnz %d rowsuper %d colind %d force %d state %d aref %d "
      "AR %d island %d\n",
      what, d->contact != nullptr, d->efc_type != nullptr, d->efc_id != nullptr,
      d->efc_J != nullptr, d->efc_J_rownnz != nullptr, d->efc_J_rowsuper != nullptr,
      d->efc_J_colind != nullptr, d->efc_force != nullptr, d->efc_state != nullptr,
      d->efc_aref != nullptr, d->efc_AR != nullptr, d->island_nv != nullptr);
}

static void arena() {
  title("arena");
  for (const char* text :
       {kModel, "<mujoco/>",
        "<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>"}) {
    for (int solver : {mjSOL_NEWTON, mjSOL_PGS}) {
      for (int sparse : {mjJAC_DENSE, mjJAC_SPARSE}) {
        Model m = load(text);
        m->opt.solver = solver;
        m->opt.jacobian = sparse;
        Data d(mj_makeData(m.get()));
        std::printf("fresh %d %d\n", d->efc_type != nullptr, d->efc_J != nullptr);
        mj_forward(m.get(), d.get());
        show("rows", d->nefc);
        pointers("forward", d.get());
        mj_resetData(m.get(), d.get());
        std::printf("reset %d %d\n", d->efc_type != nullptr, d->efc_J != nullptr);
        m->opt.disableflags |= mjDSBL_CONSTRAINT;
        mj_forward(m.get(), d.get());
        std::printf("off %d %d\n", d->efc_type != nullptr, d->efc_J != nullptr);
      }
    }
  }
}

static void copies() {
  title("copies for drawing");
  Model a = load(kModel), b = load(kModel), small = load("<mujoco/>");
  a->geom_rgba[0] = 0.25f;
  a->mesh_vert[0] = 9;
  a->hfield_data[0] = 0.5f;
  a->tex_data[0] = 99;
  a->opt.timestep = 0.5;
  a->mesh_pos[0] = 4;
  a->geom_fluid[0] = 3;
  a->body_mass[1] = 77;
  float vert = b->mesh_vert[0];
  mjv_copyModel(b.get(), a.get());
  show("rgba", b->geom_rgba[0]);
  show("mesh", b->mesh_vert[0] == vert);
  show("hfield", b->hfield_data[0]);
  show("texture", b->tex_data[0] == 99);
  show("timestep", b->opt.timestep);
  show("mesh_pos", b->mesh_pos[0]);
  show("fluid", b->geom_fluid[0]);
  show("mass", b->body_mass[1]);
  expectError("other size", [&] { mjv_copyModel(small.get(), a.get()); });
  Model m = load(kModel);
  m->opt.solver = mjSOL_PGS;
  Data d(mj_makeData(m.get())), copy(mj_makeData(m.get()));
  mj_forward(m.get(), d.get());
  mjtNum before = copy->crb[10];
  mjv_copyData(copy.get(), m.get(), d.get());
  show("rows", copy->nefc);
  show("contacts", copy->ncon);
  show("crb", copy->crb[10] == before);
  show("qpos", copy->qpos, m->nq);
  show("xpos", copy->xpos, 6);
  std::printf("J %d rownnz %d AR %d rownnz %d type %d force %d pos %d contact %d\n",
              copy->efc_J != nullptr, copy->efc_J_rownnz != nullptr, copy->efc_AR != nullptr,
              copy->efc_AR_rownnz != nullptr, copy->efc_type != nullptr, copy->efc_force != nullptr,
              copy->efc_pos != nullptr, copy->contact != nullptr);
  std::printf("iM %d iLD %d iefc_J %d\n", copy->iM != nullptr, copy->iLD != nullptr,
              copy->iefc_J != nullptr);
  if (copy->efc_force) show("force", copy->efc_force, copy->nefc);
}

static void states() {
  title("states");
  Model m = load(kModel);
  Data d(mj_makeData(m.get()));
  std::vector<mjtNum> from(1000), to(1000);
  expectError("negative", [&] { mj_extractState(m.get(), from.data(), -1, to.data(), 1); });
  expectError("large", [&] { mj_extractState(m.get(), from.data(), 1 << 20, to.data(), 1); });
  expectError("subset", [&] {
    mj_extractState(m.get(), from.data(), mjSTATE_QPOS, to.data(), mjSTATE_QVEL);
  });
  expectError("size", [&] { mj_stateSize(m.get(), -1); });
  expectError("size", [&] { mj_stateSize(m.get(), 1 << 20); });
  expectError("get", [&] { mj_getState(m.get(), d.get(), to.data(), -1); });
  expectError("set", [&] { mj_setState(m.get(), d.get(), to.data(), 1 << 20); });
  expectError("copy", [&] { mj_copyState(m.get(), d.get(), d.get(), -1); });
  for (size_t n : {size_t(0), size_t(1), size_t(1024), size_t(1536), size_t(3) << 20,
                   (size_t(1) << 30) + 1, size_t(1) << 40}) {
    show("text", mju_warningText(mjWARN_CNSTRFULL, n));
  }
  for (int w = 0; w < mjNWARNING; w++) show("text", mju_warningText(w, 7));
}

static void fields() {
  title("distance fields");
  Model m = load(
      "<mujoco><worldbody><geom type='plane' size='1 1 1' pos='0 0 3'/><geom size='.5'/><geom "
      "type='capsule' size='.2 .3'/>"
      "<geom type='box' size='.1 .2 .3'/><geom type='ellipsoid' size='.1 .2 .3'/><geom "
      "type='cylinder' size='.2 .3'/>"
      "</worldbody></mujoco>");
  Data d(mj_makeData(m.get()));
  mj_forward(m.get(), d.get());
  mjtNum points[4][3] = {{0.3, -0.2, 0.7}, {0.05, 0.02, 0.01}, {-2, 1, -1}, {0, 0.1, -0.4}};
  for (int i = 0; i < m->ngeom; i++) {
    mjSDF sdf;
    std::memset(&sdf, 0, sizeof(sdf));
    const mjpPlugin* plugin = nullptr;
    int id = i;
    mjtGeom type = static_cast<mjtGeom>(m->geom_type[i]);
    sdf.type = mjSDFTYPE_SINGLE;
    sdf.plugin = &plugin;
    sdf.id = &id;
    sdf.geomtype = &type;
    for (auto& point : points) {
      mjtNum gradient[3];
      show("distance", mjc_distance(m.get(), d.get(), &sdf, point));
      mjc_gradient(m.get(), d.get(), &sdf, gradient, point);
      show("gradient", gradient, 3);
    }
  }
}

// two fields: their intersection, the surface between them and the function that collision minimises
static void pairsOfFields() {
  title("pairs of distance fields");
  Model m = load(
      "<mujoco><worldbody><geom type='plane' size='1 1 1'/><geom size='1'/><geom type='box' "
      "size='1 1 1'/><geom type='capsule' size='.3 .4'/><geom type='cylinder' size='.3 .4'/>"
      "<geom type='ellipsoid' size='.3 .4 .5'/></worldbody></mujoco>");
  Data d(mj_makeData(m.get()));
  mj_forward(m.get(), d.get());
  mjtNum relpos[3] = {0.1, -0.2, 0.3}, relmat[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1};
  mjtNum points[3][3] = {{0.1, 0.2, 0.3}, {-0.5, 0.7, 0.9}, {2, -1, 0.1}};
  const mjpPlugin* plugins[2] = {nullptr, nullptr};
  mjSDF sdf = {plugins, nullptr, mjSDFTYPE_SINGLE, relpos, relmat, nullptr};
  for (int i = 0; i < 36; i++) {
    int id[2] = {i / 6, i % 6};
    mjtGeom type[2] = {static_cast<mjtGeom>(m->geom_type[id[0]]),
                       static_cast<mjtGeom>(m->geom_type[id[1]])};
    sdf.id = id;
    sdf.geomtype = type;
    for (auto& point : points) {
      for (mjtSDFType kind : {mjSDFTYPE_INTERSECTION, mjSDFTYPE_MIDSURFACE, mjSDFTYPE_COLLISION}) {
        sdf.type = kind;
        mjtNum gradient[3];
        show("distance", mjc_distance(m.get(), d.get(), &sdf, point));
        mjc_gradient(m.get(), d.get(), &sdf, gradient, point);
        show("gradient", gradient, 3);
      }
    }
  }
  mjtNum gradient[3];
  for (mjtGeom type : {mjGEOM_HFIELD, mjGEOM_ARROW, mjGEOM_FLEX}) {
    int id = 0;
    sdf.id = &id;
    sdf.geomtype = &type;
    sdf.type = mjSDFTYPE_SINGLE;
    expectError("distance", [&] { mjc_distance(m.get(), d.get(), &sdf, points[0]); });
    expectError("gradient", [&] { mjc_gradient(m.get(), d.get(), &sdf, gradient, points[0]); });
  }
}

static void printFormats() {
  title("formats of numbers");
  Model m = load("<mujoco/>");
  for (const char* format :
       {"%d", "%s", "%f%f", "", "%", "%5.2lf", "%g ", "abc", "%+08.3e", "%F", "%.f", "%++f",
        "% -9.2g", "%5 f", "%.*f", "%00000000000000000000f", "%00000000000000000001q"}) {
    show("format", format);
    mj_printFormattedModel(m.get(), "model.txt", format);
  }
  mj_printModel(m.get(), "none/model.txt");
}

static void misuse() {
  title("misuse");
  Model m = load(
      "<mujoco><worldbody><body><joint name='j'/><geom "
      "size='1'/></body></worldbody><actuator><motor "
      "joint='j' delay='.02' nsample='3'/></actuator></mujoco>");
  Model other = load(kModel);
  Data d(mj_makeData(m.get())), otherData(mj_makeData(other.get()));
  mj_freeStack(d.get());
  show("stack", (int)d->pstack);
  mj_markStack(d.get());
  expectError("numbers", [&] { mj_stackAllocNum(d.get(), static_cast<size_t>(-1)); });
  expectError("integers", [&] { mj_stackAllocInt(d.get(), static_cast<size_t>(-1)); });
  expectError("in use", [&] { mj_copyData(nullptr, m.get(), d.get()); });
  mj_freeStack(d.get());
  expectError("other size", [&] { mj_copyData(otherData.get(), m.get(), d.get()); });
  char image[10];
  expectError("image", [&] { mj_saveModel(m.get(), nullptr, image, sizeof(image)); });
  std::vector<char> all(mj_sizeModel(m.get()) + 1);
  mj_saveModel(m.get(), nullptr, all.data(), static_cast<int>(all.size()));
  show("longer", mj_loadModelBuffer(all.data(), static_cast<int>(all.size())) == nullptr);
  mjLROpt options;
  mj_defaultLROpt(&options);
  expectError("range", [&] { mj_setLengthRange(m.get(), d.get(), 3, &options, nullptr, 0); });
  mjtNum times[] = {0, 3, 2}, values[] = {1, 2, 3};
  expectError("times", [&] { mj_initCtrlHistory(m.get(), d.get(), 0, times, values); });
}

int main() {
  catchMessages();
  printFormats();
  misuse();
  invalidSizes();
  arena();
  copies();
  states();
  fields();
  pairsOfFields();
}
