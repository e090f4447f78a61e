// sizes of visualisation
#define mjMAXLIGHT 100
#define mjMAXOVERLAY 500
#define mjMAXLINE 100
#define mjMAXLINEPNT 1001
#define mjMAXPLANEGRID 200

struct mjvPerturb_ {
  int select;
  int flexselect;
  int skinselect;
  int active;
  int active2;
  mjtNum refpos[3];
  mjtNum refquat[4];
  mjtNum refselpos[3];
  mjtNum localpos[3];
  mjtNum localmass;
  mjtNum scale;
};
typedef struct mjvPerturb_ mjvPerturb;

struct mjvCamera_ {
  int type;
  int fixedcamid;
  int trackbodyid;
  mjtNum lookat[3];
  mjtNum distance;
  mjtNum azimuth;
  mjtNum elevation;
  int orthographic;
};
typedef struct mjvCamera_ mjvCamera;

struct mjvGLCamera_ {
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
typedef struct mjvGLCamera_ mjvGLCamera;

struct mjvGeom_ {
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
  mjtByte transparent;
};
typedef struct mjvGeom_ mjvGeom;

struct mjvLight_ {
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
  mjtByte headlight;
  mjtByte castshadow;
  float bulbradius;
  float intensity;
  float range;
};
typedef struct mjvLight_ mjvLight;

struct mjvOption_ {
  int label;
  int frame;
  mjtByte geomgroup[6];
  mjtByte sitegroup[6];
  mjtByte jointgroup[6];
  mjtByte tendongroup[6];
  mjtByte actuatorgroup[6];
  mjtByte flexgroup[6];
  mjtByte skingroup[6];
  mjtByte flags[31];
  int bvh_depth;
  int flex_layer;
};
typedef struct mjvOption_ mjvOption;

struct mjvScene_ {
  int maxgeom;
  int ngeom;
  mjvGeom* geoms;
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
  mjtByte flexvertopt;
  mjtByte flexedgeopt;
  mjtByte flexfaceopt;
  mjtByte flexskinopt;
  int nskin;
  int* skinfacenum;
  int* skinvertadr;
  int* skinvertnum;
  float* skinvert;
  float* skinnormal;
  int nlight;
  mjvLight lights[mjMAXLIGHT];
  mjvGLCamera camera[2];
  mjtByte enabletransform;
  float translate[3];
  float rotate[4];
  float scale;
  int stereo;
  mjtByte flags[11];
  int framewidth;
  float framergb[3];
  int status;
};
typedef struct mjvScene_ mjvScene;

struct mjvFigure_ {
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
  float linergb[mjMAXLINE][3];
  float range[2][2];
  char xformat[20];
  char yformat[20];
  char minwidth[20];
  char title[1000];
  char xlabel[100];
  char linename[mjMAXLINE][100];
  int legendoffset;
  int subplot;
  int highlight[2];
  int highlightid;
  float selection;
  int linepnt[mjMAXLINE];
  float linedata[mjMAXLINE][2 * mjMAXLINEPNT];
  int xaxispixel[2];
  int yaxispixel[2];
  float xaxisdata[2];
  float yaxisdata[2];
};
typedef struct mjvFigure_ mjvFigure;
