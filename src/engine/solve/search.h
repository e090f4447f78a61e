// Exact line search: a root of the derivative of the cost along the search direction.
//
// The cost is convex and piecewise smooth in the step length. Newton steps on its derivative are
// taken until the derivative changes sign; then the bracket shrinks by Newton steps from both ends
// and by bisection until the slope is below the tolerance.
//
// The search asks for one point of the line after the other, and its caller evaluates them:
//
//   point.alpha = 0;
//   do evaluate(&point); while (sn_searchNext(&search, &point));

#ifndef SINEW_ENGINE_SOLVE_SEARCH_H_
#define SINEW_ENGINE_SOLVE_SEARCH_H_

#include "base/team.h"
#include "math/math.h"

// a point on the line: step length, cost and its two derivatives
typedef struct snLinePoint_ {
  snReal alpha;
  snReal cost;
  snReal d;
  snReal h;
} snLinePoint;

// Terms of one row, whose residual is x + alpha v, in the sums of twice the cost, the slope and the curvature. For a
// row that stays quadratic they are D x^2, D x v and D v^2 (at alpha = 0).
SN_KERNEL void sn_addQuadraticRow(snReal sum[3], snReal D, snReal x, snReal v) {
  snReal Dx = D * x, Dv = D * v;
  sum[0] += Dx * x;
  sum[1] += Dx * v;
  sum[2] += Dv * v;
}

// A one-sided row at alpha: quadratic where the residual is negative, otherwise zero.
SN_KERNEL void sn_addOneSidedRow(snReal sum[3], snReal D, snReal x, snReal v, snReal alpha) {
  snReal y = x + alpha * v, Dv = y < 0 ? D * v : 0, Dy = y < 0 ? D * y : 0;
  sum[0] += Dy * y;
  sum[1] += Dv * y;
  sum[2] += Dv * v;
}

// The point that was asked for: the start of the line, the next point before the slope changes sign, a Newton step from
// either end of the bracket, or its middle.
typedef enum snAsked_ {
  snASKED_START,
  snASKED_NEXT,
  snASKED_STEP1,
  snASKED_STEP2,
  snASKED_MIDDLE
} snAsked;

typedef struct snLineSearch_ {
  snReal tolerance;  // of the slope
  int iterations;    // most evaluations
  int neval;
  snAsked asked;
  int moved2;          // the second end moved: its step is asked for after the first one's
  snReal sign;         // against the slope after the first step
  snReal cost0;        // at the start
  snLinePoint p1, p2;  // ends of the bracket
  snLinePoint next1, next2;
} snLineSearch;

static inline void sn_searchBegin(snLineSearch* s, snReal tolerance, int iterations) {
  s->tolerance = tolerance;
  s->iterations = iterations;
  s->neval = 0;
  s->asked = snASKED_START;
  s->moved2 = 0;
  s->sign = 1;
  s->cost0 = 0;
  s->p1.alpha = s->p1.cost = s->p1.d = s->p1.h = 0;
  s->p2 = s->next1 = s->next2 = s->p1;
}

static inline int sn_searchAsk(snLineSearch* s, snAsked what, snLinePoint* point, snReal alpha) {
  s->asked = what;
  point->alpha = alpha;
  return 1;
}

static inline snReal sn_newtonStep(const snLinePoint* p) { return p->alpha - p->d / p->h; }

// move an end of the bracket to the candidate if it is better and on its side
static inline int sn_searchTighten(snLinePoint* end, const snLinePoint* c) {
  if ((end->d < 0 && c->d < 0 && c->d > end->d) || (end->d > 0 && c->d > 0 && c->d < end->d)) {
    *end = *c;
    return 1;
  }
  return 0;
}

// Take the candidate as the answer if its slope is small enough, and its cost less than that of those
// before.
static inline int sn_searchAccept(const snLineSearch* s, int found, snLinePoint* best,
                                  const snLinePoint* c) {
  if (snu_abs(c->d) >= s->tolerance) return found;
  if (!found || c->cost < best->cost) *best = *c;
  return 1;
}

// the bracket with its middle
SN_KERNEL int sn_searchShrink(snLineSearch* s, snLinePoint* point) {
  snLinePoint middle = *point;
  int found = sn_searchAccept(s, 0, point, &s->next1);
  found = sn_searchAccept(s, found, point, &s->next2);
  if (sn_searchAccept(s, found, point, &middle)) return 0;
  int moved1 = sn_searchTighten(&s->p1, &s->next1);
  moved1 |= sn_searchTighten(&s->p1, &s->next2);
  moved1 |= sn_searchTighten(&s->p1, &middle);
  s->moved2 = sn_searchTighten(&s->p2, &s->next1);
  s->moved2 |= sn_searchTighten(&s->p2, &s->next2);
  s->moved2 |= sn_searchTighten(&s->p2, &middle);
  if (moved1) return sn_searchAsk(s, snASKED_STEP1, point, sn_newtonStep(&s->p1));
  if (s->moved2) return sn_searchAsk(s, snASKED_STEP2, point, sn_newtonStep(&s->p2));
  return 0;
}

// Takes the point that was asked for. Returns whether it asks for another one, at point->alpha;
// otherwise point is the answer.
SN_KERNEL int sn_searchNext(snLineSearch* s, snLinePoint* point) {
  s->neval++;
  switch (s->asked) {
    case snASKED_START:
      s->cost0 = point->cost;
      s->p1 = *point;
      // single precision: smaller slopes are rounding errors
      if (sizeof(snReal) == 4) {
        s->tolerance = snu_max(s->tolerance, (snReal)4e-6 * snu_abs(point->d));
      }
      return sn_searchAsk(s, snASKED_NEXT, point, sn_newtonStep(point));
    case snASKED_NEXT: {
      if (snu_abs(point->d) < s->tolerance) return 0;
      if (s->neval == 2) s->sign = point->d < 0 ? 1 : -1;
      s->p2 = s->p1;
      s->p1 = s->next2 = *point;
      if (s->neval >= s->iterations) return 0;
      int before = s->sign * point->d <= -s->tolerance;
      return sn_searchAsk(s, before ? snASKED_NEXT : snASKED_STEP1, point, sn_newtonStep(point));
    }
    case snASKED_STEP1:
      s->next1 = *point;
      if (s->moved2) return sn_searchAsk(s, snASKED_STEP2, point, sn_newtonStep(&s->p2));
      break;
    case snASKED_STEP2: s->next2 = *point; break;
    case snASKED_MIDDLE: return sn_searchShrink(s, point);
  }
  if (s->neval < s->iterations) {
    return sn_searchAsk(s, snASKED_MIDDLE, point, (snReal)0.5 * (s->p1.alpha + s->p2.alpha));
  }
  snReal cost1 = s->p1.cost, cost2 = s->p2.cost;
  if (cost1 <= cost2 && cost1 < s->cost0) {
    *point = s->p1;
  } else if (cost2 <= cost1 && cost2 < s->cost0) {
    *point = s->p2;
  } else {
    point->alpha = 0;
  }
  return 0;
}

#endif  // SINEW_ENGINE_SOLVE_SEARCH_H_
