// A library in single precision has no batches on a GPU: these take the place of the real ones.

#include "base/error.h"
#include "sinew/gpu.h"

const char* sn_gpuName(char* error, int error_sz) {
  sn_formatError(error, error_sz, "this library was built in single precision, without GPUs");
  return NULL;
}

snGpuBatch* sn_makeGpuBatch(const snModel* m, int nworld, int single, char* error, int error_sz) {
  (void)m, (void)nworld, (void)single;
  sn_gpuName(error, error_sz);
  return NULL;
}

void sn_deleteGpuBatch(snGpuBatch* b) { (void)b; }
void sn_gpuBatchSetKeyframe(snGpuBatch* b, int keyframe) { (void)b, (void)keyframe; }
void sn_gpuRelease(uint64_t memory) { (void)memory; }
const char* sn_gpuRefusal(const snModel* m) { return (void)m, "anything"; }

snSize sn_gpuBytes(const snModel* m, int nworld, int single) {
  return (void)m, (void)nworld, (void)single, -1;
}

// never called: there is no batch
#define ABSENT(type, name, parameters, value) \
  type name parameters { return value; }
#define B snGpuBatch* b
#define USE (void)b,
ABSENT(int, sn_gpuBatchStep, (B, int nstep, const snReal* ctrl), (USE(void) nstep, (void)ctrl, -1))
ABSENT(int, sn_gpuBatchStepWorlds, (B, const int* list, int count, int nstep, const snReal* ctrl),
       (USE(void) list, (void)count, (void)nstep, (void)ctrl, -1))
ABSENT(int, sn_gpuBatchForward, (B), (USE - 1))
ABSENT(int, sn_gpuBatchForwardWorlds, (B, const int* list, int n), (USE(void) list, (void)n, -1))
ABSENT(int, sn_gpuBatchRnePostConstraint, (B), (USE - 1))
ABSENT(int, sn_gpuBatchTransition,
       (B, snReal eps, int centered, uint64_t dx, uint64_t du, int* status),
       (USE(void) eps, (void)centered, (void)dx, (void)du, (void)status, -1))
ABSENT(int, sn_gpuBatchReset, (B, const snByte* mask, int keyframe),
       (USE(void) mask, (void)keyframe, -1))
ABSENT(int, sn_gpuBatchGetState, (B, snReal* state, int sig), (USE(void) state, (void)sig, -1))
ABSENT(int, sn_gpuBatchSetState, (B, const snReal* state, int sig),
       (USE(void) state, (void)sig, -1))
ABSENT(int, sn_gpuBatchCounts, (B, int* counts), (USE(void) counts, -1))
ABSENT(int, sn_gpuBatchContacts, (B, int room, int* geoms, snReal* distances),
       (USE(void) room, (void)geoms, (void)distances, -1))
ABSENT(const int*, sn_gpuBatchStatus, (const B), (USE NULL))
ABSENT(const int*, sn_gpuBatchFailures, (const B), (USE NULL))
ABSENT(const int*, sn_gpuBatchAges, (const B), (USE NULL))
ABSENT(int, sn_gpuBatchField, (B, const char* name, snBatchView* view),
       (USE(void) name, (void)view, 0))
ABSENT(int, sn_gpuBatchGeneration, (const B), (USE 0))
ABSENT(int, sn_gpuBatchModelField, (B, const char* name, snBatchView* view),
       (USE(void) name, (void)view, 0))
ABSENT(int, sn_gpuBatchOwns, (const B, const char* name), (USE(void) name, 0))
ABSENT(int, sn_gpuBatchRead, (const B, const snBatchView* view, void* values),
       (USE(void) view, (void)values, -1))
ABSENT(int, sn_gpuBatchWrite, (const B, const snBatchView* view, const void* values),
       (USE(void) view, (void)values, -1))
ABSENT(int, sn_gpuBatchStepAt, (B, int nstep, uint64_t ctrl), (USE(void) nstep, (void)ctrl, -1))
ABSENT(int, sn_gpuBatchStepOn, (B, int nstep, uint64_t ctrl, uint64_t stream),
       (USE(void) nstep, (void)ctrl, (void)stream, -1))
ABSENT(int, sn_gpuBatchResetOn, (B, uint64_t mask, int keyframe, uint64_t stream),
       (USE(void) mask, (void)keyframe, (void)stream, -1))
ABSENT(int, sn_gpuBatchForwardOn, (B, uint64_t stream), (USE(void) stream, -1))
ABSENT(int, sn_gpuBatchRnePostConstraintOn, (B, uint64_t stream), (USE(void) stream, -1))
ABSENT(int, sn_gpuBatchReadAt, (const B, const snBatchView* view, uint64_t address, int64_t pitch),
       (USE(void) view, (void)address, (void)pitch, -1))
ABSENT(int, sn_gpuBatchWriteAt, (const B, const snBatchView* view, uint64_t address, int64_t pitch),
       (USE(void) view, (void)address, (void)pitch, -1))
ABSENT(uint64_t, sn_gpuReserve, (B, size_t bytes), (USE(void) bytes, 0))
ABSENT(snSize, sn_gpuBatchBytes, (const B), (USE 0))
