// Deformables in a build without them (SN_DEFORM OFF): a spec that has some does not compile.

#include "compile/deform.h"
#include "sinew/deformable.h"

int sn_compileDeformables(snCompiler* c) {
  if (!c->ndeformable) return 0;
  return sn_itemError(c, c->deformables[0].elem, "this library was built without deformables");
}

void sn_countDeformables(const snCompiler* c, snModel* sizes) { (void)c, (void)sizes; }
snSize sn_deformArenaBytes(const snModel* m) { return (void)m, 0; }
void sn_fillDeformables(snCompiler* c) { (void)c; }
void sn_placeAttachments(snModel* m, snData* d) { (void)m, (void)d; }
const snElem* sn_deformElem(const snCompiler* c, int i) { return c->deformables[i].elem; }

int sn_addDeformable(snSpec* s, snsDeformable* deformable, const snVFS* vfs, snModel* m,
                     snData* d) {
  (void)deformable, (void)vfs, (void)m, (void)d;
  if (s) sn_specError(s, 0, "Error: this library was built without deformables");
  return -1;
}

int sn_getDeformable(const snModel* m, snData* d, int index, snDeformableView* view) {
  (void)m, (void)d, (void)view;
  snu_error("sn_getDeformable: index %d out of range, there are 0 deformables", index);
  return -1;
}

int sn_deformContactForce(const snModel* m, const snData* d, int index, snReal force[3]) {
  (void)m, (void)d, (void)force;
  snu_error("sn_deformContactForce: index %d out of range, there are 0 contacts", index);
  return -1;
}
