"""Programs and libraries of plugins that were compiled with MuJoCo 3.5.0's headers run on Sinew unchanged: the
very same file, with our library under the name of MuJoCo's."""

import os
import pathlib
import subprocess

import pytest
import samples

HERE = pathlib.Path(__file__).resolve().parent
LIBRARY = HERE.parents[1] / "build" / "src" / "compat" / "libsinew_mujoco.so"
MODEL = """<mujoco><extension><plugin plugin="lab.spring"><instance name="soft"><config key="gain" value="{gain}"/></instance>
</plugin><plugin plugin="lab.servo"/><plugin plugin="lab.rows"/><plugin plugin="lab.ball"/></extension>
<option integrator="{integrator}"/>
<asset><mesh name="ball"><plugin plugin="lab.ball"><config key="gain" value=".2"/></plugin></mesh></asset>
<worldbody><geom type="plane" size="5 5 .1"/>
<body name="a" pos=".3 0 1"><plugin instance="soft"/><joint name="x" type="slide" axis="1 0 0" damping="1"/>
<geom size=".1"/><body name="b" pos=".4 0 0"><plugin instance="soft"/><joint name="y" axis="0 1 0" range="-20 20"/>
<geom type="capsule" size=".05 .2"/></body></body>
<body pos="2 0 .19"><freejoint/><geom size=".2"/></body>
<body pos="0 2 .25"><freejoint/><geom type="sdf" mesh="ball"><plugin plugin="lab.ball"><config key="gain" value=".2"/>
</plugin></geom></body></worldbody>
<actuator><plugin plugin="lab.servo" joint="x" actdim="1" dyntype="integrator"><config key="gain" value="3"/></plugin>
<plugin plugin="lab.servo" joint="y" forcerange="-.05 .05"><config key="gain" value=".5"/></plugin></actuator>
<sensor><plugin plugin="lab.rows" cutoff="90"><config key="gain" value="1"/></plugin><jointpos joint="x"/></sensor></mujoco>"""


@pytest.fixture(scope="module")
def theirs(tmp_path_factory):
    """MuJoCo's flags, and a folder in which our library has the name of theirs."""
    flags = samples.mujoco_flags()
    if not flags or not LIBRARY.exists():
        pytest.skip("MuJoCo 3.5.0 has no headers here, or the library is not built")
    folder = tmp_path_factory.mktemp("binary")
    (folder / "libmujoco.so.3.5.0").symlink_to(LIBRARY)
    return flags, folder


def run(command, folder, ours=None):
    environment = {**os.environ, **({"LD_LIBRARY_PATH": str(ours)} if ours else {})}
    return subprocess.run([str(part) for part in command], cwd=folder, env=environment, capture_output=True, text=True,
                          timeout=600)


@pytest.mark.parametrize("source", [pytest.param(path, marks=pytest.mark.full if path.suffix == ".cc" else ())
                                    for path in samples.SAMPLES], ids=lambda path: path.name)
def test_program_built_for_mujoco_runs_on_sinew(source, theirs, tmp_path):
    (flags, folder) = theirs
    expected = samples.run(source, flags, tmp_path)
    result = run([tmp_path / source.stem], tmp_path, folder)
    assert result.returncode == 0, result.stderr
    assert not samples.differences(result.stdout, expected)


@pytest.fixture(scope="module")
def host(theirs):
    (flags, folder) = theirs
    options = ["-Wall", "-Wextra", "-Werror", "-O1"]
    library, program = folder / "plugin.so", folder / "host"
    subprocess.run(["cc", *options, "-shared", "-fPIC", *flags[0], HERE / "binary" / "plugin.c", "-o", library], check=True)
    subprocess.run(["cc", *options, *flags[0], HERE / "binary" / "host.c", "-o", program, *flags[1]], check=True)
    return program, library, folder


@pytest.mark.parametrize("integrator", ["Euler", "implicitfast", "RK4"])
@pytest.mark.parametrize("gain", [3, 0.5, -1])
def test_library_of_plugins_built_for_mujoco_does_the_same_in_both(integrator, gain, host, tmp_path):
    program, library, folder = host
    (tmp_path / "model.xml").write_text(MODEL.format(integrator=integrator, gain=gain))
    expected = run([program, library, "model.xml"], tmp_path)
    result = run([program, library, "model.xml"], tmp_path, folder)
    assert expected.returncode == result.returncode == 0, result.stderr
    assert len(expected.stdout.splitlines()) > (1 if gain < 0 else 30)
    assert not samples.differences(result.stdout, expected.stdout)


def test_library_linked_to_mujoco_finds_sinew_under_its_name(theirs, host, tmp_path):
    (flags, folder), (program, _, _) = theirs, host
    library = folder / "linked.so"
    subprocess.run(["cc", "-shared", "-fPIC", *flags[0], HERE / "binary" / "plugin.c", "-o", library, *flags[1]], check=True)
    (tmp_path / "model.xml").write_text(MODEL.format(integrator="Euler", gain=3))
    expected = run([program, library, "model.xml"], tmp_path)
    result = run([program, library, "model.xml"], tmp_path, folder)
    assert expected.stdout and not samples.differences(result.stdout, expected.stdout)


def built(theirs, name):
    """A program of the folder `random`, built for MuJoCo, and the folder with our library."""
    (flags, folder) = theirs
    program = folder / name
    subprocess.run(["c++", "-std=c++20", "-Wall", "-Wextra", "-Werror", *flags[0], HERE / "random" / f"{name}.cc", "-o", program,
                    *flags[1]], check=True)
    return program, folder


@pytest.fixture(scope="module")
def editor(theirs):
    return built(theirs, "edits")


# 221: MuJoCo divides zero by zero where a mass is zero; 258: it forgets controls of keyframes that wait for the next
# compilation when a body is deleted
SEEDS = [seed for seed in range(300) if seed not in (221, 258)]


@pytest.mark.parametrize("first", [0, *(pytest.param(first, marks=pytest.mark.full) for first in range(30, 300, 30))])
def test_random_edits_compile_and_save_alike(first, editor, tmp_path):
    program, folder = editor
    for seed in SEEDS[first:first + 30]:
        expected, result = run([program, seed], tmp_path), run([program, seed], tmp_path, folder)
        assert expected.returncode == result.returncode == 0, seed
        assert len(expected.stdout.splitlines()) > 10
        assert not samples.differences(result.stdout, expected.stdout), seed


@pytest.fixture(scope="module")
def stages(theirs):
    return built(theirs, "stages")


MODELS = HERE.parent / "models"
QUICK = ["constraint/mixed_all.xml", "constraint/tendon_spatial.xml", "dynamics/actuated.xml", "dynamics/joints.xml",
         "sensor/ray.xml", "odd/user_data.xml", "constraint/limit_tendon.xml"]
# models of which one function or three steps amplify rounding
AMPLIFIED = {
    "constraint/flex_vertices.xml": "flat triangles have Jacobians of 1e6, by which inverse dynamics multiplies twice",
    "odd/tendon_pulley.xml": "a tendon of no weight in its reference pose has a row of R = 1e-15, so forces of 1e15 times the last digit",
    "odd/islands.xml": "three steps of a pile; each one from the same state agrees",
    "compile/geom_fromto.xml": "three steps of bodies deep in one another; each one from the same state agrees",
    "compile/sensor_site.xml": "a site in the plane of a camera is projected to 1e14 of either sign",
    "compile/option_flags_disable.xml": "MuJoCo's derivatives leave a qacc_warmstart of their own where warm starts are off",
}


@pytest.mark.parametrize("name", [*QUICK, *(
    pytest.param(str(path.relative_to(MODELS)), marks=pytest.mark.full)
    for folder in ("constraint", "dynamics", "sensor", "actuation", "collision", "odd", "compile")
    for path in sorted((MODELS / folder).glob("*.xml")))])
def test_every_stage_and_product_writes_the_same(name, stages, tmp_path):
    """All fields that each of eighty functions has changed, in the order of a step, and what it returned."""
    program, folder = stages
    if name in AMPLIFIED:
        pytest.skip(AMPLIFIED[name])
    plugins = pathlib.Path(samples.mujoco_flags()[1][0]).parent / "plugin"
    expected, result = (run([program, 1, MODELS / name, plugins], tmp_path, ours) for ours in (None, folder))
    assert expected.returncode == result.returncode, result.stderr
    assert not samples.differences(result.stdout, expected.stdout, 1e-4)


LOADER = """
#include <mujoco/mujoco.h>
#include <stdio.h>
int main(int argc, char** argv) {
  mj_loadAllPluginLibraries(argc > 1 ? argv[1] : "", NULL);
  char error[300] = "";
  mjModel* m = mj_loadXML("model.xml", NULL, error, sizeof(error));
  if (!m) return printf("%s", error);
  mjData* d = mj_makeData(m);
  for (int i = 0; i < 100; i++) mj_step(m, d);
  printf("%.12g %.12g", d->qpos[0], d->actuator_force[0]);
}
"""


def test_mujocos_own_plugin_libraries_may_be_loaded_beside_what_is_built_in(theirs, tmp_path):
    flags, folder = theirs
    own = pathlib.Path(samples.mujoco_flags()[1][0]).parent / "plugin"
    if not own.exists():
        pytest.skip("the wheel has no plugins")
    (tmp_path / "loader.c").write_text(LOADER)
    subprocess.run(["cc", *flags[0], tmp_path / "loader.c", "-o", tmp_path / "loader", *flags[1]], check=True)
    (tmp_path / "model.xml").write_text("""<mujoco><extension><plugin plugin="mujoco.pid"><instance name="p">
        <config key="kp" value="4"/><config key="kd" value=".1"/></instance></plugin></extension><worldbody><body>
        <joint name="j"/><geom size=".1" pos=".2 0 0"/></body></worldbody><actuator><plugin joint="j" instance="p"/>
        </actuator></mujoco>""")
    expected = run([tmp_path / "loader", own], tmp_path)
    result = run([tmp_path / "loader", own], tmp_path, folder)
    assert expected.returncode == result.returncode == 0, result.stderr
    assert not samples.differences(result.stdout, expected.stdout)
