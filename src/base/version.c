// Which interface the library speaks, and what it prints for people: matrices and the log.

#include <stdio.h>
#include <time.h>

#include "sinew/sinew.h"

int sn_version(void) { return snVERSION_HEADER; }

const char* sn_versionString(void) { return "3.5.0"; }

void snu_printMat(const snReal* mat, int nr, int nc) {
  for (int row = 0; row < nr; row++) {
    for (int column = 0; column < nc; column++) printf("%.8f ", (double)mat[row * nc + column]);
    printf("\n");
  }
  printf("\n");
}

void snu_printMatSparse(const snReal* mat, int nr, const int* rownnz, const int* rowadr,
                        const int* colind) {
  for (int row = 0; row < nr; row++) {
    for (int i = rowadr[row]; i < rowadr[row] + rownnz[row]; i++) {
      printf("(%d %d): %9.6f  ", row, colind[i], (double)mat[i]);
    }
    printf("\n");
  }
  printf("\n");
}

// one entry of the log: the time, then "type: message", then an empty line
void snu_writeLog(const char* type, const char* msg) {
  FILE* file = fopen("MUJOCO_LOG.TXT", "a");
  if (!file) return;
  time_t now = time(NULL);
  struct tm local;
  char text[64] = "";
  if (localtime_r(&now, &local)) strftime(text, sizeof(text), "%a %b %e %H:%M:%S %Y", &local);
  fprintf(file, "%s\n%s: %s\n\n", text, type ? type : "", msg ? msg : "");
  fclose(file);
}
