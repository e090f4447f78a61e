// MJCF's default of every attribute. NaN means "not given" where a default is computed later.

#include <math.h>
#include <string.h>

#include "sinew/deformable.h"
#include "spec/element.h"

// clang-format off
#define SOLREF {0.02, 1}
#define SOLIMP {0.9, 0.95, 0.001, 0.5, 2}
#define FRICTION {1, 0.005, 0.0001}
#define GREY {0.5f, 0.5f, 0.5f, 1}
// clang-format on

// sns_defaultName: these members, and zeros for the others
#define DEFAULT(Name, ...)                           \
  void sns_default##Name(sns##Name* object) {        \
    static const sns##Name kDefault = {__VA_ARGS__}; \
    *object = kDefault;                              \
  }

void sns_defaultOrientation(snsOrientation* orient) { memset(orient, 0, sizeof(*orient)); }

DEFAULT(Body, .quat = {1}, .ipos = {NAN}, .iquat = {1}, .fullinertia = {NAN})

DEFAULT(Frame, .quat = {1})

DEFAULT(Joint, .type = snJNT_HINGE, .axis = {0, 0, 1}, .limited = 2, .align = 2, .actfrclimited = 2,
        .solref_limit = SOLREF, .solimp_limit = SOLIMP, .solref_friction = SOLREF,
        .solimp_friction = SOLIMP)

DEFAULT(Geom, .type = snGEOM_SPHERE, .quat = {1}, .fromto = {NAN}, .contype = 1, .conaffinity = 1,
        .condim = 3, .friction = FRICTION, .solmix = 1, .solref = SOLREF, .solimp = SOLIMP,
        .mass = NAN, .density = 1000, .typeinertia = snINERTIA_VOLUME,
        .fluid_coefs = {0.5, 0.25, 1.5, 1.0, 1.0}, .rgba = GREY, .fitscale = 1)

DEFAULT(Site, .type = snGEOM_SPHERE, .quat = {1}, .fromto = {NAN}, .size = {0.005, 0.005, 0.005},
        .rgba = GREY)

DEFAULT(Camera, .quat = {1}, .fovy = 45, .ipd = 0.068, .resolution = {1, 1}, .output = snCAMOUT_RGB)

DEFAULT(Light, .dir = {0, 0, -1}, .active = 1, .castshadow = 1, .bulbradius = 0.02f, .range = 10,
        .attenuation = {1}, .cutoff = 45, .exponent = 10, .diffuse = {0.7f, 0.7f, 0.7f},
        .specular = {0.3f, 0.3f, 0.3f})

DEFAULT(Flex, .contype = 1, .conaffinity = 1, .condim = 3, .friction = FRICTION, .solmix = 1,
        .solref = SOLREF, .solimp = SOLIMP, .dim = 2, .radius = 0.005,
        .selfcollide = snFLEXSELF_AUTO, .activelayers = 1, .rgba = GREY, .thickness = -1)

DEFAULT(Deformable, .young = NAN, .poisson = NAN, .density = NAN, .thickness = NAN, .radius = NAN,
        .mass = NAN, .margin = NAN, .damping = NAN, .stretch_compliance = NAN,
        .friction = {NAN, 0.005, 0.0001}, .bend_compliance = NAN, .shear_compliance = NAN,
        .volume_compliance = NAN, .twist_compliance = NAN, .substeps = 10, .contype = 1,
        .conaffinity = 1, .condim = 3, .solref = SOLREF, .solimp = SOLIMP, .rgba = GREY)

DEFAULT(Mesh, .refquat = {1}, .scale = {1, 1, 1}, .inertia = snMESH_INERTIA_LEGACY,
        .maxhullvert = -1)

void sns_defaultHField(snsHField* hfield) { memset(hfield, 0, sizeof(*hfield)); }

DEFAULT(Skin, .rgba = GREY)

DEFAULT(Texture, .type = snTEXTURE_CUBE, .nchannel = 3, .rgb1 = {0.8, 0.8, 0.8},
        .rgb2 = {0.5, 0.5, 0.5}, .random = 0.01, .gridsize = {1, 1},
        .gridlayout = {'.', '.', '.', '.', '.', '.', '.', '.', '.', '.', '.', '.'})

DEFAULT(Material, .texrepeat = {1, 1}, .specular = 0.5f, .shininess = 0.5f, .metallic = -1,
        .roughness = -1, .rgba = {1, 1, 1, 1})

DEFAULT(Pair, .condim = 3, .solref = SOLREF, .solimp = SOLIMP,
        .friction = {1, 1, 0.005, 0.0001, 0.0001})

DEFAULT(Equality, .active = 1, .data = {0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1}, .solref = SOLREF,
        .solimp = SOLIMP)

DEFAULT(Tendon, .springlength = {-1, -1}, .limited = 2, .width = 0.003, .solref_limit = SOLREF,
        .solimp_limit = SOLIMP, .solref_friction = SOLREF, .solimp_friction = SOLIMP, .rgba = GREY)

DEFAULT(Actuator, .gainprm = {1}, .dynprm = {1}, .actdim = -1, .trntype = snTRN_UNDEFINED,
        .gear = {1}, .ctrllimited = 2, .forcelimited = 2, .actlimited = 2)

DEFAULT(Sensor, .needstage = snSTAGE_ACC)

void sns_defaultNumeric(snsNumeric* numeric) { memset(numeric, 0, sizeof(*numeric)); }
void sns_defaultText(snsText* text) { memset(text, 0, sizeof(*text)); }
void sns_defaultTuple(snsTuple* tuple) { memset(tuple, 0, sizeof(*tuple)); }
void sns_defaultKey(snsKey* key) { memset(key, 0, sizeof(*key)); }
void sns_defaultPlugin(snsPlugin* plugin) { memset(plugin, 0, sizeof(*plugin)); }
