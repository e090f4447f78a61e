#include "mjcf/xml.h"

#include <string.h>

#include "base/error.h"

typedef struct Parser_ {
  snPool* pool;
  char* at;  // next character; the text ends with a zero
  char* end;
  int line;
  int begin;            // line on which the markup, text or attribute that is read begins
  const char* subject;  // what MuJoCo's messages name behind the line, and its name
  const char* subjectName;
  const char* file;
  snXmlNode* root;
  const char* content;  // behind the latest opening tag
  snXmlNode* open;      // innermost element that is not closed
  int depth;
  int elements;  // seen so far
  int begun;     // something else than declarations has been read
  char* error;
  int error_sz;
} Parser;

// what is wrong, with the numbers and names that programs know from MuJoCo's messages
enum {
  BAD_ELEMENT = 6,
  BAD_ATTRIBUTE,
  BAD_TEXT,
  BAD_CDATA,
  BAD_COMMENT,
  BAD_DECLARATION,
  BAD_UNKNOWN,
  BAD_EMPTY,
  BAD_MISMATCH,
  BAD_PARSING,
  BAD_DEPTH = 18
};

static const char* errorName(int code) {
  switch (code) {
    case BAD_ELEMENT: return "XML_ERROR_PARSING_ELEMENT";
    case BAD_ATTRIBUTE: return "XML_ERROR_PARSING_ATTRIBUTE";
    case BAD_TEXT: return "XML_ERROR_PARSING_TEXT";
    case BAD_CDATA: return "XML_ERROR_PARSING_CDATA";
    case BAD_COMMENT: return "XML_ERROR_PARSING_COMMENT";
    case BAD_DECLARATION: return "XML_ERROR_PARSING_DECLARATION";
    case BAD_UNKNOWN: return "XML_ERROR_PARSING_UNKNOWN";
    case BAD_EMPTY: return "XML_ERROR_EMPTY_DOCUMENT";
    case BAD_MISMATCH: return "XML_ERROR_MISMATCHED_ELEMENT";
    case BAD_DEPTH: return "XML_ELEMENT_DEPTH_EXCEEDED";
    default: return "XML_ERROR_PARSING";
  }
}

// Plain messages are those of MuJoCo's XML library.
static int fail(Parser* p, int code, const char* what) {
  char where[300] = "";
  if (sn_plainMessages()) {
    sn_formatError(p->error, p->error_sz,
                   "XML parse error %d:\nError=%s ErrorID=%d (0x%x) Line number=%d%s%s%s\n", code,
                   errorName(code), code, code, code == BAD_EMPTY ? 0 : p->begin,
                   p->subject ? ": " : "", p->subject ? p->subject : "",
                   p->subjectName ? p->subjectName : "");
    return 0;
  }
  if (p->file && *p->file) sn_formatError(where, sizeof(where), " of '%s'", p->file);
  sn_formatError(p->error, p->error_sz,
                 "XML parse error %d:\nError=%s ErrorID=%d (0x%x) Line number=%d: %s\n"
                 "Element '%s', line %d%s\n",
                 code, errorName(code), code, code, p->line, what, p->open ? p->open->name : "",
                 p->line, where);
  return 0;
}

static void setSubject(Parser* p, const char* subject, const char* name) {
  p->subject = subject;
  p->subjectName = name;
}

// in an element with a name
static int failIn(Parser* p, const char* name, int code, const char* what) {
  setSubject(p, "XMLElement name=", name);
  return fail(p, code, what);
}

static int isSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static int isNameStart(char c) {
  unsigned char u = (unsigned char)c;
  return u >= 128 || (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z') || u == '_' || u == ':';
}

static int isName(char c) {
  return isNameStart(c) || (c >= '0' && c <= '9') || c == '.' || c == '-';
}

static void skipSpace(Parser* p) {
  for (; p->at < p->end && isSpace(*p->at); p->at++) p->line += *p->at == '\n';
}

static int startsWith(const Parser* p, const char* text) {
  size_t n = strlen(text);
  return (size_t)(p->end - p->at) >= n && !memcmp(p->at, text, n);
}

// move behind the next occurrence of a text
static int skipPast(Parser* p, const char* text) {
  size_t n = strlen(text);
  for (; (size_t)(p->end - p->at) >= n; p->at++) {
    if (*p->at == text[0] && !memcmp(p->at, text, n)) {
      p->at += n;
      return 1;
    }
    p->line += *p->at == '\n';
  }
  p->at = p->end;
  return 0;
}

// name at the current position; its end is returned, NULL when there is none
static char* scanName(Parser* p) {
  if (p->at >= p->end || !isNameStart(*p->at)) return NULL;
  char* end = p->at;
  while (end < p->end && isName(*end)) end++;
  return end;
}

static int putUtf8(char* dest, unsigned long code) {
  if (code < 0x80) {
    dest[0] = (char)code;
    return 1;
  }
  int n = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  for (int i = n - 1; i > 0; i--, code >>= 6) dest[i] = (char)(0x80 | (code & 0x3f));
  dest[0] = (char)((0xf00 >> n) | code);
  return n;
}

// decode &#65; or &#x41; at text; returns the characters read, 0 when it is not a character number
static int readCharacter(const char* text, const char* end, unsigned long* code) {
  const char* at = text + 2;
  int base = 10;
  if (at < end && *at == 'x') {
    base = 16;
    at++;
  }
  const char* digits = at;
  *code = 0;
  for (; at < end && *at != ';'; at++) {
    char c = (char)(*at | 32);
    int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
    if (digit >= base || *code > 0x10ffff) return 0;
    *code = *code * (unsigned)base + (unsigned)digit;
  }
  if (at >= end || at == digits || *code == 0 || *code > 0x10ffff) return 0;
  return (int)(at - text) + 1;
}

// replace entities and line ends in place; the result is never longer
static void decode(char* value, char* end) {
  static const struct {
    const char* name;
    char letter;
  } entities[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
  char* to = value;
  for (char* from = value; from < end;) {
    int taken = 0;
    unsigned long code;
    if (*from == '&') {
      for (int i = 0; i < 5 && !taken; i++) {
        size_t n = strlen(entities[i].name);
        if ((size_t)(end - from) >= n && !memcmp(from, entities[i].name, n)) {
          *to++ = entities[i].letter;
          taken = (int)n;
        }
      }
      if (!taken && end - from > 3 && from[1] == '#') {
        taken = readCharacter(from, end, &code);
        if (taken) to += putUtf8(to, code);
      }
    } else if (*from == '\r') {
      *to++ = '\n';
      taken = end - from > 1 && from[1] == '\n' ? 2 : 1;
    }
    if (taken) {
      from += taken;
    } else {
      *to++ = *from++;
    }
  }
  *to = 0;
}

const char* sn_xmlAttr(const snXmlNode* node, const char* name) {
  for (const snXmlAttr* attr = node->attr; attr; attr = attr->next) {
    if (!strcmp(attr->name, name)) return attr->value;
  }
  return NULL;
}

static int parseAttribute(Parser* p, snXmlAttr*** tail) {
  char* name = p->at;
  char* nameEnd = scanName(p);
  p->begin = p->line;
  setSubject(p, "XMLElement name=", p->open->name);
  if (!nameEnd) return fail(p, BAD_ATTRIBUTE, "attribute name expected");
  p->at = nameEnd;
  skipSpace(p);
  if (p->at >= p->end || *p->at != '=')
    return fail(p, BAD_ATTRIBUTE, "'=' expected behind an attribute name");
  p->at++;
  skipSpace(p);
  if (p->at >= p->end || (*p->at != '"' && *p->at != '\'')) {
    return fail(p, BAD_ATTRIBUTE, "attribute value in quotes expected");
  }
  char quote = *p->at++;
  char* value = p->at;
  while (p->at < p->end && *p->at != quote) p->line += *p->at++ == '\n';
  if (p->at >= p->end) return fail(p, BAD_ATTRIBUTE, "attribute value is not closed");
  char* valueEnd = p->at++;
  *nameEnd = 0;
  decode(value, valueEnd);
  if (sn_xmlAttr(p->open, name)) return fail(p, BAD_ATTRIBUTE, "repeated attribute");
  snXmlAttr* attr = SN_TAKE(p->pool, snXmlAttr, 1);
  if (!attr) return fail(p, BAD_PARSING, "out of memory");
  attr->name = name;
  attr->value = value;
  **tail = attr;
  *tail = &attr->next;
  p->begin = p->open->line;
  setSubject(p, NULL, NULL);
  return 1;
}

static void close(Parser* p) {
  p->open = p->open->parent;
  p->depth--;
}

// an opening tag, behind its '<' and blanks
static int parseOpening(Parser* p, char* nameEnd) {
  snXmlNode* node = SN_TAKE(p->pool, snXmlNode, 1);
  if (!node) return fail(p, BAD_PARSING, "out of memory");
  node->name = p->at;
  node->line = p->line;
  node->file = p->file;
  node->parent = p->open;
  if (p->open) {
    *(p->open->last ? &p->open->last->next : &p->open->first) = node;
    p->open->last = node;
  } else if (!p->root) {
    p->root = node;
  }
  if (++p->depth > snXML_MAXDEPTH) {
    setSubject(p, "Element nesting is too deep.", NULL);
    return fail(p, BAD_DEPTH, "elements are nested too deeply");
  }
  p->open = node;
  p->elements++;
  p->at = nameEnd;
  snXmlAttr** tail = &node->attr;
  for (int nattr = 0;; nattr++) {
    skipSpace(p);
    char c = p->at < p->end ? *p->at : 0;
    int selfclosing = c == '/' && p->end - p->at > 1 && p->at[1] == '>';
    if (c == '>' || selfclosing) {
      *nameEnd = 0;
      p->at += 1 + selfclosing;
      if (selfclosing) close(p);
      if (!selfclosing) p->content = p->at;
      return 1;
    }
    *nameEnd = 0;  // a blank, already behind us
    if (!isNameStart(c) || p->at == nameEnd) {
      if (p->at >= p->end) setSubject(p, "XMLElement name=", node->name);
      return fail(p, BAD_ELEMENT, "opening tag is not closed");
    }
    if (nattr == snXML_MAXATTR) return fail(p, BAD_ATTRIBUTE, "an element has too many attributes");
    if (!parseAttribute(p, &tail)) return 0;
  }
}

static int failMismatch(Parser* p) {
  p->begin = p->open->line;
  return failIn(p, p->open->name, BAD_MISMATCH, "closing tag does not match the opening one");
}

static int parseClosing(Parser* p) {
  skipSpace(p);
  const char* name = p->at;
  char* end = scanName(p);
  if (!end) return fail(p, BAD_PARSING, "unexpected closing tag");
  p->at = end;
  skipSpace(p);
  if (p->open && startsWith(p, "/>")) return failMismatch(p);
  if (p->at >= p->end || *p->at != '>') {
    int attribute = p->at < p->end && p->at > end && isNameStart(*p->at);
    *end = 0;
    if (p->at >= p->end) setSubject(p, "XMLElement name=", name);
    if (attribute) p->begin = p->line;
    return attribute ? failIn(p, name, BAD_ATTRIBUTE, "attributes in a closing tag")
                     : fail(p, BAD_ELEMENT, "closing tag is not closed");
  }
  p->at++;
  if (!p->open) {  // the document ends here
    p->at = p->end;
    return 1;
  }
  size_t n = (size_t)(end - name);
  if (strlen(p->open->name) != n || memcmp(p->open->name, name, n)) {
    return failMismatch(p);
  }
  close(p);
  return 1;
}

// behind a '<'
static int parseMarkup(Parser* p) {
  p->begun |= startsWith(p, "!");
  if (startsWith(p, "!--")) {
    p->at += 3;
    char* comment = p->at;
    if (!skipPast(p, "-->")) return fail(p, BAD_COMMENT, "comment is not closed");
    if (p->open && p->open == p->root && !p->root->first && !p->root->comment) {
      p->at[-3] = 0;
      p->root->comment = comment;
    }
    return 1;
  }
  if (startsWith(p, "![CDATA["))
    return skipPast(p, "]]>") || fail(p, BAD_CDATA, "CDATA is not closed");
  if (startsWith(p, "!"))
    return skipPast(p, ">") || fail(p, BAD_UNKNOWN, "declaration is not closed");
  if (startsWith(p, "?")) {
    char* value = ++p->at;
    if (p->begun) {
      if (skipPast(p, "?>")) {
        p->at[-2] = 0;
        setSubject(p, "XMLDeclaration value=", value);
        p->line = p->begin;
      }
      return fail(p, BAD_DECLARATION, "declaration inside of the document");
    }
    return skipPast(p, "?>") || fail(p, BAD_DECLARATION, "declaration is not closed");
  }
  p->begun = 1;
  skipSpace(p);
  if (startsWith(p, "/")) {
    p->at++;
    return parseClosing(p);
  }
  char* end = scanName(p);
  return end ? parseOpening(p, end) : fail(p, BAD_PARSING, "element name expected");
}

static int parseDocument(Parser* p) {
  int markup = 0;
  if (startsWith(p, "\xef\xbb\xbf")) p->at += 3;
  for (;;) {
    skipSpace(p);
    if (p->at >= p->end) break;
    p->begin = p->line;
    if (*p->at != '<') {
      // text between elements means nothing, but something must follow it
      p->begun = 1;
      while (p->at < p->end && *p->at != '<') p->line += *p->at++ == '\n';
      if (p->at >= p->end) {
        return fail(p, BAD_TEXT, p->root ? "text behind the document" : "text without any element");
      }
    }
    p->at++;
    p->begin = p->line;
    markup = 1;
    if (!parseMarkup(p)) return 0;
  }
  // MuJoCo's library tells an element that is only opened from one with content
  if (p->open) {
    p->begin = p->open->line;
    return p->content == p->end ? failIn(p, p->open->name, BAD_MISMATCH, "element is not closed")
                                : fail(p, BAD_PARSING, "element is not closed");
  }
  if (p->root) return 1;
  if (!markup) return fail(p, BAD_EMPTY, "empty document");
  sn_formatError(p->error, p->error_sz, "XML root element not found");
  return 0;
}

snXmlNode* sn_xmlParse(snPool* pool, const char* text, size_t length, const char* file, char* error,
                       int error_sz) {
  const char* zero = (const char*)memchr(text, 0, length);
  if (zero) length = (size_t)(zero - text);
  size_t nfile = file ? strlen(file) : 0;
  char* copy = SN_TAKE(pool, char, length + 1);
  char* name = SN_TAKE(pool, char, nfile + 1);
  Parser p = {
      .pool = pool, .at = copy, .line = 1, .file = name, .error = error, .error_sz = error_sz};
  if (!copy || !name) {
    fail(&p, BAD_PARSING, "out of memory");
    return NULL;
  }
  memcpy(copy, text, length);
  if (nfile) memcpy(name, file, nfile);
  p.end = copy + length;
  return parseDocument(&p) ? p.root : NULL;
}

void sn_xmlReplace(snXmlNode* child, snXmlNode* first, snXmlNode* last) {
  snXmlNode* parent = child->parent;
  snXmlNode* before = parent->first == child ? NULL : parent->first;
  while (before && before->next != child) before = before->next;
  snXmlNode* head = first ? first : child->next;
  *(before ? &before->next : &parent->first) = head;
  if (last) last->next = child->next;
  if (parent->last == child) parent->last = last ? last : before;
  for (snXmlNode* node = first; node && node != child->next; node = node->next) {
    node->parent = parent;
    node->included = 1;
  }
}
