// Attaching and replicating.

#include "spec/attach.h"

int sn_replicate(snElem* body, snElem* frame, snElem* source, const char* suffix) {
  (void)frame, (void)source, (void)suffix;
  sn_specError(body->spec, 0, "replicate is not supported yet");
  return 0;
}

void sn_endReplicate(snElem* body) { (void)body; }
