"""Numbers of a model by name, of which every world of a batch can have its own, and derivatives by them.

    chosen = Parameters(model, ["mass[forearm]", "dof_damping[elbow]", "geom_friction[floor,0]", "opt.gravity[2]"])
    chosen.values()                  # of the model, (4,)
    chosen.apply(batch, values)      # (nworld, 4): one row per world; what derives from them follows

A name is that of a field of the model, with the name or number of an object and, where a row has several numbers, a column:
"geom_size[ball]" stands for three numbers, "geom_size[ball,0]" for one, "dof_damping" for all. Fields of dofs and coordinates
take the names of joints. Two names are no fields: "mass[body]" scales the inertia along with the mass, as a change of density
does, and "kp[actuator]" is the gain of a position servo and of its feedback. A new size of a geom changes its bounds in
collisions, but no mass.
"""

import re

import numpy as np

from sinew import _core
from sinew._adjoint import _Coordinates
from sinew._enums import mjtGeom, mjtObj, mjtState
from sinew._named import _CATEGORIES, _find, _parts, near

_NAME = re.compile(r"([\w.]+)(?:\[([^\],]+)(?:,\s*(\d+))?\])?")
_STATE = int(mjtState.mjSTATE_INTEGRATION)
# size that counts the rows of a field: prefix and object type of what they are named by
_ROWS = {size: (names[0], size, objtype) for names, objtype, size in _CATEGORIES}
_ROWS.update({rows: ("jnt", "njnt", "JOINT") for rows in ("nv", "nq")})

# inertial frames, and the values of body_sameframe with which they are not read: same frame, same rotation
_FRAMES = {"body_ipos": (1,), "body_iquat": (1, 3)}


def _array(owner, field):
    """A field of a model, or of its options for "opt.gravity"."""
    for part in field.split("."):
        owner = getattr(owner, part)
    return np.asarray(owner)


def _rows(model, field, key):
    """Numbers of the rows of a field that belong to an object, by its name or its own number."""
    size = _core.MODEL_LAYOUT.get(field)
    if key.isdigit():
        return [int(key)]
    if size not in _ROWS:
        raise KeyError(f"rows of {field} have no names: give a number instead of {key!r}")
    prefix, counted, objtype = _ROWS[size]
    index = _find(model, getattr(mjtObj, "mjOBJ_" + objtype).value, getattr(model, counted), key)
    return list(range(getattr(model, size)))[_parts(prefix, counted)[size](model, index)]


def _cells(model, name):
    """The field of a name, and the indices of its numbers in it."""
    found = _NAME.fullmatch(name.strip())
    if not found:
        raise ValueError(f"{name!r} is no parameter: write field[object] or field[object,column]")
    field, key, column = found.groups()
    known = field in _core.MODEL_LAYOUT or field.startswith("opt.")
    try:
        array = _array(model, field) if known else None
    except AttributeError:
        array = None
    if array is None:
        raise KeyError(f"no field {field!r} of the model, in the parameter {name!r}{near(field, [*_core.MODEL_LAYOUT, *_KINDS])}")
    if array.dtype != np.float64:
        raise TypeError(f"{field} holds no real numbers, it cannot be a parameter")
    if array.ndim == 0:
        array = array.reshape(1)
    rows = range(len(array)) if key is None else _rows(model, field, key)
    cells = [(row, *rest) for row in rows for rest in np.ndindex(array.shape[1:])]
    if column is not None:
        cells = [cell for cell in cells if len(cell) == 2 and cell[1] == int(column)]
    if not cells or any(cell[0] >= len(array) for cell in cells):
        raise IndexError(f"{name!r} is outside of {field}, whose shape is {array.shape}")
    return field, cells


class _Field:
    """Numbers of a field as they are."""

    def __init__(self, model, name):
        self.field, self.cells = _cells(model, name)
        self.labels = [name] if len(self.cells) == 1 else [f"{self.field}{list(cell)}" for cell in self.cells]
        for body in {cell[0] for cell in self.cells} if self.field in _FRAMES else ():
            if model.body_sameframe[body] in _FRAMES[self.field] or model.body_simple[body]:
                raise ValueError(f"{name!r}: the step does not read {self.field} of body {body}, whose inertial frame was compiled "
                                 "as the body's own (body_sameframe); compile the model with the two apart")

    def values(self, model):
        array = np.atleast_1d(_array(model, self.field))
        return [array[cell] for cell in self.cells]

    def terms(self):
        return [[(self.field.replace("opt.", "opt_"), cell, 1.0)] for cell in self.cells]

    def apply(self, model, batch, values):
        view = batch.model_field(self.field)
        for cell, column in zip(self.cells, values.T):
            view[(slice(None), *cell) if view.ndim > 1 else slice(None)] = column
        if self.field == "geom_size":
            for geom in sorted({cell[0] for cell in self.cells}):
                _bound(model, batch, geom)


def _object(name):
    """Refuse a name that stands for no object."""
    if "[" not in name:
        raise ValueError(f"{name!r} is no parameter: write {name}[object]")


class _Mass:
    """The mass of a body, its inertia in proportion."""

    def __init__(self, model, name):
        _object(name)
        self.body = _cells(model, name.replace("mass", "body_mass", 1))[1][0][0]
        self.labels = [name]
        if not model.body_mass[self.body] > 0:
            raise ValueError(f"{name!r}: a body without mass has no inertia that could be scaled")
        self._per_mass = model.body_inertia[self.body] / model.body_mass[self.body]

    def values(self, model):
        return [model.body_mass[self.body]]

    def terms(self):
        inertia = [("body_inertia", (self.body, axis), value) for axis, value in enumerate(self._per_mass)]
        return [[("body_mass", (self.body,), 1.0), *inertia]]

    def apply(self, model, batch, values):
        batch.model_field("body_mass")[:, self.body] = values[:, 0]
        batch.model_field("body_inertia")[:, self.body] = self._per_mass * values


class _Gain:
    """The gain of a position servo: force = kp (ctrl - length)."""

    def __init__(self, model, name):
        _object(name)
        self.actuator = _cells(model, name.replace("kp", "actuator_gainprm", 1))[1][0][0]
        self.labels = [name]
        if model.actuator_biasprm[self.actuator, 1] != -model.actuator_gainprm[self.actuator, 0]:
            raise ValueError(f"{name!r}: the actuator is no position servo")

    def values(self, model):
        return [model.actuator_gainprm[self.actuator, 0]]

    def terms(self):
        return [[("actuator_gainprm", (self.actuator, 0), 1.0), ("actuator_biasprm", (self.actuator, 1), -1.0)]]

    def apply(self, model, batch, values):
        batch.model_field("actuator_gainprm")[:, self.actuator, 0] = values[:, 0]
        batch.model_field("actuator_biasprm")[:, self.actuator, 1] = -values[:, 0]


def _bound(model, batch, geom):
    """Bounding sphere and box of a geom from its size; both only narrow down which pairs can touch."""
    size = np.array(batch.model_field("geom_size")[:, geom])
    kind = int(model.geom_type[geom])
    half = size.copy()
    if kind == int(mjtGeom.mjGEOM_SPHERE):
        half, radius = size[:, [0, 0, 0]], size[:, 0]
    elif kind == int(mjtGeom.mjGEOM_CAPSULE):
        half = size[:, [0, 0, 1]] + size[:, [0]] * [0, 0, 1]
        radius = size[:, 0] + size[:, 1]
    elif kind == int(mjtGeom.mjGEOM_CYLINDER):
        half, radius = size[:, [0, 0, 1]], np.hypot(size[:, 0], size[:, 1])
    elif kind == int(mjtGeom.mjGEOM_ELLIPSOID):
        radius = size.max(axis=1)
    elif kind == int(mjtGeom.mjGEOM_BOX):
        radius = np.linalg.norm(size, axis=1)
    else:  # planes have no bounds; meshes and height fields take none from their size
        return
    batch.model_field("geom_rbound")[:, geom] = radius
    batch.model_field("geom_aabb")[:, geom, 3:] = half


class _Alone:
    """A model as if it were a batch of one world."""

    def __init__(self, model):
        self._model, self._scalars = model, {}

    def model_field(self, name):
        array = _array(self._model, name)
        if array.ndim == 0:  # a scalar of the options is no view
            return self._scalars.setdefault(name, np.array([array]))
        return array[None]

    def finish(self):
        for name, value in self._scalars.items():
            setattr(self._model.opt, name.split(".")[1], float(value[0]))
        _core.mj_setConst(self._model, _core.MjData(self._model))


_KINDS = {"mass": _Mass, "kp": _Gain}


class Parameters:
    """Named numbers of a model. labels names each of them, size says how many there are."""

    def __init__(self, model, names):
        names = [names] if isinstance(names, str) else list(names)
        self.model, self.names = model, names
        self._parts = [_KINDS.get(name.split("[")[0].strip(), _Field)(model, name) for name in names]
        self.labels = [label for part in self._parts for label in part.labels]
        self.size = len(self.labels)
        doubled = {label for label in self.labels if self.labels.count(label) > 1}
        if doubled:
            raise ValueError(f"parameters are named twice: {', '.join(sorted(doubled))}")

    def values(self, model=None):
        """Their values in the model, (size,)."""
        return np.array([value for part in self._parts for value in part.values(model or self.model)], np.float64)

    def terms(self):
        """What each of them changes: fields of the model, places in them, and by how much."""
        return [terms for part in self._parts for terms in part.terms()]

    def apply(self, batch, values):
        """Give every world its own, (nworld, size), and recompute what derives from them; states stay."""
        values = np.asarray(values, np.float64)
        if values.shape != (batch.nworld, self.size):
            raise ValueError(f"values should be of shape {(batch.nworld, self.size)}, got {values.shape}")
        self._spread(batch, values)
        batch.set_const()

    def write(self, model, values):
        """Put values, (size,), into a model itself, and recompute what derives from them."""
        values = np.asarray(values, np.float64)
        if values.shape != (self.size,):
            raise ValueError(f"values should be of shape {(self.size,)}, got {values.shape}")
        alone = _Alone(model)
        self._spread(alone, values[None])
        alone.finish()

    def _spread(self, batch, values):
        first = 0
        for part in self._parts:
            last = first + len(part.labels)
            part.apply(self.model, batch, values[:, first:last])
            first = last


def steps_of(values, eps):
    """How far to go for differences: relative to a number, which may be as small as an inertia; eps for zero."""
    return eps * np.where(values == 0, 1.0, np.abs(values))


class Differences:
    """Derivatives of the next state by parameters, by central differences: two worlds for each, all in one batch.

    The model and the data that are differentiated are never touched. count: how many states are taken at once. columns: numbers of
    the parameters that are differenced, all if None; D has columns for them alone.
    """

    def __init__(self, model, names, count=1, *, eps=1e-5, threads=0, columns=None):
        from sinew.batch import Batch

        if not 0 < eps <= 0.01:
            raise ValueError(f"eps should be in (0, 0.01], got {eps}")
        self.parameters = names if isinstance(names, Parameters) else Parameters(model, names)
        self.model, self.count, self.eps = model, count, eps
        self._space = _Coordinates(model)
        self.columns = np.arange(self.parameters.size) if columns is None else np.asarray(columns, int)
        self._batch = Batch(model, max(1, 2 * count * len(self.columns)), device="cpu", threads=threads)
        self._values = None

    def __call__(self, states, values=None):
        """D of x+ = D dp, x = (dq, qvel, act): (count, 2 nv + na, columns) at states (count, mj_stateSize) with the
        signature mjSTATE_INTEGRATION, controls included. values: of the parameters in each state, the model's if None.
        """
        n, size, batch, model = self.count, len(self.columns), self._batch, self.model
        states = np.asarray(states, np.float64)
        if states.shape != (n, _core.mj_stateSize(model, _STATE)):
            raise ValueError(f"states should be of shape {(n, _core.mj_stateSize(model, _STATE))}, got {states.shape}")
        values = np.broadcast_to(self.parameters.values() if values is None else values, (n, self.parameters.size))
        width = 2 * int(model.nv) + int(model.na)
        if not size:
            return np.zeros((n, width, 0))
        spans = self._perturb(values)
        batch.reset(batch.terminated.copy())  # worlds that failed the last time
        batch.set_state(np.repeat(states, 2 * size, axis=0), _STATE)
        batch.step()
        up, down = (self._next(part) for part in (slice(0, None, 2), slice(1, None, 2)))
        middle = 0.5 * (up[0] + down[0])
        change = [self._space.change(middle, up[0] - down[0]), up[1] - down[1], up[2] - down[2]]
        result = np.concatenate(change, axis=1).reshape(n, size, width) / spans[:, :, None]
        result[batch.terminated.reshape(n, size, 2).any(axis=2)] = 0  # a trial that went bad says nothing
        return result.transpose(0, 2, 1)

    def _perturb(self, values):
        """Give each pair of worlds its two values of one parameter; the distances between them."""
        if self._values is None or not np.array_equal(values, self._values):
            (n, size), columns, each = values.shape, self.columns, np.arange(len(self.columns))
            trials = np.repeat(values, 2 * len(each), axis=0).reshape(n, len(each), 2, size)
            steps = steps_of(values[:, columns], self.eps)
            trials[:, each, 0, columns] += steps
            trials[:, each, 1, columns] -= steps
            self._spans = trials[:, each, 0, columns] - trials[:, each, 1, columns]
            self.parameters.apply(self._batch, trials.reshape(-1, size))
            self._values = values.copy()
        return self._spans

    def _next(self, worlds):
        return [np.array(self._batch.field(name)[worlds]) for name in ("qpos", "qvel", "act")]


def pull_back(parameters, values, states, gradients, method="analytic"):
    """Gradients by parameters, (n, size), from those by the state after each step of a rollout, (T, n, 2 nv + na): the sum of D' g.

    values: of the parameters in each of n worlds, (n, size); other fields are the model's. states: before each step, controls included,
    (T, n, mj_stateSize). Columns of D are in closed form where there is one, the others, or all with "differences", by differences.
    """
    from sinew._closed import ClosedForms

    found = np.zeros(np.shape(values))
    missing = np.ones((*np.shape(gradients)[:2], parameters.size), bool)
    if method != "differences":
        closed = ClosedForms(parameters.model, parameters)
        for world, row in enumerate(values):
            closed.set(row)
            for t in range(len(states)):
                D, known = closed(states[t, world])
                found[world] += D.T @ gradients[t, world]
                missing[t, world] = ~known
    columns = np.flatnonzero(missing.any(axis=(0, 1)))
    if len(columns):
        differences = Differences(parameters.model, parameters, len(values), columns=columns)
        for t in np.flatnonzero(missing.any(axis=(1, 2))):
            D = np.where(missing[t][:, None, columns], differences(states[t], values), 0)
            found[:, columns] += np.einsum("nij,ni->nj", D, gradients[t])
    return found
