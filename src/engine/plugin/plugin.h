// Built-in plugins, called where their capability has its place in a step.
//
//   plugin/pid.c         mujoco.pid: actuators with a PID controller
//   plugin/cable.c       mujoco.elasticity.cable: torques of bent and twisted chains of bodies
//   plugin/touchgrid.c   mujoco.sensor.touch_grid: contact forces, binned by direction
//   plugin/user.c        those that the user registered
//
// The distance fields (mujoco.sdf.*) belong to the collision (collide/distance_field.h). None of these keeps state of
// its own: a PID's integral and setpoint are activations of its actuator.

#ifndef SINEW_ENGINE_PLUGIN_PLUGIN_H_
#define SINEW_ENGINE_PLUGIN_PLUGIN_H_

#include "model/plugin.h"
#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// act_dot of plugin actuators (native rates are there), and their forces.
void sn_pluginActDot(const snModel* m, snData* d);
void sn_pluginForces(const snModel* m, snData* d);

// Add to qfrc_passive.
void sn_pluginPassive(const snModel* m, snData* d);

// Does an instance compute sensors in the stage? MuJoCo then has the forces on bodies ready (acceleration) or the
// velocities of subtrees (velocity), whether or not the plugin reads them.
int sn_hasPluginSensor(const snModel* m, int stage);

// Sensors of the acceleration stage.
void sn_pluginSensors(const snModel* m, snData* d);

// Plugins of the user (plugin/user.c): compute of one capability (sensors: of one stage), rates of
// activations, end of a step, reset.
void sn_userCompute(const snModel* m, snData* d, int capability, int stage);
void sn_userActDot(const snModel* m, snData* d);
void sn_userAdvance(const snModel* m, snData* d);
void sn_userReset(const snModel* m, snData* d);

SN_EXTERN_C_END

#endif  // SINEW_ENGINE_PLUGIN_PLUGIN_H_
