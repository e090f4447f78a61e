// Wrong arguments: an error of the handler and a return without effect, wherever seeing them costs nothing.

#include <limits.h>

#include "harness.h"

#include "sinew/batch.h"
#include "sinew/handlers.h"
#include "sinew/visual.h"

static const char* SMALL =
    "<mujoco><worldbody><body name='b'><freejoint/><geom size='.1'/><site/></body></worldbody>"
    "</mujoco>";

typedef struct Fixture_ {
  snModel *m, *other;
  snData *d, *foreign;
  snReal* room;  // for results
} Fixture;

static int heard;
static void hear(const char* text) { heard += strlen(text) > 0; }

// the call reports exactly one error
#define REPORTS(call)           \
  do {                          \
    heard = 0;                  \
    call;                       \
    assert_int_equal(heard, 1); \
  } while (0)

static int setUp(void** state) {
  static Fixture f;
  static snReal room[10000];
  char xml[8000] = "<mujoco><worldbody>";
  for (int i = 0; i < 30; i++) strcat(xml, "<body><freejoint/><geom size='.1'/></body>");
  strcat(xml, "</worldbody></mujoco>");
  f.m = loadXML(SMALL);
  f.other = loadXML(xml);
  f.d = sn_makeData(f.m);
  f.foreign = sn_makeData(f.other);
  f.room = room;
  sn_forward(f.m, f.d);
  sn_setErrorHandler(hear);
  *state = &f;
  return 0;
}

static int tearDown(void** state) {
  Fixture* f = (Fixture*)*state;
  sn_setErrorHandler(NULL);
  sn_deleteData(f->d);
  sn_deleteData(f->foreign);
  sn_deleteModel(f->m);
  sn_deleteModel(f->other);
  return 0;
}

static void test_data_of_another_model_is_refused(void** state) {
  Fixture* f = (Fixture*)*state;
  snModel* m = f->m;
  snData* d = f->foreign;
  REPORTS(sn_step(m, d));
  REPORTS(sn_step1(m, d));
  REPORTS(sn_step2(m, d));
  REPORTS(sn_forward(m, d));
  REPORTS(sn_forwardSkip(m, d, 0, 0));
  REPORTS(sn_inverse(m, d));
  REPORTS(sn_inverseSkip(m, d, 0, 0));
  REPORTS(sn_resetData(m, d));
  REPORTS(sn_resetDataDebug(m, d, 3));
  REPORTS(sn_resetDataKeyframe(m, d, 0));
  REPORTS(sn_setConst(m, d));
  REPORTS(sn_setKeyframe(m, d, 0));
  REPORTS(sn_getState(m, d, f->room, 1));
  REPORTS(sn_setState(m, d, f->room, 1));
  REPORTS(sn_copyState(m, f->d, d, 1));
  REPORTS(sn_copyState(m, d, f->d, 1));
  REPORTS(sn_copyData(f->d, m, d));
  REPORTS(sn_copyData(NULL, m, d));
  REPORTS(sn_jacBody(m, d, f->room, NULL, 0));
  REPORTS(sn_objectVelocity(m, d, snOBJ_BODY, 0, f->room, 0));
  REPORTS(snd_transitionFD(m, d, 1e-6, 1, f->room, NULL, NULL, NULL));
  REPORTS(snd_inverseFD(m, d, 1e-6, 1, f->room, NULL, NULL, NULL, NULL, NULL, NULL));
  snReal pnt[3] = {0, 0, 0}, vec[3] = {0, 0, 1};
  REPORTS(sn_ray(m, d, pnt, vec, NULL, 1, -1, NULL, NULL));
  REPORTS(sn_geomDistance(m, d, 0, 0, 1, NULL));
  snContact contact;
  memset(&contact, 0, sizeof(contact));
  REPORTS(sn_addContact(m, d, &contact));
  REPORTS(sn_addContact(m, f->d, &contact));
}

static void test_no_model_and_no_data_are_refused(void** state) {
  Fixture* f = (Fixture*)*state;
  REPORTS(sn_step(NULL, f->d));
  REPORTS(sn_step(f->m, NULL));
  REPORTS(sn_forward(NULL, NULL));
  REPORTS(sn_inverse(f->m, NULL));
  REPORTS(sn_resetData(NULL, f->d));
  REPORTS(sn_jacBody(f->m, NULL, f->room, NULL, 0));
  REPORTS(assert_null(sn_makeData(NULL)));
  REPORTS(assert_null(sn_copyModel(NULL, NULL)));
  REPORTS(assert_null(sn_copyData(NULL, f->m, NULL)));
  sn_deleteModel(NULL);
  sn_deleteData(NULL);
  sn_deleteBatch(NULL);
  sn_deleteSpec(NULL);
}

static void test_indices_out_of_range_are_refused(void** state) {
  Fixture* f = (Fixture*)*state;
  const int bad[] = {-1, INT_MIN, INT_MAX, 1000};
  snReal point[3] = {0, 0, 0}, vec[3] = {0, 0, 1};
  for (int k = 0; k < 4; k++) {
    int i = bad[k];
    REPORTS(sn_jac(f->m, f->d, f->room, NULL, point, i));
    REPORTS(sn_jacBody(f->m, f->d, f->room, NULL, i));
    REPORTS(sn_jacBodyCom(f->m, f->d, f->room, NULL, i));
    REPORTS(sn_jacGeom(f->m, f->d, f->room, NULL, i));
    REPORTS(sn_jacSite(f->m, f->d, f->room, NULL, i));
    REPORTS(sn_jacSubtreeCom(f->m, f->d, f->room, i));
    REPORTS(sn_jacPointAxis(f->m, f->d, f->room, NULL, point, vec, i));
    REPORTS(sn_jacDot(f->m, f->d, f->room, NULL, point, i));
    REPORTS(sn_angmomMat(f->m, f->d, f->room, i));
    REPORTS(sn_applyFT(f->m, f->d, vec, vec, point, i, f->room));
    REPORTS(sn_objectVelocity(f->m, f->d, snOBJ_GEOM, i, f->room, 0));
    REPORTS(sn_objectAcceleration(f->m, f->d, snOBJ_CAMERA, i, f->room, 0));
    REPORTS(sn_objectVelocity(f->m, f->d, i, 0, f->room, 0));
    REPORTS(sn_rayMesh(f->m, f->d, i, point, vec, NULL));
    REPORTS(sn_rayHfield(f->m, f->d, i, point, vec, NULL));
    REPORTS(sn_geomDistance(f->m, f->d, 0, i, 1, NULL));
    REPORTS(sn_setKeyframe(f->m, f->d, i));
    sn_contactForce(f->m, f->d, i, f->room);
    sn_id2name(f->m, i, i);
    sn_id2name(f->m, snOBJ_BODY, i);
    sn_name2id(f->m, i, "b");
  }
}

static void test_worlds_out_of_range_are_refused(void** state) {
  Fixture* f = (Fixture*)*state;
  snBatch* b = sn_makeBatch(f->m, 2, NULL, NULL, 0);
  assert_non_null(b);
  const int bad[] = {-1, INT_MIN, INT_MAX, 2};
  for (int k = 0; k < 4; k++) {
    REPORTS(assert_null(sn_batchData(b, bad[k])));
    REPORTS(assert_null(sn_batchModel(b, bad[k])));
    REPORTS(assert_int_equal(sn_batchCopyWorld(b, bad[k], f->d), -1));
    sn_batchStepSubset(b, bad + k, 1, 1);
    sn_batchReset(b, NULL, bad[k]);
  }
  REPORTS(assert_int_equal(sn_batchCopyWorld(b, 0, f->foreign), -1));
  sn_batchStep(b, -5);
  sn_deleteBatch(b);
}

static void test_scenes_of_another_model_show_no_flexes_of_this_one(void** state) {
  Fixture* f = (Fixture*)*state;
  snModel* soft = loadXML(
      "<mujoco><worldbody><body name='b'><flexcomp name='f' type='grid' count='9 9 1' "
      "spacing='.1 .1 .1' radius='.01' dim='2' mass='1'/></body></worldbody></mujoco>");
  snData* d = sn_makeData(soft);
  snvScene scene;
  snvOption option;
  snvCamera camera;
  sn_forward(soft, d);
  snv_defaultScene(&scene);
  snv_defaultOption(&option);
  snv_defaultCamera(&camera);
  snv_updateScene(soft, d, &option, NULL, &camera, snCAT_ALL, &scene);
  assert_int_equal(scene.ngeom, 0);
  snv_makeScene(f->m, &scene, 50);
  snv_updateScene(soft, d, &option, NULL, &camera, snCAT_ALL, &scene);
  snv_updateSkin(soft, d, &scene);
  assert_int_equal(scene.nflex, 0);
  snv_freeScene(&scene);
  sn_deleteData(d);
  sn_deleteModel(soft);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_data_of_another_model_is_refused, setUp, tearDown),
      cmocka_unit_test_setup_teardown(test_no_model_and_no_data_are_refused, setUp, tearDown),
      cmocka_unit_test_setup_teardown(test_indices_out_of_range_are_refused, setUp, tearDown),
      cmocka_unit_test_setup_teardown(test_worlds_out_of_range_are_refused, setUp, tearDown),
      cmocka_unit_test_setup_teardown(test_scenes_of_another_model_show_no_flexes_of_this_one,
                                      setUp, tearDown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
