// libFuzzer target: programs that edit a model. An input is a script of bytes: each operation takes one byte,
// and its arguments from those that follow. Operations work on elements that are there, chosen by number,
// and on those of a second model that is attached in part. Whatever the script does, the spec must compile
// or say why it does not, and be copied, written and deleted.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/sinew.h"

enum { MOST_OPERATIONS = 60, MOST_BODIES = 200 };

typedef struct Script_ {
  const uint8_t* next;
  size_t left;
  snSpec* spec;
  snSpec* other;
  int bodies;
} Script;

static int byte(Script* s) {
  if (!s->left) return 0;
  s->left--;
  return *s->next++;
}

static double number(Script* s) {
  static const double special[] = {0, 1, -1, 1e-12, 1e12, -1e12, 0.0 / 1e300, 1e300};
  int kind = byte(s);
  return kind < 8 ? special[kind] : (kind - 128) / 16.0;
}

// names are few, so that references meet and names repeat
static const char* name(Script* s) {
  static const char* const names[] = {"a", "b", "c", "d", "e", "world", "", "a/b"};
  return names[byte(s) % 8];
}

static snsElement* element(Script* s, snObj type) {
  snsElement* e = sns_firstElement(s->spec, type);
  for (int skip = byte(s) % 8; e && skip; skip--) {
    snsElement* after = sns_nextElement(s->spec, e);
    if (!after) break;
    e = after;
  }
  return e;
}

static snsBody* body(Script* s) {
  snsElement* e = element(s, snOBJ_BODY);
  return e ? sns_asBody(e) : sns_findBody(s->spec, "world");
}

static void numbers(Script* s, double* values, int n) {
  for (int i = 0; i < n; i++) values[i] = number(s);
}

// ---- operations

static void addToTree(Script* s) {
  snsBody* parent = body(s);
  const snsDefault* def = byte(s) % 4 ? NULL : sns_findDefault(s->spec, name(s));
  snsElement* made = NULL;
  if (!parent || s->bodies > MOST_BODIES) return;
  switch (byte(s) % 8) {
    case 0: {
      snsBody* child = sns_addBody(parent, def);
      s->bodies++;
      if (child) numbers(s, child->pos, 3);
      made = child ? child->element : NULL;
      break;
    }
    case 1: {
      snsJoint* joint = sns_addJoint(parent, def);
      if (joint) joint->type = (snJoint)(byte(s) % 5), numbers(s, joint->axis, 3);
      made = joint ? joint->element : NULL;
      break;
    }
    case 2: {
      snsGeom* geom = sns_addGeom(parent, def);
      if (geom) geom->type = (snGeom)(byte(s) % 9), numbers(s, geom->size, 3);
      made = geom ? geom->element : NULL;
      break;
    }
    case 3: {
      snsSite* site = sns_addSite(parent, def);
      if (site) numbers(s, site->size, 3);
      made = site ? site->element : NULL;
      break;
    }
    case 4: {
      snsFrame* frame = sns_addFrame(parent, NULL);
      if (frame) numbers(s, frame->pos, 3), numbers(s, frame->quat, 4);
      made = frame ? frame->element : NULL;
      break;
    }
    case 5: {
      snsCamera* camera = sns_addCamera(parent, def);
      made = camera ? camera->element : NULL;
      break;
    }
    case 6: {
      snsLight* light = sns_addLight(parent, def);
      made = light ? light->element : NULL;
      break;
    }
    default: {
      snsJoint* joint = sns_addFreeJoint(parent);
      made = joint ? joint->element : NULL;
      break;
    }
  }
  if (made && byte(s) % 2) sns_setName(made, name(s));
}

static void addReference(Script* s) {
  switch (byte(s) % 6) {
    case 0: {
      snsActuator* a = sns_addActuator(s->spec, NULL);
      if (!a) return;
      a->trntype = (snTrn)(byte(s) % 7);
      sns_setString(a->target, name(s));
      if (byte(s) % 2) sns_setToMotor(a);
      break;
    }
    case 1: {
      snsSensor* sensor = sns_addSensor(s->spec);
      if (!sensor) return;
      sensor->type = (snSensor)(byte(s) % 52);
      sensor->objtype = (snObj)(byte(s) % 24);
      sns_setString(sensor->objname, name(s));
      sensor->dim = byte(s);
      break;
    }
    case 2: {
      snsEquality* eq = sns_addEquality(s->spec, NULL);
      if (!eq) return;
      eq->type = (snEq)(byte(s) % 8);
      eq->objtype = (snObj)(byte(s) % 8);
      sns_setString(eq->name1, name(s));
      sns_setString(eq->name2, name(s));
      break;
    }
    case 3: {
      snsTendon* tendon = sns_addTendon(s->spec, NULL);
      if (!tendon) return;
      for (int i = byte(s) % 4; i >= 0; i--) {
        int kind = byte(s) % 4;
        if (kind == 0) sns_wrapSite(tendon, name(s));
        if (kind == 1) sns_wrapJoint(tendon, name(s), number(s));
        if (kind == 2) sns_wrapPulley(tendon, number(s));
        if (kind == 3) sns_wrapGeom(tendon, name(s), name(s));
      }
      break;
    }
    case 4: {
      snsKey* key = sns_addKey(s->spec);
      double values[16];
      numbers(s, values, 16);
      if (key) sns_setDouble(key->qpos, values, byte(s) % 17);
      break;
    }
    default: {
      snsExclude* exclude = sns_addExclude(s->spec);
      if (!exclude) return;
      sns_setString(exclude->bodyname1, name(s));
      sns_setString(exclude->bodyname2, name(s));
      break;
    }
  }
}

static void addAsset(Script* s) {
  double parameters[4];
  numbers(s, parameters, 4);
  snsMesh* mesh = sns_addMesh(s->spec, NULL);
  if (!mesh) return;
  sns_setName(mesh->element, name(s));
  if (byte(s) % 2) {
    sns_makeMesh(mesh, (snMeshBuiltin)(byte(s) % 10), parameters, byte(s) % 5);
  } else {
    float vertex[24];
    for (int i = 0; i < 24; i++) vertex[i] = (float)number(s);
    sns_setFloat(mesh->uservert, vertex, byte(s) % 25);
  }
}

static void attach(Script* s) {
  snsElement* child = sns_firstElement(s->other, byte(s) % 2 ? snOBJ_BODY : snOBJ_FRAME);
  snsBody* parent = body(s);
  if (!child || !parent || s->bodies > MOST_BODIES) return;
  s->bodies += 20;
  if (byte(s) % 2) {
    snsFrame* frame = sns_addFrame(parent, NULL);
    if (frame) sns_attach(frame->element, child, name(s), name(s));
  } else {
    sns_attach(parent->element, child, name(s), name(s));
  }
}

static void compile(Script* s) {
  snModel* m = sn_compile(s->spec, NULL);
  if (!m && !sns_getError(s->spec)[0]) abort();  // refused without a message
  snData* d = m ? sn_makeData(m) : NULL;
  if (d) sn_step(m, d);
  sn_deleteData(d);
  sn_deleteModel(m);
}

static void operate(Script* s) {
  snObj type;
  switch (byte(s) % 9) {
    case 0:
    case 1: addToTree(s); break;
    case 2: addReference(s); break;
    case 3: addAsset(s); break;
    case 4: attach(s); break;
    case 5: {
      type = (snObj)(byte(s) % 26);
      snsElement* e = element(s, type);
      if (e) sns_delete(s->spec, e);
      break;
    }
    case 6: {
      snsDefault* def = sns_addDefault(s->spec, name(s), NULL);
      if (def) numbers(s, def->geom->size, 3);
      break;
    }
    case 7: {
      snSpec* copy = sn_copySpec(s->spec);
      if (!copy) break;
      sn_deleteSpec(s->spec);
      s->spec = copy;
      break;
    }
    default: compile(s); break;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  static const char part[] =
      "<mujoco><default><default class='d'><geom size='.3'/></default></default><worldbody>"
      "<frame name='f'><body name='p' childclass='d'><joint name='a'/><geom name='b'/><site "
      "name='c'/>"
      "<body name='q'><freejoint/><geom/></body></body></frame></worldbody>"
      "<actuator><motor name='m' joint='a'/></actuator><sensor><gyro site='c'/></sensor>"
      "<keyframe><key name='k'/></keyframe></mujoco>";
  char error[300];
  Script s = {bytes, size, sn_makeSpec(), sn_parseXMLString(part, NULL, error, sizeof(error)), 0};
  if (s.spec) s.spec->memory = 1 << 20;  // a large arena takes the sanitizer long to poison
  for (int i = 0; s.spec && s.other && s.left && i < MOST_OPERATIONS; i++) operate(&s);
  if (s.spec && s.other) {
    compile(&s);
    char* text = (char*)malloc(1 << 20);
    if (text) sn_saveXMLString(s.spec, text, 1 << 20, error, sizeof(error));
    free(text);
  }
  sn_deleteSpec(s.spec);
  sn_deleteSpec(s.other);
  return 0;
}
