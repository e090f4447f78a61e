// Writing keyframes.

#include "mjcf/writer.h"

static void writeKey(snWriter* w, const snElem* e) {
  const snsKey* key = &((const snKeyObject*)sn_resolved(e))->key;
  const struct {
    const char* name;
    const snDoubleVec* values;
  } vectors[] = {{"qpos", key->qpos}, {"qvel", key->qvel},   {"act", key->act},
                 {"mpos", key->mpos}, {"mquat", key->mquat}, {"ctrl", key->ctrl}};
  int empty = sn_stringEmpty(&e->name) && key->time == 0;
  for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
    empty &= !vectors[i].values->size;
  }
  if (empty && !w->source) return;
  sn_writeOpen(w, "key");
  sn_writeName(w, "name", &e->name);
  if (key->time != 0) sn_writeDoubles(w, "time", &key->time, 1);
  for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
    const snDoubleVec* values = vectors[i].values;
    if (values->size) sn_writeDoubles(w, vectors[i].name, values->data, values->size);
  }
  sn_writeClose(w, "key");
}

void sn_writeKeys(snWriter* w) {
  sn_writeOpen(w, "keyframe");
  SN_EACH(e, sn_specList(w->spec, snOBJ_KEY)) writeKey(w, e);
  sn_writeClose(w, "keyframe");
}
