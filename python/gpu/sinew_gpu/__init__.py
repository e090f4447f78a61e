"""Sinew's engine compiled for NVIDIA GPUs, in the file sinew.gpu beside this one. `import sinew` finds it."""

__version__ = "0.1.0"
