// Launches the kernels of stars.cu and of the paper's cells as their contracts say.

#pragma once

#include <array>
#include <cmath>
#include <set>

#include "../../../../fieldstone-papers/src/main/cuda/cells.cu"
#include "../../main/cuda/stars.cu"
#include "check.cuh"

namespace star_searches {

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
  const int64_t most = resident_blocks(kernel, stars::kThreads, 0) * waves;
  return static_cast<int>(std::max<int64_t>(
      1, std::min(most, (warps + stars::kWarps - 1) / stars::kWarps)));
}

using Star = std::array<int, 3>;

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
};

inline int64_t words_of(int64_t count) {
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
    // The host takes all of them, however many there are.
    REQUIRE(cudaMemsetAsync(doubts.data, 0, kDoubts * sizeof(StarDoubt), stream));
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

inline Piece largest(const std::vector<Piece>& pieces) {
  Piece most;
  for (const Piece& piece : pieces) {
    most.points = std::max(most.points, piece.points);
    most.list = std::max(most.list, piece.list);
    most.words = std::max(most.words, piece.words);
    most.units = std::max(most.units, piece.units);
  }
  return most;
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

}  // namespace star_searches
