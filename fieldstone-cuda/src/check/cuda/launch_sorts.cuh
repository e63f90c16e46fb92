// Launches the kernels of sort.cu and of the steps of fieldstone-papers as their contracts say.

#pragma once

#include "../../../../fieldstone-papers/src/main/cuda/sort_steps.cu"
#include "../../main/cuda/sort.cu"
#include "check.cuh"

namespace sorts {

/** A way to make passes: a kernel with the shape of its tiles. */
struct PassKernel {
  void (*run)(const SortPassArguments);
  int threads;
  int items;
  /** Of segments. */
  void (*run_segments)(const SortSegmentPassArguments) = nullptr;
  void (*collect)(const SortCollectArguments) = nullptr;

  int tile() const { return threads * items; }
};

/** What is sorted. */
struct Format {
  int key_words;
  int words;
  bool floating;
  uint64_t flip;
};

#define PASS_KERNEL(SUFFIX, KEY, WORDS)                                        \
  {sort_pass##SUFFIX, sorting::kPassThreads, sorting::kPassItems<KEY, WORDS>, \
   sort_pass##SUFFIX##_segments, sort_collect##SUFFIX}

inline PassKernel pass_of(const Format& format) {
  const int which = (format.key_words * 10 + format.words) * 10 + (format.floating ? 1 : 0);
  switch (which) {
    case 110: return PASS_KERNEL(_1_1, 1, 1);
    case 120: return PASS_KERNEL(_1_2, 1, 2);
    case 130: return PASS_KERNEL(_1_3, 1, 3);
    case 220: return PASS_KERNEL(_2_2, 2, 2);
    case 230: return PASS_KERNEL(_2_3, 2, 3);
    case 240: return PASS_KERNEL(_2_4, 2, 4);
    case 111: return PASS_KERNEL(_1_1_floating, 1, 1);
    case 121: return PASS_KERNEL(_1_2_floating, 1, 2);
    case 131: return PASS_KERNEL(_1_3_floating, 1, 3);
    case 221: return PASS_KERNEL(_2_2_floating, 2, 2);
    case 231: return PASS_KERNEL(_2_3_floating, 2, 3);
    default: return PASS_KERNEL(_2_4_floating, 2, 4);
  }
}

/** Asks for the counts of all digits, to be added to. */
inline void launch_count(const Format& format, const uint32_t* items, unsigned long long* counts,
                  int64_t n) {
  const SortCountArguments a = {items, counts, n, format.flip, format.words, 0};
  const int64_t step = sorting::kCountThreads * sorting::kCountAhead;
  const int blocks = static_cast<int>(
      std::min<int64_t>(4 * multiprocessors(), std::max<int64_t>(1, (n + step - 1) / step)));
  const auto kernel = format.key_words == 1
                          ? (format.floating ? sort_count_1_floating : sort_count_1)
                          : (format.floating ? sort_count_2_floating : sort_count_2);
  kernel<<<blocks, sorting::kCountThreads>>>(a);
}

/** What a sort needs besides the items. */
struct Lsd {
  Format format;
  PassKernel kernel;
  int64_t most_items;
  int64_t portion;
  DeviceArray<unsigned long long> counts;
  DeviceArray<int64_t> bases;
  DeviceArray<SortPlan> plan;
  DeviceArray<uint32_t> states;

  Lsd(const Format& format, const PassKernel& kernel, int64_t most_items, int64_t portion_tiles)
      : format(format),
        kernel(kernel),
        most_items(most_items),
        portion(portion_tiles * kernel.tile()),
        counts(8 * 256),
        bases(8 * 512),
        plan(1),
        states(256 * (1 + (std::min(portion, most_items) + kernel.tile() - 1) / kernel.tile())) {}

  int digits() const { return 4 * format.key_words; }

  void count(const uint32_t* items, int64_t n) {
    counts.clear();
    launch_count(format, items, counts.data, n);
    const SortPlanArguments p = {counts.data, bases.data, plan.data, n, digits(), 0};
    sort_plan<<<1, 256>>>(p);
  }

  void pass(uint32_t* items, uint32_t* others, int64_t n, int digit) {
    for (int64_t first = 0, i = 0; first < n; first += portion, i++) {
      const int64_t some = std::min(portion, n - first);
      const int64_t tiles = (some + kernel.tile() - 1) / kernel.tile();
      REQUIRE(cudaMemsetAsync(states.data, 0, (1 + tiles) * 1024));
      const SortPassArguments a = {{items, others},
                                   plan.data,
                                   bases.data + 512 * digit,
                                   states.data,
                                   first,
                                   some,
                                   format.flip,
                                   digit,
                                   static_cast<int32_t>(i)};
      kernel.run<<<static_cast<int>(tiles), kernel.threads>>>(a);
    }
    REQUIRE(cudaGetLastError());
  }

  void sort(uint32_t* items, uint32_t* others, int64_t n) {
    count(items, n);
    for (int digit = 0; digit < digits(); digit++) {
      pass(items, others, n, digit);
    }
  }
};

/** Items that are moved by a digit part by part, and segments that are collected of them. */
struct Dealt {
  Format format;
  PassKernel kernel;
  int digit;
  /** First items, and the number of all. */
  std::vector<int64_t> firsts;
  DeviceArray<uint32_t> moved;
  DeviceArray<int64_t> device_firsts;
  DeviceArray<unsigned long long> counts;
  DeviceArray<int64_t> bases;
  DeviceArray<unsigned long long> totals;
  DeviceArray<SortSegment> segments;
  DeviceArray<SortPlan> plan;
  std::vector<SortSegment> known;
  /** Counts of segments, then states, of any bucket. */
  DeviceArray<uint32_t> room;

  Dealt(const Format& format, int digit, const uint32_t* items, const std::vector<int64_t>& firsts)
      : format(format),
        kernel(pass_of(format)),
        digit(digit),
        firsts(firsts),
        moved(firsts.back() * format.words),
        device_firsts(firsts),
        counts(parts() * digits() * 256),
        bases(parts() * digits() * 512),
        totals(digits() * 256),
        segments(257),
        plan(1),
        room(int64_t{256} * digit * (256 + 1 + 256 + firsts.back() / kernel.tile())) {
    counts.clear();
    for (int part = 0; part < parts(); part++) {
      move(part, items);
    }
    const SortSegmentsArguments a = {counts.data, totals.data,   segments.data, plan.data,
                                     kernel.tile(), parts(), digits(),      digit, 0};
    sort_segments<<<digits(), 256>>>(a);
    REQUIRE(cudaGetLastError());
    known = segments.read();
  }

  int digits() const { return 4 * format.key_words; }
  int parts() const { return static_cast<int>(firsts.size()) - 1; }

  void move(int part, const uint32_t* items) {
    const int64_t n = firsts[part + 1] - firsts[part];
    const int64_t tiles = (n + kernel.tile() - 1) / kernel.tile();
    const uint32_t* from = items + firsts[part] * format.words;
    unsigned long long* own_counts = counts.data + part * digits() * 256;
    int64_t* own_bases = bases.data + part * digits() * 512;
    launch_count(format, from, own_counts, n);
    const SortPlanArguments p = {own_counts, own_bases, plan.data, n, digits(), 0};
    sort_plan<<<1, 256>>>(p);
    DeviceArray<uint32_t> states(256 * (1 + tiles));
    states.clear();
    const SortPassArguments a = {
        {const_cast<uint32_t*>(from), moved.data + firsts[part] * format.words},
        nullptr, own_bases + 512 * digit, states.data, 0, n, format.flip, digit, 0};
    if (n > 0) {
      kernel.run<<<static_cast<int>(tiles), kernel.threads>>>(a);
    }
    REQUIRE(cudaDeviceSynchronize());
  }

  int64_t items(int from, int end) const { return known[end].first - known[from].first; }
  int64_t tiles(int from, int end) const { return known[end].first_tile - known[from].first_tile; }

  /** Words of the counts of the segments of some values. */
  int64_t count_words(int from, int end) const { return int64_t{256} * digit * (end - from); }

  /** Words of these, and of the states. */
  int64_t room_words(int from, int end) const {
    return count_words(from, end) + digit * 256 * (1 + tiles(from, end));
  }

  void collect(uint32_t* to, int from, int end) {
    REQUIRE(cudaMemsetAsync(room.data, 0, 4 * room_words(from, end)));
    const SortCollectArguments a = {moved.data,
                                    to,
                                    bases.data + 512 * digit,
                                    device_firsts.data,
                                    segments.data + from,
                                    room.data,
                                    512 * digits(),
                                    format.flip,
                                    parts(),
                                    from,
                                    end - from,
                                    digit};
    kernel.collect<<<static_cast<int>(tiles(from, end)), kernel.threads>>>(a);
  }

  void pass(uint32_t* items, uint32_t* others, int from, int end, int lower) {
    uint32_t* states = room.data + count_words(from, end) + lower * 256 * (1 + tiles(from, end));
    const SortSegmentPassArguments a = {items,
                                        others,
                                        segments.data + from,
                                        room.data + 256 * lower,
                                        states,
                                        256 * digit,
                                        format.flip,
                                        end - from,
                                        lower};
    kernel.run_segments<<<static_cast<int>(tiles(from, end)), kernel.threads>>>(a);
  }

  /** Leaves the items of some values in order where the plan says. */
  void sort(uint32_t* items, uint32_t* others, int from, int end) {
    collect(items, from, end);
    for (int lower = 0; lower < digit; lower++) {
      pass(lower % 2 == 0 ? items : others, lower % 2 == 0 ? others : items, from, end, lower);
    }
    REQUIRE(cudaGetLastError());
  }
};

/** Sorts in steps of four bits, the baseline of the radix paper. */
struct Steps {
  Format format;
  int blocks;
  DeviceArray<int64_t> places;

  explicit Steps(const Format& format, int blocks)
      : format(format), blocks(blocks), places(int64_t{sorting::kBins} * blocks) {}

  void sort(uint32_t* items, uint32_t* others, int64_t n) const {
    const int key = format.key_words * 2 + (format.floating ? 1 : 0) - 2;
    void (*const reduce[])(SortStepArguments) = {sort_reduce_1, sort_reduce_1_floating,
                                                 sort_reduce_2, sort_reduce_2_floating};
    void (*const scatter[][3])(SortStepArguments) = {
        {sort_scatter_1_1, sort_scatter_1_2, sort_scatter_1_3},
        {sort_scatter_1_1_floating, sort_scatter_1_2_floating, sort_scatter_1_3_floating},
        {sort_scatter_2_2, sort_scatter_2_3, sort_scatter_2_4},
        {sort_scatter_2_2_floating, sort_scatter_2_3_floating, sort_scatter_2_4_floating}};
    for (int shift = 0; shift < 32 * format.key_words; shift += sorting::kBits) {
      const SortStepArguments a = {items, others, places.data, n, format.flip, shift, blocks,
                                   format.words, 0};
      launch(reduce[key], blocks, sorting::kStepThreads, 0, a);
      launch(sort_spine, 1, sorting::kSpineThreads, 0, a);
      launch(scatter[key][format.words - format.key_words], blocks, sorting::kStepThreads, 0, a);
      std::swap(items, others);
    }
  }
};

}  // namespace sorts
