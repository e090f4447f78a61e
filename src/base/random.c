// Random numbers from the C library's generator: not for the engine.

#include <math.h>
#include <stdlib.h>

#include "sinew/sinew.h"

// polar method of Marsaglia on the C library's generator
snReal snu_standardNormal(snReal* num2) {
  snReal x, y, ss;
  do {
    x = 2 * ((snReal)rand() / (snReal)RAND_MAX) - 1;
    y = 2 * ((snReal)rand() / (snReal)RAND_MAX) - 1;
    ss = x * x + y * y;
  } while (ss >= 1 || ss == 0);
  snReal scale = (snReal)sqrt(-2 * log((double)ss) / (double)ss);
  if (num2) *num2 = y * scale;
  return x * scale;
}
