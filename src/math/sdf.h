// Signed distance fields of machine parts, in closed form.
//
// The shapes that MuJoCo ships as plugins, named by the same strings and parameters. Each is built
// from exact distances by minimum (union), maximum (intersection) and negation (complement), so the
// zero level is the exact surface and the field is a lower bound of the distance elsewhere.
//
//   bolt    radius                            hexagonal head above a screw of twelve turns per unit
//   bowl    height, radius, thickness         cut hollow sphere
//   gear    alpha, diameter, teeth,           involute spur gear with a bore, turned by alpha
//           thickness, innerdiameter          radians; a negative innerdiameter: from the diameter
//   nut     radius                            hexagon with a threaded hole, for a bolt
//   torus   radius1, radius2                  ring in the xy-plane

#ifndef SINEW_MATH_SDF_H_
#define SINEW_MATH_SDF_H_

#include "base/team.h"
#include "sinew/types.h"

SN_EXTERN_C_BEGIN

enum { snSHAPE_BOLT, snSHAPE_BOWL, snSHAPE_GEAR, snSHAPE_NUT, snSHAPE_TORUS, snNSHAPE };
enum { snNSHAPEPARAM = 5, snNSHAPECONST = 12 };

// slot of the first shape among the plugins that MuJoCo loads by itself; the others follow it
enum { snSHAPE_SLOT = 3 };

// Names of the plugin and of its parameters (NULL after the last), and the parameters' defaults.
struct snShapeInfo_ {
  const char* plugin;
  const char* param[snNSHAPEPARAM];
  snReal value[snNSHAPEPARAM];
};
typedef struct snShapeInfo_ snShapeInfo;

const snShapeInfo* sn_shapeInfo(int shape);

// Numbers that a shape's field needs, prepared from its parameters.
struct snShape_ {
  int shape;
  snReal number[snNSHAPECONST];
};
typedef struct snShape_ snShape;

SN_FN void sn_makeShape(snShape* shape, int kind, const snReal param[snNSHAPEPARAM]);

// Half sizes of a box around the origin that contains the shape.
SN_FN void sn_shapeExtent(snReal half[3], int kind, const snReal param[snNSHAPEPARAM]);

SN_FN snReal sn_shapeDistance(const snShape* shape, const snReal x[3]);

// The same for several points, whose coordinates are x[0], x[1] and x[2]; only of shapes that are round.
enum { snNPOINTSATONCE = 8 };
SN_FN int sn_shapeIsRound(const snShape* shape);
SN_FN void sn_shapeDistances(snReal dist[snNPOINTSATONCE], const snShape* shape,
                             const snReal x[3][snNPOINTSATONCE]);

// Derivative of the distance: analytic for the torus, forward differences for the others.
SN_FN void sn_shapeGradient(snReal gradient[3], const snShape* shape, const snReal x[3]);

SN_EXTERN_C_END

#endif  // SINEW_MATH_SDF_H_
