// Models with deformables in a build without them (SN_DEFORM OFF), from a binary file.

#include "model/validate.h"

const char* sn_validateDeformables(const snModel* m) {
  if (m->ndeformable || m->ndeformbody || m->ndeformcolor) {
    return "Invalid model: this library was built without deformables.";
  }
  return NULL;
}
