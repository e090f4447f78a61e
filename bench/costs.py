"""What is to stay cheap, each cost beside the bound that it is to keep on a quiet machine.

A line is a ratio of processor times, taken in turns, the best of several. Nothing fails: a busy machine
is no fault of the engine; "beyond" is a reason to look.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import time

import mujoco
import numpy as np
import scenes
import sinew
from sinew import _core

HUMANOID = scenes.ROOT / "models" / "humanoid.xml"
SMALLEST = '<mujoco><worldbody><body><joint/><geom size="1"/></body></worldbody></mujoco>'
LINK = '<body pos="0 0 -.1"><joint axis="0 1 0"/><geom type="capsule" size=".02 .05"/>{}</body>'
INTEGRATORS = {"Euler": 0, "RK4": 1, "implicit": 2, "implicitfast": 3}


def best(works, repeats=7):
    """Least processor seconds of each work, taken in turns."""
    seconds = [np.inf] * len(works)
    for _ in range(repeats):
        for i, work in enumerate(works):
            start = time.process_time()
            work()
            seconds[i] = min(seconds[i], time.process_time() - start)
    return seconds


def stepper(model, steps=300, module=_core):
    data = module.MjData(model)
    module.mj_step(model, data, 50)
    return lambda: module.mj_step(model, data, steps)


def with_integrator(xml, name):
    model = _core.MjModel.from_xml_string(xml)
    model.opt.integrator = INTEGRATORS[name]
    model.opt.disableflags |= int(sinew.mjtDisableBit.mjDSBL_CONTACT)
    return model


def integrators():
    chain = ""
    for _ in range(10):
        chain = LINK.format(chain)
    chain = f'<mujoco><option timestep="0.001"/><worldbody>{chain}</worldbody></mujoco>'
    euler, rk4 = best([stepper(with_integrator(chain, name)) for name in ("Euler", "RK4")])
    yield "RK4 / Euler, ten links", rk4 / euler, 4.5
    humanoid = HUMANOID.read_text()
    euler, full, fast = best([stepper(with_integrator(humanoid, name)) for name in ("Euler", "implicit", "implicitfast")])
    yield "implicitfast / Euler, humanoid", fast / euler, 3
    yield "implicit / Euler, humanoid", full / euler, 5


def solver_table():
    """The default path calls the solver directly; the table is for solvers of one's own."""
    model = _core.MjModel.from_xml_path(str(scenes.ROOT / "tests" / "models" / "constraint" / "mixed_all.xml"))
    works = []
    for table in (False, True):
        data = _core.MjData(model)
        data._use_contact_solver(table)
        works.append(lambda data=data: _core.mj_step(model, data, 300))
    direct, through = best(works)
    yield "solver called directly / through its table", direct / through, 1.05


def laws():
    """A step with each law of stretch or bending beside MuJoCo's, explicit and implicit."""
    shapes = {"elasticity": "type='grid' count='8 8 4' dim='3'", "bending": "type='grid' count='20 20 1' dim='2'"}
    for kind, shape in shapes.items():
        for integrator, bound in (("Euler", 4), ("implicitfast", 40)):
            names = sinew.Sim.names(kind)
            models = [_core.MjModel.from_xml_string(f"""<mujoco><option timestep="1e-4" integrator="{integrator}"/><worldbody>
              <flexcomp name="f" {shape} spacing=".05 .05 .05" mass="1" radius=".001" sinew:{kind}_model="{name}">
              <contact contype="0" conaffinity="0" selfcollide="none"/>
              <elasticity young="1e4" poisson=".3" thickness=".01" {'elastic2d="both"' if kind == "bending" else ""}/>
              </flexcomp></worldbody></mujoco>""") for name in names]
            spent = best([stepper(model, 20) for model in models], 3)
            for name, seconds in zip(names[1:], spent[1:]):
                yield f"{name} / {names[0]}, {integrator}", seconds / spent[0], bound


def contact_solvers():
    """XPBD beside the default solver: it sweeps more often than Newton iterates."""
    boxes = "".join(f'<body pos="0 0 {0.1 + 0.2 * i}"><freejoint/><geom type="box" size=".1 .1 .1"/></body>' for i in range(10))
    stack = f'<mujoco><worldbody><geom type="plane" size="3 3 .1"/>{boxes}</worldbody></mujoco>'
    for name, text in (("ten boxes", stack), ("humanoid", HUMANOID.read_text())):
        works = [stepper(sinew.Sim(text, contact=contact).model) for contact in ("newton", "xpbd")]
        newton, xpbd = best(works, 3)
        yield f"XPBD / Newton, {name}", xpbd / newton, 20


def fluid_derivative():
    """Related dofs alone are stored: ten times the arms cost about ten times as much, not a hundred times."""
    links = LINK.format(LINK.format(LINK.format("")))
    works = []
    for arms in (10, 100):
        bodies = "".join(f'<body pos="0 {i} 0">{links}</body>' for i in range(arms))
        model = _core.MjModel.from_xml_string(
            f'<mujoco><option density="1000" viscosity=".1"><flag contact="disable"/></option>'
            f"<worldbody>{bodies}</worldbody></mujoco>")
        data = _core.MjData(model)
        data.qvel[:] = np.resize([1.0, -2, 3], model.nv)
        _core.mj_forward(model, data)
        works.append(lambda m=model, d=data: [_core._deriv_smooth_vel(m, d, True) for _ in range(20)])
    few, many = best(works)
    yield "velocity derivative, nv 300 / nv 30", many / few, 25


def calls():
    """mj_step from Python on the smallest of models: mostly the cost of the call."""
    works = []
    for module in (sinew, mujoco):
        model = module.MjModel.from_xml_string(SMALLEST)
        data = module.MjData(model)
        works.append(lambda f=module.mj_step, m=model, d=data: [f(m, d) for _ in range(3000)])
    ours, theirs = best(works)
    yield "a call from Python, Sinew / MuJoCo", ours / theirs, 1.1


def imports():
    code = "import time, numpy; t = time.process_time(); import sinew; print(time.process_time() - t)"
    spent = [float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
             for _ in range(3)]
    yield "import beyond NumPy, seconds", min(spent), 0.2


def loading(models):
    """The largest models that are here, cold caches in both."""
    sizes = {}
    for path in models:
        try:
            model = mujoco.MjModel.from_xml_path(str(path))
        except ValueError:
            continue
        if not model.nplugin:
            sizes[path] = model.nbuffer
    for path in sorted(sizes, key=lambda path: -sizes[path])[:5]:
        seconds = []
        for load in (_core.MjModel.from_xml_path, mujoco.MjModel.from_xml_path):
            mujoco.mj_clearCache(mujoco.mj_getCache())
            start = time.process_time()
            load(str(path))
            seconds.append(time.process_time() - start)
        yield f"loading {path.stem}, Sinew / MuJoCo", seconds[0] / seconds[1], 1


def loading_flexes():
    for name, text in scenes.flexes().items():
        works = [lambda load=module.MjModel.from_xml_string, text=text: load(text) for module in (sinew, mujoco)]
        ours, theirs = best(works, 3)
        yield f"loading {name}, Sinew / MuJoCo", ours / theirs, 1


def extensions():
    """Actuators, tendons and equalities beyond MuJoCo's, beside what they stand for there."""
    kinds = {
        "affine": "gaintype='affine' gainprm='1 -1 -1' biastype='affine' biasprm='0 -1 -1'",
        "filter": "dyntype='filter' dynprm='.02' gaintype='affine' gainprm='1 -1 -1' biastype='affine' biasprm='0 -1 -1'",
        "series elastic": "sinew:gain_model='series_elastic' sinew:gain_params='1 1 1 .02'",
        "DC motor": "sinew:gain_model='dc_motor' sinew:gain_params='2 .1 .1'",
        "Python": "sinew:gain_model='bench.python' sinew:gain_params='1'",
    }
    sinew.actuators.register("bench.python", lambda x, v, rate, p: (p[0], -x - v))
    arms = "".join(f"<body pos='{i} 0 0'><joint name='{i}'/><geom size='.1' pos='.2 0 0'/></body>" for i in range(20))
    works = [stepper(_core.MjModel.from_xml_string(
        f"<mujoco><option integrator='implicitfast'><flag contact='disable'/></option><worldbody>{arms}</worldbody><actuator>"
        + "".join(f"<general joint='{i}' {law}/>" for i in range(20)) + "</actuator></mujoco>")) for law in kinds.values()]
    affine, lagging, series, motor, python = best(works)
    yield "series elastic / affine with a filter, 20 joints", series / lagging, 1.3
    yield "DC motor / affine, 20 joints", motor / affine, 1.3
    yield "law in Python / affine, 20 joints", python / affine, 60

    hill = "sinew:optimal_length='.1' sinew:slack_length='.2'"
    muscles = ["", hill, hill + " sinew:tendon_stiffness='1e5'"]
    works = [stepper(_core.MjModel.from_xml_string(
        f"<mujoco><option><flag contact='disable'/></option><worldbody>{arms}</worldbody><actuator>"
        + "".join(f"<muscle joint='{i}' lengthrange='.2 .4' {law}/>" for i in range(20)) + "</actuator></mujoco>"))
        for law in muscles]
    plain, rigid, elastic = best(works)
    yield "Hill muscle, rigid tendon / MuJoCo's muscle", rigid / plain, 2
    yield "Hill muscle, elastic tendon / MuJoCo's muscle", elastic / plain, 30

    rope = scenes.ROOT / "tests" / "models" / "actuator" / "capstan.xml"
    text = rope.read_text()
    plain, rubbing = best([stepper(_core.MjModel.from_xml_string(xml)) for xml in (
        text.replace(' sinew:friction=".3 .02"', "").replace(' sinew:friction=".1"', ""), text)])
    yield "tendon with two capstans / without friction", rubbing / plain, 2


def draped_cloth(side=100, **settings):
    """Cloth of side x side vertices, 2 m wide, that falls over a sphere; 60 steps a second."""
    given = " ".join(f'{name}="{value}"' for name, value in settings.items())
    return f"""<mujoco><option timestep="{1 / 60}"/><worldbody><geom type="sphere" size=".5"/></worldbody><deformable>
      <sinew:cloth preset="cotton" count="{side} {side} 1" spacing="{2 / side} {2 / side} 1" pos="0 0 .52" {given}/>
      </deformable></mujoco>"""


def stretch(model, data):
    """Strain of the threads: edges but the diagonals, whose length changes when threads turn against each other."""
    ends = data.deformvert_xpos[model.deformedge_vert]
    strain = np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1) / model.deformedge_rest.ravel() - 1
    return strain[model.deformedge_shear.ravel() == 0]


def deformables():
    """One core is to keep up with the clock, and the cloth is not to be of rubber: three seconds of it."""
    model = _core.MjModel.from_xml_string(draped_cloth(substeps=12, tethers=16, damping=0.5))
    data, spent, worst = _core.MjData(model), 0.0, 0.0
    for _ in range(180):
        start = time.process_time()
        _core.mj_step(model, data)
        spent += time.process_time() - start
        worst = max(worst, np.percentile(stretch(model, data), 99))
    yield "cloth of 100 x 100, processor seconds a second", spent / 3, 1
    yield "cloth of 100 x 100, largest stretch at rest", stretch(model, data).max(), 0.05
    yield "cloth of 100 x 100, stretch of 99 % in motion", worst, 0.05
    model = _core.MjModel.from_xml_string(draped_cloth(substeps=10, tethers=16, damping=0.5, selfcollide="true"))
    data, start = _core.MjData(model), time.process_time()
    _core.mj_step(model, data, 60)
    yield "the same with self-collision, processor seconds a second", time.process_time() - start, 5


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, help="folder for costs.json")
    parser.add_argument("--models", type=pathlib.Path, help="folder of models whose largest are loaded")
    options = parser.parse_args()
    rows = []
    models = sorted(options.models.rglob("*.xml")) if options.models else []
    for part in (integrators(), solver_table(), contact_solvers(), laws(), fluid_derivative(), calls(), imports(),
                 extensions(), deformables(), loading_flexes(), loading(models)):
        for what, value, bound in part:
            print(f"{what:<52}{value:>9.3f}   at most {bound:g}{'' if value <= bound else '   beyond'}", flush=True)
            rows.append({"what": what, "value": value, "bound": bound})
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        (options.out / "costs.json").write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
