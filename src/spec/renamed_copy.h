// Copies of elements under new names, in the same model or another: what attaching and replicating (spec/attach.h) are
// made of.
//
// Names get a prefix and a suffix. While a part of a tree is copied, `scratch` of each source points to its copy.

#ifndef SINEW_SPEC_RENAMED_COPY_H_
#define SINEW_SPEC_RENAMED_COPY_H_

#include "spec/element.h"

SN_EXTERN_C_BEGIN

// one copy of a part of a model
typedef struct snCopy_ {
  snSpec* from;
  snSpec* to;
  const char* prefix;
  const char* suffix;
  int failed;
  const int* originals;  // within one model: how many elements of each type may refer to the source
} snCopy;

// Report the first error; returns 0.
int sn_copyFail(snCopy* c, const char* what);

// element of the new model with the new form of a name
snElem* sn_copyFind(const snCopy* c, snObj type, const char* name);

// a copy in no list, without a name
snElem* sn_copyElem(snCopy* c, const snElem* source);

// Give a linked copy its new name; keyframes that had none get one, too. A copy of a replicate may have the
// name of something in the template, which goes in the end: the compiler tells of names that stay repeated.
int sn_copyName(snCopy* c, snElem* e, const char* name);

// Copy one element into a body; a body with all that is below it; everything in a body (inside of a frame, NULL: all)
// into another, into a top frame.
snElem* sn_copyInto(snCopy* c, snElem* source, snElem* body, snElem* frame);
snElem* sn_copyBody(snCopy* c, snElem* root, snElem* target, snElem* frame);
void sn_copyContents(snCopy* c, snElem* body, const snElem* inside, snElem* target, snElem* top);

// Clear `scratch` of a body and all that is below it.
void sn_copyForget(snElem* root);

// Copy the elements outside of the tree whose references, renamed in the same way, exist in the new model; the assets
// and the default classes of another model.
void sn_copyReferring(snCopy* c);
void sn_copyAssets(snCopy* c);
void sn_copyClasses(snCopy* c);

SN_EXTERN_C_END

static inline int sn_copyIsOther(const snCopy* c) { return c->from != c->to; }

// the next body of a tree, parents before children
static inline snElem* sn_nextBelow(const snElem* body, const snElem* root) {
  snElem* child = sn_bodyList(body, snOBJ_BODY)->first;
  return child ? child : sn_nextBodySkip(body, root);
}

#endif  // SINEW_SPEC_RENAMED_COPY_H_
