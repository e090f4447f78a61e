// Sums over a tree by a team that has a lane for each of its nodes: everything stays in registers.

#ifndef SINEW_ENGINE_LANES_LANES_H_
#define SINEW_ENGINE_LANES_LANES_H_

#include "base/team.h"
#include "sinew/sinew.h"

// what another lane has; zeros when it is below 0
SN_KERNEL void sn_lanesOther6(snReal res[6], const snReal value[6], int lane) {
  int other = lane < 0 ? 0 : lane;
  SN_UNROLL
  for (int c = 0; c < 6; c++) {
    snReal x = sn_warpFrom(value[c], other);
    res[c] = lane < 0 ? 0 : x;
  }
}

// value += the values of all nodes above, where a node knows its parent (below 0: none): takes those
// of twice as many each time
SN_KERNEL void sn_lanesSumAbove6(snReal value[6], int parent) {
  SN_PLAIN_LOOP
  while (sn_warpAny(parent >= 0)) {
    snReal more[6];
    int next = sn_warpFromInt(parent, parent < 0 ? 0 : parent);
    sn_lanesOther6(more, value, parent);
    SN_UNROLL
    for (int c = 0; c < 6; c++) value[c] += more[c];
    if (parent >= 0) parent = next;
  }
}

// values of parents += those of their children, which come after them; the last of the nodes first
SN_KERNEL void sn_lanesSumBelow(snReal* value, int n, int nodes, int parent) {
  int lane = SN_LANE;
  SN_PLAIN_LOOP
  for (int k = nodes - 1; k > 0; k--) {
    int mine = sn_warpFromInt(parent, k) == lane;
    SN_UNROLL
    for (int c = 0; c < n; c++) {
      snReal x = sn_warpFrom(value[c], k);
      if (mine) value[c] += x;
    }
  }
}

#endif  // SINEW_ENGINE_LANES_LANES_H_
