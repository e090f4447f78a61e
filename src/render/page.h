// What a recording holds while it is made: a track of poses per shape of the scene, and of points per soft body.

#ifndef SINEW_RENDER_PAGE_H_
#define SINEW_RENDER_PAGE_H_

#include "sinew/page.h"

// bytes that grow; `failed` once there was no memory for more
typedef struct Bytes_ {
  unsigned char* data;
  size_t size, room;
  int failed;
} Bytes;

void snr_appendBytes(Bytes* bytes, const void* data, size_t size);

// one frame of a shape
typedef struct Moment_ {
  int seen;
  float pos[3], quat[4], size[3];
} Moment;

// a shape that is followed through the frames: `first` is how it looked when it was first seen
typedef struct Slot_ {
  snvGeom first;
  int used;       // in the present frame
  Bytes moments;  // of Moment, one per frame
} Slot;

// a skin or flex: points of all frames, the same number in each
typedef struct Soft_ {
  int type, id, count, used;
  float rgba[4];
  Bytes points;
} Soft;

struct snPage_ {
  int broken;  // a frame found no memory: the recording has holes
  double rate, start;
  int frames;
  int camera_slot;  // -1: the free camera
  snvCamera camera, free_camera;
  snvScene scene;
  Slot* slots;
  int nslot, slot_room;
  Soft* softs;
  int nsoft;
};

#endif  // SINEW_RENDER_PAGE_H_
