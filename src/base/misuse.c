#include "base/misuse.h"

int sn_reportData(const snModel* m, const snData* d, const char* function) {
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
