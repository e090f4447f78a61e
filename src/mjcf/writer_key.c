// Writing keyframes. Those whose values stayed with their elements are put together here.

#include <string.h>

#include "asset/algebra.h"
#include "mjcf/writer.h"

static void orientation(const snElem* e, const double quat[4], const snsOrientation* alt,
                        double result[4]) {
  const snsCompiler* compiler = sn_elemCompiler(e);
  memcpy(result, quat, 4 * sizeof(double));
  sns_resolveOrientation(result, compiler->degree, compiler->eulerseq, alt);
  sn_normalizeVec(result, 4);
}

// pose of a body in its parent, with the frames around it
static void bodyPose(const snElem* e, double pos[3], double quat[4]) {
  const snsBody* body = (const snsBody*)e->object;
  memcpy(pos, body->pos, 3 * sizeof(double));
  orientation(e, body->quat, &body->alt, quat);
  for (const snElem* f = e->frame; f; f = f->frame) {
    const snsFrame* frame = (const snsFrame*)f->object;
    double p[3], q[4];
    memcpy(p, frame->pos, sizeof(p));
    orientation(f, frame->quat, &frame->alt, q);
    sn_frameAccum(p, q, pos, quat);
    memcpy(pos, p, sizeof(p));
    memcpy(quat, q, sizeof(q));
  }
}

// value of an element that the keyframe says nothing about
static void reference(const snElem* e, int vector, double* value, int size) {
  double pose[7];
  memset(value, 0, (size_t)size * sizeof(double));
  if (e->head.elemtype == snOBJ_BODY) {
    bodyPose(e, pose, pose + 3);
    memcpy(value, vector == snKEY_MPOS ? pose : pose + 3, (size_t)size * sizeof(double));
  } else if (vector == snKEY_QPOS) {
    const snsJoint* joint = (const snsJoint*)e->object;
    if (joint->type == snJNT_FREE) {
      bodyPose(e->parent, value, value + 3);
    } else if (joint->type == snJNT_BALL) {
      value[0] = 1;
    } else {
      int degree = joint->type == snJNT_HINGE && sn_elemCompiler(e)->degree;
      value[0] = degree ? joint->ref * (snPI / 180) : joint->ref;
    }
  }
}

static int putValue(const snElem* key, const snElem* e, int vector, snDoubleVec* values) {
  int size = sn_keySize(e, vector);
  if (!size) return 1;
  if (!sn_boxReserve((snBox*)values, snBOX_DOUBLE, size)) return 0;
  double* value = values->data + values->size;
  values->size += size;
  for (const snKeyPart* part = ((const snKeyObject*)key->object)->parts; part; part = part->next) {
    if (part->owner == e && part->vector == vector && part->size == size) {
      memcpy(value, part->value, (size_t)size * sizeof(double));
      return 1;
    }
  }
  reference(e, vector, value, size);
  return 1;
}

// the whole vector, in the order of the model
static int gather(const snSpec* spec, const snElem* key, int vector, snDoubleVec* values) {
  int ok = 1;
  if (vector == snKEY_ACT || vector == snKEY_CTRL) {
    SN_EACH(e, sn_specList(spec, snOBJ_ACTUATOR)) ok &= putValue(key, e, vector, values);
    return ok;
  }
  for (snElem* body = sn_world(spec); body; body = sn_nextBody(body)) {
    ok &= putValue(key, body, vector, values);
    SN_EACH(e, sn_bodyList(body, snOBJ_JOINT)) ok &= putValue(key, e, vector, values);
  }
  return ok;
}

static void writeStored(snWriter* w, const snElem* key) {
  static const char* const names[snKEY_NVECTOR] = {"qpos", "qvel", "act", "mpos", "mquat", "ctrl"};
  const snKeyObject* object = (const snKeyObject*)key->object;
  if (object->key.time) sn_writeDoubles(w, "time", &object->key.time, 1);
  for (int v = 0; v < snKEY_NVECTOR; v++) {
    snDoubleVec values = {0};
    if (!object->present[v]) continue;
    if (!gather(w->spec, key, v, &values)) w->failed = 1;
    if (values.size) sn_writeDoubles(w, names[v], values.data, values.size);
    sn_boxFree((snBox*)&values, snBOX_DOUBLE);
  }
}

void sn_writeKeys(snWriter* w) {
  snElem* plain = sn_elemNew(w->spec, snOBJ_KEY);
  if (!plain) {
    w->failed = 1;
    return;
  }
  sn_writeOpen(w, "keyframe");
  SN_EACH(e, sn_specList(w->spec, snOBJ_KEY)) {
    sn_writeOpen(w, "key");
    sn_writeIdentity(w, e, 0);
    if (((const snKeyObject*)e->object)->stored) {
      writeStored(w, e);
    } else {
      sn_writeGroup(w, sn_attrKey, e->object, plain->object);
    }
    sn_writeClose(w, "key");
  }
  sn_writeClose(w, "keyframe");
  sn_elemFree(plain);
}
