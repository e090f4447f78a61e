// What the impedance of a row follows from: its parameters, the curve over the violation, the spring.
//
// A row behaves as a spring-damper of unit effective mass with stiffness K and damping B whose share
// of the motion is the impedance I in (0, 1): R = (1 - I)/I * A, where A approximates the inverse
// inertia that the row feels. Blocks of rows are done in constrain/impedance.c, a lane's row in
// lanes/rows.c.

#ifndef SINEW_ENGINE_CONSTRAIN_IMPEDANCE_H_
#define SINEW_ENGINE_CONSTRAIN_IMPEDANCE_H_

#include "base/assert.h"
#include "base/team.h"
#include "math/math.h"
#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

struct snRowParameters_ {
  snReal solref[2];
  snReal friction[2];  // solref of the friction directions; zeros: as solref
  snReal solimp[5];
};
typedef struct snRowParameters_ snRowParameters;

// A power curve that starts at 0 with slope 0 and is at mid itself: value and slope.
struct snCurve_ {
  snReal y, dy;
};
typedef struct snCurve_ snCurve;

// with any power p
SN_FN snCurve sn_anyCurve(snReal x, snReal mid, snReal p);

// Nullable: friction.
SN_KERNEL void sn_copyParameters(snRowParameters* p, const snReal solref[2], const snReal solimp[5],
                                 const snReal* friction) {
  SN_UNROLL
  for (int i = 0; i < 2; i++) {
    p->solref[i] = solref[i];
    p->friction[i] = friction ? friction[i] : 0;
  }
  SN_UNROLL
  for (int i = 0; i < 5; i++) p->solimp[i] = solimp[i];
}

SN_KERNEL void sn_findParameters(const snModel* m, const snData* d, int type, int id,
                                 snRowParameters* p) {
  SN_ASSERT(id >= 0);
  const snReal *solref, *solimp;
  switch (type) {
    case snCNSTR_EQUALITY: solref = m->eq_solref, solimp = m->eq_solimp; break;
    case snCNSTR_FRICTION_DOF: solref = m->dof_solref, solimp = m->dof_solimp; break;
    case snCNSTR_FRICTION_TENDON:
      solref = m->tendon_solref_fri, solimp = m->tendon_solimp_fri;
      break;
    case snCNSTR_LIMIT_JOINT: solref = m->jnt_solref, solimp = m->jnt_solimp; break;
    case snCNSTR_LIMIT_TENDON: solref = m->tendon_solref_lim, solimp = m->tendon_solimp_lim; break;
    default: {
      const snContact* con = d->contact + id;
      sn_copyParameters(p, con->solref, con->solimp, con->solreffriction);
      return;
    }
  }
  sn_copyParameters(p, solref + snNREF * id, solimp + snNIMP * id, NULL);
}

// both positive (time constant, damping ratio) or both not (stiffness, damping)
SN_KERNEL void sn_checkReference(const snModel* m, snReal ref[2], snReal time, snReal ratio) {
  if ((ref[0] > 0) != (ref[1] > 0)) {
#ifndef SN_DEVICE  // messages have nowhere to go, and a call would cost the others too
    snu_warning("mixed solref format, replacing with default");
#endif
    ref[0] = time;
    ref[1] = ratio;
  }
  if (!(m->opt.disableflags & snDSBL_REFSAFE) && ref[0] > 0) {
    ref[0] = snu_max(ref[0], 2 * m->opt.timestep);
  }
}

SN_KERNEL void sn_sanitise(const snModel* m, snRowParameters* p) {
  const snReal low = (snReal)snMINIMP, high = (snReal)snMAXIMP;
  sn_checkReference(m, p->solref, (snReal)0.02, 1);
  sn_checkReference(m, p->friction, 0, 0);
  p->solimp[0] = snu_clip(p->solimp[0], low, high);
  p->solimp[1] = snu_clip(p->solimp[1], low, high);
  p->solimp[2] = snu_max(0, p->solimp[2]);
  p->solimp[3] = snu_clip(p->solimp[3], low, high);
  p->solimp[4] = snu_max(1, p->solimp[4]);
}

SN_KERNEL snCurve sn_powerCurve(snReal x, snReal mid, snReal p, int simple) {
  if (!simple && p != 2) return sn_anyCurve(x, mid, p);
  snCurve curve;
  snReal a = 1 / mid;
  curve.y = a * (x * x);
  curve.dy = p * a * x;
  return curve;
}

// impedance at the violation z and its slope: d0 to d1 over the width, by a smooth power curve;
// simple: the power is 1 or 2
SN_KERNEL void sn_impedance(const snReal solimp[5], snReal z, snReal* value, snReal* slope,
                            int simple) {
  snReal d0 = solimp[0], d1 = solimp[1], width = solimp[2], mid = solimp[3], p = solimp[4];
  *slope = 0;
  if (d0 == d1 || width <= (snReal)snMINVAL) {
    *value = (snReal)0.5 * (d0 + d1);
    return;
  }
  snReal x = z / width, sign = 1, y, dy;
  if (x < 0) {
    x = -x;
    sign = -1;
  }
  if (x >= 1 || x == 0) {
    *value = x == 0 ? d0 : d1;
    return;
  }
  if (p == 1) {
    y = x;
    dy = 1;
  } else {
    int late = !(x <= mid);
    snCurve curve = sn_powerCurve(late ? 1 - x : x, late ? 1 - mid : mid, p, simple);
    y = late ? 1 - curve.y : curve.y;
    dy = curve.dy;
  }
  *value = d0 + y * (d1 - d0);
  *slope = sign * dy * (d1 - d0) / width;
}

// K, B of one row for a reference
SN_KERNEL void sn_stiffnessDamping(const snReal ref[2], snReal d1, snReal* K, snReal* B) {
  const snReal tiny = (snReal)snMINVAL;
  *K = ref[0] > 0 ? 1 / snu_max(tiny, d1 * d1 * ref[0] * ref[0] * ref[1] * ref[1])
                  : -ref[0] / snu_max(tiny, d1 * d1);
  *B = ref[1] > 0 ? 2 / snu_max(tiny, d1 * ref[0]) : -ref[1] / snu_max(tiny, d1);
}

SN_KERNEL snReal sn_regularisation(snReal I, snReal diagonal) {
  return snu_max((snReal)snMINVAL, (1 - I) * diagonal / I);
}

SN_KERNEL void sn_setKBIP(snReal KBIP[4], snReal K, snReal B, snReal I, snReal P) {
  KBIP[0] = K;
  KBIP[1] = B;
  KBIP[2] = I;
  KBIP[3] = P;
}

// ---- rows of a contact with a cone
//
// The friction rows follow the regularisation R of the normal row, so that the cone keeps its shape. `friction` are the
// coefficients of the contact.

// approximate inverse inertia that an edge of a pyramid feels, from that of the contact point
SN_KERNEL snReal sn_edgeDiagonal(snReal diagonal, snReal friction) {
  return diagonal + friction * friction * diagonal;
}

// regularisation of the first tangential row
SN_KERNEL snReal sn_tangentRegularisation(const snModel* m, snReal R) {
  return R / snu_max((snReal)snMINVAL, m->opt.impratio);
}

// of another friction row, whose coefficient is `slide`; the first one has `friction`
SN_KERNEL snReal sn_slideRegularisation(snReal tangent, snReal friction, snReal slide) {
  return tangent * friction * friction / (slide * slide);
}

// mu of the cone that the solver sees
SN_KERNEL snReal sn_regularisedMu(snReal friction, snReal R, snReal tangent) {
  return friction * snu_sqrt(tangent / R);
}

// regularisation of an edge of a pyramid
SN_KERNEL snReal sn_edgeRegularisation(snReal mu, snReal R) { return 2 * mu * mu * R; }

// damping of the friction rows, which have no stiffness; that of the normal row unless they have a reference
SN_KERNEL snReal sn_frictionDamping(const snRowParameters* p, snReal normal) {
  if (p->friction[0] == 0 && p->friction[1] == 0) return normal;
  snReal K, B;
  sn_stiffnessDamping(p->friction, p->solimp[1], &K, &B);
  return B;
}

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_CONSTRAIN_IMPEDANCE_H_
