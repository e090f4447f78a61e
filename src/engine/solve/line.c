// The cost along the search direction, for the line search.

#include "base/assert.h"
#include "engine/constrain/row_value.h"
#include "engine/solve/search.h"
#include "engine/solve/solver.h"
#include "math/four.h"
#include "math/math.h"

// what does not depend on the step length
typedef struct Line_ {
  snPrimal* p;
  snReal quad[3];  // of inertia and equalities: c0 + c1 a + c2 a^2
} Line;

// Inner products of the search direction: with itself, with Ma, frc_smooth and Ms, each as snu_dot has it.
SN_KERNEL void searchProducts(const snPrimal* p, snReal product[4]) {
  const snReal *s = p->search, *vec[4] = {s, p->Ma, p->frc_smooth, p->Ms};
#if SN_HAS_FOUR
  snFour s0 = {0, 0, 0, 0}, s1 = s0, s2 = s0, s3 = s0;
  int i = 0, n = p->nv;
  for (; i + 4 <= n; i += 4) {
    snFour si = SN_LOAD4(s + i);
    s0 += si * si;
    s1 += si * SN_LOAD4(vec[1] + i);
    s2 += si * SN_LOAD4(vec[2] + i);
    s3 += si * SN_LOAD4(vec[3] + i);
  }
  snReal sum[4] = {SN_SUM4(s0), SN_SUM4(s1), SN_SUM4(s2), SN_SUM4(s3)};
  for (int k = 0; k < 4; k++) product[k] = sn_addRest(sum[k], s + i, vec[k] + i, n - i);
#else
  for (int k = 0; k < 4; k++) product[k] = snu_dot(s, vec[k], p->nv);
#endif
}

// inertia and equalities are quadratic whatever the step; returns the length of the search direction
SN_WIDE(static, snReal, prepare, (Line * line), (line)) {
  snPrimal* p = line->p;
  const snRowCost* rows = &p->rows;
  snReal product[4];
  searchProducts(p, product);
  snReal norm = snu_sqrt(product[0]);
  line->quad[0] = p->gauss;
  line->quad[1] = product[1] - product[2];
  line->quad[2] = (snReal)0.5 * product[3];
  if (rows->strided) {
    snReal sum[3];
    sn_quadraticSums(sum, p->x, p->v, rows->D, rows->ne);
    line->quad[0] += (snReal)0.5 * sum[0];
    line->quad[1] += sum[1];
    line->quad[2] += (snReal)0.5 * sum[2];
    return norm;
  }
  for (int i = 0; i < rows->ne; i++) {
    snReal Dx = rows->D[i] * p->x[i], Dv = rows->D[i] * p->v[i];
    line->quad[0] += (snReal)0.5 * Dx * p->x[i];
    line->quad[1] += Dx * p->v[i];
    line->quad[2] += (snReal)0.5 * Dv * p->v[i];
  }
  return norm;
}

// The same by a team of lanes; returns the square of the length of the search direction.
static snReal sharePrepare(Line* line) {
  snPrimal* p = line->p;
  const snRowCost* rows = &p->rows;
  snReal c[3] = {0, 0, 0}, square = 0;
  SN_FOR(i, p->nv) {
    snReal s = p->search[i];
    c[1] += s * (p->Ma[i] - p->frc_smooth[i]);
    c[2] += s * p->Ms[i];
    square += s * s;
  }
  SN_FOR(i, rows->ne) sn_addQuadraticRow(c, rows->D[i], p->x[i], p->v[i]);
  sn_teamSum3(&c[1], &c[2], &square);
  if (rows->ne) c[0] = sn_teamSum(c[0]);
  line->quad[0] = p->gauss + (snReal)0.5 * c[0];
  line->quad[1] = c[1];
  line->quad[2] = (snReal)0.5 * c[2];
  return square;
}

static void addFriction(const snPrimal* p, int i, snLinePoint* point) {
  SN_ASSERT_INDEX(i, p->rows.nefc);
  const snRowCost* rows = &p->rows;
  snReal loss = rows->frictionloss[i], sum[3] = {2 * point->cost, point->d, point->h};
  sn_addFrictionAt(sum, rows->D[i], loss, rows->R[i] * loss, p->x[i], p->v[i], point->alpha);
  point->cost = (snReal)0.5 * sum[0], point->d = sum[1], point->h = sum[2];
}

static inline snConeRows coneRows(const snPrimal* p, int i, const snContact* con) {
  SN_ASSERT_PART(i, con->dim, p->rows.nefc);
  snConeRows cone = {con->dim, con->mu, con->friction, p->rows.D + i, p->x + i};
  return cone;
}

// One lane: the cones along the line. A contact has at least two rows.
static void prepareCones(const snPrimal* p) {
  for (int i = p->rows.ne + p->rows.nf; i < p->rows.nefc;) {
    if (p->rows.type[i] != snCNSTR_CONTACT_ELLIPTIC) {
      i++;
      continue;
    }
    const snContact* con = p->rows.contact + p->rows.id[i];
    snConeRows cone = coneRows(p, i, con);
    p->coneLine[i / 2] = sn_coneLine(&cone, p->v + i);
    i += con->dim;
  }
}

// cone contact at rows i..i+dim-1
static void addCone(const snPrimal* p, int i, const snContact* con, const snConeLine* line,
                    snLinePoint* point) {
  snConeRows cone = coneRows(p, i, con);
  snReal sum[3] = {2 * point->cost, point->d, point->h};
  sn_addConeAt(sum, &cone, p->v + i, line, point->alpha);
  point->cost = (snReal)0.5 * sum[0], point->d = sum[1], point->h = sum[2];
}

static inline void addSums(const snReal sum[3], snLinePoint* point) {
  point->cost += (snReal)0.5 * sum[0];
  point->d += sum[1];
  point->h += sum[2];
}

// The sums of sn_addOneSidedRow over n rows, in their order. Which rows are negative is unpredictable: all terms are
// computed without branches, and then added.
SN_KERNEL void sumOneSided(snReal sum[3], const snReal* SN_RESTRICT x, const snReal* SN_RESTRICT v,
                           const snReal* SN_RESTRICT D, snReal alpha, int n) {
  enum { PART = 64 };
  snReal cost[PART], slope[PART], curve[PART], s0 = sum[0], s1 = sum[1], s2 = sum[2];
  for (int first = 0; first < n; first += PART) {
    int count = n - first < PART ? n - first : PART;
    for (int k = 0; k < count; k++) {
      snReal vk = v[first + k], y = x[first + k] + alpha * vk, Dk = D[first + k];
      snReal active = y < 0 ? Dk : 0, Dv = active * vk;
      cost[k] = (active * y) * y;
      slope[k] = Dv * y;
      curve[k] = Dv * vk;
    }
    for (int k = 0; k < count; k++) {
      s0 += cost[k];
      s1 += slope[k];
      s2 += curve[k];
    }
  }
  sum[0] = s0, sum[1] = s1, sum[2] = s2;
}

// one-sided rows [i, end): quadratic while negative
SN_WIDE(static, void, addOneSided, (const snPrimal* p, int i, int end, snLinePoint* point),
        (p, i, end, point)) {
  SN_ASSERT(i >= 0 && i <= end && end <= p->rows.nefc);
  const snReal* SN_RESTRICT x = p->x;
  const snReal* SN_RESTRICT v = p->v;
  const snReal* SN_RESTRICT D = p->rows.D;
  snReal alpha = point->alpha, sum[3] = {0, 0, 0};
  if (SN_LANES == 1 && p->rows.strided) {
    sn_oneSidedSums(sum, x + i, v + i, D + i, alpha, end - i);
  } else if (SN_LANES == 1) {
    sumOneSided(sum, x + i, v + i, D + i, alpha, end - i);
  } else {
    for (; i < end; i++) sn_addOneSidedRow(sum, D[i], x[i], v[i], alpha);
  }
  addSums(sum, point);
}

// rows beyond the equalities, by a team of lanes
static SN_OUTLINE void shareRows(const snPrimal* p, snLinePoint* point) {
  const snRowCost* rows = &p->rows;
  snLinePoint part = {point->alpha, 0, 0, 0};
  int ne = rows->ne;
  SN_FOR(k, rows->nefc - ne) {
    int i = ne + k;
    if (k < rows->nf) {
      addFriction(p, i, &part);
    } else if (rows->type[i] != snCNSTR_CONTACT_ELLIPTIC) {
      addOneSided(p, i, i + 1, &part);
    } else if (sn_beginsContact(rows, i)) {
      const snContact* con = rows->contact + rows->id[i];
      snConeRows cone = coneRows(p, i, con);
      snConeLine line = sn_coneLine(&cone, p->v + i);
      addCone(p, i, con, &line, &part);
    }
  }
  sn_teamSum3(&part.cost, &part.d, &part.h);
  point->cost += part.cost;
  point->d += part.d;
  point->h += part.h;
}

static SN_OUTLINE void addRows(const snPrimal* p, snLinePoint* point) {
  const snRowCost* rows = &p->rows;
  int i = rows->ne, end = rows->ne + rows->nf;
  for (; i < end; i++) addFriction(p, i, point);
  if (!p->cones) {  // all that is left is one-sided
    if (i < rows->nefc) addOneSided(p, i, rows->nefc, point);
    return;
  }
  while (i < rows->nefc) {
    if (rows->type[i] == snCNSTR_CONTACT_ELLIPTIC) {
      const snContact* con = rows->contact + rows->id[i];
      addCone(p, i, con, p->coneLine + i / 2, point);
      i += con->dim;
    } else {
      for (end = i + 1; end < rows->nefc && rows->type[end] != snCNSTR_CONTACT_ELLIPTIC;) end++;
      addOneSided(p, i, end, point);
      i = end;
    }
  }
}

static snLinePoint evaluate(const Line* line, snReal alpha) {
  snLinePoint point;
  point.alpha = alpha;
  point.cost = line->quad[0] + alpha * (line->quad[1] + alpha * line->quad[2]);
  point.d = line->quad[1] + 2 * alpha * line->quad[2];
  point.h = 2 * line->quad[2];
  if (SN_LANES > 1) {
    shareRows(line->p, &point);
  } else {
    addRows(line->p, &point);
  }
  if (point.h <= 0) {
    snu_warning("Linesearch objective is not convex");
    point.h = (snReal)snMINVAL;
  }
  return point;
}

snReal sn_lineSearch(snPrimal* p, snReal tolerance, snReal ls_tolerance, int iterations) {
  SN_ASSERT(p->search && p->Ms && p->v && p->nv > 0);
  Line line;
  line.p = p;
  p->neval = 0;
  p->slope = 1;
  int shared = SN_LANES > 1;
  snReal norm = shared ? snu_sqrt(sharePrepare(&line)) : prepare(&line);
  if (norm < (snReal)snMINVAL) return 0;
  if (p->cones) prepareCones(p);
  snLineSearch search;
  sn_searchBegin(&search, tolerance * ls_tolerance * norm / p->scale, iterations);
  snLinePoint point;
  point.alpha = 0;
  do point = evaluate(&line, point.alpha);
  while (sn_searchNext(&search, &point));
  p->neval = search.neval;
  p->slope = snu_abs(point.d) * p->scale / norm;
  return point.alpha;
}
