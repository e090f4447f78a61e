// Building the constraint rows: two passes over the builders, storage, order.

#include "engine/constrain/constraint.h"

#include <string.h>

#include "base/arena.h"
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

// nothing was built since they were cleared
static int isClear(const snData* d) {
  int some = d->ne | d->nf | d->nl | d->nefc | d->nMs | d->nisland | d->nidof;
  return !d->efc_type & !some & (d->parena == (size_t)d->ncon * sizeof(snContact));
}

// nothing is there but the contacts
static void clearSizes(snData* d) {
  d->ne = d->nf = d->nl = d->nefc = 0;
  d->nJ = d->nA = d->nJs = d->nMs = d->niM = 0;
  d->nisland = d->nidof = 0;
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

// The pointers into the arena stand one after the other, that of the contacts first.
#define X(type, name, rows, columns, stage, meaning) +1
enum { ARENA_POINTERS = SN_DATA_ARENA(X) };
#undef X

void sn_clearContacts(snData* d) {
  if (SN_LANES > 1) {
    void** pointers = (void**)&d->contact;
    SN_FOR(i, ARENA_POINTERS) pointers[i] = i ? NULL : d->arena;
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

// ---- blocks of rows ------------------------------------------------------------------------------

snReal* sn_openRows(snRowBuilder* b, int nrow, int n, int keep_empty) {
  if (b->sparse && n == 0 && !keep_empty) return NULL;
  if (b->counting) {
    b->nrow += nrow;
    b->nnz += nrow * n;
    return NULL;
  }
  return b->d->efc_Js + b->nnz;
}

// dense copy of a block
static void scatterRows(snRowBuilder* b, int nrow, int n, const int* chain, const snReal* value) {
  int nv = (int)b->m->nv;
  snReal* dense = b->d->efc_J + (size_t)b->nrow * nv;
  snu_zero(dense, nrow * nv);
  for (int r = 0; r < nrow; r++, dense += nv, value += n) {
    for (int k = 0; k < n; k++) dense[chain[k]] = value[k];
  }
}

void sn_closeRows(snRowBuilder* b, int nrow, int n, const int* chain, const snRowInfo* info) {
  snData* d = b->d;
  const snReal* value = d->efc_Js + b->nnz;
  if (!b->sparse) {
    if (!info->keep_empty && snu_isZero(value, nrow * n)) return;
    scatterRows(b, nrow, n, chain, value);
  }
  for (int r = 0; r < nrow; r++) {
    int row = b->nrow + r, adr = b->nnz + r * n;
    d->efc_type[row] = info->type;
    d->efc_id[row] = info->id;
    d->efc_pos[row] = info->pos ? info->pos[r] : 0;
    d->efc_margin[row] = info->margin;
    d->efc_frictionloss[row] = info->frictionloss;
    d->efc_J_rownnz[row] = n;
    d->efc_J_rowadr[row] = adr;
    d->efc_J_rowsuper[row] = nrow - 1 - r;
    memcpy(d->efc_J_colind + adr, chain, (size_t)n * sizeof(int));
  }
  b->nrow += nrow;
  b->nnz += nrow * n;
}

// ---- passes --------------------------------------------------------------------------------------

static void buildRows(snRowBuilder* b) {
  snData* d = b->d;
  int disable = b->m->opt.disableflags;
  b->nrow = b->nnz = 0;
  if (!(disable & snDSBL_EQUALITY) && b->m->nemax) sn_addEqualityRows(b);
  d->ne = b->nrow;
  if (!(disable & snDSBL_FRICTIONLOSS)) sn_addFrictionRows(b);
  d->nf = b->nrow - d->ne;
  if (!(disable & snDSBL_LIMIT)) sn_addLimitRows(b);
  d->nl = b->nrow - d->ne - d->nf;
  if (!(disable & snDSBL_CONTACT)) sn_addContactRows(b);
}

// arrays for the counted rows; 0 when the arena is full
static int allocateRows(const snModel* m, snData* d, int sparse, int nrow, int nnz) {
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

static void buildCounted(const snModel* m, snData* d, snRowBuilder* b) {
  b->counting = 1;
  buildRows(b);
  if (!b->nrow) {
    d->nefc = 0;
    return;
  }
  if (!allocateRows(m, d, b->sparse, b->nrow, b->nnz)) {
    overflow(d);
    return;
  }
  for (int t = 0; t < (int)m->ntendon; t++) d->tendon_efcadr[t] = -1;
  b->counting = 0;
  buildRows(b);
  SN_ASSERT(b->nrow <= d->nefc && b->nnz <= d->nJs);
  d->nefc = b->nrow;
  d->nJs = b->nnz;
  if (d->nefc) sn_makeImpedance(m, d);
}

// contacts of passive flexes act as springs, not as rows
static void excludePassive(const snModel* m, snData* d) {
  SN_FOR(k, d->ncon) {
    snContact* con = d->contact + k;
    for (int side = 0; side < 2; side++) {
      if (con->flex[side] >= 0 && m->flex_passive[con->flex[side]]) {
        con->exclude = 4;
        con->efc_address = -1;
      }
    }
  }
  SN_SYNC();
}

// by the builders
static SN_OUTLINE void buildByOne(const snModel* m, snData* d) {
  sn_markStack(d);
  snRowBuilder b;
  memset(&b, 0, sizeof(b));
  b.m = m;
  b.d = d;
  b.sparse = sn_isSparse(m);
  b.chain = SN_STACK(d, int, m->nv);
  b.mark = SN_STACK(d, int, m->nv);
  b.jacobian = SN_STACK(d, snReal, 12 * m->nv);
  if (b.chain && b.mark && b.jacobian) {
    buildCounted(m, d, &b);
  } else {
    overflow(d);
  }
  sn_freeStack(d);
}

// ---- rows by a team ------------------------------------------------------------------------------

snEntries sn_rowEntries(const snModel* m, const snData* d) {
  snEntries entries;
  entries.sparse = d->efc_Js;
  entries.col = d->efc_J_colind;
  entries.dense = sn_isSparse(m) ? NULL : d->efc_J;
  entries.nv = (int)m->nv;
  return entries;
}

// Candidates by kind, in the order of the rows: one list.
typedef struct Plan_ {
  snRowSpan* equality;
  snRowSpan* dof_friction;
  snRowSpan* tendon_friction;
  snRowSpan* joint_limit;
  snRowSpan* tendon_limit;
  snRowSpan* contact;
  int ncandidate;
  int nrow, nnz;  // so far
  int large;      // more rows and entries than can be counted in one number
  int sparse;
  int asleep;
  int odd;  // something for the builders
} Plan;

enum {
  PACK = 10,            // bits for the rows of as many candidates as there are lanes
  MOST_DOFS = 1 << 12,  // so that their entries fit as well
};

// what rows a candidate needs
static snRowSpan spanOf(const snModel* m, snData* d, const Plan* plan, const snRowSpan* span) {
  if (span >= plan->contact) return sn_contactSpan(m, d, (int)(span - plan->contact));
  if (span >= plan->tendon_limit) {
    return sn_tendonLimitSpan(m, d, (int)(span - plan->tendon_limit));
  }
  if (span >= plan->joint_limit) {
    return sn_jointLimitSpan(m, d, (int)(span - plan->joint_limit), plan->asleep);
  }
  if (span >= plan->tendon_friction) {
    return sn_tendonFrictionSpan(m, d, (int)(span - plan->tendon_friction));
  }
  if (span >= plan->dof_friction) {
    return sn_dofFrictionSpan(m, d, (int)(span - plan->dof_friction), plan->asleep);
  }
  int eq = (int)(span - plan->equality);
  if (plan->sparse && sn_isFlexEquality(m, eq)) return *span;
  return sn_equalitySpan(m, d, eq, plan->asleep);
}

// MuJoCo drops empty rows that are not of contacts, but notes tendons
static int emptyCount(const snModel* m, const Plan* plan, const snRowSpan* span) {
  int eq = (int)(span - plan->equality);
  return plan->sparse && span < plan->dof_friction && m->eq_type[eq] != snEQ_TENDON ? 0 : SN_ODD;
}

// rows and entries of the lanes before, and those of all added to the plan
static void placeSpan(Plan* plan, snRowSpan* own, int entries) {
  int total;
  if (plan->large) {
    own->row = plan->nrow + sn_teamScan(own->count, &total);
    plan->nrow += total;
    own->entry = plan->nnz + sn_teamScan(entries, &total);
    plan->nnz += total;
    return;
  }
  int before = sn_teamScan(own->count + (entries << PACK), &total);
  own->row = plan->nrow + (before & ((1 << PACK) - 1));
  own->entry = plan->nnz + (before >> PACK);
  plan->nrow += total & ((1 << PACK) - 1);
  plan->nnz += total >> PACK;
}

// count and place the rows of all candidates
static void placeRows(const snModel* m, snData* d, Plan* plan) {
  int n = plan->ncandidate, odd = 0;
  if (plan->large && plan->sparse && plan->dof_friction > plan->equality) {
    sn_flexSpans(m, d, plan->asleep, plan->equality);
  }
  for (int base = 0; base < n; base += SN_LANES) {
    int i = base + SN_LANE, flex = 0;
    snRowSpan own = {0, 0, 0, 0}, *span = plan->equality + i;
    if (i < n) own = spanOf(m, d, plan, span);
    if (own.count && !own.width && span < plan->contact) own.count = emptyCount(m, plan, span);
    if (own.count < 0) odd = 1, own.count = 0;
    if (plan->large && i < n && span < plan->dof_friction) flex = sn_isFlexEquality(m, i);
    placeSpan(plan, &own, flex ? own.width : own.count * own.width);
    if (i < n) *span = own;
  }
  SN_SYNC();
  plan->odd = sn_teamAny(odd);
}

// rows before a candidate
static int rowsBefore(const Plan* plan, const snRowSpan* span) {
  return span < plan->equality + plan->ncandidate ? span->row : plan->nrow;
}

static void countTogether(const snModel* m, snData* d, Plan* plan) {
  placeRows(m, d, plan);
  int ne = rowsBefore(plan, plan->dof_friction), nf = rowsBefore(plan, plan->joint_limit);
  int nl = rowsBefore(plan, plan->contact);
  if (SN_LANE == 0) {
    d->ne = ne;
    d->nf = nf - ne;
    d->nl = nl - nf;
  }
}

// the number of the first equality of a tendon, or else its first row: of friction or of a limit
static int tendonAddress(const snModel* m, const snData* d, const Plan* plan, int t) {
  for (int eq = 0; d->ne && eq < (int)m->neq; eq++) {
    if (m->eq_type[eq] != snEQ_TENDON || !plan->equality[eq].count) continue;
    if (m->eq_obj1id[eq] == t || m->eq_obj2id[eq] == t) return eq;
  }
  if (d->nf && plan->tendon_friction[t].count) return plan->tendon_friction[t].row;
  return d->nl && plan->tendon_limit[t].count ? plan->tendon_limit[t].row : -1;
}

static void fillTogether(const snModel* m, snData* d, const Plan* plan) {
  if (!plan->sparse) {
    snReal* dense = d->efc_J;
    SN_FOR(i, d->nJ) dense[i] = 0;
    SN_SYNC();
  }
  SN_FOR(t, m->ntendon) d->tendon_efcadr[t] = tendonAddress(m, d, plan, t);
  if (d->ne) sn_fillEqualityRows(m, d, plan->equality);
  if (d->nf) sn_fillFrictionRows(m, d, plan->dof_friction, plan->tendon_friction);
  if (d->nl) sn_fillLimitRows(m, d, plan->joint_limit, plan->tendon_limit);
  if (plan->nrow > d->ne + d->nf + d->nl) sn_fillContactRows(m, d, plan->contact);
  SN_SYNC();
}

// has the dense layout an equality whose values are all zero? Its rows are to be dropped.
static SN_OUTLINE int someZero(const snModel* m, const snData* d, const snRowSpan* equality) {
  int zero = 0;
  SN_FOR(eq, m->neq) {
    const snRowSpan* span = equality + eq;
    if (span->count && snu_isZero(d->efc_Js + span->entry, span->count * span->width)) zero = 1;
  }
  return sn_teamAny(zero);
}

// 0: the builders must do it
static int buildCandidates(const snModel* m, snData* d, Plan* plan) {
  int full = 0;
  plan->nrow = plan->nnz = plan->odd = 0;
  plan->large = m->nflex > 0;
  plan->sparse = sn_isSparse(m);
  plan->asleep = sn_someAsleep(m, d);
  countTogether(m, d, plan);
  if (plan->odd) return 0;
  if (!plan->nrow) return 1;
  SN_ONE full = !allocateRows(m, d, plan->sparse, plan->nrow, plan->nnz);
  SN_SYNC();
  if (sn_teamFromInt(full, 0)) {
    SN_ONE overflow(d);
    return 1;
  }
  fillTogether(m, d, plan);
  if (!plan->sparse && d->ne && someZero(m, d, plan->equality)) return 0;
  sn_makeImpedance(m, d);
  return 1;
}

// lists of candidates, without what is disabled; returns their end
static snRowSpan* listCandidates(const snModel* m, const snData* d, Plan* plan, snRowSpan* list) {
  int disable = m->opt.disableflags;
  int friction = !(disable & snDSBL_FRICTIONLOSS), limit = !(disable & snDSBL_LIMIT);
  plan->equality = list;
  if (!(disable & snDSBL_EQUALITY) && m->nemax) list += m->neq;
  plan->dof_friction = list;
  if (friction) list += m->nv;
  plan->tendon_friction = list;
  if (friction) list += m->ntendon;
  plan->joint_limit = list;
  if (limit) list += m->njnt;
  plan->tendon_limit = list;
  if (limit) list += m->ntendon;
  plan->contact = list;
  if (!(disable & snDSBL_CONTACT)) list += d->ncon;
  return list;
}

static int buildTogether(const snModel* m, snData* d) {
  int done = 1;
  snSize total = m->neq + m->nv + 2 * m->ntendon + m->njnt + d->ncon;
  Plan plan;
  if (m->nv > MOST_DOFS && !m->nflex) return 0;
  sn_markStack(d);
  snRowSpan* list = SN_STACK(d, snRowSpan, total);
  if (list) {
    plan.ncandidate = (int)(listCandidates(m, d, &plan, list) - list);
    done = buildCandidates(m, d, &plan);
  } else {
    SN_ONE overflow(d);
  }
  sn_freeStack(d);
  if (!done) SN_ONE sn_clearConstraints(d);
  return done;
}

// ---- stage ---------------------------------------------------------------------------------------

static SN_OUTLINE void buildAnyRows(const snModel* m, snData* d) {
  if (m->nflex) excludePassive(m, d);
  if (SN_LANES == 1 || !buildTogether(m, d)) {
    SN_ONE buildByOne(m, d);
  }
  if (SN_LANE == 0) {
    if (d->ncon > d->maxuse_con) d->maxuse_con = d->ncon;
    if (d->nefc > d->maxuse_efc) d->maxuse_efc = d->nefc;
  }
}

static SN_OUTLINE void clearBefore(snData* d) {
  SN_SYNC();
  SN_SOLO(sn_clearConstraints(d));
}

SN_STAGE void sn_makeConstraint(const snModel* m, snData* d) {
  if (!isClear(d)) clearBefore(d);
  if ((m->opt.disableflags & snDSBL_CONSTRAINT) || !m->nv) {
    SN_SYNC();
    return;
  }
  if (!sn_plans(m, d, snPLAN_ROWS) || !sn_makeRowsByLanes(m, d)) buildAnyRows(m, d);
  SN_SYNC();
}
