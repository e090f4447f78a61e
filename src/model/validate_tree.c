// The kinematic tree of a model: bodies, joints, dofs, and the sparse patterns that follow from them.
//
// All patterns are functions of dof_parentid (compile/sparse.h): they are compared entry by entry,
// because the engine walks along rows of M and D as if they were the chains of dofs themselves.

#include "base/assert.h"
#include "model/object_types.h"
#include "model/validate.h"

const char* sn_validateBodies(const snModel* m) {
  snSize mocaps = 0;
  for (snSize i = 0; i < m->nbody; i++) {
    int parent = m->body_parentid[i], moves = m->body_dofnum[i] > 0;
    mocaps += m->body_mocapid[i] >= 0;
    if (m->body_jntnum[i] > 6) return "body_jntnum exceeds 6";
    if (m->body_rootid[i] != (parent ? m->body_rootid[parent] : i)) return "body_rootid is wrong";
    if (m->body_weldid[i] != (moves || !i ? i : m->body_weldid[parent]))
      return "body_weldid is wrong";
  }
  if (m->nmocap != mocaps) return "nmocap is not that of the bodies";
  if (m->ngravcomp > m->nbody) return "ngravcomp out of bounds";
  return NULL;
}

// coordinates and dofs follow one another joint by joint
const char* sn_validateJoints(const snModel* m) {
  snSize q = 0, v = 0;
  for (snSize i = 0; i < m->njnt; i++) {
    int nq = sn_jointPositions(m->jnt_type[i]), nv = sn_jointDofs(m->jnt_type[i]);
    if (m->jnt_qposadr[i] != q || q + nq > m->nq) return "jnt_qposadr out of bounds";
    if (m->jnt_dofadr[i] != v || v + nv > m->nv) return "jnt_dofadr out of bounds";
    for (int k = 0; k < nv; k++) {
      if (m->dof_jntid[v + k] != i) return "dof_jntid disagrees with jnt_dofadr";
      if (m->dof_bodyid[v + k] != m->jnt_bodyid[i]) return "dof_bodyid disagrees with jnt_bodyid";
    }
    q += nq;
    v += nv;
  }
  return q == m->nq && v == m->nv ? NULL : "nq or nv is not that of the joints";
}

// the dof before: of the same body, else the last one of the nearest ancestor that moves
static int parentOf(const snModel* m, int dof) {
  SN_ASSERT_INDEX(dof, m->nv);
  int body = m->dof_bodyid[dof];
  if (dof > m->body_dofadr[body]) return dof - 1;
  int above = m->body_weldid[m->body_parentid[body]];
  return above ? m->body_dofadr[above] + m->body_dofnum[above] - 1 : -1;
}

// where the next rows of qM, M and D begin: rows follow one another without gaps
typedef struct RowStarts_ {
  snSize legacy, M, D;
} RowStarts;

// Row i of M is the chain of ancestors of i, the diagonal last; that of a simple dof is its diagonal.
static const char* checkRowM(const snModel* m, int i, snSize length, const RowStarts* next) {
  SN_ASSERT(length > 0 && next->legacy + length <= m->nM && next->M <= next->legacy);
  snSize stored = m->dof_simplenum[i] ? 1 : length;
  if (m->dof_Madr[i] != next->legacy) return "dof_Madr out of bounds";
  if (m->M_rowadr[i] != next->M || m->M_rownnz[i] != stored) return "M_rowadr or M_rownnz is wrong";
  int dof = i;
  for (snSize k = stored - 1; k >= 0; k--, dof = m->dof_parentid[dof]) {
    if (m->M_colind[next->M + k] != dof) return "M_colind is not the chain of the dof";
    if (m->mapM2M[next->M + k] != next->legacy + stored - 1 - k) return "mapM2M out of bounds";
  }
  return NULL;
}

// Row i of D is the chain of i, then the dofs below it, which follow i without a gap.
static const char* checkRowD(const snModel* m, int i, snSize length, const RowStarts* next) {
  SN_ASSERT_INDEX(i, m->nv);
  if (m->D_rowadr[i] != next->D || m->D_rownnz[i] < length) return "D_rowadr or D_rownnz is wrong";
  if (m->D_diag[i] != length - 1) return "D_diag out of bounds";
  int dof = i;
  for (snSize k = length - 1; k >= 0; k--, dof = m->dof_parentid[dof]) {
    if (m->D_colind[next->D + k] != dof) return "D_colind is not the chain of the dof";
  }
  for (snSize k = length; k < m->D_rownnz[i]; k++) {
    snSize below = i + 1 + k - length;
    if (m->D_colind[next->D + k] != below || m->dof_parentid[below] < i)
      return "D_colind has a dof that is not below";
  }
  return NULL;
}

const char* sn_validateDofs(const snModel* m) {
  // D has every pair of related dofs: once the lengths agree, a row that is too long leaves another
  // too short. The file vouches for nD, and so nD bounds the work
  RowStarts next = {0, 0, 0};
  if (m->nD != 2 * m->nM - m->nv) return "nD is not that of a symmetric matrix";
  for (int i = 0; i < m->nv; i++) {
    snSize length = 0;
    if (m->dof_parentid[i] != parentOf(m, i)) return "dof_parentid is wrong";
    for (int j = i; j >= 0; j = m->dof_parentid[j]) length++;
    if (next.legacy + length > m->nM) return "nM is not that of the dofs";
    if (m->dof_simplenum[i] < 0 || i + (snSize)m->dof_simplenum[i] > m->nv)
      return "dof_simplenum out of bounds";
    const char* problem = checkRowM(m, i, length, &next);
    if (!problem) problem = checkRowD(m, i, length, &next);
    if (problem) return problem;
    next.legacy += length;
    next.M += m->M_rownnz[i];
    next.D += m->D_rownnz[i];
  }
  return next.legacy == m->nM ? NULL : "nM is not that of the dofs";
}
