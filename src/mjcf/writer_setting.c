// Writing what is set for the whole model.

#include <string.h>

#include "mjcf/writer.h"

#define GROUPS(...) ((const snAttr* const[]){__VA_ARGS__, NULL})

// folder with the slash that paths are put behind
static void writeFolder(snWriter* w, const char* name, const snString* folder) {
  snString path = {0};
  if (sn_stringEmpty(folder)) return;
  sns_setString(&path, sns_getString(folder));
  char last = path.data ? path.data[path.size - 1] : 0;
  if (last != '/' && last != '\\') sn_stringAppend(&path, "/", 1);
  sn_writeName(w, name, &path);
  sn_boxFree((snBox*)&path, snBOX_STRING);
}

static void writeCompiler(snWriter* w) {
  const snsCompiler* compiler = &w->spec->compiler;
  sn_writeOpen(w, "compiler");
  if (w->source) {
    sn_writeSourceCompiler(w);
  } else {
    sn_writeText(w, "angle", "radian");
    writeFolder(w, "meshdir", compiler->meshdir);
    writeFolder(w, "texturedir", compiler->texturedir);
    sn_writeList(w, GROUPS(sn_attrCompiler),
                 "usethread boundmass boundinertia alignfree autolimits", compiler,
                 &w->plain->compiler);
  }
  sn_writeClose(w, "compiler");
}

static void writeOption(snWriter* w) {
  const snOption* option = &w->sizes->option;
  const snOption* plain = &w->plain->option;
  sn_writeOpen(w, "option");
  sn_writeList(w, GROUPS(sn_attrOption),
               "timestep impratio tolerance ls_tolerance noslip_tolerance ccd_tolerance "
               "sleep_tolerance gravity wind magnetic density viscosity o_margin o_solref o_solimp "
               "o_friction integrator cone jacobian solver iterations ls_iterations "
               "noslip_iterations ccd_iterations sdf_iterations sdf_initpoints sinew:solver",
               option, plain);
  int groups[31], count = 0;
  for (int i = 0; i < 31; i++) {
    if (option->disableactuator & (1 << i)) groups[count++] = i;
  }
  if (count) sn_writeInts(w, "actuatorgroupdisable", groups, count);
  int repeats = w->spec->deformable_repeats;
  if (repeats != w->plain->deformable_repeats) {
    sn_writeInts(w, "sinew:deformable_repeats", &repeats, 1);
  }
  if (w->spec->xpbd_substeps != w->plain->xpbd_substeps) {
    sn_writeInts(w, "sinew:xpbd_substeps", &w->spec->xpbd_substeps, 1);
  }
  if (w->spec->xpbd_compliance != w->plain->xpbd_compliance) {
    sn_writeNumbers(w, "sinew:xpbd_compliance", &w->spec->xpbd_compliance, 1);
  }
  sn_writeOpen(w, "flag");
  sn_writeAll(w, sn_attrFlag, option, plain);
  sn_writeClose(w, "flag");
  sn_writeClose(w, "option");
}

static void writeSize(snWriter* w) {
  snSpec plain = *w->plain;
  plain.nuser_body = plain.nuser_jnt = plain.nuser_geom = plain.nuser_site = plain.nuser_cam =
      plain.nuser_tendon = plain.nuser_actuator = plain.nuser_sensor = 0;
  sn_writeOpen(w, "size");
  sn_writeAll(w, sn_attrSize, w->sizes, &plain);
  sn_writeClose(w, "size");
}

static void writeVisual(snWriter* w) {
  sn_writeOpen(w, "visual");
  for (const snVisualPart* part = sn_visualParts; part->name; part++) {
    sn_writeOpen(w, part->name);
    sn_writeAll(w, part->group, &w->sizes->visual, &w->plain->visual);
    sn_writeClose(w, part->name);
  }
  sn_writeClose(w, "visual");
}

void sn_writeSettings(snWriter* w) {
  writeCompiler(w);
  writeOption(w);
  writeSize(w);
  writeVisual(w);
  sn_writeOpen(w, "statistic");
  sn_writeAll(w, sn_attrStatistic, &w->sizes->stat, &w->plain->stat);
  sn_writeClose(w, "statistic");
}
