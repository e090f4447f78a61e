#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "compile/compiler.h"

int sn_compileSite(snCompiler* c, snSiteItem* site) {
  snsSite* spec = &site->spec;
  SN_TRY(sn_checkUser(c, site->elem));
  if (spec->type < 0 || spec->type >= snNGEOMTYPES) {
    return sn_itemError(c, site->elem, "invalid type in site");
  }
  if (spec->type == snGEOM_PLANE || spec->type == snGEOM_HFIELD || spec->type == snGEOM_MESH) {
    return sn_itemError(c, site->elem, "meshes, hfields and planes not allowed in site");
  }
  if (!isnan(spec->fromto[0])) {
    SN_TRY(sn_compileFromTo(c, site->elem, spec->type, spec->fromto, spec->pos, spec->quat,
                            spec->size));
  } else {
    SN_TRY(sn_resolveQuat(c, site->elem, spec->quat, &spec->alt));
  }
  sn_applyFrame(site->elem, spec->pos, spec->quat);
  sn_normalizeVec(spec->quat, 4);
  return sn_checkSize(c, site->elem, spec->type, spec->size);
}

void sn_fillSites(snCompiler* c) {
  snModel* m = c->m;
  for (int i = 0; i < c->nsite; i++) {
    const snSiteItem* site = c->sites[i];
    const snsSite* spec = &site->spec;
    SN_ASSERT(site->id == i);
    SN_ASSERT_INDEX(site->body->id, m->nbody);
    SN_ASSERT_REFERENCE(site->matid, m->nmat);
    sn_fillCopied(m, snOBJ_SITE, i, spec);
    m->site_bodyid[i] = site->body->id;
    m->site_matid[i] = site->matid;
    m->site_sameframe[i] = (snByte)sn_objectSameFrame(site->body, spec->pos, spec->quat);
  }
}
