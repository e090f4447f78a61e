// The public functions of Sinew.
//
// Names and signatures are MuJoCo 3.5.0's with the prefix changed: sn_ stages and queries on
// (model, data), snu_ pure helpers, snd_ derivatives, snc_ distance fields, sns_ spec editing. This
// file is a table: one comment and one declaration per function, from which the compatibility
// headers, the Python bindings and the reference page are generated.

#ifndef SINEW_SINEW_H_
#define SINEW_SINEW_H_

#include "sinew/actuator.h"
#include "sinew/data.h"
#include "sinew/handlers.h"
#include "sinew/model.h"
#include "sinew/spec.h"

SN_EXTERN_C_BEGIN

// virtual file system and asset cache handles
typedef struct snVFS_ {
  void* impl_;
} snVFS;
typedef struct snCache_ {
  void* impl_;
} snCache;

// thread pool and its tasks
typedef struct snThreadPool_ {
  int nworker;
} snThreadPool;
typedef void* (*snfTask)(void*);
typedef struct snTask_ {
  snfTask func;
  void* args;
  volatile int status;
} snTask;

// ---- Virtual file system ----

// Initialise empty in-memory file system.
SN_API void sn_defaultVFS(snVFS* vfs);
// Remove mounted provider from file system.
SN_API int sn_unmountVFS(snVFS* vfs, const char* filename);
// Load disk file into file system.
SN_API int sn_addFileVFS(snVFS* vfs, const char* directory, const char* filename);
// Store memory buffer as virtual file.
SN_API int sn_addBufferVFS(snVFS* vfs, const char* name, const void* buffer, int nbuffer);
// Remove one virtual file by name.
SN_API int sn_deleteFileVFS(snVFS* vfs, const char* filename);
// Forbid models that are loaded with this file system to open files of the disk, but for those below the
// folder (symbolic links resolved); further calls add folders. Nullable: folder, none at all. 0, or -1
// when the folder does not exist or memory is short: then nothing is allowed that was not before.
SN_API int sn_limitFilesVFS(snVFS* vfs, const char* folder);
// Empty and free virtual file system.
SN_API void sn_deleteVFS(snVFS* vfs);

// ---- Asset cache ----

// Bytes held by compiler asset cache.
SN_API size_t sn_getCacheSize(const snCache* cache);
// Byte limit of compiler asset cache.
SN_API size_t sn_getCacheCapacity(const snCache* cache);
// Change byte limit of asset cache.
SN_API size_t sn_setCacheCapacity(snCache* cache, size_t size);
// Handle of global asset cache object.
SN_API snCache* sn_getCache(void);
// Drop all entries of asset cache.
SN_API void sn_clearCache(snCache* cache);

// ---- Parse and compile ----

// Read MJCF or URDF into model. Nullable: vfs, error.
SN_API snModel* sn_loadXML(const char* filename, const snVFS* vfs, char* error, int error_sz);
// Read XML file into editable spec. Nullable: vfs, error.
SN_API snSpec* sn_parseXML(const char* filename, const snVFS* vfs, char* error, int error_sz);
// Read XML text into editable spec. Nullable: vfs, error.
SN_API snSpec* sn_parseXMLString(const char* xml, const snVFS* vfs, char* error, int error_sz);
// Read file by content type into spec. Nullable: vfs, error.
SN_API snSpec* sn_parse(const char* filename, const char* content_type, const snVFS* vfs,
                        char* error, int error_sz);
// Turn editable spec into runtime model. Nullable: vfs.
SN_API snModel* sn_compile(snSpec* s, const snVFS* vfs);
// Push model real arrays into spec.
SN_API int sn_copyBack(snSpec* s, const snModel* m);
// Rebuild model in place keeping state. Nullable: vfs.
SN_API int sn_recompile(snSpec* s, const snVFS* vfs, snModel* m, snData* d);
// Write last loaded XML from model. Nullable: error.
SN_API int sn_saveLastXML(const char* filename, const snModel* m, char* error, int error_sz);
// Release retained last XML document.
SN_API void sn_freeLastXML(void);
// Serialise spec to MJCF text buffer. Nullable: error.
SN_API int sn_saveXMLString(const snSpec* s, char* xml, int xml_sz, char* error, int error_sz);
// Serialise spec to MJCF file. Nullable: error.
SN_API int sn_saveXML(const snSpec* s, const char* filename, char* error, int error_sz);
// Serialise spec to MJCF that compiles to the same model. sn_saveXML writes what MuJoCo writes,
// from which not every model can be had again; this is the input instead: elements as they were
// given, every digit, the compiler's settings. The spec need not be compiled. The text is freed by
// snu_free; NULL with an error when the spec does not compile. Nullable: vfs, error.
SN_API char* sn_losslessXML(const snSpec* s, const snVFS* vfs, char* error, int error_sz);
// The same into a file, which may lie in another folder than the model's. Nullable: vfs, error.
SN_API int sn_saveLosslessXML(const snSpec* s, const char* filename, const snVFS* vfs, char* error,
                              int error_sz);
// Significant digits of the numbers in saved XML: 6 unless set; 0: all of them.
SN_API int sn_getXMLPrecision(void);
SN_API void sn_setXMLPrecision(int digits);
// List files referenced by MJCF recursively.
SN_API void snu_getXMLDependencies(const char* filename, snStringVec* dependencies);

// ---- Main simulation ----

// Advance state by one timestep.
SN_API void sn_step(const snModel* m, snData* d);
// First half step before user control.
SN_API void sn_step1(const snModel* m, snData* d);
// Second half step after user control.
SN_API void sn_step2(const snModel* m, snData* d);
// Full forward dynamics without time integration.
SN_API void sn_forward(const snModel* m, snData* d);
// Inverse dynamics from given acceleration.
SN_API void sn_inverse(const snModel* m, snData* d);
// Forward dynamics omitting early stages or sensors.
SN_API void sn_forwardSkip(const snModel* m, snData* d, int skipstage, int skipsensor);
// Inverse dynamics omitting early stages or sensors.
SN_API void sn_inverseSkip(const snModel* m, snData* d, int skipstage, int skipsensor);

// ---- Initialization ----

// Default settings of length-range computation.
SN_API void sn_defaultLROpt(snLROpt* opt);
// Default solref and solimp constraint parameters. Nullable: solref, solimp.
SN_API void sn_defaultSolRefImp(snReal* solref, snReal* solimp);
// Default physics options in given struct.
SN_API void sn_defaultOption(snOption* opt);
// Default visual options in given struct.
SN_API void sn_defaultVisual(snVisual* vis);
// Duplicate model into new or existing. Nullable: dest.
SN_API snModel* sn_copyModel(snModel* dest, const snModel* src);
// Write binary MJB to file or buffer. Nullable: filename, buffer.
SN_API void sn_saveModel(const snModel* m, const char* filename, void* buffer, int buffer_sz);
// Read binary MJB from file. Nullable: vfs.
SN_API snModel* sn_loadModel(const char* filename, const snVFS* vfs);
// Read binary MJB from memory.
SN_API snModel* sn_loadModelBuffer(const void* buffer, int buffer_sz);
// Release memory owned by model.
SN_API void sn_deleteModel(snModel* m);
// Bytes needed for binary model.
SN_API snSize sn_sizeModel(const snModel* m);
// Allocate simulation data for given model.
SN_API snData* sn_makeData(const snModel* m);
// Duplicate simulation data for same model.
SN_API snData* sn_copyData(snData* dest, const snModel* m, const snData* src);
// Return simulation data to initial state. Frames of the stack that are open stay open.
SN_API void sn_resetData(const snModel* m, snData* d);
// Reset with byte pattern in buffers.
SN_API void sn_resetDataDebug(const snModel* m, snData* d, unsigned char debug_value);
// Reset then load chosen keyframe state.
SN_API void sn_resetDataKeyframe(const snModel* m, snData* d, int key);
// Open a frame on data arena.
SN_API void sn_markStack(snData* d);
// Close current frame on data arena.
SN_API void sn_freeStack(snData* d);
// Arena allocation of aligned raw bytes.
SN_API void* sn_stackAllocByte(snData* d, size_t bytes, size_t alignment);
// Arena allocation of real number array.
SN_API snReal* sn_stackAllocNum(snData* d, size_t size);
// Arena allocation of integer array.
SN_API int* sn_stackAllocInt(snData* d, size_t size);
// Release memory owned by simulation data.
SN_API void sn_deleteData(snData* d);
// Clear every installed user callback pointer.
SN_API void sn_resetCallbacks(void);
// Recompute model constants derived from qpos0.
SN_API void sn_setConst(snModel* m, snData* d);
// Estimate one actuator's length range. Nullable: error.
SN_API int sn_setLengthRange(snModel* m, snData* d, int index, const snLROpt* opt, char* error,
                             int error_sz);
// Create new empty editable spec.
SN_API snSpec* sn_makeSpec(void);
// Duplicate an editable spec.
SN_API snSpec* sn_copySpec(const snSpec* s);
// Release memory owned by spec.
SN_API void sn_deleteSpec(snSpec* s);
// Mark plugin as used in spec.
SN_API int sns_activatePlugin(snSpec* s, const char* name);
// Choose copying mode for attached children.
SN_API int sns_setDeepCopy(snSpec* s, int deepcopy);

// ---- Printing ----

// Dump model text with chosen float format.
SN_API void sn_printFormattedModel(const snModel* m, const char* filename,
                                   const char* float_format);
// Dump model fields to text file.
SN_API void sn_printModel(const snModel* m, const char* filename);
// Dump data text with chosen float format.
SN_API void sn_printFormattedData(const snModel* m, const snData* d, const char* filename,
                                  const char* float_format);
// Dump data fields to text file.
SN_API void sn_printData(const snModel* m, const snData* d, const char* filename);
// Show dense matrix on standard output.
SN_API void snu_printMat(const snReal* mat, int nr, int nc);
// Show sparse matrix on standard output.
SN_API void snu_printMatSparse(const snReal* mat, int nr, const int* rownnz, const int* rowadr,
                               const int* colind);
// Output MJCF schema as text or HTML.
SN_API int sn_printSchema(const char* filename, char* buffer, int buffer_sz, int flg_html,
                          int flg_pad);

// ---- Components ----

// Kinematics, com, cameras, flex, tendons together.
SN_API void sn_fwdKinematics(const snModel* m, snData* d);
// All forward work depending on position.
SN_API void sn_fwdPosition(const snModel* m, snData* d);
// All forward work depending on velocity.
SN_API void sn_fwdVelocity(const snModel* m, snData* d);
// Actuator activations, forces and joint forces.
SN_API void sn_fwdActuation(const snModel* m, snData* d);
// Unconstrained acceleration from summed smooth forces.
SN_API void sn_fwdAcceleration(const snModel* m, snData* d);
// Run constraint solver for constrained acceleration.
SN_API void sn_fwdConstraint(const snModel* m, snData* d);
// Euler integrator, semi-implicit in velocity.
SN_API void sn_Euler(const snModel* m, snData* d);
// Integrate one step explicit Runge-Kutta order N.
SN_API void sn_RungeKutta(const snModel* m, snData* d, int N);
// Integrate one step implicit in velocity.
SN_API void sn_implicit(const snModel* m, snData* d);
// Position stage of inverse dynamics.
SN_API void sn_invPosition(const snModel* m, snData* d);
// Velocity stage of inverse dynamics.
SN_API void sn_invVelocity(const snModel* m, snData* d);
// Closed-form constraint forces in inverse dynamics.
SN_API void sn_invConstraint(const snModel* m, snData* d);
// Measure forward versus inverse mismatch.
SN_API void sn_compareFwdInv(const snModel* m, snData* d);

// ---- Sub components ----

// Fill sensors of the position stage.
SN_API void sn_sensorPos(const snModel* m, snData* d);
// Fill sensors of the velocity stage.
SN_API void sn_sensorVel(const snModel* m, snData* d);
// Fill sensors of the acceleration stage.
SN_API void sn_sensorAcc(const snModel* m, snData* d);
// Potential energy of current configuration.
SN_API void sn_energyPos(const snModel* m, snData* d);
// Kinetic energy of current velocity.
SN_API void sn_energyVel(const snModel* m, snData* d);
// Detect bad qpos and maybe reset.
SN_API void sn_checkPos(const snModel* m, snData* d);
// Detect bad qvel and maybe reset.
SN_API void sn_checkVel(const snModel* m, snData* d);
// Detect bad qacc and maybe reset.
SN_API void sn_checkAcc(const snModel* m, snData* d);
// Global poses of bodies, geoms, sites.
SN_API void sn_kinematics(const snModel* m, snData* d);
// Centre-of-mass quantities, inertias, motion axes.
SN_API void sn_comPos(const snModel* m, snData* d);
// Global poses of cameras and lights.
SN_API void sn_camlight(const snModel* m, snData* d);
// Flex vertices, edges and boxes.
SN_API void sn_flex(const snModel* m, snData* d);
// Tendon paths, lengths and Jacobians.
SN_API void sn_tendon(const snModel* m, snData* d);
// Actuator lengths and moment arms.
SN_API void sn_transmission(const snModel* m, snData* d);
// Composite rigid body inertia pass.
SN_API void sn_crb(const snModel* m, snData* d);
// Assemble joint-space inertia with armatures.
SN_API void sn_makeM(const snModel* m, snData* d);
// Sparse LDL factor of inertia matrix.
SN_API void sn_factorM(const snModel* m, snData* d);
// Solve with factored inertia matrix.
SN_API void sn_solveM(const snModel* m, snData* d, snReal* x, const snReal* y, int n);
// Half solve with factored inertia.
SN_API void sn_solveM2(const snModel* m, snData* d, snReal* x, const snReal* y,
                       const snReal* sqrtInvD, int n);
// Spatial velocities and motion-axis derivatives.
SN_API void sn_comVel(const snModel* m, snData* d);
// Springs, dampers, fluid, gravity compensation forces.
SN_API void sn_passive(const snModel* m, snData* d);
// Subtree linear velocity and angular momentum.
SN_API void sn_subtreeVel(const snModel* m, snData* d);
// Recursive Newton-Euler bias or inverse force.
SN_API void sn_rne(const snModel* m, snData* d, int flg_acc, snReal* result);
// Body accelerations and interaction forces afterwards.
SN_API void sn_rnePostConstraint(const snModel* m, snData* d);
// Detect contacts among all candidate pairs.
SN_API void sn_collision(const snModel* m, snData* d);
// Build constraint rows, Jacobian, parameters.
SN_API void sn_makeConstraint(const snModel* m, snData* d);
// Group constraints into independent islands.
SN_API void sn_island(const snModel* m, snData* d);
// Inverse inertia in constraint space.
SN_API void sn_projectConstraint(const snModel* m, snData* d);
// Constraint velocity and reference acceleration.
SN_API void sn_referenceConstraint(const snModel* m, snData* d);
// Row states, forces, cost, cone Hessians. Nullable: cost.
SN_API void sn_constraintUpdate(const snModel* m, snData* d, const snReal* jar, snReal cost[1],
                                int flg_coneHessian);

// ---- Support ----

// Length of vector for state bits.
SN_API int sn_stateSize(const snModel* m, int sig);
// Read selected state components to vector.
SN_API void sn_getState(const snModel* m, const snData* d, snReal* state, int sig);
// Take sub-selection from saved state vector.
SN_API void sn_extractState(const snModel* m, const snReal* src, int srcsig, snReal* dst,
                            int dstsig);
// Write selected state components from vector.
SN_API void sn_setState(const snModel* m, snData* d, const snReal* state, int sig);
// Copy selected components between two data.
SN_API void sn_copyState(const snModel* m, const snData* src, snData* dst, int sig);
// Control value possibly delayed or interpolated.
SN_API snReal sn_readCtrl(const snModel* m, const snData* d, int id, snReal time, int interp);
// Sensor value possibly delayed or interpolated.
SN_API const snReal* sn_readSensor(const snModel* m, const snData* d, int id, snReal time,
                                   snReal* result, int interp);
// Preload delay buffer of one actuator. Nullable: times.
SN_API void sn_initCtrlHistory(const snModel* m, snData* d, int id, const snReal* times,
                               const snReal* values);
// Preload delay buffer of one sensor. Nullable: times.
SN_API void sn_initSensorHistory(const snModel* m, snData* d, int id, const snReal* times,
                                 const snReal* values, snReal phase);
// Store current state as model keyframe.
SN_API void sn_setKeyframe(snModel* m, const snData* d, int k);
// Append user contact to contact list.
SN_API int sn_addContact(const snModel* m, snData* d, const snContact* con);
// Tells whether friction cone is pyramidal.
SN_API int sn_isPyramidal(const snModel* m);
// Tells whether constraint Jacobian is sparse.
SN_API int sn_isSparse(const snModel* m);
// Tells whether solver works dually.
SN_API int sn_isDual(const snModel* m);
// Constraint Jacobian times given vector.
SN_API void sn_mulJacVec(const snModel* m, const snData* d, snReal* res, const snReal* vec);
// Transposed constraint Jacobian times vector.
SN_API void sn_mulJacTVec(const snModel* m, const snData* d, snReal* res, const snReal* vec);
// Jacobian of point fixed on body. Nullable: jacp, jacr.
SN_API void sn_jac(const snModel* m, const snData* d, snReal* jacp, snReal* jacr,
                   const snReal point[3], int body);
// Jacobian at body frame origin. Nullable: jacp, jacr.
SN_API void sn_jacBody(const snModel* m, const snData* d, snReal* jacp, snReal* jacr, int body);
// Jacobian at body centre of mass. Nullable: jacp, jacr.
SN_API void sn_jacBodyCom(const snModel* m, const snData* d, snReal* jacp, snReal* jacr, int body);
// Jacobian of subtree centre of mass.
SN_API void sn_jacSubtreeCom(const snModel* m, snData* d, snReal* jacp, int body);
// Jacobian at geom centre. Nullable: jacp, jacr.
SN_API void sn_jacGeom(const snModel* m, const snData* d, snReal* jacp, snReal* jacr, int geom);
// Jacobian at site position. Nullable: jacp, jacr.
SN_API void sn_jacSite(const snModel* m, const snData* d, snReal* jacp, snReal* jacr, int site);
// Jacobian of point and of axis. Nullable: jacPoint, jacAxis.
SN_API void sn_jacPointAxis(const snModel* m, snData* d, snReal* jacPoint, snReal* jacAxis,
                            const snReal point[3], const snReal axis[3], int body);
// Time derivative of point Jacobian. Nullable: jacp, jacr.
SN_API void sn_jacDot(const snModel* m, const snData* d, snReal* jacp, snReal* jacr,
                      const snReal point[3], int body);
// Matrix mapping velocity to subtree momentum.
SN_API void sn_angmomMat(const snModel* m, snData* d, snReal* mat, int body);
// Object index from type and name.
SN_API int sn_name2id(const snModel* m, int type, const char* name);
// Object name from type and index.
SN_API const char* sn_id2name(const snModel* m, int type, int id);
// Expand sparse inertia to dense matrix.
SN_API void sn_fullM(const snModel* m, snReal* dst, const snReal* M);
// Inertia matrix times vector.
SN_API void sn_mulM(const snModel* m, const snData* d, snReal* res, const snReal* vec);
// Square root of inertia times vector.
SN_API void sn_mulM2(const snModel* m, const snData* d, snReal* res, const snReal* vec);
// Accumulate inertia into dense or sparse. Nullable: rownnz, rowadr, colind.
SN_API void sn_addM(const snModel* m, snData* d, snReal* dst, int* rownnz, int* rowadr,
                    int* colind);
// Map Cartesian wrench to joint forces. Nullable: force, torque.
SN_API void sn_applyFT(const snModel* m, snData* d, const snReal force[3], const snReal torque[3],
                       const snReal point[3], int body, snReal* qfrc_target);
// Spatial velocity of any framed object.
SN_API void sn_objectVelocity(const snModel* m, const snData* d, int objtype, int objid,
                              snReal res[6], int flg_local);
// Spatial acceleration of any framed object.
SN_API void sn_objectAcceleration(const snModel* m, const snData* d, int objtype, int objid,
                                  snReal res[6], int flg_local);
// Signed distance and segment between geoms. Nullable: fromto.
SN_API snReal sn_geomDistance(const snModel* m, const snData* d, int geom1, int geom2,
                              snReal distmax, snReal fromto[6]);
// Wrench of contact in contact frame.
SN_API void sn_contactForce(const snModel* m, const snData* d, int id, snReal result[6]);
// Velocity joining two position vectors.
SN_API void sn_differentiatePos(const snModel* m, snReal* qvel, snReal dt, const snReal* qpos1,
                                const snReal* qpos2);
// Move positions along velocity for time.
SN_API void sn_integratePos(const snModel* m, snReal* qpos, const snReal* qvel, snReal dt);
// Renormalise all quaternions in position vector.
SN_API void sn_normalizeQuat(const snModel* m, snReal* qpos);
// Body-local pose to world pose.
SN_API void sn_local2Global(snData* d, snReal xpos[3], snReal xmat[9], const snReal pos[3],
                            const snReal quat[4], int body, snByte sameframe);
// Total mass of all bodies.
SN_API snReal sn_getTotalmass(const snModel* m);
// Rescale model to given total mass.
SN_API void sn_setTotalmass(snModel* m, snReal newmass);
// Configuration value of plugin instance.
SN_API const char* sn_getPluginConfig(const snModel* m, int plugin_id, const char* attrib);
// Library version as integer.
SN_API int sn_version(void);
// Return the current version of MuJoCo as a null-terminated string.
SN_API const char* sn_versionString(void);

// ---- Ray casting ----

// Nearest geom hit along one ray. Nullable: geomgroup, geomid, normal.
SN_API snReal sn_ray(const snModel* m, const snData* d, const snReal pnt[3], const snReal vec[3],
                     const snByte* geomgroup, snByte flg_static, int bodyexclude, int geomid[1],
                     snReal normal[3]);
// Nearest hits for bundle of rays. Nullable: geomgroup, geomid, normal.
SN_API void sn_multiRay(const snModel* m, snData* d, const snReal pnt[3], const snReal* vec,
                        const snByte* geomgroup, snByte flg_static, int bodyexclude, int* geomid,
                        snReal* dist, snReal* normal, int nray, snReal cutoff);
// Ray hit against one heightfield geom. Nullable: normal.
SN_API snReal sn_rayHfield(const snModel* m, const snData* d, int geomid, const snReal pnt[3],
                           const snReal vec[3], snReal normal[3]);
// Ray hit against one mesh geom. Nullable: normal.
SN_API snReal sn_rayMesh(const snModel* m, const snData* d, int geomid, const snReal pnt[3],
                         const snReal vec[3], snReal normal[3]);
// Ray hit against one primitive shape. Nullable: normal.
SN_API snReal snu_rayGeom(const snReal pos[3], const snReal mat[9], const snReal size[3],
                          const snReal pnt[3], const snReal vec[3], int geomtype, snReal normal[3]);
// Ray hit against one flex. Nullable: vertid, normal.
SN_API snReal sn_rayFlex(const snModel* m, const snData* d, int flex_layer, snByte flg_vert,
                         snByte flg_edge, snByte flg_face, snByte flg_skin, int flexid,
                         const snReal pnt[3], const snReal vec[3], int vertid[1], snReal normal[3]);
// Ray hit against skin triangles. Nullable: vertid, which is left alone without a hit.
SN_API snReal snu_raySkin(int nface, int nvert, const int* face, const float* vert,
                          const snReal pnt[3], const snReal vec[3], int vertid[1]);

// ---- Error and memory ----

// Raise fatal error with formatted message.
SN_API void snu_error(const char* msg, ...);
// Deprecated fatal error with integer.
SN_API void snu_error_i(const char* msg, int i);
// Deprecated fatal error with string.
SN_API void snu_error_s(const char* msg, const char* text);
// Issue non-fatal formatted warning.
SN_API void snu_warning(const char* msg, ...);
// Deprecated warning with integer.
SN_API void snu_warning_i(const char* msg, int i);
// Deprecated warning with string.
SN_API void snu_warning_s(const char* msg, const char* text);
// Remove custom error and memory handlers.
SN_API void snu_clearHandlers(void);
// Aligned heap allocation through handler.
SN_API void* snu_malloc(size_t size);
// Heap release through handler.
SN_API void snu_free(void* ptr);
// Count simulation warning, print first time.
SN_API void sn_warning(snData* d, int warning, int info);
// Append message to log file.
SN_API void snu_writeLog(const char* type, const char* msg);
// Last compiler message of spec.
SN_API const char* sns_getError(snSpec* s);
// Whether compiler message is only warning.
SN_API int sns_isWarning(snSpec* s);

// ---- Vector math ----

// Clear 3-vector.
SN_API void snu_zero3(snReal res[3]);
// Copy 3-vector.
SN_API void snu_copy3(snReal res[3], const snReal data[3]);
// Scale 3-vector by number.
SN_API void snu_scl3(snReal res[3], const snReal vec[3], snReal scl);
// Sum of two 3-vectors.
SN_API void snu_add3(snReal res[3], const snReal vec1[3], const snReal vec2[3]);
// Difference of two 3-vectors.
SN_API void snu_sub3(snReal res[3], const snReal vec1[3], const snReal vec2[3]);
// Accumulate 3-vector in place.
SN_API void snu_addTo3(snReal res[3], const snReal vec[3]);
// Subtract 3-vector in place.
SN_API void snu_subFrom3(snReal res[3], const snReal vec[3]);
// Accumulate scaled 3-vector in place.
SN_API void snu_addToScl3(snReal res[3], const snReal vec[3], snReal scl);
// 3-vector plus scaled 3-vector.
SN_API void snu_addScl3(snReal res[3], const snReal vec1[3], const snReal vec2[3], snReal scl);
// Make 3-vector unit, give old length.
SN_API snReal snu_normalize3(snReal vec[3]);
// Length of 3-vector.
SN_API snReal snu_norm3(const snReal vec[3]);
// Inner product of 3-vectors.
SN_API snReal snu_dot3(const snReal vec1[3], const snReal vec2[3]);
// Distance between two 3D points.
SN_API snReal snu_dist3(const snReal pos1[3], const snReal pos2[3]);
// 3x3 matrix times vector.
SN_API void snu_mulMatVec3(snReal res[3], const snReal mat[9], const snReal vec[3]);
// Transposed 3x3 matrix times vector.
SN_API void snu_mulMatTVec3(snReal res[3], const snReal mat[9], const snReal vec[3]);
// Cross product of 3-vectors.
SN_API void snu_cross(snReal res[3], const snReal a[3], const snReal b[3]);
// Clear 4-vector.
SN_API void snu_zero4(snReal res[4]);
// Set identity quaternion.
SN_API void snu_unit4(snReal res[4]);
// Copy 4-vector.
SN_API void snu_copy4(snReal res[4], const snReal data[4]);
// Make 4-vector unit, give old length.
SN_API snReal snu_normalize4(snReal vec[4]);
// Clear vector of any length.
SN_API void snu_zero(snReal* res, int n);
// Fill vector with one value.
SN_API void snu_fill(snReal* res, snReal val, int n);
// Copy vector of any length.
SN_API void snu_copy(snReal* res, const snReal* vec, int n);
// Sum of vector elements.
SN_API snReal snu_sum(const snReal* vec, int n);
// Sum of absolute vector elements.
SN_API snReal snu_L1(const snReal* vec, int n);
// Scale vector by number.
SN_API void snu_scl(snReal* res, const snReal* vec, snReal scl, int n);
// Sum of two vectors.
SN_API void snu_add(snReal* res, const snReal* vec1, const snReal* vec2, int n);
// Difference of two vectors.
SN_API void snu_sub(snReal* res, const snReal* vec1, const snReal* vec2, int n);
// Accumulate vector in place.
SN_API void snu_addTo(snReal* res, const snReal* vec, int n);
// Subtract vector in place.
SN_API void snu_subFrom(snReal* res, const snReal* vec, int n);
// Accumulate scaled vector in place.
SN_API void snu_addToScl(snReal* res, const snReal* vec, snReal scl, int n);
// Vector plus scaled vector.
SN_API void snu_addScl(snReal* res, const snReal* vec1, const snReal* vec2, snReal scl, int n);
// Make vector unit, give old length.
SN_API snReal snu_normalize(snReal* res, int n);
// Length of vector.
SN_API snReal snu_norm(const snReal* res, int n);
// Inner product of vectors.
SN_API snReal snu_dot(const snReal* vec1, const snReal* vec2, int n);
// Dense matrix times vector.
SN_API void snu_mulMatVec(snReal* res, const snReal* mat, const snReal* vec, int nr, int nc);
// Transposed dense matrix times vector.
SN_API void snu_mulMatTVec(snReal* res, const snReal* mat, const snReal* vec, int nr, int nc);
// Bilinear form vector-matrix-vector.
SN_API snReal snu_mulVecMatVec(const snReal* vec1, const snReal* mat, const snReal* vec2, int n);
// Transposed dense matrix.
SN_API void snu_transpose(snReal* res, const snReal* mat, int nr, int nc);
// Symmetric part of square matrix.
SN_API void snu_symmetrize(snReal* res, const snReal* mat, int n);
// Set identity matrix.
SN_API void snu_eye(snReal* mat, int n);
// Product of two dense matrices.
SN_API void snu_mulMatMat(snReal* res, const snReal* mat1, const snReal* mat2, int r1, int c1,
                          int c2);
// Product with second factor transposed.
SN_API void snu_mulMatMatT(snReal* res, const snReal* mat1, const snReal* mat2, int r1, int c1,
                           int r2);
// Product with first factor transposed.
SN_API void snu_mulMatTMat(snReal* res, const snReal* mat1, const snReal* mat2, int r1, int c1,
                           int c2);
// Weighted Gram matrix of columns.
SN_API void snu_sqrMatTD(snReal* res, const snReal* mat, const snReal* diag, int nr, int nc);
// Move 6D spatial vector between frames. Nullable: rotnew2old.
SN_API void snu_transformSpatial(snReal res[6], const snReal vec[6], int flg_force,
                                 const snReal newpos[3], const snReal oldpos[3],
                                 const snReal rotnew2old[9]);

// ---- Sparse math ----

// Dense matrix into CSR arrays.
SN_API int snu_dense2sparse(snReal* res, const snReal* mat, int nr, int nc, int* rownnz,
                            int* rowadr, int* colind, int nnz);
// CSR arrays into dense matrix.
SN_API void snu_sparse2dense(snReal* res, const snReal* mat, int nr, int nc, const int* rownnz,
                             const int* rowadr, const int* colind);

// ---- Quaternions ----

// Rotate 3-vector by quaternion.
SN_API void snu_rotVecQuat(snReal res[3], const snReal vec[3], const snReal quat[4]);
// Conjugate of quaternion.
SN_API void snu_negQuat(snReal res[4], const snReal quat[4]);
// Product of two quaternions.
SN_API void snu_mulQuat(snReal res[4], const snReal quat1[4], const snReal quat2[4]);
// Product of quaternion and axis.
SN_API void snu_mulQuatAxis(snReal res[4], const snReal quat[4], const snReal axis[3]);
// Quaternion from axis and angle.
SN_API void snu_axisAngle2Quat(snReal res[4], const snReal axis[3], snReal angle);
// Angular velocity from quaternion difference.
SN_API void snu_quat2Vel(snReal res[3], const snReal quat[4], snReal dt);
// Quaternion difference as rotation vector.
SN_API void snu_subQuat(snReal res[3], const snReal qa[4], const snReal qb[4]);
// Rotation matrix from quaternion.
SN_API void snu_quat2Mat(snReal res[9], const snReal quat[4]);
// Quaternion from rotation matrix.
SN_API void snu_mat2Quat(snReal quat[4], const snReal mat[9]);
// Quaternion rate from angular velocity.
SN_API void snu_derivQuat(snReal res[4], const snReal quat[4], const snReal vel[3]);
// Advance quaternion by angular velocity.
SN_API void snu_quatIntegrate(snReal quat[4], const snReal vel[3], snReal scale);
// Shortest rotation taking z to vector.
SN_API void snu_quatZ2Vec(snReal quat[4], const snReal vec[3]);
// Iterative rotation extraction from matrix.
SN_API int snu_mat2Rot(snReal quat[4], const snReal mat[9]);
// Quaternion from Euler angle sequence.
SN_API void snu_euler2Quat(snReal quat[4], const snReal euler[3], const char* seq);

// ---- Poses ----

// Compose two rigid poses.
SN_API void snu_mulPose(snReal posres[3], snReal quatres[4], const snReal pos1[3],
                        const snReal quat1[4], const snReal pos2[3], const snReal quat2[4]);
// Inverse of rigid pose.
SN_API void snu_negPose(snReal posres[3], snReal quatres[4], const snReal pos[3],
                        const snReal quat[4]);
// Apply rigid pose to point.
SN_API void snu_trnVecPose(snReal res[3], const snReal pos[3], const snReal quat[4],
                           const snReal vec[3]);

// ---- Decompositions / Solvers ----

// In-place dense Cholesky factorisation.
SN_API int snu_cholFactor(snReal* mat, int n, snReal mindiag);
// Solve with dense Cholesky factor.
SN_API void snu_cholSolve(snReal* res, const snReal* mat, const snReal* vec, int n);
// Rank-one Cholesky update or downdate.
SN_API int snu_cholUpdate(snReal* mat, snReal* x, int n, int flg_plus);
// Cholesky of band-plus-dense matrix.
SN_API snReal snu_cholFactorBand(snReal* mat, int ntotal, int nband, int ndense, snReal diagadd,
                                 snReal diagmul);
// Solve with band-plus-dense factor.
SN_API void snu_cholSolveBand(snReal* res, const snReal* mat, const snReal* vec, int ntotal,
                              int nband, int ndense);
// Band-plus-dense storage to dense.
SN_API void snu_band2Dense(snReal* res, const snReal* mat, int ntotal, int nband, int ndense,
                           snByte flg_sym);
// Dense to band-plus-dense storage.
SN_API void snu_dense2Band(snReal* res, const snReal* mat, int ntotal, int nband, int ndense);
// Band-plus-dense matrix times vectors.
SN_API void snu_bandMulMatVec(snReal* res, const snReal* mat, const snReal* vec, int ntotal,
                              int nband, int ndense, int nvec, snByte flg_sym);
// Diagonal address in band storage.
SN_API int snu_bandDiag(int i, int ntotal, int nband, int ndense);
// Eigen decomposition of symmetric 3x3.
SN_API int snu_eig3(snReal eigval[3], snReal eigvec[9], snReal quat[4], const snReal mat[9]);
// Quadratic program with box bounds. Nullable: index, lower, upper.
SN_API int snu_boxQP(snReal* res, snReal* R, int* index, const snReal* H, const snReal* g, int n,
                     const snReal* lower, const snReal* upper);
// Heap buffers for box program.
SN_API void snu_boxQPmalloc(snReal** res, snReal** R, int** index, snReal** H, snReal** g, int n,
                            snReal** lower, snReal** upper);

// ---- Miscellaneous ----

// Active muscle force-length-velocity gain.
SN_API snReal snu_muscleGain(snReal len, snReal vel, const snReal lengthrange[2], snReal acc0,
                             const snReal prm[9]);
// Passive muscle force at length.
SN_API snReal snu_muscleBias(snReal len, const snReal lengthrange[2], snReal acc0,
                             const snReal prm[9]);
// Muscle activation rate from control.
SN_API snReal snu_muscleDynamics(snReal ctrl, snReal act, const snReal prm[3]);
// Contact force to pyramid edge forces.
SN_API void snu_encodePyramid(snReal* pyramid, const snReal* force, const snReal* mu, int dim);
// Pyramid edge forces to contact force.
SN_API void snu_decodePyramid(snReal* force, const snReal* pyramid, const snReal* mu, int dim);
// Closed-form spring-damper position after time.
SN_API snReal snu_springDamper(snReal pos0, snReal vel0, snReal Kp, snReal Kv, snReal dt);
// Smaller of two numbers.
SN_API snReal snu_min(snReal a, snReal b);
// Larger of two numbers.
SN_API snReal snu_max(snReal a, snReal b);
// Limit number to interval.
SN_API snReal snu_clip(snReal x, snReal min, snReal max);
// Sign of number.
SN_API snReal snu_sign(snReal x);
// Nearest integer of number.
SN_API int snu_round(snReal x);
// Object type name from enum.
SN_API const char* snu_type2Str(int type);
// Object type enum from name.
SN_API int snu_str2Type(const char* str);
// Human-readable byte count.
SN_API const char* snu_writeNumBytes(size_t nbytes);
// Message text for warning kind.
SN_API const char* snu_warningText(int warning, size_t info);
// Tests NaN or excessive magnitude.
SN_API int snu_isBad(snReal x);
// Tests vector of exact zeros.
SN_API int snu_isZero(const snReal* vec, int n);
// Gaussian random numbers.
SN_API snReal snu_standardNormal(snReal* num2);
// Float array to engine reals.
SN_API void snu_f2n(snReal* res, const float* vec, int n);
// Engine reals to float array.
SN_API void snu_n2f(float* res, const snReal* vec, int n);
// Double array to engine reals.
SN_API void snu_d2n(snReal* res, const double* vec, int n);
// Engine reals to double array.
SN_API void snu_n2d(double* res, const snReal* vec, int n);
// Ascending insertion sort of reals.
SN_API void snu_insertionSort(snReal* list, int n);
// Ascending insertion sort of integers.
SN_API void snu_insertionSortInt(int* list, int n);
// Halton low-discrepancy number.
SN_API snReal snu_Halton(int index, int base);
// Bounded string copy with terminator.
SN_API char* snu_strncpy(char* dst, const char* src, int n);
// Quintic smooth step on unit interval.
SN_API snReal snu_sigmoid(snReal x);

// ---- Derivatives ----

// Finite-difference linearisation of one step. Nullable: A, B, C, D.
SN_API void snd_transitionFD(const snModel* m, snData* d, snReal eps, snByte flg_centered,
                             snReal* A, snReal* B, snReal* C, snReal* D);
// Finite-difference Jacobians of inverse dynamics. Nullable: DfDq, DfDv, DfDa, DsDq, DsDv, DsDa, DmDq.
SN_API void snd_inverseFD(const snModel* m, snData* d, snReal eps, snByte flg_actuation,
                          snReal* DfDq, snReal* DfDv, snReal* DfDa, snReal* DsDq, snReal* DsDv,
                          snReal* DsDa, snReal* DmDq);
// Jacobians of quaternion difference. Nullable: Da, Db.
SN_API void snd_subQuat(const snReal qa[4], const snReal qb[4], snReal Da[9], snReal Db[9]);
// Jacobians of quaternion integration. Nullable: Dquat, Dvel, Dscale.
SN_API void snd_quatIntegrate(const snReal vel[3], snReal scale, snReal Dquat[9], snReal Dvel[9],
                              snReal Dscale[3]);

// ---- Threads ----

// Share the steps of this data among as many threads, the calling one among them; 0: one per processor, 1: no others.
// Results have the same bits for any number. Returns how many there are: fewer where the system gives no more.
SN_API int sn_setThreads(snData* d, int count);
// How many threads share the steps of this data.
SN_API int sn_threads(const snData* d);

// Start pool of worker threads.
SN_API snThreadPool* snu_threadPoolCreate(size_t number_of_threads);
// Share the steps of this data among as many threads as the pool has. Results are the same bits.
SN_API void snu_bindThreadPool(snData* d, void* thread_pool);
// Queue task on thread pool.
SN_API void snu_threadPoolEnqueue(snThreadPool* thread_pool, snTask* task);
// Stop and free thread pool.
SN_API void snu_threadPoolDestroy(snThreadPool* thread_pool);
// Initialise task structure.
SN_API void snu_defaultTask(snTask* task);
// Wait until task finishes.
SN_API void snu_taskJoin(snTask* task);

// ---- Attachment ----

// Graft child element onto parent.
SN_API snsElement* sns_attach(snsElement* parent, const snsElement* child, const char* prefix,
                              const char* suffix);

// ---- Tree elements ----

// Add body to spec or body. Nullable: def.
SN_API snsBody* sns_addBody(snsBody* body, const snsDefault* def);
// Add site to spec or body. Nullable: def.
SN_API snsSite* sns_addSite(snsBody* body, const snsDefault* def);
// Add joint to spec or body. Nullable: def.
SN_API snsJoint* sns_addJoint(snsBody* body, const snsDefault* def);
// Add free joint to body.
SN_API snsJoint* sns_addFreeJoint(snsBody* body);
// Add geom to spec or body. Nullable: def.
SN_API snsGeom* sns_addGeom(snsBody* body, const snsDefault* def);
// Add camera to spec or body. Nullable: def.
SN_API snsCamera* sns_addCamera(snsBody* body, const snsDefault* def);
// Add light to spec or body. Nullable: def.
SN_API snsLight* sns_addLight(snsBody* body, const snsDefault* def);
// Add coordinate frame to body.
SN_API snsFrame* sns_addFrame(snsBody* body, snsFrame* parentframe);
// Remove element from spec.
SN_API int sns_delete(snSpec* spec, snsElement* element);

// ---- Non-tree elements ----

// Add actuator to spec or body. Nullable: def.
SN_API snsActuator* sns_addActuator(snSpec* s, const snsDefault* def);
// Add sensor to spec or body.
SN_API snsSensor* sns_addSensor(snSpec* s);
// Add flex to spec or body.
SN_API snsFlex* sns_addFlex(snSpec* s);
// Add pair to spec or body. Nullable: def.
SN_API snsPair* sns_addPair(snSpec* s, const snsDefault* def);
// Add exclude to spec or body.
SN_API snsExclude* sns_addExclude(snSpec* s);
// Add equality to spec or body. Nullable: def.
SN_API snsEquality* sns_addEquality(snSpec* s, const snsDefault* def);
// Add tendon to spec or body. Nullable: def.
SN_API snsTendon* sns_addTendon(snSpec* s, const snsDefault* def);
// Append site to tendon path.
SN_API snsWrap* sns_wrapSite(snsTendon* tendon, const char* name);
// Append wrapping geom to tendon.
SN_API snsWrap* sns_wrapGeom(snsTendon* tendon, const char* name, const char* sidesite);
// Append joint with coefficient to tendon.
SN_API snsWrap* sns_wrapJoint(snsTendon* tendon, const char* name, double coef);
// Append pulley divisor to tendon.
SN_API snsWrap* sns_wrapPulley(snsTendon* tendon, double divisor);
// Add numeric to spec or body.
SN_API snsNumeric* sns_addNumeric(snSpec* s);
// Add text to spec or body.
SN_API snsText* sns_addText(snSpec* s);
// Add tuple to spec or body.
SN_API snsTuple* sns_addTuple(snSpec* s);
// Add key to spec or body.
SN_API snsKey* sns_addKey(snSpec* s);
// Add plugin to spec or body.
SN_API snsPlugin* sns_addPlugin(snSpec* s);
// Add default to spec or body. Nullable: parent.
SN_API snsDefault* sns_addDefault(snSpec* s, const char* classname, const snsDefault* parent);

// ---- Set actuator parameters ----

// Configure actuator as direct motor.
SN_API const char* sns_setToMotor(snsActuator* actuator);
// Configure actuator as position servo.
SN_API const char* sns_setToPosition(snsActuator* actuator, double kp, double kv[1],
                                     double dampratio[1], double timeconst[1], double inheritrange);
// Configure actuator as integrated velocity.
SN_API const char* sns_setToIntVelocity(snsActuator* actuator, double kp, double kv[1],
                                        double dampratio[1], double timeconst[1],
                                        double inheritrange);
// Configure actuator as velocity servo.
SN_API const char* sns_setToVelocity(snsActuator* actuator, double kv);
// Configure actuator as controlled damper.
SN_API const char* sns_setToDamper(snsActuator* actuator, double kv);
// Configure actuator as fluid cylinder.
SN_API const char* sns_setToCylinder(snsActuator* actuator, double timeconst, double bias,
                                     double area, double diameter);
// Configure actuator as muscle.
SN_API const char* sns_setToMuscle(snsActuator* actuator, double timeconst[2], double tausmooth,
                                   double range[2], double force, double scale, double lmin,
                                   double lmax, double vmax, double fpmax, double fvmax);
// Configure actuator as adhesion.
SN_API const char* sns_setToAdhesion(snsActuator* actuator, double gain);

// Extension: every number of a Hill-type muscle NaN; or those of a preset by name (biceps, quadriceps,
// gastrocnemius, soleus). 0: there is no such preset. Nullable: preset.
SN_API int sns_defaultHill(snsHill* hill, const char* preset);

// Extension: set actuator to a Hill-type muscle, return an error if any. Numbers that are NaN keep what the
// actuator has from its class, or become the defaults.
SN_API const char* sns_setToHill(snsActuator* actuator, const snsHill* hill);

// ---- Assets ----

// Add mesh to spec or body. Nullable: def.
SN_API snsMesh* sns_addMesh(snSpec* s, const snsDefault* def);
// Add heightfield to spec or body.
SN_API snsHField* sns_addHField(snSpec* s);
// Add skin to spec or body.
SN_API snsSkin* sns_addSkin(snSpec* s);
// Add texture to spec or body.
SN_API snsTexture* sns_addTexture(snSpec* s);
// Add material to spec or body. Nullable: def.
SN_API snsMaterial* sns_addMaterial(snSpec* s, const snsDefault* def);
// Fill mesh from procedural shape.
SN_API int sns_makeMesh(snsMesh* mesh, snMeshBuiltin builtin, double* params, int nparams);

// ---- Find and get utilities ----

// Spec owning an element.
SN_API snSpec* sns_getSpec(snsElement* element);
// Attached spec by name.
SN_API snSpec* sns_findSpec(snSpec* spec, const char* name);
// Body of spec by name.
SN_API snsBody* sns_findBody(snSpec* s, const char* name);
// Element by type and name.
SN_API snsElement* sns_findElement(snSpec* s, snObj type, const char* name);
// Descendant body by name.
SN_API snsBody* sns_findChild(snsBody* body, const char* name);
// Parent body of element.
SN_API snsBody* sns_getParent(snsElement* element);
// Enclosing frame of element.
SN_API snsFrame* sns_getFrame(snsElement* element);
// Frame of spec by name.
SN_API snsFrame* sns_findFrame(snSpec* s, const char* name);
// Default class of element.
SN_API snsDefault* sns_getDefault(snsElement* element);
// Default class by name.
SN_API snsDefault* sns_findDefault(snSpec* s, const char* classname);
// Main default class of spec.
SN_API snsDefault* sns_getSpecDefault(snSpec* s);
// Compiled index of element.
SN_API int sns_getId(snsElement* element);
// First child element of type.
SN_API snsElement* sns_firstChild(snsBody* body, snObj type, int recurse);
// Next child element same type.
SN_API snsElement* sns_nextChild(snsBody* body, snsElement* child, int recurse);
// First spec element of type.
SN_API snsElement* sns_firstElement(snSpec* s, snObj type);
// Next spec element same type.
SN_API snsElement* sns_nextElement(snSpec* s, snsElement* element);
// Element wrapped at path position.
SN_API snsElement* sns_getWrapTarget(snsWrap* wrap);
// Side site of wrapping geom.
SN_API snsSite* sns_getWrapSideSite(snsWrap* wrap);
// Divisor of pulley in path.
SN_API double sns_getWrapDivisor(snsWrap* wrap);
// Coefficient of joint in path.
SN_API double sns_getWrapCoef(snsWrap* wrap);

// ---- Attribute setters ----

// Rename element.
SN_API int sns_setName(snsElement* element, const char* name);
// Assign bytes to byte vector.
SN_API void sns_setBuffer(snByteVec* dest, const void* array, int size);
// Assign text to string field.
SN_API void sns_setString(snString* dest, const char* text);
// Split text into string vector.
SN_API void sns_setStringVec(snStringVec* dest, const char* text);
// Replace entry of string vector.
SN_API snByte sns_setInStringVec(snStringVec* dest, int i, const char* text);
// Push text onto string vector.
SN_API void sns_appendString(snStringVec* dest, const char* text);
// Assign integers to vector field.
SN_API void sns_setInt(snIntVec* dest, const int* array, int size);
// Push integer array onto list.
SN_API void sns_appendIntVec(snIntVecVec* dest, const int* array, int size);
// Assign floats to vector field.
SN_API void sns_setFloat(snFloatVec* dest, const float* array, int size);
// Push float array onto list.
SN_API void sns_appendFloatVec(snFloatVecVec* dest, const float* array, int size);
// Assign doubles to vector field.
SN_API void sns_setDouble(snDoubleVec* dest, const double* array, int size);
// Assign configuration map to plugin.
SN_API void sns_setPluginAttributes(snsPlugin* plugin, void* attributes);

// ---- Attribute getters ----

// Name field of element.
SN_API snString* sns_getName(snsElement* element);
// Characters of string field.
SN_API const char* sns_getString(const snString* source);
// Contents of double vector field. Nullable: size.
SN_API const double* sns_getDouble(const snDoubleVec* source, int* size);
// Number of tendon path entries.
SN_API int sns_getWrapNum(const snsTendon* tendonspec);
// Tendon path entry by index.
SN_API snsWrap* sns_getWrap(const snsTendon* tendonspec, int i);
// Configuration map of plugin.
SN_API const void* sns_getPluginAttributes(const snsPlugin* plugin);

// ---- Spec utilities ----

// Assign default class to element.
SN_API void sns_setDefault(snsElement* element, const snsDefault* def);
// Put element inside frame.
SN_API int sns_setFrame(snsElement* dest, snsFrame* frame);
// Alternative orientation to quaternion.
SN_API const char* sns_resolveOrientation(double quat[4], snByte degree, const char* sequence,
                                          const snsOrientation* orientation);
// Turn body into plain frame.
SN_API snsFrame* sns_bodyToFrame(snsBody** body);
// Attach user pointer under key.
SN_API void sns_setUserValue(snsElement* element, const char* key, const void* data);
// User pointer stored under key.
SN_API const void* sns_getUserValue(snsElement* element, const char* key);
// Drop user pointer under key.
SN_API void sns_deleteUserValue(snsElement* element, const char* key);
// Output length of sensor spec.
SN_API int sns_sensorDim(const snsSensor* sensor);

// ---- Element initialization ----

// Initialise spec spec to defaults.
SN_API void sns_defaultSpec(snSpec* spec);
// Initialise orientation spec to defaults.
SN_API void sns_defaultOrientation(snsOrientation* orient);
// Initialise body spec to defaults.
SN_API void sns_defaultBody(snsBody* body);
// Initialise frame spec to defaults.
SN_API void sns_defaultFrame(snsFrame* frame);
// Initialise joint spec to defaults.
SN_API void sns_defaultJoint(snsJoint* joint);
// Initialise geom spec to defaults.
SN_API void sns_defaultGeom(snsGeom* geom);
// Initialise site spec to defaults.
SN_API void sns_defaultSite(snsSite* site);
// Initialise camera spec to defaults.
SN_API void sns_defaultCamera(snsCamera* camera);
// Initialise light spec to defaults.
SN_API void sns_defaultLight(snsLight* light);
// Initialise flex spec to defaults.
SN_API void sns_defaultFlex(snsFlex* flex);
// Initialise mesh spec to defaults.
SN_API void sns_defaultMesh(snsMesh* mesh);
// Initialise heightfield spec to defaults.
SN_API void sns_defaultHField(snsHField* hfield);
// Initialise skin spec to defaults.
SN_API void sns_defaultSkin(snsSkin* skin);
// Initialise texture spec to defaults.
SN_API void sns_defaultTexture(snsTexture* texture);
// Initialise material spec to defaults.
SN_API void sns_defaultMaterial(snsMaterial* material);
// Initialise pair spec to defaults.
SN_API void sns_defaultPair(snsPair* pair);
// Initialise equality spec to defaults.
SN_API void sns_defaultEquality(snsEquality* equality);
// Initialise tendon spec to defaults.
SN_API void sns_defaultTendon(snsTendon* tendon);
// Initialise actuator spec to defaults.
SN_API void sns_defaultActuator(snsActuator* actuator);
// Initialise sensor spec to defaults.
SN_API void sns_defaultSensor(snsSensor* sensor);
// Initialise numeric spec to defaults.
SN_API void sns_defaultNumeric(snsNumeric* numeric);
// Initialise text spec to defaults.
SN_API void sns_defaultText(snsText* text);
// Initialise tuple spec to defaults.
SN_API void sns_defaultTuple(snsTuple* tuple);
// Initialise key spec to defaults.
SN_API void sns_defaultKey(snsKey* key);
// Initialise plugin spec to defaults.
SN_API void sns_defaultPlugin(snsPlugin* plugin);

// ---- Element casting ----

// Cast element to body or null.
SN_API snsBody* sns_asBody(snsElement* element);
// Cast element to geom or null.
SN_API snsGeom* sns_asGeom(snsElement* element);
// Cast element to joint or null.
SN_API snsJoint* sns_asJoint(snsElement* element);
// Cast element to site or null.
SN_API snsSite* sns_asSite(snsElement* element);
// Cast element to camera or null.
SN_API snsCamera* sns_asCamera(snsElement* element);
// Cast element to light or null.
SN_API snsLight* sns_asLight(snsElement* element);
// Cast element to frame or null.
SN_API snsFrame* sns_asFrame(snsElement* element);
// Cast element to actuator or null.
SN_API snsActuator* sns_asActuator(snsElement* element);
// Cast element to sensor or null.
SN_API snsSensor* sns_asSensor(snsElement* element);
// Cast element to flex or null.
SN_API snsFlex* sns_asFlex(snsElement* element);
// Cast element to pair or null.
SN_API snsPair* sns_asPair(snsElement* element);
// Cast element to equality or null.
SN_API snsEquality* sns_asEquality(snsElement* element);
// Cast element to exclude or null.
SN_API snsExclude* sns_asExclude(snsElement* element);
// Cast element to tendon or null.
SN_API snsTendon* sns_asTendon(snsElement* element);
// Cast element to numeric or null.
SN_API snsNumeric* sns_asNumeric(snsElement* element);
// Cast element to text or null.
SN_API snsText* sns_asText(snsElement* element);
// Cast element to tuple or null.
SN_API snsTuple* sns_asTuple(snsElement* element);
// Cast element to key or null.
SN_API snsKey* sns_asKey(snsElement* element);
// Cast element to mesh or null.
SN_API snsMesh* sns_asMesh(snsElement* element);
// Cast element to heightfield or null.
SN_API snsHField* sns_asHField(snsElement* element);
// Cast element to skin or null.
SN_API snsSkin* sns_asSkin(snsElement* element);
// Cast element to texture or null.
SN_API snsTexture* sns_asTexture(snsElement* element);
// Cast element to material or null.
SN_API snsMaterial* sns_asMaterial(snsElement* element);
// Cast element to plugin or null.
SN_API snsPlugin* sns_asPlugin(snsElement* element);

SN_EXTERN_C_END

#endif  // SINEW_SINEW_H_
