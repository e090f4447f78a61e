"""Constants of MuJoCo's interface, under the name of the module that holds them in the `mujoco` package."""

import sinew

globals().update({name: value for name, value in vars(sinew).items()
                  if name.startswith("mj") and isinstance(value, (int, float, tuple)) and not isinstance(value, type)})
