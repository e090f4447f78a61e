"""The tasks of tasks.py as environments: a vector of worlds on a Batch, and one world for `gymnasium.make`."""

import collections
import os

import gymnasium
import numpy as np
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode

from sinew import _core
from sinew._named import near
from sinew.envs.columns import Columns
from sinew.envs.tasks import TASKS
from sinew.vector_env import VectorEnv


def model_path(xml_file):
    """A path as it is; a bare name is a model of Gymnasium's suite."""
    if os.path.dirname(xml_file) or os.path.exists(xml_file):
        return xml_file
    return os.path.join(os.path.dirname(gymnasium.__file__), "envs", "mujoco", "assets", xml_file)


class SuiteEnv(VectorEnv):
    """A task of Gymnasium's MuJoCo suite in many worlds.

    task: a name of TASKS. model, or xml_file: another model. Options beyond those of VectorEnv are those of the task,
    see Gymnasium's documentation. With the same seed a world starts where Gymnasium's environment does, and gives the
    same observations, rewards, ends and infos.
    """

    def __init__(self, task, num_envs=1, *, model=None, xml_file=None, frame_skip=None, max_episode_steps=None,
                 autoreset=AutoresetMode.NEXT_STEP, device="auto", precision=None, threads=0, render_mode=None, **options):
        if task not in TASKS:
            raise ValueError(f"no task {task!r}, expected one of {', '.join(TASKS)}{near(str(task), TASKS)}")
        kind = TASKS[task]
        frame_skip = kind.frame_skip if frame_skip is None else frame_skip
        if model is None:
            model = _core.MjModel.from_xml_path(model_path(str(xml_file or kind.xml_file)))
        self.task = kind(model, frame_skip, options)
        self._columns = None
        super().__init__(model, num_envs, frame_skip=frame_skip, autoreset=autoreset, device=device, precision=precision,
                         max_episode_steps=max_episode_steps or kind.max_episode_steps, threads=threads,
                         render_mode=render_mode)
        self.metadata["render_fps"] = round(1 / self.task.dt)
        self._generators = [None] * num_envs
        self._before = self._now = self._measure()

    def _observe(self):
        if self._columns is None:
            self.batch.forward()
            parts = self.task.measure()
            self._columns = Columns(self.batch, self.task.observe())
            groups = [part if isinstance(part, list) else [part] for part in parts.values()]
            self._measures = Columns(self.batch, sum(groups, []), by_column=True)
            self._places = self._find_places(groups)
            self._named = collections.namedtuple("Measured", parts)
        return self._columns()

    def _find_places(self, groups):
        """Rows of the measures: a number where there is one, else a range."""
        places, at, widths = [], 0, iter(self._measures.widths)
        for group in groups:
            width = sum(next(widths) for _ in group)
            # fields stay arrays even where the model has one entry of them
            single = width == 1 and (group[0].count == 1 or group[0].operation in ("squares", "inside", "length"))
            places.append(at if single else slice(at, at + width))
            at += width
        return places

    def _name(self, values):
        """Named measures of all worlds: one number per world each, or (count, num_envs)."""
        return self._named._make([values[place] for place in self._places])

    def _measure(self):
        return self._name(self._measures())

    def step(self, actions):
        """Step all worlds by frame_skip steps of physics."""
        if self._any_ended or self._on_gpu:
            return super().step(actions)
        actions = self._accept(actions)
        effort = np.empty(self.num_envs, actions.dtype)
        observations, measures = np.empty(self._columns.shape), np.empty(self._measures.shape)
        flagged = self._columns.native.play(self._measures.native, actions, self.frame_skip, self.task.needs_forces,
                                            self._flags, effort, observations, measures)
        self._before, self._now = self._now, self._name(measures)
        rewards, healthy, infos = self.task.judge(self._before, self._now, effort)
        return self._conclude(observations, rewards, None if healthy is None else healthy == 0, infos, None, flagged)

    def _judge(self, observations, effort):
        self._before, self._now = self._now, self._measure()
        rewards, healthy, infos = self.task.judge(self._before, self._now, effort)
        return rewards, None if healthy is None else healthy == 0, infos

    def _describe(self):
        return self.task.describe(self._now)

    def _advance(self, actions, again, effort):
        flagged = super()._advance(actions, again, effort)
        if self.task.needs_forces:
            self.batch.rne_post_constraint()
        return flagged

    # ---- memory ----

    _MEMORY = (*VectorEnv._MEMORY, "_generators", "_measured")

    @property
    def _measured(self):
        return tuple(self._now)

    @_measured.setter
    def _measured(self, values):
        self._now = self._named._make(values)

    # ---- starts ----

    def _seed_world(self, i, seed):
        self._generators[i] = seeding.np_random(int(seed))[0]

    def _place(self, mask):
        worlds = np.flatnonzero(mask)
        if not worlds.size:
            return
        self.batch.reset(mask)
        qpos, qvel = self.batch.qpos[:], self.batch.qvel[:]
        for i in worlds:
            if self._generators[i] is None:
                self._generators[i] = seeding.np_random()[0]
            qpos[i], qvel[i] = self.task.start(self._generators[i])
        if self.batch.on_gpu:
            self.batch.qpos, self.batch.qvel = qpos, qvel
        self.batch.forward(worlds)
        self._now = self._measure()

    def set_state(self, qpos, qvel):
        """Put all worlds into given states, (num_envs, nq) and (num_envs, nv), in the middle of their episodes."""
        self.batch.reset()
        self.batch.qpos, self.batch.qvel = qpos, qvel
        self.batch.forward()
        self._now = self._measure()


class SingleEnv(gymnasium.Env):
    """One world of a task as a plain environment; `gymnasium.make` limits its time.

    render_mode: "rgb_array" for images, "human" for the viewer in the browser, which shows every step, in real time.
    """

    metadata = {"render_modes": ["rgb_array", "human"]}

    def __init__(self, task, render_mode=None, **options):
        self.vector = SuiteEnv(task, 1, autoreset=AutoresetMode.DISABLED, max_episode_steps=1 << 62,
                               **{"device": "cpu", "threads": 1, **options})
        self.observation_space = self.vector.single_observation_space
        self.action_space = self.vector.single_action_space
        self.render_mode, self._window = render_mode, None
        self.metadata = dict(self.metadata, render_fps=self.vector.metadata["render_fps"])

    @staticmethod
    def _first(infos):
        return {key: values[0] for key, values in infos.items() if not key.startswith("_")}

    def reset(self, *, seed=None, options=None):
        """Start a new episode."""
        super().reset(seed=seed)
        observations, infos = self.vector.reset(seed=seed)
        self._show()
        return observations[0], self._first(infos)

    def step(self, action):
        """Step the world; one whose episode has ended goes on."""
        self.vector._any_ended = False
        observations, rewards, terminated, _, infos = self.vector.step(np.asarray(action)[None])
        self._show()
        return observations[0], rewards[0], bool(terminated[0]), False, self._first(infos)

    def render(self):
        """An image of the world; None in the mode "human", which shows every step by itself."""
        return self.vector.render()[0] if self.render_mode == "rgb_array" else None

    def _show(self):
        if self.render_mode != "human":
            return
        if self._window is None:
            from sinew.gym_window import WindowViewer

            self._window = WindowViewer(self.vector.model, _core.MjData(self.vector.model))
        self.vector.batch.copy_world(0, self._window.data)
        self._window.render()

    def close(self):
        """Close the viewer, where one is open."""
        if self._window is not None:
            self._window.close()
            self._window = None


def make_vector(task, num_envs=1, **options):
    """What `gymnasium.make_vec` calls."""
    return SuiteEnv(task, num_envs, **options)
