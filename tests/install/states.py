"""Steps models of ROOT/models and ROOT/tests/models 200 times under fixed controls, and prints for each what tools/determinism.py
compares: name, steps, a hash of all states, and the last state in hexadecimal.    states.py ROOT"""

import hashlib
import math
import pathlib
import sys
import warnings

import numpy as np

import sinew

FOLDERS = ("models", "tests/models/constraint", "tests/models/collision", "tests/models/actuation", "tests/models/dynamics")
STEPS = 200


def library():
    """A hash of the C library's functions, by which the engine's differences are explained or not."""
    numbers = [k * 0.37 + 0.01 for k in range(20000)]
    digest = hashlib.sha256()
    for name in ("sin", "cos", "tan", "atan", "exp", "log", "tanh"):
        function = getattr(math, name)
        digest.update(np.array([function(x % 40 if name == "exp" else x) for x in numbers]).tobytes())
    digest.update(np.array([math.pow(x, 1.7) for x in numbers]).tobytes())
    return digest.hexdigest()[:16]


def states(path):
    model = sinew.MjModel.from_xml_path(str(path))
    data = sinew.MjData(model)
    digest = hashlib.sha256()
    for k in range(STEPS):
        data.ctrl[:] = [0.5 if (k + i) % 7 < 3 else -0.25 for i in range(model.nu)]  # no function of a library
        sinew.mj_step(model, data)
        digest.update(data.qpos.tobytes() + data.qvel.tobytes())
    return digest.hexdigest()[:16], np.concatenate([data.qpos, data.qvel])


def main():
    root = pathlib.Path(sys.argv[1])
    warnings.simplefilter("ignore")  # of models that are unstable on purpose
    print("libm 0", library())
    for path in sorted(path for folder in FOLDERS for path in (root / folder).glob("*.xml")):
        try:
            digest, state = states(path)
        except ValueError:  # models of tests that are meant to be refused
            continue
        print(path.relative_to(root), STEPS, digest, *[float(value).hex() for value in state])


if __name__ == "__main__":
    main()
