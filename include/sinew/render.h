// Images of abstract scenes, without a graphics driver.
//
// A context holds copies of a model's meshes, height fields and textures, and one image of pixels with
// depth. snr_render draws a scene into a rectangle of it, on the CPU; snr_readPixels copies it out. Rows run
// upwards: the first is the lowest. Contexts are independent: each may be used by one thread at a time.

#ifndef SINEW_RENDER_H_
#define SINEW_RENDER_H_

#include "sinew/visual.h"

SN_EXTERN_C_BEGIN

// sizes of rendering
#define snNAUX 10
#define snMAXTEXTURE 1000
#define snMAXMATERIAL 1000

// rectangle in pixels, from the lower left corner
struct snrRect_ {
  int left;
  int bottom;
  int width;
  int height;
};
typedef struct snrRect_ snrRect;

// Rendering context; the settings are copied from the model when it is made. Members and places are MuJoCo's:
// programs own these structs, so ours may not be larger. Numbers of buffers and lists that a graphics driver
// would give are zero, but those of which a program asks whether they are there (offFBO, auxFBO).
struct snrContext_ {
  float lineWidth;
  float shadowClip;
  float shadowScale;
  float fogStart;
  float fogEnd;
  float fogRGBA[4];
  int shadowSize;
  int offWidth;
  int offHeight;
  int offSamples;
  int fontScale;
  int auxWidth[snNAUX];
  int auxHeight[snNAUX];
  int auxSamples[snNAUX];
  uint32_t offFBO;
  uint32_t offFBO_r;
  uint32_t offColor;
  uint32_t offColor_r;
  uint32_t offDepthStencil;
  uint32_t offDepthStencil_r;
  uint32_t shadowFBO;
  uint32_t shadowTex;
  uint32_t auxFBO[snNAUX];
  uint32_t auxFBO_r[snNAUX];
  uint32_t auxColor[snNAUX];
  uint32_t auxColor_r[snNAUX];
  int mat_texid[snMAXMATERIAL * snNTEXROLE];
  int mat_texuniform[snMAXMATERIAL];
  float mat_texrepeat[snMAXMATERIAL * 2];
  int ntexture;
  int textureType[snMAXTEXTURE];
  uint32_t texture[snMAXTEXTURE];
  uint32_t basePlane;
  uint32_t baseMesh;
  uint32_t baseHField;
  uint32_t baseBuiltin;
  uint32_t baseFontNormal;
  uint32_t baseFontShadow;
  uint32_t baseFontBig;
  int rangePlane;
  int rangeMesh;
  int rangeHField;
  int rangeBuiltin;
  int rangeFont;
  int nskin;    // 0: the four lists below are empty
  void* state;  // skinvertVBO in MuJoCo: what the context owns
  uint32_t* skinnormalVBO;
  uint32_t* skintexcoordVBO;
  uint32_t* skinfaceVBO;
  int charWidth[127];
  int charWidthBig[127];
  int charHeight;
  int charHeightBig;
  int glInitialized;
  int windowAvailable;
  int windowSamples;
  int windowStereo;
  int windowDoublebuffer;
  int currentBuffer;
  int readPixelFormat;
  int readDepthMap;
};
typedef struct snrContext_ snrContext;

// Zeroed rendering context structure.
SN_API void snr_defaultContext(snrContext* con);
// Copy assets of model, make buffers.
SN_API void snr_makeContext(const snModel* m, snrContext* con, int fontscale);
// Switch font scale of context.
SN_API void snr_changeFont(int fontscale, snrContext* con);
// Release all that a context owns.
SN_API void snr_freeContext(snrContext* con);
// Make auxiliary buffer in place of the one with its index; without pixels: remove it.
SN_API void snr_addAux(int index, int width, int height, int samples, snrContext* con);
// Draw into auxiliary buffer until snr_restoreBuffer.
SN_API void snr_setAux(int index, const snrContext* con);
// Copy rectangle of auxiliary buffer into offscreen buffer.
SN_API void snr_blitAux(int index, snrRect src, int left, int bottom, const snrContext* con);
// Change size of offscreen buffer.
SN_API void snr_resizeOffscreen(int width, int height, snrContext* con);
// Copy one texture from model.
SN_API void snr_uploadTexture(const snModel* m, const snrContext* con, int texid);
// Copy one mesh from model.
SN_API void snr_uploadMesh(const snModel* m, const snrContext* con, int meshid);
// Copy one heightfield from model.
SN_API void snr_uploadHField(const snModel* m, const snrContext* con, int hfieldid);
// Make context the current one, and draw into its offscreen buffer.
SN_API void snr_restoreBuffer(const snrContext* con);
// Choose framebuffer: offscreen is all there is.
SN_API void snr_setBuffer(int framebuffer, snrContext* con);
// Copy colour and depth out. Nullable: rgb, depth
SN_API void snr_readPixels(unsigned char* rgb, float* depth, snrRect viewport,
                           const snrContext* con);
// Copy pixels into the framebuffer. Nullable: rgb, depth
SN_API void snr_drawPixels(const unsigned char* rgb, const float* depth, snrRect viewport,
                           const snrContext* con);
// Draw text at relative coordinates.
SN_API void snr_text(int font, const char* txt, const snrContext* con, float x, float y, float r,
                     float g, float b);
// Draw text block in grid corner. Nullable: overlay2
SN_API void snr_overlay(int font, int gridpos, snrRect viewport, const char* overlay,
                        const char* overlay2, const snrContext* con);
// Draw filled rectangle into current context.
SN_API void snr_rectangle(snrRect viewport, float r, float g, float b, float a);
// Draw rectangle holding centred text.
SN_API void snr_label(snrRect viewport, int font, const char* txt, float r, float g, float b,
                      float a, float rt, float gt, float bt, const snrContext* con);
// Draw figure; says where its axes are.
SN_API void snr_figure(snrRect viewport, snvFigure* fig, const snrContext* con);
// Draw scene into rectangle of buffer.
SN_API void snr_render(snrRect viewport, snvScene* scn, const snrContext* con);
// Wait for completion: drawing is complete.
SN_API void snr_finish(void);
// Query last error code: always zero.
SN_API int snr_getError(void);
// Index of rectangle under cursor.
SN_API int snr_findRect(int x, int y, int nrect, const snrRect* rect);
// Largest viewport of active buffer.
SN_API snrRect snr_maxViewport(const snrContext* con);

SN_EXTERN_C_END

#endif  // SINEW_RENDER_H_
