// Plugins of the user: code that takes part in a step, registered by name.
//
// A plugin is a table of functions. Models refer to it by name; an instance has a configuration (texts),
// a state (numbers in plugin_state, saved with the model's state) and memory of its own (plugin_data).
// Register plugins before loading models that use them. All functions but nstate are nullable.

#ifndef SINEW_PLUGIN_H_
#define SINEW_PLUGIN_H_

#include "sinew/data.h"

SN_EXTERN_C_BEGIN

struct snpPlugin_ {
  const char* name;               // unique, by convention with dots: "lab.controller"
  int nattribute;                 // attributes of the configuration
  const char* const* attributes;  // their names
  int capabilityflags;            // bits of snPluginCapabilityBit
  int needstage;                  // sensors: stage in which compute is called
  int (*nstate)(const snModel* m, int instance);
  int (*nsensordata)(const snModel* m, int instance, int sensor_id);
  int (*init)(const snModel* m, snData* d, int instance);  // negative: failure
  void (*destroy)(snData* d, int instance);
  void (*copy)(snData* dest, const snModel* m, const snData* src, int instance);
  void (*reset)(const snModel* m, snReal* plugin_state, void* plugin_data, int instance);
  void (*compute)(const snModel* m, snData* d, int instance, int capability_bit);
  void (*advance)(const snModel* m, snData* d, int instance);
  void (*visualize)(const snModel* m, snData* d, const void* option, void* scene, int instance);
  void (*actuator_act_dot)(const snModel* m, snData* d, int instance);
  snReal (*sdf_distance)(const snReal point[3], const snData* d, int instance);
  void (*sdf_gradient)(snReal gradient[3], const snReal point[3], const snData* d, int instance);
  snReal (*sdf_staticdistance)(const snReal point[3], const snReal* attributes);
  void (*sdf_attribute)(snReal attribute[], const char* name[], const char* value[]);
  void (*sdf_aabb)(snReal aabb[6], const snReal* attributes);
};
typedef struct snpPlugin_ snpPlugin;

// Blank definition.
SN_API void snp_defaultPlugin(snpPlugin* plugin);
// Copy a plugin into the process-wide table; returns its slot. The same definition again gives the same
// slot; another one of the same name is an error (-1).
SN_API int snp_registerPlugin(const snpPlugin* plugin);
// Plugins in the table, those of the library included.
SN_API int snp_pluginCount(void);
// Find by name; NULL and slot -1 when there is none. Nullable: slot.
SN_API const snpPlugin* snp_getPlugin(const char* name, int* slot);
SN_API const snpPlugin* snp_getPluginAtSlot(int slot);

// Load a library whose constructors register plugins. Returns how many came, 0 when it was loaded
// before, -1 with the reason, which may be that none came: a library must be built with this header
// (plugins for MuJoCo's library register themselves there). Nullable: error.
SN_API int snp_loadLibrary(const char* path, char* error, int error_sz);
// The same for all libraries (*.so) of a folder; a folder that is not there has none. The callback hears
// of each that registered something. Nullable: callback, error.
typedef void (*snfPluginLibrary)(const char* filename, int first, int count);
SN_API int snp_loadAllLibraries(const char* directory, snfPluginLibrary callback, char* error,
                                int error_sz);

SN_EXTERN_C_END

#endif  // SINEW_PLUGIN_H_
