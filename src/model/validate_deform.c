// Deformables of a model: the constraints of a colour share no vertex, so that lanes that solve them at
// the same time never write the same one.

#include <stdint.h>

#include "base/assert.h"
#include "base/memory.h"
#include "model/validate.h"

// vertices of the constraints of a kind, how many each has, and how many constraints there are
static const int* constraintVertices(const snModel* m, int kind, int* width, snSize* count) {
  const int* const vertices[] = {m->deformtether_vert, m->deformedge_vert, m->deformbend_vert,
                                 m->deformtet_vert, m->deformtwist_vert};
  const snSize counts[] = {m->ndeformtether, m->ndeformedge, m->ndeformbend, m->ndeformtet,
                           m->ndeformtwist};
  *width = kind == snDEFORM_LENGTH || kind == snDEFORM_TETHER ? 2 : 4;
  SN_ASSERT_INDEX(kind, (int)(sizeof(counts) / sizeof(counts[0])));
  *count = counts[kind];
  return vertices[kind];
}

// A constraint may name a vertex twice (of three vertices); two of one colour may not share any.
static const char* checkColors(const snModel* m, snSize* owner) {
  for (snSize vertex = 0; vertex < m->ndeformvert; vertex++) owner[vertex] = -1;
  snSize number = 0;
  for (int color = 0; color < (int)m->ndeformcolor; color++) {
    int width;
    snSize count, first = number;
    const int* vertices = constraintVertices(m, m->deformcolor_kind[color], &width, &count);
    snSize adr = m->deformcolor_adr[color], num = m->deformcolor_num[color];
    if (adr < 0 || adr + num > count) return "Invalid model: deformcolor_adr out of bounds.";
    for (snSize i = adr; i < adr + num; i++, number++) {
      for (int k = 0; k < width; k++) {
        snSize* by = owner + vertices[width * i + k];
        if (*by >= first && *by != number) {
          return "Invalid model: constraints of one colour share a vertex.";
        }
        *by = number;
      }
    }
  }
  return NULL;
}

// Every vertex belongs to the deformable whose range it is in; the ranges are as long as all vertices
// together, so that then none overlaps another and no vertex is left out.
static const char* checkRanges(const snModel* m) {
  for (int deform = 0; deform < (int)m->ndeformable; deform++) {
    int adr = m->deformable_vertadr[deform], num = m->deformable_vertnum[deform];
    for (int i = adr; i < adr + num; i++) {
      if (m->deformvert_deformid[i] != deform) {
        return "Invalid model: deformvert_deformid is not the deformable that has the vertex.";
      }
    }
  }
  return NULL;
}

// Faces have vertices of their own deformable: two of a piece of a chain, else three.
static const char* checkFaces(const snModel* m) {
  for (int deform = 0; deform < (int)m->ndeformable; deform++) {
    int corners = m->deformable_type[deform] == snDEFORMABLE_CHAIN ? 2 : 3;
    const int* vert = m->deformface_vert + 3 * (snSize)m->deformable_faceadr[deform];
    for (snSize i = 0; i < 3 * (snSize)m->deformable_facenum[deform]; i++) {
      int owner = vert[i] < 0 ? -1 : m->deformvert_deformid[vert[i]];
      if (owner != (i % 3 < corners ? deform : -1)) {
        return "Invalid model: deformface_vert is not a vertex of the deformable.";
      }
    }
  }
  return NULL;
}

const char* sn_validateDeformables(const snModel* m) {
  if (m->ndeformbody != (m->ndeformable ? m->nbody : 0)) {
    return "Invalid model: ndeformbody is neither nbody nor 0.";
  }
  if (m->ndeformcolor < 0 || m->ndeformcolor > INT32_MAX) {
    return "Invalid model: ndeformcolor out of range.";
  }
  if (!m->ndeformable)
    return m->ndeformcolor ? "Invalid model: colours without deformables." : NULL;
  const char* reason = checkRanges(m);
  if (!reason) reason = checkFaces(m);
  if (reason) return reason;
  snSize* owner = (snSize*)snu_malloc((size_t)(m->ndeformvert + 1) * sizeof(snSize));
  if (!owner) return "Invalid model: out of memory.";
  reason = checkColors(m, owner);
  snu_free(owner);
  return reason;
}
