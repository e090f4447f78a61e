// Every stage of a step by its own function, on a model with a bit of everything.
#include "sample.h"

static const char* const kModel = R"(
<mujoco>
  <option timestep="0.004" density="1.2" viscosity="0.01" wind="1 0 0"><flag energy="enable" fwdinv="enable"/></option>
  <default><geom friction="0.8 0.01 0.001"/></default>
  <worldbody>
    <light name="sun" pos="0 0 3" mode="trackcom"/>
    <camera name="eye" pos="0 -2 1" mode="targetbody" target="torso"/>
    <geom name="floor" type="plane" size="3 3 0.1"/>
    <site name="anchor" pos="0 0 1.5"/>
    <body name="torso" pos="0 0 0.25">
      <freejoint name="root"/>
      <geom name="trunk" type="box" size="0.2 0.1 0.05"/>
      <site name="imu"/>
      <body name="leg" pos="0.2 0 0">
        <joint name="hip" axis="0 1 0" range="-30 30" damping="0.2" stiffness="1" frictionloss="0.02" armature="0.01"/>
        <geom name="thigh" type="capsule" fromto="0 0 0 0.2 0 -0.1" size="0.03"/>
        <site name="foot" pos="0.2 0 -0.1"/>
      </body>
      <body name="wheel" pos="-0.2 0 0">
        <joint name="axle" type="ball"/><geom name="tire" type="sphere" size="0.08"/>
      </body>
    </body>
    <body name="slider" pos="1 0 0.5"><joint name="rail" type="slide" axis="0 0 1" limited="true" range="-0.2 0.2"/>
      <geom name="block" type="ellipsoid" size="0.1 0.2 0.1" gap="0.01" margin="0.02"/></body>
    <body name="target" mocap="true" pos="0 1 1"><geom name="ghost" type="sphere" size="0.05" contype="0" conaffinity="0"/></body>
  </worldbody>
  <equality><connect name="hold" body1="slider" body2="target" anchor="0 0 0" active="false"/><joint joint1="rail" polycoef="0.1 0 0 0 0"/></equality>
  <tendon>
    <spatial name="rope" stiffness="2" damping="0.1" limited="true" range="0 3"><site site="anchor"/><site site="imu"/><site site="foot"/></spatial>
    <fixed name="mix"><joint joint="hip" coef="2"/><joint joint="rail" coef="-1"/></fixed>
  </tendon>
  <actuator>
    <motor name="m" joint="hip" gear="2"/><position name="p" joint="rail" kp="5"/>
    <general name="g" tendon="mix" dyntype="filter" dynprm="0.1"/><muscle name="mus" tendon="rope" lengthrange="0.5 3"/>
  </actuator>
  <sensor>
    <accelerometer site="imu"/><gyro site="imu"/><velocimeter site="imu"/><touch site="foot"/><jointpos joint="hip"/>
    <jointvel joint="hip"/><tendonpos tendon="rope"/><actuatorfrc actuator="m"/><framequat objtype="body" objname="leg"/>
    <subtreecom body="torso"/><subtreeangmom body="torso"/><clock/><e_potential/><e_kinetic/><rangefinder site="foot"/>
    <framelinacc objtype="site" objname="foot"/>
  </sensor>
  <keyframe><key name="k" time="1" qvel="0 0 0 0 0 0 1 0 0 0 0"/></keyframe>
</mujoco>)";

static void prepare(const mjModel* m, mjData* d) {
  mj_resetData(m, d);
  for (int i = 0; i < m->nv; i++) d->qvel[i] = 0.1 * (i % 3) - 0.05;
  for (int i = 0; i < m->nu; i++) d->ctrl[i] = 0.2 * (i + 1);
  for (int i = 0; i < m->na; i++) d->act[i] = 0.1 * (i + 1);
  d->qfrc_applied[7] = 0.3;
  d->xfrc_applied[6] = 0.1;
}

static void position(const mjModel* m, mjData* d) {
  title("position");
  prepare(m, d);
  mj_kinematics(m, d);
  show("xpos", d->xpos, 3 * (int)m->nbody);
  show("xquat", d->xquat, 4 * (int)m->nbody);
  mj_comPos(m, d);
  show("subtree_com", d->subtree_com, 3 * (int)m->nbody);
  mj_camlight(m, d);
  show("cam_xmat", d->cam_xmat, 9);
  show("light_xdir", d->light_xdir, 3);
  mj_flex(m, d);
  mj_tendon(m, d);
  show("ten_length", d->ten_length, (int)m->ntendon);
  mj_makeM(m, d);
  std::vector<mjtNum> full(m->nv * m->nv);
  mj_fullM(m, full.data(), d->qM);
  show("M", full.data(), (int)(m->nv * m->nv));
  mj_crb(m, d);
  mj_factorM(m, d);
  mj_transmission(m, d);
  show("actuator_length", d->actuator_length, (int)m->nu);
  mj_collision(m, d);
  show("ncon", d->ncon);
  for (int i = 0; i < d->ncon; i++) show("dist", d->contact[i].dist);
  mj_makeConstraint(m, d);
  mj_island(m, d);
  show("nefc", d->nefc);
  show("nisland", d->nisland);
  show("efc_pos", d->efc_pos, d->nefc);
  show("efc_diagApprox", d->efc_diagApprox, d->nefc);
  mj_projectConstraint(m, d);
  mj_sensorPos(m, d);
  mj_energyPos(m, d);
  show("energy", d->energy, 1);
}

static void velocity(const mjModel* m, mjData* d) {
  title("velocity");
  mj_fwdPosition(m, d);
  mj_comVel(m, d);
  show("cvel", d->cvel, 6 * (int)m->nbody);
  mj_fwdVelocity(m, d);
  mj_passive(m, d);
  show("qfrc_passive", d->qfrc_passive, (int)m->nv);
  mj_referenceConstraint(m, d);
  show("efc_aref", d->efc_aref, d->nefc);
  std::vector<mjtNum> force(m->nv);
  mj_rne(m, d, 0, force.data());
  show("rne", force.data(), (int)m->nv);
  mj_subtreeVel(m, d);
  show("subtree_linvel", d->subtree_linvel, 3 * (int)m->nbody);
  mj_sensorVel(m, d);
  mj_energyVel(m, d);
  show("energy", d->energy, 2);
}

static void acceleration(const mjModel* m, mjData* d) {
  title("acceleration");
  mj_fwdActuation(m, d);
  show("actuator_force", d->actuator_force, (int)m->nu);
  show("act_dot", d->act_dot, (int)m->na);
  mj_fwdAcceleration(m, d);
  show("qacc_smooth", d->qacc_smooth, (int)m->nv);
  mj_fwdConstraint(m, d);
  show("qacc", d->qacc, (int)m->nv);
  show("qfrc_constraint", d->qfrc_constraint, (int)m->nv);
  mj_rnePostConstraint(m, d);
  show("cfrc_int", d->cfrc_int, 6 * (int)m->nbody);
  mj_sensorAcc(m, d);
  show("sensordata", d->sensordata, (int)m->nsensordata);
  std::vector<mjtNum> jar(d->nefc);
  mj_mulJacVec(m, d, jar.data(), d->qacc);
  for (int i = 0; i < d->nefc; i++) jar[i] -= d->efc_aref[i];
  mjtNum cost = -1;
  mj_constraintUpdate(m, d, jar.data(), &cost, 1);
  show("cost", cost);
  show("efc_state", d->efc_state, d->nefc);
  mj_checkPos(m, d);
  mj_checkVel(m, d);
  mj_checkAcc(m, d);
}

static void integrators(const mjModel* model) {
  title("integrators");
  Model m(mj_copyModel(nullptr, model));
  Data d(mj_makeData(m.get()));
  for (int integrator : {mjINT_EULER, mjINT_RK4, mjINT_IMPLICIT, mjINT_IMPLICITFAST}) {
    m->opt.integrator = integrator;
    prepare(m.get(), d.get());
    mj_forward(m.get(), d.get());
    if (integrator == mjINT_EULER) mj_Euler(m.get(), d.get());
    if (integrator == mjINT_RK4) mj_RungeKutta(m.get(), d.get(), 4);
    if (integrator == mjINT_IMPLICIT || integrator == mjINT_IMPLICITFAST)
      mj_implicit(m.get(), d.get());
    show("qvel", d->qvel, (int)m->nv);
    show("qpos", d->qpos, (int)m->nq);
    show("act", d->act, (int)m->na);
    show("time", d->time);
  }
  expectError("Runge-Kutta of order 3", [&] { mj_RungeKutta(m.get(), d.get(), 3); });
}

static void steps(const mjModel* m, mjData* d) {
  title("steps");
  prepare(m, d);
  for (int i = 0; i < 5; i++) mj_step(m, d);
  show("qpos", d->qpos, (int)m->nq);
  prepare(m, d);
  for (int i = 0; i < 5; i++) {
    mj_step1(m, d);
    mj_step2(m, d);
  }
  show("qpos", d->qpos, (int)m->nq);
  mj_forward(m, d);
  show("solver_fwdinv", d->solver_fwdinv, 0);
  mj_forwardSkip(m, d, mjSTAGE_POS, 1);
  mj_forwardSkip(m, d, mjSTAGE_VEL, 0);
  show("qacc", d->qacc, (int)m->nv);
  mj_inverse(m, d);
  show("qfrc_inverse", d->qfrc_inverse, (int)m->nv);
  mj_inverseSkip(m, d, mjSTAGE_VEL, 1);
  mj_invPosition(m, d);
  mj_invVelocity(m, d);
  mj_invConstraint(m, d);
  show("qfrc_constraint", d->qfrc_constraint, (int)m->nv);
  mj_compareFwdInv(m, d);
  show("small", d->solver_fwdinv[0] < 1e-3 && d->solver_fwdinv[1] < 1e-3);
  mj_resetDataKeyframe(m, d, 0);
  show("time", d->time);
  show("qvel", d->qvel, (int)m->nv);
  mj_resetDataKeyframe(m, d, 5);
  show("time", d->time);
  mj_resetDataDebug(m, d, 0xff);
  show("debug", mju_isBad(d->qacc_smooth[0]));
  mj_fwdKinematics(m, d);
  show("xipos", d->xipos, 6);
}

int main() {
  catchMessages();
  Model m = load(kModel);
  Data d(mj_makeData(m.get()));
  position(m.get(), d.get());
  velocity(m.get(), d.get());
  acceleration(m.get(), d.get());
  integrators(m.get());
  steps(m.get(), d.get());
}
