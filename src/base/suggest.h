// "Did you mean": the known word that is nearest to an unknown one.
//
//   snSuggestion s = sn_suggestFor("capsul");
//   for (each legal word) sn_offer(&s, word);
//   if (s.best) ...
//
// Near is a small number of letters changed, left out, put in, or swapped with their neighbour; upper and
// lower case are the same.

#ifndef SINEW_BASE_SUGGEST_H_
#define SINEW_BASE_SUGGEST_H_

#include "sinew/types.h"

SN_EXTERN_C_BEGIN

typedef struct snSuggestion_ {
  const char* word;  // as it was written
  const char* best;  // the nearest of those offered, NULL while none is near
  int distance;      // of the best, or the most that counts as near
} snSuggestion;

snSuggestion sn_suggestFor(const char* word);
// Offer a word; it has to live as long as the suggestion. Of equally near words the first in the alphabet wins.
void sn_offer(snSuggestion* s, const char* word);

// Add a word to a list of legal ones, "a, b, c", in a buffer of so many bytes: what does not fit is cut off.
void sn_addToList(char* list, size_t size, const char* word);

SN_EXTERN_C_END

#endif  // SINEW_BASE_SUGGEST_H_
