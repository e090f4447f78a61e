"""Elements of specs of MuJoCo's interface, under the name of the module that holds them in the `mujoco` package."""

import sinew

_PREFIXES = ("Mjs", "MjSpec", "MjOption", "MjStatistic", "MjVisual")
globals().update({name: value for name, value in vars(sinew).items()
                  if name.startswith(_PREFIXES) or name.startswith("Mj") and name.endswith("Vec")})
