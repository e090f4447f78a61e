// Constraint rows by a team that has a lane for each body, dof, joint, tendon and contact: see
// constrain/constraint.c.
//
// Each lane loads the data of its dof, joint, tendon, equality and contact into registers; other lanes read them
// by warp shuffles. The rows are then made in two passes:
//
//   1. the Jacobian, one row after the other: lane j stores column j, zeros included, so that the dense matrix
//      need not be cleared first (setEntries);
//   2. everything else, impedance included: lane r describes row r (findOwner, describeRow, setRow).
//
// Rare cases (equalities other than of joints, friction of tendons, limits of balls, both ends of a range at
// once) need the general version.

#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "engine/constrain/constraint.h"
#include "engine/constrain/impedance.h"
#include "engine/step/plan.h"
#include "engine/step/sleep.h"
#include "math/math.h"
#include "model/object_types.h"

// ---- what a lane holds --------------------------------------------------------------------------

typedef struct Dof_ {
  int size;  // of its subtree: dofs [lane, lane + size) are the dof and its descendants; 0: no dof
  snReal motion[6];  // cdof
  snReal com[3];     // of its tree
  snReal invweight;
  snReal frictionloss;
} Dof;

// What all rows of one limit, equality or contact share.
typedef struct RowGroup_ {
  snReal dist, margin;
  snReal invweight;
  int row;    // the first row; -1: none
  int entry;  // its first entry in efc_Js
  int width;  // entries of each row
} RowGroup;

// of a joint or a tendon; what only a tendon's row needs of the group stays 0 for a joint
typedef struct Limit_ {
  RowGroup group;
  int active;
  int dof;  // of the joint
  snReal sign;
} Limit;

// equality of joints, q1 = c0 + c(q2)
typedef struct JointEquality_ {
  RowGroup group;
  int active;
  int dof[2];  // the second is -1 where a joint is held in place
  snReal slope;
} JointEquality;

typedef struct Contact_ {
  RowGroup group;
  snRowParameters parameters;
  int count;  // rows
  int dim;
  int last[2];  // of each body: the last dof on its path from the root
  snReal pos[3];
  snReal frame[9];
  snReal friction[2];  // the others are loaded where a row needs them
} Contact;

typedef struct Lanes_ {
  int lane;
  Dof dof;
  Limit joint;
  Limit tendon;
  JointEquality equality;
  Contact contact;
  int neq;
  int shift;  // friction of dofs, limits of joints: the single entry of row r is number r + shift
  int ncon;
  int pyramidal;
  int needsFallback;  // some row must be made by constrain/constraint.c
} Lanes;

// Index of the lane's dof, contact, ..., of which there are n. A lane beyond the last one loads the last one again,
// so that loads need no branch.
SN_KERNEL int clamped(int lane, int n) { return lane < n ? lane : n - 1; }

// What a lane loads by its own number and uses only while rows are found. All of it is loaded before the first use,
// so that the loads are in flight together.
typedef struct Raw_ {
  int rownnz, diag, body;          // of the dof
  int weld, dofadr, dofnum, root;  // of the body
  int limited, type, qposadr;      // of the joint
  int tendon_limited;
  int exclude, geom[2];           // of the contact
  int eq_type, eq_active, eq[2];  // of the equality
  snReal c[5];
  snReal frictionloss, body_invweight, range[2];
  snReal tendon_range[2], tendon_frictionloss, length;
} Raw;

SN_KERNEL void loadTree(const snModel* m, const snData* d, Lanes* own, Raw* raw) {
  SN_ASSERT(m->nv <= SN_LANES && m->nbody <= SN_LANES && m->njnt <= SN_LANES);
  int v = clamped(own->lane, (int)m->nv), b = clamped(own->lane, (int)m->nbody);
  int j = clamped(own->lane, (int)m->njnt);
  raw->rownnz = m->D_rownnz[v];
  raw->diag = m->D_diag[v];
  raw->body = m->dof_bodyid[v];
  raw->frictionloss = m->dof_frictionloss[v];
  own->dof.invweight = m->dof_invweight0[v];
  SN_UNROLL for (int k = 0; k < 6; k++) own->dof.motion[k] = d->cdof[6 * v + k];
  raw->weld = m->body_weldid[b];
  raw->dofadr = m->body_dofadr[b];
  raw->dofnum = m->body_dofnum[b];
  raw->root = m->body_rootid[b];
  raw->body_invweight = m->body_invweight0[2 * b];
  raw->limited = m->jnt_limited[j];
  raw->type = m->jnt_type[j];
  raw->qposadr = m->jnt_qposadr[j];
  raw->range[0] = m->jnt_range[2 * j];
  raw->range[1] = m->jnt_range[2 * j + 1];
  own->joint.group.margin = m->jnt_margin[j];
  own->joint.dof = m->jnt_dofadr[j];
}

SN_KERNEL void loadOthers(const snModel* m, const snData* d, Lanes* own, Raw* raw) {
  SN_ASSERT(m->ntendon <= SN_LANES && own->ncon <= SN_LANES);
  if (m->ntendon) {
    int t = clamped(own->lane, (int)m->ntendon);
    raw->tendon_limited = m->tendon_limited[t];
    raw->tendon_frictionloss = m->tendon_frictionloss[t];
    raw->tendon_range[0] = m->tendon_range[2 * t];
    raw->tendon_range[1] = m->tendon_range[2 * t + 1];
    raw->length = d->ten_length[t];
    own->tendon.group.margin = m->tendon_margin[t];
    own->tendon.group.invweight = m->tendon_invweight0[t];
  }
  if (own->neq) {
    int e = clamped(own->lane, own->neq);
    raw->eq_type = m->eq_type[e];
    raw->eq_active = d->eq_active[e];
    raw->eq[0] = m->eq_obj1id[e];
    raw->eq[1] = m->eq_obj2id[e];
    SN_UNROLL for (int k = 0; k < 5; k++) raw->c[k] = m->eq_data[snNEQDATA * e + k];
  }
  if (own->ncon) {
    const snContact* con = d->contact + clamped(own->lane, own->ncon);
    raw->exclude = con->exclude;
    raw->geom[0] = con->geom[0];
    raw->geom[1] = con->geom[1];
    own->contact.dim = con->dim;
    own->contact.group.dist = con->dist;
    own->contact.group.margin = con->includemargin;
    sn_copyParameters(&own->contact.parameters, con->solref, con->solimp,
                      own->pyramidal ? NULL : con->solreffriction);
    snu_copy3(own->contact.pos, con->pos);
    SN_UNROLL for (int k = 0; k < 9; k++) own->contact.frame[k] = con->frame[k];
    SN_UNROLL for (int k = 0; k < 2; k++) own->contact.friction[k] = con->friction[k];
  }
}

// Which end of its range is the value within the margin of? Two rows, when it is near both, need the fallback.
SN_KERNEL void findSide(Lanes* own, Limit* limit, int limited, const snReal range[2],
                        snReal value) {
  snReal low = value - range[0], high = range[1] - value;
  int below = low < limit->group.margin, above = high < limit->group.margin;
  limit->active = limited & (below | above);
  limit->sign = below ? 1 : -1;
  limit->group.dist = below ? low : high;
  own->needsFallback |= limited & below & above;
}

// The lane's equality. q: coordinate of the lane's joint, relative to qpos0.
SN_KERNEL void findEquality(Lanes* own, const Raw* raw, snReal q) {
  JointEquality* equality = &own->equality;
  int second = raw->eq[1] >= 0, other = second ? raw->eq[1] : 0;
  int dof1 = sn_warpFromInt(own->joint.dof, raw->eq[0]);
  int dof2 = sn_warpFromInt(own->joint.dof, other);
  snReal dist = sn_warpFrom(q, raw->eq[0]), x = sn_warpFrom(q, other);
  snReal weight1 = sn_warpFrom(own->dof.invweight, dof1);
  snReal weight2 = sn_warpFrom(own->dof.invweight, dof2);
  equality->active = own->lane < own->neq && raw->eq_active;
  equality->dof[0] = dof1;
  equality->dof[1] = second ? dof2 : -1;
  equality->group.invweight = second ? weight1 + weight2 : weight1;
  equality->group.dist = second ? sn_coupling(raw->c, dist, x, &equality->slope) : dist - raw->c[0];
  own->needsFallback |=
      equality->active && (raw->eq_type != snEQ_JOINT || equality->dof[1] == dof1);
}

SN_KERNEL void loadLanes(const snModel* m, const snData* d, Lanes* own) {
  int lane = own->lane, disable = m->opt.disableflags, ntendon = (int)m->ntendon;
  int limits = !(disable & snDSBL_LIMIT), friction = !(disable & snDSBL_FRICTIONLOSS);
  Contact* contact = &own->contact;
  Raw raw;
  memset(&raw, 0, sizeof(raw));
  loadTree(m, d, own, &raw);
  // Lanes without tendons or contacts get arbitrary values that are not constants: with constants, the compiler
  // would move their use before the loads that follow.
  raw.tendon_limited = raw.exclude = raw.type;
  raw.tendon_frictionloss = raw.range[0];
  loadOthers(m, d, own, &raw);

  // loads whose addresses depend on those above
  int body1 = 0, body2 = 0;
  snReal value = d->qpos[raw.qposadr];
  snReal reference = own->neq ? m->qpos0[raw.qposadr] : 0;
  snu_copy3(own->dof.com, d->subtree_com + 3 * sn_warpFromInt(raw.root, raw.body));
  if (own->ncon) {
    body1 = m->geom_bodyid[raw.geom[0]];
    body2 = m->geom_bodyid[raw.geom[1]];
  }

  own->dof.size = lane < (int)m->nv ? raw.rownnz - raw.diag : 0;
  own->dof.frictionloss = own->dof.size && friction ? raw.frictionloss : 0;

  int bounded = limits & (lane < ntendon) & (raw.tendon_limited != 0);
  findSide(own, &own->tendon, bounded, raw.tendon_range, raw.length);
  own->needsFallback |= friction & (lane < ntendon) & (raw.tendon_frictionloss > 0);
  int limited = limits & (lane < (int)m->njnt) & (raw.limited != 0);
  findSide(own, &own->joint, limited & (raw.type != snJNT_FREE), raw.range, value);
  own->needsFallback |= limited & (raw.type == snJNT_BALL);
  if (own->neq) findEquality(own, &raw, value - reference);

  if (own->ncon) {
    int last = sn_warpFromInt(raw.dofadr + raw.dofnum - 1, raw.weld);
    int rows = sn_contactRowCount(contact->dim, own->pyramidal);
    contact->count = raw.exclude != 0 || lane >= own->ncon ? 0 : rows;
    contact->last[0] = sn_warpFromInt(last, body1);
    contact->last[1] = sn_warpFromInt(last, body2);
    snReal weight = sn_warpFrom(raw.body_invweight, body1);
    contact->group.invweight = weight + sn_warpFrom(raw.body_invweight, body2);
  }
}

// ---- where rows go ------------------------------------------------------------------------------

// Sizes and arrays of the rows, as snData names them. Every lane computes them, because it cannot see at once what
// the first lane writes to the data.
typedef struct RowArrays_ {
  int nefc, nJ, nJs;
#define X(type, name, rows, columns, stage, meaning) sn_type_##type* name;
  SN_DATA_ARENA_ROWS(X)
  X(real, efc_Js, , , , )
#undef X
} RowArrays;

// The arrays follow one another from `place` on, as allocateRows of constrain/constraint.c puts those of the dense
// layout; returns the end.
SN_KERNEL char* placeArrays(const snModel* m, RowArrays* d, char* place) {
  SN_DATA_ARENA_ROWS(SN_ARENA_PLACE)
  SN_ARENA_PLACE(real, efc_Js, SN_D(nJs), 1, , )
  return place;
}

// The first lane writes the arrays and sizes into the data.
static void publish(snData* d, const RowArrays* arrays, int ne, int nf, int nl) {
  SN_ASSERT(arrays->nefc > 0 && ne + nf + nl <= arrays->nefc && SN_LANE == 0);
#define X(type, name, rows, columns, stage, meaning) d->name = arrays->name;
  SN_DATA_ARENA_ROWS(X)
  X(real, efc_Js, , , , )
#undef X
  d->nefc = arrays->nefc;
  d->nJ = arrays->nJ;
  d->nJs = arrays->nJs;
  d->ne = ne;
  d->nf = nf;
  d->nl = nl;
}

// ---- entries ------------------------------------------------------------------------------------

// Where the next row goes, and where this lane's dof stands among its entries.
typedef struct Cursor_ {
  const RowArrays* arrays;
  int lane;
  int nv;
  int row;
  int entry;   // first of the row
  int width;   // entries of the row
  int rank;    // entries before that of this lane's dof
  int member;  // does this lane's dof have an entry?
} Cursor;

// The rows that follow have entries for the dofs of the lanes with `member` set. The lane with `owns` set keeps where
// they begin.
SN_KERNEL void beginGroup(Cursor* at, int member, RowGroup* group, int owns) {
  SN_ASSERT(at->lane == SN_LANE && at->nv <= SN_LANES);
  unsigned columns = sn_warpBallot(member);
  at->member = member;
  at->width = sn_countBits(columns);
  at->rank = sn_countBits(columns & ((1u << at->lane) - 1u));
  if (owns) {
    group->row = at->row;
    group->entry = at->entry;
    group->width = at->width;
  }
}

SN_KERNEL void setNext(Cursor* at, snReal value) {
  SN_ASSERT(at->row >= 0 && at->entry >= 0 && at->rank <= at->width);
  int lane = at->lane, place = at->entry + at->rank;
  if (lane < at->nv) at->arrays->efc_J[at->row * at->nv + lane] = value;
  if (at->member) {
    at->arrays->efc_Js[place] = value;
    at->arrays->efc_J_colind[place] = lane;
  }
  at->row++;
  at->entry += at->width;
}

// a row with one entry, the sign, in the column of a dof
SN_KERNEL void setUnitRow(Cursor* at, int dof, snReal sign) {
  SN_ASSERT_INDEX(dof, at->nv);
  int member = at->lane == dof;
  at->member = member;
  at->width = 1;
  at->rank = 0;
  setNext(at, member ? sign : 0);
}

// Rows of contact c. A dof that moves at unit speed moves the contact point of a body by t + w x r, where (w, t)
// is its motion about the centre of mass of the tree, and r leads from there to the contact. Along axis a of the contact
// frame the entry is a . (t + w x r) of the second body less that of the first; of spin and roll it is a . w.
SN_KERNEL void setContactRows(const snData* d, Cursor* at, Lanes* own, int c) {
  SN_ASSERT_INDEX(c, own->ncon);
  Contact* contact = &own->contact;
  const Dof* dof = &own->dof;
  int dim = sn_warpFromInt(contact->dim, c);
  unsigned first = (unsigned)(sn_warpFromInt(contact->last[0], c) - own->lane);
  unsigned second = (unsigned)(sn_warpFromInt(contact->last[1], c) - own->lane);
  int moves1 = first < (unsigned)dof->size, moves2 = second < (unsigned)dof->size;
  snReal sign = (snReal)(moves2 - moves1);
  struct
  {  // NVRTC keeps plain arrays in local memory, merged with those of other stages; a struct stays in registers
    snReal frame[9], offset[3], axis[3], point[3];
  } here;
  beginGroup(at, moves1 || moves2, &contact->group, own->lane == c);

  SN_UNROLL for (int k = 0; k < 3; k++) {
    here.offset[k] = sn_warpFrom(contact->pos[k], c) - dof->com[k];
    here.axis[k] = sign * dof->motion[k];
  }
  SN_UNROLL for (int k = 0; k < 9; k++) here.frame[k] = sn_warpFrom(contact->frame[k], c);
  snu_cross(here.point, here.axis, here.offset);
  snu_addToScl3(here.point, dof->motion + 3, sign);

  snReal normal = snu_dot3(here.frame, here.point);
  if (dim == 1 || !own->pyramidal) setNext(at, normal);
  SN_UNROLL for (int j = 1; j < 6; j++) {
    if (j >= dim) break;
    snReal value = j < 3 ? snu_dot3(here.frame + 3 * j, here.point)
                         : snu_dot3(here.frame + 3 * (j - 3), here.axis);
    if (own->pyramidal) {
      value *= j < 3 ? sn_warpFrom(contact->friction[j - 1], c) : d->contact[c].friction[j - 1];
      setNext(at, normal + value);
      setNext(at, normal - value);
    } else {
      setNext(at, value);
    }
  }
}

// entry of the lane's dof in the Jacobian of a tendon
SN_KERNEL snReal tendonEntry(const snModel* m, const snData* d, int lane, int tendon) {
  SN_ASSERT_INDEX(tendon, m->ntendon);
  int nv = (int)m->nv;
  return lane < nv ? d->ten_J[tendon * nv + lane] : 0;
}

// Bit i of lanes[type]: lane i has a row of that type (not of contacts). Rows stand in the order of the types.
typedef struct Owners_ {
  unsigned lanes[snCNSTR_LIMIT_TENDON + 1];
} Owners;

SN_KERNEL void setEntries(const snModel* m, const snData* d, Lanes* own, Cursor* at,
                          const Owners* owners) {
  SN_ASSERT(!at->row && !at->entry);
  unsigned friction = owners->lanes[snCNSTR_FRICTION_DOF];
  unsigned joints = owners->lanes[snCNSTR_LIMIT_JOINT];
  unsigned tendons = owners->lanes[snCNSTR_LIMIT_TENDON];
  SN_PLAIN_LOOP for (unsigned left = owners->lanes[snCNSTR_EQUALITY]; left; left &= left - 1) {
    int e = sn_firstBit(left), first = sn_warpFromInt(own->equality.dof[0], e) == own->lane;
    int second = sn_warpFromInt(own->equality.dof[1], e) == own->lane;
    snReal slope = sn_warpFrom(own->equality.slope, e);
    beginGroup(at, first || second, &own->equality.group, own->lane == e);
    setNext(at, first ? 1 : second ? -slope : 0);
  }
  own->shift = at->entry - at->row;
  SN_PLAIN_LOOP for (; friction; friction &= friction - 1) {
    setUnitRow(at, sn_firstBit(friction), 1);
  }
  SN_PLAIN_LOOP for (; joints; joints &= joints - 1) {
    int j = sn_firstBit(joints), dof = sn_warpFromInt(own->joint.dof, j);
    setUnitRow(at, dof, sn_warpFrom(own->joint.sign, j));
  }
  SN_PLAIN_LOOP for (; tendons; tendons &= tendons - 1) {
    int t = sn_firstBit(tendons);
    snReal value = tendonEntry(m, d, own->lane, t);
    beginGroup(at, value != 0, &own->tendon.group, own->lane == t);
    setNext(at, value * sn_warpFrom(own->tendon.sign, t));
  }
  SN_PLAIN_LOOP for (int c = 0; c < own->ncon; c++) {
    if (sn_warpFromInt(own->contact.count, c)) setContactRows(d, at, own, c);
  }
}

// ---- rows ---------------------------------------------------------------------------------------

// The row that a lane describes. Lanes beyond the last row describe one more of its owner, which is not stored:
// no lane branches off.
typedef struct LaneRow_ {
  int number;
  int type;
  int id;
  int local;  // which row of its contact
  int after;  // rows of the contact that follow
  int entry;
  int width;
  snReal pos;
  snReal margin;
  snReal diagonal;  // approximate inverse inertia
  snReal frictionloss;
  snReal friction;  // first coefficient of a contact
  snReal slide;     // of an elliptic cone: the coefficient along this row
  snRowParameters parameters;
} LaneRow;

// Rows from number n on belong to this owner, unless a later call assigns them to another.
SN_KERNEL void claim(LaneRow* row, int n, int type, int id) {
  if (row->number < n) return;
  row->type = type;
  row->id = id;
}

// find the contact, joint, tendon, dof or equality that owns the row
SN_KERNEL void findOwner(const Lanes* own, const Owners* owners, LaneRow* row) {
  int n = 0;
  SN_UNROLL
  for (int type = 0; type <= snCNSTR_LIMIT_TENDON; type++) {
    SN_PLAIN_LOOP for (unsigned left = owners->lanes[type]; left; left &= left - 1) {
      claim(row, n++, type, sn_firstBit(left));
    }
  }
  SN_PLAIN_LOOP for (int c = 0; c < own->ncon; c++) {
    int first = sn_warpFromInt(own->contact.group.row, c),
        dim = sn_warpFromInt(own->contact.dim, c);
    if (first >= 0) claim(row, first, sn_contactRowType(dim, own->pyramidal), c);
  }
}

// The functions that follow read what the row needs from the lane of its owner by warp shuffles. All lanes call all of
// them: a lane of another owner only answers.

SN_KERNEL void describeGroup(const RowGroup* group, snReal margin, int owned, LaneRow* row) {
  int id = row->id;
  snReal dist = sn_warpFrom(group->dist, id), weight = sn_warpFrom(group->invweight, id);
  int entry = sn_warpFromInt(group->entry, id), width = sn_warpFromInt(group->width, id);
  if (!owned) return;
  row->pos = dist;
  row->margin = margin;
  row->diagonal = weight;
  row->entry = entry;
  row->width = width;
}

// friction of a dof, limit of a joint: the row has one entry
SN_KERNEL void describeUnitRow(const Lanes* own, LaneRow* row) {
  int id = row->id, friction = row->type == snCNSTR_FRICTION_DOF;
  snReal dist = sn_warpFrom(own->joint.group.dist, id);
  snReal margin = sn_warpFrom(own->joint.group.margin, id);
  int dof = sn_warpFromInt(own->joint.dof, id);
  snReal weight = sn_warpFrom(own->dof.invweight, friction ? id : dof);
  snReal loss = sn_warpFrom(own->dof.frictionloss, id);
  row->pos = friction ? 0 : dist;
  row->margin = friction ? 0 : margin;
  row->diagonal = weight;
  row->entry = row->number + own->shift;
  row->width = 1;
  if (friction) row->frictionloss = loss;
}

SN_KERNEL void describeContact(const Contact* contact, int pyramidal, LaneRow* row) {
  int id = row->id, owned = sn_isContactRow(row->type);
  snRowParameters p;
  snReal mu = sn_warpFrom(contact->friction[0], id);
  int first = sn_warpFromInt(contact->group.row, id), count = sn_warpFromInt(contact->count, id);
  describeGroup(&contact->group, sn_warpFrom(contact->group.margin, id), owned, row);
  SN_UNROLL for (int k = 0; k < 2; k++) {
    p.solref[k] = sn_warpFrom(contact->parameters.solref[k], id);
    p.friction[k] = pyramidal ? 0 : sn_warpFrom(contact->parameters.friction[k], id);
  }
  SN_UNROLL for (int k = 0; k < 5; k++) p.solimp[k] =
      sn_warpFrom(contact->parameters.solimp[k], id);
  if (!owned) return;
  row->local = row->number - first;
  row->after = count - 1 - row->local;
  row->entry += row->local * row->width;
  row->friction = mu;
  if (row->type == snCNSTR_CONTACT_PYRAMIDAL) row->diagonal = sn_edgeDiagonal(row->diagonal, mu);
  row->parameters = p;
}

// nplain: how many rows are not of contacts. What few rows need is loaded from memory.
SN_KERNEL void describeRow(const snModel* m, const snData* d, const Lanes* own, int nplain,
                           LaneRow* row) {
  SN_ASSERT(row->id >= 0 && row->id < SN_LANES);
  int id = row->id;
  if (nplain) {
    describeUnitRow(own, row);
    const RowGroup* group = &own->tendon.group;
    describeGroup(group, sn_warpFrom(group->margin, id), row->type == snCNSTR_LIMIT_TENDON, row);
  }
  if (own->neq) describeGroup(&own->equality.group, 0, row->type == snCNSTR_EQUALITY, row);
  if (own->ncon) describeContact(&own->contact, own->pyramidal, row);
  if (nplain && !sn_isContactRow(row->type)) {
    sn_findParameters(m, d, row->type, id, &row->parameters);
  }
  if (row->type == snCNSTR_CONTACT_ELLIPTIC && row->local > 1 && row->after >= 0) {
    row->slide = d->contact[id].friction[row->local - 1];
  }
}

// Stiffness, damping and regularisation of the row from those of its contact's normal (see coneRows in
// constrain/impedance.c); returns the regularisation, and the mu of a contact.
SN_KERNEL snReal regularisationOfRow(const snModel* m, const LaneRow* row, snReal KB[2], snReal R,
                                     snReal* mu) {
  SN_ASSERT(R > 0);
  if (row->type == snCNSTR_FRICTION_DOF) KB[0] = 0;
  if (!sn_isConeRow(row->type)) return R;
  snReal tangent = sn_tangentRegularisation(m, R);
  *mu = sn_regularisedMu(row->friction, R, tangent);
  if (row->type == snCNSTR_CONTACT_PYRAMIDAL) return sn_edgeRegularisation(*mu, R);
  if (!row->local) return R;
  KB[0] = 0;
  KB[1] = sn_frictionDamping(&row->parameters, KB[1]);
  return row->local == 1 ? tangent : sn_slideRegularisation(tangent, row->friction, row->slide);
}

SN_KERNEL void setImpedance(const snModel* m, snData* d, const RowArrays* arrays, LaneRow* row) {
  snRowParameters* p = &row->parameters;
  snReal KB[2], I, P, mu = 0;
  int r = row->number;
  sn_sanitise(m, p);
  sn_impedance(p->solimp, row->pos - row->margin, &I, &P, 1);
  sn_stiffnessDamping(p->solref, p->solimp[1], &KB[0], &KB[1]);
  snReal R = regularisationOfRow(m, row, KB, sn_regularisation(I, row->diagonal), &mu);
  sn_setKBIP(arrays->efc_KBIP + 4 * r, KB[0], KB[1], I, P);
  arrays->efc_R[r] = R;
  arrays->efc_D[r] = 1 / R;
  arrays->efc_diagApprox[r] = R * I / (1 - I);
  if (sn_isConeRow(row->type) && !row->local) d->contact[row->id].mu = mu;
}

// Stores all of the row but its Jacobian. Returns whether its impedance has a power other than 1 or 2: then
// sn_makeImpedance computes all impedances once more.
SN_KERNEL int setRow(const snModel* m, snData* d, const RowArrays* arrays, LaneRow* row) {
  int r = row->number, tangent = row->type == snCNSTR_CONTACT_ELLIPTIC && row->local;
  SN_ASSERT(row->entry >= 0 && row->width >= 0 && row->width <= (int)m->nv);
  arrays->efc_type[r] = row->type;
  arrays->efc_id[r] = row->id;
  arrays->efc_J_rownnz[r] = row->width;
  arrays->efc_J_rowadr[r] = row->entry;
  arrays->efc_J_rowsuper[r] = row->after;
  arrays->efc_pos[r] = tangent ? 0 : row->pos;
  arrays->efc_margin[r] = tangent ? 0 : row->margin;
  arrays->efc_frictionloss[r] = row->frictionloss;
  setImpedance(m, d, arrays, row);
  return row->parameters.solimp[4] != 1 && row->parameters.solimp[4] != 2;
}

// ---- the stage ----------------------------------------------------------------------------------

// The arena and what was used of it: read by all lanes before the first one changes it.
typedef struct ArenaUse_ {
  size_t used, stack;
  snSize most;
  int most_rows, most_contacts;
  char *begin, *end;
} ArenaUse;

SN_KERNEL ArenaUse readArena(const snData* d) {
  ArenaUse arena;
  arena.used = d->parena;
  arena.stack = d->pstack;
  arena.most = d->maxuse_arena;
  arena.most_rows = d->maxuse_efc;
  arena.most_contacts = d->maxuse_con;
  arena.begin = (char*)d->arena + arena.used;
  arena.end = (char*)d->arena + ((size_t)d->narena - arena.stack);
  return arena;
}

// The first lane marks what lies before `end` as used.
SN_KERNEL void takeArena(snData* d, const ArenaUse* arena, int nrow, const char* end) {
  SN_ASSERT(end >= arena->begin && end <= arena->end);
  d->parena = arena->used + (size_t)(end - arena->begin);
  snSize total = (snSize)(d->parena + arena->stack);
  if (total > arena->most) d->maxuse_arena = total;
  if (nrow > arena->most_rows) d->maxuse_efc = nrow;
}

SN_STAGE int sn_makeRowsByLanes(const snModel* m, snData* d) {
  SN_ASSERT(sn_plans(m, d, snPLAN_ROWS));
  if (d->ncon > SN_LANES || sn_someAsleep(m, d)) return 0;
  ArenaUse arena = readArena(d);
  Lanes own;
  RowArrays arrays;
  int powers = 0;
  memset(&own, 0, sizeof(own));
  own.lane = SN_LANE;
  own.contact.group.row = own.tendon.group.row = -1;
  own.pyramidal = m->opt.cone == snCONE_PYRAMIDAL;
  own.ncon = m->opt.disableflags & snDSBL_CONTACT ? 0 : d->ncon;
  own.neq = m->opt.disableflags & snDSBL_EQUALITY ? 0 : (int)m->neq;
  loadLanes(m, d, &own);
  Owners owners;
  owners.lanes[snCNSTR_EQUALITY] = own.neq ? sn_warpBallot(own.equality.active) : 0;
  owners.lanes[snCNSTR_FRICTION_DOF] = sn_warpBallot(own.dof.frictionloss != 0);
  owners.lanes[snCNSTR_FRICTION_TENDON] = 0;  // needs the fallback
  owners.lanes[snCNSTR_LIMIT_JOINT] = sn_warpBallot(own.joint.active);
  unsigned tendons = owners.lanes[snCNSTR_LIMIT_TENDON] = sn_warpBallot(own.tendon.active);
  int ne = sn_countBits(owners.lanes[snCNSTR_EQUALITY]);
  int nf = sn_countBits(owners.lanes[snCNSTR_FRICTION_DOF]);
  int nl = sn_countBits(owners.lanes[snCNSTR_LIMIT_JOINT]) + sn_countBits(tendons);
  int nrow = ne + nf + nl + (own.ncon ? sn_teamSumInt(own.contact.count) : 0);
  SN_PLAIN_LOOP for (; tendons; tendons &= tendons - 1) {  // a tendon without entries has no row
    if (!sn_teamAny(tendonEntry(m, d, own.lane, sn_firstBit(tendons)) != 0)) own.needsFallback = 1;
  }

  // room for the sparse Jacobian even if no entry is zero
  arrays.nefc = nrow;
  arrays.nJ = arrays.nJs = nrow * (int)m->nv;
  if (placeArrays(m, &arrays, arena.begin) > arena.end) own.needsFallback = 1;
  if (sn_teamAny(own.needsFallback)) return 0;

  if (nrow) {
    Cursor at = {&arrays, own.lane, (int)m->nv, 0, 0, 0, 0, 0};
    if (own.lane == 0) publish(d, &arrays, ne, nf, nl);
    setEntries(m, d, &own, &at, &owners);
    if (own.lane < (int)m->ntendon) arrays.tendon_efcadr[own.lane] = own.tendon.group.row;
    SN_PLAIN_LOOP for (int first = 0; first < nrow; first += SN_LANES) {
      LaneRow row;
      memset(&row, 0, sizeof(row));
      row.number = first + own.lane;
      findOwner(&own, &owners, &row);
      describeRow(m, d, &own, ne + nf + nl, &row);
      if (row.number < nrow) powers |= setRow(m, d, &arrays, &row);
    }
    if (own.lane == 0) {
      d->nJs = at.entry;
      takeArena(d, &arena, nrow, (const char*)(arrays.efc_Js + at.entry));
    }
  }
  if (own.lane < own.ncon) d->contact[own.lane].efc_address = own.contact.group.row;
  if (own.lane == 0 && own.ncon > arena.most_contacts) d->maxuse_con = own.ncon;
  if (sn_teamAny(powers)) {
    SN_SYNC();
    sn_makeImpedance(m, d);
  }
  return 1;
}
