"""Vector environments whose arrays are PyTorch tensors.

    env = TensorEnv(gymnasium.make_vec("sinew/Ant-v5", num_envs=1024))
    observations, infos = env.reset(seed=0)
    observations, rewards, terminated, truncated, infos = env.step(policy(observations))

Tensors on the CPU share their memory with the arrays of the environment, in both directions: nothing is copied. With
`device` they are sent there; the fields of a Batch on a GPU are tensors there without a copy by DLPack.
"""

import gymnasium
import numpy as np
import torch


class TensorEnv(gymnasium.vector.VectorWrapper):
    """Takes tensors of actions and gives tensors; infos stay arrays but for final observations."""

    def __init__(self, env, device="cpu", dtype=None):
        super().__init__(env)
        if dtype is not None and not (isinstance(dtype, torch.dtype) and dtype.is_floating_point):
            raise TypeError(f"dtype should be one of floating point numbers, such as torch.float32, got {dtype!r}")
        self.device, self.dtype = torch.device(device), dtype

    def _tensor(self, array):
        tensor = torch.from_numpy(np.ascontiguousarray(array))
        if self.dtype is not None and tensor.is_floating_point():
            return tensor.to(self.device, self.dtype)
        return tensor.to(self.device)

    def reset(self, *, seed=None, options=None):
        """As the environment."""
        observations, infos = self.env.reset(seed=seed, options=options)
        return self._tensor(observations), infos

    def step(self, actions):
        """As the environment."""
        *arrays, infos = self.env.step(torch.as_tensor(actions).detach().cpu().numpy())
        return *map(self._tensor, arrays), infos
