"""Drawing of MuJoCo's interface, under the name of the module that holds them in the `mujoco` package."""

import sinew

globals().update({name: value for name, value in vars(sinew).items() if name.startswith(("Mjr", "mjr_"))})
