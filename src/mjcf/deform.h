// Deformables in MJCF.

#ifndef SINEW_MJCF_DEFORM_H_
#define SINEW_MJCF_DEFORM_H_

#include "mjcf/reader.h"

SN_EXTERN_C_BEGIN

// Read <sinew:cloth>, <sinew:softbody> or <sinew:chain>.
void sn_mjcfDeformableBody(snReader* r, const snXmlNode* node);

SN_EXTERN_C_END

#endif  // SINEW_MJCF_DEFORM_H_
