// Nodes of interpolated flexes in the frame that turns with the flex (flex/node.c).

#ifndef SINEW_ENGINE_FLEX_NODE_H_
#define SINEW_ENGINE_FLEX_NODE_H_

#include "base/team.h"
#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// Three numbers for each node.
struct snNodes_ {
  snReal* point;         // position in the turned frame, shifted to the middle of the box
  snReal* displacement;  // from the position at rest
  snReal* velocity;      // in the turned frame
};
typedef struct snNodes_ snNodes;

// Rotation of the flex, from the positions of its nodes.
void sn_flexFrame(const snModel* m, int flex, const snReal* node, snReal rotation[9]);

// The point R' p + (1/2, 1/2, 1/2) at which MuJoCo applies forces of nodes.
void sn_flexTurnedNode(const snReal rotation[9], const snReal node[3], snReal turned[3]);

// Springs and dampers between the nodes, into qfrc_spring and qfrc_damper.
void sn_flexNodeForces(const snModel* m, snData* d, int flex, int hasSpring, int hasDamper);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_FLEX_NODE_H_
