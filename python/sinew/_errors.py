"""Errors of MuJoCo's interface, under the name of the module that holds them in the `mujoco` package."""

import sinew

FatalError, UnexpectedError = sinew.FatalError, sinew.UnexpectedError
