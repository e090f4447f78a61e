// Interpolated flexes in the implicit integrators.
//
// The dofs S of all nodes are solved again, with the stiffness K of the flexes in the matrix. With the matrix
// W = M - h D of the sparse solve, the Jacobian J of the nodes and s = h^2 + h damping,
//
//   (W_SS - sum_f s_f (J' K J)_SS) a_S = f_S + g sum_f s_f (J' K J v)_S - W_SR a_R
//
// where R are the other dofs, whose accelerations a_R are kept, and g = h / s of the first flex: MuJoCo
// takes that of flex 0 for all. K is the stored matrix, a negative stiffness, turned with the flex.
// Disabling springs or dampers does not switch this off.

#include "engine/flex/implicit.h"

#include "base/arena.h"
#include "base/assert.h"
#include "engine/flex/flex.h"
#include "engine/flex/node.h"
#include "engine/smooth/jacobian.h"
#include "math/decomp.h"
#include "math/math.h"

// The dofs of the nodes and what is solved for them.
typedef struct Block_ {
  int n;           // dofs of all nodes
  int* place;      // by dof of the model: where in the block, or -1
  int* dof;        // by place
  int* count;      // how many of these there are
  snReal* matrix;  // n x n, lower triangle
  snReal* right;   // right side, then the solution
  snReal* node;    // positions of the nodes of a flex, then K J v
  snReal* speed;   // J v by node, in the turned frame
} Block;

// ---- dofs of the nodes

static int blockSize(const snModel* m) {
  int n = 0;
  for (int flex = 0; flex < (int)m->nflex; flex++) {
    if (!m->flex_interp[flex]) continue;
    for (int i = 0; i < m->flex_nodenum[flex]; i++) {
      n += m->body_dofnum[m->flex_nodebodyid[m->flex_nodeadr[flex] + i]];
    }
  }
  return n;
}

// in the order of flexes, nodes and dofs; a dof of two nodes is listed once
static void listDofs(const snModel* m, const Block* block) {
  int n = 0;
  for (int dof = 0; dof < (int)m->nv; dof++) block->place[dof] = -1;
  for (int flex = 0; flex < (int)m->nflex; flex++) {
    if (!m->flex_interp[flex]) continue;
    for (int i = 0; i < m->flex_nodenum[flex]; i++) {
      int body = m->flex_nodebodyid[m->flex_nodeadr[flex] + i], adr = m->body_dofadr[body];
      for (int dof = adr; dof < adr + m->body_dofnum[body]; dof++) {
        if (block->place[dof] >= 0) continue;
        block->place[dof] = n;
        block->dof[n++] = dof;
      }
    }
  }
  *block->count = n;
  SN_ASSERT(n <= block->n);
}

// ---- matrix and right side without the flexes

// W by rows: all of D where the step is implicit, the lower rows of M where it is implicitfast
static void addInertia(const snModel* m, const snData* d, const Block* block, const snReal* qacc) {
  int n = block->n, full = m->opt.integrator == snINT_IMPLICIT;
  SN_FOR(i, n) {
    int dof = block->dof[i], adr = full ? m->D_rowadr[dof] : m->M_rowadr[dof];
    int nnz = full ? m->D_rownnz[dof] : m->M_rownnz[dof];
    const int* column = (full ? m->D_colind : m->M_colind) + adr;
    snReal *row = block->matrix + (snSize)n * i,
           right = d->qfrc_smooth[dof] + d->qfrc_constraint[dof];
    snu_zero(row, n);
    for (int k = 0; k < nnz; k++) {
      int source = full ? m->mapM2D[adr + k] : adr + k;
      int derivative = full ? adr + k : m->mapD2M[adr + k], j = block->place[column[k]];
      snReal value = (source >= 0 ? d->M[source] : 0) - m->opt.timestep * d->qDeriv[derivative];
      if (j >= 0) {
        row[j] += value;
      } else {
        right -= value * qacc[column[k]];
      }
    }
    block->right[i] = right;
  }
  SN_SYNC();
}

// ---- one flex

// The motion of a node of a flex by a dof of the block: a column of J, in the turned frame.
typedef struct Column_ {
  int node;
  int place;
  snReal value[3];
} Column;

// A flex while it is added: its frame, and the columns of its nodes.
typedef struct Turned_ {
  int flex;
  int n;  // columns
  snReal rotation[9];
  Column* column;
} Turned;

// motion of a node by a dof, at the turned point where MuJoCo lets its forces attack
static void nodeColumn(const snModel* m, const snData* d, const Block* block, const Turned* t,
                       int i, int dof, snReal column[3]) {
  const snReal* cdof = d->cdof + 6 * dof;
  int body = m->flex_nodebodyid[m->flex_nodeadr[t->flex] + i];
  snReal point[3], arm[3], world[3];
  sn_flexTurnedNode(t->rotation, block->node + 3 * i, point);
  snu_sub3(arm, point, d->subtree_com + 3 * m->body_rootid[body]);
  snu_cross(world, cdof, arm);
  snu_addTo3(world, cdof + 3);
  snu_mulMatTVec3(column, t->rotation, world);
}

static int lastDofOf(const snModel* m, int flex, int i) {
  SN_ASSERT_INDEX(i, m->flex_nodenum[flex]);
  return sn_lastDof(m, m->flex_nodebodyid[m->flex_nodeadr[flex] + i]);
}

// number of the columns; filled when there is room for them
static int listColumns(const snModel* m, const snData* d, const Block* block, const Turned* t) {
  int n = 0;
  for (int i = 0; i < m->flex_nodenum[t->flex]; i++) {
    for (int dof = lastDofOf(m, t->flex, i); dof >= 0; dof = m->dof_parentid[dof]) {
      if (block->place[dof] < 0) continue;
      if (t->column) {
        t->column[n].node = i;
        t->column[n].place = block->place[dof];
        nodeColumn(m, d, block, t, i, dof, t->column[n].value);
      }
      n++;
    }
  }
  return n;
}

// matrix -= s J' K J on the lower triangle, a row to a lane
static void addStiffness(const snModel* m, const Block* block, const Turned* t, snReal scale) {
  SN_ASSERT(m->flex_nodenum[t->flex] <= snMAXFLEXNODES);
  int n = 3 * m->flex_nodenum[t->flex];
  const snReal* stiffness = m->flex_stiffness + 21 * (snSize)m->flex_elemadr[t->flex];
  SN_FOR(r, block->n) {
    snReal* row = block->matrix + (snSize)block->n * r;
    for (int a = 0; a < t->n; a++) {
      const Column* column = t->column + a;
      if (column->place != r) continue;
      const snReal *k = stiffness + (snSize)3 * n * column->node, *x = column->value;
      snReal product[3 * snMAXFLEXNODES];
      for (int c = 0; c < n; c++) product[c] = x[0] * k[c] + x[1] * k[n + c] + x[2] * k[2 * n + c];
      for (int b = 0; b < t->n; b++) {
        const Column* other = t->column + b;
        if (other->place > r) continue;
        row[other->place] -= scale * snu_dot3(product + 3 * other->node, other->value);
      }
    }
  }
  SN_SYNC();
}

// right += scale J' K J v, where v are the velocities of all dofs that move the nodes
static void addRate(const snModel* m, const snData* d, const Block* block, const Turned* t,
                    snReal scale) {
  SN_ASSERT(m->flex_nodenum[t->flex] <= snMAXFLEXNODES);
  int n = m->flex_nodenum[t->flex];
  const snReal* stiffness = m->flex_stiffness + 21 * (snSize)m->flex_elemadr[t->flex];
  SN_FOR(i, n) {
    snu_zero3(block->speed + 3 * i);
    for (int dof = lastDofOf(m, t->flex, i); dof >= 0; dof = m->dof_parentid[dof]) {
      snReal column[3];
      nodeColumn(m, d, block, t, i, dof, column);
      snu_addToScl3(block->speed + 3 * i, column, d->qvel[dof]);
    }
  }
  SN_SYNC();
  SN_FOR(k, 3 * n) {  // K J v, in place of the nodes
    block->node[k] = scale * snu_dot(stiffness + (snSize)3 * n * k, block->speed, 3 * n);
  }
  SN_SYNC();
  SN_FOR(r, block->n) {
    for (int a = 0; a < t->n; a++) {
      const Column* column = t->column + a;
      if (column->place != r) continue;
      block->right[r] += snu_dot3(column->value, block->node + 3 * column->node);
    }
  }
  SN_SYNC();
}

static snReal stiffnessScale(const snModel* m, int flex) {
  snReal h = m->opt.timestep;
  return h * h + h * m->flex_damping[flex];
}

static void addFlex(const snModel* m, snData* d, const Block* block, int flex, snReal scale,
                    snReal rate) {
  Turned turned;
  turned.flex = flex;
  turned.column = NULL;
  sn_flexNodes(m, d, flex, block->node);
  sn_flexFrame(m, flex, block->node, turned.rotation);
  turned.n = listColumns(m, d, block, &turned);
  sn_markStack(d);
  turned.column = (Column*)sn_stackAlloc(d, sizeof(Column) * (size_t)turned.n, sizeof(snReal));
  if (turned.column) {
    SN_SOLO(listColumns(m, d, block, &turned));
    addStiffness(m, block, &turned, scale);
    addRate(m, d, block, &turned, rate);
  } else {
    sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
  }
  sn_freeStack(d);
}

static void addFlexes(const snModel* m, snData* d, const Block* block) {
  snReal first = stiffnessScale(m, 0), rate = first > snMINVAL ? m->opt.timestep / first : 0;
  for (int flex = 0; flex < (int)m->nflex; flex++) {
    snReal scale = stiffnessScale(m, flex);
    if (!m->flex_interp[flex] || !sn_flexStretches(m, flex) || scale == 0) continue;
    addFlex(m, d, block, flex, scale, rate * scale);
  }
}

// ---- solution

// Cholesky of the lower triangle, column by column; pivots that are too small are replaced
static void factor(snReal* matrix, int n) {
  SN_ASSERT(n > 0);
  for (int j = 0; j < n; j++) {
    snReal* pivot = matrix + (snSize)n * j;
    SN_ONE pivot[j] = snu_sqrt(snu_max(pivot[j] - snu_dot(pivot, pivot, j), (snReal)snMINVAL));
    SN_SYNC();
    snReal inverse = 1 / pivot[j];
    SN_FOR(k, n - j - 1) {
      snReal* row = matrix + (snSize)n * (j + 1 + k);
      row[j] = (row[j] - snu_dot(row, pivot, j)) * inverse;
    }
    SN_SYNC();
  }
}

static int allocBlock(const snModel* m, snData* d, Block* block) {
  int n = block->n;
  block->place = SN_STACK(d, int, m->nv + n + 1);
  block->matrix = SN_STACK(d, snReal, n * n + n);
  block->node = SN_STACK(d, snReal, 6 * snMAXFLEXNODES);
  if (!block->place || !block->matrix || !block->node) return 0;
  block->dof = block->place + m->nv;
  block->count = block->dof + n;
  block->right = block->matrix + (snSize)n * n;
  block->speed = block->node + 3 * snMAXFLEXNODES;
  return 1;
}

void sn_flexImplicit(const snModel* m, snData* d, snReal* qacc) {
  Block block;
  if (d->nv_awake != (int)m->nv) return;
  block.n = blockSize(m);
  if (!block.n) return;
  sn_markStack(d);
  if (allocBlock(m, d, &block)) {
    SN_SOLO(listDofs(m, &block));
    block.n = *block.count;
    addInertia(m, d, &block, qacc);
    addFlexes(m, d, &block);
    factor(block.matrix, block.n);
    SN_ONE {
      snu_cholSolve(block.right, block.matrix, block.right, block.n);
      for (int i = 0; i < block.n; i++) qacc[block.dof[i]] = block.right[i];
    }
    SN_SYNC();
  } else {
    sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
  }
  sn_freeStack(d);
}
