// Warnings of a step: counted in the data, reported once.

#include "base/team.h"
#include "sinew/sinew.h"

static void count(snData* d, int warning, int info) {
  int first = d->warning[warning].number == 0;
  d->warning[warning].lastinfo = info;
  d->warning[warning].number++;
  d->status |= 1 << warning;
  if (first)
    snu_warning("%s Time = %.4f.", snu_warningText(warning, (size_t)info), (double)d->time);
}

// a team warns once
void sn_warning(snData* d, int warning, int info) {
  if (warning < 0 || warning >= snNWARNING) {
    snu_error("sn_warning: invalid warning type %d", warning);
    return;
  }
  SN_ONE count(d, warning, info);
}
