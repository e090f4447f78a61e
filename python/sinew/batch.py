"""Many worlds of one model, stepped together, on threads of the CPU or on a GPU.

    batch = sinew.Batch(model, 1024)
    batch.qvel[:] = 0.1              # strided array: (nworld, nv)
    batch.step(10, ctrl)             # ctrl: (nworld, nu), or (10, nworld, nu)
    batch.reset(batch.terminated)

Results are the same bits for any number of threads, any number of worlds and any place in the
batch. A world whose state goes bad is flagged, keeps its last good state and is reset when it is
stepped next; it never affects the others.

Fields of data are attributes: views with the world as first axis, without a copy. On the CPU they are
NumPy arrays, on a GPU `DeviceArray`s; both are handed on by DLPack, the latter by
`__cuda_array_interface__` too. When a world needs more memory for contacts, all worlds are
moved to a larger block, and arrays that were fetched before are out of date: write `batch.qpos` where
you need it instead of keeping `q = batch.qpos` over steps. `generation` counts the moves.
"""

import numpy as np

from sinew import _core
from sinew._adjoint import METHODS
from sinew._enums import mjtObj, mjtState
from sinew._named import _find, near, no_camera
from sinew.device_array import DeviceArray, device_rows, packed_strides

_PHYSICS = mjtState.mjSTATE_PHYSICS.value
_PRECISIONS = {None: False, "double": False, "single": True}
# pixels of images by mode
_IMAGES = {"rgb": (np.uint8, (3,)), "depth": (np.float32, ()), "segmentation": (np.int32, (2,))}
_CALLBACKS = ("passive", "control", "contactfilter", "sensor", "act_dyn", "act_gain", "act_bias",
              "act_gain_vel", "act_bias_vel")


def _refuse_callbacks():
    """Python functions in a step would be called by many threads, or by none on a GPU."""
    for name in _CALLBACKS:
        if getattr(_core, f"get_mjcb_{name}")() is not None:
            raise ValueError(f"a batch calls no Python function in a step: clear mjcb_{name} first")


def _bytes(mask):
    return None if mask is None else np.ascontiguousarray(np.asarray(mask, bool)).view(np.uint8)


def _key(model, keyframe):
    """The number of a keyframe that is given by number or name; -1: none."""
    return _find(model, mjtObj.mjOBJ_KEY.value, model.nkey, keyframe) if isinstance(keyframe, str) else keyframe


def _handle(stream):
    """The number of a CUDA stream: of PyTorch's, CuPy's, anything with `__cuda_stream__`, or given as such."""
    if hasattr(stream, "__cuda_stream__"):
        protocol = stream.__cuda_stream__
        return int((protocol() if callable(protocol) else protocol)[1])
    for name in ("cuda_stream", "ptr"):
        if hasattr(stream, name):
            return int(getattr(stream, name))
    return int(stream)


def _is_packed(array, shape, dtype):
    """Whether an array of the GPU has no gaps."""
    strides = device_rows(array, shape, dtype)[1]
    return all(a == b for a, b, n in zip(strides, packed_strides(shape, dtype), shape) if n > 1)


def _packed_address(array, shape, dtype):
    """Where an array of the GPU without gaps lies; 0 for one without entries."""
    if not all(shape):
        return 0
    if not _is_packed(array, shape, dtype):
        raise ValueError("the array has gaps")
    return device_rows(array, shape, dtype)[0]


class Batch:
    """A number of worlds of one model.

    device: "cpu", "gpu", or "auto": the GPU if it can be used, else the CPU, and `fallback` says why.
    precision: "double", or "single" on a GPU. threads: of the CPU, 0: one per processor. keyframe: number or
    name of the one that worlds start from, -1: none. max_steps: an
    episode is truncated after so many steps. reward and terminated are optional functions of the
    batch, called after each step, that give one number, or one truth value, per world.
    """

    def __init__(self, model, nworld, *, device="auto", precision=None, threads=0, nthread=0, keyframe=-1,
                 max_steps=0, reward=None, terminated=None):
        if precision not in _PRECISIONS:
            raise ValueError(f"precision should be double or single, got {precision!r}")
        if not isinstance(model, _core.MjModel):
            raise TypeError(f"a Batch takes an MjModel, got {type(model).__name__}")
        if not hasattr(nworld, "__index__"):
            raise TypeError(f"nworld should be an integer, got {type(nworld).__name__}")
        if not isinstance(device, str):
            raise TypeError(f"device should be 'cpu', 'gpu' or 'auto', got {type(device).__name__}")
        keyframe = _key(model, keyframe)
        _refuse_callbacks()
        self._worlds = _core._Batch(model, nworld, device, _PRECISIONS[precision], threads or nthread, keyframe,
                                    max_steps)
        self._real = np.dtype(np.float32 if _PRECISIONS[precision] and self.on_gpu else np.float64)
        self._keyframe, self._threads = keyframe, threads or nthread
        self._reward, self._terminated = reward, terminated
        self.model = model

    @staticmethod
    def bytes(model, nworld, device="cpu", precision=None):
        """Memory that a batch may use on the CPU, or will take on a GPU, known before any is taken."""
        if device == "gpu":
            return _core._gpu_bytes(model, nworld, _PRECISIONS[precision])
        return _core._batch_bytes(model, nworld)

    @property
    def device(self):
        """"cpu", or the name of the GPU."""
        return self._worlds.device

    @property
    def on_gpu(self):
        """Whether the worlds lie on a GPU."""
        return self._worlds.on_gpu

    @property
    def fallback(self):
        """Why there is no GPU though "auto" asked for one; "" otherwise."""
        return self._worlds.fallback

    # ---- fields ----

    def field(self, name):
        """View of a data field over all worlds."""
        try:
            return self._array(self._worlds.data_field(name))
        except AttributeError as error:
            raise AttributeError(f"{error}{near(name, _core.DATA_LAYOUT)}") from None

    def model_field(self, name):
        """View of a model field, or of "opt.gravity" and the like, of which every world now has its own."""
        try:
            return self._array(self._worlds.model_field(name))
        except AttributeError as error:
            raise AttributeError(f"{error}{near(name, _core.MODEL_LAYOUT)}") from None

    @staticmethod
    def _array(view):
        return DeviceArray(view) if isinstance(view, _core._DeviceView) else view

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return self.field(name)

    def __setattr__(self, name, value):
        if name.startswith("_") or name == "model":
            object.__setattr__(self, name, value)
        else:
            self.field(name)[...] = value

    def __len__(self):
        return self._worlds.nworld

    @property
    def nworld(self):
        """Number of worlds."""
        return self._worlds.nworld

    @property
    def generation(self):
        """How often the worlds have moved to larger memory."""
        return self._worlds.generation

    @property
    def rewards(self):
        """Rewards of the last step, (nworld,)."""
        return self._worlds.rewards

    @property
    def terminated(self):
        """Worlds whose episode ended: they failed, or the user's function said so. (nworld,) bool."""
        return self._worlds.terminated.view(np.bool_)

    @property
    def truncated(self):
        """Worlds whose episode reached its maximal number of steps. (nworld,) bool."""
        return self._worlds.truncated.view(np.bool_)

    @property
    def status(self):
        """Warnings of the last step as bits, 1 << mjtWarning. (nworld,) int."""
        return self._worlds.status

    @property
    def failures(self):
        """How often each world has failed since the batch was made. (nworld,) int."""
        return self._worlds.failures

    # ---- work ----

    def step(self, nstep=1, ctrl=None, *, stream=None):
        """Step all worlds, with controls (nworld, nu) for all steps, or (nstep, nworld, nu).

        On a GPU they may be arrays of the device, in the batch's precision: nothing goes by the host. With a stream
        (`torch.cuda.current_stream()`, or its number) the steps are put into it and the call returns at once. Rewards, `terminated`,
        `truncated` and `failures` are not kept then; `field("status")` is an array of the device.
        """
        if stream is not None:
            self._worlds.step_on(nstep, self._queued_controls(nstep, ctrl), _handle(stream))
            return
        if self.on_gpu and hasattr(ctrl, "__cuda_array_interface__"):
            self._step_on_device(nstep, ctrl)
            self._judge()
            return
        if ctrl is not None:
            ctrl = np.asarray(ctrl, np.float64)
            shape = (nstep, self.nworld, self.model.nu)
            if ctrl.shape not in (shape, shape[1:]):
                raise ValueError(f"ctrl should be of shape {shape} or {shape[1:]}, got {ctrl.shape}")
            ctrl = np.ascontiguousarray(np.broadcast_to(ctrl, shape))
        self._worlds.step(nstep, ctrl)
        self._judge()

    def _step_on_device(self, nstep, ctrl):
        shape, held = (self.nworld, self.model.nu), len(ctrl.__cuda_array_interface__["shape"]) == 2
        if not held:
            shape = (nstep, *shape)
        if held and (nstep != 1 or not _is_packed(ctrl, shape, self._real)):
            self.field("ctrl")[:] = ctrl
            self._worlds.step(nstep, None)
        else:
            self._worlds.step_at(nstep, _packed_address(ctrl, shape, self._real))

    def _queued_controls(self, nstep, ctrl):
        """The address of controls for steps in a stream; 0: they stay."""
        if ctrl is None:
            return 0
        shape = (self.nworld, self.model.nu)
        if not hasattr(ctrl, "__cuda_array_interface__"):
            raise TypeError("steps in a stream take controls that lie on the GPU")
        if nstep != 1 or len(ctrl.__cuda_array_interface__["shape"]) != 2:
            shape = (nstep, *shape)
        return _packed_address(ctrl, shape, self._real)

    def step_subset(self, worlds, nstep=1):
        """Step only some worlds."""
        self._worlds.step_subset(np.asarray(worlds, np.int32), nstep)
        self._judge()

    def _judge(self):
        if self._reward is None and self._terminated is None:
            return
        failed = self.terminated.copy()
        if self._reward is not None:
            self.rewards[:] = np.where(failed, 0.0, self._reward(self))
        if self._terminated is not None:
            self.terminated[:] = failed | np.asarray(self._terminated(self), bool)

    def forward(self, worlds=None, *, stream=None):
        """Run forward dynamics in all worlds, or in some, without advancing them; in all, in a stream (see `step`)."""
        if stream is not None:
            if worlds is not None:
                raise ValueError("forward dynamics in a stream are those of all worlds")
            self._worlds.forward_on(_handle(stream))
        elif worlds is None:
            self._worlds.forward()
        else:
            self._worlds.forward_subset(np.unique(np.asarray(worlds, np.int32)))

    def rne_post_constraint(self, *, stream=None):
        """Compute cacc, cfrc_int and cfrc_ext in all worlds from the last step or forward dynamics (stream: see `step`)."""
        if stream is not None:
            self._worlds.rne_post_constraint_on(_handle(stream))
        else:
            self._worlds.rne_post_constraint()

    def transition(self, method="analytic", *, eps=None, centered=True, out=None):
        """A (nworld, ndx, ndx) and B (nworld, ndx, nu) of x+ = A dx + B du at the states of the worlds, x = (dq, qvel,
        act): see `sinew.derivatives.transition`. States stay; on the CPU what is computed from them belongs to others
        afterwards.

        A GPU has method="differences" alone, and gives DeviceArrays in the batch's precision. out: a pair of
        arrays to be written: of NumPy in double precision, or of the GPU (a tensor of PyTorch). eps: the step of
        differences, 1e-6 (in single precision 1e-4).
        """
        if method not in METHODS:
            raise ValueError(f"method is {method!r}, expected one of {', '.join(METHODS)}")
        ndx = 2 * self.model.nv + self.model.na
        shapes = ((self.nworld, ndx, ndx), (self.nworld, ndx, self.model.nu))
        if self.on_gpu and METHODS[method] != METHODS["differences"]:
            raise ValueError(f"a GPU has no derivatives by method {method!r}: ask for 'differences'")
        if out is None and self.on_gpu:
            out = tuple(DeviceArray(self._worlds.matrix(*shape[1:])) for shape in shapes)
        A, B = tuple(map(np.zeros, shapes)) if out is None else out
        if self.on_gpu and hasattr(A, "__cuda_array_interface__"):
            self._worlds.transition_at(eps, centered, *(_packed_address(array, shape, self._real)
                                                        for array, shape in zip((A, B), shapes)))
        else:
            self._worlds.transition(METHODS[method], eps, centered, A, B)
        return A, B

    @property
    def transition_status(self):
        """What the trial steps of the last `transition` met, bits as in `status`. (nworld,) int."""
        return self._worlds.transition_status

    def reset(self, mask=None, keyframe=None, seed=None, scale=0.01, *, stream=None):
        """Reset the worlds with a true mask, or all; with a seed, or one per world, also perturb them.

        In a stream (see `step`) the mask lies on the GPU, a byte or truth value per world, and there is no seed.
        """
        keyframe = self._keyframe if keyframe is None else _key(self.model, keyframe)
        if stream is not None:
            if seed is not None:
                raise ValueError("worlds are not perturbed in a stream: write to their fields")
            self._worlds.reset_on(self._queued_mask(mask), keyframe, _handle(stream))
            return
        self._worlds.reset(_bytes(mask), keyframe)
        if seed is not None:
            self.perturb(seed, scale, mask)

    def _queued_mask(self, mask):
        """The address of a mask for a reset in a stream; 0: all worlds."""
        if mask is None:
            return 0
        if not hasattr(mask, "__cuda_array_interface__"):
            raise TypeError("a reset in a stream takes a mask that lies on the GPU")
        dtype = np.dtype(mask.__cuda_array_interface__["typestr"])
        if dtype.itemsize != 1:
            raise ValueError(f"expected a mask of bytes or truth values, got {dtype}")
        address, strides = device_rows(mask, (self.nworld,), dtype)
        if self.nworld > 1 and strides[0] != 1:
            raise ValueError("the mask has gaps")
        return address

    def perturb(self, seed, scale, mask=None):
        """Add uniform noise in [-scale, scale] to positions and velocities.

        With one seed, a world's noise depends on the seed and the world's number; with an array of
        seeds, (nworld,), on its own seed alone.
        """
        if np.ndim(seed) == 0:
            self._worlds.perturb(int(seed), scale, _bytes(mask))
        else:
            self._worlds.perturb_seeds(np.ascontiguousarray(seed, np.uint64), scale, _bytes(mask))

    def set_const(self):
        """Recompute what derives from model fields, after changing some."""
        self._worlds.set_const()

    # ---- states ----

    def get_state(self, sig=_PHYSICS, out=None):
        """States of all worlds, (nworld, mj_stateSize(model, sig))."""
        if out is None:
            out = np.empty((self.nworld, _core.mj_stateSize(self.model, int(sig))))
        self._worlds.get_state(out, int(sig))
        return out

    def set_state(self, state, sig=_PHYSICS):
        """Set the states of all worlds."""
        self._worlds.set_state(state, int(sig))

    # ---- images ----

    def render(self, camera=-1, width=64, height=64, *, mode="rgb", scene_option=None, out=None):
        """Images of all worlds as they are now: arrays of NumPy, drawn by threads of the CPU; of a batch on a GPU,
        drawn there, as a DeviceArray.

        camera: number or name, -1 for the free camera. mode: "rgb" gives bytes (nworld, height, width, 3), "depth" metres
        (nworld, height, width), "segmentation" object ids and types (nworld, height, width, 2), -1 where there is nothing.
        out: an array of an earlier call, to be drawn into; images of a GPU can also be copied into one of NumPy.
        """
        if mode not in _IMAGES:
            raise ValueError(f"mode should be one of {', '.join(_IMAGES)}, got {mode!r}")
        camera = self._camera(camera)
        artist = self._artist(width, height)
        kind, channels = _IMAGES[mode]
        shape = (self.nworld, height, width, *channels)
        if out is None:
            out = DeviceArray(self._worlds.image(mode, height, width)) if self.on_gpu else np.empty(shape, kind)
        on_device = self.on_gpu and hasattr(out, "__cuda_array_interface__")
        if on_device:
            address, strides = device_rows(out, shape, np.dtype(kind))
            if strides[0] != int(np.prod(shape[1:])) * np.dtype(kind).itemsize:
                raise ValueError("out should have no gaps between its worlds")
        elif not isinstance(out, np.ndarray) or out.shape != shape or out.dtype != kind or not (
                out.flags.c_contiguous and out.flags.writeable):
            raise ValueError(f"out should be a contiguous array {shape} of {np.dtype(kind)} that can be written, "
                             f"got {getattr(out, 'shape', type(out))} of {getattr(out, 'dtype', None)}")
        else:
            address = out.ctypes.data
        places = [address if mode == each else 0 for each in _IMAGES]
        option = scene_option._address if scene_option is not None else 0
        draw = artist.render_at if on_device else artist.render
        draw(self._worlds.address, camera, option, *places)
        return out

    def _camera(self, camera):
        """Number of a camera that is given by number or name."""
        if isinstance(camera, str):
            name, camera = camera, _core.mj_name2id(self.model, mjtObj.mjOBJ_CAMERA.value, camera)
            if camera < 0:
                raise no_camera(self.model, name)
        if not -1 <= camera < self.model.ncam:
            raise ValueError(f"The camera id {camera} is out of range [-1, {self.model.ncam}).")
        return camera

    def _artist(self, width, height):
        """Renderer of images of a size, kept for the next call."""
        artists = self.__dict__.setdefault("_artists", {})
        artist = artists.get((width, height))
        if artist is None:
            while len(artists) > 3:  # each keeps shapes and images: the oldest goes
                artists.pop(next(iter(artists)))
            artist = artists[width, height] = _core._BatchRenderer(self._worlds.address, width, height, self._threads)
        return artist

    def contacts(self):
        """Contacts of all worlds: pairs of geoms (nworld, most contacts, 2), filled up by -1, and distances."""
        room = max(1, int(np.max(self.field("ncon")[:])))
        geoms, distances = np.empty((self.nworld, room, 2), np.int32), np.empty((self.nworld, room))
        self._worlds.contacts(room, geoms, distances)
        return geoms, distances

    def copy_world(self, world, data=None):
        """One world as an MjData, a copy; from a GPU come the states alone, enough to go on from there."""
        data = _core.MjData(self.model) if data is None else data
        self._worlds.copy_world(world, data)
        return data
