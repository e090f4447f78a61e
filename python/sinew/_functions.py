"""Functions of MuJoCo's interface, under the name of the module that holds them in the `mujoco` package."""

from sinew import _core, visual

for _part in (_core, visual):
    globals().update({n: getattr(_part, n) for n in dir(_part) if n.startswith(("mj_", "mju_", "mjd_", "mjv_"))})

_realloc_con_efc = _core._realloc_con_efc
