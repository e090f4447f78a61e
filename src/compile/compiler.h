// The compiler from snSpec to snModel: what its files share.
//
// The spec is only read. Compilation works on items: one per element, each with a copy of the
// element's attributes in which names become indices and every pose, size and mass gets its final
// value. Items live in a pool that is released at the end, so an error can be returned from
// anywhere. The order of work is in compile.c; each noun has a file with two functions, one that
// resolves and checks its items (sn_compileX) and one that writes them into the model (sn_fillX).
//
// Functions return 0, or -1 after sn_itemError has stored the message in the spec.

#ifndef SINEW_COMPILE_COMPILER_H_
#define SINEW_COMPILE_COMPILER_H_

#include "asset/algebra.h"
#include "asset/bvh.h"
#include "asset/hfield.h"
#include "asset/mesh.h"
#include "asset/resource.h"
#include "asset/skin.h"
#include "asset/texture.h"
#include "base/pool.h"
#include "spec/element.h"

SN_EXTERN_C_BEGIN

typedef struct snBodyItem_ snBodyItem;
typedef struct snGeomItem_ snGeomItem;
typedef struct snFlexItem_ snFlexItem;      // flex.h
typedef struct snDeformItem_ snDeformItem;  // deform.h

// pose of a frame in its body, enclosing frames included
typedef struct snFrameItem_ {
  double pos[3];
  double quat[4];
} snFrameItem;

typedef struct snMeshItem_ {
  snElem* elem;
  snsMesh spec;
  int id;  // -1: discarded
  int needhull;
  int needsdf;
  snMeshField* field;  // distance field whose surface it is, NULL for none
  int compiled;
  snMesh mesh;
  char error[512];
} snMeshItem;

typedef struct snHFieldItem_ {
  snElem* elem;
  snsHField spec;
  snHField hfield;
} snHFieldItem;

typedef struct snTextureItem_ {
  snElem* elem;
  snsTexture spec;
  snTextureData texture;
} snTextureItem;

typedef struct snSkinItem_ {
  snElem* elem;
  snsSkin spec;
  snSkin skin;
  int read;   // the skin has its arrays
  int* body;  // of each bone
  int matid;
} snSkinItem;

typedef struct snMaterialItem_ {
  snElem* elem;
  snsMaterial spec;
  int texid[snNTEXROLE];
} snMaterialItem;

typedef struct snJointItem_ {
  snElem* elem;
  snsJoint spec;
  snBodyItem* body;
  struct snJointItem_* next;
  int id;
  int qposadr;
  int dofadr;
} snJointItem;

struct snGeomItem_ {
  snElem* elem;
  snsGeom spec;
  snBodyItem* body;
  snGeomItem* next;
  int id;                // -1: discarded
  int firstid;           // before fusing
  snMeshItem* mesh;      // NULL when none
  snHFieldItem* hfield;  // NULL when none
  int matid;
  int referenced;  // by a pair, tendon, sensor or tuple: not merely visual
  double mass;
  double inertia[3];
  double aabb[6];
  double rbound;
  double fluid[snNFLUID];
};

typedef struct snSiteItem_ {
  snElem* elem;
  snsSite spec;
  snBodyItem* body;
  struct snSiteItem_* next;
  int id;
  int firstid;
  int matid;
} snSiteItem;

typedef struct snCameraItem_ {
  snElem* elem;
  snsCamera spec;
  snBodyItem* body;
  struct snCameraItem_* next;
  int id;
  snBodyItem* target;
} snCameraItem;

typedef struct snLightItem_ {
  snElem* elem;
  snsLight spec;
  snBodyItem* body;
  struct snLightItem_* next;
  int id;
  snBodyItem* target;
  int texid;
} snLightItem;

struct snBodyItem_ {
  snElem* elem;
  snsBody spec;
  snBodyItem* parent;
  snBodyItem* next;  // siblings
  snBodyItem* prev;
  snBodyItem* firstchild;
  snBodyItem* lastchild;
  snJointItem* joints;
  snGeomItem* geoms;
  snGeomItem* lastgeom;
  snSiteItem* sites;
  snSiteItem* lastsite;
  snCameraItem* cameras;
  snCameraItem* lastcamera;
  snLightItem* lights;
  snLightItem* lastlight;
  int id;          // -1: fused
  int referenced;  // by name: not to be fused
  int hasforcesensor;
  snBodyItem* weld;
  int njoint;
  int dofnum;
  int contype;
  int conaffinity;
  double margin;
  int mocapid;
  int simple;
  struct {
    double mass, inertia[3], pos[3], quat[4];
  } own;               // inertial properties before aligning and fusing
  int aligned;         // the frame was moved to the inertial frame
  double alignpos[3];  // from the old frame to the new one
  double alignquat[4];
  snBvh bvh;
  snGeomItem** nodegeom;  // geom that each node of the tree was last a leaf for, NULL for none
  int nnodegeom;
  int surplus;   // nodes that are counted and do not exist
  int lostgeom;  // a geom that its inertia comes from was discarded
};

typedef struct snPairItem_ {
  snElem* elem;
  snsPair spec;
  snGeomItem* geom1;
  snGeomItem* geom2;
  int signature;
} snPairItem;

typedef struct snExcludeItem_ {
  snElem* elem;
  int signature;
} snExcludeItem;

typedef struct snEqualityItem_ {
  snElem* elem;
  snsEquality spec;
  int obj1id;
  int obj2id;
} snEqualityItem;

typedef struct snWrapItem_ {
  snWrap type;
  void* object;  // joint, site or geom item
  snSiteItem* sidesite;
  double prm;
  double capstan[snNCAPSTAN];  // friction, speed, angle; no friction: none
} snWrapItem;

typedef struct snTendonItem_ {
  snElem* elem;
  snsTendon spec;
  int id;
  int matid;
  int nwrap;
  snWrapItem* wraps;
} snTendonItem;

typedef struct snActuatorItem_ {
  snElem* elem;
  snsActuator spec;
  int id;
  int trnid[2];
  int law;                 // actuator_model
  int slot;                // of a registered law, or -1
  double params[snNGAIN];  // of the law
} snActuatorItem;

typedef struct snSensorItem_ {
  snElem* elem;
  snsSensor spec;
  int objid;
  int refid;
  void* object;  // item, NULL when none
  void* reference;
} snSensorItem;

// elements without a tree that need no more than their attributes
typedef struct snPlainItem_ {
  snElem* elem;
  void** objects;  // of a tuple
} snPlainItem;

typedef struct snCompiler_ {
  snSpec* spec;
  snSpecData* data;
  const snVFS* vfs;
  const snsCompiler* settings;  // of the main model
  snPool pool;
  snModel* m;
  snObj missing_type;      // what sn_findItem looked for last and did not find,
  char missing_name[100];  // for the error that follows

  // bodies in id order; tree elements by id after sn_numberTree
  snBodyItem** bodies;
  snJointItem** joints;
  snGeomItem** geoms;
  snSiteItem** sites;
  snCameraItem** cameras;
  snLightItem** lights;
  int nbody, njnt, ngeom, nsite, ncam, nlight;
  int nq, nv, nmocap;
  int maxreferred;  // largest id of a body that is referred to by name
  snSize rebuilt;   // leaves of the trees that were built while fusing

  snMeshItem* meshes;
  snMeshItem** keptmeshes;  // by id, without the discarded ones
  int nkeptmesh;
  int lostinertia;  // some body has lost a geom that its inertia comes from
  snHFieldItem* hfields;
  snTextureItem* textures;
  snSkinItem* skins;
  snFlexItem* flexes;
  snDeformItem* deformables;
  int ndeformable;
  struct snDeformColors_* deformcolors;
  snMaterialItem* materials;
  snPairItem* pairs;
  snExcludeItem* excludes;
  snEqualityItem* equalities;
  snTendonItem* tendons;
  snActuatorItem* actuators;
  snSensorItem* sensors;
  snPlainItem* numerics;
  snPlainItem* texts;
  snPlainItem* tuples;
  snPlainItem* keys;  // elem is NULL where only size/nkey asks for one
  int nmesh, nhfield, ntex, nskin, nflex, nmat, npair, nexclude, neq, ntendon, nu, nsensor;
  int nactmodel;  // registered laws of actuators
  int nnumeric, ntext, ntuple, nkey;

  int nuser_body, nuser_jnt, nuser_geom, nuser_site, nuser_cam, nuser_tendon, nuser_actuator,
      nuser_sensor;
} snCompiler;

// Store "Error: message" and the element's name, id, line and file; returns -1.
int sn_itemError(snCompiler* c, const snElem* elem, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
// The same with the name of what the index-th object of a path refers to.
int sn_wrapError(snCompiler* c, const snElem* elem, int index, const char* format, ...)
    __attribute__((format(printf, 4, 5)));
// The same for a keyframe, which has no line in MuJoCo's words.
int sn_keyError(snCompiler* c, const snElem* elem, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

// Array from the pool; NULL with an error stored when memory is short.
void* sn_compilerTake(snCompiler* c, size_t count, size_t size);
#define SN_ITEMS(c, type, n) ((type*)sn_compilerTake(c, (size_t)(n), sizeof(type)))

#define SN_TRY(expression)     \
  do {                         \
    if (expression) return -1; \
  } while (0)

static inline void sn_toReal(snReal* dest, const double* source, int n) {
  for (int i = 0; i < n; i++) dest[i] = (snReal)source[i];
}

// item.c: items of all elements; names to items
int sn_makeItems(snCompiler* c);
void sn_clearItems(snCompiler* c);
// Item of a named element of a type; NULL when there is none or it was removed. XBODY finds bodies.
// After fusing, geoms and sites are found as MuJoCo finds them: the name leads to the place in the
// list that the object had before, whatever stands there now.
void* sn_findItem(snCompiler* c, snObj type, const char* name);
// Index of an item in the model.
int sn_itemId(snObj type, const void* item);

// user.c: sizes of user data and copies of it
int sn_measureUser(snCompiler* c);
// An element may not have more numbers than the model gives it room for; the first of its checks.
int sn_checkUser(snCompiler* c, const snElem* elem);
void sn_countUser(const snCompiler* c, snModel* sizes);
void sn_fillUser(snCompiler* c);

// Attributes that are the same in spec and model (compile/copied_fields.c): to row i of the model, and back.
void sn_fillCopied(snModel* m, snObj type, int i, const void* spec);
void sn_takeCopied(const snModel* m, snObj type, int i, void* spec);

// tree.c: numbering, frames, the tree's index arrays
int sn_numberTree(snCompiler* c);
int sn_compileFrames(snCompiler* c, snBodyItem* body);
// Express a pose that is given in the element's frame in the body (NULL frame: nothing to do).
void sn_applyFrame(const snElem* elem, double pos[3], double quat[4]);
void sn_fillTree(snCompiler* c);
int sn_countTree(snCompiler* c, snModel* sizes);

// orientation.c
int sn_resolveQuat(snCompiler* c, const snElem* elem, double quat[4], const snsOrientation* alt);
void sn_zToQuat(double quat[4], const double axis[3]);
void sn_invertPose(double pos[3], double quat[4], const double oldpos[3], const double oldquat[4]);
// pose <- (pos, quat) o pose
void sn_composeOnto(const double pos[3], const double quat[4], double childpos[3],
                    double childquat[4]);
int sn_samePose(const double* a, const double* b, int n);
int sn_sameQuat(const double a[4], const double b[4]);

// body.c, inertial.c, joint.c, geom.c, site.c, camera.c
int sn_compileBodies(snCompiler* c);
int sn_compileCameras(snCompiler* c);
int sn_checkMovingMass(snCompiler* c);
int sn_checkFreeJoints(snCompiler* c);
int sn_checkSleepPolicies(snCompiler* c);
int sn_inferInertial(snCompiler* c, snBodyItem* body);
int sn_fullInertia(snCompiler* c, const snElem* elem, const double full[6], double quat[4],
                   double inertia[3]);
int sn_checkInertial(snCompiler* c, snBodyItem* body);
int sn_accumulateInertial(snCompiler* c, snBodyItem* parent, const snBodyItem* child);
void sn_setCollisionMasks(snBodyItem* body);
void sn_copyBvh(snModel* m, int address, const snBvh* bvh);
int sn_fuseStatic(snCompiler* c);
int sn_discardVisual(snCompiler* c);
int sn_compileJoint(snCompiler* c, snJointItem* joint);
int sn_compileGeom(snCompiler* c, snGeomItem* geom);
int sn_compileSite(snCompiler* c, snSiteItem* site);
int sn_compileCamera(snCompiler* c, snCameraItem* camera);
int sn_compileLight(snCompiler* c, snLightItem* light);
int sn_checkSize(snCompiler* c, const snElem* elem, snGeom type, const double size[3]);
int sn_compileFromTo(snCompiler* c, const snElem* elem, snGeom type, const double fromto[6],
                     double pos[3], double quat[4], double size[3]);
int sn_objectSameFrame(const snBodyItem* body, const double pos[3], const double quat[4]);
void sn_fluidCoefficients(const snGeomItem* geom, double fluid[snNFLUID]);
double sn_geomVolume(const snGeomItem* geom);
void sn_geomInertia(const snGeomItem* geom, double mass, double inertia[3]);
void sn_fillGeoms(snCompiler* c);
void sn_fillSites(snCompiler* c);
void sn_fillCameras(snCompiler* c);
int sn_buildBodyTree(snCompiler* c, snBodyItem* body);
int sn_buildBodyTrees(snCompiler* c);
snSize sn_countBodyBvh(const snCompiler* c);
snSize sn_bodyBvhEnd(const snCompiler* c);
void sn_fillBvh(snCompiler* c);

// limits.c: resolve an automatic "limited" flag; an error when autolimits is off and a range given
int sn_limited(snCompiler* c, const snElem* elem, int* limited, const double range[2],
               const char* flag, const char* attribute);

// asset.c, asset_table.c
const char* sn_assetFile(const snElem* elem, const snString* file);
// the name of the file as the model keeps it: one that was found next to an included file with its folder
const char* sn_storedFile(const snElem* elem, const snString* file, char* buffer, int size);
// open the file of an element's asset; directory is the meshdir or texturedir of its compiler
int sn_openElemAsset(const snVFS* vfs, const snElem* elem, const char* file,
                     const snString* directory, snResource* resource, char* error, int error_sz);
void sn_freeAssets(snCompiler* c);
int sn_nameAssets(snCompiler* c);
int sn_linkAssets(snCompiler* c);
// Materials of sites and tendons; faults of other elements come before theirs.
int sn_linkMaterials(snCompiler* c);
// Whether a name is that of a material or texture which goes with discardvisual, so that the element has none.
int sn_isDiscarded(const snCompiler* c, const snElem* elem, snObj type, const snString* name);
// Textures of materials.
int sn_linkTextures(snCompiler* c);
int sn_compileMeshes(snCompiler* c);
int sn_compileTextures(snCompiler* c);
int sn_compileHFields(snCompiler* c);
int sn_readSkins(snCompiler* c);
int sn_compileSkins(snCompiler* c);
void sn_countAssets(const snCompiler* c, snModel* sizes);
void sn_fillMeshes(snCompiler* c);
void sn_fillTextures(snCompiler* c);
void sn_fillHFields(snCompiler* c);
void sn_fillSkins(snCompiler* c);
void sn_fillMaterials(snCompiler* c);

// flex.c, flex_table.c
int sn_compileFlexes(snCompiler* c);
int sn_countFlexes(snCompiler* c, snModel* sizes);
void sn_fillFlexes(snCompiler* c);
const snElem* sn_flexElem(const snCompiler* c, int i);
int sn_checkFlexEquality(snCompiler* c, const snEqualityItem* equality);
int sn_captureFlexes(snCompiler* c);

// deform.c, deform_table.c
int sn_compileDeformables(snCompiler* c);
void sn_countDeformables(const snCompiler* c, snModel* sizes);
snSize sn_deformArenaBytes(const snModel* m);
void sn_fillDeformables(snCompiler* c);
void sn_placeAttachments(snModel* m, snData* d);
const snElem* sn_deformElem(const snCompiler* c, int i);

// elements outside of the tree
int sn_resolvePairs(snCompiler* c);
int sn_compilePairs(snCompiler* c);
void sn_fillPairs(snCompiler* c);
int sn_compileEqualities(snCompiler* c);
void sn_fillEqualities(snCompiler* c);
int sn_compileTendons(snCompiler* c);
int sn_countCapstans(const snTendonItem* tendon);
void sn_fillTendons(snCompiler* c);
int sn_compileActuators(snCompiler* c);
// actuator_model.c: the law that an actuator names.
int sn_compileActuatorModel(snCompiler* c, snActuatorItem* actuator);
void sn_fillActuatorModel(snModel* m, const snActuatorItem* actuator);
void sn_fillActuators(snCompiler* c);
int sn_compileSensors(snCompiler* c);
void sn_fillSensors(snCompiler* c);
int sn_compileCustom(snCompiler* c);
void sn_countCustom(const snCompiler* c, snModel* sizes);
void sn_fillCustom(snCompiler* c);
int sn_fillKeys(snCompiler* c);
// Positions of a keyframe as they are given: quaternions that none gives are zero, others are not normalised.
void sn_givenPositions(snCompiler* c, int key, snReal* all);
// Keyframes of the spec become what they are in the model: vectors as long as the model asks for.
void sn_settleKeys(snCompiler* c);
// Elements remember where their numbers are in the keyframes of this model, for edits that follow.
void sn_rememberPlaces(snCompiler* c);
void sn_adoptPlugins(snCompiler* c);
int sn_compilePlugins(snCompiler* c);
// capability: what the element needs of its plugin, and what that is called in messages
int sn_checkPluginUse(snCompiler* c, const snElem* elem, const snsPlugin* plugin, int capability,
                      const char* what);
int sn_checkPluginActuator(snCompiler* c, const snElem* elem, snsActuator* spec);
// Is there room in the data for the readings of plugins?
int sn_fitPlugins(snCompiler* c);
// What plugins refuse when they see the whole model.
int sn_startPlugins(snCompiler* c);
int sn_checkPluginSensor(snCompiler* c, const snElem* elem, snsSensor* spec);
void sn_countPlugins(const snCompiler* c, snModel* sizes);
void sn_fillPlugins(snCompiler* c);
// Distance field of a mesh that a plugin makes.
int sn_makeMeshShape(snCompiler* c, snMeshItem* mesh);
const char* sn_pluginInstanceName(const snCompiler* c, int i);
int sn_checkHistory(snCompiler* c, const snElem* elem, double delay, int nsample);
snSize sn_historySize(int nsample, int dim);

// capture.c: resolved attributes stay with the elements
int sn_captureResolved(snCompiler* c);
// Vector of numbers that lives as long as the other resolved values.
snDoubleVec* sn_resolvedNumbers(snPool* pool, const snReal* source, snSize n);
// Pose of a geom before its mesh's own frame was put behind it.
void sn_removeMeshFrame(snsGeom* spec, const double meshpos[3], const double meshquat[4]);
// Resolved keyframes and height fields from a model of the spec; 0 when memory ran out.
int sn_refreshLists(snSpec* spec, const snModel* m);
// copyback.c: all resolved attributes from a model of the spec that may have changed.
int sn_refreshResolved(snSpec* spec, const snModel* m);
// The same as a program asks for it: writing shows the numbers of the model, the elements stay as they are. 0 with
// a message when the model is another one.
SN_API int sn_copyBackCompiled(snSpec* s, const snModel* m);
// prune.c: the spec loses what the compiler removed
void sn_pruneSpec(snCompiler* c);

// load.c: the spec whose model sn_saveLastXML writes; it owns the spec from now on
void sn_keepLastXML(snSpec* spec);

// names.c
void sn_countNames(const snCompiler* c, snModel* sizes);
void sn_fillNames(snCompiler* c);

SN_EXTERN_C_END

#endif  // SINEW_COMPILE_COMPILER_H_
