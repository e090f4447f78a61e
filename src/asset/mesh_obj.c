// OBJ in two passes: the first counts lines by keyword, the second fills arrays of the right size.

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "asset/mesh_file.h"
#include "base/assert.h"

// A corner of a face: indices of vertex, texture coordinate and normal, -1 for none.
typedef struct Corner_ {
  int vert, texcoord, normal;
} Corner;

typedef struct Reader_ {
  snWork* work;
  const char* at;
  const char* end;
  float* vert;
  float* normal;
  float* texcoord;
  int nvert, nnormal, ntexcoord;  // elements read so far
  Corner* face;                   // corners of the first shape's faces
  int* length;                    // corners of each face
  size_t nface, nfacecorner;
  Corner* polygon;  // face that is being triangulated
  Corner* corner;   // output: three per triangle
  size_t ncorner;
  int shape_done;  // the first shape has ended
  int64_t tests;   // point tests of ear clipping so far
} Reader;

// Most point tests of ear clipping in a file: clipping is cubic in the corners of a face, so a bad
// face could take for ever.
static const int64_t max_tests = 1000000000;

// MuJoCo leaves out faces with more corners than this.
enum { MOST_CORNERS = 100 };

static int isBlank(char c) { return c == ' ' || c == '\t'; }

// lines end as on any system
static int isEnd(char c) { return c == '\n' || c == '\r'; }

static void skipBlanks(Reader* r) {
  while (r->at < r->end && isBlank(*r->at)) r->at++;
}

static void skipLine(Reader* r) {
  const char* newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
  const char* end = newline ? newline : r->end;
  const char* other = memchr(r->at, '\r', (size_t)(end - r->at));
  r->at = other ? other + 1 : newline ? newline + 1 : r->end;
}

static int isDigit(char c) { return c >= '0' && c <= '9'; }

// Any number in the C locale's notation, by the library; slow.
static double parseAny(const char* at, const char* end) {
  char text[64];
  size_t length = (size_t)(end - at);
  if (length >= sizeof(text)) length = sizeof(text) - 1;
  memcpy(text, at, length);
  text[length] = '\0';
  char* point = strchr(text, '.');
  const char* local = localeconv()->decimal_point;
  if (point && local && local[0] && !local[1]) *point = local[0];
  return strtod(text, NULL);
}

// A number; other text gives 0. Up to 15 digits and small powers of ten are exact in double.
static double parseNumber(const char* start, const char* end) {
  static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  const char* at = start;
  int negative = at < end && *at == '-';
  if (at < end && (*at == '+' || *at == '-')) at++;
  int64_t mantissa = 0;
  int digits = 0, exponent = 0;
  for (; at < end && isDigit(*at); at++, digits++) {
    if (digits < 16) mantissa = 10 * mantissa + (*at - '0');
  }
  if (at < end && *at == '.') {
    for (at++; at < end && isDigit(*at); at++, digits++, exponent--) {
      if (digits < 16) mantissa = 10 * mantissa + (*at - '0');
    }
  }
  if (at < end && (*at == 'e' || *at == 'E')) {
    at++;
    int minus = at < end && *at == '-', value = 0;
    if (at < end && (*at == '+' || *at == '-')) at++;
    for (; at < end && isDigit(*at); at++) {
      if (value < 1000) value = 10 * value + (*at - '0');
    }
    exponent += minus ? -value : value;
  }
  if (at != end || !digits || digits > 15 || exponent > 22 || exponent < -22) {
    return parseAny(start, end);
  }
  double value =
      exponent < 0 ? (double)mantissa / power[-exponent] : (double)mantissa * power[exponent];
  return negative ? -value : value;
}

// The next numbers of the line; missing ones are 0.
static void readFloats(Reader* r, float* values, int count) {
  for (int i = 0; i < count; i++) {
    skipBlanks(r);
    const char* start = r->at;
    while (r->at < r->end && !isBlank(*r->at) && !isEnd(*r->at)) r->at++;
    values[i] = (float)parseNumber(start, r->at);
  }
}

// One index: 1-based, or negative relative to the count so far; whether it exists is checked when
// all is read. Returns -1 on failure.
static int readIndex(Reader* r, int count, int* index) {
  int negative = 0;
  if (r->at < r->end && (*r->at == '-' || *r->at == '+')) negative = *r->at++ == '-';
  int64_t value = 0;
  while (r->at < r->end && isDigit(*r->at)) {
    if (value < INT32_MAX) value = 10 * value + (*r->at - '0');
    r->at++;
  }
  if (value == 0 || value > INT32_MAX) return -1;
  value = negative ? count - value : value - 1;
  *index = (int)value;
  return 0;
}

static int readCorner(Reader* r, Corner* corner) {
  corner->texcoord = corner->normal = -1;
  if (readIndex(r, r->nvert, &corner->vert)) return -1;
  if (r->at < r->end && *r->at == '/') {
    r->at++;
    if (r->at < r->end && *r->at != '/' && readIndex(r, r->ntexcoord, &corner->texcoord)) return -1;
    if (r->at < r->end && *r->at == '/') {
      r->at++;
      if (readIndex(r, r->nnormal, &corner->normal)) return -1;
    }
  }
  // whatever follows in the same word is ignored
  while (r->at < r->end && !isBlank(*r->at) && !isEnd(*r->at)) r->at++;
  return 0;
}

static void emit(Reader* r, Corner a, Corner b, Corner c) {
  r->corner[r->ncorner++] = a;
  r->corner[r->ncorner++] = b;
  r->corner[r->ncorner++] = c;
}

// The two coordinates in which a polygon is clipped: those that its first bent corner spans best.
static void projectionAxes(const Reader* r, int n, int axes[2]) {
  SN_ASSERT(n > 3);
  axes[0] = 1;
  axes[1] = 2;
  for (int k = 0; k < n; k++) {
    const float* v0 = r->vert + 3 * (size_t)r->polygon[k % n].vert;
    const float* v1 = r->vert + 3 * (size_t)r->polygon[(k + 1) % n].vert;
    const float* v2 = r->vert + 3 * (size_t)r->polygon[(k + 2) % n].vert;
    float e0[3], e1[3];
    for (int i = 0; i < 3; i++) {
      e0[i] = v1[i] - v0[i];
      e1[i] = v2[i] - v1[i];
    }
    float cx = fabsf(e0[1] * e1[2] - e0[2] * e1[1]);
    float cy = fabsf(e0[2] * e1[0] - e0[0] * e1[2]);
    float cz = fabsf(e0[0] * e1[1] - e0[1] * e1[0]);
    const float epsilon = 1.1920929e-7f;
    if (cx > epsilon || cy > epsilon || cz > epsilon) {
      if (!(cx > cy && cx > cz)) {
        axes[0] = 0;
        if (cz > cx && cz > cy) axes[1] = 1;
      }
      return;
    }
  }
}

// Even-odd test of a point against a triangle.
static int insideTriangle(const float x[3], const float y[3], float px, float py) {
  int inside = 0;
  for (int i = 0, j = 2; i < 3; j = i++) {
    if ((y[i] > py) != (y[j] > py) && px < (x[j] - x[i]) * (py - y[i]) / (y[j] - y[i]) + x[i]) {
      inside = !inside;
    }
  }
  return inside;
}

// Whether corner (guess, guess+1, guess+2) of the remaining polygon is an ear.
static int isEar(Reader* r, int n, int guess, const int axes[2], float area) {
  SN_ASSERT_INDEX(guess, n);
  float x[3], y[3];
  for (int i = 0; i < 3; i++) {
    const float* v = r->vert + 3 * (size_t)r->polygon[(guess + i) % n].vert;
    x[i] = v[axes[0]];
    y[i] = v[axes[1]];
  }
  float e0x = x[1] - x[0], e0y = y[1] - y[0], e1x = x[2] - x[1], e1y = y[2] - y[1];
  float cross = e0x * e1y - e0y * e1x;
  if (cross * area < 0) return 0;
  r->tests += n;
  for (int i = 3; i < n; i++) {
    const float* v = r->vert + 3 * (size_t)r->polygon[(guess + i) % n].vert;
    if (insideTriangle(x, y, v[axes[0]], v[axes[1]])) return 0;
  }
  return 1;
}

// Ear clipping of the polygon with n corners, which is consumed.
static void triangulate(Reader* r, int n) {
  SN_ASSERT(n >= 3 && n <= MOST_CORNERS);
  if (n == 3) {
    emit(r, r->polygon[0], r->polygon[1], r->polygon[2]);
    return;
  }
  int axes[2];
  projectionAxes(r, n, axes);
  float area = 0;
  for (int k = 0; k < n; k++) {
    const float* v0 = r->vert + 3 * (size_t)r->polygon[k].vert;
    const float* v1 = r->vert + 3 * (size_t)r->polygon[(k + 1) % n].vert;
    area += (v0[axes[0]] * v1[axes[1]] - v0[axes[1]] * v1[axes[0]]) * 0.5f;
  }

  int guess = 0, budget = n, previous = n;
  while (n > 3 && budget > 0 && r->tests < max_tests) {
    if (guess >= n) guess -= n;
    if (previous != n) {
      previous = n;
      budget = n;
    } else {
      budget--;
    }
    if (!isEar(r, n, guess, axes, area)) {
      guess++;
      continue;
    }
    emit(r, r->polygon[guess], r->polygon[(guess + 1) % n], r->polygon[(guess + 2) % n]);
    int removed = (guess + 1) % n;
    memmove(r->polygon + removed, r->polygon + removed + 1,
            sizeof(Corner) * (size_t)(n - 1 - removed));
    n--;
  }
  if (n == 3) emit(r, r->polygon[0], r->polygon[1], r->polygon[2]);
}

// Read a face; those of the first shape are kept.
static int readFace(Reader* r) {
  int n = 0;
  Corner* corners = r->face + r->nfacecorner;
  for (;; n++) {
    skipBlanks(r);
    if (r->at >= r->end || isEnd(*r->at)) break;
    if (readCorner(r, corners + n)) return -1;
  }
  if (r->shape_done || n < 3) return 0;
  r->nfacecorner += (size_t)n;
  r->length[r->nface++] = n;
  return 0;
}

// Triangulate the kept faces. Those with vertices that do not exist are left for the mesh's checks.
static int triangulateAll(Reader* r) {
  Corner* corners = r->face;
  for (size_t i = 0; i < r->nface; corners += r->length[i++]) {
    int n = r->length[i], exist = 1;
    if (n > MOST_CORNERS) continue;
    for (int k = 0; k < n; k++) exist &= corners[k].vert >= 0 && corners[k].vert < r->nvert;
    memcpy(r->polygon, corners, sizeof(Corner) * (size_t)n);
    if (exist) {
      triangulate(r, n);
    } else {
      for (int k = 2; k < n; k++) emit(r, corners[0], corners[k - 1], corners[k]);
    }
    if (r->tests >= max_tests) return -1;
  }
  return 0;
}

// The keyword of a line if it is one of v, vn, vt, f, g, o; 0 otherwise. Moves behind it.
static int readKeyword(Reader* r) {
  skipBlanks(r);
  size_t left = (size_t)(r->end - r->at);
  if (left < 1) return 0;
  char first = r->at[0], second = left > 1 ? r->at[1] : '\n', third = left > 2 ? r->at[2] : '\n';
  if (first == 'v' && (second == 'n' || second == 't') && (third == ' ' || third == '\t')) {
    r->at += 2;
    return second;
  }
  if ((first == 'v' || first == 'f' || first == 'g' || first == 'o') &&
      (second == ' ' || second == '\t')) {
    r->at += 1;
    return first;
  }
  return 0;
}

// Count lines and the corners of the longest face, and allocate.
static int countLines(Reader* r) {
  size_t nvert = 0, nnormal = 0, ntexcoord = 0, longest = 0, triangles = 0, total = 0, nface = 0;
  const char* start = r->at;
  while (r->at < r->end) {
    int keyword = readKeyword(r);
    nvert += keyword == 'v';
    nnormal += keyword == 'n';
    ntexcoord += keyword == 't';
    if (keyword == 'f') {
      size_t corners = 0;
      int blank = 1;
      for (; r->at < r->end && !isEnd(*r->at); r->at++) {
        corners += blank && !isBlank(*r->at);
        blank = isBlank(*r->at);
      }
      if (corners > longest) longest = corners;
      total += corners;
      nface++;
      if (corners >= 3) triangles += corners - 2;
    }
    skipLine(r);
  }
  r->at = start;
  if (nvert > INT32_MAX / 3 || nnormal > INT32_MAX / 3 || ntexcoord > INT32_MAX / 3 ||
      triangles > INT32_MAX / 3) {
    return sn_fail(r->work, "OBJ file is too large");
  }
  r->vert = SN_KEEP(r->work, float, 3 * nvert);
  r->normal = SN_KEEP(r->work, float, 3 * nnormal);
  r->texcoord = SN_KEEP(r->work, float, 2 * ntexcoord);
  r->face = SN_SCRATCH(r->work, Corner, total);
  r->length = SN_SCRATCH(r->work, int, nface);
  r->polygon = SN_SCRATCH(r->work, Corner, longest);
  r->corner = SN_SCRATCH(r->work, Corner, 3 * triangles);
  int taken = r->vert && r->normal && r->texcoord && r->polygon && r->corner;
  return taken && r->face && r->length ? 0 : -1;
}

static int readLines(Reader* r) {
  while (r->at < r->end) {
    switch (readKeyword(r)) {
      case 'v': readFloats(r, r->vert + 3 * (size_t)r->nvert++, 3); break;
      case 'n': readFloats(r, r->normal + 3 * (size_t)r->nnormal++, 3); break;
      case 't': readFloats(r, r->texcoord + 2 * (size_t)r->ntexcoord++, 2); break;
      case 'f':
        if (readFace(r)) return -1;
        break;
      case 'g':
      case 'o':
        if (r->nface) r->shape_done = 1;
        break;
      default: break;
    }
    skipLine(r);
  }
  return triangulateAll(r);
}

int sn_readObj(snWork* work, snMeshArrays* arrays, snBytes file, const char* file_name, int right) {
  Reader reader = {.work = work, .at = (const char*)file.data};
  Reader* r = &reader;
  r->end = r->at + file.size;
  if (countLines(r)) return -1;
  if (readLines(r)) return sn_fail(work, "could not parse OBJ file '%s'", file_name);

  int nface = (int)r->ncorner;
  int* face = SN_KEEP(work, int, nface);
  int* facenormal = r->nnormal ? SN_KEEP(work, int, nface) : NULL;
  int* facetexcoord = r->ntexcoord ? SN_KEEP(work, int, nface) : NULL;
  if (!face || (r->nnormal && !facenormal) || (r->ntexcoord && !facetexcoord)) return -1;
  for (int i = 0; i < nface; i++) {
    // a mirror exchanges the second and third corner
    int k = right || i % 3 == 0 ? i : i - i % 3 + (3 - i % 3);
    face[i] = r->corner[k].vert;
    if (facenormal) facenormal[i] = r->corner[k].normal;
    if (facetexcoord) facetexcoord[i] = r->corner[k].texcoord;
  }
  for (int i = 0; i < r->ntexcoord; i++) {
    r->texcoord[2 * i + 1] = 1 - r->texcoord[2 * i + 1];
  }

  arrays->vert = r->vert;
  arrays->nvert = 3 * r->nvert;
  arrays->normal = r->normal;
  arrays->nnormal = 3 * r->nnormal;
  arrays->texcoord = r->texcoord;
  arrays->ntexcoord = 2 * r->ntexcoord;
  arrays->face = face;
  arrays->nface = nface;
  arrays->facenormal = facenormal;
  arrays->nfacenormal = facenormal ? nface : 0;
  arrays->facetexcoord = facetexcoord;
  arrays->nfacetexcoord = facetexcoord ? nface : 0;
  return 0;
}
