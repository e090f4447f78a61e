// The composite generator: a cable of bodies along a curve.
//
// Expanded while reading, into ordinary bodies, geoms, ball joints, sites and excludes, and a skin
// for boxes. The older types of MJCF are errors that name their successors.

#ifndef SINEW_MJCF_COMPOSITE_H_
#define SINEW_MJCF_COMPOSITE_H_

#include "mjcf/reader.h"

SN_EXTERN_C_BEGIN

// Read a composite element and add what it generates to a body (frame may be NULL).
void sn_mjcfComposite(snReader* r, const snXmlNode* node, snsBody* body, snsFrame* frame);

// What the skin of a cable of boxes is made from.
typedef struct snCableSkin_ {
  const char* prefix;
  int count;       // points along the cable
  double size[3];  // of the template geom, as written
  int texcoord;
  int subgrid;
  const char* material;
  float rgba[4];
  int group;
} snCableSkin;

// Add the skin of a cable of boxes. Returns 0 when memory is short.
int sn_addCableSkin(snSpec* spec, const snCableSkin* cable);

SN_EXTERN_C_END

#endif  // SINEW_MJCF_COMPOSITE_H_
