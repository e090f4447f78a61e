// Settings of deformables in a build without them (SN_DEFORM OFF).

#include "sinew/deformable.h"

int sns_setDeformableSolver(snsDeformable* deformable, const char* name) {
  return (void)deformable, (void)name, 0;
}
