// The editable model: elements, names, classes, frames, deletion, copies, attachment.

#include <math.h>
#include <string.h>

#include "harness.h"
#include "spec/element.h"

static const char* const kModel =
    "<mujoco model='m'><default><default class='k'><geom size='3'/></default></default>"
    "<worldbody><geom name='floor' size='1'/>"
    "<body name='a' childclass='k'><joint name='ja'/><geom name='ga'/><site name='sa'/>"
    "<frame name='f'><body name='b'><joint name='jb'/><geom name='gb'/></body></frame></body>"
    "<body name='c'><joint name='jc'/><geom size='1'/></body></worldbody>"
    "<tendon><fixed name='t'><joint joint='ja' coef='2'/><joint joint='jc' "
    "coef='1'/></fixed></tendon>"
    "<actuator><motor name='m' joint='ja'/><motor name='n' joint='jc'/><motor "
    "tendon='t'/></actuator>"
    "<sensor><jointpos joint='ja'/><clock/></sensor>"
    "<keyframe><key name='k' qpos='1 2 3'/></keyframe></mujoco>";

static snSpec* load(void) {
  char error[500];
  snSpec* spec = sn_parseXMLString(kModel, NULL, error, sizeof(error));
  if (!spec) print_error("%s\n", error);
  assert_non_null(spec);
  return spec;
}

static int count(snSpec* spec, snObj type) {
  int n = 0;
  for (snsElement* e = sns_firstElement(spec, type); e; e = sns_nextElement(spec, e)) n++;
  return n;
}

static char* text(snSpec* spec) {
  char error[500];
  snModel* m = sn_compile(spec, NULL);
  assert_non_null(m);
  sn_deleteModel(m);
  int size = sn_saveXMLString(spec, NULL, 0, error, sizeof(error));
  char* xml = (char*)snu_malloc((size_t)size + 1);
  assert_int_equal(sn_saveXMLString(spec, xml, size + 1, error, sizeof(error)), 0);
  return xml;
}

static void testDefaults(void** state) {
  (void)state;
  snSpec* spec = sn_makeSpec();
  snsBody* world = sns_findBody(spec, "world");
  snsGeom* geom = sns_addGeom(world, NULL);
  assert_true(isnan(geom->mass) && isnan(geom->fromto[0]));
  assert_int_equal(geom->condim, 3);
  assert_true(geom->density == 1000);
  snsDefault* def = sns_addDefault(spec, "big", NULL);
  def->geom->size[0] = 7;
  assert_null(sns_addDefault(spec, "big", NULL));
  assert_true(sns_addGeom(world, def)->size[0] == 7);
  snsBody* body = sns_addBody(world, def);
  assert_true(sns_addGeom(body, NULL)->size[0] == 7);
  assert_string_equal(sns_getString(body->childclass), "big");
  sn_deleteSpec(spec);
}

static void testNamesAndOrder(void** state) {
  (void)state;
  snSpec* spec = load();
  assert_int_equal(count(spec, snOBJ_BODY), 4);
  assert_int_equal(count(spec, snOBJ_GEOM), 4);
  assert_int_equal(count(spec, snOBJ_ACTUATOR), 3);
  snsGeom* geom = sns_asGeom(sns_findElement(spec, snOBJ_GEOM, "gb"));
  assert_true(geom->size[0] == 3);
  assert_null(sns_asBody(geom->element));
  assert_int_equal(sns_setName(geom->element, "other"), 0);
  assert_null(sns_findElement(spec, snOBJ_GEOM, "gb"));
  assert_ptr_equal(sns_findElement(spec, snOBJ_GEOM, "other"), geom->element);
  snsBody* a = sns_findBody(spec, "a");
  assert_ptr_equal(sns_findChild(a, "b"), sns_getParent(geom->element));
  assert_null(sns_findChild(a, "c"));
  assert_ptr_equal(sns_getFrame(sns_findBody(spec, "b")->element), sns_findFrame(spec, "f"));
  int user = 5;
  sns_setUserValue(a->element, "key", &user);
  assert_ptr_equal(sns_getUserValue(a->element, "key"), &user);
  sns_deleteUserValue(a->element, "key");
  assert_null(sns_getUserValue(a->element, "key"));
  sn_deleteSpec(spec);
}

static void testDelete(void** state) {
  (void)state;
  snSpec* spec = load();
  assert_int_equal(sns_delete(spec, sns_findBody(spec, "world")->element), -1);
  assert_int_equal(sns_delete(spec, sns_findBody(spec, "a")->element), 0);
  assert_int_equal(count(spec, snOBJ_BODY), 2);
  // what referred to the body goes with it, also through the tendon
  assert_int_equal(count(spec, snOBJ_ACTUATOR), 1);
  assert_int_equal(count(spec, snOBJ_TENDON), 0);
  assert_int_equal(count(spec, snOBJ_SENSOR), 1);
  // the keyframe keeps the value of the joint that is left
  char* xml = text(spec);
  assert_non_null(strstr(xml, "qpos=\"3\""));
  snu_free(xml);
  sn_deleteSpec(spec);
}

static void testCopy(void** state) {
  (void)state;
  snSpec* spec = load();
  char* before = text(spec);
  snSpec* copy = sn_copySpec(spec);
  assert_non_null(copy);
  sns_findBody(spec, "a")->pos[0] = 9;
  sn_deleteSpec(spec);
  char* after = text(copy);
  assert_string_equal(before, after);
  snu_free(before);
  snu_free(after);
  sn_deleteSpec(copy);
}

static void testAttach(void** state) {
  (void)state;
  snSpec* spec = load();
  snSpec* child = load();
  snsFrame* frame = sns_addFrame(sns_findBody(spec, "c"), NULL);
  snsElement* attached = sns_attach(frame->element, sns_findBody(child, "a")->element, "p_", "_s");
  assert_non_null(attached);
  sn_deleteSpec(child);
  assert_string_equal(sns_getString(sns_getName(attached)), "p_a_s");
  assert_non_null(sns_findElement(spec, snOBJ_JOINT, "p_jb_s"));
  assert_non_null(sns_findDefault(spec, "p_k_s"));
  // the motor of ja, and that of the tendon, whose other joint exists here too
  assert_int_equal(count(spec, snOBJ_ACTUATOR), 5);
  assert_null(sns_attach(attached, attached, "x", ""));  // a body cannot go into itself
  assert_true(strlen(sns_getError(spec)) > 0);
  snsBody* body = sns_asBody(attached);
  assert_non_null(sns_bodyToFrame(&body));
  assert_null(body);
  assert_null(sns_findBody(spec, "p_a_s"));
  assert_non_null(sns_findBody(spec, "p_b_s"));
  sn_deleteSpec(spec);
}

static void testFrames(void** state) {
  (void)state;
  snSpec* spec = load();
  snsBody* world = sns_findBody(spec, "world");
  snsFrame* outer = sns_addFrame(world, NULL);
  snsFrame* inner = sns_addFrame(world, outer);
  assert_int_equal(sns_setFrame(outer->element, inner), -1);                    // a cycle
  assert_int_equal(sns_setFrame(sns_findBody(spec, "b")->element, outer), -1);  // another body
  assert_int_equal(sns_setFrame(sns_findBody(spec, "c")->element, inner), 0);
  assert_int_equal(sns_delete(spec, inner->element), 0);
  assert_ptr_equal(sns_getFrame(sns_findBody(spec, "c")->element), outer);
  sn_deleteSpec(spec);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testDefaults), cmocka_unit_test(testNamesAndOrder),
      cmocka_unit_test(testDelete),   cmocka_unit_test(testCopy),
      cmocka_unit_test(testAttach),   cmocka_unit_test(testFrames),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
