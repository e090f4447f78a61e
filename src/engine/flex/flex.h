// Flexes: deformable meshes whose vertices follow bodies, or are interpolated between a few nodes that do.
//
//   flex/flex.c          the position stage: vertices, boxes, edges, metric
//   flex/vertex.c        positions of nodes and vertices
//   flex/box.c           boxes of the elements and of the bounding volume trees
//   flex/edge.c          lengths of the edges and their Jacobian
//   flex/metric.c        stretch around the vertices (flexvert) and its Jacobian
//   flex/force.c         passive forces: from vertices and edges to dofs
//   flex/stretch.c       elasticity of triangles and tetrahedra
//   flex/bend.c          bending of surfaces
//   flex/law.h           the laws of both: MuJoCo's, and hinges (flex/hinge.h)
//   flex/piece.h         elements and flaps: corners, and sums by vertex
//   flex/soft.c          elasticity by other laws (flex/material.h, flex/element.c), and their energy
//   flex/stiff.c         these and hinges in the implicit integrators
//   flex/node.c          elasticity of interpolated flexes
//   flex/implicit.c      the same in the implicit integrators
//   flex/derivative.c    derivatives of forces by velocities
//   flex/contact.c       contacts that are springs
//   flex/ray.c           rays
//
// Ids in flex_elem, flex_edge, flex_edgeflap, flex_vertedge and flex_elemedge count from the first
// vertex, edge or element of their flex; everything else is indexed over all flexes.

#ifndef SINEW_ENGINE_FLEX_FLEX_H_
#define SINEW_ENGINE_FLEX_FLEX_H_

#include "base/team.h"
#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// ---- the position stage, in this order

void sn_flexVertices(const snModel* m, snData* d);
void sn_flexBoxes(const snModel* m, snData* d);
void sn_flexEdges(const snModel* m, snData* d);
void sn_flexMetrics(const snModel* m, snData* d);

// ---- the velocity stage

void sn_flexEdgeVelocities(const snModel* m, snData* d);

// ---- shared by the stages

// Does the position stage write the rows of flexedge_J of this flex? Rows that no stage reads stay zero.
static inline int sn_flexHasEdgeRows(const snModel* m, int flex) {
  return m->flex_edgeequality[flex] == 1 || m->flex_edgestiffness[flex] != 0 ||
         m->flex_edgedamping[flex] != 0 || m->flex_damping[flex] != 0;
}

// Do vertices ride on bodies, of which at least two move relative to one another?
static inline int sn_flexHasEdges(const snModel* m, int flex) {
  return !m->flex_rigid[flex] && !m->flex_interp[flex];
}

// Positions of the nodes of an interpolated flex.
void sn_flexNodes(const snModel* m, const snData* d, int flex, snReal* position);

// row += f' J of a point of a body, on n ascending dofs, those not in the list left out.
void sn_flexAddRow(const snModel* m, const snData* d, const snReal f[3], const snReal point[3],
                   int body, int n, const int* column, snReal* row);

// Velocity of a vertex that rides on a body.
void sn_flexVertexVelocity(const snModel* m, const snData* d, int vertex, snReal velocity[3]);

// Motion of such a vertex by a dof that moves it, and the work of a force there on the dof.
void sn_flexVertexMotion(const snModel* m, const snData* d, int vertex, int dof, snReal motion[3]);
snReal sn_flexVertexWork(const snModel* m, const snData* d, int vertex, int dof,
                         const snReal force[3]);

// ---- stretch around a vertex (flex/metric.c)

struct snFlexMetric_ {
  int vertex;         // over all flexes
  int flex;           // that the piece belongs to
  snReal scale;       // of both invariants
  snReal metric[4];   // G
  snReal map[6];      // F, rows of 2
  snReal product[4];  // C
};
typedef struct snFlexMetric_ snFlexMetric;

void sn_metricAt(const snModel* m, const snData* d, int flex, int vertex, snFlexMetric* metric);

// The k-th edge at the vertex: both ends over all flexes, rest vector in the plane; returns its weight.
snReal sn_metricEdge(const snModel* m, const snFlexMetric* metric, int k, int end[2],
                     snReal rest[2]);

// F from the weighted sum of the products of edges now and at rest.
void sn_metricMap(const snFlexMetric* metric, const snReal sum[6], snReal map[6]);

// Gradients of the two invariants by the second end of an edge, and their changes with F.
void sn_metricGradients(const snFlexMetric* metric, const snReal rest[2], snReal weight,
                        snReal gradient[2][3]);
void sn_metricGradientRates(const snFlexMetric* metric, const snReal change[6],
                            const snReal rest[2], snReal weight, snReal rate[2][3]);

// ---- passive forces

// Do the elements of this flex, or its nodes, have any stiffness? MuJoCo asks the first number.
int sn_flexStretches(const snModel* m, int flex);

// Has this flex flaps that bend?
int sn_flexBends(const snModel* m, int flex);

// Do the elements of this flex follow a law of model/flex_laws.h in place of MuJoCo's?
static inline int sn_flexIsSoft(const snModel* m, int flex) {
  return m->flex_elasticmodel[flex] > 0 && !m->flex_interp[flex];
}

// Does it have such elements, or flaps that bend by such a law?
static inline int sn_flexHasElements(const snModel* m, int flex) {
  return sn_flexIsSoft(m, flex) && sn_flexStretches(m, flex);
}
static inline int sn_flexHasHinges(const snModel* m, int flex) {
  return m->flex_bendingmodel[flex] > 0 && sn_flexBends(m, flex);
}

// Does any flex have a law of stretch or bending that MuJoCo lacks?
int sn_flexHasLaws(const snModel* m);

// The bound on the forces of such laws: 1 / h^2; 0 (no bound) in implicit steps.
static inline snReal sn_flexLimit(const snModel* m) {
  snReal h = m->opt.timestep;
  int isImplicit = m->opt.integrator == snINT_IMPLICIT || m->opt.integrator == snINT_IMPLICITFAST;
  return isImplicit || h <= 0 ? 0 : 1 / (h * h);
}

// spring, damper += forces of the elements by their law, three numbers for each vertex of all flexes. Nullable:
// spring, damper.
void sn_flexSoft(const snModel* m, snData* d, int flex, snReal* spring, snReal* damper);

// Energy of all flexes in these laws: the share of this lane.
snReal sn_flexLawEnergy(const snModel* m, const snData* d);

// Solve the accelerations of an implicit step again, with the stiffness and damping of these laws; qacc is the
// result of the solve without them, qDeriv what it was made with.
void sn_flexStiff(const snModel* m, snData* d, snReal* qacc);

// force += elastic and damping forces of the elements, three numbers for each vertex of all flexes.
void sn_flexStretch(const snModel* m, snData* d, int flex, snReal* force);

// The same for bending; velocities of vertices are taken from the dofs of their bodies. Nullable: spring,
// damper.
void sn_flexBend(const snModel* m, snData* d, int flex, snReal* spring, snReal* damper);

// Contacts of flexes with the attribute passive have no rows: they are springs of this stiffness.
#define snCONTACT_STIFFNESS ((snReal)1e4)

// ---- derivatives

// full += d(force)/d(velocity) of stretch and bending, nv x nv by rows; for one lane. Interpolated flexes and
// edge dampers are not in it.
void sn_flexVelocityFull(const snModel* m, const snData* d, int hasDamper, snReal* full);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_FLEX_FLEX_H_
