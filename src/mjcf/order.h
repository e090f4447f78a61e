// Which of several bad attributes of an element the error names.
//
// The reader takes attributes in the order of its own tables. MuJoCo's order differs from it in some
// elements, so an attribute that fails first asks whether one that MuJoCo reads earlier is bad as well.
#ifndef SINEW_MJCF_ORDER_H_
#define SINEW_MJCF_ORDER_H_

#include "mjcf/reader.h"

SN_EXTERN_C_BEGIN

// Fail with the first bad attribute that MuJoCo reads before this one ("|": an orientation
// too many). 0: there is none.
int sn_mjcfEarlierFault(snReader* r, const snXmlNode* node, const char* name);

SN_EXTERN_C_END

#endif  // SINEW_MJCF_ORDER_H_
