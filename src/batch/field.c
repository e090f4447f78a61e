// Fields of a batch by name: views over the data of all worlds, and model fields made per world.

#include <stddef.h>
#include <string.h>

#include "base/assert.h"
#include "base/letter.h"
#include "batch/batch.h"
#include "model/field.h"

static int setView(snBatchView* view, void* data, snSize stride, snSize rows, snSize columns,
                   char letter) {
  view->data = data;
  view->stride = stride;
  view->rows = rows;
  view->columns = columns;
  view->type = letter;
  view->on_gpu = 0;
  return 1;
}

int sn_batchField(const snBatch* b, const char* name, snBatchView* view) {
  if (b->gpu) return sn_gpuBatchField(b->gpu, name, view);
  const snModel* m = b->model;
  const snData* d = b->worlds[0].data;
  const snField* f = sn_findField(sn_dataFields, snDATA_FIELDS, name);
  if (f) {
    return setView(view, sn_fieldArray(f, d), b->stride, sn_fieldRows(f, m), sn_fieldColumns(f, m),
                   f->letter);
  }
#define SCALAR(field, count, letter) \
  if (!strcmp(name, #field)) return setView(view, (void*)&d->field, b->stride, count, 1, letter);
  SCALAR(time, 1, SN_LETTER_real)
  SCALAR(energy, 2, SN_LETTER_real)
  SCALAR(ncon, 1, 'i')
  SCALAR(nefc, 1, 'i')
  SCALAR(status, 1, 'i')
  SCALAR(solver_niter, snNISLAND, 'i')
#undef SCALAR
  return 0;
}

// ---- model fields per world ----

static OwnField* findOwn(snBatch* b, const char* name) {
  for (int i = 0; i < b->own_count; i++) {
    if (!strcmp(b->own[i].name, name)) return b->own + i;
  }
  return NULL;
}

// copies of `source` for every world; NULL when memory or places run out
static OwnField* makeOwn(snBatch* b, const char* name, const void* source, snSize bytes) {
  SN_ASSERT(b->own_count >= 0 && bytes >= 0);
  OwnField* own = findOwn(b, name);
  if (own) return own;
  int places = sizeof(b->own) / sizeof(b->own[0]);
  if (b->own_count == places) return NULL;
  own = b->own + b->own_count;
  own->data = (char*)snu_malloc((size_t)(bytes * b->nworld) + 1);
  if (!own->data) return NULL;
  own->name = name;
  own->bytes = bytes;
  for (int i = 0; i < b->nworld; i++) memcpy(own->data + i * bytes, source, (size_t)bytes);
  b->own_count++;
  return own;
}

// gives every world a copy of a field of the model
static OwnField* ownField(snBatch* b, const snField* f) {
  OwnField* own = makeOwn(b, f->name, sn_fieldArray(f, b->model), sn_fieldBytes(f, b->model));
  if (!own) return NULL;
  for (int i = 0; i < b->nworld; i++) {
    sn_setFieldArray(f, &b->worlds[i].model, own->data + i * own->bytes);
  }
  return own;
}

// the constants that sn_setConst writes differ between worlds as soon as anything does
static int makeConstantsOwn(snBatch* b) {
  for (int i = 0; i < snMODEL_FIELDS; i++) {
    const snField* f = sn_modelFields + i;
    if (!strcmp(f->stage, "CONST") && !findOwn(b, f->name) && !ownField(b, f)) return 0;
  }
  return 1;
}

int sn_batchModelField(snBatch* b, const char* name, snBatchView* view) {
  if (b->gpu) return sn_gpuBatchModelField(b->gpu, name, view);
  const snModel* m = b->model;
  if (!makeConstantsOwn(b)) return 0;
  const snField* f = sn_findField(sn_modelFields, snMODEL_FIELDS, name);
  if (f) {
    OwnField* own = ownField(b, f);
    return own && setView(view, own->data, own->bytes, sn_fieldRows(f, m), sn_fieldColumns(f, m),
                          f->letter);
  }

  // options are per world as they are: they lie in the header that every world has
#define OPTION(field, count, letter)                                                             \
  if (!strcmp(name, "opt." #field)) {                                                            \
    return setView(view, (void*)&b->worlds[0].model.opt.field, sizeof(World), count, 1, letter); \
  }
#define R(field) OPTION(field, 1, SN_LETTER_real)
#define V(field, count) OPTION(field, count, SN_LETTER_real)
#define I(field, rule) OPTION(field, 1, SN_LETTER_int)
  SN_OPTION_FIELDS(R, V, I)
#undef R
#undef V
#undef I
#undef OPTION
  if (!strcmp(name, "stat.meaninertia")) {
    snReal* value = &b->worlds[0].model.stat.meaninertia;
    return setView(view, value, sizeof(World), 1, 1, SN_LETTER_real);
  }
  return 0;
}

// One world after the other, because sn_setConst also rewrites arrays that all worlds share (with the same values).
int sn_batchSetConst(snBatch* b) {
  if (b->gpu) return sn_deviceSetConst(b);
  if (!makeConstantsOwn(b)) return -1;
  for (int i = 0; i < b->nworld; i++) {
    World* world = b->worlds + i;
    snReal* state = b->saved + (size_t)i * (size_t)b->state_size;
    sn_getState(&world->model, world->data, state, snBATCH_STATE);
    sn_setConst(&world->model, world->data);
    sn_setState(&world->model, world->data, state, snBATCH_STATE);
  }
  return 0;
}

// ---- copies ----

static size_t worldBytes(const snBatchView* view) {
  return sn_letterBytes(view->type) * (size_t)(view->rows * view->columns);
}

int sn_batchRead(const snBatch* b, const snBatchView* view, void* values) {
  if (view->on_gpu) return sn_gpuBatchRead(b->gpu, view, values);
  size_t bytes = worldBytes(view);
  for (int i = 0; bytes && i < b->nworld; i++) {
    memcpy((char*)values + (size_t)i * bytes, (const char*)view->data + i * view->stride, bytes);
  }
  return 0;
}

int sn_batchWrite(snBatch* b, const snBatchView* view, const void* values) {
  if (view->on_gpu) return sn_gpuBatchWrite(b->gpu, view, values);
  size_t bytes = worldBytes(view);
  for (int i = 0; bytes && i < b->nworld; i++) {
    memcpy((char*)view->data + i * view->stride, (const char*)values + (size_t)i * bytes, bytes);
  }
  return 0;
}

int sn_batchContacts(const snBatch* b, int room, int* geoms, snReal* distances) {
  if (b->gpu) return sn_gpuBatchContacts(b->gpu, room, geoms, distances);
  for (int i = 0; i < b->nworld; i++) {
    const snData* d = b->worlds[i].data;
    for (int k = 0; k < room; k++) {
      const snContact* contact = k < d->ncon ? d->contact + k : NULL;
      *geoms++ = contact ? contact->geom[0] : -1;
      *geoms++ = contact ? contact->geom[1] : -1;
      *distances++ = contact ? contact->dist : 0;
    }
  }
  return 0;
}
