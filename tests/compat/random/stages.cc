// What every function of a model and its data writes: the fields that a call has changed, each with two sums.
//
//     stages SEED MODEL.xml [FOLDER OF PLUGINS]
#include <mujoco/mjxmacro.h>
#include <mujoco/mujoco.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

static std::mt19937 engine;
static double uniform(double lo, double hi) {
  return lo + (hi - lo) * (engine() / 4294967296.0);  // the same numbers everywhere
}
static int below(int64_t n) { return n > 0 ? static_cast<int>(engine() % n) : 0; }

struct Sum {
  double plain = 0, weighted = 0;
  long count = 0;
  static bool near(double a, double b) {
    return std::fabs(a - b) <= 1e-5 * std::fmax(1, std::fmax(std::fabs(a), std::fabs(b)));
  }
  bool operator==(const Sum& other) const {
    return near(plain, other.plain) && near(weighted, other.weighted) && count == other.count;
  }
};

template <typename T>
static Sum sumOf(const T* values, int64_t n) {
  Sum sum;
  sum.count = values ? n : 0;
  for (int64_t i = 0; i < sum.count; i++) {
    double value = static_cast<double>(values[i]);
    if (!(std::fabs(value) < 1e100)) value = 12345;
    if (std::fabs(value) < 1e-10) value = 0;
    sum.plain += std::fabs(value);
    sum.weighted += value * (1 + (i * 37 % 101) / 101.0);
  }
  return sum;
}

static Sum sumOf(const mjContact* contacts, int64_t n) {
  Sum sum;
  for (int64_t i = 0; i < n; i++) {
    const mjContact& c = contacts[i];
    Sum part = sumOf(&c.dist, 1 + 3 + 9 + 1 + 5 + mjNREF + mjNREF + mjNIMP);
    sum.plain += part.plain;
    sum.weighted += part.weighted * (1 + i % 5) + c.dim + 2 * c.geom[0] + 3 * c.geom[1] +
                    5 * c.efc_address + 7 * c.exclude;
  }
  sum.count = n;
  return sum;
}

using Sums = std::map<std::string, Sum>;

static Sums look(const mjModel* m, const mjData* d) {
  Sums sums;
  MJDATA_POINTERS_PREAMBLE(m)
#define X(type, name, nr, nc) sums[#name] = sumOf(d->name, (int64_t)m->nr * (nc));
  MJDATA_POINTERS
#undef X
#undef MJ_M
#undef MJ_D
#define MJ_M(n) m->n
#define MJ_D(n) d->n
#undef XNV  // dense matrices have no patterns, and what islands hold is for the solver
#define XNV(type, name, nr, nc)
#define X(type, name, nr, nc) sums[#name] = sumOf(d->name, d->name ? (int64_t)(nr) * (nc) : 0);
  MJDATA_ARENA_POINTERS_CONTACT
  MJDATA_ARENA_POINTERS_SOLVER
#undef X
#undef XNV
#define XNV X
#define X(name) sums[#name].plain = static_cast<double>(d->name);
  X(time)
  X(energy[0])
  X(energy[1])
  X(ne)
  X(nf)
  X(nl)
  X(nefc)
  X(nJ)
  X(ncon)
  X(nisland)
  X(flg_energypos)
  X(flg_energyvel)
  X(flg_subtreevel)
  X(flg_rnepost)
  X(ntree_awake)
  X(nbody_awake)
#undef X
  for (int i = 0; i < mjNWARNING; i++) sums["warnings"].plain += d->warning[i].number;
  return sums;
}

static mjModel* m;
static mjData* d;

// What later stages write into the rows is zero until they do: the arena holds what lay there before.
static void clearLater() {
  for (mjtNum* values : {d->efc_vel, d->efc_aref, d->efc_b, d->efc_force}) {
    if (values) mju_zero(values, d->nefc);
  }
}

// Not compared: rows behind the last entry of a sparse matrix hold what was there before; MuJoCo leaves
// efc_state as the start of the solver found it where islands are solved, Sinew writes the result; MuJoCo
// alone marks the boxes of flexes. Rows have no velocities and forces until later stages write them.
static bool isStale(const std::string& call, const std::string& field) {
  static const std::set<std::string> fields = {"actuator_moment", "moment_rownnz", "moment_rowadr",
                                               "moment_colind",   "efc_state",     "bvh_active"};
  static const std::set<std::string> later = {"efc_vel", "efc_aref", "efc_b", "efc_force"};
  static const std::set<std::string> early = {"mj_makeConstraint", "mj_projectConstraint",
                                              "mj_invPosition", "mj_step1"};
  return fields.count(field) || (later.count(field) && early.count(call));
}

static void tell(const char* call, const char* what, const Sum& sum) {
  std::printf("%s %s %ld %.9g %.9g\n", call, what, sum.count, sum.plain, sum.weighted);
}

template <typename F>
static void run(const char* name, F call) {
  Sums before = look(m, d);
  try {
    call();
  } catch (const std::runtime_error& error) {
    std::printf("%s error %s\n", name, error.what());
  }
  Sums after = look(m, d);
  for (const auto& [field, sum] : after) {
    if (!(sum == before[field]) && !isStale(name, field)) tell(name, field.c_str(), sum);
  }
}

template <typename F>
static void buffer(const char* name, int64_t n, F call) {
  std::vector<mjtNum> result(n + 8, 0.5);
  try {
    call(result.data());
    tell(name, "result", sumOf(result.data(), n + 8));
  } catch (const std::runtime_error& error) {
    std::printf("%s error %s\n", name, error.what());
  }
}

static std::vector<mjtNum> numbers(int64_t n, double scale = 1) {
  std::vector<mjtNum> made(n + 1);
  for (mjtNum& value : made) value = uniform(-scale, scale);
  return made;
}

static void randomState() {
  mj_resetData(m, d);
  if (m->nkey) mj_resetDataKeyframe(m, d, below(m->nkey));
  auto velocity = numbers(m->nv, 0.3);
  mj_integratePos(m, d->qpos, velocity.data(), 1);
  for (int i = 0; i < m->nv; i++) d->qvel[i] = uniform(-1, 1);
  for (int i = 0; i < m->nu; i++) d->ctrl[i] = uniform(-1, 1);
  for (int i = 0; i < m->na; i++) d->act[i] = uniform(0, 1);
  for (int i = 0; i < m->nv; i++) d->qfrc_applied[i] = uniform(-1, 1);
}

#define STAGE(function) run(#function, [] { function(m, d); })

static void stages() {
  STAGE(mj_fwdKinematics);
  STAGE(mj_kinematics);
  STAGE(mj_comPos);
  STAGE(mj_camlight);
  STAGE(mj_flex);
  STAGE(mj_tendon);
  STAGE(mj_crb);
  STAGE(mj_makeM);
  STAGE(mj_factorM);
  STAGE(mj_collision);
  STAGE(mj_makeConstraint);
  clearLater();
  STAGE(mj_island);
  STAGE(mj_transmission);
  STAGE(mj_projectConstraint);
  STAGE(mj_comVel);
  STAGE(mj_passive);
  STAGE(mj_referenceConstraint);
  STAGE(mj_fwdPosition);
  clearLater();
  STAGE(mj_sensorPos);
  STAGE(mj_energyPos);
  STAGE(mj_fwdVelocity);
  STAGE(mj_sensorVel);
  STAGE(mj_energyVel);
  STAGE(mj_fwdActuation);
  STAGE(mj_fwdAcceleration);
  STAGE(mj_fwdConstraint);
  STAGE(mj_sensorAcc);
  STAGE(mj_rnePostConstraint);
  STAGE(mj_subtreeVel);
  STAGE(mj_invPosition);
  STAGE(mj_invVelocity);
  STAGE(mj_invConstraint);
  STAGE(mj_inverse);
  STAGE(mj_forward);
  STAGE(mj_compareFwdInv);
  STAGE(mj_checkPos);
  STAGE(mj_checkVel);
  STAGE(mj_checkAcc);
}

static void products() {
  auto vector = numbers(2 * m->nv), rows = numbers(d->nefc), force = numbers(3), place = numbers(3);
  int body = below(m->nbody), geom = below(m->ngeom), site = below(m->nsite);
  int64_t nv = m->nv, wide = 3 * nv;
  buffer("mj_solveM", 2 * nv, [&](mjtNum* x) { mj_solveM(m, d, x, vector.data(), 2); });
  buffer("mj_solveM2", nv, [&](mjtNum* x) {
    auto root = numbers(m->nv);
    mj_solveM2(m, d, x, vector.data(), root.data(), 1);
  });
  buffer("mj_mulM", nv, [&](mjtNum* x) { mj_mulM(m, d, x, vector.data()); });
  buffer("mj_mulM2", nv, [&](mjtNum* x) { mj_mulM2(m, d, x, vector.data()); });
  buffer("mj_fullM", nv * nv, [&](mjtNum* x) { mj_fullM(m, x, d->qM); });
  buffer("mj_addM", nv * nv, [&](mjtNum* x) { mj_addM(m, d, x, nullptr, nullptr, nullptr); });
  for (int acc : {0, 1}) buffer("mj_rne", nv, [&](mjtNum* x) { mj_rne(m, d, acc, x); });
  buffer("mj_mulJacVec", d->nefc, [&](mjtNum* x) { mj_mulJacVec(m, d, x, vector.data()); });
  buffer("mj_mulJacTVec", nv, [&](mjtNum* x) { mj_mulJacTVec(m, d, x, rows.data()); });
  for (int hessian : {0, 1}) {
    buffer("mj_constraintUpdate", 1,
           [&](mjtNum* x) { mj_constraintUpdate(m, d, rows.data(), x, hessian); });
  }
  buffer("mj_jac", 2 * wide, [&](mjtNum* x) { mj_jac(m, d, x, x + wide, place.data(), body); });
  buffer("mj_jac", wide, [&](mjtNum* x) { mj_jac(m, d, nullptr, x, place.data(), body); });
  buffer("mj_jacBody", 2 * wide, [&](mjtNum* x) { mj_jacBody(m, d, x, x + wide, body); });
  buffer("mj_jacBodyCom", 2 * wide, [&](mjtNum* x) { mj_jacBodyCom(m, d, x, x + wide, body); });
  buffer("mj_jacSubtreeCom", wide, [&](mjtNum* x) { mj_jacSubtreeCom(m, d, x, body); });
  if (m->ngeom)
    buffer("mj_jacGeom", 2 * wide, [&](mjtNum* x) { mj_jacGeom(m, d, x, x + wide, geom); });
  if (m->nsite)
    buffer("mj_jacSite", 2 * wide, [&](mjtNum* x) { mj_jacSite(m, d, x, x + wide, site); });
  buffer("mj_jacPointAxis", 2 * wide,
         [&](mjtNum* x) { mj_jacPointAxis(m, d, x, x + wide, place.data(), force.data(), body); });
  buffer("mj_jacDot", 2 * wide,
         [&](mjtNum* x) { mj_jacDot(m, d, x, x + wide, place.data(), body); });
  buffer("mj_angmomMat", wide, [&](mjtNum* x) { mj_angmomMat(m, d, x, body); });
  buffer("mj_applyFT", nv,
         [&](mjtNum* x) { mj_applyFT(m, d, force.data(), place.data(), place.data(), body, x); });
  for (int local : {0, 1}) {
    buffer("mj_objectVelocity", 6,
           [&](mjtNum* x) { mj_objectVelocity(m, d, mjOBJ_BODY, body, x, local); });
    buffer("mj_objectAcceleration", 6,
           [&](mjtNum* x) { mj_objectAcceleration(m, d, mjOBJ_XBODY, body, x, local); });
  }
  for (int i = 0; i < d->ncon && i < 5; i++)
    buffer("mj_contactForce", 6, [&](mjtNum* x) { mj_contactForce(m, d, i, x); });
  buffer("mj_local2Global", 12, [&](mjtNum* x) {
    mjtNum quat[4] = {1, 0, 0, 0};
    mj_local2Global(d, x, x + 3, place.data(), quat, body, below(5));
  });
  buffer("mj_differentiatePos", nv,
         [&](mjtNum* x) { mj_differentiatePos(m, x, 0.1, m->qpos0, d->qpos); });
  buffer("mj_integratePos", m->nq, [&](mjtNum* x) {
    mju_copy(x, d->qpos, m->nq);
    mj_integratePos(m, x, vector.data(), 0.1);
    mj_normalizeQuat(m, x);
  });
}

static void queries() {
  for (int i = 0; i < 10 && m->ngeom > 1; i++) {
    int a = below(m->ngeom), b = below(m->ngeom);
    if (a == b) continue;
    buffer("mj_geomDistance", 7, [&](mjtNum* x) { x[6] = mj_geomDistance(m, d, a, b, 3, x); });
  }
  for (int i = 0; i < 10; i++) {
    auto from = numbers(3, 2), to = numbers(3, 2);
    mjtNum vec[3];
    mju_sub3(vec, to.data(), from.data());
    mju_normalize3(vec);
    int id = -2, exclude = below(m->nbody + 1) - 1;
    buffer("mj_ray", 5, [&](mjtNum* x) {
      x[0] = mj_ray(m, d, from.data(), vec, nullptr, below(2), exclude, &id, x + 2);
      x[1] = id;
    });
  }
  static const int signatures[] = {0,
                                   mjSTATE_TIME,
                                   mjSTATE_PHYSICS,
                                   mjSTATE_FULLPHYSICS,
                                   mjSTATE_INTEGRATION,
                                   mjSTATE_USER,
                                   mjSTATE_WARMSTART | mjSTATE_CTRL};
  for (int sig : signatures) {
    int n = mj_stateSize(m, sig);
    buffer("mj_getState", n, [&](mjtNum* x) { mj_getState(m, d, x, sig); });
  }
  for (int i = 0; i < m->nu; i++) {
    std::printf("mj_readCtrl %.9g\n", mj_readCtrl(m, d, i, d->time, below(3) - 1));
  }
  std::printf("flags %d %d %d mass %.9g\n", mj_isPyramidal(m), mj_isSparse(m), mj_isDual(m),
              mj_getTotalmass(m));
}

static void derivatives() {
  int64_t n = 2 * m->nv + m->na;
  if (n > 40 || m->opt.integrator == mjINT_RK4) return;
  for (int centered : {0, 1}) {
    buffer("mjd_transitionFD", n * n, [&](mjtNum* x) {
      mjd_transitionFD(m, d, 1e-5, centered, x, nullptr, nullptr, nullptr);
      for (int64_t i = 0; i < n * n; i++) x[i] = std::round(x[i] * 1e3) / 1e3 + 0;
    });
  }
}

static void steps() {
  for (int i = 0; i < 3; i++) STAGE(mj_step);
  STAGE(mj_step1);
  STAGE(mj_step2);
  run("mj_forwardSkip", [] { mj_forwardSkip(m, d, mjSTAGE_POS, 1); });
  run("mj_inverseSkip", [] { mj_inverseSkip(m, d, mjSTAGE_VEL, 0); });
  STAGE(mj_forward);
  if (m->opt.integrator == mjINT_EULER) STAGE(mj_Euler);
  STAGE(mj_forward);
  run("mj_RungeKutta", [] { mj_RungeKutta(m, d, 4); });
  if (m->opt.integrator >= mjINT_IMPLICIT) {
    STAGE(mj_forward);
    STAGE(mj_implicit);
  }
  run("mj_setConst", [] { mj_setConst(m, d); });
  run("mj_setTotalmass", [] { mj_setTotalmass(m, 3); });
  STAGE(mj_forward);
  run("mj_resetDataDebug", [] { mj_resetDataDebug(m, d, 7); });
  STAGE(mj_resetData);
}

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  if (argc > 3) mj_loadAllPluginLibraries(argv[3], nullptr);
  engine.seed(static_cast<unsigned>(std::atoi(argv[1])));
  mju_user_error = [](const char* text) { throw std::runtime_error(text); };
  mju_user_warning = [](const char*) {};
  char error[500] = "";
  m = mj_loadXML(argv[2], nullptr, error, sizeof(error));
  if (!m) return std::printf("%s\n", error), 0;
  d = mj_makeData(m);
  for (int i = 0; i < 2; i++) {
    randomState();
    stages();
    products();
    queries();
    derivatives();
    steps();
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}
