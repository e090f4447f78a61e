// Memory that cannot be had: an error each time, nothing lost, nothing written through NULL. One allocation of a
// task fails, over 20 models and all tasks: a sample of the allocations, every one with SN_EVERY=1.

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness.h"

#include "sinew/batch_render.h"
#include "sinew/page.h"

// ---- an allocator that fails once

static atomic_long taken, held, fails_at;  // meshes are compiled by threads

static void* allocate(size_t bytes) {
  if (atomic_fetch_add(&taken, 1) + 1 == fails_at) return NULL;
  void* memory = NULL;
  if (posix_memalign(&memory, 64, bytes ? bytes : 1)) return NULL;
  held++;
  return memory;
}

static void release(void* memory) {
  held -= memory != NULL;
  free(memory);
}

// ---- tasks: 1 when all of the work was done, else 0 and why

static char why[1000];

static void sayLast(void) { snprintf(why, sizeof(why), "%s", sn_lastError()); }

static snModel* compile(snSpec* spec) {
  snModel* m = spec ? sn_compile(spec, NULL) : NULL;
  if (spec && !m) snprintf(why, sizeof(why), "%s", sns_getError(spec));
  return m;
}

static snData* makeData(const snModel* m) {
  snData* d = m ? sn_makeData(m) : NULL;
  if (m && !d) sayLast();
  return d;
}

static int saveSpec(snSpec* spec) {
  enum { ROOM = 1 << 20 };
  static char xml[ROOM];
  if (sn_saveXMLString(spec, xml, ROOM, why, sizeof(why)) != 0) return 0;
  char* lossless = sn_losslessXML(spec, NULL, why, sizeof(why));
  snu_free(lossless);
  return lossless != NULL;
}

// a body more, a copy, and the copy hung into the model
static int editSpec(snSpec* spec) {
  why[0] = 0;
  snsBody* world = sns_findBody(spec, "world");
  snsBody* body = world ? sns_addBody(world, NULL) : NULL;
  snsGeom* geom = body ? sns_addGeom(body, NULL) : NULL;
  snsFrame* frame = geom ? sns_addFrame(world, NULL) : NULL;
  snSpec* copy = frame ? sn_copySpec(spec) : NULL;
  snsElement* hung = copy ? sns_attach(frame->element, copy->element, "twin/", "") : NULL;
  int done = hung != NULL;
  if (geom) geom->size[0] = geom->size[1] = geom->size[2] = 0.1;
  if (!done) snprintf(why, sizeof(why), "not edited: %s", sns_getError(spec));
  sn_deleteSpec(copy);
  return done;
}

static int stepModel(const snModel* m) {
  snData* d = makeData(m);
  for (int i = 0; d && i < 2; i++) sn_step(m, d);
  snData* copy = d ? sn_copyData(NULL, m, d) : NULL;
  if (d && !copy) sayLast();
  sn_deleteData(copy);
  sn_deleteData(d);
  return copy != NULL;
}

static int saveModel(const snModel* m) {
  int size = (int)sn_sizeModel(m);
  void* buffer = malloc((size_t)size);
  assert_non_null(buffer);
  memset(buffer, 0, (size_t)size);
  sn_saveModel(m, NULL, buffer, size);
  snModel* again = sn_loadModelBuffer(buffer, size);
  if (!again) snprintf(why, sizeof(why), "the model could not be read again");
  sn_deleteModel(again);
  free(buffer);
  return again != NULL;
}

static int stepBatch(const snModel* m) {
  snBatchOptions options;
  sn_defaultBatchOptions(&options);
  options.nthread = 1;
  snBatch* b = sn_makeBatch(m, 2, &options, why, sizeof(why));
  if (b) sn_batchStep(b, 1);
  sn_deleteBatch(b);
  return b != NULL;
}

// scene of a model where it starts, with room for so many geoms; returns 1 if there is that room
static int makeScene(const snModel* m, snData* d, int room, snvScene* scene) {
  snvOption option;
  snvCamera camera;
  snv_defaultScene(scene);
  snv_defaultOption(&option);
  snv_defaultFreeCamera(m, &camera);
  sn_forward(m, d);
  snv_makeScene(m, scene, room);
  int done = scene->maxgeom == room;
  if (!done) sayLast();
  snv_updateScene(m, d, &option, NULL, &camera, snCAT_ALL, scene);
  return done;
}

static int drawModel(const snModel* m) {
  snvScene scene;
  snData* d = makeData(m);
  if (!d) return 0;
  int done = makeScene(m, d, 100, &scene);
  if (!done) assert_int_equal(scene.ngeom, 0);
  snv_freeScene(&scene);
  sn_deleteData(d);
  return done;
}

// colours, then numbers of objects, twice: what a failed image left behind must not hurt the next one
static int renderScene(snvScene* scene, snrContext* con) {
  const snrRect rect = {0, 0, 24, 16};
  unsigned char rgb[3 * 24 * 16];
  for (int i = 0; i < 4; i++) {
    scene->flags[snRND_SEGMENT] = i % 2;
    snr_render(rect, scene, con);
  }
  snr_readPixels(rgb, NULL, rect, con);
  return con->state != NULL;
}

static int renderModel(const snModel* m) {
  snvScene scene;
  snrContext con;
  snData* d = makeData(m);
  if (!d) return 0;
  int done = makeScene(m, d, 200, &scene);
  snr_defaultContext(&con);
  snr_makeContext(m, &con, snFONTSCALE_100);
  if (con.state) snr_resizeOffscreen(24, 16, &con);
  done &= renderScene(&scene, &con);
  sayLast();
  if (con.state) {
    for (int i = 0; i < m->ntex; i++) snr_uploadTexture(m, &con, i);
    for (int i = 0; i < m->nmesh; i++) snr_uploadMesh(m, &con, i);
    for (int i = 0; i < m->nhfield; i++) snr_uploadHField(m, &con, i);
    renderScene(&scene, &con);
  }
  snr_freeContext(&con);
  snv_freeScene(&scene);
  sn_deleteData(d);
  return done;
}

static int renderBatch(const snModel* m) {
  enum { WORLDS = 3, PIXELS = WORLDS * 24 * 16 };
  static unsigned char rgb[3 * PIXELS];
  static float depth[PIXELS];
  static int ids[2 * PIXELS];
  snBatchOptions options;
  sn_defaultBatchOptions(&options);
  options.nthread = 1;
  snBatch* b = sn_makeBatch(m, WORLDS, &options, why, sizeof(why));
  snBatchRenderer* r = b ? sn_makeBatchRenderer(b, 24, 16, 2, why, sizeof(why)) : NULL;
  int done = r != NULL;
  for (int i = 0; r && i < 2; i++) {
    if (!sn_batchRender(r, b, -1, NULL, rgb, depth, ids)) continue;
    sayLast();
    done = 0;
  }
  sn_deleteBatchRenderer(r);
  sn_deleteBatch(b);
  return done;
}

static int recordPage(const snModel* m) {
  snData* d = makeData(m);
  snPage* page = d ? sn_makePage(m, NULL, 30, why, sizeof(why)) : NULL;
  int done = page != NULL;
  for (int i = 0; page && i < 3; i++) {
    sn_step(m, d);
    if (!sn_addPageFrame(page, m, d)) continue;
    sayLast();
    done = 0;
  }
  char* text = page ? sn_finishPage(page, m, NULL) : NULL;
  if (page && !text) sayLast();
  done = done && text;
  snu_free(text);
  sn_deletePage(page);
  sn_deleteData(d);
  return done;
}

// ---- injection

typedef struct Task_ {
  int (*spec)(snSpec* spec);  // of a specification that was read without failures; NULL: of a model
  int (*model)(const snModel* m);
} Task;

static const char* path;

static int load(void) {
  snSpec* spec = sn_parseXML(path, NULL, why, sizeof(why));
  snModel* m = compile(spec);
  sn_deleteModel(m);
  sn_deleteSpec(spec);
  return m != NULL;
}

// shapes of few triangles: they are made again for each failure
static void coarsen(snVisual* vis) {
  vis->quality.numslices = vis->quality.numstacks = 4;
  vis->quality.numquads = 1;
  vis->quality.shadowsize = 64;
  vis->global.offwidth = 48;
  vis->global.offheight = 32;
}

// what comes before a task does not fail
static int runTask(const Task* task, long failing) {
  snSpec* spec = NULL;
  snModel* m = NULL;
  fails_at = 0;
  if (task->spec || task->model) {
    spec = sn_parseXML(path, NULL, why, sizeof(why));
    if (!spec) fail_msg("%s", why);
    m = compile(spec);
    if (!m) fail_msg("%s", why);
    coarsen(&m->vis);
  }
  why[0] = 0;
  taken = 0;
  fails_at = failing;
  int done = task->spec ? task->spec(spec) : task->model ? task->model(m) : load();
  long count = taken;
  fails_at = 0;
  sn_deleteModel(m);
  sn_deleteSpec(spec);
  sn_clearCache(sn_getCache());  // meshes that it keeps are not lost
  taken = count;
  return done;
}

static long inject(const Task* task, long samples) {
  long injected = 0;
  if (!runTask(task, 0)) print_message("%s: %s\n", path, why);  // what is made once is made now
  long before = held;
  runTask(task, 0);
  long count = taken, stride = samples > 0 && count > samples ? count / samples : 1;
  assert_int_equal(held, before);
  for (long n = 1; n <= count; n += stride, injected++) {
    int done = runTask(task, n);
    if (held != before) fail_msg("%s: allocation %ld: %ld lost", path, n, held - before);
    if (!done && !why[0]) fail_msg("%s: allocation %ld fails without a message", path, n);
  }
  return injected;
}

static void test_failed_allocations_are_errors(void** state) {
  (void)state;
  static const char* const models[] = {
      "../models/humanoid.xml",
      "../models/arm.xml",
      "models/compile/default_classes.xml",
      "models/compile/asset_texture.xml",
      "models/compile/asset_skin.xml",
      "models/compile/asset_mesh_inline.xml",
      "models/compile/asset_hfield.xml",
      "models/compile/actuator_lengthrange.xml",
      "models/compile/replicate_nested.xml",
      "models/compile/compiler_fusestatic_mesh.xml",
      "models/compile/key_full.xml",
      "models/compile/custom.xml",
      "models/compile/tendon_wrap.xml",
      "models/compile/sensor_frame.xml",
      "models/actuation/delays.xml",
      "models/collision/sdf.xml",
      "models/constraint/mixed_all.xml",
      "models/odd/composite_cable.xml",
      "models/odd/include_main.xml",
      "models/flex/sheet_both.xml",
  };
  static const Task tasks[] = {{NULL, NULL},      {saveSpec, NULL},  {editSpec, NULL},
                               {NULL, saveModel}, {NULL, stepModel}, {NULL, stepBatch},
                               {NULL, drawModel}};
  static const Task images[] = {{NULL, renderModel}, {NULL, renderBatch}, {NULL, recordPage}};
  char file[600];
  const char* every = getenv("SN_EVERY");
  long injected = 0, samples = every && *every == '1' ? 0 : 12;
  sn_setAllocator(allocate, release);
  path = file;
  for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) {
    snprintf(file, sizeof(file), "%s/%s", SN_TESTS, models[i]);
    for (size_t k = 0; k < sizeof(tasks) / sizeof(tasks[0]); k++) {
      injected += inject(tasks + k, samples);
    }
    // each kind of asset once, or all models
    int drawn =
        !samples || strstr(file, "asset_") || strstr(file, "humanoid") || strstr(file, "flex");
    for (size_t k = 0; drawn && k < 3; k++) injected += inject(images + k, samples);
  }
  sn_setAllocator(NULL, NULL);
  print_message("%ld allocations failed\n", injected);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_failed_allocations_are_errors)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
