// Interpolated flexes: linear elasticity of the nodes, in a frame that turns with the flex.
//
// The frame R is the rotation nearest to the deformation gradient at the centre of the box (Mueller et al.,
// "A robust method to extract the rotational part of deformations", 2016). In it the displacement of
// node i is u_i = R' p_i - P_i, but for a shift that the stiffness K does not see; forces are R K u.

#include "engine/flex/node.h"

#include "base/arena.h"
#include "base/assert.h"
#include "engine/flex/flex.h"
#include "engine/flex/interpolate.h"
#include "engine/smooth/force.h"
#include "math/math.h"

// M = sum_i p_i (grad N_i)' at the centre of the box, by box coordinates
static void gradientAtCentre(int order, const snReal* node, snReal gradient[9]) {
  SN_ASSERT(order >= 1 && order <= snMAXINTERP);
  snReal value[snMAXSHAPE], slope[snMAXSHAPE];
  sn_shape(order, (snReal)0.5, value);
  sn_shapeSlope(order, (snReal)0.5, slope);
  snu_zero(gradient, 9);
  for (int a = 0; a <= order; a++) {
    for (int b = 0; b <= order; b++) {
      for (int c = 0; c <= order; c++, node += 3) {
        snReal along[3] = {slope[a] * value[b] * value[c], value[a] * slope[b] * value[c],
                           value[a] * value[b] * slope[c]};
        for (int k = 0; k < 9; k++) gradient[k] += node[k / 3] * along[k % 3];
      }
    }
  }
}

// MuJoCo's iteration, from the identity to a correction below 1e-9: the rest is part of the result
static void nearestRotation(const snReal matrix[9], snReal rotation[9]) {
  snReal quat[4], turn[4], product[4];
  snu_unit4(quat);
  for (int i = 0; i < 500; i++) {
    snReal omega[3] = {0, 0, 0}, along = 0, angle;
    snu_quat2Mat(rotation, quat);
    for (int c = 0; c < 3; c++) {
      snReal r[3] = {rotation[c], rotation[3 + c], rotation[6 + c]}, part[3];
      snReal q[3] = {matrix[c], matrix[3 + c], matrix[6 + c]};
      snu_cross(part, r, q);
      snu_addTo3(omega, part);
      along += snu_dot3(r, q);
    }
    snu_scl3(omega, omega, 1 / (snu_abs(along) + (snReal)snMINVAL));
    angle = snu_normalize3(omega);
    if (angle < (snReal)1e-9) return;
    snu_axisAngle2Quat(turn, omega, angle);
    snu_mulQuat(product, turn, quat);
    snu_copy4(quat, product);
    snu_normalize4(quat);
  }
  snu_quat2Mat(rotation, quat);
}

void sn_flexFrame(const snModel* m, int flex, const snReal* node, snReal rotation[9]) {
  SN_ASSERT_INDEX(flex, m->nflex);
  snReal gradient[9];
  gradientAtCentre(m->flex_interp[flex], node, gradient);
  nearestRotation(gradient, rotation);
}

void sn_flexTurnedNode(const snReal rotation[9], const snReal node[3], snReal turned[3]) {
  snu_mulMatTVec3(turned, rotation, node);
  for (int k = 0; k < 3; k++) turned[k] += (snReal)0.5;
}

// of the node where it lies at the origin of a body with sliders, else of the body's centre of mass
static void nodeVelocity(const snModel* m, const snData* d, int flex, int body,
                         snReal velocity[3]) {
  SN_ASSERT_INDEX(flex, m->nflex);
  SN_ASSERT_INDEX(body, m->nbody);
  if (m->flex_centered[flex]) {
    int n = m->body_dofnum[body];
    for (int k = 0; k < 3; k++) velocity[k] = k < n ? d->qvel[m->body_dofadr[body] + k] : 0;
    return;
  }
  snReal arm[3];
  snu_sub3(arm, d->xipos + 3 * body, d->subtree_com + 3 * m->body_rootid[body]);
  snu_cross(velocity, d->cvel + 6 * body, arm);
  snu_addTo3(velocity, d->cvel + 6 * body + 3);
}

// displacements and velocities in the turned frame, point of attack of the forces
static void turnNodes(const snModel* m, const snData* d, int flex, const snReal rotation[9],
                      const snReal* node, snNodes* nodes) {
  SN_ASSERT_INDEX(flex, m->nflex);
  int first = m->flex_nodeadr[flex];
  SN_FOR(i, m->flex_nodenum[flex]) {
    snReal velocity[3];
    nodeVelocity(m, d, flex, m->flex_nodebodyid[first + i], velocity);
    snu_mulMatTVec3(nodes->velocity + 3 * i, rotation, velocity);
    sn_flexTurnedNode(rotation, node + 3 * i, nodes->point + 3 * i);
    snu_sub3(nodes->displacement + 3 * i, nodes->point + 3 * i, m->flex_node0 + 3 * (first + i));
  }
  SN_SYNC();
}

// res = R K vec, by node
static void turnedProduct(const snReal* stiffness, const snReal rotation[9], int n, snReal scale,
                          const snReal* vec, snReal* res) {
  SN_FOR(i, n) {
    snReal row[3];
    for (int k = 0; k < 3; k++) {
      row[k] = scale * snu_dot(stiffness + 3 * n * (3 * i + k), vec, 3 * n);
    }
    snu_mulMatVec3(res + 3 * i, rotation, row);
  }
  SN_SYNC();
}

// by node, where MuJoCo applies it: at the dofs of its body as they are, or at the turned point
static void applyForces(const snModel* m, const snData* d, int flex, const snReal* point,
                        const snReal* force, snReal* qfrc) {
  SN_ASSERT_INDEX(flex, m->nflex);
  const snReal none[3] = {0, 0, 0};
  int first = m->flex_nodeadr[flex];
  for (int i = 0; i < m->flex_nodenum[flex]; i++) {
    int body = m->flex_nodebodyid[first + i];
    if (m->flex_centered[flex]) {
      for (int k = 0; k < 3 && k < m->body_dofnum[body]; k++) {
        qfrc[m->body_dofadr[body] + k] += force[3 * i + k];
      }
    } else {
      sn_addWrench(m, d, force + 3 * i, none, point + 3 * i, body, qfrc);
    }
  }
}

void sn_flexNodeForces(const snModel* m, snData* d, int flex, int hasSpring, int hasDamper) {
  SN_ASSERT_INDEX(flex, m->nflex);
  int n = m->flex_nodenum[flex];
  const snReal* stiffness = m->flex_stiffness + 21 * (snSize)m->flex_elemadr[flex];
  snReal rotation[9], damping = m->flex_damping[flex];
  sn_markStack(d);
  snReal* scratch = SN_STACK(d, snReal, 15 * n);
  if (!scratch) {
    sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
    sn_freeStack(d);
    return;
  }
  snReal *node = scratch, *force = scratch + 3 * n;
  snNodes nodes = {scratch + 6 * n, scratch + 9 * n, scratch + 12 * n};
  sn_flexNodes(m, d, flex, node);
  sn_flexFrame(m, flex, node, rotation);
  turnNodes(m, d, flex, rotation, node, &nodes);
  if (hasSpring) {
    turnedProduct(stiffness, rotation, n, 1, nodes.displacement, force);
    SN_SOLO(applyForces(m, d, flex, nodes.point, force, d->qfrc_spring));
  }
  if (hasDamper && damping != 0) {
    turnedProduct(stiffness, rotation, n, damping, nodes.velocity, force);
    SN_SOLO(applyForces(m, d, flex, nodes.point, force, d->qfrc_damper));
  }
  sn_freeStack(d);
}
