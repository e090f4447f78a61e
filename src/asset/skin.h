// Skins: triangle surfaces whose vertices follow weighted bones.

#ifndef SINEW_ASSET_SKIN_H_
#define SINEW_ASSET_SKIN_H_

#include "asset/work.h"

SN_EXTERN_C_BEGIN

enum { snSKIN_NAME = 40 };  // bytes of a bone's body name in a file, with its end

typedef struct snSkinBone_ {
  const char* body;
  float bindpos[3];
  float bindquat[4];
  const int* vertid;
  const float* vertweight;
  int nvertid;
  int nvertweight;
} snSkinBone;

// A skin as a file or an element gives it, and after compilation. Counts of vert, texcoord and face
// are numbers of floats and ints.
typedef struct snSkin_ {
  snPool pool;  // owns the arrays of a compiled skin
  const float* vert;
  const float* texcoord;
  const int* face;
  const snSkinBone* bones;
  int nvert, ntexcoord, nface, nbone;
} snSkin;

// Whether a skin may be read from a file: it has no data of its own, and the name is that of a skin. Returns 0,
// or -1 with the reason.
int sn_checkSkinFile(const snSkin* element, const char* file_name, char* error, int error_sz);

// Read a skin: from the file when one is given (file_name not empty; the element must then have
// no data), else from the arrays of the element. Body names of bones are for the caller to resolve.
// Returns 0, or -1 with the reason; the skin is empty then.
int sn_readSkin(snSkin* skin, const snSkin* element, snBytes file, const char* file_name,
                char* error, int error_sz);
// Check how many numbers a skin has that was read. Returns 0, or -1 with the reason.
int sn_checkSkin(const snSkin* skin, const char* file_name, char* error, int error_sz);
// Check bones and faces of one with the right sizes, and normalise its weights. Returns 0, or -1 with the reason.
int sn_compileSkin(snSkin* skin, const char* file_name, char* error, int error_sz);
void sn_freeSkin(snSkin* skin);

SN_EXTERN_C_END

#endif  // SINEW_ASSET_SKIN_H_
