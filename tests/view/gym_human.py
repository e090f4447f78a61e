"""An environment of Gymnasium in the browser, under the stand-in: prints the address, then what it sees."""

import sys

import gymnasium

env = gymnasium.make("InvertedPendulum-v5", render_mode="human")
env.reset(seed=1)
for _ in range(int(sys.argv[1])):
    env.step(env.action_space.sample())
viewer = env.unwrapped.mujoco_renderer.viewer
print(type(viewer).__module__, viewer._handle.is_running(), round(float(viewer.data.time), 3))
env.close()
print(viewer._handle.is_running())
