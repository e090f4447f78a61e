"""Functions of MuJoCo's interface, under the name of the module that holds them in the `mujoco` package."""

from sinew import _core

globals().update({n: getattr(_core, n) for n in dir(_core) if n.startswith(("mj_", "mju_", "mjd_"))})

_realloc_con_efc = _core._realloc_con_efc
