// libFuzzer target: the reader and the compiler on arbitrary bytes (clang, -fsanitize=fuzzer).

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/sinew.h"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  char error[500] = "";
  char* text = (char*)malloc(size + 1);
  if (!text) return 0;
  memcpy(text, bytes, size);
  text[size] = 0;
  snSpec* spec = sn_parseXMLString(text, NULL, error, sizeof(error));
  free(text);
  if (!spec && !error[0]) abort();  // refused without a message
  snModel* m = spec ? sn_compile(spec, NULL) : NULL;
  sn_deleteModel(m);
  sn_deleteSpec(spec);
  return 0;
}
