// Derivatives of the equations of motion by positions, in closed form.
//
//   r(q, v, a) = M a + c - f - J' s'(J a - aref)
//
// is differentiated at fixed v and a with the set of active constraints held fixed. All vectors are
// spatial, in the axes of the world, about the centre of mass that a tree has now (a fixed point).
// Let S_k be the motion axis of dof k. A small motion along k carries everything behind it as one
// rigid body, so that for what is behind k
//
//   dS_i = S_k x S_i,   dI = S_k x* I - I S_k x,   dv_b = S_k x (v_b - u_k),
//
// where u_k is the velocity of what does not move with k. The dofs of a ball joint, and the rotation
// of a free joint, turn with their body and so move one another: they form a group, and u_k is the
// velocity before the group. Dof k moves the axis of i when group[k] <= i.
//
// Inertial forces: f_b = I a_b + v_b x* I v_b changes by S_k x* f_b + I p2_k + K p1_k with
//   p1_k = u_k x S_k,   p2_k = a_k x S_k + u_k x p1_k,
// a_k the acceleration before the group and K the matrix of differentiate/velocity_derivative.c: one product with the
// composite of the deeper dof per pair of related dofs.
//
// All other forces on bodies are wrenches W_b with derivatives dW_b: their sums over subtrees give
//   d(S_i . W) = (S_k x S_i) . W + S_i . dW.
// Rows of constraints and tendons are sums of unit wrenches; their products with a and v need the
// derivatives of the bodies' motions above. Contact points and normals of spheres, capsules and of
// corners against planes have closed forms; those of other pairs are differenced in the narrow phase
// alone, where one of the two geoms moves along six directions (differentiate/position_contact.c) or one vertex
// of a flex along three (differentiate/position_element.c). Tendons that wrap difference the two
// straight directions by the two ends (differentiate/position_tendon.c).

#ifndef SINEW_ENGINE_DIFFERENTIATE_POSITION_DERIVATIVE_H_
#define SINEW_ENGINE_DIFFERENTIATE_POSITION_DERIVATIVE_H_

#include "base/team.h"
#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

struct snTangent_ {
  int nv;
  snReal h;            // time step
  snReal eps;          // of differences of the narrow phase
  int applied;         // include xfrc_applied
  int actuators;       // include actuators
  const snReal* qacc;  // a
  snReal* matrix;      // nv x nv: row k, column i: d(force i)/d(position k)
  int* group;          // nv: first dof of the group
  snReal* acc;         // nbody x 6: sum of S a up to a body
  snReal* accBefore;   // nv x 6: the same before the group of a dof
  snReal* velBefore;   // nv x 6: velocity before the group
  snReal* wrench;      // nbody x 6
  snReal* rate;        // nbody x nv x 6: d(wrench)/d(position k)
  snByte* active;      // nbody: is its rate not zero?
  snReal* scratch;     // nv numbers
};
typedef struct snTangent_ snTangent;

// Has the model's force a closed form by positions? Not where flexes are interpolated between nodes.
int sn_tangentIsKnown(const snModel* m);

// matrix = -dr: row k holds the derivative of the forces that accelerate by position k. moment, when
// wanted: d(M (a - taken) + h (dF/dv) taken), what the matrix of an implicit step multiplies
// differently from M. Both nv x nv. eps is the step of differences in the narrow phase. d is the result of forward dynamics; efc_force, efc_state and
// the Hessians of cones belong to qacc. Returns 0 when the arena is full.
int sn_residualTangent(const snModel* m, snData* d, const snReal* qacc, const snReal* taken,
                       snReal eps, snReal* matrix, snReal* moment);

// The same without applied forces, and with actuators on demand: inverse dynamics.
int sn_inverseTangent(const snModel* m, snData* d, const snReal* qacc, snReal eps, int actuators,
                      snReal* matrix);

// The inertial part of both alone: minus d(M a + c) and d(M (a - taken)), with -h d(dc/dv) taken
// for the implicit integrator; moment nullable.
int sn_inertialTangent(const snModel* m, snData* d, const snReal* qacc, const snReal* taken,
                       snReal* matrix, snReal* moment);

// ---- parts (tangent_*.c)

// Does dof k come before or at dof i in the chain of i, as far as axes are concerned?
static inline int sn_movesAxis(const snTangent* t, int k, int i) { return t->group[k] <= i; }

// The k-th axis.
static inline void sn_unitAxis(snReal axis[3], int k) {
  axis[0] = axis[1] = axis[2] = 0;
  axis[k] = 1;
}

// Motion of dof k, or any spatial motion about the com of a body's tree, at a point: [w; v].
void sn_motionAt(const snReal motion[6], const snReal arm[3], snReal res[6]);

// Add a wrench at a body, and the change of the wrench by position k.
void sn_tangentRate(snTangent* t, int body, int k, const snReal change[6]);

// Constraint rows.
void sn_tangentRows(const snModel* m, snData* d, snTangent* t);
void sn_tangentContact(const snModel* m, snData* d, snTangent* t, int id);

// Contacts of flexes that are springs.
void sn_tangentSprings(const snModel* m, snData* d, snTangent* t);

// Change of the forces of count rows from the changes of their residuals; weight is d(log D).
void sn_tangentForces(const snData* d, int row, int count, const snReal* residual, snReal weight,
                      snReal* force);

// d(-aref)/d(pos) of a row whose impedance moves with pos, and d(log D)/d(pos).
snReal sn_rowStiffness(const snData* d, int row);
snReal sn_rowWeight(const snData* d, int row);

// Springs, gravity compensation, fluid, applied forces, tendons, actuators; and the derivatives of
// the velocity derivatives of tendons and actuators times h taken, into moment.
int sn_tangentPassive(const snModel* m, snData* d, snTangent* t);
int sn_tangentActuators(const snModel* m, snData* d, snTangent* t);
int sn_tangentDamping(const snModel* m, snData* d, snTangent* t, const snReal* taken,
                      snReal* moment);

// Have the slopes of an actuator's force closed forms? And those of the slope by velocity?
int sn_actuatorIsKnown(const snModel* m, int i);
int sn_actuatorCurveIsKnown(const snModel* m, int i);

// target (nv rows of the given length) += d(h (dF/dv) taken) by velocities: muscles alone.
void sn_dampingByVelocity(const snModel* m, const snData* d, const snReal* taken, snReal* target,
                          int stride);

// A tendon: its dofs, Jacobian and the derivative of that, hessian[k n + i] = d(J_i)/d(position k).
struct snTendonShape_ {
  int n;
  int* dof;
  snReal* J;
  snReal* hessian;
  int isLinear;  // the hessian is zero and not filled
};
typedef struct snTendonShape_ snTendonShape;

int sn_allocTendonShape(const snModel* m, snData* d, snTendonShape* shape);
void sn_tendonShape(const snModel* m, const snData* d, const snTangent* t, int tendon,
                    snTendonShape* shape);

// Derivative of (J . vec) by the position of the k-th dof of a tendon.
snReal sn_tendonRate(const snTendonShape* shape, int k, const snReal* vec);

// Motion [w; v] of a point fixed in a body by dof k: zero when k does not carry the body.
void sn_pointRate(const snModel* m, const snData* d, int k, int body, const snReal point[3],
                  snReal rate[6]);

// Row of the hessian of a shape that pulls at a point of a body: by the position of its dof number place,
// with which the pull changes by turn and the point by shift.
void sn_shapePull(const snModel* m, const snData* d, const snTangent* t, snTendonShape* shape,
                  int body, const snReal point[3], const snReal pull[3], int place,
                  const snReal turn[3], const snReal shift[3]);

// hessian += that of the distance of two points.
void sn_straightShape(const snModel* m, const snData* d, const snTangent* t, snTendonShape* shape,
                      const snReal* a, int bodya, const snReal* b, int bodyb);

// matrix += d(force J') for a force with slopes by length and velocity.
void sn_tangentShape(const snData* d, snTangent* t, const snTendonShape* shape, snReal force,
                     snReal byLength, snReal byVelocity);

// moment += d(-h damping J' J taken) on the pairs that the integrator's matrix holds.
void sn_tangentDamper(const snModel* m, const snData* d, const snTangent* t,
                      const snTendonShape* shape, snReal damping, const snReal* taken,
                      snReal* moment);

// matrix += d(J' force) of a constraint row.
void sn_tangentRow(const snData* d, snTangent* t, int row, const snTendonShape* shape);

// ---- flexes

int sn_tangentFlexes(const snModel* m, snData* d, snTangent* t, int hasSpring, int hasDamper);
int sn_tangentFlexDamping(const snModel* m, snData* d, snTangent* t, const snReal* taken,
                          snReal* moment);

// All rows of the equality of a flex, of which row is the first; returns their number.
int sn_tangentFlexEquality(const snModel* m, snData* d, snTangent* t, int row);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_DIFFERENTIATE_POSITION_DERIVATIVE_H_
