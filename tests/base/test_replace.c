// Files are replaced whole: killed, out of room or refused, what was there stays.

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"

#include "base/replace.h"

static char folder[] = "/tmp/sinew_replace_XXXXXX";
static char path[200];

static int setUp(void** state) {
  (void)state;
  if (!mkdtemp(folder)) return -1;
  snprintf(path, sizeof(path), "%s/model", folder);
  return 0;
}

static int tearDown(void** state) {
  (void)state;
  char command[300];
  snprintf(command, sizeof(command), "rm -rf '%s'", folder);
  return system(command);
}

// the size of a file whose bytes are all the same, -1 when they are not
static long sizeOf(const char* name, char letter) {
  FILE* file = fopen(name, "rb");
  assert_non_null(file);
  long count = 0;
  for (int c; (c = fgetc(file)) != EOF; count++) {
    if (c != letter) count = -1000000000;
  }
  fclose(file);
  return count;
}

static void fillFile(const char* name, char letter, size_t bytes) {
  char* text = (char*)malloc(bytes + 1);
  assert_non_null(text);
  memset(text, letter, bytes);
  int sound = sn_replaceFile(name, text, bytes);
  free(text);
  assert_true(sound);
}

static void test_a_process_that_is_killed_leaves_a_whole_file(void** state) {
  (void)state;
  enum { BYTES = 4 << 20 };
  fillFile(path, 'a', BYTES);
  for (int round = 0; round < 30; round++) {
    pid_t child = fork();
    if (!child) {
      for (;;) {
        fillFile(path, 'b', BYTES);
        fillFile(path, 'a', BYTES);
      }
    }
    usleep(1000 * (useconds_t)(round + 1));
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    int letter = fgetc(file);
    fclose(file);
    assert_int_equal(sizeOf(path, (char)letter), BYTES);
  }
}

static void test_a_write_that_fails_leaves_the_old_file(void** state) {
  (void)state;
  fillFile(path, 'a', 1000);
  pid_t child = fork();
  if (!child) {
    static char large[1 << 20];
    struct rlimit limit = {100000, 100000};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    _exit(sn_replaceFile(path, large, sizeof(large)) || errno != EFBIG);
  }
  int code;
  waitpid(child, &code, 0);
  assert_int_equal(code, 0);
  assert_int_equal(sizeOf(path, 'a'), 1000);
}

static void test_links_rights_and_devices_stay(void** state) {
  (void)state;
  char link[300];
  struct stat status;
  fillFile(path, 'a', 10);
  assert_int_equal(chmod(path, 0640), 0);
  snprintf(link, sizeof(link), "%s/link", folder);
  assert_int_equal(symlink(path, link), 0);
  fillFile(link, 'c', 20);
  assert_int_equal(lstat(link, &status), 0);
  assert_true(S_ISLNK(status.st_mode));
  assert_int_equal(sizeOf(path, 'c'), 20);
  assert_int_equal(stat(path, &status), 0);
  assert_int_equal(status.st_mode & 07777, 0640);
  fillFile("/dev/null", 'x', 10);
  assert_int_equal(stat("/dev/null", &status), 0);
  assert_true(S_ISCHR(status.st_mode));
  assert_int_equal(sn_replaceFile("/dev/full", "x", 1), 0);
  assert_int_equal(errno, ENOSPC);
  snprintf(link, sizeof(link), "%s/none/file", folder);
  assert_int_equal(sn_replaceFile(link, "x", 1), 0);
  assert_int_equal(errno, ENOENT);
  assert_int_equal(sn_replaceFile(folder, "x", 1), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_process_that_is_killed_leaves_a_whole_file),
      cmocka_unit_test(test_a_write_that_fails_leaves_the_old_file),
      cmocka_unit_test(test_links_rights_and_devices_stay),
  };
  return cmocka_run_group_tests(tests, setUp, tearDown);
}
