"""System identification: parameters of models come back from noisy recordings of them."""

import numpy as np
import pytest
import sinew
from sinew import sysid
from sinew.parameters import Parameters
from sinew.sysid import Parameter, Recording

ARM = """
<mujoco>
  <option timestep="0.005" integrator="implicitfast"/>
  <worldbody>
    <body name="upper"><joint name="shoulder" axis="0 1 0" damping="0.5"/>
      <geom type="capsule" fromto="0 0 0 .4 0 0" size=".03" mass="1"/>
      <body name="lower" pos=".4 0 0"><joint name="elbow" axis="0 1 0" damping="0.3" armature=".01"/>
        <geom type="capsule" fromto="0 0 0 .3 0 0" size=".025" mass=".6"/><site name="hand" pos=".3 0 0"/></body></body>
  </worldbody>
  <actuator><position name="servo" joint="shoulder" kp="30" kv="2"/><motor name="motor" joint="elbow" gear="4"/></actuator>
  <sensor><jointpos name="angle" joint="elbow"/><accelerometer name="acc" site="hand"/></sensor>
</mujoco>
"""
CHOSEN = [Parameter("mass[lower]", 0.1, 3.0), Parameter("dof_damping[elbow]", 0.01, 2.0), Parameter("kp[servo]", 5.0, 100.0),
          Parameter("actuator_gear[motor,0]", 1.0, 20.0)]
TRUTH = np.array([0.85, 0.12, 22.0, 6.5])
NAMES = [parameter.name for parameter in CHOSEN]


def fit(*arguments, **options):
    return sysid.fit(*arguments, threads=1, **options)


def arm():
    return sinew.MjModel.from_xml_string(ARM)


def record(model, values, names=NAMES, steps=300, phase=0.0, noise=1e-3, seed=0, qpos=(0.0, 0.0)):
    """A recording of a model with other values, stepped by mj_step: what it leaves after each step."""
    true = sinew.MjModel.from_xml_string(ARM)
    Parameters(true, names).write(true, values)
    data, random = sinew.MjData(true), np.random.default_rng(seed)
    data.qpos[:] = qpos
    times = np.arange(steps) * true.opt.timestep
    control = np.stack([np.sin(4 * times + phase), np.cos(7 * times + phase)], axis=1)
    rows = []
    for u in control:
        data.ctrl[:] = u
        sinew.mj_step(true, data)
        rows.append(np.concatenate([data.qpos, data.qvel, data.sensordata]))
    rows = np.array(rows) + random.normal(0, noise, np.shape(rows))
    measured = {"qpos": rows[:, :2], "qvel": rows[:, 2:4], "sensor:angle": rows[:, 4], "sensor:acc": rows[:, 5:]}
    return control, measured


def test_masses_damping_and_gains_come_back_from_noise():
    control, measured = record(arm(), TRUTH)
    result = fit(arm(), Recording(control, {"qpos": measured["qpos"]}), CHOSEN)
    assert np.allclose(result.values, TRUTH, rtol=0.01)
    assert (np.abs(result.values - TRUTH) < 5 * result.errors).all() and (result.errors < 0.01 * TRUTH).all()
    assert not result.at_bounds.any() and result["kp[servo]"] == result.values[2]
    assert "mass[lower]" in str(result)


@pytest.mark.full
def test_errors_are_the_spread_over_many_recordings():
    """Standard errors, from one fit, against fits of 8 recordings with other noise."""
    found, errors = [], []
    for seed in range(8):
        control, measured = record(arm(), TRUTH, seed=seed, steps=150, noise=0.003)
        result = fit(arm(), Recording(control, {"qpos": measured["qpos"]}), CHOSEN)
        found.append(result.values)
        errors.append(result.errors)
    ratio = np.std(found, axis=0) / np.mean(errors, axis=0)
    assert (ratio > 0.4).all() and (ratio < 2.0).all(), ratio


def test_many_recordings_and_signals_of_sensors():
    a, seen_a = record(arm(), TRUTH, noise=0)
    b, seen_b = record(arm(), TRUTH, steps=120, phase=1.0, noise=0, qpos=(0.3, -0.2))
    recordings = [Recording(a, {"sensor:angle": seen_a["sensor:angle"]}),
                  Recording(b, {"sensor:acc": seen_b["sensor:acc"], "qvel": seen_b["qvel"]}, qpos=[0.3, -0.2])]
    result = fit(arm(), recordings, CHOSEN, weights={"sensor:acc": 0.1})
    assert np.allclose(result.values, TRUTH, rtol=1e-3)


def test_exact_recordings_leave_no_residuals():
    """With the true values, of all signals."""
    control, measured = record(arm(), TRUTH, noise=0)
    problem = sysid.Problem(arm(), Recording(control, measured), CHOSEN)
    assert np.abs(problem.residuals(TRUTH)).max() < 1e-9


def test_samples_at_times_of_their_own():
    control, measured = record(arm(), TRUTH, noise=0)
    times = 0.005 * np.arange(1, 301)
    slow = slice(3, None, 4)  # every 20 ms; the state of the first sample, which is known, is the start
    seen = {"qpos": measured["qpos"][slow]}
    held = np.repeat(control[slow], 4, axis=0)
    truth = sinew.MjModel.from_xml_string(ARM)
    Parameters(truth, NAMES).write(truth, TRUTH)
    data = sinew.MjData(truth)
    positions = []
    for u in held:
        positions.append(data.qpos.copy())
        data.ctrl[:] = u
        sinew.mj_step(truth, data)
    seen = {"qpos": np.array(positions)[::4]}
    result = fit(arm(), Recording(control[slow], seen, times=times[slow]), CHOSEN)
    assert np.allclose(result.values, TRUTH, rtol=1e-4)


def test_missing_measurements_are_left_out():
    control, measured = record(arm(), TRUTH)
    seen = measured["qpos"].copy()
    seen[50:100, 1] = np.nan
    result = fit(arm(), Recording(control, {"qpos": seen}), CHOSEN)
    assert len(result.residuals) == 550 and np.allclose(result.values, TRUTH, rtol=0.01)


def test_what_cannot_be_told_apart_is_said():
    """The gear and the control's gain of a motor only ever act as their product."""
    control, measured = record(arm(), TRUTH)
    chosen = [Parameter("actuator_gear[motor,0]", 1, 20), Parameter("actuator_gainprm[motor,0]", 0.2, 5)]
    result = fit(arm(), Recording(control, {"qpos": measured["qpos"]}), chosen)
    assert np.isinf(result.errors).all()


def test_bounds_hold():
    control, measured = record(arm(), TRUTH)
    chosen = [Parameter("mass[lower]", 0.1, 0.7), *CHOSEN[1:]]
    result = fit(arm(), Recording(control, {"qpos": measured["qpos"]}), chosen)
    assert result["mass[lower]"] == pytest.approx(0.7) and result.at_bounds[0]


def test_results_are_written_into_a_model():
    control, measured = record(arm(), TRUTH, noise=0)
    model = arm()
    result = fit(model, Recording(control, {"qpos": measured["qpos"]}), CHOSEN)
    result.write(model)
    assert np.allclose(Parameters(model, NAMES).values(), TRUTH, rtol=1e-5)
    assert model.actuator_biasprm[0, 1] == -model.actuator_gainprm[0, 0]
    assert model.body_subtreemass[0] == pytest.approx(1 + 0.85, rel=1e-5)


def test_wrong_recordings_are_named():
    control = np.zeros((5, 2))
    for wrong, words in ((Recording(np.zeros((5, 3)), {"qpos": np.zeros((5, 2))}), "control should be"),
                         (Recording(control, {"qpos": np.zeros((4, 2))}), "5 samples"),
                         (Recording(control, {"speed": np.zeros(5)}), "no signal"),
                         (Recording(control, {}), "nothing was measured"),
                         (Recording(control, {"qpos": np.zeros((5, 3))}), "2 columns"),
                         (Recording(control, {"qpos": np.zeros((5, 2))}, times=np.zeros(5)), "rise")):
        with pytest.raises(ValueError, match=words):
            fit(arm(), wrong, CHOSEN)
    with pytest.raises(KeyError, match="angle"):
        fit(arm(), Recording(control, {"sensor:angel": np.zeros(5)}), CHOSEN)
    with pytest.raises(ValueError, match="lower bound"):
        fit(arm(), Recording(control, {"qpos": np.zeros((5, 2))}), [Parameter("mass[lower]", 2, 1)])
