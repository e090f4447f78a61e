// Public functions that are declared and not yet written: each vanishes when its owner defines it.

#include "engine/collision.h"
#include "sinew/sinew.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

#define WEAK __attribute__((weak))

WEAK int sn_saveXMLString(const snSpec* s, char* xml, int xml_sz, char* error, int error_sz) { return 0; }
WEAK int sn_saveXML(const snSpec* s, const char* filename, char* error, int error_sz) { return 0; }
WEAK snModel* sn_loadModel(const char* filename, const snVFS* vfs) { return 0; }
WEAK void sn_resetCallbacks(void) {  }
WEAK void snu_printMat(const snReal* mat, int nr, int nc) {  }
WEAK void snu_printMatSparse(const snReal* mat, int nr, const int* rownnz, const int* rowadr, const int* colind) {  }
WEAK void sn_sensorPos(const snModel* m, snData* d) {  }
WEAK void sn_sensorVel(const snModel* m, snData* d) {  }
WEAK void sn_sensorAcc(const snModel* m, snData* d) {  }
WEAK void sn_flex(const snModel* m, snData* d) {  }
WEAK const char* sn_getPluginConfig(const snModel* m, int plugin_id, const char* attrib) { return 0; }
WEAK int sn_version(void) { return 0; }
WEAK const char* sn_versionString(void) { return 0; }
WEAK snReal sn_rayFlex(const snModel* m, const snData* d, int flex_layer, snByte flg_vert, snByte flg_edge, snByte flg_face, snByte flg_skin, int flexid, const snReal pnt[3], const snReal vec[3], int vertid[1], snReal normal[3]) { return 0; }
WEAK void snu_warning_i(const char* msg, int i) {  }
WEAK void snu_warning_s(const char* msg, const char* text) {  }
WEAK void snu_clearHandlers(void) {  }
WEAK void snu_writeLog(const char* type, const char* msg) {  }
WEAK snThreadPool* snu_threadPoolCreate(size_t number_of_threads) { return 0; }
WEAK void snu_bindThreadPool(snData* d, void* thread_pool) {  }
WEAK void snu_threadPoolEnqueue(snThreadPool* thread_pool, snTask* task) {  }
WEAK void snu_threadPoolDestroy(snThreadPool* thread_pool) {  }
WEAK void snu_defaultTask(snTask* task) {  }
WEAK void snu_taskJoin(snTask* task) {  }


// colliders (engine/collision.h)

#include "engine/sleep.h"

#include "engine/actuation.h"
#include "engine/derivative.h"
#include "engine/tendon.h"
WEAK void sn_flexPassive(const snModel* m, snData* d, int hasSpring, int hasDamper) {  }
WEAK void sn_flexPassiveContacts(const snModel* m, snData* d) {  }
WEAK void sn_computeSensor(const snModel* m, snData* d, int sensor, snReal* result) {  }
