"""What dm_control renders in under the stand-in: nothing of OpenGL, whatever MUJOCO_GL says and the machine has."""

import contextlib
import importlib
import os


def _context(package):
    base, executor = (importlib.import_module(f"{package}.{name}") for name in ("base", "executor"))

    class Context(base.ContextBase):
        """A context of dm_control's that has nothing to create: Sinew draws into memory, from any thread."""

        def __init__(self, max_width=0, max_height=0):
            super().__init__(max_width, max_height, executor.PassthroughRenderExecutor)

        @contextlib.contextmanager
        def make_current(self):
            """What calls a function; one thread at a time."""
            with self._render_executor.execution_context() as calls:
                yield calls

        def _platform_init(self, max_width, max_height):
            pass

        def _platform_make_current(self):
            pass

        def _platform_free(self):
            pass

    return Context


def load(module):
    """Load dm_control._render, and let its contexts be ours. BACKEND stays what was found, since windows ask for it."""
    try:
        module.__loader__.exec_module(module)
    except ImportError:  # MUJOCO_GL names a backend that this machine does not have
        wanted = os.environ["MUJOCO_GL"]
        os.environ["MUJOCO_GL"] = "disable"
        try:
            module.__loader__.exec_module(module)
        finally:
            os.environ["MUJOCO_GL"] = wanted
    module.Renderer = _context(module.__name__)
