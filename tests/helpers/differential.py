"""A changed model through both compilers: the same numbers, the same refusals, and MJCF that comes back."""

import multiprocessing
import os
import re

import mujoco
import numpy as np

import compiled
import flex_defects
import saved
import sinew

# what MuJoCo takes from its cache is not what it reads from a file
mujoco.mj_setCacheCapacity(mujoco.mj_getCache(), 0)

# what MuJoCo refuses and we take, each with the reason
TAKEN = {
    "object not found": "MuJoCo loses the materials of sites and flexes when it discards what is only drawn",
    "implicitspringdamper": "an integrator of ours",
    "'hill'": "a muscle of ours",
    "unrecognized attribute: 'passive'": "a flag of older files",
    "engine error: FactorizeHessian": "rounding in a trial step",
    "engine error: mj_makeConstraint: ne mis-allocation": "rows of vertices that hang on static bodies",
    "engine error: mj_projectConstraint: pre and post-count": "rows of edges whose ends do not move",
    "Invalid or missing parameters in touch_grid": "a number of a plugin that is not a number counts as none",
}
# what we refuse and MuJoCo takes
REFUSED = {
    "geom '' not found in collision": "MuJoCo takes the last geom without a name for a name that is missing",
    "invalid condim in flex": "MuJoCo writes beyond the rows of a contact",
}
# an inertia matrix that has no inverse, or hardly one: MuJoCo's numbers are not numbers, ours may be infinite or huge
SINGULAR = re.compile("(body|dof|tendon|flexedge)_invweight0|jnt_stiffness|dof_damping|actuator_acc0|stat.meaninertia")


def load(module, xml):
    try:
        return module.MjModel.from_xml_string(xml), ""
    except ValueError as error:
        return None, str(error)


def is_singular(model):
    data = mujoco.MjData(model)
    mujoco.mj_resetData(model, data)
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    mujoco.mj_tendon(model, data)
    mujoco.mj_makeM(model, data)
    full = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, full, data.qM)
    return not np.isfinite(full).all() or np.linalg.cond(full) > 1e6


def compare(xml):
    theirs, reason = load(mujoco, xml)
    ours, message = load(sinew, xml)
    if theirs is None and ours is not None:
        return None if any(known in reason for known in TAKEN) else f"only MuJoCo refuses: {reason}"
    if theirs is None:
        return "refused" if ours is None else None
    if ours is None:
        return None if any(known in message for known in REFUSED) else f"only Sinew refuses: {message}"
    if flex_defects.defects(theirs):
        return None
    found = compiled.differences(theirs, ours)
    if found and all(SINGULAR.match(line) for line in found) and is_singular(theirs):
        return None
    if found:
        return str(found[:5])
    text = sinew.MjSpec.from_string(xml).to_xml(lossless=True)
    lost = saved.differences(ours, sinew.MjModel.from_xml_string(text))
    return f"lost: {lost}" if lost else "same"


def work(make, seeds, pipe):
    for quiet in (1, 2):
        os.dup2(os.open(os.devnull, os.O_WRONLY), quiet)
    mujoco.mj_setCacheCapacity(mujoco.mj_getCache(), 0)
    for seed in seeds:
        xml, folder = make(seed)
        os.chdir(folder)
        pipe.send((seed, compare(xml)))
    pipe.close()


def check(make, seeds):
    """How many models are the same, of those that make(seed) gives with their folders.

    In processes of their own: MuJoCo crashes on some models.
    """
    context, seeds, results, crashes = multiprocessing.get_context("fork"), list(seeds), {}, 0
    while seeds:
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(target=work, args=(make, seeds, theirs))
        process.start()
        theirs.close()
        try:
            while True:
                seed, results[seed] = ours.recv()
                seeds.remove(seed)
        except EOFError:
            process.join()
        if seeds:
            seeds.pop(0)  # the one that it crashed on
            crashes += 1
    bad = {seed: result for seed, result in results.items() if result not in (None, "same", "refused")}
    assert not bad, bad
    assert crashes <= 1 + len(results) // 200
    return sum(result == "same" for result in results.values())
