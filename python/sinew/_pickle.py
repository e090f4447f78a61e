"""Pickling of models and data, as their binary images."""

from sinew import _core


def restore_model(image):
    return _core._restore_model(image)


def restore_data(model, image):
    return _core._restore_data(model, image)


_core.MjModel.__reduce__ = lambda self: (restore_model, (self._to_bytes(),))
_core.MjData.__reduce__ = lambda self: (restore_data, (self.model, self._to_bytes()))
