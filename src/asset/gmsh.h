// Meshes of points and elements from files of Gmsh, versions 2.2 and 4.1, text and binary.
//
// A file is a list of sections. Those of nodes and elements are read, the first of each kind,
// whatever their order; both must be of one piece: one block (4.1) or one type of element (2.2).
// The dimension of the elements is that of the mesh.
//
// Text is read as a stream of numbers: the ends of lines mean nothing but for the counts of 2.2,
// which stand alone on the first line of their section.

#ifndef SINEW_ASSET_GMSH_H_
#define SINEW_ASSET_GMSH_H_

#include "asset/work.h"

SN_EXTERN_C_BEGIN

typedef struct snGmsh_ {
  int dim;  // 1: lines, 2: triangles, 3: tetrahedra
  int npoint;
  int nelem;
  double* point;  // npoint x 3
  int* elem;      // nelem x (dim + 1): indices of points, not checked against npoint
  size_t where;   // byte at which an error was found
} snGmsh;

// Read a file; arrays come from the pool of the results. Returns 0, or -1 with the reason.
int sn_readGmsh(snWork* work, snGmsh* mesh, snBytes file);

// Line of a byte of a file, from 1.
int sn_lineOf(snBytes file, size_t where);

// ---- of the files of the reader ----

// A section: the bytes between its tags, one byte after the first of them, and where they are.
typedef struct snGmshPart_ {
  const char* data;
  size_t size;
  size_t at;  // next byte to be read
} snGmshPart;

enum { snGMSH_MAXCOUNT = 1 << 28 };  // nodes or elements of a file

int sn_readGmshText22(snWork* work, snGmsh* mesh, snGmshPart* nodes, snGmshPart* elements);
int sn_readGmshText41(snWork* work, snGmsh* mesh, snGmshPart* nodes, snGmshPart* elements);
int sn_readGmshBinary22(snWork* work, snGmsh* mesh, snGmshPart* nodes, snGmshPart* elements);
int sn_readGmshBinary41(snWork* work, snGmsh* mesh, snGmshPart* nodes, snGmshPart* elements);

// The next count or tag of a text: 64 bits, a minus sign wraps it around; 0 when there is none, or none that fits.
int sn_gmshTag(snGmshPart* part, uint64_t* value);

// Index of a point from its tag: the lower 32 bits of their difference, as MuJoCo takes them.
static inline int sn_gmshIndex(uint64_t tag, uint64_t first) {
  return (int)(int32_t)(uint32_t)(tag - first);
}

SN_EXTERN_C_END

#endif  // SINEW_ASSET_GMSH_H_
