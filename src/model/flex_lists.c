// Lists by which the engine collects forces of flexes without two lanes writing one number: elements of
// an edge, elements, edges and flaps of a vertex, vertices and edge rows of a dof. Each is the transpose of a
// relation that the model has, in ascending order: collected sums have the order of the elements and
// edges themselves.

#include "model/flex_lists.h"

#include "base/assert.h"

#include <string.h>

const int sn_flexEdgeNum[4] = {0, 1, 3, 6};

// Starts of n lists one after another, from the counts, which are cleared to be counted up again.
static void startLists(int n, int* adr, int* num) {
  SN_ASSERT(n >= 0);
  int next = 0;
  for (int i = 0; i < n; i++) {
    adr[i] = next;
    next += num[i];
    num[i] = 0;
  }
}

static void append(int* list, const int* adr, int* num, int owner, int item) {
  SN_ASSERT(owner >= 0 && item >= 0);
  list[adr[owner] + num[owner]++] = item;
}

static void clear(int* num, snSize n) {
  if (n) memset(num, 0, (size_t)n * sizeof(int));
}

// entries of flex_elemedge by edge, of one flex
static void listElements(snModel* m, int flex, int counting) {
  SN_ASSERT_INDEX(flex, m->nflex);
  int adr = m->flex_elemedgeadr[flex],
      n = m->flex_elemnum[flex] * sn_flexEdgeNum[m->flex_dim[flex]];
  for (int i = adr; i < adr + n; i++) {
    int edge = m->flex_edgeadr[flex] + m->flex_elemedge[i];
    SN_ASSERT_INDEX(edge, m->nflexedge);
    if (counting) {
      m->flexedge_elemnum[edge]++;
    } else {
      append(m->flexedge_elem, m->flexedge_elemadr, m->flexedge_elemnum, edge, i);
    }
  }
}

// entries of flex_elem by vertex, of one flex
static void listCorners(snModel* m, int flex, int counting) {
  SN_ASSERT_INDEX(flex, m->nflex);
  int adr = m->flex_elemdataadr[flex], n = m->flex_elemnum[flex] * (m->flex_dim[flex] + 1);
  for (int i = adr; i < adr + n; i++) {
    int vertex = m->flex_vertadr[flex] + m->flex_elem[i];
    SN_ASSERT_INDEX(vertex, m->nflexvert);
    if (counting) {
      m->flexvert_elemnum[vertex]++;
    } else {
      append(m->flexvert_elem, m->flexvert_elemadr, m->flexvert_elemnum, vertex, i);
    }
  }
}

// entries of flex_edge by vertex, and flaps, of one flex
static void listEdges(snModel* m, int flex, int counting) {
  SN_ASSERT_INDEX(flex, m->nflex);
  int first = m->flex_vertadr[flex], adr = m->flex_edgeadr[flex];
  for (int edge = adr; edge < adr + m->flex_edgenum[flex]; edge++) {
    const int *end = m->flex_edge + 2 * edge, *flap = m->flex_edgeflap + 2 * edge;
    int corner[4] = {end[0], end[1], flap[0], flap[1]};
    int bends = m->flex_dim[flex] == 2 && flap[0] >= 0 && flap[1] >= 0;
    for (int k = 0; k < (bends ? 4 : 2); k++) {
      int vertex = first + corner[k];
      SN_ASSERT_INDEX(vertex, m->nflexvert);
      if (counting) {
        m->flexvert_edgenum[vertex] += k < 2;
        m->flexvert_flapnum[vertex] += bends;
        continue;
      }
      if (k < 2) {
        append(m->flexvert_edge, m->flexvert_edgeadr, m->flexvert_edgenum, vertex, 2 * edge + k);
      }
      if (bends) {
        append(m->flexvert_flap, m->flexvert_flapadr, m->flexvert_flapnum, vertex, 4 * edge + k);
      }
    }
  }
}

// vertices by dof, of one flex; as many as nJfv has room for
static int listVertices(snModel* m, int flex, int counting, int room) {
  int adr = m->flex_vertadr[flex];
  if (m->flex_rigid[flex] || m->flex_interp[flex]) return room;
  for (int vertex = adr; vertex < adr + m->flex_vertnum[flex]; vertex++) {
    int body = m->body_weldid[m->flex_vertbodyid[vertex]];
    int dof = m->body_dofadr[body] + m->body_dofnum[body] - 1;
    for (; dof >= 0 && room > 0; dof = m->dof_parentid[dof], room--) {
      if (counting) {
        m->flexdof_vertnum[dof]++;
      } else {
        append(m->flexdof_vert, m->flexdof_vertadr, m->flexdof_vertnum, dof, vertex);
      }
    }
  }
  return room;
}

static void transposeRows(snModel* m) {
  int nv = (int)m->nv, room = (int)m->nJfe;
  clear(m->flexedge_JT_rownnz, nv);
  for (int counting = 1; counting >= 0; counting--) {
    int left = room;
    for (int edge = 0; edge < (int)m->nflexedge; edge++) {
      int adr = m->flexedge_J_rowadr[edge], n = m->flexedge_J_rownnz[edge];
      for (int k = adr; k < adr + n && left > 0; k++, left--) {
        int dof = m->flexedge_J_colind[k];
        SN_ASSERT_INDEX(dof, nv);
        if (counting) {
          m->flexedge_JT_rownnz[dof]++;
          continue;
        }
        m->flexedge_JT_place[m->flexedge_JT_rowadr[dof] + m->flexedge_JT_rownnz[dof]] = k;
        append(m->flexedge_JT_colind, m->flexedge_JT_rowadr, m->flexedge_JT_rownnz, dof, edge);
      }
    }
    if (counting) startLists(nv, m->flexedge_JT_rowadr, m->flexedge_JT_rownnz);
  }
}

void sn_setFlexLists(snModel* m) {
  int nedge = (int)m->nflexedge, nvert = (int)m->nflexvert, nv = (int)m->nv;
  if (!m->nflex) return;
  clear(m->flexedge_elemnum, nedge);
  clear(m->flexvert_elemnum, nvert);
  clear(m->flexvert_edgenum, nvert);
  clear(m->flexvert_flapnum, nvert);
  clear(m->flexdof_vertnum, nv);
  for (int counting = 1; counting >= 0; counting--) {
    int room = (int)m->nJfv;
    for (int flex = 0; flex < (int)m->nflex; flex++) {
      listElements(m, flex, counting);
      listCorners(m, flex, counting);
      listEdges(m, flex, counting);
      room = listVertices(m, flex, counting, room);
    }
    if (!counting) break;
    startLists(nedge, m->flexedge_elemadr, m->flexedge_elemnum);
    startLists(nvert, m->flexvert_elemadr, m->flexvert_elemnum);
    startLists(nvert, m->flexvert_edgeadr, m->flexvert_edgenum);
    startLists(nvert, m->flexvert_flapadr, m->flexvert_flapnum);
    startLists(nv, m->flexdof_vertadr, m->flexdof_vertnum);
  }
  transposeRows(m);
}
