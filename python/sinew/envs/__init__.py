"""The tasks of Gymnasium's MuJoCo suite, version 5, as vector environments on a Batch.

    import gymnasium
    import sinew.envs  # registers the tasks

    env = gymnasium.make_vec("sinew/Humanoid-v5", num_envs=4096)

or, without the import, "sinew.envs:sinew/Humanoid-v5". Observations, rewards, ends, infos and starts are those of
Gymnasium's environments, seed for seed; options are theirs, and those of `sinew.vector_env.VectorEnv` (autoreset, device,
precision, threads). `gymnasium.make` gives a single world.
"""

NAMES = ("HalfCheetah", "Hopper", "Walker2d", "Ant", "Humanoid", "Swimmer", "Reacher", "Pusher", "InvertedPendulum",
         "InvertedDoublePendulum", "HumanoidStandup")
_STEPS = {"Reacher": 50, "Pusher": 100}


def _register():
    try:
        from gymnasium.envs.registration import register, registry
    except ImportError:  # the tasks need it, other parts of the package do not
        return
    for name in NAMES:
        if f"sinew/{name}-v5" not in registry:
            register(f"sinew/{name}-v5", entry_point="sinew.envs.suite:SingleEnv",
                     vector_entry_point="sinew.envs.suite:make_vector", max_episode_steps=_STEPS.get(name, 1000),
                     kwargs={"task": name})


def __getattr__(name):
    if name in ("SuiteEnv", "SingleEnv"):
        from sinew.envs import suite

        return getattr(suite, name)
    raise AttributeError(name)


_register()
