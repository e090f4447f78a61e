// Contacts of signed distance fields.
//
// From points spread over the intersection of the bounding boxes, descend on
//
//   F = A + B + |max(A, B)|,
//
// whose minima lie where both fields are negative and equally deep, then once on max(A, B). What
// stays outside of either object is dropped. A is the field of geom 2, B that of geom 1, and the
// points are in the frame of geom 2.

#include "base/assert.h"
#include "base/instructions.h"
#include "engine/collide/collision.h"
#include "engine/collide/distance_field.h"
#include "math/four.h"
#include "math/math.h"
#include "sinew/sinew.h"

static const snReal kShrink = (snReal)0.5;  // of a step

typedef struct Pair_ {
  snField field1, field2;
  snLeaf leaf1, leaf2;
  snReal pos[3];  // of geom 2 in the frame of geom 1
  snReal mat[9];
  int deepest;   // descend on max(A, B) alone
  int together;  // several points at once
} Pair;

// pose of frame X in frame Y
static void relativePose(snReal pos[3], snReal mat[9], const snReal posx[3], const snReal quatx[4],
                         const snReal posy[3], const snReal quaty[4]) {
  snReal inverse_pos[3], inverse_quat[4], quat[4];
  snu_negPose(inverse_pos, inverse_quat, posy, quaty);
  snu_mulPose(pos, quat, inverse_pos, inverse_quat, posx, quatx);
  snu_quat2Mat(mat, quat);
}

static inline void transform(snReal y[3], const snReal x[3], const snReal pos[3],
                             const snReal mat[9]) {
  snu_mulMatVec3(y, mat, x);
  snu_addTo3(y, pos);
}

static void evaluate(const Pair* pair, const snReal x[3], snReal* a, snReal* b) {
  snReal y[3];
  transform(y, x, pair->pos, pair->mat);
  *a = sn_fieldDistance(&pair->field2, x);
  *b = sn_fieldDistance(&pair->field1, y);
}

static void gradients(const Pair* pair, const snReal x[3], snReal ga[3], snReal gb[3]) {
  snReal y[3];
  transform(y, x, pair->pos, pair->mat);
  sn_fieldGradient(ga, &pair->field2, x);
  sn_fieldGradient(gb, &pair->field1, y);
  snu_mulMatTVec3(gb, pair->mat, gb);
}

SN_KERNEL snReal combine(const Pair* pair, snReal a, snReal b) {
  snReal larger = snu_max(a, b);
  return pair->deepest ? larger : a + b + snu_abs(larger);
}

// of the objective, from the values of both fields
static void objectiveGradient(snReal gradient[3], const Pair* pair, const snReal x[3], snReal a,
                              snReal b) {
  snReal ga[3], gb[3];
  gradients(pair, x, ga, gb);
  const snReal* larger = a > b ? ga : gb;
  if (pair->deepest) {
    snu_copy3(gradient, larger);
  } else {
    snReal sign = snu_max(a, b) > 0 ? 1 : -1;
    for (int i = 0; i < 3; i++) gradient[i] = ga[i] + gb[i] + sign * larger[i];
  }
}

// Fields at start - step gradient for a step and seven halvings of it at once. A step is halved ten times on average,
// and eight values take hardly longer than one, whose roots and quotients depend on one another.
SN_WIDE(static, void, evaluateHalves,
        (snReal * SN_RESTRICT a, snReal* SN_RESTRICT b, const Pair* SN_RESTRICT pair,
         const snReal* SN_RESTRICT start, const snReal* SN_RESTRICT gradient, snReal step),
        (a, b, pair, start, gradient, step)) {
  enum { N = snNPOINTSATONCE };
  static const snReal kHalves[N] = {1, 0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625, 0.0078125};
  const snReal *SN_RESTRICT pos = pair->pos, *SN_RESTRICT mat = pair->mat;
  snReal x[3][N], y[3][N];
  for (int k = 0; k < N; k++) {
    snReal along = -(step * kHalves[k]);
    snReal x0 = start[0] + gradient[0] * along;
    snReal x1 = start[1] + gradient[1] * along;
    snReal x2 = start[2] + gradient[2] * along;
    x[0][k] = x0;
    x[1][k] = x1;
    x[2][k] = x2;
    y[0][k] = (mat[0] * x0 + mat[1] * x1 + mat[2] * x2) + pos[0];
    y[1][k] = (mat[3] * x0 + mat[4] * x1 + mat[5] * x2) + pos[1];
    y[2][k] = (mat[6] * x0 + mat[7] * x1 + mat[8] * x2) + pos[2];
  }
  sn_fieldDistances(a, &pair->field2, (const snReal(*)[N])x);
  sn_fieldDistances(b, &pair->field1, (const snReal(*)[N])y);
}

// Halve the step until the objective decreases by enough, or the step is short; moves x, and returns the objective
// there. a, b: the fields at x.
static snReal backtrack(const Pair* pair, snReal x[3], snReal* a, snReal* b,
                        const snReal gradient[3]) {
  enum { N = snNPOINTSATONCE };
  const snReal kDecrease = (snReal)0.1, kShortest = (snReal)1e-4;
  snReal start[3] = {x[0], x[1], x[2]}, as[N], bs[N], step = 2, value;
  snReal before = combine(pair, *a, *b);
  snReal wanted = -kDecrease * step * snu_dot3(gradient, gradient);
  int trial = 0;
  do {
    step *= kShrink;
    wanted *= kShrink;
    if (pair->together) {
      if (trial == 0) evaluateHalves(as, bs, pair, start, gradient, step);
      *a = as[trial];
      *b = bs[trial];
      trial = (trial + 1) % N;
    } else {
      snu_addScl3(x, start, gradient, -step);
      evaluate(pair, x, a, b);
    }
    value = combine(pair, *a, *b);
  } while (step > kShortest && value - before > wanted);
  snu_addScl3(x, start, gradient, -step);
  return value;
}

// Gradient descent; returns the objective at the last point tried.
static snReal descend(const Pair* pair, snReal x[3], int iterations) {
  snReal value = snMAXVAL, a, b;
  if (iterations > 0) evaluate(pair, x, &a, &b);
  for (int k = 0; k < iterations; k++) {
    snReal gradient[3], before = combine(pair, a, b);
    objectiveGradient(gradient, pair, x, a, b);
    for (int i = 0; i < 3; i++) {
      if (snu_isBad(gradient[i])) return snMAXVAL;
    }
    value = backtrack(pair, x, &a, &b, gradient);
    if (before < value) break;
  }
  return value;
}

// intersection of the two bounding boxes in the frame of geom 1; 0: it is empty
static int searchBox(snReal low[3], snReal high[3], const snModel* m, int g1, int g2,
                     const Pair* pair) {
  SN_ASSERT_INDEX2(g1, g2, m->ngeom);
  const snReal* box1 = m->geom_aabb + 6 * g1;
  const snReal* box2 = m->geom_aabb + 6 * g2;
  snReal low2[3] = {snMAXVAL, snMAXVAL, snMAXVAL}, high2[3] = {-snMAXVAL, -snMAXVAL, -snMAXVAL};
  for (int corner = 0; corner < 8; corner++) {
    snReal local[3], point[3];
    for (int i = 0; i < 3; i++) {
      local[i] = (corner >> i) & 1 ? box2[i] + box2[3 + i] : box2[i] - box2[3 + i];
    }
    transform(point, local, pair->pos, pair->mat);
    for (int i = 0; i < 3; i++) {
      low2[i] = snu_min(low2[i], point[i]);
      high2[i] = snu_max(high2[i], point[i]);
    }
  }
  for (int i = 0; i < 3; i++) {
    low[i] = snu_max(box1[i] - box1[3 + i], low2[i]);
    high[i] = snu_min(box1[i] + box1[3 + i], high2[i]);
    if (!(high[i] >= low[i])) return 0;
  }
  return 1;
}

static int isKnown(const snReal found[][3], int n, const snReal x[3]) {
  for (int i = 0; i < n; i++) {
    if (snu_dist3(found[i], x) < snMINVAL) return 1;
  }
  return 0;
}

static void addContact(snContactPoint* point, const Pair* pair, const snReal x[3], snReal dist,
                       const snReal pos2[3], const snReal quat2[4]) {
  snReal ga[3], gb[3], frame[9] = {0, 0, 0, 0, 0, 0, 0, 0, 0};
  gradients(pair, x, ga, gb);
  snu_normalize3(ga);
  snu_normalize3(gb);
  snu_sub3(ga, ga, gb);
  snu_normalize3(ga);
  snu_scl3(ga, ga, -1);
  snu_rotVecQuat(frame, ga, quat2);
  sn_makeFrame(frame);
  point->dist = dist;
  snu_trnVecPose(point->pos, pos2, quat2, x);
  snu_addToScl3(point->pos, frame, -dist / 2);
  snu_copy3(point->normal, frame);
  snu_copy3(point->tangent, frame + 3);
}

int sn_collideSDF(const snModel* m, snData* d, snContactPoint* points, int g1, int g2,
                  snReal margin) {
  Pair pair;
  snReal quat1[4], quat2[4], pos11[3], mat11[9], pos12[3], mat12[9];
  snReal low[3], high[3], found[snMAXCONPAIR][3];
  const snReal* pos1 = d->geom_xpos + 3 * g1;
  const snReal* pos2 = d->geom_xpos + 3 * g2;
  (void)margin;  // only penetration is found
  snu_mat2Quat(quat1, d->geom_xmat + 9 * g1);
  snu_mat2Quat(quat2, d->geom_xmat + 9 * g2);
  relativePose(pair.pos, pair.mat, pos2, quat2, pos1, quat1);
  relativePose(pos12, mat12, pos1, quat1, pos2, quat2);
  relativePose(pos11, mat11, pos1, quat1, pos1, quat1);
  sn_makeField(&pair.field1, m, d, g1);
  sn_makeField(&pair.field2, m, d, g2);
  pair.leaf1.node = pair.leaf2.node = -1;
  pair.field1.leaf = &pair.leaf1;
  pair.field2.leaf = &pair.leaf2;
  pair.together = SN_HAS_FOUR && sn_fieldIsRound(&pair.field1) && sn_fieldIsRound(&pair.field2);
  if (!searchBox(low, high, m, g1, g2, &pair)) return 0;

  int n = 0;
  for (int j = 0; j < m->opt.sdf_initpoints && n < snMAXCONPAIR; j++) {
    static const int kBase[3] = {2, 3, 5};
    snReal x[3];
    for (int i = 0; i < 3; i++) x[i] = low[i] + (high[i] - low[i]) * snu_Halton(j, kBase[i]);
    transform(x, x, pos11, mat11);
    transform(x, x, pos12, mat12);
    pair.deepest = 0;
    descend(&pair, x, m->opt.sdf_iterations);
    pair.deepest = 1;
    snReal dist = descend(&pair, x, 1);
    if (!(dist <= 0) || isKnown((const snReal(*)[3])found, n, x)) continue;
    snu_copy3(found[n], x);
    addContact(points + n, &pair, x, dist, pos2, quat2);
    n++;
  }
  return n;
}
