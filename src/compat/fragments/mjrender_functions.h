// Create auxiliary framebuffer.
MJAPI void mjr_addAux(int index, int width, int height, int samples, mjrContext* con);
// Copy region between framebuffers.
MJAPI void mjr_blitBuffer(mjrRect src, mjrRect dst, int flg_color, int flg_depth,
                          const mjrContext* con);
// Bind auxiliary framebuffer for drawing.
MJAPI void mjr_setAux(int index, const mjrContext* con);
// Copy auxiliary framebuffer to current.
MJAPI void mjr_blitAux(int index, mjrRect src, int left, int bottom, const mjrContext* con);
