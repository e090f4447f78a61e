// Sensors.
//
// A sensor belongs to the stage whose results it reads: position, velocity or acceleration. Each
// type is one row of model/sensor_types.h, whose function writes sensor_dim numbers; sense/sensor.c owns
// the schedule (stages, user sensors, delays and intervals, cutoffs) and the switch over the rows:
//
//   sense/joint.c     joints, tendons, actuators, limits, energies, the clock
//   sense/frame.c     poses, velocities, accelerations, forces of frames; subtrees; the camera
//   sense/ray.c       rangefinders of sites and cameras
//   sense/contact.c   touch, contact reports
//   sense/surface.c   distances of geoms, tactile grids
//
// What several sensors need and no stage computes (energies, momenta of subtrees, accelerations of
// bodies) is computed by the first of them and marked by a flag in snData.

#ifndef SINEW_ENGINE_SENSE_SENSOR_H_
#define SINEW_ENGINE_SENSE_SENSOR_H_

#include "engine/constrain/contact_lists.h"
#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// position
void sn_sensorMagnetometer(const snModel* m, snData* d, int i, snReal* out);
void sn_sensorRangefinder(const snModel* m, snData* d, int i, snReal* out);
void sn_sensorCamProjection(const snModel* m, snData* d, int i, snReal* out);
void sn_sensorJointPos(const snModel* m, snData* d, int i, snReal* out);
void sn_sensorTendonPos(const snModel* m, snData* d, int i, snReal* out);
void sn_sensorActuatorPos(const snModel* m, snData* d, int i, snReal* out);
void sn_sensorLimitPos(const snModel* m, snData* d, int i, snReal* out);
void sn_sensorSubtreeCom(const snModel* m, snData* d, int i, snReal* out);
void sn_sensorClock(const snModel* m, snData* d, int i, snReal* out);
void sn_sensorBallQuat(const snModel* m, snData* d, int i, snReal* out);
void sn_sensorFramePos(const snModel* m, snData* d, int i, snReal* out);
void sn_sensorFrameQuat(const snModel* m, snData* d, int i, snReal* out);
void sn_sensorFrameAxis(const snModel* m, snData* d, int i, snReal* out);
void sn_sensorInsideSite(const snModel* m, snData* d, int i, snReal* out);
void sn_sensorGeomDistance(const snModel* m, snData* d, int i, snReal* out);
void sn_sensorPotential(const snModel* m, snData* d, int i, snReal* out);
void sn_sensorKinetic(const snModel* m, snData* d, int i, snReal* out);

// velocity
void sn_sensorVelocimeter(const snModel* m, snData* d, int i, snReal* out);
void sn_sensorGyro(const snModel* m, snData* d, int i, snReal* out);
void sn_sensorJointVel(const snModel* m, snData* d, int i, snReal* out);
void sn_sensorTendonVel(const snModel* m, snData* d, int i, snReal* out);
void sn_sensorActuatorVel(const snModel* m, snData* d, int i, snReal* out);
void sn_sensorLimitVel(const snModel* m, snData* d, int i, snReal* out);
void sn_sensorFrameLinVel(const snModel* m, snData* d, int i, snReal* out);
void sn_sensorFrameAngVel(const snModel* m, snData* d, int i, snReal* out);
void sn_sensorSubtreeLinVel(const snModel* m, snData* d, int i, snReal* out);
void sn_sensorSubtreeAngMom(const snModel* m, snData* d, int i, snReal* out);

// acceleration
void sn_sensorTouch(const snModel* m, snData* d, int i, snReal* out);
void sn_sensorAccelerometer(const snModel* m, snData* d, int i, snReal* out);
void sn_sensorForce(const snModel* m, snData* d, int i, snReal* out);
void sn_sensorTorque(const snModel* m, snData* d, int i, snReal* out);
void sn_sensorActuatorFrc(const snModel* m, snData* d, int i, snReal* out);
void sn_sensorJointActFrc(const snModel* m, snData* d, int i, snReal* out);
void sn_sensorLimitFrc(const snModel* m, snData* d, int i, snReal* out);
void sn_sensorTendonActFrc(const snModel* m, snData* d, int i, snReal* out);
void sn_sensorFrameLinAcc(const snModel* m, snData* d, int i, snReal* out);
void sn_sensorFrameAngAcc(const snModel* m, snData* d, int i, snReal* out);
void sn_sensorContact(const snModel* m, snData* d, int i, snReal* out);
void sn_sensorTactile(const snModel* m, snData* d, int i, snReal* out);

// The same as sn_sensorTouch with the contacts of all bodies at hand.
void sn_sensorTouchListed(const snModel* m, const snData* d, const snContactLists* lists, int i,
                          snReal* out);

// Is a point strictly inside of a site's shape?
int sn_insideSite(const snModel* m, const snData* d, int site, const snReal point[3]);

// Focal lengths and principal point of a camera, in pixels.
void sn_cameraIntrinsics(const snModel* m, int cam, snReal focal[2], snReal centre[2]);
// Where the ray of a pixel begins, and its direction.
void sn_pixelRay(const snModel* m, const snData* d, int cam, int pixel, snReal origin[3],
                 snReal dir[3]);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_SENSE_SENSOR_H_
