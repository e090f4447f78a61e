// Public functions that are declared and not yet written: each vanishes when its owner defines it.

#include "engine/collision.h"
#include "sinew/sinew.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

#define WEAK __attribute__((weak))

WEAK int sn_copyBack(snSpec* s, const snModel* m) { return 0; }
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
WEAK void sn_printFormattedModel(const snModel* m, const char* filename, const char* float_format) {  }
WEAK void sn_printModel(const snModel* m, const char* filename) {  }
WEAK void sn_printFormattedData(const snModel* m, const snData* d, const char* filename, const char* float_format) {  }
WEAK void sn_printData(const snModel* m, const snData* d, const char* filename) {  }
WEAK void snu_printMat(const snReal* mat, int nr, int nc) {  }
WEAK void snu_printMatSparse(const snReal* mat, int nr, const int* rownnz, const int* rowadr, const int* colind) {  }
WEAK void sn_fwdKinematics(const snModel* m, snData* d) {  }
WEAK void sn_fwdPosition(const snModel* m, snData* d) {  }
WEAK void sn_fwdVelocity(const snModel* m, snData* d) {  }
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
WEAK void sn_island(const snModel* m, snData* d) {  }
WEAK void sn_projectConstraint(const snModel* m, snData* d) {  }
WEAK int sn_stateSize(const snModel* m, int sig) { return 0; }
WEAK void sn_getState(const snModel* m, const snData* d, snReal* state, int sig) {  }
WEAK void sn_extractState(const snModel* m, const snReal* src, int srcsig, snReal* dst, int dstsig) {  }
WEAK void sn_setState(const snModel* m, snData* d, const snReal* state, int sig) {  }
WEAK void sn_copyState(const snModel* m, const snData* src, snData* dst, int sig) {  }
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
WEAK void snd_transitionFD(const snModel* m, snData* d, snReal eps, snByte flg_centered, snReal* A, snReal* B, snReal* C, snReal* D) {  }
WEAK void snd_inverseFD(const snModel* m, snData* d, snReal eps, snByte flg_actuation, snReal* DfDq, snReal* DfDv, snReal* DfDa, snReal* DsDq, snReal* DsDv, snReal* DsDa, snReal* DmDq) {  }
WEAK snThreadPool* snu_threadPoolCreate(size_t number_of_threads) { return 0; }
WEAK void snu_bindThreadPool(snData* d, void* thread_pool) {  }
WEAK void snu_threadPoolEnqueue(snThreadPool* thread_pool, snTask* task) {  }
WEAK void snu_threadPoolDestroy(snThreadPool* thread_pool) {  }
WEAK void snu_defaultTask(snTask* task) {  }
WEAK void snu_taskJoin(snTask* task) {  }
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

#include "engine/sleep.h"

#include "engine/actuation.h"
#include "engine/derivative.h"
#include "engine/tendon.h"
WEAK void sn_flexPassive(const snModel* m, snData* d, int hasSpring, int hasDamper) {  }
WEAK void sn_flexPassiveContacts(const snModel* m, snData* d) {  }
WEAK void sn_computeSensor(const snModel* m, snData* d, int sensor, snReal* result) {  }
