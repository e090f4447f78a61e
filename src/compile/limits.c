// The rule of automatic limits, shared by joints, tendons and actuators.

#include "compile/compiler.h"

int sn_limited(snCompiler* c, const snElem* elem, int* limited, const double range[2],
               const char* flag, const char* attribute) {
  int given = range[0] != 0 || range[1] != 0;
  if (*limited != snLIMITED_AUTO) return 0;
  if (!sn_elemCompiler(elem)->autolimits && given) {
    return sn_itemError(c, elem,
                        "%s has `%s` but not `%s`. set the autolimits=\"true\" compiler option, "
                        "specify `%s` explicitly (\"true\" or \"false\"), or remove the `%s` "
                        "attribute.",
                        sn_typeName(elem->head.elemtype), attribute, flag, flag, attribute);
  }
  *limited = range[0] < range[1];
  return 0;
}
