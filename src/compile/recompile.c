// Compiling a changed spec into an existing model and data, keeping the state of what still exists.

#include <string.h>

#include "base/pool.h"
#include "model/memory.h"
#include "model/object_types.h"
#include "spec/element.h"

// the number that an element had in the old model
typedef struct OldId_ {
  snElem* elem;
  int id;
} OldId;

typedef struct OldIds_ {
  snPool pool;
  OldId* items;
  int size;
} OldIds;

static void note(OldIds* ids, snElem* elem, snSize count) {
  if (elem->built < 0 || elem->built >= count) return;
  ids->items[ids->size].elem = elem;
  ids->items[ids->size++].id = elem->built;
}

// a spec that only has to compile
static int checkSpec(snSpec* s, const snVFS* vfs) {
  snModel* model = sn_compile(s, vfs);
  sn_deleteModel(model);
  return model ? 0 : -1;
}

// remember joints, mocap bodies, actuators and deformables by element; compilation changes their ids
static int noteIds(OldIds* ids, const snSpec* s, const snModel* m) {
  size_t count = (size_t)(m->njnt + m->nbody + m->nu + m->ndeformable) + 1;
  ids->items = SN_TAKE(&ids->pool, OldId, count);
  if (!ids->items) return -1;
  for (snElem* body = sn_world(s); body; body = sn_nextBody(body)) {
    if (ids->size >= (int)count - 1) break;
    note(ids, body, m->nbody);
    SN_EACH(e, sn_bodyList(body, snOBJ_JOINT)) note(ids, e, m->njnt);
  }
  SN_EACH(e, sn_specList(s, snOBJ_ACTUATOR)) note(ids, e, m->nu);
  SN_EACH(e, sn_specList(s, snOBJ_DEFORMABLE)) note(ids, e, m->ndeformable);
  return 0;
}

static void copyReals(snReal* dest, const snReal* source, int n) {
  if (n > 0) memcpy(dest, source, (size_t)n * sizeof(snReal));
}

static void keepJoint(const snModel* from, const snData* source, const snModel* to, snData* dest,
                      int oldid, int newid) {
  int type = from->jnt_type[oldid], nq = sn_jointPositions(type), nv = sn_jointDofs(type);
  if (nq != sn_jointPositions(to->jnt_type[newid])) return;  // a hinge may become a slide
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

static void keepState(const OldIds* ids, const snModel* from, const snData* source,
                      const snModel* to, snData* dest) {
  dest->time = source->time;
  for (int i = 0; i < ids->size; i++) {
    const snElem* elem = ids->items[i].elem;
    int oldid = ids->items[i].id, newid = elem->id;
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
  if (!s || (!m && d)) return -1;
  if (!m) return checkSpec(s, vfs);
  OldIds ids;
  memset(&ids, 0, sizeof(ids));
  snModel* model = NULL;
  snData* data = NULL;
  if (!noteIds(&ids, s, m)) model = sn_compile(s, vfs);
  if (model && d) data = sn_makeData(model);
  int failed = !model || (d && !data);
  if (failed) {
    sn_deleteModel(model);
  } else {
    if (d) {
      keepState(&ids, m, d, model, data);
      sn_takeData(d, data);
    }
    sn_takeModel(m, model);
  }
  sn_poolRelease(&ids.pool);
  return failed ? -1 : 0;
}
