// The editable model: what files are read into and what programs build and change.
//
// Every struct is a list of attributes as MJCF knows them; strings and vectors are opaque and are
// set and read by the functions of sinew.h (sns_setString, sns_getDouble, ...).

#ifndef SINEW_SPEC_H_
#define SINEW_SPEC_H_

#include "sinew/structs.h"

typedef struct snString_ snString;
typedef struct snStringVec_ snStringVec;
typedef struct snByteVec_ snByteVec;
typedef struct snIntVec_ snIntVec;
typedef struct snIntVecVec_ snIntVecVec;
typedef struct snFloatVec_ snFloatVec;
typedef struct snFloatVecVec_ snFloatVecVec;
typedef struct snDoubleVec_ snDoubleVec;

struct snsElement_ {
  snObj elemtype;
  uint64_t signature;
};
typedef struct snsElement_ snsElement;

struct snsCompiler_ {
  snByte autolimits;
  double boundmass;
  double boundinertia;
  double settotalmass;
  snByte balanceinertia;
  snByte fitaabb;
  snByte degree;
  char eulerseq[3];
  snByte discardvisual;
  snByte usethread;
  snByte fusestatic;
  int inertiafromgeom;
  int inertiagrouprange[2];
  snByte saveinertial;
  int alignfree;
  snLROpt LRopt;
  snString* meshdir;
  snString* texturedir;
};
typedef struct snsCompiler_ snsCompiler;

struct snSpec_ {
  snsElement* element;
  snString* modelname;
  snsCompiler compiler;
  snByte strippath;
  snOption option;
  snVisual visual;
  snStatistic stat;
  snSize memory;
  int nemax;
  int nuserdata;
  int nuser_body;
  int nuser_jnt;
  int nuser_geom;
  int nuser_site;
  int nuser_cam;
  int nuser_tendon;
  int nuser_actuator;
  int nuser_sensor;
  int nkey;
  int njmax;
  int nconmax;
  snSize nstack;
  snString* comment;
  snString* modelfiledir;
  snByte hasImplicitPluginElem;
  int deformable_repeats;  // extension: detections of contacts by step, of deformables that set none
  int xpbd_substeps;       // extension: substeps of the XPBD solver
  double xpbd_compliance;  // extension: compliance of its rows in m/N
};
typedef struct snSpec_ snSpec;

struct snsOrientation_ {
  snOrientation type;
  double axisangle[4];
  double xyaxes[6];
  double zaxis[3];
  double euler[3];
};
typedef struct snsOrientation_ snsOrientation;

struct snsPlugin_ {
  snsElement* element;
  snString* name;
  snString* plugin_name;
  snByte active;
  snString* info;
};
typedef struct snsPlugin_ snsPlugin;

struct snsBody_ {
  snsElement* element;
  snString* childclass;
  double pos[3];
  double quat[4];
  snsOrientation alt;
  double mass;
  double ipos[3];
  double iquat[4];
  double inertia[3];
  snsOrientation ialt;
  double fullinertia[6];
  snByte mocap;
  double gravcomp;
  snSleepPolicy sleep;
  snDoubleVec* userdata;
  snByte explicitinertial;
  snsPlugin plugin;
  snString* info;
};
typedef struct snsBody_ snsBody;

struct snsFrame_ {
  snsElement* element;
  snString* childclass;
  double pos[3];
  double quat[4];
  snsOrientation alt;
  snString* info;
};
typedef struct snsFrame_ snsFrame;

struct snsJoint_ {
  snsElement* element;
  snJoint type;
  double pos[3];
  double axis[3];
  double ref;
  int align;
  double stiffness;
  double springref;
  double springdamper[2];
  int limited;
  double range[2];
  double margin;
  snReal solref_limit[2];
  snReal solimp_limit[5];
  int actfrclimited;
  double actfrcrange[2];
  double armature;
  double damping;
  double frictionloss;
  snReal solref_friction[2];
  snReal solimp_friction[5];
  int group;
  snByte actgravcomp;
  snDoubleVec* userdata;
  snString* info;
};
typedef struct snsJoint_ snsJoint;

struct snsGeom_ {
  snsElement* element;
  snGeom type;
  double pos[3];
  double quat[4];
  snsOrientation alt;
  double fromto[6];
  double size[3];
  int contype;
  int conaffinity;
  int condim;
  int priority;
  double friction[3];
  double solmix;
  snReal solref[2];
  snReal solimp[5];
  double margin;
  double gap;
  double mass;
  double density;
  snGeomInertia typeinertia;
  snReal fluid_ellipsoid;
  snReal fluid_coefs[5];
  snString* material;
  float rgba[4];
  int group;
  snString* hfieldname;
  snString* meshname;
  double fitscale;
  snDoubleVec* userdata;
  snsPlugin plugin;
  snString* info;
};
typedef struct snsGeom_ snsGeom;

struct snsSite_ {
  snsElement* element;
  double pos[3];
  double quat[4];
  snsOrientation alt;
  double fromto[6];
  double size[3];
  snGeom type;
  snString* material;
  int group;
  float rgba[4];
  snDoubleVec* userdata;
  snString* info;
};
typedef struct snsSite_ snsSite;

struct snsCamera_ {
  snsElement* element;
  double pos[3];
  double quat[4];
  snsOrientation alt;
  snCamLight mode;
  snString* targetbody;
  snProjection proj;
  int resolution[2];
  int output;
  double fovy;
  double ipd;
  float intrinsic[4];
  float sensor_size[2];
  float focal_length[2];
  float focal_pixel[2];
  float principal_length[2];
  float principal_pixel[2];
  snDoubleVec* userdata;
  snString* info;
};
typedef struct snsCamera_ snsCamera;

struct snsLight_ {
  snsElement* element;
  double pos[3];
  double dir[3];
  snCamLight mode;
  snString* targetbody;
  snByte active;
  snLightType type;
  snString* texture;
  snByte castshadow;
  float bulbradius;
  float intensity;
  float range;
  float attenuation[3];
  float cutoff;
  float exponent;
  float ambient[3];
  float diffuse[3];
  float specular[3];
  snString* info;
};
typedef struct snsLight_ snsLight;

struct snsFlex_ {
  snsElement* element;
  int contype;
  int conaffinity;
  int condim;
  int priority;
  double friction[3];
  double solmix;
  snReal solref[2];
  snReal solimp[5];
  double margin;
  double gap;
  int dim;
  double radius;
  double size[3];
  snByte internal;
  snByte flatskin;
  int selfcollide;
  int vertcollide;
  int passive;
  int activelayers;
  int group;
  double edgestiffness;
  double edgedamping;
  float rgba[4];
  snString* material;
  double young;
  double poisson;
  double damping;
  double thickness;
  int elastic2d;
  snStringVec* nodebody;
  snStringVec* vertbody;
  snDoubleVec* node;
  snDoubleVec* vert;
  snIntVec* elem;
  snFloatVec* texcoord;
  snIntVec* elemtexcoord;
  snString* info;
  snString* elasticity_model;  // extension: law of stretch by name; empty: linear, as MuJoCo's
  snDoubleVec* elasticity_param;
  snString* bending_model;  // extension: law of bending by name; empty: cotangent, as MuJoCo's
  snDoubleVec* bending_param;
};
typedef struct snsFlex_ snsFlex;

// Extension: a body of vertices that XPBD moves. Numbers that are NaN come from the preset.
struct snsDeformable_ {
  snsElement* element;
  snDeformable type;
  snDoubleVec* vert;    // positions in the world
  snIntVec* elem;       // vertices of lines, triangles or tetrahedra
  snString* preset;     // kind of cloth, soft body or chain by name; empty: cotton, rubber, rope
  snString* substance;  // material by name; empty: that of the preset
  double young;
  double poisson;
  double density;
  double friction[3];
  double thickness;           // cloth
  double radius;              // chain
  double mass;                // of all vertices; NaN: from the density
  double stretch_compliance;  // 1 / stiffness; NaN: from the material
  double shear_compliance;
  double bend_compliance;
  double volume_compliance;
  double twist_compliance;
  double damping;
  double sleep;
  int substeps;
  int repeats;  // 0: that of the spec
  int tethers;  // edges that a tether spans, 0: none
  int contype;
  int conaffinity;
  int condim;
  snReal solref[2];
  snReal solimp[5];
  double margin;  // that vertices keep from surfaces; NaN: radius, half the thickness, 5 mm
  snByte selfcollide;
  snByte registered;
  snIntVec* pin;            // vertices that stay where they are
  snIntVec* shear;          // pairs of vertices whose edge resists shear, not stretch
  snIntVec* attachvert;     // vertices that are attached to bodies
  snStringVec* attachbody;  // their bodies
  int group;
  float rgba[4];
  snString* info;
};
typedef struct snsDeformable_ snsDeformable;

struct snsMesh_ {
  snsElement* element;
  snString* content_type;
  snString* file;
  double refpos[3];
  double refquat[4];
  double scale[3];
  snMeshInertia inertia;
  snByte smoothnormal;
  snByte needsdf;
  int maxhullvert;
  snFloatVec* uservert;
  snFloatVec* usernormal;
  snFloatVec* usertexcoord;
  snIntVec* userface;
  snIntVec* userfacenormal;
  snIntVec* userfacetexcoord;
  snsPlugin plugin;
  snString* material;
  snString* info;
};
typedef struct snsMesh_ snsMesh;

struct snsHField_ {
  snsElement* element;
  snString* content_type;
  snString* file;
  double size[4];
  int nrow;
  int ncol;
  snFloatVec* userdata;
  snString* info;
};
typedef struct snsHField_ snsHField;

struct snsSkin_ {
  snsElement* element;
  snString* file;
  snString* material;
  float rgba[4];
  float inflate;
  int group;
  snFloatVec* vert;
  snFloatVec* texcoord;
  snIntVec* face;
  snStringVec* bodyname;
  snFloatVec* bindpos;
  snFloatVec* bindquat;
  snIntVecVec* vertid;
  snFloatVecVec* vertweight;
  snString* info;
};
typedef struct snsSkin_ snsSkin;

struct snsTexture_ {
  snsElement* element;
  snTexture type;
  snColorSpace colorspace;
  int builtin;
  int mark;
  double rgb1[3];
  double rgb2[3];
  double markrgb[3];
  double random;
  int height;
  int width;
  int nchannel;
  snString* content_type;
  snString* file;
  int gridsize[2];
  char gridlayout[12];
  snStringVec* cubefiles;
  snByteVec* data;
  snByte hflip;
  snByte vflip;
  snString* info;
};
typedef struct snsTexture_ snsTexture;

struct snsMaterial_ {
  snsElement* element;
  snStringVec* textures;
  snByte texuniform;
  float texrepeat[2];
  float emission;
  float specular;
  float shininess;
  float reflectance;
  float metallic;
  float roughness;
  float rgba[4];
  snString* info;
};
typedef struct snsMaterial_ snsMaterial;

struct snsPair_ {
  snsElement* element;
  snString* geomname1;
  snString* geomname2;
  int condim;
  snReal solref[2];
  snReal solreffriction[2];
  snReal solimp[5];
  double margin;
  double gap;
  double friction[5];
  snString* info;
};
typedef struct snsPair_ snsPair;

struct snsExclude_ {
  snsElement* element;
  snString* bodyname1;
  snString* bodyname2;
  snString* info;
};
typedef struct snsExclude_ snsExclude;

struct snsEquality_ {
  snsElement* element;
  snEq type;
  double data[11];
  snByte active;
  snString* name1;
  snString* name2;
  snObj objtype;
  snReal solref[2];
  snReal solimp[5];
  snString* info;
};
typedef struct snsEquality_ snsEquality;

struct snsTendon_ {
  snsElement* element;
  double stiffness;
  double springlength[2];
  double damping;
  double frictionloss;
  snReal solref_friction[2];
  snReal solimp_friction[5];
  double armature;
  int limited;
  int actfrclimited;
  double range[2];
  double actfrcrange[2];
  double margin;
  snReal solref_limit[2];
  snReal solimp_limit[5];
  snString* material;
  double width;
  float rgba[4];
  int group;
  snDoubleVec* userdata;
  snString* info;
};
typedef struct snsTendon_ snsTendon;

struct snsWrap_ {
  snsElement* element;
  snWrap type;
  snString* info;
  // extension: friction of the tendon and the wheel of a pulley
  double friction[2];  // geoms and pulleys: coefficient, speed at which it is nearly full
  double angle;        // pulleys: angle that the tendon turns around it
  double inertia;      // pulleys: of the wheel
  double radius;       // pulleys: of the wheel
};
typedef struct snsWrap_ snsWrap;

struct snsActuator_ {
  snsElement* element;
  snGain gaintype;
  double gainprm[10];
  snBias biastype;
  double biasprm[10];
  snDyn dyntype;
  double dynprm[10];
  int actdim;
  snByte actearly;
  snTrn trntype;
  double gear[6];
  snString* target;
  snString* refsite;
  snString* slidersite;
  double cranklength;
  double lengthrange[2];
  double inheritrange;
  int ctrllimited;
  double ctrlrange[2];
  int forcelimited;
  double forcerange[2];
  int actlimited;
  double actrange[2];
  int group;
  int nsample;
  int interp;
  double delay;
  snDoubleVec* userdata;
  snsPlugin plugin;
  snString* info;
  snString* gain_model;      // extension: law by name; empty: gaintype and biastype
  snDoubleVec* gain_params;  // extension: its parameters
};
typedef struct snsActuator_ snsActuator;

// Extension: a Hill-type muscle (docs/actuator-models.md). NaN: the default, or what a class said.
struct snsHill_ {
  double force;             // peak isometric force
  double optimal_length;    // of the fibres
  double slack_length;      // of the tendon
  double pennation;         // angle of the fibres at their optimal length, radians
  double max_velocity;      // shortening, optimal lengths per second
  double passive_strain;    // of the fibres at the peak force
  double width;             // of the active force-length curve
  double max_eccentric;     // force of fast lengthening, in peak forces
  double tendon_stiffness;  // at and beyond the peak force, force by length; 0: rigid
  double damping;           // of the fibres
  double min_activation;    // activations do not fall below it
  double timeconst[2];      // activation, deactivation
};
typedef struct snsHill_ snsHill;

struct snsSensor_ {
  snsElement* element;
  snSensor type;
  snObj objtype;
  snString* objname;
  snObj reftype;
  snString* refname;
  int intprm[3];
  snDataType datatype;
  snStage needstage;
  int dim;
  double cutoff;
  double noise;
  int nsample;
  int interp;
  double delay;
  double interval[2];
  snDoubleVec* userdata;
  snsPlugin plugin;
  snString* info;
};
typedef struct snsSensor_ snsSensor;

struct snsNumeric_ {
  snsElement* element;
  snDoubleVec* data;
  int size;
  snString* info;
};
typedef struct snsNumeric_ snsNumeric;

struct snsText_ {
  snsElement* element;
  snString* data;
  snString* info;
};
typedef struct snsText_ snsText;

struct snsTuple_ {
  snsElement* element;
  snIntVec* objtype;
  snStringVec* objname;
  snDoubleVec* objprm;
  snString* info;
};
typedef struct snsTuple_ snsTuple;

struct snsKey_ {
  snsElement* element;
  double time;
  snDoubleVec* qpos;
  snDoubleVec* qvel;
  snDoubleVec* act;
  snDoubleVec* mpos;
  snDoubleVec* mquat;
  snDoubleVec* ctrl;
  snString* info;
  snDoubleVec* deformpos;  // extension: positions of the vertices of deformables
  snDoubleVec* deformvel;  // their velocities
};
typedef struct snsKey_ snsKey;

struct snsDefault_ {
  snsElement* element;
  snsJoint* joint;
  snsGeom* geom;
  snsSite* site;
  snsCamera* camera;
  snsLight* light;
  snsFlex* flex;
  snsMesh* mesh;
  snsMaterial* material;
  snsPair* pair;
  snsEquality* equality;
  snsTendon* tendon;
  snsActuator* actuator;
};
typedef struct snsDefault_ snsDefault;
#endif  // SINEW_SPEC_H_
