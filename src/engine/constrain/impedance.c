// Impedance of the rows: how strongly each pushes (R), and towards which reference (K, B).

#include "engine/constrain/impedance.h"

#include "base/assert.h"
#include "base/crew.h"
#include "engine/constrain/constraint.h"
#include "model/object_types.h"

static snReal power(snReal a, snReal b) { return b == 1 ? a : b == 2 ? a * a : snu_pow(a, b); }

snCurve sn_anyCurve(snReal x, snReal mid, snReal p) {
  snCurve curve;
  snReal a = 1 / power(mid, p - 1);
  curve.y = a * power(x, p);
  curve.dy = p * a * power(x, p - 1);
  return curve;
}

// ---- inverse inertia -----------------------------------------------------------------------------

static snReal equalityDiagonal(const snModel* m, int eq, int r, snReal known) {
  SN_ASSERT_INDEX(eq, m->neq);
  int object[2] = {m->eq_obj1id[eq], m->eq_obj2id[eq]};
  snReal sum = 0;
  switch (m->eq_type[eq]) {
    case snEQ_CONNECT:
    case snEQ_WELD:
    case snEQ_DISTANCE:
      for (int s = 0; s < 2; s++) {
        int body = m->eq_objtype[eq] == snOBJ_SITE ? m->site_bodyid[object[s]] : object[s];
        sum += m->body_invweight0[2 * body + (r > 2)];
      }
      return sum;
    case snEQ_JOINT:
      for (int s = 0; s < 2; s++) {
        if (object[s] >= 0) sum += m->dof_invweight0[m->jnt_dofadr[object[s]]];
      }
      return sum;
    case snEQ_TENDON:
      for (int s = 0; s < 2; s++) {
        if (object[s] >= 0) sum += m->tendon_invweight0[object[s]];
      }
      return sum;
    default: return known;  // flexes: set with the row
  }
}

// approximate inverse inertia of the first row of a block
static snReal rowDiagonal(const snModel* m, const snData* d, int row, int type, int id) {
  SN_ASSERT_INDEX(row, d->nefc);
  snReal translation, rotation;
  switch (type) {
    case snCNSTR_EQUALITY: return equalityDiagonal(m, id, 0, d->efc_diagApprox[row]);
    case snCNSTR_FRICTION_DOF: return m->dof_invweight0[id];
    case snCNSTR_LIMIT_JOINT: return m->dof_invweight0[m->jnt_dofadr[id]];
    case snCNSTR_FRICTION_TENDON:
    case snCNSTR_LIMIT_TENDON: return m->tendon_invweight0[id];
    default: break;
  }
  const snContact* con = d->contact + id;
  sn_contactInvWeight(m, d, con, &translation, &rotation);
  if (type != snCNSTR_CONTACT_PYRAMIDAL) return translation;
  return sn_edgeDiagonal(translation, con->friction[0]);
}

// ---- all rows ------------------------------------------------------------------------------------

// Rows of flexes come with the inverse inertia from which R was computed; it becomes R I / (1 - I) as for other rows.
static void setRow(snData* d, int row, snReal K, snReal B, snReal I, snReal P, snReal R) {
  SN_ASSERT_INDEX(row, d->nefc);
  sn_setKBIP(d->efc_KBIP + 4 * row, K, B, I, P);
  d->efc_R[row] = R;
  d->efc_D[row] = 1 / R;
  d->efc_diagApprox[row] = R * I / (1 - I);
}

// the same of a row with the R of another
static void copyRow(snData* d, int row, snReal K, snReal B, int from) {
  SN_ASSERT_INDEX2(row, from, d->nefc);
  const snReal* KBIP = d->efc_KBIP + 4 * from;
  sn_setKBIP(d->efc_KBIP + 4 * row, K, B, KBIP[2], KBIP[3]);
  d->efc_R[row] = d->efc_R[from];
  d->efc_D[row] = d->efc_D[from];
  d->efc_diagApprox[row] = d->efc_diagApprox[from];
}

// Quotients are most of the work, and where impratio is 1 the tangential rows are regularised as the normal one.
static void coneRows(const snModel* m, snData* d, int row, int count, const snRowParameters* p,
                     const snReal normal[4], snReal R) {
  SN_ASSERT_INDEX(row, d->nefc);
  snContact* con = d->contact + d->efc_id[row];
  const snReal* friction = con->friction;
  int even = m->opt.impratio == 1;
  snReal I = normal[2], P = normal[3], tangent = even ? R : sn_tangentRegularisation(m, R);
  con->mu = even ? friction[0] : sn_regularisedMu(friction[0], R, tangent);
  if (d->efc_type[row] == snCNSTR_CONTACT_PYRAMIDAL) {
    snReal edge = sn_edgeRegularisation(con->mu, R);
    SN_PLAIN_LOOP for (int r = 0; r < count; r++) {
      setRow(d, row + r, normal[0], normal[1], I, P, edge);
    }
    return;
  }
  snReal B = sn_frictionDamping(p, normal[1]);
  setRow(d, row, normal[0], normal[1], I, P, R);
  if (even) {
    copyRow(d, row + 1, 0, B, row);
  } else {
    setRow(d, row + 1, 0, B, I, P, tangent);
  }
  SN_PLAIN_LOOP for (int j = 1; j < con->dim - 1; j++) {
    snReal slide = sn_slideRegularisation(tangent, friction[0], friction[j]);
    if (slide == d->efc_R[row + j]) {
      copyRow(d, row + j + 1, 0, B, row + j);
    } else {
      setRow(d, row + j + 1, 0, B, I, P, slide);
    }
  }
}

// KBIP and R of one block of rows
static void blockImpedance(const snModel* m, snData* d, int row, int count) {
  SN_ASSERT_INDEX(row, d->nefc);
  int type = d->efc_type[row], id = d->efc_id[row];
  snRowParameters p;
  sn_findParameters(m, d, type, id, &p);
  sn_sanitise(m, &p);

  snReal pos = d->efc_pos[row], normal[4];
  if (type == snCNSTR_EQUALITY && count > 1) pos = snu_norm(d->efc_pos + row, count);
  sn_impedance(p.solimp, pos - d->efc_margin[row], &normal[2], &normal[3], 0);
  sn_stiffnessDamping(p.solref, p.solimp[1], &normal[0], &normal[1]);
  if (type == snCNSTR_FRICTION_DOF || type == snCNSTR_FRICTION_TENDON) normal[0] = 0;

  snReal I = normal[2], R = sn_regularisation(I, rowDiagonal(m, d, row, type, id));
  if (sn_isConeRow(type)) {
    coneRows(m, d, row, count, &p, normal, R);
    return;
  }
  setRow(d, row, normal[0], normal[1], I, normal[3], R);
  SN_PLAIN_LOOP for (int r = 1; r < count; r++) {
    R = sn_regularisation(I, equalityDiagonal(m, id, r, d->efc_diagApprox[row + r]));
    setRow(d, row + r, normal[0], normal[1], I, normal[3], R);
  }
}

// Rows that are not of contacts first, then contact by contact.
// Blocks of rows, each but those of contacts by its first row.
static void someImpedances(const snModel* m, snData* d, void* context, int begin, int end) {
  int plain = d->ne + d->nf + d->nl;
  (void)context;
  SN_FOR(k, end - begin) {
    int i = begin + k, row = i < plain ? i : d->contact[i - plain].efc_address;
    if (row < 0) continue;
    if (row && row < d->ne && d->efc_J_rowsuper[row - 1]) continue;  // inside of a block
    int type = d->efc_type[row], id = d->efc_id[row];
    int count = sn_blockRows(m, d, type, id);
    blockImpedance(m, d, row, count);
  }
  SN_SYNC();
}

enum { PARTS = 16, LEAST_ROWS = 256 };

static void impedancesOfParts(const snModel* m, snData* d, void* context, int begin, int end) {
  int plain = d->ne + d->nf + d->nl, contacts = d->nefc > plain;
  if (begin == 0 && end == PARTS) {
    someImpedances(m, d, context, 0, plain + (contacts ? d->ncon : 0));
    return;
  }
  someImpedances(m, d, context, plain * begin / PARTS, plain * end / PARTS);
  snRange range[2];
  sn_contactsOfParts(m, d, begin, end, PARTS, range);
  for (int k = 0; contacts && k < 2; k++) {
    someImpedances(m, d, context, plain + range[k].begin, plain + range[k].end);
  }
}

void sn_makeImpedance(const snModel* m, snData* d) {
  SN_SHARE(m, d, PARTS, d->nefc < LEAST_ROWS ? PARTS : 1, impedancesOfParts, NULL);
}
