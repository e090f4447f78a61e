// Rows of contacts: the normal, friction directions as pyramid edges or as a cone.

#include <string.h>

#include "engine/constrain/constraint.h"
#include "engine/constrain/contact_side.h"
#include "engine/smooth/jacobian.h"
#include "math/math.h"

// ---- Jacobian in the contact frame ---------------------------------------------------------------

// number of dofs that move either of two bodies
static int chainLength(const snModel* m, int body1, int body2) {
  int i1 = sn_lastDof(m, body1), i2 = sn_lastDof(m, body2), n = 0;
  for (; i1 >= 0 || i2 >= 0; n++) {
    int dof = i1 > i2 ? i1 : i2;
    if (i1 == dof) i1 = m->dof_parentid[dof];
    if (i2 == dof) i2 = m->dof_parentid[dof];
  }
  return n;
}

// Union of the chains of two bodies, ascending; mark is -1 on dofs of the first body only, 1 on
// those of the second only and 0 on common ancestors, which cannot move the bodies apart.
static int markedChain(const snModel* m, int body1, int body2, int* chain, int* mark) {
  int i1 = sn_lastDof(m, body1), i2 = sn_lastDof(m, body2), n = 0;
  while (i1 >= 0 || i2 >= 0) {
    int dof = i1 > i2 ? i1 : i2;
    mark[n] = (i2 == dof) - (i1 == dof);
    chain[n++] = dof;
    if (i1 == dof) i1 = m->dof_parentid[dof];
    if (i2 == dof) i2 = m->dof_parentid[dof];
  }
  for (int a = 0, z = n - 1; a < z; a++, z--) {
    int dof = chain[a], sign = mark[a];
    chain[a] = chain[z];
    mark[a] = mark[z];
    chain[z] = dof;
    mark[z] = sign;
  }
  return n;
}

// what row r does along an axis through a point at the offset: a force, or from the fourth on a torque
SN_KERNEL void unitWrench(snReal wrench[6], const snReal offset[3], const snReal axis[3], int r) {
  if (r < 3) {
    snu_cross(wrench, offset, axis);
    snu_copy3(wrench + 3, axis);
  } else {
    snu_copy3(wrench, axis);
    snu_zero3(wrench + 3);
  }
}

// Rows 0..dim-1 (normal, tangents, spin, roll) of two bodies that touch at con->pos. With the axis
// w and the translation t of a dof about the tree's centre c, row a is a . (t + w x r), r = pos - c:
// the unit wrench (r x a, a) times (w, t), negative for the first body; spin and roll are a . w.
static void twoBodyJacobian(const snModel* m, const snData* d, const snContact* con,
                            const int body[2], int dim, int n, const int* chain, const int* mark,
                            snReal* jacobian) {
  snReal wrench[2][6][6];
  for (int s = 0; s < 2; s++) {
    snReal offset[3], sign = s ? 1 : -1;
    snu_sub3(offset, con->pos, d->subtree_com + 3 * m->body_rootid[body[s]]);
    for (int r = 0; r < dim; r++) {
      snReal *row = wrench[s][r], axis[3];
      snu_scl3(axis, con->frame + 3 * (r % 3), sign);
      unitWrench(row, offset, axis, r);
    }
  }
  for (int k = 0; k < n; k++) {
    if (!mark[k]) {
      for (int r = 0; r < dim; r++) jacobian[r * n + k] = 0;
      continue;
    }
    const snReal* motion = d->cdof + 6 * chain[k];
    const snReal(*rows)[6] = (const snReal(*)[6])wrench[mark[k] > 0];
    for (int r = 0; r < dim; r++) jacobian[r * n + k] = sn_dot6(rows[r], motion);
  }
}

// the same for weighted bodies on either side, accumulated body by body
static void manyBodyJacobian(const snModel* m, const snData* d, const snContact* con,
                             const snContactSide side[2], int dim, int n, const int* chain,
                             snReal* work, snReal* jacobian) {
  snReal *jacp = work, *jacr = work + 3 * n;
  snu_zero(work, 6 * n);
  for (int s = 0; s < 2; s++) {
    for (int k = 0; k < side[s].n; k++) {
      snReal weight = s ? side[s].weight[k] : -side[s].weight[k];
      sn_jacAdd(m, d, jacp, jacr, con->pos, side[s].body[k], weight, n, chain);
    }
  }
  for (int r = 0; r < dim; r++) {
    const snReal* source = r < 3 ? jacp : jacr;
    const snReal* axis = con->frame + 3 * (r % 3);
    for (int k = 0; k < n; k++) {
      jacobian[r * n + k] =
          axis[0] * source[k] + axis[1] * source[n + k] + axis[2] * source[2 * n + k];
    }
  }
}

// Put a dof into an ascending list, where it may be already; returns whether it was.
static int insertDof(int* chain, int* n, int dof) {
  int k = *n;
  while (k > 0 && chain[k - 1] > dof) k--;
  if (k > 0 && chain[k - 1] == dof) return 1;
  for (int i = (*n)++; i > k; i--) chain[i] = chain[i - 1];
  chain[k] = dof;
  return 0;
}

// Dofs that move any of the bodies, ascending. A dof that is listed brought its ancestors along.
static int manyBodyChain(const snModel* m, const snContactSide side[2], int* chain) {
  int n = 0;
  for (int s = 0; s < 2; s++) {
    for (int k = 0; k < side[s].n; k++) {
      int dof = sn_lastDof(m, side[s].body[k]);
      while (dof >= 0 && !insertDof(chain, &n, dof)) dof = m->dof_parentid[dof];
    }
  }
  return n;
}

// ---- rows ----------------------------------------------------------------------------------------

static int contactRows(const snModel* m, const snContact* con) {
  if (con->dim == 1) return 1;
  return sn_isPyramidal(m) ? 2 * (con->dim - 1) : con->dim;
}

int sn_blockRows(const snModel* m, const snData* d, int type, int id) {
  switch (type) {
    case snCNSTR_EQUALITY:
      return m->eq_type[id] == snEQ_CONNECT ? 3 : m->eq_type[id] == snEQ_WELD ? 6 : 1;
    case snCNSTR_CONTACT_PYRAMIDAL: return 2 * (d->contact[id].dim - 1);
    case snCNSTR_CONTACT_ELLIPTIC: return d->contact[id].dim;
    default: return 1;
  }
}

// edges of the friction pyramid: normal plus and minus mu times each friction direction
static void pyramidRows(const snContact* con, int n, const snReal* SN_RESTRICT jacobian,
                        snReal* SN_RESTRICT J) {
  for (int j = 1; j < con->dim; j++) {
    const snReal* tangent = jacobian + j * n;
    snReal mu = con->friction[j - 1];
    snReal *plus = J + (2 * j - 2) * n, *minus = plus + n;
    for (int k = 0; k < n; k++) {
      snReal slide = mu * tangent[k];
      plus[k] = jacobian[k] + slide;
      minus[k] = jacobian[k] - slide;
    }
  }
}

static void closeContact(snRowBuilder* b, int id, int nrow, int n) {
  snContact* con = b->d->contact + id;
  int elliptic = con->dim > 1 && !sn_isPyramidal(b->m);
  snReal pos[10];
  for (int r = 0; r < nrow; r++) pos[r] = elliptic && r ? 0 : con->dist;

  snRowInfo info;
  memset(&info, 0, sizeof(info));
  info.type = con->dim == 1 ? snCNSTR_CONTACT_FRICTIONLESS
              : elliptic    ? snCNSTR_CONTACT_ELLIPTIC
                            : snCNSTR_CONTACT_PYRAMIDAL;
  info.id = id;
  info.keep_empty = 1;
  info.pos = pos;
  info.margin = con->includemargin;
  con->efc_address = b->nrow;
  sn_closeRows(b, nrow, n, b->chain, &info);
  if (elliptic) {
    for (int r = 1; r < nrow; r++) b->d->efc_margin[con->efc_address + r] = 0;
  }
}

// both sides are carried by one body each?
static int isTwoBody(const snModel* m, const snContact* con) {
  for (int s = 0; s < 2; s++) {
    if (con->geom[s] < 0 && (con->vert[s] < 0 || m->flex_interp[con->flex[s]])) return 0;
  }
  return 1;
}

// the dofs of a contact into b->chain; their number alone when counting
static int contactChain(snRowBuilder* b, const snContact* con, int two, snContactSide side[2]) {
  const snModel* m = b->m;
  sn_contactSide(m, b->d, con, 0, &side[0]);
  sn_contactSide(m, b->d, con, 1, &side[1]);
  int body1 = side[0].body[0], body2 = side[1].body[0];
  if (!two) return manyBodyChain(m, side, b->chain);
  if (b->counting) return chainLength(m, body1, body2);
  return markedChain(m, body1, body2, b->chain, b->mark);
}

static void addContact(snRowBuilder* b, int id) {
  const snModel* m = b->m;
  snContact* con = b->d->contact + id;
  snContactSide side[2];
  int two = isTwoBody(m, con), n = contactChain(b, con, two, side);
  if (!n && b->sparse) {
    con->exclude = 3;
    con->efc_address = -1;
    return;
  }
  int nrow = contactRows(m, con);
  snReal* J = sn_openRows(b, nrow, n, 1);
  if (!J) return;

  int pyramid = con->dim > 1 && sn_isPyramidal(m);
  snReal* jacobian = pyramid ? b->jacobian : J;
  if (two) {
    int body[2] = {side[0].body[0], side[1].body[0]};
    twoBodyJacobian(m, b->d, con, body, con->dim, n, b->chain, b->mark, jacobian);
  } else {
    manyBodyJacobian(m, b->d, con, side, con->dim, n, b->chain, b->jacobian + 6 * m->nv, jacobian);
  }
  if (pyramid) pyramidRows(con, n, jacobian, J);
  closeContact(b, id, nrow, n);
}

void sn_addContactRows(snRowBuilder* b) {
  for (int id = 0; id < b->d->ncon; id++) {
    if (b->counting) b->d->contact[id].efc_address = -1;
    if (!b->d->contact[id].exclude) addContact(b, id);
  }
}

// ---- rows by a team ------------------------------------------------------------------------------

snRowSpan sn_contactSpan(const snModel* m, snData* d, int id) {
  snContact* con = d->contact + id;
  snRowSpan span = {0, 0, 0, 0};
  con->efc_address = -1;
  if (con->exclude) return span;
  if (con->geom[0] < 0 || con->geom[1] < 0) {
    span.count = SN_ODD;
    return span;
  }
  snChainPair pair = sn_chainPair(m, m->geom_bodyid[con->geom[0]], m->geom_bodyid[con->geom[1]]);
  span.width = sn_pairLength(&pair);
  if (!span.width && sn_isSparse(m)) {
    con->exclude = 3;
  } else {
    span.count = contactRows(m, con);
  }
  return span;
}

// all but the entries of rows r, r + SN_BLOCK_LANES ... of a contact
static void setContactRows(const snModel* m, snData* d, int id, const snRowSpan* span, int r) {
  snContact* con = d->contact + id;
  int elliptic = con->dim > 1 && !sn_isPyramidal(m);
  int type = con->dim == 1 ? snCNSTR_CONTACT_FRICTIONLESS
             : elliptic    ? snCNSTR_CONTACT_ELLIPTIC
                           : snCNSTR_CONTACT_PYRAMIDAL;
  snReal dist = con->dist, margin = con->includemargin;
  if (r == 0) con->efc_address = span->row;
  SN_PLAIN_LOOP for (; r < span->count; r += SN_BLOCK_LANES) {
    int tangent = elliptic && r;
    sn_setRow(d, span, r, type, id, tangent ? 0 : dist, tangent ? 0 : margin, 0);
  }
}

// one entry of row r of twoBodyJacobian
static snReal contactEntry(const snReal* frame, const snReal offset[3], snReal sign, int r,
                           const snReal motion[6]) {
  snReal row[6], axis[3];
  snu_scl3(axis, frame + (r < 3 ? 3 * r : 3 * r - 9), sign);
  unitWrench(row, offset, axis, r);
  return sn_dot6(row, motion);
}

// column k of a block
static void setContactColumn(const snEntries* entries, const snContact* con, const snRowSpan* span,
                             int k, int dof, const snReal offset[3], int which,
                             const snReal motion[6]) {
  int n = span->width, row = span->row, place = span->entry + k, dim = con->dim;
  snReal normal = which ? contactEntry(con->frame, offset, (snReal)which, 0, motion) : 0;
  if (span->count == dim) sn_setEntry(entries, row, place, dof, normal);
  SN_PLAIN_LOOP for (int j = 1; j < dim; j++) {
    snReal value = which ? contactEntry(con->frame, offset, (snReal)which, j, motion) : 0;
    if (span->count == dim) {
      sn_setEntry(entries, row + j, place + j * n, dof, value);
    } else {
      snReal slide = con->friction[j - 1] * value;
      int r = 2 * j - 2;
      sn_setEntry(entries, row + r, place + r * n, dof, normal + slide);
      sn_setEntry(entries, row + r + 1, place + (r + 1) * n, dof, normal - slide);
    }
  }
}

void sn_fillContactRows(const snModel* m, snData* d, const snRowSpan* span) {
  snEntries entries = sn_rowEntries(m, d);
  SN_FOR(i, d->ncon * SN_BLOCK_LANES) {
    int id = i / SN_BLOCK_LANES;
    const snContact* con = d->contact + id;
    snRowSpan own = span[id];
    if (!own.count) continue;
    setContactRows(m, d, id, &own, i % SN_BLOCK_LANES);
    int body1 = m->geom_bodyid[con->geom[0]], body2 = m->geom_bodyid[con->geom[1]];
    snChainPair pair = sn_chainPair(m, body1, body2);
    const snReal* com1 = d->subtree_com + 3 * m->body_rootid[body1];
    const snReal* com2 = d->subtree_com + 3 * m->body_rootid[body2];
    SN_PLAIN_LOOP for (int k = i % SN_BLOCK_LANES; k < own.width; k += SN_BLOCK_LANES) {
      int which, dof = sn_pairDof(&pair, k, &which);
      snReal offset[3];
      snu_sub3(offset, con->pos, which > 0 ? com2 : com1);
      setContactColumn(&entries, con, &own, k, dof, offset, which, d->cdof + 6 * dof);
    }
  }
}
