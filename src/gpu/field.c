// Fields of a batch on a GPU: views of device memory, and model fields made per world.

#include <string.h>

#include "base/assert.h"
#include "base/letter.h"
#include "gpu/batch.h"
#include "model/field.h"

static void setView(snBatchView* view, CUdeviceptr address, int64_t stride, const snPlace* place) {
  view->data = (void*)(uintptr_t)address;
  view->stride = stride;
  view->rows = place->rows;
  view->columns = place->columns;
  view->type = place->type;
  view->on_gpu = 1;
}

static int findPlace(snGpuBatch* b, const char* name, snPlace* place) {
  int most = sizeof(b->places) / sizeof(b->places[0]);
  for (int i = 0; i < b->place_count; i++) {
    if (strcmp(b->places[i].name, name)) continue;
    *place = b->places[i].place;
    return 1;
  }
  snPieces pieces;
  sn_takeApart(b->model, &pieces);
  if (!b->packer->dataPlace(&pieces, name, place)) return 0;
  if (b->place_count == most || strlen(name) >= sizeof(b->places[0].name)) return 1;
  snGpuPlace* kept = b->places + b->place_count++;
  strcpy(kept->name, name);
  kept->place = *place;
  return 1;
}

int sn_gpuBatchField(snGpuBatch* b, const char* name, snBatchView* view) {
  snPlace place;
  if (!b->worlds.blocks || !findPlace(b, name, &place)) return 0;
  setView(view, b->worlds.blocks + (uint64_t)place.values, b->worlds.stride, &place);
  b->views_out = 1;
  return 1;
}

// ---- copies ----

// Rows of width bytes for every world; either end may be packed. The driver may return before they have arrived, and a
// stream of the caller would not wait for them.
static int copyRows(const snGpuBatch* b, snRowCopyEnd from, snRowCopyEnd to, size_t width) {
  if (!width) return 0;
  snRowCopy copy = {from, to, width, (size_t)b->worlds.nworld};
  int code = b->driver->copyRows(&copy);
  if (!code) code = b->driver->synchronize();
  return sn_gpuFailed(b, code, "copying a field") ? -1 : 0;
}

static snRowCopyEnd hostRows(const void* values, size_t pitch) {
  snRowCopyEnd end = {0, 0, CU_HOST, (void*)(uintptr_t)values, 0, NULL, pitch};
  return end;
}

static snRowCopyEnd deviceRows(CUdeviceptr address, int64_t pitch) {
  snRowCopyEnd end = {0, 0, CU_DEVICE, NULL, address, NULL, (size_t)pitch};
  return end;
}

static size_t worldBytes(const snBatchView* view) {
  return (size_t)(view->rows * view->columns) * sn_letterBytes(view->type);
}

int sn_gpuBatchRead(const snGpuBatch* b, const snBatchView* view, void* values) {
  sn_gpuEnter(b);
  size_t width = worldBytes(view);
  return copyRows(b, deviceRows((uintptr_t)view->data, view->stride), hostRows(values, width),
                  width);
}

int sn_gpuBatchWrite(const snGpuBatch* b, const snBatchView* view, const void* values) {
  sn_gpuEnter(b);
  size_t width = worldBytes(view);
  return copyRows(b, hostRows(values, width), deviceRows((uintptr_t)view->data, view->stride),
                  width);
}

int sn_gpuBatchReadAt(const snGpuBatch* b, const snBatchView* view, uint64_t address,
                      int64_t pitch) {
  sn_gpuEnter(b);
  return copyRows(b, deviceRows((uintptr_t)view->data, view->stride), deviceRows(address, pitch),
                  worldBytes(view));
}

int sn_gpuBatchWriteAt(const snGpuBatch* b, const snBatchView* view, uint64_t address,
                       int64_t pitch) {
  sn_gpuEnter(b);
  return copyRows(b, deviceRows(address, pitch), deviceRows((uintptr_t)view->data, view->stride),
                  worldBytes(view));
}

uint64_t sn_gpuReserve(snGpuBatch* b, size_t bytes) {
  sn_gpuEnter(b);
  snSize held = b->bytes;
  CUdeviceptr memory = sn_gpuAllocate(b, bytes);
  b->bytes = held;
  return memory;
}

void sn_gpuRelease(uint64_t memory) {
  const snDriver* driver = sn_driver(NULL, 0);
  if (driver && memory) driver->release(memory);
}

// ---- model fields per world ----

// the same bytes for every world, from the host
static int repeat(const snGpuBatch* b, CUdeviceptr target, int64_t pitch, const void* bytes,
                  size_t width) {
  size_t nworld = (size_t)b->worlds.nworld;
  char* copies = (char*)snu_malloc(width * nworld + 1);
  if (!copies) return 0;
  for (size_t i = 0; i < nworld; i++) memcpy(copies + i * width, bytes, width);
  int code = copyRows(b, hostRows(copies, width), deviceRows(target, pitch), width);
  snu_free(copies);
  return !code;
}

// a header of its own for every world, all of which point to the shared arrays
static int makeHeaders(snGpuBatch* b, const snPieces* pieces) {
  if (b->headers) return 1;
  size_t bytes = (size_t)b->packer->model_header_bytes;
  CUdeviceptr headers = sn_gpuAllocate(b, bytes * (size_t)b->worlds.nworld);
  snImage image = b->packer->packModel(pieces, b->model_image);
  int made = headers && image.bytes && repeat(b, headers, (int64_t)bytes, image.bytes, bytes);
  snu_free(image.bytes);
  if (!made) {
    sn_gpuFree(b, headers, bytes * (size_t)b->worlds.nworld);
    return 0;
  }
  b->headers = b->worlds.model = headers;
  b->worlds.model_stride = (int64_t)bytes;
  return 1;
}

static CUdeviceptr findOwn(const snGpuBatch* b, const char* name) {
  for (int i = 0; i < b->own_count; i++) {
    if (!strcmp(b->own[i].name, name)) return b->own[i].values;
  }
  return 0;
}

int sn_gpuBatchOwns(const snGpuBatch* b, const char* name) { return findOwn(b, name) != 0; }

// the field's name in the table, which outlives the caller's
static const char* tableName(const char* name) {
  const snField* f = sn_findField(sn_modelFields, snMODEL_FIELDS, name);
  return f ? f->name : name;
}

// point the headers of all worlds at their own values
static int redirect(const snGpuBatch* b, const snPlace* place, CUdeviceptr values, size_t bytes) {
  SN_ASSERT(b->headers && place->pointer >= 0);
  size_t nworld = (size_t)b->worlds.nworld;
  uint64_t* pointers = (uint64_t*)snu_malloc(nworld * sizeof(uint64_t));
  if (!pointers) return 0;
  for (size_t i = 0; i < nworld; i++) pointers[i] = values + i * bytes;
  int code = copyRows(b, hostRows(pointers, sizeof(uint64_t)),
                      deviceRows(b->headers + (uint64_t)place->pointer, b->worlds.model_stride),
                      sizeof(uint64_t));
  snu_free(pointers);
  return !code;
}

static CUdeviceptr makeOwn(snGpuBatch* b, const snPieces* pieces, const char* name,
                           const snPlace* place) {
  SN_ASSERT(b->headers && b->own_count >= 0);
  CUdeviceptr values = findOwn(b, name);
  int places = sizeof(b->own) / sizeof(b->own[0]);
  if (values || b->own_count == places) return values;
  size_t bytes = (size_t)(place->rows * place->columns * place->element_bytes);
  values = sn_gpuAllocate(b, bytes * (size_t)b->worlds.nworld);
  snImage image = b->packer->packModel(pieces, 0);
  int made = values && image.bytes &&
             repeat(b, values, (int64_t)bytes, (const char*)image.bytes + place->values, bytes) &&
             redirect(b, place, values, bytes);
  snu_free(image.bytes);
  if (!made) {
    sn_gpuFree(b, values, bytes * (size_t)b->worlds.nworld);
    return 0;
  }
  snGpuOwnField* own = b->own + b->own_count++;
  own->name = tableName(name);
  own->values = values;
  return values;
}

int sn_gpuBatchModelField(snGpuBatch* b, const char* name, snBatchView* view) {
  snPieces pieces;
  snPlace place;
  sn_gpuEnter(b);
  sn_takeApart(b->model, &pieces);
  if (!b->packer->modelPlace(&pieces, name, &place) || !makeHeaders(b, &pieces)) return 0;
  if (place.pointer < 0) {
    setView(view, b->headers + (uint64_t)place.values, b->worlds.model_stride, &place);
    return 1;
  }
  CUdeviceptr values = makeOwn(b, &pieces, name, &place);
  setView(view, values, place.rows * place.columns * place.element_bytes, &place);
  return values != 0;
}
