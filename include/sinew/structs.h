// Plain structs of the public interface: options, statistics, contacts, counters.

#ifndef SINEW_STRUCTS_H_
#define SINEW_STRUCTS_H_

#include "sinew/enums.h"
#include "sinew/option_fields.h"
#include "sinew/types.h"

struct snLROpt_ {
  int mode;
  int useexisting;
  int uselimit;
  snReal accel;
  snReal maxforce;
  snReal timeconst;
  snReal timestep;
  snReal inttotal;
  snReal interval;
  snReal tolrange;
};
typedef struct snLROpt_ snLROpt;

#define SN_STRUCT_REAL(name) snReal name;
#define SN_STRUCT_REALS(name, count) snReal name[count];
#define SN_STRUCT_INT(name, rule) int name;

struct snOption_ {
  SN_OPTION_FIELDS(SN_STRUCT_REAL, SN_STRUCT_REALS, SN_STRUCT_INT)
};
typedef struct snOption_ snOption;

struct snVisual_ {
  struct {
    int cameraid;
    int orthographic;
    float fovy;
    float ipd;
    float azimuth;
    float elevation;
    float linewidth;
    float glow;
    float realtime;
    int offwidth;
    int offheight;
    int ellipsoidinertia;
    int bvactive;
  } global;
  struct {
    int shadowsize;
    int offsamples;
    int numslices;
    int numstacks;
    int numquads;
  } quality;
  struct {
    float ambient[3];
    float diffuse[3];
    float specular[3];
    int active;
  } headlight;
  struct {
    float stiffness;
    float stiffnessrot;
    float force;
    float torque;
    float alpha;
    float fogstart;
    float fogend;
    float znear;
    float zfar;
    float haze;
    float shadowclip;
    float shadowscale;
    float actuatortendon;
  } map;
  struct {
    float forcewidth;
    float contactwidth;
    float contactheight;
    float connect;
    float com;
    float camera;
    float light;
    float selectpoint;
    float jointlength;
    float jointwidth;
    float actuatorlength;
    float actuatorwidth;
    float framelength;
    float framewidth;
    float constraint;
    float slidercrank;
    float frustum;
  } scale;
  struct {
    float fog[4];
    float haze[4];
    float force[4];
    float inertia[4];
    float joint[4];
    float actuator[4];
    float actuatornegative[4];
    float actuatorpositive[4];
    float com[4];
    float camera[4];
    float light[4];
    float selectpoint[4];
    float connect[4];
    float contactpoint[4];
    float contactforce[4];
    float contactfriction[4];
    float contacttorque[4];
    float contactgap[4];
    float rangefinder[4];
    float constraint[4];
    float slidercrank[4];
    float crankbroken[4];
    float frustum[4];
    float bv[4];
    float bvactive[4];
  } rgba;
};
typedef struct snVisual_ snVisual;

struct snStatistic_ {
  SN_STATISTIC_FIELDS(SN_STRUCT_REAL, SN_STRUCT_REALS)
};
typedef struct snStatistic_ snStatistic;

struct snContact_ {
  snReal dist;
  snReal pos[3];
  snReal frame[9];
  snReal includemargin;
  snReal friction[5];
  snReal solref[2];
  snReal solreffriction[2];
  snReal solimp[5];
  snReal mu;
  snReal H[36];
  int dim;
  int geom1;
  int geom2;
  int geom[2];
  int flex[2];
  int elem[2];
  int vert[2];
  int exclude;
  int efc_address;
};
typedef struct snContact_ snContact;

struct snWarningStat_ {
  int lastinfo;
  int number;
};
typedef struct snWarningStat_ snWarningStat;

struct snTimerStat_ {
  snReal duration;
  int number;
};
typedef struct snTimerStat_ snTimerStat;

struct snSolverStat_ {
  snReal improvement;
  snReal gradient;
  snReal lineslope;
  int nactive;
  int nchange;
  int neval;
  int nupdate;
};
typedef struct snSolverStat_ snSolverStat;
#endif  // SINEW_STRUCTS_H_
