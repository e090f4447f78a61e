"""The C interface as data: names, types and shapes of functions, structs and enums, as `mujoco.introspect` gives them."""
