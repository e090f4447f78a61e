// An error handler that jumps out, a warning handler that collects, memory hooks that count.
#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf escape;
static char last[1000];
static int warnings, balance;

static void onError(const char* text) {
  snprintf(last, sizeof(last), "%s", text);
  longjmp(escape, 1);
}
static void onWarning(const char* text) {
  warnings++;
  printf("warning: %s\n", text);
}
static void* allocate(size_t size) {
  balance++;
  return aligned_alloc(64, (size + 63) / 64 * 64);
}
static void release(void* memory) {
  if (memory) balance--;
  free(memory);
}

int main(void) {
  char error[500];
  mju_user_error = onError;
  mju_user_warning = onWarning;
  mju_user_malloc = allocate;
  mju_user_free = release;
  mjSpec* spec = mj_parseXMLString(
      "<mujoco><worldbody><body><joint type='slide'/><geom size='.1'/></body></worldbody></mujoco>",
      NULL, error, sizeof(error));
  mjModel* m = mj_compile(spec, NULL);
  mjData* d = mj_makeData(m);
  mj_deleteSpec(spec);
  if (!setjmp(escape)) mju_error("my own error %d", 5);
  printf("%s\n", last);
  if (!setjmp(escape)) {
    mjtNum state[10];
    mj_getState(m, d, state, 1 << 25);
  } else {
    printf("caught: %d %d\n", strstr(last, "mj_getState") != NULL,
           strstr(last, "invalid state signature") != NULL);
  }
  if (!setjmp(escape)) {
    mj_markStack(d);
    mj_stackAllocNum(d, 1 << 28);
  } else {
    printf("caught: %d\n", strstr(last, "overflow") != NULL);
    mj_freeStack(d);
  }
  d->qpos[0] = mjMAXVAL * 2;
  mj_step(m, d);
  d->qvel[0] = 0.0 / 0.0 * (d->time + 1);
  mj_step(m, d);
  printf("warnings %d, counted %d %d\n", warnings, d->warning[mjWARN_BADQPOS].number,
         d->warning[mjWARN_BADQVEL].number);
  printf("%s\n", mju_warningText(mjWARN_BADCTRL, 3));
  mju_warning("custom %s", "text");
  for (int i = 0; i < 10; i++) mj_step(m, d);
  printf("%.8f\n", d->qpos[0]);
  mj_deleteData(d);
  mj_deleteModel(m);
  printf("balance %d\n", balance);
  mju_clearHandlers();
  printf("cleared %d\n", mju_user_error == NULL && mju_user_malloc == NULL);
  return 0;
}
