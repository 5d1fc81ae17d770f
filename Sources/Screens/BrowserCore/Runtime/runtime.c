// The parts of a C library that Swift needs: memory only. Block sizes are powers of two and the
// halves between them; freed blocks wait in a list per size, so memory use is constant in steady
// state.

typedef unsigned long size_t;
typedef unsigned char byte;

extern byte __heap_base;

// Memory grows by this many pages at once if possible: each growth invalidates the page's views.
enum { page = 65536, header = 16, classes = 64, step = 64 };

typedef struct block {
  size_t class;
  struct block *next;
} block;

static block *freed[classes];
static size_t top, end;

// 64, 80, 96, 128, 160, …: powers of two and the halves between them, plus 32 bytes for this header
// and that of a Swift array, so that an array of 1,024 candles fits exactly.
static size_t size_of(size_t class) {
  return ((class & 1 ? 48ul : 32ul) << (class >> 1)) + 32;
}

static void *more(size_t class) {
  size_t size = size_of(class);
  if (!top) {
    top = ((size_t)&__heap_base + 15) & ~15ul;
    end = __builtin_wasm_memory_size(0) * page;
  }
  if (size > end - top) {
    size_t pages = (size - (end - top) + page - 1) / page;
    if (pages < step && __builtin_wasm_memory_grow(0, step) != (size_t)-1) pages = step;
    else if (__builtin_wasm_memory_grow(0, pages) == (size_t)-1) return 0;
    end += pages * page;
  }
  block *fresh = (block *)top;
  top += size;
  fresh->class = class;
  return (byte *)fresh + header;
}

void *malloc(size_t wanted) {
  if (wanted > 0x40000000ul) return 0;
  size_t class = 0;
  while (size_of(class) < wanted + header) class += 1;
  block *known = freed[class];
  if (!known) return more(class);
  freed[class] = known->next;
  return (byte *)known + header;
}

void free(void *memory) {
  if (!memory) return;
  block *given = (block *)((byte *)memory - header);
  given->next = freed[given->class];
  freed[given->class] = given;
}

// Nothing here needs more than the blocks' alignment of 16 bytes.
int posix_memalign(void **result, size_t alignment, size_t wanted) {
  if (alignment > header) return 22;
  *result = malloc(wanted);
  return *result ? 0 : 12;
}

void *memcpy(void *to, const void *from, size_t count) {
  return __builtin_memcpy(to, from, count);
}

void *memmove(void *to, const void *from, size_t count) {
  return __builtin_memmove(to, from, count);
}

void *memset(void *to, int value, size_t count) {
  return __builtin_memset(to, value, count);
}

int memcmp(const void *left, const void *right, size_t count) {
  const byte *a = left, *b = right;
  for (size_t at = 0; at < count; at += 1) {
    if (a[at] != b[at]) return a[at] < b[at] ? -1 : 1;
  }
  return 0;
}

// Seeds Swift's hash tables. No table here has keys chosen by an attacker, so deterministic
// behaviour is preferred.
void arc4random_buf(void *to, size_t count) {
  memset(to, 0x5a, count);
}

// 64 × 64 bits to 128, for overflow checks of products.
__int128 __multi3(__int128 left, __int128 right) {
  typedef unsigned long long wide;
  wide a = (wide)left, b = (wide)right, low = 0xffffffffull;
  wide ll = (a & low) * (b & low), lh = (a & low) * (b >> 32), hl = (a >> 32) * (b & low);
  wide middle = (ll >> 32) + (lh & low) + (hl & low);
  wide high = (a >> 32) * (b >> 32) + (lh >> 32) + (hl >> 32) + (middle >> 32)
    + (wide)(left >> 64) * b + a * (wide)(right >> 64);
  return (__int128)(((unsigned __int128)high << 64) | (middle << 32) | (ll & low));
}

// Swift prints why a program ends; a page has no terminal.
int putchar(int sign) {
  return sign;
}
