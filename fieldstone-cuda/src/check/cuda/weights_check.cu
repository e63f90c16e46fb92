// Checks pairs.cu and transforms.cu against definitions, bit by bit, on the host; then counts codes of
// length 127 and times the phases.
//
//   nvcc -O3 -std=c++17 -gencode arch=compute_90a,code=sm_90a -o weights_check
//   fieldstone-cuda/src/check/cuda/weights_check.cu
//   ./weights_check             checks, then everything that follows
//   ./weights_check check       checks only
//   ./weights_check pairs       all pairs of BCH(127,22), by every kernel
//   ./weights_check transforms  BCH(127,22) to BCH(127,43), even words
//
// Exits 1 if anything is wrong.

#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "../../main/cuda/pairs.cu"
#include "../../main/cuda/transforms.cu"
#include "check.cuh"

namespace {

int random_below(int bound) { return static_cast<int>(random_word() % bound); }

int multiprocessors;

template <class A>
void launch(void (*kernel)(const A), dim3 grid, int threads, int shared, const A& a) {
  static std::map<void*, int> allowed;
  int& most = allowed[reinterpret_cast<void*>(kernel)];
  if (shared > most) {
    REQUIRE(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    most = shared;
  }
  kernel<<<grid, threads, shared>>>(a);
  REQUIRE(cudaGetLastError());
}

template <class A>
int resident_blocks(void (*kernel)(const A), int threads, int shared) {
  REQUIRE(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
  int blocks;
  REQUIRE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared));
  return blocks * multiprocessors;
}

/** Time on the GPU between construction and ms(). */
struct Stopwatch {
  cudaEvent_t begin, end;
  Stopwatch() {
    REQUIRE(cudaEventCreate(&begin));
    REQUIRE(cudaEventCreate(&end));
    REQUIRE(cudaEventRecord(begin));
  }
  float ms() {
    REQUIRE(cudaEventRecord(end));
    REQUIRE(cudaEventSynchronize(end));
    float ms;
    REQUIRE(cudaEventElapsedTime(&ms, begin, end));
    REQUIRE(cudaEventDestroy(begin));
    REQUIRE(cudaEventDestroy(end));
    return ms;
  }
};

// ---- Words and codes ----

using Bits = std::array<uint32_t, 8>;

int weight_of(const Bits& word) {
  int ones = 0;
  for (uint32_t part : word) ones += __builtin_popcount(part);
  return ones;
}

void flip(Bits& word, int bit) { word[bit / 32] ^= 1u << (bit % 32); }

Bits sum(const Bits& a, const Bits& b) {
  Bits c;
  for (int i = 0; i < 8; i++) c[i] = a[i] ^ b[i];
  return c;
}

int common(const Bits& a, const Bits& b) {
  int ones = 0;
  for (int i = 0; i < 8; i++) ones += __builtin_popcount(a[i] & b[i]);
  return ones;
}

int words_for(int length) { return length <= 128 ? 4 : 8; }

/** As the kernels want words, with memory for `more` past the last. */
std::vector<uint32_t> packed(const std::vector<Bits>& from, int length, int more = 0) {
  const int words = words_for(length);
  std::vector<uint32_t> to((from.size() + more) * words, 0xA5A5A5A5);
  for (size_t i = 0; i < from.size(); i++) {
    for (int part = 0; part < words; part++) to[i * words + part] = from[i][part];
  }
  return to;
}

/** The field of 2^degree elements, whose element 2 is primitive. */
struct Field {
  int degree;
  uint32_t polynomial;

  uint32_t multiply(uint32_t a, uint32_t b) const {
    uint32_t product = 0;
    for (int i = degree - 1; i >= 0; i--) {
      product <<= 1;
      if (product >> degree) product ^= polynomial;
      if (b >> i & 1) product ^= a;
    }
    return product;
  }
  uint32_t power(int64_t e) const {
    uint32_t result = 1;
    for (e %= (1 << degree) - 1; e > 0; e--) result = multiply(result, 2);
    return result;
  }
  int trace(uint32_t a) const {
    uint32_t sum = 0;
    for (int i = 0; i < degree; i++, a = multiply(a, a)) sum ^= a;
    return sum & 1;
  }
};

/** Maps of the bits of a message. */
using Map = std::vector<uint64_t>;

struct Code {
  int length;
  std::vector<Bits> basis;
  std::vector<Map> symmetries;

  int rows() const { return static_cast<int>(basis.size()); }
};

/**
 * The words Tr(Σ β_e α^(e·i)): a cyclic code, with a block of the message for each exponent e. With
 * shifts and with squaring as symmetries.
 */
Code cyclic(const Field& field, const std::vector<int>& exponents) {
  Code code{(1 << field.degree) - 1, {}, {}};
  for (int e : exponents) {
    for (int bit = 0; bit < field.degree; bit++) {
      Bits word{};
      for (int i = 0; i < code.length; i++) {
        if (field.trace(field.multiply(1 << bit, field.power(int64_t{e} * i)))) flip(word, i);
      }
      code.basis.push_back(word);
    }
  }
  for (int shift = 0; shift < code.length; shift++) {
    for (int squarings = 0; squarings < field.degree; squarings++) {
      Map map;
      for (size_t block = 0; block < exponents.size(); block++) {
        for (int bit = 0; bit < field.degree; bit++) {
          uint32_t image =
              field.multiply(1 << bit, field.power(int64_t{exponents[block]} * shift));
          for (int i = 0; i < squarings; i++) image = field.multiply(image, image);
          map.push_back(uint64_t{image} << (block * field.degree));
        }
      }
      code.symmetries.push_back(map);
    }
  }
  return code;
}

Code random_code(int length, int rows) {
  Code code{length, {}, {Map{}}};
  for (int row = 0; row < rows; row++) {
    Bits word{};
    for (int i = 0; i < length; i++) {
      if (random_word() & 1) flip(word, i);
    }
    code.basis.push_back(word);
    code.symmetries[0].push_back(uint64_t{1} << row);
  }
  return code;
}

/** All words, by message. */
std::vector<Bits> all_words(const Code& code) {
  std::vector<Bits> words(size_t{1} << code.rows(), Bits{});
  for (size_t m = 1; m < words.size(); m++) {
    words[m] = sum(words[m & (m - 1)], code.basis[__builtin_ctzll(m)]);
  }
  return words;
}

/** Exponents of the even words of BCH(127, 1 + 7·blocks). */
Code bch_127(int blocks) {
  const std::vector<int> exponents{1, 9, 5, 21, 3, 11};
  return cyclic({7, 0x89}, {exponents.begin(), exponents.begin() + blocks});
}

// ---- Pairs ----

struct Groups {
  int length;
  std::vector<Bits> words;
  std::vector<int> weights;
  std::vector<int64_t> first;  // and the end

  int count() const { return static_cast<int>(weights.size()); }
};

Groups by_weight(const std::vector<Bits>& words, int length) {
  Groups groups{length, {}, {}, {}};
  std::vector<std::vector<Bits>> sorted(length + 1);
  for (const Bits& word : words) sorted[weight_of(word)].push_back(word);
  for (int weight = 0; weight <= length; weight++) {
    if (sorted[weight].empty()) continue;
    groups.weights.push_back(weight);
    groups.first.push_back(groups.words.size());
    groups.words.insert(groups.words.end(), sorted[weight].begin(), sorted[weight].end());
  }
  groups.first.push_back(groups.words.size());
  return groups;
}

/** Groups of random words, or of words of runs of four ones. */
Groups random_groups(int length, int most_groups, int most_words, bool spaced) {
  Groups groups{length, {}, {}, {}};
  std::vector<bool> taken(length + 1);
  for (int i = 0; i < most_groups; i++) {
    int weight = random_below(length + 1);
    if (spaced) weight = weight / 4 * 4;
    if (taken[weight]) continue;
    taken[weight] = true;
    groups.weights.push_back(weight);
    groups.first.push_back(groups.words.size());
    const int unit = spaced ? 4 : 1;
    for (int words = random_below(most_words + 1); words > 0; words--) {
      Bits word{};
      int missing = weight / unit;
      for (int at = 0; at < length / unit; at++) {
        if (random_below(length / unit - at) < missing) {
          for (int bit = at * unit; bit < (at + 1) * unit; bit++) flip(word, bit);
          missing--;
        }
      }
      groups.words.push_back(word);
    }
  }
  groups.first.push_back(groups.words.size());
  return groups;
}

/** Counts by left group, right group and x. */
using Table = std::vector<unsigned long long>;

/** Words on the GPU, and the ways to count their pairs. */
struct PairCounter {
  const Groups& left;
  const Groups& right;
  const int length;
  const int words;
  DeviceArray<uint32_t> left_words, right_words;
  DeviceArray<int32_t> left_weights, right_weights;
  DeviceArray<unsigned long long> counts, bins;

  PairCounter(const Groups& left, const Groups& right)
      : left(left),
        right(right),
        length(left.length),
        words(words_for(length)),
        left_words(packed(left.words, length, 64)),
        right_words(packed(right.words, length, 64)),
        left_weights(left.weights),
        right_weights(right.weights),
        counts(size_t(left.count()) * right.count() * (length + 1)),
        bins(size_t(length + 1) * (length + 1) * (length + 1)) {
    counts.clear();
    bins.clear();
  }

  /** Left words [first, end) by all right ones. */
  void bins_by(void (*kernel)(const PairBinsArguments), int64_t first, int64_t end, int threads) {
    const int shared = kernel == pairs_local ? 4 * (length / 2 + 1) * ((length + 1) / 2 + 1) : 0;
    PairBinsArguments a{left_words.data + first * words, right_words.data, end - first,
                        static_cast<int64_t>(right.words.size()), bins.data, length, words};
    launch(kernel, dim3(resident_blocks(kernel, threads, shared)), threads, shared, a);
    PairCollectArguments c{bins.data, counts.data, left_weights.data, right_weights.data, 0,
                           left.count(), 0, right.count(), right.count(), length};
    launch(pairs_collect, dim3(multiprocessors), 256, 0, c);
  }

  void add_run(std::vector<PairRun>& runs, int64_t& tiles, PairRun run, int64_t first_left,
               int64_t left_count, int64_t first_right, int64_t right_count) const {
    if (left_count == 0 || right_count == 0) return;
    run.left = left_words.data + first_left * words;
    run.right = right_words.data + first_right * words;
    run.left_count = left_count;
    run.right_count = right_count;
    run.first_tile = tiles;
    tiles += (left_count + pairs::kTileRows - 1) / pairs::kTileRows *
             ((right_count + pairs::kTileColumns - 1) / pairs::kTileColumns);
    runs.push_back(run);
  }

  /** Left words [first, end) by right words [first_right, end_right). */
  void tensor(int64_t first, int64_t end, int64_t first_right, int64_t end_right) {
    std::vector<PairRun> runs;
    int64_t tiles = 0;
    for (int u = 0; u < left.count(); u++) {
      const int64_t u0 = std::max(first, left.first[u]), u1 = std::min(end, left.first[u + 1]);
      for (int v = 0; v < right.count(); v++) {
        const int64_t v0 = std::max(first_right, right.first[v]);
        const int64_t v1 = std::min(end_right, right.first[v + 1]);
        if (u0 >= u1 || v0 >= v1) continue;
        PairRun run{};
        run.counts = counts.data + (size_t(u) * right.count() + v) * (length + 1);
        add_run(runs, tiles, run, u0, u1 - u0, v0, v1 - v0);
      }
    }
    launch_runs(words == 4 ? pairs_tensor_128 : pairs_tensor_256, (length + 1) * 128, runs, tiles);
  }

  void launch_runs(void (*kernel)(const PairTilesArguments), int shared,
                   const std::vector<PairRun>& runs, int64_t tiles) {
    if (runs.empty()) return;
    const DeviceArray<PairRun> on_gpu(runs);
    PairTilesArguments a{on_gpu.data, tiles, static_cast<int32_t>(runs.size()), length};
    const int blocks = resident_blocks(kernel, pairs::kThreads, shared);
    launch(kernel, dim3(static_cast<unsigned>(std::min<int64_t>(blocks, tiles))), pairs::kThreads,
           shared, a);
    REQUIRE(cudaDeviceSynchronize());
  }

  Table take() {
    const Table table = counts.read();
    counts.clear();
    return table;
  }

  Table expected(int64_t first, int64_t end, int64_t first_right, int64_t end_right) const {
    Table table(counts.count);
    for (int u = 0; u < left.count(); u++) {
      for (int v = 0; v < right.count(); v++) {
        for (int64_t i = std::max(first, left.first[u]); i < std::min(end, left.first[u + 1]); i++)
          for (int64_t j = std::max(first_right, right.first[v]);
               j < std::min(end_right, right.first[v + 1]); j++)
            table[(size_t(u) * right.count() + v) * (length + 1) +
                  common(left.words[i], right.words[j])]++;
      }
    }
    return table;
  }
};

void check_pairs(int length, int most_groups, int most_words, bool spaced) {
  const Groups left = random_groups(length, most_groups, most_words, spaced);
  const Groups right = random_groups(length, most_groups, most_words, spaced);
  PairCounter counter(left, right);
  const int64_t u = left.words.size(), v = right.words.size();
  const std::string what = std::to_string(u) + "x" + std::to_string(v) + " words of " +
                           std::to_string(length) + " bits" + (spaced ? ", spaced: " : ": ");
  const Table all = counter.expected(0, u, 0, v);
  counter.bins_by(pairs_global, 0, u, 256);
  expect(counter.take() == all, what + "global");
  counter.bins_by(pairs_local, 0, u, 512);
  expect(counter.take() == all, what + "local");
  const int64_t u0 = random_word() % (u + 1), u1 = u0 + random_word() % (u - u0 + 1);
  const int64_t v0 = random_word() % (v + 1), v1 = v0 + random_word() % (v - v0 + 1);
  const Table part = counter.expected(u0, u1, v0, v1);
  counter.tensor(0, u, 0, v);
  expect(counter.take() == all, what + "tensor");
  counter.tensor(u0, u1, v0, v1);
  expect(counter.take() == part, what + "tensor, a part");
}

void check_weights(int length, int rows, int offset_count, int split_bits) {
  const Code code = random_code(length, rows);
  std::vector<Bits> offsets;
  std::vector<unsigned long long> multiplicities;
  for (int i = 0; i < offset_count; i++) {
    offsets.push_back(random_code(length, 1).basis[0]);
    multiplicities.push_back(random_word() >> 30);
  }
  std::vector<unsigned long long> expected(length + 1);
  for (const Bits& word : all_words(code)) {
    for (int i = 0; i < offset_count; i++) {
      expected[weight_of(sum(word, offsets[i]))] += multiplicities[i];
    }
  }
  const DeviceArray<uint32_t> basis(packed(code.basis, length)), from(packed(offsets, length));
  const DeviceArray<unsigned long long> times(multiplicities);
  DeviceArray<unsigned long long> counts(length + 1);
  counts.clear();
  const int words = words_for(length);
  WeightCountArguments a{basis.data, from.data, times.data, offset_count, counts.data,
                         rows, length, words, std::min(split_bits, rows)};
  launch(weights_count, dim3(3), 256, (length + 1) * 128 + 128 * words, a);
  expect(counts.read() == expected, "weights of " + std::to_string(offset_count) + " cosets of 2^" +
                                        std::to_string(rows) + " words of " +
                                        std::to_string(length) + " bits");
}

// ---- Transforms ----

using Sum = __int128;
using Sums = std::vector<Sum>;

struct Slice {
  uint32_t functional;
  int64_t multiplicity;
};

uint64_t transposed(const Map& map, int high_bits, uint32_t functional) {
  uint64_t image = 0;
  for (int bit = 0; bit < high_bits; bit++) {
    image |= uint64_t(__builtin_parityll(map[bit] & functional)) << bit;
  }
  return image;
}

/** One functional of each orbit. */
std::vector<Slice> orbits(const Code& code, int high_bits) {
  std::vector<bool> seen(size_t{1} << high_bits);
  std::vector<Slice> slices;
  for (uint32_t functional = 0; functional < seen.size(); functional++) {
    if (seen[functional]) continue;
    int64_t count = 0;
    for (const Map& map : code.symmetries) {
      const uint64_t image = transposed(map, high_bits, functional);
      count += !seen[image];
      seen[image] = true;
    }
    slices.push_back({functional, count});
  }
  return slices;
}

std::vector<std::array<int, 3>> triples_of(int order) {
  std::vector<std::array<int, 3>> triples;
  for (int a = 0; a < order; a++)
    for (int b = a; b < order; b++)
      for (int c = b; c < order; c++) triples.push_back({a, b, c});
  return triples;
}

/** For c from the last ones down, sixteen at a time, all pairs that are not above them. */
std::vector<TripleUnit> units_of(int order) {
  std::vector<TripleUnit> units;
  for (int end = order; end > 0; end = std::max(0, end - 16)) {
    std::vector<std::array<int, 2>> pairs;
    for (int b = 0; b < end; b++)
      for (int a = 0; a <= b; a++) pairs.push_back({a, b});
    for (size_t first = 0; first < pairs.size(); first += 16) {
      TripleUnit unit;
      for (size_t row = 0; row < 16; row++) {
        const bool present = first + row < pairs.size();
        unit.a[row] = present ? pairs[first + row][0] : order > 1 ? 1 : 0;
        unit.b[row] = present ? pairs[first + row][1] : 0;
      }
      unit.first_c = std::max(0, end - 16);
      unit.end_c = end;
      units.push_back(unit);
    }
  }
  return units;
}

/** A transform on the GPU. */
struct Transform {
  static constexpr int kLeastBits = 14;

  const Code& code;
  const std::vector<int> weights;
  const int high_bits, low_bits, padded_bits, order, pair_words, words;
  const bool with_symmetries;
  const int symmetries;
  const int64_t points;  // low parts, padded
  const int64_t chunk;   // functionals of a launch of the last kernels
  const int batch;       // slices counted at once
  const int64_t limit;
  const std::vector<TripleUnit> host_units;
  int tile = 256;
  DeviceArray<uint32_t> basis;
  DeviceArray<uint8_t> places;
  DeviceArray<uint32_t> counted, values;
  DeviceArray<int32_t> transforms;
  DeviceArray<int32_t> chunk_values;
  DeviceArray<int64_t> chunk_large;
  DeviceArray<uint32_t> left_out, left_out_count;
  DeviceArray<TripleUnit> units;
  std::unique_ptr<DeviceArray<uchar4>> triples;
  DeviceArray<unsigned long long> sums;
  std::unique_ptr<DeviceArray<uint32_t>> representatives, images;
  int64_t representative_count;
  bool exact_only = false;
  bool profile = false;
  int most_short_bits = 30;
  std::map<std::string, double> times;

  static std::vector<uint8_t> places_of(const Code& code, const std::vector<int>& weights) {
    std::vector<uint8_t> places(code.length + 1, 255);
    for (size_t i = 0; i < weights.size(); i++) places[weights[i]] = static_cast<uint8_t>(i);
    return places;
  }

  Transform(const Code& code, const std::vector<int>& weights, int high_bits, bool with_symmetries,
            int batch, int64_t limit, int chunk_bits)
      : code(code),
        weights(weights),
        high_bits(high_bits),
        low_bits(code.rows() - high_bits),
        padded_bits(std::max(low_bits, kLeastBits)),
        order(static_cast<int>(weights.size())),
        pair_words((order + 1) / 2),
        words(words_for(code.length)),
        with_symmetries(with_symmetries),
        symmetries(with_symmetries ? static_cast<int>(code.symmetries.size()) : 1),
        points(int64_t{1} << padded_bits),
        chunk(std::min(points, int64_t{1} << chunk_bits)),
        batch(batch),
        limit(limit),
        host_units(units_of(order)),
        basis(packed(code.basis, code.length)),
        places(places_of(code, weights)),
        counted(0),
        values(size_t(batch) * points * pair_words),
        transforms(size_t(order) << padded_bits),
        chunk_values(size_t(order) * chunk),
        chunk_large(size_t(order) * chunk),
        left_out(chunk),
        left_out_count(1),
        units(host_units),
        sums(triples_of(order).size() * 3) {
    std::vector<uchar4> host_triples;
    for (const auto& t : triples_of(order)) {
      host_triples.push_back(make_uchar4(t[0], t[1], t[2], 0));
    }
    triples = std::make_unique<DeviceArray<uchar4>>(host_triples);
    while (8 * order * (tile + 16) > 160 << 10) tile /= 2;
    find_orbits();
  }

  /** Waiting for each phase takes time, so that phases add up to more than a run. */
  void timed(const char* phase, const std::function<void()>& work) {
    if (!profile) {
      work();
      return;
    }
    Stopwatch watch;
    work();
    times[phase] += watch.ms();
  }

  void find_orbits() {
    representative_count = int64_t{1} << low_bits;
    if (!with_symmetries) return;
    std::vector<uint32_t> columns(size_t(symmetries) * 32);
    for (int i = 0; i < symmetries; i++) {
      for (int bit = 0; bit < low_bits; bit++) {
        columns[i * 32 + bit] =
            static_cast<uint32_t>(code.symmetries[i][high_bits + bit] >> high_bits);
      }
    }
    const DeviceArray<uint32_t> low_images(columns);
    DeviceArray<unsigned long long> count(1);
    TransformOrbitsArguments o{low_images.data, nullptr, count.data, symmetries, low_bits};
    const int blocks = multiprocessors * 8;
    timed("orbits", [&] {
      count.clear();
      launch(transform_orbits, dim3(blocks), 256, 0, o);
    });
    representative_count = count.read()[0];
    representatives = std::make_unique<DeviceArray<uint32_t>>(representative_count);
    images = std::make_unique<DeviceArray<uint32_t>>(representative_count * symmetries);
    o.representatives = representatives->data;
    timed("orbits", [&] {
      count.clear();
      launch(transform_orbits, dim3(blocks), 256, 0, o);
    });
    TransformImagesArguments i{low_images.data, representatives->data, images->data,
                               representative_count, symmetries, low_bits};
    timed("images", [&] {
      launch(transform_images, dim3((symmetries + 255) / 256, multiprocessors * 4), 256, 0, i);
    });
  }

  void count(const Slice* slices, int some) {
    std::vector<uint16_t> host_points(size_t(some) * symmetries);
    for (int slice = 0; slice < some; slice++) {
      for (int i = 0; i < symmetries; i++) {
        host_points[slice * symmetries + i] = static_cast<uint16_t>(
            with_symmetries
                ? transposed(code.symmetries[i], high_bits, slices[slice].functional)
                : slices[slice].functional);
      }
    }
    const DeviceArray<uint16_t> on_gpu(host_points);
    TransformCountArguments a{};
    a.basis = basis.data;
    a.places = places.data;
    a.representatives = with_symmetries ? representatives->data : nullptr;
    a.images = with_symmetries ? images->data : nullptr;
    a.points = on_gpu.data;
    a.values = values.data;
    a.pitch = points * pair_words;
    a.representative_count = representative_count;
    a.symmetries = symmetries;
    a.slices = some;
    a.high_bits = high_bits;
    a.low_bits = low_bits;
    a.length = code.length;
    a.words = words;
    a.pairs = pair_words;
    const auto kernel = words == 4 ? transform_count_128 : transform_count_256;
    const int shared = 67584 + 4224 * words + 272 + 2 * some * symmetries;
    const int64_t tiles =
        (representative_count + (int64_t{16384} >> high_bits) - 1) >> (14 - high_bits);
    const int blocks = resident_blocks(kernel, 512, shared);
    timed("count", [&] {
      if (low_bits < padded_bits) values.clear();
      launch(kernel, dim3(static_cast<unsigned>(std::min<int64_t>(blocks, tiles))), 512, shared, a);
    });
  }

  /** Bits that 32-bit arithmetic transforms. */
  int short_bits() const { return std::min(low_bits, std::min(30 - high_bits, most_short_bits)); }

  Sums add_up(int slice) {
    sums.clear();
    timed("first", [&] {
      TransformFirstArguments a{values.data + slice * points * pair_words, transforms.data,
                                padded_bits, std::min(short_bits(), 10), order, pair_words};
      launch(transform_first, dim3(static_cast<unsigned>(points >> 10)), 256,
             128 * (32 * std::min(pair_words, 16) + 1) + 33792, a);
    });
    timed("middle", [&] {
      static void (*const kernels[])(const TransformMiddleArguments) = {
          transform_middle_1, transform_middle_2, transform_middle_3,
          transform_middle_4, transform_middle_5, transform_middle_6};
      int left = std::max(0, short_bits() - 10);
      for (int at = 10; left > 0;) {
        const int passes = (left + 5) / 6;
        const int bits = (left + passes - 1) / passes;
        TransformMiddleArguments a{transforms.data, padded_bits, at, order, 0};
        const int64_t threads = int64_t(order) << (padded_bits - bits);
        launch(kernels[bits - 1], dim3(static_cast<unsigned>((threads + 255) / 256)), 256, 0, a);
        at += bits;
        left -= bits;
      }
    });
    for (int64_t first = 0; first < points; first += chunk) add_chunk(first);
    const std::vector<unsigned long long> words = sums.read();
    Sums result(words.size() / 3);
    for (size_t i = 0; i < result.size(); i++) {
      result[i] = static_cast<Sum>(words[3 * i]) +
                  (static_cast<Sum>(static_cast<int64_t>(words[3 * i + 1])) << 32) +
                  (static_cast<Sum>(static_cast<int64_t>(words[3 * i + 2])) << 64);
    }
    return result;
  }

  void add_chunk(int64_t first) {
    timed("last", [&] {
      const int bits = low_bits - short_bits();
      const int64_t tiles = chunk >> 14;
      TransformLastArguments a{transforms.data, chunk_values.data, chunk_large.data, chunk,
                               first >> 14, tiles, limit, padded_bits, bits};
      launch(transform_last, dim3(static_cast<unsigned>(tiles * order)), 256,
             bits > 6 ? 133120 : 0, a);
    });
    left_out_count.clear();
    if (!exact_only) {
      timed("products", [&] {
        TransformProductsArguments a{chunk_values.data, chunk, chunk, units.data, sums.data,
                                     left_out.data, left_out_count.data,
                                     static_cast<int32_t>(host_units.size()), order, tile, 0};
        const int groups = static_cast<int>((host_units.size() + 11) / 12);
        const int shared = 8 * order * (tile + 16);
        launch(transform_products,
               dim3(static_cast<unsigned>(std::min<int64_t>(chunk / tile, multiprocessors)),
                    groups),
               384, shared, a);
      });
    }
    timed("exact", [&] {
      const int count = static_cast<int>(triples->count);
      TransformExactArguments a{chunk_values.data, chunk_large.data, chunk,
                                exact_only ? nullptr : left_out.data,
                                exact_only ? nullptr : left_out_count.data, chunk,
                                triples->data, sums.data, count, order};
      launch(transform_products_exact, dim3(multiprocessors * 2, (count + 1023) / 1024), 256,
             128 * order, a);
    });
  }

  /** Sums over slices, each as often as it counts. */
  Sums run(const std::vector<Slice>& slices) {
    Sums all(triples->count);
    for (size_t first = 0; first < slices.size(); first += batch) {
      const int some = static_cast<int>(std::min<size_t>(batch, slices.size() - first));
      count(&slices[first], some);
      for (int i = 0; i < some; i++) {
        const Sums once = add_up(i);
        for (size_t t = 0; t < all.size(); t++) all[t] += once[t] * slices[first + i].multiplicity;
      }
    }
    return all;
  }
};

/** By a transform of everything, on the host; the multiplicity of a functional by its high part. */
Sums by_definition(const Code& code, const std::vector<int>& weights, int high_bits,
                   const std::vector<Slice>& slices) {
  const std::vector<Bits> words = all_words(code);
  std::vector<std::vector<int64_t>> f(weights.size(), std::vector<int64_t>(words.size()));
  for (size_t m = 0; m < words.size(); m++) {
    for (size_t a = 0; a < weights.size(); a++) f[a][m] = weight_of(words[m]) == weights[a];
  }
  for (auto& values : f) {
    for (size_t half = 1; half < values.size(); half *= 2) {
      for (size_t i = 0; i < values.size(); i++) {
        if (i & half) continue;
        const int64_t low = values[i], high = values[i + half];
        values[i] = low + high;
        values[i + half] = low - high;
      }
    }
  }
  std::vector<int64_t> multiplicity(size_t{1} << high_bits);
  for (const Slice& slice : slices) multiplicity[slice.functional] += slice.multiplicity;
  const auto triples = triples_of(static_cast<int>(weights.size()));
  Sums sums(triples.size());
  for (size_t s = 0; s < words.size(); s++) {
    const int64_t times = multiplicity[s & (multiplicity.size() - 1)];
    if (times == 0) continue;
    for (size_t i = 0; i < triples.size(); i++) {
      sums[i] += static_cast<Sum>(f[triples[i][0]][s]) * f[triples[i][1]][s] * f[triples[i][2]][s] *
                 times;
    }
  }
  return sums;
}

std::vector<int> weights_in(const Code& code) {
  std::vector<bool> seen(code.length + 1);
  for (const Bits& word : all_words(code)) seen[weight_of(word)] = true;
  std::vector<int> weights;
  for (int weight = 0; weight <= code.length; weight++) {
    if (seen[weight]) weights.push_back(weight);
  }
  return weights;
}

void check_transform(const Code& code, int high_bits, bool with_symmetries, int batch,
                     int64_t limit, int chunk_bits, bool exact_only, int most_weights,
                     int most_short_bits = 30) {
  std::vector<int> weights = weights_in(code);
  while (static_cast<int>(weights.size()) > most_weights) {
    weights.erase(weights.begin() + random_below(static_cast<int>(weights.size())));
  }
  std::vector<Slice> slices;
  if (with_symmetries) {
    slices = orbits(code, high_bits);
  } else {
    for (int i = 0; i < 5; i++) {
      slices.push_back({static_cast<uint32_t>(random_word()) & ((1u << high_bits) - 1),
                        random_below(1000)});
    }
  }
  Transform transform(code, weights, high_bits, with_symmetries, batch, limit, chunk_bits);
  transform.exact_only = exact_only;
  transform.most_short_bits = most_short_bits;
  const Sums sums = transform.run(slices);
  const Sums right = by_definition(code, weights, high_bits, slices);
  int64_t wrong = 0;
  for (size_t i = 0; i < sums.size(); i++) wrong += sums[i] != right[i];
  expect(wrong == 0, std::to_string(wrong) + " of " + std::to_string(sums.size()) +
                         " sums of 2^" + std::to_string(code.rows()) + " words of " +
                         std::to_string(code.length) + " bits, " + std::to_string(high_bits) +
                         " high, " + std::to_string(weights.size()) + " weights, limit " +
                         std::to_string(limit) + (with_symmetries ? ", symmetries" : "") +
                         (exact_only ? ", exact" : ""));
}

bool check_all() {
  constexpr int64_t kLimit = 1 << 23;
  for (int i = 0; i < 12; i++) {
    const int length = 1 + random_below(i % 2 == 0 ? 128 : 256);
    check_pairs(length, 3, 300, false);
    check_pairs(length, 3, 300, true);
  }
  check_pairs(127, 2, 2600, true);
  check_pairs(255, 2, 2600, false);
  check_pairs(256, 5, 3, false);
  for (int i = 0; i < 12; i++) {
    check_weights(1 + random_below(i % 2 == 0 ? 128 : 256), random_below(15),
                  1 + random_below(i == 0 ? 3000 : 5), random_below(8));
  }
  printf("pairs and weights: %d wrong\n", failures);
  for (int i = 0; i < 8; i++) {
    const int rows = 1 + random_below(15);
    const Code code = random_code(1 + random_below(i % 2 == 0 ? 128 : 256), rows);
    const int64_t limit = i % 3 == 0 ? 1 + random_below(40) : kLimit;
    check_transform(code, random_below(std::min(rows, 14) + 1), false, 1 + random_below(3), limit,
                    i % 2 == 0 ? 14 : 19, i % 4 == 3, 12);
  }
  for (int short_bits : {3, 5, 8, 9, 14}) {
    check_transform(random_code(90, 15), 0, false, 1, 1000, 14, false, 5, short_bits);
  }
  const Code wide = random_code(256, 14);
  check_transform(wide, 0, false, 1, kLimit, 19, false, 60);
  check_transform(wide, 14, false, 1, 20, 14, false, 40);
  const Code small = cyclic({3, 0xB}, {1, 3});
  const Code middle = cyclic({5, 0x25}, {1, 3, 5});
  const Code large = cyclic({7, 0x89}, {1, 9});
  for (int64_t limit : {kLimit, int64_t{30}}) {
    check_transform(small, 3, true, 2, limit, 14, false, 9);
    check_transform(middle, 5, true, 3, limit, 14, false, 9);
    check_transform(middle, 10, true, 2, limit, 14, false, 9);
    check_transform(large, 7, true, 2, limit, 14, false, 9);
  }
  printf("transforms: %d wrong\n", failures);
  return failures == 0;
}

// ---- At full size ----

std::string text(Sum value) {
  if (value < 0) return "-" + text(-value);
  std::string digits;
  do {
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(value % 10)));
    value /= 10;
  } while (value != 0);
  return digits;
}

/**
 * Of sums over all functionals of 2^k words of weights 0 … : divisible by 2^k, 0 + b = c only for b
 * = c, and pairs of weights a and b are A_a·A_b.
 */
bool check_identities(const Transform& transform, const Sums& sums, std::vector<Sum>& counts) {
  const int order = transform.order, rows = transform.code.rows();
  const auto index = triples_of(order);
  std::map<std::array<int, 3>, Sum> n;
  bool right = true;
  for (size_t i = 0; i < sums.size(); i++) {
    right &= (sums[i] & ((Sum{1} << rows) - 1)) == 0 && sums[i] >= 0;
    n[index[i]] = sums[i] >> rows;
  }
  counts.assign(order, 0);
  Sum total = 0;
  for (int a = 0; a < order; a++) {
    for (int b = a; b < order; b++) {
      if (a != b) right &= n[{0, a, b}] == 0;
    }
    counts[a] = n[{0, a, a}];
    total += counts[a];
  }
  right &= total == Sum{1} << rows;
  for (int a = 0; a < order; a++) {
    for (int b = 0; b < order; b++) {
      Sum all = 0;
      for (int c = 0; c < order; c++) {
        std::array<int, 3> t{a, b, c};
        std::sort(t.begin(), t.end());
        all += n[t];
      }
      right &= all == counts[a] * counts[b];
    }
  }
  return right;
}

void time_transform(int blocks, int high_blocks, int batch, int chunk_bits, bool exact_only) {
  const Code code = bch_127(blocks);
  std::vector<int> weights;
  if (blocks <= 3) {
    weights = {0, 48, 56, 64, 72, 80};
  } else {
    weights = {0};
    for (int weight = 32; weight <= 96; weight += 4) weights.push_back(weight);
  }
  const int high_bits = 7 * high_blocks;
  const std::vector<Slice> slices = orbits(code, high_bits);
  size_t free_bytes, all_bytes;
  REQUIRE(cudaMemGetInfo(&free_bytes, &all_bytes));
  Stopwatch watch;
  Transform transform(code, weights, high_bits, true, batch, 1 << 23, chunk_bits);
  transform.exact_only = exact_only;
  const float begun = watch.ms();
  size_t now_free;
  REQUIRE(cudaMemGetInfo(&now_free, &all_bytes));
  Stopwatch again;
  const Sums sums = transform.run(slices);
  const float ms = again.ms();
  transform.profile = true;
  transform.find_orbits();
  transform.run(slices);
  std::vector<Sum> counts;
  const bool right = check_identities(transform, sums, counts);
  printf("\n(127,%d), 2^%d even words, %d high bits, %zu slices, %d at once, chunks of 2^%d%s: "
         "%.1f ms + %.1f ms to begin; %.1f GB; %s\n",
         code.rows() + 1, code.rows(), high_bits, slices.size(), batch, chunk_bits,
         exact_only ? ", exact" : "", ms, begun, (free_bytes - now_free) * 1e-9,
         right ? "identities hold" : "IDENTITIES DO NOT HOLD");
  failures += !right;
  const double values = double(slices.size()) * transform.points * transform.order;
  const double pairs = double(slices.size()) * transform.points * transform.pair_words;
  const double middle_passes =
      (std::max(0, transform.short_bits() - 10) + 5) / 6;
  auto line = [&](const char* phase, double bytes, double rate, const char* unit) {
    const double took = transform.times[phase];
    printf("  %-9s %9.2f ms", phase, took);
    if (bytes > 0) printf("  %7.0f GB/s", bytes / took * 1e-6);
    if (rate > 0) printf("  %10.3g %s", rate / took * 1e3, unit);
    printf("\n");
  };
  line("orbits", 0, 0, "");
  line("images", 4.0 * transform.representative_count * transform.symmetries, 0, "");
  line("count", 4 * pairs,
       double(transform.representative_count) * (1 << high_bits) * transform.pair_words *
           ((slices.size() + batch - 1) / batch),
       "points of pairs/s");
  line("first", 4 * pairs + 4 * values, 0, "");
  line("middle", 8 * values * middle_passes, 0, "");
  line("last", 8 * values, values, "values/s");
  const double functionals = double(slices.size()) * transform.points;
  line("products", 4 * values,
       functionals * transform.host_units.size() * 16 * 16 * 18, "8-bit MAC/s (16 c a unit)");
  line("exact", 0, 0, "");
  if (blocks == 6) {
    for (size_t i = 0; i < counts.size(); i++) {
      printf("  A_%d = %s\n", weights[i], text(counts[i]).c_str());
    }
  }
  fflush(stdout);
}

void time_transforms() {
  time_transform(3, 1, 4, 19, false);
  time_transform(3, 1, 4, 19, false);
  time_transform(4, 2, 4, 19, false);
  for (int batch : {1, 4, 8}) time_transform(5, 2, batch, 19, false);
  time_transform(5, 1, 2, 19, false);
  time_transform(5, 2, 4, 19, true);
  for (int chunk_bits : {18, 19, 20, 22}) time_transform(6, 2, 4, chunk_bits, false);
  time_transform(6, 2, 1, 19, false);
}

void time_pairs() {
  Code code = bch_127(3);
  Bits ones{};
  for (int i = 0; i < 127; i++) flip(ones, i);
  code.basis.push_back(ones);
  code.symmetries.clear();
  const Groups groups = by_weight(all_words(code), 127);
  const int64_t count = groups.words.size();
  printf("\n(127,22): %ld words, %d weights\n", static_cast<long>(count), groups.count());

  // As an arbitrary code, by its transform.
  Table expected(size_t(groups.count()) * groups.count() * 128);
  for (int run = 0; run < 2; run++) {
    Transform transform(code, groups.weights, 0, false, 1, 1 << 23, 19);
    Stopwatch watch;
    const Sums sums = transform.run({{0, 1}});
    printf("transform, as an arbitrary code: %.2f ms\n", watch.ms());
    std::vector<Sum> counts;
    expect(check_identities(transform, sums, counts), "identities of (127,22)");
    if (run == 0) continue;
    const auto triples = triples_of(groups.count());
    for (size_t i = 0; i < triples.size(); i++) {
      std::array<int, 3> t = triples[i];
      do {
        const int twice = groups.weights[t[0]] + groups.weights[t[1]] - groups.weights[t[2]];
        if (twice >= 0 && twice % 2 == 0) {
          expected[(size_t(t[0]) * groups.count() + t[1]) * 128 + twice / 2] =
              static_cast<unsigned long long>(sums[i] >> 22);
        }
      } while (std::next_permutation(t.begin(), t.end()));
    }
  }

  constexpr double kTensorCeiling = 7770e12 / 256;
  PairCounter counter(groups, groups);
  auto line = [&](const char* what, double pairs, double ms) {
    printf("%-28s %9.2f ms  %9.3g pairs/s  %6.4f of the tensor ceiling  %8.1f s for 2^44\n", what,
           ms, pairs / ms * 1e3, pairs / ms * 1e3 / kTensorCeiling, ms * 1e-3 * 0x1p44 / pairs);
    fflush(stdout);
  };
  for (int64_t rows : {int64_t{1} << 14, int64_t{1} << 17, count}) {
    counter.take();
    Stopwatch watch;
    // From the middle, where words of weights near n/2 are; all of them in parts of 2^18.
    const int64_t begin = rows == count ? 0 : count / 2 - rows / 2;
    for (int64_t first = begin; first < begin + rows; first += 1 << 18) {
      counter.tensor(first, std::min(begin + rows, first + (1 << 18)), 0, count);
    }
    line("tensor", double(rows) * count, watch.ms());
  }
  expect(counter.take() == expected, "all pairs");
  for (int threads : {256, 512, 1024}) {
    for (int64_t rows : {int64_t{1} << 10, int64_t{1} << 13}) {
      const int64_t begin = count / 2 - rows / 2;
      Stopwatch local;
      counter.bins_by(pairs_local, begin, begin + rows, threads);
      line(("local, " + std::to_string(threads) + " threads").c_str(), double(rows) * count,
           local.ms());
      const Table by_local = counter.take();
      Stopwatch global;
      counter.bins_by(pairs_global, begin, begin + rows, threads);
      line(("global, " + std::to_string(threads) + " threads").c_str(), double(rows) * count,
           global.ms());
      const Table by_global = counter.take();
      counter.tensor(begin, begin + rows, 0, count);
      const Table by_tensor = counter.take();
      expect(by_local == by_tensor && by_global == by_tensor, "local and global");
    }
  }

  // Single words: a coset of 2^30.
  const Code space = random_code(127, 30);
  const DeviceArray<uint32_t> basis(packed(space.basis, 127)), offset(packed({Bits{}}, 127));
  const DeviceArray<unsigned long long> once(std::vector<unsigned long long>{1});
  DeviceArray<unsigned long long> counts(128);
  for (int run = 0; run < 2; run++) {
    counts.clear();
    WeightCountArguments a{basis.data, offset.data, once.data, 1, counts.data, 30, 127, 4, 12};
    Stopwatch watch;
    launch(weights_count, dim3(resident_blocks(weights_count, 256, 128 * 128 + 512)), 256,
           128 * 128 + 512, a);
    const float ms = watch.ms();
    printf("weights of 2^30 words        %9.2f ms  %9.3g words/s\n", ms, 0x1p30 / ms * 1e3);
  }
  unsigned long long total = 0;
  for (unsigned long long each : counts.read()) total += each;
  expect(total == 1ull << 30, "2^30 words");
}

}  // namespace

int main(int argc, char** argv) {
  cudaDeviceProp properties;
  REQUIRE(cudaGetDeviceProperties(&properties, 0));
  multiprocessors = properties.multiProcessorCount;
  printf("%s, %d multiprocessors\n", properties.name, multiprocessors);
  const std::string what = argc > 1 ? argv[1] : "";
  if (what.empty() || what == "check") check_all();
  if (what.empty() || what == "pairs") time_pairs();
  if (what.empty() || what == "transforms") time_transforms();
  return verdict();
}
