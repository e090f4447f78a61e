"""The images for GPUs of the distribution sinew-physics-gpu, where it is installed."""

import os
import warnings


def offer(version):
    """Tell the library where they lie; it looks there last (src/gpu/engine.h). `version`: of this package."""
    try:
        import sinew_gpu
    except ImportError:
        return
    if sinew_gpu.__version__ != version:
        warnings.warn(f"sinew-physics-gpu {sinew_gpu.__version__} is not for sinew-physics {version}: it is not used",
                      RuntimeWarning, stacklevel=3)
        return
    os.environ.setdefault("SINEW_GPU_PACKAGE", os.path.join(os.path.dirname(sinew_gpu.__file__), "sinew.gpu"))
