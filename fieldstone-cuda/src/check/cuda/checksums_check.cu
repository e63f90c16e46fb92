// Checks checksums.cu against bits and bytes divided on the host, then times it against the rates at
// which memory is read and the bus uploads.
//
//   nvcc -O3 -std=c++17 -gencode arch=compute_90a,code=sm_90a -o checksums_check
//   fieldstone-cuda/src/check/cuda/checksums_check.cu
//   ./checksums_check
//
// Exits 1 if anything is wrong. With the argument "check" it times nothing.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "../../main/cuda/ceilings.cu"
#include "../../main/cuda/checksums.cu"
#include "check.cuh"

namespace {

int multiprocessors;

/** A divisor: arithmetic of remainders, and the slow and the less slow way to divide by it. */
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

  uint64_t append_bits(uint64_t remainder, const uint8_t* message, int64_t length) const {
    for (int64_t i = 0; i < length; i++) {
      for (int b = 0; b < 8; b++) {
        const uint64_t bit = message[i] >> (low_bit_first ? b : 7 - b) & 1;
        const uint64_t carry = (remainder >> (width - 1) & 1) ^ bit;
        remainder = ((remainder << 1) ^ (carry ? terms : 0)) & mask();
      }
    }
    return remainder;
  }
  /** For widths of 8 and more. */
  uint64_t append_bytes(uint64_t remainder, const uint8_t* message, int64_t length) const {
    uint64_t table[256];
    for (int i = 0; i < 256; i++) {
      const uint8_t byte = i;
      table[i] = append_bits(0, &byte, 1);
    }
    uint8_t reversed[256];
    for (int i = 0; i < 256; i++) {
      reversed[i] = 0;
      for (int b = 0; b < 8; b++) reversed[i] |= (i >> b & 1) << (7 - b);
    }
    for (int64_t i = 0; i < length; i++) {
      const uint8_t top = remainder >> (width - 8);
      const uint8_t byte = message[i] ^ (low_bit_first ? reversed[top] : top);
      remainder = ((width == 8 ? 0 : remainder << 8) ^ table[byte]) & mask();
    }
    return remainder;
  }
  uint64_t append(uint64_t remainder, const uint8_t* message, int64_t length) const {
    return width < 8 ? append_bits(remainder, message, length)
                     : append_bytes(remainder, message, length);
  }
  RemainderMap map(uint64_t factor) const {
    RemainderMap map{};
    for (int i = 0; i < width; i++, factor = times_x(factor)) map.columns[i] = factor;
    return map;
  }
};

/** Device memory, freed with the object. */
struct Buffer {
  uint8_t* data = nullptr;
  size_t bytes;

  explicit Buffer(size_t bytes) : bytes(bytes) { REQUIRE(cudaMalloc(&data, bytes + 16)); }
  Buffer(const void* from, size_t bytes) : Buffer(bytes) {
    REQUIRE(cudaMemcpy(data, from, bytes, cudaMemcpyHostToDevice));
  }
  Buffer(const Buffer&) = delete;
  ~Buffer() { cudaFree(data); }
  template <class T>
  T* as() const {
    return reinterpret_cast<T*>(data);
  }
};

/** What the kernels of a divisor need in device memory. */
struct Tables {
  static constexpr int kSegment = 32;
  const Divisor divisor;
  const int tiles;
  std::vector<uint32_t> operands, row_operands, weights;
  std::vector<RemainderMap> strips, back, row_back, segments;
  Buffer *d_operands, *d_row_operands, *d_weights, *d_strips, *d_back, *d_row_back, *d_segments;

  template <class T>
  static Buffer* upload(const std::vector<T>& from) {
    return new Buffer(from.data(), from.size() * sizeof(T));
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
  ~Tables() {
    for (Buffer* b : {d_operands, d_row_operands, d_weights, d_strips, d_back, d_row_back,
                      d_segments}) {
      delete b;
    }
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
    most = std::min(most, multiprocessors);
    const int64_t strips = messages.length / checksum_strips::kStripBytes + 1;
    const int64_t wanted = std::max<int64_t>(most / std::max<int64_t>(messages.count, 1), 1);
    const int blocks = static_cast<int>(std::min(strips, wanted));
    const int grid =
        static_cast<int>(std::min<int64_t>(blocks * messages.count, most / blocks * blocks));
    constexpr int threads = checksum_strips::kWarps * 32;
    ChecksumStripsArguments a{messages,
                              register_of(initial),
                              d_operands->as<uint4>(),
                              d_weights->as<uint4>(),
                              d_strips->as<RemainderMap>(),
                              d_back->as<RemainderMap>(),
                              reinterpret_cast<unsigned long long*>(remainders),
                              blocks,
                              0};
    if (tiles == 4) {
      checksum_strips_32<<<grid, threads, checksum_strips::kSharedBytes<4>, stream>>>(a);
    } else {
      checksum_strips_64<<<grid, threads, checksum_strips::kSharedBytes<8>, stream>>>(a);
    }
    REQUIRE(cudaGetLastError());
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
                            d_row_operands->as<uint4>(),
                            d_row_back->as<RemainderMap>(),
                            d_segments->as<RemainderMap>(),
                            remainders,
                            addend,
                            kSegment,
                            0};
    constexpr int64_t group = checksum_rows::kMessages;
    const int grid =
        static_cast<int>(std::min<int64_t>((messages.count + group - 1) / group, multiprocessors));
    const int shared = tiles == 4 ? kRowsShared<4> : kRowsShared<8>;
    if (tiles == 4) {
      checksum_rows_32<<<grid, threads, shared>>>(a);
    } else {
      checksum_rows_64<<<grid, threads, shared>>>(a);
    }
    REQUIRE(cudaGetLastError());
  }
};

uint64_t read_word(const Buffer& from) {
  uint64_t word;
  REQUIRE(cudaMemcpy(&word, from.data, 8, cudaMemcpyDeviceToHost));
  return word;
}

/** PCRC as the paper's host has it: adds partial sums of each β_count chunks and advances. */
uint64_t pcrc(const Divisor& d, const uint8_t* start, int64_t length, int threads, bool reduction,
              int64_t beta_count, Buffer& beta, Buffer& partials) {
  const int64_t chunks = (8 * length + d.width - 1) / d.width;
  const int64_t blocks = (chunks + threads - 1) / threads;
  ChecksumChunksArguments a{start,    length,  beta.as<uint64_t>(), beta_count,
                            partials.as<uint64_t>(), d.terms, d.width, d.low_bit_first};
  if (blocks == 0) return 0;
  if (reduction) {
    checksum_pcrc_reduction<<<static_cast<int>(blocks), threads>>>(a);
  } else {
    checksum_pcrc<<<static_cast<int>(blocks), threads>>>(a);
  }
  REQUIRE(cudaGetLastError());
  std::vector<uint64_t> sums(blocks);
  REQUIRE(cudaMemcpy(sums.data(), partials.data, 8 * blocks, cudaMemcpyDeviceToHost));
  const int64_t group = beta_count / threads;
  const uint64_t factor = d.x_to_the(static_cast<uint64_t>(beta_count) * d.width);
  uint64_t remainder = 0;
  for (int64_t first = (blocks - 1) / group * group; first >= 0; first -= group) {
    remainder = d.multiply(remainder, factor);
    for (int64_t i = first; i < std::min(first + group, blocks); i++) remainder ^= sums[i];
  }
  return remainder;
}

std::vector<uint64_t> betas(const Divisor& d, int64_t count) {
  const uint64_t factor = d.x_to_the(d.width);
  std::vector<uint64_t> beta(count);
  uint64_t power = 1;
  for (uint64_t& b : beta) b = power = d.multiply(power, factor);
  return beta;
}

bool report(bool ok, const Divisor& d, const char* what, int64_t length, int64_t wrong) {
  if (!ok) {
    printf("FAIL width %d terms %lx %s first, %s, length %ld: %ld wrong\n", d.width,
           static_cast<unsigned long>(d.terms), d.low_bit_first ? "low" : "high", what,
           static_cast<long>(length), static_cast<long>(wrong));
    fflush(stdout);
  }
  return ok;
}

/** One message, at any offset and of any length, on a whole GPU or on few thread blocks. */
bool check_strips(const Tables& tables, const uint8_t* host, const Buffer& data, int64_t offset,
                  int64_t length, int most) {
  const uint64_t initial = random_word() % 3 == 0 ? 0 : random_word() & tables.divisor.mask();
  Buffer result(8);
  REQUIRE(cudaMemset(result.data, 0, 8));
  tables.strips_of({data.data, nullptr, nullptr, offset, 0, length, 1}, initial,
                   result.as<uint64_t>(), nullptr, most);
  const uint64_t expected = tables.divisor.append(initial, host + offset, length);
  return report(read_word(result) == expected, tables.divisor, "strips", length, 1);
}

bool check_pcrc(const Divisor& d, const uint8_t* host, const Buffer& data, int64_t offset,
                int64_t length, int threads, bool reduction) {
  const int64_t count = 4096;
  const std::vector<uint64_t> b = betas(d, count);
  Buffer beta(b.data(), 8 * count), partials(8 * (8 * length / d.width / threads + 2));
  const uint64_t got =
      pcrc(d, data.data + offset, length, threads, reduction, count, beta, partials);
  return report(got == d.append(0, host + offset, length), d,
                reduction ? "pcrc-reduction" : "pcrc", length, 1);
}

/** Listed messages of random lengths up to longest, or equal ones. */
bool check_many(const Tables& tables, const uint8_t* host, const Buffer& data, int64_t count,
                int64_t longest, bool is_listed, bool in_strips) {
  const Divisor& d = tables.divisor;
  const uint64_t initial = random_word() % 3 == 0 ? 0 : random_word() & d.mask();
  std::vector<int64_t> offsets(count), lengths(count);
  const int64_t offset = random_word() % 100, length = longest, stride = random_word() % 2000;
  for (int64_t i = 0; i < count; i++) {
    lengths[i] = is_listed ? random_word() % (longest + 1) : length;
    offsets[i] = is_listed ? random_word() % (data.bytes - lengths[i]) : offset + i * stride;
  }
  Buffer d_offsets(offsets.data(), 8 * count), d_lengths(lengths.data(), 8 * count);
  Buffer result(8 * count);
  REQUIRE(cudaMemset(result.data, 0, 8 * count));
  const Messages messages{data.data,
                          is_listed ? d_offsets.as<int64_t>() : nullptr,
                          is_listed ? d_lengths.as<int64_t>() : nullptr,
                          offset,
                          stride,
                          length,
                          count};
  if (in_strips) {
    tables.strips_of(messages, initial, result.as<uint64_t>());
  } else {
    tables.rows_of(messages, initial, result.as<uint64_t>());
  }
  std::vector<uint64_t> got(count);
  REQUIRE(cudaMemcpy(got.data(), result.data, 8 * count, cudaMemcpyDeviceToHost));
  int64_t wrong = 0;
  for (int64_t i = 0; i < count; i++) {
    wrong += got[i] != d.append(initial, host + offsets[i], lengths[i]);
  }
  return report(wrong == 0, d, in_strips ? "strips of many" : "rows", longest, wrong);
}

bool check_all() {
  constexpr int64_t kBytes = 5 << 20;
  std::vector<uint8_t> host(kBytes);
  for (uint8_t& byte : host) byte = random_word();
  Buffer data(host.data(), kBytes);
  bool ok = true;
  int checks = 0;
  std::vector<Divisor> divisors = {{32, 0x04C11DB7, true}, {32, 0x04C11DB7, false},
                                   {64, 0x42F0E1EBA9EA3693, true}, {16, 0x1021, false},
                                   {8, 0x07, false}, {3, 0x3, false}, {1, 0x1, true}};
  for (int width = 1; width <= 64; width += width < 9 ? 1 : 5) {
    for (bool low : {false, true}) {
      divisors.push_back({width, (random_word() & (~0ull >> (64 - width))) | 1, low});
    }
  }
  for (const Divisor& d : divisors) {
    // The oracle itself: bytes against bits.
    ok &= report(d.append(1, host.data(), 999) == d.append_bits(1, host.data(), 999), d, "oracle",
                 999, 1);
    const Tables tables(d);
    for (int64_t length : {0, 1, 2, 7, 8, 15, 16, 17, 31, 32, 33, 100, 1023, 1024, 1025, 32767,
                           32768, 32769, 65536, 100000, 1 << 20}) {
      ok &= check_strips(tables, host.data(), data, 0, length, 1 << 30);
      ok &= check_strips(tables, host.data(), data, random_word() % 64, length, 1 << 30);
      checks += 2;
    }
    ok &= check_strips(tables, host.data(), data, 0, kBytes, 1);
    ok &= check_strips(tables, host.data(), data, 5, kBytes - 9, 2);
    ok &= check_strips(tables, host.data(), data, 16, 128 * 32768, 3);
    for (int64_t longest : {0, 1, 5, 8, 9, 63, 64, 65, 200, 1500, 2047, 2048, 2049, 9000}) {
      const int64_t count = 1 + random_word() % 150;
      for (bool is_listed : {false, true}) {
        for (bool in_strips : {false, true}) {
          ok &= check_many(tables, host.data(), data, count, longest, is_listed, in_strips);
          checks++;
        }
      }
    }
    for (bool is_listed : {false, true}) {
      ok &= check_many(tables, host.data(), data, 7, 200000, is_listed, true);
      checks++;
    }
    for (int64_t length : {0, 1, 3, 8, 100, 4096, 20000}) {
      for (bool reduction : {false, true}) {
        ok &= check_pcrc(d, host.data(), data, random_word() % 64, length,
                         32 << random_word() % 6, reduction);
        checks++;
      }
    }
  }
  // Long enough for several strips of every warp of a large GPU.
  constexpr int64_t kLong = 300ll << 20;
  std::vector<uint8_t> large(kLong);
  for (int64_t i = 0; i < kLong; i += 8) {
    const uint64_t word = random_word();
    memcpy(&large[i], &word, 8);
  }
  Buffer d_large(large.data(), kLong);
  for (const Divisor& d : {divisors[0], Divisor{57, random_word() >> 7 | 1, false}}) {
    const Tables tables(d);
    ok &= check_strips(tables, large.data(), d_large, 3, kLong - 8, 1 << 30);
    ok &= check_strips(tables, large.data(), d_large, 0, kLong, 1 << 30);
    checks += 2;
  }
  printf("%s %d checks, %zu divisors\n", ok ? "ok  " : "FAIL", checks, divisors.size());
  fflush(stdout);
  return ok;
}

struct Times {
  double best, median;
};

/** Milliseconds of one, after a warm-up. */
Times time_of(const std::function<void()>& work, int runs = 9) {
  cudaEvent_t begin, end;
  REQUIRE(cudaEventCreate(&begin));
  REQUIRE(cudaEventCreate(&end));
  work();
  REQUIRE(cudaDeviceSynchronize());
  std::vector<float> times;
  for (int i = 0; i < runs; i++) {
    REQUIRE(cudaEventRecord(begin));
    work();
    REQUIRE(cudaEventRecord(end));
    REQUIRE(cudaEventSynchronize(end));
    float ms;
    REQUIRE(cudaEventElapsedTime(&ms, begin, end));
    times.push_back(ms);
  }
  std::sort(times.begin(), times.end());
  return {times[0], times[runs / 2]};
}

void line(const char* what, double bytes, const Times& times, double ceiling) {
  const double rate = bytes / times.median * 1e-6;
  printf("%-58s %8.3f ms  %7.1f GB/s  best %7.1f", what, times.median, rate,
         bytes / times.best * 1e-6);
  if (ceiling > 0) printf("  %5.3f of the ceiling", rate / ceiling);
  printf("\n");
  fflush(stdout);
}

void speed() {
  constexpr int64_t kBytes = 1ll << 30;
  Buffer data(kBytes + 4096), sums(1 << 20), result(8ll << 20);
  uint8_t* pinned;
  REQUIRE(cudaMallocHost(&pinned, kBytes));
  for (int64_t i = 0; i < kBytes; i += 8) {
    const uint64_t word = random_word();
    memcpy(pinned + i, &word, 8);
  }
  REQUIRE(cudaMemcpy(data.data, pinned, kBytes, cudaMemcpyHostToDevice));

  const auto read_all = [&] {
    memory_read<<<multiprocessors * 4, kReadThreads>>>(
        MemoryReadArguments{data.as<uint4>(), kBytes / 16, sums.as<int32_t>()});
  };
  const Times ceiling = time_of(read_all);
  const double read = kBytes / ceiling.median * 1e-6;
  line("memory_read, 1 GiB", kBytes, ceiling, 0);

  char what[100];
  for (int width : {8, 16, 24, 32, 40, 48, 64}) {
    for (bool low : {false, true}) {
      const Tables tables({width, (random_word() & (~0ull >> (64 - width))) | 1, low});
      snprintf(what, sizeof what, "strips, 1 GiB, width %d, %s bit first", width,
               low ? "low" : "high");
      line(what, kBytes,
           time_of([&] { tables.strips_of(data.data, kBytes, result.as<uint64_t>()); }),
           read);
    }
  }
  line("memory_read, 1 GiB, again", kBytes, time_of(read_all), 0);

  const Tables crc32({32, 0x04C11DB7, true}), crc64({64, 0x42F0E1EBA9EA3693, true});
  for (const Tables* tables : {&crc32, &crc64}) {
    const int width = tables->divisor.width;
    for (int64_t bytes : {1ll << 16, 1ll << 20, 1ll << 24, 1ll << 26, 1ll << 28}) {
      snprintf(what, sizeof what, "strips, %ld KiB, width %d", static_cast<long>(bytes >> 10),
               width);
      line(what, bytes,
           time_of([&] { tables->strips_of(data.data, bytes, result.as<uint64_t>()); }),
           read);
    }
    line("strips, 1 GiB less 11 bytes, unaligned", kBytes - 11, time_of([&] {
           tables->strips_of(data.data + 5, kBytes - 11, result.as<uint64_t>());
         }), read);
    constexpr int64_t kPackets = 700000;
    for (int64_t stride : {1500, 1504, 1514, 1533}) {
      for (int64_t length : {1500}) {
        for (uint64_t initial : {0ull, ~0ull >> (64 - width)}) {
          snprintf(what, sizeof what, "rows, 700,000 of %ld, stride %ld, width %d%s",
                   static_cast<long>(length), static_cast<long>(stride), width,
                   initial ? ", register" : "");
          line(what, kPackets * length, time_of([&] {
                 tables->rows_of({data.data, nullptr, nullptr, 0, stride, length, kPackets},
                                 initial, result.as<uint64_t>());
               }), read);
        }
      }
    }
    for (int64_t length : {64, 256, 576, 1504, 2048, 9000, 65536, 262144}) {
      const int64_t count = kBytes / length > 1000000 ? 1000000 : kBytes / length;
      snprintf(what, sizeof what, "rows, %ld of %ld, width %d", static_cast<long>(count),
               static_cast<long>(length), width);
      line(what, count * length, time_of([&] {
             tables->rows_of({data.data, nullptr, nullptr, 0, length, length, count}, 1,
                             result.as<uint64_t>());
           }), read);
    }
    for (int64_t length : {9000, 65536, 262144, 1 << 20, 1 << 24}) {
      const int64_t count = kBytes / length;
      snprintf(what, sizeof what, "strips, %ld of %ld, width %d", static_cast<long>(count),
               static_cast<long>(length), width);
      line(what, count * length, time_of([&] {
             tables->strips_of({data.data, nullptr, nullptr, 0, length, length, count}, 1,
                               result.as<uint64_t>());
           }), read);
    }
    std::vector<int64_t> offsets, lengths;
    int64_t at = 0;
    while (at + 1500 < kBytes && offsets.size() < 900000) {
      offsets.push_back(at);
      lengths.push_back(random_word() % 3 == 0 ? 40 + random_word() % 1460 : 1500);
      at += lengths.back();
    }
    Buffer d_offsets(offsets.data(), 8 * offsets.size());
    Buffer d_lengths(lengths.data(), 8 * lengths.size());
    snprintf(what, sizeof what, "rows, %zu listed of 40 to 1500, width %d", offsets.size(), width);
    line(what, at, time_of([&] {
           tables->rows_of({data.data, d_offsets.as<int64_t>(), d_lengths.as<int64_t>(), 0, 0, 0,
                            static_cast<int64_t>(offsets.size())},
                           1, result.as<uint64_t>());
         }), read);
  }

  // Data of the host: pieces over streams, each uploaded and summed.
  const Times upload = time_of([&] {
    REQUIRE(cudaMemcpyAsync(data.data, pinned, kBytes, cudaMemcpyHostToDevice));
  }, 5);
  const double bus = kBytes / upload.median * 1e-6;
  line("upload of 1 GiB, pinned", kBytes, upload, 0);
  constexpr int kStreams = 3;
  cudaStream_t streams[kStreams];
  cudaEvent_t done[kStreams], begun;
  for (int i = 0; i < kStreams; i++) {
    REQUIRE(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
    REQUIRE(cudaEventCreateWithFlags(&done[i], cudaEventDisableTiming));
  }
  REQUIRE(cudaEventCreateWithFlags(&begun, cudaEventDisableTiming));
  for (int64_t piece : {4ll << 20, 16ll << 20, 32ll << 20}) {
    snprintf(what, sizeof what, "host data, 1 GiB in pieces of %ld MiB, width 64",
             static_cast<long>(piece >> 20));
    line(what, kBytes, time_of([&] {
           REQUIRE(cudaEventRecord(begun));
           for (cudaStream_t stream : streams) REQUIRE(cudaStreamWaitEvent(stream, begun));
           int turn = 0;
           for (int64_t at = 0; at < kBytes; at += piece, turn = (turn + 1) % kStreams) {
             uint8_t* to = data.data + turn * piece;
             REQUIRE(cudaMemcpyAsync(to, pinned + at, piece, cudaMemcpyHostToDevice,
                                     streams[turn]));
             crc64.strips_of(to, piece, result.as<uint64_t>() + at / piece,
                             streams[turn]);
           }
           for (int i = 0; i < kStreams; i++) {
             REQUIRE(cudaEventRecord(done[i], streams[i]));
             REQUIRE(cudaStreamWaitEvent(nullptr, done[i]));
           }
         }, 5), bus);
  }

  // The paper's: N = 2^16 bits, and a long message; host additions and downloads counted in.
  for (int64_t bytes : {int64_t{1} << 13, int64_t{1} << 26}) {
    for (int width : {8, 16, 32, 64}) {
      const Divisor d{width, 0x04C11DB742F0E1EBull >> (64 - width) | 1, false};
      const int64_t count = 1 << 16;
      const std::vector<uint64_t> b = betas(d, count);
      Buffer beta(b.data(), 8 * count), partials(8 * (8 * bytes / width / 64 + 2));
      for (int threads : {64, 128, 256}) {
        for (bool reduction : {false, true}) {
          snprintf(what, sizeof what, "%s, %ld KiB, width %d, blocks of %d",
                   reduction ? "pcrc-reduction" : "pcrc", static_cast<long>(bytes >> 10), width,
                   threads);
          line(what, bytes, time_of([&] {
                 pcrc(d, data.data, bytes, threads, reduction, count, beta, partials);
               }, 3), 0);
        }
      }
    }
  }
  REQUIRE(cudaFreeHost(pinned));
}

}  // namespace

int main(int argc, char** argv) {
  cudaDeviceProp properties;
  REQUIRE(cudaGetDeviceProperties(&properties, 0));
  multiprocessors = properties.multiProcessorCount;
  printf("%s, %d multiprocessors\n", properties.name, multiprocessors);
  REQUIRE(cudaFuncSetAttribute(checksum_strips_32, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               checksum_strips::kSharedBytes<4>));
  REQUIRE(cudaFuncSetAttribute(checksum_strips_64, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               checksum_strips::kSharedBytes<8>));
  REQUIRE(cudaFuncSetAttribute(checksum_rows_32, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               Tables::kRowsShared<4>));
  REQUIRE(cudaFuncSetAttribute(checksum_rows_64, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               Tables::kRowsShared<8>));
  const bool ok = check_all();
  if (argc == 1) speed();
  printf(ok ? "ALL OK\n" : "SOME FAILED\n");
  return ok ? 0 : 1;
}
