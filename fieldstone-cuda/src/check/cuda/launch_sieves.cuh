// Launches the kernels of sieve.cu as their contracts say.

#pragma once

#include <set>

#include "../../main/cuda/sieve.cu"
#include "check.cuh"

namespace sieves {

/** Polynomials of a width, sieved at a length. */
struct Polynomials {
  int width, bits;
  int64_t first, count;
  DeviceArray<uint32_t> kept;

  Polynomials(int width, int bits, int64_t first, int64_t count)
      : width(width), bits(bits), first(first), count(count), kept((count + 31) / 32) {}

  void sieve(int bucket_bits, int place_bits) {
    kept.clear();
    launch(width < 33 ? sieve_narrow : sieve_wide, 77, 32, (4 << bucket_bits) + (4 << place_bits),
           SieveArguments{kept.data, first, count, width, bits, bucket_bits, place_bits});
  }

  /** Tests whether all errors of up to four bits are detected. */
  bool detects_four(int64_t number) const {
    std::vector<uint64_t> powers{1};
    std::set<uint64_t> seen{0, 1};
    const uint64_t mask = (1ull << width) - 1;
    for (int i = 1; i < bits; i++) {
      const uint64_t last = powers.back();
      powers.push_back((last << 1 ^ (last >> (width - 1) & 1 ? 2 * number + 1 : 0)) & mask);
      if (!seen.insert(powers.back()).second) return false;
    }
    for (int i = 1; i < bits; i++) {
      for (int j = 0; j < i; j++) {
        if (!seen.insert(powers[i] ^ powers[j]).second) return false;
      }
    }
    return true;
  }

  /** Returns the kept numbers that detect four errors: which others are kept may vary. */
  std::vector<int64_t> proven() const {
    std::vector<int64_t> numbers;
    const std::vector<uint32_t> words = kept.read();
    for (int64_t i = 0; i < count; i++) {
      if (words[i / 32] >> (i % 32) & 1 && detects_four(first + i)) numbers.push_back(first + i);
    }
    return numbers;
  }
};

}  // namespace sieves
