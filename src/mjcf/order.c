// MuJoCo's order of attributes, found by giving it every pair of bad ones.

#include "mjcf/order.h"

#include <string.h>

#include "spec/container.h"

// elements by the name of their parent (bodies and frames are "body") and their own; "*": any parent;
// "|": more than one orientation is an error here
typedef struct Order_ {
  const char* parent;
  const char* name;
  const char* attributes;
} Order;

#define ACTUATOR_HEAD                                                                    \
  "group nsample interp delay ctrllimited forcelimited actlimited ctrlrange forcerange " \
  "actrange lengthrange gear cranklength "

// joints of bodies and of defaults; those of tendons and equalities have other attributes
#define JOINT                                                                                     \
  "type limited actuatorfrclimited group solreflimit solimplimit solreffriction solimpfriction "  \
  "pos axis springdamper stiffness range actuatorfrcrange margin ref springref armature damping " \
  "frictionloss actuatorgravcomp user"

static const Order kOrders[] = {
    {"mujoco", "compiler",
     "autolimits boundmass boundinertia settotalmass balanceinertia strippath fitaabb coordinate "
     "angle eulerseq discardvisual usethread fusestatic inertiafromgeom inertiagrouprange "
     "alignfree "
     "saveinertial"},
    {"mujoco", "statistic", "meaninertia meanmass meansize extent center"},
    {"visual", "map",
     "stiffness stiffnessrot force torque alpha fogstart fogend znear zfar haze shadowclip "
     "shadowscale actuatortendon"},
    {"mujoco", "size",
     "memory nuserdata nkey nconmax nstack njmax nuser_body nuser_jnt nuser_geom nuser_site "
     "nuser_cam nuser_tendon nuser_actuator nuser_sensor"},
    {"visual", "global",
     "cameraid orthographic fovy ipd azimuth elevation linewidth glow offwidth offheight realtime "
     "ellipsoidinertia bvactive"},
    {"*", "mesh",
     "refpos refquat scale inertia smoothnormal maxhullvert vertex normal texcoord face builtin"},
    {"*", "material",
     "texuniform texrepeat emission specular shininess reflectance metallic roughness rgba"},
    {"default", "joint", JOINT},
    {"body", "joint", JOINT},
    {"*", "geom",
     "type size contype conaffinity condim group priority friction solmix solref solimp margin gap "
     "fitscale rgba fluidshape fluidcoef user mass density fromto pos quat axisangle xyaxes zaxis "
     "euler | shellinertia"},
    {"*", "body", "pos quat mocap axisangle xyaxes zaxis euler | gravcomp sleep user"},
    {"*", "frame", "pos quat axisangle xyaxes zaxis euler |"},
    {"*", "inertial", "pos quat mass diaginertia axisangle xyaxes zaxis euler | fullinertia"},
    {"*", "site", "type size group pos quat rgba fromto axisangle xyaxes zaxis euler | user"},
    {"*", "camera",
     "mode pos quat axisangle xyaxes zaxis euler | ipd projection principalpixel principal "
     "focalpixel focal resolution output sensorsize fovy user"},
    {"*", "light",
     "mode directional type castshadow active pos dir bulbradius intensity range attenuation "
     "cutoff exponent ambient diffuse specular"},
    {"*", "pair", "condim solref solreffriction solimp margin gap friction"},
    {"*", "skin", "group rgba inflate vertex texcoord face"},
    {"asset", "texture",
     "type colorspace width height nchannel rgb1 rgb2 markrgb random builtin mark hflip vflip "
     "gridsize"},
    {"default", "tendon",
     "group limited width solreflimit solimplimit solreffriction solimpfriction range margin "
     "stiffness damping frictionloss springlength rgba user"},
    {"*", "spatial",
     "group limited actuatorfrclimited width solreflimit solimplimit solreffriction "
     "solimpfriction range actuatorfrcrange margin stiffness damping armature frictionloss "
     "springlength rgba user"},
    {"*", "fixed",
     "group limited actuatorfrclimited solreflimit solimplimit solreffriction solimpfriction range "
     "actuatorfrcrange margin stiffness damping armature frictionloss springlength user"},
    {"*", "muscle",
     ACTUATOR_HEAD "timeconst tausmooth range force scale lmin lmax vmax fpmax fvmax user"},
    {"*", "cylinder", ACTUATOR_HEAD "timeconst bias area diameter user"},
    {"*", "adhesion", ACTUATOR_HEAD "gain user"},
    {"*", "damper", ACTUATOR_HEAD "kv user"},
    {"actuator", "plugin", ACTUATOR_HEAD "dyntype actearly dynprm actdim user"},
    {"*", "general",
     ACTUATOR_HEAD "dyntype gaintype biastype actearly dynprm gainprm biasprm actdim user"},
    {"*", "motor", ACTUATOR_HEAD "user"},
    {"*", "position", ACTUATOR_HEAD "kp kv dampratio timeconst inheritrange user"},
    {"*", "intvelocity", ACTUATOR_HEAD "kp kv dampratio timeconst inheritrange user"},
    {"*", "velocity", ACTUATOR_HEAD "kv user"},
};

static int isBodyLike(const char* name) {
  return !strcmp(name, "worldbody") || !strcmp(name, "frame") || !strcmp(name, "replicate");
}

static const char* orderOf(const snXmlNode* node) {
  const char* parent = node->parent ? node->parent->name : "";
  if (isBodyLike(parent)) parent = "body";
  for (size_t i = 0; i < sizeof(kOrders) / sizeof(kOrders[0]); i++) {
    const Order* order = kOrders + i;
    int fits = *order->parent == '*' || !strcmp(order->parent, parent);
    if (fits && !strcmp(order->name, node->name)) return order->attributes;
  }
  return NULL;
}

// the row of the language's table; documents are shallow
static const snTag* tagOf(const snXmlNode* node) {
  if (!node->parent) return &sn_tagMujoco;
  const snTag* parent = tagOf(node->parent);
  if (!parent || (isBodyLike(node->name) && !strcmp(parent->name, "body"))) return parent;
  return sn_tagChild(parent, isBodyLike(node->name) ? "body" : node->name);
}

// read a value and forget it
static void tryAttribute(snReader* r, const snXmlNode* node, const snAttr* attr) {
  double numbers[512];
  int value, integers[64], count = 0, upto = attr->flags & snATTR_UPTO;
  snDoubleVec list = {0};
  snIntVec integerList = {0};
  switch (attr->type) {
    case snATTR_KEYWORD: sn_mjcfKeyword(r, node, attr->name, attr->keywords, &value); break;
    case snATTR_INT:
      if (attr->count == 1) sn_mjcfInt(r, node, attr->name, &value);
      if (attr->count > 1) sn_mjcfInts(r, node, attr->name, integers, attr->count, upto);
      if (!attr->count) sn_mjcfIntVec(r, node, attr->name, &integerList);
      break;
    case snATTR_REAL:
    case snATTR_QUAT:
      if (attr->count) count = sn_mjcfDoubles(r, node, attr->name, numbers, attr->count, upto);
      if (!attr->count) sn_mjcfDoubleVec(r, node, attr->name, &list);
      if (attr->type == snATTR_QUAT && count) sn_mjcfCheckQuat(r, node, attr->name, numbers);
      break;
    default: break;
  }
  sn_boxFree((snBox*)&list, snBOX_DOUBLE);
  sn_boxFree((snBox*)&integerList, snBOX_INT);
}

static int hasWord(const char* list, const char* word) {
  size_t n = strlen(word);
  for (const char* at = list; (at = strstr(at, word)) != NULL; at += n) {
    if ((at == list || at[-1] == ' ') && (!at[n] || at[n] == ' ')) return 1;
  }
  return 0;
}

int sn_mjcfEarlierFault(snReader* r, const snXmlNode* node, const char* name) {
  const char* next = r->failed || r->ordered ? NULL : orderOf(node);
  const snTag* tag = next && hasWord(next, name) ? tagOf(node) : NULL;
  if (!tag) return 0;
  r->ordered = 1;
  while (*next && !r->failed) {
    char word[32];
    size_t length = strcspn(next, " ");
    memcpy(word, next, length);
    word[length] = 0;
    next += length + (next[length] == ' ');
    if (!strcmp(word, name)) break;
    const snAttr* attr = sn_tagAttr(tag, word);
    if (attr) tryAttribute(r, node, attr);
  }
  r->ordered = 0;
  return r->failed;
}
