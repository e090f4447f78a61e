"""Misuse of the Python package: an exception, or nothing at all; never a crash and never a hang.

Every line of SNIPPETS runs in a process of its own, with model and data of one model, other and foreign of another
one (misuse_runner.py). Lines under "raises" must raise, those under "survives" may end as they like.
"""

import json
import pathlib
import subprocess
import sys

import pytest

RUNNER = pathlib.Path(__file__).with_name("misuse_runner.py")

RAISES = """
b = mj.Batch(model, 3); a = np.zeros((3, 8, 8, 3), np.uint8); a.flags.writeable = False; b.render(-1, 8, 8, out=a)
b = mj.Batch(model, 3); b.render(-1, 8, 8, out=np.zeros(5))
b = mj.Batch(model, 3); b.render(-1, 0, 8)
b = mj.Batch(model, 3); b.render(9, 8, 8)
b = mj.Batch(model, 3); b.render(-1, 10**6, 10**6)
mj.Renderer(model, 0, 10)
r = mj.Renderer(model, 24, 32); r.close(); r.render()
r = mj.Renderer(model, 24, 32); r.update_scene(foreign)
mj.Renderer(model, 10, 10).update_scene(data, camera=99)
model.vis.global_.offwidth = model.vis.global_.offheight = 10**6; mj.Renderer(model, 10**6, 10**6)
m = mj.MjModel.from_xml_string(CLOTH); m.flex('zz')
m = mj.MjModel.from_xml_string(CLOTH); m.flex(99)
s = mj.MjSpec.from_string(CLOTH); s.deformables[0].element = [0, 1, 10**9]; s.compile()
s = mj.MjSpec.from_string(CLOTH); s.deformables[0].pin = [10**9]; s.compile()
s = mj.MjSpec.from_string(CLOTH); s.deformables[0].substeps = 10**6; s.compile()
mj.mj_step(model, foreign)
mj.mj_step(other, data)
mj.mj_step(model, None)
mj.mj_step(None, data)
mj.mj_step(data, model)
mj.mj_forward(other, data)
mj.mj_inverse(other, data)
mj.mj_resetData(other, data)
mj.mj_resetDataKeyframe(other, data, 0)
mj.mj_setConst(other, data)
mj.mj_copyData(data, model, foreign)
mj.mj_copyData(foreign, model, data)
mj.mj_copyData(foreign, other, data)
mj.mj_copyState(model, data, foreign, 1)
mj.mj_setKeyframe(model, data, 1)
mj.mj_setKeyframe(model, data, -1)
mj.mj_setKeyframe(other, data, 0)
mj.mj_getState(model, foreign, np.zeros(mj.mj_stateSize(model, 1)), 1)
mj.mj_getState(model, data, np.zeros(1), 2)
mj.mj_stateSize(model, -1)
mj.mj_stateSize(model, 1 << 30)
mj.mj_jacBody(model, data, np.zeros((3, model.nv)), None, 99)
mj.mj_jacBody(model, data, np.zeros((3, model.nv)), None, -1)
mj.mj_jacBody(model, foreign, np.zeros((3, model.nv)), None, 0)
mj.mj_jacBody(model, data, np.zeros((3, 1)), None, 0)
mj.mj_jacSite(model, data, np.zeros((3, model.nv)), None, 2**31 - 1)
mj.mj_jacGeom(model, data, np.zeros((3, model.nv)), None, -2**31)
mj.mj_jacSubtreeCom(model, data, np.zeros((3, model.nv)), 1000)
mj.mj_jacDot(model, data, np.zeros((3, model.nv)), None, np.zeros(3), 1000)
mj.mj_angmomMat(model, data, np.zeros((3, model.nv)), 10**6)
mj.mj_objectVelocity(model, data, 1, 77, np.zeros(6), 0)
mj.mj_objectVelocity(model, data, 1000, 0, np.zeros(6), 0)
mj.mj_objectAcceleration(model, data, 6, -1, np.zeros(6), 0)
mj.mj_applyFT(model, data, np.zeros(3), np.zeros(3), np.zeros(3), 99, np.zeros(model.nv))
mj.mj_local2Global(data, np.zeros(3), np.zeros(9), np.zeros(3), np.zeros(4), 99, 0)
mj.mj_rayMesh(model, data, 10**6, np.zeros(3), np.ones(3))
mj.mj_rayHfield(model, data, -1, np.zeros(3), np.ones(3))
mj.mj_ray(model, foreign, np.zeros(3), np.ones(3), None, 1, -1, np.zeros(1, np.int32))
mj.mj_ray(model, data, np.zeros(3), np.zeros(3), None, 1, -1, np.zeros(1, np.int32))
mj.mj_ray(model, data, np.zeros(3), np.ones(3), np.zeros(2, np.uint8), 1, -1, np.zeros(1, np.int32))
mj.mj_multiRay(model, data, np.zeros(3), np.ones(9), None, 1, -1, np.zeros(1, np.int32), np.zeros(3), None, 3, 1.)
mj.mj_geomDistance(model, data, 0, 99, 1., None)
mj.mj_geomDistance(model, foreign, 0, 1, 1., None)
mj.mj_fullM(model, np.zeros((2, 2)), data.qM)
mj.mj_mulM(model, data, np.zeros(1), np.zeros(model.nv))
mj.mj_mulM(model, foreign, np.zeros(model.nv), np.zeros(model.nv))
mj.mj_solveM(model, data, np.zeros((1, 2)), np.zeros((1, 2)))
mj.mj_solveM(other, data, np.zeros((1, other.nv)), np.zeros((1, other.nv)))
mj.mj_differentiatePos(model, np.zeros(1), 1., data.qpos, data.qpos)
mj.mj_integratePos(model, np.zeros(2), data.qvel, 1.)
mj.mj_addContact(model, foreign, mj.MjContact())
mj.mj_addContact(model, data, mj.MjContact())
c = mj.MjContact(); c.dim = 3; c.geom = [10**6, 0]; mj.mj_addContact(model, data, c)
c = mj.MjContact(); c.dim = 99; c.geom = [0, 1]; mj.mj_addContact(model, data, c)
mj.mjd_transitionFD(other, data, 1e-6, 1, None, None, None, None)
mj.mjd_inverseFD(other, data, 1e-6, 1, None, None, None, None, None, None, None)
mj.mj_readSensor(model, data, 99, 0., np.zeros(1), 0)
mj.mj_initCtrlHistory(model, data, 99, None, np.zeros(1))
mj.mj_setLengthRange(model, data, 99, mj.MjLROpt())
mj.mj_setLengthRange(other, data, 0, mj.MjLROpt())
mj.mj_RungeKutta(model, data, 2**31 - 1)
mj.mju_mulMatVec(np.zeros(3), np.zeros((3, 3)), np.zeros(2))
mj.mju_cholFactor(np.zeros((2, 3)), 1.)
mj.MjData(None)
mj.MjData("model")
mj.MjData(data)
mj.MjModel.from_xml_string(None)
mj.MjModel.from_xml_string("")
mj.MjModel.from_xml_string("<mujoco")
mj.MjModel.from_xml_path("/nowhere/model.xml")
mj.MjModel.from_binary_path("/nowhere/model.mjb")
mj.MjModel.from_xml_string(XML, {"a": 3})
data.qpos = np.zeros(2)
data.qpos[1000]
data.qpos = "text"
model.geom_size[99]
model.body("nobody")
model.body(99)
data.body("b").none
data.contact[99]
data.ncon = 10**6
data.nefc = 10**6
data.ncon = -1
data.nv_awake = 10**6
data.narena = 2**40
data.pstack = 2**40
data.parena = 2**40
data.nbuffer = 0
data.signature = 0
data.threadpool = 3
data.warning[99]
data.timer[-1000]
mj.Batch(model, 0)
mj.Batch(model, -1)
mj.Batch(model, 2**31 - 1)
mj.Batch(None, 2)
mj.Batch(model, 2, device="tpu")
mj.Batch(model, 2, keyframe=9)
mj.Batch(model, 2).copy_world(2)
mj.Batch(model, 2).copy_world(-1)
mj.Batch(model, 2).copy_world(0, foreign)
mj.Batch(model, 2).step_subset([5])
mj.Batch(model, 2).step_subset([-1])
mj.Batch(model, 2).step(1, np.zeros((3, 1)))
mj.Batch(model, 2).set_state(np.zeros((2, 1)))
mj.Batch(model, 2).reset(keyframe=99)
mj.Batch(model, 2).reset(mask=np.ones(7, bool))
mj.Batch(model, 2).field("nothing")
mj.Batch(model, 2).model_field("nothing")
import sinew.rollout; sinew.rollout.rollout(model, foreign, np.zeros((1, mj.mj_stateSize(model, 16383))), nstep=2)
import sinew.rollout; sinew.rollout.rollout(model, [data, data], np.zeros((2, 3)), nstep=2)
import sinew.rollout; sinew.rollout.rollout(model, data, np.zeros((1, 1)), nstep=2)
mj.MjvScene(model, -1)
mj.MjvScene(model, 2**31 - 1)
s = mj.MjvScene(model, 10); s.ngeom = 11
s = mj.MjvScene(model, 10); s.ngeom = -1
s = mj.MjvScene(model, 10); s.maxgeom = 10**6
s = mj.MjvScene(model, 10); mj.mjv_updateScene(model, foreign, mj.MjvOption(), None, mj.MjvCamera(), 7, s)
s = mj.MjvScene(model, 10); mj.mjv_updateScene(model, data, s, None, mj.MjvCamera(), 7, mj.MjvOption())
s = mj.MjvScene(model, 10); mj.mjv_updateScene(model, data, None, None, None, 7, s)
s = mj.MjSpec(); b = s.worldbody.add_body(); s.delete(b); b.pos
s = mj.MjSpec(); s.worldbody.add_geom(type=6, size=[1, 0, 0]); s.compile()
s = mj.MjSpec(); s.delete(s.worldbody)
s = mj.MjSpec(); t = mj.MjSpec(); s.delete(t.worldbody.add_body())
mj.MjSpec.from_string("<mujoco><worldbody>")
mj.MjSpec.from_string(XML).recompile(other, foreign) and mj.mj_step(other, data)
import pickle; pickle.loads(pickle.dumps(data)[:-300])
mj.set_mjcb_control(3)
mj.set_mjcb_control(lambda m, d: 1 / 0); mj.mj_step(model, data)
mj.set_mjcb_contactfilter(lambda m, d, a, b: "no"); mj.mj_step(model, data)
mj.set_mjcb_passive(lambda m: None); mj.mj_forward(model, data)
mj.mj_addM(model, data, np.zeros(3), np.zeros(7, np.int32), np.zeros(7, np.int32), np.zeros(3, np.int32))
mj.mj_addM(model, data, np.zeros(model.nM), model.M_rownnz - 9, model.M_rowadr.copy(), model.M_colind.copy())
mj.mj_addM(model, data, np.zeros(model.nM), model.M_rownnz + 2**30, model.M_rowadr.copy(), model.M_colind.copy())
mj.mj_addM(model, data, np.zeros(model.nM), model.M_rownnz.copy(), model.M_rowadr - 1, model.M_colind.copy())
mj.mj_addM(model, data, np.zeros(model.nM), model.M_rownnz.copy(), model.M_rowadr.copy(), -model.M_colind)
mj.mj_addM(model, data, np.zeros(3), None, np.zeros(7, np.int32), np.zeros(3, np.int32))
"""

SURVIVES = """
mj.mj_step(model, data, -5)
mj.mj_resetDataKeyframe(model, data, 10**6)
mj.mj_resetDataKeyframe(model, data, -10**6)
mj.mj_resetDataDebug(model, data, 255); mj.mj_step(model, data)
mj.mj_contactForce(model, data, 10**6, np.zeros(6))
mj.mj_contactForce(model, data, -1, np.zeros(6))
mj.mj_id2name(model, 10**6, 0)
mj.mj_id2name(model, 1, -10**6)
mj.mj_name2id(model, -5, "b")
mj.mj_name2id(model, 1, "x" * 10**6)
mj.mju_Halton(7, 0)
mj.mju_Halton(2**31 - 1, 1)
mj.mju_type2Str(-1)
mj.mj_forwardSkip(model, data, -9, 9)
mj.mj_printFormattedData(model, data, folder + "/d.txt", "%n%s")
mj.mj_printFormattedModel(model, folder + "/m.txt", "%s%s%s%s")
mj.mj_ray(model, data, np.full(3, np.nan), np.ones(3), None, 1, 10**6, np.zeros(1, np.int32))
data.qpos[:] = np.nan; mj.mj_step(model, data)
data.qpos[:] = 1e300; mj.mj_step(model, data)
data.qvel[:] = np.inf; mj.mj_step(model, data)
data.ctrl[:] = np.nan; mj.mj_step(model, data)
data.qfrc_applied[:] = np.nan; mj.mj_step(model, data)
data.xfrc_applied[:] = 1e308; mj.mj_step(model, data)
data.ncon = 0; mj.mj_step2(model, data)
data.ncon = 0; data.nefc = 0; mj.mj_step(model, data)
data.ncon += 9; mj.mj_contactForce(model, data, data.ncon - 1, np.zeros(6)); mj.mj_makeConstraint(model, data); mj.mj_step2(model, data)
data.nefc += 9; mj.mj_printData(model, data, folder + "/d.txt"); mj.mj_constraintUpdate(model, data, np.zeros(data.nefc), None, 0)
data.nisland += 9; data.nidof += 9; mj.mj_printData(model, data, folder + "/d.txt"); mj.mj_step2(model, data)
data.time = np.nan; mj.mj_step(model, data)
model.opt.timestep = 0; mj.mj_step(model, data)
model.opt.timestep = np.nan; mj.mj_step(model, data)
model.opt.timestep = -1; mj.mj_step(model, data, 10)
model.opt.iterations = 2**31 - 1; mj.mj_step(model, data)
model.opt.iterations = -1; mj.mj_step(model, data)
model.opt.solver = 77; mj.mj_step(model, data)
model.opt.integrator = -3; mj.mj_step(model, data)
model.opt.cone = 9; mj.mj_step(model, data)
model.opt.jacobian = 9; mj.mj_step(model, data)
model.opt.gravity[:] = np.nan; mj.mj_step(model, data)
model.body_mass[:] = 0; mj.mj_step(model, data)
model.body_mass[:] = np.nan; mj.mj_step(model, data)
model.body_inertia[:] = -1; mj.mj_setConst(model, data); mj.mj_step(model, data)
model.geom_size[:] = np.nan; mj.mj_step(model, data)
model.geom_size[:] = 1e300; mj.mj_step(model, data)
model.geom_margin[:] = np.inf; mj.mj_step(model, data)
q = data.qpos; del data; q[:] = 1; print(q)
c = data.contact; del data; print(len(c), c.geom)
c = data.contact[0]; mj.mj_resetData(model, data); print(c.dist)
v = data.efc_J; mj.mj_resetData(model, data); mj.mj_step(model, data); print(v)
o = model.opt; del model, data; o.timestep = 1
b = model.body("b"); del model, data; b.mass
s = mj.MjvScene(model, 10); g = s.geoms; del s; print(g[0].pos)
s = mj.MjvScene(model, 10); v = s.geomorder; del s; v[:] = 3
s = mj.MjvScene(model, 1); mj.mjv_updateScene(other, foreign, mj.MjvOption(), None, mj.MjvCamera(), 7, s)
c = mj.MjvCamera(); c.fixedcamid = 99; c.type = 2; mj.mjv_updateCamera(model, data, c, mj.MjvScene(model, 5))
c = mj.MjvCamera(); c.trackbodyid = 99; c.type = 1; mj.mjv_updateCamera(model, data, c, mj.MjvScene(model, 5))
p = mj.MjvPerturb(); p.select = 99; p.active = 3; mj.mjv_applyPerturbForce(model, data, p)
p = mj.MjvPerturb(); p.select = -99; p.active = 3; mj.mjv_applyPerturbPose(model, data, p, 1)
p = mj.MjvPerturb(); p.select = 99; p.skinselect = 5; mj.mjv_initPerturb(model, data, mj.MjvScene(model, 5), p)
p = mj.MjvPerturb(); p.select = 99; mj.mjv_updateScene(model, data, mj.MjvOption(), p, mj.MjvCamera(), 7, mj.MjvScene(model, 99))
o = mj.MjvOption(); o.label = 99; o.frame = 99; o.bvh_depth = -7; mj.mjv_updateScene(model, data, o, None, mj.MjvCamera(), 7, mj.MjvScene(model, 99))
b = mj.Batch(model, 2); q = b.qpos; del b; q[:] = 0
b = mj.Batch(model, 2); b.qpos[:] = np.nan; b.step(5)
b = mj.Batch(model, 2); b.step_subset([0, 0, 0], 3)
b = mj.Batch(model, 2); b.step_subset([], 3)
mj.set_mjcb_control(lambda m, d: mj.mj_resetData(m, d)); mj.mj_step(model, data, 5)
mj.set_mjcb_control(lambda m, d: mj.mj_forward(m, d) if d.time < -1 else None); mj.mj_step(model, data, 5)
mj.set_mjcb_passive(lambda m, d: d.qfrc_passive.__setitem__(0, np.nan)); mj.mj_step(model, data, 5)
mj.set_mjcb_control(lambda m, d: mj.set_mjcb_control(None)); mj.mj_step(model, data, 5)
d = mj.MjData(model); mj.set_mjcb_control(lambda m, d: None); mj.mj_step(model, d); del d; mj.set_mjcb_control(None)
import copy; e = copy.copy(data); del data; mj.mj_step(model, e)
import copy; m = copy.deepcopy(model); mj.mj_step(m, data)
import gc; s = mj.MjSpec.from_string(XML); b = s.body("b"); del s; gc.collect(); b.pos
import gc; s = mj.MjSpec.from_string(XML); m = s.compile(); del s; gc.collect(); mj.mj_step(m, mj.MjData(m))
r = mj.Renderer(model, 24, 32); r.update_scene(data); r.scene.ngeom = 10**9; r.render()
r = mj.Renderer(model, 24, 32); r.update_scene(data); r.scene.ngeom = -1; r.render()
r = mj.Renderer(model, 24, 32); r.update_scene(data); r.scene.nflex = 10**9; r.render()
r = mj.Renderer(model, 24, 32); r.update_scene(data); r.scene.nskin = 10**9; r.render()
r = mj.Renderer(model, 24, 32); r.update_scene(data); r.scene.nlight = 10**9; r.render()
r = mj.Renderer(model, 24, 32); r.update_scene(data); r.scene.geoms[1].type = 99; r.render()
r = mj.Renderer(model, 24, 32); r.update_scene(data); r.scene.geoms[1].dataid = 10**6; r.render()
r = mj.Renderer(model, 24, 32); r.update_scene(data); r.scene.geoms[1].matid = 10**6; r.render()
r = mj.Renderer(model, 24, 32); r.update_scene(data); r.scene.geoms[1].objid = -9; r.render()
r = mj.Renderer(model, 24, 32); r.update_scene(data); r.scene.geoms[1].pos[:] = np.nan; r.render()
r = mj.Renderer(model, 24, 32); r.update_scene(data); r.scene.geoms[1].mat[:] = np.inf; r.render()
r = mj.Renderer(model, 24, 32); r.update_scene(data); r.scene.geoms[1].size[:] = 1e38; r.render()
r = mj.Renderer(model, 24, 32); r.update_scene(data); r._mjr_context.shadowSize = 10**9; r.render(); r.close()
r = mj.Renderer(model, 24, 32); r.update_scene(data); r._mjr_context.shadowSize = 64; r.render(); r._mjr_context.shadowSize = 8192; r.render(); r.close()
r = mj.Renderer(model, 24, 32); r.update_scene(data); r._mjr_context.charWidth[:] = 10**9; mj.mjr_text(0, 'aaaa', r._mjr_context, .5, .5, 1, 1, 1)
r = mj.Renderer(model, 24, 32); r.update_scene(data); r._mjr_context.charHeight = 10**9; mj.mjr_overlay(0, 0, mj.MjrRect(0, 0, 32, 24), 'a', '', r._mjr_context)
r = mj.Renderer(model, 24, 32); r.update_scene(data); mj.mjr_render(mj.MjrRect(2**31 - 1, 0, 1, 1), r.scene, r._mjr_context)
r = mj.Renderer(model, 24, 32); r.update_scene(data); mj.mjr_rectangle(mj.MjrRect(2**31 - 1, 0, 1, 1), 1, 1, 1, 1)
r = mj.Renderer(model, 24, 32); r.update_scene(data); mj.mjr_label(mj.MjrRect(2**31 - 1, 0, 1, 1), 0, 'x', 1, 1, 1, 1, 1, 1, 1, r._mjr_context)
r = mj.Renderer(model, 24, 32); r.update_scene(data); mj.mjr_readPixels(np.zeros((24, 32, 3), np.uint8), None, mj.MjrRect(2**31 - 1, 0, 1, 1), r._mjr_context)
r = mj.Renderer(model, 24, 32); r.update_scene(data); mj.mjr_drawPixels(np.zeros((24, 32, 3), np.uint8), None, mj.MjrRect(2**31 - 1, 0, 1, 1), r._mjr_context)
model.vis.quality.numslices = model.vis.quality.numstacks = 10**9; mj.Renderer(model, 10, 10)
o = mj.MjvOption(); o.flags[:] = 1; data.qpos[:] = np.nan; mj.mj_kinematics(model, data); r = mj.Renderer(model, 24, 32); r.update_scene(data, scene_option=o); r.render()
o = mj.MjvOption(); o.flags[:] = 1; data.geom_xpos[:] = 1e300; r = mj.Renderer(model, 24, 32); r.update_scene(data, scene_option=o); r.scene.flags[:] = 1; r.render()
b = mj.Batch(model, 3); s = b.get_state(); s[:] = np.inf; b.set_state(s); b.render(-1, 8, 8, mode='depth')
b = mj.Batch(model, 3); o = mj.MjvOption(); o.flags[:] = 1; o.label = 10**9; b.render(-1, 8, 8, scene_option=o)
import threading; b = mj.Batch(model, 3); t = [threading.Thread(target=b.render, args=(-1, 8, 8)) for _ in range(4)]; [i.start() for i in t]; [i.join() for i in t]
import threading; b = mj.Batch(model, 99, nthread=2); t = [threading.Thread(target=b.step, args=(20,)) for _ in range(4)]; [i.start() for i in t]; [i.join() for i in t]
import os; b = mj.Batch(model, 99, nthread=2); b.render(-1, 8, 8); os.fork() or (b.step(5), b.render(-1, 8, 8), os._exit(0)); os.wait()
m = mj.MjModel.from_xml_string(CLOTH); d = mj.MjData(m); d.ndeformcon = 10**6; mj.mj_step(m, d)
m = mj.MjModel.from_xml_string(CLOTH); d = mj.MjData(m); d.deformable_asleep[:] = 2**31 - 1; mj.mj_step(m, d, 20)
m = mj.MjModel.from_xml_string(CLOTH); d = mj.MjData(m); d.deformvert_xpos[:] = np.nan; mj.mj_step(m, d, 3)
s = mj.MjSpec.from_string(CLOTH); s.deformables[0].young = np.nan; m = s.compile(); mj.mj_step(m, mj.MjData(m), 3)
s = mj.MjSpec.from_string(CLOTH); k = s.deformables[0]; s.delete(k); k.name
s = mj.MjSpec.from_string(XML); s.attach(s, prefix='x', frame=s.worldbody.add_frame()); s.compile()
s = mj.MjSpec.from_string(XML); s.body('child').add_frame().attach_body(s.body('b'), 'x', ''); s.compile()
"""


def lines(text):
    return [line for line in text.strip().split("\n") if line]


def run(mode, text=""):
    done = subprocess.run([sys.executable, "-W", "ignore", RUNNER, mode], input=text, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.split("\n")[-2])


@pytest.fixture(scope="module")
def endings():
    codes = lines(RAISES) + lines(SURVIVES)
    return run("snippets", json.dumps({code: code for code in codes}))


@pytest.mark.parametrize("code", lines(RAISES))
def test_misuse_raises(endings, code):
    assert not endings[code].startswith("signal")
    assert endings[code] != "returned"


@pytest.mark.parametrize("code", lines(SURVIVES))
def test_misuse_survives(endings, code):
    assert not endings[code].startswith("signal")


def test_every_function_takes_bad_arguments():
    """Data of another model is refused by every function that takes both; bad numbers crash none."""
    found = run("functions")
    assert len(found) > 180
    bad = {name: ending for name, ending in found.items() if ending != "returned"}
    assert not bad
