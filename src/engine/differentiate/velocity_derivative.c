// Velocity derivatives of the smooth forces, on the pattern of related dofs.
//
// The contributions of bodies are summed over subtrees first, as the composite inertia is: a pair
// of related dofs then needs one product with the composite of the deeper one.
//
// Bias. For a dof p let w_p be the velocity of its body just after its joint, and
//   e_p = cdof_dot_p + w_p x cdof_p.
// The bias acceleration of a body b below p has the derivative e_p - v_b x cdof_p, and its force
//   I_b (e_p - v_b x cdof_p) + v_b x* (I_b cdof_p) + cdof_p x* (I_b v_b) = I_b e_p + K_b cdof_p.
// With v = (w, u), I = (J, c, m), I v = (t, f), the terms in the linear half of cdof_p cancel:
//   K = [ [w]J + ([w]J)' - u c' - c u' + 2 (u.c) 1 - [t]   0 ]
//       [ -2 [f]                                           0 ]

#include "engine/differentiate/velocity_derivative.h"

#include "base/arena.h"
#include "base/assert.h"
#include "base/misuse.h"
#include "engine/actuate/actuation.h"
#include "engine/actuate/hill.h"
#include "engine/actuate/law.h"
#include "engine/actuate/muscle.h"
#include "engine/flex/flex.h"
#include "engine/smooth/capstan.h"
#include "engine/smooth/fluid.h"
#include "engine/smooth/force.h"
#include "engine/smooth/tendon.h"
#include "engine/step/sleep.h"
#include "math/math.h"
#include "math/sparse.h"
#include "model/object_types.h"
#include "sinew/derivatives.h"

#define MINVAL ((snReal)snMINVAL)

// ---- entries of the pattern

// index of entry (row, column) of related dofs; descendants follow their ancestor without gaps
static int entry(const snModel* m, int row, int column) {
  int adr = m->D_rowadr[row], n = m->D_rownnz[row];
  const int* colind = m->D_colind + adr;
  int guess = m->D_diag[row] + column - row;
  if (guess >= 0 && guess < n && colind[guess] == column) return adr + guess;
  return adr + sn_findIndex(colind, n, column);
}

// full += scale J'J on all pairs
static void addOuterFull(int nv, snReal* full, const snReal* J, const int* colind, int nnz,
                         snReal scale) {
  for (int k = 0; k < nnz; k++) {
    snReal* row = full + (size_t)nv * (colind ? colind[k] : k);
    snReal factor = scale * J[k];
    for (int q = 0; q < nnz; q++) row[colind ? colind[q] : q] += factor * J[q];
  }
}

// qDeriv += scale J'J for a row J (colind NULL: dense), on related pairs only; or full += scale J'J,
// which is not for teams
static void addOuter(const snModel* m, snData* d, const snReal* J, const int* colind, int nnz,
                     snReal scale, snReal* full) {
  if (full) {
    addOuterFull((int)m->nv, full, J, colind, nnz, scale);
    return;
  }
  SN_FOR(k, nnz) {
    if (J[k] == 0) continue;
    int row = colind ? colind[k] : k, adr = m->D_rowadr[row], num = m->D_rownnz[row];
    const int* related = m->D_colind + adr;
    snReal factor = scale * J[k];
    for (int p = 0, q = 0; p < num && q < nnz; p++) {
      if (!colind) {
        d->qDeriv[adr + p] += factor * J[related[p]];
        continue;
      }
      while (q < nnz && colind[q] < related[p]) q++;
      if (q < nnz && colind[q] == related[p]) d->qDeriv[adr + p] += factor * J[q];
    }
  }
  SN_SYNC();
}

// ---- actuators

// slope of a callback: the program's own, or a difference; a GPU has none
static snReal userSlope(const snModel* m, snData* d, int i, snfAct value, snfAct slope) {
#ifdef __CUDACC__
  (void)m, (void)d, (void)i, (void)value, (void)slope;
  return 0;
#else
  return slope ? slope(m, d, i) : value ? sn_callbackSlope(m, d, i, value) : 0;
#endif
}

// derivative of the gain by the velocity
static snReal gainSlope(const snModel* m, snData* d, int i) {
  const snCallbacks* call = &d->callback;
  const snReal* prm = m->actuator_gainprm + snNGAIN * i;
  snActuatorForce law;
  switch (m->actuator_gaintype[i]) {
    case snGAIN_AFFINE: return prm[2];
    case snGAIN_MUSCLE:
      return sn_muscleGainVel(d->actuator_length[i], d->actuator_velocity[i],
                              m->actuator_lengthrange + 2 * i, m->actuator_acc0[i], prm);
    case snGAIN_HILL: return sn_hillGainVel(m, d, i);
    case snGAIN_USER: return userSlope(m, d, i, call->act_gain, call->act_gain_vel);
    case snGAIN_MODEL: sn_actuatorLaw(m, d, i, 1, &law); return law.gain_velocity;
    default: return 0;
  }
}

static snReal biasSlope(const snModel* m, snData* d, int i) {
  const snCallbacks* call = &d->callback;
  snActuatorForce law;
  switch (m->actuator_biastype[i]) {
    case snBIAS_AFFINE: return m->actuator_biasprm[snNBIAS * i + 2];
    case snBIAS_HILL: return sn_hillBiasVel(m, d, i);
    case snBIAS_USER: return userSlope(m, d, i, call->act_bias, call->act_bias_vel);
    case snBIAS_MODEL: sn_actuatorLaw(m, d, i, 1, &law); return law.bias_velocity;
    default: return 0;
  }
}

// d(force)/d(velocity) of an actuator
static snReal actuatorSlope(const snModel* m, snData* d, int i) {
  snReal slope = biasSlope(m, d, i), gain = gainSlope(m, d, i);
  if (gain != 0) slope += gain * sn_actuatorInput(m, d, i, d->ctrl[i]);
  return slope;
}

// the same, zero where the actuator does not act or has reached its limit
static snReal actingSlope(const snModel* m, snData* d, int i, int asleep) {
  if (sn_actuatorDisabled(m, i)) return 0;
  if (asleep && sn_sleepState(m, d, snOBJ_ACTUATOR, i) == snS_ASLEEP) return 0;
  const snReal* range = m->actuator_forcerange + 2 * i;
  snReal force = d->actuator_force[i];
  if (m->actuator_forcelimited[i] && (force <= range[0] || force >= range[1])) return 0;
  return actuatorSlope(m, d, i);
}

// What a lane knows of an actuator before slopes are added: one that moves a single dof concerns the diagonal.
typedef struct Slope_ {
  snReal slope;
  snReal diagonal;  // J^2 times the slope
  int dof;          // -1: it moves several
} Slope;

static Slope slopeOf(const snModel* m, snData* d, int i, int asleep) {
  Slope found = {actingSlope(m, d, i, asleep), 0, -1};
  int adr = d->moment_rowadr[i];
  if (found.slope == 0 || d->moment_rownnz[i] != 1) return found;
  snReal J = d->actuator_moment[adr], factor = found.slope * J;
  if (J == 0) found.slope = 0;
  found.diagonal = factor * J;
  found.dof = d->moment_colind[adr];
  return found;
}

static Slope slopeFrom(const Slope* own, int lane) {
  Slope found = {sn_teamFrom(own->slope, lane), sn_teamFrom(own->diagonal, lane),
                 sn_teamFromInt(own->dof, lane)};
  return found;
}

// Does a callback stand for a law? The first lane calls it: differences move the velocities.
static int isCallback(const snModel* m, int i) {
  return m->actuator_gaintype[i] == snGAIN_USER || m->actuator_biastype[i] == snBIAS_USER;
}

// Slopes of as many actuators as there are lanes, from `first` on: each lane gets that of its own.
static Slope shareSlopes(const snModel* m, snData* d, int first, int asleep) {
  Slope own = {0, 0, -1};
  int i = first + SN_LANE, inside = i < (int)m->nu, calls = inside && isCallback(m, i);
  if (inside && !calls) own = slopeOf(m, d, i, asleep);
  for (int lane = 0; sn_teamAny(calls && lane <= SN_LANE); lane++) {
    Slope called = {0, 0, -1};
    SN_SYNC();
    SN_ONE {
      if (isCallback(m, first + lane)) called = slopeOf(m, d, first + lane, asleep);
    }
    SN_SYNC();
    called = slopeFrom(&called, 0);
    if (calls && lane == SN_LANE) own = called;
  }
  return own;
}

// qDeriv += slope J'J of one actuator; what concerns the diagonal alone is added by the lane that owns the dof
static void addSlope(const snModel* m, snData* d, int i, Slope found, snReal* full) {
  int adr = d->moment_rowadr[i];
  if (found.slope == 0) return;
  if (found.dof >= 0 && !full) {
    int own = (found.dof & (SN_LANES - 1)) == SN_LANE;
    if (own) d->qDeriv[m->D_rowadr[found.dof] + m->D_diag[found.dof]] += found.diagonal;
    return;
  }
  SN_SYNC();
  addOuter(m, d, d->actuator_moment + adr, d->moment_colind + adr, d->moment_rownnz[i], found.slope,
           full);
}

// actuator by actuator, whoever finds their slopes
static void actuatorDerivative(const snModel* m, snData* d, snReal* full) {
  if (!m->nu || (m->opt.disableflags & snDSBL_ACTUATION)) return;
  int asleep = sn_someAsleep(m, d), lanes = SN_LANES;
  for (int first = 0; first < (int)m->nu; first += lanes) {
    Slope own = shareSlopes(m, d, first, asleep);
    if (!sn_teamAny(own.slope != 0)) continue;
    for (int k = 0; k < lanes && first + k < (int)m->nu; k++) {
      addSlope(m, d, first + k, slopeFrom(&own, k), full);
    }
  }
  SN_SYNC();
}

// ---- friction of tendons

// matrix += scale u w', on related pairs or all of them
static void addProduct(const snModel* m, snData* d, const snReal* u, const snReal* w, snReal scale,
                       snReal* full) {
  int nv = (int)m->nv;
  for (int i = 0; i < nv; i++) {
    snReal factor = scale * u[i];
    if (factor == 0) continue;
    if (full) {
      snu_addToScl(full + (size_t)nv * i, w, factor, nv);
      continue;
    }
    int adr = m->D_rowadr[i];
    for (int k = adr; k < adr + m->D_rownnz[i]; k++) d->qDeriv[k] += factor * w[m->D_colind[k]];
  }
}

// d(tension) / d(rate of the tendon): dampers pull, and so do actuators
static snReal tensionSlope(const snModel* m, snData* d, int tendon, int actuators) {
  snReal slope = m->opt.disableflags & snDSBL_DAMPER ? 0 : m->tendon_damping[tendon];
  for (int i = 0; actuators && i < (int)m->nu; i++) {
    snReal gear = m->actuator_gear[6 * i];
    if (m->actuator_trntype[i] == snTRN_TENDON && m->actuator_trnid[2 * i] == tendon) {
      slope -= gear * gear * actingSlope(m, d, i, sn_someAsleep(m, d));
    }
  }
  return slope;
}

// F = -T sum of (r_c - 1) Z_c: the tension moves with the tendon's rate, and r_c with the rates behind the
// capstans before it
static void capstanDerivative(const snModel* m, snData* d, int actuators, snReal* full) {
  int nv = (int)m->nv;
  snCapstans c;
  actuators = actuators && m->nu && !(m->opt.disableflags & snDSBL_ACTUATION);
  for (int first = 0; first < (int)m->ncapstan; first += c.count) {
    sn_markStack(d);
    snReal* row = SN_STACK(d, snReal, 2 * nv + 1);
    if (!row || !sn_capstans(m, d, first, &c)) {
      sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
      sn_freeStack(d);
      return;
    }
    int tendon = m->capstan_tendon[first];
    snReal tension = sn_tension(m, d, tendon, actuators), *behind = row + nv;
    if (tension > 0) {
      snu_zero(row, 2 * nv);
      for (int z = 0; z <= c.count; z++) snu_addTo(row, c.zone + z * nv, nv);
      snReal slope = tensionSlope(m, d, tendon, actuators);
      for (int z = 1; z <= c.count; z++) {
        addProduct(m, d, c.zone + z * nv, row, -slope * (c.ratio[z] - 1), full);
      }
      for (int k = c.count - 1; k >= 0; k--) {
        snu_addTo(behind, c.zone + (k + 1) * nv, nv);
        for (int z = k + 1; z <= c.count; z++) {
          addProduct(m, d, c.zone + z * nv, behind, -tension * c.ratio[z] * c.slope[k], full);
        }
      }
    }
    sn_freeStack(d);
  }
}

// ---- dampers

// damping of an edge of a flex, of which it is edge e
static snReal edgeDamping(const snModel* m, int flex, int e) {
  return m->flexedge_rigid[e] ? 0 : m->flex_edgedamping[flex];
}

static void edgeDampersFull(const snModel* m, snData* d, snReal* full) {
  for (int flex = 0; flex < (int)m->nflex; flex++) {
    int first = m->flex_edgeadr[flex], last = first + m->flex_edgenum[flex];
    if (m->flex_edgedamping[flex] == 0 || m->flex_rigid[flex]) continue;
    for (int e = first; e < last; e++) {
      int adr = m->flexedge_J_rowadr[e];
      addOuter(m, d, d->flexedge_J + adr, m->flexedge_J_colind + adr, m->flexedge_J_rownnz[e],
               -edgeDamping(m, flex, e), full);
    }
  }
}

// one row of the result: a dof collects from the edges that it moves
static void dofDampers(const snModel* m, snData* d, int dof) {
  int adr = m->D_rowadr[dof], num = m->D_rownnz[dof], flex = 0;
  const int *related = m->D_colind + adr,
            *list = m->flexedge_JT_colind + m->flexedge_JT_rowadr[dof];
  const int* place = m->flexedge_JT_place + m->flexedge_JT_rowadr[dof];
  for (int k = 0; k < m->flexedge_JT_rownnz[dof]; k++) {
    int e = list[k], row = m->flexedge_J_rowadr[e], nnz = m->flexedge_J_rownnz[e];
    while (e >= m->flex_edgeadr[flex] + m->flex_edgenum[flex]) flex++;
    const int* column = m->flexedge_J_colind + row;
    snReal factor = -edgeDamping(m, flex, e) * d->flexedge_J[place[k]];
    for (int p = 0, q = 0; factor != 0 && p < num; p++) {
      while (q < nnz && column[q] < related[p]) q++;
      if (q == nnz) break;
      if (column[q] == related[p]) d->qDeriv[adr + p] += factor * d->flexedge_J[row + q];
    }
  }
}

// Whether the dof is the first of three sliders that carry a vertex and nothing else: edges that have one of
// them in their rows have all three, side by side.
static int carriesVertex(const snModel* m, int dof) {
  int body = m->dof_bodyid[dof];
  return m->body_simple[body] == 2 && m->body_dofnum[body] == 3 && m->body_dofadr[body] == dof &&
         m->D_rownnz[dof] == 3 && m->D_rowadr[dof + 2] == m->D_rowadr[dof] + 6;
}

// three rows at once, with the sums of dofDampers
static void vertexDampers(const snModel* m, snData* d, int dof) {
  const int* list = m->flexedge_JT_colind + m->flexedge_JT_rowadr[dof];
  const int* place = m->flexedge_JT_place + m->flexedge_JT_rowadr[dof];
  int count = m->flexedge_JT_rownnz[dof], flex = 0;
  snReal *block = d->qDeriv + m->D_rowadr[dof], sum[9];
  for (int k = 0; k < 9; k++) sum[k] = block[k];
  for (int k = 0; k < count; k++) {
    while (list[k] >= m->flex_edgeadr[flex] + m->flex_edgenum[flex]) flex++;
    const snReal* J = d->flexedge_J + place[k];
    snReal damping = -edgeDamping(m, flex, list[k]);
    if (damping == 0) continue;
    for (int r = 0; r < 3; r++) {
      snReal factor = damping * J[r];
      for (int c = 0; c < 3; c++) sum[3 * r + c] += factor * J[c];
    }
  }
  for (int k = 0; k < 9; k++) block[k] = sum[k];
}

// qDeriv -= b J'J of all edges, by rows of the result
static void edgeDampers(const snModel* m, snData* d) {
  int some = 0, one = SN_LANES == 1;
  for (int flex = 0; flex < (int)m->nflex; flex++) some |= m->flex_edgedamping[flex] != 0;
  if (!some) return;
  SN_FOR(dof, m->nv) {
    if (!m->flexedge_JT_rownnz[dof]) continue;
    if (one && carriesVertex(m, dof)) {
      vertexDampers(m, d, dof);
      dof += 2;
    } else {
      dofDampers(m, d, dof);
    }
  }
  SN_SYNC();
}

static void damperDerivative(const snModel* m, snData* d, snReal* full) {
  int asleep = sn_someAsleep(m, d);
  SN_FOR(i, d->nv_awake) {
    int dof = d->dof_awake_ind[i];
    d->qDeriv[m->D_rowadr[dof] + m->D_diag[dof]] -= m->dof_damping[dof];
  }
  SN_SYNC();
  if (m->nflex && full) {
    edgeDampersFull(m, d, full);
  } else if (m->nflex) {
    edgeDampers(m, d);
  }
  for (int i = 0; i < (int)m->ntendon; i++) {
    if (m->tendon_damping[i] == 0) continue;
    if (asleep && sn_sleepState(m, d, snOBJ_TENDON, i) == snS_ASLEEP) continue;
    const int* colind;
    int nnz;
    const snReal* J = sn_tendonRow(m, d, i, &colind, &nnz);
    addOuter(m, d, J, colind, nnz, -m->tendon_damping[i], full);
  }
}

// ---- fluid

// G += S'(R B R')S: a derivative in local axes at pos, moved to the com of the tree
static void addAtCom(snReal G[36], const snReal B[36], const snReal mat[9], const snReal pos[3],
                     const snReal com[3]) {
  snReal T[36], block[9], part[9], arm[3];
  for (int r = 0; r < 6; r += 3) {
    for (int c = 0; c < 6; c += 3) {
      for (int k = 0; k < 9; k++) block[k] = B[6 * (r + k / 3) + c + k % 3];
      sn_mulMatMat3(part, mat, block);
      sn_mulMatMatT3(block, part, mat);
      for (int k = 0; k < 9; k++) T[6 * (r + k / 3) + c + k % 3] = block[k];
    }
  }
  snu_sub3(arm, pos, com);

  // velocity of the point is v + w x arm: rows of T in linear columns turn into angular ones
  for (int r = 0; r < 6; r++) {
    snReal turned[3];
    snu_cross(turned, arm, T + 6 * r + 3);
    snu_addTo3(T + 6 * r, turned);
  }
  // torque at the com is torque + arm x force
  for (int c = 0; c < 6; c++) {
    snReal force[3] = {T[18 + c], T[24 + c], T[30 + c]}, torque[3];
    snu_cross(torque, arm, force);
    for (int r = 0; r < 3; r++) T[6 * r + c] += torque[r];
  }
  for (int k = 0; k < 36; k++) G[k] += T[k];
}

static void symmetrize6(snReal B[36]) {
  for (int r = 0; r < 6; r++) {
    for (int c = 0; c < r; c++) {
      B[6 * r + c] = B[6 * c + r] = (snReal)0.5 * (B[6 * r + c] + B[6 * c + r]);
    }
  }
}

void sn_bodyFluidDerivative(const snModel* m, const snData* d, int body, snReal G[36]) {
  SN_ASSERT_INDEX(body, m->nbody);
  const snReal* com = d->subtree_com + 3 * m->body_rootid[body];
  snReal lvel[6], B[36];
  if (!sn_usesEllipsoids(m, body)) {
    snReal box[3];
    sn_inertiaBox(m, body, box);
    sn_velocityInFluid(m, d, snOBJ_BODY, body, lvel);
    sn_inertiaBoxDerivative(m, box, lvel, B);
    addAtCom(G, B, d->ximat + 9 * body, d->xipos + 3 * body, com);
    return;
  }
  int first = m->body_geomadr[body];
  for (int geom = first; geom < first + m->body_geomnum[body]; geom++) {
    if (m->geom_fluid[snNFLUID * geom] == 0) continue;
    sn_velocityInFluid(m, d, snOBJ_GEOM, geom, lvel);
    sn_ellipsoidDerivative(m, geom, lvel, B);
    if (m->opt.integrator == snINT_IMPLICITFAST) symmetrize6(B);
    addAtCom(G, B, d->geom_xmat + 9 * geom, d->geom_xpos + 3 * geom, com);
  }
}

// qDeriv(i,j) += cdof_i' G cdof_j with the composite G of the deeper dof
static void addComposite(const snModel* m, snData* d, const snReal* composite) {
  SN_FOR(k, d->nv_awake) {
    int i = d->dof_awake_ind[k];
    const snReal *G = composite + 36 * m->dof_bodyid[i], *cdof = d->cdof + 6 * i;
    snReal right[6], left[6] = {0, 0, 0, 0, 0, 0};
    for (int r = 0; r < 6; r++) {
      right[r] = sn_dot6(G + 6 * r, cdof);
      sn_addToScl6(left, G + 6 * r, cdof[r]);
    }
    d->qDeriv[m->D_rowadr[i] + m->D_diag[i]] += sn_dot6(cdof, right);
    int adr = m->D_rowadr[i] + m->D_diag[i] - 1;
    for (int j = m->dof_parentid[i]; j >= 0; j = m->dof_parentid[j], adr--) {
      d->qDeriv[adr] += sn_dot6(left, d->cdof + 6 * j);
      d->qDeriv[entry(m, j, i)] += sn_dot6(d->cdof + 6 * j, right);
    }
  }
  SN_SYNC();
}

static void fluidDerivative(const snModel* m, snData* d) {
  sn_markStack(d);
  snReal* composite = SN_STACK(d, snReal, 36 * m->nbody);
  if (!composite) {
    sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
    sn_freeStack(d);
    return;
  }
  sn_zeroShared(composite, 36 * (int)m->nbody);
  SN_SYNC();
  if (SN_LANES > 1) {
    SN_FOR(i, d->nbody_awake) {
      int body = d->body_awake_ind[i];
      if (body && m->body_mass[body] >= MINVAL) {
        sn_bodyFluidDerivative(m, d, body, composite + 36 * body);
      }
    }
    SN_SYNC();
    sn_sumSubtrees(m, composite, 36, d->nbody_awake, d->body_awake_ind);
  }
  for (int i = d->nbody_awake - 1; i > 0 && SN_LANES == 1; i--) {
    int body = d->body_awake_ind[i], parent = m->body_parentid[body];
    snReal* G = composite + 36 * body;
    if (m->body_mass[body] >= MINVAL) sn_bodyFluidDerivative(m, d, body, G);
    if (parent > 0) snu_addTo(composite + 36 * parent, G, 36);
  }
  addComposite(m, d, composite);
  sn_freeStack(d);
}

// ---- bias

void sn_biasMatrix(const snReal inert[10], const snReal vel[6], snReal K[12]) {
  const snReal *w = vel, *u = vel + 3, *c = inert + 6;
  snReal J[9] = {inert[0], inert[3], inert[4], inert[3], inert[1],
                 inert[5], inert[4], inert[5], inert[2]};
  snReal W[9] = {0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0}, WJ[9], momentum[6];
  sn_mulMatMat3(WJ, W, J);
  sn_mulInertVec(momentum, inert, vel);
  snReal T[9] = {
      0, -momentum[2], momentum[1], momentum[2], 0, -momentum[0], -momentum[1], momentum[0], 0};
  snReal diagonal = 2 * snu_dot3(u, c);
  for (int r = 0; r < 3; r++) {
    for (int s = 0; s < 3; s++) {
      snReal value = WJ[3 * r + s] + WJ[3 * s + r] - u[r] * c[s] - c[r] * u[s] - T[3 * r + s];
      K[3 * r + s] = value + (r == s ? diagonal : 0);
    }
  }
  snu_copy3(K + 9, momentum + 3);
}

// e of a body's dofs (see the head of this file)
static void axisTerms(const snModel* m, const snData* d, int body, snReal* e) {
  SN_ASSERT_INDEX(body, m->nbody);
  snReal vel[6], part[6];
  sn_copy6(vel, d->cvel + 6 * m->body_parentid[body]);
  int first = m->body_jntadr[body], last = first + m->body_jntnum[body];
  for (int joint = first; joint < last; joint++) {
    int dof = m->jnt_dofadr[joint], type = m->jnt_type[joint];
    if (type == snJNT_FREE) {
      snu_zero(e + 6 * dof, 18);
      for (int k = 0; k < 3; k++, dof++) sn_addToScl6(vel, d->cdof + 6 * dof, d->qvel[dof]);
    }
    int num = sn_hasQuaternion(type) ? 3 : 1;
    for (int k = 0; k < num; k++) sn_addToScl6(vel, d->cdof + 6 * (dof + k), d->qvel[dof + k]);
    for (int k = 0; k < num; k++) {
      snReal* term = e + 6 * (dof + k);
      sn_crossMotion(part, vel, d->cdof + 6 * (dof + k));
      sn_copy6(term, d->cdof_dot + 6 * (dof + k));
      sn_addTo6(term, part);
    }
  }
}

void sn_biasColumn(const snReal inert[10], const snReal K[12], const snReal e[6],
                   const snReal cdof[6], snReal res[6]) {
  snReal part[3];
  sn_mulInertVec(res, inert, e);
  snu_mulMatVec3(part, K, cdof);
  snu_addTo3(res, part);
  snu_cross(part, K + 9, cdof);
  snu_addToScl3(res + 3, part, -2);
}

static void biasDerivative(const snModel* m, snData* d) {
  sn_markStack(d);
  snReal* composite = SN_STACK(d, snReal, 22 * m->nbody);
  snReal* e = SN_STACK(d, snReal, 6 * m->nv);
  if (!composite || (m->nv && !e)) {
    sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
    sn_freeStack(d);
    return;
  }

  // composites: inertia (10), then K (12)
  sn_zeroShared(composite, 22 * (int)m->nbody);
  SN_SYNC();
  if (SN_LANES > 1) {
    SN_FOR(i, d->nbody_awake) {
      int body = d->body_awake_ind[i];
      snReal *own = composite + 22 * body, *inert = d->cinert + 10 * body;
      if (!body) continue;
      snu_copy(own, inert, 10);
      sn_biasMatrix(inert, d->cvel + 6 * body, own + 10);
      axisTerms(m, d, body, e);
    }
    SN_SYNC();
    sn_sumSubtrees(m, composite, 22, d->nbody_awake, d->body_awake_ind);
  }
  for (int i = d->nbody_awake - 1; i > 0 && SN_LANES == 1; i--) {
    int body = d->body_awake_ind[i], parent = m->body_parentid[body];
    snReal K[12], *sum = composite + 22 * body;
    const snReal* inert = d->cinert + 10 * body;
    sn_biasMatrix(inert, d->cvel + 6 * body, K);
    snu_addTo(sum, inert, 10);
    snu_addTo(sum + 10, K, 12);
    if (parent > 0) snu_addTo(composite + 22 * parent, sum, 22);
    axisTerms(m, d, body, e);
  }

  // qDeriv(i,j) -= cdof_i . (I e_j + K cdof_j) with the composite of the deeper dof
  SN_FOR(k, d->nv_awake) {
    int i = d->dof_awake_ind[k];
    const snReal *inert = composite + 22 * m->dof_bodyid[i], *K = inert + 10;
    const snReal* cdof = d->cdof + 6 * i;
    snReal column[6], other[6];
    int adr = m->D_rowadr[i] + m->D_diag[i];
    sn_biasColumn(inert, K, e + 6 * i, cdof, column);
    d->qDeriv[adr--] -= sn_dot6(cdof, column);
    for (int j = m->dof_parentid[i]; j >= 0; j = m->dof_parentid[j], adr--) {
      d->qDeriv[entry(m, j, i)] -= sn_dot6(d->cdof + 6 * j, column);
      sn_biasColumn(inert, K, e + 6 * j, d->cdof + 6 * j, other);
      d->qDeriv[adr] -= sn_dot6(cdof, other);
    }
  }
  SN_SYNC();
  sn_freeStack(d);
}

// ---- all of them

static void derivSmoothVel(const snModel* m, snData* d, int flg_bias, int actuators, snReal* full) {
  if (SN_LANES > 1 && d->nv_awake == (int)m->nv) {
    sn_zeroShared(d->qDeriv, (int)m->nD);
  } else {
    SN_FOR(i, d->nv_awake) {
      int dof = d->dof_awake_ind[i];
      snu_zero(d->qDeriv + m->D_rowadr[dof], m->D_rownnz[dof]);
    }
  }
  SN_SYNC();
  if (actuators) actuatorDerivative(m, d, full);
  int hasSpring = !(m->opt.disableflags & snDSBL_SPRING);
  int hasDamper = !(m->opt.disableflags & snDSBL_DAMPER);
  if ((hasSpring || hasDamper) && sn_hasFluid(m)) fluidDerivative(m, d);
  if (hasDamper) damperDerivative(m, d, full);
  if (full && m->nflex && (hasSpring || hasDamper)) sn_flexVelocityFull(m, d, hasDamper, full);
  if (m->ncapstan) {
    SN_SYNC();
    SN_SOLO(capstanDerivative(m, d, actuators, full));
  }
  if (flg_bias) biasDerivative(m, d);
}

void sn_derivSmoothVel(const snModel* m, snData* d, int flg_bias) {
  derivSmoothVel(m, d, flg_bias, 1, NULL);
}

// dampers of tendons that act
static int hasTendonDampers(const snModel* m) {
  int some = 0;
  for (int i = 0; i < (int)m->ntendon; i++) some |= m->tendon_damping[i] != 0;
  return some;
}

// whether every actuator that has a slope moves a single dof
static int slopesAreDiagonal(const snModel* m, snData* d, int asleep) {
  int alone = 1;
  for (int i = 0; i < (int)m->nu && alone; i++) {
    alone = d->moment_rownnz[i] == 1 || actingSlope(m, d, i, asleep) == 0;
  }
  return alone;
}

int sn_derivSmoothVelDiagonal(const snModel* m, snData* d, int keep) {
  int hasDamper = !(m->opt.disableflags & snDSBL_DAMPER), asleep = sn_someAsleep(m, d);
  int acts = m->nu && !(m->opt.disableflags & snDSBL_ACTUATION);
  if (sn_hasFluid(m) || m->nflex || m->ncapstan || (hasDamper && hasTendonDampers(m))) return 0;
  if (acts && !slopesAreDiagonal(m, d, asleep)) return 0;
  if (keep) return 1;
  for (int dof = 0; dof < (int)m->nv; dof++) {
    d->qDeriv[m->D_rowadr[dof] + m->D_diag[dof]] = 0;
  }
  for (int i = 0; acts && i < (int)m->nu; i++) {
    Slope found = slopeOf(m, d, i, asleep);
    if (found.slope == 0) continue;
    d->qDeriv[m->D_rowadr[found.dof] + m->D_diag[found.dof]] += found.diagonal;
  }
  for (int dof = 0; hasDamper && dof < (int)m->nv; dof++) {
    d->qDeriv[m->D_rowadr[dof] + m->D_diag[dof]] -= m->dof_damping[dof];
  }
  return 1;
}

void snd_smoothVel(const snModel* m, snData* d) {
  if (SN_IS_DATA_OF(m, d, "snd_smoothVel")) sn_derivSmoothVel(m, d, 1);
}

void sn_derivSmoothVelFull(const snModel* m, snData* d, snReal* full, int actuators) {
  int nv = (int)m->nv;
  snu_zero(full, nv * nv);
  derivSmoothVel(m, d, 1, actuators, full);
  for (int i = 0; i < nv; i++) {
    for (int k = m->D_rowadr[i]; k < m->D_rowadr[i] + m->D_rownnz[i]; k++) {
      full[(size_t)nv * i + m->D_colind[k]] += d->qDeriv[k];
    }
  }
}
