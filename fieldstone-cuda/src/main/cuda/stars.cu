// 3-stars: triples of points that are more than R apart from each other, on a circle (or, by the
// other rule, within a circle) of radius at most R.
//
// stars_count, stars_list, stars_pairs: a star is found from its lowest point, whose candidates are the
// higher points more than R and at most 2R away. stars_list lists the candidates, and stars_pairs tests
// their pairs: a twelfth of the pairs of the combinations of cells that the paper tests, in cells.cu of
// fieldstone-papers. The result is one bit per pair, in the layout that the host passes on.
//
// Test of a pair. With the lowest point as the origin, let j and k be two candidates,
// d = (k - j)·k and x = |j × k|. The circle through the three has a radius of at most R if and only
// if t·x - |d| >= 0, where t² = (4R² - j²)/j² depends on j alone. The two are more than R apart if
// and only if (R² - j²)/2 - (d - k²/2) < 0. In single precision the test takes 8 instructions of the
// FMA pipe. Only two signs matter: one LOP3 combines them, and one SHF shifts the result into a word
// of 32 pairs.
//
// Exactness. Coordinates are relative to the origin and scaled by a power of 2 to 1 <= R < 2. With
// u = 2^-24, each has a relative error of at most u. After its roundings, d has an error below 28uR²,
// and the distance comparison below 64uR². t is computed in double precision and has an error below
// 3.4u, x below 20uR², and the circle comparison below 90uR². If a word has a pair nearer to 0 than
// 128uR² (by a minimum over the word), such pairs are decided again: in integers of 64 or 128 bits if
// coordinates are integers that allow it, otherwise in doubles with bounds of the same kind. Pairs
// that doubles leave open are compared without rounding for distances, and are listed for the host
// for circles. There are none unless points are on a lattice or placed on purpose. For integers up to
// R = 724, distances are exact in single precision, because no value has more than 24 bits.
// If an angle is wrongly found obtuse or not, it is so close to a right angle that the circle test
// is certain and correct for both rules, or is itself near 0.

#include "fieldstone.cuh"

/** A cell that has points, and the points near it that are beside it or at most 2R higher. */
struct StarCell {
  /** First point of the cell; the next cell starts after its last point. */
  int32_t start;
  /** Points of the cell and of those to its left and right. */
  int32_t same_from;
  int32_t same_to;
  /** Points of the three cells above. */
  int32_t next_from;
  int32_t next_to;
};

/** The points, and the definition of a candidate. */
struct StarField {
  const double* xs;
  const double* ys;
  const StarCell* cells;
  double range;
  /** Relative error of a squared distance; 0 if doubles are exact. */
  double error;
  int32_t cell_count;
  /** Exponent of the power of 2 that scales the range to at least 1 and less than 2. */
  int32_t scale;
};

/** Arguments of stars_count: the number of candidates of each point. */
struct StarCountArguments {
  StarField field;
  /** Receives the number of candidates per point. */
  int32_t* counts;
  int32_t first;
  int32_t points;
};

/** The positions of a point's data within a piece. */
struct StarPlace {
  /** First candidate in the list. */
  int64_t list;
  /** First word of result bits. */
  int64_t words;
  /** First unit. */
  int32_t units;
  /** Number of candidates. */
  int32_t count;
};

/** Rows 64·rows … 64·rows + 63 of a point, which a warp tests at a time. */
struct StarUnit {
  int32_t point;
  int32_t rows;
};

/** A pair of candidates that the host decides; its bit is 0. */
struct StarDoubt {
  /** Lowest point, relative to the first of the piece. */
  int32_t point;
  /** Positions of the candidates: bit a of row b. */
  int32_t a;
  int32_t b;
  /** Indices of the candidates. */
  int32_t j;
  int32_t k;
};

/** Arguments of stars_list: lists the candidates of a piece. */
struct StarListArguments {
  StarField field;
  const StarPlace* places;
  /** Receives the indices of candidates, ascending per point. */
  int32_t* indices;
  /** Receives x, y, x² + y² and half of that, scaled, per candidate. */
  float4* corners;
  /** Receives t per candidate. */
  float* slopes;
  StarUnit* units;
  int32_t first;
  int32_t points;
};

/** Arguments of stars_pairs: tests the pairs of a piece. */
struct StarPairArguments {
  StarField field;
  const StarPlace* places;
  const int32_t* indices;
  const float4* corners;
  const float* slopes;
  const StarUnit* units;
  /** Receives the bits; null if stars are only counted. */
  uint32_t* words;
  /** Receives the number of stars, which is added. */
  unsigned long long* stars;
  StarDoubt* doubts;
  /** Receives the number of doubts, which is added and may exceed doubt_room. */
  unsigned long long* doubt_count;
  int64_t unit_count;
  int32_t doubt_room;
  int32_t first;
  /** Values nearer to 0 are decided again: 2^-17 of the square of the scaled range, or 0. */
  float circle_error;
  float distance_error;
};

static_assert(sizeof(StarCell) == 20, "the host writes 20 bytes");
static_assert(sizeof(StarField) == 48, "the host writes 48 bytes");
static_assert(sizeof(StarCountArguments) == 64, "the host writes 64 bytes");
static_assert(sizeof(StarPlace) == 24, "the host writes 24 bytes");
static_assert(sizeof(StarDoubt) == 20, "the host reads 20 bytes");
static_assert(sizeof(StarListArguments) == 96, "the host writes 96 bytes");
static_assert(sizeof(StarPairArguments) == 144, "the host writes 144 bytes");

namespace stars {

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / kWarpSize;
constexpr unsigned kAll = 0xFFFFFFFFu;

__device__ __forceinline__ int lane_number() { return threadIdx.x % kWarpSize; }

__device__ __forceinline__ int64_t launch_warp() { return launch_thread() / kWarpSize; }

__device__ __forceinline__ int64_t launch_warps() { return launch_threads() / kWarpSize; }

// ---- Candidates ----

/** A sum of doubles without rounding (Shewchuk 1997): non-overlapping terms, ascending. */
struct Expansion {
  /** Two terms for each of three products, for each of two coordinates, and one more. */
  double terms[14];
  int count = 0;

  /** Grow-Expansion; terms of 0 are dropped, which leaves few, as differences are mostly exact. */
  __device__ void add(double addend) {
    double carry = addend;
    int kept = 0;
    for (int i = 0; i < count; i++) {
      const double term = terms[i];
      const double sum = __dadd_rn(carry, term);
      const double part = __dsub_rn(sum, carry);
      append(kept, __dadd_rn(__dsub_rn(carry, __dsub_rn(sum, part)), __dsub_rn(term, part)));
      carry = sum;
    }
    append(kept, carry);
    count = kept;
  }

  __device__ void append(int& kept, double term) {
    if (term != 0) {
      terms[kept++] = term;
    }
  }

  __device__ void add_product(double a, double b) {
    const double product = __dmul_rn(a, b);
    add(__fma_rn(a, b, -product));
    add(product);
  }

  /** Adds (a - b)². */
  __device__ void add_square(double a, double b) {
    const double high = __dsub_rn(a, b);
    const double part = __dsub_rn(a, high);
    const double low = __dadd_rn(__dsub_rn(a, __dadd_rn(high, part)), __dsub_rn(part, b));
    if (low != 0) {
      add_product(low, low);
      add_product(2 * low, high);
    }
    add_product(high, high);
  }

  __device__ int sign() const {
    return count == 0 ? 0 : terms[count - 1] < 0 ? -1 : 1;
  }
};

/** Compares a distance with a length: returns the sign of the difference. */
__device__ __noinline__ int compare_exactly(
    double ax, double ay, double bx, double by, double length) {
  Expansion difference;
  difference.add_square(ax, bx);
  difference.add_square(ay, by);
  difference.add_product(-length, length);
  return difference.sign();
}

__device__ __forceinline__ int compare_distance(
    double ax, double ay, double bx, double by, double length, double error) {
  const double dx = ax - bx;
  const double dy = ay - by;
  const double square = dx * dx + dy * dy;
  const double bound = length * length;
  const double difference = square - bound;
  if (fabs(difference) > error * (square + bound)) {
    return difference < 0 ? -1 : 1;
  }
  return compare_exactly(ax, ay, bx, by, length);
}

__device__ __forceinline__ bool is_candidate(
    const StarField& field, double x, double y, int32_t point) {
  const double px = field.xs[point];
  const double py = field.ys[point];
  return (py > y || (py == y && px > x)) &&
         compare_distance(px, py, x, y, field.range, field.error) > 0 &&
         compare_distance(px, py, x, y, 2 * field.range, field.error) <= 0;
}

/** Returns the cell of a point; the point is the same for all threads of a warp. */
__device__ __forceinline__ StarCell cell_of(const StarField& field, int32_t point) {
  int32_t low = 0;
  int32_t high = field.cell_count;
  while (high - low > 1) {
    const int32_t middle = low + (high - low) / 2;
    if (field.cells[middle].start <= point) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return field.cells[low];
}

/** Calls `take` for each 32 points, with this lane's point and the lanes that have candidates. */
template <class Take>
__device__ __forceinline__ void each_candidate(
    const StarField& field, int32_t lowest, Take take) {
  const StarCell cell = cell_of(field, lowest);
  const double x = field.xs[lowest];
  const double y = field.ys[lowest];
  for (int run = 0; run < 2; run++) {
    const int32_t from = run == 0 ? cell.same_from : cell.next_from;
    const int32_t to = run == 0 ? cell.same_to : cell.next_to;
    for (int32_t step = from; step < to; step += kWarpSize) {
      const int32_t point = step + lane_number();
      const bool listed = point < to && is_candidate(field, x, y, point);
      take(point, __ballot_sync(kAll, listed), listed);
    }
  }
}

__device__ __forceinline__ int lanes_before(unsigned lanes) {
  return __popc(lanes & ((1u << lane_number()) - 1));
}

__device__ void count(const StarCountArguments& a) {
  for (int64_t i = launch_warp(); i < a.points; i += launch_warps()) {
    int32_t counted = 0;
    each_candidate(a.field, a.first + static_cast<int32_t>(i),
        [&](int32_t, unsigned lanes, bool) { counted += __popc(lanes); });
    if (lane_number() == 0) {
      a.counts[i] = counted;
    }
  }
}

constexpr int kUnitRows = 64;

__device__ void list(const StarListArguments& a) {
  const double scale = scalbn(1.0, a.field.scale);
  const double range = a.field.range * scale;
  const double most = 4 * range * range;
  for (int64_t i = launch_warp(); i < a.points; i += launch_warps()) {
    const int32_t lowest = a.first + static_cast<int32_t>(i);
    const StarPlace place = a.places[i];
    int64_t listed = place.list;
    each_candidate(a.field, lowest, [&](int32_t point, unsigned lanes, bool is_listed) {
      if (is_listed) {
        const int64_t at = listed + lanes_before(lanes);
        const double x = (a.field.xs[point] - a.field.xs[lowest]) * scale;
        const double y = (a.field.ys[point] - a.field.ys[lowest]) * scale;
        const double square = x * x + y * y;
        const double t = sqrt(fmax(0.0, (most - square) / square));
        a.indices[at] = point;
        a.corners[at] = make_float4(static_cast<float>(x), static_cast<float>(y),
            static_cast<float>(square), static_cast<float>(square / 2));
        a.slopes[at] = static_cast<float>(t);
      }
      listed += __popc(lanes);
    });
    const int units = place.count < 2 ? 0 : (place.count + kUnitRows - 1) / kUnitRows;
    for (int unit = lane_number(); unit < units; unit += kWarpSize) {
      a.units[place.units + unit] = {static_cast<int32_t>(i), unit};
    }
  }
}

// ---- Pairs that single precision leaves open ----

struct Answer {
  bool is_star;
  bool is_open;
};

/** Two points, relative to the lowest. */
template <class Number>
struct Corners {
  Number jx, jy, kx, ky;
};

template <class Number>
__device__ __forceinline__ Corners<Number> corners_of(
    const StarField& field, int32_t lowest, int32_t j, int32_t k, double scale) {
  const double x = field.xs[lowest];
  const double y = field.ys[lowest];
  return {static_cast<Number>((field.xs[j] - x) * scale),
      static_cast<Number>((field.ys[j] - y) * scale),
      static_cast<Number>((field.xs[k] - x) * scale),
      static_cast<Number>((field.ys[k] - y) * scale)};
}

/** Decides in integers; a²b²c² and 4R²·cross² fit the wide type. */
template <class Wide>
struct Integers {
  static __device__ Answer decide(
      const StarField& field, int32_t lowest, int32_t j, int32_t k, bool enclosing) {
    const Corners<int64_t> at = corners_of<int64_t>(field, lowest, j, k, 1);
    const int64_t range = static_cast<int64_t>(field.range);
    const int64_t least = range * range;
    const int64_t most = 4 * least;
    const int64_t x = at.kx - at.jx;
    const int64_t y = at.ky - at.jy;
    const int64_t first = at.jx * at.jx + at.jy * at.jy;
    const int64_t second = at.kx * at.kx + at.ky * at.ky;
    const int64_t third = x * x + y * y;
    if (third <= least || third > most) {
      return {false, false};
    }
    const int64_t cross = at.jx * at.ky - at.jy * at.kx;
    const bool round = static_cast<Wide>(first) * second * third <=
                       static_cast<Wide>(most) * cross * cross;
    const bool obtuse =
        first + second < third || second + third < first || third + first < second;
    return {round || (enclosing && obtuse), false};
  }
};

/**
 * Decides in doubles, and distances by expansions: coordinates with few decimals often have distances
 * of exactly R. With u = 2^-53, distance comparisons have an error below 128uR², t² below 80u, hence
 * t below 80u / max(t, sqrt(80u)), and cross products are at most 4R².
 */
struct Reals {
  static __device__ int compare(const StarField& field, int32_t j, int32_t k, double length) {
    return compare_exactly(field.xs[j], field.ys[j], field.xs[k], field.ys[k], length);
  }

  static __device__ Answer decide(
      const StarField& field, int32_t lowest, int32_t j, int32_t k, bool enclosing) {
    constexpr double kUnit = 0x1p-53;
    const double scale = scalbn(1.0, field.scale);
    const Corners<double> at = corners_of<double>(field, lowest, j, k, scale);
    const double range = field.range * scale;
    const double least = range * range;
    const double most = 4 * least;
    const double first = at.jx * at.jx + at.jy * at.jy;
    const double second = at.kx * at.kx + at.ky * at.ky;
    const double dot = second - at.jx * at.kx - at.jy * at.ky;
    const double cross = fabs(at.jx * at.ky - at.jy * at.kx);
    const double t = sqrt(fmax(0.0, (most - first) / first));
    const double circle = t * cross - fabs(dot);
    const double t_error = 80 * kUnit / fmax(t, sqrt(80 * kUnit));
    const double circle_error = least * (512 * kUnit + 4 * t_error);
    const double error = 128 * kUnit * least;
    const double apart = dot - second / 2;
    const double beyond = apart - (least - first) / 2;
    const double within = (most - first) / 2 - apart;
    const double at_origin = second - dot;
    const bool obtuse = dot < 0 || at_origin < 0 || first - at_origin < 0;
    const bool is_apart =
        fabs(beyond) > error ? beyond > 0 : compare(field, j, k, field.range) > 0;
    const bool is_near = !enclosing || (fabs(within) > error
                                               ? within > 0
                                               : compare(field, j, k, 2 * field.range) <= 0);
    if (!is_apart || !is_near) {
      return {false, false};
    }
    return {circle >= 0 || (enclosing && obtuse), fabs(circle) <= circle_error};
  }
};

// ---- Pairs ----

/** One row per lane: candidate b = j, and the values to test it with others. */
struct Row {
  float x, y, t, near;
  /** Only for the rule of the enclosing circle. */
  float square, far;
};

/** Returns the number of 32-bit words in the rows before row b. */
__device__ __forceinline__ int64_t row_start(int32_t b) {
  const int64_t last = max(0, b - 1);
  const int64_t full = last / kWarpSize;
  return kWarpSize * full * (full + 1) / 2 + last % kWarpSize * (full + 1);
}

/** The values whose signs decide a pair. */
struct Signs {
  /** Negative if the two are more than R apart. */
  float near;
  /** Not negative if the circle is small enough. */
  float circle;
  /** Not negative if they are at most 2R apart. */
  float far;
  /** The top bit is 1 if an angle is obtuse. */
  uint32_t obtuse;

  template <bool kEnclosing>
  static __device__ __forceinline__ Signs of(const Row& j, const float4& k) {
    Signs signs;
    const float dot = __fmaf_rn(k.y, -j.y, __fmaf_rn(k.x, -j.x, k.z));
    const float cross = __fmaf_rn(k.x, j.y, -__fmul_rn(k.y, j.x));
    signs.circle = __fadd_rn(__fmul_rn(fabsf(cross), j.t), -fabsf(dot));
    const float apart = __fadd_rn(k.w, -dot);
    signs.near = __fadd_rn(apart, j.near);
    if (kEnclosing) {
      const float at_origin = __fadd_rn(k.z, -dot);
      const float at_j = __fadd_rn(j.square, -at_origin);
      signs.far = __fadd_rn(apart, j.far);
      signs.obtuse = __float_as_uint(dot) | __float_as_uint(at_origin) | __float_as_uint(at_j);
    }
    return signs;
  }

  /** Returns a word whose top bit is 1 for a star. */
  template <bool kEnclosing>
  __device__ __forceinline__ uint32_t star() const {
    const uint32_t beyond = __float_as_uint(near);
    const uint32_t wide = __float_as_uint(circle);
    return kEnclosing ? beyond & (obtuse | ~wide) & ~__float_as_uint(far) : beyond & ~wide;
  }

  template <bool kEnclosing>
  __device__ __forceinline__ bool is_open(const StarPairArguments& a) const {
    return fmaxf(fabsf(circle), near) < a.circle_error || fabsf(near) < a.distance_error ||
           (kEnclosing && fabsf(far) < a.distance_error);
  }
};

/** Tests the rows of a unit by one warp. */
template <class Exact, bool kEnclosing, bool kReal>
struct Unit {
  const StarPairArguments& a;
  const StarPlace place;
  const int32_t point;
  /** 32 candidates, shared by all lanes. */
  float4* const tile;
  unsigned long long stars = 0;

  __device__ Row row(int32_t b) const {
    const int64_t at = place.list + min(b, place.count - 1);
    const float4 corner = a.corners[at];
    const float range = static_cast<float>(a.field.range * scalbn(1.0, a.field.scale));
    const float least = range * range;
    // Exact for integers, as are the operands.
    return {corner.x, corner.y, a.slopes[at], __fadd_rn(least / 2, -corner.w), corner.z,
        __fadd_rn(2 * least, -corner.w)};
  }

  /** Loads this lane's candidate of a tile. */
  __device__ __forceinline__ float4 fetch(int32_t word) const {
    return a.corners[place.list + min(word * kWarpSize + lane_number(), place.count - 1)];
  }

  /** Decides again the pairs of a row and a tile that are near a boundary. */
  __device__ __noinline__ uint32_t decide(const Row& j, int32_t b, int32_t word, uint32_t bits) {
    // Finds these pairs without branches, which would stop the whole warp.
    uint32_t open = 0;
#pragma unroll 8
    for (int i = 0; i < kWarpSize; i++) {
      open |= static_cast<uint32_t>(
                  Signs::of<kEnclosing>(j, tile[i]).template is_open<kEnclosing>(a))
              << i;
    }
    const int32_t before = b - word * kWarpSize;
    if (before < kWarpSize) {
      open &= (1u << before) - 1;
    }
    const int32_t lowest = a.first + point;
    for (; open != 0; open &= open - 1) {
      const int i = __ffs(open) - 1;
      const int32_t number = word * kWarpSize + i;
      const int32_t first = a.indices[place.list + number];
      const int32_t second = a.indices[place.list + b];
      const Answer answer = Exact::decide(a.field, lowest, second, first, kEnclosing);
      bits &= ~(1u << i);
      if (answer.is_open) {
        const unsigned long long at = atomicAdd(a.doubt_count, 1ull);
        if (at < a.doubt_room) {
          a.doubts[at] = {point, number, b, first, second};
        }
      } else if (answer.is_star) {
        bits |= 1u << i;
      }
    }
    return bits;
  }

  /** Tests rows first + 32·i + lane, kFrom <= i < kRows, with the tile of a word. */
  template <int kFrom, int kRows>
  __device__ __forceinline__ void test(const Row (&rows)[kRows], int32_t first, int32_t word) {
    uint32_t bits[kRows] = {};
    float circle = 1e30f;
    float distance = 1e30f;
    // From the last to the first, so that the first is in the lowest bit.
#pragma unroll 16
    for (int i = kWarpSize - 1; i >= 0; i--) {
      const float4 k = tile[i];
#pragma unroll
      for (int r = kFrom; r < kRows; r++) {
        const Signs signs = Signs::of<kEnclosing>(rows[r], k);
        bits[r] = __funnelshift_l(signs.star<kEnclosing>(), bits[r], 1);
        // Pairs within R, such as duplicates, are no stars whatever the circle: near is large then.
        circle = fminf(circle, fmaxf(fabsf(signs.circle), signs.near));
        if (kReal) {
          distance = fminf(distance, fabsf(signs.near));
          if (kEnclosing) {
            distance = fminf(distance, fabsf(signs.far));
          }
        }
      }
    }
    const bool open = circle < a.circle_error || (kReal && distance < a.distance_error);
#pragma unroll
    for (int r = kFrom; r < kRows; r++) {
      const int32_t b = first + r * kWarpSize + lane_number();
      if (b >= place.count || b == 0) {
        continue;
      }
      if (open) {
        bits[r] = decide(rows[r], b, word, bits[r]);
      }
      const int32_t before = b - word * kWarpSize;
      if (before < kWarpSize) {
        bits[r] &= (1u << before) - 1;
        if (before == 0) {
          continue; // A row of 32·n candidates has n words.
        }
      }
      stars += __popc(bits[r]);
      if (a.words != nullptr) {
        a.words[place.words + row_start(b) + word] = bits[r];
      }
    }
  }

  template <int kRows>
  __device__ __forceinline__ void run(int32_t first) {
    Row rows[kRows];
#pragma unroll
    for (int r = 0; r < kRows; r++) {
      rows[r] = row(first + r * kWarpSize + lane_number());
    }
    // For the first 32 rows, the last tile has their own candidates; for the next, one tile more.
    const int32_t diagonal = first / kWarpSize;
    float4 next = fetch(0);
    for (int32_t word = 0; word < diagonal + kRows; word++) {
      __syncwarp();
      tile[lane_number()] = next;
      __syncwarp();
      next = fetch(word + 1);
      if (word <= diagonal) {
        test<0, kRows>(rows, first, word);
      } else {
        test<kRows - 1, kRows>(rows, first, word);
      }
    }
  }
};

template <class Exact, bool kEnclosing, bool kReal>
__device__ __forceinline__ void pairs(const StarPairArguments& a) {
  __shared__ float4 tiles[kWarps][kWarpSize];
  float4* const tile = tiles[threadIdx.x / kWarpSize];
  unsigned long long found = 0;
  for (int64_t i = launch_warp(); i < a.unit_count; i += launch_warps()) {
    const StarUnit at = a.units[i];
    Unit<Exact, kEnclosing, kReal> unit{a, a.places[at.point], at.point, tile};
    const int32_t first = at.rows * kUnitRows;
    if (first + kWarpSize < unit.place.count) {
      unit.template run<2>(first);
    } else {
      unit.template run<1>(first);
    }
    found += unit.stars;
  }
#pragma unroll
  for (int distance = kWarpSize / 2; distance > 0; distance /= 2) {
    found += __shfl_down_sync(kAll, found, distance);
  }
  if (lane_number() == 0 && found > 0) {
    atomicAdd(a.stars, found);
  }
}

}  // namespace stars

// stars_count, stars_list: count and list candidates. Launch: 256 threads, any number of blocks; one
// point per warp.

extern "C" __global__ void __launch_bounds__(stars::kThreads)
    stars_count(const __grid_constant__ StarCountArguments a) {
  stars::count(a);
}

extern "C" __global__ void __launch_bounds__(stars::kThreads)
    stars_list(const __grid_constant__ StarListArguments a) {
  stars::list(a);
}

// stars_pairs_RULE_NUMBERS: test pairs. Launch: 256 threads, any number of blocks; one unit per warp.

extern "C" __global__ void __launch_bounds__(stars::kThreads)
    stars_pairs_circle_64(const __grid_constant__ StarPairArguments a) {
  stars::pairs<stars::Integers<int64_t>, false, false>(a);
}

extern "C" __global__ void __launch_bounds__(stars::kThreads)
    stars_pairs_circle_128(const __grid_constant__ StarPairArguments a) {
  stars::pairs<stars::Integers<__int128>, false, true>(a);
}

extern "C" __global__ void __launch_bounds__(stars::kThreads)
    stars_pairs_circle_real(const __grid_constant__ StarPairArguments a) {
  stars::pairs<stars::Reals, false, true>(a);
}

extern "C" __global__ void __launch_bounds__(stars::kThreads)
    stars_pairs_enclosing_64(const __grid_constant__ StarPairArguments a) {
  stars::pairs<stars::Integers<int64_t>, true, false>(a);
}

extern "C" __global__ void __launch_bounds__(stars::kThreads)
    stars_pairs_enclosing_128(const __grid_constant__ StarPairArguments a) {
  stars::pairs<stars::Integers<__int128>, true, true>(a);
}

extern "C" __global__ void __launch_bounds__(stars::kThreads)
    stars_pairs_enclosing_real(const __grid_constant__ StarPairArguments a) {
  stars::pairs<stars::Reals, true, true>(a);
}
