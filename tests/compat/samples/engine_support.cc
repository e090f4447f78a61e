// Support functions: states, Jacobians, names, forces, rays, memory of a simulation, their errors.
#include "sample.h"

static const char* const kModel = R"(
<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="3 3 0.1"/>
    <body name="a" pos="0 0 0.5"><joint name="free" type="free"/><geom name="ball" size="0.1"/><site name="s" pos="0.1 0 0"/>
      <body name="b" pos="0.3 0 0"><joint name="hinge" axis="0 1 0"/><geom name="rod" type="capsule" size="0.02 0.1"/></body></body>
    <body name="c" pos="1 0 0.1"><joint name="slide" type="slide"/><geom name="cube" type="box" size="0.1 0.1 0.12"/></body>
    <body name="pointer" mocap="true" pos="0 2 0"/>
    <camera name="cam"/><light name="light"/>
  </worldbody>
  <actuator><motor name="motor" joint="hinge"/><intvelocity name="servo" joint="slide" kp="1" actrange="-1 1"/></actuator>
  <sensor><jointpos name="angle" joint="hinge"/></sensor>
  <keyframe><key name="one"/><key name="two"/></keyframe>
</mujoco>)";

static void states(const mjModel* m, mjData* d) {
  title("states");
  for (int i = 0; i < mjNSTATE; i++) std::printf("size %d: %d\n", i, mj_stateSize(m, 1 << i));
  for (int sig : {mjSTATE_PHYSICS, mjSTATE_FULLPHYSICS, mjSTATE_USER, mjSTATE_INTEGRATION}) {
    show("size", mj_stateSize(m, sig));
  }
  int n = mj_stateSize(m, mjSTATE_INTEGRATION);
  std::vector<mjtNum> state(n), part(n);
  d->time = 2;
  d->qpos[0] = 0.5;
  d->ctrl[1] = 0.7;
  mj_getState(m, d, state.data(), mjSTATE_INTEGRATION);
  show("state", state.data(), n);
  mj_extractState(m, state.data(), mjSTATE_INTEGRATION, part.data(), mjSTATE_TIME | mjSTATE_CTRL);
  show("part", part.data(), 3);
  expectError("extract more", [&] {
    mj_extractState(m, state.data(), mjSTATE_TIME, part.data(), mjSTATE_TIME | mjSTATE_CTRL);
  });
  Data other(mj_makeData(m));
  mj_setState(m, other.get(), state.data(), mjSTATE_INTEGRATION);
  show("time", other->time);
  mj_resetData(m, other.get());
  mj_copyState(m, d, other.get(), mjSTATE_QPOS);
  show("qpos", other->qpos, (int)m->nq);
  expectError("size", [&] { show("none", mj_stateSize(m, -1)); });
  expectError("size", [&] { show("none", mj_stateSize(m, 1 << mjNSTATE)); });
  expectError("get", [&] { mj_getState(m, d, state.data(), 1 << mjNSTATE); });
  expectError("set", [&] { mj_setState(m, d, state.data(), 1 << mjNSTATE); });
  expectError("copy", [&] { mj_copyState(m, d, other.get(), 1 << mjNSTATE); });
}

static void names(const mjModel* m) {
  title("names");
  for (int type = 0; type < mjNOBJECT; type++) {
    const char* name = mj_id2name(m, type, 0);
    std::printf("%d %s: %s %d\n", type, mju_type2Str(type) ? mju_type2Str(type) : "-",
                name ? name : "-", name ? mj_name2id(m, type, name) : -2);
  }
  show("out of range", mj_id2name(m, mjOBJ_GEOM, 100));
  show("negative", mj_id2name(m, mjOBJ_GEOM, -1));
  show("missing", mj_name2id(m, mjOBJ_GEOM, "nothing"));
  show("bad type", mj_name2id(m, 12345, "ball"));
  show("bad type", mj_id2name(m, 12345, 0));
  show("empty", mj_name2id(m, mjOBJ_GEOM, ""));
  show("str", mju_str2Type("geom"));
  show("str", mju_str2Type("nothing"));
  show("type", mju_type2Str(1000));
  show("bytes", mju_writeNumBytes(12));
  show("bytes", mju_writeNumBytes(1024));
  show("bytes", mju_writeNumBytes(123456789));
  for (int i = 0; i < mjNWARNING; i++) show("warning", mju_warningText(i, 7));
  show("version", mj_version());
  show("version", mj_versionString());
}

static void jacobians(const mjModel* m, mjData* d) {
  title("jacobians");
  int nv = (int)m->nv;
  std::vector<mjtNum> p(3 * nv), r(3 * nv), q(nv);
  mjtNum point[3] = {0.4, 0.1, 0.6}, axis[3] = {0, 0.6, 0.8};
  d->qvel[3] = 0.5;
  d->qvel[6] = -0.3;
  mj_forward(m, d);
  mj_jac(m, d, p.data(), r.data(), point, 2);
  show("jac", p.data(), 3 * nv);
  mj_jac(m, d, nullptr, r.data(), point, 2);
  show("jac", r.data(), 3 * nv);
  mj_jacBody(m, d, p.data(), nullptr, 2);
  show("body", p.data(), 3 * nv);
  mj_jacBodyCom(m, d, p.data(), nullptr, 2);
  show("com", p.data(), 3 * nv);
  mj_jacSubtreeCom(m, d, p.data(), 1);
  show("subtree", p.data(), 3 * nv);
  mj_jacGeom(m, d, p.data(), nullptr, 2);
  show("geom", p.data(), 3 * nv);
  mj_jacSite(m, d, p.data(), nullptr, 0);
  show("site", p.data(), 3 * nv);
  mj_jacPointAxis(m, d, p.data(), r.data(), point, axis, 2);
  show("axis", r.data(), 3 * nv);
  mj_jacDot(m, d, p.data(), r.data(), point, 2);
  show("dot", p.data(), 3 * nv);
  mj_angmomMat(m, d, p.data(), 1);
  show("angular momentum", p.data(), 3 * nv);
  mjtNum force[3] = {1, 2, 3}, torque[3] = {0.1, 0.2, 0.3}, result[6];
  mj_applyFT(m, d, force, torque, point, 2, q.data());
  show("applied", q.data(), nv);
  mj_applyFT(m, d, nullptr, torque, point, 2, q.data());
  show("applied", q.data(), nv);
  for (int type : {mjOBJ_BODY, mjOBJ_XBODY, mjOBJ_GEOM, mjOBJ_SITE}) {
    mj_objectVelocity(m, d, type, 0, result, 1);
    show("velocity", result, 6);
    mj_objectVelocity(m, d, type, type == mjOBJ_SITE ? 0 : 2, result, 0);
    show("velocity", result, 6);
    mj_rnePostConstraint(m, d);
    mj_objectAcceleration(m, d, type, type == mjOBJ_SITE ? 0 : 2, result, 1);
    show("acceleration", result, 6);
  }
  expectError("velocity of a joint", [&] { mj_objectVelocity(m, d, mjOBJ_JOINT, 0, result, 0); });
  expectError("acceleration of a joint",
              [&] { mj_objectAcceleration(m, d, mjOBJ_JOINT, 0, result, 0); });
}

static void inertia(const mjModel* m, mjData* d) {
  title("inertia");
  int nv = (int)m->nv;
  std::vector<mjtNum> v(nv), w(nv), full(nv * nv), root(nv, 1);
  for (int i = 0; i < nv; i++) v[i] = 1 + 0.1 * i;
  mj_mulM(m, d, w.data(), v.data());
  show("mul", w.data(), nv);
  mj_mulM2(m, d, w.data(), v.data());
  show("mul2", w.data(), nv);
  mj_solveM(m, d, w.data(), v.data(), 1);
  show("solve", w.data(), nv);
  mj_solveM2(m, d, w.data(), v.data(), root.data(), 1);
  mj_addM(m, d, full.data(), nullptr, nullptr, nullptr);
  show("add", full.data(), nv * nv);
  mj_fullM(m, full.data(), d->qM);
  show("full", full.data(), nv * nv);
  show("mass", mj_getTotalmass(m));
  std::vector<mjtNum> pos(m->nq), vel(nv);
  mju_copy(pos.data(), d->qpos, (int)m->nq);
  mj_integratePos(m, pos.data(), v.data(), 0.1);
  show("integrated", pos.data(), (int)m->nq);
  mj_differentiatePos(m, vel.data(), 0.1, d->qpos, pos.data());
  show("differentiated", vel.data(), nv);
  pos[3] = 2;
  mj_normalizeQuat(m, pos.data());
  show("normalized", pos.data(), (int)m->nq);
  mjtNum xpos[3], xmat[9], local[3] = {1, 0, 0}, quat[4] = {1, 0, 0, 0};
  mj_local2Global(d, xpos, xmat, local, quat, 2, 0);
  show("global", xpos, 3);
  mj_local2Global(d, xpos, xmat, local, quat, 2, mjSAMEFRAME_BODY);
  show("same", xpos, 3);
}

static void contacts(const mjModel* m, mjData* d) {
  title("contacts");
  mj_resetData(m, d);
  mj_forward(m, d);
  show("ncon", d->ncon);
  mjtNum wrench[6], fromto[6];
  mj_contactForce(m, d, 0, wrench);
  show("force", wrench, 6);
  mj_contactForce(m, d, 50, wrench);
  show("no contact", wrench, 6);
  show("distance", mj_geomDistance(m, d, 1, 2, 5, fromto));
  show("segment", fromto, 6);
  show("distance", mj_geomDistance(m, d, 1, 3, 0.1, nullptr));
  show("pyramidal", mj_isPyramidal(m));
  show("sparse", mj_isSparse(m));
  show("dual", mj_isDual(m));
  std::vector<mjtNum> row(d->nefc), v(m->nv, 1), t(m->nv);
  mj_mulJacVec(m, d, row.data(), v.data());
  show("J v", row.data(), d->nefc);
  mj_mulJacTVec(m, d, t.data(), row.data());
  show("JT J v", t.data(), (int)m->nv);
  mjContact contact = d->contact[0];
  show("added", mj_addContact(m, d, &contact));
  show("ncon", d->ncon);
  show("nefc", d->nefc);
}

static void rays(const mjModel* m, mjData* d) {
  title("rays");
  int id = -5;
  mjtNum from[3] = {0, 0, 3}, down[3] = {0, 0, -1}, normal[3];
  show("hit", mj_ray(m, d, from, down, nullptr, 1, -1, &id, normal));
  show("geom", id);
  show("normal", normal, 3);
  show("excluded", mj_ray(m, d, from, down, nullptr, 1, 1, &id, nullptr));
  mjtByte groups[6] = {0, 0, 0, 0, 0, 0};
  show("no groups", mj_ray(m, d, from, down, groups, 1, -1, &id, nullptr));
  show("moving only", mj_ray(m, d, from, down, nullptr, 0, 1, &id, nullptr));
  mjtNum directions[9] = {0, 0, -1, 1, 0, -2.9, 0, 1, 0}, distances[3], normals[9];
  int ids[3];
  mj_multiRay(m, d, from, directions, nullptr, 1, -1, ids, distances, normals, 3, 100);
  show("ids", ids, 3);
  show("distances", distances, 3);
  mjtNum pos[3] = {0, 0, 0}, mat[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, size[3] = {0.5, 0.6, 0.7};
  for (int type : {mjGEOM_PLANE, mjGEOM_SPHERE, mjGEOM_CAPSULE, mjGEOM_ELLIPSOID, mjGEOM_CYLINDER,
                   mjGEOM_BOX}) {
    show("shape", mju_rayGeom(pos, mat, size, from, down, type, normal));
    show("normal", normal, 3);
  }
  expectError("ray against a mesh shape",
              [&] { mju_rayGeom(pos, mat, size, from, down, mjGEOM_MESH, nullptr); });
  int face[3] = {0, 1, 2}, vertex = -1;
  float vert[9] = {-1, -1, 0, 1, -1, 0, 0, 1, 0};
  show("skin", mju_raySkin(1, 3, face, vert, from, down, &vertex));
  show("vertex", vertex);
  mjtNum zero[3] = {0, 0, 0};
  expectError("no direction",
              [&] { show("hit", mj_ray(m, d, from, zero, nullptr, 1, -1, &id, nullptr)); });
  expectError("ray against a sphere as a mesh", [&] { mj_rayMesh(m, d, 1, from, down, nullptr); });
  expectError("ray against a sphere as a field",
              [&] { mj_rayHfield(m, d, 1, from, down, nullptr); });
}

static void memory(const mjModel* m, mjData* d) {
  title("memory");
  mj_markStack(d);
  mjtNum* numbers = mj_stackAllocNum(d, 10);
  int* integers = mj_stackAllocInt(d, 3);
  char* bytes = static_cast<char*>(mj_stackAllocByte(d, 100, 64));
  show("aligned", reinterpret_cast<uintptr_t>(bytes) % 64);
  numbers[9] = integers[2] = bytes[99] = 1;
  mj_freeStack(d);
  show("stack", d->pstack);
  mj_markStack(d);
  bool refused = false;
  try {
    mj_stackAllocNum(d, 1ull << 40);
  } catch (const std::runtime_error& error) {
    refused = std::strstr(error.what(), "mj_stackAlloc: out of memory, stack overflow") != nullptr;
  }
  show("too much", refused);
  mj_freeStack(d);
  show("nothing", mj_stackAllocNum(d, 0) == nullptr);
  Data copy(mj_copyData(nullptr, m, d));
  show("copied", copy->qpos[0] == d->qpos[0]);
  Model twin(mj_copyModel(nullptr, m));
  mj_copyModel(twin.get(), m);
  show("twin", twin->nq);
  mj_setKeyframe(twin.get(), d, 1);
  show("key", twin->key_qpos + m->nq, (int)m->nq);
  expectError("key out of range", [&] { mj_setKeyframe(twin.get(), d, 2); });
  expectError("key negative", [&] { mj_setKeyframe(twin.get(), d, -1); });
  mj_setTotalmass(twin.get(), 3);
  show("mass", mj_getTotalmass(twin.get()));
  twin->qpos0[7] = 0.4;
  mj_setConst(twin.get(), copy.get());
  show("weights", twin->body_invweight0, 2 * (int)m->nbody);
  mjLROpt opt;
  mj_defaultLROpt(&opt);
  show("options", &opt.mode, 3);
  char error[300] = "";
  show("length range", mj_setLengthRange(twin.get(), copy.get(), 0, &opt, error, sizeof(error)));
  show("error", error);
  mjtNum solref[2], solimp[5];
  mj_defaultSolRefImp(solref, solimp);
  show("solref", solref, 2);
  show("solimp", solimp, 5);
  mj_deleteData(nullptr);
  mj_deleteModel(nullptr);
}

static void history() {
  title("history");
  Model m = load(
      R"(<mujoco><worldbody><body><joint name="j" type="slide"/><geom size="0.1"/></body></worldbody>
    <actuator><motor name="m" joint="j" nsample="5" delay="0.004" interp="linear"/></actuator>
    <sensor><jointpos name="p" joint="j" nsample="4" delay="0.002"/></sensor></mujoco>)");
  if (!m) return;
  Data d(mj_makeData(m.get()));
  mjtNum times[5] = {-0.008, -0.006, -0.004, -0.002, 0}, values[5] = {1, 2, 3, 4, 5}, result = 0;
  mj_initCtrlHistory(m.get(), d.get(), 0, times, values);
  for (mjtNum t : {-0.009, -0.007, -0.004, 0.0, 0.01}) {
    show("ctrl", mj_readCtrl(m.get(), d.get(), 0, t, 0));
    show("ctrl", mj_readCtrl(m.get(), d.get(), 0, t, 1));
    show("ctrl", mj_readCtrl(m.get(), d.get(), 0, t, 2));
    show("ctrl", mj_readCtrl(m.get(), d.get(), 0, t, -1));
  }
  mj_initSensorHistory(m.get(), d.get(), 0, times, values, 0);
  const mjtNum* value = mj_readSensor(m.get(), d.get(), 0, -0.007, &result, 1);
  show("sensor", value ? *value : result);
  for (int i = 0; i < 6; i++) {
    d->ctrl[0] = i;
    mj_step(m.get(), d.get());
    show("force", d->actuator_force[0]);
  }
  expectError("bad actuator", [&] { mj_readCtrl(m.get(), d.get(), 3, 0, 0); });
  expectError("bad sensor", [&] { mj_readSensor(m.get(), d.get(), 3, 0, &result, 0); });
}

int main() {
  catchMessages();
  Model m = load(kModel);
  Data d(mj_makeData(m.get()));
  mj_forward(m.get(), d.get());
  states(m.get(), d.get());
  names(m.get());
  jacobians(m.get(), d.get());
  inertia(m.get(), d.get());
  contacts(m.get(), d.get());
  rays(m.get(), d.get());
  memory(m.get(), d.get());
  history();
}
