// Checks stars.cu against the definition of 3-stars, on the host, in fields where much is decided by a
// hair; then counts and enumerates the stars of 1,600 to 102,400 points and times the phases.
//
//   nvcc -O3 -std=c++17 -gencode arch=compute_90a,code=sm_90a -I fieldstone-cuda/src/main/cuda -o stars_check
//   fieldstone-cuda/src/check/cuda/stars_check.cu
//   ./stars_check           checks, then everything that follows
//   ./stars_check check     checks only
//   ./stars_check speed     the benchmark only
//
// Exits 1 if anything is wrong.

#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "../../../../fieldstone-papers/src/main/cuda/cells.cu"
#include "../../main/cuda/stars.cu"
#include "check.cuh"

namespace {

/** splitmix64, as the benchmark's points are drawn. */
struct Random {
  uint64_t state;
  uint64_t next() {
    state += 0x9E3779B97F4A7C15ull;
    return mixed(state);
  }
  int below(int64_t bound) { return static_cast<int>(((next() >> 32) * bound) >> 32); }
};

int multiprocessors;

double now_ms() {
  using namespace std::chrono;
  return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

template <class T>
struct Pinned {
  T* data = nullptr;
  explicit Pinned(size_t count) {
    REQUIRE(cudaMallocHost(&data, std::max<size_t>(1, count) * sizeof(T)));
  }
  Pinned(const Pinned&) = delete;
  ~Pinned() { cudaFreeHost(data); }
};

template <class A>
int grid_of(void (*kernel)(const A), int64_t warps, int waves) {
  int blocks;
  REQUIRE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, stars::kThreads, 0));
  const int64_t most = static_cast<int64_t>(blocks) * multiprocessors * waves;
  return static_cast<int>(std::max<int64_t>(
      1, std::min(most, (warps + stars::kWarps - 1) / stars::kWarps)));
}

// ---- Fields ----

using Key = std::pair<int64_t, int64_t>;  // row, column

/** Points in the order of cells, and the cells. */
struct Points {
  std::vector<double> xs, ys;
  double range;
  bool enclosing;
  std::vector<StarCell> cells;
  std::vector<StarCells> combinations;
  std::vector<StarSegment> segments;

  Points(std::vector<std::pair<double, double>> at, double range, bool enclosing)
      : range(range), enclosing(enclosing) {
    auto key = [&](const std::pair<double, double>& p) {
      return Key(static_cast<int64_t>(std::floor(p.second / (2 * range))),
          static_cast<int64_t>(std::floor(p.first / (2 * range))));
    };
    std::stable_sort(
        at.begin(), at.end(), [&](const auto& p, const auto& q) { return key(p) < key(q); });
    std::vector<Key> keys;
    std::vector<int> starts;
    for (size_t i = 0; i < at.size(); i++) {
      xs.push_back(at[i].first);
      ys.push_back(at[i].second);
      if (keys.empty() || keys.back() != key(at[i])) {
        keys.push_back(key(at[i]));
        starts.push_back(static_cast<int>(i));
      }
    }
    starts.push_back(static_cast<int>(at.size()));
    auto start = [&](int64_t row, int64_t column) {
      return starts[std::lower_bound(keys.begin(), keys.end(), Key(row, column)) - keys.begin()];
    };
    static const int offsets[5][2] = {{0, 0}, {0, 1}, {1, -1}, {1, 0}, {1, 1}};
    for (size_t c = 0; c < keys.size(); c++) {
      auto [row, column] = keys[c];
      cells.push_back({starts[c], start(row, column - 1), start(row, column + 2),
          start(row + 1, column - 1), start(row + 1, column + 2)});
      StarCells near;
      for (int i = 0; i < 5; i++) {
        near.from[i] = start(row + offsets[i][0], column + offsets[i][1]);
        near.to[i] = start(row + offsets[i][0], column + offsets[i][1] + 1);
      }
      combinations.push_back(near);
      for (int from = starts[c]; from < starts[c + 1]; from += cells::kSegment) {
        segments.push_back(
            {static_cast<int>(c), from, std::min(cells::kSegment, starts[c + 1] - from)});
      }
    }
  }

  int count() const { return static_cast<int>(xs.size()); }

  bool is_lower(int p, int q) const {
    return ys[p] < ys[q] || (ys[p] == ys[q] && xs[p] < xs[q]);
  }

  /** The definition, of integers with R up to 2^20 at a scale. */
  bool is_star(int p, int q, int r, double scale) const {
    auto square = [&](int i, int j) {
      const __int128 x = static_cast<int64_t>((xs[i] - xs[j]) * scale);
      const __int128 y = static_cast<int64_t>((ys[i] - ys[j]) * scale);
      return x * x + y * y;
    };
    const __int128 least = static_cast<__int128>(range * scale) * static_cast<__int128>(range * scale);
    const __int128 most = 4 * least;
    const __int128 a = square(p, q), b = square(q, r), c = square(r, p);
    if (a <= least || b <= least || c <= least || a > most || b > most || c > most) {
      return false;
    }
    const __int128 cross =
        static_cast<__int128>((xs[q] - xs[p]) * scale) * static_cast<__int128>((ys[r] - ys[p]) * scale) -
        static_cast<__int128>((ys[q] - ys[p]) * scale) * static_cast<__int128>((xs[r] - xs[p]) * scale);
    const bool obtuse = a + b < c || b + c < a || c + a < b;
    return a * b * c <= most * cross * cross || (enclosing && obtuse);
  }
};

using Star = std::array<int, 3>;

Star named(const Points& f, int p, int q, int r) {
  int lowest = f.is_lower(p, q) ? p : q;
  lowest = f.is_lower(lowest, r) ? lowest : r;
  Star s{lowest, 0, 0};
  int n = 1;
  for (int i : {p, q, r}) {
    if (i != lowest) {
      s[n++] = i;
    }
  }
  if (s[1] > s[2]) {
    std::swap(s[1], s[2]);
  }
  return s;
}

int64_t words_of(int64_t count) {
  const int64_t last = std::max<int64_t>(0, count - 1);
  const int64_t full = last / 32;
  return 32 * full * (full + 1) / 2 + last % 32 * (full + 1);
}

// ---- Kernels of Fieldstone ----

enum Numbers { kInts64, kInts128, kReal };

struct Piece {
  int first = 0, points = 0;
  int64_t list = 0, words = 0;
  int units = 0;
};

/** What a stream has. */
struct Slot {
  cudaStream_t stream;
  DeviceArray<StarPlace> places;
  DeviceArray<int32_t> indices;
  DeviceArray<float4> corners;
  DeviceArray<float> slopes;
  DeviceArray<StarUnit> units;
  DeviceArray<uint32_t> words;
  DeviceArray<unsigned long long> stars;
  DeviceArray<unsigned long long> doubt_count;
  DeviceArray<StarDoubt> doubts;
  Pinned<StarPlace> host_places;
  Pinned<int32_t> host_indices;
  Pinned<uint32_t> host_words;
  Pinned<unsigned long long> host_stars;
  Pinned<unsigned long long> host_doubt_count;
  Pinned<StarDoubt> host_doubts;
  static constexpr int kDoubts = 1 << 16;

  Slot(const Piece& most, bool bits)
      : places(most.points), indices(most.list), corners(most.list), slopes(most.list),
        units(most.units), words(bits ? most.words : 0), stars(1), doubt_count(1),
        doubts(kDoubts), host_places(most.points), host_indices(bits ? most.list : 0),
        host_words(bits ? most.words : 0), host_stars(1), host_doubt_count(1),
        host_doubts(kDoubts) {
    REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  }
  ~Slot() { cudaStreamDestroy(stream); }
};

struct Search {
  const Points& f;
  const Numbers numbers;
  DeviceArray<double> xs, ys;
  DeviceArray<StarCell> cells;
  StarField field;
  std::vector<int32_t> counts;

  Search(const Points& f, Numbers numbers)
      : f(f), numbers(numbers), xs(f.xs), ys(f.ys), cells(f.cells), counts(f.count()) {
    field = {xs.data, ys.data, cells.data, f.range, numbers == kReal ? 10 * 0x1p-53 : 0.0,
        static_cast<int>(f.cells.size()), -std::ilogb(f.range)};
    DeviceArray<int32_t> on_gpu(f.count());
    StarCountArguments a{field, on_gpu.data, 0, f.count()};
    stars_count<<<grid_of(stars_count, f.count(), 4), stars::kThreads>>>(a);
    REQUIRE(cudaGetLastError());
    if (f.count() > 0) {
      REQUIRE(cudaMemcpy(
          counts.data(), on_gpu.data, f.count() * sizeof(int32_t), cudaMemcpyDeviceToHost));
    }
  }

  /** Pieces of at most `most` bytes. */
  std::vector<Piece> cut(int first, int points, int64_t most, bool bits) const {
    std::vector<Piece> pieces;
    Piece piece;
    piece.first = first;
    for (int i = first; i < first + points; i++) {
      const int64_t words = bits ? words_of(counts[i]) : 0;
      const int units = counts[i] < 2 ? 0 : (counts[i] + 63) / 64;
      const int64_t bytes =
          32 * (piece.points + 1) + 24 * (piece.list + counts[i]) + 4 * (piece.words + words);
      if (piece.points > 0 && bytes > most) {
        pieces.push_back(piece);
        piece = Piece();
        piece.first = i;
      }
      piece.points++;
      piece.list += counts[i];
      piece.words += words;
      piece.units += units;
    }
    if (piece.points > 0) {
      pieces.push_back(piece);
    }
    return pieces;
  }

  void begin(Slot& slot, const Piece& piece, bool bits, cudaEvent_t* events = nullptr) const {
    int64_t list = 0, words = 0;
    int32_t units = 0;
    for (int i = 0; i < piece.points; i++) {
      const int count = counts[piece.first + i];
      slot.host_places.data[i] = {list, words, units, count};
      list += count;
      words += words_of(count);
      units += count < 2 ? 0 : (count + 63) / 64;
    }
    REQUIRE(cudaMemcpyAsync(slot.places.data, slot.host_places.data,
        piece.points * sizeof(StarPlace), cudaMemcpyHostToDevice, slot.stream));
    REQUIRE(cudaMemsetAsync(slot.stars.data, 0, 8, slot.stream));
    REQUIRE(cudaMemsetAsync(slot.doubt_count.data, 0, 8, slot.stream));
    if (events) {
      REQUIRE(cudaEventRecord(events[0], slot.stream));
    }
    StarListArguments l{field, slot.places.data, slot.indices.data, slot.corners.data,
        slot.slopes.data, slot.units.data, piece.first, piece.points};
    stars_list<<<grid_of(stars_list, piece.points, 4), stars::kThreads, 0, slot.stream>>>(l);
    REQUIRE(cudaGetLastError());
    if (events) {
      REQUIRE(cudaEventRecord(events[1], slot.stream));
    }
    const float range = static_cast<float>(std::ldexp(f.range, field.scale));
    const float error = 0x1p-17f * range * range;
    StarPairArguments a{field, slot.places.data, slot.indices.data, slot.corners.data,
        slot.slopes.data, slot.units.data, bits ? slot.words.data : nullptr, slot.stars.data,
        slot.doubts.data, slot.doubt_count.data, piece.units, Slot::kDoubts, piece.first, error,
        numbers == kInts64 ? 0.0f : error};
    auto kernel = f.enclosing
        ? (numbers == kInts64 ? stars_pairs_enclosing_64
                              : numbers == kInts128 ? stars_pairs_enclosing_128
                                                    : stars_pairs_enclosing_real)
        : (numbers == kInts64 ? stars_pairs_circle_64
                              : numbers == kInts128 ? stars_pairs_circle_128
                                                    : stars_pairs_circle_real);
    kernel<<<grid_of(kernel, piece.units, 4), stars::kThreads, 0, slot.stream>>>(a);
    REQUIRE(cudaGetLastError());
    if (events) {
      REQUIRE(cudaEventRecord(events[2], slot.stream));
    }
    REQUIRE(cudaMemcpyAsync(
        slot.host_stars.data, slot.stars.data, 8, cudaMemcpyDeviceToHost, slot.stream));
    REQUIRE(cudaMemcpyAsync(
        slot.host_doubt_count.data, slot.doubt_count.data, 8, cudaMemcpyDeviceToHost, slot.stream));
    REQUIRE(cudaMemcpyAsync(slot.host_doubts.data, slot.doubts.data,
        (numbers == kReal ? Slot::kDoubts : 0) * sizeof(StarDoubt), cudaMemcpyDeviceToHost,
        slot.stream));
    if (bits) {
      REQUIRE(cudaMemcpyAsync(slot.host_indices.data, slot.indices.data, 4 * piece.list,
          cudaMemcpyDeviceToHost, slot.stream));
      REQUIRE(cudaMemcpyAsync(slot.host_words.data, slot.words.data, 4 * piece.words,
          cudaMemcpyDeviceToHost, slot.stream));
    }
  }
};

Piece largest(const std::vector<Piece>& pieces) {
  Piece most;
  for (const Piece& piece : pieces) {
    most.points = std::max(most.points, piece.points);
    most.list = std::max(most.list, piece.list);
    most.words = std::max(most.words, piece.words);
    most.units = std::max(most.units, piece.units);
  }
  return most;
}

/** All stars, sorted, by kernels of a kind; counts as well, and tells of doubts. */
std::vector<Star> enumerate(
    const Points& f, Numbers numbers, double scale, int64_t most, int64_t& doubts) {
  Search search(f, numbers);
  std::vector<Star> found;
  const std::vector<Piece> pieces = search.cut(0, f.count(), most, true);
  if (pieces.empty()) {
    return found;
  }
  Slot slot(largest(pieces), true);
  for (const Piece& piece : pieces) {
    search.begin(slot, piece, false);
    REQUIRE(cudaStreamSynchronize(slot.stream));
    const unsigned long long counted = *slot.host_stars.data;
    const int counted_doubts = *slot.host_doubt_count.data;
    REQUIRE(cudaMemsetAsync(slot.words.data, 0x5A, 4 * piece.words, slot.stream));
    search.begin(slot, piece, true);
    REQUIRE(cudaStreamSynchronize(slot.stream));
    const int open = *slot.host_doubt_count.data;
    expect(counted == *slot.host_stars.data, "the count, with and without bits");
    expect(counted_doubts == open && open <= Slot::kDoubts, "doubts");
    doubts += open;
    for (int d = 0; d < open; d++) {
      const StarDoubt& doubt = slot.host_doubts.data[d];
      const StarPlace& place = slot.host_places.data[doubt.point];
      expect(doubt.j == slot.host_indices.data[place.list + doubt.a] &&
                 doubt.k == slot.host_indices.data[place.list + doubt.b],
          "the indices of a doubt");
      if (f.is_star(piece.first + doubt.point, doubt.j, doubt.k, scale)) {
        slot.host_words.data[place.words + words_of(doubt.b) + doubt.a / 32] |=
            1u << doubt.a % 32;
      }
    }
    unsigned long long ones = 0;
    for (int p = 0; p < piece.points; p++) {
      const StarPlace& place = slot.host_places.data[p];
      const int32_t* indices = slot.host_indices.data + place.list;
      int64_t word = place.words;
      for (int i = 1; i < place.count; i++) {
        expect(indices[i - 1] < indices[i], "candidates ascend");
      }
      for (int b = 1; b < place.count; b++) {
        for (int a = 0; a < (b + 31) / 32 * 32; a++) {
          if (slot.host_words.data[word + a / 32] >> a % 32 & 1) {
            expect(a < b, "bits beyond a row are 0");
            found.push_back({piece.first + p, indices[a], indices[b]});
            ones++;
          }
        }
        word += (b + 31) / 32;
      }
    }
    expect(open > 0 || ones == counted, "as many bits as stars");
  }
  std::sort(found.begin(), found.end());
  return found;
}

// ---- The paper's ----

struct Tables {
  std::vector<uint16_t> numbers;
  std::vector<uint32_t> bounds;
  int side;
  int count;

  Tables(int64_t range, bool enclosing) {
    const int64_t least = range * range, most = 4 * least;
    side = static_cast<int>(2 * range + 1);
    std::set<int64_t> all;
    for (int64_t y = 0; y < side; y++) {
      for (int64_t x = 0; x < side; x++) {
        if (x * x + y * y > least && x * x + y * y <= most) {
          all.insert(x * x + y * y);
        }
      }
    }
    const std::vector<int64_t> squares(all.begin(), all.end());
    count = static_cast<int>(squares.size());
    auto number = [&](int64_t square) {
      return static_cast<int>(
          std::lower_bound(squares.begin(), squares.end(), square) - squares.begin());
    };
    numbers.assign(static_cast<size_t>(side) * side, cells::kNoSide);
    for (int64_t y = 0; y < side; y++) {
      for (int64_t x = 0; x < side; x++) {
        if (all.count(x * x + y * y)) {
          numbers[y * side + x] = static_cast<uint16_t>(number(x * x + y * y));
        }
      }
    }
    bounds.resize(static_cast<size_t>(count) * count);
    for (int i = 0; i < count; i++) {
      for (int j = i; j < count; j++) {
        // R²c⁴ + (a²b² - 2R²(a² + b²))c² + R²(a² - b²)² <= 0
        const double a = squares[i], b = squares[j], r = least;
        auto holds = [&](int64_t c) {
          const __int128 s = squares[i] + squares[j] - c;
          return static_cast<__int128>(squares[i]) * squares[j] * c <=
                 static_cast<__int128>(least) *
                     (4 * static_cast<__int128>(squares[i]) * squares[j] - s * s);
        };
        const double middle = a + b - a * b / (2 * r);
        const double root = std::sqrt(std::max(0.0, middle * middle - (a - b) * (a - b)));
        int64_t low = std::max<int64_t>(0, static_cast<int64_t>(middle - root) - 2);
        int64_t high = static_cast<int64_t>(middle + root) + 2;
        while (low <= high && !holds(low)) {
          low++;
        }
        while (low <= high && !holds(high)) {
          high--;
        }
        if (enclosing) {
          if (std::llabs(squares[i] - squares[j]) > least + 1) {
            low = least + 1;
          }
          if (squares[i] + squares[j] < most) {
            high = most;
          }
        }
        const int from = number(std::max(low, least + 1));
        const int to = number(std::min(high, most) + 1) - 1;
        const uint32_t both = low > high || from > to
                                  ? 1u
                                  : static_cast<uint32_t>(from) | static_cast<uint32_t>(to) << 16;
        bounds[static_cast<size_t>(i) * count + j] = both;
        bounds[static_cast<size_t>(j) * count + i] = both;
      }
    }
  }
};

struct CellSearch {
  const Points& f;
  const Tables tables;
  DeviceArray<int32_t> xs, ys;
  DeviceArray<StarCells> cells;
  DeviceArray<StarSegment> segments;
  DeviceArray<uint16_t> numbers;
  DeviceArray<uint32_t> bounds;

  explicit CellSearch(const Points& f)
      : f(f), tables(static_cast<int64_t>(f.range), f.enclosing),
        xs(std::vector<int32_t>(f.xs.begin(), f.xs.end())),
        ys(std::vector<int32_t>(f.ys.begin(), f.ys.end())), cells(f.combinations),
        segments(f.segments), numbers(tables.numbers), bounds(tables.bounds) {}

  void launch(bool local, int first_segment, int count, void* output, int64_t room,
      unsigned long long* filled, int first, int end, cudaStream_t stream) const {
    REQUIRE(cudaMemsetAsync(filled, 0, 16, stream));
    StarCellsArguments a{xs.data, ys.data, cells.data, segments.data + first_segment,
        numbers.data, bounds.data, output, filled, filled + 1, room, count, tables.side,
        tables.count, first, end, 0};
    auto kernel = local ? stars_cells_local : stars_cells;
    kernel<<<dim3(count, cells::kCombinations), stars::kThreads, 0, stream>>>(a);
    REQUIRE(cudaGetLastError());
  }
};

void decode(const Points& f, const StarChunk& chunk, std::vector<Star>& into) {
  for (int i = 0; i < chunk.count; i++) {
    const uint8_t* locals = chunk.locals + 3 * i;
    into.push_back(named(f, chunk.firsts[0] + locals[0], chunk.firsts[1] + locals[1],
        chunk.firsts[2] + locals[2]));
  }
}

std::vector<Star> enumerate_cells(const Points& f, bool local, int first, int end) {
  CellSearch search(f);
  // All triples of the points of a field that is checked.
  DeviceArray<uint8_t> output(128 << 20);
  const int64_t room = output.count / (local ? sizeof(StarChunk) : sizeof(Star));
  DeviceArray<unsigned long long> filled(2);
  std::vector<Star> found;
  for (int from = 0; from < static_cast<int>(f.segments.size()); from += 3) {
    const int count = std::min<int>(3, f.segments.size() - from);
    search.launch(local, from, count, output.data, room, filled.data, first, end, 0);
    unsigned long long ends[2];
    REQUIRE(cudaMemcpy(ends, filled.data, 16, cudaMemcpyDeviceToHost));
    expect(ends[0] <= static_cast<unsigned long long>(room), "room");
    if (local) {
      std::vector<StarChunk> chunks(ends[0]);
      REQUIRE(cudaMemcpy(
          chunks.data(), output.data, ends[0] * sizeof(StarChunk), cudaMemcpyDeviceToHost));
      const size_t before = found.size();
      for (const StarChunk& chunk : chunks) {
        decode(f, chunk, found);
      }
      expect(found.size() - before == ends[1], "as many in chunks as said");
    } else {
      const size_t before = found.size();
      found.resize(before + ends[0]);
      REQUIRE(cudaMemcpy(
          found.data() + before, output.data, ends[0] * sizeof(Star), cudaMemcpyDeviceToHost));
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

// ---- Checks ----

Points random_points(Random& random) {
  static const int64_t ranges[] = {1, 2, 5, 25, 50, 50, 65, 100, 724, 725, 65000, 1 << 20};
  const int64_t range = ranges[random.below(12)];
  const int kind = random.below(6);
  const int count = random.below(kind == 5 ? 400 : 130);
  const int64_t width = range * (1 + random.below(kind == 5 ? 3 : 7));
  const int64_t far = random.below(3) == 0 ? (1 << 28) : random.below(2) == 0 ? -3 * range : 0;
  std::vector<std::pair<double, double>> at;
  static const int triples[][3] = {
      {3, 4, 5}, {4, 3, 5}, {5, 12, 13}, {7, 24, 25}, {24, 7, 25}, {1, 0, 1}, {0, 1, 1}};
  for (int i = 0; i < count; i++) {
    int64_t x = random.below(width + 1), y = random.below(width + 1);
    if (kind == 1) {
      y = range / 2;
    } else if (kind == 2) {
      const int64_t step = std::max<int64_t>(1, range / 2);
      x -= x % step;
      y -= y % step;
    } else if (kind == 3) {
      const int* t = triples[random.below(7)];
      const int64_t centre = 2 * range * random.below(2);
      x = centre + (random.below(2) ? 1 : -1) * range * t[0] / t[2] + random.below(3) % 2;
      y = centre + (random.below(2) ? 1 : -1) * range * t[1] / t[2];
    } else if (kind == 4) {
      const int cluster = random.below(3);
      x = cluster * range * 6 / 5 + random.below(1 + range / 16);
      y = (cluster == 1 ? range : 0) + random.below(1 + range / 16);
      if (i > 0 && random.below(4) == 0) {
        const auto& copied = at[random.below(i)];
        at.push_back(copied);
        continue;
      }
    }
    at.push_back({static_cast<double>(far + x), static_cast<double>(far + y)});
  }
  return Points(at, static_cast<double>(range), random.below(2) == 0);
}

void check() {
  Random random{1};
  int64_t stars_seen = 0, doubts = 0;
  int fields = 0, by_cells = 0;
  const double begin = now_ms();
  while (now_ms() - begin < 12000 && failures == 0) {
    Points f = random_points(random);
    std::vector<Star> expected;
    for (int p = 0; p < f.count(); p++) {
      for (int q = p + 1; q < f.count(); q++) {
        const double x = f.xs[p] - f.xs[q], y = f.ys[p] - f.ys[q];
        if (x * x + y * y > 4.1 * f.range * f.range) {
          continue;
        }
        for (int r = q + 1; r < f.count(); r++) {
          if (f.is_star(p, q, r, 1)) {
            expected.push_back(named(f, p, q, r));
          }
        }
      }
    }
    std::sort(expected.begin(), expected.end());
    stars_seen += expected.size();
    fields++;
    char what[200];
    snprintf(what, sizeof what, "field %d, %d points, R %g, %s, %zu stars: ", fields, f.count(),
        f.range, f.enclosing ? "enclosing" : "circle", expected.size());
    const int64_t most = random.below(2) ? 1 << 26 : 1 << 14;
    if (f.range <= 724) {
      expect(enumerate(f, kInts64, 1, most, doubts) == expected, what + std::string("64 bits"));
    }
    expect(enumerate(f, kInts128, 1, most, doubts) == expected, what + std::string("128 bits"));
    expect(enumerate(f, kReal, 1, most, doubts) == expected, what + std::string("reals"));
    if (f.range <= 64) {
      by_cells++;
      expect(enumerate_cells(f, false, 0, f.count()) == expected, what + std::string("cells"));
      const int first = random.below(f.count() + 1);
      const int end = first + random.below(f.count() - first + 1);
      std::vector<Star> some;
      for (const Star& star : expected) {
        if (star[0] >= first && star[0] < end) {
          some.push_back(star);
        }
      }
      expect(enumerate_cells(f, true, first, end) == some, what + std::string("local cells"));
    }
    // The same field at another scale, which is exact.
    Points small = f;
    const double scale = 0x1p-40;
    for (int i = 0; i < f.count(); i++) {
      small.xs[i] *= scale;
      small.ys[i] *= scale;
    }
    small.range *= scale;
    expect(enumerate(small, kReal, 1 / scale, most, doubts) == expected,
        what + std::string("reals, 2^-40"));
  }
  printf("%d fields (%d by cells), %lld stars, %lld pairs left to the host: %s\n", fields, by_cells,
      static_cast<long long>(stars_seen), static_cast<long long>(doubts),
      failures == 0 ? "right" : "WRONG");
}

// ---- Speed ----

Points benchmark(int count, bool enclosing, double factor) {
  Random random{1};
  std::vector<std::pair<double, double>> at;
  for (int i = 0; i < count; i++) {
    const double x = static_cast<double>(((random.next() >> 32) * 2000) >> 32);
    const double y = static_cast<double>(((random.next() >> 32) * 2000) >> 32);
    at.push_back({x * factor, y * factor});
  }
  return Points(at, 50 * factor, enclosing);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

long long counted(const Points& f, Numbers numbers, const char* what, bool print) {
  std::vector<double> whole, count_ms, list_ms, pair_ms;
  long long stars = 0;
  cudaEvent_t events[3];
  for (auto& event : events) {
    REQUIRE(cudaEventCreate(&event));
  }
  int open = 0;
  double tests = 0;
  {
    Search sized(f, numbers);
    std::vector<Piece> pieces = sized.cut(0, f.count(), 512 << 20, false);
    Slot slot(largest(pieces), false);
    for (int count : sized.counts) {
      tests += 0.5 * count * (count - 1);
    }
    for (int run = 0; run < (print ? 7 : 1); run++) {
      const double begin = now_ms();
      Search search(f, numbers);
      count_ms.push_back(now_ms() - begin);
      stars = 0;
      open = 0;
      double list = 0, pair = 0;
      for (const Piece& piece : search.cut(0, f.count(), 512 << 20, false)) {
        search.begin(slot, piece, false, events);
        REQUIRE(cudaStreamSynchronize(slot.stream));
        stars += *slot.host_stars.data;
        open += *slot.host_doubt_count.data;
        float ms;
        REQUIRE(cudaEventElapsedTime(&ms, events[0], events[1]));
        list += ms;
        REQUIRE(cudaEventElapsedTime(&ms, events[1], events[2]));
        pair += ms;
      }
      whole.push_back(now_ms() - begin);
      list_ms.push_back(list);
      pair_ms.push_back(pair);
    }
  }
  if (print) {
    const double pair = median(pair_ms);
    printf("count, %-16s %8.2f ms (aim 20): upload and counts of candidates %.2f, lists %.2f, "
           "pairs %.2f = %.3g tests/s; %.3g tests, %d left to the host\n",
        what, median(whole), median(count_ms), median(list_ms), pair, tests / pair * 1e3, tests, open);
  }
  return stars;
}

/** Bits to pinned memory, in pieces that go round over streams. */
void enumerated(const Points& f, Numbers numbers, const char* what, int64_t most, size_t depth) {
  std::vector<double> whole;
  int64_t bytes = 0;
  long long stars = 0;
  size_t count = 0;
  Search sized(f, numbers);
  std::vector<Piece> pieces = sized.cut(0, f.count(), most, true);
  std::vector<std::unique_ptr<Slot>> slots;
  for (size_t i = 0; i < depth; i++) {
    slots.push_back(std::make_unique<Slot>(largest(pieces), true));
  }
  for (int run = 0; run < 5; run++) {
    const double begin = now_ms();
    Search search(f, numbers);
    std::vector<Piece> cut = search.cut(0, f.count(), most, true);
    stars = 0;
    bytes = 0;
    count = cut.size();
    for (size_t i = 0; i < cut.size() + slots.size(); i++) {
      Slot& slot = *slots[i % slots.size()];
      if (i >= slots.size() && i - slots.size() < cut.size()) {
        REQUIRE(cudaStreamSynchronize(slot.stream));
        stars += *slot.host_stars.data;
        const Piece& piece = cut[i - slots.size()];
        bytes += 4 * (piece.list + piece.words);
      }
      if (i < cut.size()) {
        search.begin(slot, cut[i], true);
      }
    }
    whole.push_back(now_ms() - begin);
  }
  printf("enumerate, %-12s %8.2f ms (aim 60): %zu pieces of %lld MB, %lld MB to the host at "
         "%.1f GB/s, %lld stars\n",
      what, median(whole), count, static_cast<long long>(most >> 20),
      static_cast<long long>(bytes >> 20), bytes / median(whole) / 1e6, stars);
}

void papers(const Points& f) {
  const double before = now_ms();
  CellSearch search(f);
  REQUIRE(cudaDeviceSynchronize());
  printf("the paper's: %d numbers of sides, tables and upload %.1f ms, %zu segments\n",
      search.tables.count, now_ms() - before, f.segments.size());
  for (int variant = 0; variant < 4; variant++) {
    const bool local = variant >= 2;
    const size_t depth = variant % 2 == 0 ? 1 : 3;
    const int64_t bytes = local ? 160ll << 20 : 640ll << 20;
    const int64_t room = local ? bytes / sizeof(StarChunk) : bytes / sizeof(Star);
    std::vector<std::unique_ptr<DeviceArray<uint8_t>>> outputs;
    std::vector<std::unique_ptr<Pinned<uint8_t>>> hosts;
    std::vector<std::unique_ptr<DeviceArray<unsigned long long>>> filled;
    Pinned<unsigned long long> ends(2 * depth);
    std::vector<cudaStream_t> streams(depth);
    for (size_t i = 0; i < depth; i++) {
      outputs.push_back(std::make_unique<DeviceArray<uint8_t>>(bytes));
      hosts.push_back(std::make_unique<Pinned<uint8_t>>(bytes));
      filled.push_back(std::make_unique<DeviceArray<unsigned long long>>(2));
      REQUIRE(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
    }
    const int step = 16;
    const int all = static_cast<int>(f.segments.size());
    const int pieces = (all + step - 1) / step;
    double best = 1e30, kernel_only = 0;
    unsigned long long found = 0, moved = 0;
    bool full = false;
    for (int run = 0; run < 2; run++) {
      const double begin = now_ms();
      found = moved = 0;
      for (int i = 0; i < pieces + static_cast<int>(depth); i++) {
        const int d = i % depth;
        if (i >= static_cast<int>(depth)) {
          REQUIRE(cudaStreamSynchronize(streams[d]));
        }
        if (i < pieces) {
          search.launch(local, i * step, std::min(step, all - i * step), outputs[d]->data, room,
              filled[d]->data, 0, f.count(), streams[d]);
          REQUIRE(cudaMemcpyAsync(
              ends.data + 2 * d, filled[d]->data, 16, cudaMemcpyDeviceToHost, streams[d]));
        }
        // While the next is at work, what the piece before has filled comes down.
        const int previous = depth == 1 ? i : i - 1;
        if (previous >= 0 && previous < pieces) {
          const int e = previous % depth;
          REQUIRE(cudaStreamSynchronize(streams[e]));
          const unsigned long long* end = ends.data + 2 * e;
          full |= end[0] > static_cast<unsigned long long>(room);
          const size_t got = std::min<size_t>(end[0], room) * (local ? sizeof(StarChunk) : sizeof(Star));
          found += local ? end[1] : end[0];
          moved += got;
          REQUIRE(cudaMemcpyAsync(
              hosts[e]->data, outputs[e]->data, got, cudaMemcpyDeviceToHost, streams[e]));
        }
      }
      best = std::min(best, now_ms() - begin);
    }
    const double begin = now_ms();
    search.launch(local, 0, all, outputs[0]->data, 0, filled[0]->data, 0, f.count(), streams[0]);
    REQUIRE(cudaStreamSynchronize(streams[0]));
    kernel_only = now_ms() - begin;
    static const char* names[] = {"baseline", "streaming", "compression", "compression+streaming"};
    printf("%-22s %9.1f ms, %llu stars, %llu MB to the host%s; all segments at once, nothing "
           "stored: %.1f ms\n",
        names[variant], best, found, moved >> 20, full ? " (SOME WERE FULL)" : "", kernel_only);
    for (auto& stream : streams) {
      REQUIRE(cudaStreamDestroy(stream));
    }
  }
}

void speed() {
  static const std::tuple<int, long long, long long> known[] = {{1600, 4546, 4908},
      {3200, 35191, 37849}, {6400, 283048, 304444}, {12800, 2275577, 2444734},
      {25600, 18294622, 19656608}, {102400, 1173997215, 1261467278}};
  for (auto [count, circle, enclosing] : known) {
    for (bool rule : {false, true}) {
      const Points f = benchmark(count, rule, 1);
      const long long right = rule ? enclosing : circle;
      for (Numbers numbers : {kInts64, kInts128, kReal}) {
        const long long found = counted(f, numbers, "", false);
        // What the host decides is not counted here: it is near a boundary.
        const bool good = numbers == kReal ? found <= right && found > right * 0.999 : found == right;
        expect(good, std::to_string(count) + " points, " + std::to_string(found) + " stars");
      }
    }
  }
  const Points f = benchmark(102400, false, 1);
  const Points g = benchmark(102400, true, 1);
  const Points real = benchmark(102400, false, 0.1);
  counted(f, kInts64, "64 bits", true);
  counted(g, kInts64, "enclosing", true);
  counted(f, kInts128, "128 bits", true);
  counted(real, kReal, "reals, x 0.1", true);
  enumerated(f, kInts64, "32 MB x 3", 32 << 20, 3);
  enumerated(f, kInts64, "64 MB x 3", 64 << 20, 3);
  enumerated(g, kInts64, "enclosing", 64 << 20, 3);
  enumerated(real, kReal, "reals, x 0.1", 64 << 20, 3);
  papers(f);
}

}  // namespace

int main(int count, char** arguments) {
  const std::string what = count > 1 ? arguments[1] : "";
  cudaDeviceProp properties;
  REQUIRE(cudaGetDeviceProperties(&properties, 0));
  multiprocessors = properties.multiProcessorCount;
  printf("%s\n", properties.name);
  if (what != "speed") {
    check();
  }
  if (what != "check") {
    speed();
  }
  return verdict();
}
