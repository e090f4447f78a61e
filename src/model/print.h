// Text for people: what the printers of models and of data share.
//
// A printer is an open file and the format of one real number. Numbers of one line are separated by
// a space. A section is a title in capitals, its rows and an empty line. A picture of a sparse matrix
// shows its pattern, one character per entry, between two rulers.

#ifndef SINEW_MODEL_PRINT_H_
#define SINEW_MODEL_PRINT_H_

#include <stdio.h>

#include "model/memory.h"

SN_EXTERN_C_BEGIN

typedef struct snPrinter_ {
  FILE* file;
  const char* format;  // of one real number
} snPrinter;

// A sparse matrix by rows.
typedef struct snPattern_ {
  int rows;
  int columns;
  const int* rownnz;
  const int* rowadr;
  const int* colind;
  const int* rowsuper;  // following rows with the same columns, shown beside the row; nullable
  int diagonal;         // mark the diagonal
} snPattern;

// The format of numbers where the caller has none.
extern const char* const sn_defaultFormat;

// Open the file (NULL: standard output). Returns 0 and warns when it cannot.
int sn_openPrinter(snPrinter* printer, const char* filename, const char* float_format);
void sn_closePrinter(snPrinter* printer);

void sn_printReal(const snPrinter* printer, double value);
void sn_printReals(const snPrinter* printer, const snReal* values, snSize count);

// The title of a section: a name in capitals.
void sn_printTitle(const snPrinter* printer, const char* name);

// A section of integers, all in one row.
void sn_printIntegers(const snPrinter* printer, const char* name, const int* values, snSize count);

// Matrices of more rows, and pictures of more columns, are left out.
enum { snPRINT_MOST = 300 };

// A section of a matrix by rows: "column: value".
void sn_printSparse(const snPrinter* printer, const char* name, const snPattern* pattern,
                    const snReal* values);

// The picture of a matrix under a title.
void sn_printPicture(const snPrinter* printer, const char* title, const snPattern* pattern);

// Rulers of pictures, for those that are drawn elsewhere.
void sn_printRuler(const snPrinter* printer, int columns);

SN_EXTERN_C_END

#endif  // SINEW_MODEL_PRINT_H_
