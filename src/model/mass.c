// The total mass of a model.

#include "math/math.h"

snReal sn_getTotalmass(const snModel* m) {
  snReal total = 0;
  for (int body = 1; body < (int)m->nbody; body++) total += m->body_mass[body];
  return total;
}

void sn_setTotalmass(snModel* m, snReal newmass) {
  snReal total = snu_max((snReal)snMINVAL, sn_getTotalmass(m));
  snReal scale = snu_max((snReal)snMINVAL, newmass / total);
  for (int body = 1; body < (int)m->nbody; body++) {
    m->body_mass[body] *= scale;
    snu_scl3(m->body_inertia + 3 * body, m->body_inertia + 3 * body, scale);
  }
}
