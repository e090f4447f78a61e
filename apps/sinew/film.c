// Films: what a camera sees, several times in a second of the simulation.

#include "film.h"

#include <errno.h>
#include <png.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/replace.h"

extern char** environ;

enum { PNG_IMAGE, GIF_FILM, MP4_FILM, HTML_PAGE };

struct Film_ {
  const char* path;
  snDraft draft;  // beside the last film, until this one is whole
  int kind, width, height;
  long frames;
  double start;
  FILE* file;
  Gif* gif;
  pid_t encoder;  // ffmpeg
  int broken;
  unsigned char* rgb;
  snvScene scene;
  snvCamera camera;
  snrContext context;
  snPage* page;
};

static int kindOf(const char* path) {
  const char* end = strrchr(path, '.');
  if (end && !strcmp(end, ".png")) return PNG_IMAGE;
  if (end && !strcmp(end, ".gif")) return GIF_FILM;
  if (end && !strcmp(end, ".html")) return HTML_PAGE;
  return end && !strcmp(end, ".mp4") ? MP4_FILM : -1;
}

// The encoder: the program that IMAGEIO_FFMPEG_EXE names, ffmpeg of the path, or that of the Python package
// imageio-ffmpeg (the extra "film").
static const char* findEncoder(char path[1024]) {
  static const char* const kAsk =
      "python3 -c 'import imageio_ffmpeg as f; print(f.get_ffmpeg_exe())' 2> /dev/null";
  const char* named = getenv("IMAGEIO_FFMPEG_EXE");
  if (named && named[0]) return named;
  if (!system("command -v ffmpeg > /dev/null 2>&1")) return "ffmpeg";
  FILE* answer = popen(kAsk, "r");
  int found = answer && fgets(path, 1024, answer) != NULL;
  if (answer) pclose(answer);
  if (!found) return "ffmpeg";
  path[strcspn(path, "\n")] = 0;
  return path;
}

// ffmpeg, reading images from a pipe; 0 on failure
static int startEncoder(Film* film) {
  char size[40], rate[20], path[1024];
  const char* program = findEncoder(path);
  int ends[2];
  snprintf(size, sizeof(size), "%dx%d", film->width, film->height);
  snprintf(rate, sizeof(rate), "%d", FILM_RATE);
  char* arguments[] = {"ffmpeg",
                       "-y",
                       "-loglevel",
                       "error",
                       "-f",
                       "rawvideo",
                       "-pix_fmt",
                       "rgb24",
                       "-s",
                       size,
                       "-r",
                       rate,
                       "-i",
                       "-",
                       "-vf",
                       "crop=trunc(iw/2)*2:trunc(ih/2)*2",
                       "-pix_fmt",
                       "yuv420p",
                       "-f",
                       "mp4",
                       film->draft.path,
                       NULL};
  if (pipe(ends)) return 0;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  int failed = posix_spawnp(&film->encoder, program, &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[0]);
  if (failed) {
    close(ends[1]);
    film->encoder = 0;
    fprintf(stderr,
            "sinew: %s: the program ffmpeg is needed and cannot be run (%s): install it, or "
            "pip install 'sinew-physics[film]'; a .gif needs nothing\n",
            film->path, strerror(failed));
    return 0;
  }
  signal(SIGPIPE, SIG_IGN);
  film->file = fdopen(ends[1], "wb");
  return film->file != NULL;
}

static int openFile(Film* film) {
  int started = sn_startDraft(&film->draft, film->path);
  if (started && film->kind == MP4_FILM) return startEncoder(film);
  if (started) film->file = fopen(film->draft.path, "wb");
  if (!film->file) {
    fprintf(stderr, "sinew: %s: %s\n", film->path, strerror(errno));
    return 0;
  }
  if (film->kind == GIF_FILM)
    film->gif = gifOpen(film->file, film->width, film->height, 100 / FILM_RATE);
  return film->kind != GIF_FILM || film->gif;
}

static int chooseCamera(Film* film, const snModel* m, const char* camera) {
  snv_defaultFreeCamera(m, &film->camera);
  if (!camera) return 1;
  int id = sn_name2id(m, snOBJ_CAMERA, camera);
  if (id < 0) {
    fprintf(stderr, "sinew: the model has no camera '%s'\n", camera);
    return 0;
  }
  film->camera.type = snCAMERA_FIXED;
  film->camera.fixedcamid = id;
  return 1;
}

static int makePictures(Film* film, const snModel* m) {
  snv_defaultScene(&film->scene);
  snv_makeScene(m, &film->scene, 10000);
  snr_defaultContext(&film->context);
  snr_makeContext(m, &film->context, snFONTSCALE_150);
  if (film->context.state) snr_resizeOffscreen(film->width, film->height, &film->context);
  film->rgb = malloc(3 * (size_t)film->width * film->height);
  if (film->context.state && film->context.offWidth == film->width && film->rgb) return 1;
  fprintf(stderr, "sinew: %s\n", sn_lastError());
  return 0;
}

static int makePage(Film* film, const snModel* m) {
  char error[200] = "";
  film->page = sn_makePage(m, &film->camera, PAGE_RATE, error, sizeof(error));
  if (!film->page) fprintf(stderr, "sinew: %s: %s\n", film->path, error);
  return film->page != NULL;
}

static void release(Film* film) {
  sn_deletePage(film->page);
  if (film->scene.geoms) snv_freeScene(&film->scene);
  snr_freeContext(&film->context);
  free(film->rgb);
  free(film);
}

Film* filmOpen(const char* path, const snModel* m, const char* camera, const char* size) {
  int width = 640, height = 480;
  char rest;
  if (kindOf(path) < 0) {
    fprintf(
        stderr,
        "sinew: %s: a film is a .html (a page that replays), a .gif, an .mp4 or a .png (the end of "
        "the run)\n",
        path);
    return NULL;
  }
  if (size && (sscanf(size, "%dx%d%c", &width, &height, &rest) != 2 || width < 1 || height < 1 ||
               width > 8192 || height > 8192)) {
    fprintf(stderr, "sinew: the size of images is WIDTHxHEIGHT, up to 8192x8192, got '%s'\n", size);
    return NULL;
  }
  Film* film = calloc(1, sizeof(*film));
  if (!film) return NULL;
  film->path = path;
  film->kind = kindOf(path);
  film->width = width;
  film->height = height;
  int ready = chooseCamera(film, m, camera) &&
              (film->kind == HTML_PAGE ? makePage(film, m) : makePictures(film, m));
  if (ready && openFile(film)) return film;
  sn_dropDraft(&film->draft);
  release(film);
  return NULL;
}

// an image, rows downwards
static void draw(Film* film, const snModel* m, snData* d) {
  snvOption option;
  snrRect rect = {0, 0, film->width, film->height};
  snv_defaultOption(&option);
  snv_updateScene(m, d, &option, NULL, &film->camera, snCAT_ALL, &film->scene);
  snr_render(rect, &film->scene, &film->context);
  snr_readPixels(film->rgb, NULL, rect, &film->context);
  size_t row = 3 * (size_t)film->width;
  for (int y = 0; y < film->height / 2; y++) {
    unsigned char *a = film->rgb + y * row, *b = film->rgb + (film->height - 1 - y) * row;
    for (size_t i = 0; i < row; i++) {
      unsigned char swap = a[i];
      a[i] = b[i];
      b[i] = swap;
    }
  }
}

void filmFrame(Film* film, const snModel* m, snData* d) {
  if (film->kind == PNG_IMAGE || film->broken) return;
  if (!film->frames) film->start = (double)d->time;
  int rate = film->page ? PAGE_RATE : FILM_RATE;
  if ((double)d->time - film->start < film->frames / (double)rate - 1e-9) return;
  film->frames++;
  if (film->page) {
    film->broken = sn_addPageFrame(film->page, m, d) < 0;
    return;
  }
  draw(film, m, d);
  size_t bytes = 3 * (size_t)film->width * film->height;
  if (film->gif)
    gifFrame(film->gif, film->rgb);
  else if (fwrite(film->rgb, 1, bytes, film->file) != bytes)
    film->broken = 1;
}

static int writePng(Film* film) {
  png_image image;
  memset(&image, 0, sizeof(image));
  image.version = PNG_IMAGE_VERSION;
  image.width = (png_uint_32)film->width;
  image.height = (png_uint_32)film->height;
  image.format = PNG_FORMAT_RGB;
  return png_image_write_to_stdio(&image, film->file, 0, film->rgb, 0, NULL);
}

static int writePage(Film* film, const snModel* m, snData* d) {
  size_t size = 0;
  if (!film->frames && sn_addPageFrame(film->page, m, d) < 0) return 0;
  char* text = sn_finishPage(film->page, m, &size);
  int ok = text && fwrite(text, 1, size, film->file) == size;
  snu_free(text);
  return ok;
}

int filmClose(Film* film, const snModel* m, snData* d) {
  int status = 0, ok = !film->broken;
  if (film->page && ok) ok = writePage(film, m, d);
  if (film->kind == PNG_IMAGE) {
    draw(film, m, d);
    ok = writePng(film);
  }
  gifClose(film->gif);
  ok = !ferror(film->file) && ok;
  ok = !fclose(film->file) && ok;
  if (film->encoder) ok = waitpid(film->encoder, &status, 0) > 0 && status == 0 && ok;
  if (ok) {
    ok = sn_keepDraft(&film->draft);
  } else {
    sn_dropDraft(&film->draft);
  }
  if (!ok) fprintf(stderr, "sinew: %s: could not be written\n", film->path);
  release(film);
  return ok;
}
