// Copies of parts of a model: attaching one model to another, replicating a part of the same.
//
// A copy gives every name a prefix and a suffix and keeps only those elements outside of the tree
// whose references, renamed in the same way, exist.

#ifndef SINEW_SPEC_ATTACH_H_
#define SINEW_SPEC_ATTACH_H_

#include "spec/element.h"

SN_EXTERN_C_BEGIN

// Copy the contents of a frame of a template into a body, inside of a frame (NULL: none), before
// the template, with a suffix; then copy the elements that refer to it. 0 with a message when it
// fails.
// Elements outside of the tree that refer to the source are copied along, as far as they are among
// the first originals[type] of their list.
int sn_replicate(snElem* body, snElem* frame, snElem* source, const char* suffix,
                 const int* originals);
// Remove the template and what refers to it.
void sn_endReplicate(snElem* body);

SN_EXTERN_C_END

#endif  // SINEW_SPEC_ATTACH_H_
