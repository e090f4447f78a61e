"""Flexes: our compiler and derived constants against MuJoCo's, field by field, and its refusals."""

import itertools
import random

import corpus
import flexes
import mujoco
import numpy as np
import pytest
import random_flex_mesh
import saved
import sinew
from compiled import differences
from sinew import _core, bridge

OWN = sorted((corpus.OWN / "flex").glob("*.xml"))
SLIDES = random_flex_mesh.SLIDES


def check(expected, actual):
    found = differences(expected, actual)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.stem)
def test_own_model(path):
    check(mujoco.MjModel.from_xml_path(str(path)), _core.MjModel.from_xml_path(str(path)))


@pytest.mark.parametrize("name", flexes.shipped())
def test_shipped_model(name):
    path = str(flexes.shipped()[name])
    check(mujoco.MjModel.from_xml_path(path), _core.MjModel.from_xml_path(path))


@pytest.mark.full
@pytest.mark.parametrize("name", flexes.shipped())
def test_shipped_model_spelled_out(name, tmp_path):
    """Models of MuJoCo, with the flexes that their generators made."""
    path = flexes.shipped()[name]
    for asset in path.parent.iterdir():
        (tmp_path / asset.name).symlink_to(asset.resolve())
    text = tmp_path / "spelled_out.xml"
    mujoco.mj_saveLastXML(str(text), mujoco.MjModel.from_xml_path(str(path)))
    check(mujoco.MjModel.from_xml_path(str(text)), _core.MjModel.from_xml_path(str(text)))


# ---- random models ----

# engine errors of the trial step that ends MuJoCo's compilation: its solver gives up, or its rows of
# vertices that hang on static bodies do not add up
TRIAL = ("rank-deficient", "ne mis-allocation")


def check_random(seeds):
    compared = 0
    for seed in seeds:
        xml = random_flex_mesh.model(seed)
        try:
            expected = mujoco.MjModel.from_xml_string(xml)
        except ValueError as error:
            if not any(reason in str(error) for reason in TRIAL):
                with pytest.raises(ValueError) as ours:
                    _core.MjModel.from_xml_string(xml)
                assert str(ours.value) == str(error), f"seed {seed}"
            continue
        found = differences(expected, _core.MjModel.from_xml_string(xml))
        assert not found, f"seed {seed}:\n" + "\n".join(found)
        compared += 1
    return compared


@pytest.mark.parametrize("start", range(0, 60, 20))
def test_random_models(start):
    assert check_random(range(start, start + 20)) > 10


@pytest.mark.full
@pytest.mark.parametrize("start", range(0, 2000, 100))
def test_many_random_models(start):
    assert check_random(range(start, start + 100)) > 80


# ---- derived constants of a model that changed ----

# what sn_setConst derives for flexes; flex_vert0 is turned there
DERIVED = """flexedge_length0 flexedge_invweight0 flexedge_J_rownnz flexedge_J_rowadr flexedge_J_colind
flexvert_J_rownnz flexvert_J_rowadr flexvert_J_colind flex_vertedgeadr flex_vertedgenum flex_vertedge
flex_vertmetric flex_vert0 body_invweight0 dof_invweight0 dof_length""".split()


def change(model, rng):
    """Other masses and places: what programs change before they call mj_setConst."""
    model.body_mass[1:] *= rng.uniform(0.5, 2, model.nbody - 1)
    model.body_pos[1:, :2] += rng.uniform(-0.02, 0.02, (model.nbody - 1, 2))
    model.flex_edgedamping[model.flex_rigid == 0] = rng.choice([0, 1])
    model.dof_armature[:] = rng.uniform(0, 0.1, model.nv)


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.stem)
def test_constants_of_a_changed_model(path):
    expected = mujoco.MjModel.from_xml_path(str(path))
    actual = _core.MjModel.from_xml_path(str(path))
    for round in range(2):
        for model, module in ((expected, mujoco), (actual, sinew)):
            change(model, np.random.default_rng(round))
            module.mj_setConst(model, module.MjData(model))
        for field in DERIVED:
            theirs, ours = getattr(expected, field), getattr(actual, field)
            ours = np.asarray(ours).reshape(np.shape(theirs))
            if ours.dtype.kind == "i":
                assert np.array_equal(theirs, ours), field
            elif ours.size:
                assert np.abs(theirs - ours).max() <= 1e-9 * max(np.abs(theirs).max(), 1e-6), field
        for field in bridge.STATISTIC_FIELDS:
            assert np.allclose(getattr(expected.stat, field), getattr(actual.stat, field), rtol=1e-9, atol=1e-12), field


def test_rows_behind_a_flex_without_rows_do_not_overlap():
    """MuJoCo begins at zero again and overwrites the rows of the first flex."""
    text = random_flex_mesh.numbers
    bodies = "".join(f'<body name="{n}{i}" pos="{text(p)}"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>{SLIDES}</body>'
                     for n in "abc" for i, p in enumerate([(0, 0, 0), (1, 0, 0), (0, 1, 0)]))
    parts = "".join(f'<flex name="{n}" body="{n}0 {n}1 {n}2" element="0 1 2"><edge damping="{b}"/></flex>'
                    for n, b in (("a", 1), ("b", 0), ("c", 1)))
    m = _core.MjModel.from_xml_string(
        f"<mujoco><worldbody>{bodies}</worldbody><deformable>{parts}</deformable></mujoco>")
    soft = [0, 1, 2, 6, 7, 8]
    assert list(m.flexedge_J_rownnz[soft]) == [6] * 6 and not m.flexedge_J_rownnz[3:6].any()
    assert list(m.flexedge_J_rowadr[soft]) == [6 * i for i in range(6)]


# ---- other ways to a model ----


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.stem)
def test_binary_form_and_second_compilation_give_the_same_model(path, tmp_path):
    spec = sinew.MjSpec.from_file(str(path))
    first, second = spec.compile(), spec.compile()
    assert not saved.differences(first, second)
    sinew.mj_saveModel(first, str(tmp_path / "m.snb"), None)
    assert not saved.differences(first, sinew.MjModel.from_binary_path(str(tmp_path / "m.snb")))


def test_recompiling_keeps_the_state():
    path = str(corpus.OWN / "flex" / "several.xml")
    states = []
    for module in (mujoco, sinew):
        spec = module.MjSpec.from_file(path)
        model = spec.compile()
        data = module.MjData(model)
        data.qpos[:] = np.linspace(0, 0.01, model.nq)
        spec.flex("cube").young = 5e3
        body = spec.worldbody.add_body(name="new", pos=[0, 0, 2])
        body.add_freejoint()
        body.add_geom(size=[0.1, 0, 0])
        model, data = spec.recompile(model, data)
        states.append((model, np.array(data.qpos)))
    check(states[0][0], states[1][0])
    assert np.array_equal(states[0][1], states[1][1])


def attached(module, path):
    parent, child = module.MjSpec(), module.MjSpec.from_file(str(path))
    parent.attach(child, frame=parent.worldbody.add_frame(pos=[1, 2, 3]), prefix="x_")
    return parent.compile()


# the names of keyframes that wait for a replicate are a matter of their own
@pytest.mark.parametrize("path", [p for p in OWN if p.stem != "keyframe"], ids=lambda path: path.stem)
def test_attached_model(path):
    check(attached(mujoco, path), attached(sinew, path))


def with_nodes(module, seed):
    """A flex between nodes, some of them pinned to its parent: only programs can place those."""
    rng = random.Random(seed)
    spec = module.MjSpec()
    parent = spec.worldbody.add_body(name="p", pos=[rng.uniform(-1, 1) for _ in range(3)])
    if rng.random() < 0.4:
        parent.add_freejoint()
        parent.add_geom(size=[0.1, 0, 0])
    points, elements = random_flex_mesh.block(rng) if rng.random() < 0.6 else random_flex_mesh.sheet(rng, False)
    low, high = np.min(points, axis=0) - 0.01, np.max(points, axis=0) + 0.01
    order = rng.choice([1, 2])
    names, offsets = [], []
    for index in itertools.product(range(order + 1), repeat=3):
        place = low + (high - low) * np.array(index) / order
        pinned = rng.random() < 0.3
        names.append("p" if pinned else "n" + "".join(map(str, index)))
        offsets += list(place) if pinned else [0, 0, 0]
        if pinned:
            continue
        body = parent.add_body(name=names[-1], pos=place, mass=0.1, inertia=[1e-4] * 3, explicitinertial=True)
        for axis in np.eye(3):
            body.add_joint(type=module.mjtJoint.mjJNT_SLIDE, axis=axis)
    flex = spec.add_flex(name="f", dim=len(elements[0]) - 1, selfcollide=0, vertbody=["p"] * len(points),
                         vert=np.ravel(points), elem=np.ravel(elements), nodebody=names, radius=0.01)
    if rng.random() < 0.9:
        flex.node = offsets
    if 21 * len(elements) >= 9 * len(names) ** 2:
        flex.young, flex.poisson, flex.damping = 1e3, 0.3, 0.1
    flex.passive, flex.flatskin = rng.randint(0, 1), rng.randint(0, 1)
    return spec


@pytest.mark.parametrize("seed", range(30))
def test_flex_made_by_a_program(seed):
    check(with_nodes(mujoco, seed).compile(), with_nodes(sinew, seed).compile())


# ---- refusals ----


def bodies():
    places = {"a": "0 0 0", "b": "1 0 0", "c": "0 1 0", "d": "0 0 1"}
    vertices = "".join(f'<body name="{n}" pos="{p}"><geom size=".01"/>{SLIDES}</body>' for n, p in places.items())
    nodes = "".join(f'<body name="n{k}" pos="{k >> 2} {k >> 1 & 1} {k & 1}"><geom size=".01"/>{SLIDES}</body>' for k in range(8))
    return f'{vertices}{nodes}<body name="e"/>'


def model(flex, extra=""):
    return f"<mujoco><worldbody>{bodies()}</worldbody><deformable>{flex}</deformable>{extra}</mujoco>"


def triangle(attributes="", inner="", **others):
    all_of_them = {"body": "a b c", "element": "0 1 2", **others}
    text = " ".join(f'{name}="{value}"' for name, value in all_of_them.items())
    return f'<flex name="f" {text} {attributes}>{inner}</flex>'


NODES = " ".join(f"n{k}" for k in range(8))
ALONE = '<contact selfcollide="none"/>'
POINTS = "0 0 0 1 0 0 0 1 0"
BROKEN = {
    "dim": model(triangle(dim=4)),
    "element_count": model(triangle(element="0 1")),
    "vertex_count": model(triangle(vertex="0 0")),
    "stiffness": model(triangle(inner='<edge stiffness="1"/>')),
    "body_count": model(triangle(body="a b", vertex=POINTS)),
    "few_vertices": model(triangle(body="a b", element="0 1 1")),
    "element_id": model(triangle(element="0 1 3")),
    "element_negative": model(triangle(element="0 1 -1")),
    "element_repeated": model(triangle(element="0 1 1")),
    "texcoord": model(triangle(texcoord="0 0")),
    "material": model(triangle(material="q")),
    "body": model(triangle(body="a b q")),
    "node": model(triangle(node=NODES.replace("n7", "q"), vertex=POINTS, inner=ALONE)),
    "bending_pin": model(triangle(body="a b e", inner='<elasticity young="1" elastic2d="bend" thickness=".1"/>')),
    "bending_pin_soft": model(triangle(body="a b e", inner='<elasticity elastic2d="both" thickness=".1"/>')),
    "poisson": model(triangle(inner='<elasticity young="1" poisson=".5"/>')),
    "poisson_negative": model(triangle(inner='<elasticity young="1" poisson="-.1"/>')),
    "thickness": model(triangle(inner='<elasticity young="1" elastic2d="bend"/>')),
    "nodes_selfcollide": model(triangle(node="a b")),
    "nodes_internal": model(triangle(node="a b", inner='<contact selfcollide="none" internal="true"/>')),
    "nodes_2": model(triangle(node="a b", inner=ALONE)),
    "nodes_9": model(triangle(node=NODES + " a", inner=ALONE)),
    "nodes_64": model(triangle(node=" ".join([NODES] * 8), inner=ALONE)),
    "equality_rigid": model(triangle(body="a a a"), '<equality><flex flex="f"/></equality>'),
    "equality_rigid_vertices": model(triangle(body="a a a"), '<equality><flexvert flex="f"/></equality>'),
    "equality_unknown": model(triangle(), '<equality><flex flex="q"/></equality>'),
    "equality_tilted": model(triangle(body="a b d"), '<equality><flexvert flex="f"/></equality>'),
    "repeated_name": model(triangle() + triangle()),
    "fused_body": model(triangle(body="a b e"), '<compiler fusestatic="true"/>'),
}


# what we add to MuJoCo's words
HINTS = {"fused_body": "\nbody 'e' was removed by fusestatic or discardvisual"}


@pytest.mark.parametrize("name", BROKEN)
def test_refusal_has_the_words_of_mujoco(name):
    with pytest.raises(ValueError) as theirs:
        mujoco.MjModel.from_xml_string(BROKEN[name])
    with pytest.raises(ValueError) as ours:
        _core.MjModel.from_xml_string(BROKEN[name])
    hint = str(ours.value).removeprefix(str(theirs.value))
    assert hint == HINTS.get(name, ""), str(ours.value)


def test_a_matrix_of_nodes_needs_elements_to_lie_in():
    """MuJoCo prints a number of elements that was never set, and takes 27, one too few."""
    flex = triangle(body="e e e", vertex=POINTS, node=NODES, inner=ALONE + '<elasticity young="1"/>')
    for load in (mujoco.MjModel.from_xml_string, _core.MjModel.from_xml_string):
        with pytest.raises(ValueError, match="Trilinear dofs are require at least"):
            load(model(flex))


# files that stop MuJoCo with a segmentation fault
CRASHES = {
    "one_node": (triangle(node="a", inner=ALONE), "number of nodes must be 8 or 27"),
    "nodes_without_vertices": (triangle(node=NODES, inner=ALONE), None),
    "nodes_with_one_body": (triangle(body="e", vertex=POINTS, node=NODES, inner=ALONE), None),
}
INACTIVE = triangle(dim=3, body="a b c d", element="0 1 2 3", inner='<contact activelayers="0"/>')


@pytest.mark.parametrize("name", CRASHES)
def test_what_crashes_mujoco_is_compiled_or_refused(name):
    flex, message = CRASHES[name]
    if message:
        with pytest.raises(ValueError, match=message):
            _core.MjModel.from_xml_string(model(flex))
    else:
        m = _core.MjModel.from_xml_string(model(flex))
        assert m.flex_interp[0] == 1 and not m.flex_rigid[0] and m.flex_vertnum[0] == 3


def test_block_without_active_layers_has_no_tree():
    """MuJoCo crashes on it, too."""
    m = _core.MjModel.from_xml_string(model(INACTIVE))
    assert m.flex_bvhadr[0] == -1 and m.nbvhdynamic == 0


def test_material_goes_with_what_is_only_drawn():
    """MuJoCo drops the material and then misses it."""
    text = model(triangle(material="m"), '<asset><material name="m"/></asset><compiler discardvisual="true"/>')
    m = _core.MjModel.from_xml_string(text)
    assert m.nmat == 0 and m.flex_matid[0] == -1
