// Derivative of a tendon's Jacobian by positions (see differentiate/position_derivative.h).
//
// A path pulls at points: J = sum e_p . J_p. Where dof k carries the point,
//   dJ_p,i = w_k x J_p,i  when k moves the axis of i,   w_i x J_p,k  otherwise,
// and along a straight segment de = (1 - e e') (db - da) / |b - a|. Over a geom, the pull at each end
// acts on the geom along the same line, so that the tangent points need no derivative: J is made of
// the two directions, which follow the two ends in the frame of the geom.

#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "engine/differentiate/position_derivative.h"
#include "engine/smooth/jacobian.h"
#include "engine/smooth/tendon.h"
#include "engine/smooth/wrap.h"
#include "math/math.h"
#include "math/sparse.h"

int sn_allocTendonShape(const snModel* m, snData* d, snTendonShape* shape) {
  int nv = (int)m->nv;
  shape->n = 0;
  shape->dof = SN_STACK(d, int, nv + 1);
  shape->J = SN_STACK(d, snReal, nv + 1);
  shape->hessian = SN_STACK(d, snReal, nv * nv + 1);
  return shape->dof && shape->J && shape->hessian;
}

snReal sn_tendonRate(const snTendonShape* shape, int k, const snReal* vec) {
  snReal sum = 0;
  if (shape->isLinear) return 0;
  for (int i = 0; i < shape->n; i++) sum += shape->hessian[k * shape->n + i] * vec[shape->dof[i]];
  return sum;
}

// ---- points

// place of a dof in the ascending list
static int find(const snTendonShape* shape, int dof) {
  return sn_findIndex(shape->dof, shape->n, dof);
}

static int carries(const snModel* m, int dof, int body) {
  SN_ASSERT_INDEX(dof, m->nv);
  SN_ASSERT_INDEX(body, m->nbody);
  int last = sn_lastDof(m, body);
  while (last > dof) last = m->dof_parentid[last];
  return last == dof;
}

// motion [w; v] of dof k at a point, whatever body carries it
static void motionOf(const snModel* m, const snData* d, int k, const snReal point[3],
                     snReal motion[6]) {
  SN_ASSERT_INDEX(k, m->nv);
  snReal arm[3];
  snu_sub3(arm, point, d->subtree_com + 3 * m->body_rootid[m->dof_bodyid[k]]);
  sn_motionAt(d->cdof + 6 * k, arm, motion);
}

void sn_pointRate(const snModel* m, const snData* d, int k, int body, const snReal point[3],
                  snReal rate[6]) {
  SN_ASSERT_INDEX(body, m->nbody);
  sn_zero6(rate);
  if (carries(m, k, body)) motionOf(m, d, k, point, rate);
}

// A pull at a point: J += S_i . w; hessian by position k, with the changes of direction and point.
// w = (arm x f, f): dJ_i = (w_k x J_i + J_k x w_i) . f + w_i . (dp x f) + J_i . df
void sn_shapePull(const snModel* m, const snData* d, const snTangent* t, snTendonShape* shape,
                  int body, const snReal point[3], const snReal pull[3], int place,
                  const snReal turn[3], const snReal shift[3]) {
  SN_ASSERT_INDEX(body, m->nbody);
  int k = shape->dof[place], moved = carries(m, k, body);
  snReal mine[6], other[6], part[3], torque[3];
  snReal* row = shape->hessian + (size_t)place * shape->n;
  if (moved) motionOf(m, d, k, point, mine);
  snu_cross(torque, shift, pull);
  for (int i = sn_lastDof(m, body); i >= 0; i = m->dof_parentid[i]) {
    motionOf(m, d, i, point, other);
    snReal value = snu_dot3(other, torque) + snu_dot3(other + 3, turn);
    if (moved && sn_movesAxis(t, k, i)) {
      snu_cross(part, mine, other + 3);
      value += snu_dot3(part, pull);
      snu_cross(part, mine + 3, other);
      value += snu_dot3(part, pull);
    }
    row[find(shape, i)] += value;
  }
}

// ---- segments

static void straight(const snModel* m, const snData* d, const snTangent* t, snTendonShape* shape,
                     const snReal* a, int bodya, const snReal* b, int bodyb, snReal divisor) {
  SN_ASSERT_INDEX2(bodya, bodyb, m->nbody);
  snReal e[3], back[3], ratea[6], rateb[6], change[3], turn[3];
  if (bodya == bodyb) return;
  snu_sub3(e, b, a);
  snReal length = snu_normalize3(e);
  snReal curve = length > (snReal)snMINVAL ? 1 / (length * divisor) : 0;
  snReal pull[3];
  snu_scl3(pull, e, 1 / divisor);
  snu_scl3(back, pull, -1);
  for (int place = 0; place < shape->n; place++) {
    int k = shape->dof[place];
    sn_pointRate(m, d, k, bodya, a, ratea);
    sn_pointRate(m, d, k, bodyb, b, rateb);
    snu_sub3(change, rateb + 3, ratea + 3);
    snu_addScl3(turn, change, e, -snu_dot3(e, change));
    snu_scl3(turn, turn, curve);
    sn_shapePull(m, d, t, shape, bodyb, b, pull, place, turn, rateb + 3);
    snu_scl3(turn, turn, -1);
    sn_shapePull(m, d, t, shape, bodya, a, back, place, turn, ratea + 3);
  }
}

void sn_straightShape(const snModel* m, const snData* d, const snTangent* t, snTendonShape* shape,
                      const snReal* a, int bodya, const snReal* b, int bodyb) {
  SN_ASSERT_INDEX2(bodya, bodyb, m->nbody);
  straight(m, d, t, shape, a, bodya, b, bodyb, 1);
}

// A path over a geom, its two directions and their derivatives by the two ends.
typedef struct Bend_ {
  const snReal *end[2], *xpos, *xmat, *side;
  int body[2], geomBody, type;
  snReal radius;
  snReal pull[2][3];     // away from the geom's side: from start to tangent, from tangent to end
  snReal rate[2][2][9];  // [direction][end]: 3 x 3
} Bend;

// directions at given ends; 0: no wrap
static int directions(const Bend* bend, const snReal start[3], const snReal end[3],
                      snReal pull[2][3]) {
  snReal tangent[6];
  if (sn_wrap(tangent, start, end, bend->xpos, bend->xmat, bend->radius, bend->type, bend->side) <
      0) {
    return 0;
  }
  snu_sub3(pull[0], tangent, start);
  snu_sub3(pull[1], end, tangent + 3);
  return snu_normalize3(pull[0]) > (snReal)snMINVAL && snu_normalize3(pull[1]) > (snReal)snMINVAL;
}

static int makeBend(Bend* bend) {
  const snReal eps = (snReal)1e-6;
  if (!directions(bend, bend->end[0], bend->end[1], bend->pull)) return 0;
  memset(bend->rate, 0, sizeof(bend->rate));
  for (int s = 0; s < 2; s++) {
    for (int c = 0; c < 3; c++) {
      snReal ends[2][3], pull[2][2][3], width = 0;
      for (int side = 0; side < 2; side++) {
        snu_copy3(ends[0], bend->end[0]);
        snu_copy3(ends[1], bend->end[1]);
        ends[s][c] += side ? eps : -eps;
        if (directions(bend, ends[0], ends[1], pull[side])) {
          width += eps;
        } else {
          // the path leaves the geom on this side
          memcpy(pull[side], bend->pull, sizeof(bend->pull));
        }
      }
      for (int k = 0; k < 2 && width > 0; k++) {
        for (int r = 0; r < 3; r++) {
          bend->rate[k][s][3 * r + c] = (pull[1][k][r] - pull[0][k][r]) / width;
        }
      }
    }
  }
  return 1;
}

// d(direction) by position k: carried by the geom, and by the ends relative to it
static void bendTurn(const snModel* m, const snData* d, const Bend* bend, int k, int which,
                     snReal scale, snReal turn[3]) {
  SN_ASSERT(which == 0 || which == 1);
  snReal own[6], carried[6], relative[3], part[3];
  snu_zero3(turn);
  for (int s = 0; s < 2; s++) {
    sn_pointRate(m, d, k, bend->body[s], bend->end[s], own);
    sn_pointRate(m, d, k, bend->geomBody, bend->end[s], carried);
    snu_sub3(relative, own + 3, carried + 3);
    snu_mulMatVec3(part, bend->rate[which][s], relative);
    snu_addTo3(turn, part);
  }
  snu_cross(part, carried, bend->pull[which]);
  snu_addTo3(turn, part);
  snu_scl3(turn, turn, scale);
}

static void bent(const snModel* m, const snData* d, const snTangent* t, snTendonShape* shape,
                 const Bend* bend, snReal divisor) {
  for (int place = 0; place < shape->n; place++) {
    int k = shape->dof[place];
    for (int which = 0; which < 2; which++) {
      // the start is pulled towards the geom, the end too
      snReal sign = (which ? 1 : -1) / divisor, own[6], pull[3], turn[3];
      int body = bend->body[which];
      sn_pointRate(m, d, k, body, bend->end[which], own);
      bendTurn(m, d, bend, k, which, sign, turn);
      snu_scl3(pull, bend->pull[which], sign);
      sn_shapePull(m, d, t, shape, body, bend->end[which], pull, place, turn, own + 3);
      snu_scl3(pull, pull, -1);
      snu_scl3(turn, turn, -1);
      sn_shapePull(m, d, t, shape, bend->geomBody, bend->end[which], pull, place, turn, own + 3);
    }
  }
}

// ---- path

// from site object j over an optional geom to the next site; returns its index
static int span(const snModel* m, const snData* d, const snTangent* t, int tendon, int j,
                snReal divisor, snTendonShape* shape) {
  SN_ASSERT_INDEX(tendon, m->ntendon);
  int adr = m->tendon_adr[tendon] + j;
  const int *type = m->wrap_type + adr, *id = m->wrap_objid + adr;
  int hasGeom = type[1] == snWRAP_SPHERE || type[1] == snWRAP_CYLINDER;
  int next = hasGeom ? 2 : 1, site0 = id[0], site1 = id[next];
  Bend bend;
  bend.end[0] = d->site_xpos + 3 * site0;
  bend.end[1] = d->site_xpos + 3 * site1;
  bend.body[0] = m->site_bodyid[site0];
  bend.body[1] = m->site_bodyid[site1];
  if (hasGeom) {
    snReal prm = m->wrap_prm[adr + 1];
    int side = prm < 0 ? -1 : (int)(prm + (snReal)0.5), geom = id[1];
    if (side >= (int)m->nsite) side = -1;
    bend.xpos = d->geom_xpos + 3 * geom;
    bend.xmat = d->geom_xmat + 9 * geom;
    bend.side = side >= 0 ? d->site_xpos + 3 * side : NULL;
    bend.geomBody = m->geom_bodyid[geom];
    bend.radius = m->geom_size[3 * geom];
    bend.type = type[1];
  }
  if (hasGeom && makeBend(&bend)) {
    bent(m, d, t, shape, &bend, divisor);
  } else {
    straight(m, d, t, shape, bend.end[0], bend.body[0], bend.end[1], bend.body[1], divisor);
  }
  return j + next;
}

// dofs that carry any body of the path, ascending
static void pathDofs(const snModel* m, int tendon, snTendonShape* shape) {
  SN_ASSERT_INDEX(tendon, m->ntendon);
  int begin = m->tendon_adr[tendon], end = begin + m->tendon_num[tendon], n = 0;
  snReal* mark = shape->J;
  snu_zero(mark, (int)m->nv);
  for (int k = begin; k < end; k++) {
    int type = m->wrap_type[k], id = m->wrap_objid[k];
    if (type == snWRAP_PULLEY) continue;
    int body = type == snWRAP_SITE ? m->site_bodyid[id] : m->geom_bodyid[id];
    for (int i = sn_lastDof(m, body); i >= 0 && mark[i] == 0; i = m->dof_parentid[i]) mark[i] = 1;
  }
  for (int i = 0; i < (int)m->nv; i++) {
    if (mark[i] != 0) shape->dof[n++] = i;
  }
  shape->n = n;
}

static void gatherRow(const snModel* m, const snData* d, int tendon, snTendonShape* shape) {
  SN_ASSERT_INDEX(tendon, m->ntendon);
  const int* colind;
  int nnz, n = 0;
  const snReal* row = sn_tendonRow(m, d, tendon, &colind, &nnz);
  if (shape->isLinear) {
    for (int k = 0; k < nnz; k++) {
      if (row[k] == 0) continue;
      shape->dof[n] = colind ? colind[k] : k;
      shape->J[n++] = row[k];
    }
    shape->n = n;
    return;
  }
  snu_zero(shape->J, shape->n);
  for (int k = 0; k < nnz; k++) {
    if (row[k] != 0) shape->J[find(shape, colind ? colind[k] : k)] = row[k];
  }
}

void sn_tendonShape(const snModel* m, const snData* d, const snTangent* t, int tendon,
                    snTendonShape* shape) {
  SN_ASSERT_INDEX(tendon, m->ntendon);
  int adr = m->tendon_adr[tendon], num = m->tendon_num[tendon];
  const int* type = m->wrap_type + adr;
  shape->isLinear = type[0] == snWRAP_JOINT;
  if (shape->isLinear) {
    gatherRow(m, d, tendon, shape);
    return;
  }
  pathDofs(m, tendon, shape);
  gatherRow(m, d, tendon, shape);
  snu_zero(shape->hessian, shape->n * shape->n);
  snReal divisor = 1;
  for (int j = 0; j < num - 1;) {
    if (type[j] == snWRAP_PULLEY) divisor = m->wrap_prm[adr + j];
    if (type[j] == snWRAP_PULLEY || type[j + 1] == snWRAP_PULLEY) {
      j++;
    } else {
      j = span(m, d, t, tendon, j, divisor, shape);
    }
  }
}
