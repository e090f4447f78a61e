// Cameras, mouse and perturbations without graphics.
#include "sample.h"

static const char* const kModel = R"(
<mujoco>
  <statistic extent="2.5" meansize="0.3" meanmass="2"/>
  <visual><map znear="0.02" zfar="40" stiffness="150" stiffnessrot="400"/><global fovy="50"/></visual>
  <worldbody>
    <camera name="c" pos="1 2 3" fovy="30"/><camera name="o" projection="orthographic" fovy="4"/>
    <camera name="i" resolution="200 100" sensorsize="0.4 0.2" focal="0.3 0.25" principal="0.02 0.01"/>
    <geom size="1"/>
    <body name="b" pos="0.3 0.1 1" quat="1 0.2 0.3 0.4"><freejoint/><geom size="0.5"/>
      <body name="e" pos="0.7 0 0"><joint axis="0 1 0"/><geom size="0.2" pos="0.1 0.2 0.3" mass="3"/>
        <geom type="box" size="0.1 0.2 0.3" mass="1"/></body></body>
    <body name="m" mocap="true" pos="1 1 1"><geom size="0.1" pos="0.1 0 0"/></body>
    <body name="fixed" pos="0 3 0"><joint type="slide"/><geom size="0.1"/></body>
  </worldbody>
</mujoco>)";

static void showCamera(const mjvScene* scn) {
  for (const mjvGLCamera& c : scn->camera) {
    show("pos", c.pos, 3);
    show("forward", c.forward, 3);
    show("up", c.up, 3);
    show("frustum", &c.frustum_center, 6);
    show("orthographic", c.orthographic);
  }
}

static mjvCamera makeCamera(int type, int id) {
  mjvCamera cam;
  mjv_defaultCamera(&cam);
  cam.type = type;
  cam.fixedcamid = cam.trackbodyid = id;
  mjtNum look[3] = {0.1, 0.2, 0.3};
  mju_copy3(cam.lookat, look);
  cam.distance = 3;
  cam.azimuth = 40;
  cam.elevation = -20;
  return cam;
}

static void cameras(const mjModel* m, mjData* d, mjvScene* scn) {
  title("cameras");
  for (int id = -1; id < 3; id++) {
    mjvCamera cam = makeCamera(id < 0 ? mjCAMERA_FREE : mjCAMERA_FIXED, id);
    mjv_updateCamera(m, d, &cam, scn);
    showCamera(scn);
    float zver[2], zhor[2], zclip[2];
    mjv_cameraFrustum(zver, zhor, zclip, m, &cam);
    show("zver", zver, 2);
    show("zhor", zhor, 2);
    show("zclip", zclip, 2);
    mjtNum head[3], forward[3], up[3], right[3];
    mjv_cameraFrame(head, forward, up, right, d, &cam);
    show("right", right, 3);
    show("height", mjv_frustumHeight(scn));
  }
  mjvCamera cam = makeCamera(mjCAMERA_TRACKING, 1);
  mjv_updateCamera(m, d, &cam, scn);
  show("lookat", cam.lookat, 3);
  showCamera(scn);
  cam = makeCamera(mjCAMERA_FIXED, 9);
  expectError("fixed out of range", [&] { mjv_updateCamera(m, d, &cam, scn); });
  mjv_defaultFreeCamera(m, &cam);
  show("default", cam.lookat, 3);
  show("default", cam.distance);
}

static void motion(const mjModel* m, mjData* d, mjvScene* scn) {
  title("motion");
  for (int type : {mjCAMERA_FREE, mjCAMERA_TRACKING, mjCAMERA_FIXED}) {
    for (int action = mjMOUSE_ROTATE_V; action <= mjMOUSE_MOVE_H_REL; action++) {
      mjvCamera cam = makeCamera(type, 1);
      mjv_updateCamera(m, d, &cam, scn);
      mjv_moveCamera(m, action, 0.1, 0.2, scn, &cam);
      std::printf("%d %d\n", type, action);
      show("lookat", cam.lookat, 3);
      mjtNum rest[3] = {cam.distance, cam.azimuth, cam.elevation};
      show("rest", rest, 3);
    }
  }
  mjvCamera cam = makeCamera(mjCAMERA_FREE, 0);
  expectError("no action", [&] { mjv_moveCamera(m, 0, 0.1, 0.2, scn, &cam); });
  mjv_moveCamera(m, mjMOUSE_ROTATE_V, 1.5, 0.9, scn, &cam);
  show("limits", cam.azimuth);
  show("limits", cam.elevation);
  for (double dy : {-3.0, -0.5, 0.9}) {
    mjv_moveCamera(m, mjMOUSE_ZOOM, 0, dy, scn, &cam);
    show("zoom", cam.distance);
  }
}

static void showPerturb(const mjvPerturb& p) {
  show("refpos", p.refpos, 3);
  show("refquat", p.refquat, 4);
  show("refselpos", p.refselpos, 3);
  show("localmass", p.localmass);
  show("scale", p.scale);
}

static mjvPerturb makePerturb(const mjModel* m, mjData* d, const mjvScene* scn, int body) {
  mjvPerturb pert;
  mjv_defaultPerturb(&pert);
  pert.select = body;
  mjtNum local[3] = {0.1, 0.2, 0.3};
  mju_copy3(pert.localpos, local);
  mjv_initPerturb(m, d, scn, &pert);
  return pert;
}

static void perturbation(const mjModel* m, mjData* d, mjvScene* scn) {
  title("perturbation");
  mjvCamera cam = makeCamera(mjCAMERA_FREE, 0);
  mjv_updateCamera(m, d, &cam, scn);
  for (int body = 0; body < m->nbody; body++) {
    mjvPerturb pert = makePerturb(m, d, scn, body);
    showPerturb(pert);
  }
  for (int action = mjMOUSE_ROTATE_V; action <= mjMOUSE_MOVE_H_REL; action++) {
    mjvPerturb pert = makePerturb(m, d, scn, 2);
    mjv_movePerturb(m, d, action, 0.1, 0.2, scn, &pert);
    std::printf("action %d\n", action);
    showPerturb(pert);
  }
  for (int body = 1; body < m->nbody; body++) {
    for (int active = 0; active < 4; active++) {
      mjvPerturb pert = makePerturb(m, d, scn, body);
      pert.active = active & 1;
      pert.active2 = active & 2;
      mjtNum shift[3] = {0.1, 0.05, -0.2}, turn[3] = {0.1, 0.2, 0.3};
      mju_addTo3(pert.refselpos, shift);
      mju_addTo3(pert.refpos, shift);
      mju_quatIntegrate(pert.refquat, turn, 1);
      mju_zero(d->xfrc_applied, 6 * (int)m->nbody);
      mjv_applyPerturbForce(m, d, &pert);
      show("force", d->xfrc_applied, 6 * (int)m->nbody);
      for (int paused = 0; paused < 2; paused++) {
        Data copy(mj_copyData(nullptr, m, d));
        mjv_applyPerturbPose(m, copy.get(), &pert, paused);
        show("qpos", copy->qpos, (int)m->nq);
        show("mocap", copy->mocap_pos, 3);
        show("mocap", copy->mocap_quat, 4);
      }
    }
  }
}

static void rooms(mjvScene* scn) {
  title("rooms");
  scn->enabletransform = 1;
  scn->translate[0] = 0.1f, scn->translate[1] = 0.2f, scn->translate[2] = 0.3f;
  scn->rotate[0] = 0.8f, scn->rotate[2] = 0.6f;
  scn->scale = 2;
  mjtNum pos[3], quat[4], from[3] = {1, 2, 3}, q[4] = {0.6, 0, 0.8, 0}, forward[3], up[3];
  mjv_room2model(pos, quat, from, q, scn);
  show("pos", pos, 3);
  show("quat", quat, 4);
  mjv_model2room(pos, quat, from, q, scn);
  show("pos", pos, 3);
  show("quat", quat, 4);
  mjv_cameraInModel(pos, forward, up, scn);
  show("model", pos, 3);
  show("forward", forward, 3);
  mjv_cameraInRoom(pos, forward, up, scn);
  show("room", pos, 3);
  mjtNum res[3], vec[3] = {1, 2, 3};
  mjv_alignToCamera(res, vec, forward);
  show("aligned", res, 3);
  mjvGLCamera mean = mjv_averageCamera(&scn->camera[0], &scn->camera[1]);
  show("mean", mean.pos, 3);
  scn->enabletransform = 0;
}

int main() {
  catchMessages();
  Model m = load(kModel);
  Data d(mj_makeData(m.get()));
  for (int i = 0; i < m->nv; i++) d->qvel[i] = 0.1 * (i + 1);
  mj_forward(m.get(), d.get());
  mjvScene scn;
  mjv_defaultScene(&scn);
  mjv_makeScene(m.get(), &scn, 100);
  cameras(m.get(), d.get(), &scn);
  motion(m.get(), d.get(), &scn);
  perturbation(m.get(), d.get(), &scn);
  rooms(&scn);
  mjv_freeScene(&scn);
}
