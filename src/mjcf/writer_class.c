// Writing default classes: what each of them changes in the class around it.

#include "mjcf/writer.h"

typedef void (*WritePart)(snWriter* w, snPart part);

static const struct {
  snObj type;
  const char* tag;
  WritePart write;
} kParts[] = {{snOBJ_MESH, "mesh", sn_writeMeshPart},
              {snOBJ_MATERIAL, "material", sn_writeMaterialPart},
              {snOBJ_JOINT, "joint", sn_writeJointPart},
              {snOBJ_GEOM, "geom", sn_writeGeomPart},
              {snOBJ_SITE, "site", sn_writeSitePart},
              {snOBJ_CAMERA, "camera", sn_writeCameraPart},
              {snOBJ_LIGHT, "light", sn_writeLightPart},
              {snOBJ_PAIR, "pair", sn_writePairPart},
              {snOBJ_EQUALITY, "equality", sn_writeEqualityPart},
              {snOBJ_TENDON, "tendon", sn_writeTendonPart},
              {snOBJ_ACTUATOR, "general", sn_writeActuatorPart}};

static void openClass(snWriter* w, const snElem* def) {
  const snElem* parent = def->parent ? def->parent : w->base;
  sn_writeOpen(w, "default");
  if (def->parent || !sn_stringIs(&def->name, "main")) {
    sn_writeText(w, "class", sn_elemName(def));
  }
  for (size_t i = 0; i < sizeof(kParts) / sizeof(kParts[0]); i++) {
    const void* object = sn_classDummy(def, kParts[i].type)->object;
    const void* reference = sn_classDummy(parent, kParts[i].type)->object;
    sn_writeOpen(w, kParts[i].tag);
    snPart part = {NULL, object, reference};
    if (w->source && sn_isTreeType(kParts[i].type)) {
      sn_writeSourcePart(w, kParts[i].type, part);
    } else {
      kParts[i].write(w, part);
    }
    sn_writeClose(w, kParts[i].tag);
  }
}

void sn_writeClasses(snWriter* w) {
  const snElem* def = sn_specData(w->spec)->main;
  openClass(w, def);
  for (;;) {
    if (def->lists->first) {
      def = def->lists->first;
      openClass(w, def);
      continue;
    }
    while (def && !def->next) {
      sn_writeClose(w, "default");
      def = def->parent;
    }
    if (!def) return;
    sn_writeClose(w, "default");
    def = def->next;
    openClass(w, def);
  }
}
