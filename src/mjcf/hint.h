// What an error adds to MuJoCo's words: the nearest legal name, the legal keywords, the version of MuJoCo that
// brought or dropped what the file uses. A hint is prepared before the error and stands below it, on a line of
// its own.

#ifndef SINEW_MJCF_HINT_H_
#define SINEW_MJCF_HINT_H_

#include "mjcf/reader.h"

SN_EXTERN_C_BEGIN

// an attribute that the tag does not have
void sn_hintAttribute(snReader* r, const snXmlNode* node, const snTag* tag, const char* name);
// an element that the tag does not contain
void sn_hintElement(snReader* r, const snXmlNode* node, const snTag* parent);
// a word that is no keyword of the attribute
void sn_hintKeyword(snReader* r, const snXmlNode* node, const char* attribute, const snKeyword* map,
                    const char* word);
// a name of a type of element that nothing has
void sn_hintName(snReader* r, snObj type, const char* name);
// numbers that cannot be read, too many or too few of them: n, or up to n, are right; 0: any number of them
void sn_hintNumbers(snReader* r, const snXmlNode* node, const char* name, int n, int upto);
// an attribute that is missing: where later versions think otherwise
void sn_hintVersion(snReader* r, const snXmlNode* node, const char* attribute);

SN_EXTERN_C_END

#endif  // SINEW_MJCF_HINT_H_
