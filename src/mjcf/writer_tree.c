// Writing the tree of bodies: the order of things.

#include <string.h>

#include "mjcf/writer.h"

// ---- the order of things in a body, as MuJoCo has it ----
//
// What is in no frame comes first: joints, geoms, sites, cameras, lights; then bodies; then frames,
// each with its own contents in that order. Frames do not wait for all the bodies: they come after
// the first child body, counted over the whole body, that is in any frame.

enum { LEAVES = 5 };
static const snObj kLeaf[LEAVES] = {snOBJ_JOINT, snOBJ_GEOM, snOBJ_SITE, snOBJ_CAMERA, snOBJ_LIGHT};

typedef struct Step_ {
  const snElem* elem;
  int close;  // end of a frame
} Step;

// contents of a frame, or of none, as linked lists through the arrays of a plan
typedef struct Content_ {
  const snElem* frame;
  int first[LEAVES + 2];  // leaves by type, bodies, frames; -1 for none
  int last[LEAVES + 2];
} Content;

typedef struct Plan_ {
  Step* steps;
  int nstep;
  const snElem** elems;  // everything in the body
  int* next;             // in its list
  int* rank;             // of bodies: place among the bodies
  Content* contents;     // of no frame, then of every frame
  int* state;            // walk over the frames: where to go on
  int nelem;
  int trigger;  // rank of the first body that is in a frame
} Plan;

static void appendTo(Plan* plan, int content, int list, int at) {
  Content* c = plan->contents + content;
  plan->next[at] = -1;
  *(c->last[list] >= 0 ? &plan->next[c->last[list]] : &c->first[list]) = at;
  c->last[list] = at;
}

static int indexOf(const Plan* plan, const snElem* frame) {
  return (int)((const Content*)frame->scratch - plan->contents);
}

static int contentOf(const Plan* plan, const snElem* e) {
  return e->frame ? indexOf(plan, e->frame) : 0;
}

// the scratch of a frame leads to its contents
static void collect(Plan* plan, const snElem* body) {
  int count = 1;
  SN_EACH(f, sn_bodyList(body, snOBJ_FRAME)) {
    f->scratch = plan->contents + count;
    plan->contents[count++].frame = f;
  }
  for (int i = 0; i < count; i++) {
    memset(plan->contents[i].first, 0xff, sizeof(plan->contents[i].first));
    memset(plan->contents[i].last, 0xff, sizeof(plan->contents[i].last));
  }
  int rank = 0;
  plan->trigger = -1;
  for (int list = 0; list < LEAVES + 2; list++) {
    snObj type = list < LEAVES ? kLeaf[list] : list == LEAVES ? snOBJ_BODY : snOBJ_FRAME;
    SN_EACH(e, sn_bodyList(body, type)) {
      int at = plan->nelem++;
      plan->elems[at] = e;
      if (type == snOBJ_BODY) {
        if (e->frame && plan->trigger < 0) plan->trigger = rank;
        plan->rank[at] = rank++;
      }
      appendTo(plan, contentOf(plan, e), list, at);
    }
  }
}

static void addStep(Plan* plan, const snElem* e, int close) {
  plan->steps[plan->nstep].elem = e;
  plan->steps[plan->nstep++].close = close;
}

// bodies of a content that come before its frames (or after them)
static void addBodies(Plan* plan, const Content* content, int after) {
  for (int at = content->first[LEAVES]; at >= 0; at = plan->next[at]) {
    int late = plan->trigger >= 0 && plan->rank[at] > plan->trigger;
    if (late == after) addStep(plan, plan->elems[at], 0);
  }
}

static void enter(snWriter* w, Plan* plan, int index) {
  const Content* content = plan->contents + index;
  if (content->frame && sn_isFrameWritten(w, content->frame)) addStep(plan, content->frame, 0);
  for (int list = 0; list < LEAVES; list++) {
    for (int at = content->first[list]; at >= 0; at = plan->next[at]) {
      addStep(plan, plan->elems[at], 0);
    }
  }
  addBodies(plan, content, 0);
  plan->state[index] = content->first[LEAVES + 1];
}

static void leave(snWriter* w, Plan* plan, int index) {
  const Content* content = plan->contents + index;
  addBodies(plan, content, 1);
  if (content->frame && sn_isFrameWritten(w, content->frame)) addStep(plan, content->frame, 1);
}

static void arrange(snWriter* w, Plan* plan) {
  int index = 0;
  enter(w, plan, 0);
  for (;;) {
    int at = plan->state[index];
    if (at >= 0) {
      plan->state[index] = plan->next[at];
      index = indexOf(plan, plan->elems[at]);
      enter(w, plan, index);
      continue;
    }
    leave(w, plan, index);
    if (!index) return;
    index = contentOf(plan, plan->contents[index].frame);
  }
}

// steps of a body, to be freed; NULL when memory ran out
static Step* planBody(snWriter* w, const snElem* body, int* count) {
  size_t n = 1, nframe = (size_t)sn_bodyList(body, snOBJ_FRAME)->size;
  for (int k = 0; k < sn_kind(snOBJ_BODY)->nlist; k++) n += (size_t)body->lists[k].size;
  snPool pool = {0};
  Plan plan = {.steps = (Step*)snu_malloc((n + nframe) * sizeof(Step))};
  plan.elems = SN_TAKE(&pool, const snElem*, n);
  plan.next = SN_TAKE(&pool, int, n);
  plan.rank = SN_TAKE(&pool, int, n);
  plan.contents = SN_TAKE(&pool, Content, nframe + 1);
  plan.state = SN_TAKE(&pool, int, nframe + 1);
  if (!plan.steps || !plan.elems || !plan.next || !plan.rank || !plan.contents || !plan.state) {
    snu_free(plan.steps);
    plan.steps = NULL;
    w->failed = 1;
  } else {
    collect(&plan, body);
    arrange(w, &plan);
    SN_EACH(f, sn_bodyList(body, snOBJ_FRAME)) f->scratch = NULL;
  }
  *count = plan.nstep;
  sn_poolRelease(&pool);
  return plan.steps;
}

// ---- the order of the lossless form ----
//
// Document order: of all lists of the body, the one whose next element was made first. Each list
// keeps its own order in any case. Frames are opened and closed in between, and opened again, then
// without their names, when something else came between their contents.

enum { LISTS = LEAVES + 2 };

typedef struct Walk_ {
  const snElem* next[LISTS];  // leaves by type, bodies, frames
  const snElem* frame;        // that is open
} Walk;

static void startWalk(Walk* walk, const snElem* body) {
  for (int list = 0; list < LISTS; list++) {
    snObj type = list < LEAVES ? kLeaf[list] : list == LEAVES ? snOBJ_BODY : snOBJ_FRAME;
    walk->next[list] = sn_bodyList(body, type)->first;
  }
  walk->frame = NULL;
}

static const snElem* nextOfWalk(Walk* walk) {
  int best = -1;
  for (int list = 0; list < LISTS; list++) {
    if (!walk->next[list]) continue;
    if (best < 0 || walk->next[list]->order < walk->next[best]->order) best = list;
  }
  if (best < 0) return NULL;
  const snElem* e = walk->next[best];
  walk->next[best] = e->next;
  return e;
}

static int isInside(const snElem* inner, const snElem* outer) {
  while (inner && inner != outer) inner = inner->frame;
  return inner == outer;
}

// close and open frames until one of them, or none, is the innermost
static void goToFrame(snWriter* w, Walk* walk, const snElem* frame) {
  while (!isInside(frame, walk->frame)) {
    walk->frame = walk->frame->frame;
    sn_writeClose(w, "frame");
  }
  while (walk->frame != frame) {
    snElem* next = (snElem*)frame;
    while (next->frame != walk->frame) next = next->frame;
    sn_openFrame(w, next);
    next->scratch = next;  // has its name
    walk->frame = next;
  }
}

// ---- the tree ----

// one body that is being written
typedef struct Level_ {
  const snElem* body;
  Step* steps;  // of MuJoCo's order
  int nstep;
  int at;
  Walk walk;  // of the lossless form
  int rest;   // the plugin, between what is in the body and its bodies, is written
} Level;

static void startLevel(snWriter* w, Level* level, const snElem* body) {
  memset(level, 0, sizeof(*level));
  level->body = body;
  if (w->source) {
    startWalk(&level->walk, body);
  } else {
    level->steps = planBody(w, body, &level->nstep);
  }
  sn_openBody(w, body);
}

static void writePluginOnce(snWriter* w, Level* level) {
  if (level->rest) return;
  level->rest = 1;
  sn_writePlugin(w, &((const snsBody*)level->body->object)->plugin);
}

// write what comes before the next child body; NULL at the end
static const snElem* advanceWalk(snWriter* w, Level* level) {
  const snElem* e;
  writePluginOnce(w, level);
  while ((e = nextOfWalk(&level->walk)) != NULL) {
    int type = e->head.elemtype;
    goToFrame(w, &level->walk, type == snOBJ_FRAME ? e : e->frame);
    if (type == snOBJ_BODY) return e;
    if (type != snOBJ_FRAME) sn_writeLeaf(w, e);
  }
  goToFrame(w, &level->walk, NULL);
  SN_EACH(f, sn_bodyList(level->body, snOBJ_FRAME)) f->scratch = NULL;
  return NULL;
}

static const snElem* advance(snWriter* w, Level* level) {
  if (w->source) return advanceWalk(w, level);
  while (level->at < level->nstep) {
    Step step = level->steps[level->at++];
    int type = step.elem->head.elemtype;
    if (type == snOBJ_BODY || type == snOBJ_FRAME) writePluginOnce(w, level);
    if (type == snOBJ_BODY) return step.elem;
    if (type != snOBJ_FRAME) {
      sn_writeLeaf(w, step.elem);
    } else if (step.close) {
      sn_writeClose(w, "frame");
    } else {
      sn_openFrame(w, step.elem);
    }
  }
  writePluginOnce(w, level);
  return NULL;
}

static void endLevel(snWriter* w, Level* level) {
  sn_writeClose(w, level->body->parent ? "body" : "worldbody");
  snu_free(level->steps);
}

static Level* grow(Level* levels, int* capacity) {
  Level* larger = (Level*)snu_malloc(2 * (size_t)*capacity * sizeof(Level));
  if (!larger) return NULL;
  memcpy(larger, levels, (size_t)*capacity * sizeof(Level));
  snu_free(levels);
  *capacity *= 2;
  return larger;
}

void sn_writeWorld(snWriter* w) {
  int capacity = 64, depth = 1;
  Level* levels = (Level*)snu_malloc((size_t)capacity * sizeof(Level));
  if (!levels) {
    w->failed = 1;
    return;
  }
  startLevel(w, levels, sn_world(w->spec));
  while (depth > 0 && !w->failed) {
    const snElem* child = advance(w, levels + depth - 1);
    if (!child) {
      endLevel(w, levels + --depth);
      continue;
    }
    if (depth == capacity) {
      Level* larger = grow(levels, &capacity);
      if (!larger) {
        w->failed = 1;
        break;
      }
      levels = larger;
    }
    startLevel(w, levels + depth++, child);
  }
  while (depth > 0) snu_free(levels[--depth].steps);
  snu_free(levels);
}
