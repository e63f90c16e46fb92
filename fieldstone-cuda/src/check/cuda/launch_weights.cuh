// Codes, and launches of the kernels of pairs.cu and transforms.cu as their contracts say.

#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>

#include "../../main/cuda/pairs.cu"
#include "../../main/cuda/transforms.cu"
#include "check.cuh"

namespace weights {

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

inline int weight_of(const Bits& word) {
  int ones = 0;
  for (uint32_t part : word) ones += __builtin_popcount(part);
  return ones;
}

inline void flip(Bits& word, int bit) { word[bit / 32] ^= 1u << (bit % 32); }

inline Bits sum(const Bits& a, const Bits& b) {
  Bits c;
  for (int i = 0; i < 8; i++) c[i] = a[i] ^ b[i];
  return c;
}

inline int words_for(int length) { return length <= 128 ? 4 : 8; }

/** As the kernels want words, with memory for `more` past the last. */
inline std::vector<uint32_t> packed(const std::vector<Bits>& from, int length, int more = 0) {
  const int words = words_for(length);
  std::vector<uint32_t> to((from.size() + more) * words, 0xA5A5A5A5);
  for (size_t i = 0; i < from.size(); i++) {
    for (int part = 0; part < words; part++) to[i * words + part] = from[i][part];
  }
  return to;
}

/** The field of 2^degree elements, whose element 2 is primitive. */
struct BinaryField {
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
inline Code cyclic(const BinaryField& field, const std::vector<int>& exponents) {
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

inline Code random_code(int length, int rows) {
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
inline std::vector<Bits> all_words(const Code& code) {
  std::vector<Bits> words(size_t{1} << code.rows(), Bits{});
  for (size_t m = 1; m < words.size(); m++) {
    words[m] = sum(words[m & (m - 1)], code.basis[__builtin_ctzll(m)]);
  }
  return words;
}

/** Exponents of the even words of BCH(127, 1 + 7·blocks). */
inline Code bch_127(int blocks) {
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

inline Groups by_weight(const std::vector<Bits>& words, int length) {
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
    launch(kernel, blocks_of(resident_blocks(kernel, threads, shared)), threads, shared, a);
    PairCollectArguments c{bins.data, counts.data, left_weights.data, right_weights.data, 0,
                           left.count(), 0, right.count(), right.count(), length};
    launch(pairs_collect, dim3(multiprocessors()), 256, 0, c);
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
    const int64_t blocks = resident_blocks(kernel, pairs::kThreads, shared);
    launch(kernel, dim3(static_cast<unsigned>(std::min<int64_t>(blocks, tiles))), pairs::kThreads,
           shared, a);
    REQUIRE(cudaDeviceSynchronize());
  }

  Table take() {
    const Table table = counts.read();
    counts.clear();
    return table;
  }

};

// ---- Transforms ----

using Sum = __int128;
using Sums = std::vector<Sum>;

struct Slice {
  uint32_t functional;
  int64_t multiplicity;
};

inline uint64_t transposed(const Map& map, int high_bits, uint32_t functional) {
  uint64_t image = 0;
  for (int bit = 0; bit < high_bits; bit++) {
    image |= uint64_t(__builtin_parityll(map[bit] & functional)) << bit;
  }
  return image;
}

/** One functional of each orbit. */
inline std::vector<Slice> orbits(const Code& code, int high_bits) {
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

inline std::vector<std::array<int, 3>> triples_of(int order) {
  std::vector<std::array<int, 3>> triples;
  for (int a = 0; a < order; a++)
    for (int b = a; b < order; b++)
      for (int c = b; c < order; c++) triples.push_back({a, b, c});
  return triples;
}

/** For c from the last ones down, sixteen at a time, all pairs that are not above them. */
inline std::vector<TripleUnit> units_of(int order) {
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
    const int blocks = multiprocessors() * 8;
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
      launch(transform_images, dim3((symmetries + 255) / 256, multiprocessors() * 4), 256, 0, i);
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
    const int64_t blocks = resident_blocks(kernel, 512, shared);
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
               dim3(static_cast<unsigned>(std::min<int64_t>(chunk / tile, multiprocessors())),
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
      launch(transform_products_exact, dim3(multiprocessors() * 2, (count + 1023) / 1024), 256,
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

/** Counts the weights of cosets of a code, each as often as it counts, in 2^split_bits parts. */
struct CosetWeights {
  const int length, rows, words, split_bits;
  DeviceArray<uint32_t> basis, offsets;
  DeviceArray<unsigned long long> multiplicities, counts;

  CosetWeights(const Code& code, const std::vector<Bits>& offsets, int split_bits)
      : length(code.length),
        rows(code.rows()),
        words(words_for(code.length)),
        split_bits(std::min(split_bits, code.rows())),
        basis(packed(code.basis, code.length)),
        offsets(packed(offsets, code.length)),
        multiplicities(std::vector<unsigned long long>(offsets.size(), 1)),
        counts(code.length + 1) {
    counts.clear();
  }

  void count() const {
    const int shared = (length + 1) * 128 + 128 * words;
    launch(weights_count, blocks_of(resident_blocks(weights_count, 256, shared)), 256, shared,
           WeightCountArguments{basis.data, offsets.data, multiplicities.data,
                                static_cast<int64_t>(multiplicities.count), counts.data, rows,
                                length, words, split_bits});
  }
};

}  // namespace weights
