"""Numbers of every world side by side in one array: what tasks observe and judge.

A part names some entries of a field of data and what becomes of them. On the CPU the engine's threads gather them in one
call; from a GPU the fields are read and NumPy does the same.
"""

import dataclasses

import numpy as np

from sinew import _core

_OPERATIONS = ("copy", "cos", "sin", "clip", "squares", "weighted", "inside", "and_inside", "length")
_WIDTHS = {"squares": 1, "inside": 1, "length": 1, "and_inside": 0}


@dataclasses.dataclass
class Part:
    """Entries first to first + count of a field; all from first on when count is None.

    operation: "copy", "cos", "sin", "clip" to a range, "squares": the sum of the squares of the clipped entries,
    "weighted": the sum of the field's rows by weights, "length": the length of that vector, "inside": 1 if all lie
    within the range (and not on its ends), else 0, or "and_inside", which makes the column before 0 if these do not.
    """

    field: str
    first: int = 0
    count: int = None
    operation: str = "copy"
    range: tuple = (-np.inf, np.inf)
    weights: list = dataclasses.field(default_factory=list)


class Columns:
    """Parts of fields of a batch as rows of an array, one per world; by_column: as its columns."""

    def __init__(self, batch, parts, by_column=False):
        self.batch, self.by_column = batch, by_column
        self.parts = [self._complete(part) for part in parts]
        self.native = None
        if not batch.on_gpu:
            rows = [(p.field, _OPERATIONS.index(p.operation), p.first, p.count, float(p.range[0]), float(p.range[1]),
                     [float(w) for w in p.weights]) for p in self.parts]
            self.native = _core._Columns(batch._worlds.address, rows)
        self.widths = [_WIDTHS.get(p.operation, p.count) for p in self.parts]
        self.width = sum(self.widths)
        self.shape = (self.width, batch.nworld) if by_column else (batch.nworld, self.width)

    def _complete(self, part):
        shape = self.batch.field(part.field).shape
        if part.count is not None:
            return part
        count = shape[-1] if part.weights else int(np.prod(shape[1:])) - part.first
        return dataclasses.replace(part, count=count)

    def __call__(self):
        """The numbers as they are now, (nworld, width) or (width, nworld), in an array of their own."""
        out = np.empty(self.shape)
        if self.native is not None:
            self.native.fill(out, self.by_column)
        else:
            self.fill(out.T if self.by_column else out)
        return out

    def fill(self, out):
        """The same by NumPy."""
        at = 0
        for part in self.parts:
            values = np.asarray(self.batch.field(part.field)[:], np.float64)
            values = _by_numpy(part, values if part.weights else values.reshape(len(values), -1))
            if part.operation == "and_inside":
                out[:, at - 1] *= values[:, 0]
                continue
            out[:, at:at + values.shape[1]] = values
            at += values.shape[1]


def _by_numpy(part, values):
    if part.weights:
        values = np.einsum("r,nrc->nc", part.weights, values)[:, :part.count]
        return values if part.operation == "weighted" else np.linalg.norm(values, axis=1, keepdims=True)
    values = values[:, part.first:part.first + part.count]
    if part.operation in ("cos", "sin"):
        return getattr(np, part.operation)(values)
    if part.operation in ("clip", "squares"):
        values = np.clip(values, *part.range)
    if part.operation in ("inside", "and_inside"):
        low, high = part.range
        return np.all((values > low) & (values < high), axis=1, keepdims=True).astype(np.float64)
    if part.operation == "squares":
        return np.sum(values * values, axis=1, keepdims=True)
    return values
