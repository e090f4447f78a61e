// Constants of the reference configuration: inverse weights, lengths, equality anchors, cameras.

#include "base/arena.h"
#include "base/assert.h"
#include "base/misuse.h"
#include "compile/constants.h"
#include "math/math.h"
#include "model/flex_lists.h"
#include "model/hull_starts.h"
#include "model/object_types.h"

// ---- inverse weights ----

// The term of dof i in y' M^-1 y, where all dofs after it are done: subtracts y(i) times row i of L.
static snReal weightTerm(const snModel* m, const snData* d, snReal* y, int i) {
  int diagonal = m->M_rowadr[i] + m->M_rownnz[i] - 1;
  SN_ASSERT(m->M_colind[diagonal] == i);
  for (int k = m->M_rowadr[i]; k < diagonal; k++) y[m->M_colind[k]] -= d->qLD[k] * y[i];
  return y[i] * y[i] * d->qLDiagInv[i];
}

// y' M^-1 y by half a solve: with M = L'DL it is the squared norm of D^-1/2 L'^-1 y. Only the dofs
// of one chain from `last` to its root may be non-zero in y, which is destroyed.
static snReal chainWeight(const snModel* m, const snData* d, snReal* y, int last) {
  SN_ASSERT_INDEX(last, m->nv);
  snReal weight = 0;
  for (int i = last; i >= 0; i = m->dof_parentid[i]) weight += weightTerm(m, d, y, i);
  return weight;
}

// the same for a vector that may be non-zero anywhere
static snReal fullWeight(const snModel* m, const snData* d, snReal* y) {
  snReal weight = 0;
  for (int i = (int)m->nv - 1; i >= 0; i--) {
    if (y[i] != 0) weight += weightTerm(m, d, y, i);
  }
  return weight;
}

// the same for a vector that may be non-zero in ascending columns, which hold the ancestors of each
static snReal columnWeight(const snModel* m, const snData* d, snReal* y, const int* column, int n) {
  snReal weight = 0;
  for (int c = n - 1; c >= 0; c--) {
    SN_ASSERT(c == n - 1 || column[c] < column[c + 1]);
    weight += weightTerm(m, d, y, column[c]);
  }
  return weight;
}

// rows 0..2: velocity of the body's centre of mass, rows 3..5: angular velocity; chain dofs only
static void comJacobianRow(const snModel* m, const snData* d, snReal* row, int body, int axis,
                           int last) {
  SN_ASSERT_INDEX(body, m->nbody);
  SN_ASSERT_INDEX(axis, 6);
  snReal offset[3], cross[3];
  snu_sub3(offset, d->xipos + 3 * body, d->subtree_com + 3 * m->body_rootid[body]);
  for (int i = last; i >= 0; i = m->dof_parentid[i]) {
    const snReal* cdof = d->cdof + 6 * i;
    if (axis < 3) {
      snu_cross(cross, cdof, offset);
      row[i] = cdof[3 + axis] + cross[axis];
    } else {
      row[i] = cdof[axis - 3];
    }
  }
}

static void setBodyWeight(snModel* m, const snData* d, int body, snReal* y) {
  snReal* weight = m->body_invweight0 + 2 * body;
  weight[0] = weight[1] = 0;
  int weld = m->body_weldid[body];
  if (!weld) return;
  if (m->body_simple[body] == 2) {
    weight[0] = 1 / snu_max(snMINVAL, m->body_mass[body]);
    return;
  }
  int last = m->body_dofadr[weld] + m->body_dofnum[weld] - 1;
  for (int axis = 0; axis < 6; axis++) {
    comJacobianRow(m, d, y, body, axis, last);
    weight[axis / 3] += chainWeight(m, d, y, last) / 3;
  }
  if (weight[0] < snMINVAL && weight[1] > snMINVAL) {
    weight[0] = weight[1];
  } else if (weight[1] < snMINVAL && weight[0] > snMINVAL) {
    weight[1] = weight[0];
  }
}

// mean of the diagonal of M^-1 over n dofs from `first`, stored for each of them
static void setDofWeight(snModel* m, const snData* d, int first, int n, snReal* y) {
  SN_ASSERT_PART(first, n, m->nv);
  snReal mean = 0;
  for (int i = first; i < first + n; i++) {
    for (int j = i; j >= 0; j = m->dof_parentid[j]) y[j] = 0;
    y[i] = 1;
    mean += chainWeight(m, d, y, i) / (snReal)n;
  }
  for (int i = first; i < first + n; i++) m->dof_invweight0[i] = mean;
}

static void setJointWeight(snModel* m, const snData* d, int joint, snReal* y) {
  int body = m->jnt_bodyid[joint], first = m->jnt_dofadr[joint];
  if (m->body_simple[body] == 2) {
    m->dof_invweight0[first] = 1 / snu_max(snMINVAL, m->body_mass[body]);
    return;
  }
  int type = m->jnt_type[joint], plain = sn_plainCoordinates(type);
  if (plain) setDofWeight(m, d, first, plain, y);
  if (sn_hasQuaternion(type)) setDofWeight(m, d, first + plain, 3, y);
}

static void setTendonWeight(snModel* m, const snData* d, int tendon, snReal* y) {
  snu_zero(y, (int)m->nv);
  if (sn_isSparse(m)) {
    int address = d->ten_J_rowadr[tendon];
    SN_ASSERT_PART(address, d->ten_J_rownnz[tendon], m->ntendon * m->nv);
    for (int k = address; k < address + d->ten_J_rownnz[tendon]; k++) {
      y[d->ten_J_colind[k]] = d->ten_J[k];
    }
  } else {
    snu_copy(y, d->ten_J + (snSize)tendon * m->nv, (int)m->nv);
  }
  m->tendon_invweight0[tendon] = fullWeight(m, d, y);
}

// along an edge of a flex: 1/mass of its ends, or by its row of the Jacobian
static void setEdgeWeight(snModel* m, const snData* d, int flex, int edge, snReal* y) {
  const int* vertbody = m->flex_vertbodyid + m->flex_vertadr[flex];
  m->flexedge_invweight0[edge] = 0;
  if (m->flex_interp[flex] || m->flexedge_rigid[edge]) return;
  int body1 = vertbody[m->flex_edge[2 * edge]], body2 = vertbody[m->flex_edge[2 * edge + 1]];
  SN_ASSERT_INDEX2(body1, body2, m->nbody);
  if (m->body_simple[body1] == 2 && m->body_simple[body2] == 2) {
    m->flexedge_invweight0[edge] =
        (1 / snu_max(snMINVAL, m->body_mass[body1]) + 1 / snu_max(snMINVAL, m->body_mass[body2])) /
        2;
    return;
  }
  int address = m->flexedge_J_rowadr[edge], n = m->flexedge_J_rownnz[edge];
  const int* column = m->flexedge_J_colind + address;
  for (int k = 0; k < n; k++) y[column[k]] = d->flexedge_J[address + k];
  m->flexedge_invweight0[edge] = columnWeight(m, d, y, column, n);
}

static void setFlexWeights(snModel* m, const snData* d, snReal* y) {
  for (int f = 0; f < m->nflex; f++) {
    int first = m->flex_edgeadr[f];
    for (int e = first; e < first + m->flex_edgenum[f]; e++) setEdgeWeight(m, d, f, e, y);
  }
}

static void setActuatorAcceleration(snModel* m, snData* d, int actuator, snReal* y) {
  snu_zero(y, (int)m->nv);
  int address = d->moment_rowadr[actuator];
  SN_ASSERT_PART(address, d->moment_rownnz[actuator], m->nJmom);
  for (int k = address; k < address + d->moment_rownnz[actuator]; k++) {
    y[d->moment_colind[k]] = d->actuator_moment[k];
  }
  sn_solveM(m, d, y, y, 1);
  m->actuator_acc0[actuator] = snu_norm(y, (int)m->nv);
}

static void setWeights(snModel* m, snData* d) {
  sn_markStack(d);
  snReal* y = SN_STACK(d, snReal, m->nv + 1);
  if (!y) {
    snu_error("sn_setConst: arena too small for %d numbers", (int)m->nv);
    sn_freeStack(d);
    return;
  }
  for (int i = 0; i < m->nbody; i++) setBodyWeight(m, d, i, y);
  for (int i = 0; i < m->njnt; i++) setJointWeight(m, d, i, y);
  setFlexWeights(m, d, y);
  for (int i = 0; i < m->ntendon; i++) setTendonWeight(m, d, i, y);
  for (int i = 0; i < m->nu; i++) setActuatorAcceleration(m, d, i, y);
  sn_freeStack(d);
}

// ---- reference values ----

// diagonal inertia without tendons: armature + cdof' I cdof, I the composite inertia of the subtree
static void setDofInertia(snModel* m, snData* d) {
  snu_copy(d->crb, d->cinert, 10 * (int)m->nbody);
  for (int i = (int)m->nbody - 1; i > 0; i--) {
    int parent = m->body_parentid[i];
    SN_ASSERT(parent < i);  // a subtree is whole when its root is added
    if (parent > 0) snu_addTo(d->crb + 10 * parent, d->crb + 10 * i, 10);
  }
  for (int i = 0; i < m->nv; i++) {
    snReal momentum[6];
    sn_mulInertVec(momentum, d->crb + 10 * m->dof_bodyid[i], d->cdof + 6 * i);
    m->dof_M0[i] = m->dof_armature[i] + snu_dot(d->cdof + 6 * i, momentum, 6);
  }
}

// second anchor of a connect, relative pose of a weld
static void setEqualityData(snModel* m, const snData* d, int equality) {
  snReal* data = m->eq_data + snNEQDATA * equality;
  int body1 = m->eq_obj1id[equality], body2 = m->eq_obj2id[equality];
  snReal point[3];
  if (m->eq_type[equality] == snEQ_DISTANCE) {
    // not given: that of the reference pose
    if (data[0] < 0) data[0] = snu_dist3(d->site_xpos + 3 * body1, d->site_xpos + 3 * body2);
  } else if (m->eq_type[equality] == snEQ_CONNECT) {
    if (m->eq_objtype[equality] != snOBJ_BODY) {
      snu_zero(data, snNEQDATA);
      return;
    }
    snu_mulMatVec3(point, d->xmat + 9 * body1, data);
    snu_addTo3(point, d->xpos + 3 * body1);
    snu_subFrom3(point, d->xpos + 3 * body2);
    snu_mulMatTVec3(data + 3, d->xmat + 9 * body2, point);
  } else if (m->eq_type[equality] == snEQ_WELD && m->eq_objtype[equality] == snOBJ_BODY) {
    if (data[6] != 0 || data[7] != 0 || data[8] != 0 || data[9] != 0) {
      snu_normalize4(data + 6);
      return;
    }
    snReal inverse[4];
    snu_mulMatVec3(point, d->xmat + 9 * body2, data);
    snu_addTo3(point, d->xpos + 3 * body2);
    snu_subFrom3(point, d->xpos + 3 * body1);
    snu_mulMatTVec3(data + 3, d->xmat + 9 * body1, point);
    snu_negQuat(inverse, d->xquat + 4 * body1);
    snu_mulQuat(data + 6, inverse, d->xquat + 4 * body2);
  }
}

static void setCameraReference(snModel* m, const snData* d) {
  for (int i = 0; i < m->ncam; i++) {
    int body = m->cam_bodyid[i];
    int target = m->cam_targetbodyid[i] >= 0 ? m->cam_targetbodyid[i] : body;
    snu_sub3(m->cam_pos0 + 3 * i, d->cam_xpos + 3 * i, d->xpos + 3 * body);
    snu_sub3(m->cam_poscom0 + 3 * i, d->cam_xpos + 3 * i, d->subtree_com + 3 * target);
    snu_copy(m->cam_mat0 + 9 * i, d->cam_xmat + 9 * i, 9);
  }
  for (int i = 0; i < m->nlight; i++) {
    int body = m->light_bodyid[i];
    int target = m->light_targetbodyid[i] >= 0 ? m->light_targetbodyid[i] : body;
    snu_sub3(m->light_pos0 + 3 * i, d->light_xpos + 3 * i, d->xpos + 3 * body);
    snu_sub3(m->light_poscom0 + 3 * i, d->light_xpos + 3 * i, d->subtree_com + 3 * target);
    snu_copy3(m->light_dir0 + 3 * i, d->light_xdir + 3 * i);
  }
}

// position servos may carry a damping ratio (positive) in the place of the damping gain (negative)
static void resolveDampingRatio(snModel* m, const snData* d, int actuator) {
  const snReal* gain = m->actuator_gainprm + snNGAIN * actuator;
  snReal* bias = m->actuator_biasprm + snNBIAS * actuator;
  if (gain[0] != -bias[1] || !(bias[2] > 0)) return;
  snReal mass = 0;
  int address = d->moment_rowadr[actuator];
  SN_ASSERT_PART(address, d->moment_rownnz[actuator], m->nJmom);
  for (int k = address; k < address + d->moment_rownnz[actuator]; k++) {
    snReal square = d->actuator_moment[k] * d->actuator_moment[k];
    if (square > snMINVAL) mass += m->dof_M0[d->moment_colind[k]] / square;
  }
  bias[2] = -(bias[2] * 2 * snu_sqrt(gain[0] * mass));
}

// everything that is evaluated at qpos0; cameras and lights are taken as fixed to their bodies
static void setReference(snModel* m, snData* d) {
  sn_markStack(d);
  int* mode = SN_STACK(d, int, m->ncam + m->nlight + 1);
  if (!mode) {
    snu_error("sn_setConst: arena too small");
    sn_freeStack(d);
    return;
  }
  for (int i = 0; i < m->ncam; i++) {
    mode[i] = m->cam_mode[i];
    m->cam_mode[i] = snCAMLIGHT_FIXED;
  }
  for (int i = 0; i < m->nlight; i++) {
    mode[m->ncam + i] = m->light_mode[i];
    m->light_mode[i] = snCAMLIGHT_FIXED;
  }

  snu_copy(d->qpos, m->qpos0, (int)m->nq);
  sn_kinematics(m, d);
  sn_comPos(m, d);
  sn_camlight(m, d);
  sn_flex(m, d);
  sn_tendon(m, d);
  setDofInertia(m, d);
  sn_makeM(m, d);
  sn_factorM(m, d);
  sn_transmission(m, d);

  for (int i = 0; i < m->ncam; i++) m->cam_mode[i] = mode[i];
  for (int i = 0; i < m->nlight; i++) m->light_mode[i] = mode[m->ncam + i];
  sn_freeStack(d);

  sn_setFlexLengths(m, d);
  for (int i = 0; i < m->ntendon; i++) m->tendon_length0[i] = d->ten_length[i];
  for (int i = 0; i < m->nu; i++) m->actuator_length0[i] = d->actuator_length[i];
  setWeights(m, d);
  for (int i = 0; i < m->neq; i++) setEqualityData(m, d, i);
  setCameraReference(m, d);
  for (int i = 0; i < m->nu; i++) resolveDampingRatio(m, d, i);
}

// rest lengths of tendons that have none of their own
static void setSpringLength(snModel* m, snData* d) {
  snu_copy(d->qpos, m->qpos_spring, (int)m->nq);
  sn_kinematics(m, d);
  sn_comPos(m, d);
  sn_tendon(m, d);
  sn_transmission(m, d);
  for (int i = 0; i < m->ntendon; i++) {
    snReal* rest = m->tendon_lengthspring + 2 * i;
    if (rest[0] == -1 && rest[1] == -1) rest[0] = rest[1] = d->ten_length[i];
  }
}

void sn_setConst(snModel* m, snData* d) {
  if (!SN_IS_DATA_OF(m, d, "sn_setConst")) return;
  int enabled = m->opt.enableflags;
  m->opt.enableflags &= ~snENBL_SLEEP;
  sn_setFixed(m);
  sn_setFlexPatterns(m, d);
  sn_setFlexLists(m);
  sn_setHullStarts(m);
  setReference(m, d);
  sn_setStatistic(m, d);
  setSpringLength(m, d);
  m->opt.enableflags = enabled;
}

void sn_setSpringDamper(snModel* m, const double* springdamper) {
  for (int i = 0; i < m->njnt; i++) {
    double timeconst = springdamper[2 * i], ratio = springdamper[2 * i + 1];
    if (timeconst <= 0 || ratio <= 0) continue;
    int first = m->jnt_dofadr[i];
    int n = sn_jointDofs(m->jnt_type[i]);
    snReal weight = 0;
    SN_ASSERT_PART(first, n, m->nv);
    for (int k = first; k < first + n; k++) weight += m->dof_invweight0[k];
    snReal inertia = (snReal)n / (weight > snMINVAL ? weight : snMINVAL);  // also of a NaN
    snReal period = (snReal)(timeconst * timeconst * ratio * ratio);
    m->jnt_stiffness[i] = inertia / (period > snMINVAL ? period : snMINVAL);
    snReal decay = timeconst > snMINVAL ? (snReal)timeconst : snMINVAL;
    for (int k = first; k < first + n; k++) m->dof_damping[k] = 2 * inertia / decay;
  }
}
