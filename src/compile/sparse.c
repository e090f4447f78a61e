#include "compile/sparse.h"

#include <limits.h>

#include "base/assert.h"
#include "math/sparse.h"

static int lastDof(const snModel* m, int body) {
  for (; body > 0; body = m->body_parentid[body]) {
    if (m->body_dofnum[body]) return m->body_dofadr[body] + m->body_dofnum[body] - 1;
  }
  return -1;
}

static int chainLength(const snModel* m, int dof) {
  int length = 0;
  for (; dof >= 0; dof = m->dof_parentid[dof]) length++;
  return length;
}

int sn_countSparse(snModel* m) {
  snSize nM = 0, nC = 0, nB = 0;
  for (int i = 0; i < m->nv; i++) {
    int length = chainLength(m, i);
    nM += length;
    nC += m->dof_simplenum[i] ? 1 : length;
  }
  // each dof is in the rows of its body, of its body's subtree and of its body's ancestors
  for (int b = 0; b < m->nbody; b++) {
    if (b) nB += chainLength(m, lastDof(m, b)) - m->body_dofnum[b];
    for (int a = b;; a = m->body_parentid[a]) {
      nB += m->body_dofnum[b];
      if (a == 0) break;
    }
  }
  m->nM = nM;
  m->nC = nC;
  m->nD = 2 * nM - m->nv;
  m->nB = nB;
  return m->nD > INT_MAX || nB > INT_MAX ? -1 : 0;
}

// rows of M: ancestors ascending, diagonal last; simple dofs have their diagonal alone
static void setM(snModel* m) {
  int legacy = 0, address = 0;
  for (int i = 0; i < m->nv; i++) {
    int length = chainLength(m, i);
    int stored = m->dof_simplenum[i] ? 1 : length;
    m->dof_Madr[i] = legacy;
    m->M_rowadr[i] = address;
    m->M_rownnz[i] = stored;
    int dof = i;
    for (int k = stored - 1; k >= 0; k--, dof = m->dof_parentid[dof]) {
      m->M_colind[address + k] = dof;
      m->mapM2M[address + k] = legacy + stored - 1 - k;
    }
    legacy += length;
    address += stored;
  }
  SN_ASSERT(address == m->nC && legacy == m->nM);
}

// rows of D: ancestors, self, descendants; descendants are appended while dofs are visited in order
static void setD(snModel* m) {
  for (int i = 0; i < m->nv; i++) {
    m->D_rownnz[i] = m->D_diag[i] = 0;
  }
  for (int i = 0; i < m->nv; i++) {
    m->D_diag[i] = chainLength(m, i) - 1;
    for (int j = i; j >= 0; j = m->dof_parentid[j]) m->D_rownnz[j]++;
    m->D_rownnz[i] += m->D_diag[i];
  }
  int address = 0;
  for (int i = 0; i < m->nv; i++) {
    m->D_rowadr[i] = address;
    address += m->D_rownnz[i];
    int k = m->D_rowadr[i] + m->D_diag[i];
    for (int j = i; j >= 0; j = m->dof_parentid[j]) m->D_colind[k--] = j;
  }
  // mapM2D is scratch here: number of entries of a row so far
  int* filled = m->mapM2D;
  for (int i = 0; i < m->nv; i++) filled[i] = m->D_diag[i] + 1;
  for (int i = 0; i < m->nv; i++) {
    for (int j = m->dof_parentid[i]; j >= 0; j = m->dof_parentid[j]) {
      m->D_colind[m->D_rowadr[j] + filled[j]++] = i;
    }
  }
  for (int i = 0; i < m->nv; i++) SN_ASSERT(filled[i] == m->D_rownnz[i]);
}

// D index of the entry (row, column)
static int findD(const snModel* m, int row, int column) {
  int adr = m->D_rowadr[row];
  int entry = adr + sn_findIndex(m->D_colind + adr, m->D_rownnz[row], column);
  SN_ASSERT(m->D_colind[entry] == column);
  return entry;
}

static void setMaps(snModel* m) {
  for (int k = 0; k < m->nD; k++) m->mapM2D[k] = -1;
  for (int i = 0; i < m->nv; i++) {
    for (int k = 0; k < m->M_rownnz[i]; k++) {
      int entry = m->M_rowadr[i] + k, column = m->M_colind[entry];
      // the lower triangle of a D row begins as the unreduced M row does
      int lower = m->D_rowadr[i] + m->D_diag[i] + 1 - m->M_rownnz[i] + k;
      m->mapD2M[entry] = lower;
      m->mapM2D[lower] = entry;
      if (column != i) m->mapM2D[findD(m, column, i)] = entry;
    }
  }
}

// dofs of ancestors, own dofs, dofs of the subtree, which are contiguous in depth-first order
static void setB(snModel* m) {
  int address = 0;
  for (int b = 0; b < m->nbody; b++) m->B_rownnz[b] = 0;
  for (int b = 0; b < m->nbody; b++) {
    for (int a = b;; a = m->body_parentid[a]) {
      m->B_rownnz[a] += m->body_dofnum[b];  // dofs of the subtree
      if (a == 0) break;
    }
  }
  for (int b = 0; b < m->nbody; b++) {
    int subtree = m->B_rownnz[b];
    int inherited = b ? chainLength(m, lastDof(m, m->body_parentid[b])) : 0;
    m->B_rowadr[b] = address;
    m->B_rownnz[b] += inherited;
    int dof = b ? lastDof(m, m->body_parentid[b]) : -1;
    for (int k = inherited - 1; k >= 0; k--, dof = m->dof_parentid[dof]) {
      m->B_colind[address + k] = dof;
    }
    // first dof of a body in the subtree: bodies are in depth-first order
    int body = b;
    while (subtree && !m->body_dofnum[body]) body++;
    int first = subtree ? m->body_dofadr[body] : 0;
    for (int k = 0; k < subtree; k++) m->B_colind[address + inherited + k] = first + k;
    address += m->B_rownnz[b];
  }
}

void sn_setSparse(snModel* m) {
  setM(m);
  setD(m);
  setMaps(m);
  setB(m);
}
