"""The Python package: lifetimes, errors, cost of calls, rollouts, minimisation, the stand-in, compare."""

import ast
import copy
import gc
import json
import pathlib
import pickle
import resource
import shutil
import subprocess
import sys
import warnings
import weakref

import mujoco
import numpy as np
import pytest

import sinew
from sinew import _core, compare, minimize, rollout, standin

ROOT = pathlib.Path(__file__).parents[2]
HUMANOID = str(ROOT / "models" / "humanoid.xml")

SMALL = """
<mujoco>
  <worldbody>
    <body name="arm"><joint name="j" axis="0 1 0"/><geom name="g" size=".1" pos=".2 0 0"/>
      <body name="hand" pos=".4 0 0"><joint axis="0 1 0"/><geom size=".05"/><site name="s"/></body>
    </body>
  </worldbody>
  <actuator><motor joint="j"/></actuator>
  <sensor><jointpos joint="j"/><framepos objtype="site" objname="s"/></sensor>
  <keyframe><key qpos="1 0"/></keyframe>
</mujoco>
"""


@pytest.fixture
def model():
    return sinew.MjModel.from_xml_string(SMALL)


@pytest.fixture
def data(model):
    return sinew.MjData(model)


# ---- lifetimes ----


def resident():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * resource.getpagesize()


def make_and_drop(count):
    for _ in range(count):
        m = sinew.MjModel.from_xml_string(SMALL)
        d = sinew.MjData(m)
        sinew.mj_step(m, d)
        d.body("hand").xpos
        copy.copy(d)
        pickle.loads(pickle.dumps(m))
    gc.collect()


@pytest.mark.parametrize("count", [2000, pytest.param(100_000, marks=pytest.mark.full)])
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_no_leaks(count):
    """Models and data made and dropped leave memory flat: under 100 bytes each remain."""
    make_and_drop(count // 4)
    before = resident()
    make_and_drop(count)
    assert resident() - before < max(2 << 20, 100 * count)


def test_views_keep_memory_alive():
    """Nothing that Python holds is freed under it, in whatever order the rest goes."""
    m = sinew.MjModel.from_xml_string(SMALL)
    d = sinew.MjData(m)
    sinew.mj_step(m, d, 10)
    kept = d.qpos, m.body_mass, d.contact, m.opt.gravity, d.body("arm").xpos, d.warning[0], m.vis.global_
    expected = [np.copy(kept[0]), np.copy(kept[1])]
    del m, d
    gc.collect()
    sinew.MjData(sinew.MjModel.from_xml_string(SMALL))
    assert np.array_equal(kept[0], expected[0]) and np.array_equal(kept[1], expected[1])
    assert kept[3][2] == -9.81 and len(kept[2]) == 0 and kept[5].number == 0 and kept[6].fovy == 45


def test_handles_are_not_in_cycles(model):
    """Dropping the last reference frees a model at once, without the garbage collector."""
    gc.disable()
    try:
        d = sinew.MjData(model)
        d.body("arm").xpos, d.joint("j").qpos, model.geom("g").size
        reference = weakref.ref(d)
        del d
        assert reference() is None
    finally:
        gc.enable()


def test_data_keeps_its_model():
    d = sinew.MjData(sinew.MjModel.from_xml_string(SMALL))
    gc.collect()
    sinew.mj_step(d.model, d)
    assert d.time == d.model.opt.timestep


# ---- errors ----


def test_wrong_types(model, data):
    calls = [
        lambda: sinew.mj_step(model), lambda: sinew.mj_step(data, model), lambda: sinew.mj_step(model, None),
        lambda: sinew.MjData(None), lambda: sinew.MjData(3), lambda: sinew.mj_step(model, data, "x"),
        lambda: sinew.mj_jacBody(model, data, np.zeros((2, 2)), None, 1),
        lambda: sinew.mj_jacBody(model, data, np.zeros((3, 2), np.float32), None, 1),
        lambda: sinew.mj_getState(model, data, np.zeros(3), sinew.mjtState.mjSTATE_QPOS),
        lambda: sinew.mju_mulMatVec(np.zeros(3), np.zeros((3, 2)), np.zeros(3)),
        lambda: sinew.mj_fullM(model, np.zeros((2, 3)), data.qM),
        lambda: sinew.set_mjcb_control(3), lambda: sinew.set_mju_user_warning(3),
    ]
    for number, call in enumerate(calls):
        with pytest.raises(TypeError):
            call()
            pytest.fail(f"call {number}")


def test_wrong_values(model, data):
    with pytest.raises(ValueError):
        data.qpos = np.zeros(3)
    with pytest.raises(ValueError):
        sinew.MjModel.from_xml_string("<mujoco><nonsense/></mujoco>")
    with pytest.raises(ValueError):
        sinew.MjModel.from_xml_path("there/is/no/file.xml")
    with pytest.raises(ValueError):
        sinew.MjModel.from_binary_path("there/is/no/file.mjb")
    with pytest.raises(KeyError, match="Invalid name 'leg'. Valid names: .*'arm', 'hand'"):
        model.body("leg")
    with pytest.raises(IndexError, match="Invalid index 9. Valid indices from 0 to 2"):
        model.body(9)
    with pytest.raises(IndexError):
        data.contact[0]
    with pytest.raises(sinew.FatalError):
        sinew.mj_setKeyframe(model, data, 7)
    with pytest.raises(ValueError):
        sinew.mjtGeom(12345)
    with pytest.raises(AttributeError):
        model.nonsense = 1


def test_errors_leave_a_usable_engine(model, data):
    with pytest.raises(sinew.FatalError):
        sinew.mj_stateSize(model, 1 << 20)
    sinew.mj_step(model, data)
    assert data.time > 0


def test_callback_exceptions_arrive_unchanged(model, data):
    class Special(Exception):
        pass

    def control(m, d):
        raise Special("from the callback")

    sinew.set_mjcb_control(control)
    try:
        with pytest.raises(Special, match="from the callback"):
            sinew.mj_step(model, data)
    finally:
        sinew.set_mjcb_control(None)
    sinew.mj_step(model, data)


def test_user_warnings(model, data):
    texts = []
    sinew.set_mju_user_warning(texts.append)
    try:
        data.qpos[0] = np.nan
        sinew.mj_step(model, data)
    finally:
        sinew.set_mju_user_warning(None)
    assert len(texts) == 1 and "Nan" in texts[0]
    assert sinew.get_mju_user_warning() is None


# ---- import ----


def test_import_takes_numpy_alone():
    """No package beyond NumPy is imported before it is asked for: importing stays quick."""
    code = """import sys, numpy
before = set(sys.modules)
import sinew
print(*sorted({name.split(".")[0] for name in set(sys.modules) - before}))"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) - set(sys.stdlib_module_names) <= {"sinew", "numpy"}


# ---- rollout ----


def roll(package, module, m, data_count, **options):
    random = np.random.default_rng(0)
    full = package.mjtState.mjSTATE_FULLPHYSICS.value
    initial = np.zeros((8, package.mj_stateSize(m, full)))
    d = package.MjData(m)
    package.mj_getState(m, d, initial[0], full)
    initial[:] = initial[0]
    initial[:, 1 + m.nq:] += 0.1 * random.standard_normal((8, m.nv))
    control = 0.2 * random.standard_normal((8, 30, m.nu))
    data = [package.MjData(m) for _ in range(data_count)] if data_count > 1 else d
    return module.rollout(m, data, initial, control, **options)


def test_rollout_threads_give_the_same_bits():
    m = sinew.MjModel.from_xml_path(HUMANOID)
    one = roll(sinew, rollout, m, 1)
    for count, chunk in ((2, None), (3, 1), (4, 5)):
        many = roll(sinew, rollout, m, count, chunk_size=chunk)
        assert all(np.array_equal(a, b) for a, b in zip(one, many))


ROLLOUTS = {
    "memory of another type": lambda m, s, c: dict(control=c, state=np.zeros((4, 6, s.size), np.float32)),
    "memory with gaps": lambda m, s, c: dict(control=c, state=np.zeros((4, 6, 2 * s.size))[:, :, ::2]),
    "memory with fewer axes": lambda m, s, c: dict(control=c[0], state=np.zeros((6, s.size))),
    "memory that is too small": lambda m, s, c: dict(control=c, state=np.zeros((1, 1, s.size))),
    "no steps said": lambda m, s, c: dict(control=c, nstep=0),
    "other steps said": lambda m, s, c: dict(control=c, nstep=7),
    "steps that are no number": lambda m, s, c: dict(control=c, nstep=1.5),
    "chunks that are no number": lambda m, s, c: dict(control=c, chunk_size=1.5),
    "too few models": lambda m, s, c: dict(model=[m] * 3, control=c),
    "too few warm starts": lambda m, s, c: dict(control=c, initial_warmstart=np.zeros((3, m.nv))),
}


@pytest.mark.parametrize("what", ROLLOUTS)
def test_rollouts_answer_as_mujocos(what):
    """Values, shapes, whose memory they lie in, and the words of refusals."""
    from mujoco import rollout as reference

    answers = []
    for module, roller in ((mujoco, reference), (sinew, rollout)):
        m = module.MjModel.from_xml_string(SMALL)
        start = np.zeros(module.mj_stateSize(m, int(module.mjtState.mjSTATE_FULLPHYSICS)))
        arguments = ROLLOUTS[what](m, start, np.random.default_rng(0).normal(size=(4, 6, 1)))
        given = arguments.get("state")
        try:
            state, sensors = roller.rollout(arguments.pop("model", m), module.MjData(m), start, **arguments)
            answers.append([state.tolist(), sensors.tolist(), state is given, given is not None and bool(given.any())])
        except ValueError as error:
            answers.append(str(error))
    if isinstance(answers[0], str):
        assert answers[1] == answers[0]
    else:
        np.testing.assert_allclose(answers[1][0], answers[0][0], atol=1e-12)
        np.testing.assert_allclose(answers[1][1], answers[0][1], atol=1e-12)
        assert answers[1][2:] == answers[0][2:]


def test_rollout_progress(capsys):
    """A function is told how far it is, a bar is drawn, an exception ends the rollout; results are the same."""
    m = sinew.MjModel.from_xml_path(HUMANOID)
    d = sinew.MjData(m)
    start = np.concatenate([[d.time], d.qpos, d.qvel])[None].repeat(4, 0)
    told = []
    state, _ = rollout.rollout(m, d, start, nstep=30, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (120, 120) and told == sorted(told)
    silent, _ = rollout.rollout(m, d, start, nstep=30)
    assert np.array_equal(state, silent) and capsys.readouterr().err == ""
    rollout.rollout(m, d, start, nstep=30, progress=True)
    assert "100 %" in capsys.readouterr().err

    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rollout.rollout(m, d, start, nstep=30, progress=stop)


def test_rollout_agrees_with_mujoco():
    from mujoco import rollout as reference

    m = mujoco.MjModel.from_xml_string(SMALL)
    expected = roll(mujoco, reference, m, 1)
    found = roll(sinew, rollout, sinew.MjModel.from_xml_string(SMALL), 2)
    for a, b in zip(expected, found):
        assert a.shape == b.shape and np.abs(a - b).max() < 1e-10


def test_rollout_equals_steps(model, data):
    full = sinew.mjtState.mjSTATE_FULLPHYSICS.value
    initial = np.zeros((1, sinew.mj_stateSize(model, full)))
    control = np.random.default_rng(0).standard_normal((1, 10, 1))
    states, sensors = rollout.rollout(model, sinew.MjData(model), initial, control)
    state = np.empty(initial.shape[1])
    for t in range(10):
        data.ctrl[:] = control[0, t]
        sinew.mj_step(model, data)
        sinew.mj_getState(model, data, state, full)
        assert np.array_equal(states[0, t], state) and np.array_equal(sensors[0, t], data.sensordata)


def test_rollout_of_a_diverged_world_stands_still(model):
    full = sinew.mjtState.mjSTATE_FULLPHYSICS.value
    initial = np.zeros((2, sinew.mj_stateSize(model, full)))
    initial[1, 1] = np.nan
    states, _ = rollout.rollout(model, sinew.MjData(model), initial, nstep=5)
    assert np.ptp(states[1, :, 0]) == 0 and np.ptp(states[0, :, 0]) > 0


def test_rollout_refuses(model, data):
    initial = np.zeros((2, 5))
    with pytest.raises(ValueError):
        rollout.rollout(model, data, [0.0] * 5)
    with pytest.raises(ValueError):
        rollout.rollout(model, data, np.zeros((2, 4)))
    with pytest.raises(ValueError):
        rollout.rollout(model, data, initial, np.zeros((3, 4, 1)))
    with pytest.raises(RuntimeError):
        rollout.rollout(model, (data,), initial)
    roller = rollout.Rollout(nthread=2)
    roller.close()
    with pytest.raises(RuntimeError):
        roller.rollout(model, [data, sinew.MjData(model)], initial)


@pytest.mark.parametrize("nthread", [0, 2])
def test_rollout_with_one_data_for_all_threads(model, nthread):
    """Threads take copies of it: the results are those of one data each."""
    initial = np.random.default_rng(0).uniform(-1, 1, (6, sinew.mj_stateSize(model, sinew.mjtState.mjSTATE_FULLPHYSICS)))
    data = sinew.MjData(model)
    with rollout.Rollout(nthread=nthread) as roller:
        shared = roller.rollout(model, [data] * nthread if nthread else data, initial, nstep=20)
        own = roller.rollout(model, [sinew.MjData(model) for _ in range(nthread)] if nthread else data, initial, nstep=20)
    assert np.array_equal(shared[0], own[0])


@pytest.mark.parametrize("name", ["qpos", "xfrc_applied", "act", "energy", "eq_active", "solver_niter", "userdata"])
def test_none_in_an_array_is_what_numpy_makes_of_it(name, model):
    answers = []
    for module in (mujoco, sinew):
        data = module.MjData(module.MjModel.from_xml_string('<mujoco><worldbody><body><joint/><geom size=".1"/></body></worldbody></mujoco>'))
        try:
            setattr(data, name, None)
            answers.append(getattr(data, name).tolist())
        except TypeError as error:
            answers.append(str(error).split("(")[0])
    assert str(answers[0]) == str(answers[1])


def test_signature_of_a_model_is_read_only(model):
    with pytest.raises(AttributeError):
        model.signature = 5


# ---- minimize ----


def rosenbrock(x):
    return np.stack([1 - x[0], 10 * (x[1] - x[0] ** 2)])


@pytest.mark.parametrize("bounds", [None, [np.array([-2.0, -2.0]), np.array([0.5, 2.0])]])
def test_minimize_follows_mujocos_path(bounds):
    """The same points and regularisers, iteration by iteration."""
    from mujoco import minimize as reference

    silent = dict(bounds=bounds)
    x, ours = minimize.least_squares(np.array([-1.2, 1.0]), rosenbrock, verbose=minimize.Verbosity.SILENT, **silent)
    y, theirs = reference.least_squares(np.array([-1.2, 1.0]), rosenbrock, verbose=reference.Verbosity.SILENT, **silent)
    assert len(ours) == len(theirs)
    for a, b in zip(ours, theirs):
        assert np.allclose(a.candidate, b.candidate, atol=1e-9)
        assert np.isclose(a.objective, b.objective) and np.isclose(a.regularizer, b.regularizer)
    assert np.allclose(x, y, atol=1e-9)


def test_least_squares_takes_verbosity_as_a_number(capsys):
    for verbose, lines in ((0, 1), (1, 3), (2, 4)):
        minimize.least_squares(np.array([1.0, 1.0]) * 2, lambda x: x - 1, verbose=verbose)
        assert len(capsys.readouterr().out.splitlines()) == lines
    with pytest.raises(ValueError, match="not a valid Verbosity"):
        minimize.least_squares(np.ones(2), lambda x: x, verbose=7)


# ---- stand-in, compare ----


def test_standin_runs_programs(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import sys, mujoco, mujoco.rollout\nfrom mujoco import minimize\n"
        f"m = mujoco.MjModel.from_xml_path({HUMANOID!r})\nd = mujoco.MjData(m)\nmujoco.mj_step(m, d, 3)\n"
        "print(type(m).__module__, round(d.time / m.opt.timestep), sys.argv[1], mujoco.rollout.__name__)\n"
    )
    result = subprocess.run([sys.executable, "-m", "sinew.standin", str(program), "argument"], capture_output=True,
                            text=True, check=True)
    assert result.stdout.split() == ["sinew._core", "3", "argument", "sinew.rollout"]


def test_standin_refuses_when_mujoco_is_there():
    with pytest.raises(RuntimeError):
        standin.install()


def test_compare_finds_agreement(capsys):
    assert compare.main([HUMANOID, "--json", "--steps", "60"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["engine"]["counts_equal"] and result["whole"]["counts_equal"]
    assert max(stage["error"] for stage in result["engine"]["stages"].values()) < 1e-8
    assert result["speed"]["ratio"] > 0 and all(error < 1e-9 for error in result["fields"].values())
    assert compare.main([HUMANOID, "--no-speed"]) == 0
    assert "compiled model" in capsys.readouterr().out


def test_compare_finds_differences():
    """An error that is put in is reported."""
    theirs = mujoco.MjModel.from_xml_path(HUMANOID)
    ours = sinew.MjModel.from_xml_path(HUMANOID)
    ours.body_mass[3] *= 1.01
    assert "body_mass" in compare.compare_models(theirs, ours)
    found = compare.compare_steps(mujoco, theirs, ours, 2, 20)
    assert found["stages"]["velocity"]["error"] > 1e-5


def test_compare_fails_cleanly(capsys):
    assert compare.main(["no/such/file.xml"]) == 1
    assert "no/such/file.xml" in capsys.readouterr().err


# ---- names ----

# what the module has of Python's own modules, and what editing of models brings
FOREIGN = set("Any IO Sequence TypeAlias Union ctypes os platform subprocess warnings zipfile glfw".split())


def test_names_of_the_module():
    """Every public name of `mujoco` is there, but for those that the coverage table explains."""
    table = (ROOT / "docs" / "python-coverage.md").read_text()
    missing = {n for n in dir(mujoco) if not n.startswith("_") and not hasattr(sinew, n)} - FOREIGN
    unexplained = {n for n in missing if f"| `{n}` | no |" not in table}
    assert not unexplained, unexplained


def test_visual_structs_have_mujocos_defaults():
    for name in ("MjvOption", "MjvCamera", "MjvPerturb", "MjvGLCamera", "MjvGeom", "MjvLight", "MjvFigure", "MjvScene"):
        theirs, ours = getattr(mujoco, name)(), getattr(sinew, name)()
        for field in dir(theirs):
            if field.startswith("_") or field in ("lights", "camera", "geoms"):
                continue
            a, b = getattr(theirs, field), getattr(ours, field)
            assert type(a) is type(b), (name, field)
            if isinstance(a, np.ndarray):
                assert a.dtype == b.dtype and a.shape == b.shape, (name, field)
                assert np.array_equal(a, b) if a.dtype.kind != "f" else np.allclose(a, b), (name, field)
            else:
                assert a == b, (name, field)


# ---- types ----

TYPED_PROGRAM = """
import numpy as np
import sinew as mujoco
from sinew import rollout

m = mujoco.MjModel.from_xml_string("<mujoco/>")
d = mujoco.MjData(m)
mujoco.mj_step(m, d, nstep=3)
print(d.qpos.shape, m.opt.timestep, m.nq + 1, d.contact[0].dist, mujoco.mjDISABLESTRING[0])
mujoco.mj_jacBody(m, d, np.zeros((3, m.nv)), None, 0)
i: int = mujoco.mj_name2id(m, mujoco.mjtObj.mjOBJ_BODY, "x")
flags = m.opt.disableflags | mujoco.mjtDisableBit.mjDSBL_CONTACT
n: int = mujoco.mj_stateSize(m, mujoco.mjtState.mjSTATE_FULLPHYSICS)
mujoco.MjvCamera().lookat[:] = 1
mujoco.Batch(m, 4).step(2)
states, sensors = rollout.rollout(m, d, np.zeros((1, n)))
mass: np.ndarray = m.body("a").mass
"""


def test_stubs_are_python(tmp_path):
    """Every stub parses, and has the classes and functions of the package."""
    package = tmp_path / "sinew"
    shutil.copytree(pathlib.Path(sinew.__file__).parent, package, symlinks=False)
    subprocess.run([sys.executable, str(ROOT / "tools" / "python_stubs.py"), str(package)], check=True)
    names = {node.name for stub in package.glob("*.pyi") for node in ast.parse(stub.read_text()).body
             if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    assert {"MjModel", "MjData", "MjSpec", "mj_step", "mj_forward", "mjtObj", "MjvScene"} <= names


def test_stubs_are_accepted(tmp_path):
    """A typed program passes pyright with the generated stubs, and a wrong one does not."""
    checker = shutil.which("pyright") or shutil.which("basedpyright")
    if not checker:
        pytest.skip("pyright is not installed")
    package = tmp_path / "lib" / "sinew"
    shutil.copytree(pathlib.Path(sinew.__file__).parent, package, symlinks=False)
    subprocess.run([sys.executable, str(ROOT / "tools" / "python_stubs.py"), str(package)], check=True)
    paths = [str(tmp_path / "lib"), str(pathlib.Path(np.__file__).parents[1])]
    settings = {"extraPaths": paths, "typeCheckingMode": "standard"}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    for name, text, expected in (("good.py", TYPED_PROGRAM, 0), ("bad.py", TYPED_PROGRAM + "mujoco.mj_step(d, m)\n", 1)):
        (tmp_path / name).write_text(text)
        result = subprocess.run([checker, name], cwd=tmp_path, capture_output=True, text=True)
        assert result.returncode == expected, result.stdout


def test_texts_may_be_bytes():
    """As in pybind11: XML often comes straight from a file opened in binary mode."""
    xml = b'<mujoco><worldbody><geom name="g" size="1"/></worldbody></mujoco>'
    model = sinew.MjModel.from_xml_string(xml)
    assert sinew.mj_name2id(model, sinew.mjtObj.mjOBJ_GEOM, b"g") == 0
    assert model.geom(b"g").id == mujoco.MjModel.from_xml_string(xml).geom(b"g").id
    assert sinew.MjSpec.from_string(xml).compile().ngeom == 1
    with pytest.raises(TypeError):
        sinew.MjModel.from_xml_string(3)


def test_vectors_are_matrices_of_one_column():
    """A model with one degree of freedom: its Jacobians are often kept as vectors."""
    found = []
    for engine in (mujoco, sinew):
        m = engine.MjModel.from_xml_string('<mujoco><worldbody><body><joint/><geom size=".1" pos="1 0 0"/></body></worldbody></mujoco>')
        d = engine.MjData(m)
        engine.mj_forward(m, d)
        jacobian = np.zeros(3)
        engine.mj_jac(m, d, jacobian, None, [1, 0, 0], 1)
        found.append(jacobian)
        with pytest.raises(TypeError):
            engine.mj_jac(m, d, np.zeros(2), None, [1, 0, 0], 1)
    np.testing.assert_array_equal(found[1], found[0])


def test_wrong_arrays_print_nothing(capfd):
    for wrong in ("abc", [1, "x"], [[1], [2, 3]]):
        with pytest.raises(TypeError):
            sinew.mju_norm3(wrong)
    assert capfd.readouterr() == ("", "")


def test_arrays_live_as_long_as_their_handle():
    """dm_control keeps weak references to the arrays of models and data, empty ones included."""
    model = sinew.MjModel.from_xml_string('<mujoco><worldbody><body><joint/><geom size="1"/></body></worldbody></mujoco>')
    data = sinew.MjData(model)
    names = {model: _core.MODEL_FIELDS, data: [*_core.DATA_FIELDS, "energy", "solver_niter"]}
    for handle, fields in names.items():
        for name in fields:
            if isinstance(getattr(handle, name), np.ndarray):
                assert weakref.ref(getattr(handle, name))() is not None, name


def test_scenes_outlive_the_interpreter():
    """A scene that is still there when Python ends is dropped without a word."""
    code = ("import sinew; m = sinew.MjModel.from_xml_string('<mujoco/>'); s = sinew.MjvScene(m, 10); "
            "import builtins; builtins.kept = s")
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.returncode == 0 and result.stderr == ""
