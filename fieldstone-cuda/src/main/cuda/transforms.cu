// Joint weight distributions without pairs: computes sums over functionals s of
// F_a(s) F_b(s) F_c(s), where F_a is the Walsh-Hadamard transform of the indicator of weight a over
// the 2^k messages of a code.
//
// A message has a high and a low part; a slice has all s with the same high part. For a slice,
// f_a(l) is the sum over the high parts h of (-1)^(s·h) [wt c(h, l) = a], and F_a in the slice is the
// transform of f_a over the low parts. For a symmetry A (an invertible map of high parts and of low
// parts that keeps weights), f of slice s at A·l equals f of slice A^T·s at l.
//
// 1. transform_orbits, transform_images: find one low part of each orbit, and its images.
// 2. transform_count: for one low part of each orbit, counts the words of all high parts by weight,
//    and transforms over the high bits in shared memory. Two weights share a 32-bit word
//    (first + 2^16·second); sums and differences of such words are correct as long as both numbers
//    fit 16 bits. An image of the low part gets the value at the image of the slice, so the work
//    is divided by the number of symmetries.
// 3. transform_first, transform_middle_R: transform ten bits of the low part per warp, then R bits at
//    a time in registers, in 32 bits as long as these suffice: |f_a| is at most 2^(high bits), and
//    each bit doubles it.
// 4. transform_last: transforms the remaining bits, up to twelve, in 64 bits. A value of at least
//    `limit` (2^23) is replaced by the smallest integer, and is written elsewhere.
// 5. transform_products: computes sums of products on tensor cores. For 32 functionals and 16 pairs
//    (a, b), the products F_a F_b (46 bits) are the rows of a matrix, and F_c are the columns of
//    another. 8-bit instructions multiply the bytes of the first by the bytes of the second. Only the
//    top byte in two's complement is signed; the 6·3 products of bytes add up to eight sums of
//    different place values. Functionals with a larger value are listed instead.
// 6. transform_products_exact: computes sums of products in 128 bits, of listed or all functionals.
//
// Arrays of low parts have 2^padded_bits elements, at least 2^14, with zeros past 2^low_bits.

#include "fieldstone.cuh"

/** Arguments of transform_orbits. low_images: row A, column i is the image of bit i; 32 columns. */
struct TransformOrbitsArguments {
  const uint32_t* low_images;
  /** Receives the smallest low part of each orbit, in any order; null to count only. */
  uint32_t* representatives;
  unsigned long long* count;
  int32_t symmetries;
  int32_t low_bits;
};

struct TransformImagesArguments {
  const uint32_t* low_images;
  const uint32_t* representatives;
  /** Receives the image of representative r by symmetry A at r·symmetries + A. */
  uint32_t* images;
  int64_t representative_count;
  int32_t symmetries;
  int32_t low_bits;
};

struct TransformCountArguments {
  /** Basis of the code: first the high rows, then the low rows. */
  const uint32_t* basis;
  /** length + 1 positions of weights in the list of weights; 255 for weights that do not occur. */
  const uint8_t* places;
  /** One low part per orbit; null if each low part is an orbit. */
  const uint32_t* representatives;
  const uint32_t* images;
  /** High part of the image of slice i's functional by A transposed, at i·symmetries + A. */
  const uint16_t* points;
  /** Receives f: of slice i, at i·pitch + l·pairs + p, weights 2p and 2p + 1. */
  uint32_t* values;
  int64_t pitch;
  int64_t representative_count;
  int32_t symmetries;
  int32_t slices;
  int32_t high_bits;
  int32_t low_bits;
  int32_t length;
  int32_t words;
  /** Pairs of weights: half of their number, rounded up. */
  int32_t pairs;
  int32_t unused;
};

/** Arguments of transform_first: the lowest bits of a slice, up to ten. */
struct TransformFirstArguments {
  const uint32_t* values;
  /** Receives the transform of weight a at a·2^padded_bits. */
  int32_t* transforms;
  int32_t padded_bits;
  int32_t bits;
  int32_t weights;
  int32_t pairs;
};

/** Arguments of transform_middle_R: transforms bits first_bit … first_bit + R - 1 in place. */
struct TransformMiddleArguments {
  int32_t* transforms;
  int32_t padded_bits;
  int32_t first_bit;
  int32_t weights;
  int32_t unused;
};

/** Arguments of transform_last: the highest bits, of a range of functionals. */
struct TransformLastArguments {
  const int32_t* transforms;
  /** Receives the values of weight a at a·pitch; all weights have the same order. */
  int32_t* values;
  /** Receives the values that `values` replaces by the smallest integer. */
  int64_t* large;
  int64_t pitch;
  /** Tiles of 2^14 functionals; a block transforms one tile of one weight. */
  int64_t first_tile;
  int64_t tiles;
  int64_t limit;
  int32_t padded_bits;
  int32_t bits;
};

/** 16 pairs (a, b) of weights, and up to sixteen weights c. */
struct TripleUnit {
  /** A pair with a > b is unused. */
  uint8_t a[16];
  uint8_t b[16];
  int32_t first_c;
  int32_t end_c;

  __device__ __forceinline__ int octets() const { return (end_c - first_c + 7) / 8; }
};

/** Arguments of transform_products: sums of products of functionals [0, count) of a chunk. */
struct TransformProductsArguments {
  const int32_t* values;
  int64_t pitch;
  int64_t count;
  const TripleUnit* units;
  /** Receives words of place values 1, 2^32 and 2^64 at 3i, for triple i of a ≤ b ≤ c in order. */
  unsigned long long* sums;
  /** Receive the functionals that are not summed, and their number. */
  uint32_t* left_out;
  uint32_t* left_out_count;
  int32_t unit_count;
  int32_t weights;
  /** Functionals of a tile: a multiple of 32. */
  int32_t tile;
  int32_t unused;
};

struct TransformExactArguments {
  const int32_t* values;
  const int64_t* large;
  int64_t pitch;
  /** Functionals to sum; null for all of `count`. */
  const uint32_t* list;
  const uint32_t* list_count;
  int64_t count;
  /** a, b and c of each triple; the fourth byte is unused. */
  const uchar4* triples;
  unsigned long long* sums;
  int32_t triple_count;
  int32_t weights;
};

static_assert(sizeof(TransformOrbitsArguments) == 32, "the host writes 32 bytes");
static_assert(sizeof(TransformImagesArguments) == 40, "the host writes 40 bytes");
static_assert(sizeof(TransformCountArguments) == 96, "the host writes 96 bytes");
static_assert(sizeof(TransformFirstArguments) == 32, "the host writes 32 bytes");
static_assert(sizeof(TransformMiddleArguments) == 24, "the host writes 24 bytes");
static_assert(sizeof(TransformLastArguments) == 64, "the host writes 64 bytes");
static_assert(sizeof(TripleUnit) == 40, "the host writes 40 bytes");
static_assert(sizeof(TransformProductsArguments) == 72, "the host writes 72 bytes");
static_assert(sizeof(TransformExactArguments) == 72, "the host writes 72 bytes");

namespace transforms {

extern __shared__ uint4 shared_vectors[];

/** Marks a value that is too large. */
constexpr int32_t kLarge = INT32_MIN;

/** Transforms one bit in registers: i with and without the bit. */
template <int kCount, class T>
__device__ __forceinline__ void butterfly(T (&v)[kCount], int bit) {
#pragma unroll
  for (int i = 0; i < kCount; i++) {
    if ((i >> bit & 1) == 0) {
      const T low = v[i];
      const T high = v[i | 1 << bit];
      v[i] = low + high;
      v[i | 1 << bit] = low - high;
    }
  }
}

// ---- 1. Orbits ----

constexpr int kImageColumns = 32;

__device__ __forceinline__ uint32_t image_of(const uint4 (&columns)[kImageColumns / 4],
                                             uint32_t low) {
  uint32_t image = 0;
#pragma unroll
  for (int i = 0; i < kImageColumns / 4; i++) {
    image ^= columns[i].x & (0 - (low >> (4 * i) & 1));
    image ^= columns[i].y & (0 - (low >> (4 * i + 1) & 1));
    image ^= columns[i].z & (0 - (low >> (4 * i + 2) & 1));
    image ^= columns[i].w & (0 - (low >> (4 * i + 3) & 1));
  }
  return image;
}

__device__ __forceinline__ void load_map(uint4 (&columns)[kImageColumns / 4],
                                         const uint32_t* low_images, int symmetry) {
  const uint4* from = reinterpret_cast<const uint4*>(low_images + symmetry * kImageColumns);
#pragma unroll
  for (int i = 0; i < kImageColumns / 4; i++) {
    columns[i] = from[i];
  }
}

// ---- 2. Counting ----

/** Points of a tile: high parts of one or several low parts. A thread has 32 of them at a time. */
constexpr int kTileBits = 14;
constexpr int kTilePoints = 1 << kTileBits;
constexpr int kCountThreads = 512;
constexpr int kThreadPoints = kTilePoints / kCountThreads;
constexpr int kThreadBits = 9;

/** Returns the position of a point; none of the three access patterns has bank conflicts. */
__device__ __forceinline__ int place_of(int point) { return point + (point >> 5); }

constexpr int kTileWords = kTilePoints + (kTilePoints >> 5);

/** Sums of low rows for each byte of a low part, and of the high rows of each register. */
constexpr int kLowTables = 4;
constexpr int kByteValues = 256;

__device__ __forceinline__ uint32_t shift_left(uint32_t word, uint32_t by) {
  uint32_t shifted;  // 0 if `by` is more than 31
  asm("shl.b32 %0, %1, %2;" : "=r"(shifted) : "r"(word), "r"(by));
  return shifted;
}

template <int kWords>
struct Word {
  uint32_t parts[kWords];

  __device__ __forceinline__ void add(const uint32_t* other) {
#pragma unroll
    for (int i = 0; i < kWords / 4; i++) {
      const uint4 loaded = reinterpret_cast<const uint4*>(other)[i];
      parts[4 * i] ^= loaded.x;
      parts[4 * i + 1] ^= loaded.y;
      parts[4 * i + 2] ^= loaded.z;
      parts[4 * i + 3] ^= loaded.w;
    }
  }

  /** Adds the rows that the bits of a number select. */
  __device__ __forceinline__ void add_rows(const uint32_t* rows, uint32_t bits) {
    for (; bits != 0; bits &= bits - 1) {
      add(rows + (__ffs(bits) - 1) * kWords);
    }
  }

  __device__ __forceinline__ int weight() const {
    int ones = 0;
#pragma unroll
    for (int i = 0; i < kWords; i++) {
      ones += __popc(parts[i]);
    }
    return ones;
  }
};

/** Shared memory of transform_count. */
template <int kWords>
struct CountMemory {
  uint32_t* points;
  uint32_t* low_sums;
  uint32_t* high_sums;
  uint8_t* places;
  uint16_t* images;

  __device__ __forceinline__ CountMemory(uint32_t* memory)
      : points(memory),
        low_sums(points + kTileWords),
        high_sums(low_sums + kLowTables * kByteValues * kWords),
        places(reinterpret_cast<uint8_t*>(high_sums + kThreadPoints * kWords)),
        images(reinterpret_cast<uint16_t*>(places + 272)) {}

  __device__ __forceinline__ void fill(const TransformCountArguments& a) const {
    const uint32_t* low_rows = a.basis + a.high_bits * kWords;
    for (int i = threadIdx.x; i < kLowTables * kByteValues; i += kCountThreads) {
      const int first = i / kByteValues * 8;
      const int rows = min(max(a.low_bits - first, 0), 8);
      Word<kWords> sum{};
      sum.add_rows(low_rows + first * kWords, i % kByteValues & ((1 << rows) - 1));
      memcpy(low_sums + i * kWords, sum.parts, sizeof(sum.parts));
    }
    if (threadIdx.x < kThreadPoints) {
      const int rows = max(a.high_bits - kThreadBits, 0);
      Word<kWords> sum{};
      sum.add_rows(a.basis + kThreadBits * kWords, threadIdx.x & ((1 << rows) - 1));
      memcpy(high_sums + threadIdx.x * kWords, sum.parts, sizeof(sum.parts));
    }
    for (int i = threadIdx.x; i <= a.length; i += kCountThreads) {
      places[i] = a.places[i];
    }
    for (int i = threadIdx.x; i < a.slices * a.symmetries; i += kCountThreads) {
      images[i] = a.points[i];
    }
  }

  __device__ __forceinline__ Word<kWords> low_word(uint32_t low) const {
    Word<kWords> word{};
#pragma unroll
    for (int i = 0; i < kLowTables; i++) {
      word.add(low_sums + (i * kByteValues + (low >> 8 * i & 0xFF)) * kWords);
    }
    return word;
  }
};

/** Computes the positions of the weights of a thread's 32 words, i·512 + thread, one byte each. */
template <int kWords>
__device__ __forceinline__ void find_places(const TransformCountArguments& a,
                                            const CountMemory<kWords>& memory, int64_t first,
                                            const Word<kWords>& thread_word,
                                            uint32_t (&places)[kThreadPoints / 4]) {
  int64_t previous = -1;
  Word<kWords> low_word{};
#pragma unroll
  for (int i = 0; i < kThreadPoints; i++) {
    const int64_t representative =
        first + ((i * kCountThreads + static_cast<int>(threadIdx.x)) >> a.high_bits);
    if (representative != previous && representative < a.representative_count) {
      const uint32_t low = a.representatives == nullptr ? static_cast<uint32_t>(representative)
                                                        : a.representatives[representative];
      low_word = memory.low_word(low);
      previous = representative;
    }
    Word<kWords> word = low_word;
#pragma unroll
    for (int part = 0; part < kWords; part++) {
      word.parts[part] ^= thread_word.parts[part];
    }
    word.add(memory.high_sums + i * kWords);
    const uint32_t place =
        representative < a.representative_count ? memory.places[word.weight()] : 0xFF;
    places[i / 4] = i % 4 == 0 ? place : places[i / 4] | place << (8 * (i % 4));
  }
}

/** Computes the indicators of two weights, transformed over the high bits, in shared memory. */
__device__ __forceinline__ void transform_pair(int high_bits, int pair, uint32_t* points,
                                               const uint32_t (&places)[kThreadPoints / 4]) {
  uint32_t v[kThreadPoints];
#pragma unroll
  for (int i = 0; i < kThreadPoints; i++) {
    const uint32_t place = permute(places[i / 4], 0, 0x4440 + i % 4);
    v[i] = shift_left(1, (place - 2 * pair) * 16);
  }
#pragma unroll
  for (int bit = 0; bit < 5; bit++) {
    if (kThreadBits + bit < high_bits) {
      butterfly(v, bit);
    }
  }
  __syncthreads();  // The previous values have been read.
#pragma unroll
  for (int i = 0; i < kThreadPoints; i++) {
    points[place_of(i * kCountThreads + threadIdx.x)] = v[i];
  }
  __syncthreads();
  if (high_bits > 4) {
    uint32_t* from = points + place_of((threadIdx.x >> 4) * kCountThreads + (threadIdx.x & 15));
#pragma unroll
    for (int i = 0; i < kThreadPoints; i++) {
      v[i] = from[place_of(i * 16)];
    }
#pragma unroll
    for (int bit = 0; bit < 5; bit++) {
      if (4 + bit < high_bits) {
        butterfly(v, bit);
      }
    }
#pragma unroll
    for (int i = 0; i < kThreadPoints; i++) {
      from[place_of(i * 16)] = v[i];
    }
    __syncthreads();
  }
  if (high_bits > 0) {
#pragma unroll
    for (int i = 0; i < kThreadPoints; i++) {
      v[i] = points[place_of((i / 16 * kCountThreads + threadIdx.x) * 16) + i % 16];
    }
#pragma unroll
    for (int bit = 0; bit < 4; bit++) {
      if (bit < high_bits) {
        butterfly(v, bit);
      }
    }
#pragma unroll
    for (int i = 0; i < kThreadPoints; i++) {
      points[place_of((i / 16 * kCountThreads + threadIdx.x) * 16) + i % 16] = v[i];
    }
    __syncthreads();
  }
}

/** Writes the values of two weights for all images of a tile's low parts, in all slices. */
__device__ __forceinline__ void scatter_pair(const TransformCountArguments& a, int64_t first,
                                             int pair, const uint32_t* points,
                                             const uint16_t* images) {
  const int representatives = static_cast<int>(
      min(a.representative_count - first, int64_t{kTilePoints} >> a.high_bits));
  const uint32_t symmetries = a.symmetries;
  for (uint32_t i = threadIdx.x; i < representatives * symmetries; i += kCountThreads) {
    const uint32_t representative = i / symmetries;
    const uint32_t symmetry = i - representative * symmetries;
    const int64_t low = a.representatives == nullptr ? first + representative
                                                     : a.images[first * symmetries + i];
    uint32_t* to = a.values + low * a.pairs + pair;
    for (int slice = 0; slice < a.slices; slice++, to += a.pitch) {
      const int point = images[slice * symmetries + symmetry] | representative << a.high_bits;
      *to = points[place_of(point)];
    }
  }
}

template <int kWords>
__device__ __forceinline__ void count(const TransformCountArguments& a) {
  const CountMemory<kWords> memory(reinterpret_cast<uint32_t*>(shared_vectors));
  memory.fill(a);
  __syncthreads();
  Word<kWords> thread_word{};
  const int thread_rows = min(a.high_bits, kThreadBits);
  thread_word.add_rows(a.basis, threadIdx.x & ((1 << thread_rows) - 1));
  const int64_t tile_representatives = kTilePoints >> a.high_bits;
  for (int64_t first = blockIdx.x * tile_representatives; first < a.representative_count;
       first += gridDim.x * tile_representatives) {
    uint32_t places[kThreadPoints / 4];
    find_places<kWords>(a, memory, first, thread_word, places);
    for (int pair = 0; pair < a.pairs; pair++) {
      transform_pair(a.high_bits, pair, memory.points, places);
      scatter_pair(a, first, pair, memory.points, memory.images);
    }
  }
}

// ---- 3. The low bits, in 32 bits ----

constexpr int kFirstBits = 10;
constexpr int kFirstPoints = 1 << kFirstBits;
constexpr int kFirstThreads = 256;
constexpr int kFirstWarps = kFirstThreads / kWarpSize;
/** Pairs of weights in shared memory at a time. */
constexpr int kFirstPairs = 16;

/** Copies some pairs of 1024 low parts; one padding word follows the 32 of each lane. */
__device__ __forceinline__ void stage(const TransformFirstArguments& a, uint32_t* staged,
                                      int64_t base, int first_pair, int pairs) {
  const int lane = threadIdx.x % kWarpSize;
  for (int group = threadIdx.x / kWarpSize; group < kWarpSize; group += kFirstWarps) {
    const uint32_t* from = a.values + (base + group * kWarpSize) * a.pairs + first_pair;
    uint32_t* to = staged + group * (kWarpSize * pairs + 1);
    if (pairs == a.pairs) {
      for (int i = lane; i < kWarpSize * pairs; i += kWarpSize) {
        to[i] = from[i];
      }
    } else {
      for (int i = lane; i < kWarpSize * pairs; i += kWarpSize) {
        to[i] = from[i / pairs * a.pairs + i % pairs];
      }
    }
  }
}

/** Transforms one weight of 1024 low parts by a warp. */
__device__ __forceinline__ void transform_first(int bits, const uint32_t* staged, int pairs,
                                                int pair, bool second, int32_t* exchange,
                                                int32_t* to) {
  const int lane = threadIdx.x % kWarpSize;
  int32_t v[32];
  const uint32_t* from = staged + lane * (kWarpSize * pairs + 1) + pair;
#pragma unroll
  for (int i = 0; i < 32; i++) {
    const int32_t both = from[i * pairs];
    const int32_t first = static_cast<int16_t>(both);
    v[i] = second ? (both - first) >> 16 : first;
  }
#pragma unroll
  for (int bit = 0; bit < 5; bit++) {
    if (bit < bits) {
      butterfly(v, bit);
    }
  }
  __syncwarp();
#pragma unroll
  for (int i = 0; i < 32; i++) {
    exchange[lane * 33 + i] = v[i];
  }
  __syncwarp();
#pragma unroll
  for (int i = 0; i < 32; i++) {
    v[i] = exchange[i * 33 + lane];
  }
#pragma unroll
  for (int bit = 0; bit < 5; bit++) {
    if (5 + bit < bits) {
      butterfly(v, bit);
    }
  }
#pragma unroll
  for (int i = 0; i < 32; i++) {
    to[i * 32 + lane] = v[i];
  }
}

template <int kBits>
__device__ __forceinline__ void transform_middle(const TransformMiddleArguments& a) {
  const int64_t all = static_cast<int64_t>(a.weights) << (a.padded_bits - kBits);
  const int64_t below = (int64_t{1} << a.first_bit) - 1;
  for (int64_t i = launch_thread(); i < all; i += launch_threads()) {
    int32_t* at = a.transforms + ((i & ~below) << kBits | (i & below));
    int32_t v[1 << kBits];
#pragma unroll
    for (int j = 0; j < 1 << kBits; j++) {
      v[j] = at[int64_t{j} << a.first_bit];
    }
#pragma unroll
    for (int bit = 0; bit < kBits; bit++) {
      butterfly(v, bit);
    }
    asm("" : "+l"(at));  // Prevents that all addresses are kept in registers.
#pragma unroll
    for (int j = 0; j < 1 << kBits; j++) {
      at[int64_t{j} << a.first_bit] = v[j];
    }
  }
}

// ---- 4. The highest bits, in 64 bits ----

constexpr int kLastTileBits = 14;
constexpr int kLastThreads = 256;
constexpr int kLastThreadBits = 8;
constexpr int kLastPoints = 64;

/** Returns an element of the tile in shared memory. */
__device__ __forceinline__ int last_place(int element) { return element + (element >> 8) * 4; }

struct LastTile {
  const int32_t* from;
  int32_t* to;
  int64_t* large;
  int64_t limit;
  int columns;      // bits
  int64_t pitch;    // distance of points, in bits

  __device__ __forceinline__ LastTile(const TransformLastArguments& a) {
    const int64_t tile = blockIdx.x % a.tiles;
    const int64_t weight = blockIdx.x / a.tiles;
    columns = kLastTileBits - a.bits;
    pitch = a.padded_bits - a.bits;
    from = a.transforms + (weight << a.padded_bits) + ((a.first_tile + tile) << columns);
    to = a.values + weight * a.pitch + (tile << kLastTileBits);
    large = a.large + weight * a.pitch + (tile << kLastTileBits);
    limit = a.limit;
  }

  __device__ __forceinline__ int64_t load(int element) const {
    return from[(int64_t{element} >> columns << pitch) + (element & ((1 << columns) - 1))];
  }

  __device__ __forceinline__ void store(int element, int64_t value) const {
    const bool fits = value < limit && value > -limit;
    to[element] = fits ? static_cast<int32_t>(value) : kLarge;
    if (!fits) {
      large[element] = value;
    }
  }
};

// ---- 5. Products on tensor cores ----

constexpr int kProductThreads = 384;
constexpr int kProductWarps = kProductThreads / kWarpSize;
constexpr int kStep = 32;          // functionals of an instruction
constexpr int kPairBytes = 6;      // bytes of F_a F_b, |F_a F_b| < 2^46
constexpr int kValueBytes = 3;     // bytes of F_c, |F_c| < 2^23
constexpr int kWorths = kPairBytes + kValueBytes - 1;
constexpr int kMostOctets = 2;
/** Padding words between rows of values: consecutive rows start 16 banks apart. */
constexpr int kRowPadding = 16;
/** Maximum functionals of a 32-bit sum, which has at most three products of 255² for each. */
constexpr int kMostProducts = 8192;

/** Transposes 4×4 bytes: byte j of out[i] is byte i of in[j], for the first kRows i. */
template <int kRows>
__device__ __forceinline__ void transpose(const int32_t (&in)[4], uint32_t (&out)[kRows]) {
  const uint32_t even = permute(in[0], in[1], 0x5140);
  const uint32_t odd = permute(in[2], in[3], 0x5140);
  out[0] = permute(even, odd, 0x5410);
  out[1] = permute(even, odd, 0x7632);
  if constexpr (kRows > 2) {
    const uint32_t upper_even = permute(in[0], in[1], 0x7362);
    const uint32_t upper_odd = permute(in[2], in[3], 0x7362);
    out[2] = permute(upper_even, upper_odd, 0x5410);
    if constexpr (kRows > 3) {
      out[3] = permute(upper_even, upper_odd, 0x7632);
    }
  }
}

/** Bytes of 16 rows, or of 8 columns, of a step, of one place value. */
struct ByteRows {
  uint32_t words[4];
};

struct ByteColumns {
  uint32_t words[2];
};

#if __CUDA_ARCH__ >= 800
#define FIELDSTONE_ADD_PRODUCTS(rows_type, columns_type)                              \
  asm("mma.sync.aligned.m16n8k32.row.col.s32." rows_type "." columns_type ".s32 "     \
      "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"                         \
      : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])                    \
      : "r"(rows.words[0]), "r"(rows.words[1]), "r"(rows.words[2]), "r"(rows.words[3]), \
        "r"(columns.words[0]), "r"(columns.words[1]))
#else
#define FIELDSTONE_ADD_PRODUCTS(rows_type, columns_type)
#endif

template <bool kSignedRows, bool kSignedColumns>
__device__ __forceinline__ void add_products(int32_t (&sums)[4], const ByteRows& rows,
                                             const ByteColumns& columns) {
  if constexpr (kSignedRows && kSignedColumns) {
    FIELDSTONE_ADD_PRODUCTS("s8", "s8");
  } else if constexpr (kSignedRows) {
    FIELDSTONE_ADD_PRODUCTS("s8", "u8");
  } else if constexpr (kSignedColumns) {
    FIELDSTONE_ADD_PRODUCTS("u8", "s8");
  } else {
    FIELDSTONE_ADD_PRODUCTS("u8", "u8");
  }
}

__device__ __forceinline__ int triple_count(int order) {
  return order * (order + 1) * (order + 2) / 6;
}

/** Returns the index of a ≤ b ≤ c in the order by a, then b, then c. */
__device__ __forceinline__ int triple_index(int order, int a, int b, int c) {
  const int from_a = order - a;
  const int from_b = order - b;
  return triple_count(order) - triple_count(from_a) +
         (from_a * (from_a + 1) - from_b * (from_b + 1)) / 2 + c - b;
}

/** Adds low + 2^32·high to three words. */
__device__ __forceinline__ void add_to(unsigned long long* sum, int64_t low, int64_t high) {
  atomicAdd(&sum[0], static_cast<unsigned long long>(low & 0xFFFFFFFF));
  atomicAdd(&sum[1], static_cast<unsigned long long>((low >> 32) + (high & 0xFFFFFFFF)));
  atomicAdd(&sum[2], static_cast<unsigned long long>(high >> 32));
}

/** The unit of a warp: sums for each place value, in the layout of the instruction. */
struct UnitSums {
  int32_t sums[kMostOctets][kWorths][4];

  __device__ __forceinline__ void clear() {
#pragma unroll
    for (int octet = 0; octet < kMostOctets; octet++) {
#pragma unroll
      for (int worth = 0; worth < kWorths; worth++) {
#pragma unroll
        for (int i = 0; i < 4; i++) {
          sums[octet][worth][i] = 0;
        }
      }
    }
  }

  __device__ __forceinline__ void flush(const TransformProductsArguments& a,
                                        const TripleUnit& unit) {
    const int lane = threadIdx.x % kWarpSize;
#pragma unroll
    for (int octet = 0; octet < kMostOctets; octet++) {
#pragma unroll
      for (int i = 0; i < 4; i++) {
        int64_t low = 0;
        int64_t high = 0;
#pragma unroll
        for (int worth = 0; worth < 4; worth++) {
          low += static_cast<int64_t>(sums[octet][worth][i]) << (8 * worth);
          high += static_cast<int64_t>(sums[octet][worth + 4][i]) << (8 * worth);
        }
        const int row = lane / 4 + i / 2 * 8;
        const int first = unit.a[row];
        const int second = unit.b[row];
        const int third = unit.first_c + octet * 8 + lane % 4 * 2 + i % 2;
        if (first <= second && second <= third && third < unit.end_c) {
          add_to(a.sums + 3 * triple_index(a.weights, first, second, third), low, high);
        }
      }
    }
    clear();
  }
};

/** Loads four values from shared memory. */
__device__ __forceinline__ void load_four(const int32_t* from, int32_t (&values)[4]) {
  const int4 loaded = *reinterpret_cast<const int4*>(from);
  values[0] = loaded.x;
  values[1] = loaded.y;
  values[2] = loaded.z;
  values[3] = loaded.w;
}

/** Bytes of the products of four functionals of a pair of weights: word `at` of each place value. */
__device__ __forceinline__ void make_rows(const int32_t* a, const int32_t* b, int at,
                                          ByteRows (&rows)[kPairBytes]) {
  int32_t first[4], second[4], low[4], high[4];
  load_four(a, first);
  load_four(b, second);
#pragma unroll
  for (int i = 0; i < 4; i++) {
    const int64_t product = static_cast<int64_t>(first[i]) * second[i];
    low[i] = static_cast<int32_t>(product);
    high[i] = static_cast<int32_t>(product >> 32);
  }
  uint32_t lower[4], upper[2];
  transpose(low, lower);
  transpose(high, upper);
#pragma unroll
  for (int i = 0; i < 4; i++) {
    rows[i].words[at] = lower[i];
  }
  rows[4].words[at] = upper[0];
  rows[5].words[at] = upper[1];
}

__device__ __forceinline__ void make_columns(const int32_t* c, int at,
                                             ByteColumns (&columns)[kValueBytes]) {
  int32_t values[4];
  load_four(c, values);
  uint32_t bytes[kValueBytes];
  transpose(values, bytes);
#pragma unroll
  for (int i = 0; i < kValueBytes; i++) {
    columns[i].words[at] = bytes[i];
  }
}

template <int kOctet>
__device__ __forceinline__ void multiply_octet(UnitSums& unit, const int32_t* c,
                                               const ByteRows (&rows)[kPairBytes]) {
  ByteColumns columns[kValueBytes];
  make_columns(c, 0, columns);
  make_columns(c + kStep / 2, 1, columns);
#pragma unroll
  for (int i = 0; i < kPairBytes - 1; i++) {
#pragma unroll
    for (int j = 0; j < kValueBytes - 1; j++) {
      add_products<false, false>(unit.sums[kOctet][i + j], rows[i], columns[j]);
    }
    add_products<false, true>(unit.sums[kOctet][i + 2], rows[i], columns[2]);
  }
#pragma unroll
  for (int j = 0; j < kValueBytes - 1; j++) {
    add_products<true, false>(unit.sums[kOctet][kPairBytes - 1 + j], rows[kPairBytes - 1],
                              columns[j]);
  }
  add_products<true, true>(unit.sums[kOctet][kPairBytes + 1], rows[kPairBytes - 1], columns[2]);
}

/** A lane's rows of values of a unit, from its four functionals. */
struct UnitOperands {
  int a[2];
  int b[2];
  int c[kMostOctets];

  __device__ __forceinline__ UnitOperands(const TripleUnit& unit, int stride) {
    const int lane = threadIdx.x % kWarpSize;
    const int quad = lane % 4 * 4;
#pragma unroll
    for (int half = 0; half < 2; half++) {
      a[half] = unit.a[lane / 4 + 8 * half] * stride + quad;
      b[half] = unit.b[lane / 4 + 8 * half] * stride + quad;
    }
#pragma unroll
    for (int octet = 0; octet < kMostOctets; octet++) {
      const int weight = unit.first_c + octet * 8 + lane / 4;
      c[octet] = (weight < unit.end_c ? weight : 0) * stride + quad;
    }
  }

  __device__ __forceinline__ void multiply_step(UnitSums& sums, const int32_t* values,
                                                int octets) const {
    ByteRows rows[kPairBytes];
#pragma unroll
    for (int at = 0; at < 4; at++) {
      const int32_t* from = values + at / 2 * (kStep / 2);
      make_rows(from + a[at % 2], from + b[at % 2], at, rows);
    }
    multiply_octet<0>(sums, values + c[0], rows);
    if (octets > 1) {
      multiply_octet<1>(sums, values + c[1], rows);
    }
  }
};

__device__ __forceinline__ void copy_16(void* to, const void* from) {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from)
               : "memory");
#endif
}

__device__ __forceinline__ void commit_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

__device__ __forceinline__ void await_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group 0;" ::: "memory");
#endif
}

/** Two tiles of values in shared memory. */
struct ValueTiles {
  const TransformProductsArguments& a;
  int32_t* values;
  int stride;
  int vectors;  // per row

  __device__ __forceinline__ ValueTiles(const TransformProductsArguments& a, int32_t* memory)
      : a(a), values(memory), stride(a.tile + kRowPadding), vectors(a.tile / 4) {}

  __device__ __forceinline__ int32_t* tile(int slot) const {
    return values + slot * a.weights * stride;
  }

  __device__ __forceinline__ void bring(int64_t index, int slot) const {
    for (int i = threadIdx.x; i < a.weights * vectors; i += kProductThreads) {
      const int row = i / vectors;
      const int at = (i - row * vectors) * 4;
      copy_16(tile(slot) + row * stride + at, a.values + row * a.pitch + index * a.tile + at);
    }
    commit_copies();
  }

  /** Returns whether a value that this thread has copied is too large. */
  __device__ __forceinline__ bool has_large(int slot) const {
    bool large = false;
    for (int i = threadIdx.x; i < a.weights * vectors; i += kProductThreads) {
      const int row = i / vectors;
      int32_t four[4];
      load_four(tile(slot) + row * stride + (i - row * vectors) * 4, four);
      large |= four[0] == kLarge | four[1] == kLarge | four[2] == kLarge | four[3] == kLarge;
    }
    return large;
  }

  /** Lists the functionals with a value that is too large, and sets all their values to zero. */
  __device__ __forceinline__ void leave_out(int64_t index, int slot) const {
    for (int i = threadIdx.x; i < a.tile; i += kProductThreads) {
      int32_t* column = tile(slot) + i;
      bool large = false;
      for (int row = 0; row < a.weights; row++) {
        large |= column[row * stride] == kLarge;
      }
      if (large) {
        for (int row = 0; row < a.weights; row++) {
          column[row * stride] = 0;
        }
        if (blockIdx.y == 0) {
          a.left_out[atomicAdd(a.left_out_count, 1u)] = static_cast<uint32_t>(index * a.tile + i);
        }
      }
    }
  }
};

__device__ __forceinline__ void multiply(const TransformProductsArguments& a) {
  const int warp = threadIdx.x / kWarpSize;
  const ValueTiles tiles(a, reinterpret_cast<int32_t*>(shared_vectors));
  // Warps without a unit of their own share the steps of the warps that have one.
  const int first_unit = blockIdx.y * kProductWarps;
  const int units = min(a.unit_count - first_unit, kProductWarps);
  const int parts = kProductWarps / units;
  const bool busy = warp < units * parts;
  const TripleUnit& unit = a.units[first_unit + warp % units];
  const UnitOperands operands(unit, tiles.stride);
  const int octets = unit.octets();
  UnitSums sums;
  sums.clear();
  const int64_t count = a.count / a.tile;
  int summed = 0;
  if (blockIdx.x < count) {
    tiles.bring(blockIdx.x, 0);
  }
  int slot = 0;
  for (int64_t index = blockIdx.x; index < count; index += gridDim.x) {
    await_copies();
    // This tile is complete, and no thread reads the previous tile any more.
    if (__syncthreads_or(tiles.has_large(slot))) {
      tiles.leave_out(index, slot);
      __syncthreads();
    }
    if (index + gridDim.x < count) {
      tiles.bring(index + gridDim.x, 1 - slot);
    }
    if (busy) {
      for (int step = warp / units; step < a.tile / kStep; step += parts) {
        operands.multiply_step(sums, tiles.tile(slot) + step * kStep, octets);
      }
      summed += a.tile;
      if (summed + a.tile > kMostProducts) {
        sums.flush(a, unit);
        summed = 0;
      }
    }
    slot = 1 - slot;
  }
  if (busy) {
    sums.flush(a, unit);
  }
}

// ---- 6. Products in 128 bits ----

constexpr int kExactThreads = 256;
constexpr int kExactTriples = 4;
constexpr int kExactValues = 16;

}  // namespace transforms

/** Finds one low part of each orbit. Launch: any. */
extern "C" __global__ void __launch_bounds__(256)
    transform_orbits(const __grid_constant__ TransformOrbitsArguments a) {
  using namespace transforms;
  const int64_t all = int64_t{1} << a.low_bits;
  for (int64_t i = launch_thread(); i < all; i += launch_threads()) {
    const uint32_t low = static_cast<uint32_t>(i);
    bool smallest = true;
    for (int symmetry = 0; smallest && symmetry < a.symmetries; symmetry++) {
      uint4 map[kImageColumns / 4];
      load_map(map, a.low_images, symmetry);
      smallest = image_of(map, low) >= low;
    }
    if (smallest) {
      const unsigned long long at = atomicAdd(a.count, 1ull);
      if (a.representatives != nullptr) {
        a.representatives[at] = low;
      }
    }
  }
}

/** Computes images. Launch: 256 threads; ceil(symmetries / 256) by any number of blocks. */
extern "C" __global__ void __launch_bounds__(256)
    transform_images(const __grid_constant__ TransformImagesArguments a) {
  using namespace transforms;
  const int symmetry = blockIdx.x * blockDim.x + threadIdx.x;
  if (symmetry >= a.symmetries) {
    return;
  }
  uint4 map[kImageColumns / 4];
  load_map(map, a.low_images, symmetry);
  for (int64_t i = blockIdx.y; i < a.representative_count; i += gridDim.y) {
    a.images[i * a.symmetries + symmetry] = image_of(map, a.representatives[i]);
  }
}

/**
 * transform_count_W: counts words of W parts. Launch: 512 threads, as many blocks as fit on the GPU;
 * 67584 + 4224·words + 272 + 2·slices·symmetries bytes of dynamic shared memory.
 */
extern "C" __global__ void __launch_bounds__(transforms::kCountThreads, 2)
    transform_count_128(const __grid_constant__ TransformCountArguments a) {
  transforms::count<4>(a);
}

extern "C" __global__ void __launch_bounds__(transforms::kCountThreads, 2)
    transform_count_256(const __grid_constant__ TransformCountArguments a) {
  transforms::count<8>(a);
}

/**
 * Transforms the lowest ten bits. Launch: 256 threads, 2^(padded_bits - 10) blocks;
 * 128·(32·min(pairs, 16) + 1) + 33792 bytes of dynamic shared memory.
 */
extern "C" __global__ void __launch_bounds__(transforms::kFirstThreads)
    transform_first(const __grid_constant__ TransformFirstArguments a) {
  using namespace transforms;
  const int most = min(a.pairs, kFirstPairs);
  uint32_t* staged = reinterpret_cast<uint32_t*>(shared_vectors);
  int32_t* exchange = reinterpret_cast<int32_t*>(staged + kWarpSize * (kWarpSize * most + 1)) +
                      threadIdx.x / kWarpSize * kWarpSize * 33;
  const int64_t base = int64_t{blockIdx.x} * kFirstPoints;
  for (int first = 0; first < a.pairs; first += most) {
    const int pairs = min(most, a.pairs - first);
    __syncthreads();
    stage(a, staged, base, first, pairs);
    __syncthreads();
    for (int i = threadIdx.x / kWarpSize; i < 2 * pairs; i += kFirstWarps) {
      const int64_t weight = 2 * first + i;
      if (weight < a.weights) {
        transforms::transform_first(a.bits, staged, pairs, i / 2, i % 2 != 0, exchange,
                                    a.transforms + (weight << a.padded_bits) + base);
      }
    }
  }
}

// transform_middle_R: transform R bits. Launch: any.
#define FIELDSTONE_TRANSFORM_MIDDLE(bits)                                        \
  extern "C" __global__ void __launch_bounds__(256)                              \
      transform_middle_##bits(const __grid_constant__ TransformMiddleArguments a) { \
    transforms::transform_middle<bits>(a);                                       \
  }
FIELDSTONE_TRANSFORM_MIDDLE(1)
FIELDSTONE_TRANSFORM_MIDDLE(2)
FIELDSTONE_TRANSFORM_MIDDLE(3)
FIELDSTONE_TRANSFORM_MIDDLE(4)
FIELDSTONE_TRANSFORM_MIDDLE(5)
FIELDSTONE_TRANSFORM_MIDDLE(6)

/**
 * Transforms the highest bits. Launch: 256 threads, one block per tile of each weight; for more than
 * six bits 133120 bytes of dynamic shared memory.
 */
extern "C" __global__ void __launch_bounds__(transforms::kLastThreads, 1)
    transform_last(const __grid_constant__ TransformLastArguments a) {
  using namespace transforms;
  const LastTile tile(a);
  int64_t v[kLastPoints];
#pragma unroll
  for (int i = 0; i < kLastPoints; i++) {
    v[i] = tile.load(i * kLastThreads + threadIdx.x);
  }
#pragma unroll
  for (int bit = 0; bit < 6; bit++) {
    if (kLastThreadBits + bit >= tile.columns) {
      butterfly(v, bit);
    }
  }
  if (tile.columns >= kLastThreadBits) {
#pragma unroll
    for (int i = 0; i < kLastPoints; i++) {
      tile.store(i * kLastThreads + threadIdx.x, v[i]);
    }
    return;
  }
  int64_t* elements = reinterpret_cast<int64_t*>(shared_vectors);
#pragma unroll
  for (int i = 0; i < kLastPoints; i++) {
    elements[last_place(i * kLastThreads + threadIdx.x)] = v[i];
  }
  __syncthreads();
  const int first = threadIdx.x / 4 * kLastThreads + threadIdx.x % 4;
#pragma unroll
  for (int i = 0; i < kLastPoints; i++) {
    v[i] = elements[last_place(first) + 4 * i];
  }
#pragma unroll
  for (int bit = 0; bit < 6; bit++) {
    if (2 + bit >= tile.columns) {
      butterfly(v, bit);
    }
  }
#pragma unroll
  for (int i = 0; i < kLastPoints; i++) {
    tile.store(first + 4 * i, v[i]);
  }
}

/**
 * Computes sums of products on tensor cores. Launch: 384 threads, any number of blocks by
 * ceil(unit_count / 12); 8·weights·(tile + 16) bytes of dynamic shared memory. `count` is a multiple
 * of the tile.
 */
extern "C" __global__ void __launch_bounds__(transforms::kProductThreads, 1)
    transform_products(const __grid_constant__ TransformProductsArguments a) {
  transforms::multiply(a);
}

/**
 * Computes sums in 128 bits. Launch: 256 threads, any number of blocks by ceil(triple_count / 1024);
 * 128·weights bytes of dynamic shared memory.
 */
extern "C" __global__ void __launch_bounds__(transforms::kExactThreads)
    transform_products_exact(const __grid_constant__ TransformExactArguments a) {
  using namespace transforms;
  const int64_t count = a.list == nullptr ? a.count : *a.list_count;
  if (int64_t{blockIdx.x} * kExactValues >= count) {
    return;
  }
  int64_t* values = reinterpret_cast<int64_t*>(shared_vectors);
  uchar4 triples[kExactTriples];
  __int128 sums[kExactTriples];
  const int first = blockIdx.y * kExactThreads * kExactTriples + threadIdx.x;
#pragma unroll
  for (int i = 0; i < kExactTriples; i++) {
    const int triple = first + i * kExactThreads;
    triples[i] = a.triples[min(triple, a.triple_count - 1)];
    sums[i] = 0;
  }
  for (int64_t base = int64_t{blockIdx.x} * kExactValues; base < count;
       base += int64_t{gridDim.x} * kExactValues) {
    const int some = static_cast<int>(min(count - base, int64_t{kExactValues}));
    __syncthreads();
    for (int i = threadIdx.x; i < a.weights * some; i += kExactThreads) {
      const int64_t at = a.list == nullptr ? base + i % some : a.list[base + i % some];
      const int32_t value = a.values[i / some * a.pitch + at];
      values[i / some * kExactValues + i % some] =
          value == kLarge ? a.large[i / some * a.pitch + at] : value;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kExactTriples; i++) {
      const int64_t* x = values + triples[i].x * kExactValues;
      const int64_t* y = values + triples[i].y * kExactValues;
      const int64_t* z = values + triples[i].z * kExactValues;
      for (int j = 0; j < some; j++) {
        sums[i] += static_cast<__int128>(x[j]) * y[j] * z[j];
      }
    }
  }
#pragma unroll
  for (int i = 0; i < kExactTriples; i++) {
    const int triple = first + i * kExactThreads;
    if (triple < a.triple_count) {
      unsigned long long* sum = a.sums + 3 * int64_t{triple};
      const uint64_t low = static_cast<uint64_t>(sums[i]);
      atomicAdd(&sum[0], low & 0xFFFFFFFF);
      atomicAdd(&sum[1], low >> 32);
      atomicAdd(&sum[2], static_cast<unsigned long long>(sums[i] >> 64));
    }
  }
}
