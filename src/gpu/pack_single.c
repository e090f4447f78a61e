// The packer of single-precision images.
#define SN_SINGLE
#include "gpu/pack.c"
