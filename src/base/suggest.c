#include "base/suggest.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 64 };

static int least(int a, int b) { return a < b ? a : b; }

// Letters to change, leave out, put in or swap to get from one word to the other; long words count as far.
// Optimal string alignment: d(i, j) is the distance of the first i letters of a from the first j of b,
//   d(i, j) = min(d(i-1, j) + 1, d(i, j-1) + 1, d(i-1, j-1) + [a_i != b_j], d(i-2, j-2) + 1 if swapped)
static int wordDistance(const char* a, const char* b) {
  int na = (int)strlen(a), nb = (int)strlen(b);
  if (na > LONGEST || nb > LONGEST) return LONGEST;
  int rows[3][LONGEST + 1];
  int *before = rows[0], *last = rows[1], *row = rows[2];
  for (int j = 0; j <= nb; j++) last[j] = j;
  for (int i = 1; i <= na; i++) {
    row[0] = i;
    for (int j = 1; j <= nb; j++) {
      int x = tolower((unsigned char)a[i - 1]), y = tolower((unsigned char)b[j - 1]);
      row[j] = least(least(last[j], row[j - 1]) + 1, last[j - 1] + (x != y));
      int swapped = i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) &&
                    y == tolower((unsigned char)a[i - 2]);
      if (swapped) row[j] = least(row[j], before[j - 2] + 1);
    }
    int* free = before;
    before = last;
    last = row;
    row = free;
  }
  return last[nb];
}

snSuggestion sn_suggestFor(const char* word) {
  size_t length = word ? strlen(word) : 0;
  snSuggestion s;
  s.word = word;
  s.best = NULL;
  s.distance = length < 3 ? 0 : length < 5 ? 1 : length < 8 ? 2 : 3;
  return s;
}

void sn_offer(snSuggestion* s, const char* word) {
  if (!s->word || !*s->word || !word || !*word) return;
  int distance = wordDistance(s->word, word);
  if (distance > s->distance) return;
  if (s->best && distance == s->distance && strcmp(word, s->best) >= 0) return;
  s->best = word;
  s->distance = distance;
}

void sn_addToList(char* list, size_t size, const char* word) {
  size_t used = strlen(list);
  snprintf(list + used, size - used, "%s%s", used ? ", " : "", word);
}
