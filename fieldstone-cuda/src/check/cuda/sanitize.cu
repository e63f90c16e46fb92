// Launches every kernel on odd shapes, for compute-sanitizer. The memory of each operand is allocated
// alone and as large as its contract says, which an engine's is not. Each case runs twice; the program
// prints a digest of the outputs and exits 1 if the two differ. Whether outputs are right is for
// Conformance: fieldstone devices --all --verify.
//
// In the repository's root; on other GPUs than Hopper -arch=native instead of the options after -std:
//   nvcc -O3 -lineinfo -std=c++17 -gencode arch=compute_90a,code=sm_90a -DFIELDSTONE_WARPGROUPS
//       -I fieldstone-cuda/src/main/cuda -o sanitize fieldstone-cuda/src/check/cuda/sanitize.cu
//   compute-sanitizer --tool memcheck ./sanitize
//       [products] [inversions] [solutions] [sorts] [stars] [weights] [distances] [checksums]
//       [sieves] [walsh] [sight] [ceilings]
//   and the same with --tool racecheck, initcheck and synccheck

#include "../../main/cuda/ceilings.cu"
#include "../../main/cuda/sight.cu"
#include "launch_checksums.cuh"
#include "launch_distances.cuh"
#include "launch_products.cuh"
#include "launch_sieves.cuh"
#include "launch_walsh.cuh"
#include "launch_solutions.cuh"
#include "launch_sorts.cuh"
#include "launch_stars.cuh"
#include "launch_weights.cuh"

namespace {

int differing = 0;

/** A digest of the bytes of outputs, in order. */
struct Digest {
  uint64_t value = 0;

  template <class T>
  void add(const std::vector<T>& values) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(values.data());
    for (size_t i = 0; i < values.size() * sizeof(T); i++) {
      value = mixed(value + bytes[i] + 1);
    }
  }
  template <class T>
  void add(const DeviceArray<T>& values) {
    add(values.read());
  }
};

/** Runs a case twice with the same random operands. */
template <class Case>
void run(const std::string& name, Case&& launches) {
  uint64_t digests[2];
  for (uint64_t& digest : digests) {
    random_state = kSeed;
    Digest of_run;
    launches(of_run);
    REQUIRE(cudaDeviceSynchronize());
    digest = of_run.value;
  }
  printf("%-36s %016llx%s\n", name.c_str(), static_cast<unsigned long long>(digests[0]),
         digests[0] == digests[1] ? "" : " DIFFERS");
  fflush(stdout);
  differing += digests[0] != digests[1];
}

// ---- Products ----

/** Operands of random bytes at an offset, with padding behind rows. */
struct Operands {
  RandomMatrices coefficients, sources, products;
  ProductArguments arguments;

  Operands(const Field& field, int count, int m, int n, int k, int offset, int pad)
      : coefficients(count, m, n, offset, pad),
        sources(count, n, k, offset, pad),
        products(count, m, k, offset, pad) {
    arguments = {coefficients.view, sources.view, products.view, field.tables.data, count, m, n, k,
                 field.polynomial, offset % 2, 0};
  }
};

void run_loops(const Field& field) {
  constexpr int kShapes[][6] = {{1, 1, 1, 1, 0, 0},     {2, 3, 0, 17, 3, 1},    {2, 9, 17, 33, 3, 5},
                                {1, 130, 40, 70, 1, 3}, {2, 128, 33, 128, 0, 0}, {3, 20, 31, 260, 16, 4}};
  for (const products::Product& product : products::kProducts) {
    run(product.name, [&](Digest& digest) {
      for (const auto& [count, m, n, k, offset, pad] : kShapes) {
        const Operands operands(field, count, m, n, k, offset, pad);
        if (product.to_log != nullptr) {
          const products::Logs logs(product, operands.arguments);
          logs.multiply();
          products::to_log(sources_from_log, logs.logs.sources, logs.logs.sources, logs.plain, n, k);
          digest.add(logs.sources);
        } else {
          products::multiply(product, operands.arguments);
        }
        digest.add(operands.products.bytes);
      }
    });
  }
}

void run_tensor(const Field& field, const products::Tensor& kernel) {
  run("product_tensor, " + kernel.name, [&](Digest& digest) {
    // All numbers of steps, then sums in chunks.
    for (int n : {7, 60, 96, 100, 150, 180, 224, 250, 300, 1000}) {
      const Operands operands(field, 2, 70, n, 130, n % 4, n % 7);
      const ProductArguments& a = operands.arguments;
      const int steps = static_cast<int>(ceil_div(n, 32));
      DeviceArray<uint8_t> tiles(a.count * products::tiles_pitch(n, a.k));
      tiles.clear();
      Matrices rest = a.sources;
      rest.data += 3 * rest.stride;
      products::lay_out(a.sources, tiles.data, a.count, 0, 3, a.k, steps);
      products::lay_out(rest, tiles.data, a.count, 3, n - 3, a.k, steps);
      products::multiply(kernel, a, tiles.data);
      products::lay_out(a.sources, tiles.data, a.count, 0, n, a.k, steps, tensor_read);
      digest.add(operands.products.bytes);
      digest.add(operands.sources.bytes);
    }
  });
}

void run_bilinear(const Field& field) {
  constexpr int kShapes[][6] = {{1, 1, 1, 1, 0, 0}, {2, 300, 1300, 260, 3, 5}, {2, 70, 600, 130, 16, 0}};
  run("product_bilinear", [&](Digest& digest) {
    for (const auto& [count, m, n, k, offset, pad] : kShapes) {
      const Operands operands(field, count, m, n, k, offset, pad);
      const products::Bilinear product(operands.arguments);
      product.coefficient_planes();
      product.source_planes();
      product.multiply();
      digest.add(operands.products.bytes);
      // Of resident tiles that have more rows than are multiplied.
      const int tile_steps = static_cast<int>(ceil_div(n + 40, 32));
      const RandomMatrices tiles(count, 1, products::tiles_pitch(n + 40, k));
      product.tile_planes(tiles.bytes.data, tile_steps);
      product.multiply();
      digest.add(operands.products.bytes);
    }
  });
}

std::vector<products::Tensor> tensors() {
  std::vector<products::Tensor> all;
  if (products::has_warpgroups()) {
    all.push_back(products::kWarpgroups);
  }
  if (products::has_binary_tensor_cores()) {
    all.push_back(products::sync_tensor("sync", 100 << 10));
  }
  return all;
}

void run_products() {
  const Field field(0x11B);
  run_loops(field);
  for (const products::Tensor& kernel : tensors()) {
    run_tensor(field, kernel);
  }
  if (products::has_warpgroups()) {
    run_bilinear(field);
  }
  run("draw_uniform", [&](Digest& digest) {
    for (const auto& [rows, columns] : {std::pair{1, 1}, {7, 33}, {5, 160}}) {
      const RandomMatrices drawn(3, rows, columns, columns % 2, columns % 5);
      products::draw(drawn.view, 3, rows, columns, 42);
      digest.add(drawn.bytes);
    }
  });
}

// ---- Inversions ----

template <class Invert>
void run_inversion(const std::string& name, const Field& field, std::vector<int> sizes,
                   Invert&& invert) {
  run(name, [&](Digest& digest) {
    for (int n : sizes) {
      const int count = 3;
      const RandomMatrices matrices(count, n, n, n % 9, n % 5), inverses(count, n, n, n % 4, n % 3);
      const DeviceArray<int32_t> ranks(count);
      invert(InversionArguments{matrices.view, inverses.view, field.tables.data, ranks.data, count, n,
                                field.polynomial});
      const std::vector<int32_t> found = ranks.read();
      digest.add(found);
      // The content of the inverse of a singular matrix is undefined.
      if (std::all_of(found.begin(), found.end(), [&](int rank) { return rank == n; })) {
        digest.add(inverses.bytes);
      }
    }
  });
}

void run_inversions() {
  const Field field(0x1F5);
  run_inversion("invert_128", field, {1, 31, 33, 128}, products::invert_by_128);
  run_inversion("invert_256", field, {1, 129, 200}, products::invert_by_256);
  const std::vector<products::Tensor> kernels = tensors();
  std::vector<products::Update> updates = {
      {"four-russians", &products::product_named("product_four_russians"), nullptr},
      {"loop-tile", &products::product_named("product_loop_tile"), nullptr}};
  for (const products::Tensor& kernel : kernels) {
    updates.push_back({kernel.name, nullptr, &kernel});
  }
  for (const products::Update& update : updates) {
    run_inversion("invert_panel, " + update.name, field, {1, 100, 301},
                  [&](const InversionArguments& a) { products::Panels(a, 128).invert(update); });
  }
}

// ---- Substitution, progressive decoding, Gauss-Jordan elimination ----

void run_solutions() {
  using namespace solutions;
  const Field field;
  for (const auto& [how, name] : {std::pair{Frames::kBaseline, "substitution_baseline_frame"},
                                  {Frames::kHpds, "substitution_hpds_frame"},
                                  {Frames::kSubstitution, "substitution_frame"}}) {
    const Frames frames = how;
    run(name, [&](Digest& digest) {
      for (const auto& [n, k, vectors] : {std::array{1, 1, 1}, {70, 101, 4}, {37, 600, 32}}) {
        const Generation generation(field, n, k, n % 3, k % 5);
        generation.solve(frames, vectors, 256);
        digest.add(generation.solved.bytes);
      }
    });
  }
  run("substitution_diagonal", [&](Digest& digest) {
    for (const auto& [n, b] : {std::pair{1, 1}, {70, 32}, {150, 50}, {300, 128}}) {
      const Generation generation(field, n, 1, n % 3, n % 7);
      generation.invert_diagonal(b);
      digest.add(generation.inverses.bytes);
      digest.add(generation.singular);
    }
  });
  run("progressive_add", [&](Digest& digest) {
    for (const auto& [n, k, vectors] :
         {std::array{1, 1, 2}, {70, 101, 4}, {33, 0, 4}, {90, 40, 32}}) {
      Progressive decoder(field, n, k, vectors, 256);
      const DeviceArray<uint8_t> arriving(random_bytes(int64_t{n + k + 1} * (n + 3)));
      const Mapped status(2 * decoder.status_bytes());
      for (int i = 0; i < n + 3; i++) {
        // Every third block is that before it: not innovative.
        const uint8_t* block = arriving.data + int64_t{n + k + 1} * (i % 3 == 2 ? i - 1 : i);
        decoder.probe(block, status.device + decoder.status_bytes(), i % n);
        decoder.add(block, block + n, status.device, i % n);
      }
      REQUIRE(cudaDeviceSynchronize());
      digest.add(std::vector<uint8_t>(status.host, status.host + 2 * decoder.status_bytes()));
    }
  });
  run("gauss_jordan", [&](Digest& digest) {
    for (const auto& [n, k] : {std::pair{1, 1}, {5, 3}, {33, 70}}) {
      const GaussJordan generation(field, n, k);
      generation.decode();
      // Only the bytes of the rows are written, which may end before a word does.
      const std::vector<uint8_t> state = generation.state.read();
      const int64_t slots = int64_t{n} * generation.stride;
      digest.add(std::vector<uint8_t>(state.begin() + slots + generation.stride, state.end()));
    }
  });
}

// ---- Sorts ----

const sorts::Format kFormats[] = {
    {1, 1, false, 0x80000000}, {1, 2, false, 0}, {1, 3, false, 0xFFFFFFFF}, {2, 2, false, ~0ull},
    {2, 3, false, 0},          {2, 4, false, 0}, {1, 1, true, 0xFFFFFFFF},  {1, 2, true, 0},
    {1, 3, true, 0},           {2, 2, true, 0},  {2, 3, true, ~0ull},       {2, 4, true, 0}};

std::vector<uint32_t> random_words(int64_t count) {
  std::vector<uint32_t> words(count);
  for (uint32_t& word : words) {
    word = static_cast<uint32_t>(random_word());
  }
  return words;
}

/** Sorts by LSD passes in portions of three tiles, then copies and compresses the items. */
void sort_items(const sorts::Format& format, int64_t n, Digest& digest) {
  const DeviceArray<uint32_t> items(random_words(n * format.words)), others(items.count);
  sorts::Lsd lsd(format, sorts::pass_of(format), n, 3);
  lsd.sort(items.data, others.data, n);
  const DeviceArray<uint32_t> copied(items.count);
  const SortGiveArguments give = {{items.data, others.data}, lsd.plan.data, nullptr,
                                  reinterpret_cast<uint8_t*>(copied.data), n, 4 * format.words,
                                  format.words, 0};
  launch(sort_give, 7, 256, 0, give);
  digest.add(copied);
  if (format.words == format.key_words) {
    const int64_t keys = 64 * 64 / (4 * format.words), skipped = 3;
    const int64_t blocks = ceil_div(skipped + n, keys);
    const DeviceArray<uint32_t> rows(blocks * 64 * 16);
    const DeviceArray<int2> directory(blocks);
    DeviceArray<unsigned long long> used(2), row_count(1);
    used.clear();
    const SortPackArguments pack = {{items.data, others.data}, lsd.plan.data, rows.data,
                                    directory.data, used.data, row_count.data, n, format.flip,
                                    format.floating ? 1 : 0, static_cast<int32_t>(skipped)};
    launch(format.words == 1 ? sort_pack_1 : sort_pack_2, 5, sorting::kPackThreads, 0, pack);
    digest.add(row_count);
  }
}

/** Partitions items in five parts, one of them empty, and sorts two buckets of segments. */
void sort_segments_of(const sorts::Format& format, int64_t n, Digest& digest) {
  const DeviceArray<uint32_t> items(random_words(n * format.words));
  const int digit = 4 * format.key_words - 1;
  sorts::Dealt dealt(format, digit, items.data, {0, n / 3, n / 3, n / 2, n - 1, n});
  for (const auto& [from, end] : {std::pair{0, 100}, {100, 256}}) {
    if (dealt.items(from, end) > 0) {
      const DeviceArray<uint32_t> here(dealt.items(from, end) * format.words), there(here.count);
      dealt.sort(here.data, there.data, from, end);
      digest.add(digit % 2 == 0 ? here : there);
    }
  }
}

/** Sorts records of any size at any place by keys with indices. */
void sort_records(const sorts::Format& key, int payload, int index_words, Digest& digest) {
  const int64_t n = 1003;
  const int bytes = 4 * key.key_words + payload, offset = payload % 7;
  const sorts::Format format = {key.key_words, key.key_words + index_words, key.floating,
                                key.flip};
  const DeviceArray<uint8_t> records(random_bytes(offset + n * bytes));
  const DeviceArray<uint32_t> items(n * format.words), others(items.count);
  launch(sort_take, 7, 256, 0,
         SortTakeArguments{records.data + offset, items.data, n, 0, bytes, key.key_words, index_words});
  sorts::Lsd lsd(format, sorts::pass_of(format), n, 1 << 16);
  lsd.sort(items.data, others.data, n);
  const DeviceArray<uint8_t> gathered(n * bytes), order(n * 8);
  SortGiveArguments give = {{items.data, others.data}, lsd.plan.data, records.data + offset,
                            gathered.data, n, bytes, format.words, index_words};
  launch(sort_gather, 7, 256, 0, give);
  give.to = order.data;
  give.bytes = 8;
  launch(sort_order, 7, 256, 0, give);
  digest.add(gathered);
  digest.add(order);
}

void run_sorts() {
  for (const sorts::Format& format : kFormats) {
    const std::string name = std::to_string(format.key_words) + "_" + std::to_string(format.words) +
                             (format.floating ? "_floating" : "");
    run("sort_pass_" + name, [&](Digest& digest) {
      for (int64_t n : {1, 1000, 40'011}) {
        sort_items(format, n, digest);
      }
    });
    run("sort_collect_" + name, [&](Digest& digest) {
      for (int64_t n : {3, 40'011}) {
        sort_segments_of(format, n, digest);
      }
    });
    run("sort_scatter_" + name, [&](Digest& digest) {
      for (int64_t n : {1, 5003}) {
        const DeviceArray<uint32_t> items(random_words(n * format.words)), others(items.count);
        sorts::Steps(format, static_cast<int>(ceil_div(n, sorting::kStepTile)))
            .sort(items.data, others.data, n);
        digest.add(items);
      }
    });
  }
  run("sort_take, sort_gather, sort_order", [](Digest& digest) {
    for (int payload : {0, 1, 12, 29, 100}) {
      sort_records({1, 1, false, 0}, payload, 1, digest);
      sort_records({2, 2, true, ~0ull}, payload, 2, digest);
    }
  });
}

// ---- 3-stars ----

star_searches::Points random_points(int count, bool enclosing) {
  std::vector<std::pair<double, double>> at;
  for (int i = 0; i < count; i++) {
    const double x = random_below(301);
    at.push_back({x, static_cast<double>(random_below(301))});
  }
  return {at, 50, enclosing};
}

void run_stars() {
  using namespace star_searches;
  for (const bool enclosing : {false, true}) {
    const std::string rule = enclosing ? "enclosing" : "circle";
    for (const auto& [kind, name] : {std::pair{kInts64, "_64"}, {kInts128, "_128"}, {kReal, "_real"}}) {
      const Numbers numbers = kind;
      run("stars_pairs_" + rule + name, [&](Digest& digest) {
        const Points points = random_points(333, enclosing);
        const Search search(points, numbers);
        digest.add(search.counts);
        const std::vector<Piece> pieces = search.cut(0, points.count(), 1 << 18, true);
        Slot slot(largest(pieces), true);
        for (const Piece& piece : pieces) {
          for (const bool bits : {false, true}) {
            search.begin(slot, piece, bits);
            REQUIRE(cudaStreamSynchronize(slot.stream));
            digest.add(std::vector<unsigned long long>{*slot.host_stars.data});
          }
          const uint32_t* words = slot.host_words.data;
          digest.add(std::vector<uint32_t>(words, words + piece.words));
          const int32_t* indices = slot.host_indices.data;
          digest.add(std::vector<int32_t>(indices, indices + piece.list));
        }
      });
    }
    for (const bool local : {false, true}) {
      run((local ? "stars_cells_local, " : "stars_cells, ") + rule, [&](Digest& digest) {
        const Points points = random_points(333, enclosing);
        const CellSearch search(points);
        const int64_t room = 1 << 12;
        const DeviceArray<uint8_t> output(room * (local ? sizeof(StarChunk) : sizeof(Star)));
        const DeviceArray<unsigned long long> filled(2);
        search.launch(local, 0, static_cast<int>(points.segments.size()), output.data, room,
                      filled.data, 5, points.count() - 5, nullptr);
        // The order of stars is any, and so is what room is left.
        digest.add(std::vector<unsigned long long>{filled.read()[local ? 1 : 0]});
      });
    }
  }
}

// ---- Weights ----

void run_weights() {
  using namespace weights;
  for (const int length : {100, 201}) {
    const std::string of = " of " + std::to_string(length) + " bits";
    run("pairs" + of, [&](Digest& digest) {
      const Groups left = by_weight(all_words(random_code(length, 8)), length);
      const Groups right = by_weight(all_words(random_code(length, 9)), length);
      PairCounter counter(left, right);
      counter.bins_by(pairs_global, 1, 77, 256);
      digest.add(counter.take());
      counter.bins_by(pairs_local, 0, 200, 512);
      digest.add(counter.take());
      counter.tensor(3, 251, 5, 509);
      digest.add(counter.take());
    });
    run("weights_count" + of, [&](Digest& digest) {
      for (const auto& [rows, split_bits] : {std::pair{0, 0}, {5, 2}, {13, 4}}) {
        const CosetWeights cosets(random_code(length, rows), random_code(length, 5).basis, split_bits);
        cosets.count();
        digest.add(cosets.counts);
      }
    });
    run("transform" + of, [&](Digest& digest) {
      // Middle passes of one to six bits, then many bits for the last pass.
      for (const auto& [rows, short_bits] : {std::pair{11, 30}, {12, 30}, {13, 30}, {14, 30},
                                             {15, 30}, {16, 30}, {13, 5}}) {
        const Code code = random_code(length, rows);
        const int middle = length / 2;
        const int64_t limit = short_bits < 30 ? 20 : 1 << 23;
        Transform transform(code, {middle - 4, middle - 1, middle, middle + 1, middle + 3}, 0, false,
                            1, limit, 14);
        transform.most_short_bits = short_bits;
        digest.add(transform.run({{0, 1}}));
      }
    });
  }
  run("transform with symmetries", [](Digest& digest) {
    const Code code = cyclic({5, 0x25}, {1, 3, 5});
    Transform transform(code, {0, 12, 16, 20}, 5, true, 2, 30, 14);
    digest.add(transform.run(orbits(code, 5)));
    transform.exact_only = true;
    digest.add(transform.run(orbits(code, 5)));
  });
}

// ---- Distances ----

void run_distances() {
  using namespace sums_of_rows;
  // Rows, bits, bits of labels, rows of a sum, those from the table, words that decide.
  constexpr int kSearches[][6] = {{1, 1, 0, 1, 1, 2},   {17, 63, 0, 5, 3, 2},   {40, 66, 12, 4, 2, 2},
                                  {33, 106, 2, 6, 3, 4}, {20, 300, 40, 3, 1, 12}, {21, 90, 0, 21, 3, 4}};
  run("sums_light", [&](Digest& digest) {
    for (const auto& [count, length, labels, size, tail, deciding] : kSearches) {
      const Rows rows(count, length, labels);
      Search search(rows, size, tail, deciding);
      digest.add(search.table);
      const int64_t first = search.sums / 3;
      digest.add(std::vector<unsigned long long>{
          search.run(0, search.sums, length), search.run(first, search.sums - first, length / 3)});
      const DeviceArray<unsigned long long> numbers(100);
      // Which numbers there is room for differs from run to run.
      digest.add(std::vector<unsigned long long>{
          search.run(first, search.sums - first, length / 2, &numbers)});
    }
  });
  run("trials", [](Digest& digest) {
    // Rows, bits, bits of labels, rows of a sum, words that decide.
    constexpr int kWalks[][5] = {{1, 1, 0, 3, 1},      {12, 40, 0, 3, 2},   {45, 66, 12, 2, 3},
                                 {130, 130, 40, 2, 4}, {33, 300, 0, 2, 10}, {200, 90, 2, 1, 2}};
    for (const auto& [count, length, labels, depth, deciding] : kWalks) {
      const Rows rows(count, length, labels);
      for (const int max_weight : {length + 3, length / 3 + 1}) {
        digest.add(std::vector<unsigned long long>{walks(rows, depth, deciding, 3, max_weight)});
      }
    }
  });
}

// ---- Checksums ----

void run_checksums() {
  using namespace crcs;
  constexpr int64_t kBytes = 200'000;  // whole units of 16, which kernels read
  for (const Divisor& divisor : {Divisor{1, 1, true}, Divisor{8, 0x07, false},
                                 Divisor{32, 0x04C11DB7, true}, Divisor{57, 0x123456789ABCDEF, false},
                                 Divisor{64, 0x42F0E1EBA9EA3693, true}}) {
    run("checksums of " + std::to_string(divisor.width) + " bits", [&](Digest& digest) {
      const DeviceArray<uint8_t> data(random_bytes(kBytes));
      const Tables tables(divisor);
      DeviceArray<uint64_t> remainders(40);
      remainders.clear();
      for (int64_t length : {0, 1, 15, 33, 1023, 32769, 199'990}) {
        tables.strips_of({data.data, nullptr, nullptr, 5, 0, length, 1}, 1, remainders.data, nullptr, 3);
      }
      digest.add(remainders);
      std::vector<int64_t> offsets(40), lengths(40);
      for (int i = 0; i < 40; i++) {
        lengths[i] = i < 8 ? i : random_below(3000);
        offsets[i] = kBytes - lengths[i] - (i % 3) * 1000;
      }
      const DeviceArray<int64_t> from(offsets), bytes(lengths);
      for (const Messages& messages : {Messages{data.data, from.data, bytes.data, 0, 0, 0, 40},
                                       Messages{data.data, nullptr, nullptr, 3, 1501, 1500, 40}}) {
        remainders.clear();
        tables.strips_of(messages, 1, remainders.data);
        digest.add(remainders);
        tables.rows_of(messages, 1, remainders.data);
        digest.add(remainders);
      }
      const DeviceArray<uint64_t> beta(betas(divisor, 1024));
      const int64_t length = divisor.width < 8 ? 2001 : 20'001;
      for (const bool reduction : {false, true}) {
        const int64_t blocks = ceil_div(ceil_div(8 * length, divisor.width), 64);
        const DeviceArray<uint64_t> sums(blocks);
        sum_chunks(divisor, data.data + 1, length, 64, reduction, beta, sums.data);
        digest.add(sums);
      }
    });
  }
}

// ---- Sieves ----

void run_sieves() {
  run("sieve_narrow, sieve_wide", [](Digest& digest) {
    for (const auto& [width, bits, bucket_bits, place_bits] :
         {std::array{3, 5, 2, 3}, {16, 151, 6, 7}, {20, 60, 7, 8}, {32, 70, 11, 11},
          {33, 80, 11, 11}, {40, 90, 12, 12}}) {
      const int64_t count = std::min<int64_t>(int64_t{1} << (width - 1), 333);
      sieves::Polynomials polynomials(width, bits, width == 16 ? 0x1EB2 - 40 : 0, count);
      polynomials.sieve(bucket_bits, place_bits);
      digest.add(polynomials.proven());
    }
  });
}

// ---- Long words ----

/** Lengths with weights inside and outside of the bins; the columns of the last have one value. */
void run_walsh() {
  run("walsh_count", [](Digest& digest) {
    for (const auto& [length, rows, blocks] :
         {std::array{1, 13, 1}, {333, 14, 3}, {5001, 17, 5}, {20'000, 15, 7}}) {
      std::vector<uint32_t> columns(length);
      for (int i = 0; i < length; i++) {
        columns[i] = length == 20'000 ? 1 : static_cast<uint32_t>(mixed(i) >> (63 - rows));
      }
      long_words::Words words(columns, rows);
      words.count(blocks);
      digest.add(words.counts);
    }
  });
}

// ---- Lines of sight ----

/** Paths with ends at all edges and bends that lead out of the grid. */
void run_sight() {
  run("sight_margins", [](Digest& digest) {
    for (const auto& [rows, columns, count] : {std::array{2, 2, 1}, std::array{37, 101, 333}}) {
      std::vector<float> heights(rows * columns), fields(9 * count);
      for (size_t i = 0; i < heights.size(); i++) {
        heights[i] = static_cast<float>(mixed(i) % 500);
      }
      for (int path = 0; path < count; path++) {
        for (int field = 0; field < 9; field++) {
          const uint64_t random = mixed(9 * path + field + 1);
          const int bound = field % 3 == 0 ? rows - 1 : field % 3 == 1 ? columns - 1 : 900;
          fields[9 * path + field] = static_cast<float>(random % (2 * bound + 1)) / 2;
        }
      }
      const DeviceArray<float> grid(heights), paths(fields), margins(count);
      launch(sight_margins, ceil_div(count, 4), 128, 0,
             SightArguments{grid.data, paths.data, margins.data, count, rows, columns, 6e-8f, 0.1f});
      digest.add(margins);
    }
  });
}

// ---- Ceilings ----

void run_ceilings() {
  const DeviceArray<uint8_t> memory(random_bytes(1 << 20));
  DeviceArray<int32_t> sums(multiprocessors());
  sums.clear();
  run("memory_read", [&](Digest& digest) {
    launch(memory_read, multiprocessors(), kReadThreads, 0,
           MemoryReadArguments{reinterpret_cast<const uint4*>(memory.data), (1 << 16) - 3, sums.data});
    digest.add(sums);
  });
#if defined(FIELDSTONE_WARPGROUPS)
  if (products::has_warpgroups()) {
    run("tensor_ceiling", [](Digest& digest) {
      const DeviceArray<int32_t> counts(256 * multiprocessors());
      launch(tensor_ceiling, multiprocessors(), 256, 64 << 10,
             TensorCeilingArguments{counts.data, 4});
      digest.add(counts);
    });
  }
#endif
}

}  // namespace

int main(int count, char** arguments) {
  const Sections sections(count, arguments);
  const std::pair<const char*, void (*)()> parts[] = {
      {"products", run_products}, {"inversions", run_inversions}, {"solutions", run_solutions},
      {"sorts", run_sorts},       {"stars", run_stars},           {"weights", run_weights},
      {"distances", run_distances}, {"checksums", run_checksums}, {"sieves", run_sieves},
      {"walsh", run_walsh},
      {"sight", run_sight},       {"ceilings", run_ceilings}};
  for (const auto& [name, launches] : parts) {
    if (sections.has(name)) {
      launches();
    }
  }
  printf("%d cases differ\n", differing);
  return differing == 0 ? 0 : 1;
}
