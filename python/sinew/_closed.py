"""Derivatives of a step by parameters of the model in closed form (docs/derivatives.md).

The acceleration a that forward dynamics finds and the one i that the integrator takes, v+ = v + h i, obey

    M a + c = f + J' e(J a - aref)    and    W i = M a,    W = M - h dF/dv (what the integrator takes of it),

with f the passive, actuator and applied forces and e those of the constraints. By a parameter p, the active constraints held fixed,

    (M + J' e' J) da = d_p(f + J' e) - d_p(M a + c)    and    W di = M da + d_p(M (a - i) + h dF/dv i),

where d_p is the derivative at fixed state and accelerations. Parameters enter there linearly or as plain products: the inertia of a
body through the acceleration of its centre of mass, the others through one joint, tendon or actuator. The weights of constraints
come from inertias at qpos0, which the compiler computes: how they change is the one thing that is differenced.
"""

import copy

import numpy as np

from sinew import _core
from sinew._enums import (mjtBias, mjtConstraint, mjtConstraintState, mjtDisableBit, mjtDyn, mjtGain, mjtIntegrator, mjtJoint, mjtObj,
                          mjtState, mjtTrn)

_STATE = int(mjtState.mjSTATE_INTEGRATION)
_EULER, _IMPLICIT, _FAST = (int(getattr(mjtIntegrator, "mjINT_" + name)) for name in ("EULER", "IMPLICIT", "IMPLICITFAST"))
_INERTIAL = ("body_mass", "body_inertia", "body_ipos", "dof_armature")
_WEIGHTS = ("body_invweight0", "dof_invweight0", "tendon_invweight0", "flexedge_invweight0")  # what weights of constraints come from


def _row(nnz, adr, colind, values, i, n):
    """A row of a sparse matrix."""
    part, row = slice(int(adr[i]), int(adr[i] + nnz[i])), np.zeros(n)
    row[np.ravel(colind)[part]] = np.ravel(values)[part]
    return row


class _State:
    """What closed forms need of one state: accelerations, and the matrices of the two equations above."""

    def __init__(self, model, data, state):
        self.model, self.data, nv, h = model, data, int(model.nv), model.opt.timestep
        self.integrator, self.disabled = int(model.opt.integrator), int(model.opt.disableflags)
        _core.mj_setState(model, data, state, _STATE)
        _core.mj_step(model, data)
        self.next_velocity, taken = data.qvel.copy(), np.ravel(data.qDeriv).copy()
        _core.mj_setState(model, data, state, _STATE)
        _core.mj_forward(model, data)
        self.a, self.v, self.H = data.qacc.copy(), data.qvel.copy(), np.zeros((nv, nv))
        finite = np.isfinite(self.next_velocity).all() and np.isfinite(self.a).all()
        self.known = (finite and self.integrator in (_EULER, _IMPLICIT, _FAST) and not model.nhistory
                      and not sum(warning.number for warning in data.warning)
                      and not _core.inverse_analytic(model, data, False, None, None, self.H))
        if not self.known:
            return
        _core.mj_rnePostConstraint(model, data)
        self.i, self.M = (self.next_velocity - self.v) / h, np.zeros((nv, nv))
        _core.mj_fullM(model, self.M, data.qM)
        self.damped = self.integrator != _EULER or not self.off("EULERDAMP")
        self.W = self.M - h * self._rate(taken)

    def off(self, name):
        return bool(self.disabled & int(getattr(mjtDisableBit, "mjDSBL_" + name)))

    def _rate(self, values):
        """dF/dv as the integrator has it."""
        model, nv = self.model, int(self.model.nv)
        if self.integrator == _EULER:
            return -np.diag(model.dof_damping) if self.damped and not self.off("DAMPER") else np.zeros((nv, nv))
        rate = np.zeros((nv, nv))
        for j in range(nv):
            rate[j] = _row(model.D_rownnz, model.D_rowadr, model.D_colind, values, j, nv)
        return rate if self.integrator == _IMPLICIT else np.tril(rate) + np.tril(rate, -1).T

    def next(self, force, matrix):
        """The change of the next state from d_p of the forces, and of M (a - i) + h dF/dv i: (nv, n) each."""
        model, h = self.model, self.model.opt.timestep
        velocity = h * np.linalg.solve(self.W, self.M @ np.linalg.solve(self.H, force) + matrix)
        position = h * velocity
        for kind, v in zip(model.jnt_type, model.jnt_dofadr):
            if kind in (int(mjtJoint.mjJNT_FREE), int(mjtJoint.mjJNT_BALL)):
                v = slice(v + 3, v + 6) if kind == int(mjtJoint.mjJNT_FREE) else slice(v, v + 3)
                turn = np.zeros(9)
                _core.mjd_quatIntegrate(self.next_velocity[v], h, np.zeros(9), turn, np.zeros(3))
                position[v] = h * turn.reshape(3, 3) @ velocity[v]
        return np.concatenate([position, velocity, np.zeros((int(model.na), force.shape[1]))])

    # each of the following gives d_p of the forces, and of M (a - i) + h dF/dv i, or None without a closed form

    def dof_damping(self, dof):
        force, matrix = np.zeros_like(self.a), np.zeros_like(self.a)
        if not self.off("DAMPER"):
            force[dof] = -self.v[dof]
            matrix[dof] = -self.model.opt.timestep * self.i[dof] if self.damped else 0
        return force, matrix

    def dof_armature(self, dof):
        force, matrix = np.zeros_like(self.a), np.zeros_like(self.a)
        force[dof], matrix[dof] = -self.a[dof], self.a[dof] - self.i[dof]
        return force, matrix

    def dof_frictionloss(self, dof):
        """Beyond the friction a dof slips, and the force is the loss; before, it does not depend on it."""
        if not self.model.dof_frictionloss[dof] > 0 or self.off("FRICTIONLOSS"):
            return None
        data, force = self.data, np.zeros_like(self.a)
        for row in np.flatnonzero(data.efc_type == int(mjtConstraint.mjCNSTR_FRICTION_DOF)):
            if data.efc_id[row] == dof:
                force[dof] = {int(mjtConstraintState.mjCNSTRSTATE_LINEARNEG): 1,
                              int(mjtConstraintState.mjCNSTRSTATE_LINEARPOS): -1}.get(int(data.efc_state[row]), 0)
        return force, 0 * force

    def jnt_stiffness(self, joint):
        model, force = self.model, np.zeros_like(self.a)
        q, v, kind = int(model.jnt_qposadr[joint]), int(model.jnt_dofadr[joint]), int(model.jnt_type[joint])
        at, rest = np.array(self.data.qpos), model.qpos_spring
        if self.off("SPRING"):
            return force, 0 * force
        if kind == int(mjtJoint.mjJNT_FREE):
            force[v : v + 3] = rest[q : q + 3] - at[q : q + 3]
            q, v = q + 3, v + 3
        if kind in (int(mjtJoint.mjJNT_FREE), int(mjtJoint.mjJNT_BALL)):
            turn = np.zeros(3)
            _core.mju_subQuat(turn, at[q : q + 4] / np.linalg.norm(at[q : q + 4]), rest[q : q + 4])
            force[v : v + 3] = -turn
        else:
            force[v] = rest[q] - at[q]
        return force, 0 * force

    def _tendon(self, tendon):
        model, data, nv = self.model, self.data, int(self.model.nv)
        if np.size(data.ten_J) == nv * int(model.ntendon):
            return np.reshape(data.ten_J, (-1, nv))[tendon]
        return _row(data.ten_J_rownnz, data.ten_J_rowadr, data.ten_J_colind, data.ten_J, tendon, nv)

    def tendon_stiffness(self, tendon):
        lower, upper = self.model.tendon_lengthspring[tendon]
        length = self.data.ten_length[tendon]
        force = 0 if self.off("SPRING") else max(0, lower - length) - max(0, length - upper)
        return force * self._tendon(tendon), 0 * self.a

    def tendon_damping(self, tendon):
        row, h = self._tendon(tendon), self.model.opt.timestep
        if self.off("DAMPER"):
            return 0 * row, 0 * row
        return -(row @ self.v) * row, -h * (row @ self.i) * row if self.integrator != _EULER else 0 * row

    def _actuator(self, i):
        """Gain and bias are affine: row of moments, input, parameters (gain, bias), whether the force follows them."""
        model, data = self.model, self.data
        gain, bias = int(model.actuator_gaintype[i]), int(model.actuator_biastype[i])
        plain = gain in (int(mjtGain.mjGAIN_FIXED), int(mjtGain.mjGAIN_AFFINE))
        if not plain or bias not in (int(mjtBias.mjBIAS_NONE), int(mjtBias.mjBIAS_AFFINE)):
            return None
        direct = int(model.actuator_dyntype[i]) == int(mjtDyn.mjDYN_NONE)
        if model.actuator_actearly[i] or (not direct and model.actuator_actnum[i] != 1):
            return None
        row = _row(data.moment_rownnz, data.moment_rowadr, data.moment_colind, data.actuator_moment, i, int(model.nv))
        low, high = model.actuator_ctrlrange[i]
        clamped = direct and model.actuator_ctrllimited[i] and not self.off("CLAMPCTRL")
        value = data.ctrl[i] if direct else data.act[model.actuator_actadr[i]]
        low_force, high_force = model.actuator_forcerange[i]
        force = data.actuator_force[i]
        follows = not (model.actuator_forcelimited[i] and not low_force < force < high_force)
        if int(model.opt.disableactuator) & 1 << max(int(model.actuator_group[i]), 0) or (self.integrator != _EULER and not follows):
            return None
        return row, np.clip(value, low, high) if clamped else value, follows

    def _actuator_term(self, i, column, factor, used):
        """The force changes by factor (1, length, velocity)[column]."""
        row, _, follows = self._actuator(i)
        if column > 2 or column > used or not follows:
            return 0 * row, 0 * row
        by = (1, self.data.actuator_length[i], self.data.actuator_velocity[i])[column]
        rate = self.model.opt.timestep * factor * (row @ self.i) if column == 2 and self.integrator != _EULER else 0
        return factor * by * row, rate * row

    def actuator_gainprm(self, i, column):
        found = self._actuator(i)
        affine = int(self.model.actuator_gaintype[i]) == int(mjtGain.mjGAIN_AFFINE)
        return found and self._actuator_term(i, column, found[1], 2 if affine else 0)

    def actuator_biasprm(self, i, column):
        affine = int(self.model.actuator_biastype[i]) == int(mjtBias.mjBIAS_AFFINE)
        return self._actuator(i) and self._actuator_term(i, column, 1, 2 if affine else -1)

    def actuator_gear(self, i, column):
        """Length, velocity and moment are proportional to it."""
        model, found, gear = self.model, self._actuator(i), self.model.actuator_gear[i, 0]
        kind, target = int(model.actuator_trntype[i]), int(model.actuator_trnid[i, 0])
        joint = kind == int(mjtTrn.mjTRN_JOINT) and model.jnt_type[target] in (int(mjtJoint.mjJNT_HINGE), int(mjtJoint.mjJNT_SLIDE))
        if found is None or gear == 0 or not (joint or kind == int(mjtTrn.mjTRN_TENDON)):
            return None
        row, value, follows = found
        if column:
            return 0 * row, 0 * row
        slope = follows * self._slope(i, value)
        change = self.data.actuator_force[i] + slope[1] * self.data.actuator_length[i] + slope[2] * self.data.actuator_velocity[i]
        rate = 2 * model.opt.timestep * slope[2] * (row @ self.i) if self.integrator != _EULER else 0
        return change / gear * row, rate / gear * row

    def _slope(self, i, value):
        """Of the force by (nothing, length, velocity)."""
        model, slope = self.model, np.zeros(3)
        if int(model.actuator_gaintype[i]) == int(mjtGain.mjGAIN_AFFINE):
            slope += value * model.actuator_gainprm[i, :3]
        if int(model.actuator_biastype[i]) == int(mjtBias.mjBIAS_AFFINE):
            slope += model.actuator_biasprm[i, :3]
        return slope

    def opt_gravity(self, axis):
        model, force, jac = self.model, np.zeros_like(self.a), np.zeros((3, int(self.model.nv)))
        if np.any(model.body_gravcomp):
            return None
        for body in range(1, 0 if self.off("GRAVITY") else int(model.nbody)):
            _core.mj_jacBodyCom(model, self.data, jac, None, body)
            force += model.body_mass[body] * jac[axis]
        return force, 0 * force

    # inertias: d_p(M a + c) of one body from the accelerations of its centre of mass, less gravity

    def _body(self, body):
        """Jacobians of the centre of mass, its acceleration less gravity and that of the rotation, its velocity."""
        model, data, nv = self.model, self.data, int(self.model.nv)
        if (model.body_gravcomp[body] != 0 or model.opt.density != 0 or model.opt.viscosity != 0 or self.integrator == _IMPLICIT
                or np.any(model.actuator_gaintype > int(mjtGain.mjGAIN_AFFINE)) or np.any(model.tendon_armature)):
            return None  # these forces, the implicit matrix and muscles depend on inertias too
        jacp, jacr, rates = np.zeros((3, nv)), np.zeros((3, nv)), np.zeros(6)
        _core.mj_jacBodyCom(model, data, jacp, jacr, body)
        _core.mj_objectAcceleration(model, data, int(mjtObj.mjOBJ_BODY), body, rates, 0)
        return jacp, jacr, rates[3:].copy(), rates[:3].copy(), np.array(data.cvel[body, :3])

    def _inertia(self, body, by):
        """by(acceleration, of the rotation, angular velocity) -> force, torque: what d_p adds to M a + c."""
        jacp, jacr, linear, angular, turn = self._body(body)
        force, torque = by(linear, angular, turn)
        rest = self.a - self.i
        force2, torque2 = by(jacp @ rest, jacr @ rest, np.zeros(3))
        return -(force @ jacp + torque @ jacr), force2 @ jacp + torque2 @ jacr

    def body_mass(self, body):
        return self._body(body) and self._inertia(body, lambda a, alpha, omega: (a, np.zeros(3)))

    def body_inertia(self, body, axis):
        frame = np.array(self.data.ximat[body]).reshape(3, 3)

        def torque(a, alpha, omega):
            moment = np.zeros(3)
            moment[axis] = frame[:, axis] @ omega
            turning = np.cross(frame.T @ omega, moment)
            turning[axis] += frame[:, axis] @ alpha
            return np.zeros(3), frame @ turning

        return self._body(body) and self._inertia(body, torque)

    def body_ipos(self, body, axis):
        mass, shift = self.model.body_mass[body], np.array(self.data.xmat[body]).reshape(3, 3)[:, axis]
        applied = np.array(self.data.xfrc_applied[body, :3])  # at the centre of mass

        def wrench(a, alpha, omega):
            return mass * (np.cross(alpha, shift) + np.cross(omega, np.cross(omega, shift))), mass * np.cross(shift, a)

        found = self._body(body)
        if found is None:
            return None
        force, matrix = self._inertia(body, wrench)
        return force + np.cross(shift, applied) @ found[1], matrix


class ClosedForms:
    """Derivatives of the next state by parameters, in closed form where there is one.

    They are taken at the model's own values, or at those that `set` was given, which go to a copy of the model.
    """

    def __init__(self, model, parameters):
        self.model, self.parameters = model, parameters
        self._given, self._pair = model, None
        self._data, self._weights = _core.MjData(model), {}

    def set(self, values):
        """Other values of the parameters, (size,)."""
        if self.model is self._given:
            self.model = copy.deepcopy(self._given)
            self._data = _core.MjData(self.model)
        self.parameters.write(self.model, values)
        self._weights = {}

    def __call__(self, state):
        """D, (2 nv + na, size), at a state with the signature mjSTATE_INTEGRATION, and which of its columns are known."""
        model, size, nv = self.model, self.parameters.size, int(self.model.nv)
        force, matrix, known = np.zeros((nv, size)), np.zeros((nv, size)), np.zeros(size, bool)
        here = _State(model, self._data, state)
        for column, terms in enumerate(self.parameters.terms() if here.known else []):
            known[column] = self._add(here, terms, force[:, column], matrix[:, column])
            if known[column] and self._data.nefc and any(field in _INERTIAL for field, _, _ in terms):
                known[column] = self._add_weights(here, column, state, force[:, column])
        if not known.any():
            return np.zeros((2 * nv + int(model.na), size)), known
        D = here.next(force, matrix)
        known &= np.isfinite(D).all(axis=0)
        D[:, ~known] = 0
        return D, known

    @staticmethod
    def _add(here, terms, force, matrix):
        for field, cell, weight in terms:
            form = getattr(here, field, None)
            found = form(*cell) if form else None
            if found is None:
                return False
            force += weight * found[0]
            matrix += weight * found[1]
        return True

    def _weight_rates(self, column):
        """How the weights of bodies, dofs, tendons and edges at qpos0 change with a parameter."""
        if column not in self._weights:
            values, step = self.parameters.values(self.model), np.zeros(self.parameters.size)
            step[column] = 1e-5 * (abs(values[column]) or 1)
            if self._pair is None:
                self._pair = [(model, _core.MjData(model)) for model in (copy.deepcopy(self.model), copy.deepcopy(self.model))]
            found = []
            for (model, _), sign in zip(self._pair, (1, -1)):
                self.parameters.write(model, values + sign * step)
                found.append([np.array(getattr(model, field)) for field in _WEIGHTS])
                self.parameters.write(model, values)
            self._weights[column] = 2 * step[column], found
        return self._weights[column]

    def _add_weights(self, here, column, state, force):
        """Forces of constraints change in proportion to their weights, but for friction at its limit."""
        span, found = self._weight_rates(column)
        for (model, data), weights in zip(self._pair, found):
            for field, value in zip(_WEIGHTS, weights):
                getattr(model, field)[...] = value
            _core.mj_setState(model, data, state, _STATE)
            _core.mj_fwdPosition(model, data)
            if data.nefc != here.data.nefc:
                return False
        data, (up, down) = here.data, (data for _, data in self._pair)
        scaled = np.isin(data.efc_state, (int(mjtConstraintState.mjCNSTRSTATE_QUADRATIC), int(mjtConstraintState.mjCNSTRSTATE_CONE)))
        change = (up.efc_D - down.efc_D) / (span * data.efc_D)
        joint = np.zeros(len(force))
        _core.mj_mulJacTVec(self.model, data, joint, np.where(scaled, data.efc_force * change, 0.0))
        force += joint
        return True
