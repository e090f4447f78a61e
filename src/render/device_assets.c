// Shapes, textures and an empty scene of a model as one image for a device.

#include "render/device_assets.h"

#include <string.h>

#include "base/assert.h"

// Pieces are put one behind the other. Without bytes they are only counted.
typedef struct Writer_ {
  char* bytes;
  uint64_t address;  // of the first byte, on the device
  size_t size;
} Writer;

// where a piece lies on the device
static uint64_t put(Writer* w, const void* piece, size_t bytes) {
  SN_ASSERT(w->address % 16 == 0 && w->size % 16 == 0);
  size_t at = w->size;
  w->size += (bytes + 15) / 16 * 16;
  if (w->bytes && piece && bytes) memcpy(w->bytes + at, piece, bytes);
  return w->address + at;
}

// the same as a pointer; NULL stays NULL
static void* moved(Writer* w, const void* piece, size_t bytes) {
  return piece ? (void*)(uintptr_t)put(w, piece, bytes) : NULL;
}

static Shape putShape(Writer* w, const Shape* s) {
  Shape shape = *s;
  size_t nvert = s->nvert, ntri = s->ntri;
  shape.pos = (const float*)moved(w, s->normal ? s->pos : NULL, 3 * nvert * sizeof(float));
  shape.normal = (const float*)moved(w, s->normal, 3 * nvert * sizeof(float));
  shape.texcoord = (const float*)moved(w, s->texcoord, 2 * nvert * sizeof(float));
  shape.corner = (const int*)moved(w, s->corner, 3 * ntri * sizeof(int));
  shape.packed = (const unsigned*)moved(w, s->packed, ntri * sizeof(unsigned));
  shape.cluster = (const Cluster*)moved(w, s->cluster, s->ncluster * sizeof(Cluster));
  return shape;
}

// an array of shapes: first what they point to
static Shape* putShapes(Writer* w, const Shape* shapes, int count) {
  uint64_t at = put(w, NULL, count * sizeof(Shape));
  for (int i = 0; i < count; i++) {
    Shape shape = putShape(w, shapes + i);
    if (w->bytes) memcpy(w->bytes + (at - w->address) + i * sizeof(Shape), &shape, sizeof(shape));
  }
  return (Shape*)(uintptr_t)at;
}

static Texture putTexture(Writer* w, const Texture* t) {
  Texture texture = *t;
  const snByte* block = t->texel[0][0];
  size_t bytes = 0;
  for (int f = 0; f < 6; f++) {
    for (int level = 0; level < t->nlevel; level++) {
      size_t end =
          (size_t)(t->texel[f][level] - block) + 4 * (size_t)t->across[level] * t->down[level];
      if (end > bytes) bytes = end;
    }
  }
  uint64_t at = put(w, block, bytes);
  for (int f = 0; f < 6; f++) {
    for (int level = 0; level < t->nlevel; level++) {
      texture.texel[f][level] =
          (const snByte*)(uintptr_t)(at + (uint64_t)(t->texel[f][level] - block));
    }
  }
  return texture;
}

static Texture* putTextures(Writer* w, const Texture* textures, int count) {
  uint64_t at = put(w, NULL, count * sizeof(Texture));
  for (int i = 0; i < count; i++) {
    Texture texture = putTexture(w, textures + i);
    if (w->bytes) {
      memcpy(w->bytes + (at - w->address) + i * sizeof(Texture), &texture, sizeof(texture));
    }
  }
  return (Texture*)(uintptr_t)at;
}

static Assets putAssets(Writer* w, const Assets* a) {
  Assets assets = *a;
  for (int i = 0; i < kUnitShapes; i++) assets.unit[i] = putShape(w, a->unit + i);
  assets.plane = putShapes(w, a->plane, a->nplane);
  assets.mesh = putShapes(w, a->mesh, 2 * a->nmesh);
  assets.hfield = putShapes(w, a->hfield, a->nhfield);
  assets.skin = putShapes(w, a->skin, a->nskin);
  assets.texture = putTextures(w, a->texture, a->ntex);
  assets.mat_texid = (int*)moved(w, a->mat_texid, a->nmat * sizeof(int));
  assets.mat_texuniform = (snByte*)moved(w, a->mat_texuniform, a->nmat);
  assets.mat_texrepeat = (float*)moved(w, a->mat_texrepeat, 2 * a->nmat * sizeof(float));
  assets.block = NULL;
  return assets;
}

// what does not change of a scene; the easels have the rest
static snvScene putScene(Writer* w, const snvScene* from, int nedge) {
  snvScene scn = *from;
  size_t flexes = from->nflex * sizeof(int), skins = from->nskin * sizeof(int);
  scn.flexedgeadr = (int*)moved(w, from->flexedgeadr, flexes);
  scn.flexedgenum = (int*)moved(w, from->flexedgenum, flexes);
  scn.flexvertadr = (int*)moved(w, from->flexvertadr, flexes);
  scn.flexvertnum = (int*)moved(w, from->flexvertnum, flexes);
  scn.flexfaceadr = (int*)moved(w, from->flexfaceadr, flexes);
  scn.flexfacenum = (int*)moved(w, from->flexfacenum, flexes);
  scn.flexedge = (int*)moved(w, from->flexedge, 2 * (size_t)nedge * sizeof(int));
  scn.skinfacenum = (int*)moved(w, from->skinfacenum, skins);
  scn.skinvertadr = (int*)moved(w, from->skinvertadr, skins);
  scn.skinvertnum = (int*)moved(w, from->skinvertnum, skins);
  return scn;
}

size_t snr_packAssets(const Assets* a, const snvScene* scn, void* bytes, uint64_t address,
                      uint64_t* scene) {
  Writer w = {(char*)bytes, address, 0};
  int nedge = 0;
  for (int i = 0; i < scn->nflex; i++) {
    int end = scn->flexedgeadr[i] + scn->flexedgenum[i];
    if (end > nedge) nedge = end;
  }
  put(&w, NULL, sizeof(Assets));
  *scene = put(&w, NULL, sizeof(snvScene));
  Assets assets = putAssets(&w, a);
  snvScene empty = putScene(&w, scn, nedge);
  if (bytes) {
    memcpy(bytes, &assets, sizeof(assets));
    memcpy((char*)bytes + (*scene - address), &empty, sizeof(empty));
  }
  return w.size;
}
