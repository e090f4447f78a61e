// Contact pairs, equalities, tendons, flexes, keyframes.

#include <string.h>

#include "mjcf/deform.h"
#include "mjcf/reader.h"

// ---- contact ----

static void readPair(snReader* r, const snXmlNode* node) {
  const snsDefault* def = sn_mjcfClass(r, node, sns_getSpecDefault(r->spec));
  SN_MJCF_NEW(snsPair, pair, sns_addPair(r->spec, def));
  sn_mjcfName(r, node, sn_elem(pair->element), pair->info);
  sn_mjcfGroup(r, node, sn_attrPairOwn, pair);
  sn_mjcfContactGroup(r, node, sn_attrPair, pair, &pair->margin, &pair->gap);
}

static void readExclude(snReader* r, const snXmlNode* node) {
  SN_MJCF_NEW(snsExclude, exclude, sns_addExclude(r->spec));
  sn_mjcfName(r, node, sn_elem(exclude->element), exclude->info);
  sn_mjcfGroup(r, node, sn_attrExclude, exclude);
}

void sn_mjcfContact(snReader* r, const snXmlNode* node) {
  for (const snXmlNode* child = node->first; child && !r->failed; child = child->next) {
    if (!strcmp(child->name, "pair")) readPair(r, child);
    if (!strcmp(child->name, "exclude")) readExclude(r, child);
  }
}

// ---- equality ----

// connect and weld hold two bodies or two sites together
static void readBodies(snReader* r, const snXmlNode* node, snsEquality* eq) {
  const char* body1 = sn_xmlAttr(node, "body1");
  const char* body2 = sn_xmlAttr(node, "body2");
  const char* site1 = sn_xmlAttr(node, "site1");
  const char* site2 = sn_xmlAttr(node, "site2");
  int anchor = sn_mjcfDoubles(r, node, "anchor", eq->data, 3, 0);
  int relpose = eq->type == snEQ_WELD && sn_mjcfDoubles(r, node, "relpose", eq->data + 3, 7, 0);
  if (eq->type == snEQ_WELD) {
    if (!anchor) memset(eq->data, 0, 3 * sizeof(double));
  }
  if ((body1 || body2 || anchor || relpose) && (site1 || site2)) {
    sn_mjcfFail(r, node, "body and site semantics cannot be mixed");
  } else if (site1 && site2) {
    eq->objtype = snOBJ_SITE;
    if (eq->type == snEQ_WELD) eq->data[1] = 1;
    sns_setString(eq->name1, site1);
    sns_setString(eq->name2, site2);
  } else if (body1 && (anchor || eq->type == snEQ_WELD)) {
    eq->objtype = snOBJ_BODY;
    sns_setString(eq->name1, body1);
    sns_setString(eq->name2, body2);
  } else if (eq->type == snEQ_CONNECT) {
    sn_mjcfFail(r, node,
                "either both body1 and anchor must be defined, or both site1 and site2 must be "
                "defined");
  } else {
    sn_mjcfFail(
        r, node,
        "either body1 must be defined and optionally {body2, anchor, relpose}, or site1 and "
        "site2 must be defined");
  }
  if (eq->type == snEQ_WELD) sn_mjcfDoubles(r, node, "torquescale", eq->data + 10, 1, 0);
}

// two sites; without a distance that of the reference pose
static void readDistance(snReader* r, const snXmlNode* node, snsEquality* eq) {
  eq->objtype = snOBJ_SITE;
  eq->data[0] = -1;
  sns_setString(eq->name1, sn_mjcfNeeded(r, node, "site1"));
  sns_setString(eq->name2, sn_mjcfNeeded(r, node, "site2"));
  if (sn_mjcfDoubles(r, node, "distance", eq->data, 1, 0) && !(eq->data[0] >= 0)) {
    sn_mjcfFail(r, node, "distance cannot be negative");
  }
}

static void readEquality(snReader* r, const snXmlNode* node) {
  const snsDefault* def = sn_mjcfClass(r, node, sns_getSpecDefault(r->spec));
  SN_MJCF_NEW(snsEquality, eq, sns_addEquality(r->spec, def));
  int type = 0;
  sn_keywordValue(sn_mapEquality, node->name, &type);
  eq->type = (snEq)type;
  sn_mjcfName(r, node, sn_elem(eq->element), eq->info);
  switch (type) {
    case snEQ_CONNECT:
    case snEQ_WELD: readBodies(r, node, eq); break;
    case snEQ_DISTANCE: readDistance(r, node, eq); break;
    case snEQ_JOINT: sn_mjcfGroup(r, node, sn_attrEqJoint, eq); break;
    case snEQ_TENDON: sn_mjcfGroup(r, node, sn_attrEqTendon, eq); break;
    default: sn_mjcfGroup(r, node, sn_attrEqFlex, eq); break;
  }
  sn_mjcfGroup(r, node, sn_attrEquality, eq);
}

void sn_mjcfEquality(snReader* r, const snXmlNode* node) {
  for (const snXmlNode* child = node->first; child && !r->failed; child = child->next) {
    readEquality(r, child);
  }
}

// ---- tendon ----

void sn_mjcfTendonElement(snReader* r, const snXmlNode* node, snsTendon* tendon) {
  sn_mjcfGroup(r, node, sn_attrTendon, tendon);
  sn_mjcfGroup(r, node, sn_attrTendonVisual, tendon);
  if (sn_mjcfDoubles(r, node, "springlength", tendon->springlength, 2, 1) == 1) {
    tendon->springlength[1] = tendon->springlength[0];
  }
}

static void readWrap(snReader* r, const snXmlNode* node, snsTendon* tendon) {
  double prm = 0;
  snsWrap* wrap = NULL;
  if (!strcmp(node->name, "site")) {
    wrap = sns_wrapSite(tendon, sn_mjcfNeeded(r, node, "site"));
  } else if (!strcmp(node->name, "geom")) {
    const char* side = sn_xmlAttr(node, "sidesite");
    wrap = sns_wrapGeom(tendon, sn_mjcfNeeded(r, node, "geom"), side ? side : "");
  } else if (!strcmp(node->name, "pulley")) {
    if (!sn_mjcfDoubles(r, node, "divisor", &prm, 1, 0)) {
      sn_mjcfFail(r, node, "required attribute missing: 'divisor'");
    }
    wrap = sns_wrapPulley(tendon, prm);
  } else {
    const char* joint = sn_mjcfNeeded(r, node, "joint");
    if (!sn_mjcfDoubles(r, node, "coef", &prm, 1, 0)) {
      sn_mjcfFail(r, node, "required attribute missing: 'coef'");
    }
    wrap = sns_wrapJoint(tendon, joint, prm);
  }
  if (!wrap) {
    sn_mjcfFail(r, node, "out of memory");
    return;
  }
  sn_mjcfName(r, node, sn_elem(wrap->element), wrap->info);
  if (strcmp(node->name, "geom") && strcmp(node->name, "pulley")) return;
  sn_mjcfDoubles(r, node, "sinew:friction", wrap->friction, 2, 1);
  sn_mjcfDoubles(r, node, "sinew:angle", &wrap->angle, 1, 0);
  sn_mjcfDoubles(r, node, "sinew:inertia", &wrap->inertia, 1, 0);
  sn_mjcfDoubles(r, node, "sinew:radius", &wrap->radius, 1, 0);
}

void sn_mjcfTendon(snReader* r, const snXmlNode* section) {
  for (const snXmlNode* node = section->first; node && !r->failed; node = node->next) {
    const snsDefault* def = sn_mjcfClass(r, node, sns_getSpecDefault(r->spec));
    SN_MJCF_NEW(snsTendon, tendon, sns_addTendon(r->spec, def));
    sn_mjcfName(r, node, sn_elem(tendon->element), tendon->info);
    sn_mjcfTendonElement(r, node, tendon);
    sn_mjcfGroup(r, node, sn_attrTendonOwn, tendon);
    for (const snXmlNode* child = node->first; child && !r->failed; child = child->next) {
      readWrap(r, child, tendon);
    }
  }
}

// ---- deformable ----

// vertcollide and passive take the truth of the keyword that was read before them: models rely on
// what the reference does
static void readFlexContact(snReader* r, const snXmlNode* node, const snXmlNode* flexnode,
                            snsFlex* flex) {
  int last = 0, value;
  sn_mjcfContactGroup(r, node, sn_attrFlexContact, flex, &flex->margin, &flex->gap);
  sn_mjcfKeyword(r, flexnode, "flatskin", sn_mapBool, &last);
  sn_mjcfKeyword(r, node, "internal", sn_mapBool, &last);
  if (sn_mjcfKeyword(r, node, "vertcollide", sn_mapBool, &value)) flex->vertcollide = last;
  if (sn_mjcfKeyword(r, node, "passive", sn_mapBool, &value)) flex->passive = last;
}

static const snXmlNode* findChild(const snXmlNode* node, const char* name) {
  const snXmlNode* child = node->first;
  while (child && strcmp(child->name, name)) child = child->next;
  return child;
}

static void readFlex(snReader* r, const snXmlNode* node) {
  SN_MJCF_NEW(snsFlex, flex, sns_addFlex(r->spec));
  sn_mjcfName(r, node, sn_elem(flex->element), flex->info);
  sn_mjcfGroup(r, node, sn_attrFlex, flex);
  sn_mjcfGroup(r, node, sn_attrFlexLaw, flex);
  sn_mjcfGroup(r, node, sn_attrFlexOwn, flex);
  const snXmlNode* child = findChild(node, "contact");
  if (child) readFlexContact(r, child, node, flex);
  if ((child = findChild(node, "edge"))) sn_mjcfGroup(r, child, sn_attrFlexEdge, flex);
  if ((child = findChild(node, "elasticity"))) sn_mjcfGroup(r, child, sn_attrFlexElasticity, flex);
}

void sn_mjcfDeformable(snReader* r, const snXmlNode* node) {
  for (const snXmlNode* child = node->first; child && !r->failed; child = child->next) {
    if (!strcmp(child->name, "flex")) readFlex(r, child);
    if (!strcmp(child->name, "skin")) sn_mjcfSkin(r, child);
    if (!strncmp(child->name, "sinew:", 6)) sn_mjcfDeformableBody(r, child);
  }
}

// ---- keyframes ----

void sn_mjcfKeyframe(snReader* r, const snXmlNode* section) {
  for (const snXmlNode* node = section->first; node && !r->failed; node = node->next) {
    SN_MJCF_NEW(snsKey, key, sns_addKey(r->spec));
    sn_mjcfName(r, node, sn_elem(key->element), key->info);
    sn_mjcfGroup(r, node, sn_attrKey, key);
  }
}
