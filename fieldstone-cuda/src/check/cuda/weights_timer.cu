// Counts the weights of codes of length 127 by the kernels of pairs.cu and transforms.cu, and times the
// phases.
//
// In the repository's root:
//   nvcc -O3 -std=c++17 -gencode arch=compute_90a,code=sm_90a -I fieldstone-cuda/src/main/cuda
//       -o weights_timer fieldstone-cuda/src/check/cuda/weights_timer.cu
//   ./weights_timer [pairs] [transforms]: all pairs of BCH(127,22) by every kernel; the even words of
//       BCH(127,22) to BCH(127,43)

#include "check.cuh"
#include "launch_weights.cuh"

namespace {

using namespace weights;

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
  transform.run(slices);
  const float ms = again.ms();
  transform.profile = true;
  transform.find_orbits();
  transform.run(slices);
  printf("\n(127,%d), 2^%d even words, %d high bits, %zu slices, %d at once, chunks of 2^%d%s: "
         "%.1f ms + %.1f ms to begin; %.1f GB\n",
         code.rows() + 1, code.rows(), high_bits, slices.size(), batch, chunk_bits,
         exact_only ? ", exact" : "", ms, begun, (free_bytes - now_free) * 1e-9);
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
  Transform transform(code, groups.weights, 0, false, 1, 1 << 23, 19);
  transform.run({{0, 1}});
  Stopwatch of_transform;
  transform.run({{0, 1}});
  printf("transform, as an arbitrary code: %.2f ms\n", of_transform.ms());

  constexpr double kTensorCeiling = 7770e12 / 256;
  PairCounter counter(groups, groups);
  auto line = [&](const char* what, double pairs, double ms) {
    printf("%-28s %9.2f ms  %9.3g pairs/s  %6.4f of the tensor ceiling  %8.1f s for 2^44\n", what,
           ms, pairs / ms * 1e3, pairs / ms * 1e3 / kTensorCeiling, ms * 1e-3 * 0x1p44 / pairs);
    fflush(stdout);
  };
  for (int64_t rows : {int64_t{1} << 14, int64_t{1} << 17, count}) {
    Stopwatch watch;
    // From the middle, where words of weights near n/2 are; all of them in parts of 2^18.
    const int64_t begin = rows == count ? 0 : count / 2 - rows / 2;
    for (int64_t first = begin; first < begin + rows; first += 1 << 18) {
      counter.tensor(first, std::min(begin + rows, first + (1 << 18)), 0, count);
    }
    line("tensor", double(rows) * count, watch.ms());
  }
  for (int threads : {256, 512, 1024}) {
    for (int64_t rows : {int64_t{1} << 10, int64_t{1} << 13}) {
      const int64_t begin = count / 2 - rows / 2;
      Stopwatch local;
      counter.bins_by(pairs_local, begin, begin + rows, threads);
      line(("local, " + std::to_string(threads) + " threads").c_str(), double(rows) * count,
           local.ms());
      Stopwatch global;
      counter.bins_by(pairs_global, begin, begin + rows, threads);
      line(("global, " + std::to_string(threads) + " threads").c_str(), double(rows) * count,
           global.ms());
    }
  }

  // Single words: a coset of 2^30.
  const CosetWeights coset(random_code(127, 30), {Bits{}}, 12);
  const float ms = times_of(2, [&] { coset.count(); }).best;
  printf("weights of 2^30 words        %9.2f ms  %9.3g words/s\n", ms, 0x1p30 / ms * 1e3);
}

}  // namespace

int main(int count, char** arguments) {
  const Sections sections(count, arguments);
  if (sections.has("pairs")) {
    time_pairs();
  }
  if (sections.has("transforms")) {
    time_transforms();
  }
  return 0;
}
