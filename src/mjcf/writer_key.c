// Writing keyframes.

#include <string.h>

#include "mjcf/writer.h"

static void writeKey(snWriter* w, const snElem* e) {
  const snsKey* key = &((const snKeyObject*)sn_resolved(e))->key;
  const struct {
    const char* name;
    const snDoubleVec* values;
  } vectors[] = {{"qpos", key->qpos},
                 {"qvel", key->qvel},
                 {"act", key->act},
                 {"mpos", key->mpos},
                 {"mquat", key->mquat},
                 {"ctrl", key->ctrl},
                 {"sinew:deformpos", key->deformpos},
                 {"sinew:deformvel", key->deformvel}};
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

// in the order of the model; the lossless form has those that are there for their number only
void sn_writeKeys(snWriter* w) {
  int count = w->sizes->nkey, last = -1;
  const snElem** keys = (const snElem**)snu_malloc(((size_t)count + 1) * sizeof(const snElem*));
  if (!keys) {
    w->failed = 1;
    return;
  }
  memset(keys, 0, ((size_t)count + 1) * sizeof(const snElem*));
  SN_EACH(e, sn_specList(w->spec, snOBJ_KEY)) {
    if (e->id < 0 || e->id >= count) continue;
    keys[e->id] = e;
    if (e->id > last) last = e->id;
  }
  sn_writeOpen(w, "keyframe");
  for (int i = 0; i <= last; i++) {
    if (keys[i]) {
      writeKey(w, keys[i]);
    } else if (w->source) {
      sn_writeOpen(w, "key");
      sn_writeClose(w, "key");
    }
  }
  sn_writeClose(w, "keyframe");
  snu_free(keys);
}
