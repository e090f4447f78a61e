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

#include "asset/vfs.h"
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

static void freeResource(Resource* resource) {
  mju_free(resource->head.name);
  mju_free(resource);
}

static Resource* openWith(const char* name, const mjVFS* vfs, const mjpResourceProvider* provider,
                          void* data) {
  Resource* resource = makeResource(name, vfs);
  if (!resource) return NULL;
  resource->head.provider = provider;
  resource->head.data = data;
  if (provider->open(&resource->head)) return resource;
  freeResource(resource);
  return NULL;
}

static Resource* openProvider(const char* name, const mjVFS* vfs,
                              const mjpResourceProvider* provider) {
  return openWith(name, vfs, provider, NULL);
}

// ---- folders of a virtual file system that a provider serves ----

typedef struct Mount_ {
  Resource* folder;  // its name is the path, its data go to everything opened in it
  struct Mount_* next;
} Mount;

static int isInside(const char* name, const char* folder) {
  size_t length = strlen(folder);
  return !strncmp(name, folder, length) && (!name[length] || name[length] == '/');
}

static const Mount* findMount(const mjVFS* vfs, const char* name) {
  void** mounts = vfs ? sn_mountsVFS((snVFS*)(uintptr_t)vfs, NULL) : NULL;
  char* normal = mounts && *mounts ? sn_normalName(name) : NULL;
  if (!normal) return NULL;
  const Mount* mount = (const Mount*)*mounts;
  while (mount && !isInside(normal, mount->folder->head.name)) mount = mount->next;
  mju_free(normal);
  return mount;
}

static Resource* openMounted(const Mount* mount, const mjVFS* vfs, const char* name) {
  char* normal = sn_normalName(name);
  if (!normal) return NULL;
  const mjResource* folder = &mount->folder->head;
  Resource* resource = openWith(normal, vfs, folder->provider, folder->data);
  mju_free(normal);
  return resource;
}

static void unmount(Mount* mount) {
  mjResource* folder = &mount->folder->head;
  if (folder->provider->unmount) folder->provider->unmount(folder);
  if (folder->data) {
    mju_warning("mjResource::data is not null; did you forget to close/unmount it?");
  }
  freeResource(mount->folder);
  mju_free(mount);
}

static void unmountAll(void* mounts) {
  for (Mount *mount = (Mount*)mounts, *next; mount; mount = next) {
    next = mount->next;
    unmount(mount);
  }
}

MJAPI int mj_mountVFS(mjVFS* vfs, const char* filepath, const mjpResourceProvider* provider) {
  void** mounts = vfs && filepath && provider ? sn_mountsVFS((snVFS*)vfs, unmountAll) : NULL;
  char* path = mounts ? sn_normalName(filepath) : NULL;
  if (!path) return -1;
  for (const Mount* at = (const Mount*)*mounts; at; at = at->next) {
    if (strcmp(at->folder->head.name, path)) continue;
    mju_free(path);
    return 2;
  }
  Mount* mount = (Mount*)mju_malloc(sizeof(Mount));
  Resource* folder = mount ? makeResource(path, vfs) : NULL;
  mju_free(path);
  if (!folder) {
    mju_free(mount);
    return -1;
  }
  const snResourceHook hook = {openScheme, closeScheme};
  sn_setResourceHook(&hook);
  folder->head.provider = provider;
  mount->folder = folder;
  mount->next = (Mount*)*mounts;
  *mounts = mount;
  if (provider->mount) provider->mount(&folder->head);
  return 0;
}

MJAPI int mj_unmountVFS(mjVFS* vfs, const char* filename) {
  void** mounts = vfs && filename ? sn_mountsVFS((snVFS*)vfs, NULL) : NULL;
  char* path = mounts ? sn_normalName(filename) : NULL;
  for (Mount** at = path ? (Mount**)mounts : NULL; at && *at; at = &(*at)->next) {
    Mount* mount = *at;
    if (strcmp(mount->folder->head.name, path)) continue;
    *at = mount->next;
    unmount(mount);
    mju_free(path);
    return 0;
  }
  mju_free(path);
  return mj_deleteFileVFS(vfs, filename);
}

static int openScheme(const char* name, const snVFS* vfs, snBytes* bytes, void** handle) {
  const mjpResourceProvider* provider = mjp_getResourceProvider(name);
  const Mount* mount = provider ? NULL : findMount((const mjVFS*)vfs, name);
  if (!provider && !mount) return 0;
  Resource* resource = mount ? openMounted(mount, (const mjVFS*)vfs, name)
                             : openProvider(name, (const mjVFS*)vfs, provider);
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
  const Mount* mount = provider ? NULL : findMount(vfs, path);
  Resource* resource = provider ? openProvider(path, vfs, provider)
                       : mount  ? openMounted(mount, vfs, path)
                                : makeResource(path, vfs);
  if (!resource) {
    if (error && nerror) snprintf(error, nerror, "Error opening file '%s'", path);
    return NULL;
  }
  if (provider || mount) return &resource->head;
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

// by type where one is asked for and known, else by what the decoders say of the resource
MJAPI const mjpDecoder* mjp_findDecoder(const mjResource* resource, const char* content_type) {
  for (int i = 0; i < ndecoder && content_type && content_type[0]; i++) {
    const mjpDecoder* decoder = &decoders[i];
    if (decoder->content_type && !strcasecmp(decoder->content_type, content_type)) return decoder;
  }
  for (int i = 0; i < ndecoder; i++) {
    const mjpDecoder* decoder = &decoders[i];
    int match = decoder->can_decode ? decoder->can_decode(resource)
                                    : hasExtension(decoder->extension, resource->name);
    if (match) return decoder;
  }
  return NULL;
}

MJAPI mjSpec* mju_decodeResource(mjResource* resource, const char* content_type, const mjVFS* vfs) {
  const mjpDecoder* decoder = mjp_findDecoder(resource, content_type);
  if (decoder && decoder->decode) return decoder->decode(resource, vfs);
  mju_warning("Could not find decoder for resource '%s'", resource->name);
  return NULL;
}

MJAPI mjSpec* mj_parse(const char* filename, const char* content_type, const mjVFS* vfs,
                       char* error, int error_sz) {
  mjResource* resource =
      ndecoder ? mju_openResource("", filename, vfs, error, (size_t)(error_sz > 0 ? error_sz : 0))
               : NULL;
  const mjpDecoder* decoder = resource ? mjp_findDecoder(resource, content_type) : NULL;
  mjSpec* spec = decoder && decoder->decode ? decoder->decode(resource, vfs) : NULL;
  mju_closeResource(resource);
  if (decoder && decoder->decode) return spec;
  return (mjSpec*)sn_parse(filename, content_type, (const snVFS*)vfs, error, error_sz);
}
