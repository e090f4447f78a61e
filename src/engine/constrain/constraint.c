// Building the constraint rows: count, place, fill.

#include "engine/constrain/constraint.h"

#include "base/arena.h"
#include "base/assert.h"
#include "base/crew.h"
#include "base/error.h"
#include "engine/step/plan.h"
#include "engine/step/sleep.h"
#include "math/math.h"

int sn_isPyramidal(const snModel* m) { return m->opt.cone == snCONE_PYRAMIDAL; }

int sn_isSparse(const snModel* m) {
  return m->opt.jacobian == snJAC_SPARSE || (m->opt.jacobian == snJAC_AUTO && m->nv >= 60);
}

int sn_isDual(const snModel* m) {
  return m->opt.solver == snSOL_PGS || m->opt.noslip_iterations > 0;
}

// Have no rows been made since the last sn_clearConstraints?
static int isClear(const snData* d) {
  int some = d->ne | d->nf | d->nl | d->nefc | d->nMs | d->nisland | d->nidof;
  return !d->efc_type & !some & (d->parena == (size_t)d->ncon * sizeof(snContact));
}

// Is there nothing in the arena but contacts?
static void clearSizes(snData* d) {
  d->ne = d->nf = d->nl = d->nefc = 0;
  d->nJ = d->nA = d->nJs = d->nMs = d->niM = 0;
  d->nisland = d->nidof = d->ndeformcon = d->ndeformpair = 0;
  d->parena = (size_t)d->ncon * sizeof(snContact);
}

void sn_clearConstraints(snData* d) {
  if (isClear(d)) return;
#define X(type, name, rows, columns, stage, meaning) d->name = NULL;
  SN_DATA_ARENA_ROWS(X)
  SN_DATA_ARENA_ISLAND(X)
  SN_DATA_ARENA_DUAL(X)
  SN_DATA_ARENA_OWN(X)
  SN_DATA_ARENA_SYSTEM(X)
#undef X
  clearSizes(d);
}

// In snData the pointers to MuJoCo's arena arrays follow one another, from contact on, and so do our own, from efc_Js
// on.
#define X(type, name, rows, columns, stage, meaning) +1
enum { MUJOCO_POINTERS = SN_MUJOCO_DATA_ARENA(X), OWN_POINTERS = SN_OWN_DATA_ARENA(X) };
#undef X

void sn_clearContacts(snData* d) {
  if (SN_LANES > 1) {
    void** pointers = (void**)&d->contact;
    void** own = (void**)&d->efc_Js;
    SN_FOR(i, MUJOCO_POINTERS) pointers[i] = i ? NULL : d->arena;
    SN_FOR(i, OWN_POINTERS) own[i] = NULL;
    if (SN_LANE == 0) {
      d->ncon = 0;
      clearSizes(d);
    }
  } else {
    d->ncon = 0;
    sn_clearConstraints(d);
    d->contact = (snContact*)d->arena;
  }
}

// ---- candidates ----------------------------------------------------------------------------------

// Spans of the candidates by kind, in the order of the rows: one list.
typedef struct Candidates_ {
  snRowSpan* equality;
  snRowSpan* dof_friction;
  snRowSpan* tendon_friction;
  snRowSpan* joint_limit;
  snRowSpan* tendon_limit;
  snRowSpan* contact;
  int n;
  int nrow, nnz;  // of all
  // scratch for models with flexes
  int* chain;
  snReal* work;
} Candidates;

// Does a dof or tendon have dry friction, a tendon a limit? A team does not check: its lanes take the lists in
// parallel.
static int hasFriction(const snModel* m) {
  int some = SN_LANES > 1;
  int nv = (int)m->nv, ntendon = (int)m->ntendon;
  return some || sn_skipZeros(m->dof_frictionloss, 0, nv) < nv ||
         sn_skipZeros(m->tendon_frictionloss, 0, ntendon) < ntendon;
}

static int hasTendonLimit(const snModel* m) {
  int some = SN_LANES > 1;
  for (int t = 0; !some && t < (int)m->ntendon; t++) some = m->tendon_limited[t] != 0;
  return some;
}

// the lists, without what is disabled
static void listCandidates(const snModel* m, const snData* d, Candidates* c, snRowSpan* list) {
  int disable = m->opt.disableflags;
  int friction = !(disable & snDSBL_FRICTIONLOSS) && hasFriction(m);
  int limit = !(disable & snDSBL_LIMIT);
  c->equality = list;
  if (!(disable & snDSBL_EQUALITY) && m->nemax) list += m->neq;
  c->dof_friction = list;
  if (friction) list += m->nv;
  c->tendon_friction = list;
  if (friction) list += m->ntendon;
  c->joint_limit = list;
  if (limit) list += m->njnt;
  c->tendon_limit = list;
  if (limit && hasTendonLimit(m)) list += m->ntendon;
  c->contact = list;
  if (!(disable & snDSBL_CONTACT)) list += d->ncon;
  c->n = (int)(list - c->equality);
}

static int listsFriction(const Candidates* c) { return c->joint_limit > c->dof_friction; }
static int listsLimits(const Candidates* c) { return c->tendon_limit > c->joint_limit; }
static int listsTendonLimits(const Candidates* c) { return c->contact > c->tendon_limit; }
static int listsContacts(const Candidates* c) { return c->equality + c->n > c->contact; }

// Threads share the candidates in parts, each of which has some of every kind: joints and contacts of neighbouring
// trees are in the same part.
enum { PARTS = 64, LEAST_CANDIDATES = 256 };

// the first item of a part, or the end of the last
static int partOf(snSize n, int part) { return (int)(n * part / PARTS); }

// How many parts a thread takes at least; all of them where there are few candidates.
static int partsAtOnce(const Candidates* c) { return c->n < LEAST_CANDIDATES ? PARTS : 1; }

static void countSome(const snModel* m, snData* d, void* context, int begin, int end) {
  const Candidates* c = (const Candidates*)context;
  if (listsFriction(c)) {
    sn_dofSpans(m, d, c->dof_friction, partOf(m->nv, begin), partOf(m->nv, end));
  }
  if (listsLimits(c)) {
    sn_jointSpans(m, d, c->joint_limit, partOf(m->njnt, begin), partOf(m->njnt, end));
  }
  snRange range[2];
  if (!listsContacts(c)) return;
  sn_contactsOfParts(m, d, begin, end, PARTS, range);
  for (int k = 0; k < 2; k++) {
    sn_contactSpans(m, d, c->contact, range[k].begin, range[k].end);
  }
}

// The spans of all candidates.
static void countRows(const snModel* m, snData* d, const Candidates* c) {
  SN_ASSERT(c && d->ncon >= 0);
  if (c->dof_friction > c->equality) sn_equalitySpans(m, d, sn_someAsleep(m, d), c->equality);
  if (listsFriction(c)) sn_tendonFrictionSpans(m, d, c->tendon_friction);
  if (listsTendonLimits(c)) sn_tendonLimitSpans(m, d, c->tendon_limit);
  SN_SHARE(m, d, PARTS, partsAtOnce(c), countSome, (void*)c);
  if (m->nflex && listsContacts(c)) sn_longContactSpans(m, d, c->contact, c->chain);
  SN_SYNC();
}

// Place the rows of all candidates, by prefix sums.
static void placeRows(Candidates* c) {
  c->nrow = c->nnz = 0;
  for (int base = 0; base < c->n; base += SN_LANES) {
    int i = base + SN_LANE, own = i < c->n, nrow, nnz;
    snRowSpan* span = c->equality + i;
    int row = c->nrow + sn_teamScan(own ? span->count : 0, &nrow);
    int entry = c->nnz + sn_teamScan(own ? span->nnz : 0, &nnz);
    if (own) {
      span->row = row;
      span->entry = entry;
    }
    c->nrow += nrow;
    c->nnz += nnz;
  }
  SN_SYNC();
}

// rows before a candidate
static int rowsBefore(const Candidates* c, const snRowSpan* span) {
  return span < c->equality + c->n ? span->row : c->nrow;
}

// ---- rows ----------------------------------------------------------------------------------------

snEntries sn_rowEntries(const snModel* m, const snData* d) {
  SN_ASSERT(d->nefc >= 0);
  snEntries entries;
  entries.sparse = d->efc_Js;
  entries.col = d->efc_J_colind;
  entries.dense = sn_isSparse(m) ? NULL : d->efc_J;
  entries.nv = (int)m->nv;
  return entries;
}

// arrays for the counted rows; 0 when the arena is full
static int allocateRows(const snModel* m, snData* d, int sparse, int nrow, int nnz) {
  SN_ASSERT(nrow >= 0 && nnz >= 0);
  char* place = (char*)d->arena + d->parena;
  d->nefc = nrow;
  d->nJ = sparse ? nnz : nrow * (int)m->nv;
  d->nJs = nnz;
  SN_DATA_ARENA_ROWS(SN_ARENA_PLACE)
  if (sparse) {
    d->efc_Js = d->efc_J;
  } else {
    SN_ARENA_PLACE(real, efc_Js, SN_D(nJs), 1, POS, "")
  }
  return sn_arenaTakeUpTo(d, place);
}

static SN_OUTLINE void overflow(snData* d) {
  sn_clearConstraints(d);
  for (int k = 0; k < d->ncon; k++) d->contact[k].efc_address = -1;
  sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
}

// Sets the numbers of rows and allocates their arrays; 0 when the arena is full.
static int makeRoom(const snModel* m, snData* d, const Candidates* c) {
  int ne = rowsBefore(c, c->dof_friction), nf = rowsBefore(c, c->joint_limit);
  int nl = rowsBefore(c, c->contact), full = 0;
  if (SN_LANE == 0) {
    d->ne = ne;
    d->nf = nf - ne;
    d->nl = nl - nf;
  }
  if (!c->nrow) return 1;
  SN_ONE full = !allocateRows(m, d, sn_isSparse(m), c->nrow, c->nnz);
  SN_SYNC();
  return !sn_teamFromInt(full, 0);
}

// Does the candidate have rows, or would it have them if a dof moved it?
static int isActive(const snRowSpan* span) { return span->count || span->width == SN_EMPTY; }

// tendon_efcadr: the number of a tendon's first equality; else its first row, of friction or of a
// limit, if it has one or would have
static void addressTendons(const snModel* m, snData* d, const Candidates* c) {
  int friction = c->joint_limit > c->tendon_friction, limits = c->contact > c->tendon_limit;
  SN_FOR(t, m->ntendon) {
    int adr = -1;
    if (limits && isActive(c->tendon_limit + t)) adr = c->tendon_limit[t].row;
    if (friction && isActive(c->tendon_friction + t)) adr = c->tendon_friction[t].row;
    d->tendon_efcadr[t] = adr;
  }
  SN_SYNC();
  SN_ONE for (int eq = (int)(c->dof_friction - c->equality) - 1; eq >= 0; eq--) {
    if (m->eq_type[eq] != snEQ_TENDON || !isActive(c->equality + eq)) continue;
    d->tendon_efcadr[m->eq_obj1id[eq]] = eq;
    if (m->eq_obj2id[eq] >= 0) d->tendon_efcadr[m->eq_obj2id[eq]] = eq;
  }
}

static void fillSome(const snModel* m, snData* d, void* context, int begin, int end) {
  const Candidates* c = (const Candidates*)context;
  if (d->nf) sn_fillDofRows(m, d, c->dof_friction, partOf(m->nv, begin), partOf(m->nv, end));
  if (d->nl && listsLimits(c)) {
    sn_fillJointRows(m, d, c->joint_limit, partOf(m->njnt, begin), partOf(m->njnt, end));
  }
  if (c->nrow <= d->ne + d->nf + d->nl) return;
  snRange range[2];
  sn_contactsOfParts(m, d, begin, end, PARTS, range);
  for (int k = 0; k < 2; k++) {
    sn_fillContactRows(m, d, c->contact, range[k].begin, range[k].end);
  }
}

// In pieces: the C library clears what is longer by an instruction that begins slowly.
static void zeroDense(snData* d) {
  enum { PIECE = 128 };
  for (int k = 0; k < d->nJ; k += PIECE) {
    snu_zero(d->efc_J + k, d->nJ - k < PIECE ? d->nJ - k : PIECE);
  }
}

static void fillRows(const snModel* m, snData* d, const Candidates* c) {
  if (!sn_isSparse(m)) {
    if (SN_LANES > 1) {
      sn_zeroShared(d->efc_J, d->nJ);
    } else {
      zeroDense(d);
    }
    SN_SYNC();
  }
  if (m->ntendon) addressTendons(m, d, c);
  if (d->ne) sn_fillEqualityRows(m, d, c->equality);
  if (d->nf) sn_fillTendonFrictionRows(m, d, c->tendon_friction);
  if (d->nl && listsTendonLimits(c)) sn_fillTendonLimitRows(m, d, c->tendon_limit);
  SN_SHARE(m, d, PARTS, partsAtOnce(c), fillSome, (void*)c);
  if (m->nflex && c->nrow > d->ne + d->nf + d->nl) {
    sn_fillLongContactRows(m, d, c->contact, c->chain, c->work);
  }
  SN_SYNC();
}

// MuJoCo drops equalities whose rows are all zero in the dense layout. Returns whether there are any.
static int dropZeros(const snModel* m, snData* d, const Candidates* c) {
  int zero = 0;
  if (!c->nrow || sn_isSparse(m) || !d->ne) return 0;
  SN_FOR(eq, m->neq) {
    snRowSpan* span = c->equality + eq;
    if (!span->count || !snu_isZero(d->efc_Js + span->entry, span->nnz)) continue;
    span->count = span->nnz = 0;
    span->width = SN_EMPTY;
    zero = 1;
  }
  if (!sn_teamAny(zero)) return 0;
  SN_SYNC();
  SN_SOLO(sn_clearConstraints(d));
  return 1;
}

static void buildCandidates(const snModel* m, snData* d, Candidates* c) {
  countRows(m, d, c);
  do {
    placeRows(c);
    if (!makeRoom(m, d, c)) {
      SN_ONE overflow(d);
      return;
    }
    if (c->nrow) fillRows(m, d, c);
  } while (dropZeros(m, d, c));
  if (c->nrow) sn_makeImpedance(m, d);
}

static SN_OUTLINE void buildRows(const snModel* m, snData* d) {
  Candidates c;
  sn_markStack(d);
  snRowSpan* list = SN_STACK(d, snRowSpan, m->neq + m->nv + 2 * m->ntendon + m->njnt + d->ncon);
  c.chain = m->nflex ? SN_STACK(d, int, m->nv) : NULL;
  c.work = m->nflex ? SN_STACK(d, snReal, 6 * m->nv) : NULL;
  if (list && (!m->nflex || (c.chain && c.work))) {
    listCandidates(m, d, &c, list);
    buildCandidates(m, d, &c);
  } else {
    SN_ONE overflow(d);
  }
  sn_freeStack(d);
}

// ---- stage ---------------------------------------------------------------------------------------

// contacts of passive flexes act as springs, not as rows
static void excludePassive(const snModel* m, snData* d) {
  SN_FOR(k, d->ncon) {
    snContact* con = d->contact + k;
    for (int side = 0; side < 2; side++) {
      if (con->flex[side] >= 0 && m->flex_passive[con->flex[side]]) {
        con->exclude = snEXCLUDE_PASSIVE;
        con->efc_address = -1;
      }
    }
  }
  SN_SYNC();
}

// Can no candidate have a row: nothing awake, no contacts, no active equalities?
static int restsWithoutRows(const snModel* m, const snData* d) {
  return SN_LANES == 1 && sn_someAsleep(m, d) && !d->ntree_awake && !d->ncon && !m->neq &&
         !m->ntendon && !m->nflex;
}

static SN_OUTLINE void buildAnyRows(const snModel* m, snData* d) {
  if (restsWithoutRows(m, d)) return;
  if (m->nflex) excludePassive(m, d);
  buildRows(m, d);
  if (SN_LANE == 0) {
    if (d->ncon > d->maxuse_con) d->maxuse_con = d->ncon;
    if (d->nefc > d->maxuse_efc) d->maxuse_efc = d->nefc;
  }
}

static SN_OUTLINE void clearBefore(snData* d) {
  SN_SYNC();
  SN_SOLO(sn_clearConstraints(d));
}

// Programs written for MuJoCo read the arrays of rows even if there are no rows: empty ones are allocated. On a GPU
// nobody reads them.
static SN_OUTLINE void placeNoRows(const snModel* m, snData* d) {
  if (!d->efc_type && !allocateRows(m, d, sn_isSparse(m), 0, 0)) {
    sn_clearConstraints(d);  // the arena is full: there are no rows
    return;
  }
  for (int t = 0; t < m->ntendon; t++) d->tendon_efcadr[t] = -1;
}

SN_STAGE void sn_makeConstraint(const snModel* m, snData* d) {
  SN_ASSERT(d->ncon >= 0);
  if (!isClear(d)) clearBefore(d);
  if (m->opt.disableflags & snDSBL_CONSTRAINT) {
    SN_SYNC();
    return;
  }
  if (m->nv && (!sn_plans(m, d, snPLAN_ROWS) || !sn_makeRowsByLanes(m, d))) buildAnyRows(m, d);
  if (SN_LANES == 1 && !d->nefc) placeNoRows(m, d);
  SN_SYNC();
}
