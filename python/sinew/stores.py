"""Where shards of results go: memory, a folder of Parquet files, or a Zarr group.

Both kinds on disk are written shard by shard and can be read by any program that knows the format, while they grow and
afterwards. A shard is there as a whole or not at all. `_job.json` beside them says what is stored, so that a run that was
stopped goes on, and that of another job is refused.

    store = sinew.stores.open_store("heights.parquet")
    store.load()["height"]           # NumPy; or pyarrow.parquet.read_table("heights.parquet"), zarr.open("heights.zarr")
"""

import json
import os
import pathlib

import numpy as np


def name_of(function):
    """What a function is called."""
    for attribute in ("key", "__qualname__"):
        if isinstance(getattr(function, attribute, None), str):
            return getattr(function, attribute)
    return type(function).__qualname__


class Memory:
    """Shards in memory."""

    def __init__(self):
        self._shards = {}

    def has(self, first, last):
        return False

    def write(self, first, last, arrays):
        self._shards[first] = arrays

    def load(self):
        """All arrays, in the order of the items."""
        parts = [self._shards[first] for first in sorted(self._shards)]
        return {name: np.concatenate([part[name] for part in parts]) for name in (parts[0] if parts else ())}


def _replace(path, write):
    """Write a file under another name first, so that it is whole when it has its own."""
    trial = path.with_name(f".{path.name}.part")  # a run that goes on writes over what was left
    write(trial)
    os.replace(trial, path)


class _Folder:
    """A folder with _job.json: what the job is, and, from the first shard on, the types of its arrays."""

    def __init__(self, path, job):
        self.path = pathlib.Path(path)
        self.path.mkdir(parents=True, exist_ok=True)
        description = self.path / "_job.json"
        if not description.exists() and any(self.path.iterdir()):
            raise ValueError(f"{self.path} is not empty and has no _job.json: it is no store of results")
        self.job = json.loads(description.read_text()) if description.exists() else None
        if self.job is None:
            if job is None:
                raise FileNotFoundError(f"{self.path} has no results")
            self._describe(job)
        for name, value in (job or {}).items():
            if self.job[name] != value:
                raise ValueError(f"{self.path} holds another job: its {name} is {self.job[name]!r}, not {value!r}")

    def _describe(self, job):
        self.job = job
        _replace(self.path / "_job.json", lambda path: path.write_text(json.dumps(job, indent=1) + "\n"))

    @property
    def complete(self):
        """Are all shards there?"""
        return all(self.has(*shard) for shard in self._shards())

    def _shards(self):
        count, size = self.job["count"], self.job["size"]
        return [(first, min(first + size, count)) for first in range(0, count, size)]

    def write(self, first, last, arrays):
        """Add a shard."""
        fields = {name: [array.dtype.str, list(array.shape[1:])] for name, array in arrays.items()}
        if "fields" not in self.job:
            self._begin(arrays)
            self._describe({**self.job, "fields": fields})
        if self.job["fields"] != fields:
            raise ValueError(f"items {first} to {last - 1} have arrays {fields}, others {self.job['fields']}")
        self._write(first, last, arrays)

    def load(self):
        """All arrays, in the order of the items; every shard must be there."""
        missing = [shard for shard in self._shards() if not self.has(*shard)]
        if missing:
            raise ValueError(f"{self.path} lacks {len(missing)} shards: run the job again to go on")
        found = {}
        for name, (dtype, shape) in self.job.get("fields", {}).items():
            found[name] = np.empty((self.job["count"], *shape), dtype)
        if found:
            self._read(found)
        return found


class Parquet(_Folder):
    """One file per shard, with the name of its first item; items are rows, arrays are columns of tensors of fixed shape."""

    def __init__(self, path, job=None):
        global pyarrow
        import pyarrow
        import pyarrow.parquet

        super().__init__(path, job)

    def _file(self, first):
        return self.path / f"{first:012d}.parquet"

    def has(self, first, last):
        return self._file(first).exists()

    def _begin(self, arrays):
        pass

    def _write(self, first, last, arrays):
        columns = {"item": pyarrow.array(np.arange(first, last))}
        for name, array in arrays.items():
            if array.size:  # a column of nothing has no type in Parquet; _job.json knows its shape
                columns[name] = self._column(array)
        table = pyarrow.table(columns)
        _replace(self._file(first), lambda path: pyarrow.parquet.write_table(table, path))

    @staticmethod
    def _column(array):
        if array.ndim == 1:
            return pyarrow.array(array)
        return pyarrow.FixedShapeTensorArray.from_numpy_ndarray(np.ascontiguousarray(array))

    def _read(self, found):
        for first, last in self._shards():
            table = pyarrow.parquet.read_table(self._file(first)).combine_chunks()
            for name, array in found.items():
                if array.size:
                    column = table[name].chunk(0)
                    array[first:last] = column.to_numpy_ndarray() if array.ndim > 1 else column.to_numpy(zero_copy_only=False)


class Zarr(_Folder):
    """A group with an array for each name, in chunks of a shard; a shard that is done has a 1 in the array `done`."""

    def __init__(self, path, job=None):
        global zarr
        import zarr

        super().__init__(path, job)
        if job is not None:
            for litter in self.path.rglob("*.partial"):  # of Zarr, when a run was killed while it wrote
                litter.unlink()
        self._group = zarr.open_group(str(self.path), mode="a")
        self._flags = self._group["done"][:] if "done" in self._group else np.zeros(len(self._shards()), np.uint8)

    def has(self, first, last):
        return bool(self._flags[first // self.job["size"]])

    def _begin(self, arrays):
        count, size = self.job["count"], self.job["size"]
        for name, array in arrays.items():
            if name == "done":
                raise ValueError("the name 'done' is the store's own: choose another")
            shape = array.shape[1:]
            self._group.create_array(name, shape=(count, *shape), chunks=(size, *(max(1, n) for n in shape)), dtype=array.dtype,
                                     overwrite=True)
        # written last, one chunk per shard: with a shard of its own nothing is read, changed and written back
        self._group.create_array("done", shape=(len(self._shards()),), chunks=(1,), dtype=np.uint8, overwrite=True)

    def _write(self, first, last, arrays):
        for name, array in arrays.items():
            if array.size:
                self._group[name][first:last] = array
        self._group["done"][first // self.job["size"]] = 1
        self._flags[first // self.job["size"]] = 1

    def _read(self, found):
        for name, array in found.items():
            if array.size:
                array[...] = self._group[name][:]


def open_store(path, count=None, size=None, key=None):
    """The store of a path, by its suffix; in memory without one. With a count the store of a job, new or begun."""
    if path is None:
        return Memory()
    kinds = {".parquet": Parquet, ".zarr": Zarr}
    suffix = pathlib.Path(path).suffix
    if suffix not in kinds:
        raise ValueError(f"the path of a store should end in .parquet or .zarr, got {str(path)!r}")
    return kinds[suffix](path, None if count is None else {"count": count, "size": size, "key": key})
