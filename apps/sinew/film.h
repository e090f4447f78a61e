// Images of a run, written to a file: a PNG of its end, an animated GIF, an MP4 through ffmpeg, or a page that replays.

#ifndef SINEW_APPS_FILM_H_
#define SINEW_APPS_FILM_H_

#include <stdio.h>

#include "sinew/page.h"
#include "sinew/render.h"

typedef struct Film_ Film;

// frames in a second of the simulation; a page shows what is between them too
enum { FILM_RATE = 25, PAGE_RATE = 30 };

// Begin a film of a model as a camera sees it ("": the free one); size is WIDTHxHEIGHT, NULL: 640x480. NULL, with a
// message printed, on failure.
Film* filmOpen(const char* path, const snModel* m, const char* camera, const char* size);
// Take an image when the next one is due.
void filmFrame(Film* film, const snModel* m, snData* d);
// Write the rest; 0, with a message printed, when something could not be written.
int filmClose(Film* film, const snModel* m, snData* d);

// ---- animated GIF (gif.c): rows downwards ----

typedef struct Gif_ Gif;

Gif* gifOpen(FILE* file, int width, int height, int centiseconds);
void gifFrame(Gif* gif, const unsigned char* rgb);
void gifClose(Gif* gif);

#endif  // SINEW_APPS_FILM_H_
