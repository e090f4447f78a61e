// Draws worlds with one lane and with a team of lanes and compares the images: they must be equal, byte by byte.
//
//     team_draw [--lanes N] [--steps N] [--split N] MODEL.snb...
//
// --steps: steps before the images (4); --split is not used (tests/engine/lanes/run.sh gives it).

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/team.h"
#include "render/easel.h"

enum { kWidth = 64, kHeight = 48, kPixels = kWidth * kHeight };

typedef struct Images_ {
  snByte rgb[3 * kPixels];
  float depth[kPixels];
  int ids[2 * kPixels];
} Images;

typedef struct Job_ {
  snWorlds worlds;
  RenderCall call;
} Job;

// a phase by all of its teams, one after the other
static void drawPhase(const Job* job, const RenderCall* call, int phase) {
  for (int team = 0; team < snr_phaseTeams(phase); team++) {
    snr_drawPhase(&job->worlds, call, phase, team);
    SN_SYNC();
  }
}

static void draw(void* argument) {
  const Job* job = (const Job*)argument;
  for (int segment = 0; segment < 2; segment++) {
    RenderCall call = job->call;
    call.segment = segment;
    drawPhase(job, &call, kDrawScene);
    for (call.y0 = 0; call.y0 < kHeight; call.y0 += call.limits.rows) {
      for (int phase = kDrawScene + 1; phase < kDrawPhases; phase++) drawPhase(job, &call, phase);
    }
  }
}

static Limits limitsOf(const snModel* m, const snvScene* scn, int rows) {
  Limits l = {kWidth,    kHeight,
              rows,      m->vis.quality.offsamples > 0 ? 4 : 1,
              2000,      100000,
              2000,      (int)(m->nflexvert + m->ndeformvert),
              0,         (int)m->nskinvert,
              kMaxLamps, m->vis.quality.shadowsize};
  for (int i = 0; i < scn->nflex; i++) l.nflexface += scn->flexfacenum[i];
  if (l.shadow_size < 8) l.traced = 0;
  return l;
}

static Images* drawn(const snModel* m, snData* d, const Assets* assets, const snvScene* scn,
                     int lanes, int rows) {
  Images* images = (Images*)calloc(1, sizeof(Images));
  int trouble = 0;
  Job job;
  Easel plan;
  memset(&job, 0, sizeof(job));
  memset(&plan, 0, sizeof(plan));
  plan.scene = *scn;
  snWorlds worlds = {(uintptr_t)m, 0, (uintptr_t)d, 0, 0, 1, 1, lanes, lanes, 0};
  job.worlds = worlds;
  job.call.assets = (uintptr_t)assets;
  job.call.scene = (uintptr_t)scn;
  job.call.limits = limitsOf(m, scn, rows);
  job.call.camera = -1;
  job.call.trouble = (uintptr_t)&trouble;
  snv_defaultOption(&job.call.option);
  job.call.option.flags[snVIS_CONTACTPOINT] = 1;
  job.call.option.flags[snVIS_TRANSPARENT] = 1;
  size_t bytes = snr_layEasel(&plan, &job.call.limits, NULL);
  void* memory = calloc(1, bytes);
  job.call.easels = (uintptr_t)memory;
  job.call.rgb = (uintptr_t)images->rgb;
  job.call.depth = (uintptr_t)images->depth;
  job.call.ids = (uintptr_t)images->ids;
  if (lanes > 1)
    sn_teamRun(lanes, draw, &job);
  else
    draw(&job);
  free(memory);
  if (trouble) fprintf(stderr, "an easel was too small: %d\n", trouble);
  return images;
}

static int countDifferent(const Images* a, const Images* b) {
  int count = 0;
  for (int k = 0; k < kPixels; k++) {
    count += memcmp(a->rgb + 3 * k, b->rgb + 3 * k, 3) || a->depth[k] != b->depth[k] ||
             memcmp(a->ids + 2 * k, b->ids + 2 * k, 2 * sizeof(int));
  }
  return count;
}

static snModel* readModel(const char* path) {
  static char buffer[64 << 20];
  FILE* file = fopen(path, "rb");
  size_t bytes = file ? fread(buffer, 1, sizeof(buffer), file) : 0;
  if (file) fclose(file);
  return sn_loadModelBuffer(buffer, (int)bytes);
}

static int checkModel(const char* path, int lanes, int steps) {
  snModel* m = readModel(path);
  snData* d = m ? sn_makeData(m) : NULL;
  Assets* assets = d ? snr_makeAssets(m) : NULL;
  snvScene scn;
  if (!assets) {
    fprintf(stderr, "%s: cannot load\n", path);
    return 1;
  }
  snv_defaultScene(&scn);
  snv_makeScene(m, &scn, 1);
  for (int i = 0; i < steps; i++) sn_step(m, d);
  Images* alone = drawn(m, d, assets, &scn, 1, kHeight);
  Images* team = drawn(m, d, assets, &scn, lanes, kHeight);
  Images* bands = drawn(m, d, assets, &scn, lanes, 20);
  int different = countDifferent(alone, team), in_bands = countDifferent(alone, bands);
  if (different || in_bands) {
    fprintf(stderr, "%s: %d pixels differ between 1 and %d lanes, %d in bands\n", path, different,
            lanes, in_bands);
  }
  free(alone);
  free(team);
  free(bands);
  snv_freeScene(&scn);
  snr_freeAssets(assets);
  sn_deleteData(d);
  sn_deleteModel(m);
  return different || in_bands;
}

int main(int argc, char** argv) {
  int lanes = 4, steps = 4, failed = 0, models = 0;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--lanes")) {
      lanes = atoi(argv[++i]);
    } else if (!strcmp(argv[i], "--steps")) {
      steps = atoi(argv[++i]);
    } else if (!strcmp(argv[i], "--split")) {
      i++;
    } else {
      failed += checkModel(argv[i], lanes, steps);
      models++;
    }
  }
  printf("%d models, %d failed\n", models, failed);
  return failed || !models;
}
