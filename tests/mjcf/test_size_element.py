"""The element `size`: what MuJoCo takes, and what it refuses."""

import mujoco
import pytest

import sinew

MEMORY = [" 1M", "1M ", "+1M", "++1M", "+ 1M", "-0", "-1", "+-1", "1\n", "1Mx", "1M M", "M", "1+", "0x", "00012", "1,", "1k", "0K", "-1M", "+", "-",
          "1_0", "-2", "-1K", "1.5M", "1e3", "18446744073709551616"]
ELEMENTS = ['njmax="5"/><size memory="1M"', 'memory="1M"/><size njmax="5"', 'nstack="5"/><size memory="1M"', 'memory="1M"/><size nstack="5"',
            'nconmax="5"/><size memory="1M"', 'njmax="5" memory="1M"', 'nstack="5" memory="1M"', 'njmax="-1" memory="1M"', 'nstack="-1" memory="1M"',
            'memory="-1" njmax="3"', 'memory="-1"/><size nstack="3"', 'nstack="5" njmax="2" nconmax="1"']


def answer(module, attributes):
    try:
        spec = module.MjSpec.from_string(f"<mujoco><size {attributes}/></mujoco>")
    except ValueError as error:
        return str(error).split("\n")[0]
    return spec.memory, spec.njmax, spec.nconmax, spec.nstack


@pytest.mark.parametrize("attributes", [f'memory="{text}"' for text in MEMORY] + ELEMENTS)
def test_size(attributes):
    assert answer(sinew, attributes) == answer(mujoco, attributes)
