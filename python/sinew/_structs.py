"""Structs of MuJoCo's interface, under the name of the module that holds them in the `mujoco` package."""

import sinew
from sinew import _core, _named
from sinew.visual import mjv_averageCamera  # noqa: F401

globals().update({name: value for name, value in vars(sinew).items()
                  if name.startswith(("Mj", "Mjv")) and not name.startswith(("Mjs", "Mjr", "MjSpec", "MjStruct")) and not name.endswith("Vec")})
globals().update({name: getattr(_core, name) for name in dir(_core) if name.startswith("_Mj")})
globals().update(_named.VIEWS)
