// Zeroed rendering context structure.
MJAPI void mjr_defaultContext(mjrContext* con);
// Allocate gpu resources for model.
MJAPI void mjr_makeContext(const mjModel* m, mjrContext* con, int fontscale);
// Switch font scale of context.
MJAPI void mjr_changeFont(int fontscale, mjrContext* con);
// Create auxiliary framebuffer.
MJAPI void mjr_addAux(int index, int width, int height, int samples, mjrContext* con);
// Release gpu resources of context.
MJAPI void mjr_freeContext(mjrContext* con);
// Change size of offscreen buffer.
MJAPI void mjr_resizeOffscreen(int width, int height, mjrContext* con);
// Send one texture to gpu.
MJAPI void mjr_uploadTexture(const mjModel* m, const mjrContext* con, int texid);
// Send one mesh to gpu.
MJAPI void mjr_uploadMesh(const mjModel* m, const mjrContext* con, int meshid);
// Send one heightfield to gpu.
MJAPI void mjr_uploadHField(const mjModel* m, const mjrContext* con, int hfieldid);
// Rebind the current framebuffer.
MJAPI void mjr_restoreBuffer(const mjrContext* con);
// Choose window or offscreen framebuffer.
MJAPI void mjr_setBuffer(int framebuffer, mjrContext* con);
// Copy framebuffer colour and depth out.
MJAPI void mjr_readPixels(unsigned char* rgb, float* depth, mjrRect viewport,
                          const mjrContext* con);
// Copy pixels into the framebuffer.
MJAPI void mjr_drawPixels(const unsigned char* rgb, const float* depth, mjrRect viewport,
                          const mjrContext* con);
// Copy region between framebuffers.
MJAPI void mjr_blitBuffer(mjrRect src, mjrRect dst, int flg_color, int flg_depth,
                          const mjrContext* con);
// Bind auxiliary framebuffer for drawing.
MJAPI void mjr_setAux(int index, const mjrContext* con);
// Copy auxiliary framebuffer to current.
MJAPI void mjr_blitAux(int index, mjrRect src, int left, int bottom, const mjrContext* con);
// Draw text at relative coordinates.
MJAPI void mjr_text(int font, const char* txt, const mjrContext* con, float x, float y, float r,
                    float g, float b);
// Draw text block in grid corner.
MJAPI void mjr_overlay(int font, int gridpos, mjrRect viewport, const char* overlay,
                       const char* overlay2, const mjrContext* con);
// Largest viewport of active buffer.
MJAPI mjrRect mjr_maxViewport(const mjrContext* con);
// Draw filled rectangle.
MJAPI void mjr_rectangle(mjrRect viewport, float r, float g, float b, float a);
// Draw rectangle holding centred text.
MJAPI void mjr_label(mjrRect viewport, int font, const char* txt, float r, float g, float b,
                     float a, float rt, float gt, float bt, const mjrContext* con);
// Wait for gpu completion.
MJAPI void mjr_finish(void);
// Query last gpu error code.
MJAPI int mjr_getError(void);
// Index of rectangle under cursor.
MJAPI int mjr_findRect(int x, int y, int nrect, const mjrRect* rect);
