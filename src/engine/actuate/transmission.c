// Lengths of actuators and their moments: rows of d(length)/d(qpos) in compressed form.
//
// Joint rows keep all entries of the joint, sparse tendon rows keep the tendon's pattern; the other
// rows drop entries that are exactly zero.

#include "base/arena.h"
#include "base/assert.h"
#include "base/crew.h"
#include "engine/lanes/lanes.h"
#include "engine/smooth/jacobian.h"
#include "engine/smooth/tendon.h"
#include "engine/step/plan.h"
#include "engine/step/sleep.h"
#include "math/math.h"

// The row that is being written.
typedef struct MomentRow_ {
  int* colind;    // columns, at the row's address; NULL: just count
  snReal* value;  // values, at the row's address
  int nnz;        // entries so far
  snReal* work;   // scratch of nv zeros
  int* chain;     // scratch of nv dofs
} MomentRow;

static void addEntry(MomentRow* row, int dof, snReal value) {
  SN_ASSERT(dof >= 0);
  if (row->colind) {
    row->colind[row->nnz] = dof;
    row->value[row->nnz] = value;
  }
  row->nnz++;
}

// move the non-zeros of the scratch vector on a chain into the row, and clear them
static void gatherChain(MomentRow* row, int n, const int* chain, snReal scale) {
  for (int k = 0; k < n; k++) {
    int dof = chain ? chain[k] : k;
    if (row->work[dof] == 0) continue;
    addEntry(row, dof, row->work[dof] * scale);
    row->work[dof] = 0;
  }
}

static void jointTransmission(const snModel* m, snData* d, int i, MomentRow* row) {
  SN_ASSERT_INDEX(i, m->nu);
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
static void sliderCrankTransmission(const snModel* m, snData* d, int i, MomentRow* row) {
  SN_ASSERT_INDEX(i, m->nu);
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

// Entries of the row of a tendon, all of a sparse one; returns their number. Nullable: col, then just counts.
static inline int tendonEntries(const snReal* J, const int* colind, int nnz, snReal gear, int* col,
                                snReal* value) {
  int n = 0;
  for (int k = 0; k < nnz; k++) {
    if (!colind && J[k] == 0) continue;
    if (col) {
      col[n] = colind ? colind[k] : k;
      value[n] = J[k] * gear;
    }
    n++;
  }
  return n;
}

static void tendonTransmission(const snModel* m, snData* d, int i, MomentRow* row) {
  SN_ASSERT_INDEX(i, m->nu);
  int tendon = m->actuator_trnid[2 * i], nnz;
  const int* colind;
  snReal gear = m->actuator_gear[6 * i];
  const snReal* J = sn_tendonRow(m, d, tendon, &colind, &nnz);
  d->actuator_length[i] = d->ten_length[tendon] * gear;
  row->nnz = tendonEntries(J, colind, nnz, gear, row->colind, row->value);
}

// orientation of a site as its length is measured: local quaternion on the left of the body's
static void siteQuat(const snModel* m, const snData* d, int site, snReal quat[4]) {
  snu_mulQuat(quat, m->site_quat + 4 * site, d->xquat + 4 * m->site_bodyid[site]);
}

// Wrench in the frame of a site, relative to a reference site where there is one.
static void siteTransmission(const snModel* m, snData* d, int i, MomentRow* row) {
  SN_ASSERT_INDEX(i, m->nu);
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
static void bodyTransmission(const snModel* m, snData* d, int i, MomentRow* row) {
  SN_ASSERT_INDEX(i, m->nu);
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

static void transmit(const snModel* m, snData* d, int i, MomentRow* row) {
  SN_ASSERT_INDEX(i, m->nu);
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

// Does a transmission walk along chains of dofs, in the scratch of its row?
static int walksChains(int trntype) {
  return trntype == snTRN_SLIDERCRANK || trntype == snTRN_SITE || trntype == snTRN_BODY;
}

// scratch for each lane; 0: there is no room
static int takeScratch(const snModel* m, snData* d, MomentRow* row) {
  int nv = (int)m->nv, lane = SN_LANE, lanes = SN_LANES;
  row->work = SN_STACK(d, snReal, nv * lanes);
  row->chain = SN_STACK(d, int, nv* lanes);
  if (!row->work || !row->chain) return 0;
  row->work += nv * lane;
  row->chain += nv * lane;
  snu_zero(row->work, nv);
  return 1;
}

static inline int isScalarJoint(const snModel* m, int i) {
  if (m->actuator_trntype[i] != snTRN_JOINT) return 0;
  int type = m->jnt_type[m->actuator_trnid[2 * i]];
  return type == snJNT_HINGE || type == snJNT_SLIDE;
}

// the only entry of an actuator of a hinge or slider, at a place; its row is set by the caller
static inline void transmitScalar(const snModel* m, snData* d, int i, int adr) {
  int joint = m->actuator_trnid[2 * i];
  snReal gear = m->actuator_gear[6 * i];
  d->actuator_length[i] = d->qpos[m->jnt_qposadr[joint]] * gear;
  d->actuator_moment[adr] = gear;
  d->moment_colind[adr] = m->jnt_dofadr[joint];
}

// One lane: actuators of hinges and sliders, whose rows have one entry, and of tendons, from the first on. Returns their
// number, and that of the entries.
static int transmitFirst(const snModel* m, snData* d, int* entries) {
  int i = 0, adr = 0, n, nv = (int)m->nv, sparse = sn_isSparse(m);
  for (; i < (int)m->nu; i++, adr += n) {
    if (m->actuator_trntype[i] == snTRN_TENDON) {
      int id = m->actuator_trnid[2 * i];
      snReal gear = m->actuator_gear[6 * i];
      int row = sparse ? d->ten_J_rowadr[id] : nv * id;
      d->actuator_length[i] = d->ten_length[id] * gear;
      n = tendonEntries(d->ten_J + row, sparse ? d->ten_J_colind + row : NULL,
                        sparse ? d->ten_J_rownnz[id] : nv, gear, d->moment_colind + adr,
                        d->actuator_moment + adr);
    } else if (isScalarJoint(m, i)) {
      transmitScalar(m, d, i, adr);
      n = 1;
    } else {
      break;
    }
    d->moment_rowadr[i] = adr;
    d->moment_rownnz[i] = n;
  }
  *entries = adr;
  return i;
}

enum { ACTUATORS_AT_ONCE = 128 };

static void transmitSome(const snModel* m, snData* view, void* context, int begin, int end) {
  (void)context;
  for (int i = begin; i < end; i++) {
    if (!isScalarJoint(m, i)) {
      view->refused++;
      return;
    }
    transmitScalar(m, view, i, i);
    view->moment_rowadr[i] = i;
    view->moment_rownnz[i] = 1;
  }
}

// By several threads, if all actuators have one entry; 0: it was not done.
static int transmitShared(const snModel* m, snData* d) {
  int nu = (int)m->nu;
  return nu >= 4 * ACTUATORS_AT_ONCE && sn_hasCrew(d) && !sn_someAsleep(m, d) &&
         isScalarJoint(m, 0) && isScalarJoint(m, nu - 1) &&
         sn_share(m, d, nu, ACTUATORS_AT_ONCE, transmitSome, NULL);
}

// A lane takes an actuator. Among several lanes it writes the row twice: the first time it counts the
// entries, and a prefix sum over the lanes tells where they go.
static void transmitRows(const snModel* m, snData* d, MomentRow* row) {
  int nu = (int)m->nu, lanes = SN_LANES, asleep = sn_someAsleep(m, d);
  int adr = 0, first = lanes == 1 && !asleep ? transmitFirst(m, d, &adr) : 0;
  for (int base = first; base < nu; base += lanes) {
    int i = base + SN_LANE, place = adr, total = 0;
    int acts = i < nu && !(asleep && sn_sleepState(m, d, snOBJ_ACTUATOR, i) == snS_ASLEEP);
    if (lanes > 1) {
      row->colind = NULL;
      row->nnz = 0;
      if (acts) transmit(m, d, i, row);
      place += sn_teamScan(row->nnz, &total);
    }
    row->colind = d->moment_colind + place;
    row->value = d->actuator_moment + place;
    row->nnz = 0;
    if (acts) transmit(m, d, i, row);
    if (i < nu) {
      d->moment_rowadr[i] = place;
      d->moment_rownnz[i] = row->nnz;
    }
    adr += lanes > 1 ? total : row->nnz;
  }
  SN_SYNC();
}

// 0: there is no room for the scratch of so many lanes
static SN_OUTLINE int transmitAll(const snModel* m, snData* d) {
  MomentRow row = {NULL, NULL, 0, NULL, NULL};
  int walks = 0, room = 1;
  SN_FOR(i, m->nu) walks |= walksChains(m->actuator_trntype[i]);
  walks = sn_teamAny(walks) && m->nv;
  if (walks) {
    sn_markStack(d);
    room = takeScratch(m, d, &row);
  }
  if (room) transmitRows(m, d, &row);
  if (walks) sn_freeStack(d);
  return room;
}

SN_STAGE void sn_transmission(const snModel* m, snData* d) {
  if (!m->nu) return;
  if (sn_plans(m, d, snPLAN_TRANSMISSION) && !sn_someAsleep(m, d) && sn_transmissionLanes(m, d)) {
    return;
  }
  if (transmitShared(m, d) || (SN_LANES > 1 && transmitAll(m, d))) return;
  SN_SOLO(if (!transmitAll(m, d)) sn_warning(d, snWARN_CNSTRFULL, (int)d->narena));
}
