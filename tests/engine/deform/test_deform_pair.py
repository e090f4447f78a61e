"""Deformables against themselves and against one another."""

import numpy as np
import pytest

import sinew

from test_deformable import build, masses, momentum, run, strain

FLOOR = "<geom type='plane' size='2 2 1'/>"


def height_apart(data, model, a=0, b=1):
    """Mean height of deformable a above b."""
    rows = [slice(adr, adr + num) for adr, num in zip(model.deformable_vertadr.ravel(), model.deformable_vertnum.ravel())]
    return data.deformvert_xpos[rows[a], 2].mean() - data.deformvert_xpos[rows[b], 2].mean()


def crossings(faces, x, vertices, y):
    """How many segments y[vertices] (n, 2) pass through the triangles x[faces]."""
    count = 0
    a, b, c = (x[faces[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)
    for p, q in vertices:
        side_p, side_q = np.einsum("ij,ij->i", normal, y[p] - a), np.einsum("ij,ij->i", normal, y[q] - a)
        cut = side_p * side_q < 0
        for i in np.flatnonzero(cut & ~((faces == p) | (faces == q)).any(1)):
            at = y[p] + (y[q] - y[p]) * side_p[i] / (side_p[i] - side_q[i])
            inside = [np.dot(np.cross(v - u, at - u), normal[i]) for u, v in ((a[i], b[i]), (b[i], c[i]), (c[i], a[i]))]
            count += min(inside) > 0
    return count


@pytest.mark.parametrize("upper, lower", [("cloth", "cloth"), ("cloth", "softbody"), ("softbody", "cloth"),
                                          ("softbody", "softbody"), ("chain", "cloth"), ("chain", "softbody")])
def test_one_deformable_rests_on_another(upper, lower):
    shapes = {"cloth": "count='9 9 1' spacing='.03 .03 .03' thickness='.01' preset='rubber'",
              "softbody": "count='4 4 3' spacing='.06 .06 .04' preset='rubber'",
              "chain": "count='9 1 1' spacing='.03 1 1' radius='.01'"}
    model = build(f"<sinew:{lower} {shapes[lower]} pos='0 0 .06' damping='2'/>"
                  f"<sinew:{upper} {shapes[upper]} pos='0.005 0.005 .2' damping='2'/>", FLOOR)
    data = run(model, 700)
    assert data.ndeformpair > 0
    gap = model.deformable_margin.sum()
    assert data.deformpair_dist.min() > -0.5 * gap
    assert height_apart(data, model, 1, 0) > 0.5 * gap
    assert np.abs(data.deformvert_xvel).max() < 0.3


def test_pinned_cloth_carries_another():
    """The force of the pairs is the weight of what lies on them."""
    pins = " ".join(str(i * 11 + j) for i in range(11) for j in range(11) if i in (0, 10) or j in (0, 10))
    model = build(f"<sinew:cloth count='11 11 1' spacing='.04 .04 .04' pin='{pins}' preset='rubber' damping='5'/>"
                  "<sinew:cloth count='6 6 1' spacing='.03 .03 .03' pos='0.003 0.002 .02' preset='leather' damping='5'/>")
    data = run(model, 3000)
    weight = (masses_of(model, 1)).sum() * 9.81
    sign = np.where(model.deformvert_deformid.ravel()[data.deformpair_vert[:, 0]] == 1, 1, -1)
    assert abs((sign[:, None] * data.deformpair_force).sum(0)[2] - weight) < 0.05 * weight


def masses_of(model, deform):
    own = model.deformvert_deformid.ravel() == deform
    return 1 / model.deformvert_invmass.ravel()[own]


def test_contact_of_two_deformables_conserves_momentum():
    model = build("<sinew:cloth count='7 7 1' spacing='.03 .03 .03' thickness='.01'/>"
                  "<sinew:softbody count='3 3 3' spacing='.03 .03 .03' pos='0 0 .08' preset='gelatin'/>"
                  "<sinew:chain count='6 1 1' spacing='.03 1 1' pos='0 0 -.05'/>", option="gravity='0 0 0'")
    data = sinew.MjData(model)
    kinds = model.deformvert_deformid.ravel()
    data.deformvert_xvel[kinds == 1, 2] = -1.5
    data.deformvert_xvel[kinds == 1, 0] = 0.4
    data.deformvert_xvel[kinds == 2, 2] = 1
    start, energy, touched = momentum(model, data), [], 0
    for _ in range(300):
        energy.append((masses(model)[:, None] * data.deformvert_xvel**2).sum() / 2)
        sinew.mj_step(model, data)
        touched += data.ndeformpair > 0 and np.abs(data.deformpair_force).max() > 0
        np.testing.assert_allclose(momentum(model, data), start, atol=1e-12)
    assert touched > 10
    assert max(energy) < energy[0] * 1.001


def test_folded_cloth_does_not_pass_through_itself():
    """A strip that is held in the middle; wind blows its hanging halves towards each other."""
    def fold(selfcollide):
        pins = " ".join(str(12 * 5 + i) for i in range(5))
        model = build("<sinew:cloth count='25 5 1' spacing='.02 .02 .02' thickness='.006' preset='silk' damping='1' bend_compliance='10' "
                      f"selfcollide='{selfcollide}' pin='{pins}'/>")
        data, side = sinew.MjData(model), np.sign(model.deformvert_pos[:, 0])
        for _ in range(700):
            data.deformvert_xvel[:, 0] -= side * 0.03 * (model.deformvert_invmass.ravel() > 0)
            sinew.mj_step(model, data)
        cut = crossings(model.deformface_vert, data.deformvert_xpos, model.deformedge_vert, data.deformvert_xpos)
        x = data.deformvert_xpos[:, 0].reshape(25, 5)
        return (x[2:12] > x[-3:12:-1]).sum(), cut, data, model  # left of the middle, beyond its mirror image; ends curl

    wrong, _, _, _ = fold("false")
    assert wrong > 35  # without contact the halves change places
    wrong, cut, data, model = fold("true")
    assert wrong == 0 and cut == 0
    assert data.ndeformpair > 20 and np.abs(strain(model, data)).max() < 0.2


def test_ropes_that_cross_hold_each_other():
    """Pieces of chains touch between their vertices too."""
    model = build("<sinew:chain count='9 1 1' spacing='.1 1 1' radius='.01' substeps='20' damping='2'><pin id='0 8'/></sinew:chain>"
                  "<sinew:chain count='8 1 1' spacing='.1 1 1' radius='.01' pos='.03 0 .05' euler='0 0 90' substeps='20' "
                  "damping='2' friction='1' bend_compliance='1e3' twist_compliance='1e6'/>")
    data = run(model, 1000)
    second = model.deformvert_deformid.ravel() == 1
    assert data.deformvert_xpos[second, 2].max() > data.deformvert_xpos[~second, 2].min()
    assert np.linalg.norm(data.deformvert_xvel[second].mean(0)) < 0.5


def test_fast_cloth_does_not_pass_another():
    pins = " ".join(str(i * 11 + j) for i in range(11) for j in range(11) if i in (0, 10) or j in (0, 10))
    model = build(f"<sinew:cloth count='11 11 1' spacing='.04 .04 .04' pin='{pins}' preset='rubber'/>"
                  "<sinew:cloth count='5 5 1' spacing='.03 .03 .03' pos='0.003 0.002 .3' preset='cotton'/>", option="gravity='0 0 0'")
    model.opt.timestep = 0.01
    data = sinew.MjData(model)
    second = model.deformvert_deformid.ravel() == 1
    data.deformvert_xvel[second, 2] = -20  # 20 cm a step
    for _ in range(20):
        sinew.mj_step(model, data)
    assert (data.deformvert_xpos[second, 2] > data.deformvert_xpos[~second, 2].min() - 1e-3).all()


def test_masks_keep_deformables_apart():
    model = build("<sinew:cloth count='5 5 1' spacing='.03 .03 .03' contype='0'/>"
                  "<sinew:cloth count='5 5 1' spacing='.03 .03 .03' pos='0 0 .0001' conaffinity='0' contype='2'/>")
    data = run(model, 3)
    assert data.ndeformpair == 0


def test_deformable_at_rest_has_no_push_from_itself():
    """Vertices that were nearer at rest than their margins keep the distance of rest."""
    for body in ("softbody count='3 3 3' spacing='.004 .004 .004'", "cloth count='6 6 1' spacing='.002 .002 1' thickness='.01'",
                 "chain count='9 1 1' spacing='.005 1 1' radius='.01'"):
        model = build(f"<sinew:{body} selfcollide='true'/>", option="gravity='0 0 0'")
        data = run(model, 20)
        np.testing.assert_allclose(data.deformvert_xpos, model.deformvert_pos, atol=1e-9)


def test_sleeping_cloth_wakes_when_another_falls_on_it():
    model = build("<sinew:cloth count='7 7 1' spacing='.03 .03 .03' pos='0 0 .01' preset='rubber' damping='5' sleep='.05'/>"
                  "<sinew:cloth count='5 5 1' spacing='.03 .03 .03' pos='0 0 1.5' preset='rubber' damping='0'/>", FLOOR)
    data = run(model, 200)
    assert data.deformable_asleep.ravel()[0] >= 10
    awake = False
    for _ in range(400):
        sinew.mj_step(model, data)
        awake |= data.deformable_asleep.ravel()[0] < 10
    assert awake
