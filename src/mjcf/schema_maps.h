// Keywords that only the table of the language needs.

#ifndef SINEW_MJCF_SCHEMA_MAPS_H_
#define SINEW_MJCF_SCHEMA_MAPS_H_

#include "mjcf/schema.h"

extern const snKeyword sn_mapFluid[], sn_mapSleep[], sn_mapJoint[], sn_mapGeom[],
    sn_mapProjection[], sn_mapCamLight[], sn_mapIntegrator[], sn_mapCone[], sn_mapJacobian[],
    sn_mapSolver[], sn_mapOwnSolver[], sn_mapMargins[], sn_mapTexture[], sn_mapColorSpace[],
    sn_mapBuiltin[], sn_mapMark[], sn_mapDyn[], sn_mapGain[], sn_mapBias[], sn_mapInterp[],
    sn_mapCamOutput[], sn_mapLRMode[], sn_mapComposite[], sn_mapJointKind[], sn_mapInertiaShell[],
    sn_mapMeshInertia[], sn_mapFlexcomp[], sn_mapFlexDof[], sn_mapFlexSelf[], sn_mapElastic2d[],
    sn_mapFlexEquality[];

#endif  // SINEW_MJCF_SCHEMA_MAPS_H_
