// Resource providers and decoders under MuJoCo's names.
//
// Providers serve names with their scheme ("mem:model.xml"), models and their assets alike. The table
// only grows; registering is for the start of a program.

#include "asset/resource.h"

#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "compat/compat.h"

enum { MAX_ENTRY = 128 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static mjpResourceProvider providers[MAX_ENTRY];
static mjpDecoder decoders[MAX_ENTRY];
static int nprovider, ndecoder;

// a resource of ours: what the program sees, and what lies behind it
typedef struct Resource_ {
  mjResource head;
  snResource file;
  const void* bytes;
  int nbytes;
} Resource;

static char* duplicate(const char* text) {
  size_t length = strlen(text) + 1;
  char* copy = (char*)mju_malloc(length);
  if (copy) memcpy(copy, text, length);
  return copy;
}

// ---- providers ----

// a scheme starts with a letter and goes on with letters, digits, '+', '-', '.'
static int isScheme(const char* text) {
  if (!text || !isalpha((unsigned char)text[0])) return 0;
  for (; *text; text++) {
    if (!isalnum((unsigned char)*text) && !strchr("+-.", *text)) return 0;
  }
  return 1;
}

MJAPI void mjp_defaultResourceProvider(mjpResourceProvider* provider) {
  memset(provider, 0, sizeof(*provider));
}

MJAPI int mjp_resourceProviderCount(void) { return nprovider; }

MJAPI const mjpResourceProvider* mjp_getResourceProviderAtSlot(int slot) {
  return slot >= 1 && slot <= nprovider ? &providers[slot - 1] : NULL;
}

MJAPI const mjpResourceProvider* mjp_getResourceProvider(const char* resource_name) {
  const char* colon = resource_name ? strchr(resource_name, ':') : NULL;
  for (int i = 0; colon && i < nprovider; i++) {
    size_t length = strlen(providers[i].prefix);
    if (length == (size_t)(colon - resource_name) &&
        !strncasecmp(providers[i].prefix, resource_name, length)) {
      return &providers[i];
    }
  }
  return NULL;
}

static int openScheme(const char* name, const snVFS* vfs, snBytes* bytes, void** handle);
static void closeScheme(void* handle) { mju_closeResource((mjResource*)handle); }

MJAPI int mjp_registerResourceProvider(const mjpResourceProvider* provider) {
  if (!isScheme(provider->prefix)) {
    mju_warning("provider->prefix is '%s' which is not a valid URI scheme format",
                provider->prefix ? provider->prefix : "");
    return -1;
  }
  if (!provider->open || !provider->read || !provider->close) {
    mju_warning("provider must have the open, read, and close callbacks defined");
    return -1;
  }
  for (int i = 0; i < nprovider; i++) {
    if (strcasecmp(providers[i].prefix, provider->prefix)) continue;
    if (providers[i].open == provider->open && providers[i].read == provider->read) return i + 1;
    mju_error("provider '%s' is already registered", provider->prefix);
    return -1;
  }
  mjpResourceProvider copy = *provider;
  copy.prefix = duplicate(provider->prefix);
  const snResourceHook hook = {openScheme, closeScheme};
  pthread_mutex_lock(&lock);
  int slot = copy.prefix && nprovider < MAX_ENTRY ? ++nprovider : -1;
  if (slot > 0) providers[slot - 1] = copy;
  pthread_mutex_unlock(&lock);
  if (slot > 0) sn_setResourceHook(&hook);
  return slot;
}

// ---- resources ----

static Resource* makeResource(const char* name, const mjVFS* vfs) {
  Resource* resource = (Resource*)mju_malloc(sizeof(Resource));
  if (!resource) return NULL;
  memset(resource, 0, sizeof(*resource));
  resource->head.name = duplicate(name);
  resource->head.vfs = vfs;
  resource->nbytes = -1;
  return resource;
}

static Resource* openProvider(const char* name, const mjVFS* vfs,
                              const mjpResourceProvider* provider) {
  Resource* resource = makeResource(name, vfs);
  if (!resource) return NULL;
  resource->head.provider = provider;
  if (!provider->open(&resource->head)) {
    mju_free(resource->head.name);
    mju_free(resource);
    return NULL;
  }
  return resource;
}

static int openScheme(const char* name, const snVFS* vfs, snBytes* bytes, void** handle) {
  const mjpResourceProvider* provider = mjp_getResourceProvider(name);
  if (!provider) return 0;
  Resource* resource = openProvider(name, (const mjVFS*)vfs, provider);
  const void* data = NULL;
  int size = resource ? mju_readResource(&resource->head, &data) : -1;
  if (size < 0) {
    mju_closeResource(resource ? &resource->head : NULL);
    return -1;
  }
  bytes->data = (const unsigned char*)data;
  bytes->size = (size_t)size;
  *handle = resource;
  return 1;
}

MJAPI mjResource* mju_openResource(const char* dir, const char* name, const mjVFS* vfs, char* error,
                                   size_t nerror) {
  char path[2048];
  if (error && nerror) error[0] = 0;
  sn_pathJoin(mjp_getResourceProvider(name) ? "" : dir, name, path, sizeof(path));
  const mjpResourceProvider* provider = mjp_getResourceProvider(path);
  Resource* resource = provider ? openProvider(path, vfs, provider) : makeResource(path, vfs);
  if (!resource) {
    if (error && nerror) snprintf(error, nerror, "Error opening file '%s'", path);
    return NULL;
  }
  if (provider) return &resource->head;
  if (sn_openResource(&resource->file, (const snVFS*)vfs, "", path, error, (int)nerror)) {
    mju_closeResource(&resource->head);
    return NULL;
  }
  resource->bytes = resource->file.bytes.data;
  resource->nbytes = (int)resource->file.bytes.size;
  return &resource->head;
}

MJAPI void mju_closeResource(mjResource* resource) {
  if (!resource) return;
  Resource* own = (Resource*)resource;
  if (resource->provider) {
    resource->provider->close(resource);
  } else {
    sn_closeResource(&own->file);
  }
  mju_free(resource->name);
  mju_free(own);
}

MJAPI int mju_readResource(mjResource* resource, const void** buffer) {
  if (resource->provider) return resource->provider->read(resource, buffer);
  *buffer = ((Resource*)resource)->bytes;
  return ((Resource*)resource)->nbytes;
}

MJAPI void mju_getResourceDir(mjResource* resource, const char** dir, int* ndir) {
  *dir = NULL;
  *ndir = 0;
  if (!resource || !resource->name) return;
  const char *slash = strrchr(resource->name, '/'), *colon = strchr(resource->name, ':');
  const char* end = slash ? slash : colon;
  *dir = resource->name;
  *ndir = end ? (int)(end - resource->name) + 1 : 0;
}

MJAPI int mju_isModifiedResource(const mjResource* resource, const char* timestamp) {
  if (resource->provider && resource->provider->modified) {
    return resource->provider->modified(resource, timestamp);
  }
  return 1;
}

// ---- decoders ----

MJAPI void mjp_defaultDecoder(mjpDecoder* decoder) { memset(decoder, 0, sizeof(*decoder)); }

MJAPI void mjp_registerDecoder(const mjpDecoder* decoder) {
  mjpDecoder copy = *decoder;
  copy.content_type = decoder->content_type ? duplicate(decoder->content_type) : NULL;
  copy.extension = decoder->extension ? duplicate(decoder->extension) : NULL;
  pthread_mutex_lock(&lock);
  if (ndecoder < MAX_ENTRY) decoders[ndecoder++] = copy;
  pthread_mutex_unlock(&lock);
}

// one of the extensions of a list such as ".xml|.mjcf"
static int hasExtension(const char* list, const char* name) {
  const char* dot = strrchr(name, '.');
  size_t length = dot ? strlen(dot) : 0;
  for (const char* item = list; length && item && *item;) {
    const char* end = strchr(item, '|');
    size_t size = end ? (size_t)(end - item) : strlen(item);
    if (size == length && !strncasecmp(item, dot, size)) return 1;
    item = end ? end + 1 : NULL;
  }
  return 0;
}

MJAPI const mjpDecoder* mjp_findDecoder(const mjResource* resource, const char* content_type) {
  for (int i = 0; i < ndecoder; i++) {
    const mjpDecoder* decoder = &decoders[i];
    int match = content_type && content_type[0]
                    ? decoder->content_type && !strcasecmp(decoder->content_type, content_type)
                    : hasExtension(decoder->extension, resource->name);
    if (match && (!decoder->can_decode || decoder->can_decode(resource))) return decoder;
  }
  return NULL;
}

MJAPI mjSpec* mju_decodeResource(mjResource* resource, const char* content_type, const mjVFS* vfs) {
  const mjpDecoder* decoder = mjp_findDecoder(resource, content_type);
  if (decoder && decoder->decode) return decoder->decode(resource, vfs);
  mju_warning("Could not find decoder for resource '%s'", resource->name);
  return NULL;
}
