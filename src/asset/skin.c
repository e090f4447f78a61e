#include "asset/skin.h"

#include <string.h>

#include "asset/algebra.h"
#include "base/assert.h"

enum { HEADER = 16, BONE = snSKIN_NAME + 32 };  // bone: name, bindpos, bindquat, count

// ---- file ----

static const float* readFloats(snWork* work, snBytes file, size_t* at, int count) {
  SN_ASSERT(count >= 0 && *at <= file.size && (file.size - *at) / 4 >= (size_t)count);
  float* values = SN_KEEP(work, float, count);
  for (int i = 0; values && i < count; i++, *at += 4) values[i] = sn_readFloat(file, *at);
  return values;
}

static const int* readInts(snWork* work, snBytes file, size_t* at, int count) {
  SN_ASSERT(count >= 0 && *at <= file.size && (file.size - *at) / 4 >= (size_t)count);
  int* values = SN_KEEP(work, int, count);
  for (int i = 0; values && i < count; i++, *at += 4) values[i] = sn_readInt(file, *at);
  return values;
}

static int readBone(snWork* work, snSkinBone* bone, int index, snBytes file, size_t* at) {
  SN_ASSERT(*at <= file.size);
  if (file.size - *at < BONE)
    return sn_fail(work, "insufficient data in SKN file '%s'", work->file);
  char* name = SN_KEEP(work, char, snSKIN_NAME);
  if (!name) return -1;
  memcpy(name, file.data + *at, snSKIN_NAME - 1);
  bone->body = name;
  *at += snSKIN_NAME;
  for (int k = 0; k < 3; k++, *at += 4) bone->bindpos[k] = sn_readFloat(file, *at);
  for (int k = 0; k < 4; k++, *at += 4) bone->bindquat[k] = sn_readFloat(file, *at);
  int count = sn_readInt(file, *at);
  *at += 4;
  if (count < 1) return sn_fail(work, "vertex count must be positive in SKN file '%s'", work->file);
  if ((file.size - *at) / 8 < (size_t)count) {
    return sn_fail(work, "insufficient vertex data in SKN file '%s', bone %d", work->file, index);
  }
  bone->vertid = readInts(work, file, at, count);
  bone->vertweight = readFloats(work, file, at, count);
  bone->nvertid = bone->nvertweight = count;
  return bone->vertid && bone->vertweight ? 0 : -1;
}

static int readFile(snWork* work, snSkin* skin, snBytes file) {
  if (!file.size) return sn_fail(work, "SKN file '%s' is empty", work->file);
  if (file.size < HEADER) return sn_fail(work, "missing header in SKN file '%s'", work->file);
  int nvert = sn_readInt(file, 0), ntexcoord = sn_readInt(file, 4);
  int nface = sn_readInt(file, 8), nbone = sn_readInt(file, 12);
  if (nvert < 0 || ntexcoord < 0 || nface < 0 || nbone < 0) {
    return sn_fail(work, "negative size in header of SKN file '%s'", work->file);
  }
  uint64_t bytes = 12 * (uint64_t)nvert + 8 * (uint64_t)ntexcoord + 12 * (uint64_t)nface;
  if (bytes > file.size - HEADER || bytes > INT32_MAX ||
      (uint64_t)nbone * BONE > file.size - HEADER - bytes) {
    return sn_fail(work, "insufficient data in SKN file '%s'", work->file);
  }
  size_t at = HEADER;
  skin->vert = readFloats(work, file, &at, 3 * nvert);
  skin->texcoord = readFloats(work, file, &at, 2 * ntexcoord);
  skin->face = readInts(work, file, &at, 3 * nface);
  snSkinBone* bones = SN_KEEP(work, snSkinBone, nbone);
  if (!skin->vert || !skin->texcoord || !skin->face || !bones) return -1;
  skin->nvert = 3 * nvert;
  skin->ntexcoord = 2 * ntexcoord;
  skin->nface = 3 * nface;
  skin->bones = bones;
  skin->nbone = nbone;
  for (int i = 0; i < nbone; i++) {
    if (readBone(work, bones + i, i, file, &at)) return -1;
  }
  if (at != file.size) return sn_fail(work, "unexpected buffer size in SKN file '%s'", work->file);
  return 0;
}

// ---- element ----

static const void* copyArray(snWork* work, const void* source, int count, size_t size) {
  void* copy = sn_keep(work, (size_t)count, size);
  if (copy && count) memcpy(copy, source, (size_t)count * size);
  return copy;
}

static int copyElement(snWork* work, snSkin* skin, const snSkin* element) {
  skin->vert = copyArray(work, element->vert, element->nvert, sizeof(float));
  skin->texcoord = copyArray(work, element->texcoord, element->ntexcoord, sizeof(float));
  skin->face = copyArray(work, element->face, element->nface, sizeof(int));
  snSkinBone* bones = SN_KEEP(work, snSkinBone, element->nbone);
  if (!skin->vert || !skin->texcoord || !skin->face || !bones) return -1;
  skin->nvert = element->nvert;
  skin->ntexcoord = element->ntexcoord;
  skin->nface = element->nface;
  skin->nbone = element->nbone;
  skin->bones = bones;
  for (int i = 0; i < element->nbone; i++) {
    const snSkinBone* source = element->bones + i;
    bones[i] = *source;
    size_t length = source->body ? strlen(source->body) : 0;
    bones[i].body = copyArray(work, source->body ? source->body : "", (int)length + 1, 1);
    bones[i].vertid = copyArray(work, source->vertid, source->nvertid, sizeof(int));
    bones[i].vertweight = copyArray(work, source->vertweight, source->nvertweight, sizeof(float));
    if (!bones[i].body || !bones[i].vertid || !bones[i].vertweight) return -1;
  }
  return 0;
}

// ---- checks ----

static int checkSizes(snWork* work, const snSkin* skin) {
  if (!skin->nvert || !skin->nface || !skin->nbone) {
    return sn_fail(work, "Missing data in skin");
  }
  if (skin->nvert % 3) return sn_fail(work, "Vertex data must be multiple of 3");
  if (skin->nface % 3) return sn_fail(work, "Face data must be multiple of 3");
  int nvert = skin->nvert / 3;
  if (skin->ntexcoord && skin->ntexcoord != 2 * nvert) {
    return sn_fail(work, "Vertex and texcoord data incompatible size");
  }
  return 0;
}

static int checkBones(snWork* work, const snSkin* skin) {
  int nvert = skin->nvert / 3;
  for (int i = 0; i < skin->nbone; i++) {
    const snSkinBone* bone = skin->bones + i;
    if (bone->nvertid != bone->nvertweight || !bone->nvertid) {
      return sn_fail(work, "vertid and vertweight must have same non-zero size in skin");
    }
    for (int j = 0; j < bone->nvertid; j++) {
      if (bone->vertid[j] < 0 || bone->vertid[j] >= nvert) {
        return sn_fail(work, "vertid %d out of range in skin", bone->vertid[j]);
      }
    }
  }
  return 0;
}

// MuJoCo takes any index
static int checkFaces(snWork* work, const snSkin* skin) {
  int nvert = skin->nvert / 3;
  for (int i = 0; i < skin->nface; i++) {
    if (skin->face[i] < 0 || skin->face[i] >= nvert) {
      return sn_fail(work, "in face %d, vertex index %d does not exist", i / 3, skin->face[i]);
    }
  }
  return 0;
}

// Weights of a vertex sum to 1; the orientations of bones are unit quaternions.
static int normalize(snWork* work, snSkin* skin) {
  int nvert = skin->nvert / 3;
  float* total = SN_SCRATCH(work, float, nvert);
  if (!total) return -1;
  for (int i = 0; i < skin->nbone; i++) {
    const snSkinBone* bone = skin->bones + i;
    for (int j = 0; j < bone->nvertid; j++) total[bone->vertid[j]] += bone->vertweight[j];
  }
  for (int i = 0; i < nvert; i++) {
    if (!(total[i] > snMINVAL)) {
      return sn_fail(work, "vertex %d must have positive total weight in skin", i);
    }
  }
  snSkinBone* bones = (snSkinBone*)skin->bones;
  for (int i = 0; i < skin->nbone; i++) {
    float* weight = (float*)bones[i].vertweight;
    for (int j = 0; j < bones[i].nvertid; j++) weight[j] /= total[bones[i].vertid[j]];
    double quat[4];
    for (int k = 0; k < 4; k++) quat[k] = bones[i].bindquat[k];
    sn_normalizeVec(quat, 4);
    for (int k = 0; k < 4; k++) bones[i].bindquat[k] = (float)quat[k];
  }
  return 0;
}

int sn_checkSkinFile(const snSkin* element, const char* file_name, char* error, int error_sz) {
  snWork work = {.error = error, .error_sz = error_sz};
  if (!file_name[0]) return 0;
  if (element->nvert || element->nface || element->nbone || element->ntexcoord) {
    return sn_fail(&work, "Both skin data and file were specified: %s", file_name);
  }
  size_t length = strlen(file_name);
  if (length < 4 || (strcmp(file_name + length - 4, ".skn") != 0 &&
                     strcmp(file_name + length - 4, ".SKN") != 0)) {
    return sn_fail(&work, "Unknown skin file type: %s", file_name);
  }
  return 0;
}

int sn_readSkin(snSkin* skin, const snSkin* element, snBytes file, const char* file_name,
                char* error, int error_sz) {
  memset(skin, 0, sizeof(*skin));
  snWork work = {.keep = &skin->pool, .error = error, .error_sz = error_sz};
  work.file = file_name;
  int isFile = file_name && file_name[0];
  int failed = isFile ? readFile(&work, skin, file) : copyElement(&work, skin, element);
  sn_poolRelease(&work.scratch);
  if (failed) sn_freeSkin(skin);
  return failed ? -1 : 0;
}

int sn_checkSkin(const snSkin* skin, const char* file_name, char* error, int error_sz) {
  snWork work = {.error = error, .error_sz = error_sz};
  work.file = file_name;
  return checkSizes(&work, skin);
}

int sn_compileSkin(snSkin* skin, const char* file_name, char* error, int error_sz) {
  snWork work = {.keep = &skin->pool, .error = error, .error_sz = error_sz};
  work.file = file_name;
  int failed = checkBones(&work, skin) || normalize(&work, skin) || checkFaces(&work, skin);
  sn_poolRelease(&work.scratch);
  return failed ? -1 : 0;
}

void sn_freeSkin(snSkin* skin) {
  sn_poolRelease(&skin->pool);
  memset(skin, 0, sizeof(*skin));
}
