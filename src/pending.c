// Public functions that are declared and not yet written: each vanishes when its owner defines it.

#include "engine/collision.h"
#include "sinew/sinew.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

#define WEAK __attribute__((weak))

WEAK snModel* sn_loadXML(const char* filename, const snVFS* vfs, char* error, int error_sz) { return 0; }
WEAK snSpec* sn_parseXML(const char* filename, const snVFS* vfs, char* error, int error_sz) { return 0; }
WEAK snSpec* sn_parseXMLString(const char* xml, const snVFS* vfs, char* error, int error_sz) { return 0; }
WEAK snSpec* sn_parse(const char* filename, const char* content_type, const snVFS* vfs, char* error, int error_sz) { return 0; }
WEAK int sn_copyBack(snSpec* s, const snModel* m) { return 0; }
WEAK int sn_recompile(snSpec* s, const snVFS* vfs, snModel* m, snData* d) { return 0; }
WEAK int sn_saveLastXML(const char* filename, const snModel* m, char* error, int error_sz) { return 0; }
WEAK void sn_freeLastXML(void) {  }
WEAK int sn_saveXMLString(const snSpec* s, char* xml, int xml_sz, char* error, int error_sz) { return 0; }
WEAK int sn_saveXML(const snSpec* s, const char* filename, char* error, int error_sz) { return 0; }
WEAK void snu_getXMLDependencies(const char* filename, snStringVec* dependencies) {  }
WEAK void sn_step(const snModel* m, snData* d) {  }
WEAK void sn_step1(const snModel* m, snData* d) {  }
WEAK void sn_step2(const snModel* m, snData* d) {  }
WEAK void sn_forward(const snModel* m, snData* d) {  }
WEAK void sn_inverse(const snModel* m, snData* d) {  }
WEAK void sn_forwardSkip(const snModel* m, snData* d, int skipstage, int skipsensor) {  }
WEAK void sn_inverseSkip(const snModel* m, snData* d, int skipstage, int skipsensor) {  }
WEAK snModel* sn_copyModel(snModel* dest, const snModel* src) { return 0; }
WEAK void sn_saveModel(const snModel* m, const char* filename, void* buffer, int buffer_sz) {  }
WEAK snModel* sn_loadModel(const char* filename, const snVFS* vfs) { return 0; }
WEAK snModel* sn_loadModelBuffer(const void* buffer, int buffer_sz) { return 0; }
WEAK void sn_deleteModel(snModel* m) {  }
WEAK snSize sn_sizeModel(const snModel* m) { return 0; }
WEAK snData* sn_makeData(const snModel* m) { return 0; }
WEAK snData* sn_copyData(snData* dest, const snModel* m, const snData* src) { return 0; }
WEAK void sn_resetData(const snModel* m, snData* d) {  }
WEAK void sn_resetDataDebug(const snModel* m, snData* d, unsigned char debug_value) {  }
WEAK void sn_resetDataKeyframe(const snModel* m, snData* d, int key) {  }
WEAK void sn_markStack(snData* d) {  }
WEAK void sn_freeStack(snData* d) {  }
WEAK void* sn_stackAllocByte(snData* d, size_t bytes, size_t alignment) { return 0; }
WEAK snReal* sn_stackAllocNum(snData* d, size_t size) { return 0; }
WEAK int* sn_stackAllocInt(snData* d, size_t size) { return 0; }
WEAK void sn_deleteData(snData* d) {  }
WEAK void sn_resetCallbacks(void) {  }
WEAK snSpec* sn_copySpec(const snSpec* s) { return 0; }
WEAK int sns_activatePlugin(snSpec* s, const char* name) { return 0; }
WEAK void sn_printFormattedModel(const snModel* m, const char* filename, const char* float_format) {  }
WEAK void sn_printModel(const snModel* m, const char* filename) {  }
WEAK void sn_printFormattedData(const snModel* m, const snData* d, const char* filename, const char* float_format) {  }
WEAK void sn_printData(const snModel* m, const snData* d, const char* filename) {  }
WEAK void snu_printMat(const snReal* mat, int nr, int nc) {  }
WEAK void snu_printMatSparse(const snReal* mat, int nr, const int* rownnz, const int* rowadr, const int* colind) {  }
WEAK int sn_printSchema(const char* filename, char* buffer, int buffer_sz, int flg_html, int flg_pad) { return 0; }
WEAK void sn_fwdKinematics(const snModel* m, snData* d) {  }
WEAK void sn_fwdPosition(const snModel* m, snData* d) {  }
WEAK void sn_fwdVelocity(const snModel* m, snData* d) {  }
WEAK void sn_fwdActuation(const snModel* m, snData* d) {  }
WEAK void sn_fwdAcceleration(const snModel* m, snData* d) {  }
WEAK void sn_fwdConstraint(const snModel* m, snData* d) {
  for (int i = 0; i < (int)m->nv; i++) {
    d->qfrc_constraint[i] = 0;
    d->qacc[i] = d->qacc_smooth[i];
  }
}
WEAK void sn_Euler(const snModel* m, snData* d) {  }
WEAK void sn_RungeKutta(const snModel* m, snData* d, int N) {  }
WEAK void sn_implicit(const snModel* m, snData* d) {  }
WEAK void sn_invPosition(const snModel* m, snData* d) {  }
WEAK void sn_invVelocity(const snModel* m, snData* d) {  }
WEAK void sn_invConstraint(const snModel* m, snData* d) {  }
WEAK void sn_compareFwdInv(const snModel* m, snData* d) {  }
WEAK void sn_sensorPos(const snModel* m, snData* d) {  }
WEAK void sn_sensorVel(const snModel* m, snData* d) {  }
WEAK void sn_sensorAcc(const snModel* m, snData* d) {  }
WEAK void sn_energyPos(const snModel* m, snData* d) {  }
WEAK void sn_energyVel(const snModel* m, snData* d) {  }
WEAK void sn_checkPos(const snModel* m, snData* d) {  }
WEAK void sn_checkVel(const snModel* m, snData* d) {  }
WEAK void sn_checkAcc(const snModel* m, snData* d) {  }
WEAK void sn_flex(const snModel* m, snData* d) {  }
WEAK void sn_tendon(const snModel* m, snData* d) {  }
WEAK void sn_transmission(const snModel* m, snData* d) {  }
WEAK void sn_passive(const snModel* m, snData* d) {  }
WEAK void sn_collision(const snModel* m, snData* d) {  }
WEAK void sn_island(const snModel* m, snData* d) {  }
WEAK void sn_projectConstraint(const snModel* m, snData* d) {  }
WEAK int sn_stateSize(const snModel* m, int sig) { return 0; }
WEAK void sn_getState(const snModel* m, const snData* d, snReal* state, int sig) {  }
WEAK void sn_extractState(const snModel* m, const snReal* src, int srcsig, snReal* dst, int dstsig) {  }
WEAK void sn_setState(const snModel* m, snData* d, const snReal* state, int sig) {  }
WEAK void sn_copyState(const snModel* m, const snData* src, snData* dst, int sig) {  }
WEAK snReal sn_readCtrl(const snModel* m, const snData* d, int id, snReal time, int interp) { return 0; }
WEAK const snReal* sn_readSensor(const snModel* m, const snData* d, int id, snReal time, snReal* result, int interp) { return 0; }
WEAK void sn_initCtrlHistory(const snModel* m, snData* d, int id, const snReal* times, const snReal* values) {  }
WEAK void sn_initSensorHistory(const snModel* m, snData* d, int id, const snReal* times, const snReal* values, snReal phase) {  }
WEAK void sn_setKeyframe(snModel* m, const snData* d, int k) {  }
WEAK int sn_name2id(const snModel* m, int type, const char* name) { return 0; }
WEAK const char* sn_id2name(const snModel* m, int type, int id) { return 0; }
WEAK snReal sn_getTotalmass(const snModel* m) { return 0; }
WEAK void sn_setTotalmass(snModel* m, snReal newmass) {  }
WEAK const char* sn_getPluginConfig(const snModel* m, int plugin_id, const char* attrib) { return 0; }
WEAK int sn_version(void) { return 0; }
WEAK const char* sn_versionString(void) { return 0; }
WEAK snReal sn_ray(const snModel* m, const snData* d, const snReal pnt[3], const snReal vec[3], const snByte* geomgroup, snByte flg_static, int bodyexclude, int geomid[1], snReal normal[3]) { return 0; }
WEAK void sn_multiRay(const snModel* m, snData* d, const snReal pnt[3], const snReal* vec, const snByte* geomgroup, snByte flg_static, int bodyexclude, int* geomid, snReal* dist, snReal* normal, int nray, snReal cutoff) {  }
WEAK snReal sn_rayHfield(const snModel* m, const snData* d, int geomid, const snReal pnt[3], const snReal vec[3], snReal normal[3]) { return 0; }
WEAK snReal sn_rayMesh(const snModel* m, const snData* d, int geomid, const snReal pnt[3], const snReal vec[3], snReal normal[3]) { return 0; }
WEAK snReal snu_rayGeom(const snReal pos[3], const snReal mat[9], const snReal size[3], const snReal pnt[3], const snReal vec[3], int geomtype, snReal normal[3]) { return 0; }
WEAK snReal sn_rayFlex(const snModel* m, const snData* d, int flex_layer, snByte flg_vert, snByte flg_edge, snByte flg_face, snByte flg_skin, int flexid, const snReal pnt[3], const snReal vec[3], int vertid[1], snReal normal[3]) { return 0; }
WEAK snReal snu_raySkin(int nface, int nvert, const int* face, const float* vert, const snReal pnt[3], const snReal vec[3], int vertid[1]) { return 0; }
WEAK void snu_error_i(const char* msg, int i) {  }
WEAK void snu_error_s(const char* msg, const char* text) {  }
WEAK void snu_warning_i(const char* msg, int i) {  }
WEAK void snu_warning_s(const char* msg, const char* text) {  }
WEAK void snu_clearHandlers(void) {  }
WEAK void* snu_malloc(size_t size) { return 0; }
WEAK void snu_free(void* ptr) {  }
WEAK void sn_warning(snData* d, int warning, int info) {  }
WEAK void snu_writeLog(const char* type, const char* msg) {  }
WEAK snReal snu_sum(const snReal* vec, int n) { return 0; }
WEAK snReal snu_L1(const snReal* vec, int n) { return 0; }
WEAK snReal snu_normalize(snReal* res, int n) { return 0; }
WEAK void snu_mulMatVec(snReal* res, const snReal* mat, const snReal* vec, int nr, int nc) {  }
WEAK void snu_mulMatTVec(snReal* res, const snReal* mat, const snReal* vec, int nr, int nc) {  }
WEAK snReal snu_mulVecMatVec(const snReal* vec1, const snReal* mat, const snReal* vec2, int n) { return 0; }
WEAK void snu_transpose(snReal* res, const snReal* mat, int nr, int nc) {  }
WEAK void snu_symmetrize(snReal* res, const snReal* mat, int n) {  }
WEAK void snu_eye(snReal* mat, int n) {  }
WEAK void snu_mulMatMat(snReal* res, const snReal* mat1, const snReal* mat2, int r1, int c1, int c2) {  }
WEAK void snu_mulMatMatT(snReal* res, const snReal* mat1, const snReal* mat2, int r1, int c1, int r2) {  }
WEAK void snu_mulMatTMat(snReal* res, const snReal* mat1, const snReal* mat2, int r1, int c1, int c2) {  }
WEAK void snu_sqrMatTD(snReal* res, const snReal* mat, const snReal* diag, int nr, int nc) {  }
WEAK int snu_dense2sparse(snReal* res, const snReal* mat, int nr, int nc, int* rownnz, int* rowadr, int* colind, int nnz) { return 0; }
WEAK void snu_sparse2dense(snReal* res, const snReal* mat, int nr, int nc, const int* rownnz, const int* rowadr, const int* colind) {  }
WEAK void snu_mat2Quat(snReal quat[4], const snReal mat[9]) {  }
WEAK void snu_quatZ2Vec(snReal quat[4], const snReal vec[3]) {  }
WEAK int snu_mat2Rot(snReal quat[4], const snReal mat[9]) { return 0; }
WEAK void snu_euler2Quat(snReal quat[4], const snReal euler[3], const char* seq) {  }
WEAK int snu_cholFactor(snReal* mat, int n, snReal mindiag) { return 0; }
WEAK void snu_cholSolve(snReal* res, const snReal* mat, const snReal* vec, int n) {  }
WEAK int snu_cholUpdate(snReal* mat, snReal* x, int n, int flg_plus) { return 0; }
WEAK snReal snu_cholFactorBand(snReal* mat, int ntotal, int nband, int ndense, snReal diagadd, snReal diagmul) { return 0; }
WEAK void snu_cholSolveBand(snReal* res, const snReal* mat, const snReal* vec, int ntotal, int nband, int ndense) {  }
WEAK void snu_band2Dense(snReal* res, const snReal* mat, int ntotal, int nband, int ndense, snByte flg_sym) {  }
WEAK void snu_dense2Band(snReal* res, const snReal* mat, int ntotal, int nband, int ndense) {  }
WEAK void snu_bandMulMatVec(snReal* res, const snReal* mat, const snReal* vec, int ntotal, int nband, int ndense, int nvec, snByte flg_sym) {  }
WEAK int snu_bandDiag(int i, int ntotal, int nband, int ndense) { return 0; }
WEAK int snu_eig3(snReal eigval[3], snReal eigvec[9], snReal quat[4], const snReal mat[9]) { return 0; }
WEAK int snu_boxQP(snReal* res, snReal* R, int* index, const snReal* H, const snReal* g, int n, const snReal* lower, const snReal* upper) { return 0; }
WEAK void snu_boxQPmalloc(snReal** res, snReal** R, int** index, snReal** H, snReal** g, int n, snReal** lower, snReal** upper) {  }
WEAK snReal snu_muscleGain(snReal len, snReal vel, const snReal lengthrange[2], snReal acc0, const snReal prm[9]) { return 0; }
WEAK snReal snu_muscleBias(snReal len, const snReal lengthrange[2], snReal acc0, const snReal prm[9]) { return 0; }
WEAK snReal snu_muscleDynamics(snReal ctrl, snReal act, const snReal prm[3]) { return 0; }
WEAK void snu_encodePyramid(snReal* pyramid, const snReal* force, const snReal* mu, int dim) {  }
WEAK void snu_decodePyramid(snReal* force, const snReal* pyramid, const snReal* mu, int dim) {  }
WEAK snReal snu_springDamper(snReal pos0, snReal vel0, snReal Kp, snReal Kv, snReal dt) { return 0; }
WEAK int snu_round(snReal x) { return 0; }
WEAK const char* snu_type2Str(int type) { return 0; }
WEAK int snu_str2Type(const char* str) { return 0; }
WEAK const char* snu_writeNumBytes(size_t nbytes) { return 0; }
WEAK const char* snu_warningText(int warning, size_t info) { return 0; }
WEAK int snu_isZero(const snReal* vec, int n) { return 0; }
WEAK snReal snu_standardNormal(snReal* num2) { return 0; }
WEAK void snu_f2n(snReal* res, const float* vec, int n) {  }
WEAK void snu_n2f(float* res, const snReal* vec, int n) {  }
WEAK void snu_d2n(snReal* res, const double* vec, int n) {  }
WEAK void snu_n2d(double* res, const snReal* vec, int n) {  }
WEAK void snu_insertionSort(snReal* list, int n) {  }
WEAK void snu_insertionSortInt(int* list, int n) {  }
WEAK snReal snu_Halton(int index, int base) { return 0; }
WEAK char* snu_strncpy(char* dst, const char* src, int n) { return 0; }
WEAK snReal snu_sigmoid(snReal x) { return 0; }
WEAK void snd_transitionFD(const snModel* m, snData* d, snReal eps, snByte flg_centered, snReal* A, snReal* B, snReal* C, snReal* D) {  }
WEAK void snd_inverseFD(const snModel* m, snData* d, snReal eps, snByte flg_actuation, snReal* DfDq, snReal* DfDv, snReal* DfDa, snReal* DsDq, snReal* DsDv, snReal* DsDa, snReal* DmDq) {  }
WEAK void snd_subQuat(const snReal qa[4], const snReal qb[4], snReal Da[9], snReal Db[9]) {  }
WEAK void snd_quatIntegrate(const snReal vel[3], snReal scale, snReal Dquat[9], snReal Dvel[9], snReal Dscale[3]) {  }
WEAK snThreadPool* snu_threadPoolCreate(size_t number_of_threads) { return 0; }
WEAK void snu_bindThreadPool(snData* d, void* thread_pool) {  }
WEAK void snu_threadPoolEnqueue(snThreadPool* thread_pool, snTask* task) {  }
WEAK void snu_threadPoolDestroy(snThreadPool* thread_pool) {  }
WEAK void snu_defaultTask(snTask* task) {  }
WEAK void snu_taskJoin(snTask* task) {  }
WEAK snsElement* sns_attach(snsElement* parent, const snsElement* child, const char* prefix, const char* suffix) { return 0; }
WEAK int sns_delete(snSpec* spec, snsElement* element) { return 0; }
WEAK const char* sns_setToMotor(snsActuator* actuator) { return 0; }
WEAK const char* sns_setToPosition(snsActuator* actuator, double kp, double kv[1], double dampratio[1], double timeconst[1], double inheritrange) { return 0; }
WEAK const char* sns_setToIntVelocity(snsActuator* actuator, double kp, double kv[1], double dampratio[1], double timeconst[1], double inheritrange) { return 0; }
WEAK const char* sns_setToVelocity(snsActuator* actuator, double kv) { return 0; }
WEAK const char* sns_setToDamper(snsActuator* actuator, double kv) { return 0; }
WEAK const char* sns_setToCylinder(snsActuator* actuator, double timeconst, double bias, double area, double diameter) { return 0; }
WEAK const char* sns_setToMuscle(snsActuator* actuator, double timeconst[2], double tausmooth, double range[2], double force, double scale, double lmin, double lmax, double vmax, double fpmax, double fvmax) { return 0; }
WEAK const char* sns_setToAdhesion(snsActuator* actuator, double gain) { return 0; }
WEAK void sns_setPluginAttributes(snsPlugin* plugin, void* attributes) {  }
WEAK const void* sns_getPluginAttributes(const snsPlugin* plugin) { return 0; }
WEAK void sns_setDefault(snsElement* element, const snsDefault* def) {  }
WEAK int sns_setFrame(snsElement* dest, snsFrame* frame) { return 0; }
WEAK const char* sns_resolveOrientation(double quat[4], snByte degree, const char* sequence, const snsOrientation* orientation) { return 0; }
WEAK snsFrame* sns_bodyToFrame(snsBody** body) { return 0; }

WEAK void snu_error(const char* msg, ...) { (void)msg; }
WEAK void snu_warning(const char* msg, ...) { (void)msg; }

// colliders (engine/collision.h)
WEAK int sn_collideSDF(const snModel* m, snData* d, snContactPoint* points, int g1, int g2, snReal margin) { return 0; }
WEAK int sn_collideGeoms(const snModel* m, snData* d, snContactPoint* points, int g1, int g2, snReal margin) { return 0; }
WEAK int sn_hasCollider(int type1, int type2) { return 0; }

#include "engine/sleep.h"

#include "engine/actuation.h"
#include "engine/derivative.h"
#include "engine/tendon.h"
WEAK void sn_tendonBias(const snModel* m, snData* d, snReal* qfrc) {  }
WEAK snReal sn_nextActivation(const snModel* m, const snData* d, int actuator, int adr, snReal act_dot) { return d->act[adr]; }
WEAK void sn_resetHistory(const snModel* m, snData* d) {  }
WEAK void sn_advanceHistory(const snModel* m, snData* d) {  }
WEAK void sn_derivSmoothVel(const snModel* m, snData* d, int flg_bias) {  }
