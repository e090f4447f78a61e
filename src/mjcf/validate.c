// Checking a document against the table of the language.

#include <string.h>

#include "base/error.h"
#include "mjcf/hint.h"

// body, frame and replicate may stand for each other, worldbody for body at the top
static const snTag* findTag(const snTag* parent, const char* name, int level) {
  if (level == 1 &&
      (!strcmp(name, "worldbody") || !strcmp(name, "frame") || !strcmp(name, "replicate"))) {
    name = "body";
  }
  return sn_tagChild(parent, name);
}

static int isFree(const snTag* tag, const char* name) {
  return !strcmp(tag->name, "body") && (!strcmp(name, "frame") || !strcmp(name, "replicate"));
}

static void warnAttribute(snReader* r, const snXmlNode* node, const snTag* tag, const char* name) {
  if (tag) sn_hintAttribute(r, node, tag, name);
  if (!tag) sn_hintVersion(r, node, name);
  if (tag || *r->hint) {
    snu_warning("attribute '%s' inside of a frame is ignored\nElement '%s', line %d\n%s", name,
                node->name, node->line, r->hint);
  }
  r->hint[0] = 0;
}

// MuJoCo takes any attribute inside of frames and ignores what it does not know: so do we, with a warning. Of a
// frame itself, which the table does not have, attributes of later versions are known.
static void warnFree(snReader* r, const snXmlNode* node, const snTag* body) {
  if (sn_plainMessages()) return;
  int free = isFree(body, node->name);
  const snTag* tag = free ? NULL : sn_tagChild(body, node->name);
  for (const snXmlAttr* attr = node->attr; attr && (free || tag); attr = attr->next) {
    if (!strcmp(attr->name, "class")) continue;  // anything in a body may have one
    if (free || !sn_tagAttr(tag, attr->name)) warnAttribute(r, node, tag, attr->name);
  }
  if (!free && strcmp(node->name, "body")) return;
  for (const snXmlNode* child = node->first; child; child = child->next) warnFree(r, child, body);
}

static int checkRepeat(snReader* r, const snXmlNode* node, const snTag* tag) {
  for (const snTag* const* child = tag->children; child && *child; child++) {
    if ((*child)->repeat != '?') continue;
    int count = 0;
    for (const snXmlNode* n = node->first; n; n = n->next)
      count += !strcmp(n->name, (*child)->name);
    if (count > 1) {
      return sn_mjcfFail(r, node, "Schema violation: unique element '%s' found %d times",
                         (*child)->name, count);
    }
  }
  return 1;
}

static int checkNode(snReader* r, const snXmlNode* node, const snTag* tag, int level) {
  for (const snXmlAttr* attr = node->attr; attr; attr = attr->next) {
    if (!sn_tagAttr(tag, attr->name)) {
      sn_hintAttribute(r, node, tag, attr->name);
      return sn_mjcfFail(r, node, "Schema violation: unrecognized attribute: '%s'", attr->name);
    }
  }
  for (const snXmlNode* child = node->first; child; child = child->next) {
    // what is inside of frames is only checked by the reader
    if (level > 0 && isFree(tag, child->name)) {
      warnFree(r, child, tag);
      continue;
    }
    const snTag* childTag = findTag(tag, child->name, level + 1);
    if (!childTag) {
      sn_hintElement(r, child, tag);
      return sn_mjcfFail(r, child, "Schema violation: unrecognized element");
    }
    if (!checkNode(r, child, childTag, level + 1)) return 0;
  }
  return checkRepeat(r, node, tag);
}

int sn_validate(snReader* r, const snXmlNode* root) {
  if (strcmp(root->name, sn_tagMujoco.name)) {
    return sn_mjcfFail(r, root, "Schema violation: unrecognized element");
  }
  return checkNode(r, root, &sn_tagMujoco, 0);
}
