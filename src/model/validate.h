// Parts of a model that no rule of the field table describes: see the rule SEE(function).
//
// Each returns NULL when its part is sound, else what is wrong. They run when all other rules of the
// table hold: ids are in range, slices lie inside of their arrays.

#ifndef SINEW_MODEL_VALIDATE_H_
#define SINEW_MODEL_VALIDATE_H_

#include "sinew/sinew.h"

// validate_tree.c
const char* sn_validateBodies(const snModel* m);
const char* sn_validateJoints(const snModel* m);
const char* sn_validateDofs(const snModel* m);

// validate_shape.c
const char* sn_validateTrees(const snModel* m);
const char* sn_validateGeoms(const snModel* m);
const char* sn_validateMeshes(const snModel* m);
const char* sn_validateSkins(const snModel* m);
const char* sn_validateHeightFields(const snModel* m);
const char* sn_validateTextures(const snModel* m);

// validate_flex.c
const char* sn_validateFlexes(const snModel* m);
const char* sn_validateFlexLists(const snModel* m);

// validate_deform.c
const char* sn_validateDeformables(const snModel* m);

// validate_object.c
const char* sn_validateEqualities(const snModel* m);
const char* sn_validateTendons(const snModel* m);
const char* sn_validateActuators(const snModel* m);
const char* sn_validateActuatorModels(const snModel* m);
const char* sn_validateCapstans(const snModel* m);
const char* sn_validateTuples(const snModel* m);
const char* sn_validateNames(const snModel* m);
const char* sn_validatePlugins(const snModel* m);

// validate_sensor.c
const char* sn_validateSensors(const snModel* m);
const char* sn_validateHistory(const snModel* m);

#endif  // SINEW_MODEL_VALIDATE_H_
