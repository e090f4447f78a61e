// The plugins that are part of the library: names, attributes, capabilities.
//
// These are the ones that MuJoCo ships, under the same names, slots and attributes. A model stores
// for each instance its slot and one text per attribute, in the order of the table.

#ifndef SINEW_MODEL_PLUGIN_H_
#define SINEW_MODEL_PLUGIN_H_

#include "sinew/model.h"

SN_EXTERN_C_BEGIN

enum { snPLUGIN_PID, snPLUGIN_CABLE, snPLUGIN_TOUCHGRID, snPLUGIN_SHAPE, snNPLUGIN = 8 };

// what a plugin may be attached to
enum { snCAP_ACTUATOR = 1, snCAP_SENSOR = 2, snCAP_PASSIVE = 4, snCAP_SDF = 8 };

// Slot of a plugin by name, letter case aside; -1: unknown.
int sn_pluginSlot(const char* name);

// Name, capability and k-th attribute of a slot; NULL or 0 beyond the last one.
const char* sn_pluginName(int slot);
int sn_pluginCapability(int slot);
const char* sn_pluginAttribute(int slot, int k);

// Text of the k-th attribute of an instance; empty when it was not given.
const char* sn_pluginText(const snModel* m, int instance, int k);

// Texts of the first n attributes of an instance.
void sn_pluginTexts(const snModel* m, int instance, const char** text, int n);

// A plugin of the user by slot (they follow those of the library); NULL: not one of them.
struct snpPlugin_;
const struct snpPlugin_* sn_userPlugin(int slot);

// Numbers at the start of a text, separated by spaces; returns how many were read, at most n.
int sn_readNumbers(const char* text, snReal* value, int n);

// The k-th attribute as a number, or a default when it is empty.
snReal sn_pluginNumber(const snModel* m, int instance, int k, snReal standard);

SN_EXTERN_C_END

#endif  // SINEW_MODEL_PLUGIN_H_
