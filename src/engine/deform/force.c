// Rigid bodies among deformables: how they move, and the force that they feel in the next step.

#include "engine/smooth/force.h"
#include "base/assert.h"
#include "engine/deform/deform.h"
#include "engine/smooth/jacobian.h"
#include "math/math.h"

// velocity of the body's centre of mass, from the dofs of its ancestors at the poses of the data
static void bodyVelocity(const snModel* m, const snData* d, int body, snReal vel[3],
                         snReal spin[3]) {
  SN_ASSERT_INDEX(body, m->nbody);
  snReal twist[6] = {0, 0, 0, 0, 0, 0}, arm[3], turned[3];
  for (int dof = sn_lastDof(m, body); dof >= 0; dof = m->dof_parentid[dof]) {
    for (int k = 0; k < 6; k++) twist[k] += d->cdof[6 * dof + k] * d->qvel[dof];
  }
  snu_sub3(arm, d->xipos + 3 * body, d->subtree_com + 3 * m->body_rootid[body]);
  snu_cross(turned, twist, arm);
  snu_copy3(spin, twist);
  snu_add3(vel, twist + 3, turned);
}

void sn_deformMovers(const snModel* m, const snData* d, snMover* mover) {
  SN_FOR(body, m->nbody) {
    snMover* b = mover + body;
    bodyVelocity(m, d, body, b->vel, b->spin);
    b->invmass = m->body_weldid[body] ? m->body_invweight0[2 * body] : 0;
    b->invinertia = m->body_weldid[body] ? m->body_invweight0[2 * body + 1] : 0;
    for (int k = 0; k < 3; k++) {
      b->shift[k] = b->turn[k] = b->impulse[k] = b->moment[k] = 0;
    }
  }
  SN_SYNC();
}

void sn_deformForces(const snModel* m, snData* d) {
  sn_addBodyForces(m, d, d->deformable_xfrc, d->qfrc_passive);
}
