"""Runs snippets and calls that misuse the package, each in a child process of its own, and prints how it ended.

    misuse_runner.py snippets < snippets.json     {name: code} -> {name: ending}
    misuse_runner.py functions                    every function of the package with bad arguments

An ending is "returned", the name of an exception, or "signal N"; a child that takes longer than a minute is
ended by SIGALRM.
"""

import inspect
import itertools
import json
import os
import re
import signal
import sys
import tempfile

import numpy as np

import sinew as mj

MODEL = """
<mujoco>
  <size memory="1M"/>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1"/>
    <camera name="c"/>
    <light name="l"/>
    <body name="b" pos="0 0 .05">
      <freejoint name="root"/><geom name="g" size=".1"/><site name="s"/>
      <body name="child" pos=".3 0 0"><joint name="j"/><geom size=".05"/></body>
    </body>
  </worldbody>
  <actuator><motor name="a" joint="j"/></actuator>
  <sensor><jointpos name="q" joint="j"/></sensor>
  <keyframe><key qpos="0 0 1 1 0 0 0 0"/></keyframe>
</mujoco>
"""
OTHER = "<mujoco><worldbody>" + "".join(
    f"<body pos='{i} 0 0'><freejoint/><geom size='.6'/><site/></body>" for i in range(40)
) + "</worldbody></mujoco>"

CLOTH = """
<mujoco>
  <worldbody>
    <geom type="plane" size="1 1 1"/><body name="b" pos="0 0 .5"><freejoint/><geom size=".1"/></body>
    <flexcomp name="f" type="grid" count="3 3 1" spacing=".1 .1 .1" dim="2" radius=".01" mass="1" pos="0 0 .05"/>
  </worldbody>
  <deformable><sinew:cloth name="k" count="4 4 1" spacing=".1 .1 .1" pos="0 0 .8"/></deformable>
</mujoco>
"""


def environment():
    model, other = mj.MjModel.from_xml_string(MODEL), mj.MjModel.from_xml_string(OTHER)
    data, foreign = mj.MjData(model), mj.MjData(other)
    mj.mj_forward(model, data)
    mj.mj_forward(other, foreign)
    return {"mj": mj, "np": np, "model": model, "data": data, "other": other, "foreign": foreign,
            "XML": MODEL, "CLOTH": CLOTH, "folder": tempfile.mkdtemp()}


def ending(function):
    """How a function ends, in a child."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            signal.alarm(60)
            try:
                function()
                text = "returned"
            except Exception as error:  # every kind is an ending
                text = type(error).__name__
            os.write(writer, text.encode())
        finally:
            os._exit(0)
    os.close(writer)
    text = os.read(reader, 200).decode()
    os.close(reader)
    _, status = os.waitpid(child, 0)
    return f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else text


# ---- every function


# what a signature says of numbers and arrays, in the words of the rest of this file
KINDS = {r"typing\.Supports(Int|Float)": lambda found: found[1].lower(), r"typing\.Annotated\[.*\]": "ArrayLike"}


def split(text):
    """Parts between commas outside brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "[(") - (letter in "])")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


def parameters(function):
    """(name, type) of the parameters of a function of the extension."""
    head = (function.__doc__ or "").split("\n")[0]
    found = re.match(r"\w+\((.*)\)(?: ->.*)?$", head)
    if not found:
        return None
    pairs = []
    for part in split(found[1]):
        name, _, kind = part.partition(":")
        for pattern, word in KINDS.items():
            kind = re.sub(pattern, word, kind)
        pairs.append((name.strip(), kind.strip()))
    return pairs


def call(function, names, values):
    """Call with arrays of the sizes that the function asks for."""
    for _ in range(40):
        try:
            return function(*values)
        except TypeError as error:
            asked = re.match(r"(\w+) should be of (?:size|shape) (.*?)(?:, got.*)?$", str(error))
            if asked:
                words = dict(zip(names, values))
                model, data = words.get("m"), words.get("d")
                for size in ("nv", "nq", "nu", "na", "nM", "nsensordata"):
                    words[size] = getattr(model, size, 0)
                words["nefc"] = getattr(data, "nefc", 0)
                words |= {k: v.size for k, v in words.items() if isinstance(v, np.ndarray)}
                words["stateSize"] = lambda sig: mj.mj_stateSize(words["m"], sig)
                words.setdefault("n", len(values[0]) if isinstance(values[0], np.ndarray) else 0)
                place = names.index(asked[1])
                values[place] = np.zeros(eval(asked[2], {}, words), values[place].dtype)
                continue
            doubles = [i for i, v in enumerate(values) if isinstance(v, np.ndarray) and v.dtype == np.float64]
            if not doubles:
                raise
            values[doubles[-1]] = values[doubles[-1]].astype(np.int32)
    return None


def try_all(function, signature, env):
    """All combinations of models and data with the same bad number in all places."""
    names = [name for name, _ in signature]
    choices = {"MjModel": (env["model"], env["other"]), "MjData": (env["data"], env["foreign"])}
    numbers = (-1, 1, 50, 10**6, 2**31 - 1, -(2**31))
    places = [i for i, (_, kind) in enumerate(signature) if "MjModel" in kind or "MjData" in kind]
    objects = [choices["MjModel" if "MjModel" in signature[i][1] else "MjData"] for i in places]
    for chosen, number in itertools.product(itertools.product(*objects), numbers):
        values = []
        for name, kind in signature:
            if "int" == kind[:3]:
                values.append(number if name != "nstep" else 1)
            elif kind[:5] == "float":
                values.append(float("nan") if number == 50 else float(number))
            elif kind[:3] == "str" or "FileName" in kind:
                values.append(os.path.join(env["folder"], "none", "%s%n"))
            elif kind[:4] == "bool":
                values.append(True)
            else:
                values.append(np.zeros(3))
        for i, value in zip(places, chosen):
            values[i] = value
        mixed = len({id(v) for v in chosen} & {id(env["model"]), id(env["data"])}) not in (0, len(set(map(id, chosen))))
        try:
            call(function, names, values)
        except Exception:
            continue
        if mixed and len(places) > 1:
            raise AssertionError("data of another model was taken")


def functions():
    env, endings = environment(), {}
    for name in sorted(dir(mj)):
        function = getattr(mj, name)
        signature = parameters(function) if re.match(r"mj[udv]?_[a-zA-Z]", name) else None
        known = signature is not None and not inspect.isfunction(function) and all(
            re.match(r"int|float|str|bool|.*(MjModel|MjData|ArrayLike|FileName)", kind) for _, kind in signature
        )
        if known:
            endings[name] = ending(lambda: try_all(function, signature, env))
    return endings


def snippets(codes):
    env = environment()
    return {name: ending(lambda code=code: exec(code, dict(env))) for name, code in codes.items()}


print(json.dumps(functions() if sys.argv[1] == "functions" else snippets(json.load(sys.stdin))))
