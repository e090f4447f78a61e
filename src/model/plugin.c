#include "model/plugin.h"

#include "base/assert.h"
#include "math/sdf.h"
#include "sinew/plugin.h"
#include "sinew/sinew.h"

enum { NATTR = 6 };

typedef struct Info_ {
  const char* name;
  int capability;
  const char* attribute[NATTR];
} Info;

// those before the distance fields, whose table is that of math/sdf.h
static const Info kPlugins[snPLUGIN_SHAPE] = {
    {"mujoco.pid", snCAP_ACTUATOR, {"kp", "ki", "kd", "imax", "slewmax", 0}},
    {"mujoco.elasticity.cable", snCAP_PASSIVE, {"twist", "bend", "flat", "vmax", 0, 0}},
    {"mujoco.sensor.touch_grid", snCAP_SENSOR, {"nchannel", "size", "fov", "gamma", 0, 0}},
};

const char* sn_pluginName(int slot) {
  const snpPlugin* user = sn_userPlugin(slot);
  if (user) return user->name;
  if (slot < 0 || slot >= snNPLUGIN) return NULL;
  return slot < snPLUGIN_SHAPE ? kPlugins[slot].name : sn_shapeInfo(slot - snPLUGIN_SHAPE)->plugin;
}

int sn_pluginCapability(int slot) {
  const snpPlugin* user = sn_userPlugin(slot);
  if (user) return user->capabilityflags;
  if (slot < 0 || slot >= snNPLUGIN) return 0;
  return slot < snPLUGIN_SHAPE ? kPlugins[slot].capability : snCAP_SDF;
}

const char* sn_pluginAttribute(int slot, int k) {
  const snpPlugin* user = sn_userPlugin(slot);
  if (user) return k >= 0 && k < user->nattribute ? user->attributes[k] : NULL;
  if (slot < 0 || slot >= snNPLUGIN || k < 0) return NULL;
  if (slot < snPLUGIN_SHAPE) return k < NATTR ? kPlugins[slot].attribute[k] : NULL;
  return k < snNSHAPEPARAM ? sn_shapeInfo(slot - snPLUGIN_SHAPE)->param[k] : NULL;
}

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static int same(const char* a, const char* b) {
  for (; *a && lower(*a) == lower(*b); a++) b++;
  return lower(*a) == lower(*b);
}

int sn_pluginSlot(const char* name) {
  for (int slot = 0; name && slot < snp_pluginCount(); slot++) {
    if (same(name, sn_pluginName(slot))) return slot;
  }
  return -1;
}

// ---- attributes of an instance

const char* sn_pluginText(const snModel* m, int instance, int k) {
  SN_ASSERT_INDEX(instance, m->nplugin);
  int adr = m->plugin_attradr[instance], end = (int)m->npluginattr;
  for (; k > 0 && adr < end; k--) {
    while (adr < end && m->plugin_attr[adr]) adr++;
    adr++;
  }
  return adr >= 0 && adr < end ? m->plugin_attr + adr : "";
}

void sn_pluginTexts(const snModel* m, int instance, const char** text, int n) {
  SN_ASSERT_INDEX(instance, m->nplugin);
  int adr = m->plugin_attradr[instance], end = (int)m->npluginattr;
  for (int k = 0; k < n; k++, adr++) {
    text[k] = adr >= 0 && adr < end ? m->plugin_attr + adr : "";
    while (adr >= 0 && adr < end && m->plugin_attr[adr]) adr++;
  }
}

const char* sn_getPluginConfig(const snModel* m, int plugin_id, const char* attrib) {
  if (plugin_id < 0 || plugin_id >= (int)m->nplugin || !attrib) return NULL;
  int slot = m->plugin[plugin_id];
  for (int k = 0; sn_pluginAttribute(slot, k); k++) {
    const char *a = sn_pluginAttribute(slot, k), *b = attrib;
    for (; *a && *a == *b; a++) b++;
    if (*a == *b) return sn_pluginText(m, plugin_id, k);
  }
  return NULL;
}

// one number, exact for up to 15 digits; returns what follows it, NULL when there is none
static const char* readNumber(const char* text, snReal* value) {
  snReal mantissa = 0, scale = 1;
  int digits = 0, exponent = 0;
  while (*text == ' ' || *text == '\t' || *text == '\n') text++;
  int negative = *text == '-';
  if (*text == '-' || *text == '+') text++;
  for (; *text >= '0' && *text <= '9'; text++, digits++) mantissa = 10 * mantissa + (*text - '0');
  if (*text == '.') {
    for (text++; *text >= '0' && *text <= '9'; text++, digits++, exponent--) {
      mantissa = 10 * mantissa + (*text - '0');
    }
  }
  if (digits == 0) return NULL;
  if (*text == 'e' || *text == 'E') {
    int power = 0, sign = text[1] == '-' ? -1 : 1;
    text += text[1] == '-' || text[1] == '+' ? 2 : 1;
    for (; *text >= '0' && *text <= '9'; text++) {
      if (power < 1000) power = 10 * power + (*text - '0');
    }
    exponent += sign * power;
  }
  for (int i = 0; i < (exponent < 0 ? -exponent : exponent) && i < 400; i++) scale *= 10;
  *value = exponent < 0 ? mantissa / scale : mantissa * scale;
  if (negative) *value = -*value;
  return text;
}

int sn_readNumbers(const char* text, snReal* value, int n) {
  SN_ASSERT(n >= 0);
  int count = 0;
  while (count < n && (text = readNumber(text, value + count))) count++;
  return count;
}

snReal sn_pluginNumber(const snModel* m, int instance, int k, snReal standard) {
  snReal value = standard;
  sn_readNumbers(sn_pluginText(m, instance, k), &value, 1);
  return value;
}
