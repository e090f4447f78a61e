// Names of sensors, for the reader and the writer.

#ifndef SINEW_MJCF_SENSOR_TAGS_H_
#define SINEW_MJCF_SENSOR_TAGS_H_

#include "sinew/enums.h"

typedef struct snSensorTag_ {
  const char* tag;  // NULL ends a list
  snSensor type;
  snObj objtype;
  const char*
      attribute;  // that names the object; of frame sensors: the reference, if there may be one
} snSensorTag;

// sensors of one object that one attribute names
extern const snSensorTag sn_sensorTags[];
// sensors of the pose of an object, some of them relative to another
extern const snSensorTag sn_sensorFrameTags[];

#endif  // SINEW_MJCF_SENSOR_TAGS_H_
