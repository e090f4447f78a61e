// Built-in interface spacing theme.
MJAPI mjuiThemeSpacing mjui_themeSpacing(int ind);
// Built-in interface colour theme.
MJAPI mjuiThemeColor mjui_themeColor(int ind);
// Append interface definitions.
MJAPI void mjui_add(mjUI* ui, const mjuiDef* def);
// Append definitions to one section.
MJAPI void mjui_addToSection(mjUI* ui, int sect, const mjuiDef* def);
// Recompute interface layout.
MJAPI void mjui_resize(mjUI* ui, const mjrContext* con);
// Redraw interface item or section.
MJAPI void mjui_update(int section, int item, const mjUI* ui, const mjuiState* state,
                       const mjrContext* con);
// Process one interface event.
MJAPI mjuiItem* mjui_event(mjUI* ui, mjuiState* state, const mjrContext* con);
// Copy interface image to framebuffer.
MJAPI void mjui_render(mjUI* ui, const mjuiState* state, const mjrContext* con);
