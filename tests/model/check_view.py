"""The field of one_line.sh as Python sees it."""

import numpy as np
from one_line_view import MODEL_FIELDS, MjModel

assert "body_temperature" in MODEL_FIELDS
model = MjModel._make({"nbody": 3, "nnames": 8})
field = model.body_temperature
assert field.shape == (3,) and field.dtype == np.float64 and not field.any()
assert MjModel.body_temperature.__doc__ == "colour temperature, K"
field[1] = 5600  # a view, not a copy
assert model.body_temperature.tolist() == [0, 5600, 0]
model.body_temperature = 300
assert field.tolist() == [300] * 3
copy = model.__copy__()
field[:] = 0
assert copy.body_temperature.tolist() == [300] * 3
