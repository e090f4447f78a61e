#include "base/misuse.h"

int sn_reportData(const snModel* m, const snData* d, const char* function) {
  // models from binary files have no signature: they are trusted
  if (m && d && (!m->signature || !d->signature)) return 1;
  snu_error("%s: %s", function,
            !m   ? "the model is NULL"
            : !d ? "the data is NULL"
                 : "the data was made for another model");
  return 0;
}

int sn_reportIndex(snSize index, snSize count, const char* function) {
  snu_error("%s: index %lld is out of range, there are %lld", function, (long long)index,
            (long long)count);
  return 0;
}
