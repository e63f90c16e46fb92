// Launches the kernels of checksums.cu as their contracts say.

#pragma once

#include <functional>
#include <memory>

#include "../../main/cuda/checksums.cu"
#include "check.cuh"

namespace crcs {

/** A divisor, and the arithmetic of remainders. */
struct Divisor {
  int width;
  uint64_t terms;
  bool low_bit_first;

  uint64_t mask() const { return ~0ull >> (64 - width); }
  uint64_t times_x(uint64_t a) const {
    return ((a << 1) ^ (a >> (width - 1) & 1 ? terms : 0)) & mask();
  }
  /** The constant term of the divisor is 1. */
  uint64_t over_x(uint64_t a) const {
    return (a >> 1) ^ (a & 1 ? terms >> 1 | 1ull << (width - 1) : 0);
  }
  uint64_t multiply(uint64_t a, uint64_t b) const {
    uint64_t product = 0;
    for (int i = width - 1; i >= 0; i--) product = times_x(product) ^ (b >> i & 1 ? a : 0);
    return product;
  }
  uint64_t power(uint64_t a, uint64_t e) const {
    uint64_t result = width == 0 ? 0 : 1;
    for (; e != 0; e >>= 1, a = multiply(a, a)) {
      if (e & 1) result = multiply(result, a);
    }
    return result;
  }
  uint64_t x() const { return width == 1 ? terms & 1 : 2; }
  uint64_t x_to_the(uint64_t e) const { return power(x(), e); }
  uint64_t x_to_the_minus(uint64_t e) const { return power(over_x(1), e); }

  RemainderMap map(uint64_t factor) const {
    RemainderMap map{};
    for (int i = 0; i < width; i++, factor = times_x(factor)) map.columns[i] = factor;
    return map;
  }
};

/** What the kernels of a divisor need in device memory. */
struct Tables {
  static constexpr int kSegment = 32;
  const Divisor divisor;
  const int tiles;
  std::vector<uint32_t> operands, row_operands, weights;
  std::vector<RemainderMap> strips, back, row_back, segments;
  template <class T>
  using Uploaded = std::unique_ptr<DeviceArray<T>>;
  Uploaded<uint32_t> d_operands, d_row_operands, d_weights;
  Uploaded<RemainderMap> d_strips, d_back, d_row_back, d_segments;

  template <class T>
  static Uploaded<T> upload(const std::vector<T>& from) {
    return std::make_unique<DeviceArray<T>>(from);
  }

  static const uint4* vectors(const Uploaded<uint32_t>& words) {
    return reinterpret_cast<const uint4*>(words->data);
  }

  /** The vectors of one step: word j of lane t has bytes e(t, j) + 3 … e(t, j) from the end. */
  void append_step(std::vector<uint32_t>& to, const std::vector<uint64_t>& powers,
                   const std::function<int(int, int)>& e) const {
    for (int pair = 0; pair < tiles / 2; pair++) {
      for (int lane = 0; lane < 32; lane++) {
        for (int tile = 2 * pair; tile < 2 * pair + 2; tile++) {
          for (int j = 0; j < 2; j++) {
            uint32_t word = 0;
            for (int i = 0; i < 32; i++) {
              const int byte = e(lane % 4, j) + 3 - i / 8;
              const int bit = divisor.low_bit_first ? 7 - i % 8 : i % 8;
              const uint64_t power = powers[8 * byte + bit + divisor.width];
              word |= static_cast<uint32_t>(power >> (8 * tile + lane / 4) & 1) << i;
            }
            to.push_back(word);
          }
        }
      }
    }
  }

  explicit Tables(const Divisor& d) : divisor(d), tiles(d.width <= 32 ? 4 : 8) {
    std::vector<uint64_t> powers(8 * checksum_strips::kStripBytes + 128);
    powers[0] = 1;
    for (size_t i = 1; i < powers.size(); i++) powers[i] = d.times_x(powers[i - 1]);
    for (int s = 0; s < checksum_strips::kSteps; s++) {
      const int after = (checksum_strips::kSteps - 1 - s) * checksum_strips::kStepBytes;
      append_step(operands, powers,
                  [&](int t, int j) { return after + (3 - t) * 16 + (1 - j) * 8; });
    }
    for (int block = 0; block < kSegment; block++) {
      append_step(row_operands, powers,
                  [&](int t, int j) { return 64 * block + (3 - t) * 16 + (1 - j) * 8; });
    }
    for (int q = 0; q < 2; q++) {
      for (int tile = 0; tile < tiles; tile++) {
        for (int h = 0; h < 2; h++) {
          for (int lane = 0; lane < 32; lane++) {
            const int row = (7 - lane / 4) * 64 + (1 - h) * 4 + (1 - q) * 512;
            for (int c = 0; c < 2; c++) {
              const uint64_t weight = powers[8 * row + 8 * tile + 2 * (lane % 4) + c];
              weights.push_back(static_cast<uint32_t>(weight));
              weights.push_back(static_cast<uint32_t>(weight >> 32));
            }
          }
        }
      }
    }
    for (int i = 0; i < checksum_strips::kMaps; i++) {
      strips.push_back(d.map(d.x_to_the(8ull * checksum_strips::kStripBytes << i)));
    }
    for (int i = 0; i < 4; i++) back.push_back(d.map(d.x_to_the_minus(8ull << i)));
    for (int i = 0; i < checksum_rows::kMaps; i++) {
      row_back.push_back(d.map(i < 4 ? d.x_to_the(32 - 8ull * i) : d.x_to_the_minus(8ull * i - 32)));
    }
    segments.push_back(d.map(d.x_to_the(8ull * 64 * kSegment)));
    d_operands = upload(operands), d_row_operands = upload(row_operands);
    d_weights = upload(weights), d_strips = upload(strips), d_back = upload(back);
    d_row_back = upload(row_back), d_segments = upload(segments);
  }
  /** The register's bits as the first of a message that begins with zeros. */
  uint64_t front(uint64_t initial) const {
    const uint64_t top = initial << (64 - divisor.width);
    if (!divisor.low_bit_first) return __builtin_bswap64(top);
    uint64_t reversed = 0;
    for (int i = 0; i < 64; i++) reversed |= (top >> i & 1) << (63 - i);
    return reversed;
  }

  Register register_of(uint64_t initial) const {
    return {front(initial), initial, divisor.width, 0};
  }

  /** Adds the remainders to what is there; thread blocks are `most`, or those of few messages. */
  void strips_of(const Messages& messages, uint64_t initial, uint64_t* remainders,
                 cudaStream_t stream = nullptr, int most = 1 << 30) const {
    most = std::min(most, multiprocessors());
    const int64_t strips = messages.length / checksum_strips::kStripBytes + 1;
    const int64_t wanted = std::max<int64_t>(most / std::max<int64_t>(messages.count, 1), 1);
    const int blocks = static_cast<int>(std::min(strips, wanted));
    const int grid =
        static_cast<int>(std::min<int64_t>(blocks * messages.count, most / blocks * blocks));
    constexpr int threads = checksum_strips::kWarps * 32;
    ChecksumStripsArguments a{messages,
                              register_of(initial),
                              vectors(d_operands),
                              vectors(d_weights),
                              d_strips->data,
                              d_back->data,
                              reinterpret_cast<unsigned long long*>(remainders),
                              blocks,
                              0};
    if (tiles == 4) {
      launch(checksum_strips_32, grid, threads, checksum_strips::kSharedBytes<4>, a, stream);
    } else {
      launch(checksum_strips_64, grid, threads, checksum_strips::kSharedBytes<8>, a, stream);
    }
  }
  void strips_of(const uint8_t* start, int64_t length, uint64_t* remainder,
                 cudaStream_t stream = nullptr) const {
    strips_of({start, nullptr, nullptr, 0, 0, length, 1}, 0, remainder, stream);
  }

  template <int kTiles>
  static constexpr int kRowsShared =
      kSegment * kTiles * 256 + checksum_rows::kSharedBytes<kTiles>;

  void rows_of(const Messages& messages, uint64_t initial, uint64_t* remainders) const {
    constexpr int threads = checksum_rows::kWarps * 32;
    // Where all are as long, the register's part of the remainder is the same of all.
    const bool is_equal = messages.lengths == nullptr;
    const uint64_t addend =
        is_equal ? divisor.multiply(initial, divisor.x_to_the(8 * messages.length)) : 0;
    ChecksumRowsArguments a{messages,
                            register_of(is_equal ? 0 : initial),
                            vectors(d_row_operands),
                            d_row_back->data,
                            d_segments->data,
                            remainders,
                            addend,
                            kSegment,
                            0};
    constexpr int64_t group = checksum_rows::kMessages;
    const int grid =
        static_cast<int>(std::min<int64_t>((messages.count + group - 1) / group, multiprocessors()));
    const int shared = tiles == 4 ? kRowsShared<4> : kRowsShared<8>;
    if (tiles == 4) {
      launch(checksum_rows_32, grid, threads, shared, a);
    } else {
      launch(checksum_rows_64, grid, threads, shared, a);
    }
  }
};

/** Sums of chunks on the GPU, as the paper has them; returns the thread blocks. */
inline int64_t sum_chunks(const Divisor& d, const uint8_t* start, int64_t length, int threads,
                          bool reduction, const DeviceArray<uint64_t>& beta, uint64_t* partials) {
  const int64_t blocks = ceil_div(ceil_div(8 * length, d.width), threads);
  if (blocks > 0) {
    launch(reduction ? checksum_pcrc_reduction : checksum_pcrc, blocks_of(blocks), threads, 0,
           ChecksumChunksArguments{start, length, beta.data, static_cast<int64_t>(beta.count),
                                   partials, d.terms, d.width, d.low_bit_first});
  }
  return blocks;
}

inline std::vector<uint64_t> betas(const Divisor& d, int64_t count) {
  const uint64_t factor = d.x_to_the(d.width);
  std::vector<uint64_t> beta(count);
  uint64_t power = 1;
  for (uint64_t& b : beta) b = power = d.multiply(power, factor);
  return beta;
}

}  // namespace crcs
