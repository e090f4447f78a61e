// Bounding volume trees of bodies.

#include <string.h>

#include "base/assert.h"
#include "compile/compiler.h"

static int isCollidable(const snGeomItem* geom) {
  return geom->spec.contype != 0 || geom->spec.conaffinity != 0;
}

// A tree may be built again when bodies are fused. MuJoCo then leaves the geom of a former leaf in
// the node that has become an inner one (nodegeom remembers it), and a tree that grew counts one
// node more than it has.
int sn_buildBodyTree(snCompiler* c, snBodyItem* body) {
  int n = 0;
  for (const snGeomItem* geom = body->geoms; geom; geom = geom->next) n += isCollidable(geom);
  if (!n) return 0;
  snBvhGeom* leaves = SN_ITEMS(c, snBvhGeom, n);
  snGeomItem** owners = SN_ITEMS(c, snGeomItem*, n);
  if (!leaves || !owners) return -1;
  n = 0;
  for (snGeomItem* geom = body->geoms; geom; geom = geom->next) {
    if (!isCollidable(geom)) continue;
    snBvhGeom* leaf = leaves + n;
    leaf->id = n;
    memcpy(leaf->pos, geom->spec.pos, sizeof(leaf->pos));
    memcpy(leaf->quat, geom->spec.quat, sizeof(leaf->quat));
    memcpy(leaf->aabb, geom->aabb, sizeof(leaf->aabb));
    owners[n++] = geom;
  }
  if (sn_buildBodyBvh(&c->pool, &body->bvh, body->spec.ipos, body->spec.iquat, leaves, n)) {
    return sn_itemError(c, body->elem, "could not allocate memory");
  }
  snGeomItem** nodegeom = SN_ITEMS(c, snGeomItem*, body->bvh.nnode);
  if (!nodegeom) return -1;
  for (int i = 0; i < body->bvh.nnode; i++) {
    int leaf = body->bvh.nodeid[i];
    nodegeom[i] = leaf >= 0 ? owners[leaf] : i < body->nnodegeom ? body->nodegeom[i] : NULL;
  }
  body->surplus += body->nnodegeom && body->nnodegeom != body->bvh.nnode;
  body->nodegeom = nodegeom;
  body->nnodegeom = body->bvh.nnode;
  return 0;
}

int sn_buildBodyTrees(snCompiler* c) {
  for (int i = 0; i < c->nbody; i++) SN_TRY(sn_buildBodyTree(c, c->bodies[i]));
  return 0;
}

snSize sn_bodyBvhEnd(const snCompiler* c) {
  snSize nodes = 0;
  for (int i = 0; i < c->nbody; i++) nodes += c->bodies[i]->bvh.nnode;
  return nodes;
}

// nodes of all bodies and the surplus, which stays zero at the end
snSize sn_countBodyBvh(const snCompiler* c) {
  snSize nodes = sn_bodyBvhEnd(c);
  for (int i = 0; i < c->nbody; i++) nodes += c->bodies[i]->surplus;
  return nodes;
}

void sn_copyBvh(snModel* m, int address, const snBvh* bvh) {
  sn_toReal(m->bvh_aabb + 6 * (snSize)address, bvh->aabb, 6 * bvh->nnode);
  memcpy(m->bvh_child + 2 * (snSize)address, bvh->child, 2 * (size_t)bvh->nnode * sizeof(int));
  memcpy(m->bvh_depth + address, bvh->depth, (size_t)bvh->nnode * sizeof(int));
  memcpy(m->bvh_nodeid + address, bvh->nodeid, (size_t)bvh->nnode * sizeof(int));
}

void sn_fillBvh(snCompiler* c) {
  snModel* m = c->m;
  int address = 0;
  for (int i = 0; i < c->nbody; i++) {
    const snBodyItem* body = c->bodies[i];
    int n = body->bvh.nnode;
    m->body_bvhadr[i] = n ? address : -1;
    m->body_bvhnum[i] = n;
    if (n) sn_copyBvh(m, address, &body->bvh);
    for (int k = 0; k < n; k++) {
      m->bvh_nodeid[address + k] = body->nodegeom[k] ? body->nodegeom[k]->id : -1;
    }
    address += n;
  }
  SN_ASSERT(address <= m->nbvh);
}
