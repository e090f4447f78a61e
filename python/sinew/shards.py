"""Work on many items, cut into shards that processes or a cluster take one by one.

    def measure(index, mass):                     # numbers of the items, and their parts of the arrays
        return {"height": ...}                    # arrays with one row per item

    run(measure, {"mass": masses}, size=64, executor=Processes(2), store="heights.parquet", progress=True)

What becomes of an item depends on the item alone: shards have a fixed size, and random numbers come from `generator(seed,
item)`, so that results are the same bits for any number of workers, in whatever order shards are done. A worker that dies
costs its shard another try and nothing else; an exception of the function ends the run. With a store shards are written as
they come, and a run that was stopped goes on where it ended (sinew.stores).

An executor has `room`, how many shards it takes at once, `begin(function)`, `submit(index, parts)`, which gives a ticket,
`wait(tickets)`, which gives the tickets that are done, `result(ticket)`, which raises WorkerLost when its worker died, `cancel(tickets)` and `close()`.
`sinew.ray` has one that works on a cluster.
"""

import collections
import functools
import multiprocessing
import multiprocessing.connection
import os
import pickle
import traceback

import numpy as np

from sinew import stores
from sinew._progress import reporter


class WorkerLost(RuntimeError):
    """The process that worked on a shard is gone."""


def generator(seed, item, *more):
    """Random numbers of one item, whoever works on it."""
    return np.random.default_rng([int(seed), int(item), *(int(number) for number in more)])


def seeds(seed, index):
    """One seed per item, for `Batch.reset(seed=...)`."""
    return np.array([np.random.SeedSequence([int(seed), int(i)]).generate_state(1, np.uint64)[0] for i in index], np.uint64)


# ---- executors ----


class Serial:
    """All shards in this process, one after the other."""

    room = 1

    def begin(self, function):
        self._function = function

    def submit(self, index, parts):
        return functools.partial(self._function, index, **parts)

    def wait(self, tickets):
        return tickets[:1]

    def result(self, ticket):
        return ticket()

    def cancel(self, tickets):
        pass

    def close(self):
        pass


def _work_on(pipe, function):
    """Take a shard from a pipe; whether it worked, the result or the exception, and the function for the next one."""
    try:
        new, index, parts = pipe.recv()
        function = function if new is None else new
        return True, function(index, **parts), function
    except (EOFError, ConnectionError):  # nobody asks any more
        raise
    except Exception as error:
        error.add_note(traceback.format_exc()) if hasattr(error, "add_note") else None
        return False, error, function


def _serve(pipe):
    """A worker: shards come in, results go out. A function, with its models, comes once."""
    function = None
    try:
        while True:
            good, answer, function = _work_on(pipe, function)
            try:
                pipe.send((good, answer))
            except (AttributeError, TypeError, pickle.PicklingError) as error:
                pipe.send((False, TypeError(f"what the function gave cannot be sent: {error}")))
    except (EOFError, ConnectionError):
        pass


class Processes:
    """Shards in processes of this machine, one per processor unless told otherwise.

    Functions and arrays go to them by pickle, so that functions must have a name in a module. Engines in them should have
    one thread each.
    """

    def __init__(self, workers=None):
        self.room = workers or len(os.sched_getaffinity(0))
        self._context = multiprocessing.get_context("spawn")
        self._idle, self._busy = [], {}  # (process, pipe); the same by its pipe
        self._told = set()  # pipes whose workers have the function

    def begin(self, function):
        self._function, self._told = function, set()

    def submit(self, index, parts):
        process, pipe = self._idle.pop() if self._idle else self._start()
        try:
            self._send(pipe, index, parts)
        except BrokenPipeError:  # it died idle: another one
            process, pipe = self._start()
            self._send(pipe, index, parts)
        self._busy[pipe] = process
        return pipe

    def _send(self, pipe, index, parts):
        pipe.send((None if pipe in self._told else self._function, index, parts))
        self._told.add(pipe)

    def _start(self):
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=_serve, args=(theirs,), daemon=True)
        process.start()
        theirs.close()
        return process, ours

    def wait(self, tickets):
        return multiprocessing.connection.wait(tickets)

    def result(self, ticket):
        process = self._busy.pop(ticket)
        try:
            good, answer = ticket.recv()
        except (EOFError, ConnectionError):
            process.join()
            raise WorkerLost(f"the process {process.pid} ended with {process.exitcode}") from None
        self._idle.append((process, ticket))
        if not good:
            raise answer
        return answer

    def cancel(self, tickets):
        for pipe in tickets:
            process = self._busy.pop(pipe)
            process.terminate()
            process.join()
            pipe.close()

    def close(self):
        """End the processes; those that still work are not waited for."""
        self.cancel(list(self._busy))
        for process, pipe in self._idle:
            pipe.close()
            process.join()
        self._idle = []

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()


# ---- runs ----


def _count(items):
    if isinstance(items, (int, np.integer)):
        return int(items), {}
    arrays = {name: np.asarray(array) for name, array in items.items()}
    counts = {name: len(array) for name, array in arrays.items()}
    if len(set(counts.values())) != 1:
        raise ValueError(f"arrays of items should have one row for each, got {counts}")
    return next(iter(counts.values())), arrays


def _checked(result, count, function):
    """The result as arrays with one row per item."""
    if not isinstance(result, dict):
        raise TypeError(f"{stores.name_of(function)} should give a dict of arrays, gave {type(result).__name__}")
    result = {name: np.asarray(array) for name, array in result.items()}
    for name, array in result.items():
        if array.ndim == 0 or len(array) != count:
            raise ValueError(f"{name} of {stores.name_of(function)} should have {count} rows, has the shape {array.shape}")
    return result


def run(function, items, *, size=64, executor=None, store=None, key=None, progress=False, retries=3):
    """Apply a function to all items; a dict of arrays with one row per item, or the store that has them.

    items: their number, or arrays with one row each. function(index, **parts) gets the numbers of some items and their rows.
    size: items per shard. store: path of a store, `.zarr` or `.parquet`; key tells one job from another there. progress: True
    for a bar, or a function of items done and items in all. retries: how often a shard may lose its worker.
    """
    if size < 1:
        raise ValueError(f"size should be at least 1, got {size}")
    count, arrays = _count(items)
    own, executor = executor is None, executor or Serial()
    shards = [(first, min(first + size, count)) for first in range(0, count, size)]
    target = stores.open_store(store, count, size, key or stores.name_of(function))
    report = reporter(progress, stores.name_of(function), "items") or (lambda done, total: None)
    try:
        _work(function, arrays, [shard for shard in shards if not target.has(*shard)], executor, target, report, count, retries)
    finally:
        if own:
            executor.close()
    return target.load() if store is None else target


def _work(function, arrays, todo, executor, target, report, count, retries):
    todo, flying, losses = collections.deque(todo), {}, collections.Counter()
    done = count - sum(last - first for first, last in todo)
    report(done, count)
    executor.begin(function)
    try:
        while todo or flying:
            while todo and len(flying) < executor.room:
                first, last = shard = todo.popleft()
                parts = {name: array[first:last] for name, array in arrays.items()}
                flying[executor.submit(np.arange(first, last), parts)] = shard
            for ticket in executor.wait(list(flying)):
                first, last = shard = flying.pop(ticket)
                try:
                    result = executor.result(ticket)
                except WorkerLost as lost:
                    losses[shard] += 1
                    if losses[shard] > retries:
                        raise RuntimeError(f"items {first} to {last - 1} lost their worker {losses[shard]} times: {lost}") from lost
                    todo.appendleft(shard)
                    continue
                target.write(first, last, _checked(result, last - first, function))
                done += last - first
                report(done, count)
    except BaseException:
        executor.cancel(list(flying))
        raise
