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
#include "mjcf/reader.h"

enum { MAX_ENTRY = 128 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static mjpResourceProvider providers[MAX_ENTRY];
static mjpDecoder decoders[MAX_ENTRY];
static int nprovider, ndecoder;

struct Space_;

// a resource of ours: what the program sees, and what lies behind it
typedef struct Resource_ {
  mjResource head;
  snResource file;
  const void* bytes;
  int nbytes;
  struct Space_* space;           // of its file system
  struct Resource_ *next, *prev;  // open ones of the same file system
} Resource;

// a folder that a provider serves; its data go to everything that is opened in it
typedef struct Mount_ {
  Resource* folder;
  struct Mount_* next;
} Mount;

// what a virtual file system has beside files in memory
typedef struct Space_ {
  mjVFS* vfs;
  Mount* mounts;
  Resource* open;
  int temporary;  // the file system was made for one resource that is opened without any
  int busy;       // calls that are opening something in a temporary one
} Space;

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

static int openOwned(const char* name, const snVFS* vfs, int owned, snBytes* bytes, void** handle);
static void closeOwned(void* handle) { mju_closeResource((mjResource*)handle); }
static int isServed(const char* name) { return mjp_getResourceProvider(name) != NULL; }
static const snResourceHook kHook = {openOwned, closeOwned, isServed};

static int isSame(const mjpResourceProvider* a, const mjpResourceProvider* b) {
  return a->open == b->open && a->read == b->read && a->close == b->close && a->mount == b->mount &&
         a->unmount == b->unmount && a->modified == b->modified && a->data == b->data;
}

MJAPI int mjp_registerResourceProvider(const mjpResourceProvider* provider) {
  if (!isScheme(provider->prefix)) {
    mju_warning("provider->prefix is '%s' which is not a valid URI scheme format",
                provider->prefix ? provider->prefix : "(null)");
    return -1;
  }
  if (!provider->open || !provider->read || !provider->close) {
    mju_warning("provider must have the open, read, and close callbacks defined");
    return -1;
  }
  for (int i = 0; i < nprovider; i++) {
    if (strcasecmp(providers[i].prefix, provider->prefix)) continue;
    if (isSame(providers + i, provider)) return i + 1;
    mju_error("resource provider '%s' is already registered", provider->prefix);
    return -1;
  }
  mjpResourceProvider copy = *provider;
  copy.prefix = duplicate(provider->prefix);
  pthread_mutex_lock(&lock);
  int slot = copy.prefix && nprovider < MAX_ENTRY ? ++nprovider : -1;
  if (slot > 0) providers[slot - 1] = copy;
  pthread_mutex_unlock(&lock);
  if (slot > 0) sn_setResourceHook(&kHook);
  return slot;
}

// ---- resources ----

static Resource* makeResource(const char* name, mjVFS* vfs) {
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

static void listResource(Space* space, Resource* resource) {
  resource->space = space;
  resource->next = space->open;
  if (space->open) space->open->prev = resource;
  space->open = resource;
}

static void delistResource(Resource* resource) {
  Space* space = resource->space;
  if (!space) return;
  if (resource->next) resource->next->prev = resource->prev;
  if (resource->prev) {
    resource->prev->next = resource->next;
  } else {
    space->open = resource->next;
  }
}

// ---- folders that providers serve ----

static void checkData(const mjResource* resource) {
  if (!resource->data) return;
  mju_warning("mjResource::data is not null; did you forget to close/unmount it?");
}

static void unmount(Mount* mount) {
  mjResource* folder = &mount->folder->head;
  if (folder->provider->unmount) folder->provider->unmount(folder);
  checkData(folder);
  freeResource(mount->folder);
  mju_free(mount);
}

// Resources that are still open are closed, then all folders go.
static void freeSpace(void* memory) {
  Space* space = (Space*)memory;
  int count = 0;
  for (const Resource* r = space->open; r; r = r->next) count++;
  if (count && !space->temporary) {
    mju_warning("VFS destroyed with %d open resources. Resources will be invalidated.", count);
  }
  while (space->open) mju_closeResource(&space->open->head);
  for (Mount *mount = space->mounts, *next; mount; mount = next) {
    next = mount->next;
    unmount(mount);
  }
  mju_free(space);
}

// the space of a file system
static Space* spaceOf(mjVFS* vfs) {
  void** place = sn_mountsVFS((snVFS*)vfs, freeSpace);
  if (!place || *place) return place ? (Space*)*place : NULL;
  Space* space = (Space*)mju_malloc(sizeof(Space));
  if (!space) return NULL;
  memset(space, 0, sizeof(*space));
  space->vfs = vfs;
  *place = space;
  return space;
}

static void holdTemporary(Space* space) { space->busy += space->temporary; }

// once nothing is open in it any more
static void freeTemporary(Space* space) {
  if (!space->temporary || space->open || space->busy) return;
  mjVFS* vfs = space->vfs;
  sn_deleteVFS((snVFS*)vfs);
  mju_free(vfs);
}

static void dropTemporary(Space* space) {
  space->busy -= space->temporary;
  freeTemporary(space);
}

// of the file system that a program names, or of a temporary one
static Space* spaceFor(const mjVFS* vfs) {
  if (vfs && vfs->impl_) return spaceOf((mjVFS*)(uintptr_t)vfs);
  mjVFS* own = (mjVFS*)mju_malloc(sizeof(mjVFS));
  if (!own) return NULL;
  sn_defaultVFS((snVFS*)own);
  Space* space = spaceOf(own);
  if (space) {
    space->temporary = 1;
  } else {
    sn_deleteVFS((snVFS*)own);
    mju_free(own);
  }
  return space;
}

static Mount* addMount(Space* space, const char* path, const mjpResourceProvider* provider) {
  Mount* mount = (Mount*)mju_malloc(sizeof(Mount));
  Resource* folder = mount ? makeResource(path, space->vfs) : NULL;
  if (!folder) {
    mju_free(mount);
    return NULL;
  }
  folder->head.provider = provider;
  mount->folder = folder;
  mount->next = space->mounts;
  space->mounts = mount;
  sn_setResourceHook(&kHook);
  if (provider->mount) provider->mount(&folder->head);
  return mount;
}

// the longest path that is mounted and owns a name, longer than some length
static Mount* ownerOf(const Space* space, const char* name, size_t longest) {
  Mount* best = NULL;
  for (Mount* at = space->mounts; at; at = at->next) {
    const char* path = at->folder->head.name;
    size_t length = strlen(path);
    if (length <= longest || strncmp(name, path, length)) continue;
    if (name[length] && name[length] != '/') continue;
    longest = length;
    best = at;
  }
  return best;
}

static Mount* findMount(const Space* space, const char* path) {
  Mount* at = space->mounts;
  while (at && strcmp(at->folder->head.name, path)) at = at->next;
  return at;
}

static const char* lastPart(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

// What is mounted under the last part of a name, whatever the folders, where no file in memory is.
static Mount* findLastPart(const Space* space, const char* name) {
  snBytes bytes;
  if (sn_findVFS((const snVFS*)space->vfs, name, &bytes)) return NULL;
  Mount* at = space->mounts;
  while (at && strcasecmp(lastPart(at->folder->head.name), lastPart(name))) at = at->next;
  return at;
}

// A scheme is mounted where it is first used, under its prefix.
static Mount* mountOf(Space* space, const char* name, size_t owned) {
  Mount* mount = ownerOf(space, name, owned);
  if (mount || owned) return mount;
  const mjpResourceProvider* provider = mjp_getResourceProvider(name);
  if (!provider) return findLastPart(space, name);
  mount = findMount(space, provider->prefix);
  return mount ? mount : addMount(space, provider->prefix, provider);
}

static Resource* openMounted(const Mount* mount, const char* name) {
  const mjResource* folder = &mount->folder->head;
  Resource* resource = makeResource(name, folder->vfs);
  if (!resource) return NULL;
  resource->head.provider = folder->provider;
  resource->head.data = folder->data;
  if (!folder->provider->open(&resource->head)) {
    freeResource(resource);
    return NULL;
  }
  if (resource->head.data == folder->data) resource->head.data = NULL;
  return resource;
}

static int openOwned(const char* name, const snVFS* vfs, int owned, snBytes* bytes, void** handle) {
  Space* space = spaceFor((const mjVFS*)vfs);
  if (!space) return 0;
  holdTemporary(space);
  const Mount* mount = mountOf(space, name, (size_t)owned);
  Resource* resource = mount ? openMounted(mount, name) : NULL;
  if (resource) listResource(space, resource);
  dropTemporary(space);
  if (!resource) return mount ? -1 : 0;
  const void* data = NULL;
  int size = mju_readResource(&resource->head, &data);
  if (size < 0) {
    mju_closeResource(&resource->head);
    return -1;
  }
  bytes->data = (const unsigned char*)data;
  bytes->size = (size_t)size;
  *handle = resource;
  return 1;
}

static int isNull(const mjVFS* vfs) {
  if (vfs && vfs->impl_) return 0;
  mju_error("mjVFS is null.");
  return 1;
}

MJAPI void mj_defaultVFS(mjVFS* vfs) {
  sn_defaultVFS((snVFS*)vfs);
  spaceOf(vfs);
}

// whether a provider serves exactly this path
static int isMounted(mjVFS* vfs, const char* name) {
  const Space* space = spaceOf(vfs);
  char* path = space && name ? sn_normalName(name) : NULL;
  int found = path && findMount(space, path);
  mju_free(path);
  return found;
}

MJAPI int mj_addFileVFS(mjVFS* vfs, const char* directory, const char* filename) {
  return isNull(vfs) ? -1 : sn_addFileVFS((snVFS*)vfs, directory, filename);
}

MJAPI int mj_addBufferVFS(mjVFS* vfs, const char* name, const void* buffer, int nbuffer) {
  if (isNull(vfs)) return -1;
  return isMounted(vfs, name) ? 2 : sn_addBufferVFS((snVFS*)vfs, name, buffer, nbuffer);
}

// whether the bytes of exactly this path are in memory
static int isBuffer(const mjVFS* vfs, const char* path) {
  snBytes bytes;
  return sn_ownerVFS((const snVFS*)vfs, path, &bytes) == (int)strlen(path);
}

MJAPI int mj_mountVFS(mjVFS* vfs, const char* filepath, const mjpResourceProvider* provider) {
  if (isNull(vfs) || !filepath || !provider) return -1;
  Space* space = spaceOf(vfs);
  char* path = space ? sn_normalName(filepath) : NULL;
  if (!path) return -1;
  int taken = findMount(space, path) || isBuffer(vfs, path);
  int status = taken ? 2 : addMount(space, path, provider) ? 0 : -1;
  mju_free(path);
  return status;
}

// what a provider serves under exactly this path
static int removeMount(Space* space, const char* path) {
  for (Mount** at = &space->mounts; *at; at = &(*at)->next) {
    Mount* mount = *at;
    if (strcmp(mount->folder->head.name, path)) continue;
    *at = mount->next;
    unmount(mount);
    return 1;
  }
  return 0;
}

MJAPI int mj_unmountVFS(mjVFS* vfs, const char* filename) {
  if (isNull(vfs) || !filename) return -1;
  Space* space = spaceOf(vfs);
  char* path = space ? sn_normalName(filename) : NULL;
  int status = !path                      ? -1
               : removeMount(space, path) ? 0
               : isBuffer(vfs, path)      ? sn_deleteFileVFS((snVFS*)vfs, path)
                                          : -1;
  mju_free(path);
  return status;
}

// the path itself, else its last part in small letters, as files from disk are named
MJAPI int mj_deleteFileVFS(mjVFS* vfs, const char* filename) {
  if (!vfs || !vfs->impl_ || !filename) return -1;
  Space* space = spaceOf(vfs);
  char* path = space ? sn_normalName(filename) : NULL;
  int gone = path && removeMount(space, path);
  if (path && !gone && !isBuffer(vfs, path)) {
    char* last = path + (lastPart(path) - path);
    for (char* c = last; *c; c++) *c = (char)(*c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c);
    gone = removeMount(space, last);
  }
  mju_free(path);
  return gone ? 0 : sn_deleteFileVFS((snVFS*)vfs, filename);
}

// ---- opening and closing ----

// Files in memory and on disk have providers, too: without a prefix, for they are not registered.
static int keepPlain(mjResource* resource) { return resource->name != NULL; }

static int readPlain(mjResource* resource, const void** buffer) {
  *buffer = ((Resource*)resource)->bytes;
  return ((Resource*)resource)->nbytes;
}

static void closePlain(mjResource* resource) {
  sn_closeResource(&((Resource*)resource)->file);
  resource->data = NULL;
}

static int comparePlain(const mjResource* resource, const char* timestamp) {
  int buffer = !((const Resource*)resource)->file.owned;
  return sn_compareStamps(resource->timestamp, timestamp, buffer);
}

static const mjpResourceProvider kDisk = {
    .open = keepPlain, .read = readPlain, .close = closePlain, .modified = comparePlain};
static const mjpResourceProvider kMemory = {.open = keepPlain,
                                            .read = readPlain,
                                            .close = closePlain,
                                            .mount = keepPlain,
                                            .unmount = keepPlain,
                                            .modified = comparePlain};

static Resource* openPlain(const char* path, mjVFS* vfs) {
  Resource* resource = makeResource(path, vfs);
  if (!resource) return NULL;
  if (sn_openResource(&resource->file, (const snVFS*)vfs, "", path, NULL, 0)) {
    freeResource(resource);
    return NULL;
  }
  resource->bytes = resource->file.bytes.data;
  resource->nbytes = (int)resource->file.bytes.size;
  resource->head.provider = resource->file.owned ? &kDisk : &kMemory;
  if (resource->file.owned) resource->head.data = &resource->file;
  sn_resourceStamp(&resource->file, path, resource->head.timestamp,
                   sizeof(resource->head.timestamp));
  return resource;
}

MJAPI mjResource* mju_openResource(const char* dir, const char* name, const mjVFS* vfs, char* error,
                                   size_t nerror) {
  char path[2048];
  snBytes bytes;
  if (error && nerror) error[0] = 0;
  int fits = sn_pathJoin(dir, name, path, sizeof(path));
  char* normal = fits ? sn_normalName(path) : NULL;
  Space* space = normal ? spaceFor(vfs) : NULL;
  Resource* resource = NULL;
  if (space) {
    holdTemporary(space);
    int owned = sn_ownerVFS((const snVFS*)vfs, normal, &bytes);
    const Mount* mount = mountOf(space, normal, (size_t)owned);
    resource = mount ? openMounted(mount, normal) : openPlain(normal, space->vfs);
  }
  if (resource) listResource(space, resource);
  if (space) dropTemporary(space);
  if (!resource && error && nerror) snprintf(error, nerror, "Error opening file '%s'", name);
  mju_free(normal);
  return resource ? &resource->head : NULL;
}

MJAPI void mju_closeResource(mjResource* resource) {
  if (!resource) return;
  Resource* own = (Resource*)resource;
  Space* space = own->space;
  delistResource(own);
  if (resource->provider) resource->provider->close(resource);
  checkData(resource);
  freeResource(own);
  if (space) freeTemporary(space);
}

MJAPI int mju_readResource(mjResource* resource, const void** buffer) {
  const mjpResourceProvider* provider = resource->provider;
  return provider && provider->read ? provider->read(resource, buffer) : -1;
}

MJAPI void mju_getResourceDir(mjResource* resource, const char** dir, int* ndir) {
  *dir = NULL;
  *ndir = 0;
  if (!resource || !resource->name) return;
  const char *slash = strrchr(resource->name, '/'), *colon = strchr(resource->name, ':');
  const char* end = slash ? slash : colon;
  *dir = resource->name;
  *ndir = end ? (int)(end - resource->name) + 1 : 0;
  // never less than the prefix of the provider, also where a name does not begin with it
  const char* prefix = resource->provider ? resource->provider->prefix : NULL;
  int least = prefix ? (int)strlen(prefix) + 1 : 0, length = (int)strlen(resource->name);
  if (*ndir < least) *ndir = least < length ? least : length;
}

MJAPI int mju_isModifiedResource(const mjResource* resource, const char* timestamp) {
  const mjpResourceProvider* provider = resource ? resource->provider : NULL;
  return provider && provider->modified ? provider->modified(resource, timestamp) : 1;
}

// ---- decoders ----

MJAPI void mjp_defaultDecoder(mjpDecoder* decoder) { memset(decoder, 0, sizeof(*decoder)); }

static int sameText(const char* a, const char* b) { return a && b ? !strcasecmp(a, b) : a == b; }

MJAPI void mjp_registerDecoder(const mjpDecoder* decoder) {
  if (!decoder->decode || !decoder->can_decode) {
    mju_warning("decoder must provide decode and can_decode callbacks.");
    return;
  }
  if (!decoder->content_type && !decoder->extension) {
    mju_warning("decoder must provide content_type and/or extensions.");
    return;
  }
  for (int i = 0; i < ndecoder; i++) {
    const mjpDecoder* known = decoders + i;
    if (known->decode == decoder->decode && known->can_decode == decoder->can_decode &&
        sameText(known->content_type, decoder->content_type) &&
        sameText(known->extension, decoder->extension)) {
      return;
    }
  }
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

// by type where one is asked for, else by extension; taken when it says that it can
MJAPI const mjpDecoder* mjp_findDecoder(const mjResource* resource, const char* content_type) {
  for (int i = 0; i < ndecoder && content_type && content_type[0]; i++) {
    const mjpDecoder* decoder = &decoders[i];
    if (decoder->content_type && !strcasecmp(decoder->content_type, content_type) &&
        decoder->can_decode(resource)) {
      return decoder;
    }
  }
  for (int i = 0; i < ndecoder; i++) {
    const mjpDecoder* decoder = &decoders[i];
    if (hasExtension(decoder->extension, resource->name) && decoder->can_decode(resource)) {
      return decoder;
    }
  }
  return NULL;
}

MJAPI mjSpec* mju_decodeResource(mjResource* resource, const char* content_type, const mjVFS* vfs) {
  const mjpDecoder* decoder = mjp_findDecoder(resource, content_type);
  if (decoder) return decoder->decode(resource, vfs);
  mju_warning("Could not find decoder for resource '%s'", resource->name);
  return NULL;
}

// A file that cannot be opened is a name to the decoder, no more.
static snSpec* decodeFile(const char* filename, const char* content_type, const snVFS* vfs,
                          char* error, int error_sz) {
  const mjVFS* files = (const mjVFS*)vfs;
  mjResource* resource =
      mju_openResource("", filename, files, error, (size_t)(error_sz > 0 ? error_sz : 0));
  Resource* bare = resource ? NULL : makeResource(filename, (mjVFS*)(uintptr_t)files);
  mjSpec* spec = resource || bare
                     ? mju_decodeResource(resource ? resource : &bare->head, content_type, files)
                     : NULL;
  if (!spec && error && error_sz > 0) snprintf(error, (size_t)error_sz, "could not decode content");
  mju_closeResource(resource);
  if (bare) freeResource(bare);
  return (snSpec*)spec;
}

__attribute__((constructor)) static void installDecoders(void) { sn_setDecodeHook(decodeFile); }
