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
#include "engine/collide/collision.h"
#include "engine/collide/distance_field.h"
#include "math/math.h"
#include "sinew/sinew.h"

typedef struct Pair_ {
  snField field1, field2;
  snReal pos[3];  // of geom 2 in the frame of geom 1
  snReal mat[9];
  int deepest;  // descend on max(A, B) alone
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

static inline snReal combine(const Pair* pair, snReal a, snReal b) {
  snReal larger = snu_max(a, b);
  return pair->deepest ? larger : a + b + snu_abs(larger);
}

static snReal objective(const Pair* pair, const snReal x[3]) {
  snReal a, b;
  evaluate(pair, x, &a, &b);
  return combine(pair, a, b);
}

// returns the objective, too
static snReal objectiveGradient(snReal gradient[3], const Pair* pair, const snReal x[3]) {
  snReal a, b, ga[3], gb[3];
  evaluate(pair, x, &a, &b);
  gradients(pair, x, ga, gb);
  const snReal* larger = a > b ? ga : gb;
  if (pair->deepest) {
    snu_copy3(gradient, larger);
  } else {
    snReal sign = snu_max(a, b) > 0 ? 1 : -1;
    for (int i = 0; i < 3; i++) gradient[i] = ga[i] + gb[i] + sign * larger[i];
  }
  return combine(pair, a, b);
}

// Gradient descent with backtracking; returns the objective at the last point tried.
static snReal descend(const Pair* pair, snReal x[3], int iterations) {
  const snReal kDecrease = (snReal)0.1, kShrink = (snReal)0.5, kShortest = (snReal)1e-4;
  snReal value = snMAXVAL;
  for (int k = 0; k < iterations; k++) {
    snReal gradient[3], start[3], step = 2;
    snReal before = objectiveGradient(gradient, pair, x);
    for (int i = 0; i < 3; i++) {
      if (snu_isBad(gradient[i])) return snMAXVAL;
    }
    snReal wanted = -kDecrease * step * snu_dot3(gradient, gradient);
    snu_copy3(start, x);
    do {
      step *= kShrink;
      wanted *= kShrink;
      snu_addScl3(x, start, gradient, -step);
      value = objective(pair, x);
    } while (step > kShortest && value - before > wanted);
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
