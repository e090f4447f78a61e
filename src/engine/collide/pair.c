// The narrow phase alone, for programs that call the collision function of a pair of geoms themselves.

#include "engine/collide/collision.h"
#include "math/math.h"
#include "sinew/collision.h"

int sn_collidePair(const snModel* m, snData* d, snContact* con, int g1, int g2, snReal margin) {
  snContactPoint points[snMAXCONPAIR];
  int type1 = m->geom_type[g1], type2 = m->geom_type[g2];
  if (type1 > type2 || !sn_hasCollider(type1, type2)) return 0;
  int n = sn_collideGeoms(m, d, points, g1, g2, margin);
  if (type1 == snGEOM_BOX && type2 == snGEOM_BOX) {
    n = sn_filterBoxes(m, d, points, n, g1, g2, margin);
  }
  for (int i = 0; i < n; i++) {
    con[i].dist = points[i].dist;
    snu_copy3(con[i].pos, points[i].pos);
    snu_copy3(con[i].frame, points[i].normal);
    snu_copy3(con[i].frame + 3, points[i].tangent);
    snu_zero3(con[i].frame + 6);
  }
  return n;
}

int sn_hasCollision(int type1, int type2) { return sn_hasCollider(type1, type2); }
