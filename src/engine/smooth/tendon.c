#include "engine/smooth/tendon.h"

#include "base/arena.h"
#include "base/assert.h"
#include "engine/lanes/lanes.h"
#include "engine/smooth/jacobian.h"
#include "engine/smooth/joint.h"
#include "engine/smooth/wrap.h"
#include "engine/step/plan.h"
#include "engine/step/sleep.h"
#include "math/four.h"
#include "math/math.h"

// ---- forces along chains

int sn_commonDof(const snModel* m, int body1, int body2) {
  SN_ASSERT_INDEX2(body1, body2, m->nbody);
  int dof1 = sn_lastDof(m, body1), dof2 = sn_lastDof(m, body2);
  while (dof1 >= 0 && dof2 >= 0 && dof1 != dof2) {
    if (dof1 > dof2) {
      dof1 = m->dof_parentid[dof1];
    } else {
      dof2 = m->dof_parentid[dof2];
    }
  }
  return dof1 == dof2 && dof1 >= 0 ? dof1 : -1;  // two points of the world have no dof
}

void sn_addWrenchBelow(const snModel* m, const snData* d, const snReal force[3],
                       const snReal* torque, const snReal point[3], int body, int stop,
                       snReal* row) {
  SN_ASSERT_INDEX(body, m->nbody);
  SN_ASSERT_REFERENCE(stop, m->nv);
  int last = sn_lastDof(m, body);
  if (last <= stop) return;
  snReal arm[3], wrench[6];
  snu_sub3(arm, point, d->subtree_com + 3 * m->body_rootid[body]);
  snu_cross(wrench, arm, force);
  if (torque) snu_addTo3(wrench, torque);
  snu_copy3(wrench + 3, force);
  for (int dof = last; dof > stop; dof = m->dof_parentid[dof]) {
    row[dof] += sn_dot6(d->cdof + 6 * dof, wrench);
  }
}

// ---- path of one tendon

// State of a walk along a tendon.
typedef struct Path_ {
  int points;       // next free path point
  int tendon;       // index of the tendon
  snReal divisor;   // of the last pulley
  snReal scale;     // 1 / divisor
  int* object;      // points of paths: what lies there, as in wrap_obj
  snReal* xpos;     // points of paths: where
  snReal* row;      // dense row of the Jacobian
  int* chain;       // dofs in the sparsity pattern of the row; NULL in dense mode
  int nchain;       // their number
  snByte* touched;  // is a dof in chain?
  int shares;       // do dofs move both ends of a segment?
  int rests;        // is there such a segment along which no other dof moves its ends?
  int rounds;       // are the rounding errors of the moment arms of shared dofs added?
} Path;

static void appendPoint(Path* path, int object, const snReal* position) {
  SN_ASSERT(path->points >= 0 && path->object && path->xpos);
  path->object[path->points] = object;
  if (position) {
    snu_copy3(path->xpos + 3 * path->points, position);
  } else {
    snu_zero3(path->xpos + 3 * path->points);
  }
  path->points++;
}

// enter the dofs that move a body into the pattern of the row, in ascending order
static void touchChain(const snModel* m, Path* path, int body) {
  SN_ASSERT_INDEX(body, m->nbody);
  int first = path->nchain;
  for (int dof = sn_lastDof(m, body); dof >= 0; dof = m->dof_parentid[dof]) {
    if (path->touched[dof]) break;  // its ancestors are there already
    path->touched[dof] = 1;
    SN_ASSERT(path->nchain < (int)m->nv);
    path->chain[path->nchain++] = dof;
  }
  for (int a = first, b = path->nchain - 1; a < b; a++, b--) {
    int swap = path->chain[a];
    path->chain[a] = path->chain[b];
    path->chain[b] = swap;
  }
}

// (b - a) / |b - a|; returns |b - a|
static snReal unitDirection(snReal direction[3], const snReal a[3], const snReal b[3]) {
  snu_sub3(direction, b, a);
  return snu_normalize3(direction);
}

// Velocity along a direction of a point that a dof moves: (v + w x arm)' direction, arm from the centre of
// mass of the tree. Summed in this order it is exactly zero where the axis of a hinge passes through the
// point, as in MuJoCo: islands and rows of the dense layout follow entries that are not zero.
static snReal speedAlong(const snReal cdof[6], const snReal arm[3], const snReal direction[3]) {
  snReal velocity[3];
  snu_cross(velocity, cdof, arm);
  snu_addTo3(velocity, cdof + 3);
  return snu_dot3(velocity, direction);
}

// row += scale * velocity along a direction of a point of a body, for the dofs of its chain after `stop`;
// returns whether one of them moves it
static int addPointBelow(const snModel* m, const snData* d, const snReal direction[3], snReal scale,
                         const snReal point[3], int body, int stop, snReal* row) {
  SN_ASSERT_INDEX(body, m->nbody);
  SN_ASSERT_REFERENCE(stop, m->nv);
  int last = sn_lastDof(m, body), moves = 0;
  if (last <= stop) return 0;
  snReal arm[3];
  snu_sub3(arm, point, d->subtree_com + 3 * m->body_rootid[body]);
  for (int dof = last; dof > stop; dof = m->dof_parentid[dof]) {
    snReal entry = scale * speedAlong(d->cdof + 6 * dof, arm, direction);
    row[dof] += entry;
    moves |= entry != 0;
  }
  return moves;
}

// row += scale * what rounding leaves of the moment arms of the dofs that move both ends, `common` and above
static void addSharedArms(const snModel* m, const snData* d, const snReal direction[3],
                          snReal scale, const snReal a[3], const snReal b[3], int common,
                          snReal* row) {
  if (common < 0) return;
  const snReal* com = d->subtree_com + 3 * m->body_rootid[m->dof_bodyid[common]];
  snReal arma[3], armb[3], vela[3], velb[3];
  snu_sub3(arma, a, com);
  snu_sub3(armb, b, com);
  for (int dof = common; dof >= 0; dof = m->dof_parentid[dof]) {
    const snReal* cdof = d->cdof + 6 * dof;
    snu_cross(vela, cdof, arma);
    snu_addTo3(vela, cdof + 3);
    snu_cross(velb, cdof, armb);
    snu_addTo3(velb, cdof + 3);
    snu_subFrom3(velb, vela);
    row[dof] += scale * snu_dot3(velb, direction);
  }
}

static void storeEntry(snData* d, int k, int dof, snReal value) {
  d->ten_J_colind[k] = dof;
  d->ten_J[k] = value;
}

// entries of ten_J from k on: velocity along a direction of a point of a body, for n dofs of its chain; returns whether
// one of them moves it
static int chainEntries(const snModel* m, snData* d, const snReal direction[3], snReal scale,
                        const snReal point[3], int body, const int* dof, int n, int k) {
  SN_ASSERT_INDEX(body, m->nbody);
  snReal arm[3];
  snu_sub3(arm, point, d->subtree_com + 3 * m->body_rootid[body]);
  int moves = 0;
  for (int i = 0; i < n; i++) {
    snReal entry = 0 + scale * speedAlong(d->cdof + 6 * dof[i], arm, direction);
    storeEntry(d, k + i, dof[i], entry);
    moves |= entry != 0;
  }
  return moves;
}

// J += (Jb - Ja)' e / divisor of a straight segment between points of two bodies; returns its length
static snReal addSegment(const snModel* m, const snData* d, Path* path, const snReal a[3],
                         int bodya, const snReal b[3], int bodyb) {
  if (bodya == bodyb) return snu_dist3(a, b);
  snReal direction[3], length = unitDirection(direction, a, b);
  int common = sn_commonDof(m, bodya, bodyb);
  int moves = addPointBelow(m, d, direction, path->scale, b, bodyb, common, path->row);
  moves |= addPointBelow(m, d, direction, -path->scale, a, bodya, common, path->row);
  path->shares |= common >= 0;
  path->rests |= common >= 0 && !moves;
  if (path->rounds) addSharedArms(m, d, direction, path->scale, a, b, common, path->row);
  if (path->chain) {
    touchChain(m, path, bodya);
    touchChain(m, path, bodyb);
  }
  return length;
}

// one step from site object j over an optional geom to the next site; returns the index of that
// site
static int spanSites(const snModel* m, snData* d, Path* path, int j) {
  SN_ASSERT_INDEX(j, m->tendon_num[path->tendon] - 1);
  const int* type = m->wrap_type + m->tendon_adr[path->tendon];
  const int* id = m->wrap_objid + m->tendon_adr[path->tendon];
  const snReal* prm = m->wrap_prm + m->tendon_adr[path->tendon];
  int hasGeom = type[j + 1] == snWRAP_SPHERE || type[j + 1] == snWRAP_CYLINDER;
  int next = hasGeom ? j + 2 : j + 1;
  int site0 = id[j], site1 = id[next];
  SN_ASSERT_INDEX2(site0, site1, m->nsite);
  const snReal *x0 = d->site_xpos + 3 * site0, *x1 = d->site_xpos + 3 * site1;
  int body0 = m->site_bodyid[site0], body1 = m->site_bodyid[site1];

  snReal tangent[6], length = -1;
  int geom = hasGeom ? id[j + 1] : -1;
  if (hasGeom) {
    int side = prm[j + 1] < 0 ? -1 : (int)(prm[j + 1] + (snReal)0.5);  // the nearest
    if (side >= (int)m->nsite) {
      snu_error("tendon %d: side site %d does not exist", path->tendon, side);
      side = -1;
    }
    length =
        sn_wrap(tangent, x0, x1, d->geom_xpos + 3 * geom, d->geom_xmat + 9 * geom,
                m->geom_size[3 * geom], type[j + 1], side >= 0 ? d->site_xpos + 3 * side : NULL);
  }

  appendPoint(path, -1, x0);
  if (length < 0) {
    d->ten_length[path->tendon] += addSegment(m, d, path, x0, body0, x1, body1) / path->divisor;
    return next;
  }
  int bodyg = m->geom_bodyid[geom];
  snReal before = addSegment(m, d, path, x0, body0, tangent, bodyg);
  length += before + addSegment(m, d, path, tangent + 3, bodyg, x1, body1);
  d->ten_length[path->tendon] += length / path->divisor;
  appendPoint(path, geom, tangent);
  appendPoint(path, geom, tangent + 3);
  return next;
}

static void spatialTendon(const snModel* m, snData* d, Path* path) {
  SN_ASSERT_INDEX(path->tendon, m->ntendon);
  int adr = m->tendon_adr[path->tendon], num = m->tendon_num[path->tendon];
  const int* type = m->wrap_type + adr;
  path->divisor = path->scale = 1;
  int j = 0;
  while (j < num - 1) {
    if (type[j] == snWRAP_PULLEY || type[j + 1] == snWRAP_PULLEY) {
      if (type[j] == snWRAP_PULLEY) {
        path->divisor = m->wrap_prm[adr + j];
        path->scale = 1 / path->divisor;
        appendPoint(path, -2, NULL);
      }
      j++;
      continue;
    }
    j = spanSites(m, d, path, j);
    if (j == num - 1 || type[j + 1] == snWRAP_PULLEY) {
      appendPoint(path, -1, d->site_xpos + 3 * m->wrap_objid[adr + j]);
    }
  }
}

// L = sum c q. A joint that is listed twice counts twice in the length; its last coefficient wins
// in a dense row, the coefficients add up in a sparse one.
static void fixedTendon(const snModel* m, snData* d, Path* path) {
  SN_ASSERT_INDEX(path->tendon, m->ntendon);
  int adr = m->tendon_adr[path->tendon], num = m->tendon_num[path->tendon];
  snReal length = d->ten_length[path->tendon];
  for (int k = adr; k < adr + num; k++) {
    int joint = m->wrap_objid[k], dof = m->jnt_dofadr[joint];
    SN_ASSERT_INDEX(joint, m->njnt);
    snReal coef = m->wrap_prm[k];
    length += coef * d->qpos[m->jnt_qposadr[joint]];
    if (!path->chain) {
      path->row[dof] = coef;
      continue;
    }
    path->row[dof] += coef;
    if (!path->touched[dof]) {
      path->touched[dof] = 1;
      path->chain[path->nchain++] = dof;
    }
  }
  d->ten_length[path->tendon] = length;
}

// Is it a tendon between two sites, with nothing between them?
static int isStraight(const snModel* m, int tendon) {
  const int* type = m->wrap_type + m->tendon_adr[tendon];
  return m->tendon_num[tendon] == 2 && type[0] == snWRAP_SITE && type[1] == snWRAP_SITE;
}

// Length and points of such a tendon.
static void finishStraight(snData* d, Path* path, const snReal a[3], const snReal b[3],
                           snReal length) {
  d->ten_length[path->tendon] += length / 1;
  d->ten_wrapnum[path->tendon] = 2;
  appendPoint(path, -1, a);
  appendPoint(path, -1, b);
}

// Row and points of such a tendon in the dense layout. Returns 0 where no dof moves only one end.
static int straightDense(const snModel* m, snData* d, Path* path) {
  const int* site = m->wrap_objid + m->tendon_adr[path->tendon];
  const snReal *a = d->site_xpos + 3 * site[0], *b = d->site_xpos + 3 * site[1];
  path->scale = 1;
  path->rests = path->rounds = 0;
  snReal length = addSegment(m, d, path, a, m->site_bodyid[site[0]], b, m->site_bodyid[site[1]]);
  if (path->rests) return 0;
  finishStraight(d, path, a, b, length);
  return 1;
}

// The same in the sparse layout, written at its final place adr. The pattern is the union of two chains with a common
// prefix. Returns 0 also where branches interleave.
static int straightTendon(const snModel* m, snData* d, Path* path, int adr) {
  int tendon = path->tendon;
  const int* site = m->wrap_objid + m->tendon_adr[tendon];
  const snReal *a = d->site_xpos + 3 * site[0], *b = d->site_xpos + 3 * site[1];
  int bodya = m->site_bodyid[site[0]], bodyb = m->site_bodyid[site[1]], n = 0;
  snReal direction[3], length = unitDirection(direction, a, b);
  if (bodya != bodyb) {
    snChainPair pair = sn_chainPair(m, bodya, bodyb);
    int common = pair.ncommon, na = pair.nfirst - common, nb = pair.nsecond - common;
    const int *dofa = pair.first + common, *dofb = pair.second + common;
    int after = na && nb && dofa[0] > dofb[nb - 1];  // the branch of a comes last
    if (na && nb && !after && dofa[na - 1] > dofb[0]) return 0;
    for (; n < common; n++) storeEntry(d, adr + n, pair.first[n], 0);
    int moves = chainEntries(m, d, direction, -1, a, bodya, dofa, na, adr + n + (after ? nb : 0));
    moves |= chainEntries(m, d, direction, 1, b, bodyb, dofb, nb, adr + n + (after ? 0 : na));
    if (common && !moves) return 0;
    n += na + nb;
  }
  d->ten_J_rownnz[tendon] = n;
  finishStraight(d, path, a, b, length);
  return 1;
}

// Copies pattern and values of a finished row to their place, and clears the scratch.
static void storeRow(snData* d, Path* path) {
  int tendon = path->tendon, adr = d->ten_J_rowadr[tendon];
  snu_insertionSortInt(path->chain, path->nchain);
  d->ten_J_rownnz[tendon] = path->nchain;
  for (int k = 0; k < path->nchain; k++) {
    int dof = path->chain[k];
    d->ten_J_colind[adr + k] = dof;
    d->ten_J[adr + k] = path->row[dof];
    path->row[dof] = 0;
    path->touched[dof] = 0;
  }
  path->nchain = 0;
}

// Is a row zero, or the part of it that may be all of one tree's? Then the rounding errors in the moment arms of dofs
// that move both ends of a segment decide whether a constraint on the tendon has a row, and which trees it joins.
static int isBalanced(const Path* path, int nv) {
  if (path->rests || !path->shares) return path->rests;
  int n = path->chain ? path->nchain : nv;
  for (int k = 0; k < n; k++) {
    if (path->row[path->chain ? path->chain[k] : k] != 0) return 0;
  }
  return 1;
}

static void clearRow(Path* path, int nv) {
  if (!path->chain) snu_zero(path->row, nv);
  for (int k = 0; k < path->nchain; k++) path->row[path->chain[k]] = 0;
}

static void walkTendon(const snModel* m, snData* d, Path* path, int tendon) {
  SN_ASSERT_INDEX(tendon, m->ntendon);
  path->tendon = tendon;
  int first = path->points, nv = (int)m->nv;
  if (m->wrap_type[m->tendon_adr[tendon]] == snWRAP_JOINT) {
    fixedTendon(m, d, path);
  } else {
    path->shares = path->rests = path->rounds = 0;
    spatialTendon(m, d, path);
    if (isBalanced(path, nv)) {
      path->points = first;
      path->rounds = 1;
      d->ten_length[tendon] = 0;
      clearRow(path, nv);
      spatialTendon(m, d, path);
    }
  }
  d->ten_wrapnum[tendon] = path->points - first;
}

// ---- the stage

static int hasSpatial(const snModel* m) {
  int spatial = 0;
  SN_FOR(i, m->ntendon) spatial |= m->wrap_type[m->tendon_adr[i]] != snWRAP_JOINT;
  return sn_teamAny(spatial);
}

// A row for each lane; where there are several, points of all paths too. 0: there is no room.
static int takeScratch(const snModel* m, snData* d, Path* path, int points) {
  int nv = (int)m->nv, lane = SN_LANE, lanes = SN_LANES;
  if (points) {
    path->object = SN_STACK(d, int, 2 * m->nwrap);
    path->xpos = SN_STACK(d, snReal, 6 * m->nwrap);
    if (!path->object || !path->xpos) return 0;
  }
  if (!sn_isSparse(m) || !nv) return 1;
  snReal* row = SN_STACK(d, snReal, nv * lanes);
  int* chain = SN_STACK(d, int, nv* lanes);
  snByte* touched = SN_STACK(d, snByte, nv * lanes);
  if (!row || !chain || !touched) return 0;
  path->row = row + nv * lane;
  path->chain = chain + nv * lane;
  path->touched = touched + nv * lane;
  snu_zero(path->row, nv);
  memset(path->touched, 0, (size_t)nv);
  return 1;
}

// Store the rows and points that the lanes found in the order of the tendons, by prefix sums; adr:
// free entry of ten_J, free point.
static void placeTendons(const snModel* m, snData* d, Path* path, int own, int adr[2]) {
  int total, tendon = path->tendon, sparse = sn_isSparse(m);
  int before = sn_teamScan(own && sparse ? path->nchain : 0, &total);
  if (own && sparse) {
    d->ten_J_rowadr[tendon] = adr[0] + before;
    storeRow(d, path);
  }
  adr[0] += total;

  int count = own ? d->ten_wrapnum[tendon] : 0;
  before = sn_teamScan(count, &total);
  if (own) d->ten_wrapadr[tendon] = adr[1] + before;
  for (int k = 0; k < count; k++) {
    int from = path->points - count + k, to = adr[1] + before + k;
    d->wrap_obj[to] = path->object[from];
    snu_copy3(d->wrap_xpos + 3 * to, path->xpos + 3 * from);
  }
  adr[1] += total;
}

// A straight tendon; 0: the general code has to do it.
static int placeStraight(const snModel* m, snData* d, Path* path, int sparse) {
  if (!isStraight(m, path->tendon)) return 0;
  if (sparse) return straightTendon(m, d, path, d->ten_J_rowadr[path->tendon]);
  return straightDense(m, d, path);
}

// By one lane, which writes points at their final places. A sleeping tendon keeps its address.
static void placeTendon(const snModel* m, snData* d, Path* path, int i, int sparse) {
  SN_ASSERT_INDEX(i, m->ntendon);
  path->tendon = i;
  if (sparse) d->ten_J_rowadr[i] = i ? d->ten_J_rowadr[i - 1] + d->ten_J_rownnz[i - 1] : 0;
  if (!placeStraight(m, d, path, sparse)) {
    walkTendon(m, d, path, i);
    if (sparse) storeRow(d, path);
  }
  d->ten_wrapadr[i] = path->points - d->ten_wrapnum[i];
}

// a lane walks along a tendon
static void walkTendons(const snModel* m, snData* d, Path* path) {
  int nv = (int)m->nv, ntendon = (int)m->ntendon, lanes = SN_LANES, adr[2] = {0, 0};
  int asleep = sn_someAsleep(m, d), sparse = sn_isSparse(m);
  sn_zeroShared(d->ten_length, ntendon);
  if (sparse) {
    SN_FOR(i, ntendon) d->ten_J_rownnz[i] = 0;
  } else {
    sn_zeroShared(d->ten_J, ntendon * nv);
  }
  SN_SYNC();
  for (int base = 0; base < ntendon; base += lanes) {
    int i = base + SN_LANE, own = i < ntendon;
    if (own && asleep) own = sn_sleepState(m, d, snOBJ_TENDON, i) != snS_ASLEEP;
    if (own && !sparse) path->row = d->ten_J + (size_t)i * nv;
    if (lanes == 1) {
      if (own) placeTendon(m, d, path, i, sparse);
      continue;
    }
    if (own) {
      path->points = 2 * m->tendon_adr[i];
      walkTendon(m, d, path, i);
    }
    placeTendons(m, d, path, own, adr);
  }
  SN_SYNC();
}

// 0: there is no room for the scratch of so many lanes
static SN_OUTLINE int tendons(const snModel* m, snData* d) {
  Path path = {0, 0, 1, 1, d->wrap_obj, d->wrap_xpos, NULL, NULL, 0, NULL, 0, 0, 0};
  int points = SN_LANES > 1 && hasSpatial(m), scratch = points || sn_isSparse(m), room = 1;
  if (scratch) {
    sn_markStack(d);
    room = takeScratch(m, d, &path, points);
  }
  if (room) walkTendons(m, d, &path);
  if (scratch) sn_freeStack(d);
  return room;
}

SN_STAGE void sn_tendon(const snModel* m, snData* d) {
  if (!m->ntendon) return;
  if (SN_LANES > 1 && !sn_someAsleep(m, d)) {
    if (sn_plans(m, d, snPLAN_TENDONS) && sn_tendonLanes(m, d)) return;
    if (tendons(m, d)) return;
  }
  SN_SOLO(if (!tendons(m, d)) sn_warning(d, snWARN_CNSTRFULL, (int)d->narena));
}

// ---- rows

const snReal* sn_tendonRow(const snModel* m, const snData* d, int tendon, const int** colind,
                           int* nnz) {
  SN_ASSERT_INDEX(tendon, m->ntendon);
  if (!sn_isSparse(m)) {
    *colind = NULL;
    *nnz = (int)m->nv;
    return d->ten_J + (size_t)tendon * (size_t)m->nv;
  }
  *colind = d->ten_J_colind + d->ten_J_rowadr[tendon];
  *nnz = d->ten_J_rownnz[tendon];
  return d->ten_J + d->ten_J_rowadr[tendon];
}

// Does the tendon list joints in ascending order, or only two? Loops along its dense row may then visit only the dofs
// of these joints, with the same sums. A sum of two terms is the same in either order.
SN_KERNEL int isJointList(const snModel* m, int tendon) {
  SN_ASSERT_INDEX(tendon, m->ntendon);
  int adr = m->tendon_adr[tendon], num = m->tendon_num[tendon];
  if (m->wrap_type[adr] != snWRAP_JOINT) return 0;
  for (int k = adr + 1; k < adr + num; k++) {
    int dof = m->jnt_dofadr[m->wrap_objid[k]], before = m->jnt_dofadr[m->wrap_objid[k - 1]];
    if (dof == before || (dof < before && num > 2)) return 0;
  }
  return 1;
}

// snu_dot of a dense row whose entries are the coefficients of the joints: the same sums, of which those
// of two terms have one result in any order
static snReal dotJointList(const snModel* m, int tendon, const snReal* vec) {
  SN_ASSERT_INDEX(tendon, m->ntendon);
  int adr = m->tendon_adr[tendon], num = m->tendon_num[tendon], whole = (int)m->nv & ~3;
  const int* joint = m->wrap_objid + adr;
  const snReal* coef = m->wrap_prm + adr;
  snReal sum[4] = {0, 0, 0, 0}, rest = 0;
  if (num <= 2) {
    for (int k = 0; k < num; k++) rest += coef[k] * vec[m->jnt_dofadr[joint[k]]];
    return rest;
  }
  for (int k = 0; k < num; k++) {
    int dof = m->jnt_dofadr[joint[k]];
    if (dof < whole) {
      sum[dof & 3] += coef[k] * vec[dof];
    } else {
      rest += coef[k] * vec[dof];
    }
  }
  return ((sum[0] + sum[2]) + (sum[1] + sum[3])) + rest;
}

// Dofs of a tendon of two joints, most of those that list joints; 0: it is another.
SN_KERNEL int isJointPair(const snModel* m, int tendon, int dof[2]) {
  int adr = m->tendon_adr[tendon];
  if (m->tendon_num[tendon] != 2 || m->wrap_type[adr] != snWRAP_JOINT) return 0;
  dof[0] = m->jnt_dofadr[m->wrap_objid[adr]];
  dof[1] = m->jnt_dofadr[m->wrap_objid[adr + 1]];
  return dof[0] != dof[1];
}

SN_WIDE(static, snReal, denseSpeed, (const snReal* row, const snReal* qvel, int nv),
        (row, qvel, nv)) {
  return sn_dotOne(row, qvel, nv);
}

snReal sn_tendonSpeed(const snModel* m, const snData* d, int tendon, const snReal* qvel) {
  SN_ASSERT(!sn_isSparse(m));
  int dof[2];
  if (isJointPair(m, tendon, dof)) {
    const snReal* coef = m->wrap_prm + m->tendon_adr[tendon];
    return 0 + coef[0] * qvel[dof[0]] + coef[1] * qvel[dof[1]];
  }
  if (isJointList(m, tendon)) return dotJointList(m, tendon, qvel);
  return denseSpeed(d->ten_J + (size_t)tendon * (size_t)m->nv, qvel, (int)m->nv);
}

static void addJointList(const snModel* m, int tendon, snReal scale, snReal* vec) {
  SN_ASSERT_INDEX(tendon, m->ntendon);
  int adr = m->tendon_adr[tendon], num = m->tendon_num[tendon];
  for (int k = adr; k < adr + num; k++) {
    int dof = m->jnt_dofadr[m->wrap_objid[k]];
    vec[dof] += m->wrap_prm[k] * scale;
  }
}

void sn_addTendonForce(const snModel* m, const snData* d, int tendon, snReal scale, snReal* vec) {
  SN_ASSERT_INDEX(tendon, m->ntendon);
  const int* colind;
  int nnz;
  const snReal* row = sn_tendonRow(m, d, tendon, &colind, &nnz);
  if (colind) {
    SN_FOR(k, nnz) vec[colind[k]] += row[k] * scale;
  } else if (SN_LANES == 1 && !snu_isBad(scale) && isJointList(m, tendon)) {
    addJointList(m, tendon, scale, vec);
  } else {
    SN_FOR(k, nnz) vec[k] += row[k] * scale;
  }
  SN_SYNC();
}

void sn_addTendonSprings(const snModel* m, snData* d, int tendon, int sparse, snReal spring,
                         snReal damper) {
  int dof[2];
  if (SN_LANES == 1 && !sparse && !snu_isBad(spring) && !snu_isBad(damper) &&
      isJointPair(m, tendon, dof)) {
    const snReal* coef = m->wrap_prm + m->tendon_adr[tendon];
    for (int k = 0; k < 2; k++) {
      if (spring != 0) d->qfrc_spring[dof[k]] += coef[k] * spring;
      if (damper != 0) d->qfrc_damper[dof[k]] += coef[k] * damper;
    }
    return;
  }
  if (spring != 0) sn_addTendonForce(m, d, tendon, spring, d->qfrc_spring);
  if (damper != 0) sn_addTendonForce(m, d, tendon, damper, d->qfrc_damper);
}

// ---- armature

// velocity of a point of a body, and Jdot qvel: its acceleration at qacc = 0
static void pointMotion(const snModel* m, const snData* d, const snReal point[3], int body,
                        snReal vel[3], snReal acc[3]) {
  SN_ASSERT_INDEX(body, m->nbody);
  const snReal* cvel = d->cvel + 6 * body;
  snReal offset[3], rate[6] = {0, 0, 0, 0, 0, 0}, part[6];
  snu_sub3(offset, point, d->subtree_com + 3 * m->body_rootid[body]);
  snu_cross(vel, cvel, offset);
  snu_addTo3(vel, cvel + 3);

  // rate of the motion axes, as in the time derivative of a Jacobian
  for (int dof = sn_lastDof(m, body); dof >= 0; dof = m->dof_parentid[dof]) {
    sn_axisRate(m, d, dof, part);
    sn_addToScl6(rate, part, d->qvel[dof]);
  }
  snu_cross(acc, rate, offset);
  snu_addTo3(acc, rate + 3);
  snu_cross(part, cvel, vel);
  snu_addTo3(acc, part);
}

// Jdot qvel of a spatial tendon: e.(acc_b - acc_a) + edot.(vel_b - vel_a), segment by segment
static snReal tendonRate(const snModel* m, const snData* d, int tendon) {
  SN_ASSERT_INDEX(tendon, m->ntendon);
  int adr = m->tendon_adr[tendon], num = m->tendon_num[tendon];
  const int* type = m->wrap_type + adr;
  snReal divisor = 1, rate = 0;
  for (int j = 0; j < num - 1; j++) {
    if (type[j] == snWRAP_PULLEY) divisor = m->wrap_prm[adr + j];
    if (type[j] == snWRAP_PULLEY || type[j + 1] == snWRAP_PULLEY) continue;
    if (type[j] != snWRAP_SITE || type[j + 1] != snWRAP_SITE) {
      snu_error("tendon %d: armature is not supported by tendons that wrap around geoms", tendon);
      return 0;
    }
    int site0 = m->wrap_objid[adr + j], site1 = m->wrap_objid[adr + j + 1];
    int body0 = m->site_bodyid[site0], body1 = m->site_bodyid[site1];
    if (body0 == body1) continue;

    const snReal *x0 = d->site_xpos + 3 * site0, *x1 = d->site_xpos + 3 * site1;
    snReal e[3], vel0[3], vel1[3], acc0[3], acc1[3], edot[3];
    snu_sub3(e, x1, x0);
    snReal length = snu_normalize3(e);
    pointMotion(m, d, x0, body0, vel0, acc0);
    pointMotion(m, d, x1, body1, vel1, acc1);
    snu_subFrom3(vel1, vel0);
    snu_subFrom3(acc1, acc0);
    snu_addScl3(edot, vel1, e, -snu_dot3(e, vel1));
    snu_scl3(edot, edot, length > (snReal)snMINVAL ? 1 / length : 0);
    rate += (snu_dot3(e, acc1) + snu_dot3(edot, vel1)) / divisor;
  }
  return rate;
}

static SN_OUTLINE void addTendonBias(const snModel* m, const snData* d, snReal* qfrc) {
  int asleep = sn_someAsleep(m, d);
  for (int i = 0; i < (int)m->ntendon; i++) {
    snReal armature = m->tendon_armature[i];
    if (armature == 0 || m->wrap_type[m->tendon_adr[i]] == snWRAP_JOINT) continue;
    if (asleep && sn_sleepState(m, d, snOBJ_TENDON, i) == snS_ASLEEP) continue;
    snReal coef = armature * tendonRate(m, d, i);
    if (coef != 0) sn_addTendonForce(m, d, i, coef, qfrc);
  }
}

void sn_tendonBias(const snModel* m, snData* d, snReal* qfrc) {
  int some = 0;
  if (!m->ntendon) return;
  SN_FOR(i, m->ntendon) some |= m->tendon_armature[i] != 0;
  if (sn_teamAny(some)) SN_SOLO(addTendonBias(m, d, qfrc));
}
