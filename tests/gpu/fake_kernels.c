// The kernels of the driver without a GPU (fake_cuda.c): what a kernel does with a world (gpu/world.h),
// by one lane, for one world after the other. Compiled once per precision, each time with an engine of its
// own.

#include "gpu/trial.h"
#include "gpu/world.h"

#include <string.h>

#include "render/easel.h"

#ifdef SN_SINGLE
#define RUN_WORLD sn_fakeRunSingle
#else
#define RUN_WORLD sn_fakeRunDouble
#endif

enum { LAUNCH_FAILED = 719 };

__attribute__((visibility("default"))) int RUN_WORLD(const char* name, const snWorlds* w, int i,
                                                     void** a);

// an argument of a kernel
#define ARGUMENT(type, number) (*(type*)a[number])

int RUN_WORLD(const char* name, const snWorlds* w, int i, void** a) {
  const snModel* m = sn_worldModel(w, i);
  snData* d = sn_worldData(w, i);
#define KERNEL(kernel) if (!strcmp(name, "sn_kernel" #kernel))
  KERNEL(Spread) return sn_spreadWorld(w, i, ARGUMENT(int64_t, 1)), 0;
  KERNEL(Reset) {
    const snByte* mask = ARGUMENT(const snByte*, 1);
    if (mask && !mask[i]) return 0;
    sn_forgetFailure(ARGUMENT(int*, 3), i);
    return sn_resetDataKeyframe(m, d, ARGUMENT(int, 2)), 0;
  }
  KERNEL(Step) return sn_stepWorld(w, i, (const snStepCall*)a[1]), 0;
  KERNEL(Step_16) return sn_stepWorld(w, i, (const snStepCall*)a[1]), 0;
  KERNEL(Forward) return sn_forward(m, d), 0;
  KERNEL(Forces) return sn_rnePostConstraint(m, d), 0;
  KERNEL(Save) return sn_saveWorld(m, d, sn_savedWorld(m, (const snSavedWorlds*)a[1], i)), 0;
  KERNEL(Restore) return sn_restoreWorld(m, d, sn_savedWorld(m, (const snSavedWorlds*)a[1], i)), 0;
  KERNEL(Counts) return sn_countWorld(w, i, ARGUMENT(int*, 1)), 0;
  KERNEL(Contacts) {
    return sn_contactsOfWorld(w, i, ARGUMENT(int*, 1), ARGUMENT(snReal*, 2), ARGUMENT(int, 3)), 0;
  }
  KERNEL(Try) return sn_tryWorld(w, i, (const snTrials*)a[1]), 0;
  KERNEL(Difference) return sn_differenceWorld(w, i, (const snTrials*)a[1]), 0;
  if (!strncmp(name, "sn_kernelDraw", strlen("sn_kernelDraw"))) {
    const RenderCall* call = (const RenderCall*)a[1];
    return snr_drawPhase(w, call, call->phase, i), 0;
  }
  KERNEL(GetState) {
    return sn_getState(m, d, ARGUMENT(snReal*, 1) + (int64_t)i * ARGUMENT(int, 2),
                       ARGUMENT(int, 3)),
           0;
  }
  KERNEL(SetState) {
    sn_forgetFailure(ARGUMENT(int*, 4), i);
    return sn_setState(m, d, ARGUMENT(snReal*, 1) + (int64_t)i * ARGUMENT(int, 2),
                       ARGUMENT(int, 3)),
           0;
  }
  return LAUNCH_FAILED;
}
