// Writes flexes into the model.

#include <string.h>

#include "base/assert.h"
#include "compile/flex.h"

// entries of the Jacobians beyond which a model is refused
static const snSize kMaxEntries = (snSize)1 << 28;

// ---- sizes ----

// Adds the dofs of a body's chain that are not in the union yet. Ancestors of a marked body are
// marked; bodies without joints are skipped.
static snSize joinChain(const snBodyItem* body, int* mark, int round) {
  snSize count = 0;
  for (body = body->weld; body->parent && mark[body->id] != round; body = body->parent->weld) {
    mark[body->id] = round;
    count += body->dofnum;
  }
  return count;
}

typedef struct Union_ {
  int* mark;  // per body: the last union that it was in
  int round;
} Union;

static snSize countEdges(const snFlexItem* flex, Union* u, snSize room) {
  snSize count = 0;
  for (int i = 0; i < flex->nedge && count <= room; i++) {
    u->round++;
    for (int k = 0; k < 2; k++) {
      count += joinChain(flex->vertbody[flex->edge[2 * (size_t)i + (size_t)k]], u->mark, u->round);
    }
  }
  return count;
}

// vertices at the other ends of the edges of each vertex
static int* makeNeighbours(snCompiler* c, const snFlexItem* flex, int** start) {
  int* first = *start = SN_ITEMS(c, int, flex->nvert + 2);
  int* neighbour = SN_ITEMS(c, int, 2 * (size_t)flex->nedge);
  if (!first || !neighbour) return NULL;
  for (int i = 0; i < 2 * flex->nedge; i++) first[flex->edge[i] + 2]++;
  for (int i = 0; i < flex->nvert; i++) first[i + 2] += first[i + 1];
  for (int i = 0; i < 2 * flex->nedge; i++)
    neighbour[first[flex->edge[i] + 1]++] = flex->edge[i ^ 1];
  return neighbour;
}

static int countVertices(snCompiler* c, const snFlexItem* flex, Union* u, snSize* count) {
  int* start;
  const int* neighbour = makeNeighbours(c, flex, &start);
  if (!neighbour) return -1;
  for (int i = 0; i < flex->nvert && *count <= kMaxEntries; i++) {
    u->round++;
    *count += joinChain(flex->vertbody[i], u->mark, u->round);
    for (int k = start[i]; k < start[i + 1]; k++) {
      *count += joinChain(flex->vertbody[neighbour[k]], u->mark, u->round);
    }
  }
  return 0;
}

// Entries of the Jacobians of edges and vertices, of the flexes that may have any.
static int countJacobians(snCompiler* c, snModel* sizes) {
  Union u = {SN_ITEMS(c, int, c->nbody), 0};
  if (!u.mark) return -1;
  for (int i = 0; i < c->nflex; i++) {
    const snFlexItem* flex = c->flexes + i;
    if (flex->rigid || flex->order) continue;
    sizes->nJfe += countEdges(flex, &u, kMaxEntries - sizes->nJfe);
    SN_TRY(countVertices(c, flex, &u, &sizes->nJfv));
    if (sizes->nJfe > kMaxEntries || sizes->nJfv > kMaxEntries) {
      return sn_itemError(c, flex->elem, "the model is too large");
    }
  }
  return 0;
}

int sn_countFlexes(snCompiler* c, snModel* sizes) {
  sizes->nflex = c->nflex;
  for (int i = 0; i < c->nflex; i++) {
    const snFlexItem* flex = c->flexes + i;
    int dim = flex->spec.dim;
    sizes->nflexnode += flex->nnode;
    sizes->nflexvert += flex->nvert;
    sizes->nflexedge += flex->nedge;
    sizes->nflexelem += flex->nelem;
    sizes->nflexelemdata += (snSize)(dim + 1) * flex->nelem;
    sizes->nflexelemedge += (snSize)sn_flexEdgeNum[dim] * flex->nelem;
    sizes->nflexshelldata += (snSize)dim * flex->nshell;
    sizes->nflexevpair += flex->nevpair;
    sizes->nflextexcoord += flex->ntexcoord;
    sizes->nbvhdynamic += flex->bvh.nnode;
  }
  sizes->nbvh += sizes->nbvhdynamic;
  return c->nflex ? countJacobians(c, sizes) : 0;
}

// ---- contents ----

// running addresses into the arrays that flexes share
typedef struct Cursor_ {
  int node, vert, edge, elem, elemdata, elemedge, shelldata, evpair, texcoord, bvh;
} Cursor;

static void copyInts(int* dest, const int* source, snSize n) {
  if (n) memcpy(dest, source, (size_t)n * sizeof(int));
}

static void fillSettings(snModel* m, int i, const snFlexItem* flex) {
  sn_fillCopied(m, snOBJ_FLEX, i, &flex->spec);
  m->flex_matid[i] = flex->matid;
  m->flex_interp[i] = flex->order;
  m->flex_elasticmodel[i] = flex->elasticlaw;
  m->flex_bendingmodel[i] = flex->bendinglaw;
  sn_toReal(m->flex_elasticparam + snNFLEXPARAM * i, flex->elasticparam, snNFLEXPARAM);
  sn_toReal(m->flex_bendingparam + snNFLEXPARAM * i, flex->bendingparam, snNFLEXPARAM);
  m->flex_edgeequality[i] = flex->equality;
  m->flex_rigid[i] = flex->rigid;
  m->flex_centered[i] = flex->centered;
  sn_toReal(m->flex_size + 3 * i, flex->size, 3);
}

static void fillSlices(snModel* m, int i, const snFlexItem* flex, const Cursor* at) {
  m->flex_nodeadr[i] = at->node;
  m->flex_nodenum[i] = flex->nnode;
  m->flex_vertadr[i] = at->vert;
  m->flex_vertnum[i] = flex->nvert;
  m->flex_edgeadr[i] = at->edge;
  m->flex_edgenum[i] = flex->nedge;
  m->flex_elemadr[i] = at->elem;
  m->flex_elemnum[i] = flex->nelem;
  m->flex_elemdataadr[i] = at->elemdata;
  m->flex_elemedgeadr[i] = at->elemedge;
  m->flex_shellnum[i] = flex->nshell;
  m->flex_shelldataadr[i] = flex->nshell ? at->shelldata : -1;
  m->flex_evpairadr[i] = flex->nevpair ? at->evpair : -1;
  m->flex_evpairnum[i] = flex->nevpair;
  m->flex_texcoordadr[i] = flex->ntexcoord ? at->texcoord : -1;
  m->flex_bvhadr[i] = flex->bvh.nnode ? at->bvh : -1;
  m->flex_bvhnum[i] = flex->bvh.nnode;
}

static void fillPoints(snModel* m, const snFlexItem* flex, const Cursor* at) {
  const snsFlex* spec = &flex->spec;
  for (int i = 0; i < flex->nnode; i++) m->flex_nodebodyid[at->node + i] = flex->nodebody[i]->id;
  for (int i = 0; i < flex->nvert; i++) {
    m->flex_vertbodyid[at->vert + i] = flex->order ? -1 : flex->vertbody[i]->id;
  }
  if (!flex->centered && spec->node->size >= 3 * flex->nnode) {
    sn_toReal(m->flex_node + 3 * (snSize)at->node, spec->node->data, 3 * flex->nnode);
  }
  if ((flex->order || !flex->centered) && spec->vert->size) {
    sn_toReal(m->flex_vert + 3 * (snSize)at->vert, spec->vert->data, 3 * flex->nvert);
  }
  sn_toReal(m->flex_node0 + 3 * (snSize)at->node, flex->node, 3 * flex->nnode);
  sn_toReal(m->flex_vert0 + 3 * (snSize)at->vert, flex->vert0, 3 * flex->nvert);
}

static void fillEdges(snModel* m, const snFlexItem* flex, const Cursor* at) {
  int hasFlaps = flex->spec.dim == 2 && (flex->spec.elastic2d & 1 || flex->bendinglaw);
  copyInts(m->flex_edge + 2 * (snSize)at->edge, flex->edge, 2 * (snSize)flex->nedge);
  for (int i = 0; i < flex->nedge; i++) {
    int* flap = m->flex_edgeflap + 2 * (snSize)(at->edge + i);
    const int* end = flex->edge + 2 * (size_t)i;
    SN_ASSERT_INDEX2(end[0], end[1], flex->nvert);
    for (int k = 0; k < 2; k++) flap[k] = hasFlaps ? flex->stencil[4 * (size_t)i + 2 + k] : -1;
    m->flexedge_rigid[at->edge + i] =
        !flex->order &&
        (flex->rigid || flex->vertbody[end[0]]->weld == flex->vertbody[end[1]]->weld);
  }
  if (flex->bending) {
    sn_toReal(m->flex_bending + 17 * (snSize)at->edge, flex->bending, 17 * flex->nedge);
  }
}

static snSize smaller(snSize a, snSize b) { return a < b ? a : b; }

// Without ids of their own the texture coordinates are those of the vertices. MuJoCo then copies
// three entries per element, in whatever dimension, of the elements as they were given.
static void fillTexcoord(snModel* m, const snFlexItem* flex, const Cursor* at) {
  const snsFlex* spec = &flex->spec;
  snSize n = (snSize)(spec->dim + 1) * flex->nelem;
  int* dest = m->flex_elemtexcoord + at->elemdata;
  if (!flex->ntexcoord) {
    copyInts(dest, flex->element, n);
  } else if (!spec->elemtexcoord->size) {
    copyInts(dest, spec->elem->data, smaller(n, 3 * (snSize)flex->nelem));
  } else {
    copyInts(dest, spec->elemtexcoord->data, smaller(n, spec->elemtexcoord->size));
  }
  if (flex->ntexcoord) {
    memcpy(m->flex_texcoord + 2 * (snSize)at->texcoord, spec->texcoord->data,
           2 * (size_t)flex->ntexcoord * sizeof(float));
  }
}

static void fillElements(snModel* m, const snFlexItem* flex, const Cursor* at) {
  int dim = flex->spec.dim, n = flex->nelem;
  copyInts(m->flex_elem + at->elemdata, flex->element, (snSize)(dim + 1) * n);
  copyInts(m->flex_elemedge + at->elemedge, flex->elemedge, (snSize)sn_flexEdgeNum[dim] * n);
  copyInts(m->flex_elemlayer + at->elem, flex->layer, n);
  copyInts(m->flex_shell + at->shelldata, flex->shell, (snSize)dim * flex->nshell);
  copyInts(m->flex_evpair + 2 * (snSize)at->evpair, flex->evpair, 2 * (snSize)flex->nevpair);
  if (flex->stiffness) {
    sn_toReal(m->flex_stiffness + 21 * (snSize)at->elem, flex->stiffness, 21 * n);
  }
  copyInts(m->bvh_child + 2 * (snSize)at->bvh, flex->bvh.child, 2 * (snSize)flex->bvh.nnode);
  copyInts(m->bvh_depth + at->bvh, flex->bvh.depth, flex->bvh.nnode);
  copyInts(m->bvh_nodeid + at->bvh, flex->bvh.nodeid, flex->bvh.nnode);
}

void sn_fillFlexes(snCompiler* c) {
  Cursor at;
  memset(&at, 0, sizeof(at));
  at.bvh = (int)c->m->nbvhstatic;
  for (int i = 0; i < c->nflex; i++) {
    const snFlexItem* flex = c->flexes + i;
    int dim = flex->spec.dim;
    fillSettings(c->m, i, flex);
    fillSlices(c->m, i, flex, &at);
    fillPoints(c->m, flex, &at);
    fillEdges(c->m, flex, &at);
    fillTexcoord(c->m, flex, &at);
    fillElements(c->m, flex, &at);
    at.node += flex->nnode;
    at.vert += flex->nvert;
    at.edge += flex->nedge;
    at.elem += flex->nelem;
    at.elemdata += (dim + 1) * flex->nelem;
    at.elemedge += sn_flexEdgeNum[dim] * flex->nelem;
    at.shelldata += dim * flex->nshell;
    at.evpair += flex->nevpair;
    at.texcoord += flex->ntexcoord;
    at.bvh += flex->bvh.nnode;
  }
  SN_ASSERT(at.node == c->m->nflexnode && at.vert == c->m->nflexvert);
  SN_ASSERT(at.edge == c->m->nflexedge && at.elem == c->m->nflexelem);
  SN_ASSERT(at.elemdata == c->m->nflexelemdata && at.elemedge == c->m->nflexelemedge);
  SN_ASSERT(at.shelldata == c->m->nflexshelldata && at.evpair == c->m->nflexevpair);
  SN_ASSERT(at.texcoord == c->m->nflextexcoord && at.bvh <= c->m->nbvh);
}
