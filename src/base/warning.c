// Warnings of a step: counted in the data, reported once.

#include "base/warning.h"
#include "base/team.h"

static void count(snData* d, int warning, int info, const char* name) {
  int first = d->warning[warning].number == 0;
  d->warning[warning].lastinfo = info;
  d->warning[warning].number++;
  d->status |= 1 << warning;
  if (!first) return;
  const char *text = snu_warningText(warning, (size_t)info), *named = *name ? " Its name is " : "";
  snu_warning("%s%s%s%s Time = %.4f.", text, named, name, *name ? "." : "", (double)d->time);
}

void sn_warning(snData* d, int warning, int info) { sn_warningNamed(d, warning, info, ""); }

// a team warns once
void sn_warningNamed(snData* d, int warning, int info, const char* name) {
  if (warning < 0 || warning >= snNWARNING) {
    snu_error("sn_warning: invalid warning type %d", warning);
    return;
  }
  SN_ONE count(d, warning, info, name);
}
