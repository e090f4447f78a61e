// Falling asleep and waking up.

#include "engine/step/sleep.h"

#include <string.h>

#include "base/assert.h"
#include "math/math.h"

// value of tree_asleep of a tree that has just been active
enum { FULLY_AWAKE = -(1 + snMINAWAKE) };

// ---- state of objects ----------------------------------------------------------------------------

// objects that ride on one body
static int bodyOf(const snModel* m, snObj type, int id) {
  switch (type) {
    case snOBJ_BODY:
    case snOBJ_XBODY: return id;
    case snOBJ_JOINT: return m->jnt_bodyid[id];
    case snOBJ_DOF: return m->dof_bodyid[id];
    case snOBJ_GEOM: return m->geom_bodyid[id];
    case snOBJ_SITE: return m->site_bodyid[id];
    case snOBJ_CAMERA: return m->cam_bodyid[id];
    case snOBJ_LIGHT: return m->light_bodyid[id];
    default: return -1;
  }
}

static snSleepState tendonState(const snModel* m, const snData* d, int tendon) {
  SN_ASSERT_INDEX(tendon, m->ntendon);
  const int* tree = m->tendon_treeid + 2 * tendon;
  switch (m->tendon_treenum[tendon]) {
    case 0: return snS_STATIC;
    case 1: return d->tree_awake[tree[0]] ? snS_AWAKE : snS_ASLEEP;
    case 2: return d->tree_awake[tree[0]] || d->tree_awake[tree[1]] ? snS_AWAKE : snS_ASLEEP;
    default: return snS_AWAKE;
  }
}

// objects with one state of their own: those on a body, tendons; all others are awake
static snSleepState objectState(const snModel* m, const snData* d, snObj type, int id) {
  if (id < 0) return snS_STATIC;
  int body = bodyOf(m, type, id);
  if (body >= 0) return (snSleepState)d->body_awake[body];
  return type == snOBJ_TENDON ? tendonState(m, d, id) : snS_AWAKE;
}

static snSleepState actuatorState(const snModel* m, const snData* d, int id) {
  SN_ASSERT_INDEX(id, m->nu);
  const int* target = m->actuator_trnid + 2 * id;
  switch (m->actuator_trntype[id]) {
    case snTRN_JOINT:
    case snTRN_JOINTINPARENT: return objectState(m, d, snOBJ_JOINT, target[0]);
    case snTRN_SITE: return objectState(m, d, snOBJ_SITE, target[0]);
    case snTRN_BODY: return objectState(m, d, snOBJ_BODY, target[0]);
    case snTRN_TENDON: return objectState(m, d, snOBJ_TENDON, target[0]);
    case snTRN_SLIDERCRANK:
      return objectState(m, d, snOBJ_SITE, target[0]) == snS_AWAKE ||
                     objectState(m, d, snOBJ_SITE, target[1]) == snS_AWAKE
                 ? snS_AWAKE
                 : snS_ASLEEP;
    default: return snS_AWAKE;
  }
}

// type of the objects that an equality ties together
static snObj equalityObject(const snModel* m, int id) {
  SN_ASSERT_INDEX(id, m->neq);
  switch (m->eq_type[id]) {
    case snEQ_CONNECT:
    case snEQ_WELD:
    case snEQ_DISTANCE: return (snObj)m->eq_objtype[id];
    case snEQ_JOINT: return snOBJ_JOINT;
    case snEQ_TENDON: return snOBJ_TENDON;
    default: return snOBJ_FLEX;
  }
}

static snSleepState equalityState(const snModel* m, const snData* d, int id) {
  snObj type = equalityObject(m, id);
  return objectState(m, d, type, m->eq_obj1id[id]) == snS_AWAKE ||
                 objectState(m, d, type, m->eq_obj2id[id]) == snS_AWAKE
             ? snS_AWAKE
             : snS_ASLEEP;
}

static snSleepState anyState(const snModel* m, const snData* d, snObj type, int id) {
  switch (type) {
    case snOBJ_ACTUATOR: return actuatorState(m, d, id);
    case snOBJ_EQUALITY: return equalityState(m, d, id);
    default: return objectState(m, d, type, id);
  }
}

static snSleepState sensorState(const snModel* m, const snData* d, int id) {
  SN_ASSERT_INDEX(id, m->nsensor);
  snObj type = (snObj)m->sensor_objtype[id], reference = (snObj)m->sensor_reftype[id];
  switch (m->sensor_type[id]) {
    case snSENS_USER:
    case snSENS_PLUGIN:
    case snSENS_RANGEFINDER: return snS_AWAKE;
    case snSENS_CONTACT:
      if (type == snOBJ_SITE) return snS_AWAKE;
      break;
    default: break;
  }
  if (type == snOBJ_UNKNOWN && reference == snOBJ_UNKNOWN) return snS_AWAKE;
  snSleepState first = anyState(m, d, type, m->sensor_objid[id]);
  snSleepState second = anyState(m, d, reference, m->sensor_refid[id]);
  if (type == snOBJ_UNKNOWN) return second == snS_ASLEEP ? snS_ASLEEP : snS_AWAKE;
  if (reference == snOBJ_UNKNOWN) return first == snS_ASLEEP ? snS_ASLEEP : snS_AWAKE;
  return first == snS_AWAKE || second == snS_AWAKE ? snS_AWAKE : snS_ASLEEP;
}

snSleepState sn_sleepState(const snModel* m, const snData* d, snObj type, int id) {
  return type == snOBJ_SENSOR ? sensorState(m, d, id) : anyState(m, d, type, id);
}

// ---- falling asleep ------------------------------------------------------------------------------

// all bits zero: a negative zero counts as a push
static int isClear(const snReal* vec, int n) {
  uint64_t bits = 0;
  for (int i = 0; i < n; i++) {
    uint64_t word = 0;
    memcpy(&word, vec + i, sizeof(snReal));
    bits |= word;
  }
  return !bits;
}

// Nothing pushes the tree and it is slower than the tolerance (0: at rest). As in MuJoCo, a velocity that
// is not a number is no speed.
static int canSleep(const snModel* m, const snData* d, int tree, snReal tolerance) {
  SN_ASSERT_INDEX(tree, m->ntree);
  int policy = m->tree_sleep_policy[tree];
  if (policy == snSLEEP_NEVER || policy == snSLEEP_AUTO_NEVER) return 0;
  int body = m->tree_bodyadr[tree], dof = m->tree_dofadr[tree], nv = m->tree_dofnum[tree];
  if (!isClear(d->xfrc_applied + 6 * body, 6 * m->tree_bodynum[tree])) return 0;
  if (m->ndeformable && !isClear(d->deformable_xfrc + 6 * body, 6 * m->tree_bodynum[tree]))
    return 0;
  if (!isClear(d->qfrc_applied + dof, nv)) return 0;
  if (tolerance == 0) return isClear(d->qvel + dof, nv);
  for (int i = dof; i < dof + nv; i++) {
    if (m->dof_length[i] * snu_abs(d->qvel[i]) >= tolerance) return 0;
  }
  return 1;
}

static void stopTree(const snModel* m, snData* d, int tree) {
  SN_ASSERT_INDEX(tree, m->ntree);
  snu_zero(d->qvel + m->tree_dofadr[tree], m->tree_dofnum[tree]);
  snu_zero(d->qacc + m->tree_dofadr[tree], m->tree_dofnum[tree]);
}

// trees of an island fall asleep together, as a cycle; returns how many
static int sleepIsland(const snModel* m, snData* d, int island) {
  SN_ASSERT_INDEX(island, d->nisland);
  int n = d->island_ntree[island];
  const int* tree = d->map_itree2tree + d->island_itreeadr[island];
  for (int k = 0; k < n; k++) {
    if (d->tree_asleep[tree[k]] >= 0) {
      snu_error("sn_sleep: found sleeping tree %d in island %d", tree[k], island);
      return 0;
    }
    if (d->tree_asleep[tree[k]] != -1) return 0;
  }
  for (int k = 0; k < n; k++) {
    d->tree_asleep[tree[k]] = tree[(k + 1) % n];
    stopTree(m, d, tree[k]);
  }
  return n;
}

int sn_sleep(const snModel* m, snData* d) {
  if (!sn_sleepEnabled(m) || (d->nefc && !d->nisland)) return 0;
  if (m->ntree && !d->ntree_awake) return 0;
  int ntree = (int)m->ntree, count = 0;
  for (int tree = 0; tree < ntree; tree++) {
    int* asleep = d->tree_asleep + tree;
    if (*asleep >= 0) continue;
    if (!canSleep(m, d, tree, m->opt.sleep_tolerance)) {
      *asleep = FULLY_AWAKE;
    } else if (*asleep < -1) {
      ++*asleep;
    }
  }
  for (int island = 0; island < d->nisland; island++) count += sleepIsland(m, d, island);
  for (int tree = 0; tree < ntree; tree++) {
    int alone = !d->nisland || d->tree_island[tree] < 0;
    if (!alone || d->tree_asleep[tree] != -1) continue;
    d->tree_asleep[tree] = tree;
    stopTree(m, d, tree);
    count++;
  }
  return count;
}

// ---- waking up -----------------------------------------------------------------------------------

// wake the whole cycle of a sleeping tree, or keep an awake one awake longer; returns how many woke
static int wakeTree(const snModel* m, snData* d, int tree, int value) {
  SN_ASSERT_INDEX(tree, m->ntree);
  if (d->tree_asleep[tree] < 0) {
    if (value < d->tree_asleep[tree]) d->tree_asleep[tree] = value;
    return 0;
  }
  int count = 0;
  while (tree >= 0 && tree < (int)m->ntree && d->tree_asleep[tree] >= 0) {
    int next = d->tree_asleep[tree];
    d->tree_asleep[tree] = value;
    tree = next;
    count++;
  }
  return count;
}

// the same of a whole stretch of numbers
SN_WIDE(static, int, isClearStretch, (const snReal* vec, int n), (vec, n)) {
  enum { PART = 4096 };
  for (int first = 0; first < n; first += PART) {
    if (!isClear(vec + first, n - first < PART ? n - first : PART)) return 0;
  }
  return 1;
}

// does a tree sleep, may it, and was it not moved?
SN_KERNEL int sleepsOn(const snModel* m, const snData* d, int tree, const int* moved) {
  int policy = m->tree_sleep_policy[tree];
  return (d->tree_asleep[tree] >= 0) & (policy != snSLEEP_NEVER) & (policy != snSLEEP_AUTO_NEVER) &
         !moved[tree];
}

// The end of the trees from one on that sleep on; their bodies and dofs are side by side.
SN_WIDE(static, int, endOfSleepers, (const snModel* m, const snData* d, int tree, const int* moved),
        (m, d, tree, moved)) {
  enum { AT_ONCE = 32 };
  int end = tree, ntree = (int)m->ntree, all = 1;
  for (; end + AT_ONCE <= ntree; end += AT_ONCE) {
    for (int k = 0; k < AT_ONCE; k++) all &= sleepsOn(m, d, end + k, moved);
    if (!all) break;
  }
  while (end < ntree && sleepsOn(m, d, end, moved)) end++;
  return end;
}

// Is nothing pushing or moving trees [tree, end)? Bodies of no tree may lie between them.
static int areAtRest(const snModel* m, const snData* d, int tree, int end) {
  int last = end - 1, body = m->tree_bodyadr[tree], dof = m->tree_dofadr[tree];
  int bodies = m->tree_bodyadr[last] + m->tree_bodynum[last] - body;
  int dofs = m->tree_dofadr[last] + m->tree_dofnum[last] - dof;
  return isClearStretch(d->xfrc_applied + 6 * body, 6 * bodies) &&
         isClearStretch(d->qfrc_applied + dof, dofs) && isClearStretch(d->qvel + dof, dofs);
}

int sn_wake(const snModel* m, snData* d, const int* moved) {
  int count = 0;
  for (int tree = 0; tree < (int)m->ntree; tree++) {
    if (d->tree_asleep[tree] < 0) continue;
    int end = m->ndeformable || !moved ? tree : endOfSleepers(m, d, tree, moved);
    if (end > tree + 1 && areAtRest(m, d, tree, end)) {
      tree = end - 1;
      continue;
    }
    if ((moved && moved[tree]) || !canSleep(m, d, tree, 0)) {
      count += wakeTree(m, d, tree, FULLY_AWAKE);
    }
  }
  return count;
}

// one tree of two awake: it wakes the other with its own countdown
static int wakePartner(const snModel* m, snData* d, int tree1, int tree2) {
  SN_ASSERT_REFERENCE(tree1, m->ntree);
  SN_ASSERT_REFERENCE(tree2, m->ntree);
  if (tree1 < 0 || tree2 < 0 || d->tree_awake[tree1] == d->tree_awake[tree2]) return 0;
  int awake = d->tree_awake[tree1] ? tree1 : tree2;
  return wakeTree(m, d, tree1 + tree2 - awake, d->tree_asleep[awake]);
}

int sn_wakeTendon(const snModel* m, snData* d) {
  int count = 0;
  if (!sn_someAsleep(m, d)) return 0;
  for (int t = 0; t < (int)m->ntendon; t++) {
    if (m->tendon_treenum[t] != 2 || !m->tendon_limited[t]) continue;
    const snReal* range = m->tendon_range + 2 * t;
    snReal length = d->ten_length[t], margin = m->tendon_margin[t];
    if (length - range[0] < margin || range[1] - length < margin) {
      count += wakePartner(m, d, m->tendon_treeid[2 * t], m->tendon_treeid[2 * t + 1]);
    }
  }
  return count;
}

int sn_wakeCollision(const snModel* m, snData* d) {
  int count = 0;
  if (!sn_someAsleep(m, d)) return 0;
  for (int k = 0; k < d->ncon; k++) {
    const int* geom = d->contact[k].geom;
    if (geom[0] < 0 || geom[1] < 0) continue;
    count += wakePartner(m, d, m->body_treeid[m->geom_bodyid[geom[0]]],
                         m->body_treeid[m->geom_bodyid[geom[1]]]);
  }
  return count;
}

// trees that an equality ties together, at most four
static int equalityTrees(const snModel* m, int eq, int tree[4]) {
  SN_ASSERT_INDEX(eq, m->neq);
  snObj type = equalityObject(m, eq);
  int object[2] = {m->eq_obj1id[eq], m->eq_obj2id[eq]}, n = 0;
  for (int s = 0; s < 2; s++) {
    if (object[s] < 0 || type == snOBJ_FLEX) continue;
    if (type == snOBJ_TENDON) {
      int spanned = m->tendon_treenum[object[s]];
      for (int k = 0; k < 2 && k < spanned; k++) tree[n++] = m->tendon_treeid[2 * object[s] + k];
    } else if (m->body_treeid[bodyOf(m, type, object[s])] >= 0) {
      tree[n++] = m->body_treeid[bodyOf(m, type, object[s])];
    }
  }
  return n;
}

// do two sleeping trees belong to one cycle?
static int sameCycle(const snModel* m, const snData* d, int tree1, int tree2) {
  int tree = tree1;
  for (int step = 0; step <= (int)m->ntree && tree >= 0; step++) {
    if (tree == tree2) return 1;
    tree = d->tree_asleep[tree];
    if (tree == tree1) break;
  }
  return 0;
}

// trees that an active equality ties are awake together or asleep in one cycle
int sn_wakeEquality(const snModel* m, snData* d) {
  int count = 0;
  if (!sn_someAsleep(m, d) || (m->opt.disableflags & snDSBL_EQUALITY)) return 0;
  for (int eq = 0; eq < (int)m->neq; eq++) {
    if (!d->eq_active[eq]) continue;
    int tree[4], n = equalityTrees(m, eq, tree), wake = 0;
    for (int k = 1; k < n; k++) {
      int awake1 = d->tree_awake[tree[0]], awake2 = d->tree_awake[tree[k]];
      if (tree[k] == tree[0] || (awake1 && awake2)) continue;
      wake |= awake1 != awake2 || !sameCycle(m, d, tree[0], tree[k]);
    }
    for (int k = 0; wake && k < n; k++) {
      if (d->tree_asleep[tree[k]] >= 0) count += wakeTree(m, d, tree[k], FULLY_AWAKE);
    }
  }
  return count;
}
