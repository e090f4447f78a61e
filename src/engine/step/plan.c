#include "engine/step/plan.h"

#ifdef SN_TEAM

#include "engine/smooth/fluid.h"
#include "engine/step/integrate.h"
#include "engine/step/sleep.h"

// Where convex shapes touch depends on where an iteration stops: poses that differ in the last bit may have contacts that
// differ in the tenth digit. In double precision a GPU therefore computes poses with the same bits as a CPU. Single
// precision is not compared with a CPU bit for bit, and takes the faster way. Tests of teams try both.
static inline int quickPoses(void) {
#ifdef SN_DEVICE
  return sizeof(snReal) == 4;
#else
  return sn_team_quick_poses;
#endif
}

// one bit of the plan, without a branch
static inline int when(int holds, int bit) { return -holds & bit; }

// Conditions are joined by & rather than &&, so that all loads are in flight at once.
SN_STAGE int sn_planSizes(const snModel* m, const snData* d) {
  int lanes = SN_LANES, flags = m->opt.disableflags, integrator = m->opt.integrator;
  snSize nv = m->nv, nq = m->nq, nu = m->nu, nbody = m->nbody, njnt = m->njnt;
  snSize ntendon = m->ntendon, nwrap = m->nwrap;
  int sleeps = sn_sleepEnabled(m), dense = m->opt.jacobian != snJAC_SPARSE;
  int dofs = (nv > 0) & (nv <= lanes) & (d->nv_awake == (int)nv), coordinates = nq <= lanes;
  int tree =
      dofs & (nbody <= lanes) & (d->nbody_awake == (int)nbody) & (d->ntree_awake == (int)m->ntree);
  int warp = (lanes >= 16) & (nv <= lanes) & dense;
  int factor = dofs & !sleeps, equality = (m->nemax > 0) & !(flags & snDSBL_EQUALITY);
  int actuators = (nu > 0) & (nu <= lanes) & (nu <= m->nJmom) & !(flags & snDSBL_ACTUATION);
  int quick = quickPoses();

  int plan = snPLAN_MADE | when(tree, snPLAN_TREE) | when(quick, snPLAN_QUICK_POSES);
  plan |= when(tree & coordinates & quick & !sleeps, snPLAN_POSES);
  plan |= when(dense & (nv <= lanes) & coordinates & (nwrap > 0) & (nwrap <= lanes) &
                   (ntendon <= snFEW_TENDONS) & (njnt > 0),
               snPLAN_TENDONS);
  plan |= when((nu <= lanes) & coordinates & (njnt > 0), snPLAN_TRANSMISSION);
  plan |= when((nv <= lanes) & (nbody <= lanes) & (njnt <= lanes) & (ntendon <= lanes) & dense &
                   (!equality | (m->neq <= lanes)) & !m->nflex,
               snPLAN_ROWS);
  plan |= when(warp, snPLAN_ROW_PRODUCTS);
  plan |=
      when(tree & actuators & dense & (ntendon <= snPATH_TENDONS) & !m->nflexedge, snPLAN_PATHS);
  plan |= when(tree & coordinates & (ntendon <= lanes) & !m->nflex & !m->nplugin & !sn_hasFluid(m) &
                   !d->callback.passive,
               snPLAN_PASSIVE);
  plan |= when(tree & actuators & !m->na & !m->nplugin & !sleeps, snPLAN_ACTUATION);
  plan |= when(tree & factor & (integrator != snINT_IMPLICITSPRINGDAMPER), snPLAN_ACCELERATION);
  plan |= when(warp & (m->opt.solver == snSOL_NEWTON) & (m->opt.cone == snCONE_PYRAMIDAL) &
                   (m->nC < 1 << 16) & (m->opt.noslip_iterations <= 0),
               snPLAN_NEWTON);
  plan |= when(tree & factor & coordinates & (nu <= lanes) & (ntendon <= lanes) & !m->nflex &
                   !m->nplugin & (integrator == snINT_IMPLICITFAST) & !sn_hasFluid(m) &
                   (m->opt.solver != snSOL_XPBD) & !m->ncapstan,
               snPLAN_IMPLICIT);
  return plan;
}

// Will math/tree_team.c factor M path by path? No row is longer than the team, and there are too few trees for a lane each.
static inline int factorsByPaths(const snModel* m, const snData* d) {
  int longest = 0, lanes = SN_LANES, nv = (int)m->nv;
  if (!nv || d->nv_awake != nv || sn_sleepEnabled(m)) return 0;
  if (nv <= lanes) return 1;
  if (4 * m->ntree >= lanes) return 0;
  SN_FOR(dof, nv) longest = m->M_rownnz[dof] > longest ? m->M_rownnz[dof] : longest;
  return sn_teamMaxInt(longest) <= lanes;
}

// qH is planned only when the integrator is Euler. Under RK4 the second half of a split step also takes sn_Euler, which
// then finds no qH and makes it.
SN_STAGE void sn_planStep(const snModel* m, const snData* d) {
  if (SN_LANES == 1) return;
  int plan = sn_planSizes(m, d);
  if (factorsByPaths(m, d)) {
    plan |= snPLAN_FACTOR;
    int damped = sn_hasImplicitDamping(m, d, 1), made = damped & (m->opt.integrator == snINT_EULER);
    plan |= when(made, snPLAN_DAMPED_FACTOR);
    plan |=
        when((made | !damped) & (m->nq <= SN_LANES) & !m->nplugin & (m->opt.solver != snSOL_XPBD),
             snPLAN_EULER);
  }
  SN_SET_PLAN(plan);
}

#endif
