"""The differential fuzzer finds nothing in a sample, and its minimiser leaves what matters."""

import importlib.util
import pathlib
import xml.etree.ElementTree as ElementTree

import pytest
from minimal import minimise

SPEC = importlib.util.spec_from_file_location("fuzzer", pathlib.Path(__file__).parent / "differential.py")
fuzzer = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(fuzzer)


@pytest.mark.parametrize("kind", ["rigid", "flex"])
def test_random_models_step_alike(kind):
    found = {seed: fuzzer.apart(fuzzer.make(kind, seed), steps=20) for seed in range(4)}
    assert set(found.values()) <= {None, "refused"}, found


@pytest.mark.parametrize("seed", [1, 5, 10, 12, 25, 41])
def test_every_field_of_random_worlds_is_alike(seed):
    assert fuzzer.apart(fuzzer.make("world", seed), steps=10, compare=fuzzer.world_difference) is None


@pytest.mark.parametrize("kind, first", [("soft", 301), ("compose", 0), ("compose", 30), ("urdf", 0)])
def test_every_field_of_other_random_models_is_alike(kind, first):
    found = {seed: fuzzer.found_in(kind, seed, steps=5) for seed in range(first, first + 12)}
    assert set(found.values()) <= {None, "refused", "theirs"}, found
    assert list(found.values()).count(None) >= 5, found


def test_rows_without_a_dof_come_and_go():
    """Rows of pinned vertices on the ground, in a world that fails: they change the factor of no matrix."""
    xml, files = fuzzer.MAKERS["soft"](700057)
    assert fuzzer.apart(xml, 40, compare=fuzzer.ours_alone, files=files) is None


@pytest.mark.full
@pytest.mark.parametrize("kind", ["rigid", "flex"])
def test_many_random_models_step_alike(kind):
    found = {seed: fuzzer.apart(fuzzer.make(kind, seed)) for seed in range(100, 200)}
    assert set(found.values()) <= {None, "refused"}, found


def test_the_smallest_model_has_the_property_and_nothing_else():
    xml = fuzzer.make("rigid", 3)

    def has_geom(text):
        return any(e.tag == "geom" and "size" in e.attrib for e in ElementTree.fromstring(text).iter())

    small = minimise(xml, has_geom)
    assert has_geom(small)
    elements = list(ElementTree.fromstring(small).iter())
    assert [e.tag for e in elements] == ["mujoco", "geom"] and list(elements[1].attrib) == ["size"]


def test_a_difference_is_found_and_made_small(monkeypatch):
    """An engine that doubles the gravity of models with a free joint is caught by a model with little more than that."""
    step = fuzzer.sinew.mj_step

    def wrong(m, d):
        step(m, d)
        if 0 in m.jnt_type:
            d.qvel[:] += 1e-3

    monkeypatch.setattr(fuzzer.sinew, "mj_step", wrong)
    xml = (
        '<mujoco><option timestep=".004"/><worldbody><geom type="plane" size="1 1 1" pos="0 0 -5"/>'
        '<body name="a"><freejoint/><geom size=".1" rgba="1 0 0 1"/><site name="s"/></body>'
        '<body name="b" pos="1 0 0"><joint/><geom size=".1"/></body></worldbody>'
        '<sensor><clock/></sensor></mujoco>'
    )
    found = fuzzer.apart(xml, steps=2)
    assert found == "qvel at once"
    small = minimise(xml, lambda text: fuzzer.apart(text, steps=2) == found)
    tags = [e.tag for e in ElementTree.fromstring(small).iter()]
    assert tags == ["mujoco", "worldbody", "body", "freejoint", "geom"]
