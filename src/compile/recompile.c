// Compiling a changed spec into an existing model and data, keeping the state of what still exists.

#include <string.h>

#include "base/pool.h"
#include "model/memory.h"
#include "model/object_types.h"
#include "spec/element.h"

// where the state of an element was in the old model
typedef struct Place_ {
  snElem* elem;
  int id;
} Place;

typedef struct Places_ {
  snPool pool;
  Place* items;
  int size;
} Places;

static void note(Places* places, snElem* elem, snSize count) {
  if (elem->id < 0 || elem->id >= count) return;
  places->items[places->size].elem = elem;
  places->items[places->size++].id = elem->id;
}

// remember joints, mocap bodies, actuators and deformables by element; compilation changes their ids
static int notePlaces(Places* places, const snSpec* s, const snModel* m) {
  size_t count = (size_t)(m->njnt + m->nbody + m->nu + m->ndeformable) + 1;
  places->items = SN_TAKE(&places->pool, Place, count);
  if (!places->items) return -1;
  for (snElem* body = sn_world(s); body; body = sn_nextBody(body)) {
    if (places->size >= (int)count - 1) break;
    note(places, body, m->nbody);
    SN_EACH(e, sn_bodyList(body, snOBJ_JOINT)) note(places, e, m->njnt);
  }
  SN_EACH(e, sn_specList(s, snOBJ_ACTUATOR)) note(places, e, m->nu);
  SN_EACH(e, sn_specList(s, snOBJ_DEFORMABLE)) note(places, e, m->ndeformable);
  return 0;
}

static void copyReals(snReal* dest, const snReal* source, int n) {
  if (n > 0) memcpy(dest, source, (size_t)n * sizeof(snReal));
}

static void keepJoint(const snModel* from, const snData* source, const snModel* to, snData* dest,
                      int oldid, int newid) {
  int type = from->jnt_type[oldid];
  if (type != to->jnt_type[newid]) return;
  int nq = sn_jointPositions(type), nv = sn_jointDofs(type);
  copyReals(dest->qpos + to->jnt_qposadr[newid], source->qpos + from->jnt_qposadr[oldid], nq);
  copyReals(dest->qvel + to->jnt_dofadr[newid], source->qvel + from->jnt_dofadr[oldid], nv);
}

static void keepActuator(const snModel* from, const snData* source, const snModel* to, snData* dest,
                         int oldid, int newid) {
  dest->ctrl[newid] = source->ctrl[oldid];
  int n = from->actuator_actnum[oldid];
  if (n != to->actuator_actnum[newid] || !n) return;
  copyReals(dest->act + to->actuator_actadr[newid], source->act + from->actuator_actadr[oldid], n);
}

static void keepMocap(const snModel* from, const snData* source, const snModel* to, snData* dest,
                      int oldid, int newid) {
  int oldmocap = from->body_mocapid[oldid], newmocap = to->body_mocapid[newid];
  if (oldmocap < 0 || newmocap < 0) return;
  copyReals(dest->mocap_pos + 3 * newmocap, source->mocap_pos + 3 * oldmocap, 3);
  copyReals(dest->mocap_quat + 4 * newmocap, source->mocap_quat + 4 * oldmocap, 4);
}

static void keepDeformable(const snModel* from, const snData* source, const snModel* to,
                           snData* dest, int oldid, int newid) {
  int n = 3 * from->deformable_vertnum[oldid];
  if (n != 3 * to->deformable_vertnum[newid]) return;
  int oldadr = 3 * from->deformable_vertadr[oldid], newadr = 3 * to->deformable_vertadr[newid];
  copyReals(dest->deformvert_xpos + newadr, source->deformvert_xpos + oldadr, n);
  copyReals(dest->deformvert_xvel + newadr, source->deformvert_xvel + oldadr, n);
  copyReals(dest->deformvert_xfrc + newadr, source->deformvert_xfrc + oldadr, n);
  dest->deformable_asleep[newid] = source->deformable_asleep[oldid];
}

static void keepState(const Places* places, const snModel* from, const snData* source,
                      const snModel* to, snData* dest) {
  dest->time = source->time;
  for (int i = 0; i < places->size; i++) {
    const snElem* elem = places->items[i].elem;
    int oldid = places->items[i].id, newid = elem->id;
    if (newid < 0) continue;
    switch (elem->head.elemtype) {
      case snOBJ_JOINT: keepJoint(from, source, to, dest, oldid, newid); break;
      case snOBJ_ACTUATOR: keepActuator(from, source, to, dest, oldid, newid); break;
      case snOBJ_DEFORMABLE: keepDeformable(from, source, to, dest, oldid, newid); break;
      default: keepMocap(from, source, to, dest, oldid, newid); break;
    }
  }
}

int sn_recompile(snSpec* s, const snVFS* vfs, snModel* m, snData* d) {
  if (!s || !m) return -1;
  Places places;
  memset(&places, 0, sizeof(places));
  snModel* model = NULL;
  snData* data = NULL;
  if (!notePlaces(&places, s, m)) model = sn_compile(s, vfs);
  if (model && d) data = sn_makeData(model);
  int failed = !model || (d && !data);
  if (failed) {
    sn_deleteModel(model);
  } else {
    if (d) {
      keepState(&places, m, d, model, data);
      sn_takeData(d, data);
    }
    sn_takeModel(m, model);
  }
  sn_poolRelease(&places.pool);
  return failed ? -1 : 0;
}
