// XML documents as trees.
//
// The parser accepts what the models of the field contain, which is more than XML allows: any byte
// above 127 is a letter, comments may contain "--", encodings and document types are skipped, a
// bare ampersand stands for itself. Entities other than the five of XML and character numbers are
// not expanded, so a document never grows: memory is proportional to the length of the text. Depth
// is bounded, and so is the number of attributes of an element, which are looked for one by one: time is
// proportional to the length of the text too. A tree remembers the file and line of every element.

#ifndef SINEW_MJCF_XML_H_
#define SINEW_MJCF_XML_H_

#include "base/pool.h"

SN_EXTERN_C_BEGIN

enum { snXML_MAXDEPTH = 500, snXML_MAXATTR = 256 };

typedef struct snXmlAttr_ {
  const char* name;
  const char* value;
  struct snXmlAttr_* next;
} snXmlAttr;

typedef struct snXmlNode_ {
  const char* name;
  snXmlAttr* attr;
  const char* comment;  // of the root: the one that comes before anything else; NULL when none
  struct snXmlNode_* parent;
  struct snXmlNode_* first;
  struct snXmlNode_* last;
  struct snXmlNode_* next;
  const char* file;
  int line;
  int included;  // came into its parent through an include
} snXmlNode;

// Parse a text; the tree and the file name live in the pool. Returns the root element, or NULL with
// the reason, line and element.
snXmlNode* sn_xmlParse(snPool* pool, const char* text, size_t length, const char* file, char* error,
                       int error_sz);

// Value of an attribute, NULL when it is absent.
const char* sn_xmlAttr(const snXmlNode* node, const char* name);

// Put a list of siblings (first..last) in the place of a child.
void sn_xmlReplace(snXmlNode* child, snXmlNode* first, snXmlNode* last);

SN_EXTERN_C_END

#endif  // SINEW_MJCF_XML_H_
