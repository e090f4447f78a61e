// Bodies that carry the sides of a contact, and the inverse weight that they give it.

#include "engine/constrain/contact_side.h"

#include "base/assert.h"
#include "engine/constrain/constraint.h"
#include "engine/flex/interpolate.h"
#include "math/math.h"

int sn_contactVertices(const snModel* m, const snData* d, const snContact* con, int side,
                       int vertex[4], snReal weight[4]) {
  SN_ASSERT(side == 0 || side == 1);
  SN_ASSERT_INDEX(con->flex[side], m->nflex);
  int flex = con->flex[side];
  if (con->vert[side] >= 0) {
    vertex[0] = con->vert[side];
    weight[0] = 1;
    return 1;
  }
  int count = m->flex_dim[flex] + 1, n = 0;
  const int* element = m->flex_elem + m->flex_elemdataadr[flex] + con->elem[side] * count;
  snReal sum = 0;
  for (int k = 0; k < count && k < 4; k++) {
    if (element[k] == con->vert[1 - side]) continue;
    const snReal* pos = d->flexvert_xpos + 3 * (m->flex_vertadr[flex] + element[k]);
    vertex[n] = element[k];
    weight[n] = 1 / snu_max((snReal)snMINVAL, snu_dist3(con->pos, pos));
    sum += weight[n++];
  }
  for (int k = 0; k < n; k++) weight[k] /= snu_max((snReal)snMINVAL, sum);
  return n;
}

// nodes of an interpolated flex, weighted by their basis functions at the rest coordinate
static void interpolatedSide(const snModel* m, int flex, int n, const int vertex[4],
                             const snReal weight[4], snContactSide* side) {
  SN_ASSERT_INDEX(flex, m->nflex);
  snReal rest[3] = {0, 0, 0};
  snReal shape[3][snMAXSHAPE];
  int order = m->flex_interp[flex], base = order + 1;
  for (int k = 0; k < n; k++) {
    snu_addToScl3(rest, m->flex_vert0 + 3 * (m->flex_vertadr[flex] + vertex[k]), weight[k]);
  }
  for (int k = 0; k < 3; k++) sn_shape(order, rest[k], shape[k]);
  const int* body = m->flex_nodebodyid + m->flex_nodeadr[flex];
  int count = m->flex_nodenum[flex] < snMAXFLEXNODES ? m->flex_nodenum[flex] : snMAXFLEXNODES;
  side->n = 0;
  // the third direction is the first to change from node to node
  for (int i = 0, x = 0, y = 0, z = 0; i < count; i++) {
    snReal value = shape[2][z] * shape[1][y] * shape[0][x];
    if (++z == base) {
      z = 0;
      if (++y == base) y = 0, x++;
    }
    if (value < (snReal)1e-5) continue;
    side->body[side->n] = body[i];
    side->weight[side->n++] = value;
  }
}

void sn_contactSide(const snModel* m, const snData* d, const snContact* con, int s,
                    snContactSide* side) {
  SN_ASSERT(s == 0 || s == 1);
  if (con->geom[s] >= 0) {
    side->n = 1;
    side->body[0] = m->geom_bodyid[con->geom[s]];
    side->weight[0] = 1;
    return;
  }
  int flex = con->flex[s], vertex[4] = {0, 0, 0, 0};
  snReal weight[4] = {0, 0, 0, 0};
  int n = sn_contactVertices(m, d, con, s, vertex, weight);
  if (m->flex_interp[flex]) {
    interpolatedSide(m, flex, n, vertex, weight, side);
    return;
  }
  side->n = n;
  for (int k = 0; k < n; k++) {
    side->body[k] = m->flex_vertbodyid[m->flex_vertadr[flex] + vertex[k]];
    side->weight[k] = weight[k];
  }
}

void sn_contactInvWeight(const snModel* m, const snData* d, const snContact* con,
                         snReal* translation, snReal* rotation) {
  *translation = *rotation = 0;
  if (con->geom[0] >= 0 && con->geom[1] >= 0) {
    for (int s = 0; s < 2; s++) {
      const snReal* invweight = m->body_invweight0 + 2 * m->geom_bodyid[con->geom[s]];
      *translation += invweight[0];
      *rotation += invweight[1];
    }
    return;
  }
  snContactSide side;
  for (int s = 0; s < 2; s++) {
    sn_contactSide(m, d, con, s, &side);
    for (int k = 0; k < side.n; k++) {
      *translation += side.weight[k] * m->body_invweight0[2 * side.body[k]];
      *rotation += side.weight[k] * m->body_invweight0[2 * side.body[k] + 1];
    }
  }
}
