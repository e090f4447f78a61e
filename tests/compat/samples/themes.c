// Built-in themes of widgets.
#include <mujoco/mujoco.h>
#include <stdio.h>

int main(void) {
  for (int i = -1; i < 6; i++) {
    mjuiThemeSpacing spacing = mjui_themeSpacing(i);
    mjuiThemeColor color = mjui_themeColor(i);
    const int* sizes = &spacing.total;
    const float* values = color.master;
    for (size_t k = 0; k < sizeof(spacing) / sizeof(int); k++) printf("%d ", sizes[k]);
    for (size_t k = 0; k < sizeof(color) / sizeof(float); k++) printf("%g ", (double)values[k]);
    printf("\n");
  }
  return 0;
}
