// Abstract visualisation: what there is to draw, without drawing it.
//
// A scene is a list of shapes with poses and colours, lights and cameras, made from a model and its
// state; cameras and perturbations move with a mouse. All of it is plain data in MuJoCo's layout: a
// renderer, or a program that looks for something in the picture, takes it from here.

#ifndef SINEW_VISUAL_H_
#define SINEW_VISUAL_H_

#include "sinew/sinew.h"

SN_EXTERN_C_BEGIN

// sizes of visualisation
#define snMAXLIGHT 100
#define snMAXOVERLAY 500
#define snMAXLINE 100
#define snMAXLINEPNT 1001
#define snMAXPLANEGRID 200

struct snvPerturb_ {
  int select;
  int flexselect;
  int skinselect;
  int active;
  int active2;
  snReal refpos[3];
  snReal refquat[4];
  snReal refselpos[3];
  snReal localpos[3];
  snReal localmass;
  snReal scale;
};
typedef struct snvPerturb_ snvPerturb;

struct snvCamera_ {
  int type;
  int fixedcamid;
  int trackbodyid;
  snReal lookat[3];
  snReal distance;
  snReal azimuth;
  snReal elevation;
  int orthographic;
};
typedef struct snvCamera_ snvCamera;

struct snvGLCamera_ {
  float pos[3];
  float forward[3];
  float up[3];
  float frustum_center;
  float frustum_width;
  float frustum_bottom;
  float frustum_top;
  float frustum_near;
  float frustum_far;
  int orthographic;
};
typedef struct snvGLCamera_ snvGLCamera;

struct snvGeom_ {
  int type;
  int dataid;
  int objtype;
  int objid;
  int category;
  int matid;
  int texcoord;
  int segid;
  float size[3];
  float pos[3];
  float mat[9];
  float rgba[4];
  float emission;
  float specular;
  float shininess;
  float reflectance;
  char label[100];
  float camdist;
  float modelrbound;
  snByte transparent;
};
typedef struct snvGeom_ snvGeom;

struct snvLight_ {
  int id;
  float pos[3];
  float dir[3];
  int type;
  int texid;
  float attenuation[3];
  float cutoff;
  float exponent;
  float ambient[3];
  float diffuse[3];
  float specular[3];
  snByte headlight;
  snByte castshadow;
  float bulbradius;
  float intensity;
  float range;
};
typedef struct snvLight_ snvLight;

struct snvOption_ {
  int label;
  int frame;
  snByte geomgroup[6];
  snByte sitegroup[6];
  snByte jointgroup[6];
  snByte tendongroup[6];
  snByte actuatorgroup[6];
  snByte flexgroup[6];
  snByte skingroup[6];
  snByte flags[31];
  int bvh_depth;
  int flex_layer;
};
typedef struct snvOption_ snvOption;

struct snvScene_ {
  int maxgeom;
  int ngeom;
  snvGeom* geoms;
  int* geomorder;
  int nflex;
  int* flexedgeadr;
  int* flexedgenum;
  int* flexvertadr;
  int* flexvertnum;
  int* flexfaceadr;
  int* flexfacenum;
  int* flexfaceused;
  int* flexedge;
  float* flexvert;
  float* flexface;
  float* flexnormal;
  float* flextexcoord;
  snByte flexvertopt;
  snByte flexedgeopt;
  snByte flexfaceopt;
  snByte flexskinopt;
  int nskin;
  int* skinfacenum;
  int* skinvertadr;
  int* skinvertnum;
  float* skinvert;
  float* skinnormal;
  int nlight;
  snvLight lights[snMAXLIGHT];
  snvGLCamera camera[2];
  snByte enabletransform;
  float translate[3];
  float rotate[4];
  float scale;
  int stereo;
  snByte flags[11];
  int framewidth;
  float framergb[3];
  int status;
};
typedef struct snvScene_ snvScene;

struct snvFigure_ {
  int flg_legend;
  int flg_ticklabel[2];
  int flg_extend;
  int flg_barplot;
  int flg_selection;
  int flg_symmetric;
  float linewidth;
  float gridwidth;
  int gridsize[2];
  float gridrgb[3];
  float figurergba[4];
  float panergba[4];
  float legendrgba[4];
  float textrgb[3];
  float linergb[snMAXLINE][3];
  float range[2][2];
  char xformat[20];
  char yformat[20];
  char minwidth[20];
  char title[1000];
  char xlabel[100];
  char linename[snMAXLINE][100];
  int legendoffset;
  int subplot;
  int highlight[2];
  int highlightid;
  float selection;
  int linepnt[snMAXLINE];
  float linedata[snMAXLINE][2 * snMAXLINEPNT];
  int xaxispixel[2];
  int yaxispixel[2];
  float xaxisdata[2];
  float yaxisdata[2];
};
typedef struct snvFigure_ snvFigure;

// Dump abstract scene to text file.
SN_API void sn_printScene(const snvScene* s, const char* filename);
// Dump scene text with chosen format.
SN_API void sn_printFormattedScene(const snvScene* s, const char* filename,
                                   const char* float_format);
// Default abstract camera settings.
SN_API void snv_defaultCamera(snvCamera* cam);
// Default free camera from model.
SN_API void snv_defaultFreeCamera(const snModel* m, snvCamera* cam);
// Default mouse perturbation settings.
SN_API void snv_defaultPerturb(snvPerturb* pert);
// Pose from room space to model.
SN_API void snv_room2model(snReal modelpos[3], snReal modelquat[4], const snReal roompos[3],
                           const snReal roomquat[4], const snvScene* scn);
// Pose from model space to room.
SN_API void snv_model2room(snReal roompos[3], snReal roomquat[4], const snReal modelpos[3],
                           const snReal modelquat[4], const snvScene* scn);
// Camera axes in model space.
SN_API void snv_cameraInModel(snReal headpos[3], snReal forward[3], snReal up[3],
                              const snvScene* scn);
// Camera axes in room space.
SN_API void snv_cameraInRoom(snReal headpos[3], snReal forward[3], snReal up[3],
                             const snvScene* scn);
// View frustum height at unit distance.
SN_API snReal snv_frustumHeight(const snvScene* scn);
// Turn horizontal vector to camera heading.
SN_API void snv_alignToCamera(snReal res[3], const snReal vec[3], const snReal forward[3]);
// Mouse motion applied to camera.
SN_API void snv_moveCamera(const snModel* m, int action, snReal reldx, snReal reldy,
                           const snvScene* scn, snvCamera* cam);
// Mouse motion applied to perturbation.
SN_API void snv_movePerturb(const snModel* m, const snData* d, int action, snReal reldx,
                            snReal reldy, const snvScene* scn, snvPerturb* pert);
// Mouse motion applied to model.
SN_API void snv_moveModel(const snModel* m, int action, snReal reldx, snReal reldy,
                          const snReal roomup[3], snvScene* scn);
// Start perturbation at selected body.
SN_API void snv_initPerturb(const snModel* m, snData* d, const snvScene* scn, snvPerturb* pert);
// Write perturbation pose into data.
SN_API void snv_applyPerturbPose(const snModel* m, snData* d, const snvPerturb* pert,
                                 int flg_paused);
// Write perturbation wrench into data.
SN_API void snv_applyPerturbForce(const snModel* m, snData* d, const snvPerturb* pert);
// Mean of two stereo cameras.
SN_API snvGLCamera snv_averageCamera(const snvGLCamera* cam1, const snvGLCamera* cam2);
// Pick object under mouse cursor. Nullable: geomid, flexid, skinid.
SN_API int snv_select(const snModel* m, const snData* d, const snvOption* vopt, snReal aspectratio,
                      snReal relx, snReal rely, const snvScene* scn, snReal selpnt[3],
                      int geomid[1], int flexid[1], int skinid[1]);
// Default abstract visualisation options.
SN_API void snv_defaultOption(snvOption* opt);
// Default two-dimensional figure settings.
SN_API void snv_defaultFigure(snvFigure* fig);
// Fill one abstract visual geom. Nullable: size, pos, mat, rgba.
SN_API void snv_initGeom(snvGeom* geom, int type, const snReal size[3], const snReal pos[3],
                         const snReal mat[9], const float rgba[4]);
// Shape visual geom between two points.
SN_API void snv_connector(snvGeom* geom, int type, snReal width, const snReal from[3],
                          const snReal to[3]);
// Zeroed abstract scene structure.
SN_API void snv_defaultScene(snvScene* scn);
// Allocate abstract scene buffers.
SN_API void snv_makeScene(const snModel* m, snvScene* scn, int maxgeom);
// Release abstract scene buffers.
SN_API void snv_freeScene(snvScene* scn);
// Rebuild scene from model state.
SN_API void snv_updateScene(const snModel* m, snData* d, const snvOption* opt,
                            const snvPerturb* pert, snvCamera* cam, int catmask, snvScene* scn);
// Append visual geoms by category.
SN_API void snv_addGeoms(const snModel* m, snData* d, const snvOption* opt, const snvPerturb* pert,
                         int catmask, snvScene* scn);
// Collect lights into the scene.
SN_API void snv_makeLights(const snModel* m, const snData* d, snvScene* scn);
// Refresh scene cameras from camera.
SN_API void snv_updateCamera(const snModel* m, const snData* d, snvCamera* cam, snvScene* scn);
// Refresh deformed skin vertices.
SN_API void snv_updateSkin(const snModel* m, const snData* d, snvScene* scn);
// Position and axes of camera. Nullable: headpos, forward, up, right.
SN_API void snv_cameraFrame(snReal headpos[3], snReal forward[3], snReal up[3], snReal right[3],
                            const snData* d, const snvCamera* cam);
// Extents and clip planes of camera. Nullable: zver, zhor, zclip.
SN_API void snv_cameraFrustum(float zver[2], float zhor[2], float zclip[2], const snModel* m,
                              const snvCamera* cam);

SN_EXTERN_C_END

#endif  // SINEW_VISUAL_H_
