// Elements of deformables in a build without them (SN_DEFORM OFF).

#include "mjcf/deform.h"

void sn_mjcfDeformableBody(snReader* r, const snXmlNode* node) {
  sn_mjcfFail(r, node, "this library was built without deformables");
}
