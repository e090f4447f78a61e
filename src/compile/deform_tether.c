// Tethers: an edge that does not stretch bounds the distance of vertices that a straight path of edges
// joins. Each substep solves every constraint once, so that a pull travels a few edges; along tethers it
// travels as many times farther, and cloth of many vertices does not stretch.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "asset/algebra.h"
#include "compile/deform.h"

// edges of each vertex but those that resist shear: first[v] to first[v + 1] in near
typedef struct Web_ {
  int* first;
  int* near;
} Web;

static int makeWeb(snCompiler* c, const snDeformItem* item, Web* web) {
  const snDeformCons* edges = item->con + snDEFORM_LENGTH;
  web->first = SN_ITEMS(c, int, item->nvert + 2);
  web->near = SN_ITEMS(c, int, 2 * (size_t)edges->n + 1);
  if (!web->first || !web->near) return -1;
  for (int i = 0; i < edges->n; i++) {
    for (int k = 0; k < 2 && !edges->item[i].shear; k++) web->first[edges->item[i].vert[k] + 2]++;
  }
  for (int v = 0; v < item->nvert; v++) web->first[v + 2] += web->first[v + 1];
  for (int i = 0; i < edges->n; i++) {
    const int* vert = edges->item[i].vert;
    for (int k = 0; k < 2 && !edges->item[i].shear; k++) {
      web->near[web->first[vert[k] + 1]++] = vert[1 - k];
    }
  }
  return 0;
}

// unit vector from a to b; returns the distance
static double direction(const snDeformItem* item, int a, int b, double dir[3]) {
  const double* x = item->spec.vert->data;
  sn_sub3(dir, x + 3 * (size_t)b, x + 3 * (size_t)a);
  double length = sqrt(sn_dot3(dir, dir));
  for (int k = 0; k < 3; k++) dir[k] /= length;
  return length;
}

// the edge at a vertex that goes on most nearly straight; -1: none does
static int goOn(const snDeformItem* item, const Web* web, int at, const double dir[3]) {
  const double kStraight = 0.9;  // least cosine of the angle between two edges of a path
  double best = kStraight;
  int next = -1;
  for (int i = web->first[at]; i < web->first[at + 1]; i++) {
    double there[3];
    direction(item, at, web->near[i], there);
    double cosine = sn_dot3(dir, there);
    if (cosine > best) best = cosine, next = web->near[i];
  }
  return next;
}

// path of n edges that begins with the edge from one vertex to another; its end, or -1
static int walk(const snDeformItem* item, const Web* web, int from, int to, int n, double* length) {
  double dir[3];
  *length = direction(item, from, to, dir);
  for (int i = 1; i < n && to >= 0; i++) {
    int next = goOn(item, web, to, dir);
    if (next >= 0) *length += direction(item, to, next, dir);
    to = next;
  }
  return to;
}

// tethers over paths of as many edges from every vertex
static void addSpan(const snDeformItem* item, const Web* web, snDeformCons* cons, int span) {
  for (int v = 0; v < item->nvert; v++) {
    for (int i = web->first[v]; i < web->first[v + 1]; i++) {
      double length;
      int end = walk(item, web, v, web->near[i], span, &length);
      if (end <= v) continue;  // none, or found from its other end
      snDeformCon* con = cons->item + cons->n++;
      con->vert[0] = v;
      con->vert[1] = end;
      con->rest = length;
    }
  }
}

int sn_makeDeformTethers(snCompiler* c, snDeformItem* item) {
  int span = item->spec.tethers;
  Web web;
  if (span < 2) return 0;
  SN_TRY(makeWeb(c, item, &web));
  size_t levels = 0;
  for (int half = span; half > 1; half /= 2) levels++;
  item->con[snDEFORM_TETHER].item =
      SN_ITEMS(c, snDeformCon, 2 * levels * (size_t)item->con[snDEFORM_LENGTH].n + 1);
  if (!item->con[snDEFORM_TETHER].item) return -1;
  for (; span > 1; span /= 2) addSpan(item, &web, item->con + snDEFORM_TETHER, span);
  return 0;
}
