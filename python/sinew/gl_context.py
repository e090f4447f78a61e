"""Stands where MuJoCo has its OpenGL contexts: Sinew draws without, so that they have nothing to do."""


class GLContext:
    """Has the methods of an OpenGL context; whatever MUJOCO_GL says, no graphics driver is used."""

    def __init__(self, max_width=0, max_height=0, device_id=0):
        pass

    def make_current(self):
        """Nothing to do."""

    def free(self):
        """Nothing to do."""


def load(module):
    """Give robosuite's module of EGL contexts this one; what asks for a driver in it is not run."""
    module.EGLGLContext = GLContext
