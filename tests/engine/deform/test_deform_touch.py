"""Deformables against flexes, edges against edges, and what contact sensors read of deformables."""

import numpy as np
import pytest

import sinew

from test_deformable import build, masses, momentum, run

SHEET = ("<flexcomp name='f' type='grid' dim='2' count='6 6 1' spacing='.05 .05 .1' radius='.005' mass='.5' {}>"
         "{}<edge equality='true'/><contact selfcollide='none' internal='false'/></flexcomp>")
SOLID = ("<flexcomp name='f' type='grid' dim='3' count='3 3 3' spacing='.1 .1 .05' radius='.005' mass='.5' {}>"
         "{}<elasticity young='2e3' poisson='.2' damping='.01'/><contact selfcollide='none' internal='false'/></flexcomp>")


# ---- flexes ----


@pytest.mark.parametrize("flex", [SHEET.format("", ""), SOLID.format("", ""), SOLID.format("dof='trilinear'", "")],
                         ids=["sheet", "solid", "interpolated"])
def test_contact_with_a_flex_conserves_momentum(flex):
    """The momentum of vertices, of the bodies of the flex, and of the impulses that these get in the next step."""
    model = build("<sinew:cloth count='5 5 1' spacing='.04 .04 1' pos='.003 .004 .08' preset='rubber'/>", flex, "gravity='0 0 0'")
    data = sinew.MjData(model)
    data.deformvert_xvel[:] = [0.1, 0, -1]
    start, touched = momentum(model, data), 0
    for _ in range(150):
        sinew.mj_step(model, data)
        sinew.mj_forward(model, data)
        rigid = np.zeros(3)
        for b in range(1, model.nbody):
            velocity = np.zeros(6)
            sinew.mj_objectVelocity(model, data, sinew.mjtObj.mjOBJ_BODY, b, velocity, 0)
            rigid += model.body_mass[b] * velocity[3:]
        pending = data.deformable_xfrc[:, :3].sum(0) * model.opt.timestep
        touched += np.abs(pending).max() > 0
        np.testing.assert_allclose(momentum(model, data) + rigid + pending, start, atol=2e-3 * np.abs(start).max())
    assert touched > 5
    assert rigid[2] < 0.1 * start[2]  # the flex was pushed


def test_cloth_lies_on_a_flex_that_is_held():
    """The force of the pairs is the weight of the cloth, and the cloth does not pass."""
    pins = " ".join(str(i * 6 + j) for i in range(6) for j in range(6) if i in (0, 5) or j in (0, 5))
    model = build("<sinew:cloth count='5 5 1' spacing='.03 .03 1' pos='.003 .004 .012' preset='rubber' damping='5'/>",
                  SHEET.format("", f"<pin id='{pins}'/>"))
    data = run(model, 1500)
    weight = masses(model).sum() * 9.81
    first = data.deformpair_vert[:, 0] < model.ndeformvert
    force = np.where(first[:, None], data.deformpair_force, -data.deformpair_force).sum(0)
    assert abs(force[2] - weight) < 0.05 * weight
    sheet = data.flexvert_xpos[:, 2]
    assert data.deformvert_xpos[:, 2].min() > sheet.min()
    assert (data.deformpair_vert >= model.ndeformvert).any()
    # the bodies of the flex carry it
    assert abs(data.deformable_xfrc[:, 2].sum() + weight) < 0.05 * weight


def test_masks_keep_flexes_apart():
    model = build("<sinew:cloth count='5 5 1' spacing='.03 .03 1' pos='0 0 .006' contype='2' conaffinity='2'/>", SHEET.format("", ""))
    data = sinew.MjData(model)
    sinew.mj_forward(model, data)
    assert data.ndeformpair == 0


# ---- edges ----


def blade(vertices, extra):
    listed = " ".join(f"{v:g}" for v in np.ravel(vertices))
    return f"<sinew:cloth vertex='{listed}' element='0 1 2 1 3 2' thickness='.01' preset='rubber' {extra}/>"


def test_edges_that_cross_hold_each_other():
    """Two blades meet crosswise in the middle of their edges, far from any vertex and on no face."""
    lower = [[-0.5, 0, 0], [0.5, 0, 0], [-0.5, 0, -0.3], [0.5, 0, -0.3]]
    upper = [[0, -0.5, 0.03], [0, 0.5, 0.03], [0, -0.5, 0.3], [0, 0.5, 0.3]]
    model = build(blade(lower, "pin='0 1 2 3'") + blade(upper, "damping='1'"))
    data = run(model, 100)  # a free fall is 20 cm
    assert data.deformvert_xpos[4:6, 2].mean() > 0.005
    crossing = (np.abs(data.deformpair_coef[:, :2]).min(1) > 0.3)
    assert crossing.any()
    np.testing.assert_allclose(np.abs(data.deformpair_normal[crossing][:, 2]), 1, atol=1e-2)


def test_edges_of_faces_are_listed_once():
    model = build("<sinew:cloth count='4 3 1'/><sinew:softbody count='2 2 2'/><sinew:chain count='5 1 1'/>")
    sides = {tuple(sorted(row)) for row in model.deformside_vert}
    faces = {tuple(sorted((face[k], face[(k + 1) % 3]))) for face in model.deformface_vert for k in range(3)
             if face[k] >= 0 and face[(k + 1) % 3] >= 0}
    assert len(sides) == model.ndeformside and sides == faces


# ---- sensors ----


def resting_cube(sensors):
    return build("<sinew:softbody count='3 3 3' spacing='.05 .05 .05' pos='0 0 .16' preset='rubber' damping='5'/>",
                 "<geom name='box' type='box' size='.3 .3 .1'/><geom name='other' size='.1' pos='2 0 0'/>",
                 extra=f"<sensor>{sensors}</sensor>")


def test_contact_sensors_read_deformables():
    """The net force on a deformable is its weight; its contacts are those that touch the geom."""
    model = resting_cube("<contact name='net' geom1='box' reduce='netforce' data='found force pos'/>"
                         "<contact name='near' geom1='box' num='3' reduce='mindist' data='found dist normal'/>"
                         "<contact name='none' geom1='other' data='found'/>"
                         "<contact name='strong' geom2='box' reduce='maxforce' data='force normal'/>")
    data = run(model, 2000)
    sinew.mj_forward(model, data)
    weight = masses(model).sum() * 9.81
    net, near = data.sensor("net").data, data.sensor("near").data
    assert net[0] == 9 and abs(net[3] - weight) < 0.02 * weight and np.abs(net[1:3]).max() < 0.02 * weight
    np.testing.assert_allclose(net[4:7], [0, 0, 0.1], atol=2e-2)
    assert near[0] == 9 and near[1] <= near[6] <= near[11]
    np.testing.assert_allclose(near[2:5], [0, 0, 1], atol=1e-9)
    assert data.sensor("none").data[0] == 0
    forces = [np.linalg.norm(f) for f in data.deformcon_force]
    strong = data.sensor("strong").data
    assert abs(np.linalg.norm(strong[:3]) - max(forces)) < 1e-9
    np.testing.assert_allclose(strong[3:6], [0, 0, -1], atol=1e-9)  # from what touches the box to the box
