// Impedance of the rows: how strongly each pushes (R), and towards which reference (K, B).
//
// A row behaves as a spring-damper of unit effective mass with stiffness K and damping B whose share
// of the motion is the impedance I in (0, 1): R = (1 - I)/I * A, where A approximates the inverse
// inertia that the row feels.

#include "engine/constraint.h"
#include "math/math.h"

typedef struct Parameters_ {
  snReal solref[2];
  snReal friction[2];  // solref of the friction directions; zeros: as solref
  snReal solimp[5];
} Parameters;

static void copyParameters(Parameters* p, const snReal* solref, const snReal* solimp,
                           const snReal* friction) {
  for (int i = 0; i < 2; i++) {
    p->solref[i] = solref[i];
    p->friction[i] = friction ? friction[i] : 0;
  }
  for (int i = 0; i < 5; i++) p->solimp[i] = solimp[i];
}

static void findParameters(const snModel* m, const snData* d, int type, int id, Parameters* p) {
  switch (type) {
    case snCNSTR_EQUALITY:
      copyParameters(p, m->eq_solref + snNREF * id, m->eq_solimp + snNIMP * id, NULL);
      break;
    case snCNSTR_FRICTION_DOF:
      copyParameters(p, m->dof_solref + snNREF * id, m->dof_solimp + snNIMP * id, NULL);
      break;
    case snCNSTR_FRICTION_TENDON:
      copyParameters(p, m->tendon_solref_fri + snNREF * id, m->tendon_solimp_fri + snNIMP * id,
                     NULL);
      break;
    case snCNSTR_LIMIT_JOINT:
      copyParameters(p, m->jnt_solref + snNREF * id, m->jnt_solimp + snNIMP * id, NULL);
      break;
    case snCNSTR_LIMIT_TENDON:
      copyParameters(p, m->tendon_solref_lim + snNREF * id, m->tendon_solimp_lim + snNIMP * id,
                     NULL);
      break;
    default: {
      const snContact* con = d->contact + id;
      copyParameters(p, con->solref, con->solimp, con->solreffriction);
    }
  }
}

// both positive (time constant, damping ratio) or both not (stiffness, damping)
static void checkReference(const snModel* m, snReal ref[2], snReal time, snReal ratio) {
  if ((ref[0] > 0) != (ref[1] > 0)) {
    snu_warning("mixed solref format, replaced by the default");
    ref[0] = time;
    ref[1] = ratio;
  }
  if (!(m->opt.disableflags & snDSBL_REFSAFE) && ref[0] > 0) {
    ref[0] = snu_max(ref[0], 2 * m->opt.timestep);
  }
}

static void sanitise(const snModel* m, Parameters* p) {
  const snReal low = (snReal)snMINIMP, high = (snReal)snMAXIMP;
  checkReference(m, p->solref, (snReal)0.02, 1);
  checkReference(m, p->friction, 0, 0);
  p->solimp[0] = snu_clip(p->solimp[0], low, high);
  p->solimp[1] = snu_clip(p->solimp[1], low, high);
  p->solimp[2] = snu_max(0, p->solimp[2]);
  p->solimp[3] = snu_clip(p->solimp[3], low, high);
  p->solimp[4] = snu_max(1, p->solimp[4]);
}

static snReal power(snReal a, snReal b) { return b == 1 ? a : b == 2 ? a * a : snu_pow(a, b); }

// impedance at the violation z and its slope: d0 to d1 over the width, by a smooth power curve
static void impedance(const snReal solimp[5], snReal z, snReal* value, snReal* slope) {
  snReal d0 = solimp[0], d1 = solimp[1], width = solimp[2], mid = solimp[3], p = solimp[4];
  *slope = 0;
  if (d0 == d1 || width <= (snReal)snMINVAL) {
    *value = (snReal)0.5 * (d0 + d1);
    return;
  }
  snReal x = z / width, sign = 1, y, dy;
  if (x < 0) {
    x = -x;
    sign = -1;
  }
  if (x >= 1 || x == 0) {
    *value = x == 0 ? d0 : d1;
    return;
  }
  if (p == 1) {
    y = x;
    dy = 1;
  } else if (x <= mid) {
    snReal a = 1 / power(mid, p - 1);
    y = a * power(x, p);
    dy = p * a * power(x, p - 1);
  } else {
    snReal a = 1 / power(1 - mid, p - 1);
    y = 1 - a * power(1 - x, p);
    dy = p * a * power(1 - x, p - 1);
  }
  *value = d0 + y * (d1 - d0);
  *slope = sign * dy * (d1 - d0) / width;
}

// ---- inverse inertia -----------------------------------------------------------------------------

static snReal equalityDiagonal(const snModel* m, int eq, int r, snReal known) {
  int object[2] = {m->eq_obj1id[eq], m->eq_obj2id[eq]};
  snReal sum = 0;
  switch (m->eq_type[eq]) {
    case snEQ_CONNECT:
    case snEQ_WELD:
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

// approximate inverse inertia of every row into efc_diagApprox
static void rowDiagonals(const snModel* m, snData* d, int row, int count) {
  int type = d->efc_type[row], id = d->efc_id[row];
  snReal* diagonal = d->efc_diagApprox + row;
  snReal translation, rotation;
  switch (type) {
    case snCNSTR_EQUALITY:
      for (int r = 0; r < count; r++) diagonal[r] = equalityDiagonal(m, id, r, diagonal[r]);
      return;
    case snCNSTR_FRICTION_DOF: diagonal[0] = m->dof_invweight0[id]; return;
    case snCNSTR_LIMIT_JOINT: diagonal[0] = m->dof_invweight0[m->jnt_dofadr[id]]; return;
    case snCNSTR_FRICTION_TENDON:
    case snCNSTR_LIMIT_TENDON: diagonal[0] = m->tendon_invweight0[id]; return;
    default: break;
  }
  const snContact* con = d->contact + id;
  sn_contactInvWeight(m, d, con, &translation, &rotation);
  if (type == snCNSTR_CONTACT_PYRAMIDAL) {
    for (int r = 0; r < count; r++) {
      snReal mu = con->friction[r / 2];
      diagonal[r] = translation + mu * mu * (r < 4 ? translation : rotation);
    }
  } else {
    for (int r = 0; r < count; r++) diagonal[r] = r < 3 ? translation : rotation;
  }
}

// ---- all rows ------------------------------------------------------------------------------------

// K, B of one row for a reference
static void stiffnessDamping(const snReal ref[2], snReal d1, snReal* K, snReal* B) {
  const snReal tiny = (snReal)snMINVAL;
  *K = ref[0] > 0 ? 1 / snu_max(tiny, d1 * d1 * ref[0] * ref[0] * ref[1] * ref[1])
                  : -ref[0] / snu_max(tiny, d1 * d1);
  *B = ref[1] > 0 ? 2 / snu_max(tiny, d1 * ref[0]) : -ref[1] / snu_max(tiny, d1);
}

// KBIP and unscaled R of one block of rows
static void blockImpedance(const snModel* m, snData* d, int row, int count) {
  int type = d->efc_type[row];
  Parameters p;
  findParameters(m, d, type, d->efc_id[row], &p);
  sanitise(m, &p);

  snReal pos = d->efc_pos[row], I, P;
  if (type == snCNSTR_EQUALITY && count > 1) pos = snu_norm(d->efc_pos + row, count);
  impedance(p.solimp, pos - d->efc_margin[row], &I, &P);

  int friction = type == snCNSTR_FRICTION_DOF || type == snCNSTR_FRICTION_TENDON;
  for (int r = 0; r < count; r++) {
    snReal K, B;
    int tangent = type == snCNSTR_CONTACT_ELLIPTIC && r > 0;
    int own = tangent && (p.friction[0] != 0 || p.friction[1] != 0);
    stiffnessDamping(own ? p.friction : p.solref, p.solimp[1], &K, &B);
    snReal* KBIP = d->efc_KBIP + 4 * (row + r);
    KBIP[0] = friction || tangent ? 0 : K;
    KBIP[1] = B;
    KBIP[2] = I;
    KBIP[3] = P;
    d->efc_R[row + r] = snu_max((snReal)snMINVAL, (1 - I) * d->efc_diagApprox[row + r] / I);
  }
}

// friction rows follow the normal's regularisation: the cone keeps its shape
static void frictionR(const snModel* m, snData* d, int row, int count) {
  snContact* con = d->contact + d->efc_id[row];
  snReal* R = d->efc_R + row;
  const snReal* mu = con->friction;
  snReal tangent = R[0] / snu_max((snReal)snMINVAL, m->opt.impratio);
  con->mu = mu[0] * snu_sqrt(tangent / R[0]);
  if (d->efc_type[row] == snCNSTR_CONTACT_ELLIPTIC) {
    R[1] = tangent;
    for (int j = 1; j < con->dim - 1; j++) R[j + 1] = R[1] * mu[0] * mu[0] / (mu[j] * mu[j]);
  } else {
    snReal edge = 2 * con->mu * con->mu * R[0];
    for (int r = 0; r < count; r++) R[r] = edge;
  }
}

// Rows that are not of contacts first, then contact by contact.
void sn_makeImpedance(const snModel* m, snData* d) {
  int nefc = d->nefc, plain = d->ne + d->nf + d->nl;
  SN_FOR(i, plain + (nefc > plain ? d->ncon : 0)) {
    int row = i < plain ? i : d->contact[i - plain].efc_address;
    if (row < 0) continue;
    int type = d->efc_type[row], id = d->efc_id[row];
    int count = sn_blockRows(m, d, type, id);
    if (row < d->ne && d->efc_J_rowsuper[row] != count - 1) continue;  // inside of a block
    rowDiagonals(m, d, row, count);
    blockImpedance(m, d, row, count);
    if (type == snCNSTR_CONTACT_PYRAMIDAL || type == snCNSTR_CONTACT_ELLIPTIC) {
      frictionR(m, d, row, count);
    }
  }
  SN_SYNC();
  SN_FOR(i, nefc) {
    snReal I = d->efc_KBIP[4 * i + 2];
    d->efc_D[i] = 1 / d->efc_R[i];
    d->efc_diagApprox[i] = d->efc_R[i] * I / (1 - I);
  }
  SN_SYNC();
}
