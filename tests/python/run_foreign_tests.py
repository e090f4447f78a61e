"""Runs a test file of the installed `mujoco` package with Sinew standing in for the module.

    run_foreign_tests.py specs_test [-v]

Prints each failure in one line and the percentage that passed. The test file is executed, not read.
"""

import importlib.util
import os
import sys
import types
import unittest


def load(name):
    spec = importlib.util.find_spec("mujoco")
    folder = os.path.dirname(spec.origin)
    import sinew

    # resources of the test are found beside the real package
    stand_in = types.ModuleType("mujoco")
    stand_in.__dict__.update({k: v for k, v in vars(sinew).items() if not k.startswith("__")})
    stand_in.__spec__, stand_in.__file__, stand_in.__path__ = spec, spec.origin, [folder]
    stand_in.__version__ = sinew.__version__
    sys.modules["mujoco"] = stand_in
    path = os.path.join(folder, name + ".py")
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


class Result(unittest.TestResult):
    """Keeps the text of exceptions, without tracebacks."""

    def __init__(self):
        super().__init__()
        self.messages = []

    def addError(self, test, err):
        super().addError(test, err)
        self.messages.append((test.id().split(".", 2)[-1], f"{err[0].__name__}: {err[1]}"))

    addFailure = addError


def main():
    from absl import flags

    module = load(sys.argv[1])
    flags.FLAGS(["test"])
    suite = unittest.defaultTestLoader.loadTestsFromModule(module)
    result = Result()
    suite.run(result)
    for test, message in result.messages:
        print(test, "|", message if "-v" in sys.argv else message.strip().splitlines()[-1][:250])
    bad = len(result.errors) + len(result.failures)
    ran = result.testsRun - len(result.skipped)
    print(f"{ran - bad} of {ran} passed ({100 * (ran - bad) / max(ran, 1):.1f} %)")


main()
