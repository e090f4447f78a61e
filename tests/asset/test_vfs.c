// The virtual file system: names, precedence, life of buffers; paths and content types.

#include "harness.h"

#include "asset/resource.h"
#include "asset/vfs.h"

static snVFS vfs;

static int setUp(void** state) {
  (void)state;
  sn_defaultVFS(&vfs);
  return 0;
}

static int tearDown(void** state) {
  (void)state;
  sn_deleteVFS(&vfs);
  sn_deleteVFS(&vfs);  // twice is harmless
  return 0;
}

static int add(const char* name) {
  return sn_addBufferVFS(&vfs, name, name, (int)strlen(name) + 1);
}

// The name under which the file was added that a lookup finds; "" for none.
static const char* find(const char* name) {
  snBytes bytes;
  char* normal = sn_normalName(name);
  int found = sn_ownerVFS(&vfs, normal, &bytes) || sn_findVFS(&vfs, normal, &bytes);
  snu_free(normal);
  return found ? (const char*)bytes.data : "";
}

static void namesAreNormalized(void** state) {
  (void)state;
  assert_int_equal(add("a.xml"), 0);
  assert_int_equal(add("a.xml"), 2);
  assert_int_equal(add("A.xml"), 0);
  assert_int_equal(add("./d"), 0);
  assert_int_equal(add("d"), 2);
  assert_int_equal(add("x/e"), 0);
  assert_int_equal(add("x/./e"), 2);
  assert_int_equal(add("x/q/../e"), 2);
  assert_int_equal(add("x\\e"), 2);
  assert_int_equal(add("../c"), 0);
  assert_int_equal(add("../../c"), 0);
}

static void fullNameWins(void** state) {
  (void)state;
  add("e/t.obj");
  assert_string_equal(find("d/t.obj"), "e/t.obj");
  assert_string_equal(find("T.OBJ"), "e/t.obj");
  add("t.obj");
  assert_string_equal(find("d/t.obj"), "t.obj");
  add("d/t.obj");
  assert_string_equal(find("d/t.obj"), "d/t.obj");
  assert_string_equal(find("d/../t.obj"), "t.obj");
  assert_string_equal(find("u.obj"), "");
}

// A file owns the paths below it; of files that share the last part the nearest one is taken.
static void nearestNameWins(void** state) {
  (void)state;
  add("as/x.xml");
  add("as/more/x.xml");
  add("other/x.xml");
  assert_string_equal(find("more/x.xml"), "as/more/x.xml");
  assert_string_equal(find("MORE/X.xml"), "as/more/x.xml");
  assert_string_equal(find("x.xml"), "other/x.xml");
  assert_string_equal(find("as/x.xml/deep/er"), "as/x.xml");
  assert_string_equal(find("as/x.xmls"), "");
}

static void deletion(void** state) {
  (void)state;
  assert_int_equal(sn_deleteFileVFS(&vfs, "a"), -1);
  add("a.x");
  assert_int_equal(sn_deleteFileVFS(&vfs, "q/A.X"), 0);
  assert_int_equal(sn_deleteFileVFS(&vfs, "a.x"), -1);
  add("d/a.x");
  assert_int_equal(sn_deleteFileVFS(&vfs, "a.x"), -1);
  assert_int_equal(sn_deleteFileVFS(&vfs, "d/a.x"), 0);
}

static void badCalls(void** state) {
  (void)state;
  assert_int_equal(sn_addBufferVFS(NULL, "a", "b", 1), -1);
  assert_int_equal(sn_addBufferVFS(&vfs, NULL, "b", 1), -1);
  assert_int_equal(sn_addBufferVFS(&vfs, "a", NULL, 1), -1);
  assert_int_equal(sn_addBufferVFS(&vfs, "a", "b", -1), -1);
  assert_int_equal(sn_addBufferVFS(&vfs, "a", NULL, 0), 0);
  assert_int_equal(sn_addFileVFS(&vfs, "/", "no such file"), -1);
  assert_int_equal(sn_addFileVFS(&vfs, NULL, "/"), 0);  // a folder is an empty file
  assert_int_equal(sn_unmountVFS(&vfs, "a"), 0);        // a file
  assert_int_equal(sn_unmountVFS(&vfs, "a"), -1);
  sn_defaultVFS(NULL);
  sn_deleteVFS(NULL);
}

static void paths(void** state) {
  (void)state;
  char text[32];
  assert_string_equal(sn_pathFile("a/b\\c.d"), "c.d");
  sn_pathStem("x.y/a.b.c", text, sizeof(text));
  assert_string_equal(text, "a.b");
  sn_pathStem("x.y/a", text, sizeof(text));
  assert_string_equal(text, "a");
  sn_pathDirectory("a/b/c", text, sizeof(text));
  assert_string_equal(text, "a/b/");
  sn_pathJoin("a", "b", text, sizeof(text));
  assert_string_equal(text, "a/b");
  sn_pathJoin("a/", "b", text, sizeof(text));
  assert_string_equal(text, "a/b");
  sn_pathJoin("a", "/b", text, sizeof(text));
  assert_string_equal(text, "/b");
  assert_int_equal(sn_pathJoin("a", "0123456789012345678901234567890123456789", text, sizeof(text)),
                   0);
}

// does a file of the disk open?
static int opens(const char* name) {
  snResource resource;
  int failed = sn_openResource(&resource, &vfs, NULL, name, NULL, 0);
  if (!failed) sn_closeResource(&resource);
  return !failed;
}

static void limitsOfFiles(void** state) {
  (void)state;
  assert_true(opens(SN_MODELS "/arm.xml"));
  assert_int_equal(sn_limitFilesVFS(&vfs, NULL), 0);
  assert_false(opens(SN_MODELS "/arm.xml"));
  assert_int_equal(sn_limitFilesVFS(&vfs, SN_MODELS "/there/is/none"), -1);
  assert_false(opens(SN_MODELS "/arm.xml"));
  assert_int_equal(sn_limitFilesVFS(&vfs, SN_MODELS), 0);
  assert_true(opens(SN_MODELS "/arm.xml"));
  assert_true(opens(SN_MODELS "/../models/arm.xml"));
  assert_false(opens(SN_MODELS "/../README.md"));
  assert_int_equal(add("a.xml"), 0);  // what is in memory is not a file of the disk
  assert_true(opens("/elsewhere/a.xml"));
  assert_int_equal(sn_limitFilesVFS(&vfs, "/"), 0);
  assert_true(opens(SN_MODELS "/../README.md"));
  assert_int_equal(sn_limitFilesVFS(NULL, "/"), -1);
}

static void contentTypes(void** state) {
  (void)state;
  char text[64];
  static const char* const files[][2] = {
      {"a.OBJ", "model/obj"},
      {"d/a.stl", "model/stl"},
      {"a.msh", "model/vnd.mujoco.msh"},
      {"a.Png", "image/png"},
      {"a.ply", "model/ply"},
      {"a.foo", ""},
      {"obj", ""},
      {"a.objx", ""},
      {"a.obj/b", ""},
  };
  for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
    assert_int_equal(sn_contentType("", files[i][0], text, sizeof(text)), 0);
    assert_string_equal(text, files[i][1]);
  }
  assert_int_equal(sn_contentType("image/ktx; a=b", "a.png", text, sizeof(text)), 0);
  assert_string_equal(text, "image/ktx");
  static const char* const bad[] = {"foo", "/", "model/", "/obj", "model/obj;x", "a b/c"};
  for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
    assert_int_equal(sn_contentType(bad[i], "a.png", text, sizeof(text)), -1);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(namesAreNormalized, setUp, tearDown),
      cmocka_unit_test_setup_teardown(fullNameWins, setUp, tearDown),
      cmocka_unit_test_setup_teardown(nearestNameWins, setUp, tearDown),
      cmocka_unit_test_setup_teardown(deletion, setUp, tearDown),
      cmocka_unit_test_setup_teardown(badCalls, setUp, tearDown),
      cmocka_unit_test_setup_teardown(limitsOfFiles, setUp, tearDown),
      cmocka_unit_test(paths),
      cmocka_unit_test(contentTypes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
