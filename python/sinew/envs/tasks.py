"""The tasks of Gymnasium's MuJoCo suite, version 5: what is observed, rewarded, ended, and where episodes start.

A task says what numbers of a world it observes and which more it needs to judge a step (parts, see columns.py), and
judges all worlds at once. Formulas, options and their defaults are those of Gymnasium's documentation.

`measure` names numbers beyond the observation; their values before and after a step are the attributes of `before` and
`now`: one per world, (num_envs,), or several, (count, num_envs). judge() gives, from them and the sum of squares of the
action, rewards, health (1 or 0; None: nothing ends an episode) and what `infos` says of the step, for arrays of NumPy and for
tensors of PyTorch alike; describe() is what `infos` says of a state, also after a reset.
"""

import numpy as np

import sinew
from sinew._named import near
from sinew.envs.columns import Part


class Task:
    """What the tasks have in common: options become attributes, others are refused."""

    xml_file = None
    frame_skip = 5
    max_episode_steps = 1000
    needs_forces = False  # cfrc_ext
    options = {}

    def __init__(self, model, frame_skip, options):
        unknown = set(options) - set(self.options)
        if unknown:
            known = ", ".join(sorted(self.options)) or "none"
            name = sorted(unknown)[0]
            raise TypeError(f"{type(self).__name__} has no option {name!r}; it has: {known}{near(name, self.options)}")
        self.__dict__.update(self.options)
        self.__dict__.update(options)
        self.model = model
        self.dt = model.opt.timestep * frame_skip
        data = sinew.MjData(model)
        self.start_qpos, self.start_qvel = data.qpos.copy(), data.qvel.copy()

    def observe(self):
        """Parts of the observation."""
        raise NotImplementedError

    def measure(self):
        """Names and parts of what else is needed to judge a step."""
        return {}

    def judge(self, before, now, effort):
        """Rewards, health or None, and infos of a step."""
        raise NotImplementedError

    def describe(self, now):
        """Infos of a state."""
        return {}

    def start(self, random):
        """qpos and qvel of a new episode, drawn from a generator in Gymnasium's order."""
        raise NotImplementedError

    # ---- what several tasks do ----

    def _uniform_start(self, random, normal_velocity=False):
        scale = self.reset_noise_scale
        qpos = self.start_qpos + random.uniform(-scale, scale, self.model.nq)
        if normal_velocity:
            return qpos, self.start_qvel + scale * random.standard_normal(self.model.nv)
        return qpos, self.start_qvel + random.uniform(-scale, scale, self.model.nv)

    def _positions(self, hidden):
        return Part("qpos", hidden if self.exclude_current_positions_from_observation else 0)

    def _difference(self, operation, one, other, count=3):
        """The vector, or the distance, from the other body to the one."""
        weights = np.zeros(self.model.nbody)
        weights[self._id(sinew.mjtObj.mjOBJ_BODY, one)] += 1
        weights[self._id(sinew.mjtObj.mjOBJ_BODY, other)] -= 1
        return Part("xpos", 0, count, operation, weights=list(weights))

    def _id(self, kind, name):
        number = sinew.mj_name2id(self.model, kind, name)
        if number < 0:
            raise ValueError(f"the model has no {name!r}, which {type(self).__name__} needs")
        return number


class _Planar(Task):
    """Runs along x as fast as it can: HalfCheetah, Hopper, Walker2d."""

    velocity_range = (-np.inf, np.inf)

    def observe(self):
        return [self._positions(1), Part("qvel", operation="clip", range=self.velocity_range)]

    def measure(self):
        return {"x": Part("qpos", 0, 1)}

    def _forward(self, before, now, effort):
        velocity = (now.x - before.x) / self.dt
        forward, cost = self.forward_reward_weight * velocity, self.ctrl_cost_weight * effort
        return forward, cost, {"x_velocity": velocity, "reward_forward": forward, "reward_ctrl": -cost}


class HalfCheetah(_Planar):
    xml_file = "half_cheetah.xml"
    options = dict(forward_reward_weight=1.0, ctrl_cost_weight=0.1, reset_noise_scale=0.1,
                   exclude_current_positions_from_observation=True)

    def judge(self, before, now, effort):
        forward, cost, infos = self._forward(before, now, effort)
        return forward - cost, None, infos

    def describe(self, now):
        return {"x_position": now.x}

    def start(self, random):
        return self._uniform_start(random, normal_velocity=True)


class Hopper(_Planar):
    xml_file = "hopper.xml"
    frame_skip = 4
    velocity_range = (-10, 10)
    options = dict(forward_reward_weight=1.0, ctrl_cost_weight=1e-3, healthy_reward=1.0, terminate_when_unhealthy=True,
                   healthy_state_range=(-100.0, 100.0), healthy_z_range=(0.7, np.inf), healthy_angle_range=(-0.2, 0.2),
                   reset_noise_scale=5e-3, exclude_current_positions_from_observation=True)

    def measure(self):
        return {"x": Part("qpos", 0, 1), "z": Part("qpos", 1, 1), "healthy": self.health()}

    def health(self):
        """Parts that are 1 where it stands."""
        return [Part("qpos", 1, 1, "inside", self.healthy_z_range),
                Part("qpos", 2, 1, "and_inside", self.healthy_angle_range), Part("qpos", 2, None, "and_inside", self.healthy_state_range),
                Part("qvel", 0, None, "and_inside", self.healthy_state_range)]

    def judge(self, before, now, effort):
        forward, cost, infos = self._forward(before, now, effort)
        alive = infos["reward_survive"] = self.healthy_reward * now.healthy
        return alive + forward - cost, now.healthy if self.terminate_when_unhealthy else None, infos

    def describe(self, now):
        return {"x_position": now.x, "z_distance_from_origin": now.z - self.start_qpos[1]}

    def start(self, random):
        return self._uniform_start(random)


class Walker2d(Hopper):
    xml_file = "walker2d_v5.xml"
    options = dict(forward_reward_weight=1.0, ctrl_cost_weight=1e-3, healthy_reward=1.0, terminate_when_unhealthy=True,
                   healthy_z_range=(0.8, 2.0), healthy_angle_range=(-1.0, 1.0), reset_noise_scale=5e-3,
                   exclude_current_positions_from_observation=True)

    def health(self):
        return [Part("qpos", 1, 1, "inside", self.healthy_z_range),
                Part("qpos", 2, 1, "and_inside", self.healthy_angle_range)]


class Swimmer(Task):
    xml_file = "swimmer.xml"
    frame_skip = 4
    options = dict(forward_reward_weight=1.0, ctrl_cost_weight=1e-4, reset_noise_scale=0.1,
                   exclude_current_positions_from_observation=True)

    def observe(self):
        return [self._positions(2), Part("qvel")]

    def measure(self):
        return {"x": Part("qpos", 0, 1), "y": Part("qpos", 1, 1)}

    def judge(self, before, now, effort):
        velocity = (now.x - before.x) / self.dt
        forward, cost = self.forward_reward_weight * velocity, self.ctrl_cost_weight * effort
        return forward - cost, None, {"x_velocity": velocity, "y_velocity": (now.y - before.y) / self.dt,
                                      "reward_forward": forward, "reward_ctrl": -cost}

    def describe(self, now):
        return {"x_position": now.x, "y_position": now.y, "distance_from_origin": np.hypot(now.x, now.y)}

    def start(self, random):
        return self._uniform_start(random)


class Ant(Task):
    xml_file = "ant.xml"
    needs_forces = True
    options = dict(forward_reward_weight=1, ctrl_cost_weight=0.5, contact_cost_weight=5e-4, healthy_reward=1.0, main_body=1,
                   terminate_when_unhealthy=True, healthy_z_range=(0.2, 1.0), contact_force_range=(-1.0, 1.0),
                   reset_noise_scale=0.1, exclude_current_positions_from_observation=True,
                   include_cfrc_ext_in_observation=True)

    def observe(self):
        parts = [self._positions(2), Part("qvel")]
        if self.include_cfrc_ext_in_observation:
            parts.append(Part("cfrc_ext", 6, operation="clip", range=self.contact_force_range))
        return parts

    def measure(self):
        body = self.main_body
        if isinstance(body, str):
            body = self._id(sinew.mjtObj.mjOBJ_BODY, body)
        low, high = self.healthy_z_range  # its ends are healthy
        return {"x": Part("qpos", 0, 1), "y": Part("qpos", 1, 1),
                "healthy": Part("qpos", 2, 1, "inside", (np.nextafter(low, -np.inf), np.nextafter(high, np.inf))),
                "body_x": Part("xpos", 3 * body, 1), "body_y": Part("xpos", 3 * body + 1, 1),
                "impact": Part("cfrc_ext", operation="squares", range=self.contact_force_range)}

    def judge(self, before, now, effort):
        velocity = (now.body_x - before.body_x) / self.dt
        forward, alive = self.forward_reward_weight * velocity, self.healthy_reward * now.healthy
        cost, contact = self.ctrl_cost_weight * effort, self.contact_cost_weight * now.impact
        infos = {"x_velocity": velocity, "y_velocity": (now.body_y - before.body_y) / self.dt, "reward_forward": forward,
                 "reward_ctrl": -cost, "reward_contact": -contact, "reward_survive": alive}
        return forward + alive - (cost + contact), now.healthy if self.terminate_when_unhealthy else None, infos

    def describe(self, now):
        return {"x_position": now.x, "y_position": now.y, "distance_from_origin": np.hypot(now.x, now.y)}

    def start(self, random):
        return self._uniform_start(random, normal_velocity=True)


class _Body(Task):
    """Humanoid and HumanoidStandup observe the same."""

    needs_forces = True
    includes = dict(include_cinert_in_observation=True, include_cvel_in_observation=True,
                    include_qfrc_actuator_in_observation=True, include_cfrc_ext_in_observation=True)

    def observe(self):
        # the world's body and the degrees of freedom of the free joint say nothing
        more = {"cinert": 10, "cvel": 6, "qfrc_actuator": 6, "cfrc_ext": 6}
        return [self._positions(2), Part("qvel")] + [
            Part(field, first) for field, first in more.items() if getattr(self, f"include_{field}_in_observation")]

    def _tendons(self):
        return {"tendon_length": Part("ten_length"), "tendon_velocity": Part("ten_velocity")}

    def start(self, random):
        return self._uniform_start(random)


class Humanoid(_Body):
    xml_file = "humanoid.xml"
    options = dict(forward_reward_weight=1.25, ctrl_cost_weight=0.1, contact_cost_weight=5e-7,
                   contact_cost_range=(-np.inf, 10.0), healthy_reward=5.0, terminate_when_unhealthy=True,
                   healthy_z_range=(1.0, 2.0), reset_noise_scale=1e-2, exclude_current_positions_from_observation=True,
                   **_Body.includes)

    def measure(self):
        mass = self.model.body_mass / self.model.body_mass.sum()
        return {"centre": Part("xipos", 0, 2, "weighted", weights=list(mass)), "x": Part("qpos", 0, 1),
                "y": Part("qpos", 1, 1), "healthy": Part("qpos", 2, 1, "inside", self.healthy_z_range),
                "effort": Part("ctrl", operation="squares"), "impact": Part("cfrc_ext", operation="squares"),
                **self._tendons()}

    def judge(self, before, now, effort):
        velocity = (now.centre - before.centre) / self.dt
        forward, alive = self.forward_reward_weight * velocity[0], self.healthy_reward * now.healthy
        cost = self.ctrl_cost_weight * now.effort
        contact = (self.contact_cost_weight * now.impact).clip(*self.contact_cost_range)
        infos = {"x_velocity": velocity[0], "y_velocity": velocity[1], "reward_survive": alive,
                 "reward_forward": forward, "reward_ctrl": -cost, "reward_contact": -contact}
        return forward + alive - (cost + contact), now.healthy if self.terminate_when_unhealthy else None, infos

    def describe(self, now):
        return {"x_position": now.x, "y_position": now.y, "tendon_length": now.tendon_length.T,
                "tendon_velocity": now.tendon_velocity.T, "distance_from_origin": np.hypot(now.x, now.y)}


class HumanoidStandup(_Body):
    xml_file = "humanoidstandup.xml"
    options = dict(uph_cost_weight=1, ctrl_cost_weight=0.1, impact_cost_weight=0.5e-6, impact_cost_range=(-np.inf, 10.0),
                   reset_noise_scale=1e-2, exclude_current_positions_from_observation=True, **_Body.includes)

    def measure(self):
        return {"x": Part("qpos", 0, 1), "y": Part("qpos", 1, 1), "z": Part("qpos", 2, 1),
                "effort": Part("ctrl", operation="squares"), "impact": Part("cfrc_ext", operation="squares"),
                **self._tendons()}

    def judge(self, before, now, effort):
        # as documented; Gymnasium 1.2 ignores this weight
        up = self.uph_cost_weight * (now.z / self.model.opt.timestep)
        cost = self.ctrl_cost_weight * now.effort
        impact = (self.impact_cost_weight * now.impact).clip(*self.impact_cost_range)
        return up + 1 - cost - impact, None, {"reward_linup": up, "reward_quadctrl": -cost, "reward_impact": -impact}

    def describe(self, now):
        return {"x_position": now.x, "y_position": now.y, "z_distance_from_origin": now.z - self.start_qpos[2],
                "tendon_length": now.tendon_length.T, "tendon_velocity": now.tendon_velocity.T}


class InvertedPendulum(Task):
    xml_file = "inverted_pendulum.xml"
    frame_skip = 2
    options = dict(reset_noise_scale=0.01)

    def observe(self):
        return [Part("qpos"), Part("qvel")]

    def measure(self):
        angle = np.nextafter(0.2, 1)  # 0.2 is healthy
        return {"healthy": Part("qpos", 1, 1, "inside", (-angle, angle))}

    def judge(self, before, now, effort):
        return 1.0 * now.healthy, now.healthy, {"reward_survive": (now.healthy != 0) * 1}

    def start(self, random):
        return self._uniform_start(random)


class InvertedDoublePendulum(Task):
    xml_file = "inverted_double_pendulum.xml"
    options = dict(healthy_reward=10.0, reset_noise_scale=0.1)

    def observe(self):
        return [Part("qpos", 0, 1), Part("qpos", 1, operation="sin"), Part("qpos", 1, operation="cos"),
                Part("qvel", operation="clip", range=(-10, 10)),
                Part("qfrc_constraint", 0, 1, operation="clip", range=(-10, 10))]

    def measure(self):
        return {"x": Part("site_xpos", 0, 1), "y": Part("site_xpos", 2, 1),
                "healthy": Part("site_xpos", 2, 1, "inside", (1, np.inf)),
                "omega1": Part("qvel", 1, 1), "omega2": Part("qvel", 2, 1)}

    def judge(self, before, now, effort):
        distance = 0.01 * (now.x * now.x) + (now.y - 2) ** 2
        velocity = 1e-3 * (now.omega1 * now.omega1) + 5e-3 * (now.omega2 * now.omega2)
        alive = self.healthy_reward * now.healthy
        return alive - distance - velocity, now.healthy, {"reward_survive": alive, "distance_penalty": -distance,
                                                      "velocity_penalty": -velocity}

    def start(self, random):
        return self._uniform_start(random, normal_velocity=True)


class Reacher(Task):
    xml_file = "reacher.xml"
    frame_skip = 2
    max_episode_steps = 50
    options = dict(reward_dist_weight=1, reward_control_weight=1)

    def observe(self):
        return [Part("qpos", 0, 2, "cos"), Part("qpos", 0, 2, "sin"), Part("qpos", 2), Part("qvel", 0, 2),
                self._difference("weighted", "fingertip", "target", 2)]

    def measure(self):
        return {"apart": self._difference("length", "fingertip", "target")}

    def judge(self, before, now, effort):
        distance = -self.reward_dist_weight * now.apart
        control = -self.reward_control_weight * effort
        return distance + control, None, {"reward_dist": distance, "reward_ctrl": control}

    def start(self, random):
        qpos = random.uniform(-0.1, 0.1, self.model.nq) + self.start_qpos
        while True:
            goal = random.uniform(-0.2, 0.2, 2)
            if np.linalg.norm(goal) < 0.2:
                break
        qpos[-2:] = goal
        qvel = self.start_qvel + random.uniform(-0.005, 0.005, self.model.nv)
        qvel[-2:] = 0
        return qpos, qvel


class Pusher(Task):
    xml_file = "pusher_v5.xml"
    max_episode_steps = 100
    options = dict(reward_near_weight=0.5, reward_dist_weight=1, reward_control_weight=0.1)

    def observe(self):
        bodies = [self._id(sinew.mjtObj.mjOBJ_BODY, name) for name in ("tips_arm", "object", "goal")]
        return [Part("qpos", 0, 7), Part("qvel", 0, 7)] + [Part("xpos", 3 * body, 3) for body in bodies]

    def measure(self):
        return {"near": self._difference("length", "object", "tips_arm"),
                "apart": self._difference("length", "object", "goal")}

    def judge(self, before, now, effort):
        near = -self.reward_near_weight * now.near
        distance = -self.reward_dist_weight * now.apart
        control = -self.reward_control_weight * effort
        return distance + control + near, None, {"reward_dist": distance, "reward_ctrl": control, "reward_near": near}

    def start(self, random):
        qpos = self.start_qpos.copy()
        while True:
            place = np.array([random.uniform(-0.3, 0), random.uniform(-0.2, 0.2)])
            if np.linalg.norm(place) > 0.17:
                break
        qpos[-4:-2], qpos[-2:] = place, 0
        qvel = self.start_qvel + random.uniform(-0.005, 0.005, self.model.nv)
        qvel[-4:] = 0
        return qpos, qvel


TASKS = {task.__name__: task for task in (
    HalfCheetah, Hopper, Walker2d, Ant, Humanoid, Swimmer, Reacher, Pusher, InvertedPendulum, InvertedDoublePendulum,
    HumanoidStandup)}
