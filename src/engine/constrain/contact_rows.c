// Rows of contacts: the normal, friction directions as pyramid edges or as a cone.

#include <string.h>

#include "base/assert.h"
#include "engine/constrain/constraint.h"
#include "engine/constrain/contact_side.h"
#include "engine/smooth/jacobian.h"
#include "math/four.h"
#include "math/math.h"
#include "model/object_types.h"

// ---- dofs ----------------------------------------------------------------------------------------

// Finds the two bodies of a contact; returns 0 if a side is carried by several bodies (an element of a flex).
static int twoBodies(const snModel* m, const snContact* con, int body[2]) {
  for (int s = 0; s < 2; s++) {
    int flex = con->flex[s];
    if (con->geom[s] >= 0) {
      body[s] = m->geom_bodyid[con->geom[s]];
    } else if (con->vert[s] >= 0 && !m->flex_interp[flex]) {
      body[s] = m->flex_vertbodyid[m->flex_vertadr[flex] + con->vert[s]];
    } else {
      return 0;
    }
  }
  return 1;
}

// Most dofs of a contact that fit local memory: an element of four vertices and a long chain.
enum { OWN_DOFS = 48 };

// Put a dof into an ascending list: 1 when it is there already, -1 when there is no room for it.
static int insertDof(int* chain, int* n, int dof, int room) {
  SN_ASSERT(*n >= 0 && *n <= room && dof >= 0);
  int k = *n;
  while (k > 0 && chain[k - 1] > dof) k--;
  if (k > 0 && chain[k - 1] == dof) return 1;
  if (*n == room) return -1;
  for (int i = (*n)++; i > k; i--) chain[i] = chain[i - 1];
  chain[k] = dof;
  return 0;
}

// Dofs that move any of the bodies, ascending; -1 when there is no room for them. A dof that is listed
// brought its ancestors along.
static int manyBodyChain(const snModel* m, const snData* d, const snContact* con,
                         snContactSide side[2], int* chain, int room) {
  int n = 0;
  for (int s = 0; s < 2; s++) {
    sn_contactSide(m, d, con, s, &side[s]);
    for (int k = 0; k < side[s].n; k++) {
      int dof = sn_lastDof(m, side[s].body[k]);
      int there = 0;
      for (; dof >= 0 && !there; dof = m->dof_parentid[dof]) {
        there = insertDof(chain, &n, dof, room);
      }
      if (there < 0) return -1;
    }
  }
  return n;
}

// ---- spans ---------------------------------------------------------------------------------------

// whether the rows of a contact are its directions themselves
static int isCone(const snModel* m, const snContact* con) {
  return con->dim == 1 || !sn_isPyramidal(m);
}

int sn_blockRows(const snModel* m, const snData* d, int type, int id) {
  switch (type) {
    case snCNSTR_EQUALITY: return sn_equalityRows(m->eq_type[id]);
    case snCNSTR_CONTACT_PYRAMIDAL: return sn_contactRowCount(d->contact[id].dim, 1);
    case snCNSTR_CONTACT_ELLIPTIC: return d->contact[id].dim;
    default: return 1;
  }
}

static snRowSpan contactSpan(const snModel* m, snContact* con, int width) {
  SN_ASSERT(width >= 0);
  snRowSpan span = {0, width, 0, 0, 0};
  if (!width && sn_isSparse(m)) {
    con->exclude = snEXCLUDE_NODOFS;
  } else {
    span.count = sn_contactRowCount(con->dim, sn_isPyramidal(m));
    span.nnz = span.count * width;
  }
  return span;
}

// Span of a contact of more than two bodies, with local memory; count -1: it has too many dofs for that.
static SN_OUTLINE snRowSpan ownSpan(const snModel* m, const snData* d, snContact* con) {
  int chain[OWN_DOFS];
  snContactSide side[2];
  int width = manyBodyChain(m, d, con, side, chain, OWN_DOFS);
  snRowSpan later = {-1, 0, 0, 0, 0};
  return width < 0 ? later : contactSpan(m, con, width);
}

void sn_contactSpans(const snModel* m, const snData* d, snRowSpan* span, int begin, int end) {
  int body[2];
  SN_FOR(k, end - begin) {
    int id = begin + k;
    snContact* con = d->contact + id;
    con->efc_address = -1;
    if (con->exclude) {
      span[id] = sn_rowSpan(0, 0);
    } else if (twoBodies(m, con, body)) {
      snChainPair pair = sn_chainPair(m, body[0], body[1]);
      span[id] = contactSpan(m, con, sn_pairLength(&pair));
    } else {
      span[id] = ownSpan(m, d, con);
    }
  }
}

void sn_longContactSpans(const snModel* m, const snData* d, snRowSpan* span, int* chain) {
  int more = 0;
  SN_FOR(id, d->ncon) more |= span[id].count < 0;
  if (!sn_teamAny(more)) return;
  SN_SYNC();
  SN_ONE for (int id = 0; id < d->ncon; id++) {
    snContact* con = d->contact + id;
    snContactSide side[2];
    if (span[id].count >= 0) continue;
    span[id] = contactSpan(m, con, manyBodyChain(m, d, con, side, chain, (int)m->nv));
  }
}

// ---- rows ----------------------------------------------------------------------------------------

// all but the entries of rows r, r + step ... of a contact
static void setContactRows(const snModel* m, snData* d, int id, const snRowSpan* span, int r,
                           int step) {
  SN_ASSERT_INDEX(id, d->ncon);
  snContact* con = d->contact + id;
  int type = sn_contactRowType(con->dim, sn_isPyramidal(m));
  int elliptic = type == snCNSTR_CONTACT_ELLIPTIC;
  snReal dist = con->dist, margin = con->includemargin;
  if (r == 0) con->efc_address = span->row;
  SN_PLAIN_LOOP for (; r < span->count; r += step) {
    int tangent = elliptic && r;
    sn_setRow(d, span, r, type, id, tangent ? 0 : dist, tangent ? 0 : margin, 0);
  }
}

// one entry, and on to the same column of the next row, n entries on
SN_KERNEL void putEntry(snEntries* at, int n, int dof, snReal value) {
  *at->sparse = value;
  *at->col = dof;
  at->sparse += n;
  at->col += n;
  if (at->dense) {
    *at->dense = value;
    at->dense += at->nv;
  }
}

// Column k of a contact's rows from that of the Jacobian in the contact frame (normal, tangents, spin,
// roll): the same in a cone; in a pyramid the normal plus and minus mu times each friction direction.
SN_KERNEL void setContactColumn(const snEntries* entries, const snContact* con,
                                const snRowSpan* span, int cone, int k, int dof,
                                const snReal column[6]) {
  SN_ASSERT_INDEX(k, span->width);
  int n = span->width, dim = con->dim;
  snEntries at = *entries;
  at.sparse += span->entry + k;
  at.col += span->entry + k;
  if (at.dense) at.dense += span->row * at.nv + dof;
  if (cone) putEntry(&at, n, dof, column[0]);
  SN_UNROLL
  for (int j = 1; j < 6; j++) {
    if (j >= dim) break;
    if (cone) {
      putEntry(&at, n, dof, column[j]);
    } else {
      snReal slide = con->friction[j - 1] * column[j];
      putEntry(&at, n, dof, column[0] + slide);
      putEntry(&at, n, dof, column[0] - slide);
    }
  }
}

// With the axis w and the translation t of a dof about the tree's centre c, row a of the Jacobian is
// a . (t + w x r), r = pos - c: the unit wrench (r x a, a) times (w, t), negative for the first body;
// spin and roll are a . w.
SN_KERNEL void unitWrench(snReal wrench[6], const snReal frame[9], const snReal offset[3],
                          snReal sign, int r) {
  SN_ASSERT(r >= 0 && r < 6);
  snReal axis[3];
  snu_scl3(axis, frame + (r < 3 ? 3 * r : 3 * r - 9), sign);
  if (r < 3) {
    snu_cross(wrench, offset, axis);
    snu_copy3(wrench + 3, axis);
  } else {
    snu_copy3(wrench, axis);
    snu_zero3(wrench + 3);
  }
}

// Columns k, k + step ... of two bodies that touch at con->pos. Common ancestors cannot move the
// bodies apart. Lanes, which have few registers, make the wrenches again for each column.
static void shareTwoBodies(const snModel* m, const snData* d, const snEntries* entries,
                           const snContact* con, const snRowSpan* span, const int body[2], int k,
                           int step) {
  SN_ASSERT_INDEX2(body[0], body[1], m->nbody);
  snChainPair pair = sn_chainPair(m, body[0], body[1]);
  snReal offset[2][3], wrench[6];
  int cone = isCone(m, con);
  for (int s = 0; s < 2; s++) {
    snu_sub3(offset[s], con->pos, d->subtree_com + 3 * m->body_rootid[body[s]]);
  }
  SN_PLAIN_LOOP for (; k < span->width; k += step) {
    int which, dof = sn_pairDof(&pair, k, &which), s = which > 0;
    snReal column[6] = {0, 0, 0, 0, 0, 0};
    SN_UNROLL
    for (int r = 0; r < 6; r++) {
      if (!which || r >= con->dim) break;
      unitWrench(wrench, con->frame, offset[s], (snReal)which, r);
      column[r] = sn_dot6(wrench, d->cdof + 6 * dof);
    }
    setContactColumn(entries, con, span, cone, k, dof, column);
  }
}

// ---- rows by one lane: directions side by side ------------------------------------------------------

// Components of the unit wrenches of one body, for each direction: normal, tangents, spin, roll.
typedef struct Wrenches_ {
  snReal component[6][8];
} Wrenches;

static void makeWrenches(Wrenches* w, const snContact* con, const snReal center[3], snReal sign) {
  snReal offset[3], wrench[6];
  snu_sub3(offset, con->pos, center);
  for (int r = 0; r < (con->dim > 4 ? 8 : 4); r++) {
    if (r < con->dim) unitWrench(wrench, con->frame, offset, sign, r);
    for (int c = 0; c < 6; c++) w->component[c][r] = r < con->dim ? wrench[c] : 0;
  }
}

// column[r] = sn_dot6 of the wrench of direction r and a dof, for the four directions from r on and each of n dofs
SN_KERNEL void dotWrenches(snReal (*column)[8], const Wrenches* w, const snReal* cdof,
                           const int* dof, int n, int r) {
#if SN_HAS_FOUR
  snFour w0 = SN_LOAD4(w->component[0] + r), w1 = SN_LOAD4(w->component[1] + r);
  snFour w2 = SN_LOAD4(w->component[2] + r), w3 = SN_LOAD4(w->component[3] + r);
  snFour w4 = SN_LOAD4(w->component[4] + r), w5 = SN_LOAD4(w->component[5] + r);
  for (int k = 0; k < n; k++) {
    const snReal* x = cdof + 6 * dof[k];
    *(snFour*)(column[k] + r) =
        ((w0 * x[0] + w2 * x[2]) + (w1 * x[1] + w3 * x[3])) + (w4 * x[4] + w5 * x[5]);
  }
#else
  for (int k = 0; k < n; k++) {
    for (int q = r; q < r + 4; q++) {
      snReal wrench[6];
      for (int c = 0; c < 6; c++) wrench[c] = w->component[c][q];
      column[k][q] = sn_dot6(wrench, cdof + 6 * dof[k]);
    }
  }
#endif
}

// Columns of a contact at a time.
enum { COLUMNS = 32 };

// Columns [first, first + n) of its rows: their dofs, and the Jacobian in the contact frame, eight numbers for each.
typedef struct Columns_ {
  int first, n;
  int dof[COLUMNS];
  snReal jac[COLUMNS][8];
} Columns;

#if SN_HAS_SHUFFLES
// Where four columns of a contact's rows go: the entries of the first row, and how far it is to those of the next.
typedef struct Place_ {
  snReal *value, *dense;
  int *col, width, nv;
} Place;

// Stores the entries of one row and moves on to the next. By pointer, because clang warns of vector arguments without
// AVX.
SN_KERNEL void putFour(Place* at, const int dof[4], const snFour* entries) {
  snFour value = *entries;
  *(snFour*)at->value = value;
  memcpy(at->col, dof, 4 * sizeof(int));
  at->value += at->width;
  at->col += at->width;
  if (!at->dense) return;
  if (dof[3] - dof[0] == 3) {
    *(snFour*)(at->dense + dof[0]) = value;
  } else {
    for (int k = 0; k < 4; k++) at->dense[dof[k]] = value[k];
  }
  at->dense += at->nv;
}

// What setContactColumn makes of four columns of a contact of one or three directions.
SN_KERNEL void putFourColumns(Place at, const int* dofs, const snReal (*jac)[8], int cone, int dim,
                              const snReal mu[2]) {
  const int dof[4] = {dofs[0], dofs[1], dofs[2], dofs[3]};
  snFour a = SN_LOAD4(jac[0]), b = SN_LOAD4(jac[1]), c = SN_LOAD4(jac[2]), d = SN_LOAD4(jac[3]);
  snFour even = __builtin_shufflevector(a, b, 0, 4, 2, 6);
  snFour odd = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  snFour even2 = __builtin_shufflevector(c, d, 0, 4, 2, 6);
  snFour odd2 = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  snFour normal = __builtin_shufflevector(even, even2, 0, 1, 4, 5);
  snFour tangent = __builtin_shufflevector(odd, odd2, 0, 1, 4, 5);
  snFour other = __builtin_shufflevector(even, even2, 2, 3, 6, 7);
  if (cone) {
    putFour(&at, dof, &normal);
    if (dim == 1) return;
    putFour(&at, dof, &tangent);
    putFour(&at, dof, &other);
    return;
  }
  tangent = mu[0] * tangent;
  other = mu[1] * other;
  snFour edge[4] = {normal + tangent, normal - tangent, normal + other, normal - other};
  for (int k = 0; k < 4; k++) putFour(&at, dof, edge + k);
}
#endif

// Groups of four columns, of which the last may overlap the one before, where there are as many.
SN_WIDE(static, void, putColumns,
        (const snEntries* entries, const snContact* con, const snRowSpan* span, int cone,
         const Columns* c),
        (entries, con, span, cone, c)) {
  int n = c->n, dim = con->dim;
#if SN_HAS_SHUFFLES
  if (n >= 4 && (dim == 3 || dim == 1)) {
    const snReal mu[2] = {con->friction[0], con->friction[1]};
    int place = span->entry + c->first;
    Place first = {entries->sparse + place, entries->dense, entries->col + place, span->width,
                   entries->nv};
    if (first.dense) first.dense += (snSize)span->row * first.nv;
    for (int k = 0;; k = k + 8 <= n ? k + 4 : n - 4) {
      Place at = first;
      at.value += k;
      at.col += k;
      putFourColumns(at, c->dof + k, c->jac + k, cone, dim, mu);
      if (k == n - 4) return;
    }
  }
#endif
  for (int k = 0; k < n; k++) {
    setContactColumn(entries, con, span, cone, c->first + k, c->dof[k], c->jac[k]);
  }
}

// The first of n ascending dofs, n of them at most, that come before the next dof of another branch, NULL: it has none.
SN_KERNEL int dofsBefore(const int* dof, int n, const int* other) {
  if (!other || dof[n - 1] < *other) return n;
  for (n = 0; dof[n] < *other;) n++;
  return n;
}

// The next dofs of two chains in ascending order that move the same body, at most `most`: their number, and whether
// that is the second body. i and j: how far the chains have been followed.
SN_KERNEL int nextRun(const snChainPair* pair, int i, int j, int most, int* second) {
  int ni = pair->nfirst - i, nj = pair->nsecond - j;
  const int *a = ni ? pair->first + i : NULL, *b = nj ? pair->second + j : NULL;
  *second = b && (!a || *b < *a);
  if (*second) return dofsBefore(b, nj < most ? nj : most, a);
  return dofsBefore(a, ni < most ? ni : most, b);
}

// All columns of two bodies that touch at con->pos. Common ancestors cannot move the bodies apart.
SN_WIDE(static, void, fillTwoBodies,
        (const snModel* m, const snData* d, const snEntries* entries, const snContact* con,
         const snRowSpan* span, const int body[2]),
        (m, d, entries, con, span, body)) {
  SN_ASSERT_INDEX2(body[0], body[1], m->nbody);
  snChainPair pair = sn_chainPair(m, body[0], body[1]);
  Wrenches wrenches[2];
  Columns columns;
  int cone = isCone(m, con), common = pair.ncommon, i = common, j = common, run, second;
  for (int s = 0; s < 2; s++) {
    const snReal* center = d->subtree_com + 3 * m->body_rootid[body[s]];
    int own = (s ? pair.nsecond : pair.nfirst) > common;
    if (own) makeWrenches(&wrenches[s], con, center, s ? 1 : -1);
  }
  columns.first = columns.n = 0;
  for (int k = 0; k < span->width; k += run) {
    const int* dof = pair.first + k;
    snReal(*column)[8] = columns.jac + columns.n;
    run = COLUMNS - columns.n;
    if (k < common) {
      if (run > common - k) run = common - k;
      for (int c = 0; c < run; c++) {
        for (int r = 0; r < 8; r++) column[c][r] = 0;
      }
    } else {
      run = nextRun(&pair, i, j, run, &second);
      dof = second ? pair.second + j : pair.first + i;
      *(second ? &j : &i) += run;
      dotWrenches(column, &wrenches[second], d->cdof, dof, run, 0);
      if (con->dim > 4) dotWrenches(column, &wrenches[second], d->cdof, dof, run, 4);
    }
    sn_copyFew(columns.dof + columns.n, dof, run);
    columns.n += run;
    if (columns.n < COLUMNS && k + run < span->width) continue;
    putColumns(entries, con, span, cone, &columns);
    columns.first += columns.n;
    columns.n = 0;
  }
}

// Three rows of n columns, along the axes of the world, are turned into the contact frame.
SN_KERNEL void turnRows(snReal* rows, const snReal frame[9], int n) {
  snReal *a = rows, *b = rows + n, *c = rows + 2 * n;
  int k = 0;
#if SN_HAS_FOUR
  for (; k + 4 <= n; k += 4) {
    snFour x = SN_LOAD4(a + k), y = SN_LOAD4(b + k), z = SN_LOAD4(c + k);
    *(snFour*)(a + k) = frame[0] * x + frame[1] * y + frame[2] * z;
    *(snFour*)(b + k) = frame[3] * x + frame[4] * y + frame[5] * z;
    *(snFour*)(c + k) = frame[6] * x + frame[7] * y + frame[8] * z;
  }
#endif
  for (; k < n; k++) {
    snReal x = a[k], y = b[k], z = c[k];
    a[k] = frame[0] * x + frame[1] * y + frame[2] * z;
    b[k] = frame[3] * x + frame[4] * y + frame[5] * z;
    c[k] = frame[6] * x + frame[7] * y + frame[8] * z;
  }
}

// Row r of a contact: the normal plus scale times a direction, or the direction itself where normal is NULL.
SN_KERNEL void putRow(const snEntries* entries, const snRowSpan* span, int r, const int* chain,
                      const snReal* SN_RESTRICT direction, const snReal* SN_RESTRICT normal,
                      snReal scale) {
  int n = span->width;
  snReal* SN_RESTRICT value = entries->sparse + span->entry + r * n;
  int* SN_RESTRICT col = entries->col + span->entry + r * n;
  if (normal) {
    for (int k = 0; k < n; k++) value[k] = normal[k] + scale * direction[k];
  } else {
    for (int k = 0; k < n; k++) value[k] = direction[k];
  }
  for (int k = 0; k < n; k++) col[k] = chain[k];
  if (!entries->dense) return;
  snReal* dense = entries->dense + (snSize)(span->row + r) * entries->nv;
  for (int k = 0; k < n; k++) dense[chain[k]] = value[k];
}

// The rows of setContactColumn, one after the other, from the Jacobian of the contact along the axes of the world.
SN_WIDE(static, void, putRows,
        (const snEntries* entries, const snContact* con, const snRowSpan* span, int cone,
         const int* chain, snReal* jac),
        (entries, con, span, cone, chain, jac)) {
  int n = span->width, dim = con->dim;
  turnRows(jac, con->frame, n);
  if (dim > 3) turnRows(jac + 3 * n, con->frame, n);
  if (cone) {
    for (int r = 0; r < dim; r++) putRow(entries, span, r, chain, jac + r * n, NULL, 0);
    return;
  }
  for (int j = 1; j < dim; j++) {
    snReal mu = con->friction[j - 1];
    putRow(entries, span, 2 * j - 2, chain, jac + j * n, jac, mu);
    putRow(entries, span, 2 * j - 1, chain, jac + j * n, jac, -mu);
  }
}

// the same as fillTwoBodies for weighted bodies on either side, accumulated body by body
static void fillManyBodies(const snModel* m, const snData* d, const snEntries* entries,
                           const snContact* con, const snRowSpan* span, int* chain, snReal* work) {
  snContactSide side[2];
  int n = manyBodyChain(m, d, con, side, chain, span->width), turns = con->dim > 3;
  snu_zero(work, (turns ? 6 : 3) * n);
  for (int s = 0; s < 2; s++) {
    for (int k = 0; k < side[s].n; k++) {
      snReal weight = s ? side[s].weight[k] : -side[s].weight[k];
      sn_jacAdd(m, d, work, turns ? work + 3 * n : NULL, con->pos, side[s].body[k], weight, n,
                chain);
    }
  }
  putRows(entries, con, span, isCone(m, con), chain, work);
}

// with local memory
static SN_OUTLINE void fillOwn(const snModel* m, const snData* d, const snEntries* entries,
                               const snContact* con, const snRowSpan* span) {
  int chain[OWN_DOFS];
  snReal work[6 * OWN_DOFS];
  fillManyBodies(m, d, entries, con, span, chain, work);
}

// Several lanes share the columns of a contact.
void sn_fillContactRows(const snModel* m, snData* d, const snRowSpan* span, int begin, int end) {
  snEntries entries = sn_rowEntries(m, d);
  int shift = SN_SPAN_SHIFT, step = 1 << shift, body[2];
  SN_FOR(i, (end - begin) << shift) {
    int id = begin + (i >> shift), k = i & (step - 1);
    const snContact* con = d->contact + id;
    snRowSpan own = span[id];
    if (!own.count) continue;
    setContactRows(m, d, id, &own, k, step);
    if (twoBodies(m, con, body)) {
      if (SN_LANES > 1) {
        shareTwoBodies(m, d, &entries, con, &own, body, k, step);
      } else {
        fillTwoBodies(m, d, &entries, con, &own, body);
      }
    } else if (own.width <= OWN_DOFS && !k) {
      fillOwn(m, d, &entries, con, &own);
    }
  }
}

void sn_fillLongContactRows(const snModel* m, snData* d, const snRowSpan* span, int* chain,
                            snReal* work) {
  snEntries entries = sn_rowEntries(m, d);
  int more = 0, body[2];
  SN_FOR(id, d->ncon) more |= span[id].count && span[id].width > OWN_DOFS;
  if (!sn_teamAny(more)) return;
  SN_SYNC();
  SN_ONE for (int id = 0; id < d->ncon; id++) {
    const snContact* con = d->contact + id;
    if (!span[id].count || span[id].width <= OWN_DOFS || twoBodies(m, con, body)) continue;
    fillManyBodies(m, d, &entries, con, span + id, chain, work);
  }
}
