// One letter for each type of the field tables, as in Python's struct module: what a view of a field says of its
// entries.

#ifndef SINEW_BASE_LETTER_H_
#define SINEW_BASE_LETTER_H_

#include <stddef.h>

#include "sinew/types.h"

#define SN_LETTER_real (sizeof(snReal) == 8 ? 'd' : 'f')
#define SN_LETTER_int 'i'
#define SN_LETTER_byte 'B'
#define SN_LETTER_float 'f'
#define SN_LETTER_size 'q'
#define SN_LETTER_char 'b'
#define SN_LETTER_ptr 'Q'

static inline size_t sn_letterBytes(char letter) {
  switch (letter) {
    case 'd':
    case 'q':
    case 'Q': return 8;
    case 'B':
    case 'b': return 1;
    default: return 4;
  }
}

#endif  // SINEW_BASE_LETTER_H_
