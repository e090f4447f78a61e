// Lengths of actuators and their moments: rows of d(length)/d(qpos) in compressed form.
//
// Joint rows keep all entries of the joint, sparse tendon rows keep the tendon's pattern; the other
// rows drop entries that are exactly zero.

#include "base/arena.h"
#include "engine/smooth/jacobian.h"
#include "engine/smooth/tendon.h"
#include "engine/step/plan.h"
#include "engine/step/sleep.h"
#include "math/math.h"

// The row that is being written.
typedef struct Row_ {
  int* colind;    // columns, at the row's address; NULL: just count
  snReal* value;  // values, at the row's address
  int nnz;        // entries so far
  snReal* work;   // scratch of nv zeros
  int* chain;     // scratch of nv dofs
} Row;

static void addEntry(Row* row, int dof, snReal value) {
  if (row->colind) {
    row->colind[row->nnz] = dof;
    row->value[row->nnz] = value;
  }
  row->nnz++;
}

// move the non-zeros of the scratch vector on a chain into the row, and clear them
static void gatherChain(Row* row, int n, const int* chain, snReal scale) {
  for (int k = 0; k < n; k++) {
    int dof = chain ? chain[k] : k;
    if (row->work[dof] == 0) continue;
    addEntry(row, dof, row->work[dof] * scale);
    row->work[dof] = 0;
  }
}

static void jointTransmission(const snModel* m, snData* d, int i, Row* row) {
  int joint = m->actuator_trnid[2 * i], adr = m->jnt_qposadr[joint], dof = m->jnt_dofadr[joint];
  const snReal* gear = m->actuator_gear + 6 * i;
  int type = m->jnt_type[joint], inParent = m->actuator_trntype[i] == snTRN_JOINTINPARENT;
  if (type == snJNT_HINGE || type == snJNT_SLIDE) {
    d->actuator_length[i] = d->qpos[adr] * gear[0];
    addEntry(row, dof, gear[0]);
    return;
  }

  // rotational gear, turned into the child frame when it is given in the parent's
  snReal quat[4], inverse[4], axis[3];
  int isFree = type == snJNT_FREE;
  snu_copy4(quat, d->qpos + adr + (isFree ? 3 : 0));
  snu_normalize4(quat);
  snu_copy3(axis, gear + (isFree ? 3 : 0));
  if (inParent) {
    snu_negQuat(inverse, quat);
    snu_rotVecQuat(axis, axis, inverse);
  }
  if (isFree) {
    d->actuator_length[i] = 0;
    for (int k = 0; k < 3; k++) addEntry(row, dof + k, gear[k]);
    dof += 3;
  } else {
    snReal rotation[3];
    snu_quat2Vel(rotation, quat, 1);
    d->actuator_length[i] = snu_dot3(rotation, axis);
  }
  for (int k = 0; k < 3; k++) addEntry(row, dof + k, axis[k]);
}

// A rod of fixed length between a crank site and a slider that moves along its own z axis.
static void sliderCrankTransmission(const snModel* m, snData* d, int i, Row* row) {
  int crank = m->actuator_trnid[2 * i], slider = m->actuator_trnid[2 * i + 1];
  const snReal *xcrank = d->site_xpos + 3 * crank, *xslider = d->site_xpos + 3 * slider;
  const snReal* mat = d->site_xmat + 9 * slider;
  snReal rod = m->actuator_cranklength[i], gear = m->actuator_gear[6 * i];
  snReal axis[3] = {mat[2], mat[5], mat[8]}, vec[3], dldv[3], dlda[3];
  snu_sub3(vec, xcrank, xslider);
  snReal av = snu_dot3(vec, axis);
  snReal det = av * av + rod * rod - snu_dot3(vec, vec), length;
  if (det > 0) {
    snReal root = snu_sqrt(det);
    length = av - root;
    snu_scl3(dldv, axis, 1 - av / root);
    snu_addToScl3(dldv, vec, 1 / root);
    snu_scl3(dlda, vec, 1 - av / root);
  } else {
    // out of reach
    length = av;
    snu_copy3(dldv, axis);
    snu_copy3(dlda, vec);
  }
  d->actuator_length[i] = length * gear;

  // dlda.(w x axis) + dldv.(v_crank - v_slider), w of the slider
  int bodyc = m->site_bodyid[crank], bodys = m->site_bodyid[slider];
  snReal opposite[3], torque[3];
  snu_scl3(opposite, dldv, -1);
  snu_cross(torque, axis, dlda);
  sn_addWrenchBelow(m, d, dldv, NULL, xcrank, bodyc, -1, row->work);
  sn_addWrenchBelow(m, d, opposite, torque, xslider, bodys, -1, row->work);
  gatherChain(row, sn_mergeChain(m, row->chain, bodyc, bodys), row->chain, gear);
}

static void tendonTransmission(const snModel* m, snData* d, int i, Row* row) {
  int tendon = m->actuator_trnid[2 * i], nnz;
  const int* colind;
  snReal gear = m->actuator_gear[6 * i];
  const snReal* J = sn_tendonRow(m, d, tendon, &colind, &nnz);
  d->actuator_length[i] = d->ten_length[tendon] * gear;
  for (int k = 0; k < nnz; k++) {
    if (colind) {
      addEntry(row, colind[k], J[k] * gear);
    } else if (J[k] != 0) {
      addEntry(row, k, J[k] * gear);
    }
  }
}

// orientation of a site as its length is measured: local quaternion on the left of the body's
static void siteQuat(const snModel* m, const snData* d, int site, snReal quat[4]) {
  snu_mulQuat(quat, m->site_quat + 4 * site, d->xquat + 4 * m->site_bodyid[site]);
}

// Wrench in the frame of a site, relative to a reference site where there is one.
static void siteTransmission(const snModel* m, snData* d, int i, Row* row) {
  int site = m->actuator_trnid[2 * i], ref = m->actuator_trnid[2 * i + 1];
  int body = m->site_bodyid[site], frame = ref >= 0 ? ref : site, common = -1;
  const snReal *gear = m->actuator_gear + 6 * i, *x = d->site_xpos + 3 * site;
  snReal force[3], torque[3];
  snu_mulMatVec3(force, d->site_xmat + 9 * frame, gear);
  snu_mulMatVec3(torque, d->site_xmat + 9 * frame, gear + 3);
  d->actuator_length[i] = 0;

  if (ref >= 0) {
    int bodyref = m->site_bodyid[ref];
    const snReal* xref = d->site_xpos + 3 * ref;
    snReal part[3];
    common = sn_commonDof(m, body, bodyref);
    if (!snu_isZero(gear, 3)) {
      snu_sub3(part, x, xref);
      snu_mulMatTVec3(part, d->site_xmat + 9 * ref, part);
      d->actuator_length[i] += snu_dot3(part, gear);
    }
    if (!snu_isZero(gear + 3, 3)) {
      snReal quat[4], quatref[4];
      siteQuat(m, d, site, quat);
      siteQuat(m, d, ref, quatref);
      snu_subQuat(part, quat, quatref);
      d->actuator_length[i] += snu_dot3(part, gear + 3);
    }
    snReal opposite[3], antitorque[3];
    snu_scl3(opposite, force, -1);
    snu_scl3(antitorque, torque, -1);
    sn_addWrenchBelow(m, d, opposite, antitorque, xref, bodyref, common, row->work);
  }

  sn_addWrenchBelow(m, d, force, torque, x, body, common, row->work);
  int n = sn_mergeChain(m, row->chain, body, m->site_bodyid[frame]);
  gatherChain(row, n, row->chain, 1);
}

// add a scaled row of the constraint Jacobian
static void addConstraintRow(const snModel* m, const snData* d, int efc, snReal scale,
                             snReal* vec) {
  if (sn_isSparse(m)) {
    int adr = d->efc_J_rowadr[efc];
    sn_addToSclSparse(vec, d->efc_J + adr, d->efc_J_colind + adr, d->efc_J_rownnz[efc], scale);
  } else {
    snu_addToScl(vec, d->efc_J + (size_t)efc * (size_t)m->nv, scale, (int)m->nv);
  }
}

// Adhesion: mean of the normals of a body's contacts, active and in the gap.
static void bodyTransmission(const snModel* m, snData* d, int i, Row* row) {
  int body = m->actuator_trnid[2 * i], count = 0;
  d->actuator_length[i] = 0;
  for (int c = 0; c < d->ncon; c++) {
    const snContact* con = d->contact + c;
    if (con->geom[0] < 0 || con->geom[1] < 0) continue;
    int body1 = m->geom_bodyid[con->geom[0]], body2 = m->geom_bodyid[con->geom[1]];
    if (body1 != body && body2 != body) continue;

    if (con->exclude == 0) {
      // pyramidal: the edges average to the normal
      int edges = con->dim == 1 || m->opt.cone == snCONE_ELLIPTIC ? 1 : 2 * (con->dim - 1);
      for (int k = 0; k < edges; k++) {
        addConstraintRow(m, d, con->efc_address + k, (snReal)1 / edges, row->work);
      }
      count++;
    } else if (con->exclude == 1) {
      snReal opposite[3];
      snu_scl3(opposite, con->frame, -1);
      sn_addWrenchBelow(m, d, con->frame, NULL, con->pos, body2, -1, row->work);
      sn_addWrenchBelow(m, d, opposite, NULL, con->pos, body1, -1, row->work);
      count++;
    }
  }
  if (count) gatherChain(row, (int)m->nv, NULL, (snReal)-1 / count);
}

static void transmit(const snModel* m, snData* d, int i, Row* row) {
  switch (m->actuator_trntype[i]) {
    case snTRN_JOINT:
    case snTRN_JOINTINPARENT: jointTransmission(m, d, i, row); break;
    case snTRN_SLIDERCRANK: sliderCrankTransmission(m, d, i, row); break;
    case snTRN_TENDON: tendonTransmission(m, d, i, row); break;
    case snTRN_SITE: siteTransmission(m, d, i, row); break;
    case snTRN_BODY: bodyTransmission(m, d, i, row); break;
    default:
      snu_error("actuator %d: unknown transmission type %d", i, m->actuator_trntype[i]);
      break;
  }
}

// A team: a lane for each actuator, which finds its row twice: counts, then fills. 0: there is no
// room for the scratch of so many.
static SN_OUTLINE int transmitTeam(const snModel* m, snData* d) {
  int nv = (int)m->nv, nu = (int)m->nu, lane = SN_LANE, lanes = SN_LANES, adr = 0, chains = 0;
  SN_FOR(i, nu) {
    int type = m->actuator_trntype[i];
    chains |= type == snTRN_SLIDERCRANK || type == snTRN_SITE || type == snTRN_BODY;
  }
  chains = sn_teamAny(chains) && nv;
  Row row = {NULL, NULL, 0, NULL, NULL};
  if (chains) {
    sn_markStack(d);
    row.work = SN_STACK(d, snReal, nv * lanes);
    row.chain = SN_STACK(d, int, nv* lanes);
    if (!row.work || !row.chain) {
      sn_freeStack(d);
      return 0;
    }
    row.work += nv * lane;
    row.chain += nv * lane;
    snu_zero(row.work, nv);
  }

  for (int base = 0; base < nu; base += lanes) {
    int i = base + lane, own = i < nu, total;
    row.colind = NULL;
    row.nnz = 0;
    if (own) transmit(m, d, i, &row);
    int before = sn_teamScan(row.nnz, &total);
    if (own) {
      d->moment_rowadr[i] = adr + before;
      d->moment_rownnz[i] = row.nnz;
      row.colind = d->moment_colind + adr + before;
      row.value = d->actuator_moment + adr + before;
      row.nnz = 0;
      transmit(m, d, i, &row);
    }
    adr += total;
  }
  SN_SYNC();
  if (chains) sn_freeStack(d);
  return 1;
}

static SN_OUTLINE void transmitAlone(const snModel* m, snData* d) {
  int nv = (int)m->nv, nu = (int)m->nu;
  sn_markStack(d);
  Row row = {NULL, NULL, 0, NULL, NULL};
  row.work = SN_STACK(d, snReal, nv);
  row.chain = SN_STACK(d, int, nv);
  if (nv && (!row.work || !row.chain)) {
    sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
    sn_freeStack(d);
    return;
  }
  snu_zero(row.work, nv);

  int asleep = sn_someAsleep(m, d), adr = 0;
  for (int i = 0; i < nu; i++) {
    d->moment_rowadr[i] = adr;
    row.colind = d->moment_colind + adr;
    row.value = d->actuator_moment + adr;
    row.nnz = 0;
    if (!asleep || sn_sleepState(m, d, snOBJ_ACTUATOR, i) != snS_ASLEEP) transmit(m, d, i, &row);
    d->moment_rownnz[i] = row.nnz;
    adr += row.nnz;
  }
  sn_freeStack(d);
}

// The same with a lane for each actuator, joint and coordinate: all is asked for at once.
static int transmitLanes(const snModel* m, snData* d) {
  int lane = SN_LANE, nu = (int)m->nu, i = lane < nu ? lane : 0;
  int joint = lane < (int)m->njnt ? lane : 0, q = lane < (int)m->nq ? lane : 0;
  int trn = m->actuator_trntype[i], id = m->actuator_trnid[2 * i];
  int type = m->jnt_type[joint], adr = m->jnt_qposadr[joint], dof = m->jnt_dofadr[joint];
  snReal gear = m->actuator_gear[6 * i], qpos = d->qpos[q];
  int plain = trn == snTRN_JOINT || trn == snTRN_JOINTINPARENT;
  type = sn_warpFromInt(type, id);
  adr = sn_warpFromInt(adr, id);
  dof = sn_warpFromInt(dof, id);
  qpos = sn_warpFrom(qpos, adr);
  if (sn_warpAny(!plain || (type != snJNT_HINGE && type != snJNT_SLIDE))) return 0;
  if (lane < nu) {
    d->actuator_length[i] = qpos * gear;
    d->moment_rowadr[i] = i;
    d->moment_rownnz[i] = 1;
    d->moment_colind[i] = dof;
    d->actuator_moment[i] = gear;
  }
  SN_SYNC();
  return 1;
}

// A team whose actuators all turn or push one dof: a row is one entry. Returns 0 when there are others.
static int transmitSingles(const snModel* m, snData* d) {
  int nu = (int)m->nu, other = 0;
  if (sn_plans(m, d, snPLAN_TRANSMISSION)) return transmitLanes(m, d);
  SN_FOR(i, nu) {
    int trn = m->actuator_trntype[i];
    int plain = trn == snTRN_JOINT || trn == snTRN_JOINTINPARENT;
    int type = plain ? m->jnt_type[m->actuator_trnid[2 * i]] : snJNT_FREE;
    other |= type != snJNT_HINGE && type != snJNT_SLIDE;
  }
  if (sn_teamAny(other)) return 0;
  SN_FOR(i, nu) {
    int joint = m->actuator_trnid[2 * i];
    snReal gear = m->actuator_gear[6 * i];
    d->actuator_length[i] = d->qpos[m->jnt_qposadr[joint]] * gear;
    d->moment_rowadr[i] = i;
    d->moment_rownnz[i] = 1;
    d->moment_colind[i] = m->jnt_dofadr[joint];
    d->actuator_moment[i] = gear;
  }
  SN_SYNC();
  return 1;
}

SN_STAGE void sn_transmission(const snModel* m, snData* d) {
  if (!m->nu) return;
  if (SN_LANES > 1 && !sn_someAsleep(m, d) && (transmitSingles(m, d) || transmitTeam(m, d))) return;
  SN_SOLO(transmitAlone(m, d));
}
