// Attaching by reference: a program's handles go along.
//
// An attachment copies. Where the model that is attached does not keep its elements, its program
// expects the elements themselves in the other model, so that what it holds stays good. Every
// element therefore changes places with its copy, `moved` leading from each to the other while that
// happens; what is left behind is freed.

#include <string.h>

#include "base/assert.h"
#include "spec/element.h"

typedef struct List_ {
  snElem** items;  // NULL: only count
  int size;
} List;

static void add(List* list, snElem* e) {
  if (list->items) list->items[list->size] = e;
  list->size++;
}

static void addAll(List* list, const snElemList* elements) {
  SN_EACH(e, elements) {
    add(list, e);
    if (e->head.elemtype == snOBJ_TENDON) addAll(list, e->lists);
  }
}

static void collect(List* list, const snSpec* spec) {
  for (snElem* body = sn_world(spec); body; body = sn_nextBody(body)) {
    add(list, body);
    for (int k = 1; k < sn_kind(snOBJ_BODY)->nlist; k++) addAll(list, body->lists + k);
  }
  for (int type = 0; type < snNLIST; type++) addAll(list, sn_specData(spec)->lists + type);
}

static void follow(snElem** e) {
  if (*e && (*e)->moved) *e = (*e)->moved;
}

static void followList(snElemList* list) {
  follow(&list->first);
  follow(&list->last);
}

static void followElem(snElem* e) {
  snElem** links[] = {&e->parent, &e->frame, &e->next, &e->prev};
  for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++) follow(links[i]);
  for (int k = 0; k < sn_kind(e->head.elemtype)->nlist; k++) followList(e->lists + k);
  snsPlugin* plugin = sn_elemPlugin(e);
  if (plugin && plugin->element && sn_elem(plugin->element)->moved) {
    plugin->element = &sn_elem(plugin->element)->moved->head;
  }
  if (e->head.elemtype != snOBJ_KEY) return;
  for (snKeyPart* part = ((snKeyObject*)e->object)->parts; part; part = part->next) {
    follow(&part->owner);
  }
}

static void followSpec(snSpec* spec) {
  for (int type = 0; type < snNLIST; type++) followList(sn_specData(spec)->lists + type);
  sn_namesFollow(spec);
}

// remember the old spec, once
static int hold(snSpec* spec, snSpec* old) {
  snSpecData *data = sn_specData(spec), *held = sn_specData(old);
  if (held->absorber == spec) return 1;
  if (!sn_specAppend(&data->absorbed, &data->nabsorbed, old)) return 0;
  held->absorber = spec;
  held->given = 1;
  held->holders++;
  return 1;
}

// Free what is left behind: first what is outside of the tree, then whole branches of it.
static void leave(const List* copies) {
  for (int tree = 0; tree < 2; tree++) {
    for (int i = 0; i < copies->size; i++) {
      snElem* e = copies->items[i];
      if (!e || sn_isTreeType(e->head.elemtype) != tree) continue;
      SN_ASSERT(sn_listOf(e));
      sn_listRemove(sn_listOf(e), e);
      sn_elemFree(e);
    }
  }
}

// whether an element goes with the one that holds it
static int isInside(const snElem* e) { return e->parent && e->parent->moved; }

int sn_absorbSpec(snSpec* from, snSpec* to) {
  List all = {NULL, 0};
  collect(&all, from);
  int nfrom = all.size;
  collect(&all, to);
  all.items = (snElem**)snu_malloc((size_t)all.size * sizeof(snElem*));
  List copies = {all.items ? (snElem**)snu_malloc((size_t)nfrom * sizeof(snElem*)) : NULL, 0};
  if (!copies.items || !hold(to, from)) {
    snu_free(all.items);
    snu_free(copies.items);
    return 0;
  }
  all.size = 0;
  collect(&all, from);
  collect(&all, to);
  for (int i = nfrom; i < all.size; i++) all.items[i]->moved = NULL;
  for (int i = 0; i < nfrom; i++) {
    snElem *e = all.items[i], *copy = e->moved;
    if (!copy) continue;
    SN_ASSERT(copy->spec == to && copy->head.elemtype == e->head.elemtype);
    sn_elemSwap(e, copy);
    e->moved = copy;
    copy->moved = e;
  }
  for (int i = 0; i < all.size; i++) followElem(all.items[i]);
  followSpec(from);
  followSpec(to);
  for (int i = 0; i < nfrom; i++) {
    snElem* copy = all.items[i]->moved;
    if (copy && !isInside(copy)) add(&copies, copy);
  }
  for (int i = 0; i < all.size; i++) all.items[i]->moved = NULL;
  leave(&copies);
  snu_free(all.items);
  snu_free(copies.items);
  return 1;
}
