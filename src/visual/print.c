// Scenes as text.

#include <stdio.h>
#include <string.h>

#include "model/print.h"
#include "sinew/sinew.h"
#include "sinew/visual.h"
#include "visual/names.h"

#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static void printFloats(const snPrinter* p, const char* indent, const char* name, const float* x,
                        int n) {
  fprintf(p->file, "%s%-16s ", indent, name);
  for (int i = 0; i < n; i++) {
    fprintf(p->file, p->format, (double)x[i]);
    if (n > 1) fputc(' ', p->file);
  }
  fputc('\n', p->file);
}

static void printInt(const snPrinter* p, const char* name, int value) {
  fprintf(p->file, "    %-16s  %d\n", name, value);
}

static void printGeom(const snPrinter* p, const snvGeom* geom, int i) {
  fprintf(p->file, "  GEOM %d\n", i);
  printInt(p, "type", geom->type);
  printInt(p, "category", geom->category);
  fprintf(p->file, "    %-16s %s\n", "label", geom->label);
  printInt(p, "objtype", geom->objtype);
  printInt(p, "objid", geom->objid);
  printFloats(p, "    ", "pos", geom->pos, 3);
  printFloats(p, "    ", "mat", geom->mat, 9);
  printFloats(p, "    ", "size", geom->size, 3);
  printInt(p, "segid", geom->segid);
  printInt(p, "dataid", geom->dataid);
  printInt(p, "matid", geom->matid);
  printInt(p, "texcoord", geom->texcoord);
  printFloats(p, "    ", "rgba", geom->rgba, 4);
  printFloats(p, "    ", "emission", &geom->emission, 1);
  printFloats(p, "    ", "specular", &geom->specular, 1);
  printFloats(p, "    ", "shininess", &geom->shininess, 1);
  printFloats(p, "    ", "reflectance", &geom->reflectance, 1);
  fputc('\n', p->file);
}

static void printLight(const snPrinter* p, const snvLight* light, int i) {
  fprintf(p->file, "  LIGHT %d\n", i);
  printInt(p, "id", light->id);
  printFloats(p, "    ", "pos", light->pos, 3);
  printFloats(p, "    ", "dir", light->dir, 3);
  printInt(p, "type", light->type);
  printInt(p, "castshadow", light->castshadow);
  printInt(p, "headlight", light->headlight);
  printFloats(p, "    ", "intensity", &light->intensity, 1);
  printFloats(p, "    ", "range", &light->range, 1);
  printFloats(p, "    ", "ambient", light->ambient, 3);
  printFloats(p, "    ", "diffuse", light->diffuse, 3);
  printFloats(p, "    ", "specular", light->specular, 3);
  printInt(p, "texid", light->texid);
  printFloats(p, "    ", "exponent", &light->exponent, 1);
  printFloats(p, "    ", "attenuation", light->attenuation, 3);
  printFloats(p, "    ", "cutoff", &light->cutoff, 1);
  printFloats(p, "    ", "bulbradius", &light->bulbradius, 1);
  fputc('\n', p->file);
}

static void printCamera(const snPrinter* p, const snvGLCamera* camera, int i) {
  fprintf(p->file, "  CAMERA %d\n", i);
  printFloats(p, "    ", "pos", camera->pos, 3);
  printFloats(p, "    ", "forward", camera->forward, 3);
  printFloats(p, "    ", "up", camera->up, 3);
  printInt(p, "orthographic", camera->orthographic);
  printFloats(p, "    ", "frustum_center", &camera->frustum_center, 1);
  printFloats(p, "    ", "frustum_width", &camera->frustum_width, 1);
  printFloats(p, "    ", "frustum_bottom", &camera->frustum_bottom, 1);
  printFloats(p, "    ", "frustum_top", &camera->frustum_top, 1);
  printFloats(p, "    ", "frustum_near", &camera->frustum_near, 1);
  printFloats(p, "    ", "frustum_far", &camera->frustum_far, 1);
  fputc('\n', p->file);
}

static void printFlexes(const snPrinter* p, const snvScene* s) {
  static const char* const kBuffers[] = {"edges", "verts", "faces", "normals", "texcoords"};
  fprintf(p->file, "\nFLEX DATA %d\n", s->nflex);
  for (int i = 0; i < s->nflex; i++) {
    fprintf(p->file, "  FLEX DATA %d\n", i);
    printInt(p, "face_used", s->flexfaceused[i]);
    printInt(p, "edge_adr", s->flexedgeadr[i]);
    printInt(p, "edge_num", s->flexedgenum[i]);
    printInt(p, "vert_adr", s->flexvertadr[i]);
    printInt(p, "vert_num", s->flexvertnum[i]);
    printInt(p, "face_adr", s->flexfaceadr[i]);
    printInt(p, "face_num", s->flexfacenum[i]);
    for (int k = 0; k < 5; k++) fprintf(p->file, "    %-16s ...\n", kBuffers[k]);
    fputc('\n', p->file);
  }
}

static void printSkins(const snPrinter* p, const snvScene* s) {
  fprintf(p->file, "\nSKIN DATA %d\n", s->nskin);
  for (int i = 0; i < s->nskin; i++) {
    fprintf(p->file, "  SKIN DATA %d\n", i);
    printInt(p, "face_num", s->skinfacenum[i]);
    printInt(p, "vert_adr", s->skinvertadr[i]);
    printInt(p, "vert_num", s->skinvertnum[i]);
    fprintf(p->file, "    %-16s ...\n    %-16s ...\n\n", "verts", "normals");
  }
  fputc('\n', p->file);
}

static void printFlags(const snPrinter* p, const snvScene* s) {
  static const char* const kRender[snNRNDFLAG][3] = {SN_RENDER_NAMES};
  fprintf(p->file, "FLAGS\n");
  for (int i = 0; i < snNRNDFLAG; i++) {
    fprintf(p->file, "  %-20s  %d\n", kRender[i][0], s->flags[i]);
  }
  fprintf(p->file, "  %-18s  %d\n  %-18s  %d\n  %-18s  %d\n  %-18s  %d\n  %-18s  %d\n\n\n",
          "flexvertopt", s->flexvertopt, "flexedgeopt", s->flexedgeopt, "flexfaceopt",
          s->flexfaceopt, "flexskinopt", s->flexskinopt, "stereo", s->stereo);
  fprintf(p->file, "TRANSFORM %d\n", s->enabletransform);
  if (s->enabletransform) {
    printFloats(p, "  ", "translate  ", s->translate, 3);
    printFloats(p, "  ", "rotate     ", s->rotate, 4);
    printFloats(p, "  ", "scale      ", &s->scale, 1);
    fputc('\n', p->file);
  }
  fputc('\n', p->file);
}

void sn_printFormattedScene(const snvScene* s, const char* filename, const char* float_format) {
  snPrinter printer, *p = &printer;
  if (!sn_openPrinter(p, filename, float_format)) return;
  fprintf(p->file, "GEOMS %d\n", s->ngeom);
  for (int i = 0; i < s->ngeom; i++) printGeom(p, s->geoms + i, i);
  fprintf(p->file, "\nLIGHTS %d\n", s->nlight);
  for (int i = 0; i < s->nlight; i++) printLight(p, s->lights + i, i);
  fprintf(p->file, "\nCAMERAS 2\n");
  for (int i = 0; i < 2; i++) printCamera(p, s->camera + i, i);
  printFlexes(p, s);
  printSkins(p, s);
  printFlags(p, s);
  sn_closePrinter(p);
}

void sn_printScene(const snvScene* s, const char* filename) {
  sn_printFormattedScene(s, filename, sn_defaultFormat);
}
