"""A user's view: the same files, the same options, the same steps in both packages.

A sample of files and variants by default; all of them under the marker `full`.
"""

import zlib

import end_to_end as both
import mujoco
import pytest
from random_mjcf import random_model

SOURCES = both.sources()

# files that are left out, each with the reason
LEFT_OUT = {
    "own/constraint/flex_contact": "flex",
    "own/constraint/flex_contact_friction": "flex",
    "own/constraint/flex_edges": "flex",
    "own/constraint/flex_vertices": "flex",
}
LEFT_OUT_FOLDERS = ("shared/mujoco/flex/", "shared/mujoco/hammock/", "shared/mujoco/plugin/sdf/",
                    "shared/mujoco/tactile/")  # fmt: skip
# MuJoCo's own step stops with an error: "pre and post-count of B_rownnz are not equal"
MUJOCO_FAILS = {(f"own/{name}", f"pgs-{cone}-sparse")
                for name in ("constraint/friction_free", "odd/equality_world", "odd/free_stiffness")
                for cone in ("pyramidal", "elliptic")}  # fmt: skip
# ... or "discrete inverse dynamics is not supported by RK4 integrator"
MUJOCO_FAILS |= {("own/odd/flags_mixed", "enable-invdiscrete")}
# joints that hang exactly at their limits: whether the limit counts is a matter of the last bit
AT_LIMIT = {("gym/walker2d", "disable-actuation"), ("gym/walker2d_v5", "disable-actuation")}
# boxes cross at an edge at the start: MuJoCo reports one of two equal contacts twice, by rounding
AT_LIMIT |= {(f"shared/menagerie/wonik_allegro/{name}", "rk4") for name in ("right_hand", "scene_right")}

AWAKE = {int(mujoco.mjtEq.mjEQ_TENDON), int(mujoco.mjtEq.mjEQ_FLEX), int(mujoco.mjtEq.mjEQ_FLEXVERT)}

NAMES = [n for n in SOURCES if n not in LEFT_OUT and not n.startswith(LEFT_OUT_FOLDERS)]
VARIANTS = both.option_variants()
DISTURBANCES = both.disturbances()


def _hash(text):
    return zlib.crc32(text.encode())


def _sample(items, count):
    return sorted(items, key=_hash)[:count]


def _pair(name, largest=200):
    try:
        if mujoco.MjModel.from_xml_path(str(SOURCES[name])).nv > largest:
            pytest.skip("large: left to the full run")
    except ValueError:
        pytest.skip("MuJoCo refuses the file")
    return both.Pair(SOURCES[name])


def _check_plain(name, largest):
    pair = _pair(name, largest)
    assert both.model_differences(pair) == []
    pair.both(both.tighten)
    if not both.asleep(pair.mj):
        pair.fresh()
        failures, worst = both.step_failures(pair)
        print(f"{name}: single steps within {worst:.1e}")
        assert failures == []
    difference, allowance = both.free_run(pair)
    print(f"{name}: free run within {difference:.1e} of {allowance:.1e}")
    assert difference <= allowance


def _check_variant(name, variant, disturbance=None):
    pair = _pair(name)
    pair.both(both.tighten)
    pair.both(VARIANTS[variant])
    pair.fresh()
    if both.asleep(pair.mj):
        if set(pair.mj.eq_type) & AWAKE:
            return  # MuJoCo stops with an error: equalities of tendons and flexes cannot sleep there
        difference, allowance = both.free_run(pair)
        assert difference <= allowance
        return
    how = {"steps": 24, "every": 6, "disturb": DISTURBANCES.get(disturbance)}
    try:
        failures, _ = both.step_failures(pair, **how)
    except mujoco.FatalError as error:
        # MuJoCo keeps contacts of pinned vertices with static geoms in dense rows and then finds no tree
        assert pair.mj.nflex and "no tree found" in str(error)
        return
    assert failures == [], (name, variant, disturbance)


@pytest.mark.parametrize("name", _sample(NAMES, 25))
def test_file(name):
    _check_plain(name, largest=200)


@pytest.mark.full
@pytest.mark.parametrize("name", NAMES)
def test_file_full(name):
    _check_plain(name, largest=10000)


@pytest.mark.parametrize("name", [n for n in NAMES if n.startswith("own/odd/")])
def test_odd_file(name):
    _check_plain(name, largest=200)


@pytest.mark.parametrize("variant", VARIANTS)
def test_variant(variant):
    for name in _sample(NAMES, 12):
        if name in _small() and (name, variant) not in MUJOCO_FAILS | AT_LIMIT:
            _check_variant(name, variant)


@pytest.mark.full
@pytest.mark.parametrize("name", NAMES)
def test_variants_full(name):
    for variant in VARIANTS:
        if (name, variant) not in MUJOCO_FAILS | AT_LIMIT:
            _check_variant(name, variant)


@pytest.mark.parametrize("disturbance", DISTURBANCES)
def test_disturbance(disturbance):
    for name in _sample(_small(), 12):
        _check_variant(name, "plain", disturbance)


@pytest.mark.full
@pytest.mark.parametrize("name", NAMES)
def test_disturbances_full(name):
    for disturbance in DISTURBANCES:
        _check_variant(name, "plain", disturbance)


def _check_random(seeds):
    """Steps of random models; returns how many could be compared."""
    compared = 0
    for seed in seeds:
        try:
            pair = both.Pair.of_text(random_model(seed))
        except ValueError:
            continue  # refused by MuJoCo
        pair.both(both.tighten)
        pair.fresh()
        try:
            failures, _ = both.step_failures(pair, steps=8, every=2, seed=seed)
        except mujoco.FatalError:
            continue  # MuJoCo's own step gives up
        assert failures == [], seed
        compared += 1
    return compared


def test_random_models():
    assert _check_random(range(40)) > 20


@pytest.mark.full
@pytest.mark.parametrize("start", range(0, 400, 50))
def test_random_models_full(start):
    assert _check_random(range(start, start + 50)) > 25


def _small():
    """Files of the sample whose models step fast."""
    if not hasattr(_small, "names"):
        _small.names = []
        for name in _sample(NAMES, 40):
            try:
                if mujoco.MjModel.from_xml_path(str(SOURCES[name])).nv <= 60:
                    _small.names.append(name)
            except ValueError:
                pass
    return _small.names
