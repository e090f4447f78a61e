"""The tasks of Gymnasium's MuJoCo suite, version 5, as vector environments on a Batch.

    import gymnasium
    env = gymnasium.make_vec("sinew/Humanoid-v5", num_envs=4096)

Observations, rewards, ends, infos and starts are those of Gymnasium's environments, seed for seed; options are theirs, and
those of `sinew.vector_env.VectorEnv` (autoreset, device, precision, threads). An installed Sinew registers the tasks with
Gymnasium; from a build folder `import sinew.envs` does. `gymnasium.make` gives a single world.
"""

NAMES = ("HalfCheetah", "Hopper", "Walker2d", "Ant", "Humanoid", "Swimmer", "Reacher", "Pusher", "InvertedPendulum",
         "InvertedDoublePendulum", "HumanoidStandup")
_STEPS = {"Reacher": 50, "Pusher": 100}


def register_envs(namespace=""):
    """Register the tasks with Gymnasium, which calls this in the namespace "sinew" when it is imported."""
    from gymnasium.envs.registration import register, registry

    for name in NAMES:
        if f"sinew/{name}-v5" not in registry:
            register(f"{namespace}{name}-v5", entry_point="sinew.envs.suite:SingleEnv",
                     vector_entry_point="sinew.envs.suite:make_vector", max_episode_steps=_STEPS.get(name, 1000),
                     kwargs={"task": name})


def __getattr__(name):
    if name in ("SuiteEnv", "SingleEnv"):
        from sinew.envs import suite

        return getattr(suite, name)
    raise AttributeError(name)


def _register_once():
    try:
        import gymnasium
    except ImportError:  # the tasks need it, other parts of the package do not
        return
    if hasattr(gymnasium, "make_vec"):  # not while it is being imported itself, and calls register_envs
        register_envs("sinew/")


_register_once()
