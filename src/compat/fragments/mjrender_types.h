// sizes of rendering
#define mjNAUX 10
#define mjMAXTEXTURE 1000
#define mjMAXMATERIAL 1000

// rectangle in pixels
struct mjrRect_ {
  int left;
  int bottom;
  int width;
  int height;
};
typedef struct mjrRect_ mjrRect;

// rendering context: opaque until there is a renderer
struct mjrContext_ {
  float lineWidth;
  float shadowClip;
  float shadowScale;
  int offWidth;
  int offHeight;
  int offSamples;
  int fontScale;
  int currentBuffer;
  int windowAvailable;
  int offFBO;
  int readPixelFormat;
  int readDepthMap;
};
typedef struct mjrContext_ mjrContext;
