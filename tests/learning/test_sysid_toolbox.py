"""MuJoCo's own toolbox of system identification runs on Sinew, unmodified, and finds the same numbers."""

import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

SCRIPT = '''
import mujoco, numpy as np, sys
from mujoco import sysid
import mujoco.introspect

XML = """
<mujoco><option timestep=".005"/><worldbody>
  <body><joint name="j" axis="0 1 0" damping=".4"/><geom name="g" type="capsule" fromto="0 0 0 .4 0 0" size=".03" mass="1"/></body>
</worldbody><actuator><motor name="m" joint="j"/></actuator><sensor><jointpos name="p" joint="j"/></sensor></mujoco>"""

def damping(spec, parameter):
    spec.joint("j").damping = parameter.value[0]

spec, true = mujoco.MjSpec.from_string(XML), mujoco.MjSpec.from_string(XML)
true.joint("j").damping = 0.15
model = true.compile()
data = mujoco.MjData(model)
start = sysid.create_initial_state(model, data.qpos.copy(), data.qvel.copy(), data.act.copy())
times = np.arange(200) * 0.005
control, seen = np.sin(5 * times)[:, None], []
for u in control:
    data.ctrl[:] = u
    mujoco.mj_step(model, data)
    seen.append(data.sensordata.copy())
parameters = sysid.ParameterDict()
parameters.add(sysid.Parameter("damping", [0.4], [0.01], [2.0], modifier=damping))
sequences = sysid.ModelSequences("model", spec, "run", start, sysid.TimeSeries(times, control),
                                 sysid.TimeSeries.from_names(times, np.array(seen), model))
found, _ = sysid.optimize(parameters, sysid.build_residual_fn(models_sequences=[sequences]), optimizer=sys.argv[1], verbose=False)
print(mujoco.__name__, *found.as_vector())
'''


@pytest.mark.parametrize("optimizer", ["mujoco", "scipy"])
def test_the_toolbox_finds_the_same_numbers(optimizer, tmp_path):
    pytest.importorskip("mujoco.sysid")
    (tmp_path / "identify.py").write_text(SCRIPT)
    path = os.pathsep.join(str(pathlib.Path(entry).resolve()) for entry in sys.path if entry)
    found = []
    for how, name in (([], "mujoco"), (["-m", "sinew.standin"], "sinew")):
        done = subprocess.run([sys.executable, *how, str(tmp_path / "identify.py"), optimizer], text=True, capture_output=True,
                              env=dict(os.environ, PYTHONPATH=path), cwd=tmp_path)
        assert done.returncode == 0, done.stderr[-2000:]
        ran, *values = done.stdout.splitlines()[-1].split()
        assert ran == name
        found.append(np.array(values, float))
    assert np.allclose(found[0], found[1], rtol=1e-7) and np.allclose(found[0], 0.15, rtol=0.02)
