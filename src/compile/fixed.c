// Constants that need no configuration: masses of subtrees, extents of trees, sleep policies.

#include "base/error.h"
#include "compile/constants.h"

static void setSubtreeMass(snModel* m) {
  for (int i = 0; i < m->nbody; i++) m->body_subtreemass[i] = m->body_mass[i];
  for (int i = (int)m->nbody - 1; i > 0; i--) {
    m->body_subtreemass[m->body_parentid[i]] += m->body_subtreemass[i];
  }
  m->ngravcomp = 0;  // positive values, as in MuJoCo
  for (int i = 0; i < m->nbody; i++) m->ngravcomp += m->body_gravcomp[i] > 0;
}

static void setTreeExtent(snModel* m) {
  for (int i = 0; i < m->ntree; i++) {
    m->tree_bodyadr[i] = m->tree_dofadr[i] = -1;
    m->tree_bodynum[i] = m->tree_dofnum[i] = 0;
  }
  for (int i = 0; i < m->nbody; i++) {
    int tree = m->body_treeid[i];
    if (tree < 0) continue;
    if (!m->tree_bodynum[tree]++) m->tree_bodyadr[tree] = i;
  }
  for (int i = 0; i < m->nv; i++) {
    int tree = m->dof_treeid[i];
    if (!m->tree_dofnum[tree]++) m->tree_dofadr[tree] = i;
  }
}

// tree of the body that an object of a tendon path sits on; -1: static, or no body at all
static int wrapTree(const snModel* m, int wrap) {
  int object = m->wrap_objid[wrap];
  switch (m->wrap_type[wrap]) {
    case snWRAP_JOINT: return m->body_treeid[m->jnt_bodyid[object]];
    case snWRAP_SITE: return m->body_treeid[m->site_bodyid[object]];
    case snWRAP_SPHERE:
    case snWRAP_CYLINDER: return m->body_treeid[m->geom_bodyid[object]];
    default: return -1;
  }
}

// distinct trees of each tendon in order of first appearance; only two ids are kept, all are
// counted
static void setTendonTrees(snModel* m) {
  for (int i = 0; i < m->ntendon; i++) {
    int* kept = m->tendon_treeid + 2 * i;
    int first = m->tendon_adr[i], end = first + m->tendon_num[i], count = 0;
    kept[0] = kept[1] = -1;
    for (int j = first; j < end; j++) {
      int tree = wrapTree(m, j), seen = tree < 0;
      for (int k = first; k < j && !seen; k++) seen = wrapTree(m, k) == tree;
      if (seen) continue;
      if (count < 2) kept[count] = tree;
      count++;
    }
    m->tendon_treenum[i] = count;
  }
}

static void keepAwake(snModel* m, int tree) {
  if (tree >= 0 && m->tree_sleep_policy[tree] <= snSLEEP_AUTO_ALLOWED) {
    m->tree_sleep_policy[tree] = snSLEEP_AUTO_NEVER;
  }
}

static void keepTendonAwake(snModel* m, int tendon) {
  int end = m->tendon_adr[tendon] + m->tendon_num[tendon];
  for (int j = m->tendon_adr[tendon]; j < end; j++) keepAwake(m, wrapTree(m, j));
}

static void keepActuatorAwake(snModel* m, int actuator) {
  const int* id = m->actuator_trnid + 2 * actuator;
  switch (m->actuator_trntype[actuator]) {
    case snTRN_JOINT:
    case snTRN_JOINTINPARENT: keepAwake(m, m->body_treeid[m->jnt_bodyid[id[0]]]); break;
    case snTRN_TENDON: keepTendonAwake(m, id[0]); break;
    case snTRN_SITE:
    case snTRN_SLIDERCRANK: keepAwake(m, m->body_treeid[m->site_bodyid[id[0]]]); break;
    case snTRN_BODY: keepAwake(m, m->body_treeid[id[0]]); break;
    default: break;
  }
}

// what acts on a tree from outside keeps it awake; the user's own policies stay
static void setSleepPolicy(snModel* m) {
  for (int i = 0; i < m->ntree; i++) {
    if (m->tree_sleep_policy[i] <= snSLEEP_AUTO_ALLOWED) {
      m->tree_sleep_policy[i] = snSLEEP_AUTO_ALLOWED;
    }
  }
  for (int i = 0; i < m->nu; i++) keepActuatorAwake(m, i);
  for (int i = 0; i < m->ntendon; i++) {
    int passive = m->tendon_stiffness[i] != 0 || m->tendon_damping[i] != 0;
    if (m->tendon_treenum[i] > 2 || (m->tendon_treenum[i] == 2 && passive)) keepTendonAwake(m, i);
  }
  for (int i = 0; i < m->nflexvert; i++) {
    if (m->flex_vertbodyid[i] >= 0) keepAwake(m, m->body_treeid[m->flex_vertbodyid[i]]);
  }
  for (int i = 0; i < m->nflexnode; i++) keepAwake(m, m->body_treeid[m->flex_nodebodyid[i]]);
}

void sn_setFixed(snModel* m) {
  setSubtreeMass(m);
  setTreeExtent(m);
  setTendonTrees(m);
  setSleepPolicy(m);
}
