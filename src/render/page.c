// Recordings: frames are taken from scenes and kept until the page is written (page_text.c).

#include "render/page.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"
#include "model/object_types.h"

enum { kMostGeoms = 20000, kCameraType = -1 };

// ---- bytes ----

void snr_appendBytes(Bytes* bytes, const void* data, size_t size) {
  if (bytes->failed || !size) return;
  if (bytes->size + size > bytes->room) {
    size_t room = bytes->room ? bytes->room : 256;
    while (room < bytes->size + size) room *= 2;
    unsigned char* grown = snu_malloc(room);
    if (!grown) {
      bytes->failed = 1;
      return;
    }
    if (bytes->size) memcpy(grown, bytes->data, bytes->size);
    snu_free(bytes->data);
    bytes->data = grown;
    bytes->room = room;
  }
  memcpy(bytes->data + bytes->size, data, size);
  bytes->size += size;
}

// ---- making and freeing ----

void sn_deletePage(snPage* page) {
  if (!page) return;
  for (int i = 0; i < page->nslot; i++) snu_free(page->slots[i].moments.data);
  for (int i = 0; i < page->nsoft; i++) snu_free(page->softs[i].points.data);
  snu_free(page->slots);
  snu_free(page->softs);
  if (page->scene.geoms) snv_freeScene(&page->scene);
  snu_free(page);
}

// a slot for a shape that is seen first now; it was unseen in all frames before. NULL: no memory
static Slot* addSlot(snPage* page, const snvGeom* geom) {
  if (page->nslot == page->slot_room) {
    int room = page->slot_room ? 2 * page->slot_room : 64;
    Slot* grown = snu_malloc(room * sizeof(Slot));
    if (!grown) return NULL;
    if (page->nslot) memcpy(grown, page->slots, page->nslot * sizeof(Slot));
    snu_free(page->slots);
    page->slots = grown;
    page->slot_room = room;
  }
  Slot* slot = page->slots + page->nslot++;
  SN_ASSERT(page->nslot <= page->slot_room);
  memset(slot, 0, sizeof(*slot));
  slot->first = *geom;
  Moment unseen = {0, {0, 0, 0}, {1, 0, 0, 0}, {0, 0, 0}};
  for (int i = 0; i < page->frames; i++) snr_appendBytes(&slot->moments, &unseen, sizeof(unseen));
  return slot;
}

static int prepare(snPage* page, const snModel* m) {
  snv_defaultScene(&page->scene);
  snv_makeScene(m, &page->scene, kMostGeoms);
  page->softs = snu_malloc((m->nflex + m->nskin + 1) * sizeof(Soft));
  if (!page->scene.geoms || !page->softs) return 0;
  memset(page->softs, 0, (m->nflex + m->nskin + 1) * sizeof(Soft));
  page->camera_slot = -1;
  if (page->camera.type != snCAMERA_FREE) {
    snvGeom geom;
    memset(&geom, 0, sizeof(geom));
    geom.type = kCameraType;
    geom.dataid = page->camera.type == snCAMERA_FIXED ? page->camera.fixedcamid : -1;
    if (!addSlot(page, &geom)) return 0;
    page->camera_slot = 0;
  }
  return 1;
}

snPage* sn_makePage(const snModel* m, const snvCamera* camera, double rate, char* error,
                    int error_sz) {
  if (!(rate >= 1e-3 && rate <= 1e4)) {
    sn_formatError(error, error_sz, "a recording of %g frames in a second cannot be made", rate);
    return NULL;
  }
  snPage* page = snu_malloc(sizeof(*page));
  if (page) {
    memset(page, 0, sizeof(*page));
    page->rate = rate;
    snv_defaultFreeCamera(m, &page->free_camera);
    page->camera = camera ? *camera : page->free_camera;
    if (page->camera.type == snCAMERA_FREE) page->free_camera = page->camera;
    if (prepare(page, m)) return page;
  }
  sn_deletePage(page);
  sn_formatError(error, error_sz, "no memory for a recording");
  return NULL;
}

// ---- frames ----

static int isFinite(const snvGeom* g) {
  float sum = 0;
  for (int i = 0; i < 3; i++) sum += g->pos[i] * 0 + g->size[i] * 0;
  for (int i = 0; i < 9; i++) sum += g->mat[i] * 0;
  return sum == 0;
}

static int isSame(const snvGeom* a, const snvGeom* b) {
  return a->type == b->type && a->dataid == b->dataid && a->objtype == b->objtype &&
         a->objid == b->objid && a->matid == b->matid && a->category == b->category;
}

// the slot that shows what a geom shows and is not used in this frame: mostly the next one. NULL: no memory
static Slot* findSlot(snPage* page, const snvGeom* geom, int* next) {
  for (int k = 0; k < page->nslot; k++) {
    int i = (*next + k) % page->nslot;
    if (page->slots[i].used || !isSame(&page->slots[i].first, geom)) continue;
    *next = i + 1;
    return page->slots + i;
  }
  return addSlot(page, geom);
}

// neighbouring frames get quaternions of one sign, so that what is between them is the short way
static void takePose(Slot* slot, const float pos[3], const float mat[9], const float size[3]) {
  Moment moment = {1, {pos[0], pos[1], pos[2]}, {1, 0, 0, 0}, {size[0], size[1], size[2]}};
  snReal wide[9], quat[4];
  for (int i = 0; i < 9; i++) wide[i] = mat[i];
  snu_mat2Quat(quat, wide);
  float same = 0;
  if (slot->moments.size) {
    const Moment* last = (const Moment*)(slot->moments.data + slot->moments.size) - 1;
    for (int i = 0; i < 4; i++) same += last->quat[i] * (float)quat[i];
  }
  for (int i = 0; i < 4; i++) moment.quat[i] = same < 0 ? -(float)quat[i] : (float)quat[i];
  snr_appendBytes(&slot->moments, &moment, sizeof(moment));
  slot->used = 1;
}

static void takeCamera(snPage* page) {
  SN_ASSERT_INDEX(page->camera_slot, page->nslot);
  snvGLCamera c = snv_averageCamera(page->scene.camera, page->scene.camera + 1);
  const float *f = c.forward, *u = c.up, none[3] = {0, 0, 0};
  float r[3] = {f[1] * u[2] - f[2] * u[1], f[2] * u[0] - f[0] * u[2], f[0] * u[1] - f[1] * u[0]};
  float mat[9] = {r[0], u[0], -f[0], r[1], u[1], -f[1], r[2], u[2], -f[2]};
  takePose(page->slots + page->camera_slot, c.pos, mat, none);
}

// points of a skin or flex in this frame; a frame with another number of them repeats the last one
static void takeSoft(snPage* page, const snvGeom* g) {
  const snvScene* s = &page->scene;
  int flex = g->type == snGEOM_FLEX;
  int count = flex ? 3 * s->flexfaceused[g->objid] : s->skinvertnum[g->objid];
  const float* points = flex ? s->flexface + 9 * s->flexfaceadr[g->objid]
                             : s->skinvert + 3 * s->skinvertadr[g->objid];
  Soft* soft = NULL;
  for (int i = 0; i < page->nsoft; i++) {
    if (page->softs[i].type == g->type && page->softs[i].id == g->objid) soft = page->softs + i;
  }
  if (!soft && count > 0 && !page->frames) {
    soft = page->softs + page->nsoft++;
    soft->type = g->type;
    soft->id = g->objid;
    soft->count = count;
    memcpy(soft->rgba, g->rgba, sizeof(soft->rgba));
  }
  if (!soft || soft->used || soft->count != count) return;
  snr_appendBytes(&soft->points, points, 3 * (size_t)count * sizeof(float));
  soft->used = 1;
}

// what was not in this frame is unseen in it, where it was last
static void endFrame(snPage* page) {
  for (int i = 0; i < page->nslot; i++) {
    Slot* slot = page->slots + i;
    if (!slot->used) {
      Moment unseen = {0, {0, 0, 0}, {1, 0, 0, 0}, {0, 0, 0}};
      if (slot->moments.size) {
        unseen = ((const Moment*)(slot->moments.data + slot->moments.size))[-1];
      }
      unseen.seen = 0;
      snr_appendBytes(&slot->moments, &unseen, sizeof(unseen));
    }
    slot->used = 0;
  }
  for (int i = 0; i < page->nsoft; i++) {
    Soft* soft = page->softs + i;
    size_t frame = 3 * (size_t)soft->count * sizeof(float);
    if (!soft->used && soft->points.size >= frame && !soft->points.failed) {
      Bytes copy = {0};
      snr_appendBytes(&copy, soft->points.data + soft->points.size - frame, frame);
      snr_appendBytes(&soft->points, copy.data, copy.size);
      snu_free(copy.data);
    }
    soft->used = 0;
  }
  page->frames++;
}

static int isComplete(const snPage* page) {
  for (int i = 0; i < page->nslot; i++) {
    if (page->slots[i].moments.failed) return 0;
  }
  for (int i = 0; i < page->nsoft; i++) {
    if (page->softs[i].points.failed) return 0;
  }
  return 1;
}

int sn_addPageFrame(snPage* page, const snModel* m, snData* d) {
  snvOption option;
  int next = 0;
  snv_defaultOption(&option);
  snv_updateScene(m, d, &option, NULL, &page->camera, snCAT_ALL, &page->scene);
  if (!page->frames) page->start = (double)d->time;
  if (page->camera_slot >= 0) takeCamera(page);
  for (int i = 0; i < page->scene.ngeom; i++) {
    const snvGeom* g = page->scene.geoms + i;
    if (g->type == snGEOM_FLEX || g->type == snGEOM_SKIN) takeSoft(page, g);
    if (!sn_isGeomOf(g->type, snFAMILY_ANY) && g->type != snGEOM_LINE) continue;
    if (!isFinite(g)) continue;
    Slot* slot = findSlot(page, g, &next);
    if (slot) {
      takePose(slot, g->pos, g->mat, g->size);
    } else {
      page->broken = 1;
    }
  }
  endFrame(page);
  page->broken |= !isComplete(page);
  if (page->broken) snu_error("no memory for a recording");
  return page->broken ? -1 : 0;
}
