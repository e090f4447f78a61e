#include <math.h>

#include "compile/compiler.h"
#include "model/object_types.h"

// radians where degrees are the unit
static void toRadians(const snElem* elem, double* values, int n) {
  if (!sn_elemCompiler(elem)->degree) return;
  for (int i = 0; i < n; i++) values[i] *= snPI / 180;
}

static int compileLimits(snCompiler* c, snJointItem* joint) {
  snsJoint* spec = &joint->spec;
  int rotates = spec->type == snJNT_HINGE || spec->type == snJNT_BALL;
  if (spec->type == snJNT_FREE) spec->limited = snLIMITED_FALSE;
  SN_TRY(sn_limited(c, joint->elem, &spec->limited, spec->range, "limited", "range"));
  if (spec->limited) {
    if (spec->type == snJNT_BALL && spec->range[0] != 0) {
      return sn_itemError(c, joint->elem, "range[0] should be 0 in ball joint");
    }
    if (spec->type != snJNT_BALL && spec->range[0] >= spec->range[1]) {
      return sn_itemError(c, joint->elem, "range[0] should be smaller than range[1] in joint");
    }
    if (rotates) toRadians(joint->elem, spec->range, 2);
  }
  if (spec->type == snJNT_FREE || spec->type == snJNT_BALL) spec->actfrclimited = snLIMITED_FALSE;
  SN_TRY(sn_limited(c, joint->elem, &spec->actfrclimited, spec->actfrcrange, "actuatorfrclimited",
                    "actuatorfrcrange"));
  if (spec->actfrclimited && spec->actfrcrange[0] >= spec->actfrcrange[1]) {
    return sn_itemError(c, joint->elem,
                        "actfrcrange[0] should be smaller than actfrcrange[1] in joint");
  }
  return 0;
}

// axis and anchor in the body
static int compileAxis(snCompiler* c, snJointItem* joint) {
  snsJoint* spec = &joint->spec;
  const snElem* elem = joint->elem;
  const snFrameItem* frame = elem->frame ? (const snFrameItem*)elem->frame->scratch : NULL;
  if (spec->type == snJNT_FREE || spec->type == snJNT_BALL) {
    spec->axis[0] = spec->axis[1] = 0;
    spec->axis[2] = 1;
  } else if (frame) {
    sn_rotateVec(spec->axis, spec->axis, frame->quat);
  }
  if (sn_normalizeVec(spec->axis, 3) < SN_EPS) {
    return sn_itemError(c, elem, "axis too small in joint");
  }
  if (spec->type == snJNT_FREE) {
    for (int k = 0; k < 3; k++) spec->pos[k] = 0;
  } else if (frame) {
    double identity[4] = {1, 0, 0, 0};
    sn_applyFrame(elem, spec->pos, identity);
  }
  return 0;
}

int sn_compileJoint(snCompiler* c, snJointItem* joint) {
  snsJoint* spec = &joint->spec;
  SN_TRY(sn_checkUser(c, joint->elem));
  if (!sn_isJointType(spec->type)) {
    return sn_itemError(c, joint->elem, "unknown joint type");
  }
  const double* damper = spec->springdamper;
  if ((damper[0] != 0 || damper[1] != 0) && (damper[0] <= 0 || damper[1] <= 0)) {
    return sn_itemError(c, joint->elem,
                        "when defined, springdamper values must be positive in joint");
  }
  SN_TRY(compileLimits(c, joint));
  SN_TRY(compileAxis(c, joint));
  if (spec->type == snJNT_HINGE) {
    toRadians(joint->elem, &spec->ref, 1);
    toRadians(joint->elem, &spec->springref, 1);
  }
  return 0;
}
