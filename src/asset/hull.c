#include "asset/hull.h"

#include <libqhull_r/qhull_ra.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"

enum { LOG_SIZE = 1024 };

const int* sn_hullFaces(const int* graph, int* nface) {
  SN_ASSERT(graph && graph[0] >= 4 && graph[1] >= 4);
  *nface = graph[1];
  return graph + 2 + 3 * (size_t)graph[0] + 3 * (size_t)graph[1];
}

// Fill the graph from a finished hull; 0 when it is not what was counted.
static int fillGraph(qhT* qh, int* graph, int* local, int* seen, int numvert, int numface) {
  int* edgeadr = graph + 2;
  int* globalid = edgeadr + numvert;
  int* edge = globalid + numvert;
  int* face = edge + numvert + 3 * numface;
  graph[0] = numvert;
  graph[1] = numface;

  // hull index of each mesh vertex
  int i = 0;
  vertexT *vertex, **vertexp;
  facetT *facet, *neighbor, **neighborp;
  FORALLvertices {
    if (i == numvert) return 0;
    globalid[i] = qh_pointid(qh, vertex->point);
    SN_ASSERT(globalid[i] >= 0);
    local[globalid[i]] = i;
    i++;
  }
  if (i != numvert) return 0;

  // neighbours: distinct vertices of the facets around each vertex
  int adr = 0, capacity = numvert + 3 * numface;
  i = 0;
  vertexT* center;
  for (center = qh->vertex_list; center && center->next; center = center->next, i++) {
    edgeadr[i] = adr;
    FOREACHneighbor_(center) {
      FOREACHvertex_(neighbor->vertices) {
        int id = local[qh_pointid(qh, vertex->point)];
        if (id == i || seen[id] == i + 1) continue;
        if (adr >= capacity) return 0;
        edge[adr++] = id;
        seen[id] = i + 1;
      }
    }
    if (adr >= capacity) return 0;
    edge[adr++] = -1;
  }
  if (adr != capacity) return 0;

  // faces, counter-clockwise from outside
  i = 0;
  FORALLfacets {
    if (i == numface) return 0;
    int corner = 0, ids[3] = {0, 0, 0};
    FOREACHvertex_(facet->vertices) {
      if (corner < 3) ids[corner] = qh_pointid(qh, vertex->point);
      corner++;
    }
    if (corner != 3) return 0;
    face[3 * i] = ids[facet->toporient ? 1 : 0];
    face[3 * i + 1] = ids[facet->toporient ? 0 : 1];
    face[3 * i + 2] = ids[2];
    i++;
  }
  return i == numface;
}

// Run Qhull and copy its result. Qhull reports errors by a jump to the point set here.
static int runQhull(snWork* work, qhT* qh, char* options, int** graph, int* ngraph,
                    const double* vert, int nvert) {
  volatile int status = -1;
  int exitcode = setjmp(qh->errexit);
  if (!exitcode) {
    qh->NOerrexit = False;
    qh_initflags(qh, options);
    qh_init_B(qh, (coordT*)vert, nvert, 3, False);
    qh_qhull(qh);
    qh_triangulate(qh);
    qh_vertexneighbors(qh);
    int64_t numvert = qh->num_vertices, numface = qh->num_facets;
    int64_t total = 2 + 3 * numvert + 6 * numface;
    int* local = SN_SCRATCH(work, int, nvert);
    int* seen = SN_SCRATCH(work, int, nvert);
    int* result = total <= INT32_MAX ? SN_KEEP(work, int, total) : NULL;
    if (local && seen && result) {
      *graph = result;
      *ngraph = (int)total;
      status = fillGraph(qh, result, local, seen, (int)numvert, (int)numface) ? 0 : -1;
    }
  }
  qh->NOerrexit = True;
  return status;
}

int sn_buildHull(snWork* work, int** graph, int* ngraph, const double* vert, int nvert,
                 int maxhullvert) {
  // Qhull writes its messages to a file: give it one in memory
  char* log = SN_SCRATCH(work, char, LOG_SIZE);
  qhT* qh = SN_SCRATCH(work, qhT, 1);
  if (!log || !qh) return -1;
  FILE* file = fmemopen(log, LOG_SIZE, "w");
  if (!file) return sn_fail(work, "could not allocate memory");

  char options[64];
  if (maxhullvert > -1) {
    snprintf(options, sizeof(options), "qhull Qt TA%d", maxhullvert - 4);
  } else {
    snprintf(options, sizeof(options), "qhull Qt");
  }
  qh_init_A(qh, NULL, file, file, 0, NULL);
  int status = runQhull(work, qh, options, graph, ngraph, vert, nvert);
  qh_freeqhull(qh, !qh_ALL);
  int remaining = 0, total = 0;
  qh_memfreeshort(qh, &remaining, &total);
  fclose(file);

  if (status) {
    *graph = NULL;
    *ngraph = 0;
    log[LOG_SIZE - 1] = '\0';
    log[strcspn(log, "\r\n")] = '\0';
    int plain = sn_plainMessages() || !log[0];
    return sn_fail(work, "qhull error%s%s", plain ? "" : ": ", plain ? "" : log);
  }
  return 0;
}
