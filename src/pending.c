// Public functions that are declared and not yet written: each vanishes when its owner defines it.

#include "engine/collision.h"
#include "sinew/sinew.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

#define WEAK __attribute__((weak))

WEAK void sn_resetCallbacks(void) {  }
WEAK void sn_flex(const snModel* m, snData* d) {  }
WEAK const char* sn_getPluginConfig(const snModel* m, int plugin_id, const char* attrib) { return 0; }
WEAK snReal sn_rayFlex(const snModel* m, const snData* d, int flex_layer, snByte flg_vert, snByte flg_edge, snByte flg_face, snByte flg_skin, int flexid, const snReal pnt[3], const snReal vec[3], int vertid[1], snReal normal[3]) { return 0; }


// colliders (engine/collision.h)

#include "engine/sleep.h"

#include "engine/actuation.h"
#include "engine/derivative.h"
#include "engine/tendon.h"
WEAK void sn_flexPassive(const snModel* m, snData* d, int hasSpring, int hasDamper) {  }
WEAK void sn_flexPassiveContacts(const snModel* m, snData* d) {  }
